"""Small programs for tests: a well-behaved one, of which one behaviour is replaced."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from ptum.checks.judge import examples
from ptum.checks.judge.messages.transcript import Exchange, TranscriptHeader
from ptum.checks.judge.programs.asking import Conversation
from ptum.checks.judge.programs.process import Limits
from ptum.checks.judge.programs.sandbox import start

CASES = ("widths/ordinary", "widths/one-model", "widths/five-models")
"""Requests that the programs are asked; the faulty ones stumble over the second."""

BAD = CASES[1]

PREAMBLE = f"""
import json, os, signal, subprocess, sys
sys.dont_write_bytecode = True
sys.path.insert(0, {str(Path(examples.__file__).parent / "python")!r})
from harness import answer, receive, send, text_for_infinity

CAPABILITIES = ["widths"]
BAD = {BAD!r}
here = os.path.dirname(os.path.abspath(__file__))

def note(name, text):
    with open(os.path.join(here, name), "a") as file:
        file.write(text + "\\n")

note("starts", "once more")
held = os.open(os.path.join(here, "held"), os.O_CREAT | os.O_WRONLY)  # by descendants too

def hang():
    while True:
        signal.pause()

def greet(**changes):
    message = dict(type="ready", protocol="ptum-stdio/1", name="test", version="0",
                   language="Python", capabilities=CAPABILITIES)
    send(message | changes)

def right(request):
    found = answer(request["capability"], request["input"], request["id"])
    return {{"type": "answer", "id": request["id"], "answer": text_for_infinity(found)}}

def respond(request):
    send(right(request))

def goodbye():
    note("goodbye", "stop")
"""

LOOP = """
while True:
    message = receive()
    if message["type"] == "start":
        greet()
    elif message["type"] == "request":
        respond(message)
    else:
        goodbye()
        break
"""

STUMBLES = """
def respond(request):
    send(right(request)) if request["id"] != BAD else stumble(request)
"""


def program(directory: Path, changes: str) -> list[str]:
    """A command: the well-behaved program, with some of its functions defined anew."""
    script = directory / "program.py"
    script.write_text(PREAMBLE + changes + LOOP)
    return [sys.executable, str(script)]


def stumbling(directory: Path, body: str) -> list[str]:
    """A program that does something else when it is asked the second case."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return program(directory, f"{STUMBLES}\ndef stumble(request):\n{lines}")


def conversation(command: str | Sequence[str], limits: Limits) -> Conversation:
    return Conversation(command, limits, 0, lambda _: None)


def asked(
    command: str | Sequence[str], limits: Limits | None = None, wanted: Sequence[str] = CASES
) -> tuple[TranscriptHeader, dict[str, Exchange]]:
    """Put some cases to a program."""
    header, exchanges = conversation(command, limits or Limits()).run((), wanted)
    return header, {exchange.id: exchange for exchange in exchanges}


def noted(directory: Path, name: str) -> list[str]:
    """What programs wrote down, one line for each time."""
    file = directory / name
    return file.read_text().splitlines() if file.exists() else []


def ends(process: int) -> bool:
    """Whether a process is gone, or goes while we look; it never does if nobody ended it."""
    try:
        descriptor = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], 20.0)[0])
    finally:
        os.close(descriptor)


def holders(directory: Path) -> list[int]:
    """Programs of this directory and their descendants: whoever holds the file that they opened.

    The numbers that they know themselves by need not be those that we know them by.
    """
    held = str((directory / "held").resolve())
    found = []
    for handles in Path("/proc").glob("[0-9]*/fd"):
        with suppress(OSError):  # it is gone, or not ours
            if any(str(handle.readlink()) == held for handle in handles.iterdir()):
                found.append(int(handles.parent.name))
    return found


def all_ended(directory: Path) -> bool:
    return all(map(ends, holders(directory)))


@cache
def granted() -> bool:
    """Whether this system grants sandboxes."""
    started = start(["true"], os.environ, privileges=False)
    started.process.communicate()
    started.end_sandbox()
    return started.sandboxed
