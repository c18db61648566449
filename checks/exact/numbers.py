"""Numbers that a check measures: NaN among them is an error, never a verdict.

Every comparison with NaN is false, so that a bound seems kept where `>` asks whether it is broken,
and broken where `≤` asks whether it is kept; Python's `max` and `min` drop a NaN that does not come
first. So numbers are compared, and the largest of them found, by the functions below. A
`Statement`, a `TrialResult` of `ptum.checks.verdicts.probability_search`, an `Outcome` refuse NaN
themselves; whole arrays may go through `np.max` and `np.min`, which keep NaN, on their way there,
and are compared by `ptum.reference.arrays.above`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TypeAlias, TypeVar

from ptum.reference.errors import NotANumberError

Number: TypeAlias = Fraction | float | int
N = TypeVar("N", bound=Number)
T = TypeVar("T")


def a_number(value: N, what: str = "a measured quantity") -> N:
    """The value itself, unless it is NaN."""
    if isinstance(value, float) and math.isnan(value):
        raise NotANumberError(what)
    return value


def max_of(values: Iterable[N], default: N | None = None) -> N:
    """What `max` says of numbers; `default` is the answer where there are none."""
    return max(_numbers(values, default))


def min_of(values: Iterable[N], default: N | None = None) -> N:
    """What `min` says of numbers; `default` is the answer where there are none."""
    return min(_numbers(values, default))


def max_by(items: Iterable[T], size: Callable[[T], Number]) -> T:
    """The item of the largest size, the first of several."""
    return max(items, key=lambda item: a_number(size(item)))


def is_above(left: Number, right: Number) -> bool:
    """Whether left > right."""
    return bool(a_number(left) > a_number(right))


def _numbers(values: Iterable[N], default: N | None) -> list[N]:
    found = [a_number(value) for value in values]
    return [default] if default is not None and not found else found
