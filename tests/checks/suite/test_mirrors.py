"""Functions are held equal to formulas and second computations, and a wrong one is noticed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest

from ptum.checks.claims import registry
from ptum.checks.claims.agreement import agreements, second_computations
from ptum.checks.claims.agreement.again import SecondComputation, differences, same
from ptum.checks.suite import mirrors
from ptum.checks.suite.runner import Job, run_one
from ptum.checks.verdicts.check import Context, Profile
from ptum.reference.experiments import grid, rmax
from ptum.reference.repaired.sequential import spectral
from ptum.reference.repaired.sequential.analysis import within_task_bounds
from ptum.reference.repaired.transfer import exploration
from ptum.reference.sequential import projection
from ptum.spec.vocabulary import Verdict

QUICK = Context(Profile.QUICK, 0)
SECOND = second_computations()


def test_every_formula_that_a_claim_names_is_held_once() -> None:
    held = [name for names in mirrors.formulas().values() for name in names]
    elsewhere = {name for check in registry().values() for name in mirrors._compared(check)}
    assert len(held) == len(set(held))
    assert not elsewhere & set(held)
    unnamed = {"ptum.spec.formulas.appendix_d:MOMENT_CONSTANT"}  # part of the repaired ρ₃ and ρ₄
    links = {f"ptum.spec.formulas.appendix_b:{name}" for name in ("WIDTH_R", "WIDTH_P")}
    assert set(agreements()) - elsewhere - set(held) <= unnamed | links


def test_every_second_computation_belongs_to_a_claim_with_checks() -> None:
    assert {second.claim for second in SECOND.values()} <= set(mirrors.of_checks().values())


@pytest.mark.parametrize("name", SECOND)
def test_other_numbers_are_rejected(name: str) -> None:
    """Every number that is compared, off by a millionth, and every yes or no turned around."""
    for what, (answer, due) in SECOND[name].draw(QUICK.generator(0)).items():
        assert same(answer, due), what
        given = np.asarray(due)
        if given.dtype.kind == "U" or not given.size:
            assert not same([*np.atleast_1d(given), "another"], due), what
        elif given.dtype.kind in "iub":
            assert not same(given + 1 if given.dtype.kind != "b" else ~given, due), what
        else:
            assert not same(np.where(np.isfinite(given), given * (1 + 1e-6) + 1e-6, 0.0), due), what


@pytest.mark.slow
def test_a_claim_whose_function_is_another_one_has_an_errored_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check = registry()["lemma-11.bound/no-such-h"]
    assert mirrors.of_checks()[check.id] == "lemma-11"
    assert run_one(check, Job(Profile.QUICK, 0)).as_expected
    names = "ptum.spec.formulas.appendix_d:RHO_3_REPAIRED"
    wrong = agreements()[names].draw.map(lambda case: replace(case, computed=7.25))
    spoilt = {**agreements(), names: replace(agreements()[names], draw=wrong)}
    with monkeypatch.context() as patched:
        patched.setattr(mirrors, "agreements", lambda: spoilt)
        row = run_one(check, Job(Profile.QUICK, 0))
    assert row.outcome.verdict is Verdict.ERRORED
    assert "rho_3 answered 7.25" in row.outcome.explanation[0]
    another = {"lemma-11: one": SecondComputation("lemma-11", lambda _: {"one": (1.0, 2.0)})}
    monkeypatch.setattr(mirrors, "second_computations", lambda: another)
    row = run_one(check, Job(Profile.QUICK, 0))
    assert row.outcome.explanation[0] == ("lemma-11: one, input 0: one is 1.0, computed again 2.0")


Slip = tuple[ModuleType, str, Callable[..., object]]
SLIPS: dict[str, Slip] = {
    "lemma-12: bounds for views within a task": (
        within_task_bounds,
        "successor_deviation",
        lambda *, visits, k, delta: (1 + math.log(k / delta)) / math.sqrt(visits or 1),
    ),
    "algorithm-3: thresholds of noise": (spectral, "_noise", lambda X, _: 1 / len(X)),
    "algorithm-2: projections": (
        projection,
        "_project_rows",
        lambda rows: np.abs(rows) / np.abs(rows).sum(axis=-1, keepdims=True),
    ),
    "text-no-generative-model: ways to a state": (
        exploration,
        "fastest_way",
        lambda p, goal: exploration.Way(
            some := exploration._some_way(p, goal), exploration._expected_steps(p, some, goal)
        ),
    ),
    "algorithm-rmax: samples, and planning": (rmax, "first_best", lambda Q, _: Q.argmin(axis=1)),
    "figure-1-left: grids": (grid, "successors", lambda g: np.zeros((g.S, 4), dtype=np.int64)),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_in_the_reference_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, function, wrong = SLIPS[name]
    monkeypatch.setattr(module, function, wrong)
    assert next(differences(name, SECOND[name], QUICK), None)


@pytest.mark.slow
def test_many_inputs_agree() -> None:
    """A difference at another seed would be an alarm about nothing."""
    for seed in (1, 2):
        for name, second in SECOND.items():
            assert list(differences(name, second, Context(Profile.QUICK, seed))) == []
