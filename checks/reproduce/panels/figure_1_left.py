"""Figure 1 left: PTUM, PEL, MaxQInit and RMAX in two rooms with twelve known tasks (Appendix E.1).

A run draws goals and doors (D69); its target is task r modulo 12 (D110).
"""

from __future__ import annotations

import numpy as np

from ptum.checks.engine.models import approximate_models
from ptum.checks.engine.problem import RunNumbers
from ptum.checks.engine.ptum import simulated_run
from ptum.checks.reproduce.findings import Declared, MeanAbove, MeanBelow, Share
from ptum.checks.reproduce.panel import Axis, Measured, Options, Panel, Seed
from ptum.checks.reproduce.panels.learners import (
    CURVES,
    EXPECTED,
    Counting,
    InitialTable,
    known,
    largest_values,
    settled,
    stream,
)
from ptum.reference.arrays import Bools, Floats
from ptum.reference.experiments.episodes import (
    Learner,
    PerSample,
    expected_returns,
    online,
    returns_of_ptum,
)
from ptum.reference.experiments.grid import RIGHT, Grid
from ptum.reference.experiments.layouts import Places, figure_1_left
from ptum.reference.experiments.pel import Pel
from ptum.reference.experiments.rmax import Rmax, rmax_table
from ptum.reference.experiments.two_rooms import Payment
from ptum.reference.tasks.models import ApproximateModels

GAMMA, DELTA, EPSILON, N = 0.99, 0.01, 0.1, 100_000
RUN = RunNumbers(epsilon=EPSILON, delta=DELTA, n=N)
EPISODES, STEPS, KNOWN = 100, 100, 10
EARLY, FEW = 20, 10
"""Episodes in which a jumpstart shows, and how many are few: a tenth of the axis."""
OPTIMAL = 0.95


def closed_wall(grid: Grid) -> Bools:
    """Pairs that run into the wall where it has no door, shape (S, 4)."""
    pairs = np.zeros((grid.S, 4), dtype=np.bool_)
    for row in range(grid.rows):
        pairs[grid.state((row, grid.columns // 2 - 1)), RIGHT] = row != grid.door
    return pairs


def measured(
    models: ApproximateModels,
    grid: Grid,
    target: int,
    per_sample: PerSample,
    seed: Seed,
    *,
    initial: InitialTable = largest_values,
    identifier: type[Pel] = Pel,
) -> Measured:
    """All four on one target; tests give faulty tables of MaxQInit and faulty PELs."""
    tasks = [online(theta) for theta in models.tasks]
    task, of_pel = tasks[target], known(tasks, models)
    wall = closed_wall(grid)
    pel, first = identifier(of_pel, DELTA), identifier(of_pel, DELTA)
    learners: dict[str, Learner] = {
        "rmax": Rmax(task, rmax_table(task.S, task.A, GAMMA), KNOWN),
        "maxqinit": Rmax(task, initial(models), KNOWN),
        "pel": pel,
    }
    counting = {name: Counting(learner, wall, EARLY * STEPS) for name, learner in learners.items()}
    curves = {
        name: expected_returns(task, learner, STEPS, EPISODES, stream(seed, name))
        for name, learner in counting.items()
    }
    expected_returns(task, first, STEPS, 2, stream(seed, "pel"))
    found = simulated_run(models, models.tasks[target], seed.number("samples"), RUN)
    curves["ptum"] = returns_of_ptum(task, found.queries, found.policy, STEPS, EPISODES, per_sample)
    best = task.expected_return(models.pi_star[target], STEPS)
    return Measured(
        {name: curve.tolist() for name, curve in curves.items()},
        {
            **{f"settled_{name}": settled(curve, OPTIMAL * best) for name, curve in curves.items()},
            **_differences({name: curve / best for name, curve in curves.items()}),
            "wall_maxqinit_minus_pel": counting["maxqinit"].count - counting["pel"].count,
            "wall_maxqinit_minus_rmax": counting["maxqinit"].count - counting["rmax"].count,
            "pel_one_model_after_first": int(len(first.active) == 1),
            "pel_lost_target": int(target not in pel.active),
            "samples_of_ptum": found.queries,
        },
    )


def _differences(shares: dict[str, Floats]) -> dict[str, float]:
    """Differences of curves, as shares of the optimum."""
    early = {name: float(curve[:EARLY].mean()) for name, curve in shares.items()}
    area = {name: float(curve.mean()) for name, curve in shares.items()}
    return {
        "early_ptum_minus_maxqinit": early["ptum"] - early["maxqinit"],
        "early_pel_minus_maxqinit": early["pel"] - early["maxqinit"],
        "area_maxqinit_minus_rmax": area["maxqinit"] - area["rmax"],
    }


def _run(options: Options, seed: Seed) -> Measured:
    layout = figure_1_left(seed.generator("layout"), Places(options["D69"]))
    models = approximate_models(layout.tasks(GAMMA, payment=Payment(options["D68"])))
    target = seed.run % models.k
    return measured(models, layout.grid(target), target, PerSample(options["D73"]), seed)


PANEL = Panel(
    id="figure-1-left",
    title="Identification against jumpstart: two rooms",
    says=(
        "PTUM and PEL, which identify the task, have an optimal policy after very few episodes. "
        "The jumpstart of MaxQInit is delayed: its optimism leads to the wall, and finding the "
        "door takes many samples. PEL is optimistic too, and knows the task at once, since an "
        "attempt to cross the wall tells tasks apart."
    ),
    notes=(
        "A curve shows what the policy with which an episode begins is expected to earn in it. "
        "While PTUM samples, 100 samples are an episode of return 0. PEL is a learner in its "
        "style (D86). A policy counts as optimal from 0.95 of the optimum on, for good."
    ),
    parameters={
        "grid": "12x12",
        "tasks": 12,
        "gamma": GAMMA,
        "delta": DELTA,
        "epsilon": EPSILON,
        "n": N,
        "known_after": KNOWN,
        "episodes": EPISODES,
        "steps": STEPS,
    },
    x_axis=Axis("episode (100 steps)"),
    y_axis=Axis(EXPECTED),
    curves=CURVES,
    x=lambda _: [float(number) for number in range(1, EPISODES + 1)],
    run=_run,
    declared=(
        Declared(
            "figure-1-left.identification",
            "ptum",
            "PTUM has an optimal policy within ten episodes",
            MeanBelow("settled_ptum", FEW, "episodes"),
            "settled_ptum",
        ),
        Declared(
            "figure-1-left.identification",
            "pel",
            "PEL has an optimal policy within ten episodes",
            MeanBelow("settled_pel", FEW, "episodes"),
            "settled_pel",
        ),
        Declared(
            "text-identification-fast.pel-instant",
            "one-left",
            "PEL has one model left after the first episode, in most runs",
            Share("pel_one_model_after_first"),
        ),
        Declared(
            "figure-1-left.jumpstart-delayed",
            "behind-ptum",
            "In the first 20 episodes MaxQInit earns less than PTUM",
            MeanAbove("early_ptum_minus_maxqinit", 0, "of the optimum"),
        ),
        Declared(
            "figure-1-left.jumpstart-delayed",
            "behind-pel",
            "In the first 20 episodes MaxQInit earns less than PEL",
            MeanAbove("early_pel_minus_maxqinit", 0, "of the optimum"),
        ),
        Declared(
            "figure-1-left.jumpstart-delayed",
            "ahead-of-rmax",
            "Over all episodes MaxQInit earns more than RMAX",
            MeanAbove("area_maxqinit_minus_rmax", 0, "of the optimum"),
        ),
        Declared(
            "figure-1-left.jumpstart-delayed",
            "wall-more-than-pel",
            "In the first 20 episodes MaxQInit runs into the closed wall more often than PEL",
            MeanAbove("wall_maxqinit_minus_pel", 0, "steps"),
        ),
        Declared(
            "figure-1-left.jumpstart-delayed",
            "wall-more-than-rmax",
            "… and more often than RMAX, which nothing draws there",
            MeanAbove("wall_maxqinit_minus_rmax", 0, "steps"),
        ),
    ),
    never=EPISODES + 1,
)
