"""Judge an object in this process: `ptum.check(subject)`, and one entry per case for pytest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ptum.checks.judge.capabilities import NAMES, capabilities
from ptum.checks.judge.judging.readings import Capability, Finding
from ptum.checks.judge.judging.verdicts import BAD, Conformity, Judgement, judge_capability
from ptum.checks.judge.messages.transcript import Fault
from ptum.checks.judge.programs.asking import cases_of
from ptum.checks.judge.programs.subjects import ask_subject, claimed
from ptum.checks.judge.results.diagnosis import narrowed, with_diagnosis
from ptum.checks.judge.results.expected import NOTHING, Expected, ExpectedJudgements, compare, read
from ptum.reference.errors import InputError


@dataclass(frozen=True, repr=False)
class CheckResult:
    """What `ptum.check` found: a judgement per capability, and what of it is unexpected.

    `ok` is whether everything conforms, or exactly the known deviations occur; the representation
    names what does not. `judgements` have the details: `verdict`, `finding`, the smallest `case`,
    all `wrong` answers, the open choices that were seen (`choices`).
    """

    judgements: tuple[Judgement, ...]
    comparison: ExpectedJudgements

    @property
    def ok(self) -> bool:
        """Nothing deviates or errs but what is known, and all that is known does."""
        return self.comparison.as_expected

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        counts = Counter(judgement.verdict for judgement in self.judgements)
        listed = ", ".join(f"{counts[word]} {word}" for word in Conformity if counts[word])
        asked = sum(judgement.asked for judgement in self.judgements)
        lines = [f"<ptum.check: {listed or 'nothing to judge'}; {asked} requests made>"]
        lines += [f"  {_summary(judgement)}" for judgement in self.judgements if _bad(judgement)]
        compared = self.comparison
        lines += [f"  known: {name}: {reason}" for name, reason in compared.known.items()]
        lines += [f"  stale: {text}" for text in compared.stale]
        return "\n".join(lines)


def _bad(judgement: Judgement) -> bool:
    return judgement.verdict in BAD


def _summary(judgement: Judgement) -> str:
    """One line: what is broken, and in which case it is seen best."""
    case = "" if judgement.case is None else f" in {judgement.case.id}"
    if judgement.finding is not None:
        what = f"{judgement.finding.item}; {judgement.deviating} of {judgement.asked} answers"
        what += f"; rather {judgement.rather}" if judgement.rather else ""
        what += f"; agrees with: {judgement.agrees_with}" if judgement.agrees_with else ""
    else:
        what = (
            "" if judgement.fault is None else f"{judgement.fault.kind}: {judgement.fault.message}"
        )
    return f"{judgement.capability} {judgement.verdict}{case}: {what}"


def check(
    subject: object, only: Sequence[str], cases: Sequence[str], seed: int, expect: str | None
) -> CheckResult:
    """All of it; arguments as those of `ptum.check`."""
    expected = NOTHING if expect is None else _expected(expect)
    asked = Asking(subject, seed)
    for name in only:
        if name not in NAMES:
            raise InputError("capabilities", f"known are {', '.join(NAMES)}", value=repr(name))
    if not asked.claimed:
        raise InputError("subject", f"has no method of {', '.join(NAMES)}", value=_kind(subject))
    for name in asked.claimed:
        if name not in NAMES:
            raise InputError("subject.capabilities", f"known are {', '.join(NAMES)}", value=name)
    owners = {case.partition("/")[0] for case in cases}
    chosen = [
        name for name in NAMES if (not only or name in only) and (not owners or name in owners)
    ]
    judgements = narrowed([asked.judgement(name, tuple(cases)) for name in chosen])
    unknown = set(cases) - {c.id for n in chosen for c in cases_of(capabilities()[n], seed)}
    if unknown:
        raise InputError("cases", "no case of that name", value=repr(min(unknown)))
    return CheckResult(judgements, compare(expected, judgements))


def _expected(path: str) -> Expected:
    try:
        return read(Path(path))
    except ValueError as reason:
        raise InputError("expect", str(reason)) from reason


def _kind(subject: object) -> str:
    return f"the class {subject.__name__}" if isinstance(subject, type) else type(subject).__name__


@dataclass(frozen=True)
class Asking:
    """An object that is asked in this process: whatever it raises is a fault, but it may hang."""

    subject: object
    seed: int = 0

    @cached_property
    def claimed(self) -> tuple[str, ...]:
        """The capabilities that it says it has."""
        return claimed(self.subject)

    def judgement(self, name: str, cases: Sequence[str] = ()) -> Judgement:
        """One capability, all its cases or those named."""
        capability = capabilities()[name]
        asked = cases_of(capability, self.seed, cases) if name in self.claimed else ()
        exchanges = [ask_subject(self.subject, capability, case) for case in asked]
        return with_diagnosis(judge_capability(capability, exchanges), exchanges)


def problem_of(judgement: Judgement, case: str) -> str:
    """What is wrong with the answer to one case, in the reading of all; empty if nothing."""
    found: Finding | Fault | None = judgement.wrong.get(case) or judgement.faulty.get(case)
    if isinstance(found, Finding):
        lines = (f"breaks    {found.item}", f"where     {found.what}")
        return "\n".join((*lines, f"expected  {found.expected}", f"got       {found.got}"))
    return "" if found is None else f"{found.kind}: {found.message}"


def case_ids(capability: Capability, seed: int) -> list[str]:
    """The ids of what would be asked."""
    return [case.id for case in cases_of(capability, seed)]
