"""Families of tasks that no data can tell apart (errata E26, E27, E34).

An estimator sees observations only. If two families produce the same observations with the same
probabilities, its estimates have one law, and two events that exclude each other cannot both have
a probability of 1-δ' > 1/2 under that law. Nothing here depends on what the estimator does, nor
on the constants of a bound that shrinks with the number of tasks.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from checks import exact
from checks.exact import ExactMDP, Table, Vector, inner
from checks.outcome import Statement, Walk

HALF = Fraction(1, 2)
HORIZON = 3
"""Two hidden Markov models of two tasks each that agree on all sequences of 2 + 2 - 1 observations
agree on all longer ones (Carlyle and Paz)."""


@dataclass(frozen=True)
class Family:
    """Two tasks, each with its law of what one observation shows, and their chain."""

    shows: Table
    T: Table
    initial: Vector


def stationary(shows: Table, stay: Fraction) -> Family:
    """A symmetric chain, which starts in its stationary law."""
    T = ((stay, 1 - stay), (1 - stay, stay))
    return Family(shows, T, (HALF, HALF))


def coins(*ones: Fraction) -> Table:
    """Tasks that show 1 with the given probabilities, else 0."""
    return tuple((1 - p, p) for p in ones)


def law_of_data(family: Family, length: int = HORIZON) -> Vector:
    """The probability of every sequence of that many observations, by the forward recursion."""
    weights: dict[tuple[int, ...], Vector] = {(): family.initial}
    for step in range(length):
        grown: dict[tuple[int, ...], Vector] = {}
        for seen, weight in weights.items():
            now = weight if step == 0 else tuple(inner(row, weight) for row in family.T)
            for shown in range(len(family.shows[0])):
                likely = tuple(law[shown] for law in family.shows)
                grown[*seen, shown] = tuple(w * x for w, x in zip(now, likely, strict=True))
        weights = grown
    return tuple(sum(weight, Fraction(0)) for weight in weights.values())


def difference_of_data(first: Family, second: Family) -> Fraction:
    """Σ over sequences of the difference of their probabilities."""
    pairs = zip(law_of_data(first), law_of_data(second), strict=True)
    return sum((abs(x - y) for x, y in pairs), Fraction(0))


def enough_tasks(rho_1: int, rho_2: int, dimension: int, delta: Fraction, gap: Fraction) -> int:
    """An h at which a bound ρ_2 √(log(x)/h) is below gap/4, and h > ρ_1 log(x), by log(x) < x."""
    x = 6 * dimension / delta
    return int(max(rho_1 * x, 16 * rho_2**2 * x / gap**2)) + 1


def radius_squared(rho_2: int, dimension: int, delta: Fraction, h: int) -> Fraction:
    """Above (ρ_2 √(log(6d/δ')/h))², by log(x) < x."""
    return rho_2**2 * (6 * dimension / delta) / h


@dataclass(frozen=True)
class TwoPoint:
    """Two families, and the least distance of what has to be estimated, in the norm of the claim.

    `dimension` is SA(S+U); ρ_1 and ρ_2 are any constants that the claim may come with.
    """

    first: Family
    second: Family
    gap: Fraction
    dimension: int
    rho_1: int = 1000
    rho_2: int = 1000
    delta: Fraction = Fraction(1, 10)

    @property
    def h(self) -> int:
        """Tasks enough for the claim to exclude one of the families."""
        return enough_tasks(self.rho_1, self.rho_2, self.dimension, self.delta, self.gap)


def indistinct(case: TwoPoint) -> tuple[Statement, ...]:
    """Same data, and balls around the two truths that do not meet."""
    radius = radius_squared(case.rho_2, case.dimension, case.delta, case.h)
    return (
        *(_positive(family) for family in (case.first, case.second)),
        *(_full_rank(family) for family in (case.first, case.second)),
        Statement(
            "difference of the laws of the data",
            difference_of_data(case.first, case.second),
            "=",
            0,
        ),
        Statement(
            "h against ρ_1 · 6d/δ'", case.h, ">", case.rho_1 * 6 * case.dimension / case.delta
        ),
        Statement("(twice the bound)² against the gap", 4 * radius, "<", case.gap**2),
    )


def both_cannot_hold(case: TwoPoint) -> Statement:
    """Two events without a common outcome, each claimed to have probability 1-δ'."""
    return Statement(
        "claimed probability of two events that exclude each other", 2 * (1 - case.delta), "≤", 1
    )


# Lemma 10


def independent_tasks(
    first: Fraction = Fraction(9, 10), second: Fraction = Fraction(7, 10), stay: Fraction = HALF
) -> TwoPoint:
    """{0.9, 0.1} and {0.7, 0.3}, drawn anew every time: every observation is a fair coin.

    One state, one action, two rewards: a task is (p, 1-p; 1), and the columns of the two families
    differ by at least 0.2 in each of two entries, whatever their order.
    """
    return TwoPoint(
        stationary(coins(first, 1 - first), stay),
        stationary(coins(second, 1 - second), stay),
        gap=abs(first - second),
        dimension=3,
    )


def lemma_10_walk(case: TwoPoint) -> Walk:
    """Lemma 10 with the third views that the paper defines, μ_{3,j} = O e_j."""
    return Walk(indistinct(case), both_cannot_hold(case))


# Lemma 14


def relabelled(stay: Fraction = Fraction(9, 10), swap: bool = True) -> TwoPoint:
    """The same two tasks under exchanged names: r_θ differs by 0.8 for each name.

    Two states, one action, Bernoulli rewards; task x pays 0.9 in state 1 and 0.1 in state 2,
    task y the other way round. An observation shows both rewards, and next states, which are
    fair coins in either task and left out here.
    """
    high, low = Fraction(9, 10), Fraction(1, 10)
    x, y = both_rewards(high, low), both_rewards(low, high)
    exchanged = (y, x) if swap else (x, y)
    return TwoPoint(
        stationary((x, y), stay), stationary(exchanged, stay), gap=high - low, dimension=8
    )


def both_rewards(first: Fraction, second: Fraction) -> Vector:
    """The law of two independent Bernoulli rewards."""
    one, other = coins(first, second)
    return tuple(p * q for p in one for q in other)


def task(high_first: bool) -> ExactMDP:
    """Task x or task y of `relabelled`, with γ = 1/2."""
    high, low = Fraction(9, 10), Fraction(1, 10)
    rewards = ((high,), (low,)) if high_first else ((low,), (high,))
    fair = ((HALF, HALF),)
    variance = ((high * low,), (low * high,))
    return ExactMDP(p=(fair, fair), r=rewards, var=variance, gamma=HALF)


def least_variances() -> tuple[Fraction, Fraction]:
    """Of rewards, and of V* of either task under the next state."""
    tasks = (task(True), task(False))
    values = [
        exact.variance(t.p[0][0], exact.optimal_value(other)) for t in tasks for other in tasks
    ]
    return min(min(row) for t in tasks for row in t.var), min(values)


def lemma_14_walk(case: TwoPoint, sigma_bar: Fraction = Fraction(1, 10)) -> Walk:
    """Lemma 14's first line at a large h, without the permutation of Lemma 10.

    Deviations of the truth are above 2σ̄, so those of any estimate within the bounds, which are
    below the smallest gap, stay above σ̄.
    """
    rewards, values = least_variances()
    floors = (
        Statement("least reward variance against (2σ̄)²", rewards, "≥", 4 * sigma_bar**2),
        Statement("least value variance against (2σ̄)²", values, "≥", 4 * sigma_bar**2),
    )
    return Walk((*floors, *indistinct(case)), both_cannot_hold(case))


def _positive(family: Family) -> Statement:
    moved = tuple(inner(row, family.initial) for row in family.T)
    kept = Fraction(int(moved == family.initial)) * min(family.initial)
    return Statement("least stationary weight", kept, ">", 0)


def _full_rank(family: Family) -> Statement:
    return Statement("two different tasks, so O has rank 2", len(set(family.shows)), "=", 2)
