"""What lemmas and bounds of the paper claim: an inequality, wherever its premises hold.

| in the paper                      | code                                            |
| --------------------------------- | ----------------------------------------------- |
| left ≤ right                      | `Inequality(left=…, right=…)`                   |
| ‖…‖ ≤ right, of what is unknown   | `Bound(right=…)`                                |
| if …, then                        | `premises`, each with a name                    |
| the situation refutes the item    | `refutes`: every premise holds, the rest does not |

Rounding refutes nothing: `tolerance` is what it can add to the difference of both sides, and what
the item makes of premises that are accepted up to rounding. NaN is refused (`NotANumberError`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from ptum.reference.arrays import Bools, Floats
from ptum.reference.errors import Numeric

Side: TypeAlias = Floats | float
"""A number, or an array of them that is compared entry by entry."""

Comparator: TypeAlias = Literal["<", "≤", ">", "≥"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Bound(Numeric):
    """An inequality whose left side is open: a right side, and the premises to claim it under.

    A premise is a fact, or an inequality of its own.
    """

    right: Side
    sign: Comparator = "≤"
    tolerance: Side = 0.0
    premises: Mapping[str, bool | Inequality] = field(default_factory=dict)

    @property
    def bound(self) -> float:
        """The right side, where it is one number."""
        return float(self.right)

    @property
    def met(self) -> dict[str, bool]:
        """Which of the premises hold."""
        return {
            name: premise.holds if isinstance(premise, Inequality) else premise
            for name, premise in self.premises.items()
        }

    @property
    def premises_met(self) -> bool:
        """Whether the item speaks of this situation."""
        return all(self.met.values())


@dataclass(frozen=True, eq=False, kw_only=True)
class Inequality(Bound):
    """An item of the paper in one situation: both sides, and the premises it is claimed under."""

    left: Side

    @property
    def holds(self) -> bool:
        """Whether left `sign` right everywhere, up to the tolerance."""
        left, right, tolerance = self.left, self.right, self.tolerance
        everywhere: Mapping[Comparator, Bools | bool] = {
            "<": left < right + tolerance,
            "≤": left <= right + tolerance,
            ">": left > right - tolerance,
            "≥": left >= right - tolerance,
        }
        return bool(np.all(everywhere[self.sign]))

    @property
    def refutes(self) -> bool:
        """Whether the situation meets every premise and misses the conclusion."""
        return self.premises_met and not self.holds
