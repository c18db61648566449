"""A run in words: every equation, and one query or several."""

from __future__ import annotations

import numpy as np
import pytest

from ptum.reference.transfer.explained import Explained
from ptum.reference.transfer.ptum import End, PtumResult
from ptum.reference.transfer.transcript import Elimination

FELL = (
    Elimination(2, 1, 1, 0, 3, None),
    Elimination(4, 2, 2, 5, 0, 7),
    Elimination(4, 3, 3, 1, 2, None),
    Elimination(6, 4, 4, 2, 1, 8),
)
"""One model for each of the equations (1)-(4)."""


def run(queries: int) -> PtumResult:
    """Four of five models fell, and the first is left."""
    return PtumResult(
        end=End.STOPPED,
        policy=np.zeros(1, dtype=np.int64),
        theta=0,
        queries=queries,
        tau=queries + 1,
        N=np.array([[queries]]),
        active=(0,),
        eliminations=FELL,
        first_zero_index=None,
        fallback=None,
    )


def test_what_each_equation_looks_at() -> None:
    """Rewards, values, and the deviations of both."""
    found = run(5)
    assert isinstance(found, Explained)
    assert found.explain().splitlines()[2:-1] == [
        "  model 1 was eliminated at t = 2: the mean reward at state 0, action 3 is "
        "not what was seen (equation 1)",
        "  model 2 was eliminated at t = 4: the mean value of the next state at state 5, action 0, "
        "valued as in model 7, is not what was seen (equation 2)",
        "  model 3 was eliminated at t = 4: the standard deviation of the reward at state 1, "
        "action 2 is not what was seen (equation 3)",
        "  model 4 was eliminated at t = 6: the standard deviation of the next state's value at "
        "state 2, action 1, valued as in model 8, is not what was seen (equation 4)",
    ]


@pytest.mark.parametrize(("count", "told"), [(0, "0 queries"), (1, "1 query"), (2, "2 queries")])
def test_one_query_or_several(count: int, told: str) -> None:
    assert run(count).explain().startswith(f"stopped after {told}: policy of model 0\n")
    assert repr(run(count)) == f"PtumResult(stopped, policy of model 0, {told}, 1 of 5 models left)"
