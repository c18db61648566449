"""Checks of Section 2: each gives another verdict when the code or a number is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from ptum.checks.claims.section_2 import frequencies, rewards, task, values
from ptum.checks.claims.section_2.frequencies import Cell, judge
from ptum.checks.exact import mdp
from ptum.checks.exact.copies import exact_copy
from ptum.checks.instances.counterexamples.section_3_text import definition_1, generality
from ptum.checks.instances.counterexamples.section_3_text.generality import Doublings, Scaled
from ptum.checks.instances.families import tasks
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import Outcome
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import ROUNDING, Floats, Ints
from ptum.reference.errors import InputError
from ptum.reference.tasks.generative import GenerativeModel, Simulator
from ptum.reference.tasks.mdp import MDP, mean_reward, reward_std
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.tasks.values import policy_value
from ptum.spec.vocabulary import Verdict

QUICK = Context(Profile.QUICK, seed=1)
HALF = Fraction(1, 2)


@given(tasks.tasks())
def test_an_exact_copy_has_rows_that_sum_to_one_and_the_same_moments(theta: MDP) -> None:
    copy = exact_copy(theta)
    assert all(sum(row) == 1 for rows in copy.p for row in rows)
    few = 4 * len(theta.u) * ROUNDING  # sums over the rewards, all at most 1
    assert np.abs(np.array(copy.r, dtype=float) - mean_reward(theta)).max() <= few
    assert np.abs(np.array(copy.var, dtype=float) - reward_std(theta) ** 2).max() <= few


# Tasks


def take_anything(*_: object) -> object:
    return object()


def any_discount(tables: task.OfferedTables) -> MDP:
    return MDP(tables.p, tables.q, tables.u, 0.5)


def normalising(tables: task.OfferedTables) -> MDP:
    p = np.abs(tables.p) / np.maximum(np.abs(tables.p).sum(axis=-1, keepdims=True), 1e-9)
    return MDP(p, tables.q, tables.u, tables.gamma)


def only_positive(tables: task.OfferedTables) -> MDP:
    if tables.gamma == 0:
        raise InputError("gamma", "must be positive")
    return task.as_task(tables)


@pytest.mark.parametrize("wrong", [take_anything, any_discount, normalising, only_positive])
def test_tables_reject_other_ideas_of_a_task(wrong: task.Taker) -> None:
    found = search(QUICK, task.offers(), lambda t: task.task_evaluation(t, wrong), 20)
    assert found.verdict is Verdict.VIOLATED


@given(task.offers())
def test_spoiling_leaves_the_definition_more_often_than_not(
    offered: tuple[task.OfferedTables, ...],
) -> None:
    assert offered[0].is_task()
    assert sum(not tables.is_task() for tables in offered) >= 5


def test_sets_reject_a_builder_that_mixes_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task, "approximate_models", take_anything)
    assert task.shared_by_all(QUICK).verdict is Verdict.VIOLATED


# Values


def one_state(reward: Fraction, gamma: Fraction) -> values.PolicyOf:
    theta = mdp.deterministic([[[Fraction(1)]]], [[reward]], gamma)
    return values.PolicyOf(theta, (0,))


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        (Fraction(2), Verdict.HOLDS),
        (Fraction(1), Verdict.VIOLATED),
        (2 + Fraction(1, 10**9), Verdict.VIOLATED),
        (2 - Fraction(1, 10**9), Verdict.VIOLATED),
    ],
)
def test_a_series_of_sixty_terms_fixes_the_value(value: Fraction, verdict: Verdict) -> None:
    case = one_state(Fraction(1), HALF)
    assert values.series_evaluation(case, (value,)).verdict() is verdict


def test_the_partial_sum_of_a_constant_reward_is_geometric() -> None:
    case = one_state(Fraction(1), HALF)
    assert values.partial_sum(case, terms=3) == (Fraction(7, 4),)


def less_accurate(theta: MDP, pi: Ints) -> Floats:
    return policy_value(theta, pi) * (1 + 1e-9)


def undiscounted(theta: MDP, pi: Ints) -> Floats:
    return mean_reward(theta)[np.arange(theta.S), pi]


@pytest.mark.parametrize("wrong", [less_accurate, undiscounted])
def test_values_reject_wrong_solvers(wrong: Callable[[MDP, Ints], Floats]) -> None:
    assert values.value_reference(QUICK, wrong).verdict is Verdict.VIOLATED


def first_action(theta: MDP) -> Ints:
    return np.zeros(theta.S, dtype=np.int64)


def short_sighted(theta: MDP) -> Ints:
    best: Ints = mean_reward(theta).argmax(axis=1).astype(np.int64)
    return best


@pytest.mark.parametrize("wrong", [first_action, short_sighted])
def test_brute_force_rejects_policies_that_are_not_optimal(wrong: Callable[[MDP], Ints]) -> None:
    assert values.optimal_reference(QUICK, wrong).verdict is Verdict.VIOLATED


def test_two_policies_that_beat_each_other_refute_existence() -> None:
    one, zero = Fraction(1), Fraction(0)
    assert values.exists_evaluation([(one, zero), (zero, one)]).verdict() is Verdict.VIOLATED
    assert values.exists_evaluation([(one, one), (zero, one)]).verdict() is Verdict.HOLDS


def in_the_mean(models: ApproximateModels, epsilon: float) -> bool:
    return bool(np.mean(models.V_star[1] - models.V_pi[1, 0]) <= epsilon + 1e-9)


def strictly(models: ApproximateModels, epsilon: float) -> bool:
    return bool(np.max(models.V_star[1] - models.V_pi[1, 0]) < epsilon - 1e-9)


@pytest.mark.parametrize("wrong", [in_the_mean, strictly])
def test_accuracy_rejects_other_definitions(wrong: values.Judge) -> None:
    assert values.epsilon_optimal(QUICK, wrong).verdict is Verdict.VIOLATED


# The transition gap


def test_the_fork_has_its_numbers() -> None:
    fork = definition_1.fork()
    assert definition_1.gap(fork) == 2
    assert definition_1.change_of_return(fork) == 1
    assert definition_1.gap_meaning_proportional_evaluation(fork).verdict() is Verdict.HOLDS


def test_without_discount_the_return_does_not_change_at_all() -> None:
    fork = definition_1.fork(gamma=Fraction(0))
    assert definition_1.gap(fork) == 1
    assert definition_1.change_of_return(fork) == 0


def test_the_meaning_rejects_the_value_of_the_other_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_other_value(case: definition_1.ExchangedTransition) -> Fraction:
        V = mdp.optimal_value(case.theta_prime)
        own, other = (theta.p[case.s][case.a] for theta in (case.theta, case.theta_prime))
        return abs(mdp.inner(own, V) - mdp.inner(other, V))

    fork = definition_1.fork()
    poor = replace(fork.theta_prime, r=tuple((x / 2,) for (x,) in fork.theta_prime.r))
    case = replace(fork, theta_prime=poor)
    for evaluation in (
        definition_1.next_value_evaluation,
        definition_1.gap_meaning_proportional_evaluation,
    ):
        assert evaluation(case).verdict() is Verdict.HOLDS
        monkeypatch.setattr(definition_1, "gap", with_other_value)
        assert evaluation(case).verdict() is Verdict.VIOLATED
        monkeypatch.undo()


# Rewards


def test_an_unbounded_reward_leaves_every_interval() -> None:
    assert Doublings().outside(Fraction(0), Fraction(50)) == Fraction(1, 2**51)


def scaled(low: int, high: int) -> Scaled:
    theta = mdp.deterministic([[[Fraction(1)]] * 2], [[Fraction(-3), Fraction(5)]], HALF)
    return Scaled(theta, Fraction(low), Fraction(high), epsilon=Fraction(16))


def test_rescaling_needs_bounds_that_hold() -> None:
    for evaluation in (
        generality.affine_values_evaluation,
        generality.same_good_policies_evaluation,
    ):
        assert evaluation(scaled(-3, 5)).verdict() is Verdict.HOLDS
        assert evaluation(scaled(-2, 5)).verdict() is Verdict.ASSUMPTION_NOT_MET
        assert evaluation(scaled(-3, 4)).verdict() is Verdict.ASSUMPTION_NOT_MET
    assert generality.rescaled(scaled(-3, 5)).r == ((Fraction(0), Fraction(1)),)


def test_rescaling_rejects_a_forgotten_shift(monkeypatch: pytest.MonkeyPatch) -> None:
    def unshifted(case: Scaled) -> mdp.ExactMDP:
        r = tuple(tuple(x / case.unit for x in row) for row in case.task.r)
        return replace(case.task, r=r)

    monkeypatch.setattr(generality, "rescaled", unshifted)
    assert rewards.bounded_rewards(QUICK).verdict is Verdict.VIOLATED


def test_rescaling_rejects_an_accuracy_in_the_old_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Scaled, "unit", property(lambda case: 2 * (case.high - case.low)))
    monkeypatch.setattr(generality, "rescaled", _rescaled_rightly)
    assert rewards.bounded_repaired(QUICK).verdict is Verdict.VIOLATED


def _rescaled_rightly(case: Scaled) -> mdp.ExactMDP:
    unit = case.high - case.low
    return replace(
        case.task, r=tuple(tuple((x - case.low) / unit for x in row) for row in case.task.r)
    )


# Distributions


def test_cells_are_judged_by_their_intervals() -> None:
    assert judge([Cell("fair", 5040, 10_000, 0.5)]).verdict is Verdict.HOLDS
    assert judge([Cell("unfair", 6000, 10_000, 0.5)]).verdict is Verdict.VIOLATED
    assert judge([Cell("few", 5, 10, 0.5)]).verdict is Verdict.INCONCLUSIVE
    both = judge([Cell("fair", 5040, 10_000, 0.5), Cell("unfair", 6000, 10_000, 0.5)])
    assert both.violations == 1


class Dependent:
    """The next state is decided by the reward: marginals are right, but not independent."""

    def __init__(self, theta: MDP, seed: int) -> None:
        self._theta, self._rng = theta, np.random.default_rng(seed)

    def sample(self, s: int, a: int) -> tuple[float, int]:
        x = self._rng.random()
        reward = np.searchsorted(np.cumsum(self._theta.q[s, a]), x, side="right")
        successor = np.searchsorted(np.cumsum(self._theta.p[s, a]), x, side="right")
        return float(self._theta.u[reward]), int(successor)


class Repeated:
    """Every answer is given twice."""

    def __init__(self, theta: MDP, seed: int) -> None:
        self._simulator = Simulator(theta, seed)
        self._again: dict[tuple[int, int], tuple[float, int]] = {}

    def sample(self, s: int, a: int) -> tuple[float, int]:
        if (s, a) in self._again:
            return self._again.pop((s, a))
        self._again[s, a] = self._simulator.sample(s, a)
        return self._again[s, a]


class RepeatedRewards(Repeated):
    """Every reward is given twice, and next states are right."""

    def __init__(self, theta: MDP, seed: int) -> None:
        super().__init__(theta, seed)
        self._moves = Simulator(theta, seed + 1)

    def sample(self, s: int, a: int) -> tuple[float, int]:
        return super().sample(s, a)[0], self._moves.sample(s, a)[1]


class OtherPair(Simulator):
    """Answers for the next action."""

    def sample(self, s: int, a: int) -> tuple[float, int]:
        return super().sample(s, 1 - a)


class OneStream:
    """All pairs share their uniforms, one after the other at the same place."""

    def __init__(self, theta: MDP, seed: int) -> None:
        self._theta, self._seed = theta, seed
        self._streams: dict[tuple[int, int], np.random.Generator] = {}

    def sample(self, s: int, a: int) -> tuple[float, int]:
        rng = self._streams.setdefault((s, a), np.random.default_rng(self._seed))
        reward = np.searchsorted(np.cumsum(self._theta.q[s, a]), rng.random(), side="right")
        successor = np.searchsorted(np.cumsum(self._theta.p[s, a]), rng.random(), side="right")
        return float(self._theta.u[reward]), int(successor)


class OneState(Simulator):
    """Right but with one state, where rewards have the probabilities of their neighbours."""

    def __init__(self, theta: MDP, seed: int) -> None:
        q = np.roll(theta.q, 1, axis=2) if theta.S == 1 else theta.q
        super().__init__(replace(theta, q=q), seed)


@pytest.mark.parametrize(
    "wrong", [Dependent, Repeated, RepeatedRewards, OtherPair, OneStream, OneState]
)
def test_answers_reject_wrong_simulators(wrong: Callable[[MDP, int], GenerativeModel]) -> None:
    outcome: Outcome = frequencies.answers_of(wrong)(QUICK)
    assert outcome.verdict is Verdict.VIOLATED


def test_the_chain_rejects_rows_and_independent_tasks() -> None:
    def by_rows(T: Floats, rng: np.random.Generator, first: int) -> Ints:
        k, rows = len(T), (T.T + 1e-12) / (T.T + 1e-12).sum(axis=0)  # a row may be empty
        second = rng.choice(k, p=rows[:, first])
        return np.array([first, second, rng.choice(k, p=rows[:, second])])

    def forgetful(T: Floats, rng: np.random.Generator, first: int) -> Ints:
        return np.array([first, *rng.choice(len(T), size=2)])

    def never_stays_out(T: Floats, rng: np.random.Generator, first: int) -> Ints:
        """Right but where a step is impossible: the named chain has no such step."""
        smeared = np.where(T == 0, 0.3, T)
        return frequencies.by_reference(smeared / smeared.sum(axis=0), rng, first)

    assert frequencies.chain_of(never_stays_out)(QUICK).verdict is Verdict.VIOLATED
    assert frequencies.chain_of(by_rows)(QUICK).verdict is Verdict.VIOLATED
    assert frequencies.chain_of(forgetful)(QUICK).verdict is Verdict.VIOLATED
    assert frequencies.chain_of(frequencies.by_reference)(QUICK).verdict is Verdict.HOLDS
