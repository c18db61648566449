"""Sequences of tasks in the objectworld: a run of Figures 2, 4 and 5 left.

A run draws eight tasks and a sequence of 400, of which the first 300 are sampled uniformly. Each of
the others is solved by the oracle, by the sequential and by the static variant, on the same samples
as far as they ask for the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from ptum.checks.engine.as_run_spectral import learn_hmm
from ptum.checks.engine.models import approximate_models
from ptum.checks.engine.problem import RunNumbers
from ptum.checks.engine.ptum import simulated_run
from ptum.checks.reproduce.panel import Options, Seed
from ptum.checks.reproduce.sequence import (
    TRIPLE,
    Learner,
    Sampler,
    SolvedTask,
    TransferVariant,
    views_of,
)
from ptum.reference.arrays import Floats
from ptum.reference.errors import InputError
from ptum.reference.experiments.chain import task_chain, task_sequence
from ptum.reference.experiments.objectworld import TaskList, generate_tasks, spread_failures
from ptum.reference.experiments.prediction import Experiment
from ptum.reference.experiments.sequential import AS_RUN, Decay, Schedule, Switch
from ptum.reference.sequential.analysis.sequential_bounds import theorem_2_bound
from ptum.reference.sequential.hmm import VIEWS
from ptum.reference.sequential.state import Setting
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.stopping import transfer_threshold

TRANSFER, SELDOM = 100, 20
"""Transfer tasks, and after how many of them views within tasks, which cost more, are used."""
EPSILON, DELTA, DELTA_PRIME, GAMMA = 0.5, 0.01, 0.01, 0.9
"""δ' is the δ of PTUM (D63)."""
RESTARTS = ITERATIONS = 100
SEQUENTIAL, STATIC = "sequential", "static"
REPAIRED = frozenset(Switch) - {Switch.ALGORITHM_1}
"""All repairs of Algorithm 2; Algorithm 1 is the printed one everywhere."""
LISTS = 50
"""How often a list is drawn again at most."""
BELOW_THRESHOLD = 0.99
"""ρ starts where Δ after the start-up is this share of what line 2 admits (D59)."""
USUAL: Options = MappingProxyType(
    {"D59": "linear", "D55": "matched", "D77": "any-loss", "D80": "20000", "D81": "spaced"}
)


@dataclass(frozen=True)
class SequenceDesign:
    """One experiment: how its tasks are drawn, and its schedule."""

    tasks: TaskList
    schedule: Schedule


@dataclass(frozen=True, eq=False)
class World:
    """The tasks of a run, and all that is fixed about it."""

    tasks: tuple[MDP, ...]
    exact: ApproximateModels
    setting: Setting
    schedule: Schedule

    def queries(
        self,
        target: int,
        seed: int,
        *,
        models: ApproximateModels | None = None,
        errors: ModelErrors | None = None,
        epsilon: float = EPSILON,
    ) -> int:
        """How many samples PTUM takes; the oracle's, unless other models are given."""
        found = simulated_run(
            models or self.exact,
            self.tasks[target],
            seed,
            RunNumbers(
                epsilon=epsilon, delta=DELTA, n=self.setting.n, errors=errors or single(0.0)
            ),
        )
        return found.queries


def world(design: SequenceDesign, options: Options, seed: Seed) -> World:
    """Draw the tasks."""
    chosen = {**USUAL, **options}
    least_loss = EPSILON / 2 if chosen["D77"] == "half-epsilon" else 0.0
    listed = replace(design.tasks, least_loss=least_loss)
    tasks = drawn(listed, seed.generator("list of tasks"), chosen["D81"])
    setting = Setting(
        k=len(tasks),
        S=tasks[0].S,
        A=tasks[0].A,
        u=tuple(tasks[0].u.tolist()),
        gamma=GAMMA,
        epsilon=EPSILON,
        delta=DELTA,
        n=int(chosen["D80"]),
        delta_prime=DELTA_PRIME,
        n_post=design.schedule.n_post,
        L=RESTARTS,
        N=ITERATIONS,
        seed=seed.number("restarts"),
    )
    schedule = scheduled(design.schedule, setting, chosen["D59"])
    return World(tasks, approximate_models(tasks), setting, schedule)


def drawn(listed: TaskList, rng: np.random.Generator, failures: str = "spaced") -> tuple[MDP, ...]:
    """A list of tasks; one in which some original has no copy is drawn again (D77).

    Where actions fail more often in some tasks than in others, how often is drawn too (D81).
    """
    for _ in range(LISTS):
        with suppress(InputError):
            return generate_tasks(_failing(listed, rng, failures), rng)
    return generate_tasks(_failing(listed, rng, failures), rng)


def _failing(listed: TaskList, rng: np.random.Generator, failures: str) -> TaskList:
    spaced = listed.action_failures
    if failures == "spaced":
        return listed
    drawn_anew = spread_failures(len(spaced), min(spaced), max(spaced), rng)
    return replace(listed, action_failures=drawn_anew)


def scheduled(schedule: Schedule, setting: Setting, rho: str) -> Schedule:
    """The schedule with ρ as printed, or with a start that enters the transfer mode (D59)."""
    if rho == "printed":
        return schedule
    unit = theorem_2_bound(setting.level(schedule.start_up), rho_any=1.0)
    entering = BELOW_THRESHOLD * transfer_threshold(EPSILON, GAMMA) / unit
    return replace(schedule, rho=entering, shape=Decay(rho))


def start_up(here: World, targets: Sequence[int], seeds: Sequence[int], batches: int = 1) -> Floats:
    """Observations of tasks that are sampled uniformly, (h, d), or of three batches, (h, 3, d)."""
    rows = []
    for target, seed in zip(targets, seeds, strict=True):
        drawn = Sampler(here.tasks[target], seed).every_pair(here.schedule.per_pair, batches)
        rows.append(drawn[0].observation if batches == 1 else views_of(drawn))
    return np.stack(rows)


@dataclass(frozen=True, eq=False)
class Transfer:
    """The transfer tasks of a run: how each was reached, and how it was solved by whom.

    `entry` has the models of the first estimate, which both variants share.
    """

    targets: list[int]
    previous: list[int]
    oracle: list[int]
    solved: Mapping[str, Sequence[SolvedTask]]
    entry: ApproximateModels
    entry_errors: ModelErrors


def sequence(here: World, seed: Seed) -> tuple[list[int], list[int]]:
    """Targets of all 400 tasks, and seeds of their samples."""
    length = here.schedule.start_up + TRANSFER
    chain = task_sequence(task_chain(len(here.tasks)), seed.generator("chain"))
    seeds = seed.generator("samples").integers(2**63, size=length)
    return list(itertools.islice(chain, length)), [int(number) for number in seeds]


def transfer(
    here: World,
    seed: Seed,
    *,
    switches: AbstractSet[Switch] = AS_RUN,
    length: int = TRANSFER,
    learner: Learner = learn_hmm,
    named: Sequence[str] = (SEQUENTIAL, STATIC),
) -> Transfer:
    """The start-up and the first so many transfer tasks; tests give a faulty learner."""
    first = here.schedule.start_up
    targets, seeds = sequence(here, seed)
    within = Switch.WITHIN_TASK in switches
    seen = start_up(here, targets[:first], seeds[:first], VIEWS if within else 1)
    rules = {SEQUENTIAL: Experiment(m=first + TRANSFER), STATIC: None}  # m: all tasks (D88)
    variants = {
        name: TransferVariant(
            seen,
            here.setting,
            here.schedule,
            rules[name],
            switches=switches,
            learner=learner,
            every=SELDOM if within else TRIPLE,
        )
        for name in named
    }
    entry, errors = variants[named[0]].models, variants[named[0]].errors
    solved: dict[str, list[SolvedTask]] = {name: [] for name in variants}
    oracle = []
    for h in range(first, first + length):
        oracle.append(here.queries(targets[h], seeds[h]))
        for name, variant in variants.items():
            solved[name].append(variant.solve(Sampler(here.tasks[targets[h]], seeds[h])))
    last = first + length
    return Transfer(
        targets[first:last], targets[first - 1 : last - 1], oracle, solved, entry, errors
    )
