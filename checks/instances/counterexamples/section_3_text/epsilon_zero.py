"""ε = 0 with perfect models (erratum E12): line 2 asks whether 0 ≥ 0 and falls back.

Rewards are deterministic, so that a run is a sequence of whole numbers and nothing is left to
chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.terms import Situation, gap_Gamma
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.counterexamples.shared.deterministic_runs import Algorithm1Inputs
from ptum.checks.instances.counterexamples.shared.shown import tasks
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.repaired.transfer.ptum import ptum as repaired_ptum
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.ptum import PtumResult, ptum
from ptum.spec.vocabulary import Version

DELTA, N_BUDGET = Fraction(1, 10), 5000
PERFECT = Algorithm1Inputs(Fraction(0), DELTA, N_BUDGET)
"""ε = Δ = 0."""

Models = tuple[ExactMDP, ...]


def instance() -> Models:
    """Two arms whose order the two models disagree about, far enough to be told apart soon."""
    return _swapped(Fraction(9, 10), Fraction(1, 10))


def _swapped(better: Fraction, other: Fraction, *rest: Fraction) -> Models:
    return deterministic_runs.arms(Fraction(1, 2), (better, other, *rest), (other, better, *rest))


def stops_optimally(models: Models, told: Algorithm1Inputs, version: Version) -> bool:
    """Whether Algorithm 1 without a fallback stops with an optimal policy of model 0."""
    if not deterministic_runs.enters(told, models[0].gamma, version).holds:
        return False
    theta = deterministic_runs.transfer_mode(models, told).theta
    best = mdp.optimal_policy(models[0])
    return theta is not None and mdp.optimal_policy(models[theta]) == best


def literal(models: Models, told: Algorithm1Inputs, version: Version) -> PtumResult:
    """The literal code in doubles."""
    algorithm = ptum if version is Version.PRINTED else repaired_ptum
    rounded = approximate_models([mdp.rounded(theta) for theta in models])
    return algorithm(
        rounded,
        Simulator(rounded.tasks[0], seed=0),
        epsilon=float(told.epsilon),
        delta=float(told.delta),
        n=told.n,
        Delta=float(told.Delta),
    )


def evaluation(models: Models, version: Version, told: Algorithm1Inputs = PERFECT) -> Evaluation:
    """Perfect models that can be told apart: the run stops with an optimal policy.

    Twice: in rational arithmetic, and by the literal code.
    """
    found = literal(models, told, version)
    best = mdp.optimal_policy(models[0])
    optimal = found.policy is not None and tuple(found.policy.tolist()) == best
    return Evaluation(
        premises=(
            Statement("Δ", told.Delta, "=", 0),
            Statement("Γ", gap_Gamma(Situation(models, told.epsilon)), ">", 0),
        ),
        conclusion=Statement(
            f"runs at ε = {told.epsilon} that stop with the target's policy, one in rationals and "
            f"one in doubles ({found.end.value})",
            stops_optimally(models, told, version) + optimal,
            "=",
            2,
            *formulas.threshold(told.epsilon, models[0].gamma, version),
        ),
    )


@dataclass(frozen=True)
class PtumInputs:
    """Models of which number 0 is the target, and what PTUM is given besides."""

    models: Models
    inputs: Algorithm1Inputs = PERFECT


def evaluated(case: PtumInputs, version: Version) -> Evaluation:
    """The claim about a run."""
    return evaluation(case.models, version, case.inputs)


def numbers(case: PtumInputs) -> Numbers:
    """Both models and what PTUM is given."""
    return (
        *tasks(zip(("the target", "the rival"), case.models, strict=True)),
        ("γ", case.models[0].gamma),
        ("ε", case.inputs.epsilon),
        ("Δ", case.inputs.Delta),
        ("δ", case.inputs.delta),
        ("budget n", case.inputs.n),
    )


THREE_ARMS = _swapped(Fraction(4, 5), Fraction(1, 5), Fraction(1, 2))
LITTLE = Algorithm1Inputs(Fraction(1, 100), DELTA, N_BUDGET)
ROUGH = Algorithm1Inputs(Fraction(0), DELTA, N_BUDGET, Delta=Fraction(1, 10))

declare(
    Counterexample(
        checks={
            "text-epsilon-zero.enters/falls-back": (
                "At ε = Δ = 0 a run stops with the target's policy"
            ),
            "text-piecewise-constant-in-epsilon.zero/falls-back": (
                "ε = Δ = 0 never enters transfer mode"
            ),
        },
        instance=PtumInputs(instance()),
        evaluate=partial(evaluated, version=Version.PRINTED),
        numbers=numbers,
        fix="ε = 0.01",
        fixed=PtumInputs(instance(), LITTLE),
        broken={
            "Δ": PtumInputs(instance(), ROUGH),
            "Γ": PtumInputs((instance()[0],) * 2),
        },
        repaired=partial(evaluated, version=Version.REPAIRED),
        in_scope=PtumInputs(THREE_ARMS),
    )
)
