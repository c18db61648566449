"""Algorithm 2 with Theorem 3's own constants gains nothing from correlations (erratum E54).

Three tasks in which nothing is random, each followed by the next with probability 0.987; O and T
are known. Twelve tasks are met, and each is begun with all three models.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from checks.counterexamples.catalogue import Case, Numbers
from checks.counterexamples.discarding import LEAST_RHO
from checks.counterexamples.shown import tasks, tuples
from checks.section_4 import sequences
from checks.section_4.prediction import OWN_RULE, exploits, exploits_per_step
from reference.prediction import Experiment


def numbers() -> Numbers:
    """Tasks, chain and sequence."""
    named = zip(("task 0", "task 1", "task 2"), sequences.TASKS, strict=True)
    return (
        *tasks(named),
        ("T, column θ' to row θ", tuples(sequences.CHAIN)),
        ("sequence", sequences.ONE_STAY),
        ("γ", sequences.GAMMA),
        ("ε", sequences.EPSILON),
        ("δ", 1e-5),
        ("δ'", sequences.DELTA_PRIME),
        ("ρ_T, the least of Lemma 12", LEAST_RHO),
    )


CASES = (
    Case(
        checks=("text-exploits-correlations.combined/as-analysed",),
        numbers=numbers,
        told=partial(exploits, OWN_RULE),
        undo="the tuned rule of the experiments, which keeps the likeliest task only",
        undone=partial(exploits, Experiment(m=OWN_RULE.m, keep=1)),
        broken={
            "chance of the likeliest successor": partial(exploits, OWN_RULE, np.full((3, 3), 1 / 3))
        },
        repaired=partial(exploits_per_step, sequences.ONE_STAY),
        sibling=partial(exploits_per_step, (0, 1, 2) * 4),
    ),
)
