"""Pictures of panels, by matplotlib (`ptum[plots]`): mean curves with shaded 99 % intervals."""

from __future__ import annotations

import importlib.util
import math
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ptum.checks.reproduce.panel import Axis, Panel
from ptum.checks.reproduce.results import PanelJson, VariantJson, said

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STYLES = (
    ("#0072b2", "-", "o"),
    ("#d55e00", "-.", "s"),
    ("#009e73", ":", "^"),
    ("#000000", (0, (5, 1, 1, 1, 1, 1)), "D"),
    ("#56b4e9", (0, (1, 3)), "v"),
)
"""Colours that colour-blind people tell apart (Okabe and Ito), lines and marks that print does."""
REPAIRED = ("#cc79a7", "--", "*")
"""Of a repaired algorithm, and of nothing else."""
OR_MORE = "≥ ↑"
"""Beside a number at which one stopped looking."""
WIDTH, HEIGHT = 5.5, 3.6
"""Of the picture without its caption, in inches."""
CAPTION, LINE = 8, 1.45
"""Size of the caption's letters in points, and of its lines in letters."""
LETTERS = 88
"""Of a line of the caption: as many as fit into the width."""
POINTS = 72
"""Of an inch."""
FEW_DECADES = 100.0
"""Below this ratio of its ends a logarithmic axis has plain numbers 1, 2, 5, 10, …"""
MISSING = "no pictures: matplotlib is not installed; `pip install 'ptum[plots]'` brings it"


def available() -> bool:
    """Whether pictures can be drawn."""
    return importlib.util.find_spec("matplotlib") is not None


def draw(panel: Panel, document: PanelJson, folder: Path) -> None:
    """PANEL.svg and PANEL.png of the default variant; the same numbers give the same bytes."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.ticker import FormatStrFormatter, LogLocator, NullFormatter

    default = document.variants[0]
    with rc_context({"svg.hashsalt": "ptum", "svg.fonttype": "none", "font.size": 9}):
        below = caption(document, panel.y_axis)
        more = (below.count("\n") + 1) * CAPTION * LINE / POINTS
        figure = Figure(figsize=(WIDTH, HEIGHT + more), layout="constrained")
        axes = figure.subplots()
        places = [_place(panel, x, default) for x in default.x]
        steps = panel.x_axis.steps
        styles = iter(STYLES)
        for curve, declared in zip(default.curves, panel.curves, strict=True):
            colour, line, mark = REPAIRED if declared.repaired else next(styles)
            drawn = axes.plot(
                places,
                curve.mean,
                label=curve.label,
                color=colour,
                linestyle=line,
                drawstyle=f"steps-{steps}" if steps else "default",
            )
            if panel.x_axis.names:
                drawn[0].set(linestyle="", marker=mark)
                for place, value in zip(places, curve.mean, strict=True):
                    if value >= panel.y_axis.most:
                        axes.annotate(OR_MORE, (place, value), (6, 0), textcoords="offset points")
            if curve.low is None or curve.high is None:
                continue
            low = drawable(curve.low, panel.y_axis)
            if panel.x_axis.names:
                axes.vlines(places, low, curve.high, color=colour)
            else:
                axes.fill_between(
                    places, low, curve.high, step=steps, color=colour, alpha=0.2, lw=0
                )
        axes.set_xlabel(panel.x_axis.label)
        axes.set_ylabel(panel.y_axis.label)
        if panel.x_axis.log:
            axes.set_xscale("log")
            axes.xaxis.set_minor_formatter(NullFormatter())
            if max(places) < FEW_DECADES * min(places):
                axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
                axes.xaxis.set_major_formatter(FormatStrFormatter("%g"))
            if min(default.x) == 0:
                _name_zero(axes, places)
        if panel.y_axis.log:
            axes.set_yscale("log")
        if panel.x_axis.names:
            axes.set_xticks(places, panel.x_axis.names, rotation=25, ha="right")
        if len(default.curves) > 1:
            figure.legend(loc="outside upper center", ncols=3, frameon=False, fontsize=8)
        axes.set_title(panel.title)
        figure.supxlabel(below, fontsize=CAPTION, x=0.01, ha="left")
        for ending, metadata in (("svg", {"Date": None, "Creator": None}), ("png", {})):
            figure.savefig(
                folder / f"{panel.id}.{ending}", format=ending, dpi=150, metadata=metadata
            )


def drawable(low: Sequence[float], axis: Axis) -> list[float]:
    """The lower ends of intervals; a t interval may reach below 0 where nothing can be."""
    return [end if axis.signed else max(end, 0.0) for end in low]


def _name_zero(axes: Axes, places: Sequence[float]) -> None:
    """Name the left end of a logarithmic axis, at which 0 is drawn; no ticks are next to it."""
    zero, *others = sorted(places)
    major, minor = (
        [tick for tick in axes.get_xticks(minor=it) if others[0] <= tick <= others[-1]]
        for it in (False, True)
    )
    powers = [f"$10^{{{math.log10(tick):.0f}}}$" for tick in major]
    axes.set_xticks([zero, *major], ["0", *powers])
    axes.set_xticks(minor, minor=True)


def _place(panel: Panel, x: float, variant: VariantJson) -> float:
    """Where an x is drawn: a logarithmic axis has no 0, which is drawn at its left end."""
    if not panel.x_axis.log or x > 0:
        return x
    return min(place for place in variant.x if place > 0) / 3


def caption(document: PanelJson, axis: Axis) -> str:
    """Runs, choices and findings, for below the picture."""
    default = document.variants[0]
    settled = ", ".join(f"{decision} {option}" for decision, option in default.options.items())
    lows = [curve.low for curve in default.curves if curve.low is not None]
    cut = ", cut at 0" if any(drawable(low, axis) != [*low] for low in lows) else ""
    intervals = f", 99 % Student t intervals{cut}" if lows else ""
    lines = [f"Mean of {default.runs} runs{intervals}; seed {document.seed}."]
    lines += [f"Choices: {settled}."] if settled else []
    lines += [f"{finding.finding}: {said(finding)}" for finding in default.findings]
    return "\n".join(line for text in lines for line in textwrap.wrap(text, LETTERS))
