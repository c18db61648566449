"""What a check has to say: a verdict, the evidence for it, and its explanation."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from ptum.checks.exact.comparison import Comparison, Rounded
from ptum.checks.exact.numbers import Number, a_number, max_by, max_of
from ptum.spec import ledger
from ptum.spec.vocabulary import Verdict

Values: TypeAlias = tuple[tuple[str, Number], ...]
"""Symbols of a formula and their numbers."""
Formed: TypeAlias = tuple[str, Values]
"""The dotted name of a formula of the ledger, and numbers for its symbols."""
Looseness: TypeAlias = tuple[float, float, float, float, float]
"""Quantiles of bound/observed, at `QUANTILES`."""

QUANTILES = (0.0, 0.1, 0.5, 0.9, 1.0)

NOTHING_ROUNDED = 0.0
"""The tolerance of a comparison of two exact numbers: fractions, counts, or yes and no."""


@dataclass(frozen=True)
class Statement:
    """One comparison of two numbers, in words and with the numbers put in.

    `formula` is the dotted name of the formula of the ledger that the statement evaluates, and
    `values` are its symbols. What the code has for the formula is the right side, or what is
    allowed where something else is `measured`; `bound` where it is neither. The runner holds it
    equal to the formula (`checks/suite/printed`). `measured` holds observed and allowed where the
    numbers compared are not these but, say, their squares. `tolerance` is how far rounding may have
    moved the two sides against each other: a comparison that is missed by no more is kept. None
    says nothing of it.
    None of these numbers may be NaN: such a statement would be neither true nor false.
    """

    text: str
    left: Number
    sign: Comparison
    right: Number
    formula: str | None = None
    values: Values = ()
    measured: tuple[float, float] | None = None
    tolerance: float | None = None
    bound: Number | None = None

    def __post_init__(self) -> None:
        compared = (self.left, self.right, *(self.measured or ()), *dict(self.values).values())
        for value in (*compared, self.tolerance, self.bound):
            a_number(0 if value is None else value, self.text)

    @property
    def holds(self) -> bool:
        """Whether the comparison is true of the numbers, or false by rounding at most."""
        left, right = self.left, self.right
        if self.tolerance and math.isfinite(self.margin) and self.margin <= self.tolerance:
            return True
        match self.sign:
            case "<":
                return left < right
            case "≤":
                return left <= right
            case ">":
                return left > right
            case "≥":
                return left >= right
            case "=":
                return left == right

    @property
    def in_use(self) -> Number:
        """The number that the code has for the formula."""
        if self.bound is not None:
            return self.bound
        return self.right if self.measured is None else self.measured[1]

    @property
    def margin(self) -> float:
        """How far the two sides are apart; two equal infinities are not."""
        return 0.0 if self.left == self.right else abs(float(self.left) - float(self.right))

    @property
    def ratio(self) -> float | None:
        """Observed over allowed: at most one where a bound is kept.

        None where nothing is bounded: an equation, a count of things of which one must exist, or
        a side that is zero or infinite and so says nothing about tightness; nor do two sides that
        may both be rounding.
        """
        if self.sign == "=" or (self.sign in (">", "≥") and isinstance(self.right, int)):
            return None
        if self.measured is not None:
            observed, allowed = self.measured
        else:
            left, right = _as_float(self.left), _as_float(self.right)
            if self.tolerance and max_of((abs(left), abs(right))) <= self.tolerance:
                return None
            observed, allowed = (left, right) if self.sign in ("<", "≤") else (right, left)
        return observed / allowed if 0 < observed < math.inf and 0 < allowed < math.inf else None

    def formula_lines(self) -> tuple[str, ...]:
        """The formula of the ledger in symbols, and again with the numbers in it."""
        return () if self.formula is None else formula_lines(self.formula, self.values)

    def __str__(self) -> str:
        truth = "yes" if self.holds else "NO"
        return f"{self.text}: {_short(self.left)} {self.sign} {_short(self.right)} … {truth}"


def zero_but_for_rounding(text: str, off: float, allowed: float) -> Statement:
    """A difference that is zero on paper; what is measured is its share of the tolerance."""
    return Statement(text, off, "≤", 0.0, measured=(off, allowed), tolerance=allowed)


def formula_lines(dotted: str, values: Values) -> tuple[str, ...]:
    """A formula of the ledger in symbols, again with the numbers in it, and what they give."""
    from ptum.spec.algebra import evaluate, to_unicode, with_numbers  # sympy only when asked

    formula = ledger.formula(dotted)
    numbers = {name: _in_formula(value) for name, value in values}
    found: tuple[str, ...] = ()
    with suppress(KeyError, TypeError, ValueError, ArithmeticError):  # a condition, or a gap in it
        found = (f"right side {float(evaluate(formula, dict(values)).value):.6g}",)
    return (
        *_headed("formula", to_unicode(formula)),
        *_headed("numbers", with_numbers(formula, numbers)),
        *found,
    )


@dataclass(frozen=True)
class Evaluation:
    """The premises of a claim and its conclusion, all evaluated on one instance."""

    premises: tuple[Statement, ...]
    conclusion: Statement

    @property
    def formed(self) -> tuple[Statement, ...]:
        """The statements that name a formula."""
        return tuple(one for one in (*self.premises, self.conclusion) if one.formula is not None)

    def verdict(self) -> Verdict:
        """A conclusion counts only where every premise is met."""
        if not all(premise.holds for premise in self.premises):
            return Verdict.ASSUMPTION_NOT_MET
        return Verdict.HOLDS if self.conclusion.holds else Verdict.VIOLATED

    def lines(self) -> tuple[str, ...]:
        """The evaluation as text: premises, then the conclusion."""
        return (*premise_lines(self.premises), f"conclusion {self.conclusion}")

    def explanation(self) -> tuple[str, ...]:
        """By how much the conclusion is missed, and the formulas evaluated on the way to it."""
        ratio = self.conclusion.ratio
        times = "" if ratio is None else f", {ratio:.6g} times what is allowed"
        apart = self.conclusion.margin
        equal = " (both sides are equal)" if apart == 0 else ""
        margin = f"margin     {apart:.6g}{times or equal}"
        concluded = self.conclusion.formula_lines()
        assumed = {premise.formula_lines(): premise for premise in reversed(self.premises)}
        told = [
            (f"of         the premise, {premise.text}", *lines)
            for lines, premise in reversed(assumed.items())
            if lines and lines != concluded
        ]
        return (margin, *concluded, *(line for block in told for line in block))


@dataclass(frozen=True)
class Attempt:
    """The instance on which a claim came closest to failing.

    `instance` is its JSON (`checks/verdicts/attempts/codec`), or None with the `reason` why it
    has none; `search` tells apart several searches of one check; `whole` says that it was a list,
    of which another seed shows nothing new.
    """

    ratio: float
    told: str
    instance: str | None
    reason: str | None = None
    search: str = ""
    whole: bool = False

    def __post_init__(self) -> None:
        a_number(self.ratio, "observed/allowed of an attempt")


@dataclass(frozen=True)
class Outcome:
    """The answer of one check.

    `violations` of `trials` were seen over `instances`; `interval` bounds the probability of a
    violation where the claim is about one. `tolerance` is the largest that was applied, also where
    an evaluation allows for rounding in its own numbers, None where nobody counted it. Where a
    claim bounds something, `worst_ratio` is the largest observed/allowed of all that was looked at,
    stored attempts included, and `looseness` has quantiles of bound/observed over the drawn
    instances; `best` is the attempt of a deep search that came closest to breaking the claim, and
    `replayed` has observed/allowed on the attempts that are stored, None where one no longer meets
    the premises or bounds nothing. `deciding` are the statements on which the verdict rests and
    that name a formula of the ledger: those of a violation, else of what came closest to one.
    """

    verdict: Verdict
    instances: int = 0
    trials: int = 0
    violations: int = 0
    interval: tuple[float, float] | None = None
    worst_ratio: float | None = None
    looseness: Looseness | None = None
    tolerance: float | None = None
    best: Attempt | None = None
    replayed: tuple[float | None, ...] = ()
    explanation: tuple[str, ...] = ()
    deciding: tuple[Statement, ...] = ()

    def __post_init__(self) -> None:
        alone = (self.worst_ratio, self.tolerance, *self.replayed)
        for value in (*alone, *(self.interval or ()), *(self.looseness or ())):
            a_number(0 if value is None else value, "what an outcome reports")


def premise_lines(premises: Iterable[Statement]) -> tuple[str, ...]:
    """Premises as an explanation has them."""
    return tuple(f"premise    {premise}" for premise in premises)


def unmet(premises: Sequence[Statement]) -> Outcome | None:
    """The outcome of a claim about a probability whose premises fail; None where they are met."""
    if all(premise.holds for premise in premises):
        return None
    return Outcome(Verdict.ASSUMPTION_NOT_MET, instances=1, explanation=premise_lines(premises))


def not_met(premises: tuple[Statement, ...]) -> Evaluation:
    """Ends at its premises: where they fail the conclusion cannot even be computed."""
    if all(premise.holds for premise in premises):
        raise ValueError("all premises are met, so there is a conclusion to look at")
    return Evaluation(premises, Statement("not looked at", 0, "=", 0))


def from_evaluation(evaluation: Evaluation, tolerance: float | None = None) -> Outcome:
    """The outcome on one instance; `tolerance` is allowed for in its own numbers."""
    verdict = evaluation.verdict()
    violated = verdict is Verdict.VIOLATED
    outcome = Outcome(
        verdict=verdict,
        instances=1,
        trials=1,
        violations=int(violated),
        explanation=(*evaluation.lines(), *(evaluation.explanation() if violated else ())),
        deciding=evaluation.formed,
    )
    outcome = replace(outcome, tolerance=largest_tolerance([evaluation], tolerance))
    return (
        outcome
        if verdict is Verdict.ASSUMPTION_NOT_MET
        else with_ratios(outcome, ratios([evaluation]))
    )


def largest_tolerance(
    evaluations: Iterable[Evaluation], stated: float | None = None
) -> float | None:
    """The largest tolerance of the conclusions, and of what is `stated` about all of them."""
    of_evaluations = (evaluation.conclusion.tolerance for evaluation in evaluations)
    applied = [t for t in (stated, *of_evaluations) if t is not None]
    return max_of(applied) if applied else None


def allowing(evaluation: Evaluation, tolerance: float) -> Evaluation:
    """The same with a tolerance for its conclusion, whose roundings are counted by the caller."""
    return replace(evaluation, conclusion=replace(evaluation.conclusion, tolerance=tolerance))


def over_evaluations(
    evaluations: Sequence[Evaluation], told: str, tolerance: float | None = None
) -> Outcome:
    """The outcome of a claim on a fixed list of instances: one violation decides.

    As in a search, too few instances that meet the premises leave the claim undecided, and
    `tolerance` is what the evaluations allow for in their own numbers.
    """
    verdicts = [evaluation.verdict() for evaluation in evaluations]
    met = [
        w for w, v in zip(evaluations, verdicts, strict=True) if v is not Verdict.ASSUMPTION_NOT_MET
    ]
    broken = [w for w, v in zip(evaluations, verdicts, strict=True) if v is Verdict.VIOLATED]
    unbroken = verdict_without_violation(len(met), len(evaluations))
    outcome = Outcome(
        verdict=Verdict.VIOLATED if broken else unbroken,
        instances=len(met),
        trials=len(evaluations),
        violations=len(broken),
        tolerance=largest_tolerance(met, tolerance),
        explanation=_explanation_of(broken) or (f"{len(met)} of {len(evaluations)} {told}",),
        deciding=_deciding(broken or met),
    )
    return with_ratios(outcome, ratios(met))


def verdict_without_violation(met: int, tried: int) -> Verdict:
    """Nothing holds unless one instance in ten, and at least one, meets the premises."""
    return Verdict.HOLDS if 0 < tried <= 10 * met else Verdict.INCONCLUSIVE


def _explanation_of(broken: Sequence[Evaluation]) -> tuple[str, ...]:
    """The first violation, and the largest where that is another one."""
    if not broken:
        return ()
    first, largest = broken[0], max_by(broken, lambda evaluation: evaluation.conclusion.margin)
    other = () if largest is first else (largest_line(largest),)
    return (*first.lines(), *other, *first.explanation())


def _deciding(evaluations: Sequence[Evaluation]) -> tuple[Statement, ...]:
    """Of the first one, and of the one with the largest observed/allowed."""
    closest = max_by(evaluations, closeness).formed if evaluations else ()
    return tuple(
        dict.fromkeys(
            (*(one for evaluation in evaluations[:1] for one in evaluation.formed), *closest)
        )
    )


def closeness(evaluation: Evaluation) -> float:
    """Observed over allowed; what bounds nothing comes last."""
    ratio = evaluation.conclusion.ratio
    return -1.0 if ratio is None else ratio


def largest_line(evaluation: Evaluation) -> str:
    """The largest violation that was seen."""
    return f"largest    {evaluation.conclusion} (by {evaluation.conclusion.margin:.6g})"


def ratios(evaluations: Sequence[Evaluation]) -> list[float]:
    """Observed over allowed of the conclusions that bound something."""
    return [
        ratio for evaluation in evaluations if (ratio := evaluation.conclusion.ratio) is not None
    ]


def with_ratios(outcome: Outcome, observed: Sequence[float]) -> Outcome:
    """The outcome with its worst ratio and its looseness, from observed/allowed."""
    if not observed:
        return outcome
    loose = quantiles([1 / ratio for ratio in observed])
    return replace(outcome, worst_ratio=max_of(observed), looseness=loose)


def worst_of(*halves: Outcome) -> float | None:
    """The largest of their worst ratios."""
    found = [half.worst_ratio for half in halves if half.worst_ratio is not None]
    return max_of(found) if found else None


def quantiles(numbers: Sequence[float]) -> Looseness | None:
    """Of the numbers themselves, without mixing two of them: some may be infinite."""
    if not numbers:
        return None
    rising, last = sorted(numbers), len(numbers) - 1
    low, tenth, half, ninth, high = (rising[round(share * last)] for share in QUANTILES)
    return low, tenth, half, ninth, high


def roots_of(left: Number, right: Number) -> tuple[float, float]:
    """What is measured where the squares of two sides are compared."""
    return math.sqrt(left), math.sqrt(right)


def _as_float(number: Number) -> float:
    try:
        return float(number)
    except OverflowError:  # a fraction beyond the range of doubles
        return math.inf if number > 0 else -math.inf


def _short(number: Number) -> str:
    if isinstance(number, Rounded):
        return rounded_text(number)
    if isinstance(number, Fraction) and number.denominator != 1:
        return f"{number} ({float(number):.6g})"
    return str(number) if isinstance(number, int | Fraction) else f"{number:.6g}"


def rounded_text(number: Rounded) -> str:
    """≈ and a decimal; whoever rounds keeps few digits, so that nine are all of them."""
    return f"≈{float(number):.9g}"


def _in_formula(number: Number) -> str:
    """A number in the place of a symbol; what has a sign or an exponent stands in brackets."""
    whole = isinstance(number, int) or (isinstance(number, Fraction) and number.denominator == 1)
    text = str(number) if whole else f"{_as_float(number):.6g}"
    return text if text.replace(".", "").isdigit() else f"({text})"


def _headed(word: str, text: str) -> tuple[str, ...]:
    """Lines of a formula, with a word in front of the first one."""
    first, *rest = text.splitlines()
    return (f"{word:<10} {first}", *(" " * 11 + line for line in rest))
