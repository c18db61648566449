"""Algorithm 2: what it assumes when nothing is said, and its parts on two tasks of one state."""

from __future__ import annotations

import math
from typing import TypedDict

import numpy as np
import pytest

from ptum.reference.errors import InputError
from ptum.reference.repaired.sequential import algorithm as repaired
from ptum.reference.repaired.sequential import lines as repaired_lines
from ptum.reference.sequential import algorithm as printed
from ptum.reference.sequential import lines, state
from ptum.reference.sequential.algorithm import Setting, TaskRecord
from ptum.reference.sequential.spectral import HmmEstimate, NotEnoughData
from ptum.reference.tasks.generative import Simulator
from tests.support.closeness import near
from tests.support.instances import bernoulli_bandit


class Size(TypedDict):
    """What every run of both versions is told."""

    k: int
    S: int
    A: int
    u: tuple[float, ...]
    gamma: float
    epsilon: float
    delta: float
    n: int
    delta_prime: float


SMALL: Size = {
    "k": 2,
    "S": 1,
    "A": 1,
    "u": (0.0, 1.0),
    "gamma": 0.5,
    "epsilon": 0.5,
    "delta": 0.1,
    "n": 3,
    "delta_prime": 0.1,
}
SETTING = Setting(**SMALL, n_post=3, L=1, N=1, seed=0)
"""One pair and two rewards: observations of length 3."""

MODELS = np.array([[0.5, 1.0], [0.5, 0.0], [1.0, 1.0]])


def estimate(T: object = None) -> HmmEstimate:
    return HmmEstimate(MODELS, T, np.ones(2), np.ones(2))  # type: ignore[arg-type]


def test_reward_values() -> None:
    assert state._reward_values((0.0,)) == (0.0,)
    assert state._reward_values((1.0, 0.0)) == (1.0, 0.0)
    for wrong, problem in (
        ((), "at least one"),
        ((-0.5,), r"u\[0\]: a reward"),
        ((0.0, 1.5), r"u\[1\]: a reward"),
        ((0.5, 0.5), "twice"),
    ):
        with pytest.raises(InputError, match=problem):
            state._reward_values(wrong)


def test_the_longest_way_of_a_column() -> None:
    """(0.7, 0.7, 1) moves to (0.5, 0.5, 1), the other column stays."""
    models, moved = lines.projected(np.array([[0.7, 1.0], [0.7, 0.0], [1.0, 1.0]]), SETTING)
    np.testing.assert_array_equal(models, MODELS)
    assert moved == near(math.sqrt(0.08))


def first_record(learned: object) -> TaskRecord:
    """One task of the printed algorithm, with a learner that has made up its mind."""
    tasks = [Simulator(bernoulli_bandit([0.5], 0.5), seed=0)]
    records = printed.sequential_transfer(
        tasks,
        rhos=1e-6,
        fallback=None,
        learner=lambda *_: learned,  # type: ignore[arg-type]
        **SMALL,
    )
    return next(iter(records))


def test_labels_belong_to_an_estimate() -> None:
    assert first_record(estimate(np.eye(2))).labels == (0, 1)
    assert first_record(NotEnoughData("triples", 0, 2)).labels == ()


def first_repaired(**options: object) -> TaskRecord:
    """One task of the repaired algorithm."""
    tasks = [Simulator(bernoulli_bandit([0.5], 0.5), seed=0)]
    records = repaired.sequential_transfer(
        tasks,
        rhos=repaired.Constants(rho_3=1e-6, rho_4=1e-6, rho_5=1e-6, rho_6=1e-6, ell=1e-6),
        fallback=None,
        **SMALL,
        **options,  # type: ignore[arg-type]
    )
    return next(iter(records))


def test_one_sample_is_enough_for_one_view() -> None:
    assert first_repaired(n_post=1, learner=repaired.CrossTask()).h == 1


def test_defaults() -> None:
    """A hundred restarts and iterations, as few samples as the learner has views, seed 0."""
    for record, n_post in ((first_record(estimate(np.eye(2))), "1"), (first_repaired(), "3")):
        found = [record.after.options[name] for name in ("L", "N", "seed", "n_post")]
        assert found == ["100", "100", "0", n_post]


def test_no_transitions_were_made_from_no_task() -> None:
    found, _, labels = repaired_lines.updated(None, estimate(), 4, SETTING)
    assert found is not None
    assert (found.T, found.T_h, labels) == (None, 0, (0, 1))
