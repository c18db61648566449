"""The fast code before our own judge: it conforms as the literal code does.

Runs of Algorithm 1 are judged in `tests/checks/judge/capabilities/transfer/test_ptum.py`. Algorithm
3 as run whitens by singular vectors (D51), which is no reading of the printed one, and is not
judged.
"""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from ptum.checks.engine import spectral
from ptum.checks.engine.models import Solver
from ptum.checks.engine.tensor_power import decompose
from ptum.checks.judge.capabilities import Implementation, capabilities
from ptum.checks.judge.capabilities.sequential import hmm_samples
from ptum.checks.judge.judging.hmms import estimate_fields
from ptum.reference.arrays import Floats, Ints
from ptum.reference.tasks.mdp import MDP
from tests.checks.judge.support.trials import options_seen


def repaired_overlapping(observations: Floats, k: int) -> dict[str, object]:
    rng = np.random.default_rng(1)
    return estimate_fields(spectral.learn_hmm(observations, k, 30, 100, rng), ("O", "T"))


def wrong_views(observations: Floats, k: int) -> dict[str, object]:
    """The same with the tasks in reverse."""
    return repaired_overlapping(observations[::-1], k)


def power(tensor: Floats, components: int, L: int, N: int, seed: int) -> dict[str, object]:
    pairs = decompose(tensor, components, L, N, np.random.default_rng(seed))
    return {"lambdas": pairs.lambdas, "vectors": pairs.vectors}


def value_of_policy(p: Floats, q: Floats, u: Floats, gamma: float, pi: Ints) -> dict[str, object]:
    return {"V": Solver().policy_value(MDP(p, q, u, gamma), pi)}


@pytest.mark.slow
def test_estimates_across_tasks() -> None:
    """All cases conform, and to the reading that the code is of."""
    left = options_seen(hmm_samples.CAPABILITY, repaired_overlapping)
    for due in (hmm_samples.RANK_K, hmm_samples.SYMMETRIC, hmm_samples.OVERLAPPING):
        assert left[due.choice] == (due.option,)


def test_estimates_of_other_tasks_are_noticed() -> None:
    with pytest.raises(AssertionError):
        options_seen(hmm_samples.CAPABILITY, wrong_views)


@pytest.mark.parametrize(
    ("capability", "implementation"),
    [("tensor_power", power), ("policy_value", value_of_policy)],
)
def test_components_and_values(capability: str, implementation: Implementation) -> None:
    judged = capabilities()[capability]
    cases = tuple(islice(judged.cases(0), 40))
    assert options_seen(judged, implementation, cases) is not None
