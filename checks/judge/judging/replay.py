"""Algorithm 1 beside a run of somebody else: the first step at which the two part.

A run is known by its queries with their answers, and by how it ended. Everything else follows: the
data decide the active set (line 12), the active set decides whether to stop (line 14) and which
pairs may be queried (line 18). Each reading of the paper is replayed on its own.

A comparison that rounding could turn (both sides within `FLOOR` of the scale of values) is
decided in favour of the run: it may keep or drop the model, stop or go on. (Where nothing is
rounded at all, `capabilities/ptum` looks at an equality in iteration 1.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress, product
from typing import TypeAlias

import numpy as np

from ptum.checks.engine.pair_path import path_of
from ptum.checks.judge.judging.items import (
    ELIMINATIONS,
    EMPTY_SET,
    INDEX,
    LARGER_SET,
    LINE_2,
    LINE_5,
    LINE_12,
    LINE_14,
    LINE_14_PLANNED,
    LINE_22,
    LINES_5_AND_18,
    NO_QUERY,
    SOME_TEST,
    Item,
    failed_test,
    line_14,
    of_reported_set,
    of_return,
    of_unknown_set,
)
from ptum.checks.judge.judging.options import ACTIVE, ALL, FOUR, SINGLE, THRESHOLD
from ptum.checks.judge.judging.readings import REPAIRED, Finding, Option, Reading, all_readings
from ptum.checks.judge.judging.tolerances import FLOOR
from ptum.checks.judge.messages.fields import MalformedError, in_json
from ptum.checks.judge.messages.transcript import Asked
from ptum.reference.arrays import Floats
from ptum.reference.errors import require
from ptum.reference.repaired.transfer import stopping as repaired_stopping
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.tasks.values import policy_value
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.confidence import (
    log_term,
    log_term_sigma,
    width_p,
    width_r,
    width_sigma_p,
    width_sigma_r,
)
from ptum.reference.transfer.information import CLOSE, CLOSEST, index, index_is_zero
from ptum.reference.transfer.ptum import End
from ptum.reference.transfer.stopping import (
    enters_transfer_mode,
    stopping_slack,
    transfer_threshold,
)

QUERY_ON, GIVE_UP = Option("D18", "query on"), Option("D18", "fall back")
UNUSED, USED = Option("D22", "last sample unused"), Option("D22", "last sample used")
WHOLE = Option("D25", "δ for the transfer phase")
HALF = Option("D25", "δ/2 for the transfer phase")

READINGS: tuple[Reading, ...] = all_readings(
    (THRESHOLD, REPAIRED),
    (FOUR, SINGLE),
    (ALL, ACTIVE),
    (QUERY_ON, GIVE_UP),
    (UNUSED, USED),
    (WHOLE, HALF),
)


@dataclass(frozen=True)
class InputLine:
    """The input line of Algorithm 1."""

    models: ApproximateModels
    errors: ModelErrors
    epsilon: float
    delta: float
    n: int

    @property
    def tolerance(self) -> float:
        """What rounding may decide."""
        return FLOOR / (1 - self.models.gamma)


OF_ELIMINATION = ("t", "theta", "equation", "s", "a", "theta_prime")
"""The fields of an elimination."""


@dataclass(frozen=True)
class Eliminated:
    """An elimination as the run reports it; only iteration and model are obligatory."""

    t: int
    theta: int
    test: TestName | None = None


@dataclass(frozen=True)
class Ending:
    """What the run returned; all but the policy is None where it does not say.

    `theta` is the model whose policy it is.
    """

    policy: tuple[int, ...] | None
    end: str | None = None
    eliminations: tuple[Eliminated, ...] | None = None
    theta: int | None = None


TestName: TypeAlias = tuple[int, int, int, int | None]
"""Equation, s, a, and θ' for equations (2) and (4)."""

OF_VALUES = (2, 4)
"""The equations that are tests with the value of a model θ'."""

NO_WIDTH = "widths are infinite with fewer than two samples of a pair, or an infinite error"


@dataclass(frozen=True, eq=False)
class WidthExcess:
    """By how much equations (1)-(4) are missed after each query, at the pair that was queried.

    `of_rewards[i, θ]` is the worse of (1) and (3), `of_values[i, θ, θ']` the worse of (2) and (4).
    """

    of_rewards: Floats
    of_values: Floats

    def worst(self, among: Sequence[int] | None) -> Floats:
        """The worst test of every model, with all θ' or those of one set."""
        values = self.of_values if among is None else self.of_values[:, :, list(among)]
        worst: Floats = np.maximum(self.of_rewards, values.max(axis=2))
        return worst


@dataclass
class ReplayedRun:
    """Everything about a run that does not depend on the reading."""

    inputs: InputLine
    queries: Sequence[Asked]
    ending: Ending
    _excess: dict[tuple[bool, bool], WidthExcess] = field(default_factory=dict)
    _index: dict[tuple[int, ...], Floats] = field(default_factory=dict)
    _tests: dict[tuple[bool, bool, int, int], list[tuple[TestName, float]]] = field(
        default_factory=dict
    )
    _worst: dict[tuple[bool, bool, tuple[int, ...] | None], Floats] = field(default_factory=dict)
    _good: dict[tuple[tuple[int, ...], int], tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse models and tests that do not exist."""
        models, ending = self.inputs.models, self.ending
        if ending.theta is not None:
            require_model(ending.theta, models.k, "theta")
        for eliminated in ending.eliminations or ():
            require_model(eliminated.theta, models.k, "an elimination names the model θ")
            if eliminated.test is not None:
                _require_test(eliminated.test, models.S, models.A, models.k)

    @property
    def last(self) -> int:
        """The iteration in which the run ends."""
        return len(self.queries) + 1

    def worst(self, reading: Reading, active: tuple[int, ...]) -> Floats:
        """Row t-2 is of iteration t: by how much each model misses its worst test."""
        among = active if ACTIVE in reading else None
        key = SINGLE in reading, HALF in reading, among
        if key not in self._worst:
            self._worst[key] = self._found(reading).worst(among)
        return self._worst[key]

    def _found(self, reading: Reading) -> WidthExcess:
        key = SINGLE in reading, HALF in reading
        if key not in self._excess:
            self._excess[key] = _excess(self.inputs, self.queries, *key)
        return self._excess[key]

    def tests(self, reading: Reading, t: int, theta: int) -> list[tuple[TestName, float]]:
        """The tests of one model in iteration t with what they are missed by, the worst first."""
        key = SINGLE in reading, HALF in reading, t, theta
        if key not in self._tests:
            self._tests[key] = self._test(*key)
        return self._tests[key]

    def _test(
        self, one_error: bool, halved: bool, t: int, theta: int
    ) -> list[tuple[TestName, float]]:
        s, a = self.queries[t - 2].s, self.queries[t - 2].a
        samples = [asked for asked in self.queries[: t - 1] if (asked.s, asked.a) == (s, a)]
        four = _four(self.inputs, samples, s, a, one_error, halved)
        found: list[tuple[TestName, float]] = []
        for equation, missed in four.items():
            row = np.atleast_1d(missed[-1, theta]).tolist()
            primes = range(len(row)) if equation in OF_VALUES else (None,)
            found += [((equation, s, a, prime), x) for prime, x in zip(primes, row, strict=True)]
        return sorted(found, key=lambda pair: -pair[1])

    def reported(self, t: int) -> dict[int, list[Eliminated]] | None:
        """The eliminations that the run reports of iteration t; None if it reports none at all.

        A model may be listed with every test that it fails.
        """
        if self.ending.eliminations is None:
            return None
        said: dict[int, list[Eliminated]] = {}
        for eliminated in self.ending.eliminations:
            if eliminated.t == t:
                said.setdefault(eliminated.theta, []).append(eliminated)
        return said

    def knowing(self, item: Item, t: int) -> Item:
        """Line 12 beside a line that depends on the active set, unless all are active until t."""
        if self.ending.eliminations is None:
            return of_unknown_set(item)
        fell = any(eliminated.t <= t for eliminated in self.ending.eliminations)
        uses_it = item in (LINE_14, LINE_14_PLANNED, INDEX, EMPTY_SET)
        return of_reported_set(item) if fell and uses_it else item

    def at_line_14(self, t: int) -> Item:
        """What a wrong stop breaks, or a stop that is missing; γ = 0 leaves nothing to plan."""
        return self.knowing(line_14(self.inputs.models.gamma), t)

    @cached_property
    def unreported(self) -> ReplayedRun:
        """The same run without its eliminations: judged by its queries and its end."""
        return replace(self, ending=replace(self.ending, eliminations=None))

    @property
    def gives_up_at_line_2(self) -> bool:
        """Whether it says so itself, and does nothing that contradicts it."""
        silent = not self.queries and self.ending.policy is None
        return silent and self.ending.end == End.MODELS_TOO_INACCURATE.value

    def index(self, active: tuple[int, ...]) -> Floats:
        """Lines 16-17: it depends on the active set alone."""
        if active not in self._index:
            self._index[active] = index(active, self.inputs.models, self.inputs.errors.Delta)
        return self._index[active]

    def good(self, active: tuple[int, ...], grace: int) -> tuple[int, ...]:
        """Line 14 with rounding counted in favour (1) or against (-1)."""
        if (active, grace) not in self._good:
            allowed = self._slack + grace * self.inputs.tolerance
            worst = self._worst_losses(active).items()
            self._good[active, grace] = tuple(theta for theta, loss in worst if loss <= allowed)
        return self._good[active, grace]

    def loss(self, active: tuple[int, ...]) -> str:
        """The policy that loses least in all active models, with what line 14 allows."""
        worst = self._worst_losses(active)
        theta = min(worst, key=worst.__getitem__)
        loss, slack = digits_apart(worst[theta], self._slack)
        return f"the policy of model {theta} loses {loss} at most, allowed is {slack}"

    def _worst_losses(self, active: tuple[int, ...]) -> dict[int, float]:
        """What the policy of every active model loses at most in any of them."""
        worst = self._losses[np.ix_(active, active)].max(axis=0, initial=-np.inf)
        return dict(zip(active, worst.tolist(), strict=True))

    @cached_property
    def _slack(self) -> float:
        inputs = self.inputs
        return stopping_slack(inputs.epsilon, inputs.errors.Delta, inputs.models.gamma)

    @cached_property
    def _losses(self) -> Floats:
        """What the policy of a model (column) loses in another (row)."""
        models = self.inputs.models
        losses: Floats = np.max(models.V_star[:, np.newaxis] - models.V_pi, axis=2)
        return losses

    @cached_property
    def owners(self) -> frozenset[int]:
        """The models of which the returned policy is optimal; any such policy is theirs (D17)."""
        models, policy = self.inputs.models, np.array(self.ending.policy or (), dtype=np.int64)
        if self.ending.policy is None:
            return frozenset()
        return frozenset(
            theta
            for theta, task in enumerate(models.tasks)
            if np.all(policy_value(task, policy) >= models.V_star[theta] - self.inputs.tolerance)
        )


def first_divergence(run: ReplayedRun, reading: Reading) -> Finding | None:
    """None if the run is one of Algorithm 1 in this reading, else the first step that is not.

    A run may be right and its list of eliminations wrong; the finding is then about the list.
    """
    finding = _replay(run, reading, _line_12)
    if finding is None or run.ending.eliminations is None:
        return finding
    expected = _right_but_for_its_report(run, reading)
    if expected is None:
        return finding
    if _replay(run, reading, _line_12_as_reported) is not None:
        return _misreported(run.ending.eliminations, expected) or finding
    # With the sets that it reports the run would have asked the same: they may be the true ones
    doubt = "says `eliminations`; queries and end are right"
    return replace(finding, got=f"{finding.got} ({doubt})")


def _right_but_for_its_report(run: ReplayedRun, reading: Reading) -> dict[int, int] | None:
    """When each model is eliminated, if queries and end are right; None if they are not."""
    fell: dict[int, int] = {}

    def noted(run: ReplayedRun, reading: Reading, t: int, active: tuple[int, ...]) -> After:
        wrong, sets = _line_12(run, reading, t, active)
        left = sets[:1]  # the set as computed, so that what fell is known
        fell.update((theta, t) for theta in active if left and theta not in left[0])
        return wrong, left

    return fell if _replay(run.unreported, reading, noted) is None else None


def _replay(run: ReplayedRun, reading: Reading, line_12: Line12) -> Finding | None:
    """Go through the iterations, with the active sets that `line_12` makes."""
    inputs, findings = run.inputs, list[Finding | None]()
    entered = line_2(inputs.errors.Delta, inputs.epsilon, inputs.models.gamma, reading)
    if True in entered and run.gives_up_at_line_2:
        findings.append(_should_enter(inputs, reading))
    elif True in entered:
        findings.append(_from_iteration(run, reading, line_12, 1, tuple(range(inputs.models.k))))
    if False in entered:
        findings.append(_line_2(run, reading) or _unexplained(run, 0))
    return None if None in findings else findings[0]


def _from_iteration(
    run: ReplayedRun, reading: Reading, line_12: Line12, t: int, active: tuple[int, ...]
) -> Finding | None:
    """The iterations from t on; of those before only the active set matters."""
    change = min(_next_change(run, reading, active, t), run.last)
    finding = _queries(run, reading, active, t, change)
    if finding:
        return finding
    if change == run.last == run.inputs.n + 1 and USED not in reading:
        finding = _must_end(run, End.BUDGET_EXHAUSTED, LINE_22, change)
        return finding or _unexplained(run, run.inputs.n)
    finding, sets = line_12(run, reading, change, active)
    if finding:
        return finding
    findings = [_after_line_12(run, reading, line_12, change, left) for left in sets]
    return None if None in findings else findings[0]


def _after_line_12(
    run: ReplayedRun, reading: Reading, line_12: Line12, t: int, active: tuple[int, ...]
) -> Finding | None:
    """The rest of iteration t with the models that line 12 leaves, and all iterations after it."""
    if t == run.last:
        return _end(run, reading, t, active) or _unexplained(run, t)
    finding = _queries(run, reading, active, t, t + 1)
    return finding or _from_iteration(run, reading, line_12, t + 1, active)


def _misreported(said: Sequence[Eliminated], right: Mapping[int, int]) -> Finding | None:
    """The first model, by iteration of its elimination, that the list gets wrong."""
    listed: dict[int, set[int]] = {}
    for eliminated in said:
        listed.setdefault(eliminated.theta, set()).add(eliminated.t)
    wrong = [theta for theta in {*listed, *right} if listed.get(theta) != {right.get(theta)}]
    if not wrong:
        return None
    theta = min(wrong, key=lambda one: (right.get(one, min(listed.get(one, {0}))), one))
    expected = f"`eliminations` does not name model {theta}, which is never eliminated"
    if theta in right:
        t = right[theta]
        counted = f"{t - 1} queries so far, and one"
        expected = f"`eliminations` names model {theta} with t = {t}: {counted}"
    times = sorted(listed.get(theta, ()))
    item = of_return(ELIMINATIONS) if len(times) > 1 else ELIMINATIONS
    got = " and again t = ".join(map(str, times[:2]))
    got = f"t = {got}" if times else f"`eliminations` does not name model {theta}"
    return Finding(item, f"model {theta}", expected, f"{got}; queries and end are right")


def _next_change(run: ReplayedRun, reading: Reading, active: tuple[int, ...], t: int) -> int:
    """The first iteration from t on in which line 12 may drop a model, or is said to."""
    said = [eliminated.t for eliminated in run.ending.eliminations or () if eliminated.t >= t]
    first = max(t, 2)
    close = run.worst(reading, active)[first - 2 :, list(active)] > -run.inputs.tolerance
    near: list[int] = (np.flatnonzero(close.any(axis=1))[:1] + first).tolist()
    return min(near + said + [run.last])


def _queries(
    run: ReplayedRun, reading: Reading, active: tuple[int, ...], first: int, end: int
) -> Finding | None:
    """The queries of iterations `first` to before `end`, all with one active set."""
    known: set[tuple[int, int]] = set()
    for t in range(first, end):
        asked = run.queries[t - 1]
        if t > run.inputs.n:
            expected = f"at most n = {run.inputs.n} queries"
            return Finding(LINE_5, f"iteration {t}", expected, f"{len(run.queries)} queries")
        if (asked.s, asked.a) in known:
            continue
        finding = _goes_on(run, reading, t, active, run.queries[t - 1 : end - 1])
        if finding:
            return finding
        known.add((asked.s, asked.a))
    return None


def _line_2(run: ReplayedRun, reading: Reading) -> Finding | None:
    """The models are too inaccurate: nothing is asked and nothing returned."""
    if run.queries:
        got = f"a query of ({run.queries[0].s},{run.queries[0].a})"
        expected = f"no transfer mode, so no query: {_compared(run.inputs, reading, '≥')}"
        return Finding(LINE_2, "iteration 1", expected, got)
    return _must_end(run, End.MODELS_TOO_INACCURATE, LINE_2, 1)


def _should_enter(inputs: InputLine, reading: Reading) -> Finding:
    """The transfer mode is expected."""
    expected = f"the transfer mode: {_compared(inputs, reading, '<')}"
    got = f"end {End.MODELS_TOO_INACCURATE.value!r}"
    return Finding(LINE_2, "iteration 1", expected, got)


def _compared(inputs: InputLine, reading: Reading, sign: str) -> str:
    """The two sides of line 2, with the sign between them."""
    rule = repaired_stopping.transfer_threshold if REPAIRED in reading else transfer_threshold
    threshold = rule(inputs.epsilon, inputs.models.gamma)
    return f"Δ = {inputs.errors.Delta:.9g} {sign} {threshold:.9g}, the threshold"


After: TypeAlias = tuple[Finding | None, Sequence[tuple[int, ...]]]
"""What is wrong with line 12 in an iteration, and the active sets that it may leave."""

Line12: TypeAlias = Callable[[ReplayedRun, Reading, int, tuple[int, ...]], After]


def _line_12(run: ReplayedRun, reading: Reading, t: int, active: tuple[int, ...]) -> After:
    """The active set after the tests of iteration t, held against what the run reports of it.

    There are several where rounding decides and nothing is reported.
    """
    said = run.reported(t)
    if t == 1:
        return (_stray(next(iter(said.values()))[0]) if said else None), [active]
    worst = run.worst(reading, active)[t - 2]
    if said is None:
        return None, sets_left(active, worst, run.inputs.tolerance)
    gone = [theta for theta in said if theta not in active]
    if gone:
        return _stray(said[gone[0]][0], again=True), []
    left = []
    for theta in active:
        unsure = abs(worst[theta]) <= run.inputs.tolerance
        falls = theta in said if unsure else bool(worst[theta] > 0)
        if falls is not (theta in said):
            return _wrong_set(run, reading, t, theta, active, falls), []
        for eliminated in said.get(theta, ()):
            finding = _wrong_reason(run, reading, eliminated)
            if finding:
                return finding, []
        if not falls:
            left.append(theta)
    return None, [tuple(left)]


MOST_UNSURE = 12
"""Tests of one iteration that rounding may turn; each doubles the number of sets to follow."""


def sets_left(active: tuple[int, ...], worst: Floats, tolerance: float) -> list[tuple[int, ...]]:
    """What line 12 may leave, the set as computed first; rounding may turn some of the tests."""
    unsure = int(np.sum(np.abs(worst[list(active)]) <= tolerance))
    problem = f"rounding decides about more than {MOST_UNSURE} of them in one iteration"
    require(unsure <= MOST_UNSURE, "models", problem, value=unsure)
    outcomes: list[tuple[bool, ...]] = []
    for theta in active:
        stays, unsure = bool(worst[theta] <= 0), bool(abs(worst[theta]) <= tolerance)
        outcomes.append((stays, not stays) if unsure else (stays,))
    return [tuple(compress(active, kept)) for kept in product(*outcomes)]


def _line_12_as_reported(
    run: ReplayedRun,
    reading: Reading,  # noqa: ARG001 - what the run reports is the same in all of them
    t: int,
    active: tuple[int, ...],
) -> After:
    """The active set as the run has it by its own account, right or not."""
    said = run.reported(t) or {}
    stray = [eliminated[0] for theta, eliminated in said.items() if theta not in active or t == 1]
    left = tuple(theta for theta in active if theta not in said)
    return (_stray(stray[0]) if stray else None), [left]


def _wrong_set(
    run: ReplayedRun, reading: Reading, t: int, theta: int, active: tuple[int, ...], falls: bool
) -> Finding:
    """A model that fails a test stays, or one that passes all of them falls."""
    values = active if ACTIVE in reading else range(run.inputs.models.k)
    tests = run.tests(reading, t, theta)
    test, missed = next(one for one in tests if one[0][-1] is None or one[0][-1] in values)
    if not falls:
        return _wrongly_dropped(run, t, theta, test, -missed)
    text = why_it_falls(theta, test, missed)
    return Finding(failed_test(test[0]), f"iteration {t}", text, f"model {theta} stays")


def _wrongly_dropped(
    run: ReplayedRun, t: int, theta: int, closest: TestName, spare: float
) -> Finding:
    """An equation is blamed only if the run itself names one."""
    blamed = (run.reported(t) or {})[theta][0].test
    item, got = SOME_TEST, f"model {theta} is eliminated"
    if blamed is not None:
        item, got = failed_test(blamed[0]), f"{got} by {_name(blamed)}"
    return Finding(item, f"iteration {t}", why_it_stays(theta, closest, spare), got)


def why_it_falls(theta: int, test: TestName, missed: float) -> str:
    """A model that line 12 drops, with the test that it misses most."""
    return f"model {theta} is eliminated: {_name(test)} is missed by {missed:.6g}"


def why_it_stays(theta: int, closest: TestName, spare: float) -> str:
    """A model that line 12 keeps; which test was thought to fail is not known."""
    if not np.isfinite(spare):
        return f"model {theta} stays: {NO_WIDTH}"
    near = f"the closest is {_name(closest)}, with {spare:.3g} to spare"
    return f"model {theta} passes all tests; {near}"


def _wrong_reason(run: ReplayedRun, reading: Reading, eliminated: Eliminated) -> Finding | None:
    if eliminated.test is None:
        return None
    missed = dict(run.tests(reading, eliminated.t, eliminated.theta)).get(eliminated.test, -np.inf)
    if missed > -run.inputs.tolerance:
        return None
    got = f"model {eliminated.theta} is eliminated by {_name(eliminated.test)}"
    return Finding(
        failed_test(eliminated.test[0]),
        f"iteration {eliminated.t}",
        "a test that fails in this iteration",
        got,
    )


def _stray(eliminated: Eliminated, *, again: bool = False) -> Finding:
    got = f"model {eliminated.theta} is eliminated{' again: it came back' if again else ''}"
    expected = "an elimination needs new data and an active model"
    return Finding(LINE_12, f"iteration {eliminated.t}", expected, got)


def _goes_on(
    run: ReplayedRun,
    reading: Reading,
    t: int,
    active: tuple[int, ...],
    alike: Sequence[Asked],
) -> Finding | None:
    """The run asks once more: it may, and for a pair of largest index.

    `alike` are its queries from iteration t on with the same active set.
    """

    def wrong(models: tuple[int, ...]) -> Finding | None:
        return _wrong_query(run, reading, t, models, alike)

    return _or_a_return(run, reading, t, active, wrong)


def _or_a_return(
    run: ReplayedRun,
    reading: Reading,
    t: int,
    active: tuple[int, ...],
    wrong: Callable[[tuple[int, ...]], Finding | None],
) -> Finding | None:
    """What is wrong with a step; and whether it would be right with a model eliminated before."""
    finding = wrong(active)
    if finding is None:
        return None
    for theta in _passing_again(run, reading, t, active):
        if wrong(tuple(sorted({*active, theta}))) is None:
            got = f"{finding.got}, as if model {theta} were active again: it passes all tests now"
            return replace(finding, item=of_return(finding.item), got=got)
    return finding


def _passing_again(
    run: ReplayedRun, reading: Reading, t: int, active: tuple[int, ...]
) -> Iterator[int]:
    """Models that failed a test before iteration t and pass now, at all pairs or at the last one.

    At the last one only if a query in between was not one with the model.
    """
    every = tuple(range(run.inputs.models.k))
    worst = run.worst(reading, every)[: t - 1]
    latest = list({(asked.s, asked.a): i for i, asked in enumerate(run.queries[: t - 1])}.values())

    def asked_without(theta: int) -> bool:
        fell = int(np.argmax(worst[:, theta] > 0)) + 1
        I_t = run.index(tuple(sorted({*active, theta})))
        return any(not _largest(I_t, asked) for asked in run.queries[fell : t - 1])

    for theta in every:
        if theta in active or not np.any(worst[:, theta] > 0) or worst[-1, theta] > 0:
            continue
        if np.all(worst[latest, theta] <= 0) or asked_without(theta):
            yield theta


def _wrong_query(
    run: ReplayedRun,
    reading: Reading,
    t: int,
    active: tuple[int, ...],
    alike: Sequence[Asked],
) -> Finding | None:
    asked = alike[0]
    got = f"a query of ({asked.s},{asked.a})"
    if not active:
        return Finding(
            run.knowing(EMPTY_SET, t), f"iteration {t}", "an end: no model is active", got
        )
    good = run.good(active, -1)
    if good:
        expected = f"a stop: {run.loss(active)}"
        return Finding(run.at_line_14(t), f"iteration {t}", expected, got)
    I_t = run.index(active)
    largest = float(I_t.max())
    if GIVE_UP in reading and index_is_zero(I_t):
        return Finding(run.knowing(INDEX, t), f"iteration {t}", "an end: every index is zero", got)
    if _largest(I_t, asked):
        return None
    s, a = np.unravel_index(int(I_t.argmax()), I_t.shape)
    best, index_there = digits_apart(largest, float(I_t[asked.s, asked.a]))
    expected = f"a query of ({int(s)},{int(a)}), index {best}"
    got += f", index {index_there}"
    item = LARGER_SET if _right_for_more(run, active, alike) else INDEX
    return Finding(run.knowing(item, t), f"iteration {t}, active {list(active)}", expected, got)


def _largest(I_t: Floats, asked: Asked) -> bool:
    """Whether the pair has the largest index, up to twice what the reference allows (D06)."""
    largest = float(I_t.max())
    close = 2 * min(CLOSE, CLOSEST * largest)
    return bool(I_t[asked.s, asked.a] >= largest * (1 - 2 * FLOOR) - close)


def _right_for_more(run: ReplayedRun, active: tuple[int, ...], alike: Sequence[Asked]) -> bool:
    """Whether the first query would be right if all models, or all but one, were still active.

    So would every other, of these or of the active models: one alone may be so by chance.
    """
    every = range(run.inputs.models.k)
    sets = {tuple(every), *(tuple(t for t in every if t in active or t != gone) for gone in every)}
    larger = [run.index(more) for more in sets if more != active]
    known = [run.index(active), *larger]
    return any(_largest(I_t, alike[0]) for I_t in larger) and all(
        any(_largest(I_t, asked) for I_t in known) for asked in alike
    )


def _end(run: ReplayedRun, reading: Reading, t: int, active: tuple[int, ...]) -> Finding | None:
    """The run asks no more: it stops with a good policy, or has a reason to give up."""

    def wrong(models: tuple[int, ...]) -> Finding | None:
        return _wrong_end(run, reading, t, models)

    return _or_a_return(run, reading, t, active, wrong)


def _wrong_end(
    run: ReplayedRun, reading: Reading, t: int, active: tuple[int, ...]
) -> Finding | None:
    if not active:
        return _must_end(run, End.ACTIVE_SET_EMPTY, run.knowing(EMPTY_SET, t), t)
    if run.ending.policy is not None:
        return _stopped(run, t, active)
    good = run.good(active, -1)
    if not good:
        if GIVE_UP in reading and float(run.index(active).max()) <= 2 * CLOSE:
            return _must_end(run, End.INDEX_ZERO, run.knowing(INDEX, t), t)
        if t - 1 == run.inputs.n:
            return _must_end(run, End.BUDGET_EXHAUSTED, LINE_22, t)
        return _too_early(run, t)
    expected = f"a stop: {run.loss(active)}"
    return Finding(run.at_line_14(t), f"iteration {t}", expected, "no policy")


def _too_early(run: ReplayedRun, t: int) -> Finding:
    """No policy, though there is something to ask, and time to ask it: what the run blames."""
    blamed = {
        End.BUDGET_EXHAUSTED.value: LINE_5,
        End.ACTIVE_SET_EMPTY.value: SOME_TEST,
        End.INDEX_ZERO.value: INDEX,
    }
    item = blamed.get(run.ending.end or "", LINES_5_AND_18 if run.queries else NO_QUERY)
    expected = f"one more query: {len(run.queries)} of n = {run.inputs.n} are made"
    return Finding(run.knowing(item, t), f"iteration {t}", expected, "an end without a policy")


def _stopped(run: ReplayedRun, t: int, active: tuple[int, ...]) -> Finding | None:
    """Line 14: the returned policy is that of an active model and good in all of them."""
    policy, item = list(run.ending.policy or ()), run.at_line_14(t)
    good = run.good(active, 1)
    if not good:
        expected = f"one more query: no policy is good in all of {list(active)}; {run.loss(active)}"
        return Finding(item, f"iteration {t}", expected, f"a stop with {policy}")
    owners = [theta for theta in good if theta in run.owners]
    if not owners:
        expected = f"an optimal policy of a model that passes: {_policies(run.inputs, good)}"
        return Finding(item, f"iteration {t}", expected, f"policy {policy}")
    item = run.knowing(LINE_14, t)
    if run.ending.theta not in (None, *owners):
        expected = f"a model that passes and has this policy: {_listed(owners)}"
        got = f"model {run.ending.theta} for policy {policy}"
        return Finding(item, f"iteration {t}, theta", expected, got)
    return _end_named(run, End.STOPPED, item, t)


def _policies(inputs: InputLine, models: Sequence[int]) -> str:
    """One optimal policy of each of these models; there may be others."""
    pi_star = inputs.models.pi_star
    return " or ".join(f"{pi_star[theta].tolist()} (model {theta})" for theta in models)


def digits_apart(one: float, other: float) -> tuple[str, str]:
    """Two numbers with as many digits as it takes to see which is larger."""
    for digits in (6, 9, 12):
        shown = f"{one:.{digits}g}", f"{other:.{digits}g}"
        if shown[0] != shown[1]:
            return shown
    return f"{one:.17g}", f"{other:.17g}"


def _listed(models: Sequence[int]) -> str:
    return " or ".join(map(str, models))


def _must_end(run: ReplayedRun, end: End, item: Item, t: int) -> Finding | None:
    if run.ending.policy is not None:
        got = f"the policy {list(run.ending.policy)}"
        return Finding(item, f"iteration {t}", f"no policy ({end.value})", got)
    if run.ending.theta is not None:
        got = f"model {run.ending.theta}"
        return Finding(item, f"iteration {t}, theta", f"null: no policy ({end.value})", got)
    return _end_named(run, end, item, t)


def _end_named(run: ReplayedRun, end: End, item: Item, t: int) -> Finding | None:
    if run.ending.end in (None, end.value):
        return None
    return Finding(item, f"iteration {t}", f"end {end.value!r}", f"end {run.ending.end!r}")


def _unexplained(run: ReplayedRun, last: int) -> Finding | None:
    """Eliminations of no iteration up to the last that comes to line 12."""
    said = run.ending.eliminations or ()
    stray = [eliminated for eliminated in said if not 1 <= eliminated.t <= last]
    return _stray(stray[0]) if stray else None


def line_2(Delta: float, epsilon: float, gamma: float, reading: Reading) -> frozenset[bool]:
    """Whether the transfer mode is entered; either is right where repaired sides are equal (D24).

    The repaired lemmas hold with < and with ≤; the printed line falls back at equality.
    """
    if REPAIRED not in reading:
        return frozenset({enters_transfer_mode(Delta, epsilon, gamma)})
    if Delta == repaired_stopping.transfer_threshold(epsilon, gamma):
        return frozenset({True, False})
    return frozenset({repaired_stopping.enters_transfer_mode(Delta, epsilon, gamma)})


def _excess(
    inputs: InputLine, queries: Sequence[Asked], one_error: bool, halved: bool
) -> WidthExcess:
    """Equations (1)-(4) after every query, pair by pair."""
    k, data = inputs.models.k, _by_pair(queries)
    of_rewards, of_values = np.zeros((len(queries), k)), np.zeros((len(queries), k, k))
    for (s, a), places in data.items():
        four = _four(inputs, [queries[place] for place in places], s, a, one_error, halved)
        of_rewards[places] = np.maximum(four[1], four[3])
        of_values[places] = np.maximum(four[2], four[4])
    return WidthExcess(of_rewards, of_values)


def _four(
    inputs: InputLine, samples: Sequence[Asked], s: int, a: int, one_error: bool, halved: bool
) -> dict[int, Floats]:
    """Distance minus width for each equation; rows are numbers of samples, then θ, then θ'."""
    models, gamma = inputs.models, inputs.models.gamma
    errors = single(inputs.errors.Delta) if one_error else inputs.errors
    delta = inputs.delta / 2 if halved else inputs.delta
    shape = models.S, models.A, inputs.n, models.k, delta
    L, L_sigma = log_term(*shape), log_term_sigma(*shape)
    rewards = np.array([sample.reward for sample in samples])
    hat = path_of(rewards, np.array([sample.successor for sample in samples]), models.V_star)
    N = hat.N[:, np.newaxis]
    r, sigma_r = hat.r[:, np.newaxis], hat.sigma_r[:, np.newaxis]
    V, sigma_p = hat.V[:, np.newaxis, :], hat.sigma_p[:, np.newaxis, :]
    means = models.p[:, s, a] @ models.V_star.T
    C_p = width_p(hat.sigma_p, N, L, gamma, errors.p)[:, np.newaxis, :]
    C_sigma_p = width_sigma_p(hat.N, L_sigma, gamma, errors.sigma_p)[:, np.newaxis, np.newaxis]
    return {
        1: np.abs(r - models.r[:, s, a]) - width_r(sigma_r, N, L, errors.r),
        2: np.abs(V - means) - C_p,
        3: np.abs(sigma_r - models.sigma_r[:, s, a]) - width_sigma_r(N, L_sigma, errors.sigma_r),
        4: np.abs(sigma_p - models.sigma_p[:, s, a]) - C_sigma_p,
    }


def _by_pair(queries: Sequence[Asked]) -> dict[tuple[int, int], list[int]]:
    """The places of the queries of every pair."""
    places: dict[tuple[int, int], list[int]] = {}
    for place, asked in enumerate(queries):
        places.setdefault((asked.s, asked.a), []).append(place)
    return places


def _name(test: TestName) -> str:
    equation, s, a, prime = test
    return f"equation ({equation}) at ({s},{a})" + ("" if prime is None else f" with θ' = {prime}")


def require_pairs(queries: Sequence[Asked], S: int, A: int) -> None:
    """Every query is one that the task can answer."""
    for number, asked in enumerate(queries, start=1):
        if not (0 <= asked.s < S and 0 <= asked.a < A and 0 <= asked.successor < S):
            raise MalformedError(f"query {number} is impossible: {asked.in_words}")
        if not 0 <= asked.reward <= 1:
            raise MalformedError(f"query {number} has a reward outside [0, 1]: {asked.in_words}")


def require_model(theta: int, k: int, what: str) -> None:
    """A label names one of the models."""
    if not 0 <= theta < k:
        raise MalformedError(f"{what} = {theta}; there are {k}")


def _require_test(test: TestName, S: int, A: int, k: int) -> None:
    """An elimination names one of equations (1)-(4), a pair of the task, and a model as θ'."""
    equation, s, a, prime = test
    if equation not in range(1, 5):
        raise MalformedError(f"an elimination names equation ({equation}); there are (1)-(4)")
    if not (0 <= s < S and 0 <= a < A):
        pair = f"state {s}, action {a}"
        raise MalformedError(f"an elimination names an impossible pair: {pair}; S = {S}, A = {A}")
    if prime is not None:
        require_model(prime, k, "an elimination names the model θ'")
    if (prime is None) is (equation in OF_VALUES):
        named = "no θ'" if prime is None else f"θ' = {prime}"
        raise MalformedError(f"an elimination names {named} with equation ({equation})")


def reported(eliminations: object) -> tuple[Eliminated, ...]:
    """The optional list of eliminations: objects with t, theta and perhaps the failed test."""
    if not isinstance(eliminations, list):
        raise MalformedError("eliminations must be a list")
    return tuple(map(_eliminated, eliminations))


def _eliminated(entry: object) -> Eliminated:
    """One elimination; null is as good as a missing field."""
    if not isinstance(entry, Mapping):
        raise MalformedError(f"an elimination is an object, not {in_json(entry)}")
    named = {name: entry[name] for name in OF_ELIMINATION if entry.get(name) is not None}
    if not {"t", "theta"} <= set(named):
        raise MalformedError(f"an elimination has at least t and theta, not {in_json(entry)}")
    if not all(isinstance(x, int) and not isinstance(x, bool) for x in named.values()):
        raise MalformedError(f"an elimination holds integers: {in_json(entry)}")
    t, theta = named["t"], named["theta"]
    if len(named) == 2:
        return Eliminated(t, theta)
    if not {"equation", "s", "a"} <= set(named):
        raise MalformedError(f"equation, s and a are named together: {in_json(entry)}")
    test = named["equation"], named["s"], named["a"], named.get("theta_prime")
    return Eliminated(t, theta, test)
