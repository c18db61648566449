"""Lemma 3 with σ^p as Section 2 defines it (erratum E05).

States s0, x, y, z; two actions; x, y, z absorbing; from s0 both actions lead to x with some
probability and to y otherwise. The truth goes to x rarely and finds much there; the approximation
goes there more often and finds less, so that the deviation of V* under p equals the deviation of
Ṽ* under p̃ although the deviation of Ṽ* under p is far from both. Assumption 1 as printed compares
the first two and sees no error; equation (4) compares the last two. A fourth state z with a real
choice keeps PTUM from stopping. How often the target is eliminated is counted in trials, since
the claim is about a probability.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from checks.candidates import judge_named
from checks.counterexamples.catalogue import Case, Numbers
from checks.counterexamples.shown import tasks
from checks.families.named import TaskSet
from checks.outcome import Outcome, Statement
from checks.registry import Context, Profile
from reference.assumptions import ModelErrors, model_errors, single
from reference.information import index, index_is_zero, query
from reference.mdp import MDP, deterministic_rewards
from reference.models import approximate_models
from reference.repaired.assumptions import model_errors as repaired_model_errors
from reference.stopping import enters_transfer_mode, stopping_models
from spec.vocabulary import Verdict

GAMMA, EPSILON, DELTA, N_BUDGET = 0.9, 8.0, 0.1, 200_000
P_TRUE, GAIN_TRUE = 0.02, 0.8
GAIN_APPROXIMATE, FLOOR_APPROXIMATE = 0.7, 0.1
AT_Z = ((0.85, 0.1), (0.1, 0.85))
"""Rewards of the two actions in z, in target and rival."""
SPREAD = (GAIN_TRUE / (GAIN_APPROXIMATE - FLOOR_APPROXIMATE)) ** 2
P_APPROXIMATE = (1 - math.sqrt(1 - 4 * P_TRUE * (1 - P_TRUE) * SPREAD)) / 2


def _task(to_x: float, r_x: float, r_y: float, r_z: tuple[float, float]) -> MDP:
    p = np.zeros((4, 2, 4))
    p[0, :, 1], p[0, :, 2] = to_x, 1 - to_x
    for absorbing in (1, 2, 3):
        p[absorbing, :, absorbing] = 1
    r = np.array([[0.0, 0.0], [r_x, r_x], [r_y, r_y], list(r_z)])
    return deterministic_rewards(p, r, GAMMA)


def instance() -> TaskSet:
    """Two tasks that differ only in which action pays in z; the target is number 0."""
    true = tuple(_task(P_TRUE, GAIN_TRUE, 0.0, r_z) for r_z in AT_Z)
    approximate = [_task(P_APPROXIMATE, GAIN_APPROXIMATE, FLOOR_APPROXIMATE, z) for z in AT_Z]
    return TaskSet("hidden deviation", true, approximate_models(approximate))


def printed_errors() -> ModelErrors:
    """Assumption 1's constants as printed."""
    task_set = instance()
    return model_errors(task_set.true, task_set.approximate)


def repaired_errors() -> ModelErrors:
    """The constants when the deviations of the same function are compared."""
    task_set = instance()
    return repaired_model_errors(task_set.true, task_set.approximate)


def premises(task_set: TaskSet, errors: ModelErrors) -> tuple[Statement, ...]:
    """PTUM enters transfer mode, does not stop, and queries (s0,0) in every pass."""
    models = task_set.approximate
    both = tuple(range(models.k))
    Delta = errors.Delta
    I_1 = index(both, models, Delta)
    s, a = query(I_1)
    return (
        Statement("transfer mode", enters_transfer_mode(Delta, EPSILON, GAMMA), "=", True),
        Statement("policies that stop", len(stopping_models(both, models, EPSILON, Delta)), "=", 0),
        Statement("index zero everywhere", index_is_zero(I_1), "=", True),
        Statement("number of the queried pair", s * models.A + a, "=", 0),
        Statement("|Std_p[V*] - Std_p̃[Ṽ*]|, zero up to rounding", errors.sigma_p, "<", 1e-12),
    )


# What the instance shows


SEED, FEW_TRIALS, TRIALS = 0, 14, 94
"""Trials enough to show a violation, and enough to show that failures are rare."""


def exactly_modelled(at_z: tuple[tuple[float, float], ...] = AT_Z) -> TaskSet:
    """The same tasks, and they themselves as models."""
    true = tuple(_task(P_TRUE, GAIN_TRUE, 0.0, r_z) for r_z in at_z)
    return TaskSet("exact models", true, approximate_models(true))


def coverage(
    task_set: TaskSet, errors: ModelErrors, trials: int, samples: int | None = None
) -> Outcome:
    """P(E fails) ≤ δ, looked at in the pair (s0,0) alone, after so many samples or fewer."""
    from checks.appendix_b import confidence  # its checks are built on this module

    context = Context(Profile.QUICK, SEED)
    hidden = confidence.hidden_deviation(context, errors)
    sampled = replace(hidden, task_set=task_set, samples=samples or hidden.samples)
    named = {task_set.name: sampled}
    return judge_named(context, confidence.COVERAGE, named, trials, confidence.ALPHA)


def as_printed(task_set: TaskSet, errors: ModelErrors, trials: int = FEW_TRIALS) -> Outcome:
    """The same under the premises that make PTUM sample that pair for ever."""
    statements = premises(task_set, errors)
    told = tuple(f"premise    {premise}" for premise in statements)
    if not all(premise.holds for premise in statements):
        return Outcome(Verdict.ASSUMPTION_NOT_MET, instances=1, story=told)
    outcome = coverage(task_set, errors, trials)
    return replace(outcome, story=(*told, *outcome.story))


def _numbers() -> Numbers:
    task_set, errors = instance(), printed_errors()
    models = task_set.approximate.tasks
    constants = (errors.r, errors.p, errors.sigma_r, errors.sigma_p)
    return (
        ("γ", GAMMA),
        ("ε, δ, n", (EPSILON, DELTA, N_BUDGET)),
        ("states", "s0, x, y, z"),
        *tasks((("the target", task_set.true[0]), ("the rival", task_set.true[1])), "both"),
        *tasks(
            zip(("the target's model", "the rival's model"), models, strict=True), "both models"
        ),
        ("Δ^r, Δ^p, Δ^{σ_r}, Δ^{σ_p}", tuple(round(x, 12) for x in constants)),
    )


CASES = (
    Case(
        checks=("lemma-3.coverage/wrong-std",),
        numbers=_numbers,
        told=lambda: as_printed(instance(), printed_errors()),
        undo="the models are the tasks themselves; the constants that the widths are told stay",
        undone=lambda: as_printed(exactly_modelled(), printed_errors(), TRIALS),
        broken={
            "transfer mode": lambda: as_printed(instance(), single(0.2)),
            "policies that stop": lambda: as_printed(
                exactly_modelled((AT_Z[0], AT_Z[0])), printed_errors()
            ),
            "index zero everywhere": lambda: as_printed(instance(), single(0.01)),
            "number of the queried pair": lambda: as_printed(instance(), single(0.01)),
            "|Std_p[V*] - Std_p̃[Ṽ*]|, zero up to rounding": lambda: as_printed(
                instance(), repaired_errors()
            ),
        },
        repaired=lambda: coverage(instance(), repaired_errors(), TRIALS),
        sibling=lambda: coverage(exactly_modelled(), single(0.0), TRIALS, samples=5000),
        inexact="the claim bounds the probability that the target is eliminated",
    ),
)
