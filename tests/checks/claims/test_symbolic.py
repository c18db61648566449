"""The algebra checks prove what they say and nothing that is wrong."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial

import pytest

from ptum.checks.claims import symbolic
from ptum.checks.claims.symbolic import Identity, holds
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import Outcome, Statement
from ptum.spec.algebra import rational, symbol
from ptum.spec.vocabulary import Verdict

QUICK = Context(Profile.QUICK, seed=1)


@pytest.mark.parametrize(
    "wrong",
    [
        partial(symbolic.union_bound, events=4),
        partial(symbolic.elimination, factor=31),
        partial(symbolic.elimination, factor=16, of_values=True),
        partial(symbolic.sharp_elimination, factor=20),
        partial(symbolic.sharp_elimination, shift=Fraction(25, 10)),
        partial(symbolic.threshold_of_index, formula="TRANSFER_THRESHOLD"),
    ],
)
def test_other_constants_are_not_proved(wrong: Callable[[Context], Outcome]) -> None:
    found = wrong(QUICK)
    assert found.verdict is Verdict.VIOLATED
    assert any(line.startswith("NOT PROVED") for line in found.explanation)


def test_a_false_identity_and_a_false_comparison_are_told() -> None:
    x = symbol("x")
    outcome = holds(
        (Identity("true", x + x, 2 * x), Identity("false", x, rational(1, 2))),
        (Statement("one against zero", 1, "<", 0),),
    )
    assert outcome.violations == 2
    assert outcome.explanation[0] == "proved: true"


def test_the_least_logarithm_is_rounded_down() -> None:
    assert float(symbolic.LEAST_LOG) < math.log(16) < float(symbolic.LEAST_LOG) + 0.01


def test_a_condition_is_no_number() -> None:
    with pytest.raises(TypeError, match="THETA_EPS"):
        symbolic.right_side("THETA_EPS")
