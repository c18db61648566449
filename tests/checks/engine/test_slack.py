"""Where the slack test sees nothing coming, no samples whatever make a test fail."""

from __future__ import annotations

from itertools import islice

import numpy as np

from ptum.checks.engine.problem import ActiveStep, Problem, RunNumbers
from ptum.checks.engine.slack import moments, passes
from ptum.reference.arrays import Bools, Floats, Ints
from ptum.reference.transfer.confidence import confidence_set, widths
from ptum.reference.transfer.empirical import empirical_model, empty_data
from tests.checks.engine.drawn import DELTA, EngineInputs, drawn

LENGTHS = np.array([0, 1, 2, 4, 8, 16, 32])
BUDGET = 40


def posed(instance: EngineInputs) -> tuple[Problem, ActiveStep]:
    problem = Problem(instance.models, RunNumbers(1e-3, DELTA, BUDGET, instance.errors))
    return problem, problem.step(tuple(range(instance.models.k)))


def fails(problem: Problem, step: ActiveStep, rewards: Floats, successors: Ints) -> bool:
    """Line 12 of the literal code on samples of one pair."""
    models, (s, a) = problem.models, step.pair
    data = empty_data(models.S, models.A)
    data.rewards[s][a].extend(rewards.tolist())
    data.successors[s][a].extend(successors.tolist())
    hat = empirical_model(data, models.V_star)
    C = widths(hat, problem.numbers.errors, models.gamma, BUDGET, models.k, DELTA)
    return bool(confidence_set(step.active, hat, C, models)[1])


def promised(problem: Problem, step: ActiveStep, rewards: Floats, successors: Ints) -> Bools:
    """For each of `LENGTHS`, whether nothing fails within so many more samples."""
    V = problem.models.V_star
    center = np.concatenate((rewards[:1], V[:, successors[0]]))
    x = np.concatenate((rewards[np.newaxis], V[:, successors])) - center[:, np.newaxis]
    S1, S2 = moments(np.ones((len(LENGTHS), rewards.size), dtype=np.int64), x)
    N = np.full(len(LENGTHS), rewards.size)
    ends = problem.bottom, problem.top
    return passes(problem, step.targets, N, LENGTHS, (center, S1, S2), ends, V.shape[1] + 2)


def extremes(problem: Problem, rng: np.random.Generator) -> tuple[float, int]:
    """An outcome that moves statistics far: an end of the rewards, an end of some value."""
    V = problem.models.V_star[rng.integers(problem.k)]
    return float(rng.integers(2)), int(V.argmin() if rng.random() < 0.5 else V.argmax())


def test_no_continuation_breaks_the_promise() -> None:
    """Up to the promised length nothing fails; a little beyond it, something often does."""
    kept = broken_beyond = 0
    for number, instance in enumerate(islice(drawn(100), 150)):
        problem, step = posed(instance)
        rng = np.random.default_rng(number)
        N = int(rng.integers(2, 40))
        rewards, successors = rng.random(N), rng.integers(problem.S, size=N)
        safe = promised(problem, step, rewards, successors)
        if not safe[0]:
            continue
        length = int(LENGTHS[safe].max())
        reward, successor = extremes(problem, rng)
        for more in range(1, 41):
            failed = fails(
                problem,
                step,
                np.append(rewards, np.full(more, reward)),
                np.append(successors, np.full(more, successor)),
            )
            assert not (failed and more <= length)
            kept += more <= length
            if failed:
                broken_beyond += 1
                break
    assert kept > 100
    assert broken_beyond > 20


def test_now_means_now() -> None:
    """With length 0 a promise is kept by the literal code, and what fails there has none."""
    verdicts = set()
    for number, instance in enumerate(islice(drawn(500), 150)):
        problem, step = posed(instance)
        rng = np.random.default_rng(number)
        N, (reward, successor) = int(rng.integers(1, 80)), extremes(problem, rng)
        rewards, successors = np.full(N, reward), np.full(N, successor)
        safe = bool(promised(problem, step, rewards, successors)[0])
        failed = fails(problem, step, rewards, successors)
        assert safe is not failed  # nothing lies within rounding of its limit here
        verdicts.add(safe)
    assert verdicts == {True, False}
