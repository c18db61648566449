"""The command `ptum` as tests call it: in this process, with what it prints and its exit code."""

from __future__ import annotations

import contextlib
import io
import json
from dataclasses import dataclass

import click
import jsonschema
import pytest

from ptum.checks.cli import main
from ptum.checks.cli.output.formatting import columns_of


@dataclass(frozen=True)
class Done:
    """How a call ended."""

    returncode: int
    stdout: str
    stderr: str


class Screen(io.StringIO):
    """A stream that calls itself a terminal."""

    def isatty(self) -> bool:
        """Yes."""
        return True


def ptum(*arguments: str, out: io.StringIO | None = None, columns: int = 80) -> Done:
    """Call the command as the console script would; help is wrapped by `COLUMNS` even in a pipe."""
    out, err = out or io.StringIO(), io.StringIO()
    code = 0
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        patch.setenv("COLUMNS", str(columns))
        try:
            main(list(arguments))
        except SystemExit as end:
            code = int(end.code or 0)
    return Done(code, out.getvalue(), err.getvalue())


def on_screen(columns: int, *arguments: str) -> Done:
    """The same on a terminal with so many columns."""
    return ptum(*arguments, out=Screen(), columns=columns)


def refused(*arguments: str) -> str:
    """The one line that a refusal prints."""
    done = ptum(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr


def valid(output: str, schema: str) -> dict[str, object]:
    """JSON that keeps to its schema."""
    document = json.loads(output)
    jsonschema.validate(document, json.loads(ptum("schema", schema).stdout))
    assert isinstance(document, dict)
    return document


def widest(text: str) -> int:
    """Columns of the widest line, whatever its colours."""
    return max(map(columns_of, click.unstyle(text).splitlines()))
