"""From exchanges to verdicts: one per capability, with the reading that explains all answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import msgspec

from ptum.checks.judge.judging.readings import (
    PRINTED,
    REPAIRED,
    Assessment,
    Capability,
    Finding,
    Reading,
    assess,
    seen,
    shared,
)
from ptum.checks.judge.messages.fields import MalformedError
from ptum.checks.judge.messages.protocol import quoted
from ptum.checks.judge.messages.transcript import GIVEN_UP, NO_METHOD, Exchange, Fault


class Conformity(StrEnum):
    """What the judge may say about a capability."""

    CONFORMS = "conforms"
    DEVIATES = "deviates"
    ERRORED = "errored"
    NOT_IMPLEMENTED = "not-implemented"


BAD = frozenset({Conformity.DEVIATES, Conformity.ERRORED})
"""With one of these a run is not as it should be."""

INDEPENDENT = frozenset({GIVEN_UP, NO_METHOD})
"""Faults that other requests have no part in: it was never sent, or there is nothing to call."""

NOT_TRIED_ALONE = INDEPENDENT | {"hangs"}
"""Faults after which the request is not put once more; a program that hangs took long enough."""

Alone = Callable[[Capability, str], Exchange | None]
"""Put a case once more, as the only one of a fresh program; None if that cannot be done."""


@dataclass(frozen=True)
class Judgement:
    """The verdict on one capability.

    `explained_by` are the readings in which all answers are right; `errata` names what is refuted
    about a printed one. `case` is the smallest request that shows `finding`, which is what is wrong
    in the reading `nearest` to the answers. Where answers deviate, `failed` is the smallest
    request, if any, that got none. Of all `cases` some may have been `given_up`: they were never
    asked; `faulty` are those that were, and got no answer that can be read, `wrong` those with an
    answer that is wrong in the nearest reading, each with what is. The two requests
    that are shown may have been put once more to a fresh program: `right_alone` tells whether the
    answer was then right, `answered_alone` whether there was one. Some wrong answers would be right
    in another reading, one with the options `otherwise`; `beside` are requests whose answers would
    not.
    """

    capability: str
    item: str
    verdict: Conformity
    cases: int
    explained_by: frozenset[Reading] = frozenset()
    errata: tuple[str, ...] = ()
    finding: Finding | None = None
    fault: Fault | None = None
    case: Exchange | None = None
    failed: Exchange | None = None
    given_up: int = 0
    faulty: Mapping[str, Fault] = field(default_factory=dict)
    wrong: Mapping[str, Finding] = field(default_factory=dict)
    nearest: Reading | None = None
    otherwise: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    beside: tuple[Exchange, ...] = ()
    right_alone: bool | None = None
    answered_alone: bool | None = None
    agrees_with: str = ""
    """A known slip with all the wrong answers, in words; empty if there is no such class."""
    rather: str = ""
    """What is left of the places that `finding` names if other capabilities, which conform, are
    taken to have the code in common; empty if that leaves all of them, or none."""
    lacking: tuple[str, ...] = ()
    """Capabilities that the subject lacks and that would speak for some of these places."""

    @property
    def asked(self) -> int:
        """How many requests were made."""
        return self.cases - self.given_up

    @property
    def faults(self) -> int:
        """How many requests got no answer that can be read."""
        return len(self.faulty)

    @property
    def deviating(self) -> int:
        """How many answers are wrong."""
        return len(self.wrong)

    @property
    def not_right(self) -> tuple[str, ...]:
        """Ids of the requests that were made and got no right answer."""
        return (*self.wrong, *self.faulty)

    @property
    def unanswered(self) -> Exchange | None:
        """The request that got no answer, if one is shown."""
        return self.failed if self.fault is None else self.case

    @property
    def choices(self) -> Mapping[str, tuple[str, ...]]:
        """The options that explain all answers, by decision of the ledger."""
        return seen(self.explained_by)

    @property
    def versions(self) -> tuple[str, ...]:
        """printed, repaired, or both where the answers do not tell; none unless they are right."""
        if self.verdict is not Conformity.CONFORMS:
            return ()
        return self.choices.get(PRINTED.choice, (PRINTED.option, REPAIRED.option))

    @property
    def reading(self) -> str:
        """The versions in words, with what is repaired where there are several repairs."""
        return " or ".join(map(self._with_details, self.versions))

    def _with_details(self, version: str) -> str:
        options = {option for reading in self.explained_by for option in reading}
        of_version = {o for o in options if (o.choice, o.option) == (PRINTED.choice, version)}
        details = " or ".join(sorted(option.detail for option in of_version if option.detail))
        return f"{version} ({details})" if details else version


def judge(
    capabilities: Iterable[Capability], exchanges: Sequence[Exchange]
) -> tuple[Judgement, ...]:
    """One judgement per capability; without an exchange it is not implemented."""
    return tuple(
        judge_capability(capability, [e for e in exchanges if e.capability == capability.name])
        for capability in capabilities
    )


def judge_capability(capability: Capability, exchanges: Sequence[Exchange]) -> Judgement:
    """A wrong answer outweighs a missing one; both outweigh right ones."""
    if not exchanges:
        return _judgement(capability, Conformity.NOT_IMPLEMENTED, exchanges)
    assessments, faulty = _assessed(capability, exchanges)
    left = shared(assessments, capability.readings)
    worst = _worst(faulty) if faulty else None
    if not left:
        found = replace(_deviation(capability, exchanges, assessments), failed=worst)
    elif worst is not None:
        found = _judgement(capability, Conformity.ERRORED, exchanges)
        found = replace(found, fault=worst.fault, case=worst)
    else:
        found = _judgement(capability, Conformity.CONFORMS, exchanges, left)
    asked = [exchange for exchange in faulty if not exchange.given_up]
    return replace(found, faulty={one.id: one.fault for one in asked if one.fault is not None})


def tried_alone(capability: Capability, judgement: Judgement, alone: Alone) -> Judgement:
    """Put the requests that are shown once more: what is right alone is hardly a wrong formula.

    A request that was the first of its program was alone before.
    """
    shown, failed = judgement.case, judgement.unanswered
    if judgement.finding is not None and shown is not None and shown.before:
        again = alone(capability, shown.id)
        fine = None if again is None else right(capability, again, judgement.nearest)
        judgement = replace(judgement, right_alone=fine)
    if failed is None or failed.fault is None or not failed.before:
        return judgement
    if failed.fault.kind in NOT_TRIED_ALONE:
        return judgement
    again = alone(capability, failed.id)
    answered = None if again is None else not _assessed(capability, [again])[1]
    return replace(judgement, answered_alone=answered)


def right(capability: Capability, exchange: Exchange, reading: Reading | None) -> bool:
    """Whether an exchange is as it should be in one reading."""
    assessments, _ = _assessed(capability, [exchange])
    return any(reading in assessment.agrees for assessment in assessments)


def _worst(faulty: Sequence[Exchange]) -> Exchange:
    """The smallest that was asked and failed, rather than one that was never asked."""
    return _smallest([exchange for exchange in faulty if not exchange.given_up] or faulty)


def _assessed(
    capability: Capability, exchanges: Sequence[Exchange]
) -> tuple[list[Assessment], list[Exchange]]:
    assessments, faulty = [], []
    for exchange in exchanges:
        if exchange.fault is not None:
            faulty.append(exchange)
            continue
        try:
            assessments.append(assess(capability, exchange))
        except MalformedError as reason:
            fault = Fault("malformed", quoted(str(reason)))
            faulty.append(msgspec.structs.replace(exchange, fault=fault))
    return assessments, faulty


def _deviation(
    capability: Capability, exchanges: Sequence[Exchange], assessments: Sequence[Assessment]
) -> Judgement:
    """Show a case that the nearest reading does not explain, best one that no reading does."""
    nearest = _nearest(capability, assessments)
    wrong = {a.exchange.id: a for a in assessments if a.findings[nearest] is not None}
    plain = [a for a in wrong.values() if not a.agrees] or list(wrong.values())
    finding, case = _clearest(
        [(one, a.exchange) for a in plain if (one := a.findings[nearest]) is not None]
    )
    found = _judgement(capability, Conformity.DEVIATES, exchanges)
    shown = wrong[case.id]
    others = _ruling_out(shown.agrees, assessments, nearest)
    others = _held_against(nearest, capability, shown, others, assessments) if others else others
    beside = tuple(other.exchange for other in others)
    otherwise = _unlike(nearest, shown.agrees)
    findings = {name: a.findings[nearest] for name, a in wrong.items()}
    return replace(
        found,
        finding=finding,
        case=case,
        nearest=nearest,
        otherwise=otherwise,
        beside=beside,
        wrong={name: one for name, one in findings.items() if one is not None},
    )


def _ruling_out(
    readings: frozenset[Reading], assessments: Sequence[Assessment], nearest: Reading
) -> list[Assessment]:
    """Few exchanges of which none agrees with all these readings, as not all of them agree.

    The one that leaves fewest comes first, best one that is right in the nearest reading; one
    without which the others would do is left out.
    """

    def least(a: Assessment) -> tuple[int, bool, int]:
        return len(left & a.agrees), nearest not in a.agrees, _size(a.exchange)

    left, chosen = readings, list[Assessment]()
    while left:
        chosen.append(min(assessments, key=least))
        left &= chosen[-1].agrees
    for one in tuple(chosen):
        others = [other for other in chosen if other is not one]
        if not readings.intersection(*(other.agrees for other in others)):
            chosen = others
    return chosen


def _held_against(
    nearest: Reading,
    capability: Capability,
    shown: Assessment,
    others: Sequence[Assessment],
    assessments: Sequence[Assessment],
) -> list[Assessment]:
    """These and as many more as it takes to be judged alone by the reading of all of them.

    A replay that held the answers against another reading would find another one wrong.
    """
    chosen = list(others)
    while (other := _nearest(capability, [shown, *chosen])) != nearest:
        better = [a for a in assessments if nearest in a.agrees and other not in a.agrees]
        more = [a for a in better if all(a is not one for one in chosen)]
        if not more:
            break
        chosen.append(min(more, key=lambda a: _size(a.exchange)))
    return chosen


def _unlike(nearest: Reading, readings: frozenset[Reading]) -> Mapping[str, tuple[str, ...]]:
    """The options of some readings, for the choices that none of them settles like the nearest."""
    taken = {(option.choice, option.option) for option in nearest}
    return {
        choice: options
        for choice, options in seen(readings).items()
        if not any((choice, option) in taken for option in options)
    }


def _clearest(findings: Sequence[tuple[Finding, Exchange]]) -> tuple[Finding, Exchange]:
    """The finding with the fewest places among those with the place that most of them share.

    One slip makes many answers wrong, so what they have in common is likely to be broken. Among
    equals the smallest request is shown.
    """
    shares = Counter(place for finding, _ in findings for place in finding.item.places)
    most = max(shares.values(), default=0)
    common = {place for place, share in shares.items() if share == most}
    clear = [one for one in findings if common & one[0].item.places] or findings
    return min(clear, key=lambda one: (len(one[0].item.places), _size(one[1])))


def _nearest(capability: Capability, assessments: Sequence[Assessment]) -> Reading:
    """The reading with which most answers agree; among equals the literal one."""
    counts: Counter[Reading] = Counter()
    for assessment in assessments:
        counts.update(assessment.agrees)
    return max(capability.readings, key=lambda reading: counts[reading])


def _smallest(exchanges: Iterable[Exchange]) -> Exchange:
    return min(exchanges, key=_size)


def _size(exchange: Exchange) -> int:
    return len(msgspec.json.encode(exchange.input))


def _judgement(
    capability: Capability,
    verdict: Conformity,
    exchanges: Sequence[Exchange],
    left: frozenset[Reading] = frozenset(),
) -> Judgement:
    return Judgement(
        capability=capability.name,
        item=capability.item,
        verdict=verdict,
        cases=len(exchanges),
        explained_by=left,
        errata=_errata(left),
        given_up=sum(exchange.given_up for exchange in exchanges),
    )


def _errata(left: frozenset[Reading]) -> tuple[str, ...]:
    """Errata of options that every explaining reading shares."""
    if not left:
        return ()
    common = frozenset.intersection(*left)
    return tuple(sorted({option.erratum for option in common if option.erratum}))
