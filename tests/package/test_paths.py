"""How a claim, a sample and a foreign answer travel: docs/architecture.md lists the stations."""

from __future__ import annotations

import ast
import inspect
import io
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name
from types import CodeType, FrameType

import pytest

from ptum.checks.judge.capabilities import capabilities
from ptum.checks.judge.capabilities.tasks import optimal
from ptum.checks.judge.messages.protocol import Request, StartMessage, encode
from ptum.checks.judge.programs.asking import edge_cases
from ptum.checks.judge.programs.host import Pipe, serve
from tests.support.command import ptum

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text()
OURS = str(ROOT / "ptum") + os.sep
CLAIM, SAMPLE, ANSWER = (
    f"How a {thing} travels" for thing in ("claim", "sample", "foreign answer")
)

OPTIMISTIC = """
import numpy as np
class Subject:
    def optimal(self, p, q, u, gamma):
        return np.full(len(p), u.max() / (1 - gamma)), np.zeros(len(p), dtype=int)
"""
"""Wrong wherever the largest reward is not paid for ever by action 0."""


def stations(heading: str, number: int = 0) -> list[str]:
    """The names of a numbered list below a heading, in their order."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    listed = re.findall(r"(?:^\d+\. .*\n)+", section, re.MULTILINE)[number]
    return re.findall(r"`([a-z]+\.[\w.]+)`", listed)


def code_of(name: str) -> CodeType:
    """Of what a dotted name below `ptum` leads to."""
    found: CodeType = inspect.unwrap(resolve_name(f"ptum.{name}")).__code__
    return found


def calls(run: Callable[[], object]) -> list[CodeType]:
    """Code of ours in the order in which it is entered."""
    entered: list[CodeType] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            entered.append(frame.f_code)

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return entered


def in_order(names: list[str], entered: list[CodeType]) -> bool:
    """From the first call of the first station on, the others are first called in this order."""
    codes = [code_of(name) for name in names]
    since = entered[entered.index(codes[0]) :]
    first = [since.index(code) if code in since else -1 for code in codes]
    return first == sorted(first)


@pytest.fixture(scope="module")
def verified() -> list[CodeType]:
    check = "algorithm-1.pseudocode/invariants"
    return calls(lambda: ptum("verify", "--check", check))


@pytest.fixture(scope="module")
def hosted() -> list[CodeType]:
    asked = capabilities()["optimal"]
    case = edge_cases(asked)[0]
    said = encode(StartMessage()) + encode(Request(case.id, asked.name, case.input))
    subject = type("Subject", (), {"optimal": staticmethod(optimal.plain_policy_iteration)})
    return calls(lambda: serve(subject, Pipe(io.BytesIO(said), io.BytesIO())))


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> list[CodeType]:
    """The first answer is right and the second is not, so that it is asked once more."""
    place = tmp_path_factory.mktemp("subject")
    (place / "optimistic.py").write_text(OPTIMISTIC)
    cases = ("--case", "optimal/always-one-long", "--case", "optimal/cycle")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        return calls(lambda: ptum("validate", "optimistic:Subject", *cases))


@pytest.mark.slow
def test_the_stations_are_called_in_their_order(
    verified: list[CodeType], hosted: list[CodeType], judged: list[CodeType]
) -> None:
    for names, entered in (
        (stations(CLAIM), verified),
        (stations(SAMPLE), verified),
        (stations(ANSWER), hosted),
        (stations(ANSWER, 1), judged),
    ):
        assert len(names) >= 4
        assert in_order(names, entered), names
        assert not in_order(names[::-1], entered)


def passed_on(function: ast.FunctionDef) -> str | None:
    """What a function calls with nothing but its own parameters, each of them, and does no more.

    To make an object of them is more.
    """
    does = function.body[ast.get_docstring(function) is not None :]
    call = does[0].value if len(does) == 1 and isinstance(does[0], ast.Return | ast.Expr) else None
    if not isinstance(call, ast.Call) or isinstance(call.func, ast.Call):
        return None
    given = [ast.unparse(one).lstrip("*") for one in call.args]
    given += [ast.unparse(one.value) for one in call.keywords]
    own = [one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)]
    own = [name for name in own if name not in ("self", "cls")]
    called = ast.unparse(call.func)
    makes = called.rpartition(".")[2][:1].isupper()
    return called if own and sorted(given) == sorted(own) and not makes else None


def test_what_passes_on_is_known() -> None:
    def only(text: str) -> str | None:
        (function,) = ast.parse(text).body
        assert isinstance(function, ast.FunctionDef)
        return passed_on(function)

    assert only("def f(self, x, *, y):\n    'Words.'\n    return g.h(x, y=y)") == "g.h"
    assert only("def f(x):\n    return Made(x)") is None
    assert only("def f(x, y):\n    return g(x, 2 * y)") is None
    assert only("def f(x):\n    x += 1\n    return g(x)") is None


@pytest.mark.slow
def test_nothing_on_the_way_only_passes_on(
    verified: list[CodeType], hosted: list[CodeType], judged: list[CodeType]
) -> None:
    way = {(code.co_filename, code.co_name) for code in (*verified, *hosted, *judged)}
    found = {
        f"{Path(file).stem}.{node.name}: {called}"
        for file in {file for file, _ in way}
        for node in ast.walk(ast.parse(Path(file).read_text()))
        if isinstance(node, ast.FunctionDef) and (file, node.name) in way
        if (called := passed_on(node))
    }
    assert found == {"gaps.transition_gap: transition_gap_three"}  # two symbols of the paper
