"""`ptum validate`: judge an object, a program or a recorded run, and report what was seen."""

from __future__ import annotations

import re
import shlex
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

import msgspec

from ptum.checks.cli.output.files import STDOUT, require_writable, same_file, write_whole
from ptum.checks.cli.output.formatting import (
    EXIT_AS_EXPECTED,
    EXIT_MISMATCH,
    PIPE,
    Refusal,
    columns_of,
    plural,
    screen,
    table,
    unknown,
    wrapped,
)
from ptum.checks.cli.output.progress import Progress
from ptum.checks.judge.capabilities import NAMES, capabilities
from ptum.checks.judge.judging.readings import PRINTED, Capability
from ptum.checks.judge.judging.verdicts import (
    BAD,
    INDEPENDENT,
    Alone,
    Conformity,
    Judgement,
    judge,
    tried_alone,
)
from ptum.checks.judge.messages.protocol import printable
from ptum.checks.judge.messages.transcript import Exchange, Fault, TranscriptHeader, whole_lines
from ptum.checks.judge.programs import recorded
from ptum.checks.judge.programs.asking import Conversation, cases_of
from ptum.checks.judge.programs.host import UNKNOWN_SUBJECT
from ptum.checks.judge.programs.process import NOT_FOUND, FaultError, Limits
from ptum.checks.judge.programs.protocol_check import HINTS
from ptum.checks.judge.results import expected, report
from ptum.checks.judge.results.diagnosis import narrowed, with_diagnosis
from ptum.checks.judge.results.expected import Expected, ExpectedJudgements
from ptum.reference.errors import InputError
from ptum.spec import ledger
from ptum.spec.records import Erratum

SMALL = 480
"""Characters of an instance that is shown whole."""

WHOLE = " … (whole: --json FILE)"
"""The end of an instance that is cut."""

LABELS = (
    "breaks",
    "where",
    "expected",
    "got",
    "slip",
    "reading",
    "fault",
    "last line",
    "instance",
    "replay",
    "sequence",
)
"""Words in front of the lines of an explanation."""

NOTHING_ASKED = "nothing was asked: the subject claims no capability, or none of those selected"

OF_REPORTS = (
    "this is a report of --json, which `ptum summary` reads; --transcript judges what --save keeps"
)

ALONE = "put alone to a fresh program it is"
"""How a retry is reported; what came of it follows."""

WORD = max(map(len, LABELS)) + 2
"""Columns of such a word, and of the blanks behind it."""


START = "start"
"""What is judged of a subject that did not start, in place of a capability."""


@dataclass(frozen=True)
class ExchangeSource:
    """Where exchanges come from: the command that asks for them, without a case.

    `sequence` is the one that repeats the whole run, empty where no program is run.
    """

    replay: str
    sequence: str = ""


@dataclass(frozen=True)
class ValidateOptions:
    """What the user asked for."""

    capabilities: tuple[str, ...]
    cases: tuple[str, ...]
    seed: int
    timeout: float
    memory: int
    privileges: bool
    report: str | None
    save: str | None
    expect: str | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be done before anything is."""
        if self.seed < 0:
            raise Refusal(f"--seed must not be negative, not {self.seed}")
        if not self.timeout > 0:
            raise Refusal(f"--timeout must be positive, not {self.timeout:g}")
        if self.memory < 1:
            raise Refusal(f"--memory must be at least 1 MiB, not {self.memory}")
        for name in self.capabilities:
            if name not in NAMES:
                raise unknown("capability", name, NAMES)
        if self.report == self.save == STDOUT:
            raise Refusal("--json and --save cannot both go to standard output")
        require_writable(self.report)
        require_writable(self.save)
        if same_file(self.report, self.save):
            raise Refusal("--json and --save cannot both go to the same file")
        _ = self.known

    @cached_property
    def known(self) -> Expected | None:
        """The deviations of --expect, read once; a file that cannot be used is refused."""
        if self.expect is None:
            return None
        try:
            return expected.read(Path(self.expect))
        except ValueError as problem:
            raise Refusal(printable(str(problem))) from problem

    @property
    def repeated(self) -> str:
        """What a replay has to say again, because it is not the default."""
        usual = Limits()
        said = f" --seed {self.seed}" if self.seed != 0 else ""
        said += f" --timeout {self.timeout:g}" if self.timeout != usual.message else ""
        said += f" --memory {self.memory}" if self.memory != usual.memory else ""
        return said + (" --privileges" if self.privileges else "")

    @property
    def selected(self) -> str:
        """The selection as it was typed, to repeat a run as a whole."""
        chosen = "".join(f" --capability {shlex.quote(name)}" for name in self.capabilities)
        return chosen + "".join(f" --case {shlex.quote(case)}" for case in self.cases)

    @property
    def silent(self) -> bool:
        """Whether standard output is for machines."""
        return STDOUT in (self.report, self.save)

    @property
    def limits(self) -> Limits:
        """What was asked for; the first message has half a minute at least."""
        usual = Limits()
        return Limits(
            message=self.timeout,
            start=max(usual.start, self.timeout),
            request=max(usual.request, self.timeout),
            memory=self.memory,
            privileges=self.privileges,
        )


def validate_subject(subject: str, options: ValidateOptions) -> int:
    """A Python object, hosted in a process of its own."""
    command = (sys.executable, "-P", "-m", "ptum.checks.judge.programs.host", subject)
    return _converse(command, options, f"ptum validate {report.in_shell(subject)}")


def validate_command(command: str, options: ValidateOptions) -> int:
    """A program that speaks the protocol."""
    return _converse(command, options, f"ptum validate --command {report.in_shell(command)}")


def validate_transcript(file: str, options: ValidateOptions) -> int:
    """A recorded run, or a whole exchange that was saved."""
    try:
        header, exchanges = recorded.read(Path(file))
    except InputError as problem:
        reason = OF_REPORTS if _is_report(file) else str(problem)
        raise Refusal(printable(f"{file}: {reason}")) from problem
    except OSError as problem:
        raise Refusal(f"cannot read {file}: {problem.strerror}") from problem
    except UnicodeDecodeError as problem:
        raise Refusal(f"{file} is not UTF-8 text: {problem.reason}") from problem
    wanted = [
        e
        for e in exchanges
        if (not options.cases or e.id in options.cases)
        and (not options.capabilities or e.capability in options.capabilities)
    ]
    retries = {exchange.id: exchange for exchange in wanted if exchange.alone}
    asked = [exchange for exchange in wanted if not exchange.alone]
    if not asked:
        selected = " of this selection" if exchanges else ": nothing was asked, or nothing started"
        raise Refusal(f"{file} has no exchange{selected}")
    try:
        judgements = _judged(header, asked, options, lambda _, identity: retries.get(identity))
    except UNFIT as problem:
        run = header.language == recorded.RUN
        reason = (
            str(problem) if run else f"{_damaged(asked)!r} is no request of the judge: {problem}"
        )
        raise Refusal(printable(f"{file}: {reason}")) from problem
    source = ExchangeSource(f"ptum validate --transcript {report.in_shell(file)}")
    return _report(header, wanted, judgements, options, source)


UNFIT = InputError, LookupError, TypeError, ValueError, ArithmeticError
"""What comes of a request that nobody here would have made."""


def _is_report(file: str) -> bool:
    """Whether a file is what --json writes."""
    try:
        report.read(Path(file))
    except ValueError:
        return False
    return True


def _damaged(exchanges: Sequence[Exchange]) -> str:
    """The first request that cannot be judged: its fields are not what a capability asks."""
    for exchange in exchanges:
        try:
            judge([capabilities()[exchange.capability]], [exchange])
        except UNFIT:
            return exchange.id
    return "one of its exchanges"


def _converse(command: str | Sequence[str], options: ValidateOptions, replay: str) -> int:
    _require_known(options)
    source = ExchangeSource(replay + options.repeated, replay + options.repeated + options.selected)
    program = isinstance(command, str)
    with closing(Progress(0)) as progress:
        talk = Conversation(command, options.limits, options.seed, progress.step, progress.expect)
        found = _asked(talk, options)
        if isinstance(found, Fault) and found.kind == UNKNOWN_SUBJECT and not program:
            raise Refusal(printable(f"{command[-1]}: {found.message}"))
        if isinstance(found, Fault) and found.kind == NOT_FOUND:
            raise Refusal(printable(found.message))
        if isinstance(found, Fault):
            nobody = TranscriptHeader(
                replay.removeprefix("ptum validate "), "-", "-", (), options.seed
            )
            start = _not_begun(_retold(found, program))
            return _report(nobody, (), (start,), options, source)
        header, answers = found
        if not answers:
            raise Refusal(NOTHING_ASKED)
        exchanges = [_plain(exchange, program) for exchange in answers]
        judgements = _judged(header, exchanges, options, talk.alone)
    retries = [_plain(exchange, program) for exchange in talk.retries]
    return _report(header, [*exchanges, *retries], judgements, options, source)


def _not_begun(fault: Fault) -> Judgement:
    """The judgement of a subject that did not start."""
    return Judgement(START, "-", Conformity.ERRORED, 0, fault=fault)


def _plain(exchange: Exchange, program: bool) -> Exchange:
    if exchange.fault is None:
        return exchange
    return msgspec.structs.replace(exchange, fault=_retold(exchange.fault, program))


def _retold(fault: Fault, program: bool) -> Fault:
    """A fault in the words of its subject: programs may forget to flush, objects send no lines."""
    if program and fault.kind == "hangs":
        return msgspec.structs.replace(fault, message=f"{fault.message}; {HINTS['hangs']}")
    if not program and fault.last.startswith(('{"type":"failure"', '{"type":"ready"')):
        return msgspec.structs.replace(fault, last="")
    return fault


def _asked(
    talk: Conversation, options: ValidateOptions
) -> tuple[TranscriptHeader, Sequence[Exchange]] | Fault:
    """Everything that was said, or why the subject did not start."""
    try:
        return talk.run(options.capabilities, options.cases)
    except FaultError as problem:
        return problem.fault


def _require_known(options: ValidateOptions) -> None:
    """Refuse cases that nobody knows."""
    if not options.cases:
        return
    chosen = [capabilities()[name] for name in options.capabilities or NAMES]
    ids = [case.id for c in chosen for case in cases_of(c, options.seed)]
    for case in options.cases:
        if case not in ids:
            raise _foreign(case, options.seed) or unknown("case", case, ids)


def _foreign(case: str, seed: int) -> Refusal | None:
    """A case of a capability that was not selected."""
    owner = case.partition("/")[0]
    known = cases_of(capabilities()[owner], seed) if owner in NAMES else ()
    if all(other.id != case for other in known):
        return None
    return Refusal(f"case {case!r} belongs to the capability {owner!r}, which is not selected")


def _judged(
    header: TranscriptHeader, exchanges: Sequence[Exchange], options: ValidateOptions, alone: Alone
) -> tuple[Judgement, ...]:
    """One judgement per capability; what is shown of it is asked again, or was."""
    asked = {exchange.capability for exchange in exchanges}
    found = judge(_selected(options, header, asked), exchanges)
    known = narrowed([with_diagnosis(one, exchanges) for one in found])
    tried = (tried_alone(capabilities()[one.capability], one, alone) for one in known)
    return (*tried, *_unknown(exchanges))


def _selected(
    options: ValidateOptions, header: TranscriptHeader, asked: Collection[str]
) -> list[Capability]:
    """What is selected now and was selected when it was asked; of the rest nothing can be said.

    Nor can it of what a subject claims and was not asked.
    """
    now = set(options.capabilities) or {case.partition("/")[0] for case in options.cases}
    then = set(header.selected)
    left_out = set(header.capabilities) - set(asked)
    return [
        capability
        for name, capability in capabilities().items()
        if (not now or name in now) and (not then or name in then) and name not in left_out
    ]


def _report(
    header: TranscriptHeader,
    exchanges: Sequence[Exchange],
    judgements: Sequence[Judgement],
    options: ValidateOptions,
    source: ExchangeSource,
) -> int:
    saved = ("\n".join(whole_lines(header, exchanges)) + "\n").encode()
    asked = {"capability": list(options.capabilities), "case": list(options.cases)}
    compared = None if options.known is None else expected.compare(options.known, judgements)
    found = report.as_report(
        header, judgements, source.replay, asked, version("ptum"), source.sequence, compared
    )
    refusals = _written(((options.save, saved), (options.report, report.encode(found))))
    if not options.silent:  # last, because its reader may be gone
        print("\n".join((*report_lines(header, judgements, source), *_compared(compared))))
    if refusals:
        raise refusals[0]
    wrong = any(judgement.verdict in BAD for judgement in judgements)
    fine = not wrong if compared is None else compared.as_expected
    return EXIT_AS_EXPECTED if fine else EXIT_MISMATCH


def _compared(comparison: ExpectedJudgements | None) -> Iterator[str]:
    """What came of the known deviations."""
    if comparison is None:
        return
    for capability, reason in comparison.known.items():
        yield from wrapped(f"known: {capability}: {reason}")
    for word, texts in (("unexpected", comparison.unexpected), ("stale", comparison.stale)):
        for text in texts:
            yield from wrapped(f"{word}: {text}")
    counts = (len(part) for part in (comparison.known, comparison.unexpected, comparison.stale))
    yield "{} known, {} unexpected, {} stale.".format(*counts)


def _written(files: Sequence[tuple[str | None, bytes]]) -> list[Refusal]:
    """Why some files were not: a disk that fills up in the end does not take the rest with it."""
    refusals = []
    for target, content in files:
        try:
            write_whole(target, content)
        except Refusal as refusal:
            refusals.append(refusal)
    return refusals


def report_lines(
    header: TranscriptHeader, judgements: Sequence[Judgement], source: ExchangeSource
) -> Iterator[str]:
    """The report in lines of text."""
    if judgements[0].capability == START:
        yield from _not_started(header.name, judgements[0].fault)
        return
    yield _who(header)
    yield ""
    yield judgement_table(judgements)
    for judgement in judgements:
        yield from _explanation(judgement, source)
    for judgement in judgements:
        yield from _refuted(judgement)
    yield ""
    yield _requests(judgements)
    yield _closing(judgements)


def _who(header: TranscriptHeader) -> str:
    """The subject in one line; a recorded run has neither a version nor a seed."""
    version = "" if header.version == "-" else f" {header.version}"
    seed = "" if header.seed is None else f", seed {header.seed}"
    return f"{header.name}{version} ({header.language}){seed}"


def _not_started(name: str, fault: Fault | None) -> Iterator[str]:
    """A subject that said nothing has no verdicts."""
    if fault is not None:
        yield from wrapped(f"{name} did not start: {fault.message}")
        if fault.last:
            yield _cut(_head("last line") + fault.last, " …")


def _unknown(exchanges: Sequence[Exchange]) -> Iterator[Judgement]:
    """Capabilities that the subject claims and nobody knows; there is no case to replay."""
    for exchange in exchanges:
        if exchange.capability not in NAMES:
            yield Judgement(exchange.capability, "-", Conformity.ERRORED, 1, fault=exchange.fault)


def judgement_table(judgements: Sequence[Judgement]) -> str:
    """A row per capability; those that the subject does not have share one line below."""
    header = ("capability", "paper", "verdict", "cases", "reading", "choices seen")
    missing = [j for j in judgements if j.verdict is Conformity.NOT_IMPLEMENTED]
    rows = [_row(judgement) for judgement in judgements if judgement not in missing]
    lines = [table(header, rows, _width())]
    if missing:
        names = ", ".join(judgement.capability for judgement in missing)
        lines += ["", *wrapped(f"not implemented: {names}")]
    return "\n".join(lines)


def _width() -> int:
    """Columns that no line of text may leave."""
    return screen() or PIPE


def _head(label: str) -> str:
    """The beginning of a line of an explanation; what follows stands below each other."""
    return f"  {label:<{WORD}}"


def _cut(line: str, end: str) -> str:
    """A line of text, shortened to the columns there are."""
    if columns_of(line) <= _width():
        return line
    return line[: max(_width() - columns_of(end), len(_head("")))] + end


def _row(judgement: Judgement) -> tuple[str, ...]:
    seen = [
        f"{choice}: {options[0]}"
        for choice, options in judgement.choices.items()
        if choice != PRINTED.choice and len(options) == 1
    ]
    return (
        judgement.capability,
        judgement.item,
        judgement.verdict.value,
        report.made(judgement.cases, judgement.asked),
        judgement.reading if PRINTED.choice in judgement.choices else "-",
        "; ".join(seen) or "-",
    )


def _refuted(judgement: Judgement) -> Iterator[str]:
    """Which refuted wording was followed; nothing of the subject's own went wrong."""
    for erratum in judgement.errata:
        yield ""
        yield from wrapped(
            f"{judgement.capability} follows the printed wording, which is refuted: {erratum}, "
            f"{_title(erratum)} (ptum show {erratum})"
        )


def _explanation(judgement: Judgement, source: ExchangeSource) -> Iterator[str]:
    """What went wrong."""
    case = judgement.case
    if judgement.finding is None and judgement.fault is None:
        return
    yield ""
    yield f"{judgement.capability} {judgement.verdict}" + (f" in {case.id}" if case else "")
    if judgement.finding is not None:
        yield from wrapped(judgement.finding.item, _head("breaks"))
        if judgement.rather:
            yield from wrapped(judgement.rather, _head("rather"))
        yield from wrapped(judgement.finding.what, _head("where"))
        yield from wrapped(judgement.finding.expected, _head("expected"))
        yield from wrapped(judgement.finding.got, _head("got"))
        if judgement.agrees_with:
            yield from wrapped(f"agrees with: {judgement.agrees_with}", _head("slip"))
        elif judgement.lacking:
            which = ", ".join(judgement.lacking)
            yield from wrapped(f"{which}, which would narrow this down", _head("lacks"))
        yield from _otherwise(judgement)
    yield from _fault(judgement.fault)
    yield from _again(case, source, judgement.beside)
    if judgement.right_alone:
        yield from _sequence(case, f"{ALONE} answered rightly; what came here", source)
    if judgement.failed is not None:
        yield f"  and had no answer to {judgement.failed.id}"
        yield from _fault(judgement.failed.fault)
        yield from _again(judgement.failed, source)
    if judgement.answered_alone:
        yield from _sequence(judgement.unanswered, f"{ALONE} answered; the fault", source)
    elif _may_depend(judgement) and source.sequence:
        yield from _sequence(judgement.unanswered, "if the replay runs through, the fault", source)
    if judgement.deviating and judgement.asked > 1:
        yield f"  {judgement.deviating} of {plural(judgement.asked, 'answer')} deviate"
    if judgement.faults and judgement.asked > 1:
        asked = plural(judgement.asked, "request")
        yield f"  {judgement.faults} of {asked} got no answer that can be read"
    if judgement.given_up:
        yield f"  {plural(judgement.given_up, 'request')} not made: too many breakdowns, or no time"


def _otherwise(judgement: Judgement) -> Iterator[str]:
    """Why an answer is wrong that would be right in another reading."""
    if judgement.beside:
        choices = (f"{c}: {' or '.join(options)}" for c, options in judgement.otherwise.items())
        options = f" ({'; '.join(choices)})" if judgement.otherwise else ""
        others = " or ".join(exchange.id for exchange in judgement.beside)
        why = f"by itself right in another one{options}, in which {others} is wrong"
        yield from wrapped(why, _head("reading"))


def _fault(fault: Fault | None) -> Iterator[str]:
    if fault is not None:
        yield from wrapped(f"{fault.kind}: {fault.message}", _head("fault"))
        if fault.last:
            yield _cut(_head("last line") + fault.last, " …")


def _again(
    case: Exchange | None, source: ExchangeSource, beside: Sequence[Exchange] = ()
) -> Iterator[str]:
    """The request, and how to ask it again; a fault on record would only be read again."""
    if case is not None:
        instance = printable(msgspec.json.encode(case.input).decode())
        yield from _instance(instance)
    if source.sequence or case is None or case.fault is None:
        yield _head("replay") + report.replay_of(case, source.replay, beside)


def _instance(instance: str) -> Iterator[str]:
    """A small request as a whole, in as many lines as it takes; one line of a large one.

    Lines end at commas, so that no number is broken; only what is longer than a line is.
    """
    head = _head("instance")
    room = _width() - len(head)
    large = len(instance) > max(SMALL, room)
    width = max(room - columns_of(WHOLE) if large else room, 1)
    found = re.finditer(f".{{1,{width}}}(?:(?<=,)|$)|.{{1,{width}}}", instance)
    lines = (line[0] for line in found)
    for line in [next(lines) + WHOLE] if large else lines:
        yield head + line
        head = _head("")


def _may_depend(judgement: Judgement) -> bool:
    """Whether a request that was not tried alone might be answered there."""
    failed = judgement.unanswered
    if failed is None or failed.fault is None or judgement.answered_alone is not None:
        return False
    return failed.before > 0 and failed.fault.kind not in INDEPENDENT


def _sequence(case: Exchange | None, what: str, source: ExchangeSource) -> Iterator[str]:
    """What came of a request may depend on others before it; the replay asks one case alone."""
    if case is not None:
        came = f"the {plural(case.before, 'request')} before it"
        end = ":" if source.sequence else ""
        yield from wrapped(f"{what} may depend on {came}, or on randomness{end}", _head(""))
    if source.sequence:
        yield _head("sequence") + source.sequence


def _title(erratum: str) -> str:
    record = ledger.find(erratum)
    return record.title if isinstance(record, Erratum) else ""


def _closing(judgements: Sequence[Judgement]) -> str:
    counts = Counter(judgement.verdict for judgement in judgements)
    listed = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Conformity if counts[verdict])
    return f"{plural(len(judgements), 'capability', 'capabilities')}: {listed}."


def _requests(judgements: Sequence[Judgement]) -> str:
    """What was asked, and what was not."""
    asked, left = sum(j.asked for j in judgements), sum(j.given_up for j in judgements)
    return f"{plural(asked, 'request')} made" + (f", {left} not." if left else ".")
