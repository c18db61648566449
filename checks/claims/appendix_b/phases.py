"""Within a phase PTUM queries one pair: true with a fixed order for ties, false without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.instances.counterexamples.appendix_b import correctness
from ptum.checks.instances.families import tasks
from ptum.checks.verdicts.attempts.names import stored_as
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, from_evaluation
from ptum.checks.verdicts.search import Opportunities, search
from ptum.reference.repaired.transfer.ptum import ptum as repaired_ptum
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import least_accuracy
from ptum.reference.transfer.ptum import ptum
from ptum.reference.transfer.transcript import Elimination, Event, Query
from ptum.spec.vocabulary import CheckKind, Verdict, Version


@stored_as("Run")
@dataclass(frozen=True, eq=False)
class SamplingRun:
    """Models of which number 0 answers, and the inputs of a run that has to sample."""

    models: ApproximateModels
    n: int
    seed: int


@st.composite
def runs(draw: DrawFn) -> SamplingRun:
    """A task, the same with its actions renamed, and others: as a rule no policy suits them all.

    The longer runs are long enough for deterministic rewards to be told apart.
    """
    S, A, gamma = draw(st.integers(1, 3)), draw(st.integers(2, 3)), draw(tasks.GAMMAS)
    one = tasks.of_size(S, A, gamma)
    first, others = draw(one), draw(st.lists(one, max_size=2))
    models = approximate_models([first, renamed(first), *others])
    n = draw(st.sampled_from((2, 5, 20, 90)))
    return SamplingRun(models, n, draw(st.integers(0, 2**32)))


def renamed(task: MDP) -> MDP:
    """The task whose action a + 1 is the old action a."""
    return MDP(np.roll(task.p, 1, axis=1), np.roll(task.q, 1, axis=1), task.u, task.gamma)


def changes_within_phases(events: Sequence[Event]) -> tuple[int, int]:
    """How many pairs of consecutive queries had no elimination between them, and how many of
    those were at different pairs."""
    consecutive, changed = 0, 0
    last: Query | None = None
    for event in events:
        if isinstance(event, Elimination):
            last = None
        elif isinstance(event, Query):
            if last is not None:
                consecutive += 1
                changed += (last.s, last.a) != (event.s, event.a)
            last = event
    return consecutive, changed


def transcript_evaluation(run: SamplingRun, version: Version) -> Evaluation:
    """The transcript of the literal algorithm with the least ε that it takes and Δ = 0."""
    consecutive, changed = changes_within_phases(transcript(run, version))
    return Evaluation(
        premises=(Statement("iterations followed by one of the same phase", consecutive, "≥", 1),),
        conclusion=Statement("changes of the pair within a phase", changed, "=", 0),
    )


def transcript(run: SamplingRun, version: Version = Version.PRINTED) -> list[Event]:
    """What a run announces."""
    events: list[Event] = []
    algorithm = ptum if version is Version.PRINTED else repaired_ptum
    algorithm(
        run.models,
        Simulator(run.models.tasks[0], run.seed),
        epsilon=least_accuracy(run.models.S, run.models.gamma),
        delta=0.5,
        n=run.n,
        Delta=0.0,
        observer=events.append,
    )
    return events


@check("text-pair-constant-in-phase.constant/fixed-order", CheckKind.EXACT)
def fixed_ties(context: Context) -> Outcome:
    """No transcript of the literal algorithm changes the pair within a phase.

    Ties broken by the order of the pairs, as the literal code does.
    """
    return search(
        context,
        runs(),
        lambda run: transcript_evaluation(run, Version.PRINTED),
        (25, 200, 5000),
        chances=Opportunities("iterations and eliminations", lambda run: len(transcript(run))),
    )


@check("text-pair-constant-in-phase.constant/repaired-first-pair", CheckKind.EXACT)
def repaired_ties(context: Context) -> Outcome:
    """With a fixed order of the pairs, on the tied arms and on drawn sets of models."""
    on_instance = correctness.ties_evaluation(correctness.tied_arms(), correctness.first_of_tied)
    found = from_evaluation(on_instance)
    if found.verdict is not Verdict.HOLDS:
        return found
    return search(
        context, runs(), lambda run: transcript_evaluation(run, Version.REPAIRED), (25, 200, 5000)
    )
