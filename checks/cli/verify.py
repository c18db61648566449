"""`ptum verify`: run checks, print the verdict table, write the report."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import fsum

from ptum.checks.claims import registry
from ptum.checks.cli.failure import failure_lines
from ptum.checks.cli.output.files import STDOUT, indented, require_writable, write_whole
from ptum.checks.cli.output.formatting import (
    EXIT_AS_EXPECTED,
    EXIT_CUT_SHORT,
    EXIT_MISMATCH,
    Refusal,
    plural,
    table,
    unknown,
    word_of,
)
from ptum.checks.cli.output.progress import Progress
from ptum.checks.cli.output.results import count_line, error_bound, verdict_table
from ptum.checks.cli.output.signals import Wish
from ptum.checks.cli.schemas import CheckJson, ListJson
from ptum.checks.instances.families.user import load_family
from ptum.checks.suite.on_family import EVALUATIONS
from ptum.checks.suite.report import as_report, encode
from ptum.checks.suite.runner import (
    EarlyStop,
    Job,
    LocalPool,
    Pool,
    Row,
    cut_short,
    expected_of,
    run,
)
from ptum.checks.verdicts.check import ALPHA, Check, Profile, spent
from ptum.spec import ledger
from ptum.spec.vocabulary import Version

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


def run_verify(selection: Selection, effort: VerifyOptions, report: str | None, wish: Wish) -> int:
    """Select, run and report; returns the exit code. A wish to stop leaves the rest not run."""
    chosen, family = select(selection), selection.family
    profile = word_of(Profile, "profile", effort.profile)
    require_writable(report)
    _require_numbers(effort)
    limits = EarlyStop(effort.seconds, effort.fail_fast)
    job = Job(profile, effort.seed, family)
    with pool_of(effort, family) as pool:
        rows = watched_rows(chosen, job, wish, pool, limits)
    found = as_report(rows, profile, effort.seed, selection.options)
    write_whole(report, encode(found))  # first, because nobody waits to read it
    if report != STDOUT:
        print("\n".join((*heading(family), verdict_table(found))))
        print("\n".join(closing_lines(rows, profile, effort.seed, family)))
    return exit_code(rows)


@contextmanager
def pool_of(effort: VerifyOptions, family: str | None) -> Iterator[Pool | None]:
    """Workers to run checks: of a cluster, of this machine, or None for this process alone."""
    if effort.scheduler is None:
        yield None if effort.jobs == 1 else LocalPool(effort.jobs)
        return
    try:
        from ptum.checks.suite.cluster import Unusable, connected
    except ModuleNotFoundError as missing:
        raise Refusal(f'--scheduler needs `pip install "ptum[distributed]"` ({missing})') from None
    try:
        with connected(effort.scheduler, family) as (pool, differences):
            if differences:
                said = "; ".join(differences)
                print(f"Not as here, so last digits may differ: {said}", file=sys.stderr)
            yield pool
    except Unusable as problem:
        raise Refusal(str(problem)) from problem


def watched_rows(
    checks: Sequence[Check],
    job: Job,
    wish: Wish,
    pool: Pool | None = None,
    limits: EarlyStop | None = None,
) -> list[Row]:
    """Run with a bar of progress; a wish to stop that was stated before leaves nothing to run."""
    progress = Progress(len(checks))

    def watch(row: Row) -> None:
        progress(row)
        wish.raise_if_interrupted()

    rows = run(
        checks,
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
    return rows


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
    """The checks of the named claims, parts and ids, in the order of the registry."""
    _require_selectable(wanted)
    if wanted.version not in (versions := [ALL, BOTH, *(v.value for v in Version)]):
        raise unknown("version", wanted.version, versions)
    owners = {ledger.owner_of_checks(ledger.claim(word)).id for word in wanted.claims}
    everything = not (wanted.claims or wanted.parts or wanted.checks)
    chosen = tuple(
        check
        for check in registry().values()
        if wanted.version in (ALL, BOTH, check.version.value)
        and (
            everything
            or check.id in wanted.checks
            or check.part in wanted.parts
            or ledger.part(check.part)[0].id in owners
        )
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


def closing_lines(
    rows: Sequence[Row], profile: Profile, seed: int, family: str | None
) -> list[str]:
    """Unexpected verdicts, how sure the whole is, and how to ask harder."""
    mismatches = [row for row in rows if row.ran and not row.as_expected]
    lines = [line for row in mismatches for line in failure_lines(row, profile, seed, family)]
    ran = [row for row in rows if row.ran]
    sure = error_bound(fsum(row.alpha for row in ran), spent(registry().values()), ALPHA)
    verdicts = [row.outcome.verdict.value for row in ran]
    lines += [
        "",
        count_line(verdicts, len(mismatches), family),
        f"P(any false verdict) {sure}.",
    ]
    if cut_short(rows):
        missing = plural(len(rows) - len(ran), "check")
        lines.append(f"Cut short: {missing} did not run, which counts as inconclusive.")
    stronger = list(Profile)[list(Profile).index(profile) + 1 :]
    if stronger:
        drawn = f" --family {family}" if family else ""
        commands = (f"ptum verify --profile {p.value}{drawn}" for p in stronger)
        lines.append("Stronger: " + ", ".join(commands))
    return lines


def _listed(check: Check) -> tuple[str, ...]:
    expected = " or ".join(sorted(verdict.value for verdict in expected_of(check)))
    return (check.id, check.version.value, check.kind.value, f"{check.says} (expected: {expected})")


def _check_json(check: Check) -> CheckJson:
    return CheckJson(
        check=check.id,
        claim=ledger.part(check.part)[0].id,
        part=check.part,
        reading=check.reading,
        version=check.version.value,
        kind=check.kind.value,
        says=check.says,
        expected=sorted(verdict.value for verdict in expected_of(check)),
        alpha=check.alpha,
    )


def _require_selectable(wanted: Selection) -> None:
    """Refuse ids that nobody has, and name the option of those that are something else."""
    known = {
        "claim": [claim.id for claim in ledger.CLAIMS],
        "part": [part.id for _, part in ledger.parts()],
        "check": list(registry()),
    }
    asked = {"claim": wanted.claims, "part": wanted.parts, "check": wanted.checks}
    for what, words in asked.items():
        for word in words:
            if word in known[what]:
                continue
            other = next((kind for kind, ids in known.items() if word in ids), None)
            if other is not None:
                raise Refusal(f"{word} is a {other}, not a {what}: --{other} {word}")
            raise unknown(what, word, known[what])


def _require_numbers(effort: VerifyOptions) -> None:
    if effort.seed < 0:
        raise Refusal(f"--seed must not be negative, not {effort.seed}")
    if effort.jobs < 1:
        raise Refusal(f"--jobs must be at least 1, not {effort.jobs}")
    if effort.scheduler is not None and effort.jobs != 1:
        raise Refusal("--jobs is for this machine, and --scheduler for others: leave one out")
    if effort.seconds is not None and not effort.seconds > 0:
        raise Refusal(f"--seconds must be positive, not {effort.seconds:g}")
