"""A violated claim shows its formula in symbols, and once more with the numbers of the instance.

Most checks hold, so violations are staged: every conclusion counts as missed, every trial as
failed, whatever the numbers say. What is looked at is the text that the command prints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import Phase
from hypothesis.strategies import SearchStrategy

from checks import candidates, search
from checks.candidates import Claim, Seen
from checks.cli.failure import failure_lines, formulas_of
from checks.drawing import AIM, draw_each
from checks.outcome import Outcome, Walk
from checks.registry import Check, Context, Profile, registry
from checks.runner import Row, expected_of
from checks.section_4 import prediction
from spec.vocabulary import CheckKind, Verdict

KINDS = (CheckKind.EXACT, CheckKind.INEQUALITY, CheckKind.PROBABILITY)
FEW = 20
"""Trials of a staged probability: enough for an exact lower bound above every δ of the suite."""

NO_TASK = "whether tables are those of a task; none of the four errors enters"
STEP = "a step of the proof with a bound of its own, which is no formula of the ledger"
BEYOND = "a threshold or constant of its own, sharper than the formula of the ledger"
WITHOUT_NUMBERS = {
    "assumption-1.models-are-mdps/refused": NO_TASK,
    "assumption-1.models-are-mdps/not-implied": NO_TASK,
    "assumption-1.models-are-mdps/repaired-ranges": NO_TASK,
    "algorithm-1.pseudocode/invariants": "names the rules that a whole transcript breaks",
    "algorithm-1.pseudocode/repaired-invariants": "names the rules that a whole transcript breaks",
    "theorem-3.power/rare-successor": "about any rule whatever, so that no threshold enters",
    "lemma-2.bernstein/covered-misses": "all samples of all laws at once: no single variance",
    "lemma-2.bernstein/attacked": "a failure probability against δ, of a law under attack",
    "lemma-7.positive/one-state-factor": BEYOND,
    "lemma-7.positive/few-states-factor": BEYOND,
    "lemma-8.bound/repaired-core": STEP,
    "lemma-8.bound/repaired-both-active": BEYOND,
    "lemma-10.bound/three-cycle": "there is no estimate whose error could be put in",
    "lemma-11.pseudo-inverse/scalars": STEP,
    "lemma-11.pseudo-inverse/moved-moments": STEP,
    "lemma-11.column-norm/exact-tasks": STEP,
    "lemma-11.decomposition/exact-moments": STEP,
    "lemma-12.bound/within-tasks": "W3 is no formula of the ledger; its statement has the numbers",
    "lemma-13.floor/any-constant": "any constant in place of the formula's",
}
"""Checks of a claim with formulas into which no number can be put, and why."""


def compares_a_formula(check: Check) -> bool:
    """Whether the check holds the formula itself against the reference, on whole tables."""
    return check.id.rpartition("/")[2] in ("formula", "formula-repaired")


def with_formulas() -> dict[str, Check]:
    return {
        check.id: check
        for check in registry().values()
        if check.kind in KINDS and formulas_of(check) and not compares_a_formula(check)
    }


@pytest.fixture
def everything_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Conclusions are missed under their premises, trials fail, and nothing is shrunk."""
    made = candidates._trials

    def missed(walk: Walk) -> Verdict:
        met = all(premise.holds for premise in walk.premises)
        return Verdict.VIOLATED if met else Verdict.ASSUMPTION_NOT_MET

    def unshrunk(
        seed: int,
        strategy: SearchStrategy[object],
        look: Callable[[object], None],
        examples: int,
        phases: tuple[Phase, ...] = AIM,
    ) -> None:
        del phases
        draw_each(seed, strategy, look, examples, AIM)

    def failing(
        context: Context, claim: Claim[object], instance: object, trials: int, key: tuple[int, ...]
    ) -> list[Seen]:
        return [replace(seen, failed=True) for seen in made(context, claim, instance, trials, key)]

    def dropped(_: np.random.Generator, __: float) -> bool:
        return True

    monkeypatch.setattr(Walk, "verdict", missed)
    monkeypatch.setattr(search, "draw_each", unshrunk)
    monkeypatch.setattr(candidates, "_trials", failing)
    monkeypatch.setattr(prediction, "true_successor_dropped", dropped)


def failure_of(check: Check) -> tuple[Outcome, list[str]]:
    """The outcome of a short run, and what the command says of it."""
    context = replace(check.context(Profile.QUICK, 0), most=FEW)
    outcome = check.run(context)
    return outcome, failure_lines(Row(check, outcome, expected_of(check), 0.0), Profile.QUICK, 0)


def begin_with(word: str, lines: Sequence[str]) -> list[int]:
    """Numbers of the lines that begin so."""
    return [i for i, line in enumerate(lines) if line.strip().startswith(word + " ")]


def digits(lines: Sequence[str]) -> int:
    return sum(letter in "0123456789" for line in lines for letter in line)


@pytest.mark.slow
@pytest.mark.parametrize("identity", sorted(with_formulas()))
@pytest.mark.usefixtures("everything_fails")
def test_a_violation_shows_the_formula_and_the_numbers_in_it(identity: str) -> None:
    outcome, lines = failure_of(with_formulas()[identity])
    assert outcome.verdict is Verdict.VIOLATED
    assert begin_with("says", lines), "the formula of the ledger"
    formulas, numbers = begin_with("formula", lines), begin_with("numbers", lines)
    if identity in WITHOUT_NUMBERS:
        assert (formulas, numbers) == ([], []), "no exception any more"
        return
    assert formulas
    for symbols, put_in in zip(formulas, numbers, strict=True):
        height = put_in - symbols
        # as many lines as the symbols have, and more digits: something has been put in
        assert digits(lines[put_in : put_in + height]) > digits(lines[symbols:put_in])


def test_exceptions_are_checks_of_claims_with_formulas() -> None:
    assert WITHOUT_NUMBERS.keys() <= with_formulas().keys()
