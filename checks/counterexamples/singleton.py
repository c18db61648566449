"""PTUM started from one model: no sample, no doubt, no correction (errata E39, E59)."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from checks.counterexamples.adaptive_samples import readable
from checks.families.hmms import next_stay_skip
from checks.families.named import bandit
from checks.outcome import Statement, Walk
from checks.section_4 import sequences
from reference.domains.grid import Grid
from reference.domains.two_rooms import goal_grid
from reference.generative import Simulator
from reference.mdp import MDP
from reference.models import approximate_models
from reference.prediction import Experiment
from reference.ptum import PtumResult, ptum
from reference.repaired.prediction import PerStep
from reference.sequential import TaskRecord

TASKS, FORWARD = 8, Fraction(97, 100)
"""The chain of Appendix E: next with chance 0.97, stay and skip with 0.015 each."""


def grid() -> tuple[MDP, ...]:
    """One task of 5×5 cells and four actions, known to be the next one."""
    return (goal_grid(Grid(5, 5), {(4, 4): 1.0}, 0.9),)


def started_from(models: tuple[MDP, ...], true: MDP) -> PtumResult:
    """The literal PTUM on the given models alone, on samples of the true task."""
    return ptum(
        approximate_models(models),
        Simulator(true, seed=0),
        epsilon=0.1,
        delta=0.1,
        n=100,
        Delta=0.0,
    )


def free_observation(models: tuple[MDP, ...]) -> Walk:
    """The samples that o_h needs are among those that PTUM takes."""
    S, A = models[0].S, models[0].A
    result = started_from(models, models[0])
    missing = int(np.sum(result.N == 0))
    return Walk(
        premises=(
            Statement("PTUM ends by its stopping rule", result.tau is not None, "=", True),
            Statement("pairs", S * A, "≥", 1),
        ),
        conclusion=Statement("pairs that PTUM leaves without a sample", missing, "=", 0),
    )


def all_samples_counted(n_post: int) -> Walk:
    """Samples of a task = PTUM's + the fallback's + n_post of every pair."""
    runs = (
        sequences.printed(sequences.ONE_STAY, n_post=n_post),
        sequences.repaired(sequences.ONE_STAY, n_post=3 * n_post),
    )
    off = [
        abs(record.samples - _expected(record, post))
        for records, post in zip(runs, (n_post, 3 * n_post), strict=True)
        for record in records
    ]
    return Walk((), Statement("samples not accounted for", sum(off), "=", 0))


def _expected(record: TaskRecord, n_post: int) -> int:
    fallback = record.result.fallback
    return record.result.queries + 4 * n_post + (0 if fallback is None else fallback.queries)


def wrong_singleton() -> tuple[tuple[MDP, ...], MDP]:
    """The model of a bandit that is not the task; the task itself is not offered."""
    true, other = bandit(0.5, (0.9, 0.1), (0.1, 0.9))
    return (other,), true


def right_singleton() -> tuple[tuple[MDP, ...], MDP]:
    """The same bandit, offered its own model."""
    models, true = wrong_singleton()
    del models
    return (true,), true


def contains_target(models: tuple[MDP, ...], true: MDP, delta: float = 0.1) -> Walk:
    """P(θ*_h ∈ Θ̄_h) ≥ 1-δ, for PTUM started from Θ̃_h = the given models.

    Where it takes no sample nothing is random, and the probability is 0 or 1.
    """
    result = started_from(models, true)
    kept = any(models[theta] is true for theta in result.active)
    return Walk(
        premises=(
            Statement("PTUM ends by its stopping rule", result.tau is not None, "=", True),
            Statement("samples", result.queries, "=", 0),
        ),
        conclusion=Statement("P(θ*_h ∈ Θ̄_h)", float(kept), "≥", 1 - delta),
    )


def expected_share_wrong(tasks: int, *, corrected: bool) -> Fraction:
    """Expected share of the tasks after the first whose only model is wrong; one successor is kept.

    T is known and the first task too. Without correction the offset of the prediction is a walk on
    Z_8 that moves when the chain does not go to the next task; with it every task starts anew.
    """
    T = next_stay_skip(TASKS, FORWARD, (1 - FORWARD) / 2, (1 - FORWARD) / 2)
    # column 0 of T says where the chain goes from task 0; the prediction is always task 1
    moves = {step - 1: T[step][0] for step in range(TASKS) if T[step][0]}
    law = {0: Fraction(1)}
    wrong = Fraction(0)
    for _ in range(tasks):
        following: dict[int, Fraction] = {}
        for offset, probability in law.items():
            start = 0 if corrected else offset
            for move, chance in moves.items():
                place = (start + move) % TASKS
                following[place] = following.get(place, Fraction(0)) + probability * chance
        law = following
        wrong += 1 - law.get(0, Fraction(0))
    return wrong / tasks


def stays_on_track(tasks: int = 60, *, corrected: bool = False) -> Walk:
    """The share of wrongly solved tasks stays at the chance of one wrong prediction.

    The premises are taken from literal runs: a wrong singleton is returned without a sample.
    """
    models, true = wrong_singleton()
    result = started_from(models, true)
    share = expected_share_wrong(tasks, corrected=corrected)
    return Walk(
        premises=(
            Statement("samples that PTUM takes from a wrong singleton", result.queries, "=", 0),
            Statement("models it returns", len(result.active), "=", 1),
        ),
        conclusion=Statement("expected share of wrong tasks", readable(share), "≤", 1 - FORWARD),
    )


def literal_misses(*, corrected: bool) -> Walk:
    """Twelve tasks with one stay among them: how many are solved with the wrong model."""
    if corrected:
        records = sequences.repaired(sequences.ONE_STAY, rule=PerStep(0.05))
    else:
        records = sequences.printed(sequences.ONE_STAY, rule=Experiment(m=20, keep=1))
    wrong = sum(
        record.result.theta != sequences.ONE_STAY[record.h - 1]
        for record in records
        if record.result.theta is not None
    )
    return Walk(
        (Statement("tasks that do not follow the likeliest way", 1, "=", 1),),
        Statement("tasks solved with the wrong model", wrong, "≤", 1),
    )
