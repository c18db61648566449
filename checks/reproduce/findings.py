"""Tests that are declared before a panel is run, and the findings that they lead to.

A test is about the numbers of all runs of a panel with default choices. It has two sides: `shown`
rejects that the sentence is false, `contradicted` rejects that it is true. Every panel of the paper
has an equal share of the family-wise error, and Holm's procedure divides it among both sides of all
tests of the panel, so the probability that any finding of any panel is wrong is at most .01. Of
a sentence that says never, `shown` finds no more than that it happens in fewer than 10 % of runs.

| test        | the sentence                         | shown by                   | effect         |
| ----------- | ------------------------------------ | -------------------------- | -------------- |
| `MeanAbove` | the mean over runs is above a number | Student's t, one-sided     | 0.8 std        |
| `MeanBelow` | … below …                            | the same                   | 0.8 std        |
| `Share`     | it is so in at least 80 % of runs    | exact binomial test        | 99 %, and 50 % |
| `Never`     | it never happens                     | (1 - 0.1)^runs, none seen  | 10 % of runs   |

`NotSaid` is no test: the paper does not say the sentence, and Holm's procedure leaves it out.

Effects are those at which a test of 100 runs has power 0.99 or more. One run in which something
happens contradicts `Never` outright. Where all runs have the same value, which leaves t undefined,
the sign test takes its place: 2^-runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, TypeAlias

import numpy as np

from ptum.checks.exact.numbers import a_number
from ptum.checks.verdicts.statistics import clopper_pearson
from ptum.reference.arrays import Floats
from ptum.spec.reproduction import FAMILY_WISE_ERROR, PANELS

LEVEL = FAMILY_WISE_ERROR / len(PANELS)
"""Error probability of all findings of one panel."""
CONFIDENCE = 0.99
RARE = 0.1
"""`Never` is shown where a share of runs as large as this would have been noticed."""
IN_NONE = "is 0 in every run"
"""By which a reader of results knows a test of `Never`."""
MOST = 0.8
SPREADS = 0.8
"""Distance of the mean from the limit, in standard deviations of a run, that a t test notices."""


EQUAL_LATER = (
    "a number that is the same in all runs had p = 0 at first, and now has that of the sign test, "
    "2^-runs; no finding changed"
)
"""History of a panel with such a number."""


class PanelFinding(StrEnum):
    """What the runs say of a sentence."""

    SHOWN = "shown"
    CONTRADICTED = "contradicted"
    UNDECIDED = "undecided"
    DESCRIBED = "described"
    NOT_DEFINED = "not-defined"


@dataclass(frozen=True)
class TwoSided:
    """p-values of both sides, and an estimate with its 99 % interval."""

    shown: float
    contradicted: float
    estimate: float
    low: float
    high: float


@dataclass(frozen=True)
class MeanAbove:
    """The mean over runs of a number, in `unit`, is above `limit`."""

    side: ClassVar[str] = "above"

    number: str
    limit: float
    unit: str = ""

    def text(self) -> str:
        """In words."""
        return f"mean of `{self.number}` {self.side} {self.limit:g} (t test, effect {SPREADS} std)"

    def so(self, estimate: float) -> bool:
        """Whether the sentence is true of an estimate."""
        return estimate > self.limit if self.side == "above" else estimate < self.limit

    def sides(self, values: Floats) -> TwoSided:
        """Student's t test of the mean against the limit."""
        below, above = t_sides(values, self.limit)
        shown, contradicted = (above, below) if self.side == "above" else (below, above)
        return TwoSided(shown, contradicted, *t_interval(values))


@dataclass(frozen=True)
class MeanBelow(MeanAbove):
    """The mean over runs of a number, in `unit`, is below `limit`."""

    side = "below"


@dataclass(frozen=True)
class Share:
    """A number is 1, not 0, or above `limit`, in a share of at least `MOST` of all runs."""

    number: str
    limit: float | None = None
    unit: ClassVar[str] = "of runs"

    def text(self) -> str:
        """In words."""
        above = "" if self.limit is None else f" above {self.limit:g}"
        return (
            f"`{self.number}`{above} in {MOST:.0%} of runs or more (binomial, effect 99 % or 50 %)"
        )

    def so(self, estimate: float) -> bool:
        """Whether the sentence is true of an estimate."""
        return estimate >= MOST

    def sides(self, values: Floats) -> TwoSided:
        """Exact binomial tests of the share against `MOST`."""
        from scipy.stats import binom  # here: it takes long to load

        if self.limit is None and not np.all((values == 0) | (values == 1)):
            raise ValueError(f"{self.number} is neither 0 nor 1 in some run")
        seen, runs = int(np.count_nonzero(values > (self.limit or 0))), values.size
        low, high = clopper_pearson(seen, runs, 1 - CONFIDENCE)
        return TwoSided(
            shown=float(binom.sf(seen - 1, runs, MOST)),
            contradicted=float(binom.cdf(seen, runs, MOST)),
            estimate=seen / runs,
            low=low,
            high=high,
        )


@dataclass(frozen=True)
class Never:
    """A number, of things that happened, is 0 in every run; estimated is how often it is not."""

    number: str
    unit: ClassVar[str] = "of runs"

    def text(self) -> str:
        """In words."""
        return f"`{self.number}` {IN_NONE} (effect: {RARE:.0%} of runs)"

    def so(self, estimate: float) -> bool:
        """Whether the sentence is true of an estimate."""
        return estimate == 0

    def sides(self, values: Floats) -> TwoSided:
        """One run is enough to contradict."""
        happened, runs = int(np.count_nonzero(values)), values.size
        low, high = clopper_pearson(happened, runs, 1 - CONFIDENCE)
        none = happened == 0
        return TwoSided(
            shown=(1 - RARE) ** runs if none else 1.0,
            contradicted=1.0 if none else 0.0,
            estimate=happened / runs,
            low=low,
            high=high,
        )


@dataclass(frozen=True)
class NotDefined:
    """The sentence leaves open what would have to be measured."""

    reason: str
    unit: ClassVar[str] = ""

    def text(self) -> str:
        """In words."""
        return f"none: {self.reason}"


@dataclass(frozen=True)
class NotSaid:
    """The paper does not say so: how often it is not so is estimated, and not judged."""

    never: Never
    unit: ClassVar[str] = Never.unit

    def text(self) -> str:
        """In words."""
        return f"none, it is ours: `{self.never.number}` {IN_NONE}"


Test: TypeAlias = MeanAbove | MeanBelow | Share | Never | NotDefined | NotSaid


@dataclass(frozen=True)
class Declared:
    """A sentence about a panel, as a part of the ledger, and how it is tested.

    Where a run is too short to see the number `seen`, that is the panel's `never`, the sentence is
    neither so nor not.
    """

    part: str
    slug: str
    says: str
    test: Test
    seen: str = ""

    @property
    def id(self) -> str:
        """The part and what is asked of it."""
        return f"{self.part}/{self.slug}"


@dataclass(frozen=True)
class Found:
    """A declared test, both of its sides, and what follows; no sides where nothing is measured.

    What is described has sides for its estimate alone.
    """

    declared: Declared
    sides: TwoSided | None
    finding: PanelFinding


def findings(
    declared: Sequence[Declared], numbers: Mapping[str, Sequence[float]], level: float = LEVEL
) -> list[Found]:
    """The findings of one panel from the numbers of all runs, with errors of `level` in all."""
    sides = [_sides(test.test, numbers) for test in declared]
    ours = [isinstance(test.test, NotSaid) for test in declared]
    tested = [(i, side) for i, side in enumerate(sides) if side is not None and not ours[i]]
    p = [value for _, side in tested for value in (side.shown, side.contradicted)]
    rejected = holm(p, level)
    found = [PanelFinding.DESCRIBED if it else PanelFinding.NOT_DEFINED for it in ours]
    for place, (i, _) in enumerate(tested):
        shown, contradicted = rejected[2 * place : 2 * place + 2]
        found[i] = PanelFinding.UNDECIDED
        if shown != contradicted:
            found[i] = PanelFinding.SHOWN if shown else PanelFinding.CONTRADICTED
    return [Found(*row) for row in zip(declared, sides, found, strict=True)]


def _sides(test: Test, numbers: Mapping[str, Sequence[float]]) -> TwoSided | None:
    if isinstance(test, NotDefined):
        return None
    if isinstance(test, NotSaid):
        return _sides(test.never, numbers)
    values = np.array([a_number(value, test.number) for value in numbers[test.number]])
    return test.sides(values.astype(np.float64))


def holm(p: Sequence[float], level: float) -> list[bool]:
    """Which hypotheses are rejected; any true one among them with probability at most `level`."""
    rejected = [False] * len(p)
    for place, i in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        if p[i] > level / (len(p) - place):
            break
        rejected[i] = True
    return rejected


def t_sides(values: Floats, limit: float) -> tuple[float, float]:
    """p-values for "the mean is below the limit" and for "above", one-sided.

    Equal values have no spread. Then the sign test is asked: that all of them are on one side of
    the limit has probability 2^-runs, if both sides are as likely.
    """
    from scipy.special import stdtr  # here: it takes long to load

    error = standard_error(values)
    if error == 0:
        value, p = float(values[0]), 0.5**values.size
        return p if value < limit else 1.0, p if value > limit else 1.0
    t = (float(values.mean()) - limit) / error
    degrees = values.size - 1
    return float(stdtr(degrees, t)), float(stdtr(degrees, -t))


def t_interval(values: Floats) -> tuple[float, float, float]:
    """The mean and the ends of its 99 % Student interval, infinite for a single run."""
    from scipy.special import stdtrit  # here: it takes long to load

    mean = float(values.mean())
    if values.size < 2:
        return mean, -np.inf, np.inf
    half = float(stdtrit(values.size - 1, (1 + CONFIDENCE) / 2)) * standard_error(values)
    return mean, mean - half, mean + half


def standard_error(values: Floats) -> float:
    """Of the mean; 0 where all values are equal, whatever rounding makes of their mean."""
    if values.size < 2 or values.min() == values.max():
        return 0.0
    return float(values.std(ddof=1) / np.sqrt(values.size))
