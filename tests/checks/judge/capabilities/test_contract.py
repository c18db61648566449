"""What every capability has to satisfy, whatever it asks for.

Where they differ `support.contracts` says how; what one of them alone needs has a file of its own.
Whole runs take long: conforming ones are asked here the cases that tell them apart and drawn ones,
and `test_vectors` looks at their answers to all edge cases.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ptum.checks.judge import capabilities as package
from ptum.checks.judge.capabilities import FOLDERS, NAMES, capabilities, conforming
from ptum.checks.judge.messages.fields import ANY, Field, MalformedError
from ptum.checks.judge.messages.transcript import Json
from ptum.checks.judge.plain.views import VIEWS
from ptum.checks.judge.slips import Slip, slips, unseen_slips
from ptum.checks.judge.slips.unseen import UNSEEN
from ptum.checks.verdicts.registry import import_below
from tests.checks.judge.support import trials
from tests.checks.judge.support.contracts import CONTRACTS, cost
from tests.checks.judge.support.entries import assert_every_entry_counts

CONFORMING = [(name, made) for name in NAMES for made in conforming(name)]
FIELDS = [
    (name, field)
    for name in NAMES
    for field in capabilities()[name].output
    if field.numeric and name != "ptum"
]


def test_every_module_of_a_capability_is_listed_in_folders() -> None:
    modules = [module for module in import_below(package) if hasattr(module, "CAPABILITY")]
    found = {name: folder for *_, folder, name in (m.__name__.split(".") for m in modules)}
    assert found == FOLDERS, "checks/judge/capabilities/__init__.py lists them in FOLDERS"


def test_every_capability_has_a_contract() -> None:
    assert list(CONTRACTS) == list(NAMES), "tests/checks/judge/support/contracts.py has one each"


@pytest.mark.parametrize("name", NAMES)
def test_cases_are_well_formed(name: str) -> None:
    trials.assert_well_formed(capabilities()[name], CONTRACTS[name].least)


@pytest.mark.parametrize(("name", "made"), CONFORMING, ids=map("/".join, CONFORMING))
def test_conforming_implementations_conform_and_are_recognised(name: str, made: str) -> None:
    capability, contract = capabilities()[name], CONTRACTS[name]
    deciding = [trials.case_named(capability, case) for case in contract.deciding]
    seen = trials.options_seen(capability, conforming(name)[made], deciding or None)
    claimed = {**contract.literal, **contract.others.get(made, {})}
    assert seen == {choice: options for choice, options in claimed.items() if options}


def test_readings_are_claimed_of_implementations_that_there_are() -> None:
    for name, contract in CONTRACTS.items():
        assert set(contract.others) <= set(conforming(name)) - {"literal"}


@pytest.mark.parametrize("slip", slips(), ids=lambda slip: slip.id)
def test_every_slip_is_caught_by_edge_cases_and_its_place_is_named(slip: Slip) -> None:
    if CONTRACTS[slip.capability].slow:
        trials.assert_caught_by(slip, sorted(trials.edge_cases_of(slip), key=cost))
    else:
        trials.assert_caught(slip)


@pytest.mark.parametrize("slip", unseen_slips(), ids=lambda slip: slip.id)
def test_a_slip_that_is_listed_as_unseen_is_not_seen(slip: Slip) -> None:
    """One that is seen has to leave the list; reasons begin with one of two words."""
    assert UNSEEN[slip.id].startswith(("equivalent: ", "needs a case: "))
    with pytest.raises(AssertionError, match=f"{slip.id} passes"):
        trials.assert_caught_by(slip, sorted(trials.edge_cases_of(slip), key=cost))


def test_every_slip_of_a_step_is_put_to_whole_runs() -> None:
    declared = (*slips(), *unseen_slips())
    of_runs = {slip.code for slip in declared if slip.capability == "ptum"}
    of_steps = {slip.code for slip in declared if slip.capability in VIEWS} - of_runs
    alone = {slip.id for slip in declared if slip.code in of_steps}
    assert {one for one in alone if not one.startswith("sequential/")} == set()
    assert alone  # those of Algorithm 2, which are whole runs


def test_unseen_slips_are_declared() -> None:
    assert {slip.id for slip in unseen_slips()} == set(UNSEEN)


@pytest.mark.parametrize(
    ("name", "case"),
    [(name, case) for name, contract in CONTRACTS.items() for case in contract.tolerance],
)
def test_tolerance_bites(name: str, case: str) -> None:
    trials.assert_tolerance_bites(capabilities()[name], case)


@pytest.mark.parametrize("name", [name for name in NAMES if CONTRACTS[name].entries])
def test_every_entry_counts(name: str) -> None:
    assert_every_entry_counts(capabilities()[name], CONTRACTS[name].entries)


@pytest.mark.parametrize(
    ("name", "field", "value", "text"),
    [(name, *row) for name, contract in CONTRACTS.items() for row in contract.malformed],
)
def test_malformed_answers_are_refused(name: str, field: str, value: Json, text: str) -> None:
    capability = capabilities()[name]
    request, answer = trials.literal_answer(capability, CONTRACTS[name].example)
    with pytest.raises(MalformedError, match=text):
        trials.finding_of(capability, request, {**answer, field: value})


@pytest.mark.parametrize(("name", "field"), FIELDS, ids=lambda one: getattr(one, "name", one))
def test_fields_of_a_wrong_shape_or_type_are_refused(name: str, field: Field) -> None:
    capability = capabilities()[name]
    request, answer = trials.literal_answer(capability, CONTRACTS[name].example)
    for value in _spoilt(field, answer[field.name]):
        with pytest.raises(MalformedError, match=field.name):
            trials.finding_of(capability, request, {**answer, field.name: value})
    if not field.optional:
        text = field.name if field.nullable else f'no field "{field.name}"'
        with pytest.raises(MalformedError, match=text):
            trials.finding_of(capability, request, trials.without(answer, field.name))


def _spoilt(field: Field, value: Json) -> Iterator[Json]:
    """What no answer may hold: null, an object, text, another shape, no numbers."""
    yield from ({}, "yes", [value])
    if not (field.nullable or field.optional):
        yield None
    if field.shape:
        yield 1.0
        yield "inf"
    if isinstance(value, list) and ANY not in field.shape:
        yield value[:-1]
        yield [value[0]] * (len(value) + 1)
    wrong: tuple[Json, ...] = ("x", True, float("nan"))
    for one in (*wrong, 0.5) if field.kind == "integer" else wrong:
        yield _replaced(value, one)


def _replaced(value: Json, one: Json) -> Json:
    """The same with its last entry replaced."""
    return [*value[:-1], _replaced(value[-1], one)] if isinstance(value, list) else one
