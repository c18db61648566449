"""Help with writing a harness: every message is shown and its form examined, no number is judged.

One request is put to each capability that the program claims, and a few more where answers have
forms that it does not show. A step tells what was sent, what came back, and whether it is well
formed: first the message, then each field of the answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import msgspec
import numpy as np

from ptum.checks.judge.capabilities import NAMES, capabilities
from ptum.checks.judge.judging.readings import Capability, Case, assess
from ptum.checks.judge.messages.fields import ANY, Field, Kind, MalformedError, array, in_json
from ptum.checks.judge.messages.protocol import PROTOCOL, Request, StartMessage, encode, quoted
from ptum.checks.judge.messages.transcript import (
    INFINITY_HINT,
    Asked,
    Exchange,
    Fault,
    Fields,
    Json,
)
from ptum.checks.judge.programs.asking import STRANGE, edge_cases
from ptum.checks.judge.programs.process import FaultError, Limits, Program


class NothingSelectedError(Exception):
    """The program claims none of the capabilities to which the questions are confined."""


class ExaminedStep(NamedTuple):
    """One thing that was examined, and whether it is as it should be.

    Steps with the same `mistake` are one thing to repair, however often it is met.
    """

    ok: bool
    text: str
    mistake: str = ""


HINTS: Mapping[str, str] = {
    "not-found": "the command is run from this directory, and no shell is used",
    "ended": "a program answers until it is told to stop; its standard error may say more",
    "hangs": "is the output flushed after every line, end of the line included?",
    "not-a-message": "one JSON object per line on standard output, and nothing else",
    "wrong-protocol": f"this judge speaks {PROTOCOL} only",
    "out-of-order": "every message repeats the id of the request, and one answer ends it",
    "too-long": "answers hold the documented fields only",
    "too-many": "a run ends after its budget n at the latest; one process is enough",
    "too-large": "--memory allows more, if it is needed",
    "impossible-query": "states and actions are numbered from 0; tasks of a sequence from 1",
    "malformed": "the tables of fields are in docs/protocol.md",
}
"""What to look at first, by kind of fault."""

FURTHER = (
    "widths/one-sample-with-errors",  # infinite numbers in the answer
    "stopping/infinite-error",  # and in the request; an empty list
    "ptum/infinite-error",  # no policy: the end by line 2
    "ptum/n-23",  # by the budget
    "ptum/stranger",  # by an empty set
    "hmm_moments/same-tasks",  # no estimate
    "hmm_samples/too-few",
)
"""Cases with forms that those of `example_case` do not have."""

FORMS: Mapping[Kind, tuple[str, str]] = {
    "real": ("a number", "real numbers"),
    "integer": ("an integer", "integers"),
    "text": ("a text", "texts"),
    "object": ("an object", "objects"),
    "list of objects": ("a list of objects", "objects"),
}
"""What a field of each kind is called, alone and in a list."""

SHOWN = 3
"""Queries of one request that are shown."""

LETTERS = 1000
"""Letters of a message that are shown."""


def check_protocol(
    command: str | Sequence[str],
    limits: Limits | None = None,
    show: Callable[[ExaminedStep], None] = lambda _: None,
    only: Sequence[str] = (),
) -> list[ExaminedStep]:
    """Examine a program; `show` gets every step when it is done.

    All that it claims, or what of it `only` names. A mistake that is met again is counted at the
    end.
    """
    steps = []
    for step in _each_mistake_once(_steps(command, limits or Limits(), only)):
        show(step)
        steps.append(step)
    return steps


def _each_mistake_once(steps: Iterable[ExaminedStep]) -> Iterator[ExaminedStep]:
    first: dict[str, ExaminedStep] = {}
    further: Counter[str] = Counter()
    for step in steps:
        if step.mistake and first.setdefault(step.mistake, step) is not step:
            further[step.mistake] += 1
        else:
            yield step
    for mistake, count in further.items():
        beginning = re.split("[:;]", first[mistake].text)[0]
        requests = f"{count} further {'request' if count == 1 else 'requests'}"
        yield ExaminedStep(False, f"{beginning}: the same in {requests}", mistake)


def repairs(steps: Iterable[ExaminedStep]) -> int:
    """How many different things are wrong."""
    return len({step.mistake or step.text for step in steps if not step.ok})


def _but_for_numbers(text: str) -> str:
    """What two tellings of one mistake have in common: sizes, places and codes may differ."""
    return re.sub(r"\d+", "", text)


def _steps(
    command: str | Sequence[str], limits: Limits, only: Sequence[str]
) -> Iterator[ExaminedStep]:
    try:
        with Program(command, limits) as program:
            yield ExaminedStep(True, f"sent      {_line(encode(StartMessage()))}")
            ready = program.introduce()
            yield ExaminedStep(True, f"received  {_line(encode(ready))}")
    except FaultError as problem:
        yield from _broken(problem.fault)
        return
    yield from _claims(ready.capabilities)
    claimed = [name for name in NAMES if name in ready.capabilities]
    chosen = [name for name in claimed if not only or name in only]
    if claimed and not chosen:
        raise NothingSelectedError
    missing = [name for name in NAMES if name in only and name not in claimed]
    if missing:
        yield ExaminedStep(True, f"claims    not {', '.join(missing)}, so that it is not examined")
    for name in chosen:
        yield from _capability(command, limits, capabilities()[name])


def _claims(named: Sequence[str]) -> Iterator[ExaminedStep]:
    known = [name for name in NAMES if name in named]
    yield ExaminedStep(
        bool(known), f"claims    {', '.join(known) or 'no capability that can be judged'}"
    )
    strange = [name for name in named if name not in NAMES]
    for name in strange[:STRANGE]:
        text = f"claims    {quoted(name)}, which is unknown; known are {', '.join(NAMES)}"
        yield ExaminedStep(False, text)
    if len(strange) > STRANGE:
        yield ExaminedStep(False, f"claims    {len(strange) - STRANGE} more that are unknown")


def _capability(
    command: str | Sequence[str], limits: Limits, capability: Capability
) -> Iterator[ExaminedStep]:
    """All requests to a fresh program, so that no capability suffers from another.

    After a breakdown the rest is left out: nothing on the pipes can be trusted then.
    """
    first = example_case(capability)
    further = [case for case in edge_cases(capability) if case.id in FURTHER and case != first]
    try:
        with Program(command, limits) as program:
            program.introduce()
            yield from _request(program, capability, first)
            if not program.broken:
                yield from _again(program, capability, first)
            for case in further:
                if not program.broken:
                    yield from _request(program, capability, case)
    except FaultError as problem:
        yield from _broken(problem.fault)


def _request(program: Program, capability: Capability, case: Case) -> Iterator[ExaminedStep]:
    request = encode(Request(case.id, capability.name, case.input))
    yield ExaminedStep(True, f"sent      {_line(request)}")
    exchange = program.ask(capability, case)
    yield from _outcome(capability, exchange, program.refused)


def _outcome(capability: Capability, exchange: Exchange, refused: bool) -> Iterator[ExaminedStep]:
    """What came of the request; a `failure` is as good a message as an answer."""
    yield from _queries(exchange.queries)
    if exchange.answer is not None:
        said = {"type": "answer", "id": exchange.id, "answer": exchange.answer}
        yield ExaminedStep(True, f"received  {_line(msgspec.json.encode(said))}")
        yield from form_of_answer(capability, exchange)
    elif refused and exchange.fault is not None:
        text = f"{exchange.fault.kind}: {exchange.fault.message}"
        yield ExaminedStep(
            True, f"received  a failure ({text}), so that there is no answer to examine"
        )
    else:
        fault = exchange.fault or Fault("ended", "there is no answer")
        yield from _broken(fault, exchange.id)


def _again(program: Program, capability: Capability, case: Case) -> Iterator[ExaminedStep]:
    """Whether the conversation goes on where the first request left it.

    Under another id, that is: a message too many is noticed where the next one is expected.
    """
    again = replace(case, id=f"{case.id}-again")
    yield ExaminedStep(True, f"sent      the same request under the id {again.id}")
    exchange = program.ask(capability, again)
    if program.broken and exchange.fault is not None:
        yield from _broken(exchange.fault, case.id)
    else:
        yield ExaminedStep(True, "received  one message that ends it, and none too many before")


def example_case(capability: Capability) -> Case:
    """The request with the least that is special about it; the shortest of those."""

    def rank(case: Case) -> tuple[int, int]:
        return len(case.flags), len(msgspec.json.encode(case.input))

    return min(edge_cases(capability), key=rank)


def _queries(queries: Sequence[Asked]) -> Iterator[ExaminedStep]:
    for asked in queries[:SHOWN]:
        pair = f"s = {asked.s}, a = {asked.a}" + (f", h = {asked.h}" if asked.h else "")
        sample = f"reward {asked.reward:g}, successor {asked.successor}"
        yield ExaminedStep(True, f"received  a query of {pair}; sent the sample {sample}")
    if len(queries) > SHOWN:
        yield ExaminedStep(
            True, f"received  {len(queries) - SHOWN} more queries, and answered them"
        )


def _broken(fault: Fault, request: str = "start") -> Iterator[ExaminedStep]:
    """A fault; whatever line it was seen in, and with whatever request, it is the same."""
    mistake = _but_for_numbers(f"{fault.kind}: {fault.message.replace(request, '')}")
    last = f"; last line: {fault.last}" if fault.last else ""
    fits = fault.kind in HINTS and INFINITY_HINT not in fault.message
    hint = f"\n          hint: {HINTS[fault.kind]}" if fits else ""
    yield ExaminedStep(False, f"{fault.kind}: {fault.message}{last}{hint}", mistake)


# Fields of an answer


def form_of_answer(capability: Capability, exchange: Exchange) -> Iterator[ExaminedStep]:
    """Each documented field of an answer, and then what the judge makes of them together."""
    answer = exchange.answer or {}
    sides = ArraySides.of(capability.input, exchange.input)
    steps = [
        _same_in(capability, _field(wanted, answer, sides), wanted.name)
        for wanted in capability.output
    ]
    yield from steps
    if all(step.ok for step in steps):
        yield _same_in(capability, _readable(capability, exchange), "answer")


def _same_in(capability: Capability, step: ExaminedStep, part: str) -> ExaminedStep:
    """A step that is known again if it is met in another answer of the capability."""
    if step.ok:
        return step
    return step._replace(mistake=f"{capability.name} {part}: {_but_for_numbers(step.text)}")


def _field(wanted: Field, answer: Fields, sides: ArraySides) -> ExaminedStep:
    """One documented field: is it there, and is it an array of the right form?"""
    form = _form(wanted)
    if wanted.name not in answer:
        found = (
            "is left out, as it may be" if wanted.optional else f"is missing; expected is {form}"
        )
        return ExaminedStep(wanted.optional, f"field     {wanted.name} {found}")
    value = answer[wanted.name]
    problem = _problem(wanted, value, sides)
    if problem:
        return ExaminedStep(
            False, f"field     {wanted.name} {problem}; expected is {form}: {wanted.says}"
        )
    return ExaminedStep(True, f"field     {wanted.name} is {form}")


def _form(wanted: Field) -> str:
    """What is expected, in words."""
    return _form_without_null(wanted) + (", or null" if wanted.nullable else "")


def _form_without_null(wanted: Field) -> str:
    one, several = FORMS[wanted.kind]
    if not wanted.shape:
        return one
    shape = "any number of" if wanted.shape == (ANY,) else " × ".join(wanted.shape)
    return f"a list of {shape} {several}"


def _problem(wanted: Field, value: Json, sides: ArraySides) -> str | None:
    if value is None and wanted.nullable:
        return None
    if not wanted.numeric:
        return None if _has_form(wanted, value) else f"is {quoted(in_json(value))}"
    try:
        found = array({wanted.name: value}, wanted.name)
    except MalformedError as reason:
        return f"cannot be read ({quoted(str(reason))})"
    if wanted.kind == "integer" and not (np.isfinite(found) & (found == np.round(found))).all():
        return "holds numbers that are no integers"
    return sides.mismatch(wanted.shape, found.shape)


def _has_form(wanted: Field, value: Json) -> bool:
    """Whether texts and objects are what they are called; the judge looks inside, and counts."""
    if value is None and wanted.optional:
        return True  # as good as left out
    match wanted.kind:
        case "text":
            return isinstance(value, str)
        case "list of objects":
            return isinstance(value, list) and all(isinstance(one, dict) for one in value)
        case _:
            return isinstance(value, dict)


@dataclass
class ArraySides:
    """How long the sides S, A, k, … of arrays are in one request."""

    lengths: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, fields: Sequence[Field], request: Fields) -> ArraySides:
        """Read off integers that bear the name of a side, arrays, and the first of the models."""
        sides = cls({name: value for name, value in request.items() if type(value) is int})
        if "components" in sides.lengths:
            sides.lengths["c"] = sides.lengths["components"]
        for given in fields:
            if given.numeric and given.shape:
                sides.take(given.shape, request, given.name)
        models = request.get("models")
        if isinstance(models, list) and models:
            sides.lengths["k"] = len(models)
            sides.take(("S", "A"), models[0], "p")
        return sides

    def take(self, shape: Sequence[str], fields: Fields, name: str) -> None:
        """The sides of one array."""
        found = zip(shape, array(fields, name).shape, strict=False)
        self.lengths |= {side: length for side, length in found if side != ANY}

    def mismatch(self, expected: tuple[str, ...], found: tuple[int, ...]) -> str | None:
        """What is wrong with a shape; a side of unknown length may have any."""
        wanted = [self.lengths.get(side) for side in expected]
        fits = len(expected) == len(found) and all(
            length in (None, size) for length, size in zip(wanted, found, strict=False)
        )
        if fits:
            return None
        text = " × ".join("?" if length is None else str(length) for length in wanted)
        got = " × ".join(map(str, found))
        return f"has the shape {got or 'of a number'}, not {text or 'of a number'}"


def _readable(capability: Capability, exchange: Exchange) -> ExaminedStep:
    """What the judge itself says about the form; what it thinks of the numbers is not asked."""
    try:
        assess(capability, exchange)
    except MalformedError as reason:
        return ExaminedStep(False, f"answer    cannot be judged: {quoted(str(reason))}")
    return ExaminedStep(True, f"answer    can be judged: `{capability.name}` is well formed")


def _line(message: bytes) -> str:
    return quoted(message, LETTERS)
