"""Section 4 repaired: when Theorem 2 speaks, and a rule of Theorem 3 that can drop tasks.

c_{h,δ'} and the shape of the four bounds of Theorem 2 are as printed and are re-exported. There is
no η to compute: it is chosen, and it is the chance per step of dropping the true next task.

| symbol   | code           | meaning                                                       |
| -------- | -------------- | ------------------------------------------------------------- |
| ρ_3      | `rho_3`        | repaired constant of Lemma 11                                 |
| T̂_h      | `T_hat[θ, θ']` | estimated probability of θ after θ'; columns are distributions |
| Θ̄_h      | `theta_bar`    | indices of the tasks that the current one may be              |
| e^T_h    | `e_T`          | bound on the errors of the columns of T̂_h, in Euclidean norm  |
| η        | `eta`          | allowed chance of a miss at this step                         |
| E_h      |                | tasks dropped before step h+1: the `True` entries returned    |
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from reference.arrays import Bools, require_distributions
from reference.errors import require, require_confidence
from reference.repaired.spectral_bounds import next_task_bound
from reference.sequential_bounds import c_h, theorem_2_bound
from reference.spectral_bounds import frozen_transitions, require_positive, require_tasks

__all__ = [
    "c_h",
    "theorem_2_condition",
    "theorem_2_bound",
    "elimination_order",
    "theorem_3_eliminates",
]


def theorem_2_condition(
    *, rho_3: float, S: int, A: int, U: int, h: int, delta_prime: float
) -> bool:
    """Theorem 2 speaks of h when h ≥ ρ_3 log(π²h²SA(S+U)/δ').

    That is the condition of Lemma 11 at level 6δ'/(π²h²), the share of the failure probability
    which the union over all h gives to this one (E34).
    """
    require_positive(rho_3, "rho_3")
    return h >= rho_3 * math.log(c_h(S=S, A=A, U=U, h=h, delta_prime=delta_prime))


def elimination_order(T_hat: npt.ArrayLike, theta_bar: Sequence[int]) -> tuple[int, ...]:
    """Tasks by their largest predicted probability max_{θ'∈Θ̄_h} T̂_h(θ,θ'), least likely first.

    Among equally likely ones the lowest-numbered comes first.
    """
    transitions = frozen_transitions(T_hat)
    require(len(theta_bar) >= 1, "theta_bar", "must name at least one task")
    require_tasks(theta_bar, "theta_bar", k=len(transitions))
    likeliest = transitions[:, list(theta_bar)].max(axis=1)
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
        if next_task_bound(transitions, theta_bar, order[:size], e_T=e_T) > eta:
            break
        eliminated[order[size - 1]] = True
    return eliminated
