"""Hold the numbers of an answer against the expected ones."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ptum.checks.judge.judging.items import Item
from ptum.checks.judge.judging.readings import Finding, Judge
from ptum.reference.arrays import Floats

NEARLY_RIGHT = 1e-4
"""A wrong formula is seldom this close, in units of what is expected: only digits may lack."""


def first_off(
    item: Item, name: str, expected: Floats, got: Floats, tolerance: float
) -> Finding | None:
    """The entry that is farthest off, if that is more than the tolerance; ∞ must be met by ∞."""
    if not np.any(_distance(expected, got) > tolerance):
        return None
    place = farthest(expected, got)
    where = name + "".join(f"[{i}]" for i in place)
    shown = far_off(float(expected[place]), float(got[place]), tolerance)
    return Finding(item, where, f"{expected[place]:.12g}", shown)


def far_off(expected: float, got: float, tolerance: float) -> str:
    """A wrong number with its distance and the tolerance; a question where it is nearly right."""
    distance = abs(expected - got)
    if not math.isfinite(distance):
        return f"{got:.12g}"
    shown = f"{got:.12g} (error {distance:.2g}, tolerance {tolerance:.2g})"
    nearly = distance < NEARLY_RIGHT * abs(expected)
    return f"{shown}: too few digits, or an iteration that stops early?" if nearly else shown


def farthest(expected: Floats, got: Floats) -> tuple[int, ...]:
    """The place of the entry that is farthest off."""
    place = np.unravel_index(int(np.argmax(_distance(expected, got))), expected.shape)
    return tuple(int(i) for i in place)


def _distance(expected: Floats, got: Floats) -> Floats:
    with np.errstate(invalid="ignore"):  # where both are infinite, they are looked at by `==`
        distance: Floats = np.where(expected == got, 0.0, np.abs(expected - got))
    return distance


def missing_or_stray(
    item: Item,
    name: str,
    must: set[int],
    may: set[int],
    got: tuple[int, ...],
    why: Callable[[int], str],
) -> Finding | None:
    """A set of models must hold all of `must` and nothing outside `may`; `why` speaks of one."""
    missing, stray = sorted(must - set(got)), sorted(set(got) - may)
    if not missing and not stray:
        return None
    theta, wrong = (missing[0], "missing") if missing else (stray[0], "too many")
    expected = f"{sorted(must)}" + (f", perhaps {sorted(may - must)}" if may - must else "")
    what = f"{name}: model {theta} is {wrong}"
    return Finding(item, what, f"{expected}; {why(theta)}", f"{list(got)}")


def in_every_reading(finding: Finding | None) -> Judge:
    """The judge of an answer about which all readings agree."""
    return lambda _: finding
