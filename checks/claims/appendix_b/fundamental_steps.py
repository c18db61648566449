"""Two steps of Lemma 8's proof: where they fail, and what holds in their place (erratum E09)."""

from __future__ import annotations

from ptum.checks.claims.appendix_b.fundamental import ValueOf, core, value_of_first
from ptum.checks.instances.counterexamples.appendix_b import own_values
from ptum.checks.verdicts.check import Check, Context
from ptum.checks.verdicts.outcome import Outcome, from_walk, over_walks
from ptum.spec.vocabulary import CheckKind, Version


def three_rewards(_: Context) -> Outcome:
    """The target in the middle of two rivals."""
    return from_walk(own_values.display_walk(own_values.one_arm(5, 2, 8)))


def triangle(_: Context, factor: int = 4) -> Outcome:
    """A target anywhere among three rewards that are 0.3 apart."""
    arms = ((5, 2, 8), (2, 5, 8), (8, 2, 5), (6, 3, 9))
    walks = [own_values.triangle_walk(own_values.one_arm(*arm), factor) for arm in arms]
    return over_walks(walks, "instances met the premises")


def silent_target(_: Context) -> Outcome:
    """Gaps measured with the target's values, which are equal in both next states."""
    return from_walk(own_values.same_steps_walk(own_values.silent_target(), 0))


def value_of_the_first(context: Context, value_of: ValueOf = value_of_first) -> Outcome:
    """The steps for transitions with one value throughout, that of the first model of the pair."""
    return core(context, value_of, rewards=False)


def own_values_only(_: Context) -> Outcome:
    """Tests with the rival's own values, which are equal in both next states."""
    return from_walk(own_values.own_values_walk(own_values.silent_rival()))


def all_values(_: Context, measured_with: int = 1, tested: tuple[int, ...] = (0, 1)) -> Outcome:
    """Gaps measured with the first model's value, tests made with the values of all models."""
    gaps = [
        own_values.same_steps_walk(own_values.silent_target(in_y), measured_with)
        for in_y in (5, 4, 0)
    ]
    tests = [
        own_values.own_values_walk(own_values.silent_rival(to_x), tested) for to_x in (9, 8, 7)
    ]
    return over_walks([*gaps, *tests], "instances met the premises")


CHECKS = (
    Check(
        id="lemma-8.display/three-rewards",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="one arm that pays 0.5 in the target, 0.2 and 0.8 in two rivals",
        run=three_rewards,
    ),
    Check(
        id="lemma-8.display/triangle",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="the index is at most four times the term of the farthest model",
        run=triangle,
    ),
    Check(
        id="lemma-8.same-steps/silent-target",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="all models look the same through the target's values, and the index is 0.8",
        run=silent_target,
        reading="lemma-8.same-steps.value-of-the-target",
    ),
    Check(
        id="lemma-8.same-steps/value-of-the-first",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="the steps for transitions, with the value of the first model of the largest index",
        run=value_of_the_first,
        reading="lemma-8.same-steps.value-of-the-first",
    ),
    Check(
        id="lemma-8.same-steps/own-values",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="a rival that its own values never contradict",
        run=own_values_only,
        reading="lemma-8.same-steps.own-tests",
    ),
    Check(
        id="lemma-8.same-steps/all-values",
        version=Version.REPAIRED,
        kind=CheckKind.EXACT,
        says="both instances with the first model's value and with the values of all models",
        run=all_values,
    ),
)
