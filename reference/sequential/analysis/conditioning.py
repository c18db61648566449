"""Appendix D as functions of the true hidden Markov model: what its constants are made of.

| symbol                 | code                  | meaning                                        |
| ---------------------- | --------------------- | ---------------------------------------------- |
| π                      | `first_view`          | distribution of the first task of a triple     |
| λ_max(Σ_{2,1})         | `lambda_max_Sigma_21` | largest singular value                         |
| λ_min(Σ_{3,1})         | `lambda_min_Sigma_31` | least of all d singular values                 |
| σ_k(Σ_{2,1})           | `sigma_k_Sigma_21`    | k-th singular value                            |
| σ_k(Σ_{3,1})           | `sigma_k_Sigma_31`    | k-th singular value                            |
| σ_k(O), σ_k(T)         | `sigma_k_O` …         | k-th singular values                           |
| min_{i≠j} ‖μ_i - μ_j‖₂ | `column_gap`          | least distance of two columns of O             |
| κ(M)                   | `dobrushin`           | largest total-variation distance of two columns |
| g                      | `g`                   | Σ_{s≥1} κ(T^{3s-2})                            |
| G                      | `G`                   | Σ_{s≥1} κ(T^s)                                 |
| ω                      | `omega`               | stationary distribution of T                   |

With π the distribution of the first view, Σ_{2,1} = O T diag(π) O^T and Σ_{3,1} = O T² diag(π) O^T.
Both are d × d of rank at most k, so λ_min(Σ_{3,1}), to the letter, is 0 as soon as d > k (erratum
E29).

ρ_1 and ρ_2 (Lemma 10) are known to exist and nothing else; they remain arguments.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import ROUNDING, Bools, Floats, sealed
from ptum.reference.errors import (
    Numeric,
    largest,
    least,
    require,
    require_confidence,
    require_count,
)
from ptum.reference.inequalities import Bound
from ptum.reference.sequential.analysis import spectral_bounds
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.spectral_bounds import quotient
from ptum.reference.sequential.hmm import HMM, VIEWS, frozen_chain, frozen_distribution
from ptum.reference.sequential.observations import dimension

LambdaMin: TypeAlias = Literal["least", "kth"]
"""What λ_min(Σ_{3,1}) is: the least of d singular values as printed, or the k-th."""


@dataclass(frozen=True, eq=False)
class Mixing(Numeric):
    """κ(T), κ(T²), … as far as they were computed, and the two sums over all of them.

    `g` and `G` are upper bounds that exceed the true sums by `g_tail` and `G_tail` at most. They
    are infinite if T has two recurrent classes or a period, and where the last power computed does
    not contract in doubles.
    """

    kappa: Floats
    g: float
    G: float
    g_tail: float
    G_tail: float


@dataclass(frozen=True, eq=False)
class Conditioning(Numeric):
    """How well a hidden Markov model can be learned across tasks, at one first view.

    A singular value that rounding alone can have made is 0 (D99), and so is σ_k of a matrix with
    fewer than k rows. `omega` is None when T has several stationary distributions; no task is then
    sure to come back, and `omega_min` is 0.
    """

    k: int
    d: int
    lambda_max_Sigma_21: float
    lambda_min_Sigma_31: float
    sigma_k_Sigma_21: float
    sigma_k_Sigma_31: float
    sigma_k_O: float
    sigma_k_T: float
    column_gap: float
    mixing: Mixing
    omega: Floats | None
    omega_min: float

    @property
    def g(self) -> float:
        """Σ_{s≥1} κ(T^{3s-2}): how disjoint triples remember each other."""
        return self.mixing.g

    @property
    def G(self) -> float:
        """Σ_{s≥1} κ(T^s): the same for all triples."""
        return self.mixing.G


@dataclass(frozen=True, slots=True)
class PrintedConstants:
    """ρ_1, ρ_2 as given and ρ_3 … ρ_6 as Lemmas 11 and 12 print them."""

    rho_1: float
    rho_2: float
    rho_3: float
    rho_4: float
    rho_5: float
    rho_6: float


@dataclass(frozen=True, slots=True)
class PrintedBounds:
    """All bounds of Appendix D at one h: Lemmas 10, 11, 12, Equation 8, the four of Lemma 14."""

    mu_3: Bound
    moments: float
    O: Bound
    T: Bound
    r: float
    p: float
    sigma_r: float
    sigma_p: float


def conditioning(
    hmm: HMM,
    first_view: npt.ArrayLike,
    *,
    tolerance: float = 1e-12,
    most_powers: int = 30_000,
) -> Conditioning:
    """Everything that Appendix D reads off the true model; the last two are those of `mixing`."""
    pi = frozen_distribution(first_view, "first_view", hmm.k)
    # O = QR with orthonormal Q: O C O^T and R C R^T have the same non-zero singular values.
    _, R = np.linalg.qr(hmm.O)
    of_21 = _singular_values(R @ (hmm.T * pi) @ R.T)
    of_31 = _singular_values(R @ (hmm.T @ hmm.T * pi) @ R.T)
    omega = stationary_distribution(hmm.T)
    zero = 4 * hmm.k + hmm.d
    return Conditioning(
        k=hmm.k,
        d=hmm.d,
        lambda_max_Sigma_21=float(of_21[0]),
        lambda_min_Sigma_31=_singular_value(of_31, hmm.d, zero),
        sigma_k_Sigma_21=_singular_value(of_21, hmm.k, zero),
        sigma_k_Sigma_31=_singular_value(of_31, hmm.k, zero),
        sigma_k_O=_singular_value(_singular_values(hmm.O), hmm.k, 4 + hmm.d),
        sigma_k_T=_singular_value(_singular_values(hmm.T), hmm.k, 4 + hmm.k),
        column_gap=column_gap(hmm.O),
        mixing=mixing(hmm.T, tolerance=tolerance, most_powers=most_powers),
        omega=omega,
        omega_min=0.0 if omega is None else float(omega.min()),
    )


def column_gap(O: Floats) -> float:
    """min_{i≠j} ‖μ_i - μ_j‖₂; +inf for a single task. It is at least √2 σ_k(O).

    ‖O(e_i - e_j)‖ ≥ σ_k(O) ‖e_i - e_j‖ = √2 σ_k(O).
    """
    k = O.shape[1]
    distances = [
        float(np.linalg.norm(O[:, i] - O[:, j])) for i in range(k) for j in range(i + 1, k)
    ]
    return least(math.inf, *distances)


def first_view_distribution(hmm: HMM, h: int, *, overlapping: bool = False) -> Floats:
    """π̄_h: the average distribution of the first task over the ⌊h/3⌋ disjoint triples, or all h-2.

    Moments are linear in the distribution of the first view, so those of h tasks are the ones at
    π̄_h.
    """
    h = require_count(h, "h")
    require(h >= VIEWS, "h", "three tasks make the first triple", value=h)
    triples, step = (h - VIEWS + 1, 1) if overlapping else (h // VIEWS, VIEWS)
    jump = np.linalg.matrix_power(hmm.T, step)
    current, total = hmm.initial, np.zeros(hmm.k)
    for _ in range(triples):
        total += current
        current = jump @ current
        current = current / current.sum()
    return sealed(total / total.sum())


def stationary_distribution(T: npt.ArrayLike) -> Floats | None:
    """The distribution ω with Tω = ω, or None if there are several.

    It is unique if and only if some task can be reached from all of them; those tasks then are the
    only recurrent class, and ω is 0 outside.
    """
    transitions = frozen_chain(T)
    k = len(transitions)
    reached = _boolean_power((transitions > 0) | np.eye(k, dtype=np.bool_), at_least=k)
    recurrent = np.flatnonzero(reached.all(axis=1))
    if recurrent.size == 0:
        return None
    # The rows of T - I add up to zero, so one of them can give way to "ω sums to one".
    system = transitions[np.ix_(recurrent, recurrent)] - np.eye(recurrent.size)
    system[-1] = 1
    right = np.zeros(recurrent.size)
    right[-1] = 1
    omega = np.zeros(k)
    omega[recurrent] = np.linalg.solve(system, right)
    return sealed(omega)


def dobrushin(M: npt.ArrayLike) -> float:
    """κ(M) = max_{j,j'} ½ Σ_i |M(i,j) - M(i,j')| of a column-stochastic matrix."""
    return _largest_distance(frozen_chain(M))


def mixing(T: npt.ArrayLike, *, tolerance: float = 1e-12, most_powers: int = 30_000) -> Mixing:
    """g = Σ_{s≥1} κ(T^{3s-2}) and G = Σ_{s≥1} κ(T^s), from above.

    κ(MN) ≤ κ(M)κ(N). Hence what follows the first M terms of G is at most κ(T^M) G, and what
    follows the first M/3 terms of g at most κ(T^M) g: with S the partial sum,

        S ≤ G ≤ S/(1 - κ(T^M)),

    and the right side is returned. M is the first multiple of 3 with κ(T^M) ≤ `tolerance`, or
    with M ≥ `most_powers`; the bound holds either way and is tight to the relative error κ(T^M).
    """
    transitions = frozen_chain(T)
    require(0 < tolerance < 1, "tolerance", "must lie in (0, 1)", value=tolerance)
    require_count(most_powers, "most_powers")
    if not _chains_can_meet(transitions):
        return Mixing(sealed(np.ones(VIEWS)), *[math.inf] * 4)
    kappa = np.array(_contractions(transitions, tolerance, most_powers))
    left = largest(0.0, 1 - float(kappa[-1]))
    of_g, of_G = float(kappa[::VIEWS].sum()), float(kappa.sum())
    g, G = quotient(of_g, left), quotient(of_G, left)
    return Mixing(sealed(kappa), g=g, G=G, g_tail=g - of_g, G_tail=G - of_G)


def printed_constants(
    conditioning: Conditioning,
    *,
    S: int,
    A: int,
    U: int,
    rho_1: float,
    rho_2: float,
    lambda_min: LambdaMin = "least",
) -> PrintedConstants:
    """ρ_3 … ρ_6 of Lemmas 11 and 12, for the model and with either reading of λ_min(Σ_{3,1})."""
    require_dimension(conditioning, S=S, A=A, U=U)
    known = lambda_min in ("least", "kth")
    require(known, "lambda_min", "must be 'least' or 'kth'", value=lambda_min)
    of_31 = conditioning.lambda_min_Sigma_31
    if lambda_min == "kth":
        of_31 = conditioning.sigma_k_Sigma_31
    of_21, k, of_O = conditioning.lambda_max_Sigma_21, conditioning.k, conditioning.sigma_k_O
    rho_3 = spectral_bounds.rho_3(rho_1=rho_1, lambda_max_Sigma_21=of_21, lambda_min_Sigma_31=of_31)
    rho_4 = spectral_bounds.rho_4(
        rho_2=rho_2, S=S, A=A, lambda_max_Sigma_21=of_21, lambda_min_Sigma_31=of_31
    )
    return PrintedConstants(
        rho_1=rho_1,
        rho_2=rho_2,
        rho_3=rho_3,
        rho_4=rho_4,
        rho_5=spectral_bounds.rho_5(rho_3=rho_3, rho_4=rho_4, k=k, sigma_k_O=of_O),
        rho_6=spectral_bounds.rho_6(rho_4=rho_4, S=S, A=A, k=k, sigma_k_O=of_O),
    )


def printed_bounds(
    constants: PrintedConstants, level: Level, *, gamma: float, sigma_bar: float
) -> PrintedBounds:
    """The bounds of Appendix D at h and δ'. At δ' = `theorem_2_level` they are those of Theorem 2.

    Lemma 10 and Equation 8 are taken at δ'/3, their share in the proof of Lemma 11, so that all of
    it is claimed of one event of probability 1-δ'.
    """
    rho_4, third = constants.rho_4, replace(level, delta_prime=level.delta_prime / 3)
    return PrintedBounds(
        mu_3=spectral_bounds.mu_error_bound(third, rho_1=constants.rho_1, rho_2=constants.rho_2),
        moments=spectral_bounds.moment_error_bound(h=third.h, delta_prime=third.delta_prime),
        O=spectral_bounds.observation_error_bound(level, rho_3=constants.rho_3, rho_4=rho_4),
        T=spectral_bounds.transition_error_bound(
            level, rho_5=constants.rho_5, rho_6=constants.rho_6
        ),
        r=spectral_bounds.reward_error_bound(level, rho_4=rho_4),
        p=spectral_bounds.value_error_bound(level, rho_4=rho_4, gamma=gamma),
        sigma_r=spectral_bounds.reward_std_error_bound(level, rho_4=rho_4, sigma_bar=sigma_bar),
        sigma_p=spectral_bounds.value_std_error_bound(
            level, rho_4=rho_4, gamma=gamma, sigma_bar=sigma_bar
        ),
    )


def theorem_2_level(*, h: int, delta_prime: float) -> float:
    """δ'' = 6δ'/(π²h²): the share of δ' that Theorem 2 spends at h. Then 6d/δ'' = c_{h,δ'}."""
    h = require_count(h, "h")
    require_confidence(delta_prime, "delta_prime")
    return 6 * delta_prime / (math.pi**2 * h**2)


def require_dimension(conditioning: Conditioning, *, S: int, A: int, U: int) -> None:
    """The model's observations are those of S states, A actions and U reward values."""
    d = dimension(S, A, U)
    problem = f"must be SA(S+U) = {d}, the length of an observation"
    require(conditioning.d == d, "conditioning.d", problem, value=conditioning.d)


def _singular_values(matrix: Floats) -> Floats:
    return np.linalg.svd(matrix, compute_uv=False).astype(np.float64)


def _singular_value(sigma: Floats, number: int, roundings: int) -> float:
    """The singular value of this number from the top, 0 if there is none above rounding."""
    if number > sigma.size or sigma[number - 1] <= roundings * ROUNDING * sigma[0]:
        return 0.0
    return float(sigma[number - 1])


def _contractions(T: Floats, tolerance: float, most_powers: int) -> list[float]:
    """κ(T), κ(T²), …, three at a time."""
    kappa: list[float] = []
    power = np.eye(len(T))
    while not kappa or (kappa[-1] > tolerance and len(kappa) < most_powers):
        for _ in range(VIEWS):
            power = T @ power
            power = power / power.sum(axis=0)  # or the sums would drift apart by rounding
            kappa.append(_largest_distance(power))
    return kappa


def _largest_distance(M: Floats) -> float:
    apart = np.abs(M[:, :, np.newaxis] - M[:, np.newaxis, :]).sum(axis=0)
    return float(apart.max()) / 2


def _chains_can_meet(T: Floats) -> bool:
    """Whether two copies of the chain can meet from any two tasks: κ(T^s) → 0, and not κ(T^s) = 1.

    A shortest way to a meeting passes no pair of different tasks twice, so k(k-1)/2 steps decide;
    copies that have met can stay together, so more steps do no harm.
    """
    k = len(T)
    pattern = _boolean_power(T > 0, at_least=max(1, k * (k - 1) // 2)).astype(np.int64)
    return bool(np.all(pattern.T @ pattern > 0))


def _boolean_power(pattern: Bools, *, at_least: int) -> Bools:
    """Where some power of a non-negative matrix, the stated one or a higher, is positive."""
    exponent = 1
    while exponent < at_least:
        counts = pattern.astype(np.int64)
        pattern = counts @ counts > 0
        exponent *= 2
    return pattern
