"""Slips in choosing the pair to query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.judging.items import DEFINITION_1, LINE_18, LINES_16_AND_17, Item
from ptum.checks.judge.slips import Bad
from ptum.checks.judge.slips.transfer import information
from ptum.checks.judge.slips.transfer.information import PlainInformation
from ptum.reference.arrays import Floats, Ints

Choice = Callable[[PlainInformation, list[int]], Floats]
"""An index [s][a] from the pieces of Definition 1 and the active models."""


def _choosing(
    index: Choice,
    best: Callable[[Floats], np.intp] = np.argmax,
    slip: type[PlainInformation] = PlainInformation,
) -> Implementation:
    """The first pair that is best by this index."""

    def answer(
        models: Sequence[Mapping[str, Floats]],
        gamma: float,
        errors: Mapping[str, float],
        active: Ints,
    ) -> tuple[int, int]:
        I_t = index(slip(models, gamma, errors), active.tolist())
        s, a = divmod(int(best(I_t)), I_t.shape[1])
        return s, a

    return answer


def _largest(of: PlainInformation, active: list[int]) -> Floats:
    """The right index."""
    largest: Floats = of.table()[np.ix_(active, active)].max(axis=(0, 1))
    return largest


def _average(of: PlainInformation, active: list[int]) -> Floats:
    mean: Floats = of.table()[np.ix_(active, active)].mean(axis=(0, 1))
    return mean


def _smallest(of: PlainInformation, active: list[int]) -> Floats:
    """min over pairs of different models, as a cautious rule would have it."""
    table = of.table()
    rows = [table[i, j] for i in active for j in active if i != j]
    return np.min(rows, axis=0) if rows else np.zeros(table.shape[2:])


def _all_models(of: PlainInformation, active: list[int]) -> Floats:
    """Eliminated models count as well."""
    del active
    return _largest(of, list(range(of.models.k)))


def _one_order(of: PlainInformation, active: list[int]) -> Floats:
    """Only θ before θ'."""
    table, order = of.table(), sorted(active)
    rows = [table[i, j] for place, i in enumerate(order) for j in order[place:]]
    largest: Floats = np.max(rows, axis=0)
    return largest


def _neighbours(of: PlainInformation, active: list[int]) -> Floats:
    """Every model against the next one only."""
    table, order = of.table(), sorted(active)
    rows = [np.maximum(table[i, j], table[j, i]) for i, j in pairwise(order)]
    return np.max(rows, axis=0) if rows else np.zeros(table.shape[2:])


def _against_the_first(of: PlainInformation, active: list[int]) -> Floats:
    """Only pairs with the first active model."""
    table, first = of.table(), active[0]
    largest: Floats = np.maximum(table[first, active].max(axis=0), table[active, first].max(axis=0))
    return largest


def _summed_parts(of: PlainInformation, active: list[int]) -> Floats:
    """Ψ^r + Ψ^p, each the largest over pairs of models, for the larger of them."""
    of_r = np.max([of.of_r(i, j) for i in active for j in active], axis=0)
    of_p = np.max([of.of_p(i, j) for i in active for j in active], axis=0)
    summed: Floats = of_r + of_p
    return summed


def _transitions_only(of: PlainInformation, active: list[int]) -> Floats:
    """I^p alone for max{I^r, I^p}."""
    largest: Floats = np.max([of.of_p(i, j) for i in active for j in active], axis=0)
    return largest


def _last_model(of: PlainInformation, active: list[int]) -> Floats:
    """A loop over θ that keeps its last result."""
    largest: Floats = of.table()[active[-1], active].max(axis=0)
    return largest


def _rewards_first(of: PlainInformation, active: list[int]) -> Floats:
    """Transitions count only where no reward tells anything."""
    of_r: Floats = np.max([of.of_r(i, j) for i in active for j in active], axis=0)
    return of_r if np.any(of_r > 0) else _transitions_only(of, active)


class _ShiftOfTransitions(PlainInformation):
    """Δ for 8Δ, in the gaps of transitions alone."""

    shift = 1

    def of_p(self, i: int, j: int) -> Floats:
        x = np.maximum(self.gap_p(i, j) - self.shift * self.Delta, 0.0)
        return self.smaller(x, self.models.sigma_p[i, :, :, i], self.weight())


class _HalfTheShift(_ShiftOfTransitions):
    """4Δ for 8Δ, in the gaps of transitions alone."""

    shift = 4


class _TwiceTheShift(_ShiftOfTransitions):
    """16Δ for 8Δ, in the gaps of transitions alone."""

    shift = 16


class _DeviationByOtherChances(PlainInformation):
    """σ̃^p_θ'(;θ) for σ̃^p_θ(;θ)."""

    def of_p(self, i: int, j: int) -> Floats:
        x = self.excess(self.gap_p(i, j))
        return self.smaller(x, self.models.sigma_p[j, :, :, i], self.weight())


class _LargerDeviation(PlainInformation):
    """The larger of σ̃^p_θ(;θ) and σ̃^p_θ'(;θ') for the first."""

    def of_p(self, i: int, j: int) -> Floats:
        sigma_p = self.models.sigma_p
        larger = np.maximum(sigma_p[i, :, :, i], sigma_p[j, :, :, j])
        return self.smaller(self.excess(self.gap_p(i, j)), larger, self.weight())


class _WeightInSquare(PlainInformation):
    """((1-γ)x/σ)² for (x/σ)²."""

    def smaller(self, x: Floats, sigma: Floats, weight: float) -> Floats:
        return super().smaller(weight * x, sigma, 1.0)


def _column_by_column(I_t: Floats) -> np.intp:
    """The place is counted along columns and read along rows."""
    return np.argmax(I_t.ravel(order="F"))


def _bad(slug: str, breaks: Item, implementation: Implementation) -> Bad:
    return Bad(slug, "next_query", breaks, implementation)


def _with(slip: str) -> Implementation:
    """The right choice by a wrong information."""
    (found,) = (bad for bad in information.BAD if bad.slug == slip)

    def answer(active: Ints, **request: object) -> tuple[int, int]:
        told = found.implementation(**request)
        assert isinstance(told, dict)
        I_t = told["I"][np.ix_(active, active)].max(axis=(0, 1))
        s, a = divmod(int(np.argmax(I_t)), I_t.shape[1])
        return s, a

    return answer


BAD: tuple[Bad, ...] = (
    _bad("argmin", LINE_18, _choosing(_largest, np.argmin)),
    _bad("average", LINES_16_AND_17, _choosing(_average)),
    _bad("smallest", LINES_16_AND_17, _choosing(_smallest)),
    _bad("all-models", LINES_16_AND_17, _choosing(_all_models)),
    _bad("one-order", LINES_16_AND_17, _choosing(_one_order)),
    _bad("neighbours", LINES_16_AND_17, _choosing(_neighbours)),
    _bad("against-the-first", LINES_16_AND_17, _choosing(_against_the_first)),
    _bad("sum-of-parts", LINE_18, _choosing(_summed_parts)),
    _bad("transitions-only", LINE_18, _choosing(_transitions_only)),
    _bad("columns-for-rows", LINE_18, _choosing(_largest, _column_by_column)),
    _bad("shift-of-transitions", DEFINITION_1, _choosing(_largest, slip=_ShiftOfTransitions)),
    _bad(
        "half-the-shift-of-transitions",
        DEFINITION_1,
        _choosing(_largest, slip=_HalfTheShift),
    ),
    _bad(
        "deviation-by-other-chances",
        DEFINITION_1,
        _choosing(_largest, slip=_DeviationByOtherChances),
    ),
    _bad("last-model", LINES_16_AND_17, _choosing(_last_model)),
    _bad("rewards-first", LINE_18, _choosing(_rewards_first)),
    _bad("twice-the-shift-of-transitions", DEFINITION_1, _choosing(_largest, slip=_TwiceTheShift)),
    _bad("larger-deviation", DEFINITION_1, _choosing(_largest, slip=_LargerDeviation)),
    _bad("weight-in-square", DEFINITION_1, _choosing(_largest, slip=_WeightInSquare)),
    _bad("rewards-only", LINE_18, _with("rewards-only")),
    _bad("4-errors", DEFINITION_1, _with("4-errors")),
    _bad("no-positive-part", DEFINITION_1, _with("no-positive-part")),
    _bad("own-constants", DEFINITION_1, _with("own-constants")),
    _bad("weight-forgotten", DEFINITION_1, _with("weight-forgotten")),
    _bad("no-linear-term", DEFINITION_1, _with("no-linear-term")),
    _bad("variance-for-deviation", DEFINITION_1, _with("variance-for-deviation")),
    _bad("floor-under-deviation", DEFINITION_1, _with("floor-under-deviation")),
    _bad("small-floor-under-deviation", DEFINITION_1, _with("small-floor-under-deviation")),
    _bad("nothing-without-variance", DEFINITION_1, _with("nothing-without-variance")),
    _bad("deviation-of-other-value", DEFINITION_1, _with("deviation-of-other-value")),
)
