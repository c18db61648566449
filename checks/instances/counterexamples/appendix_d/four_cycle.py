"""Lemma 11 as an implication (erratum E31): four tasks in a cycle, two of them nearly the same.

One state, one action, four reward values; reward distributions e_1, (1-e)e_1 + e e_2, e_3, e_4;
task j is followed by task j+1 and the first task of a triple is uniform. Σ_21 and all third views
are known exactly, so ρ_2 = 0. Only Σ_31 is moved, by a matrix of rank one inside the span of the
tasks, so its rank stays 4 and its full and its rank-4 pseudo-inverse are the same.

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
from math import sqrt

from ptum.checks.exact.hidden_markov import (
    Matrix,
    Vector,
    applied,
    column,
    difference,
    inverse,
    matrix,
    outer,
    plus,
    scaled,
    squared_frobenius,
    squared_norm,
    times,
    transpose,
)
from ptum.checks.exact.intervals import compared, root, shortened
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Evaluation, Statement

S = A = 1
K = 4
WORST = 2
"""Column 3, counted from 0."""


@dataclass(frozen=True)
class PerturbedColumns:
    """Tasks as columns of O, and the matrix that is added to Σ_31, as its middle factor."""

    O: Matrix  # noqa: E741 - the paper's letter
    M_21: Matrix
    M_31: Matrix
    T: Matrix
    move: Matrix


def instance(e: Fraction, share: Fraction = Fraction(1, 100)) -> PerturbedColumns:
    """Σ_31 is moved by about `share` of its fourth singular value."""
    O = transpose(  # noqa: E741
        matrix([[1, 0, 0, 0, 1], [1 - e, e, 0, 0, 1], [0, 0, 1, 0, 1], [0, 0, 0, 1, 1]])
    )
    T = matrix([[int(i == (j + 1) % K) for j in range(K)] for i in range(K)])
    M_21, M_31 = scaled(Fraction(1, K), T), scaled(Fraction(1, K), times(T, T))
    a = (Fraction(1), Fraction(-1), Fraction(0), Fraction(0))
    b = column(inverse(times(transpose(O), O)), WORST - 1)
    length = root(squared_norm(applied(O, a)) * squared_norm(applied(O, b))).high
    size = share / root(squared_frobenius(pseudo_inverse(O, M_31))).high
    return PerturbedColumns(O, M_21, M_31, T, scaled(size / length, outer(a, b)))


def pseudo_inverse(O: Matrix, M: Matrix) -> Matrix:  # noqa: E741
    """(O M Oᵀ)^† = O^†ᵀ M⁻¹ O^† for O with independent columns and M invertible."""
    left = times(inverse(times(transpose(O), O)), transpose(O))
    return times(transpose(left), inverse(M), left)


def sandwich(O: Matrix, M: Matrix) -> Matrix:  # noqa: E741
    """O M Oᵀ."""
    return times(O, M, transpose(O))


def column_error(x: PerturbedColumns, j: int = WORST) -> Vector:
    """What line 9 makes of the exact third view j, minus [O]_j."""
    to_O = times(x.M_21, inverse(plus(x.M_31, x.move)))
    estimated = applied(x.O, applied(to_O, column(x.T, j)))
    return difference(estimated, column(x.O, j))


def evaluation(x: PerturbedColumns) -> Evaluation:
    """Moment errors at most r ≤ λ_min/2 and exact third views imply errors of O at most ρ_4 r.

    The numbers are on the safe side: r is at least the size of the move, and ρ_4 is computed from
    Frobenius norms, which are not below λ_max(Σ_21) and 1/λ_min(Σ_31).
    """
    r = root(squared_frobenius(sandwich(x.O, x.move))).high
    inverse_norm = root(squared_frobenius(pseudo_inverse(x.O, x.M_31))).high
    lambda_max = root(squared_frobenius(sandwich(x.O, x.M_21))).high
    rho_4 = (4 * S * A + 8 * S * A * lambda_max) * inverse_norm
    return Evaluation(
        premises=(
            Statement("least probability in O", min(min(row) for row in x.O), "≥", 0),
            *(
                Statement(f"two distributions of task {j + 1}", mass(x.O, j), "=", 2)
                for j in range(K)
            ),
            Statement("r · 1/λ_min(Σ_31)", *compared(r * inverse_norm, "≤", Fraction(1, 2))),
            Statement("r² against λ_max(Σ_21)²", *compared(r**2, "≤", smallest_top(x))),
        ),
        conclusion=Statement(
            "squared error of column 3 against (ρ_4 r)²",
            *compared(squared_norm(column_error(x)), "≤", (rho_4 * r) ** 2),
            formulas.APPENDIX_D + "RHO_4",
            (
                *(("S", S), ("A", A), ("rho_2", 0)),
                *(("lambda_max_Sigma_21", lambda_max), ("lambda_min_Sigma_31", 1 / inverse_norm)),
            ),
            bound=rho_4,
        ),
    )


def mass(O: Matrix, j: int) -> Fraction:  # noqa: E741
    """Sum of a column, which holds the distributions of one reward and one next state."""
    return sum(column(O, j), Fraction(0))


def smallest_top(x: PerturbedColumns) -> Fraction:
    """‖Σ_21‖_F²/4, which is not above λ_max² since the rank is four."""
    return squared_frobenius(sandwich(x.O, x.M_21)) / K


def repaired_evaluation(x: PerturbedColumns) -> Evaluation:
    """ρ_4' = √(2SA)/σ_k + 8λ_max√(2SA)/σ_k² for ρ_2 = 0 and moment errors at most r.

    On the safe side the other way round: a matrix of rank four has a largest singular value of at
    least half its Frobenius norm, so 1/σ_k and λ_max are at least the numbers used.
    """
    r = root(squared_frobenius(sandwich(x.O, x.move))).high
    least_inverse = root(squared_frobenius(pseudo_inverse(x.O, x.M_31))).low / 2
    least_top = root(squared_frobenius(sandwich(x.O, x.M_21))).low / 2
    over_root_2 = least_inverse + 8 * least_top * least_inverse**2
    return Evaluation(
        premises=evaluation(x).premises,
        conclusion=Statement(
            "squared error of column 3 against (ρ_4' r)²",
            *compared(squared_norm(column_error(x)), "≤", 2 * S * A * (over_root_2 * r) ** 2),
            formulas.APPENDIX_D + "RHO_4_REPAIRED",
            (
                *(("rho_2", 0), ("C_S", 1), ("B", sqrt(2 * S * A))),
                *(("lambda_max_Sigma_21", least_top), ("sigma_k_Sigma_31", 1 / least_inverse)),
            ),
            bound=sqrt(2 * S * A) * float(over_root_2),
        ),
    )


def numbers(x: PerturbedColumns) -> Numbers:
    """The tasks, their chain and the move of Σ_31 in terms of its middle factor."""
    return (
        ("O: four rewards and the next state, one column per task", x.O),
        ("T", x.T),
        ("law of the first task of a triple", (Fraction(1, K),) * K),
        ("Σ_31 = O M Oᵀ with M", x.M_31),
        ("change of M", tuple(tuple(map(shortened, row)) for row in x.move)),
    )


def _without_mass(j: int) -> PerturbedColumns:
    """The distributions of task j lose half of their mass."""
    x = instance(NEARLY)
    half = Fraction(1, 2)
    halved = tuple(tuple(y * half if i == j else y for i, y in enumerate(row)) for row in x.O)
    return replace(x, O=halved)


NEARLY = Fraction(1, 100)
APART = Fraction(1, 10)

declare(
    Counterexample(
        checks={
            "lemma-11.implication/four-cycle": "Two nearly equal tasks in a cycle of four",
        },
        instance=instance(NEARLY),
        evaluate=evaluation,
        numbers=numbers,
        fix="e = 1/10: tasks that are easier to tell apart",
        fixed=instance(APART),
        broken={
            "least probability in O": instance(-NEARLY),
            **{f"two distributions of task {j + 1}": _without_mass(j) for j in range(K)},
            "r · 1/λ_min(Σ_31)": instance(NEARLY, share=Fraction(3, 5)),
            "r² against λ_max(Σ_21)²": instance(NEARLY, share=Fraction(10**5)),
        },
        repaired=repaired_evaluation,
        in_scope=instance(APART),
    )
)
