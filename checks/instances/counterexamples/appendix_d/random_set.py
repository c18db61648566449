"""Lemma 15 (erratum E38): the set that is said to contain the current task knows which one it is.

Two tasks, each kept with probability 0.9, the first one uniform; Θ̄_h = {θ*_h}, so δ = 0; T̂ = T.
Either task comes next with probability 1/2, but when θ*_h is the other one the right side of the
lemma is little more than 0.1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.intervals import Between, exceeds, log, root
from ptum.checks.exact.mdp import Table, Vector, inner
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.verdicts import formulas, witness
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.arrays import ROUNDING
from ptum.reference.sequential.analysis import spectral_bounds as printed
from ptum.reference.sequential.analysis.level import Level

HALF = Fraction(1, 2)
S = A = 1
U = 2


@dataclass(frozen=True)
class ChainAndSets:
    """The chain, the distribution of θ*_h, the sets Θ̄_h for each θ*_h, the task θ in question."""

    T: Table
    distribution: Vector
    sets: tuple[tuple[int, ...], ...]
    theta: int = 0
    rho_T: Fraction = Fraction(40)
    h: int = 10**8
    delta: Fraction = Fraction(0)
    delta_prime: Fraction = Fraction(1, 10)


def sticky(stay: Fraction = Fraction(9, 10), identified: bool = True) -> ChainAndSets:
    """Θ̄_h is {θ*_h}, or everything."""
    sets = ((0,), (1,)) if identified else ((0, 1), (0, 1))
    return ChainAndSets(((stay, 1 - stay), (1 - stay, stay)), (HALF, HALF), sets)


def right_side(x: ChainAndSets, current: int) -> Between:
    """Σ_{θ'∈Θ̄_h} T̂(θ,θ') + δk + ρ_T k √(log(6SA(S+U)/δ')/h) when θ*_h is the given task."""
    predicted = sum((x.T[x.theta][other] for other in x.sets[current]), Fraction(0))
    k, log_term = len(x.T), log(6 * S * A * (S + U) / x.delta_prime)
    bound = x.rho_T * k * root(log_term / x.h) + predicted + x.delta * k
    level = Level(S=S, A=A, U=U, h=x.h, delta_prime=float(x.delta_prime))
    literal = printed.next_task_bound(
        exact.as_floats(x.T), x.sets[current], level, rho_T=float(x.rho_T), delta=float(x.delta)
    )
    off = 16 * ROUNDING * (1 + float(bound))  # a dozen operations
    witness.same_numbers("Lemma 15", float(literal[x.theta]), float(bound), off)
    return bound


def evaluation(x: ChainAndSets) -> Evaluation:
    """The inequality may fail with probability δ' at most."""
    next_is_theta = inner(x.T[x.theta], x.distribution)
    failing = [exceeds(next_is_theta, right_side(x, task)) for task in range(len(x.distribution))]
    fails = sum((p for p, bad in zip(x.distribution, failing, strict=True) if bad), Fraction(0))
    return Evaluation(
        premises=(
            Statement("P(θ*_h ∈ Θ̄_h) against 1-δ", _contained(x), "≥", 1 - x.delta),
            _columns_are_distributions(x),
        ),
        conclusion=Statement(
            f"P(the right side is below P(θ*_(h+1) = θ) = {next_is_theta})",
            fails,
            "≤",
            x.delta_prime,
            formulas.APPENDIX_D + "LEMMA_15",
            (
                *(("S", S), ("A", A), ("U", U), ("k", len(x.T)), ("h", x.h)),
                *(("delta", x.delta), ("delta_prime", x.delta_prime), ("rho_T", x.rho_T)),
            ),
        ),
    )


def given_the_history(x: ChainAndSets) -> Evaluation:
    """Repaired, with T̂ = T: P(θ*_(h+1) = θ | θ*_h) = T(θ,θ*_h) ≤ max over Θ̄_h of T̂(θ,·).

    The largest excess over all θ*_h must not be positive.
    """
    row = x.T[x.theta]
    excess = max(
        row[current] - max(row[other] for other in x.sets[current]) for current in range(len(x.T))
    )
    return Evaluation(
        premises=(
            Statement("P(θ*_h ∈ Θ̄_h)", _contained(x), "=", 1),
            _columns_are_distributions(x),
        ),
        conclusion=Statement("largest excess over the right side, given θ*_h", excess, "≤", 0),
    )


def _contained(x: ChainAndSets) -> Fraction:
    return sum((p for task, p in enumerate(x.distribution) if task in x.sets[task]), Fraction(0))


def _columns_are_distributions(x: ChainAndSets) -> Statement:
    sums = (sum((row[j] for row in x.T), Fraction(0)) for j in range(len(x.T)))
    return Statement(
        "largest error of the sum of a column of T", max(abs(s - 1) for s in sums), "=", 0
    )


def _numbers(x: ChainAndSets) -> Numbers:
    return (
        ("T = T̂", x.T),
        ("law of θ*_h", x.distribution),
        ("Θ̄_h for either θ*_h", x.sets),
        ("θ", x.theta),
        ("S, A, U, h", (S, A, U, x.h)),
        ("ρ_T, δ, δ'", (x.rho_T, x.delta, x.delta_prime)),
    )


declare(
    Counterexample(
        checks={
            "lemma-15.bound/sticky-tasks": "Two sticky tasks, the current one identified",
        },
        instance=sticky(),
        evaluate=evaluation,
        fix="tasks are kept with probability 1/2, so that θ*_h says nothing about the next one",
        fixed=sticky(stay=HALF),
        broken={
            "P(θ*_h ∈ Θ̄_h) against 1-δ": replace(sticky(), sets=((1,), (0,))),
            "largest error of the sum of a column of T": replace(
                sticky(), T=((HALF, HALF), (HALF, 1 - HALF / 2))
            ),
        },
        repaired=given_the_history,
        in_scope=sticky(Fraction(3, 4), identified=False),
        numbers=_numbers,
    )
)
