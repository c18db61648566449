"""Lemma 8: the queried pair has not been queried often.

Three looks at it. `core`: the inequality that the proof needs, I_t ≤ 4 min{(G-4Δ)²/σ², lin(G-4Δ)}
for the farthest active model, in rational arithmetic. `worst data`: with ⌈bound⌉ samples of the
queried pair no data let target, farthest model and the first model of the maximising pair all pass
their tests, which is the lemma. `runs`: the counts of whole runs, which stay far below.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.appendix_b.elimination import COUNTABLE, ActiveModels, hidden_gap, scenes
from ptum.checks.claims.appendix_b.runs import RunInputs, play, target_active
from ptum.checks.claims.appendix_b.runs import phases as phases_of
from ptum.checks.claims.appendix_b.settings_of_runs import TasksAndErrors, settings
from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP, Vector
from ptum.checks.exact.numbers import max_by, min_of
from ptum.checks.exact.terms import samples_asked
from ptum.checks.instances.counterexamples.appendix_b import lemma_8 as counterexample
from ptum.checks.instances.counterexamples.appendix_b.lemma_8 import LEMMA_4, LEMMA_8
from ptum.checks.instances.families import rational
from ptum.checks.verdicts import formulas, tolerances
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import (
    Evaluation,
    Outcome,
    Statement,
    Values,
    not_met,
    over_evaluations,
)
from ptum.checks.verdicts.proof_bounds import core_information
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import Floats
from ptum.reference.repaired.transfer.analysis.elimination import n_bar
from ptum.reference.repaired.transfer.analysis.lemmas import fundamental_lemma as repaired_lemma
from ptum.reference.repaired.transfer.analysis.sample_complexity import (
    fundamental_bound as index_bound,
)
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.analysis.lemmas import fundamental_lemma
from ptum.reference.transfer.analysis.sample_complexity import fundamental_bound
from ptum.reference.transfer.confidence import log_term
from ptum.reference.transfer.information import (
    CLOSE,
    SHIFT,
    index,
    information_p,
    information_r,
    query,
)
from ptum.spec.vocabulary import CheckKind, Verdict, Version

DELTA, BUDGET = 0.1, 10_000
VISIBLE = 1000 * CLOSE
"""From here on a pair that line 18 takes for tied has almost the largest index (D06)."""

FORMULAS = {
    Version.PRINTED: formulas.APPENDIX_B + "FUNDAMENTAL",
    Version.REPAIRED: formulas.APPENDIX_B + "FUNDAMENTAL_REPAIRED",
}

ValueOf = Callable[[tuple[ExactMDP, ...], int], Vector]
"""Which value measures the transition gap, given the models and the first of the pair."""


# Core inequality, exact


@stored
@dataclass(frozen=True)
class ExactScene:
    """Models of which all are active and number 0 is the target, and Δ."""

    models: tuple[ExactMDP, ...]
    Delta: Fraction


@st.composite
def exact_scenes(draw: DrawFn) -> ExactScene:
    """Certain or Bernoulli rewards; 8Δ up to just below the largest gap of any pair of models.

    The factor 4 is attained when the target lies half way between two models.
    """
    models = draw(rational.model_sets())
    if draw(st.booleans()):
        models = (mdp.mixture(models[0], models[1], Fraction(1, 2)), *models)
    if draw(st.booleans()):
        models = tuple(mdp.with_variance(theta, Fraction(1)) for theta in models)
    share = Fraction(draw(st.sampled_from((0, 1, 4, 9))), 10)
    return ExactScene(models, share * mdp.largest_gap(models) / 8)


def value_of_first(models: tuple[ExactMDP, ...], first: int) -> Vector:
    """Ṽ*_θ_1, the value that I^p(θ_1,θ_2) is made of."""
    return mdp.optimal_value(models[first])


def core_evaluation(
    scene: ExactScene, value_of: ValueOf = value_of_first, *, rewards: bool = True
) -> Evaluation:
    """I_t ≤ 4 min{x²/σ², lin x}, x = G - 4Δ, for the farthest active model of gap G.

    Without `rewards` it is about transitions alone.
    """
    known = _candidates(scene, value_of, rewards=rewards)
    found = max(known, key=lambda candidate: candidate.attained)
    return Evaluation(
        premises=(Statement("some pair has a positive index", found.attained, ">", 0),),
        conclusion=Statement(
            "index against four times what tells the farthest model apart",
            found.attained,
            "≤",
            found.allowed,
            formulas.APPENDIX_B + "FUNDAMENTAL_CORE",
            found.values,
        ),
    )


@dataclass(frozen=True)
class _Candidate:
    """An information, what it may be, and the symbols of the inequality."""

    attained: Fraction
    allowed: Fraction
    values: Values


def _candidates(scene: ExactScene, value_of: ValueOf, *, rewards: bool) -> Iterator[_Candidate]:
    """For every pair, first model and kind: the largest information and what it may be."""
    models, Delta = scene.models, scene.Delta
    for first, theta in enumerate(models):
        V, W = mdp.optimal_value(theta), value_of(models, first)
        for s in range(theta.S):
            for a in range(theta.A):
                paid = [model.r[s][a] for model in models]
                means = [mdp.inner(model.p[s][a], V) for model in models]
                weighed = [mdp.inner(model.p[s][a], W) for model in models]
                spread = mdp.variance(theta.p[s][a], V)
                if rewards:
                    yield _candidate(paid, paid, theta.var[s][a], Fraction(1), first, Delta)
                yield _candidate(means, weighed, spread, 1 - theta.gamma, first, Delta)


def _candidate(
    means: list[Fraction],
    weighed: list[Fraction],
    variance: Fraction,
    lin: Fraction,
    first: int,
    Delta: Fraction,
) -> _Candidate:
    x = max(abs(mean - means[first]) for mean in means) - 8 * Delta
    attained = Fraction(0) if x <= 0 else (min(x**2 / variance, lin * x) if variance else lin * x)
    farthest = max(abs(mean - weighed[0]) for mean in weighed)
    allowed = Fraction(core_information(farthest, Delta, variance, 1 / lin))
    values = (("farthest", farthest), ("Delta", Delta), ("variance", variance), ("width", 1 / lin))
    return _Candidate(attained, allowed, values)


@check("lemma-8.bound/repaired-core", CheckKind.EXACT)
def core(context: Context, value_of: ValueOf = value_of_first, *, rewards: bool = True) -> Outcome:
    """The index is at most 4 min{(G-4Δ)²/σ², lin(G-4Δ)} with G the gap of the farthest model.

    The core inequality on drawn sets; another value for the gap is for tests of this.
    """
    return search(
        context,
        exact_scenes(),
        lambda scene: core_evaluation(scene, value_of, rewards=rewards),
        (50, 300, 10_000),
    )


# Worst data


@dataclass(frozen=True, eq=False)
class Functional:
    """What a test of means compares: the reward of every model, or its mean of one value Ṽ*_θ_1.

    `sigma` is the deviation under θ_1; γ is None for rewards.
    """

    W: Floats
    first: int
    sigma: Floats
    gamma: float | None

    def information(self, active: tuple[int, ...], Delta: float, shift: float = SHIFT) -> float:
        """max over active θ_2 of I(θ_1,θ_2)."""
        gap = np.abs(self.W - self.W[self.first])[list(active)]
        if self.gamma is None:
            return float(np.max(information_r(gap, self.sigma, Delta, shift)))
        return float(np.max(information_p(gap, self.sigma, Delta, self.gamma, shift)))


def functionals(scene: ActiveModels, s: int, a: int) -> Iterator[Functional]:
    """Both kinds for every active θ_1."""
    models = scene.models
    for first in scene.active:
        yield Functional(models.r[:, s, a], first, models.sigma_r[first, s, a], None)
        means = models.p[:, s, a] @ models.V_star[first]
        yield Functional(means, first, models.sigma_p[first, s, a, first], models.gamma)


def farthest_hidden(scene: ActiveModels, N: int) -> tuple[float, float]:
    """At the queried pair: the gap that N samples can hide over the gap of the farthest model.

    Both are measured with the functional that attains the index. Second, how far it is off.
    """
    pair = query(index(scene.active, scene.models, scene.Delta))
    used = max_by(
        functionals(scene, *pair),
        lambda functional: functional.information(scene.active, scene.Delta),
    )
    hidden = hidden_gap(used.sigma, np.array(N), scene.L, scene.Delta, used.gamma)
    farthest = float(np.max(np.abs(used.W - used.W[0])[list(scene.active)]))
    reach = 1.0 if used.gamma is None else 1 / (1 - used.gamma)
    return float(hidden) / farthest, tolerances.of_hidden_gap(farthest, scene.models.S, reach)


def worst_data_evaluation(scene: ActiveModels, version: Version) -> Evaluation:
    """With ⌈bound⌉ samples of the queried pair the farthest model could not be active."""
    models, Delta = scene.models, scene.Delta
    if version is Version.PRINTED:
        bound = fundamental_bound(Iteration(models, 0, scene.active, Delta), scene.L)
    else:
        bound = index_bound(scene.active, models, Delta, scene.L)
    I_t = float(index(scene.active, models, Delta).max())
    premises = (
        Statement("the index is visible", I_t, ">", VISIBLE),
        Statement("the bound is finite", bound, "<", COUNTABLE),
    )
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    hidden, off = farthest_hidden(scene, math.ceil(bound))
    return Evaluation(
        premises,
        conclusion=Statement(
            "gap hidden by ⌈bound⌉ samples, in units of the gap",
            hidden,
            "<",
            1,
            FORMULAS[version],
            (("S", models.S), ("A", models.A), ("k", models.k)),
            tolerance=off,
        ),
    )


@st.composite
def scenes_with_index(draw: DrawFn) -> ActiveModels:
    """Drawn sets with Δ halved, so that 8Δ stays below the largest gap."""
    scene = draw(scenes())
    return replace(scene, Delta=scene.Delta / 2)


@check("lemma-8.bound/worst-data", CheckKind.INEQUALITY)
def worst_data(context: Context, version: Version = Version.PRINTED) -> Outcome:
    """No data let the farthest model be active with ⌈bound⌉ samples of the queried pair.

    Lemma 8 on drawn sets of models against every data that the tests would pass.
    """
    return search(
        context,
        scenes_with_index(),
        lambda scene: worst_data_evaluation(scene, version),
        (40, 250, 10_000),
    )


@check("lemma-8.bound/repaired-worst-data", CheckKind.INEQUALITY)
def worst_data_index(context: Context) -> Outcome:
    """The same as printed, with the whole index in the denominator."""
    return worst_data(context, Version.REPAIRED)


# Runs


def run_evaluations(setting: TasksAndErrors, seed: int, version: Version) -> Iterator[Evaluation]:
    """Lemma 8 in the last iteration of every phase of a run."""
    models, Delta = setting.tasks.approximate, setting.errors.Delta
    result = play(setting.tasks, RunInputs(setting.epsilon, DELTA, BUDGET), setting.errors, seed)
    L = log_term(models.S, models.A, BUDGET, models.k, DELTA)
    lemma = fundamental_lemma if version is Version.PRINTED else repaired_lemma
    for phase in phases_of(result, models, Delta):
        found = lemma(Iteration(models, 0, phase.active, Delta), N=phase.N, L=L)
        yield Evaluation(
            premises=(
                Statement("the target stays active", target_active(result), "=", True),
                Statement("the phase queried twice", float(found.left), "≥", 1),
            ),
            conclusion=Statement(
                f"{setting.tasks.name}: N_t of {phase.pair}",
                float(found.left),
                "<",
                float(found.right),
                FORMULAS[version],
                (
                    ("S", models.S),
                    ("A", models.A),
                    ("k", models.k),
                    ("n", BUDGET),
                    ("delta", DELTA),
                ),
                tolerance=tolerances.of_count(float(found.left), models),
            ),
        )


@check("lemma-8.bound/runs", CheckKind.INEQUALITY)
def on_runs(context: Context, version: Version = Version.PRINTED) -> Outcome:
    """The counts of runs on E stay below the bound in every phase."""
    seeds = context.generator(0).integers(0, 2**31, size=context.count(4, 40, 400)).tolist()
    evaluations = [
        evaluation
        for setting in settings()
        for seed in seeds
        for evaluation in run_evaluations(setting, seed, version)
    ]
    return over_evaluations(evaluations, "phases were on E")


@check("lemma-8.bound/repaired-runs", CheckKind.INEQUALITY)
def on_runs_index(context: Context) -> Outcome:
    """The counts of runs on E stay below 128 L over the index.

    The same with the whole index in the denominator.
    """
    return on_runs(context, Version.REPAIRED)


# What Lemma 8 is said to show


@check("text-fundamental-meaning.proportional/no-constant", CheckKind.EXACT)
def no_constant(_: Context) -> Outcome:
    """Bandits on which the bound is a hundred to a million times the least number.

    For each of three constants a bandit on which the bound is a larger multiple.
    """
    evaluations = [
        counterexample.evaluation(counterexample.against(c)) for c in (100, 10_000, 1_000_000)
    ]
    refuted = all(evaluation.verdict() is Verdict.VIOLATED for evaluation in evaluations)
    found = over_evaluations(evaluations, "bandits")
    lines = tuple(line for evaluation in evaluations for line in evaluation.lines())
    verdict = Verdict.VIOLATED if refuted else Verdict.INCONCLUSIVE
    return replace(found, verdict=verdict, explanation=lines)


def exact_models_evaluation(
    models: tuple[ExactMDP, ...], multiple: int = LEMMA_8 // LEMMA_4
) -> Evaluation:
    """At Δ = 0 Lemma 8's bound is four times what Lemma 4 asks with the target's σ and values.

    No more and no less: the quotient of the two is compared with 1 in the direction it is off.
    """
    target, *others = models
    pairs = [(s, a) for s in range(target.S) for a in range(target.A)]
    found = [(theta, *pair) for theta in others for pair in pairs]
    largest = max(mdp.information(target, *one, Fraction(0)) for one in found)
    premises = (Statement("largest information of the target", largest, ">", 0),)
    if not largest:
        return not_met(premises)
    least = min(samples_asked(target, *one) for one in found)
    quotient = LEMMA_8 / largest / (multiple * LEMMA_4 * least)
    text = "bound of Lemma 8 over four times the least number of Lemma 4, or the other way round"
    return Evaluation(premises, Statement(text, max(quotient, 1 / quotient), "≤", 1))


@check("text-fundamental-meaning.proportional/exact-models", CheckKind.EXACT)
def exact_models(context: Context, multiple: int = LEMMA_8 // LEMMA_4) -> Outcome:
    """At Δ = 0 the bound is four times what Lemma 4 asks with the target's deviations."""
    return search(
        context,
        rational.model_sets(),
        lambda models: exact_models_evaluation(models, multiple),
        (50, 300, 10_000),
    )


def least_number_evaluation(scene: ActiveModels) -> Evaluation:
    """The least n̄ over pairs and active models is at most 128 L / I_t."""
    models, Delta = scene.models, scene.Delta
    bound = index_bound(scene.active, models, Delta, scene.L)
    premises = (Statement("the bound is finite", bound, "<", COUNTABLE),)
    if not premises[0].holds:
        return not_met(premises)
    least = min_of(
        float(n_bar(Iteration(models, 0, scene.active, Delta), theta=theta, L=scene.L).min())
        for theta in scene.active[1:]
    )
    I_t = float(index(scene.active, models, Delta).max())
    return Evaluation(
        premises,
        conclusion=Statement(
            "least n̄ in units of 128L/I",
            least / bound,
            "≤",
            1,
            tolerance=tolerances.of_least_number(models.S, I_t),
        ),
    )


@check("text-fundamental-meaning.proportional/repaired-upper-bound", CheckKind.INEQUALITY)
def upper_bound(context: Context) -> Outcome:
    """The bound is at least the least number of samples, on drawn sets of models."""
    return search(context, scenes_with_index(), least_number_evaluation, (40, 250, 10_000))
