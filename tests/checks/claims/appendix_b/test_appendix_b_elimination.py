"""Lemma 4: counterexamples need each of their numbers, and wrong constants are found out."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from ptum.checks.claims.appendix_b import elimination as lemma_4
from ptum.checks.claims.appendix_b.elimination import ActiveModels, scene_evaluation
from ptum.checks.exact.mdp import optimal_value
from ptum.checks.instances.counterexamples.appendix_b import elimination as counterexample
from ptum.checks.instances.counterexamples.appendix_b.elimination import (
    Played,
    SampledFork,
    Silenced,
)
from ptum.checks.verdicts.check import Context, Profile
from ptum.reference.arrays import Floats
from ptum.reference.repaired.transfer.analysis import elimination as repaired
from ptum.reference.transfer.analysis import elimination as printed
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.confidence import log_term, log_term_sigma, width_r, width_sigma_r
from ptum.reference.transfer.ptum import End
from ptum.spec.vocabulary import Verdict, Version
from tests.support.closeness import near

QUICK = Context(Profile.QUICK, seed=1)
PRINTED, REPAIRED = Version.PRINTED, Version.REPAIRED
NBar = Callable[..., Floats]


def test_a_third_value_with_a_deviation_does_not_lower_the_printed_count() -> None:
    fork = SampledFork(third_rewards=counterexample.IN_X)
    assert counterexample.fork_evaluation(fork, PRINTED).verdict() is Verdict.HOLDS


@pytest.mark.parametrize(
    ("version", "literal", "told"),
    [(PRINTED, printed.n_bar, 10_733), (REPAIRED, repaired.n_bar, 53_129)],
)
def test_fork_has_the_counts_of_the_ledger(version: Version, literal: NBar, told: int) -> None:
    models = counterexample.fork_models(SampledFork())
    V = [*map(optimal_value, models)]
    found = counterexample.n_bar(models, V, (0, 1, 2), (0, 0), version)
    scene = fork_scene()
    assert found is not None
    assert round(float(found)) == told
    iteration = Iteration(scene.models, 0, scene.active, 0.0)
    rounded = literal(iteration, theta=counterexample.RIVAL, L=scene.L)
    assert float(found) == near(float(rounded[0, 0]))


def test_the_count_is_infinite_where_target_and_rival_agree() -> None:
    models = counterexample.fork_models(SampledFork())
    V = [*map(optimal_value, models)]
    for pair in ((counterexample.X, 0), (counterexample.Y, 0)):
        assert counterexample.n_bar(models, V, (0, 1, 2), pair, PRINTED) is None


def test_played_fork_needs_a_long_run() -> None:
    def verdict(played: Played) -> Verdict:
        return counterexample.played_evaluation(played, PRINTED).verdict()

    assert verdict(Played(epsilon=Fraction(1, 50))) is Verdict.HOLDS  # PTUM stops at once
    assert verdict(Played(share_in_x=Fraction(1, 2))) is Verdict.HOLDS  # the rival falls early


def test_played_fork_is_a_whole_run_on_e() -> None:
    result = counterexample.play(Played())
    assert result.end is End.STOPPED
    assert result.theta == counterexample.TARGET
    assert [theta for theta, _ in result.eliminated] == [counterexample.THIRD, counterexample.RIVAL]
    assert result.N[0, 0] - 1 == 16_075
    literal = counterexample.literal_play(Played())
    assert [e.theta for e in literal.eliminations] == [theta for theta, _ in result.eliminated]
    assert {pair: int(literal.N[pair]) for pair in result.N} == result.N


def test_silenced_arm_needs_time_only() -> None:
    def verdict(silenced: Silenced) -> Verdict:
        return counterexample.silenced_evaluation(silenced).verdict()

    assert verdict(Silenced(gap=1.2, n=30_000)) is Verdict.VIOLATED  # just above Δ is enough
    assert verdict(Silenced(n=100)) is Verdict.HOLDS


def test_with_a_smaller_shift_the_argument_would_see_some_gaps() -> None:
    assert lemma_4.argument(QUICK, shift=3.0).verdict is Verdict.VIOLATED


@pytest.mark.parametrize("gammas", [(None,), lemma_4.GAMMAS])
def test_smaller_constants_are_refuted(gammas: tuple[float | None, ...]) -> None:
    assert lemma_4.worst_data(QUICK, gammas, factor=16.0).verdict is Verdict.VIOLATED
    assert lemma_4.worst_data(QUICK, gammas, shift=1.9).verdict is Verdict.VIOLATED


def test_23_is_close_to_the_least_constant() -> None:
    assert lemma_4.sharp_constants(QUICK, factor=21.0).verdict is Verdict.VIOLATED


def fork_scene() -> ActiveModels:
    models = counterexample.in_doubles(counterexample.fork_models(SampledFork()))
    delta = float(counterexample.DELTA)
    L = log_term(models.S, models.A, counterexample.BUDGET, models.k, delta)
    return ActiveModels(models, (0, 1, 2), 0.0, L)


def test_sets_with_a_value_without_deviation_refute_the_printed_gap() -> None:
    hidden = lemma_4.most_hidden_transitions
    assert scene_evaluation(fork_scene(), printed.n_bar_p, hidden).verdict() is Verdict.VIOLATED
    assert scene_evaluation(fork_scene(), repaired.n_bar_p, hidden).verdict() is Verdict.HOLDS


def test_drawn_sets_reject_a_count_that_is_too_small() -> None:
    def eighth(counts: lemma_4.CountsOf) -> lemma_4.CountsOf:
        return lambda *at, theta: counts(*at, theta=theta) / 8

    assert lemma_4.reward_sets(QUICK, eighth(printed.n_bar_r)).verdict is Verdict.VIOLATED
    assert lemma_4.transition_sets(QUICK, eighth(repaired.n_bar_p)).verdict is Verdict.VIOLATED


def test_the_hidden_gap_is_attained_half_way() -> None:
    """Data with the largest empirical deviation, half way between: both means just pass."""
    S, A, n, k, delta, N, Delta, sigma = 2, 2, 5000, 3, 0.1, np.array(800), 0.01, 0.2
    L, L_sigma = log_term(S, A, n, k, delta), log_term_sigma(S, A, n, k, delta)
    errors = single(Delta)
    sigma_hat = sigma + width_sigma_r(N, L_sigma, errors.sigma_r)
    half = float(lemma_4.hidden_gap(np.array(sigma), N, L, Delta, None)) / 2
    assert half == near(float(width_r(sigma_hat, N, L, errors.r)))
