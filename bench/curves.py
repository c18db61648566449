"""What things cost as their sizes grow: a run against S·A, |Θ|, n; an estimate against d, h."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import numpy as np

from bench.measure import seconds
from bench.rows import Arriving, arrived, arrived_across
from ptum.checks.engine.problem import RunNumbers
from ptum.checks.engine.ptum import simulated_run
from ptum.reference.tasks.mdp import bernoulli_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models

DEFAULT = {"S·A": 32, "|Θ|": 4, "n": 100_000}
GROWTH = {"S·A": (8, 32, 128, 256), "|Θ|": (2, 4, 8, 16), "n": (10**3, 10**4, 10**5, 10**6)}


ESTIMATE = {"d": 1600, "h": 200}
ESTIMATE_GROWTH = {"d": (400, 800, 1600, 3200, 6400), "h": (50, 100, 200, 400)}
TASKS = 8


def models_of(pairs: int, k: int) -> ApproximateModels:
    """Two actions; rewards of the models differ by a thousandth: one phase of n samples."""
    rng = np.random.default_rng(0)
    S = pairs // 2
    p, r = rng.dirichlet(np.ones(S), size=(S, 2)), rng.uniform(0.4, 0.6, size=(S, 2))
    changed = [r + 1e-3 * rng.uniform(-1, 1, size=r.shape) for _ in range(k)]
    return approximate_models([bernoulli_rewards(p, rewards, 0.9) for rewards in changed])


def points(name: str) -> Iterator[tuple[int, float]]:
    """Size and seconds of a run, the least of three."""
    for size in GROWTH[name]:
        sizes = {**DEFAULT, name: size}
        models = models_of(sizes["S·A"], sizes["|Θ|"])

        def run(models: ApproximateModels = models, n: int = sizes["n"]) -> object:
            target = models.tasks[0]
            return simulated_run(models, target, 1, RunNumbers(epsilon=1e-5, delta=0.1, n=n))

        yield size, min(seconds(run) for _ in range(3))


def estimate_points(name: str, arriving: Arriving) -> Iterator[tuple[int, float]]:
    """Size and seconds of one more task and its estimate, the least of three."""
    for size in ESTIMATE_GROWTH[name]:
        sizes = {**ESTIMATE, name: size}
        run = arriving(sizes["h"], sizes["d"], TASKS)
        yield size, min(seconds(run) for _ in range(3))


def plot(to: Path) -> None:
    """One panel for each size."""
    mpl.use("svg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 5, figsize=(16, 3), layout="constrained")
    for axis, name in zip(axes, (*GROWTH, *ESTIMATE_GROWTH), strict=True):
        if name in GROWTH:
            axis.loglog(*zip(*points(name), strict=True), "o-")
            axis.set(xlabel=name, ylabel="CPU seconds of a run")
            continue
        for label, arriving in (("within tasks", arrived), ("across tasks", arrived_across)):
            measured = zip(*estimate_points(name, arriving), strict=True)
            axis.loglog(*measured, "o-", label=label)
        axis.set(xlabel=name, ylabel="CPU seconds of an estimate")
        axis.legend()
    figure.savefig(to)
