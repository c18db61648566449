"""The one format that the judge reads: JSON lines, a header and then one exchange per line.

A Python subject, a program and a recorded run all end up in this form, so one judge serves all of
them. An exchange is a request with its answer, or with the fault that came instead. Where samples
are asked for on the way (`ptum`, `sequential`), `queries` lists them in order with their answers.
Non-finite numbers are the strings "inf" and "-inf"; there is no NaN.

Version 2 counts the exchanges in the header, so that a missing line is noticed, and holds requests
that were put once more. Version 1 is read as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

import msgspec

from ptum.reference.errors import InputError
from ptum.reference.transfer.transcript import UNREADABLE, Index

SCHEMA: Literal["ptum-judge/2"] = "ptum-judge/2"

GIVEN_UP = "given-up"
"""The kind of fault of a request that was never sent, after too many breakdowns."""

RAISED = "raised"
"""The kind of fault of a call that raised, and of a failure that names no kind."""

NO_METHOD = "no-method"
"""The kind of fault of a capability that a Python object claims and has no method for."""

INFINITY_HINT = (
    'infinite numbers are the text "inf" (JSON.stringify writes Infinity and NaN as null)'
)
"""The hint for whoever wrote something else."""

Json: TypeAlias = object
"""Any JSON value: numbers, text, true, false, null, lists and objects of them."""

Fields: TypeAlias = dict[str, Json]


class _Record(msgspec.Struct, frozen=True, tag_field="record", forbid_unknown_fields=True):
    """Every line names its kind in the field `record`."""


class TranscriptHeader(_Record, frozen=True, tag="header"):
    """Who answered.

    `seed` is that of the drawn cases, None where none were drawn; `selected` names the capabilities
    to which the questions were confined, none if they were not. `exchanges` is how many lines
    follow, None where nobody counted.
    """

    name: str
    version: str
    language: str
    capabilities: tuple[str, ...]
    seed: int | None
    schema: Literal["ptum-judge/1", "ptum-judge/2"] = SCHEMA
    selected: tuple[str, ...] = ()
    exchanges: int | None = None


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why there is no answer, and the last thing that was seen."""

    kind: str
    message: str
    last: str = ""


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """One query on the way: task number (0 for a single task), pair, reward, next state."""

    h: Index
    s: int
    a: int
    reward: float
    successor: Index

    @property
    def in_words(self) -> str:
        """For a report."""
        task = f"task {self.h}, " if self.h else ""
        pair = f"state {self.s}, action {self.a}"
        return f"{task}{pair}, reward {self.reward:g}, next state {self.successor}"


class Exchange(_Record, frozen=True, tag="exchange"):
    """One request and what came of it; `before` counts requests since the program was started.

    A request that is put once more, `alone`, to a fresh program tells about another exchange of the
    same id; it is not judged by itself.
    """

    id: str
    capability: str
    input: Fields
    answer: Fields | None = None
    fault: Fault | None = None
    queries: tuple[Asked, ...] = ()
    before: Index = 0
    alone: bool = False

    @property
    def given_up(self) -> bool:
        """Whether the request was never made."""
        return self.fault is not None and self.fault.kind == GIVEN_UP


TranscriptLine: TypeAlias = TranscriptHeader | Exchange


def whole_lines(header: TranscriptHeader, exchanges: Sequence[Exchange]) -> Iterator[str]:
    """A transcript in full, with the number of its exchanges, in the version of today."""
    counted = msgspec.structs.replace(header, schema=SCHEMA, exchanges=len(exchanges))
    return to_lines((counted, *exchanges))


def to_lines(records: Iterable[TranscriptLine]) -> Iterator[str]:
    """One line of JSON for every record."""
    return (msgspec.json.encode(record).decode() for record in records)


def from_lines(lines: Iterable[str]) -> tuple[TranscriptHeader, tuple[Exchange, ...]]:
    """Read a transcript; what is not one raises `InputError` with the number of the line.

    Empty lines are passed over, but counted.
    """
    decoder = msgspec.json.Decoder[TranscriptLine](TranscriptLine)
    header: TranscriptHeader | None = None
    exchanges: list[Exchange] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = decoder.decode(line)
        except UNREADABLE as reason:
            raise InputError(f"transcript line {number}", str(reason)) from reason
        if isinstance(record, TranscriptHeader) is not (header is None):
            problem = "the first line, and no other, is the header"
            raise InputError(f"transcript line {number}", problem)
        if isinstance(record, TranscriptHeader):
            header = record
        elif record.answer is None and record.fault is None:
            raise InputError(f"transcript line {number}", "has neither an answer nor a fault")
        else:
            exchanges.append(record)
    if header is None:
        raise InputError("transcript", "is empty; the first line is the header")
    if header.exchanges not in (None, len(exchanges)):
        problem = f"has {len(exchanges)} exchanges, its header counts {header.exchanges}"
        raise InputError("transcript", problem)
    return header, tuple(exchanges)
