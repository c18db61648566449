"""The bounds of Section 4 and Appendix D against numbers worked out by hand.

Logarithms are made whole by the choice of δ': with S = A = 2 and U = 1 the dimension is
d = SA(S+U) = 12, so δ' = 72 e⁻⁹ gives log(6d/δ') = 9, and h = 36 gives √(9/36) = 1/2.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.errors import InputError
from ptum.reference.inequalities import Inequality
from ptum.reference.repaired.sequential.analysis import sequential_bounds as repaired_4
from ptum.reference.repaired.sequential.analysis import spectral_bounds as repaired
from ptum.reference.sequential.analysis import sequential_bounds as section_4
from ptum.reference.sequential.analysis import spectral_bounds as printed
from ptum.reference.sequential.analysis.level import Level, required_h
from ptum.spec.algebra import rational
from ptum.spec.formulas.symbols import d, delta_prime, k, m
from tests.support.closeness import OF_A_FORMULA, near

SQRT_5 = 2.23606797749979


def delta_for(argument: float, log_value: float) -> float:
    """The δ' for which log(argument/δ') is the given number."""
    return argument * math.exp(-log_value)


# Lemma 10 and equation 8.


def test_mu_error_bound_by_hand() -> None:
    # 2d = 24, so δ' = 24e⁻⁴ gives log 4, rate √(4/16); bound 6 · 1/2, required h 3 · 4.
    answer = printed.mu_error_bound(
        Level(S=2, A=2, U=1, h=16, delta_prime=delta_for(24, 4)), rho_1=3, rho_2=6
    )
    assert answer.bound == near(3)
    assert required_h(answer) == near(12)
    assert answer.premises_met


def test_moment_error_bound_by_hand() -> None:
    # √(4/16)
    assert printed.moment_error_bound(h=16, delta_prime=math.exp(-4)) == near(0.5)


def test_repaired_moment_error_bound_by_hand() -> None:
    # SA = 4, ⌊14/3⌋ = 4: 8/2 · (√(1+8) + 3·2) = 4 · 9
    answer = repaired.moment_error_bound(S=2, A=2, h=14, delta_prime=math.exp(-4), g_mix=2)
    assert answer == near(36)


def test_moment_constant_by_hand() -> None:
    # 2√5 · 4 · (3 + 1 + 2) = 48√5; five tasks make one triple, and ⌊h/3⌋ ≥ h/5 always
    assert repaired.moment_constant(S=2, A=2, g_mix=2) == near(48 * SQRT_5)


@given(
    S=st.integers(1, 4),
    A=st.integers(1, 4),
    U=st.integers(1, 4),
    h=st.integers(3, 10**6),
    level=st.floats(1e-12, 1 - 1e-12),
    g_mix=st.floats(0, 1e3),
)
def test_moment_constant_covers_equation_8_at_a_third_of_the_level(
    S: int, A: int, U: int, h: int, level: float, g_mix: float
) -> None:
    C_S = repaired.moment_constant(S=S, A=A, g_mix=g_mix)
    simple = C_S * printed.rate(Level(S=S, A=A, U=U, h=h, delta_prime=level))
    exact = repaired.moment_error_bound(S=S, A=A, h=h, delta_prime=level / 3, g_mix=g_mix)
    assert exact <= simple * (1 + OF_A_FORMULA)


def test_printed_equation_8_ignores_the_size_of_an_observation() -> None:
    large = repaired.moment_error_bound(S=5, A=4, h=600, delta_prime=0.1, g_mix=0)
    small = repaired.moment_error_bound(S=1, A=1, h=600, delta_prime=0.1, g_mix=0)
    assert large == near(20 * small)
    assert printed.moment_error_bound(h=600, delta_prime=0.1) < small


# Lemma 11.


@pytest.mark.parametrize(
    ("rho_1", "lambda_max", "lambda_min", "expected"),
    [
        (1, 1 / 2, 1 / 4, 64),  # max{1, 4, 4·16}
        (1, 1 / 10, 1, 100),  # max{1, 100, 4}
        (7, 1, 1, 7),  # max{7, 1, 4}
        (7, 1, 0, math.inf),  # a matrix of rank k < d has λ_min = 0
        (7, 0, 1, math.inf),
    ],
)
def test_rho_3_by_hand(rho_1: float, lambda_max: float, lambda_min: float, expected: float) -> None:
    answer = printed.rho_3(
        rho_1=rho_1, lambda_max_Sigma_21=lambda_max, lambda_min_Sigma_31=lambda_min
    )
    assert answer == near(expected)


@pytest.mark.parametrize(
    ("rho_1", "lambda_max", "sigma_k", "expected"),
    [
        (1, 1 / 2, 1 / 4, 576),  # max{1, 9·4, 4·9·16}
        (1, 1 / 10, 1, 900),  # max{1, 9·100, 36}
        (50, 1, 1, 50),  # max{50, 9, 36}
        (50, 1, 0, math.inf),
    ],
)
def test_repaired_rho_3_by_hand(
    rho_1: float, lambda_max: float, sigma_k: float, expected: float
) -> None:
    answer = repaired.rho_3(
        rho_1=rho_1, C_S=3, lambda_max_Sigma_21=lambda_max, sigma_k_Sigma_31=sigma_k
    )
    assert answer == near(expected)


def test_rho_4_by_hand() -> None:
    # SA = 4: (4·½·3 + 16 + 32·½) / ¼ = (6 + 16 + 16)·4
    answer = printed.rho_4(rho_2=3, S=2, A=2, lambda_max_Sigma_21=1 / 2, lambda_min_Sigma_31=1 / 4)
    assert answer == near(152)


def test_repaired_rho_4_by_hand() -> None:
    # B = √16, C_Σ = 3: 4·½·3·4 + 4·3·4 + 8·½·4·3·16 = 24 + 48 + 768
    answer = repaired.rho_4(
        rho_2=3, S=2, A=4, C_S=3, lambda_max_Sigma_21=1 / 2, sigma_k_Sigma_31=1 / 4
    )
    assert answer == near(840)


def test_the_literal_smallest_singular_value_makes_lemma_11_empty() -> None:
    rho_3 = printed.rho_3(rho_1=1, lambda_max_Sigma_21=2, lambda_min_Sigma_31=0)
    rho_4 = printed.rho_4(rho_2=0, S=2, A=2, lambda_max_Sigma_21=2, lambda_min_Sigma_31=0)
    answer = printed.observation_error_bound(
        Level(S=2, A=2, U=2, h=10**12, delta_prime=0.1), rho_3=rho_3, rho_4=rho_4
    )
    assert (answer.bound, required_h(answer)) == (math.inf, math.inf)
    assert not answer.premises_met


def test_observation_error_bound_by_hand() -> None:
    # log 9, rate 1/2: bound 6/2, required h 5·9 > 36
    answer = printed.observation_error_bound(
        Level(S=2, A=2, U=1, h=36, delta_prime=delta_for(72, 9)), rho_3=5, rho_4=6
    )
    assert answer.bound == near(3)
    assert required_h(answer) == near(45)
    assert not answer.premises_met


def test_lemma_10_asks_for_more_tasks_than_the_threshold_and_lemma_11_for_as_many() -> None:
    log_10, log_11 = math.log(4 / 0.5), math.log(12 / 0.5)
    h_10 = next(h for h in range(2, 100) if h / log_10 * log_10 == h)
    h_11 = next(h for h in range(2, 100) if h / log_11 * log_11 == h)
    at_10 = printed.mu_error_bound(
        Level(S=1, A=1, U=1, h=h_10, delta_prime=0.5), rho_1=h_10 / log_10, rho_2=1
    )
    at_11 = printed.observation_error_bound(
        Level(S=1, A=1, U=1, h=h_11, delta_prime=0.5), rho_3=h_11 / log_11, rho_4=1
    )
    assert (at_10.premises_met, at_11.premises_met) == (False, True)


def four_cycle(closeness: float) -> Floats:
    """Columns of O for S = A = 1, U = 4; the second task is `closeness` away from the first."""
    columns = np.vstack([np.eye(4), np.ones((1, 4))])
    columns[:, 1] = (1 - closeness, closeness, 0, 0, 1)
    return columns


@pytest.mark.parametrize("closeness", [0.03, 0.01, 0.003])
def test_the_printed_lemma_11_does_not_follow_from_its_premises(closeness: float) -> None:
    """Four tasks in a cycle, exact Σ̂_21 and μ̂_3, and Σ̂_31 wrong by σ_k/100 in the worst direction.

    With λ_min read as σ_k, and r for the rate, the printed premises hold: ‖Σ̂ - Σ‖ ≤ r ≤ σ_k/2. The
    printed ρ_4 r is exceeded; the repaired one, with C_Σ = 1 since the error is r, is not.
    """
    means, T = four_cycle(closeness), np.roll(np.eye(4), 1, axis=0)
    mu_3 = means @ T
    Sigma_21, Sigma_31 = means @ T @ means.T / 4, means @ T @ T @ means.T / 4
    lambda_max = float(np.linalg.norm(Sigma_21, 2))
    sigma_k = float(np.linalg.svd(Sigma_31, compute_uv=False)[3])
    r = sigma_k / 100
    inverse = np.linalg.pinv(Sigma_31, rcond=1e-9)
    v = inverse @ mu_3[:, 2]
    u = np.linalg.svd(Sigma_21 @ inverse)[2][0]
    Sigma_31_hat = Sigma_31 + r * np.outer(u, v / np.linalg.norm(v))
    O_hat = Sigma_21 @ np.linalg.pinv(Sigma_31_hat, rcond=1e-9) @ mu_3
    error = float(np.linalg.norm(O_hat - means, axis=0).max())
    paper = printed.rho_4(
        rho_2=0, S=1, A=1, lambda_max_Sigma_21=lambda_max, lambda_min_Sigma_31=sigma_k
    )
    ours = repaired.rho_4(
        rho_2=0, S=1, A=1, C_S=1, lambda_max_Sigma_21=lambda_max, sigma_k_Sigma_31=sigma_k
    )
    assert np.linalg.matrix_rank(Sigma_31_hat, tol=1e-9) == 4
    assert paper * r < error <= ours * r


# Lemma 12.


def test_rho_5_by_hand() -> None:
    # 4·2·9 / ¼ = 288, and 72/9 = 8
    assert printed.rho_5(rho_3=64, rho_4=3, k=2, sigma_k_O=1 / 2) == near(288)
    assert printed.rho_5(rho_3=64, rho_4=3, k=2, sigma_k_O=3) == near(64)
    assert printed.rho_5(rho_3=64, rho_4=3, k=2, sigma_k_O=0) == math.inf


def test_rho_6_by_hand() -> None:
    # 8·4·2·(1+√5)/4·3 = 48(1+√5)
    assert printed.rho_6(rho_4=3, S=2, A=2, k=4, sigma_k_O=2) == near(48 + 48 * SQRT_5)
    assert printed.rho_6(rho_4=3, S=2, A=2, k=4, sigma_k_O=0) == math.inf


def test_repaired_rho_6_by_hand() -> None:
    assert repaired.rho_6(rho_2=3, rho_4=5, sigma_k_O=4) == near(4)
    assert repaired.rho_6(rho_2=3, rho_4=5, sigma_k_O=0) == math.inf


def test_transition_error_bound_by_hand() -> None:
    # log 9, rate 1/2: bound 10/2, required h 2·9
    answer = printed.transition_error_bound(
        Level(S=2, A=2, U=1, h=36, delta_prime=delta_for(72, 9)), rho_5=2, rho_6=10
    )
    assert answer.bound == near(5)
    assert required_h(answer) == near(18)
    assert answer.premises_met


@given(
    S=st.integers(1, 5),
    A=st.integers(1, 5),
    k=st.integers(1, 9),
    rho_2=st.floats(0, 1e6),
    lambda_max=st.floats(0, 1e3),
    share_31=st.floats(1e-6, 1),
    share_O=st.floats(1e-6, 1),
)
def test_the_printed_rho_6_is_never_small(
    S: int, A: int, k: int, rho_2: float, lambda_max: float, share_31: float, share_O: float
) -> None:
    """Observations have length at most √(2SA), so σ_k(Σ_31) ≤ 2SA, σ_k(O)² ≤ 2SA, ρ_4 ≥ 2."""
    rho_4 = printed.rho_4(
        rho_2=rho_2,
        S=S,
        A=A,
        lambda_max_Sigma_21=lambda_max,
        lambda_min_Sigma_31=share_31 * 2 * S * A,
    )
    sigma_k_O = share_O * math.sqrt(2 * S * A)
    rho_6 = printed.rho_6(rho_4=rho_4, S=S, A=A, k=k, sigma_k_O=sigma_k_O)
    assert rho_4 >= 2 * (1 - OF_A_FORMULA)
    assert rho_6 >= 8 * math.sqrt(k) * (1 + SQRT_5) * (1 - OF_A_FORMULA)


# Lemma 13.

DISTRIBUTIONS = st.lists(st.integers(0, 20), min_size=3, max_size=3).filter(any)


def as_distribution(weights: list[int]) -> list[float]:
    return [weight / sum(weights) for weight in weights]


def test_std_difference_bound_by_hand() -> None:
    # f is 0 or 2: Var_p = 4·¼, Var_q = 4·3/16, ‖p-q‖₁ = ½; 2(2/(2·½)+1)·½ = 3
    p, q, f = [0.5, 0.5], [0.25, 0.75], [0, 2]
    answer = printed.std_difference_bound(p=p, q=q, f=f, b=2, c=0.25)
    assert printed.compare_distributions(p=p, q=q, f=f, b=2, c=0.25) == (0.5, 1, 0.75)
    assert (answer.left, answer.right) == (1 - math.sqrt(0.75), 3)
    assert answer.premises_met
    # 4/(2·½)·½ = 2
    assert repaired.std_difference_bound(p=p, q=q, f=f, b=2, c=0.25).bound == near(2)


def test_lemma_13_asks_for_two_floors_and_its_repair_for_one() -> None:
    # Var_p = 1/4 ≥ c, Var_q = 0 < c
    p, q, f = [0.5, 0.5], [1, 0], [0, 1]
    assert not printed.std_difference_bound(p=p, q=q, f=f, b=1, c=0.25).premises_met
    assert repaired.std_difference_bound(p=p, q=q, f=f, b=1, c=0.25).premises_met
    assert not repaired.std_difference_bound(p=p, q=q, f=f, b=1, c=0.26).premises_met
    assert printed.std_difference_bound(p=p, q=p, f=f, b=1, c=0.25).premises_met


@given(
    p=DISTRIBUTIONS.map(as_distribution),
    q=DISTRIBUTIONS.map(as_distribution),
    f=st.lists(st.integers(0, 4), min_size=3, max_size=3),
)
def test_both_versions_of_lemma_13_hold(p: list[float], q: list[float], f: list[int]) -> None:
    """A variance is off by fewer than 8 roundings, so the root of one near zero by their root.

    Unless all values are equal under both distributions a variance is at least (1/41)(40/41)/16.
    """
    values = [x / 4 for x in f]
    _, *variances = printed.compare_distributions(p=p, q=q, f=values, b=1, c=1)
    floor = max(variances)
    assume(floor > 1 / 41 * 40 / 41 / 17)
    ours = repaired.std_difference_bound(p=p, q=q, f=values, b=1, c=floor)
    paper = printed.std_difference_bound(p=p, q=q, f=values, b=1, c=floor)
    assert ours.premises_met
    assert float(ours.left) <= ours.bound + math.sqrt(8 * ROUNDING)
    assert ours.bound <= paper.bound


def test_the_repaired_lemma_13_cannot_be_halved() -> None:
    # q is a point mass: |√t(1-t) - 0| against √(t(1-t))/(1-t)
    t = 0.001
    c = t * (1 - t)
    answer = repaired.std_difference_bound(p=[1 - t, t], q=[1, 0], f=[0, 1], b=1, c=c / 1.000001)
    assert answer.premises_met
    assert 0.99 * answer.bound < math.sqrt(c) <= answer.bound


def test_without_a_floor_there_is_no_lemma_13() -> None:
    # √(e(1-e)) ≈ 10⁻³ against (1/(2·½)+1)·2e = 4·10⁻⁶, since neither variance reaches c = ¼
    e = 1e-6
    answer = printed.std_difference_bound(p=[1, 0], q=[1 - e, e], f=[0, 1], b=1, c=0.25)
    assert not answer.premises_met
    assert float(answer.left) > 100 * answer.bound


def test_a_signed_estimate_is_not_a_distribution() -> None:
    with pytest.raises(InputError, match=r"q\[1\].*negative"):
        printed.std_difference_bound(p=[0.5, 0.5], q=[1.2, -0.2], f=[0, 1], b=1, c=0.1)


# Lemma 14: S = A = 2, U = 3 give 6d = 120; δ' = 120e⁻⁹ and h = 36 give the rate √(9/36) = ½.

DELTA_14 = delta_for(120, 9)


def test_model_error_bounds_by_hand() -> None:
    # ρ_4 U rate = 4·3·½; ρ_4 S/(1-γ) rate = 4·2·2·½
    reward = printed.reward_error_bound(Level(S=2, A=2, U=3, h=36, delta_prime=DELTA_14), rho_4=4)
    value = printed.value_error_bound(
        Level(S=2, A=2, U=3, h=36, delta_prime=DELTA_14), rho_4=4, gamma=0.5
    )
    assert reward == near(6)
    assert value == near(8)


def test_model_deviation_error_bounds_by_hand() -> None:
    # σ̄ = ¼: (2+1)·6, and (1/(2·¼·½)+1)·8 = 5·8
    reward = printed.reward_std_error_bound(
        Level(S=2, A=2, U=3, h=36, delta_prime=DELTA_14), rho_4=4, sigma_bar=0.25
    )
    value = printed.value_std_error_bound(
        Level(S=2, A=2, U=3, h=36, delta_prime=DELTA_14), rho_4=4, gamma=0.5, sigma_bar=0.25
    )
    assert reward == near(18)
    assert value == near(40)


def test_repaired_model_error_bounds_by_hand() -> None:
    # √4·2/2; √9·2/(2·½); √4·2/(2·¼)
    assert repaired.reward_error_bound(U=4, e_h=2) == near(2)
    assert repaired.value_error_bound(S=9, gamma=0.5, e_h=2) == near(6)
    assert repaired.reward_std_error_bound(U=4, sigma_bar=0.25, e_h=2) == near(8)


def test_repaired_value_deviation_bound_and_its_premise_by_hand() -> None:
    # e = 1/64: bound 3/64 / (2·σ̄/4) and drift (1/64 + ½·3/64)/½ = 5/64
    at_floor = repaired.value_std_error_bound(S=9, U=4, gamma=0.5, sigma_bar=5 / 64, e_h=1 / 64)
    above = repaired.value_std_error_bound(S=9, U=4, gamma=0.5, sigma_bar=4 / 64, e_h=1 / 64)
    assert at_floor.bound == near(6 / 5)
    drift = at_floor.premises[repaired.DRIFT]
    assert isinstance(drift, Inequality)
    assert drift.left == near(5 / 64)
    assert at_floor.premises_met
    assert above.bound == near(6 / 4)
    assert not above.premises_met


@given(
    S=st.integers(1, 9),
    U=st.integers(1, 9),
    rho_4=st.floats(1e-3, 1e3),
    gamma=st.floats(0, 0.99),
    sigma_bar=st.floats(1e-3, 1e3),
    h=st.integers(1, 10**6),
)
def test_repaired_model_errors_are_at_most_half_of_the_printed_ones(
    S: int, U: int, rho_4: float, gamma: float, sigma_bar: float, h: int
) -> None:
    e_h = rho_4 * printed.rate(Level(S=S, A=2, U=U, h=h, delta_prime=0.1))
    reward = printed.reward_error_bound(Level(S=S, A=2, U=U, h=h, delta_prime=0.1), rho_4=rho_4)
    value = printed.value_error_bound(
        Level(S=S, A=2, U=U, h=h, delta_prime=0.1), rho_4=rho_4, gamma=gamma
    )
    value_std = printed.value_std_error_bound(
        Level(S=S, A=2, U=U, h=h, delta_prime=0.1), rho_4=rho_4, gamma=gamma, sigma_bar=sigma_bar
    )
    ours = repaired.value_std_error_bound(S=S, U=U, gamma=gamma, sigma_bar=sigma_bar, e_h=e_h)
    slack = 1 + OF_A_FORMULA
    assert repaired.reward_error_bound(U=U, e_h=e_h) <= reward / 2 * slack
    assert repaired.value_error_bound(S=S, gamma=gamma, e_h=e_h) <= value / 2 * slack
    assert ours.bound <= value_std * slack


# Lemma 15.

T_BY_HAND = [[0.5, 0.25], [0.5, 0.75]]


def test_next_task_bound_by_hand() -> None:
    # rows of T̂ over Θ̄, plus δk = ¼, plus ρ_T k rate = ¼·2·½
    def bound(theta_bar: list[int]) -> list[float]:
        answer = printed.next_task_bound(
            T_BY_HAND,
            theta_bar,
            Level(S=2, A=2, U=1, h=36, delta_prime=delta_for(72, 9)),
            rho_T=0.25,
            delta=0.125,
        )
        return [float(x) for x in answer]

    assert bound([0, 1]) == near([1.25, 1.75])
    assert bound([1]) == near([0.75, 1.25])
    assert bound([]) == near([0.5, 0.5])


def test_repaired_next_task_bound_by_hand() -> None:
    # the larger of ½ and ¼, plus ⅛
    assert repaired.next_task_bound(T_BY_HAND, [0, 1], [0], e_T=0.125) == near(0.625)
    assert repaired.next_task_bound(T_BY_HAND, [1], [0], e_T=0.125) == near(0.375)
    # four equally likely tasks: 1 + √4/8
    uniform = [[0.25] * 4] * 4
    assert repaired.next_task_bound(uniform, [2], [0, 1, 2, 3], e_T=0.125) == near(1.25)
    assert repaired.next_task_bound(uniform, [2], [], e_T=math.inf) == 0


def test_lemma_15_forgets_that_the_active_set_depends_on_the_task() -> None:
    """Two sticky tasks, T̂ = T, Θ̄ = {current task}: half of the time the "bound" is .1 < .5 = P."""
    sticky = [[0.9, 0.1], [0.1, 0.9]]
    answer = printed.next_task_bound(
        sticky, [1], Level(S=1, A=1, U=2, h=1, delta_prime=0.1), rho_T=0, delta=0
    )
    assert float(answer[0]) == near(0.1)


# Theorem 2.


def test_c_h_by_hand() -> None:
    # π²·9·12/½ = 216π²
    answer = section_4.c_h(Level(S=2, A=2, U=1, h=3, delta_prime=0.5))
    assert answer == near(216 * 9.869604401089358)


def test_theorem_2_condition_by_hand() -> None:
    # 2h²d = 864 for h = 6: δ' = 864e⁻⁸ gives 6 > 8ρ
    def speaks(rho: float) -> bool:
        return section_4.theorem_2_condition(
            Level(S=2, A=2, U=1, h=6, delta_prime=delta_for(864, 8)), rho=rho
        )

    assert speaks(0.749)
    assert not speaks(0.751)


def test_repaired_theorem_2_condition_by_hand() -> None:
    # π²h²d = 432π² for h = 6: δ' = 432π²e⁻⁹ gives 6 ≥ 9ρ_3
    def speaks(rho_3: float) -> bool:
        return repaired_4.theorem_2_condition(
            Level(S=2, A=2, U=1, h=6, delta_prime=delta_for(432 * math.pi**2, 9)), rho_3=rho_3
        )

    assert speaks(0.666)
    assert not speaks(0.667)


def test_theorem_2_excludes_its_threshold_and_the_repair_includes_it() -> None:
    def log_printed(h: int) -> float:
        return math.log(2 * h**2 * 2 / 0.5)

    def log_repaired(h: int) -> float:
        return math.log(section_4.c_h(Level(S=1, A=1, U=1, h=h, delta_prime=0.5)))

    h = next(h for h in range(2, 100) if h / log_printed(h) * log_printed(h) == h)
    assert not section_4.theorem_2_condition(
        Level(S=1, A=1, U=1, h=h, delta_prime=0.5), rho=h / log_printed(h)
    )
    h = next(h for h in range(2, 100) if h / log_repaired(h) * log_repaired(h) == h)
    assert repaired_4.theorem_2_condition(
        Level(S=1, A=1, U=1, h=h, delta_prime=0.5), rho_3=h / log_repaired(h)
    )


def test_the_printed_condition_of_theorem_2_admits_too_small_h() -> None:
    def admitted(h: int) -> tuple[bool, bool]:
        paper = section_4.theorem_2_condition(Level(S=2, A=2, U=2, h=h, delta_prime=0.1), rho=10)
        ours = repaired_4.theorem_2_condition(Level(S=2, A=2, U=2, h=h, delta_prime=0.1), rho_3=10)
        return paper, ours

    only_printed = [h for h in range(1, 1000) if admitted(h) == (True, False)]
    assert only_printed == list(range(160, 178))


def test_theorem_2_bound_by_hand() -> None:
    # c = 192π²/δ' for h = 4: δ' = 192π²e⁻⁹ gives 6·√(9/4)
    answer = section_4.theorem_2_bound(
        Level(S=2, A=2, U=1, h=4, delta_prime=delta_for(192 * math.pi**2, 9)), rho_any=6
    )
    assert answer == near(9)


def test_theorem_2_is_lemma_14_at_its_share_of_the_failure_probability() -> None:
    for h in (1, 7, 1000):
        share = 6 * 0.1 / (math.pi**2 * h**2)
        lemma = printed.reward_error_bound(Level(S=3, A=2, U=4, h=h, delta_prime=share), rho_4=2)
        theorem = section_4.theorem_2_bound(
            Level(S=3, A=2, U=4, h=h, delta_prime=0.1), rho_any=2 * 4
        )
        assert theorem == near(lemma)


# Theorem 3 as printed.


def test_theorem_3_eta_by_hand() -> None:
    # 0.6/(3·2·100)
    assert section_4.theorem_3_eta(k=2, m=10, delta_prime=0.6) == near(0.001)


def test_theorem_3_prediction_by_hand() -> None:
    # 9kdm² = 36, δ' = 36e⁻⁴, h = 16: T̂(θ,1) + ⅛·2 + ¼·2·½
    answer = section_4.theorem_3_prediction(
        T_BY_HAND, [1], h=16, m=1, k=2, d=2, delta=0.125, delta_prime=delta_for(36, 4), rho_T=0.25
    )
    assert [float(x) for x in answer] == near([0.75, 1.25])


def test_theorem_3_fires_when_its_constants_vanish() -> None:
    # η = ½/6; the first task has prediction of order 10⁻⁸, the second 1
    eliminated = section_4.theorem_3_eliminates(
        [[0, 0], [1, 1]], [0], h=1, m=1, k=2, d=2, delta=1e-9, delta_prime=0.5, rho_T=1e-9
    )
    assert eliminated.tolist() == [True, False]
    # one task, ρ_T = 0: the prediction is δ = ½/3, which is η itself
    at_threshold = section_4.theorem_3_eliminates(
        [[0]], [0], h=1, m=1, k=1, d=2, delta=0.5 / 3, delta_prime=0.5, rho_T=0
    )
    assert at_threshold.tolist() == [True]


def test_theorem_3_prints_half_of_the_logarithm_s_argument() -> None:
    """Lemma 15 at level δ'/(3km²) asks for log(18kdm²/δ'); the theorem has 9 instead of 18."""
    level = delta_prime / (3 * k * m**2)
    assert (6 * d / level).equals(rational(18, 1) * k * d * m**2 / delta_prime)
    assert not (6 * d / level).equals(rational(9, 1) * k * d * m**2 / delta_prime)

    tasks, horizon, S, A, U = 3, 5, 2, 2, 1
    nothing = np.zeros((tasks, tasks))
    lemma = printed.next_task_bound(
        nothing,
        [],
        Level(S=S, A=A, U=U, h=4, delta_prime=0.1 / (3 * tasks * horizon**2)),
        rho_T=1 / tasks,
        delta=0,
    )
    theorem = section_4.theorem_3_prediction(
        nothing,
        [],
        h=4,
        m=horizon,
        k=tasks,
        d=S * A * (S + U),
        delta=1e-300,
        delta_prime=0.1,
        rho_T=1 / tasks,
    )
    assert 4 * (float(lemma[0]) ** 2 - float(theorem[0]) ** 2) == near(math.log(2))


@st.composite
def sequences(draw: st.DrawFn) -> dict[str, int]:
    """Sizes of a run of Theorem 3: at least two tasks, and h no later than m."""
    horizon = draw(st.integers(1, 50) | st.integers(1, 10**7))
    h = draw(st.integers(1, horizon) | st.just(horizon))
    return {"k": draw(st.integers(2, 6)), "m": horizon, "h": h, "d": draw(st.integers(2, 10**4))}


@given(
    sizes=sequences(),
    level=st.floats(1e-12, 1 - 1e-12),
    delta_share=st.sampled_from((1e-12, 0.1, 1.0)),
    factor=st.floats(1, 1e3) | st.just(1.0),
    data=st.data(),
)
def test_the_printed_theorem_3_never_drops_a_task(
    sizes: dict[str, int], level: float, delta_share: float, factor: float, data: st.DataObject
) -> None:
    """ρ_T ≥ 8√k(1+√5) makes the left side at least 73 √(log(18·2)/m), and η ≤ 1/(6m²)."""
    tasks = sizes["k"]
    entries = st.lists(st.just(0.0) | st.floats(0, 1), min_size=tasks**2, max_size=tasks**2)
    T_hat = np.reshape(data.draw(entries), (tasks, tasks))
    theta_bar = data.draw(st.lists(st.integers(0, tasks - 1), unique=True))
    eliminated = section_4.theorem_3_eliminates(
        T_hat,
        theta_bar,
        **sizes,
        delta=level / (3 * sizes["m"] ** 2) * delta_share,
        delta_prime=level,
        rho_T=factor * 8 * math.sqrt(tasks) * (1 + SQRT_5),
    )
    assert not eliminated.any()


@given(sizes=sequences(), level=st.floats(1e-12, 1 - 1e-12))
def test_at_the_largest_delta_even_exact_knowledge_of_T_drops_nothing(
    sizes: dict[str, int], level: float
) -> None:
    """δ = δ'/(3m²) makes δk = k²η; with half of η/k for δ the same rule drops everything."""
    nothing = np.zeros((sizes["k"], sizes["k"]))
    eta = section_4.theorem_3_eta(k=sizes["k"], m=sizes["m"], delta_prime=level)

    def eliminated(delta: float) -> list[bool]:
        answer = section_4.theorem_3_eliminates(
            nothing, [], **sizes, delta=delta, delta_prime=level, rho_T=0
        )
        return [bool(x) for x in answer]

    assert not any(eliminated(level / (3 * sizes["m"] ** 2)))
    assert all(eliminated(eta / (2 * sizes["k"])))


# Theorem 3 repaired.

CYCLE = np.array(
    [
        [0.015, 0.0, 0.015, 0.97],
        [0.97, 0.015, 0.0, 0.015],
        [0.015, 0.97, 0.015, 0.0],
        [0.0, 0.015, 0.97, 0.015],
    ]
)
"""Each task is followed by the next one, rarely by itself or by the one after."""


@pytest.mark.parametrize(
    ("eta", "dropped"),
    [
        (0.009, set()),  # 0 + √1/100 > η
        (0.011, {3}),
        (0.030, {3, 0}),  # .015 + √2/100 = .0291; of two equals the lower number goes first
        (0.048, {3, 0, 2}),  # .030 + √3/100 = .0473
        (0.999, {3, 0, 2}),  # one task always stays
    ],
)
def test_the_repaired_rule_drops_by_hand(eta: float, dropped: set[int]) -> None:
    eliminated = repaired_4.theorem_3_eliminates(CYCLE, [0], e_T=0.01, eta=eta)
    assert set(np.flatnonzero(eliminated).tolist()) == dropped


def test_the_repaired_rule_looks_at_the_worst_current_task() -> None:
    # From 0 or 1 the successors 1 and 2 are likely, 3 and 0 have at most .015.
    assert repaired_4.elimination_order(CYCLE, [0, 1]) == (0, 3, 1, 2)
    eliminated = repaired_4.theorem_3_eliminates(CYCLE, [0, 1], e_T=0.001, eta=0.03)
    assert eliminated.tolist() == [True, False, False, True]


def test_the_repaired_rule_drops_nothing_when_nothing_is_known() -> None:
    assert not repaired_4.theorem_3_eliminates(CYCLE, [0], e_T=math.inf, eta=0.99).any()


COLUMNS = st.integers(2, 5).flatmap(
    lambda tasks: st.lists(
        st.lists(st.integers(0, 30), min_size=tasks, max_size=tasks).filter(any),
        min_size=2 * tasks,
        max_size=2 * tasks,
    )
)


@given(columns=COLUMNS, eta=st.floats(0.01, 0.99), nearness=st.floats(0, 1), data=st.data())
def test_the_repaired_rule_keeps_its_promise(
    columns: list[list[int]], eta: float, nearness: float, data: st.DataObject
) -> None:
    """True mass of the dropped tasks ≤ η in every column of Θ̄, whatever T̂ within e^T_h."""
    tasks = len(columns) // 2
    laws = np.array([as_distribution(weights) for weights in columns])
    T = laws[:tasks].T
    mixed = nearness * laws[:tasks] + (1 - nearness) * laws[tasks:]
    T_hat = (mixed / mixed.sum(axis=1, keepdims=True)).T
    e_T = float(np.linalg.norm(T - T_hat, axis=0).max())
    theta_bar = data.draw(st.lists(st.integers(0, tasks - 1), min_size=1, unique=True))
    eliminated = repaired_4.theorem_3_eliminates(T_hat, theta_bar, e_T=e_T, eta=eta)
    assert T[eliminated][:, theta_bar].sum(axis=0).max() <= eta + OF_A_FORMULA
    assert not eliminated.all()


@given(columns=COLUMNS, eta=st.floats(0.01, 0.99), e_T=st.floats(0, 0.2))
def test_the_repaired_rule_drops_as_many_as_fit(
    columns: list[list[int]], eta: float, e_T: float
) -> None:
    tasks = len(columns) // 2
    T_hat = np.array([as_distribution(weights) for weights in columns[:tasks]]).T
    dropped = int(repaired_4.theorem_3_eliminates(T_hat, [0], e_T=e_T, eta=eta).sum())
    order = repaired_4.elimination_order(T_hat, [0])
    fits = [
        repaired.next_task_bound(T_hat, [0], order[:size], e_T=e_T) <= eta
        for size in range(tasks + 1)
    ]
    assert fits[dropped]
    assert dropped == tasks - 1 or not fits[dropped + 1]


# All bounds.


def at(h: int, level: float) -> dict[str, float]:
    """Every bound that depends on h and δ', at one setting of everything else."""
    at_level = Level(S=2, A=3, U=2, h=h, delta_prime=level)
    return {
        "Lemma 10": printed.mu_error_bound(at_level, rho_1=1, rho_2=1).bound,
        "Lemma 11": printed.observation_error_bound(at_level, rho_3=1, rho_4=1).bound,
        "Lemma 12": printed.transition_error_bound(at_level, rho_5=1, rho_6=1).bound,
        "Lemma 14": printed.value_std_error_bound(at_level, rho_4=1, gamma=0.5, sigma_bar=1),
        "Lemma 15": float(printed.next_task_bound([[1]], [0], at_level, rho_T=1, delta=0.1)[0]),
        "equation 8": printed.moment_error_bound(h=h, delta_prime=level),
        "equation 8, repaired": repaired.moment_error_bound(
            S=2, A=3, h=h, delta_prime=level, g_mix=1
        ),
        "Theorem 2": section_4.theorem_2_bound(at_level, rho_any=1),
    }


@given(h=st.integers(3, 10**6), level=st.floats(1e-9, 0.5))
def test_bounds_shrink_with_tasks_and_grow_with_confidence(h: int, level: float) -> None:
    here, later, surer = at(h, level), at(2 * h, level), at(h, level / 2)
    assert all(later[name] < here[name] for name in here)
    assert all(surer[name] > here[name] for name in here)


@given(smaller=st.floats(1e-3, 1), factor=st.floats(1.01, 100))
def test_constants_shrink_with_the_singular_values_they_divide_by(
    smaller: float, factor: float
) -> None:
    def constants(sigma: float) -> list[float]:
        return [
            printed.rho_4(rho_2=1, S=1, A=1, lambda_max_Sigma_21=1, lambda_min_Sigma_31=sigma),
            repaired.rho_4(rho_2=1, S=1, A=1, C_S=1, lambda_max_Sigma_21=1, sigma_k_Sigma_31=sigma),
            printed.rho_6(rho_4=1, S=1, A=1, k=2, sigma_k_O=sigma),
            repaired.rho_6(rho_2=1, rho_4=1, sigma_k_O=sigma),
        ]

    pairs = zip(constants(smaller), constants(smaller * factor), strict=True)
    assert all(at_smaller > at_larger for at_smaller, at_larger in pairs)


BAD_INPUT: dict[str, tuple[str, Callable[[], object]]] = {
    "no states": ("S", lambda: printed.rate(Level(S=0, A=1, U=1, h=1, delta_prime=0.1))),
    "no task": ("h", lambda: printed.moment_error_bound(h=0, delta_prime=0.1)),
    "certainty": ("delta_prime", lambda: printed.moment_error_bound(h=1, delta_prime=0.0)),
    "no confidence": ("delta_prime", lambda: printed.moment_error_bound(h=1, delta_prime=1.0)),
    "negative constant": (
        "rho_1",
        lambda: printed.rho_3(rho_1=-1, lambda_max_Sigma_21=1, lambda_min_Sigma_31=1),
    ),
    "constant that is not a number": (
        "rho_1",
        lambda: printed.rho_3(rho_1=math.nan, lambda_max_Sigma_21=1, lambda_min_Sigma_31=1),
    ),
    "infinite singular value": (
        "lambda_min_Sigma_31",
        lambda: printed.rho_3(rho_1=1, lambda_max_Sigma_21=1, lambda_min_Sigma_31=math.inf),
    ),
    "error rate zero": ("rho_4", lambda: printed.rho_5(rho_3=1, rho_4=0, k=1, sigma_k_O=1)),
    "discount one": ("gamma", lambda: repaired.value_error_bound(S=1, gamma=1.0, e_h=1)),
    "floor zero": ("sigma_bar", lambda: repaired.reward_std_error_bound(U=1, sigma_bar=0, e_h=1)),
    "negative error": ("e_h", lambda: repaired.reward_error_bound(U=1, e_h=-1)),
    "two tasks make no triple": (
        "h",
        lambda: repaired.moment_error_bound(S=1, A=1, h=2, delta_prime=0.1, g_mix=0),
    ),
    "chain that does not mix": (
        "g_mix",
        lambda: repaired.moment_constant(S=1, A=1, g_mix=math.inf),
    ),
    "variance floor zero": (
        "c",
        lambda: printed.std_difference_bound(p=[1], q=[1], f=[0], b=1, c=0),
    ),
    "no range": ("b", lambda: printed.std_difference_bound(p=[1], q=[1], f=[0], b=0, c=1)),
    "value out of range": (
        "f",
        lambda: printed.std_difference_bound(p=[0.5, 0.5], q=[1, 0], f=[0, 2], b=1, c=1),
    ),
    "distributions on different sets": (
        "q",
        lambda: printed.std_difference_bound(p=[0.5, 0.5], q=[1], f=[0, 1], b=1, c=1),
    ),
    "T̂ not square": ("T_hat", lambda: repaired.next_task_bound([[1, 0]], [0], [0], e_T=0)),
    "T̂ with another k": (
        "T_hat",
        lambda: section_4.theorem_3_eliminates(
            [[1]], [0], h=1, m=1, k=2, d=2, delta=0.01, delta_prime=0.5, rho_T=1
        ),
    ),
    "T̂ not projected": (
        "T_hat (by columns)",
        lambda: repaired_4.theorem_3_eliminates([[1.1, 0], [-0.1, 1]], [0], e_T=0.1, eta=0.5),
    ),
    "unknown task": ("theta_bar", lambda: repaired_4.elimination_order(T_BY_HAND, [2])),
    "task named twice": ("theta_bar", lambda: repaired_4.elimination_order(T_BY_HAND, [1, 1])),
    "no current task": ("theta_bar", lambda: repaired_4.elimination_order(T_BY_HAND, [])),
    "δ above the premise of Theorem 3": (
        "delta",
        lambda: section_4.theorem_3_eliminates(
            T_BY_HAND, [0], h=1, m=2, k=2, d=2, delta=0.05, delta_prime=0.5, rho_T=1
        ),
    ),
    "Θ̄ certain to miss": (
        "delta",
        lambda: printed.next_task_bound(
            T_BY_HAND, [0], Level(S=1, A=1, U=1, h=1, delta_prime=0.1), rho_T=1, delta=1.0
        ),
    ),
    "threshold one": (
        "eta",
        lambda: repaired_4.theorem_3_eliminates(T_BY_HAND, [0], e_T=0.1, eta=1.0),
    ),
}


@pytest.mark.parametrize("name", BAD_INPUT)
def test_bad_input_is_refused_by_name(name: str) -> None:
    argument, call = BAD_INPUT[name]
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.argument == argument
