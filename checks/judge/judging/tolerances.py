"""How far a right answer may be off, derived once for all capabilities.

Values are taken as known up to `relative_value_error` times 1/(1-γ), the largest value there is.
That covers two kinds of method: a direct solution of (I - γP)V = r in double arithmetic, whose
error is a few roundings times the condition number 2/(1-γ), and an iteration that was stopped when
its error was below a 10⁻⁹ of the scale.
"""

from __future__ import annotations

import math

from ptum.reference.arrays import ROUNDING

FLOOR = 1e-9
"""What an iterative method may leave, in units of the scale of a field."""


def relative_value_error(S: int, gamma: float) -> float:
    """τ: error of a value function, in units of 1/(1-γ).

    A backward-stable solver returns the exact solution of a system whose entries are moved by
    about S roundings; with ‖(I - γP)⁻¹‖ ≤ 1/(1-γ) and ‖I - γP‖ ≤ 2 that moves V by some
    S/(1-γ) roundings of its scale. The factor 12 and the 2 leave room for sums (as in D14).
    """
    return FLOOR + 12 * (S + 2) * ROUNDING / (1 - gamma)


def value_error(S: int, gamma: float) -> float:
    """Error of V itself: τ/(1-γ)."""
    return relative_value_error(S, gamma) / (1 - gamma)


def gap_error(S: int, gamma: float) -> float:
    """Error of |(p - p')ᵀV|: at most 2 errors of V, and one more for the rounding of the sums."""
    return 3 * value_error(S, gamma)


def deviation_error(outcomes: int) -> float:
    """Error of a standard deviation, in units of the range, that comes from its formula alone.

    E[X²] - E[X]² is a right formula and loses digits where the deviation is small: its error is
    below 16(m+1) roundings of the squared range for m outcomes (sums, and rows that miss one by 4m
    roundings, D20), and the root of a number moves by no more than the root of that.
    """
    return FLOOR + 4 * math.sqrt((outcomes + 1) * ROUNDING)


def transition_deviation_error(S: int, gamma: float) -> float:
    """Error of σ^p: that of its formula and that of the value function, on which it depends.

    A standard deviation is a seminorm, so an error of V moves it by no more than that error.
    """
    return deviation_error(S) / (1 - gamma) + value_error(S, gamma)


def information_error(S: int, gamma: float) -> float:
    """Error of I: 6τ.

    With gap y and variance v in units of the range, I = min{y²/v, y}. The first term counts only
    where v ≥ y; there its derivatives are at most 2 in y and 1 in v, and that of y is 1. A gap is
    off by 2τ, which makes 4τ, and a variance v ≤ 1/4 by 2√v τ ≤ τ; the rest is for rounding.
    """
    return 6 * relative_value_error(S, gamma)
