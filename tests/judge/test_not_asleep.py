"""The judge is awake: every known slip is caught, no right implementation is accused."""

from __future__ import annotations

import pytest

from checks.judge.capabilities import NAMES, capabilities, good
from checks.judge.not_asleep import Right, caught, passed, rights
from checks.judge.readings import seen
from checks.judge.verdicts import judge_capability
from checks.known_bad import Bad, known_bad

SEEDS, MANY_SEEDS = range(3), range(20)


def test_there_are_enough_slips_and_all_capabilities_have_some() -> None:
    assert len(known_bad()) >= 60
    assert {bad.capability for bad in known_bad()} == set(NAMES)
    assert len({bad.id for bad in known_bad()}) == len(known_bad())
    assert all(bad.breaks for bad in known_bad())


@pytest.mark.parametrize("bad", known_bad(), ids=lambda bad: bad.id)
def test_every_slip_is_caught(bad: Bad) -> None:
    found = caught(bad, 0)
    assert found.caught
    assert found.caught_by


@pytest.mark.slow
@pytest.mark.parametrize("right", tuple(rights()), ids=lambda right: right.id)
def test_no_right_implementation_is_accused(right: Right) -> None:
    assert passed(right, SEEDS).passes


@pytest.mark.deep
@pytest.mark.parametrize("right", tuple(rights()), ids=lambda right: right.id)
def test_no_right_implementation_is_accused_on_many_seeds(right: Right) -> None:
    assert passed(right, MANY_SEEDS).passes


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_option_of_every_choice_is_some_right_implementation(name: str) -> None:
    """Otherwise the judge would admit a reading that nobody has ever seen."""
    capability = capabilities()[name]
    found: set[tuple[str, str]] = set()
    for maker, implementation in good(name).items():
        judgement = judge_capability(capability, Right(maker, name, implementation).exchanges(0))
        found |= {(c, o) for c, options in seen(judgement.explained_by).items() for o in options}
    offered = {(o.choice, o.option) for reading in capability.readings for o in reading}
    assert found == offered


def test_literal_code_is_the_first_right_implementation() -> None:
    assert all(next(iter(good(name))) == "literal" for name in NAMES)
