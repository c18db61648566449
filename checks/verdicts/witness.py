"""The literal code beside exact arithmetic: a second witness, which must say the same.

Exact arithmetic decides about a claim. The functions that the ledger names for it are asked too, on
the same instance: where they say something else by more than rounding explains, the check is
`errored`, whatever its verdict would have been.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ptum.checks.exact.numbers import Number, a_number, is_above
from ptum.reference.arrays import ROUNDING, Floats


class WitnessError(ArithmeticError):
    """The literal code and exact arithmetic disagree."""


def same_numbers(
    what: str, literal: Floats | float, exact: Sequence[Number] | Number, tolerance: float
) -> None:
    """Both are the same numbers, up to a tolerance that the caller derives."""
    found = np.atleast_1d(np.asarray(literal, dtype=np.float64))
    meant = np.array([float(x) for x in (exact if isinstance(exact, Sequence) else (exact,))])
    for said, expected in zip(found.tolist(), meant.tolist(), strict=True):
        a_number(said, what)
        if said != expected and is_above(abs(said - expected), tolerance):
            raise WitnessError(
                f"{what}: {said} in the literal code, {expected} in exact arithmetic"
            )


def same_square(what: str, literal: float, squared: Number) -> None:
    """A bound whose square is known exactly: a dozen operations, which squaring doubles."""
    same_numbers(f"square of {what}", literal**2, squared, 32 * ROUNDING * float(squared))


def same_truth(what: str, literal: bool, exact: bool) -> None:
    """Both say yes, or both say no."""
    if bool(literal) != bool(exact):
        raise WitnessError(f"{what}: {literal} in the literal code, {exact} in exact arithmetic")
