"""The judge's edge cases as killers: a mutant is caught if an answer leaves that of the original.

The answers of the original are the committed test vectors;
`tests/checks/judge/results/test_vectors.py` holds the two together, so they are computed here and
need not be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ptum.checks.judge.capabilities import NAMES, capabilities, conforming
from ptum.checks.judge.judging.readings import Case
from ptum.checks.judge.messages.transcript import Exchange
from ptum.checks.judge.programs.asking import edge_cases
from ptum.checks.judge.programs.subjects import ask


@dataclass(frozen=True)
class Question:
    """One edge case, put to one right implementation."""

    capability: str
    maker: str
    case: Case

    @property
    def name(self) -> str:
        """For the record."""
        return f"{self.case.id} ({self.maker})"

    def answer(self) -> Exchange:
        """What the implementation says now."""
        return ask(
            capabilities()[self.capability], self.case, conforming(self.capability)[self.maker]
        )

    def tolerance(self) -> Mapping[str, float]:
        """How far a real number of the answer may be off."""
        return capabilities()[self.capability].tolerance(self.case.input)


def questions() -> Iterator[Question]:
    """All edge cases, for every implementation; the literal one of each capability comes first."""
    for name in NAMES:
        cases = edge_cases(capabilities()[name])
        yield from (Question(name, maker, case) for maker in conforming(name) for case in cases)


def agree(one: Exchange, other: Exchange, tolerance: Mapping[str, float]) -> bool:
    """The same queries, and the same answer up to the tolerance of each field."""
    if one.answer is None or other.answer is None:
        return False
    return (
        one.queries == other.queries
        and one.answer.keys() == other.answer.keys()
        and all(
            _near(value, other.answer[name], tolerance.get(name, 0.0))
            for name, value in one.answer.items()
        )
    )


def _near(one: object, other: object, tolerance: float) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(_near(x, y, tolerance) for x, y in pairs)
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= tolerance
    return one == other
