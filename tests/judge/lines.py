"""Whether a finding is about the line that a slip breaks, when several lines are judged at once."""

from __future__ import annotations

import re
from collections.abc import Mapping

from checks.judge.readings import Capability, Reading, assess
from checks.judge.subjects import ask
from checks.known_bad import Bad
from tests.judge import trials


def lines_of(item: str) -> set[int]:
    """Numbers of lines at the beginning of an item: "line 3, …" or "lines 5-7, …"."""
    found = re.match(r"lines? (\d+)(?:-(\d+))?", item)
    if found is None:
        return set()
    first, last = int(found[1]), int(found[2] or found[1])
    return set(range(first, last + 1))


def related(breaks: str, item: str) -> bool:
    """The same lines, or the same words where there are none."""
    lines = lines_of(breaks)
    return bool(lines & lines_of(item)) if lines else item.startswith(breaks)


def assert_caught(capability: Capability, bad: Bad) -> None:
    """Edge cases leave no reading, and one of the findings is about what the slip breaks."""
    left: frozenset[Reading] = frozenset(capability.readings)
    items: list[str] = []
    for case in trials.edge_cases(capability):
        exchange = ask(capability, case, bad.implementation)
        assert exchange.fault is None, (case.id, exchange.fault)
        found = assess(capability, exchange)
        left &= found.agrees
        items += [] if found.finding is None else [found.finding.item]
        if not left and any(related(bad.breaks, item) for item in items):
            return
    assert not left, f"{bad.id} passes"
    raise AssertionError(f"{bad.id} breaks {bad.breaks}, the report says {sorted(set(items))}")


def assert_well_formed(capability: Capability, flags: Mapping[str, str], least: int) -> None:
    """Enough edge cases with unique ids, the same for all seeds, and explained flags."""
    edges = trials.edge_cases(capability)
    assert len(edges) >= least
    first, second = list(capability.cases(0)), list(capability.cases(1))
    assert [(case.id, case.input) for case in second][: len(edges)] == [
        (case.id, case.input) for case in edges
    ]
    assert len({case.id for case in first}) == len(first)
    names = {field.name for field in capability.input}
    for case in (*first, *second):
        assert set(case.input) == names
        assert set(case.flags) <= set(flags), case.id
