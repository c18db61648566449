"""The learner of arriving tasks gives the answers of the literal one."""

from __future__ import annotations

import numpy as np
import pytest

from ptum.checks.engine import within_task as engine
from ptum.checks.engine.within_task import WithinTasks
from ptum.reference.arrays import Floats
from ptum.reference.repaired.sequential.spectral import SpectralOutcome, learn_within_task
from ptum.reference.sequential.spectral import HmmEstimate, NotEnoughData, NotIdentifiable

K, RESTARTS, STEPS = 3, 20, 40


def views(h: int, d: int, noise: float, seed: int, kinds: int = K) -> Floats:
    """Three views of h tasks of some kinds, (3, h, d)."""
    rng = np.random.default_rng(seed)
    means = rng.random((kinds, d))
    found: Floats = means[rng.integers(kinds, size=h)] + noise * rng.standard_normal((3, h, d))
    return found


def both(given: Floats, k: int = K) -> tuple[SpectralOutcome, SpectralOutcome]:
    slow, fast = np.random.default_rng(1), np.random.default_rng(1)
    learner = WithinTasks(k, given.shape[2])
    for task in range(given.shape[1]):
        learner.add(given[:, task])
    found = (
        learn_within_task(given, k, RESTARTS, STEPS, slow),
        learner.estimate(RESTARTS, STEPS, fast),
    )
    assert slow.random() == fast.random()  # as many numbers were drawn
    return found


@pytest.mark.parametrize("d", [6, 40, 300])
@pytest.mark.parametrize("seed", range(4))
def test_the_same_estimates(seed: int, d: int) -> None:
    given = views(40, d, 0.05, seed)
    literal, found = both(given)
    assert isinstance(literal, HmmEstimate)
    assert isinstance(found, HmmEstimate)
    assert literal.T is not None
    assert found.T is not None
    # rounding of means of h rows (D99), over what whitening and Ô divide by
    rounding = (4 * 40 + d) * 2.3e-16 * float(np.abs(given).max()) ** 2 * d
    allowed = rounding / min(float(literal.lambda_k or 0), 1.0) ** 1.5
    order = [
        int(np.abs(found.O - column[:, np.newaxis]).max(axis=0).argmin()) for column in literal.O.T
    ]
    assert sorted(order) == list(range(K))
    assert np.abs(found.O[:, order] - literal.O).max() <= allowed
    assert np.abs(found.T[np.ix_(order, order)] - literal.T).max() <= allowed
    assert abs((found.lambda_k or 0) - (literal.lambda_k or 0)) <= allowed


def test_refusals_and_doubts_are_the_literal_ones() -> None:
    kinds = set()
    for h, noise, of in ((2, 0.05, K), (30, 0.05, 2), (12, 2.0, K), (40, 0.05, K)):
        literal, found = both(views(h, 20, noise, 3, of))
        kinds.add(type(literal))
        if isinstance(literal, HmmEstimate):
            assert isinstance(found, HmmEstimate)
        else:
            assert found == literal
    assert kinds == {HmmEstimate, NotEnoughData, NotIdentifiable}


def test_coordinates_that_are_never_seen_are_rows_of_zeros(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the literal code is asked; the bound is that of `test_the_same_estimates`."""
    monkeypatch.setattr(WithinTasks, "_clear", lambda *_: None)
    given = views(40, 40, 0.05, 0)
    given[..., 10:25] = 0
    literal, found = both(given)
    assert isinstance(literal, HmmEstimate)
    assert isinstance(found, HmmEstimate)
    allowed = (4 * 40 + 40) * 2.3e-16 * 40 / min(float(literal.lambda_k or 0), 1.0) ** 1.5
    errors = np.abs(found.O[:, :, np.newaxis] - literal.O[:, np.newaxis]).max(axis=0)
    assert errors.min(axis=0).max() <= allowed * float(np.abs(given).max()) ** 2
    assert not found.O[10:25].any()


def test_one_task_needs_no_tensor() -> None:
    literal, found = both(views(5, 8, 0.1, 0, 1), k=1)
    assert isinstance(literal, HmmEstimate)
    assert isinstance(found, HmmEstimate)
    assert np.array_equal(found.O, literal.O)


def test_a_forgotten_product_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches multiplied with themselves too: the noise of a view enters M_2.

    It is large here, so that the subspace settles and the literal code is not asked.
    """

    def careless(rows: Floats, h: int) -> Floats:
        parts = rows.reshape(3, h, -1)
        mixed: Floats = np.broadcast_to(parts.sum(axis=0), parts.shape).reshape(rows.shape)
        return mixed / (9 * h)

    monkeypatch.setattr(engine, "_between", careless)
    literal, found = both(views(40, 100, 0.5, 0))
    assert isinstance(literal, HmmEstimate)
    assert not isinstance(found, HmmEstimate) or np.abs(found.O - literal.O).max() > 1e-6
