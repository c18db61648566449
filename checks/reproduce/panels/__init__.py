"""One module per figure; `PANELS` has every panel that can be run, by its id."""

from __future__ import annotations

from ptum.checks.reproduce.panel import Panel
from ptum.checks.reproduce.panels import (
    figure_1_left,
    figure_1_right,
    figure_2,
    figure_3,
    figure_4,
    figure_5_left,
    figure_5_right,
    repairs,
)

PANELS: dict[str, Panel] = {
    panel.id: panel
    for panel in (
        figure_1_left.PANEL,
        figure_1_right.PANEL,
        figure_2.LEFT,
        figure_2.RIGHT,
        figure_3.LEFT,
        figure_3.MIDDLE,
        figure_3.RIGHT,
        figure_4.LEFT,
        figure_4.RIGHT,
        figure_5_left.PANEL,
        figure_5_right.PANEL,
        repairs.REPAIRS,
        repairs.CONSTANTS,
    )
}
