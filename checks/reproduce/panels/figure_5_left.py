"""Figure 5 left: sequential transfer with more stochastic rewards, no copies (Appendix E.2)."""

from __future__ import annotations

from ptum.checks.engine.as_run_spectral import learn_hmm
from ptum.checks.engine.models import approximate_models
from ptum.checks.reproduce.findings import EQUAL_LATER, Declared, MeanAbove, MeanBelow
from ptum.checks.reproduce.panel import REPAIRED_LATER, Measured, Options, Panel, Seed
from ptum.checks.reproduce.panels import figure_2, figure_4
from ptum.checks.reproduce.panels import sequence_numbers as of
from ptum.checks.reproduce.panels.sequences import (
    TRANSFER,
    USUAL,
    SequenceDesign,
    drawn,
    transfer,
    world,
)
from ptum.checks.reproduce.sequence import Learner
from ptum.reference.experiments import objectworld, sequential

DESIGN = SequenceDesign(objectworld.FIGURE_5_LEFT, sequential.FIGURE_5_LEFT)
LITTLE = 0.2
"""A curve is rather flat if its ends differ by less than this share of its mean, and a set of
models stays roughly the same if it does for all but this share of targets."""


def measured(
    options: Options, seed: Seed, *, length: int = TRANSFER, learner: Learner = learn_hmm
) -> Measured:
    """One run; tests give a shorter one, or a faulty learner."""
    here = world(DESIGN, options, seed)
    found = transfer(here, seed, length=length, learner=learner)
    rival = drawn(
        figure_4.DESIGN.tasks, seed.generator("list of Figure 4"), {**USUAL, **options}["D81"]
    )
    fewer = of.close_pairs(here.exact) - of.close_pairs(approximate_models(rival))
    as_run = Measured(
        figure_2.curves(here, found),
        {
            **of.sample_numbers(here, found),
            "close_pairs_minus_figure_4": float(fewer),
            "changed_sets": of.changed_sets(here, found),
            **figure_2.numbers_of_policies(here, found),
        },
        of.lost(here, found),
    )
    return figure_2.with_repairs(as_run, here, seed, length)


PANEL = Panel(
    id="figure-5-left",
    title="Samples with more stochastic rewards, without copies",
    says=(
        "The sequential variant outperforms the static one again. The curves are rather flat: "
        "there is only a small improvement over the tasks, mostly because it is harder now to "
        "have tasks that are very close to each other, so that the set of models to discard stays "
        "roughly the same."
    ),
    notes=(
        f"{figure_4.NOTES} The beginning and the end of a curve are 20 tasks each. Close are two "
        "tasks if the policy of one is ε-optimal in the other, compared with a list drawn as for "
        "Figure 4; a model has to be discarded if the target's policy loses more in it than the "
        "slack of line 14, with Δ as it is at the entry and at the end. The paper compares the "
        "curves with those of the previous experiments, which is not tested: by the same limits "
        "those of [figure-2-left](#figure-2-left) are flat as well."
    ),
    parameters=figure_2.parameters(DESIGN),
    x_axis=figure_2.TASK,
    y_axis=figure_2.SAMPLES,
    curves=figure_2.SAMPLE_CURVES,
    x=figure_2.tasks_in_order,
    run=measured,
    declared=(
        Declared(
            "figure-5-left.sequential-below-static",
            "mean",
            "Over all transfer tasks the sequential variant takes fewer samples than the static",
            MeanBelow("sequential_minus_static", 0, figure_2.TIMES),
        ),
        *(
            test
            for name in of.VARIANTS
            for test in (
                Declared(
                    "figure-5-left.flat",
                    f"{name}-no-rise",
                    f"The {name} curve rises by less than {LITTLE:.0%} of its mean",
                    MeanBelow(f"change_{name}", LITTLE, "of its mean"),
                ),
                Declared(
                    "figure-5-left.flat",
                    f"{name}-no-fall",
                    f"The {name} curve falls by less than {LITTLE:.0%} of its mean",
                    MeanAbove(f"change_{name}", -LITTLE, "of its mean"),
                ),
            )
        ),
        Declared(
            "figure-5-left.flat",
            "fewer-close-tasks",
            "Fewer pairs of tasks are close to each other than in lists of Figure 4",
            MeanBelow("close_pairs_minus_figure_4", 0, "pairs of tasks"),
        ),
        Declared(
            "figure-5-left.flat",
            "same-set",
            f"The set to discard changes for fewer than {LITTLE:.0%} of targets",
            MeanBelow("changed_sets", LITTLE, "of targets"),
        ),
    ),
    revision=2,
    history=(REPAIRED_LATER, EQUAL_LATER),
    explains=True,
)
