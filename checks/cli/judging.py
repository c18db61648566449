"""`ptum validate`: judge an object, a program or a recorded run, and tell what was seen."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import msgspec

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
from checks.judge.not_asleep import Vigil, caught, passed, rights
from checks.judge.process import FaultError, Limits
from checks.judge.transcript import Exchange, Header, to_lines
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


def validate_subject(subject: str, options: Options) -> int:
    """A Python object, hosted in a process of its own."""
    command = (sys.executable, "-m", "checks.judge.host", subject)
    return _converse(command, options, f"ptum validate {subject}")


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
    wanted = [e for e in exchanges if not options.cases or e.id in options.cases]
    if not wanted:
        raise Refusal(f"{file} holds none of the cases {', '.join(options.cases)}")
    return _tell(header, wanted, options, f"ptum validate --transcript {file}")


def _converse(command: str | Sequence[str], options: Options, replay: str) -> int:
    total = _count(options)
    progress = Progress(total)
    limits = Limits(message=options.timeout, start=max(30.0, options.timeout))
    talk = Conversation(command, limits, options.seed, progress.step)
    try:
        header, exchanges = talk.run(options.capabilities, options.cases)
    except FaultError as problem:
        raise Refusal(_broken(problem)) from None
    finally:
        progress.close()
    if not exchanges:
        raise Refusal("nothing was asked: the subject has none of the capabilities selected")
    again = replay if options.seed == 0 else f"{replay} --seed {options.seed}"
    return _tell(header, exchanges, options, again)


def _count(options: Options) -> int:
    """How many cases there are to ask; refuses words that nobody knows."""
    for name in options.capabilities:
        if name not in NAMES:
            raise unknown("capability", name, NAMES)
    chosen = [capabilities()[name] for name in options.capabilities or NAMES]
    ids = [case.id for c in chosen for case in cases_of(c, options.seed)]
    for case in options.cases:
        if case not in ids:
            raise unknown("case", case, ids)
    return len(options.cases) or len(ids)


def _broken(problem: FaultError) -> str:
    last = f"; last line: {problem.fault.last}" if problem.fault.last else ""
    return f"the subject did not start: {problem.fault.message}{last}"


def _tell(header: Header, exchanges: Sequence[Exchange], options: Options, replay: str) -> int:
    judgements = judge(capabilities().values(), exchanges)
    judgements += tuple(_unknown(exchanges))
    print(f"{header.name} {header.version} ({header.language}), seed {header.seed}\n")
    print(judgement_table(judgements))
    for judgement in judgements:
        print("\n".join(_story(judgement, replay)), end="")
    print("\n".join(("", *_closing(judgements))))
    if options.save is not None:
        _write(options.save, ("\n".join(to_lines((header, *exchanges))) + "\n").encode())
    if options.report is not None:
        asked = {"capability": list(options.capabilities), "case": list(options.cases)}
        found = report.as_report(header, judgements, replay, asked, version("ptum"))
        _write(options.report, report.encode(found))
    bad = {Conformity.DEVIATES, Conformity.ERRORED}
    wrong = any(judgement.verdict in bad for judgement in judgements)
    return EXIT_SURPRISE if wrong else EXIT_AS_EXPECTED


def _unknown(exchanges: Sequence[Exchange]) -> Iterator[Judgement]:
    """Capabilities that the subject claims and nobody knows."""
    for exchange in exchanges:
        if exchange.capability not in NAMES:
            yield Judgement(
                exchange.capability, "-", Conformity.ERRORED, 1, fault=exchange.fault, case=exchange
            )


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
    if judgement.errata:
        yield ""
        for erratum in judgement.errata:
            title = _title(erratum)
            yield from wrapped(
                f"{judgement.capability} follows the printed wording, which is refuted: {erratum}, "
                f"{title} (ptum show {erratum})"
            )
        yield ""
    if judgement.case is None:
        return
    yield ""
    yield f"{judgement.capability} {judgement.verdict} in {judgement.case.id}"
    if judgement.finding is not None:
        yield f"  breaks     {judgement.finding.item}"
        yield f"  where      {judgement.finding.what}"
        yield f"  expected   {judgement.finding.expected}"
        yield f"  got        {judgement.finding.got}"
    if judgement.fault is not None:
        yield from wrapped(judgement.fault.message, f"  {judgement.fault.kind:<10} ")
        if judgement.fault.last:
            yield f"  last line  {judgement.fault.last}"
    shown = msgspec.json.encode(judgement.case.input).decode()
    yield f"  instance   {shown[:SHOWN]}{' …' if len(shown) > SHOWN else ''}"
    yield f"  replay     {report.replay_of(judgement, replay)}"
    yield ""


def _title(erratum: str) -> str:
    record = ledger.find(erratum)
    return record.title if isinstance(record, Erratum) else ""


def _closing(judgements: Sequence[Judgement]) -> Iterator[str]:
    counts = [
        f"{sum(j.verdict is verdict for j in judgements)} {verdict}"
        for verdict in Conformity
        if any(j.verdict is verdict for j in judgements)
    ]
    yield f"{plural(len(judgements), 'capability').replace('capabilitys', 'capabilities')}: " + (
        ", ".join(counts) + "."
    )


def _write(target: str, content: bytes) -> None:
    if target == "-":
        sys.stdout.write(content.decode())
        return
    try:
        Path(target).write_bytes(content)
    except OSError as reason:
        raise Refusal(f"cannot write {target}: {reason.strerror}") from reason


def known_bad_vigil(seeds: int, target: str | None) -> int:
    """Show that the judge catches every known slip and accuses no right implementation."""
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
    if target is not None:
        _write(target, msgspec.json.encode(result) + b"\n")
    if target != "-":
        print(_vigil_table(result))
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
    for path in vectors.build_all(vectors.FOLDER if folder is None else Path(folder)):
        print(f"{path}: {plural(len(vectors.read(path).vectors), 'vector')}")
    return EXIT_AS_EXPECTED
