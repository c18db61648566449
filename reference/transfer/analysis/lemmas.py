"""Lemmas 3-9 and Corollary 2 as printed, each on one concrete situation.

A function takes the objects that a lemma speaks of and answers with an `Instance`: which premises
the situation meets, both sides of the conclusion, and whether the conclusion is true. A situation
that meets every premise and misses the conclusion refutes the lemma.

| item        | function              | left                        | sign | right               |
| ----------- | --------------------- | --------------------------- | ---- | ------------------- |
| Lemma 3     | `valid_confidence_set`| distances of (1)-(4) for θ* | ≤    | C^x_{t,δ}           |
| Lemma 4     | `model_elimination`   | N_t(s,a)                    | ≤    | n̄_θ(s,a)           |
| Lemma 5     | `simulation_lemma`    | two differences of values   | ≤    | two bounds          |
| Corollary 2 | `value_error`         | loss of π*_θ in θ'          | ≤    | bound               |
| Lemma 6     | `stopping_condition`  | |Θ_ε ∩ Θ̄_t|                | ≥    | 1                   |
| Lemma 7     | `positive_index`      | I_t(S_t,A_t)                | >    | 0                   |
| Lemma 8     | `fundamental_lemma`   | N_t(S_t,A_t)                | <    | 128 L / max max I   |
| Lemma 9     | `correctness`         | loss of π̃*_θ in θ*, per s  | ≤    | ε                   |

"On the event E" is the premise that the target is active (D28). Lemma 3 promises its inequality in
every pass with probability 1-δ; Lemmas 1 and 2 are in
`ptum.reference.transfer.analysis.concentration`.

Rounding refutes nothing. Where a premise is accepted up to rounding, the conclusion is too, by as
much as the lemma makes of it (Lemmas 5 and 9, Corollary 2); or the premise has to hold beyond
rounding (Lemmas 6 and 7). Lemmas 4 and 8 compare whole numbers with bounds; these are proved with
23 and 92 in place of 32 and 128 (docs/repaired_transfer.md, Steps 1 and 4), and rounding does not
reach that far while counts are below 10¹².
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ptum.reference.arrays import Floats, Ints, above
from ptum.reference.errors import Numeric, require
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.tasks.values import optimal_value, policy_value, value_tolerance
from ptum.reference.transfer.analysis.elimination import n_bar, require_models
from ptum.reference.transfer.analysis.sample_complexity import (
    fundamental_bound,
    kappa_eps,
    theta_eps,
)
from ptum.reference.transfer.analysis.simulation import (
    Sides,
    optimal_value_sides,
    policy_value_sides,
    value_error_sides,
)
from ptum.reference.transfer.assumptions import ModelErrors, model_errors
from ptum.reference.transfer.confidence import Widths, tests
from ptum.reference.transfer.empirical import EmpiricalModel
from ptum.reference.transfer.information import SHIFT, index, index_is_zero, query
from ptum.reference.transfer.stopping import enters_transfer_mode, stopping_models

TARGET_ACTIVE = "the target is active"
TRANSFER_MODE = "line 2 lets the run enter transfer mode"
NO_STOP = "line 14 does not stop, beyond rounding"
STOPS_HERE = "line 14 accepts the returned policy"
ASSUMPTION_1 = "Assumption 1 holds with Δ, up to rounding"


@dataclass(frozen=True, eq=False)
class Instance(Numeric):
    """A lemma in one situation."""

    premises: Mapping[str, bool]
    left: Floats
    right: Floats
    holds: bool

    @property
    def premises_met(self) -> bool:
        """Whether the lemma speaks of this situation."""
        return all(self.premises.values())

    @property
    def refutes(self) -> bool:
        """Whether the situation meets every premise and misses the conclusion."""
        return self.premises_met and not self.holds


def valid_confidence_set(
    target: int, hat: EmpiricalModel, C: Widths, models: ApproximateModels
) -> Instance:
    """Lemma 3 in one pass: the target's approximation passes the tests (1)-(4) everywhere."""
    require_models(models, (target,), target=target)
    sides = [np.broadcast_arrays(t.distance, t.width) for t in tests(target, hat, C, models)]
    left = np.concatenate([distance.ravel() for distance, _ in sides])
    right = np.concatenate([width.ravel() for _, width in sides])
    return Instance({}, left, right, bool(np.all(left <= right)))


def model_elimination(
    theta: int,
    target: int,
    active: tuple[int, ...],
    N: Ints,
    models: ApproximateModels,
    Delta: float,
    L: float,
) -> Instance:
    """Lemma 4: on E, N_t(s,a) > n̄_θ(s,a) for some pair implies θ ∉ Θ̄_t."""
    right = n_bar(theta, target, active, models, Delta, L)
    return elimination_instance(theta, target, active, N, right)


def elimination_instance(
    theta: int, target: int, active: tuple[int, ...], N: Ints, n_bar_theta: Floats
) -> Instance:
    """Lemma 4 for a given n̄: the conclusion fails while an active θ has more samples than that."""
    require(N.shape == n_bar_theta.shape, "N", "needs one count per pair", value=N.shape)
    premises = {
        TARGET_ACTIVE: target in active,
        "N > n̄ for some pair": bool(np.any(n_bar_theta < N)),
    }
    return Instance(premises, N.astype(np.float64), n_bar_theta, theta not in active)


def simulation_lemma(theta: MDP, theta_prime: MDP, pi: Ints) -> Instance:
    """Lemma 5: both inequalities, in the rows of `left` and `right`."""
    first = policy_value_sides(theta, theta_prime, pi)
    second = optimal_value_sides(theta, theta_prime)
    return _inequalities(first, second)


def value_error(theta: MDP, theta_prime: MDP) -> Instance:
    """Corollary 2, in the single row of `left` and `right`."""
    return _inequalities(value_error_sides(theta, theta_prime))


def stopping_condition(
    target: int, active: tuple[int, ...], models: ApproximateModels, epsilon: float, Delta: float
) -> Instance:
    """Lemma 6: on E, a pass that does not stop has an active model of Θ_ε."""
    require_models(models, active, target=target)
    blocking = theta_eps(target, models, kappa_eps(epsilon, Delta, models.gamma))
    found = len(set(blocking) & set(active))
    premises = {
        TARGET_ACTIVE: target in active,
        NO_STOP: _goes_on(active, models, epsilon, Delta),
    }
    return Instance(premises, np.array(float(found)), np.array(1.0), found >= 1)


def positive_index(
    target: int, active: tuple[int, ...], models: ApproximateModels, epsilon: float, Delta: float
) -> Instance:
    """Lemma 7: on E, in transfer mode, a pass that does not stop queries a pair of index > 0."""
    require_models(models, active, target=target)
    I_t = index(active, models, Delta)
    premises = {
        TRANSFER_MODE: enters_transfer_mode(Delta, epsilon, models.gamma),
        TARGET_ACTIVE: target in active,
        NO_STOP: _goes_on(active, models, epsilon, Delta),
    }
    return Instance(premises, np.array(I_t[query(I_t)]), np.array(0.0), not index_is_zero(I_t))


def fundamental_lemma(
    target: int,
    active: tuple[int, ...],
    N: Ints,
    models: ApproximateModels,
    Delta: float,
    L: float,
) -> Instance:
    """Lemma 8: on E, N_t(S_t,A_t) < 128 L / max_{s,a} max_{θ∈Θ̄_t} I_{s,a}(θ*,θ).

    N and the active set must be those of one pass of a run; nothing here can check that.
    """
    right = fundamental_bound(target, active, models, Delta, L)
    return fundamental_instance(target, active, N, models, Delta, right)


def fundamental_instance(
    target: int,
    active: tuple[int, ...],
    N: Ints,
    models: ApproximateModels,
    Delta: float,
    bound: float,
    shift: float = SHIFT,
) -> Instance:
    """Lemma 8 for a given bound, at the pair that line 18 chooses."""
    require_models(models, active, target=target)
    require(N.shape == (models.S, models.A), "N", "needs one count per pair", value=N.shape)
    left = float(N[query(index(active, models, Delta, shift))])
    premises = {TARGET_ACTIVE: target in active}
    return Instance(premises, np.array(left), np.array(bound), left < bound)


def correctness(
    returned: int,
    target: int,
    active: tuple[int, ...],
    true: Sequence[MDP],
    models: ApproximateModels,
    epsilon: float,
    Delta: float,
) -> Instance:
    """Lemma 9: on E, the policy π̃*_θ that line 14 returns loses at most ε in the target."""
    errors = model_errors(true, models)
    return correctness_instance(returned, target, active, true, models, epsilon, Delta, errors)


def correctness_instance(
    returned: int,
    target: int,
    active: tuple[int, ...],
    true: Sequence[MDP],
    models: ApproximateModels,
    epsilon: float,
    Delta: float,
    errors: ModelErrors,
) -> Instance:
    """Lemma 9 for given model errors; equalities are accepted up to rounding (D14).

    With v the tolerance of values, an error counts as Δ if it is at most Δ + (1-γ)v, and a loss as
    ε if it is at most ε + `correctness_tolerance`.
    """
    require_models(models, active, target=target, returned=returned)
    V_star, gamma = optimal_value(true[target]), models.gamma
    loss = V_star - policy_value(true[target], models.pi_star[returned])
    values = np.vstack([models.V_star, V_star])
    allowed = (1 - gamma) * value_tolerance(values, gamma)
    premises = {
        ASSUMPTION_1: not above(errors.Delta, Delta + allowed),
        TRANSFER_MODE: enters_transfer_mode(Delta, epsilon, gamma),
        TARGET_ACTIVE: target in active,
        STOPS_HERE: returned in stopping_models(active, models, epsilon, Delta),
    }
    holds = not np.any(above(loss, epsilon + correctness_tolerance(values, gamma)))
    return Instance(premises, loss, np.full(models.S, epsilon), holds)


def correctness_tolerance(V: Floats, gamma: float) -> float:
    """How far a loss may exceed ε in Lemma 9 because premises are accepted up to rounding: (8+4γ)v.

    v = `value_tolerance`, t = (1-γ)v. An error of at most Δ + t in doubles is at most Δ + 2t on
    paper, so each of the two terms Δ(1+γ)/(1-γ) of the proof grows by 2t(1+γ)/(1-γ) = 2(1+γ)v. The
    first of them compares V* with the value of a policy that is optimal up to 2t a step, which adds
    2v. Line 14 accepts a loss of slack + v, and the four values of both losses are off by less
    than v together.
    """
    return (8 + 4 * gamma) * value_tolerance(V, gamma)


def _goes_on(
    active: tuple[int, ...], models: ApproximateModels, epsilon: float, Delta: float
) -> bool:
    """Line 14 would not stop with ε + 4v either, v the tolerance of values: more than rounding.

    It then rejects losses above slack + 5v. The policies are optimal up to 2t a step, t = (1-γ)v,
    which makes 2v of that, rows that miss one (D20) 4v/3, and rounded values v/3. What is left,
    4v/3, is (G_r + γG_p - 2κ_ε)·2/(1-γ) at least, so that G_r + γG_p > 2κ_ε + 2t/3: a model of
    Θ_ε (Lemma 6), and under the repaired line 2 a gap above 8Δ + t/6 (Lemma 7, `gap_tolerance`).
    """
    v = value_tolerance(models.V_star, models.gamma)
    return not stopping_models(active, models, epsilon + 4 * v, Delta)


def _inequalities(*rows: Sides) -> Instance:
    return Instance(
        premises={},
        left=np.stack([row.left for row in rows]),
        right=np.stack([row.right for row in rows]),
        holds=all(row.holds for row in rows),
    )
