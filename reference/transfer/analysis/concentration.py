"""Lemmas 1 and 2: Bernstein's inequality and its empirical form, with |X| ≤ c as printed.

| symbol                  | code                        |
| ----------------------- | --------------------------- |
| Var[X]                  | `variance`                  |
| V̂ar[X], denominator n-1 | `variance_hat`              |
| n                       | `n_samples`                 |
| c                       | `c`                         |
| right side of Lemma 1   | `bernstein_width`           |
| right side of Lemma 2   | `empirical_bernstein_width` |

`ptum.reference.repaired.transfer.analysis.concentration` asks for X ∈ [0, c] instead.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import Floats, frozen
from ptum.reference.errors import require, require_all, require_confidence, require_count
from ptum.reference.inequalities import Inequality


def bernstein_width(variance: float, n_samples: int, c: float, delta: float) -> float:
    """sqrt(2 Var[X] log(2/δ) / n) + c log(2/δ) / (3n)."""
    n_samples = _require_numbers(variance, n_samples, c, delta)
    log_term = math.log(2 / delta)
    return math.sqrt(2 * variance * log_term / n_samples) + c * log_term / (3 * n_samples)


def empirical_bernstein_width(variance_hat: float, n_samples: int, c: float, delta: float) -> float:
    """sqrt(2 V̂ar[X] log(4/δ) / n) + 7c log(4/δ) / (3(n-1)); +inf for one sample (D03)."""
    n_samples = _require_numbers(variance_hat, n_samples, c, delta)
    if n_samples == 1:
        return math.inf
    log_term = math.log(4 / delta)
    return math.sqrt(2 * variance_hat * log_term / n_samples) + 7 * c * log_term / (
        3 * (n_samples - 1)
    )


def bernstein(
    samples: npt.ArrayLike, mean: float, variance: float, c: float, delta: float
) -> Inequality:
    """Lemma 1 on given samples of an X with known mean and variance, |X| ≤ c."""
    X = _bounded(samples, c)
    width = bernstein_width(variance, X.size, c, delta)
    return Inequality(left=abs(mean - float(X.mean())), right=width)


def empirical_bernstein(samples: npt.ArrayLike, mean: float, c: float, delta: float) -> Inequality:
    """Lemma 2 on given samples of an X with known mean, |X| ≤ c."""
    X = _bounded(samples, c)
    width = empirical_bernstein_width(sample_variance(X), X.size, c, delta)
    return Inequality(left=abs(mean - float(X.mean())), right=width)


def sample_variance(X: Floats) -> float:
    """V̂ar[X] with denominator n-1 (D15); 0 for one sample, where nothing reads it (D03)."""
    return float(X.var(ddof=1)) if X.size > 1 else 0.0


def _bounded(samples: npt.ArrayLike, c: float) -> Floats:
    X = frozen(samples, "samples", 1)
    require(X.size >= 1, "samples", "at least one sample is needed", value=0)
    require_all(np.abs(X) <= c, X, "samples", f"|X| must be at most c = {c}")
    return X


def _require_numbers(variance: float, n_samples: int, c: float, delta: float) -> int:
    """The number of samples, as a plain integer."""
    require(variance >= 0, "variance", "must not be negative", value=variance)
    require(0 <= c < math.inf, "c", "the bound on |X| must be finite", value=c)
    require_confidence(delta)
    return require_count(n_samples, "n_samples")
