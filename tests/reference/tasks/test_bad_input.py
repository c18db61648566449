"""Everything outside the premises is refused by name, place and value; nothing is made to fit."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from ptum.reference.errors import InputError
from ptum.reference.repaired.transfer import stopping as repaired_stopping
from ptum.reference.repaired.transfer.ptum import ptum as repaired_ptum
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.sequential_bounds import c_h
from ptum.reference.tasks.generative import Simulator, ask
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, deterministic_rewards
from ptum.reference.tasks.models import approximate_models
from ptum.reference.tasks.values import action_value, policy_value, transition_std, visitation
from ptum.reference.transfer.analysis.concentration import bernstein_width
from ptum.reference.transfer.assumptions import ModelErrors, model_errors, single
from ptum.reference.transfer.confidence import log_term, log_term_sigma
from ptum.reference.transfer.fallback import samples_per_pair
from ptum.reference.transfer.information import excess_gap
from ptum.reference.transfer.ptum import PtumResult, ptum
from ptum.reference.transfer.stopping import (
    enters_transfer_mode,
    stopping_slack,
    transfer_threshold,
)
from tests.support.instances import bandit, two_states
from tests.support.oracles import Silent

NAN, INF = math.nan, math.inf
ANY_VALUE = object()
TWO_ARMS = approximate_models([bandit([1.0, 0.0], 0.0), bandit([0.0, 1.0], 0.0)])


def _refused(
    call: Callable[[], object],
    argument: str,
    index: tuple[int, ...] | None = None,
    value: object = ANY_VALUE,
) -> InputError:
    """The call raises InputError about this argument, place and value, and its message says so."""
    with pytest.raises(InputError) as caught:
        call()
    error = caught.value
    assert error.argument == argument
    assert error.index == index
    if value is not ANY_VALUE:
        assert repr(error.value) == repr(value)  # which a NaN has in common with another one
        assert str(value) in str(error)
    assert argument in str(error)
    return error


def _mdp(**changes: object) -> MDP:
    """A good task with two states and one action, and some fields replaced."""
    fields: dict[str, Any] = {
        "p": [[[0.5, 0.5]], [[0.0, 1.0]]],
        "q": [[[0.5, 0.5]], [[1.0, 0.0]]],
        "u": [0.0, 1.0],
        "gamma": 0.9,
    }
    return MDP(**(fields | changes))


def test_the_unchanged_task_is_good() -> None:
    assert _mdp().S == 2


class TestTask:
    """Section 2."""

    @pytest.mark.parametrize(
        ("table", "index", "value"),
        [
            ([[[0.5, 0.5]], [[0.5, 0.25]]], (1, 0), 0.75),
            ([[[0.5, 0.5]], [[0.5, 0.5 + 1e-12]]], (1, 0), 1 + 1e-12),
            ([[[1.5, -0.5]], [[0.0, 1.0]]], (0, 0, 1), -0.5),
            ([[[0.5, 0.5]], [[NAN, 1.0]]], (1, 0, 0), NAN),
            ([[[0.5, 0.5]], [[INF, 1.0]]], (1, 0, 0), INF),
        ],
    )
    @pytest.mark.parametrize("name", ["p", "q"])
    def test_rows_that_are_no_distributions(
        self, name: str, table: npt.ArrayLike, index: tuple[int, ...], value: float
    ) -> None:
        _refused(lambda: _mdp(**{name: table}), name, index, value)

    def test_rounded_rows_are_good_and_kept_as_they_are(self) -> None:
        row = [0.3, 0.3, 0.1, 0.1, 0.1, 0.1]
        assert np.array(row).sum() != 1.0
        theta = MDP(p=np.ones((1, 1, 1)), q=np.array([[row]]), u=np.linspace(0, 1, 6), gamma=0.5)
        assert theta.q[0, 0].tolist() == row

    @pytest.mark.parametrize("bad", [-0.1, 1.0 + 1e-15, 7.0, NAN])
    def test_reward_values_outside_the_unit_interval(self, bad: float) -> None:
        _refused(lambda: _mdp(u=[0.5, bad]), "u", (1,), bad)

    @pytest.mark.parametrize("bad", [-0.1, 1.0, 1.5, NAN, INF, "0.5", True])
    def test_discount(self, bad: object) -> None:
        _refused(lambda: _mdp(gamma=bad), "gamma", None, bad)

    @pytest.mark.parametrize("name", ["p", "q"])
    @pytest.mark.parametrize(
        "bad",
        [
            [[[0.5, 0.5]], [[1.0]]],
            [[["0.5", "0.5"]], [["0", "1"]]],
            [[[0.5 + 1j, 0.5]], [[0.0, 1.0]]],
            [[[0.5, None]], [[0.0, 1.0]]],
        ],
    )
    def test_tables_that_are_no_tables_of_numbers(self, name: str, bad: object) -> None:
        error = _refused(lambda: _mdp(**{name: bad}), name)
        assert "number" in error.problem

    def test_axes_and_shapes(self) -> None:
        _refused(lambda: _mdp(p=[[0.5, 0.5]]), "p", None, "shape (1, 2)")
        _refused(lambda: _mdp(p=[[[0.5, 0.5]]]), "p", None, (1, 1, 2))
        _refused(lambda: _mdp(p=np.zeros((0, 1, 0))), "p", None, (0, 1, 0))
        _refused(lambda: _mdp(p=np.zeros((1, 0, 1))), "p", None, (1, 0, 1))
        _refused(lambda: _mdp(q=[[[1.0, 0.0]]]), "q", None, (1, 1, 2))
        _refused(lambda: _mdp(u=[0.0, 0.5, 1.0]), "q", None, (2, 1, 2))
        _refused(lambda: _mdp(u=[], q=np.zeros((2, 1, 0))), "q", (0, 0), 0.0)

    @pytest.mark.parametrize("build", [deterministic_rewards, bernoulli_rewards])
    def test_mean_rewards(self, build: Callable[[object, object, float], MDP]) -> None:
        p = np.full((2, 1, 2), 0.5)
        _refused(lambda: build(p, [[0.5], [1.5]], 0.9), "r", (1, 0), 1.5)
        _refused(lambda: build(p, [[NAN], [0.5]], 0.9), "r", (0, 0), NAN)
        _refused(lambda: build(p, [[0.5]], 0.9), "r", None, (1, 1))
        _refused(lambda: build(p, [[0.5], [0.5]], 1.0), "gamma", None, 1.0)


class TestPoliciesAndValues:
    """Arguments of the functions of a task."""

    @pytest.mark.parametrize("function", [policy_value, visitation])
    def test_policies(self, function: Callable[[MDP, object], object]) -> None:
        theta = two_states()
        _refused(lambda: function(theta, np.array([0, 2])), "pi", (1,), 2)
        _refused(lambda: function(theta, np.array([-1, 0])), "pi", (0,), -1)
        _refused(lambda: function(theta, np.array([0])), "pi", None, (1,))
        _refused(lambda: function(theta, np.array([0.0, 1.0])), "pi")
        _refused(lambda: function(theta, np.array([True, False])), "pi")

    @pytest.mark.parametrize("function", [action_value, transition_std])
    def test_values(self, function: Callable[[MDP, object], object]) -> None:
        theta = two_states()
        _refused(lambda: function(theta, np.array([1.0])), "V", None, (1,))
        _refused(lambda: function(theta, np.array([1.0, NAN])), "V", (1,), NAN)


class TestFamilies:
    """Several models."""

    def test_no_model(self) -> None:
        _refused(lambda: approximate_models([]), "models", None, 0)

    def test_different_shapes(self) -> None:
        tasks = [bandit([1.0, 0.0], 0.0), bandit([1.0], 0.0)]
        _refused(lambda: approximate_models(tasks), "models", (1,), "S=1, A=1")

    def test_different_discounts(self) -> None:
        tasks = [bandit([1.0], 0.0), bandit([1.0], 0.0), bandit([1.0], 0.5)]
        _refused(lambda: approximate_models(tasks), "models", (2,), 0.5)

    def test_true_models_that_do_not_fit(self) -> None:
        true = [bandit([1.0, 0.0], 0.0)]
        _refused(lambda: model_errors(true, TWO_ARMS), "true", None, 1)
        true = [bandit([1.0, 0.0], 0.0), bandit([1.0, 0.0], 0.5)]
        _refused(lambda: model_errors(true, TWO_ARMS), "true", (1,), (1, 2, 0.5))


class TestNumbersOfTheInputLine:
    """ε, δ, n and Δ, for the algorithm and for the functions that take them one by one."""

    @staticmethod
    def _run(**changes: object) -> PtumResult:
        numbers: dict[str, Any] = {"epsilon": 1.0, "delta": 0.1, "n": 5, "Delta": 0.0}
        return ptum(TWO_ARMS, Silent(), **(numbers | changes))

    def test_the_unchanged_numbers_are_good(self) -> None:
        assert self._run().queries == 0

    @pytest.mark.parametrize("bad", [-1e-9, NAN, INF, "1"])
    def test_accuracy(self, bad: Any) -> None:
        _refused(lambda: self._run(epsilon=bad), "epsilon", None, bad)
        _refused(lambda: transfer_threshold(bad, 0.5), "epsilon", None, bad)
        _refused(lambda: repaired_stopping.transfer_threshold(bad, 0.5), "epsilon", None, bad)
        _refused(lambda: stopping_slack(bad, 0.0, 0.5), "epsilon", None, bad)
        _refused(lambda: samples_per_pair(1, 1, 0.0, bad, 0.1), "epsilon", None, bad)

    @pytest.mark.parametrize("bad", [0.0, 1.0, -0.1, 1.1, NAN, "0.1"])
    def test_confidence(self, bad: Any) -> None:
        _refused(lambda: self._run(delta=bad), "delta", None, bad)
        _refused(lambda: log_term(1, 1, 1, 1, bad), "delta", None, bad)
        _refused(lambda: log_term_sigma(1, 1, 1, 1, bad), "delta", None, bad)
        _refused(lambda: samples_per_pair(1, 1, 0.0, 1.0, bad), "delta", None, bad)

    @pytest.mark.parametrize("bad", [0, -3, 2.5, 5.0, NAN, True, "5"])
    def test_counts(self, bad: Any) -> None:
        _refused(lambda: self._run(n=bad), "n", None, bad)
        _refused(lambda: log_term(1, 1, bad, 1, 0.1), "n", None, bad)
        _refused(lambda: log_term(bad, 1, 1, 1, 0.1), "S", None, bad)
        _refused(lambda: log_term(1, bad, 1, 1, 0.1), "A", None, bad)
        _refused(lambda: log_term_sigma(1, 1, 1, bad, 0.1), "k", None, bad)
        _refused(lambda: samples_per_pair(bad, 1, 0.0, 1.0, 0.1), "S", None, bad)
        _refused(lambda: samples_per_pair(1, bad, 0.0, 1.0, 0.1), "A", None, bad)
        _refused(lambda: c_h(Level(S=1, A=1, U=1, h=bad, delta_prime=0.1)), "h", None, bad)
        _refused(lambda: bernstein_width(1.0, bad, 1.0, 0.1), "n_samples", None, bad)

    @pytest.mark.parametrize("bad", [-1e-9, NAN, "0"])
    def test_model_errors(self, bad: Any) -> None:
        _refused(lambda: self._run(Delta=bad), "Delta", None, bad)
        _refused(lambda: single(bad), "Delta", None, bad)
        _refused(lambda: ModelErrors(0.0, bad, 0.0, 0.0), "Delta_max_p", None, bad)
        _refused(lambda: ModelErrors(0.0, 0.0, 0.0, bad), "Delta_max_sigma_p", None, bad)
        _refused(lambda: enters_transfer_mode(bad, 1.0, 0.5), "Delta", None, bad)
        _refused(lambda: repaired_stopping.enters_transfer_mode(bad, 1, 0.5), "Delta", None, bad)
        _refused(lambda: stopping_slack(1.0, bad, 0.5), "Delta", None, bad)
        _refused(lambda: excess_gap(np.ones((1, 1)), bad), "Delta", None, bad)

    @pytest.mark.parametrize("bad", [-0.1, 1.0, NAN])
    def test_discount(self, bad: float) -> None:
        _refused(lambda: transfer_threshold(1.0, bad), "gamma", None, bad)
        _refused(lambda: repaired_stopping.transfer_threshold(1.0, bad), "gamma", None, bad)
        _refused(lambda: stopping_slack(1.0, 0.0, bad), "gamma", None, bad)
        _refused(lambda: samples_per_pair(1, 1, bad, 1.0, 0.1), "gamma", None, bad)

    def test_bad_numbers_are_refused_before_anything_is_announced(self) -> None:
        events: list[object] = []
        _refused(lambda: self._run(delta=2.0, observer=events.append), "delta", None, 2.0)
        assert events == []


@dataclass(frozen=True)
class Broken:
    """A generative model with one answer, which may be anything."""

    answer: Any

    def sample(self, s: int, a: int) -> Any:  # noqa: ARG002
        """The answer."""
        return self.answer


class TestGenerativeModels:
    """Answers of somebody else's program."""

    @pytest.mark.parametrize("bad", [-0.1, 1.1, NAN, INF, "1", None, 1j, True])
    def test_impossible_rewards(self, bad: object) -> None:
        _refused(
            lambda: ask(Broken((bad, 0)), 1, 2, S=3), "generative_model.sample(1, 2)", None, bad
        )

    @pytest.mark.parametrize("bad", [-1, 3, 1.0, 0.5, NAN, INF, "1", None, True])
    def test_impossible_states(self, bad: object) -> None:
        _refused(
            lambda: ask(Broken((0.5, bad)), 1, 2, S=3), "generative_model.sample(1, 2)", None, bad
        )

    @pytest.mark.parametrize("bad", [None, 0.5, (0.5,), (0.5, 0, 0), "01"])
    def test_answers_that_are_no_pairs(self, bad: object) -> None:
        _refused(lambda: ask(Broken(bad), 0, 0, S=3), "generative_model.sample(0, 0)", None, bad)

    @pytest.mark.parametrize("bad", [object(), TWO_ARMS, None, type("Named", (), {"sample": 1})()])
    def test_things_that_cannot_be_queried(self, bad: Any) -> None:
        kind = type(bad).__name__
        _refused(lambda: ask(bad, 0, 0, S=3), "generative_model", None, kind)
        call: dict[str, Any] = {"epsilon": 0.5, "delta": 0.1, "n": 9, "Delta": 0.0}
        _refused(lambda: ptum(TWO_ARMS, bad, **call), "generative_model", None, kind)
        _refused(lambda: repaired_ptum(TWO_ARMS, bad, **call), "generative_model", None, kind)

    def test_a_fault_inside_a_generative_model_is_its_own(self) -> None:
        class Faulty:
            def sample(self, s: int, a: int) -> tuple[float, int]:
                raise AttributeError(f"no robot at {s}, {a}")

        with pytest.raises(AttributeError, match="no robot at 0, 0"):
            ask(Faulty(), 0, 0, S=3)

    @pytest.mark.parametrize(
        "answer", [(1, 2), (np.float64(1.0), np.int64(2)), [1.0, 2], (np.float32(1.0), 2)]
    )
    def test_good_answers_of_several_types(self, answer: object) -> None:
        reward, successor = ask(Broken(answer), 0, 0, S=3)
        assert (reward, successor) == (1.0, 2)
        assert (type(reward), type(successor)) == (float, int)

    def test_a_run_does_not_swallow_them(self) -> None:
        def run() -> object:
            return ptum(TWO_ARMS, Broken((2.0, 0)), epsilon=0.5, delta=0.1, n=9, Delta=0.0)

        _refused(run, "generative_model.sample(0, 0)", None, 2.0)

    @pytest.mark.parametrize("bad", [-1, 2, 0.0, True])
    def test_queries_of_the_simulator(self, bad: Any) -> None:
        simulator = Simulator(two_states(), 0)
        _refused(lambda: simulator.sample(bad, 0), "s", None, bad)
        _refused(lambda: simulator.sample(0, bad), "a", None, bad)

    @pytest.mark.parametrize("bad", [-1, 0.5, NAN, True])
    def test_seeds(self, bad: Any) -> None:
        _refused(lambda: Simulator(two_states(), bad), "seed", None, bad)


def test_an_accuracy_of_zero_has_no_sample_size() -> None:
    _refused(lambda: samples_per_pair(1, 1, 0.0, 0.0, 0.1), "epsilon", None, 0.0)
    _refused(lambda: samples_per_pair(1, 1, 0.0, 1e-200, 0.1), "epsilon", None, 1e-200)


def test_the_message_has_name_place_problem_and_value() -> None:
    error = _refused(lambda: _mdp(p=[[[0.5, 0.5]], [[0.5, 0.25]]]), "p", (1, 0), 0.75)
    assert str(error) == "p[1, 0]: the row must sum to one (found 0.75)"
