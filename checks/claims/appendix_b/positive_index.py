"""Lemma 7: does PTUM always see information until it stops?

The lemma is about the active set alone, and every subset of a set of models is again a set of
models, so looking at first iterations looks at all of them.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact import mdp
from ptum.checks.instances.counterexamples.appendix_b import correctness
from ptum.checks.instances.counterexamples.appendix_b.correctness import ExactModels
from ptum.checks.instances.families import rational
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import search
from ptum.spec.vocabulary import CheckKind, Version


@st.composite
def barely_not_stopping(draw: DrawFn) -> ExactModels:
    """A drawn set of models with ε just too small to stop and Δ up to the repaired threshold.

    With Δ = t(1-γ)ε/(18(1+γ)) the slack is ε(1-t/9), so the largest ε that does not stop is a
    fraction of the smallest worst loss: nothing has to be filtered. One action alone stops.
    """
    models = draw(rational.model_sets(least_actions=2))
    t = draw(st.sampled_from((Fraction(1), Fraction(1, 2), Fraction(0))))
    below = 1 - Fraction(1, draw(st.sampled_from((10**6, 100, 3))))
    worst = mdp.smallest_worst_loss(models)
    epsilon = worst * below / (1 - t / 9)
    Delta = t * mdp.transfer_threshold(epsilon, models[0].gamma, mdp.SHARP_FACTOR)
    return ExactModels(models, epsilon, Delta)


@st.composite
def sharp_family(draw: DrawFn) -> ExactModels:
    """The four-state family on which the threshold is attained, at and just beside it."""
    gamma = draw(st.sampled_from(rational.DISCOUNTS))
    share = Fraction(draw(st.integers(1, 20)), 20)
    epsilon = share * (1 + gamma) / (2 * (1 - gamma))  # room for rewards and probabilities
    nudge = 1 + Fraction(draw(st.integers(-1, 1)), 10**6)
    Delta = nudge * mdp.transfer_threshold(epsilon, gamma, mdp.SHARP_FACTOR)
    return correctness.sharp(Delta, epsilon, gamma)


def instances() -> st.SearchStrategy[ExactModels]:
    """Drawn sets of models and the sharp family."""
    return st.one_of(barely_not_stopping(), sharp_family())


def threshold_evaluation(instance: ExactModels, factor: int = mdp.SHARP_FACTOR) -> Evaluation:
    """Lemma 7, repaired: the index is positive exactly if some gap exceeds 8Δ.

    In this form one sees how close an instance comes; both forms must agree.
    """
    by_index = correctness.positive_index_evaluation(instance, Version.REPAIRED, factor)
    conclusion = Statement(
        "8Δ against the largest gap of any two models",
        8 * instance.Delta,
        "<",
        mdp.largest_gap(instance.models),
        formulas.TRANSFER + "TRANSFER_THRESHOLD_REPAIRED",
        (("epsilon", instance.epsilon), ("gamma", instance.models[0].gamma)),
    )
    if conclusion.holds != by_index.conclusion.holds:
        raise ArithmeticError("the index is positive where no gap exceeds 8Δ, or the other way")
    return Evaluation(by_index.premises, conclusion)


@check("lemma-7.positive/repaired-threshold", CheckKind.EXACT)
def repaired_threshold(context: Context, factor: int = mdp.SHARP_FACTOR) -> Outcome:
    """The index is positive until PTUM stops, for every Δ up to the repaired threshold.

    Lemma 7 with line 2 admitting Δ ≤ (1-γ)ε/(18(1+γ)); another factor is for tests of this.
    """
    return search(
        context,
        instances(),
        lambda instance: threshold_evaluation(instance, factor),
        (90, 1500, 15_000),
    )
