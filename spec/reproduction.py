"""The panels that `ptum reproduce` runs, and how it settles what the paper leaves open.

What came after the first full run has a line of history. That the rest came before it is borne out
by the history of the code for Figures 2, 4 and 5 left alone.
Alternatives are varied one at a time from the default, never as a product, and only where a finding
may turn. Figure 5 right has none: what it leaves open, how often the chain fails, is its curves.
"""

from __future__ import annotations

from ptum.spec.records import Choice

PANELS = (
    "figure-1-left",
    "figure-1-right",
    "figure-2-left",
    "figure-2-right",
    "figure-3-left",
    "figure-3-middle",
    "figure-3-right",
    "figure-4-left",
    "figure-4-right",
    "figure-5-left",
    "figure-5-right",
)
"""All panels of the paper. The error probability of all findings is shared equally among them."""

FAMILY_WISE_ERROR = 0.01
"""Probability that any finding of any panel, with default choices, is wrong."""

_LATER = (
    "its alternatives were declared after the first full run with the defaults, which are as they "
    "were, and before any full run of an alternative",
)

CHOICES: tuple[Choice, ...] = (
    Choice("figure-1-left", "D69", "twelve-goals", ("three-goals", "one-goal")),
    Choice("figure-1-left", "D68", "in-goal", ("at-goal",)),
    Choice("figure-1-left", "D73", "step", ("episode",)),
    Choice("figure-1-right", "D109", "random", ("certain",)),
    Choice("figure-1-right", "D70", "two-variable", ("wide", "all-stable")),
    Choice("figure-2-left", "D59", "linear", ("geometric", "printed")),
    Choice("figure-2-left", "D55", "matched", ("as-they-come",)),
    Choice("figure-2-left", "D77", "any-loss", ("half-epsilon",)),
    Choice("figure-2-left", "D80", "20000", ("2000",)),
    Choice("figure-3-left", "D68", "in-goal", ("at-goal", "on-arrival")),
    Choice("figure-3-left", "D66", "thin", ("thick",)),
    Choice("figure-3-middle", "D68", "in-goal", ("at-goal", "on-arrival")),
    Choice("figure-3-right", "D68", "in-goal", ("at-goal", "on-arrival")),
    Choice("figure-4-left", "D81", "spaced", ("random",), _LATER),
    Choice("figure-4-left", "D59", "linear", ("printed",), _LATER),
    Choice("figure-4-left", "D77", "any-loss", ("half-epsilon",), _LATER),
    Choice("figure-5-left", "D81", "spaced", ("random",), _LATER),
    Choice("figure-5-left", "D59", "linear", ("printed",), _LATER),
)


def choices(panel: str) -> tuple[Choice, ...]:
    """Those of one panel; right panels of Figures 2 and 4 show the runs of the left ones."""
    return tuple(choice for choice in CHOICES if choice.panel == panel)
