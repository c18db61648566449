"""Small problems on which every probability of a run is known: the chain of `checks.exact.runs`.

Arms and rewards are Bernoulli unless something else is said; models are exact where Δ = 0. Budgets
exceed the repaired bound of Theorem 1 where it is finite, unless the name says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.runs.problem import ExactErrors, ExactProblem, single
from ptum.checks.instances.counterexamples.appendix_b import concentration, correctness
from ptum.checks.instances.counterexamples.section_3 import theorem_1
from ptum.checks.instances.counterexamples.section_3.theorem_1 import bernoulli_arms
from ptum.checks.instances.counterexamples.shared import deterministic_runs

EXACT = single(Fraction(0))
WRONG_STD = "E05: a deviation of the wrong values"
BUDGET = 100_000


@dataclass(frozen=True)
class Named:
    """A problem by name; `quick` ones take a fraction of a second."""

    name: str
    build: Callable[[], ExactProblem]
    quick: bool = False


def arms(
    gamma: str,
    *means: Sequence[str],
    epsilon: str,
    delta: str = "0.1",
    n: int = BUDGET,
    target: int = 0,
) -> ExactProblem:
    """A bandit whose models are exact."""
    models = _bandits(gamma, *means)
    return ExactProblem(models, models, Fraction(epsilon), Fraction(delta), n, EXACT, target)


def wrong_arms(
    true: Sequence[Sequence[str]], models: Sequence[Sequence[str]], epsilon: str, Delta: str
) -> ExactProblem:
    """A bandit with γ = 0 whose models have errors."""
    return ExactProblem(
        _bandits("0", *true),
        _bandits("0", *models),
        Fraction(epsilon),
        Fraction("0.1"),
        BUDGET,
        single(Fraction(Delta)),
    )


def _bandits(gamma: str, *means: Sequence[str]) -> tuple[ExactMDP, ...]:
    return tuple(bernoulli_arms([Fraction(mean) for mean in row], Fraction(gamma)) for row in means)


def bernoulli(
    p: Sequence[Sequence[Sequence[Fraction]]], r: Sequence[Sequence[Fraction]], gamma: Fraction
) -> ExactMDP:
    """A task whose rewards are 0 and 1."""
    return mdp.with_variance(mdp.deterministic(p, r, gamma), Fraction(1))


def switch(success: str, good: str, gamma: str, bad: str = "0.1") -> ExactMDP:
    """Two states that pay `bad` and `good`; action 0 stays with the given probability."""
    stay = Fraction(success)
    there, away = (stay, 1 - stay), (1 - stay, stay)
    r = [[Fraction(bad)] * 2, [Fraction(good)] * 2]
    return bernoulli([[there, away], [away, there]], r, Fraction(gamma))


def switches(
    gamma: str, *tasks: tuple[str, str], epsilon: str, delta: str = "0.1", target: int = 0
) -> ExactProblem:
    """Two states, two actions, exact models."""
    models = tuple(switch(success, good, gamma) for success, good in tasks)
    return ExactProblem(models, models, Fraction(epsilon), Fraction(delta), BUDGET, EXACT, target)


def _slightly_wrong() -> ExactProblem:
    """Models that are off by 0.002 in transitions and in one reward; Δ covers all four lines."""
    true = (switch("0.8", "0.9", "0.5"), switch("0.2", "0.9", "0.5"))
    models = (switch("0.798", "0.898", "0.5"), switch("0.202", "0.902", "0.5"))
    errors = single(Fraction("0.0035"))
    return ExactProblem(true, models, Fraction("0.2"), Fraction("0.1"), BUDGET, errors)


def _index_zero() -> ExactProblem:
    """E01: below the printed threshold every gap is under 8Δ, and rewards are deterministic."""
    rows = (("0", "0.59", "0.50"), ("0", "0.50", "0.59"))
    models = deterministic_runs.arms(Fraction("0.9"), *(tuple(map(Fraction, row)) for row in rows))
    errors = single(Fraction("0.012"))
    return ExactProblem(models, models, Fraction(1), Fraction("0.1"), 1000, errors)


def _of_correctness(case: correctness.ApproximateTasks) -> ExactProblem:
    """E02: what Assumption 1 as printed does not see."""
    errors = single(case.Delta)
    return ExactProblem(case.true, case.approximate, case.epsilon, Fraction("0.1"), BUDGET, errors)


def _wrong_std() -> ExactProblem:
    """E05: the deviation that the printed Assumption 1 compares is not the one that is tested.

    The counterexample with a fifth of its budget, at which the target is eliminated in one run of
    four; with all of it nearly always.
    """
    given = concentration.printed_constants(concentration.APPROXIMATE)
    return ExactProblem(
        concentration.both(concentration.TRUE),
        concentration.both(concentration.APPROXIMATE),
        concentration.EPSILON,
        concentration.DELTA,
        concentration.N_BUDGET // 5,
        ExactErrors(given.r, given.p, Fraction(0), given.sigma_p),
    )


def _of_three_arms(means: Sequence[Sequence[int]]) -> ExactProblem:
    situation = theorem_1.three_arms_instance(means)
    models = situation.models
    return ExactProblem(models, models, situation.epsilon, Fraction("0.1"), BUDGET, EXACT)


def _no_randomness() -> ExactProblem:
    """Rewards 1 and 0 on two arms, and the other way round."""
    zero, one = Fraction(0), Fraction(1)
    models = deterministic_runs.arms(Fraction("0.5"), (one, zero), (zero, one))
    return ExactProblem(models, models, Fraction(1), Fraction("0.1"), BUDGET, EXACT)


NAMED: tuple[Named, ...] = (
    Named("two arms", lambda: arms("0", ("0.9", "0.1"), ("0.1", "0.9"), epsilon="0.2"), quick=True),
    Named(
        "two arms, γ = 0.5",
        lambda: arms("0.5", ("0.9", "0.1"), ("0.1", "0.9"), epsilon="0.2", target=1),
    ),
    Named(
        "two arms, γ = 0.9",
        lambda: arms("0.9", ("0.7", "0.3"), ("0.3", "0.7"), epsilon="0.5", delta="0.3", target=1),
        quick=True,
    ),
    Named(
        "two arms, one of them informative",
        lambda: arms("0", ("0.5", "0.2"), ("0.5", "0.8"), epsilon="0.1", target=1),
    ),
    Named(
        "two arms, δ = 0.9",
        lambda: arms("0", ("0.5", "0.2"), ("0.5", "0.8"), epsilon="0.1", delta="0.9", n=20_000),
    ),
    Named(
        "two arms, gap 0.2",
        lambda: arms("0", ("0.5", "0.6"), ("0.5", "0.4"), epsilon="0.05", n=1_000_000),
    ),
    Named(
        "near tie, gap 0.1",
        lambda: arms("0", ("0.5", "0.55"), ("0.5", "0.45"), epsilon="0.02", n=1_000_000, target=1),
    ),
    Named(
        "near tie, gap 0.05",
        lambda: arms("0", ("0.5", "0.525"), ("0.5", "0.475"), epsilon="0.01", n=1_000_000),
    ),
    Named("no randomness", _no_randomness, quick=True),
    Named("ε = 0", lambda: arms("0", ("0.9", "0.1"), ("0.1", "0.9"), epsilon="0"), quick=True),
    Named(
        "a budget that may not suffice",
        lambda: arms("0", ("0.9", "0.1"), ("0.1", "0.9"), epsilon="0.2", n=60),
        quick=True,
    ),
    Named(
        "a budget that suffices for a wrong stop alone",
        lambda: arms("0", ("0.4", "0.45"), ("0.5", "0.45"), epsilon="0.04", n=45),
        quick=True,
    ),
    Named("three arms, each silent on a rival", lambda: _of_three_arms(theorem_1.MEANS), True),
    Named("three arms, one tells both rivals", lambda: _of_three_arms(theorem_1.SHARED), True),
    Named(
        "three arms, two models",
        lambda: arms("0.5", ("0.5", "0.2", "0.8"), ("0.5", "0.8", "0.2"), epsilon="0.3", target=1),
    ),
    Named(
        "two arms, three models",
        lambda: arms(
            "0.5", ("0.9", "0.1"), ("0.5", "0.6"), ("0.1", "0.9"), epsilon="0.1", target=2
        ),
        quick=True,
    ),
    Named(
        "two arms, three models, gap 0.1",
        lambda: arms(
            "0",
            ("0.6", "0.4"),
            ("0.5", "0.51"),
            ("0.4", "0.6"),
            epsilon="0.005",
            n=1_000_000,
            target=1,
        ),
    ),
    Named(
        "wrong models, Δ at the repaired threshold",
        lambda: wrong_arms(
            (("0.81", "0.21"), ("0.19", "0.79")),
            (("0.8", "0.2"), ("0.2", "0.8")),
            epsilon="0.36",
            Delta="0.02",
        ),
        quick=True,
    ),
    Named(
        "wrong models, Δ between the thresholds",
        lambda: wrong_arms(
            (("0.78", "0.22"), ("0.22", "0.78")),
            (("0.8", "0.2"), ("0.2", "0.8")),
            epsilon="0.36",
            Delta="0.05",
        ),
        quick=True,
    ),
    Named("E01: no information below the printed threshold", _index_zero, quick=True),
    Named(
        "E02: errors that Assumption 1 does not see",
        lambda: _of_correctness(correctness.staying()),
        True,
    ),
    Named(
        "E02: the same with errors that Δ covers",
        lambda: _of_correctness(correctness.in_scope()),
        True,
    ),
    Named(WRONG_STD, _wrong_std),
    Named(
        "two states that share rewards, γ = 0.5",
        lambda: switches("0.5", ("0.8", "0.9"), ("0.2", "0.9"), epsilon="0.2"),
        quick=True,
    ),
    Named(
        "two states that share rewards, γ = 0.9",
        lambda: switches("0.9", ("0.8", "0.9"), ("0.2", "0.9"), epsilon="1", target=1),
    ),
    Named(
        "two states, rewards differ too",
        lambda: switches("0.9", ("0.9", "0.9"), ("0.1", "0.5"), epsilon="0.5"),
    ),
    Named("two states, wrong models", _slightly_wrong),
    Named(
        "two states, three models",
        lambda: switches(
            "0.5", ("0.95", "0.9"), ("0.5", "0.6"), ("0.05", "0.9"), epsilon="0.05", target=2
        ),
    ),
    Named(
        "two states, three models that share rewards",
        lambda: switches(
            "0.5", ("0.9", "0.9"), ("0.45", "0.9"), ("0.1", "0.9"), epsilon="0.02", target=1
        ),
    ),
)
