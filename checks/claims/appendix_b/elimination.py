"""Lemma 4: can any data keep a model active beyond n̄?

What a pair's data mean to the tests is its number of samples N, an empirical mean and an empirical
deviation. If target and model both pass the test of the mean, the gap between them is at most
twice the width; if some θ'' passes the test of the deviation, the empirical deviation is at most
that of θ'' plus the width of that test. The largest gap that any data can hide is therefore

    2 C(σ̃_θ'' + C_σ(N), N),

attained half way between the two models. It decreases with N, so N = ⌊n̄⌋ + 1 decides the lemma.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks.exact.numbers import max_of, min_of
from ptum.checks.instances.counterexamples.appendix_b import elimination as counterexample
from ptum.checks.instances.families import sets
from ptum.checks.verdicts import formulas, reparametrise, tolerances
from ptum.checks.verdicts.attempts.names import stored, stored_as
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, Values, from_evaluation
from ptum.checks.verdicts.search import Climb, search
from ptum.reference.arrays import Floats, Ints, above
from ptum.reference.errors import require_numbers
from ptum.reference.repaired.transfer.analysis import elimination as repaired
from ptum.reference.tasks.gaps import transition_gap_three
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer.analysis import elimination as printed
from ptum.reference.transfer.analysis.elimination import samples_needed
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.confidence import (
    log_term,
    width_p,
    width_r,
    width_sigma_p,
    width_sigma_r,
)
from ptum.spec.vocabulary import CheckKind, Version

FACTOR, SHIFT = 32.0, 4.0
"""n̄ = 32 L max{σ²/x², 1/x} with x = gap - 4Δ."""
SHARP_FACTOR, SHARP_SHIFT = 23.0, 2.6
"""Smaller constants for which the same argument closes."""
SMALLEST_LOG = math.log(24)
"""log(8SAn(|Θ|+1)/δ) for one pair, one query, two models and δ = 1."""
LARGEST_LOG, SMALLEST_GAP, LARGEST_SHARE = 60.0, 1e-3, 0.99
"""What is drawn beyond the smallest logarithm; gaps in units of the range; Δ in units of x = 0."""
COUNTABLE = 2.0**52
"""Counts beyond this are left out: N and N-1 would be the same double."""

GAMMAS = (0.0, 0.5, 0.9, 0.999)

GapOf = Callable[[ApproximateModels, tuple[int, ...]], float]
CountsOf = Callable[..., Floats]


# Drawn numbers


@stored
@dataclass(frozen=True)
class AtOnePair:
    """A gap at a pair, the deviation of an active model, and Δ; γ is None for rewards."""

    gap: float
    sigma: float
    Delta: float
    L: float
    gamma: float | None


@st.composite
def at_pairs(draw: DrawFn, shift: float, gammas: Sequence[float | None]) -> AtOnePair:
    """Gaps up to the range, deviations up to half of it, Δ so that the gap exceeds shift·Δ.

    The bound is tightest where σ²/x² and 1/x agree, so half of the draws are put there.
    """
    gamma = draw(st.sampled_from(gammas))
    reach = 1.0 if gamma is None else 1 / (1 - gamma)
    gap = reach * draw(st.floats(SMALLEST_GAP, 1.0))
    share = draw(st.sampled_from((0.0, 0.5, LARGEST_SHARE)) | st.floats(0.0, LARGEST_SHARE))
    balanced = min_of((math.sqrt(reach * gap * (1 - share)), reach / 2))
    sigma = draw(st.just(balanced) | st.floats(0.0, reach / 2))
    L = SMALLEST_LOG + draw(st.sampled_from((0.0, LARGEST_LOG)) | st.floats(0.0, LARGEST_LOG))
    return AtOnePair(gap, sigma, share * gap / shift, L, gamma)


def hidden_gap(sigma: Floats, N: Ints, L: float, Delta: float, gamma: float | None) -> Floats:
    """The largest gap that N samples can hide when a model of that deviation is active."""
    L_sigma = L - math.log(2)
    if gamma is None:
        return 2 * width_r(sigma + width_sigma_r(N, L_sigma, Delta), N, L, Delta)
    return 2 * width_p(sigma + width_sigma_p(N, L_sigma, gamma, Delta), N, L, gamma, Delta)


def pair_evaluation(at: AtOnePair, factor: float, shift: float) -> Evaluation:
    """More than factor·L·max{σ²/x², 1/x} samples, x = gap - shift·Δ, leave no gap to hide."""
    reach = 1.0 if at.gamma is None else 1 / (1 - at.gamma)
    x = at.gap - shift * at.Delta
    sigma = np.array(at.sigma)
    N = after(factor * at.L * samples_needed(sigma, np.array(x), reach))
    hidden = hidden_gap(sigma, N, at.L, at.Delta, at.gamma)
    return Evaluation(
        premises=(Statement("the gap exceeds the shift: x against 0", x, ">", 0),),
        conclusion=Statement(
            f"gap that {int(N)} samples hide",
            float(hidden),
            "<",
            at.gap,
            *_formula(at),
            tolerance=tolerances.OF_WIDTH * at.gap,
        ),
    )


def _formula(at: AtOnePair) -> tuple[str, Values]:
    """n̄ of the kind of gap, and the numbers in it."""
    if at.gamma is None:
        values: Values = (("sigma_r_tilde", at.sigma), ("Delta", at.Delta))
        return formulas.APPENDIX_B + "N_BAR_R", values
    values = (("sigma_p_tilde", at.sigma), ("Delta", at.Delta), ("gamma", at.gamma))
    return formulas.APPENDIX_B + "N_BAR_P_REPAIRED", values


def after(n_bar: Floats) -> Ints:
    """The smallest whole number above n̄."""
    require_numbers(n_bar=n_bar)
    return np.asarray(np.floor(n_bar) + 1, dtype=np.int64)


def pair_vector(at: AtOnePair, shift: float) -> Floats:
    """Coordinates of gap, deviation, share of the shift and logarithm."""
    reach = 1.0 if at.gamma is None else 1 / (1 - at.gamma)
    shares = (
        at.gap / reach,
        2 * at.sigma / reach,
        shift * at.Delta / at.gap,
        (at.L - SMALLEST_LOG) / LARGEST_LOG,
    )
    return reparametrise.vector([reparametrise.coordinate(share) for share in shares])


def pair_at(vector: Floats, start: AtOnePair, shift: float) -> AtOnePair:
    """The numbers at these coordinates, with the γ of another one."""
    reach = 1.0 if start.gamma is None else 1 / (1 - start.gamma)
    gap, sigma, share, log = (reparametrise.between_0_and_1(x) for x in vector.tolist())
    gap = max_of((reach * gap, SMALLEST_GAP * reach))
    Delta = min_of((share, LARGEST_SHARE)) * gap / shift
    return replace(
        start, gap=gap, sigma=sigma * reach / 2, Delta=Delta, L=SMALLEST_LOG + LARGEST_LOG * log
    )


def worst_data(
    context: Context, gammas: Sequence[float | None], factor: float = FACTOR, shift: float = SHIFT
) -> Outcome:
    """Lemma 4 on drawn gaps, deviations, Δ, γ and logarithms."""
    return search(
        context,
        at_pairs(shift, gammas),
        lambda found: pair_evaluation(found, factor, shift),
        (100, 1500, 50_000),
        climb=Climb(
            lambda found: pair_vector(found, shift),
            lambda vector, start: pair_at(vector, start, shift),
        ),
    )


# Drawn sets of models


@stored_as("Scene")
@dataclass(frozen=True, eq=False)
class ActiveModels:
    """Models, which of them are active (the target, number 0, among them), Δ and L."""

    models: ApproximateModels
    active: tuple[int, ...]
    Delta: float
    L: float


@st.composite
def scenes(
    draw: DrawFn, drawn: SearchStrategy[sets.Models] | None = None, largest: GapOf | None = None
) -> ActiveModels:
    """A set of models, any by default; Δ up to where the largest gap is just above 4Δ."""
    models = approximate_models(draw(sets.model_sets() if drawn is None else drawn))
    kept = draw(st.lists(st.booleans(), min_size=models.k - 2, max_size=models.k - 2))
    others = [theta for theta, keep in enumerate(kept, start=2) if keep]
    share = draw(st.sampled_from((0.0, 0.5, 0.9)))
    n, delta = draw(st.integers(1, 10**7)), draw(st.sampled_from((0.5, 0.1, 1e-3)))
    active = (0, 1, *others)
    gap = (largest or largest_gap)(models, active)
    return ActiveModels(
        models, active, share * gap / SHIFT, log_term(models.S, models.A, n, models.k, delta)
    )


def largest_reward_gap(models: ApproximateModels, active: tuple[int, ...]) -> float:
    """Between the target and any active model, at any pair."""
    return float(np.abs(models.r[list(active)] - models.r[0]).max())


def largest_transition_gap(models: ApproximateModels, active: tuple[int, ...]) -> float:
    """The same for transitions, with any model's value."""
    return float(np.abs((models.p[list(active)] - models.p[0]) @ models.V_star.T).max())


def largest_gap(models: ApproximateModels, active: tuple[int, ...]) -> float:
    """The larger of the two."""
    return max_of((largest_reward_gap(models, active), largest_transition_gap(models, active)))


def most_hidden_rewards(scene: ActiveModels, theta: int, N: Ints) -> Floats:
    """Hidden gap of rewards over the gap, at every pair, with the most revealing active θ''."""
    hidden = [
        hidden_gap(scene.models.sigma_r[second], N, scene.L, scene.Delta, None)
        for second in scene.active
    ]
    gap = np.abs(scene.models.r[theta] - scene.models.r[0])
    return _relative(np.min(hidden, axis=0), gap)


def most_hidden_transitions(scene: ActiveModels, theta: int, N: Ints) -> Floats:
    """The same for transitions, with the most revealing value Ṽ*_θ' as well."""
    models = scene.models
    ratios = []
    for prime in range(models.k):
        gap = transition_gap_three(models.p[0], models.p[theta], models.V_star[prime])
        for second in scene.active:
            sigma = models.sigma_p[second, :, :, prime]
            hidden = hidden_gap(sigma, N, scene.L, scene.Delta, models.gamma)
            ratios.append(_relative(hidden, gap))
    best: Floats = np.min(ratios, axis=0)
    return best


def scene_evaluation(
    scene: ActiveModels, counts: CountsOf, hidden: Callable[[ActiveModels, int, Ints], Floats]
) -> Evaluation:
    """Lemma 4 for every active model and pair with a finite n̄.

    n̄ and the hidden gap are made of the same doubles for gap and deviations.
    """
    ratios = []
    for theta in scene.active[1:]:
        iteration = Iteration(scene.models, 0, scene.active, scene.Delta)
        n_bar = FACTOR * scene.L * counts(iteration, theta=theta)
        finite = above(COUNTABLE, n_bar)
        N = after(np.where(finite, n_bar, 1.0))
        ratios += hidden(scene, theta, N)[finite].tolist()
    return Evaluation(
        premises=(Statement("models and pairs with a finite n̄", len(ratios), "≥", 1),),
        conclusion=Statement(
            "gap that ⌊n̄⌋+1 samples hide, in units of the gap",
            max_of(ratios, default=0.0),
            "<",
            1,
            formulas.APPENDIX_B + "N_BAR_REPAIRED",
            (
                ("S", scene.models.S),
                ("A", scene.models.A),
                ("k", scene.models.k),
                ("Delta", scene.Delta),
                ("gamma", scene.models.gamma),
            ),
            tolerance=tolerances.OF_WIDTH,
        ),
    )


def drawn_sets(
    context: Context,
    strategy: SearchStrategy[ActiveModels],
    counts: CountsOf,
    hidden: Callable[[ActiveModels, int, Ints], Floats],
) -> Outcome:
    """Lemma 4 on drawn sets of models, with the reference's n̄."""
    return search(
        context, strategy, lambda scene: scene_evaluation(scene, counts, hidden), (40, 250, 10_000)
    )


def _relative(hidden: Floats, gap: Floats) -> Floats:
    return np.divide(hidden, gap, out=np.full_like(hidden, np.inf), where=above(gap, 0))


# Runs


@check("lemma-4.reward/worst-data", CheckKind.INEQUALITY)
def reward_worst_data(context: Context) -> Outcome:
    """No data hide a reward gap after 32 L max{σ²/x², 1/x} samples, on drawn numbers."""
    return worst_data(context, (None,))


@check("lemma-4.reward/drawn-sets", CheckKind.INEQUALITY)
def reward_sets(context: Context, counts: CountsOf = printed.n_bar_r) -> Outcome:
    """No data hide a reward gap after n̄ samples, on drawn sets of models.

    The reward part on drawn sets whose rewards differ.
    """
    models = st.one_of(sets.independent(), sets.sharing_transitions(), sets.worlds())
    strategy = scenes(models, largest_reward_gap)
    return drawn_sets(context, strategy, counts, most_hidden_rewards)


@check("lemma-4.transition/repaired-played", CheckKind.EXACT)
def third_value_repaired(_: Context) -> Outcome:
    """In the same run the rival falls before the repaired n̄.

    The run of PTUM against the repaired count.
    """
    return from_evaluation(
        counterexample.played_evaluation(counterexample.Played(), Version.REPAIRED)
    )


@check("lemma-4.transition/repaired-worst-data", CheckKind.INEQUALITY)
def transition_worst_data(context: Context) -> Outcome:
    """No data hide a transition gap after 32 L max{σ²/x², 1/((1-γ)x)} samples.

    The transition part, one value for gap and deviation, on drawn numbers.
    """
    return worst_data(context, GAMMAS)


@check("lemma-4.transition/repaired-drawn-sets", CheckKind.INEQUALITY)
def transition_sets(context: Context, counts: CountsOf = repaired.n_bar_p) -> Outcome:
    """No data hide all transition gaps after the repaired n̄, on drawn sets of models.

    The transition part with the three-argument gap on drawn sets whose transitions differ.
    """
    models = st.one_of(sets.independent(), sets.sharing_rewards(), sets.worlds())
    strategy = scenes(models, largest_transition_gap)
    return drawn_sets(context, strategy, counts, most_hidden_transitions)


@st.composite
def unresolved(draw: DrawFn) -> AtOnePair:
    """Gaps of at most 4Δ."""
    at = draw(at_pairs(SHIFT, (None, *GAMMAS)))
    return replace(at, Delta=at.gap / SHIFT / draw(st.just(1.0) | st.floats(0.01, 1.0)))


def last_bound(at: AtOnePair, N: int, shift: float) -> float:
    """What the proof of Lemma 4 bounds the gap by: 2√(2σ²L/N) + 26L/(3(N-1)) + 4Δ."""
    reach = 1.0 if at.gamma is None else 1 / (1 - at.gamma)
    by_range = 26 * at.L * reach / (3 * (N - 1))
    return 2 * at.sigma * math.sqrt(2 * at.L / N) + by_range + shift * at.Delta


def argument_evaluation(at: AtOnePair, shift: float = SHIFT) -> Evaluation:
    """With a gap of at most 4Δ no number of samples contradicts the proof's last bound.

    The numbers are powers of ten; eight roundings of a sum of positive numbers.
    """
    least = min_of(last_bound(at, 10**power, shift) for power in range(1, 16))
    return Evaluation(
        premises=(Statement("n̄ is infinite: gap against 4Δ", at.gap, "≤", SHIFT * at.Delta),),
        conclusion=Statement(
            "gap against the least bound", at.gap, "≤", least, tolerance=tolerances.OF_WIDTH * least
        ),
    )


@check("text-elimination-impossible.impossible/argument-of-lemma-4", CheckKind.INEQUALITY)
def argument(context: Context, shift: float = SHIFT) -> Outcome:
    """Where n̄ is infinite no number of samples contradicts the proof's last bound."""
    return search(
        context, unresolved(), lambda at: argument_evaluation(at, shift), (100, 1000, 20_000)
    )


@check("text-elimination-impossible.impossible/repaired-constants", CheckKind.INEQUALITY)
def sharp_constants(context: Context, factor: float = SHARP_FACTOR) -> Outcome:
    """No data hide a gap above 2.6Δ after 23 L max{σ²/x², 1/x} samples."""
    return worst_data(context, (None, *GAMMAS), factor, SHARP_SHIFT)
