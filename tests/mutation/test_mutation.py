"""The mutation tool: what it plants, where it runs, and that it sees an untested line."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from ptum.checks.claims import registry
from ptum.checks.judge.messages.transcript import Asked, Exchange
from tests.mutation.cases import agree
from tests.mutation.copying import environment, private_copy
from tests.mutation.forks import Lost, fork, wait
from tests.mutation.mutants import OPERATORS, Mutant, extents, mutants, sites, within
from tests.mutation.page import PAGE, page
from tests.mutation.planting import plant
from tests.mutation.record import Module, Survivor, changed_since, digest, explained, load, moved
from tests.mutation.sample import (
    Sampled,
    _validation,
    as_json,
    audit,
    drawn,
    on_the_original,
    own_checks,
    population,
    source_of,
    summary,
)
from tests.mutation.selection import nearest_tests, reached_from
from tests.mutation.worker import definitions, extent, survivor

TOY = """\
from dataclasses import dataclass
from functools import cache
from typing import Literal

SHIFT = 2.5


@dataclass(frozen=True)
class Pair:
    x: float
    y: float = 3.5

    @property
    def total(self) -> float | None:
        return self.x + self.y


@cache
def shifted(x: float) -> float:
    return x - SHIFT


def positive(x: float, way: Literal[1, 2]) -> bool:
    if way > 9:
        raise ValueError(f"{way + 1} of {2 * x}")
    return x > 0
"""


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[ModuleType]:
    file = tmp_path / "toy_of_mutants.py"
    file.write_text(TOY)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[file.stem]


def planted(source: str) -> set[tuple[str, str]]:
    return {(mutant.before, mutant.after) for mutant in mutants(source)}


class TestFilter:
    """Which mutants are planted."""

    def test_toy_has_these_and_no_other(self) -> None:
        assert {(mutant.line, mutant.after.replace(" ", "")) for mutant in mutants(TOY)} == {
            (5, "SHIFT=3.5"),
            (5, "SHIFT=1.5"),
            (11, "y:float=4.5"),
            (11, "y:float=2.5"),
            (15, "returnself.x-self.y"),
            (15, "returnself.x*self.y"),
            (20, "returnx+SHIFT"),
            (20, "returnx/SHIFT"),
            (24, "ifway>=9:"),
            (24, "ifway<9:"),
            (24, "ifway<=9:"),
            (24, "ifnotway>9:"),
            (24, "ifway>10:"),
            (24, "ifway>8:"),
            (26, "returnx>=0"),
            (26, "returnx<0"),
            (26, "returnx<=0"),
            (26, "returnx>1"),
            (26, "returnx>-1"),
        }

    @pytest.mark.parametrize(
        "source",
        [
            "def f(x: int | None) -> tuple[int, int] | None: pass\n",
            "x: Literal[1, 2]\n",
            "Name: TypeAlias = int | None\n",
            "raise ValueError(1 + 2)\n",
            "message = f'{1 + 2}'\n",
            "pairs = zip(a, b, strict=True)\n",
            "@dataclass(frozen=True)\nclass C: pass\n",
            "class C(Struct, frozen=True): pass\n",
            "def f(*, x): pass\n",
            "def f(a, *, x): pass\n",
            "def f(a, *rest): return g(*rest)\n",
            "'''2 * 3 > 4 and not True'''\n",
        ],
    )
    def test_spared(self, source: str) -> None:
        assert planted(source) == set()

    def test_columns_are_counted_in_characters(self) -> None:
        """Greek letters take two bytes: what stands behind them on the line is still planted."""
        assert ("σ: Σ = 2", "σ: Σ = 3") in planted("σ: Σ = 2\n")
        assert planted("σ: Literal['αβγδ', 2]\n") == set()

    def test_a_program_is_planted_once(self) -> None:
        after = [mutant.source for mutant in mutants("x = 1 - 2\ny = not True\n")]
        assert len(set(after)) == len(after)

    def test_no_bit_operation_stands_for_arithmetic(self) -> None:
        assert not any("Xor" in name or "Shift" in name for name in OPERATORS)
        assert ("x = a * b", "x = a ** b") in planted("x = a * b\n")


class TestPlanting:
    """A mutant is seen by whoever imported the module before."""

    def test_functions_constants_defaults_and_properties(self, toy: ModuleType) -> None:
        shifted, Pair = toy.shifted, toy.Pair
        plant(
            toy, TOY.replace("x - SHIFT", "x * SHIFT").replace("2.5", "7.5").replace("3.5", "4.5")
        )
        assert shifted(2.0) == 15.0
        assert Pair(1.0).total == 5.5
        plant(toy, TOY.replace("self.x + self.y", "self.x - self.y"))
        assert Pair(1.0).total == -2.5

    def test_constants_change_where_they_were_imported(self, toy: ModuleType) -> None:
        user = ModuleType("user_of_toy_of_mutants")
        vars(user)["SHIFT"] = toy.SHIFT
        sys.modules[user.__name__] = user
        try:
            plant(toy, TOY.replace("2.5", "7.5"))
            assert vars(user)["SHIFT"] == 7.5
        finally:
            del sys.modules[user.__name__]

    def test_a_fork_keeps_its_mutant_to_itself(self, toy: ModuleType) -> None:
        def work() -> float:
            plant(toy, TOY.replace("x - SHIFT", "x + SHIFT"))
            return float(toy.shifted(0.0))

        assert wait(fork(work, 60)) == 2.5
        assert toy.shifted(0.0) == -2.5


class TestForks:
    """Work in a child process."""

    @pytest.mark.slow
    def test_an_endless_loop_is_lost(self) -> None:
        def forever() -> int:
            while True:
                pass

        assert wait(fork(forever, 1)) == Lost()

    def test_so_is_one_that_waits(self) -> None:
        """It uses no processor time, so the clock on the wall ends it."""
        assert wait(fork(lambda: os.read(os.pipe()[0], 1), 0)) == Lost()

    def test_work_that_raises_is_a_mistake_of_the_tool(self) -> None:
        child = fork(lambda: 1 // 0, 60)
        with pytest.raises(RuntimeError, match="ZeroDivisionError"):
            wait(child)


class TestAnswers:
    """When an edge case is answered differently."""

    def exchange(self, answer: dict[str, object] | None, queries: int = 0) -> Exchange:
        asked = tuple(Asked(0, 0, 0, 0.0, 0) for _ in range(queries))
        return Exchange("toy/1", "toy", {}, answer, None, asked)

    def test_within_the_tolerance_of_the_field(self) -> None:
        one, other = self.exchange({"V": [1.0, "inf"]}), self.exchange({"V": [1.5, "inf"]})
        assert agree(one, other, {"V": 0.5})
        assert not agree(one, other, {"V": 0.25})
        assert not agree(one, other, {})

    def test_everything_else_is_exact(self) -> None:
        one = self.exchange({"V": [1.0, 2.0]})
        assert not agree(one, self.exchange({"V": [1.0]}), {"V": 9.0})
        assert not agree(one, self.exchange({"W": [1.0, 2.0]}), {"V": 9.0})
        assert not agree(one, self.exchange({"V": [1.0, "inf"]}), {"V": 9.0})
        assert not agree(one, self.exchange({"V": [1.0, 2.0]}, queries=1), {"V": 9.0})
        assert not agree(one, self.exchange(None), {"V": 9.0})


GRAPH = {
    Path("reference/a.py"): frozenset[str](),
    Path("reference/b.py"): frozenset({"ptum.reference.a"}),
    Path("checks/c.py"): frozenset({"ptum.reference", "ptum.reference.b"}),
    Path("tests/test_a.py"): frozenset({"ptum.reference.a"}),
    Path("tests/test_0.py"): frozenset({"ptum.reference.a"}),
    Path("tests/test_c.py"): frozenset({"ptum.checks.c"}),
}


class TestSelection:
    """Which test files are asked."""

    def test_those_that_import_the_module_and_its_own_first(self) -> None:
        assert nearest_tests("ptum.reference.a", GRAPH) == (
            Path("tests/test_a.py"),
            Path("tests/test_0.py"),
        )

    def test_else_those_that_are_nearest(self) -> None:
        assert nearest_tests("ptum.reference.b", GRAPH) == (Path("tests/test_c.py"),)
        assert nearest_tests("ptum.reference.none", GRAPH) == ()

    def test_reach(self) -> None:
        assert reached_from(Path("checks"), GRAPH) == {
            "ptum.checks.c",
            "ptum.reference.b",
            "ptum.reference.a",
        }


class TestCopy:
    """Nothing is mutated in place."""

    def test_the_copy_is_imported_and_not_the_installed_package(self, tmp_path: Path) -> None:
        with private_copy() as copy:
            script = (
                "import ptum.reference as m, tests.mutation as t; print(m.__file__, t.__file__)"
            )
            done = subprocess.run(
                [sys.executable, "-P", "-c", script],
                cwd=tmp_path,
                env=environment(copy),
                capture_output=True,
                text=True,
                check=True,
            )
            files = [Path(file) for file in done.stdout.split()]
            assert files == [
                copy / "ptum/reference/__init__.py",
                copy / "tests/mutation/__init__.py",
            ]
        assert not copy.exists()


def test_a_function_begins_with_its_decorator(toy: ModuleType) -> None:
    """So that a call, which names the first line of the code, is found in its extent."""
    lines = extent(definitions(TOY), 15)
    assert (lines.start, lines.stop) == (13, 16)
    assert toy.Pair.total.fget.__code__.co_firstlineno in lines
    assert 5 in extent(definitions(TOY), 5)
    assert 26 in extent(definitions(TOY), 5)


def run_toy(copy: Path, report: Path) -> str:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "tests.mutation.worker", "ptum.reference.toy"),
            *("--report", str(report), "--jobs", "1", "--budget", "20", "--limit-seconds", "inf"),
        ],
        cwd=copy,
        env=environment(copy),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stderr


@pytest.mark.slow
def test_an_untested_line_has_survivors_until_it_is_tested(tmp_path: Path) -> None:
    source = "def double(x):\n    return 2 * x\n\n\ndef half(x):\n    return x / 2\n"
    test = "from ptum.reference import toy\n\n\ndef test_{0}():\n    assert toy.{0}(3.0) == {1}\n"
    report = tmp_path / "record.json"
    with private_copy() as copy:
        (copy / "reference/toy.py").write_text(source)
        (copy / "tests/test_toy.py").write_text(test.format("double", 6.0))
        run_toy(copy, report)
        first = load(report)["ptum.reference.toy"]
        (copy / "tests/test_toy_too.py").write_text(test.format("half", 1.5))
        again = run_toy(copy, report)
        second = load(report)["ptum.reference.toy"]
        assert "unchanged" in run_toy(copy, report)
    assert (first.planted, first.killed) == (9, 5)
    assert {found.line for found in first.survivors} == {6}
    assert "4 mutants" in again
    assert (second.planted, second.killed, second.survivors) == (9, 9, [])


class TestRecord:
    """survivors.json and docs/mutants.md."""

    def test_every_survivor_is_explained(self) -> None:
        assert [found for module in load().values() for found in module.unexplained] == []

    def test_counts_add_up(self) -> None:
        for name, module in load().items():
            fates = module.killed + module.timed_out + len(module.survivors)
            assert module.planted == fates, name
        none = [name for name, module in load().items() if module.planted == 0]
        assert none == ["ptum.reference.transfer.analysis.iteration"], "a record without arithmetic"

    def test_page_is_current(self) -> None:
        assert PAGE.read_text() == page(load())

    def test_a_survivor_without_reason_shows(self) -> None:
        found = Survivor(operator="o", occurrence=0, line=3, before="a", after="b")
        module = Module(code="", planted=1, killed=0, timed_out=0, survivors=[found])
        assert "not explained" in page({"m": module})
        reason = msgspec.structs.replace(found, explanation="a is b.")
        earlier = msgspec.structs.replace(module, survivors=[reason])
        assert explained(module, earlier) == earlier
        assert "a is b." in page({"m": earlier})

    def test_a_reason_holds_for_its_own_change_alone(self) -> None:
        other = Survivor(operator="o", occurrence=0, line=3, before="a", after="c")
        reason = msgspec.structs.replace(other, after="b", explanation="a is b.")
        with_reason, without = (
            Module(code="", planted=1, killed=0, timed_out=0, survivors=[one])
            for one in (reason, other)
        )
        assert explained(without, with_reason).unexplained == [other]


LAID_OUT = '''\
"""Text."""

LIMIT = 2  # a comment
"""What it is."""


def below(x: float) -> bool:
    """Text."""
    return (
        x
        < LIMIT
    )
'''

PLAIN = "LIMIT = 2\ndef below(x: float) -> bool:\n    return x < LIMIT\n"


class TestChangedCode:
    """A module is mutated again when its code changes, not when its text does."""

    def record(self, root: Path, source: str) -> Module:
        (root / "reference").mkdir(exist_ok=True)
        (root / "reference/toy.py").write_text(source)
        survivors = [
            msgspec.structs.replace(survivor(found), explanation="why")
            for found in mutants(source)
            if found.after.endswith("<= LIMIT")
        ]
        return Module(code=digest(source), planted=1, killed=0, timed_out=0, survivors=survivors)

    def test_layout_comments_and_docstrings_are_no_code(self, tmp_path: Path) -> None:
        record = {"ptum.reference.toy": self.record(tmp_path, PLAIN)}
        self.record(tmp_path, LAID_OUT)
        assert changed_since(record, tmp_path) == []

    @pytest.mark.parametrize(
        ("old", "new"),
        [("<", "<="), ("= 2", "= 3"), ("LIMIT", "BOUND"), ("x <", "(x,) <"), ("float", "int")],
    )
    def test_everything_else_is(self, tmp_path: Path, old: str, new: str) -> None:
        record = {"ptum.reference.toy": self.record(tmp_path, PLAIN)}
        self.record(tmp_path, PLAIN.replace(old, new))
        assert changed_since(record, tmp_path) == ["ptum.reference.toy"]

    def test_so_is_a_module_that_is_gone(self, tmp_path: Path) -> None:
        record = {"ptum.reference.toy": self.record(tmp_path, PLAIN)}
        (tmp_path / "reference/toy.py").unlink()
        assert changed_since(record, tmp_path) == ["ptum.reference.toy"]

    def test_survivors_move_with_the_text_and_keep_their_reason(self, tmp_path: Path) -> None:
        plain, laid_out = (self.record(tmp_path, source) for source in (PLAIN, LAID_OUT))
        assert [found.line for found in plain.survivors] == [3]
        assert [found.line for found in laid_out.survivors] == [11]
        assert moved(plain, map(survivor, mutants(LAID_OUT))) == laid_out

    def test_the_page_says_so(self) -> None:
        module = Module(code="another", planted=1, killed=1, timed_out=0, survivors=[])
        assert "to be mutated again: `ptum.reference.transfer.ptum`" in page(
            {"ptum.reference.transfer.ptum": module}
        )


def test_mutants_know_their_line() -> None:
    found: list[Mutant] = list(mutants("x = 0\ny = a + b\n"))
    assert {(mutant.line, mutant.before) for mutant in found} == {(1, "x = 0"), (2, "y = a + b")}


def test_a_change_that_joins_two_lines_is_told_from_the_lines_after_it() -> None:
    found = [mutant for mutant in mutants("x = (\n    a\n    > b\n)\ny = 1\n") if mutant.line == 3]
    assert {mutant.before for mutant in found} == {"a > b"}
    assert {mutant.after for mutant in found} == {"a >= b", "a < b", "a <= b"}


GAPS = "ptum.reference.tasks.gaps"
REWARD_GAP = (GAPS, "reward_gap")
FORMULA = "text-model-gaps.reward/formula"


class TestSample:
    """`make mutants-sample`: slips at random sites, and verdicts alone count."""

    def planted(self, after: str) -> tuple[tuple[str, str], Mutant]:
        source, before = source_of(GAPS), "np.abs(r_theta - r_theta_prime)"
        line = 1 + source[: source.index(before)].count("\n")
        mutant = Mutant("by hand", 0, line, before, after, source.replace(before, after))
        return REWARD_GAP, mutant

    @pytest.mark.slow
    def test_a_gross_slip_is_noticed_and_an_equivalent_one_sleeps(self) -> None:
        tried = on_the_original([registry()[FORMULA]], 1)
        slips = [
            self.planted("np.abs(r_theta + r_theta_prime)"),
            self.planted("np.abs(r_theta_prime - r_theta)"),
        ]
        gross, equivalent = audit(slips, tried, 1)
        assert gross.noticed == f"{FORMULA}: violated"
        assert (equivalent.noticed, equivalent.own, equivalent.others) == ("", 1, 0)
        found = as_json(7, [gross, equivalent])
        assert (found["seed"], found["sites"], found["noticed"]) == (7, 2, 1)
        text = summary(7, [gross, equivalent])
        assert "1 of 2 noticed; 95 % Clopper-Pearson interval 0.013 to 0.987" in text
        assert "+ np.abs(r_theta_prime - r_theta)" in text
        assert "r_theta + r_theta_prime" not in text

    def test_a_check_that_does_not_call_the_function_is_not_run(self) -> None:
        tried = on_the_original([registry()["text-model-gaps.transition/formula"]], 1)
        (found,) = audit([self.planted("np.abs(r_theta + r_theta_prime)")], tried, 1)
        assert found == Sampled(
            *(GAPS, "reward_gap", 16, "by hand", "np.abs(r_theta - r_theta_prime)"),
            *("np.abs(r_theta + r_theta_prime)", 0, 0, ""),
        )

    @pytest.mark.slow
    def test_where_slips_are_drawn(self) -> None:
        """What the ledger names and what that calls, without validation and messages."""
        drawn_from = population()
        names = {name for name, _ in drawn_from}
        lines = {(name[0], site.position[0]) for name, site in drawn_from}
        assert REWARD_GAP in names
        assert (GAPS, "transition_gap_three") in names  # not named, called by one that is
        last = {function.split(".")[-1] for _, function in names}
        assert not any("require_" in one or "__post_init__" in one for one in last)
        assert "ptum.reference.transfer.transcript" not in {module for module, _ in names}
        for module in {module for module, _ in lines}:
            text = source_of(module).splitlines()
            assert not [n for name, n in lines if name == module and "raise " in text[n - 1]]

    def test_what_only_a_question_about_arguments_reads_is_spared(self) -> None:
        source = (
            "def f(x, y):\n"
            "    limit = 2 * x\n"
            "    good = y < limit\n"
            "    half = y / 2\n"
            "    require(good and half > 0, 'y')\n"
            "    for name in ('x', 'y'):\n"
            "        require(x > 0, name)\n"
            "    return half\n"
        )
        spared = extents(source, _validation(ast.parse(source)))
        lines = {site.position[0] for site in sites(source) if not within(site.position, spared)}
        assert lines == {4}

    def test_a_seed_draws_the_same_mutants_again(self) -> None:
        first, again, other = drawn(3, 4), drawn(3, 4), drawn(4, 4)
        assert first == again
        assert first != other
        assert len({mutant.source for _, mutant in first}) == 4

    def test_checks_of_all_claims_that_rest_on_a_function_are_its_own(self) -> None:
        assert FORMULA in own_checks()[REWARD_GAP]
        assert "theorem-2.bounds/rate" not in own_checks()[REWARD_GAP]
