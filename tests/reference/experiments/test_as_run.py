"""The sequential experiment as run: the chain, the schedule, and the loop around the ten lines."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from ptum.reference.errors import InputError
from ptum.reference.experiments import sequential as as_run
from ptum.reference.experiments.chain import task_chain, task_sequence
from ptum.reference.experiments.lines import AS_RUN, updated
from ptum.reference.experiments.prediction import Experiment
from ptum.reference.experiments.sequential import Decay, Schedule, UniformPerPair
from ptum.reference.experiments.spectral import learn_hmm
from ptum.reference.repaired.sequential.alignment import permuted
from ptum.reference.sequential.algorithm import TaskRecord
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.sequential_bounds import theorem_2_bound
from ptum.reference.sequential.lines import projected, restarts
from ptum.reference.sequential.prediction import PredictionRule
from ptum.reference.sequential.spectral import HmmEstimate, NotEnoughData
from ptum.reference.sequential.state import Estimate
from ptum.reference.tasks.generative import Simulator
from ptum.reference.transfer.ptum import End
from tests.support.closeness import near
from tests.support.streams import THREE_ARMS, three_arms

# The chain


def test_the_next_task_is_the_successor_or_one_of_its_neighbours() -> None:
    T = task_chain(8)
    assert T.sum(axis=0) == near(np.ones(8))
    for j in range(8):
        assert T[(j + 1) % 8, j] == 0.97
        assert T[j, j] == T[(j + 2) % 8, j] == near(0.015)
    assert np.count_nonzero(T) == 24
    assert task_chain(1).tolist() == [[1.0]]
    assert task_chain(2) == near(np.array([[0.03, 0.97], [0.97, 0.03]]))


def test_a_chain_that_is_no_circle_turns_round() -> None:
    """After the last task comes the one before it, and skipping one beyond it comes back to two."""
    T = task_chain(4, 0.9, cyclic=False)
    assert T.sum(axis=0) == near(np.ones(4))
    assert T[:, 0] == near([0.05, 0.9, 0.05, 0])
    assert T[:, 2] == near([0, 0, 0.05 + 0.05, 0.9])
    assert T[:, 3] == near([0, 0.05, 0.9, 0.05])
    assert task_chain(1, 0.9, cyclic=False).tolist() == [[near(1.0)]]


def test_turning_round_ends_at_the_first_task() -> None:
    """Of two tasks, skipping one after the second would come back to one before the first."""
    assert task_chain(2, 0.9, cyclic=False) == near(np.array([[0.1, 0.95], [0.9, 0.05]]))


def test_a_sequence_follows_the_columns() -> None:
    T = task_chain(3, success=0.5)
    sequence = list(itertools.islice(task_sequence(T, np.random.default_rng(0)), 4001))
    assert sequence[0] == 0
    steps = np.bincount((np.diff(sequence)) % 3, minlength=3) / 4000
    deviation = math.sqrt(math.log(6 / 1e-9) / 8000)  # Hoeffding for three numbers, P ≤ 1e-9
    assert np.abs(steps - [0.25, 0.5, 0.25]).max() <= deviation
    transposed = [[0.0, 0.0], [1.0, 1.0]]
    assert list(itertools.islice(task_sequence(transposed, np.random.default_rng(0)), 3)) == [
        0,
        1,
        1,
    ]


@pytest.mark.parametrize(
    ("T", "first", "argument"),
    [
        ([[0.5, 0.5], [0.4, 0.5]], 0, "T"),
        ([[0.5, 0.5]], 0, "T"),
        ([[1.0, 1.0]], 0, "T: must be a square matrix"),
        ([[0.5], [0.5]], 0, "T: must be a square matrix"),
        ([[1.5, 0.5], [-0.5, 0.5]], 0, "T"),
        ([[1.0, 0.0], [0.0, 1.0]], 2, "first"),
    ],
)
def test_what_is_no_chain_is_refused(T: list[list[float]], first: int, argument: str) -> None:
    with pytest.raises(InputError, match=rf"^{argument}"):
        task_sequence(T, np.random.default_rng(0), first)


@pytest.mark.parametrize(
    ("wrong", "k", "success"), [("k", 0, 0.97), ("success", 3, 1.1), ("success", 3, math.nan)]
)
def test_a_chain_without_tasks_or_probability_is_refused(
    wrong: str, k: int, success: float
) -> None:
    with pytest.raises(InputError, match=f"^{wrong}: "):
        task_chain(k, success)


# The schedule

SETTING = replace(THREE_ARMS, n_post=1, seed=0)


def test_rho_decays_over_the_first_transfer_tasks() -> None:
    linear, geometric = Schedule(), Schedule(shape=Decay.GEOMETRIC)
    for schedule in (linear, geometric):
        assert schedule.rho_at(1) == schedule.rho_at(299) == schedule.rho_at(300) == 0.135
        assert schedule.rho_at(400) == schedule.rho_at(500) == near(0.006)
    assert linear.rho_at(350) == near((0.135 + 0.006) / 2)
    assert geometric.rho_at(350) == near(math.sqrt(0.135 * 0.006))
    assert Schedule(shape=Decay.NONE).rho_at(400) == 0.135
    step = Schedule(shape=Decay.STEP)
    assert [step.rho_at(h) for h in (300, 399, 400)] == [0.135, 0.135, 0.006]


def test_errors_are_unknown_before_the_start_up_is_over() -> None:
    schedule = Schedule()
    assert schedule.model_errors(299, SETTING).Delta == math.inf
    bound = theorem_2_bound(Level(S=1, A=3, U=2, h=300, delta_prime=0.1), rho_any=0.135)
    assert schedule.model_errors(300, SETTING).Delta == bound
    plain = replace(schedule, logarithm=False)
    assert plain.model_errors(300, SETTING).Delta == near(0.135 / math.sqrt(300))


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("start_up", 0),
        ("per_pair", 0),
        ("n_post", 1.5),
        ("rho", 0.0),
        ("rho", math.inf),
        ("last_rho", math.nan),
        ("logarithm", "no"),
        ("both", 1),
    ],
)
def test_a_schedule_that_is_none_is_refused(argument: str, value: object) -> None:
    with pytest.raises(InputError, match=rf"^{argument}: "):
        replace(Schedule(), **{argument: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("argument", ["setting", "schedule", "repair", "bounds"])
def test_a_run_refuses_what_is_none_of_its_options(argument: str) -> None:
    """At the call, before the first task is asked for."""
    options = {"setting": SETTING, argument: 0.5}
    with pytest.raises(InputError, match=rf"^{argument}: must be a "):
        as_run.sequential_transfer([], **options)  # type: ignore[arg-type]


# The loop: three bandits, of which each has a best arm of its own

TASKS = tuple(three_arms(best) for best in range(3))
SCHEDULE = Schedule(start_up=90, per_pair=40, n_post=20, rho=0.02, last_rho=0.01, decay=10)
LENGTH = 110


def run(rule: PredictionRule | None) -> list[TaskRecord]:
    sequence = task_sequence(task_chain(3, 0.9), np.random.default_rng(1))
    stream = [Simulator(TASKS[j], seed) for seed, j in zip(range(LENGTH), sequence, strict=False)]
    setting = replace(SETTING, seed=1)
    return list(as_run.sequential_transfer(stream, setting=setting, schedule=SCHEDULE, rule=rule))


@pytest.fixture(scope="module")
def records() -> list[TaskRecord]:
    return run(Experiment(m=LENGTH, keep=1, rho_T=0.001, eta=0.35))


def test_the_start_up_samples_uniformly_and_learns_nothing(records: list[TaskRecord]) -> None:
    for record in records[:89]:
        assert record.result.end is End.MODELS_TOO_INACCURATE
        assert record.samples == 3 * 40
        assert isinstance(record.no_estimate, NotEnoughData)
        assert record.next_errors.Delta == math.inf
    assert records[89].no_estimate is None
    assert records[89].next_errors.Delta < math.inf


def test_transfer_follows_with_post_samples(records: list[TaskRecord]) -> None:
    later = records[90:]
    assert all(record.result.end is End.STOPPED for record in later)
    assert all(record.samples == record.result.queries + 3 * 20 for record in later)
    for record, after in itertools.pairwise(later):
        assert after.initial == record.next_initial
        assert after.errors == record.next_errors
    assert [r.errors.Delta for r in later[:11]] == sorted(
        (r.errors.Delta for r in later[:11]), reverse=True
    )


def test_the_rule_filters_and_the_static_variant_does_not(records: list[TaskRecord]) -> None:
    assert any(len(record.initial) < 3 for record in records[90:])
    static = run(None)
    assert all(record.initial == (0, 1, 2) for record in static)
    filtered = sum(record.result.queries for record in records[90:])
    assert filtered < sum(record.result.queries for record in static[90:])


def test_labels_are_those_of_the_estimate_before(records: list[TaskRecord]) -> None:
    """A learner that finds the same components in another order changes nothing."""
    last = records[-1].after
    assert last.estimate is not None
    rows = np.stack(last.observations, axis=1)[0]
    learned = learn_hmm(rows, 3, SETTING.L, SETTING.N, restarts(1, LENGTH))
    assert isinstance(learned, HmmEstimate)

    def after(before: Estimate | None, order: tuple[int, ...]) -> Estimate:
        estimate, _, _ = updated(before, permuted(learned, order), LENGTH, SETTING, AS_RUN)
        assert estimate is not None
        return estimate

    found = [after(last.estimate, order) for order in itertools.permutations(range(3))]
    assert all(np.array_equal(other.O, found[0].O) for other in found)
    transitions = [other.T for other in found if other.T is not None]
    assert len(transitions) == 6
    assert all(np.array_equal(T, transitions[0]) for T in transitions)
    assert np.array_equal(found[0].O, last.estimate.O)
    first = after(None, (2, 0, 1))
    assert np.array_equal(first.O, projected(learned.O, SETTING)[0][:, [2, 0, 1]])


def test_a_budget_that_is_used_up_is_followed_by_uniform_sampling() -> None:
    sequence = task_sequence(task_chain(3, 0.9), np.random.default_rng(1))
    stream = [Simulator(TASKS[j], seed) for seed, j in zip(range(92), sequence, strict=False)]
    setting = replace(SETTING, n=2, seed=1)
    last = list(as_run.sequential_transfer(stream, setting=setting, schedule=SCHEDULE))[-1]
    assert last.result.end is End.BUDGET_EXHAUSTED
    assert last.samples == 2 + 3 * 40
    assert last.result.policy is not None


def test_the_oracle_knows_all_models() -> None:
    found = as_run.oracle(TASKS, Simulator(TASKS[2], 0), SETTING)
    assert found.end is End.STOPPED
    assert found.policy is not None
    assert found.policy.tolist() == [2]


def test_uniform_sampling_has_a_number_per_pair() -> None:
    found = UniformPerPair(40)(Simulator(TASKS[1], 0), 1, 3, 0.5, 0.1, 0.1)
    assert found.queries == 120
    assert found.policy.tolist() == [1]
