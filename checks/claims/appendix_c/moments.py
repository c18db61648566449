"""Appendix C: what the moments of a triple are made of, in exact arithmetic.

Each identity is looked at twice: with μ_3 and ω as printed on one explicit model, and as repaired
on drawn models with an invertible chain and on that same model.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from hypothesis import strategies as st

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import ExactHMM
from ptum.checks.exact.numbers import is_above, max_of
from ptum.checks.instances.counterexamples.appendix_c import moments
from ptum.checks.instances.counterexamples.appendix_c.moments import ModelClaim
from ptum.checks.instances.families import hmms
from ptum.checks.verdicts.check import CheckFunction, Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, from_evaluation
from ptum.checks.verdicts.search import Opportunities, search
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.sequential.tensor_power import Eigenpair, robust_tensor_power
from ptum.spec.vocabulary import CheckKind, Verdict, Version

PRINTED, REPAIRED = Version.PRINTED, Version.REPAIRED
PowerMethod = Callable[[Floats, int, int, np.random.Generator], tuple[Eigenpair, Floats]]


def on_the_instance(claim: ModelClaim) -> CheckFunction:
    """The printed claim on the explicit model."""
    return lambda _: from_evaluation(claim(moments.instance(), PRINTED))


@check("text-moment-identities.transition/identity-matrix", CheckKind.EXACT, "[T]_j = O† μ_{3,j}")
def with_any_chain(context: Context, given: int = 2) -> Outcome:
    """[T]_j = O† μ_{3,j} with μ_{3,j} = E[o_3 | θ*_2 = θ_j], for chains without an inverse too.

    `given` is the view whose task μ_3 is conditioned on.
    """

    def evaluation(hmm: ExactHMM) -> Evaluation:
        version = REPAIRED if given == 2 else PRINTED
        premises = moments.premises(hmm, PRINTED)
        return Evaluation(premises, moments.transition_formula(hmm, version).conclusion)

    singular = st.sampled_from((moments.instance(moments.SINGULAR), moments.independent_tasks()))
    return search(
        context,
        st.one_of(singular, hmms.learnable()),
        evaluation,
        (12, 80, 1500),
        chances=Opportunities("entries of O and T that are not zero", entries),
    )


@check("text-third-view.weights/stationary-start", CheckKind.EXACT)
def from_the_stationary_distribution(context: Context) -> Outcome:
    """The weights of M_2 are the stationary distribution where the first task has it."""

    def started(hmm: ExactHMM) -> ExactHMM:
        distribution = exact.stationary(hmm.T)
        return hmm if distribution is None else ExactHMM(hmm.O, hmm.T, distribution)

    return search(
        context,
        hmms.learnable().map(started),
        lambda hmm: moments.weights_of_moments(hmm, PRINTED),
        (12, 80, 1500),
        chances=Opportunities("entries of O and T that are not zero", entries),
    )


def on_drawn_models(claim: ModelClaim) -> CheckFunction:
    """The repaired claim on drawn models, the explicit one among them."""

    def run(context: Context) -> Outcome:
        models = st.one_of(st.just(moments.instance()), hmms.learnable())
        chances = Opportunities("entries of O and T that are not zero", entries)
        return search(
            context, models, lambda hmm: claim(hmm, REPAIRED), (12, 80, 1500), chances=chances
        )

    return run


def entries(hmm: ExactHMM) -> int:
    """What an identity is made of: the more numbers, the more of them could be wrong."""
    return sum(x != 0 for rows in (hmm.O, hmm.T) for row in rows for x in row)


def averaged_weights(hmm: ExactHMM, version: Version) -> Evaluation:
    """The weights of moments that are averaged over four triples of one sequence of tasks.

    All moments are linear in the distribution of the first view, so this is one triple with the
    average distribution.
    """
    first = exact.mean_distribution(hmm.T, hmm.first, count=4, gap=3)
    return moments.weights_of_moments(ExactHMM(hmm.O, hmm.T, first), version)


# The power method


def one_call(tensor: Floats, starts: Floats, N: int) -> tuple[float, Floats]:
    """Algorithm 1 of the cited paper with loops and given starts, for comparison."""
    best, value = starts[0], -np.inf
    for start in starts:
        end = _steps(tensor, start, N)
        form = float(np.einsum("ijl,i,j,l->", tensor, end, end, end))
        if is_above(form, value):
            best, value = end, form
    last = _steps(tensor, best, N)
    return float(np.einsum("ijl,i,j,l->", tensor, last, last, last)), last


def _steps(tensor: Floats, v: Floats, N: int) -> Floats:
    for _ in range(N):
        image = np.einsum("ijl,j,l->i", tensor, v, v)
        v = image / np.linalg.norm(image)
    return v


def rounding_of_power_method(k: int) -> float:
    """How far components, and what is left of the tensor after k calls, are off by rounding.

    Thirty steps converge quadratically, which leaves rounding. All of it is a change ε of the
    tensor, in roundings, with λ ≤ 3: sums of k² products of size up to 3k in a step; k + 4
    operations on numbers of the same size where the tensor is made; and eight operations on
    numbers up to 3 in every deflation. Then components are within 8ε, and 55ε is left (Theorem
    5.1 of Anandkumar et al. 2014).
    """
    epsilon = 3 * k * (k**2 + 1) + 3 * k * (k + 4) + 24 * k
    return 55 * epsilon * ROUNDING


@check("algorithm-rtp.steps/loops", CheckKind.INEQUALITY)
def power_method(context: Context, call: PowerMethod = robust_tensor_power) -> Outcome:
    """k calls take the cited steps and leave nothing of an orthogonal tensor."""
    count = context.count(8, 60, 400)
    errors = [power_method_error(context.generator(i), call) for i in range(count)]
    worst = max_of(error for _, error in errors)
    shares = [error / rounding_of_power_method(k) for k, error in errors]
    wrong = sum(is_above(share, 1) for share in shares)
    return Outcome(
        verdict=Verdict.VIOLATED if wrong else Verdict.HOLDS,
        instances=count,
        trials=count,
        violations=wrong,
        worst_ratio=max_of(shares),
        tolerance=max_of(rounding_of_power_method(k) for k, _ in errors),
        explanation=(
            f"largest difference to the steps in loops, or left over at the end: {worst:.2g}",
        ),
    )


def power_method_error(rng: np.random.Generator, call: PowerMethod) -> tuple[int, float]:
    """k, and the largest deviation in k calls on one tensor Σ λ_j v_j ⊗ v_j ⊗ v_j."""
    k, L, N = int(rng.integers(2, 5)), 6, 30
    vectors = np.linalg.qr(rng.standard_normal((k, k)))[0]
    lambdas = 1 + 2 * rng.random(k)
    left: Floats = np.einsum("j,aj,bj,cj->abc", lambdas, vectors, vectors, vectors)
    worst = 0.0
    for _ in range(k):
        seed = int(rng.integers(2**32))
        directions = np.random.default_rng(seed).standard_normal((L, k))
        starts = directions / np.linalg.norm(directions, axis=1, keepdims=True)
        expected, v = one_call(left, starts, N)
        pair, deflated = call(left, L, N, np.random.default_rng(seed))
        after = left - expected * np.einsum("i,j,l->ijl", v, v, v)
        off = (
            abs(pair.lambda_ - expected),
            float(np.max(np.abs(pair.v - v))),
            float(np.max(np.abs(deflated - after))),
        )
        worst = max_of((worst, *off))
        left = np.array(deflated)
    return k, max_of((worst, float(np.max(np.abs(left)))))


# Averages over triples


@check("text-moments-from-samples.consistent/enough-visits", CheckKind.EXACT)
def enough_visits(context: Context) -> Outcome:
    """Rank k in the limit for other periods, or with overlapping triples.

    Periods that are no multiple of 3 with disjoint triples, all with overlapping ones.
    """
    cycles = [(hmms.cycle(k), gap) for k, gap in ((2, 3), (4, 3), (3, 1), (2, 1), (4, 1))]

    def models(choice: tuple[int, int]) -> Evaluation:
        T, gap = cycles[choice[0]]
        return moments.rank_of_limit(moments.on_a_cycle(T, choice[1] % len(T)), gap)

    first = search(
        context,
        st.tuples(st.integers(0, len(cycles) - 1), st.integers(0, 3)),
        models,
        (12, 20, 20),
        name="cycles",
    )
    drawn = search(context, hmms.learnable(), moments.rank_in_the_long_run, (12, 100, 2000))
    return first if first.verdict is not Verdict.HOLDS else drawn


check(
    "text-third-view.conditioned-on/middle-task",
    CheckKind.EXACT,
    "M_2 has only multiples of μ_{3,j} ⊗ μ_{3,j}",
)(on_drawn_models(moments.decomposition))
check(
    "text-moment-identities.moments/exact-form", CheckKind.EXACT, "M_2 and M_3 have the stated form"
)(on_drawn_models(moments.moments_have_the_form))
check("text-moment-identities.observation/recovers", CheckKind.EXACT, "[O]_j = Σ_21 Σ_31† μ_{3,j}")(
    on_drawn_models(moments.observation_formula)
)
check("text-moment-identities.transition/recovers", CheckKind.EXACT, "[T]_j = O† μ_{3,j}")(
    on_drawn_models(moments.transition_formula)
)
check(
    "text-third-view.weights/middle-task",
    CheckKind.EXACT,
    "The weights of M_2 are the distribution of the middle task, averaged over triples",
)(on_drawn_models(averaged_weights))
check(
    "text-symmetric-orthogonal.transformed-views/overlap",
    CheckKind.EXACT,
    "Components of M_3 that overlap are orthogonal after whitening",
)(on_the_instance(moments.after_whitening))
check(
    "text-symmetric-orthogonal.transformed-views/whitened",
    CheckKind.EXACT,
    "The components of M_3(W,W,W) are orthogonal, of length 1/√ω_j",
)(on_drawn_models(moments.after_whitening))
check(
    "text-symmetric-orthogonal.transformed-views/population",
    CheckKind.EXACT,
    "M_3 is symmetric and M_3(W,W,W) orthogonal in the population",
)(on_drawn_models(moments.after_whitening))
check(
    "text-covariance-matrices.uncentred/second-moments",
    CheckKind.EXACT,
    "The uncentred second moments have rank k",
)(on_drawn_models(moments.uncentred))
check(
    "text-covariance-matrices.uncentred/rank",
    CheckKind.EXACT,
    "The uncentred second moments have rank k",
)(on_drawn_models(moments.uncentred))
check(
    "text-eigenvalues-of-covariances.eigenvalues/as-defined",
    CheckKind.EXACT,
    "The k-th singular values of E[o_i ⊗ o_j] are positive",
)(on_drawn_models(moments.uncentred))
check(
    "text-eigenvalues-of-covariances.eigenvalues/singular-values",
    CheckKind.EXACT,
    "The k-th singular values of the uncentred moments are positive",
)(on_drawn_models(moments.uncentred))
