"""Lemma 3: does the target survive every test with probability at least 1-δ?

The event E is looked at as its proof does: every pair is sampled n times, and E fails when the
target's approximate model fails a test of equations (1)-(4) at any pair after any number of
samples. This contains the failure of E under every sampling rule, so it is the hardest case.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from checks.candidates import Effort, search_candidates
from checks.counterexamples import wrong_std
from checks.engine.pair_path import PairPath, draw_path
from checks.families.named import NAMED_TASK_SETS, TaskSet
from checks.families.sets import task_sets
from checks.outcome import Outcome
from checks.registry import Check, Context
from checks.statistics import clopper_pearson, judge_probability
from reference.assumptions import ModelErrors
from reference.confidence import (
    log_term,
    log_term_sigma,
    width_p,
    width_r,
    width_sigma_p,
    width_sigma_r,
)
from reference.mdp import MDP
from reference.models import ApproximateModels
from reference.repaired.assumptions import model_errors
from spec.vocabulary import CheckKind, Verdict, Version

DELTA = 0.1
ALPHA = 1e-4
SAMPLES = (80_000, wrong_std.N_BUDGET, wrong_std.N_BUDGET)
"""How far the hidden deviation is looked at; the target falls before 70 000 samples."""


def target_falls(
    path: PairPath,
    s: int,
    a: int,
    target: int,
    models: ApproximateModels,
    errors: ModelErrors,
    n: int,
    delta: float,
) -> bool:
    """Whether M̃_θ* fails one of the equations (1)-(4) at (s,a) after some number of samples."""
    L = log_term(models.S, models.A, n, models.k, delta)
    L_sigma = log_term_sigma(models.S, models.A, n, models.k, delta)
    N = path.N[:, np.newaxis]
    V_tilde = models.p[target, s, a] @ models.V_star.T
    sigma_tilde = models.sigma_p[target, s, a]
    failed = (
        np.abs(path.r - models.r[target, s, a]) > width_r(path.sigma_r, path.N, L, errors.r),
        np.abs(path.V - V_tilde) > width_p(path.sigma_p, N, L, models.gamma, errors.p),
        np.abs(path.sigma_r - models.sigma_r[target, s, a])
        > width_sigma_r(path.N, L_sigma, errors.sigma_r),
        np.abs(path.sigma_p - sigma_tilde)
        > width_sigma_p(N, L_sigma, models.gamma, errors.sigma_p),
    )
    return any(bool(test.any()) for test in failed)


def event_fails(
    true: MDP,
    target: int,
    models: ApproximateModels,
    errors: ModelErrors,
    n: int,
    delta: float,
    rng: np.random.Generator,
    pairs: tuple[tuple[int, int], ...] | None = None,
    samples: int | None = None,
) -> bool:
    """One trial of the event E on a table of samples of the given pairs (all by default).

    The budget n sets the widths; `samples` may look at fewer samples of each pair than that.
    """
    everywhere = tuple((s, a) for s in range(models.S) for a in range(models.A))
    return any(
        target_falls(
            draw_path(true, s, a, models.V_star, samples or n, rng),
            s,
            a,
            target,
            models,
            errors,
            n,
            delta,
        )
        for s, a in pairs or everywhere
    )


def coverage(context: Context, task_set: TaskSet, number: int, trials: int, n: int) -> int:
    """Failures of E on one named set of tasks whose exact errors are Assumption 1's constants."""
    errors = model_errors(task_set.true, task_set.approximate)
    return sum(
        event_fails(
            task_set.true[0],
            0,
            task_set.approximate,
            errors,
            n,
            DELTA,
            context.generator(number, trial),
        )
        for trial in range(trials)
    )


def named_instances(context: Context) -> Outcome:
    """E on every named set of tasks; all must hold for the claim to hold."""
    trials, n = context.count(150, 1000, 10_000), context.count(200, 500, 2000)
    share = ALPHA / len(NAMED_TASK_SETS)
    verdicts, worst, story = [], 0, []
    for number, task_set in enumerate(NAMED_TASK_SETS):
        failures = coverage(context, task_set, number, trials, n)
        verdicts.append(judge_probability(failures, trials, DELTA, share))
        worst = max(worst, failures)
        story.append(f"{task_set.name}: E failed in {failures} of {trials} tables")
    return Outcome(
        verdict=_all(verdicts),
        instances=len(NAMED_TASK_SETS),
        trials=trials * len(NAMED_TASK_SETS),
        violations=worst,
        interval=clopper_pearson(worst, trials, share),
        worst_ratio=worst / trials / DELTA,
        story=tuple(story),
    )


def drawn_instances(context: Context) -> Outcome:
    """E on drawn sets of tasks: does any make it fail more often than δ?"""
    n = context.count(60, 150, 500)

    def fails(task_set: TaskSet, rng: np.random.Generator) -> bool:
        errors = model_errors(task_set.true, task_set.approximate)
        return event_fails(task_set.true[0], 0, task_set.approximate, errors, n, DELTA, rng)

    effort = Effort(
        instances=context.count(25, 150, 1500), pilots=5, trials=context.count(100, 400, 4000)
    )
    return search_candidates(context, task_sets(), fails, DELTA, ALPHA, effort)


def hidden_deviation(context: Context, errors: ModelErrors, trials: int) -> Outcome:
    """E at the pair (s0,0) of the instance that separates the two readings of σ^p."""
    task_set = wrong_std.instance()
    failures = sum(
        event_fails(
            task_set.true[0],
            0,
            task_set.approximate,
            errors,
            wrong_std.N_BUDGET,
            wrong_std.DELTA,
            context.generator(trial),
            pairs=((0, 0),),
            samples=context.count(*SAMPLES),
        )
        for trial in range(trials)
    )
    return Outcome(
        verdict=judge_probability(failures, trials, wrong_std.DELTA, ALPHA),
        instances=1,
        trials=trials,
        violations=failures,
        interval=clopper_pearson(failures, trials, ALPHA),
        worst_ratio=failures / trials / wrong_std.DELTA,
        story=(
            f"conclusion the target fell in {failures} of {trials} runs; "
            f"allowed is a probability of {wrong_std.DELTA}",
        ),
    )


def wrong_std_printed(context: Context) -> Outcome:
    """Assumption 1 as Section 2 defines σ^p: its last constant is zero on this instance."""
    errors = wrong_std.printed_errors()
    premises = wrong_std.premises(wrong_std.instance(), errors)
    told = tuple(f"premise    {premise}" for premise in premises)
    if not all(premise.holds for premise in premises):
        return Outcome(Verdict.ASSUMPTION_NOT_MET, instances=1, story=told)
    outcome = hidden_deviation(context, errors, context.count(14, 30, 100))
    return replace(outcome, story=(*told, *outcome.story))


def wrong_std_repaired(context: Context) -> Outcome:
    """The same pair with the constant that the repaired Assumption 1 asks for."""
    return hidden_deviation(context, wrong_std.repaired_errors(), context.count(96, 400, 1000))


def _all(verdicts: list[Verdict]) -> Verdict:
    for decisive in (Verdict.VIOLATED, Verdict.INCONCLUSIVE):
        if decisive in verdicts:
            return decisive
    return Verdict.HOLDS


CHECKS = (
    Check(
        id="lemma-3.coverage/named-instances",
        version=Version.PRINTED,
        kind=CheckKind.PROBABILITY,
        says="P(E fails) ≤ δ on every named set of tasks, σ^p read as the deviation of Ṽ*",
        run=named_instances,
        reading="lemma-3.coverage.std-of-approximate-value",
        alpha=ALPHA,
    ),
    Check(
        id="lemma-3.coverage/drawn-instances",
        version=Version.PRINTED,
        kind=CheckKind.PROBABILITY,
        says="no drawn set of tasks makes E fail more often than δ, σ^p read as above",
        run=drawn_instances,
        reading="lemma-3.coverage.std-of-approximate-value",
        alpha=ALPHA,
    ),
    Check(
        id="lemma-3.coverage/wrong-std",
        version=Version.PRINTED,
        kind=CheckKind.PROBABILITY,
        says="P(E fails) ≤ δ where σ^p of V* hides a wrong deviation of Ṽ*",
        run=wrong_std_printed,
        reading="lemma-3.coverage.std-of-true-value",
        alpha=ALPHA,
    ),
    Check(
        id="lemma-3.coverage/repaired",
        version=Version.REPAIRED,
        kind=CheckKind.PROBABILITY,
        says="P(E fails) ≤ δ on the same instance under the repaired Assumption 1",
        run=wrong_std_repaired,
        alpha=ALPHA,
    ),
)
