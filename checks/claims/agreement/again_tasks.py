"""Tasks, ways through them, learners that act online, and what counts as rounding, done twice."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ptum.checks.claims.agreement.again import Pairs, again
from ptum.checks.claims.agreement.again_estimates import ListedSamples, takes
from ptum.checks.exact.numbers import max_of, min_of
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.experiments.episodes import OnlineTask
from ptum.reference.experiments.grid import Grid, Spread, transitions
from ptum.reference.experiments.pel import Pel, known_models
from ptum.reference.experiments.rmax import Rmax, maxqinit_table, rmax_table
from ptum.reference.experiments.two_rooms import Payment, goal_grid
from ptum.reference.repaired.sequential.algorithm import sequential_transfer as repaired_transfer
from ptum.reference.repaired.sequential.analysis.sequential_bounds import power_method_effort
from ptum.reference.repaired.sequential.pieces import CrossTask
from ptum.reference.repaired.sequential.spectral import learn_hmm as repaired_learn_hmm
from ptum.reference.repaired.transfer import exploration as walking
from ptum.reference.repaired.transfer.analysis import sample_complexity as repaired_complexity
from ptum.reference.repaired.transfer.ptum import ptum as repaired_ptum
from ptum.reference.sequential.algorithm import sequential_transfer
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.lines import restarts
from ptum.reference.sequential.spectral import HmmEstimate, learn_hmm
from ptum.reference.tasks import values
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, mean_reward
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer import exploration
from ptum.reference.transfer.analysis import lemmas, sample_complexity, simulation
from ptum.reference.transfer.analysis.concentration import empirical_bernstein_width
from ptum.reference.transfer.confidence import width_sigma_p, width_sigma_r
from ptum.reference.transfer.fallback import sample_every_pair
from ptum.reference.transfer.information import (
    CLOSE,
    TIE,
    index_is_zero,
    information_p,
    information_r,
    tied_pairs,
)
from ptum.reference.transfer.ptum import End, ptum


def a_task(rng: np.random.Generator, S: int, A: int, gamma: float) -> MDP:
    """Every reward 0 or 1."""
    means = rng.uniform(0.1, 0.9, size=(S, A))
    return bernoulli_rewards(rng.dirichlet(np.ones(S), size=(S, A)), means, gamma)


def policies(S: int, A: int) -> list[Floats]:
    """All of them."""
    return [np.array(pi) for pi in itertools.product(range(A), repeat=S)]


@again("text-no-generative-model", "ways to a state")
def ways(rng: np.random.Generator) -> Pairs:
    S, A = 4, 2
    p = rng.dirichlet(0.4 * np.ones(S), size=(S, A))
    p[p < 0.05] = 0
    on = np.arange(S), np.arange(S) % 2
    p[on] = 0.7 * p[on] + 0.3 * np.roll(np.eye(S), 1, axis=1)  # a way to every state
    p[1, 0], p[2, 1] = np.eye(S)[1], np.eye(S)[2]  # and two actions that lead nowhere
    p /= p.sum(axis=2, keepdims=True)
    found, due = [], []
    for goal in range(S):
        way = walking.fastest_way(p, goal)
        others = [s for s in range(S) if s != goal]
        steps = []
        for pi in policies(S, A):
            P = p[np.arange(S), pi]
            reach = np.linalg.matrix_power(np.eye(S) + P * (np.arange(S) != goal)[:, None], S)
            if (reach[:, goal] > 0).all():
                inner = np.eye(S - 1) - P[np.ix_(others, others)]
                steps.append(np.insert(np.linalg.solve(inner, np.ones(S - 1)), goal, 0.0))
        found.append(way.steps)
        due.append(np.min(steps, axis=0))
    moves = np.roll(np.arange(S)[:, np.newaxis], -1, axis=0).repeat(2, axis=1)
    moves[0, 1] = 0
    one = approximate_models([a_task(rng, 2, 2, 0.5)])
    alone = walking.run_shared_moves(
        one, Simulator(one.tasks[0], seed=1), start=0, epsilon=0.5, delta=0.1, n=5, Delta=0.0
    )
    line = np.zeros((4, 1, 4))  # 0 → 1 → 2 → 3, and from 3 nowhere
    line[(0, 1, 2, 3), 0, (1, 2, 3, 3)] = 1
    return {
        "fastest_way": (found, due),
        "way_lengths": (walking.way_lengths(moves, 2), [2.0, 1.0, 0.0, 3.0]),
        "one model": ([alone.steps, alone.queries], [0, 0]),
        "a line": (walking.fastest_way(line, 3).steps, [3.0, 2.0, 1.0, 0.0]),
        "no way": (takes(lambda table: walking.fastest_way(table, 0), line), False),
        **walked(rng),
    }


def walked(rng: np.random.Generator) -> Pairs:
    """A bandit at the end of a corridor: as many steps as the way is long, and back."""
    p = np.zeros((3, 2, 3))
    p[(0, 0, 1, 1, 2, 2), (0, 1, 0, 1, 0, 1), (1, 0, 2, 0, 0, 0)] = 1
    tables = []
    for theta in range(2):
        q = np.zeros((3, 2, 2))
        q[..., 0] = 1
        q[2, theta] = 0.0, 1.0
        tables.append(MDP(p=p, q=q, u=np.array([0.0, 1.0]), gamma=0.5))
    models = approximate_models(tables)
    start = int(rng.integers(3))
    arguments: dict[str, Any] = {
        "start": start,
        "epsilon": 0.05,
        "delta": 0.1,
        "n": 4000,
        "Delta": 0.0,
    }
    shared = walking.run_shared_moves(models, Simulator(tables[1], seed=1), **arguments)
    trusting = walking.run_trusting(models, Simulator(tables[1], seed=1), **arguments)
    return {
        "steps": (
            [run.steps for run in (shared, trusting)],
            [2 - start + 3 * (run.queries - 1) + 1 for run in (shared, trusting)],
        ),
        "who is left": ([run.active for run in (shared, trusting)], [(1,), (1,)]),
        "policy": ([run.policy for run in (shared, trusting)], [models.pi_star[1]] * 2),
        "queries": (shared.queries, trusting.queries),
    }


@again("text-optimal-policy", "values, and what rounding may do to them")
def of_values(rng: np.random.Generator) -> Pairs:
    S, A, gamma = 3, 2, float(rng.uniform(0.1, 0.9))
    theta, other = a_task(rng, S, A, gamma), a_task(rng, S, A, gamma)
    r = mean_reward(theta)
    each = [
        np.linalg.solve(np.eye(S) - gamma * theta.p[np.arange(S), pi], r[np.arange(S), pi])
        for pi in policies(S, A)
    ]
    V = rng.uniform(0, 5, size=S)
    roundings = (S + 2) * ROUNDING * (V.max() + 1)
    v = 12 * roundings / (1 - gamma)
    top = 12 * (S + 2) * ROUNDING * (1 / (1 - gamma) + 1) / (1 - gamma)
    right = np.array([V.min(), V.max(), 0.0])
    sides = simulation.policy_value_sides(theta=theta, theta_prime=other, pi=np.array([0, 1, 0]))
    of_right = 12 * (S + 2) * ROUNDING * (float(np.max(sides.right)) + 1) / (1 - gamma)
    I_t = np.array([[0.5, 0.5 - 0.4e-9, 0.5 - 0.6e-9], [0.1, 0.5 + 1e-13, 0.5 - 2 * TIE]])
    tiny = np.array([[4e-12, 4e-12 - 0.9 * CLOSE, 4e-12 - 1.1 * CLOSE, 0.0]])
    tinier = np.array([[1e-13, 0.74e-13, 0.76e-13, 0.0]])
    gap, shift, wide = rng.uniform(0.5, 0.6), rng.uniform(0.01, 0.05), rng.uniform(0.8, 0.95)
    over = gap - 8 * shift
    shares = rng.uniform(0, 1, size=(S, A))
    beta = float(rng.uniform(0.5, 3))
    bonus = exploration.bonus_task(theta, shares, beta)
    one_more = exploration.bonus_task(theta, shares)
    part = shares / shares.max()
    crowd = approximate_models([a_task(rng, 3, 2, 0.5) for _ in range(9)])
    of_gap: dict[str, Any] = {"gamma": gamma, "delta": 0.1, "n": 9, "Gamma": 0.0}
    of_rate: dict[str, Any] = {"gamma": gamma, "delta": 0.1, "epsilon": 0.25}
    few: dict[str, Any] = {"epsilon": 1e-3, "delta": 0.1, "n": 9, "Delta": 0.0}
    return {
        "best values": (values.optimal_value(theta), np.max(each, axis=0)),
        "tie_tolerance": (values.tie_tolerance(theta, V), 12 * roundings),
        "value_tolerance": (values.value_tolerance(V, gamma), v),
        "gap_tolerance": (values.gap_tolerance(right), 2 * roundings),
        "correctness_tolerance": (lemmas.correctness_tolerance(V, gamma), (8 + 4 * gamma) * v),
        "loss_from_rounding": (values.loss_from_rounding(S, gamma), 6 * top),
        "tolerance of Lemma 5": (sides.tolerance, 2 * top / (1 - gamma) + of_right),
        "tied": (tied_pairs(I_t), [[0, 0], [0, 1], [1, 1]]),
        "tied, tiny": (tied_pairs(tiny), [[0, 0], [0, 1]]),
        "tied, tinier": (tied_pairs(tinier), [[0, 0], [0, 2]]),
        "I^r": (information_r(np.array([gap]), np.array([wide]), shift), [(over / wide) ** 2]),
        "I^p": (
            information_p(np.array([gap]), np.array([9 * wide]), shift, gamma),
            [min_of(((over / wide / 9) ** 2, (1 - gamma) * over))],
        ),
        "without spread": (
            information_r(np.array([gap, 0.0]), np.zeros(2), shift),
            [over, 0.0],
        ),
        "one sample": (
            [
                empirical_bernstein_width(variance_hat=0.0, n_samples=1, c=1.0, delta=0.1),
                *width_sigma_r(np.array([0, 1]), 3.0, 0.1),
                *width_sigma_p(np.array([0, 1]), 3.0, gamma, 0.1),
            ],
            [math.inf] * 5,
        ),
        "tied, nothing": (tied_pairs(0 * tiny), [[0, a] for a in range(4)]),
        "any accuracy": (
            repaired_complexity.corollary_1_bound(S, A, 4, epsilon=50.0, **of_gap),
            repaired_complexity.corollary_1_bound(S, A, 4, epsilon=1 / (1 - gamma), **of_gap),
        ),
        "corollary_1_rate": (
            [sample_complexity.corollary_1_rate(3, 4, k, Gamma=0.5, **of_rate) for k in (2, 9, 99)],
            [n * math.log(10) * 4 * (1 - gamma) ** -4 for n in (2, 9, 12)],
        ),
        **exhausted(rng),
        "no index": ([index_is_zero(x) for x in (0 * tiny, tinier)], [True, False]),
        "exploration_task": (mean_reward(exploration.exploration_task(theta, shares)), part),
        "bonus_task": (mean_reward(bonus), (r + beta * part) / (1 + beta)),
        "bonus_task, β = 1": (mean_reward(one_more), (r + part) / 2),
        "no bonus": (mean_reward(exploration.exploration_task(theta, 0 * shares)), 0 * shares),
        "multiplicity": (
            [
                repaired_complexity.theorem_1_bound(crowd, target=0, **few).multiplicity,
                sample_complexity.theorem_1_bound(crowd, target=0, **few).multiplicity,
            ],
            [6, 6],
        ),
        **sampled(rng, S, A, gamma),
    }


def exhausted(rng: np.random.Generator) -> Pairs:
    """Two bandits that few samples cannot tell apart: exactly n of them are taken."""
    p, n = np.ones((1, 2, 1)), int(rng.integers(2, 9))
    tasks = [bernoulli_rewards(p, np.array([means]), 0.5) for means in ([0.4, 0.6], [0.6, 0.4])]
    models = approximate_models(tasks)
    numbers: dict[str, Any] = {"epsilon": 0.1, "delta": 0.1, "Delta": 0.0}
    runs = [
        run(models, Simulator(tasks[0], seed=1), n=n, fallback=None, **numbers)
        for run in (ptum, repaired_ptum)
    ]
    return {
        "exhausted": ([one.queries for one in runs], [n, n]),
        "how it ended": ([one.end for one in runs], [End.BUDGET_EXHAUSTED] * 2),
        "who is left": ([one.active for one in runs], [(0, 1)] * 2),
    }


def sampled(rng: np.random.Generator, S: int, A: int, gamma: float) -> Pairs:
    """Every pair m times, and the best policy for what was seen."""
    target, m = ListedSamples(rng, S, A, (0.0, 1.0)), 5
    found = sample_every_pair(target, S, A, gamma, m)
    o = target.observation(0, m)
    r, p = o[: S * A * 2].reshape(S, A, 2)[..., 1], o[S * A * 2 :].reshape(S, A, S)
    V = np.zeros(S)
    for _ in range(500):
        V = (r + gamma * p @ V).max(axis=1)
    Q = r + gamma * p @ V
    loss = Q.max(axis=1) - Q[np.arange(S), found.policy]
    return {
        "sampled": ([found.queries, len(target.answers)], [m * S * A, S * A]),
        "planned": (loss + 1, np.ones(S)),
    }


# Learners that act online


@again("algorithm-rmax", "samples, and planning")
def rmax(rng: np.random.Generator) -> Pairs:
    S, A, gamma, m = 3, 2, float(rng.uniform(0.1, 0.8)), 3
    joint = rng.dirichlet(np.ones(3 * S), size=(S, A)).reshape(S, A, 3, S)
    u = np.array([0.25, 0.5, 1.0])
    task = OnlineTask(joint, u, gamma)
    U = rng.uniform(0, 2, size=(S, A))
    learner = Rmax(task, U, m)
    start = learner.policy.tolist()
    seen: dict[tuple[int, int], list[tuple[int, int]]] = {}
    told, due = [], []
    for _ in range(22):
        s, a, j, s_next = (int(rng.integers(n)) for n in (S, A, 3, S))
        told.append(learner.see(s, a, j, s_next))
        seen.setdefault((s, a), []).append((j, s_next))
        due.append(len(seen[s, a]) == m)
    r, p = U.copy(), np.zeros((S, A, S))
    for pair, answers in seen.items():
        if len(answers) >= m:
            r[pair] = sum(u[j] for j, _ in answers[:m]) / m
            for _, s_next in answers[:m]:
                p[pair][s_next] += 1 / m
    Q = U
    for _ in range(200):
        Q = r + gamma * (p @ Q.max(axis=1))
    tasks = [a_task(rng, S, A, gamma) for _ in range(2)]
    tables = []
    for one in tasks:
        best = np.zeros((S, A))
        for _ in range(400):
            best = mean_reward(one) + gamma * one.p @ best.max(axis=1)
        tables.append(best)
    tie = Rmax(task, np.array([[1.0, 1.0], [0.5, 1.0], [1.0, 0.5]]), m)
    return {
        "told": (told, due),
        "plannings": (learner.plannings, sum(due)),
        "Q": (learner.Q if any(due) else Q, Q),
        "policy": (learner.policy, Q.argmax(axis=1)),
        "samples": (
            learner.samples,
            [[min(len(seen.get((s, a), [])), m) for a in range(A)] for s in range(S)],
        ),
        "first policy": (start, U.argmax(axis=1)),
        "ties": (tie.policy, [0, 1, 0]),
        "RMAX": (rmax_table(S, A, gamma, 0.5), np.full((S, A), 0.5 / (1 - gamma))),
        "RMAX, largest reward": (rmax_table(S, A, gamma), np.full((S, A), 1 / (1 - gamma))),
        "MaxQInit": (maxqinit_table(tasks), np.max(tables, axis=0)),
        "means of the task": (task.r, np.einsum("sajt,j->sa", joint, u)),
        "moves of the task": (task.p, joint[:, :, 0] + joint[:, :, 1] + joint[:, :, 2]),
    }


@again("algorithm-pel", "likelihoods")
def pel(rng: np.random.Generator) -> Pairs:
    S, A, k, gamma, delta = 2, 2, 3, 0.5, 0.2
    models = [a_task(rng, S, A, gamma) for _ in range(k)]
    joints = [np.einsum("saj,sat->sajt", one.q, one.p) for one in models]
    known = known_models([OnlineTask(x, np.array([0.0, 1.0]), gamma) for x in joints], models)
    two, default = Pel(known, delta, every_pair=True), Pel(known)
    learner = Pel(known, delta)
    active, total, told, due, left = list(range(k)), np.zeros(k), [], [], []
    for _ in range(25):
        s, a, j, s_next = (int(rng.integers(n)) for n in (S, A, 2, S))
        told.append(learner.see(s, a, j, s_next))
        total += [math.log(x[s, a, j, s_next]) for x in joints]
        stay = [i for i in active if max_of(total[active]) - total[i] <= math.log(k / delta)]
        due.append(stay != active)
        active = stay
        left.append(learner.active == tuple(active))
    V = np.array([values.optimal_value(one) for one in models])
    best = [active[int(np.argmax(V[active, s]))] for s in range(S)]
    return {
        "told": (told, due),
        "left": (left, [True] * len(left)),
        "likelihood": (learner.log_likelihood, total),
        "policy": (
            learner.policy,
            [values.optimal_policy(models[i])[s] for s, i in enumerate(best)],
        ),
        "thresholds": (
            [learner.least, two.least, default.least],
            [math.log(delta / k), math.log(delta / k**2), math.log(0.01 / k)],
        ),
    }


@again("figure-1-left", "grids")
def grids(rng: np.random.Generator) -> Pairs:
    rows, width = rng.integers(3, 6, size=2).tolist()
    door, f = int(rng.integers(rows)), float(rng.uniform(0.1, 0.4))
    found, due = {}, {}
    for thick, wall in itertools.product((False, True), (None, door)):
        grid = Grid(rows, width, wall, thick)
        cells = {(i, j): i * width + j for i in range(rows) for j in range(width)}
        solid = {(i, width // 2) for i in range(rows) if i != door} if wall is not None else set()
        moves = np.zeros((len(cells), 4, len(cells)))
        for (i, j), s in cells.items():
            for a, (up, right) in enumerate(((1, 0), (-1, 0), (0, 1), (0, -1))):
                to = (i + up, j + right)
                shut = {(i, j), to} & solid if thick else crosses(i, j, right, solid)
                moves[s, a, s if to not in cells or shut else cells[to]] = 1
        mean = moves.mean(axis=1, keepdims=True)
        name = f"{thick}, {wall}"
        others = (moves.sum(axis=1, keepdims=True) - moves) / 3
        found[name], due[name] = transitions(grid, f), (1 - f) * moves + f * mean
        found[name + ", others"] = transitions(grid, f, Spread.THREE_OTHERS)
        due[name + ", others"] = (1 - f) * moves + f * others
        found[name + ", one in ten"], due[name + ", one in ten"] = (
            transitions(grid),
            0.9 * moves + 0.1 * mean,
        )
    return {**{name: (found[name], due[name]) for name in found}, **goals(rows, width)}


def crosses(i: int, j: int, right: int, solid: set[tuple[int, int]]) -> bool:
    """Whether a step to the side goes through a thin wall, left of the solid cells."""
    return (right == 1 and (i, j + 1) in solid) or (right == -1 and (i, j) in solid)


def goals(rows: int, width: int) -> Pairs:
    """Two goals that absorb, and what they pay on which step."""
    grid, cells = Grid(rows, width), [(0, width - 1), (rows - 1, 0)]
    prizes = dict(zip(cells, (0.5, 1.0), strict=True))
    free = transitions(grid)
    ends = [i * width + j for i, j in cells]
    for s in ends:
        free[s] = np.eye(rows * width)[s]
    prize = np.zeros(rows * width)
    prize[ends] = 0.5, 1.0
    due = {
        Payment.IN_GOAL: np.repeat(prize[:, np.newaxis], 4, axis=1),
        Payment.AT_GOAL: free @ prize,
        Payment.ON_ARRIVAL: free @ prize * (prize == 0)[:, np.newaxis],
    }
    found = {pay: goal_grid(grid, prizes, 0.9, payment=pay) for pay in Payment}
    return {
        **{pay: (mean_reward(found[pay]), due[pay]) for pay in Payment},
        "when none is named": (mean_reward(goal_grid(grid, prizes, 0.9)), due[Payment.IN_GOAL]),
        "moves": (found[Payment.AT_GOAL].p, free),
    }


@again("algorithm-2", "records of runs", inputs=1)
def records(rng: np.random.Generator) -> Pairs:
    """Without models that are accurate enough a task has its post-samples alone."""
    k, S, A, u = 2, 1, 3, (0.0, 0.5, 1.0)
    shared: dict[str, Any] = {
        "k": k,
        "S": S,
        "A": A,
        "u": u,
        "gamma": 0.5,
        "epsilon": 0.2,
        "delta": 0.1,
        "n": 5,
    }
    shared |= {"delta_prime": 0.1, "rhos": 1e9, "fallback": None, "seed": 3}
    tasks = [ListedSamples(rng, S, A, u) for _ in range(8)]
    printed = list(sequential_transfer(tasks, **shared, L=5, N=5))
    rows = np.stack([task.observation(0, 1) for task in tasks])
    learned = [learn_hmm(rows[:h], k, 5, 5, restarts(3, h)) for h in range(1, 9)]
    others = [ListedSamples(rng, S, A, u) for _ in range(3)]
    repaired = list(repaired_transfer(others, **shared, L=5, N=5))
    across = [ListedSamples(rng, S, A, u) for _ in range(7)]
    one_view = list(repaired_transfer(across, **shared, learner=CrossTask(), n_post=2, L=5, N=5))
    seen = np.stack([task.observation(0, 2) for task in across])
    levels = [Level(S=S, A=A, U=3, h=h, delta_prime=0.1) for h in range(1, 8)]
    efforts = [power_method_effort(level, L=5, N=5) for level in levels]
    crossed = [
        repaired_learn_hmm(seen[: h + 1], k, *effort, restarts(3, h + 1))
        for h, effort in enumerate(efforts)
    ]
    return {
        "one view": (
            [str(one.no_estimate) for one in one_view],
            ["None" if isinstance(x, HmmEstimate) else str(x) for x in crossed],
        ),
        "samples": ([one.samples for one in printed], [S * A] * 8),
        "observations": ([one.observation for one in printed], rows),
        "h": ([one.h for one in printed], list(range(1, 9))),
        "no estimate": (
            [str(one.no_estimate) for one in printed],
            ["None" if isinstance(x, HmmEstimate) else str(x) for x in learned],
        ),
        "labels": (
            [str(one.labels) for one in printed],
            [str((0, 1) if isinstance(x, HmmEstimate) else ()) for x in learned],
        ),
        "repaired, samples": ([one.samples for one in repaired], [3 * S * A] * 3),
        "repaired, observations": (
            [one.observation for one in repaired],
            [one.observation(0, 3) for one in others],
        ),
        "repaired, h": ([one.h for one in repaired], [1, 2, 3]),
    }
