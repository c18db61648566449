"""Exact probabilities of runs: held against the literal code, the engine, and planted rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
import pytest

from ptum.checks.claims.section_3_exact import promises, summary
from ptum.checks.claims.section_3_exact.doubles import (
    decided_otherwise,
    errors_in_doubles,
    in_doubles,
    literal_decision,
    models_in_doubles,
    other_decisions,
)
from ptum.checks.claims.section_3_exact.named import NAMED, WRONG_STD, arms, switch, switches
from ptum.checks.claims.section_3_exact.promises import problem_of, results_of
from ptum.checks.engine.problem import RunNumbers
from ptum.checks.engine.ptum import simulated_run
from ptum.checks.exact.intervals import log
from ptum.checks.exact.runs import chain, premises
from ptum.checks.exact.runs.chain import Ends, Key
from ptum.checks.exact.runs.comparisons import Count, reward_side
from ptum.checks.exact.runs.premises import LINES
from ptum.checks.exact.runs.problem import (
    RULES,
    ExactErrors,
    ExactProblem,
    VersionRule,
    decide,
    rewards_at,
    successors_at,
)
from ptum.checks.exact.runs.results import results
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import Outcome
from ptum.checks.verdicts.statistics import clopper_pearson
from ptum.reference.repaired.transfer.analysis.sample_complexity import (
    theorem_1_bound as repaired_theorem_1_bound,
)
from ptum.reference.repaired.transfer.ptum import ptum as repaired_ptum
from ptum.reference.transfer import confidence
from ptum.reference.transfer.analysis.sample_complexity import theorem_1_bound
from ptum.reference.transfer.empirical import Data, empirical_model, empty_data
from ptum.reference.transfer.ptum import End, PtumResult, ptum
from ptum.spec.vocabulary import Verdict, Version
from tests.support.closeness import near

PRINTED, REPAIRED = Version.PRINTED, Version.REPAIRED
ONE = Fraction(1)
QUICK = Context(Profile.QUICK, seed=0)
Masses = Mapping[tuple[Key, int], Fraction]
"""Probabilities by end, active set, policy and queries."""


# The literal code, on every sequence of samples


class TooRareError(Exception):
    """A sequence has more rare outcomes than are looked at."""


@dataclass
class Script:
    """A generative model that gives the next of all sequences of samples, each with its weight.

    `taken` are the outcomes of the present sequence, `left` those that are still to be tried at
    each place. Second outcomes count as rare, and a sequence with more than `most_rare` is cut.
    """

    problem: ExactProblem
    most_rare: int
    taken: list[tuple[int, int]] = field(default_factory=list)
    left: list[list[tuple[int, int]]] = field(default_factory=list)
    weight: Fraction = Fraction(1)
    place: int = 0

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """The outcome that the present sequence has here."""
        reward, state = (at(self.problem.task, (s, a)) for at in (rewards_at, successors_at))
        if self.place == len(self.taken):
            both = [(0, 1) if drawn.is_random else (0,) for drawn in (reward, state)]
            outcomes = [(i, j) for i in both[0] for j in both[1]]
            self.taken.append(outcomes[0])
            self.left.append(outcomes[1:])
        i, j = self.taken[self.place]
        for which, drawn in ((i, reward), (j, state)):
            self.weight *= drawn.second if which else 1 - drawn.second
        self.place += 1
        if sum(map(sum, self.taken[: self.place])) > self.most_rare:
            raise TooRareError
        values = (reward.first_value, reward.second_value)
        states = (state.first_value, state.second_value)
        return float(values[i]), int(states[j])

    def advance(self) -> bool:
        """Go to the next sequence; False after the last one."""
        while self.left and not self.left[-1]:
            self.left.pop()
            self.taken.pop()
        if not self.left:
            return False
        self.taken[-1] = self.left[-1].pop(0)
        self.weight, self.place = Fraction(1), 0
        return True


def enumerated(
    problem: ExactProblem, version: Version, most_rare: int = 10**9
) -> tuple[Masses, Fraction]:
    """All ends of the literal code with their probabilities, and that of what is too rare."""
    run: Callable[..., PtumResult] = ptum if version is PRINTED else repaired_ptum
    script, rare = Script(problem, most_rare), Fraction(0)
    inputs = {"epsilon": float(problem.epsilon), "delta": float(problem.delta), "n": problem.n}
    models, Delta = models_in_doubles(problem), errors_in_doubles(problem)
    found: dict[tuple[Key, int], Fraction] = {}
    while True:
        try:
            result = run(models, script, Delta=Delta, **inputs)
        except TooRareError:
            rare += script.weight
            del script.taken[script.place :], script.left[script.place :]
        else:
            at = (result.end, result.active, result.theta), result.queries
            found[at] = found.get(at, Fraction(0)) + script.weight
        if not script.advance():
            return found, rare


def same_masses(ends: Ends, masses: Masses, rare: Fraction = Fraction(0)) -> bool:
    """Whether every probability of the chain is that of the enumeration, but for rounding."""
    share = Fraction(ends.roundings, 2**53)
    places = {
        (key, queries): Fraction(float(mass[queries]))
        for key, mass in ends.mass.items()
        for queries in np.flatnonzero(mass).tolist()
    }
    return all(
        masses.get(at, Fraction(0)) * (1 - share)
        <= places.get(at, Fraction(0))
        <= (masses.get(at, Fraction(0)) + rare) * (1 + share)
        for at in {*places, *masses}
    )


@dataclass(frozen=True)
class Counts:
    """Samples of one pair: how many, and how many second rewards and second next states."""

    N: int = 0
    rewards: int = 0
    states: int = 0


State = tuple[tuple[int, ...], tuple[Counts, ...]]
"""The active set, and the counts of all pairs."""


def by_counts(problem: ExactProblem, version: Version) -> tuple[Masses, Fraction]:
    """Lines 5-21 of the literal code on every table of counts, each with its exact probability.

    Sequences with the same counts are one: the lines see their order through rounding alone, and
    `test_chain_is_the_literal_code_on_every_sequence` runs Algorithm 1 itself on sequences. What is
    less likely than 10⁻¹⁴ is not followed, and added up.
    """
    models, errors = models_in_doubles(problem), errors_in_doubles(problem)
    epsilon, delta, rule = float(problem.epsilon), float(problem.delta), RULES[version]
    pairs = list(problem.pairs)
    states: dict[State, Fraction] = {(tuple(range(problem.k)), (Counts(),) * len(pairs)): ONE}
    found: dict[tuple[Key, int], Fraction] = {}
    rare = Fraction(0)
    for queries in range(problem.n):
        later: dict[State, Fraction] = {}
        for (active, counts), mass in states.items():
            if mass < Fraction(1, 10**14):
                rare += mass
                continue
            hat = empirical_model(data_of(problem, counts), models.V_star)
            C = confidence.widths(hat, errors, models.gamma, problem.n, problem.k, delta)
            left, _ = confidence.confidence_set(active, hat, C, models)
            decision = literal_decision(
                left, models, epsilon, errors.Delta, rule.ends_on_zero_index
            )
            if decision.pair is None:
                assert decision.end is not None
                at = (decision.end, left, decision.theta), queries
                found[at] = found.get(at, Fraction(0)) + mass
                continue
            place = pairs.index(decision.pair)
            for i, j, weight in outcomes(problem, decision.pair):
                old = counts[place]
                new = Counts(old.N + 1, old.rewards + i, old.states + j)
                key = left, (*counts[:place], new, *counts[place + 1 :])
                later[key] = later.get(key, Fraction(0)) + mass * weight
        states = later
    for (active, _), mass in states.items():
        at = (End.BUDGET_EXHAUSTED, active, None), problem.n
        found[at] = found.get(at, Fraction(0)) + mass
    return found, rare


def outcomes(problem: ExactProblem, pair: tuple[int, int]) -> list[tuple[int, int, Fraction]]:
    """First or second reward, first or second next state, and how likely that is."""
    drawn = [at(problem.task, pair) for at in (rewards_at, successors_at)]
    of_one = [
        [(0, 1 - one.second), (1, one.second)] if one.is_random else [(0, ONE)] for one in drawn
    ]
    return [(i, j, p * q) for i, p in of_one[0] for j, q in of_one[1]]


def data_of(problem: ExactProblem, counts: tuple[Counts, ...]) -> Data:
    """Samples with these counts, first values first."""
    data = empty_data(problem.task.S, problem.task.A)
    for (s, a), count in zip(problem.pairs, counts, strict=True):
        reward, state = (at(problem.task, (s, a)) for at in (rewards_at, successors_at))
        for t in range(count.N):
            second_reward, second_state = t >= count.N - count.rewards, t >= count.N - count.states
            x = reward.second_value if second_reward else reward.first_value
            y = state.second_value if second_state else state.first_value
            data.store(s, a, float(x), int(y))
    return data


def two_states(*successes: str) -> ExactProblem:
    """Two states with certain rewards, models that differ in how often action 0 stays."""
    models = tuple(switch(success, "1", "0.5", bad="0") for success in successes)
    errors = ExactErrors(*[Fraction(0)] * 4)
    return ExactProblem(models, models, Fraction("0.02"), Fraction("0.9"), 60, errors)


SMALL: Mapping[str, ExactProblem] = {
    "one phase": arms("0", ("0.98", "0.5"), ("0.02", "0.5"), epsilon="0.1", delta="0.9", n=22),
    "then another pair": arms(
        "0",
        ("0.5", "0.01", "0.01"),
        ("0.5", "0.99", "0.01"),
        ("0.5", "0.01", "0.99"),
        epsilon="0.4",
        delta="0.9",
        n=50,
    ),
    "then the same pair": arms(
        "0",
        ("0.02", "0.5"),
        ("0.6", "0.5"),
        ("0.99", "0.5"),
        epsilon="0.02",
        delta="0.9",
        n=44,
    ),
    "next states": two_states("0.97", "0.03"),
}
"""By the phases that some runs have; budgets run out in some."""


@pytest.mark.parametrize("version", [PRINTED, REPAIRED])
@pytest.mark.parametrize("name", SMALL)
def test_chain_is_the_literal_code_on_all_counts(name: str, version: Version) -> None:
    problem = SMALL[name]
    assert not list(other_decisions(problem, version))
    ends = chain.run(problem, RULES[version])
    masses, rare = by_counts(problem, version)
    assert sum(masses.values()) + rare == 1
    assert rare < Fraction(1, 10**9)
    assert not ends.close
    assert same_masses(ends, masses, rare)
    assert {end for (end, _, _), _ in masses} >= {End.STOPPED, End.BUDGET_EXHAUSTED}
    likeliest = max(ends.mass, key=lambda key: float(ends.mass[key].sum()))
    ends.mass[likeliest] = ends.mass[likeliest] * (1 + 1e-6)
    assert not same_masses(ends, masses, rare)


@pytest.mark.parametrize("name", SMALL)
def test_small_problems_have_the_phases_of_their_names(name: str) -> None:
    problem, rule = SMALL[name], RULES[PRINTED]
    everything = tuple(range(problem.k))
    first = decide(problem, rule, everything).pair
    assert first is not None
    visit = chain.PairVisit(problem, rule, everything, first, problem.n - 1)
    shapes: list[tuple[int, ...]] = []
    while visit.horizon > visit.N and (visit.untouched() > 0 or visit.layers):
        visit.horizon, last = visit.N + 1, visit.horizon
        visit.run()
        visit.horizon = last
        shapes += [layer.mass.shape for layer in visit.layers.values()]
    elsewhere = {decide(problem, rule, left).pair for left in visit.left_by_time()}
    assert bool(elsewhere - {None}) == (name == "then another pair")
    assert bool(shapes) == ("the same pair" in name)
    assert (visit.sides[1].drawn.is_random) == ("next states" in name)


def test_chain_is_the_literal_code_on_every_sequence() -> None:
    """Sequences with at most one rare reward; the others are known to be rare together."""
    version = REPAIRED
    problem = arms("0", ("0.003", "0.5"), ("0.997", "0.5"), epsilon="0.4", delta="0.9", n=20)
    masses, rare = enumerated(problem, version, most_rare=1)
    assert sum(masses.values()) + rare == 1
    assert 0 < rare < Fraction(1, 500)
    ends = chain.run(problem, RULES[version])
    assert same_masses(ends, masses, rare)
    assert {end for (end, _, _), _ in masses} == {End.STOPPED, End.BUDGET_EXHAUSTED}
    wrong = chain.run(problem, replace(RULES[version], less=0))
    assert not same_masses(wrong, masses, rare)


# The engine


ALPHA = 1e-6
"""Of each interval below; sixteen of them are asked for."""


@pytest.mark.parametrize(
    ("name", "version", "runs"),
    [
        ("a budget that may not suffice", PRINTED, 400),
        ("three arms, each silent on a rival", PRINTED, 300),
        ("two arms, three models", REPAIRED, 300),
        ("wrong models, Δ at the repaired threshold", REPAIRED, 300),
        ("two states, wrong models", REPAIRED, 300),
        ("two states, three models that share rewards", PRINTED, 300),
        (WRONG_STD, PRINTED, 60),
    ],
)
def test_simulated_runs_agree(name: str, version: Version, runs: int) -> None:
    """P(at most a median number of queries) and P(the likeliest end) lie in exact intervals."""
    problem, rule = problem_of(name), RULES[version]
    ends = chain.run(problem, rule)
    key = max(ends.mass, key=lambda each: float(ends.mass[each].sum()))
    by_queries = np.zeros(problem.n + 1)
    for mass in ends.mass.values():
        by_queries[: mass.size] += mass
    median = int(np.searchsorted(np.cumsum(by_queries), 0.5))
    models, target = models_in_doubles(problem), in_doubles(problem.task)
    found = [
        simulated_run(
            models,
            target,
            seed,
            RunNumbers(
                epsilon=float(problem.epsilon),
                delta=float(problem.delta),
                n=problem.n,
                errors=errors_in_doubles(problem),
            ),
            end_on_zero_index=rule.ends_on_zero_index,
        )
        for seed in range(runs)
    ]
    early = sum(run.queries <= median for run in found)
    same = sum((run.end, run.active, run.theta) == key for run in found)
    for count, probability in (
        (early, float(by_queries[: median + 1].sum())),
        (same, float(ends.mass[key].sum())),
    ):
        low, high = clopper_pearson(count, runs, ALPHA)
        assert low <= probability * (1 + 1e-9)
        assert probability * (1 - 1e-9) <= high


# Planted rules


def _planted(version: Version, **parts: object) -> VersionRule:
    return replace(RULES[version], **parts)  # type: ignore[arg-type]


WRONG_RULES: Mapping[str, Mapping[str, object]] = {
    "N for N-1 in the widths": {"less": 0},
    "4 for 8 in the logarithm": {"log_mean": Fraction(4)},
    "8 for 4 in the logarithm": {"log_sigma": Fraction(8)},
    "no range term": {"range_term": Fraction(0)},
    "the target's test dropped": {"spared": (0,)},
}


@pytest.mark.parametrize("name", WRONG_RULES)
@pytest.mark.parametrize("version", [PRINTED, REPAIRED])
def test_planted_rules_change_the_numbers(name: str, version: Version) -> None:
    """Where rewards and next states are random, so that every width has its say."""
    problem = switches("0.5", ("0.8", "0.9"), ("0.2", "0.9"), epsilon="0.2")
    right = results(problem, version)
    wrong = results(problem, version, _planted(version, **WRONG_RULES[name]))
    differs = wrong.eliminated.low > right.eliminated.high
    differs |= wrong.eliminated.high < right.eliminated.low
    assert differs
    if name == "the target's test dropped":
        assert wrong.eliminated.low == 0
        assert wrong.eliminated.high < Fraction(1, 10**90)


SLOW_WIDTHS = {"range_term": Fraction(7 * 150, 3)}
UNFAIR = {"range_term": Fraction(0), "spared": (1,)}
"""A rival that is never tested, and a target that is tested too strictly."""
EQUALITY = "wrong models, Δ at the repaired threshold"
SHORT = "a budget that may not suffice"
REJECTED: tuple[tuple[Callable[..., Outcome], str, VersionRule], ...] = (
    (promises.covered, "two arms", _planted(PRINTED, range_term=Fraction(0))),
    (promises.covered_repaired, "two arms", _planted(REPAIRED, range_term=Fraction(0))),
    (promises.correct_repaired, SHORT, _planted(REPAIRED, **UNFAIR)),
    (promises.within_bound, "two arms", _planted(PRINTED, **SLOW_WIDTHS)),
    (promises.within_bound_repaired, "two arms", _planted(REPAIRED, **SLOW_WIDTHS)),
    (promises.within_bound_repaired, EQUALITY, _planted(REPAIRED, admits_equality=False)),
    (promises.within_bound_repaired, "ε = 0", _planted(REPAIRED, strict_line_14=True)),
    (promises.ensures_repaired, SHORT, _planted(REPAIRED, **UNFAIR)),
)


@pytest.mark.parametrize(("run", "name", "rule"), REJECTED)
def test_checks_reject_planted_rules(
    run: Callable[..., Outcome], name: str, rule: VersionRule, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(promises, "NAMED", tuple(each for each in NAMED if each.name == name))
    assert run(QUICK).verdict is Verdict.HOLDS
    assert run(QUICK, rule).verdict is Verdict.VIOLATED


def test_printed_promises_fail_where_the_errata_say() -> None:
    """And hold where the instance is mended."""
    hidden, covered = (each.name for each in NAMED if each.name.startswith("E02"))
    for name, verdict in ((hidden, Verdict.VIOLATED), (covered, Verdict.HOLDS)):
        found = results_of(name, PRINTED)
        assert promises.bad_policy(problem_of(name), found, PRINTED).verdict() is verdict
    found = results_of(hidden, REPAIRED)
    unmet = promises.bad_policy(problem_of(hidden), found, REPAIRED)
    assert unmet.verdict() is Verdict.ASSUMPTION_NOT_MET
    assert results_of(hidden, PRINTED).bad_policy.low > 1 - Fraction(1, 10**12)


def test_the_wrong_deviation_eliminates_the_target() -> None:
    """One run of four; in the repaired Assumption 1 the constants do not cover the error."""
    problem, found = problem_of(WRONG_STD), results_of(WRONG_STD, PRINTED)
    assert promises.survives(problem, found, LINES[PRINTED]).verdict() is Verdict.VIOLATED
    assert 2 * problem.delta < found.eliminated.low <= found.eliminated.high < 3 * problem.delta
    repaired = promises.survives(problem, found, LINES[REPAIRED])
    assert repaired.verdict() is Verdict.ASSUMPTION_NOT_MET


def test_no_information_below_the_printed_threshold() -> None:
    (name,) = (each.name for each in NAMED if each.name.startswith("E01"))
    printed, repaired = (results_of(name, version) for version in (PRINTED, REPAIRED))
    assert printed.fallback[End.BUDGET_EXHAUSTED].low > 1 - Fraction(1, 10**9)
    assert repaired.fallback[End.MODELS_TOO_INACCURATE].low > 1 - Fraction(1, 10**9)


def test_wrong_stop_of_the_ledger() -> None:
    """`algorithm-1.ensures` says 0.4⁴⁰."""
    found = results_of("a budget that suffices for a wrong stop alone", PRINTED).bad_policy
    assert found.low <= Fraction(2, 5) ** 40 <= found.high


# Named problems


def test_there_are_enough_named_problems_and_each_says_something() -> None:
    assert len(NAMED) >= 20
    assert len({each.name for each in NAMED}) == len(NAMED)
    problems = [each.build() for each in NAMED]
    assert {problem.k for problem in problems} == {2, 3}
    assert {problem.task.S for problem in problems} >= {1, 2}
    assert {float(problem.gamma) for problem in problems} >= {0.0, 0.5, 0.9}
    assert any(problem.errors.Delta > 0 for problem in problems)
    assert any(problem.target > 0 for problem in problems)


@pytest.mark.parametrize("version", [PRINTED, REPAIRED])
def test_bounds_are_those_of_the_reference(version: Version) -> None:
    of_reference = theorem_1_bound if version is PRINTED else repaired_theorem_1_bound
    for each in NAMED:
        problem = each.build()
        literal = of_reference(
            models_in_doubles(problem),
            target=problem.target,
            epsilon=float(problem.epsilon),
            delta=float(problem.delta),
            n=problem.n,
            Delta=float(problem.errors.Delta),
        ).bound
        exact = premises.bound(problem, version)
        assert literal == near(math.inf if exact is None else float(exact))


@pytest.mark.parametrize("version", [PRINTED, REPAIRED])
def test_the_literal_lines_decide_as_the_exact_ones(version: Version) -> None:
    for each in NAMED:
        assert not list(other_decisions(each.build(), version)), each.name


def test_lines_that_doubles_decide_otherwise_are_found() -> None:
    """A loss that exceeds the slack by 10⁻²⁰ is within the tolerance of the literal line 14."""
    problem = arms("0", ("0.9", "0.1"), ("0.1", "0.9"), epsilon="0.2")
    nearly = replace(problem, epsilon=Fraction("0.8") - Fraction(1, 10**20))
    assert [said.partition(":")[0] for said in other_decisions(nearly, PRINTED)] == [
        "active (0, 1)"
    ]
    at_line_2 = replace(problem, errors=ExactErrors(*[Fraction("0.05") - Fraction(1, 10**20)] * 4))
    assert next(other_decisions(at_line_2, PRINTED)) == "line 2"


def test_counts_that_doubles_decide_otherwise_are_found() -> None:
    """Δ puts a count 10⁻²⁵ on either side of its width: doubles are wrong about one of them."""
    problem = arms("0", ("0.9", "0.1"), ("0.1", "0.9"), epsilon="0.2", n=60)
    L = log(Fraction(8 * 2 * 60 * 3 * 10), 60)
    to_spare = abs(Fraction(1) - Fraction("0.1")) - L * Fraction(7, 3 * 29)
    wrong = []
    for side_of in (-1, 1):
        Delta = to_spare.low + Fraction(side_of, 10**25)
        errors = ExactErrors(Delta, Fraction(0), Fraction(0), Fraction(0))
        moved = replace(problem, errors=errors)
        side = reward_side(moved, RULES[PRINTED], (0, 0))
        close = side.refined(side.statistics[0], 1, 1, Count(30, 30))
        assert close.fails == (side_of < 0)
        wrong.append(decided_otherwise(moved, close))
    assert sorted(wrong) == [False, True]


# What is written down


def test_stored_rows_are_what_the_chain_gives() -> None:
    """Up to the last digits, which depend on how a machine adds."""
    stored = {(row.problem, row.version): row for row in summary.stored().rows}
    assert [*stored] == [(each.name, v.value) for each in NAMED for v in summary.VERSIONS]
    for (name, version), old in stored.items():
        new = summary.row(name, Version(version))
        ends = ("target_eliminated", "bad_policy", "too_many_queries", "expected_queries")
        for what in ends:
            (low, high), (least, most) = getattr(old, what), getattr(new, what)
            assert low <= most
            assert least <= high
        assert {**_plain(old, ends)} == {**_plain(new, ends)}


def _plain(row: summary.SummaryRow, ends: tuple[str, ...]) -> dict[str, object]:
    left_out = {*ends, "fallback", "nearest", "bound"}
    return {name: getattr(row, name) for name in row.__struct_fields__ if name not in left_out}


def test_card_has_every_promise_in_both_versions() -> None:
    found = {(one.promise, one.version): one for one in summary.card()}
    assert len(found) == 6
    never, optimal, within = summary.PROMISES
    assert {key: one.broken for key, one in found.items()} == {
        (never, "printed"): 1,
        (never, "repaired"): 0,
        (optimal, "printed"): 1,
        (optimal, "repaired"): 0,
        (within, "printed"): 0,
        (within, "repaired"): 0,
    }
    assert all(one.problems >= 20 for one in found.values())
    assert all(one.largest_kept < 1e-10 for one in found.values())
    assert found[optimal, "printed"].largest == 1


def test_numbers_are_shown_with_the_digits_that_both_ends_have() -> None:
    assert summary.shown((0.0, 0.0)) == "0"
    assert summary.shown((1.23456e-20, 1.23457e-20)) == "1.235e-20"
    assert summary.shown((1e-120, 1e-99)) == "< 1e-90"
    assert summary.shown((0.1, 0.2)) == "0.1 to 0.2"
