"""Section 3.2: which power of 1/(1-γ) the accuracy part of Corollary 1 needs.

PTUM goes on at Δ = 0 as long as no model's policy loses at most ε in every active model, and it
asks the pair with the largest index. So the power is decided by how small the largest index of
models can be that do not agree on a policy: with 1/(1-γ)³ in place of the proved 1/(1-γ)⁴ it must
be at least (1-γ)³ε²/125, which makes 128/I_t at most 16000/((1-γ)³ε²).

Theorem 1 counts with less than the index, namely with I(θ*,θ) alone, where the fourth power is
needed: in `staying` the target leaves a state for a lottery whose deviation is the largest there
is, and the model stays in this state, so that it meets the lottery's gap at every step.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.terms import Situation, min_max
from ptum.checks.instances.families import rational
from ptum.checks.verdicts import formulas, reparametrise
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import Climb, search
from ptum.reference.arrays import Floats
from ptum.spec.vocabulary import CheckKind

DISCOUNTS = (Fraction(9, 10), Fraction(99, 100), Fraction(999, 1000))
"""Where (1-γ)³/125 asks for more than the proved (1-γ)⁴/16: above 1 - 16/125."""
CONSTANT = 125
HALF = Fraction(1, 2)
LEAST = Fraction(2, 3)
"""The least discount of `staying`: (1+2γ·gap)/γ ≤ 2 for gaps up to 1/4."""


@stored
@dataclass(frozen=True)
class Rivals:
    """Two exact models, over the same states and actions."""

    first: ExactMDP
    second: ExactMDP

    @property
    def models(self) -> tuple[ExactMDP, ExactMDP]:
        """Both, in order."""
        return self.first, self.second


def staying(gap: Fraction, gamma: Fraction) -> Rivals:
    """States x, G (pays 1 for ever) and B (pays nothing); x pays 1/2, and 1/(2(1-γ)) is its value.

    In the target both actions of x lead to G or B with equal probability. In the model they stay in
    x, but for a probability to fall into B (action 0) or to rise to G (action 1) that moves the
    mean of the target's values by `gap`, down or up.
    """
    leaves = 2 * (1 - gamma) * gap
    zero, one = Fraction(0), Fraction(1)
    G, B = (zero, one, zero), (zero, zero, one)
    lottery = (zero, HALF, HALF)
    down, up = (1 - leaves, zero, leaves), (1 - leaves, leaves, zero)
    r = ((HALF, HALF), (one, one), (zero, zero))
    target = mdp.deterministic(((lottery, lottery), (G, G), (B, B)), r, gamma)
    model = mdp.deterministic(((down, up), (G, G), (B, B)), r, gamma)
    return Rivals(target, model)


@st.composite
def lotteries(draw: DrawFn) -> Rivals:
    """`staying` with gaps small enough for the squared term of the information."""
    gamma = draw(st.sampled_from((LEAST, *DISCOUNTS)))
    return staying(Fraction(draw(st.integers(1, 100)), 400), gamma)


@st.composite
def rivals(draw: DrawFn) -> Rivals:
    """A task in which both actions are the same, moved a little towards another one.

    The rival is moved towards the same one with its two actions exchanged, so that what is best in
    one is worst in the other. Noisy rewards hide a difference best.
    """
    gamma, S = draw(st.sampled_from(DISCOUNTS)), draw(st.integers(1, 3))
    plain, other = draw(rational.tasks(S, 1, gamma)), draw(rational.tasks(S, 2, gamma))
    base = replace(other, p=tuple(2 * rows for rows in plain.p), r=tuple(2 * r for r in plain.r))
    weight = draw(st.sampled_from((Fraction(1), Fraction(1, 10), Fraction(1, 1000))))
    share = draw(st.sampled_from((Fraction(1), HALF, Fraction(0))))
    first, second = (
        mdp.with_variance(mdp.mixture(base, moved, weight), share)
        for moved in (other, exchanged(other))
    )
    return Rivals(first, second)


def wearing_out(rate: Fraction, share: Fraction, gamma: Fraction) -> Rivals:
    """A state that pays 1 until it ends, with probability `rate`·(1-γ) per step, and pays no more.

    One action ends it by a `share` later, the other by as much earlier, and the rival has them
    exchanged: the hard case of Azar et al. (2013), in which all variance there is helps to hide.
    """
    ends, moved = rate * (1 - gamma), share * rate * (1 - gamma)
    zero, one = Fraction(0), Fraction(1)
    late, early = ((1 - ends + x, ends - x) for x in (moved, -moved))
    over = (zero, one)
    r = ((one, one), (zero, zero))
    task = mdp.deterministic(((late, early), (over, over)), r, gamma)
    return Rivals(task, exchanged(task))


def detour(better: Fraction, gamma: Fraction) -> Rivals:
    """Leaving state 0 is hardly better than staying, and in the rival there is no way out.

    State 1 pays 1 for ever. State 0 pays nothing to who leaves it and little less than γ to who
    stays, so that both are worth nearly the same. The rival is the same with the states exchanged
    and without the way: what is best in one earns nothing in the other, for ever, although no gap
    is more than 1-γ in rewards or 1 in values.
    """
    zero, one = Fraction(0), Fraction(1)
    here, there = (one, zero), (zero, one)
    stays = gamma - better * (1 - gamma)
    first = mdp.deterministic(((here, there), (there, there)), ((stays, zero), (zero, one)), gamma)
    second = mdp.deterministic(((here, here), (here, there)), ((one, zero), (zero, stays)), gamma)
    return Rivals(first, second)


@st.composite
def hard_cases(draw: DrawFn) -> Rivals:
    """Rates around 1, where the end is as far away as the discount makes it, and detours."""
    gamma = draw(st.sampled_from(DISCOUNTS))
    small = draw(st.sampled_from((Fraction(1, 10), Fraction(1, 1000))))
    if draw(st.booleans()):
        return detour(small, gamma)
    return wearing_out(Fraction(draw(st.integers(1, 16)), 4), small, gamma)


def exchanged(task: ExactMDP) -> ExactMDP:
    """The task with the order of its actions turned round."""
    return replace(task, p=tuple(rows[::-1] for rows in task.p), r=tuple(r[::-1] for r in task.r))


def third_power_evaluation(pair: Rivals) -> Evaluation:
    """The largest index of two models that block each other at every smaller accuracy ε."""
    gamma, epsilon = pair.first.gamma, mdp.smallest_worst_loss(pair.models)
    return Evaluation(
        (Statement("ε, up to which neither policy serves both models", epsilon, ">", 0),),
        Statement(
            f"{CONSTANT} times the largest index against (1-γ)³ε²",
            CONSTANT * mdp.largest_index(pair.models, Fraction(0)),
            "≥",
            (1 - gamma) ** 3 * epsilon**2,
        ),
    )


def rivals_vector(pair: Rivals) -> Floats:
    """Coordinates of all transitions and rewards of both models."""
    return reparametrise.tasks_vector(pair.models)


def rivals_at(vector: Floats, start: Rivals) -> Rivals:
    """The models at these coordinates; rewards have all the noise they can."""
    first, second = reparametrise.two_tasks_at(vector, start.first)
    return Rivals(mdp.with_variance(first, Fraction(1)), mdp.with_variance(second, Fraction(1)))


@check("text-discount-dependence.reachable/rival-models", CheckKind.EXACT)
def third_power(context: Context) -> Outcome:
    """Two models that block each other at ε have an index of at least (1-γ)³ε²/125."""
    climb = Climb(rivals_vector, rivals_at)
    drawn = st.one_of(rivals(), hard_cases())
    return search(context, drawn, third_power_evaluation, (8, 200, 10_000), climb=climb)


def fourth_power_evaluation(pair: Rivals) -> Evaluation:
    """Theorem 1's denominator where the target's policy loses ε in the model: 4(1-γ)⁴ε² at most.

    The loss is 2γ·gap/((1-γ)(1+2γ·gap)) and the information 4(1-γ)²gap².
    """
    gamma, epsilon = pair.first.gamma, mdp.loss(pair.second, mdp.optimal_policy(pair.first))
    situation = Situation(pair.models, epsilon)
    return Evaluation(
        (Statement("ε, what the target's policy loses in the model", epsilon, ">", 0),),
        Statement(
            "max over pairs of I(θ*,θ) against 4(1-γ)⁴ε²",
            min_max(situation, (1,)),
            "≤",
            4 * (1 - gamma) ** 4 * epsilon**2,
            formulas.TRANSFER + "COROLLARY_1_REPAIRED",
            (
                *(("S", pair.first.S), ("A", pair.first.A), ("k", len(pair.models))),
                *(("gamma", gamma), ("epsilon", epsilon)),
            ),
        ),
    )


@check("text-discount-dependence.reachable/repaired-fourth-power", CheckKind.EXACT)
def fourth_power(context: Context) -> Outcome:
    """Theorem 1's own denominator can be as small as 4(1-γ)⁴ε², also near γ = 1.

    The lottery and the model that stays, at drawn gaps and discounts.
    """
    return search(context, lotteries(), fourth_power_evaluation, (15, 100, 2000))
