"""Section 6 and Appendix E: reported outcomes, as far as a small computation says something.

No figure is reproduced here. What is looked at: known thresholds against theory, the number of
samples that deterministic rewards need, policies and samples on task lists of Figure 2 with models
estimated from labelled samples, lists with and without near-copies, and where excess comes from.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.appendix_b.runs import true_loss
from ptum.checks.claims.appendix_e.runs import run
from ptum.checks.engine.models import among
from ptum.checks.engine.problem import RunNumbers
from ptum.checks.engine.ptum import simulated_run
from ptum.checks.exact.numbers import max_of
from ptum.checks.instances.counterexamples.appendix_e import experiment_settings as settings
from ptum.checks.instances.counterexamples.appendix_e import samples as samples_cases
from ptum.checks.instances.counterexamples.appendix_e.samples import Lists, TwoArms
from ptum.checks.instances.counterexamples.section_4 import theorem_2
from ptum.checks.verdicts.attempts.names import stored, stored_as
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import (
    NOTHING_ROUNDED,
    Evaluation,
    Outcome,
    Statement,
    allowing,
    from_evaluation,
    over_evaluations,
)
from ptum.checks.verdicts.search import listed, search
from ptum.reference.arrays import ROUNDING, above
from ptum.reference.experiments.objectworld import FIGURE_2, TaskList, generate_tasks
from ptum.reference.experiments.two_rooms import Payment, two_rooms
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.sequential_bounds import theorem_2_bound
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import optimal_value, value_tolerance
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.confidence import log_term, width_r
from ptum.reference.transfer.ptum import End, PtumResult
from ptum.reference.transfer.stopping import transfer_threshold
from ptum.spec.vocabulary import CheckKind, Verdict

# Known after how many samples


@stored
@dataclass(frozen=True)
class OnlineSetting:
    """What Appendix E.1 says of RMAX in one panel of Figure 1."""

    known_after: int
    gamma: float
    epsilon: float
    S: int = 144
    A: int = 4
    delta: float = 0.01


PANELS = (OnlineSetting(10, 0.99, 0.1), OnlineSetting(240, 0.9999, 1.0))


def samples_for_rewards(panel: OnlineSetting) -> float:
    """By Hoeffding, samples per pair for means within ε(1-γ)/2 at all pairs.

    Then the values of all policies are within ε/2 as far as rewards are concerned. Transitions ask
    for more, so this is the least that an analysis by accurate models can recommend.
    """
    accuracy = panel.epsilon * (1 - panel.gamma) / 2
    return math.log(2 * panel.S * panel.A / panel.delta) / (2 * accuracy**2)


def threshold_evaluation(panel: OnlineSetting, factor: float = 1000.0) -> Evaluation:
    """The threshold is below a thousandth of it.

    1-γ has an error of one rounding of 1, which its square doubles; the rest are eight roundings.
    """
    theory = samples_for_rewards(panel) / factor
    return Evaluation(
        (Statement("known after", panel.known_after, "≥", 1),),
        Statement(
            "samples after which a pair is known, against those for accurate rewards / factor",
            panel.known_after,
            "<",
            theory,
            tolerance=(2 / (1 - panel.gamma) + 8) * ROUNDING * theory,
        ),
    )


CONFIDENCES = (0.01, 0.1, 0.5, settings.LENIENT)
"""δ is not given for RMAX; the larger it is, the less theory asks for."""


@check("text-known-threshold-below-theory.below/accurate-rewards", CheckKind.INEQUALITY)
def below_theory(context: Context, factor: float = 1000.0) -> Outcome:
    """10 and 240 samples against what accurate rewards alone take.

    Both panels of Figure 1, whatever the confidence.
    """
    panels = [replace(panel, delta=delta) for panel in PANELS for delta in CONFIDENCES]
    return listed(context, panels, lambda panel: threshold_evaluation(panel, factor), "panels")


# Samples of PTUM in the two rooms

ROOMS, STEPS_OF_AN_EPISODE = 12, 100
FEW_EPISODES = 10.0
"""A tenth of the axis of Figure 1 left."""


def samples_per_rival() -> int:
    """The least N at which 7L/(3(N-1)) is below 1: a rival whose goal pays 1 where it pays 0.

    Rewards are deterministic, a gap of 1 has information 1 and nothing has more. So every phase
    asks about a goal, and the rivals without a goal there, or the one with it, fall after N
    samples.
    """
    N = np.arange(2, 1000)
    L = log_term(ROOMS * ROOMS, 4, 100_000, ROOMS, 0.01)
    return int(N[np.argmax(above(1, width_r(np.zeros(N.size), N, L, 0.0)))])


def episodes_evaluation(steps: int = STEPS_OF_AN_EPISODE) -> Evaluation:
    """Eleven rivals cost at most eleven times as many samples; in episodes of 100 steps.

    A quotient of two counts is rounded once, and that moves none past a whole number.
    """
    worst = (ROOMS - 1) * samples_per_rival()
    return Evaluation(
        (Statement("samples that the worst target needs", worst, "≤", 100_000),),
        Statement(
            "episodes, a sample being a step, against few",
            worst / steps,
            "≤",
            FEW_EPISODES,
            tolerance=NOTHING_ROUNDED,
        ),
    )


SIDE = 4


@stored_as("Layout")
@dataclass(frozen=True)
class SmallGrid:
    """Different goals with a door each on a small grid, and which task is the target."""

    goals: tuple[tuple[int, int], ...]
    doors: tuple[int, ...]
    target: int

    def models(self) -> ApproximateModels:
        """With the discount of Figure 1 left."""
        return approximate_models(
            [
                two_rooms(SIDE, SIDE, door, goal, 0.99)
                for goal, door in zip(self.goals, self.doors, strict=True)
            ]
        )


@st.composite
def small_layouts(draw: DrawFn) -> SmallGrid:
    """Two to five tasks, goals anywhere."""
    k = draw(st.integers(2, 5))
    cells = st.tuples(st.integers(0, SIDE - 1), st.integers(0, SIDE - 1))
    goals = draw(st.lists(cells, min_size=k, max_size=k, unique=True))
    doors = tuple(draw(st.integers(0, SIDE - 1)) for _ in goals)
    return SmallGrid(tuple(goals), doors, draw(st.integers(0, k - 1)))


def budget_of_panel(models: ApproximateModels) -> int:
    """n with which the logarithm is that of 100000 samples, twelve tasks and the large grid."""
    return 100_000 * ROOMS**2 * (ROOMS + 1) // (models.S * (models.k + 1))


def episodes_for_eleven(queries: int, rivals: int, steps: int) -> float:
    """Episodes of so many steps that eleven rivals take, at the samples of a run with `rivals`."""
    return (ROOMS - 1) * queries / (rivals * steps)


def layout_evaluation(layout: SmallGrid, steps: int = STEPS_OF_AN_EPISODE) -> Evaluation:
    """A run, scaled from its own number of rivals to eleven."""
    models = layout.models()
    result = run(models, 0, epsilon=0.1, n=budget_of_panel(models), target=layout.target)
    return Evaluation(
        (Statement("the run stops by itself", result.end is End.STOPPED, "=", True),),
        Statement(
            "episodes of eleven rivals at the samples that one took",
            episodes_for_eleven(result.queries, models.k - 1, steps),
            "≤",
            FEW_EPISODES,
            tolerance=NOTHING_ROUNDED,  # as in `episodes_evaluation`
        ),
    )


@check("text-identification-fast.few-episodes/certain-rewards", CheckKind.INEQUALITY)
def few_episodes(context: Context, steps: int = STEPS_OF_AN_EPISODE) -> Outcome:
    """The worst of twelve targets, a sample being a step of an episode of 100.

    Twelve goals and twelve doors (D69), and runs on drawn layouts.
    """
    named = from_evaluation(episodes_evaluation(steps=steps))
    if named.verdict is not Verdict.HOLDS:
        return named
    return search(
        context,
        small_layouts(),
        lambda layout: layout_evaluation(layout, steps=steps),
        (3, 60, 2000),
    )


# Task lists of Figure 2

LABELLED = 300 * 50 // 8
"""Samples of a pair in each of eight tasks, after 300 of them with 50 samples each."""
NEIGHBOURS = (0, -1, 1, -2, 2, -3, 3, 4)
"""A task and the others by their distance in the list. If it follows the one before it, the first
three are the three likeliest successors of that one."""
EPSILON, DELTA, BUDGET = 0.5, 0.01, 20_000


def delta_of_figure_2() -> float:
    """Theorem 2's form with the final ρ = 0.006 at h = 300, δ' = 0.01."""
    return theorem_2_bound(
        Level(S=25, A=4, U=12, h=settings.START_UP, delta_prime=0.01), rho_any=settings.DECAYED_RHO
    )


def labelled_estimate(task: MDP, n: int, rng: np.random.Generator) -> MDP:
    """Empirical distributions of n samples per pair, from visits of which the task is known."""
    return MDP(rng.multinomial(n, task.p) / n, rng.multinomial(n, task.q) / n, task.u, task.gamma)


@dataclass(frozen=True)
class Transferred:
    """One task of a list, and what PTUM did in it."""

    tasks: Sequence[MDP]
    target: int
    seed: int
    result: PtumResult

    def oracle(self, everything: ApproximateModels) -> int:
        """Samples of PTUM with all eight exact models, on the same streams."""
        found = run(
            everything, self.seed, epsilon=EPSILON, delta=DELTA, n=BUDGET, target=self.target
        )
        return found.queries


def transferred(
    rng: np.random.Generator, kept: int = 3, samples: int = LABELLED
) -> Iterator[Transferred]:
    """A drawn list; each of its tasks once, with the likeliest successors of the last task kept."""
    tasks = generate_tasks(FIGURE_2, rng)
    estimates = approximate_models([labelled_estimate(task, samples, rng) for task in tasks])
    for target, task in enumerate(tasks):
        offered = [(target + step) % len(tasks) for step in NEIGHBOURS][:kept]
        seed = int(rng.integers(2**32))
        found = simulated_run(
            among(estimates, offered),
            task,
            seed,
            RunNumbers(epsilon=EPSILON, delta=DELTA, n=BUDGET, errors=single(delta_of_figure_2())),
        )
        yield Transferred(tasks, target, seed, found)


def loss_of(task: MDP, found: PtumResult) -> float:
    """How far the policy is from optimal in the worst state; +inf if there is none."""
    return math.inf if found.policy is None else true_loss(task, found.policy)


LISTS = st.integers(0, 2**32 - 1)
"""A list of tasks by its seed."""


def optimal_evaluation(seed: int, samples: int = LABELLED) -> Evaluation:
    """Every policy of a drawn list is good enough, up to what rounding does to values."""
    found = list(transferred(np.random.default_rng(seed), samples=samples))
    losses = [loss_of(each.tasks[each.target], each.result) for each in found]
    tolerance = max_of(value_tolerance(optimal_value(task), task.gamma) for task in found[0].tasks)
    return Evaluation(
        (Statement("tasks of the list", len(losses), "=", 8),),
        Statement(
            "largest loss of eight policies", max_of(losses), "≤", EPSILON, tolerance=2 * tolerance
        ),
    )


@check("text-all-policies-optimal.all/labelled-samples", CheckKind.INEQUALITY)
def all_optimal(context: Context, samples: int = LABELLED) -> Outcome:
    """Drawn lists, three successors kept, models from labelled samples of 300 tasks."""
    return search(context, LISTS, lambda seed: optimal_evaluation(seed, samples), (1, 12, 200))


def oracle_evaluation(seed: int, kept: int = 3) -> Evaluation:
    """All tasks of a drawn list together take fewer samples than the oracle takes for them."""
    found = list(transferred(np.random.default_rng(seed), kept))
    everything = approximate_models(found[0].tasks)
    mine, oracle = (
        sum(each.result.queries for each in found),
        sum(each.oracle(everything) for each in found),
    )
    return Evaluation(
        (Statement("samples of the oracle", oracle, ">", 0),),
        Statement(
            "samples of eight tasks against the oracle's",
            mine,
            "<",
            oracle,
            tolerance=NOTHING_ROUNDED,
        ),
    )


@check("text-below-oracle.measured/labelled-samples", CheckKind.INEQUALITY)
def below_oracle(context: Context, kept: int = 3) -> Outcome:
    """Samples on the same lists against those of all exact models."""
    return search(context, LISTS, lambda seed: oracle_evaluation(seed, kept), (1, 12, 200))


# Lists with and without near-copies

WITHOUT_COPIES = replace(FIGURE_2, copies=MappingProxyType({}))
"""Eight random tasks: the copies are replaced, not left out."""

DECLARED = (0.0, 0.005)
"""Δ of the lists in turn; line 2 admits less than (1-γ)ε/(4(1+γ)) = 0.0066."""


def mean_samples(setting: TaskList, rng: np.random.Generator, Delta: float) -> float:
    """Mean over the eight targets of a drawn list with exact models, taken as off by up to Δ."""
    models = approximate_models(generate_tasks(setting, rng))
    counts = [
        run(models, 0, epsilon=EPSILON, Delta=Delta, delta=DELTA, n=BUDGET, target=target).queries
        for target in range(models.k)
    ]
    return float(np.mean(counts))


@check("text-copies-hard.trivial-otherwise/named", CheckKind.EXACT)
def named_beside_copy(_: Context, copy: tuple[int, int] = (98, 50)) -> Outcome:
    """A copy is told apart last."""
    rewards = Fraction(copy[0], 100), Fraction(copy[1], 100)
    return from_evaluation(samples_cases.solved_evaluation(Lists(copy=rewards, naming=True)))


@check("text-copies-hard.trivial-otherwise/lists", CheckKind.INEQUALITY)
def lists_with_copies(context: Context, first: TaskList = FIGURE_2) -> Outcome:
    """Drawn lists with copies take fewer samples than with random tasks in their place.

    The lists are the same whatever the seed. Of single lists about one in fifteen with copies takes
    longer than one without, so that fresh lists would make the verdict a matter of chance. Means of
    eight counts and their sums are exact, and dividing two sums by one number keeps their order.
    """
    lists = context.count(1, 12, 100)
    mine, theirs = (
        float(
            np.mean(
                [
                    mean_samples(setting, np.random.default_rng([i, j]), DECLARED[j % 2])
                    for j in range(lists)
                ]
            )
        )
        for i, setting in enumerate((first, WITHOUT_COPIES))
    )
    drawn = Evaluation(
        (Statement("lists of each kind", lists, "≥", 1),),
        Statement(
            "mean samples of a task with copies, with random tasks in their place",
            mine,
            "≤",
            theirs,
            tolerance=NOTHING_ROUNDED,
        ),
    )
    return over_evaluations([samples_cases.no_harder_evaluation(Lists()), drawn], "comparisons")


# Where the excess comes from


def six_doors_evaluation(Delta: float = 0.0017) -> Evaluation:
    """The 6×6 grid of Figure 3 right, with a door in each of its rows and ε = 0.13.

    No loss lies between ε and the slack, even if rounding has moved all of them.
    """
    epsilon, gamma, delta = 0.13, 0.9, 0.1
    models = approximate_models(
        [two_rooms(6, 6, door, (0, 5), gamma, payment=Payment.ON_ARRIVAL) for door in range(6)]
    )
    losses = np.max(models.V_star[:, np.newaxis] - models.V_pi, axis=2)
    least_slack = epsilon - 2 * Delta * (1 + gamma) / (1 - gamma)
    tolerance = 3 * value_tolerance(models.V_star, gamma)
    beyond = above(losses, least_slack - tolerance)
    between = int(np.sum(beyond & ~above(losses, epsilon + tolerance)))
    counts = [
        run(models, 0, epsilon=epsilon, Delta=error, delta=delta, n=1_000_000).queries
        for error in (Delta, 0.0)
    ]
    return Evaluation(
        (
            Statement("Δ against the threshold", Delta, "<", transfer_threshold(epsilon, gamma)),
            Statement("losses between the slack at Δ and ε", between, "=", 0),
        ),
        Statement(
            "samples with Δ against samples with 0",
            counts[0],
            "=",
            counts[1],
            tolerance=NOTHING_ROUNDED,
        ),
    )


@check("text-excess-vanishes-before-zero.reason/six-doors", CheckKind.INEQUALITY)
def six_doors(_: Context, Delta: float = 0.0017) -> Outcome:
    """The grid of Figure 3 right: no Δ changes the set, and Δ costs samples.

    No loss lies where a larger Δ could make a difference, and Δ costs samples.
    """
    return from_evaluation(six_doors_evaluation(Delta))


@check("text-excess-vanishes-before-zero.reason/widened", CheckKind.EXACT)
def widened(_: Context) -> Outcome:
    """The samples are those of intervals that are wider by Δ."""
    arms = [
        TwoArms(better=Fraction(better, 10), Delta=Fraction(error, 100))
        for better in (10, 9, 8, 7)
        for error in (10, 2)
    ]
    return over_evaluations([samples_cases.repaired_evaluation(each) for each in arms], "bandits")


# Does Section 4 deliver Assumption 1?


@check("text-assumption-guaranteed.delivered/hypothesis", CheckKind.INEQUALITY)
def as_a_hypothesis(_: Context, factor: float = 2.0) -> Outcome:
    """A large enough ρ, taken as a hypothesis, gives a valid Δ.

    With ρ at least the constant of the model, Δ = ρ√(log c_h/h) is at least its bound.

    Both constants are multiplied by the same double, and rounding a product keeps the order.
    """
    evaluations = []
    for gap in (Fraction(1, 4), Fraction(1, 8), Fraction(2, 5)):
        model = theorem_2.coins(gap)
        evaluation = theorem_2.as_hypothesis(factor * theorem_2.constant_of(model), model)
        evaluations.append(allowing(evaluation, NOTHING_ROUNDED))
    return over_evaluations(evaluations, "chains of two coins")
