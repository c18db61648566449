"""Section 4 repaired: when Theorem 2 speaks, and a rule of Theorem 3 that can drop tasks.

c_{h,δ'} and the shape of the four bounds of Theorem 2 are as printed and are re-exported. There is
no η to compute: it is chosen, and it is the probability per step of dropping the true next task.

| symbol   | code           | meaning                                                       |
| -------- | -------------- | ------------------------------------------------------------- |
| ρ_3, ρ_5 | `rho_3` …      | repaired constants of Lemmas 11 and 12                        |
| L, N     | `L`, `N`       | restarts of the power method at task 1, and steps of each     |
| T̂_h      | `T_hat[θ, θ']` | estimated probability of θ after θ'; columns are distributions |
| Θ̄_h      | `theta_bar`    | indices of the tasks that the current one may be              |
| e^T_h    | `e_T`          | bound on the errors of the columns of T̂_h, in Euclidean norm  |
| η        | `eta`          | allowed probability of a miss at this step                    |
| E_h      |                | tasks dropped before step h+1: the `True` entries returned    |
| δ_T      | `delta_T`      | probability that a column of T̂_h has an error above e^T_h     |
| e_h      | `e_h`          | bound on the errors of the columns of Ô_h                     |
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import Bools, above, require_distributions
from ptum.reference.errors import (
    least,
    require,
    require_confidence,
    require_count,
    require_probability,
)
from ptum.reference.inequalities import Bound
from ptum.reference.repaired.sequential.analysis.spectral_bounds import (
    model_errors_at,
    next_task_bound,
)
from ptum.reference.sequential.analysis.level import Level, enough_tasks
from ptum.reference.sequential.analysis.sequential_bounds import c_h, theorem_2_bound
from ptum.reference.sequential.analysis.spectral_bounds import (
    frozen_transitions,
    require_positive,
    require_tasks,
)

__all__ = [
    "c_h",
    "theorem_2_condition",
    "transition_condition",
    "theorem_2_bound",
    "power_method_effort",
    "theorem_2_model_error",
    "elimination_order",
    "theorem_3_eliminates",
    "miss_probability",
    "failure_probability",
]


def theorem_2_condition(level: Level, *, rho_3: float) -> bool:
    """Theorem 2 speaks of h when h ≥ ρ_3 log(π²h²SA(S+U)/δ').

    That is the condition of Lemma 11 at level 6δ'/(π²h²), the share of the failure probability
    which the union over all h gives to this one (E34).
    """
    require_positive(rho_3, "rho_3")
    return not above(rho_3 * math.log(c_h(level)), level.h)


def transition_condition(level: Level, *, rho_5: float) -> bool:
    """Theorem 2 speaks of T̂_h when h ≥ ρ_5 log(π²h²SA(S+U)/δ'), the condition of Lemma 12.

    ρ_5 is at least ρ_3 and can be larger by orders of magnitude: Ô^† has to be close to O^† first.
    """
    require_positive(rho_5, "rho_5")
    return not above(rho_5 * math.log(c_h(level)), level.h)


def power_method_effort(level: Level, *, L: int, N: int) -> tuple[int, int]:
    """L_h = ⌈Lλ_h/λ_1⌉ restarts of N_h = ⌈N log λ_h/log λ_1⌉ steps, λ_h = log(c_{h,δ'}) (D106).

    A number L of restarts all fail with a probability that falls like exp(-L/L_0). Theorem 2 allows
    6δ'/(π²h²) at h, so no fixed number serves all h; L_h does if L ≥ L_0 λ_1. Steps double the
    digits, and the error that the digits are compared with falls like 1/√h.
    """
    require_count(L, "L")
    require_count(N, "N")
    first, now = (math.log(c_h(at)) for at in (replace(level, h=1), level))
    return math.ceil(L * now / first), math.ceil(N * math.log(now) / math.log(first))


def theorem_2_model_error(
    level: Level, *, rho_3: float, rho_4: float, gamma: float, sigma_bar: float
) -> Bound:
    """Theorem 2 as PTUM uses it: Δ_{h+1} = largest of the four bounds of Lemma 14 at e_h.

    e_h = ρ_4 √(log(c_{h,δ'})/h), with ρ_3, ρ_4 of views across tasks or of views within them; the
    latter ask for λ_k(M̂_2) ≥ 2ℓ too
    (`ptum.reference.repaired.sequential.analysis.within_task_bounds`). With probability at least
    1-δ', for all h of the premise together and up to one relabelling per h, no model has a
    larger error. Δ_{h+1} is +inf for other h, and where Ṽ* may have drifted so far that the floor σ̄
    under its standard deviation is not sure (E33, E34).
    """
    speaks = theorem_2_condition(level, rho_3=rho_3)
    e_h = theorem_2_bound(level, rho_any=rho_4)
    errors = model_errors_at(e_h, S=level.S, U=level.U, gamma=gamma, sigma_bar=sigma_bar)
    premises = enough_tasks(level.h, rho_3 * math.log(c_h(level)))
    return Bound(right=errors.Delta if speaks else math.inf, premises=premises)


def elimination_order(T_hat: npt.ArrayLike, theta_bar: Sequence[int]) -> tuple[int, ...]:
    """Tasks by their largest predicted probability max_{θ'∈Θ̄_h} T̂_h(θ,θ'), least likely first.

    Among equally likely ones the lowest-numbered comes first.
    """
    transitions = frozen_transitions(T_hat)
    ended = require_tasks(theta_bar, "theta_bar", k=len(transitions))
    require(len(ended) >= 1, "theta_bar", "must name at least one task")
    likeliest = transitions[:, list(ended)].max(axis=1)
    return tuple(int(theta) for theta in np.argsort(likeliest, kind="stable"))


def theorem_3_eliminates(
    T_hat: npt.ArrayLike, theta_bar: Sequence[int], *, e_T: float, eta: float
) -> Bools:
    """Theorem 3: drop E_h with max_{θ'∈Θ̄_h} Σ_{θ∈E_h} T̂_h(θ,θ') + √|E_h| e^T_h ≤ η.

    Any such set will do; this one takes the least likely tasks first, as many as fit. One task
    always stays, since all of them together have probability 1 > η. If the columns of T̂_h are
    within e^T_h and θ*_h ∈ Θ̄_h, then θ*_{h+1} ∈ E_h has conditional probability at most η (E36).
    """
    transitions = frozen_transitions(T_hat)
    require_distributions(transitions.T, "T_hat (by columns)")
    require_confidence(eta, "eta")
    order = elimination_order(transitions, theta_bar)
    eliminated: Bools = np.zeros(len(transitions), dtype=np.bool_)
    for size in range(1, len(order)):
        if above(next_task_bound(transitions, theta_bar, order[:size], e_T=e_T), eta):
            break
        eliminated[order[size - 1]] = True
    return eliminated


def miss_probability(*, eta: float, delta_T: float, delta: float, invalid_errors: float) -> float:
    """Theorem 3: P(θ*_{h+1} ∉ Θ̃_{h+1}) ≤ η + δ_T + δ + P(Δ_h is too small), at every h.

    In this order: the mass that the rule may drop; the probability that a column of T̂_h has an
    error above e^T_h; that the post-samples of task h reject its own model although Δ_h is valid;
    and that Δ_h is not. Nothing is asked of earlier tasks, so misses do not add up.
    """
    require_confidence(eta, "eta")
    for argument, probability in (("delta_T", delta_T), ("invalid_errors", invalid_errors)):
        require_probability(probability, argument)
    require_confidence(delta)
    return least(1.0, eta + delta_T + delta + invalid_errors)


def failure_probability(
    *, eta: float, delta_T: float, delta: float, invalid_errors: float
) -> float:
    """P(task h+1 is not solved ε-optimally) ≤ η + δ_T + 2δ + P(Δ_h or Δ_{h+1} is too small).

    To a miss it adds PTUM's own failure on task h+1, whose set has the true model otherwise. The
    last term, `invalid_errors`, is here for both tasks.
    """
    missed = miss_probability(eta=eta, delta_T=delta_T, delta=delta, invalid_errors=invalid_errors)
    return least(1.0, missed + delta)
