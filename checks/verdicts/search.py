"""Let Hypothesis look for an instance on which a claim fails.

Every search goes first through the attempts that are stored for its check, then through drawn
instances. In the deep profile half of the instances are not drawn blindly: Hypothesis is told how
close each one came to breaking the claim and looks for closer ones, and where an instance is a
vector of numbers a local optimiser starts from the closest. What comes out is the best attempt.

How close an instance came is observed/allowed of its conclusion. An equation, or a thing that must
exist, has no such number; there the check says itself what it measures, as a comparison `near`.
Two transcripts, or two counts, are equal or not, and no instance comes closer than another: such a
search aims at `Opportunities`, what could have differed, and its attempts have the ratio 0.
"""

from __future__ import annotations

import contextlib
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar, cast

from hypothesis import Phase, target
from hypothesis.strategies import SearchStrategy

from ptum.checks.verdicts import attempts
from ptum.checks.verdicts.attempts.codec import NoJsonError, decode, encode
from ptum.checks.verdicts.check import Context, Examples, Profile
from ptum.checks.verdicts.hypothesis_driver import AIM, draw_each
from ptum.checks.verdicts.outcome import (
    Attempt,
    Evaluation,
    Outcome,
    Statement,
    Values,
    closeness,
    largest_line,
    largest_tolerance,
    over_evaluations,
    verdict_without_violation,
    with_ratios,
)
from ptum.reference.arrays import Floats
from ptum.spec.vocabulary import Verdict

T = TypeVar("T")

Near: TypeAlias = Callable[[T], Statement]
"""A comparison whose observed/allowed says how close an instance comes; only that is used."""


@dataclass(frozen=True)
class Opportunities(Generic[T]):
    """How much of an instance could have differed; the more, the likelier would a mistake show."""

    told: str
    number: Callable[[T], int]


MOST_SHOWN = 2000
"""Letters of an instance that an explanation shows."""
CLIMBED = 400
"""Runs of the local optimiser, at most."""


@dataclass(frozen=True)
class Climb(Generic[T]):
    """How instances are vectors: `vector` of an instance, and the valid instance at any vector.

    `instance` also gets the instance where the climb began, from which it takes what stays.
    """

    vector: Callable[[T], Floats]
    instance: Callable[[Floats, T], T]


@dataclass(frozen=True)
class _Close:
    """How close an instance came: what is aimed at, what is reported, and the comparison."""

    score: float
    ratio: float
    told: str


@dataclass
class _Tally(Generic[T]):
    """What has been seen so far; Hypothesis calls back, so this must be mutable.

    `near` and `chances` are asked only while `measuring`: they may cost more than the evaluation.
    """

    evaluation: Callable[[T], Evaluation]
    near: Near[T] | None = None
    chances: Opportunities[T] | None = None
    measuring: bool = True
    tried: int = 0
    met: int = 0
    missed: Counter[str] = field(default_factory=Counter)
    replayed: list[float | None] = field(default_factory=list)
    violations: int = 0
    collecting: bool = False
    ratios: list[float] = field(default_factory=list)
    smallest: Evaluation | None = None
    instance: str = ""
    largest: Evaluation | None = None
    closest: tuple[_Close, T] | None = None
    deciding: Evaluation | None = None
    tolerance: float | None = None

    @property
    def bounded(self) -> bool:
        """Whether the conclusion itself says how close it is."""
        return self.near is None and self.chances is None

    @property
    def formed(self) -> tuple[Statement, ...]:
        """What names a formula in the smallest and the largest violation, else in the closest."""
        broken = [one for one in (self.smallest, self.largest) if one is not None]
        evaluations = broken or ([] if self.deciding is None else [self.deciding])
        return tuple(dict.fromkeys(one for evaluation in evaluations for one in evaluation.formed))

    def see(self, instance: T, evaluation: Evaluation) -> _Close | None:
        """Remember how close this instance comes to breaking the claim, and whether it does."""
        verdict = evaluation.verdict()
        if verdict is Verdict.ASSUMPTION_NOT_MET:
            return None
        self.tolerance = largest_tolerance([evaluation], self.tolerance)
        if self.deciding is None or closeness(evaluation) > closeness(self.deciding):
            self.deciding = evaluation
        observed = evaluation.conclusion.ratio
        if observed is not None and self.collecting:
            self.ratios.append(observed)
        close = self._measure(instance, evaluation)
        if verdict is Verdict.VIOLATED:
            self.collecting = False  # what follows is shrinking
            self.violations += 1
            self.smallest, self.instance = evaluation, shown(instance)
            if (
                self.largest is None
                or evaluation.conclusion.margin > self.largest.conclusion.margin
            ):
                self.largest = evaluation
        return close

    def _measure(self, instance: T, evaluation: Evaluation) -> _Close | None:
        """How close the instance comes, if that is known; the closest is kept."""
        if not self.bounded and not self.measuring:
            return None if self.chances is None else _Close(0.0, 0.0, "not counted")
        close = self._close(instance, evaluation)
        if close is not None and (self.closest is None or close.score > self.closest[0].score):
            self.closest = close, instance
        return close

    def _close(self, instance: T, evaluation: Evaluation) -> _Close | None:
        if self.chances is not None:
            number = self.chances.number(instance)
            told = f"{evaluation.conclusion}; {self.chances.told}: {number}"
            return _Close(number, 0.0, told) if number > 0 else None
        compared = evaluation.conclusion if self.near is None else self.near(instance)
        ratio = compared.ratio
        return None if ratio is None else _Close(ratio, ratio, str(compared))


class StaleAttemptError(Exception):
    """A stored attempt that today's code cannot evaluate."""


class _FoundError(Exception):
    """Tells Hypothesis that the instance at hand is worth shrinking."""


def search(
    context: Context,
    strategy: SearchStrategy[T],
    evaluation: Callable[[T], Evaluation],
    examples: Examples,
    *,
    near: Near[T] | None = None,
    chances: Opportunities[T] | None = None,
    climb: Climb[T] | None = None,
    name: str = "",
    tolerance: float | None = None,
) -> Outcome:
    """Evaluate as many drawn instances as the profile has `examples`.

    `holds` when no instance violates the claim and at least one in ten meets its premises; a
    search that hardly ever or never gets to the conclusion is `inconclusive`. A violation is
    shrunk; the smallest instance found is explained, beside the largest violation seen on the
    way. Where the conclusion bounds nothing, `near` is asked about stored attempts and in the deep
    profile, `chances` in the deep profile alone. A check that searches more than once gives each
    search a `name`. The tolerance reported is the largest of the conclusions; `tolerance` is what
    evaluations allow for in their own numbers.
    """
    tally = _Tally(evaluation, near, chances, tolerance=tolerance)
    count = examples if isinstance(examples, int) else context.count(*examples)
    deep = context.profile is Profile.DEEP
    tally.measuring = deep or chances is None
    with contextlib.suppress(_FoundError):
        _evaluate_stored(context, tally, name)
        tally.measuring = deep
        _draw(context, strategy, count - count // 2 if deep else count, tally)
        if deep:
            _aim(context, strategy, count // 2, tally)
            _climb(climb, tally)
    outcome = _outcome(tally)
    return replace(outcome, best=_best(tally, name)) if deep else outcome


def listed(
    context: Context,
    instances: Sequence[T],
    evaluation: Callable[[T], Evaluation],
    told: str,
    *,
    near: Near[T] | None = None,
    name: str = "",
    tolerance: float | None = None,
) -> Outcome:
    """Evaluate a whole list, where there are no more instances than that.

    Verdict and tolerance are those of `over_evaluations`; as in a search, attempts come first and
    the deep profile keeps the closest.
    """
    tally = _Tally(evaluation, near, tolerance=tolerance)
    with contextlib.suppress(_FoundError):
        _evaluate_stored(context, tally, name)
    if tally.violations:
        return _outcome(tally)
    evaluations = [evaluation(instance) for instance in instances]
    outcome = over_evaluations(evaluations, told, tolerance)
    if tally.replayed:
        explanation = (*outcome.explanation, _replayed_line(tally))
        outcome = replace(outcome, replayed=tuple(tally.replayed), explanation=explanation)
    if context.profile is not Profile.DEEP:
        return outcome
    for instance, found in zip(instances, evaluations, strict=True):
        tally.see(instance, found)
    best = _best(tally, name)
    return outcome if best is None else replace(outcome, best=replace(best, whole=True))


def _evaluate_stored(context: Context, tally: _Tally[T], name: str) -> None:
    """What came close once is looked at again, before anything else."""
    for attempt in attempts.stored(context.check) if context.check else ():
        if attempt.search == name:
            close = _replayed(context.check, attempt, tally)
            tally.replayed.append(None if close is None else close.ratio)
    if tally.violations:
        tally.tried = tally.met = len(tally.replayed)
        raise _FoundError


def _replayed(check: str, attempt: attempts.Stored, tally: _Tally[T]) -> _Close | None:
    try:
        instance = cast("T", decode(bytes(attempt.instance).decode()))
        return tally.see(instance, tally.evaluation(instance))
    except Exception as reason:  # whatever it is, the file and today's code do not fit
        again = f"`python -m ptum.checks.suite.attempts {check} --fresh` makes a new one"
        raise StaleAttemptError(f"the stored attempt does not fit: {reason!r}; {again}") from reason


def _draw(context: Context, strategy: SearchStrategy[T], examples: int, tally: _Tally[T]) -> None:
    """Drawn blindly, so that the ratios are those of the family."""
    tally.collecting = True
    draw_each(context.seed, strategy, lambda instance: _look(instance, tally), examples)
    tally.collecting = False


def _aim(context: Context, strategy: SearchStrategy[T], examples: int, tally: _Tally[T]) -> None:
    """Drawn towards instances that come closer to breaking the claim."""

    def look(instance: T) -> None:
        close = _look(instance, tally)
        if close is not None:
            target(math.log(close.score), label="closeness")

    if examples:
        draw_each(context.seed + 1, strategy, look, examples, (*AIM, Phase.shrink))


def _look(instance: T, tally: _Tally[T]) -> _Close | None:
    """Evaluate a drawn instance; a violation is raised, so that it is shrunk."""
    found = tally.evaluation(instance)
    close = tally.see(instance, found)
    verdict = found.verdict()
    tally.tried += 1
    tally.met += verdict is not Verdict.ASSUMPTION_NOT_MET
    tally.missed.update([p.text for p in found.premises if not p.holds][:1])
    if verdict is Verdict.VIOLATED:
        raise _FoundError
    return close


def _climb(climb: Climb[T] | None, tally: _Tally[T]) -> None:
    """From the closest instance uphill, without derivatives."""
    if climb is None or tally.closest is None:
        return
    _, start = tally.closest

    def distance(vector: Floats) -> float:
        instance = climb.instance(vector, start)
        close = tally.see(instance, tally.evaluation(instance))
        return math.inf if close is None else -math.log(close.score)

    from scipy.optimize import minimize  # here, because it takes long to load

    minimize(distance, climb.vector(start), method="Nelder-Mead", options={"maxfev": CLIMBED})


def _outcome(tally: _Tally[T]) -> Outcome:
    if tally.smallest is not None and tally.largest is not None:
        verdict = Verdict.VIOLATED
        explanation: tuple[str, ...] = (
            f"instance   {tally.instance}",
            *tally.smallest.lines(),
            largest_line(tally.largest),
            *tally.smallest.explanation(),
        )
    else:
        verdict = verdict_without_violation(tally.met, tally.tried)
        explanation = (f"{tally.met} of {tally.tried} drawn instances met the premises",)
        if verdict is Verdict.INCONCLUSIVE:
            explanation = (*explanation, *_missed_line(tally))
    if tally.replayed:
        explanation = (*explanation, _replayed_line(tally))
    outcome = with_ratios(
        Outcome(
            verdict=verdict,
            instances=tally.met,
            trials=tally.tried,
            violations=tally.violations,
            tolerance=tally.tolerance,
            replayed=tuple(tally.replayed),
            explanation=explanation,
            deciding=tally.formed,
        ),
        tally.ratios,
    )
    if tally.closest is None or not tally.bounded:
        return outcome
    return replace(outcome, worst_ratio=tally.closest[0].ratio)


def _missed_line(tally: _Tally[T]) -> tuple[str, ...]:
    """The premise at which most evaluations ended; nothing where nothing was drawn."""
    return tuple(
        f"most often the first not met ({times} times): {premise}"
        for premise, times in tally.missed.most_common(1)
    )


def _replayed_line(tally: _Tally[T]) -> str:
    return f"stored attempts evaluated first: {len(tally.replayed)}"


def _best(tally: _Tally[T], name: str) -> Attempt | None:
    """The attempt that came closest, written down if it can be."""
    if tally.closest is None:
        return None
    close, instance = tally.closest
    try:
        return Attempt(close.ratio, close.told, encode(instance), search=name)
    except NoJsonError as reason:
        return Attempt(close.ratio, close.told, None, reason=str(reason), search=name)


def shown(instance: object) -> str:
    """The instance with all its fields, also of tasks, on one line and not endless."""
    text = " ".join(_written(instance).split())
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]} …"


def _written(value: object) -> str:
    """As Python writes it, but dataclasses by all fields, whatever their `repr` leaves out."""
    if is_dataclass(value) and not isinstance(value, type):
        parts = (f"{f.name}={_written(getattr(value, f.name))}" for f in fields(value) if f.repr)
        return f"{type(value).__name__}({', '.join(parts)})"
    if type(value) in (tuple, list):
        inside = ", ".join(_written(item) for item in value)  # type: ignore[attr-defined]
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    return repr(value)


# Claims about roots of rational numbers, decided without ever taking a root


def in_squares(x: Fraction, y: Fraction, z: Fraction) -> tuple[Fraction, Fraction]:
    """max(x+y-z, 0)² and 4xy, which compare as x + y - z and 2√(xy), so as |√x - √y| and √z."""
    return max(x + y - z, Fraction(0)) ** 2, 4 * x * y


@dataclass(frozen=True)
class RootCase:
    """The claim |√x - √y| ≤ √z about rational x, y, z ≥ 0, decided in squares.

    `formula` and `values` are those of its statement.
    """

    text: str
    premises: tuple[Statement, ...]
    x: Fraction
    y: Fraction
    z: Fraction
    formula: str | None = None
    values: Values = ()

    def evaluation(self) -> Evaluation:
        """Premises, and the conclusion without a root."""
        numbers = f"|√{float(self.x):.6g} - √{float(self.y):.6g}| ≤ √{float(self.z):.6g}"
        left, right = in_squares(self.x, self.y, self.z)
        text = f"{self.text}, {numbers}, as (x+y-z)² ≤ 4xy"
        statement = Statement(
            text, left, "≤", right, self.formula, self.values, measured=self.sides()
        )
        return Evaluation(self.premises, statement)

    def sides(self) -> tuple[float, float]:
        """|√x - √y| and √z."""
        return abs(math.sqrt(self.x) - math.sqrt(self.y)), math.sqrt(self.z)

    def ratio(self) -> tuple[float, ...]:
        """Left side over right side, where both are positive."""
        left, right = self.sides()
        return (left / right,) if left > 0 and right > 0 else ()


def search_roots(
    context: Context,
    strategy: SearchStrategy[T],
    case: Callable[[T], RootCase],
    examples: Examples,
    climb: Climb[T] | None = None,
) -> Outcome:
    """`search` for claims about roots."""
    return search(context, strategy, lambda found: case(found).evaluation(), examples, climb=climb)
