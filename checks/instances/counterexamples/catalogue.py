"""What every counterexample shows of itself: its numbers, its evaluation, and what makes it bite.

Modules of the folders beside this one declare them, and with them the checks that run them. A
counterexample is seen to bite: with any one premise broken its evaluation says
`assumption-not-met`, and with the one number fixed that breaks the conclusion it says `holds`.
`ptum show ERRATUM --run` prints the numbers and the evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, Generic, ParamSpec, TypeAlias, TypeVar

from ptum.checks.instances import counterexamples
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, from_evaluation
from ptum.checks.verdicts.registry import Registry
from ptum.spec.vocabulary import CheckKind

Numbers: TypeAlias = tuple[tuple[str, object], ...]
"""What is needed to build the instance by hand: names with numbers, nested tuples or text."""

EvaluationOrOutcome: TypeAlias = Evaluation | Outcome
"""Premises and conclusion, or the outcome of trials where the claim is about a probability."""

Instance = TypeVar("Instance")
Given = ParamSpec("Given")


def _none() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Counterexample(Generic[Instance]):
    """One instance on which a printed part fails.

    `check` is the id of the check that runs it and nothing else, and `says` what that says; `also`
    has further ones, by id. Declaring it declares them. `part_of` are ids of checks that run more
    than it and are declared elsewhere. `evaluate` holds an instance against the printed part,
    `repaired` against the repaired one.

    `broken` gives, for the text of every premise, an instance of which that premise is false;
    `fixed` is the instance with the number that breaks the conclusion put right, and `fix` says
    which. `always` gives the reason for a premise that no instance of this shape can fail. On the
    instance itself the repaired part holds, or its premise excludes it; on `in_scope`, which
    meets the repaired premise, it holds. Both are None only where the part has no repair.

    All evaluations compare whole and rational numbers, and so are all `numbers` that are shown,
    unless `inexact` says why the claim leaves no way to do so; `repair_inexact` says it of
    `repaired` alone.
    """

    instance: Instance
    evaluate: Callable[[Instance], EvaluationOrOutcome]
    numbers: Callable[[Instance], Numbers]
    fix: str
    fixed: Instance
    check: str = ""
    says: str = ""
    also: Mapping[str, str] = field(default_factory=_none)
    kind: CheckKind = CheckKind.EXACT
    part_of: tuple[str, ...] = ()
    broken: Mapping[str, Instance] = field(default_factory=_none)
    always: Mapping[str, str] = field(default_factory=_none)
    repaired: Callable[[Instance], EvaluationOrOutcome] | None = None
    in_scope: Instance | None = None
    inexact: str | None = None
    repair_inexact: str | None = None

    @property
    def checks(self) -> Mapping[str, str]:
        """What the checks say that run it and nothing else, by id."""
        return {**({self.check: self.says} if self.check else {}), **self.also}

    @property
    def ids(self) -> tuple[str, ...]:
        """All checks that run it."""
        return (*self.checks, *self.part_of)

    def run(self, _: Context) -> Outcome:
        """The check of the instance."""
        found = self.evaluate(self.instance)
        return from_evaluation(found) if isinstance(found, Evaluation) else found


COUNTEREXAMPLES: Registry[Counterexample[Any]] = Registry("counterexample")


def _declaring(make: Callable[Given, Counterexample[Instance]]) -> Callable[Given, None]:
    """What makes a counterexample, and declares it and the checks that run it and nothing else."""

    def declare(*args: Given.args, **named: Given.kwargs) -> None:
        case = make(*args, **named)
        for identity, says in case.checks.items():
            check(identity, case.kind, says)(case.run)
        first = case.ids[0]
        number = sum(first == known.ids[0] for known in COUNTEREXAMPLES.declared().values())
        COUNTEREXAMPLES.add(f"{first}#{number}", case)

    return declare


declare = _declaring(Counterexample)
"""Declare a counterexample by the fields of `Counterexample`."""


@cache
def cases() -> tuple[Counterexample[Any], ...]:
    """Every counterexample, in the order of the checks that run it."""
    return _in_order(COUNTEREXAMPLES.below(counterexamples))


def cases_of(identity: str) -> tuple[Counterexample[Any], ...]:
    """The counterexamples that a check runs."""
    declared = COUNTEREXAMPLES.naming(identity, counterexamples)
    return tuple(case for case in _in_order(declared) if identity in case.ids)


def _in_order(declared: Mapping[str, Counterexample[Any]]) -> tuple[Counterexample[Any], ...]:
    return tuple(declared[key] for key in sorted(declared))
