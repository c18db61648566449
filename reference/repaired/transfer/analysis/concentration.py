"""Lemmas 1 and 2 with the length of the range of X in place of a bound on |X| (erratum E11).

| symbol                                     | code    |
| ------------------------------------------ | ------- |
| length of an interval that contains X      | `width` |
| the X ∈ [0, c] that the paper applies it to | `c`    |

With |X| ≤ c, as printed, that length is 2c: then the printed width is too small for Lemma 1 to be
true, and the theorem cited for Lemma 2 does not cover it. For X ∈ [0, c] the length is c and the
printed numbers are right.
"""

from __future__ import annotations

import numpy.typing as npt

from ptum.reference.arrays import Floats, frozen
from ptum.reference.errors import require_all
from ptum.reference.inequalities import Inequality
from ptum.reference.transfer.analysis import concentration as printed

__all__ = [
    "bernstein_width",
    "empirical_bernstein_width",
    "bernstein",
    "empirical_bernstein",
]


def bernstein_width(variance: float, n_samples: int, width: float, delta: float) -> float:
    """sqrt(2 Var[X] log(2/δ) / n) + w log(2/δ) / (3n) for X in an interval of length w."""
    return printed.bernstein_width(variance, n_samples, width, delta)


def empirical_bernstein_width(
    variance_hat: float, n_samples: int, width: float, delta: float
) -> float:
    """sqrt(2 V̂ar[X] log(4/δ) / n) + 7w log(4/δ) / (3(n-1)) for X in an interval of length w."""
    return printed.empirical_bernstein_width(variance_hat, n_samples, width, delta)


def bernstein(
    samples: npt.ArrayLike, mean: float, variance: float, c: float, delta: float
) -> Inequality:
    """Lemma 1 on given samples of an X in [0, c] with known mean and variance."""
    return printed.bernstein(_not_negative(samples), mean, variance, c, delta)


def empirical_bernstein(samples: npt.ArrayLike, mean: float, c: float, delta: float) -> Inequality:
    """Lemma 2 on given samples of an X in [0, c] with known mean."""
    return printed.empirical_bernstein(_not_negative(samples), mean, c, delta)


def _not_negative(samples: npt.ArrayLike) -> Floats:
    X = frozen(samples, "samples", 1)
    require_all(X >= 0, X, "samples", "X must lie in [0, c]")
    return X
