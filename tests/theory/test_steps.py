"""Each step: right as it stands, and wrong with its constant moved or a premise dropped."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.theory import solver
from tests.theory.language import (
    ONE_PER_CENT,
    ProofStep,
    SolverQuery,
    broken,
    fractions,
    interpreted,
    nearby,
    negated,
    number,
    possible,
    solves,
)
from tests.theory.solver import UndecidedError, solution
from tests.theory.steps import STEPS, steps

ALL = [pytest.param(step, id=step.name) for page in STEPS.values() for step in page]


def found(query: SolverQuery) -> bool:
    """Whether there is a solution; one that z3 finds must be one by Python's arithmetic as well."""
    solved = solution(query)
    assert solved is None or solves(solved, query), solved
    return solved is not None


@pytest.mark.parametrize("step", ALL)
def test_a_step_is_right_and_a_wrong_one_is_seen(step: ProofStep) -> None:
    assert not found(negated(step))
    assert found(possible(step))
    assert found(broken(step))


@pytest.mark.parametrize("step", ALL)
def test_a_constant_is_moved_no_further_than_need_be(step: ProofStep) -> None:
    assert (step.move is None) != (step.without is None)
    assert (step.move is None) == (step.c is None)
    if step.move is not None:
        assert not found(nearby(step))


def test_most_steps_are_sharp() -> None:
    """Where a constant can be moved far, the step is weak evidence about it."""
    moves = [step.move for page in STEPS.values() for step in page if step.move is not None]
    assert sum(abs(move) == ONE_PER_CENT for move in moves) > 0.9 * len(moves)


def test_names_are_not_used_twice() -> None:
    names = [step.name for page in STEPS.values() for step in page]
    assert len(names) == len(set(names)) > 140


@pytest.mark.parametrize(
    "entry",
    ["slack (c = 4) x > 0 => x > 1", "slack (c = 4, wrong at 1 %) x > 0 => x > 1", "X == x > 0"],
)
def test_what_is_no_step_is_refused(entry: str) -> None:
    with pytest.raises(ValueError, match="neither shared premises nor a step: "):
        list(steps(entry))


def log_2(terms: int) -> tuple[Fraction, Fraction]:
    """Σ 1/(j2^j), and the same with twice its next summand, which is more than the rest."""
    below = sum((Fraction(1, j * 2**j) for j in range(1, terms + 1)), Fraction())
    return below, below + Fraction(2, (terms + 1) * 2 ** (terms + 1))


def test_logarithms_lie_where_the_steps_take_them() -> None:
    below, above = log_2(20)
    assert number("2.7725") < number("2.77258") < 4 * below
    assert 4 * above < number("2.7726")
    assert number("0.693") < below
    # 36 > e^3.58, as e < 2.71829 and 2.71829^179 < 36^50.
    assert number("2.71829") ** 179 < 36**50


def test_numbers_are_what_is_written() -> None:
    assert number("0.1 + 2.61") == Fraction(271, 100)
    assert number("-(26/3)**2") == Fraction(-676, 9)
    assert number("max(1, min(3, 2), abs(-5/2))") == Fraction(5, 2)


def test_chains_and_words_mean_what_they_mean_in_python() -> None:
    at = fractions({"x": Fraction(1, 2), "y": Fraction(2)})
    assert interpreted("0 < x <= 1/2 < y", at) is True
    assert interpreted("0 < x < 1/2 < y", at) is False
    assert interpreted("not (x == y) and (x > y or x != y)", at) is True


@pytest.mark.parametrize("formula", ["x if x else y", "f(x)", "x ** y", "[x]", "x == 'a'"])
def test_what_is_not_of_the_language_is_refused(formula: str) -> None:
    with pytest.raises((KeyError, ValueError)):
        interpreted(formula, fractions({"x": Fraction(1), "y": Fraction(2)}))


def test_a_solution_that_is_none_is_noticed() -> None:
    query = SolverQuery(("x**2 <= 2", "x >= c"), {"c": number("1.4")})
    assert solves({"x": number("1.41")}, query)
    assert not solves({"x": number("1.42")}, query)
    assert not solves({"x": number("1.39")}, query)


def test_a_solution_without_fractions_is_not_passed_over() -> None:
    with pytest.raises(UndecidedError, match="no fraction: x"):
        solution(SolverQuery(("x**2 == 2",), {}))


def test_too_much_effort_is_not_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "EFFORT", 1000)
    (step,) = [step for step in STEPS["repaired_transfer.md"] if step.name == "elimination"]
    with pytest.raises(UndecidedError, match="resource"):
        solution(negated(step))
