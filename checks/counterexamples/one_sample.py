"""Lines 9-10 with one sample (erratum E24): the sum of squares is divided by N - 1 = 0."""

from __future__ import annotations

from dataclasses import dataclass

from ptum.checks.counterexamples.catalogue import Case, Numbers
from ptum.checks.enclosed import written
from ptum.checks.families.named import bandit, exactly_known
from ptum.checks.outcome import Statement, Walk
from ptum.reference.generative import Simulator
from ptum.reference.ptum import ptum
from ptum.reference.transcript import Event, Query
from ptum.spec.vocabulary import Version

GAMMA, EPSILON, DELTA = 0.5, 0.5, 0.1
ARMS = ((0.9, 0.1), (0.1, 0.9))
"""Chances of a reward of 1, model by model; the first is the target."""


@dataclass(frozen=True)
class Pass:
    """A pass of a run, and how often the pair of the first query has been sampled before it."""

    t: int
    N: int


def denominator_in_pass(t: int) -> Pass:
    """Two arms that two models rank differently; the literal run is watched for t passes."""
    tasks = exactly_known("two arms", bandit(GAMMA, *ARMS))
    events: list[Event] = []
    ptum(
        tasks.approximate,
        Simulator(tasks.true[0], seed=0),
        epsilon=EPSILON,
        delta=DELTA,
        n=t,
        Delta=0.0,
        observer=events.append,
    )
    queries = [event for event in events if isinstance(event, Query)]
    pair = queries[0].s, queries[0].a
    return Pass(t, sum((query.s, query.a) == pair for query in queries if query.t < t))


def walk(found: Pass, version: Version = Version.PRINTED) -> Walk:
    """Where there is a sample (repaired: where there are two) lines 9-10 have a denominator."""
    least = 1 if version is Version.PRINTED else 2
    return Walk(
        premises=(Statement("samples of the pair before the pass", found.N, "≥", least),),
        conclusion=Statement("denominator N - 1 of lines 9-10", found.N - 1, ">", 0),
    )


def _numbers(found: Pass) -> Numbers:
    return (
        ("γ", written(GAMMA)),
        ("ε, δ, Δ", (written(EPSILON), written(DELTA), 0)),
        ("Bernoulli arms of target and rival", tuple(tuple(map(written, row)) for row in ARMS)),
        ("pass", found.t),
        ("N of the pair that pass 1 queried", found.N),
    )


CASES = (
    Case(
        checks=("text-arbitrary-initialisation.only-at-zero/one-sample",),
        numbers=lambda: _numbers(denominator_in_pass(2)),
        told=lambda: walk(denominator_in_pass(2)),
        undo="pass 3, when the pair has two samples",
        undone=lambda: walk(denominator_in_pass(3)),
        broken={"samples of the pair before the pass": lambda: walk(denominator_in_pass(1))},
        repaired=lambda: walk(denominator_in_pass(2), Version.REPAIRED),
        sibling=lambda: walk(denominator_in_pass(3), Version.REPAIRED),
        sibling_numbers=lambda: _numbers(denominator_in_pass(3)),
    ),
)
