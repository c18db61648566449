"""The learner for long sequences gives the answers of the literal one."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ptum.checks.engine import spectral as engine
from ptum.checks.instances.families import hmms
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.repaired.sequential import spectral as literal
from ptum.reference.sequential.hmm import rank_k_inverse
from ptum.reference.sequential.spectral import HmmEstimate, NotEnoughData, NotIdentifiable

K, RESTARTS, STEPS = 3, 8, 20
CHAIN = hmms.three_task_chain()
INDEPENDENT = hmms.three_task_chain(hmms.independent((Fraction(1, 3),) * 3))


def observed(model: hmms.NamedHMM, h: int, seed: int) -> Floats:
    rng = np.random.default_rng(seed)
    sequence = hmms.circulant_sequence(model.hmm.T, h, rng)
    return hmms.observations(rng, model.hmm.O, sequence, model.sizes, 9)


def both(o: Floats, seed: int) -> tuple[literal.SpectralOutcome, literal.SpectralOutcome]:
    first, second = np.random.default_rng(seed), np.random.default_rng(seed)
    slow = literal.learn_hmm(o, K, RESTARTS, STEPS, first, overlapping=True)
    fast = engine.learn_hmm(o, K, RESTARTS, STEPS, second)
    assert first.random() == second.random()  # as many numbers were drawn
    return slow, fast


def allowed(o: Floats) -> float:
    """Rounding of a mean (D99), which lines 3 and 9 divide by a singular value each."""
    Sigma_31 = o[2:].T @ o[:-2] / (len(o) - 2)
    least = float(np.linalg.svd(Sigma_31, compute_uv=False)[K - 1])
    return float((4 * len(o) + o.shape[1]) * ROUNDING / least**2)


def differences(slow: HmmEstimate, fast: HmmEstimate) -> float:
    assert slow.T is not None
    assert fast.T is not None
    pairs = (
        (slow.O, fast.O),
        (slow.T, fast.T),
        (slow.weights, fast.weights),
        (slow.eigenvalues, fast.eigenvalues),
    )
    return max(float(np.max(np.abs(x - y))) for x, y in pairs)


@pytest.mark.parametrize("h", [400, 3000])
@pytest.mark.parametrize("seed", range(5))
def test_long_sequences_give_the_same_estimates(h: int, seed: int) -> None:
    o = observed(CHAIN, h, seed)
    assert engine.clear_moments(o, K) is not None
    slow, fast = both(o, seed)
    assert isinstance(slow, HmmEstimate)
    assert isinstance(fast, HmmEstimate)
    assert differences(slow, fast) <= allowed(o)


def test_where_noise_may_decide_the_literal_learner_does() -> None:
    """From too few tasks to enough: refusals word by word, its estimates to the last digit."""
    kinds = set()
    for h in (4, 12, 20, 40, 80, 160):
        for seed in range(8):
            o = observed(CHAIN, h, seed)
            slow, fast = both(o, seed)
            noisy = engine.clear_moments(o, K) is None
            kinds.add((type(slow), noisy))
            if isinstance(slow, HmmEstimate):
                assert isinstance(fast, HmmEstimate)
                assert differences(slow, fast) <= (0 if noisy else allowed(o))
            else:
                assert fast == slow
    assert kinds == {
        (NotEnoughData, True),
        (NotIdentifiable, True),
        (HmmEstimate, True),
        (HmmEstimate, False),
    }


def test_independent_tasks_are_refused_however_many_there_are() -> None:
    slow, fast = both(observed(INDEPENDENT, 3000, 0), 0)
    assert isinstance(slow, NotIdentifiable)
    assert fast == slow


def test_moments_are_those_of_the_transformed_views() -> None:
    """Lines 2-4 as printed, with pseudo-inverses of rank k."""
    o = observed(CHAIN, 500, 1)
    found = engine.clear_moments(o, K)
    assert found is not None
    o_1, o_2, o_3 = o[:-2], o[1:-1], o[2:]
    m = len(o_1)
    Sigma_12, Sigma_31, Sigma_32 = o_1.T @ o_2 / m, o_3.T @ o_1 / m, o_3.T @ o_2 / m
    o_tilde_1 = o_1 @ (Sigma_32 @ rank_k_inverse(Sigma_12, K)).T
    o_tilde_2 = o_2 @ (Sigma_31 @ rank_k_inverse(Sigma_12.T, K)).T
    M_3 = np.einsum("li,lj,ln->ijn", o_tilde_1, o_tilde_2, o_3) / m
    assert found.terms == m
    assert np.max(np.abs(found.M_2 - o_tilde_1.T @ o_tilde_2 / m)) <= allowed(o)
    assert np.max(np.abs(found.M_3 - M_3)) <= allowed(o)
