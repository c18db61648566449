"""Lemma 5 and Corollary 2: wrong bounds are found out, and exact sides are the reference's."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from ptum.checks.claims.appendix_b import simulation as lemma_5
from ptum.checks.claims.appendix_b.simulation import (
    Claim,
    ComparedTasks,
    Walked,
    pairs,
    walked_tasks,
)
from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import Vector
from ptum.checks.verdicts.check import Context, Profile
from ptum.reference.arrays import Floats, Ints
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.values import visitation
from ptum.reference.transfer.analysis.simulation import (
    optimal_value_sides,
    policy_value_sides,
    value_error_sides,
)
from ptum.spec.vocabulary import Verdict

QUICK = Context(Profile.QUICK, seed=1)


def shrunk(claim: Claim, factor: Fraction) -> Claim:
    def smaller(pair: ComparedTasks) -> tuple[Vector, Vector]:
        left, right = claim(pair)
        return left, tuple(factor * bound for bound in right)

    return smaller


@pytest.mark.parametrize(
    ("claim", "factor"),
    [
        (lemma_5.policy_sides, Fraction(99, 100)),
        (lemma_5.optimal_sides, Fraction(99, 100)),
        (lemma_5.loss_sides, Fraction(2, 5)),
    ],
)
def test_smaller_bounds_are_refuted(claim: Claim, factor: Fraction) -> None:
    assert lemma_5.checked_by(shrunk(claim, factor))(QUICK).verdict is Verdict.VIOLATED


def test_visits_of_the_wrong_model_are_refuted() -> None:
    """The bracket must hold the value of one model and be weighed with the visits in the other."""

    def both_in_theta(pair: ComparedTasks) -> tuple[Vector, Vector]:
        left, _ = lemma_5.policy_sides(pair)
        V = mdp.policy_value(pair.theta, pair.pi)
        weighed = mdp.policy_value(
            replace(pair.theta, r=lemma_5.gaps(pair.theta, pair.theta_prime, V)), pair.pi
        )
        return left, weighed

    assert lemma_5.checked_by(both_in_theta)(QUICK).verdict is Verdict.VIOLATED


def test_corollary_2_needs_its_factor_two() -> None:
    """One state, γ = 9/10: whoever is indifferent between 1/2 and 1/2 may lose 2·1/10 per step."""
    c, half = Fraction(1, 10), Fraction(1, 2)
    stay = [[[Fraction(1)]] * 2]
    theta, theta_prime = (
        mdp.deterministic(stay, [[half - shift, half + shift]], Fraction(9, 10))
        for shift in (Fraction(0), c)
    )
    pair = ComparedTasks(theta, theta_prime, (0,))
    assert lemma_5.loss_sides(pair) == ((2 * c * 10,), (2 * c * 10,))
    assert lemma_5.evaluation(pair, lemma_5.loss_sides).verdict() is Verdict.HOLDS
    smaller = shrunk(lemma_5.loss_sides, Fraction(99, 100))
    assert lemma_5.evaluation(pair, smaller).verdict() is Verdict.VIOLATED


@given(pairs())
@settings(max_examples=25)
def test_exact_sides_are_those_of_the_reference(pair: ComparedTasks) -> None:
    theta, theta_prime = mdp.rounded(pair.theta), mdp.rounded(pair.theta_prime)
    literal = (
        policy_value_sides(theta=theta, theta_prime=theta_prime, pi=np.array(pair.pi)),
        optimal_value_sides(theta=theta, theta_prime=theta_prime),
        value_error_sides(theta=theta, theta_prime=theta_prime),
    )
    claims = (lemma_5.policy_sides, lemma_5.optimal_sides, lemma_5.loss_sides)
    for claim, sides in zip(claims, literal, strict=True):
        left, right = claim(pair)
        assert sides.left == pytest.approx([float(x) for x in left], abs=float(sides.tolerance))
        assert sides.right == pytest.approx([float(x) for x in right], abs=float(sides.tolerance))


def test_related_tasks_are_outside_the_any_two_check() -> None:
    stay = [[[Fraction(1)]]]
    one, two = (mdp.deterministic(stay, [[r]], Fraction(0)) for r in (Fraction(0), Fraction(1)))
    assert (
        lemma_5.any_two_evaluation(ComparedTasks(one, two, (0,))).verdict()
        is Verdict.ASSUMPTION_NOT_MET
    )


def test_unrelated_tasks_reject_a_smaller_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    smaller = shrunk(lemma_5.policy_sides, Fraction(9, 10))
    monkeypatch.setattr(lemma_5, "policy_sides", smaller)
    assert lemma_5.any_two(QUICK).verdict is Verdict.VIOLATED


@given(walked_tasks())
@settings(max_examples=25)
def test_normalised_visits_are_not_the_papers(walked: Walked) -> None:
    def normalised(theta: MDP, pi: Ints) -> Floats:
        return (1 - theta.gamma) * visitation(theta, pi)

    right = lemma_5.visitation_evaluation(walked).verdict()
    wrong = lemma_5.visitation_evaluation(walked, normalised).verdict()
    assert right is Verdict.HOLDS
    assert (wrong is Verdict.VIOLATED) == (walked.theta.gamma > 0)


def test_visits_of_a_policy_that_is_not_followed_are_refuted() -> None:
    p = np.array([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [1.0, 0.0]]])
    task = MDP(p, np.ones((2, 2, 1)), np.array([0.5]), 0.5)
    walked = Walked(task, np.array([0, 0]))

    def other_policy(theta: MDP, pi: Ints) -> Floats:
        return visitation(theta, 1 - pi)

    assert lemma_5.visitation_evaluation(walked).verdict() is Verdict.HOLDS
    assert lemma_5.visitation_evaluation(walked, other_policy).verdict() is Verdict.VIOLATED
