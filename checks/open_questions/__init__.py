"""Four questions that the repaired theory left open, attacked: docs/open_questions.md.

Each module builds the best instances known, verifies them without rounding where that is possible,
and has an attack that looks for better ones.
"""

from __future__ import annotations

from checks.open_questions import constants, empirical_bernstein, literal_deviation, threshold

CHECKS = (
    *empirical_bernstein.CHECKS,
    *threshold.CHECKS,
    *literal_deviation.CHECKS,
    *constants.CHECKS,
)
