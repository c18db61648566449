"""Where the output goes to may lack letters, and the folder in which a command was begun may go."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TypeAlias
from xml.etree import ElementTree

import pytest

from ptum.checks.cli import cli, main
from ptum.checks.cli.output.formatting import EXIT_CRASHED
from tests.support.command import ptum, valid

CHECK = "lemma-7.positive/bandit"
POOR = ("ascii", "latin-1")
"""Encodings without Greek letters, the second with some others."""


def printed(encoding: str, *arguments: str, code: int = 0) -> bytes:
    """What a call writes to an output of this encoding, as strict as that of Python."""
    written, told = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(buffer, encoding=encoding) for buffer in (written, told))
    ended: object = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(list(arguments))
        except SystemExit as end:
            ended = end.code
    assert ended == code
    out.flush()
    err.flush()  # progress, which must not be refused either
    return written.getvalue()


@pytest.mark.parametrize("encoding", POOR)
@pytest.mark.parametrize(
    "arguments",
    [
        "claims",
        "claims --kind erratum",
        "show lemma-7",
        f"show {CHECK} --run",
        "verify --list --claim lemma-7",
        "graph --format mermaid",
        "schema",
    ],
)
def test_letters_that_an_encoding_lacks_are_replaced(encoding: str, arguments: str) -> None:
    """Letter by letter: everything else is as it is in UTF-8."""
    whole = printed("utf-8", *arguments.split()).decode()
    assert printed(encoding, *arguments.split()) == whole.encode(encoding, "replace")


@pytest.mark.parametrize("encoding", POOR)
@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        ("claims", "claims --json"),
        ("list", "verify --list --claim lemma-7 --json -"),
        ("show", "show E01 --run --json -"),
        ("verify", f"verify --check {CHECK} --json -"),
    ],
)
def test_json_is_whole_in_every_encoding(encoding: str, schema: str, arguments: str) -> None:
    """Whoever reads it as UTF-8, which JSON is, gets every letter."""
    rich, poor = (printed(each, *arguments.split()) for each in ("utf-8", encoding))
    assert not rich.isascii()
    assert poor.isascii()
    documents = [json.dumps(_timeless(valid(text.decode(), schema))) for text in (rich, poor)]
    assert documents[0] == documents[1]


def _timeless(document: dict[str, object]) -> object:
    """A report without the time of day, and without seconds."""
    document.pop("header", None)
    results = document.get("results", [])
    assert isinstance(results, list)
    return document | {"results": [result | {"seconds": 0} for result in results]}


@pytest.mark.parametrize("encoding", POOR)
def test_files_and_xml_keep_every_letter(encoding: str, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    printed(encoding, "verify", "--check", CHECK, "--json", str(report))
    document = json.loads(report.read_text(encoding="utf-8"))
    explanation = document["results"][0]["story"]
    assert "Δ" in explanation[0]
    document["results"][0]["verdict"] = "inconclusive"
    report.write_text(json.dumps(document), encoding="utf-8")
    text = printed(encoding, "summary", str(report), "--format", "junit", code=1).decode()
    assert text.isascii()
    assert explanation[0] in "".join(ElementTree.fromstring(text).itertext())


def test_every_help_is_ascii() -> None:
    """Click itself prints it, and not as everything else is printed."""
    for command in ([], *([name] for name in cli.commands), ["vectors", "build"]):
        assert ptum(*command, "--help").stdout.isascii(), command


Process: TypeAlias = subprocess.CompletedProcess[str]
HERE = 'exec "$@"'


def alone(arguments: list[str], shell: str = HERE, **environment: str) -> Process:
    """The command as a process of its own, begun by a shell."""
    return subprocess.run(
        ["sh", "-c", shell, "sh", sys.executable, "-m", "ptum", *arguments],
        capture_output=True,
        check=False,
        encoding="latin-1",
        env=os.environ | environment,
    )


def test_a_process_replaces_letters_too() -> None:
    done = alone(["verify", "--check", CHECK], PYTHONIOENCODING="latin-1")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert "?" in done.stdout


def test_bytes_that_are_no_text_are_refused_in_one_line() -> None:
    done = alone([os.fsdecode(b"\xff")])
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def deleted(folder: Path, arguments: str) -> Process:
    """The command in a folder that is gone before it begins."""
    folder.mkdir()
    return alone(arguments.split(), f'cd "{folder}" && rmdir "{folder}" && {HERE}')


@pytest.mark.parametrize(
    "arguments", ["claims", "show lemma-7", "show E01 --run", "graph", "verify --help"]
)
def test_what_needs_no_folder_works_in_one_that_is_gone(tmp_path: Path, arguments: str) -> None:
    done = deleted(tmp_path / "gone", arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        "verify --claim lemma-7",
        "verify --claim lemma-7 --json report.json",
        "validate mine:subject",
        "summary report.json",
        "vectors build --folder vectors",
    ],
)
def test_a_folder_that_is_gone_is_a_refusal_in_one_line(tmp_path: Path, arguments: str) -> None:
    done = deleted(tmp_path / "gone", arguments)
    text = "ptum: the folder that you are in was deleted; change to one that exists\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", text)
    assert list(tmp_path.iterdir()) == []


def test_a_crash_is_no_verdict_nor_blamed_on_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is a file that is missing then; it has a code of its own, and says what to do."""

    def lost(*_: object, **__: object) -> None:
        raise FileNotFoundError("a file of our own")

    monkeypatch.setattr(import_module("ptum.checks.cli.claims"), "print_claims", lost)
    done = ptum("claims")
    assert done.returncode == EXIT_CRASHED == 70
    assert "FileNotFoundError: a file of our own" in done.stderr
    assert done.stderr.endswith("an error in ptum, and no verdict; please report it\n")
