"""A violated claim shows its formula in symbols, and again with the numbers of the instance.

Most checks hold, so violations are staged: every conclusion counts as missed, every trial as
failed, whatever the numbers say. What is looked at is the text that the command prints.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import Phase
from hypothesis.strategies import SearchStrategy

from ptum.checks.claims import registry
from ptum.checks.cli.failure import failure_lines, formulas_of
from ptum.checks.cli.output.formatting import PIPE
from ptum.checks.suite.runner import Row, expected_of
from ptum.checks.verdicts import probability_search, search
from ptum.checks.verdicts.check import Check, Context, Profile
from ptum.checks.verdicts.hypothesis_driver import AIM, draw_each
from ptum.checks.verdicts.outcome import Evaluation, Outcome
from ptum.checks.verdicts.probability_search import ProbabilityClaim, TrialResult
from ptum.spec.vocabulary import CheckKind, Verdict
from tests.support.command import widest

KINDS = (CheckKind.EXACT, CheckKind.INEQUALITY, CheckKind.PROBABILITY)
FEW = 20
"""Trials of a staged probability: enough for an exact lower bound above every δ of the suite."""

CONTINUED = " " * 13
"""What stands in front of a row that belongs to the line above: indent and the room of a word."""


def compares_a_formula(check: Check) -> bool:
    """Whether the check holds the formula itself against the reference, on whole tables."""
    return check.id.rpartition("/")[2] in ("formula", "formula-repaired")


def has_other_constants(check: Check) -> bool:
    """Whether it is about the cheapest repair, whose constants no formula of the ledger has."""
    return check.id.rpartition("/")[2].startswith("cheapest")


WITHOUT_FORMULA = (
    "algorithm-1.ensures/exact",
    "algorithm-1.ensures/repaired-exact",
    "lemma-13.bound/two-floors",
    "lemma-3.coverage/exact",
    "lemma-3.coverage/repaired-exact",
    "lemma-3.coverage/wrong-std-exact",
)
"""Probabilities of whole runs against δ, and a bound that is sharper than the ledger's formula."""


def with_formulas() -> dict[str, Check]:
    return {
        check.id: check
        for check in registry().values()
        if check.kind in KINDS
        and formulas_of(check)
        and not compares_a_formula(check)
        and not has_other_constants(check)
        and check.id not in WITHOUT_FORMULA
    }


@pytest.fixture
def everything_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Conclusions are missed under their premises, trials fail, and nothing is shrunk."""
    made = probability_search._trials

    def missed(evaluation: Evaluation) -> Verdict:
        met = all(premise.holds for premise in evaluation.premises)
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
        context: Context,
        claim: ProbabilityClaim[object],
        instance: object,
        trials: int,
        key: tuple[int, ...],
    ) -> list[TrialResult]:
        return [replace(seen, failed=True) for seen in made(context, claim, instance, trials, key)]

    monkeypatch.setattr(Evaluation, "verdict", missed)
    monkeypatch.setattr(search, "draw_each", unshrunk)
    monkeypatch.setattr(probability_search, "_trials", failing)


def failure_of(check: Check) -> tuple[Outcome, list[str]]:
    """The outcome of a short run, and what the command says of it."""
    context = replace(check.context(Profile.QUICK, 0), most=FEW)
    outcome = check.run(context)
    return outcome, failure_lines(Row(check, outcome, expected_of(check), 0.0), Profile.QUICK, 0)


def headed(word: str, lines: Sequence[str]) -> list[list[str]]:
    """Lines that begin so, each with the rows that continue it."""
    blocks: list[list[str]] = []
    for line in lines:
        if line.startswith(CONTINUED) and blocks:
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return [block for block in blocks if block[0].startswith(f"  {word} ")]


def digits(lines: Sequence[str]) -> int:
    return sum(letter in "0123456789" for line in lines for letter in line)


@pytest.mark.slow
@pytest.mark.parametrize("identity", sorted(with_formulas()))
@pytest.mark.usefixtures("everything_fails")
def test_a_violation_shows_the_formula_and_the_numbers_in_it(identity: str) -> None:
    outcome, lines = failure_of(with_formulas()[identity])
    assert outcome.verdict is Verdict.VIOLATED
    assert headed("says", lines), "the formula of the ledger"
    formulas, numbers = headed("formula", lines), headed("numbers", lines)
    assert formulas
    for symbols, put_in in zip(formulas, numbers, strict=True):
        assert digits(put_in) > digits(symbols), "something has been put in"
    for block in (*headed("says", lines), *formulas, *numbers):
        assert widest("\n".join(block)) <= PIPE
