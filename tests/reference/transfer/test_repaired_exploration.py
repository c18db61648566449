"""Proposition O's agents: fastest ways, what a query costs, and what they refuse."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import pytest

from ptum.checks.exact import mdp, travel
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.errors import InputError
from ptum.reference.repaired.transfer import exploration
from ptum.reference.repaired.transfer.exploration import (
    WalkedRun,
    deterministic_moves,
    fastest_way,
    optimistic_step,
    run_shared_moves,
    run_trusting,
    way_lengths,
)
from ptum.reference.repaired.transfer.ptum import ptum
from ptum.reference.tasks.generative import GenerativeModel, Simulator
from ptum.reference.tasks.mdp import MDP, deterministic_rewards
from ptum.reference.tasks.models import approximate_models
from ptum.reference.tasks.values import optimal_value, policy_value
from ptum.reference.transfer.empirical import Data, EmpiricalModel, empirical_model
from ptum.reference.transfer.ptum import End
from tests.support.closeness import near
from tests.support.oracles import Constant

GAMMA, EPSILON, DELTA, N = 0.5, 0.2, 0.1, 400


# Ways


def drawn_moves(seed: int) -> Floats:
    """Three states, two actions, eighths; every state is reached from every other."""
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(7, [1 / 3] * 3, size=(3, 2)).astype(np.float64)
    counts[np.arange(3), :, (np.arange(3) + 1) % 3] += 1
    p: Floats = counts / 8
    return p


@pytest.mark.parametrize("seed", range(20))
def test_fastest_ways_are_those_of_all_policies_listed(seed: int) -> None:
    """Against exact arithmetic, which lists them."""
    p = drawn_moves(seed)
    rows = [[[Fraction(x) for x in row] for row in rows] for rows in p.tolist()]
    task = mdp.deterministic(rows, [[Fraction(0)] * 2] * 3, Fraction(1, 2))
    for goal in range(3):
        exact = np.array([float(x) for x in travel.fastest(task, goal)[1]])
        found = fastest_way(p, goal)
        # The rounding that `fastest_way` allows for, once in x and once in what is no improvement.
        assert found.steps == pytest.approx(exact, abs=48 * ROUNDING * exact.max() ** 2)
        assert found.steps[goal] == 0


def test_a_detour_that_may_fail_is_not_taken() -> None:
    """From 0 to 2: action 0 arrives with probability 1/4 or stays, action 1 goes by 1, in two."""
    p = np.zeros((3, 2, 3))
    p[0, 0] = [0.75, 0.0, 0.25]
    p[0, 1, 1] = p[1, :, 2] = p[2, :, 0] = 1
    assert fastest_way(p, 2).steps.tolist() == [2.0, 1.0, 0.0]
    assert fastest_way(p, 2).policy[0] == 1
    p[0, 0] = [0.25, 0.0, 0.75]
    assert fastest_way(p, 2).steps == near([4 / 3, 1.0, 0.0])
    assert fastest_way(p, 2).policy[0] == 0


@pytest.mark.parametrize(("roundings", "action"), [(512, 0), (514, 1)])
def test_what_rounding_may_hide_is_no_improvement(roundings: int, action: int) -> None:
    """8Sε H² = 8·4·16 ε: from 3 an agent arrives with probability 1/4, so that H = 4.

    From 1, action 0 arrives with probability 1/2 or stays: 2 steps. Action 1, once and then action
    0, takes x = 512 ε or 514 ε less: 1/4 arrive, 1/2 + x go to 2 and arrive next, 1/4 - x stay.
    """
    x = roundings * ROUNDING
    p = np.zeros((4, 2, 4))
    p[0, :, 0] = p[2, :, 0] = 1
    p[1] = [[0.5, 0.5, 0, 0], [0.25, 0.25 - x, 0.5 + x, 0]]
    p[3] = [0.25, 0, 0, 0.75]
    found = fastest_way(p, 0)
    assert found.policy[1] == action
    assert found.steps[[0, 2, 3]].tolist() == [0.0, 1.0, 4.0]


@pytest.mark.parametrize("S", [2, 3])
def test_where_no_way_leads_the_diameter_is_infinite(S: int) -> None:
    """All states lead to the first; it is named, though others do not lead to the last either."""
    p = np.zeros((S, 1, S))
    p[:, 0, 0] = 1
    problem = rf"^p: no way leads from state 0 to {S - 1}: D is infinite"
    with pytest.raises(InputError, match=problem):
        fastest_way(p, S - 1)


def test_a_way_that_rounding_hides_is_refused() -> None:
    """Two states, 2^-k to the goal: 2^k steps, with a bound of 2^(k-48) on their relative error."""

    def steps(*chances: float) -> list[float]:
        p = np.array([[[1 - chance, chance] for chance in chances], [[0.0, 1.0]] * len(chances)])
        return [float(x) for x in fastest_way(p, 1).steps]

    assert steps(2.0**-47) == [2.0**47, 0.0]
    for chance in (2.0**-47 - 2.0**-53, 1e-200):
        with pytest.raises(InputError, match=r"^p\[0\]: a way to state 1 is so long"):
            steps(chance)
        assert steps(chance, 0.5) == [2.0, 0.0], "nobody has to begin with the slow way"


def test_a_long_line_that_rounding_hides_is_refused() -> None:
    """From each of 14 states 2^-40 forward and else back to the first."""
    p = np.zeros((14, 1, 14))
    p[:, 0, 0] = 1 - 2.0**-40
    p[range(13), 0, range(1, 14)] = 2.0**-40
    p[13, 0, 0] = 1.0
    with pytest.raises(InputError, match="so long that rounding hides it"):
        fastest_way(p, 13)


def test_lengths_of_certain_ways() -> None:
    moves = np.array([[1, 0], [2, 0], [2, 2]])
    assert way_lengths(moves, 2).tolist() == [2, 1, 0]
    assert way_lengths(moves, 0).tolist() == [0, 1, math.inf]


# Agents


@dataclass
class OnlyHere:
    """A target that refuses to be asked anywhere but where the last answer led."""

    target: GenerativeModel
    state: int
    steps: int = 0

    def sample(self, s: int, a: int) -> tuple[float, int]:
        assert s == self.state
        self.steps += 1
        reward, self.state = self.target.sample(s, a)
        return reward, self.state


def ring(pays: int, gamma: float = GAMMA, states: int = 4) -> MDP:
    """A ring that is left by no action; in state 0 one action pays."""
    p, r = np.zeros((states, 2, states)), np.zeros((states, 2))
    for s in range(states):
        p[s, :, (s + 1) % states] = 1
    r[0, pays] = 1
    return deterministic_rewards(p, r, gamma)


def test_a_query_in_a_ring_costs_one_round() -> None:
    """D is 3: all but the first query come after three steps of walking."""
    models = approximate_models([ring(1), ring(0)])
    asked = ptum(
        models, Simulator(ring(1), 0), epsilon=EPSILON, delta=DELTA, n=N, Delta=0.0, fallback=None
    )
    for agent in (run_shared_moves, run_trusting):
        target = OnlyHere(Simulator(ring(1), 0), 2)
        found: WalkedRun = agent(
            models, target, start=2, epsilon=EPSILON, delta=DELTA, n=N, Delta=0.0
        )
        assert found.end is End.STOPPED
        assert found.active == (0,)
        assert found.queries == asked.queries
        assert found.steps == target.steps == 2 + 4 * (found.queries - 1) + 1
        assert found.policy is not None
        assert np.all(policy_value(ring(1), found.policy) >= optimal_value(ring(1)) - EPSILON)


def test_steps_are_as_expected_where_moves_are_random() -> None:
    """Two states; the pair is in 0, and a step comes back with probability 1/2: D = 2.

    Each query leaves 0 with probability 1/2, and then takes 2 steps of walking: 1 on average.
    """
    p = np.full((2, 2, 2), 0.5)
    models = approximate_models(
        [deterministic_rewards(p, np.array([row, [0.0, 0.0]]), GAMMA) for row in ([1, 0], [0, 1])]
    )
    runs = [
        run_shared_moves(
            models,
            OnlyHere(Simulator(models.tasks[0], seed), 0),
            start=0,
            epsilon=EPSILON,
            delta=DELTA,
            n=N,
            Delta=0.0,
        )
        for seed in range(20)
    ]
    queries, walked = runs[0].queries, [run.steps - run.queries for run in runs]
    assert {run.queries for run in runs} == {queries}
    # The walking steps before a query are 0 with probability 1/2, else geometric with mean 2:
    # mean 1, variance 2. So far is the mean of 20 runs at most but once in 100
    # (Chebyshev).
    far = 10 * math.sqrt(2 / (20 * (queries - 1)))
    assert abs(np.mean(walked) / (queries - 1) - 1) <= far < 0.6


def short_cut(promised: bool, pays: int) -> MDP:
    """x, w, g: from x by w to g; `promised`, action 1 of x leads to g at once, and else stays."""
    p, r = np.zeros((3, 2, 3)), np.ones((3, 2))
    p[0, 0, 1] = p[1, :, 2] = p[2, :, 0] = 1
    p[0, 1, 2 if promised else 0] = 1
    r[2] = [pays == 0, pays == 1]
    return deterministic_rewards(p, r, GAMMA)


def test_a_promised_short_cut_is_tried_once() -> None:
    """All three states have one value, so line 12 would never notice."""
    models = approximate_models([short_cut(False, 0), short_cut(True, 1)])
    target = OnlyHere(Simulator(models.tasks[0], 0), 0)
    found = run_trusting(models, target, start=0, epsilon=0.5, delta=DELTA, n=10**5, Delta=0.0)
    assert found.end is End.STOPPED
    assert (found.steps, found.queries) == (3 * found.queries + 1, found.queries)


def test_the_most_optimistic_trusted_model_is_followed() -> None:
    models = approximate_models([short_cut(False, 0), short_cut(True, 1)])
    moves = deterministic_moves(models)
    assert optimistic_step(moves, (0, 1), 0, 2) == 1
    assert optimistic_step(moves, (0,), 0, 2) == 0


def roundabout(promised: bool) -> MDP:
    """g = 0, x = 1, y = 2: g leads to x, x to y, and action 1 of y to g.

    `promised`, action 0 of y leads to g as well, and else back to x. Rewards differ only in g.
    """
    p, r = np.zeros((3, 2, 3)), np.ones((3, 2))
    p[0, :, 1] = p[1, :, 2] = p[2, 1, 0] = p[2, 0, 0 if promised else 1] = 1
    r[0] = [promised, not promised]
    return deterministic_rewards(p, r, GAMMA)


def test_a_broken_promise_of_a_lower_state_and_a_pair_that_is_walked_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """y is said to lead to g and leads back to x, so that x is left by action 0 a second time.

    With a budget of one sample of every pair, line 12 uses the first alone.
    """
    used: list[int] = []

    def watched(data: Data, V_star: Floats) -> EmpiricalModel:
        used.append(len(data.rewards[1][0]))
        return empirical_model(data, V_star)

    monkeypatch.setattr(exploration, "empirical_model", watched)
    models = approximate_models([roundabout(True), roundabout(False)])
    walked = Walked(Simulator(models.tasks[1], 0))
    found = run_trusting(models, walked, start=1, epsilon=0.5, delta=DELTA, n=1, Delta=0.0)
    assert walked.pairs[:4] == [(1, 0), (2, 0), (1, 0), (2, 1)]
    assert [s for s, _ in walked.pairs[4:]] == [0]
    assert (found.end, found.steps, found.queries) == (End.BUDGET_EXHAUSTED, 5, 1)
    assert used == [0, 1, 1, 1, 1, 1]


@dataclass
class Walked:
    """A target that keeps the pairs it was asked about, and has patience for five."""

    target: GenerativeModel
    pairs: list[tuple[int, int]] = field(default_factory=list)

    def sample(self, s: int, a: int) -> tuple[float, int]:
        self.pairs.append((s, a))
        assert len(self.pairs) <= 5
        return self.target.sample(s, a)


def test_of_two_models_that_stop_the_first_gives_the_policy() -> None:
    """An accuracy of 1/(1-γ) = 2 admits every policy."""
    for pays in (0, 1):
        models = approximate_models([ring(pays), ring(1 - pays)])
        found = run_trusting(
            models, Simulator(ring(1), 0), start=0, epsilon=2.0, delta=DELTA, n=9, Delta=0.0
        )
        assert found.policy is not None
        assert (found.end, found.steps, found.policy[0]) == (End.STOPPED, 0, pays)


def test_other_ends() -> None:
    models = approximate_models([ring(1), ring(0)])

    def end(Delta: float, n: int, true: MDP, epsilon: float = EPSILON) -> End:
        return run_trusting(
            models, Simulator(true, 0), start=0, epsilon=epsilon, delta=DELTA, n=n, Delta=Delta
        ).end

    assert end(1.0, 9, ring(1)) is End.MODELS_TOO_INACCURATE
    assert end(0.0, 9, ring(1)) is End.BUDGET_EXHAUSTED
    assert end(0.0, 9, ring(1), epsilon=2.0) is End.STOPPED
    half = deterministic_rewards(ring(1).p, np.full((4, 2), 0.5), GAMMA)
    assert end(0.0, N, half) is End.ACTIVE_SET_EMPTY


def test_numbers_of_any_type_make_the_same_run() -> None:
    """8SAn in sixteen bits would overflow, and a fraction has no logarithm."""
    models = approximate_models([short_cut(False, 0), short_cut(True, 1)])
    plain, other = (
        run_trusting(
            models,
            Simulator(models.tasks[0], 0),
            start=0,
            epsilon=0.25,
            Delta=0,
            **numbers,
        )
        for numbers in ({"delta": 0.125, "n": 4000}, {"delta": Fraction(1, 8), "n": np.int16(4000)})
    )
    assert (plain.end, plain.steps, plain.queries) == (other.end, other.steps, other.queries)


@pytest.mark.parametrize("towards", [0.0, 2.0])
def test_moves_are_shared_and_certain_to_the_last_digit(towards: float) -> None:
    """One rounding more or less is a distribution still, but another one."""
    p = np.array(ring(0).p)
    p[2, 1, 3] = np.nextafter(1.0, towards)
    near_by = deterministic_rewards(p, np.zeros((4, 2)), GAMMA)
    models = approximate_models([ring(0), near_by])
    with pytest.raises(InputError, match=r"^models\[1\]: must move as model 0 does"):
        run_shared_moves(
            models,
            Simulator(ring(0), 0),
            start=0,
            epsilon=EPSILON,
            delta=DELTA,
            n=N,
            Delta=0.0,
        )
    with pytest.raises(InputError, match=r"^models\[1, 2, 1\]: must move deterministically"):
        deterministic_moves(models)


def test_what_the_proposition_does_not_admit_is_refused() -> None:
    numbers = {"epsilon": EPSILON, "delta": DELTA, "n": N, "Delta": 0.0}
    two = approximate_models([short_cut(False, 0), short_cut(True, 1)])
    answers = Simulator(two.tasks[0], 0)
    with pytest.raises(InputError, match=r"^models\[1\]: must move as model 0 does"):
        run_shared_moves(two, answers, start=0, **numbers)  # type: ignore[arg-type]
    coins = approximate_models(
        [deterministic_rewards(np.full((2, 1, 2), 0.5), np.zeros((2, 1)), GAMMA)]
    )
    with pytest.raises(InputError, match=r"^models.*must move deterministically"):
        run_trusting(coins, answers, start=0, **numbers)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^target: moves from \(0, 0\) to 0 as no model does"):
        run_shared_moves(
            approximate_models([ring(0), ring(1)]),
            Constant(0.0, 0),  # never leaves, and is walked in for ever
            start=0,
            **numbers,  # type: ignore[arg-type]
        )
    for agent in (run_shared_moves, run_trusting):
        with pytest.raises(InputError, match=r"^models: must be made by approximate_models"):
            agent([ring(0)], answers, start=0, **numbers)  # type: ignore[arg-type]
        with pytest.raises(InputError, match=r"^start: must be a state below 4"):
            agent(
                approximate_models([ring(0)]),
                answers,
                start=4,
                **numbers,  # type: ignore[arg-type]
            )
        with pytest.raises(InputError, match=r"^target: the target has other sizes"):
            agent(
                approximate_models([ring(0)]),
                answers,
                start=0,
                **numbers,  # type: ignore[arg-type]
            )
        with pytest.raises(InputError, match=r"^target\.sample\(\d, \d\): the reward must lie"):
            agent(
                approximate_models([ring(0), ring(1)]),
                Constant(2.0, 0),
                start=0,
                **numbers,  # type: ignore[arg-type]
            )
    other = approximate_models([short_cut(True, 0), short_cut(True, 1)])
    with pytest.raises(InputError, match=r"^target: moves from \(0, 1\) to 0 as no trusted model"):
        run_trusting(other, answers, start=0, **numbers)  # type: ignore[arg-type]
