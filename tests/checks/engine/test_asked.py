"""Fast runs on anybody's generative model: the same queries, events and results, and no more."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from ptum.checks.engine import asked
from ptum.checks.engine import ptum as engine
from ptum.checks.engine.problem import RunNumbers
from ptum.reference.arrays import Floats, Ints
from ptum.reference.errors import InputError
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.ptum import PtumResult, nobody
from ptum.reference.transfer.transcript import Event, Observer
from tests.checks.engine.drawn import DELTA, EngineInputs, drawn
from tests.support.instances import bernoulli_bandit
from tests.support.streams import plain


class Noted:
    """A simulator that notes every call; rewards are spread over [0, 1], all different."""

    def __init__(self, instance: EngineInputs) -> None:
        self.inner = Simulator(instance.target, instance.seed)
        self.calls: list[tuple[int, int]] = []

    def sample(self, s: int, a: int) -> tuple[float, int]:
        self.calls.append((s, a))
        reward, successor = self.inner.sample(s, a)
        return (7 * reward + len(self.calls) % 11 / 11) / 8, successor


class Many(Noted):
    """The same with `sample_many`."""

    longest = 0

    def sample_many(self, s: int, a: int, m: int) -> tuple[Floats, Ints]:
        self.longest = max(self.longest, m)
        rewards, successors = zip(*(self.sample(s, a) for _ in range(m)), strict=True)
        return np.array(rewards), np.array(successors)


def fast(instance: EngineInputs, model: Noted, observer: Observer = nobody) -> PtumResult:
    return asked.transfer_mode(
        instance.models,
        model,
        epsilon=instance.epsilon,
        delta=DELTA,
        n=instance.n,
        errors=instance.errors,
        announce=observer,
        end_on_zero_index=instance.end_on_zero_index,
    )


@pytest.mark.slow
def test_same_queries_events_and_results_on_arbitrary_rewards() -> None:
    eliminations = several = 0
    for instance in islice(drawn(3 * 10**7), 250):
        literal, one, many, watched = (
            Noted(instance),
            Noted(instance),
            Many(instance),
            Many(instance),
        )
        events: tuple[list[Event], list[Event]] = [], []
        right = plain(instance.literal(events[0].append, literal))
        assert plain(fast(instance, one)) == right
        assert plain(fast(instance, many)) == right
        assert plain(fast(instance, watched, events[1].append)) == right
        assert one.calls == many.calls == watched.calls == literal.calls
        assert events[0] == events[1]
        assert watched.longest == 0  # an observer sees every query before its answer
        eliminations += any(event.__class__.__name__ == "Elimination" for event in events[0])
        several += many.longest > 1
    assert eliminations > 60
    assert several > 100


def test_a_long_run_is_that_of_the_simulated_engine() -> None:
    means = ([0.5, 0.47, 0.47], [0.5, 0.53, 0.47], [0.5, 0.47, 0.54])
    tasks = [bernoulli_bandit(r, 0.5) for r in means]
    models = approximate_models(tasks)
    simulated = engine.simulated_run(
        models, tasks[0], 3, RunNumbers(epsilon=0.01, delta=0.1, n=30_000)
    )
    found = asked.transfer_mode(
        models, Simulator(tasks[0], 3), epsilon=0.01, delta=0.1, n=30_000, errors=single(0.0)
    )
    assert len(found.eliminations) > 0
    assert found.queries > 2000
    assert plain(found) == plain(simulated)


def test_asking_for_more_than_is_safe_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked, "LOOKS", np.array([0, 16]))
    monkeypatch.setattr(asked._Run, "_safe", lambda _, step: np.array([bool(step), True]))
    runs = []
    for instance in islice(drawn(0), 10):
        literal, one = Noted(instance), Noted(instance)
        instance.literal(model=literal)
        fast(instance, one)
        runs.append(one.calls == literal.calls)
    assert not all(runs)


def test_the_simulators_many_samples_are_its_single_ones() -> None:
    for instance in islice(drawn(9), 20):
        one, many = (Simulator(instance.target, instance.seed) for _ in range(2))
        rewards, successors = many.sample_many(0, 0, 9)
        singles = [one.sample(0, 0) for _ in range(9)]
        assert list(zip(rewards.tolist(), successors.tolist(), strict=True)) == singles
        assert many.sample(0, 0) == one.sample(0, 0)


GOOD = ([0.0] * 4, [0] * 4)


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        (None, "must return m rewards and m next states"),
        ((GOOD[0],), "must return m rewards"),
        (([0.0] * 3, [0] * 4), r"shapes \(3,\) and \(4,\)"),
        (([0.0, [1.0]], [0] * 4), "must return m rewards"),
        (([0.0, 0.5, 1.5, 0.0], GOOD[1]), r"answer 2: the reward must lie in \[0, 1\]"),
        (([0.0, float("nan"), 0.0, 0.0], GOOD[1]), "answer 1: the reward"),
        (([True] * 4, GOOD[1]), "answer 0: the reward"),
        ((GOOD[0], [0, 0, 0, 5]), "answer 3: the next state must be an integer from 0 to 4"),
        ((GOOD[0], [0.0] * 4), "answer 0: the next state"),
        ((GOOD[0], [0, -1, 0, 0]), "answer 1: the next state"),
    ],
)
def test_an_impossible_answer_is_refused(answers: object, words: str) -> None:
    assert asked._many(GOOD, 0, 0, 4, 5) == GOOD
    assert asked._many(([0, 1, 0, 1], [0] * 4), 0, 0, 4, 5) == ([0, 1, 0, 1], [0] * 4)
    with pytest.raises(InputError, match=words):
        asked._many(answers, 0, 0, 4, 5)
