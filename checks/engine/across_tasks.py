"""Views of three consecutive tasks as tasks arrive, and what Algorithm 3 divides by, linear in d.

Σ̂ = XᵀY/m of views X, Y (m, d) is never made. With products G_x = XXᵀ and G_y = YYᵀ, which a new
task extends by one row, singular vectors are XᵀA and YᵀB with

    G_y B/m = A S        G_x A/m = B S        AᵀG_x A = BᵀG_y B = I

and are found by subspace iteration on A and B alone, until the residual of either equation is at
most the rounding that the literal code allows a mean of m rows, (4m + d) of σ_1 (D99). Where that
does not settle, and where σ_k is below `CLEAR` of σ_1 so that squares lose too many digits, the
views are decomposed themselves. With more triples than numbers in an observation the products would
be larger than the views, and Lanczos steps multiply by X and Y instead.

Memory: hd + h² doubles while h ≤ d, and 2hd after that; work hd for a new task, mdk for an
estimate beside what does not depend on d. A matrix of d² entries is made only where d ≤ 4k, and
where d < m and the data do not tell k tasks apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ptum.reference.arrays import ROUNDING, Floats, frozen
from ptum.reference.errors import require
from ptum.reference.sequential.hmm import VIEWS

Factors: TypeAlias = tuple[Floats, Floats, Floats]
"""Left singular vectors (d, k), singular values (k,) in falling order, right ones (d, k)."""
Products: TypeAlias = tuple[Floats, Floats, Floats]
"""XXᵀ (m, m) of each of the three views."""

SMALL = 4
"""Matrices up to so many times k get a full decomposition."""
CLEAR = 1e-6
EXTRA, ITERATIONS = 8, 60


@dataclass(frozen=True, eq=False)
class TripleViews:
    """Three views (m, d) of m triples, and the products of each with itself where they are kept."""

    views: tuple[Floats, Floats, Floats]
    products: Products | None

    def leading(self, first: int, second: int, k: int) -> Factors:
        """The k leading singular triples of Σ̂ of two of the views, numbered from 1."""
        X, Y = self.views[first - 1], self.views[second - 1]
        kept = self.products and (self.products[first - 1], self.products[second - 1])
        return leading(X, Y, k, kept)


class ArrivingTasks:
    """The observations of all tasks so far; a triple begins at each `step`-th of them (D45)."""

    def __init__(self, d: int, step: int = VIEWS) -> None:
        self.h, self._step = 0, step
        self._rows, self._gram = np.zeros((16, d)), np.zeros((16, 16))

    @property
    def observations(self) -> Floats:
        """All of them, (h, d)."""
        return self._rows[: self.h]

    def add(self, observation: Floats) -> None:
        """One more task."""
        new, d = frozen(observation, "observation", 1), self._rows.shape[1]
        require(new.size == d, "observation", f"must have {d} entries", value=new.size)
        if self.h == len(self._rows):
            self._grow()
        h, alike = self.h, slice(self.h % self._step, self.h + 1, self._step)
        self._rows[h] = new
        self.h += 1
        if self._kept:
            self._gram[h, alike] = self._gram[alike, h] = self._rows[alike] @ new

    def triples(self) -> TripleViews:
        """The views of all triples so far."""
        m = max(0, (self.h - VIEWS) // self._step + 1)
        places = [slice(i, i + self._step * (m - 1) + 1, self._step) for i in range(VIEWS)]
        first, second, third = places if m else [slice(0)] * VIEWS
        views = self._rows[first], self._rows[second], self._rows[third]
        if not self._kept:
            return TripleViews(views, None)
        gram = self._gram
        return TripleViews(views, (gram[first, first], gram[second, second], gram[third, third]))

    @property
    def _kept(self) -> bool:
        """Whether products are no larger than observations."""
        return self.h <= self._rows.shape[1]

    def _grow(self) -> None:
        size, d = 2 * self.h, self._rows.shape[1]
        rows, gram = np.zeros((size, d)), np.zeros((0, 0))
        rows[: self.h] = self._rows
        if self.h < d:
            gram = np.zeros((size, size))
            gram[: self.h, : self.h] = self._gram
        self._rows, self._gram = rows, gram


def leading(X: Floats, Y: Floats, k: int, products: tuple[Floats, Floats] | None = None) -> Factors:
    """The k leading singular triples of Σ_l x_l y_lᵀ/m, from views of shape (m, d)."""
    m, d = X.shape
    if min(m, d) <= SMALL * k:
        return _of_views(X, Y, k)
    if m <= d:
        found = _of_products(*(products or (X @ X.T, Y @ Y.T)), k, (4 * m + d) * ROUNDING)
        factors = found and (X.T @ found[0], found[1], Y.T @ found[2])
    else:
        factors = _by_lanczos(X, Y, k)
    if factors is None or not factors[1][-1] > CLEAR * factors[1][0]:
        return _of_views(X, Y, k)
    return factors


def _of_views(X: Floats, Y: Floats, k: int) -> Factors:
    """From a full decomposition of a matrix of the smaller size."""
    m, d = X.shape
    if d < m:
        left, sigma, right = np.linalg.svd(X.T @ Y / m)
        return left[:, :k], sigma[:k], right[:k].T
    (Q_x, R_x), (Q_y, R_y) = np.linalg.qr(X.T), np.linalg.qr(Y.T)
    left, sigma, right = np.linalg.svd(R_x @ R_y.T / m)
    return Q_x @ left[:, :k], sigma[:k], Q_y @ right[:k].T


def _of_products(G_x: Floats, G_y: Floats, k: int, rounding: float) -> Factors | None:
    """A (m, k), the singular values, and B (m, k); None if they do not settle."""
    m = len(G_x)
    B = np.random.default_rng(0).standard_normal((m, min(k + EXTRA, m)))
    for _ in range(ITERATIONS):
        B, GB = _orthonormal(B, G_y)
        A, GA = _orthonormal(GB, G_x)
        if min(A.shape[1], B.shape[1]) < k:
            return None
        turn_A, sigma, turn_B = np.linalg.svd(GA.T @ GB / m)
        A, GA, B, GB = A @ turn_A, GA @ turn_A, B @ turn_B.T, GB @ turn_B.T
        S = sigma[:k]
        off_x, off_y = GB[:, :k] / m - A[:, :k] * S, GA[:, :k] / m - B[:, :k] * S
        if max(_length(off_x, G_x), _length(off_y, G_y)) <= rounding * float(S[0]):
            return A[:, :k], S, B[:, :k]
        B = GA
    return None


def _orthonormal(C: Floats, G: Floats) -> tuple[Floats, Floats]:
    """Columns that span those of C and are orthonormal in the inner product of G; G times them."""
    GC: Floats = G @ C
    for _ in range(2):  # once more, since the first time loses the digits of small directions
        lengths = np.sqrt(np.maximum(np.einsum("ij,ij->j", C, GC), 0.0))
        there = lengths > 0
        C, GC = C[:, there] / lengths[there], GC[:, there] / lengths[there]
        values, vectors = np.linalg.eigh(C.T @ GC)
        big = values > len(G) * ROUNDING
        basis = vectors[:, big] / np.sqrt(values[big])
        C, GC = C @ basis, GC @ basis
    return C, GC


def _length(off: Floats, G: Floats) -> float:
    """The longest column in the inner product of G."""
    squares = np.einsum("ij,ij->j", off, G @ off)
    return math.sqrt(max(float(squares.max()), 0.0))


def _by_lanczos(X: Floats, Y: Floats, k: int) -> Factors:
    """By products with the views."""
    from scipy.sparse.linalg import LinearOperator, svds  # here: it takes long to load

    m, d = X.shape
    product = LinearOperator(
        (d, d),
        matvec=lambda v: X.T @ (Y @ v) / m,
        rmatvec=lambda v: Y.T @ (X @ v) / m,
        matmat=lambda v: X.T @ (Y @ v) / m,
        dtype=np.float64,
    )
    left, sigma, right = (part.astype(np.float64) for part in svds(product, k=k, v0=np.ones(d)))
    order = np.argsort(-sigma)
    return left[:, order], sigma[order], right[order].T
