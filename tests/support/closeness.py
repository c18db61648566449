"""Numbers of two formulas that are equal on paper."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.tasks.values import value_tolerance

OF_A_FORMULA = 1e-12
"""About 4500 roundings of a double: what numbers of two formulas may differ by, as a share.

The formulas of the bounds are sums, products, quotients and roots of positive numbers, in which
every operation loses one rounding and none is amplified; none has a thousand operations.
"""


def near(number: float | Floats | Sequence[float]) -> object:
    """Equal, every number of several, up to the rounding of the operations of one formula."""
    return pytest.approx(number, rel=OF_A_FORMULA, abs=0)


def of_quantecon(V_star: Floats, gamma: float) -> float:
    """How far optimal values of ours and of quantecon's policy iteration may be apart.

    Its solver errs by e = 4S roundings of max|V| + 1, times 1/(1-γ). The policy it stops at is
    greedy up to 2γe per step, which sums up to 2γe/(1-γ).
    """
    e = 4 * V_star.size * ROUNDING * float(V_star.max() + 1) / (1 - gamma)
    return e * (1 + 2 * gamma / (1 - gamma)) + value_tolerance(V_star, gamma)


def of_inverse(matrix: Floats, k: int) -> float:
    """How far a pseudo-inverse of rank k may be off in doubles: ten roundings times ‖M‖‖M†‖²."""
    sigma = np.linalg.svd(matrix, compute_uv=False)
    return float(10 * ROUNDING * sigma[0] / sigma[k - 1] ** 2)
