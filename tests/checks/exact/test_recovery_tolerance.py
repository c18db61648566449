"""Appendix C on exact moments: the tolerance written a second time, and where there is none."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from dataclasses import astuple

import numpy as np
import pytest

from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.sequential.hmm import HMM, population_moments
from ptum.reference.sequential.recovery import recovery_tolerance

O = np.array([[1.0, 0.25], [0.0, 0.5], [0.5, 1.0]])
T = np.array([[0.75, 0.5], [0.25, 0.5]])
PI = np.array([0.625, 0.375])


def largest(M: Floats) -> float:
    return float(np.linalg.svd(M, compute_uv=False)[0])


def second(M: Floats) -> float:
    return float(np.linalg.svd(M, compute_uv=False)[1])


def test_the_formula() -> None:
    """k = 2 and d = 3, so u is 11 roundings; all matrices of Appendix C have rank 2.

    (1+f)³ - 1 with f of 10⁻¹² keeps four digits, which is what the comparison asks for.
    """
    found = recovery_tolerance(HMM(O=O, T=T, initial=PI), PI)
    w = T @ PI
    s_21, s_31, s_32 = (
        O @ T @ np.diag(PI) @ O.T,
        O @ T @ T @ np.diag(PI) @ O.T,
        O @ T @ np.diag(w) @ O.T,
    )
    first, other, to_O = (
        B @ np.linalg.pinv(M, rcond=1e-12) for B, M in ((s_32, s_21.T), (s_31, s_21), (s_21, s_31))
    )
    M_2 = first @ s_21.T @ other.T
    u = 11 * ROUNDING
    norm = max(largest(s_21), largest(s_31), largest(s_32))
    delta = u * norm
    off_1 = (1 + largest(first)) * delta / second(s_21)
    off_2 = (1 + largest(other)) * delta / second(s_21)
    both = off_1 * largest(other) + off_2 * largest(first)
    product = largest(first) * largest(other)
    column = max(math.hypot(1.0, 0.5), math.sqrt(0.25**2 + 0.5**2 + 1.0))
    e_2 = norm * both + delta * product
    e_3 = column**3 * (both + u * product)
    top = 1 / math.sqrt(w.min())
    f = 4 * e_2 / second(M_2)
    epsilon = e_3 * math.sqrt(2 / second(M_2)) ** 3 + top * (3 * f + 3 * f**2 + f**3)
    e_mu = math.sqrt(2 * largest(M_2)) * (13 * epsilon + top * f) + 2 * e_2 * top / math.sqrt(
        second(M_2)
    )
    e_O = largest(to_O) * e_mu + delta * (1 + largest(to_O)) * column / second(s_31)
    e_T = (e_mu + math.sqrt(2) * e_O) / second(O)
    assert astuple(found)[:2] == pytest.approx((2 * e_2, 2 * e_3), rel=1e-9, abs=0)
    assert astuple(found) == pytest.approx(
        (2 * e_2, 2 * e_3, 2 * e_mu, 2 * e_O, 2 * e_T), rel=1e-3, abs=0
    )


def test_what_the_last_lines_add() -> None:
    """μ_3, O and T from the errors before them; f as the code has it, for its cube cancels."""
    model = HMM(O=O, T=T, initial=PI)
    found, moments = recovery_tolerance(model, PI), population_moments(model, PI)
    e_2, e_3, e_mu, e_O, e_T = (error / 2 for error in astuple(found))
    s_2, top = second(moments.M_2), 1 / math.sqrt((T @ PI).min())
    f = 4 * e_2 / s_2
    epsilon = e_3 * (2 / s_2) ** 1.5 + top * ((1 + f) ** 3 - 1)
    whitening = math.sqrt(2 * largest(moments.M_2)) * (13 * epsilon + top * f)
    assert e_mu - whitening == pytest.approx(2 * e_2 * top / math.sqrt(s_2), rel=1e-6, abs=0)
    A_O = largest(moments.Sigma_21 @ np.linalg.pinv(moments.Sigma_31, rcond=1e-12))
    delta = (
        11 * ROUNDING * max(map(largest, (moments.Sigma_21, moments.Sigma_31, moments.Sigma_32)))
    )
    column = math.sqrt(0.25**2 + 0.5**2 + 1.0)
    added = delta * (1 + A_O) * column / second(moments.Sigma_31)
    assert e_O - A_O * e_mu == pytest.approx(added, rel=1e-6, abs=0)
    assert e_T == pytest.approx((e_mu + math.sqrt(2) * e_O) / second(O), rel=1e-9, abs=0)


@pytest.mark.parametrize("singular", [np.full((2, 2), 0.5), np.array([[1.0, 1.0], [0.0, 0.0]])])
def test_without_rank_there_is_none(singular: Floats) -> None:
    found = recovery_tolerance(HMM(O=O, T=singular, initial=PI), PI)
    assert astuple(found) == (math.inf,) * 5


def test_a_weight_that_rounding_can_have_made_is_none() -> None:
    """Tasks that stay, told apart without error: Σ_12 = diag(π), and u is 10 roundings."""
    stay = HMM(O=np.eye(2), T=np.eye(2), initial=PI)
    for roundings, known in ((10, False), (12, True)):
        least = roundings * ROUNDING
        found = recovery_tolerance(stay, [1 - least, least])
        assert math.isfinite(found.T) is known
        assert math.isfinite(found.M_2) is known


def test_the_unit_of_observations_does_not_matter() -> None:
    """Ratios of singular values are compared, not their sizes: here those are below 10⁻⁸."""
    small = HMM(O=1e-4 * np.eye(2), T=T, initial=PI)
    assert math.isfinite(recovery_tolerance(small, PI).O)
