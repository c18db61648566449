"""What Lemmas 4 and 6 to 9 speak of: one iteration of Algorithm 1, and the target it runs on."""

from __future__ import annotations

from dataclasses import dataclass

from ptum.reference.tasks.models import ApproximateModels, require_models


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
