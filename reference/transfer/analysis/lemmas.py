"""Lemmas 3-9 and Corollary 2 as printed, each on one concrete situation.

A function takes the objects that a lemma speaks of and answers with an `Inequality`: both sides of
the conclusion, and which premises the situation meets. A situation that meets every premise and
misses the conclusion refutes the lemma.

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
every iteration with probability 1-δ; Lemmas 1 and 2 are in
`ptum.reference.transfer.analysis.concentration`.

Rounding refutes nothing. Where a premise is accepted up to rounding, the conclusion is too, by as
much as the lemma makes of it (Lemmas 5 and 9, Corollary 2); or the premise has to hold beyond
rounding (Lemmas 6 and 7). Lemmas 4 and 8 compare whole numbers with bounds; these are proved with
23 and 92 in place of 32 and 128 (docs/repaired_transfer.md, Steps 1 and 4), and rounding does not
reach that far while counts are below 10¹².
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ptum.reference.arrays import Floats, Ints, above
from ptum.reference.errors import require
from ptum.reference.inequalities import Inequality
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, require_models
from ptum.reference.tasks.values import optimal_value, policy_value, value_tolerance
from ptum.reference.transfer.analysis.elimination import n_bar
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.analysis.sample_complexity import (
    fundamental_bound,
    kappa_eps,
    theta_eps,
)
from ptum.reference.transfer.analysis.simulation import (
    optimal_value_sides,
    policy_value_sides,
    value_error_sides,
)
from ptum.reference.transfer.assumptions import ModelErrors, model_errors
from ptum.reference.transfer.confidence import Widths, elimination_tests
from ptum.reference.transfer.empirical import EmpiricalModel
from ptum.reference.transfer.information import SHIFT, index, query
from ptum.reference.transfer.stopping import enters_transfer_mode, stopping_models

TARGET_ACTIVE = "the target is active"
MODEL_ACTIVE = "θ is active"
TRANSFER_MODE = "line 2 lets the run enter transfer mode"
NO_STOP = "line 14 does not stop, beyond rounding"
STOPS_HERE = "line 14 accepts the returned policy"
ASSUMPTION_1 = "Assumption 1 holds with Δ, up to rounding"


def valid_confidence_set(
    target: int, hat: EmpiricalModel, C: Widths, models: ApproximateModels
) -> Inequality:
    """Lemma 3 in one iteration: the target's approximation passes the tests (1)-(4) everywhere."""
    require_models(models, target=target)
    sides = [
        np.broadcast_arrays(t.distance, t.width) for t in elimination_tests(target, hat, C, models)
    ]
    left = np.concatenate([distance.ravel() for distance, _ in sides])
    right = np.concatenate([width.ravel() for _, width in sides])
    return Inequality(left=left, right=right)


def model_elimination(iteration: Iteration, *, theta: int, N: Ints, L: float) -> Inequality:
    """Lemma 4: on E, N_t(s,a) > n̄_θ(s,a) for some pair implies θ ∉ Θ̄_t.

    In other words: while θ is active, N_t ≤ n̄_θ at every pair.
    """
    right = n_bar(iteration, theta=theta, L=L)
    return elimination_within(iteration, theta=theta, N=N, n_bar_theta=right)


def elimination_within(
    iteration: Iteration, *, theta: int, N: Ints, n_bar_theta: Floats
) -> Inequality:
    """Lemma 4 for a given n̄."""
    require(N.shape == n_bar_theta.shape, "N", "needs one count per pair", value=N.shape)
    premises = {TARGET_ACTIVE: iteration.on_event, MODEL_ACTIVE: theta in iteration.active}
    return Inequality(left=N.astype(np.float64), right=n_bar_theta, premises=premises)


def simulation_lemma(*, theta: MDP, theta_prime: MDP, pi: Ints) -> Inequality:
    """Lemma 5: both inequalities, in the rows of `left` and `right`."""
    first = policy_value_sides(theta=theta, theta_prime=theta_prime, pi=pi)
    second = optimal_value_sides(theta=theta, theta_prime=theta_prime)
    return Inequality(
        left=np.stack([first.left, second.left]),
        right=np.stack([first.right, second.right]),
        tolerance=np.array([[first.tolerance], [second.tolerance]]),
    )


def value_error(*, theta: MDP, theta_prime: MDP) -> Inequality:
    """Corollary 2, per state."""
    return value_error_sides(theta=theta, theta_prime=theta_prime)


def stopping_condition(iteration: Iteration, *, epsilon: float) -> Inequality:
    """Lemma 6: on E, an iteration that does not stop has an active model of Θ_ε."""
    models, target = iteration.models, iteration.target
    kappa = kappa_eps(epsilon, iteration.Delta, models.gamma)
    blocking = theta_eps(models, target=target, kappa=kappa)
    found = len(set(blocking) & set(iteration.active))
    premises = {TARGET_ACTIVE: iteration.on_event, NO_STOP: _goes_on(iteration, epsilon)}
    return Inequality(left=float(found), sign="≥", right=1.0, premises=premises)


def positive_index(iteration: Iteration, *, epsilon: float) -> Inequality:
    """Lemma 7: on E, in transfer mode, an iteration that goes on queries a pair of index > 0."""
    I_t = index(iteration.active, iteration.models, iteration.Delta)
    premises = {
        TRANSFER_MODE: enters_transfer_mode(iteration.Delta, epsilon, iteration.models.gamma),
        TARGET_ACTIVE: iteration.on_event,
        NO_STOP: _goes_on(iteration, epsilon),
    }
    return Inequality(left=float(I_t[query(I_t)]), sign=">", right=0.0, premises=premises)


def fundamental_lemma(iteration: Iteration, *, N: Ints, L: float) -> Inequality:
    """Lemma 8: on E, N_t(S_t,A_t) < 128 L / max_{s,a} max_{θ∈Θ̄_t} I_{s,a}(θ*,θ).

    N and the active set must be those of one iteration of a run; nothing here can check that.
    """
    return fundamental_within(iteration, N=N, bound=fundamental_bound(iteration, L))


def fundamental_within(
    iteration: Iteration, *, N: Ints, bound: float, shift: float = SHIFT
) -> Inequality:
    """Lemma 8 for a given bound, at the pair that line 18 chooses."""
    models = iteration.models
    require(N.shape == (models.S, models.A), "N", "needs one count per pair", value=N.shape)
    left = float(N[query(index(iteration.active, models, iteration.Delta, shift))])
    premises = {TARGET_ACTIVE: iteration.on_event}
    return Inequality(left=left, sign="<", right=bound, premises=premises)


def correctness(
    iteration: Iteration, *, returned: int, true: Sequence[MDP], epsilon: float
) -> Inequality:
    """Lemma 9: on E, the policy π̃*_θ that line 14 returns loses at most ε in the target."""
    errors = model_errors(true, iteration.models)
    return correctness_within(
        iteration, returned=returned, true=true, epsilon=epsilon, errors=errors
    )


def correctness_within(
    iteration: Iteration,
    *,
    returned: int,
    true: Sequence[MDP],
    epsilon: float,
    errors: ModelErrors,
) -> Inequality:
    """Lemma 9 for given model errors; equalities are accepted up to rounding (D14).

    With v the tolerance of values, an error counts as Δ if it is at most Δ + (1-γ)v, and a loss as
    ε if it is at most ε + `correctness_tolerance`.
    """
    models, Delta, gamma = iteration.models, iteration.Delta, iteration.models.gamma
    require_models(models, returned=returned)
    target = true[iteration.target]
    V_star = optimal_value(target)
    loss = V_star - policy_value(target, models.pi_star[returned])
    values = np.vstack([models.V_star, V_star])
    of_errors = (1 - gamma) * value_tolerance(values, gamma)
    premises = {
        ASSUMPTION_1: not above(errors.Delta, Delta + of_errors),
        TRANSFER_MODE: enters_transfer_mode(Delta, epsilon, gamma),
        TARGET_ACTIVE: iteration.on_event,
        STOPS_HERE: returned in stopping_models(iteration.active, models, epsilon, Delta),
    }
    return Inequality(
        left=loss,
        right=np.full(models.S, epsilon),
        tolerance=correctness_tolerance(values, gamma),
        premises=premises,
    )


def correctness_tolerance(V: Floats, gamma: float) -> float:
    """How far a loss may exceed ε in Lemma 9 because premises are accepted up to rounding: (8+4γ)v.

    v = `value_tolerance`, t = (1-γ)v. An error of at most Δ + t in doubles is at most Δ + 2t on
    paper, so each of the two terms Δ(1+γ)/(1-γ) of the proof grows by 2t(1+γ)/(1-γ) = 2(1+γ)v. The
    first of them compares V* with the value of a policy that is optimal up to 2t a step, which adds
    2v. Line 14 accepts a loss of slack + v, and the errors of the four values of both losses are
    below v together. Near ties at many states together can cost a policy up to 4v a step in place
    of 2t: tasks that are built for that are not covered.
    """
    return (8 + 4 * gamma) * value_tolerance(V, gamma)


def _goes_on(iteration: Iteration, epsilon: float) -> bool:
    """Line 14 would not stop with ε + 4v either, v the tolerance of values: more than rounding.

    It then rejects losses above slack + 5v. The policies are optimal up to 2t a step, t = (1-γ)v,
    which makes 2v of that, rows that miss one (D20) 4v/3, and rounded values v/3. What is left,
    4v/3, is (G_r + γG_p - 2κ_ε)·2/(1-γ) at least, so that G_r + γG_p > 2κ_ε + 2t/3: a model of
    Θ_ε (Lemma 6), and under the repaired line 2 a gap above 8Δ + t/6 (Lemma 7, `gap_tolerance`).
    Near ties are as in `correctness_tolerance`.
    """
    models = iteration.models
    v = value_tolerance(models.V_star, models.gamma)
    return not stopping_models(iteration.active, models, epsilon + 4 * v, iteration.Delta)
