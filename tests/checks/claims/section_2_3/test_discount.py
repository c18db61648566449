"""Powers of 1/(1-γ): the lottery needs the fourth, and smaller indices would be seen."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from ptum.checks.claims.section_3_bounds import discount
from ptum.checks.claims.section_3_bounds.discount import Rivals
from ptum.checks.exact import mdp
from ptum.checks.exact.terms import min_max
from ptum.checks.verdicts.check import Context, Profile
from ptum.reference.repaired.transfer.analysis.sample_complexity import theorem_1_bound
from ptum.reference.tasks.models import approximate_models
from ptum.spec.vocabulary import Verdict

QUICK = Context(Profile.QUICK, seed=2)
NEAR_ONE = Fraction(999, 1000)


@pytest.mark.parametrize("gamma", [Fraction(2, 3), Fraction(9, 10), NEAR_ONE])
@pytest.mark.parametrize("gap", [Fraction(1, 1000), Fraction(1, 4)])
def test_loss_and_information_of_the_lottery(gamma: Fraction, gap: Fraction) -> None:
    pair = discount.staying(gap, gamma)
    x = mdp.optimal_value(pair.first)[0]
    assert x == 1 / (2 * (1 - gamma))
    loss = mdp.loss(pair.second, mdp.optimal_policy(pair.first))
    assert loss == 2 * gamma * gap / ((1 - gamma) * (1 + 2 * gamma * gap))
    evaluation = discount.fourth_power_evaluation(pair)
    assert evaluation.conclusion.left == 4 * (1 - gamma) ** 2 * gap**2
    assert evaluation.verdict() is Verdict.HOLDS


def test_theorem_1_of_the_reference_has_the_fourth_power_too() -> None:
    """128 L over its bound is of order (1-γ)⁴ε², for discounts three orders apart."""
    for gamma in (Fraction(9, 10), Fraction(99, 100), NEAR_ONE):
        pair = discount.staying(Fraction(1, 10), gamma)
        epsilon = mdp.loss(pair.second, mdp.optimal_policy(pair.first)) * Fraction(99, 100)
        models = approximate_models([mdp.rounded(model) for model in pair.models])
        found = theorem_1_bound(
            models, target=0, epsilon=float(epsilon), delta=0.1, n=1000, Delta=0.0
        )
        assert found.blocking == (1,)
        assert 0.9 < found.denominator / float((1 - gamma) ** 4 * epsilon**2) < 4


def test_a_third_power_of_theorem_1_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        discount, "min_max", lambda one, others: min_max(one, others) / (1 - one.gamma)
    )
    assert discount.fourth_power(QUICK).verdict is Verdict.VIOLATED


@pytest.mark.parametrize("gamma", [Fraction(9, 10), NEAR_ONE])
def test_the_hard_case_needs_the_third_power_whatever_the_discount(gamma: Fraction) -> None:
    """Its index is between 15 and 20 times (1-γ)³ε², so no smaller power could hold."""
    pair = discount.wearing_out(Fraction(1), Fraction(1, 1000), gamma)
    epsilon = mdp.smallest_worst_loss(pair.models)
    index = mdp.largest_index(pair.models, Fraction(0))
    assert 15 < index / ((1 - gamma) ** 3 * epsilon**2) < 20


@pytest.mark.parametrize("gamma", [Fraction(9, 10), NEAR_ONE])
def test_a_detour_costs_everything_and_shows_little(gamma: Fraction) -> None:
    """The closest family known: with a constant of 1 in place of 125 it would be at the border."""
    pair = discount.detour(Fraction(1, 1000), gamma)
    epsilon = mdp.smallest_worst_loss(pair.models)
    assert Fraction(9, 10) < epsilon * (1 - gamma) <= 1
    index = mdp.largest_index(pair.models, Fraction(0))
    assert Fraction(9, 10) < (1 - gamma) ** 3 * epsilon**2 / index <= 1


def test_rivals_block_each_other_and_keep_the_bound() -> None:
    outcome = discount.third_power(QUICK)
    assert outcome.verdict is Verdict.HOLDS
    assert outcome.instances >= 4


def test_an_index_with_the_fourth_power_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """What Theorem 1 counts with, on rivals that differ as little as that."""
    monkeypatch.setattr(
        mdp,
        "largest_index",
        lambda models, _: (1 - models[0].gamma) ** 4 * mdp.smallest_worst_loss(models) ** 2 / 16,
    )
    assert discount.third_power(QUICK).verdict is Verdict.VIOLATED


def test_models_that_agree_are_not_spoken_of() -> None:
    one = discount.staying(Fraction(1, 10), NEAR_ONE).first
    assert discount.third_power_evaluation(Rivals(one, one)).verdict() is Verdict.ASSUMPTION_NOT_MET


def test_coordinates_lead_back_to_the_models() -> None:
    pair = discount.staying(Fraction(1, 10), Fraction(9, 10))
    again = discount.rivals_at(discount.rivals_vector(pair), pair)
    for model, found in zip(pair.models, again.models, strict=True):
        assert found.gamma == model.gamma
        assert mdp.transition_distance(found, model) < Fraction(1, 10**4)
        assert mdp.reward_distance(found, model) < Fraction(1, 10**4)
        noisy = mdp.with_variance(replace(found, var=model.var), Fraction(1))
        assert found.var == noisy.var


def test_exchanged_twice_is_the_task_itself() -> None:
    task = discount.staying(Fraction(1, 10), NEAR_ONE).second
    assert discount.exchanged(task) != task
    assert discount.exchanged(discount.exchanged(task)) == task
