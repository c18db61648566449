"""What every counterexample shows of itself: its numbers, its walk, and what makes it bite.

Each module of the folders beside this one exports `CASES`. A case is seen to bite: with any one
premise broken the walk says `assumption-not-met`, and with the one number undone that breaks the
conclusion it says `holds`. `ptum show ERRATUM --run` prints the numbers and the walk.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType, ModuleType
from typing import TypeAlias

from ptum.checks.instances import counterexamples
from ptum.checks.verdicts.outcome import Outcome, Walk

Numbers: TypeAlias = tuple[tuple[str, object], ...]
"""What is needed to build the instance by hand: names with numbers, nested tuples or text."""

Told: TypeAlias = Callable[[], Walk | Outcome]
"""A walk over the instance, or the outcome of its trials where the claim is about chance."""


def _nothing() -> Mapping[str, Told]:
    return MappingProxyType({})


def _no_reasons() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True)
class Case:
    """One instance on which a printed part fails.

    `checks` are the ids of the checks that run it; `broken` gives, for the text of every premise
    of the walk, the same walk with that premise made false; `undone` the walk in which the number
    that breaks the conclusion is put right, and `undo` says which. `always` gives the reason for
    a premise that no instance of this shape can fail. `repaired` walks the repaired part over the
    same instance: it holds, or its premise excludes the instance; `sibling` walks it over an
    instance inside the repaired premise, of which `sibling_numbers` tells at least what differs.
    All three are None only where the part has no repair.

    All walks compare whole and rational numbers, and so are all numbers that are shown, unless
    `inexact` says why the claim leaves no way to do so; `repair_inexact` says it of `repaired` and
    `sibling` alone.
    """

    checks: tuple[str, ...]
    numbers: Callable[[], Numbers]
    told: Told
    undo: str
    undone: Told
    broken: Mapping[str, Told] = field(default_factory=_nothing)
    always: Mapping[str, str] = field(default_factory=_no_reasons)
    repaired: Told | None = None
    sibling: Told | None = None
    sibling_numbers: Callable[[], Numbers] | None = None
    inexact: str | None = None
    repair_inexact: str | None = None


@cache
def cases() -> tuple[Case, ...]:
    """Every case of every module, in the order of the names of the modules."""
    return tuple(case for module in _modules() for case in getattr(module, "CASES", ()))


def _modules() -> tuple[ModuleType, ...]:
    found = pkgutil.walk_packages(counterexamples.__path__, f"{counterexamples.__name__}.")
    names = sorted((module.name for module in found), key=lambda name: name.split(".")[-1])
    return tuple(importlib.import_module(name) for name in names)


def cases_of(check: str) -> tuple[Case, ...]:
    """The cases that a check runs."""
    return tuple(case for case in cases() if check in case.checks)
