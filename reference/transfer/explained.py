"""A run of Algorithm 1 in words: how it ended and why, and which test eliminated which model."""

from __future__ import annotations

from typing import Protocol

from ptum.reference.arrays import Ints, ShortRepr
from ptum.reference.transfer.fallback import FallbackResult
from ptum.reference.transfer.transcript import Elimination

LOOKED_AT = {
    1: "the mean reward",
    2: "the mean value of the next state",
    3: "the standard deviation of the reward",
    4: "the standard deviation of the next state's value",
}
"""What each of the equations (1)-(4) compares with the samples."""

WHY = {
    "stopped": "line 14: the policy of model {theta} is good enough in every model that is left",
    "models-too-inaccurate": (
        "line 2: the models may be too far from the truth for this ε, so that nothing was asked "
        "(ptum.can_transfer has the numbers)"
    ),
    "budget-exhausted": "line 5: n queries did not tell the models that are left apart",
    "active-set-empty": (
        "line 12: no model fits the samples, so that Δ was too small, the target is none of them, "
        "or one of the unlucky runs of probability δ was met"
    ),
    "index-zero": "lines 16-18: no query can tell the models that are left apart at this Δ",
}
"""Why a run ends so."""


class Ran(Protocol):
    """What is explained of a run."""

    @property
    def end(self) -> str: ...

    @property
    def theta(self) -> int | None: ...

    @property
    def policy(self) -> Ints | None: ...

    @property
    def queries(self) -> int: ...

    @property
    def active(self) -> tuple[int, ...]: ...

    @property
    def eliminations(self) -> tuple[Elimination, ...]: ...

    @property
    def fallback(self) -> FallbackResult | None: ...


class Explained(ShortRepr):
    """Shown in one line, and explained in some."""

    def __repr__(self: Ran) -> str:
        left = f"{len(self.active)} of {len(self.active) + len(self.eliminations)} models left"
        return f"PtumResult({self.end}, {_policy(self)}, {_queries(self.queries)}, {left})"

    def explain(self: Ran) -> str:
        """How the run ended and why, which test eliminated which model, and when."""
        left = ", ".join(map(str, self.active)) or "none"
        lines = [
            f"{self.end} after {_queries(self.queries)}: {_policy(self)}",
            f"  {WHY[self.end].format(theta=self.theta)}",
            *(f"  {_eliminated(elimination)}" for elimination in self.eliminations),
            f"  models left: {left}",
        ]
        if self.fallback is not None:
            asked = _queries(self.fallback.queries)
            lines.append(f"  line 22: the fallback found a policy with {asked} of its own")
        return "\n".join(lines)


def _policy(run: Ran) -> str:
    if run.theta is not None:
        return f"policy of model {run.theta}"
    return "no policy" if run.policy is None else "policy of the fallback"


def _queries(count: int) -> str:
    return "1 query" if count == 1 else f"{count} queries"


def _eliminated(e: Elimination) -> str:
    valued = "" if e.theta_prime is None else f", valued as in model {e.theta_prime},"
    where = f"at state {e.s}, action {e.a}"
    return (
        f"model {e.theta} was eliminated at t = {e.t}: {LOOKED_AT[e.equation]} {where}{valued} is "
        f"not what was seen (equation {e.equation})"
    )
