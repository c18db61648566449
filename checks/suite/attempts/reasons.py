"""What a deep search tries to break, and how close it came.

Every part that holds or is unproved has a stored attempt, and `ptum show` prints how close it came.
Readings that hold have one too, unless they speak of one instance, which leaves nothing to draw.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from ptum.checks.verdicts.attempts import checks_with_attempts, examples_searched, stored

ONE_INSTANCE = MappingProxyType(
    {
        "lemma-3.coverage.std-of-approximate-value": (
            "named problems, each with its exact probability; on drawn ones runs are counted"
        ),
        "text-almost-deterministic.transitions.figure-2": "two experiments of the paper",
        "text-copies-hard.trivial-otherwise.name": "the items of one list",
        "text-informative-goals.ptum-samples.paid-for-ever": "the grid of the experiment",
        "text-top-three.robust.known-chain": "the chain of the experiment",
    }
)
"""Readings that hold, are looked at on one instance or a list, and why that is all there is."""

FEW_INSTANCES = MappingProxyType(
    {
        "text-eigenvalues-of-covariances.full-expressions/symbols": (
            "the four constants, each alone and all together, all looked at"
        ),
        "text-eleven-items.count/zero-is-empty": "one list on three scales, all looked at",
        "text-eta-keeps-models.arithmetic/transfer-phase": (
            "every h of the transfer phase, all looked at"
        ),
        "text-known-threshold-below-theory.below/accurate-rewards": (
            "both panels of Figure 1 with four values of δ, all looked at"
        ),
        "text-milder-than-gaps.milder/any-gap": "twelve gaps, from 1/10 to 10^-12, drawn 12 times",
        "theorem-2.uniform/series": "six partial sums, of 1 up to 10^5 terms, all looked at",
    }
)
"""Checks that a search exhausts or nearly does, and what there is to look at."""


@dataclass(frozen=True)
class Closest:
    """Observed/bound of the closest attempt of a check, and how many examples were searched."""

    ratio: float
    examples: int

    def __str__(self) -> str:
        return f"{self.ratio:.6g} of the bound in {self.examples} examples"


def closest(part: str) -> dict[str, Closest]:
    """For each check of the part that has stored attempts, the closest one."""
    checks = [check for check in checks_with_attempts() if check.partition("/")[0] == part]
    return {check: closest_of(check) for check in checks}


def closest_of(check: str) -> Closest:
    """The closest stored attempt of a check that has some."""
    return Closest(max(attempt.ratio for attempt in stored(check)), examples_searched(check))
