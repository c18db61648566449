"""Numbers of two formulas that are equal on paper."""

from __future__ import annotations

import pytest

ROUNDING = 1e-12
"""About 4500 roundings of a double.

The formulas of the bounds are sums, products, quotients and roots of positive numbers, in which
every operation loses one rounding and none is amplified; none has a thousand operations.
"""


def near(number: float) -> object:
    """Equal up to the rounding of the operations of one formula."""
    return pytest.approx(number, rel=ROUNDING, abs=0)
