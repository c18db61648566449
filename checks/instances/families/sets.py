"""Hypothesis strategies for sets of models, and for sets of tasks with their approximations.

`model_sets()` draws k models over the same states, actions and discount: unrelated, sharing
rewards or transitions, nearly tied, with a copy among them, or small worlds of Appendix E.

`task_sets()` adds the other half of Assumption 1. The drawn models are the approximations {M̃_θ},
and the true tasks are made from them, because errors are measured against the values Ṽ* of the
approximations: those stay fixed while the truth is moved to a chosen distance.

| family           | true tasks                                                             |
| ---------------- | ---------------------------------------------------------------------- |
| `exact_sets`     | the approximations themselves                                          |
| `perturbed_sets` | mixed with other tables; the weights are drawn, and may be 0           |
| `sets_within`    | mixed so weakly that all four repaired errors are at most a chosen Δ   |
| `kernel_sets`    | other transitions with (p - p̃)ᵀṼ*_θ' = 0: invisible as printed         |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks.exact.numbers import is_above
from ptum.checks.instances.families import tasks
from ptum.checks.instances.families.named import exactly_known
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.instances.families.tasks import RealOrStrategy, Size, either
from ptum.reference.arrays import Floats, Ints
from ptum.reference.repaired.transfer.assumptions import model_errors
from ptum.reference.tasks.mdp import MDP, deterministic_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models

Models: TypeAlias = tuple[MDP, ...]
Tables: TypeAlias = tuple[Floats, Floats]
"""p and q of one model."""

NUMBER = st.integers(2, 4)
WEIGHT = st.sampled_from((0.0, 1e-9, 1e-6, 1e-3, 0.01, 0.1, 0.5, 1.0))
"""How much of another table is mixed in."""
NEARLY = st.sampled_from((1e-12, 1e-9, 1e-6, 1e-3, 0.01))
DISTANCE = st.sampled_from((0.0, 1e-6, 1e-4, 1e-3, 0.01, 0.1))
FRACTIONS = (0.99, 0.5, 0.01, 1e-6)
"""How far a row is moved, as a share of the way to the border of the simplex."""
HEADROOM = 0.99
"""Keeps rounding from carrying an error that is Δ on paper beyond Δ."""
FLAT_REWARDS = (0.5, 1.0, 0.1)
SHARES = (0.0, 1.0, 0.5, 0.9, 0.99)


# Sets of models


@cache
@st.composite
def independent(draw: DrawFn, k: Size = NUMBER) -> Models:
    """Unrelated models."""
    one = tasks.of_size(*draw(_sizes()))
    return tuple(draw(one) for _ in range(draw(either(k))))


@st.composite
def sharing_rewards(draw: DrawFn, k: Size = NUMBER) -> Models:
    """One table of rewards, different transitions."""
    S, A, gamma = draw(_sizes())
    q, u = draw(tasks.rewards(S, A))
    tables = tasks.transitions(S, A)
    return tuple(MDP(draw(tables), q, u, gamma) for _ in range(draw(either(k))))


@st.composite
def sharing_transitions(draw: DrawFn, k: Size = NUMBER) -> Models:
    """One table of transitions, different rewards."""
    S, A, gamma = draw(_sizes())
    p, tables = draw(tasks.transitions(S, A)), tasks.rewards(S, A)
    drawn = [draw(tables) for _ in range(draw(either(k)))]
    return tuple(MDP(p, q, u, gamma) for q, u in drawn)


@st.composite
def nearly_tied(draw: DrawFn, k: Size = NUMBER) -> Models:
    """One model and small perturbations of it."""
    base = draw(tasks.of_size(*draw(_sizes())))
    weight = draw(NEARLY)
    others = [draw(_other_tables(base)) for _ in range(draw(either(k)) - 1)]
    return (base, *(mixed(base, other, weight, weight) for other in others))


@st.composite
def with_copy(draw: DrawFn, k: Size = NUMBER) -> Models:
    """Unrelated models, one of which comes twice (when there is room for it)."""
    number = draw(either(k))
    models = draw(independent(max(number - 1, 1)))
    copied = draw(st.integers(0, len(models) - 1))
    return models if number == 1 else (*models, models[copied])


@st.composite
def worlds(draw: DrawFn, k: Size = NUMBER) -> Models:
    """Goal grids or objectworlds of one size."""
    family = draw(st.sampled_from((tasks.two_room_grids, tasks.objectworlds)))
    one = family(draw(tasks.SHAPE), draw(tasks.GAMMAS))
    return tuple(draw(one) for _ in range(draw(either(k))))


@cache
def model_sets(k: Size = NUMBER) -> SearchStrategy[Models]:
    """k models over the same states, actions and discount; their reward spaces may differ."""
    return st.one_of(
        independent(k),
        sharing_rewards(k),
        sharing_transitions(k),
        nearly_tied(k),
        with_copy(k),
        worlds(k),
    )


# Sets of tasks


def exact_sets(models: SearchStrategy[Models] | None = None) -> SearchStrategy[TaskSet]:
    """The models are known exactly: all errors are zero."""
    return _or_any(models).map(lambda drawn: exactly_known("exact models", drawn))


@st.composite
def perturbed_sets(
    draw: DrawFn,
    models: SearchStrategy[Models] | None = None,
    reward_weight: RealOrStrategy = WEIGHT,
    transition_weight: RealOrStrategy = WEIGHT,
) -> TaskSet:
    """True tasks that mix other tables into the approximations, with the given weights."""
    approximate = draw(_or_any(models))
    others = [draw(_other_tables(task)) for task in approximate]
    weight_q, weight_p = draw(either(reward_weight)), draw(either(transition_weight))
    true = _all_mixed(approximate, others, weight_p, weight_q)
    name = f"rewards mixed by {weight_q:g}, transitions by {weight_p:g}"
    return TaskSet(name, true, approximate_models(approximate))


@st.composite
def sets_within(
    draw: DrawFn, Delta: RealOrStrategy = DISTANCE, models: SearchStrategy[Models] | None = None
) -> TaskSet:
    """All four errors of the repaired Assumption 1 are at most Δ, and as a rule not far below.

    The weight of the mixture starts where the two errors that are linear in it would be Δ, and is
    quartered until the errors of the deviations, which may go with its root, are small enough.
    """
    approximate, distance = approximate_models(draw(_or_any(models))), draw(either(Delta))
    others = [draw(_other_tables(task)) for task in approximate.tasks]
    return _within(distance, approximate, others)


@st.composite
def flat_kernel_sets(draw: DrawFn, k: Size = NUMBER) -> TaskSet:
    """In every model and state the best action pays the same, so all Ṽ* are constant.

    Then (p - p̃)ᵀṼ* = 0 for any two tables of transitions: all four printed errors vanish, and
    the true task can be anything. At least one row differs.
    """
    S, A, gamma = draw(st.integers(2, 4)), draw(tasks.ACTIONS), draw(tasks.GAMMAS)
    tables = tasks.transitions(S, A)
    best = draw(st.sampled_from(FLAT_REWARDS))
    rewards = [draw(_flat_rewards(S, A, best)) for _ in range(draw(either(k)))]
    approximate = [deterministic_rewards(draw(tables), r, gamma) for r in rewards]
    p_true = [draw(tables) for _ in rewards]
    theta, s, a = draw(_places(len(rewards), S, A))
    p_true[theta][s, a] = np.eye(S)[np.argmin(approximate[theta].p[s, a])]  # not the same row
    true = tuple(deterministic_rewards(p, r, gamma) for p, r in zip(p_true, rewards, strict=True))
    return TaskSet("constant values", true, approximate_models(approximate))


@st.composite
def null_space_sets(draw: DrawFn, k: Size = NUMBER, deviations: bool | None = None) -> TaskSet:
    """p - p̃ lies in the null space of all Ṽ*_θ': Δ_max^p = 0 as printed, although p ≠ p̃.

    With `deviations` (drawn unless given) it is orthogonal to the squares of Ṽ*_θ' as well, and
    the errors of the deviations vanish too. There are more states than constraints, so that the
    null space is never trivial; transitions are dense, so that every row can move. Rewards are
    known exactly.
    """
    number = draw(either(k))
    squares = draw(st.booleans()) if deviations is None else deviations
    S = 2 + number * (2 if squares else 1) + draw(st.integers(0, 1))
    A, gamma = draw(st.integers(1, 2)), draw(tasks.GAMMAS)
    dense = tasks.dense(S, A, gamma)
    approximate = approximate_models([draw(dense) for _ in range(number)])
    basis = invisible_directions(approximate, squares=squares)
    found = draw(tasks.byte_arrays(number, S, A, basis.shape[1]))
    coefficients = np.array([0, 1, -1])[found % 3]
    coefficients[(*draw(_places(number, S, A)), 0)] = 1
    p = moved(approximate.p, coefficients @ basis.T, draw(st.sampled_from(FRACTIONS)))
    true = tuple(
        MDP(p[theta], task.q, task.u, gamma) for theta, task in enumerate(approximate.tasks)
    )
    name = "kernel of the values" + (" and their squares" if squares else "")
    return TaskSet(name, true, approximate)


def kernel_sets(k: Size = NUMBER) -> SearchStrategy[TaskSet]:
    """Transitions differ where Assumption 1 as printed cannot see it (erratum E02)."""
    return st.one_of(flat_kernel_sets(k), null_space_sets(k))


@cache
def task_sets(k: Size = NUMBER) -> SearchStrategy[TaskSet]:
    """Any of the families above, with k tasks."""
    models = model_sets(k)
    return st.one_of(
        exact_sets(models), perturbed_sets(models), sets_within(models=models), kernel_sets(k)
    )


# Building blocks


def mixed(task: MDP, other: Tables, weight_p: float, weight_q: float) -> MDP:
    """The task whose tables are (1-w) times the given ones plus w times the others.

    The other rewards may be 0 and 1 as well, whatever the task pays: a reward that is always the
    same could not be moved otherwise. With weight 0 the reward space stays as it is.
    """
    other_p, other_q = other
    p = (1 - weight_p) * task.p + weight_p * other_p
    if weight_q == 0:
        return MDP(p, task.q, task.u, task.gamma)
    q = np.pad(task.q, ((0, 0), (0, 0), (2, 0)))
    u = np.concatenate([[0.0, 1.0], task.u])
    return MDP(p, (1 - weight_q) * q + weight_q * other_q, u, task.gamma)


def invisible_directions(models: ApproximateModels, *, squares: bool) -> Floats:
    """An orthonormal basis, shape (S, d), of what is orthogonal to 1 and to all Ṽ*_θ'.

    Values enter centred and scaled: near γ = 1 they are large and alike, and rounding would
    otherwise hide in what they share.
    """
    from scipy.linalg import null_space  # here: it takes long to load

    centred = models.V_star - models.V_star.mean(axis=1, keepdims=True)
    size = np.abs(centred).max(axis=1, keepdims=True)
    values = np.divide(centred, size, out=np.zeros_like(centred), where=size > 0)
    constraints = [np.ones((1, models.S)), values, *([values**2] if squares else [])]
    basis: Floats = null_space(np.concatenate(constraints))
    return basis


def moved(p: Floats, direction: Floats, fraction: float) -> Floats:
    """Rows of p moved by that share of the way on which they first meet a border of the simplex."""
    shrinking = direction < 0
    room = np.divide(p, -direction, out=np.full_like(p, np.inf), where=shrinking).min(axis=-1)
    way = np.where(np.isfinite(room), fraction * room, 0.0)
    rows = p + way[..., np.newaxis] * direction
    result: Floats = rows / rows.sum(axis=-1, keepdims=True)
    return result


def _within(Delta: float, approximate: ApproximateModels, others: Sequence[Tables]) -> TaskSet:
    farthest = _all_mixed(approximate.tasks, others, 1.0, 1.0)
    errors = model_errors(farthest, approximate)
    linear = max(errors.r, errors.p)
    weight = min(1.0, HEADROOM * Delta / linear) if linear > 0 else float(Delta > 0)
    return brought_within(
        Delta, approximate, lambda w: _all_mixed(approximate.tasks, others, w, w), weight
    )


def brought_within(
    Delta: float, approximate: ApproximateModels, true_at: Callable[[float], Models], weight: float
) -> TaskSet:
    """True tasks at a weight, which is quartered until no repaired error exceeds Δ.

    Weight 0 must stand for tasks that are the approximations themselves.
    """
    while True:
        true = true_at(weight)
        if not is_above(model_errors(true, approximate).Delta, Delta):
            return TaskSet(f"errors within {Delta:g}", true, approximate)
        weight /= 4


def _all_mixed(
    models: Sequence[MDP], others: Sequence[Tables], weight_p: float, weight_q: float
) -> Models:
    pairs = zip(models, others, strict=True)
    return tuple(mixed(task, other, weight_p, weight_q) for task, other in pairs)


def _other_tables(task: MDP) -> SearchStrategy[Tables]:
    """What `mixed` takes: any transitions, and any rewards among those of the task, 0 and 1."""
    p = tasks.transitions(task.S, task.A)
    return st.tuples(p, tasks.distributions(task.S, task.A, task.u.size + 2))


@cache
def _flat_rewards(S: int, A: int, best: float) -> SearchStrategy[Floats]:
    """Rewards whose maximum over the actions is `best` in every state."""

    def table(share: Ints, best_action: Ints) -> Floats:
        r = best * np.array(SHARES)[share % len(SHARES)]
        r[np.arange(S), best_action % A] = best
        return r

    return st.builds(table, tasks.byte_arrays(S, A), tasks.byte_arrays(S))


@cache
def _places(k: int, S: int, A: int) -> SearchStrategy[tuple[int, int, int]]:
    """A model, a state and an action."""
    return st.tuples(st.integers(0, k - 1), st.integers(0, S - 1), st.integers(0, A - 1))


@cache
def _sizes() -> SearchStrategy[tuple[int, int, float]]:
    """S, A and γ."""
    return st.tuples(tasks.STATES, tasks.ACTIONS, tasks.GAMMAS)


def _or_any(models: SearchStrategy[Models] | None) -> SearchStrategy[Models]:
    return model_sets() if models is None else models
