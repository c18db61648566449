"""Sections 4.2 and 7: predicting the next task, and what Algorithm 2 makes of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.section_4 import raw_estimates
from ptum.checks.claims.symbolic import Identity, holds
from ptum.checks.engine.blocks import Ahead
from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import Matrix
from ptum.checks.instances import sequences
from ptum.checks.instances.counterexamples.section_4 import algorithm_2, assumption_2, theorem_3
from ptum.checks.instances.counterexamples.section_4.theorem_3 import LEAST_RHO, RuleUse
from ptum.checks.instances.families import hmms, sets
from ptum.checks.instances.families.named import NAMED_TASK_SETS, bandit, exactly_known
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts import tolerances
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import (
    NOTHING_ROUNDED,
    Evaluation,
    Outcome,
    Statement,
    from_evaluation,
)
from ptum.checks.verdicts.probability_search import Effort, TrialResult, named_and_drawn, one_by_one
from ptum.checks.verdicts.search import Opportunities, listed, search
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.experiments.prediction import Experiment
from ptum.reference.repaired.sequential.observations import post_sample_observation
from ptum.reference.repaired.sequential.prediction import PerStep, reidentify
from ptum.reference.sequential.algorithm import TaskRecord
from ptum.reference.sequential.analysis.level import Level, required_h
from ptum.reference.sequential.analysis.sequential_bounds import theorem_2_bound
from ptum.reference.sequential.analysis.spectral_bounds import transition_error_bound
from ptum.reference.sequential.observations import counts, empirical_observation
from ptum.reference.sequential.prediction import Theorem3
from ptum.reference.tasks.mdp import MDP, deterministic_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer.analysis.sample_complexity import theorem_1_bound
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.spec.algebra import Term, log
from ptum.spec.formulas.symbols import d, delta_prime, k, m
from ptum.spec.vocabulary import CheckKind, Verdict, Version

PRINTED, REPAIRED = Version.PRINTED, Version.REPAIRED
ALPHA = 1e-4


# Theorem 3


@st.composite
def steps(draw: DrawFn) -> RuleUse:
    """Any step of the rule inside the premises of Theorem 3, with T̂ ≥ 0."""
    tasks = draw(st.integers(2, 6))
    columns = [draw(_distributions(tasks)) for _ in range(tasks)]
    last = draw(st.integers(1, 10**6))
    delta_prime_ = draw(st.sampled_from((0.01, 0.1, 0.5, 0.99)))
    largest = delta_prime_ / (3 * last**2)
    return RuleUse(
        T_hat=np.array(columns, dtype=np.float64).T,
        theta_bar=tuple(sorted(draw(st.sets(st.integers(0, tasks - 1), min_size=1)))),
        h=draw(st.integers(1, last)),
        m=last,
        d=draw(st.integers(2, 4000)),
        delta=largest * draw(st.sampled_from((1.0, 0.5, 1e-6))),
        delta_prime=delta_prime_,
        rho_T=LEAST_RHO * draw(st.sampled_from((1, 10))),
    )


@cache
@st.composite
def _distributions(draw: DrawFn, size: int) -> tuple[Fraction, ...]:
    """A distribution with zeros; many are deterministic."""
    weights = draw(st.lists(st.sampled_from((0, 0, 0, 1, 3)), min_size=size, max_size=size))
    weights[draw(st.integers(0, size - 1))] += 1
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


@check(
    "theorem-3.never/nothing-dropped",
    CheckKind.INEQUALITY,
    "With Lemma 12's constant and T̂ ≥ 0 the rule drops nothing",
)
@check("theorem-3.at-any-time/horizon", CheckKind.INEQUALITY, "Nothing is dropped at any h ≤ m")
@check(
    "theorem-3.at-any-time/every-step",
    CheckKind.INEQUALITY,
    "Before task h+1, for every h < m, nothing is dropped",
)
def nothing_dropped(context: Context) -> Outcome:
    """The rule with its own constants, on drawn steps and on the sparse chain."""
    drawn = st.one_of(st.just(theorem_3.sparse()), steps())
    # the rule's left side is more than 400 times η, so that no rounding makes it drop a task
    return search(
        context,
        drawn,
        theorem_3.never_fires,
        (60, 1500, 20_000),
        near=theorem_3.near_firing,
        tolerance=NOTHING_ROUNDED,
    )


@st.composite
def estimated_chains(draw: DrawFn) -> tuple[Floats, Floats, tuple[int, ...], int, float]:
    """T, an estimate whose columns are distributions, Θ̄_h with the current task in it, and η."""
    tasks = draw(st.integers(2, 6))
    T, other = (
        np.array([draw(_distributions(tasks)) for _ in range(tasks)], dtype=np.float64).T
        for _ in "TO"
    )
    weight = draw(st.sampled_from((0.0, 1e-6, 1e-3, 0.01, 0.1)))
    true = draw(st.integers(0, tasks - 1))
    others = draw(st.sets(st.integers(0, tasks - 1), max_size=2))
    mixed = (1 - weight) * T + weight * other
    T_hat = mixed / mixed.sum(axis=0)
    theta_bar = tuple(sorted({true, *others}))
    # a round η, or the very mass that T̂ gives to the least likely tasks
    rising = np.sort(T_hat[:, list(theta_bar)].max(axis=1))
    tight = float(np.clip(rising[: draw(st.integers(1, tasks - 1))].sum(), 1e-9, 0.999))
    eta = draw(st.sampled_from((0.01, 0.1, 0.3, 0.6, tight, tight)))
    return T, T_hat, theta_bar, true, eta


@check("theorem-3.never/per-step", CheckKind.INEQUALITY)
def per_step(context: Context) -> Outcome:
    """The mass of what the per-step rule drops is at most η under the true chain."""
    return search(
        context,
        estimated_chains(),
        lambda drawn: theorem_3.keeps_its_promise(*drawn),
        (80, 2000, 30_000),
    )


def logarithm(factor: int) -> Outcome:
    """6d over δ'/(3km²) against factor·kdm²/δ', by computer algebra."""
    level: Term = delta_prime / (3 * k * m**2)
    right = factor * k * d * m**2 / delta_prime
    told = f"6d/(δ'/(3km²)) = {factor}kdm²/δ'"
    return holds((Identity(told, log(6 * d / level), log(right)),))


@check("theorem-3.logarithm/eighteen", CheckKind.SYMBOLIC)
def repaired_logarithm(context: Context) -> Outcome:
    """Lemma 12 at δ'/(3km²) has log(18kdm²/δ'), and waits for h ≥ ρ_5 log(18kdm²/δ')."""
    proved = logarithm(18)
    if proved.verdict is not Verdict.HOLDS:
        return proved
    rng = context.generator(0)
    for _ in range(20):
        S, A, U, tasks, last = (int(x) for x in rng.integers(1, 6, size=5))
        level = 0.1 / (3 * tasks * last**2)
        bound = transition_error_bound(
            Level(S=S, A=A, U=U, h=5, delta_prime=level), rho_5=2.0, rho_6=1.0
        )
        expected = 2 * math.log(18 * tasks * S * A * (S + U) * last**2 / 0.1)
        # fewer than ten operations on either side, and both logarithms are above one
        off = 20 * ROUNDING * expected
        told = Statement("least h", required_h(bound), "=", expected, tolerance=off)
        if not told.holds:
            return Outcome(Verdict.VIOLATED, explanation=(str(told),))
    return proved


@st.composite
def rules_that_drop(draw: DrawFn) -> tuple[int, int, int]:
    """A number of visits, and a run of them at which the rule drops the impossible task."""
    visits = draw(st.integers(2, 60))
    first = draw(st.integers(1, visits))
    return visits, first, draw(st.integers(first, visits))


@check("theorem-3.power/rare-successor", CheckKind.EXACT)
def power(context: Context, factor: Fraction = theorem_3.BELOW_E) -> Outcome:
    """What cannot follow is dropped at e v δ' of v visits at most, δ' the rule's own miss."""
    return search(
        context,
        rules_that_drop(),
        lambda drawn: theorem_3.seldom_dropped(*drawn, factor),
        (60, 600, 10_000),
    )


@check(
    "theorem-3.power/per-step",
    CheckKind.EXACT,
    "With η = 0.03 the per-step rule drops seven of eight tasks",
)
@check(
    "text-sparse-T-helps.rule/per-step",
    CheckKind.EXACT,
    "The per-step rule drops all but one of eight tasks",
)
def eight_tasks(_: Context) -> Outcome:
    """The per-step rule on the chain of Appendix E, T known."""
    # the mass of what is dropped is compared in fractions, and the tasks are counted
    return from_evaluation(theorem_3.per_step_discards(hmms.experiments_chain()), NOTHING_ROUNDED)


# What the text says about the prediction


@st.composite
def sets_of_candidates(draw: DrawFn) -> tuple[Matrix, tuple[int, ...], int]:
    """A chain, the current task, and a set of candidates that contains it."""
    tasks = draw(st.integers(2, 5))
    T = exact.transpose(tuple(draw(_distributions(tasks)) for _ in range(tasks)))
    true = draw(st.integers(0, tasks - 1))
    others = draw(st.sets(st.integers(0, tasks - 1)))
    return T, tuple(sorted({true, *others})), true


@check(
    "text-prediction-is-probability.sum/bounds",
    CheckKind.EXACT,
    "The sum over the candidates bounds the probability",
)
@check(
    "text-prediction-is-probability.sum/upper-bound",
    CheckKind.EXACT,
    "Sum and maximum over the candidates bound the probability",
)
def upper_bounds(context: Context) -> Outcome:
    """Sum and maximum over Θ̄_h bound the probability of every next task."""
    return search(
        context,
        sets_of_candidates(),
        lambda drawn: theorem_3.bounds_probability(*drawn),
        (80, 2000, 30_000),
        chances=Opportunities("candidates", lambda drawn: len(drawn[1])),
    )


def bound_of_fewer(models: ApproximateModels, removed: int) -> Evaluation:
    """Theorem 1's bound without one model that is not the target, number 0."""
    fewer = approximate_models([t for j, t in enumerate(models.tasks) if j != removed])
    before, after = (
        theorem_1_bound(chosen, target=0, epsilon=0.1, delta=0.1, n=1000, Delta=0.0).bound
        for chosen in (models, fewer)
    )
    # values are solved again, so rounded again: twice what a count loses against its bound
    off = 2 * tolerances.of_count(before, models) if math.isfinite(before) else 0.0
    return Evaluation(
        (Statement("models left", fewer.k, "≥", 1),),
        Statement("bound with fewer models", after, "≤", before, tolerance=off),
    )


@st.composite
def sets_and_victims(draw: DrawFn) -> tuple[ApproximateModels, int]:
    """A set of models and one of them that is not the target."""
    models = approximate_models(draw(sets.model_sets()))
    return models, draw(st.integers(1, models.k - 1))


@check("text-sparse-T-helps.fewer-models/bound", CheckKind.INEQUALITY)
def fewer_models(context: Context) -> Outcome:
    """Theorem 1's bound does not grow when a model is removed."""
    return search(
        context, sets_and_victims(), lambda drawn: bound_of_fewer(*drawn), (40, 400, 6000)
    )


@st.composite
def offered_arms(draw: DrawFn) -> tuple[tuple[tuple[int, ...], ...], int]:
    """Models of up to three arms, deterministic rewards in tenths, and which is the task."""
    arms, k = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    tenths = st.lists(st.integers(0, 10), min_size=arms, max_size=arms)
    rows = draw(st.lists(tenths.map(tuple), min_size=k, max_size=k, unique=True))
    return tuple(rows), draw(st.integers(0, k - 1))


Drop: TypeAlias = Callable[[tuple[int, ...], int], tuple[int, ...]]
"""What becomes of PTUM's final set, for tests: the set and the task to the set that is returned."""


def keeps_offered_task(
    rows: tuple[tuple[int, ...], ...], true: int, drop: Drop = lambda active, _: active
) -> Evaluation:
    """PTUM started from a set with the task in it ends with a set with the task in it.

    Rewards are deterministic and models exact, so that nothing is left to chance and δ is not
    needed.
    """
    stay = np.ones((1, len(rows[0]), 1))
    models = tuple(deterministic_rewards(stay, np.array([row]) / 10, 0.5) for row in rows)
    active = drop(algorithm_2.started_from(models, models[true]).active, true)
    return Evaluation((), Statement("θ*_h is in Θ̄_h", true in active, "=", True))


@check("text-active-set-contains-target.contains/wrong-singleton", CheckKind.EXACT)
def offered_and_kept(context: Context, drop: Drop = lambda active, _: active) -> Outcome:
    """PTUM's final set holds the task if Θ̃_h does, where nothing is random."""
    return search(
        context,
        offered_arms(),
        lambda drawn: keeps_offered_task(*drawn, drop),
        (20, 200, 3000),
        chances=Opportunities("models in Θ̃_h", lambda drawn: len(drawn[0])),
    )


@st.composite
def crowds(draw: DrawFn) -> TaskSet:
    """An arm among others that pay a little more or less: what the target loses, a rival gains.

    Where the models are far apart a wrong test drops them all, and then all are kept (D44).
    """
    mean, apart = draw(st.sampled_from((0.5, 0.3, 0.7))), draw(st.sampled_from((0.07, 0.03, 0.15)))
    means = [(mean + steps * apart,) for steps in (0, 1, -1, 2, -2)]
    return exactly_known(f"arms {apart} apart", bandit(0.5, *means))


def with_distinct_rewards(theta: MDP) -> MDP:
    """The same task, every reward value listed once."""
    u, place = np.unique(theta.u, return_inverse=True)
    return MDP(p=theta.p, q=theta.q @ np.eye(len(u))[place], u=u, gamma=theta.gamma)


def lost(task_set: TaskSet, rng: np.random.Generator, delta: float) -> TrialResult:
    """Whether the post-samples of the target, compared with all models, exclude it."""
    models, n_post = task_set.approximate, 20
    true = with_distinct_rewards(task_set.true[0])
    answers = Ahead(true, int(rng.integers(2**62)))
    sample = post_sample_observation(answers, true.S, true.A, true.u, n_post)
    kept = reidentify(
        sample.q_hat @ true.u,
        sample.p_hat,
        models,
        n_post=n_post,
        delta=delta,
        errors=_rounded_up(task_set.repaired_errors(), models),
    )
    return TrialResult(0 not in kept)


def _rounded_up(errors: ModelErrors, models: ApproximateModels) -> ModelErrors:
    """Valid in doubles too, also where values are constant up to rounding and Δ_max^p is 0.

    A mean of S values, or of U rewards, is off by S or U roundings; three of them and three
    differences decide, 3S + 3 ≤ 6S.
    """
    of_r = 6 * max(task.u.size for task in models.tasks) * ROUNDING
    of_p = 6 * models.S * ROUNDING * float(models.V_star.max())
    return replace(errors, r=errors.r + of_r, p=errors.p + of_p)


@check("text-active-set-contains-target.contains/post-samples", CheckKind.PROBABILITY, alpha=ALPHA)
def identified_again(context: Context, delta: float = 0.3) -> Outcome:
    """P(identification from post-samples among all models loses the task) ≤ δ."""

    def trial(task_set: TaskSet, rng: np.random.Generator) -> TrialResult:
        return lost(task_set, rng, delta)

    return named_and_drawn(
        context,
        one_by_one(trial, delta),
        {task_set.name: task_set for task_set in NAMED_TASK_SETS},
        st.one_of(crowds(), sets.task_sets()),
        Effort(context.count(12, 150, 2000), 2, context.count(40, 300, 3000)),
        trials=context.count(70, 300, 3000),
        alpha=ALPHA,
    )


# Algorithm 2


@check("algorithm-2.lines/hand-over", CheckKind.EXACT)
def lines_of_algorithm_2(_: Context) -> Outcome:
    """Each line hands on what the next one takes.

    What the lines hand on from task to task, in a run with the rule of Theorem 3.
    """
    records = sequences.printed(sequences.ONE_STAY, rule=Theorem3(12, LEAST_RHO), delta=1e-5)
    return _all_true(_hand_over(records))


def _hand_over(records: Sequence[TaskRecord]) -> list[Statement]:
    first, S, U = records[0], 2, len(sequences.REWARDS)
    told = [
        Statement("line 1: Δ_1 is infinite", first.errors.Delta, "=", math.inf),
        Statement("line 1: |Θ̃_1|", len(first.initial), "=", sequences.K),
        Statement("lines 2-3: number of tasks", len(records), "=", len(sequences.ONE_STAY)),
    ]
    for before, after in pairwise(records):
        told.append(Statement("line 9: Θ̃_{h+1}", after.initial == before.next_initial, "=", True))
        told.append(Statement("line 8: Δ_{h+1}", after.errors == before.next_errors, "=", True))
    for record in records:
        rate = theorem_2_bound(
            Level(S=S, A=2, U=U, h=record.h, delta_prime=sequences.DELTA_PRIME), rho_any=1e-3
        )
        told.append(Statement("line 8: Theorem 2", record.next_errors.Delta, "=", rate))
        task = sequences.TASKS[sequences.ONE_STAY[record.h - 1]]
        told.append(Statement("line 5: o_h", _is_observation_of(record, task), "=", True))
        told.append(
            Statement("line 6: observations", len(record.after.observations), "=", record.h)
        )
        assert record.after.estimate is not None
        learned = record.after.estimate.O.shape[1]
        told.append(Statement("line 7: models", learned, "=", sequences.K))
    return told


def _is_observation_of(record: TaskRecord, task: MDP) -> bool:
    """Outcomes are deterministic, so every sample of the task shows its tables."""
    reward, successor = counts(sequences.data_of(task), sequences.REWARDS)
    return bool(np.array_equal(record.observation, empirical_observation(reward, successor).o))


def _all_true(statements: list[Statement]) -> Outcome:
    wrong = [statement for statement in statements if not statement.holds]
    return Outcome(
        verdict=Verdict.VIOLATED if wrong else Verdict.HOLDS,
        instances=len(statements),
        trials=len(statements),
        violations=len(wrong),
        explanation=tuple(map(str, wrong[:5])),
    )


TRANSFER_PHASE = range(300, 401)


@check("text-exploits-correlations.combined/as-analysed", CheckKind.EXACT)
def as_run(context: Context, eta: float = 0.087) -> Outcome:
    """With the values of Appendix E.2 every task of the transfer phase starts with fewer models.

    The rule of Appendix E.2 on its eight tasks, T and the current task known, in every step.
    """
    T, rule = exact.as_floats(hmms.experiments_chain()), Experiment(m=400, eta=eta)

    def fewer(h: int) -> Evaluation:
        kept = rule(T, (0,), h=h, d=3700, delta=0.01, delta_prime=0.1)
        return Evaluation(
            (), Statement("models that the next task starts from", len(kept), "<", len(T))
        )

    return listed(context, TRANSFER_PHASE, fewer, "numbers of tasks", tolerance=NOTHING_ROUNDED)


def exploits_per_step(sequence: Sequence[int]) -> Evaluation:
    """From the third task on every task is begun with one model, which is wrong at most once."""
    records = sequences.repaired(sequence, rule=PerStep(0.05))[2:]
    crowded = sum(len(r.initial) != 1 for r in records)
    missed = sum(sequence[r.h - 1] not in r.initial for r in records)
    text = "tasks that do not start with one model, and misses beyond the first"
    return Evaluation((), Statement(text, crowded + max(missed - 1, 0), "=", 0))


@check("text-exploits-correlations.combined/per-step", CheckKind.INEQUALITY)
def per_step_exploits(_: Context) -> Outcome:
    """With the per-step rule tasks from the third on start with one model, wrong at most once."""
    evaluation = exploits_per_step(sequences.ONE_STAY)
    return from_evaluation(evaluation, NOTHING_ROUNDED)  # models are counted


@st.composite
def short_sequences(draw: DrawFn) -> tuple[tuple[int, ...], int]:
    """Six to nine of the three tasks in any order, and how many successors are kept."""
    sequence = draw(st.lists(st.integers(0, sequences.K - 1), min_size=6, max_size=9))
    return tuple(sequence), draw(st.integers(1, sequences.K - 1))


def nothing_comes_back(sequence: tuple[int, ...], keep: int) -> Evaluation:
    """Θ̄_h, from which line 9 predicts, is a part of Θ̃_h, in the literal run."""
    records = sequences.printed(sequence, rule=Experiment(m=20, keep=keep))
    outside = sum(len({*r.result.active} - {*r.initial}) for r in records)
    return Evaluation((), Statement("models of Θ̄_h that are not in Θ̃_h", outside, "=", 0))


@check("algorithm-2.feedback/silent-miss", CheckKind.EXACT)
def fed_back(context: Context) -> Outcome:
    """The set that is fed back is a part of the one that PTUM was given.

    Drawn sequences of three tasks with the rule of the experiments.
    """
    return search(
        context,
        short_sequences(),
        lambda drawn: nothing_comes_back(*drawn),
        (8, 60, 1000),
        chances=Opportunities("tasks of the sequence", lambda drawn: len(drawn[0])),
    )


@check("algorithm-2.feedback/found-again", CheckKind.EXACT)
def back_on_track(_: Context) -> Outcome:
    """With identification from post-samples a wrong prediction costs one task."""
    literal = from_evaluation(algorithm_2.literal_misses(corrected=True))
    expected = from_evaluation(algorithm_2.stays_on_track(corrected=True))
    return expected if literal.verdict is Verdict.HOLDS else literal


@check("algorithm-2.labels/restarts", CheckKind.INEQUALITY)
def restarts(_: Context) -> Outcome:
    """Two estimates from the same exact moments carry the same labels.

    Two decompositions; labels are counted, on estimates that are off by rounding alone.
    """
    return from_evaluation(assumption_2.kept(assumption_2.SEEDS), NOTHING_ROUNDED)


@check("algorithm-2.labels/matched", CheckKind.INEQUALITY)
def matched_labels(context: Context) -> Outcome:
    """Matching restores the labels of estimates within a quarter of the column distance."""
    # errors are at most 0.999 of what the matching needs: a margin that no rounding uses up
    return search(
        context,
        assumption_2.estimates(),
        assumption_2.matched,
        (60, 800, 8000),
        tolerance=NOTHING_ROUNDED,
    )


check(
    "theorem-3.never/tuned",
    CheckKind.PROBABILITY,
    "With Lemma 12's constant and a raw T̂ the true successor is dropped with P ≤ δ'",
    alpha=raw_estimates.ALPHA,
)(raw_estimates.successor_kept)
check("theorem-3.logarithm/nine", CheckKind.SYMBOLIC, "Lemma 12 at δ'/(3km²) has log(9kdm²/δ')")(
    lambda _: logarithm(9)
)
check(
    "theorem-3.at-any-time/for-ever",
    CheckKind.EXACT,
    "At the last step, h = m, a task that follows with probability η/2 is kept",
)(lambda _: from_evaluation(theorem_3.exactly_never_fires(theorem_3.rare_successor())))
