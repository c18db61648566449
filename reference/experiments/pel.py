"""A learner in the style of PEL, parameter elimination (Section 6; D86).

The full text of Dyagilev, Mannor and Shimkin (2008) was not at hand. From its abstract: a finite
set of models, elimination by a sequential probability ratio test, an optimistic policy. So:

| what                   | here                                                                  |
| ---------------------- | --------------------------------------------------------------------- |
| evidence               | log-likelihood of all rewards and next states seen, for each model    |
| elimination            | a model leaves when a survivor is ahead by more than log(k/δ),        |
|                        | or log(k²/δ) with `every_pair`, a share of δ for every two models     |
| policy                 | in every state the action of the survivor with the largest V* there,  |
|                        | or with `start` for a whole episode that of the survivor with the     |
|                        | largest V* in this state (D116)                                       |

The true model leaves with probability at most δ: for each other model the likelihood ratio against
the truth is a nonnegative martingale of mean at most 1, which ever exceeds k/δ with probability at
most δ/k (Ville). Among equal models the first is taken, equal up to rounding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ptum.reference.arrays import Floats, Ints
from ptum.reference.errors import (
    LEAST_CONFIDENCE,
    require,
    require_below,
    require_choice,
    require_confidence,
    require_count,
    require_sequence,
)
from ptum.reference.experiments.episodes import Learner, OnlineTask
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import require_same_shape
from ptum.reference.tasks.values import first_best, optimal_policy, policy_value, value_tolerance


@dataclass(frozen=True, eq=False)
class KnownModels:
    """The models that PEL knows.

    `joint` has shape (k, S, A, U, S), `pi_star` and `V_star` shape (k, S).
    """

    joint: Floats
    pi_star: Ints
    V_star: Floats
    gamma: float

    @property
    def k(self) -> int:
        """Their number."""
        return len(self.joint)


def known_models(tasks: Sequence[OnlineTask], models: Sequence[MDP]) -> KnownModels:
    """The tasks as they answer, and solved as MDPs with the same means."""
    tasks = require_sequence(tasks, "tasks", "OnlineTask")
    for place, task in enumerate(tasks):
        good = isinstance(task, OnlineTask) and task.joint.shape == tasks[0].joint.shape
        problem = "must be an OnlineTask with the sizes of the first"
        require(good, "tasks", problem, index=(place,), value=type(task).__name__)
    require_count(len(tasks), "tasks")
    models = require_same_shape(models)
    alike = len(models) == len(tasks)
    require(alike, "models", f"must be as many as tasks, {len(tasks)}", value=len(models))
    pi_star = np.stack([optimal_policy(theta) for theta in models])
    V_star = np.stack([policy_value(m, pi) for m, pi in zip(models, pi_star, strict=True)])
    return KnownModels(np.stack([t.joint for t in tasks]), pi_star, V_star, tasks[0].gamma)


class Pel(Learner):
    """Optimism over the surviving models; the likelihood ratio decides who survives."""

    def __init__(
        self,
        known: KnownModels,
        delta: float = 0.01,
        *,
        every_pair: bool = False,
        start: int | None = None,
    ) -> None:
        good = isinstance(known, KnownModels)
        require(good, "known", "must be KnownModels", value=type(known).__name__)
        delta = require_confidence(delta, least=LEAST_CONFIDENCE)
        every_pair = require_choice(every_pair, (False, True), "every_pair")
        S = known.V_star.shape[1]
        self.start = None if start is None else require_below(start, S, "start", "a state")
        self.known = known
        self.log_likelihood = np.zeros(known.k)
        self.least = math.log(delta / known.k ** (2 if every_pair else 1))
        self.active: tuple[int, ...] = tuple(range(known.k))
        self.policy: Ints = self.optimistic()

    def see(self, s: int, a: int, j: int, s_next: int) -> bool:
        """Update likelihoods, drop what has become too unlikely, and choose again.

        The ratio is taken to the likeliest survivor, which therefore stays: at least one model
        does. Where what was seen is impossible in all survivors, all their log-likelihoods are
        minus infinity, none is below another, and all of them stay.
        """
        with np.errstate(divide="ignore"):
            self.log_likelihood += np.log(self.known.joint[:, s, a, j, s_next])
        least = self.log_likelihood[list(self.active)].max() + self.least
        active = tuple(i for i in self.active if self.log_likelihood[i] >= least)
        if active == self.active:
            return False
        self.active = active
        if self.start is not None:
            return False
        self.policy = self.optimistic()
        return True

    def over(self) -> bool:
        """With a start the model of the next episode is chosen."""
        if self.start is None:
            return False
        self.policy = self.optimistic()
        return True

    def optimistic(self) -> Ints:
        """In every state the action of the surviving model with the largest value there.

        With a start its value counts for all states.
        """
        chosen = list(self.active)
        V = self.known.V_star[chosen]
        if self.start is not None:
            V = np.repeat(V[:, [self.start]], V.shape[1], axis=1)
        best = first_best(V.T, value_tolerance(V, self.known.gamma))
        pi: Ints = self.known.pi_star[chosen][best, np.arange(V.shape[1])]
        return pi
