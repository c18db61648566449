"""Pictures of runs and of policies; needs matplotlib: `pip install "ptum[plots]"`.

Every function draws on the axes that it is given, or on new ones, and returns them:
`ptum.plots.eliminations(run).figure.savefig("run.svg")`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ptum.reference.errors import InputError, require
from ptum.reference.experiments import grid
from ptum.reference.transfer.ptum import PtumResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def eliminations(run: PtumResult, ax: Axes | None = None) -> Axes:
    """How many models are left after how many queries, each fall with the number of its model."""
    ax = _axes(ax)
    k = len(run.active) + len(run.eliminations)
    t = [0, *(e.t - 1 for e in run.eliminations), run.queries]
    left = [k - fallen for fallen in range(len(run.eliminations) + 1)]
    ax.step(t, [*left, left[-1]], where="post")
    for fallen, e in enumerate(run.eliminations, start=1):
        ax.annotate(
            f"model {e.theta}",
            (e.t - 1, k - fallen),
            textcoords="offset points",
            xytext=(-4, 4),
            ha="right",
            fontsize="small",
        )
    ax.set(xlabel="queries", ylabel="models left", ylim=(0, k + 0.5), title=f"{run.end}")
    ax.set_yticks(range(k + 1))
    return ax


def grid_policy(
    policy: npt.ArrayLike,
    rows: int,
    columns: int,
    moves: Sequence[tuple[int, int]] = grid.STEPS,
    first_row: str = "bottom",
    ax: Axes | None = None,
) -> Axes:
    """A policy as arrows; state s stands in row s // columns, column s % columns.

    Row 0 is the `first_row` at the "bottom", as in the paper's grids, or at the "top". `moves` has
    the step (row, column) of every action, by default up, down, right and left; a step of (0, 0) is
    drawn as a dot. States from rows · columns on, as one in which episodes end, are left out.
    """
    actions = np.asarray(policy)
    require(actions.ndim == 1, "policy", "must have one action for each state", value=actions.shape)
    cells = rows * columns
    require(rows >= 1 and columns >= 1, "rows, columns", "must be at least 1", value=cells)
    require(cells <= actions.size, "policy", f"needs at least {cells} states", value=actions.size)
    if not np.all((actions[:cells] >= 0) & (actions[:cells] < len(moves))):
        raise InputError("policy", f"its actions must be below {len(moves)}, as many as moves")
    known = ("bottom", "top")
    require(first_row in known, "first_row", f"must be one of {', '.join(known)}", value=first_row)
    ax = _axes(ax)
    steps = np.array(moves, dtype=float)[actions[:cells]]
    y, x = np.divmod(np.arange(cells), columns)
    ax.quiver(x, y, steps[:, 1], steps[:, 0], angles="xy", scale_units="xy", scale=1.6, pivot="mid")
    low, high = (-0.5, rows - 0.5) if first_row == "bottom" else (rows - 0.5, -0.5)
    ax.set(xlim=(-0.5, columns - 0.5), ylim=(low, high), aspect="equal")
    ax.set_xticks(range(columns))
    ax.set_yticks(range(rows))
    return ax


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as missing:
        raise ImportError('pictures need matplotlib: pip install "ptum[plots]"') from missing
    return Figure(layout="constrained").add_subplot()
