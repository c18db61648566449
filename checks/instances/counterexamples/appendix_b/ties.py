"""The queried pair within a phase, when ties may be broken in any way (erratum E10).

One state, three arms; the target pays (1,0,0) and the rival (0,1,1), so all arms are tied. The
rule "least sampled first" is as good an argmax as any other and changes the arm in every iteration.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import written
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared import deterministic_runs, shown
from ptum.checks.instances.families.named import exactly_known
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.arrays import Floats, Ints
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.confidence import confidence_set, widths
from ptum.reference.transfer.empirical import Data, empirical_model, empty_data
from ptum.reference.transfer.information import index, query
from ptum.reference.transfer.stopping import stopping_models

EPSILON, DELTA, BUDGET = 0.5, 0.1, 1000
ONE, NEARLY_ONE = Fraction(1), Fraction(9, 10)

Choice = Callable[[Floats, Ints], tuple[int, int]]
"""Line 18: from the index and the counts to a pair."""


def arms(rival_second: Fraction = ONE) -> tuple[ExactMDP, ...]:
    """γ = 0, deterministic rewards; a smaller second arm of the rival unties the arms."""
    zero = Fraction(0)
    return deterministic_runs.arms(zero, (ONE, zero, zero), (zero, rival_second, rival_second))


def tied_arms(rival_second: Fraction = ONE) -> TaskSet:
    """The same for the literal code."""
    return exactly_known("tied arms", tuple(map(mdp.rounded, arms(rival_second))))


def least_sampled(I_t: Floats, N: Ints) -> tuple[int, int]:
    """A largest index, and among those the pair with the fewest samples."""
    s, a = min(np.argwhere(I_t == I_t.max()).tolist(), key=lambda pair: int(N[tuple(pair)]))
    return s, a


def first_of_tied(I_t: Floats, N: Ints) -> tuple[int, int]:
    """The repair: a fixed order of the pairs."""
    del N  # the counts change within a phase
    return query(I_t)


def round_robin(I_t: Floats, N: Ints) -> tuple[int, int]:
    """The pair with the fewest samples, whatever its index: not a rule for ties at all."""
    return least_sampled(np.zeros_like(I_t), N)


def evaluation(task_set: TaskSet, choose: Choice, apart: int = 1) -> Evaluation:
    """Two passes of Algorithm 1 with a rule for ties: equal active sets imply equal pairs.

    The passes are the first and one that comes so many iterations later.
    """
    models = task_set.approximate
    simulator, data = Simulator(task_set.true[0], seed=0), empty_data(models.S, models.A)
    passes = []
    for _ in range(1 + apart):
        active, N = _active(data, models)
        stops = stopping_models(active, models, EPSILON, 0.0)
        I_t = index(active, models, 0.0)
        pair = choose(I_t, N)
        passes.append((active, pair, I_t[pair] == I_t.max(), stops))
        data.store(*pair, *simulator.sample(*pair))
    both = passes[0], passes[-1]
    (first_active, first, _, _), (second_active, second, _, _) = both
    A = models.A
    return Evaluation(
        premises=(
            Statement("neither pass stops", any(p[3] for p in both), "=", False),
            Statement("equal active sets", first_active == second_active, "=", True),
            Statement("both pairs have the largest index", all(p[2] for p in both), "=", True),
        ),
        conclusion=Statement(
            "number of the pair in the one iteration and in the other",
            first[0] * A + first[1],
            "=",
            second[0] * A + second[1],
        ),
    )


def _active(data: Data, models: ApproximateModels) -> tuple[tuple[int, ...], Ints]:
    hat = empirical_model(data, models.V_star)
    C = widths(hat, single(0.0), models.gamma, BUDGET, models.k, DELTA)
    active, _ = confidence_set(tuple(range(models.k)), hat, C, models)
    return active, hat.N


@dataclass(frozen=True)
class TwoPasses:
    """What the rival pays at arms 1 and 2, the rule for ties, and how far the passes are apart."""

    rival_second: Fraction = ONE
    choose: Choice = least_sampled
    apart: int = 1


def evaluated(passes: TwoPasses) -> Evaluation:
    """The claim about two passes."""
    return evaluation(tied_arms(passes.rival_second), passes.choose, passes.apart)


def in_a_fixed_order(passes: TwoPasses) -> Evaluation:
    """The same with the repaired rule."""
    return evaluated(replace(passes, choose=first_of_tied))


RULES: dict[Choice, str] = {
    least_sampled: "the one with the fewest samples",
    first_of_tied: "the first",
}


def _numbers(passes: TwoPasses) -> Numbers:
    named = zip(("the target", "the rival"), arms(passes.rival_second), strict=True)
    return (
        ("γ", Fraction(0)),
        ("ε, δ, Δ, n", (written(EPSILON), written(DELTA), 0, BUDGET)),
        *shown.tasks(named),
        ("rule", f"of the arms with the largest index, {RULES[passes.choose]}"),
        ("passes", (1, 1 + passes.apart)),
    )


declare(
    Counterexample(
        checks={
            "text-pair-constant-in-phase.constant/least-sampled": (
                "Tied arms and the rule 'least sampled first': the arm changes in pass 2"
            ),
        },
        instance=TwoPasses(),
        evaluate=evaluated,
        numbers=_numbers,
        fix="the rival pays 0.9 at arms 1 and 2, so that arm 0 alone has the largest index",
        fixed=TwoPasses(NEARLY_ONE),
        broken={
            "neither pass stops": TwoPasses(Fraction(1, 10)),
            "equal active sets": TwoPasses(apart=200),
            "both pairs have the largest index": TwoPasses(NEARLY_ONE, round_robin),
        },
        repaired=in_a_fixed_order,
        in_scope=TwoPasses(NEARLY_ONE, first_of_tied, apart=20),
    )
)
