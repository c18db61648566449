"""Against Lemmas 10 and 11 (errata E26, E27, E29, E31, E32)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import sqrt

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import (
    ExactHMM,
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
from ptum.checks.exact.intervals import Between, compared, enclosed, least, log, root, shortened
from ptum.checks.exact.numbers import is_above
from ptum.checks.instances.counterexamples.appendix_c.moments import (
    same_column_twice,
    three_cycle,
)
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.section_4.theorem_2 import (
    EVEN,
    assumption_2,
    coins,
    two_singular_values,
)
from ptum.checks.instances.counterexamples.shared.triples import directions
from ptum.checks.instances.families.hmms import cycle
from ptum.checks.verdicts import formulas, proof_bounds, witness
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.arrays import ROUNDING
from ptum.reference.repaired.sequential.analysis.conditioning import (
    repaired_bounds,
    repaired_constants,
)
from ptum.reference.sequential.analysis.conditioning import conditioning
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.spectral_bounds import rho_3
from ptum.spec.vocabulary import Version

# Lemma 10 on a cycle of three tasks (errata E26, E27): disjoint triples never mix.
#
# 1→2→3→1: every triple begins with the same task, so that each view shows one task only and M̂_2
# has rank one. Observations are the mean observations themselves, so every run is this one, and its
# moments are rational.

LENGTH = 60
PERIOD_THREE_K = 3
RHO = 1000
DELTA_PRIME = Fraction(1, 10)
"""ρ_1 and ρ_2, known to exist only, as any number; δ'."""


def cyclic(step: int = 1) -> tuple[int, ...]:
    """1, 2, 3, 1, 2, 3, …; with step 2 every third task is another one after a while."""
    return tuple(
        t % PERIOD_THREE_K if step == 1 else (t + t // PERIOD_THREE_K) % PERIOD_THREE_K
        for t in range(LENGTH)
    )


def period_three_evaluation(
    hmm: ExactHMM, tasks: Sequence[int], *, overlapping: bool = False
) -> Evaluation:
    """Lemma 10 with μ_{3,j} = O T e_j: a run must at least show as many directions as tasks."""
    _confirm(hmm)
    return Evaluation(
        premises=(
            Statement("rank O", exact.rank(hmm.O), "=", PERIOD_THREE_K),
            Statement("rank T", exact.rank(hmm.T), "=", PERIOD_THREE_K),
            Statement("T keeps the uniform distribution; largest change", _change(hmm.T), "=", 0),
            Statement("steps that T allows", _allowed(hmm.T, tasks), "=", LENGTH - 1),
        ),
        conclusion=_learnable(hmm, tasks, overlapping=overlapping),
    )


def _learnable(hmm: ExactHMM, tasks: Sequence[int], *, overlapping: bool = False) -> Statement:
    """There is an estimate at all, to which the bound of the lemma could apply."""
    seen = directions(hmm.columns, tasks, overlapping=overlapping)
    return Statement(
        "rank of M̂_2, from which k tasks are learned",
        seen,
        "=",
        PERIOD_THREE_K,
        formulas.APPENDIX_D + "LEMMA_10",
        (("S", 1), ("A", 1), ("U", len(hmm.O) - 1), ("h", LENGTH)),
    )


def _confirm(hmm: ExactHMM) -> None:
    """The literal repaired bounds say something of the moments where T is a chain without a period.

    Lemma 10 itself is asked for at δ'/3; ρ_1 and ρ_2 are any numbers.
    """
    if set(map(sum, exact.transpose(hmm.T))) != {1}:
        return
    known = conditioning(exact.rounded(hmm), exact.rounded(hmm).initial)
    sizes = {"S": 1, "A": 1, "U": len(hmm.O) - 1}
    constants = repaired_constants(known, **sizes, rho_1=RHO, rho_2=RHO)
    level = Level(**sizes, h=LENGTH, delta_prime=float(DELTA_PRIME))
    bounds = repaired_bounds(constants, known, level, gamma=0.5, sigma_bar=None)
    witness.same_truth("the repaired bounds mix", math.isfinite(bounds.moments), _least(hmm) > 0)
    squared = log(6 * len(hmm.O) / DELTA_PRIME) * RHO**2 / LENGTH
    witness.same_square("Lemma 10", bounds.mu_3.bound, squared.low)


def _least(hmm: ExactHMM) -> Fraction:
    """The least entry of T⁹: a zero that a chain of three tasks then has it never gets rid of."""
    return min(map(min, exact.times(*(hmm.T,) * 9)))


def _change(T: Matrix) -> Fraction:
    uniform = (Fraction(1, PERIOD_THREE_K),) * PERIOD_THREE_K
    return max(abs(x - y) for x, y in zip(exact.applied(T, uniform), uniform, strict=True))


def _allowed(T: Matrix, tasks: Sequence[int]) -> int:
    return sum(T[then][now] > 0 for now, then in pairwise(tasks))


def aperiodic_evaluation(hmm: ExactHMM, tasks: Sequence[int]) -> Evaluation:
    """Under the imported hypotheses a run shows every task: T invertible and aperiodic."""
    return Evaluation(
        (
            Statement("rank T", exact.rank(hmm.T), "=", PERIOD_THREE_K),
            Statement("T is aperiodic: least entry of T⁹", _least(hmm), ">", 0),
            Statement("steps that T allows", _allowed(hmm.T, tasks), "=", LENGTH - 1),
        ),
        _learnable(hmm, tasks),
    )


@dataclass(frozen=True)
class Followed:
    """A model, a sequence of its tasks, and whether triples overlap."""

    hmm: ExactHMM
    tasks: Sequence[int]
    overlapping: bool = False


def period_three_numbers(case: Followed) -> Numbers:
    """Tasks, chain and sequence."""
    hmm, tasks = case.hmm, case.tasks
    return (
        ("O, one column per task", hmm.O),
        ("T, column θ' to row θ", hmm.T),
        ("sequence", f"{', '.join(map(str, tasks[:9]))}, and so again and again"),
        ("h", LENGTH),
    )


def _chain(T: Matrix) -> ExactHMM:
    return replace(three_cycle(), T=T)


THIRD = Fraction(1, 3)
UNSTABLE = exact.matrix(((0, 0, 1), (1, 0, 0), (0, 1, "1/10")))
"""The last column has too much mass, so that the uniform distribution is not kept."""
SINGULAR: Matrix = ((THIRD,) * PERIOD_THREE_K,) * PERIOD_THREE_K
ERGODIC: Matrix = tuple(
    tuple(Fraction(4, 5) * x + Fraction(1, 15) for x in row) for row in three_cycle().T
)
"""The cycle with probability 4/5, any task otherwise."""

declare(
    check="lemma-10.bound/three-cycle",
    says="With third views O T e_j, a cycle of three tasks leaves no estimate",
    instance=Followed(three_cycle(), cyclic()),
    evaluate=lambda case: period_three_evaluation(
        case.hmm, case.tasks, overlapping=case.overlapping
    ),
    numbers=period_three_numbers,
    fix="triples that overlap, so that they begin with every task",
    fixed=Followed(three_cycle(), cyclic(), overlapping=True),
    broken={
        "rank O": Followed(same_column_twice(three_cycle()), cyclic()),
        "rank T": Followed(_chain(SINGULAR), cyclic()),
        "T keeps the uniform distribution; largest change": Followed(_chain(UNSTABLE), cyclic()),
        "steps that T allows": Followed(three_cycle(), cyclic(step=2)),
    },
    repaired=lambda case: aperiodic_evaluation(case.hmm, case.tasks),
    in_scope=Followed(_chain(ERGODIC), cyclic(step=2)),
)


# Lemma 11 as an implication (erratum E31): four tasks in a cycle, two of them nearly the same.
#
# One state, one action, four reward values; reward distributions e_1, (1-e)e_1 + e e_2, e_3, e_4;
# task j is followed by task j+1 and the first task of a triple is uniform. Σ_21 and all third views
# are known exactly, so ρ_2 = 0. Only Σ_31 is moved, by a matrix of rank one inside the span of the
# tasks, so its rank stays 4 and its full and its rank-4 pseudo-inverse are the same.
#
# With O the 5×4 matrix of mean observations (the next state adds a row of ones),
#
#     Σ_21 = O M_21 Oᵀ, M_21 = T/4        Σ_31 = O M_31 Oᵀ, M_31 = T²/4
#
# and for any invertible M in place of M_31 line 9 returns O M_21 M⁻¹ T e_j: everything is rational.
# The move is O a bᵀ Oᵀ. u = Oa points along the difference of the two similar tasks, which
# Σ_21 Σ_31^† sends to a difference of different ones and makes long; v = Ob is orthogonal to all
# tasks but the one before column 3.

S = A = 1
FOUR_CYCLE_K = 4
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
    T = cycle(FOUR_CYCLE_K)
    M_21, M_31 = (scaled(Fraction(1, FOUR_CYCLE_K), M) for M in (T, times(T, T)))
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


def four_cycle_evaluation(x: PerturbedColumns) -> Evaluation:
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
                for j in range(FOUR_CYCLE_K)
            ),
            Statement("r · 1/λ_min(Σ_31)", *compared(r * inverse_norm, "≤", Fraction(1, 2))),
            Statement("r² against λ_max(Σ_21)²", *compared(r**2, "≤", smallest_top(x))),
        ),
        conclusion=Statement(
            "squared error of column 3 against (ρ_4 r)², Frobenius norms in ρ_4",
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
    return squared_frobenius(sandwich(x.O, x.M_21)) / FOUR_CYCLE_K


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
        premises=four_cycle_evaluation(x).premises,
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


def _without_mass(j: int) -> PerturbedColumns:
    """The distributions of task j lose half of their mass."""
    x = instance(NEARLY)
    half = Fraction(1, 2)
    halved = tuple(tuple(y * half if i == j else y for i, y in enumerate(row)) for row in x.O)
    return replace(x, O=halved)


NEARLY = Fraction(1, 100)
FOUR_CYCLE_APART = Fraction(1, 10)

declare(
    check="lemma-11.implication/four-cycle",
    says="Two nearly equal tasks in a cycle of four",
    instance=instance(NEARLY),
    evaluate=four_cycle_evaluation,
    # the tasks, their chain and the move of Σ_31 in terms of its middle factor
    numbers=lambda x: (
        ("O: four rewards and the next state, one column per task", x.O),
        ("T", x.T),
        ("distribution of the first task of a triple", (Fraction(1, FOUR_CYCLE_K),) * FOUR_CYCLE_K),
        ("Σ_31 = O M Oᵀ with M", x.M_31),
        ("change of M", tuple(tuple(map(shortened, row)) for row in x.move)),
    ),
    fix="e = 1/10: tasks that are easier to tell apart",
    fixed=instance(FOUR_CYCLE_APART),
    broken={
        "least probability in O": instance(-NEARLY),
        **{f"two distributions of task {j + 1}": _without_mass(j) for j in range(FOUR_CYCLE_K)},
        "r · 1/λ_min(Σ_31)": instance(NEARLY, share=Fraction(3, 5)),
        "r² against λ_max(Σ_21)²": instance(NEARLY, share=Fraction(10**5)),
    },
    repaired=repaired_evaluation,
    in_scope=instance(FOUR_CYCLE_APART),
)


# Numbers in place of matrices, for two steps of the proof of Lemma 11 (errata E31, E32).
#
# One by one, Σ and Σ̂ have the pseudo-inverses 1/Σ and 1/Σ̂ and are their own singular values.

COLUMN_NORM = 2
"""2SA for one state and one action."""


@dataclass(frozen=True)
class Scalars:
    """Both moments, their estimates, the third view (known exactly) and the rate r."""

    sigma_21: Fraction
    sigma_21_hat: Fraction
    sigma_31: Fraction
    sigma_31_hat: Fraction
    mu: Fraction
    r: Fraction
    inverse_factor: int = 4


def close(sigma: Fraction, sigma_hat: Fraction) -> tuple[Statement, ...]:
    """Σ̂ is an estimate of Σ within half of λ_min = Σ."""
    return (
        Statement("Σ", sigma, ">", 0),
        Statement("Σ̂, of the same rank", sigma_hat, ">", 0),
        Statement("|Σ-Σ̂|/λ_min", abs(sigma - sigma_hat) / sigma, "≤", Fraction(1, 2)),
    )


def inverse_evaluation(
    sigma: Fraction, sigma_hat: Fraction, version: Version = Version.PRINTED
) -> Evaluation:
    """|1/Σ - 1/Σ̂| ≤ (2/λ_min)|Σ - Σ̂| where |Σ - Σ̂|/λ_min ≤ 1/2, with λ_min = Σ.

    Repaired ≤ 4|Σ - Σ̂|/σ_k² under the same premises; every number is in the range of Σ.
    """
    distance, printed = abs(sigma - sigma_hat), version is Version.PRINTED
    change = proof_bounds.printed_inverse_change if printed else proof_bounds.inverse_change
    return Evaluation(
        premises=close(sigma, sigma_hat),
        conclusion=Statement(
            "difference of the inverses",
            abs(1 / sigma - 1 / sigma_hat),
            "≤",
            change(distance, sigma),
            formulas.APPENDIX_D + ("PSEUDO_INVERSE" if printed else "PSEUDO_INVERSE_REPAIRED"),
            (
                ("moment_error", distance),
                ("lambda_min_Sigma_31" if printed else "sigma_k_Sigma_31", sigma),
            ),
        ),
    )


def halved() -> Scalars:
    """Σ_31 = 1 is estimated as 1/2, and Σ_21 = 1 as 3/2: both are off by r = 1/2."""
    one, half = Fraction(1), Fraction(1, 2)
    return Scalars(one, one + half, one, half, mu=Fraction(COLUMN_NORM), r=half)


def ingredients(x: Scalars) -> tuple[Statement, ...]:
    """What the proof has shown, or takes as shown, when it collects the constants."""
    return (
        Statement("|Σ̂_21 - Σ_21| against r", abs(x.sigma_21_hat - x.sigma_21), "≤", x.r),
        Statement("|Σ̂_31 - Σ_31| against r", abs(x.sigma_31_hat - x.sigma_31), "≤", x.r),
        Statement("‖Σ̂_21‖ against 2λ_max", x.sigma_21_hat, "≤", 2 * x.sigma_21),
        Statement("‖Σ̂_31^†‖ against 2/λ_min", 1 / x.sigma_31_hat, "≤", 2 / x.sigma_31),
        Statement(
            "‖Σ_31^† - Σ̂_31^†‖ against 2r/λ_min",
            abs(1 / x.sigma_31 - 1 / x.sigma_31_hat),
            "≤",
            2 * x.r / x.sigma_31,
        ),
        Statement("‖μ‖ against 2SA", x.mu, "≤", COLUMN_NORM),
    )


def statement_evaluation(x: Scalars) -> Evaluation:
    """Repair: the display with the constants of the statement, (4SA + 8SA λ_max)/λ_min · r."""
    found = display_evaluation(x)
    sizes = COLUMN_NORM * (2 + 4 * x.sigma_21)
    bound = Statement(found.conclusion.text, found.conclusion.left, "≤", sizes * x.r / x.sigma_31)
    return Evaluation(found.premises, bound)


def display_evaluation(x: Scalars) -> Evaluation:
    """The last display of the proof, (2SA + 4SA λ_max)/λ_min · r; the statement has 4SA and 8SA.

    `x.inverse_factor` stands for the 4 before SA λ_max.
    """
    error = abs(x.sigma_21 / x.sigma_31 - x.sigma_21_hat / x.sigma_31_hat) * x.mu
    sizes = COLUMN_NORM + Fraction(x.inverse_factor * COLUMN_NORM, 2) * x.sigma_21
    return Evaluation(
        premises=ingredients(x),
        conclusion=Statement(
            "error of the column",
            error,
            "≤",
            sizes * x.r / x.sigma_31,
            formulas.APPENDIX_D + "RHO_4",
            (
                *(("S", 1), ("A", 1), ("rho_2", 0)),
                *(("lambda_max_Sigma_21", x.sigma_21), ("lambda_min_Sigma_31", x.sigma_31)),
            ),
            bound=2 * sizes / x.sigma_31,  # the formula has the constants of the statement
        ),
    )


TENTH = Fraction(1, 10)
MILDER = Scalars(
    Fraction(1), Fraction(5, 4), Fraction(1), Fraction(3, 4), mu=Fraction(1), r=Fraction(1, 4)
)

declare(
    check="lemma-11.pseudo-inverse/scalars",
    says="1/0.1 and 1/0.05 are 10 apart, the display allows 1",
    instance=(TENTH, TENTH / 2),
    evaluate=lambda pair: inverse_evaluation(*pair),
    numbers=lambda pair: (("Σ", pair[0]), ("Σ̂", pair[1])),
    fix="Σ = 2 and Σ̂ = 1: the same quotient on another scale",
    fixed=(Fraction(2), Fraction(1)),
    broken={
        "Σ": (-TENTH, TENTH / 2),
        "Σ̂, of the same rank": (TENTH, -TENTH / 2),
        "|Σ-Σ̂|/λ_min": (TENTH, TENTH / 3),
    },
    repaired=lambda pair: inverse_evaluation(*pair, Version.REPAIRED),
    in_scope=(Fraction(3), Fraction(2)),
)
declare(
    check="lemma-11.constants/scalars",
    says="Numbers that meet every ingredient and exceed the display",
    instance=halved(),
    evaluate=display_evaluation,
    # all ingredients
    numbers=lambda x: (
        ("Σ_21 and its estimate", (x.sigma_21, x.sigma_21_hat)),
        ("Σ_31 and its estimate", (x.sigma_31, x.sigma_31_hat)),
        ("μ, known exactly", x.mu),
        ("rate r", x.r),
        ("2SA", COLUMN_NORM),
    ),
    fix="8SA λ_max in place of 4SA λ_max",
    fixed=replace(halved(), inverse_factor=8),
    broken={
        "|Σ̂_21 - Σ_21| against r": replace(halved(), sigma_21_hat=Fraction(7, 4)),
        "|Σ̂_31 - Σ_31| against r": replace(halved(), sigma_31_hat=Fraction(2, 5)),
        "‖Σ̂_21‖ against 2λ_max": replace(halved(), sigma_21_hat=Fraction(3)),
        "‖Σ̂_31^†‖ against 2/λ_min": replace(halved(), sigma_31_hat=Fraction(1, 3)),
        "‖Σ_31^† - Σ̂_31^†‖ against 2r/λ_min": replace(halved(), sigma_31_hat=Fraction(9, 20)),
        "‖μ‖ against 2SA": replace(halved(), mu=Fraction(3)),
    },
    repaired=statement_evaluation,
    in_scope=MILDER,
)


# λ_min of a matrix without full rank (erratum E29): no number of tasks qualifies for Lemma 11.
#
# Two coins on a sticky chain. Every column of O sums to one over the rewards and to one over the
# single next state, so (1, 1, -1) is orthogonal to all of them: the 3×3 matrix Σ_31 = O T² diag(π)
# Oᵀ sends it to zero, and the condition h ≥ ρ_3 log(6d/δ') has an infinite right side.

LEAST_SINGULAR_VALUE_APART = Fraction(2, 5)
CLOSER = Fraction(1, 4)

MANY = 10**12
"""More tasks than anybody meets."""
KERNEL = exact.vector((1, 1, -1))


def least_of_all(hmm: ExactHMM) -> Between:
    """λ_min of the whole matrix: 0, since a vector is sent to zero."""
    image = exact.times(exact.second_moment(hmm, 3, 1), exact.transpose((KERNEL,)))
    if exact.largest(image) != 0:
        raise ValueError("the matrix is invertible")
    return enclosed(0)


def least_of_rank(hmm: ExactHMM) -> Between:
    """σ_2, the least singular value that belongs to the two tasks."""
    return two_singular_values(exact.second_moment(hmm, 3, 1))[1]


def speaks(hmm: ExactHMM, *, of_rank: bool = False) -> Evaluation:
    """Lemma 11 speaks of some number of tasks: its least h is below 10¹²; ρ_1 = 1, δ' = 0.1.

    h ≥ ρ_3 log(6d/δ') with ρ_3 = max{ρ_1, 1/λ_max², 4/λ_min²}, divided by ρ_3.
    """
    smallest = least_of_rank(hmm) if of_rank else least_of_all(hmm)
    most = two_singular_values(exact.second_moment(hmm, 2, 1))[0]
    inverse = least(1, most * most, smallest * smallest / 4)
    literal = rho_3(rho_1=1.0, lambda_max_Sigma_21=float(most), lambda_min_Sigma_31=float(smallest))
    off = abs(1 / literal - float(inverse))
    if is_above(off, 24 * ROUNDING * float(inverse)):  # a dozen operations
        raise AssertionError(f"the literal ρ_3 is {literal}, but 1/ρ_3 = {float(inverse)}")
    return Evaluation(
        assumption_2(hmm),
        Statement(
            f"10¹²/ρ_3 against log(6d/δ'), with λ_min = {float(smallest):.4g}",
            *compared(MANY * inverse, "≥", log(6 * 3 / DELTA_PRIME)),
        ),
    )


@dataclass(frozen=True)
class Coins:
    """A model, and whether λ_min is taken of the k tasks alone."""

    hmm: ExactHMM
    of_rank: bool = False


def least_singular_value_numbers(case: Coins) -> Numbers:
    """Coins, chain and moment."""
    hmm = case.hmm
    return (
        ("O, one column per task", hmm.O),
        ("T, column θ' to row θ", hmm.T),
        ("distribution of the first task", hmm.first),
        ("Σ_31", exact.second_moment(hmm, 3, 1)),
        ("vector that Σ_31 sends to 0", KERNEL),
        ("σ_2(Σ_31)", shortened(least_of_rank(hmm))),
        ("ρ_1", 1),
        ("δ'", DELTA_PRIME),
    )


declare(
    part_of=("lemma-11.bound/no-such-h", "lemma-12.bound/no-such-h"),
    instance=Coins(coins(LEAST_SINGULAR_VALUE_APART)),
    evaluate=lambda case: speaks(case.hmm, of_rank=case.of_rank),
    numbers=least_singular_value_numbers,
    fix="σ_k(Σ_31), k = 2, in place of the least of all three singular values",
    fixed=Coins(coins(LEAST_SINGULAR_VALUE_APART), of_rank=True),
    broken={
        "rank O": Coins(coins(Fraction(0))),
        "rank T": Coins(coins(LEAST_SINGULAR_VALUE_APART, stay=EVEN[0])),
        "least first weight": Coins(
            coins(LEAST_SINGULAR_VALUE_APART, first=(Fraction(1), Fraction(0)))
        ),
    },
    repaired=lambda case: speaks(case.hmm, of_rank=True),
    in_scope=Coins(coins(CLOSER)),
)
