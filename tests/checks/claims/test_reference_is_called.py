"""What the ledger names for a claim is called by the checks of that claim."""

from __future__ import annotations

from functools import cache

import pytest

from ptum.checks.claims import registry
from ptum.checks.verdicts.check import Check, Profile
from ptum.spec import ledger
from ptum.spec.records import Claim
from ptum.spec.vocabulary import CheckKind
from tests.support.calls import recorded

CHEAP_FIRST = (CheckKind.EXACT, CheckKind.SYMBOLIC, CheckKind.INEQUALITY)


def named(claim: Claim) -> set[str]:
    """Functions; a type is used by whoever makes one, at whatever time."""
    others = [other for part in claim.parts for other in (part.as_run, part.repair) if other]
    names = {*claim.reference, *(name for other in others for name in other.reference)}
    return {name for name in names if not isinstance(ledger.load(name), type)}


def checks_of(claim: Claim) -> list[Check]:
    parts = {part.id for part in claim.parts}
    found = [check for check in registry().values() if check.part in parts]
    return sorted(found, key=lambda check: check.kind not in CHEAP_FIRST)


CLAIMS = [claim for claim in ledger.CLAIMS if named(claim) and checks_of(claim)]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: str(claim.id))
def test_every_function_of_a_claim_is_called_by_one_of_its_checks(claim: Claim) -> None:
    wanted = named(claim)
    with recorded(wanted) as called:
        for check in checks_of(claim):
            if wanted <= called:
                break
            check.run(check.context(Profile.QUICK, 1))
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
