"""Stand-ins: a model that counts, a fallback that only asks, a learner that knows the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ptum.reference.arrays import Floats
from ptum.reference.sequential.observations import observation_matrix
from ptum.reference.sequential.spectral import HmmEstimate
from ptum.reference.tasks.generative import GenerativeModel
from ptum.reference.tasks.mdp import MDP
from ptum.reference.transfer.fallback import FallbackResult


class CountingModel:
    """A generative model that counts how often it is asked, in all and for each pair."""

    def __init__(self, model: GenerativeModel) -> None:
        self.of_pair: Counter[tuple[int, int]] = Counter()
        self._model = model

    @property
    def asked(self) -> int:
        """Queries of all pairs together."""
        return self.of_pair.total()

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """Pass the query on."""
        self.of_pair[s, a] += 1
        return self._model.sample(s, a)


@dataclass(frozen=True)
class AskEveryPair:
    """In place of a PAC algorithm: so many samples of every pair, whatever is asked of it."""

    times: int = 1

    def __call__(
        self, model: GenerativeModel, S: int, A: int, gamma: float, epsilon: float, delta: float
    ) -> FallbackResult:
        """The all-zero policy, for times·SA queries."""
        del gamma, epsilon, delta
        for s in range(S):
            for a in range(A):
                for _ in range(self.times):
                    model.sample(s, a)
        return FallbackResult(np.zeros(S, dtype=np.int64), self.times * S * A)


@dataclass(frozen=True)
class Knowing:
    """A learner that returns the true O and T, with tasks at step h in the order of `naming(h)`.

    `views` is how many views of a task the repaired algorithm hands to it.
    """

    tasks: tuple[MDP, ...]
    T: Floats
    naming: Callable[[int], Sequence[int]] | None = None
    views: int = 1

    def __call__(
        self, observations: Floats, k: int, L: int, N: int, rng: np.random.Generator
    ) -> HmmEstimate:
        """Columns of O and T, and rows of T, in that order."""
        del L, N, rng
        h = observations.shape[-2]
        order = list(range(k)) if self.naming is None else list(self.naming(h))
        weights = np.full(k, 1 / k)
        O = observation_matrix(self.tasks)  # noqa: E741 - the paper's letter
        return HmmEstimate(O[:, order], self.T[np.ix_(order, order)], weights, weights**-0.5)
