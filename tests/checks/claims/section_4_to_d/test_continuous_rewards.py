"""Gaussian rewards: the averages that replace frequencies, and learners that get them wrong."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ptum.checks.claims.appendix_c.estimates import Learner
from ptum.checks.claims.section_4 import continuous_rewards
from ptum.checks.claims.section_4.continuous_rewards import GaussianTasks, mean_observations
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import sealed
from ptum.reference.sequential.hmm import Moments
from ptum.reference.sequential.spectral import HmmEstimate, NotIdentifiable, learn_from_moments
from ptum.spec.vocabulary import Verdict
from tests.support.closeness import near

QUICK = Context(Profile.QUICK, seed=4)


def tenths(*rows: tuple[int, ...]) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(tuple(Fraction(x, 10) for x in row) for row in rows)


TASKS = GaussianTasks(
    means=tenths((8, 1), (2, 9)),
    deviations=tenths((1, 5), (3, 2)),
    T=tenths((9, 2), (1, 8)),
    first=tenths((4, 6))[0],
)


def test_columns_are_means_of_averages_of_gaussian_rewards() -> None:
    """Against draws, six standard errors of 10⁵ of them."""
    rng, n = np.random.default_rng(0), 100_000
    columns = mean_observations(TASKS)
    for j in range(2):
        for a in range(2):
            m, s = float(TASKS.means[j][a]), float(TASKS.deviations[j][a])
            u = rng.normal(m, s, n)
            for row, sample in ((2 * a, u), (2 * a + 1, u**2)):
                assert abs(sample.mean() - columns[row, j]) < 6 * sample.std() / np.sqrt(n)
    assert (columns[4:] == 1).all()


def test_means_and_deviations_can_be_read_off() -> None:
    columns = mean_observations(TASKS)
    deviations = np.sqrt(columns[1:4:2] - columns[0:4:2] ** 2)
    assert near(np.array(TASKS.deviations, dtype=np.float64)) == deviations.T


def test_exact_moments_give_them_back() -> None:
    assert continuous_rewards.recovered_evaluation(TASKS).verdict() is Verdict.HOLDS


def forgets_the_square(
    moments: Moments, k: int, L: int, N: int, rng: np.random.Generator
) -> HmmEstimate | NotIdentifiable:
    """Reports the variance where the mean of U² is asked for."""
    found = learn_from_moments(moments, k, L, N, rng)
    assert isinstance(found, HmmEstimate)
    columns = found.O.copy()
    columns[1 : 2 * k : 2] -= columns[0 : 2 * k : 2] ** 2
    return replace(found, O=sealed(columns))


def off_by_a_hundred_thousandth(
    moments: Moments, k: int, L: int, N: int, rng: np.random.Generator
) -> HmmEstimate | NotIdentifiable:
    """Every transition is a little too likely."""
    found = learn_from_moments(moments, k, L, N, rng)
    assert isinstance(found, HmmEstimate)
    assert found.T is not None
    return replace(found, T=sealed(found.T + 1e-5))


@pytest.mark.parametrize("wrong", [forgets_the_square, off_by_a_hundred_thousandth])
def test_wrong_estimates_are_rejected(wrong: Learner) -> None:
    outcome = search(
        QUICK,
        continuous_rewards.gaussian_tasks(),
        lambda tasks: continuous_rewards.recovered_evaluation(tasks, wrong),
        8,
    )
    assert outcome.verdict is Verdict.VIOLATED
