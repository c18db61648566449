"""Generative models that misbehave."""

from __future__ import annotations

from dataclasses import dataclass


class Silent:
    """A generative model that must not be asked."""

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """Fail."""
        raise AssertionError(f"the pair ({s}, {a}) was queried")


@dataclass(frozen=True)
class Constant:
    """Always the same answer, of whatever type."""

    reward: float
    successor: int

    def sample(self, s: int, a: int) -> tuple[float, int]:  # noqa: ARG002
        """The answer."""
        return self.reward, self.successor
