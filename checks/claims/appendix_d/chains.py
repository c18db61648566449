"""Hidden Markov models of tasks for Appendix D: drawn ones, rational ones, and long runs."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks.exact.hidden_markov import ExactHMM, Matrix, Vector, transpose
from ptum.checks.instances.families.hmms import block_sizes, moving_ahead
from ptum.checks.verdicts.attempts.names import stored
from ptum.reference.arrays import Floats, Ints
from ptum.reference.errors import require_numbers

SIZES = ((1, 1, 2), (1, 1, 4), (1, 2, 2), (2, 1, 2), (2, 2, 3))
"""S, A, U."""


@stored
@dataclass(frozen=True)
class SizedHMM(ExactHMM):
    """A rational model with the sizes of the tables behind a column of O."""

    S: int
    A: int
    U: int


def distribution(numbers: Sequence[int]) -> Vector:
    """A probability vector of as many entries: weights below five, one of them raised by one."""
    weights = [number % 5 for number in numbers]
    weights[numbers[0] // 5 % len(weights)] += 1
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


@cache
def distributions(sizes: tuple[int, ...]) -> SearchStrategy[Vector]:
    """Distributions of the given sizes, one after the other; a single draw, for speed."""

    def cut(numbers: bytes) -> Vector:
        starts = [sum(sizes[:i]) for i in range(len(sizes))]
        blocks = [
            distribution(numbers[i : i + size]) for i, size in zip(starts, sizes, strict=True)
        ]
        return tuple(x for block in blocks for x in block)

    return st.binary(min_size=sum(sizes), max_size=sum(sizes)).map(cut)


@cache
def columns(S: int, A: int, U: int) -> SearchStrategy[Vector]:
    """One task: SA reward distributions, then SA distributions of the next state."""
    return distributions(block_sizes(S, A, U))


@cache
@st.composite
def chains(draw: DrawFn, k: int) -> Matrix:
    """Next, stay or skip as in the experiments; anything; or close to independent tasks."""
    kind = draw(st.sampled_from(("list", "any", "nearly independent")))
    if kind == "any":
        drawn = draw(distributions((k,) * k))
        return tuple(drawn[i::k] for i in range(k))
    success = Fraction(draw(st.sampled_from((97, 90, 70))), 100)
    shares = {0: (1 - success) / 2, 1: success, 2: (1 - success) / 2}
    follow = moving_ahead(k, shares)
    if kind == "list":
        return follow
    return tuple(tuple((9 * Fraction(1, k) + x) / 10 for x in row) for row in follow)


@st.composite
def hmms(draw: DrawFn) -> SizedHMM:
    """Two or three tasks, no more than their models can tell apart."""
    S, A, U = draw(st.sampled_from(SIZES))
    k = draw(st.integers(2, min(3, S * A * (S + U - 2) + 1)))
    tasks = tuple(draw(columns(S, A, U)) for _ in range(k))
    first = tuple((x + 1) / (1 + k) for x in draw(distributions((k,))))
    return SizedHMM(transpose(tasks), draw(chains(k)), first, S, A, U)


def seeds() -> SearchStrategy[int]:
    """Numbers that stand for a random direction."""
    return st.integers(0, 2**32 - 1)


# Long runs


def task_runs(T: Floats, pi: Floats, shape: tuple[int, int], rng: np.random.Generator) -> Ints:
    """`shape` = (runs, h) tasks: the first of distribution π, then by T, all runs side by side."""
    require_numbers(T=T, pi=pi)
    tasks = np.zeros(shape, dtype=np.int64)
    heights = np.cumsum(T, axis=0)
    x = rng.random(shape)
    tasks[:, 0] = np.searchsorted(np.cumsum(pi)[:-1], x[:, 0], side="right")
    for step in range(1, shape[1]):
        below = heights[:-1, tasks[:, step - 1]] <= x[:, step]
        tasks[:, step] = below.sum(axis=0)
    return tasks


def one_sample_observations(
    O: Floats, blocks: Sequence[int], tasks: Ints, rng: np.random.Generator
) -> Floats:
    """Observations from one fresh sample per pair; `blocks` has the lengths of distributions."""
    require_numbers(O=O)
    observed = np.zeros((*tasks.shape, len(O)))
    start = 0
    for size in blocks:
        heights = np.cumsum(O[start : start + size], axis=0)[:-1]
        x = rng.random(tasks.shape)
        outcome = np.sum([height[tasks] <= x for height in heights], axis=0, dtype=np.int64)
        outcome = outcome if size > 1 else np.zeros(tasks.shape, dtype=np.int64)
        observed[..., start : start + size] = np.eye(size)[outcome]
        start += size
    return observed
