"""Steps of docs/fallback.md. g is γ, log is log(2SA/δ)."""

from __future__ import annotations

from typing import Final

from tests.theory.language import ProofStep

STEPS: Final = (
    ProofStep(
        "range-of-a-return",
        "0 <= g < 1; 0 <= U <= 1; 0 <= V <= 1/(1 - g); X == U + g*V",
        "0 <= X <= c/(1 - g)",
        c="1",
        percent="-1",
    ),
    ProofStep("action-values", "0 <= g < 1; d <= g*d + e", "d <= c*e/(1 - g)", c="1", percent="-1"),
    ProofStep(
        "loss-of-the-greedy-policy",
        "0 <= g < 1; e >= 0; b == e/(1 - g); d <= 2*b + g*d",
        "d <= c*e/(1 - g)**2",
        c="2",
        percent="-1",
    ),
    ProofStep(
        "samples",
        "0 <= g < 1; log > 0; eps > 0; m >= c*log/((1 - g)**6*eps**2); e > 0;"
        "e**2 <= log/(2*m*(1 - g)**2); d <= 2*e/(1 - g)**2",
        "d <= eps",
        c="2",
        percent="-1",
    ),
)
