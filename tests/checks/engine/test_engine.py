"""The engine has the results of the literal code, in every field and bit by bit."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptum.checks.engine import ptum as engine
from ptum.checks.engine.blocks import BlockSimulator
from ptum.checks.engine.problem import RunNumbers, problem
from ptum.reference.repaired.transfer.ptum import transfer_mode as repaired_transfer_mode
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.ptum import End, PtumResult, transfer_mode
from tests.support.instances import bandit, bernoulli_bandit
from tests.support.strategies import families
from tests.support.streams import plain


def both(
    models: ApproximateModels,
    target: MDP,
    seed: int,
    epsilon: float,
    n: int,
    errors: ModelErrors,
    end_on_zero_index: bool,
) -> tuple[PtumResult, PtumResult]:
    literal = (repaired_transfer_mode if end_on_zero_index else transfer_mode)(
        models,
        Simulator(target, seed),
        epsilon=epsilon,
        delta=0.1,
        n=n,
        errors=errors,
        announce=lambda _: None,
    )
    fast = engine.transfer_mode(
        models,
        BlockSimulator(target, seed),
        epsilon=epsilon,
        delta=0.1,
        n=n,
        errors=errors,
        end_on_zero_index=end_on_zero_index,
    )
    return literal, fast


@pytest.mark.slow
@given(
    models=families(),
    seed=st.integers(0, 2**32),
    epsilon=st.sampled_from((0.0, 0.01, 0.1, 1.0)),
    n=st.integers(1, 260),
    Delta=st.sampled_from((0.0, 1e-4, 0.01)),
    zero=st.booleans(),
)
def test_same_result_as_the_literal_code(
    models: ApproximateModels, seed: int, epsilon: float, n: int, Delta: float, zero: bool
) -> None:
    literal, fast = both(models, models.tasks[0], seed, epsilon, n, single(Delta), zero)
    assert plain(fast) == plain(literal)


def test_long_phases_over_several_blocks() -> None:
    means = ([0.5, 0.2, 0.2], [0.5, 0.6, 0.2], [0.5, 0.2, 0.6])
    tasks = [bernoulli_bandit(r, 0.5) for r in means]
    models = approximate_models(tasks)
    literal, fast = both(models, tasks[0], 3, 0.01, 3000, single(0.0), False)
    assert literal.end is End.STOPPED
    assert literal.queries > 4 * engine.SHORT
    assert plain(fast) == plain(literal)


def test_every_end_is_reached_alike() -> None:
    tasks = [bandit(r, 0.5) for r in ((0.9, 0.1), (0.1, 0.9))]
    models = approximate_models(tasks)
    stranger = bandit((0.5, 0.5), 0.5)
    ends = set()
    for target, n, Delta, zero in (
        (tasks[0], 400, 0.0, False),
        (tasks[0], 20, 0.0, False),
        (stranger, 2000, 0.0, False),
        (tasks[0], 50, 0.11, True),
    ):
        literal, fast = both(models, target, 1, 0.1, n, single(Delta), zero)
        assert plain(fast) == plain(literal)
        ends.add(literal.end)
    assert ends == {End.STOPPED, End.BUDGET_EXHAUSTED, End.ACTIVE_SET_EMPTY, End.INDEX_ZERO}


@given(seed=st.integers(0, 2**32), sizes=st.lists(st.integers(1, 9), min_size=1, max_size=6))
def test_blocks_are_the_simulators_samples(seed: int, sizes: list[int]) -> None:
    target = bernoulli_bandit([0.3, 0.6], 0.5)
    simulator, blocks = Simulator(target, seed), BlockSimulator(target, seed)
    for size in sizes:
        rewards, successors = blocks.peek(0, 1, size)
        one_by_one = [simulator.sample(0, 1) for _ in range(size)]
        assert [
            (float(target.u[j]), s)
            for j, s in zip(rewards.tolist(), successors.tolist(), strict=True)
        ] == one_by_one
        blocks.take(0, 1, size)


def test_memory_is_what_the_module_states() -> None:
    """Ten times the samples cost four bytes for each more, and no larger blocks."""
    p = np.full((144, 2, 144), 1 / 144)
    r = np.full((144, 2), 0.5)
    tasks = [bernoulli_rewards(p, r + np.array([0.0, d]), 0.9) for d in (-1e-5, 1e-5, 2e-5)]
    models, peaks = approximate_models(tasks), []
    numbers = RunNumbers(1e-9, 0.1, 10**6)
    problem(models, numbers).step((0, 1, 2))  # the tables are there before
    blocks = 8 * engine.BLOCK * (12 + 1 + models.k)
    for n in (10**5, 10**6):
        tracemalloc.start()
        found = engine.simulated_run(models, tasks[0], 1, RunNumbers(epsilon=1e-9, delta=0.1, n=n))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert found.queries == n
        assert peaks[-1] <= 4 * n + blocks
    assert peaks[1] - peaks[0] <= 4 * 9 * 10**5
