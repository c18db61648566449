"""Lemma 11 as an implication (erratum E31): four tasks in a cycle, two of them nearly the same.

One state, one action, four reward values; reward laws e_1, (1-e)e_1 + e e_2, e_3, e_4; task j is
followed by task j+1 and the first task of a triple is uniform. Σ_21 and all third views are known
exactly, so ρ_2 = 0. Only Σ_31 is moved, by a matrix of rank one inside the span of the tasks, so
its rank stays 4 and its full and its rank-4 pseudo-inverse are the same.

With O the 5×4 matrix of mean observations (the next state adds a row of ones),

    Σ_21 = O M_21 Oᵀ, M_21 = T/4        Σ_31 = O M_31 Oᵀ, M_31 = T²/4

and for any invertible M in place of M_31 line 9 returns O M_21 M⁻¹ T e_j: everything is rational.
The move is O a bᵀ Oᵀ. u = Oa points along the difference of the two similar tasks, which
Σ_21 Σ_31^† sends to a difference of different ones and makes long; v = Ob is orthogonal to all
tasks but the one before column 3.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import ceil, floor, log10, sqrt

from checks import formulas
from checks.appendix_d.rational import (
    apply,
    column,
    difference,
    inverse,
    left_inverse,
    matrix,
    outer,
    plus,
    product,
    root_above,
    root_below,
    scaled,
    squared_frobenius,
    squared_norm,
    transpose,
)
from checks.counterexamples.catalogue import Case, Numbers
from checks.enclosed import shortened
from checks.exact import Table, Vector
from checks.outcome import Statement, Walk

S = A = 1
K = 4
WORST = 2
"""Column 3, counted from 0."""


@dataclass(frozen=True)
class Instance:
    """Tasks as columns of O, and the matrix that is added to Σ_31, as its middle factor."""

    O: Table  # noqa: E741 - the paper's letter
    M_21: Table
    M_31: Table
    T: Table
    move: Table


def instance(e: Fraction, share: Fraction = Fraction(1, 100)) -> Instance:
    """Σ_31 is moved by about `share` of its fourth singular value."""
    O = transpose(  # noqa: E741
        matrix([[1, 0, 0, 0, 1], [1 - e, e, 0, 0, 1], [0, 0, 1, 0, 1], [0, 0, 0, 1, 1]])
    )
    T = matrix([[int(i == (j + 1) % K) for j in range(K)] for i in range(K)])
    M_21, M_31 = scaled(Fraction(1, K), T), scaled(Fraction(1, K), product(T, T))
    a = (Fraction(1), Fraction(-1), Fraction(0), Fraction(0))
    b = column(inverse(product(transpose(O), O)), WORST - 1)
    length = root_above(squared_norm(apply(O, a)) * squared_norm(apply(O, b)))
    size = share / root_above(squared_frobenius(pseudo_inverse(O, M_31)))
    return Instance(O, M_21, M_31, T, scaled(size / length, outer(a, b)))


def pseudo_inverse(O: Table, M: Table) -> Table:  # noqa: E741
    """(O M Oᵀ)^† = O^†ᵀ M⁻¹ O^† for O with independent columns and M invertible."""
    left = left_inverse(O)
    return product(product(transpose(left), inverse(M)), left)


def sandwich(O: Table, M: Table) -> Table:  # noqa: E741
    """O M Oᵀ."""
    return product(product(O, M), transpose(O))


def column_error(x: Instance, j: int = WORST) -> Vector:
    """What line 9 makes of the exact third view j, minus [O]_j."""
    to_O = product(x.M_21, inverse(plus(x.M_31, x.move)))
    estimated = apply(x.O, apply(to_O, column(x.T, j)))
    return difference(estimated, column(x.O, j))


def walk(x: Instance) -> Walk:
    """Moment errors at most r ≤ λ_min/2 and exact third views imply errors of O at most ρ_4 r.

    The numbers are on the safe side: r is at least the size of the move, and ρ_4 is computed from
    Frobenius norms, which are not below λ_max(Σ_21) and 1/λ_min(Σ_31).
    """
    r = root_above(squared_frobenius(sandwich(x.O, x.move)))
    inverse_norm = root_above(squared_frobenius(pseudo_inverse(x.O, x.M_31)))
    lambda_max = root_above(squared_frobenius(sandwich(x.O, x.M_21)))
    rho_4 = (4 * S * A + 8 * S * A * lambda_max) * inverse_norm
    return Walk(
        premises=(
            Statement("least probability in O", min(min(row) for row in x.O), "≥", 0),
            *(Statement(f"two laws of task {j + 1}", mass(x.O, j), "=", 2) for j in range(K)),
            Statement("r · 1/λ_min(Σ_31)", up(r * inverse_norm), "≤", Fraction(1, 2)),
            Statement("r² against λ_max(Σ_21)²", up(r**2), "≤", down(smallest_top(x))),
        ),
        conclusion=Statement(
            "squared error of column 3 against (ρ_4 r)²",
            down(squared_norm(column_error(x))),
            "≤",
            up((rho_4 * r) ** 2),
            formulas.APPENDIX_D + "RHO_4",
            (
                *(("S", S), ("A", A), ("rho_2", 0)),
                *(("lambda_max_Sigma_21", lambda_max), ("lambda_min_Sigma_31", 1 / inverse_norm)),
            ),
        ),
    )


DIGITS = 6
"""Numbers are told with six digits, rounded to the side that makes a comparison harder."""


def down(x: Fraction) -> Fraction:
    """Rounded down."""
    return floor(x * _scale(x)) / _scale(x)


def up(x: Fraction) -> Fraction:
    """Rounded up."""
    return ceil(x * _scale(x)) / _scale(x)


def _scale(x: Fraction) -> Fraction:
    """The power of ten that leaves six digits, or seven, before the point."""
    return Fraction(10) ** (DIGITS - floor(log10(x))) if x > 0 else Fraction(1)


def mass(O: Table, j: int) -> Fraction:  # noqa: E741
    """Sum of a column, which holds the laws of one reward and one next state."""
    return sum(column(O, j), Fraction(0))


def smallest_top(x: Instance) -> Fraction:
    """‖Σ_21‖_F²/4, which is not above λ_max² since the rank is four."""
    return squared_frobenius(sandwich(x.O, x.M_21)) / K


def repaired_walk(x: Instance) -> Walk:
    """ρ_4' = √(2SA)/σ_k + 8λ_max√(2SA)/σ_k² for ρ_2 = 0 and moment errors at most r.

    On the safe side the other way round: a matrix of rank four has a largest singular value of at
    least half its Frobenius norm, so 1/σ_k and λ_max are at least the numbers used.
    """
    r = root_above(squared_frobenius(sandwich(x.O, x.move)))
    least_inverse = root_below(squared_frobenius(pseudo_inverse(x.O, x.M_31))) / 2
    least_top = root_below(squared_frobenius(sandwich(x.O, x.M_21))) / 2
    over_root_2 = least_inverse + 8 * least_top * least_inverse**2
    return Walk(
        premises=walk(x).premises,
        conclusion=Statement(
            "squared error of column 3 against (ρ_4' r)²",
            up(squared_norm(column_error(x))),
            "≤",
            down(2 * S * A * (over_root_2 * r) ** 2),
            formulas.APPENDIX_D + "RHO_4_REPAIRED",
            (
                *(("rho_2", 0), ("C_S", 1), ("B", sqrt(2 * S * A))),
                *(("lambda_max_Sigma_21", least_top), ("sigma_k_Sigma_31", 1 / least_inverse)),
            ),
        ),
    )


def numbers() -> Numbers:
    """The tasks, their chain and the move of Σ_31 in terms of its middle factor."""
    x = instance(NEARLY)
    return (
        ("O: four rewards and the next state, one column per task", x.O),
        ("T", x.T),
        ("law of the first task of a triple", (Fraction(1, K),) * K),
        ("e", NEARLY),
        ("Σ_31 = O M Oᵀ with M", x.M_31),
        ("change of M", tuple(tuple(map(shortened, row)) for row in x.move)),
    )


def _without_law(j: int) -> Instance:
    """The laws of task j lose half of their mass."""
    x = instance(NEARLY)
    half = Fraction(1, 2)
    halved = tuple(tuple(y * half if i == j else y for i, y in enumerate(row)) for row in x.O)
    return replace(x, O=halved)


NEARLY = Fraction(1, 100)
APART = Fraction(1, 10)

CASES = (
    Case(
        checks=("lemma-11.implication/four-cycle",),
        numbers=numbers,
        told=partial(walk, instance(NEARLY)),
        undo="e = 1/10: tasks that are easier to tell apart",
        undone=partial(walk, instance(APART)),
        broken={
            "least probability in O": partial(walk, instance(-NEARLY)),
            **{f"two laws of task {j + 1}": partial(walk, _without_law(j)) for j in range(K)},
            "r · 1/λ_min(Σ_31)": partial(walk, instance(NEARLY, share=Fraction(3, 5))),
            "r² against λ_max(Σ_21)²": partial(walk, instance(NEARLY, share=Fraction(10**5))),
        },
        repaired=partial(repaired_walk, instance(NEARLY)),
        sibling=partial(repaired_walk, instance(APART)),
    ),
)
