"""The checks of views within tasks reject bounds that are too small."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from ptum.checks.claims.appendix_d import within_task
from ptum.checks.claims.appendix_d.moved_moments import opposite_tasks
from ptum.checks.claims.appendix_d.within_task import StepCounts, TaskSequence, TaskVisits
from ptum.checks.exact.hidden_markov import rounded
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import Outcome
from ptum.reference.repaired.sequential.spectral import learn_within_task
from ptum.reference.sequential.spectral import HmmEstimate
from ptum.spec.vocabulary import Verdict
from tests.support.closeness import near, of_inverse

QUICK = Context(Profile.QUICK, seed=0)
HOLDS, VIOLATED = Verdict.HOLDS, Verdict.VIOLATED


@pytest.mark.parametrize(
    ("run", "too_small"),
    [
        (within_task.moments_of_batches, 0.3),
        (within_task.transitions_within, 0.5),
        (within_task.successors, 0.4),
        (within_task.least_frequency, 0.5),
    ],
)
def test_smaller_bounds_are_refuted(run: Callable[..., Outcome], too_small: float) -> None:
    assert run(QUICK, too_small).verdict is VIOLATED


def test_admission_by_rho_3_is_refuted() -> None:
    """With ρ_3 in the place of ρ_5 the premises of W3 are open at many admitted h."""
    assert within_task.least_frequency(QUICK, by="rho_3").verdict is VIOLATED


def without_length(*, S: int, A: int, ell: float) -> float:
    """ℓ for ℓ/B²."""
    del S, A
    return ell


def test_a_gate_without_margin_and_a_floor_without_length_are_refuted() -> None:
    assert within_task.least_weight(QUICK, gate=1.0).verdict is VIOLATED
    assert within_task.least_weight(QUICK, w_min=without_length).verdict is VIOLATED


def test_orthogonal_columns_reach_the_floor() -> None:
    """Two tasks without chance that agree nowhere: λ_k(M_2) = B² min w, here with w = 1/4."""
    case = TaskVisits(opposite_tasks(1, Fraction(1)), (3, 9), last=1, multiple=1.0)
    assert within_task.rare_evaluation(case).conclusion.left == near(1.0)


def test_exact_observations_have_exact_moments() -> None:
    """Tasks without chance: every batch is a column of O, and nothing deviates."""
    columns = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    given = TaskSequence("certain", 1, 1, 2, columns, np.array([0, 1, 1, 0, 1]))
    for errors in within_task.deviations(given, 4, np.random.default_rng(0)):
        assert not errors.any()


def test_steps_are_estimated_as_the_reference_does() -> None:
    """Without errors Ĵ is N, and its normalised columns are what the learner returns for T."""
    case = StepCounts(opposite_tasks(1, Fraction(1)), (3, 2, 1, 4), 0.0, 0.0, worst=False, seed=0)
    O = rounded(case.hmm).O  # noqa: E741 - the paper's letter
    N = np.array(case.steps).reshape(2, 2) / 10
    allowed = 4 * of_inverse(O, 2) * np.linalg.norm(O, 2)  # twice its inverse times O
    assert np.abs(within_task.estimated_steps(case, O, N, 0.0, 0.0) - N).max() <= allowed
    tasks = [0, 0, 1, 1, 0, 1, 1, 1, 0, 1]
    learned = learn_within_task(np.stack([O.T[tasks]] * 3), 2, 10, 20, np.random.default_rng(0))
    assert isinstance(learned, HmmEstimate)
    assert learned.T is not None
    steps = np.zeros((2, 2))
    np.add.at(steps, (tasks[1:], tasks[:-1]), 1)
    J = within_task.estimated_steps(case, O, steps / 9, 0.0, 0.0)
    assert np.sort((J / J.sum(axis=0)).ravel()) == near(np.sort(learned.T.ravel()))
