"""Algorithm 1, line 2, with a threshold for which Lemma 7 is true (errata E01, E12).

| symbol                | code                 |
| --------------------- | -------------------- |
| (1-γ)ε / (18(1+γ))    | `transfer_threshold` |

18 belongs to the shift of 8Δ in Definition 1; with `CHEAPEST` it is 7.22 and 2.61Δ.

Why 18: if no pair distinguishes θ* from an active θ, both gaps are at most 8Δ, so by Corollary 2
the policy of θ* loses at most 16Δ(1+γ)/(1-γ) in θ; that is within the ε - 2Δ(1+γ)/(1-γ) of line 14
exactly when 18Δ(1+γ) ≤ (1-γ)ε. From four states on no larger threshold will do; for one to three
states docs/open_questions.md, (b), has the larger ones.
"""

from __future__ import annotations

from ptum.reference.arrays import above
from ptum.reference.errors import require_accuracy, require_discount, require_error
from ptum.reference.repaired.transfer.repairs import PRINTED_SHIFT, TransferConstants
from ptum.reference.transfer.stopping import stopping_models, stopping_slack

__all__ = ["transfer_threshold", "enters_transfer_mode", "stopping_slack", "stopping_models"]


def transfer_threshold(
    epsilon: float, gamma: float, repair: TransferConstants = PRINTED_SHIFT
) -> float:
    """(1-γ)ε / (18(1+γ)) in place of the printed ε(1-γ)/(4(1+γ)) (E01)."""
    epsilon = require_accuracy(epsilon)
    gamma = require_discount(gamma)
    return (1 - gamma) * epsilon / (repair.line_2 * (1 + gamma))


def enters_transfer_mode(
    Delta: float, epsilon: float, gamma: float, repair: TransferConstants = PRINTED_SHIFT
) -> bool:
    """Δ ≤ (1-γ)ε/(18(1+γ)); equality enters, so that ε = Δ = 0 does (E12, D24)."""
    Delta = require_error(Delta)
    return not above(Delta, transfer_threshold(epsilon, gamma, repair))
