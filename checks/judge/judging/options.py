"""The choices that several capabilities share, in the words of the report."""

from __future__ import annotations

from ptum.checks.judge.judging.readings import PRINTED, Option

FOUR, SINGLE = Option("D02", "four constants"), Option("D02", "single Δ")
ALL, ACTIVE = Option("D10", "every θ' given"), Option("D10", "active θ' only")
THRESHOLD = Option(PRINTED.choice, PRINTED.option, "E01")
"""The printed line 2; `readings.REPAIRED` is the other option."""
FAILURE = Option("D53", "failure declared")
GOES_ON = Option("D53", "failure not always declared")
