"""Formulas and reference functions are equal, and the comparison would notice if they were not."""

from __future__ import annotations

import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ptum.checks.claims.agreement import agreements
from ptum.checks.claims.agreement.compare import compared
from ptum.checks.claims.agreement.shape import Agreement, AgreementCase, FormulasOf
from ptum.spec import ledger
from ptum.spec.algebra import Condition, Table
from tests.support.declared import formulas

AGREEMENTS = tuple(agreements().values())
SOME = settings(
    max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def name_of(agreement: Agreement) -> str:
    """The formula without its package."""
    return agreement.formula.removeprefix("ptum.spec.formulas.")


def test_every_formula_has_an_agreement_and_cannot_have_two() -> None:
    assert set(agreements()) == {name for name, _ in formulas()}
    with pytest.raises(ValueError, match=r"two agreements are called .*:KAPPA"):
        FormulasOf("transfer")("KAPPA", math.log, st.nothing())


def wrong_answers(computed: float | bool) -> tuple[float | bool, ...]:
    """Answers that no rounding explains."""
    if isinstance(computed, bool):
        return (not computed,)
    return (computed * (1 + 1e-9), computed * 6 / 7, -computed, math.inf)


def collected(agreement: Agreement) -> list[AgreementCase]:
    """The cases on which the agreement is tested."""
    cases: list[AgreementCase] = []

    @SOME
    @given(agreement.draw)
    def collect(case: AgreementCase) -> None:
        cases.append(case)

    collect()
    return cases


@pytest.mark.parametrize("agreement", AGREEMENTS, ids=name_of)
def test_many_cases_agree_and_say_something(agreement: Agreement) -> None:
    """Where the cases are sharp, wrong answers to them are rejected."""
    found = [(case, compared(agreement, case)) for case in collected(agreement)]
    assert [result.wrong for _, result in found if result.wrong is not None] == []
    sharp = [case for case, result in found if result.sharp]
    assert len(sharp) >= 0.3 * len(found), "most cases are zero, infinite or hidden by rounding"
    if isinstance(ledger.formula(agreement.formula).right, Condition):
        assert {case.computed for case in sharp} == {True, False}
    else:
        assert len({case.computed for case in sharp}) >= 5
    for case in sharp[-8:]:
        for wrong in wrong_answers(case.computed):
            assert (
                compared(agreement, AgreementCase(case.values, wrong, case.domains)).wrong
                is not None
            )


def test_nobody_is_held_to_less_than_the_least_normal_double() -> None:
    agreement = agreements()["ptum.spec.formulas.appendix_b:FUNDAMENTAL_CORE"]
    values = {"farthest": 7e-196, "Delta": 0.0, "variance": 1.0, "width": 1.0}
    assert compared(agreement, AgreementCase(values, 0.0)).wrong is None
    assert compared(agreement, AgreementCase(values, 1e-307)).wrong is not None


def test_a_wrong_constant_is_rejected() -> None:
    # sqrt(2 · 0.25 · log 4 / 100) + 7 log 4 / (3 · 99) at δ = 1, with the 7 turned into a 6.
    agreement = agreements()["ptum.spec.formulas.appendix_b:EMPIRICAL_BERNSTEIN"]
    values = {"variance_hat": 0.25, "n_samples": 100, "c": 1.0, "delta": 1.0}
    root = math.sqrt(0.5 * math.log(4) / 100)
    right = AgreementCase(values, root + 7 * math.log(4) / (3 * 99))
    wrong = AgreementCase(values, root + 6 * math.log(4) / (3 * 99))
    assert compared(agreement, right).wrong is None
    message = compared(agreement, wrong).wrong
    assert message is not None
    assert (
        "ptum.reference.transfer.analysis.concentration:empirical_bernstein_width answered 0.11126"
        in message
    )
    assert "variance_hat = 0.25, n_samples = 100" in message


def test_a_wrong_membership_is_rejected() -> None:
    # One state and action, rewards 0 and 0.5, κ = 0.25: the model is in Θ_ε.
    agreement = agreements()["ptum.spec.formulas.transfer:THETA_EPS"]
    values: dict[str, Table] = {
        "r_tilde": [[[0.0]], [[0.5]]],
        "p_tilde": [[[[1.0]]], [[[1.0]]]],
        "V_tilde": [[0.0], [1.0]],
        "gamma": 0.5,
        "kappa": 0.25,
        "theta": 1,
        "theta_star": 0,
    }
    sets = {"States": range(1), "Actions": range(1)}
    assert compared(agreement, AgreementCase(values, True, sets)).wrong is None
    message = compared(agreement, AgreementCase(values, False, sets)).wrong
    assert message is not None
    assert "(θ ∈ Θ_ε) is True" in message


def test_an_answer_of_the_wrong_kind_is_rejected() -> None:
    condition = agreements()["ptum.spec.formulas.transfer:THETA_EPS"]
    number = agreements()["ptum.spec.formulas.transfer:KAPPA"]
    assert "to the condition" in (compared(condition, AgreementCase({}, 1.0)).wrong or "")
    assert "is a number" in (compared(number, AgreementCase({}, True)).wrong or "")


def test_every_agreement_names_a_function() -> None:
    named = {agreement.reference for agreement in agreements().values()}
    assert len(named) > 50
    assert all(callable(ledger.load(name)) for name in named)
