"""Figure 1 right with goals that pay once (erratum E55): every policy is ε-optimal.

A 12×12 grid with seven goals, of which each task has its own best one; γ = 0.9999. Paid on
arrival, no value exceeds 0.81, so at ε = 1 the first pass stops and nothing is sampled.
"""

from __future__ import annotations

from functools import partial

from checks.appendix_e_runs import (
    EPSILON_1_RIGHT,
    GAMMA_1_RIGHT,
    GOALS,
    PRINTED_PRIZES,
    Prizes,
    asks_walk,
)
from checks.counterexamples.catalogue import Case, Numbers
from reference.domains.two_rooms import Payment

ONCE = Payment.ON_ARRIVAL


def numbers() -> Numbers:
    """The tasks, and when goals pay."""
    return (
        ("grid", "12×12, start in (0,0)"),
        ("goals", GOALS),
        ("best goal of task 0", PRINTED_PRIZES.target),
        ("best goal of task j", PRINTED_PRIZES.rival),
        ("other goals", PRINTED_PRIZES.rest),
        ("paid", "on arrival, once"),
        ("γ", GAMMA_1_RIGHT),
        ("ε", EPSILON_1_RIGHT),
        ("Δ", 0),
    )


CASES = (
    Case(
        checks=("text-informative-goals.ptum-samples/paid-once",),
        numbers=numbers,
        told=partial(asks_walk, ONCE),
        undo="ε = 0.1",
        undone=partial(asks_walk, ONCE, 0.1),
        broken={
            "largest reward": partial(asks_walk, ONCE, side=6, prizes=Prizes(rival=0.9)),
            "rewards at the pair of the first query differ by": partial(
                asks_walk, ONCE, side=6, prizes=Prizes(0.8, 0.8, 0.8)
            ),
        },
        repaired=partial(asks_walk, Payment.IN_GOAL),
        sibling=partial(asks_walk, ONCE, 0.5, side=6),
    ),
)
