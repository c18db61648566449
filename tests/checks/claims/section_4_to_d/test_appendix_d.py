"""Appendix D: counterexamples need each of their numbers, and checks reject smaller constants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from ptum.checks.claims.appendix_d import (
    deviations,
    lemma_11,
    lemma_11_proof,
    lemma_12,
    lemma_15,
    long_sequences,
    model_errors,
    moved_moments,
    runs,
)
from ptum.checks.claims.appendix_d.chains import SizedHMM, hmms, task_runs
from ptum.checks.claims.appendix_d.lemma_11_proof import Split, splits
from ptum.checks.claims.appendix_d.lemma_15 import Prediction, predictions
from ptum.checks.claims.appendix_d.model_errors import Estimated, estimates
from ptum.checks.claims.appendix_d.moved_moments import Moved, Population, moved
from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import projected
from ptum.checks.exact.mdp import inner
from ptum.checks.instances.counterexamples.appendix_d import estimates as estimates_cases
from ptum.checks.instances.counterexamples.appendix_d import identification
from ptum.checks.instances.counterexamples.appendix_d import lemma_11 as lemma_11_cases
from ptum.checks.instances.counterexamples.appendix_d.lemma_14 import Laws
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import Evaluation, Outcome
from ptum.checks.verdicts.search import RootCase
from ptum.reference.arrays import ROUNDING
from ptum.reference.errors import InputError
from ptum.reference.inequalities import Inequality
from ptum.reference.repaired.sequential.analysis import spectral_bounds as repaired
from ptum.reference.repaired.sequential.spectral import learn_hmm as learn_rank_k
from ptum.reference.sequential.analysis.spectral_bounds import std_difference_bound
from ptum.reference.sequential.hmm import moore_penrose, population_moments, rank_k_inverse
from ptum.reference.sequential.projection import project_simplex
from ptum.reference.sequential.spectral import learn_hmm
from ptum.spec.formulas.symbols import sigma_bar
from ptum.spec.vocabulary import Verdict, Version
from tests.support.closeness import OF_A_FORMULA, near, of_inverse

QUICK = Context(Profile.QUICK, seed=1)
HALF, TENTH = Fraction(1, 2), Fraction(1, 10)

VIOLATED, HOLDS = Verdict.VIOLATED, Verdict.HOLDS


# Roots


@pytest.mark.parametrize(
    ("x", "y", "z", "verdict"),
    [(4, 1, 1, HOLDS), (4, 1, Fraction(99, 100), VIOLATED), (1, 4, 1, HOLDS), (0, 9, 9, HOLDS)],
)
def test_roots_are_compared_without_taking_them(
    x: int, y: int, z: Fraction, verdict: Verdict
) -> None:
    case = RootCase("", (), Fraction(x), Fraction(y), Fraction(z))
    assert case.evaluation().verdict() is verdict
    assert (case.ratio()[0] <= 1) == (verdict is HOLDS)


# Full pseudo-inverses


def test_heavy_tails_are_those_of_full_pseudo_inverses() -> None:
    assert estimates_cases.columns_within_bound(QUICK, learn_rank_k).verdict is HOLDS


def test_the_table_of_triples_is_that_of_the_moments() -> None:
    """The largest singular value of the literal pseudo-inverse is what the evaluation compares."""
    for agreeing in (125, 126, 150):
        Sigma_hat = exact.as_floats(estimates_cases.second_moments(agreeing)[1])
        literal = float(np.linalg.norm(moore_penrose(Sigma_hat, 1600), 2))
        evaluation, rank = (
            estimates_cases.inverse_norm_evaluation(agreeing),
            2 if agreeing == 125 else 3,
        )
        assert abs(literal - float(evaluation.conclusion.left)) <= of_inverse(Sigma_hat, rank)
    assert estimates_cases.inverse_norm_evaluation(125).verdict() is HOLDS


def test_the_rank_k_inverse_needs_the_factor_two() -> None:
    assert lemma_11_proof.cut_inverse_norm(QUICK, constant=1.9).verdict is VIOLATED


def test_the_page_of_limits_shows_the_tail_that_is_measured() -> None:
    page = (Path(__file__).parents[4] / "docs" / "sequential_limits.md").read_text()
    levels = (3.0, 10.0, 30.0, 100.0, 300.0)
    for name, learner in (("full", learn_hmm), ("rank k", learn_rank_k)):
        median, above, none = estimates_cases.measured_tail(learner, 3000, 200, levels)
        shares = " | ".join(f"{share:.3f}" for share in (*above, none))
        assert f"| {name}, 200 runs | 3000 | {median:.3f} | {shares} |" in page


def test_small_errors_reject_a_smaller_bound() -> None:
    assert model_errors.small_reward_std(QUICK, Fraction(1, 100)).verdict is VIOLATED


# Lemma 13 and Assumption 5


@pytest.mark.parametrize(
    ("run", "bound", "factor"),
    [
        (deviations.with_both_floors, deviations.printed_bound, Fraction(2, 5)),
        (deviations.with_both_floors, deviations.two_floors_bound, Fraction(19, 20)),
        (deviations.with_one_floor, deviations.one_floor_bound, Fraction(19, 20)),
        (deviations.with_one_floor, deviations.two_floors_bound, Fraction(1)),
    ],
)
def test_smaller_bounds_on_deviations_are_refuted(
    run: Callable[[deviations.Bound], Callable[[Context], Outcome]],
    bound: deviations.Bound,
    factor: Fraction,
) -> None:
    def smaller(laws: Laws, s: Fraction) -> Fraction:
        return factor * bound(laws, s)

    assert run(smaller)(QUICK).verdict is VIOLATED


def test_a_smaller_share_of_the_distance_is_refuted() -> None:
    assert deviations.root_of_distance(QUICK, Fraction(9, 20)).verdict is VIOLATED


def test_the_floor_is_not_one_of_variances() -> None:
    assert deviations.floor_of_deviations(QUICK, c=sigma_bar).verdict is VIOLATED


@given(deviations.floored_in_both())
@settings(max_examples=30)
def test_exact_bounds_are_those_of_the_reference(floored: deviations.Floored) -> None:
    laws, s = floored.laws, floored.s
    if s == 0:
        return
    literal = std_difference_bound(
        p=[float(x) for x in laws.p],
        q=[float(x) for x in laws.q],
        f=[float(x) for x in laws.f],
        b=float(laws.b),
        c=float(s**2),
    )
    # what p - q loses of its digits
    lost = len(laws.p) * ROUNDING / max(float(laws.distance), ROUNDING)
    exactly = float(deviations.printed_bound(laws, s))
    assert abs(literal.bound - exactly) <= (OF_A_FORMULA + lost) * exactly
    few = 4 * len(laws.p) * ROUNDING * float(laws.b) ** 2  # squares of at most 2b, averaged
    variance = literal.premises["Var_p[f] ≥ c"]
    assert isinstance(variance, Inequality)
    assert abs(float(variance.left) - float(laws.variance_p)) <= few


# Lemma 10


def test_data_distributions_are_distributions() -> None:
    for family in (identification.independent_tasks().first, identification.relabelled().first):
        assert sum(identification.distribution_of_data(family).values()) == 1


# Lemma 11


def test_four_cycle_is_the_algorithms() -> None:
    """Line 9 in doubles on the moved moments gives the column that is computed exactly."""
    case = lemma_11_cases.instance(Fraction(1, 100))
    O = np.array(case.O, dtype=np.float64)  # noqa: E741 - the paper's letter
    Sigma_21, Sigma_31 = (
        np.array(lemma_11_cases.sandwich(case.O, M), dtype=np.float64)
        for M in (case.M_21, exact.plus(case.M_31, case.move))
    )
    mu = O @ np.array(case.T, dtype=np.float64)[:, lemma_11_cases.WORST]
    line_9 = Sigma_21 @ rank_k_inverse(Sigma_31, 4) @ mu
    exactly = np.array(lemma_11_cases.column_error(case), dtype=np.float64)
    allowed = of_inverse(Sigma_31, 4) * np.linalg.norm(Sigma_21, 2) * np.linalg.norm(mu)
    assert np.abs(line_9 - O[:, lemma_11_cases.WORST] - exactly).max() <= allowed


def test_the_ingredients_are_not_those_of_the_display() -> None:
    assert lemma_11_proof.statement_covers_ingredients(QUICK, from_inverse=4).verdict is VIOLATED


def share_of(constant: Callable[..., float], share: float) -> Callable[..., float]:
    return lambda **numbers: share * constant(**numbers)


def rho_4_as_printed(**numbers: float) -> float:
    """4λρ_2 + 4SA + 8SAλ over σ, in units of C_Σ."""
    n, SA = numbers, numbers["S"] * numbers["A"]
    lam, sigma = n["lambda_max_Sigma_21"], n["sigma_k_Sigma_31"]
    return n["C_S"] * (4 * lam * n["rho_2"] + 4 * SA + 8 * SA * lam) / sigma


def test_smaller_constants_of_lemma_11_are_refuted() -> None:
    assert (
        lemma_11.observation_implication(QUICK, share_of(repaired.rho_4, 0.7)).verdict is VIOLATED
    )
    assert lemma_11_proof.inverse_perturbation(QUICK, constant=1.9).verdict is VIOLATED


def test_printed_rho_4_is_refuted_by_the_search_as_well() -> None:
    """The four-cycle is among the drawn chains, and its worst direction among the manners."""
    case = Moved(moved_moments.cycle_of_four(Fraction(1, 100)), 0.02, "stretched", 0.0, seed=0)
    assert lemma_11.observation_evaluation(case, rho_4_as_printed).verdict() is VIOLATED
    assert lemma_11.observation_evaluation(case).verdict() is HOLDS


@given(moved())
@settings(max_examples=30)
def test_population_is_the_references(case: Moved) -> None:
    truth, literal = moved_moments.population(case.hmm), exact.rounded(case.hmm)
    moments = population_moments(literal, literal.initial)
    few = 100 * ROUNDING  # sums of k² products, all at most 1
    assert np.abs(truth.Sigma_21 - moments.Sigma_21).max() <= few
    assert np.abs(truth.Sigma_31 - moments.Sigma_31).max() <= few


@given(moved())
@settings(max_examples=30)
def test_moved_moments_are_as_far_as_they_say(case: Moved) -> None:
    truth = moved_moments.population(case.hmm)
    rng = np.random.default_rng(case.seed)
    along = moved_moments.direction(truth.Sigma_31, case.hmm.k, case.manner, rng)
    assert np.linalg.norm(along, 2) == near(1)
    columns = lemma_12.column_directions(truth, case, rng)
    assert np.linalg.norm(columns, axis=0) == near(np.ones(case.hmm.k))


def test_longer_columns_would_be_found() -> None:
    assert lemma_11_proof.column_norm(QUICK, limit=1).verdict is VIOLATED


@pytest.mark.parametrize("terms", [(1, 2), (0, 2), (0, 1)])
def test_no_term_of_the_split_can_be_missed(terms: tuple[int, ...]) -> None:
    """One of three errors alone, so that the other two terms are zero."""
    hmm = SizedHMM(
        exact.matrix([[1, 0], [0, 1], [1, 1]]),
        ((Fraction(9, 10), TENTH), (TENTH, Fraction(9, 10))),
        first=(HALF, HALF),
        S=1,
        A=1,
        U=2,
    )
    middle = moved_moments.middle_31(hmm)
    Sigma_21 = lemma_11_cases.sandwich(hmm.O, moved_moments.middle_21(hmm))
    mu = exact.column(exact.times(hmm.O, hmm.T), 0)
    missing = ({0, 1, 2} - set(terms)).pop()
    case = Split(
        hmm,
        exact.scaled(Fraction(2), middle) if missing == 2 else middle,
        exact.scaled(Fraction(2), Sigma_21) if missing == 1 else Sigma_21,
        tuple(2 * x for x in mu) if missing == 0 else mu,
    )
    assert lemma_11_proof.split_evaluation(case).verdict() is HOLDS
    assert lemma_11_proof.split_evaluation(case, terms).verdict() is VIOLATED


@given(splits())
@settings(max_examples=15)
def test_rational_pseudo_inverses_are_pseudo_inverses(case: Split) -> None:
    try:
        exactly = lemma_11_cases.pseudo_inverse(case.hmm.O, case.middle)
    except exact.SingularError:
        return
    a = lemma_11_cases.sandwich(case.hmm.O, case.middle)
    assert exact.times(a, exactly, a) == a
    assert exact.times(exactly, a, exactly) == exactly
    assert exact.times(a, exactly) == exact.transpose(exact.times(a, exactly))


@given(hmms())
@settings(max_examples=20)
def test_the_kernel_vector_belongs_to_no_task(hmm: SizedHMM) -> None:
    z = long_sequences.kernel_vector(hmm)
    assert all(inner(task, z) == 0 for task in exact.transpose(hmm.O))


def test_vacuity_needs_the_least_singular_value(monkeypatch: pytest.MonkeyPatch) -> None:
    def first_entry(hmm: SizedHMM) -> tuple[Fraction, ...]:
        return (Fraction(1),) + (Fraction(0),) * (len(hmm.O) - 1)

    monkeypatch.setattr(long_sequences, "kernel_vector", first_entry)
    assert long_sequences.never_speaks(QUICK).verdict is VIOLATED
    assert long_sequences.lemma_12_never_speaks(QUICK).verdict is VIOLATED


def test_a_wrong_share_of_delta_is_refuted() -> None:
    """Events at level δ'/10⁹ in place of δ'/3 allow errors that a bound of level δ' does not."""
    assert long_sequences.on_the_event(QUICK, events=10**9).verdict is VIOLATED


# Lemma 12


def test_smaller_constants_of_lemma_12_are_refuted() -> None:
    def printed(case: Moved, truth: Population, rho_4: float) -> float:
        return lemma_12.printed_rho_6(case, truth, rho_4) / 30

    def without_views(case: Moved, truth: Population, rho_4: float) -> float:
        return lemma_12.repaired_rho_6(replace(case, view_error=0.0), truth, rho_4)

    def smaller(case: Moved, truth: Population, rho_4: float) -> float:
        return 0.75 * lemma_12.repaired_rho_6(case, truth, rho_4)

    assert lemma_12.transition_implication(QUICK, printed).verdict is VIOLATED
    assert lemma_12.repaired_transition_implication(QUICK, without_views).verdict is VIOLATED
    assert lemma_12.repaired_transition_implication(QUICK, smaller).verdict is VIOLATED


def test_two_opposite_tasks_nearly_attain_the_constants() -> None:
    """λ_max = σ_k and ‖μ‖ = B: what is lost is ‖Σ̂_21‖ ≤ 2λ_max, where 3/2 would be enough."""
    case = Moved(moved_moments.opposite_tasks(2, Fraction(1)), 1.0, "aligned", 10.0, seed=0)
    truth = moved_moments.population(case.hmm)
    assert truth.lambda_max == near(truth.sigma_k)
    assert np.linalg.norm(truth.mu, axis=0) == near(np.full(2, np.sqrt(8)))
    transitions = lemma_12.transition_evaluation(
        case, lemma_12.repaired_rho_6, lemma_12.free_rho_4, Version.REPAIRED
    )
    for evaluation, least in (
        (lemma_11.observation_evaluation(case), 0.7),
        (transitions, 0.75),
        (lemma_11_proof.inverse_evaluation(case), 0.49),
    ):
        assert evaluation.verdict() is HOLDS
        assert float(evaluation.conclusion.left) / float(evaluation.conclusion.right) > least


# Equation 8


def test_coverage_rejects_wrong_bounds() -> None:
    def generous(setting: runs.SequenceSetting) -> float:
        return 40 * runs.printed_moment_bound(setting)

    def stingy(setting: runs.SequenceSetting) -> float:
        return runs.repaired_moment_bound(setting) / 10

    assert runs.printed_equation_8(QUICK, generous).verdict is not VIOLATED
    assert runs.repaired_equation_8(QUICK, stingy).verdict is VIOLATED


def test_a_chain_that_never_forgets_its_start_has_no_bound() -> None:
    """Two tasks in turn, or each for ever."""
    for stay, forgets in ((0.6, True), (0.0, False), (1.0, False)):
        setting = runs.two_certain_tasks(2, 1, stay)
        assert runs.forgets(setting) is forgets
        if not forgets:
            with pytest.raises(InputError, match=r"^g_mix"):
                runs.repaired_moment_bound(setting)


def test_drawn_chains_reject_a_bound_that_suits_the_named_ones() -> None:
    def narrow(setting: runs.SequenceSetting) -> float:
        bound = runs.repaired_moment_bound(setting)
        return bound / 10 if setting.name == "drawn" else bound

    found = runs.repaired_equation_8(QUICK, narrow)
    assert found.verdict is VIOLATED
    assert found.worst_ratio is not None
    assert found.worst_ratio > 1


def test_the_expected_moment_is_the_mean_of_runs() -> None:
    setting = runs.three_noisy_tasks(h=30)
    times = 20_000
    tasks = task_runs(setting.hmm.T, setting.hmm.initial, (times, 30), np.random.default_rng(0))
    assert np.all(tasks[:, 0] == 0)
    means = setting.hmm.O.T[tasks]
    first, second = means[:, 0::3], means[:, 1::3]
    seen = np.einsum("rmi,rmj->ij", second, first) / (times * 10)
    off = np.abs(seen - runs.expected_moment(setting)).max()
    assert off <= 5 * np.sqrt(0.25 / times), "five deviations of a mean of numbers in [0,1]"


# Lemma 14


@given(estimates())
@settings(max_examples=20)
def test_exact_projection_is_the_references(case: Estimated) -> None:
    for column in case.raw:
        for block in case.blocks(column):
            exactly = projected(block)
            assert sum(exactly) == 1
            given = np.array(block, dtype=np.float64)
            off = np.abs(project_simplex(given) - np.array(exactly, dtype=np.float64)).max()
            # a threshold that is a sum of all, and one subtraction more
            assert off <= 4 * len(block) * ROUNDING * (1 + np.abs(given).sum())


def test_smaller_bounds_on_models_are_refuted() -> None:
    def scaled(
        evaluation: Callable[[Estimated, Fraction], Evaluation], factor: Fraction
    ) -> Callable[[Estimated], Evaluation]:
        return lambda case: evaluation(case, factor)

    smaller = Fraction(9, 10)
    for evaluation, factor in (
        (model_errors.raw_rewards_evaluation, TENTH),
        (model_errors.rewards_evaluation, smaller),
        (model_errors.values_evaluation, smaller),
    ):
        assert model_errors.judged_by(scaled(evaluation, factor))(QUICK).verdict is VIOLATED
    for cases in (model_errors.reward_std_cases, model_errors.value_std_cases):
        assert model_errors.judged_by_roots(cases, TENTH)(QUICK).verdict is VIOLATED


def test_labels_have_to_be_matched() -> None:
    assert model_errors.any_order(QUICK, orders=1).verdict is VIOLATED


# Lemma 15


def test_a_smaller_allowance_for_the_estimate_is_refuted() -> None:
    assert lemma_15.given_the_history(QUICK, Fraction(1, 2)).verdict is VIOLATED


@given(predictions())
@settings(max_examples=30)
def test_exact_prediction_is_the_references(case: Prediction) -> None:
    e_T = float(lemma_15.squared_column_error(case)) ** 0.5
    T_hat = [[float(x) for x in row] for row in case.T_hat]
    bound = repaired.next_task_bound(T_hat, case.theta_bar, case.eliminated, e_T=e_T)
    mass = float(sum(case.T[i][case.current] for i in case.eliminated))
    assert mass <= bound + 100 * ROUNDING  # sums and products of few numbers of order one
