"""Section 4, footnote: rewards with a density, and one small change that Algorithm 3 could need.

The footnote names no change. The smallest one that keeps what PTUM needs replaces the frequencies
of finitely many rewards in an observation by the averages of U and U²: their means are m and m² +
s² for a reward of mean m and deviation s, whatever its distribution, and Algorithm 3 uses nothing
of an observation but that its mean is a column of O. So exact moments must give back O, T and with
them all means and deviations. (Bounds on the error are another matter: those of Appendix D need
bounded observations, which Gaussian rewards do not give.)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.appendix_c.estimates import Learner, lines_5_to_10
from ptum.checks.exact.hidden_markov import Matrix, Vector
from ptum.checks.instances.families import hmms
from ptum.checks.instances.families.hmms import NamedHMM, Sizes
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import Floats
from ptum.reference.sequential.hmm import HMM
from ptum.reference.sequential.spectral import learn_from_moments
from ptum.spec.vocabulary import CheckKind


@stored
@dataclass(frozen=True)
class GaussianTasks:
    """Tasks with one state: mean and standard deviation of rewards, chain, first distribution."""

    means: Matrix
    deviations: Matrix
    T: Matrix
    first: Vector


@st.composite
def gaussian_tasks(draw: DrawFn) -> GaussianTasks:
    """Two or three tasks; task j pays most where the others pay little."""
    k = draw(st.integers(2, 3))
    tenths = st.integers(0, 3).map(lambda n: Fraction(n, 10))
    noise = st.integers(1, 6).map(lambda n: Fraction(n, 10))
    means = tuple(
        tuple(draw(tenths) + (Fraction(7, 10) if a == j else 0) for a in range(k)) for j in range(k)
    )
    deviations = tuple(tuple(draw(noise) for _ in range(k)) for _ in range(k))
    return GaussianTasks(
        means, deviations, draw(hmms.ergodic_chains(k)), draw(hmms.positive_distributions(k))
    )


def mean_observations(tasks: GaussianTasks) -> Floats:
    """O: for each action the means of U and of U², then of the only successor; a column a task."""
    columns = [
        [x for m, s in zip(means, deviations, strict=True) for x in (m, m**2 + s**2)]
        + [Fraction(1)] * len(means)
        for means, deviations in zip(tasks.means, tasks.deviations, strict=True)
    ]
    return np.array(columns, dtype=np.float64).T


def model_of(tasks: GaussianTasks) -> NamedHMM:
    """The hidden Markov model behind the changed observations."""
    T, first = (np.array(x, dtype=np.float64) for x in (tasks.T, tasks.first))
    hmm = HMM(mean_observations(tasks), T / T.sum(axis=0), first / first.sum())
    return NamedHMM("gaussian rewards", hmm, Sizes(1, len(tasks.means[0]), 2))


def recovered_evaluation(tasks: GaussianTasks, learner: Learner = learn_from_moments) -> Evaluation:
    """Lines 5-10 on the exact moments of the changed observations."""
    return lines_5_to_10(model_of(tasks), learner)


@check("text-continuous-rewards-minor-tweaks.extends/first-two-moments", CheckKind.INEQUALITY)
def recovered(context: Context) -> Outcome:
    """Averages of U and U² in place of frequencies: exact moments give back O and T."""
    return search(context, gaussian_tasks(), recovered_evaluation, (8, 100, 1500))
