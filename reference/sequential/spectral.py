"""Algorithm 3: learning the hidden Markov model by tensor decomposition, its ten lines in order.

| symbol            | code                        | shape     |
| ----------------- | --------------------------- | --------- |
| o_{1,l}, o_{2,l}, o_{3,l} | `o_1[l]`, `o_2[l]`, `o_3[l]` | (m, d) |
| Σ̂_{i,j}          | `moments.Sigma_21` …        | (d, d)    |
| õ_{1,l}, õ_{2,l}  | `o_tilde_1[l]`, `o_tilde_2[l]` | (m, d) |
| M̂_2, M̂_3        | `moments.M_2`, `moments.M_3` | (d, d), (d, d, d) |
| D̂, Λ̂            | `D`, `Lambda`               | (d, k), (k,) |
| Ŵ                 | `W`                         | (d, k)    |
| λ̂_j, v̂_j        | `pairs.lambdas`, `pairs.vectors` | (k,), (k, k) |
| μ̂_{3,j}          | `mu_3[:,j]`                 | (d, k)    |

Everything is as printed: full pseudo-inverses (D50), no symmetrisation (D51), the whole d×d×d
tensor. It is meant for small d and refuses one whose tensor is too large. A comment `line n`
stands where that line is carried out. What the lines estimate is
μ_{3,j} = E[o_3 | θ*_2 = θ_j] = O T e_j, with weights ω_j = P(θ*_2 = θ_j) (E25).
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import ROUNDING, Floats, frozen, require_scale, sealed
from ptum.reference.errors import Numeric, require, require_count
from ptum.reference.sequential.hmm import (
    LARGEST_TENSOR,
    VIEWS,
    Moments,
    moore_penrose,
    require_tensor,
)
from ptum.reference.sequential.tensor_power import Steps, decompose, require_effort


@dataclass(frozen=True, eq=False)
class HmmEstimate(Numeric):
    """Ô and T̂ as computed (no probabilities yet), labels in the order of discovery.

    `weights` are ω̂_j = 1/λ̂_j², `eigenvalues` the λ̂_j. `T` is None where the estimator can name O
    but has not seen every task being left (D103); Algorithm 3 itself always has a T̂. `lambda_k` is
    the k-th eigenvalue of M̂_2 where views within tasks made it, which shows how often every task
    came (D105). `mu_3` has the μ̂_{3,j} of line 8 as columns where the learner keeps them.
    """

    O: Floats
    T: Floats | None
    weights: Floats
    eigenvalues: Floats
    lambda_k: float | None = None
    mu_3: Floats | None = None

    @property
    def k(self) -> int:
        """Number of tasks."""
        return int(self.O.shape[1])


@dataclass(frozen=True, slots=True)
class NotIdentifiable:
    """No estimate: `quantity` is `value`, not above `threshold`, so dividing by it means nothing.

    A number that should be real and is not has its real part in `value` and a threshold of +inf.
    """

    quantity: str
    value: float
    threshold: float

    def __str__(self) -> str:
        """In words."""
        return f"the {self.quantity} is {self.value:.3g} and must exceed {self.threshold:.3g}"


@dataclass(frozen=True, slots=True)
class NotEnoughData:
    """No estimate yet: `found` of `what` where `needed` is the least number."""

    what: str
    found: int
    needed: int

    def __str__(self) -> str:
        """In words."""
        return f"{self.found} of the {self.needed} {self.what} that are needed"


def learn_hmm(
    observations: npt.ArrayLike,
    k: int,
    L: int,
    N: int,
    rng: np.random.Generator,
    *,
    largest_tensor: int = LARGEST_TENSOR,
) -> HmmEstimate | NotIdentifiable | NotEnoughData:
    """Algorithm 3 on observations of shape (h, d), in the order of the tasks.

    Fewer than k triples give no estimate (D49). The other outcomes are those of
    `learn_from_moments`. A d for which M̂_3 takes more than `largest_tensor` bytes is refused.
    """
    o = frozen_observations(observations, k)
    require_effort(L, N, rng)
    require_tensor(o.shape[1], largest_tensor)
    m = len(o) // VIEWS
    if m < k:
        return NotEnoughData("triples", m, k)
    return learn_from_moments(empirical_moments(o, largest_tensor=largest_tensor), k, L, N, rng)


def triples(o: Floats) -> tuple[Floats, Floats, Floats]:
    """Line 1: three views (m, d) of m = ⌊h/3⌋ disjoint triples; h mod 3 rows are dropped (D45)."""
    m = len(o) // VIEWS
    return o[0 : 3 * m : 3], o[1 : 3 * m : 3], o[2 : 3 * m : 3]  # line 1


def empirical_moments(
    observations: npt.ArrayLike, *, largest_tensor: int = LARGEST_TENSOR
) -> Moments:
    """Lines 1-4; Σ̂_ii is not needed (D62). Too large a d is refused as by `learn_hmm`."""
    o = frozen(observations, "observations", 2)
    require_scale(o, "observations")
    require_tensor(o.shape[1], largest_tensor)
    m = len(o) // VIEWS
    require(m >= 1, "observations", "at least three are needed", value=len(o))
    o_1, o_2, o_3 = triples(o)
    Sigma_12, Sigma_13, Sigma_32 = o_1.T @ o_2 / m, o_1.T @ o_3 / m, o_3.T @ o_2 / m  # line 2
    Sigma_21, Sigma_31 = Sigma_12.T, Sigma_13.T
    o_tilde_1 = o_1 @ (Sigma_32 @ moore_penrose(Sigma_12, m)).T  # line 3
    o_tilde_2 = o_2 @ (Sigma_31 @ moore_penrose(Sigma_21, m)).T
    M_2 = o_tilde_1.T @ o_tilde_2 / m  # line 4
    M_3 = np.einsum("li,lj,ln->ijn", o_tilde_1, o_tilde_2, o_3, optimize=True) / m
    return Moments(
        Sigma_12=sealed(Sigma_12),
        Sigma_13=sealed(Sigma_13),
        Sigma_21=sealed(Sigma_21),
        Sigma_31=sealed(Sigma_31),
        Sigma_32=sealed(Sigma_32),
        M_2=sealed(M_2),
        M_3=sealed(M_3),
        terms=m,
    )


def learn_from_moments(
    moments: Moments, k: int, L: int, N: int, rng: np.random.Generator
) -> HmmEstimate | NotIdentifiable:
    """Lines 5-10, on estimated or on exact moments.

    The k eigenvalues of largest modulus must be real and positive (D53, D100): whitening takes
    their square roots. An eigenvalue that rounding alone can have made counts as zero (D99).
    """
    require_number_of_tasks(k, len(moments.M_2))
    Lambda, D = _leading_eigenpairs(moments.M_2, k)  # line 5
    failure = _unfit_for_whitening(Lambda, moments)
    if failure:
        return failure
    W = D.real / np.sqrt(Lambda.real)  # line 6
    whitened = np.einsum("abc,ai,bj,cl->ijl", moments.M_3, W, W, W, optimize=True)
    inverse_31 = moore_penrose(moments.Sigma_31, moments.terms)
    return read_off(whitened, W, moments.Sigma_21, inverse_31, L, N, rng)


def read_off(
    whitened: Floats,
    W: Floats,
    Sigma_21: Floats,
    inverse_31: Floats,
    L: int,
    N: int,
    rng: np.random.Generator,
    steps: Steps | None = None,
) -> HmmEstimate | NotIdentifiable:
    """Lines 7-10, from M̂_3(Ŵ,Ŵ,Ŵ) of shape (k, k, k), Ŵ, Σ̂_21 and Σ̂_31^†."""
    k = len(whitened)
    pairs = decompose(whitened, k, L, N, rng, steps=steps)  # line 7
    if pairs.lambdas.min() <= 0:
        return NotIdentifiable("least eigenvalue of M_3(W,W,W)", float(pairs.lambdas.min()), 0.0)
    mu_3 = np.linalg.pinv(W.T) @ pairs.vectors * pairs.lambdas  # line 8
    O = Sigma_21 @ inverse_31 @ mu_3  # line 9
    T = moore_penrose(O, k) @ mu_3  # line 10
    return HmmEstimate(
        O=sealed(O),
        T=sealed(T),
        weights=sealed(pairs.lambdas**-2),
        eigenvalues=pairs.lambdas,
    )


def frozen_observations(observations: npt.ArrayLike, k: int) -> Floats:
    """h observations as rows, and a number of tasks that their length allows."""
    o = frozen(observations, "observations", 2)
    require_scale(o, "observations")
    require_number_of_tasks(k, o.shape[1])
    return o


def require_number_of_tasks(k: int, d: int) -> None:
    """1 ≤ k ≤ d: more than d mean observations are linearly dependent."""
    require_count(k, "k")
    require(k <= d, "k", f"at most {d} tasks have independent observations of length {d}", value=k)


def _leading_eigenpairs(
    M_2: Floats, k: int
) -> tuple[npt.NDArray[np.complex128], npt.NDArray[np.complex128]]:
    """The k eigenvalues of largest modulus and their vectors of length one, as columns (D100).

    Vectors of a double eigenvalue need not be orthogonal, and W then whitens nothing (D104).
    """
    values, vectors = np.linalg.eig(M_2)
    leading = np.argsort(-np.abs(values), kind="stable")[:k]
    return values[leading].astype(np.complex128), vectors[:, leading].astype(np.complex128)


def _unfit_for_whitening(
    Lambda: npt.NDArray[np.complex128], moments: Moments
) -> NotIdentifiable | None:
    not_real = Lambda[Lambda.imag != 0]
    if not_real.size:
        return NotIdentifiable(
            "a leading eigenvalue of M_2 (complex)", float(not_real[0].real), np.inf
        )
    least = float(Lambda.real.min())
    zero = (4 * moments.terms + len(moments.M_2)) * ROUNDING * float(np.abs(Lambda).max())
    if least <= zero:
        return NotIdentifiable(f"eigenvalue {Lambda.size} of M_2", least, zero)
    return None
