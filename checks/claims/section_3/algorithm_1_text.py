"""What the text of Sections 3.1 and 3.3 says about single steps of Algorithm 1."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import itemgetter
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.appendix_b.runs import phases
from ptum.checks.claims.section_3 import runs
from ptum.checks.claims.section_3.runs import Algorithm1Setting, Drawn
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.numbers import a_number, max_by, max_of, min_of
from ptum.checks.exact.terms import MaybeInfinite, samples_asked
from ptum.checks.instances.counterexamples.section_3_text import confidence, definition_1
from ptum.checks.instances.counterexamples.section_3_text.confidence import WidthTerm
from ptum.checks.instances.counterexamples.section_3_text.definition_1 import Gaussian
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.families import rational, sets
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.instances.families.tasks import byte_arrays
from ptum.checks.verdicts import formulas, tolerances
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import (
    NOTHING_ROUNDED,
    Evaluation,
    Outcome,
    Statement,
    Values,
    zero_but_for_rounding,
)
from ptum.checks.verdicts.search import Opportunities, search
from ptum.reference.arrays import ROUNDING, Bools, Floats, above
from ptum.reference.repaired.transfer.analysis.sample_complexity import fundamental_bound
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.confidence import (
    EliminationTest,
    Widths,
    confidence_set,
    elimination_tests,
    log_term,
    widths,
)
from ptum.reference.transfer.empirical import Data, EmpiricalModel, empirical_model, empty_data
from ptum.reference.transfer.information import index, information_p, information_r
from ptum.reference.transfer.ptum import End
from ptum.spec.vocabulary import CheckKind

# Quantities without data


WidthsOf: TypeAlias = Callable[[EmpiricalModel, TaskSet], Widths]


@stored
@dataclass(frozen=True, eq=False)
class Sampled:
    """Tasks, data of which some pairs have none or one sample, and a number to fill in."""

    task_set: TaskSet
    data: Data
    filler: float


COUNTS = (0, 1, 2, 40, 400)
FILLERS = (0.0, 1.0, -3.0, 0.5, 1e6)


@st.composite
def sampled(draw: DrawFn) -> Sampled:
    """Any family of task sets; pair (0,0) has no sample."""
    task_set = draw(sets.task_sets(st.integers(2, 3)))
    models = task_set.approximate
    chosen = draw(byte_arrays(models.S, models.A)) % len(COUNTS)
    chosen[0, 0] = 0
    simulator = Simulator(task_set.true[0], draw(st.integers(0, 2**32)))
    data = empty_data(models.S, models.A)
    for s in range(models.S):
        for a in range(models.A):
            for _ in range(COUNTS[chosen[s, a]]):
                data.store(s, a, *simulator.sample(s, a))
    return Sampled(task_set, data, draw(st.sampled_from(FILLERS)))


def filled(hat: EmpiricalModel, value: float, deviations_up_to: int) -> EmpiricalModel:
    """Means without a sample, and deviations of so many samples, are set to the value."""
    none, few = hat.N == 0, deviations_up_to >= hat.N

    def put(table: Floats, where: Bools) -> Floats:
        changed = table.copy()
        changed[where] = value
        return changed

    return replace(
        hat,
        r=put(hat.r, none),
        p=put(hat.p, none),
        sigma_r=put(hat.sigma_r, few),
        sigma_p=put(hat.sigma_p, few),
    )


def widths_of(hat: EmpiricalModel, task_set: TaskSet) -> Widths:
    """Lemma 3 with exact models, n = 1000 and δ = 0.5."""
    models = task_set.approximate
    return widths(hat, single(0.0), models.gamma, 1000, models.k, 0.5)


def filling_evaluation(
    case: Sampled, deviations_up_to: int, of: WidthsOf = widths_of
) -> Evaluation:
    """Line 12 keeps the same models whatever was filled in."""
    models = case.task_set.approximate
    everybody = tuple(range(models.k))
    hat = empirical_model(case.data, models.V_star)
    kept, _ = confidence_set(everybody, hat, of(hat, case.task_set), models)
    other = filled(hat, case.filler, deviations_up_to)
    kept_then, _ = confidence_set(everybody, other, of(other, case.task_set), models)
    changed = len(set(kept) ^ set(kept_then))
    return Evaluation(
        premises=(Statement("pairs without a sample", int(np.sum(hat.N == 0)), "≥", 1),),
        conclusion=Statement("models whose fate depends on it", changed, "=", 0),
    )


def narrowest_test(case: Sampled) -> Statement:
    """The test of line 12 that is nearest to going the other way: any influence would turn it."""
    models = case.task_set.approximate
    hat = empirical_model(case.data, models.V_star)
    C = widths_of(hat, case.task_set)
    shares = [
        (min_of((distance, width)) / max_of((distance, width)), distance, width)
        for theta in range(models.k)
        for test in elimination_tests(theta, hat, C, models)
        for distance, width in _finite(test)
    ]
    _, distance, width = max_by([*shares, (0.0, 0.0, 1.0)], itemgetter(0))
    low, high = sorted((distance, width))
    return Statement("the nearest distance and width of line 12, the smaller first", low, "≤", high)


def _finite(test: EliminationTest) -> list[tuple[float, float]]:
    """Distances and widths of a test where there are enough samples."""
    width = np.broadcast_to(test.width, test.distance.shape)
    where = np.isfinite(width) & above(width, 0)
    return list(zip(test.distance[where].tolist(), width[where].tolist(), strict=True))


def filling(deviations_up_to: int) -> Callable[[Context], Outcome]:
    """A run that fills in numbers where there are so few samples."""

    def run(context: Context) -> Outcome:
        return search(
            context,
            sampled(),
            lambda case: filling_evaluation(case, deviations_up_to),
            (12, 120, 4000),
            near=narrowest_test,
        )

    return run


def one_sample_evaluation(case: Sampled, of: WidthsOf = widths_of) -> Evaluation:
    """Where lines 9-10 divide by N - 1 = 0 all widths are infinite, so that no test looks at it."""
    hat = empirical_model(case.data, case.task_set.approximate.V_star)
    C, once = of(hat, case.task_set), hat.N == 1
    finite = sum(int(np.isfinite(width[once]).sum()) for width in (C.r, C.p, C.sigma_r, C.sigma_p))
    return Evaluation(
        premises=(Statement("pairs with one sample", int(once.sum()), "≥", 1),),
        conclusion=Statement("finite widths at these pairs", finite, "=", 0),
    )


@check("text-arbitrary-initialisation.only-at-zero/one-sample", CheckKind.EXACT)
def one_sample(context: Context) -> Outcome:
    """With one sample, where lines 9-10 divide by N - 1 = 0, every width is infinite."""
    return search(context, sampled(), one_sample_evaluation, (12, 120, 4000))


# Shape of the widths


@st.composite
def terms(draw: DrawFn) -> WidthTerm:
    """Widths of rewards (γ = 0) and of values, with or without spread and error."""
    gamma = draw(st.sampled_from((0.0, 0.5, 0.9, 0.999)))
    sigma = draw(st.sampled_from((0.0, 1e-3, 0.5))) / (1 - gamma)
    error = draw(st.sampled_from((0.0, 1e-6, 0.01, 1.0)))
    return WidthTerm(sigma, error, gamma, draw(st.integers(2, 10**9)), draw(st.floats(1.0, 100.0)))


@check("text-width-form.form/leading-term", CheckKind.INEQUALITY)
def leading_term(context: Context, constant: float = confidence.LEADING) -> Outcome:
    """Beyond the model error the width is at most 17/3 √(L/N)/(1-γ) where N ≥ L."""
    return search(
        context,
        terms(),
        lambda term: confidence.leading_evaluation(term, constant),
        (100, 1000, 20_000),
    )


@check("text-width-form.form/repaired-three-terms", CheckKind.INEQUALITY)
def three_terms(context: Context) -> Outcome:
    """The width is a deviation term, a range term of order L/N and the model error.

    Sixteen roundings: a width and its parts are sums and products of eight positive numbers.
    """
    return search(
        context,
        terms(),
        confidence.repaired_evaluation,
        (100, 1000, 20_000),
        tolerance=confidence.ROUNDED,
    )


# The index and the fastest pair


PairInformation: TypeAlias = Callable[[ExactMDP, ExactMDP, int, int], MaybeInfinite]


def asked_evaluation(
    models: tuple[ExactMDP, ...], asked: PairInformation = samples_asked
) -> Evaluation:
    """At Δ = 0 the queried pair is one at which Lemma 4 asks the fewest samples."""
    everybody = range(len(models))
    indices = deterministic_runs.index(models, everybody, Fraction(0))
    fewest = {
        pair: min(asked(theta, other, *pair) for theta in models for other in models)
        for pair in indices
    }
    return Evaluation(
        premises=(Statement("largest index", max(indices.values()), ">", 0),),
        conclusion=Statement(
            "fewest samples asked at the queried pair against those at any pair",
            fewest[deterministic_runs.query(indices)],
            "≤",
            min(fewest.values()),
        ),
    )


@check("text-index-shortest-time.fastest/asked-by-lemma-4", CheckKind.EXACT)
def fewest_asked(context: Context) -> Outcome:
    """At Δ = 0 the queried pair is one at which Lemma 4 asks the fewest samples."""
    return search(context, rational.model_sets(), asked_evaluation, (40, 300, 10_000))


def upper_bound_evaluation(drawn: Drawn) -> Evaluation:
    """On E, no phase queries its pair more than 128 L / I_t times before a model falls."""
    setting = drawn.setting
    models, Delta = setting.models, setting.Delta
    result = runs.transfer_phase(setting, drawn.seed)
    L = log_term(models.S, models.A, setting.n, models.k, setting.delta)
    shares = {
        float(phase.N[phase.pair]) / fundamental_bound(phase.active, models, Delta, L): phase
        for phase in phases(result, models, Delta)
    }
    largest = max_of(shares, default=0.0)
    queries = result.queries  # no phase has more, and `of_count` grows faster than the count
    return Evaluation(
        premises=(
            Statement("the target is active to the end", 0 in result.active, "=", True),
            Statement("phases with a query", len(shares), "≥", 1),
        ),
        conclusion=Statement(
            "largest N_t(S_t,A_t) I_t / 128L",
            largest,
            "<",
            1,
            formulas.APPENDIX_B + "FUNDAMENTAL_REPAIRED",
            _values_of(setting, shares[largest].active) if shares else (),
            tolerance=tolerances.of_count(queries, models) / max(queries, 1),
        ),
    )


def _values_of(setting: Algorithm1Setting, active: tuple[int, ...]) -> Values:
    """Numbers of Lemma 8 while these models are active."""
    models = setting.models
    sizes = (("S", models.S), ("A", models.A), ("k", models.k), ("n", setting.n))
    I_t = float(np.max(index(active, models, setting.Delta)))
    return (*sizes, ("delta", setting.delta), ("info", I_t))


@check("text-index-shortest-time.fastest/repaired-upper-bound", CheckKind.INEQUALITY)
def index_gives_upper_bound(context: Context) -> Outcome:
    """In runs on E the queried pair drops a model within 128 L over its index.

    Drawn runs with Δ up to the repaired threshold.
    """
    drawn = runs.drawn_settings(models=runs.opposed_models(st.integers(2, 3)))
    return search(context, drawn, upper_bound_evaluation, (20, 200, 4000))


# Gaussian distributions


@st.composite
def gaussian_pairs(draw: DrawFn) -> tuple[Gaussian, Gaussian]:
    """Any two means, one deviation."""
    tenths = st.integers(-20, 20).map(lambda x: Fraction(x, 10))
    deviation = Fraction(draw(st.integers(1, 40)), 10)
    return Gaussian(draw(tenths), deviation), Gaussian(draw(tenths), deviation)


@check("text-kl-divergence.gaussian/equal-variances", CheckKind.EXACT)
def equal_variances(context: Context) -> Outcome:
    """With one variance (gap/σ)² is twice the divergence."""
    examples, chances = (
        context.count(100, 1000, 20_000),
        Opportunities("gap in tenths", _tenths_apart),
    )
    return search(
        context, gaussian_pairs(), definition_1.twice_evaluation, examples, chances=chances
    )


def _tenths_apart(pair: tuple[Gaussian, Gaussian]) -> int:
    """A wrong factor shows in every gap, most in a large one."""
    return int(10 * abs(pair[0].mean - pair[1].mean))


@dataclass(frozen=True)
class Reward:
    """A gap of rewards and a deviation for which the left term of Definition 1 is the smaller."""

    gap: float
    sigma: float


@st.composite
def left_terms(draw: DrawFn) -> Reward:
    """gap = share · σ² with a share of at most one."""
    sigma, share = draw(st.floats(0.01, 0.5)), draw(st.floats(0.0, 1.0))
    return Reward(share * sigma**2, sigma)


def divergence_evaluation(case: Reward) -> Evaluation:
    """I^r at Δ = 0 is twice the divergence of Gaussians with this gap and standard deviation."""
    found = float(information_r(np.array(case.gap), np.array(case.sigma), 0.0))
    first = Gaussian(Fraction(0), Fraction(case.sigma))
    twice = 2 * definition_1.divergence(first, replace(first, mean=Fraction(case.gap)))
    # one division, one square and one rounding of the other side; squares may fall below doubles
    allowed = 4 * ROUNDING * float(twice) + math.ulp(0.0)
    off = abs(found - float(twice))
    return Evaluation((), zero_but_for_rounding("I^r against 2 KL", off, allowed))


@check("text-kl-divergence.gaussian/repaired-information", CheckKind.INEQUALITY)
def information_is_divergence(context: Context) -> Outcome:
    """The reference's information is twice the divergence where its left term decides."""
    return search(context, left_terms(), divergence_evaluation, (100, 1000, 20_000))


# The linear terms of Definition 1


@stored
@dataclass(frozen=True)
class Excess:
    """A gap, a deviation, a discount and Δ."""

    gap: float
    sigma: float
    gamma: float
    Delta: float


@st.composite
def in_range(draw: DrawFn) -> Excess:
    """Gaps up to the range of values, deviations up to half of it, and 8Δ below the gap."""
    gamma = draw(st.sampled_from((0.0, 0.5, 0.9, 0.99)))
    gap, sigma = draw(st.floats(1e-3, 1.0)), draw(st.just(0.0) | st.floats(1e-3, 0.5))
    share = draw(st.sampled_from((0.0, 0.1, 0.9)))
    return Excess(gap / (1 - gamma), sigma / (1 - gamma), gamma, share * gap / (8 * (1 - gamma)))


def rate_evaluation(case: Excess, power: int = 2) -> Evaluation:
    """((1-γ)x)², which Corollary 1 uses, is at most min{(x/σ)², (1-γ)x}: both terms are above it.

    Fewer than sixteen roundings, of which the subtraction of 8Δ enlarges two tenfold.
    """
    x = max_of((case.gap - 8 * case.Delta, 0.0))
    found = float(information_p(np.array(case.gap), np.array(case.sigma), case.Delta, case.gamma))
    used = ((1 - case.gamma) * x) ** power
    return Evaluation(
        premises=(Statement("excess gap", x, ">", 0.0),),
        conclusion=Statement(
            "((1-γ)x)² against the information", used, "≤", found, tolerance=64 * ROUNDING * used
        ),
    )


@check("text-linear-term-minor.minor/in-the-rate", CheckKind.INEQUALITY)
def linear_in_the_rate(context: Context, power: int = 2) -> Outcome:
    """With its linear terms the information is still at least ((1-γ)x)²."""
    return search(context, in_range(), lambda case: rate_evaluation(case, power), (60, 400, 10_000))


@st.composite
def excesses(draw: DrawFn) -> Excess:
    """The excess gap is a multiple of the variance at which the two terms of Definition 1 meet."""
    gamma = draw(st.sampled_from((0.0, 0.5, 0.9, 0.99)))
    sigma = draw(st.sampled_from((0.0, 0.01, 0.3, 0.5)))
    times = draw(st.sampled_from((1.001, 2.0, 50.0)))
    Delta = draw(st.sampled_from((0.0, 0.001, 0.1)))
    return Excess(times * max_of((sigma**2, 1e-4)) + 8 * Delta, sigma, gamma, Delta)


def linear_decides_evaluation(case: Excess) -> Evaluation:
    """With x > σ² the reward information is x; with x > (1-γ)σ² the other one is (1-γ)x."""
    gap, sigma = np.array(case.gap), np.array(case.sigma)
    x = max_of((case.gap - 8 * case.Delta, 0.0))
    wrong = a_number(float(information_r(gap, sigma, case.Delta))) != x
    of_values = a_number(float(information_p(gap, sigma, case.Delta, case.gamma)))
    wrong_p = of_values != (1 - case.gamma) * x
    return Evaluation(
        premises=(Statement("excess gap against the variance", x, ">", case.sigma**2),),
        conclusion=Statement("terms that are not linear", int(wrong) + int(wrong_p), "=", 0),
    )


@check("text-linear-term-minor.minor/repaired-decides", CheckKind.INEQUALITY)
def linear_decides(context: Context) -> Outcome:
    """Above the variance the linear term is the whole information."""
    # terms are counted; x exceeds the variance by a thousandth, far beyond rounding
    return search(
        context,
        excesses(),
        linear_decides_evaluation,
        (60, 300, 2000),
        tolerance=NOTHING_ROUNDED,
    )


# Passing the survivors on


def survivors_evaluation(drawn: Drawn) -> Evaluation:
    """A second phase with the survivors of the first: both together eliminate at most |Θ| - 1.

    On the event E in both phases: a phase that loses the target promises nothing.
    """
    setting = drawn.setting
    first = runs.transfer_phase(setting, drawn.seed)
    safe = 0 in first.active
    longer = runs.with_budget(setting, runs.DRAWN_BUDGET)
    second = first
    if safe:
        left = replace(longer, task_set=_subset(setting.task_set, first.active))
        second = runs.transfer_phase(left, drawn.seed)
    spent = first.end is End.BUDGET_EXHAUSTED
    return Evaluation(
        premises=(
            Statement("the first phase spends its budget", spent, "=", True),
            Statement("the target is active after both", safe and 0 in second.active, "=", True),
        ),
        conclusion=Statement(
            "eliminations of the second phase against what the first has left to do",
            len(second.eliminations),
            "≤",
            setting.models.k - 1 - len(first.eliminations),
        ),
    )


def _subset(task_set: TaskSet, kept: tuple[int, ...]) -> TaskSet:
    """The tasks that are still active, the target first."""
    models = [task_set.approximate.tasks[theta] for theta in kept]
    true = tuple(task_set.true[theta] for theta in kept)
    return TaskSet("survivors", true, approximate_models(models))


@st.composite
def small_budgets(draw: DrawFn) -> Drawn:
    """Budgets that often run out, so that something is passed on."""
    drawn = draw(runs.drawn_settings(models=runs.opposed_models(st.integers(3, 4))))
    n = draw(st.sampled_from((1, 20, 60, 90)))
    return replace(drawn, setting=runs.with_budget(drawn.setting, n))


@check("text-fallback-choice.survivors/two-phases", CheckKind.EXACT)
def survivors(context: Context) -> Outcome:
    """A phase with the survivors has at most as many models to drop as the first one left."""
    return search(context, small_budgets(), survivors_evaluation, (20, 150, 4000))


check(
    "text-arbitrary-initialisation.harmless/filled-in",
    CheckKind.EXACT,
    "Line 12 keeps the same models whatever stands where there is no sample",
)(filling(0))
check(
    "text-arbitrary-initialisation.only-at-zero/repaired-filled-in",
    CheckKind.EXACT,
    "With deviations filled in at N = 1 too, line 12 keeps the same models",
)(filling(1))
