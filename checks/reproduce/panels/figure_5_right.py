"""Figure 5 right: the error of learned models against the number of tasks (Appendix E.2).

A run draws ten tasks, and for every failure probability of the chain a sequence of 2400 tasks, each
sampled 50 times at every pair. Counts of samples are drawn as multinomials, which have the
distribution of counted samples. The learner is Algorithm 3 as run, on the first h tasks.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import itertools

import numpy as np

from ptum.checks.engine.as_run_spectral import learn_hmm
from ptum.checks.exact.numbers import min_of
from ptum.checks.reproduce.findings import Declared, MeanAbove
from ptum.checks.reproduce.panel import REPAIRED_LATER, Axis, Curve, Measured, Options, Panel, Seed
from ptum.reference.arrays import Floats, Ints
from ptum.reference.experiments.chain import task_chain, task_sequence
from ptum.reference.experiments.objectworld import FIGURE_5_RIGHT, generate_tasks
from ptum.reference.repaired.sequential.alignment import align, permuted
from ptum.reference.repaired.sequential.spectral import SpectralOutcome, learn_within_task
from ptum.reference.sequential.hmm import VIEWS
from ptum.reference.sequential.observations import observation_matrix
from ptum.reference.sequential.spectral import HmmEstimate
from ptum.reference.tasks.mdp import MDP

TASKS, GAMMA, SAMPLES = len(FIGURE_5_RIGHT.action_failures), FIGURE_5_RIGHT.gamma, 50
RESTARTS = ITERATIONS = 100
FAILURES = (0.03, 0.1, 0.2, 0.3, 0.4)
LENGTHS = (60, 150, 300, 600, 1200, 2400)
"""Numbers of tasks after which models are learned (D84)."""


def observations(
    tasks: tuple[MDP, ...], which: Ints, rng: np.random.Generator, samples: int = SAMPLES
) -> Floats:
    """Observed frequencies of rewards and next states at all pairs, a row for every task met."""
    o = np.zeros((which.size, tasks[0].q.size + tasks[0].p.size))
    for number, task in enumerate(tasks):
        visits = np.flatnonzero(which == number)
        first = 0
        for probabilities in (*task.q.reshape(-1, task.u.size), *task.p.reshape(-1, task.S)):
            there = np.flatnonzero(probabilities)
            counts = rng.multinomial(samples, probabilities[there], size=visits.size)
            o[np.ix_(visits, first + there)] = counts / samples
            first += probabilities.size
    return o


def clipped_error(found: SpectralOutcome, O: Floats) -> float:
    """The largest entrywise error of Ô after matching its columns, at most 1 (D84).

    Without an estimate it is 1.
    """
    if not isinstance(found, HmmEstimate):
        return 1.0
    matched = permuted(found, align(O, found.O))
    return min_of((1.0, float(np.max(np.abs(matched.O - O)))))


def repaired_errors(tasks: tuple[MDP, ...], which: Ints, rng: np.random.Generator) -> list[float]:
    """What three batches of a third of the samples of every task lead to (E26, D64)."""
    O = observation_matrix(tasks)
    possible = np.flatnonzero(O.any(axis=1))
    batches = [observations(tasks, which, rng, SAMPLES // VIEWS)[:, possible] for _ in range(VIEWS)]
    return [
        clipped_error(
            learn_within_task([batch[:h] for batch in batches], TASKS, RESTARTS, ITERATIONS, rng),
            O[possible],
        )
        for h in LENGTHS
    ]


def _run(_: Options, seed: Seed) -> Measured:
    """All failures on one list of tasks, and the repaired learner at the last of them."""
    tasks = generate_tasks(FIGURE_5_RIGHT, seed.generator("tasks"))
    O = observation_matrix(tasks)
    possible = np.flatnonzero(O.any(axis=1))
    curves: dict[str, list[float]] = {}
    for failure in FAILURES:
        rng = seed.generator(f"failure {failure}")
        chain = task_sequence(task_chain(TASKS, 1 - failure), rng)
        which = np.array(list(itertools.islice(chain, LENGTHS[-1])))
        o = observations(tasks, which, rng)[:, possible]
        curves[name_of(failure)] = [
            clipped_error(learn_hmm(o[:h], TASKS, RESTARTS, ITERATIONS, rng), O[possible])
            for h in LENGTHS
        ]
    own = seed.generator("views within tasks")
    curves["repaired"] = repaired_errors(tasks, which, own)  # the tasks of the largest failure
    area = {failure: float(np.mean(curves[name_of(failure)])) for failure in FAILURES}
    decay = {f"decay_{name}": curve[0] - curve[-1] for name, curve in curves.items()}
    slower = {
        f"area_{more}_minus_{less}": area[more] - area[less]
        for less, more in itertools.pairwise(FAILURES)
    }
    return Measured(curves, {**decay, **slower})


def name_of(failure: float) -> str:
    """The curve of a failure probability."""
    return f"failure_{failure}"


PANEL = Panel(
    id="figure-5-right",
    title="Error of learned models against the number of tasks",
    says=(
        "The error of the estimated models falls for all failure probabilities of the task chain, "
        "and many more tasks are needed where failure is more probable."
    ),
    notes=(
        "Ten tasks with random items, no copies; the chain fails by staying or by skipping a task. "
        "The largest entrywise error of Ô after matching its columns with the true ones, clipped "
        "at 1, which it also is where there is no estimate. Failure probabilities, lengths and "
        "samples per pair are ours (D84); so are items worth 0, 0.2, 0.5 or 0.96, and how often "
        "pick-ups (0.012) and actions (0.1) fail. Dashed is the repaired learner, which looks "
        "within a task for its three views (E26), where the chain fails with probability "
        f"{FAILURES[-1]}."
    ),
    parameters={
        "grid": "5x5",
        "tasks": TASKS,
        "gamma": GAMMA,
        "restarts": RESTARTS,
        "iterations": ITERATIONS,
        "clip": 1,
        "samples_per_pair": SAMPLES,
    },
    x_axis=Axis("number of tasks h (a curve per failure probability of the chain)", log=True),
    y_axis=Axis("largest error of a probability"),
    curves=(
        *(Curve(name_of(f), f"failure {f}") for f in FAILURES),
        Curve("repaired", f"failure {FAILURES[-1]}, repaired", repaired=True),
    ),
    x=lambda _: [float(h) for h in LENGTHS],
    run=_run,
    declared=(
        *(
            Declared(
                "figure-5-right.decay",
                f"failure-{failure}",
                f"At failure {failure} the error is smaller after {LENGTHS[-1]} tasks than after "
                f"{LENGTHS[0]}",
                MeanAbove(f"decay_{name_of(failure)}", 0, "error of a probability"),
            )
            for failure in FAILURES
        ),
        *(
            Declared(
                "figure-5-right.slower",
                f"failure-{more}",
                f"Over all lengths the mean error is larger at failure {more} than at {less}",
                MeanAbove(f"area_{more}_minus_{less}", 0, "error of a probability"),
            )
            for less, more in itertools.pairwise(FAILURES)
        ),
    ),
    revision=2,
    history=(
        REPAIRED_LATER,
        "the numbers were made again after the learner had become faster, whose other rounding "
        "shows in 14 of 100 runs; no finding changed",
    ),
)
