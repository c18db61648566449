"""A known slip is recognised by its answers; one that is not in the catalogue is not misnamed."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ptum
from ptum.checks.judge.capabilities import NAMES, capabilities, conforming
from ptum.checks.judge.judging.items import Item
from ptum.checks.judge.messages.transcript import Exchange
from ptum.checks.judge.programs.subjects import ask
from ptum.checks.judge.results.diagnosis import diagnosed, in_words, same
from ptum.checks.judge.slips import Slip, slips_of

ANSWERED = tuple(name for name in NAMES if not capabilities()[name].samples)
QUICK = ("optimal", "policy_value", "gaps", "deviations", "widths")


def answered(slip: Slip) -> list[Exchange]:
    capability = capabilities()[slip.capability]
    found = (ask(capability, case, slip.implementation) for case in capability.cases(0))
    return [exchange for exchange in found if exchange.answer is not None]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.deep) for name in ANSWERED],
)
def test_slips_are_named_and_never_by_another_line(name: str) -> None:
    """Each with the whole catalogue, then without its class: none is named, or one of its line."""
    for slip in slips_of(name):
        exchanges = answered(slip)
        own = diagnosed(name, exchanges)
        assert slip in own, slip.id
        others = [one for one in slips_of(name) if one not in own]
        for other in diagnosed(name, exchanges, others):
            assert other.breaks.places & slip.breaks.places, (slip.id, other.id)


def test_nothing_is_named_for_whole_runs_or_missing_answers() -> None:
    slip = slips_of("policy_value")[0]
    exchanges = answered(slip)
    assert diagnosed("policy_value", exchanges) != ()
    assert diagnosed("policy_value", []) == ()
    case = next(iter(capabilities()["ptum"].cases(0)))
    run = ask(capabilities()["ptum"], case, conforming("ptum")["literal"])
    assert diagnosed("ptum", [run]) == ()


def test_slips_of_different_places_with_the_same_answers_name_none() -> None:
    slip = slips_of("policy_value")[0]
    twin, other = replace(slip, slug="twin"), replace(slip, breaks=Item("elsewhere", "lemma-3"))
    exchanges = answered(slip)
    assert diagnosed("policy_value", exchanges, [slip, twin]) == (slip, twin)
    assert diagnosed("policy_value", exchanges, [slip, other]) == ()


def test_answers_are_the_same_up_to_rounding() -> None:
    assert same({"a": [1.0, "inf"]}, {"a": [1.0 + 1e-12, "inf"], "b": 3})
    assert not same({"a": [1.0]}, {"a": [1.0 + 1e-6]})
    assert not same({"a": [1.0]}, {"a": [1.0, 2.0]})


def test_check_says_with_which_slip_the_answers_agree() -> None:
    slip = slips_of("policy_value")[0]

    class Subject:
        """Makes that slip."""

        policy_value = staticmethod(slip.implementation)

    found = ptum.check(Subject())
    assert f"; agrees with: {in_words([slip])}" in repr(found)
