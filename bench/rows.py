"""The rows of the table: what is measured, on what, and what it must reach."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import quantecon
import tensorly
from tensorly.decomposition import symmetric_parafac_power_iteration

from bench import instances
from bench.measure import CpuRatio, EndOfPrefix, Prefix, compared, seconds
from ptum.checks.engine import asked
from ptum.checks.engine.across_tasks import ArrivingTasks
from ptum.checks.engine.as_run_spectral import learn_from_triples
from ptum.checks.engine.models import approximate_models as fast_models
from ptum.checks.engine.problem import _PROBLEMS, RunNumbers
from ptum.checks.engine.ptum import BLOCK, simulated_run, simulated_runs
from ptum.checks.engine.tensor_power import decompose
from ptum.checks.engine.within_task import WithinTasks
from ptum.reference.arrays import Floats
from ptum.reference.repaired.sequential.spectral import learn_within_task
from ptum.reference.tasks.generative import GenerativeModel, Simulator
from ptum.reference.tasks.mdp import MDP, mean_reward
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.ptum import PtumResult, nobody, transfer_mode

MILLION = 10**6
EXACT = single(0.0)
Arriving = Callable[[int, int, int], Callable[[], object]]


def _long_runs() -> Iterator[CpuRatio]:
    yield _long_run("S5 A2 k3", instances.five_states(), epsilon=1e-4)
    yield _long_run("12×12 k12", instances.alike_rooms(1e-4), epsilon=1e-3)


def draw_only(task: MDP, N: npt.NDArray[np.int64]) -> None:
    """As many samples of every pair by inverse distribution functions, in blocks, kept nowhere."""
    stream = np.random.Generator(np.random.PCG64(1))
    for s, a in np.argwhere(N).tolist():
        rewards, successors = np.cumsum(task.q[s, a]), np.cumsum(task.p[s, a])
        left = int(N[s, a])
        while left:
            uniforms = stream.random((min(left, BLOCK), 2))
            np.searchsorted(rewards, uniforms[:, 0], side="right")
            np.searchsorted(successors, uniforms[:, 1], side="right")
            left -= len(uniforms)


def _long_run(name: str, models: ApproximateModels, epsilon: float) -> CpuRatio:
    def run() -> PtumResult:
        return simulated_run(
            models,
            models.tasks[0],
            1,
            RunNumbers(epsilon=epsilon, delta=0.1, n=MILLION, errors=EXACT),
        )

    first = run()
    what = f"engine / drawing the same samples, {name}, 10⁶ samples"
    drawing = "drawing", lambda: draw_only(models.tasks[0], first.N)
    beside = f"{first.queries} samples, {len(first.eliminations)} eliminations"
    return compared(what, "≤ 2.0", ("engine", run), drawing, beside=beside)


def literal_prefix(
    models: ApproximateModels, model: GenerativeModel, answers: int, epsilon: float, n: int
) -> Callable[[], None]:
    """The literal code up to a declared number of answers."""

    def run() -> None:
        try:
            prefix = Prefix(model, answers)
            transfer_mode(
                models, prefix, epsilon=epsilon, delta=0.01, n=n, errors=EXACT, announce=nobody
            )
        except EndOfPrefix:
            return

    return run


def _figure_1(seeds: int = 100, answers: int = 30) -> CpuRatio:
    models = approximate_models(instances.twelve_rooms())

    def together() -> list[PtumResult]:
        _PROBLEMS.clear()  # tables are part of what is timed
        return simulated_runs(
            models,
            models.tasks[0],
            range(seeds),
            RunNumbers(epsilon=0.1, delta=0.01, n=100_000, errors=EXACT),
        )

    queries = float(np.mean([run.queries for run in together()]))
    literal = literal_prefix(models, Simulator(models.tasks[0], 1), answers, 0.1, 100_000)
    what = f"literal / engine per run, Figure-1 size, {seeds} seeds together, tables included"
    scale = seeds * queries / (answers + 1)
    above = f"{seeds} literal runs", literal
    beside = (
        f"{answers} of {queries:.0f} queries of one literal run timed, {_speed(answers, literal)}"
    )
    engine = "engine", together
    return compared(what, "≥ 2000", above, engine, rounds=3, times=scale, beside=beside)


def _plain_target(answers: int = 100) -> CpuRatio:
    models, n = instances.sixty_four_states(), 20_000
    target = models.tasks[0]

    def run() -> PtumResult:
        return asked.transfer_mode(
            models, instances.PlainTarget(target, 1), epsilon=5e-3, delta=0.01, n=n, errors=EXACT
        )

    queries = run().queries
    own = instances.PlainTarget(target, 1)
    what = "literal / fast run on a sample(s, a) in plain Python, S64 k6, 20,000 queries"
    literal = literal_prefix(models, instances.PlainTarget(target, 1), answers, 5e-3, n)
    scale = queries / (answers + 1)
    beside = (
        f"{answers} of {queries} queries of the literal run timed, {_speed(answers, literal)}; "
        f"sample(s, a) itself {_own_cost(own, queries):.3g} ms"
    )
    above, below = ("literal", literal), ("fast", run)
    return compared(what, "≥ 200", above, below, rounds=3, times=scale, beside=beside)


def _speed(answers: int, literal: Callable[[], None]) -> str:
    return f"{(answers + 1) / seconds(literal):.3g} queries/s"


def _own_cost(target: instances.PlainTarget, queries: int) -> float:
    return 1e3 * seconds(lambda: [target.sample(0, 0) for _ in range(queries)])


def _models() -> CpuRatio:
    tasks = instances.twelve_rooms()
    solve_by_others(tasks)  # compiles
    what = (
        "engine's models k12 S144 / quantecon's policy iteration plus LAPACK for the k² evaluations"
    )
    ours, theirs = lambda: fast_models(tasks), lambda: solve_by_others(tasks)
    return compared(what, "≤ 3", ("ours", ours), ("others", theirs), rounds=3)


def solve_by_others(tasks: list[MDP]) -> Floats:
    """Optimal policies by quantecon, and V of each in every task by LAPACK."""
    policies = []
    for task in tasks:
        process = quantecon.markov.DiscreteDP(mean_reward(task), task.p, task.gamma)
        policies.append(process.solve(method="policy_iteration").sigma)
    states, eye = np.arange(tasks[0].S), np.eye(tasks[0].S)
    P = np.stack([[task.p[states, pi] for pi in policies] for task in tasks])
    r = np.stack([[mean_reward(task)[states, pi] for pi in policies] for task in tasks])
    values: Floats = np.linalg.solve(eye - tasks[0].gamma * P, r[..., np.newaxis])[..., 0]
    return values


def arrived(h: int, d: int, k: int) -> Callable[[], object]:
    """The last task arrives and an estimate is made, as after every task of Algorithm 2."""
    views = instances.batches(h, d, k)
    learner = WithinTasks(k, d)
    for task in range(h - 1):
        learner.add(views[:, task])

    def run() -> object:
        learner.h = h - 1
        learner.add(views[:, h - 1])
        return learner.estimate(20, 50, np.random.default_rng(1))

    return run


def arrived_across(h: int, d: int, k: int) -> Callable[[], object]:
    """The same with one observation per task, and triples of consecutive tasks."""
    views, tasks = instances.batches(h, d, k)[0], ArrivingTasks(d)
    for task in range(h - 1):
        tasks.add(views[task])

    def run() -> object:
        tasks.h = h - 1
        tasks.add(views[h - 1])
        return learn_from_triples(tasks.triples(), k, 20, 50, np.random.default_rng(1))

    return run


def _within_task(h: int = 400, d: int = 3700, k: int = 8) -> CpuRatio:
    views = instances.batches(h, d, k)

    def literal() -> object:
        return learn_within_task(views, k, 20, 50, np.random.default_rng(1))

    def gram() -> None:
        learner = WithinTasks(k, d)
        for task in range(h):
            learner.add(views[:, task])

    what = f"within-task estimate d = {d}, h = {h}: literal / engine"
    all_products = 1e3 * min(seconds(gram) for _ in range(3))
    beside = f"engine: one task more; the products of all {h} tasks {all_products:.3g} ms"
    engine = "engine", arrived(h, d, k)
    return compared(what, "≥ 10", ("literal", literal), engine, rounds=3, beside=beside)


def _growth(name: str, arriving: Arriving, h: int = 400, d: int = 3700, k: int = 8) -> CpuRatio:
    what = f"{name} estimate h = {h}: d = {2 * d} / d = {d}"
    twice, once = arriving(h, 2 * d, k), arriving(h, d, k)
    return compared(what, "≤ 2.3", (f"d = {2 * d}", twice), (f"d = {d}", once))


def _estimates() -> Iterator[CpuRatio]:
    yield _within_task()
    yield _growth("within-task", arrived)
    yield _growth("across-task", arrived_across)


def _tensor_power(L: int = 100, N: int = 100, k: int = 8) -> CpuRatio:
    rng = np.random.default_rng(0)
    Q, weights = np.linalg.qr(rng.standard_normal((k, k)))[0], np.linspace(1, 3, k)
    tensor = np.einsum("r,ir,jr,lr->ijl", weights, Q, Q, Q)

    def ours() -> Floats:
        return decompose(tensor, k, L, N, np.random.default_rng(1)).lambdas

    def theirs() -> Floats:
        np.random.seed(1)  # it draws from there
        found, _ = symmetric_parafac_power_iteration(
            tensorly.tensor(tensor), rank=k, n_repeat=L, n_iteration=N
        )
        return np.asarray(found)

    errors = [float(np.abs(np.sort(f()) - weights).max()) for f in (theirs, ours)]
    what = f"tensorly / ours, symmetric power iteration {L}×{N} k{k}, error no larger"
    beside = f"errors {errors[0]:.1e}, {errors[1]:.1e}"
    above, below = ("tensorly", theirs), ("ours", ours)
    row = compared(what, "≥ 1000", above, below, rounds=3, beside=beside)
    return replace(row, reached=row.reached and errors[1] <= errors[0])


def _verify() -> CpuRatio:
    """Wall time, unlike all other rows: the time of processes that wait is what is measured."""

    def wall(jobs: int) -> float:
        command = (sys.executable, "-m", "ptum", "verify", "--profile", "standard")
        start = time.monotonic()
        subprocess.run((*command, "--jobs", str(jobs)), check=True, capture_output=True)
        return time.monotonic() - start

    one, two = wall(1), wall(2)
    parts = f"1 job {one:.0f} s, 2 jobs {two:.0f} s"
    ratio, what = one / two, "verify standard, wall time 1 job / 2 jobs on idle cores"
    return CpuRatio(what, ratio, (ratio, ratio), "≥ 1.8", ratio >= 1.8, parts)


ROWS: Mapping[str, tuple[str, Callable[[], Iterable[CpuRatio]]]] = {
    "long": ("runs of 10⁶ samples against drawing as many and no more", _long_runs),
    "figure-1": ("100 seeds of Figure 1 together against the literal code", lambda: [_figure_1()]),
    "sample": (
        "a run on somebody's sample(s, a) against the literal code",
        lambda: [_plain_target()],
    ),
    "models": ("twelve tasks solved, against quantecon and LAPACK", lambda: [_models()]),
    "estimates": ("models of many tasks, against the literal code and as d doubles", _estimates),
    "tensor": ("the tensor power method against tensorly", lambda: [_tensor_power()]),
    "verify": ("`ptum verify --profile standard` with one job and with two", lambda: [_verify()]),
}
"""What can be measured, in a few words, and how."""
ALONE = ("verify",)
"""Takes ten minutes of two idle cores, and so is measured only where it is named."""
