"""What a panel comes to, as JSON: means and intervals of curves, numbers of all runs, findings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numpy as np

from ptum.checks.reproduce.findings import IN_NONE, Found, NotSaid, Share, findings, t_interval
from ptum.checks.reproduce.panel import DEFAULT, Curve, Lost, Measured, Panel
from ptum.checks.text.machine import Machine
from ptum.checks.text.schema_docs import means, shaped
from ptum.spec.reproduction import choices

SCHEMA: Literal["ptum-panel/1"] = "ptum-panel/1"
DIGITS = 6
"""Significant digits of what is written; intervals are wider than that by far."""


class ChoiceJson(msgspec.Struct, frozen=True, kw_only=True):
    """How an open point is settled."""

    decision: Annotated[str, means("id of the decision")]
    default: Annotated[str, means("the option of the default variant")]
    alternatives: Annotated[list[str], means("other options, each a variant of its own")]
    history: Annotated[list[str], means("what was changed after a look at results")]


class CurveJson(msgspec.Struct, frozen=True, kw_only=True):
    """Mean over runs and 99 % Student t interval at every x; no interval where nothing varies."""

    name: Annotated[str, means("short name")]
    label: Annotated[str, means("name in the picture")]
    mean: Annotated[list[float], means("mean over runs")]
    low: Annotated[list[float] | None, means("lower ends of the intervals")]
    high: Annotated[list[float] | None, means("upper ends of the intervals")]


class FindingJson(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence of the paper, its declared test, and what the runs say."""

    id: Annotated[str, means("part of the ledger, and what is asked of it")]
    says: Annotated[str, means("the sentence, in our words; `described`: ours")]
    test: Annotated[str, means("how it is tested; `history` says what was changed later")]
    estimate: Annotated[float | None, means("mean, or share of runs; null where none is defined")]
    low: Annotated[float | None, means("lower end of its 99 % interval; null if infinite")]
    high: Annotated[float | None, means("upper end of its 99 % interval; null if infinite")]
    unit: Annotated[str, means("of the estimate and its interval")] = ""
    p_shown: Annotated[float | None, means("p-value of the side `shown`")]
    p_contradicted: Annotated[float | None, means("p-value of the side `contradicted`")]
    finding: Annotated[
        Literal["shown", "contradicted", "undecided", "not-defined", "described"] | None,
        means("what follows; null for alternatives, which are descriptive"),
    ]


class VariantJson(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One way to settle all choices."""

    name: Annotated[str, means("default, or the choice that differs from it")]
    options: Annotated[dict[str, str], means("option of every choice, by decision")]
    runs: Annotated[int, means("number of runs")]
    x: Annotated[list[float], means("places of the curves")]
    curves: Annotated[list[CurveJson], means("the curves")]
    numbers: Annotated[dict[str, list[float]], means("numbers of every run, in their order")]
    findings: Annotated[list[FindingJson], means("in the order of their declaration")]
    lost: Annotated[
        list[list[Lost]],
        means("policies that are not ε-optimal, a list for every run; absent if nobody looked"),
    ] = []


class PanelJson(msgspec.Struct, frozen=True, kw_only=True):
    """Output of `ptum reproduce`: PANEL.json."""

    schema: Annotated[Literal["ptum-panel/1"], means("name and version of this format")]
    ptum: Annotated[str, means("version of ptum")]
    panel: Annotated[str, means("id of the panel")]
    revision: Annotated[int, means("counts changes of what a run measures")]
    seed: Annotated[int, means("seed of all runs; each derives its own from it")]
    machines: Annotated[
        list[Machine], means("where it ran: one, or those of a cluster; empty if not known")
    ]
    title: Annotated[str, means("what the panel shows")]
    parameters: Annotated[dict[str, float | int | str], means("as the paper gives them")]
    choices: Annotated[list[ChoiceJson], means("what it leaves open")]
    history: Annotated[list[str], means("what was changed after a look at results")]
    variants: Annotated[list[VariantJson], means("the default, then alternatives")]


def panel_json(panel: Panel, seed: int, measured: Mapping[str, Sequence[Measured]]) -> PanelJson:
    """The document of a panel from the runs of its variants, in their order."""
    return PanelJson(
        schema=SCHEMA,
        ptum=version("ptum"),
        panel=panel.id,
        revision=panel.revision,
        seed=seed,
        machines=_machines([run for runs in measured.values() for run in runs]),
        title=panel.title,
        parameters=dict(panel.parameters),
        choices=[shaped(ChoiceJson, choice) for choice in choices(panel.units)],
        history=list(panel.history),
        variants=[_variant(panel, name, runs) for name, runs in measured.items()],
    )


def _machines(runs: Sequence[Measured]) -> list[Machine]:
    """Every one once, in an order that does not depend on who was faster."""
    found = {msgspec.json.encode(run.machine): run.machine for run in runs if run.machine}
    known = all(run.machine for run in runs)
    return [found[key] for key in sorted(found)] if known else []


def _variant(panel: Panel, name: str, runs: Sequence[Measured]) -> VariantJson:
    tested, there = name == DEFAULT, runs[0].numbers
    kept = [key for key in panel.numbers or there if tested or key in there]
    numbers = {key: [float(run.numbers[key]) for run in runs] for key in kept}
    options = panel.variants()[name]
    return VariantJson(
        name=name,
        options=dict(options),
        runs=len(runs),
        x=_short(panel.x(options)),
        curves=[_curve(curve, runs) for curve in panel.curves if tested or not curve.repaired],
        numbers={key: _short(values) for key, values in numbers.items()},
        findings=[_finding(found, tested) for found in findings(panel.declared, numbers)],
        lost=[[_rounded_loss(lost) for lost in run.lost] for run in runs] if panel.explains else [],
    )


def _curve(curve: Curve, runs: Sequence[Measured]) -> CurveJson:
    values = np.array([run.curves[curve.name] for run in runs], dtype=np.float64)
    mean, low, high = zip(*(t_interval(column) for column in values.T), strict=True)
    several = len(runs) > 1 and curve.band
    return CurveJson(
        name=curve.name,
        label=curve.label,
        mean=_short(mean),
        low=_short(low) if several else None,
        high=_short(high) if several else None,
    )


def _finding(found: Found, tested: bool) -> FindingJson:
    declared, sides = found.declared, found.sides
    judged = tested and not isinstance(declared.test, NotSaid)
    return FindingJson(
        id=declared.id,
        says=declared.says,
        test=declared.test.text(),
        estimate=None if sides is None else rounded(sides.estimate),
        low=None if sides is None else _finite(sides.low),
        high=None if sides is None else _finite(sides.high),
        unit=declared.test.unit,
        p_shown=rounded(sides.shown) if sides and judged else None,
        p_contradicted=rounded(sides.contradicted) if sides and judged else None,
        finding=found.finding.value if tested else None,
    )


def _rounded_loss(lost: Lost) -> Lost:
    return msgspec.structs.replace(lost, loss=rounded(lost.loss))


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else rounded(value)


def _short(values: Sequence[float]) -> list[float]:
    return [rounded(value) for value in values]


def rounded(value: float) -> float:
    """As it is written."""
    return float(f"{value:.{DIGITS}g}")


def estimated(finding: FindingJson) -> str:
    """The estimate, its unit and its interval, for people."""
    if finding.estimate is None:
        return "none"
    if finding.unit == Share.unit:  # that do as the sentence says, or do not
        so = "not so" if IN_NONE in finding.test else "so"
        seen = (finding.estimate, finding.low, finding.high)
        share, *ends = (f"{100 * x:.3g}%" for x in seen if x is not None)
        return f"{so} in {share} of runs ({' to '.join(ends)})"
    low = "-∞" if finding.low is None else f"{finding.low:.4g}"
    high = "∞" if finding.high is None else f"{finding.high:.4g}"
    return f"{finding.estimate:.4g} {finding.unit} ({low} to {high})".replace("  ", " ")


def said(finding: FindingJson) -> str:
    """The sentence; if it is described alone, with its estimate."""
    ours = finding.finding == "described"
    return f"{finding.says}: {estimated(finding)}" if ours else finding.says


def smaller_p(finding: FindingJson) -> str:
    """The smaller one of both p-values; 0 only where one run is enough to contradict."""
    sides = [p for p in (finding.p_shown, finding.p_contradicted) if p is not None]
    if not sides:
        return "-"
    underflow = min(sides) == 0 and IN_NONE not in finding.test
    return "<1e-300" if underflow else f"{min(sides):.2g}"


def encoded(document: PanelJson) -> bytes:
    """A line for every list of numbers would be too long to read: indented, but for those."""
    lines = ",\n  ".join(
        f"{msgspec.json.encode(name).decode()}: {_indented(name, value)}"
        for name, value in msgspec.to_builtins(document).items()
    )
    return f"{{\n  {lines}\n}}\n".encode()


def _indented(name: str, value: object) -> str:
    if name != "variants" or not isinstance(value, list):
        return msgspec.json.encode(value).decode()
    return (
        "[\n    " + ",\n    ".join(msgspec.json.encode(item).decode() for item in value) + "\n  ]"
    )


def read(path: Path) -> PanelJson:
    """A document that was written before; ValueError if it is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=PanelJson)
    except msgspec.MsgspecError as reason:
        raise ValueError(f"{path} is no file of `ptum reproduce`: {reason}") from reason
