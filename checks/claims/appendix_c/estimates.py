"""Algorithm 3: what its ten lines compute, and what they estimate."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.appendix_c import rate
from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import ExactHMM, Matrix
from ptum.checks.exact.numbers import max_of, min_of
from ptum.checks.instances.counterexamples.appendix_c import moments as moments_cases
from ptum.checks.instances.counterexamples.appendix_c import small_data
from ptum.checks.instances.counterexamples.appendix_d import estimates
from ptum.checks.instances.families import hmms
from ptum.checks.instances.families.hmms import NamedHMM
from ptum.checks.verdicts import tolerances, witness
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import (
    Evaluation,
    Outcome,
    Statement,
    from_evaluation,
    zero_but_for_rounding,
)
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.repaired.sequential import spectral as repaired
from ptum.reference.repaired.sequential.alignment import align, permuted
from ptum.reference.sequential.hmm import Moments, population_moments
from ptum.reference.sequential.projection import project, project_simplex
from ptum.reference.sequential.spectral import (
    HmmEstimate,
    NotIdentifiable,
    empirical_moments,
    learn_from_moments,
    learn_hmm,
)
from ptum.spec.vocabulary import CheckKind, Verdict, Version

PRINTED, REPAIRED = Version.PRINTED, Version.REPAIRED

Learner = Callable[[Moments, int, int, int, np.random.Generator], HmmEstimate | NotIdentifiable]


# The lines


@st.composite
def reward_sequences(draw: DrawFn) -> tuple[Matrix, Matrix, Matrix]:
    """Rewards of 12 to 24 tasks, one sample each."""
    triples = draw(st.integers(4, 8))
    rewards = draw(st.text("123", min_size=3 * triples, max_size=3 * triples))
    return small_data.of_rewards(rewards)


def lines_1_to_4(
    views: tuple[Matrix, Matrix, Matrix], lines: Callable[[Floats], Moments] = empirical_moments
) -> Evaluation:
    """M̂_2 of the literal code is that of exact fractions, where Σ̂_12 is well conditioned."""
    o_1, o_2 = (tuple((*row, exact.ONE) for row in view) for view in views[:2])
    products = exact.times(exact.transpose(o_1), o_2)
    sigma = np.linalg.svd(exact.as_floats(products) / len(o_1), compute_uv=False)
    least = float(sigma[exact.rank(products) - 1])
    found = lines(small_data.observations(views)).M_2
    off = float(np.max(np.abs(found - exact.as_floats(small_data.second_moment(views)))))
    return Evaluation(
        (Statement("least singular value of Σ̂_12 that is not zero", least, ">", 0.01),),
        zero_but_for_rounding(
            "largest difference of M̂_2", off, _rounding_of_second_moment(views, least)
        ),
    )


def _rounding_of_second_moment(views: tuple[Matrix, Matrix, Matrix], sigma: float) -> float:
    """How far M̂_2 = A_1 Σ̂_21 A_2ᵀ is off, A = Σ̂ Σ̂_12^†, with the least singular value of Σ̂_12.

    Observations have length √2, so a matrix Σ̂ of size 2 is off by (m + d) roundings of that from m
    triples, δ say. A pseudo-inverse is off by 2δ/σ² (Wedin), so A by δ/σ + 4δ/σ² and its size is at
    most 2/σ. The first order is doubled.
    """
    delta = 2 * (len(views[0]) + len(views[0][0]) + 1) * ROUNDING
    off, size = delta / sigma + 4 * delta / sigma**2, 2 / sigma
    return 2 * (2 * 2 * off * size + delta * size**2)


def lines_5_to_10(model: NamedHMM, learner: Learner = learn_from_moments) -> Evaluation:
    """Exact moments give back O and T up to one relabelling, and the weights of the middle task."""
    hmm, k, condition = model.hmm, model.hmm.k, model.conditioning
    worst = min_of((condition.sigma_k_O, condition.sigma_k_T, condition.least_weight))
    moments = population_moments(hmm, hmm.initial)
    found = learner(moments, hmm.k, 40, 60, np.random.default_rng(0))
    spacing = _spacing(moments, k)
    recovery = tolerances.of_recovery(hmm, spacing)
    return Evaluation(
        (
            Statement(f"conditioning ({condition})", worst, ">", 0.05),
            # line 5 does not say which vectors to take where an eigenvalue comes twice
            Statement("least distance of two eigenvalues of M_2", spacing, ">", 1e-3),
        ),
        recovery.statement("largest error of Ô, T̂ and ω̂", _error(model, found), recovery.largest),
    )


def _error(model: NamedHMM, found: HmmEstimate | NotIdentifiable) -> float:
    if not isinstance(found, HmmEstimate):
        return np.inf
    hmm = model.hmm
    named = permuted(found, align(hmm.O, found.O))
    assert named.T is not None
    weights = hmm.T @ hmm.initial
    pairs = ((named.O, hmm.O), (named.T, hmm.T), (named.weights, weights))
    return max_of(float(np.max(np.abs(estimated - true))) for estimated, true in pairs)


def _spacing(moments: Moments, k: int) -> float:
    """The least distance of two of the k leading eigenvalues of M_2."""
    values = np.linalg.eigvalsh((moments.M_2 + moments.M_2.T) / 2)
    return float(np.min(np.diff(values[-k:])))


@check("algorithm-3.lines/fractions", CheckKind.INEQUALITY)
def ten_lines(context: Context) -> Outcome:
    """Lines 1-4 agree with exact fractions; lines 5-10 give O and T from exact moments."""
    first = search(context, reward_sequences(), lines_1_to_4, (15, 150, 2000), name="lines 1-4")
    if first.verdict is not Verdict.HOLDS:
        return first
    drawn, examples = hmms.well_conditioned(), context.count(12, 120, 1500)
    return search(context, drawn, lines_5_to_10, examples, tolerance=first.tolerance)


@check("algorithm-3.estimates/exact-moments", CheckKind.INEQUALITY)
def repaired_lines(context: Context, learner: Learner = repaired.learn_from_moments) -> Outcome:
    """O and T from exact moments where they can be told, a refusal where not."""
    silent = [not_identified(hmm, learner) for hmm in unlearnable()]
    wrong = [evaluation for evaluation in silent if evaluation.verdict() is not Verdict.HOLDS]
    if wrong:
        return from_evaluation(wrong[0])
    drawn = hmms.well_conditioned()
    return search(context, drawn, lambda model: lines_5_to_10(model, learner), (12, 120, 1500))


def unlearnable() -> tuple[ExactHMM, ...]:
    """Independent tasks, a singular chain, and a three-cycle seen through disjoint triples."""
    return (
        moments_cases.independent_tasks(),
        moments_cases.instance(moments_cases.SINGULAR),
        moments_cases.three_cycle(),
    )


def not_identified(hmm: ExactHMM, learner: Learner) -> Evaluation:
    """No numbers for a model whose moments do not determine it."""
    model = exact.rounded(hmm)
    moments = population_moments(model, model.initial)
    found = learner(moments, hmm.k, 10, 20, np.random.default_rng(0))
    silent = isinstance(found, NotIdentifiable)
    return Evaluation((), Statement("the learner reports that it cannot tell", silent, "=", True))


def rank_under_assumption_2(hmm: ExactHMM) -> Evaluation:
    """Lines 3 and 9 divide by Σ_31, which then must have rank k."""
    return moments_cases.uncentred(hmm, PRINTED)


@check("algorithm-3.estimates/unlearnable", CheckKind.EXACT)
def all_unlearnable(_: Context) -> Outcome:
    """Assumption 2 gives Σ_31 rank k.

    Assumption 2 holds on all three, and Σ_31 has a smaller rank on each.
    """
    evaluations = [rank_under_assumption_2(hmm) for hmm in unlearnable()]
    outcomes = [from_evaluation(evaluation) for evaluation in evaluations]
    explanation = tuple(line for outcome in outcomes for line in outcome.explanation)
    violated = sum(outcome.violations for outcome in outcomes)
    verdict = Verdict.VIOLATED if violated == len(outcomes) else Verdict.INCONCLUSIVE
    return Outcome(verdict, len(evaluations), len(evaluations), violated, explanation=explanation)


FULL_INVERSES = rate.RateDesign(1000, 30_000, {"O": 0.5})
"""Two tasks and one direction of noise. The level was set after 600 runs, of which 0.18 missed it.

The error has heavy tails (docs/sequential_limits.md), so that in one pair of five it does not fall.
"""


@check("algorithm-3.estimates/views-collapse", CheckKind.ASYMPTOTIC, alpha=rate.ALPHA)
def full_inverses_are_consistent(
    context: Context, learner: estimates.LearnFunction = learn_hmm
) -> Outcome:
    """With full pseudo-inverses the error of Ô falls like 1/√h on an ergodic chain.

    Algorithm 3 as printed once triples outnumber the directions of the observations.
    """
    measure = partial(estimates.error_of_run, learner)
    return rate.judge(context, FULL_INVERSES, measure, context.count(120, 150, 400))


# Whitening and probabilities


@st.composite
def held_rewards(draw: DrawFn) -> tuple[Matrix, Matrix, Matrix]:
    """Tasks that stay for a while, in long sequences: what is divided by stands out from noise."""
    stays = st.tuples(st.sampled_from("123"), st.integers(5, 20))
    rewards = "".join(u * times for u, times in draw(st.lists(stays, min_size=9, max_size=18)))
    return small_data.of_rewards(rewards[: len(rewards) // 3 * 3])


def whitened_or_refused(
    views: tuple[Matrix, Matrix, Matrix], learner: rate.Learner = repaired.learn_hmm
) -> Evaluation:
    """Answers are real, and are given only where the symmetric part has K positive eigenvalues.

    Signs of eigenvalues are exact. The learner refuses most short sequences before it whitens;
    from their moments alone it would go on, so that is asked of it too.
    """
    M, o = small_data.second_moment(views), small_data.observations(views)
    positive, _ = exact.signs(small_data.symmetric_part(M))
    asked = (
        learner(o, small_data.K, 10, 20, np.random.default_rng(0)),
        repaired.learn_from_moments(
            empirical_moments(o), small_data.K, 10, 20, np.random.default_rng(0)
        ),
    )
    answers = [found for found in asked if isinstance(found, HmmEstimate)]
    wrong = sum(positive < small_data.K or not _is_real(found) for found in answers)
    return Evaluation(
        (Statement("rank of M̂_2", exact.rank(M), "=", small_data.K),),
        Statement("answers that are not real, or whiten what is not positive", wrong, "=", 0),
    )


def _is_real(found: HmmEstimate) -> bool:
    assert found.T is not None
    return all(
        np.isrealobj(part) and bool(np.all(np.isfinite(part))) for part in (found.O, found.T)
    )


@check("algorithm-3.whitening/symmetric-part", CheckKind.EXACT)
def repaired_whitening(context: Context) -> Outcome:
    """The learner whitens where the symmetric part has k positive eigenvalues, else it refuses.

    On drawn sequences, and on the one whose M̂_2 has complex eigenvalues.
    """
    turning = small_data.of_rewards(small_data.TURNING)
    drawn = st.one_of(st.just(turning), reward_sequences(), held_rewards())
    return search(context, drawn, whitened_or_refused, (25, 300, 4000))


@st.composite
def estimates_of_distributions(draw: DrawFn) -> tuple[Floats, Floats]:
    """A distribution and any vector near it or far from it."""
    size = draw(st.integers(1, 6))
    weights = np.array(draw(st.lists(st.integers(1, 9), min_size=size, max_size=size)), dtype=float)
    noise = np.array(draw(st.lists(st.integers(-50, 50), min_size=size, max_size=size)))
    distribution = weights / weights.sum()
    return distribution, distribution + noise / draw(st.sampled_from((10, 100, 1000)))


def projected(
    pair: tuple[Floats, Floats], projection: Callable[[Floats], Floats] = project_simplex
) -> Evaluation:
    """The projection is a distribution, and is no farther from the truth in Euclidean norm."""
    distribution, estimate = pair
    near = projection(estimate)
    if projection is project_simplex:  # a block of Ô, beside a next state that is sure
        column = np.append(estimate, 1.0)[:, np.newaxis]
        block = project(column, [[1.0]], 1, 1, len(estimate))[0][: len(estimate), 0]
        witness.same_numbers("a block of Ô", block, near.tolist(), 0.0)
    farther = float(np.linalg.norm(near - distribution) - np.linalg.norm(estimate - distribution))
    miss = max_of((-float(near.min()), abs(float(near.sum()) - 1)))
    # the threshold is a sum of at most `size` numbers, and enters every one of them
    size, total = len(estimate), 1 + float(np.abs(estimate).sum())
    allowed = 4 * size * (size + 2) * ROUNDING * total
    told, most = "not a distribution, or farther from it", max_of((farther, miss))
    return Evaluation((), Statement(told, most, "≤", 0.0, tolerance=allowed))


@check("algorithm-3.probabilities/projection", CheckKind.INEQUALITY)
def projection(context: Context) -> Outcome:
    """The projection of drawn vectors is a distribution and no farther from the truth."""
    return search(context, estimates_of_distributions(), projected, (80, 1500, 20_000))


check(
    "algorithm-3.estimates/rate",
    CheckKind.ASYMPTOTIC,
    "Errors of Ô and T̂ fall like 1/√h with rank-k pseudo-inverses on an ergodic chain",
    alpha=rate.ALPHA,
)(lambda context: rate.errors_fall(context, ("O", "T")))
