"""What a check has to say: a verdict, the evidence for it, and the story behind it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from spec.vocabulary import Verdict

Number: TypeAlias = Fraction | float | int
Comparison: TypeAlias = Literal["<", "≤", ">", "≥", "="]


@dataclass(frozen=True)
class Statement:
    """One comparison of two numbers, in words and with the numbers put in."""

    text: str
    left: Number
    sign: Comparison
    right: Number

    @property
    def holds(self) -> bool:
        """Whether the comparison is true of the numbers."""
        left, right = self.left, self.right
        match self.sign:
            case "<":
                return left < right
            case "≤":
                return left <= right
            case ">":
                return left > right
            case "≥":
                return left >= right
            case "=":
                return left == right

    @property
    def margin(self) -> float:
        """How far the two sides are apart."""
        return abs(float(self.left) - float(self.right))

    def __str__(self) -> str:
        truth = "yes" if self.holds else "NO"
        return f"{self.text}: {_short(self.left)} {self.sign} {_short(self.right)} … {truth}"


@dataclass(frozen=True)
class Walk:
    """The premises of a claim and its conclusion, all evaluated on one instance."""

    premises: tuple[Statement, ...]
    conclusion: Statement

    def verdict(self) -> Verdict:
        """A conclusion counts only where every premise is met."""
        if not all(premise.holds for premise in self.premises):
            return Verdict.ASSUMPTION_NOT_MET
        return Verdict.HOLDS if self.conclusion.holds else Verdict.VIOLATED

    def lines(self) -> tuple[str, ...]:
        """The walk as text: premises, then the conclusion."""
        told = (f"premise    {premise}" for premise in self.premises)
        return (*told, f"conclusion {self.conclusion}")


@dataclass(frozen=True)
class Outcome:
    """The answer of one check.

    `violations` of `trials` were seen over `instances`; `interval` bounds the probability of a
    violation where the claim is about one; `worst_ratio` is the largest observed/allowed, and
    `looseness` the smallest, median and largest bound/observed of a claim that bounds something.
    """

    verdict: Verdict
    instances: int = 0
    trials: int = 0
    violations: int = 0
    interval: tuple[float, float] | None = None
    worst_ratio: float | None = None
    looseness: tuple[float, float, float] | None = None
    tolerance: float | None = None
    story: tuple[str, ...] = ()


def from_walk(walk: Walk) -> Outcome:
    """The outcome of an exact walk over one instance."""
    verdict = walk.verdict()
    return Outcome(
        verdict=verdict,
        instances=1,
        trials=1,
        violations=int(verdict is Verdict.VIOLATED),
        story=walk.lines(),
    )


def _short(number: Number) -> str:
    if isinstance(number, Fraction) and number.denominator != 1:
        return f"{number} ({float(number):.6g})"
    return str(number) if isinstance(number, int | Fraction) else f"{number:.6g}"
