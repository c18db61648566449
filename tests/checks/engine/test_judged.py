"""The fast code before our own judge: it conforms as the literal code does.

Runs of Algorithm 1, simulated and on what answers `sample(s, a)`, are judged in
`tests/checks/judge/capabilities/transfer/test_ptum.py`. Algorithm 3 as run whitens by singular
vectors (D51), which is no reading of the printed one: of it and of the literal code the judge says
the same, right where the difference does not show and wrong where it does. Estimates from views
within tasks are no capability.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TypeAlias

import numpy as np
import pytest
from numpy.random import Generator

from ptum.checks.engine import as_run_spectral, spectral
from ptum.checks.engine.models import Solver, approximate_models
from ptum.checks.engine.tensor_power import decompose
from ptum.checks.judge.capabilities import Implementation, capabilities
from ptum.checks.judge.capabilities.sequential import hmm_samples
from ptum.checks.judge.capabilities.tasks import gaps
from ptum.checks.judge.judging.hmms import estimate_fields
from ptum.checks.judge.judging.verdicts import judge_capability
from ptum.checks.judge.programs.subjects import ask
from ptum.reference.arrays import Floats, Ints
from ptum.reference.experiments import spectral as literal_as_run
from ptum.reference.repaired.sequential.spectral import SpectralOutcome
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels
from tests.checks.judge.support.trials import options_seen

LearnFunction: TypeAlias = Callable[[Floats, int, int, int, Generator], SpectralOutcome]


def repaired_overlapping(observations: Floats, k: int) -> dict[str, object]:
    rng = np.random.default_rng(1)
    return estimate_fields(spectral.learn_hmm(observations, k, 30, 100, rng), ("O", "T"))


def as_run(learn: LearnFunction) -> Implementation:
    def answer(observations: Floats, k: int) -> dict[str, object]:
        found = learn(observations, k, 30, 100, np.random.default_rng(1))
        return estimate_fields(found, ("O", "T"))

    return answer


def wrong_of(implementation: Implementation) -> set[str]:
    """The cases that the judge finds wrong; every one is answered."""
    judged = hmm_samples.CAPABILITY
    exchanges = [ask(judged, case, implementation) for case in judged.cases(0)]
    found = judge_capability(judged, exchanges)
    assert not found.faulty
    return set(found.wrong)


def wrong_views(observations: Floats, k: int) -> dict[str, object]:
    """The same with the tasks in reverse."""
    return repaired_overlapping(observations[::-1], k)


def power(tensor: Floats, components: int, L: int, N: int, seed: int) -> dict[str, object]:
    pairs = decompose(tensor, components, L, N, np.random.default_rng(seed))
    return {"lambdas": pairs.lambdas, "vectors": pairs.vectors}


def models_of(models: Sequence[Mapping[str, Floats]], gamma: float) -> ApproximateModels:
    return approximate_models([MDP(gamma=gamma, **model) for model in models])


def deviations_of(models: Sequence[Mapping[str, Floats]], gamma: float) -> dict[str, object]:
    known = models_of(models, gamma)
    return {"sigma_r": known.sigma_r, "sigma_p": known.sigma_p}


def gaps_between(models: Sequence[Mapping[str, Floats]], gamma: float) -> dict[str, Floats]:
    return gaps.gaps_of(models_of(models, gamma))


def optimum(p: Floats, q: Floats, u: Floats, gamma: float) -> dict[str, object]:
    known = approximate_models([MDP(p, q, u, gamma)])
    return {"V": known.V_star[0], "pi": known.pi_star[0]}


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


def test_algorithm_3_as_run_is_judged_as_the_literal_code_is() -> None:
    wrong = wrong_of(as_run(as_run_spectral.learn_hmm))
    assert wrong == wrong_of(as_run(literal_as_run.learn_hmm))
    assert len(wrong) < len(list(hmm_samples.CAPABILITY.cases(0))) / 2

    def reversed_tasks(o: Floats, k: int, L: int, N: int, rng: Generator) -> SpectralOutcome:
        return as_run_spectral.learn_hmm(o[::-1], k, L, N, rng)

    assert wrong < wrong_of(as_run(reversed_tasks))


@pytest.mark.parametrize(
    ("capability", "implementation"),
    [
        ("tensor_power", power),
        ("policy_value", value_of_policy),
        ("optimal", optimum),
        ("deviations", deviations_of),
        ("gaps", gaps_between),
    ],
)
def test_components_and_values(capability: str, implementation: Implementation) -> None:
    judged = capabilities()[capability]
    cases = tuple(islice(judged.cases(0), 40))
    assert options_seen(judged, implementation, cases) == {}, "nothing is left open there"
