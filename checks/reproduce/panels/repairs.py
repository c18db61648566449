"""Two figures of ours beside the paper's: what repairs of Algorithm 2 change, what constants cost.

Both are about the experiment of Figure 2. They test no sentence of the paper, so they have no
findings.
"""

from __future__ import annotations

import numpy as np

from ptum.checks.reproduce.panel import Axis, Curve, Measured, Options, Panel, Seed
from ptum.checks.reproduce.panels import sequence_numbers as of
from ptum.checks.reproduce.panels.figure_2 import DESIGN, parameters
from ptum.checks.reproduce.panels.sequences import (
    DELTA,
    EPSILON,
    GAMMA,
    REPAIRED,
    SEQUENTIAL,
    TRANSFER,
    transfer,
    world,
)
from ptum.reference.experiments.sequential import AS_PRINTED, AS_RUN, Switch, guaranteed
from ptum.reference.transfer.fallback import samples_per_pair
from ptum.reference.transfer.stopping import transfer_threshold

SWITCHES: dict[str, frozenset[Switch]] = {
    "as run": AS_RUN,
    "labels as they come": AS_PRINTED,
    "post-samples only": AS_RUN | {Switch.POST_SAMPLES},
    "views within a task": AS_RUN | {Switch.POST_SAMPLES, Switch.WITHIN_TASK},
    "re-identification": AS_RUN | {Switch.REIDENTIFY},
    "rule per step": AS_RUN | {Switch.PER_STEP},
    "all repairs": REPAIRED,
}
"""Views within a task are of post-samples only."""


def measured(_: Options, seed: Seed, *, length: int = TRANSFER) -> Measured:
    """The sequential variant with each set of switches, on the same tasks and streams of PTUM."""
    here = world(DESIGN, {}, seed)
    rows = []
    for switches in SWITCHES.values():
        found = transfer(here, seed, switches=switches, length=length, named=(SEQUENTIAL,))
        rows.append(
            (
                float(of.ratios(found, SEQUENTIAL).mean()),
                float(of.missing(here, found, SEQUENTIAL).mean()),
                len(of.lost(here, found, (SEQUENTIAL,))) / length,
            )
        )
    samples, missed, lost = (list(column) for column in zip(*rows, strict=True))
    numbers = {f"samples, {name}": row[0] for name, row in zip(SWITCHES, rows, strict=True)}
    return Measured({"samples": samples, "missed": missed, "lost": lost}, numbers)


REPAIRS = Panel(
    id="repairs",
    title="What each repair of Algorithm 2 changes",
    says="",
    notes=(
        "The sequential variant of Figure 2 as run, and with one repair at a time: labels of "
        "successive estimates (E40; as they come, they are not matched), post-samples only (E41), "
        "views within a task (E26, with post-samples only; models are learned after every 20th "
        "task), re-identification of a finished task among all models (E39), the rule per step "
        "with 0.005 for Theorem 3's (E36); and all of them. ρ and its decay are the same for all, "
        "tuned by hand as in Appendix E.2, Algorithm 1 is as printed. A run has seven sequences, "
        "and no sentence is tested, so 20 runs are kept, as of an alternative."
    ),
    parameters=parameters(DESIGN),
    x_axis=Axis("", names=tuple(SWITCHES)),
    y_axis=Axis("samples / the oracle's; share of tasks"),
    curves=(
        Curve("samples", "samples / the oracle's"),
        Curve("missed", "targets missed"),
        Curve("lost", "policies not ε-optimal"),
    ),
    x=lambda _: [float(place) for place in range(len(SWITCHES))],
    run=measured,
    declared=(),
)


# Constants

MANY = 10**18


def costs(_: Options, seed: Seed) -> Measured:
    """Tasks before transfer and samples of such a task, with tuned and with guaranteed constants.

    c_2, which is known to exist only, counts as 1. `MANY` tasks are where one stops looking.
    """
    here = world(DESIGN, {}, seed)
    S, A, k = here.setting.S, here.setting.A, len(here.tasks)
    constants = guaranteed(here.tasks, np.full(k, 1 / k))
    threshold = transfer_threshold(EPSILON, GAMMA)
    lengths = [10**power for power in range(2, 19)]
    enough = (h for h in lengths if constants.model_errors(h, here.setting).Delta < threshold)
    by_theorem = samples_per_pair(S, A, GAMMA, EPSILON, DELTA) * S * A
    schedule = here.schedule
    return Measured(
        {
            "tuned": [float(schedule.start_up), float(schedule.per_pair * S * A)],
            "guaranteed": [float(next(enough, MANY)), float(by_theorem)],
        },
        {
            "rho_4": constants.rho_4,
            "error_after_10^18_tasks_over_admitted": (
                constants.model_errors(MANY, here.setting).Delta / threshold
            ),
        },
    )


CONSTANTS = Panel(
    id="constants",
    title="What guaranteed constants cost",
    says="",
    notes=(
        "The experiment of Figure 2. Tuned: ρ as in Appendix E.2, 300 start-up tasks, 50 samples "
        "per pair in each. Guaranteed: every constant by its theorem (views within a task, c_2 = "
        "1), and the fallback with the samples that its proof asks for; a power of ten, and 10^18 "
        "where no fewer tasks are enough to enter the transfer mode, nor are those."
    ),
    parameters=parameters(DESIGN),
    x_axis=Axis("", names=("tasks before transfer", "samples of such a task")),
    y_axis=Axis("number", log=True, most=float(MANY)),
    curves=(Curve("tuned", "tuned constants"), Curve("guaranteed", "guaranteed constants")),
    x=lambda _: [0.0, 1.0],
    run=costs,
    declared=(),
)
