"""A Python subject as a program: `python -P -m ptum.checks.judge.programs.host module:attribute`.

It speaks the judge's protocol on standard input and output, so that a subject that hangs or
crashes takes nobody with it. The subject itself gets neither of the two: what it prints goes to
standard error, and what it reads is empty. With -P the judge's own package is found before what is
in the current directory; a subject that has a `ptum` of its own there gets that one.
"""

from __future__ import annotations

import importlib
import math
import os
import sys
from collections.abc import Callable
from importlib.machinery import PathFinder
from pathlib import Path
from typing import IO

import msgspec

from ptum.checks.judge.capabilities import capabilities
from ptum.checks.judge.judging.readings import Case, Sampler
from ptum.checks.judge.messages.protocol import (
    PROTOCOL,
    Answer,
    Failure,
    FromJudge,
    FromProgram,
    QueryMessage,
    Ready,
    Request,
    SampleMessage,
    StartMessage,
    StopMessage,
    encode,
)
from ptum.checks.judge.messages.transcript import RAISED, Fields
from ptum.checks.judge.programs.subjects import ask_subject, claimed, raised

OURS = "ptum"

NO_SUBJECT, UNKNOWN_SUBJECT = "no-subject", "unknown-subject"
"""Kinds of faults: the object cannot be loaded, or there is none of that name."""


class UnknownSubjectError(Exception):
    """No such module, or no such object in it."""


class HungUpError(BaseException):
    """The judge is gone, or does not keep to the protocol; no subject can catch this by mistake."""


class Pipe:
    """The two ends of the conversation."""

    def __init__(self, reading: IO[bytes], writing: IO[bytes]) -> None:
        self._reading, self._writing = reading, writing

    def receive(self) -> FromJudge:
        """The next message; the end of the input is a stop."""
        line = self._reading.readline()
        return msgspec.json.decode(line, type=FromJudge) if line else StopMessage()

    def send(self, message: FromProgram) -> None:
        """One line."""
        try:
            self._writing.write(encode(message))
            self._writing.flush()
        except BrokenPipeError:
            raise HungUpError("the judge does not listen") from None


def subject_of(path: str) -> object:
    """The object that `module:attribute` names; a class is called, `subject` is the default."""
    module_name, _, attribute = path.partition(":")
    sys.path.insert(0, str(Path.cwd()))
    _make_room()
    found: object = _module(module_name)
    for name in (attribute or "subject").split("."):
        try:
            found = getattr(found, name)
        except AttributeError as reason:
            raise UnknownSubjectError(f"{raised(reason)}; give MODULE:OBJECT") from reason
    return found() if isinstance(found, type) else found


def _make_room() -> None:
    """Whoever wrote PTUM may well have called it `ptum`: the name is theirs from now on.

    All that the host needs of our package is loaded by now and stays so under no name.
    """
    theirs = PathFinder.find_spec(OURS, [str(Path.cwd())])
    if theirs is None or theirs.origin in (None, sys.modules[OURS].__file__):
        return
    for name in [name for name in sys.modules if name.partition(".")[0] == OURS]:
        del sys.modules[name]


def _module(name: str) -> object:
    """A module; the error says what to do if it is a file, or a folder called like our package."""
    try:
        return importlib.import_module(name)
    except (ModuleNotFoundError, TypeError) as reason:  # the latter for a path like ./program
        missing = reason.name or "" if isinstance(reason, ModuleNotFoundError) else ""
        if not (f"{name}.".startswith(f"{missing}.") or name.startswith(".")):
            raise  # a module that theirs imports
        if Path(name).is_file():
            here = f"{Path(name).stem}:OBJECT from its folder" if name.endswith(".py") else ""
            text = "is a file: a program is judged with --command, an object is MODULE:OBJECT"
            raise UnknownSubjectError(f"{text}{here and f', here {here}'}") from reason
        hint = ""
        if name.partition(".")[0] == OURS:
            hint = f"; {OURS} is the installed package: rename your folder, or give it an"
            hint += " __init__.py"
        raise UnknownSubjectError(f"{raised(reason)}{hint}") from reason


def serve(load: Callable[[], object], pipe: Pipe) -> None:
    """Answer until the judge stops; the subject is loaded when the judge starts."""
    subject: object = None
    while True:
        message = pipe.receive()
        match message:
            case StartMessage():
                try:
                    capabilities()  # loaded now: time for a request is the subject's alone
                    subject = load()
                    greeting = _ready(subject)
                except UnknownSubjectError as reason:
                    pipe.send(Failure("start", str(reason), UNKNOWN_SUBJECT))
                    return
                except BaseException as reason:
                    pipe.send(Failure("start", raised(reason), NO_SUBJECT))
                    return
                pipe.send(greeting)
            case Request():
                pipe.send(_answer(subject, message, pipe))
            case StopMessage():
                return
            case SampleMessage():
                raise HungUpError("a sample that nobody asked for")


def _ready(subject: object) -> Ready:
    name = str(getattr(subject, "name", type(subject).__name__))
    version = str(getattr(subject, "version", "-"))
    return Ready(PROTOCOL, name, version, "Python", claimed(subject))


def _answer(subject: object, request: Request, pipe: Pipe) -> Answer | Failure:
    """The answer, or what went wrong; only the judge's absence goes through."""
    try:
        return _called(subject, request, pipe)
    except HungUpError:
        raise
    except BaseException as reason:  # SystemExit too: the subject's end is not the host's
        return Failure(request.id, raised(reason), RAISED)


def _called(subject: object, request: Request, pipe: Pipe) -> Answer | Failure:
    capability = capabilities()[request.capability]
    sampler = _asking(request.id, pipe) if capability.samples else None
    case = Case(request.id, request.input, (), (lambda: sampler) if sampler else None)
    exchange = ask_subject(subject, capability, case)
    if exchange.fault is not None:
        return Failure(request.id, exchange.fault.message, exchange.fault.kind)
    answer = exchange.answer or {}
    problem = _unspeakable(answer)
    if problem:
        return Failure(request.id, problem, "malformed")
    return Answer(request.id, answer)


def _unspeakable(answer: Fields) -> str | None:
    """What JSON cannot say, and an encoder would turn into something else."""
    for name, value in answer.items():
        if _holds_nan(value):
            return f"{name} holds NaN"
    try:
        encode(Answer("", answer))
    except (ValueError, TypeError) as reason:
        return f"the answer has no JSON form: {reason}"
    return None


def _holds_nan(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_nan, value.values()))
    if isinstance(value, list):
        return any(map(_holds_nan, value))
    return isinstance(value, float) and math.isnan(value)


def _asking(identity: str, pipe: Pipe) -> Sampler:
    def sampler(h: int, s: int, a: int) -> tuple[float, int]:
        pipe.send(QueryMessage(identity, s, a, h))
        answer = pipe.receive()
        if not isinstance(answer, SampleMessage):
            raise HungUpError("the judge did not answer with a sample")
        return answer.reward, answer.successor

    return sampler


def main(path: str) -> None:
    """Keep the real pipes for the conversation, out of the subject's way."""
    reading, writing = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    try:
        serve(lambda: subject_of(path), Pipe(reading, writing))
    except HungUpError as reason:
        raise SystemExit(str(reason)) from None


if __name__ == "__main__":
    main(sys.argv[1])
