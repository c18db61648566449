"""Hidden Markov models of tasks: chains of every kind, mean observations of drawn tasks.

Chains: next/stay/skip, random ergodic, nearly singular, periodic, independent tasks, T = I. A model
comes with its conditioning, so that a result on it can be read.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact.hidden_markov import (
    ExactHMM,
    Matrix,
    Vector,
    identity,
    reward_columns,
    transpose,
)
from ptum.checks.instances.families import rational, tasks
from ptum.checks.verdicts.attempts.names import stored
from ptum.reference.arrays import Floats, Ints
from ptum.reference.errors import Numeric
from ptum.reference.sequential.hmm import HMM
from ptum.reference.sequential.observations import observation_matrix
from ptum.reference.tasks.mdp import MDP


@dataclass(frozen=True)
class Learnability(Numeric):
    """What decides whether a model can be learned: smallest singular values and smallest weight."""

    sigma_k_O: float
    sigma_k_T: float
    least_weight: float

    def __str__(self) -> str:
        return (
            f"σ_k(O) = {self.sigma_k_O:.3g}, σ_k(T) = {self.sigma_k_T:.3g}, "
            f"least weight {self.least_weight:.3g}"
        )


@stored
@dataclass(frozen=True, eq=False)
class Sizes:
    """Sizes of the tables behind a column of O."""

    S: int
    A: int
    U: int


@stored
@dataclass(frozen=True, eq=False)
class NamedHMM:
    """A model of tasks with sizes and name; `hmm.initial` is the distribution of the first view."""

    name: str
    hmm: HMM
    sizes: Sizes

    @property
    def conditioning(self) -> Learnability:
        """Singular values of O and T, and the least probability of a middle task."""
        k = self.hmm.k
        return Learnability(
            float(np.linalg.svd(self.hmm.O, compute_uv=False)[k - 1]),
            float(np.linalg.svd(self.hmm.T, compute_uv=False)[k - 1]),
            float((self.hmm.T @ self.hmm.initial).min()),
        )


# Chains in fractions


def moving_ahead(k: int, shares: Mapping[int, Fraction]) -> Matrix:
    """Tasks in a ring: task j is followed by task j+i with probability shares[i]."""
    rows = [[Fraction(0)] * k for _ in range(k)]
    for j in range(k):
        for ahead, share in shares.items():
            rows[(j + ahead) % k][j] += share
    return tuple(map(tuple, rows))


def next_stay_skip(k: int, forward: Fraction, stay: Fraction, skip: Fraction) -> Matrix:
    """Task j is followed by j+1, j or j+2; with k = 2 the last two are the same."""
    return moving_ahead(k, {1: forward, 0: stay, 2: skip})


def sticky(stay: Fraction) -> Matrix:
    """Two tasks, each kept with the given probability."""
    return moving_ahead(2, {0: stay, 1: 1 - stay})


def experiments_chain() -> Matrix:
    """Appendix E.2: eight tasks, the next with probability 0.97, stay and skip with 0.015 each."""
    rare = Fraction(15, 1000)
    return next_stay_skip(8, Fraction(97, 100), rare, rare)


def cycle(k: int) -> Matrix:
    """Every task is followed by the next one for sure: period k."""
    return moving_ahead(k, {1: Fraction(1)})


def independent(weights: Vector) -> Matrix:
    """Tasks drawn from one distribution, whatever came before: rank one."""
    return transpose((weights,) * len(weights))


@cache
@st.composite
def ergodic_chains(draw: DrawFn, k: int) -> Matrix:
    """Positive entries around a permutation that holds more than half of every column: invertible.

    What it holds is drawn for every column, and may be 51/100: two tasks with that in both columns
    are close to singular.
    """
    order = draw(st.permutations(range(k)))
    columns = []
    for j in range(k):
        noise = [Fraction(draw(st.integers(1, 4))) for _ in range(k)]
        noise[order[j]] = Fraction(0)
        share = draw(st.sampled_from((Fraction(51, 100), Fraction(3, 4), Fraction(9, 10))))
        column = [(1 - share) * x / sum(noise) for x in noise]
        column[order[j]] = share
        columns.append(tuple(column))
    return transpose(tuple(columns))


@cache
@st.composite
def positive_distributions(draw: DrawFn, k: int) -> Vector:
    """A distribution that gives every task a chance."""
    weights = [Fraction(draw(st.integers(1, 5))) for _ in range(k)]
    return tuple(w / sum(weights) for w in weights)


@st.composite
def learnable(draw: DrawFn) -> ExactHMM:
    """Two or three tasks with one pair and three rewards, on an invertible chain.

    The first view has any distribution without zeros. O has rank k in little more than half of the
    draws, so that whoever needs it has it as a premise.
    """
    k = draw(st.integers(2, 3))
    O = reward_columns([draw(rational.distributions(3)) for _ in range(k)])
    return ExactHMM(O, draw(ergodic_chains(k)), draw(positive_distributions(k)))


@cache
@st.composite
def any_chain(draw: DrawFn, k: int) -> Matrix:
    """Any chain, singular and periodic ones too."""
    one = st.one_of(
        ergodic_chains(k),
        st.just(cycle(k)),
        st.just(identity(k)),
        positive_distributions(k).map(independent),
        st.lists(rational.distributions(k), min_size=k, max_size=k).map(
            lambda columns: transpose(tuple(columns))
        ),
    )
    return draw(one)


# Models in doubles


@cache
@st.composite
def drawn_tasks(draw: DrawFn, k: int, S: int, A: int, U: int) -> tuple[MDP, ...]:
    """k tasks with the same reward values, from any table of transitions."""
    u = np.linspace(0, 1, U)
    return tuple(
        MDP(p=draw(tasks.transitions(S, A)), q=draw(tasks.distributions(S, A, U)), u=u, gamma=0.5)
        for _ in range(k)
    )


@st.composite
def well_conditioned(draw: DrawFn) -> NamedHMM:
    """Drawn tasks, pushed apart by one pair in which each has a reward of its own."""
    k = draw(st.integers(2, 4))
    S, A = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    found = [np.array(task.q) for task in draw(drawn_tasks(k, S, A, k))]
    moved = draw(drawn_tasks(k, S, A, k))
    apart = []
    for j, (q, task) in enumerate(zip(found, moved, strict=True)):
        q[0, 0] = 0.2 / k + 0.8 * np.eye(k)[j]
        apart.append(MDP(p=task.p, q=q, u=task.u, gamma=0.5))
    T = np.array(draw(ergodic_chains(k)), dtype=np.float64)
    first = np.array(draw(positive_distributions(k)), dtype=np.float64)
    hmm = HMM(observation_matrix(apart), T / T.sum(axis=0), first / first.sum())
    return NamedHMM("drawn", hmm, Sizes(S, A, k))


@cache
def three_tasks() -> tuple[MDP, ...]:
    """Three tasks that differ at all four pairs; two states, actions and rewards: d = 16."""
    chances = (
        ((0.9, 0.2, 0.7, 0.1), (0.8, 0.3, 0.1, 0.6)),
        ((0.1, 0.8, 0.3, 0.6), (0.2, 0.9, 0.5, 0.1)),
        ((0.5, 0.4, 0.9, 0.9), (0.6, 0.1, 0.9, 0.3)),
    )

    def table(first: tuple[float, ...]) -> Floats:
        column = np.array(first)
        return np.stack([column, 1 - column], axis=-1).reshape(2, 2, 2)

    u = np.array([0.0, 1.0])
    return tuple(MDP(p=table(p), q=table(q), u=u, gamma=0.5) for q, p in chances)


THREE = Sizes(2, 2, 2)


def three_task_chain(T: Matrix | None = None) -> NamedHMM:
    """The three tasks on a chain (0.8 next, 0.1 stay, 0.1 skip by default), uniform at first."""
    tenth = Fraction(1, 10)
    chain = T or next_stay_skip(3, 8 * tenth, tenth, tenth)
    hmm = HMM(
        observation_matrix(three_tasks()), np.array(chain, dtype=np.float64), np.full(3, 1 / 3)
    )
    return NamedHMM("three tasks", hmm, THREE)


def circulant_sequence(T: Floats, h: int, rng: np.random.Generator) -> Ints:
    """θ*_1 uniform, then steps as in the first column, for a chain that moves alike.

    Column j of such a T is the first column moved down by j.
    """
    steps = rng.choice(len(T), size=h, p=T[:, 0] / T[:, 0].sum())
    steps[0] = rng.integers(len(T))
    return np.cumsum(steps) % len(T)


def observations(
    rng: np.random.Generator, O: Floats, sequence: Ints, sizes: Sizes, n: int
) -> Floats:
    """One observation of n samples per pair for every task of a sequence, shape (h, d)."""
    rows = np.empty((len(sequence), len(O)))
    lengths = block_sizes(sizes.S, sizes.A, sizes.U)
    starts = accumulate(lengths, initial=0)
    blocks = list(zip(starts, lengths, strict=False))
    for j in range(O.shape[1]):
        here = np.flatnonzero(sequence == j)
        for start, size in blocks:
            block = O[start : start + size, j]
            drawn = rng.multinomial(n, block / block.sum(), size=len(here))
            rows[here, start : start + size] = drawn / n
    return rows


def block_sizes(S: int, A: int, U: int) -> tuple[int, ...]:
    """Lengths of the distributions in a column of O: SA of rewards, then SA of next states."""
    return (U,) * (S * A) + (S,) * (S * A)
