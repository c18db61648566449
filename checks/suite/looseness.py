"""Looseness: how far every bound is from what was observed, over the families.

`python -m ptum.checks.suite.looseness REPORT` makes docs/looseness.json, .svg and .md from a
report of `ptum verify --json`. The picture needs matplotlib (`ptum[plots]`); the page is made
from the JSON alone, so it cannot say other numbers.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from ptum.checks.claims import registry
from ptum.checks.claims.section_3_exact import summary as exact_runs
from ptum.checks.suite.report import JsonNumber, QuantilesJson, Report, Result, read
from ptum.checks.text.markdown import markdown_table
from ptum.checks.text.schema_docs import shaped
from ptum.checks.verdicts.outcome import QUANTILES
from ptum.spec.vocabulary import Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SCHEMA: Literal["ptum-looseness/1"] = "ptum-looseness/1"
HOME = Path(__file__).resolve().parents[2] / "docs"
JSON, PICTURE, PAGE = (HOME / f"looseness.{ending}" for ending in ("json", "svg", "md"))
FEWEST = 3
"""Bounds seen on fewer instances have no quantiles worth the name."""


@dataclass(frozen=True)
class Group:
    """Bounds on one kind of quantity; the `lead` check gives the numbers of the sentence.

    `meaning` is for a practitioner, with {low}, {middle} and {high} for the smallest, the median
    and the 90 per cent quantile of bound/observed. Where it speaks of a second check, that is
    `other`, with {other_low}, {other_middle} and {other_high}.
    """

    title: str
    parts: tuple[str, ...]
    lead: str
    meaning: str
    other: str | None = None

    @property
    def quoted(self) -> tuple[str, ...]:
        """The checks whose numbers the sentence has."""
        return (self.lead,) if self.other is None else (self.lead, self.other)


GROUPS = (
    Group(
        "Queries of PTUM",
        (
            "theorem-1.bound",
            "theorem-1.phases",
            "corollary-1.rate",
            "corollary-1.rate-exact",
            "assumption-4.budget",
            "text-pac.implied",
        ),
        "theorem-1.bound/repaired-drawn",
        "On drawn tasks the repaired bound of Theorem 1 promises at least {low} times the queries "
        "that PTUM made, {middle} times in the median and more than {high} times in one case of "
        "ten. It is a guarantee, not a forecast: a budget "
        "n that satisfies it is far more than a run will use, so n can be chosen generously and "
        "the cost read off the run.",
    ),
    Group(
        "Samples that eliminate a model",
        ("lemma-4.reward", "lemma-4.transition", "text-elimination-impossible.impossible"),
        "lemma-4.reward/worst-data",
        "Against the worst data that the tests let through, Lemma 4 leaves room: after the "
        "promised number of samples a gap {middle} times smaller would still be seen in the "
        "median ({low} times at least). The constant 32 can be lowered to 23, as the check of the "
        "repaired constants shows, but little of what Theorem 1 gives away is lost here.",
    ),
    Group(
        "Samples of the queried pair",
        ("lemma-8.bound", "text-fundamental-meaning.proportional"),
        "lemma-8.bound/runs",
        "In runs, the queried pair had been asked {middle} times less often than Lemma 8 allows "
        "({low} times at the least, more than {high} in one case of ten). This is where the factor "
        "of Theorem 1 comes from: real data eliminate a model long before the worst data would.",
    ),
    Group(
        "Concentration: failure probabilities (Lemmas 1, 2) and widths (Lemma 3)",
        ("lemma-1.bernstein", "lemma-2.bernstein", "lemma-3.coverage"),
        "lemma-2.bernstein/two-point",
        "On these two-point distributions Lemma 2 failed at least {low} times less often than δ, "
        "{middle} times less often in the median; no distribution is known for which the factor is "
        "below 5 (open_questions.md). A practitioner who finds the confidence sets wide is right.",
    ),
    Group(
        "Differences of values",
        (
            "lemma-5.policy",
            "lemma-5.optimal",
            "corollary-2.loss",
            "text-simulation-any-two.any-two",
        ),
        "lemma-5.optimal/drawn-pairs",
        "On drawn pairs of tasks the bound of the simulation lemma divided by the true difference "
        "is {low} at the least, {middle} in the median (1: attained) and more than {high} in one "
        "case of ten. Bounds on values that go through it lose little there.",
    ),
    Group(
        "When PTUM stops, and what the returned policy loses",
        (
            "lemma-6.active",
            "lemma-7.positive",
            "lemma-9.optimal",
            "theorem-1.correct",
            "text-kappa-floor.floor",
        ),
        "lemma-9.optimal/repaired-assumption",
        "With ε as small as line 14 admits, ε divided by the true loss of the returned policy is "
        "{middle} in the median, and {low} at the least: the promise can be met exactly, so that "
        "slack in ε cannot be relied on.",
    ),
    Group(
        "From moments to the estimates of O and T",
        (
            "equation-8.bound",
            "lemma-10.bound",
            "lemma-11.bound",
            "lemma-11.implication",
            "lemma-11.pseudo-inverse",
            "lemma-11.column-norm",
            "lemma-11.decomposition",
            "lemma-12.implication",
            "lemma-12.bound",
            "theorem-2.bounds",
            "theorem-2.all-h",
            "theorem-2.value-std",
        ),
        "lemma-11.implication/moved-moments",
        "Given the errors of the moments, the repaired bound on the columns of Ô is at least {low} "
        "times the error that is there, {middle} times in the median and more than {high} times in "
        "one case of ten. Given the errors of Ô and of the third views, that on the columns of T̂ "
        "is {other_low} times the error at the least, {other_middle} in the median and more than "
        "{other_high} in one case of ten. Of the two steps the first gives away by far the more: "
        "some errors come close to its bound, most stay far below it. So a finer argument has much "
        "to gain between the moments and Ô, and little between Ô and T̂.",
        other="lemma-12.implication/both-terms",
    ),
    Group(
        "From Ô to the errors of the models",
        (
            "lemma-13.bound",
            "lemma-14.rewards",
            "lemma-14.values",
            "lemma-14.reward-std",
            "lemma-14.value-std",
            "text-floor-removable.estimates",
            "text-floor-removable.true-models",
        ),
        "lemma-14.rewards/projected",
        "After projection on the simplex the bound on rewards divided by the error is {low} at the "
        "least, {middle} in the median and more than {high} in one case of ten; for values it is "
        "{other_low}, {other_middle} and {other_high}. Both can be attained, so what Lemma 14 says "
        "about e_h can be taken at its word. Errors of standard deviations are far below their "
        "bounds unless one value is rare.",
        other="lemma-14.values/projected",
    ),
    Group(
        "Probability of the next task",
        ("theorem-3.never", "lemma-15.bound"),
        "lemma-15.bound/given-the-history",
        "What T̂ may miss of the dropped tasks is bounded {middle} times too high in the median, "
        "and not at all in the worst case ({low}): discarding by the repaired rule is cautious by "
        "a small factor only.",
    ),
)


class MeasuredBound(msgspec.Struct, frozen=True, kw_only=True):
    """One bound as one check saw it."""

    group: str
    check: str
    version: str
    instances: int
    looseness: QuantilesJson


class LoosenessTable(msgspec.Struct, frozen=True, kw_only=True):
    """All bounds, with the run that they come from; `quantiles` are those of bound/observed."""

    schema: Literal["ptum-looseness/1"]
    ptum: str
    profile: str
    seed: int
    quantiles: tuple[float, float, float, float, float]
    bounds: list[MeasuredBound]

    def of(self, check: str) -> MeasuredBound:
        """The entry of a check."""
        return next(bound for bound in self.bounds if bound.check == check)


def measured_of(report: Report) -> LoosenessTable:
    """Every bound of the groups that the report saw kept, with its quantiles."""
    return LoosenessTable(
        schema=SCHEMA,
        ptum=report.header.ptum,
        profile=report.header.profile,
        seed=report.header.seed,
        quantiles=QUANTILES,
        bounds=list(_bounds(report.results)),
    )


def _bounds(results: Sequence[Result]) -> Iterator[MeasuredBound]:
    """A bound that is broken belongs to the errata; one instance has no quantiles."""
    for group in GROUPS:
        for result in results:
            kept = result.verdict == Verdict.HOLDS and result.trials >= FEWEST
            if result.part in group.parts and kept and result.looseness is not None:
                yield shaped(MeasuredBound, result, group=group.title, looseness=result.looseness)


def encode(measured: LoosenessTable) -> bytes:
    """The measurements as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(measured), indent=2) + b"\n"


def stored() -> LoosenessTable:
    """The measurements of docs/looseness.json."""
    return msgspec.json.decode(JSON.read_bytes(), type=LoosenessTable)


# The page


def page(measured: LoosenessTable | None = None) -> str:
    """docs/looseness.md, from the stored measurements."""
    found = stored() if measured is None else measured
    run = f"`ptum verify --profile {found.profile} --seed {found.seed}`"
    pieces = [
        "<!-- Generated by `python -m ptum.checks.suite.looseness`; do not edit. -->\n",
        "# How loose are the bounds?\n",
        "A bound can be true and of no use. For every bound listed below, whatever it was held "
        "against gives bound/observed: 1 means that the bound is attained, 100 that it promises a "
        "hundred times what happened. Where the claim is a lower bound it is observed/bound, so "
        "that larger is always looser. Failure probabilities are compared with δ, roots and "
        "squares as the claim states them.\n",
        f"The numbers come from one run, {run}, and are those of `docs/looseness.json`: the "
        "smallest bound/observed, the quantiles at 10, 50 and 90 per cent, and the largest "
        "(`ptum verify --list` says what each check looks at). *Instances* are those that met the "
        "premises. A check that draws or lists instances has one bound/observed for each. One that "
        "makes random runs has one for each run, so that a single instance has quantiles too; "
        "where it makes them on named and on drawn instances, the numbers are of the runs on the "
        "named ones. Where only failures are counted it is δ over the upper end of the interval of "
        "their probability, one for each named instance. Checks of a rate hold each error of each "
        "run at the larger size against the level that is declared for it. A bound that holds with "
        "probability 1-δ may be below 1 in single runs. The numbers describe "
        "these families and no others: a family made to be tight looks tight. What has zero on one "
        "side says nothing about tightness and is left out. How close a deliberate search has come "
        "is another question, answered by the stored attempts (`checks/verdicts/attempts`).\n",
        "![Ranges of bound/observed, one line per check](looseness.svg)\n",
        *(piece for group in GROUPS for piece in _section(group, found)),
        exact_runs.section(),
    ]
    return "\n".join(pieces)


def _section(group: Group, measured: LoosenessTable) -> list[str]:
    rows = [bound for bound in measured.bounds if bound.group == group.title]
    header = ("check", "version", "instances", "least", "10 %", "median", "90 %", "most")
    cells = [
        (f"`{row.check}`", row.version, str(row.instances), *map(shown, row.looseness))
        for row in rows
    ]
    table = markdown_table(header, cells)
    return [f"## {group.title}\n", f"{_sentence(group, measured)}\n", table]


def _sentence(group: Group, measured: LoosenessTable) -> str:
    numbers: dict[str, str] = {}
    for prefix, check in zip(("", "other_"), group.quoted, strict=False):
        low, _, middle, high, _ = map(shown, measured.of(check).looseness)
        numbers |= {f"{prefix}low": low, f"{prefix}middle": middle, f"{prefix}high": high}
    return group.meaning.format(**numbers)


def shown(number: JsonNumber) -> str:
    """Three digits; powers of ten from ten thousand on."""
    value = float(number)
    if math.isfinite(value) and value >= 1e4:
        exponent = math.floor(math.log10(value))
        return f"{value / 10**exponent:.1f}·10^{exponent}"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


# The picture


COLOURS: Mapping[str, str] = {"printed": "#b2182b", "as-run": "#4d4d4d", "repaired": "#2166ac"}
FARTHEST = 1e8
"""What lies beyond is drawn at the edge."""


def draw(measured: LoosenessTable, path: Path) -> None:
    """One line per bound: from the least to the most, thick from 10 to 90 per cent."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": "ptum", "svg.fonttype": "none", "font.size": 7}):
        height = 1.2 + 0.16 * (len(measured.bounds) + 1.5 * len(GROUPS))
        figure = Figure(figsize=(8.5, height), layout="constrained")
        axes = figure.subplots()
        ticks = _draw_rows(axes, measured)
        axes.set_yticks([place for place, _ in ticks], [label for _, label in ticks])
        axes.set_xscale("log")
        axes.set_xlim(0.7, FARTHEST)
        axes.set_ylim(ticks[-1][0] + 1, -1)
        axes.axvline(1.0, color="black", linewidth=0.8)
        axes.set_xlabel("bound / observed (1: attained); thick: 10 to 90 %; dot: median")
        axes.set_title("Looseness of the bounds, printed (red) and repaired (blue)")
        figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})


def _draw_rows(axes: Axes, measured: LoosenessTable) -> list[tuple[float, str]]:
    """The lines, group below group; where they are and what they are called."""
    ticks, place = [], 0.0
    for group in GROUPS:
        axes.text(0.75, place, group.title, fontweight="bold", va="center")
        for bound in (row for row in measured.bounds if row.group == group.title):
            place += 1
            low, tenth, middle, ninth, high = (
                min(float(number), FARTHEST) for number in bound.looseness
            )
            colour = COLOURS[bound.version]
            axes.plot([low, high], [place, place], color=colour, linewidth=0.8)
            axes.plot([tenth, ninth], [place, place], color=colour, linewidth=3, alpha=0.5)
            axes.plot([middle], [place], color=colour, marker="o", markersize=3)
            ticks.append((place, bound.check))
        place += 1.5
    return ticks


def write(measured: LoosenessTable) -> None:
    """All three files."""
    quoted = [check for group in GROUPS for check in group.quoted]
    missing = [check for check in quoted if check not in {b.check for b in measured.bounds}]
    if missing:
        raise ValueError(f"the report has no looseness of {', '.join(missing)}")
    JSON.write_bytes(encode(measured))
    draw(measured, PICTURE)
    PAGE.write_text(page(measured))


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    says = "Make docs/looseness.json, .svg and .md from a report."
    parser = argparse.ArgumentParser(prog="python -m ptum.checks.suite.looseness", description=says)
    parser.add_argument("report", type=Path, help="what `ptum verify --json` wrote")
    try:
        report = whole(read(parser.parse_args(arguments).report))
    except ValueError as reason:
        parser.error(str(reason))
    write(measured_of(report))


def whole(report: Report) -> Report:
    """The report; ValueError if it is not of a whole run of this registry."""
    unknown = [result.check for result in report.results if result.check not in registry()]
    if unknown:
        raise ValueError(f"the report is of another version: it has {unknown[0]}")
    if report.footer.cut_short:
        raise ValueError("the report is cut short")
    return report


if __name__ == "__main__":
    main()
