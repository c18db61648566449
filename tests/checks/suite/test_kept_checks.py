"""`ptum verify --keep FILE`: what is finished is not run again, and belongs to one run alone."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from ptum.checks.claims import registry
from ptum.checks.cli.output.formatting import Refusal
from ptum.checks.cli.output.signals import Wish
from ptum.checks.cli.verify import watched_rows
from ptum.checks.suite import kept_checks
from ptum.checks.suite.kept_checks import KeptChecks
from ptum.checks.suite.report import read, result_of, row_of
from ptum.checks.suite.runner import Job, Row, expected_of, run_one
from ptum.checks.text.kept_lines import OtherResultsError
from ptum.checks.verdicts.check import Profile
from ptum.checks.verdicts.outcome import Attempt, Outcome
from ptum.spec.vocabulary import Verdict
from tests.support.command import ptum, refused

JOB = Job(Profile.QUICK, 0)
CHECK = "lemma-7.positive/bandit"
ASKED = (registry()[CHECK],)
OTHERS = ("--claim", "lemma-7")


def row(verdict: Verdict, *, ran: bool = True, outcome: Outcome | None = None) -> Row:
    check = registry()[CHECK]
    return Row(check, outcome or Outcome(verdict), expected_of(check), 0.5, ran)


FULL = Outcome(
    Verdict.VIOLATED,
    instances=3,
    trials=5,
    violations=1,
    interval=(0.1, 0.25),
    worst_ratio=float("inf"),
    looseness=(0.0, 0.1, 0.3, 1.5, float("inf")),
    tolerance=1e-13,
    best=Attempt(0.875, "1 < 2", "[1]", None, "drawn"),
    explanation=("one", "two"),
)


def test_a_row_comes_back_as_it_was() -> None:
    whole = row(Verdict.VIOLATED, outcome=FULL)
    assert row_of(result_of(whole, JOB)) == whole
    measured = run_one(registry()[CHECK], JOB)
    again = result_of(row_of(result_of(measured, JOB)), JOB)
    assert again == result_of(measured, JOB)


def test_what_was_cut_off_or_errored_is_run_again(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    kept = KeptChecks(path, JOB, ASKED)
    kept.keep(row(Verdict.INCONCLUSIVE, ran=False, outcome=Outcome(Verdict.INCONCLUSIVE)))
    kept.keep(row(Verdict.ERRORED))
    assert not path.exists()
    kept.keep(row(Verdict.HOLDS))
    kept.keep(row(Verdict.HOLDS))
    assert list(KeptChecks(path, JOB, ASKED).rows) == [CHECK]
    assert len(path.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("job", "field"),
    [
        (replace(JOB, seed=1), "seed"),
        (replace(JOB, profile=Profile.DEEP), "profile"),
    ],
)
def test_checks_of_another_run_are_refused_and_stay(tmp_path: Path, job: Job, field: str) -> None:
    path = tmp_path / "kept.jsonl"
    KeptChecks(path, JOB, ASKED).keep(row(Verdict.HOLDS))
    before = path.read_bytes()
    with pytest.raises(OtherResultsError, match=f"with {field} "):
        KeptChecks(path, job, ASKED)
    assert path.read_bytes() == before


def test_checks_of_other_code_are_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.jsonl"
    KeptChecks(path, JOB, ASKED).keep(row(Verdict.VIOLATED))
    with monkeypatch.context() as changed:
        changed.setattr(kept_checks, "code_of", lambda _: "another digest")
        kept = KeptChecks(path, JOB, ASKED)
        assert not kept.rows
        assert kept.stale == {CHECK}
        kept.keep(row(Verdict.HOLDS))
        assert KeptChecks(path, JOB, ASKED).rows[CHECK].outcome.verdict is Verdict.HOLDS
    kept = KeptChecks(path, JOB, ASKED)
    assert kept.rows[CHECK].outcome.verdict is Verdict.VIOLATED
    assert not kept.stale


def test_what_is_expected_is_what_the_ledger_says_now(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    KeptChecks(path, JOB, ASKED).keep(
        replace(row(Verdict.VIOLATED), expected=frozenset({Verdict.HOLDS}))
    )
    assert KeptChecks(path, JOB, ASKED).rows[CHECK].expected == {Verdict.VIOLATED}


def test_checks_that_are_not_asked_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    KeptChecks(path, JOB, ASKED).keep(row(Verdict.VIOLATED))
    path.write_text(path.read_text().replace(CHECK, "lemma-7.positive/none"))
    kept = KeptChecks(path, JOB, ASKED)
    assert not kept.rows
    assert not kept.stale


def test_the_code_of_a_check_is_that_at_the_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "kept.jsonl"
    kept = KeptChecks(path, JOB, ASKED)
    with monkeypatch.context() as changed:
        changed.setattr(kept_checks, "code_of", lambda _: "edited since")
        kept.keep(row(Verdict.VIOLATED))
    assert CHECK in KeptChecks(path, JOB, ASKED).rows


def test_a_run_that_was_cut_short_is_continued(tmp_path: Path) -> None:
    kept, first, whole = (str(tmp_path / name) for name in ("kept.jsonl", "a.json", "b.json"))
    assert ptum("verify", "--check", CHECK, "--keep", kept).returncode == 0
    head, line = Path(kept).read_bytes().splitlines()
    # a mark that only this file has shows that the check is not run again
    marked = msgspec.json.decode(line)
    marked["result"]["seconds"] = 12345.0
    Path(kept).write_bytes(head + b"\n" + msgspec.json.encode(marked) + b"\n")
    result = ptum("verify", *OTHERS, "--keep", kept, "--json", first)
    assert result.returncode == 0
    assert result.stderr.startswith("1 of ")
    assert f" checks taken from {kept}\n" in result.stderr
    assert ptum("verify", *OTHERS, "--json", whole).returncode == 0
    continued = read(Path(first)).results
    assert [one.seconds for one in continued if one.check == CHECK] == [12345.0]
    assert len(continued) > 1
    assert [timeless(one) for one in continued] == [
        timeless(one) for one in read(Path(whole)).results
    ]
    assert len(Path(kept).read_bytes().splitlines()) == 1 + len(continued)


def test_who_was_cut_short_is_told_how_to_go_on(tmp_path: Path) -> None:
    kept = str(tmp_path / "kept.jsonl")
    said = f"What finished is in {kept}: the same command goes on from there."
    for finished in (False, True):  # nothing is said to be in a file that is not there
        result = ptum("verify", *OTHERS, "--seconds", "1e-9", "--keep", kept)
        assert result.returncode == 3
        assert (said in " ".join(result.stdout.split())) is finished
        assert ptum("verify", "--check", CHECK, "--keep", kept).returncode == 0


@pytest.mark.parametrize("content", [b"[1]\n", b"\xff\xfe words\n", b"{\n}\n", b"words"])
def test_another_file_is_named_as_such_and_stays(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes(content)
    said = refused("verify", "--check", CHECK, "--keep", str(path))
    assert f"{path} is no file of --keep, or damaged" in said
    assert "; give another --keep" in said
    assert path.read_bytes() == content


def test_who_reads_it_as_a_report_is_told_how_to_make_one(tmp_path: Path) -> None:
    path, site = tmp_path / "kept.jsonl", str(tmp_path / "site")
    KeptChecks(path, replace(JOB, seed=7), ASKED).keep(row(Verdict.HOLDS))
    command = f"`ptum verify --profile quick --seed 7 --keep {path} --json REPORT`"
    for call in (("summary", str(path)), ("report", site, "--from", str(path))):
        assert f"it is a file of --keep, of which {command} makes a report" in refused(*call)
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(b"{}\n{}\n")
    assert "--keep" not in refused("summary", str(broken))


def test_a_full_disk_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    path = tmp_path / "kept.jsonl"
    with pytest.raises(Refusal, match=rf"^cannot write {path}: No space left on device$"):
        watched_rows(ASKED, JOB, Wish(), kept=KeptChecks(path, JOB, ASKED))


def timeless(result: msgspec.Struct) -> msgspec.Struct:
    return msgspec.structs.replace(result, seconds=0.0)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--keep", "-"), "a file of its own"),
        (("--keep", "{0}/x.json", "--json", "{0}/x.json"), "a file of its own"),
        (("--keep", "{0}"), "it is a folder"),
        (("--keep", "{0}/none/x"), "No such file"),
        (("--keep", "{0}/x", "--list"), "leave out --family, --list"),
        (("--keep", "{0}/x", "--family", "my:family"), "leave out --family"),
    ],
)
def test_where_nothing_can_be_kept_nothing_is_run(
    tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    result = ptum("verify", "--check", CHECK, *(option.format(tmp_path) for option in options))
    assert result.returncode == 2
    assert said in result.stderr
    assert not list(tmp_path.iterdir())
