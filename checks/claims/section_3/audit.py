"""Was a transcript made by Algorithm 1? Its invariants, from the events alone.

Nothing of `reference` is called: models are solved in rational arithmetic, statistics are summed
afresh, widths are written out again. Where two sides of a test are equal up to rounding either
answer is right. The rules:

* the first event is a start, the last a stop; iterations are numbered 1, 2, … and each has one
  query with one answer, so that the stop comes at one more than the number of queries;
* a model falls at most once, at a pair that has data, by a test that it fails; whoever fails a test
  falls: the active set shrinks when it must, and never grows;
* every query is the first pair of the largest index over the active set;
* the run stops in the first iteration in which an active model's policy is good in all of them,
  with the first such policy; otherwise it ends empty, after n queries, or before the first one.

The repaired algorithm has another threshold in line 2, and ends when every index is zero.

A broken rule comes with the formula of its line and the numbers of the iteration in which it is
broken.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial

import numpy as np

from ptum.checks.exact import mdp
from ptum.checks.exact.copies import exact_copy
from ptum.checks.exact.mdp import ExactMDP, Table
from ptum.checks.exact.numbers import a_number, max_of
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Formed
from ptum.reference.arrays import ROUNDING
from ptum.reference.tasks.mdp import MDP
from ptum.reference.transfer.transcript import (
    Elimination,
    Event,
    Query,
    Sample,
    Start,
    Stop,
)
from ptum.spec.vocabulary import Version

WIDTHS = {1: "WIDTH_R", 2: "WIDTH_P", 3: "WIDTH_SIGMA_R", 4: "WIDTH_SIGMA_P"}
"""Formulas of the widths in equations (1)-(4)."""

UNDECIDED = Fraction(1, 10**9)
"""In units of 1/(1-γ): differences below are decided by rounding.

Values are off by 12(S+2)(1/(1-γ) + 1)/(1-γ) roundings (`value_tolerance`), below 10⁻¹⁰ of these
units for S ≤ 10 and γ ≤ 0.999; what is made of two of them by no more than four times that.
"""


@dataclass(frozen=True)
class Rules:
    """What the inputs of a run decide before there is any data."""

    start: Start
    version: Version

    @cached_property
    def models(self) -> tuple[ExactMDP, ...]:
        """The approximate models as fractions."""
        gamma = self.start.gamma
        return tuple(
            exact_copy(MDP(np.array(m.p), np.array(m.q), np.array(m.u), gamma))
            for m in self.start.models
        )

    @property
    def gamma(self) -> Fraction:
        """Discount."""
        return Fraction(self.start.gamma)

    @cached_property
    def tolerance(self) -> Fraction:
        """Rounding of values and of whatever is made of them, in more states than ten too."""
        span = 1 / (1 - self.gamma)
        of_values = 4 * 12 * (self.models[0].S + 2) * (span + 1) * Fraction(ROUNDING)
        return max(UNDECIDED, of_values) * span

    def silent(self, active: Sequence[int]) -> bool:
        """No gap of active models exceeds 8Δ by more than rounding, counted twice (D18)."""
        S, span = self.models[0].S, 1 / (1 - self.gamma)
        twice = 4 * (S + 2) * (span + 1) * Fraction(ROUNDING)
        gap = mdp.largest_gap([self.models[theta] for theta in active])
        return gap <= 8 * Fraction(self.Delta) + twice

    @cached_property
    def Delta(self) -> float:
        """The largest of the four errors."""
        errors = self.start.errors
        return max_of(map(float, (errors.r, errors.p, errors.sigma_r, errors.sigma_p)))

    def enters(self) -> bool:
        """Line 2: Δ < ε(1-γ)/(4(1+γ)) as printed, Δ ≤ (1-γ)ε/(18(1+γ)) as repaired."""
        epsilon = Fraction(self.start.epsilon)
        if self.version is Version.PRINTED:
            return self.Delta < mdp.transfer_threshold(epsilon, self.gamma, mdp.PRINTED_FACTOR)
        return self.Delta <= mdp.transfer_threshold(epsilon, self.gamma, mdp.SHARP_FACTOR)

    @cached_property
    def policies(self) -> tuple[tuple[int, ...], ...]:
        """π̃*_θ: the lowest-numbered of the actions that are best up to rounding (D17)."""
        return tuple(self._policy(theta) for theta in self.models)

    def _policy(self, theta: ExactMDP) -> tuple[int, ...]:
        Q = mdp.action_values(theta, mdp.optimal_value(theta))
        small = UNDECIDED / 100
        return tuple(next(a for a, q in enumerate(row) if q >= max(row) - small) for row in Q)

    @cached_property
    def losses(self) -> Table:
        """[θ][θ']: how much the policy of θ loses in θ'."""
        return tuple(tuple(mdp.loss(m, pi) for m in self.models) for pi in self.policies)

    def good(self, active: Sequence[int], grace: int) -> list[int]:
        """Line 14 with the rounding counted in favour (1) or against (-1)."""
        slack = mdp.stopping_slack(Fraction(self.start.epsilon), Fraction(self.Delta), self.gamma)
        allowed = slack + grace * self.tolerance
        return [t for t in active if all(self.losses[t][prime] <= allowed for prime in active)]

    def index(self, active: Sequence[int]) -> dict[tuple[int, int], Fraction]:
        """Lines 16-17, in lexicographic order of the pairs."""
        chosen, Delta = [self.models[theta] for theta in active], Fraction(self.Delta)
        first = chosen[0]
        return {
            (s, a): max(
                mdp.information(theta, prime, s, a, Delta) for theta in chosen for prime in chosen
            )
            for s in range(first.S)
            for a in range(first.A)
        }

    def line_2(self) -> Formed:
        """Its threshold."""
        return formulas.threshold(self.start.epsilon, self.start.gamma, self.version)

    def line_14(self) -> Formed:
        """Its slack."""
        return formulas.slack(self.start.epsilon, self.Delta, self.start.gamma)


@dataclass(frozen=True)
class Broken:
    """A rule that a run breaks: the iteration and what is wrong, and the formula of the rule."""

    told: str
    formed: Formed


@dataclass(frozen=True)
class Tested:
    """One of equations (1)-(4) at a pair: by how much a distance exceeds its width."""

    equation: int
    theta_prime: int | None
    excess: float
    formed: Formed

    def __post_init__(self) -> None:
        a_number(self.excess, f"the excess in equation ({self.equation})")


@dataclass
class Books:
    """The state of a run while its events are read; complaints gather in `wrong`."""

    rules: Rules
    active: list[int]
    data: dict[tuple[int, int], list[tuple[float, int]]] = field(default_factory=dict)
    wrong: list[Broken] = field(default_factory=list)
    queries: int = 0
    fresh: tuple[int, int] | None = None
    tables: dict[tuple[int, ...], dict[tuple[int, int], Fraction]] = field(default_factory=dict)

    def index(self) -> dict[tuple[int, int], Fraction]:
        """The index depends on the active set alone."""
        key = tuple(self.active)
        if key not in self.tables:
            self.tables[key] = self.rules.index(key)
        return self.tables[key]

    def complain(self, what: str, formed: Formed | None = None) -> None:
        """Note a broken rule and the iteration; rules of counting have that of its number."""
        counted = formulas.pass_number(self.queries)
        self.wrong.append(Broken(f"iteration {self.queries + 1}: {what}", formed or counted))


def audit(events: Sequence[Event], version: Version = Version.PRINTED) -> tuple[Broken, ...]:
    """Every rule that the transcript breaks; none for a run of Algorithm 1."""
    start, *middle = events
    if not isinstance(start, Start) or not middle or not isinstance(middle[-1], Stop):
        text = "a transcript begins with a start and ends with a stop"
        return (Broken(text, formulas.pass_number(0)),)
    books = Books(Rules(start, version), list(range(len(start.models))))
    fallen: list[Elimination] = []
    position = 0
    while position < len(middle) - 1:
        event = middle[position]
        if isinstance(event, Elimination):
            fallen.append(event)
            position += 1
        elif isinstance(event, Query) and isinstance(middle[position + 1], Sample):
            _line_12(books, fallen)
            _line_18(books, event)
            _lines_19_20(books, event, middle[position + 1])
            fallen, position = [], position + 2
        else:
            books.complain(f"event {position + 1} is out of place: {event}")
            return tuple(books.wrong)
    _end(books, fallen, middle[-1])
    return tuple(books.wrong)


def _line_12(books: Books, fallen: Sequence[Elimination]) -> None:
    """Who is said to fall fails the test, and nobody who fails one stays."""
    for event in fallen:
        if event.t != books.queries + 1:
            books.complain(f"an elimination says iteration {event.t}")
        if event.theta not in books.active:
            books.complain(f"model {event.theta} falls but is not active")
            continue
        found = _named_test(books, event)
        if found is None or found.excess <= -float(books.rules.tolerance):
            text = f"model {event.theta} passes equation ({event.equation})"
            books.complain(text, found.formed if found else None)
        books.active.remove(event.theta)
    if books.fresh is not None:  # the tests of other pairs are those of an earlier iteration
        for theta in books.active:
            for test in _tests(books, theta, books.fresh):
                if test.excess > float(books.rules.tolerance):
                    text = f"fails equation ({test.equation}) by {test.excess:.3g}"
                    books.complain(f"model {theta} stays although it {text}", test.formed)


def _named_test(books: Books, event: Elimination) -> Tested | None:
    """The test that a model is said to have failed, if there was one."""
    tests = _tests(books, event.theta, (event.s, event.a))
    named = event.equation, event.theta_prime
    return next((test for test in tests if (test.equation, test.theta_prime) == named), None)


def _tests(books: Books, theta: int, pair: tuple[int, int]) -> Iterator[Tested]:
    """Equations (1)-(4) with the widths of Lemma 3."""
    samples = books.data.get(pair, [])
    N, (s, a), rules = len(samples), pair, books.rules
    if N < 2:
        return
    start, model = rules.start, rules.models[theta]
    k, S, A = len(rules.models), model.S, model.A
    L = math.log(8 * S * A * start.n * (k + 1) / start.delta)
    L_sigma = math.log(4 * S * A * start.n * (k + 1) / start.delta)
    span = 1 / (1 - start.gamma)
    of_means = 7 * L / (3 * (N - 1))
    of_deviations = math.sqrt(2 * L_sigma / (N - 1))
    mean, deviation = _mean_and_deviation([u for u, _ in samples])
    formed = partial(_width, rules, N)
    error = float(start.errors.r)
    excess = abs(mean - float(model.r[s][a])) - math.sqrt(2 * L / N) * deviation - of_means - error
    yield Tested(1, None, excess, formed(1, ("sigma_r_hat", deviation), ("Delta_r", error)))
    error = float(start.errors.sigma_r)
    excess = abs(deviation - math.sqrt(model.var[s][a])) - of_deviations - error
    yield Tested(3, None, excess, formed(3, ("Delta_sigma_r", error)))
    for prime, other in enumerate(rules.models):
        V = mdp.optimal_value(other)
        values = [float(v) for v in V]
        mean, deviation = _mean_and_deviation([values[successor] for _, successor in samples])
        error = float(start.errors.p)
        width = math.sqrt(2 * L / N) * deviation + of_means * span + error
        excess = abs(mean - float(mdp.inner(model.p[s][a], V))) - width
        yield Tested(2, prime, excess, formed(2, ("sigma_p_hat", deviation), ("Delta_p", error)))
        error = float(start.errors.sigma_p)
        deviation_of_model = math.sqrt(mdp.variance(model.p[s][a], V))
        excess = abs(deviation - deviation_of_model) - of_deviations * span - error
        yield Tested(4, prime, excess, formed(4, ("Delta_sigma_p", error)))


def _width(rules: Rules, N: int, equation: int, *more: tuple[str, float]) -> Formed:
    """The formula of a width with its numbers."""
    start, model = rules.start, rules.models[0]
    sizes = (("S", model.S), ("A", model.A), ("n", start.n), ("k", len(rules.models)))
    values = (*sizes, ("delta", start.delta), ("gamma", start.gamma), ("N", N), *more)
    return formulas.APPENDIX_B + WIDTHS[equation], values


def _mean_and_deviation(numbers: Sequence[float]) -> tuple[float, float]:
    N = len(numbers)
    mean = math.fsum(numbers) / N
    return mean, math.sqrt(math.fsum((x - mean) ** 2 for x in numbers) / (N - 1))


def _line_18(books: Books, event: Query) -> None:
    """The run may not stop yet, and the query is the first pair of the largest index."""
    if event.t != books.queries + 1:
        books.complain(f"a query says iteration {event.t}")
    if books.queries >= books.rules.start.n:
        books.complain("the budget is spent")
    if not books.rules.enters():
        text = f"Δ = {books.rules.Delta:.6g} is too large for transfer mode"
        books.complain(text, books.rules.line_2())
    if not books.active:
        books.complain("no model is active")
        return
    if books.rules.good(books.active, -1):
        text = "a policy is good in all active models, and the run goes on"
        books.complain(text, books.rules.line_14())
    index = books.index()
    largest = max(index.values())
    if books.rules.version is Version.REPAIRED and largest == 0:
        books.complain("every index is zero, and the run goes on", _lines_16_17(largest))
    found = index.get((event.s, event.a), Fraction(-1))
    if found < largest * (1 - 2 * UNDECIDED) - UNDECIDED / 100:
        text = f"({event.s},{event.a}) does not have the largest index, {float(largest):.6g}"
        books.complain(text, _lines_16_17(found))
    earlier = [pair for pair, value in index.items() if value == largest]
    if earlier[0] < (event.s, event.a):
        text = f"{earlier[0]} has the largest index too and comes first"
        books.complain(text, _lines_16_17(largest))


def _lines_16_17(index: Fraction) -> Formed:
    """The index of a pair."""
    return formulas.TRANSFER + "INDEX", (("info", index),)


def _lines_19_20(books: Books, event: Query, answer: Event) -> None:
    if isinstance(answer, Sample):
        if answer.t != event.t:
            books.complain(f"an answer says iteration {answer.t}")
        pair = event.s, event.a
        books.data.setdefault(pair, []).append((answer.reward, answer.successor))
        books.fresh = pair
        books.queries += 1


def _end(books: Books, fallen: Sequence[Elimination], stop: Event) -> None:
    """The last iteration, or what follows the last one."""
    if not isinstance(stop, Stop):
        return
    if books.queries < books.rules.start.n:
        _line_12(books, fallen)
    elif fallen:  # after the query of iteration n only line 22 follows (D22)
        books.complain("models fall after the last iteration")
    if stop.t != books.queries + 1:
        books.complain(f"{books.queries} queries, but the stop says t = {stop.t}")
    if not _end_is_right(books, stop):
        text = f"the run may not end as {stop.end} with model {stop.theta}"
        books.complain(text, _rule_of_end(books, stop))


def _rule_of_end(books: Books, stop: Stop) -> Formed | None:
    """The formula that decides whether a run may end so; None where only counting does."""
    if not books.rules.enters() or stop.end == "models-too-inaccurate":
        return books.rules.line_2()
    if stop.end == "stopped":
        return books.rules.line_14()
    if stop.end == "index-zero" and books.active:
        return _lines_16_17(max(books.index().values()))
    return None


def _end_is_right(books: Books, stop: Stop) -> bool:
    rules, active = books.rules, books.active
    if not rules.enters():
        return stop.end == "models-too-inaccurate" and books.queries == 0
    if books.queries >= rules.start.n:
        return stop.end == "budget-exhausted" and bool(active)
    match stop.end:
        case "stopped":
            return _stop_is_right(books, stop)
        case "active-set-empty":
            return not active
        case "index-zero":
            repaired = rules.version is Version.REPAIRED and not rules.good(active, -1)
            return repaired and bool(active) and rules.silent(active)
        case _:
            return False


def _stop_is_right(books: Books, stop: Stop) -> bool:
    """θ is good with rounding in its favour, and nobody before it is good without."""
    rules, active = books.rules, books.active
    if stop.theta is None or stop.theta not in rules.good(active, 1):
        return False
    first = [theta for theta in rules.good(active, -1) if theta < stop.theta]
    return not first and stop.policy == rules.policies[stop.theta]
