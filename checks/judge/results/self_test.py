"""The self-test of the judge: every slip is caught, every conforming implementation passes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import msgspec

from ptum.checks.judge.capabilities import NAMES, Implementation, capabilities, conforming
from ptum.checks.judge.capabilities.transfer.ptum import engine_exchange
from ptum.checks.judge.judging.items import Telling, telling
from ptum.checks.judge.judging.readings import Capability, Case
from ptum.checks.judge.judging.verdicts import Conformity, Judgement, judge_capability
from ptum.checks.judge.messages.transcript import RAISED, Exchange
from ptum.checks.judge.programs.subjects import ask
from ptum.checks.judge.slips import Slip
from ptum.checks.text.schema_docs import means


class Caught(msgspec.Struct, frozen=True, kw_only=True):
    """One slip: what it breaks, by what it was caught, and how the two relate."""

    id: Annotated[str, means("id of the slip")]
    capability: Annotated[str, means("the capability that it implements")]
    breaks: Annotated[str, means("the place of the paper that it breaks")]
    caught: Annotated[bool, means("whether the judge accused it")]
    caught_by: Annotated[str, means("the place by which it was accused; empty if it was not")]
    telling: Annotated[
        Telling, means("whether that place is the broken one, one of several, or another")
    ]


class Passed(msgspec.Struct, frozen=True, kw_only=True):
    """One conforming implementation."""

    id: Annotated[str, means("id of the implementation")]
    passes: Annotated[bool, means("whether the judge let it pass")]


class SelfTest(msgspec.Struct, frozen=True, kw_only=True):
    """Output of `ptum validate --slips --json`."""

    slips: Annotated[list[Caught], means("one entry per slip")] = msgspec.field(name="known_bad")
    conforming: Annotated[list[Passed], means("one entry per conforming implementation")] = (
        msgspec.field(name="good")
    )

    @property
    def passes(self) -> bool:
        """Every slip is caught and named by its place, nothing that conforms is accused."""
        named = all(slip.caught and slip.telling != Telling.MISSED for slip in self.slips)
        return named and all(one.passes for one in self.conforming)


@dataclass(frozen=True)
class Conforming:
    """A conforming implementation of one capability."""

    id: str
    capability: str
    implementation: Implementation | None

    def exchanges(self, seed: int) -> tuple[Exchange, ...]:
        """All its answers."""
        return tuple(map(self.exchange, capabilities()[self.capability].cases(seed)))

    def exchange(self, case: Case) -> Exchange:
        """One answer; the engine draws its samples itself."""
        if self.implementation is None:
            return engine_exchange(case)
        return ask(capabilities()[self.capability], case, self.implementation)


def all_conforming() -> Iterator[Conforming]:
    """Literal code, repaired code, the fast engine and every admissible variant."""
    for name in NAMES:
        for maker, implementation in conforming(name).items():
            yield Conforming(f"{name}/{maker}", name, implementation)
        if name == "ptum":
            yield Conforming(f"{name}/engine", name, None)


def caught(slip: Slip, seed: int) -> Caught:
    """Judge one slip; one case that no reading explains is enough.

    A slip has to be seen in an answer: code that raises is no slip, whatever else is wrong with it.
    """
    capability = capabilities()[slip.capability]
    judgement = _first_accusation(capability, slip.implementation, seed)
    return Caught(
        id=slip.id,
        capability=slip.capability,
        breaks=str(slip.breaks),
        caught=judgement is not None,
        caught_by="" if judgement is None else _by(judgement),
        telling=_telling(slip, judgement),
    )


def _first_accusation(
    capability: Capability, implementation: Implementation, seed: int
) -> Judgement | None:
    """Ask case by case until the answers so far cannot be right."""
    exchanges: list[Exchange] = []
    left = frozenset(capability.readings)
    for case in capability.cases(seed):
        exchange = ask(capability, case, implementation)
        if exchange.fault is not None and exchange.fault.kind == RAISED:
            continue
        exchanges.append(exchange)
        judgement = judge_capability(capability, [exchange])
        left &= judgement.explained_by
        if not left:
            return judge_capability(capability, exchanges)
    return None


def _telling(slip: Slip, judgement: Judgement | None) -> Telling:
    if judgement is None or judgement.finding is None:
        return Telling.MISSED
    return telling(slip.breaks, judgement.finding.item)


def _by(judgement: Judgement) -> str:
    case = "" if judgement.case is None else f"{judgement.case.id}: "
    if judgement.finding is not None:
        return f"{case}{judgement.finding.item}"
    return f"{case}{judgement.fault.kind if judgement.fault else judgement.verdict}"


def passed(one: Conforming, seeds: Sequence[int]) -> Passed:
    """Judge one conforming implementation on every seed."""
    capability = capabilities()[one.capability]
    fine = all(
        judge_capability(capability, one.exchanges(seed)).verdict is Conformity.CONFORMS
        for seed in seeds
    )
    return Passed(id=one.id, passes=fine)
