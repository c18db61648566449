"""Steps of docs/repaired_transfer.md.

g is γ, D is Δ, e is ε, Gr and Gp are the gaps of a model, l is ℓ, s is σ. For log 16 stand
2.7725 below and 2.7726 above it.
"""

from __future__ import annotations

from typing import Final

from tests.theory.language import ProofStep

MODEL: Final = "0 <= g < 1; D >= 0; e >= 0"
KAPPA: Final = f"{MODEL}; kappa == (1 - g)*e/4 - (1 + g)*D/2"
W: Final = f"{KAPPA}; w == (1 - g)*e/2 - 9*(1 + g)*D"
GAPS: Final = "Gr >= 0; Gp >= 0"
PHI_Z: Final = "phi == min(4*z**2, z)"

NOTATION: Final = (
    ProofStep("slack", KAPPA, "e - 2*(1 + g)*D/(1 - g) == c*kappa/(1 - g)", c="4", percent="1"),
    ProofStep(
        "theta-s-in-theta-epsilon",
        f"{GAPS}; 0 <= g < 1; Gr + g*Gp > c*kappa",
        "Gr > kappa or g*Gp > kappa",
        c="2",
        percent="-1",
    ),
    # Mean m, mean square m2 of a variable with values between a and b: the mean of (X-a)(b-X) is
    # not negative.
    ProofStep(
        "half-the-range",
        "l > 0; b - a == 1/l; (a + b)*m - a*b - m2 >= 0",
        "c*l**2*(m2 - m**2) <= 1",
        c="4",
        percent="1",
    ),
    ProofStep(
        "information-at-most-1",
        "x > 0; s > 0; l*x <= c",
        "min(x**2/s**2, l*x) <= 1",
        c="1",
        percent="1",
    ),
)

STEP_0: Final = (
    ProofStep(
        "union-bound",
        "SA >= 1; n >= 2; k >= 1; 0 < delta < 1; delta_1 == delta/(c*SA*n*(k + 1))",
        "2*(k + 1)*SA*(n - 1)*delta_1 <= delta",
        c="2",
        percent="-1",
    ),
    ProofStep(
        "union-logarithms",
        "SA >= 1; n >= 2; k >= 1; 0 < delta < 1; delta_1 == delta/(2*SA*n*(k + 1))",
        "4/delta_1 == c*SA*n*(k + 1)/delta and 2/delta_1 == c/2*SA*n*(k + 1)/delta",
        c="8",
        percent="1",
    ),
    ProofStep(
        "target-passes",
        "D >= 0; width >= 0; abs(mean_hat - mean) <= width; abs(mean - mean_tilde) <= D",
        "abs(mean_hat - mean_tilde) <= width + c*D",
        c="1",
        percent="-1",
    ),
)

# u is √(L/N).
STEP_1: Final = (
    ProofStep(
        "enough-samples",
        "L >= 2.7725; N > 23*L; N >= 64 or N <= 63",
        "N - 1 >= c*N",
        c="63/64",
        percent="1",
    ),
    # v is √(L'/(N-1)), a is √(L/(N-1)).
    ProofStep(
        "deviation-inserted",
        "N >= 2; l > 0; u > 0; v >= 0; a > 0; u**2*N == a**2*(N - 1); v**2 <= a**2",
        "2*u*v*2/l + 14*a**2/(3*l) <= c*a**2/l",
        c="26/3",
        percent="-1",
    ),
    ProofStep(
        "shift-term", "u > 0; 23*u**2 < 1; t >= 0; t**2 <= 8*u**2", "t < c", c="0.59", percent="-1"
    ),
    ProofStep(
        "first-term",
        "x > 0; u > 0; s >= 0; 23*(s*u)**2 <= x**2; t >= 0; t**2 <= 8*(s*u)**2",
        "t < c*x",
        c="0.59",
        percent="-1",
    ),
    ProofStep(
        "second-term",
        "x > 0; l > 0; L > 0; N >= 64; 23*L < N*l*x",
        "26*L/(3*(N - 1)*l) < c*x",
        c="0.383",
        percent="-1",
    ),
    ProofStep(
        "sum-of-terms", "x > 0; D >= 0; G <= 0.973*x + 2.59*D", "G < x + c*D", c="2.6", percent="-1"
    ),
    # The whole step for N ≥ 64, with fewer roundings: q is L/N, t is √(8q).
    ProofStep(
        "elimination",
        "q > 0; t > 0; t**2 <= 8*q; s >= 0; 0 < l <= 1; D >= 0; G == x + 2.6*D; x > 0; l*G <= 1;"
        "G <= s*t + 26*64/63*q/(3*l) + (2 + t)*D",
        "x**2 <= c*s**2*q or l*x <= c*q",
        c="23",
        percent="-4",
    ),
    ProofStep(
        "least-integer",
        "N == 61; t >= 0; t**2 >= 8/c",
        "N > 22*2.7726 and t + 26/3*N/(N - 1)/c >= 1",
        c="22",
        percent="1",
    ),
)

STEP_2: Final = (
    ProofStep("contraction", "0 <= g < 1; d <= b + g*d", "d <= c*b/(1 - g)", c="1", percent="-1"),
    ProofStep(
        "loss-of-the-policy",
        "0 <= g < 1; b >= 0; abs(V1 - V) <= b/(1 - g); abs(V2 - V) <= b/(1 - g)",
        "V1 - V2 <= c*b/(1 - g)",
        c="2",
        percent="-1",
    ),
    ProofStep(
        "rejected-in-theta-s",
        f"{KAPPA}; {GAPS}; loss > 4*kappa/(1 - g); loss <= 2*(Gr + g*Gp)/(1 - g)",
        "Gr + g*Gp > c*kappa",
        c="2",
        percent="1",
    ),
    ProofStep(
        "kappa-floor",
        f"{KAPPA}; 18*(1 + g)*D <= (1 - g)*e",
        "kappa >= c*(1 - g)*e",
        c="2/9",
        percent="1",
    ),
)

STEP_3: Final = (
    ProofStep(
        "gap-after-the-shift",
        f"{KAPPA}; {GAPS}; w == (1 - g)*e/2 - c*(1 + g)*D; Gr + g*Gp > 2*kappa;"
        "u == max(Gr - 8*D, 0); v == max(Gp - 8*D, 0)",
        "u + g*v > w",
        c="9",
        percent="-1",
    ),
    ProofStep("eighteen", f"{W}; c*(1 + g)*D <= (1 - g)*e", "w >= 0", c="18", percent="-1"),
    ProofStep(
        "phi-bounds-information",
        "x > 0; l > 0; 0 < s <= 1/(2*l)",
        "min(x**2/s**2, l*x) >= min(c*(l*x)**2, l*x)",
        c="4",
        percent="1",
    ),
    ProofStep("phi-increases", "0 <= z; z < y", "min(4*z**2, z) < min(4*y**2, y)", without="z < y"),
    ProofStep(
        "larger-of-two",
        "0 <= g < 1; u >= 0; v >= 0; u + g*v > w; z == max(u, (1 - g)*v)",
        "z > c*(1 - g)*w",
        c="1",
        percent="1",
    ),
)

STEP_4: Final = (
    ProofStep(
        "through-the-target",
        "D >= 0; x > 0; abs(W1 - W2) == 8*D + x; abs(W1 - W) <= G; abs(W2 - W) <= G",
        "G - 2.6*D >= c*D + x/2",
        c="1.4",
        percent="1",
    ),
    ProofStep(
        "ninety-two",
        "x > 0; s > 0; l > 0; D >= 0; y >= 1.4*D + x/2; N <= 23*L*max(s**2/y**2, 1/(l*y)); L > 0",
        "N <= c*L/min(x**2/s**2, l*x)",
        c="92",
        percent="-1",
    ),
    ProofStep(
        "ninety-two-without-deviation",
        "x > 0; l > 0; D >= 0; y >= 1.4*D + x/2; N <= 23*L/(l*y); L > 0",
        "N <= c*L/(l*x)",
        c="92",
        percent="-51",
    ),
    ProofStep(
        "tolerance-of-indices",
        "I > 0; L > 0; used >= 3/4*I; N <= c*L/used",
        "N < 128*L/I",
        c="92",
        percent="5",
    ),
)

STEP_5: Final = (
    ProofStep("one-more-query", "L >= 2.7725; 0 < M <= 1", "1 <= c*L/M", c="0.361", percent="-1"),
    ProofStep(
        "queries-of-a-pair",
        "L >= 2.7725; 0 < M <= 1; j - 1 <= 92*L/M",
        "j <= c*L/M",
        c="92.4",
        percent="-1",
    ),
)

LOSS: Final = f"{MODEL}; slack == e - 2*(1 + g)*D/(1 - g); slack >= 0"
STEP_6: Final = (
    ProofStep(
        "three-differences",
        f"{LOSS}; d1 <= D + g*D + g*d1; d2 <= slack; d3 <= D + g*D + g*d3",
        "d1 + d2 + d3 <= c*e",
        c="1",
        percent="-1",
    ),
    ProofStep(
        "range-of-f", "s >= 0; 0 <= p <= s; 0 <= q <= s", "abs(p - q) <= c*s", c="1", percent="-1"
    ),
    ProofStep(
        "weaker-assumption",
        f"{LOSS}; d1 <= D + g*D + g*d1; d2 <= slack; d3 <= D + g*(D + slack) + g*d3",
        "d1 + d2 + d3 <= 2*(1 + g)*D/(1 - g) + c*slack/(1 - g)",
        c="1",
        percent="-1",
    ),
    ProofStep(
        "weaker-at-most",
        LOSS,
        "2*(1 + g)*D/(1 - g) + slack/(1 - g) <= c*e/(1 - g)",
        c="1",
        percent="-1",
    ),
)

# a is 1-γ, E is ε'.
FIVE: Final = "L > 0; a > 0; y > 0; N <= 23*L*max(1/(4*a**2*y**2), 1/(a*y))"
STEP_7: Final = (
    ProofStep(
        "five",
        "0 < a <= l; s >= 0; s <= 1/(2*l); y > 0",
        "max(s**2/y**2, 1/(l*y)) <= max(1/(c*a**2*y**2), 1/(a*y))",
        c="4",
        percent="1",
    ),
    ProofStep(
        "gamma-visible",
        "0 < a <= l; G > 0; G >= Gamma; Gamma >= 0; D >= 0; Gamma >= 16*D; l*G <= 1; x == G - 8*D",
        "min(4*(l*x)**2, l*x) >= c*(a*Gamma)**2",
        c="1/2",
        percent="1",
    ),
    ProofStep(
        "gamma-visible-count",
        "L > 0; q > 0; I >= q/2; N <= 92*L/I",
        "N <= c*L/q",
        c="184",
        percent="-1",
    ),
    ProofStep(
        "gamma-hidden",
        f"{FIVE}; D > 0; 0 < Gamma; Gamma < 16*D; y >= 1.4*D; a*Gamma <= 1",
        "N <= c*L/(a*Gamma)**2",
        c="752",
        percent="-1",
    ),
    ProofStep(
        "epsilon-visible",
        f"{W}; c*(1 + g)*D <= (1 - g)*e; 0 <= E <= e; (1 - g)*E <= 1; z == (1 - g)*w",
        "min(4*z**2, z) >= (1 - g)**4*E**2/4",
        c="36",
        percent="-1",
    ),
    ProofStep(
        "epsilon-visible-count",
        "L > 0; q > 0; I >= q/4; N <= 92*L/I",
        "N <= c*L/q",
        c="368",
        percent="-1",
    ),
    ProofStep(
        "epsilon-hidden",
        f"{FIVE}; 0 <= g; g == 1 - a; 0 < E <= e; a*E <= 1; 36*(1 + g)*D > a*e; y >= 1.4*D",
        "N <= c*L/(a**4*E**2)",
        c="15210",
        percent="-1",
    ),
    ProofStep(
        "thousand",
        "L >= 2.7725; 0 < q <= 1; N <= 752*L/q",
        "N + 1 <= c*L/q",
        c="752.4",
        percent="-1",
    ),
    ProofStep(
        "sixteen-thousand",
        "L >= 2.7725; 0 < q <= 1; N <= 15210*L/q",
        "N + 1 <= c*L/q",
        c="15210.4",
        percent="-1",
    ),
    ProofStep(
        "printed-kappa",
        f"{KAPPA}; 4*(1 + g)*D <= (1 - g)*e",
        "kappa**2 >= (1 - g)**2*e**2/c",
        c="64",
        percent="-1",
    ),
)

EXACT_MODELS: Final = (
    ProofStep("phi-at-least-square", "0 <= z <= c", "min(4*z**2, z) >= z**2", c="1", percent="1"),
    # Both gaps of a model, at the pairs that attain them: the smaller of the two bounds is kept.
    ProofStep(
        "min-max-gaps",
        "0 <= g < 1; 0 <= Gr <= 1; 0 <= (1 - g)*Gp <= 1; max(Gr, Gp) >= Gamma; Gamma >= 0;"
        "z == max(Gr, (1 - g)*Gp)",
        "min(4*z**2, z) >= c*(1 - g)**2*Gamma**2",
        c="1",
        percent="1",
    ),
    ProofStep(
        "min-max-kappa",
        "0 <= g < 1; 0 <= Gr <= 1; 0 <= (1 - g)*Gp <= 1; Gr > kappa or g*Gp > kappa; kappa >= 0;"
        "z == max(Gr, (1 - g)*Gp)",
        "min(4*z**2, z) >= c*(1 - g)**2*kappa**2",
        c="1",
        percent="1",
    ),
    ProofStep(
        "exact-models-epsilon",
        "0 <= g < 1; e >= 0; (1 - g)*e <= 1; z == (1 - g)**2*e/4",
        "min(4*z**2, z) >= c*(1 - g)**4*e**2",
        c="1/4",
        percent="1",
    ),
    ProofStep(
        "five-hundred-and-twelve",
        "L > 0; q > 0; M >= q/4; N <= 128*L/M",
        "N <= c*L/q",
        c="512",
        percent="-1",
    ),
)

BLOCK: Final = "0 <= g < 1; 0 <= k <= 1/4; Bh == 3/4 + g*(Bh + Bl)/2; Bl == 1/4 + g*(Bh + Bl)/2"
THRESHOLD: Final = (
    ProofStep(
        "sharp-choice",
        "0 < X <= 9/16; c*D > X; D < X/2",
        "X/2 - D < 8*D and X/2 - D < 1/4",
        c="18",
        percent="1",
    ),
    ProofStep(
        "sharp-room", "0 < X <= c; 18*D > X; D < X/2", "X/2 - D < 1/4", c="9/16", percent="1"
    ),
    ProofStep(
        "blocks",
        f"{BLOCK}; p == 1/2 - 2*k; h == 3/4 - k + g*(p*h + (1 - p)*l);"
        "l == 1/4 - k + g*(p*h + (1 - p)*l)",
        "h - l == 1/2 and (Bh - h)*(1 - g) == c*k*(1 + g)",
        c="1",
        percent="1",
    ),
    ProofStep(
        "blocks-do-not-stop",
        f"{MODEL}; X == (1 - g)*e/(1 + g); k > X/2 - D",
        "c*k*(1 + g)/(1 - g) > e - 2*(1 + g)*D/(1 - g)",
        c="2",
        percent="-1",
    ),
    ProofStep(
        "one-state-target",
        f"{KAPPA}; (c + 2*g)*D <= (1 - g)*e; loss > 4*kappa/(1 - g); loss <= 2*Gr/(1 - g)",
        "Gr > 8*D",
        c="18",
        percent="-1",
    ),
    ProofStep(
        "one-state-cycle",
        f"{MODEL}; (c + 2*g)*D <= (1 - g)*e",
        "8*D <= (1 - g)*(e - 2*(1 + g)*D/(1 - g))",
        c="10",
        percent="-1",
    ),
)

CHEAP_W: Final = f"{KAPPA}; w == (1 - g)*e/2 - 3.61*(1 + g)*D"
CHEAP_FIVE: Final = FIVE.replace("23", "86")
CHEAPEST: Final = (
    ProofStep(
        "cheapest-line-2",
        f"{CHEAP_W}; c*(1 + g)*D <= (1 - g)*e",
        "w >= 0 and kappa >= 0",
        c="7.22",
        percent="-1",
    ),
    ProofStep(
        "cheapest-shift",
        f"{CHEAP_W}; {GAPS}; Gr + g*Gp > 2*kappa; u == max(Gr - c*D, 0); v == max(Gp - c*D, 0)",
        "u + g*v > w",
        c="2.61",
        percent="1",
    ),
    # c_0 is 38/3 + 16/√3.
    ProofStep(
        "twenty-two", "r > 0; r**2 >= 3; c_0 <= 38/3 + 16/r", "c_0 < c", c="22", percent="-1"
    ),
    ProofStep(
        "twenty-three",
        "r > 0; r**2 >= 3; c_0 <= 38/3 + 16/r; L >= 2.7725; 0 < M <= 1; N <= c_0*L/M",
        "N + 1 < c*L/M",
        c="23",
        percent="-4",
    ),
    ProofStep("eighty-six", "m == 2.305", "8/(m - 2)**2 < c", c="86", percent="-1"),
    ProofStep(
        "cheapest-gamma",
        f"{CHEAP_FIVE}; D > 0; 0 < Gamma; Gamma < 5.22*D; y >= 0.305*D; a*Gamma <= 1",
        "N <= c*L/(a*Gamma)**2",
        c="6298",
        percent="-1",
    ),
    ProofStep(
        "cheapest-epsilon",
        f"{CHEAP_FIVE}; 0 <= g; g == 1 - a; 0 < E <= e; a*E <= 1; 14.44*(1 + g)*D > a*e;"
        "y >= 0.305*D",
        "N <= c*L/(a**4*E**2)",
        c="192820",
        percent="-1",
    ),
    ProofStep(
        "cheapest-visible",
        f"{CHEAP_W}; 4*c*(1 + g)*D <= (1 - g)*e",
        "w >= (1 - g)*e/4",
        c="3.61",
        percent="-1",
    ),
)

WALKING: Final = (
    ProofStep(
        "steps-of-a-walk",
        "Diam >= 0; 0 <= Q <= B; m >= 0; k >= 1",
        "Q + Diam*(Q + m + k - 1) <= c*(Diam + 1)*(B + m + k - 1)",
        c="1",
        percent="-1",
    ),
    ProofStep(
        "all-samples-used",
        "L > 0; M > 0; m >= 1; n > c*m*L/M; N <= 92*L/M",
        "N < n",
        c="128",
        percent="-29",
    ),
)

STEPS: Final = (
    *NOTATION,
    *STEP_0,
    *STEP_1,
    *STEP_2,
    *STEP_3,
    *STEP_4,
    *STEP_5,
    *STEP_6,
    *STEP_7,
    *EXACT_MODELS,
    *THRESHOLD,
    *CHEAPEST,
    *WALKING,
)
