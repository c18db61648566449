"""The fast Algorithm 3 as run has the estimates of the literal one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ptum.checks.engine import across_tasks, as_run_spectral
from ptum.checks.engine.across_tasks import ArrivingTasks, TripleViews
from ptum.checks.engine.as_run_spectral import learn_from_triples, learn_hmm
from ptum.checks.reproduce.panels.figure_5_right import observations
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.experiments import spectral as literal
from ptum.reference.experiments.chain import task_chain
from ptum.reference.experiments.objectworld import FIGURE_5_RIGHT, generate_tasks
from ptum.reference.repaired.sequential.spectral import SpectralOutcome
from ptum.reference.sequential.spectral import HmmEstimate, NotEnoughData, NotIdentifiable
from tests.checks.engine.algorithm_3_rounding import apart, differences

K, RESTARTS, STEPS = 10, 60, 60
"""So many restarts reach every component, and both codes find them in the order of their λ."""


def observed(h: int, rows: int = 2) -> Floats:
    rng = np.random.default_rng(h)
    T = task_chain(K, 0.9)
    which = [0]
    for _ in range(h - 1):
        which.append(int(rng.choice(K, p=T[:, which[-1]])))
    o = observations(
        generate_tasks(replace(FIGURE_5_RIGHT, rows=rows, columns=rows), rng), np.array(which), rng
    )
    return o.reshape(h, -1)


def literally(o: Floats) -> SpectralOutcome:
    return literal.learn_hmm(o, K, RESTARTS, STEPS, np.random.default_rng(1))


def one_by_one(o: Floats) -> SpectralOutcome:
    """As tasks arrive."""
    tasks = ArrivingTasks(o.shape[1])
    for row in o:
        tasks.add(row)
    assert np.array_equal(tasks.observations, o)
    return learn_from_triples(tasks.triples(), K, RESTARTS, STEPS, np.random.default_rng(0))


@pytest.mark.parametrize(("h", "rows"), [(90, 2), (200, 2), (600, 2), (90, 3), (300, 3)])
def test_estimates_are_the_literal_ones(h: int, rows: int) -> None:
    """Few and many views: all three ways to the leading singular vectors."""
    o = observed(h, rows)
    theirs, allowed = literally(o), apart(o, literally)
    assert isinstance(theirs, HmmEstimate)
    assert allowed.max() < 1e-8  # so that the comparison says something
    for ours in (learn_hmm(o, K, RESTARTS, STEPS, np.random.default_rng(0)), one_by_one(o)):
        assert isinstance(ours, HmmEstimate)
        assert (differences(ours, theirs) <= allowed).all()


def test_vectors_that_have_not_settled_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A residual that is not looked at ends the iteration after its first step."""
    o = observed(200)
    theirs, allowed = literally(o), apart(o, literally)
    assert isinstance(theirs, HmmEstimate)
    monkeypatch.setattr(across_tasks, "_length", lambda *_: 0.0)
    ours = one_by_one(o)
    assert not isinstance(ours, HmmEstimate) or (differences(ours, theirs) > allowed).any()


@pytest.mark.parametrize(("m", "d"), [(8, 30), (60, 300), (400, 80), (400, 6), (100, 100)])
def test_leading_factors_are_those_of_the_matrix(m: int, d: int) -> None:
    """Spans turn by the rounding of Σ (D99) over the distance to the next singular value."""
    rng = np.random.default_rng(0)
    mixed = rng.standard_normal((m, 3)) @ rng.standard_normal((3, d))
    X, Y = mixed + 0.1 * rng.random((m, d)), mixed + 0.1 * rng.random((m, d))
    left, sigma, right = across_tasks.leading(X, Y, 3)
    full = np.linalg.svd(X.T @ Y / m)
    off = 2 * (4 * m + d) * 2.3e-16 * float(full[1][0])
    assert np.abs(sigma - full[1][:3]).max() <= off
    best = full[0][:, :3] * full[1][:3] @ full[2][:3]
    turned = 2 * off * float(full[1][0] / (full[1][2] - full[1][3]))
    assert np.abs(left * sigma @ right.T - best).max() <= turned + off


def test_products_are_used_as_long_as_they_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to h = d; they are those of the views."""
    tasks, o = ArrivingTasks(20), np.random.default_rng(0).random((30, 20))
    for h, row in enumerate(o, start=1):
        tasks.add(row)
        triples = tasks.triples()
        assert len(triples.views[0]) == h // 3
        assert (triples.products is None) == (h > 20)
        for X, G in zip(triples.views, triples.products or (), strict=False):
            # two sums of twenty products of numbers up to 1, each with 21 roundings of it at most
            assert (np.abs(X @ X.T - G) <= 2 * 21 * 20 * ROUNDING).all()
    overlapping = ArrivingTasks(20, step=1)
    for row in o[:7]:
        overlapping.add(row)
    first, second, third = overlapping.triples().views
    assert np.array_equal(first, o[:5])
    assert np.array_equal(second, o[1:6])
    assert np.array_equal(third, o[2:7])
    monkeypatch.setattr(across_tasks, "_of_views", None)  # not needed where products settle
    assert len(across_tasks.leading(o[:, :12].T, o[:, 12:].T[[0] * 12], 1)[1]) == 1


def test_an_observation_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="observation: must have 4 entries"):
        ArrivingTasks(4).add(np.zeros(5))


def test_too_few_triples_and_too_few_tasks_have_no_estimate() -> None:
    o = observed(60)
    few = learn_hmm(o[:20], K, 5, 5, np.random.default_rng(0))
    assert few == literal.learn_hmm(o[:20], K, 5, 5, np.random.default_rng(0))
    assert isinstance(few, NotEnoughData)
    alike = np.repeat(o[:1], 60, axis=0)  # one task alone
    for learner in (as_run_spectral, literal):
        found = learner.learn_hmm(alike, K, 5, 5, np.random.default_rng(0))
        assert isinstance(found, NotIdentifiable)
    assert isinstance(one_by_one(alike), NotIdentifiable)
    empty = TripleViews((o[:0], o[:0], o[:0]), None)
    found = learn_from_triples(empty, K, 5, 5, np.random.default_rng(0))
    assert found == NotEnoughData("triples", 0, K)
