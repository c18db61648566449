"""Two sets of constants with which the repaired Algorithm 1 keeps every lemma, and what each costs.

| place                                     | paper | `PRINTED_SHIFT` | `CHEAPEST` | code       |
| ----------------------------------------- | ----- | --------------- | ---------- | ---------- |
| Definition 1: [gap - xΔ]_+                | 8     | 8               | 2.61       | `shift`    |
| line 2: Δ ≤ (1-γ)ε/(x(1+γ)) enters        | 4     | 18              | 7.22       | `line_2`   |
| Lemma 8: N_t < x L/I_t                    | 128   | 128             | 22         | `lemma_8`  |
| Theorem 1: queries ≤ x min{SA,|Θ|-1} L/M  | 128   | 128             | 23         | `theorem_1`|
| Corollary 1: x min{SA,|Θ|-1} L/((1-γ)²Γ²) |       | 1000            | 6300       | `by_gap`   |
| Corollary 1: x min{SA,|Θ|-1} L/((1-γ)⁴ε²) |       | 16000           | 193000     | `by_accuracy` |

`PRINTED_SHIFT` leaves Definition 1 as it is. `CHEAPEST` transfers with models that are 18/7.22, or
2.5 times, less accurate; where errors fall like 1/√h, Algorithm 2 needs about a sixth of the tasks
before its first transfer. It pays with the explicit bound of Corollary 1, where the index is tiny.
Both are proved in docs/repaired_transfer.md; other numbers need a proof of their own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ptum.reference.errors import require_count, require_real, settle


@dataclass(frozen=True)
class TransferConstants:
    """The constants of Definition 1, line 2, Lemma 8, Theorem 1 and Corollary 1.

    Lemma 7 needs line_2 ≥ 2(shift + 1); the others grow as the shift comes down to 2.
    """

    shift: float
    line_2: float
    lemma_8: int
    theorem_1: int
    by_gap: int
    by_accuracy: int

    def __post_init__(self) -> None:
        for name in ("shift", "line_2"):
            problem = "must be positive and finite"
            found = require_real(getattr(self, name), lambda x: 0 < x < math.inf, name, problem)
            settle(self, **{name: found})
        for name in ("lemma_8", "theorem_1", "by_gap", "by_accuracy"):
            settle(self, **{name: require_count(getattr(self, name), name)})


PRINTED_SHIFT = TransferConstants(8, 18, 128, 128, 1000, 16_000)
CHEAPEST = TransferConstants(2.61, 7.22, 22, 23, 6300, 193_000)
