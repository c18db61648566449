"""Appendix C: counterexamples bite, and checks reject wrong code."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy  # its parts take long to load, and do so where they are used

from ptum.checks.claims.appendix_c import estimates, moments, rate
from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import ExactHMM
from ptum.checks.instances.counterexamples.appendix_c import moments as moments_cases
from ptum.checks.instances.counterexamples.appendix_c import small_data
from ptum.checks.instances.families import hmms
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import Evaluation
from ptum.checks.verdicts.search import search
from ptum.checks.verdicts.statistics import judge_probability
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.repaired.sequential import spectral as repaired
from ptum.reference.repaired.sequential.alignment import align
from ptum.reference.sequential import spectral
from ptum.reference.sequential.hmm import Moments, population_moments, rank_k_inverse
from ptum.reference.sequential.recovery import recovery_tolerance
from ptum.reference.sequential.spectral import (
    HmmEstimate,
    NotEnoughData,
    NotIdentifiable,
    learn_hmm,
)
from ptum.reference.sequential.tensor_power import Eigenpair, robust_tensor_power
from ptum.spec.vocabulary import Verdict, Version
from tests.support.closeness import of_inverse

QUICK = Context(Profile.QUICK, seed=1)
PRINTED, REPAIRED = Version.PRINTED, Version.REPAIRED
HOLDS, VIOLATED, NOT_MET = Verdict.HOLDS, Verdict.VIOLATED, Verdict.ASSUMPTION_NOT_MET


# Exact arithmetic


def test_exact_moments_are_those_of_the_reference() -> None:
    hmm = moments_cases.instance()
    model, found = exact.rounded(hmm), exact.moments(hmm)
    literal = population_moments(model, model.initial)
    for name in ("Sigma_12", "Sigma_21", "Sigma_31", "Sigma_32"):
        off = np.abs(exact.as_floats(getattr(found, name)) - getattr(literal, name))
        assert off.max() <= 20 * ROUNDING, name  # sums of nine products, all at most 1
    allowed = recovery_tolerance(model, model.initial)
    assert np.linalg.norm(exact.as_floats(found.M_2) - literal.M_2) <= allowed.M_2
    M_3 = np.array([exact.as_floats(part) for part in found.M_3]).transpose(1, 2, 0)
    assert np.linalg.norm(M_3 - literal.M_3) <= allowed.M_3


def test_pseudo_inverse_and_rank() -> None:
    M = exact.matrix(((1, 2, 3), (2, 4, 6), (1, 0, 1)))
    plus = exact.pseudo_inverse(M)
    assert exact.rank(M) == 2
    assert exact.times(M, plus, M) == M
    assert exact.times(plus, M, plus) == plus
    literal = exact.as_floats(M)
    off = np.abs(exact.as_floats(plus) - np.linalg.pinv(literal)).max()
    assert off <= of_inverse(literal, 2)
    assert exact.pseudo_inverse(exact.matrix(((0, 0), (0, 0)))) == exact.matrix(((0, 0), (0, 0)))
    with pytest.raises(exact.SingularError):
        exact.inverse(M)


def test_stationary_distributions() -> None:
    assert exact.stationary(hmms.cycle(3)) == exact.vector(("1/3", "1/3", "1/3"))
    assert exact.stationary(exact.identity(2)) is None


def test_whitening_matrix_times_itself_is_the_inverse_moment() -> None:
    """WWᵀ = M_2†, on which the exact form of orthogonality rests."""
    exactly = exact.moments(moments_cases.instance()).M_2
    M_2 = exact.as_floats(exactly)
    values, vectors = np.linalg.eigh(M_2)
    W = vectors[:, -3:] / np.sqrt(values[-3:])
    off = np.abs(W @ W.T - exact.as_floats(exact.pseudo_inverse(exactly))).max()
    assert off <= of_inverse(M_2, 3)


# The third view

IDENTITIES = [
    moments_cases.decomposition,
    moments_cases.moments_have_the_form,
    moments_cases.observation_formula,
    moments_cases.transition_formula,
]


def test_a_chain_that_stays_makes_both_readings_of_the_third_view_one() -> None:
    hmm = moments_cases.instance(exact.identity(3), ("1/3", "1/3", "1/3"))
    assert moments_cases.third_means(hmm, PRINTED) == moments_cases.third_means(hmm, REPAIRED)


@pytest.mark.parametrize("claim", [*IDENTITIES, moments_cases.weights_of_moments])
def test_the_repaired_third_view_asks_for_an_invertible_chain(
    claim: moments_cases.ModelClaim,
) -> None:
    assert claim(moments_cases.independent_tasks(), REPAIRED).verdict() is NOT_MET


def test_the_transition_formula_rejects_the_printed_index() -> None:
    """With μ_3 given its own task the formula returns the identity."""
    assert moments.with_any_chain(QUICK, given=3).verdict is VIOLATED


def test_stationary_weights_need_a_stationary_start() -> None:
    later = moments_cases.weights_of_moments(moments_cases.instance(), PRINTED)
    assert later.verdict() is VIOLATED


def test_full_pseudo_inverses_are_consistent_and_nothing_random_is() -> None:

    def without_order(
        o: Floats, k: int, L: int, N: int, rng: np.random.Generator
    ) -> HmmEstimate | NotEnoughData | NotIdentifiable:
        return learn_hmm(rng.permutation(o), k, L, N, rng)

    assert estimates.full_inverses_are_consistent(QUICK, without_order).verdict is VIOLATED


def test_repaired_identities_reject_wrong_means() -> None:
    """The search that must hold finds a model as soon as μ_3 is conditioned on its own task."""

    def wrong(hmm: ExactHMM) -> Evaluation:
        right = moments_cases.moments_have_the_form(hmm, REPAIRED)
        return Evaluation(
            right.premises, moments_cases.moments_have_the_form(hmm, PRINTED).conclusion
        )

    assert search(QUICK, hmms.learnable(), wrong, 12).verdict is VIOLATED


def test_centring_costs_one_rank() -> None:
    hmm = moments_cases.instance()
    assert moments_cases.of_covariances(hmm, PRINTED).conclusion.left == 2
    assert moments_cases.uncentred(hmm, PRINTED).conclusion.left == 3


def test_every_period_that_is_a_multiple_of_three_hides_tasks() -> None:
    assert (
        moments_cases.rank_of_limit(moments_cases.on_a_cycle(hmms.cycle(6), 2), gap=3).verdict()
        is VIOLATED
    )


def test_power_method_check_rejects_other_steps() -> None:

    def without_deflation(
        tensor: Floats, L: int, N: int, rng: np.random.Generator
    ) -> tuple[Eigenpair, Floats]:
        pair, _ = robust_tensor_power(tensor, L, N, rng)
        return pair, tensor

    def one_start(
        tensor: Floats, L: int, N: int, rng: np.random.Generator
    ) -> tuple[Eigenpair, Floats]:
        del L
        return robust_tensor_power(tensor, 1, N, rng)

    for wrong in (without_deflation, one_start):
        assert moments.power_method(QUICK, wrong).verdict is VIOLATED


# Algorithm 3


def test_the_complex_eigenvalues_are_those_of_the_story() -> None:
    views = small_data.of_rewards(small_data.TURNING)
    eigenvalues = np.linalg.eigvals(exact.as_floats(small_data.second_moment(views)))
    assert f"{np.abs(eigenvalues.imag).max():.4f}" == "0.1004"


def test_whitening_check_rejects_complex_estimates() -> None:
    turning = small_data.of_rewards(small_data.TURNING)
    assert estimates.whitened_or_refused(turning).verdict() is HOLDS
    held = small_data.of_rewards("111112222233333" * 8)
    assert estimates.whitened_or_refused(held).verdict() is HOLDS

    def complex_roots(o: Floats, k: int, L: int, N: int, rng: np.random.Generator) -> rate.Learned:
        """Whitening with the eigenvectors of M̂_2 as it is."""
        del L, N, rng
        values, vectors = np.linalg.eig(spectral.empirical_moments(o).M_2)
        order = np.argsort(-np.abs(values))[:k]
        W = vectors[:, order] / np.sqrt(values[order])
        return HmmEstimate(W, np.eye(k), np.ones(k), np.ones(k))

    def roots_of_sizes(o: Floats, k: int, L: int, N: int, rng: np.random.Generator) -> rate.Learned:
        """Real numbers, from eigenvalues of the symmetric part whose sign is dropped."""
        del L, N, rng
        M_2 = spectral.empirical_moments(o).M_2
        values, vectors = np.linalg.eigh((M_2 + M_2.T) / 2)
        W = vectors[:, -k:] / np.sqrt(np.abs(values[-k:]))
        return HmmEstimate(W, np.eye(k), np.ones(k), np.ones(k))

    assert estimates.whitened_or_refused(turning, complex_roots).verdict() is VIOLATED
    assert estimates.whitened_or_refused(turning, roots_of_sizes).verdict() is VIOLATED
    assert estimates.whitened_or_refused(held, roots_of_sizes).verdict() is HOLDS
    assert isinstance(
        repaired.learn_hmm(small_data.observations(held), 3, 10, 20, np.random.default_rng(0)),
        HmmEstimate,
    ), "of this one the check sees an answer"


def test_an_estimate_that_is_no_distribution_is_no_projection() -> None:
    distribution, estimate = np.array([0.5, 0.5]), np.array([1.2, -0.2])
    assert estimates.projected((distribution, estimate)).verdict() is HOLDS
    assert estimates.projected((distribution, estimate), lambda v: v).verdict() is VIOLATED


def test_a_distribution_that_is_farther_than_the_estimate_is_no_projection() -> None:
    """(0.9, 0.3) is 0.2 from (0.9, 0.1); divided by its sum it is 0.15·√2 = 0.212 away."""
    far = (np.array([0.9, 0.1]), np.array([0.9, 0.3]))

    def clipped(v: Floats) -> Floats:
        positive = np.maximum(v, 0)
        distribution: Floats = positive / positive.sum()
        return distribution

    assert estimates.projected(far).verdict() is HOLDS
    assert estimates.projected(far, clipped).verdict() is VIOLATED


def test_estimates_of_three_triples_are_those_of_the_literal_code() -> None:
    """All entries of Ô are halves, those of T̂ whole numbers, in the order of the components."""
    for views in (small_data.INDEPENDENT, small_data.PLAIN):
        o = small_data.observations(views)
        found = spectral.learn_hmm(o, 3, 50, 100, np.random.default_rng(0))
        assert isinstance(found, HmmEstimate)
        assert found.T is not None
        columns, T = (exact.as_floats(M) for M in small_data.estimates(views))
        order = align(columns, found.O)
        assert np.array_equal(np.rint(2 * found.O[:, order]), 2 * columns)
        assert np.array_equal(np.rint(2 * found.T[np.ix_(order, order)]), 2 * T)


def test_the_rank_of_the_repaired_second_moment_is_that_of_the_tasks() -> None:
    """So it is as far from the mean of o_3 ⊗ o_3 as its third singular value at least."""
    o_1, o_2, o_3 = (
        np.array([[*row, 1] for row in view], dtype=np.float64) for view in small_data.INDEPENDENT
    )
    inverse = rank_k_inverse(o_1.T @ o_2 / 3, 2)
    M_2, mean = o_3.T @ o_2 / 3 @ inverse @ (o_1.T @ o_3 / 3), o_3.T @ o_3 / 3
    third = np.linalg.svd(mean, compute_uv=False)[2]
    assert np.linalg.norm(M_2 - mean, 2) > third * 0.999 > 0.01


def test_two_positive_directions_do_not_whiten_three_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    whitens = small_data.symmetric_part_whitens
    assert whitens(small_data.of_rewards(small_data.CALM)).verdict() is HOLDS
    assert whitens(small_data.of_rewards(small_data.TURNING)).verdict() is NOT_MET
    monkeypatch.setattr(exact, "signs", lambda _: (3, 0))
    assert whitens(small_data.of_rewards(small_data.TURNING)).verdict() is VIOLATED


@pytest.mark.parametrize("rewards", [small_data.TURNING, small_data.CALM, "112233123321"])
def test_signs_of_eigenvalues_are_those_of_doubles(rewards: str) -> None:
    M = small_data.second_moment(small_data.of_rewards(rewards))
    symmetric = small_data.symmetric_part(M)
    values = np.linalg.eigvalsh(exact.as_floats(symmetric))
    far = 100 * ROUNDING * float(np.abs(values).max())
    assert exact.signs(symmetric) == (int(np.sum(values > far)), int(np.sum(values < -far)))


def test_signs_need_no_diagonal() -> None:
    assert exact.signs(exact.matrix(((0, 1), (1, 0)))) == (1, 1)
    assert exact.signs(exact.matrix(((0, 0), (0, 0)))) == (0, 0)
    assert exact.signs(exact.matrix(((0, 0, 1), (0, -2, 0), (1, 0, 0)))) == (1, 2)


@pytest.mark.parametrize(("share", "verdict"), [(0.5, HOLDS), (2.0, VIOLATED)])
def test_the_power_method_may_miss_by_rounding(share: float, verdict: Verdict) -> None:
    """Every component is moved by a share of what is allowed for its number of tasks."""

    def moved(tensor: Floats, L: int, N: int, rng: np.random.Generator) -> tuple[Eigenpair, Floats]:
        pair, left = robust_tensor_power(tensor, L, N, rng)
        more = share * moments.rounding_of_power_method(len(tensor))
        return replace(pair, lambda_=pair.lambda_ + more), left

    assert moments.power_method(QUICK, moved).verdict is verdict


def test_line_checks_reject_wrong_lines() -> None:
    def transposed(o: Floats) -> Moments:
        found = spectral.empirical_moments(o)
        return replace(found, M_2=found.M_2.T)

    views = small_data.of_rewards(small_data.TURNING)
    assert estimates.lines_1_to_4(views).verdict() is HOLDS
    assert estimates.lines_1_to_4(views, transposed).verdict() is VIOLATED

    def without_eigenvalues(
        moments_: Moments, k: int, L: int, N: int, rng: np.random.Generator
    ) -> HmmEstimate | spectral.NotIdentifiable:
        found = spectral.learn_from_moments(moments_, k, L, N, rng)
        assert isinstance(found, HmmEstimate)
        return replace(found, O=found.O / found.eigenvalues)

    model = hmms.three_task_chain()
    skewed = replace(model.hmm, initial=np.array([0.5, 0.3, 0.2]))
    unequal = replace(model, hmm=skewed)
    assert estimates.lines_5_to_10(unequal).verdict() is HOLDS
    assert estimates.lines_5_to_10(unequal, without_eigenvalues).verdict() is VIOLATED


def test_a_learner_that_always_answers_is_rejected() -> None:
    def always(
        moments_: Moments, k: int, L: int, N: int, rng: np.random.Generator
    ) -> HmmEstimate | spectral.NotIdentifiable:
        del L, N, rng
        weights = np.full(k, 1 / k)
        return HmmEstimate(moments_.M_2[:, :k], np.eye(k), weights, weights**-0.5)

    assert estimates.repaired_lines(QUICK, always).verdict is VIOLATED


def test_unlearnable_models_satisfy_assumption_2() -> None:
    for hmm in estimates.unlearnable():
        assert estimates.rank_under_assumption_2(hmm).verdict() is VIOLATED
    learnable = moments_cases.instance()
    assert estimates.rank_under_assumption_2(learnable).verdict() is HOLDS


# The rate


def shrunk(o: Floats, k: int, L: int, N: int, rng: np.random.Generator) -> rate.Learned:
    """A bias of five per cent towards the mean column."""
    found = rate.overlapping(o, k, L, N, rng)
    if not isinstance(found, HmmEstimate):
        return found
    return replace(found, O=0.95 * found.O + 0.05 * found.O.mean(axis=1, keepdims=True))


def third_means_for_columns(
    o: Floats, k: int, L: int, N: int, rng: np.random.Generator
) -> rate.Learned:
    """O := μ_3, that is without going back by T."""
    found = rate.overlapping(o, k, L, N, rng)
    if not isinstance(found, HmmEstimate) or found.T is None:
        return found
    return replace(found, O=found.O @ found.T)


def columns_for_third_means(
    o: Floats, k: int, L: int, N: int, rng: np.random.Generator
) -> rate.Learned:
    """μ_3 := O, as Appendix C prints it (E25)."""
    found = rate.overlapping(o, k, L, N, rng)
    return replace(found, mu_3=found.O) if isinstance(found, HmmEstimate) else found


@pytest.mark.parametrize(
    ("learner", "name"),
    [
        (shrunk, "O"),
        (third_means_for_columns, "O"),
        (spectral.learn_hmm, "O"),
        (columns_for_third_means, "mu_3"),
    ],
)
def test_rate_rejects_wrong_learners(learner: rate.Learner, name: str) -> None:
    assert rate.errors_fall(QUICK, (name,), learner).verdict is VIOLATED


def test_rate_in_samples_rejects_a_bias() -> None:
    """A tenth of the mean column in every column is more than the level, however many samples."""

    def biased(views: Floats, k: int, L: int, N: int, rng: np.random.Generator) -> rate.Learned:
        found = repaired.learn_within_task(views, k, L, N, rng)
        if not isinstance(found, HmmEstimate):
            return found
        return replace(found, O=0.9 * found.O + 0.1 * found.O.mean(axis=1, keepdims=True))

    assert rate.errors_fall_with_samples(QUICK, biased).verdict is VIOLATED


def synthetic(slope: float, level: float, spread: float = 0.3) -> rate.Measure:
    """Errors level·h^slope with a lognormal factor."""

    def measure(rng: np.random.Generator, h: int) -> dict[str, float]:
        return {"O": level * h**slope * float(np.exp(spread * rng.standard_normal()))}

    return measure


@pytest.mark.parametrize(
    ("slope", "level", "verdict"),
    [(-0.5, 2.0, HOLDS), (-0.1, 0.1, VIOLATED), (-0.5, 40.0, VIOLATED), (0.0, 1e-3, VIOLATED)],
)
def test_rate_on_errors_of_known_slope_and_level(
    slope: float, level: float, verdict: Verdict
) -> None:
    design = rate.RateDesign(400, 12_800, {"O": 0.06})
    for seed in range(20):
        context = Context(Profile.QUICK, seed)
        assert rate.judge(context, design, synthetic(slope, level), 30).verdict is verdict


def test_rate_raises_no_false_alarm_beyond_its_share() -> None:
    """Errors exactly at the border: half of the pairs are flat, which is the worst case."""
    share = rate.ALPHA / 2
    for pairs in (26, 30, 60):
        wrong = [x for x in range(pairs + 1) if judge_probability(x, pairs, 0.5, share) is VIOLATED]
        assert sum(float(scipy.stats.binom.pmf(x, pairs, 0.5)) for x in wrong) <= share


def test_runs_without_an_estimate_count_as_failures() -> None:
    def nothing(rng: np.random.Generator, h: int) -> dict[str, float]:
        del rng, h
        return {"O": float("inf")}

    found = rate.judge(QUICK, rate.RateDesign(10, 100, {"O": 1.0}), nothing, 26)
    assert found.verdict is VIOLATED


def test_circulant_sequences_follow_their_chain() -> None:
    T = hmms.three_task_chain().hmm.T
    sequence = hmms.circulant_sequence(T, 30_000, np.random.default_rng(0))
    seen = np.zeros((3, 3))
    np.add.at(seen, (sequence[1:], sequence[:-1]), 1)
    # five deviations of a share, of the rarest task's successors
    five = 5 * np.sqrt(0.25 / seen.sum(axis=0).min())
    assert np.abs(seen / seen.sum(axis=0) - T).max() <= five


def test_families_report_their_conditioning() -> None:
    condition = hmms.three_task_chain().conditioning
    assert f"{condition.sigma_k_O:.4f}" == "1.2032"
    assert "σ_k(T)" in str(condition)
    assert hmms.next_stay_skip(2, Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)) == exact.matrix(
        (("1/2", "1/2"), ("1/2", "1/2"))
    )
