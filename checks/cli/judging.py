"""`ptum validate`: judge an object, a program or a recorded run, and tell what was seen."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import msgspec

from checks.cli.files import STDOUT, require_writable, write_whole
from checks.cli.progress import Progress
from checks.cli.words import (
    EXIT_AS_EXPECTED,
    EXIT_SURPRISE,
    Refusal,
    plural,
    table,
    unknown,
    wrapped,
)
from checks.judge import recorded, report, vectors
from checks.judge.asking import Conversation, cases_of
from checks.judge.capabilities import NAMES, capabilities
from checks.judge.checking import Step
from checks.judge.checking import check_protocol as protocol_steps
from checks.judge.examples import COMMANDS, LANGUAGES
from checks.judge.examples import write_example as copy_example
from checks.judge.not_asleep import Vigil, caught, passed, rights
from checks.judge.process import FaultError, Limits
from checks.judge.transcript import Exchange, Fault, Header, to_lines
from checks.judge.verdicts import Conformity, Judgement, judge
from checks.known_bad import known_bad
from reference.errors import InputError
from spec import ledger
from spec.records import Erratum

SHOWN = 1500
"""Letters of an instance that are shown; the whole of it is in the report."""


@dataclass(frozen=True)
class Options:
    """What the user asked for."""

    capabilities: tuple[str, ...]
    cases: tuple[str, ...]
    seed: int
    timeout: float
    report: str | None
    save: str | None

    def __post_init__(self) -> None:
        """Refuse what cannot be done before anything is."""
        if self.seed < 0:
            raise Refusal(f"--seed must not be negative, not {self.seed}")
        if not self.timeout > 0:
            raise Refusal(f"--timeout must be positive, not {self.timeout:g}")
        for name in self.capabilities:
            if name not in NAMES:
                raise unknown("capability", name, NAMES)
        if self.report == self.save == STDOUT:
            raise Refusal("--json and --save cannot both go to standard output")
        require_writable(self.report)
        require_writable(self.save)

    @property
    def silent(self) -> bool:
        """Whether standard output is for machines."""
        return STDOUT in (self.report, self.save)

    @property
    def limits(self) -> Limits:
        """Every message has the time that was asked for, the first one half a minute at least."""
        usual = Limits()
        return Limits(
            message=self.timeout,
            start=max(usual.start, self.timeout),
            request=max(usual.request, self.timeout),
        )


def validate_subject(subject: str, options: Options) -> int:
    """A Python object, hosted in a process of its own."""
    command = (sys.executable, "-m", "checks.judge.host", subject)
    return _converse(command, options, f"ptum validate {shlex.quote(subject)}")


def validate_command(command: str, options: Options) -> int:
    """A program that speaks the protocol."""
    return _converse(command, options, f"ptum validate --command {shlex.quote(command)}")


def validate_transcript(file: str, options: Options) -> int:
    """A recorded run, or a whole exchange that was saved."""
    try:
        header, exchanges = recorded.read(Path(file))
    except InputError as problem:
        raise Refusal(f"{file}: {problem}") from problem
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
    if not wanted:
        raise Refusal(f"{file} has no exchange of this selection")
    return _tell(header, wanted, options, f"ptum validate --transcript {shlex.quote(file)}")


def _converse(command: str | Sequence[str], options: Options, replay: str) -> int:
    again = replay if options.seed == 0 else f"{replay} --seed {options.seed}"
    found = _asked(command, options)
    if isinstance(found, Fault):
        start = Judgement("start", "-", Conformity.ERRORED, 0, fault=found)
        nobody = Header(replay.removeprefix("ptum validate "), "-", "-", (), options.seed)
        return _report(nobody, (), (start,), options, again)
    header, exchanges = found
    if not exchanges:
        raise Refusal("nothing was asked: the subject has none of the capabilities selected")
    return _tell(header, exchanges, options, again)


def _asked(
    command: str | Sequence[str], options: Options
) -> tuple[Header, Sequence[Exchange]] | Fault:
    """Everything that was said, or why the subject did not start."""
    with closing(Progress(_count(options))) as progress:
        talk = Conversation(command, options.limits, options.seed, progress.step)
        try:
            return talk.run(options.capabilities, options.cases)
        except FaultError as problem:
            return problem.fault


def _count(options: Options) -> int:
    """How many cases there are to ask; refuses cases that nobody knows."""
    chosen = [capabilities()[name] for name in options.capabilities or NAMES]
    ids = [case.id for c in chosen for case in cases_of(c, options.seed)]
    for case in options.cases:
        if case not in ids:
            raise unknown("case", case, ids)
    return len(options.cases) or len(ids)


def _tell(header: Header, exchanges: Sequence[Exchange], options: Options, replay: str) -> int:
    judgements = (*judge(capabilities().values(), exchanges), *_unknown(exchanges))
    return _report(header, exchanges, judgements, options, replay)


def _report(
    header: Header,
    exchanges: Sequence[Exchange],
    judgements: Sequence[Judgement],
    options: Options,
    replay: str,
) -> int:
    if not options.silent:
        print("\n".join(_told(header, judgements, replay)))
    write_whole(options.save, ("\n".join(to_lines((header, *exchanges))) + "\n").encode())
    asked = {"capability": list(options.capabilities), "case": list(options.cases)}
    found = report.as_report(header, judgements, replay, asked, version("ptum"))
    write_whole(options.report, report.encode(found))
    bad = {Conformity.DEVIATES, Conformity.ERRORED}
    wrong = any(judgement.verdict in bad for judgement in judgements)
    return EXIT_SURPRISE if wrong else EXIT_AS_EXPECTED


def _told(header: Header, judgements: Sequence[Judgement], replay: str) -> Iterator[str]:
    yield f"{header.name} {header.version} ({header.language}), seed {header.seed}"
    yield ""
    yield judgement_table(judgements)
    for judgement in judgements:
        yield from _story(judgement, replay)
    yield ""
    yield _closing(judgements)


def _unknown(exchanges: Sequence[Exchange]) -> Iterator[Judgement]:
    """Capabilities that the subject claims and nobody knows; there is no case to replay."""
    for exchange in exchanges:
        if exchange.capability not in NAMES:
            yield Judgement(exchange.capability, "-", Conformity.ERRORED, 1, fault=exchange.fault)


def judgement_table(judgements: Sequence[Judgement]) -> str:
    """One line per capability."""
    header = ("capability", "paper", "verdict", "cases", "reading", "choices seen")
    return table(header, map(_row, judgements))


def _row(judgement: Judgement) -> tuple[str, ...]:
    seen = [
        f"{choice}: {options[0]}"
        for choice, options in judgement.choices.items()
        if choice != "version" and len(options) == 1
    ]
    conforms = judgement.verdict is Conformity.CONFORMS
    return (
        judgement.capability,
        judgement.item,
        judgement.verdict.value,
        str(judgement.cases) if judgement.cases else "-",
        " or ".join(judgement.versions) if conforms else "-",
        "; ".join(seen) or "-",
    )


def _story(judgement: Judgement, replay: str) -> Iterator[str]:
    """What went wrong, or which refuted reading was followed."""
    for erratum in judgement.errata:
        yield ""
        yield from wrapped(
            f"{judgement.capability} follows the printed wording, which is refuted: {erratum}, "
            f"{_title(erratum)} (ptum show {erratum})"
        )
    case = judgement.case
    if judgement.finding is None and judgement.fault is None:
        return
    yield ""
    yield f"{judgement.capability} {judgement.verdict}" + (f" in {case.id}" if case else "")
    if judgement.finding is not None:
        yield f"  breaks     {judgement.finding.item}"
        yield f"  where      {judgement.finding.what}"
        yield f"  expected   {judgement.finding.expected}"
        yield f"  got        {judgement.finding.got}"
    if judgement.fault is not None:
        yield from wrapped(judgement.fault.message, f"  {judgement.fault.kind:<10} ")
        if judgement.fault.last:
            yield f"  last line  {judgement.fault.last}"
    if case is not None:
        shown = msgspec.json.encode(case.input).decode()
        yield f"  instance   {shown[:SHOWN]}{' …' if len(shown) > SHOWN else ''}"
    yield f"  replay     {report.replay_of(judgement, replay)}"


def _title(erratum: str) -> str:
    record = ledger.find(erratum)
    return record.title if isinstance(record, Erratum) else ""


def _closing(judgements: Sequence[Judgement]) -> str:
    counts = Counter(judgement.verdict for judgement in judgements)
    listed = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Conformity if counts[verdict])
    return f"{plural(len(judgements), 'capability', 'capabilities')}: {listed}."


def check_protocol(command: str, options: Options) -> int:
    """Examine the messages of a program, not its numbers."""
    if options.report is not None or options.save is not None:
        raise Refusal("--check-protocol prints what it sees; leave out --json and --save")
    steps = protocol_steps(command, options.limits, _show_step)
    wrong = sum(not step.ok for step in steps)
    well_formed = "Every message is well formed."
    print(f"\n{plural(wrong, 'thing')} to repair." if wrong else f"\n{well_formed}")
    return EXIT_SURPRISE if wrong else EXIT_AS_EXPECTED


def _show_step(step: Step) -> None:
    print(f"{'  ok ' if step.ok else 'WRONG'} {step.text}", flush=True)


def write_example(language: str, directory: str) -> int:
    """Write a harness to start from, and tell how it is judged."""
    if language not in LANGUAGES:
        raise unknown("language", language, LANGUAGES)
    try:
        paths = copy_example(language, directory)
    except InputError as problem:
        raise Refusal(str(problem)) from problem
    except OSError as problem:
        raise Refusal(f"cannot write to {directory}: {problem.strerror}") from problem
    print("\n".join(map(str, paths)))
    make = "make && " if any(path.name == "Makefile" for path in paths) else ""
    judged = f'ptum validate --command "{COMMANDS[language]}"'
    print(f"\nJudge it: cd {shlex.quote(directory)} && {make}{judged}")
    return EXIT_AS_EXPECTED


def known_bad_vigil(seeds: int, target: str | None) -> int:
    """Show that the judge catches every known slip and accuses no right implementation."""
    if seeds < 1:
        raise Refusal(f"--seeds must be at least 1, not {seeds}")
    require_writable(target)
    wrong, right = known_bad(), tuple(rights())
    progress = Progress(len(wrong) + len(right))
    found, fine = [], []
    for bad in wrong:
        progress.step(bad.id)
        found.append(caught(bad, 0))
    for good in right:
        progress.step(good.id)
        fine.append(passed(good, range(seeds)))
    progress.close()
    result = Vigil(known_bad=found, good=fine)
    if target != STDOUT:
        print(_vigil_table(result))
    write_whole(target, msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n")
    return EXIT_AS_EXPECTED if result.awake else EXIT_SURPRISE


def _vigil_table(result: Vigil) -> str:
    header = ("known bad", "capability", "breaks", "caught by")
    rows = [
        (bad.id, bad.capability, bad.breaks, bad.caught_by if bad.caught else "NOT CAUGHT")
        for bad in result.known_bad
    ]
    accused = [good.id for good in result.good if not good.passes]
    lines = [
        table(header, rows),
        "",
        f"{sum(bad.caught for bad in result.known_bad)} of {len(result.known_bad)} wrong "
        f"implementations are caught; {len(result.good) - len(accused)} of {len(result.good)} "
        "right ones pass.",
    ]
    return "\n".join(lines + [f"accused wrongly: {name}" for name in accused])


def build_vectors(folder: str | None) -> int:
    """Write the files of test vectors."""
    try:
        paths = vectors.build_all(vectors.FOLDER if folder is None else Path(folder))
    except OSError as reason:
        raise Refusal(f"cannot write to {folder}: {reason.strerror}") from reason
    for path in paths:
        print(f"{path}: {plural(len(vectors.read(path).vectors), 'vector')}")
    return EXIT_AS_EXPECTED
