"""Appendix D read off a model: what counts as zero, how far sums go, and the shares of δ'."""

from __future__ import annotations

import math
from dataclasses import asdict, replace

import numpy as np
import pytest

from ptum.reference.arrays import ROUNDING
from ptum.reference.errors import InputError
from ptum.reference.sequential.analysis import conditioning as module
from ptum.reference.sequential.analysis import spectral_bounds
from ptum.reference.sequential.analysis.conditioning import (
    Conditioning,
    PrintedConstants,
    column_gap,
    conditioning,
    dobrushin,
    first_view_distribution,
    mixing,
    printed_bounds,
    printed_constants,
    require_dimension,
    stationary_distribution,
    theorem_2_level,
)
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.hmm import HMM
from tests.support.closeness import near

LAZY = np.array([[0.75, 0.25], [0.25, 0.75]])
"""κ(T^s) = 2⁻ˢ, exactly also in doubles."""


def model(initial: tuple[float, float] = (0.5, 0.5)) -> HMM:
    """Two tasks with orthogonal observations of length 3."""
    return HMM(O=np.eye(3)[:, :2], T=np.array([[0.5, 0.25], [0.5, 0.75]]), initial=initial)  # type: ignore[arg-type]


class TestZero:
    """D99: a singular value that rounding can have made."""

    def test_the_border_is_zero(self) -> None:
        """8 roundings of 4."""
        border = 8 * ROUNDING * 4
        for least, found in ((border, 0.0), (math.nextafter(border, 1), math.nextafter(border, 1))):
            assert module._singular_value(np.array([4.0, least]), 2, 8) == found

    def test_there_is_no_third_of_two(self) -> None:
        sigma = np.array([4.0, 2.0])
        assert [module._singular_value(sigma, n, 8) for n in (1, 2, 3)] == [4.0, 2.0, 0.0]

    def test_roundings_of_each_matrix(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """4k + d = 11 for the moments, 4 + d = 7 for O, 4 + k = 6 for T."""
        asked = []

        def recorded(_: object, number: int, roundings: int) -> float:
            asked.append((number, roundings))
            return float(len(asked))

        monkeypatch.setattr(module, "_singular_value", recorded)
        found = conditioning(model(), [0.5, 0.5])
        assert asked == [(3, 11), (2, 11), (2, 11), (2, 7), (2, 6)]
        assert [
            found.lambda_min_Sigma_31,
            found.sigma_k_Sigma_21,
            found.sigma_k_Sigma_31,
            found.sigma_k_O,
            found.sigma_k_T,
        ] == [1.0, 2.0, 3.0, 4.0, 5.0]

    def test_a_model_by_hand(self) -> None:
        """T diag(π) with π = (1/2, 1/2), O of orthonormal columns: values of T/2 and T²/2."""
        T = model().T
        found = conditioning(model(), [0.5, 0.5])
        of_21, of_31 = (np.linalg.svd(M / 2, compute_uv=False) for M in (T, T @ T))
        assert found.lambda_max_Sigma_21 == near(of_21[0])
        assert found.sigma_k_Sigma_21 == near(of_21[1])
        assert found.sigma_k_Sigma_31 == near(of_31[1])
        assert found.lambda_min_Sigma_31 == 0.0
        assert found.sigma_k_O == near(1.0)
        assert found.omega_min == near(1 / 3)
        assert (found.k, found.d) == (2, 3)
        assert found.column_gap == near(math.sqrt(2))

    def test_gaps_of_columns(self) -> None:
        """Columns 0, 3 and 7 on a line."""
        assert column_gap(np.array([[0.0, 3.0, 7.0]])) == 3.0
        assert column_gap(np.array([[7.0, 0.0, 3.0]])) == 3.0
        assert column_gap(np.array([[7.0]])) == math.inf


class TestFirstView:
    """Averages of the distribution of the first task of a triple, begun in task 0."""

    START = model((1.0, 0.0))

    def test_overlapping_triples(self) -> None:
        """From task 0 the next distribution is (1/2, 1/2), then (3/8, 5/8)."""
        for h, expected in ((3, [1.0, 0.0]), (4, [0.75, 0.25]), (5, [0.625, 0.375])):
            found = first_view_distribution(self.START, h, overlapping=True)
            assert found == near(expected)

    def test_disjoint_triples(self) -> None:
        """Three steps from task 0: (11/32, 21/32)."""
        for h, expected in ((3, [1.0, 0.0]), (5, [1.0, 0.0]), (6, [43 / 64, 21 / 64])):
            assert first_view_distribution(self.START, h) == near(expected)

    @pytest.mark.parametrize("h", [2, 1])
    def test_two_tasks_make_no_triple(self, h: int) -> None:
        with pytest.raises(InputError, match="h: three tasks make the first triple"):
            first_view_distribution(self.START, h)


class TestStationaryLaw:
    """Unique if some task can be reached from all."""

    def test_by_hand(self) -> None:
        assert stationary_distribution(model().T) == near([1 / 3, 2 / 3])

    def test_tasks_that_are_left_have_no_weight(self) -> None:
        """0 and 1 lead to 2, which stays."""
        found = stationary_distribution([[0.5, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.5, 1.0]])
        assert found is not None
        assert found.tolist() == [0.0, 0.0, 1.0]

    def test_a_long_way(self) -> None:
        """0 → 1 → 2 → 3 → 4, which stays: four steps, nothing less reaches it from all."""
        T = np.eye(5, k=-1)
        T[4, 4] = 1.0
        found = stationary_distribution(T)
        assert found is not None
        assert found.tolist() == [0.0, 0.0, 0.0, 0.0, 1.0]

    def test_one_task(self) -> None:
        found = stationary_distribution([[1.0]])
        assert found is not None
        assert found.tolist() == [1.0]


class TestMixing:
    """Sums of κ(T^s) = 2⁻ˢ."""

    def test_sums_and_tails(self) -> None:
        """Three terms, 1/2 + 1/4 + 1/8, and κ(T³) = 1/8: S/(1 - 1/8)."""
        found = mixing(LAZY, tolerance=0.2)
        assert found.kappa.tolist() == [0.5, 0.25, 0.125]
        assert (found.G, found.G_tail) == (1.0, 0.125)
        assert (found.g, found.g_tail) == (0.5 / 0.875, 0.5 / 0.875 - 0.5)

    def test_a_tolerance_is_reached_with_equality(self) -> None:
        assert len(mixing(LAZY, tolerance=0.125).kappa) == 3
        assert len(mixing(LAZY, tolerance=math.nextafter(0.125, 0)).kappa) == 6

    def test_powers_are_counted_in_threes(self) -> None:
        for most, computed in ((1, 3), (3, 3), (4, 6), (6, 6), (7, 9)):
            assert len(mixing(LAZY, most_powers=most).kappa) == computed

    @pytest.mark.parametrize("tolerance", [0.0, -0.5, 1.0, 1.5])
    def test_tolerances(self, tolerance: float) -> None:
        mixing(LAZY, tolerance=math.nextafter(1.0, 0.0), most_powers=1)
        mixing(LAZY, tolerance=math.ulp(0.0), most_powers=1)
        with pytest.raises(InputError, match="tolerance: must lie in"):
            mixing(LAZY, tolerance=tolerance)

    def test_defaults(self) -> None:
        """2⁻⁴² ≤ 10⁻¹² < 2⁻³⁹."""
        assert len(mixing(LAZY).kappa) == 42
        assert len(conditioning(model(), [0.5, 0.5]).mixing.kappa) == 21  # κ = 4⁻ˢ

    def test_thirty_thousand_powers(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked = []

        def recorded(_: object, tolerance: float, most_powers: int) -> list[float]:
            asked.append((tolerance, most_powers))
            return [0.5, 0.5, 0.5]

        monkeypatch.setattr(module, "_contractions", recorded)
        mixing(LAZY)
        conditioning(model(), [0.5, 0.5])
        assert asked == [(1e-12, 30_000)] * 2

    def test_a_power_that_rounding_puts_above_one_does_not_contract(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        above = [1.0, 1.0, math.nextafter(1.0, 2.0)]
        monkeypatch.setattr(module, "_contractions", lambda *_: above)
        assert (mixing(LAZY).g, mixing(LAZY).G) == (math.inf, math.inf)

    def test_tasks_that_meet_late(self) -> None:
        """0 → 1 → 2 → 0 or 1: copies in 0 and 1 cannot meet before the third step."""
        T = np.array([[0.0, 0.0, 0.5], [1.0, 0.0, 0.5], [0.0, 1.0, 0.0]])
        found = mixing(T)
        assert found.kappa[:3].tolist() == [1.0, 1.0, 0.5]
        assert math.inf > found.G

    def test_tasks_that_meet_after_thirteen_steps(self) -> None:
        """0 → 1 → … → 5 → 0 or 1: some two copies cannot meet earlier; 15 steps tell for k = 6."""
        T = np.roll(np.eye(6), 1, axis=0)
        T[:2, 5] = 0.5
        found = mixing(T, most_powers=15)
        assert found.kappa[11] == 1.0
        assert found.kappa[12] < 1.0
        assert math.isfinite(found.G)

    @pytest.mark.parametrize("T", [np.eye(2), np.eye(2)[::-1]], ids=["classes", "period"])
    def test_tasks_that_never_meet(self, T: object) -> None:
        found = mixing(T)  # type: ignore[arg-type]
        assert found.kappa.tolist() == [1.0, 1.0, 1.0]
        assert (found.g, found.G, found.g_tail, found.G_tail) == (math.inf,) * 4

    def test_one_task_has_forgotten_at_once(self) -> None:
        found = mixing([[1.0]])
        assert (found.kappa.tolist(), found.g, found.G) == ([0.0, 0.0, 0.0], 0.0, 0.0)

    def test_distances(self) -> None:
        """Columns (3/4, 1/4, 0), (1/4, 3/4, 0) and (0, 0, 1)."""
        assert dobrushin(LAZY) == 0.5
        assert dobrushin([[0.75, 0.25, 0.0], [0.25, 0.75, 0.0], [0.0, 0.0, 1.0]]) == 1.0


class TestPrintedBounds:
    """S = 1, A = 1, U = 2: observations of length 3."""

    FOUND = conditioning(model(), [0.5, 0.5])

    def test_readings_of_the_least_singular_value(self) -> None:
        sizes = {"S": 1, "A": 1, "U": 2}
        least = printed_constants(self.FOUND, rho_1=1, rho_2=1, lambda_min="least", **sizes)
        assert least.rho_3 == math.inf
        assert printed_constants(self.FOUND, S=1, A=1, U=2, rho_1=1, rho_2=1) == least
        kth = printed_constants(self.FOUND, rho_1=1, rho_2=1, lambda_min="kth", **sizes)
        assert kth.rho_3 < math.inf
        with pytest.raises(InputError, match="lambda_min: must be"):
            printed_constants(self.FOUND, rho_1=1, rho_2=1, lambda_min="last", **sizes)  # type: ignore[arg-type]

    @pytest.mark.parametrize("U", [1, 3])
    def test_dimensions(self, U: int) -> None:
        found: Conditioning = self.FOUND
        require_dimension(found, S=1, A=1, U=2)
        with pytest.raises(InputError, match="must be SA"):
            require_dimension(found, S=1, A=1, U=U)

    def test_a_third_of_the_level(self) -> None:
        constants = PrintedConstants(2.0, 3.0, 5.0, 7.0, 11.0, 13.0)
        found = printed_bounds(
            constants, Level(S=1, A=1, U=2, h=17, delta_prime=0.3), gamma=0.5, sigma_bar=0.25
        )
        third = 0.3 / 3
        assert found.moments == spectral_bounds.moment_error_bound(h=17, delta_prime=third)
        whole = Level(S=1, A=1, U=2, h=17, delta_prime=0.3)
        shared = replace(whole, delta_prime=third)
        for bound, expected in (
            (found.mu_3, spectral_bounds.mu_error_bound(shared, rho_1=2.0, rho_2=3.0)),
            (found.O, spectral_bounds.observation_error_bound(whole, rho_3=5.0, rho_4=7.0)),
            (found.T, spectral_bounds.transition_error_bound(whole, rho_5=11.0, rho_6=13.0)),
        ):
            assert asdict(bound) == asdict(expected)

    def test_levels(self) -> None:
        assert theorem_2_level(h=5, delta_prime=0.1) == near(0.6 / (math.pi**2 * 25))
