"""Algorithm 1: the invariants of its lines, and what it is given; more in the modules beside."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.section_2.task import OfferedTables, as_task, offers, task_evaluation
from ptum.checks.claims.section_3 import runs
from ptum.checks.claims.section_3.audit import UNDECIDED, Broken, audit
from ptum.checks.claims.section_3.runs import Drawn
from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.numbers import max_of
from ptum.checks.instances.counterexamples.appendix_b import correctness
from ptum.checks.instances.counterexamples.section_3 import algorithm_1
from ptum.checks.instances.families import rational, sets
from ptum.checks.verdicts import formulas, proof_bounds
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import CheckFunction, Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, Values, from_evaluation
from ptum.checks.verdicts.search import search
from ptum.reference.repaired.transfer.ptum import ptum as repaired_ptum
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP, deterministic_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import value_tolerance
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.ptum import End, PtumResult, ptum
from ptum.reference.transfer.transcript import Event, Query
from ptum.spec.vocabulary import CheckKind, Version

SHORT = 90
"""Iterations of a drawn literal run: enough to tell rewards apart, few enough to audit."""


# Invariants of the lines


Observed: TypeAlias = tuple[PtumResult, tuple[Event, ...]]


def observed(drawn: Drawn, version: Version) -> Observed:
    """The literal algorithm with everything it announces."""
    events: list[Event] = []
    setting = drawn.setting
    algorithm = ptum if version is Version.PRINTED else repaired_ptum
    result = algorithm(
        setting.models,
        Simulator(setting.task_set.true[0], drawn.seed),
        epsilon=setting.epsilon,
        delta=setting.delta,
        n=setting.n,
        Delta=setting.errors,
        observer=events.append,
    )
    return result, tuple(events)


def books_of(result: PtumResult, events: tuple[Event, ...]) -> tuple[Broken, ...]:
    """Complaints about the result: counts add up to the queries, queries = τ - 1."""
    counted = sum(isinstance(event, Query) for event in events)
    wrong: list[str] = []
    if not counted == result.queries == int(result.N.sum()):
        wrong.append(f"{counted} queries seen, {result.queries} reported, {result.N.sum()} counted")
    if (result.tau is not None) != (result.end is End.STOPPED):
        wrong.append(f"τ is {result.tau} although the run ended as {result.end.value}")
    if result.tau is not None and result.tau != result.queries + 1:
        wrong.append(f"τ is {result.tau} after {result.queries} queries")
    return tuple(Broken(told, formulas.pass_number(result.queries)) for told in wrong)


def invariants_evaluation(drawn: Drawn, version: Version) -> Evaluation:
    """The transcript of one run breaks no rule; the formula is that of the first broken one."""
    result, events = observed(drawn, version)
    wrong = (*audit(events, version), *books_of(result, events))
    told = f" ({'; '.join(broken.told for broken in wrong[:3])})" if wrong else ""
    formed = wrong[0].formed if wrong else formulas.pass_number(result.queries)
    return Evaluation(
        (), Statement(f"rules that the run breaks{told}", len(wrong), "=", 0, *formed)
    )


@st.composite
def crossed_models(draw: DrawFn) -> sets.Models:
    """Two models that disagree about which action of state 0 leads to the state that pays."""
    gamma, success = draw(st.sampled_from((0.5, 0.9))), draw(st.sampled_from((1.0, 0.95, 0.8)))
    r = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 0.0]])

    def task(good: int) -> MDP:
        p = np.array([[[0.0] * 3] * 2, [[0.0, 1.0, 0.0]] * 2, [[0.0, 0.0, 1.0]] * 2])
        p[0, good, 1:], p[0, 1 - good, 1:] = (success, 1 - success), (1 - success, success)
        return deterministic_rewards(p, r, gamma)

    return task(0), task(1)


@st.composite
def short_runs(draw: DrawFn) -> Drawn:
    """Models that disagree, Δ up to the printed threshold or far beyond, small budgets."""
    opposed = runs.opposed_models(st.integers(2, 3), st.integers(1, 2))
    models = st.one_of(opposed, crossed_models())
    drawn = draw(runs.drawn_settings(4, (0.999, 0.2, 0.01, 0.0), models))
    n, delta = draw(st.sampled_from((SHORT, SHORT, 3, 1))), draw(st.sampled_from((0.9, 0.1)))
    setting = replace(drawn.setting, n=n, delta=delta)
    if draw(st.integers(0, 9)) == 9:
        setting = replace(setting, errors=single(1.0 / (1 - setting.models.gamma)))
    return replace(drawn, setting=setting)


def invariants(version: Version) -> CheckFunction:
    """A check of literal runs, audited."""

    def run(context: Context) -> Outcome:
        return search(
            context,
            short_runs(),
            lambda drawn: invariants_evaluation(drawn, version),
            (10, 110, 4000),
            tolerance=float(UNDECIDED),
        )

    return run


# Approximate models are MDPs


def as_model(tables: OfferedTables) -> ApproximateModels:
    """A set of models that consists of this one."""
    return approximate_models([as_task(tables)])


@check("assumption-1.models-are-mdps/refused", CheckKind.EXACT)
def models_are_tasks(context: Context) -> Outcome:
    """The reference takes a model exactly when it is a task by the definition."""
    return search(
        context, offers(), lambda offered: task_evaluation(offered, as_model), (15, 150, 2500)
    )


@check("assumption-1.models-are-mdps/not-implied", CheckKind.EXACT)
def not_implied(_: Context) -> Outcome:
    """It has to be said, and is: four small errors alone allow a value beyond 1/(1-γ)."""
    return from_evaluation(algorithm_1.not_an_mdp_evaluation(algorithm_1.not_an_mdp_instance()))


def ranges_evaluation(models: sets.Models) -> Evaluation:
    """Ranges that Lemmas 2-4 use: Ṽ* in [0,1/(1-γ)], reward gaps ≤ 1, deviations ≤ half a range.

    Everything is measured in units of its range, values and deviations in halves of it; of all
    these the values are rounded most.
    """
    built = approximate_models(models)
    shares = proof_bounds.range_shares(
        gamma=built.gamma, V=built.V_star, r=built.r, sigma_r=built.sigma_r, sigma_p=built.sigma_p
    )
    return Evaluation(
        (),
        Statement(
            "largest share of a range",
            max_of(shares),
            "≤",
            1.0,
            formulas.TRANSFER + "MODEL_RANGES",
            extremes(built),
            tolerance=2 * (1 - built.gamma) * value_tolerance(built.V_star, built.gamma),
        ),
    )


def extremes(models: ApproximateModels) -> Values:
    """The entries of the models' tables that use most of their ranges."""
    V, gamma = models.V_star.ravel(), models.gamma
    s, a = np.unravel_index(np.ptp(models.r, axis=0).argmax(), models.r.shape[1:])
    return (
        ("gamma", gamma),
        ("V_tilde", float(V[np.abs(2 * (1 - gamma) * V - 1).argmax()])),
        ("r_tilde[theta,s,a]", float(models.r[:, s, a].max())),
        ("r_tilde[theta_prime,s,a]", float(models.r[:, s, a].min())),
        ("sigma_r_tilde", float(models.sigma_r.max())),
        ("sigma_p_tilde", float(models.sigma_p.max())),
    )


@check("assumption-1.models-are-mdps/repaired-ranges", CheckKind.INEQUALITY)
def ranges(context: Context) -> Outcome:
    """Values, gaps and deviations of models that are MDPs lie in the ranges of Lemmas 2-4."""
    return search(context, sets.model_sets(), ranges_evaluation, (30, 200, 6000))


# The known policies contain a good one


@stored
@dataclass(frozen=True)
class Approximation:
    """A target and its model."""

    true: ExactMDP
    model: ExactMDP

    def Delta(self) -> Fraction:
        """The larger of the reward error and the error of the mean next Ṽ*, as printed."""
        of_rewards = mdp.reward_distance(self.true, self.model)
        return max(of_rewards, mdp.transition_distance(self.true, self.model))


@st.composite
def approximations(draw: DrawFn) -> Approximation:
    """Drawn pairs, one a mixture of both or not, and the family in which the bound is attained."""
    if draw(st.booleans()):
        gamma = draw(st.sampled_from((Fraction(1, 2), Fraction(9, 10))))
        Delta = Fraction(draw(st.integers(1, 20)), 1000) * (1 - gamma)
        model, true = correctness.sharp(Delta, Fraction(1), gamma).models
        return Approximation(true, model)
    model, other = draw(rational.model_sets(2))
    weight = Fraction(1, draw(st.integers(1, 50)))
    return Approximation(mdp.mixture(model, other, weight), model)


def transferred_evaluation(case: Approximation, factor: int = 2) -> Evaluation:
    """π̃*_θ* loses at most 2Δ(1+γ)/(1-γ) in the target; another factor is for tests of this."""
    gamma = case.true.gamma
    allowed = factor * case.Delta() * (1 + gamma) / (1 - gamma)
    loss = mdp.loss(case.true, mdp.optimal_policy(case.model))
    return Evaluation((), Statement("loss of π̃* in the target", loss, "≤", allowed))


@check("text-approximate-optimum.exists/loss", CheckKind.EXACT)
def good_policy_known(context: Context, factor: int = 2) -> Outcome:
    """The target's approximate policy loses at most 2Δ(1+γ)/(1-γ) in the target.

    Exact models and targets, unrelated, close, or where the bound is attained.
    """
    return search(
        context,
        approximations(),
        lambda case: transferred_evaluation(case, factor),
        (40, 400, 10_000),
    )


check(
    "algorithm-1.pseudocode/invariants",
    CheckKind.INEQUALITY,
    "Literal runs: active sets, counts, queries, eliminations, stop are as they must be",
)(invariants(Version.PRINTED))
check(
    "algorithm-1.pseudocode/repaired-invariants",
    CheckKind.INEQUALITY,
    "The same for the repaired algorithm, with its own line 2 and its end at index zero",
)(invariants(Version.REPAIRED))
