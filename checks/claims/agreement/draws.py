"""Inputs on which formulas and functions of Sections 2-3 and Appendix B are compared.

Everything is built, nothing filtered. Hypothesis draws parameters, an edge case and a seed;
the seed fills the tables. Hypothesis left to itself prefers equal and zero entries: then most gaps
vanish, most bounds are infinite, and any two formulas agree.

Probabilities are ratios of small integers and rewards multiples of 1/1000, so that no difference
is so small that its square leaves the range of doubles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ptum.reference.arrays import Floats
from ptum.reference.errors import require_numbers
from ptum.reference.tasks.mdp import MDP, mean_reward, reward_std
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import optimal_value, transition_std
from ptum.reference.transfer.information import information
from ptum.spec.algebra import Table

DISCOUNTS = st.sampled_from((0.0, 0.5, 0.9, 0.99)) | st.floats(0.01, 0.99)
ERRORS = st.sampled_from((0.0, 0.0, 0.001, 0.01, 0.25)) | st.floats(1e-4, 5e-3)
ACCURACIES = st.sampled_from((0.0, 0.1, 0.5, 50.0)) | st.floats(1e-3, 1.0)
CONFIDENCES = st.sampled_from((0.1, 0.5)) | st.floats(1e-9, 0.999)
BUDGETS = st.integers(1, 10**6)
REWARDS = st.integers(0, 1000).map(lambda i: i / 1000)
SEEDS = st.integers(0, 999)


class Edge(StrEnum):
    """What is special about a family; at most one thing at a time."""

    NONE = "nothing: all outcomes are possible, all models differ"
    SPARSE = "many outcomes are impossible"
    DETERMINISTIC = "every outcome is certain"
    NEAR = "models differ little, so that deviations outweigh gaps"
    SAME_REWARDS = "models differ in transitions alone"
    COPIES = "every model equals the first"
    ONE_STATE = "one state"
    ONE_ACTION = "one action, so that every policy is optimal"
    ONE_MODEL = "one model"
    ONE_REWARD = "one reward value"
    EXACT = "the approximate models are the true ones"
    SAME = "the formula is asked about one model twice"
    ALONE = "only the target is active"


EDGES = st.sampled_from((*[Edge.NONE] * 8, *[Edge.NEAR] * 3, *[Edge.SAME_REWARDS] * 3, *Edge))


@dataclass(frozen=True)
class FamilyShape:
    """Sizes and discount factor that all models of a family share."""

    S: int
    A: int
    U: int
    k: int
    gamma: float

    @property
    def sets(self) -> dict[str, Sequence[int]]:
        """The sets that indices of a formula run over."""
        return {
            "States": range(self.S),
            "Actions": range(self.A),
            "Rewards": range(self.U),
            "Theta": range(self.k),
            "Policies": range(self.k),
        }


def shape_of(generator: np.random.Generator, edge: Edge, gamma: float) -> FamilyShape:
    """Two or three of everything, two actions, except for the edge."""
    S, U, k = generator.integers(2, 4, size=3).tolist()
    return FamilyShape(
        S=1 if edge is Edge.ONE_STATE else S,
        A=1 if edge is Edge.ONE_ACTION else 2,
        U=1 if edge is Edge.ONE_REWARD else U,
        k=1 if edge is Edge.ONE_MODEL else k,
        gamma=gamma,
    )


def distributions(generator: np.random.Generator, size: tuple[int, ...], edge: Edge) -> Floats:
    """For every model (first axis) probability vectors along the last axis: counts over sums."""
    one_outcome = np.eye(size[-1])[generator.integers(size[-1], size=size[:-1])]
    match edge:
        case Edge.DETERMINISTIC:
            counts = one_outcome
        case Edge.SPARSE:
            counts = one_outcome + generator.integers(0, 3, size=size)
        case Edge.NEAR:
            common = generator.integers(20, 60, size=size[1:])
            counts = common + one_outcome + generator.integers(0, 4, size=size)
        case _:
            counts = 12 * one_outcome + generator.integers(1, 9, size=size)
    rows: Floats = counts / counts.sum(axis=-1, keepdims=True)
    return rows


def family_of(generator: np.random.Generator, shape: FamilyShape, edge: Edge) -> tuple[MDP, ...]:
    """k tasks over the same reward values."""
    u = np.sort(generator.integers(0, 1001, size=shape.U)) / 1000
    if shape.U > 1:
        u[0], u[-1] = 0.0, 1.0  # the whole range, or most gaps drown in 8Δ
    p = distributions(generator, (shape.k, shape.S, shape.A, shape.S), edge)
    q = distributions(generator, (shape.k, shape.S, shape.A, shape.U), edge)
    if edge in (Edge.COPIES, Edge.SAME_REWARDS):
        q[:] = q[0]
    if edge is Edge.COPIES:
        p[:] = p[0]
    return tuple(MDP(p=p[theta], q=q[theta], u=u, gamma=shape.gamma) for theta in range(shape.k))


@dataclass(frozen=True, eq=False)
class DrawnFamily:
    """True tasks, approximate models of them, and one pair, three models and an active set."""

    shape: FamilyShape
    true: tuple[MDP, ...]
    models: ApproximateModels
    s: int
    a: int
    theta: int
    theta_prime: int
    target: int
    active: tuple[int, ...]

    @property
    def indices(self) -> dict[str, Table]:
        """The free indices of a formula."""
        return {
            "s": self.s,
            "a": self.a,
            "theta": self.theta,
            "theta_prime": self.theta_prime,
            "theta_star": self.target,
        }

    @property
    def sets(self) -> dict[str, Sequence[int]]:
        """The sets that indices of a formula run over."""
        others = [theta for theta in range(self.shape.k) if theta != self.target]
        pair = (self.theta, self.theta_prime)
        return {**self.shape.sets, "Theta_bar": self.active, "Others": others, "Pair": pair}


@st.composite
def whole_families(draw: st.DrawFn, edges: SearchStrategy[Edge] = EDGES) -> DrawnFamily:
    """True tasks with approximate models that are other tasks, or the same ones."""
    edge, gamma = draw(edges), draw(DISCOUNTS)
    generator = np.random.default_rng(draw(SEEDS))
    shape = shape_of(generator, edge, gamma)
    true = family_of(generator, shape, edge)
    approximate = true if edge is Edge.EXACT else family_of(generator, shape, edge)
    order = generator.permutation(shape.k).tolist()
    theta, other = order[0], order[0 if edge is Edge.SAME else -1]
    active = order[-1:] if edge is Edge.ALONE else order[: int(generator.integers(2, 4))]
    return DrawnFamily(
        shape=shape,
        true=true,
        models=approximate_models(approximate),
        s=int(generator.integers(shape.S)),
        a=int(generator.integers(shape.A)),
        theta=theta,
        theta_prime=other,
        target=other,
        active=tuple(sorted({other, *active})),
    )


def true_tables(true: Sequence[MDP]) -> dict[str, Table]:
    """The tables of the true models, by the names that formulas use."""
    V_star = np.stack([optimal_value(theta) for theta in true])
    return {
        "r": nested(np.stack([mean_reward(theta) for theta in true])),
        "p": nested(np.stack([theta.p for theta in true])),
        "q": nested(np.stack([theta.q for theta in true])),
        "reward": nested(true[0].u),
        "V_star": nested(V_star),
        "sigma_r": nested(np.stack([reward_std(theta) for theta in true])),
        "sigma_p": nested(
            np.stack(
                [np.stack([transition_std(theta, V) for V in V_star], axis=-1) for theta in true]
            )
        ),
    }


def approximate_tables(models: ApproximateModels) -> dict[str, Table]:
    """The tables of the approximate models, by the names that formulas use."""
    return {
        "r_tilde": nested(models.r),
        "p_tilde": nested(models.p),
        "V_tilde": nested(models.V_star),
        "V_tilde_of": nested(models.V_pi),
        "sigma_r_tilde": nested(models.sigma_r),
        "sigma_p_tilde": nested(models.sigma_p),
        "gamma": models.gamma,
    }


def information_table(models: ApproximateModels, Delta: float) -> Table:
    """info[θ, θ', s, a]."""
    everyone = range(models.k)
    return [
        [
            nested(information(models, theta=theta, theta_prime=theta_prime, Delta=Delta))
            for theta_prime in everyone
        ]
        for theta in everyone
    ]


@dataclass(frozen=True)
class Logarithm:
    """The numbers inside log(8SAn(|Θ|+1)/δ)."""

    S: int
    A: int
    n: int
    k: int
    delta: float

    @property
    def values(self) -> dict[str, Table]:
        """Under the names that formulas use."""
        return {"S": self.S, "A": self.A, "n": self.n, "k": self.k, "delta": self.delta}


@st.composite
def logarithms(draw: st.DrawFn, family: DrawnFamily | None = None) -> Logarithm:
    """Numbers for the logarithm; sizes are the family's own, or free."""
    sizes = st.integers(1, 400)
    return Logarithm(
        S=family.shape.S if family else draw(sizes),
        A=family.shape.A if family else draw(sizes),
        n=draw(BUDGETS),
        k=family.shape.k if family else draw(sizes),
        delta=draw(CONFIDENCES),
    )


def nested(array: Floats) -> Table:
    """An array as nested lists of plain floats."""
    require_numbers(array=array)
    table: Table = array.tolist()
    return table
