"""Assumption 1 does not make its models MDPs (erratum E17).

One state that pays 1, γ = 9/10, so V = 10. The "model" pays 1 too and returns with "probability"
101/100. Its value is 1/(1 - 0.909) = 10.99, beyond 1/(1-γ), while no error exceeds 0.11.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from checks.outcome import Statement, Walk


@dataclass(frozen=True)
class Loop:
    """One state, one action: reward 1, discount, and the weight with which the model returns."""

    gamma: Fraction
    weight: Fraction
    Delta: Fraction

    @property
    def value(self) -> Fraction:
        """Ṽ = 1 + γ w Ṽ."""
        return 1 / (1 - self.gamma * self.weight)


def instance(weight: Fraction = Fraction(101, 100)) -> Loop:
    """The weight of an MDP would be 1."""
    return Loop(Fraction(9, 10), weight, Delta=Fraction(11, 100))


def walk(loop: Loop) -> Walk:
    """Four errors within Δ, and a value that no MDP has: so the assumption must be made."""
    return Walk(
        premises=(
            Statement("γ w, for the value to exist", loop.gamma * loop.weight, "<", 1),
            Statement("reward error", 0, "≤", loop.Delta),
            Statement("error of (p - p̃)Ṽ", abs(1 - loop.weight) * loop.value, "≤", loop.Delta),
            Statement("errors of the deviations, all of them 0", 0, "≤", loop.Delta),
        ),
        conclusion=Statement("Ṽ against 1/(1-γ)", loop.value, ">", 1 / (1 - loop.gamma)),
    )
