"""docs/reproduction.md, made from the results in docs/reproduction/ alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean

import numpy as np

from ptum.checks.reproduce.findings import NotDefined, NotSaid, Test
from ptum.checks.reproduce.panel import Axis, Lost, Panel
from ptum.checks.reproduce.panels import PANELS
from ptum.checks.reproduce.panels.sequence_numbers import VARIANTS, slope
from ptum.checks.reproduce.results import FindingJson, PanelJson, VariantJson, estimated, read, said
from ptum.checks.text.markdown import MADE, linked, markdown_table, quoted, record_link

HOME = Path(__file__).resolve().parents[2] / "docs" / "reproduction"

HALF = 0.5
"""From a larger share of runs on that ended too early, an alternative is not compared."""
SETTLED = "settled_"
"""How numbers begin that say when a learner has settled."""
LOST = (
    "variant",
    "target missing",
    "step of the chain",
    "end of PTUM",
    "policies",
    "mean loss",
    "tasks that the miss lasted, mean",
)

INTRODUCTION = """# The experiments, run again

The paper's figures are not in the source that this project has, so every finding here is about a
sentence of the paper, none about a curve of it. The code is ours throughout: domains, baselines and
schedules as Section 6 and Appendix E describe them (`reference/experiments`), and what they leave
open is settled by decisions (`ptum show D69`). `ptum reproduce all --jobs 2` makes these results
again; `docs/reproduction/` has their numbers (`ptum schema panel`) and the machine. With its BLAS
kernel, numpy and scipy the first two runs of every panel come out again in all six digits that are
kept. Elsewhere numbers agree within 1e-5 of themselves, unless rounding turns a decision: the pair
with the largest index, a test of line 12 or 14, the best action, the cheapest labels. It has turned
none on three other kernels; a test allows it in one of the two runs.

Choices and tests were declared before the first full run of their panel. The history of the code
bears this out for Figures 2, 4 and 5 left alone, whose tests were committed before their results;
those of the other panels came in one commit with the code and the results. While the code was
written, a few runs with other seeds were looked at. What was changed after a look at results is
said below. A test has two sides, `shown` and `contradicted`; where neither is significant the
finding is `undecided`. What is `described` is a number of ours beside a sentence of the paper,
which does not say it; it is not tested. Every panel of the paper has an equal share of the error
probability 0.01, and Holm's procedure divides it among both sides of all tests of the panel: the
probability that any finding here is wrong is at most 0.01, under the default choices and as far as
t tests of so many runs are exact. Of a sentence that says all, never or nowhere, tested by "0 in
every run", `shown` finds no more than that it fails in fewer than 10 % of runs; one run contradicts
it. A sentence that is contradicted here is contradicted under these choices, which is no mistake of
the paper: its authors may have chosen otherwise. Alternatives are varied one at a time, 20 runs
each, and only described.

A dashed curve is the repaired algorithm on the same tasks, which no test is about. Figures 1 and 3
have none: models are exact there, and the repaired Algorithm 1 takes the same samples, except that
for Δ > (1-γ)ε/(18(1+γ)), in Figure 3 right, it takes none and falls back.
"""


@cache
def documents() -> list[PanelJson]:
    """All results that are kept, in the order of the paper."""
    return [read(path) for name in PANELS if (path := HOME / f"{name}.json").exists()]


def of_part(part: str) -> list[tuple[str, FindingJson]]:
    """What was found of a part of the ledger, each with its panel."""
    return [
        (document.panel, finding)
        for document in documents()
        for finding in document.variants[0].findings
        if finding.id.partition("/")[0] == part
    ]


def page(results: list[PanelJson] | None = None) -> str:
    """The page, of the results that are kept or of others."""
    found = documents() if results is None else results
    sections = [section(PANELS[document.panel], document) for document in found]
    return MADE + "\n".join([INTRODUCTION, _summary(found), *sections])


def _summary(found: list[PanelJson]) -> str:
    rows = [
        (f"[{document.panel}](#{document.panel})", f"`{finding.finding}`", said(finding))
        for document in found
        for finding in document.variants[0].findings
    ]
    return markdown_table(("panel", "finding", "sentence"), rows)


def section(panel: Panel, document: PanelJson) -> str:
    """One panel: picture, what the paper says, what was found, under which choices."""
    default, *others = document.variants
    pieces = [
        f"## {panel.id}\n",
        f"![{panel.title}](reproduction/{panel.id}.svg)\n",
        *([f"**The paper says:** {linked(panel.says)}\n"] if panel.says else []),
        f"**Here:** {linked(panel.notes)} Mean of {default.runs} runs, seed {document.seed}.\n",
    ]
    if default.findings:
        header = ("sentence", "test", "estimate (99 % interval)", "finding")
        pieces.append(markdown_table(header, [_row(finding) for finding in default.findings]))
    if any(declared.seen for declared in panel.declared):
        pieces.append(_never(panel, default))
    if any(f"slope_{VARIANTS[0]}" in finding.test for finding in default.findings):
        pieces.append(_slopes(default))
    if panel.x_axis.names:
        pieces.append(_named(panel, default))
    if default.lost:
        pieces.append(_lost(default))
    if document.choices:
        pieces.append(_choices(panel, document, others))
    pieces += [f"Changed after a look at results: {linked(line)}\n" for line in document.history]
    return "\n".join(pieces)


def _named(panel: Panel, default: VariantJson) -> str:
    """The curves as a table, where places have names."""
    rows = [
        (name, *(_at_least(curve.mean[place], panel.y_axis) for curve in default.curves))
        for place, name in enumerate(panel.x_axis.names)
    ]
    return markdown_table(("mean", *(curve.label for curve in default.curves)), rows)


def _at_least(value: float, axis: Axis) -> str:
    return f"{'≥ ' * (value >= axis.most)}{value:.4g}"


def _row(finding: FindingJson) -> tuple[str, ...]:
    part, _, _ = finding.id.partition("/")
    says = f"{finding.says} ({quoted(part)})"
    return (says, finding.test, estimated(finding), f"**{finding.finding}**")


def _lost(default: VariantJson) -> str:
    """Policies that are not ε-optimal, by why."""
    kinds: dict[tuple[str, ...], list[Lost]] = {}
    for lost in (lost for run in default.lost for lost in run):
        why = (lost.variant, "yes" if lost.missing else "no", lost.step, lost.end)
        kinds.setdefault(why, []).append(lost)
    rows = [
        (*why, str(len(same)), _mean(lost.loss for lost in same), _mean(x.lasted for x in same))
        for why, same in sorted(kinds.items())
    ]
    all_policies = len(default.lost) * len(default.x)
    text = f"Policies that are not ε-optimal, of {all_policies} of each variant, and why:"
    return f"{text}\n\n{markdown_table(LOST, rows)}" if rows else "All are ε-optimal.\n"


def _mean(values: Iterable[float]) -> str:
    return f"{fmean(values):.3g}"


def _choices(panel: Panel, document: PanelJson, others: list[VariantJson]) -> str:
    """What is settled how, and the estimates of every alternative beside those of the default."""
    settled = [
        f"{record_link(choice.decision)}: {choice.default} (or {', '.join(choice.alternatives)})"
        for choice in document.choices
    ]
    text = f"Choices: {'; '.join(settled)}.\n"
    changed: dict[str, list[str]] = {}
    for choice in document.choices:
        for line in choice.history:
            changed.setdefault(line, []).append(record_link(choice.decision))
    text += "".join(
        f"\nChanged after a look at results, {', '.join(decisions)}: {linked(line)}\n"
        for line, decisions in changed.items()
    )
    if not others:
        return text
    header = ("estimates", "default", *(variant.name for variant in others))
    columns = [document.variants[0], *others]
    rows = [
        (found.says, *(estimated(variant.findings[i]) for variant in columns))
        for i, found in enumerate(document.variants[0].findings)
    ]
    turned = "".join(
        f"\n{line}\n" for variant in others for line in _turned(panel, document, variant)
    )
    return f"{text}\n{markdown_table(header, rows)}{turned}"


def _turned(panel: Panel, document: PanelJson, variant: VariantJson) -> list[str]:
    """Sentences of which an alternative says the opposite, with its whole interval.

    Where most runs ended too early to see it, that is said instead.
    """
    found, unseen = [], dict[str, list[str]]()
    for declared, here, there in zip(
        panel.declared, document.variants[0].findings, variant.findings, strict=True
    ):
        if not opposite(declared.test, here, there):
            continue
        if declared.seen and _share_never(panel, variant, declared.seen) > HALF:
            unseen.setdefault(declared.seen, []).append(there.says)
        else:
            found.append(
                f"{there.says}: {estimated(there)}, where the default has {estimated(here)}"
            )
    turned = f"With {variant.name} it is the other way around: {'; '.join(found)}."
    return [turned] * bool(found) + [
        f"With {variant.name} `{name}` is {panel.never:g}, never within the run, in "
        f"{_share_never(panel, variant, name):.0%} of runs, so nothing is compared with the "
        f"default of these: {'; '.join(sentences)}."
        for name, sentences in unseen.items()
    ]


def _slopes(default: VariantJson) -> str:
    """What slopes are without the first task, which starts from all models.

    A slope is linear in its curve: that of the mean curve is the mean of those of the runs.
    """
    curves = [curve for curve in default.curves if curve.name in VARIANTS]
    slopes = [
        f"{_slope(curve.mean):.3g} to {_slope(curve.mean[1:]):.3g} for the {curve.label} variant "
        f"({curve.mean[0]:.3g} at the first task, {curve.mean[1]:.3g} at the second)"
        for curve in curves
    ]
    return (
        "The first transfer task starts from all models, which makes much of the slope of the "
        "sequential variant. Without it the slope of the mean curve goes from "
        f"{', and from '.join(slopes)}; not tested.\n"
    )


def _slope(curve: Sequence[float]) -> float:
    return slope(np.array(curve))


def _never(panel: Panel, default: VariantJson) -> str:
    """In how many runs a learner never came so far."""
    shares = [
        f"`{name}` in {_share_never(panel, default, name):.0%}"
        for name in default.numbers
        if name.startswith(SETTLED)
    ]
    return f"{panel.never:g} stands for never within the run: {', '.join(shares)} of runs.\n"


def _share_never(panel: Panel, variant: VariantJson, name: str) -> float:
    return fmean(value == panel.never for value in variant.numbers[name])


def opposite(test: Test, here: FindingJson, there: FindingJson) -> bool:
    """Whether the sentence is true of one estimate, and of nothing in the other's interval."""
    if isinstance(test, NotDefined | NotSaid) or here.estimate is None:
        return False
    ends = [-math.inf if there.low is None else there.low]
    ends.append(math.inf if there.high is None else there.high)
    return all(test.so(end) != test.so(here.estimate) for end in ends)
