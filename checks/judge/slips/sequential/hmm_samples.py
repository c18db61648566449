"""Slips in Algorithm 3 that need observations to be seen, and some that moments show as well."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ptum.checks.judge.capabilities.sequential.hmm_moments import LINE_7
from ptum.checks.judge.capabilities.sequential.hmm_samples import (
    EIGENPROBLEM,
    EXISTS,
    LINE_1,
    LINE_2,
    LINE_3,
    LINE_4,
    LINE_9,
    LINE_10,
)
from ptum.checks.judge.judging.items import Item
from ptum.checks.judge.slips import slip
from ptum.checks.judge.slips.sequential.tensor_power import Method
from ptum.reference.arrays import Floats
from ptum.reference.sequential.hmm import moore_penrose
from ptum.reference.sequential.tensor_power import decompose

LINES_2_AND_4 = Item("lines 2 and 4", *LINE_2.places, *LINE_4.places)
WINDOW = 300
"""Observations that a sliding window keeps."""


@dataclass(frozen=True)
class SampleSteps:
    """Algorithm 3 with full pseudo-inverses and symmetric moments; `slip` is what is wrong."""

    slip: str

    def __call__(self, observations: Floats, k: int) -> dict[str, object]:
        """Ô and T̂, or null if a whitening does not exist."""
        o_1, o_2, o_3 = self._views(observations)
        m = len(o_1)
        if m < k:
            return {"O": None, "T": None}
        if self.slip == "views minus their means":
            o_1, o_2, o_3 = (o - o.mean(axis=0) for o in (o_1, o_2, o_3))
        n = len(observations) if self.slip == "Σ̂_{1,2} and M̂_2 over h for m" else m
        S_12, S_31, S_32 = o_1.T @ o_2 / n, o_3.T @ o_1 / m, o_3.T @ o_2 / m
        a, b = self._transformed(o_1, o_2, (S_12, S_31, S_32), m)
        M_2 = a.T @ b / (m - 1 if self.slip == "M̂_2 over m-1 for m" and m > 1 else n)
        triangle = self.slip == "the lower triangle of M̂_2 for all of it"
        values, vectors = np.linalg.eigh(M_2 if triangle else (M_2 + M_2.T) / 2)
        values, D = values[::-1][:k], vectors[:, ::-1][:, :k]
        least = 1e-4 if self.slip == "null below 10⁻⁴ of the first eigenvalue" else 1e-12
        if values[-1] <= least * values[0]:
            return {"O": None, "T": None}
        W = D / np.sqrt(values)
        c = o_2 if self.slip == "o_2 for o_3 in M̂_3" else o_3
        tensor = np.einsum("li,lj,ln->ijn", a @ W, b @ W, c @ W) / m
        lambdas, V = self._components(tensor if triangle else _symmetric(tensor), k)
        mu_3 = np.linalg.pinv(W.T) @ V * lambdas
        if self.slip == "μ̂_3 for Ô":
            O = mu_3
        else:
            inverted = S_12.T if self.slip == "Σ_21 inverted" else S_31
            O = S_12.T @ moore_penrose(inverted, m) @ mu_3
        T = np.linalg.pinv(O) @ mu_3
        return {"O": O, "T": T.T if self.slip == "T̂ transposed" else T}

    def _views(self, o: Floats) -> tuple[Floats, Floats, Floats]:
        if self.slip == "the latest 300 observations alone":
            o = o[-WINDOW:]
        m = len(o) // 3
        if self.slip == "triples begin one observation too late":
            m = (len(o) - 1) // 3
            return o[1 : 3 * m + 1 : 3], o[2 : 3 * m + 1 : 3], o[3 : 3 * m + 1 : 3]
        if self.slip == "thirds of the sequence for triples":
            return o[:m], o[m : 2 * m], o[2 * m : 3 * m]
        first, second, third = o[0 : 3 * m : 3], o[1 : 3 * m : 3], o[2 : 3 * m : 3]
        if self.slip == "triples backwards":
            return third, second, first
        if self.slip == "first and second view exchanged":
            return second, first, third
        return first, second, third

    def _transformed(
        self, o_1: Floats, o_2: Floats, moments: tuple[Floats, Floats, Floats], m: int
    ) -> tuple[Floats, Floats]:
        S_12, S_31, S_32 = moments
        if self.slip == "o_1 and o_2 for õ_1 and õ_2":
            return o_1, o_2
        if self.slip == "Σ_32 for Σ_31":
            S_31 = S_32
        inverted = S_12.T if self.slip == "Σ_21 for Σ_12" else S_12
        a = o_1 @ (S_32 @ moore_penrose(inverted, m)).T
        return a, o_2 @ (S_31 @ moore_penrose(S_12.T, m)).T

    def _components(self, tensor: Floats, k: int) -> tuple[Floats, Floats]:
        if self.slip == "no λ̂ in deflations":
            found = Method(deflate="1")(tensor, k, 20, 100, seed=4)
            return np.array(found["lambdas"]), np.array(found["vectors"])
        pairs = decompose(tensor, k, 20, 100, np.random.default_rng(4))
        return pairs.lambdas, pairs.vectors


def _symmetric(tensor: Floats) -> Floats:
    orders = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
    mean: Floats = np.mean([tensor.transpose(order) for order in orders], axis=0)
    return mean


for _slug, _breaks, _faulty in (
    ("offset-of-triples", LINE_1, "triples begin one observation too late"),
    ("thirds-for-triples", LINE_1, "thirds of the sequence for triples"),
    ("triples-backwards", LINE_1, "triples backwards"),
    ("views-exchanged", LINE_1, "first and second view exchanged"),
    ("window-of-observations", LINE_1, "the latest 300 observations alone"),
    ("unlike-divisors", LINES_2_AND_4, "Σ̂_{1,2} and M̂_2 over h for m"),
    ("centred", LINE_2, "views minus their means"),
    ("views-not-transformed", LINE_3, "o_1 and o_2 for õ_1 and õ_2"),
    ("sigma-21-for-sigma-12", LINE_3, "Σ_21 for Σ_12"),
    ("sigma-32-for-sigma-31", LINE_3, "Σ_32 for Σ_31"),
    ("m2-over-m-minus-1", LINE_4, "M̂_2 over m-1 for m"),
    ("second-view-in-m3", LINE_4, "o_2 for o_3 in M̂_3"),
    ("one-triangle-of-m2", EIGENPROBLEM, "the lower triangle of M̂_2 for all of it"),
    ("deflation-without-lambda", LINE_7, "no λ̂ in deflations"),
    ("null-at-small-eigenvalues", EXISTS, "null below 10⁻⁴ of the first eigenvalue"),
    ("inverse-of-sigma-21", LINE_9, "Σ_21 inverted"),
    ("third-view-for-o", LINE_9, "μ̂_3 for Ô"),
    ("t-transposed", LINE_10, "T̂ transposed"),
):
    slip(f"hmm_samples/{_slug}", breaks=_breaks)(SampleSteps(_faulty))
