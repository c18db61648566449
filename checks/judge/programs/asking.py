"""Put all cases to a program behind pipes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from ptum.checks.judge.capabilities import NAMES, capabilities
from ptum.checks.judge.judging.readings import Capability, Case
from ptum.checks.judge.messages.protocol import Ready, quoted
from ptum.checks.judge.messages.transcript import GIVEN_UP, Exchange, Fault, TranscriptHeader
from ptum.checks.judge.programs.process import FaultError, Limits, Program, one_more

PATIENCE = 3
"""Breakdowns of one capability after which it is asked no more."""

STRANGE = 10
"""Unknown capabilities that are listed; a program may name thousands."""

UNKNOWN = "unknown-capability"
"""The kind of fault of a claim that nobody can judge."""

ONCE_MORE = "once more"
"""What a retry is called while it is watched."""


def cases_of(capability: Capability, seed: int, wanted: Sequence[str] = ()) -> Iterator[Case]:
    """The cases of one capability, or those of them that are named."""
    return (case for case in capability.cases(seed) if not wanted or case.id in wanted)


def edge_cases(capability: Capability) -> list[Case]:
    """The cases that have a name of their own: the same for every seed."""
    return [case for case in capability.cases(0) if "/drawn-" not in case.id]


@dataclass
class Conversation:
    """A program that is asked case by case, and started again when it breaks down."""

    command: str | Sequence[str]
    limits: Limits
    seed: int
    watch: Callable[[str], None]
    announce: Callable[[int], None] = lambda _: None
    exchanges: list[Exchange] = field(default_factory=list)
    retries: list[Exchange] = field(default_factory=list)
    _program: Program | None = None
    _breakdowns: int = 0
    _breakdowns_of_capability: int = 0
    _put: int = 0
    """Requests that were put to the program that runs now."""
    _over: float = math.inf

    def run(
        self, only: Sequence[str], wanted: Sequence[str]
    ) -> tuple[TranscriptHeader, list[Exchange]]:
        """Ask everything that the program says it can do; a fault at the start is raised."""
        self._over = time.monotonic() + self.limits.run
        try:
            _, ready = self._start()
            claimed = [name for name in NAMES if name in ready.capabilities]
            chosen = [capabilities()[name] for name in claimed if not only or name in only]
            cases = {c.name: list(cases_of(c, self.seed, wanted)) for c in chosen}
            self.announce(sum(map(len, cases.values())))
            for capability in chosen:
                self._ask(capability, cases[capability.name])
        finally:
            repeated = self._end()
        if repeated:
            self._spoil_last(repeated)
        self._complain_of_unknown(ready.capabilities)
        selected = only or sorted({identity.partition("/")[0] for identity in wanted})
        return header_of(ready, self.seed, tuple(selected)), self.exchanges

    def alone(self, capability: Capability, identity: str) -> Exchange | None:
        """A case once more, as the only one of a fresh program; None if the limits are used up.

        A breakdown counts like any other.
        """
        if self._reason_to_give_up() is not None:
            return None
        (case,) = cases_of(capability, self.seed, (identity,))
        self.announce(len(self.exchanges) + len(self.retries) + 1)
        try:
            exchange = replace(self._exchange(capability, case), alone=True)
        finally:
            repeated = self._end()
        if repeated:
            exchange = _answered_twice(exchange, repeated)
        self.retries.append(exchange)
        self.watch(f"{ONCE_MORE}/{identity}")
        return exchange

    def _ask(self, capability: Capability, cases: Sequence[Case]) -> None:
        self._breakdowns_of_capability = 0
        for case in cases:
            reason = self._reason_to_give_up(self._breakdowns_of_capability)
            if reason is None:
                exchange = self._exchange(capability, case)
            else:
                fault = Fault(GIVEN_UP, reason)
                exchange = Exchange(case.id, capability.name, case.input, None, fault)
            self.exchanges.append(exchange)
            self.watch(exchange.id)

    def _reason_to_give_up(self, breakdowns: int = 0) -> str | None:
        """Why nothing more is asked of a capability that broke down so often."""
        if breakdowns >= PATIENCE or self._breakdowns >= self.limits.restarts:
            return f"asked no more after {self._breakdowns} breakdowns"
        if time.monotonic() >= self._over:
            return f"asked no more after {self.limits.run:g} s"
        return None

    def _exchange(self, capability: Capability, case: Case) -> Exchange:
        """One request; afterwards there is no program if the conversation broke down."""
        try:
            program = self._program or self._start()[0]
            exchange = program.ask(capability, case)
        except FaultError as problem:
            exchange = Exchange(case.id, capability.name, case.input, None, problem.fault)
        exchange = replace(exchange, before=self._put)
        self._put += 1
        if self._program is None or self._program.broken:
            self._breakdowns += 1
            self._breakdowns_of_capability += 1
            self._end()
        return exchange

    def _start(self) -> tuple[Program, Ready]:
        """A fresh program, which is to be ended even if it does not introduce itself."""
        self._program = program = Program(self.command, self.limits)
        return program, program.introduce()

    def _end(self) -> str:
        """No program runs afterwards; the second answer to its last request, if there was one."""
        program, self._program, self._put = self._program, None, 0
        if program is None:
            return ""
        program.end()
        return program.repeated

    def _spoil_last(self, line: str) -> None:
        """The last request that was made, whatever was given up after it, had two answers."""
        place = max(i for i, exchange in enumerate(self.exchanges) if not exchange.given_up)
        self.exchanges[place] = _answered_twice(self.exchanges[place], line)

    def _complain_of_unknown(self, named: Sequence[str]) -> None:
        fault = Fault(UNKNOWN, f"the judge knows {', '.join(NAMES)}")
        strange = [quoted(name) for name in named if name not in NAMES]
        for name in strange[:STRANGE]:
            self.exchanges.append(Exchange(f"{name}/-", name, {}, None, fault))


def _answered_twice(exchange: Exchange, line: str) -> Exchange:
    """A request with one message too many, which nobody would take for its answer."""
    fault = Fault("out-of-order", one_more(exchange.id), line)
    return replace(exchange, answer=None, fault=fault)


def header_of(ready: Ready, seed: int, selected: tuple[str, ...] = ()) -> TranscriptHeader:
    """How a program introduced itself, shortened and fit to print."""
    known = tuple(name for name in NAMES if name in ready.capabilities)
    strange = [quoted(name) for name in ready.capabilities if name not in NAMES]
    return TranscriptHeader(
        quoted(ready.name),
        quoted(ready.version),
        quoted(ready.language),
        (*known, *strange[:STRANGE]),
        seed,
        selected=selected,
    )
