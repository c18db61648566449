"""Two steps of Lemma 8's proof: where they fail, and what holds in their place (erratum E09)."""

from __future__ import annotations

from ptum.checks.claims.appendix_b.fundamental import ValueOf, core, value_of_first
from ptum.checks.instances.counterexamples.appendix_b import lemma_8
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Outcome, over_evaluations
from ptum.spec.vocabulary import CheckKind


@check("lemma-8.display/triangle", CheckKind.EXACT)
def triangle(_: Context, factor: int = 4) -> Outcome:
    """The index is at most four times the term of the farthest model.

    A target anywhere among three rewards that are 0.3 apart.
    """
    arms = ((5, 2, 8), (2, 5, 8), (8, 2, 5), (6, 3, 9))
    evaluations = [lemma_8.triangle_evaluation(lemma_8.one_arm(*arm), factor) for arm in arms]
    return over_evaluations(evaluations, "instances met the premises")


@check("lemma-8.same-steps/value-of-the-first", CheckKind.EXACT)
def value_of_the_first(context: Context, value_of: ValueOf = value_of_first) -> Outcome:
    """The steps for transitions, with the value of the first model of the largest index."""
    return core(context, value_of, rewards=False)


@check("lemma-8.same-steps/all-values", CheckKind.EXACT)
def all_values(_: Context, measured_with: int = 1, tested: tuple[int, ...] = (0, 1)) -> Outcome:
    """Both instances with the first model's value and with the values of all models."""
    gaps = [
        lemma_8.same_steps_evaluation(lemma_8.silent_target(in_y), measured_with)
        for in_y in (5, 4, 0)
    ]
    tests = [
        lemma_8.own_values_evaluation(lemma_8.silent_rival(to_x), tested) for to_x in (9, 8, 7)
    ]
    return over_evaluations([*gaps, *tests], "instances met the premises")
