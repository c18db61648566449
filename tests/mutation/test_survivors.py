"""Tests that a mutant once survived without: mostly borders that lie on one number exactly."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.errors import InputError
from ptum.reference.experiments.grid import Grid
from ptum.reference.experiments.prediction import Experiment
from ptum.reference.repaired.sequential.alignment import align
from ptum.reference.repaired.sequential.analysis import spectral_bounds
from ptum.reference.repaired.sequential.analysis.conditioning import (
    repaired_bounds,
    uniform_constants,
)
from ptum.reference.repaired.sequential.analysis.sequential_bounds import (
    miss_probability,
    theorem_3_eliminates,
)
from ptum.reference.repaired.sequential.prediction import hoeffding_width, reidentify
from ptum.reference.repaired.transfer.analysis import sample_complexity as repaired
from ptum.reference.repaired.transfer.ptum import ptum
from ptum.reference.sequential.analysis.conditioning import conditioning
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.sequential_bounds import theorem_3_prediction
from ptum.reference.sequential.hmm import HMM, Moments
from ptum.reference.sequential.projection import project_columns
from ptum.reference.sequential.spectral import (
    HmmEstimate,
    NotEnoughData,
    NotIdentifiable,
    empirical_moments,
    learn_from_moments,
    learn_hmm,
)
from ptum.reference.sequential.tensor_power import robust_tensor_power
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.models import approximate_models
from ptum.reference.tasks.values import gap_tolerance, value_tolerance
from ptum.reference.transfer.analysis.elimination import excess, n_bar_r
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.analysis.sample_complexity import (
    corollary_1_rate,
    fundamental_bound,
    gap_Gamma,
    theorem_1_bound,
    theta_eps,
    zero_or_quotient,
)
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.information import CLOSE, CLOSEST, TIE, index_is_zero, query
from ptum.reference.transfer.ptum import End
from ptum.reference.transfer.ptum import ptum as printed_ptum
from ptum.reference.transfer.stopping import stopping_models
from tests.support.closeness import near
from tests.support.instances import bandit, bernoulli_bandit, walk
from tests.support.oracles import Silent


class TestInformation:
    """D06: the border of a tie belongs to it."""

    @pytest.mark.parametrize(("largest", "close"), [(1.0, CLOSE), (2**-50, CLOSEST * 2**-50)])
    def test_an_index_at_the_border_is_tied(self, largest: float, close: float) -> None:
        border = largest * (1 - TIE) - close
        assert query(np.array([[border, largest]])) == (0, 0)
        assert query(np.array([[np.nextafter(border, 0), largest]])) == (0, 1)

    def test_the_least_index_is_not_zero(self) -> None:
        assert index_is_zero(np.array([[0.0, 0.0]]))
        assert not index_is_zero(np.array([[0.0, np.nextafter(0, 1)]]))


class TestStopping:
    """Line 14 accepts equality up to `value_tolerance` (D14), and no more."""

    def test_a_loss_at_the_border_is_accepted(self) -> None:
        models = approximate_models([bandit([0.0], gamma=0.5)])
        border = 1.0 + value_tolerance(models.V_star, models.gamma)
        for loss, stops in ((border, (0,)), (np.nextafter(border, 2), ())):
            lossy = replace(models, V_pi=np.full((1, 1, 1), -loss))
            assert stopping_models((0,), lossy, epsilon=1.0, Delta=0.0) == stops


class TestRepairedPtum:
    """Errata E01 and E12."""

    def test_an_index_of_zero_ends_the_run(self) -> None:
        """Two models whose policies reject each other, told apart by nothing that is seen.

        With values put in that no models have: under the repaired line 2 it cannot happen.
        """
        alike = approximate_models([bernoulli_bandit([0.5], 0.0)] * 2)
        odd = replace(alike, V_pi=np.array([[[0.5], [0.0]], [[0.0], [0.5]]]))
        result = ptum(odd, Silent(), epsilon=0.25, delta=0.1, n=3, Delta=0.0)
        assert (result.end, result.queries, result.first_zero_index) == (End.INDEX_ZERO, 0, 1)

    def test_a_tiny_index_does_not(self) -> None:
        """Means 10⁻⁷ apart under deviations of 1/2: the index of both arms is 4·10⁻¹⁴."""
        arms = ([0.5, 0.5 + 1e-7], [0.5 + 1e-7, 0.5])
        tasks = [bernoulli_bandit(arm, 0.0) for arm in arms]
        result = ptum(
            approximate_models(tasks),
            Simulator(tasks[0], 0),
            epsilon=0.0,
            delta=0.1,
            n=3,
            Delta=0.0,
        )
        assert (result.end, result.queries, result.first_zero_index) == (
            End.BUDGET_EXHAUSTED,
            3,
            None,
        )


class TestPtum:
    """D18: an index of zero does not end a run of the printed algorithm."""

    def test_an_index_of_zero_is_sampled_on(self) -> None:
        """Gaps of 0.3 ≤ 8Δ carry no information, and a loss of 0.3 > ε - 2Δ does not stop."""
        tasks = [bernoulli_bandit([0.65, 0.35], 0.0), bernoulli_bandit([0.35, 0.65], 0.0)]
        result = printed_ptum(
            approximate_models(tasks),
            Simulator(tasks[0], seed=0),
            epsilon=0.4,
            delta=0.1,
            n=3,
            Delta=0.09,
        )
        assert (result.end, result.queries) == (End.BUDGET_EXHAUSTED, 3)
        assert result.first_zero_index == 1


class TestPrediction:
    """Line 9 with the numbers of Appendix E.2."""

    def test_a_prediction_at_the_threshold_is_dropped(self) -> None:
        T_hat = np.array([[0.75, 0.25], [0.25, 0.75]])
        left = theorem_3_prediction(
            T_hat, (0,), h=4, m=9, k=2, d=2, delta=0.01, delta_prime=0.1, rho_T=0.001
        )
        for eta, expected in ((float(left[1]), (0,)), (np.nextafter(left[1], 0), (0, 1))):
            rule = Experiment(m=9, eta=eta, keep=0)
            assert rule(T_hat, (0,), h=4, d=2, delta=0.01, delta_prime=0.1) == expected

    @pytest.mark.parametrize("k", [2, 4])
    def test_the_matrix_has_as_many_rows_as_there_are_tasks(self, k: int) -> None:
        with pytest.raises(InputError, match=f"must have k = {k} rows"):
            theorem_3_prediction(
                np.eye(3), (0,), h=4, m=9, k=k, d=2, delta=0.01, delta_prime=0.1, rho_T=0.001
            )


class TestTensorPower:
    """A tensor has at least one dimension."""

    def test_a_tensor_without_entries_is_refused(self) -> None:
        with pytest.raises(InputError, match="tensor"):
            robust_tensor_power(np.zeros((0, 0, 0)), 1, 1, np.random.default_rng(0))


def learnt(M_2: Floats, k: int, terms: int = 3) -> HmmEstimate | NotIdentifiable:
    """Lines 5-10 with a tensor of zeros, which has no component at all."""
    d = len(M_2)
    Sigma = np.eye(d)
    moments = Moments(
        *(Sigma, Sigma, Sigma, Sigma, Sigma), M_2=M_2, M_3=np.zeros((d, d, d)), terms=terms
    )
    return learn_from_moments(moments, k, 1, 1, np.random.default_rng(0))


class TestSpectral:
    """Algorithm 3: borders and the numbers of its refusals."""

    def test_tasks_are_columns(self) -> None:
        estimate = HmmEstimate(np.zeros((4, 2)), None, np.ones(2), np.ones(2))
        assert estimate.k == 2

    def test_triples_are_counted_whole(self) -> None:
        found = learn_hmm(np.eye(8)[:, :4], 3, 1, 1, np.random.default_rng(0))
        assert found == NotEnoughData("triples", 2, 3)

    def test_two_observations_are_no_triple(self) -> None:
        with pytest.raises(InputError, match="at least three"):
            empirical_moments(np.eye(2))

    def test_a_component_of_weight_zero_is_none(self) -> None:
        expected = NotIdentifiable("least eigenvalue of M_3(W,W,W)", 0.0, 0.0)
        assert learnt(np.eye(2), k=2) == expected

    def test_one_of_a_pair_of_complex_eigenvalues_is_enough_to_refuse(self) -> None:
        """Eigenvalues 1 ± i."""
        found = learnt(np.array([[1.0, -1.0], [1.0, 1.0]]), k=1)
        expected = NotIdentifiable("a leading eigenvalue of M_2 (complex)", 1.0, np.inf)
        assert found == expected

    def test_the_first_complex_eigenvalue_is_reported(self) -> None:
        """Eigenvalues 1 ± 3i and 2 ± i."""
        M_2 = np.zeros((4, 4))
        M_2[:2, :2], M_2[2:, 2:] = [[1, -3], [3, 1]], [[2, -1], [1, 2]]
        found = learnt(M_2, k=4)
        assert isinstance(found, NotIdentifiable)
        assert found.value == near(1.0)

    def test_eigenvalues_up_to_the_roundings_of_the_sums_are_zero(self) -> None:
        """D99: four roundings for each of the 3 terms and one for each of the 2 rows, times 2."""
        zero = (4 * 3 + 2) * ROUNDING * 2
        for least in (0.0, zero):
            found = learnt(np.diag([2.0, least]), k=2)
            assert found == NotIdentifiable("eigenvalue 2 of M_2", least, zero)
        above = learnt(np.diag([2.0, np.nextafter(zero, 1)]), k=2)
        assert isinstance(above, NotIdentifiable)
        assert above.quantity == "least eigenvalue of M_3(W,W,W)"


def test_a_matrix_with_fewer_columns_cannot_be_aligned() -> None:
    with pytest.raises(InputError, match="shape of the previous"):
        align(np.zeros((2, 3)), np.zeros((2, 2)))


@pytest.mark.parametrize("shape", [(0, 0), (0, 2), (2, 0)])
def test_a_matrix_without_entries_cannot_be_projected(shape: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="needs an entry"):
        project_columns(np.zeros(shape))


class TestElimination:
    """Lemma 4."""

    def test_a_gap_below_four_errors_exceeds_them_by_nothing(self) -> None:
        np.testing.assert_array_equal(excess(np.array([[0.25, 4.0]]), 0.5), [[0.0, 2.0]])

    @pytest.mark.parametrize("stranger", [-1, 2])
    def test_active_models_are_models(self, stranger: int) -> None:
        models = approximate_models([bandit([0.0], 0.5), bandit([1.0], 0.5)])
        with pytest.raises(InputError, match="active"):
            n_bar_r(Iteration(models, 1, (0, stranger), 0.0), theta=0)


TWO = approximate_models([bandit([0.0], 0.0), bandit([0.5], 0.0)])
"""Rewards 1/2 apart, and nothing else."""


class TestSampleComplexity:
    """Theorem 1, Corollary 1 and Lemma 8."""

    def test_a_distance_of_kappa_does_not_block(self) -> None:
        assert theta_eps(TWO, target=0, kappa=0.5) == ()
        assert theta_eps(TWO, target=0, kappa=math.nextafter(0.5, 0)) == (1,)

    def test_nor_does_one_of_kappa_over_gamma(self) -> None:
        """From state 0, worth 0, to state 1, worth 1/(1-γ) = 2: a distance of 2 = 1/γ."""
        stays, moves = (walk([[to], [1]], [[0.0], [1.0]], 0.5) for to in (0, 1))
        models = approximate_models([stays, moves])
        assert theta_eps(models, target=0, kappa=1.0) == ()
        assert theta_eps(models, target=0, kappa=math.nextafter(1.0, 0)) == (1,)

    @pytest.mark.parametrize("target", [-1, 2])
    def test_the_target_is_a_model(self, target: int) -> None:
        with pytest.raises(InputError, match="target"):
            theta_eps(TWO, target=target, kappa=1.0)

    def test_no_model_gives_no_information(self) -> None:
        assert fundamental_bound(Iteration(TWO, 0, (), 0.0), 1.0) == math.inf

    def test_pairs_are_counted_by_a_product(self) -> None:
        """min{3·2, 100} log(1/δ) with γ = 0 and ε = 1."""
        rate = corollary_1_rate(3, 2, 100, gamma=0.0, epsilon=1.0, delta=0.1, Gamma=0.0)
        assert rate == near(6 * math.log(10))

    def test_one_pair_is_one_phase(self) -> None:
        """S = A = 1 and two models: min{SA, |Θ|} = 1."""
        models = approximate_models([bandit([r], 0.0) for r in (0.0, 1.0)])
        found = theorem_1_bound(models, target=0, epsilon=0.5, delta=0.1, n=100, Delta=0.0)
        assert found.multiplicity == 1

    def test_the_nearest_model_may_stand_before_the_target(self) -> None:
        models = approximate_models([bandit([r], 0.0) for r in (0.25, 0.5, 1.0)])
        assert gap_Gamma(models, target=1) == 0.25

    def test_the_larger_square_counts(self) -> None:
        """log(1/δ)/max{Γ², ε²} with Γ = 1/2 and ε = 1/4."""
        rate = corollary_1_rate(1, 1, 1, gamma=0.0, epsilon=0.25, delta=0.1, Gamma=0.5)
        assert rate == near(4 * math.log(10))

    def test_sizes_are_positive(self) -> None:
        with pytest.raises(InputError, match="at least 1"):
            corollary_1_rate(0, 2, 3, gamma=0.0, epsilon=1.0, delta=0.1, Gamma=0.0)

    def test_quotients(self) -> None:
        """D23."""
        found = [
            zero_or_quotient(0.0, 0.0),
            zero_or_quotient(1.0, 0.0),
            zero_or_quotient(1.0, 2.0),
            zero_or_quotient(0.0, 2.0),
        ]
        assert found == [0.0, math.inf, 0.5, 0.0]


class TestRepairedPrediction:
    """Post-samples of two arms: SA(k+1) = 6 tests of 100 samples each."""

    WIDTH = hoeffding_width(tests=6, n_post=100, delta=0.1)

    def kept(self, found: float) -> tuple[int, ...]:
        models = approximate_models([bandit([0.0, 0.0], 0.0), bandit([found, 0.0], 0.0)])
        return reidentify(
            [[found, 0.0]], np.ones((1, 2, 1)), models, n_post=100, delta=0.1, errors=single(0.0)
        )

    def test_a_mean_at_the_border_does_not_stand_out(self) -> None:
        assert self.kept(self.WIDTH) == (0, 1)
        assert self.kept(math.nextafter(self.WIDTH, 1)) == (1,)

    def test_means_have_the_shape_of_the_models(self) -> None:
        r, p = np.zeros((1, 1)), np.ones((1, 1, 1))
        wide_r, wide_p = np.zeros((2, 1)), np.ones((2, 1, 1))
        for r_hat, p_hat, name in ((wide_r, p, "r_hat"), (r, wide_p, "p_hat")):
            with pytest.raises(InputError, match=name):
                reidentify(r_hat, p_hat, TWO, n_post=9, delta=0.1, errors=single(0.0))


class TestRepairedTheorem3:
    """Masses and chances at their borders."""

    def test_a_mass_of_eta_may_be_dropped(self) -> None:
        T_hat = np.array([[0.75, 0.75], [0.25, 0.25]])
        for eta, dropped in ((0.25, True), (math.nextafter(0.25, 0), False)):
            found = theorem_3_eliminates(T_hat, (0,), e_T=0.0, eta=eta)
            assert found.tolist() == [False, dropped]

    def test_what_never_fails_has_the_chance_zero(self) -> None:
        found = miss_probability(eta=0.25, delta_T=0.0, delta=0.5, invalid_errors=0.0)
        assert found == 0.75


class TestRepairedSampleComplexity:
    """The provable forms of Theorem 1 and Corollary 1."""

    def test_a_distance_of_twice_kappa_does_not_block(self) -> None:
        off = gap_tolerance(TWO.V_star)
        for kappa in (0.25, 0.25 - off):
            assert repaired.theta_s(TWO, target=0, kappa=kappa) == ()
        assert repaired.theta_s(TWO, target=0, kappa=0.25 - off - 2 * ROUNDING) == (1,)

    def test_pairs_are_counted_by_a_product(self) -> None:
        """One state, one action, three models: min{1·1, 2}."""
        models = approximate_models([bandit([r], 0.0) for r in (0.0, 0.5, 1.0)])
        bound = repaired.theorem_1_bound(models, target=0, epsilon=0.5, delta=0.1, n=9, Delta=0.0)
        assert bound.multiplicity == 1

    @pytest.mark.parametrize(
        ("S", "epsilon", "Gamma", "problem"),
        [(0, 1.0, 0.5, "S: "), (1, 1.0, -0.5, "Gamma"), (1, -1.0, 0.5, "epsilon")],
    )
    def test_refused(self, S: int, epsilon: float, Gamma: float, problem: str) -> None:
        with pytest.raises(InputError, match=problem):
            repaired.corollary_1_bound(
                S, 1, 2, gamma=0.5, epsilon=epsilon, delta=0.1, n=9, Gamma=Gamma
            )

    def test_the_whole_range_of_values_is_an_accuracy(self) -> None:
        """1/(1-γ) = 2; L·min{1000/(1/4), 16000/(4/16)}."""
        found = repaired.corollary_1_bound(
            1, 1, 2, gamma=0.5, epsilon=2.0, delta=0.1, n=9, Gamma=1.0
        )
        assert found == near(math.log(8 * 9 * 3 / 0.1) * 4000)


def lazy(columns: Floats) -> HMM:
    """Two tasks, each followed by itself nine times out of ten."""
    return HMM(O=columns, T=np.array([[0.9, 0.1], [0.1, 0.9]]), initial=np.full(2, 0.5))


class TestRepairedConditioning:
    """Lemma 10 and Equation 8 at a third of the level, names kept below a quarter of the gap."""

    FOUND = conditioning(lazy(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])), np.full(2, 0.5))

    def bounds(self, h: int, column_gap: float) -> tuple[float, float, bool, float]:
        constants = uniform_constants(self.FOUND, S=1, A=1, U=2, rho_1=1, rho_2=2)
        found = repaired_bounds(
            constants,
            replace(self.FOUND, column_gap=column_gap),
            Level(S=1, A=1, U=2, h=h, delta_prime=0.3),
            gamma=0.5,
            sigma_bar=None,
        )
        return found.mu_3.bound, found.moments, found.names_kept, found.O.bound

    @pytest.mark.parametrize("h", [3, 4, 10**12])
    def test_a_third_of_the_level(self, h: int) -> None:
        mu_3, moments, _, _ = self.bounds(h, 1.0)
        third = 0.3 / 3
        assert moments == spectral_bounds.moment_error_bound(
            S=1, A=1, h=h, delta_prime=third, g_mix=self.FOUND.g
        )
        assert mu_3 == (
            spectral_bounds.mu_error_bound(
                Level(S=1, A=1, U=2, h=h, delta_prime=third), rho_1=1, rho_2=2
            ).bound
        )

    def test_two_tasks_make_no_triple(self) -> None:
        assert self.bounds(2, 1.0)[1] == math.inf

    def test_names_are_kept_below_a_quarter_of_the_gap(self) -> None:
        bound = self.bounds(10**12, 1.0)[3]
        for gap, kept in ((4 * bound, False), (math.nextafter(4 * bound, 1), True)):
            assert self.bounds(10**12, gap)[2] is kept

    def test_the_ceiling_of_a_moment_is_the_number_of_pairs(self) -> None:
        """One state, two actions: λ_max(Σ_21) ≤ SA = 2."""
        columns = np.array([[0.9, 0.1, 0.8, 0.2, 1, 1], [0.2, 0.8, 0.3, 0.7, 1, 1]]).T
        found = conditioning(lazy(columns), np.full(2, 0.5))
        constants = uniform_constants(found, S=1, A=2, U=2, rho_1=1, rho_2=1)
        floor = (found.sigma_k_O * found.sigma_k_T) ** 2 * found.omega_min / 2
        assert constants.rho_4 == spectral_bounds.rho_4(
            rho_2=1, S=1, A=2, C_S=constants.C_S, lambda_max_Sigma_21=2.0, sigma_k_Sigma_31=floor
        )


class TestGrid:
    """Sizes and cells."""

    def test_two_columns_have_room_for_a_wall(self) -> None:
        assert Grid(3, 2, door=0).S == 6

    def test_a_door_is_in_the_wall(self) -> None:
        with pytest.raises(InputError, match="door"):
            Grid(3, 2, door=-1)

    @pytest.mark.parametrize("cell", [(1,), (1, 1, 1), [1, 1], (0.5, 1)])
    def test_a_cell_is_a_pair_of_integers(self, cell: object) -> None:
        with pytest.raises(InputError, match="cell"):
            Grid(3, 2).state(cast("tuple[int, int]", cell))
