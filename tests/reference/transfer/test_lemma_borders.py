"""The lemmas of Appendix B on their borders: where two sides are equal, and what is refused."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import numpy.typing as npt
import pytest

from ptum.reference.arrays import ROUNDING
from ptum.reference.errors import InputError
from ptum.reference.inequalities import Inequality
from ptum.reference.repaired.transfer.analysis import lemmas as repaired
from ptum.reference.repaired.transfer.analysis.sample_complexity import corollary_1_bound, theta_s
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import approximate_models
from ptum.reference.tasks.values import gap_tolerance, value_tolerance
from ptum.reference.transfer.analysis import lemmas
from ptum.reference.transfer.analysis.concentration import (
    bernstein,
    bernstein_width,
    empirical_bernstein,
    empirical_bernstein_width,
    sample_variance,
)
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.analysis.simulation import (
    optimal_value_sides,
    policy_value_bound,
    policy_value_sides,
    value_error_sides,
)
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.confidence import Widths, widths
from ptum.reference.transfer.empirical import empirical_model, empty_data
from tests.support.closeness import near
from tests.support.instances import bandit, walk


class TestConcentration:
    """Lemmas 1 and 2."""

    def test_the_left_side_is_a_distance(self) -> None:
        """Samples of mean 1/2; 1/4 lies below it, 1 above."""
        for mean, distance in ((0.25, 0.25), (1.0, 0.5)):
            assert bernstein((0.0, 1.0), mean, 0.25, 1.0, 0.1).left == distance
            assert empirical_bernstein((0.0, 1.0), mean, 1.0, 0.1).left == distance

    def test_one_sample_says_nothing_about_the_variance(self) -> None:
        """D03."""
        found = empirical_bernstein((0.5,), mean=0.5, c=1.0, delta=0.1)
        assert (found.left, found.right) == (0.0, math.inf)
        assert bernstein((0.5,), 0.5, 0.0, 1.0, 2 / math.e).right == near(1 / 3)
        assert sample_variance(np.array([0.5])) == 0.0
        assert sample_variance(np.array([0.0, 1.0])) == 0.5

    def test_no_sample_is_refused(self) -> None:
        with pytest.raises(InputError, match=r"^samples: at least one.*\(found 0\)"):
            bernstein((), 0.5, 0.25, 1.0, 0.1)

    def test_a_constant_has_range_zero_and_no_width(self) -> None:
        assert bernstein_width(0.0, 1, 0.0, 0.1) == 0.0
        assert empirical_bernstein_width(0.0, 2, 0.0, 0.1) == 0.0

    @pytest.mark.parametrize("c", [math.inf, -0.5])
    def test_the_range_is_a_finite_length(self, c: float) -> None:
        with pytest.raises(InputError, match="c: the bound"):
            bernstein_width(1.0, 9, c, 0.1)

    def test_a_small_negative_variance_is_refused(self) -> None:
        with pytest.raises(InputError, match="variance: must not be negative"):
            bernstein_width(-0.5, 9, 1.0, 0.1)


class TestSimulation:
    """Lemma 5 and Corollary 2."""

    STAYS = walk([[0], [1]], [[0.0], [1.0]], 0.5)
    MOVES = walk([[1], [1]], [[0.0], [1.0]], 0.5)

    def test_what_rounding_can_add(self) -> None:
        """Values up to 1/(1-γ) = 2: an error of 2/(1-γ) = 4 times theirs, and that of the right."""
        only = np.zeros(2, dtype=np.int64)
        for sides in (
            policy_value_sides(theta=self.STAYS, theta_prime=self.MOVES, pi=only),
            optimal_value_sides(theta=self.STAYS, theta_prime=self.MOVES),
            value_error_sides(theta=self.STAYS, theta_prime=self.MOVES),
        ):
            of_values = 4 * value_tolerance(np.array([2.0, 2.0]), 0.5)
            assert sides.tolerance == of_values + value_tolerance(np.asarray(sides.right), 0.5)

    def test_the_bound_is_that_of_the_state_where_the_walk_begins(self) -> None:
        """Rewards 1/2 apart in state 1, where a walk from 0 stays γ/(1-γ) = 1 and one from 1 2."""
        less = walk([[1], [1]], [[0.0], [0.5]], 0.5)
        found = policy_value_bound(
            theta=self.MOVES, theta_prime=less, pi=np.zeros(2, dtype=np.int64)
        )
        np.testing.assert_array_equal(found, [0.5, 1.0])

    @pytest.mark.parametrize(
        "other",
        [
            bandit([0.0], 0.5),
            walk([[0, 0], [1, 1]], [[0.0, 0.0], [1.0, 1.0]], 0.5),
            walk([[0], [1]], [[0.0], [1.0]], 0.25),
        ],
        ids=["S", "A", "gamma"],
    )
    def test_only_like_tasks_are_compared(self, other: MDP) -> None:
        for one, two in ((self.STAYS, other), (other, self.STAYS)):
            with pytest.raises(InputError, match="theta_prime: must have the S, A and γ"):
                policy_value_bound(theta=one, theta_prime=two, pi=np.zeros(one.S, dtype=np.int64))


class TestRepairedLemma7:
    """The largest information about the target."""

    def test_without_an_active_model_there_is_none(self) -> None:
        models = approximate_models([bandit([0.0, 0.5], 0.0), bandit([1.0, 0.5], 0.0)])
        found = repaired.positive_index(Iteration(models, 0, (), 0.0), epsilon=0.5)
        assert (float(found.left), found.holds) == (0.0, False)


THREE_ARMS = approximate_models([bandit([r, 0.5], 0.0) for r in (0.0, 0.25, 1.0)])
"""One state and γ = 0: the first arm is worth 0, 1/4 or 1, the second 1/2."""


class TestLemma3:
    """Distances may equal the widths."""

    def test_equal_sides_hold(self) -> None:
        data = empty_data(1, 2)
        for a, reward in ((0, 0.0), (0, 0.0), (1, 0.5), (1, 0.5)):
            data.store(0, a, reward, 0)
        hat = empirical_model(data, THREE_ARMS.V_star)
        wide = widths(hat, single(0.0), 0.0, 9, 3, 0.1)
        nothing = Widths(*(np.zeros_like(getattr(wide, part.name)) for part in fields(wide)))
        found = lemmas.valid_confidence_set(0, hat, nothing, THREE_ARMS)
        assert not np.any(found.left)
        assert found.holds
        assert not lemmas.valid_confidence_set(2, hat, nothing, THREE_ARMS).holds


class TestLemma4:
    """More than n̄ samples."""

    def instance(self, N: npt.ArrayLike, n_bar: npt.ArrayLike) -> Inequality:
        both = Iteration(THREE_ARMS, 0, (0, 1), 0.0)
        return lemmas.elimination_within(both, theta=1, N=np.array(N), n_bar_theta=np.array(n_bar))

    def test_n_bar_samples_are_not_enough(self) -> None:
        assert self.instance([[3]], [[3.0]]).holds
        assert self.instance([[2]], [[3.0]]).holds
        assert self.instance([[4]], [[3.0]]).refutes

    @pytest.mark.parametrize("N", [[[3], [3]], [[3, 3]]])
    def test_counts_are_those_of_the_pairs(self, N: list[list[int]]) -> None:
        for counts, bound in ((N, [[3.0]]), ([[3]], N)):
            with pytest.raises(InputError, match="N: needs one count per pair"):
                self.instance(counts, bound)


class TestLemma6:
    """κ_ε = 1/16 at ε = 1/4: both other models differ by more in the first arm."""

    def instance(self, active: tuple[int, ...]) -> Inequality:
        return lemmas.stopping_condition(Iteration(THREE_ARMS, 0, active, 0.0), epsilon=0.25)

    def test_one_active_model_is_enough(self) -> None:
        for active, found in (((0,), 0), ((0, 1), 1), ((0, 2), 1), ((0, 1, 2), 2)):
            instance = self.instance(active)
            assert (float(instance.left), float(instance.right)) == (found, 1.0)
            assert instance.holds is (found >= 1)

    def test_premises(self) -> None:
        """The second arm is best but in the last model, where it loses 1/2 > ε."""
        assert dict(self.instance((0, 1)).premises) == {
            lemmas.TARGET_ACTIVE: True,
            lemmas.NO_STOP: False,
        }
        assert dict(self.instance((0, 2)).premises) == {
            lemmas.TARGET_ACTIVE: True,
            lemmas.NO_STOP: True,
        }


class TestLemma7:
    """The index at the queried pair exceeds 0."""

    def test_sides_and_premises(self) -> None:
        found = lemmas.positive_index(Iteration(THREE_ARMS, 0, (0, 2), 0.0), epsilon=0.25)
        assert (float(found.left), float(found.right), found.holds) == (1.0, 0.0, True)
        assert found.premises_met
        alike = lemmas.positive_index(Iteration(THREE_ARMS, 0, (0,), 0.0), epsilon=0.25)
        assert (float(alike.left), alike.holds, alike.premises_met) == (0.0, False, False)

    def test_line_14_misses_by_more_than_rounding(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Losses of 1/2 in the other model; with v = 1/64, ε = 1/2 - 4v and anything above stop."""
        monkeypatch.setattr(lemmas, "value_tolerance", lambda *_: 1 / 64)
        for epsilon, goes_on in ((7 / 16 - 1 / 1024, True), (7 / 16, False), (0.5, False)):
            found = lemmas.positive_index(Iteration(THREE_ARMS, 0, (0, 2), 0.0), epsilon=epsilon)
            assert found.premises[lemmas.NO_STOP] is goes_on


class TestLemma8:
    """Fewer samples than the bound."""

    def instance(self, N: list[list[int]]) -> Inequality:
        return lemmas.fundamental_within(
            Iteration(THREE_ARMS, 0, (0, 2), 0.0), N=np.array(N), bound=5.0
        )

    def test_the_bound_itself_is_too_much(self) -> None:
        assert self.instance([[4, 9]]).holds
        assert not self.instance([[5, 0]]).holds
        assert not self.instance([[6, 0]]).holds

    @pytest.mark.parametrize("N", [[[0], [0]], [[0]], [[0, 0], [0, 0]]])
    def test_counts_are_those_of_the_pairs(self, N: list[list[int]]) -> None:
        with pytest.raises(InputError, match="N: needs one count per pair"):
            self.instance(N)


class TestLemma9:
    """Errors up to what rounding adds, here 1/64, and losses up to 8 + 4γ = 8 times as much."""

    @pytest.fixture(autouse=True)
    def eighth(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(lemmas, "value_tolerance", lambda *_: 1 / 64)

    def instance(self, epsilon: float, error: float) -> Inequality:
        """The second arm, best in the first model, loses 1/2 in the last."""
        return lemmas.correctness_within(
            Iteration(THREE_ARMS, 2, (0, 2), 0.25),
            returned=0,
            true=THREE_ARMS.tasks,
            epsilon=epsilon,
            errors=single(error),
        )

    def test_a_loss_at_the_border(self) -> None:
        found = self.instance(epsilon=0.375, error=0.0)
        assert (list(np.ravel(found.left)), list(np.ravel(found.right))) == ([0.5], [0.375])
        assert found.holds
        assert self.instance(epsilon=1.0, error=0.0).holds
        assert not self.instance(epsilon=math.nextafter(0.375, 0), error=0.0).holds

    def test_an_error_at_the_border(self) -> None:
        border = 0.25 + 1 / 64
        for error, met in ((0.0, True), (border, True), (math.nextafter(border, 1), False)):
            found = self.instance(epsilon=0.375, error=error)
            assert found.premises[lemmas.ASSUMPTION_1] is met

    @pytest.mark.parametrize(("gamma", "times"), [(0.0, 8), (0.25, 9), (0.5, 10), (0.75, 11)])
    def test_the_far_sighted_are_allowed_more(self, gamma: float, times: int) -> None:
        assert lemmas.correctness_tolerance(np.zeros(1), gamma) == times / 64


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
