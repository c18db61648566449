"""The mass rule, which repairs Theorem 3 (E36): which sets of tasks it may drop.

A set E is dropped if max_{θ'∈Θ̄_h} Σ_{θ∈E} T̂_h(θ,θ') + √|E| e^T_h ≤ η. The repair allows any such
set (D90). So that code which never drops anything does not pass for it, a set has to be one that
taking tasks in some order leads to: the least likely first until one does not fit, or one that no
further task fits into.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ptum.checks.judge.judging.items import Item
from ptum.checks.judge.judging.readings import Finding, Option
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.repaired.sequential.prediction import PerStep

LEAST_FIRST = Option("D90", "smallest predicted probability first")
ANY_ORDER = Option("D90", "fixed order")

MASS = Item(
    "Theorem 3 repaired, max_{θ'∈Θ̄_h} Σ_{θ∈E} T̂_h(θ,θ') + √|E| e^T_h ≤ η", "theorem-3:mass rule"
)


@dataclass(frozen=True, eq=False)
class Mass:
    """The inputs of the rule."""

    T_hat: Floats
    theta_bar: tuple[int, ...]
    eta: float
    e_T: float

    @property
    def k(self) -> int:
        """Number of tasks."""
        return len(self.T_hat)

    @property
    def meaningful(self) -> bool:
        """Whether columns are distributions and something is known of task h."""
        sums = np.abs(self.T_hat.sum(axis=0) - 1)
        return bool(self.theta_bar and np.all(self.T_hat >= 0) and np.all(sums <= self._rounding))

    @property
    def likeliest(self) -> Floats:
        """max_{θ'∈Θ̄_h} T̂_h(θ,θ') for every θ."""
        found: Floats = self.T_hat[:, list(self.theta_bar)].max(axis=1)
        return found

    def of(self, dropped: Sequence[int]) -> float:
        """The mass of a set."""
        if not dropped:
            return 0.0
        columns = self.T_hat[list(dropped)][:, list(self.theta_bar)]
        return float(columns.sum(axis=0).max()) + math.sqrt(len(dropped)) * self.e_T

    def margin(self, dropped: Sequence[int]) -> float:
        """η minus the mass; 0 also where rounding alone makes them differ."""
        left = self.eta - self.of(dropped)
        return 0.0 if abs(left) <= self._rounding else left

    def fits(self, dropped: Sequence[int]) -> bool:
        """Whether a set may be dropped; one task always stays."""
        return len(dropped) < self.k and self.margin(dropped) >= 0

    @property
    def _rounding(self) -> float:
        size = float(np.abs(self.T_hat).sum(axis=0).max()) + self.eta + self.k * self.e_T
        return 16 * self.k * ROUNDING * size


def wrong_mass(mass: Mass, kept: tuple[int, ...], order: Option) -> Finding | None:
    """What is wrong with a set of kept labels, when tasks are dropped in this order."""
    dropped = [theta for theta in range(mass.k) if theta not in kept]
    if not mass.meaningful:
        return None if not dropped else _finding("all labels: T̂_h predicts nothing", kept)
    if not mass.fits(dropped):
        text = f"a dropped mass of at most η = {mass.eta:.9g}, not {mass.of(dropped):.9g}"
        return _finding(text, kept)
    more = [theta for theta in kept if mass.fits([*dropped, theta])]
    if order == LEAST_FIRST:
        return _wrong_order(mass, kept, dropped, more)
    if more:
        return _finding(f"task {more[0]} dropped too: {_compared(mass, [*dropped, more[0]])}", kept)
    return None


def _wrong_order(
    mass: Mass, kept: tuple[int, ...], dropped: list[int], more: list[int]
) -> Finding | None:
    """Unlikely tasks first, ties in any order, until one does not fit."""
    likely = mass.likeliest
    least = min(likely[theta] for theta in kept)
    skipped = [theta for theta in dropped if likely[theta] > least]
    if skipped:
        return _finding(f"task {skipped[0]} kept: a less likely one is", kept)
    following = [theta for theta in kept if likely[theta] <= least]
    if all(theta in more for theta in following):
        compared = _compared(mass, [*dropped, following[0]])
        return _finding(f"task {following[0]} dropped too: {compared}", kept)
    return None


def _compared(mass: Mass, dropped: list[int]) -> str:
    return f"{mass.of(dropped):.9g} against η = {mass.eta:.9g}"


def _finding(expected: str, kept: tuple[int, ...]) -> Finding:
    return Finding(MASS, "next set", expected, f"kept are {list(kept)}")


# Conforming implementations


def least_first(mass: Mass) -> list[int]:
    """`ptum.reference.repaired.sequential.prediction`; all labels where it has no meaning."""
    if not mass.meaningful:
        return list(range(mass.k))
    return list(PerStep(mass.eta)(mass.T_hat, mass.theta_bar, e_T=mass.e_T))


def from_the_last(mass: Mass) -> list[int]:
    """Labels from the last to the first; each is dropped if it still fits."""
    dropped: list[int] = []
    for theta in reversed(range(mass.k)):
        if mass.meaningful and mass.fits([*dropped, theta]):
            dropped.append(theta)
    return [theta for theta in range(mass.k) if theta not in dropped]
