"""The bounds of Appendix D against numbers worked out by hand.

Sizes differ from each other and from the constants of the formulas, so that no sum is a product
and no square a double; every range is tried at its ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.errors import InputError
from ptum.reference.inequalities import Bound, Inequality
from ptum.reference.repaired.sequential.analysis import spectral_bounds as repaired
from ptum.reference.sequential.analysis import spectral_bounds as printed
from ptum.reference.sequential.analysis.level import Level, required_h
from ptum.reference.transfer.assumptions import ModelErrors
from tests.support.borders import assert_borders
from tests.support.closeness import OF_A_FORMULA, near

TINY = math.ulp(0.0)
LEVEL = Level(S=3, A=2, U=7, h=5, delta_prime=0.1)
LOG = math.log(6 * 3 * 2 * (3 + 7) / 0.1)
"""log(6SA(S+U)/δ') for S = 3, A = 2, U = 7 and δ' = 1/10."""


LOGARITHM_IS_FOUR = SimpleNamespace(log=lambda _: 4.0, sqrt=math.sqrt, inf=math.inf)
"""In place of `math`: a premise on h then has its border at an integer."""


def sides_of(premise: bool | Inequality) -> tuple[float, float]:
    assert isinstance(premise, Inequality)
    return float(premise.left), float(premise.right)


class TestAppendixD:
    """Lemmas 10 to 15 for S = 3, A = 2, U = 7, h = 5 and δ' = 1/10."""

    RATE = math.sqrt(LOG / 5)

    def test_lemma_10(self) -> None:
        log_term = math.log(2 * 3 * 2 * 10 / 0.1)
        found = printed.mu_error_bound(replace(LEVEL, h=11), rho_1=3, rho_2=5)
        assert found.bound == near(5 * math.sqrt(log_term / 11))
        assert required_h(found) == near(3 * log_term)
        assert not found.premises_met
        for h, met in ((22, True), (21, False)):  # 3 log 1200 = 21.27
            bound = printed.mu_error_bound(replace(LEVEL, h=h), rho_1=3, rho_2=5)
            assert bound.premises_met is met

    def test_lemma_10_at_its_border(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """h > ρ_1 log(…), not h ≥: with a logarithm of 4 and ρ_1 = 2 the border is 8."""
        monkeypatch.setattr("ptum.reference.sequential.analysis.level.math", LOGARITHM_IS_FOUR)
        for h, met in ((8, False), (9, True)):
            found = printed.mu_error_bound(
                Level(S=1, A=1, U=1, h=h, delta_prime=0.1), rho_1=2, rho_2=1
            )
            assert found.premises_met is met

    def test_equation_8(self) -> None:
        assert printed.moment_error_bound(h=5, delta_prime=0.1) == near(math.sqrt(math.log(10) / 5))

    def test_lemma_11(self) -> None:
        constants = {"lambda_max_Sigma_21": 3.0, "lambda_min_Sigma_31": 5.0}
        assert printed.rho_3(rho_1=TINY, **constants) == near(4 / 25)
        assert printed.rho_3(rho_1=7.0, **constants) == 7.0
        small = {"lambda_max_Sigma_21": 0.2, "lambda_min_Sigma_31": 5.0}
        assert printed.rho_3(rho_1=7.0, **small) == near(25)
        for name in constants:  # a matrix of rank k < d has λ_min = 0
            assert printed.rho_3(rho_1=7.0, **{**constants, name: 0.0}) == math.inf
        assert printed.rho_4(rho_2=7.0, S=11, A=2, **constants) == near(
            (4 * 3 * 7 + 4 * 22 + 8 * 22 * 3) / 5
        )

    def test_lemma_12(self) -> None:
        assert printed.rho_5(rho_3=7.0, rho_4=3.0, k=5, sigma_k_O=11.0) == 7.0
        assert printed.rho_5(rho_3=1.0, rho_4=3.0, k=5, sigma_k_O=0.5) == near(4 * 5 * 9 * 4)
        assert printed.rho_6(rho_4=3.0, S=3, A=7, k=5, sigma_k_O=11.0) == near(
            8 * 21 * math.sqrt(5) * (1 + math.sqrt(5)) / 121 * 3
        )
        assert printed.rho_5(rho_3=7.0, rho_4=3.0, k=5, sigma_k_O=0.0) == math.inf
        assert printed.rho_6(rho_4=3.0, S=3, A=7, k=5, sigma_k_O=0.0) == math.inf

    def test_rates(self) -> None:
        assert printed.rate(LEVEL) == near(self.RATE)
        for bound in (
            printed.observation_error_bound(LEVEL, rho_3=11, rho_4=13),
            printed.transition_error_bound(LEVEL, rho_5=11, rho_6=13),
        ):
            assert bound.bound == near(13 * self.RATE)
            assert required_h(bound) == near(11 * LOG)
            assert not bound.premises_met

    def test_a_rate_at_its_border(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """h ≥ threshold × log(…): with a logarithm of 4 and a threshold of 2 the border is 8."""
        monkeypatch.setattr("ptum.reference.sequential.analysis.level.math", LOGARITHM_IS_FOUR)
        for h, met in ((7, False), (8, True), (9, True)):
            found = printed.scaled_rate(
                Level(S=1, A=1, U=1, h=h, delta_prime=0.1), constant=1.0, threshold=2.0
            )
            assert found.premises_met is met

    def test_lemma_13(self) -> None:
        """0 or 3, fair or with probability 1/4: variances 9/4 and 27/16, ‖p-q‖₁ = 1/2."""
        p, q, f = [0.5, 0.5], [0.25, 0.75], [0.0, 3.0]
        found = printed.std_difference_bound(p=p, q=q, f=f, b=3.0, c=1.0)
        assert printed.compare_distributions(p=p, q=q, f=f, b=3.0, c=1.0) == (0.5, 2.25, 1.6875)
        assert found.left == near(1.5 - math.sqrt(1.6875))
        assert found.bound == near(3 * (3 / 2 + 1) * 0.5)
        quarter = printed.std_difference_bound(p=p, q=q, f=f, b=5.0, c=0.25)
        assert quarter.bound == near(5 * (5 / 1 + 1) * 0.5)
        for c, met in ((1.6875, True), (math.nextafter(1.6875, 2), False)):
            for one, two in ((p, q), (q, p)):
                border = printed.std_difference_bound(p=one, q=two, f=f, b=3.0, c=c)
                assert border.premises_met is met

    def test_lemma_14(self) -> None:
        of_r = printed.reward_error_bound(LEVEL, rho_4=11.0)
        assert of_r == near(11 * 7 * self.RATE)
        of_p = printed.value_error_bound(LEVEL, rho_4=11.0, gamma=0.75)
        assert of_p == near(11 * 3 * 4 * self.RATE)
        of_sigma_r = printed.reward_std_error_bound(LEVEL, rho_4=11.0, sigma_bar=0.125)
        assert of_sigma_r == near(5 * 11 * 7 * self.RATE)
        of_sigma_p = printed.value_std_error_bound(LEVEL, rho_4=11.0, sigma_bar=0.125, gamma=0.75)
        assert of_sigma_p == near(17 * 11 * 3 * 4 * self.RATE)

    def test_lemma_15(self) -> None:
        T_hat = np.array([[0.5, 0.25, 0.125], [0.375, 0.5, 0.25], [0.125, 0.25, 0.625]])
        found = printed.next_task_bound(T_hat, (0, 2), LEVEL, rho_T=13, delta=0.25)
        added = 0.25 * 3 + 13 * 3 * self.RATE
        assert found == near(np.array([0.625, 0.625, 0.75]) + added)
        nobody = printed.next_task_bound(T_hat, (), LEVEL, rho_T=13, delta=0.25)
        assert nobody == near([added] * 3)

    def next_tasks(
        self, T_hat: npt.ArrayLike, theta_bar: tuple[int, ...], delta: float = 0.0
    ) -> Floats:
        return printed.next_task_bound(
            np.array(T_hat),
            theta_bar,
            Level(S=1, A=1, U=1, h=1, delta_prime=0.1),
            rho_T=0.0,
            delta=delta,
        )

    @pytest.mark.parametrize("shape", [(1, 2), (2, 1), (0, 0)])
    def test_matrices_are_square(self, shape: tuple[int, int]) -> None:
        assert self.next_tasks([[0.5]], (0,)).tolist() == [0.5]
        with pytest.raises(InputError, match="T_hat: must be square"):
            self.next_tasks(np.zeros(shape), ())

    @pytest.mark.parametrize("tasks", [(-1,), (2,), (3,), (0, 2)])
    def test_tasks_are_named(self, tasks: tuple[int, ...]) -> None:
        place = len(tasks) - 1
        with pytest.raises(InputError, match=rf"theta_bar\[{place}\]: a task below 2"):
            self.next_tasks(np.eye(2), tasks)

    def test_no_task_is_named_twice(self) -> None:
        self.next_tasks(np.eye(2), (0, 1))
        with pytest.raises(InputError, match="theta_bar: names a task twice"):
            self.next_tasks(np.eye(2), (0, 0))

    @pytest.mark.parametrize("delta", [-TINY, -0.5, 1.0, 1.5])
    def test_failures(self, delta: float) -> None:
        self.next_tasks(np.eye(2), (0,), delta=0.0)
        self.next_tasks(np.eye(2), (0,), delta=math.nextafter(1.0, 0.0))
        with pytest.raises(InputError, match="delta: a failure probability"):
            self.next_tasks(np.eye(2), (0,), delta=delta)


class TestRanges:
    """What the lemmas share."""

    @pytest.mark.parametrize(
        ("check", "good", "bad"),
        [
            (
                lambda x: printed.require_constant(x, "x"),
                (0.0, 0.5, 1e308),
                (-TINY, -0.5, math.inf, math.nan),
            ),
            (
                lambda x: printed.require_positive(x, "x"),
                (TINY, 0.5, 2.0, math.inf),
                (0.0, -0.5, math.nan),
            ),
            (printed.require_floor, (TINY, 0.5, 2.0), (0.0, -0.5, math.inf, math.nan)),
        ],
        ids=["constant", "positive", "floor"],
    )
    def test_numbers(
        self, check: Callable[[float], None], good: tuple[float], bad: tuple[float]
    ) -> None:
        assert_borders(check, good, bad)

    def test_quotients(self) -> None:
        found = [printed.quotient(x, y) for x, y in ((0.0, 0.0), (1.0, 0.0), (1.0, 2.0), (1, -2))]
        assert found == [math.inf, math.inf, 0.5, -0.5]

    @pytest.mark.parametrize(
        ("change", "problem"),
        [
            ({"p": [1.0]}, "p: must have 2 entries"),
            ({"q": [0.5, 0.25, 0.25]}, "q: must have 2 entries"),
            ({"q": [1.2, -0.2]}, r"q\[1\].*negative"),
            ({"b": 0.0}, "b: the range"),
            ({"b": -0.5}, "b: the range"),
            ({"b": math.inf}, "b: the range"),
            ({"c": 0.0}, "c: the floor"),
            ({"c": -0.5}, "c: the floor"),
            ({"c": math.inf}, "c: the floor"),
            ({"f": [-TINY, 0.5]}, r"f\[0\]: must lie in"),
            ({"f": [-0.5, 0.5]}, r"f\[0\]: must lie in"),
            ({"f": [0.0, 1.5]}, r"f\[1\]: must lie in"),
        ],
    )
    def test_distributions(self, change: dict[str, object], problem: str) -> None:
        good: dict[str, object] = {"p": [0.5, 0.5], "q": [0.5, 0.5], "f": [0.0, 1.0]}
        printed.compare_distributions(**good, b=1.0, c=TINY)  # type: ignore[arg-type]
        with pytest.raises(InputError, match=problem):
            printed.compare_distributions(**{**good, "b": 1.0, "c": 1.0, **change})  # type: ignore[arg-type]


class TestRepairedAppendixD:
    """The repaired Lemmas 11 to 15; S = 3, A = 2, so 2SA = 12."""

    def test_equation_8(self) -> None:
        """g = 3/4 makes √(1+4g) = 2, δ' = e⁻⁹ a root of 3; of 11 tasks 3 triples."""
        found = repaired.moment_error_bound(S=3, A=2, h=11, delta_prime=math.exp(-9), g_mix=0.75)
        assert found == near(12 / math.sqrt(3) * (2 + 1.75 * 3))
        assert repaired.moment_constant(S=3, A=2, g_mix=0.75) == near(
            2 * math.sqrt(5) * 6 * (2 + 1.75)
        )

    @pytest.mark.parametrize("h", [2, 1, 0])
    def test_three_tasks_make_a_triple(self, h: int) -> None:
        found = repaired.moment_error_bound(S=3, A=2, h=3, delta_prime=math.exp(-9), g_mix=0.0)
        assert found == near(12 * 4)
        with pytest.raises(InputError, match="h: three tasks"):
            repaired.moment_error_bound(S=3, A=2, h=h, delta_prime=0.1, g_mix=0.0)

    def floor(self, omega_min: float, h: int, g_mix: float = 1.0) -> Bound:
        return repaired.sigma_k_floor(
            sigma_k_O=3.0, sigma_k_T=5.0, omega_min=omega_min, g_mix=g_mix, h=h
        )

    def test_floors(self) -> None:
        """10(1+g)/ω_min = 80 at g = 1 and ω_min = 1/4."""
        for h, met in ((79, False), (80, True), (81, True)):
            found = self.floor(0.25, h)
            assert (found.bound, required_h(found)) == (225 / 8, 80.0)
            assert (found.sign, found.premises_met) == ("≥", met)
        assert required_h(self.floor(1.0, 5, g_mix=0.0)) == 10.0
        assert required_h(self.floor(0.0, 5)) == math.inf
        assert required_h(self.floor(0.5, 5, g_mix=math.inf)) == math.inf

    @pytest.mark.parametrize("omega_min", [-TINY, -0.5, 1.5, math.nextafter(1.0, 2.0)])
    def test_weights(self, omega_min: float) -> None:
        with pytest.raises(InputError, match="omega_min: a probability"):
            self.floor(omega_min, 5)

    @pytest.mark.parametrize("g_mix", [-TINY, -0.5])
    def test_mixing(self, g_mix: float) -> None:
        for call in (
            lambda: self.floor(0.5, 5, g_mix=g_mix),
            lambda: repaired.moment_constant(S=1, A=1, g_mix=g_mix),
        ):
            with pytest.raises(InputError, match="g_mix"):
                call()
        with pytest.raises(InputError, match="g_mix"):
            repaired.moment_constant(S=1, A=1, g_mix=math.inf)

    def test_lemma_11(self) -> None:
        """C_Σ = 7, λ = 3, σ = 5."""
        moments = {"C_S": 7.0, "lambda_max_Sigma_21": 3.0, "sigma_k_Sigma_31": 5.0}
        assert repaired.rho_3(rho_1=1.0, **moments) == near(4 * 49 / 25)
        assert repaired.rho_3(rho_1=11.0, **moments) == 11.0
        assert repaired.rho_3(rho_1=1.0, **{**moments, "sigma_k_Sigma_31": 0.0}) == math.inf
        assert repaired.rho_3(
            rho_1=1.0, C_S=7.0, lambda_max_Sigma_21=0.5, sigma_k_Sigma_31=50.0
        ) == near(49 * 4)
        B = math.sqrt(12)
        assert repaired.rho_4(rho_2=11.0, S=3, A=2, **moments) == near(
            4 * 3 * 11 / 5 + B * 7 / 5 + 8 * 3 * B * 7 / 25
        )

    @pytest.mark.parametrize("C_S", [0.0, -0.5, math.inf])
    def test_the_moment_constant_is_positive_and_finite(self, C_S: float) -> None:
        repaired.require_moments(TINY, 0.0, 0.0)
        with pytest.raises(InputError, match="C_S: must be positive and finite"):
            repaired.require_moments(C_S, 1.0, 1.0)

    def test_lemma_12(self) -> None:
        assert repaired.rho_6(rho_2=7.0, rho_4=11.0, sigma_k_O=5.0) == near(2 * 18 / 5)
        assert repaired.rho_6(rho_2=7.0, rho_4=11.0, sigma_k_O=0.0) == math.inf

    def test_lemma_13(self) -> None:
        """Variances 9/4 and 27/16 as above: the larger one decides."""
        p, q, f = [0.5, 0.5], [0.25, 0.75], [0.0, 3.0]
        found = repaired.std_difference_bound(p=p, q=q, f=f, b=5.0, c=0.0625)
        assert found.bound == near(25 / 0.5 * 0.5)
        for c, met in ((2.25, True), (math.nextafter(2.25, 3), False)):
            for one, two in ((p, q), (q, p)):
                border = repaired.std_difference_bound(p=one, q=two, f=f, b=3.0, c=c)
                assert border.premises_met is met

    def test_lemma_14(self) -> None:
        """e_h = 5, U = 9 and S = 25: √U e_h/2 = 7.5 and √S e_h/(2(1-γ)) = 50."""
        assert repaired.reward_error_bound(U=9, e_h=5.0) == 7.5
        assert repaired.value_error_bound(S=25, gamma=0.75, e_h=5.0) == 50.0
        assert repaired.reward_std_error_bound(U=9, sigma_bar=0.125, e_h=5.0) == 60.0
        found = repaired.value_std_error_bound(S=25, U=9, gamma=0.75, sigma_bar=0.125, e_h=5.0)
        assert found.bound == 1600.0
        assert sides_of(found.premises[repaired.DRIFT]) == ((7.5 + 37.5) * 4, 0.125)
        assert not found.premises_met

    def test_the_floor_survives_a_drift_of_its_size(self) -> None:
        """The drift above, 180, is that of e_h = 5; it is the border for σ̄ = 180."""
        for sigma_bar, met in ((180.0, True), (math.nextafter(180.0, 0), False)):
            found = repaired.value_std_error_bound(
                S=25, U=9, gamma=0.75, sigma_bar=sigma_bar, e_h=5.0
            )
            assert found.premises_met is met

    def test_errors_of_the_models(self) -> None:
        at = {"S": 25, "U": 9}
        free = repaired.model_errors_at(5.0, gamma=0.75, sigma_bar=None, **at)
        assert (free.r, free.p) == (7.5, 50.0)
        assert (free.sigma_r, free.sigma_p) == (near(math.sqrt(7.5)), near(math.sqrt(200)))
        low = repaired.model_errors_at(5.0, gamma=0.75, sigma_bar=0.125, **at)
        assert low == ModelErrors(7.5, 50.0, 60.0, math.inf)
        high = repaired.model_errors_at(5.0, gamma=0.75, sigma_bar=200.0, **at)
        assert high == ModelErrors(7.5, 50.0, 7.5 / 200, 1.0)

    def test_lemma_15(self) -> None:
        T_hat = np.array([[0.5, 0.25, 0.125], [0.375, 0.5, 0.25], [0.125, 0.25, 0.625]])
        found = repaired.next_task_bound(T_hat, (0, 1), (1, 2), e_T=0.25)
        assert found == near(0.75 + math.sqrt(2) * 0.25)
        assert repaired.next_task_bound(T_hat, (2,), (0,), e_T=0.25) == near(0.375)
        assert repaired.next_task_bound(T_hat, (0,), (), e_T=0.25) == 0.0
        assert repaired.next_task_bound(T_hat, (0,), (), e_T=math.inf) == 0.0

    def test_lemma_15_names_tasks(self) -> None:
        with pytest.raises(InputError, match="theta_bar: must name at least one"):
            repaired.next_task_bound(np.eye(2), (), (0,), e_T=0.0)
        with pytest.raises(InputError, match=r"eliminated\[0\]: a task below 2"):
            repaired.next_task_bound(np.eye(2), (0,), (2,), e_T=0.0)


# Lemma 10 and equation 8.


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


def test_the_literal_smallest_singular_value_makes_lemma_11_empty() -> None:
    rho_3 = printed.rho_3(rho_1=1, lambda_max_Sigma_21=2, lambda_min_Sigma_31=0)
    rho_4 = printed.rho_4(rho_2=0, S=2, A=2, lambda_max_Sigma_21=2, lambda_min_Sigma_31=0)
    answer = printed.observation_error_bound(
        Level(S=2, A=2, U=2, h=10**12, delta_prime=0.1), rho_3=rho_3, rho_4=rho_4
    )
    assert (answer.bound, required_h(answer)) == (math.inf, math.inf)
    assert not answer.premises_met


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
    assert rho_6 >= 8 * math.sqrt(k) * (1 + math.sqrt(5)) * (1 - OF_A_FORMULA)


# Lemma 13.

DISTRIBUTIONS = st.lists(st.integers(0, 20), min_size=3, max_size=3).filter(any)


def as_distribution(weights: list[int]) -> list[float]:
    return [weight / sum(weights) for weight in weights]


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


# Lemma 14.


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


def test_lemma_15_forgets_that_the_active_set_depends_on_the_task() -> None:
    """Two sticky tasks, T̂ = T, Θ̄ = {current task}: half of the time the "bound" is .1 < .5 = P."""
    sticky = [[0.9, 0.1], [0.1, 0.9]]
    answer = printed.next_task_bound(
        sticky, [1], Level(S=1, A=1, U=2, h=1, delta_prime=0.1), rho_T=0, delta=0
    )
    assert float(answer[0]) == near(0.1)


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
    "T̂ not square": ("T_hat", lambda: repaired.next_task_bound([[1, 0]], [0], [0], e_T=0)),
}


@pytest.mark.parametrize("name", BAD_INPUT)
def test_bad_input_is_refused_by_name(name: str) -> None:
    argument, call = BAD_INPUT[name]
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.argument == argument
