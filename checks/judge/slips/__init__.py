"""Wrong implementations, each a small plausible slip that no admissible reading excuses.

One module per capability, named like it, exports `BAD`. They show that the judge is not asleep.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache

from ptum.checks.judge.capabilities import FOLDERS, Implementation
from ptum.checks.judge.judging.items import Item


@dataclass(frozen=True)
class Bad:
    """One slip: `breaks` names the equation, line or definition that it gets wrong.

    Several places, if the slip spoils all of them.
    """

    slug: str
    capability: str
    breaks: Item
    implementation: Implementation

    @property
    def id(self) -> str:
        """Its name in reports, which does not change from release to release."""
        return f"{self.capability}/{self.slug}"


@cache
def known_bad() -> tuple[Bad, ...]:
    """All of them, in the order of the capabilities."""
    modules = (
        importlib.import_module(f"{__name__}.{home}.{name}") for name, home in FOLDERS.items()
    )
    return tuple(bad for module in modules for bad in module.BAD)
