"""Steps of docs/repaired_sequential.md.

Norms are numbers here: a step has the triangle inequality among its premises and not the matrices.
r is √(λ/h), root_k is √k, sO is s_O, l is ℓ, w and nu are weights of one task.
"""

from __future__ import annotations

from typing import Final

from tests.theory.language import ProofStep

OBSERVATIONS: Final = (
    # |x|², |y|² and the inner product of two vectors without negative entries.
    ProofStep(
        "apart-by-root-two",
        "b >= 0; 0 <= xx <= b**2; 0 <= yy <= b**2; xy >= 0",
        "xx + yy - 2*xy <= c*b**2",
        c="2",
        percent="-1",
    ),
)

C1: Final = (
    ProofStep("triples", "m >= 1; 3*m <= h <= 3*m + 2", "m >= h/c", c="5", percent="-1"),
    ProofStep(
        "mean-square-of-triples",
        "m >= 1; g >= 0; B >= 0; square <= (m*B**4 + 4*g*m*B**4)/m**2",
        "square <= c*B**4*(1 + 4*g)/m",
        c="1",
        percent="-1",
    ),
    # log is log(1/δ₁), and t is what a mean may be exceeded by; d is the range of one triple.
    ProofStep(
        "azuma-triples",
        "m >= 1; g >= 0; B > 0; log > 0; d**2 <= 2*B**4/m**2; d > 0; t**2*m >= (1 + g)**2*B**4*log",
        "c*t**2 >= log*m*d**2*(1 + g)**2",
        c="2",
        percent="-1",
    ),
    # i is 1/√m, j is 1/√h, a is √λ, u is √(1+4g), v is √log(3/δ').
    ProofStep(
        "constant-of-triples",
        "5*j**2 >= i**2; i > 0; j > 0; f > 0; f**2 >= c; a >= 1; 0 <= v <= a; u >= 1; g >= 0",
        "i*(u + (1 + g)*v) <= f*(u + 1 + g)*a*j",
        c="5",
        percent="-1",
    ),
    ProofStep(
        "weights-near-stationary",
        "0 < omega <= 1; g >= 0; h >= c*(1 + g)/omega; m >= h/5; p >= omega - (1 + g)/m",
        "p >= omega/2",
        c="10",
        percent="-1",
    ),
    ProofStep(
        "azuma-windows",
        "M >= 1; h >= M; G >= 0; B > 0; log > 0; d > 0; d**2 <= 8*B**4*(1 + G)**2/M**2;"
        "t**2 >= c*B**4*(1 + G)**2*h*log/M**2",
        "2*t**2 >= log*h*d**2",
        c="4",
        percent="-1",
    ),
    # i is 1/√M, j is 1/√h, f is √3, q is √(h/M).
    ProofStep(
        "constant-of-windows",
        "h >= 3; M == h - 2; i > 0; i**2*M <= 1; j > 0; j**2*h >= 1; f > 0; f**2 >= c; q > 0;"
        "q**2*M <= h; a >= 1; 0 <= v <= a; u >= 1; G >= 0",
        "i*(u + 2*(1 + G)*q*v) <= f*(u + 2*f*(1 + G))*a*j",
        c="3",
        percent="-1",
    ),
    ProofStep(
        "weights-of-windows",
        "0 < omega <= 1; G >= 0; h >= 3; h >= c*(1 + G)/omega; M >= h/3; p >= omega - (1 + G)/M",
        "p >= omega/2",
        c="6",
        percent="-1",
    ),
)

CUT: Final = (
    ProofStep(
        "weyl",
        "sigma > 0; 0 <= eps <= c*sigma; s_hat >= sigma - eps",
        "s_hat >= sigma/2",
        c="1/2",
        percent="1",
    ),
    ProofStep(
        "cut-on-the-range",
        "sigma > 0; eps >= 0; mu >= 0; 0 <= y <= mu/sigma; 0 <= z <= y/sigma; P <= 2/sigma;"
        "error <= P*eps*y + 2*eps*z",
        "error <= c*eps*mu/sigma**2",
        c="4",
        percent="-1",
    ),
    ProofStep(
        "cut-everywhere",
        "sigma > 0; eps >= 0; on >= 0; off >= 0; error >= 0; on <= 4*eps/sigma**2;"
        "off <= 4*eps/sigma**2;"
        "error**2 <= on**2 + off**2; f > 0; f**2 >= c",
        "error <= 4*f*eps/sigma**2",
        c="2",
        percent="-1",
    ),
)

C2_C3: Final = (
    ProofStep(
        "moment-at-most-twice",
        "top > 0; C > 0; r > 0; r**2*C**2 <= c*top**2; norm <= top + C*r",
        "norm <= 2*top",
        c="1",
        percent="1",
    ),
    ProofStep(
        "half-of-s",
        "s > 0; C > 0; lam > 0; h >= c*C**2*lam/s**2; r > 0; r**2*h <= lam; eps <= C*r",
        "eps <= s/2",
        c="4",
        percent="-1",
    ),
    ProofStep(
        "three-terms",
        "s > 0; a > 0; B > 0; C > 0; rho_2 > 0; r > 0; rho_4 == 2*a*rho_2/s + B*C/s + c*a*B*C/s**2;"
        "error <= a*2/s*rho_2*r + a*4*C*r*B/s**2 + C*r*B/s",
        "error <= rho_4*r",
        c="4",
        percent="-1",
    ),
    ProofStep(
        "full-rank-of-O",
        "sO > 0; rho_4 > 0; k >= 2; root_k > 0; root_k**2 <= k; lam > 0;"
        "h >= c*k*rho_4**2*lam/sO**2;"
        "r > 0; r**2*h <= lam",
        "root_k*rho_4*r <= sO/2",
        c="4",
        percent="-1",
    ),
    ProofStep(
        "transitions",
        "sO > 0; rho_2 > 0; rho_4 > 0; r > 0; inverse <= 2/sO;error <= inverse*(rho_2*r + rho_4*r)",
        "error <= c*(rho_2 + rho_4)/sO*r",
        c="2",
        percent="-1",
    ),
)

FLOORS: Final = (
    ProofStep(
        "gate",
        "l > 0; eps_2 <= l; top_k >= c*l; M_k >= top_k - eps_2",
        "M_k >= l",
        c="2",
        percent="-1",
    ),
    ProofStep(
        "gate-weights",
        "l > 0; B > 0; M_k >= l; M_k <= w*B**2; w <= 1; M_k <= s2",
        "w >= c*l/B**2 and s2 >= c*l",
        c="1",
        percent="1",
    ),
    ProofStep(
        "gate-visits",
        "h > 1; 0 < w <= 1; h*w >= 2; nu >= (h*w - 1)/(h - 1)",
        "nu >= c*w",
        c="1/2",
        percent="1",
    ),
    ProofStep(
        "gate-opens",
        "l > 0; s2*w >= c*l; M_k >= s2*w; eps_2 <= l; top_k >= M_k - eps_2",
        "top_k >= 2*l",
        c="3",
        percent="-1",
    ),
)

W1_W2: Final = (
    ProofStep(
        "mcdiarmid-one-task",
        "h >= 1; B > 0; log > 0; d > 0; d**2 <= 2*B**4/h**2; t**2*h >= c*B**4*log",
        "2*t**2 >= log*h*d**2",
        c="1",
        percent="-1",
    ),
    ProofStep(
        "mcdiarmid-neighbours",
        "h >= 3; B > 0; log > 0; sum > 0; sum <= (8*(h - 2) + 4)*B**4/(h - 1)**2;"
        "t**2*(h - 1) >= c*B**4*log",
        "2*t**2 >= log*sum",
        c="4",
        percent="-1",
    ),
    # v is √log(5/δ'), a is √λ.
    ProofStep(
        "columns-within-tasks",
        "a >= 1; 0 <= v <= a; c_2 > 0; B > 0; j > 0; e <= c_2*(B**2 + B**3)*(1 + v)*j",
        "e <= c*c_2*(B**2 + B**3)*a*j",
        c="2",
        percent="-1",
    ),
)

W3: Final = (
    ProofStep(
        "frequencies-of-pairs",
        "sO > 0; e >= 0; F >= 0; D_norm <= 1; DJ >= 0; DJ <= 2*e/sO; JD <= 2*e/sO;"
        "DJD <= D_norm*DJ;"
        "inverse >= 0; inverse <= 2/sO; error <= inverse**2*F + DJ + JD + DJD",
        "error <= 4*F/sO**2 + c*e/sO",
        c="6",
        percent="-1",
    ),
    ProofStep(
        "small-perturbation",
        "sO > 0; e >= 0; root_k > 0; root_k*e <= c*sO; D_norm <= 2/sO*root_k*e",
        "D_norm <= 1",
        c="1/2",
        percent="1",
    ),
    # J is the length of a column, nu its sum, n_hat the sum of the estimated one.
    ProofStep(
        "normalising",
        "nu > 0; 0 <= J <= nu; eps >= 0; root_k > 0; root_k*eps <= nu/2;"
        "abs(n_hat - nu) <= root_k*eps;"
        "error <= eps/n_hat + J*abs(1/n_hat - 1/nu)",
        "error <= c*(1 + root_k)*eps/nu",
        c="2",
        percent="-1",
    ),
)

W4: Final = (
    ProofStep(
        "enough-tasks",
        "B**2 >= 2; B > 0; c_1 > 0; lam > 0; h >= c*B**6/c_1**2*lam; r > 0; r**2*h <= lam",
        "2*B**2*r <= c_1 and 2*B**3*r <= c_1",
        c="4",
        percent="-1",
    ),
    ProofStep(
        "enough-visits",
        "0 < l <= B**2; w == l/B**2; nu == w/2; rho_J >= 24; k >= 2; lam >= 1;"
        "h >= 4*k*rho_J**2/nu**2*lam",
        "h >= c/w and c/w >= 2",
        c="2",
        percent="-1",
    ),
    # f is √2, u is √3.
    ProofStep(
        "pairs-of-tasks",
        "h >= 2; f > 0; f**2 <= 2; u > 0; u**2 <= 3; a >= 1; 0 <= v <= a; B > 0; i > 0;"
        "i**2*(h - 1) <= 1;"
        "j > 0; j**2*h >= 1; F <= B**2*i*(u + 2*v)",
        "F <= c*B**2*a*j",
        c="6",
        percent="-13",
    ),
    # q is √ℓ.
    ProofStep(
        "rho-J",
        "q > 0; sO >= q; B > 0; rho_4 > 0; r > 0; F <= 6*B**2*r; e == rho_4*r;"
        "error <= 4*F/sO**2 + 6*e/sO",
        "error <= (c*B**2/q**2 + 6*rho_4/q)*r",
        c="24",
        percent="-1",
    ),
    ProofStep(
        "half-of-nu",
        "k >= 2; root_k > 0; root_k**2 <= k; rho_J > 0; nu > 0; lam > 0;"
        "h >= c*k*rho_J**2/nu**2*lam; r > 0;"
        "r**2*h <= lam",
        "root_k*rho_J*r <= nu/2",
        c="4",
        percent="-1",
    ),
    ProofStep(
        "columns-fit-W3",
        "q > 0; sO >= q; 0 < nu <= 1/2; rho_4 > 0; rho_J >= c*rho_4/q; root_k > 0; r > 0;"
        "root_k*rho_J*r <= nu/2;"
        "e == rho_4*r",
        "root_k*e <= nu*q/12 and root_k*e < sO/2",
        c="6",
        percent="-1",
    ),
    # j is 1/√h, f is √(2/ν_min).
    ProofStep(
        "last-term",
        "0 < nu <= visits; h >= 2; a >= 1; 0 <= v <= a; j > 0; j**2*h >= 1; f > 0; f**2*nu >= 2;"
        "i > 0;"
        "i**2*visits*(h - 1) <= 1",
        "(1 + v)*i <= c*a*f*j",
        c="2",
        percent="-1",
    ),
)

COMMON: Final = (
    # p and q sum to 1, so p - q is plus on one set and minus on the rest: its mean of f in [0, R].
    ProofStep(
        "half-of-l1",
        "R >= 0; plus >= 0; minus == plus; mean_plus <= R*plus; mean_minus >= 0",
        "mean_plus - mean_minus <= c*R*(plus + minus)",
        c="1/2",
        percent="-1",
    ),
    ProofStep(
        "roots-with-a-floor",
        "floor > 0; x >= c*floor; y >= 0",
        "abs(x - y) <= abs(x**2 - y**2)/floor",
        c="1",
        percent="-1",
    ),
    ProofStep(
        "roots-without-a-floor",
        "x >= 0; y >= 0",
        "c*(x - y)**2 <= abs(x**2 - y**2)",
        c="1",
        percent="1",
    ),
    ProofStep(
        "floor-of-deviations",
        "bar > 0; v <= c*bar; true >= 2*bar; abs(true - used) <= v",
        "used >= bar",
        c="1",
        percent="1",
    ),
    # r_u and r_s are √U and √S.
    ProofStep(
        "values-of-models",
        "0 <= g < 1; r_u > 0; r_s > 0; e >= 0; d <= r_u/2*e + g*r_s/(2*(1 - g))*e + g*d",
        "d <= (r_u*e/2 + c*g*r_s/(1 - g)*e)/(1 - g)",
        c="1/2",
        percent="-1",
    ),
)

LABELS: Final = (
    ProofStep(
        "labels-kept",
        "gap > 0; 0 <= e < c*gap; 0 <= f < c*gap; same <= e + f; other >= gap - e - f",
        "same < gap/2 and other > gap/2",
        c="1/4",
        percent="1",
    ),
    ProofStep(
        "labels-of-admitted",
        "sO > 0; k >= 2; e > 0; k*e**2 < sO**2/4; gap > 0; gap**2 >= c*sO**2",
        "e < gap/4",
        c="2",
        percent="-1",
    ),
    ProofStep("level-of-a-task", "d >= 2; x > 0", "c*x/6 <= d*x", c="5", percent="141"),
)

DROPPED: Final = (
    # Two dropped tasks of three; the columns differ by x, y, z, which add up to nothing.
    ProofStep(
        "cauchy-schwarz",
        "e >= 0; x**2 + y**2 <= e**2; f > 0; f**2 >= c",
        "x + y <= f*e",
        c="2",
        percent="-1",
    ),
    ProofStep(
        "both-columns-sum-to-1",
        "e >= 0; x + y + z == 0; x**2 + y**2 + z**2 <= e**2; f > 0; f**2 >= c*2*(1 - 2/3)",
        "x + y <= f*e",
        c="1",
        percent="-1",
    ),
    # i is 1/√m; log 36 > 3.58.
    ProofStep(
        "printed-rule-drops-nothing",
        "k >= 2; m >= 1; i > 0; i**2*m >= 3.58; rho >= c",
        "rho*k*i > 1/(3*k*m**2)",
        c="0.05",
        percent="-12",
    ),
)

STEPS: Final = (
    *OBSERVATIONS,
    *C1,
    *CUT,
    *C2_C3,
    *FLOORS,
    *W1_W2,
    *W3,
    *W4,
    *COMMON,
    *LABELS,
    *DROPPED,
)
