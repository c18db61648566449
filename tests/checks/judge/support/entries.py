"""Every number of an answer is looked at, not the first one alone."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ptum.checks.judge.judging.readings import Capability
from ptum.checks.judge.messages.transcript import Json
from tests.checks.judge.support import trials


def assert_every_entry_counts(capability: Capability, name: str) -> None:
    """Ten times the tolerance is seen in every finite entry of every real field of one case."""
    request, answer = trials.literal_answer(capability, name)
    for field, allowed in capability.tolerance(request).items():
        spoilt = list(_moved_once(answer[field], 10 * allowed))
        assert len(spoilt) > 1, field
        for values in spoilt:
            found = trials.finding_of(capability, request, {**answer, field: values})
            assert found is not None, (field, values)
            assert found.what.startswith(field)


def _moved_once(entry: Json, by: float) -> Iterator[Json]:
    """The entry with one of its finite numbers moved, once for each of them."""
    if isinstance(entry, list):
        for i, part in enumerate(entry):
            for moved in _moved_once(part, by):
                yield [*entry[:i], moved, *entry[i + 1 :]]
    elif isinstance(entry, int | float) and math.isfinite(entry):
        yield entry + by
