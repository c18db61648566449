"""Steps of docs/sequential_limits.md."""

from __future__ import annotations

from typing import Final

from tests.theory.language import ProofStep

# B₃₁ = (A b; d D) on two tasks and n; p, v solve B₃₁(p; v) = (a; w).
SOLVED: Final = (
    "A11*p1 + A12*p2 + b1*v == a1; A21*p1 + A22*p2 + b2*v == a2; d1*p1 + d2*p2 + D*v == w;"
    "A11*x1 + A12*x2 == a1; A21*x1 + A22*x2 == a2; A11*y1 + A12*y2 == b1; A21*y1 + A22*y2 == b2;"
    "A11*A22 - A12*A21 != 0"
)

HEAVY_TAILS: Final = (
    ProofStep(
        "schur-complement",
        f"{SOLVED}; s == D - d1*y1 - d2*y2; s != 0",
        "v == c*(w - d1*x1 - d2*x2)/s",
        c="1",
        percent="1",
    ),
    ProofStep(
        "line-9",
        f"{SOLVED}; out == e1*p1 + e2*p2 + f*v; g == f - e1*y1 - e2*y2",
        "out == e1*x1 + e2*x2 + c*g*v",
        c="1",
        percent="1",
    ),
    # z is g_i η_j, R is R_ij, G is G₃₁.
    ProofStep(
        "small-denominator",
        "x > 0; M > 0; kappa > 0; abs(R) <= M; abs(z) >= kappa; 0 < abs(G) <= c*kappa/(x + M)",
        "abs(R + z/G) > x",
        c="1/2",
        percent="100",
    ),
)

TWO_POINTS: Final = (
    # kl is KL(½, ½+2a) = -½ log(1-16a²) ≤ 8a²/(1-16a²).
    ProofStep(
        "pinsker",
        "0 < a <= 1/8; n > 0; kl <= 8*a**2/(1 - 16*a**2); V >= 0; V**2 <= n*kl/2",
        "V**2 <= c*n*a**2/(1 - 16*a**2)",
        c="4",
        percent="-1",
    ),
    ProofStep(
        "two-points",
        "0 < a <= 1/8; 0 < n; 16*n*a**2 <= c; V >= 0; V**2 <= 4*n*a**2/(1 - 16*a**2)",
        "3*V**2 <= 1 and (1 - V)/2 > 1/5",
        c="1",
        percent="1",
    ),
)

ONE_PASS: Final = (
    # 100 tasks of each kind, N = 1/ε² flips each: both rates, and the sides of all 200 tasks.
    ProofStep(
        "alternating-coins",
        "0 < e <= 1/1000; N*e**2 >= 1",
        "1 - 2*(3/16)/(100*N)/(e/4)**2 - 200*(3/16)/N/(1/4)**2 >= c",
        c="0.93",
        percent="2",
    ),
)

STEPS: Final = (*HEAVY_TAILS, *TWO_POINTS, *ONE_PASS)
