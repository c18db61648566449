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
from ptum.checks.claims.section_3.runs import Drawn, Setting
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.numbers import a_number, max_by, max_of, min_of
from ptum.checks.exact.terms import MaybeInfinite, samples_asked
from ptum.checks.instances.counterexamples.section_3_text import (
    fastest_pair,
    gaussians,
    linear_term,
    width_form,
)
from ptum.checks.instances.counterexamples.section_3_text.gaussians import Gaussian
from ptum.checks.instances.counterexamples.section_3_text.width_form import Term
from ptum.checks.instances.counterexamples.shared import certain_runs
from ptum.checks.instances.families import rational, sets
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.instances.families.tasks import byte_arrays
from ptum.checks.verdicts import formulas, tolerances
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Check, Context
from ptum.checks.verdicts.outcome import (
    Outcome,
    Statement,
    Values,
    Walk,
    from_walk,
    zero_but_for_rounding,
)
from ptum.checks.verdicts.search import Chances, search
from ptum.reference.arrays import ROUNDING, Bools, Floats, above
from ptum.reference.repaired.transfer.analysis.sample_complexity import fundamental_bound
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.confidence import (
    Test,
    Widths,
    confidence_set,
    log_term,
    tests,
    widths,
)
from ptum.reference.transfer.empirical import Data, EmpiricalModel, empirical_model, empty_data
from ptum.reference.transfer.information import index, information_p, information_r
from ptum.reference.transfer.ptum import End
from ptum.spec.vocabulary import CheckKind, Version

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


def filling_walk(case: Sampled, deviations_up_to: int, of: WidthsOf = widths_of) -> Walk:
    """Line 12 keeps the same models whatever was filled in."""
    models = case.task_set.approximate
    everybody = tuple(range(models.k))
    hat = empirical_model(case.data, models.V_star)
    kept, _ = confidence_set(everybody, hat, of(hat, case.task_set), models)
    other = filled(hat, case.filler, deviations_up_to)
    kept_then, _ = confidence_set(everybody, other, of(other, case.task_set), models)
    changed = len(set(kept) ^ set(kept_then))
    return Walk(
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
        for test in tests(theta, hat, C, models)
        for distance, width in _finite(test)
    ]
    _, distance, width = max_by([*shares, (0.0, 0.0, 1.0)], itemgetter(0))
    low, high = sorted((distance, width))
    return Statement("the nearest distance and width of line 12, the smaller first", low, "≤", high)


def _finite(test: Test) -> list[tuple[float, float]]:
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
            lambda case: filling_walk(case, deviations_up_to),
            context.count(12, 120, 4000),
            near=narrowest_test,
        )

    return run


def one_sample_walk(case: Sampled, of: WidthsOf = widths_of) -> Walk:
    """Where lines 9-10 divide by N - 1 = 0 all widths are infinite, so that no test looks at it."""
    hat = empirical_model(case.data, case.task_set.approximate.V_star)
    C, once = of(hat, case.task_set), hat.N == 1
    finite = sum(int(np.isfinite(width[once]).sum()) for width in (C.r, C.p, C.sigma_r, C.sigma_p))
    return Walk(
        premises=(Statement("pairs with one sample", int(once.sum()), "≥", 1),),
        conclusion=Statement("finite widths at these pairs", finite, "=", 0),
    )


def one_sample(context: Context) -> Outcome:
    """Drawn data."""
    return search(context, sampled(), one_sample_walk, context.count(12, 120, 4000))


# Shape of the widths


def constant_width(_: Context) -> Outcome:
    """A model error keeps the width from shrinking."""
    return from_walk(width_form.walk(width_form.with_model_error()))


def fast_width(_: Context) -> Outcome:
    """Without spread and error the width shrinks like 1/N."""
    return from_walk(width_form.walk(width_form.without_spread()))


@st.composite
def terms(draw: DrawFn) -> Term:
    """Widths of rewards (γ = 0) and of values, with or without spread and error."""
    gamma = draw(st.sampled_from((0.0, 0.5, 0.9, 0.999)))
    sigma = draw(st.sampled_from((0.0, 1e-3, 0.5))) / (1 - gamma)
    error = draw(st.sampled_from((0.0, 1e-6, 0.01, 1.0)))
    return Term(sigma, error, gamma, draw(st.integers(2, 10**9)), draw(st.floats(1.0, 100.0)))


def leading_term(context: Context, constant: float = width_form.LEADING) -> Outcome:
    """What the samples add to the width is of order √(L/N)."""
    examples = context.count(100, 1000, 20_000)
    return search(context, terms(), lambda term: width_form.leading_walk(term, constant), examples)


def three_terms(context: Context) -> Outcome:
    """Deviation term, range term of order L/N, model error; the tolerance is a share of the width.

    Sixteen roundings: a width and its parts are sums and products of eight positive numbers.
    """
    examples = context.count(100, 1000, 20_000)
    return search(
        context, terms(), width_form.repaired_walk, examples, tolerance=width_form.ROUNDED
    )


# The index and the fastest pair


def silent_arm(_: Context) -> Outcome:
    """The bandit of Lemma 7: every index is 0 and the first arm is silent."""
    return from_walk(fastest_pair.walk(fastest_pair.silent_arm()))


def telling_deviation(_: Context) -> Outcome:
    """A positive index that overlooks a difference of deviations."""
    return from_walk(fastest_pair.walk(fastest_pair.telling_deviation()))


Asked: TypeAlias = Callable[[ExactMDP, ExactMDP, int, int], MaybeInfinite]


def asked_walk(models: tuple[ExactMDP, ...], asked: Asked = samples_asked) -> Walk:
    """At Δ = 0 the queried pair is one at which Lemma 4 asks the fewest samples."""
    everybody = range(len(models))
    indices = certain_runs.index(models, everybody, Fraction(0))
    fewest = {
        pair: min(asked(theta, other, *pair) for theta in models for other in models)
        for pair in indices
    }
    return Walk(
        premises=(Statement("largest index", max(indices.values()), ">", 0),),
        conclusion=Statement(
            "fewest samples asked at the queried pair against those at any pair",
            fewest[certain_runs.query(indices)],
            "≤",
            min(fewest.values()),
        ),
    )


def fewest_asked(context: Context) -> Outcome:
    """Drawn sets, all active."""
    return search(context, rational.model_sets(), asked_walk, context.count(40, 300, 10_000))


def upper_bound_walk(drawn: Drawn) -> Walk:
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
    return Walk(
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


def _values_of(setting: Setting, active: tuple[int, ...]) -> Values:
    """Numbers of Lemma 8 while these models are active."""
    models = setting.models
    sizes = (("S", models.S), ("A", models.A), ("k", models.k), ("n", setting.n))
    I_t = float(np.max(index(active, models, setting.Delta)))
    return (*sizes, ("delta", setting.delta), ("info", I_t))


def index_gives_upper_bound(context: Context) -> Outcome:
    """Drawn runs with Δ up to the repaired threshold."""
    drawn = runs.drawn_settings(models=runs.opposed_models(st.integers(2, 3)))
    return search(context, drawn, upper_bound_walk, context.count(20, 200, 4000))


# Gaussian laws


@st.composite
def gaussian_pairs(draw: DrawFn) -> tuple[Gaussian, Gaussian]:
    """Any two means, one deviation."""
    tenths = st.integers(-20, 20).map(lambda x: Fraction(x, 10))
    deviation = Fraction(draw(st.integers(1, 40)), 10)
    return Gaussian(draw(tenths), deviation), Gaussian(draw(tenths), deviation)


def equal_variances(context: Context) -> Outcome:
    """(gap/σ)² is twice the divergence, by exact quadrature."""
    examples, chances = context.count(100, 1000, 20_000), Chances("gap in tenths", _tenths_apart)
    return search(context, gaussian_pairs(), gaussians.twice_walk, examples, chances=chances)


def _tenths_apart(pair: tuple[Gaussian, Gaussian]) -> int:
    """A wrong factor shows in every gap, most in a large one."""
    return int(10 * abs(pair[0].mean - pair[1].mean))


def unequal_variances(_: Context) -> Outcome:
    """Two pairs with different quotients."""
    return from_walk(gaussians.proportional_walk(gaussians.instance()))


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


def divergence_walk(case: Reward) -> Walk:
    """I^r at Δ = 0 is twice the divergence of Gaussian laws with this gap and deviation."""
    found = float(information_r(np.array(case.gap), np.array(case.sigma), 0.0))
    first = Gaussian(Fraction(0), Fraction(case.sigma))
    twice = 2 * gaussians.divergence(first, replace(first, mean=Fraction(case.gap)))
    # one division, one square and one rounding of the other side; squares may fall below doubles
    allowed = 4 * ROUNDING * float(twice) + math.ulp(0.0)
    off = abs(found - float(twice))
    return Walk((), zero_but_for_rounding("I^r against 2 KL", off, allowed))


def information_is_divergence(context: Context) -> Outcome:
    """The reference's information, where its left term decides."""
    return search(context, left_terms(), divergence_walk, context.count(100, 1000, 20_000))


# The linear terms of Definition 1


def no_bound_without(_: Context) -> Outcome:
    """Certain rewards: without the linear term Theorem 1 allows no query."""
    return from_walk(linear_term.bound_walk(linear_term.instance()))


def no_choice_without(_: Context) -> Outcome:
    """Certain rewards: without the linear term every telling arm looks the same."""
    return from_walk(linear_term.choice_walk(linear_term.instance()))


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


def rate_walk(case: Excess, power: int = 2) -> Walk:
    """((1-γ)x)², which Corollary 1 uses, is at most min{(x/σ)², (1-γ)x}: both terms are above it.

    Fewer than sixteen roundings, of which the subtraction of 8Δ enlarges two tenfold.
    """
    x = max_of((case.gap - 8 * case.Delta, 0.0))
    found = float(information_p(np.array(case.gap), np.array(case.sigma), case.Delta, case.gamma))
    used = ((1 - case.gamma) * x) ** power
    return Walk(
        premises=(Statement("excess gap", x, ">", 0.0),),
        conclusion=Statement(
            "((1-γ)x)² against the information", used, "≤", found, tolerance=64 * ROUNDING * used
        ),
    )


def linear_in_the_rate(context: Context, power: int = 2) -> Outcome:
    """The reference's information against what Corollary 1 keeps of it."""
    return search(
        context, in_range(), lambda case: rate_walk(case, power), context.count(60, 400, 10_000)
    )


@st.composite
def excesses(draw: DrawFn) -> Excess:
    """The excess gap is a multiple of the variance at which the two terms of Definition 1 meet."""
    gamma = draw(st.sampled_from((0.0, 0.5, 0.9, 0.99)))
    sigma = draw(st.sampled_from((0.0, 0.01, 0.3, 0.5)))
    times = draw(st.sampled_from((1.001, 2.0, 50.0)))
    Delta = draw(st.sampled_from((0.0, 0.001, 0.1)))
    return Excess(times * max_of((sigma**2, 1e-4)) + 8 * Delta, sigma, gamma, Delta)


def linear_decides_walk(case: Excess) -> Walk:
    """With x > σ² the reward information is x; with x > (1-γ)σ² the other one is (1-γ)x."""
    gap, sigma = np.array(case.gap), np.array(case.sigma)
    x = max_of((case.gap - 8 * case.Delta, 0.0))
    wrong = a_number(float(information_r(gap, sigma, case.Delta))) != x
    of_values = a_number(float(information_p(gap, sigma, case.Delta, case.gamma)))
    wrong_p = of_values != (1 - case.gamma) * x
    return Walk(
        premises=(Statement("excess gap against the variance", x, ">", case.sigma**2),),
        conclusion=Statement("terms that are not linear", int(wrong) + int(wrong_p), "=", 0),
    )


def linear_decides(context: Context) -> Outcome:
    """The reference's information above the variance."""
    return search(context, excesses(), linear_decides_walk, context.count(60, 300, 2000))


# Passing the survivors on


def survivors_walk(drawn: Drawn) -> Walk:
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
    return Walk(
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


def survivors(context: Context) -> Outcome:
    """Two phases on drawn sets."""
    return search(context, small_budgets(), survivors_walk, context.count(20, 150, 4000))


INITIAL = "text-arbitrary-initialisation"
KL = "text-kl-divergence.gaussian"

CHECKS: tuple[Check, ...] = (
    Check(
        id=f"{INITIAL}.harmless/filled-in",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="line 12 keeps the same models whatever stands where there is no sample",
        run=filling(0),
    ),
    Check(
        id=f"{INITIAL}.only-at-zero/one-sample",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="with one sample, where lines 9-10 divide by N - 1 = 0, every width is infinite",
        run=one_sample,
    ),
    Check(
        id=f"{INITIAL}.only-at-zero/repaired-filled-in",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="with deviations filled in at N = 1 too, line 12 keeps the same models",
        run=filling(1),
    ),
    Check(
        id="text-width-form.form/model-error",
        version=Version.PRINTED,
        kind=CheckKind.ASYMPTOTIC,
        says="with a model error the width does not halve when N is quadrupled",
        run=constant_width,
        reading="text-width-form.form.whole-width",
    ),
    Check(
        id="text-width-form.form/no-spread",
        version=Version.PRINTED,
        kind=CheckKind.ASYMPTOTIC,
        says="without spread and error the width falls to a quarter when N is quadrupled",
        run=fast_width,
        reading="text-width-form.form.whole-width",
    ),
    Check(
        id="text-width-form.form/leading-term",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="beyond the model error the width is at most 17/3 √(L/N)/(1-γ) where N ≥ L",
        run=leading_term,
        reading="text-width-form.form.leading-term",
    ),
    Check(
        id="text-width-form.form/repaired-three-terms",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="the width is a deviation term, a range term of order L/N and the model error",
        run=three_terms,
    ),
    Check(
        id="text-index-shortest-time.fastest/silent-arm",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="all indices are 0 and the queried arm never drops a model, while others do",
        run=silent_arm,
        reading="text-index-shortest-time.fastest.of-all-pairs",
    ),
    Check(
        id="text-index-shortest-time.fastest/telling-deviation",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="a positive index at a slow arm, index 0 at an arm whose deviation tells at once",
        run=telling_deviation,
        reading="text-index-shortest-time.fastest.of-all-pairs",
    ),
    Check(
        id="text-index-shortest-time.fastest/asked-by-lemma-4",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="at Δ = 0 the queried pair is one at which Lemma 4 asks the fewest samples",
        run=fewest_asked,
        reading="text-index-shortest-time.fastest.by-lemma-4",
    ),
    Check(
        id="text-index-shortest-time.fastest/repaired-upper-bound",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="in runs on E the queried pair drops a model within 128 L over its index",
        run=index_gives_upper_bound,
    ),
    Check(
        id=f"{KL}/equal-variances",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="with one variance (gap/σ)² is twice the divergence",
        run=equal_variances,
        reading=f"{KL}.equal-variances",
    ),
    Check(
        id=f"{KL}/unequal-variances",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="with deviations 1 and 2 the quotient is not the one of equal deviations",
        run=unequal_variances,
        reading=f"{KL}.any-variances",
    ),
    Check(
        id=f"{KL}/repaired-information",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="the reference's information is twice the divergence where its left term decides",
        run=information_is_divergence,
    ),
    Check(
        id="text-linear-term-minor.minor/bound",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="certain rewards: without linear terms Theorem 1 allows 0 queries, but some are made",
        run=no_bound_without,
        reading="text-linear-term-minor.minor.in-every-run",
    ),
    Check(
        id="text-linear-term-minor.minor/choice",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="certain rewards: without linear terms the chosen arm needs about 90 times as long",
        run=no_choice_without,
        reading="text-linear-term-minor.minor.in-every-run",
    ),
    Check(
        id="text-linear-term-minor.minor/in-the-rate",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="with its linear terms the information is still at least ((1-γ)x)²",
        run=linear_in_the_rate,
        reading="text-linear-term-minor.minor.in-the-rate",
    ),
    Check(
        id="text-linear-term-minor.minor/repaired-decides",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="above the variance the linear term is the whole information",
        run=linear_decides,
    ),
    Check(
        id="text-fallback-choice.survivors/two-phases",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="a phase with the survivors has at most as many models to drop as the first one left",
        run=survivors,
    ),
)
