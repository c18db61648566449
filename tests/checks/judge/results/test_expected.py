"""Known deviations: exactly those may occur, in the command, in Python and in pytest."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ptum
from ptum.checks.judge.capabilities import NAMES
from ptum.checks.judge.results.expected import ExpectedJudgements, compare, read
from tests.support.command import ptum as command
from tests.support.command import refused

SUBJECTS = """
import numpy as np


class Right:
    def policy_value(self, p, q, u, gamma, pi):
        rows = np.arange(len(pi))
        r = np.asarray(q) @ np.asarray(u)
        return np.linalg.solve(np.eye(len(pi)) - gamma * np.asarray(p)[rows, pi], r[rows, pi])


class Wrong(Right):
    def policy_value(self, p, q, u, gamma, pi):
        return super().policy_value(p, q, u, gamma / 2, pi)
"""

SELECTED = ("slippery-poorest", "slippery-gamma-0-best")
CASES = tuple(f"policy_value/{case}" for case in SELECTED)
"""With half of γ the first answer is wrong, and the second is not: its γ is 0."""


class Right:
    """Says what the literal code says."""

    def policy_value(self, **request: object) -> object:
        from ptum.checks.judge.capabilities import conforming

        return conforming("policy_value")["literal"](**request)


class Wrong(Right):
    """Takes half of γ."""

    def policy_value(self, **request: object) -> object:
        return super().policy_value(**{**request, "gamma": float(str(request["gamma"])) / 2})


class Claims(Right):
    """Says that it can do more."""

    def __init__(self, *names: str) -> None:
        self.capabilities = ["policy_value", *names]


def known(folder: Path, *lines: str) -> Path:
    """A file with one entry."""
    file = folder / "known.toml"
    head = ('schema = "ptum-expect/1"', "[[deviation]]", 'reason = "half of γ, on purpose"')
    file.write_text("\n".join((*head, *lines)) + "\n")
    return file


def compared(subject: object, file: Path) -> ExpectedJudgements:
    return ptum.check(subject, cases=CASES, expect=str(file)).comparison


OF_POLICY = 'capability = "policy_value"'


def test_check_names_what_deviates_in_few_words() -> None:
    right, wrong = (ptum.check(subject, cases=CASES) for subject in (Right(), Wrong()))
    assert right
    assert right.ok
    assert repr(right) == "<ptum.check: 1 conforms; 2 requests made>"
    assert not wrong
    assert re.search(
        r"\n  policy_value deviates in policy_value/slippery-poorest: .*; 1 of 2 answers",
        repr(wrong),
    )
    assert wrong.comparison.unexpected == ("policy_value deviates: it is not expected",)


def test_check_takes_a_claim_at_its_word() -> None:
    """As `ptum validate` does: a capability that is listed and cannot be asked is an error."""
    found = ptum.check(Claims("widths"), cases=(*CASES, "widths/ordinary"))
    assert not found.ok
    assert "widths errored in widths/ordinary: no-method: there is no" in repr(found)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"subject": object()}, f"subject: has no method of {NAMES[0]}"),
        ({"subject": Claims("magic")}, r"subject.capabilities: known are .* \(found magic\)"),
        ({"capabilities": "widths"}, "capabilities: must be a list"),
        ({"capabilities": ["width"]}, f"capabilities: known are {NAMES[0]}"),
        ({"cases": ["policy_value/none"]}, "cases: no case of that name"),
        ({"seed": -1}, "seed: must be an integer"),
        ({"seed": True}, "seed: must be an integer"),
        ({"expect": "/no/such/file"}, "expect: cannot read /no/such/file: No such file"),
    ],
)
def test_check_refuses_what_it_cannot_use(arguments: dict[str, object], named: str) -> None:
    with pytest.raises(ptum.InputError, match=named):
        ptum.check(**{"subject": Right(), **arguments})  # type: ignore[arg-type]


def test_exactly_the_known_deviations_are_as_expected(tmp_path: Path) -> None:
    file = known(tmp_path, OF_POLICY)
    assert compared(Wrong(), file) == ExpectedJudgements(
        {"policy_value": "half of γ, on purpose"}, (), ()
    )
    stale = compared(Right(), file)
    assert not stale.as_expected
    assert stale.stale == ("policy_value conforms: half of γ, on purpose",)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (f'cases = ["{CASES[0]}"]', ""),
        ('item = "Section 2, V^π"', ""),
        ('item = "Lemma 3, C^r"', "it breaks Section 2, V^π, expected is Lemma 3, C^r"),
        ('verdict = "errored"', "errored is expected"),
        (f'cases = ["{CASES[1]}"]', f"also in {CASES[0]}; not in {CASES[1]}"),
    ],
)
def test_another_deviation_than_the_known_one_is_unexpected(
    tmp_path: Path, line: str, told: str
) -> None:
    found = compared(Wrong(), known(tmp_path, OF_POLICY, line))
    assert found.as_expected is (told == "")
    assert all(text.startswith(f"policy_value deviates: {told}") for text in found.unexpected)


def test_entries_for_what_was_not_asked_do_not_count(tmp_path: Path) -> None:
    file = known(tmp_path, 'capability = "widths"')
    assert compare(read(file), ()).as_expected
    assert compared(Right(), file).as_expected


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("schema = 1", "is no file of known deviations"),
        ('schema = "ptum-expect/1"\n[[deviation]]\ncapability = "gaps"', "reason"),
        (
            'schema = "ptum-expect/1"\n[[deviation]]\ncapability = "gap"\nreason = "r"',
            "'gap'; known",
        ),
        ('schema = "ptum-expect/1"\nmore = 1', "more"),
        (
            'schema = "ptum-expect/1"\n' + '[[deviation]]\ncapability = "gaps"\nreason = "r"\n' * 2,
            "two entries for gaps",
        ),
        ("\x00", "is no file of known deviations"),
    ],
)
def test_files_that_cannot_be_used_are_refused(tmp_path: Path, text: str, told: str) -> None:
    file = tmp_path / "known.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=told):
        read(file)


def selected() -> list[str]:
    return [word for case in CASES for word in ("--case", case)]


def test_the_command_ends_with_0_if_exactly_the_known_deviations_occur(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "theirs.py").write_text(SUBJECTS)
    file = known(tmp_path, OF_POLICY)
    for name, code, told in (
        ("Wrong", 0, "known: policy_value: half of γ, on purpose\n1 known, 0 unexpected, 0 stale."),
        ("Right", 1, "stale: policy_value conforms: half of γ"),
    ):
        reader, writer = os.pipe()  # which can be read only once
        os.write(writer, file.read_bytes())
        os.close(writer)
        done = command("validate", f"theirs:{name}", *selected(), "--expect", f"/dev/fd/{reader}")
        os.close(reader)
        assert (done.returncode, told in done.stdout) == (code, True), done.stdout
        assert "\n2 requests made.\n" in done.stdout


def test_usage_errors_of_the_command_end_with_2(tmp_path: Path) -> None:
    assert "cannot read" in refused("validate", "a:b", "--expect", str(tmp_path / "none.toml"))
    assert "cannot start '/no/such'" in refused("validate", "--command", "/no/such --stdio")


@pytest.mark.slow
def test_pytest_has_one_item_per_capability_and_case(tmp_path: Path) -> None:
    (tmp_path / "theirs.py").write_text(SUBJECTS)
    ask = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    words = [*ask, "--ptum-subject", "theirs:Wrong", *(f"ptum::{case}" for case in CASES)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout
    assert f"FAILED ptum::{CASES[0]}" in done.stdout
    assert "1 failed, 1 passed" in done.stdout
    assert "breaks    " in done.stdout
    both = [*ask, "--ptum-subject", "theirs:Wrong", "--ptum-verify"]
    done = subprocess.run(both, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert "do not go together" in done.stderr
