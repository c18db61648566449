"""Verdicts: the logic on claims of known truth, and wrong code that each check must reject."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy  # its parts take long to load, and do so where they are used
from hypothesis import given
from hypothesis import strategies as st

from ptum.checks.claims import registry
from ptum.checks.claims.appendix_b import confidence
from ptum.checks.claims.appendix_b.positive_index import repaired_threshold
from ptum.checks.engine.pair_path import path_of
from ptum.checks.exact import mdp
from ptum.checks.instances.counterexamples.appendix_b import concentration, correctness
from ptum.checks.instances.families.named import NAMED_TASK_SETS
from ptum.checks.suite.runner import expected_of, run
from ptum.checks.verdicts.check import Check, Context, Profile
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, from_evaluation, not_met
from ptum.checks.verdicts.probability_search import judge_named
from ptum.checks.verdicts.search import search
from ptum.checks.verdicts.statistics import all_of, clopper_pearson, judge_probability
from ptum.checks.verdicts.witness import WitnessError
from ptum.reference.arrays import ROUNDING
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.confidence import confidence_set, widths
from ptum.reference.transfer.empirical import Data, empirical_model
from ptum.spec.vocabulary import CheckKind, Verdict, Version
from tests.support.closeness import OF_A_FORMULA, near

QUICK = Context(Profile.QUICK, seed=1)


def evaluation_of(premise: bool, conclusion: bool) -> Evaluation:
    return Evaluation((Statement("p", premise, "=", True),), Statement("c", conclusion, "=", True))


def test_an_evaluation_counts_its_conclusion_only_under_its_premises() -> None:
    assert evaluation_of(True, True).verdict() is Verdict.HOLDS
    assert evaluation_of(True, False).verdict() is Verdict.VIOLATED
    assert evaluation_of(False, False).verdict() is Verdict.ASSUMPTION_NOT_MET
    assert from_evaluation(evaluation_of(True, False)).violations == 1


def test_an_evaluation_ends_at_its_premises_only_where_one_fails() -> None:
    failed, met = Statement("p", 0, "=", 1), Statement("q", 1, "=", 1)
    assert not_met((met, failed)).verdict() is Verdict.ASSUMPTION_NOT_MET
    with pytest.raises(ValueError, match="all premises are met"):
        not_met((met,))


@pytest.mark.parametrize(
    ("sign", "truth"), [("<", True), ("≤", True), (">", False), ("≥", False), ("=", False)]
)
def test_statements_compare(sign: str, truth: bool) -> None:
    statement = Statement("x", Fraction(1, 3), sign, Fraction(1, 2))  # type: ignore[arg-type]
    assert statement.holds is truth
    assert statement.margin == near(1 / 6)
    assert "1/3 (0.333333)" in str(statement)


@given(
    trials=st.integers(1, 60),
    probability=st.integers(0, 1000).map(lambda thousandths: thousandths / 1000),
    alpha=st.sampled_from((0.1, 0.01, 1e-4)),
)
def test_clopper_pearson_misses_with_at_most_its_alpha(
    trials: int, probability: float, alpha: float
) -> None:
    """Exact: the binomial probability of all counts whose interval misses the truth."""
    missed = sum(
        float(scipy.stats.binom.pmf(count, trials, probability))
        for count in range(trials + 1)
        if not (lambda i: i[0] <= probability <= i[1])(clopper_pearson(count, trials, alpha))
    )
    assert missed <= alpha * (1 + OF_A_FORMULA)


def test_judgement_on_clear_and_unclear_counts() -> None:
    assert judge_probability(0, 500, 0.1, 1e-4) is Verdict.HOLDS
    assert judge_probability(490, 500, 0.1, 1e-4) is Verdict.VIOLATED
    assert judge_probability(50, 500, 0.1, 1e-4) is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("verdicts", "together"),
    [
        ((Verdict.HOLDS, Verdict.HOLDS), Verdict.HOLDS),
        ((Verdict.INCONCLUSIVE, Verdict.VIOLATED), Verdict.VIOLATED),
        ((Verdict.HOLDS, Verdict.INCONCLUSIVE), Verdict.INCONCLUSIVE),
        ((Verdict.HOLDS, Verdict.ASSUMPTION_NOT_MET), Verdict.INCONCLUSIVE),
        ((Verdict.HOLDS, Verdict.ERRORED), Verdict.INCONCLUSIVE),
        ((), Verdict.INCONCLUSIVE),
    ],
)
def test_only_what_holds_everywhere_holds(verdicts: tuple[Verdict, ...], together: Verdict) -> None:
    assert all_of(verdicts) is together


@pytest.mark.parametrize(("failures", "trials"), [(-1, 5), (6, 5), (0, 0)])
def test_impossible_counts_are_refused(failures: int, trials: int) -> None:
    with pytest.raises(ValueError, match="failures"):
        clopper_pearson(failures, trials, 0.1)


def test_search_finds_shrinks_and_tells() -> None:
    seen: list[int] = []

    def claim(number: int) -> Evaluation:
        seen.append(number)
        return Evaluation((), Statement("below twelve", number, "<", 12))

    found = search(QUICK, st.integers(0, 1000), claim, 200)
    assert found.verdict is Verdict.VIOLATED
    assert found.explanation[:2] == ("instance   12", "conclusion below twelve: 12 < 12 … NO")
    most = max(seen)
    assert most > 12
    assert found.explanation[2] == f"largest    below twelve: {most} < 12 … NO (by {most - 12})"


def test_what_decides_by_trials_has_an_error_probability() -> None:
    for check in registry().values():
        if check.alpha > 0:
            assert check.kind in (CheckKind.PROBABILITY, CheckKind.ASYMPTOTIC), check.id
        if check.kind is CheckKind.PROBABILITY:
            assert check.alpha > 0, check.id


def test_a_check_that_raises_is_errored() -> None:
    def broken(_: Context) -> Outcome:
        raise RuntimeError("no idea")

    check = replace(registry()["lemma-7.positive/bandit"], run=broken)
    (row,) = run((check,), Profile.QUICK, 0)
    assert row.outcome.verdict is Verdict.ERRORED
    assert "no idea" in row.outcome.explanation[0]
    assert not row.as_expected


def test_seeds_belong_to_the_check_not_to_the_run() -> None:
    first, second = registry()["lemma-7.positive/bandit"], registry()["lemma-3.coverage/repaired"]
    assert first.context(Profile.QUICK, 0).seed != second.context(Profile.QUICK, 0).seed
    assert first.context(Profile.QUICK, 0) == first.context(Profile.QUICK, 0)
    assert first.context(Profile.QUICK, 0).seed != first.context(Profile.QUICK, 1).seed


def test_readings_expect_their_own_verdicts() -> None:
    assert expected_of(registry()["lemma-3.coverage/named-instances"]) == {Verdict.HOLDS}
    assert expected_of(registry()["lemma-3.coverage/wrong-std"]) == {Verdict.VIOLATED}
    assert expected_of(registry()["lemma-3.coverage/repaired"]) == {Verdict.HOLDS}


@pytest.mark.parametrize("identity", sorted(registry()))
def test_every_check_says_what_the_ledger_expects(identity: str) -> None:
    (row,) = run((registry()[identity],), Profile.QUICK, 0)
    assert row.as_expected, "\n".join(row.outcome.explanation)


# Lemma 7


@pytest.mark.parametrize(
    ("factor", "verdict"),
    [(4, Verdict.VIOLATED), (9, Verdict.VIOLATED), (17, Verdict.VIOLATED), (18, Verdict.HOLDS)],
)
def test_any_larger_threshold_is_refuted(factor: int, verdict: Verdict) -> None:
    assert repaired_threshold(QUICK, factor).verdict is verdict


def test_the_sharp_family_attains_its_loss() -> None:
    gamma, epsilon = Fraction(1, 2), Fraction(1)
    Delta = mdp.transfer_threshold(epsilon, gamma, 18)
    sharp = correctness.sharp(Delta, epsilon, gamma)
    # 16Δ(1+γ)/(1-γ) = 16 (1/54) 3 = 8/9, which is the slack 1 - 2(1/54)3 = 8/9
    assert mdp.smallest_worst_loss(sharp.models) == Fraction(8, 9)
    assert mdp.stopping_slack(epsilon, Delta, gamma) == Fraction(8, 9)
    assert mdp.largest_index(sharp.models, Delta) == 0


# Lemma 3


@given(rewards=st.lists(st.sampled_from((0.0, 0.25, 1.0)), min_size=2, max_size=12), data=st.data())
def test_pair_path_equals_lines_7_to_10(rewards: list[float], data: st.DataObject) -> None:
    successors = data.draw(
        st.lists(st.integers(0, 2), min_size=len(rewards), max_size=len(rewards))
    )
    V_star = np.array([[0.0, 1.5, 4.0], [2.0, 2.0, 2.0]])
    path = path_of(np.array(rewards), np.array(successors), V_star)
    literal = empirical_model(Data([[rewards], [[]], [[]]], [[successors], [[]], [[]]]), V_star)
    # sums of at most 12 numbers up to 16 lose at most 12·16 roundings
    loss = 12 * 16 * ROUNDING
    assert path.r[-1] == pytest.approx(literal.r[0, 0], abs=loss)
    assert path.V[-1] == pytest.approx(V_star @ literal.p[0, 0], abs=loss)
    assert path.sigma_r[-1] ** 2 == pytest.approx(literal.sigma_r[0, 0] ** 2, abs=loss)
    assert path.sigma_p[-1] ** 2 == pytest.approx(literal.sigma_p[0, 0] ** 2, abs=loss)


def test_coverage_rejects_widths_without_a_logarithm(monkeypatch: pytest.MonkeyPatch) -> None:
    def of_nothing(S: int, A: int, n: int, k: int, delta: float) -> float:
        return delta / (S * A * n * k)

    monkeypatch.setattr(confidence, "log_term", of_nothing)
    with pytest.raises(WitnessError, match="Lemma 3"):
        confidence.named_instances(QUICK)
    monkeypatch.setattr(confidence, "confirm", lambda *_: None)
    assert confidence.named_instances(QUICK).verdict is Verdict.VIOLATED
    assert confidence.drawn_instances(QUICK).verdict is Verdict.VIOLATED


def test_coverage_rejects_a_missing_model_error() -> None:
    """True and approximate tasks differ, but the widths are told that they do not."""
    blurred = NAMED_TASK_SETS[2]
    named = {blurred.name: confidence.everywhere(blurred, 40_000, single(0.0))}
    outcome = judge_named(QUICK, confidence.COVERAGE, named, 12, 1e-3)
    assert outcome.verdict is Verdict.VIOLATED


@given(
    rewards=st.lists(st.sampled_from((0.0, 0.25, 1.0)), min_size=2, max_size=12),
    delta=st.sampled_from((0.1, 0.999)),
)
def test_a_distance_beyond_a_width_is_a_failed_test(rewards: list[float], delta: float) -> None:
    """The largest distance/width of the target exceeds one exactly if line 12 drops it."""
    models = NAMED_TASK_SETS[1].approximate
    path = path_of(np.array(rewards), np.zeros(len(rewards), dtype=np.int64), models.V_star)
    dropped = False
    for N in range(1, len(rewards) + 1):
        data = Data([[rewards[:N], []]], [[[0] * N, []]])
        hat = empirical_model(data, models.V_star)
        C = widths(hat, single(0.0), models.gamma, 12, models.k, delta)
        dropped |= 1 not in confidence_set((0, 1), hat, C, models)[0]
    distance = confidence.largest_distance(
        path, (0, 0), 1, models, confidence.WidthNumbers(single(0.0), 12, delta)
    )
    assert (distance > 1) == dropped


def test_hidden_deviation_has_the_numbers_its_story_needs() -> None:
    printed, repaired = concentration.printed_errors(), concentration.repaired_errors()
    assert printed.r == near(0.102)
    assert printed.sigma_p <= 1.05 * OF_A_FORMULA  # both deviations are 1.05 on paper
    assert repaired.sigma_p == near(0.2856)
    assert all(p.holds for p in concentration.premises())


def test_a_check_names_its_part() -> None:
    check = Check(
        id="lemma-3.coverage/x",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="",
        run=lambda _: Outcome(Verdict.HOLDS),
    )
    assert check.part == "lemma-3.coverage"
