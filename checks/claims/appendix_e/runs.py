"""What Section 6 and Appendix E say about runs of PTUM with known models."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.section_3_bounds.corollary_1_text import enters
from ptum.checks.engine.problem import RunNumbers
from ptum.checks.engine.ptum import simulated_run
from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.numbers import is_above, max_of
from ptum.checks.instances.counterexamples.appendix_e import samples as samples_cases
from ptum.checks.instances.counterexamples.appendix_e.samples import Rooms, Sized, sized_runs
from ptum.checks.instances.counterexamples.appendix_e.variants import (
    EPSILON_1_RIGHT,
    seven_tasks,
)
from ptum.checks.instances.families import rational
from ptum.checks.instances.families.named import bandit
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import (
    NOTHING_ROUNDED,
    Evaluation,
    Outcome,
    Statement,
    from_evaluation,
    over_evaluations,
)
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import ROUNDING, above
from ptum.reference.experiments.grid import Grid
from ptum.reference.experiments.two_rooms import Payment, goal_grid
from ptum.reference.repaired.transfer.stopping import transfer_threshold
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import value_tolerance
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.information import index, query
from ptum.reference.transfer.ptum import PtumResult
from ptum.reference.transfer.stopping import stopping_models
from ptum.spec.vocabulary import CheckKind, Verdict

DELTA, BUDGET = 0.01, 100_000


def run(
    models: ApproximateModels,
    seed: int,
    *,
    epsilon: float,
    Delta: float = 0.0,
    delta: float = DELTA,
    n: int = BUDGET,
    target: int = 0,
) -> PtumResult:
    """Lines 3-21 with exact models; the samples depend on the seed alone."""
    numbers = RunNumbers(epsilon=epsilon, delta=delta, n=n, errors=single(Delta))
    return simulated_run(models, models.tasks[target], seed, numbers)


# Figure 1 right: goals in the corners


def asks_evaluation(
    payment: Payment, epsilon: float = EPSILON_1_RIGHT, side: int = 12
) -> Evaluation:
    """PTUM does not stop in its first iteration, and asks about a goal.

    A goal that pays on arrival is asked about from a neighbouring cell or not at all. Line 14
    accepts a loss of ε up to rounding, and no loss is as near to ε as that.
    """
    models = approximate_models(seven_tasks(payment, side))
    everything = tuple(range(models.k))
    stops = len(stopping_models(everything, models, epsilon, 0.0))
    tolerance = 3 * value_tolerance(models.V_star, models.gamma)
    lost = np.max(models.V_star[:, np.newaxis] - models.V_pi, axis=2)
    undecided = int(np.sum(~above(np.abs(lost - epsilon), tolerance)))
    s, a = query(index(everything, models, 0.0))
    tells = float(np.ptp(models.r[:, s, a]))
    return Evaluation(
        premises=(
            Statement("largest reward", float(models.r.max()), "≤", 0.81),
            Statement("rewards at the pair of the first query differ by", tells, ">", 0),
            Statement("losses that are ε up to rounding", undecided, "=", 0),
        ),
        conclusion=Statement(
            "policies that stop the first iteration", stops, "=", 0, tolerance=NOTHING_ROUNDED
        ),
    )


@check(
    "text-informative-goals.ptum-samples/paid-for-ever",
    CheckKind.INEQUALITY,
    "Goals that pay for ever: PTUM asks, and first where rewards differ",
)
@check(
    "text-informative-goals.ptum-samples/repaired",
    CheckKind.INEQUALITY,
    "Models in which goals pay for ever make PTUM ask",
)
def paid_for_ever(_: Context) -> Outcome:
    """Values are up to 8100."""
    return from_evaluation(asks_evaluation(Payment.IN_GOAL))


@stored
@dataclass(frozen=True)
class Episode:
    """Goals in a small grid, the actions of an episode, and the seed of where they lead."""

    side: int
    goals: tuple[tuple[int, int], ...]
    actions: tuple[int, ...]
    seed: int


@st.composite
def episodes(draw: DrawFn) -> Episode:
    """Up to three goals, forty steps."""
    side = draw(st.integers(2, 4))
    cells = st.tuples(st.integers(0, side - 1), st.integers(0, side - 1))
    goals = draw(
        st.lists(cells.filter(lambda cell: cell != (0, 0)), min_size=1, max_size=3, unique=True)
    )
    actions = draw(st.lists(st.integers(0, 3), min_size=40, max_size=40))
    return Episode(side, tuple(goals), tuple(actions), draw(st.integers(0, 2**32 - 1)))


def informative_samples(episode: Episode, absorbing: bool = True) -> int:
    """Steps of the episode whose reward is not zero; a goal pays on arrival."""
    grid = Grid(episode.side, episode.side)
    task = goal_grid(grid, dict.fromkeys(episode.goals, 0.8), 0.9, payment=Payment.ON_ARRIVAL)
    cells = {grid.state(goal) for goal in episode.goals}
    rng, state, count = np.random.default_rng(episode.seed), 0, 0
    for action in episode.actions:
        arrived = int(rng.choice(grid.S, p=task.p[state, action]))
        count += arrived in cells and state not in cells
        state = arrived if absorbing or arrived not in cells else 0
    return count


def one_sample_evaluation(episode: Episode, absorbing: bool = True) -> Evaluation:
    """At most one sample per episode has a reward, and only such samples separate tasks."""
    grid = Grid(episode.side, episode.side)
    tasks = [
        goal_grid(grid, dict.fromkeys(episode.goals, prize), 0.9, payment=Payment.ON_ARRIVAL)
        for prize in (0.8, 0.3)
    ]
    same_moves = float(np.max(np.abs(tasks[0].p - tasks[1].p)))
    goals = [grid.state(goal) for goal in episode.goals]
    after = max_of(float(np.max(task.q[goals] @ task.u)) for task in tasks)
    return Evaluation(
        premises=(
            Statement("tasks move alike; largest difference", same_moves, "=", 0),
            Statement("reward after a goal is reached", after, "=", 0),
        ),
        conclusion=Statement(
            "informative samples of the episode", informative_samples(episode, absorbing), "≤", 1
        ),
    )


@check("text-one-informative-sample.at-most-one/episodes", CheckKind.EXACT)
def one_informative_sample(context: Context, absorbing: bool = True) -> Outcome:
    """Drawn episodes see at most one reward."""
    return search(
        context,
        episodes(),
        lambda episode: one_sample_evaluation(episode, absorbing),
        (40, 300, 10_000),
    )


# Fewer samples than the oracle


def filtered_evaluation(epsilon: Fraction, kept: Sequence[int] = (0,)) -> Evaluation:
    """All exact models do not stop at once, a filtered set does."""
    stay = [[[Fraction(1)]] * 2]
    arms = ((9, 1), (1, 9))
    models: tuple[ExactMDP, ...] = tuple(
        mdp.deterministic(stay, [[Fraction(r, 10) for r in row]], Fraction(1, 2)) for row in arms
    )
    filtered = [models[theta] for theta in kept]
    return Evaluation(
        premises=(
            Statement(
                "loss with all models, which therefore ask",
                mdp.smallest_worst_loss(models),
                ">",
                epsilon,
            ),
        ),
        conclusion=Statement(
            "loss with the filtered set, which stops without a sample",
            mdp.smallest_worst_loss(filtered),
            "≤",
            epsilon,
        ),
    )


@stored
@dataclass(frozen=True)
class Filtered:
    """Models of which the first is that of the target, and ε as a share of their worst loss."""

    models: tuple[ExactMDP, ...]
    share: Fraction

    @property
    def epsilon(self) -> Fraction:
        """Below the loss that all models together cannot avoid."""
        return self.share * mdp.smallest_worst_loss(self.models)


@st.composite
def filters(draw: DrawFn) -> Filtered:
    """Two or three drawn models."""
    share = draw(st.sampled_from((Fraction(1, 10), Fraction(1, 2), Fraction(999, 1000))))
    return Filtered(draw(rational.model_sets()), share)


def singleton_evaluation(case: Filtered, kept: int = 1) -> Evaluation:
    """Whatever the models are: together they ask, the target's own model alone does not."""
    return Evaluation(
        premises=(Statement("ε, which all models together exceed", case.epsilon, ">", 0),),
        conclusion=Statement(
            "loss with the model of the target alone",
            mdp.smallest_worst_loss(case.models[:kept]),
            "≤",
            case.epsilon,
        ),
    )


def oracle_nearly_stops(case: Filtered) -> Statement:
    """All models together save as much as the filter once their loss is no more than ε."""
    loss = mdp.smallest_worst_loss(case.models)
    return Statement("ε against the loss with all models", case.epsilon, "<", loss)


@check("text-below-oracle.possible/filtered-set", CheckKind.EXACT)
def filtered_set(context: Context, kept: Sequence[int] = (0,)) -> Outcome:
    """Two arms: both models ask, one alone stops.

    Two arms, Δ = 0; and drawn models, of which only the target's is kept.
    """
    named = from_evaluation(filtered_evaluation(Fraction(1, 2), kept))
    if named.verdict is not Verdict.HOLDS:
        return named
    return search(
        context, filters(), singleton_evaluation, (10, 200, 4000), near=oracle_nearly_stops
    )


# Samples as a function of ε


@stored
@dataclass(frozen=True)
class Path:
    """Bandits with exact models, and the seed of the samples of task 0.

    `edge` is how near to the ends of an interval ε is taken, as a share of its length.
    """

    arms: tuple[tuple[float, ...], ...]
    seed: int
    edge: float = 0.25

    def models(self) -> ApproximateModels:
        """With γ = 1/2."""
        return approximate_models(bandit(0.5, *self.arms))


@st.composite
def paths(draw: DrawFn) -> Path:
    """Three models of two or three arms, with means in tenths."""
    arms = draw(st.integers(2, 3))
    numbers = draw(st.binary(min_size=3 * arms, max_size=3 * arms))
    means = [number % 11 / 10 for number in numbers]
    return Path(
        tuple(tuple(means[arms * i : arms * (i + 1)]) for i in range(3)),
        draw(st.integers(0, 2**32 - 1)),
        draw(st.sampled_from((0.25, 0.01, 1e-4, 1e-6))),
    )


def losses(models: ApproximateModels) -> list[float]:
    """Every loss of a model's policy in a model: the only places where the count may jump.

    Means are tenths and γ is 1/2, so a loss is a multiple of 1/5 but for rounding.
    """
    found = {
        float(np.max(models.V_star[other] - models.V_pi[other, theta]))
        for theta in range(models.k)
        for other in range(models.k)
    }
    return sorted({round(5 * loss) / 5 for loss in found})


def steps_evaluation(path: Path, inside: Sequence[float] | None = None) -> Evaluation:
    """Between two losses the number of samples is constant, and it never grows with ε.

    `inside` are the places looked at, as shares of the way to the next loss, which is a fifth or
    more: far beyond the rounding of a loss.
    """
    models = path.models()
    places = losses(models)
    intervals = list(itertools.pairwise((*places, places[-1] + 1)))

    def samples(epsilon: float) -> int:
        return _samples(models, path.seed, epsilon)

    broken = broken_steps(samples, intervals, inside or (path.edge, 1 - path.edge))
    return Evaluation(
        (Statement("intervals between losses", len(apart(intervals)), "≥", 1),),
        Statement("changes inside an interval, and rises", broken, "=", 0),
    )


def apart(intervals: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Intervals whose ends differ."""
    return [(low, high) for low, high in intervals if is_above(high, low)]


def broken_steps(
    samples: Callable[[float], int],
    intervals: Sequence[tuple[float, float]],
    inside: Sequence[float],
) -> int:
    """Changes of the number of samples inside an interval of ε, and rises from one to the next.

    `inside` are the places looked at, as shares of the way through an interval.
    """
    counts = [
        [samples(low + share * (high - low)) for share in inside] for low, high in apart(intervals)
    ]
    changes = sum(len(set(level)) - 1 for level in counts)
    rises = sum(max(later) > min(earlier) for earlier, later in itertools.pairwise(counts))
    return changes + rises


def _samples(models: ApproximateModels, seed: int, epsilon: float) -> int:
    return run(models, seed, epsilon=epsilon, delta=0.1, n=3000).queries


def covered_share(path: Path) -> Statement:
    """How much of an interval lies between the places that were looked at."""
    return Statement("share of an interval between two places", 1 - 2 * path.edge, "<", 1.0)


@check("text-piecewise-constant-in-epsilon.steps/same-samples", CheckKind.EXACT)
def steps(context: Context, inside: Sequence[float] | None = None) -> Outcome:
    """On the same samples the count changes only where ε passes a loss, and never rises."""
    return search(
        context,
        paths(),
        lambda path: steps_evaluation(path, inside),
        (12, 200, 4000),
        near=covered_share,
    )


# Samples as a function of Δ


SMALL_SHARE = 1e-6
SHARES = (SMALL_SHARE, 1e-8)
"""Of what line 2 admits; how small an error must be to change nothing depends on the run."""


def samples_with(path: Path, share: float) -> int:
    """Samples at Δ = share of what line 2 admits; ε is half of the least loss."""
    models = path.models()
    positive = [loss for loss in losses(models) if loss > 0]
    epsilon = positive[0] / 2 if positive else 1.0
    Delta = share * transfer_threshold(epsilon, models.gamma)
    return run(models, path.seed, epsilon=epsilon, Delta=Delta, delta=0.1, n=3000).queries


def small_error_evaluation(path: Path, shares: Sequence[float] = SHARES) -> Evaluation:
    """Some Δ > 0 leaves the number of samples as it is at Δ = 0.

    Nothing is tied that Δ could turn: means are tenths, where arms of unlike gaps or variances have
    unlike indices, and ε is no loss.
    """
    exactly = samples_with(path, 0.0)
    same = max_of((share for share in shares if samples_with(path, share) == exactly), default=0.0)
    return Evaluation(
        (Statement("samples at Δ = 0", exactly, "≥", 1),),
        Statement("largest share of the threshold that changes nothing", same, ">", 0.0),
    )


def room_for_error(path: Path) -> Statement:
    """The share that is tried against the largest power of √10 that changes nothing."""
    exactly, share = samples_with(path, 0.0), SMALL_SHARE
    while share < 1 and samples_with(path, share * math.sqrt(10)) == exactly:
        share *= math.sqrt(10)
    return Statement("share that is tried, share that changes nothing", SMALL_SHARE, "≤", share)


@check("text-excess-vanishes-before-zero.positive-delta/same-samples", CheckKind.EXACT)
def small_error(context: Context, shares: Sequence[float] = SHARES) -> Outcome:
    """Where nothing is tied, a small Δ > 0 leaves the number of samples as it is.

    Drawn bandits; ε is half of the least loss.
    """
    return search(
        context,
        paths(),
        lambda path: small_error_evaluation(path, shares),
        (24, 400, 8000),
        near=room_for_error,
    )


TIED = ((0.2, 0.5, 0.9, 0.92), (19 / 60, 0.64, 0.92, 0.9))
"""Arms 0 and 1 have the index (7/24)² at Δ = 0, with gaps of 7/60 and 0.14."""


def tied_arms_evaluation(seed: int, Delta: float) -> Evaluation:
    """A tie of the index at Δ = 0 is broken by every Δ > 0, and the run is another one."""
    models = approximate_models(bandit(0.5, *TIED))
    asked = [query(index((0, 1), models, error))[1] for error in (0.0, Delta)]
    exactly, then = (
        run(models, seed, epsilon=0.02, Delta=error, delta=0.1, n=10_000).queries
        for error in (0.0, Delta)
    )
    return Evaluation(
        (Statement("arms asked at Δ = 0 and Δ > 0: difference", asked[1] - asked[0], "=", 1),),
        Statement("samples at Δ > 0, at Δ = 0: distance", abs(then - exactly), ">", 0),
    )


def tied_loss_evaluation(Delta: float) -> Evaluation:
    """ε equal to a loss: Δ = 0 stops at once, and every Δ > 0 has a model to discard."""
    models = approximate_models(bandit(0.0, (1.0, 0.0), (0.0, 1.0)))
    exactly, then = (run(models, 0, epsilon=1.0, Delta=error).queries for error in (0.0, Delta))
    return Evaluation(
        (Statement("samples at Δ = 0", exactly, "=", 0),),
        Statement("samples at Δ > 0", then, ">", 0),
    )


@check("text-excess-vanishes-before-zero.positive-delta/ties", CheckKind.EXACT)
def ties(_: Context, errors: Sequence[float] = (1e-4, 1e-6, 1e-8)) -> Outcome:
    """Ties have to be left out: there every small Δ > 0 changes the number of samples.

    What is left out: at ties no Δ > 0 is small enough.
    """
    evaluations = [tied_arms_evaluation(seed, Delta) for seed in range(3) for Delta in errors]
    return over_evaluations([*evaluations, *map(tied_loss_evaluation, errors)], "runs with a tie")


# Samples as a function of the number of states


@check("text-logarithmic-in-states.piecewise/same-models", CheckKind.EXACT)
def same_models(_: Context) -> Outcome:
    """The same models fall on all grids, the counts differ."""
    return from_evaluation(samples_cases.same_models_evaluation(sized_runs()))


@check("text-logarithmic-in-states.piecewise/integers", CheckKind.EXACT)
def integer_steps(_: Context) -> Outcome:
    """Counts on four grids are those of rounding up."""
    return over_evaluations(
        [samples_cases.integer_evaluation(one) for one in sized_runs()], "sizes"
    )


def growth_evaluation(runs: Sequence[Sized], slack: int = 2) -> Evaluation:
    """Samples are a + b log S up to rounding: their slope in L is the same between all sizes.

    Fewer than eight roundings go into a distance, each of a number below samples + slope·L.
    """
    first = runs[0]
    slope = 7 / 3 * first.groups
    largest = max_of(one.queries + slope * one.L for one in runs)
    off = max_of(abs(one.queries - first.queries - slope * (one.L - first.L)) for one in runs)
    return Evaluation(
        (Statement("sizes", len(runs), "≥", 2),),
        Statement(
            "largest distance from a + b log S", off, "≤", slack, tolerance=8 * ROUNDING * largest
        ),
    )


@st.composite
def layouts(draw: DrawFn) -> tuple[Rooms, tuple[int, int]]:
    """Any three corners, any doors, any of the tasks as the target, and two sizes."""
    corners = draw(st.permutations(((0, 0), (0, 1), (1, 0), (1, 1))))
    doors = tuple(draw(st.integers(0, 4)) for _ in range(3))
    sides = draw(st.tuples(st.integers(3, 5), st.integers(6, 9)))
    return Rooms(tuple(corners[:3]), doors, draw(st.integers(0, 2))), sides


@check("text-logarithmic-in-states.growth/one-layout", CheckKind.INEQUALITY)
def growth(context: Context) -> Outcome:
    """Samples on four grids are a + b log S up to rounding.

    One layout at four sizes, and drawn layouts at two.
    """
    named = from_evaluation(growth_evaluation(sized_runs()))
    if named.verdict is not Verdict.HOLDS:
        return named
    return search(
        context,
        layouts(),
        lambda drawn: growth_evaluation(sized_runs(drawn[1], drawn[0])),
        (1, 20, 500),
    )


check(
    "text-piecewise-constant-in-epsilon.zero/strict-line-2",
    CheckKind.EXACT,
    "With a strict comparison ε = 0 returns an optimal policy",
)(enters)
