"""Views within a task, Theorem 2 and Theorem 3 per step: numbers by hand, and drawn perturbations.

Sizes differ from each other and from the constants of the formulas, so that no sum is a product
and no square a double; every range is tried at its ends.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from ptum.reference.errors import InputError
from ptum.reference.inequalities import Bound, Inequality
from ptum.reference.repaired.sequential.analysis import within_task_bounds as within
from ptum.reference.repaired.sequential.analysis.sequential_bounds import (
    failure_probability,
    miss_probability,
    power_method_effort,
    theorem_2_condition,
    theorem_2_model_error,
    transition_condition,
)
from ptum.reference.repaired.sequential.analysis.spectral_bounds import model_errors_at
from ptum.reference.repaired.transfer.assumptions import model_errors
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.sequential_bounds import theorem_2_bound
from ptum.reference.sequential.analysis.spectral_bounds import rate
from ptum.reference.sequential.observations import models_from_columns
from ptum.reference.sequential.projection import project_observation
from ptum.reference.tasks.models import approximate_models
from ptum.reference.tasks.values import optimal_value
from tests.support.closeness import OF_A_FORMULA, near
from tests.support.hidden import Sizes, drawn_columns

TINY = math.ulp(0.0)


def sides_of(premise: bool | Inequality) -> tuple[float, float]:
    assert isinstance(premise, Inequality)
    return float(premise.left), float(premise.right)


class TestWithinTask:
    """S = 3 and A = 2: B² = 12."""

    def test_moments(self) -> None:
        """√log(1/δ) = 3 and h = 5."""
        found = within.moment_deviation(S=3, A=2, h=5, delta=math.exp(-9))
        assert found.epsilon_2 == near(12 * 4 / math.sqrt(5))
        assert found.epsilon_3 == near(12 * math.sqrt(12) * 4 / math.sqrt(5))
        assert found.epsilon_S == near(12 * (math.sqrt(3) + 6) / 2)
        alone = within.moment_deviation(S=3, A=2, h=1, delta=0.1)
        assert alone.epsilon_S == math.inf, "one task has no successor"

    def test_constants(self) -> None:
        assert within.rho_3(S=3, A=2, c_1=3.0) == near(4 * 12**3 / 9)
        assert within.rho_3(S=3, A=2, c_1=1e-200) == math.inf  # c_1² underflows
        assert within.rho_4(S=3, A=2, c_2=5.0) == near(10 * (12 + 12 * math.sqrt(12)))

    def observation(self, ell: float = 3.0, lambda_k: float = 6.0) -> Bound:
        return within.observation_error_bound(
            c_1=3.0,
            c_2=5.0,
            ell=ell,
            lambda_k=lambda_k,
            S=3,
            A=2,
            h=7,
            delta_prime=5 * math.exp(-9),
        )

    def test_columns(self) -> None:
        found = self.observation()
        assert found.bound == near(5 * (12 + 12 * math.sqrt(12)) * 4 / math.sqrt(7))
        assert sides_of(found.premises["ε_3 ≤ c_1"]) == (near(48 * math.sqrt(12 / 7)), 3.0)

    @pytest.mark.parametrize("ell", [0.0, -0.5, 13.0, math.nextafter(12.0, 13.0), math.nan])
    def test_floors(self, ell: float) -> None:
        assert self.observation(ell=12.0).met["c_1 ≤ ℓ"]
        assert self.observation(ell=TINY).met["2ℓ ≤ λ_k(M̂_2)"]
        with pytest.raises(InputError, match=r"ell: must lie in \(0, 2SA\] = \(0, 12\]"):
            self.observation(ell=ell)

    def test_weights(self) -> None:
        assert self.observation().met["2ℓ ≤ λ_k(M̂_2)"]
        assert not self.observation(lambda_k=math.nextafter(6.0, 0.0)).met["2ℓ ≤ λ_k(M̂_2)"]
        assert not self.observation(lambda_k=-math.inf).met["2ℓ ≤ λ_k(M̂_2)"]
        with pytest.raises(InputError, match="lambda_k: must be a number"):
            self.observation(lambda_k=math.nan)

    def test_constants_of_transitions(self) -> None:
        """ℓ = 4/3: w_min = 1/9, ν_min = 1/18, ρ_J = 24·9 + 6·5/√(4/3)."""
        ell, from_J = 4 / 3, 24 * 9 + 30 / math.sqrt(4 / 3)
        assert within.w_min(S=3, A=2, ell=ell) == near(1 / 9)
        assert within.nu_min(S=3, A=2, ell=ell) == near(1 / 18)
        assert within.rho_5(S=3, A=2, k=7, ell=1e-200, rho_3=1.0, rho_4=5.0) == math.inf
        found = within.rho_5(S=3, A=2, k=7, ell=ell, rho_3=1.0, rho_4=5.0)
        assert found == near(28 * from_J**2 * 18**2)
        found = within.rho_6(S=3, A=2, k=7, ell=ell, rho_4=5.0)
        assert found == near(2 * (1 + math.sqrt(7)) * from_J * 18 + 2 * 6)

    def test_joint_error(self) -> None:
        found = within.joint_error_bound(e_h=7.0, epsilon_S=5.0, sigma_k_O=3.0)
        assert found == near(4 * 5 / 9 + 6 * 7 / 3)
        assert within.joint_error_bound(e_h=0, epsilon_S=0, sigma_k_O=0) == math.inf

    def test_successors(self) -> None:
        """3π²·25/(6δ) = e⁹ at this δ."""
        delta = 3 * math.pi**2 * 25 / 6 * math.exp(-9)
        assert within.successor_deviation(visits=5, k=3, delta=delta) == near(4 / math.sqrt(5))
        assert within.successor_deviation(visits=0, k=3, delta=0.1) == math.inf
        assert within.successor_deviation(visits=1, k=3, delta=0.1) < math.inf
        with pytest.raises(InputError, match="visits: must be an integer of at least 0"):
            within.successor_deviation(visits=-1, k=3, delta=0.1)

    def transitions(self, visits: int, h: int) -> within.TransitionErrorBound:
        return within.transition_error_bound(
            e_h=7.0, epsilon_S=5.0, sigma_k_O=3.0, k=5, h=h, visits=visits, delta=0.1
        )

    def test_transitions(self) -> None:
        found = self.transitions(visits=3, h=8)
        joint = 4 * 5 / 9 + 6 * 7 / 3
        assert found.epsilon_J == near(joint)
        assert found.from_estimate == near(2 * (1 + math.sqrt(5)) * joint * 7 / 3)
        assert found.from_chain == within.successor_deviation(visits=3, k=5, delta=0.1)
        assert found.bound == found.from_estimate + found.from_chain
        assert [sides_of(premise) for premise in found.premises.values()] == [
            (near(math.sqrt(5) * 7), 1.5),
            (near(math.sqrt(5) * joint), near(3 / 14)),
            (1, 3),
        ]

    @pytest.mark.parametrize(("visits", "h"), [(-1, 8), (8, 8), (9, 8), (1, 1)])
    def test_visits(self, visits: int, h: int) -> None:
        assert self.transitions(visits=7, h=8).met["a step leaves task j"]
        assert self.transitions(visits=0, h=1).from_estimate == math.inf
        with pytest.raises(InputError, match="visits: must lie in"):
            self.transitions(visits=visits, h=h)


# Columns of O.


@pytest.mark.parametrize("delta_prime", [1e-9, 0.1, 0.999])
@pytest.mark.parametrize("h", [1, 7, 10**4])
@pytest.mark.parametrize(("S", "A", "U"), [(1, 1, 1), (2, 2, 2), (5, 3, 4)])
def test_simple_constants_cover_the_bound(
    S: int, A: int, U: int, h: int, delta_prime: float
) -> None:
    exact = within.observation_error_bound(
        c_1=0.3, c_2=0.7, ell=0.3, lambda_k=0.6, S=S, A=A, h=h, delta_prime=delta_prime
    )
    simple = within.rho_4(S=S, A=A, c_2=0.7) * rate(
        Level(S=S, A=A, U=U, h=h, delta_prime=delta_prime)
    )
    assert exact.bound <= simple
    log_term = math.log(6 * S * A * (S + U) / delta_prime)
    epsilon_3 = within.moment_deviation(S=S, A=A, h=1, delta=delta_prime / 5).epsilon_3
    assert (epsilon_3 / 0.3) ** 2 <= within.rho_3(S=S, A=A, c_1=0.3) * log_term


def test_floors_and_constants_of_transitions_by_hand() -> None:
    """B² = 4 and ℓ = 1: w_min = 1/4, ν_min = 1/8, ρ_J = 24·4 + 6·12 = 168, k = 4."""
    assert within.w_min(S=2, A=1, ell=1) == 0.25
    assert within.nu_min(S=2, A=1, ell=1) == 0.125
    rest = {"S": 2, "A": 1, "k": 4, "ell": 1.0}
    five = 4 * 4 * 168**2 * 64
    assert within.rho_5(**rest, rho_3=1.0, rho_4=12.0) == near(five)  # type: ignore[arg-type]
    later = within.rho_5(**rest, rho_3=2.0 * five, rho_4=12.0)  # type: ignore[arg-type]
    assert later == 2 * five
    six = 2 * 3 * 168 * 8 + 2 * 4
    assert within.rho_6(**rest, rho_4=12.0) == near(six)  # type: ignore[arg-type]
    found = within.within_task_constants(S=2, A=1, k=4, ell=1, c_1=0.5, c_2=0.5)
    assert (found.w_min, found.nu_min) == (0.25, 0.125)
    constants = [found.rho_3, found.rho_4, found.rho_5, found.rho_6]
    assert constants == near([4 * 64 / 0.25, 12, five, six])
    at_the_floor = within.within_task_constants(S=2, A=1, k=4, ell=1, c_1=1, c_2=0.5)
    assert at_the_floor.rho_3 == near(4 * 64)


# Columns of T.


def test_a_task_that_was_never_left_has_no_bound() -> None:
    for h in (1, 10):
        answer = within.transition_error_bound(
            e_h=0, epsilon_S=0, sigma_k_O=1, k=2, h=h, visits=0, delta=0.1
        )
        assert answer.bound == math.inf
        assert not answer.premises_met


# The four bounds on models, and their maximum.


def theorem_2(e_h: float, h: int, sigma_bar: float, gamma: float) -> Bound:
    """Theorem 2 with the ρ_4 for which the column error at h is e_h."""
    level = 6 * 0.1 / (math.pi**2 * h**2)
    rho_4 = e_h / rate(Level(S=3, A=2, U=2, h=h, delta_prime=level))
    return theorem_2_model_error(
        Level(S=3, A=2, U=2, h=h, delta_prime=0.1),
        rho_3=1e-3,
        rho_4=rho_4,
        gamma=gamma,
        sigma_bar=sigma_bar,
    )


@pytest.mark.parametrize("scale", [1e-2, 1e-3, 1e-5])
def test_M_on_drawn_perturbations(scale: float) -> None:
    """Errors of projected models are within the four bounds at e, and within Δ."""
    applied = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        O = drawn_columns(rng, 2, Sizes(S=3, A=2, U=2), spread=1.0)
        noise = rng.normal(size=O.shape)
        raw = O + scale * noise / np.linalg.norm(noise, axis=0)
        projected = np.stack([project_observation(o, 3, 2, 2) for o in raw.T], axis=1)
        e = float(np.linalg.norm(raw - O, axis=0).max())
        assert np.all(np.linalg.norm(projected - O, axis=0) <= e * (1 + OF_A_FORMULA))
        gamma = 0.5
        true = models_from_columns(O, 3, 2, [0.0, 1.0], gamma)
        models = approximate_models(models_from_columns(projected, 3, 2, [0.0, 1.0], gamma))
        errors = model_errors(true, models)
        exact = approximate_models(true)
        sigma_bar = min(float(exact.sigma_r.min()), float(exact.sigma_p.min()) / 2)
        for floor in (None, sigma_bar):
            bounds = model_errors_at(e, S=3, U=2, gamma=gamma, sigma_bar=floor)
            for name in ("r", "p", "sigma_r", "sigma_p"):
                assert getattr(errors, name) <= getattr(bounds, name), name
        found = theorem_2(e, 1000, sigma_bar, gamma)
        assert found.premises_met
        assert found.bound == near(bounds.Delta)
        assert errors.Delta <= found.bound
        drift = (math.sqrt(2) / 2 + gamma * math.sqrt(3) / (2 * (1 - gamma))) * e / (1 - gamma)
        applied += math.isfinite(found.bound)
        for task, V in zip(true, models.V_star, strict=True):
            assert float(np.abs(optimal_value(task) - V).max()) <= drift
    assert applied > 10  # Δ is finite often enough for the comparison to say something


def test_theorem_2_model_error_by_hand() -> None:
    # e = 0.01, S = 3, U = 2, γ = ½, σ̄ = ½. √U e/2 = .00707; √S e/(2·½) = .01732, twice and then
    # twice again for the deviation of values, which is the largest: .01732·4.
    found = theorem_2(0.01, 1000, 0.5, 0.5)
    assert found.bound == near(0.01 * math.sqrt(3) * 4)
    assert found.premises_met


def test_theorem_2_model_error_where_nothing_is_known() -> None:
    too_far = theorem_2(1.0, 1000, 0.5, 0.5)  # Ṽ* may be off by more than σ̄
    assert too_far.premises_met
    assert too_far.bound == math.inf
    early = theorem_2_model_error(
        Level(S=3, A=2, U=2, h=5, delta_prime=0.1), rho_3=10, rho_4=1, gamma=0.5, sigma_bar=0.5
    )
    assert not early.premises_met
    assert early.bound == math.inf


def test_which_h_qualify_and_that_errors_then_fall() -> None:
    answers = [
        theorem_2_model_error(
            Level(S=3, A=2, U=2, h=h, delta_prime=0.1),
            rho_3=10,
            rho_4=0.1,
            gamma=0.5,
            sigma_bar=0.5,
        )
        for h in range(1, 1000)
    ]
    qualified = [answer.premises_met for answer in answers]
    assert qualified == [
        theorem_2_condition(Level(S=3, A=2, U=2, h=h, delta_prime=0.1), rho_3=10)
        for h in range(1, 1000)
    ]
    first = qualified.index(True)
    assert not any(qualified[:first])
    assert all(qualified[first:])
    errors = [answer.bound for answer in answers[first:]]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 1


def test_transitions_wait_for_a_constant_of_their_own() -> None:
    """h ≥ ρ_5 log(c_h), c_10 = π²·100·12/0.1; equality is enough."""
    log_c = math.log(math.pi**2 * 100 * 12 / 0.1)
    edge = 10 / log_c
    assert edge * log_c == 10  # in doubles too

    def speaks(rho_5: float) -> bool:
        return transition_condition(Level(S=2, A=2, U=1, h=10, delta_prime=0.1), rho_5=rho_5)

    assert speaks(edge)
    assert not speaks(edge * (1 + OF_A_FORMULA))


def test_restarts_by_hand() -> None:
    """λ_1 = log(4π²) = 3.676, λ_7 = log(4π²·49) = 7.567: 2.059 times as much, logarithms 1.555."""
    level = Level(S=1, A=1, U=1, h=7, delta_prime=0.5)
    first, later = math.log(4 * math.pi**2), math.log(4 * math.pi**2 * 49)
    assert power_method_effort(replace(level, h=1), L=7, N=9) == (7, 9)
    found = power_method_effort(level, L=100, N=1000)
    assert found == (
        math.ceil(100 * later / first),
        math.ceil(1000 * math.log(later) / math.log(first)),
    )
    assert found == (206, 1555)


def test_views_within_tasks_feed_theorem_2() -> None:
    """ρ_3 and ρ_4 of part W take the place of those of Lemma 11; no mixing, no σ_k(Σ_31)."""
    at_h, rho_4 = Level(S=3, A=2, U=2, h=10**9, delta_prime=0.1), within.rho_4(S=3, A=2, c_2=2.0)
    found = theorem_2_model_error(
        at_h, rho_3=within.rho_3(S=3, A=2, c_1=0.5), rho_4=rho_4, gamma=0.5, sigma_bar=0.2
    )
    assert found.premises_met
    level = 6 * 0.1 / (math.pi**2 * 10**18)
    exact = within.observation_error_bound(
        c_1=0.5, c_2=2, ell=0.5, lambda_k=1.0, S=3, A=2, h=10**9, delta_prime=level
    )
    assert exact.premises_met
    assert exact.bound <= theorem_2_bound(at_h, rho_any=rho_4)


# Theorem 3 per step.


def test_miss_probability_by_hand() -> None:
    budget = {"eta": 0.03, "delta_T": 0.01, "delta": 0.02, "invalid_errors": 0.05}
    assert miss_probability(**budget) == near(0.11)
    assert failure_probability(**budget) == near(0.13)
    deterministic = budget | {"invalid_errors": 1.0}
    assert miss_probability(**deterministic) == failure_probability(**deterministic) == 1


@pytest.mark.parametrize("name", ["eta", "delta_T", "delta", "invalid_errors"])
def test_every_share_counts(name: str) -> None:
    budget = {"eta": 0.03, "delta_T": 0.01, "delta": 0.02, "invalid_errors": 0.05}
    more = budget | {name: budget[name] + 0.01}
    assert miss_probability(**more) == near(miss_probability(**budget) + 0.01)
    double = 0.02 if name == "delta" else 0.01
    assert failure_probability(**more) == near(failure_probability(**budget) + double)


# Monotony and bad input.


def _observation(**changes: float) -> object:
    good = {"c_1": 1.0, "c_2": 1.0, "ell": 1.0, "lambda_k": 2.0, "delta_prime": 0.1}
    return within.observation_error_bound(**(good | changes), S=1, A=1, h=5)


def _transition(**changes: float) -> object:
    good = {"e_h": 0.1, "epsilon_S": 0.1, "sigma_k_O": 1.0, "delta": 0.1}
    return within.transition_error_bound(**(good | changes), k=2, h=5, visits=2)


def _miss(**changes: float) -> object:
    good = {"eta": 0.1, "delta_T": 0.1, "delta": 0.1, "invalid_errors": 0.1}
    return miss_probability(**(good | changes))


REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "no states": (lambda: within.moment_deviation(S=0, A=1, h=5, delta=0.1), "S"),
    "no actions": (lambda: within.rho_3(S=1, A=0, c_1=1), "A"),
    "no task": (lambda: within.moment_deviation(S=1, A=1, h=0, delta=0.1), "h"),
    "certainty": (lambda: within.moment_deviation(S=1, A=1, h=5, delta=0), "delta"),
    "radius of zero": (lambda: _observation(c_1=0), "c_1"),
    "negative factor": (lambda: _observation(c_2=-1), "c_2"),
    "radius above the floor": (
        lambda: within.within_task_constants(S=1, A=1, k=2, ell=0.5, c_1=0.6, c_2=1),
        "c_1",
    ),
    "no models": (lambda: within.rho_6(S=1, A=1, k=0, ell=0.5, rho_4=1), "k"),
    "no error of columns": (lambda: within.rho_6(S=1, A=1, k=2, ell=0.5, rho_4=0), "rho_4"),
    "no first constant": (lambda: within.rho_5(S=1, A=1, k=2, ell=0.5, rho_3=0, rho_4=1), "rho_3"),
    "no restarts": (
        lambda: power_method_effort(Level(S=1, A=1, U=2, h=1, delta_prime=0.1), L=0, N=1),
        "L",
    ),
    "no steps": (
        lambda: power_method_effort(Level(S=1, A=1, U=2, h=1, delta_prime=0.1), L=1, N=0),
        "N",
    ),
    "no transition constant": (
        lambda: transition_condition(Level(S=1, A=1, U=2, h=1, delta_prime=0.1), rho_5=0),
        "rho_5",
    ),
    "confidence of one": (lambda: _observation(delta_prime=1), "delta_prime"),
    "negative column error": (lambda: _transition(e_h=-0.1), "e_h"),
    "no number": (lambda: _transition(epsilon_S=math.nan), "epsilon_S"),
    "infinite singular value": (lambda: _transition(sigma_k_O=math.inf), "sigma_k_O"),
    "no tasks": (lambda: within.successor_deviation(visits=1, k=0, delta=0.1), "k"),
    "loss of all": (lambda: _miss(eta=1), "eta"),
    "negative chance": (lambda: _miss(delta_T=-0.1), "delta_T"),
    "chance above one": (lambda: _miss(invalid_errors=1.1), "invalid_errors"),
    "no PTUM": (lambda: _miss(delta=0), "delta"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_by_name(name: str) -> None:
    call, argument = REFUSED[name]
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.argument == argument
