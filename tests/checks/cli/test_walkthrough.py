"""`ptum show ID --run`: instances with their numbers, evaluated, as text and as JSON."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from ptum.checks.cli import walkthrough
from ptum.checks.cli.output import explain
from ptum.checks.cli.output.explain import explanation_lines
from ptum.checks.cli.output.formatting import columns_of
from ptum.checks.cli.output.numbers import as_json, number_lines
from ptum.checks.exact.intervals import PI, compared, root, shortened
from ptum.checks.instances.counterexamples.appendix_b import correctness
from ptum.checks.instances.counterexamples.catalogue import cases_of
from ptum.checks.instances.numbers import text_of
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Outcome, Statement, formula_lines
from ptum.spec import ledger
from ptum.spec.records import Erratum
from ptum.spec.vocabulary import Verdict, Version
from tests.support.closeness import near
from tests.support.command import on_screen, ptum, valid, widest

HALF = Fraction(1, 2)


# Numbers


def test_scalars_and_vectors_stay_on_their_line() -> None:
    numbers = (("γ", HALF), ("ε", 0.1 + 0.2), ("π", (HALF, Fraction(1), 2)), ("paid", "once"))
    assert list(number_lines(numbers)) == [
        "    γ = 1/2",
        "    ε = 0.3",
        "    π = (1/2, 1, 2)",
        "    paid = once",
    ]


def test_long_fractions_are_rounded() -> None:
    numbers = (("x", Fraction(1, 3 * 10**20)), ("n", 10**30), ("h", 10**11))
    assert list(number_lines(numbers)) == [
        "    x = ≈3.33333e-21",
        "    n = 1e+30",
        "    h = 100000000000",
    ]


def test_columns_of_a_table_are_aligned() -> None:
    table = ((Fraction(59, 100), HALF), (Fraction(0), 12))
    assert list(number_lines((("r", table),))) == [
        "    r",
        "        59/100  1/2",
        "             0   12",
    ]


def test_tables_of_a_state_are_numbered_and_share_their_columns() -> None:
    p = (((HALF, HALF), (1, 0)), ((0.25, 0.75), (0, 1)))
    assert list(number_lines((("p", p),))) == [
        "    p",
        "        [0]   1/2   1/2",
        "                1     0",
        "        [1]  0.25  0.75",
        "                0     1",
    ]


def test_rows_may_hold_vectors() -> None:
    assert list(number_lines((("runs", ((4, (1, 2)), (16, (1,)))),)))[1:] == [
        "         4  (1, 2)",
        "        16     (1)",
    ]


def test_marks_above_letters_take_no_column() -> None:
    """r̃ is two characters and one column wide."""
    lines = list(number_lines((("names", (("r̃", "x"), ("xx", "y"))),)))
    assert lines[1:] == ["         r̃  x", "        xx  y"]


def test_long_lines_are_wrapped() -> None:
    lines = list(number_lines((("many", tuple(range(1000, 1040))),)))
    assert len(lines) > 1
    assert max(map(len, lines)) <= 96


def test_numbers_in_json_keep_fractions_and_infinities() -> None:
    assert as_json((HALF, 3, (0.5, float("inf")), True, "x")) == ["1/2", 3, [0.5, "inf"], True, "x"]


# Evaluations


def test_an_erratum_shows_numbers_premises_conclusion_and_repair() -> None:
    done = ptum("show", "E01", "--run")
    assert done.returncode == 0
    shown = done.stdout.partition("1 counterexample behind 1 check\n")[2]
    places = [
        shown.index(words)
        for words in (
            "59/100",
            "premise    transfer mode: Δ against its threshold: 3/250 (0.012) < 1/76",
            "conclusion largest index over all pairs: 0 > 0 … NO",
            "margin     0 (both sides are equal)",
            "verdict    violated",
            "fixed      ",
            "repair     ",
            "on it      excluded by the repaired premise: transfer mode",
            "in scope   inside the repaired premise it holds",
        )
    ]
    assert places == sorted(places)


def test_both_sides_of_what_is_refuted_are_told() -> None:
    text = " ".join(ptum("show", "E38", "--run").stdout.split())
    assert "P(θ*_{h+1} = 0) = 0.5, while whenever θ*_h = 1" in text  # tasks as in the instance
    assert "T̂(0,1) = 0.1 at h = ∞ (0.118 at h = 10⁸, ρ_T = 40)" in text
    assert "is 1/2, the right side 0.91823 (θ*_h = 0) or 0.11823 (θ*_h = 1)" in text
    name, given = formulas.threshold(1, Fraction(9, 10), Version.PRINTED)
    assert formula_lines(name, given)[-1] == "right side 0.0131579"
    assert not any("right side" in line for line in formula_lines(name, given[1:]))


def test_an_erratum_in_json_has_the_same(tmp_path: Path) -> None:
    target = tmp_path / "walk.json"
    assert ptum("show", "E01", "--run", "--json", str(target)).returncode == 0
    document = valid(target.read_text(), "show")
    assert document["record"] == "E01"
    cases = document["cases"]
    assert isinstance(cases, list)
    (case,) = cases
    assert case["checks"] == ["lemma-7.positive/bandit"]
    assert {"name": "Δ", "value": "3/250"} in case["numbers"]
    assert case["printed"]["verdict"] == "violated"
    assert case["printed"]["premises"][0] == {
        "text": "transfer mode: Δ against its threshold",
        "left": "3/250",
        "sign": "<",
        "right": "1/76",
        "holds": True,
        "margin": near(1 / 76 - 0.012),
    }
    assert case["undone"]["verdict"] == "holds"
    assert case["repaired"]["verdict"] == "assumption-not-met"
    assert case["sibling"]["verdict"] == "holds"
    assert {"name": "Δ", "value": "7/2500"} in case["sibling_numbers"]


def test_a_repair_that_holds_on_the_instance_says_so() -> None:
    assert "on it      the repaired claim holds" in ptum("show", "E08", "--run").stdout


def test_the_reading_that_is_refuted_is_told(tmp_path: Path) -> None:
    """The claim is about PTUM, the instance about the bound of its theorem."""
    target = tmp_path / "walk.json"
    identity = "text-oracle-proportional"
    shown = " ".join(ptum("show", identity, "--run", "--json", str(target)).stdout.split())
    cases = valid(target.read_text(), "show")["cases"]
    assert isinstance(cases, list)
    readings = [case["reading"] for case in cases]
    assert "The bound of Theorem 1 is proportional to the cost of the oracle." in readings
    assert [f"understood {reading}" in shown for reading in readings] == [True] * len(cases)


def test_only_the_erratums_own_counterexamples_are_shown() -> None:
    shown = ptum("show", "E32", "--run").stdout.partition(" behind ")[2]
    assert "lemma-11.constants/scalars" in shown
    assert "four-cycle" not in shown  # of E31, which touches the same lemma


def test_a_case_of_several_checks_is_shown_once() -> None:
    erratum = ledger.find("E41")
    assert isinstance(erratum, Erratum)
    assert len(erratum.counterexamples) == 4
    assert ptum("show", "E41", "--run").stdout.count("  verdict    violated") == 2


@pytest.mark.parametrize("identity", ["e1", "E01", "lemma-7", "lemma-7.positive"])
def test_a_record_is_found_by_any_of_its_names(identity: str) -> None:
    assert "lemma-7.positive/bandit (" in ptum("show", identity, "--run").stdout


def test_trials_are_told_by_their_counts_and_their_reason() -> None:
    text = ptum("show", "lemma-11.bound", "--run").stdout
    assert re.search(r"\d+ failures in \d+ trials", text)
    assert "  rounded    the claim bounds the probability of an error;" in text
    assert "verdict    violated" in text


def test_what_is_rounded_is_marked() -> None:
    """An exact number as p/q, one between two fractions with ≈; in JSON a double."""
    low = Statement("π", *compared(PI, "≥", Fraction(1, 3)))
    assert str(low) == "π: ≈3.14159 ≥ 1/3 (0.333333) … yes"
    assert (as_json(low.left), as_json(low.right)) == (3.14159, "1/3")
    assert [text_of(x) for x in (shortened(root(2)), shortened(root(4)))] == ["≈1.41421356", "2"]


def test_a_verdict_that_is_unexpected_is_an_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    (case,) = cases_of("lemma-7.positive/bandit")
    harmless = correctness.bandit(Fraction(11, 1000))
    broken = replace(
        case, evaluate=lambda _: correctness.positive_index_evaluation(harmless, Version.PRINTED)
    )
    monkeypatch.setattr(walkthrough, "cases_of", lambda _: (broken,))
    done = ptum("show", "E01", "--run")
    assert done.returncode == 1
    assert "(unexpected)" in done.stdout


def test_a_check_without_a_case_shows_its_own_story(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walkthrough, "cases_of", lambda _: ())
    done = ptum("show", "E01", "--run")
    assert done.returncode == 0
    assert "conclusion largest index" in done.stdout
    assert "  instance\n" not in done.stdout.partition("lemma-7.positive/bandit (")[2]


def test_outcomes_of_trials_may_stand_behind_a_repair() -> None:
    told = walkthrough.VerdictShown(Outcome(Verdict.HOLDS, explanation=("0 of 9 failed",)), None)
    assert walkthrough._coping(told) == "the repaired claim holds"
    (case,) = cases_of("lemma-7.positive/bandit")
    shown = walkthrough.Shown(case.ids[0], case, told, True, repaired=told)
    assert list(walkthrough._on_it(shown))[1:] == ["    0 of 9 failed"]


def test_a_report_to_standard_output_is_alone_there() -> None:
    done = ptum("show", "E01", "--run", "--json", "-")
    assert done.returncode == 0
    assert json.loads(done.stdout)["record"] == "E01"


@pytest.mark.parametrize(
    ("identity", "why"),
    [
        ("D03", "a decision chooses between readings"),
        ("E16", "none is recorded; what is wrong (severity: imprecise)"),
        ("E20", "(severity: proof gap) stands in `ptum show E20`"),
        ("lemma-6", "no part of it is refuted"),
        ("equation-7", "see `ptum show theorem-1 --run`"),
    ],
)
def test_a_record_without_a_counterexample_says_why(identity: str, why: str) -> None:
    done = ptum("show", identity, "--run")
    assert done.returncode == 2
    assert "no counterexample" in done.stderr
    assert done.stdout == ""
    assert why in done.stderr


# Built-up formulas


TALL = ("formula        a + b", "           x = ───── + c", "                 d")


def test_rows_of_a_formula_stay_below_each_other() -> None:
    assert list(explanation_lines(TALL, "  ")) == [f"  {line}" for line in TALL]


def test_a_formula_is_broken_at_an_operator_and_never_within_a_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(explain, "screen", lambda: 25)
    assert [line[13:] for line in explanation_lines(TALL, "  ")] == [
        "x",
        "      a + b",
        "    = ─────",
        "        d",
        "    + c",
    ]


def test_a_formula_that_cannot_be_broken_is_told_in_latex(monkeypatch: pytest.MonkeyPatch) -> None:
    explanation = formula_lines(ledger.claim("definition-1").formulas[0], ())
    whole = [f"  {line}" for line in explanation]
    assert list(explanation_lines(explanation, "  ")) == whole
    monkeypatch.setattr(explain, "screen", lambda: 60)
    told = "\n".join(explanation_lines(explanation, "  "))
    assert "in LaTeX" in told
    assert "\\mathcal{I}" in told


def test_sentences_hang_below_their_word() -> None:
    lines = list(explanation_lines(("premise    " + "word " * 30, "no word " * 20), "  "))
    assert lines[1].startswith(" " * 13 + "word")
    assert lines[2].startswith("  no word")


def test_no_root_of_lemma_3_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """On any screen; what is told there is computed once."""
    (case,) = cases_of("lemma-3.coverage/wrong-std")
    shown = walkthrough._shown("lemma-3.coverage/wrong-std", case)
    monkeypatch.setattr(walkthrough, "_shown", lambda *_: shown)
    for columns in (80, 140):
        done = on_screen(columns, "show", "E05", "--run")
        lines = done.stdout.partition(" behind ")[2].splitlines()
        tops = [i for i, line in enumerate(lines) if "┌──" in line]
        assert len(tops) == 2
        for top in tops:
            require_a_whole_root(lines[top:])
        assert widest(done.stdout) <= columns


def require_a_whole_root(lines: list[str]) -> None:
    """Below the top of a root stands its side, in the same column of every row."""
    column = columns_of(lines[0].partition("┌")[0])
    foot = next(i for i, line in enumerate(lines) if "⎷" in line)
    assert columns_of(lines[foot].partition("⎷")[0]) == column
    sides = [columns_of(line.partition("│")[0]) for line in lines[1:foot]]
    assert set(sides) == {column}


# Which checks stand behind a case, and what its words mean


@pytest.mark.parametrize("identity", ["E02", "E26"])
def test_every_listed_check_is_shown(identity: str) -> None:
    erratum = ledger.find(identity)
    assert isinstance(erratum, Erratum)
    shown = ptum("show", identity, "--run").stdout.partition(" behind ")[2]
    assert [check for check in erratum.counterexamples if check not in shown] == []


def test_a_case_names_the_other_checks_that_it_refutes() -> None:
    shown = ptum("show", "E02", "--run").stdout
    others = "algorithm-1.ensures/wrong-policy, text-pac.implied/wrong-policy"
    assert "2 counterexamples behind 4 checks\n" in shown
    assert f"(Section 3.2)\n  also refutes: {others}\n" in shown


def test_several_instances_of_a_check_are_numbered() -> None:
    shown = ptum("show", "algorithm-3", "--run").stdout
    for number in (1, 2, 3):
        assert f"algorithm-3.estimates/unlearnable (Appendix C), instance {number} of 3" in shown


def test_the_words_are_explained_at_the_end_and_in_the_help() -> None:
    end = " ".join(ptum("show", "E01", "--run").stdout.split("\n\n")[-1].split())
    assert end == walkthrough.LEGEND
    told = ptum("show", "--help").stdout
    words = ("understood", "margin", "right side", "fixed", "on it", "in scope")
    assert all(f"`{word}`" in told for word in words)


def test_an_instance_in_scope_is_shown_by_the_numbers_that_differ() -> None:
    shown = ptum("show", "E01", "--run").stdout.partition("  in scope ")[2].splitlines()
    assert shown[1:3] == ["    instance, which is otherwise the one above", "      Δ = 7/2500"]
    assert shown[3].startswith("    premise    ")


def test_tied_arms_in_another_order_keep_the_repaired_bound() -> None:
    """E10: 54·400 + 1 queries, against 128·400·log(8·400·10⁵·3/0.1) = 1176833."""
    shown = " ".join(ptum("show", "E10", "--run").stdout.split())
    kept = "against the bound with factor SA: 21601 ≤ ≈1176833 … yes"
    assert shown.count(kept) == 2
    assert "; premise" not in shown


def test_an_unwritable_file_is_refused(tmp_path: Path) -> None:
    done = ptum("show", "E06", "--run", "--json", str(tmp_path / "no" / "where"))
    assert done.returncode == 2
    assert "cannot write" in done.stderr
