"""Repairs of Algorithm 2 one by one: each switch changes what it says, both ends are versions.

Three bandits, each with a best arm of its own, as in `test_as_run`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, replace

import numpy as np
import pytest

from ptum.reference.errors import InputError
from ptum.reference.experiments import sequential as as_run
from ptum.reference.experiments.chain import task_chain, task_sequence
from ptum.reference.experiments.lines import (
    AS_PRINTED,
    AS_RUN,
    REPAIRED,
    Switch,
    UniformPerPair,
    chosen_rule,
    fresh_samples,
    identified,
    last_samples,
    observed,
    updated,
)
from ptum.reference.experiments.prediction import Experiment
from ptum.reference.experiments.sequential import Schedule, guaranteed
from ptum.reference.experiments.spectral import learn_hmm
from ptum.reference.repaired.sequential import algorithm as repaired
from ptum.reference.repaired.sequential.alignment import align, permuted
from ptum.reference.repaired.sequential.pieces import Constants
from ptum.reference.repaired.sequential.prediction import PerStep
from ptum.reference.repaired.transfer.ptum import ptum as repaired_ptum
from ptum.reference.sequential import algorithm as printed
from ptum.reference.sequential.algorithm import Setting, State, TaskRecord
from ptum.reference.sequential.lines import Recorder, restarts
from ptum.reference.sequential.observations import counts, empirical_observation, observation_matrix
from ptum.reference.sequential.prediction import Theorem3
from ptum.reference.sequential.spectral import HmmEstimate
from ptum.reference.tasks.generative import GenerativeModel, Simulator
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.fallback import FallbackResult, sample_every_pair
from ptum.reference.transfer.ptum import End
from tests.support.closeness import near
from tests.support.streams import THREE_ARMS, three_arms

TASKS = tuple(three_arms(best) for best in range(3))
SETTING = replace(THREE_ARMS, n_post=15, L=10, N=15, seed=0)
NUMBERS = {
    field.name: getattr(SETTING, field.name) for field in fields(Setting) if field.name != "u"
} | {"u": np.array(SETTING.u)}
SCHEDULE = Schedule(start_up=45, per_pair=30, n_post=15, rho=0.005, last_rho=0.004, decay=5)
LENGTH = 60


def stream(T: Sequence[Sequence[float]] | None = None, length: int = LENGTH) -> list[Simulator]:
    """The same tasks and random streams at every call."""
    chain = task_chain(3, 0.9) if T is None else np.array(T)
    sequence = task_sequence(chain, np.random.default_rng(1))
    return [Simulator(TASKS[j], seed) for seed, j in zip(range(length), sequence, strict=False)]


def run(switches: AbstractSet[Switch], schedule: Schedule = SCHEDULE) -> list[TaskRecord]:
    return list(
        as_run.sequential_transfer(
            stream(),
            setting=SETTING,
            schedule=schedule,
            rule=Experiment(m=LENGTH, keep=1, eta=0.35, miss=0.2),
            switches=switches,
        )
    )


# Both ends


class Pac:
    """A fallback that is not the experiment's."""

    def __call__(
        self, model: GenerativeModel, S: int, A: int, gamma: float, epsilon: float, delta: float
    ) -> FallbackResult:
        del epsilon, delta
        return sample_every_pair(model, S, A, gamma, 4)


def same(ours: Iterable[TaskRecord], theirs: Iterable[TaskRecord]) -> None:
    """Equal in everything that a record has but the texts of the options."""
    for mine, other in zip(ours, theirs, strict=True):
        for name in ("h", "initial", "errors", "samples", "theta_bar", "no_estimate", "moved"):
            assert getattr(mine, name) == getattr(other, name), (mine.h, name)
        assert mine.labels == other.labels
        assert mine.next_initial == other.next_initial
        assert np.array_equal(mine.observation, other.observation)
        assert mine.result.end is other.result.end
        assert mine.result.active == other.result.active
        assert np.array_equal(mine.result.N, other.result.N)
        first, second = mine.after.estimate, other.after.estimate
        assert (first is None) == (second is None)
        if first is not None and second is not None:
            assert np.array_equal(first.O, second.O)
            assert first.T_h == second.T_h
            assert np.array_equal(np.array(first.T), np.array(second.T))


def test_with_all_switches_it_is_the_repaired_algorithm() -> None:
    """With the constants of a theorem, and from the first task on."""
    constants = Constants(1e-3, 1e-6, 1e-3, 1e-3, ell=0.01)
    ours = list(
        as_run.sequential_transfer(
            stream(),
            setting=SETTING,
            schedule=replace(SCHEDULE, start_up=1),
            rule=PerStep(0.2),
            switches=REPAIRED,
            bounds=constants,
            fallback=Pac(),
        )
    )
    theirs = repaired.sequential_transfer(
        stream(), **NUMBERS, rhos=constants, rule=PerStep(0.2), fallback=Pac()
    )
    same(ours, theirs)
    assert {End.STOPPED, End.MODELS_TOO_INACCURATE} <= {r.result.end for r in ours}
    assert any(len(record.initial) < 3 for record in ours)


def test_without_switches_and_start_up_it_is_the_printed_algorithm() -> None:
    """With the learner of Appendix E.2 and its errors, and post-samples at every task."""
    schedule = replace(SCHEDULE, start_up=9, both=True)
    rule = Experiment(m=LENGTH, keep=1, eta=0.35)
    ours = list(
        as_run.sequential_transfer(
            stream(), setting=SETTING, schedule=schedule, rule=rule, switches=AS_PRINTED
        )
    )
    theirs = printed.sequential_transfer(
        stream(),
        **NUMBERS,
        rhos=schedule,
        rule=rule,
        fallback=UniformPerPair(30),
        learner=learn_hmm,
    )
    # Before the start-up is over the printed algorithm estimates, to no effect: Δ is infinite, and
    # without matched labels an estimate leaves nothing behind.
    same(ours[9:], list(theirs)[9:])
    assert any(record.result.end is End.STOPPED for record in ours)


# One at a time

RUNS = {switch: AS_RUN ^ {switch} for switch in Switch}


@pytest.fixture(scope="module")
def base() -> list[TaskRecord]:
    return run(AS_RUN)


@pytest.mark.parametrize("switch", Switch)
def test_start_up_is_the_same_with_every_switch(switch: Switch, base: list[TaskRecord]) -> None:
    """The same tasks and streams: before the first estimate nothing but views can differ."""
    other = run(RUNS[switch])
    for mine, record in zip(base[:44], other[:44], strict=True):
        assert mine.samples == record.samples
        assert mine.observation == near(record.observation)
    assert any(record.result.end is End.STOPPED for record in base)


def test_post_samples_alone_or_all_samples() -> None:
    task = Recorder(Simulator(TASKS[0], 0), 1, 3)
    for arm, number in enumerate((4, 0, 9)):
        for _ in range(number):
            task.sample(0, arm)
    result = repaired_ptum(
        approximate_models(TASKS), task, epsilon=0.4, delta=0.1, n=4000, Delta=0.0, fallback=None
    )
    before = task.samples
    fresh = fresh_samples(task, result, SETTING, UniformPerPair(30), both=False)
    assert (fresh, task.samples) == (15, before + 45)
    whole = observed(task.data, fresh, SETTING, AS_PRINTED)
    alone = observed(task.data, fresh, SETTING, {Switch.POST_SAMPLES})
    assert np.array_equal(whole[0], empirical_observation(*counts(task.data, SETTING.u)).o)
    last = last_samples(task.data, 15)
    assert [len(pair) for pair in last.rewards[0]] == [15, 15, 15]
    assert last.rewards[0][2] == task.data.rewards[0][2][-15:]
    assert np.array_equal(alone[0], empirical_observation(*counts(last, SETTING.u)).o)
    assert not np.array_equal(alone, whole)


def test_uniform_samples_are_fresh_and_have_no_post_samples_beside_them() -> None:
    for both, expected, samples in ((False, 30, 90), (True, 15, 135)):
        task = Recorder(Simulator(TASKS[0], 0), 1, 3)
        result = repaired_ptum(
            approximate_models(TASKS),
            task,
            epsilon=0.4,
            delta=0.1,
            n=10,
            Delta=math.inf,
            fallback=UniformPerPair(30),
        )
        assert fresh_samples(task, result, SETTING, UniformPerPair(30), both) == expected
        assert task.samples == samples


def test_three_batches_have_a_third_each_in_order_of_arrival() -> None:
    task = Recorder(Simulator(TASKS[1], 0), 1, 3)
    for arm in range(3):
        for _ in range(11):
            task.sample(0, arm)
    views = observed(task.data, 11, SETTING, {Switch.WITHIN_TASK})
    assert views.shape == (3, SETTING.d)
    for batch in range(3):
        for arm in range(3):
            rewards = task.data.rewards[0][arm][3 * batch : 3 * batch + 3]
            assert views[batch, 2 * arm + 1] == near(sum(rewards) / 3)


def test_views_within_a_task_learn_where_successive_tasks_are_independent() -> None:
    """E26: where every task is drawn anew, three successive tasks say nothing of each other."""
    T = [[1 / 3] * 3] * 3
    true = observation_matrix(TASKS)
    errors = {}
    for switches in (AS_RUN, AS_RUN | {Switch.WITHIN_TASK}):
        records = as_run.sequential_transfer(
            stream(T, 45), setting=SETTING, schedule=SCHEDULE, switches=switches
        )
        estimate = list(records)[-1].after.estimate
        columns = np.zeros_like(true) if estimate is None else estimate.O
        found = columns[:, align(true, columns)]
        errors[switches] = float(np.abs(found - true).max())
    # Within: the mean of about 15 tasks × 30 samples. Across: as if there were no estimate.
    assert errors[AS_RUN | {Switch.WITHIN_TASK}] < 0.05 < 0.4 < errors[AS_RUN]


def test_labels_are_matched_or_as_they_come(base: list[TaskRecord]) -> None:
    """A learner that found the same components in another order."""
    last = base[-1].after
    assert last.estimate is not None
    rows = np.stack(last.observations, axis=1)[0]
    learned = learn_hmm(rows, 3, SETTING.L, SETTING.N, restarts(0, LENGTH))
    assert isinstance(learned, HmmEstimate)
    turned = permuted(learned, (1, 2, 0))
    for switches, labels in ((AS_RUN, (2, 0, 1)), (AS_PRINTED, (0, 1, 2))):
        estimate, _, found = updated(last.estimate, turned, LENGTH, SETTING, switches)
        assert found == labels
        assert estimate is not None
        assert np.array_equal(estimate.O, last.estimate.O) == (switches == AS_RUN)


def test_a_miss_is_found_again_from_the_fresh_samples() -> None:
    """PTUM was started without the true task, so its set cannot have it."""
    task = Recorder(Simulator(TASKS[2], 0), 1, 3)
    models = approximate_models(TASKS[:2])
    result = repaired_ptum(models, task, epsilon=0.4, delta=0.1, n=4000, Delta=0.0, fallback=None)
    assert 2 not in result.active
    setting = replace(SETTING, n_post=60)
    fresh = fresh_samples(task, result, setting, None, both=False)
    state = State(50, (), None, single(0.001), (0, 1), {})
    found = {
        switches: identified(result, task.data, fresh, TASKS, state, setting, switches)
        for switches in (AS_RUN, frozenset({Switch.REIDENTIFY}))
    }
    assert 2 not in found[AS_RUN]
    assert found[frozenset({Switch.REIDENTIFY})] == (2,)
    unknown = replace(state, errors=single(math.inf))
    everything = identified(result, task.data, fresh, TASKS, unknown, setting, {Switch.REIDENTIFY})
    assert everything == (0, 1, 2)


def test_per_step_takes_the_place_of_the_experiments_rule() -> None:
    experiment = Experiment(m=400)
    assert chosen_rule(experiment, AS_RUN) is experiment
    assert chosen_rule(experiment, {Switch.PER_STEP}) == PerStep(0.005)
    other = Theorem3(m=400, rho_T=0.1)
    assert chosen_rule(other, REPAIRED) is other
    assert chosen_rule(None, REPAIRED) is None
    last = run(AS_RUN | {Switch.PER_STEP})[-1].after.estimate
    assert last is not None
    assert last.T is not None
    assert last.T.min() >= 0
    assert last.T.sum(axis=0) == near(np.ones(3))


def test_the_repaired_algorithm_1_enters_later() -> None:
    """Line 2: 18 in place of 4, so with errors in between it hands over to the fallback."""
    between = (1 - 0.5) * 0.4 / (9 * (1 + 0.5))
    rho = between / SCHEDULE.model_errors(45, SETTING).Delta * SCHEDULE.rho
    schedule = replace(SCHEDULE, rho=rho, last_rho=rho)
    ends = {
        switches: {record.result.end for record in run(switches, schedule)[45:]}
        for switches in (AS_RUN, AS_RUN | {Switch.ALGORITHM_1})
    }
    assert End.MODELS_TOO_INACCURATE not in ends[AS_RUN]
    assert ends[AS_RUN | {Switch.ALGORITHM_1}] == {End.MODELS_TOO_INACCURATE}


# Constants


def test_guaranteed_constants_belong_to_the_frequencies_of_the_tasks() -> None:
    w = np.array([0.2, 0.3, 0.5])
    found = guaranteed(TASKS, w)
    mu = observation_matrix(TASKS)
    M_2 = mu @ np.diag(w) @ mu.T
    assert found.ell == near(np.sort(np.linalg.eigvalsh(M_2))[-3] / 2)
    assert found.ell is not None
    assert found.rho_3 == near(4 * 6**3 / found.ell**2)
    assert guaranteed(TASKS, w, c_2=2.0).rho_4 == near(2 * found.rho_4)


def test_guaranteed_constants_admit_no_transfer_in_as_many_tasks_as_the_experiment_has() -> None:
    """Even in units of c_2, and of three bandits."""
    constants = guaranteed(TASKS, np.full(3, 1 / 3))
    assert constants.model_errors(400, SETTING).Delta == math.inf
    assert Schedule().model_errors(400, SETTING).Delta < 0.01


def test_the_error_of_T_is_tuned_too() -> None:
    schedule = Schedule()
    for tuned in (schedule, replace(schedule, logarithm=False)):
        ratio = tuned.transition_error(500, SETTING) / tuned.model_errors(500, SETTING).Delta
        assert ratio == near(0.001 / 0.006)


def test_guaranteed_constants_of_a_single_task() -> None:
    """M_2 = μμᵀ, and ‖μ‖² = 3 (0.05² + 0.95²) + 3 is its only eigenvalue above 0."""
    found = guaranteed(TASKS[:1], [1.0])
    assert found.ell == near(5.715 / 2)


@pytest.mark.parametrize("weights", [[0.5, 0.5], [0.5, 0.6, 0.1], [0.25] * 4, [[1.0]]])
def test_frequencies_that_are_none_are_refused(weights: list[float]) -> None:
    with pytest.raises(InputError, match=r"^weights"):
        guaranteed(TASKS, weights)


@pytest.mark.parametrize("name", ["per_pair", "n_post"])
def test_three_batches_need_three_samples(name: str) -> None:
    schedule = replace(SCHEDULE, **{name: 2})  # type: ignore[arg-type]
    with pytest.raises(InputError, match=f"^{name}"):
        as_run.sequential_transfer([], setting=SETTING, schedule=schedule, switches=REPAIRED)
    as_run.sequential_transfer([], setting=SETTING, schedule=schedule)


def test_a_rule_per_step_needs_its_switch() -> None:
    """Without it T̂ is as estimated, and nothing bounds its errors."""
    with pytest.raises(InputError, match=r"^rule"):
        as_run.sequential_transfer([], setting=SETTING, rule=PerStep(0.1))
    as_run.sequential_transfer([], setting=SETTING, rule=PerStep(0.1), switches=REPAIRED)
