"""Formula against function: a wrong function is rejected, silent inputs hold nothing."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import pytest
from hypothesis import strategies as st

from ptum.checks.claims import definitions
from ptum.checks.claims.agreement.shape import Agreement, AgreementCase
from ptum.checks.claims.agreement.transfer import thresholds
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import Outcome
from ptum.reference.arrays import ROUNDING
from ptum.reference.repaired.transfer.stopping import transfer_threshold as repaired_threshold
from ptum.reference.transfer.stopping import transfer_threshold
from ptum.spec.vocabulary import Verdict

THRESHOLD = "ptum.spec.formulas.transfer:TRANSFER_THRESHOLD"


def compared(
    monkeypatch: pytest.MonkeyPatch,
    function: Callable[[float, float], float],
    epsilons: st.SearchStrategy[float],
    share: float | None = None,
) -> Outcome:
    """Line 2's formula against a function, at γ = 1/2; Δ uses up a share of what it admits."""
    cases = epsilons.map(
        lambda e: AgreementCase({"epsilon": e, "gamma": 0.5}, function(e, 0.5), share=share)
    )
    table = MappingProxyType({THRESHOLD: Agreement(THRESHOLD, "a function", cases)})
    monkeypatch.setattr(definitions, "agreements", lambda: table)
    return definitions.comparing((THRESHOLD,))(Context(Profile.QUICK, 1))


def test_the_right_function_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = compared(monkeypatch, transfer_threshold, st.floats(0.1, 1))
    assert (outcome.verdict, outcome.trials) == (Verdict.HOLDS, 10)
    assert outcome.tolerance is not None
    assert ROUNDING < outcome.tolerance < 100 * ROUNDING  # a share of the threshold


def test_another_function_is_told_with_the_smallest_input(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = compared(monkeypatch, repaired_threshold, st.floats(0.1, 1))
    assert outcome.verdict is Verdict.VIOLATED
    assert (outcome.violations, outcome.trials) == (1, 10)
    assert "epsilon = 1.0" in outcome.explanation[0]


def test_inputs_on_which_every_formula_agrees_hold_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """At ε = 0 both thresholds are zero."""
    outcome = compared(monkeypatch, repaired_threshold, st.just(0.0))
    assert outcome.verdict is Verdict.INCONCLUSIVE


def test_inputs_are_drawn_anew_until_one_says_something(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[float] = []

    def rarely(number: int) -> float:
        looked.append(number)
        return 0.5 if len(looked) > 25 else 0.0

    outcome = compared(monkeypatch, transfer_threshold, st.integers(0, 10**9).map(rarely))
    assert outcome.verdict is Verdict.HOLDS
    assert outcome.trials == 30


def test_a_bound_that_is_kept_says_how_loose_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = compared(monkeypatch, transfer_threshold, st.floats(0.1, 1), share=0.25)
    assert outcome.verdict is Verdict.HOLDS
    assert (outcome.worst_ratio, outcome.looseness) == (0.25, (4.0,) * 5)


def test_more_than_the_bound_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = compared(monkeypatch, transfer_threshold, st.floats(0.1, 1), share=1.5)
    assert outcome.verdict is Verdict.VIOLATED
    assert "takes 1.5 times what" in outcome.explanation[0]


def test_entering_above_the_printed_threshold_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line 2 that lets every run begin."""
    cases = thresholds(transfer_threshold, lambda _, __, ___: True)
    table = MappingProxyType({THRESHOLD: Agreement(THRESHOLD, "a function", cases)})
    monkeypatch.setattr(definitions, "agreements", lambda: table)
    outcome = definitions.comparing((THRESHOLD,))(Context(Profile.STANDARD, 1))
    assert outcome.verdict is Verdict.VIOLATED
    assert "times what" in outcome.explanation[0]
