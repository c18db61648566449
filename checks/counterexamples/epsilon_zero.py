"""ε = 0 with perfect models (erratum E12): line 2 asks whether 0 ≥ 0 and falls back."""

from __future__ import annotations

from checks import formulas
from checks.counterexamples.catalogue import Case, Numbers
from checks.counterexamples.shown import tasks
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


def run(
    models: ApproximateModels, epsilon: float, version: Version, Delta: float = 0.0
) -> PtumResult:
    """Algorithm 1 with perfect models and without a fallback, on model 0."""
    algorithm = ptum if version is Version.PRINTED else repaired_ptum
    return algorithm(
        models,
        Simulator(models.tasks[0], seed=0),
        epsilon=epsilon,
        delta=DELTA,
        n=N_BUDGET,
        Delta=Delta,
    )


def walk(
    models: ApproximateModels, version: Version, epsilon: float = 0.0, Delta: float = 0.0
) -> Walk:
    """Perfect models that can be told apart: the run stops with an optimal policy."""
    result = run(models, epsilon, version, Delta)
    optimal = result.theta is not None and bool((result.policy == models.pi_star[0]).all())
    return Walk(
        premises=(
            Statement("Δ", Delta, "=", 0),
            Statement("Γ", gap_Gamma(0, models), ">", 0),
        ),
        conclusion=Statement(
            f"at ε = {epsilon:g} PTUM stops with the target's policy ({result.end.value})",
            result.end is End.STOPPED and optimal,
            "=",
            True,
            *formulas.threshold(epsilon, models.gamma, version),
        ),
    )


def numbers() -> Numbers:
    """Both models and what PTUM is given."""
    return (
        *tasks(zip(("the target", "the rival"), instance().tasks, strict=True)),
        ("γ", instance().gamma),
        ("ε", 0),
        ("Δ", 0),
        ("δ", DELTA),
        ("budget n", N_BUDGET),
    )


def _twins() -> ApproximateModels:
    return approximate_models([instance().tasks[0]] * 2)


CASES = (
    Case(
        checks=(
            "text-epsilon-zero.enters/falls-back",
            "text-piecewise-constant-in-epsilon.zero/falls-back",
        ),
        numbers=numbers,
        told=lambda: walk(instance(), Version.PRINTED),
        undo="ε = 0.01",
        undone=lambda: walk(instance(), Version.PRINTED, 0.01),
        broken={
            "Δ": lambda: walk(instance(), Version.PRINTED, Delta=0.1),
            "Γ": lambda: walk(_twins(), Version.PRINTED),
        },
        repaired=lambda: walk(instance(), Version.REPAIRED),
        sibling=lambda: walk(
            approximate_models(bandit(0.5, (0.8, 0.2, 0.5), (0.2, 0.8, 0.5))), Version.REPAIRED
        ),
    ),
)
