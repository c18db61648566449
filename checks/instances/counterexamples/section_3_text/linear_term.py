"""The linear terms of Definition 1 are not minor (erratum E23).

One state, three arms with deterministic rewards, γ = 0, exact models. The rival pays 0.01 less than
the target at arm 0 and 0.9 more at arm 1. All deviations are 0, so without the linear terms both
arms have infinite information: Theorem 1 would allow 0 queries, and line 18 would take arm 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from ptum.checks.exact.intervals import Real, compared
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.section_3.three_arms import bernoulli_arms
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.counterexamples.shared.deterministic_runs import Algorithm1Inputs
from ptum.checks.instances.counterexamples.shared.shown import tasks
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.transfer.analysis.sample_complexity import FACTOR

DELTA, N_BUDGET = Fraction(1, 10), 100_000
SLOWER = 10
"""Nothing essential changes as long as the queries grow by no more than this factor."""
BOTH = (0, 1)


@dataclass(frozen=True)
class BudgetedArms:
    """Two models of one state, of which number 0 is the target; ε and the budget.

    `linear` keeps the linear terms in the bound.
    """

    models: tuple[ExactMDP, ...]
    epsilon: Fraction = Fraction(1, 5)
    n: int = N_BUDGET
    linear: bool = False

    @property
    def told(self) -> Algorithm1Inputs:
        """What PTUM is given."""
        return Algorithm1Inputs(self.epsilon, DELTA, self.n)


def instance(slow_gap: Fraction = Fraction(1, 100)) -> BudgetedArms:
    """Target (0.5, 0.05, 0), rival (0.5 - gap, 0.95, 0)."""
    zero, half = Fraction(0), Fraction(1, 2)
    target = (half, Fraction(1, 20), zero)
    return BudgetedArms(
        deterministic_runs.arms(zero, target, (half - slow_gap, Fraction(19, 20), zero))
    )


def coins(*rows: tuple[int, ...]) -> BudgetedArms:
    """Coins in place of deterministic rewards; chances of reward 1 in hundredths."""
    means = [[Fraction(mean, 100) for mean in row] for row in rows]
    return BudgetedArms(tuple(bernoulli_arms(row, Fraction(0)) for row in means))


def left_information(arms: BudgetedArms) -> tuple[Fraction | None, ...]:
    """max over ordered pairs of (gap/σ̃^r_θ)² at each arm, Δ = 0; None where it is infinite."""
    return tuple(_left(arms, arm) for arm in range(arms.models[0].A))


def _left(arms: BudgetedArms, arm: int) -> Fraction | None:
    first, second = arms.models
    gap = abs(first.r[0][arm] - second.r[0][arm])
    square = min(theta.var[0][arm] for theta in arms.models)
    if gap == 0:
        return Fraction(0)
    return None if square == 0 else gap**2 / square


def without_linear(arms: BudgetedArms) -> int:
    """Line 18 by the left terms alone: the first arm of infinite information, or of the largest."""
    left = left_information(arms)
    if None in left:
        return left.index(None)
    return max(range(len(left)), key=lambda arm: left[arm] or Fraction(0))


def _premises(arms: BudgetedArms) -> tuple[Statement, ...]:
    """A run with random rewards is not made: it is not one run."""
    stops = deterministic_runs.stopping_models(arms.models, BOTH, arms.told)
    variance = max(max(theta.var[0]) for theta in arms.models)
    queries = deterministic_runs.run(arms.models, arms.told).queries if variance == 0 else 0
    return (
        Statement("largest variance of a reward", variance, "=", 0),
        Statement("policies that stop", len(stops), "=", 0),
        Statement("the run ends within its budget: queries", queries, "<", arms.n),
    )


def bound_evaluation(arms: BudgetedArms) -> Evaluation:
    """128 min{SA,|Θ|} L over the information without linear terms still bounds the queries."""
    premises = _premises(arms)
    L = deterministic_runs.log_term(1, arms.models[0].A, arms.n, 2, DELTA)
    information = max(deterministic_runs.index(arms.models, BOTH, Fraction(0)).values())
    infinite = not arms.linear and None in left_information(arms)
    bound: Real = Fraction(0) if infinite else FACTOR * 2 * L / information
    queries = int(premises[-1].left)
    return Evaluation(
        premises=premises,
        conclusion=Statement("queries against that bound", *compared(queries, "≤", bound)),
    )


def choice_evaluation(arms: BudgetedArms) -> Evaluation:
    """The arm that is chosen without linear terms drops the rival about as fast as the other."""
    _, with_linear = deterministic_runs.query(
        deterministic_runs.index(arms.models, BOTH, Fraction(0))
    )
    without = without_linear(arms)
    needed = [
        deterministic_runs.samples_to_drop(arms.models, 1, (0, arm), arms.told) or arms.n
        for arm in (with_linear, without)
    ]
    return Evaluation(
        premises=_premises(arms),
        conclusion=Statement(
            f"samples of arm {without} against {SLOWER} times those of arm {with_linear}",
            needed[1],
            "≤",
            SLOWER * needed[0],
        ),
    )


def decides_evaluation(arms: BudgetedArms, arm: int) -> Evaluation:
    """Repair: where a gap exceeds both variances, the information is the gap, not (gap/σ)²."""
    first, second = arms.models
    gap = abs(first.r[0][arm] - second.r[0][arm])
    variance = max(theta.var[0][arm] for theta in arms.models)
    return Evaluation(
        premises=(Statement(f"gap at arm {arm} against the variance", gap, ">", variance),),
        conclusion=Statement(
            "information against the linear term",
            deterministic_runs.index(arms.models, BOTH, Fraction(0))[0, arm],
            "=",
            gap,
        ),
    )


def numbers(arms: BudgetedArms) -> Numbers:
    """Both models and what PTUM is given."""
    return (
        *tasks(zip(("the target", "the rival"), arms.models, strict=True)),
        ("γ", 0),
        ("ε", arms.epsilon),
        ("Δ", 0),
        ("δ", DELTA),
        ("budget n", arms.n),
    )


NOISY = coins((50, 40, 0), (40, 60, 0))
"""Gaps of 0.1 and 0.2, where left terms decide."""
QUIET = coins((50, 5, 0), (49, 95, 0))
"""Coins that rarely fail: variances of 0.0475 and below a gap of 0.9."""
DETERMINISTIC, STOPS = "largest variance of a reward", "policies that stop"
ENDS = "the run ends within its budget: queries"
LENIENT, SHORT = replace(instance(), epsilon=Fraction(1)), replace(instance(), n=10)

declare(
    Counterexample(
        checks={
            "text-linear-term-minor.minor/bound": (
                "Certain rewards: without linear terms Theorem 1 allows no query, but some are made"
            ),
        },
        instance=instance(),
        evaluate=bound_evaluation,
        numbers=numbers,
        fix="the linear terms kept",
        fixed=replace(instance(), linear=True),
        broken={
            DETERMINISTIC: NOISY,
            STOPS: LENIENT,
            ENDS: SHORT,
        },
        repaired=partial(decides_evaluation, arm=1),
        in_scope=QUIET,
    )
)
declare(
    Counterexample(
        checks={
            "text-linear-term-minor.minor/choice": (
                "Certain rewards: without linear terms the chosen arm needs about 90 times as long"
            ),
        },
        instance=instance(),
        evaluate=choice_evaluation,
        numbers=numbers,
        fix="a difference of 0.5 at arm 0 in place of 0.01",
        fixed=instance(Fraction(1, 2)),
        broken={
            DETERMINISTIC: NOISY,
            STOPS: LENIENT,
            ENDS: SHORT,
        },
        repaired=partial(decides_evaluation, arm=1),
        in_scope=QUIET,
    )
)
