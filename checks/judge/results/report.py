"""The report of a validation, for machines: header, one result per capability, footer."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from ptum.checks.judge.judging.verdicts import Conformity, Judgement
from ptum.checks.judge.messages.transcript import Exchange, Fields, TranscriptHeader
from ptum.checks.judge.results.expected import ExpectedJudgements
from ptum.checks.text.schema_docs import means, shaped

SCHEMA: Literal["ptum-validation/1"] = "ptum-validation/1"


class SubjectJson(msgspec.Struct, frozen=True, kw_only=True):
    """Who was judged, and with which seed."""

    schema: Annotated[Literal["ptum-validation/1"], means("name and version of this format")]
    ptum: Annotated[str, means("version of ptum")]
    name: Annotated[str, means("what the subject calls itself; the command where it did not start")]
    version: Annotated[str, means("version of the subject")]
    language: Annotated[str, means("language that it is written in")]
    capabilities: Annotated[list[str], means("what it says that it can do")]
    seed: Annotated[int | None, means("seed of the drawn cases; null for a recorded run")]
    options: Annotated[dict[str, list[str]], means("the selection: capability and case")]


class Divergence(msgspec.Struct, frozen=True, kw_only=True):
    """Where an answer leaves the paper, on the smallest case that shows it best.

    `among` are the places that `item` stands for, as ids of the ledger; one of them is broken. If
    other requests came `before`, the case may have been put once more to a fresh program: an answer
    that is right there, `alone`, may depend on them, or on chance; `sequence` repeats them all.
    An answer that is right in another reading is wrong because of those `beside` it.
    """

    item: Annotated[str, means("the place of the paper that the answer breaks")]
    what: Annotated[str, means("the part of the answer that is wrong")]
    expected: Annotated[str, means("what would have been right")]
    got: Annotated[str, means("what was answered")]
    case: Annotated[str, means("id of the case")]
    input: Annotated[Fields, means("the case, as it was put to the subject")]
    replay: Annotated[str, means("the command that puts this case again")]
    among: Annotated[list[str], means("ids of the places that item stands for")] = []
    agrees_with: Annotated[
        str, means("the known slip with all these answers, or the few, in words; empty if none")
    ] = ""
    rather: Annotated[
        str,
        means("what is left of item by capabilities that conform, and which; empty if all is"),
    ] = ""
    otherwise: Annotated[
        dict[str, list[str]],
        means("options with which this answer would be right; empty if it never is"),
    ] = {}
    beside: Annotated[
        list[str], means("ids of cases whose answers are not right with them; replayed as well")
    ] = []
    before: Annotated[int, means("how many requests the same program got before it")] = 0
    sequence: Annotated[
        str, means("the command that repeats those as well; empty if there is none")
    ] = ""
    alone: Annotated[
        bool | None,
        means("whether it was answered rightly alone, by a fresh program; null if not tried"),
    ] = None


class Breakdown(msgspec.Struct, frozen=True, kw_only=True):
    """Why there is no answer.

    If other requests came `before`, the fault may depend on them; `sequence` repeats them all. The
    request may then have been put once more to a fresh program: if that answers, `alone`, the fault
    may depend on them, or on chance.
    """

    kind: Annotated[str, means("what happened, in a word (docs/protocol.md)")]
    message: Annotated[str, means("what happened, in a sentence")]
    last: Annotated[str, means("the last line that was received; empty if there is none to show")]
    case: Annotated[str, means("id of the case; empty if it happened before any")]
    input: Annotated[dict[str, object], means("the case, as it was put to the subject")]
    replay: Annotated[str, means("the command that puts this case again")]
    before: Annotated[int, means("how many requests the same program got before it")] = 0
    sequence: Annotated[
        str, means("the command that repeats those as well; empty if there is none")
    ] = ""
    alone: Annotated[
        bool | None, means("whether it was answered alone, by a fresh program; null if not tried")
    ] = None


class CapabilityResult(msgspec.Struct, frozen=True, kw_only=True):
    """One capability."""

    capability: Annotated[str, means("name of the capability")]
    item: Annotated[str, means("its place in the paper")]
    verdict: Annotated[str, means("conforms, deviates, errored or not-implemented")]
    versions: Annotated[
        list[str], means("wordings that the answers agree with: printed, repaired or both")
    ]
    reading: Annotated[
        str, means("the same in words, with what is repaired where there are several repairs")
    ] = ""
    choices: Annotated[
        dict[str, list[str]], means("options of each open choice that the answers agree with")
    ]
    errata: Annotated[list[str], means("ids of errata whose refuted wording is followed")]
    cases: Annotated[int, means("how many cases there were")]
    asked: Annotated[
        int | None, means("how many of them were put as requests; null if that is not known")
    ] = None
    faults: Annotated[
        int | None, means("how many requests got no answer that can be read; null if not known")
    ] = None
    deviating: Annotated[
        int | None, means("how many answers deviate; null if that is not known")
    ] = None
    known: Annotated[str, means("why a known deviation is accepted; empty if it is none")] = ""
    divergence: Annotated[
        Divergence | None,
        means("where an answer leaves the paper; the clearest, if there are more"),
    ]
    breakdown: Annotated[
        Breakdown | None, means("why an answer is missing; the smallest case, if there are more")
    ]


class ValidationFooter(msgspec.Struct, frozen=True, kw_only=True):
    """How it ended."""

    results: Annotated[int, means("number of results")]
    deviates: Annotated[int, means("how many deviate")]
    errored: Annotated[int, means("how many erred")]
    asked: Annotated[int | None, means("how many requests were made; null if not known")] = None
    not_asked: Annotated[
        int | None, means("how many cases were selected and never put; null if not known")
    ] = None
    not_implemented: Annotated[
        int | None, means("how many capabilities the subject does not have; null if not known")
    ] = None
    unexpected: Annotated[
        list[str] | None,
        means("what deviates and is not in the file of --expect; null without one"),
    ] = None
    stale: Annotated[
        list[str] | None,
        means("known deviations that do not occur any more; null without --expect"),
    ] = None


class Validation(msgspec.Struct, frozen=True, kw_only=True):
    """Output of `ptum validate --json`."""

    header: Annotated[SubjectJson, means("who was judged, and with which options")]
    results: Annotated[list[CapabilityResult], means("one entry per capability")]
    footer: Annotated[ValidationFooter, means("how it ended")]


def as_report(
    header: TranscriptHeader,
    judgements: Sequence[Judgement],
    replay: str,
    options: dict[str, list[str]],
    release: str,
    sequence: str = "",
    comparison: ExpectedJudgements | None = None,
) -> Validation:
    """The judgements of a run as a report.

    `replay` is the command without its case, `sequence` the one that repeats the whole run,
    `comparison` what came of known deviations.
    """
    known = {} if comparison is None else comparison.known
    verdicts = [judgement.verdict for judgement in judgements]
    return Validation(
        header=shaped(SubjectJson, header, schema=SCHEMA, ptum=release, options=options),
        results=[
            _result(judgement, replay, sequence, known.get(judgement.capability, ""))
            for judgement in judgements
        ],
        footer=ValidationFooter(
            results=len(judgements),
            deviates=verdicts.count(Conformity.DEVIATES),
            errored=verdicts.count(Conformity.ERRORED),
            asked=sum(judgement.asked for judgement in judgements),
            not_asked=sum(judgement.given_up for judgement in judgements),
            not_implemented=verdicts.count(Conformity.NOT_IMPLEMENTED),
            unexpected=None if comparison is None else list(comparison.unexpected),
            stale=None if comparison is None else list(comparison.stale),
        ),
    )


def encode(report: Validation) -> bytes:
    """The report as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n"


def read(path: Path) -> Validation:
    """A report from a file; ValueError says what is wrong with one that cannot be used."""
    try:
        report = msgspec.json.decode(path.read_bytes(), type=Validation)
    except OSError as reason:
        raise ValueError(f"cannot read {path}: {reason.strerror}") from reason
    except (msgspec.DecodeError, RecursionError) as reason:
        raise ValueError(f"{path} is not a complete report: {reason}") from reason
    if report.footer.results != len(report.results):
        raise ValueError(f"{path} is not a complete report: results are missing")
    return report


def _result(judgement: Judgement, replay: str, sequence: str, known: str) -> CapabilityResult:
    return shaped(
        CapabilityResult,
        judgement,
        choices={choice: list(options) for choice, options in judgement.choices.items()},
        known=known,
        divergence=_divergence(judgement, replay, sequence),
        breakdown=_breakdown(judgement, replay, sequence),
    )


def _divergence(judgement: Judgement, replay: str, sequence: str) -> Divergence | None:
    finding, case = judgement.finding, judgement.case
    if finding is None or case is None:
        return None
    return shaped(
        Divergence,
        finding,
        item=str(finding.item),
        among=sorted(finding.item.places),
        agrees_with=judgement.agrees_with,
        rather=judgement.rather,
        case=case.id,
        input=case.input,
        replay=replay_of(case, replay, judgement.beside),
        otherwise={choice: list(options) for choice, options in judgement.otherwise.items()},
        beside=[exchange.id for exchange in judgement.beside],
        before=case.before,
        sequence=sequence if case.before else "",
        alone=judgement.right_alone,
    )


def _breakdown(judgement: Judgement, replay: str, sequence: str) -> Breakdown | None:
    """Why an answer is missing, also where others deviate."""
    failed = judgement.unanswered
    fault = judgement.fault if judgement.failed is None else judgement.failed.fault
    if fault is None:
        return None
    before = 0 if failed is None else failed.before
    return shaped(
        Breakdown,
        fault,
        case="" if failed is None else failed.id,
        input={} if failed is None else failed.input,
        replay=replay_of(failed, replay),
        before=before,
        sequence=sequence if before else "",
        alone=judgement.answered_alone,
    )


def made(cases: int, asked: int | None) -> str:
    """How many requests were made, and of how many if some were not."""
    if asked is not None and asked < cases:
        return f"{asked} of {cases}"
    return str(cases) if cases else "-"


def replay_of(case: Exchange | None, replay: str, beside: Sequence[Exchange] = ()) -> str:
    """The command that puts a case to the subject again, and those that it needs beside it."""
    shown = () if case is None else (case, *beside)
    return replay + "".join(f" --case {in_shell(exchange.id)}" for exchange in shown)


def in_shell(word: str) -> str:
    """A word as it is typed in a shell, fit to print: the name of a file may hold any bytes."""
    if word.isprintable():
        return shlex.quote(word)
    return f"$'{''.join(map(_in_ansi_quotes, word))}'"


def _in_ansi_quotes(letter: str) -> str:
    if letter in "'\\":
        return f"\\{letter}"
    if letter.isprintable():
        return letter
    return "".join(f"\\x{byte:02x}" for byte in os.fsencode(letter))
