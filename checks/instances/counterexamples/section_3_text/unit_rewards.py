"""Rewards in [0,1] "without loss of generality" where 𝒰 = ℝ is offered (erratum E23).

* `Doublings`: a reward that is at least k with probability 2^-k. Its mean is 1 and its variance 2,
  and every interval [l,h] leaves out a probability of at least 2^-(⌊h⌋+1).
* `squashed`: the increasing map u/(1+u) does bring all rewards into [0,1), and turns the order of
  two arms round.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, floor

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.outcome import Evaluation, Statement

LOWS = (Fraction(0), Fraction(-1), Fraction(-1000))
HIGHS = (Fraction(1), Fraction(10), Fraction(41, 2), Fraction(50))


@dataclass(frozen=True)
class Doublings:
    """min{G, cut} for a geometric G with P(G ≥ k) = ratio^k; without a cut it is unbounded."""

    cut: int | None = None
    ratio: Fraction = Fraction(1, 2)

    def at_least(self, k: int) -> Fraction:
        """P(U ≥ k)."""
        if self.cut is not None and k > self.cut:
            return Fraction(0)
        return self.ratio ** max(k, 0)

    def outside(self, low: Fraction, high: Fraction) -> Fraction:
        """P(U < low) + P(U > high)."""
        return 1 - self.at_least(ceil(low)) + self.at_least(floor(high) + 1)


def affine_evaluation(distribution: Doublings) -> Evaluation:
    """Some affine map of a list brings the reward into [0,1]: u → (u-l)/(h-l)."""
    best = min(distribution.outside(low, high) for low, high in product(LOWS, HIGHS))
    return Evaluation(
        premises=(
            Statement("P(U ≥ 1), for the mean to be finite", distribution.at_least(1), "<", 1),
        ),
        conclusion=Statement(
            f"least probability of leaving [0,1] over {len(LOWS) * len(HIGHS)} maps", best, "=", 0
        ),
    )


@dataclass(frozen=True)
class Gamble:
    """One state, two arms: a sure reward, or a prize with some probability, else nothing."""

    sure: Fraction = Fraction(1)
    prize: Fraction = Fraction(3)
    chance: Fraction = Fraction(2, 5)


def squashed(u: Fraction) -> Fraction:
    """u/(1+u): increasing from [0,∞) into [0,1)."""
    return u / (1 + u)


def squashing_evaluation(gamble: Gamble) -> Evaluation:
    """The arm that is better in the given rewards is better in the squashed ones."""
    return Evaluation(
        premises=(
            Statement("smallest reward", min(gamble.sure, gamble.prize), "≥", 0),
            Statement(
                "mean of the gamble against the sure arm",
                gamble.chance * gamble.prize,
                ">",
                gamble.sure,
            ),
        ),
        conclusion=Statement(
            "the same after squashing",
            gamble.chance * squashed(gamble.prize),
            ">",
            squashed(gamble.sure),
        ),
    )


# Known bounds


@stored
@dataclass(frozen=True)
class Scaled:
    """A task whose rewards lie between the known bounds, and an accuracy in its own units."""

    task: ExactMDP
    low: Fraction
    high: Fraction
    epsilon: Fraction

    @property
    def unit(self) -> Fraction:
        """h - l."""
        return self.high - self.low


def rescaled(case: Scaled) -> ExactMDP:
    """U becomes (U-l)/(h-l)."""
    theta = case.task
    r = tuple(tuple((x - case.low) / case.unit for x in row) for row in theta.r)
    var = tuple(tuple(x / case.unit**2 for x in row) for row in theta.var)
    return ExactMDP(p=theta.p, r=r, var=var, gamma=theta.gamma)


def policies(theta: ExactMDP) -> tuple[tuple[int, ...], ...]:
    """All A^S deterministic policies."""
    return tuple(product(range(theta.A), repeat=theta.S))


def affine_values_evaluation(case: Scaled) -> Evaluation:
    """V becomes (V - l/(1-γ))/(h-l) for every policy, and rewards lie in [0,1]."""
    small = rescaled(case)
    shift = case.low / (1 - small.gamma)
    wrong = sum(
        v != shift + case.unit * w
        for pi in policies(small)
        for v, w in zip(mdp.policy_value(case.task, pi), mdp.policy_value(small, pi), strict=True)
    )
    return Evaluation(
        premises=_bounds(case),
        conclusion=Statement(
            "rewards outside [0,1] and values that are not the affine image",
            wrong + sum(not 0 <= x <= 1 for row in small.r for x in row),
            "=",
            0,
        ),
    )


def same_good_policies_evaluation(case: Scaled) -> Evaluation:
    """π is ε-optimal in the task exactly when it is ε/(h-l)-optimal in the rescaled one."""
    small = rescaled(case)
    changed = sum(
        (mdp.loss(case.task, pi) <= case.epsilon)
        != (mdp.loss(small, pi) <= case.epsilon / case.unit)
        for pi in policies(small)
    )
    return Evaluation(
        premises=_bounds(case),
        conclusion=Statement("policies that are good in one and not in the other", changed, "=", 0),
    )


def _bounds(case: Scaled) -> tuple[Statement, ...]:
    rewards = [x for row in case.task.r for x in row]
    return (
        Statement("smallest reward against l", min(rewards), "≥", case.low),
        Statement("largest reward against h", max(rewards), "≤", case.high),
        Statement("l against h", case.low, "<", case.high),
    )


def bounded_evaluation(distribution: Doublings, high: int = 30) -> Evaluation:
    """Repaired: with a known bound h the map u/h brings the reward into [0,1]."""
    return Evaluation(
        premises=(
            Statement("P(U > h) for the known bound h", distribution.at_least(high + 1), "=", 0),
        ),
        conclusion=Statement(
            "P(U/h outside [0,1])", distribution.outside(Fraction(0), Fraction(high)), "=", 0
        ),
    )


def rescaled_evaluation(gamble: Gamble) -> Evaluation:
    """Repaired: u/h for the largest reward h keeps the order of the arms."""
    high = max(gamble.sure, gamble.prize)
    told = squashing_evaluation(gamble)
    return Evaluation(
        told.premises,
        Statement(
            "the same after division by the largest reward",
            gamble.chance * gamble.prize / high,
            ">",
            gamble.sure / high,
        ),
    )


def _doublings_numbers(distribution: Doublings) -> Numbers:
    cut = () if distribution.cut is None else (("largest reward, a known bound", distribution.cut),)
    return (
        ("P(U ≥ k), k = 0, 1, 2, … up to the largest reward", f"({distribution.ratio})^k"),
        *cut,
        ("maps u → (u-l)/(h-l) with l in", LOWS),
        ("and h in", HIGHS),
    )


def _gamble_numbers(gamble: Gamble) -> Numbers:
    return (
        ("reward of the sure arm", gamble.sure),
        ("prize of the other, else 0", gamble.prize),
        ("its chance", gamble.chance),
        ("map", f"u/(1+u); repaired u/{max(gamble.sure, gamble.prize)}, the largest reward"),
    )


SMALLER = Gamble(sure=Fraction(1, 2), prize=Fraction(2))


declare(
    Counterexample(
        checks={
            "text-rewards-in-unit-interval.generality/unbounded": (
                "A reward of mean 1 that no affine map brings into [0,1]"
            ),
        },
        instance=Doublings(),
        evaluate=affine_evaluation,
        numbers=_doublings_numbers,
        fix="rewards are cut at 30",
        fixed=Doublings(cut=30),
        broken={
            "P(U ≥ 1), for the mean to be finite": Doublings(ratio=Fraction(1)),
        },
        repaired=bounded_evaluation,
        in_scope=Doublings(cut=30),
    )
)
declare(
    Counterexample(
        checks={
            "text-rewards-in-unit-interval.generality/squashed": (
                "An increasing map into [0,1) that turns the order of two arms round"
            ),
        },
        instance=Gamble(),
        evaluate=squashing_evaluation,
        numbers=_gamble_numbers,
        fix="the prize is won with probability 9/10 in place of 2/5",
        fixed=Gamble(chance=Fraction(9, 10)),
        broken={
            "smallest reward": Gamble(sure=Fraction(-1, 2)),
            "mean of the gamble against the sure arm": Gamble(chance=Fraction(1, 4)),
        },
        repaired=rescaled_evaluation,
        in_scope=SMALLER,
    )
)
