"""The steps of the tensor power method, ended early with a certificate.

Where a step leaves every row as it is, to the last bit, all further steps do. In doubles rows near
an eigenvector rather go round within a few roundings of it. There the certificate is contraction.
At a unit vector v that a step moves by no more than `STILL`, λ = M(v,v,v) and P = I - vvᵀ, the step
has the derivative (2/λ) P M(I,I,v) P up to terms of the size of `STILL`. If its norm is at most
`CONTRACTION` for every row, later iterates stay within STILL/(1 - CONTRACTION) = 8 roundings of the
present ones, the rounding of each step included, since that is part of what `STILL` measures. So
vectors and λ agree with those of the literal steps within 8 roundings (of 1 and of ‖M‖) per
component; components whose λ differ by less may come in another order.

Up to that end every step has the bits of the literal one: the same operations in the same order, in
arrays that are made once.

The λ of `decompose` are evaluated again, in extended precision and on the tensor as it was given:
λ_j = M(v_j,v_j,v_j) - Σ_{i<j} λ_i (v_i·v_j)³ is what the literal code takes from what is deflated.
There the form costs k² + k + 2 roundings of ‖M‖ (‖v⊗v⊗v‖ = 1), each deflation before it five more.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ptum.reference.arrays import ROUNDING, Floats, sealed
from ptum.reference.sequential.tensor_power import Eigenpairs
from ptum.reference.sequential.tensor_power import decompose as literal_decompose
from ptum.reference.sequential.tensor_power import step as literal_step

STILL = 4 * ROUNDING
CONTRACTION = 0.5
CLEAR = 1e-10
LOOK = 2
"""After so many steps each time it is looked whether all rows are still."""


def decompose(tensor: Floats, k: int, L: int, N: int, rng: np.random.Generator) -> Eigenpairs:
    """`ptum.reference.sequential.tensor_power.decompose`, up to the roundings above."""
    pairs = literal_decompose(tensor, k, L, N, rng, steps=power_steps)
    v = pairs.vectors.astype(np.longdouble)
    images = np.asarray(tensor).reshape(-1, len(v)) @ v  # M(I,I,v), one column for each v
    images = np.einsum("ijr,jr->ir", images.reshape(len(v), len(v), k), v)
    before = np.triu((v.T @ v) ** 3, 1)
    lambdas = np.einsum("ir,ir->r", images, v) - pairs.lambdas @ before
    return replace(pairs, lambdas=sealed(lambdas.astype(np.float64)))


def power_steps(M: Floats, V: Floats, N: int) -> Floats:
    """`ptum.reference.sequential.tensor_power.power_steps`, up to the roundings above."""
    step = TensorStep(M, len(V))
    for taken in range(1, N + 1):
        before, V = V, step(V)
        if taken == 1 or taken % LOOK == 0:  # a start may be the end of earlier steps
            if np.abs(V[0] - before[0]).max() > STILL:  # so not all are still
                continue
            moved = np.linalg.norm(V - before, axis=1)
            if not moved.any() or ((moved <= STILL).all() and _contracts(M, V)):
                break
    return V


class TensorStep:
    """The literal `step` of one tensor on a number of rows, bit for bit."""

    def __init__(self, M: Floats, rows: int) -> None:
        k = len(M)
        self._M, self._flat = M, M.reshape(k, -1).T
        self._squares = np.empty((k, k, rows))  # so that the longest axis is the last

    def __call__(self, V: Floats) -> Floats:
        """One step from every row."""
        columns = V.T.copy()
        np.multiply(columns[:, np.newaxis], columns, out=self._squares)
        images: Floats = self._squares.reshape(-1, len(V)).T @ self._flat
        lengths = np.sqrt(np.add.reduce(images * images, axis=1, keepdims=True))
        if not lengths.min() > 0:  # a row without a direction to go, or no number
            return literal_step(self._M, V)
        images /= lengths
        return images


def _contracts(M: Floats, V: Floats) -> bool:
    """Whether a step contracts about every row; its norm is at most that of Frobenius.

    ‖PAP‖² = ‖A‖² - ‖Av‖² - ‖Aᵀv‖² + (v·Av)²; the differences are off by a few hundred roundings of
    ‖A‖², for which `CLEAR` of it is added.
    """
    k = len(M)
    flat = V @ ((M + M.transpose(0, 2, 1)) / 2).transpose(2, 0, 1).reshape(k, -1)
    A = flat.reshape(len(V), k, k)
    Av, vA = np.einsum("rij,rj->ri", A, V), np.einsum("ri,rij->rj", V, A)
    forms, norms = np.einsum("ri,ri->r", Av, V), np.einsum("ri,ri->r", flat, flat)
    squares = norms * (1 + CLEAR) + forms**2
    squares -= np.einsum("ri,ri->r", Av, Av) + np.einsum("ri,ri->r", vA, vA)
    return bool(np.all(4 * squares <= (CONTRACTION * forms) ** 2))
