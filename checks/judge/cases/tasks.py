"""Small tasks and sets of tasks that are worth asking about, and draws of more of them.

Probabilities and rewards are mostly multiples of powers of two, so that requests are exact and
short in every language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ptum.checks.judge.messages.parsing import task_fields
from ptum.checks.judge.messages.transcript import Fields
from ptum.reference.arrays import Floats
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, deterministic_rewards

FLAGS: Mapping[str, str] = {
    "A=1": "a single action: every policy is optimal",
    "S=1": "a single state: a bandit",
    "absorbing": "a state that is never left",
    "asymmetric": "the two orders of a pair of models give different numbers",
    "gamma=0": "only the first reward counts",
    "gamma=0.9999": "a long horizon: values near 10000, slow iterations are seen",
    "k=1": "a single model",
    "no-reward": "all rewards are zero, and so are all values",
    "tie": "several optimal policies, each of them is right",
    "twins": "models that are equal, or look equal from some side",
    "u-unsorted": "the list of reward values is not sorted, or names a value twice",
    "unlike-u": "the models list different reward values",
    "zero-variance": "a distribution without randomness: a standard deviation is zero",
}
"""What the flags of cases made from these tasks mean."""


@dataclass(frozen=True, eq=False)
class FlaggedModels:
    """Models of one discount factor, with what is special about them."""

    name: str
    tasks: tuple[MDP, ...]
    flags: tuple[str, ...] = ()

    @property
    def gamma(self) -> float:
        """The discount factor that they share."""
        return self.tasks[0].gamma

    def request(self) -> Fields:
        """The fields `models` and `gamma` of a request."""
        return {"models": [task_fields(task) for task in self.tasks], "gamma": self.gamma}


def request_of(task: MDP) -> Fields:
    """The fields p, q, u and gamma of a request about one task."""
    return {**task_fields(task), "gamma": task.gamma}


# Single tasks


def bandit(gamma: float, *means: float) -> MDP:
    """One state; arm a pays 1 with probability means[a], else nothing."""
    return bernoulli_rewards(np.ones((1, len(means), 1)), np.array([means]), gamma)


def certain_bandit(gamma: float, *rewards: float) -> MDP:
    """One state; arm a pays rewards[a] with certainty."""
    return deterministic_rewards(np.ones((1, len(rewards), 1)), np.array([rewards]), gamma)


def discrete_bandit(gamma: float, *arms: Mapping[float, float]) -> MDP:
    """One state; arm a pays u with probability arms[a][u]."""
    u = sorted({reward for arm in arms for reward in arm})
    q = np.array([[[arm.get(reward, 0.0) for reward in u] for arm in arms]])
    return MDP(np.ones((1, len(arms), 1)), q, np.array(u), gamma)


def moves(*targets: Sequence[int]) -> Floats:
    """Deterministic transitions: action a in state s leads to targets[s][a]."""
    p: Floats = np.eye(len(targets))[np.array(targets)]
    return p


def chain(S: int, gamma: float) -> MDP:
    """Action 1 goes right, action 0 back to the start; only the last state pays."""
    p = moves(*([0, min(s + 1, S - 1)] for s in range(S)))
    r = np.zeros((S, 2))
    r[S - 1] = 1.0
    return deterministic_rewards(p, r, gamma)


def tempted(gamma: float, now: float) -> MDP:
    """State 0: action 0 pays `now` and stays; action 1 leads to state 1, which pays 1 for ever."""
    return deterministic_rewards(moves([0, 1], [1, 1]), np.array([[now, 0.0], [1.0, 1.0]]), gamma)


def leaning(gamma: float, towards: float, r: Sequence[float]) -> MDP:
    """Two states, one action: from both, state 0 follows with probability `towards`."""
    p = np.array([[[towards, 1 - towards]], [[towards, 1 - towards]]])
    return bernoulli_rewards(p, np.array(r, dtype=np.float64)[:, np.newaxis], gamma)


def drawn_task(rng: np.random.Generator, S: int, A: int, u: Sequence[float], gamma: float) -> MDP:
    """Rows of p and q are random multiples of 1/16, with zeros now and then."""
    p, q = _sixteenths(rng, (S, A), S), _sixteenths(rng, (S, A), len(u))
    return MDP(p, q, np.array(u, dtype=np.float64), gamma)


def drawn_set(
    name: str, seed: int | np.random.Generator, k: int, S: int, A: int, gamma: float
) -> FlaggedModels:
    """k drawn tasks with rewards in {0, 3/8, 1}."""
    rng = np.random.default_rng(seed)
    return FlaggedModels(
        name, tuple(drawn_task(rng, S, A, (0.0, 0.375, 1.0), gamma) for _ in range(k))
    )


def drawn_sets(seed: int, count: int) -> Iterator[FlaggedModels]:
    """Sets of two or three tasks of random size and discount factor, for one seed."""
    rng = np.random.default_rng(seed)
    for number in range(1, count + 1):
        k, S, A = (int(rng.integers(low, 4)) for low in (2, 1, 1))
        gamma = float(rng.choice([0.0, 0.25, 0.5, 0.75, 0.9, 0.95]))
        yield drawn_set(f"drawn-{seed}-{number}", rng, k, S, A, gamma)


def _sixteenths(rng: np.random.Generator, rows: tuple[int, int], size: int) -> Floats:
    weights = rng.dirichlet(np.ones(size), size=rows)
    return rng.multinomial(16, weights).astype(np.float64) / 16


# Sets of tasks


def _rewards_apart(gamma: float) -> tuple[MDP, ...]:
    """Equal transitions, different rewards."""
    p = np.array([[[0.5, 0.5], [0.25, 0.75]], [[1.0, 0.0], [0.125, 0.875]]])
    tables = ([[0.25, 0.5], [0.75, 0.0]], [[0.5, 0.125], [0.0, 1.0]])
    return tuple(bernoulli_rewards(p, np.array(r), gamma) for r in tables)


def _transitions_apart(gamma: float) -> tuple[MDP, ...]:
    """Equal rewards, different transitions."""
    r = np.array([[0.25, 0.5], [1.0, 0.0]])
    tables = (
        [[[0.5, 0.5], [0.25, 0.75]], [[1.0, 0.0], [0.125, 0.875]]],
        [[[0.75, 0.25], [0.25, 0.75]], [[0.5, 0.5], [0.625, 0.375]]],
    )
    return tuple(bernoulli_rewards(np.array(p), r, gamma) for p in tables)


def _flat_against_steep() -> tuple[MDP, ...]:
    """The second model has equal values in both states: measured with them the gap is zero."""
    return leaning(0.5, 0.125, (1.0, 0.0)), leaning(0.5, 0.875, (0.5, 0.5))


def _same_value_elsewhere() -> tuple[MDP, ...]:
    """State 0 leads to different states of equal value: every gap is zero, the models differ."""
    r = np.array([[0.0], [0.5], [0.5]])
    return tuple(deterministic_rewards(moves([to], [1], [2]), r, 0.75) for to in (1, 2))


def _certain_moves() -> tuple[MDP, ...]:
    """A chain, and a rotation of its states."""
    rotation = moves([1, 2], [2, 0], [0, 1])
    return chain(3, 0.5), deterministic_rewards(rotation, np.eye(3)[:, :2], 0.5)


def _one_arm(*rows: Sequence[float], u: Sequence[float], gamma: float) -> tuple[MDP, ...]:
    """One state and one action; model θ has the reward distribution rows[θ]."""
    stay = np.ones((1, 1, 1))
    return tuple(MDP(stay, np.array([[row]]), np.array(u), gamma) for row in rows)


def _unlike_rewards() -> tuple[MDP, ...]:
    """One model lists three reward values, the other two."""
    stay = np.ones((1, 2, 1))
    first = MDP(
        stay, np.array([[[0.5, 0.25, 0.25], [0.0, 1.0, 0.0]]]), np.array([0.0, 0.5, 1.0]), 0.5
    )
    second = MDP(stay, np.array([[[0.25, 0.75], [1.0, 0.0]]]), np.array([0.25, 0.75]), 0.5)
    return first, second


def two_orders() -> tuple[MDP, ...]:
    """One task with its rewards in two orders."""
    q = np.array([[[0.25, 0.75], [0.75, 0.25]]])
    pay = ((q, (0.0, 1.0)), (q[:, :, ::-1], (1.0, 0.0)))
    return tuple(MDP(np.ones((1, 2, 1)), q, np.array(u), 0.5) for q, u in pay)


def _unsorted_rewards() -> tuple[MDP, ...]:
    """Reward values in no order, one of them twice."""
    u = np.array([0.75, 0.0, 1.0, 0.0])
    rows = ([0.5, 0.25, 0.0, 0.25], [0.25, 0.25, 0.5, 0.0])
    p = np.array([[[0.25, 0.75]], [[0.5, 0.5]]])
    return tuple(MDP(p, np.array([[row], [row[::-1]]]), u, 0.5) for row in rows)


def _always(reward: float) -> tuple[MDP, ...]:
    """All rewards are the same: transitions are random, values are not."""
    r = np.full((2, 1), reward)
    tables = ([[[0.5, 0.5]], [[0.25, 0.75]]], [[[0.75, 0.25]], [[0.5, 0.5]]])
    return tuple(deterministic_rewards(np.array(p), r, 0.75) for p in tables)


def _mirrored(gamma: float) -> tuple[MDP, ...]:
    """The second model is the first with its two states exchanged."""
    p = np.array([[[0.25, 0.75], [1.0, 0.0]], [[0.5, 0.5], [0.125, 0.875]]])
    r = np.array([[0.125, 0.5], [1.0, 0.25]])
    return bernoulli_rewards(p, r, gamma), bernoulli_rewards(p[::-1, :, ::-1], r[::-1], gamma)


def _rare_successor(gamma: float) -> tuple[MDP, ...]:
    """A successor of probability 1/1024 that is worth a lot."""
    rare = 1 / 1024
    r = np.array([[0.0], [1.0]])
    tables = ([[[1 - rare, rare]], [[0.0, 1.0]]], [[[1.0, 0.0]], [[0.0, 1.0]]])
    return tuple(deterministic_rewards(np.array(p), r, gamma) for p in tables)


def _unlike_rewards_of_one_length() -> tuple[MDP, ...]:
    """Both models list two reward values with equal probability, but not the same values."""
    q = np.array([[[0.25, 0.75], [0.5, 0.5]]])
    lists = (0.0, 0.5), (0.25, 1.0)
    return tuple(MDP(np.ones((1, 2, 1)), q, np.array(u), 0.5) for u in lists)


def two_reasons() -> tuple[MDP, MDP]:
    """(0, 0) tells by its reward; (0, 1) tells a little less twice, by reward and by transition."""
    tables = ([[0.0, 0.5625], [1.0, 1.0]], [[0.5625, 0.3125], [1.0, 1.0]])
    return (
        deterministic_rewards(moves([0, 1], [1, 1]), np.array(tables[0]), 0.0),
        deterministic_rewards(moves([0, 0], [1, 1]), np.array(tables[1]), 0.0),
    )


def move_or_payment() -> tuple[MDP, MDP]:
    """The move of (0, 1) tells 1/2 - 8Δ, the payment of (0, 0) tells 31/64 - 8Δ. γ = 0.

    With Δ = 1/256 the move tells more; with 16Δ for it, or no error for the payment, it would not.
    """
    tables = ([[0.0, 0.25], [0.75, 0.75]], [[0.484375, 0.25], [0.75, 0.75]])
    return (
        deterministic_rewards(moves([0, 1], [1, 1]), np.array(tables[0]), 0.0),
        deterministic_rewards(moves([0, 0], [1, 1]), np.array(tables[1]), 0.0),
    )


def _leaving(gamma: float, probability: float, now: float, paid: float) -> MDP:
    """State 0: `now`, and perhaps a state that pays 1 once, or `paid`; then nothing."""
    p = np.zeros((4, 2, 4))
    p[0, 0, 1:3] = probability, 1 - probability
    p[0, 1, 3] = 1.0
    p[1:, :, 3] = 1.0
    r = np.array([[now, paid], [1.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
    return deterministic_rewards(p, r, gamma)


def unlike_spreads() -> tuple[MDP, MDP]:
    """The move tells 1/16, by the smaller of two deviations; by the larger one it tells 0.036.

    The payment, which is certain, tells 3/64.
    """
    now = 3 / 128
    return _leaving(0.0, 1 / 16, now, 0.0), _leaving(0.0, 1 / 8, now, 3 / 64)


def even_spreads() -> tuple[MDP, MDP]:
    """The move tells (x/σ)² = 1/64, a quarter of which, by (1-γ)², is less than the payment's."""
    return _leaving(0.5, 0.5, 0.0, 33 / 128), _leaving(0.5, 0.5625, 0.0, 34 / 128)


def exits(first: Sequence[float], second: Sequence[float], rewards: Sequence[float]) -> MDP:
    """State 0 pays nothing; its actions lead to states that pay for ever. γ = 1/2."""
    S = len(rewards) + 1
    p = np.zeros((S, 2, S))
    p[:, :, :] = np.eye(S)[:, np.newaxis]
    p[0, 0], p[0, 1] = (0.0, *first), (0.0, *second)
    paid = np.repeat(np.array([0.0, *rewards])[:, np.newaxis], 2, axis=1)
    return deterministic_rewards(p, paid, 0.5)


def unlike_shifts() -> tuple[MDP, MDP]:
    """Transitions alone differ: at (0,0) the linear term counts, at (0,1) the square.

    With V = 2, 0, 1 the gaps are 0.339 and 0.408. Less 8Δ, with Δ = 0.002, the first tells more;
    less 4Δ or Δ the second would.
    """
    rewards = 1.0, 0.0, 0.5
    return (
        exits((0.0, 0.0, 1.0), (0.602, 0.398, 0.0), rewards),
        exits((0.339, 0.0, 0.661), (0.398, 0.602, 0.0), rewards),
    )


def unlike_chances() -> tuple[MDP, MDP]:
    """Transitions alone differ, so that the deviation of a value depends on whose they are.

    Pair (1,1) tells most: a third more than (0,1), which would seem to tell most with the other
    model's probabilities in σ̃^p, or with the other model's value in the gap.
    """
    rewards = np.array([[0.5, 0.25], [0.0, 0.0], [0.75, 1.0]])
    first = [[[4, 10, 6], [8, 7, 5]], [[12, 5, 3], [0, 10, 10]], [[4, 2, 14], [0, 15, 5]]]
    second = [[[3, 12, 5], [1, 9, 10]], [[19, 1, 0], [9, 7, 4]], [[2, 2, 16], [1, 13, 6]]]
    one, other = (deterministic_rewards(np.array(p) / 20, rewards, 0.5) for p in (first, second))
    return one, other


def apart_everywhere(gamma: float) -> tuple[MDP, ...]:
    """Three states that are never left; in each of them the models differ by 0.5 per step."""
    stay, r = moves([0, 0], [1, 1], [2, 2]), np.tile([1.0, 0.5], (3, 1))
    return tuple(deterministic_rewards(stay, table, gamma) for table in (r, r[:, ::-1]))


MODEL_SETS: tuple[FlaggedModels, ...] = (
    FlaggedModels("one-model", (_mirrored(0.5)[0],), ("k=1",)),
    FlaggedModels("one-model-bandit", (bandit(0.5, 0.25, 0.75),), ("k=1", "S=1")),
    FlaggedModels("twins", (_mirrored(0.75)[0], _mirrored(0.75)[0]), ("twins",)),
    FlaggedModels(
        "bandits", (bandit(0.5, 0.5, 0.25, 0.125), bandit(0.5, 0.5, 0.875, 0.125)), ("S=1",)
    ),
    FlaggedModels(
        "certain-bandits",
        (certain_bandit(0.9, 0.0, 0.5, 1.0), certain_bandit(0.9, 0.0, 1.0, 0.5)),
        ("S=1", "zero-variance"),
    ),
    FlaggedModels("mirrored-gamma-0", _mirrored(0.0), ("gamma=0",)),
    FlaggedModels("rewards-apart-gamma-0", _rewards_apart(0.0), ("gamma=0",)),
    FlaggedModels("rewards-apart", _rewards_apart(0.5)),
    FlaggedModels("rewards-apart-long", _rewards_apart(0.9999), ("gamma=0.9999",)),
    FlaggedModels("transitions-apart-gamma-0", _transitions_apart(0.0), ("gamma=0",)),
    FlaggedModels("transitions-apart", _transitions_apart(0.75), ("asymmetric",)),
    FlaggedModels(
        "transitions-apart-long", _transitions_apart(0.9999), ("gamma=0.9999", "asymmetric")
    ),
    FlaggedModels("flat-against-steep", _flat_against_steep(), ("asymmetric", "A=1")),
    FlaggedModels("steep-against-flat", _flat_against_steep()[::-1], ("asymmetric", "A=1")),
    FlaggedModels("same-value-elsewhere", _same_value_elsewhere(), ("twins", "zero-variance")),
    FlaggedModels("certain-moves", _certain_moves(), ("zero-variance",)),
    FlaggedModels(
        "equal-means",
        _one_arm((0.5, 0.0, 0.5), (0.25, 0.5, 0.25), (0.0, 1.0, 0.0), u=(0.0, 0.5, 1.0), gamma=0.5),
        ("twins", "zero-variance", "S=1", "A=1"),
    ),
    FlaggedModels(
        "equal-means-and-deviations",
        _one_arm(
            (0.0, 0.5, 0.0, 0.5, 0.0),
            (0.125, 0.0, 0.75, 0.0, 0.125),
            u=(0.0, 0.25, 0.5, 0.75, 1.0),
            gamma=0.5,
        ),
        ("twins", "S=1", "A=1"),
    ),
    FlaggedModels(
        "small-gap-small-deviation",
        _one_arm((0.5, 0.5), (0.4375, 0.5625), u=(15 / 32, 17 / 32), gamma=0.5),
        ("S=1", "A=1"),
    ),
    FlaggedModels(
        "three-in-a-row", tuple(bandit(0.75, r) for r in (0.25, 0.5, 0.875)), ("S=1", "A=1")
    ),
    FlaggedModels("mirrored", _mirrored(0.9)),
    FlaggedModels("mirrored-long", _mirrored(0.9999), ("gamma=0.9999",)),
    FlaggedModels("no-reward", _always(0.0), ("no-reward", "zero-variance", "A=1")),
    FlaggedModels("constant-value", _always(1.0), ("zero-variance", "A=1")),
    FlaggedModels("unsorted-rewards", _unsorted_rewards(), ("u-unsorted", "A=1")),
    FlaggedModels("unlike-rewards", _unlike_rewards(), ("unlike-u", "S=1", "zero-variance")),
    FlaggedModels("rare-successor", _rare_successor(0.9), ("asymmetric", "zero-variance", "A=1")),
    FlaggedModels(
        "rare-successor-long", _rare_successor(0.9999), ("gamma=0.9999", "absorbing", "A=1")
    ),
    drawn_set("more-actions-than-states", 11, 2, 2, 4, 0.75),
    drawn_set("more-states-than-actions", 12, 2, 4, 2, 0.75),
    drawn_set("four-models", 13, 4, 2, 2, 0.9),
    drawn_set("three-models", 14, 3, 3, 3, 0.5),
    FlaggedModels(
        "unlike-rewards-of-one-length", _unlike_rewards_of_one_length(), ("unlike-u", "S=1")
    ),
)
"""Sets that show what is special about gaps, deviations and information."""
