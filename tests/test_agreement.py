"""Formulas and reference functions are equal, and the comparison would notice if they were not."""

from __future__ import annotations

import importlib
import math
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from checks.agreement import MODULES, agreements
from checks.agreement.compare import disagreement, is_sharp
from checks.agreement.shape import Agreement, Case
from spec import ledger
from spec.algebra import Condition, Formula, Table

AGREEMENTS = tuple(agreements().values())
FEW = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def name_of(agreement: Agreement) -> str:
    """The formula without its package."""
    return agreement.formula.removeprefix("spec.formulas.")


def formulas() -> Iterator[str]:
    """The dotted names of all formulas of the ledger."""
    for module in MODULES:
        loaded = importlib.import_module(f"spec.formulas.{module}")
        for name, value in vars(loaded).items():
            if isinstance(value, Formula):
                yield f"{loaded.__name__}:{name}"


@pytest.mark.parametrize("agreement", AGREEMENTS, ids=name_of)
@FEW
@given(data=st.data())
def test_formula_and_function_agree(agreement: Agreement, data: st.DataObject) -> None:
    assert disagreement(agreement, data.draw(agreement.draw)) is None


def test_every_formula_has_exactly_one_agreement() -> None:
    listed = [
        agreement.formula
        for module in MODULES
        for agreement in importlib.import_module(f"checks.agreement.{module}").AGREEMENTS
    ]
    assert Counter(listed) == Counter(formulas())


@pytest.mark.parametrize("agreement", AGREEMENTS, ids=name_of)
def test_the_function_of_an_agreement_exists(agreement: Agreement) -> None:
    assert callable(ledger.load(agreement.reference))


def wrong_answers(computed: float | bool) -> tuple[float | bool, ...]:
    """Answers that no rounding explains."""
    if isinstance(computed, bool):
        return (not computed,)
    return (computed * (1 + 1e-9), computed * 6 / 7, -computed, math.inf)


def collected(agreement: Agreement) -> list[Case]:
    """The cases on which the agreement is tested."""
    cases: list[Case] = []

    @FEW
    @given(agreement.draw)
    def collect(case: Case) -> None:
        cases.append(case)

    collect()
    return cases


@pytest.mark.slow
@pytest.mark.parametrize("agreement", AGREEMENTS, ids=name_of)
def test_the_cases_say_something_and_wrong_answers_are_rejected(agreement: Agreement) -> None:
    cases = collected(agreement)
    sharp = [case for case in cases if is_sharp(agreement, case)]
    assert len(sharp) >= 0.3 * len(cases), "most cases are zero, infinite or hidden by rounding"
    if isinstance(ledger.formula(agreement.formula).right, Condition):
        assert {case.computed for case in sharp} == {True, False}
    else:
        assert len({case.computed for case in sharp}) >= 5
    for case in sharp[-8:]:
        for wrong in wrong_answers(case.computed):
            assert disagreement(agreement, Case(case.values, wrong, case.domains)) is not None


def test_a_wrong_constant_is_rejected() -> None:
    # sqrt(2 · 0.25 · log 4 / 100) + 7 log 4 / (3 · 99) at δ = 1, with the 7 turned into a 6.
    agreement = agreements()["spec.formulas.appendix_b:EMPIRICAL_BERNSTEIN"]
    values = {"variance_hat": 0.25, "n_samples": 100, "c": 1.0, "delta": 1.0}
    root = math.sqrt(0.5 * math.log(4) / 100)
    right = Case(values, root + 7 * math.log(4) / (3 * 99))
    wrong = Case(values, root + 6 * math.log(4) / (3 * 99))
    assert disagreement(agreement, right) is None
    message = disagreement(agreement, wrong)
    assert message is not None
    assert "reference.concentration:empirical_bernstein_width answered 0.11126" in message
    assert "variance_hat = 0.25, n_samples = 100" in message


def test_a_wrong_membership_is_rejected() -> None:
    # One state and action, rewards 0 and 0.5, κ = 0.25: the model is in Θ_ε.
    agreement = agreements()["spec.formulas.transfer:THETA_EPS"]
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
    assert disagreement(agreement, Case(values, True, sets)) is None
    message = disagreement(agreement, Case(values, False, sets))
    assert message is not None
    assert "(θ ∈ Θ_ε) is True" in message


def test_an_answer_of_the_wrong_kind_is_rejected() -> None:
    condition = agreements()["spec.formulas.transfer:THETA_EPS"]
    number = agreements()["spec.formulas.transfer:KAPPA"]
    assert "to the condition" in (disagreement(condition, Case({}, 1.0)) or "")
    assert "is a number" in (disagreement(number, Case({}, True)) or "")
