"""What stands beside the algorithms of the front door: counts, readiness, words, plots."""

from __future__ import annotations

import io
from typing import Any, cast

import numpy as np
import pytest
from matplotlib.lines import Line2D
from matplotlib.quiver import Quiver

import ptum
import ptum.plots
from ptum.ready import largest_error
from ptum.reference.arrays import Floats
from ptum.reference.experiments.two_rooms import two_rooms
from ptum.reference.sequential.state import TaskRecord
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.values import optimal_policy
from ptum.reference.transfer.ptum import End, PtumResult
from tests.support.instances import two_states, two_states_returning
from tests.support.streams import plain

P = np.ones((1, 3, 1))
MEANS = ([0.5, 0.2, 0.2], [0.5, 0.9, 0.2], [0.5, 0.2, 0.9])
BANDITS = [ptum.bernoulli_rewards(P, np.array([r]), gamma=0.5) for r in MEANS]


def drawn(seed: int, S: int = 4, A: int = 2, k: int = 3) -> list[MDP]:
    rng = np.random.default_rng(seed)
    p, q = rng.dirichlet(np.ones(S), (k, S, A)), rng.dirichlet(np.ones(2), (k, S, A))
    return [ptum.MDP(p[i], q[i], np.array([0.0, 1.0]), 0.9) for i in range(k)]


def moved(task: MDP, s: int, a: int, p: Floats | None = None, q: Floats | None = None) -> MDP:
    """The task with other next states or rewards at one pair."""
    new_p, new_q = task.p.copy(), task.q.copy()
    new_p[s, a] = task.p[s, a] if p is None else p
    new_q[s, a] = task.q[s, a] if q is None else q
    return ptum.MDP(new_p, new_q, task.u, task.gamma)


class TestCounts:
    """`ptum.from_counts`."""

    def test_frequencies(self) -> None:
        task = ptum.from_counts([[[3, 1]], [[0, 5]]], [[[1, 3]], [[5, 0]]], [0.0, 0.5], 0.9)
        assert task.p.tolist() == [[[0.75, 0.25]], [[0.0, 1.0]]]
        assert task.q.tolist() == [[[0.25, 0.75]], [[1.0, 0.0]]]

    @pytest.mark.parametrize(
        ("next_states", "said"),
        [
            ([[[3, 1]], [[0, 0]]], r"next_states\[1, 0\]: the pair was never seen"),
            ([[[3, -1]], [[0, 5]]], r"next_states\[0, 0, 1\]: a count must be a whole number"),
            ([[[1.5, 1]], [[0, 5]]], r"next_states\[0, 0, 0\]: a count must be a whole number"),
            ([[[3, 1, 1]], [[0, 5, 1]]], r"next_states: must have shape \(S, A, S\)"),
            ([[[3]]], r"rewards: must have shape \(1, 1, 2\)"),
            ([[3, 1], [0, 5]], r"next_states: must have 3 axes"),
            ([[[3, np.inf]], [[0, 5]]], r"next_states\[0, 0, 1\]: must be finite"),
        ],
    )
    def test_what_is_no_count_is_refused(self, next_states: list[object], said: str) -> None:
        with pytest.raises(ptum.InputError, match=said):
            ptum.from_counts(next_states, [[[1, 3]], [[5, 0]]], [0.0, 0.5], 0.9)  # type: ignore[arg-type]


class TestReadiness:
    """`ptum.can_transfer`."""

    @pytest.mark.parametrize("version", ["printed", "repaired"])
    @pytest.mark.parametrize("seed", range(5))
    def test_the_largest_error_is_delta(self, version: str, seed: int) -> None:
        """Two computations of the same numbers: what the one finds, the other finds somewhere."""
        true, models = drawn(seed), ptum.approximate_models(drawn(seed + 100))
        errors = ptum.model_errors(true, models, version=version)
        found = largest_error(true, models, version)
        assert found.error == errors.Delta

    @pytest.mark.parametrize(("version", "symbol"), [("printed", "σ^p"), ("repaired", "p")])
    def test_a_deviation_may_be_the_largest_as_printed(self, version: str, symbol: str) -> None:
        """|1/3 - 0| with values of its own, |1/4 - 0| with those of the model, as far as p is."""
        true, models = [two_states()], ptum.approximate_models([two_states_returning()])
        found = largest_error(true, models, version)
        assert found.error == ptum.model_errors(true, models, version=version).Delta
        assert found[1:] == (symbol, 0, 1, 0)

    def test_it_names_the_pair_that_is_wrong(self) -> None:
        """Other rewards at one pair of one model, a little: nothing else is off as much."""
        true = drawn(0)
        shift = np.array([-0.1, 0.1]) if true[1].q[2, 1, 0] > 0.5 else np.array([0.1, -0.1])
        models = [true[0], moved(true[1], 2, 1, q=true[1].q[2, 1] + shift), true[2]]
        ready = ptum.can_transfer(models, epsilon=0.1, true=true)
        assert not ready
        assert ready.largest is not None
        assert ready.largest[2:] == (1, 2, 1)
        assert "of model 1 at state 2, action 1; transfer mode needs ≤ " in str(ready)

    def test_numbers_stand_in_the_answer(self) -> None:
        ready = ptum.can_transfer(BANDITS, epsilon=0.4, Delta=0.0117)
        assert str(ready) == (
            "no: Δ = 0.0117; transfer mode needs ≤ 0.00741; these models will do from ε = 0.632 on"
        )
        assert ptum.can_transfer(BANDITS, epsilon=ready.least_epsilon * 1.001, Delta=0.0117)
        border = ptum.can_transfer(BANDITS, epsilon=1.5, Delta=0.125, version="printed")
        assert str(border) == (
            "no: Δ = 0.125; transfer mode needs < 0.125; these models will do above ε = 1.5"
        )

    def test_where_no_accuracy_helps_it_says_so(self) -> None:
        """Means between 0 and 1 and γ = 1/2: no policy is worse than another by more than 2."""
        told = [
            str(ptum.can_transfer(BANDITS, epsilon=1.0, Delta=Delta, version=version))
            for version, Delta in (("printed", 0.25), ("repaired", 1.0))
        ]
        assert told == [
            "no: Δ = 0.25; transfer mode needs < 0.0833; no ε below 1/(1-γ) = 2 will do",
            "no: Δ = 1; transfer mode needs ≤ 0.0185; no ε below 1/(1-γ) = 2 will do",
        ]

    def test_it_is_line_2(self) -> None:
        """With the answer yes a run begins, with no it does not."""
        for version in ("printed", "repaired"):
            for Delta in (0.0, 0.007, 0.008, 0.03, 0.04):
                ready = ptum.can_transfer(BANDITS, epsilon=0.4, Delta=Delta, version=version)
                run = run_of(epsilon=0.4, Delta=Delta, version=version)
                assert bool(ready) == (run.end is not End.MODELS_TOO_INACCURATE)

    @pytest.mark.parametrize("given", [{}, {"true": BANDITS, "Delta": 0.1}])
    def test_one_of_the_two_is_given(self, given: dict[str, object]) -> None:
        with pytest.raises(ptum.InputError, match="give one of them"):
            ptum.can_transfer(BANDITS, epsilon=0.4, **given)  # type: ignore[arg-type]


def run_of(
    epsilon: float = 0.4,
    n: int = 10_000,
    Delta: float = 0.0,
    version: str = "repaired",
    target: MDP = BANDITS[0],
    **more: object,
) -> PtumResult:
    return ptum.transfer(
        BANDITS,
        ptum.Simulator(target, seed=1),
        epsilon=epsilon,
        delta=0.1,
        n=n,
        Delta=Delta,
        version=version,
        **more,  # type: ignore[arg-type]
    )


def nobody_is_left() -> PtumResult:
    """A target that is as far from one model as from the other, and both fall at once."""
    sure = (
        ptum.deterministic_rewards(np.ones((1, 2, 1)), np.array([[0.5, r]]), gamma=0.5)
        for r in (0.25, 0.75, 0.5)
    )
    *models, target = sure
    simulator = ptum.Simulator(target, seed=1)
    return ptum.transfer(models, simulator, epsilon=0.1, delta=0.1, n=10_000, Delta=0.0)


class TestWords:
    """A result is short where it is shown, and explains itself where it is asked to."""

    def test_a_run_that_stopped(self) -> None:
        run = run_of()
        assert repr(run) == (
            f"PtumResult(stopped, policy of model 0, {run.queries} queries, 1 of 3 models left)"
        )
        told = run.explain()
        assert told.startswith(f"stopped after {run.queries} queries: policy of model 0\n")
        for fallen in run.eliminations:
            assert f"model {fallen.theta} was eliminated at t = {fallen.t}: " in told
        assert "state 0, action 2 is not what was seen (equation 1)" in told

    def test_every_end_says_why(self) -> None:
        runs = {
            "models-too-inaccurate": run_of(Delta=0.1),
            "budget-exhausted": run_of(n=10),
            "stopped": run_of(),
            "active-set-empty": nobody_is_left(),
        }
        for end, run in runs.items():
            assert run.end == end
            assert run.explain().splitlines()[1].startswith("  line ")
        assert "models left: 0, 1, 2" in runs["budget-exhausted"].explain()
        assert "models left: none" in runs["active-set-empty"].explain()

    def test_a_fallback_is_told(self) -> None:
        run = run_of(Delta=0.1, fallback=ptum.UniformSampling())
        assert run.fallback is not None
        assert "policy of the fallback, 0 queries" in repr(run)
        assert f"with {run.fallback.queries} queries of its own" in run.explain()
        assert repr(run.fallback) == f"FallbackResult({run.fallback.queries} queries)"

    def test_a_task_of_a_sequence(self) -> None:
        (record,) = sequence_of(1)
        assert len(repr(record)) < 160
        said = "nothing learned: 1 of the 2 tasks that are needed"
        assert record.explain().endswith(said)
        assert record.explain().startswith(f"task 1, {record.samples} samples, Δ = inf\n")


def sequence_of(tasks: int, **options: object) -> list[TaskRecord]:
    """The repaired Algorithm 2 on so many tasks, without models of them."""
    inputs: dict[str, Any] = {"k": 2, "S": 1, "A": 3, "u": [0.0, 1.0], "gamma": 0.5}
    inputs |= {"epsilon": 0.4, "delta": 0.1, "n": 10, "delta_prime": 0.1, "rhos": 1.0}
    inputs |= {"fallback": None, "n_post": 30, **options}
    stream = (ptum.Simulator(BANDITS[j % 2], seed=j) for j in range(tasks))
    return list(ptum.sequential_transfer(stream, **inputs))


class TestWatch:
    """`ptum.Watch`."""

    def test_it_tells_eliminations_and_some_queries_and_changes_nothing(self) -> None:
        said = io.StringIO()
        run = run_of(observer=ptum.Watch(every=50, stream=said))
        assert plain(run) == plain(run_of())
        lines = said.getvalue().splitlines()
        first, second = run.eliminations
        assert (first.t, second.t, run.queries) == (70, 152, 151)
        assert lines == [
            "ptum: 3 models, at most 10000 queries",
            "ptum: t = 50 of 10000: 3 models left",
            f"ptum: t = 70: model {first.theta} is out, 2 left",
            "ptum: t = 100 of 10000: 2 models left",
            "ptum: t = 150 of 10000: 2 models left",
            f"ptum: t = 152: model {second.theta} is out, 1 left",
            "ptum: stopped after 151 queries",
        ]

    def test_it_tells_of_a_sequence_every_task_and_some_samples(self) -> None:
        said = io.StringIO()
        records = sequence_of(3, watch=ptum.Watch(every=40, stream=said))
        assert [(r.h, r.samples) for r in records] == [(r.h, r.samples) for r in sequence_of(3)]

        def told(records: list[TaskRecord]) -> list[str]:
            return [
                f"ptum: task {r.h}: {text}"
                for r in records
                for text in (
                    "40 samples",
                    "80 samples",
                    f"{r.result.end} after 90 samples; {r.learned}",
                )
            ]

        assert said.getvalue().splitlines() == told(records)
        later = io.StringIO()
        on = sequence_of(2, resume=records[0].after, watch=ptum.Watch(every=40, stream=later))
        assert [record.h for record in on] == [2, 3]
        assert later.getvalue().splitlines() == told(on)
        with pytest.raises(ptum.InputError, match=r"watch: must be None or ptum.Watch\(\)"):
            sequence_of(1, watch=print)


class TestPlots:
    """`ptum.plots`."""

    def test_models_left_after_so_many_queries(self) -> None:
        run = run_of()
        ax = ptum.plots.eliminations(run)
        (line,) = ax.get_lines()
        assert isinstance(line, Line2D)
        steps = [*zip(*map(np.asarray, line.get_data()), strict=True)]
        first, second = (e.t - 1 for e in run.eliminations)
        assert steps == [(0, 3), (first, 2), (second, 1), (run.queries, 1)]
        assert [text.get_text() for text in ax.texts] == ["model 1", "model 2"]

    def test_arrows_of_a_grid(self) -> None:
        """In a free corridor every arrow leads to the goal on the right."""
        task = two_rooms(1, 4, 0, (0, 3), 0.9)
        ax = ptum.plots.grid_policy(optimal_policy(task), 1, 4)
        arrows = cast(Quiver, ax.collections[0])
        assert np.all(np.asarray(arrows.U)[:3] == 1)
        assert np.all(np.asarray(arrows.V)[:3] == 0)
        low, high = ax.get_ylim()
        assert low < high
        low, high = ptum.plots.grid_policy([0, 1], 1, 2, first_row="top").get_ylim()
        assert low > high

    @pytest.mark.parametrize(
        ("policy", "size", "said"),
        [
            ([0, 1], (2, 2), "policy: needs at least 4 states"),
            ([0, 7], (1, 2), "its actions must be below 4"),
            ([[0, 1]], (1, 2), "one action for each state"),
            ([0, 1], (0, 2), "must be at least 1"),
        ],
    )
    def test_what_is_no_policy_is_refused(
        self, policy: object, size: tuple[int, int], said: str
    ) -> None:
        with pytest.raises(ptum.InputError, match=said):
            ptum.plots.grid_policy(policy, *size)  # type: ignore[arg-type]
