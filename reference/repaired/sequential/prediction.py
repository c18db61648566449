"""Algorithm 2, line 9, repaired: what task h was, and which tasks may follow it (E36 to E39).

| symbol           | code                | meaning                                              |
| ---------------- | ------------------- | ---------------------------------------------------- |
| r̂_h, p̂_h         | `r_hat`, `p_hat`    | means of the post-samples of task h                  |
| n_post           | `n_post`            | post-samples of every pair, fixed before the task    |
| Δ_max^r, Δ_max^p | `errors.r`, `errors.p` | how large the errors of the models may be         |
| Θ̄_h              | `reidentify`        | labels that task h may have                          |
| e^T_h            | `e_T`               | bound on the column errors of T̂_h, Euclidean norm    |
| η                | `eta`               | allowed probability of a miss at this step           |
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import Floats, above, frozen
from ptum.reference.errors import require, require_confidence, require_sizes, settle
from ptum.reference.repaired.sequential.analysis.sequential_bounds import theorem_3_eliminates
from ptum.reference.sequential.prediction import kept
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer.assumptions import ModelErrors

__all__ = ["PerStep", "reidentify", "hoeffding_width"]


@dataclass(frozen=True)
class PerStep:
    """Theorem 3 per step: the true next task is dropped with probability at most η, given Θ̄_h."""

    eta: float

    def __post_init__(self) -> None:
        settle(self, eta=require_confidence(self.eta, "eta"))

    def __call__(
        self, T_hat: npt.ArrayLike, theta_bar: Sequence[int], *, e_T: float, **_: object
    ) -> tuple[int, ...]:
        """Drop the largest set E_h, unlikeliest first, with mass at most η (D90).

        Mass: max_{θ'∈Θ̄_h} Σ_{θ∈E_h} T̂_h(θ,θ') + √|E_h| e^T_h. While e^T_h is infinite none goes.
        """
        return kept(theorem_3_eliminates(T_hat, theta_bar, e_T=e_T, eta=self.eta))


def hoeffding_width(*, tests: int, n_post: int, delta: float) -> float:
    """√(log(2·tests/δ)/(2 n_post)): so far is a mean of n_post samples in [0, 1] off, at most.

    Hoeffding: P(|mean - expectation| > w) ≤ 2 exp(-2 n_post w²), which is δ/tests for this w; a
    union bound over all tests gives δ.
    """
    tests, n_post = require_sizes(tests=tests, n_post=n_post)
    require_confidence(delta)
    return math.sqrt(math.log(2 * tests / delta) / (2 * n_post))


def reidentify(
    r_hat: npt.ArrayLike,
    p_hat: npt.ArrayLike,
    models: ApproximateModels,
    *,
    n_post: int,
    delta: float,
    errors: ModelErrors,
) -> tuple[int, ...]:
    """Θ̄_h: the models, among ALL k, from which the post-samples of task h do not stand out.

    θ stays if, for every pair and every θ', with w = `hoeffding_width` for SA(k+1) tests,

        |r̂_h(s,a) - r̃_θ(s,a)| ≤ Δ_max^r + w,
        |(p̂_h - p̃_θ)(s,a)ᵀ Ṽ*_θ'| ≤ Δ_max^p + w (max Ṽ*_θ' - min Ṽ*_θ').

    P(θ*_h ∈ Θ̄_h) ≥ 1-δ whenever the errors are valid for these models, whatever happened before:
    r̂_h(s,a) is a mean of n_post independent rewards in [0, 1] with expectation r_θ*(s,a), and
    p̂_h(s,a)ᵀṼ*_θ' one of n_post independent values in an interval of length max Ṽ*_θ' - min Ṽ*_θ';
    by Hoeffding each of these SA(k+1) means is within its width except with probability
    δ/(SA(k+1)), and the distance from θ*_h's expectations to its model's is at most Δ_max. This
    needs models that were fixed before the post-samples were drawn: those that task h started with,
    not those re-estimated from it (D95). PTUM's own set has no such guarantee: it cannot contain a
    task that was not in Θ̃_h (E39).

    If no model stays, all do (D44); then the errors were not valid or the tests failed.
    """
    r, p = _means(r_hat, p_hat, models)
    w = hoeffding_width(tests=models.S * models.A * (models.k + 1), n_post=n_post, delta=delta)
    # Both distributions sum to one, so V may be shifted; a constant V then gives 0 and no rounding.
    V = models.V_star - models.V_star.min(axis=1, keepdims=True)
    reward_far = above(np.abs(r - models.r), errors.r + w)
    value_far = above(np.abs((p - models.p) @ V.T), errors.p + w * V.max(axis=1))
    out = np.any(reward_far, axis=(1, 2)) | np.any(value_far, axis=(1, 2, 3))
    return kept(out)


def _means(
    r_hat: npt.ArrayLike, p_hat: npt.ArrayLike, models: ApproximateModels
) -> tuple[Floats, Floats]:
    r, p = frozen(r_hat, "r_hat", 2), frozen(p_hat, "p_hat", 3)
    expected = (models.S, models.A)
    require(r.shape == expected, "r_hat", f"must have shape {expected}", value=r.shape)
    of_p = (models.S, models.A, models.S)
    require(p.shape == of_p, "p_hat", f"must have shape {of_p}", value=p.shape)
    return r, p
