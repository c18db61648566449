"""The pair of largest index is not the one that drops a model soonest (erratum E21).

* `silent_arm`: the bandit of E01. Every index is 0, so the first arm is queried; it is the same in
  both models and drops nothing, while the other arms differ by 0.09, more than Δ = 0.012.
* `telling_deviation`: three arms, exact models. The rival pays 0.1 more at arm 0, and at arm 1 it
  tosses a coin where the target always pays 1/2: test (3) sees that after 8 L samples, test (1)
  the difference at arm 0 after 23 L. The index knows of arm 0 alone.

Rewards of the target are deterministic, so there is no chance in either.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ptum.checks.exact.intervals import compared
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.appendix_b import positive_index
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.counterexamples.shared.deterministic_runs import Algorithm1Inputs
from ptum.checks.instances.counterexamples.shared.shown import tasks
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.transfer.analysis.sample_complexity import FACTOR

DELTA, N_BUDGET = Fraction(1, 10), 100_000
BOTH = (0, 1)


@dataclass(frozen=True)
class ActiveArms:
    """Two models with one state, both active, of which number 0 is the target."""

    models: tuple[ExactMDP, ...]
    epsilon: Fraction
    Delta: Fraction

    @property
    def told(self) -> Algorithm1Inputs:
        """What PTUM is given."""
        return Algorithm1Inputs(self.epsilon, DELTA, N_BUDGET, self.Delta)


def silent_arm(error: Fraction = Fraction(12, 1000)) -> ActiveArms:
    """A smaller Δ gives arms 1 and 2 a positive index."""
    bandit = positive_index.bandit()
    return ActiveArms(bandit.models, bandit.epsilon, error)


def telling_deviation(coin: bool = True) -> ActiveArms:
    """Target (0.5, 0.5, 0.55), rival (0.6, 0.5, 0.55), all certain but the rival's arm 1."""
    half, third = Fraction(1, 2), Fraction(55, 100)
    target, rival = deterministic_runs.arms(
        Fraction(0), (half, half, third), (Fraction(3, 5), half, third)
    )
    if coin:
        rival = _with_variance(rival, (Fraction(0), Fraction(1, 4), Fraction(0)))
    return ActiveArms((target, rival), Fraction(1, 25), Fraction(0))


def _with_variance(theta: ExactMDP, variances: tuple[Fraction, ...]) -> ExactMDP:
    return replace(theta, var=(variances,))


def samples_to_drop(arms: ActiveArms, arm: int) -> int:
    """Samples of the arm that drop a model, on the target's rewards; the budget if none falls."""
    counts = (deterministic_runs.samples_to_drop(arms.models, i, (0, arm), arms.told) for i in BOTH)
    return min((count for count in counts if count is not None), default=N_BUDGET)


def evaluation(arms: ActiveArms) -> Evaluation:
    """Line 18 in iteration 1: no arm drops a model with fewer samples than the queried one."""
    target = arms.models[0]
    indices = deterministic_runs.index(arms.models, BOTH, arms.Delta)
    _, queried = deterministic_runs.query(indices)
    needed = [samples_to_drop(arms, arm) for arm in range(target.A)]
    fastest = needed.index(min(needed))
    stops = deterministic_runs.stopping_models(arms.models, BOTH, arms.told)
    return Evaluation(
        premises=(
            deterministic_runs.enters(arms.told, target.gamma),
            Statement("policies that stop", len(stops), "=", 0),
            Statement("largest variance of the target's rewards", max(target.var[0]), "=", 0),
            Statement("some arm drops a model: samples", min(needed), "<", N_BUDGET),
        ),
        conclusion=Statement(
            f"samples of the queried arm {queried} (index {indices[0, queried]}) against arm "
            f"{fastest} (index {indices[0, fastest]})",
            needed[queried],
            "≤",
            needed[fastest],
        ),
    )


def upper_bound_evaluation(arms: ActiveArms) -> Evaluation:
    """Repair: a queried arm of positive index drops a model after at most 128 L over its index."""
    target = arms.models[0]
    indices = deterministic_runs.index(arms.models, BOTH, arms.Delta)
    _, queried = deterministic_runs.query(indices)
    L = deterministic_runs.log_term(1, target.A, N_BUDGET, len(arms.models), DELTA)
    largest = indices[0, queried]
    return Evaluation(
        premises=(*evaluation(arms).premises, Statement("largest index", largest, ">", 0)),
        conclusion=Statement(
            f"samples of the queried arm {queried}, times its index, against 128L",
            *compared(samples_to_drop(arms, queried) * largest, "≤", FACTOR * L),
        ),
    )


def numbers(arms: ActiveArms) -> Numbers:
    """Both models and what PTUM is given."""
    return (
        *tasks(zip(("the target", "the rival"), arms.models, strict=True)),
        ("γ", arms.models[0].gamma),
        ("variances of the rival's rewards", arms.models[1].var[0]),
        ("ε", arms.epsilon),
        ("Δ", arms.Delta),
        ("δ", DELTA),
        ("budget n", N_BUDGET),
    )


def tossed(arms: ActiveArms) -> ActiveArms:
    """The target's rewards become chances of reward 1."""
    target, rival = arms.models
    variances = tuple(r * (1 - r) for r in target.r[0])
    return replace(arms, models=(_with_variance(target, variances), rival))


def copied(arms: ActiveArms) -> ActiveArms:
    """The rival becomes the target again."""
    return replace(arms, models=(arms.models[0],) * 2)


STOPS, DETERMINISTIC = "policies that stop", "largest variance of the target's rewards"
DROPS = "some arm drops a model: samples"
FASTEST = "text-index-shortest-time.fastest"
SILENT, TELLING, SEEING = silent_arm(), telling_deviation(), silent_arm(Fraction(1, 200))

declare(
    Counterexample(
        checks={
            "text-index-shortest-time.fastest/silent-arm": (
                "All indices are 0 and the queried arm never drops a model, while others do"
            ),
        },
        instance=SILENT,
        evaluate=evaluation,
        fix="Δ = 0.005, so that arms 1 and 2 have a positive index",
        fixed=SEEING,
        broken={
            deterministic_runs.ENTERS: silent_arm(Fraction(1, 50)),
            STOPS: replace(SILENT, epsilon=Fraction(2)),
            DETERMINISTIC: tossed(SILENT),
            DROPS: copied(SILENT),
        },
        repaired=upper_bound_evaluation,
        in_scope=SEEING,
        numbers=numbers,
    )
)
declare(
    Counterexample(
        checks={
            "text-index-shortest-time.fastest/telling-deviation": (
                "A positive index at a slow arm, index 0 at an arm whose deviation tells at once"
            ),
        },
        instance=TELLING,
        evaluate=evaluation,
        numbers=numbers,
        fix="1/2 for sure at the rival's arm 1",
        fixed=telling_deviation(coin=False),
        broken={
            deterministic_runs.ENTERS: replace(TELLING, Delta=Fraction(1, 50)),
            STOPS: replace(TELLING, epsilon=Fraction(1, 10)),
            DETERMINISTIC: tossed(TELLING),
            DROPS: copied(TELLING),
        },
        repaired=upper_bound_evaluation,
        in_scope=telling_deviation(coin=False),
    )
)
