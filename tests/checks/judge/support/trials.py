"""What the tests of all capabilities have in common: ask, judge, and spoil an answer a little."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

import msgspec

from ptum.checks.judge.capabilities import Implementation, capabilities, conforming
from ptum.checks.judge.judging.items import Telling, telling
from ptum.checks.judge.judging.readings import (
    Assessment,
    Capability,
    Case,
    Finding,
    Judge,
    assess,
    seen,
    shared,
)
from ptum.checks.judge.judging.verdicts import judge_capability
from ptum.checks.judge.messages.transcript import Asked, Exchange, Fields, Json
from ptum.checks.judge.programs import asking
from ptum.checks.judge.programs.subjects import ask
from ptum.checks.judge.results import self_test
from ptum.checks.judge.slips import Slip

SEEDS = (0, 1, 2)


@cache
def edge_cases(capability: Capability) -> tuple[Case, ...]:
    """`asking.edge_cases`, made once."""
    return tuple(asking.edge_cases(capability))


@cache
def drawn_cases(capability: Capability, seed: int) -> tuple[Case, ...]:
    """The cases that belong to one seed."""
    return tuple(case for case in capability.cases(seed) if "/drawn-" in case.id)


def case_named(capability: Capability, name: str) -> Case:
    """One case by the end of its id."""
    return next(c for c in edge_cases(capability) if c.id == f"{capability.name}/{name}")


def edge_cases_of(slip: Slip) -> tuple[Case, ...]:
    """Those of the capability that a slip belongs to."""
    return edge_cases(capabilities()[slip.capability])


def drawn_for_all_seeds(capability: Capability) -> tuple[Case, ...]:
    """The cases that belong to any of the seeds."""
    return tuple(case for seed in SEEDS for case in drawn_cases(capability, seed))


def options_seen(
    capability: Capability, implementation: Implementation, edges: Iterable[Case] | None = None
) -> Mapping[str, tuple[str, ...]]:
    """The options left after the draws of all seeds and all edge cases, or some of them.

    No answer may be wrong.
    """
    chosen = edge_cases(capability) if edges is None else edges
    cases = (*chosen, *drawn_for_all_seeds(capability))
    left = shared(
        [_assessed(capability, case, implementation) for case in cases], capability.readings
    )
    assert left, "no reading explains all answers"
    return seen(left)


def _assessed(capability: Capability, case: Case, implementation: Implementation) -> Assessment:
    exchange = ask(capability, case, implementation)
    assert exchange.fault is None, (case.id, exchange.fault)
    found = assess(capability, exchange)
    assert found.agrees, (case.id, found.finding)
    return found


def assert_caught(slip: Slip) -> None:
    """No reading excuses the slip, edge cases show it, and the report names what it breaks."""
    asked = 0

    def counted(**request: object) -> object:
        nonlocal asked
        asked += 1
        return slip.implementation(**request)

    found = self_test.caught(replace(slip, implementation=counted), 0)
    assert found.caught, f"{slip.id} passes"
    edges = edge_cases(capabilities()[slip.capability])
    assert asked <= len(edges), f"only a drawn case shows {slip.id}"
    assert found.telling != Telling.MISSED, (slip.id, slip.breaks, found.caught_by)


def assert_caught_by(slip: Slip, cases: Iterable[Case]) -> None:
    """The same for whole runs, which take long: by cases that come in an order of one's own.

    The order may change the place that is told, not whether the slip is caught.
    """
    capability = _judging_once(capabilities()[slip.capability])
    exchanges: list[Exchange] = []
    left = frozenset(capability.readings)
    for case in cases:
        exchanges.append(answered(capability, case, slip.implementation))
        left &= assess(capability, exchanges[-1]).agrees
        if not left:
            break
    assert not left, f"{slip.id} passes as {seen(left)}"
    finding = judge_capability(capability, exchanges).finding
    assert finding is not None
    assert telling(slip.breaks, finding.item) is not Telling.MISSED, (slip.id, finding)


def _judging_once(capability: Capability) -> Capability:
    """A capability that remembers what it found wrong with an answer, as long as that is kept."""
    known: dict[int, Judge] = {}

    def judge(request: Fields, answer: Fields, queries: Sequence[Asked]) -> Judge:
        if id(answer) not in known:
            known[id(answer)] = cache(capability.judge(request, answer, queries))
        return known[id(answer)]

    return replace(capability, judge=judge)


def finding_of(capability: Capability, request: Fields, answer: Fields) -> Finding | None:
    """What is wrong with an answer in the literal reading."""
    return capability.judge(request, answer, ())(capability.readings[0])


def told(capability: Capability, request: Fields, answer: Fields) -> Finding:
    """The same where something is wrong."""
    found = finding_of(capability, request, answer)
    assert found is not None
    return found


def answered(capability: Capability, case: Case, implementation: Implementation) -> Exchange:
    """An exchange with an answer."""
    exchange = ask(capability, case, implementation)
    assert exchange.answer is not None, exchange.fault
    return exchange


def shifted(answer: Fields, field: str, by: float) -> Fields:
    """The same answer with one finite entry of one field moved."""
    return {**answer, field: _moved(answer[field], by)[0]}


def _moved(entry: Json, by: float) -> tuple[Json, bool]:
    """The entry with its first finite number moved, and whether there was one."""
    if isinstance(entry, int | float) and math.isfinite(entry):
        return entry + by, True
    if isinstance(entry, list):
        for i, part in enumerate(entry):
            moved, done = _moved(part, by)
            if done:
                return [*entry[:i], moved, *entry[i + 1 :]], True
    return entry, False


def assert_tolerance_bites(capability: Capability, name: str) -> None:
    """A tenth of the tolerance goes unnoticed in every field, ten times as much does not."""
    request, answer = literal_answer(capability, name)
    for field, allowed in capability.tolerance(request).items():
        for sign in (-1, 1):
            inside = finding_of(capability, request, shifted(answer, field, sign * allowed / 10))
            outside = finding_of(capability, request, shifted(answer, field, sign * allowed * 10))
            assert inside is None, (name, inside)
            assert outside is not None, (name, field)
            assert outside.what.startswith(field), outside


def assert_well_formed(capability: Capability, least: int = 22) -> None:
    """Ids are unique, edge cases stable and enough, requests plain JSON, flags explained."""
    first, second = list(capability.cases(0)), list(capability.cases(1))
    ids = [case.id for case in first]
    assert len(set(ids)) == len(ids)
    edges = edge_cases(capability)
    assert len(edges) >= least
    assert [case.id for case in second][: len(edges)] == [case.id for case in edges]
    assert [case.input for case in second][: len(edges)] == [case.input for case in edges]
    names = [field.name for field in capability.input]
    for case in (*first, *second[len(edges) :]):
        assert case.id.startswith(f"{capability.name}/")
        assert sorted(case.input) == sorted(names)
        assert msgspec.json.decode(msgspec.json.encode(case.input)) == case.input
        assert set(case.flags) <= set(capability.flags), case.id
    assert {case.id for case in drawn_cases(capability, 0)}.isdisjoint(
        case.id for case in drawn_cases(capability, 1)
    )


def without(answer: Fields, field: str) -> Fields:
    """An answer that lacks a field."""
    return {name: value for name, value in answer.items() if name != field}


def literal_of(capability: Capability) -> Implementation:
    """The literal implementation."""
    return conforming(capability.name)["literal"]


def literal_answer(capability: Capability, name: str) -> tuple[Fields, Fields]:
    """Request and right answer of one case."""
    exchange = answered(capability, case_named(capability, name), literal_of(capability))
    assert exchange.answer is not None
    return exchange.input, exchange.answer
