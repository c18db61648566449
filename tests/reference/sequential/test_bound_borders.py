"""The bounds of Appendix D and of the views within a task, at numbers that hide nothing.

Sizes differ from each other and from the constants of the formulas, so that no sum is a product
and no square a double; every range is tried at its ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import numpy.typing as npt
import pytest

from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.errors import InputError
from ptum.reference.inequalities import Bound, Inequality
from ptum.reference.repaired.sequential.analysis import spectral_bounds as repaired
from ptum.reference.repaired.transfer.analysis.sample_complexity import corollary_1_bound, theta_s
from ptum.reference.sequential.analysis import sequential_bounds as theorems
from ptum.reference.sequential.analysis import spectral_bounds as printed
from ptum.reference.sequential.analysis.level import Level, required_h
from ptum.reference.tasks.models import approximate_models
from ptum.reference.tasks.values import gap_tolerance
from ptum.reference.transfer.assumptions import ModelErrors
from tests.support.borders import assert_borders
from tests.support.closeness import near
from tests.support.instances import walk

TINY = math.ulp(0.0)


def sides_of(premise: bool | Inequality) -> tuple[float, float]:
    assert isinstance(premise, Inequality)
    return float(premise.left), float(premise.right)


LOG = math.log(6 * 3 * 2 * (3 + 7) / 0.1)
"""log(6SA(S+U)/δ') for S = 3, A = 2, U = 7 and δ' = 1/10."""


LOGARITHM_IS_FOUR = SimpleNamespace(log=lambda _: 4.0, sqrt=math.sqrt, inf=math.inf)
"""In place of `math`: a premise on h then has its border at an integer."""


class TestAppendixD:
    """Lemmas 10 to 15 for S = 3, A = 2, U = 7, h = 5 and δ' = 1/10."""

    RATE = math.sqrt(LOG / 5)

    def test_lemma_10(self) -> None:
        log_term = math.log(2 * 3 * 2 * 10 / 0.1)
        found = printed.mu_error_bound(
            Level(S=3, A=2, U=7, h=11, delta_prime=0.1), rho_1=3, rho_2=5
        )
        assert found.bound == near(5 * math.sqrt(log_term / 11))
        assert required_h(found) == near(3 * log_term)
        assert not found.premises_met
        for h, met in ((22, True), (21, False)):  # 3 log 1200 = 21.27
            bound = printed.mu_error_bound(
                Level(S=3, A=2, U=7, h=h, delta_prime=0.1), rho_1=3, rho_2=5
            )
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
        assert printed.rho_4(rho_2=7.0, S=11, A=2, **constants) == near(
            (4 * 3 * 7 + 4 * 22 + 8 * 22 * 3) / 5
        )

    def test_lemma_12(self) -> None:
        assert printed.rho_5(rho_3=7.0, rho_4=3.0, k=5, sigma_k_O=11.0) == 7.0
        assert printed.rho_5(rho_3=1.0, rho_4=3.0, k=5, sigma_k_O=0.5) == near(4 * 5 * 9 * 4)
        assert printed.rho_6(rho_4=3.0, S=3, A=7, k=5, sigma_k_O=11.0) == near(
            8 * 21 * math.sqrt(5) * (1 + math.sqrt(5)) / 121 * 3
        )

    def test_rates(self) -> None:
        assert printed.rate(Level(S=3, A=2, U=7, h=5, delta_prime=0.1)) == near(self.RATE)
        for bound in (
            printed.observation_error_bound(
                Level(S=3, A=2, U=7, h=5, delta_prime=0.1), rho_3=11, rho_4=13
            ),
            printed.transition_error_bound(
                Level(S=3, A=2, U=7, h=5, delta_prime=0.1), rho_5=11, rho_6=13
            ),
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
        level = Level(S=3, A=2, U=7, h=5, delta_prime=0.1)
        of_r = printed.reward_error_bound(level, rho_4=11.0)
        assert of_r == near(11 * 7 * self.RATE)
        of_p = printed.value_error_bound(level, rho_4=11.0, gamma=0.75)
        assert of_p == near(11 * 3 * 4 * self.RATE)
        of_sigma_r = printed.reward_std_error_bound(level, rho_4=11.0, sigma_bar=0.125)
        assert of_sigma_r == near(5 * 11 * 7 * self.RATE)
        of_sigma_p = printed.value_std_error_bound(level, rho_4=11.0, sigma_bar=0.125, gamma=0.75)
        assert of_sigma_p == near(17 * 11 * 3 * 4 * self.RATE)

    def test_lemma_15(self) -> None:
        T_hat = np.array([[0.5, 0.25, 0.125], [0.375, 0.5, 0.25], [0.125, 0.25, 0.625]])
        found = printed.next_task_bound(
            T_hat, (0, 2), Level(S=3, A=2, U=7, h=5, delta_prime=0.1), rho_T=13, delta=0.25
        )
        added = 0.25 * 3 + 13 * 3 * self.RATE
        assert found == near(np.array([0.625, 0.625, 0.75]) + added)

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

    def test_lemma_15_names_tasks(self) -> None:
        with pytest.raises(InputError, match="theta_bar: must name at least one"):
            repaired.next_task_bound(np.eye(2), (), (0,), e_T=0.0)
        with pytest.raises(InputError, match=r"eliminated\[0\]: a task below 2"):
            repaired.next_task_bound(np.eye(2), (0,), (2,), e_T=0.0)


class TestTheorems2And3:
    """Theorem 2 and Theorem 3 as printed, S = 3, A = 2, U = 7."""

    def test_theorem_2(self) -> None:
        """For ρ = 3 and δ' = 1/10: 3 log(2h²·60/δ') = 41.7 at h = 30, 44.2 at h = 46."""
        for h, met in ((30, False), (46, True)):
            found = theorems.theorem_2_condition(Level(S=3, A=2, U=7, h=h, delta_prime=0.1), rho=3)
            assert found is met
        border = 46 / math.log(2 * 46**2 * 60 / 0.1)
        for rho, met in ((border * (1 - 1e-9), True), (border * (1 + 1e-9), False)):
            found = theorems.theorem_2_condition(
                Level(S=3, A=2, U=7, h=46, delta_prime=0.1), rho=rho
            )
            assert found is met

    def test_theorem_3(self) -> None:
        """k = 2, d = 5, m = 7, h = 11: log(9·2·5·49/δ')."""
        T_hat = np.array([[0.75, 0.5], [0.25, 0.5]])
        found = theorems.theorem_3_prediction(
            T_hat, (1,), h=11, m=7, k=2, d=5, delta=0.01, delta_prime=0.1, rho_T=3.0
        )
        added = 0.02 + 6 * math.sqrt(math.log(9 * 2 * 5 * 49 / 0.1) / 11)
        assert found == near([0.5 + added] * 2)

    def test_the_failure_that_theorem_3_allows(self) -> None:
        """δ'/(3m²) = 0.3/75 at m = 5."""

        def drops(delta: float) -> object:
            return theorems.theorem_3_eliminates(
                np.eye(2), (0,), h=3, m=5, k=2, d=4, delta=delta, delta_prime=0.3, rho_T=0.0
            )

        drops(0.3 / 75)
        with pytest.raises(InputError, match="delta: Theorem 3 for m = 5 tasks"):
            drops(math.nextafter(0.3 / 75, 1))


class TestRepairedTheorem1:
    """The set Θ_s, and Corollary 1 at γ = 1/4, where no power of 1-γ is one of γ."""

    def test_both_distances_count(self) -> None:
        """Rewards 1/4 apart in state 0; its step is worth γ·V*(1) = 1/2·2 more or less."""
        stays = walk([[0], [1]], [[0.0], [1.0]], 0.5)
        moves = walk([[1], [1]], [[0.25], [1.0]], 0.5)
        models = approximate_models([stays, moves])
        off = gap_tolerance(models.V_star)
        for kappa in (0.625, 0.625 - off):
            assert theta_s(models, target=0, kappa=kappa) == ()
        assert theta_s(models, target=0, kappa=0.625 - off - 2 * ROUNDING) == (1,)

    @pytest.mark.parametrize(("Gamma", "epsilon"), [(0.5, 0.001), (0.001, 0.5)])
    def test_corollary_1(self, Gamma: float, epsilon: float) -> None:
        """min{SA, k-1} = 6 of S = 3, A = 2, k = 30."""
        found = corollary_1_bound(
            3, 2, 30, gamma=0.25, epsilon=epsilon, delta=0.1, n=9, Gamma=Gamma
        )
        by_gap, by_accuracy = 1000 / (0.75 * Gamma) ** 2, 16000 / (0.75**4 * epsilon**2)
        log_term = math.log(8 * 6 * 9 * 31 / 0.1)
        assert found == near(6 * log_term * min(by_gap, by_accuracy))
