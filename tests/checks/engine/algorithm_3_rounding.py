"""How far two codes of Algorithm 3 may be apart by rounding."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.sequential.spectral import HmmEstimate, NotEnoughData, NotIdentifiable

Learn = Callable[[Floats], HmmEstimate | NotIdentifiable | NotEnoughData]

SHARE, DRAWS = 1e-8, 3


def differences(one: HmmEstimate, other: HmmEstimate) -> Floats:
    """The largest of Ô, of T̂, of the weights and of the eigenvalues."""
    assert one.T is not None
    assert other.T is not None
    pairs = (
        (one.O, other.O),
        (one.T, other.T),
        (one.weights, other.weights),
        (one.eigenvalues, other.eigenvalues),
    )
    return np.array([np.abs(x - y).max() for x, y in pairs])


def apart(o: Floats, literal: Learn) -> Floats:
    """Differences that rounding can make between two codes on these observations (h, d).

    Each has the results of exact arithmetic for observations that are off by a relative 4h + d
    roundings (D99), so the two are apart by twice what the estimates then move. How much they move
    is measured on the literal code: observations changed at random by 10⁻⁸ of themselves, which is
    above all rounding and small enough for a straight line. Along a straight line with slopes J,
    changes uniform in [-1, 1] move the end by ‖J‖_2/√3 in the root mean square, and the worst ones
    by ‖J‖_1 ≤ √(hd) ‖J‖_2.
    """
    rng = np.random.default_rng(0)
    before = literal(o)
    assert isinstance(before, HmmEstimate)
    moved = np.zeros(4)
    for _ in range(DRAWS):
        after = literal(o * (1 + SHARE * rng.uniform(-1, 1, o.shape)))
        assert isinstance(after, HmmEstimate)
        moved = np.maximum(moved, differences(before, after))
    h, d = o.shape
    worst = math.sqrt(3 * h * d) * moved / SHARE
    allowed: Floats = 2 * (4 * h + d) * ROUNDING * worst
    return allowed
