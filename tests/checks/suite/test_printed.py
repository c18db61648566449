"""The formula that a check names is the one that it tests; enumerations are whole."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ptum.checks.claims import registry
from ptum.checks.exact import binomial, hidden_markov
from ptum.checks.exact.mass import MassError, binomial_probability, require_whole
from ptum.checks.instances.counterexamples.appendix_d import lemma_11
from ptum.checks.suite import not_compared
from ptum.checks.suite.not_compared import NOT_COMPARED
from ptum.checks.suite.printed import held, problems
from ptum.checks.suite.runner import Job, run_one
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.check import Profile
from ptum.checks.verdicts.outcome import Evaluation, Statement, from_evaluation, over_evaluations
from ptum.reference.arrays import Ints
from ptum.spec.vocabulary import Verdict, Version

CONSTANTS = registry()["lemma-11.constants/scalars"]
QUICK = Job(Profile.QUICK, 0)


def threshold(used: float | Fraction, epsilon: float | Fraction = Fraction(1, 2)) -> Statement:
    """Line 2 with γ = 1/2: the threshold is ε/12."""
    formed = formulas.threshold(epsilon, Fraction(1, 2), Version.PRINTED)
    return Statement("Δ against its threshold", 0, "≤", used, *formed)


def test_a_violated_of_another_formula_is_errored() -> None:
    """Dropping the λ_max term leaves the conclusion violated, and is not the printed display."""
    assert run_one(CONSTANTS, QUICK).outcome.verdict is Verdict.VIOLATED
    dropped = replace(lemma_11.halved(), inverse_factor=0)
    evaluation = lemma_11.display_evaluation(dropped)
    assert from_evaluation(evaluation).verdict is Verdict.VIOLATED
    check = replace(CONSTANTS, run=lambda _: from_evaluation(evaluation))
    outcome = run_one(check, QUICK).outcome
    assert outcome.verdict is Verdict.ERRORED
    assert outcome.explanation[0] == "error of the column: RHO_4 is 12, in use is 4"


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        (threshold(Fraction(1, 24)), False),
        (threshold(1 / 24), False),
        (threshold(1 / 24 + 1e-15), True),
        (threshold(Fraction(1, 24) + Fraction(1, 10**12)), True),
        (threshold(float("inf")), True),
        (replace(threshold(7), bound=Fraction(1, 24)), False),
        (replace(threshold(Fraction(1, 24)), bound=7), True),
        (replace(threshold(7), measured=(1.0, 1 / 24)), False),
        (replace(threshold(Fraction(1, 24)), values=(("gamma", 0),)), True),
    ],
)
def test_what_is_in_use_is_the_formula(statement: Statement, wrong: bool) -> None:
    assert bool(problems(statement)) is wrong


def test_the_statements_that_decide_are_those_of_the_violations_and_of_the_closest() -> None:
    good, close, broken = (
        Evaluation((), replace(threshold(Fraction(1, 24)), left=left))
        for left in (Fraction(1, 100), Fraction(1, 25), Fraction(1, 2))
    )
    assert over_evaluations([good, close], "kept").deciding == (good.conclusion, close.conclusion)
    assert over_evaluations([good, broken], "kept").deciding == (broken.conclusion,)
    wrong = over_evaluations([good, Evaluation((), threshold(1))], "kept")
    assert held("some-check", wrong).verdict is Verdict.HOLDS  # neither first nor closest
    assert (
        held("some-check", over_evaluations([Evaluation((), threshold(1))], "")).verdict
        is Verdict.ERRORED
    )


def test_every_entry_stands_once() -> None:
    entries = [(check, formula) for _, formula, checks in not_compared.GROUPS for check in checks]
    assert len(set(entries)) == len(entries)


@pytest.mark.slow
@pytest.mark.parametrize("check", sorted(NOT_COMPARED))
def test_no_entry_is_stale(check: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each listed formula is one that the check names."""
    seen: list[Statement] = []
    post_init = Statement.__post_init__

    def remember(statement: Statement) -> None:
        post_init(statement)
        if statement.formula is not None:
            seen.append(statement)

    monkeypatch.setattr(Statement, "__post_init__", remember)
    registry()[check].run(replace(registry()[check].context(Profile.QUICK, 0), most=6))
    named = {one.formula.rpartition(":")[2] for one in seen if one.formula is not None}
    assert set(NOT_COMPARED[check]) <= named


# Enumerated distributions


def test_masses_sum_to_one() -> None:
    require_whole([Fraction(1, 3), Fraction(2, 3)])
    require_whole([0.1] * 10, 1e-15)
    for masses in ([Fraction(1, 3)], [0.5, 0.5 - 1e-12], [0.5, 0.75], []):
        with pytest.raises(MassError):
            require_whole(masses, 1e-15)


def test_exact_binomial_sums() -> None:
    assert binomial_probability(2, Fraction(1, 3), lambda k: k == 1) == Fraction(4, 9)


def without_one(n: int) -> Ints:
    """All counts but one in the middle."""
    found = COMPOSITIONS(n)
    return np.delete(found, len(found) // 2, axis=0)


COMPOSITIONS = binomial.compositions


def test_a_dropped_outcome_of_lemma_2_is_errored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binomial, "compositions", without_one)
    outcome = run_one(registry()["lemma-2.bernstein/three-point"], QUICK).outcome
    assert outcome.verdict is Verdict.ERRORED
    assert "outcomes have probability" in outcome.explanation[0]


@pytest.mark.parametrize("n", [2, 33, 400])
def test_a_dropped_weight_of_a_binomial_is_refused(n: int) -> None:
    """Weights are divided by their sum, so the mean shows what the mass does not."""
    lost = binomial.binomial(n, 0.3)
    lost[n // 3] = 0.0
    with pytest.raises(MassError, match="mean"):
        binomial._require_mean(lost / lost.sum(), n, 0.3)


def test_a_lost_count_of_two_point_distributions_is_errored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    misses = binomial.surely_misses
    monkeypatch.setattr(binomial, "surely_misses", lambda means, *rest: misses(means, *rest)[:-1])
    outcome = run_one(registry()["lemma-2.bernstein/two-point"], QUICK).outcome
    assert outcome.verdict is Verdict.ERRORED


def test_a_lost_triple_of_a_hidden_markov_model_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    half = Fraction(1, 2)
    square = ((half, half), (half, half))
    hmm = hidden_markov.ExactHMM(O=square, T=square, first=(half, half))
    hidden_markov.joint_distribution(hmm)
    one_lost = list(product(range(2), repeat=3))[1:]
    name = "ptum.checks.exact.hidden_markov.product"
    monkeypatch.setattr(name, lambda _, repeat: one_lost[: 2**repeat])
    with pytest.raises(MassError):
        hidden_markov.joint_distribution(hmm)
