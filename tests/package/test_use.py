"""docs/use.md: every block runs, in its order, and prints what stands below it."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import matplotlib as mpl
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "use.md"
BLOCKS = re.findall(r"^```(python|output)\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)


def test_every_block_prints_what_stands_below_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mpl.use("svg")
    names: dict[str, object] = {}
    assert len(BLOCKS) > 10
    for (language, code), (following, expected) in zip(
        BLOCKS, [*BLOCKS[1:], ("python", "")], strict=True
    ):
        if language == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(code, PAGE.name, "exec"), names)
            assert out.getvalue() == (expected if following == "output" else ""), code
    assert {path.name for path in tmp_path.iterdir()} == {"run.svg", "lake.svg"}


@pytest.mark.parametrize(("first_words", "most"), [("import numpy", 10), ("means = ", 20)])
def test_the_promised_number_of_lines(first_words: str, most: int) -> None:
    """From tasks to a policy in ten lines, Algorithm 2 in twenty."""
    (code,) = [code for _, code in BLOCKS if code.startswith(first_words)]
    assert sum(bool(line) for line in code.splitlines()) <= most
