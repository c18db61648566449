"""Lemma 6 and κ_ε: while PTUM does not stop, a model of Θ_ε is active.

The lemma is about one iteration: the active set, of which the target is a member, and the stopping
test on it. Every set of models can be active in the first iteration, so looking at first ones is
enough.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.instances.counterexamples.appendix_b import correctness
from ptum.checks.instances.counterexamples.appendix_b.correctness import ExactModels
from ptum.checks.instances.families import rational
from ptum.checks.verdicts import formulas, witness
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import ROUNDING
from ptum.reference.tasks.values import gap_tolerance
from ptum.reference.transfer.analysis.lemmas import stopping_condition
from ptum.reference.transfer.analysis.sample_complexity import kappa_eps
from ptum.spec.vocabulary import CheckKind


@dataclass(frozen=True)
class Blocking:
    """A set of models that keep PTUM from stopping: those whose distance exceeds κ_ε."""

    formula: str
    distance: Callable[[ExactMDP, ExactMDP], Fraction]


def larger_distance(theta: ExactMDP, target: ExactMDP) -> Fraction:
    """θ ∈ Θ_ε if it exceeds κ_ε; γ voids the distance of transitions at γ = 0."""
    by_transitions = theta.gamma * mdp.transition_distance(theta, target)
    return max(mdp.reward_distance(theta, target), by_transitions)


def mean_distance(theta: ExactMDP, target: ExactMDP) -> Fraction:
    """θ ∈ Θ_s, the smaller set of the repaired theorem, if it exceeds κ_ε."""
    by_transitions = theta.gamma * mdp.transition_distance(theta, target)
    return (mdp.reward_distance(theta, target) + by_transitions) / 2


THETA_EPS = Blocking(formulas.TRANSFER + "THETA_EPS", larger_distance)
THETA_S = Blocking(formulas.TRANSFER + "THETA_S", mean_distance)


@st.composite
def tight_models(draw: DrawFn) -> tuple[ExactMDP, ...]:
    """Two models whose gaps are all 0 or c: a policy loses all that Corollary 2 allows for that."""
    c = Fraction(draw(st.integers(1, 20)), 100)
    gamma = draw(rational.discounts())
    return correctness.sharp(c / 8, Fraction(0), gamma).models


@st.composite
def barely_not_stopping(draw: DrawFn) -> ExactModels:
    """A set of models with ε just too small to stop and Δ up to the printed threshold.

    With Δ = t(1-γ)ε/(4(1+γ)) the slack is ε(1-t/2), so the largest ε that does not stop follows
    from the smallest worst loss: nothing has to be filtered.
    """
    models = draw(tight_models() | rational.model_sets())
    t = draw(st.sampled_from((Fraction(99, 100), Fraction(1, 2), Fraction(0))))
    below = 1 - Fraction(1, draw(st.sampled_from((10**6, 100, 3))))
    epsilon = mdp.smallest_worst_loss(models) * below / (1 - t / 2)
    Delta = t * mdp.transfer_threshold(epsilon, models[0].gamma, mdp.PRINTED_FACTOR)
    return ExactModels(models, epsilon, Delta)


def evaluation(instance: ExactModels, blocking: Blocking = THETA_EPS) -> Evaluation:
    """Lemma 6 in the first iteration, model 0 being the target: some model is farther than κ_ε."""
    target, gamma = instance.models[0], instance.models[0].gamma
    kappa = mdp.kappa(instance.epsilon, instance.Delta, gamma)
    slack = mdp.stopping_slack(instance.epsilon, instance.Delta, gamma)
    farthest = max(blocking.distance(theta, target) for theta in instance.models)
    worst = mdp.smallest_worst_loss(instance.models)
    if blocking is THETA_EPS:
        _confirm(instance, kappa)
    return Evaluation(
        premises=(
            Statement("no stop: smallest worst loss of a policy against slack", worst, ">", slack),
        ),
        conclusion=Statement(
            "κ_ε against the distance of the farthest model",
            kappa,
            "<",
            farthest,
            blocking.formula,
            (("kappa", kappa), ("gamma", gamma)),
        ),
    )


def _confirm(instance: ExactModels, kappa: Fraction) -> None:
    """The literal Lemma 6 counts the models of Θ_ε, up to those that rounding may move."""
    iteration = correctness.first_iteration(instance)
    found = stopping_condition(iteration, epsilon=float(instance.epsilon)).left
    near = 2 * Fraction(gap_tolerance(iteration.models.V_star))
    distances = [larger_distance(theta, instance.models[0]) for theta in instance.models]
    least, most = (sum(x > kappa + shift for x in distances) for shift in (near, -near))
    witness.same_truth("number of models in Θ_ε", bool(least <= found <= most), True)


@check("lemma-6.active/drawn-sets", CheckKind.EXACT)
def active(context: Context, blocking: Blocking = THETA_EPS) -> Outcome:
    """An iteration that does not stop has an active model of Θ_ε, on drawn sets of models.

    Lemma 6 on drawn sets, for Θ_ε or for another set.
    """
    return search(
        context, barely_not_stopping(), lambda found: evaluation(found, blocking), (50, 300, 10_000)
    )


@check("lemma-6.active/smaller-set", CheckKind.EXACT)
def active_in_smaller_set(context: Context) -> Outcome:
    """It even has an active model of Θ_s = {G_r + γG_p > 2κ_ε}."""
    return active(context, THETA_S)


# The floor of κ_ε


@stored
@dataclass(frozen=True)
class Accuracy:
    """ε, γ and a Δ."""

    epsilon: Fraction
    gamma: Fraction
    Delta: Fraction


SHARE = st.sampled_from((Fraction(0), 1 - Fraction(1, 10**9))) | st.integers(0, 999).map(
    lambda part: Fraction(part, 1000)
)
"""Of the printed threshold."""


@st.composite
def accuracies(draw: DrawFn) -> Accuracy:
    """Δ is a share of the printed threshold, up to just below it."""
    gamma = Fraction(draw(st.integers(0, 999)), 1000)
    epsilon = Fraction(draw(st.integers(1, 1000)), 100)
    Delta = draw(SHARE) * mdp.transfer_threshold(epsilon, gamma, mdp.PRINTED_FACTOR)
    return Accuracy(epsilon, gamma, Delta)


def floor_evaluation(found: Accuracy) -> Evaluation:
    """κ_ε > ε(1-γ)/8 in transfer mode."""
    threshold = mdp.transfer_threshold(found.epsilon, found.gamma, mdp.PRINTED_FACTOR)
    kappa = mdp.kappa(found.epsilon, found.Delta, found.gamma)
    numbers = (float(found.epsilon), float(found.Delta), float(found.gamma))
    of_numbers = 8 * ROUNDING * (numbers[0] + numbers[1])  # three of them, and five operations
    witness.same_numbers("κ_ε", kappa_eps(*numbers), kappa, of_numbers)
    return Evaluation(
        premises=(
            Statement("transfer mode: Δ against its threshold", found.Delta, "<", threshold),
        ),
        conclusion=Statement(
            "ε(1-γ)/8 against κ_ε",
            found.epsilon * (1 - found.gamma) / 8,
            "<",
            kappa,
            formulas.TRANSFER + "KAPPA",
            (("epsilon", found.epsilon), ("Delta", found.Delta), ("gamma", found.gamma)),
        ),
    )


@check("text-kappa-floor.floor/drawn", CheckKind.EXACT)
def kappa_floor(context: Context) -> Outcome:
    """κ_ε > ε(1-γ)/8 for drawn ε, γ and Δ below the printed threshold.

    κ_ε has its floor for every Δ that line 2 admits.
    """
    return search(context, accuracies(), floor_evaluation, (150, 2000, 20_000))
