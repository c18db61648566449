"""What exact moments may miss: the bound is kept where moments are moved, and small errors show."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ptum.checks.claims.appendix_c import estimates
from ptum.checks.claims.appendix_e import learning
from ptum.checks.claims.appendix_e.learning import Alike, columns_of, small_tensor_evaluation
from ptum.checks.instances.families import hmms
from ptum.checks.instances.families.hmms import NamedHMM, Sizes
from ptum.checks.verdicts import tolerances
from ptum.reference.arrays import Floats, sealed
from ptum.reference.sequential.hmm import HMM, Moments, population_moments
from ptum.reference.sequential.spectral import HmmEstimate, NotIdentifiable, learn_from_moments
from ptum.reference.sequential.tensor_power import Eigenpairs, decompose
from ptum.spec.vocabulary import Verdict
from tests.support.recovered import aligned, column_error

SMALL = 1e-6
"""An error that no recovery check may let pass."""
HARD = Alike(k=5, seed=0, mixed=0.8)
"""σ_5(O) = 0.054."""
CHAIN = hmms.next_stay_skip(3, Fraction(7, 10), Fraction(1, 5), Fraction(1, 10))


def model_of(seed: int) -> NamedHMM:
    """Three tasks with random distributions on a chain that is far from singular."""
    O = columns_of(3, 2, 2, 3, np.random.default_rng(seed))
    T = np.array(CHAIN, dtype=np.float64)
    return NamedHMM("drawn", HMM(O, T, np.array([0.5, 0.3, 0.2])), Sizes(2, 2, 3))


def moved(moments: Moments, size: float, rng: np.random.Generator) -> Moments:
    """Moments with noise of this size in every entry."""

    def noisy(array: Floats) -> Floats:
        return sealed(array + size * rng.uniform(-1, 1, array.shape))

    return replace(moments, M_2=noisy(moments.M_2), M_3=noisy(moments.M_3))


def errors_of(model: HMM, found: HmmEstimate | NotIdentifiable) -> tuple[float, float, float]:
    """Of the columns of O, those of T and the weights."""
    named = aligned(found, model.O)
    of_weights = float(np.abs(named.weights - model.T @ model.initial).max())
    return column_error(named.O, model.O), column_error(named.T, model.T), of_weights


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [1e-12, 1e-9])
def test_what_is_given_back_stays_within_the_bound_where_moments_are_moved(
    seed: int, size: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = model_of(seed).hmm
    noisy = moved(population_moments(model, model.initial), size, np.random.default_rng(seed))
    monkeypatch.setattr(tolerances, "population_moments", lambda *_: noisy)
    bound = tolerances.of_recovery(model, estimates._spacing(noisy, model.k))
    found = learn_from_moments(noisy, model.k, 40, 60, np.random.default_rng(0))
    assert math.isfinite(bound.largest)
    limits = (bound.O, bound.T, bound.weights)
    for error, allowed in zip(errors_of(model, found), limits, strict=True):
        assert error <= allowed


def test_no_rank_no_bound() -> None:
    model = HMM(np.eye(2), np.full((2, 2), 0.5), np.array([0.5, 0.5]))
    assert math.isinf(tolerances.of_recovery(model).largest)


def test_eigenvalues_that_come_twice_leave_no_bound() -> None:
    assert math.isinf(tolerances.of_recovery(model_of(0).hmm, spacing=0.0).largest)


def test_the_hardest_model_has_a_tolerance_that_shows_small_errors() -> None:
    evaluation = small_tensor_evaluation(HARD)
    assert learning.hardly_different(HARD).holds
    assert evaluation.verdict() is Verdict.HOLDS
    assert evaluation.conclusion.tolerance is not None
    assert evaluation.conclusion.tolerance < SMALL


def test_a_tensor_decomposed_with_a_small_error_is_rejected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def sloppy(tensor: Floats, k: int, L: int, N: int, rng: np.random.Generator) -> Eigenpairs:
        pairs = decompose(tensor, k, L, N, rng)
        return replace(pairs, lambdas=pairs.lambdas * (1 + SMALL))

    monkeypatch.setattr(learning, "decompose", sloppy)
    for seed in range(4):
        assert small_tensor_evaluation(Alike(3, seed)).verdict() is Verdict.VIOLATED


def test_a_learner_with_a_small_error_is_rejected() -> None:
    def sloppy(
        moments: Moments, k: int, L: int, N: int, rng: np.random.Generator
    ) -> HmmEstimate | NotIdentifiable:
        found = learn_from_moments(moments, k, L, N, rng)
        assert isinstance(found, HmmEstimate)
        return replace(found, O=sealed(found.O + SMALL))

    for seed in range(4):
        assert estimates.lines_5_to_10(model_of(seed)).verdict() is Verdict.HOLDS
        assert estimates.lines_5_to_10(model_of(seed), sloppy).verdict() is Verdict.VIOLATED


def test_moments_with_a_small_error_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their error is seen, so it must not become a tolerance of its own."""
    model = model_of(1)
    wrong = moved(population_moments(model.hmm, model.hmm.initial), SMALL, np.random.default_rng(0))
    for module in (tolerances, estimates):
        monkeypatch.setattr(module, "population_moments", lambda *_: wrong)
    evaluation = estimates.lines_5_to_10(model)
    assert evaluation.verdict() is Verdict.VIOLATED
    assert "M_2 or M_3" in evaluation.conclusion.text
