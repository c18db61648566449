"""What is measured of a sequence of tasks: curves, numbers, and policies that are not ε-optimal.

Samples are divided by the oracle's (D83). A policy is judged by what it is expected to earn in ten
steps from a uniform start, as a share of the optimum (D82), and is ε-optimal if it loses at most ε
in every state. The target is missing if the model that was estimated of it is not in the initial
set; estimated models are matched with the true ones by their distances.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ptum.checks.reproduce.panel import Lost, Seed
from ptum.checks.reproduce.panels.learners import InitialTable, largest_values
from ptum.checks.reproduce.panels.sequences import (
    EPSILON,
    GAMMA,
    SEQUENTIAL,
    STATIC,
    TRANSFER,
    Transfer,
    World,
)
from ptum.checks.reproduce.sequence import SolvedTask
from ptum.reference.arrays import Bools, Floats, Ints, above
from ptum.reference.experiments.episodes import online, steps_until
from ptum.reference.experiments.rmax import Rmax
from ptum.reference.experiments.sequential import FIGURE_2
from ptum.reference.repaired.sequential.alignment import align
from ptum.reference.sequential.observations import observation_matrix
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.tasks.values import policy_value, value_tolerance
from ptum.reference.transfer.stopping import enters_transfer_mode, stopping_slack

LAST, FIRST = 20, 3
"""Tasks at the end of a curve, and tasks at its beginning that a run is repeated by."""
STEPS, KNOWN, BUDGETS = 10, 100, (5, 10)
"""Steps of an episode; MaxQInit's threshold, and its budgets in oracle runs (D80)."""
VARIANTS = (SEQUENTIAL, STATIC)


def ratios(found: Transfer, variant: str) -> Floats:
    """Samples over the oracle's, which takes one at least, at every transfer task."""
    samples = np.array([solved.samples for solved in found.solved[variant]], dtype=np.float64)
    return samples / np.maximum(found.oracle, 1)


def slope(curve: Floats) -> float:
    """Of the least-squares line, per task."""
    return float(np.polyfit(np.arange(curve.size), curve, 1)[0])


def sample_numbers(here: World, found: Transfer) -> dict[str, float]:
    """Numbers about samples."""
    curve = {name: ratios(found, name) for name in VARIANTS}
    numbers = {"sequential_minus_static": float(np.mean(curve[SEQUENTIAL] - curve[STATIC]))}
    for name, values in curve.items():
        begins, ends = float(values[:LAST].mean()), float(values[-LAST:].mean())
        numbers[f"mean_{name}"] = float(values.mean())
        numbers[f"first_{name}"] = float(values[:FIRST].mean())
        numbers[f"last_{name}"] = ends
        numbers[f"slope_{name}"] = slope(values)
        numbers[f"change_{name}"] = (ends - begins) / float(values.mean())
    in_transfer = [s.result.queries > 0 or s.result.tau is not None for s in found.solved[STATIC]]
    numbers["first_transfer_task"] = here.schedule.start_up + 1 + in_transfer.index(True)
    numbers["oracle_samples"] = float(np.mean(found.oracle))
    numbers["missed"] = float(np.sum(missing(here, found, SEQUENTIAL)))
    return numbers


def error_change(here: World, found: Transfer) -> float:
    """Largest entrywise error of the models of the last task minus that of the first ones."""
    true = observation_matrix(here.tasks)
    errors = []
    for name in VARIANTS:
        estimates = [found.solved[name][place].estimate for place in (0, -1)]
        first, last = (
            np.inf if e is None else float(np.abs(e.O[:, align(true, e.O)] - true).max())
            for e in estimates
        )
        errors.append(last - first)
    return float(np.mean(errors))


# Policies


def shares(here: World, found: Transfer, variant: str) -> Floats:
    """Expected return of every policy, as a share of the optimum."""
    best = [earned(here, target, pi) for target, pi in enumerate(here.exact.pi_star)]
    solved = zip(found.targets, found.solved[variant], strict=True)
    return np.array([earned(here, target, one.policy) / best[target] for target, one in solved])


def earned(here: World, target: int, pi: Ints) -> float:
    """Expected discounted return of ten steps from a uniform start."""
    states = np.arange(len(pi))
    r, p, V = here.exact.r[target][states, pi], here.exact.p[target][states, pi], np.zeros(len(pi))
    for _ in range(STEPS):
        V = r + GAMMA * (p @ V)
    return float(V.mean())


def losses(here: World, found: Transfer, variant: str) -> Floats:
    """max_s V*(s) - V^π(s) of every policy."""
    return np.array(
        [
            np.max(here.exact.V_star[target] - policy_value(here.tasks[target], solved.policy))
            for target, solved in zip(found.targets, found.solved[variant], strict=True)
        ]
    )


def missing(here: World, found: Transfer, variant: str) -> Bools:
    """Whether the target's model was not in the initial set, at every transfer task."""
    true, matched = observation_matrix(here.tasks), dict[int, Ints]()

    def is_missing(target: int, solved: SolvedTask) -> bool:
        if solved.estimate is None:
            return False
        key = id(solved.estimate.O)
        if key not in matched:
            matched[key] = align(true, solved.estimate.O)
        return int(matched[key][target]) not in solved.initial

    solved = zip(found.targets, found.solved[variant], strict=True)
    return np.array([is_missing(target, one) for target, one in solved])


def lost(here: World, found: Transfer, named: Sequence[str] = VARIANTS) -> list[Lost]:
    """Every policy that is not ε-optimal, and why."""
    worst = EPSILON + value_tolerance(here.exact.V_star, GAMMA)
    rows = []
    for name in named:
        gone, loss = missing(here, found, name), losses(here, found, name)
        for place in np.flatnonzero(above(loss, worst)).tolist():
            step = (found.targets[place] - found.previous[place]) % len(here.tasks)
            rows.append(
                Lost(
                    variant=name,
                    task=place + 1,
                    loss=float(loss[place]),
                    missing=bool(gone[place]),
                    step="ordinary" if step == 1 else "rare",
                    lasted=lasted(gone, place),
                    end=found.solved[name][place].result.end.value,
                )
            )
    return rows


def lasted(gone: Sequence[bool] | Bools, place: int) -> int:
    """How many tasks in a row, with this one, had their target missing."""
    if not gone[place]:
        return 0
    first = last = place
    while first > 0 and gone[first - 1]:
        first -= 1
    while last + 1 < len(gone) and gone[last + 1]:
        last += 1
    return last - first + 1


def maxqinit(
    here: World, found: Transfer, seed: Seed, initial: InitialTable = largest_values
) -> dict[int, Floats]:
    """Shares of the optimum that MaxQInit's policy earns after each budget, at every task.

    A budget is so many times the mean samples of the oracle on the eight tasks; the larger one goes
    on where the smaller one ends, in a new episode.
    """
    S, k = here.setting.S, len(here.tasks)
    once = [here.queries(target, seed.number(f"budget {target}")) for target in range(k)]
    tasks, table = [online(task, range(S)) for task in here.tasks], initial(here.exact)
    best = [earned(here, target, pi) for target, pi in enumerate(here.exact.pi_star)]
    rng = seed.generator("episodes of MaxQInit")
    curves: dict[int, list[float]] = {budget: [] for budget in BUDGETS}
    for target in found.targets:
        learner, spent = Rmax(tasks[target], table, KNOWN), 0
        for budget in BUDGETS:
            steps = round(budget * float(np.mean(once))) - spent
            spent += steps_until(tasks[target], learner, STEPS, rng, steps)
            curves[budget].append(earned(here, target, learner.policy) / best[target])
    return {budget: np.array(curve) for budget, curve in curves.items()}


# Sentences about the tasks themselves


def rho_stays_out(here: World) -> bool:
    """Whether ρ = 0.135 leaves Δ too large after the start-up, with Theorem 2's form."""
    Delta = FIGURE_2.model_errors(FIGURE_2.start_up, here.setting).Delta
    return not enters_transfer_mode(Delta, EPSILON, GAMMA)


def close_pairs(exact: ApproximateModels) -> int:
    """Ordered pairs of tasks of which the policy of one is ε-optimal in the other."""
    own = np.eye(exact.k, dtype=np.bool_)
    return int(np.sum(~above(between(exact), EPSILON) & ~own))


def between(exact: ApproximateModels) -> Floats:
    """Loss in θ' of the policy of θ, entry [θ', θ]."""
    loss: Floats = (exact.V_star[:, np.newaxis] - exact.V_pi).max(axis=2)
    return loss


def changed_sets(here: World, found: Transfer) -> float:
    """Share of targets whose models to discard are others at the end than at the entry."""
    h = here.schedule.start_up + TRANSFER
    sets = [
        above(between(here.exact), stopping_slack(EPSILON, errors.Delta, GAMMA))
        for errors in (found.entry_errors, here.schedule.model_errors(h, here.setting))
    ]
    return float(np.mean(np.any(sets[0] != sets[1], axis=0)))
