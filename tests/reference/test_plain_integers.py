"""Products of counts are those of Python's integers, whatever type the counts come in."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from ptum.reference.errors import InputError
from ptum.reference.repaired.sequential.analysis import spectral_bounds as repaired
from ptum.reference.repaired.sequential.analysis import within_task_bounds as within
from ptum.reference.repaired.sequential.prediction import hoeffding_width
from ptum.reference.repaired.transfer.analysis.sample_complexity import corollary_1_bound
from ptum.reference.repaired.transfer.stopping import transfer_threshold as repaired_threshold
from ptum.reference.sequential.analysis import sequential_bounds, spectral_bounds
from ptum.reference.sequential.analysis.conditioning import theorem_2_level
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.analysis.concentration import empirical_bernstein_width
from ptum.reference.transfer.analysis.sample_complexity import corollary_1_rate, kappa_eps
from ptum.reference.transfer.confidence import log_term, log_term_sigma
from ptum.reference.transfer.information import excess_gap, information
from ptum.reference.transfer.stopping import stopping_slack, transfer_threshold
from tests.support.instances import bandit

ONE = np.ones((1, 1))
OF_31 = {"lambda_max_Sigma_21": 1.0, "lambda_min_Sigma_31": 1.0}

TWO_ARMS = approximate_models([bandit(r, 0.5) for r in ([0.0, 1.0], [1.0, 0.0])])

OF_A_COUNT: dict[str, Callable[[int], float]] = {
    "log_term": lambda x: log_term(x, x, x, x, 0.1),
    "log_term_sigma": lambda x: log_term_sigma(x, x, x, x, 0.1),
    "Lemma 2": lambda x: empirical_bernstein_width(1.0, x, 1.0, 0.1),
    "Corollary 1": lambda x: corollary_1_rate(
        x, x, 2 * 10**4, gamma=0.5, epsilon=0.1, delta=0.1, Gamma=0.1
    ),
    "Corollary 1 repaired": lambda x: corollary_1_bound(
        x, x, 2 * 10**4, gamma=0.5, epsilon=0.1, delta=0.1, n=x, Gamma=0.1
    ),
    "η of Theorem 3": lambda x: sequential_bounds.theorem_3_eta(k=x, m=x, delta_prime=0.1),
    "rule of Theorem 3": lambda x: float(
        sequential_bounds.theorem_3_prediction(
            ONE, (0,), h=x, m=x, k=1, d=x, delta=0.1, delta_prime=0.1, rho_T=1.0
        )[0]
    ),
    "level of Theorem 2": lambda x: theorem_2_level(h=x, delta_prime=0.1),
    "ρ_4": lambda x: spectral_bounds.rho_4(rho_2=1.0, S=x, A=x, **OF_31),
    "ρ_5": lambda x: spectral_bounds.rho_5(rho_3=1.0, rho_4=1.0, k=x, sigma_k_O=1.0),
    "ρ_6": lambda x: spectral_bounds.rho_6(rho_4=1.0, S=x, A=x, k=x, sigma_k_O=1.0),
    "C_Σ": lambda x: repaired.moment_constant(S=x, A=x, g_mix=1.0),
    "w_min": lambda x: within.w_min(S=x, A=x, ell=1.0),
    "ρ_5 within tasks": lambda x: within.rho_5(S=x, A=x, k=x, ell=1.0, rho_3=1.0, rho_4=1.0),
    "successors": lambda x: within.successor_deviation(visits=x, k=x, delta=0.1),
    "Hoeffding": lambda x: hoeffding_width(tests=x, n_post=x, delta=0.1),
}


OF_A_NUMBER: dict[str, Callable[[float], float]] = {
    "line 14": lambda x: stopping_slack(x, x, 0.0),
    "line 2": lambda x: transfer_threshold(x, 0.5),
    "line 2 repaired": lambda x: repaired_threshold(x, 0.5),
    "κ_ε": lambda x: kappa_eps(x, x, 0.5),
    "ε of Corollary 1": lambda x: corollary_1_rate(
        2, 2, 2, gamma=0.5, epsilon=x, delta=0.1, Gamma=0.1
    ),
    "Γ of Corollary 1": lambda x: corollary_1_rate(
        2, 2, 2, gamma=0.5, epsilon=0.1, delta=0.1, Gamma=x
    ),
    "Γ of Corollary 1 repaired": lambda x: corollary_1_bound(
        2, 2, 2, gamma=0.5, epsilon=0.1, delta=0.1, n=9, Gamma=x
    ),
    "8Δ of Definition 1": lambda x: float(excess_gap(ONE, x - 80)[0, 0]),
    "8Δ of two models": lambda x: float(
        information(TWO_ARMS, theta=0, theta_prime=1, Delta=x - 80)[0, 0]
    ),
}


@pytest.mark.parametrize("name", OF_A_NUMBER)
def test_small_integers_are_real_numbers_too(name: str) -> None:
    """A sum or a product of numbers of eight bits is none of eight bits."""
    of_a_number = OF_A_NUMBER[name]
    assert of_a_number(np.int8(100)) == of_a_number(100.0)  # type: ignore[arg-type]  # as above


def test_a_gap_is_a_number() -> None:
    numbers = {"gamma": 0.5, "epsilon": 0.1, "delta": 0.1}
    for bad in ("x", -1.0, math.nan, None):
        with pytest.raises(InputError, match=r"^Gamma: a gap must be at least 0"):
            corollary_1_rate(2, 2, 2, **numbers, Gamma=bad)  # type: ignore[arg-type]
        with pytest.raises(InputError, match=r"^Gamma: a gap must be at least 0"):
            corollary_1_bound(2, 2, 2, **numbers, n=9, Gamma=bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", OF_A_COUNT)
def test_eight_bits_are_enough(name: str) -> None:
    """100 fits into eight bits, and no product of two such counts does."""
    of_a_count = OF_A_COUNT[name]
    assert of_a_count(np.int8(100)) == of_a_count(100)  # type: ignore[arg-type]  # that is the point
