"""Equation 8 without scale and mixing (erratum E30): two tasks that differ in every entry.

Three states, two actions: task 1 always pays the first reward and leads to the first state, task 2
the second ones. Tasks are kept with probability 0.6, and 600 of them are seen, with one sample per
pair. How often the spectral norm of Σ̂_21 - Σ_21 exceeds the bound is counted in trials, since the
claim is about a probability.
"""

from __future__ import annotations

from functools import partial

from checks.appendix_d.runs import (
    ALPHA_OF_CHECK,
    DELTA_PRIME,
    Bound,
    Setting,
    expected_moment,
    printed_formula,
    printed_moment_bound,
    repaired_formula,
    repaired_moment_bound,
    three_noisy_tasks,
    two_certain_tasks,
    within_bound,
)
from checks.candidates import Explain, judge_named
from checks.counterexamples.catalogue import Case, Numbers
from checks.counterexamples.shown import tuples
from checks.outcome import Outcome
from checks.registry import Context, Profile

CONTEXT = Context(Profile.QUICK, seed=0)
TRIALS = 200


def counted(setting: Setting, bound: Bound, explain: Explain[Setting]) -> Outcome:
    """How often the error exceeds the bound, judged against δ'."""
    claim = within_bound(bound, explain)
    return judge_named(CONTEXT, claim, {setting.name: setting}, TRIALS, ALPHA_OF_CHECK)


def numbers() -> Numbers:
    """Tasks, chain, exact moment and bound."""
    setting = two_certain_tasks(3, 2, 0.6)
    return (
        ("S, A, U", (setting.S, setting.A, setting.U)),
        ("O, one column per task", tuples(setting.hmm.O)),
        ("T, column θ' to row θ", tuples(setting.hmm.T)),
        ("law of the first task", tuples(setting.hmm.initial)),
        ("h", setting.h),
        ("δ'", DELTA_PRIME),
        ("printed bound √(log(1/δ')/h)", printed_moment_bound(setting)),
        ("largest entry of Σ_21", float(expected_moment(setting).max())),
        ("trials", TRIALS),
    )


def _not_printed(_: Setting) -> tuple[str, ...]:
    return ("forty times the printed bound",)


def _fortyfold(setting: Setting) -> float:
    return 40 * printed_moment_bound(setting)


CERTAIN = two_certain_tasks(3, 2, 0.6)

CASES = (
    Case(
        checks=("equation-8.bound/two-tasks",),
        numbers=numbers,
        told=partial(counted, CERTAIN, printed_moment_bound, printed_formula),
        undo="the bound times 40, more than the size 2SA = 12 of an observation and √3",
        undone=partial(counted, CERTAIN, _fortyfold, _not_printed),
        repaired=partial(counted, CERTAIN, repaired_moment_bound, repaired_formula),
        sibling=partial(counted, three_noisy_tasks(300), repaired_moment_bound, repaired_formula),
        inexact="the claim bounds a probability over sequences of tasks and their samples",
    ),
)
