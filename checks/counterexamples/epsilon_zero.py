"""ε = 0 with perfect models (erratum E12): line 2 asks whether 0 ≥ 0 and falls back."""

from __future__ import annotations

from checks.families.named import bandit
from checks.outcome import Statement, Walk
from reference.generative import Simulator
from reference.models import ApproximateModels, approximate_models
from reference.ptum import End, PtumResult, ptum
from reference.repaired.ptum import ptum as repaired_ptum
from reference.sample_complexity import gap_Gamma
from spec.vocabulary import Version

DELTA, N_BUDGET = 0.1, 5000


def instance() -> ApproximateModels:
    """Two arms whose order the two models disagree about, far enough to be told apart soon."""
    return approximate_models(bandit(0.5, (0.9, 0.1), (0.1, 0.9)))


def run(models: ApproximateModels, epsilon: float, version: Version) -> PtumResult:
    """Algorithm 1 with perfect models and without a fallback, on model 0."""
    algorithm = ptum if version is Version.PRINTED else repaired_ptum
    return algorithm(
        models,
        Simulator(models.tasks[0], seed=0),
        epsilon=epsilon,
        delta=DELTA,
        n=N_BUDGET,
        Delta=0.0,
    )


def walk(models: ApproximateModels, version: Version, epsilon: float = 0.0) -> Walk:
    """Perfect models that can be told apart: the run stops with an optimal policy."""
    result = run(models, epsilon, version)
    optimal = result.theta is not None and bool((result.policy == models.pi_star[0]).all())
    return Walk(
        premises=(
            Statement("ε", epsilon, "=", 0),
            Statement("Γ", gap_Gamma(0, models), ">", 0),
        ),
        conclusion=Statement(
            f"PTUM stops with the target's policy (it ended: {result.end.value})",
            result.end is End.STOPPED and optimal,
            "=",
            True,
        ),
    )
