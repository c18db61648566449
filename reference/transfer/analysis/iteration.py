"""What Lemmas 4 and 6 to 9 speak of: one iteration of Algorithm 1, and the target it runs on."""

from __future__ import annotations

from dataclasses import dataclass

from ptum.reference.errors import InputError, require
from ptum.reference.tasks.models import ApproximateModels


@dataclass(frozen=True, eq=False)
class Iteration:
    """The models {M̃_θ}, the target θ*, the active set Θ̄_t and Δ."""

    models: ApproximateModels
    target: int
    active: tuple[int, ...]
    Delta: float

    def __post_init__(self) -> None:
        require_models(self.models, active=self.active, target=self.target)

    @property
    def on_event(self) -> bool:
        """On the event E the target is active (D28)."""
        return self.target in self.active


def require_models(
    models: ApproximateModels, *, active: tuple[int, ...] = (), **named: int
) -> None:
    """Every number given for a model is one: the named ones and those of the active set."""
    problem = f"must be a model below {models.k}"
    for name, theta in named.items():
        require(0 <= theta < models.k, name, problem, value=theta)
    for place, theta in enumerate(active):
        if not 0 <= theta < models.k:
            raise InputError("active", problem, index=(place,), value=theta)
