"""Recorded runs: a transcript of the judge, or the events of a run of Algorithm 1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from ptum.checks.judge.capabilities import NAMES, capabilities
from ptum.checks.judge.judging.replay import OF_ELIMINATION
from ptum.checks.judge.messages.fields import MalformedError
from ptum.checks.judge.messages.protocol import DEEPEST, printable, quoted, too_deep
from ptum.checks.judge.messages.requests import require_request
from ptum.checks.judge.messages.transcript import (
    Asked,
    Exchange,
    Fault,
    Fields,
    TranscriptHeader,
    from_lines,
)
from ptum.checks.judge.programs.asking import UNKNOWN
from ptum.reference.errors import InputError
from ptum.reference.transfer import transcript as events


class RecordedElimination(
    msgspec.Struct, frozen=True, tag_field="event", tag="elimination", forbid_unknown_fields=True
):
    """Line 12 in iteration t. The failed test may be named: equation, s, a (and θ')."""

    t: int
    theta: int
    equation: Literal[1, 2, 3, 4] | None = None
    s: int | None = None
    a: int | None = None
    theta_prime: int | None = None


Read: TypeAlias = events.Start | RecordedElimination | events.Query | events.Sample | events.Stop
RecordedEvent: TypeAlias = events.Event | RecordedElimination
ELIMINATED = events.Elimination, RecordedElimination

LONGEST = 10_000
"""Letters of a name or a message that are shown; the judge itself writes fewer."""

RUN = "recorded run"
"""The language of a subject of which nothing is known but the events of one run."""


def read(path: Path) -> tuple[TranscriptHeader, tuple[Exchange, ...]]:
    """Either form, known by its first line; all names in it are fit to print."""
    # Not `splitlines`: JSON may hold some of the characters at which that would cut.
    all_lines = path.read_text(encoding="utf-8").split("\n")
    numbers = [number for number, line in enumerate(all_lines, start=1) if line.strip()]
    lines = [all_lines[number - 1] for number in numbers]
    name = printable(path.name)
    if lines and '"event"' in lines[0] and '"record"' not in lines[0]:
        run = as_exchange(_events(numbers, lines), printable(path.stem), numbers)
        return TranscriptHeader(name, "-", RUN, ("ptum",), None, selected=("ptum",)), (run,)
    header, exchanges = from_lines(all_lines)
    known: set[tuple[str, bool]] = set()
    for number, exchange in zip(numbers[1:], exchanges, strict=True):
        problem = _inconsistent(header, exchange)
        if (exchange.id, exchange.alone) in known:
            problem = f"{exchange.id!r} stands in the file before"
        if problem:
            raise InputError(f"transcript line {number}", problem)
        _require_request(number, exchange, f"{exchange.id!r} is no request of the judge: ")
        known.add((exchange.id, exchange.alone))
    return _printable_header(header), tuple(map(_printable, exchanges))


def _require_request(number: int, exchange: Exchange, problem: str = "") -> None:
    """What was asked is a question of the judge, which asks for nothing that it does not know."""
    if exchange.capability in NAMES:
        try:
            require_request(capabilities()[exchange.capability].input, exchange.input)
        except MalformedError as reason:
            raise InputError(f"transcript line {number}", f"{problem}{reason}") from reason


def _inconsistent(header: TranscriptHeader, exchange: Exchange) -> str | None:
    """What no judge has written; an exchange that nobody claims would not be judged either."""
    claimed, selected = header.capabilities, header.selected
    unknown = exchange.fault is not None and exchange.fault.kind == UNKNOWN
    if exchange.capability not in claimed or (not unknown and exchange.capability not in NAMES):
        return f"asks for {exchange.capability!r}, which the header does not claim"
    if selected and not unknown and exchange.capability not in selected:
        return f"asks for {exchange.capability!r}, which the header does not select"
    if any(too_deep(part, DEEPEST + 1) for part in (exchange.input, exchange.answer)):
        return f"lists in lists, more than {DEEPEST} deep"
    return None


def _printable_header(header: TranscriptHeader) -> TranscriptHeader:
    return msgspec.structs.replace(
        header,
        name=quoted(header.name, LONGEST),
        version=quoted(header.version, LONGEST),
        language=quoted(header.language, LONGEST),
        capabilities=tuple(quoted(name, LONGEST) for name in header.capabilities),
    )


def _printable(exchange: Exchange) -> Exchange:
    fault = exchange.fault
    if fault is not None:
        fault = Fault(*(quoted(x, LONGEST) for x in (fault.kind, fault.message, fault.last)))
    identity, capability = quoted(exchange.id, LONGEST), quoted(exchange.capability, LONGEST)
    return msgspec.structs.replace(exchange, id=identity, capability=capability, fault=fault)


def _events(numbers: Sequence[int], lines: Sequence[str]) -> list[Read]:
    decoder = msgspec.json.Decoder[Read](Read)
    found = []
    for number, line in zip(numbers, lines, strict=True):
        try:
            found.append(decoder.decode(line))
        except (msgspec.DecodeError, RecursionError) as reason:
            raise InputError(f"transcript line {number}", str(reason)) from reason
    return found


def as_exchange(
    run: Sequence[RecordedEvent], name: str, numbers: Sequence[int] | None = None
) -> Exchange:
    """The events of one run as a request with its answer; order is part of the format.

    `numbers` are those of their lines, 1, 2, … if there are no empty lines between them.
    """
    numbers = range(1, len(run) + 1) if numbers is None else numbers
    if not run or not isinstance(run[0], events.Start):
        raise InputError("transcript line 1", "a run begins with its `start`")
    if not isinstance(run[-1], events.Stop):
        raise InputError(f"transcript line {numbers[-1]}", "a run ends with its `stop`")
    start, stop = run[0], run[-1]
    middle = run[1:-1]
    eliminated = [_eliminated(event) for event in middle if isinstance(event, ELIMINATED)]
    answer: Fields = {
        "policy": None if stop.policy is None else list(stop.policy),
        "end": stop.end,
        "eliminations": eliminated,
        "theta": stop.theta,
    }
    queries = tuple(_queries(middle, numbers[1:]))
    if stop.t != len(queries) + 1:
        problem = f"t = {stop.t} after {len(queries)} queries; it is one more than their number"
        raise InputError(f"transcript line {numbers[-1]}", problem)
    exchange = Exchange(f"ptum/{name}", "ptum", _request(start), answer, None, queries)
    _require_request(numbers[0], exchange)
    return exchange


def _queries(middle: Sequence[RecordedEvent], numbers: Sequence[int]) -> Iterator[Asked]:
    """Each query is followed by its sample, iteration by iteration; `numbers` are of lines."""
    pending: events.Query | None = None
    t = 0
    for number, event in zip(numbers, middle, strict=False):
        where = f"transcript line {number}"
        match event:
            case events.Query() if pending is None:
                t += 1
                if event.t != t:
                    raise InputError(where, f"a query of iteration {event.t}, expected {t}")
                pending = event
            case events.Sample() if not 0 <= event.reward <= 1:
                problem = f"the sample of iteration {event.t} has the reward {event.reward:g}"
                raise InputError(where, f"{problem}, which is outside [0, 1]")
            case events.Sample() if pending is not None and event.t == pending.t:
                yield Asked(0, pending.s, pending.a, event.reward, event.successor)
                pending = None
            case events.Elimination() | RecordedElimination() if pending is None:
                continue
            case _:
                raise InputError(where, "is out of place: queries are followed by their samples")
    if pending is not None:
        raise InputError(f"transcript line {numbers[-1]}", "the last query has no sample")


def _request(start: events.Start) -> Fields:
    return {
        "models": [{"p": model.p, "q": model.q, "u": model.u} for model in start.models],
        "gamma": start.gamma,
        "errors": msgspec.structs.asdict(start.errors),
        "epsilon": start.epsilon,
        "delta": start.delta,
        "n": start.n,
    }


def _eliminated(event: events.Elimination | RecordedElimination) -> dict[str, object]:
    """Iteration and model, and of the failed test what the run names."""
    named = {name: getattr(event, name) for name in OF_ELIMINATION}
    return {name: value for name, value in named.items() if value is not None}
