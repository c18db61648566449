"""The checks of rare tasks and of restarts reject what 0.1.0 did: all weights, a fixed effort."""

from __future__ import annotations

import pytest

from ptum.checks.claims.section_4 import rare_tasks
from ptum.checks.verdicts.check import Context, Profile
from ptum.reference.repaired.sequential.algorithm import Constants
from ptum.reference.repaired.sequential.analysis.sequential_bounds import power_method_effort
from ptum.reference.repaired.sequential.analysis.within_task_bounds import rho_3, w_min
from ptum.reference.repaired.sequential.spectral import SpectralOutcome
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.spectral import NotIdentifiable
from ptum.spec.vocabulary import Verdict
from tests.support.closeness import near

QUICK = Context(Profile.QUICK, seed=0)


def every_estimate(learned: SpectralOutcome, _: Constants) -> SpectralOutcome:
    """Nothing is asked of the weights."""
    return learned


def no_estimate(_: SpectralOutcome, constants: Constants) -> SpectralOutcome:
    """A test that nothing passes."""
    assert constants.ell is not None
    return NotIdentifiable("eigenvalue 2 of M_2", 0.0, 2 * constants.ell)


def test_too_small_weights_are_seen() -> None:
    outcome = rare_tasks.unbalanced(QUICK, every_estimate)
    assert outcome.verdict is Verdict.VIOLATED
    balanced, rare, *_ = outcome.explanation
    assert balanced.startswith("either task next: ")
    assert int(balanced.split()[3]) <= 4
    assert int(rare.split()[5]) > 30


def test_a_closed_gate_is_seen() -> None:
    assert rare_tasks.unbalanced(QUICK, no_estimate).verdict is Verdict.VIOLATED


def as_many(_: Level, *, L: int, N: int) -> tuple[int, int]:
    """The same effort at every task."""
    return L, N


@pytest.mark.parametrize("restarts", [True, False])
def test_fixed_effort_is_seen(restarts: bool) -> None:
    """Whether the restarts stay as they are, or the steps."""

    def half(level: Level, *, L: int, N: int) -> tuple[int, int]:
        grown = power_method_effort(level, L=L, N=N)
        return (L, grown[1]) if restarts else (grown[0], N)

    assert rare_tasks.restarts(QUICK, as_many).verdict is Verdict.VIOLATED
    assert rare_tasks.restarts(QUICK, half).verdict is Verdict.VIOLATED


def test_constants_of_the_check_are_not_those_that_are_proved() -> None:
    """ℓ = 0.06 keeps every share above 0.015; c_1 = ℓ would make ρ_3 = 71111, where 4 was taken."""
    ell = rare_tasks.CONSTANTS.ell
    assert ell is not None
    assert w_min(S=1, A=2, ell=ell) == near(0.015)
    assert rho_3(S=1, A=2, c_1=ell) == near(4 * 64 / 0.0036)
