"""What the ledger names for a claim is called by the checks of that claim."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from types import FunctionType

import pytest

from ptum.checks.claims import registry
from ptum.checks.suite.cpu_limit import usual_seconds
from ptum.checks.verdicts.check import Check, Profile
from ptum.spec import ledger
from ptum.spec.records import Claim


def named(claim: Claim) -> set[str]:
    """Functions; a type is used by whoever makes one, at whatever time."""
    others = [other for part in claim.parts for other in (part.as_run, part.repair) if other]
    names = {*claim.reference, *(name for other in others for name in other.reference)}
    return {name for name in names if not isinstance(ledger.load(name), type)}


def checks_of(claim: Claim) -> list[Check]:
    """The cheapest first."""
    parts = {part.id for part in claim.parts}
    found = [check for check in registry().values() if check.part in parts]
    return sorted(found, key=lambda check: usual_seconds()["quick"].get(check.id, 0.0))


@contextmanager
def recorded(names: Iterable[str]) -> Iterator[set[str]]:
    """The dotted names, among these, of what is called from now on.

    The code of a function is exchanged for one that notes the call and goes on with the old one, so
    that it does not matter where the function was imported.
    """
    called: set[str] = set()
    undo: list[Callable[[], None]] = []
    by_function: dict[FunctionType, set[str]] = {}
    for name in names:
        by_function.setdefault(_function(ledger.load(name)), set()).add(name)
    try:
        for number, (function, known) in enumerate(by_function.items()):
            undo.append(_plant(function, f"_recorded_{number}", partial(called.update, known)))
        yield called
    finally:
        for restore in undo:
            restore()


def _function(thing: object) -> FunctionType:
    """The function itself, or what a cache wraps, which is emptied."""
    if not isinstance(thing, FunctionType):
        thing.cache_clear()  # type: ignore[attr-defined]
        thing = vars(thing)["__wrapped__"]
    assert isinstance(thing, FunctionType)
    return thing


def _plant(function: FunctionType, key: str, note: Callable[[], None]) -> Callable[[], None]:
    before = (function.__code__, function.__defaults__, function.__kwdefaults__)
    old = FunctionType(function.__code__, function.__globals__, function.__name__, before[1])
    old.__kwdefaults__ = before[2]
    function.__globals__.update({f"{key}_note": note, f"{key}_old": old})
    space: dict[str, FunctionType] = {}
    exec(
        f"def noting(*args, **kwargs):\n    {key}_note()\n    return {key}_old(*args, **kwargs)",
        space,
    )
    function.__code__ = space["noting"].__code__
    function.__defaults__ = function.__kwdefaults__ = None

    def restore() -> None:
        function.__code__, function.__defaults__, function.__kwdefaults__ = before
        del function.__globals__[f"{key}_note"], function.__globals__[f"{key}_old"]

    return restore


CLAIMS = [claim for claim in ledger.CLAIMS if named(claim) and checks_of(claim)]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: str(claim.id))
def test_every_function_of_a_claim_is_called_by_one_of_its_checks(claim: Claim) -> None:
    wanted = named(claim)
    with recorded(wanted) as called:
        for check in checks_of(claim):
            if wanted <= called:
                break
            check.run(replace(check.context(Profile.QUICK, 1), most=6))
    assert wanted - called == set()


def doubled(x: int, *, by: int = 2) -> int:
    return x * by


def halved(x: int) -> int:
    return x // 2


@cache
def once(x: int) -> int:
    return x


def test_calls_are_seen_under_any_name_and_the_functions_are_put_back() -> None:
    here, other_name = __name__, doubled
    once(3)
    with recorded([f"{here}:doubled", f"{here}:halved", f"{here}:once"]) as called:
        assert other_name(2, by=3) == 6
        assert once(3) == 3
        assert called == {f"{here}:doubled", f"{here}:once"}
    called.clear()
    assert (doubled(2), halved(4), called) == (4, 2, set())
