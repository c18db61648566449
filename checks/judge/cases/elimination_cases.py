"""Data that decide line 12 of Algorithm 1: cases in which one test is missed or just passed.

A case is built in two steps. Its data make a model miss one of the tests (1)-(4) by some excess;
then a model error is chosen next to that excess, a little below (the model is eliminated) or above
(it stays). Between two ways to compute the excess, one of them wrong, the middle tells them apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice

import numpy as np

from ptum.checks.judge.cases.tasks import FlaggedModels, bandit, certain_bandit, drawn_set, moves
from ptum.checks.judge.messages.fields import array
from ptum.checks.judge.messages.parsing import errors_fields, number, only_error, whole
from ptum.checks.judge.messages.transcript import Fields
from ptum.reference.arrays import Floats
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP, deterministic_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer import confidence
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.empirical import Data, EmpiricalModel, empirical_model, empty_data

FLAGS: Mapping[str, str] = {
    "N<=1": "pairs with no sample or one: their tests cannot fail",
    "all-fall": "no model survives",
    "empty": "no model is active to begin with",
    "gamma=0": "values have the range of rewards",
    "gamma=0.9999": "values have the range 10000: transition widths are very large",
    "infinite-error": "a model error is infinite: its test cannot fail",
    "k=1": "a single model",
    "many-samples": "more than 200 samples of one pair, the first unlike the others",
    "near": "a test that is missed or passed by little, yet far beyond rounding",
    "other-values": "only the value function of another model shows the difference",
    "some-active": "not all models are active",
    "twins": "two models are equal",
    "unlike-errors": "the four model errors differ",
    "zero-variance": "the data show no variance",
}

Sample = tuple[int, int, float, int]
"""State, action, reward, next state."""

EXACT = single(0.0)

MARGIN = 1 / 1024
"""How far a case that is called near stays from the edge."""


def stored(request: Fields, S: int, A: int) -> Data:
    """The data sets 𝒟 of line 20."""
    data = empty_data(S, A)
    columns = (array(request, name).tolist() for name in ("s", "a", "reward", "successor"))
    for s, a, reward, successor in zip(*columns, strict=True):
        data.store(int(s), int(a), reward, int(successor))
    return data


@dataclass(frozen=True, eq=False)
class EliminationMargins:
    """distance - width of the tests (1)-(4), of shape (k, S, A), and (k, S, A, θ') for (2), (4)."""

    of_r: Floats
    of_p: Floats
    of_sigma_r: Floats
    of_sigma_p: Floats

    def worst(self, values: Sequence[int]) -> Floats:
        """The largest excess of every model in each test, with θ' in `values`; shape (k, 4)."""
        chosen = list(values)
        by_test = (self.of_r, self.of_p[..., chosen], self.of_sigma_r, self.of_sigma_p[..., chosen])
        columns = [excess.reshape(len(excess), -1) for excess in by_test]
        return np.stack([np.max(excess, axis=1, initial=-math.inf) for excess in columns], axis=1)


def all_tests(
    request: Fields, models: ApproximateModels, hat: EmpiricalModel, errors: ModelErrors
) -> EliminationMargins:
    """Both sides of the tests, by `ptum.reference.transfer.confidence`."""
    n, delta = whole(request, "n"), number(request, "delta")
    C = confidence.widths(hat, errors, models.gamma, n, models.k, delta)
    made = [confidence.elimination_tests(theta, hat, C, models) for theta in range(models.k)]
    return EliminationMargins(
        *(np.stack([test.distance - test.width for test in one]) for one in zip(*made, strict=True))
    )


def estimate(request: Fields, models: ApproximateModels) -> EmpiricalModel:
    """Lines 7-10 on the data of a request."""
    return empirical_model(stored(request, models.S, models.A), models.V_star)


@dataclass(frozen=True, eq=False)
class EliminationCase:
    """Models, data and numbers of one request."""

    models: tuple[MDP, ...]
    samples: tuple[Sample, ...]
    active: tuple[int, ...]
    errors: ModelErrors = EXACT
    n: int = 500
    delta: float = 0.125

    def request(self) -> Fields:
        """As a request holds it."""
        columns = ("s", "a", "reward", "successor")
        return {
            **FlaggedModels("", self.models).request(),
            "errors": errors_fields(self.errors),
            "n": self.n,
            "delta": self.delta,
            "active": list(self.active),
            **{name: [sample[i] for sample in self.samples] for i, name in enumerate(columns)},
        }

    def excess(self, theta: int, equation: int) -> float:
        """By how much a model without error misses a test at its worst pair."""
        models, request = approximate_models(self.models), self.request()
        found = all_tests(request, models, estimate(request, models), EXACT)
        return float(found.worst(range(models.k))[theta, equation - 1])

    def with_error(self, Delta: float) -> EliminationCase:
        """The same case with one error for all constants."""
        return replace(self, errors=single(Delta))

    def just_falling(self, theta: int, equation: int) -> EliminationCase:
        """The error is a little too small for this model to pass."""
        return self.with_error(self.excess(theta, equation) - MARGIN)

    def just_staying(self, theta: int, equation: int) -> EliminationCase:
        """The error is just large enough for this model to pass."""
        return self.with_error(self.excess(theta, equation) + MARGIN)


# Data


def rewards_of(pair: tuple[int, int], pattern: Sequence[float], N: int) -> tuple[Sample, ...]:
    """N samples of a pair that repeat a pattern of rewards; the next state is the state itself."""
    s, a = pair
    return tuple((s, a, reward, s) for reward in islice(cycle(pattern), N))


def moves_of(pattern: Sequence[int], N: int, reward: float = 0.0) -> tuple[Sample, ...]:
    """N samples of the pair (0, 0) that repeat a pattern of next states."""
    return tuple((0, 0, reward, successor) for successor in islice(cycle(pattern), N))


# Models


def hub(gamma: float, row: Sequence[float], rewards: Sequence[float]) -> MDP:
    """State 0 pays nothing and leads to states 1, 2, …, which pay their rewards for ever."""
    S = len(row) + 1
    p = np.eye(S)[:, np.newaxis, :]
    p[0, 0] = [0.0, *row]
    return deterministic_rewards(p, np.array([0.0, *rewards])[:, np.newaxis], gamma)


STEEP, FLAT = (1.0, 0.0, 0.5), (0.5, 0.5, 0.5)


def _three_means(gamma: float = 0.5) -> tuple[MDP, ...]:
    """One arm that pays with probability 1/2, 1/16 or 15/16."""
    return bandit(gamma, 0.5), bandit(gamma, 0.0625), bandit(gamma, 0.9375)


def _spread() -> tuple[MDP, ...]:
    """One arm of mean 1/2: a Bernoulli reward, or a deterministic one."""
    certain = MDP(np.ones((1, 1, 1)), np.array([[[0.0, 1.0, 0.0]]]), np.array([0.0, 0.5, 1.0]), 0.5)
    return bandit(0.5, 0.5), certain


def _likely(gamma: float = 0.5) -> tuple[MDP, ...]:
    """A hub whose first exit has probability 7/8 or 1/8."""
    rows = ((0.875, 0.125, 0.0), (0.125, 0.875, 0.0))
    return tuple(hub(gamma, row, STEEP) for row in rows)


def _spread_moves() -> tuple[MDP, ...]:
    """Equal mean values: the best and the worst exit with 1/2 each, or surely the middle one."""
    return hub(0.5, (0.5, 0.5, 0.0), STEEP), hub(0.5, (0.0, 0.0, 1.0), STEEP)


# Cases

HALF, MOSTLY_FIRST, MOSTLY_SECOND = (0.0, 1.0), (1, 1, 1, 2, 1, 1, 1, 1), (2, 2, 2, 1, 2, 2, 2, 2)

Named = tuple[str, EliminationCase, tuple[str, ...]]


def _quiet_cases() -> Iterator[Named]:
    """Too little data to tell anything, or just enough, or nobody to tell about."""
    arms, likely = _three_means(), _likely()
    yield "no-data", EliminationCase(likely, (), (0, 1)), ("N<=1",)
    every = tuple((s, 0, (0.0, *STEEP)[s], s) for s in range(4))
    yield "one-sample-each", EliminationCase(likely, every, (0, 1)), ("N<=1",)
    outlier = ((0, 0, 1.0, 0),)
    yield "one-odd-sample", EliminationCase(arms, outlier, (0, 1, 2)), ("N<=1",)
    yield (
        "two-samples",
        EliminationCase(arms, rewards_of((0, 0), (1.0,), 2), (0, 1, 2)),
        ("zero-variance",),
    )
    yield "few-samples", EliminationCase(arms, rewards_of((0, 0), HALF, 6), (0, 1, 2)), ()
    opposed, paid = (certain_bandit(0.0, 1.0), certain_bandit(0.0, 0.0)), (1.0,)
    fewest = EliminationCase(opposed, rewards_of((0, 0), paid, 15), (0, 1), n=15, delta=0.9375)
    yield "few-samples-decide", fewest, ("zero-variance", "gamma=0", "near")
    data = rewards_of((0, 0), HALF, 256)
    yield "nobody-active", EliminationCase(arms, data, ()), ("empty",)
    twins = (arms[0], arms[0], arms[1])
    yield "inactive-twin-stays-out", EliminationCase(twins, data, (1, 2)), ("some-active",)
    yield "inactive-alone-fits", EliminationCase(arms, data, (1, 2)), ("some-active", "all-fall")
    yield "one-model-stays", EliminationCase(arms[:1], data, (0,)), ("k=1",)
    yield "one-model-falls", EliminationCase(arms[1:2], data, (0,)), ("k=1", "all-fall")
    yield "order-of-active", EliminationCase(arms, data, (2, 0, 1)), ()
    infinite = EliminationCase(arms, data, (0, 1, 2), single(math.inf))
    yield "infinite-errors", infinite, ("infinite-error",)


def _near_cases() -> Iterator[Named]:
    """Each test from both sides, just missed and just passed."""
    halves, exits = rewards_of((0, 0), HALF, 256), moves_of((1, 2), 256)
    ends = {
        "reward-above-model": (EliminationCase(_three_means(), halves, (0, 1)), 1, 1),
        "reward-below-model": (EliminationCase(_three_means(), halves, (0, 2)), 2, 1),
        "value-below-model": (
            EliminationCase(_likely(), moves_of(MOSTLY_SECOND, 256), (0, 1)),
            0,
            2,
        ),
        "value-above-model": (
            EliminationCase(_likely(), moves_of(MOSTLY_FIRST, 256), (0, 1)),
            1,
            2,
        ),
        "reward-deviation-above-model": (EliminationCase(_spread(), halves, (0, 1)), 1, 3),
        "reward-deviation-below-model": (
            EliminationCase(_spread(), rewards_of((0, 0), (0.5,), 256), (0, 1)),
            0,
            3,
        ),
        "value-deviation-above-model": (EliminationCase(_spread_moves(), exits, (0, 1)), 1, 4),
        "value-deviation-below-model": (
            EliminationCase(_spread_moves(), moves_of((3,), 256), (0, 1)),
            0,
            4,
        ),
    }
    for name, (case, theta, equation) in ends.items():
        yield f"{name}-falls", case.just_falling(theta, equation), ("near",)
        yield f"{name}-stays", case.just_staying(theta, equation), ("near",)


def _value_cases() -> Iterator[Named]:
    """Models whose own values are equal at all exits: only other values tell them from the data."""
    steep = hub(0.5, (0.875, 0.125, 0.0), STEEP)
    blind = hub(0.5, (0.125, 0.875, 0.0), FLAT)
    data = moves_of(MOSTLY_FIRST, 256)
    flags = ("other-values",)
    yield "blind-to-its-own-mean", EliminationCase((steep, blind), data, (0, 1)), flags
    yield "first-model-blind", EliminationCase((blind, steep), data, (0, 1)), flags
    yield "blind-and-alone", EliminationCase((steep, blind), data, (1,)), (*flags, "some-active")
    near = EliminationCase((steep, blind), data, (0, 1)).just_staying(1, 2)
    yield "width-of-the-value-tested", near, (*flags, "near")
    fits = hub(0.5, (0.875, 0.125, 0.0), FLAT)
    yield "third-value-decides", EliminationCase((fits, blind, steep), data, (0, 1, 2)), flags
    seen = hub(0.5, (0.125, 0.875, 0.0), STEEP)
    yield "own-value-decides", EliminationCase((seen, fits), data, (0, 1)), ()
    row = EliminationCase((blind, seen, blind, fits), data, (0, 1, 2, 3))
    yield "value-of-one-that-falls-too", row, (*flags, "twins")
    certain = hub(0.5, (0.0, 0.0, 1.0), STEEP)
    spread = hub(0.5, (0.5, 0.5, 0.0), FLAT)
    data = moves_of((3,), 256)
    fits = hub(0.5, (0.0, 0.0, 1.0), FLAT)
    third = EliminationCase((fits, spread, certain), data, (0, 1, 2))
    yield "third-deviation-decides", third, flags
    loud = hub(0.5, (0.5, 0.5, 0.0), STEEP)
    row = EliminationCase((spread, loud, spread, fits), data, (0, 1, 2, 3))
    yield "deviation-of-one-that-falls-too", row, (*flags, "twins")
    yield "blind-to-its-own-deviation", EliminationCase((certain, spread), data, (0, 1)), flags
    yield (
        "blind-deviation-alone",
        EliminationCase((certain, spread), data, (1,)),
        (*flags, "some-active"),
    )


def _error_cases() -> Iterator[Named]:
    """One of the four constants is zero and the others are large: only its own test can fail."""
    halves, exits = rewards_of((0, 0), HALF, 256), moves_of((1, 2), 256)
    cases = {
        "r": EliminationCase(_three_means(), halves, (0, 1)),
        "p": EliminationCase(_likely(), moves_of(MOSTLY_FIRST, 256), (0, 1)),
        "sigma_r": EliminationCase(_spread(), halves, (0, 1)),
        "sigma_p": EliminationCase(_spread_moves(), exits, (0, 1)),
    }
    for name, case in cases.items():
        large = ModelErrors(**{**vars(single(2.0)), name: 0.0})
        yield f"no-error-in-{name}", replace(case, errors=large), ("unlike-errors",)
    open_ended = only_error("r", math.inf)
    lost = replace(cases["r"], errors=open_ended)
    yield "infinite-reward-error", lost, ("infinite-error", "unlike-errors")


def between(right: EliminationCase, wrong: float, theta: int, equation: int) -> EliminationCase:
    """The error midway between the excess and what a slip would take for it."""
    return right.with_error((right.excess(theta, equation) + wrong) / 2)


def _slip_cases() -> Iterator[Named]:
    """The error lies between the right excess and a wrong one."""
    halves = rewards_of((0, 0), HALF, 128)
    near = ("near",)
    spread = EliminationCase(_spread(), halves, (0, 1))
    shrunk = spread.excess(1, 3) - 0.5 * (math.sqrt(128 / 127) - 1)
    yield "sample-variance-of-rewards", between(spread, shrunk, 1, 3), near
    paid = EliminationCase(_three_means(), halves, (0, 1))
    logarithm = math.log(8 * paid.n * (len(paid.models) + 1) / paid.delta)
    root = math.sqrt(2 * 32 / 127 * logarithm)
    wider = paid.excess(1, 1) - root * (1 / math.sqrt(127) - 1 / math.sqrt(128))
    yield "root-over-all-samples", between(paid, wider, 1, 1), near
    exits = EliminationCase(_spread_moves(), moves_of((1, 2), 256), (0, 1))
    shrunk = exits.excess(1, 4) - (math.sqrt(256 / 255) - 1)
    yield "sample-variance-of-values", between(exits, shrunk, 1, 4), near
    late = EliminationCase(_three_means(), (*rewards_of((0, 0), HALF, 200), (0, 0, 1.0, 0)), (0, 1))
    stale = replace(late, samples=late.samples[:-1])
    yield "last-sample-counts", between(late, stale.excess(1, 1), 1, 1), near
    crowd = (*_three_means(), bandit(0.5, 0.25), bandit(0.5, 0.75))
    alone = EliminationCase(crowd, rewards_of((0, 0), HALF, 256), (1,))
    fewer = replace(alone, models=crowd[1:2])
    yield "all-models-count", between(alone, fewer.excess(0, 1), 1, 1), ("near", "some-active")
    rich = EliminationCase(_three_means(), rewards_of((0, 0), HALF, 256), (0, 1), n=10**6)
    poor = replace(rich, n=257)
    yield "budget-counts", between(rich, poor.excess(1, 1), 1, 1), near
    small = EliminationCase(_three_means(), rewards_of((0, 0), HALF, 256), (0, 1), delta=0.001)
    yield "confidence-counts", small.just_staying(1, 1), near
    uneven = rewards_of((0, 0), (1.0, 1.0, 1.0, 0.0), 256)
    yield (
        "repeated-rewards-count",
        EliminationCase((bandit(0.5, 0.25), bandit(0.5, 0.75)), uneven, (0, 1)),
        (),
    )


def _two_pairs(at: tuple[int, int], then: tuple[int, int]) -> EliminationCase:
    """Two states and two actions; the models differ at (0, 1) and at (1, 0)."""
    stay = moves([0, 0], [1, 1])
    tables = ([[0.5, 1.0], [0.0, 0.5]], [[0.5, 0.0], [1.0, 0.5]])
    models = tuple(deterministic_rewards(stay, np.array(r), 0.5) for r in tables)
    paid = tables[0]
    first = rewards_of(at, (paid[at[0]][at[1]],), 128)
    second = rewards_of(then, (paid[then[0]][then[1]],), 128)
    return EliminationCase(models, (*first, *second), (0, 1))


def _pair_cases() -> Iterator[Named]:
    """Which pair a sample belongs to."""
    flags = ("zero-variance",)
    yield "first-pair-decides", _two_pairs((0, 1), (0, 0)), flags
    yield "last-pair-decides", _two_pairs((0, 0), (1, 0)), flags
    both = _two_pairs((0, 1), (1, 1))
    mixed = tuple(
        sample for two in zip(both.samples[:128], both.samples[128:], strict=True) for sample in two
    )
    yield "pairs-in-turn", replace(both, samples=mixed), flags
    third = _two_pairs((1, 0), (1, 1))
    yield "second-state", third, flags
    arms = (certain_bandit(0.5, 0.5, 0.0), certain_bandit(0.5, 0.5, 1.0))
    tail = (*rewards_of((0, 0), (0.5,), 256), (0, 1, 1.0, 0))
    yield "odd-sample-at-the-end", EliminationCase(arms, tail, (0, 1)), ("N<=1", "zero-variance")


def _discount_cases() -> Iterator[Named]:
    """Extreme discount factors."""
    exits = moves_of(MOSTLY_FIRST, 256)
    yield "gamma-0", EliminationCase(_likely(0.0), exits, (0, 1)), ("gamma=0",)
    yield (
        "gamma-0-near",
        EliminationCase(_likely(0.0), exits, (0, 1)).just_falling(1, 2),
        ("gamma=0", "near"),
    )
    yield "gamma-0.9999", EliminationCase(_likely(0.9999), exits, (0, 1)), ("gamma=0.9999",)
    few = EliminationCase(_likely(0.9999), moves_of(MOSTLY_FIRST, 24), (0, 1))
    yield "gamma-0.9999-few", few, ("gamma=0.9999",)
    halves = rewards_of((0, 0), HALF, 256)
    yield (
        "gamma-0.9999-rewards",
        EliminationCase(_three_means(0.9999), halves, (0, 1, 2)),
        ("gamma=0.9999",),
    )


def _logarithm_cases() -> Iterator[Named]:
    """The number of actions and the exact budget decide."""
    flags = ("near", "zero-variance")
    paid = rewards_of((0, 0), (1.0,), 40)
    arms = EliminationCase((bandit(0.5, 0.5, 0.5), bandit(0.5, 0.0625, 0.5)), paid, (0, 1))
    one_arm = replace(arms, models=_three_means()[:2])
    yield "actions-count", between(arms, one_arm.excess(1, 1), 1, 1), flags
    late = replace(one_arm, n=41)
    for name, n in (("no-pass-less", 40), ("no-pass-more", 42)):
        yield name, between(late, replace(late, n=n).excess(1, 1), 1, 1), flags


def _long_cases() -> Iterator[Named]:
    """The earliest of many samples still count."""
    flags = ("many-samples",)
    paid = (*rewards_of((0, 0), (1.0,), 100), *rewards_of((0, 0), HALF, 200))
    yield (
        "early-rewards-count",
        EliminationCase(_three_means(), paid, (0, 1)).just_falling(1, 1),
        flags,
    )
    moved = (*moves_of((1,), 100), *moves_of((1, 2), 200))
    yield "early-moves-count", EliminationCase(_likely(), moved, (0, 1)).just_falling(1, 2), flags
    paid = (*rewards_of((0, 0), (1.0,), 60), *rewards_of((0, 0), HALF, 540))
    first = EliminationCase(_three_means(), paid, (0, 1), n=1000).just_falling(1, 1)
    yield "earliest-rewards-count", first, flags
    moved = (*moves_of((1,), 60), *moves_of((1, 2), 540))
    first = EliminationCase(_likely(), moved, (0, 1), n=1000).just_falling(1, 2)
    yield "earliest-moves-count", first, flags


EDGE_CASES: tuple[Named, ...] = (
    *_quiet_cases(),
    *_near_cases(),
    *_value_cases(),
    *_error_cases(),
    *_slip_cases(),
    *_pair_cases(),
    *_discount_cases(),
    *_logarithm_cases(),
    *_long_cases(),
)
"""The same for every seed."""


def drawn_case(rng: np.random.Generator) -> EliminationCase:
    """Samples of the first of two or three drawn models, at random pairs."""
    k, S, A = (int(rng.integers(2, 4)), *(int(side) for side in rng.integers(1, 3, size=2)))
    gamma = float(rng.choice([0.0, 0.25, 0.5]))
    models = drawn_set("", rng, k, S, A, gamma).tasks
    source = Simulator(models[0], int(rng.integers(2**31)))
    samples = []
    for _ in range(int(rng.choice([50, 200, 500]))):
        s, a = int(rng.integers(S)), int(rng.integers(A))
        samples.append((s, a, *source.sample(s, a)))
    sizes = (rng.integers(0, 9, size=4) / 128).tolist()
    return EliminationCase(models, tuple(samples), tuple(range(k)), ModelErrors(*sizes), n=1000)
