"""Section 2: the value V_θ^π of a given deterministic policy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.capabilities.tasks import optimal
from ptum.checks.judge.capabilities.tasks.optimal import EDGE_TASKS, drawn_tasks, solved, task_of
from ptum.checks.judge.cases.tasks import request_of
from ptum.checks.judge.judging.compare import first_off, in_every_reading
from ptum.checks.judge.judging.items import Item
from ptum.checks.judge.judging.readings import Capability, Case, Judge, all_readings
from ptum.checks.judge.messages.fields import TASK_FIELDS, Field, integers, reals
from ptum.checks.judge.messages.transcript import Asked, Fields
from ptum.reference.arrays import Floats, Ints
from ptum.reference.tasks.mdp import MDP, mean_reward
from ptum.reference.tasks.values import action_value, optimal_policy, optimal_value, policy_value

V_PI = Item("Section 2, V^π", "text-value-function")

FLAGS: Mapping[str, str] = {
    **optimal.FLAGS,
    "best": "the policy is optimal",
    "mixed": "the policy takes different actions in different states",
    "worst": "the policy takes the worst action everywhere",
}


def tolerance(request: Fields) -> dict[str, float]:
    """Error allowed in V, as in `optimal` (`tolerances`)."""
    return optimal.tolerance(request)


def judge(request: Fields, answer: Fields, _: Sequence[Asked]) -> Judge:
    """V must solve V = r^π + γ P^π V."""
    theta = task_of(request)
    pi, V = integers(request, "pi", (theta.S,)), reals(answer, "V", (theta.S,))
    expected = policy_value(theta, pi)
    finding = first_off(V_PI, "V", expected, V, tolerance(request)["V"])
    return in_every_reading(finding)


# Conforming implementations


def literal(p: Floats, q: Floats, u: Floats, gamma: float, pi: Ints) -> dict[str, object]:
    """`ptum.reference.tasks.values`."""
    return {"V": policy_value(MDP(p, q, u, gamma), pi)}


def linear_solver(p: Floats, q: Floats, u: Floats, gamma: float, pi: Ints) -> Floats:
    """(I - γ P^π)⁻¹ r^π by numpy."""
    states = np.arange(len(p))
    return solved(gamma * p[states, pi], (q @ u)[states, pi])


def doubling(p: Floats, q: Floats, u: Floats, gamma: float, pi: Ints) -> Floats:
    """Σ_t γ^t P^t r with twice as many terms in every step, until the rest is below 10⁻¹²."""
    states = np.arange(len(p))
    step, V, rest = gamma * p[states, pi], (q @ u)[states, pi], gamma
    while rest > 1e-12:
        V, step, rest = V + step @ V, step @ step, rest * rest
    return V


CONFORMING: Mapping[str, Implementation] = {
    "literal": literal,
    "linear-solver": linear_solver,
    "doubling": doubling,
}


# Cases


def _worst_policy(theta: MDP) -> Ints:
    """Everywhere the action that is worst when followed by optimal ones."""
    worst: Ints = np.argmin(action_value(theta, optimal_value(theta)), axis=1)
    return worst


def _unlike_neighbours(theta: MDP) -> Ints:
    """Actions in turn: 0, 1, …, A-1, 0, …"""
    return np.arange(theta.S) % theta.A


def _last_action(theta: MDP) -> Ints:
    return np.full(theta.S, theta.A - 1)


def _poorest_action(theta: MDP) -> Ints:
    poorest: Ints = np.argmin(mean_reward(theta), axis=1)
    return poorest


def _edge_cases() -> Iterator[Case]:
    """Every task with one policy, and some with a second one."""
    rules = (
        ("best", optimal_policy),
        ("worst", _worst_policy),
        ("mixed", _unlike_neighbours),
        ("last", _last_action),
    )
    for number, (name, theta, flags) in enumerate(EDGE_TASKS):
        rule, policy = rules[number % len(rules)]
        also = (rule,) if rule in FLAGS else ()
        yield _case(f"{name}-{rule}", theta, policy(theta), (*_of_any_policy(flags), *also))
    again = ("chain-long-horizon", "slippery", "slippery-long-horizon", "trap", "rare-luck")
    for name, theta, flags in EDGE_TASKS:
        if name in again:
            yield _case(f"{name}-poorest", theta, _poorest_action(theta), _of_any_policy(flags))


def _of_any_policy(flags: tuple[str, ...]) -> tuple[str, ...]:
    """Flags without those that say something about optimal policies alone."""
    return tuple(flag for flag in flags if flag not in ("tie", "close", "patience"))


def _case(name: str, theta: MDP, pi: Ints, flags: tuple[str, ...] = ()) -> Case:
    return Case(f"policy_value/{name}", {**request_of(theta), "pi": pi.tolist()}, flags)


def cases(seed: int) -> Iterator[Case]:
    """Good, bad and mixed policies in the tasks of `optimal`; then drawn ones."""
    yield from _edge_cases()
    rng = np.random.default_rng(seed + 1)
    for name, theta in drawn_tasks(seed, 5):
        yield _case(name, theta, rng.integers(0, theta.A, size=theta.S))


CAPABILITY = Capability(
    name="policy_value",
    item="text-value-function",
    says="The value of a given policy in every state.",
    input=(*TASK_FIELDS, Field("pi", "integer", ("S",), "pi[s] is the action taken in s")),
    output=(Field("V", "real", ("S",), "V_θ^π(s)"),),
    readings=all_readings(),
    cases=cases,
    judge=judge,
    tolerance=tolerance,
    flags=FLAGS,
)
