"""Section 3.2: models never make PTUM much dearer than the fallback alone.

Of what robustness to negative transfer may mean, the cost can be counted: whatever the models are,
also where none of them is the target's, a run asks at most n queries more than its fallback does
without them. (How often its policy is wrong is `algorithm-1.ensures`.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.appendix_b.setting import DELTA
from ptum.checks.instances.fakes import AskEveryPair, CountingModel
from ptum.checks.instances.families import sets
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement
from ptum.checks.verdicts.search import search
from ptum.reference.tasks.generative import GenerativeModel, Simulator
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import least_accuracy
from ptum.reference.transfer.fallback import PacAlgorithm
from ptum.reference.transfer.ptum import PtumResult, ptum
from ptum.spec.vocabulary import CheckKind


@stored
@dataclass(frozen=True, eq=False)
class Misled:
    """Models, a target that need not be among them, and the inputs of a run."""

    models: ApproximateModels
    target: MDP
    Delta: float
    epsilon: float
    n: int
    times: int
    seed: int


@st.composite
def misled(draw: DrawFn) -> Misled:
    """Models that are told to be exact, or within an error that line 2 admits or refuses."""
    *models, target = draw(sets.model_sets())
    least = least_accuracy(target.S, target.gamma)
    return Misled(
        models=approximate_models(models),
        target=target,
        Delta=draw(st.sampled_from((0.0, 1e-4, 1.0))),
        epsilon=draw(st.sampled_from((least, 0.01, 0.5))),
        n=draw(st.integers(1, 40)),
        times=draw(st.integers(1, 3)),
        seed=draw(st.integers(0, 2**32)),
    )


MisledRun: TypeAlias = Callable[[Misled, GenerativeModel, PacAlgorithm], PtumResult]


def literal(case: Misled, model: GenerativeModel, fallback: PacAlgorithm) -> PtumResult:
    """Algorithm 1 of the reference."""
    return ptum(
        case.models,
        model,
        epsilon=case.epsilon,
        delta=DELTA,
        n=case.n,
        Delta=case.Delta,
        fallback=fallback,
    )


def alone(case: Misled) -> int:
    """What the fallback asks when nobody runs before it."""
    model, S, A = CountingModel(Simulator(case.target, case.seed)), case.models.S, case.models.A
    AskEveryPair(case.times)(model, S, A, case.models.gamma, case.epsilon, DELTA)
    return model.asked


def cost_evaluation(case: Misled, run: MisledRun = literal) -> Evaluation:
    """All queries of a run with its fallback, against n and the fallback alone."""
    model = CountingModel(Simulator(case.target, case.seed))
    run(case, model, AskEveryPair(case.times))
    return Evaluation(
        (), Statement("queries in all, against n more than without", model.asked, "≤", _most(case))
    )


def _most(case: Misled) -> int:
    return case.n + alone(case)


@check("text-negative-transfer.inherited/cost", CheckKind.EXACT)
def bounded_cost(context: Context) -> Outcome:
    """With models of other tasks a run asks at most n queries more than its fallback alone."""
    return search(context, misled(), cost_evaluation, (10, 200, 5000))
