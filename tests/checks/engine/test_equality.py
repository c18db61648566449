"""Fast runs have the results of the literal code, in every field and to the last bit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from ptum.checks.engine import decision
from ptum.checks.engine import ptum as engine
from ptum.checks.engine.problem import RunNumbers
from ptum.checks.engine.slack import passes
from ptum.reference.transfer.confidence import confidence_set
from ptum.reference.transfer.ptum import PtumResult
from tests.checks.engine.drawn import DELTA, EngineInputs, drawn
from tests.support.streams import plain

PARTS, WITH_ELIMINATIONS = 10, 200
APART = 10**6
"""Seeds of two parts never meet."""


def fast(instance: EngineInputs, seeds: tuple[int, ...]) -> list[PtumResult]:
    return engine.simulated_runs(
        instance.models,
        instance.target,
        seeds,
        RunNumbers(epsilon=instance.epsilon, delta=DELTA, n=instance.n, errors=instance.errors),
        end_on_zero_index=instance.end_on_zero_index,
    )


def both(instances: Iterator[EngineInputs]) -> Iterator[tuple[PtumResult, PtumResult]]:
    """The fast and the literal run; of runs that eliminate nothing only each tenth."""
    for number, instance in enumerate(instances):
        found, _ = fast(instance, (instance.seed, instance.seed + 1))
        if found.eliminations or number % 10 == 0:
            yield found, instance.literal()


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_two_thousand_runs_with_eliminations(part: int) -> None:
    equal = 0
    for found, literal in both(drawn(part * APART)):
        assert plain(found) == plain(literal)
        equal += bool(literal.eliminations)
        if equal == WITH_ELIMINATIONS:
            break


@pytest.mark.deep
def test_fifty_thousand_runs() -> None:
    for found, literal in islice(both(drawn(PARTS * APART)), 50_000):
        assert plain(found) == plain(literal)


def test_runs_together_are_those_of_each_seed() -> None:
    for instance in islice(drawn(7), 25):
        seeds = tuple(range(12))
        together = fast(instance, seeds)
        assert plain(together) == plain([fast(instance, (seed,))[0] for seed in seeds])


def test_where_rounding_could_decide_the_literal_code_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an error bound as large as the numbers every decision is in doubt."""
    asked = 0

    def counted(*given: object) -> object:
        nonlocal asked
        asked += 1
        return confidence_set(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(decision, "U", 1.0)
    monkeypatch.setattr(decision, "confidence_set", counted)
    eliminations = 0
    for instance in islice(drawn(0), 60):
        literal = instance.literal()
        eliminations += len(literal.eliminations)
        assert plain(fast(instance, (instance.seed,))[0]) == plain(literal)
    assert asked > 0
    assert eliminations > 0


def test_a_bound_that_promises_too_much_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slack test that sees no failure coming makes other runs."""

    def careless(*given: object) -> object:
        return passes(*given) | True  # type: ignore[arg-type]

    monkeypatch.setattr(engine, "passes", careless)
    runs = [(fast(x, (x.seed,))[0], x.literal()) for x in islice(drawn(0), 10)]
    assert any(plain(found) != plain(literal) for found, literal in runs)
