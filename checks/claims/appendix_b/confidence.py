"""Lemma 3: does the target survive every test with probability at least 1-δ?

The event E is looked at as its proof does: every pair is sampled n times, and E fails when the
target's approximate model fails a test of equations (1)-(4) at any pair after any number of
samples. This contains the failure of E under every sampling rule, so it is the hardest case.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
from hypothesis.strategies import SearchStrategy

from ptum.checks.engine.pair_path import PairPath, draw_path, path_of
from ptum.checks.exact.numbers import max_of
from ptum.checks.instances.counterexamples.appendix_b import concentration
from ptum.checks.instances.families.named import NAMED_TASK_SETS
from ptum.checks.instances.families.sets import task_sets
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts import formulas, witness
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Outcome, Values, formula_lines, premise_lines, unmet
from ptum.checks.verdicts.probability_search import (
    Effort,
    TrialResult,
    judge_named,
    named_and_drawn,
    one_by_one,
    search_candidates,
    within,
)
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer.analysis.lemmas import valid_confidence_set
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.confidence import (
    log_term,
    log_term_sigma,
    width_p,
    width_r,
    width_sigma_p,
    width_sigma_r,
    widths,
)
from ptum.reference.transfer.empirical import empirical_model, empty_data
from ptum.spec.vocabulary import CheckKind

DELTA = 0.1
ALPHA = 1e-4
SAMPLES = (80_000, concentration.N_BUDGET, concentration.N_BUDGET)
"""How far the hidden deviation is looked at; the target falls before 70 000 samples."""


@dataclass(frozen=True)
class WidthNumbers:
    """What the widths depend on besides data and models."""

    errors: ModelErrors
    n: int
    delta: float = DELTA


def target_falls(
    path: PairPath,
    pair: tuple[int, int],
    target: int,
    models: ApproximateModels,
    numbers: WidthNumbers,
) -> bool:
    """Whether M̃_θ* fails one of the equations (1)-(4) at (s,a) after some number of samples."""
    return largest_distance(path, pair, target, models, numbers) > 1


def largest_distance(
    path: PairPath,
    pair: tuple[int, int],
    target: int,
    models: ApproximateModels,
    numbers: WidthNumbers,
) -> float:
    """The largest distance/width of M̃_θ* in equations (1)-(4) at (s,a) after 1, 2, … samples.

    Both are doubles, and a quotient of doubles exceeds one exactly if the first is larger.
    """
    (s, a), errors = pair, numbers.errors
    L = log_term(models.S, models.A, numbers.n, models.k, numbers.delta)
    L_sigma = log_term_sigma(models.S, models.A, numbers.n, models.k, numbers.delta)
    N = path.N[:, np.newaxis]
    V_tilde = models.p[target, s, a] @ models.V_star.T
    sigma_tilde = models.sigma_p[target, s, a]
    tests = (
        (path.r - models.r[target, s, a], width_r(path.sigma_r, path.N, L, errors.r)),
        (path.V - V_tilde, width_p(path.sigma_p, N, L, models.gamma, errors.p)),
        (
            path.sigma_r - models.sigma_r[target, s, a],
            width_sigma_r(path.N, L_sigma, errors.sigma_r),
        ),
        (path.sigma_p - sigma_tilde, width_sigma_p(N, L_sigma, models.gamma, errors.sigma_p)),
    )
    return max_of(float(np.max(np.abs(distance) / width)) for distance, width in tests)


@dataclass(frozen=True, eq=False)
class SampledTasks:
    """A set of tasks, the errors that the widths are told, and how often pairs are sampled.

    The budget n sets the widths; `samples` may look at fewer samples of each pair than that, and
    `pairs` at some pairs only.
    """

    task_set: TaskSet
    errors: ModelErrors
    n: int
    samples: int
    pairs: tuple[tuple[int, int], ...]

    @property
    def numbers(self) -> WidthNumbers:
        """Those of the widths."""
        return WidthNumbers(self.errors, self.n)


def everywhere(task_set: TaskSet, n: int, errors: ModelErrors | None = None) -> SampledTasks:
    """All pairs n times; the errors are the exact ones of the repaired Assumption 1 by default."""
    models = task_set.approximate
    pairs = tuple((s, a) for s in range(models.S) for a in range(models.A))
    return SampledTasks(task_set, errors or task_set.repaired_errors(), n, n, pairs)


def event(sampled: SampledTasks, rng: np.random.Generator) -> TrialResult:
    """One trial of the event E on a table of samples; it fails where a distance exceeds a width."""
    models, true = sampled.task_set.approximate, sampled.task_set.true[0]
    return within(
        max_of(
            largest_distance(
                draw_path(true, s, a, models.V_star, sampled.samples, rng),
                (s, a),
                0,
                models,
                sampled.numbers,
            )
            for s, a in sampled.pairs
        )
    )


def widths_written(sampled: SampledTasks) -> tuple[str, ...]:
    """The four widths after the last sample of a pair; the deviations in them are random."""
    models, errors = sampled.task_set.approximate, sampled.errors
    known: Values = (
        *(("S", models.S), ("A", models.A), ("k", models.k), ("n", sampled.n)),
        *(("delta", DELTA), ("gamma", models.gamma), ("N", sampled.samples)),
        *(("Delta_r", errors.r), ("Delta_p", errors.p)),
        *(("Delta_sigma_r", errors.sigma_r), ("Delta_sigma_p", errors.sigma_p)),
    )
    names = ("WIDTH_R", "WIDTH_P", "WIDTH_SIGMA_R", "WIDTH_SIGMA_P")
    written = (formula_lines(formulas.APPENDIX_B + name, known) for name in names)
    return tuple(line for lines in written for line in lines)


COVERAGE = one_by_one(event, DELTA, widths_written)


def confirm(sampled: SampledTasks, rng: np.random.Generator) -> None:
    """The literal Lemma 3 holds exactly if no distance exceeds a width, after the last samples."""
    models, true = sampled.task_set.approximate, sampled.task_set.true[0]
    data, worst = empty_data(models.S, models.A), 0.0
    for s, a in sampled.pairs:
        rewards = true.u[rng.choice(true.u.size, size=sampled.samples, p=true.q[s, a])]
        successors = rng.choice(true.S, size=sampled.samples, p=true.p[s, a])
        for reward, successor in zip(rewards.tolist(), successors.tolist(), strict=True):
            data.store(s, a, reward, successor)
        path = path_of(rewards, successors, models.V_star)
        last = PairPath(*(getattr(path, field.name)[-1:] for field in fields(PairPath)))
        found = largest_distance(last, (s, a), 0, models, sampled.numbers)
        worst = max_of((worst, found))
    hat = empirical_model(data, models.V_star)
    C = widths(hat, sampled.errors, models.gamma, sampled.n, models.k, DELTA)
    literal = valid_confidence_set(0, hat, C, models)
    witness.same_truth("Lemma 3", literal.holds, worst <= 1)


@check("lemma-3.coverage/named-instances", CheckKind.PROBABILITY, alpha=ALPHA)
def named_instances(context: Context) -> Outcome:
    """P(E fails) ≤ δ on every named set of tasks, σ^p read as the deviation of Ṽ*.

    E on every named set of tasks; all must hold for the claim to hold.
    """
    n = context.count(200, 500, 2000)
    named = {task_set.name: everywhere(task_set, n) for task_set in NAMED_TASK_SETS}
    for number, task_set in enumerate(NAMED_TASK_SETS):
        confirm(everywhere(task_set, 20), np.random.default_rng(number))
    return judge_named(context, COVERAGE, named, context.count(150, 1000, 10_000), ALPHA)


def drawn_tables(n: int) -> SearchStrategy[SampledTasks]:
    """Drawn sets of tasks of every family, all pairs n times."""
    return task_sets().map(lambda task_set: everywhere(task_set, n))


@check("lemma-3.coverage/drawn-instances", CheckKind.PROBABILITY, alpha=ALPHA)
def drawn_instances(context: Context) -> Outcome:
    """No drawn set of tasks makes E fail more often than δ, σ^p read as above."""
    effort = Effort(context.count(25, 150, 1500), 5, context.count(100, 400, 4000))
    drawn = drawn_tables(context.count(60, 150, 500))
    return search_candidates(context, COVERAGE, drawn, effort, ALPHA)


def hidden_deviation(context: Context, errors: ModelErrors) -> SampledTasks:
    """The pair (s0,0) of the instance that separates the two readings of σ^p."""
    n = concentration.N_BUDGET
    return SampledTasks(concentration.instance(), errors, n, context.count(*SAMPLES), ((0, 0),))


@check("lemma-3.coverage/wrong-std", CheckKind.PROBABILITY, alpha=ALPHA)
def wrong_std_printed(context: Context) -> Outcome:
    """P(E fails) ≤ δ where σ^p of V* hides a wrong deviation of Ṽ*.

    Assumption 1 as Section 2 defines σ^p: its last constant is zero on this instance.
    """
    premises = concentration.premises()
    if failed := unmet(premises):
        return failed
    named = {"hidden deviation": hidden_deviation(context, concentration.printed_errors())}
    outcome = judge_named(context, COVERAGE, named, context.count(28, 340, 400), ALPHA)
    return replace(outcome, explanation=(*premise_lines(premises), *outcome.explanation))


@check("lemma-3.coverage/repaired", CheckKind.PROBABILITY, alpha=ALPHA)
def wrong_std_repaired(context: Context) -> Outcome:
    """P(E fails) ≤ δ there and on drawn sets under the repaired Assumption 1.

    The same pair with the constant that the repaired Assumption 1 asks for, and drawn sets.
    """
    return named_and_drawn(
        context,
        COVERAGE,
        {"hidden deviation": hidden_deviation(context, concentration.repaired_errors())},
        drawn_tables(context.count(40, 150, 500)),
        Effort(context.count(12, 100, 1500), 2, context.count(100, 400, 4000)),
        trials=context.count(102, 360, 1000),
        alpha=ALPHA,
    )
