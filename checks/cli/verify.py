"""`ptum verify`: run checks, print the verdict table, write the report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from math import fsum
from pathlib import Path

from ptum.checks.claims import registry
from ptum.checks.cli.failure import failure_lines, unexpected_sentence
from ptum.checks.cli.output.colour import painted
from ptum.checks.cli.output.digest import digest
from ptum.checks.cli.output.files import (
    STDOUT,
    indented,
    require_writable,
    same_file,
    write_whole,
    writing,
)
from ptum.checks.cli.output.formatting import (
    EXIT_AS_EXPECTED,
    EXIT_CUT_SHORT,
    EXIT_MISMATCH,
    Refusal,
    plural,
    table,
    unknown,
    word_of,
    wrapped,
)
from ptum.checks.cli.output.lookup import meant
from ptum.checks.cli.output.progress import Progress
from ptum.checks.cli.output.results import count_line, error_bound, verdict_table
from ptum.checks.cli.output.signals import Wish
from ptum.checks.cli.output.workers import pool_of, require_one_place
from ptum.checks.cli.schemas import CheckJson, ListJson
from ptum.checks.instances.families.user import load_family
from ptum.checks.suite.kept_checks import KeptChecks
from ptum.checks.suite.on_family import EVALUATIONS
from ptum.checks.suite.report import Report, as_report, encode
from ptum.checks.suite.runner import (
    EarlyStop,
    Job,
    Row,
    cut_short,
    expected_of,
    run,
)
from ptum.checks.text.kept_lines import OtherResultsError
from ptum.checks.text.schema_docs import shaped
from ptum.checks.verdicts.check import ALPHA, Check, Profile, spent
from ptum.checks.verdicts.workers import Pool
from ptum.spec import ledger
from ptum.spec.records import Claim, Decision, ErrataGroup, Erratum, Part
from ptum.spec.vocabulary import Version

FEW = 12
"""Checks of which every row is printed; of more, what they say about the paper."""

EXPLAINED = 3
"""Unexpected verdicts that are explained in full."""

NAMED = 20
"""Unexpected verdicts that are named, with those that are explained."""

KINDS = {
    Claim: "a claim",
    Part: "a part",
    Decision: "a decision",
    Erratum: "an erratum",
    ErrataGroup: "a group of errata",
}

ALL = "all"
BOTH = "both"
"""The word of 0.1 for all versions, when there were two."""


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Which checks somebody wants: all of them unless a claim, a part or a check is named."""

    claims: tuple[str, ...]
    parts: tuple[str, ...]
    checks: tuple[str, ...]
    version: str
    family: str | None

    @property
    def options(self) -> dict[str, list[str]]:
        """As the header of a report keeps them."""
        return {
            "claim": list(self.claims),
            "part": list(self.parts),
            "check": list(self.checks),
            "version": [self.version],
            "family": [self.family] if self.family else [],
        }


@dataclass(frozen=True, kw_only=True)
class VerifyOptions:
    """How hard they are run, and when to stop."""

    profile: str
    seed: int
    jobs: int
    scheduler: str | None
    seconds: float | None
    fail_fast: bool
    keep: str | None = None


def run_verify(
    selection: Selection,
    effort: VerifyOptions,
    report: str | None,
    wish: Wish,
    *,
    verbose: bool = False,
) -> int:
    """Select, run and report; returns the exit code. A wish to stop leaves the rest not run."""
    chosen, family = select(selection), selection.family
    profile = word_of(Profile, "profile", effort.profile)
    require_writable(report)
    _require_numbers(effort)
    limits = EarlyStop(effort.seconds, effort.fail_fast)
    job = Job(profile, effort.seed, family)
    kept = _kept(effort.keep, report, job, chosen)
    with pool_of(effort.jobs, effort.scheduler, family) as pool:
        rows = watched_rows(chosen, job, wish, pool, limits, kept)
    found = as_report(rows, profile, effort.seed, selection.options)
    write_whole(report, encode(found))  # first, because nobody waits to read it
    if report != STDOUT:
        print_result(rows, found, verbose=verbose, keep=effort.keep)
    return exit_code(rows)


def print_result(
    rows: Sequence[Row], report: Report, *, verbose: bool, keep: str | None = None
) -> None:
    """What was found: every row if they are few or wanted, else what it says about the paper."""
    profile, seed = Profile(report.header.profile), report.header.seed
    family = report.header.family
    many = len(rows) > FEW
    lines = [*heading(family)]
    if verbose or not many:
        lines += verdict_table(report).splitlines()
    lines += unexpected_lines(rows, Job(profile, seed, family), verbose=verbose)
    if many:
        lines += ("", *digest(report))
    lines += ("", *closing_lines(rows, profile, family, keep))
    if many and not verbose:
        lines += wrapped("Every verdict: --verbose, or --json FILE; one item: ptum show ID")
    print("\n".join(painted(lines[1:] if lines[0] == "" else lines)))


def watched_rows(
    checks: Sequence[Check],
    job: Job,
    wish: Wish,
    pool: Pool | None = None,
    limits: EarlyStop | None = None,
    kept: KeptChecks | None = None,
) -> list[Row]:
    """Run with a bar of progress; a wish to stop that was stated before leaves nothing to run.

    What is `kept` is not run again, and what is finished is kept.
    """
    known = dict(kept.rows) if kept else {}
    progress = Progress(len(checks))
    if kept:
        progress.skip(len(known), str(kept.path), len(kept.stale))

    def keep(row: Row) -> None:
        if kept:
            with writing(kept.path):
                kept.keep(row)

    def watch(row: Row) -> None:
        keep(row)
        progress(row)
        wish.raise_if_interrupted()

    found = run(
        [check for check in checks if check.id not in known],
        job.profile,
        job.seed,
        family=job.family,
        pool=pool,
        limits=EarlyStop(0.0) if wish.stated else limits,
        watch=watch,
        on_interrupt=wish.interrupted,
    )
    wish.finish()
    progress.close()
    for row in found:  # an interrupt may come between the end of a check and the watcher
        keep(row)
    rows = known | {row.check.id: row for row in found}
    return [rows[check.id] for check in checks]


def _kept(
    target: str | None, report: str | None, job: Job, checks: Sequence[Check]
) -> KeptChecks | None:
    """What an earlier call has finished; refused if it is of something else."""
    if target is None:
        return None
    if target == STDOUT or same_file(target, report):
        raise Refusal(f"--keep {target}: give a file of its own")
    require_writable(target)
    try:
        return KeptChecks(Path(target), job, checks)
    except OtherResultsError as reason:
        raise Refusal(str(reason)) from reason
    except OSError as reason:
        raise Refusal(f"cannot read {target}: {reason.strerror}") from reason


def list_checks(selection: Selection, target: str | None) -> None:
    """The checks without running them: a table, and the list as JSON where that is wanted."""
    chosen = select(selection)
    require_writable(target)
    if target != STDOUT:
        print(table(("check", "version", "kind", "says"), map(_listed, chosen)))
    listed = ListJson([_check_json(check) for check in chosen])
    write_whole(target, indented(listed))


def exit_code(rows: Sequence[Row]) -> int:
    """1 if a check that ran says what nobody expects, else 3 if work was cut short, else 0."""
    if any(row.ran and not row.as_expected for row in rows):
        return EXIT_MISMATCH
    return EXIT_CUT_SHORT if cut_short(rows) else EXIT_AS_EXPECTED


def select(wanted: Selection) -> tuple[Check, ...]:
    """The checks of the named claims, errata, parts and ids, in the order of the registry."""
    for word in wanted.checks:
        _require_check(word)
    if wanted.version not in (versions := [ALL, BOTH, *(v.value for v in Version)]):
        raise unknown("version", wanted.version, versions)
    everything = not (wanted.claims or wanted.parts or wanted.checks)
    asked = {*wanted.checks, *_of_parts({_part(word) for word in wanted.parts})}
    asked |= {check for word in wanted.claims for check in _of_record(word)}
    chosen = tuple(
        check
        for check in registry().values()
        if wanted.version in (ALL, BOTH, check.version.value) and (everything or check.id in asked)
    )
    if not chosen:
        raise Refusal("no check matches this selection; `ptum verify --list` shows all of them")
    return _on_family(chosen, wanted.family)


def require_family(family: str) -> None:
    """Refuse a family that cannot be loaded, before any check is run."""
    try:
        load_family(family)
    except ValueError as problem:
        raise Refusal(str(problem)) from problem


def _on_family(chosen: tuple[Check, ...], family: str | None) -> tuple[Check, ...]:
    """With a family, only the checks that can draw from it; refuse a family that is none."""
    if family is None:
        return chosen
    require_family(family)
    able = tuple(check for check in chosen if check.id in EVALUATIONS)
    if not able:
        raise Refusal(
            f"none of these checks can use a family; those that can: {', '.join(EVALUATIONS)}"
        )
    return able


def heading(family: str | None) -> tuple[str, ...]:
    """Says where instances come from if they are not our own."""
    return () if family is None else (f"On instances of the family {family}", "")


def unexpected_lines(rows: Sequence[Row], job: Job, *, verbose: bool) -> list[str]:
    """Verdicts that the ledger does not expect: some in full, some by name, the rest by number."""
    strange = [row for row in rows if row.ran and not row.as_expected]
    told, named = (len(strange), 0) if verbose else (EXPLAINED, NAMED)
    lines = [
        line
        for row in strange[:told]
        for line in failure_lines(row, job.profile, job.seed, job.family)
    ]
    if strange[told:named]:
        lines += ("", *map(unexpected_sentence, strange[told:named]))
    if more := len(strange[max(told, named) :]):
        lines.append(f"{more} unexpected more: --verbose, or --json FILE")
    return lines


def closing_lines(
    rows: Sequence[Row], profile: Profile, family: str | None, keep: str | None = None
) -> list[str]:
    """How many say what, how sure the whole is, and how to ask harder."""
    ran = [row for row in rows if row.ran]
    sure = error_bound(fsum(row.alpha for row in ran), spent(registry().values()), ALPHA)
    verdicts = [row.outcome.verdict.value for row in ran]
    strange = sum(not row.as_expected for row in ran)
    lines = [
        *wrapped(count_line(verdicts, strange, family, len(rows) - len(ran))),
        *wrapped(f"P(trials mislead any verdict) {sure}."),
        *wrapped("A search that finds nothing is no proof; --power says what it would have seen."),
    ]
    if cut_short(rows):
        missing = plural(len(rows) - len(ran), "check")
        lines += wrapped(f"Cut short: {missing} did not run, which counts as inconclusive.")
        if keep and ran:
            lines += wrapped(f"What finished is in {keep}: the same command goes on from there.")
    drawn = f" --family {family}" if family else ""
    stronger = list(Profile)[list(Profile).index(profile) + 1 :]
    for head, harder in zip(("Stronger:", " " * 9), stronger, strict=False):
        lines.append(f"{head} ptum verify --profile {harder.value}{drawn}")
    return lines


def _listed(check: Check) -> tuple[str, ...]:
    expected = " or ".join(sorted(verdict.value for verdict in expected_of(check)))
    return (check.id, check.version.value, check.kind.value, f"{check.says} (expected: {expected})")


def _check_json(check: Check) -> CheckJson:
    claim, expected = ledger.part(check.part)[0].id, expected_of(check)
    words = sorted(verdict.value for verdict in expected)
    return shaped(CheckJson, check, check=check.id, claim=claim, expected=words)


def _of_record(word: str) -> Iterator[str]:
    """The checks of a claim; of an erratum its counterexamples and those of what it repairs."""
    match _meant("claim", word):
        case Claim() as claim:
            owner = ledger.owner_of_checks(claim)
            yield from _of_parts({part.id for part in owner.parts})
        case Erratum() as erratum:
            yield from _of_erratum(erratum)
        case ErrataGroup() as group:
            for erratum in ledger.members(group):
                yield from _of_erratum(erratum)
        case Decision() as decision:
            taken = ", ".join(c.id for c in ledger.CLAIMS if decision.id in c.decisions)
            raise Refusal(f"{decision.id} is a decision and has no checks; taken by: {taken}")
        case Part() as part:
            raise _elsewhere("claim", word, part)


def _of_erratum(erratum: Erratum) -> Iterator[str]:
    yield from erratum.counterexamples
    mended = (p.id for _, p in ledger.parts() if p.repair and erratum.id in p.repair.errata)
    yield from _of_parts({*mended})


def _of_parts(parts: Set[str]) -> Iterator[str]:
    return (check.id for check in registry().values() if check.part in parts)


def _part(word: str) -> str:
    found = _meant("part", word)
    if not isinstance(found, Part):
        raise _elsewhere("part", word, found)
    return found.id


def _meant(what: str, word: str) -> ledger.Record | Part:
    """The record that somebody names; the id of a check is none."""
    if word in registry():
        raise Refusal(f"{word} is a check, not a {what}: --check {word}")
    return meant(word, what)


def _require_check(word: str) -> None:
    if word in registry():
        return
    everything = {**ledger.records(), **{part.id: part for _, part in ledger.parts()}}
    if word in everything:
        raise _elsewhere("check", word, everything[word])
    raise unknown("check", word, registry())


def _elsewhere(what: str, word: str, found: ledger.Record | Part) -> Refusal:
    """The refusal of an id that is something else, with the option for that."""
    option = "part" if isinstance(found, Part) else "claim"
    return Refusal(f"{word} is {KINDS[type(found)]}, not a {what}: --{option} {found.id}")


def _require_numbers(effort: VerifyOptions) -> None:
    if effort.seed < 0:
        raise Refusal(f"--seed must not be negative, not {effort.seed}")
    if effort.jobs < 1:
        raise Refusal(f"--jobs must be at least 1, not {effort.jobs}")
    require_one_place(effort.jobs, effort.scheduler)
    if effort.seconds is not None and not effort.seconds > 0:
        raise Refusal(f"--seconds must be positive, not {effort.seconds:g}")
