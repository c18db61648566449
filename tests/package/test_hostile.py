"""Whatever is handed to a public callable: our own error, or a right answer.

Right is what the good call answers with the plain value that the given one stands for, which may be
a refusal too. What stands for none, or lies outside the range that the paper allows, has to be
refused, by its name where it is no number and no list at all. Warnings are errors here.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping

import pytest

import ptum
from ptum.reference.errors import InputError, NotANumberError, require
from tests.package.doors import DOORS, Door
from tests.support.hostile import NOTHING, SCALARS, Make, around
from tests.support.streams import plain

SEED = 20
CALLS = 14
"""Of each door in `make test`; all of them, and pairs, run in deep."""

ALIASES = {"goal": "cell"}


def answer(door: Door, changed: Mapping[str, object]) -> object:
    """What is returned, as something that compares bit by bit, or our own error."""
    try:
        return plain(door.call(**{**door.arguments(), **changed}))
    except NotANumberError as refused:
        return InputError(str(refused).partition(" ")[0], "is not a number")
    except InputError as refused:
        return refused


def candidates(door: Door) -> list[tuple[str, Make]]:
    """Every argument with everything that is tried in its place."""
    return [
        (name, make)
        for name, kind in door.kinds.items()
        for make in (*SCALARS, *around(door.arguments()[name]))
        if not kind.takes_long(make())
    ]


def hold(door: Door, changes: dict[str, Make]) -> None:
    """Refused, or answered like the plain values; by another error or a warning the test fails."""
    found = answer(door, {name: make() for name, make in changes.items()})
    meant = {name: door.kinds[name].meant(make()) for name, make in changes.items()}
    wrong = [name for name, value in meant.items() if value is NOTHING]
    if not isinstance(found, InputError):
        assert not wrong, f"{door.name}: {wrong} should have been refused, not answered"
        assert found == answer(door, meant), f"{door.name}: not the answer for {meant}"
        return
    good = not wrong and not isinstance(answer(door, meant), InputError)
    assert not good, f"{door.name}: refused, not answered as {meant}: {found}"
    assert found.argument
    assert found.problem
    values = [make() for make in changes.values()]
    if len(changes) == 1 and (values[0] is None or isinstance(values[0], str | dict)):
        (name,) = changes
        assert ALIASES.get(name, name) in found.argument, f"{door.name}: {name}: {found}"


def test_every_public_callable_has_a_door() -> None:
    names = {word for door in DOORS for word in door.name.split()}
    assert set(ptum.__all__) - names == {"GenerativeModel", "InputError"}


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.name)
def test_the_good_call_is_answered(door: Door) -> None:
    found = answer(door, {})
    assert not isinstance(found, InputError), found
    assert set(door.kinds) <= set(door.good)


def some(door: Door) -> Iterator[dict[str, Make]]:
    rng = random.Random(f"{SEED} {door.name}")
    for name, make in rng.sample(candidates(door), CALLS):
        yield {name: make}


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.name)
def test_a_hostile_argument(door: Door) -> None:
    for changes in some(door):
        hold(door, changes)


@pytest.mark.deep
@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.name)
def test_every_hostile_argument_and_pairs_of_them(door: Door) -> None:
    every = candidates(door)
    for name, make in every:
        hold(door, {name: make})
    rng = random.Random(f"{SEED} pairs {door.name}")
    for _ in range(300):
        (one, first), (two, second) = rng.choices(every, k=2)
        if one != two:
            hold(door, {one: first, two: second})


def test_the_test_notices() -> None:
    """Doors that answer what they should refuse, refuse or answer differently, or fail."""
    door = next(door for door in DOORS if door.name == "single")
    make = SCALARS[0]  # None

    def failing(**given: object) -> object:
        return [][len(given)]

    with pytest.raises(AssertionError, match="should have been refused"):
        hold(Door("wrong", lambda **given: len(given), door.good, door.kinds), {"Delta": make})
    with pytest.raises(IndexError):
        hold(Door("wrong", failing, door.good, door.kinds), {"Delta": make})

    def picky(Delta: object) -> None:
        require(type(Delta) is float, "Delta", "is no plain number")

    with pytest.raises(AssertionError, match=r"refused, not answered as \{'Delta': 2.0\}"):
        hold(Door("wrong", picky, door.good, door.kinds), {"Delta": lambda: 2})
    counter = itertools.count()
    wrong = Door("wrong", lambda **_: next(counter), door.good, door.kinds)
    with pytest.raises(AssertionError, match="not the answer"):
        hold(wrong, {"Delta": lambda: 0.5})
