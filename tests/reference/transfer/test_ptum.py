"""Algorithm 1 as a whole: how runs end, named instances, and what is true of every run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
import scipy  # its parts take long to load, and do so where they are used
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ptum.reference.arrays import Ints
from ptum.reference.errors import InputError
from ptum.reference.repaired.transfer.ptum import transfer_mode as repaired_transfer_mode
from ptum.reference.tasks.generative import GenerativeModel, Simulator, _invert
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import optimal_value, policy_value, value_tolerance
from ptum.reference.transfer.assumptions import ModelErrors, model_errors, single
from ptum.reference.transfer.confidence import violations, widths
from ptum.reference.transfer.empirical import empirical_model, empty_data
from ptum.reference.transfer.fallback import FallbackResult
from ptum.reference.transfer.ptum import End, PtumResult, ptum
from ptum.reference.transfer.stopping import stopping_models, transfer_threshold
from ptum.reference.transfer.transcript import (
    Elimination,
    Event,
    Query,
    Sample,
    Start,
    Stop,
    from_lines,
    to_lines,
)
from tests.support.closeness import near
from tests.support.instances import bandit, bernoulli_bandit, fork, line_of_three, two_states, walk
from tests.support.oracles import Constant, Silent
from tests.support.strategies import generic_families

DELTA = 0.1


def watched(
    models: ApproximateModels,
    generative_model: GenerativeModel,
    *,
    epsilon: float,
    n: int,
    Delta: float | ModelErrors = 0.0,
    delta: float = DELTA,
) -> tuple[PtumResult, tuple[Event, ...]]:
    """A run and its transcript."""
    events: list[Event] = []
    result = ptum(
        models,
        generative_model,
        epsilon=epsilon,
        delta=delta,
        n=n,
        Delta=Delta,
        observer=events.append,
    )
    return result, tuple(events)


@dataclass
class Notebook:
    """A PAC algorithm that writes down how it is called and returns the policy it is told to."""

    policy: tuple[int, ...]
    calls: list[tuple[int, int, float, float, float]]

    def __call__(
        self,
        model: GenerativeModel,  # noqa: ARG002
        S: int,
        A: int,
        gamma: float,
        epsilon: float,
        delta: float,
    ) -> FallbackResult:
        self.calls.append((S, A, gamma, epsilon, delta))
        return FallbackResult(policy=np.array(self.policy, dtype=np.int64), queries=17)


TWO_ARMS = approximate_models([bandit([1.0, 0.0], 0.0), bandit([0.0, 1.0], 0.0)])
ZERO_INDEX = approximate_models([bandit([0.0, 0.59, 0.50], 0.9), bandit([0.0, 0.50, 0.59], 0.9)])
"""Gaps of 0.09 are below 8Δ for Δ = 0.012, losses of 0.9 above the slack for ε = 1."""
FORKS = approximate_models([fork(0.1, 1.0, 0.0, [0.6, 0.4]), fork(0.9, 0.5, 0.5, [0.4, 0.6])])
"""State 0 leads to states worth 2 and 0 in the first model, 1 and 1 in the second."""


class TestEnds:
    """Every way in which a run can end."""

    def test_stopped_in_the_first_pass_without_a_query(self) -> None:
        result, events = watched(TWO_ARMS, Silent(), epsilon=1.0, n=5)
        assert (result.end, result.queries, result.tau, result.theta) == (End.STOPPED, 0, 1, 0)
        assert result.policy is not None
        assert result.policy.tolist() == [0]
        assert result.active == (0, 1)
        assert events[1:] == (Stop(1, "stopped", 0, (0,)),)

    def test_one_model_is_never_questioned(self) -> None:
        models = approximate_models([two_states()])
        result, _ = watched(models, Silent(), epsilon=1e-9, n=1)
        assert (result.end, result.queries, result.theta) == (End.STOPPED, 0, 0)

    @pytest.mark.parametrize("target", [0, 1])
    def test_stopped_later(self, target: int) -> None:
        """L = log(8·2·24·3/0.1) = 9.35; the models differ by 1 > 7L/(3(N-1)) from N = 23 on."""
        simulator = Simulator(TWO_ARMS.tasks[target], 0)
        result, _ = watched(TWO_ARMS, simulator, epsilon=0.5, n=24)
        assert (result.end, result.queries, result.tau) == (End.STOPPED, 23, 24)
        assert (result.theta, result.active) == (target, (target,))
        assert result.N.tolist() == [[23, 0]]
        assert result.eliminations == (Elimination(24, 1 - target, 1, 0, 0, None),)

    def test_the_sample_of_the_last_pass_is_never_used(self) -> None:
        """With n = 23 the same 23 samples are taken, and no pass is left that looks at them."""
        simulator = Simulator(TWO_ARMS.tasks[0], 0)
        result, events = watched(TWO_ARMS, simulator, epsilon=0.5, n=23)
        assert (result.end, result.queries, result.tau) == (End.BUDGET_EXHAUSTED, 23, None)
        assert result.active == (0, 1)
        assert result.policy is None
        assert result.theta is None
        assert events[-1] == Stop(24, "budget-exhausted", None, None)
        data = empty_data(1, 2)
        for _ in range(23):
            data.store(0, 0, 1.0, 0)
        hat = empirical_model(data, TWO_ARMS.V_star)
        C = widths(hat, single(0.0), 0.0, n=23, k=2, delta=DELTA)
        assert any(violations(1, hat, C, TWO_ARMS)), "the samples do decide"

    def test_models_too_inaccurate(self) -> None:
        Delta = transfer_threshold(0.5, 0.0)
        result, events = watched(TWO_ARMS, Silent(), epsilon=0.5, n=24, Delta=Delta)
        assert (result.end, result.queries) == (End.MODELS_TOO_INACCURATE, 0)
        assert result.policy is None
        assert result.active == (0, 1)
        assert [type(event) for event in events] == [Start, Stop]

    def test_one_of_four_errors_is_enough_to_be_too_inaccurate(self) -> None:
        errors = ModelErrors(r=0.0, p=0.0, sigma_r=0.0, sigma_p=0.2)
        result, _ = watched(TWO_ARMS, Silent(), epsilon=0.5, n=24, Delta=errors)
        assert result.end is End.MODELS_TOO_INACCURATE

    def test_an_exact_policy_is_never_sought_by_transfer(self) -> None:
        result, _ = watched(TWO_ARMS, Silent(), epsilon=0.0, n=24, Delta=0.0)
        assert result.end is End.MODELS_TOO_INACCURATE

    def test_active_set_empty(self) -> None:
        """A reward of 1/2 fits neither model; both fall in the same iteration."""
        result, events = watched(TWO_ARMS, Constant(0.5, 0), epsilon=0.5, n=100)
        assert result.end is End.ACTIVE_SET_EMPTY
        assert result.active == ()
        assert [(e.theta, e.equation) for e in result.eliminations] == [(0, 1), (1, 1)]
        assert {e.t for e in result.eliminations} == {result.queries + 1}
        assert result.tau is None
        assert events[-1] == Stop(result.queries + 1, "active-set-empty", None, None)

    def test_a_zero_index_is_flagged_and_the_printed_algorithm_samples_on(self) -> None:
        simulator = Simulator(ZERO_INDEX.tasks[0], 0)
        result, _ = watched(ZERO_INDEX, simulator, epsilon=1.0, n=300, Delta=0.012)
        assert (result.end, result.first_zero_index) == (End.BUDGET_EXHAUSTED, 1)
        assert result.N.tolist() == [[300, 0, 0]]
        assert result.active == (0, 1)

    def test_a_zero_index_ends_the_repaired_run(self) -> None:
        events: list[Event] = []
        result = repaired_transfer_mode(
            ZERO_INDEX,
            Silent(),
            epsilon=1.0,
            delta=DELTA,
            n=300,
            errors=single(0.012),
            announce=events.append,
        )
        assert (result.end, result.queries, result.first_zero_index) == (End.INDEX_ZERO, 0, 1)
        assert events == []

    def test_a_positive_index_is_not_flagged(self) -> None:
        simulator = Simulator(TWO_ARMS.tasks[0], 0)
        result, _ = watched(TWO_ARMS, simulator, epsilon=0.5, n=24)
        assert result.first_zero_index is None


class TestFallback:
    """Lines 2 and 22."""

    def test_it_gets_the_accuracy_and_the_confidence_of_the_run(self) -> None:
        notebook = Notebook(policy=(1,), calls=[])
        result = ptum(
            TWO_ARMS,
            Constant(0.5, 0),
            epsilon=0.5,
            delta=DELTA,
            n=100,
            Delta=0.0,
            fallback=notebook,
        )
        assert notebook.calls == [(1, 2, 0.0, 0.5, DELTA)]
        assert result.end is End.ACTIVE_SET_EMPTY
        assert result.fallback is not None
        assert result.fallback.queries == 17
        assert result.policy is not None
        assert result.policy.tolist() == [1]
        assert result.theta is None

    @pytest.mark.parametrize(("Delta", "n"), [(0.2, 24), (0.0, 3)])
    def test_it_is_called_wherever_the_run_did_not_stop(self, Delta: float, n: int) -> None:
        notebook = Notebook(policy=(0,), calls=[])
        simulator = Simulator(TWO_ARMS.tasks[0], 0)
        events: list[Event] = []
        ptum(
            TWO_ARMS,
            simulator,
            epsilon=0.5,
            delta=DELTA,
            n=n,
            Delta=Delta,
            fallback=notebook,
            observer=events.append,
        )
        assert len(notebook.calls) == 1
        last = events[-1]
        assert isinstance(last, Stop)
        assert last.policy == (0,)

    def test_it_is_not_called_when_the_run_stopped(self) -> None:
        notebook = Notebook(policy=(1,), calls=[])
        result = ptum(
            TWO_ARMS, Silent(), epsilon=1.0, delta=DELTA, n=5, Delta=0.0, fallback=notebook
        )
        assert notebook.calls == []
        assert result.fallback is None


class TestNamedInstances:
    """Runs whose numbers follow from the instance."""

    @pytest.mark.parametrize("seed", range(8))
    def test_each_arm_is_silent_on_one_model(self, seed: int) -> None:
        """No single arm tells the first model from both others; PTUM uses two."""
        models = approximate_models(
            [bernoulli_bandit(r, 0.5) for r in ([0.5, 0.2, 0.2], [0.5, 0.9, 0.2], [0.5, 0.2, 0.9])]
        )
        result, _ = watched(models, Simulator(models.tasks[0], seed), epsilon=0.4, n=10000)
        assert (result.end, result.theta) == (End.STOPPED, 0)
        assert 130 <= result.queries <= 200
        assert [(e.theta, e.equation, e.a) for e in result.eliminations] == [(1, 1, 1), (2, 1, 2)]

    def test_a_policy_that_is_not_accurate_is_returned_without_a_query(self) -> None:
        """Errors are zero, ε = 0.1, and the returned policy loses 0.9 in the true task."""
        models = approximate_models(list(_returning_to_x()[:2]))
        true = [_staying_in_y(task) for task in _returning_to_x()[:2]]
        errors = model_errors(true, models)
        assert errors.Delta <= value_tolerance(models.V_star, models.gamma)
        result, _ = watched(models, Silent(), epsilon=0.1, n=20000)
        assert (result.end, result.queries, result.theta) == (End.STOPPED, 0, 1)
        assert _loss(true[0], result) == near(0.9)

    def test_the_same_after_101_queries(self) -> None:
        """A third model is eliminated first: 0.9 against 0.5 at (y, 0), from N = 101 on."""
        models = approximate_models(list(_returning_to_x()))
        true = _staying_in_y(models.tasks[0])
        result, _ = watched(models, Simulator(true, 0), epsilon=0.1, n=20000)
        assert (result.end, result.queries, result.theta) == (End.STOPPED, 101, 1)
        assert result.N.tolist() == [[0, 0], [101, 0]]
        assert result.eliminations == (Elimination(102, 2, 1, 1, 0, None),)
        assert _loss(true, result) == near(0.9)

    @pytest.mark.parametrize("n", [2000, 10000])
    @pytest.mark.parametrize("seed", range(3))
    def test_a_model_falls_by_the_value_of_another(self, n: int, seed: int) -> None:
        """At s0 the two models differ in p only, and the second one's own value cannot see it."""
        result, _ = watched(FORKS, Simulator(FORKS.tasks[0], seed), epsilon=0.1, n=n)
        assert (result.end, result.theta) == (End.STOPPED, 0)
        assert 50 <= result.queries <= 90
        assert result.N[0, 0] == result.queries
        (fallen,) = result.eliminations
        assert (fallen.theta, fallen.equation, fallen.theta_prime) == (1, 2, 0)

    def test_the_own_value_alone_would_never_eliminate_it(self) -> None:
        simulator, data = Simulator(FORKS.tasks[0], 0), empty_data(4, 2)
        for _ in range(2000):
            data.store(0, 0, *simulator.sample(0, 0))
        hat = empirical_model(data, FORKS.V_star)
        C = widths(hat, single(0.0), FORKS.gamma, n=2000, k=2, delta=DELTA)
        found = list(violations(1, hat, C, FORKS))
        assert found
        assert all(violation.theta_prime == 0 for violation in found)

    def test_two_models_that_no_gap_tells_apart(self) -> None:
        """Without the first model the second, equal in all values, falls and the third wins."""
        first = line_of_three(1, 0.5, 0.5, [0.6, 0.4])
        second = line_of_three(2, 0.5, 0.5, [0.6, 0.4])
        third = line_of_three(1, 1.0, 0.0, [0.4, 0.6])
        everybody = approximate_models([first, second, third])
        result, _ = watched(everybody, Simulator(first, 0), epsilon=0.5, n=20000)
        assert (result.end, result.queries, result.theta) == (End.STOPPED, 127, 0)
        without_first = approximate_models([second, third])
        result, _ = watched(without_first, Simulator(first, 0), epsilon=0.5, n=20000)
        assert (result.end, result.queries, result.theta) == (End.STOPPED, 42, 1)
        assert _loss(first, result) == near(2.0)

    def test_tied_pairs_do_not_take_turns(self) -> None:
        """400 arms of equal index: the first one is queried until a model falls."""
        r = [1.0] + [0.0] * 399
        models = approximate_models([bandit(r, 0.0), bandit([1 - x for x in r], 0.0)])
        result, _ = watched(models, Simulator(models.tasks[0], 0), epsilon=0.5, n=100_000)
        assert (result.end, result.queries, result.N[0, 0]) == (End.STOPPED, 55, 55)
        L = math.log(8 * 400 * 100_000 * 3 / DELTA)
        assert 7 * L / (3 * 54) < 1 < 7 * L / (3 * 53)


def _returning_to_x() -> tuple[MDP, MDP, MDP]:
    """States x, y; every pair goes to x; the values of each model are the same in both states."""
    to_x = [[0, 0], [0, 0]]
    rewards = ([[0.5, 0.5], [0.5, 0.41]], [[0.5, 0.5], [0.2, 0.5]], [[0.9, 0.9], [0.9, 0.1]])
    first, second, third = (walk(to_x, r, 0.9) for r in rewards)
    return first, second, third


def _staying_in_y(task: MDP) -> MDP:
    """The true task: (y, 1) stays in y."""
    p = np.array(task.p)
    p[1, 1] = (0, 1)
    return MDP(p=p, q=task.q, u=task.u, gamma=task.gamma)


def _loss(theta: MDP, result: PtumResult) -> float:
    assert result.policy is not None
    return float(np.max(optimal_value(theta) - policy_value(theta, result.policy)))


class Replay:
    """Answers as a transcript says, and insists on its queries."""

    def __init__(self, events: Iterable[Event]) -> None:
        events = tuple(events)
        queries = [(event.s, event.a) for event in events if isinstance(event, Query)]
        samples = [(event.reward, event.successor) for event in events if isinstance(event, Sample)]
        self._recorded = iter(list(zip(queries, samples, strict=True)))

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """The recorded answer to the recorded query."""
        pair, answer = next(self._recorded)
        assert pair == (s, a), f"({s}, {a}) is queried where the transcript has {pair}"
        return answer

    def exhausted(self) -> bool:
        """Whether every recorded query was made."""
        return next(self._recorded, None) is None


class Relabelled:
    """A generative model under new names: old state s is called states[s], action a actions[a]."""

    def __init__(
        self, model: GenerativeModel, states: Sequence[int], actions: Sequence[int]
    ) -> None:
        self._model = model
        self._states, self._actions = tuple(states), tuple(actions)

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """Ask under the old names, answer under the new ones."""
        reward, successor = self._model.sample(self._states.index(s), self._actions.index(a))
        return reward, self._states[successor]


BUDGET = 120
ACCURACY = 0.05
SEEDS = st.integers(0, 1000)


@pytest.mark.slow
@given(generic_families(), SEEDS, st.integers(0, 2))
@settings(max_examples=20)
def test_every_run_keeps_its_books(models: ApproximateModels, seed: int, target: int) -> None:
    """What the result says is what the transcript says, and a replay says it again."""
    simulator = Simulator(models.tasks[target], seed)
    result, events = watched(models, simulator, epsilon=ACCURACY, n=BUDGET)
    _check_counts(models, result, events)
    _check_active_sets(models, result, events)
    _check_order(events)
    assert from_lines(to_lines(events)) == events
    replay = Replay(events)
    again, events_again = watched(models, replay, epsilon=ACCURACY, n=BUDGET)
    assert events_again == events
    assert replay.exhausted()
    assert (again.end, again.theta, again.tau) == (result.end, result.theta, result.tau)
    repeated = Simulator(models.tasks[target], seed)
    assert watched(models, repeated, epsilon=ACCURACY, n=BUDGET)[1] == events


def _check_counts(models: ApproximateModels, result: PtumResult, events: tuple[Event, ...]) -> None:
    N = np.zeros((models.S, models.A), dtype=np.int64)
    for event in events:
        if isinstance(event, Query):
            N[event.s, event.a] += 1
    np.testing.assert_array_equal(result.N, N)
    assert result.queries == N.sum() <= BUDGET
    assert (result.tau is None) == (result.end is not End.STOPPED)
    assert result.tau in (None, result.queries + 1)


def _check_active_sets(
    models: ApproximateModels, result: PtumResult, events: tuple[Event, ...]
) -> None:
    active = set(range(models.k))
    for event in events:
        if isinstance(event, Elimination):
            active.remove(event.theta)  # KeyError if it was not active
    assert active == set(result.active)
    assert result.eliminations == tuple(e for e in events if isinstance(e, Elimination))
    assert result.end is not End.STOPPED or result.theta in result.active


def _check_order(events: tuple[Event, ...]) -> None:
    """start; per pass eliminations, query, sample; stop. Passes count up by one."""
    first, *middle, last = events
    assert isinstance(first, Start)
    assert isinstance(last, Stop)
    t, kind = 1, 0
    for event in middle:
        rank = {Elimination: 0, Query: 1, Sample: 2}[type(event)]
        assert event.t == t  # type: ignore[union-attr]
        assert rank >= kind
        t, kind = (t + 1, 0) if rank == 2 else (t, rank)
    assert last.t == t


@pytest.mark.slow
@given(generic_families(), SEEDS)
@settings(max_examples=15)
def test_names_do_not_matter(models: ApproximateModels, seed: int) -> None:
    """Relabelling states, actions and models, and the samples with them, relabels the run."""
    rng = np.random.default_rng(seed)
    states, actions, order = (rng.permutation(size) for size in (models.S, models.A, models.k))
    renamed = approximate_models([_relabel(models.tasks[old], states, actions) for old in order])
    new_name = {int(old): new for new, old in enumerate(order)}
    result, _ = watched(models, Simulator(models.tasks[0], seed), epsilon=ACCURACY, n=BUDGET)
    relabelled = Relabelled(Simulator(models.tasks[0], seed), states.tolist(), actions.tolist())
    other, _ = watched(renamed, relabelled, epsilon=ACCURACY, n=BUDGET)
    assert (other.end, other.queries, other.tau) == (result.end, result.queries, result.tau)
    np.testing.assert_array_equal(other.N[np.ix_(states, actions)], result.N)
    assert set(other.active) == {new_name[theta] for theta in result.active}
    fallen = {(e.t, new_name[e.theta], e.equation) for e in result.eliminations}
    assert {(e.t, e.theta, e.equation) for e in other.eliminations} == fallen
    if result.end is End.STOPPED:
        good = stopping_models(result.active, models, ACCURACY, 0.0)
        assert result.theta == min(good)
        assert other.theta is not None
        assert other.policy is not None
        assert other.theta == min(new_name[theta] for theta in good)
        old_policy = models.pi_star[order[other.theta]]
        np.testing.assert_array_equal(other.policy[states], actions[old_policy])


@pytest.mark.slow
def test_drawn_families_do_learn_something() -> None:
    """The properties above would say little of runs in which nothing happens."""
    ends: list[End] = []
    fallen: list[int] = []

    @given(generic_families(), SEEDS)
    @settings(max_examples=20)
    def look(models: ApproximateModels, seed: int) -> None:
        result, _ = watched(models, Simulator(models.tasks[0], seed), epsilon=ACCURACY, n=BUDGET)
        ends.append(result.end)
        fallen.append(len(result.eliminations))

    look()
    assert {End.STOPPED, End.BUDGET_EXHAUSTED} <= set(ends)
    assert sum(count > 0 for count in fallen) >= len(fallen) / 2


def _relabel(theta: MDP, states: Ints, actions: Ints) -> MDP:
    p, q = np.empty_like(theta.p), np.empty_like(theta.q)
    p[np.ix_(states, actions, states)] = theta.p
    q[np.ix_(states, actions)] = theta.q
    return MDP(p=p, q=q, u=theta.u, gamma=theta.gamma)


@pytest.mark.slow
@given(generic_families(), SEEDS, st.integers(0, 2))
@settings(max_examples=15)
def test_a_copied_model_changes_nothing(models: ApproximateModels, seed: int, copied: int) -> None:
    """The widths see n(|Θ|+1) only: 150·4 = 120·5, so the first 120 iterations must agree."""
    with_copy = approximate_models([*models.tasks, models.tasks[copied]])
    _, events = watched(models, Simulator(models.tasks[0], seed), epsilon=ACCURACY, n=150)
    _, others = watched(with_copy, Simulator(models.tasks[0], seed), epsilon=ACCURACY, n=120)
    of_original = [e for e in others if not (isinstance(e, Elimination) and e.theta == models.k)]
    expected = [e for e in events[1:] if not isinstance(e, Start) and e.t <= 120]
    found = [e for e in of_original[1:] if not isinstance(e, Start) and e.t <= 120]
    assert found == expected
    fallen = {e.theta: e.t for e in others if isinstance(e, Elimination)}
    assert fallen.get(copied) == fallen.get(models.k)


@given(generic_families(), SEEDS)
@settings(max_examples=10)
def test_one_error_stands_for_four_equal_ones(models: ApproximateModels, seed: int) -> None:
    four = ModelErrors(r=0.01, p=0.01, sigma_r=0.01, sigma_p=0.01)
    runs = [
        watched(models, Simulator(models.tasks[0], seed), epsilon=1.0, n=60, Delta=Delta)[1]
        for Delta in (0.01, four)
    ]
    assert runs[0] == runs[1]


def test_smaller_errors_of_one_kind_make_narrower_tests() -> None:
    """Only Δ_max^r enters test (1), which decides here; Δ decides about the mode."""
    zero_r = ModelErrors(r=0.0, p=0.1, sigma_r=0.1, sigma_p=0.1)
    queries = [
        watched(TWO_ARMS, Simulator(TWO_ARMS.tasks[0], 0), epsilon=0.9, n=40, Delta=Delta)[
            0
        ].queries
        for Delta in (zero_r, 0.1)
    ]
    assert queries[0] < queries[1]


class TestTranscript:
    """JSON lines."""

    def test_an_infinite_error_is_written_as_a_word(self) -> None:
        _, events = watched(TWO_ARMS, Silent(), epsilon=0.5, n=3, Delta=math.inf)
        lines = list(to_lines(events))
        assert '"r":"inf"' in lines[0]
        assert from_lines(lines) == events

    def test_numbers_of_numpy_are_written_as_numbers(self) -> None:
        result, events = watched(
            TWO_ARMS,
            Silent(),
            epsilon=np.float64(1.0),
            n=np.int64(3),  # type: ignore[arg-type]
            Delta=np.float64(0.0),
        )
        assert result.end is End.STOPPED
        assert from_lines(to_lines(events)) == events

    @pytest.mark.parametrize(
        "line",
        [
            "",
            "{}",
            '{"event":"query","t":1,"s":0}',
            '{"event":"query","t":1,"s":0,"a":0,"b":0}',
            '{"event":"query","t":1.5,"s":0,"a":0}',
            '{"event":"query","t":0,"s":0,"a":0}',
            '{"event":"query","t":1,"s":-1,"a":0}',
            '{"event":"sample","t":1,"reward":0.5,"successor":-1}',
            '{"event":"stop","t":1,"end":"stopped","theta":0,"policy":[0,-1]}',
            '{"event":"elimination","t":1,"theta":0,"equation":5,"s":0,"a":0,"theta_prime":null}',
            '{"event":"query","t":1e400,"s":0,"a":0}',
            '{"event":"query","t":1,"s":0,"a":"\udcff"}',
            '{"a":' * 100_000 + "1" + "}" * 100_000,
            None,
        ],
        ids=lambda line: str(line)[:20].encode("ascii", "replace").decode(),
    )
    def test_a_line_that_is_no_event_is_refused_with_its_number(self, line: str) -> None:
        with pytest.raises(InputError, match="transcript line 2"):
            from_lines(['{"event":"query","t":1,"s":0,"a":0}', line])

    @given(st.floats(0, 1), st.integers(1, 9))
    @example(0.1 + 0.2, 1)
    def test_doubles_survive(self, reward: float, t: int) -> None:
        events = (Sample(t, reward, 0),)
        assert from_lines(to_lines(events)) == events


class TestSimulator:
    """The generative model of a task."""

    def test_answers_do_not_depend_on_the_order_of_queries(self) -> None:
        theta = _mixed()
        pairs = [(s, a) for s in range(2) for a in range(2)]
        one, other = Simulator(theta, 5), Simulator(theta, 5)
        in_blocks = {pair: [one.sample(*pair) for _ in range(20)] for pair in pairs}
        in_turns: dict[tuple[int, int], list[tuple[float, int]]] = {pair: [] for pair in pairs}
        for _ in range(20):
            for pair in reversed(pairs):
                in_turns[pair].append(other.sample(*pair))
        assert in_blocks == in_turns

    def test_pairs_and_seeds_have_streams_of_their_own(self) -> None:
        theta = bernoulli_bandit([0.5, 0.5], 0.0)
        answers = {
            tuple(simulator.sample(0, a) for _ in range(64))
            for simulator in (Simulator(theta, 0), Simulator(theta, 1))
            for a in (0, 1)
        }
        assert len(answers) == 4

    @pytest.mark.parametrize("s", [0, 1])
    @pytest.mark.parametrize("a", [0, 1])
    def test_frequencies(self, s: int, a: int) -> None:
        """Exact binomial tests of every outcome; reward and state are independent by a χ² test.

        Each at level 10⁻⁴, and with this seed.
        """
        theta, simulator, draws = _mixed(), Simulator(_mixed(), 2024), 4000
        answers = [simulator.sample(s, a) for _ in range(draws)]
        for j, u in enumerate(theta.u):
            count = sum(reward == u for reward, _ in answers)
            assert scipy.stats.binomtest(count, draws, float(theta.q[s, a, j])).pvalue > 1e-4
        for z in range(theta.S):
            count = sum(successor == z for _, successor in answers)
            assert scipy.stats.binomtest(count, draws, float(theta.p[s, a, z])).pvalue > 1e-4
        rewards = sorted({reward for reward, _ in answers})
        states = sorted({successor for _, successor in answers})
        table = [[answers.count((reward, state)) for state in states] for reward in rewards]
        assert scipy.stats.chi2_contingency(np.array(table)).pvalue > 1e-4

    @pytest.mark.parametrize(
        ("row", "x", "expected"),
        [
            ([0.0, 1.0], 0.0, 1),  # the first outcome has no share, not even the point 0
            ([0.5, 0.5], 0.5, 1),
            ([0.5, 0.5], 0.49, 0),
            ([0.3, 0.3, 0.1, 0.1, 0.1, 0.1], 1 - 2**-53, 5),  # the row sums to less than x
            ([0.3, 0.3, 0.1, 0.1, 0.1, 0.1, 0.0], 1 - 2**-53, 5),
        ],
    )
    def test_edges_of_the_shares(self, row: list[float], x: float, expected: int) -> None:
        assert _invert(np.array(row), x) == expected

    def test_an_outcome_of_probability_zero_never_occurs(self) -> None:
        theta = MDP(
            p=np.array([[[0.0, 1.0, 0.0]]] * 3),
            q=np.array([[[0.0, 0.5, 0.5, 0.0]]] * 3),
            u=np.array([0.0, 0.25, 0.75, 1.0]),
            gamma=0.5,
        )
        simulator = Simulator(theta, 0)
        answers = {simulator.sample(0, 0) for _ in range(200)}
        assert answers == {(0.25, 1), (0.75, 1)}


def _mixed() -> MDP:
    return MDP(
        p=np.array([[[0.5, 0.5], [0.01, 0.99]], [[0.2, 0.8], [0.9, 0.1]]]),
        q=np.array([[[0.2, 0.3, 0.5], [0.9, 0.1, 0.0]], [[0.05, 0.0, 0.95], [0.4, 0.4, 0.2]]]),
        u=np.array([0.0, 0.5, 1.0]),
        gamma=0.5,
    )
