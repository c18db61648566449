"""A program behind pipes: ask it line by line, within limits, and always end it.

Limits, all stated in docs/protocol.md: time for each message, time for a whole request, length of
a line, number of samples, number of restarts, memory and processes of the program with all that
descends from it. Standard output is read no faster than it is asked for, so a program that floods
it only blocks itself; of standard error the first and the last bytes are kept. The program runs
in a process group of its own, which is killed as a whole, and so are descendants that left it: by
the system where it grants a sandbox, else one by one.
Nothing it prints is evaluated: lines are decoded as JSON of known shapes and otherwise quoted,
without control characters.
"""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import signal
import subprocess
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from ptum.checks.judge.judging.readings import Capability, Case, Sampler
from ptum.checks.judge.messages.protocol import (
    LONGEST_WORD,
    QUOTED,
    Answer,
    Failure,
    FromJudge,
    FromProgram,
    NoMessageError,
    QueryMessage,
    Ready,
    Request,
    SampleMessage,
    StartMessage,
    StopMessage,
    decode,
    encode,
    quoted,
)
from ptum.checks.judge.messages.transcript import GIVEN_UP, RAISED, Asked, Exchange, Fault
from ptum.checks.judge.programs.process_tree import ROUNDS, ProcessTree, ResourceMonitor
from ptum.checks.judge.programs.sandbox import Started, start

KEPT_OF_STDERR = 2000
"""Bytes of standard error that are kept, of its beginning and of its end."""

CHUNK = 65536
"""Bytes that are read at once."""

CAPACITY = 16
"""Chunks that a pipe may hold: a megabyte, where the system lets a program enlarge it."""

GRACE = 1.0
"""Seconds that a program has to exit after `stop`, or after it closed its output."""

GLANCE = 0.005
"""Seconds between two looks at whether a program is gone."""

MARK = "PTUM_JUDGE_CONVERSATION"
"""Environment variable by which descendants are known where orphans cannot be adopted."""


@dataclass(frozen=True)
class Limits:
    """What a program may use; seconds, bytes, counts, and memory in MiB.

    Answers and samples are kept until they are judged, so `line` and `samples` bound what the judge
    itself uses. Right answers stay below 8 000 bytes and 1 800 samples.
    """

    start: float = 30.0
    message: float = 10.0
    request: float = 120.0
    run: float = 3600.0
    line: int = 200_000
    samples: int = 20_000
    restarts: int = 12
    memory: int = 2048
    processes: int = 256
    privileges: bool = False


class FaultError(Exception):
    """The conversation broke down; what follows on the pipes cannot be trusted."""

    def __init__(self, kind: str, message: str, last: str = "") -> None:
        super().__init__(message)
        self.fault = Fault(kind, message, last)


@dataclass
class Kept:
    """The first and the last bytes of a long text: some programs say first what is wrong."""

    limit: int
    head: bytes = b""
    tail: bytes = b""

    def add(self, chunk: bytes) -> None:
        """More of it; what is neither first nor last is forgotten."""
        room = self.limit - len(self.head)
        self.head += chunk[:room]
        self.tail = (self.tail + chunk[room:])[-self.limit :]

    @property
    def shown(self) -> str:
        """All of it if it is short, else its beginning and its end, fit to print."""
        text = (self.head + self.tail).decode("utf-8", errors="backslashreplace").strip()
        if len(text) <= 2 * QUOTED:
            return quoted(text, 2 * QUOTED)
        return f"{quoted(text[:QUOTED])} … {quoted(text[-QUOTED:])}"


class Program:
    """One running program. Use it as a context: leaving it ends the program, whatever happened.

    `broken` says that the conversation cannot go on, `refused` that the last request ended with a
    `failure`, and `repeated` is, after the end, a message about a request that had its answer. The
    pipes do not block: whoever waits for one of them also empties standard error, so
    that the program never waits for that.
    """

    def __init__(self, command: str | Sequence[str], limits: Limits) -> None:
        self._limits = limits
        self._mark = uuid.uuid4().hex
        self._tree = ProcessTree()
        begun: Started | None = None
        try:
            begun = self._started = _started(command, self._mark, limits.privileges)
            self._process = self._started.process
            self._tree.track(self._process.pid, sandboxed=self._started.sandboxed)
            self._monitor = ResourceMonitor(self._tree, limits.memory, limits.processes)
            self._stdin, self._stdout, self._stderr = map(_unblocked, _pipes(self._process))
        except BaseException:  # an interrupt too: nobody else could end what has just begun
            self._tree.end()
            if begun is not None:
                begun.end_sandbox()
            raise
        self._received = bytearray()
        self._searched = 0
        self._closed: set[int] = set()
        self._errors = Kept(KEPT_OF_STDERR)
        self._last = ""
        self._answered = ""
        self._over = False
        self.broken = False
        self.refused = False
        self.repeated = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    # Talking

    def introduce(self) -> Ready:
        """Start the conversation."""
        self.send(StartMessage())
        message = self.receive(self._limits.start)
        if isinstance(message, Failure):
            raise self._fault(*_reason(message))
        if not isinstance(message, Ready):
            raise self._fault("out-of-order", "the first message must be `ready`")
        return message

    def ask(self, capability: Capability, case: Case) -> Exchange:
        """One request with all the samples it needs."""
        queries: list[Asked] = []
        self.refused = False
        try:
            message = self._conversation(capability, case, queries)
        except FaultError as problem:
            return _exchange(case, capability, queries, fault=problem.fault)
        self.refused = isinstance(message, Failure)
        if isinstance(message, Failure):
            fault = Fault(*_reason(message), self._last)
            return _exchange(case, capability, queries, fault=fault)
        unknown = sorted(set(message.answer) - {field.name for field in capability.output})
        if unknown:
            names = ", ".join(field.name for field in capability.output)
            text = f"unknown fields {quoted(', '.join(unknown))}; known are {names}"
            fault = Fault("malformed", text, self._last)
            return _exchange(case, capability, queries, fault=fault)
        return _exchange(case, capability, queries, answer=message)

    def _conversation(
        self, capability: Capability, case: Case, queries: list[Asked]
    ) -> Answer | Failure:
        over = time.monotonic() + self._limits.request
        self.send(Request(case.id, capability.name, case.input))
        sampler = case.sampler() if case.sampler is not None else None
        while True:
            left = over - time.monotonic()
            if left < self._limits.message:
                message = self.receive(left, f"no answer within {self._limits.request:g} s")
            else:
                message = self.receive(self._limits.message)
            if isinstance(message, Ready) or message.id != case.id:
                raise self._out_of_order(message, case)
            if not isinstance(message, QueryMessage):
                self._answered = case.id
                return message
            if sampler is None:
                raise self._fault("out-of-order", f"{capability.name} takes no samples")
            if len(queries) >= self._limits.samples:
                raise self._fault("too-many", f"more than {self._limits.samples} samples")
            self.send(self._sampled(sampler, message, queries))

    def _out_of_order(self, message: FromProgram, case: Case) -> FaultError:
        if not isinstance(message, Ready) and message.id == self._answered:
            text = f"{one_more(self._answered)},"
        else:
            text = "the message"
        return self._fault("out-of-order", f"{text} does not belong to the request {case.id!r}")

    def _sampled(
        self, sampler: Sampler, message: QueryMessage, queries: list[Asked]
    ) -> SampleMessage:
        try:
            reward, successor = sampler(message.h, message.s, message.a)
        except Exception as reason:
            raise self._fault("impossible-query", quoted(str(reason))) from None
        queries.append(Asked(message.h, message.s, message.a, reward, successor))
        return SampleMessage(reward, successor)

    def send(self, message: FromJudge) -> None:
        """Write one line; a program that does not read is given up after a while."""
        left = memoryview(encode(message))
        over = time.monotonic() + self._limits.message
        while left:
            written = self._write(left)
            if written is None:
                return  # nobody reads: what the program says last, or its end, tells why
            left = left[written:]
            if left and (time.monotonic() >= over or not self._wait(self._stdin, over)):
                self._read()
                self._quote_unread()
                seconds = f"{self._limits.message:g} s"
                raise self._fault("hangs", f"it does not read: {seconds} for one line")

    def receive(self, seconds: float, late: str = "") -> FromProgram:
        """Read one message within a time limit; `late` is what is said when it has passed."""
        late = late or f"no message within {seconds:.3g} s"
        line = self._line(time.monotonic() + seconds, late)
        self._last = quoted(line)
        try:
            return decode(line)
        except NoMessageError as reason:
            raise self._fault(reason.kind, quoted(str(reason))) from None

    # Ending

    def end(self) -> None:
        """Say goodbye and wait a moment, if there is still talk; then kill all that is left.

        Who interrupts twice may do so here, and does not want the program to go on either.
        """
        if self._over:
            return
        self._over = True
        try:
            self._say_goodbye()
        finally:
            _uninterrupted(self._kill)

    def _say_goodbye(self) -> None:
        if not self.broken:
            self._write(memoryview(encode(StopMessage())))  # in vain if it is gone already
        self._close(self._stdin)
        if not self.broken:
            self._wait_for_exit()
            self.repeated = self._second_answer()

    def _kill(self) -> None:
        """Nothing is left afterwards; what was done before may be done again."""
        self._monitor.end()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._tree.end()
        self._started.end_sandbox()
        _kill_marked(self._mark)
        self._close(self._stdout)
        self._close(self._stderr)

    def _wait_for_exit(self) -> None:
        """Let the program write what it likes until it is gone or time is over; a line is kept."""
        over = time.monotonic() + GRACE
        while self._process.poll() is None and time.monotonic() < over:
            if self._wait(self._stdout, time.monotonic() + GLANCE):
                self._read()
                del self._received[self._limits.line :]

    def _second_answer(self) -> str:
        """What came after the last answer, if it speaks of the same request; else nothing.

        Nobody asked for it, and no request follows at which it would be noticed.
        """
        if not self._answered:
            return ""
        for _ in range(CAPACITY):
            self._read()
        line = bytes(self._received).partition(b"\n")[0]
        try:
            message = decode(line[: self._limits.line])
        except NoMessageError:
            return ""
        again = not isinstance(message, Ready) and message.id == self._answered
        return quoted(line) if again else ""

    def _ended(self) -> FaultError:
        """No message will come: tell how the program ended, and what it said last."""
        self._quote_unread()
        self._wait_for_exit()
        if self._monitor.excess == "memory":
            text = f"used more than {self._limits.memory} MiB of memory"
            return self._fault("too-large", text)
        if self._monitor.excess == "processes":
            return self._fault("too-many", f"more than {self._limits.processes} processes")
        for _ in range(CAPACITY):
            self._read_errors()
        said = self._errors.shown
        text = f"the program {_manner(self._process.returncode)}"
        return self._fault("ended", f"{text}; stderr: {said}" if said else text)

    def _fault(self, kind: str, message: str) -> FaultError:
        self.broken = True
        return FaultError(kind, message, self._last)

    # Pipes

    def _line(self, over: float, late: str) -> bytes:
        """The next line; no more than one of the largest length is ever held."""
        while True:
            place = self._received.find(b"\n", self._searched)
            if place >= self._limits.line or (place < 0 and self._too_long()):
                self._quote_unread()
                raise self._fault("too-long", f"a line of more than {self._limits.line} bytes")
            if place >= 0:
                line = bytes(self._received[:place])
                del self._received[: place + 1]
                self._searched = 0
                return line
            self._searched = len(self._received)
            if self._stdout in self._closed:
                raise self._ended()
            if time.monotonic() >= over:
                raise self._silent(late)
            if self._wait(self._stdout, min(over, time.monotonic() + GRACE)):
                self._read()
            elif self._process.poll() is not None:
                raise self._ended()  # though a child of it keeps its output open

    def _too_long(self) -> bool:
        return len(self._received) >= self._limits.line

    def _silent(self, late: str) -> FaultError:
        text = late
        if self._received:
            text += f"; {len(self._received)} bytes without the end of the line"
        said = self._errors.shown
        text += f"; stderr: {said}" if said else ""
        self._quote_unread()
        return self._fault("hangs", text)

    def _quote_unread(self) -> None:
        """What was not read as a message is the last thing seen."""
        if self._received:
            self._last = quoted(bytes(self._received[: 4 * QUOTED]).partition(b"\n")[0])

    def _wait(self, pipe: int, over: float) -> bool:
        """Until a pipe can be used; False if time is over before. Empties standard error."""
        reading = [self._stdout] if pipe == self._stdout and pipe not in self._closed else []
        writing = [self._stdin] if pipe == self._stdin else []
        while True:
            errors = [self._stderr] if self._stderr not in self._closed else []
            seconds = min(max(over - time.monotonic(), 0.0), GRACE)  # `over` may be infinite
            readable, writable, _ = select.select(reading + errors, writing, [], seconds)
            if self._stderr in readable:
                self._read_errors()
            if pipe in readable or pipe in writable:
                return True
            if time.monotonic() >= over:
                return False

    def _read_errors(self) -> None:
        """Take what standard error holds, one chunk of it."""
        if self._stderr not in self._closed:
            self._errors.add(self._chunk(self._stderr))

    def _read(self) -> None:
        """Take what standard output holds, one chunk of it."""
        if self._stdout not in self._closed:
            self._received += self._chunk(self._stdout)

    def _chunk(self, pipe: int) -> bytes:
        try:
            chunk = os.read(pipe, CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            chunk = b""
        if not chunk:
            self._closed.add(pipe)
        return chunk

    def _write(self, data: memoryview) -> int | None:
        """How many bytes the pipe took; None if there is nobody at its other end."""
        try:
            return os.write(self._stdin, data)
        except BlockingIOError:
            return 0
        except OSError:
            return None

    def _close(self, pipe: int) -> None:
        self._closed.add(pipe)
        with contextlib.suppress(OSError):
            os.close(pipe)


def _uninterrupted(work: Callable[[], None]) -> None:
    """Work that is begun again when it is interrupted; the interrupt is obeyed when it is done."""
    wish: KeyboardInterrupt | None = None
    while True:
        try:
            work()
            break
        except KeyboardInterrupt as interrupt:
            wish = interrupt
    if wish is not None:
        raise wish


def one_more(identity: str) -> str:
    """What a second answer to a request is called."""
    return f"one more message of {identity!r}, which was answered before"


NOT_FOUND = "not-found"
"""The kind of fault of a command that cannot be started."""


def _started(command: str | Sequence[str], mark: str, privileges: bool) -> Started:
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as reason:
        raise FaultError(NOT_FOUND, f"the command cannot be split: {reason}") from None
    if not words:
        raise FaultError(NOT_FOUND, "the command is empty")
    try:
        return start(words, {**os.environ, MARK: mark}, privileges)
    except (OSError, ValueError) as reason:
        text = reason.strerror if isinstance(reason, OSError) else str(reason)
        hint = "; no shell is used: write sh -c '…'" if _for_a_shell(words) else ""
        raise FaultError(NOT_FOUND, f"cannot start {words[0]!r}: {text}{hint}") from None


def _for_a_shell(words: Sequence[str]) -> bool:
    """Whether a command sets a variable, or is a pipeline or a sequence of commands."""
    return "=" in words[0] or any(mark in word for word in words for mark in "|&;<>")


def _pipes(process: subprocess.Popen[bytes]) -> tuple[int, int, int]:
    """Descriptors of standard input, output and error, detached from their Python objects."""
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise ValueError("the program was started without pipes")
    stdin, stdout, stderr = (
        os.dup(pipe.fileno()) for pipe in (process.stdin, process.stdout, process.stderr)
    )
    for pipe in (process.stdin, process.stdout, process.stderr):
        pipe.close()
    return stdin, stdout, stderr


def _unblocked(pipe: int) -> int:
    os.set_blocking(pipe, False)
    return pipe


def _kill_marked(mark: str) -> None:
    """End descendants in sessions of their own: they still carry the mark (where /proc tells)."""
    for _ in range(ROUNDS):
        marked = _marked(f"{MARK}={mark}".encode())
        if not marked:
            return
        for process in marked:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)


def _marked(mark: bytes) -> list[int]:
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if mark in environment.read_bytes().split(b"\0"):
                found.append(int(environment.parent.name))
    return found


def _reason(message: Failure) -> tuple[str, str]:
    """Kind and message of a failure, fit to print; `given-up` is a word of the judge alone."""
    kind = quoted(message.kind, LONGEST_WORD)
    text = quoted(message.message) or "the program does not say why"
    return RAISED if kind in ("", GIVEN_UP) else kind, text


def _manner(code: int | None) -> str:
    if code is None:
        return "closed its standard output"
    if code >= 0:
        return f"ended (exit code {code})"
    with contextlib.suppress(ValueError):  # some signals have no name
        return f"was killed by signal {-code} ({signal.Signals(-code).name})"
    return f"was killed by signal {-code}"


def _exchange(
    case: Case,
    capability: Capability,
    queries: Sequence[Asked],
    answer: Answer | None = None,
    fault: Fault | None = None,
) -> Exchange:
    said = None if answer is None else answer.answer
    return Exchange(case.id, capability.name, case.input, said, fault, tuple(queries))
