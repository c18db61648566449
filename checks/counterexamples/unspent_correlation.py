"""Algorithm 2 with Theorem 3's own constants gains nothing from correlations (erratum E54).

Three tasks in which nothing is random, each followed by the next with probability 0.987; O and T
are known. Twelve tasks are met, and each is begun with all three models.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, partial

from ptum.checks import sequences
from ptum.checks.counterexamples.catalogue import Case, Numbers
from ptum.checks.counterexamples.discarding import EXACT_LEAST_RHO, LEAST_RHO
from ptum.checks.counterexamples.shown import exactly, tasks
from ptum.checks.counterexamples.singleton import exact_chain
from ptum.checks.enclosed import exceeds, log, root, shortened, written
from ptum.checks.exact_hmm import Matrix, as_floats
from ptum.checks.outcome import Statement, Walk
from ptum.reference.experiments.prediction import Experiment
from ptum.reference.prediction import Theorem3
from ptum.reference.repaired.prediction import PerStep

OWN_RULE = Theorem3(m=len(sequences.ONE_STAY), rho_T=LEAST_RHO)
M, D = OWN_RULE.m, 16
"""Tasks of the sequence, and d = SA(S+U) of the three tasks."""


def walk(rule: Theorem3 | Experiment, T: Matrix) -> Walk:
    """Some task is begun with fewer than all models."""
    likeliest = min(max(row[j] for row in T) for j in range(len(T)))
    return Walk(
        (Statement("chance of the likeliest successor", likeliest, ">", Fraction(9, 10)),),
        Statement("models in the smallest Θ̃_h", smallest(rule, T), "<", sequences.K),
    )


@cache
def smallest(rule: Theorem3 | Experiment, T: Matrix) -> int:
    """The size of the smallest Θ̃_h of the literal run; with Theorem 3's own rule nothing drops."""
    literal = sequences.printed(sequences.ONE_STAY, rule=rule, delta=1e-5, T=as_floats(T))
    least = min(len(record.initial) for record in literal)
    if rule is OWN_RULE and nothing_can_be_dropped() != (least == sequences.K):
        raise AssertionError(f"the literal run kept {least} of {sequences.K} models")
    return least


def nothing_can_be_dropped() -> bool:
    """Whether ρ_T k √(log(9kdm²/δ')/h) alone exceeds η = δ'/(3km²) at the last h = m."""
    k, delta_prime = sequences.K, written(sequences.DELTA_PRIME)
    error = EXACT_LEAST_RHO * k * root(log(9 * k * D * M**2 / delta_prime) / M)
    return exceeds(error, delta_prime / (3 * k * M**2))


def exploits_per_step(sequence: Sequence[int]) -> Walk:
    """From the third task on every task is begun with one model, which is wrong at most once."""
    records = sequences.repaired(sequence, rule=PerStep(0.05))[3:]
    missed = sum(sequence[r.h - 1] not in r.initial for r in records)
    return Walk(
        (Statement("tasks whose Θ̃_h lacks them", missed, "≤", 1),),
        Statement("models in the largest Θ̃_h", max(len(r.initial) for r in records), "=", 1),
    )


def numbers() -> Numbers:
    """Tasks, chain and sequence."""
    named = zip(("task 0", "task 1", "task 2"), map(exactly, sequences.TASKS), strict=True)
    return (
        *tasks(named),
        ("T, column θ' to row θ", exact_chain()),
        ("sequence", sequences.ONE_STAY),
        ("γ", written(sequences.GAMMA)),
        ("ε", written(sequences.EPSILON)),
        ("δ", Fraction(1, 10**5)),
        ("δ'", written(sequences.DELTA_PRIME)),
        ("ρ_T, the least of Lemma 12", shortened(EXACT_LEAST_RHO)),
    )


ANY: Matrix = ((Fraction(1, 3),) * sequences.K,) * sequences.K

CASES = (
    Case(
        checks=("text-exploits-correlations.combined/as-analysed",),
        numbers=numbers,
        told=partial(walk, OWN_RULE, exact_chain()),
        undo="the tuned rule of the experiments, which keeps the likeliest task only",
        undone=partial(walk, Experiment(m=OWN_RULE.m, keep=1), exact_chain()),
        broken={"chance of the likeliest successor": partial(walk, OWN_RULE, ANY)},
        repaired=partial(exploits_per_step, sequences.ONE_STAY),
        sibling=partial(exploits_per_step, (0, 1, 2) * 4),
        sibling_numbers=lambda: (
            ("sequence", (0, 1, 2) * 4),
            ("η of the per-step rule", Fraction(1, 20)),
        ),
    ),
)
