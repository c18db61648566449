"""Numbers in place of matrices, for two steps of the proof of Lemma 11 (errata E31, E32).

One by one, Σ and Σ̂ have the pseudo-inverses 1/Σ and 1/Σ̂ and are their own singular values.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.verdicts import formulas, proof_bounds
from ptum.checks.verdicts.outcome import Evaluation, Statement

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


def repaired_inverse_evaluation(sigma: Fraction, sigma_hat: Fraction) -> Evaluation:
    """|1/Σ - 1/Σ̂| ≤ 4|Σ - Σ̂|/σ_k² under the same premises; every number is in the range of Σ."""
    distance = abs(sigma - sigma_hat)
    return Evaluation(
        premises=close(sigma, sigma_hat),
        conclusion=Statement(
            "difference of the inverses",
            abs(1 / sigma - 1 / sigma_hat),
            "≤",
            proof_bounds.inverse_change(distance, sigma),
            formulas.APPENDIX_D + "PSEUDO_INVERSE_REPAIRED",
            (("moment_error", distance), ("sigma_k_Sigma_31", sigma)),
        ),
    )


def inverse_evaluation(sigma: Fraction, sigma_hat: Fraction) -> Evaluation:
    """|1/Σ - 1/Σ̂| ≤ (2/λ_min)|Σ - Σ̂| where |Σ - Σ̂|/λ_min ≤ 1/2, with λ_min = Σ."""
    distance = abs(sigma - sigma_hat)
    return Evaluation(
        premises=close(sigma, sigma_hat),
        conclusion=Statement(
            "difference of the inverses",
            abs(1 / sigma - 1 / sigma_hat),
            "≤",
            proof_bounds.printed_inverse_change(distance, sigma),
            formulas.APPENDIX_D + "PSEUDO_INVERSE",
            (("moment_error", distance), ("lambda_min_Sigma_31", sigma)),
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


def numbers_of_display(x: Scalars) -> Numbers:
    """All ingredients."""
    return (
        ("Σ_21 and its estimate", (x.sigma_21, x.sigma_21_hat)),
        ("Σ_31 and its estimate", (x.sigma_31, x.sigma_31_hat)),
        ("μ, known exactly", x.mu),
        ("rate r", x.r),
        ("2SA", COLUMN_NORM),
    )


TENTH = Fraction(1, 10)
MILDER = Scalars(
    Fraction(1), Fraction(5, 4), Fraction(1), Fraction(3, 4), mu=Fraction(1), r=Fraction(1, 4)
)

declare(
    Counterexample(
        checks={
            "lemma-11.pseudo-inverse/scalars": (
                "1/0.1 and 1/0.05 are 10 apart, the display allows 1"
            ),
        },
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
        repaired=lambda pair: repaired_inverse_evaluation(*pair),
        in_scope=(Fraction(3), Fraction(2)),
    )
)
declare(
    Counterexample(
        checks={
            "lemma-11.constants/scalars": (
                "Numbers that meet every ingredient and exceed the display"
            ),
        },
        instance=halved(),
        evaluate=display_evaluation,
        numbers=numbers_of_display,
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
)
