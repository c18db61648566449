"""Confidence widths "of the form √(log(c/δ)/N)" (erratum E23).

A quantity of that form halves when N is quadrupled. The width of a mean does not when there is a
model error (it tends to the error) nor when there is no spread (it falls to a quarter). As an order
of magnitude for what the samples add, the form is right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from ptum.checks.exact.intervals import Between, compared, largest, root, shortened
from ptum.checks.exact.numbers import max_of
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.attempts.names import stored_as
from ptum.checks.verdicts.outcome import Evaluation, Formed, Statement
from ptum.reference.arrays import ROUNDING
from ptum.reference.transfer.confidence import width_p, width_r
from ptum.spec.vocabulary import CheckKind

LOW, HIGH = Fraction(2, 5), Fraction(3, 5)
"""What counts as a half."""
ROUNDED = 16 * ROUNDING
"""Three sums and a handful of products; nothing is subtracted inside the width."""


@stored_as("Term")
@dataclass(frozen=True)
class WidthTerm:
    """The arguments of a width: sample deviation, model error, discount, count and logarithm."""

    sigma: float
    error: float
    gamma: float
    N: int
    L: float = 10.0


def width(term: WidthTerm) -> float:
    """C^r where γ = 0, else C^p."""
    sigma, N = np.array(term.sigma), np.array(term.N)
    if term.gamma == 0:
        return float(width_r(sigma, N, term.L, term.error))
    return float(width_p(sigma, N, term.L, term.gamma, term.error))


# The instances, in rational numbers


@dataclass(frozen=True)
class ExactTerm:
    """The same arguments as rational numbers; L too, since the claim is about any c and δ."""

    sigma: Fraction
    error: Fraction
    gamma: Fraction
    N: int
    L: Fraction = Fraction(10)


def with_model_error(error: Fraction = Fraction(1, 100)) -> ExactTerm:
    """A spread of 1/2 and a hundred million samples: what is left is the error."""
    return ExactTerm(sigma=Fraction(1, 2), error=error, gamma=Fraction(0), N=10**8)


def without_spread(sigma: Fraction = Fraction(0)) -> ExactTerm:
    """All samples alike."""
    return ExactTerm(sigma=sigma, error=Fraction(0), gamma=Fraction(0), N=10**8)


def exact_width(term: ExactTerm) -> Between:
    """σ̂√(2L/N) + 7L/(3(N-1)(1-γ)) + Δ_max, with the literal width as a second witness."""
    found = term.sigma * root(2 * term.L / term.N) + range_term(term) + term.error
    sigma, error, gamma, L = map(float, (term.sigma, term.error, term.gamma, term.L))
    literal = width(WidthTerm(sigma, error, gamma, term.N, L))
    if abs(Fraction(literal) - found.low) > Fraction(ROUNDED * literal):
        raise AssertionError(f"the literal width is {literal}, not {float(found)}")
    return found


def range_term(term: ExactTerm) -> Fraction:
    """7L/(3(N-1)(1-γ))."""
    return 7 * term.L / (3 * (term.N - 1) * (1 - term.gamma))


def evaluation(term: ExactTerm) -> Evaluation:
    """Four times the samples, half the width; a declared test with room from 0.4 to 0.6."""
    ratio = exact_width(replace(term, N=4 * term.N)) / exact_width(term)
    distance = largest(LOW - ratio, ratio - HIGH, 0)
    return Evaluation(
        premises=(
            Statement("samples", term.N, "≥", 10**6),
            Statement("deviation, at most half the range", term.sigma, "≤", Fraction(1, 2)),
        ),
        conclusion=Statement(
            f"distance from [{LOW},{HIGH}] of width(4N)/width(N) = {float(ratio):.4f}",
            *compared(distance, "=", 0),
        ),
    )


def three_terms_evaluation(term: ExactTerm) -> Evaluation:
    """Width - √(2σ̂²L/N) - Δ_max lies between 7/3 and 14/3 of L/(N(1-γ)), where N ≥ 2."""
    unit = term.L / (term.N * (1 - term.gamma))
    rest = (exact_width(term) - term.sigma * root(2 * term.L / term.N) - term.error) / unit
    beyond = largest(Fraction(7, 3) - rest, rest - Fraction(14, 3))
    return Evaluation(
        premises=(Statement("samples", term.N, "≥", 2),),
        conclusion=Statement(
            "range term beyond [7/3, 14/3], in units of L/(N(1-γ))", *compared(beyond, "≤", 0)
        ),
    )


# Drawn widths, in doubles


def repaired_evaluation(term: WidthTerm) -> Evaluation:
    """Width = √(2σ̂²L/N) + range term + Δ_max, the range term being (7/3 to 14/3) L/(N(1-γ))."""
    by_deviation = term.sigma * math.sqrt(2 * term.L / term.N)
    unit = term.L / (term.N * (1 - term.gamma))
    found = width(term)
    rounding = ROUNDED * found
    rest = found - by_deviation - term.error
    return Evaluation(
        premises=(Statement("samples", term.N, "≥", 2),),
        conclusion=Statement(
            "range term beyond [7/3, 14/3] L/(N(1-γ))",
            max_of((7 / 3 * unit - rest, rest - 14 / 3 * unit)),
            "≤",
            rounding,
            *formula(term),
        ),
    )


LEADING = 17 / 3
"""√2 for a deviation of half the range, at most 1 for any, and 14/3 for the range term."""


def leading_evaluation(term: WidthTerm, constant: float = LEADING) -> Evaluation:
    """Beyond Δ_max the width is at most 17/3 √(L/N)/(1-γ), where N is at least L and 2.

    √(2σ̂²L/N) ≤ √(L/N)/(1-γ), since no sample deviation exceeds 1/√2 of the range, and
    7L/(3(N-1)) ≤ 14L/(3N) ≤ 14/3 √(L/N).
    """
    found = width(term)
    return Evaluation(
        premises=(Statement("samples against L and 2", term.N, "≥", max_of((term.L, 2.0))),),
        conclusion=Statement(
            "width beyond the model error against 17/3 √(L/N)/(1-γ)",
            found - term.error,
            "≤",
            constant * math.sqrt(term.L / term.N) / (1 - term.gamma),
            *formula(term),
            tolerance=ROUNDED * found,
        ),
    )


def formula(term: WidthTerm) -> Formed:
    """The width; sizes and n enter through L only, which is given."""
    if term.gamma == 0:
        known = (("sigma_r_hat", term.sigma), ("Delta_r", term.error))
        return formulas.APPENDIX_B + "WIDTH_R", (("N", term.N), *known)
    given = (("sigma_p_hat", term.sigma), ("Delta_p", term.error), ("gamma", term.gamma))
    return formulas.APPENDIX_B + "WIDTH_P", (("N", term.N), *given)


def _numbers(term: ExactTerm) -> Numbers:
    widths = (exact_width(term), exact_width(replace(term, N=4 * term.N)))
    return (
        ("γ", term.gamma),
        ("sample deviation", term.sigma),
        ("Δ_max", term.error),
        ("N, 4N", (term.N, 4 * term.N)),
        ("L", term.L),
        ("widths at N and 4N", tuple(map(shortened, widths))),
    )


def _broken(term: ExactTerm) -> dict[str, ExactTerm]:
    return {
        "samples": replace(term, N=1000),
        "deviation, at most half the range": replace(term, sigma=Fraction(3, 5)),
    }


OF_VALUES = ExactTerm(sigma=Fraction(1), error=Fraction(1, 10), gamma=Fraction(9, 10), N=1000)
TWO_SAMPLES = ExactTerm(sigma=Fraction(0), error=Fraction(0), gamma=Fraction(1, 2), N=2)

declare(
    Counterexample(
        checks={
            "text-width-form.form/model-error": (
                "With a model error the width does not halve when N is quadrupled"
            ),
        },
        kind=CheckKind.ASYMPTOTIC,
        instance=with_model_error(),
        evaluate=evaluation,
        numbers=_numbers,
        fix="no model error",
        fixed=with_model_error(Fraction(0)),
        broken=_broken(with_model_error()),
        repaired=three_terms_evaluation,
        in_scope=OF_VALUES,
    )
)
declare(
    Counterexample(
        checks={
            "text-width-form.form/no-spread": (
                "Without spread and error the width falls to a quarter when N is quadrupled"
            ),
        },
        kind=CheckKind.ASYMPTOTIC,
        instance=without_spread(),
        evaluate=evaluation,
        numbers=_numbers,
        fix="a sample deviation of 1/2",
        fixed=without_spread(Fraction(1, 2)),
        broken=_broken(without_spread()),
        repaired=three_terms_evaluation,
        in_scope=TWO_SAMPLES,
    )
)
