"""Theorem 3's rule: with its own constants it cannot fire (errata E36-E38, E58)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from checks import exact_hmm as exact
from checks.counterexamples.adaptive_samples import readable
from checks.exact_hmm import Matrix, Vector
from checks.families.hmms import cycle
from checks.outcome import Statement, Walk
from reference.arrays import Floats
from reference.repaired.sequential_bounds import theorem_3_eliminates as repaired_rule
from reference.sequential_bounds import theorem_3_eliminates, theorem_3_eta

LEAST_RHO = 8 * math.sqrt(2) * (1 + math.sqrt(5))
"""ρ_T = 8SA√k(1+√5)ρ_4/σ_k(O)² ≥ 8√k(1+√5), k ≥ 2.

A column of O has length at most √(2SA), so σ_k(O)² ≤ 2SA; and ρ_4 ≥ 4SA/λ(Σ_31) ≥ 2.
"""


@dataclass(frozen=True)
class Step:
    """One use of the rule: T̂_h, Θ̄_h and the numbers of Theorem 3."""

    T_hat: Floats
    theta_bar: tuple[int, ...]
    h: int
    m: int
    d: int
    delta: float
    delta_prime: float
    rho_T: float

    @property
    def k(self) -> int:
        """Number of tasks."""
        return len(self.T_hat)


def premises(step: Step) -> tuple[Statement, ...]:
    """What Theorem 3 and its constants ask for."""
    return (
        Statement("tasks", step.k, "≥", 2),
        Statement("least entry of T̂_h", float(step.T_hat.min()), "≥", 0),
        Statement("h against m", step.h, "≤", step.m),
        Statement("δ against δ'/(3m²)", step.delta, "≤", step.delta_prime / (3 * step.m**2)),
        Statement("ρ_T against the least constant of Lemma 12", step.rho_T, "≥", LEAST_RHO),
    )


def dropped(step: Step) -> int:
    """How many tasks the literal rule drops."""
    return int(
        np.sum(
            theorem_3_eliminates(
                step.T_hat,
                step.theta_bar,
                h=step.h,
                m=step.m,
                k=step.k,
                d=step.d,
                delta=step.delta,
                delta_prime=step.delta_prime,
                rho_T=step.rho_T,
            )
        )
    )


def never_fires(step: Step) -> Walk:
    """Nothing is dropped, so the true task is not dropped either."""
    return Walk(premises(step), Statement("tasks dropped", dropped(step), "=", 0))


def sparse(rho_T: float = LEAST_RHO, h: int = 400) -> Step:
    """Eight tasks, each followed by the next for sure; current task and T known."""
    m = 400
    return Step(exact.as_floats(cycle(8)), (0,), h, m, 3700, 1e-9, 0.1, rho_T)


def discards(step: Step) -> Walk:
    """With a sparse T the rule discards something."""
    zero = int(np.sum(step.T_hat[:, list(step.theta_bar)].sum(axis=1) == 0))
    return Walk(
        (*premises(step), Statement("tasks that cannot follow", zero, "≥", 1)),
        Statement("tasks dropped", dropped(step), "≥", 1),
    )


def per_step_discards(T: Matrix, eta: float = 0.03, e_T: float = 0.0) -> Walk:
    """The per-step rule keeps one of the eight tasks; the mass it drops is at most η."""
    out = repaired_rule(exact.as_floats(T), (0,), e_T=e_T, eta=eta)
    mass = float(exact.as_floats(T)[out, 0].sum())
    return Walk(
        (Statement("mass of the dropped tasks", mass, "≤", eta),),
        Statement("tasks dropped", int(out.sum()), "=", len(T) - 1),
    )


def keeps_its_promise(
    T: Floats, T_hat: Floats, theta_bar: tuple[int, ...], true: int, eta: float
) -> Walk:
    """P(θ*_{h+1} ∈ E_h | θ*_h) ≤ η when the columns of T̂_h are within e^T_h and θ*_h ∈ Θ̄_h."""
    e_T = float(np.linalg.norm(T - T_hat, axis=0).max())
    out = repaired_rule(T_hat, theta_bar, e_T=e_T, eta=eta)
    return Walk(
        (Statement("the current task is in Θ̄_h", true in theta_bar, "=", True),),
        # sums of at most k probabilities, each rounded once
        Statement("chance of the dropped tasks", float(T[out, true].sum()), "≤", eta + 1e-12),
    )


def is_probability(T: Matrix, theta_bar: tuple[int, ...]) -> Walk:
    """Σ_{θ'∈Θ̄_h} T(θ,θ') is the probability of a next task, so at most 1."""
    most = max(sum((row[j] for j in theta_bar), Fraction(0)) for row in T)
    columns = max(abs(sum(column, Fraction(0)) - 1) for column in exact.transpose(T))
    return Walk(
        (Statement("columns of T are laws, off by", columns, "=", 0),),
        Statement("largest predicted probability", most, "≤", 1),
    )


def meeting_point() -> Matrix:
    """Tasks 1 and 2 are both followed by task 3 for sure, task 3 by either."""
    return exact.matrix(((0, 0, "1/2"), (0, 0, "1/2"), (1, 1, 0)))


def bounds_probability(T: Matrix, theta_bar: tuple[int, ...], true: int) -> Walk:
    """T(θ,θ*_h) ≤ max over Θ̄_h ≤ sum over Θ̄_h, for every θ."""
    excess = max(
        max(row[true] - max(row[j] for j in theta_bar), _spread(row, theta_bar)) for row in T
    )
    return Walk(
        (Statement("the current task is in Θ̄_h", true in theta_bar, "=", True),),
        Statement("largest excess over a bound", excess, "≤", 0),
    )


def _spread(row: Vector, theta_bar: tuple[int, ...]) -> Fraction:
    chosen = [row[j] for j in theta_bar]
    return max(chosen) - sum(chosen, Fraction(0))


def power_against(visits: int, delta_prime: Fraction, dropped_share: Fraction) -> Walk:
    """A rule may drop a task that cannot follow, and still miss with probability at most δ'.

    Under T_0 the task never follows and the rule drops it at the first `dropped_share` of the
    visits. Under a chain in which it follows with chance 1/visits the data before its first
    occurrence have the same law but for the factors 1-1/visits, so the rule behaves alike and
    misses if that occurrence is at one of these visits.
    """
    chance, often = Fraction(1, visits), int(dropped_share * visits)
    miss = 1 - (1 - chance) ** often
    return Walk(
        (Statement("visits at which the task is dropped under T_0", often, "≥", 1),),
        Statement("chance of a miss if it follows rarely", readable(miss), "≤", delta_prime),
    )


def for_ever(steps: int, rho_T: float = LEAST_RHO) -> Walk:
    """The rule for m tasks, used on: T̂ = T, Θ̄_h = {θ*_h}, δ as small as one likes, h ≥ h_0.

    k = 2, and each task is followed by the other with chance η/2, below the threshold. From the
    h_0 on at which the last term is below η/4 the other task is dropped before every step.
    """
    k, m, d, delta_prime = 2, 3, 8, 0.1
    eta = theorem_3_eta(k=k, m=m, delta_prime=delta_prime)
    log_term = math.log(9 * k * d * m**2 / delta_prime)
    h_0 = math.ceil((4 * rho_T * k / eta) ** 2 * log_term)
    T = np.array([[1 - eta / 2, eta / 2], [eta / 2, 1 - eta / 2]])
    out = theorem_3_eliminates(
        T,
        (0,),
        h=h_0 + 1,
        m=m,
        k=k,
        d=d,
        delta=min(eta / (8 * k), delta_prime / (3 * m**2)),
        delta_prime=delta_prime,
        rho_T=rho_T,
    )
    return Walk(
        (
            Statement("h against m", h_0, ">", m),
            Statement("the other task is dropped", bool(out[1]), "=", True),
            Statement("the current task is kept", bool(out[0]), "=", False),
        ),
        Statement(
            f"chance of a miss in {steps} further tasks",
            1 - (1 - eta / 2) ** steps,
            "≤",
            delta_prime,
        ),
    )
