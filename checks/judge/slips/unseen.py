"""Slips of a step that no case of `ptum` shows; a test holds that this is so.

`equivalent`: in a run the slip changes nothing. `needs a case`: it does, but no case meets it
(`confidence_set` has one for each of these).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

UNSEEN: Mapping[str, str] = MappingProxyType(
    {
        "ptum/latest-pair-only": "equivalent: line 12 follows every sample, so one pair is new",
        "ptum/symmetric-information": "equivalent: lines 16-17 look at both orders of two models",
        "ptum/values-of-those-left": (
            "needs a case: two models fall in one iteration, the later one by values of the earlier"
        ),
        "ptum/finite-at-one-sample": (
            "equivalent: with L ≥ log 8 a width at one sample, with 1 for N - 1, is at least "
            "√(2L) > 2 times the range, so that no model fails"
        ),
        "ptum/infinite-at-two-samples": (
            "equivalent: with L ≥ log 8 a width at two samples is at least √(2L) > 2 times the "
            "range, so that no model fails"
        ),
    }
)
