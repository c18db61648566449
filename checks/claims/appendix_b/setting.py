"""Appendix B.1: the budget of Assumption 4, the cost of the fallback, the event E."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.appendix_b.confidence import WidthNumbers, target_falls
from ptum.checks.claims.appendix_b.runs import RunInputs, play, target_active, true_loss
from ptum.checks.claims.appendix_b.settings_of_runs import TasksAndErrors, settings, undecided
from ptum.checks.engine.blocks import BlockSimulator
from ptum.checks.engine.pair_path import path_of
from ptum.checks.exact.numbers import is_above
from ptum.checks.instances.fakes import AskEveryPair, CountingModel
from ptum.checks.instances.families import sets
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, Profile, check
from ptum.checks.verdicts.outcome import (
    NOTHING_ROUNDED,
    Evaluation,
    Outcome,
    Statement,
    over_evaluations,
)
from ptum.checks.verdicts.search import Opportunities, search
from ptum.reference.arrays import Ints
from ptum.reference.repaired.transfer.analysis.sample_complexity import theorem_1_bound
from ptum.reference.repaired.transfer.stopping import enters_transfer_mode
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import least_accuracy, optimal_value
from ptum.reference.transfer.analysis.lemmas import correctness_tolerance
from ptum.reference.transfer.information import index, query
from ptum.reference.transfer.ptum import End, PtumResult, ptum
from ptum.spec.vocabulary import CheckKind

DELTA = 0.1
BUDGETS = (8, 64, 512, 4096)


# Assumption 4


def budget_evaluations(setting: TasksAndErrors, n: int, seed: int) -> Iterator[Evaluation]:
    """On E a run stops by itself exactly if it has queries left, and then its policy is good.

    "Good" is what Assumption 4 asks of the run: ε-optimal in the true target.
    """
    result = _run(setting, n, seed)
    premise = Statement("the target stays active", target_active(result), "=", True)
    told = f"{setting.tasks.name}, n = {n}"
    yield Evaluation(
        premises=(premise,),
        conclusion=Statement(
            f"{told}: stops by itself, against queries left",
            result.end is End.STOPPED,
            "=",
            result.queries < n,
        ),
    )
    if result.policy is not None:
        target = setting.tasks.true[0]
        rounding = correctness_tolerance(optimal_value(target), target.gamma)
        loss = true_loss(target, result.policy)
        yield Evaluation(
            premises=(premise,),
            conclusion=Statement(
                f"{told}: loss of the policy", loss, "≤", setting.epsilon, tolerance=rounding
            ),
        )


def depends_on_the_run() -> Evaluation:
    """Sixty queries are enough in some runs of one and the same setting and not in others."""
    (setting, *_) = settings()
    stopped = sum(_run(setting, 60, seed).end is End.STOPPED for seed in range(12))
    return Evaluation(
        premises=(),
        conclusion=Statement(
            f"{setting.tasks.name}, n = 60: runs of 12 that stop, but not all or none",
            min(stopped, 12 - stopped),
            "≥",
            1,
        ),
    )


def never_enough(n: int, seed: int) -> Evaluation:
    """Where every index is zero no budget is large enough."""
    setting = undecided()
    stopped = _run(setting, n, seed).end is End.STOPPED
    told = f"{setting.tasks.name}, n = {n}: stops by itself"
    return Evaluation(premises=(), conclusion=Statement(told, stopped, "=", False))


@check("assumption-4.budget/decided-by-the-run", CheckKind.EXACT)
def budget_decided_by_run(context: Context) -> Outcome:
    """On E a run stops with an ε-optimal policy or uses up n, and which is up to the run.

    Whether n is large enough can be read off a run, and nowhere else.
    """
    seeds = _seeds(context, context.count(2, 20, 200))
    evaluations = [
        evaluation
        for setting in (*settings(), undecided())
        for n in BUDGETS
        for seed in seeds
        for evaluation in budget_evaluations(setting, n, seed)
    ]
    endless = [never_enough(n, seed) for n in BUDGETS for seed in seeds]
    return over_evaluations(
        [*evaluations, *endless, depends_on_the_run()], "statements were about runs on E"
    )


def needed_budget(setting: TasksAndErrors) -> int:
    """The smallest power of two with n > 128 min{SA,|Θ|-1} log(8SAn(|Θ|+1)/δ)/M."""
    n = 1
    while not is_above(n, promised(setting, n)):
        n *= 2
    return n


def promised(setting: TasksAndErrors, n: int) -> float:
    """The repaired bound of Theorem 1, in which n appears inside a logarithm."""
    return theorem_1_bound(
        setting.tasks.approximate,
        target=0,
        epsilon=setting.epsilon,
        delta=DELTA,
        n=n,
        Delta=setting.errors.Delta,
    ).bound


def large_budget_evaluation(setting: TasksAndErrors, n: int, seed: int) -> Evaluation:
    """On E, a budget above the bound is not used up; a run that does not stop needs more than n."""
    result, models, bound = _run(setting, n, seed), setting.tasks.approximate, promised(setting, n)
    entered = enters_transfer_mode(setting.errors.Delta, setting.epsilon, models.gamma)
    needed = result.queries if result.end is End.STOPPED else n
    return Evaluation(
        premises=(
            Statement("repaired transfer mode", entered, "=", True),
            Statement("the bound against n", bound, "<", n),
            Statement("the target stays active", target_active(result), "=", True),
        ),
        conclusion=Statement(
            f"{setting.tasks.name}: queries until the run stops by itself, against n",
            needed,
            "<",
            n,
            "ptum.spec.formulas.transfer:THEOREM_1_REPAIRED",
            (("S", models.S), ("A", models.A), ("k", models.k), ("n", n), ("delta", DELTA)),
            measured=(float(needed), bound),
            tolerance=NOTHING_ROUNDED,  # two counts; which n exceed the bound is a premise
        ),
    )


@check("assumption-4.budget/repaired-bound", CheckKind.INEQUALITY)
def budget_repaired(context: Context) -> Outcome:
    """On E every run with a budget above the repaired bound stops by itself.

    Budgets from the smallest large enough one to sixteen times it.
    """
    seeds = context.count(3, 30, 300)
    return over_evaluations(
        [
            large_budget_evaluation(setting, times * needed_budget(setting), seed)
            for setting in settings()
            for times in (1, 16)
            for seed in _seeds(context, seeds)
        ],
        "runs were on E",
    )


# The cost of the fallback


@stored
@dataclass(frozen=True, eq=False)
class Failing:
    """Inputs of a run that has to fall back, unless the models agree on a policy."""

    models: ApproximateModels
    Delta: float
    epsilon: float
    n: int
    times: int
    seed: int


TOO_FEW = 12
"""Iterations in which no drawn model has been seen to fail a test."""
ENOUGH = 60
"""Iterations in which some are eliminated."""


@st.composite
def failing_runs(draw: DrawFn, longest: int = TOO_FEW) -> Failing:
    """Half of them with models that line 2 refuses, half with a budget that is soon used up."""
    refused = draw(st.booleans())
    models = approximate_models(draw(sets.model_sets()))
    return Failing(
        models=models,
        Delta=1.0 if refused else 0.0,
        epsilon=least_accuracy(models.S, models.gamma),
        n=draw(st.integers(1, longest)),
        times=draw(st.integers(1, 3)),
        seed=draw(st.integers(0, 2**32)),
    )


def counted_run(failing: Failing) -> tuple[PtumResult, int]:
    """A run with its fallback, and how often its target was asked in all."""
    models = failing.models
    model = CountingModel(Simulator(models.tasks[0], failing.seed))
    result = ptum(
        models,
        model,
        epsilon=failing.epsilon,
        delta=DELTA,
        n=failing.n,
        Delta=failing.Delta,
        fallback=AskEveryPair(failing.times),
    )
    return result, model.asked


def cost_evaluation(failing: Failing) -> Evaluation:
    """What a run asks for in all: the fallback's queries, and n before them in transfer mode."""
    result, asked = counted_run(failing)
    before = {End.MODELS_TOO_INACCURATE: 0, End.BUDGET_EXHAUSTED: failing.n}
    own = failing.times * failing.models.S * failing.models.A
    return Evaluation(
        premises=(
            Statement(
                "falls back without emptying the active set", result.end in before, "=", True
            ),
        ),
        conclusion=Statement("queries in all", asked, "=", before.get(result.end, 0) + own),
    )


def iterations_and_eliminations(failing: Failing) -> int:
    """What the cost must not depend on: iterations before the fallback, and models dropped."""
    result, _ = counted_run(failing)
    return result.queries + failing.models.k - len(result.active)


@check("text-fallback-cost.cost/counted", CheckKind.EXACT)
def fallback_cost(context: Context) -> Outcome:
    """All queries counted: the fallback's, or n and then the fallback's.

    The two costs on drawn sets of models; a deep search also has runs that drop some.
    """
    runs = failing_runs(ENOUGH if context.profile is Profile.DEEP else TOO_FEW)
    chances = Opportunities("iterations and eliminations", iterations_and_eliminations)
    return search(context, runs, cost_evaluation, (24, 400, 10_000), chances=chances)


# The event E


def looked_at(result: PtumResult, setting: TasksAndErrors) -> Ints:
    """Samples of each pair that some iteration has looked at: never that of iteration n (D22)."""
    N = result.N.copy()
    if result.end is End.BUDGET_EXHAUSTED:
        models, Delta = setting.tasks.approximate, setting.errors.Delta
        N[query(index(result.active, models, Delta))] -= 1
    return N


def passes_every_test(setting: TasksAndErrors, theta: int, N: Ints, n: int, seed: int) -> bool:
    """Whether θ passes equations (1)-(4) at every pair after 1, …, N(s,a) samples of the run."""
    models, true = setting.tasks.approximate, setting.tasks.true[0]
    simulator = BlockSimulator(true, seed)
    for s, a in np.argwhere(N > 0).tolist():
        rewards, successors = simulator.peek(s, a, int(N[s, a]))
        path = path_of(true.u[rewards], successors, models.V_star)
        if target_falls(path, (s, a), theta, models, WidthNumbers(setting.errors, n, DELTA)):
            return False
    return True


def event_evaluations(
    setting: TasksAndErrors, n: int, seed: int, ends: tuple[End, ...]
) -> Iterator[Evaluation]:
    """E for each model in the role of the target.

    The run's word is held against all its samples. It is also held against a table of n samples of
    every pair, drawn in advance, of which the run saw a part: a model that passes every test there
    is active in every iteration, so the event that Lemma 3 is checked with is the smaller one
    (D28).
    """
    result = _run(setting, n, seed)
    premise = Statement("ended as asked for", result.end in ends, "=", True)
    N = looked_at(result, setting)
    for theta in range(setting.tasks.approximate.k):
        told = f"{setting.tasks.name}, n = {n}: model {theta}"
        active = target_active(result, theta)
        yield Evaluation(
            premises=(premise,),
            conclusion=Statement(
                f"{told} active in all iterations, against passing every test",
                active,
                "=",
                passes_every_test(setting, theta, N, n, seed),
            ),
        )
        table = passes_every_test(setting, theta, np.full_like(N, n), n, seed)
        yield Evaluation(
            premises=(premise, Statement("passes every test on the table", table, "=", True)),
            conclusion=Statement(f"{told} active in all iterations", active, "=", True),
        )


@check("text-event-e.definition/all-passes", CheckKind.EXACT)
def event_over_budget(context: Context) -> Outcome:
    """Active in all n iterations = no test failed on the samples; a table of n each implies it.

    As printed: runs that go through all n iterations.
    """
    return over_evaluations(
        [
            evaluation
            for n in BUDGETS
            for seed in _seeds(context, context.count(3, 30, 300))
            for evaluation in event_evaluations(undecided(), n, seed, (End.BUDGET_EXHAUSTED,))
        ],
        "cases had all n iterations",
    )


@check("text-event-e.definition/repaired-until-stop", CheckKind.EXACT)
def event_until_stop(context: Context) -> Outcome:
    """The same for iterations up to the end, in runs that stop or use up n."""
    return over_evaluations(
        [
            evaluation
            for setting in (*settings(), undecided())
            for n in BUDGETS
            for seed in _seeds(context, context.count(2, 20, 200))
            for evaluation in event_evaluations(
                setting, n, seed, (End.BUDGET_EXHAUSTED, End.STOPPED)
            )
        ],
        "cases ended in a stop or with the budget",
    )


# Runs


def _run(setting: TasksAndErrors, n: int, seed: int) -> PtumResult:
    return play(setting.tasks, RunInputs(setting.epsilon, DELTA, n), setting.errors, seed)


def _seeds(context: Context, number: int) -> list[int]:
    seeds: list[int] = context.generator(0).integers(0, 2**31, size=number).tolist()
    return seeds
