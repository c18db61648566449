"""What every bound of Appendix D is taken at: the sizes S, A, U, the number h of tasks, and δ'."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ptum.reference.errors import InputError, require_confidence, require_count, settle
from ptum.reference.inequalities import Bound, Inequality

ENOUGH_TASKS = "h is large enough"


@dataclass(frozen=True, kw_only=True)
class Level:
    """S states, A actions, U reward values; h tasks observed so far; failure probability δ'."""

    S: int
    A: int
    U: int
    h: int
    delta_prime: float

    def __post_init__(self) -> None:
        sizes = {name: require_count(getattr(self, name), name) for name in ("S", "A", "U", "h")}
        settle(self, **sizes, delta_prime=require_confidence(self.delta_prime, "delta_prime"))

    def log(self, factor: float) -> float:
        """log(factor · SA(S+U)/δ'); the lemmas have 2 or 6 for the factor."""
        return math.log(factor * self.S * self.A * (self.S + self.U) / self.delta_prime)


def enough_tasks(h: int, required: float) -> dict[str, Inequality]:
    """The premise h ≥ required."""
    return {ENOUGH_TASKS: Inequality(left=h, sign="≥", right=required)}


def required_h(bound: Bound) -> float:
    """From how many tasks on a bound is claimed."""
    premise = bound.premises[ENOUGH_TASKS]
    if not isinstance(premise, Inequality):
        raise InputError("bound", "is not claimed from some h on")
    return premise.bound
