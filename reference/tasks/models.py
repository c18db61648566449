"""Section 3: the approximate models {M̃_θ}, with everything Algorithm 1 reads of them.

| symbol            | code                          | shape        |
| ----------------- | ----------------------------- | ------------ |
| r̃_θ(s,a)         | `models.r[θ,s,a]`             | (k, S, A)    |
| p̃_θ(s'|s,a)      | `models.p[θ,s,a,s']`          | (k, S, A, S) |
| σ̃^r_θ(s,a)       | `models.sigma_r[θ,s,a]`       | (k, S, A)    |
| π̃*_θ             | `models.pi_star[θ,s]`         | (k, S)       |
| Ṽ*_θ(s)          | `models.V_star[θ,s]`          | (k, S)       |
| σ̃^p_θ(s,a;θ')    | `models.sigma_p[θ,s,a,θ']`    | (k, S, A, k) |
| Ṽ_{θ'}^{π̃*_θ}(s) | `models.V_pi[θ',θ,s]`         | (k, k, S)    |

All of it is computed once, before the first query: Lemma 3 speaks of fixed functions Ṽ* (D19).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ptum.reference.arrays import Floats, Ints, ShortRepr, sealed
from ptum.reference.errors import (
    InputError,
    Numeric,
    is_integer,
    require,
    require_all,
    require_below,
    require_sequence,
    settle,
)
from ptum.reference.tasks.mdp import MDP, mean_reward, reward_std
from ptum.reference.tasks.values import (
    Evaluate,
    optimal_policy,
    policy_value,
    transition_stds,
)


@dataclass(frozen=True, eq=False)
class ApproximateModels(ShortRepr, Numeric):
    """{M̃_θ}_{θ∈Θ} as arrays over θ; build it with `approximate_models`."""

    tasks: tuple[MDP, ...]
    r: Floats
    p: Floats
    sigma_r: Floats
    pi_star: Ints
    V_star: Floats
    sigma_p: Floats
    V_pi: Floats
    gamma: float

    def __post_init__(self) -> None:
        settle(self, tasks=require_same_shape(self.tasks))
        k, S, A = len(self.tasks), self.tasks[0].S, self.tasks[0].A
        _require_table(self.r, "r", (k, S, A))
        _require_table(self.p, "p", (k, S, A, S))
        _require_table(self.sigma_r, "sigma_r", (k, S, A))
        _require_table(self.pi_star, "pi_star", (k, S), np.int64)
        _require_table(self.V_star, "V_star", (k, S))
        _require_table(self.sigma_p, "sigma_p", (k, S, A, k))
        _require_table(self.V_pi, "V_pi", (k, k, S))
        require(self.gamma == self.tasks[0].gamma, "gamma", "must be that of the tasks")
        Numeric.__post_init__(self)
        for name in ("r", "p", "sigma_r", "V_star", "sigma_p", "V_pi"):
            table = getattr(self, name)
            require_all(np.isfinite(table), table, name, "must be finite")
        actions = (self.pi_star >= 0) & (self.pi_star < A)
        require(bool(actions.all()), "pi_star", f"must be actions below {A}", value=self.pi_star)

    def __repr__(self) -> str:
        """Their number and sizes."""
        return f"ApproximateModels(k={self.k}, S={self.S}, A={self.A}, gamma={self.gamma:g})"

    @property
    def k(self) -> int:
        """|Θ|."""
        return len(self.tasks)

    @property
    def S(self) -> int:
        """Number of states."""
        return int(self.r.shape[1])

    @property
    def A(self) -> int:
        """Number of actions."""
        return int(self.r.shape[2])


def approximate_models(
    tasks: Sequence[MDP],
    *,
    evaluate: Evaluate = policy_value,
    deviations: Callable[[Sequence[MDP], Sequence[Floats]], Floats] = transition_stds,
) -> ApproximateModels:
    """Solve every model once and tabulate what Algorithm 1 needs.

    `evaluate` and `deviations` stand for code that is at least as accurate and faster.
    """
    tasks = require_same_shape(tasks)
    pi_star = np.stack([optimal_policy(theta, evaluate) for theta in tasks])
    V_pi = np.stack([[evaluate(theta_prime, pi) for pi in pi_star] for theta_prime in tasks])
    V_star = np.stack([V_pi[theta, theta] for theta in range(len(tasks))])
    pi_star.flags.writeable = False
    return ApproximateModels(
        tasks=tasks,
        r=sealed(np.stack([mean_reward(theta) for theta in tasks])),
        p=sealed(np.stack([theta.p for theta in tasks])),
        sigma_r=sealed(np.stack([reward_std(theta) for theta in tasks])),
        pi_star=pi_star,
        V_star=sealed(V_star),
        sigma_p=sealed(deviations(tasks, list(V_star))),
        V_pi=sealed(V_pi),
        gamma=tasks[0].gamma,
    )


def require_same_shape(given: Sequence[MDP], argument: str = "models") -> tuple[MDP, ...]:
    """At least one task, all with the same states, actions and discount factor."""
    tasks = require_sequence(given, argument, "tasks")
    for theta, task in enumerate(tasks):
        if not isinstance(task, MDP):
            problem = "must be a ptum.MDP, made by ptum.MDP(p, q, u, gamma) or ptum.*_rewards"
            raise InputError(argument, problem, index=(theta,), value=type(task).__name__)
    require(len(tasks) >= 1, argument, "at least one model is needed", value=0)
    first = tasks[0]
    for theta, task in enumerate(tasks):
        if (task.S, task.A) != (first.S, first.A):
            problem = f"has another shape than model 0, which has S={first.S}, A={first.A}"
            raise InputError(argument, problem, index=(theta,), value=f"S={task.S}, A={task.A}")
        if task.gamma != first.gamma:
            problem = f"has another discount factor than model 0 ({first.gamma})"
            raise InputError(argument, problem, index=(theta,), value=task.gamma)
    return tasks


def require_models(models: ApproximateModels, *, active: Sequence[int] = (), **named: int) -> None:
    """Every number given for a model is one: the named ones and those of the active set."""
    for name, theta in named.items():
        require_below(theta, models.k, name, "a model")
    for place, theta in enumerate(active):
        good = is_integer(theta) and 0 <= theta < models.k
        problem = f"must be a model below {models.k}"
        require(good, "active", problem, index=(place,), value=theta)


def _require_table(
    found: object, name: str, shape: tuple[int, ...], dtype: type[np.generic] = np.float64
) -> None:
    good = type(found) is np.ndarray and found.dtype == dtype and found.shape == shape
    problem = f"must be an array of {dtype.__name__} of shape {shape}, as from `approximate_models`"
    if isinstance(found, np.ndarray):
        what = f"{found.dtype}, shape {found.shape}"
    else:
        what = type(found).__name__
    require(good, name, problem, value=what)
