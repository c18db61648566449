"""`learn_within_task` for tasks that arrive one after another, linear in d.

All 3h views are rows of X; their Gram matrix G = XXᵀ has three more with every task. M̂_2 is
XᵀBX with B the mean over ordered pairs of different batches, so its eigenvectors are D = XᵀY with
BGY = YΛ, and the whitened views are GY/√Λ. Y is found by subspace iteration in the inner product
of G, until the residual ‖BGY - YΛ‖ is below a quarter of the rounding that the literal code allows
a mean of h rows (D99): Λ is then off by no more. Noise is computed from blocks of G.

The literal code is asked where there is one task, where the subspace does not settle, and where
the k-th eigenvalue is within `CLEAR` of the noise; of coordinates that are zero in all views it is
told nothing, which changes nothing. Estimates agree up to the signs of eigenvectors,
which change the order in which components are found where the starts do not reach all of them.

Memory: 3hd + (3h)² doubles; nothing has d² entries.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ptum.checks.engine.tensor_power import decompose
from ptum.checks.exact.numbers import is_above
from ptum.reference.arrays import ROUNDING, Floats, frozen, sealed
from ptum.reference.repaired.sequential import spectral as literal
from ptum.reference.repaired.sequential.spectral import LEAST_EIGENVALUE, SpectralOutcome
from ptum.reference.sequential.hmm import VIEWS
from ptum.reference.sequential.spectral import HmmEstimate, NotIdentifiable

CLEAR = 1e-6
EXTRA, ITERATIONS, STALLED = 8, 60, 3
"""Columns beyond k, iterations, and iterations without a smaller residual: then rounding has it."""


class WithinTasks:
    """The views of all tasks so far, and their products."""

    def __init__(self, k: int, d: int) -> None:
        self.k, self.h, self._multiplied = k, 0, 0
        self._views, self._gram = np.zeros((VIEWS, 16, d)), np.zeros((VIEWS, 16, VIEWS, 16))

    def add(self, views: Floats) -> None:
        """Three views of one more task, (3, d)."""
        new = frozen(views, "views", 2)
        if self.h == self._views.shape[1]:
            self._grow()
        self._views[:, self.h] = new
        self.h += 1

    def estimate(self, L: int, N: int, rng: np.random.Generator) -> SpectralOutcome:
        """What the literal learner makes of these views."""
        found = self._clear(L, N, rng) if 1 < self.k <= self.h else None
        return self._literal(L, N, rng) if found is None else found

    def _literal(self, L: int, N: int, rng: np.random.Generator) -> SpectralOutcome:
        """The literal learner; coordinates that were never seen are rows of zeros."""
        views = self._views[:, : self.h]
        seen = np.flatnonzero(views.any(axis=(0, 1)))
        if not self.k <= seen.size < views.shape[2]:
            return literal.learn_within_task(views, self.k, L, N, rng)
        found = literal.learn_within_task(views[..., seen], self.k, L, N, rng)
        if not isinstance(found, HmmEstimate):
            return found
        O = np.zeros((views.shape[2], self.k))
        O[seen] = found.O
        return replace(found, O=sealed(O))

    def _multiply(self) -> None:
        """Rows of G of all tasks since the last estimate, at once."""
        first, h = self._multiplied, self.h
        for i, j in np.ndindex(VIEWS, VIEWS):
            products = self._views[i, :h] @ self._views[j, first:h].T
            self._gram[i, :h, j, first:h] = products
            self._gram[j, first:h, i, :h] = products.T
        self._multiplied = h

    def _grow(self) -> None:
        h, d = 2 * self.h, self._views.shape[2]
        views, gram = np.zeros((VIEWS, h, d)), np.zeros((VIEWS, h, VIEWS, h))
        views[:, : self.h], gram[:, : self.h, :, : self.h] = self._views, self._gram
        self._views, self._gram = views, gram

    def _clear(
        self, L: int, N: int, rng: np.random.Generator
    ) -> HmmEstimate | NotIdentifiable | None:
        self._multiply()
        h, k = self.h, self.k
        blocks = self._gram[:, :h, :, :h]
        pairs_of_M_2 = leading(blocks.reshape(VIEWS * h, VIEWS * h), h, k, self._rounding)
        if pairs_of_M_2 is None:
            return None
        Lambda, Y, GY = pairs_of_M_2
        noise = noise_of(blocks.transpose(0, 2, 1, 3)) + self._rounding * float(Lambda[0])
        if not is_above(float(Lambda[-1]), noise + CLEAR * float(Lambda[0])):
            return None
        x, y, z = (GY / np.sqrt(Lambda)).reshape(VIEWS, h, k)
        pairs = decompose(third_moment(x, y, z), k, L, N, rng)
        least = float(pairs.lambdas.min())
        if least <= LEAST_EIGENVALUE:
            return NotIdentifiable("least eigenvalue of M_3(W,W,W)", least, LEAST_EIGENVALUE)
        X = self._views[:, :h]
        D = sum(batch.T @ rows for batch, rows in zip(X, Y.reshape(VIEWS, h, k), strict=True))
        O = D * np.sqrt(Lambda) @ pairs.vectors * pairs.lambdas
        return HmmEstimate(
            O=sealed(O),
            T=_transitions((X @ np.linalg.pinv(O).T).mean(axis=0)),
            weights=sealed(pairs.lambdas**-2),
            eigenvalues=pairs.lambdas,
            lambda_k=float(Lambda[-1]),
        )

    @property
    def _rounding(self) -> float:
        return float(4 * self.h + self._views.shape[2]) * ROUNDING


def leading(G: Floats, h: int, k: int, rounding: float) -> tuple[Floats, Floats, Floats] | None:
    """The k largest eigenvalues of M̂_2, falling, with Y (3h, k) and GY; None if not settled."""
    size = min(k + EXTRA, h)
    Y = np.random.default_rng(0).standard_normal((VIEWS * h, size))
    residuals: list[float] = []
    for iteration in range(ITERATIONS):
        GY = G @ Y
        values, vectors = np.linalg.eigh(Y.T @ GY)
        if values[0] <= 0:
            return None
        basis = vectors / np.sqrt(values)
        Y, GY = Y @ basis, GY @ basis  # orthonormal in the inner product of G
        image = _between(GY, h)
        ritz, turn = np.linalg.eigh(GY.T @ image)
        chosen = turn[:, ::-1][:, :k]
        Lambda, off = ritz[::-1][:k], image @ chosen - Y @ chosen * ritz[::-1][:k]
        squares = np.einsum("ij,ij->j", off, G @ off)
        residuals.append(math.sqrt(max(float(squares.max()), 0.0)))
        if residuals[-1] <= rounding / 4 * float(Lambda[0]):
            return Lambda, Y @ chosen, GY @ chosen
        if iteration - int(np.argmin(residuals)) >= STALLED:
            return None
        Y = image @ turn
    return None


def _between(rows: Floats, h: int) -> Floats:
    """B times some columns: for each batch the sum of the other two, over 6h."""
    parts = rows.reshape(VIEWS, h, -1)
    mixed: Floats = (parts.sum(axis=0) - parts).reshape(rows.shape) / (6 * h)
    return mixed


def noise_of(blocks: Floats) -> float:
    """The literal `_noise_of_batches`, from products blocks[i, j] (h, h) of batches i and j."""
    e, g = _contrast(blocks, (0, 1, -1), 2), _contrast(blocks, (2, -1, -1), 6)
    total = (_weighted(e, g) + _weighted(g, e)) / 2
    return 2 * math.sqrt(max(total, 0.0) / 3) / len(e)


def _contrast(blocks: Floats, weights: tuple[int, ...], over: int) -> Floats:
    found: Floats = np.einsum("i,j,ijlm->lm", weights, weights, blocks, optimize=True) / over
    return found


def _weighted(x: Floats, y: Floats) -> float:
    """‖Σ_l ‖y_l‖² x_l x_lᵀ‖ from products of the x and of the y."""
    from scipy.linalg import eigh  # here: it takes long to load

    lengths = np.sqrt(np.maximum(np.diag(y), 0.0))
    last = len(x) - 1
    gram = lengths[:, np.newaxis] * x * lengths
    largest = eigh(gram, eigvals_only=True, subset_by_index=(last, last))
    return float(largest[0])


def third_moment(x: Floats, y: Floats, z: Floats) -> Floats:
    """The mean of x ⊗ y ⊗ z over the rows and over the six orders."""
    mean = np.einsum("li,lj,ln->ijn", x, y, z, optimize=True) / len(x)
    orders = ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
    found: Floats = sum((mean.transpose(order) for order in orders), np.zeros(mean.shape)) / 6
    return found


def _transitions(g: Floats) -> Floats | None:
    """T̂ from g = f Ô^†ᵀ (h, k), as the literal code has it from f (D103)."""
    steps = len(g) - 1
    J = g[1:].T @ g[:-1] / steps
    left = J.sum(axis=0)
    return None if left.min() < 1 / (2 * steps) else sealed(J / left)
