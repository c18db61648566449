"""`ptum verify --power`: what random trials would see, without running any."""

from __future__ import annotations

import math

from ptum.checks.cli.output.files import STDOUT, indented, require_writable, write_whole
from ptum.checks.cli.output.formatting import Refusal, table, word_of, wrapped
from ptum.checks.cli.schemas import PowerJson, PowersJson
from ptum.checks.cli.verify import Selection, select
from ptum.checks.suite import power
from ptum.checks.suite.power import PowerRow
from ptum.checks.verdicts.check import Profile

LEGEND = (
    "least P: the least failure probability of a named instance that is `violated` with "
    "probability 0.9; one in: bad instances, which fail with probability 0.9, may be as rare as "
    "that for the search to find one and confirm it with probability 0.9; missed: what the profile "
    "should see and does not, with the reason"
)


def print_power(selection: Selection, profile: str, target: str | None) -> None:
    """A table of the checks with random trials, and the same as JSON where that is wanted."""
    wanted = word_of(Profile, "profile", profile)
    require_writable(target)
    rows = list(power.rows(wanted, select(selection)))
    if not rows:
        raise Refusal("none of these checks rests on random trials")
    if target != STDOUT:
        header = ("check", "δ", "trials", "least P", "one in", "missed")
        print(table(header, map(_cells, rows)))
        print("\n".join(("", *wrapped(LEGEND))))
    write_whole(target, indented(PowersJson([_json(row) for row in rows])))


def _cells(row: PowerRow) -> tuple[str, ...]:
    named, rarest = row.plan.named, row.rarest
    missed = "; ".join((*row.missing, *((row.plan.reason,) if _short(row) else ())))
    return (
        row.check.id,
        power.allowed_of(row.plan),
        "-" if named is None else str(named.trials),
        _least(row),
        "-" if rarest is None else str(math.floor(rarest)),
        missed or "-",
    )


def _least(row: PowerRow) -> str:
    if row.least is None:
        return "-"
    return f"{row.least:.2f}" if math.isfinite(row.least) else "none"


def _short(row: PowerRow) -> bool:
    """Whether it sees less than it should, or nothing that has a failure probability."""
    return bool(row.missing) or (row.least is None and row.rarest is None)


def _json(row: PowerRow) -> PowerJson:
    named, search = row.plan.named, row.plan.search
    tested = named or (None if search is None else search.test)
    least = row.least
    return PowerJson(
        check=row.check.id,
        profile=row.profile.value,
        allowed=None if tested is None else tested.allowed,
        trials=None if named is None else named.trials,
        alpha=None if named is None else named.alpha,
        least=least if least is not None and math.isfinite(least) else None,
        false_alarm=row.false_alarm,
        instances=None if search is None else search.effort.instances,
        one_in=row.rarest,
        missing=list(row.missing),
        reason=row.plan.reason if _short(row) else "",
    )
