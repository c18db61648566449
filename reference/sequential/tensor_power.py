"""Algorithm 1 of Anandkumar et al. (2014), the robust tensor power method, called by line 7.

| symbol        | code                        | shape     |
| ------------- | --------------------------- | --------- |
| M             | `tensor`, `M`               | (k, k, k) |
| M(I,v,v)      | `_images(M, v)`             | (k,)      |
| M(v,v,v)      | `_forms(M, v)`              |           |
| (λ, v)        | `pair.lambda_`, `pair.v`    |           |
| M - λ v⊗v⊗v   | second value returned       | (k, k, k) |

For M = Σ_j λ_j v_j⊗v_j⊗v_j with orthonormal v_j and λ_j > 0 the fixed points that attract are the
v_j. The pairs (λ, v) and (-λ, -v) describe the same component; choosing the start by the signed
value of M(v,v,v) picks the one with λ > 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import Floats, above, frozen, require_scale, sealed
from ptum.reference.errors import require, require_count, require_generator, require_numbers


@dataclass(frozen=True, eq=False)
class Eigenpair:
    """One component: λ and a vector of length one."""

    lambda_: float
    v: Floats


@dataclass(frozen=True, eq=False)
class Eigenpairs:
    """Components in the order in which they were found; column j of `vectors` is v_j.

    `residual` is what is left of the tensor when all of them are taken away.
    """

    lambdas: Floats
    vectors: Floats
    residual: Floats


class Steps(Protocol):
    """`power_steps`, or faster code with the same results."""

    def __call__(self, M: Floats, V: Floats, N: int) -> Floats:
        """N steps from every row of V."""


def decompose(
    tensor: npt.ArrayLike,
    k: int,
    L: int,
    N: int,
    rng: np.random.Generator,
    *,
    steps: Steps | None = None,
) -> Eigenpairs:
    """k calls of the power method, each on what the calls before left over (D52)."""
    left = _frozen_tensor(tensor)
    require_scale(left, "tensor")
    require_effort(L, N, rng)
    require_count(k, "k")
    problem = f"at most {len(left)} components, one for every dimension of the tensor"
    require(k <= len(left), "k", problem, value=k)
    pairs = []
    for _ in range(k):
        pair, left = robust_tensor_power(left, L, N, rng, steps=steps)
        pairs.append(pair)
    return Eigenpairs(
        lambdas=sealed(np.array([pair.lambda_ for pair in pairs])),
        vectors=sealed(np.stack([pair.v for pair in pairs], axis=1)),
        residual=left,
    )


def robust_tensor_power(
    tensor: npt.ArrayLike,
    L: int,
    N: int,
    rng: np.random.Generator,
    *,
    steps: Steps | None = None,
) -> tuple[Eigenpair, Floats]:
    """One call: one eigenpair and the deflated tensor.

    L starts uniform on the unit sphere, N steps v ← M(I,v,v)/‖M(I,v,v)‖ from each; the end point
    with the largest M(v,v,v) takes N steps more. Nothing is made orthogonal afterwards. A vector
    that M maps to zero stays where it is, since there is no direction to go.
    """
    M = _frozen_tensor(tensor)
    require_effort(L, N, rng)
    steps = steps or power_steps
    ends = steps(M, _unit_vectors(L, len(M), rng), N)
    forms = _forms(M, ends)
    require_numbers(forms=forms)
    best = ends[[np.argmax(forms)]]
    last = steps(M, best, N)
    lambda_, v = float(_forms(M, last)[0]), last[0]
    deflated = M - lambda_ * np.einsum("i,j,l->ijl", v, v, v)
    return Eigenpair(lambda_, sealed(v)), sealed(deflated)


def require_effort(L: int, N: int, rng: np.random.Generator) -> None:
    """Restarts, steps, and where the starts come from."""
    require_count(L, "L")
    require_count(N, "N")
    require_generator(rng)


def _unit_vectors(L: int, k: int, rng: np.random.Generator) -> Floats:
    """L rows, each uniform on the sphere: the direction of a standard normal vector."""
    directions = rng.standard_normal((L, k))
    units: Floats = directions / np.linalg.norm(directions, axis=1, keepdims=True)
    return units


def power_steps(M: Floats, V: Floats, N: int) -> Floats:
    """N steps from every row of V."""
    for _ in range(N):
        V = step(M, V)
    return V


def step(M: Floats, V: Floats) -> Floats:
    """v ← M(I,v,v)/‖M(I,v,v)‖ for every row v of V."""
    images = _images(M, V)
    lengths = np.linalg.norm(images, axis=1, keepdims=True)
    moves = above(lengths, 0.0)
    moved: Floats = np.where(moves, images, V) / np.where(moves, lengths, 1)
    return moved


def _images(M: Floats, V: Floats) -> Floats:
    """M(I,v,v) for every row v of V: entry i is Σ_{j,l} M_{ijl} v_j v_l."""
    squares = V[:, :, np.newaxis] * V[:, np.newaxis, :]
    images: Floats = squares.reshape(len(V), -1) @ M.reshape(len(M), -1).T
    return images


def _forms(M: Floats, V: Floats) -> Floats:
    """M(v,v,v) for every row v of V."""
    forms: Floats = np.sum(_images(M, V) * V, axis=1)
    return forms


def _frozen_tensor(tensor: npt.ArrayLike) -> Floats:
    M = frozen(tensor, "tensor", 3)
    good = len(set(M.shape)) == 1 and len(M) >= 1
    require(good, "tensor", "must have three equal sides", value=f"shape {M.shape}")
    return M
