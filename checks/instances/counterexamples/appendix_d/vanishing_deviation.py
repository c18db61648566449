"""Deviations without a floor (errata E33, E47): p = (1, 0), q = (1-e, e), f = (0, 1).

The deviation of f is 0 under p and √(e(1-e)) under q, while the distributions are only 2e apart. So
no constant C makes |Std_p - Std_q| ≤ C‖p-q‖₁ true for all e.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import Vector
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.verdicts import formulas, proof_bounds
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.outcome import Evaluation, Statement, roots_of
from ptum.checks.verdicts.roots import RootCase


@stored
@dataclass(frozen=True)
class Laws:
    """Two distributions on the same points, and a function with values in [0, b]."""

    p: Vector
    q: Vector
    f: Vector
    b: Fraction

    @property
    def distance(self) -> Fraction:
        """‖p-q‖₁."""
        return sum((abs(x - y) for x, y in zip(self.p, self.q, strict=True)), Fraction(0))

    @property
    def variance_p(self) -> Fraction:
        """Var_p[f]."""
        return mdp.variance(self.p, self.f)

    @property
    def variance_q(self) -> Fraction:
        """Var_q[f]."""
        return mdp.variance(self.q, self.f)


def laws(e: Fraction) -> Laws:
    """Certain to see 0, or almost."""
    return Laws(
        p=(Fraction(1), Fraction(0)),
        q=(1 - e, e),
        f=(Fraction(0), Fraction(1)),
        b=Fraction(1),
    )


def against(constant: Fraction) -> Laws:
    """Laws for which the constant is too small: e(1-e) is four times 4C²e² at 1/e = 16C² + 1."""
    return laws(1 / (16 * constant**2 + 1))


def premises_of(pair: Laws) -> tuple[Statement, ...]:
    """p and q are distributions, f maps into [0, b]."""
    return (
        Statement("p sums to", sum(pair.p), "=", 1),
        Statement("q sums to", sum(pair.q), "=", 1),
        Statement("least probability", min(*pair.p, *pair.q), "≥", 0),
        Statement("least value of f", min(pair.f), "≥", 0),
        Statement("largest value of f, against b", max(pair.f), "≤", pair.b),
        Statement("b", pair.b, ">", 0),
    )


def evaluation(pair: Laws, constant: Fraction) -> Evaluation:
    """|Std_p - Std_q| ≤ C‖p-q‖₁ with no floor, where p makes f certain; squared."""
    bound = proof_bounds.without_floor(constant, pair.distance)
    allowed = bound**2
    return Evaluation(
        premises=(*premises_of(pair), Statement("Var_p[f]", pair.variance_p, "=", 0)),
        conclusion=Statement(
            f"squares of the difference of deviations and of {constant}·‖p-q‖₁",
            pair.variance_q,
            "≤",
            allowed,
            formulas.APPENDIX_D + "WITHOUT_FLOOR",
            (("constant", constant), ("l1_distance", pair.distance)),
            measured=roots_of(pair.variance_q, allowed) if pair.variance_q >= 0 else None,
            bound=bound,
        ),
    )


def root_case(laws: Laws, share: Fraction = Fraction(1, 2)) -> RootCase:
    """Repaired: |Std_p - Std_q| ≤ b√(‖p-q‖₁/2); another share than 1/2 is for tests."""
    return RootCase(
        "|Std_p[f] - Std_q[f]|",
        premises_of(laws),
        laws.variance_p,
        laws.variance_q,
        laws.b**2 * laws.distance * share,
    )


CONSTANT = Fraction(10**6)
"""As large as you like: `against` has distributions for each."""


def _numbers(pair: Laws) -> Numbers:
    return (("p", pair.p), ("q", pair.q), ("f", pair.f), ("b", pair.b))


PAIR = against(CONSTANT)
ZERO, TENTH, HALF, ONE = Fraction(0), Fraction(1, 10), Fraction(1, 2), Fraction(1)

NO_CERTAINTY = replace(laws(HALF), p=(ONE - TENTH, TENTH))

declare(
    Counterexample(
        part_of=("text-floor-removable.true-models/any-constant",),
        instance=PAIR,
        evaluate=partial(evaluation, constant=CONSTANT),
        numbers=lambda pair: (*_numbers(pair), ("C", CONSTANT)),
        fix="e = 1/10 in place of 1/(16C² + 1)",
        fixed=laws(TENTH),
        broken={
            "p sums to": replace(PAIR, p=(HALF, ZERO)),
            "q sums to": replace(PAIR, q=(HALF, TENTH)),
            "least probability": replace(PAIR, q=(ONE + TENTH, -TENTH)),
            "least value of f": replace(PAIR, f=(-ONE, ONE)),
            "largest value of f, against b": replace(PAIR, b=HALF),
            "b": replace(PAIR, b=ZERO),
            "Var_p[f]": replace(PAIR, p=(ONE - TENTH, TENTH)),
        },
        repaired=lambda pair: root_case(pair).evaluation(),
        in_scope=NO_CERTAINTY,
    )
)
