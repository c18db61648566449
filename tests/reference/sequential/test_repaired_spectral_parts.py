"""The parts of the repaired Appendix C on small tables, each by hand."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from ptum.checks.verdicts.tolerances import of_views_within
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.errors import InputError
from ptum.reference.repaired.sequential import spectral
from ptum.reference.sequential.hmm import HMM, Moments, population_moments
from ptum.reference.sequential.recovery import recovery_tolerance
from ptum.reference.sequential.spectral import HmmEstimate, NotEnoughData, NotIdentifiable
from ptum.reference.sequential.tensor_power import Eigenpairs
from tests.support.closeness import near
from tests.support.recovered import aligned, column_error, frequencies_off


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


O = np.array([[1.0, 0.25], [0.0, 0.5], [0.5, 1.0]])
T = np.array([[0.75, 0.5], [0.25, 0.5]])
PI = np.array([0.625, 0.375])
MODEL = HMM(O=O, T=T, initial=PI)
"""Two tasks; all numbers are binary fractions."""


def require_model(outcome: spectral.SpectralOutcome) -> None:
    """O, T and the weights T π, up to rounding."""
    found, allowed = aligned(outcome, O), recovery_tolerance(MODEL, PI)
    assert column_error(found.O, O) <= allowed.O < 1e-6
    assert column_error(found.T, T) <= allowed.T < 1e-6
    assert found.weights == pytest.approx(T @ PI, rel=0, abs=allowed.T)
    assert found.eigenvalues**-2 == near(found.weights)


class TestNoise:
    """D102 and D99."""

    def test_weighted_norms(self) -> None:
        """Rows times the lengths of others; one table is high, the other wide."""
        high = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
        assert spectral._weighted_norm(high, np.array([[1.0], [2.0], [3.0]])) == near(6)
        assert spectral._weighted_norm(high, np.array([[1.0], [7.0], [0.0]])) == near(math.sqrt(50))
        wide = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]])
        assert spectral._weighted_norm(wide, np.array([[3.0, 4.0], [0.0, 2.0]])) == near(5)
        assert spectral._weighted_norm(wide, np.zeros((2, 1))) == 0.0

    def test_an_eigenvalue_that_rounding_puts_below_zero(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("scipy.linalg.eigh", lambda *_, **__: np.array([-1e-20]))
        assert spectral._weighted_norm(np.ones((2, 2)), np.ones((2, 2))) == 0.0

    def test_noise(self) -> None:
        X, Y = np.array([[3.0, 0.0], [0.0, 1.0]]), np.array([[2.0], [5.0]])
        assert spectral._noise(X, Y) == near((6 + math.sqrt(61)) / 2)

    def test_noise_of_batches(self) -> None:
        """Contrasts e = (1, 2) and g = (2, 3): both products are 40, and h = 2."""
        c = np.array([[1.0], [7.0]])
        b = c + math.sqrt(2) * np.array([[1.0], [2.0]])
        a = (math.sqrt(6) * np.array([[2.0], [3.0]]) + b + c) / 2
        assert spectral._noise_of_batches(a, b, c) == near(math.sqrt(40 / 3))

    def test_rounding(self) -> None:
        assert spectral._rounding(np.zeros((5, 3))) == 23 * ROUNDING

    def test_singular_values(self) -> None:
        """The mean of x ⊗ y is diag(3, 1/2); outside of its first direction 1·1 is left."""
        X, Y = np.diag([3.0, 1.0]), np.diag([2.0, 1.0])
        assert spectral._singular_value_and_noise(X, Y, 2) == near((0.5, 1.0))
        assert spectral._singular_value_and_noise(X, Y, 1) == near((3.0, 6.0))

    def test_rounding_is_noise_too(self) -> None:
        """Nothing outside of one direction: 4·2 + 2 roundings of the only singular value, 6."""
        X, Y = np.array([[3.0, 0.0], [3.0, 0.0]]), np.array([[2.0, 0.0], [2.0, 0.0]])
        found = spectral._singular_value_and_noise(X, Y, 2)
        assert found == near((0.0, 60 * ROUNDING))

    def test_components_that_are_missing(self) -> None:
        def pairs(least: float) -> Eigenpairs:
            return Eigenpairs(
                lambdas=np.array([2.0, least]), vectors=np.eye(2), residual=np.zeros((2, 2, 2))
            )

        expected = NotIdentifiable("least eigenvalue of M_3(W,W,W)", 0.5, 0.5)
        assert spectral._missing_component(pairs(0.5)) == expected
        assert spectral._missing_component(pairs(math.nextafter(0.5, 1))) is None


class TestTables:
    """Views, bases, moments."""

    def test_views(self) -> None:
        o = np.arange(10.0)
        assert spectral._view(o, 1, 3, 3).tolist() == [1.0, 4.0, 7.0]
        assert spectral._view(o, 0, 3, 3).tolist() == [0.0, 3.0, 6.0]
        assert spectral._view(o, 2, 4, 1).tolist() == [2.0, 3.0, 4.0, 5.0]

    def test_without_directions(self) -> None:
        X = np.array([[1.0, 2.0, 3.0]])
        assert spectral._without(X, np.eye(3)[:, :1]).tolist() == [[0.0, 2.0, 3.0]]
        assert spectral._without(X, np.eye(3)[:, :0]).tolist() == X.tolist()

    def test_bases(self) -> None:
        """Fewer than half as many rows as columns are worth a basis."""
        assert spectral.span(np.ones((1, 2))) is None
        assert spectral.span(np.ones((2, 3))) is None
        assert spectral.span(np.eye(3, 7)) is not None
        rows = np.array([[0.0, 3.0, 4.0]])
        basis = spectral.span(rows)
        assert basis is not None
        assert basis.shape == (3, 1)
        assert np.abs(spectral.coordinates(rows, basis)) == near(np.array([[5.0]]))
        np.testing.assert_array_equal(spectral.coordinates(rows, None), rows)

    def test_estimates_are_turned_back(self) -> None:
        """Columns of Ô and of μ̂_3 have the length of an observation."""
        basis, one = np.eye(3)[:, 1:], np.ones(2)
        inside = HmmEstimate(np.diag([2.0, 3.0]), T, one, one, mu_3=np.diag([5.0, 7.0]))
        found = spectral.in_full_space(inside, basis)
        assert isinstance(found, HmmEstimate)
        assert found.O.tolist() == [[0.0, 0.0], [2.0, 0.0], [0.0, 3.0]]
        assert found.mu_3 is not None
        assert found.mu_3.tolist() == [[0.0, 0.0], [5.0, 0.0], [0.0, 7.0]]

    def test_symmetric_tensors(self) -> None:
        found = spectral._symmetric(np.arange(8.0).reshape(2, 2, 2))
        assert found[0, 0, 0] == 0.0
        assert found[1, 1, 1] == near(7)
        for place in ((0, 0, 1), (0, 1, 0), (1, 0, 0)):
            assert found[place] == near(7 / 3)

    def test_third_moments(self) -> None:
        """Two rows; only the first has anything in all three views."""
        x, y, z = (np.array([[value], [0.0]]) for value in (2.0, 3.0, 5.0))
        assert spectral._third_moment(x, y, z).tolist() == [[[near(15.0)]]]

    def test_eigenpairs_of_the_symmetric_part(self) -> None:
        """(2, 2; 2, 5) has 6 with (1, 2) and 1."""
        M = np.array([[2.0, 1.0], [3.0, 5.0]])
        values, vectors = spectral._leading_eigenpairs(M, 2)
        assert values == near([6.0, 1.0])
        assert np.abs(vectors[:, 0]) == near(np.array([1.0, 2.0]) / math.sqrt(5))
        values, vectors = spectral._leading_eigenpairs(M, 1)
        assert values == near([6.0])
        assert vectors.shape == (2, 1)

    @pytest.mark.parametrize("views", [2, 4])
    def test_three_batches(self, views: int) -> None:
        with pytest.raises(InputError, match=r"batches: must have shape \(3, h, d\)"):
            spectral.learn_within_task(np.zeros((views, 5, 2)), 1, 1, 1, rng())


class TestTransitions:
    """Steps between tasks that are told apart without error."""

    def test_by_hand(self) -> None:
        f = np.eye(2)[[0, 1, 1, 0, 1]]
        found = spectral._transitions(f, np.eye(2))
        assert found is not None
        np.testing.assert_array_equal(found, [[0.0, 0.5], [1.0, 0.5]])

    def test_a_task_that_is_never_left(self) -> None:
        assert spectral._transitions(np.eye(2)[[0, 0, 1]], np.eye(2)) is None

    def test_half_a_step_is_enough(self) -> None:
        """Of two steps 1/2 + 1/2 leave task 0 and 1/2 + 1/2 task 1; then a little less."""
        f = np.array([[0.5, 0.5], [1.0, 0.0]])
        found = spectral._transitions(f, np.eye(2))
        assert found is not None
        assert found.tolist() == [[1.0, 1.0], [0.0, 0.0]]
        less = np.array([[0.5, math.nextafter(0.5, 0)], [1.0, 0.0]])
        assert spectral._transitions(less, np.eye(2)) is None
        longer = np.array([[0.75, 0.25], [1.0, 0.0], [1.0, 0.0]])
        assert spectral._transitions(longer, np.eye(2)) is None

    def test_less_than_half_of_three_steps(self) -> None:
        f = np.array([[0.55, 0.45], [1.0, 0.0], [1.0, 0.0], [1.0, 0.0]])
        assert spectral._transitions(f, np.eye(2)) is None

    def test_a_quarter_of_two_steps(self) -> None:
        """Task 1 is left in half of one step of two: a share of 1/4."""
        f = np.array([[0.5, 0.5], [1.0, 0.0], [1.0, 0.0]])
        found = spectral._transitions(f, np.eye(2))
        assert found is not None
        np.testing.assert_array_equal(found, [[1.0, 1.0], [0.0, 0.0]])


class TestData:
    """How many triples and tasks are enough."""

    @pytest.mark.parametrize(
        ("h", "k", "overlapping", "triples"),
        [(8, 3, False, 2), (2, 1, False, 0), (5, 2, False, 1), (4, 3, True, 2), (1, 1, True, 0)],
    )
    def test_triples(self, h: int, k: int, overlapping: bool, triples: int) -> None:
        o = np.eye(h)[:, :4] if h >= 4 else np.eye(4)[:h]
        found = spectral.learn_hmm(o, k, 1, 1, rng(), overlapping=overlapping)
        assert found == NotEnoughData("triples", triples, k)

    def test_triples_are_disjoint_unless_it_is_said_otherwise(self) -> None:
        found = spectral.learn_hmm(np.eye(5)[:, :4], 2, 1, 1, rng())
        assert found == NotEnoughData("triples", 1, 2)

    @pytest.mark.parametrize(("h", "k", "overlapping"), [(6, 2, False), (4, 2, True)])
    def test_as_many_triples_as_tasks(self, h: int, k: int, overlapping: bool) -> None:
        o = np.tile(np.array([[1.0, 0.0], [0.0, 1.0]]), (h // 2, 1))
        found = spectral.learn_hmm(o, k, 1, 1, rng(), overlapping=overlapping)
        assert not isinstance(found, NotEnoughData)

    def test_tasks(self) -> None:
        found = spectral.learn_within_task(np.ones((3, 1, 2)), 2, 1, 1, rng())
        assert found == NotEnoughData("tasks", 1, 2)
        one = spectral.learn_within_task(np.ones((3, 1, 2)), 1, 1, 1, rng())
        assert isinstance(one, HmmEstimate)

    def test_one_task_is_the_mean(self) -> None:
        batches = np.arange(12.0).reshape(3, 2, 2)
        found = spectral.learn_within_task(batches, 1, 1, 1, rng())
        assert isinstance(found, HmmEstimate)
        assert found.O.tolist() == [[5.0], [6.0]]
        assert found.T is not None
        assert found.T.tolist() == [[1.0]]
        assert (found.weights.tolist(), found.eigenvalues.tolist()) == ([1.0], [1.0])


def moments(d: int, /, **changes: Floats) -> Moments:
    """Unit matrices and a tensor without components, 3 terms, unless it is said otherwise."""
    names = ("Sigma_12", "Sigma_13", "Sigma_21", "Sigma_31", "Sigma_32", "M_2")
    tables = {name: np.eye(d) for name in names} | {"M_3": np.zeros((d, d, d))} | changes
    return Moments(**tables, terms=3)


class TestExactMoments:
    """D99: (4·3 + 2) roundings of the largest value, 4."""

    ZERO = 14 * ROUNDING * 4

    @pytest.mark.parametrize(
        ("name", "quantity"),
        [
            ("Sigma_12", "singular value 2 of Sigma_12"),
            ("Sigma_31", "singular value 2 of Sigma_31"),
            ("M_2", "eigenvalue 2 of M_2"),
        ],
    )
    def test_the_border_is_zero(self, name: str, quantity: str) -> None:
        at = spectral.learn_from_moments(
            moments(2, **{name: np.diag([4.0, self.ZERO])}), 2, 1, 1, rng()
        )
        assert at == NotIdentifiable(quantity, self.ZERO, self.ZERO)
        above = np.diag([4.0, math.nextafter(self.ZERO, 1)])
        found = spectral.learn_from_moments(moments(2, **{name: above}), 2, 1, 1, rng())
        assert found == NotIdentifiable("least eigenvalue of M_3(W,W,W)", 0.0, 0.5)

    @pytest.mark.parametrize("name", ["Sigma_12", "Sigma_31", "M_2"])
    def test_the_third_of_three(self, name: str) -> None:
        """15 roundings of 4."""
        zero = 15 * ROUNDING * 4
        given = moments(3, **{name: np.diag([4.0, 2.0, zero])})
        found = spectral.learn_from_moments(given, 3, 1, 1, rng())
        assert isinstance(found, NotIdentifiable)
        assert (found.value, found.threshold) == (zero, zero)

    def test_a_small_model_is_found(self) -> None:
        found = spectral.learn_from_moments(population_moments(MODEL, PI), 2, 10, 50, rng())
        require_model(found)

    @pytest.mark.parametrize(("times", "zeros"), [(1, 0), (5, 0), (1, 40)])
    def test_tasks_without_noise_are_found(self, times: int, zeros: int) -> None:
        """Three equal batches: the realised frequencies of tasks 0, 1, 1, 0, 1, 0, …, 0."""
        tasks = np.array([0, 1, 1, 0, 1, 0] * times + [0])
        columns = np.vstack([O, np.zeros((zeros, 2))])
        batches = np.stack([columns[:, tasks].T] * 3)
        found = aligned(spectral.learn_within_task(batches, 2, 10, 50, rng()), columns)
        allowed = of_views_within(columns, tasks)
        assert column_error(found.O, columns) <= allowed < 1e-9
        assert found.weights == pytest.approx(np.bincount(tasks) / len(tasks), rel=0, abs=allowed)
        steps = np.array([[1 / 3, 2 / 3], [2 / 3, 1 / 3]])
        assert column_error(found.T, steps) <= frequencies_off(columns, tasks, allowed) < 1e-6


class TestTriplesWithoutNoise:
    """Every triple of tasks as often as the model says, many times over."""

    def observations(self) -> Floats:
        """Chances are multiples of 1/128; 40 times 128 triples."""
        tasks: list[int] = []
        for i, j, l in itertools.product(range(2), repeat=3):
            chance = PI[i] * T[j, i] * T[l, j]
            tasks += [i, j, l] * round(128 * chance)
        return O[:, tasks * 40].T

    def learnt(self) -> spectral.SpectralOutcome:
        return spectral.learn_hmm(self.observations(), 2, 10, 50, rng())

    def test_the_model_is_found(self) -> None:
        """Sums of multiples of 1/64 are exact, so moments are off by fewer roundings than there."""
        require_model(self.learnt())

    @pytest.mark.parametrize("name", ["Sigma_12", "Sigma_31"])
    def test_a_singular_value_at_the_border(
        self, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        answers = iter([(1.0, 0.5)] * (name == "Sigma_31") + [(0.5, 0.5)])
        monkeypatch.setattr(spectral, "_singular_value_and_noise", lambda *_: next(answers))
        assert self.learnt() == NotIdentifiable(f"singular value 2 of {name}", 0.5, 0.5)

    def eigenvalues(self) -> Floats:
        M_2 = population_moments(MODEL, PI).M_2
        return np.asarray(np.linalg.eigvalsh((M_2 + M_2.T) / 2)[::-1], dtype=np.float64)

    def test_an_eigenvalue_at_the_border(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Noise outside of the leading direction, which is one direction of two."""
        monkeypatch.setattr(spectral, "_singular_value_and_noise", lambda *_: (1.0, 0.0))
        monkeypatch.setattr(spectral, "_rounding", lambda _: 0.25)
        seen: list[Floats] = []

        def recorded(X: Floats, Y: Floats) -> float:
            seen.extend((X, Y))
            return 1.0

        monkeypatch.setattr(spectral, "_noise", recorded)
        found = self.learnt()
        first, second = self.eigenvalues()[:2]
        assert isinstance(found, NotIdentifiable)
        assert found.quantity == "eigenvalue 2 of M_2"
        assert found.value == near(second)
        assert found.threshold == near(1.0 + 0.25 * first)
        assert [int(np.linalg.matrix_rank(rows, tol=1e-6)) for rows in seen] == [1, 1]
        monkeypatch.setattr(spectral, "_rounding", lambda _: 0.0)
        monkeypatch.setattr(spectral, "_noise", lambda *_: found.value)
        assert self.learnt() == NotIdentifiable(found.quantity, found.value, found.value)
        below = math.nextafter(found.value, 0)
        monkeypatch.setattr(spectral, "_noise", lambda *_: below)
        assert isinstance(self.learnt(), HmmEstimate)

    def test_an_eigenvalue_of_batches_at_the_border(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Tasks 0 and 1 equally often, without noise: M_2 = O O^T/2."""
        batches = np.stack([O[:, [0, 1] * 4].T] * 3)

        def learnt() -> spectral.SpectralOutcome:
            return spectral.learn_within_task(batches, 2, 10, 50, rng())

        monkeypatch.setattr(spectral, "_rounding", lambda _: 0.25)
        monkeypatch.setattr(spectral, "_noise_of_batches", lambda *_: 1.0)
        found = learnt()
        first, second = np.linalg.eigvalsh(O @ O.T / 2)[::-1][:2]
        assert isinstance(found, NotIdentifiable)
        assert found.value == near(second)
        assert found.threshold == near(1.0 + 0.25 * first)
        monkeypatch.setattr(spectral, "_rounding", lambda _: 0.0)
        monkeypatch.setattr(spectral, "_noise_of_batches", lambda *_: found.value)
        assert learnt() == NotIdentifiable("eigenvalue 2 of M_2", found.value, found.value)
        below = math.nextafter(found.value, 0)
        monkeypatch.setattr(spectral, "_noise_of_batches", lambda *_: below)
        assert isinstance(learnt(), HmmEstimate)

    def test_the_eigenvalue_of_one_task(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Task 0 alone: M_2 is the square of its column, of length 5/4."""
        o = np.tile(O[:, 0], (9, 1))
        monkeypatch.setattr(spectral, "_singular_value_and_noise", lambda *_: (1.0, 0.0))
        monkeypatch.setattr(spectral, "_noise", lambda *_: 10.0)
        found = spectral.learn_hmm(o, 1, 10, 50, rng())
        assert isinstance(found, NotIdentifiable)
        assert found.value == near(1.25)

    def test_the_last_of_three_eigenvalues_decides(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """M_2 = diag(4, 9/4, 1)/3, with noise between the last two."""
        batches = np.stack([np.diag([2.0, 1.5, 1.0])] * 3)
        monkeypatch.setattr(spectral, "_noise_of_batches", lambda *_: 0.5)
        found = spectral.learn_within_task(batches, 3, 10, 50, rng())
        assert isinstance(found, NotIdentifiable)
        assert found.value == near(1 / 3)
