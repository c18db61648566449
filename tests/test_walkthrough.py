"""`ptum show ID --run`: instances with their numbers, walked through, as text and as JSON."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from checks.cli import walkthrough
from checks.cli.numbers import as_json, number_lines
from checks.counterexamples import positive_index
from checks.counterexamples.catalogue import cases_of
from checks.outcome import Outcome
from spec import ledger
from spec.records import Erratum
from spec.vocabulary import Verdict, Version
from tests.test_cli import ptum, valid

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
        "    x = 3.33333e-21",
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


# Walks


def test_an_erratum_shows_numbers_premises_conclusion_and_repair(tmp_path: Path) -> None:
    target = tmp_path / "walk.json"
    done = ptum("show", "E01", "--run", "--json", str(target))
    assert done.returncode == 0
    shown = done.stdout.partition("1 counterexample\n")[2]
    places = [
        shown.index(words)
        for words in (
            "59/100",
            "premise    transfer mode: Δ against its threshold: 3/250 (0.012) < 1/76",
            "conclusion largest index over all pairs: 0 > 0 … NO",
            "margin     0",
            "verdict    violated",
            "undone     ",
            "repair     ",
            "on it      excluded by the repaired premise: transfer mode",
            "sibling    inside the repaired premise it holds",
        )
    ]
    assert places == sorted(places)
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
        "margin": pytest.approx(1 / 76 - 0.012),
    }
    assert case["undone"]["verdict"] == "holds"
    assert case["repaired"]["verdict"] == "assumption-not-met"
    assert case["sibling"]["verdict"] == "holds"


def test_a_repair_that_holds_on_the_instance_says_so() -> None:
    assert "on it      the repaired claim holds" in ptum("show", "E08", "--run").stdout


def test_only_the_erratums_own_counterexamples_are_shown() -> None:
    shown = ptum("show", "E32", "--run").stdout.partition("counterexample\n")[2]
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


def test_trials_are_told_by_their_counts() -> None:
    text = ptum("show", "E30", "--run").stdout
    assert "failures in" in text
    assert "verdict    violated" in text


def test_a_verdict_that_surprises_is_an_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    (case,) = cases_of("lemma-7.positive/bandit")
    harmless = positive_index.bandit(Fraction(11, 1000))
    broken = replace(case, told=lambda: positive_index.walk(harmless, Version.PRINTED))
    monkeypatch.setattr(walkthrough, "cases_of", lambda _: (broken,))
    done = ptum("show", "E01", "--run")
    assert done.returncode == 1
    assert "not all is as expected" in done.stdout


def test_a_check_without_a_case_shows_its_own_story(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walkthrough, "cases_of", lambda _: ())
    done = ptum("show", "E01", "--run")
    assert done.returncode == 0
    assert "conclusion largest index" in done.stdout
    assert "instance" not in done.stdout.partition("lemma-7.positive/bandit (")[2]


def test_outcomes_of_trials_may_stand_behind_a_repair() -> None:
    told = walkthrough.Found(Outcome(Verdict.HOLDS, story=("0 of 9 failed",)), None)
    assert walkthrough._coping(told) == "the repaired claim holds: 0 of 9 failed"


def test_a_record_without_a_counterexample_cannot_be_walked_through() -> None:
    for identity in ("D03", "E18"):
        done = ptum("show", identity, "--run")
        assert done.returncode == 2
        assert "no counterexample" in done.stderr


def test_an_unwritable_file_is_refused(tmp_path: Path) -> None:
    done = ptum("show", "E06", "--run", "--json", str(tmp_path / "no" / "where"))
    assert done.returncode == 2
    assert "cannot write" in done.stderr
