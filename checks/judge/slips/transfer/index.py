"""Slips in lines 16-18."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ptum.checks.judge.judging.items import LINE_18, LINES_16_AND_17
from ptum.checks.judge.plain.algorithm_1 import Algorithm1, Pair
from ptum.checks.judge.slips import slip
from ptum.reference.arrays import Floats


class _OtherIndex(Algorithm1):
    """The largest information over some ordered pairs of models."""

    def pairs_of_models(self, active: list[int]) -> list[tuple[int, int]]:
        """Which of them."""
        raise NotImplementedError

    def index_over(self, active: list[int]) -> Floats:
        every = [self.information(i, j) for i, j in self.pairs_of_models(active)]
        return np.max(every, axis=0) if every else np.zeros((self.S, self.A))


@slip("next_query/all-models", "ptum/index-of-all-models", breaks=LINES_16_AND_17)
class _AllModels(Algorithm1):
    """Eliminated models count as well."""

    def index_over(self, active: list[int]) -> Floats:
        del active
        return super().index_over(list(range(self.k)))


@slip("next_query/one-order", "ptum/one-order", breaks=LINES_16_AND_17)
class _OneOrder(_OtherIndex):
    """Only θ before θ'."""

    def pairs_of_models(self, active: list[int]) -> list[tuple[int, int]]:
        return [(i, j) for i in active for j in active if i <= j]


@slip("next_query/neighbours", "ptum/neighbours", breaks=LINES_16_AND_17)
class _Neighbours(_OtherIndex):
    """Every model against the next one only."""

    def pairs_of_models(self, active: list[int]) -> list[tuple[int, int]]:
        return [pair for i, j in pairwise(sorted(active)) for pair in ((i, j), (j, i))]


@slip("next_query/against-the-first", "ptum/against-the-first", breaks=LINES_16_AND_17)
class _AgainstTheFirst(_OtherIndex):
    """Only pairs with the first active model."""

    def pairs_of_models(self, active: list[int]) -> list[tuple[int, int]]:
        return [pair for j in active for pair in ((active[0], j), (j, active[0]))]


@slip("next_query/last-model", "ptum/last-model", breaks=LINES_16_AND_17)
class _LastModel(_OtherIndex):
    """A loop over θ that keeps its last result."""

    def pairs_of_models(self, active: list[int]) -> list[tuple[int, int]]:
        return [(active[-1], j) for j in active]


@slip("next_query/average", "ptum/sum-over-models", breaks=LINES_16_AND_17)
class _Average(Algorithm1):
    """The mean over pairs of models, or their sum, for the largest."""

    def index_over(self, active: list[int]) -> Floats:
        mean: Floats = np.mean([self.information(i, j) for i in active for j in active], axis=0)
        return mean


@slip("next_query/smallest", "ptum/smallest-over-models", breaks=LINES_16_AND_17)
class _Smallest(Algorithm1):
    """min over pairs of different models, as a cautious rule would have it."""

    def index_over(self, active: list[int]) -> Floats:
        every = [self.information(i, j) for i in active for j in active if i != j]
        return np.min(every, axis=0) if every else np.zeros((self.S, self.A))


@slip("next_query/sum-of-parts", "ptum/sum-of-parts", breaks=LINE_18)
class _SumOfParts(Algorithm1):
    """Ψ^r + Ψ^p, each the largest over pairs of models, for the larger of them."""

    def index_over(self, active: list[int]) -> Floats:
        return self.largest(self.of_r, active) + self.largest(self.of_p, active)


@slip("next_query/transitions-only", "ptum/transitions-only", breaks=LINE_18)
class _TransitionsOnly(Algorithm1):
    """I^p alone for max{I^r, I^p}."""

    def index_over(self, active: list[int]) -> Floats:
        return self.largest(self.of_p, active)


@slip("next_query/rewards-first", "ptum/rewards-first", breaks=LINE_18)
class _RewardsFirst(Algorithm1):
    """Transitions count only where no reward tells anything."""

    def index_over(self, active: list[int]) -> Floats:
        of_r = self.largest(self.of_r, active)
        return of_r if np.any(of_r > 0) else self.largest(self.of_p, active)


@slip("next_query/argmin", "ptum/least-index", breaks=LINE_18)
class _LeastIndex(Algorithm1):
    """The least positive index."""

    def query(self, active: list[int]) -> Pair:
        I_t = self.index(active)
        s, a = divmod(int(np.argmin(np.where(I_t > 0, I_t, np.inf))), self.A)
        return s, a


@slip("next_query/nearly-tied", "ptum/nearly-tied", breaks=LINE_18)
class _NearlyTied(Algorithm1):
    """The first pair whose index is within 10⁻⁵ of the largest."""

    def query(self, active: list[int]) -> Pair:
        I_t = self.index(active)
        s, a = np.argwhere(I_t >= I_t.max() - 1e-5)[0].tolist()
        return s, a


@slip("ptum/small-index", breaks=LINE_18)
class _SmallIndex(Algorithm1):
    """An index of at most 10⁻⁶ is taken for zero, and ends the run."""

    def ended(self, active: list[int]) -> dict[str, object] | None:
        found = super().ended(active)
        if found is None and float(self.index(active).max()) <= 1e-6:
            return self.end("index-zero")
        return found


@slip("next_query/columns-for-rows", "ptum/columns-for-rows", breaks=LINE_18)
class _ColumnsForRows(Algorithm1):
    """The place is counted along columns and read along rows."""

    def query(self, active: list[int]) -> Pair:
        s, a = divmod(int(np.argmax(self.index(active).ravel(order="F"))), self.A)
        return s, a


@slip("ptum/round-robin", breaks=LINE_18)
class _RoundRobin(Algorithm1):
    """All pairs in turn."""

    def query(self, active: list[int]) -> Pair:
        del active
        s, a = divmod(sum(map(len, self.data.values())) % (self.S * self.A), self.A)
        return s, a
