"""Lemma 15 (erratum E38): the set that is said to contain the current task knows which one it is.

Two tasks, each kept with probability 0.9, the first one uniform; Θ̄_h = {θ*_h}, so δ = 0; T̂ = T.
Either task comes next with probability 1/2, but when θ*_h is the other one the right side of the
lemma is little more than 0.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from checks.exact import Table, Vector, inner
from checks.outcome import Statement, Walk
from reference.spectral_bounds import next_task_bound

HALF = Fraction(1, 2)
S = A = 1
U = 2


@dataclass(frozen=True)
class Instance:
    """The chain, the law of θ*_h, the sets Θ̄_h for each θ*_h, the task θ in question."""

    T: Table
    law: Vector
    sets: tuple[tuple[int, ...], ...]
    theta: int = 0
    rho_T: float = 40.0
    h: int = 10**8
    delta: Fraction = Fraction(0)
    delta_prime: Fraction = Fraction(1, 10)


def sticky(stay: Fraction = Fraction(9, 10), identified: bool = True) -> Instance:
    """Θ̄_h is {θ*_h}, or everything."""
    sets = ((0,), (1,)) if identified else ((0, 1), (0, 1))
    return Instance(((stay, 1 - stay), (1 - stay, stay)), (HALF, HALF), sets)


def right_side(x: Instance, current: int) -> float:
    """What the lemma allows when θ*_h is the given task."""
    bound = next_task_bound(
        [[float(p) for p in row] for row in x.T],
        x.sets[current],
        rho_T=x.rho_T,
        delta=float(x.delta),
        S=S,
        A=A,
        U=U,
        h=x.h,
        delta_prime=float(x.delta_prime),
    )
    return float(bound[x.theta])


def walk(x: Instance) -> Walk:
    """The inequality may fail with probability δ' at most."""
    contained = sum((p for task, p in enumerate(x.law) if task in x.sets[task]), Fraction(0))
    next_is_theta = inner(x.T[x.theta], x.law)
    fails = sum(
        (p for task, p in enumerate(x.law) if next_is_theta > Fraction(right_side(x, task))),
        Fraction(0),
    )
    return Walk(
        premises=(
            Statement("P(θ*_h ∈ Θ̄_h) against 1-δ", contained, "≥", 1 - x.delta),
            *(
                Statement(f"column {j + 1} of T", sum(row[j] for row in x.T), "=", 1)
                for j in range(len(x.T))
            ),
        ),
        conclusion=Statement(
            f"P(the right side is below P(θ*_(h+1) = θ) = {next_is_theta})",
            fails,
            "≤",
            x.delta_prime,
        ),
    )
