"""Statements of Appendix E about its own parameters that the parameters contradict.

Errata E48, E49, E51, E52, E54 and E57: arithmetic, with the numbers as printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from checks.outcome import Statement, Walk
from reference.domains.objectworld import FIGURE_4, FIGURE_5_LEFT, VALUES, TaskList
from reference.hmm import dimension
from reference.sequential_bounds import theorem_2_bound, theorem_3_eta, theorem_3_prediction
from reference.stopping import transfer_threshold

S, A, U, K = 25, 4, 12, 8
EPSILON, GAMMA, DELTA = 0.5, 0.9, 0.01
START_UP, LAST = 300, 400
RHO, DECAYED_RHO, RHO_T, ETA = 0.135, 0.006, 0.001, 0.087
DELTA_PRIME = 0.1

RANDOM_TASKS = (0, 2, 3, 5)
PRINTED_COPIES = (1, 7, 4, 5)
REPAIRED_COPIES = (1, 7, 4, 6)


# Theorem 2's bound and line 2


def model_error(rho: float, h: int, delta_prime: float = DELTA_PRIME) -> float:
    """ρ √(log(c_h)/h) for the objectworld."""
    return theorem_2_bound(rho_any=rho, S=S, A=A, U=U, h=h, delta_prime=delta_prime)


def enters_walk(rho: float, h: int, delta_prime: float = DELTA_PRIME) -> Walk:
    """After h tasks the error bound is below the threshold of line 2."""
    return Walk(
        premises=(
            Statement("number of tasks seen", h, "≤", LAST),
            Statement("δ'", delta_prime, "<", 1),
        ),
        conclusion=Statement(
            f"error bound with ρ = {rho} at h = {h}, against the threshold",
            model_error(rho, h, delta_prime),
            "<",
            transfer_threshold(EPSILON, GAMMA),
        ),
    )


# Theorem 3's rule


def kept_walk(probability: float, h: int) -> Walk:
    """A task with that predicted probability is kept: its left side exceeds η."""
    T_hat = [[probability if i == 0 else (1 - probability) / (K - 1)] * K for i in range(K)]
    left = theorem_3_prediction(
        T_hat,
        (0,),
        h=h,
        m=LAST,
        k=K,
        d=dimension(S, A, U),
        delta=DELTA,
        delta_prime=DELTA_PRIME,
        rho_T=RHO_T,
    )
    return Walk(
        (Statement("predicted probability", probability, ">", 0),),
        Statement(f"left side of the rule at h = {h} against η", float(left[0]), ">", ETA),
    )


def instance_walk(eta: float) -> Walk:
    """η = δ'/(3km²) for some δ' < 1."""
    largest = theorem_3_eta(k=K, m=LAST, delta_prime=0.999999)
    return Walk(
        (Statement("tasks", K, "≥", 2), Statement("steps", LAST, "≥", 1)),
        Statement("η against the largest that Theorem 3 can have", eta, "≤", largest),
    )


# Tasks, items, parameters


def tasks_walk(copies: Sequence[int]) -> Walk:
    """Eight tasks are generated, and each index from 0 to 7 once."""
    made = (*RANDOM_TASKS, *copies)
    return Walk(
        (Statement("tasks generated", len(made), "=", K),),
        Statement("different indices among them", len(set(made)), "=", K),
    )


def items_walk(zero_is_an_item: bool, values: Sequence[float] = VALUES) -> Walk:
    """Section 6 counts eleven items; Appendix E lists the values."""
    items = [v for v in values if zero_is_an_item or v > 0]
    return Walk(
        (Statement("values listed", len(set(values)), "=", 12),),
        Statement("items among them", len(items), "=", 11),
    )


def parameters_walk(factor: Fraction) -> Walk:
    """From reward laws alone to reward and transition laws."""
    before, after = S * A * U, dimension(S, A, U)
    return Walk(
        (Statement("entries of the reward laws", before, "=", 1200),),
        Statement("entries in all over those", Fraction(after, before), "=", factor),
    )


def stochasticity_walk(
    earlier: TaskList = FIGURE_4, later: TaskList = FIGURE_5_LEFT, of_rewards: bool = False
) -> Walk:
    """The later experiment is the more stochastic one, in transitions or in rewards."""
    before = earlier.pick_up_failure if of_rewards else max(earlier.action_failures)
    after = later.pick_up_failure if of_rewards else max(later.action_failures)
    return Walk(
        (Statement("tasks of the earlier experiment", len(earlier.action_failures), "=", K),),
        Statement("largest failure before against after", before, "<", after),
    )
