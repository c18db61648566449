"""Two numbers and the sign between them; a number that stands for one near it."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

Comparison: TypeAlias = Literal["<", "≤", ">", "≥", "="]


class Rounded(Fraction):
    """A rational that stands for a number near it and is told so; computing with it forgets that.

    In a comparison it lies on the same side as the number does.
    """

    __slots__ = ()
