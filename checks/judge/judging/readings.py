"""Admissible readings of the paper, and which of them an answer agrees with.

Where the paper leaves a choice open, or is repaired, several answers are right. A *reading* fixes
all choices that bear on a capability. A subject conforms if one reading explains all its answers
to that capability: being right once in one way and once in another is not enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from ptum.checks.judge.judging.items import Item
from ptum.checks.judge.messages.fields import Field
from ptum.checks.judge.messages.transcript import Asked, Exchange, Fields
from ptum.spec.vocabulary import Version


@dataclass(frozen=True, order=True)
class Option:
    """One way to settle one choice: a decision of the ledger (`D02`) or `version`.

    `detail` tells options of one name apart: two repairs of one printed rule, say.
    """

    choice: str
    option: str
    erratum: str | None = None
    detail: str = ""


PRINTED = Option("version", Version.PRINTED.value)
REPAIRED = Option("version", Version.REPAIRED.value)

Reading = frozenset[Option]


def all_readings(*choices: Sequence[Option]) -> tuple[Reading, ...]:
    """Every combination of one option per choice; the first options make the literal reading."""
    return tuple(frozenset(options) for options in product(*choices))


@dataclass(frozen=True)
class Finding:
    """Where an answer leaves the paper: an equation or line, what was expected, what came."""

    item: Item
    what: str
    expected: str
    got: str


Judge = Callable[[Reading], Finding | None]
"""None where the answer is right in that reading, else the first thing that is wrong."""


@dataclass(frozen=True)
class Assessment:
    """One exchange, and for every reading what is wrong with it; the literal reading is first."""

    exchange: Exchange
    findings: Mapping[Reading, Finding | None]

    @property
    def agrees(self) -> frozenset[Reading]:
        """The readings in which the answer is right."""
        return frozenset(reading for reading, wrong in self.findings.items() if wrong is None)

    @property
    def finding(self) -> Finding | None:
        """What is wrong in the literal reading."""
        return next(iter(self.findings.values()))


Sampler = Callable[[int, int, int], tuple[float, int]]
"""The generative model behind a case: (h, s, a) to (reward, next state); h = 0 for one task."""


@dataclass(frozen=True)
class Case:
    """A request worth asking. `flags` say what is special about it (`gamma=0`, `tie`, …).

    `sampler` makes the source of samples again, so that every subject sees the same answers to the
    same queries; None where nothing is sampled.
    """

    id: str
    input: Fields
    flags: tuple[str, ...] = ()
    sampler: Callable[[], Sampler] | None = None


@dataclass(frozen=True)
class Capability:
    """Something a subject may be able to do.

    `item` is what of the paper is asked for (a ledger id), `readings` all admissible readings with
    the literal one first, `cases(seed)` the requests (edge cases first, then drawn ones), and
    `judge(input, answer, queries)` tells for each reading what is wrong. `tolerance(input)` is how
    far each real field of an answer may be off, and its docstring why; `flags` explains the flags
    of cases. `samples` says that the subject may ask for samples on the way, `notes` what else an
    implementer has to know.
    """

    name: str
    item: str
    says: str
    input: tuple[Field, ...]
    output: tuple[Field, ...]
    readings: tuple[Reading, ...]
    cases: Callable[[int], Iterable[Case]]
    judge: Callable[[Fields, Fields, Sequence[Asked]], Judge]
    tolerance: Callable[[Fields], dict[str, float]]
    flags: Mapping[str, str] = field(hash=False)
    samples: bool = False
    notes: tuple[str, ...] = ()


def assess(capability: Capability, exchange: Exchange) -> Assessment:
    """Hold one answer against every reading; `MalformedError` if it cannot be read.

    Numbers near the end of all doubles overflow on the way to a comparison, which they do not pass;
    that needs no warning.
    """
    if exchange.answer is None:
        raise ValueError(f"{exchange.id} has no answer")
    with np.errstate(over="ignore", invalid="ignore"):
        wrong = capability.judge(exchange.input, exchange.answer, exchange.queries)
        return Assessment(exchange, {reading: wrong(reading) for reading in capability.readings})


def shared(assessments: Iterable[Assessment], readings: Sequence[Reading]) -> frozenset[Reading]:
    """The readings that explain all answers at once."""
    left = frozenset(readings)
    for assessment in assessments:
        left &= assessment.agrees
    return left


def seen(left: frozenset[Reading]) -> Mapping[str, tuple[str, ...]]:
    """For every choice the options that are still possible: one if the answers decide it."""
    table: dict[str, set[str]] = {}
    for reading in left:
        for option in reading:
            table.setdefault(option.choice, set()).add(option.option)
    return {choice: tuple(sorted(options)) for choice, options in sorted(table.items())}
