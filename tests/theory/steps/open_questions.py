"""Steps of docs/open_questions.md.

lam is λ, Lam is Λ, D0 is D₀, g is γ, b is β or what the page calls b, t, z, x, y as there.
"""

from __future__ import annotations

from typing import Final

from tests.theory.language import ProofStep

TILTS: Final = (
    ProofStep(
        "tilt-is-positive",
        "0 < lam < 1; x > 0; D0 > 0; x*D0 <= mu <= 1; X <= c; Lam == lam/(1 - lam*x*D0)",
        "1 + Lam*(mu - X) >= 0",
        c="1",
        percent="1",
    ),
    ProofStep(
        "tilt-of-the-mean",
        "0 < lam < 1; x > 0; D0 > 0; x*D0 <= 1; D >= D0; Lam == lam/(1 - lam*x*D0);"
        "lam_1 == Lam/(1 + Lam*x*D)",
        "lam_1 == c*lam/(1 + lam*x*(D - D0))",
        c="1",
        percent="1",
    ),
    ProofStep(
        "tilt-as-a-product",
        "Lam > 0; d == mu - mean; 1 + Lam*d > 0; lam_1 == Lam/(1 + Lam*d); rho == mean - X",
        "1 + Lam*(mu - X) == (1 + Lam*d)*(1 + c*lam_1*rho)",
        c="1",
        percent="1",
    ),
    # s is yt, which is at most λ.
    ProofStep(
        "tilts-differ",
        "0 < lam < 1; 0 <= s <= lam; lam_1 == lam/(1 + s)",
        "lam - lam_1 == lam_1*s and lam_1**2*s/(1 - lam_1) >= c*lam**2*s/(1 + lam)",
        c="1",
        percent="1",
    ),
    ProofStep(
        "least-of-the-cubic",
        "C > 0; t >= 0; D0 > 0",
        "D0**2 - t**2 + C*t**3 >= D0**2 - c/C**2",
        c="4/27",
        percent="-1",
    ),
    ProofStep(
        "tilt-is-enough",
        "0 < lam < 1; lam*D0 >= c; C == lam/(1 + lam); t >= 0",
        "D0**2 - t**2 + C*t**3 >= 0",
        c="1",
        percent="-24",
    ),
    ProofStep(
        "concave-in-z",
        "psi >= 0; lam > 0; 0 <= a <= z <= b; lam*a - psi*a**2/2 >= k; lam*b - psi*b**2/2 >= k",
        "lam*z - psi*z**2/2 >= c*k",
        c="1",
        percent="1",
    ),
)

SPREADS: Final = (
    ProofStep(
        "too-little-spread",
        "s > 0; x > 0; x <= c/s; z >= 0; D0 >= 0; 0 <= D < D0; v >= 0; v < x*z**2/2",
        "v + (x*D)**2 < x*(z**2/2 + D0**2/(4*s))",
        c="1/4",
        percent="1",
    ),
    # h is 2ψ/λ², at most 1 + (2/3)λ/(1-λ).
    ProofStep(
        "room-for-the-tilt",
        "0 < lam <= 1/10; 0 < h <= 1 + 2/3*lam/(1 - lam); r2 == 1 - h*(1 - c*lam)",
        "r2 >= lam/2",
        c="7/6",
        percent="-1",
    ),
    ProofStep(
        "level-of-much-spread",
        "0 < lam <= 1/10; gg == 1 + 2/3*lam/(1 - lam); s*lam**2*gg**2 >= 2; r2 >= lam/2",
        "2*s*r2 > c",
        c="3/2",
        percent="1056",
    ),
    # a is √s, f is √λ, q is 1/√2.
    ProofStep(
        "level-of-little-spread",
        "0 < f; 10*f**2 <= 1; gg == 1 + 2/3*f**2/(1 - f**2); q > 0; 2*q**2 <= 1; a > 0;"
        "a**2 >= 175;"
        "y == 1/(gg*f) - q - 7/12/a; y > 0",
        "y**2 > c",
        c="3/2",
        percent="221",
    ),
)

FEW_STATES: Final = (
    ProofStep(
        "factor-of-line-2",
        "0 <= g < 1; D > 0; f == 2*(1 + g) + 8*R; R == (1 - g)*t/(8*D); f*D <= (1 - g)*e",
        "t <= c*(e - 2*D*(1 + g)/(1 - g))",
        c="1",
        percent="-1",
    ),
    ProofStep(
        "one-state-for-both",
        "0 <= g < 1; B >= 0; k > 0; B == (1 + g)*k/(1 - g); L1 >= t; L2 >= t; L1 + L2 <= 2*B",
        "(1 - g)*t/k <= c*(1 + g)",
        c="1",
        percent="-1",
    ),
    # k is the page's c; sa, sb are the sums of a and b, and up, down are ρ₊, ρ₋.
    ProofStep(
        "lonely-state",
        "P > 0; phi > 0; k > 0; 0 <= sa; 0 <= sb; m == max(sa, sb); N <= k - phi*m; up >= 0;"
        "down >= 0;"
        "up + down <= P; N <= (up - phi)*sa + down*sb; up >= phi or down + phi <= P",
        "N <= max(0, c*k*(1 - phi/P))",
        c="1",
        percent="-1",
    ),
    ProofStep(
        "three-states",
        "0 <= g < 1; 0 < k <= 1; Y <= 1 + g*(1 - k*Y) or Y <= 1; R == 1 + g + Y",
        "R <= (1 + g)*(2 + c*g*k)/(1 + g*k)",
        c="1",
        percent="-1",
    ),
    # 2θ - B is (2Y - (1+γ)) in the units of Y.
    ProofStep(
        "three-models-three-states",
        "0 <= g < 1; 0 < k <= 1; R == 1 + g + Y;"
        "Y <= 1 + g*max(0, 1 - k*(2*Y - 1 - g)) or 2*Y <= 1 + g",
        "R <= (1 + g)*(2 + c*g*k)/(1 + 2*g*k)",
        c="3",
        percent="-1",
    ),
    ProofStep(
        "between-the-states",
        "0 <= a <= 1; 0 <= b <= 1; 0 < rho < X; N == (a - b)*(X - rho) - a*X",
        "N == -a*rho - b*(X - rho) and N <= 0",
        without="0 < rho < X",
    ),
    # b is β, E is Ê(x), X is X̂.
    ProofStep(
        "two-states-bound",
        "0 <= g < 1; b == 1 + g; 0 <= k < 1; R <= 2*b - 2*k*X; X >= (R - E) + (R - b + k*X)",
        "R <= (2*b + 2*k*E)/(1 + c*k)",
        c="3",
        percent="1",
    ),
    ProofStep(
        "bound-falls-with-k",
        "b >= 1; 0 <= E <= b; 0 <= k < j",
        "(2*b + 2*j*E)/(1 + 3*j) <= (2*b + c*k*E)/(1 + 3*k)",
        c="2",
        percent="-1",
    ),
    ProofStep(
        "two-states-at-the-end",
        "0 <= g < 1; 0 < k <= c; 0 <= E <= 1 + g; k*(1 + g) < 1; j == g*k/(1 - k*E)",
        "(2*(1 + g) + 2*j*E)/(1 + 3*j) <= 2*(1 + g)*(1 - k)/(1 - k + 2*g*k)",
        c="1/3",
        percent="1",
    ),
    ProofStep(
        "two-states-large-k",
        "0 <= g < 1; X <= g; E <= 1 + g; F <= 1 + g; 2*R <= X + E + F",
        "R <= 1 + c*g",
        c="3/2",
        percent="-1",
    ),
    ProofStep(
        "three-models-two-states",
        "0 <= g < 1; B > 0; k == (1 - g)*B/(1 + g); 2*(t - B) <= B; R == (1 - g)*t/k",
        "R <= c*(1 + g) and R <= 2 + g",
        c="3/2",
        percent="-1",
    ),
    # Why four states: the gain measured with the other values.
    ProofStep(
        "no-lonely-gain",
        "k > 0; B > 0; mean <= B; k + B - mean <= c*k",
        "mean == B",
        c="1",
        percent="1",
    ),
)

# s is 1/√c, r2 and r3 are √2 and √3; t is √8·√(L/N).
CONSTANTS: Final = (
    ProofStep(
        "least-factor",
        "r2 > 0; r2**2 <= 2; r3 > 0; r3**2 <= 3; k >= c*(38/3 + 16/r3); s > 0; s**2*k <= 1",
        "2*r2*s + 26/3*s**2 <= 1",
        c="1",
        percent="-1",
    ),
    ProofStep(
        "decimals-of-c0",
        "r3 > 0; r3**2 >= 3; k <= 38/3 + 16/r3",
        "k < c",
        c="21.90428",
        percent="-1",
    ),
    ProofStep(
        "decimals-of-kappa0",
        "r3 > 0; r3**2 <= 3; k >= 38/3 + 16/r3; t > 0; t**2*k <= 8",
        "2 + t < c",
        c="2.60434",
        percent="-1",
    ),
    ProofStep(
        "shift-and-factor",
        "m > 2; k >= c/(m - 2)**2; t > 0; q > 0; t**2 <= 8*q; k*q < 1",
        "t <= m - 2",
        c="8",
        percent="-1",
    ),
    # p is √(LL'/(N(N-1))); log 2 > 0.693.
    ProofStep(
        "bracket",
        "L >= 2.7725; N > 21*L; p >= 0; p**2*N*(N - 1) <= L*(L - 0.693)",
        "4*p + 14*L/(3*(N - 1)) <= c*L/N",
        c="26/3",
        percent="-1",
    ),
    # The whole theorem after the bracket: q is L/N, s is σ, k is the larger of c₀ and 8/(m-2)².
    ProofStep(
        "both-active",
        "m > 2; r3 > 0; r3**2 <= 3; k >= c + 16/r3; k >= 8/(m - 2)**2; q > 0; t > 0; t**2 <= 8*q;"
        "s >= 0; 0 < l <= 1; D >= 0; x > 0; l*(x + m*D) <= 1;"
        "x + m*D <= s*t + 26/3*q/l + (2 + t)*D",
        "x**2 <= k*s**2*q or l*x <= k*q",
        c="38/3",
        percent="-1",
    ),
    ProofStep(
        "line-2-of-a-shift",
        "0 <= g < 1; D >= 0; e >= 0; m > 2; c*(m + 1)*(1 + g)*D <= (1 - g)*e",
        "(1 - g)*e/2 - (1 + g)*D >= m*(1 + g)*D",
        c="2",
        percent="-1",
    ),
    ProofStep(
        "counted",
        "L >= 2.7725; 0 < M <= 1; N <= 21.90428*L/M",
        "N + 1 <= c*L/M",
        c="22.27",
        percent="-1",
    ),
    # y ≥ (8-κ₀)Δ + x.
    ProofStep(
        "gamma-with-c0",
        "a > 0; D > 0; 0 < Gamma; Gamma < 16*D; y >= 5.39566*D; a*Gamma <= 1; L >= 2.77258;"
        "N <= 21.90428*L*max(1/(4*a**2*y**2), 1/(a*y))",
        "N + 1 <= c*L/(a*Gamma)**2",
        c="65.32",
        percent="-1",
    ),
    ProofStep(
        "epsilon-with-c0",
        "0 < a <= 1; 0 < E <= e; a*E <= 1; 36*(2 - a)*D > a*e; y >= 5.39566*D; L >= 2.77258;"
        "N <= 21.90428*L*max(1/(4*a**2*y**2), 1/(a*y))",
        "N + 1 <= c*L/(a**4*E**2)",
        c="975.46",
        percent="-1",
    ),
    # Two models within Δ of the truth half way between them pass the test of means for ever.
    ProofStep(
        "no-shift-below-2",
        "D > 0; abs(W1 - W) <= D; abs(W2 - W) <= D",
        "abs(W1 - W2) <= c*D",
        c="2",
        percent="-1",
    ),
)

STEPS: Final = (*TILTS, *SPREADS, *FEW_STATES, *CONSTANTS)
