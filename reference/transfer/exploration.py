"""Section 3.3: PTUM without a generative model, by a task of exploration or by a bonus.

| Section 3.3                                   | code               |
| --------------------------------------------- | ------------------ |
| the "exploration" MDP, as in E³               | `exploration_task` |
| the information as an exploration bonus       | `bonus_task`       |
| an agent that walks through the true task     | `run_online`       |

The paper gives sketches. The agent tests, stops and computes its index as Algorithm 1 does, solves
the exploration task of the first active model, and follows that policy for one step; whatever it
sees on the way is stored (D108). The tests of Lemma 3 hold for any way to choose pairs, so that the
policy that it returns is as good as PTUM's. How many steps that takes is a conjecture of the paper:
`ptum show text-no-generative-model` says what is true of it; this agent may walk in a circle for
ever. Two for which it is true are in `ptum.reference.repaired.transfer.exploration`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ptum.reference.arrays import Floats, Ints, frozen
from ptum.reference.errors import require, require_all, require_below, require_real
from ptum.reference.tasks.generative import GenerativeModel, ask, require_target
from ptum.reference.tasks.mdp import MDP, deterministic_rewards, mean_reward
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.tasks.values import optimal_policy
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.confidence import confidence_set, widths
from ptum.reference.transfer.empirical import empirical_model, empty_data
from ptum.reference.transfer.information import index
from ptum.reference.transfer.ptum import End, require_inputs
from ptum.reference.transfer.stopping import enters_transfer_mode, stopping_models

MakesTask = Callable[[MDP, Floats], MDP]
"""The task whose optimal policy the agent follows, given a model and the index I_t."""


@dataclass(frozen=True, eq=False)
class OnlineRun:
    """What the agent did: how it ended, with which policy, after how many steps, who is active."""

    end: End
    policy: Ints | None
    steps: int
    active: tuple[int, ...]
    N: Ints


class RunsOnline(Protocol):
    """`run_online`, or what takes its place."""

    def __call__(
        self,
        models: ApproximateModels,
        target: GenerativeModel,
        *,
        start: int,
        epsilon: float,
        delta: float,
        n: int,
        Delta: float | ModelErrors,
        task: MakesTask,
    ) -> OnlineRun:
        """Walk until the end of the run."""


def exploration_task(model: MDP, I_t: Floats) -> MDP:
    """The moves of a model, and in every pair the share of the largest index as reward (D108)."""
    _require_task(model)
    return deterministic_rewards(model.p, _shares(model, I_t), model.gamma)


def bonus_task(model: MDP, I_t: Floats, beta: float = 1.0) -> MDP:
    """The model's own mean reward and β times that share, divided by 1 + β to stay in [0, 1]."""
    _require_task(model)
    problem = "must be finite and at least 0"
    beta = require_real(beta, lambda x: 0 <= x < math.inf, "beta", problem)
    rewards = (mean_reward(model) + beta * _shares(model, I_t)) / (1 + beta)
    return deterministic_rewards(model.p, rewards, model.gamma)


def run_online(
    models: ApproximateModels,
    target: GenerativeModel,
    *,
    start: int,
    epsilon: float,
    delta: float,
    n: int,
    Delta: float | ModelErrors,
    task: MakesTask = exploration_task,
) -> OnlineRun:
    """At most n steps in the target, from state `start`; Algorithm 1 but for where it queries."""
    errors = require_inputs(models, epsilon, delta, n, Delta)
    epsilon, delta, n = float(epsilon), float(delta), int(n)  # plain, whatever they were
    require_target(target, models.S, models.A, "target")
    data, s = empty_data(models.S, models.A), require_below(start, models.S, "start", "a state")
    active = tuple(range(models.k))

    def ended(end: End, policy: Ints | None = None) -> OnlineRun:
        N = np.array([[len(pair) for pair in row] for row in data.rewards], dtype=np.int64)
        return OnlineRun(end, policy, int(N.sum()), active, N)

    if not enters_transfer_mode(errors.Delta, epsilon, models.gamma):
        return ended(End.MODELS_TOO_INACCURATE)
    for _ in range(n):
        hat = empirical_model(data, models.V_star)
        C = widths(hat, errors, models.gamma, n, models.k, delta)
        active, _ = confidence_set(active, hat, C, models)
        if not active:
            return ended(End.ACTIVE_SET_EMPTY)
        stopping = stopping_models(active, models, epsilon, errors.Delta)
        if stopping:
            return ended(End.STOPPED, models.pi_star[stopping[0]])
        I_t = index(active, models, errors.Delta)
        a = int(optimal_policy(task(models.tasks[active[0]], I_t))[s])
        reward, s_next = ask(target, s, a, models.S, "target")
        data.store(s, a, reward, s_next)
        s = s_next
    return ended(End.BUDGET_EXHAUSTED)


def _require_task(model: MDP) -> None:
    require(isinstance(model, MDP), "model", "must be an MDP", value=type(model).__name__)


def _shares(model: MDP, I_t: Floats) -> Floats:
    """I_t/max I_t, all zero where the index is."""
    shape = (model.S, model.A)
    I_t = frozen(I_t, "I_t", 2)
    require(I_t.shape == shape, "I_t", f"must have shape {shape}", value=I_t.shape)
    require_all(I_t >= 0, I_t, "I_t", "an index must be a number from 0 on")
    largest = float(I_t.max())
    shares: Floats = I_t / largest if largest > 0 else np.zeros(shape)
    return shares
