"""Confidence widths "of the form √(log(c/δ)/N)" (erratum E23).

A quantity of that form halves when N is quadrupled. The width of a mean does not when there is a
model error (it tends to the error) nor when there is no spread (it falls to a quarter).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from checks import formulas
from checks.counterexamples.catalogue import Case, Numbers, Told
from checks.outcome import Formed, Statement, Walk
from reference.arrays import ROUNDING
from reference.confidence import width_p, width_r

LOW, HIGH = 0.4, 0.6
"""What counts as a half."""


@dataclass(frozen=True)
class Term:
    """The arguments of a width: sample deviation, model error, discount, count and logarithm."""

    sigma: float
    error: float
    gamma: float
    N: int
    L: float = 10.0


def width(term: Term) -> float:
    """C^r where γ = 0, else C^p."""
    sigma, N = np.array(term.sigma), np.array(term.N)
    if term.gamma == 0:
        return float(width_r(sigma, N, term.L, term.error))
    return float(width_p(sigma, N, term.L, term.gamma, term.error))


def with_model_error(error: float = 0.01) -> Term:
    """A spread of 1/2 and a hundred million samples: what is left is the error."""
    return Term(sigma=0.5, error=error, gamma=0.0, N=10**8)


def without_spread(sigma: float = 0.0) -> Term:
    """All samples alike."""
    return Term(sigma=sigma, error=0.0, gamma=0.0, N=10**8)


def walk(term: Term) -> Walk:
    """Four times the samples, half the width; a declared test with room from 0.4 to 0.6."""
    ratio = width(replace(term, N=4 * term.N)) / width(term)
    return Walk(
        premises=(
            Statement("samples", term.N, "≥", 10**6),
            Statement("deviation, at most half the range", term.sigma, "≤", 0.5),
        ),
        conclusion=Statement(
            f"distance from [{LOW},{HIGH}] of width(4N)/width(N) = {ratio:.4f}",
            max(LOW - ratio, ratio - HIGH, 0.0),
            "=",
            0,
        ),
    )


def repaired_walk(term: Term) -> Walk:
    """Width = √(2σ̂²L/N) + range term + Δ_max, the range term being (7/3 to 14/3) L/(N(1-γ))."""
    by_deviation = term.sigma * math.sqrt(2 * term.L / term.N)
    unit = term.L / (term.N * (1 - term.gamma))
    found = width(term)
    # three sums and a handful of products; nothing is subtracted inside the width
    rounding = 16 * ROUNDING * found
    rest = found - by_deviation - term.error
    return Walk(
        premises=(Statement("samples", term.N, "≥", 2),),
        conclusion=Statement(
            "range term beyond [7/3, 14/3] L/(N(1-γ))",
            max(7 / 3 * unit - rest, rest - 14 / 3 * unit),
            "≤",
            rounding,
            *formula(term),
        ),
    )


def formula(term: Term) -> Formed:
    """The width; sizes and n enter through L only, which is given."""
    if term.gamma == 0:
        known = (("sigma_r_hat", term.sigma), ("Delta_r", term.error))
        return formulas.APPENDIX_B + "WIDTH_R", (("N", term.N), *known)
    given = (("sigma_p_hat", term.sigma), ("Delta_p", term.error), ("gamma", term.gamma))
    return formulas.APPENDIX_B + "WIDTH_P", (("N", term.N), *given)


def _numbers(term: Term) -> Numbers:
    return (
        ("sample deviation", term.sigma),
        ("Δ^r_max", term.error),
        ("N, 4N", (term.N, 4 * term.N)),
        ("L", term.L),
        ("widths at N and 4N", (width(term), width(replace(term, N=4 * term.N)))),
    )


def _broken(term: Term) -> dict[str, Told]:
    return {
        "samples": lambda: walk(replace(term, N=1000)),
        "deviation, at most half the range": lambda: walk(replace(term, sigma=0.6)),
    }


CASES = (
    Case(
        checks=("text-width-form.form/model-error",),
        numbers=lambda: _numbers(with_model_error()),
        told=lambda: walk(with_model_error()),
        undo="no model error",
        undone=lambda: walk(with_model_error(0.0)),
        broken=_broken(with_model_error()),
        repaired=lambda: repaired_walk(with_model_error()),
        sibling=lambda: repaired_walk(Term(sigma=1.0, error=0.1, gamma=0.9, N=1000)),
        sibling_numbers=lambda: _numbers(Term(sigma=1.0, error=0.1, gamma=0.9, N=1000)),
    ),
    Case(
        checks=("text-width-form.form/no-spread",),
        numbers=lambda: _numbers(without_spread()),
        told=lambda: walk(without_spread()),
        undo="a sample deviation of 1/2",
        undone=lambda: walk(without_spread(0.5)),
        broken=_broken(without_spread()),
        repaired=lambda: repaired_walk(without_spread()),
        sibling=lambda: repaired_walk(Term(sigma=0.0, error=0.0, gamma=0.5, N=2)),
        sibling_numbers=lambda: _numbers(Term(sigma=0.0, error=0.0, gamma=0.5, N=2)),
    ),
)
