"""Section 6: PTUM beside MaxQInit and PEL of `ptum.reference.experiments` (D86).

No curve is made here (`ptum.checks.reproduce` does): layouts are not given. A statement is
about the mean over all targets of a drawn layout, about one layout whose target is drawn, or about
a list of eight tasks; given the seed an instance leaves nothing to chance.

| panel   | drawn                                                                  | decision |
| ------- | ---------------------------------------------------------------------- | -------- |
| 1 left  | a door in each row, as many goals in the right room; thin wall         | D66, D69 |
| 1 right | seven goals in or near the far corners, five stable and two variable   | D70      |
| 2 right | lists of eight tasks, budgets in units of what the oracle takes        | D74-D80  |

On the right goals pay once and then nothing for the learners in episodes, and in every step for
PTUM, of which a sample is an episode (D68, D73). There a prize is 1 with its mean as probability:
were it certain, one visit of a goal would tell PEL everything about it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import Generic, TypeAlias, TypeVar

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks.claims.appendix_e.outcomes import (
    EPSILON,
    ROOMS,
    STEPS_OF_AN_EPISODE,
    episodes_for_eleven,
)
from ptum.checks.claims.appendix_e.panels import seeds, small_and_large
from ptum.checks.claims.appendix_e.runs import run
from ptum.checks.claims.appendix_e.sequence_panels import Listed, oracle, tasks_of
from ptum.checks.exact.numbers import is_above, max_of, min_of
from ptum.checks.instances.counterexamples.appendix_e.variants import EPSILON_1_RIGHT, GAMMA_1_RIGHT
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import NOTHING_ROUNDED, Evaluation, Outcome, Statement, not_met
from ptum.reference.arrays import Floats, Ints, sealed
from ptum.reference.experiments.episodes import (
    Learner,
    OnlineTask,
    online,
    paid_once,
    policies,
    steps_until,
)
from ptum.reference.experiments.grid import Grid
from ptum.reference.experiments.layouts import goals_near_corners
from ptum.reference.experiments.pel import KnownModels, Pel, known_models
from ptum.reference.experiments.rmax import Rmax, maxqinit_table
from ptum.reference.experiments.two_rooms import Payment, goal_grid, two_rooms
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, mean_reward
from ptum.reference.tasks.models import approximate_models
from ptum.reference.tasks.values import optimal_value, policy_value, value_tolerance
from ptum.reference.transfer.ptum import End
from ptum.spec.vocabulary import CheckKind

T = TypeVar("T")
GridCell: TypeAlias = tuple[int, int]
InitialTable: TypeAlias = Callable[[Sequence[MDP], int], Floats]
"""What MaxQInit starts from, given all tasks and which is the target."""
Identifier: TypeAlias = Callable[[KnownModels], Pel]


def optimistic(tasks: Sequence[MDP], _: int) -> Floats:
    """The largest value over all tasks, whichever is the target."""
    return _largest(tuple(tasks))


@lru_cache(maxsize=4)
def _largest(tasks: tuple[MDP, ...]) -> Floats:
    """Solved once for all targets."""
    return sealed(maxqinit_table(tasks))


@dataclass(frozen=True)
class Layouts(Generic[T]):
    """Instances of a panel: small ones, drawn with seeds for their runs, and some of its size."""

    small: Callable[[SearchStrategy[int]], SearchStrategy[T]]
    of_panel: Callable[[int], Sequence[T]]

    def searched(
        self,
        context: Context,
        evaluation: Callable[[T], Evaluation],
        examples: tuple[int, int, int],
        of_panel: int,
    ) -> Outcome:
        """So many small ones, by profile, and in the deep one so many of the panel's size."""
        large = self.of_panel(context.count(0, 0, of_panel))
        small = self.small(seeds(context))
        return small_and_large(context, small, evaluation, context.count(*examples), large)


# Figure 1 left: a door in each row

KNOWN_LEFT, GAMMA_LEFT, EPISODES_LEFT = 10, 0.99, 100
GOOD = 0.9
"""Share of the optimum from which on a policy counts as having found the goal.

Fixed after a look at where it matters: of sixty drawn layouts any share from 0.8 to 0.95 tells the
same. On 2×2 cells a policy that runs into the wall for ever gets through by failed actions and is
worth 0.71 of the optimum, so that with 0.7 both learners may be done before their first step; with
0.99 MaxQInit, which plans with the distributions of ten samples, is hardly ever done.
"""
RUNS = 4
"""Of each target, for a mean over 8 runs at least, on 2×2 cells."""


@stored
@dataclass(frozen=True)
class Maze:
    """Task i has goal i, in the right room, and its door in row `doors[i]`; one for every row."""

    side: int
    goals: tuple[GridCell, ...]
    doors: tuple[int, ...]
    seed: int

    def tasks(self) -> tuple[MDP, ...]:
        """With the discount of the panel."""
        return maze_tasks(self.side, self.goals, self.doors)

    def stream(self, *key: int) -> np.random.Generator:
        """Randomness for one run."""
        return np.random.default_rng([self.seed, *key])


@lru_cache(maxsize=4)
def maze_tasks(side: int, goals: tuple[GridCell, ...], doors: tuple[int, ...]) -> tuple[MDP, ...]:
    """One for each goal and its door."""
    places = zip(goals, doors, strict=True)
    return tuple(two_rooms(side, side, door, goal, GAMMA_LEFT) for goal, door in places)


@lru_cache(maxsize=4)
def known_to_pel(tasks: tuple[MDP, ...]) -> tuple[tuple[OnlineTask, ...], KnownModels]:
    """The tasks in episodes, and all of them as PEL knows them."""
    answering = tuple(online(task) for task in tasks)
    return answering, known_models(answering, tasks)


def right_room(side: int) -> list[GridCell]:
    """Its cells."""
    return [(row, column) for row in range(side) for column in range(side // 2, side)]


@st.composite
def mazes(draw: DrawFn, seeds: SearchStrategy[int]) -> Maze:
    """Two to four rows; any different goals in the right room, any order of the doors."""
    side = draw(st.integers(2, 4))
    goals = draw(st.permutations(right_room(side)))[:side]
    return Maze(side, tuple(goals), tuple(draw(st.permutations(range(side)))), draw(seeds))


def mazes_of_panel(number: int) -> list[Maze]:
    """Twelve goals and twelve doors on the grid of the panel."""
    found = []
    for seed in range(number):
        rng, cells = np.random.default_rng(seed), right_room(ROOMS)
        goals = tuple(cells[int(place)] for place in rng.permutation(len(cells))[:ROOMS])
        doors = tuple(int(row) for row in rng.permutation(ROOMS))
        found.append(Maze(ROOMS, goals, doors, seed))
    return found


MAZES = Layouts(mazes, mazes_of_panel)


@dataclass(frozen=True)
class Starts:
    """Steps until the policy in use is good, over all targets; and how often PEL lost the truth."""

    maxqinit: int
    pel: int
    lost: int


def starts(maze: Maze, initial: InitialTable = optimistic, identifier: Identifier = Pel) -> Starts:
    """Every target once, each learner with episodes of its own."""
    tasks = maze.tasks()
    answering, known = known_to_pel(tasks)
    most = EPISODES_LEFT * STEPS_OF_AN_EPISODE
    totals, lost = [0, 0], 0
    for target, task in enumerate(answering):
        enough = good_worth(task, known, target)
        pel = identifier(known)
        learners: tuple[Learner, ...] = (Rmax(task, initial(tasks, target), KNOWN_LEFT), pel)
        for place, learner in enumerate(learners):
            reached = partial(_is_worth, task, learner, enough)
            rng = maze.stream(target, place)
            totals[place] += steps_until(task, learner, STEPS_OF_AN_EPISODE, rng, most, reached)
        lost += target not in pel.active
    return Starts(totals[0], totals[1], lost)


def good_worth(task: OnlineTask, known: KnownModels, target: int) -> float:
    """What a good policy is worth in the target, rounding allowed for."""
    rounded = value_tolerance(known.V_star[target], task.gamma)
    return GOOD * task.value(known.pi_star[target]) - rounded


def _is_worth(task: OnlineTask, learner: Learner, enough: float) -> bool:
    return not is_above(enough, task.value(learner.policy))


def _names_one(pel: Pel) -> bool:
    return len(pel.active) == 1


def samples_of_ptum(maze: Maze) -> float:
    """PTUM on every target, with the numbers of the panel; ∞ if a policy is not good."""
    answering, known = known_to_pel(maze.tasks())
    models, total = approximate_models(maze.tasks()), 0
    for target, task in enumerate(answering):
        found = run(models, maze.seed, epsilon=0.1, target=target)
        enough = good_worth(task, known, target)
        if found.policy is None or is_above(enough, task.value(found.policy)):
            return math.inf
        total += found.queries
    return total


def delayed_evaluation(
    maze: Maze, initial: InitialTable = optimistic, identifier: Identifier = Pel
) -> Evaluation:
    """PEL has a good policy before MaxQInit has one, on average over the targets.

    On the grid of the panel so has PTUM, a sample being a step (D73). Its samples per rival hardly
    shrink with the grid (65 there, 53 on 2×2), while the pairs that MaxQInit has to know do; hence
    not on small ones.
    """
    seen = starts(maze, initial, identifier)
    identified = max_of((seen.pel, samples_of_ptum(maze))) if maze.side == ROOMS else seen.pel
    return Evaluation(
        (Statement("targets that PEL dropped", seen.lost, "=", 0),),
        Statement(
            "steps until identification, until MaxQInit's policy is good, over all targets",
            identified,
            "<",
            seen.maxqinit,
            tolerance=NOTHING_ROUNDED,
        ),
    )


@check("figure-1-left.jumpstart-delayed/stand-ins", CheckKind.INEQUALITY)
def delayed(context: Context, initial: InitialTable = optimistic) -> Outcome:
    """A door per row: MaxQInit's policy is good later than that of PEL, over all targets."""
    evaluation = partial(delayed_evaluation, initial=initial)
    return MAZES.searched(context, evaluation, (3, 12, 600), of_panel=2)


def instant_evaluation(maze: Maze, identifier: Identifier = Pel) -> Evaluation:
    """The mean number of steps until one model is left, at this pace for eleven rivals.

    Left of the wall tasks differ in nothing but where it can be crossed.
    """
    answering, known = known_to_pel(maze.tasks())
    most = EPISODES_LEFT * STEPS_OF_AN_EPISODE
    total = lost = 0
    for (target, task), number in itertools.product(enumerate(answering), range(RUNS)):
        pel, rng = identifier(known), maze.stream(target, number)
        one_left = partial(_names_one, pel)
        total += steps_until(task, pel, STEPS_OF_AN_EPISODE, rng, most, one_left)
        lost += target not in pel.active
    taken = episodes_for_eleven(total, (known.k - 1) * known.k * RUNS, STEPS_OF_AN_EPISODE)
    return Evaluation(
        (Statement("runs in which PEL dropped the target", lost, "=", 0),),
        Statement(
            "episodes until PEL has one model left, for eleven rivals, on average",
            taken,
            "≤",
            1.0,
            tolerance=NOTHING_ROUNDED,  # as in `outcomes.episodes_evaluation`
        ),
    )


@check("text-identification-fast.pel-instant/stand-ins", CheckKind.INEQUALITY)
def instant(context: Context) -> Outcome:
    """A door per row: on average PEL has one model left within an episode of 100 steps.

    Mazes, more of them: PEL alone is soon done.
    """
    return MAZES.searched(context, instant_evaluation, (6, 40, 1000), of_panel=5)


# Figure 1 right: goals near the corners

KNOWN_RIGHT, EPISODES_RIGHT = 240, 1000
TASKS_RIGHT, NEAREST = 7, (3, 4)
BEST, BEST_OF_RIVAL = 80, 81
STABLE, INFORMATIVE, ELSEWHERE = (77, 79), (10, 20), (65, 79)
"""In hundredths, where a goal is not the best of the task: what a stable one pays in all tasks, and
what a variable one pays in the target and in the other tasks."""
FIRST, HIGH = 10, 0.75
"""Episodes that are the start of a curve, and the share of the optimum that is a high return.

Ten are a hundredth of the axis; with one or with a hundred the least share that was seen is the
same. By the rewards above a learner that goes for a stable goal earns 77/80 of the optimum or more,
up to discounting, and one that goes for a poor variable goal 20/80 at most: any share between tells
them apart, and three quarters leaves the larger half to what is low.
"""


@stored
@dataclass(frozen=True)
class Purse:
    """Rewards of seven goals in seven tasks, in hundredths; task 0 is the target.

    `best[i]` is the best goal of task i. All other entries are those of `stable`, the same in every
    task, but for the two `variable` goals: `informative` has their rewards in the target, and
    `elsewhere` those in the six other tasks.
    """

    side: int
    best: tuple[int, ...]
    stable: tuple[int, ...]
    variable: tuple[int, int]
    informative: tuple[int, int]
    elsewhere: tuple[tuple[int, ...], ...]
    seed: int

    def rewards(self) -> Floats:
        """Entry [task, goal]."""
        table = np.tile(np.array(self.stable), (TASKS_RIGHT, 1))
        for place, goal in enumerate(self.variable):
            table[:, goal] = (self.informative[place], *self.elsewhere[place])
        table[np.arange(TASKS_RIGHT), self.best] = (BEST, *(BEST_OF_RIVAL,) * (TASKS_RIGHT - 1))
        rewards: Floats = table / 100
        return rewards


def hundredths(least: int, largest: int, number: int) -> SearchStrategy[tuple[int, ...]]:
    """So many rewards."""
    return st.tuples(*[st.integers(least, largest)] * number)


@st.composite
def purses(draw: DrawFn, seeds: SearchStrategy[int]) -> Purse:
    """On 4×4 cells, the smallest grid that has a way around; the nearest goals are stable."""
    far = [goal for goal in range(TASKS_RIGHT) if goal not in NEAREST]
    variable = draw(st.permutations(far))
    low = draw(hundredths(*INFORMATIVE, 2))
    return Purse(
        side=4,
        best=tuple(draw(st.permutations(range(TASKS_RIGHT)))),
        stable=draw(hundredths(*STABLE, TASKS_RIGHT)),
        variable=(variable[0], variable[1]),
        informative=(low[0], low[1]),
        elsewhere=draw(st.tuples(*[hundredths(*ELSEWHERE, TASKS_RIGHT - 1)] * 2)),
        seed=draw(seeds),
    )


def purses_of_panel(number: int) -> list[Purse]:
    """On 12×12 cells."""
    found = []
    for seed in range(number):
        rng = np.random.default_rng(seed)
        variable = rng.permutation([g for g in range(TASKS_RIGHT) if g not in NEAREST])
        low = rng.integers(INFORMATIVE[0], INFORMATIVE[1] + 1, size=2)
        others = rng.integers(ELSEWHERE[0], ELSEWHERE[1] + 1, size=(2, TASKS_RIGHT - 1))
        found.append(
            Purse(
                side=ROOMS,
                best=tuple(rng.permutation(TASKS_RIGHT).tolist()),
                stable=tuple(rng.integers(STABLE[0], STABLE[1] + 1, size=TASKS_RIGHT).tolist()),
                variable=(int(variable[0]), int(variable[1])),
                informative=(int(low[0]), int(low[1])),
                elsewhere=tuple(tuple(row) for row in others.tolist()),
                seed=seed,
            )
        )
    return found


PURSES = Layouts(purses, purses_of_panel)


@dataclass(frozen=True, eq=False)
class PurseTasks:
    """The seven tasks of a purse: as MDPs that pay once, in episodes, and as PEL knows them."""

    tasks: tuple[MDP, ...]
    answering: tuple[OnlineTask, ...]
    known: KnownModels

    @property
    def target(self) -> OnlineTask:
        """Task 0, in episodes."""
        return self.answering[0]

    @property
    def steps(self) -> int:
        """Of an episode: 100 on the grid of the panel, in proportion to the side on others."""
        return STEPS_OF_AN_EPISODE * math.isqrt(self.target.S) // ROOMS

    @cached_property
    def optimum(self) -> float:
        """What the best policy of the target is worth."""
        return self.target.value(self.known.pi_star[0])

    @cached_property
    def best_of_rivals(self) -> float:
        """What the best of the other tasks' policies is worth in the target."""
        return max_of(self.target.value(pi) for pi in self.known.pi_star[1:])

    def converged(self, pi: Ints) -> bool:
        """Whether a policy is nearer to the optimum than to the best policy of a rival."""
        return not is_above((self.optimum + self.best_of_rivals) / 2, self.target.value(pi))


@lru_cache(maxsize=2)
def corners(purse: Purse) -> PurseTasks:
    """Solved."""
    grid, cells = Grid(purse.side, purse.side), goals_near_corners(purse.side)
    states = [grid.state(cell) for cell in cells]
    tasks, answering = [], []
    for rewards in purse.rewards():
        prizes = dict(zip(cells, rewards.tolist(), strict=True))
        task = goal_grid(grid, prizes, GAMMA_1_RIGHT, payment=Payment.ON_ARRIVAL)
        prize = np.zeros(grid.S)
        prize[states] = rewards
        tasks.append(task)
        answering.append(paid_once(task, prize, states))
    return PurseTasks(tuple(tasks), tuple(answering), known_models(answering, tasks))


def paid_for_ever(purse: Purse) -> list[MDP]:
    """The models of PTUM: a goal pays 1 in every step with the probability that is its prize."""
    grid, cells = Grid(purse.side, purse.side), goals_near_corners(purse.side)
    found = []
    for rewards in purse.rewards():
        prizes = dict(zip(cells, rewards.tolist(), strict=True))
        task = goal_grid(grid, prizes, GAMMA_1_RIGHT)
        found.append(bernoulli_rewards(task.p, mean_reward(task), task.gamma))
    return found


def episodes_of_ptum(purse: Purse, place: PurseTasks) -> float:
    """Samples until PTUM stops, an episode each; never if its policy has not converged."""
    found = run(approximate_models(paid_for_ever(purse)), purse.seed, epsilon=EPSILON_1_RIGHT)
    good = found.policy is not None and place.converged(found.policy)
    return found.queries if good and found.end is End.STOPPED else math.inf


def episodes_until_converged(place: PurseTasks, learner: Learner, seed: Sequence[int]) -> int:
    """Episodes before the first that begins with a converged policy; 1000 are all there are."""
    rng, last, good = np.random.default_rng(list(seed)), None, False
    begun = policies(place.target, learner, place.steps, rng)
    for number, pi in enumerate(itertools.islice(begun, EPISODES_RIGHT)):
        if pi is not last:
            last, good = pi, place.converged(pi)
        if good:
            return number
    return EPISODES_RIGHT


def learners_in(
    place: PurseTasks, initial: InitialTable, identifier: Identifier
) -> tuple[Learner, Learner]:
    """MaxQInit and PEL before their first step."""
    maxqinit = Rmax(place.target, initial(place.tasks, 0), KNOWN_RIGHT)
    return maxqinit, identifier(place.known)


LEAST_GAP = 0.002
"""What the best policy of a rival must lose, or there is hardly a better one to converge to.

Of 300 layouts 76 have a loss below 0.0005: the best goal of the target is not worth its way past
poor ones, and the target's own policy ends elsewhere, as that of some rival does. On 211 it is
above 0.002, mostly near a hundredth, and the policy ends in the best goal with probability 0.87 or
more. The number parts the two; only 13 layouts lie between.
"""


def converges_evaluation(
    purse: Purse, initial: InitialTable = optimistic, identifier: Identifier = Pel
) -> Evaluation:
    """PTUM returns the best policy before either learner has one.

    Optimism goes elsewhere first: some rival promises more at every goal but the best one.
    """
    place = corners(purse)
    gap = place.optimum - place.best_of_rivals
    premises = (Statement("loss of the best of the rivals' policies", gap, ">", LEAST_GAP),)
    if not premises[0].holds:
        return not_met(premises)
    others = [
        episodes_until_converged(place, learner, (purse.seed, number))
        for number, learner in enumerate(learners_in(place, initial, identifier))
    ]
    return Evaluation(
        premises,
        Statement(
            "episodes until PTUM converges, until PEL or MaxQInit does",
            episodes_of_ptum(purse, place),
            "<",
            min_of(others),
            tolerance=NOTHING_ROUNDED,
        ),
    )


@check("figure-1-right.convergence/stand-ins", CheckKind.INEQUALITY)
def converges(context: Context) -> Outcome:
    """Random prizes, stable goals alike: PTUM finds the best one before PEL and MaxQInit.

    Purses, few of them: up to 1000 episodes for each learner.
    """
    return PURSES.searched(context, converges_evaluation, (3, 8, 500), of_panel=3)


def start_of(place: PurseTasks, learner: Learner, seed: Sequence[int]) -> float:
    """Mean over the first episodes of what is earned by the policy with which they begin."""
    rng, steps = np.random.default_rng(list(seed)), place.steps
    begun = itertools.islice(policies(place.target, learner, steps, rng), FIRST)
    return float(np.mean([place.target.expected_return(pi, steps) for pi in begun]))


def high_start_evaluation(
    purse: Purse, initial: InitialTable = optimistic, identifier: Identifier = Pel
) -> Evaluation:
    """Both learners begin with three quarters of the optimum or more."""
    place = corners(purse)
    begins = [
        start_of(place, learner, (purse.seed, number))
        for number, learner in enumerate(learners_in(place, initial, identifier))
    ]
    tolerance = 2 * value_tolerance(place.known.V_star, GAMMA_1_RIGHT)
    return Evaluation(
        (),
        Statement(
            "least of what PEL and MaxQInit earn at first, against three quarters of the optimum",
            min_of(begins),
            "≥",
            HIGH * place.optimum,
            tolerance=tolerance,
        ),
    )


@check("figure-1-right.jumpstart/stand-ins", CheckKind.INEQUALITY)
def high_start(context: Context) -> Outcome:
    """PEL and MaxQInit begin with three quarters of the optimum.

    Purses, with ten episodes for each learner.
    """
    return PURSES.searched(context, high_start_evaluation, (4, 20, 800), of_panel=3)


# Figure 2 right: lists of eight tasks

KNOWN_SEQUENTIAL, STEPS_SEQUENTIAL, PAIRS_OF_PANEL = 100, 10, 100
LEAST_FACTOR, LARGEST_FACTOR = 5, 10
NEAR = EPSILON / 5
"""What is clearly below, for a mean loss over a list.

The most that policies of PTUM were seen to lose in their worst state, on average over a list. With
ε in its place 4 of 800 lists on 3×3 cells fail, and 11 of 299 on 2×2.
"""


@stored
@dataclass(frozen=True)
class Budgeted:
    """A list of eight tasks, and the budget for 100 pairs in units of the oracle's mean samples."""

    listed: Listed
    factor: int = LARGEST_FACTOR


def largest_budgets(seeds: SearchStrategy[int]) -> SearchStrategy[Budgeted]:
    """Lists of Figure 2 on 3×3 cells."""
    return st.builds(Budgeted, st.builds(Listed, st.just(2), st.just(3), seeds))


def any_budgets(seeds: SearchStrategy[int]) -> SearchStrategy[Budgeted]:
    """The same with any budget that the text admits."""
    factors = st.integers(LEAST_FACTOR, LARGEST_FACTOR)
    return st.builds(replace, largest_budgets(seeds), factor=factors)


def lists_of_panel(number: int) -> list[Budgeted]:
    """On 5×5 cells, with the least and the largest budget in turn."""
    factors = (LARGEST_FACTOR, LEAST_FACTOR)
    return [Budgeted(Listed(2, 5, seed), factors[seed % 2]) for seed in range(number)]


LARGEST_BUDGETS = Layouts(largest_budgets, lists_of_panel)
ANY_BUDGETS = Layouts(any_budgets, lists_of_panel)


def losses_of_maxqinit(drawn: Budgeted, oracles: int, initial: InitialTable = optimistic) -> Floats:
    """Entry [task, s]: what the last policy for a task of the list loses from state s.

    Episodes of ten steps begin anywhere, as those that returns are estimated with (D82). On fewer
    than the 100 pairs of the panel the budget (D80) is smaller in proportion: the oracle's samples
    hardly depend on the grid, and would let MaxQInit know every pair of a small one.
    """
    tasks = tasks_of(drawn.listed)
    pairs = tasks[0].S * tasks[0].A
    budget = drawn.factor * oracles * pairs // (len(tasks) * PAIRS_OF_PANEL)
    found = []
    for target, task in enumerate(tasks):
        answering = online(task, range(task.S))
        learner = Rmax(answering, initial(tasks, target), KNOWN_SEQUENTIAL)
        rng = np.random.default_rng([drawn.listed.seed, target])
        steps_until(answering, learner, STEPS_SEQUENTIAL, rng, max(budget, 1))
        found.append(optimal_value(task) - policy_value(task, learner.policy))
    losses: Floats = np.stack(found)
    return losses


def rounding_of(drawn: Budgeted) -> float:
    """A loss is the difference of two values."""
    tasks = tasks_of(drawn.listed)
    return max_of(2 * value_tolerance(optimal_value(task), task.gamma) for task in tasks)


def losing_evaluation(
    drawn: Budgeted,
    initial: InitialTable,
    told: str,
    of_all: Callable[[Floats], float],
    more_than: float,
) -> Evaluation:
    """Of eight policies of MaxQInit the mean or the largest loss is above a number."""
    oracles = oracle(drawn.listed)
    losses = losses_of_maxqinit(drawn, oracles, initial)
    return Evaluation(
        (Statement("samples of the oracle", oracles, "≥", 1),),
        Statement(told, of_all(losses), ">", more_than, tolerance=rounding_of(drawn)),
    )


def below_evaluation(drawn: Budgeted, initial: InitialTable = optimistic) -> Evaluation:
    """From an average state MaxQInit loses more than PTUM was seen to lose from its worst."""
    told = "mean loss of eight policies of MaxQInit, over all states"
    return losing_evaluation(drawn, initial, told, lambda losses: float(losses.mean()), NEAR)


@check("figure-2-right.maxqinit/stand-ins", CheckKind.INEQUALITY)
def below(context: Context, initial: InitialTable = optimistic) -> Outcome:
    """Drawn lists: MaxQInit loses more than ε/5 on average over tasks and states.

    Lists with the largest budget; a small one takes a quarter of a second.
    """
    evaluation = partial(below_evaluation, initial=initial)
    return LARGEST_BUDGETS.searched(context, evaluation, (1, 3, 400), of_panel=20)


def not_all_near_evaluation(drawn: Budgeted, initial: InitialTable = optimistic) -> Evaluation:
    """Some policy of the list is not ε-optimal."""
    told = f"largest loss of eight policies of MaxQInit, factor {drawn.factor} of the budget"
    return losing_evaluation(drawn, initial, told, lambda losses: float(losses.max()), EPSILON)


@check("text-maxqinit-budget.not-near-optimal/stand-ins", CheckKind.INEQUALITY)
def not_all_near(context: Context) -> Outcome:
    """Drawn lists, 5 to 10 times the oracle's samples per 100 pairs: not all are ε-optimal."""
    return ANY_BUDGETS.searched(context, not_all_near_evaluation, (1, 3, 400), of_panel=20)
