"""Section 2: the optimal value function V*_θ and a policy π*_θ that attains it.

Where several policies are optimal, each of them is right (D17); the value is one and the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.cases import tasks
from ptum.checks.judge.cases.tasks import bandit, certain_bandit, chain, moves, request_of, tempted
from ptum.checks.judge.judging.compare import first_off, in_every_reading
from ptum.checks.judge.judging.items import PI_STAR, V_STAR
from ptum.checks.judge.judging.readings import Capability, Case, Finding, Judge, all_readings
from ptum.checks.judge.judging.tolerances import value_error
from ptum.checks.judge.messages.fields import TASK_FIELDS, Field, actions, array, reals
from ptum.checks.judge.messages.parsing import number
from ptum.checks.judge.messages.transcript import Asked, Fields
from ptum.reference.arrays import Floats, Ints
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, deterministic_rewards
from ptum.reference.tasks.values import (
    action_value,
    optimal_policy,
    optimal_value,
    policy_value,
    tie_tolerance,
)

FLAGS: Mapping[str, str] = {
    **tasks.FLAGS,
    "close": "the best action is better by little",
    "patience": "the best action pays later",
}


def task_of(request: Fields) -> MDP:
    """The fields p, q, u and gamma of a request."""
    p, q, u = (array(request, name) for name in ("p", "q", "u"))
    return MDP(p, q, u, number(request, "gamma"))


def tolerance(request: Fields) -> dict[str, float]:
    """Error allowed in V; the values of the policy are held to the same (`tolerances`)."""
    return {"V": value_error(len(array(request, "p")), number(request, "gamma"))}


def judge(request: Fields, answer: Fields, _: Sequence[Asked]) -> Judge:
    """V must be V*, and the value of pi must reach it in every state."""
    theta = task_of(request)
    V, pi = reals(answer, "V", (theta.S,)), actions(answer, "pi", theta.S, theta.A)
    finding = _off(theta, V, pi, tolerance(request)["V"])
    return in_every_reading(finding)


def _off(theta: MDP, V: Floats, pi: Ints, allowed: float) -> Finding | None:
    V_star = optimal_value(theta)
    reached = policy_value(theta, pi)
    return first_off(V_STAR, "V", V_star, V, allowed) or first_off(
        PI_STAR, "value of pi, V^pi", V_star, reached, allowed
    )


# Conforming implementations


def literal(p: Floats, q: Floats, u: Floats, gamma: float) -> dict[str, object]:
    """`ptum.reference.tasks.values`."""
    theta = MDP(p, q, u, gamma)
    return {"V": optimal_value(theta), "pi": optimal_policy(theta)}


def ties_to_the_last(p: Floats, q: Floats, u: Floats, gamma: float) -> dict[str, object]:
    """Among equal actions the highest-numbered one."""
    theta = MDP(p, q, u, gamma)
    V = optimal_value(theta)
    Q = action_value(theta, V)
    best = Q.max(axis=1, keepdims=True) - tie_tolerance(theta, V) <= Q
    return {"V": V, "pi": theta.A - 1 - np.argmax(best[:, ::-1], axis=1)}


def plain_policy_iteration(p: Floats, q: Floats, u: Floats, gamma: float) -> tuple[Floats, Ints]:
    """Policies evaluated by a linear solver and improved while that gains anything to speak of."""
    r, states = q @ u, np.arange(len(p))
    pi: Ints = np.argmax(r, axis=1)
    while True:
        V = solved(gamma * p[states, pi], r[states, pi])
        Q = r + gamma * p @ V
        better = Q.max(axis=1) > Q[states, pi] + 1e-14 / (1 - gamma) ** 2
        if not better.any():
            return V, pi
        pi = np.where(better, Q.argmax(axis=1), pi)


def solved(step: Floats, r: Floats) -> Floats:
    """(I - γP)⁻¹ r by numpy's solver."""
    return np.asarray(np.linalg.solve(np.eye(len(r)) - step, r), dtype=np.float64)


CONFORMING: Mapping[str, Implementation] = {
    "literal": literal,
    "ties-to-the-last": ties_to_the_last,
    "plain-policy-iteration": plain_policy_iteration,
}


# Cases


def _close(gap: float) -> MDP:
    """State 0: action 0 pays `gap` more, action 1 leads to a state that pays 4 `gap` more."""
    r = 0.5 + gap * np.array([[1, 0], [0, 0], [4, 4], [0, 0]])
    return deterministic_rewards(moves([1, 2], [3, 3], [3, 3], [3, 3]), r, 0.9)


def _lottery(*u: float, rows: Sequence[Sequence[float]]) -> MDP:
    """One state; arm a has the reward distribution rows[a] over u."""
    return MDP(np.ones((1, len(rows), 1)), np.array([rows]), np.array(u), 0.5)


def _tied_detours() -> MDP:
    """From state 0 two ways of equal worth lead to the state that pays."""
    p = moves([1, 2], [3, 0], [3, 0], [3, 3])
    return deterministic_rewards(p, np.array([[0.0, 0], [0.5, 0], [0.5, 0], [1.0, 1]]), 0.5)


def _trap(gamma: float) -> MDP:
    """State 1 pays once more than state 0 and leads to a state that pays nothing for ever."""
    p = moves([0, 1], [2, 2], [2, 2])
    return deterministic_rewards(p, np.array([[0.5, 1.0], [1.0, 1.0], [0.0, 0.0]]), gamma)


def _slippery(gamma: float) -> MDP:
    """A walk over three states that is neither symmetric nor certain."""
    p = np.array(
        [
            [[0.75, 0.25, 0.0], [0.25, 0.25, 0.5]],
            [[1.0, 0.0, 0.0], [0.0, 0.125, 0.875]],
            [[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]],
        ]
    )
    r = np.array([[0.25, 0.0], [0.125, 0.0], [0.75, 0.5]])
    return bernoulli_rewards(p, r, gamma)


def _transposable() -> MDP:
    """As many states as actions, and nothing symmetric about them."""
    p = np.array([[[0.0, 1.0], [0.5, 0.5]], [[0.25, 0.75], [1.0, 0.0]]])
    return deterministic_rewards(p, np.array([[0.0, 0.25], [0.75, 0.125]]), 0.75)


def _rare_luck() -> MDP:
    """State 0: a certain 1/256, or with probability 2⁻²⁰ the state that pays 1 for ever."""
    rare = 2.0**-20
    p = np.array([[[1.0, 0.0], [1 - rare, rare]], [[0.0, 1.0], [0.0, 1.0]]])
    return deterministic_rewards(p, np.array([[1 / 256, 0.0], [1.0, 1.0]]), 0.9999)


EDGE_TASKS: tuple[tuple[str, MDP, tuple[str, ...]], ...] = (
    ("one-state-one-action", certain_bandit(0.5, 0.75), ("S=1", "A=1")),
    ("bandit-last-arm", bandit(0.5, 0.25, 0.5, 0.75), ("S=1",)),
    ("bandit-all-tied", bandit(0.75, 0.5, 0.5, 0.5), ("S=1", "tie")),
    ("bandit-gamma-0", bandit(0.0, 0.25, 0.5), ("S=1", "gamma=0")),
    ("myopic", tempted(0.0, 0.25), ("gamma=0", "tie", "absorbing")),
    ("patient", tempted(0.5, 0.25), ("patience", "tie", "absorbing")),
    ("very-patient", tempted(0.9999, 0.875), ("patience", "gamma=0.9999", "tie", "absorbing")),
    ("not-worth-waiting", tempted(0.25, 0.5), ("tie", "absorbing")),
    ("chain", chain(4, 0.75), ("patience",)),
    ("long-chain", chain(7, 0.9), ("patience",)),
    ("chain-long-horizon", chain(5, 0.9999), ("patience", "gamma=0.9999")),
    ("slippery", _slippery(0.5), ()),
    ("slippery-gamma-0", _slippery(0.0), ("gamma=0",)),
    ("slippery-long-horizon", _slippery(0.9999), ("gamma=0.9999",)),
    ("trap", _trap(0.75), ("patience", "tie", "absorbing")),
    ("trap-taken", _trap(0.125), ("tie", "absorbing")),
    (
        "no-reward",
        deterministic_rewards(_slippery(0.5).p, np.zeros((3, 2)), 0.9),
        ("no-reward", "tie"),
    ),
    ("always-one", deterministic_rewards(_slippery(0.5).p, np.ones((3, 2)), 0.9), ("tie",)),
    ("always-one-long", certain_bandit(0.9999, 1.0, 1.0), ("S=1", "tie", "gamma=0.9999")),
    ("tied-detours", _tied_detours(), ("tie",)),
    ("close", _close(1 / 1024), ("close", "tie", "absorbing")),
    ("mean-not-maximum", _lottery(0.0, 0.5, 1.0, rows=((0.75, 0, 0.25), (0, 1, 0))), ("S=1",)),
    ("mean-not-mode", _lottery(0.0, 0.5, 1.0, rows=((0.625, 0, 0.375), (0.25, 0.75, 0))), ("S=1",)),
    (
        "unsorted",
        _lottery(1.0, 0.0, 0.25, rows=((0.25, 0.5, 0.25), (0, 0, 1))),
        ("S=1", "u-unsorted"),
    ),
    (
        "value-named-twice",
        _lottery(0.5, 0.5, 0.0, rows=((0.5, 0.25, 0.25), (0, 0.5, 0.5))),
        ("S=1", "u-unsorted"),
    ),
    ("value-never-paid", _lottery(0.25, 0.5, 1.0, rows=((0.5, 0.5, 0), (1, 0, 0))), ("S=1",)),
    (
        "one-reward-value",
        MDP(_transposable().p, np.ones((2, 2, 1)), np.array([0.5]), 0.5),
        ("tie",),
    ),
    ("as-many-states-as-actions", _transposable(), ()),
    (
        "cycle",
        deterministic_rewards(moves([1], [2], [0]), np.array([[1.0], [0.0], [0.5]]), 0.9),
        ("A=1",),
    ),
    (
        "small-rewards",
        deterministic_rewards(_slippery(0.5).p, np.array([[1.0, 2], [3, 4], [8, 7]]) / 2**20, 0.9),
        (),
    ),
    ("rare-luck", _rare_luck(), ("patience", "gamma=0.9999", "tie", "absorbing")),
)


def drawn_tasks(seed: int, count: int) -> Iterator[tuple[str, MDP]]:
    """Tasks with up to five states and three actions."""
    rng = np.random.default_rng(seed)
    for i in range(1, count + 1):
        S, A = int(rng.integers(1, 6)), int(rng.integers(1, 4))
        gamma = float(rng.choice([0.0, 0.5, 0.9, 0.99, 0.9999]))
        yield f"drawn-{seed}-{i}", tasks.drawn_task(rng, S, A, (0.0, 0.375, 1.0), gamma)


def cases(seed: int) -> Iterator[Case]:
    """Tasks with patience, ties, extreme discount factors and odd lists of rewards; then drawn."""
    for name, theta, flags in EDGE_TASKS:
        yield Case(f"optimal/{name}", request_of(theta), flags)
    for name, theta in drawn_tasks(seed, 5):
        yield Case(f"optimal/{name}", request_of(theta))


CAPABILITY = Capability(
    name="optimal",
    item="text-optimal-policy",
    says="Optimal values of a task, and a policy that attains them (any one of them).",
    input=TASK_FIELDS,
    output=(
        Field("V", "real", ("S",), "V*_θ(s)"),
        Field("pi", "integer", ("S",), "an optimal action in every state"),
    ),
    readings=all_readings(),
    cases=cases,
    judge=judge,
    tolerance=tolerance,
    flags=FLAGS,
)
