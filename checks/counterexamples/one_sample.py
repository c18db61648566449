"""Lines 9-10 with one sample (erratum E24): the sum of squares is divided by N - 1 = 0."""

from __future__ import annotations

from dataclasses import dataclass

from checks.families.named import bandit, exactly_known
from checks.outcome import Statement, Walk
from reference.generative import Simulator
from reference.ptum import ptum
from reference.transcript import Event, Query


@dataclass(frozen=True)
class Pass:
    """A pass of a run, and how often the pair of the first query has been sampled before it."""

    t: int
    N: int


def denominator_in_pass(t: int) -> Pass:
    """Two arms that two models rank differently; the literal run is watched for t passes."""
    tasks = exactly_known("two arms", bandit(0.5, (0.9, 0.1), (0.1, 0.9)))
    events: list[Event] = []
    ptum(
        tasks.approximate,
        Simulator(tasks.true[0], seed=0),
        epsilon=0.5,
        delta=0.1,
        n=t,
        Delta=0.0,
        observer=events.append,
    )
    queries = [event for event in events if isinstance(event, Query)]
    pair = queries[0].s, queries[0].a
    return Pass(t, sum((query.s, query.a) == pair for query in queries if query.t < t))


def walk(found: Pass) -> Walk:
    """Where there is a sample nothing has to be chosen: lines 9-10 have a denominator."""
    return Walk(
        premises=(Statement(f"samples of the pair before pass {found.t}", found.N, "≥", 1),),
        conclusion=Statement("denominator N - 1 of lines 9-10", found.N - 1, ">", 0),
    )
