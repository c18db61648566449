"""The rules for the next initial set, and the identification of a finished task."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptum.checks.instances.sequences import CHAIN as CYCLE
from ptum.checks.instances.sequences import TASKS as THREE
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.errors import InputError
from ptum.reference.repaired.sequential.analysis.sequential_bounds import theorem_3_eliminates
from ptum.reference.repaired.sequential.observations import post_sample_observation
from ptum.reference.repaired.sequential.prediction import PerStep, hoeffding_width, reidentify
from ptum.reference.sequential.prediction import Theorem3, kept
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.assumptions import ModelErrors, single
from tests.support.closeness import near
from tests.support.strategies import mdps_of_size
from tests.support.streams import noisy


@st.composite
def transition_matrices(draw: st.DrawFn, k: int) -> Floats:
    """Columns are distributions with many zeros."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    columns = rng.dirichlet(np.full(k, draw(st.sampled_from((0.05, 0.3, 1.0)))), size=k)
    T: Floats = (columns / columns.sum(axis=1, keepdims=True)).T
    return T


# Theorem 3 as printed


@given(st.data(), st.integers(2, 6), st.integers(1, 500), st.sampled_from((1e-9, 0.1, 0.99)))
def test_the_printed_rule_never_drops_anything(
    data: st.DataObject, k: int, m: int, delta_prime: float
) -> None:
    h = data.draw(st.integers(1, m))
    T = data.draw(transition_matrices(k))
    least_rho_T = 8 * math.sqrt(k) * (1 + math.sqrt(5))  # what Appendix D's constants allow
    rule = Theorem3(m, least_rho_T)
    delta = delta_prime / (3 * m**2)
    assert rule(T, [0], h=h, d=2, delta=delta, delta_prime=delta_prime) == tuple(range(k))


def test_the_printed_rule_drops_what_is_impossible_when_nothing_is_uncertain() -> None:
    T = np.array([[0.0, 0.5, 0.5], [1.0, 0.5, 0.5], [0.0, 0.0, 0.0]])
    eta = 0.3 / (3 * 3 * 100**2)
    rule = Theorem3(100, 0.0)

    def stays(theta_bar: list[int], delta: float) -> tuple[int, ...]:
        return rule(T, theta_bar, h=50, d=16, delta=delta, delta_prime=0.3)

    assert stays([0], eta / 4) == (1,)
    assert stays([0, 1], eta / 4) == (0, 1)
    # δk alone is above η = δ'/(3km²) at the largest δ that the theorem allows.
    assert stays([0], 2.99 * eta) == (0, 1, 2)
    with pytest.raises(InputError, match=r"^delta: Theorem 3"):
        stays([0], 3.01 * eta)


def test_the_printed_rule_is_for_m_tasks() -> None:
    rule, T = Theorem3(m=3, rho_T=0.0), np.full((2, 2), 0.5)
    assert rule(T, [0], h=3, d=2, delta=1e-3, delta_prime=0.1) == (0, 1)
    for h in (4, 20):
        with pytest.raises(InputError, match=rf"h: must be at most m = 3.*\(found {h}\)"):
            rule(T, [0], h=h, d=2, delta=1e-3, delta_prime=0.1)


def test_dropping_everything_drops_nothing() -> None:
    assert kept(np.array([True, True])) == (0, 1)
    assert kept(np.array([True, False])) == (1,)


# The rule per step


@given(st.data(), st.integers(2, 6), st.sampled_from((0.01, 0.1, 0.5, 0.9)), st.floats(0, 0.2))
def test_a_step_keeps_what_theorem_3_repaired_does_not_drop(
    data: st.DataObject, k: int, eta: float, e_T: float
) -> None:
    T_hat = data.draw(transition_matrices(k))
    theta_bar = data.draw(st.lists(st.integers(0, k - 1), min_size=1, unique=True))
    dropped = theorem_3_eliminates(T_hat, theta_bar, e_T=e_T, eta=eta)
    stays = PerStep(eta)(T_hat, theta_bar, e_T=e_T)
    assert stays == tuple(np.flatnonzero(~dropped).tolist())


def test_a_step_on_the_cycle() -> None:
    assert PerStep(0.05)(CYCLE, [0], e_T=0.0) == (1,)
    assert PerStep(0.05)(CYCLE, [0, 1], e_T=0.0) == (1, 2)
    assert PerStep(0.05)(CYCLE, [0, 1, 2], e_T=0.0) == (0, 1, 2)
    assert PerStep(0.05)(CYCLE, [0], e_T=0.03) == (1, 2)
    assert PerStep(0.05)(CYCLE, [0], e_T=math.inf) == (0, 1, 2)


@pytest.mark.parametrize("eta", [0.0, 1.0, math.nan])
def test_eta_is_a_probability(eta: float) -> None:
    with pytest.raises(InputError, match=r"^eta: "):
        PerStep(eta)


def test_a_rule_per_step_refuses_a_matrix_that_is_not_stochastic() -> None:
    with pytest.raises(InputError, match=r"^T_hat"):
        PerStep(0.1)(CYCLE * 0.99, [0], e_T=0.0)


# Identification of a finished task


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.sampled_from((1e-9, 0.1, 0.9)))
def test_the_width_inverts_the_inequality_of_hoeffding(
    tests: int, n_post: int, delta: float
) -> None:
    w = hoeffding_width(tests=tests, n_post=n_post, delta=delta)
    # The exponent is at most log(2e6/1e-9) < 40, so its error is below 40 times a few roundings.
    assert 2 * tests * math.exp(-2 * n_post * w * w) == pytest.approx(delta, rel=400 * ROUNDING)


def two_with_gap(reward_gap: float, transition_gap: float) -> tuple[MDP, MDP]:
    """Two states that pay 0 and 1 for certain, except that state 0 may pay a little."""

    def task(r: float, p: float) -> MDP:
        return MDP(
            p=np.array([[[1 - p, p]], [[0.0, 1.0]]]),
            q=np.array([[[1 - r, r]], [[0.0, 1.0]]]),
            u=np.array([0.0, 1.0]),
            gamma=0.5,
        )

    return task(0.5, 0.5), task(0.5 + reward_gap, 0.5 + transition_gap)


def expectations(task: MDP) -> tuple[Floats, Floats]:
    r: Floats = task.q @ task.u
    return r, task.p


@pytest.mark.parametrize(("factor", "stays"), [(0.999, True), (1.001, False)])
def test_rewards_are_compared_up_to_model_error_plus_width(factor: float, stays: bool) -> None:
    n_post, delta, Delta_r = 400, 0.1, 0.05
    limit = Delta_r + math.sqrt(math.log(2 * 2 * 3 / delta) / (2 * n_post))  # SA(k+1) = 2·3
    first, second = two_with_gap(limit * factor, 0.0)
    errors = ModelErrors(r=Delta_r, p=9.0, sigma_r=0.0, sigma_p=0.0)
    models = approximate_models([first, second])
    found = reidentify(*expectations(first), models, n_post=n_post, delta=delta, errors=errors)
    assert found == ((0, 1) if stays else (0,))


@pytest.mark.parametrize(("factor", "stays"), [(0.999, True), (1.001, False)])
def test_transitions_are_compared_through_every_value(factor: float, stays: bool) -> None:
    """The test with the widest spread of values decides, its width scaled by that spread."""
    n_post, delta, Delta_p = 400, 0.1, 0.05
    w = math.sqrt(math.log(2 * 2 * 3 / delta) / (2 * n_post))
    # V = (V(0), 2) with V(0) = r + (1/2)((1-p) V(0) + 2p), so V(0) = (r+p)/(1/2 + p/2).
    spread = 2 - 1 / 0.75
    gap = (Delta_p + w * spread) / spread
    first, second = two_with_gap(0.0, gap * factor)
    models = approximate_models([first, second])
    spreads = models.V_star.max(axis=1) - models.V_star.min(axis=1)
    assert spreads[0] == near(spread)
    assert spreads[1] < spreads[0]  # with a model error, more spread tells more
    errors = ModelErrors(r=0.0, p=Delta_p, sigma_r=0.0, sigma_p=0.0)
    found = reidentify(*expectations(first), models, n_post=n_post, delta=delta, errors=errors)
    assert found == ((0, 1) if stays else (0,))


@given(
    st.lists(mdps_of_size(S=2, A=2, U=2, gamma=0.5), min_size=2, max_size=3),
    st.integers(1, 40),
    st.integers(0, 2**32 - 1),
)
def test_the_true_task_is_found_again(tasks: list[MDP], n_post: int, seed: int) -> None:
    """At δ = 1e-9 the 100 examples together fail with probability at most 1e-7."""
    target = seed % len(tasks)
    u = np.unique(tasks[target].u)
    post = post_sample_observation(Simulator(tasks[target], seed), 2, 2, u, n_post)
    models = approximate_models(tasks)
    found = reidentify(
        post.q_hat @ u, post.p_hat, models, n_post=n_post, delta=1e-9, errors=single(0.0)
    )
    assert target in found


def test_how_often_the_true_task_is_lost_and_others_stay() -> None:
    """A loss has probability at most δ, so 2000δ losses plus 5 deviations is a limit that chance
    passes with probability below 1e-6. The others are 0.8 away in some reward, which is more than
    two widths of 0.21: where the true task stays, they do not. Where nobody is left, all come back:
    a run with all three has lost the true one too.
    """
    tasks = [noisy(task, 0.1) for task in THREE]
    models, rng = approximate_models(tasks), np.random.default_rng(8)
    runs, delta, lost, alone = 2000, 0.2, 0, 0
    for _ in range(runs):
        r_hat = rng.binomial(60, tasks[1].q[:, :, 1]) / 60
        to_1 = rng.binomial(60, tasks[1].p[:, :, 1]) / 60
        p_hat = np.stack([1 - to_1, to_1], axis=-1)
        found = reidentify(r_hat, p_hat, models, n_post=60, delta=delta, errors=single(0.0))
        lost += 1 not in found or found == (0, 1, 2)
        alone += found == (1,)
    assert lost <= runs * delta + 5 * math.sqrt(runs * delta * (1 - delta))
    assert lost + alone == runs


def test_without_valid_models_or_with_contradicting_samples_all_stay() -> None:
    models = approximate_models(THREE)
    r, p = expectations(THREE[0])
    everything = (0, 1, 2)

    def found(rewards: Floats, Delta: float) -> tuple[int, ...]:
        return reidentify(rewards, p, models, n_post=1000, delta=0.1, errors=single(Delta))

    assert found(r, math.inf) == everything
    assert found(r, 0.0) == (0,)
    assert found(np.full_like(r, 0.5), 0.0) == everything


def test_bad_input_of_the_identification() -> None:
    models = approximate_models(THREE)
    r, p = expectations(THREE[0])
    with pytest.raises(InputError, match=r"^r_hat: "):
        reidentify(r[:1], p, models, n_post=1, delta=0.1, errors=single(0.0))
    with pytest.raises(InputError, match=r"^p_hat: "):
        reidentify(r, p[:, :, :1], models, n_post=1, delta=0.1, errors=single(0.0))
    with pytest.raises(InputError, match=r"^n_post: "):
        reidentify(r, p, models, n_post=0, delta=0.1, errors=single(0.0))
    with pytest.raises(InputError, match=r"^delta: "):
        reidentify(r, p, models, n_post=1, delta=1.0, errors=single(0.0))
