"""Equation 8 on simulated sequences of tasks, with an exact binomial statement."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.appendix_d.chains import hmms, one_sample_observations, task_runs
from ptum.checks.exact.hidden_markov import rounded
from ptum.checks.instances.families.hmms import block_sizes, three_tasks
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Outcome, formula_lines
from ptum.checks.verdicts.probability_search import (
    Effort,
    Explain,
    ProbabilityClaim,
    TrialResult,
    all_at_once,
    judge_named,
    named_and_drawn,
    within,
)
from ptum.reference.arrays import Floats
from ptum.reference.repaired.sequential.analysis import spectral_bounds as repaired
from ptum.reference.sequential.analysis import spectral_bounds as printed
from ptum.reference.sequential.analysis.conditioning import first_view_distribution, mixing
from ptum.reference.sequential.hmm import HMM
from ptum.reference.sequential.observations import observation_matrix
from ptum.spec.vocabulary import CheckKind

ALPHA_OF_CHECK = 1e-4
DELTA_PRIME = 0.1


# Equation 8


@dataclass(frozen=True)
class SequenceSetting:
    """Tasks of a shape, their chain, and how many are seen."""

    name: str
    S: int
    A: int
    U: int
    hmm: HMM
    h: int


def two_certain_tasks(S: int, A: int, stay: float, h: int = 600) -> SequenceSetting:
    """Task 1 always pays u_1 and leads to state 1, task 2 always u_2 and state 2."""
    rewards, states = np.tile(np.eye(2), (S * A, 1)), np.tile(np.eye(S, 2), (S * A, 1))
    T = np.array([[stay, 1 - stay], [1 - stay, stay]])
    hmm = HMM(np.vstack([rewards, states]), T, np.array([0.5, 0.5]))
    return SequenceSetting(f"two deterministic tasks, S={S} A={A} stay {stay}", S, A, 2, hmm, h)


def three_noisy_tasks(h: int = 600) -> SequenceSetting:
    """Two states, two actions, two rewards; distributions far from deterministic, the start not."""
    O = observation_matrix(three_tasks())
    T = 0.7 * np.roll(np.eye(3), 1, axis=0) + 0.1
    return SequenceSetting("three noisy tasks", 2, 2, 2, HMM(O, T, np.array([1.0, 0.0, 0.0])), h)


def expected_moment(setting: SequenceSetting) -> Floats:
    """The mean of Σ̂_21 over all triples, whose first tasks have distributions π, T³π, T⁶π, …."""
    O, T = setting.hmm.O, setting.hmm.T
    moment: Floats = O @ (T * first_view_distribution(setting.hmm, setting.h)) @ O.T
    return moment


def moment_errors(setting: SequenceSetting, runs: int, rng: np.random.Generator) -> Floats:
    """‖Σ̂_21 - Σ_21‖₂ of independent runs, one sample per pair and task."""
    tasks = task_runs(setting.hmm.T, setting.hmm.initial, (runs, setting.h), rng)
    blocks = block_sizes(setting.S, setting.A, setting.U)
    o = one_sample_observations(setting.hmm.O, blocks, tasks, rng)
    m = setting.h // 3
    first, second = o[:, 0 : 3 * m : 3], o[:, 1 : 3 * m : 3]
    estimates = np.swapaxes(second, 1, 2) @ first / m
    errors: Floats = np.linalg.norm(estimates - expected_moment(setting), 2, axis=(1, 2))
    return errors


def printed_moment_bound(setting: SequenceSetting) -> float:
    """√(log(1/δ')/h)."""
    return printed.moment_error_bound(h=setting.h, delta_prime=DELTA_PRIME)


def repaired_moment_bound(setting: SequenceSetting) -> float:
    """(2SA/√m)(√(1+4g) + (1+g)√log(1/δ'))."""
    return repaired.moment_error_bound(
        S=setting.S,
        A=setting.A,
        h=setting.h,
        delta_prime=DELTA_PRIME,
        g_mix=mixing(setting.hmm.T).g,
    )


Bound = Callable[[SequenceSetting], float]


def printed_formula(setting: SequenceSetting) -> tuple[str, ...]:
    """Equation 8 as printed."""
    values = (("h", setting.h), ("delta_prime", DELTA_PRIME))
    return formula_lines(formulas.APPENDIX_D + "EQUATION_8", values)


def repaired_formula(setting: SequenceSetting) -> tuple[str, ...]:
    """Equation 8 as repaired."""
    sizes = (("S", setting.S), ("A", setting.A), ("n_triples", setting.h // 3))
    values = (*sizes, ("g_mix", mixing(setting.hmm.T).g), ("delta_prime", DELTA_PRIME))
    return formula_lines(formulas.APPENDIX_D + "EQUATION_8_REPAIRED", values)


def within_bound(
    bound: Bound, explain: Explain[SequenceSetting]
) -> ProbabilityClaim[SequenceSetting]:
    """P(error > bound) ≤ δ' for every setting."""

    def trials(
        setting: SequenceSetting, number: int, rng: np.random.Generator
    ) -> list[TrialResult]:
        allowed = bound(setting)
        return [within(float(e) / allowed) for e in moment_errors(setting, number, rng)]

    return all_at_once(trials, DELTA_PRIME, explain)


@check("equation-8.bound/two-tasks", CheckKind.PROBABILITY, alpha=ALPHA_OF_CHECK)
def printed_equation_8(context: Context, bound: Bound = printed_moment_bound) -> Outcome:
    """Two deterministic tasks that differ everywhere, 600 of them in a row."""
    setting = two_certain_tasks(3, 2, 0.6)
    trials, claim = context.count(60, 400, 4000), within_bound(bound, printed_formula)
    return judge_named(context, claim, {setting.name: setting}, trials, ALPHA_OF_CHECK)


@st.composite
def on_any_chain(draw: DrawFn) -> SequenceSetting:
    """Two or three tasks."""
    drawn = draw(hmms())
    h = draw(st.sampled_from((30, 90, 150)))
    return SequenceSetting("drawn", drawn.S, drawn.A, drawn.U, rounded(drawn), h)


def drawn_settings() -> st.SearchStrategy[SequenceSetting]:
    """Two or three tasks on a chain that forgets its start; any other one has no bound."""
    return on_any_chain().filter(forgets)


def forgets(setting: SequenceSetting) -> bool:
    """Whether g is finite, as the repaired equation 8 needs it."""
    return math.isfinite(mixing(setting.hmm.T).g)


@check("equation-8.bound/with-mixing", CheckKind.PROBABILITY, alpha=ALPHA_OF_CHECK)
def repaired_equation_8(context: Context, bound: Bound = repaired_moment_bound) -> Outcome:
    """The bound with size, number of triples and mixing, on named and drawn chains.

    The same tasks, a slowly mixing pair, and three noisy tasks that start in one of them.
    """
    settings = (
        two_certain_tasks(3, 2, 0.6, 300),
        two_certain_tasks(2, 1, 0.9, 300),
        three_noisy_tasks(300),
    )
    return named_and_drawn(
        context,
        within_bound(bound, repaired_formula),
        {setting.name: setting for setting in settings},
        drawn_settings(),
        Effort(context.count(15, 300, 4000), 10, context.count(120, 400, 4000)),
        trials=context.count(120, 400, 4000),
        alpha=ALPHA_OF_CHECK,
    )
