"""Faulty implementations, each a small plausible slip that no admissible reading excuses.

They show that the judge notices. A slip is declared once, by `@slip` where it is written; the
modules of this package are all imported. Slips of Section 3 are variants of the one plain
Algorithm 1, by the part of it that they get wrong, and each of them is put to whole runs as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from ptum.checks.judge import slips as package
from ptum.checks.judge.capabilities import NAMES, Implementation
from ptum.checks.judge.judging.items import Item
from ptum.checks.judge.plain.views import VIEWS
from ptum.checks.judge.slips.unseen import UNSEEN
from ptum.checks.verdicts.registry import Registry

Code = TypeVar("Code")


@dataclass(frozen=True)
class Slip:
    """One slip: `breaks` names the equation, line or definition that it gets wrong.

    Several places, if the slip spoils all of them. `code` is what was declared, of which several
    slips may be views.
    """

    slug: str
    capability: str
    breaks: Item
    implementation: Implementation
    code: object = None

    @property
    def id(self) -> str:
        """Its name in reports, which does not change from release to release."""
        return f"{self.capability}/{self.slug}"


SLIPS: Registry[Slip] = Registry("slip")
"""What the modules imported so far declare."""


def slip(
    *ids: str, breaks: Item, view: Callable[[Any], Implementation] | None = None
) -> Callable[[Code], Code]:
    """Declare faulty code under ids `capability/slug`; a view makes an implementation of it.

    Without one the capability decides: variants of Algorithms 1 and 2 have views of their own, and
    anything else is an implementation as it stands.
    """

    def declare(code: Code) -> Code:
        for name in ids:
            capability, _, slug = name.partition("/")
            if capability not in NAMES:
                raise ValueError(f"{name}: no capability is called {capability}")
            made = (view or VIEWS.get(capability, _as_it_stands))(code)
            SLIPS.add(name, Slip(slug, capability, breaks, made, code))
        return code

    return declare


def _as_it_stands(code: Any) -> Implementation:
    implementation: Implementation = code
    return implementation


@cache
def _declared() -> tuple[Slip, ...]:
    """All of them, in the order of the capabilities."""
    declared = SLIPS.below(package).values()
    return tuple(sorted(declared, key=lambda one: NAMES.index(one.capability)))


def slips() -> tuple[Slip, ...]:
    """Those that the judge catches."""
    return tuple(one for one in _declared() if one.id not in UNSEEN)


def unseen_slips() -> tuple[Slip, ...]:
    """Those that whole runs do not show, with reasons in `unseen.UNSEEN`."""
    return tuple(one for one in _declared() if one.id in UNSEEN)


def slips_of(capability: str) -> tuple[Slip, ...]:
    """Those of one capability."""
    return tuple(one for one in slips() if one.capability == capability)
