"""What both panels of Figure 1 measure of learners that act in episodes (D111)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from ptum.checks.reproduce.panel import Curve, Seed
from ptum.reference.arrays import Bools, Floats, Ints
from ptum.reference.experiments.episodes import Learner, OnlineTask
from ptum.reference.experiments.pel import KnownModels
from ptum.reference.tasks.models import ApproximateModels

InitialTable: TypeAlias = Callable[[ApproximateModels], Floats]
"""What MaxQInit starts from, shape (S, A)."""
CURVES = (
    *(Curve("ptum", "PTUM"), Curve("pel", "PEL-style")),
    *(Curve("maxqinit", "MaxQInit"), Curve("rmax", "RMAX")),
)
"""What both panels of Figure 1 draw."""
EXPECTED = "expected discounted return of an episode"


def settled(curve: Sequence[float] | Floats, enough: float) -> float:
    """The first episode from which on the curve stays at `enough` or above; one more than all."""
    low = np.flatnonzero(np.asarray(curve) < enough)
    return float(low[-1] + 2 if low.size else 1)


def known(tasks: Sequence[OnlineTask], models: ApproximateModels) -> KnownModels:
    """`known_models` of tasks that are solved already."""
    joint = np.stack([task.joint for task in tasks])
    return KnownModels(joint, models.pi_star, models.V_star, models.gamma)


def largest_values(models: ApproximateModels) -> Floats:
    """`maxqinit_table` of tasks that are solved already."""
    Q = models.r + models.gamma * np.einsum("ksat,kt->ksa", models.p, models.V_star)
    largest: Floats = Q.max(axis=0)
    return largest


class Counting(Learner):
    """A learner of whose first steps those at some pairs are counted."""

    def __init__(self, learner: Learner, pairs: Bools, first: int) -> None:
        self.learner, self.pairs, self.left = learner, pairs, first
        self.count = 0

    @property
    def policy(self) -> Ints:
        """The learner's."""
        return self.learner.policy

    @policy.setter
    def policy(self, policy: Ints) -> None:
        self.learner.policy = policy

    def see(self, s: int, a: int, j: int, s_next: int) -> bool:
        """Pass the sample on."""
        if self.left > 0:
            self.left -= 1
            self.count += bool(self.pairs[s, a])
        return self.learner.see(s, a, j, s_next)

    def over(self) -> bool:
        """Pass it on."""
        return self.learner.over()


def stream(seed: Seed, learner: str) -> np.random.Generator:
    """Episodes of its own for every learner."""
    return seed.generator(f"episodes of {learner}")
