"""Algorithm 2, printed and repaired, on sequences of two or three small tasks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptum.checks.instances.fakes import AskEveryPair, Knowing
from ptum.checks.instances.sequences import CHAIN as CYCLE
from ptum.checks.instances.sequences import GAMMA
from ptum.checks.instances.sequences import REWARDS as U
from ptum.checks.instances.sequences import TASKS as THREE
from ptum.reference.arrays import Floats
from ptum.reference.errors import InputError
from ptum.reference.experiments.prediction import Experiment
from ptum.reference.repaired.sequential import algorithm as repaired
from ptum.reference.repaired.sequential import lines as repaired_lines
from ptum.reference.repaired.sequential.algorithm import Constants, CrossTask, WithinTask
from ptum.reference.repaired.sequential.alignment import align
from ptum.reference.repaired.sequential.analysis.spectral_bounds import model_errors_at
from ptum.reference.repaired.sequential.lines import often_enough
from ptum.reference.repaired.sequential.prediction import PerStep, reidentify
from ptum.reference.repaired.sequential.spectral import SpectralOutcome
from ptum.reference.repaired.transfer.repairs import CHEAPEST, PRINTED_SHIFT
from ptum.reference.sequential import algorithm as printed
from ptum.reference.sequential import lines, state
from ptum.reference.sequential.algorithm import Rhos, Setting, TaskRecord
from ptum.reference.sequential.hmm import task_sequence
from ptum.reference.sequential.lines import ptum_set, restarts
from ptum.reference.sequential.observations import observation_matrix
from ptum.reference.sequential.spectral import (
    HmmEstimate,
    NotEnoughData,
    NotIdentifiable,
)
from ptum.reference.sequential.state import Estimate
from ptum.reference.tasks.generative import GenerativeModel, Simulator
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import approximate_models
from ptum.reference.tasks.values import optimal_policy
from ptum.reference.transfer.fallback import FallbackResult
from ptum.reference.transfer.ptum import End
from tests.support.closeness import near
from tests.support.instances import bernoulli_bandit
from tests.support.oracles import Constant
from tests.support.streams import noisy, plain, simulators

FEW = AskEveryPair()
SMALL = Constants(rho_3=1e-6, rho_4=1e-6, rho_5=1e-6, rho_6=1e-3, ell=1e-6)
ONE_STAY = (0, 1, 2, 0, 1, 1, 2, 0, 1, 2, 0, 1)
"""The cycle 0, 1, 2, …, which once stays where it is: task 6 is 1 and not 2."""


RUN: Mapping[str, Any] = {
    "k": 3,
    "S": 2,
    "A": 2,
    "u": U,
    "gamma": GAMMA,
    "epsilon": 0.5,
    "delta": 0.01,
    "n": 300,
    "delta_prime": 0.1,
    "fallback": FEW,
    "L": 5,
    "N": 20,
}


OF_RUN = Setting(
    **{name: given for name, given in RUN.items() if name != "fallback"}, n_post=30, seed=0
)


def run_printed(stream: Sequence[GenerativeModel], **options: Any) -> Iterator[TaskRecord]:
    return printed.sequential_transfer(stream, **{**RUN, "rhos": 1e-6, "n_post": 1, **options})


def run_repaired(stream: Sequence[GenerativeModel], **options: Any) -> Iterator[TaskRecord]:
    return repaired.sequential_transfer(stream, **{**RUN, "rhos": SMALL, "n_post": 30, **options})


def true_names(record: TaskRecord, tasks: Sequence[MDP]) -> tuple[int, ...]:
    """Which task each column of the current estimate is, by least distance."""
    assert record.after.estimate is not None
    found, true = record.after.estimate.O, observation_matrix(tasks)
    distances = np.linalg.norm(found[:, :, np.newaxis] - true[:, np.newaxis, :], axis=0)
    return tuple(distances.argmin(axis=1).tolist())


# The lines


def test_the_first_task_is_solved_by_the_fallback_from_scratch() -> None:
    for run in (run_printed, run_repaired):
        (first,) = run(simulators(THREE, [0]))
        assert (first.h, first.initial, first.errors.Delta) == (1, (0, 1, 2), math.inf)
        assert first.result.end is End.MODELS_TOO_INACCURATE
        assert first.result.fallback is not None
        assert first.result.fallback.queries == 4
        assert first.theta_bar == first.next_initial == (0, 1, 2)
        assert isinstance(first.no_estimate, NotEnoughData)
        assert first.next_errors.Delta == math.inf
        assert first.after.estimate is None


def test_samples_are_those_of_ptum_of_the_fallback_and_after() -> None:
    oracle = Knowing(THREE, CYCLE)
    for record in run_printed(simulators(THREE, ONE_STAY), learner=oracle, n_post=2):
        fallback = record.result.fallback
        expected = record.result.queries + 2 * 4 + (0 if fallback is None else fallback.queries)
        assert record.samples == expected


def test_a_static_run_starts_every_task_with_all_models() -> None:
    stream = simulators(THREE, ONE_STAY)
    for record in run_printed(stream, learner=Knowing(THREE, CYCLE)):
        assert record.initial == (0, 1, 2)
        assert record.h == 1 or record.result.theta == ONE_STAY[record.h - 1]
        assert record.h == 1 or record.result.queries > 0


def test_labels_of_ptum_are_those_of_all_models() -> None:
    """PTUM sees two models and numbers them 0 and 1; the record calls them 1 and 2."""

    @dataclass(frozen=True)
    class Last:
        def __call__(self, *_: object, **__: object) -> tuple[int, ...]:
            return (1, 2)

    oracle = Knowing(THREE, CYCLE)
    *_, record = run_printed(simulators(THREE, [0, 2]), learner=oracle, rule=Last())
    assert record.initial == (1, 2)
    assert record.result.theta == 2
    assert record.result.active == record.theta_bar == (2,)
    (fallen,) = record.result.eliminations
    assert fallen.theta == 1
    assert fallen.theta_prime in (None, 1, 2)
    assert record.result.policy is not None
    assert np.array_equal(record.result.policy, optimal_policy(THREE[2]))


def test_the_set_that_ptum_leaves() -> None:
    """Its final set; all labels when it did not run or when nothing is left."""
    *_, record = run_printed(simulators(THREE, [0, 2]), learner=Knowing(THREE, CYCLE))
    stopped, labels = record.result, (0, 1, 2)
    assert ptum_set(stopped, labels) == (2,)
    refused = replace(stopped, end=End.MODELS_TOO_INACCURATE, active=(1, 2))
    assert ptum_set(refused, labels) == labels
    exhausted = replace(stopped, end=End.BUDGET_EXHAUSTED, active=(1, 2))
    assert ptum_set(exhausted, labels) == (1, 2)
    assert ptum_set(replace(stopped, end=End.ACTIVE_SET_EMPTY, active=()), labels) == labels


def test_the_rule_is_told_when_the_transitions_were_estimated() -> None:
    told: list[dict[str, object]] = []

    class Remembers:
        def __call__(self, *_: object, **numbers: object) -> tuple[int, ...]:
            told.append(numbers)
            return (0, 1, 2)

    list(
        run_printed(simulators(THREE, [0, 1, 2, 0, 1]), learner=FailsAfterThree(), rule=Remembers())
    )
    assert [numbers["h"] for numbers in told] == [1, 2, 3, 3, 3]
    expected = {"d": 16, "delta": 0.01, "delta_prime": 0.1}
    assert all({**numbers, **expected} == numbers for numbers in told)


def test_random_restarts_depend_on_the_seed_and_on_the_task() -> None:
    def draw(seed: int, h: int) -> float:
        return float(restarts(seed, h).random())

    assert draw(3, 7) == draw(3, 7)
    assert len({draw(seed, h) for seed in range(4) for h in range(4)}) == 16


# Estimates, model errors


def test_printed_with_algorithm_3_solves_what_it_has_learnt() -> None:
    """Certain tasks are seen without noise: once Algorithm 3 answers, every column is a model.

    Conditions of the moments are below 100 here, so rounding stays below 16·100²·2⁻⁵² < 1e-10.
    """
    sequence = task_sequence(np.array([[0.1, 0.9], [0.9, 0.1]]), [1, 0], 30, rng=seeded(0))
    records = list(run_printed(simulators(THREE, sequence.tolist()), k=2, rhos=1e-3))
    estimated = [record for record in records if record.no_estimate is None]
    assert 10 < len(estimated) < 30
    true = observation_matrix(THREE[:2])
    for record in estimated:
        assert record.moved is not None
        assert record.moved < 1e-10
        names = true_names(record, THREE[:2])
        assert sorted(names) == [0, 1]
        assert record.after.estimate is not None
        assert np.abs(record.after.estimate.O - true[:, list(names)]).max() < 1e-10
    for record in records:
        if record.result.end is End.STOPPED:
            best = optimal_policy(THREE[sequence[record.h - 1]])
            assert record.result.policy is not None
            assert np.array_equal(record.result.policy, best)
    assert records[-1].result.end is End.STOPPED


@pytest.mark.parametrize("learner", [WithinTask(), CrossTask(), CrossTask(overlapping=True)])
def test_repaired_with_its_own_learners(learner: repaired.HmmLearner) -> None:
    tasks = tuple(noisy(task, 0.02) for task in THREE[:2])
    T = np.array([[0.05, 0.95], [0.95, 0.05]])
    sequence = task_sequence(T, [1, 0], 36, rng=seeded(1)).tolist()
    always_fall_back = Constants(1e-6, 10.0, 1e-6, 1.0, ell=1e-6)
    *_, last = run_repaired(
        simulators(tasks, sequence), k=2, learner=learner, n_post=6, rhos=always_fall_back
    )
    assert last.no_estimate is None
    assert last.after.estimate is not None
    assert last.after.estimate.T_h == 36
    assert sorted(true_names(last, tasks)) == [0, 1]


@given(st.integers(0, 2**32 - 1), st.booleans())
@settings(max_examples=5)
def test_invariants_of_every_run(seed: int, static: bool) -> None:
    tasks = [noisy(task, 0.05) for task in THREE]
    sequence = task_sequence(CYCLE, [1, 0, 0], 12, rng=seeded(seed)).tolist()
    stream = simulators(tasks, sequence, first=seed)
    by_hand = None if static else Experiment(m=12, keep=1)
    per_step = None if static else PerStep(0.3)
    runs = (
        (run_printed(stream, rule=by_hand, seed=seed, rhos=0.01), 1),
        (run_repaired(stream, rule=per_step, seed=seed, n_post=6), 6),
    )
    for found, n_post in runs:
        records = list(found)
        assert [record.h for record in records] == list(range(1, 13))
        for record in records:
            require_invariants(record, n_post)
            assert not static or record.next_initial == (0, 1, 2)
        for before, after in pairwise(records):
            assert after.initial == before.next_initial
            assert after.errors == before.next_errors


def require_invariants(record: TaskRecord, n_post: int) -> None:
    assert record.h == record.after.h == len(record.after.observations)
    for labels in (record.initial, record.theta_bar, record.next_initial):
        assert labels
        assert list(labels) == sorted(set(labels) & {0, 1, 2})
    assert record.next_errors.Delta <= record.errors.Delta
    assert record.samples >= n_post * 4
    assert (record.moved is None) == (record.no_estimate is not None)
    assert sorted(record.labels) == ([] if record.moved is None else [0, 1, 2])


def test_the_model_error_is_theorem_2_with_the_given_constants() -> None:
    rhos = Rhos(r=0.1, p=0.2, sigma_r=0.3, sigma_p=0.4)
    stream, oracle = simulators(THREE, [0, 1, 2]), Knowing(THREE, CYCLE)
    for record in run_printed(stream, learner=oracle, rhos=rhos):
        rate = math.sqrt(math.log(math.pi**2 * record.h**2 * 16 / 0.1) / record.h)
        found = record.next_errors
        bounds = [found.r, found.p, found.sigma_r, found.sigma_p]
        assert bounds == near([x * rate for x in (0.1, 0.2, 0.3, 0.4)])


def test_the_model_error_is_infinite_below_the_condition_of_theorem_2() -> None:
    stream, oracle = simulators(THREE, ONE_STAY), Knowing(THREE, CYCLE)
    rhos = Rhos(1e-6, 1e-6, 1e-6, 1e-6, condition=1.0)
    for record in run_printed(stream, learner=oracle, rhos=rhos):
        admitted = record.h > math.log(2 * record.h**2 * 16 / 0.1)
        assert math.isinf(record.next_errors.Delta) == (not admitted)
        assert admitted == (record.h >= 11)
    constants = Constants(1.0, 1e-6, 1.0, 1e-6)
    for record in run_repaired(stream, learner=Knowing(THREE, CYCLE), rhos=constants):
        admitted = record.h >= math.log(math.pi**2 * record.h**2 * 16 / 0.1)
        assert math.isinf(record.next_errors.Delta) == (not admitted)


def test_predictions_wait_for_rho_5() -> None:
    """Lemma 12 asks for a larger h than Lemma 11: models are used from 6 tasks on, T̂ from 14.

    At 14 names may not yet be those of the estimate before, so that all tasks may follow (D117).
    """
    stream, oracle = simulators(THREE, [0, 1, 2] * 6), Knowing(THREE, CYCLE)
    constants = Constants(rho_3=0.5, rho_4=1e-6, rho_5=1.1, rho_6=1e-6)
    records = list(run_repaired(stream, learner=oracle, rhos=constants, rule=PerStep(0.05)))
    models = [record.h for record in records if math.isfinite(record.next_errors.Delta)]
    predictions = [record.h for record in records if record.next_initial != (0, 1, 2)]
    assert models == list(range(6, 19))
    assert predictions == list(range(15, 19))


def test_triples_are_disjoint_unless_asked_otherwise() -> None:
    """The constants of part C are for disjoint ones: eight tasks are two triples, not six."""
    o = observation_matrix(THREE).T[[0, 1, 2, 0, 1, 2, 0, 1]]
    assert CrossTask()(o, 3, 5, 20, seeded(0)) == NotEnoughData("triples", 2, 3)
    every = CrossTask(overlapping=True)(o, 3, 5, 20, seeded(0))
    assert isinstance(every, HmmEstimate)


# How often every task came

TWO = THREE[:2]
RARE = [0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0]
"""After 2 tasks either came once, after 9 the second is one of nine, after 12 a third."""


def least_eigenvalue(tasks: Sequence[MDP], sequence: Sequence[int]) -> float:
    """λ_k of the mean of μ ⊗ μ over a sequence of tasks."""
    O = observation_matrix(tasks)  # noqa: E741 - the paper's letter
    columns = O[:, list(sequence)]
    return float(np.linalg.eigvalsh(columns @ columns.T / len(sequence))[-len(tasks)])


def test_an_estimate_counts_only_where_every_task_came_often_enough() -> None:
    """Certain tasks have M̂_2 = M_2. Where λ_k(M̂_2) < 2ℓ models, bounds and labels stay (D105)."""
    eigenvalues = [least_eigenvalue(TWO, RARE[:h]) for h in range(2, len(RARE) + 1)]
    ell = eigenvalues[2] / 2 * (1 - 1e-9)  # what four tasks with one of the second kind have
    constants = Constants(1e-6, 1e-6, 1e-6, 1e-3, ell=ell)
    records = list(
        run_repaired(simulators(TWO, RARE), k=2, learner=WithinTask(), rhos=constants, n_post=6)
    )
    closed = [record.h for record in records if isinstance(record.no_estimate, NotIdentifiable)]
    assert closed == [h for h, found in enumerate(eigenvalues, 2) if found < 2 * ell]
    assert closed == list(range(5, 11))
    for before, record in pairwise(records):
        if record.h in closed:
            assert isinstance(record.no_estimate, NotIdentifiable)
            assert record.no_estimate.quantity == "eigenvalue 2 of M_2"
            assert record.no_estimate.value == near(eigenvalues[record.h - 2])
            assert record.no_estimate.threshold == 2 * ell
            assert record.after.estimate is before.after.estimate
            assert record.next_errors == before.next_errors


def test_twice_the_floor_is_enough() -> None:
    constants = Constants(1.0, 1.0, 1.0, 1.0, ell=0.25)
    found = Knowing(THREE, CYCLE)(np.zeros((1, 1, 1)), 3, 1, 1, seeded(0))
    at_the_edge, below = (replace(found, lambda_k=x) for x in (0.5, math.nextafter(0.5, 0.0)))
    assert often_enough(found, constants) is found
    assert often_enough(at_the_edge, constants) is at_the_edge
    assert often_enough(below, replace(constants, ell=None)) is below
    assert isinstance(often_enough(below, constants), NotIdentifiable)


def test_views_within_a_task_need_a_floor() -> None:
    without = Constants(1e-6, 1e-6, 1e-6, 1e-3)
    for learner in (None, WithinTask()):
        with pytest.raises(InputError, match="rhos: views within a task need ell"):
            run_repaired([], learner=learner, rhos=without)
    assert list(run_repaired([], learner=CrossTask(), rhos=without)) == []


# Restarts


class Counting:
    """A learner that says nothing and remembers how hard it was asked to try."""

    views = 1

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []

    def __call__(
        self, observations: Floats, k: int, L: int, N: int, rng: np.random.Generator
    ) -> NotEnoughData:
        """Restarts and steps are written down."""
        del observations, rng
        self.asked.append((L, N))
        return NotEnoughData("triples", 0, k)


def test_restarts_grow_with_the_number_of_tasks() -> None:
    """λ_1 = log(160π²) = 7.36 and λ_6 = log(160π²·36) = 10.95; logarithms 2.00 and 2.39."""
    learner = Counting()
    list(run_repaired(simulators(THREE, [0] * 6), learner=learner))
    assert learner.asked[0] == (5, 20)
    assert learner.asked[5] == (math.ceil(5 * 10.948 / 7.3646), math.ceil(20 * 2.3932 / 1.9967))
    assert learner.asked == sorted(learner.asked)


@dataclass(frozen=True)
class FailsAfterThree:
    """An oracle for three tasks."""

    def __call__(
        self, observations: Floats, k: int, L: int, N: int, rng: np.random.Generator, /
    ) -> SpectralOutcome:
        if len(observations) > 3:
            return NotIdentifiable("eigenvalue 3 of M_2", 0.0, 0.1)
        return Knowing(THREE, CYCLE)(observations, k, L, N, rng)


@dataclass(frozen=True)
class FailsLater:
    """An oracle that loses T at its second estimate and everything after its third."""

    views: int = 1

    def __call__(
        self, observations: Floats, k: int, L: int, N: int, rng: np.random.Generator
    ) -> SpectralOutcome:
        h = observations.shape[-2]
        if h >= 4:
            return NotIdentifiable("eigenvalue 3 of M_2", 0.0, 0.1)
        found = Knowing(THREE, CYCLE)(observations, k, L, N, rng)
        assert isinstance(found, HmmEstimate)
        return found if h == 1 else replace(found, T=None)


def test_a_failed_estimate_changes_nothing() -> None:
    stream, rule = simulators(THREE, ONE_STAY[:6]), PerStep(0.05)
    records = list(run_repaired(stream, learner=FailsLater(), rule=rule))
    third, later = records[2], records[3:]
    assert third.after.estimate is not None
    assert third.after.estimate.T_h == 1  # the last T̂ there was
    assert third.next_initial == (0,)
    for record in later:
        assert record.no_estimate == NotIdentifiable("eigenvalue 3 of M_2", 0.0, 0.1)
        assert record.after.estimate is third.after.estimate
        assert record.next_errors == third.next_errors
        assert (record.moved, record.labels) == (None, ())
    literal = list(run_printed(stream, learner=FailsLater()))
    assert literal[5].after.estimate is literal[2].after.estimate
    assert literal[5].next_errors == literal[2].next_errors


# A wrong prediction


def test_printed_a_miss_is_silent_and_persists() -> None:
    """One successor is kept; after the one stay every task is taken for its successor."""
    rule, oracle = Experiment(m=20, keep=1), Knowing(THREE, CYCLE)
    records = list(run_printed(simulators(THREE, ONE_STAY), rule=rule, learner=oracle))
    for record in records[2:]:
        true = ONE_STAY[record.h - 1]
        missed = record.h >= 6
        assert record.initial == (((true + 1) % 3,) if missed else (true,))
        assert record.result.end is End.STOPPED
        assert record.result.queries == 0
        assert record.result.theta == record.initial[0]
        assert (record.result.theta != true) == missed
        assert record.theta_bar == record.initial
    # The samples taken afterwards show the true task and are not looked at.
    last = records[-1]
    assert np.array_equal(last.observation, observation_matrix(THREE)[:, ONE_STAY[-1]])


def test_the_cheapest_repair_transfers_after_a_sixth_of_the_tasks() -> None:
    """(7.22/18)² = 0.16, and the logarithm in e_h makes it a little less."""
    constants = Constants(1e-6, 5e-3, 1e-6, 1e-3, ell=1e-6, sigma_bar=0.3)
    oracle, first = Knowing(THREE, CYCLE, views=3), {}
    for repair in (CHEAPEST, PRINTED_SHIFT):
        records = run_repaired(
            simulators(THREE, [h % 3 for h in range(45)]),
            learner=oracle,
            rhos=constants,
            n_post=3,
            repair=repair,
        )
        transferred = (r.h for r in records if r.result.end is not End.MODELS_TOO_INACCURATE)
        first[repair] = next(transferred)
    assert 1 < first[CHEAPEST] < first[PRINTED_SHIFT] / 5


def test_the_repair_belongs_to_the_run() -> None:
    oracle = Knowing(THREE, CYCLE, views=3)
    stream = simulators(THREE, ONE_STAY)
    plain, cheap = (
        next(run_repaired(stream, learner=oracle, repair=repair)).after
        for repair in (PRINTED_SHIFT, CHEAPEST)
    )
    assert "repair" not in plain.options
    assert cheap.options["repair"].startswith("TransferConstants(shift=2.61, line_2=7.22")


def test_repaired_a_miss_lasts_one_task() -> None:
    rule, oracle = PerStep(0.05), Knowing(THREE, CYCLE, views=3)
    records = list(run_repaired(simulators(THREE, ONE_STAY), rule=rule, learner=oracle))
    for record in records[1:]:
        true = ONE_STAY[record.h - 1]
        assert record.theta_bar == (true,)
        assert record.next_initial == ((true + 1) % 3,)
        assert (true in record.initial) == (record.h != 6)
        assert (record.result.theta == true) == (record.h != 6)
    assert [record.result.queries for record in records[2:]] == [0] * 10


def test_repaired_recovers_with_models_it_has_learnt_itself() -> None:
    sequence = (0, 1, 2) * 6 + (2, 0, 1, 2, 0, 1)
    stream = simulators(THREE, sequence)
    records = list(run_repaired(stream, rule=PerStep(0.2), rhos=replace(SMALL, rho_6=1e-2)))
    names = true_names(records[-1], THREE)
    for record in records[5:]:
        true = names.index(sequence[record.h - 1])
        assert record.theta_bar == (true,)
        assert (record.initial == (true,)) == (record.h != 19)
        assert record.result.queries == 0


# Labels


def rolled(h: int) -> tuple[int, ...]:
    """From step to step every task gets its successor's name."""
    return tuple((j + h - 1) % 3 for j in range(3))


def test_printed_without_matched_labels_the_next_task_is_dropped() -> None:
    """Θ̄_h is read with the names of step h-1 and T̂_h with those of step h.

    So the task believed to come next moves on by two where the true one moves on by one, and it
    is right in every third step only. With matched labels it always is.
    """
    sequence = [0, 1, 2] * 4

    def dropped(records: Iterator[TaskRecord], names: Callable[[int], Sequence[int]]) -> list[int]:
        return [
            record.h
            for record in records
            if names(record.h).index((sequence[record.h - 1] + 1) % 3) not in record.next_initial
        ]

    stream, oracle = simulators(THREE, sequence), Knowing(THREE, CYCLE, naming=rolled)
    literal = run_printed(stream, rule=Experiment(m=20, keep=1), learner=oracle)
    assert dropped(literal, rolled) == [2, 3, 5, 6, 8, 9, 11, 12]
    matched = run_repaired(stream, rule=PerStep(0.05), learner=oracle)
    assert dropped(matched, lambda _: rolled(1)) == []


def test_repaired_all_labels_count_until_two_transition_matrices_were_admitted() -> None:
    """Θ̄_h has the names of the estimate before, which the first admitted T̂ says nothing of."""
    bounds = replace(SMALL, rho_5=0.5)
    sequence = [0, 1, 2] * 4
    stream, oracle = simulators(THREE, sequence), Knowing(THREE, CYCLE, views=3)
    records = list(run_repaired(stream, rule=PerStep(0.05), learner=oracle, rhos=bounds))
    first = min(h for h in range(1, 13) if bounds.transition_error(h, OF_RUN) < math.inf)
    assert 2 < first < 11
    for record in records[1:]:
        true = sequence[record.h - 1]
        assert record.theta_bar == (true,)
        assert record.next_initial == ((0, 1, 2) if record.h <= first else ((true + 1) % 3,))


def test_repaired_a_changed_name_would_cost_the_successor() -> None:
    """Two tasks of one state and two arms; before, both columns are off by half their distance.

    Task 0 is found again rightly as label 0. The new columns are off by less than a quarter, so
    that its T̂ is admitted, and least cost gives label 0 to task 1 (D117).
    """
    x = 0.4
    means = {
        "before": ((0.3 + 0.299 * x, 0.5 + 0.399 * x), (0.3 + 0.55 * x, 0.5 - 0.21 * x)),
        "true": ((0.3, 0.5), (0.3 + x, 0.5)),
        "new": ((0.3, 0.5 - 0.249 * x), (0.3 + x, 0.5 + 0.249 * x)),
    }
    tasks = {name: [bernoulli_bandit(r, GAMMA) for r in rows] for name, rows in means.items()}
    O = {name: observation_matrix(listed) for name, listed in tasks.items()}  # noqa: E741
    distance = float(np.linalg.norm(O["true"][:, 0] - O["true"][:, 1]))

    def error(name: str) -> float:
        return float(np.linalg.norm(O[name] - O["true"], axis=0).max())

    assert error("before") <= distance / 2
    assert error("new") < distance / 4
    found = reidentify(
        [means["true"][0]],
        np.ones((1, 2, 1)),
        approximate_models(tasks["before"]),
        n_post=30_000,
        delta=0.1,
        errors=model_errors_at(distance / 2, S=1, U=2, gamma=GAMMA, sigma_bar=None),
    )
    assert found == (0,)
    labels = align(O["before"], O["new"])
    assert labels.tolist() == [1, 0]
    T = np.array([[0.97, 0.02], [0.03, 0.98]])
    named = T[np.ix_(labels, labels)]
    kept = PerStep(0.1)(named, found, e_T=0.001)
    assert 0 not in labels[list(kept)]  # though it follows itself with probability 0.97
    bounds = replace(SMALL, rho_5=1e9)
    before = Estimate(O["before"], named, 5)
    carried = repaired_lines.carried(found, before, bounds, replace(OF_RUN, k=2))
    assert PerStep(0.1)(named, carried, e_T=0.001) == (0, 1)
    assert repaired_lines.carried(found, before, SMALL, OF_RUN) == found
    assert repaired_lines.carried(found, None, Rhos(1, 1, 1, 1), OF_RUN) == found


@given(st.lists(st.permutations(range(3)), min_size=6, max_size=6))
@settings(max_examples=5)
def test_repaired_the_learners_order_of_discovery_does_not_matter(orders: list[list[int]]) -> None:
    def run(namings: list[list[int]]) -> list[TaskRecord]:
        learner = Knowing(THREE, CYCLE, naming=lambda h: namings[h - 1], views=3)
        stream = simulators(THREE, ONE_STAY[2:8])
        return list(run_repaired(stream, rule=PerStep(0.05), learner=learner, n_post=21))

    def without_order(record: TaskRecord) -> object:
        return plain(replace(record, labels=(), after=replace(record.after, options={})))

    first = orders[0]
    for expected, found in zip(run([first] * 6), run(orders), strict=True):
        assert [orders[found.h - 1][i] for i in found.labels] == first
        assert without_order(found) == without_order(expected)


@given(st.permutations(range(3)))
@settings(max_examples=4)
def test_repaired_other_names_for_the_tasks_change_names_only(order: list[int]) -> None:
    def run(naming: Sequence[int]) -> list[TaskRecord]:
        learner = Knowing(THREE, CYCLE, naming=lambda _: naming, views=3)
        stream = simulators(THREE, ONE_STAY[2:8])
        return list(run_repaired(stream, rule=PerStep(0.05), learner=learner, n_post=21))

    for expected, found in zip(run((0, 1, 2)), run(order), strict=True):
        for theirs, ours in (
            (found.initial, expected.initial),
            (found.theta_bar, expected.theta_bar),
            (found.next_initial, expected.next_initial),
        ):
            assert sorted(order[i] for i in theirs) == list(ours)
        assert found.result.queries == expected.result.queries
        assert np.array_equal(found.observation, expected.observation)


def test_names_that_the_power_method_gives() -> None:
    """Printed, the names change from estimate to estimate; matched, they never do."""
    sequence = task_sequence(np.array([[0.1, 0.9], [0.9, 0.1]]), [1, 0], 30, rng=seeded(0))
    literal = run_printed(simulators(THREE, sequence.tolist()), k=2, L=1, rhos=10.0)
    named = [true_names(record, THREE[:2]) for record in literal if record.after.estimate]
    assert len(set(named)) == 2
    always_fall_back = Constants(1e-6, 10.0, 1e-6, 1.0, ell=1e-6)
    matched = run_repaired(simulators(THREE, [0, 1, 2] * 6), rhos=always_fall_back)
    records = [record for record in matched if record.after.estimate]
    assert len({true_names(record, THREE) for record in records}) == 1
    assert len({record.labels for record in records}) > 1


# Adaptive samples


def mean_at_first_elimination(p: float) -> float:
    """E[p̂] by dynamic programming over the number of samples and of successes."""
    going, mean = {0: 1.0}, 0.0
    for n in range(1, 26):
        reached: dict[int, float] = {}
        for successes, chance in going.items():
            reached[successes] = reached.get(successes, 0.0) + chance * (1 - p)
            reached[successes + 1] = reached.get(successes + 1, 0.0) + chance * p
        stopped = {s: chance for s, chance in reached.items() if one_candidate_is_out(s, n)}
        mean += sum(chance * s / n for s, chance in stopped.items())
        going = {s: chance for s, chance in reached.items() if s not in stopped}
    assert not going
    return mean


def one_candidate_is_out(successes: int, n: int) -> bool:
    """Candidates 0.3 and 0.6, intervals of level 0.1, 25 samples at most."""
    width = math.sqrt(math.log(2 / 0.1) / (2 * n))
    far = max(abs(successes / n - candidate) for candidate in (0.3, 0.6))
    return far > width or n == 25


@dataclass(frozen=True)
class FirstElimination:
    """A fallback that samples the only pair until one of the two candidates is out."""

    def __call__(self, model: GenerativeModel, *_: float, **__: float) -> FallbackResult:
        successes, n = int(model.sample(0, 0)[0]), 1
        while not one_candidate_is_out(successes, n):
            successes, n = successes + int(model.sample(0, 0)[0]), n + 1
        return FallbackResult(np.zeros(1, dtype=np.int64), n)


@dataclass(frozen=True)
class Never:
    """A learner that keeps everybody in the fallback."""

    views: int = 1

    def __call__(self, *_: object, **__: object) -> SpectralOutcome:
        return NotEnoughData("tasks", 0, 1)


ONE_PAIR: Mapping[str, Any] = {
    "k": 2,
    "S": 1,
    "A": 1,
    "u": U,
    "gamma": 0.0,
    "epsilon": 0.5,
    "delta": 0.1,
    "n": 9,
    "delta_prime": 0.1,
    "fallback": FirstElimination(),
}


@pytest.mark.parametrize(("p", "bias"), [(0.3, -0.0553), (0.6, 0.0760)])
def test_all_samples_are_biased_and_post_samples_are_not(p: float, bias: float) -> None:
    """Observations of 600 tasks; their mean may be 5 standard errors off.

    Chance exceeds that with probability below 1e-6. The bias itself is more than 7 standard errors.
    """
    exact = mean_at_first_elimination(p)
    assert exact - p == pytest.approx(bias, abs=0.00005)
    adaptive, after = [], []
    for first in range(0, 600, 100):
        stream = simulators([bernoulli_bandit([p], 0.0)], [0] * 100, first)
        literal = printed.sequential_transfer(
            stream, rhos=1.0, n_post=0, learner=Never(), **ONE_PAIR
        )
        mended = repaired.sequential_transfer(
            stream, rhos=SMALL, n_post=10, learner=Never(), **ONE_PAIR
        )
        adaptive += [record.observation[1] for record in literal]
        after += [record.observation[1] for record in mended]
    assert abs(np.mean(adaptive) - exact) <= 5 * standard_error(adaptive)
    assert abs(exact - p) > 7 * standard_error(adaptive)
    assert abs(np.mean(after) - p) <= 5 * standard_error(after)


class PaysTwice:
    """One pair that pays 1 for its first two queries and 0 from then on."""

    def __init__(self) -> None:
        self._answers = iter((1.0, 1.0))

    def sample(self, *_: int) -> tuple[float, int]:
        """The next answer."""
        return next(self._answers, 0.0), 0


def test_which_samples_make_the_observation() -> None:
    """The fallback takes the first two answers, the post-samples are the next two."""
    options = {**ONE_PAIR, "fallback": AskEveryPair(2)}
    (literal,) = printed.sequential_transfer(
        [PaysTwice()], rhos=1.0, n_post=2, learner=Never(), **options
    )
    (mended,) = repaired.sequential_transfer(
        [PaysTwice()], rhos=SMALL, n_post=2, learner=Never(), **options
    )
    assert literal.observation.tolist() == [0.5, 0.5, 1.0]
    assert mended.observation.tolist() == [1.0, 0.0, 1.0]
    assert mended.after.observations[0].tolist() == [[1.0, 0.0, 1.0]]


# Bad input


@pytest.mark.parametrize(
    ("argument", "change"),
    [
        ("k", {"k": 0}),
        ("k", {"k": 10}),  # SA(S+U-2)+1 = 9
        ("S", {"S": 0}),
        ("u", {"u": [0.0, 0.0]}),
        ("u", {"u": []}),
        ("u", {"u": [0.0, 1.5]}),
        ("gamma", {"gamma": 1.0}),
        ("epsilon", {"epsilon": -1.0}),
        ("delta", {"delta": 0.0}),
        ("n", {"n": 0}),
        ("delta_prime", {"delta_prime": 1.0}),
        ("n_post", {"n_post": -3}),
        ("L", {"L": 0}),
        ("N", {"N": 0}),
        ("seed", {"seed": -1}),
    ],
)
def test_bad_options_are_refused_before_the_first_task(
    argument: str, change: dict[str, object]
) -> None:
    options = {**ONE_PAIR, "S": 2, "A": 2, **change}
    with pytest.raises(InputError) as literal:
        printed.sequential_transfer([], rhos=1.0, **options)
    with pytest.raises(InputError) as mended:
        repaired.sequential_transfer([], rhos=SMALL, **options)
    assert literal.value.argument == mended.value.argument == argument


def test_bad_constants_are_refused() -> None:
    with pytest.raises(InputError, match=r"^condition: "):
        Rhos(1.0, 1.0, 1.0, 1.0, condition=-1.0)
    for wrong in range(4):
        numbers = [0.0 if place == wrong else 1.0 for place in range(4)]
        with pytest.raises(InputError, match=f"^rho_{3 + wrong}: "):
            Constants(*numbers)
    with pytest.raises(InputError, match=r"^sigma_bar: "):
        Constants(1.0, 1.0, 1.0, 1.0, sigma_bar=0.0)
    with pytest.raises(InputError, match=r"^ell: "):
        Constants(1.0, 1.0, 1.0, 1.0, ell=0.0)


@pytest.mark.parametrize("n_post", [0, 4])
def test_batches_need_equal_shares(n_post: int) -> None:
    with pytest.raises(InputError, match="n_post"):
        run_repaired([], n_post=n_post)


def test_a_pair_without_samples_is_refused() -> None:
    with pytest.raises(InputError, match=r"^n_post: leaves a pair without a sample"):
        list(run_printed(simulators(THREE, [0]), fallback=None, n_post=0))


@pytest.mark.parametrize(
    ("reward", "successor", "problem"),
    [(0.5, 0, "reward values"), (2.0, 0, "reward must"), (1.0, 2, "next state must")],
)
def test_an_impossible_answer_is_refused(reward: float, successor: int, problem: str) -> None:
    for run in (run_printed, run_repaired):
        with pytest.raises(InputError, match=problem):
            list(run([Constant(reward, successor)]))


def seeded(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def standard_error(values: Sequence[float]) -> float:
    return float(np.std(values) / math.sqrt(len(values)))


# What it assumes when nothing is said, and its parts on two tasks of one state

PARTS: Mapping[str, Any] = {**ONE_PAIR, "gamma": 0.5, "n": 3, "fallback": None}
NUMBERS = {name: number for name, number in PARTS.items() if name != "fallback"}
SETTING = Setting(**NUMBERS, n_post=3, L=1, N=1, seed=0)
"""One pair and two rewards: observations of length 3."""

MODELS = np.array([[0.5, 1.0], [0.5, 0.0], [1.0, 1.0]])


def estimate(T: object = None) -> HmmEstimate:
    return HmmEstimate(MODELS, T, np.ones(2), np.ones(2))  # type: ignore[arg-type]


def test_reward_values() -> None:
    assert state._reward_values((0.0,)) == (0.0,)
    assert state._reward_values((1.0, 0.0)) == (1.0, 0.0)
    for wrong, problem in (
        ((), "at least one"),
        ((-0.5,), r"u\[0\]: a reward"),
        ((0.0, 1.5), r"u\[1\]: a reward"),
        ((0.5, 0.5), "twice"),
    ):
        with pytest.raises(InputError, match=problem):
            state._reward_values(wrong)


def test_the_longest_way_of_a_column() -> None:
    """(0.7, 0.7, 1) moves to (0.5, 0.5, 1), the other column stays."""
    models, moved = lines.projected(np.array([[0.7, 1.0], [0.7, 0.0], [1.0, 1.0]]), SETTING)
    np.testing.assert_array_equal(models, MODELS)
    assert moved == near(math.sqrt(0.08))


def first_record(learned: object) -> TaskRecord:
    """One task of the printed algorithm, with a learner that has made up its mind."""
    tasks = [Simulator(bernoulli_bandit([0.5], 0.5), seed=0)]
    records = printed.sequential_transfer(
        tasks,
        rhos=1e-6,
        learner=lambda *_: learned,  # type: ignore[arg-type]
        **PARTS,
    )
    return next(iter(records))


def test_labels_belong_to_an_estimate() -> None:
    assert first_record(estimate(np.eye(2))).labels == (0, 1)
    assert first_record(NotEnoughData("triples", 0, 2)).labels == ()


def first_repaired(**options: Any) -> TaskRecord:
    """One task of the repaired algorithm."""
    tasks = [Simulator(bernoulli_bandit([0.5], 0.5), seed=0)]
    records = repaired.sequential_transfer(
        tasks,
        rhos=replace(SMALL, rho_6=1e-6),
        **PARTS,
        **options,
    )
    return next(iter(records))


def test_one_sample_is_enough_for_one_view() -> None:
    assert first_repaired(n_post=1, learner=CrossTask()).h == 1


def test_defaults() -> None:
    """A hundred restarts and iterations, as few samples as the learner has views, seed 0."""
    for record, n_post in ((first_record(estimate(np.eye(2))), "1"), (first_repaired(), "3")):
        found = [record.after.options[name] for name in ("L", "N", "seed", "n_post")]
        assert found == ["100", "100", "0", n_post]


def test_no_transitions_were_made_from_no_task() -> None:
    found, _, labels = repaired_lines.updated(None, estimate(), 4, SETTING)
    assert found is not None
    assert (found.T, found.T_h, labels) == (None, 0, (0, 1))
