"""Models solved by sparse factors are those of the literal code, within the stated accuracy."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu

from ptum.checks.engine import models as engine
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.experiments.two_rooms import two_rooms
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import policy_value, value_tolerance
from tests.checks.engine.drawn import drawn


def grids(side: int, gamma: float, k: int = 3) -> list[MDP]:
    return [two_rooms(side, side, i, (side - 1, side - 1 - i), gamma) for i in range(k)]


def allowed(S: int, V: Floats) -> float:
    """(S+2)/2 roundings of the largest value for each of the two codes."""
    return (S + 2) * ROUNDING * float(np.abs(V).max())


def assert_same(fast: ApproximateModels, literal: ApproximateModels) -> None:
    V = literal.V_star
    assert np.array_equal(fast.pi_star, literal.pi_star)
    assert np.abs(fast.V_pi - literal.V_pi).max() <= allowed(literal.S, V)
    assert np.abs(fast.V_star - V).max() <= allowed(literal.S, V)
    # a deviation moves by at most twice what the values do, and rounding of S terms
    assert np.abs(fast.sigma_p - literal.sigma_p).max() <= 4 * allowed(literal.S, V)
    for name in ("r", "p", "sigma_r"):
        assert np.array_equal(getattr(fast, name), getattr(literal, name))


@pytest.mark.parametrize("gamma", [0.0, 0.5, 0.9, 0.99, 0.9999])
def test_grids(gamma: float) -> None:
    tasks = grids(5, gamma)
    assert_same(engine.approximate_models(tasks), approximate_models(tasks))


def test_drawn_tasks() -> None:
    for instance in islice(drawn(0), 40):
        assert_same(engine.approximate_models(instance.models.tasks), instance.models)


def test_where_the_certificate_fails_the_literal_code_answers() -> None:
    """So near to 1 that extended precision does not reach; not a bit differs."""
    rng = np.random.default_rng(0)
    p, gamma = rng.dirichlet(np.ones(3), size=(3, 2)), 1 - 1e-9
    task, pi = bernoulli_rewards(p, rng.random((3, 2)), gamma), np.zeros(3, dtype=np.int64)
    table = engine.successors(task)
    at = np.arange(3)
    leaves = table.there[at, pi] & (table.states[at, pi] != at[:, np.newaxis])
    rows = table.states[at, pi], np.where(leaves, table.p[at, pi], 0.0), leaves, table.r[at, pi]
    assert engine._certified(*rows, gamma) is None
    assert engine._certified(*rows, 0.9) is not None
    assert np.array_equal(engine.Solver().policy_value(task, pi), policy_value(task, pi))


def test_a_wrong_solution_has_no_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Factors of another matrix: refinement does not mend them, and the literal code answers."""
    monkeypatch.setattr(engine, "splu", lambda A: splu(csc_array(A + 5 * np.eye(A.shape[0]))))
    task = grids(4, 0.99, 1)[0]
    pi = np.zeros(task.S, dtype=np.int64)
    assert np.array_equal(engine.Solver().policy_value(task, pi), policy_value(task, pi))


@pytest.mark.deep
def test_a_grid_of_2500_states() -> None:
    """Values of the policy satisfy Bellman's equation in exact sums of doubles."""
    task = grids(50, 0.99, 1)[0]
    found = engine.approximate_models([task])
    V, pi, at = found.V_star[0], found.pi_star[0], np.arange(task.S)
    P = task.p[at, pi].astype(np.longdouble)
    residual = found.r[0, at, pi] + np.longdouble(0.99) * (P @ V.astype(np.longdouble)) - V
    assert float(np.abs(residual).max()) <= value_tolerance(V, 0.99) * (1 - 0.99)
