"""Theorem 2 for every h ≥ 1 (erratum E34): after one task there is no estimate to bound.

Three tasks on an ergodic chain, which satisfy the repaired Assumption 2 as well.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np

from checks import exact_hmm as exact
from checks.counterexamples.catalogue import Case, Numbers
from checks.counterexamples.shown import tuples
from checks.families import hmms
from checks.families.hmms import NamedHMM
from checks.outcome import Statement, Walk
from checks.section_4.models import first_task
from reference.hmm import HMM

RHO_3, DELTA_PRIME = 8.0, 0.5


def admitted_walk(tasks: int) -> Walk:
    """Repair: only for h ≥ ρ_3 log(π²h²d/δ'), here with ρ_3 = 8 and δ' = 1/2."""
    found = first_task(tasks)
    d = hmms.three_task_chain().hmm.d
    least = RHO_3 * math.log(math.pi**2 * tasks**2 * d / DELTA_PRIME)
    admitted = Statement("h against ρ_3 log(π²h²d/δ')", tasks, "≥", least)
    return Walk((*found.premises, admitted), found.conclusion)


def numbers() -> Numbers:
    """Tasks and chain."""
    hmm = hmms.three_task_chain().hmm
    return (
        ("O, one column per task", tuples(hmm.O)),
        ("T, column θ' to row θ", tuples(hmm.T)),
        ("law of the first task", tuples(hmm.initial)),
        ("h", 1),
    )


def _with_twins() -> NamedHMM:
    """The second task is the first once more."""
    model = hmms.three_task_chain()
    hmm = model.hmm
    return replace(model, hmm=HMM(hmm.O[:, [0, 0, 2]], hmm.T, np.array(hmm.initial)))


def _drawn_anew() -> NamedHMM:
    return hmms.three_task_chain(hmms.independent(exact.vector(("1/3", "1/3", "1/3"))))


CASES = (
    Case(
        checks=("theorem-2.all-h/first-task",),
        numbers=numbers,
        told=partial(first_task, 1),
        undo="h = 9, three triples",
        undone=partial(first_task, 9),
        broken={
            "rank O": lambda: first_task(1, _with_twins()),
            "rank T": lambda: first_task(1, _drawn_anew()),
            "h": partial(first_task, 0),
        },
        repaired=partial(admitted_walk, 1),
        sibling=partial(admitted_walk, 300),
    ),
)
