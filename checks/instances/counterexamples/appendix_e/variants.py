"""Against the panels of goals that pay once and of static transfer (errata E53, E55)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import ExactHMM, Matrix
from ptum.checks.exact.intervals import UndecidedError, written
from ptum.checks.exact.mdp import Vector, inner
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.shared.shown import cells, meant
from ptum.checks.instances.counterexamples.shared.triples import mean
from ptum.checks.instances.families import hmms
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.experiments.grid import Grid
from ptum.reference.experiments.two_rooms import Payment, goal_grid
from ptum.reference.repaired.sequential.spectral import learn_within_task
from ptum.reference.sequential.hmm import population_moments
from ptum.reference.sequential.spectral import HmmEstimate, learn_from_moments
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import approximate_models

# Figure 1 right with goals that pay once (erratum E55): every policy is ε-optimal.
#
# A 12×12 grid with seven goals, of which each task has its own best one; γ = 0.9999. Paid on
# arrival, no value exceeds 0.81, so at ε = 1 the first iteration stops and nothing is sampled.
#
# That needs no solver: the largest prize in every cell but the goals, and nothing in the goals, is
# a table V with r + γPV ≤ V, hence V* ≤ V. Where PTUM has to ask, a solver in doubles only proposes
# values; how far they are from being right follows from their Bellman residuals, in rationals.

ONCE = Payment.ON_ARRIVAL
SIDE = 12
Interval = tuple[Fraction, Fraction]
GOALS = ((0, 11), (11, 0), (11, 11), (0, 10), (10, 0), (11, 10), (10, 11))
"""In the corners or next to them; the agent starts in the remaining corner (D70)."""
GAMMA_1_RIGHT, EPSILON_1_RIGHT = 0.9999, 1.0


@dataclass(frozen=True)
class Prizes:
    """What the best goal of task 0, the best goal of another task, and any other goal pays."""

    target: float = 0.8
    rival: float = 0.81
    rest: float = 0.1


PRINTED_PRIZES = Prizes()


def goals_of(side: int) -> tuple[tuple[int, ...], ...]:
    """The goals, as far from the last row and column as on the 12×12 grid."""
    last = side - 1
    return tuple(tuple(last - (11 - x) if x >= 10 else x for x in goal) for goal in GOALS)


def seven_tasks(
    payment: Payment,
    side: int = SIDE,
    gamma: float = GAMMA_1_RIGHT,
    prizes: Prizes = PRINTED_PRIZES,
) -> list[MDP]:
    """Task 0 has a best goal of 0.8, each other one another best goal of 0.81."""
    grid, goals = Grid(side, side), goals_of(side)
    tasks = []
    for best in range(len(goals)):
        prize = prizes.target if best == 0 else prizes.rival
        rewards = {
            (row, column): prize if number == best else prizes.rest
            for number, (row, column) in enumerate(goals)
        }
        tasks.append(goal_grid(grid, rewards, gamma, payment=payment))
    return tasks


@dataclass(frozen=True)
class Sparse:
    """A task in rational numbers: for every pair its mean reward and its possible next states."""

    r: tuple[Vector, ...]
    leads: tuple[tuple[tuple[tuple[int, Fraction], ...], ...], ...]
    gamma: Fraction

    def action_value(self, s: int, a: int, V: Sequence[Fraction]) -> Fraction:
        """r(s,a) + γ Σ p(s'|s,a) V(s')."""
        ahead = sum((p * V[t] for t, p in self.leads[s][a]), Fraction(0))
        return self.r[s][a] + self.gamma * ahead

    def never_gains(self, V: Sequence[Fraction]) -> bool:
        """Whether r + γPV ≤ V at every pair, so that V* ≤ V."""
        pairs = ((s, a) for s, row in enumerate(self.r) for a in range(len(row)))
        return all(self.action_value(s, a, V) <= V[s] for s, a in pairs)

    def value_of(self, policy: Sequence[int], guess: Sequence[Fraction], s: int) -> Interval:
        """Bounds on V^π(s): residuals of a guess, over 1-γ."""
        off = [self.action_value(t, policy[t], guess) - guess[t] for t in range(len(guess))]
        scale = 1 - self.gamma
        return guess[s] + min(off) / scale, guess[s] + max(off) / scale


def rational(task: MDP) -> Sparse:
    """The task that is meant by its doubles."""
    u = tuple(map(meant, task.u.tolist()))
    q = task.q.tolist()
    p = task.p.tolist()
    return Sparse(
        r=tuple(
            tuple(inner(tuple(map(meant, distribution)), u) for distribution in row) for row in q
        ),
        leads=tuple(
            tuple(
                tuple((t, meant(x)) for t, x in enumerate(distribution) if x > 0)
                for distribution in row
            )
            for row in p
        ),
        gamma=written(task.gamma),
    )


@cache
def rational_tasks(payment: Payment, side: int, prizes: Prizes) -> tuple[Sparse, ...]:
    """All seven."""
    return tuple(rational(task) for task in seven_tasks(payment, side, prizes=prizes))


def policies_that_stop(payment: Payment, epsilon: Fraction, side: int, prizes: Prizes) -> int:
    """How many models have a policy that loses at most ε in every model, Δ = 0: all, or none."""
    tasks = rational_tasks(payment, side, prizes)
    largest = max(map(written, (prizes.target, prizes.rival, prizes.rest)))
    absorbing = [
        all(row == ((s, Fraction(1)),) for row in rows) for s, rows in enumerate(tasks[0].leads)
    ]
    ceiling = [Fraction(0) if ends else largest for ends in absorbing]
    if largest <= epsilon and all(task.never_gains(ceiling) for task in tasks):
        return len(tasks)  # values lie between 0 and the largest prize
    if all(loss > epsilon for loss in least_losses(payment, side, prizes)):
        return 0
    raise UndecidedError("some policies may stop")


@cache
def least_losses(payment: Payment, side: int, prizes: Prizes) -> tuple[Fraction, ...]:
    """For the policy of every model, a loss in some model that it surely has."""
    models = approximate_models(seven_tasks(payment, side, prizes=prizes))
    tasks = rational_tasks(payment, side, prizes)
    found = []
    for theta in range(models.k):
        losses = models.V_star - models.V_pi[:, theta]
        other, s = divmod(int(losses.argmax()), models.S)
        best, worse = (
            tasks[other].value_of(policy.tolist(), [Fraction(x) for x in guess.tolist()], s)
            for policy, guess in (
                (models.pi_star[other], models.V_star[other]),
                (models.pi_star[theta], models.V_pi[other, theta]),
            )
        )
        found.append(best[0] - worse[1])
    return tuple(found)


def evaluation(
    payment: Payment,
    epsilon: float = EPSILON_1_RIGHT,
    side: int = SIDE,
    prizes: Prizes = PRINTED_PRIZES,
) -> Evaluation:
    """PTUM does not stop in its first iteration, although some pair tells the tasks apart."""
    tasks = rational_tasks(payment, side, prizes)
    tables = [[r for row in task.r for r in row] for task in tasks]
    apart = max(max(column) - min(column) for column in zip(*tables, strict=True))
    return Evaluation(
        premises=(
            Statement("largest reward", max(map(max, tables)), "≤", Fraction(81, 100)),
            Statement("rewards of the tasks at a pair differ by at most", apart, ">", 0),
        ),
        conclusion=Statement(
            "policies that stop the first iteration",
            policies_that_stop(payment, written(epsilon), side, prizes),
            "=",
            0,
        ),
    )


@dataclass(frozen=True)
class Goals:
    """When goals pay, ε, the side of the grid and the prizes; repaired, when they should pay."""

    payment: Payment = ONCE
    epsilon: float = EPSILON_1_RIGHT
    side: int = SIDE
    prizes: Prizes = PRINTED_PRIZES
    repaired: Payment = Payment.IN_GOAL

    def evaluation(self) -> Evaluation:
        """The claim about these goals."""
        return evaluation(self.payment, self.epsilon, self.side, self.prizes)

    def repaired_evaluation(self) -> Evaluation:
        """The same where they pay as they should."""
        return evaluation(self.repaired, self.epsilon, self.side, self.prizes)


def paid_once_numbers(goals: Goals) -> Numbers:
    """The tasks, and when goals pay."""
    side, epsilon, rest = goals.side, goals.epsilon, written(goals.prizes.rest)
    first, *others = ((row, column) for row, column in goals_of(side))
    pays = {first: written(goals.prizes.target), **dict.fromkeys(others, rest)}
    return (
        ("grid", f"{side}×{side}, start in (0,0)"),
        *cells("rewards of task 0", Grid(side, side), pays),
        ("best goal of task j, another one for every j", written(goals.prizes.rival)),
        ("its other goals", rest),
        ("paid", "on arrival, once"),
        ("γ", written(GAMMA_1_RIGHT)),
        ("ε", written(epsilon)),
        ("Δ", 0),
    )


declare(
    check="text-informative-goals.ptum-samples/paid-once",
    says="Goals that pay once: every policy stops the first iteration",
    instance=Goals(),
    evaluate=Goals.evaluation,
    numbers=paid_once_numbers,
    fix="ε = 0.1",
    fixed=Goals(epsilon=0.1),
    broken={
        "largest reward": Goals(side=6, prizes=Prizes(rival=0.9)),
        "rewards of the tasks at a pair differ by at most": Goals(
            side=6, prizes=Prizes(0.8, 0.8, 0.8)
        ),
    },
    repaired=Goals.repaired_evaluation,
    in_scope=Goals(epsilon=0.5, side=6, repaired=ONCE),
)


# Algorithm 3 on independent tasks is not the method for static transfer (erratum E53).
#
# Two tasks, each drawn with probability 1/2 whatever came before. Exact moments between views of
# different tasks have rank one, so Algorithm 3 returns nothing; views inside a task show both.

RESTARTS, STEPS = 30, 30
HALF = Fraction(1, 2)
TASKS = exact.matrix(
    (("0.9", "0.2"), ("0.1", "0.8"), ("0.8", "0.3"), ("0.2", "0.7"), (1, 1), (1, 1))
)
"""Columns of O: one state, two actions, two rewards."""


def sticky(stay: Fraction = HALF, columns: Matrix = TASKS) -> ExactHMM:
    """Two tasks that are kept with the given chance; 1/2 makes them independent."""
    return ExactHMM(columns, hmms.sticky(stay), (HALF, HALF))


def printed_evaluation(hmm: ExactHMM) -> Evaluation:
    """Algorithm 3 learns O from independent tasks, as a method with views inside a task does."""
    rank = exact.rank(exact.moments(hmm).M_2)
    if _finds_an_estimate(hmm) != (rank == hmm.k):
        raise AssertionError(f"M_2 has rank {rank}, and the literal code disagrees")
    return Evaluation(
        (Statement("rank O", exact.rank(hmm.O), "=", 2),),
        Statement("rank of M_2, from which k tasks are learned", rank, "=", 2),
    )


def _finds_an_estimate(hmm: ExactHMM) -> bool:
    """The literal lines 5-10, in doubles, on the same moments."""
    literal = exact.rounded(hmm)
    moments = population_moments(literal, literal.initial)
    found = learn_from_moments(moments, hmm.k, RESTARTS, STEPS, np.random.default_rng(0))
    return isinstance(found, HmmEstimate)


def within_evaluation(tasks: Sequence[int]) -> Evaluation:
    """Three views inside each task show O, whatever the sequence of tasks."""
    columns = exact.transpose(TASKS)
    views = tuple(columns[task] for task in tasks)
    rank = exact.rank(mean(views, views))
    batches = np.stack([exact.as_floats(views)] * 3)
    found = learn_within_task(batches, 2, RESTARTS, STEPS, np.random.default_rng(0))
    if isinstance(found, HmmEstimate) != (rank == len(columns)):
        raise AssertionError(f"the moment has rank {rank}, and the literal code disagrees")
    return Evaluation(
        (Statement("tasks that occur", len(set(tasks)), "=", 2),),
        Statement("rank of the moment of two views within tasks", rank, "=", 2),
    )


@dataclass(frozen=True)
class ModelAndSequence:
    """A model of the tasks, and a sequence of them."""

    hmm: ExactHMM
    sequence: tuple[int, ...] = (0, 1, 1, 0)


def static_variant_numbers(tasks: ModelAndSequence) -> Numbers:
    """One state, two actions, two rewards."""
    hmm = tasks.hmm
    return (
        ("sequence of tasks, for three views inside each", tasks.sequence),
        ("O, one column per task", hmm.O),
        ("T, column θ' to row θ", hmm.T),
        ("distribution of the first task", hmm.first),
    )


def _twins() -> Matrix:
    first = exact.transpose(TASKS)[0]
    return exact.transpose((first, first))


declare(
    check="text-static-reduces-to-azar.same/independent-tasks",
    says="Algorithm 3 has no estimate for independent tasks, even from exact moments",
    instance=ModelAndSequence(sticky()),
    evaluate=lambda tasks: printed_evaluation(tasks.hmm),
    numbers=static_variant_numbers,
    fix="tasks that are kept with probability 0.9",
    fixed=ModelAndSequence(sticky(Fraction(9, 10))),
    broken={"rank O": ModelAndSequence(sticky(columns=_twins()))},
    repaired=lambda tasks: within_evaluation(tasks.sequence),
    in_scope=ModelAndSequence(sticky(), (1, 0, 0, 0, 0, 1, 0)),
)
