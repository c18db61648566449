"""Inputs on which formulas and functions of Sections 2-3 and Appendix B are compared.

Everything is built, nothing filtered. Probabilities are ratios of small integers and rewards
multiples of 1/64 or of 1/1000, so that equal gaps, zero deviations and deterministic rows are
common and no difference is so small that its square leaves the range of doubles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from reference.arrays import Floats
from reference.information import information
from reference.mdp import MDP, mean_reward, reward_std
from reference.models import ApproximateModels, approximate_models
from reference.values import optimal_value, transition_std
from spec.algebra import Table

DISCOUNTS = st.sampled_from((0.0, 0.5, 0.9, 0.99)) | st.floats(0.01, 0.99)
ERRORS = st.sampled_from((0.0, 0.001, 0.01)) | st.floats(1e-4, 0.25)
ACCURACIES = st.sampled_from((0.0, 0.1, 1.0)) | st.floats(1e-3, 50.0)
CONFIDENCES = st.sampled_from((0.1, 0.5)) | st.floats(1e-9, 0.999)
BUDGETS = st.integers(1, 10**6)
SMALL_SIZES = st.integers(1, 3)
REWARDS = st.integers(0, 64).map(lambda i: i / 64) | st.integers(0, 1000).map(lambda i: i / 1000)


@dataclass(frozen=True)
class Shape:
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


@st.composite
def shapes(draw: st.DrawFn) -> Shape:
    """Small shapes: one state, one action and one model included."""
    return Shape(
        S=draw(SMALL_SIZES),
        A=draw(st.integers(1, 2)),
        U=draw(SMALL_SIZES),
        k=draw(SMALL_SIZES),
        gamma=draw(DISCOUNTS),
    )


def rows(length: int) -> SearchStrategy[list[float]]:
    """Probability vectors; half of them certain."""
    certain = st.integers(0, length - 1).map(lambda i: [float(i == j) for j in range(length)])
    counts = st.lists(st.integers(0, 8), min_size=length, max_size=length)
    mixed = st.tuples(counts, st.integers(0, length - 1)).map(lambda drawn: _normalised(*drawn))
    return certain | mixed


@st.composite
def tasks(draw: st.DrawFn, shape: Shape, u: list[float]) -> MDP:
    """One task with the given reward values."""
    pairs = shape.S * shape.A
    p = draw(st.lists(rows(shape.S), min_size=pairs, max_size=pairs))
    q = draw(st.lists(rows(shape.U), min_size=pairs, max_size=pairs))
    return MDP(
        p=np.reshape(p, (shape.S, shape.A, shape.S)),
        q=np.reshape(q, (shape.S, shape.A, shape.U)),
        u=np.array(u),
        gamma=shape.gamma,
    )


@st.composite
def families(draw: st.DrawFn, shape: Shape) -> tuple[MDP, ...]:
    """k tasks over the same reward values; a later one may be a copy of the first."""
    u = draw(st.lists(REWARDS, min_size=shape.U, max_size=shape.U))
    first = draw(tasks(shape, u))
    others = [draw(st.just(first) | tasks(shape, u)) for _ in range(shape.k - 1)]
    return (first, *others)


@dataclass(frozen=True, eq=False)
class Family:
    """True tasks, approximate models of them, and one pair, three models and an active set."""

    shape: Shape
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
def whole_families(draw: st.DrawFn) -> Family:
    """True tasks with approximate models that are other tasks, or the same ones."""
    shape = draw(shapes())
    true = draw(families(shape))
    approximate = draw(st.just(true) | families(shape))
    model = st.integers(0, shape.k - 1)
    target = draw(model)
    also_active = draw(st.sets(model))
    return Family(
        shape=shape,
        true=true,
        models=approximate_models(approximate),
        s=draw(st.integers(0, shape.S - 1)),
        a=draw(st.integers(0, shape.A - 1)),
        theta=draw(model),
        theta_prime=draw(model),
        target=target,
        active=tuple(sorted({target, *also_active})),
    )


def true_tables(true: Sequence[MDP]) -> dict[str, Table]:
    """The tables of the true models, by the names that formulas use."""
    V_star = np.stack([optimal_value(theta) for theta in true])
    return {
        "r": listed(np.stack([mean_reward(theta) for theta in true])),
        "p": listed(np.stack([theta.p for theta in true])),
        "q": listed(np.stack([theta.q for theta in true])),
        "reward": listed(true[0].u),
        "V_star": listed(V_star),
        "sigma_r": listed(np.stack([reward_std(theta) for theta in true])),
        "sigma_p": listed(
            np.stack(
                [np.stack([transition_std(theta, V) for V in V_star], axis=-1) for theta in true]
            )
        ),
    }


def approximate_tables(models: ApproximateModels) -> dict[str, Table]:
    """The tables of the approximate models, by the names that formulas use."""
    return {
        "r_tilde": listed(models.r),
        "p_tilde": listed(models.p),
        "V_tilde": listed(models.V_star),
        "V_tilde_of": listed(models.V_pi),
        "sigma_r_tilde": listed(models.sigma_r),
        "sigma_p_tilde": listed(models.sigma_p),
        "gamma": models.gamma,
    }


def information_table(models: ApproximateModels, Delta: float) -> Table:
    """info[θ, θ', s, a]."""
    everyone = range(models.k)
    return [
        [listed(information(theta, theta_prime, models, Delta)) for theta_prime in everyone]
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
def logarithms(draw: st.DrawFn, family: Family | None = None) -> Logarithm:
    """Numbers for the logarithm; sizes are the family's own, or free."""
    sizes = st.integers(1, 400)
    return Logarithm(
        S=family.shape.S if family else draw(sizes),
        A=family.shape.A if family else draw(sizes),
        n=draw(BUDGETS),
        k=family.shape.k if family else draw(sizes),
        delta=draw(CONFIDENCES),
    )


def listed(array: Floats) -> Table:
    """An array as nested lists of plain floats."""
    table: Table = array.tolist()
    return table


def _normalised(counts: list[int], certain: int) -> list[float]:
    """Counts with one more at a drawn place, so that they cannot all be zero."""
    raised = [count + (place == certain) for place, count in enumerate(counts)]
    return [count / sum(raised) for count in raised]
