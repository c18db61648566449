"""How close deep searches came to breaking each part, and why some parts were never searched.

A part that holds or is unproved has a stored attempt, or a reason here; `ptum show` prints either.
The reason is that nothing can be run, as the ledger says of a part that is not checked, and of a
figure that waits for its reproduction; or that counts are compared, which are equal or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from checks.attempts import checks_with_attempts, stored
from spec import ledger
from spec.records import Claim, Part
from spec.vocabulary import Kind, Status

NOT_REPRODUCED = "The experiment is not reproduced, so there is nothing to search."
COUNTED = MappingProxyType(
    {
        "text-components-independent.components": (
            "Two transcripts are equal or not: no drawn run comes closer to a difference than "
            "another."
        ),
        "text-fallback-cost.cost": (
            "Two numbers of queries are equal or not: no drawn run comes closer to a difference "
            "than another."
        ),
    }
)
"""Parts whose searches have nothing to aim at, and why."""


def to_break() -> Iterator[tuple[Claim, Part]]:
    """Parts that a deep search tries to break: those that hold and those that are unproved."""
    return (
        (claim, part)
        for claim, part in ledger.parts()
        if part.status in (Status.HOLDS, Status.UNPROVED)
    )


def closest(part: str) -> dict[str, float]:
    """For each check of the part that has stored attempts, observed/allowed of the closest one."""
    checks = [check for check in checks_with_attempts() if check.partition("/")[0] == part]
    return {check: max(attempt.ratio for attempt in stored(check)) for check in checks}


def not_searched() -> dict[str, str]:
    """Every part that holds or is unproved and has no attempt to come closer, and why."""
    not_run = {
        part.id: NOT_REPRODUCED if part.unchecked is None else part.unchecked
        for claim, part in to_break()
        if part.unchecked is not None or claim.kind is Kind.FIGURE
    }
    return {**not_run, **COUNTED}
