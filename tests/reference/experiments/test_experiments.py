"""As run: Algorithm 3 with a low-rank SVD, and the prediction rule of Appendix E.2."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import itertools
import math
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.errors import InputError
from ptum.reference.experiments.prediction import Experiment, likeliest
from ptum.reference.experiments.spectral import learn_hmm
from ptum.reference.repaired.sequential import spectral as repaired
from ptum.reference.sequential import spectral as printed
from ptum.reference.sequential.hmm import (
    HMM,
    LARGEST_TENSOR,
    population_moments,
    require_tensor,
    task_sequence,
)
from ptum.reference.sequential.observations import observation_matrix
from ptum.reference.sequential.recovery import recovery_tolerance
from ptum.reference.sequential.spectral import HmmEstimate, NotEnoughData, NotIdentifiable
from ptum.reference.sequential.tensor_power import decompose
from tests.support.closeness import near
from tests.support.hidden import Sizes, cycle, drawn_columns, observations, three_tasks
from tests.support.recovered import aligned, apart, column_error, estimate_of, transitions

DELTAS = {"delta": 0.01, "delta_prime": 0.01}
SMALL = Sizes(2, 2, 2)
O_3, T_3 = observation_matrix(three_tasks()), cycle(3, 0.8, 0.1)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def seen(h: int, seed: int) -> Floats:
    """Observations of nine samples per pair along the three-task chain."""
    tasks = task_sequence(T_3, [1, 0, 0], h, rng(seed))
    return observations(rng(seed), O_3, tasks, SMALL, 9)


# Algorithm 3


def by_hand(o: Floats, k: int) -> HmmEstimate:
    """Lines 1-10 with moments replaced by their best rank-k parts, and the whole tensor M̂_3."""

    def cut(moment: Floats) -> Floats:
        U, S, V = np.linalg.svd(moment)
        part: Floats = U[:, :k] * S[:k] @ V[:k]
        return part

    m = len(o) // 3
    o_1, o_2, o_3 = (o[first : 3 * m : 3] for first in range(3))
    Sigma_12, Sigma_31 = cut(o_1.T @ o_2 / m), cut(o_3.T @ o_1 / m)
    inverse_12, inverse_31 = (np.linalg.pinv(moment, rcond=1e-9) for moment in (Sigma_12, Sigma_31))
    tilde_1 = o_1 @ (o_3.T @ o_2 / m @ inverse_12).T
    tilde_2 = o_2 @ (o_3.T @ o_1 / m @ inverse_12.T).T
    U, S, _ = np.linalg.svd(cut(tilde_1.T @ tilde_2 / m))
    W = U[:, :k] / np.sqrt(S[:k])
    M_3 = np.einsum("la,lb,lc->abc", tilde_1, tilde_2, o_3) / m
    pairs = decompose(np.einsum("abc,ai,bj,cl->ijl", M_3, W, W, W), k, 15, 25, rng())
    mu_3 = np.linalg.pinv(W.T) @ pairs.vectors * pairs.lambdas
    O = o_2.T @ o_1 / m @ inverse_31 @ mu_3
    return HmmEstimate(O, np.linalg.pinv(O) @ mu_3, pairs.lambdas**-2, pairs.lambdas)


@pytest.mark.parametrize(("h", "empty"), [(900, 0), (902, 0), (60, 120)])
def test_it_is_the_ten_lines_with_moments_of_rank_k(h: int, empty: int) -> None:
    """Entries that are always zero make d larger than the rows span; left-over rows are dropped.

    Singular values that are divided by are a few times 0.1, three times in a row: 1e-9 is ample.
    """
    o = np.hstack([seen(h, 4), np.zeros((h, empty))])
    expected = by_hand(o, 3)
    found = aligned(learn_hmm(o, 3, 15, 25, rng(1)), expected.O)
    np.testing.assert_allclose(found.O, expected.O, rtol=0, atol=1e-9)
    np.testing.assert_allclose(transitions(found), transitions(expected), rtol=0, atol=1e-9)
    np.testing.assert_allclose(found.weights, expected.weights, rtol=0, atol=1e-9)
    assert near(found.weights**-0.5) == found.eigenvalues.tolist()


def test_it_learns_what_the_printed_algorithm_does_not() -> None:
    """Where the printed one gives numbers at all."""
    times_worse = []
    for seed in range(5):
        o = seen(3000, seed)
        good = column_error(aligned(learn_hmm(o, 3, 15, 25, rng()), O_3).O, O_3)
        assert good < apart(O_3) / 10
        literal = printed.learn_hmm(o, 3, 15, 25, rng())
        if isinstance(literal, HmmEstimate):
            times_worse.append(column_error(aligned(literal, O_3).O, O_3) / good)
    assert times_worse
    assert min(times_worse) > 3


def test_it_is_not_the_repaired_algorithm() -> None:
    """Its moments are not symmetric, and noise is no reason to be silent."""
    o = seen(3000, 0)
    other = estimate_of(repaired.learn_hmm(o, 3, 15, 25, rng()))
    found = aligned(learn_hmm(o, 3, 15, 25, rng()), other.O)
    assert 1e-4 < column_error(found.O, other.O) < apart(O_3) / 10
    assert isinstance(repaired.learn_hmm(o[:90], 3, 15, 25, rng()), NotIdentifiable)
    assert isinstance(learn_hmm(o[:90], 3, 15, 25, rng()), HmmEstimate)


def test_noiseless_cycle_of_four_is_learnt_exactly() -> None:
    """Disjoint triples start in every task equally often: moments are exact but for rounding."""
    O = drawn_columns(rng(6), 4, Sizes(2, 2, 3))
    found = aligned(learn_hmm(O[:, np.arange(480) % 4].T, 4, 20, 30, rng()), O)
    hmm = HMM(O=O, T=cycle(4), initial=np.full(4, 0.25))
    allowed = recovery_tolerance(hmm, hmm.initial)
    longer = (4 * 160 + hmm.d) / (4 * hmm.k + hmm.d)
    assert column_error(found.O, O) <= longer * allowed.O < 1e-3
    assert column_error(found.T, cycle(4)) <= longer * allowed.T < 1e-3


def test_what_cannot_be_learnt() -> None:
    o = seen(9, 0)
    assert learn_hmm(o[:8], 3, 1, 1, rng()) == NotEnoughData("triples", 2, 3)
    o_1, o_2, _ = printed.triples(exact := O_3[:, np.arange(60) % 3].T)
    found = learn_hmm(exact, 3, 5, 10, rng())
    assert isinstance(found, NotIdentifiable)
    assert found.quantity == "singular value 3 of Sigma_12"
    largest = np.linalg.svd(o_1.T @ o_2 / 20, compute_uv=False)[0]
    assert found.threshold == near((4 * 20 + 16) * ROUNDING * largest)  # 20 triples, d = 16
    with pytest.raises(InputError, match=r"^k: "):
        learn_hmm(o, 0, 1, 1, rng())


def test_views_2_and_3_must_be_related_too() -> None:
    """View 1 repeats view 2 or view 3, which are independent; M̂_2 = Σ̂_32 Σ̂_12^† Σ̂_13 has rank 1."""
    triples = [
        ((second, third)[copied], second, third)
        for second, third, copied in itertools.product(range(2), repeat=3)
    ]
    found = learn_hmm(O_3[:, np.array(triples * 100).ravel()].T, 2, 5, 10, rng())
    assert isinstance(found, NotIdentifiable)
    assert found.quantity == "singular value 2 of M_2"


# Size


def peak_of(run: Callable[[], object]) -> int:
    tracemalloc.start()
    run()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def test_the_size_of_appendix_e() -> None:
    """d = 25·4·(25 + 12) = 3700: the printed tensor is refused before it is made, as run none is.

    Anything of size d² has 110 MB; the observations have 2 MB.
    """
    d = 25 * 4 * (25 + 12)
    o = np.hstack([seen(72, 1), np.zeros((72, d - 16))])

    def refused() -> None:
        with pytest.raises(
            InputError, match=r"d: .* would take 405 GB.*as its authors ran it"
        ) as e:
            printed.learn_hmm(o, 3, 1, 1, rng())
        assert e.value.value == d

    assert peak_of(refused) < 8 * d**2
    assert peak_of(lambda: learn_hmm(o, 3, 5, 10, rng())) < 8 * d**2


def test_the_limit_is_a_number_of_bytes() -> None:
    o, just = seen(30, 0), 8 * 16**3
    hmm = HMM(O=O_3, T=T_3, initial=np.full(3, 1 / 3))
    for make in (
        lambda limit: printed.learn_hmm(o, 3, 1, 1, rng(), largest_tensor=limit),
        lambda limit: printed.empirical_moments(o, largest_tensor=limit),
        lambda limit: population_moments(hmm, hmm.initial, largest_tensor=limit),
    ):
        make(just)
        with pytest.raises(InputError, match=r"d: .*largest_tensor.*found 16"):
            make(just - 1)
    require_tensor(512)
    with pytest.raises(InputError, match="found 513"):
        require_tensor(513)
    assert LARGEST_TENSOR == 8 * 512**3


def test_too_large_a_size_is_refused_however_few_tasks_there_are() -> None:
    with pytest.raises(InputError, match="found 600"):
        printed.learn_hmm(np.zeros((1, 600)), 3, 1, 1, rng())


# Prediction


def likeliest_dropped_mass(h: int) -> float:
    """What the numbers of Appendix E.2 leave for Σ T̂: k = 8, m = 400, d = 3700."""
    inside = math.log(9 * 8 * 3700 * 400**2 / 0.01)
    return 0.087 - 0.01 * 8 - 0.001 * 8 * math.sqrt(inside / h)


@pytest.mark.parametrize("h", [300, 400])
def test_the_experiments_drop_below_half_a_percent(h: int) -> None:
    edge = likeliest_dropped_mass(h)
    assert 0.004 < edge < 0.005
    T = np.zeros((8, 8))
    T[:, 0] = [0.5, 0.2, 0.2, edge * 1.001, edge * 0.999, 0, 0, 0]
    rule = Experiment(m=400)
    assert rule(T, [0], h=h, d=3700, **DELTAS) == (0, 1, 2, 3)


def test_the_likeliest_three_always_stay() -> None:
    T = np.zeros((5, 5))
    T[:, 1] = [0.0, 0.001, 0.002, 0.0, 0.003]
    assert Experiment(m=400)(T, [1], h=300, d=16, **DELTAS) == (1, 2, 4)
    assert Experiment(m=400, keep=1)(T, [1], h=300, d=16, **DELTAS) == (4,)


def test_the_ranking_adds_over_the_set_and_ties_go_to_the_lower_label() -> None:
    T = np.array([[0.5, 0.0, 0.4], [0.5, 0.3, 0.4], [0.0, 0.7, 0.2]])
    assert likeliest(T, [0], 2) == (0, 1)
    assert likeliest(T, [0, 1], 1) == (1,)
    assert likeliest(T, [0, 2], 3) == (0, 1, 2)
    assert likeliest(T, [], 2) == (0, 1)


def test_a_rule_shows_the_numbers_that_decide() -> None:
    """The text of a rule is what a run is compared by; `miss` does not decide what is dropped."""
    text = "Experiment(m=400, eta=0.087, rho_T=0.001, keep=3)"
    assert repr(Experiment(m=400)) == repr(Experiment(m=400, miss=0.2)) == text


@pytest.mark.parametrize("keep", [-1, 1.0, True])
def test_the_number_to_keep_is_a_count(keep: int) -> None:
    with pytest.raises(InputError, match=r"^keep: "):
        Experiment(m=400, keep=keep)
