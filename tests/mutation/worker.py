"""Put the mutants of some modules to their killers; runs in the private copy.

Everything is imported and collected once. Every mutant lives in a fork of that process.
"""

from __future__ import annotations

import argparse
import ast
import gc
import importlib
import signal
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import Phase, settings

import ptum.reference
from ptum.checks.judge.messages.transcript import Exchange
from tests.mutation.cases import Question, agree, questions
from tests.mutation.forks import Fork, Lost, fork, wait
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.planting import plant
from tests.mutation.record import Module, Survivor, digest, explained, load, moved, save
from tests.mutation.selection import WHOLLY_SLOW, imports, nearest_tests, reached_from

Place = tuple[str, int]
"""A function that was called: file and first line."""

TIMED_OUT = "timed out"

JUDGE = Path("checks/judge/capabilities")

RECENT = 5
"""So many of the killers that were last successful are tried first."""

FILE_SECONDS = 300
"""Processor time for a file of tests on the original; what does not fit is not used."""


@dataclass(frozen=True)
class Tried:
    """A killer on the original: what it costs and which functions it calls."""

    name: str
    cost: float
    calls: frozenset[Place]
    answer: Exchange | None = None
    tolerance: Mapping[str, float] = field(default_factory=dict)


@dataclass
class Calls:
    """Notes which functions of `reference` are called."""

    folder: str = str(Path(ptum.reference.__file__).parent)
    seen: set[Place] = field(default_factory=set)

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """A trace function for calls alone."""
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(self.folder):
            self.seen.add((code.co_filename, code.co_firstlineno))


@dataclass
class Options:
    """What the command line asks for."""

    modules: list[str]
    tests: list[Path]
    report: Path
    jobs: int
    budget: float
    ends: float
    slow: bool


class Killers:
    """A pytest plugin: collects as usual, then runs tests on mutants in place of the test run."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.imported = imports(Path.cwd())
        self.items: dict[str, list[pytest.Item]] = {}
        self.tried: dict[str, list[Tried]] = {}
        self.questions: dict[str, Question] = {}
        self.asked: list[Tried] = []
        self.recent: list[str] = []
        self.failed = False

    def files(self) -> list[str]:
        """All test files that bear on the modules."""
        paths = {path for name in self.options.modules for path in self.tests_of(name)}
        return sorted(map(str, paths))

    def tests_of(self, module: str) -> tuple[Path, ...]:
        """The test files that bear on one module, but those of this tool itself."""
        if self.options.tests:
            return tuple(self.options.tests)
        found = nearest_tests(module, self.imported)
        return tuple(path for path in found if path.name != "test_mutation.py")

    def pytest_sessionstart(self) -> None:
        """A failing test has done its work: no smaller example is looked for."""
        settings.register_profile(
            "mutants",
            settings.get_profile("ci"),
            phases=(Phase.explicit, Phase.generate),
            report_multiple_bugs=False,
        )
        settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> pytest.TestReport | None:
        """Nobody reads why a mutant fails, and writing it down costs more than most tests."""
        if call.excinfo is None or call.when == "collect":
            return None
        if call.excinfo.errisinstance(pytest.skip.Exception):
            return None
        return pytest.TestReport(item.nodeid, item.location, {}, "failed", None, call.when)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember whether anything failed."""
        self.failed |= report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """In place of the test run."""
        for item in session.items:
            path = item.path.relative_to(Path.cwd())
            if self.options.slow or path in WHOLLY_SLOW or item.get_closest_marker("slow") is None:
                self.items.setdefault(str(path), []).append(item)
        judged = reached_from(JUDGE, self.imported) & set(self.options.modules)
        if judged and not self.options.tests:
            self.questions = {question.name: question for question in questions()}
            asked = wait(fork(self.ask_the_original, FILE_SECONDS))
            self.asked = asked if isinstance(asked, list) else []
        gc.freeze()  # a collection in a fork would copy every page that it looks at
        say(f"{len(self.asked)} edge cases, {sum(map(len, self.items.values()))} tests")
        for name in self.options.modules:
            if time.monotonic() < self.options.ends:
                self.judge(name)
        return True

    def ask_the_original(self) -> list[Tried]:
        """The answers of the unchanged code to all edge cases."""
        found = []
        for name, question in self.questions.items():
            calls, start = Calls(), time.process_time()
            sys.settrace(calls)
            answer = question.answer()
            sys.settrace(None)
            cost = time.process_time() - start
            if answer.answer is not None:
                allowed = question.tolerance()
                found.append(Tried(name, cost, frozenset(calls.seen), answer, allowed))
        return found

    def try_file(self, path: str) -> list[Tried]:
        """Run the tests of a file on the unchanged code; only what passes can tell anything."""
        found = []
        items = self.items.get(path, [])
        for item, after in in_turn(items):
            calls, start, self.failed = Calls(), time.process_time(), False
            sys.settrace(calls)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            sys.settrace(None)
            if not self.failed:
                cost = time.process_time() - start
                found.append(Tried(item.nodeid, cost, frozenset(calls.seen)))
        return found

    def judge(self, name: str) -> None:
        """All mutants of one module, or those that are still unexplained if it did not change."""
        source = Path(str(importlib.import_module(name).__file__)).read_text()
        planted = list(mutants(source))
        earlier, same = load(self.options.report).get(name), None
        if earlier is not None and earlier.code == digest(source):
            earlier = same = moved(earlier, map(survivor, planted))
            self.keep(name, same)
            if not same.unexplained:
                say(f"{name}: unchanged")
                return
        self.try_tests_of(name)
        chosen = planted if same is None else unexplained(planted, same)
        start = time.monotonic()
        fates = dict(self.fates(name, source, chosen))
        if len(fates) < len(chosen):
            say(f"{name}: not finished ({len(fates)} of {len(chosen)})")
            return
        found = explained(summary(source, fates) if same is None else update(same, fates), earlier)
        self.keep(name, found)
        say(f"{name}: {len(chosen)} mutants in {time.monotonic() - start:.0f} s; {counts(found)}")

    def try_tests_of(self, name: str) -> None:
        """On the original, in a fork for every file of tests that was not tried before."""
        for path in map(str, self.tests_of(name)):
            if path not in self.tried:
                tried = wait(fork(partial(self.try_file, path), FILE_SECONDS))
                self.tried[path] = tried if isinstance(tried, list) else []
                say(f"{path}: {len(self.tried[path])} of {len(self.items.get(path, []))} tests")

    def keep(self, name: str, found: Module) -> None:
        """Write it to the record at once: a run may be interrupted."""
        save(load(self.options.report) | {name: found}, self.options.report)

    def fates(
        self, name: str, source: str, chosen: Sequence[Mutant]
    ) -> Iterator[tuple[Mutant, str]]:
        """For every mutant what killed it, `timed out`, or nothing."""
        waiting, running = list(chosen), dict[Mutant, Fork]()
        file = str(importlib.import_module(name).__file__)
        extents = definitions(source)
        self.recent.clear()
        while waiting or running:
            while waiting and len(running) < self.options.jobs:
                if time.monotonic() > self.options.ends:
                    waiting.clear()
                    break
                mutant = waiting.pop(0)
                running[mutant] = self.start(name, file, mutant, extent(extents, mutant.line))
            for mutant, child in list(running.items()):
                fate = child.result()
                if fate is not None:
                    del running[mutant]
                    self.recent = [str(fate), *self.recent[: RECENT - 1]]
                    yield mutant, TIMED_OUT if isinstance(fate, Lost) else str(fate)
            time.sleep(0.005)

    def start(self, name: str, file: str, mutant: Mutant, lines: range) -> Fork:
        """One mutant in a fork, with the killers that call the changed function."""
        cases = self.literal_first(file, lines)
        tests = [t for path in self.tests_of(name) for t in self.tried[str(path)]]
        chosen = affordable([t for t in tests if reaches(t, file, lines)], self.options.budget)
        seconds = 10 + round(3 * sum(tried.cost for tried in (*cases, *chosen)))

        def work() -> str:
            try:
                plant(importlib.import_module(name), mutant.source)
            except Exception as reason:
                return f"import: {reason!r}"
            first = self.recent_first
            return self.caught_by_case(first(cases)) or self.caught_by_test(first(chosen))

        return fork(work, seconds)

    def recent_first(self, killers: Sequence[Tried]) -> list[Tried]:
        """What caught one of the last mutants is likely to catch its neighbour."""
        return sorted(killers, key=lambda tried: tried.name not in self.recent)

    def literal_first(self, file: str, lines: range) -> list[Tried]:
        """Of each capability, the cases of the first implementation that calls the function."""
        makers: dict[str, str] = {}
        found = []
        for tried in self.asked:
            question = self.questions[tried.name]
            if reaches(tried, file, lines):
                maker = makers.setdefault(question.capability, question.maker)
                if maker == question.maker:
                    found.append(tried)
        return affordable(found, self.options.budget)

    def caught_by_case(self, cases: Sequence[Tried]) -> str:
        """The first edge case with another answer, or nothing."""
        for tried in cases:
            give_time(tried)
            try:
                answer = self.questions[tried.name].answer()
            except Exception:  # the case itself is made with the changed code: it noticed
                return tried.name
            if tried.answer is None or not agree(tried.answer, answer, tried.tolerance):
                return tried.name
        return ""

    def caught_by_test(self, tests: Sequence[Tried]) -> str:
        """The first test that fails, or nothing."""
        wanted = {item.nodeid: item for items in self.items.values() for item in items}
        items = [wanted[tried.name] for tried in tests]
        self.failed = False
        for tried, (item, after) in zip(tests, in_turn(items), strict=True):
            give_time(tried)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if self.failed:
                return item.nodeid
        return ""


def give_time(tried: Tried) -> None:
    """From now on, so much processor time for one killer; a loop without end is ended by it."""
    signal.setitimer(signal.ITIMER_VIRTUAL, 3 + 5 * tried.cost)


def in_turn(items: Sequence[pytest.Item]) -> list[tuple[pytest.Item, pytest.Item | None]]:
    """Each test with its successor, for which pytest keeps the fixtures they share."""
    return list(zip(items, (*items[1:], None), strict=False))


def affordable(killers: Sequence[Tried], budget: float) -> list[Tried]:
    """The cheapest first, as many as the budget of processor seconds allows."""
    found, spent = [], 0.0
    for tried in sorted(killers, key=lambda tried: tried.cost):
        spent += tried.cost
        if spent > budget:
            break
        found.append(tried)
    return found


def definitions(source: str) -> list[range]:
    """The lines of every function and method; functions inside others belong to them."""
    tree = ast.parse(source)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return [
        range(_first_line(node), (node.end_lineno or node.lineno) + 1)
        for body in (tree.body, *(node.body for node in classes))
        for node in body
        if isinstance(node, ast.FunctionDef)
    ]


def _first_line(node: ast.FunctionDef) -> int:
    """A function begins with its first decorator, as its code object says too."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def extent(extents: Sequence[range], line: int) -> range:
    """The function around a line; outside of functions all of the module."""
    return next((lines for lines in extents if line in lines), range(sys.maxsize))


def reaches(tried: Tried, file: str, lines: range) -> bool:
    """Whether the killer runs the function of these lines."""
    return any(path == file and first in lines for path, first in tried.calls)


def survivor(mutant: Mutant) -> Survivor:
    """For the record."""
    return Survivor(
        operator=mutant.operator,
        occurrence=mutant.occurrence,
        line=mutant.line,
        before=mutant.before,
        after=mutant.after,
    )


def unexplained(planted: Sequence[Mutant], earlier: Module) -> list[Mutant]:
    """Of the mutants of the same code, those that survived and have no reason for it."""
    keys = {found.key for found in earlier.unexplained}
    return [mutant for mutant in planted if survivor(mutant).key in keys]


def counts(found: Module) -> str:
    """What became of the mutants, in one line."""
    return (
        f"of {found.planted} killed {found.killed}, timed out {found.timed_out},"
        f" survived {len(found.survivors)} ({len(found.unexplained)} unexplained)"
    )


def summary(source: str, fates: dict[Mutant, str]) -> Module:
    """The counts of a whole run."""
    survivors = [survivor(mutant) for mutant, fate in fates.items() if not fate]
    timed_out = sum(fate == TIMED_OUT for fate in fates.values())
    return Module(
        code=digest(source),
        planted=len(fates),
        killed=len(fates) - timed_out - len(survivors),
        timed_out=timed_out,
        survivors=sorted(survivors, key=lambda found: (found.line, found.after, found.key)),
    )


def update(earlier: Module, fates: dict[Mutant, str]) -> Module:
    """The counts after the unexplained survivors ran again."""
    caught = {survivor(mutant).key for mutant, fate in fates.items() if fate}
    late = sum(fate == TIMED_OUT for fate in fates.values())
    return Module(
        code=earlier.code,
        planted=earlier.planted,
        killed=earlier.killed + len(caught) - late,
        timed_out=earlier.timed_out + late,
        survivors=[found for found in earlier.survivors if found.key not in caught],
    )


def say(text: str) -> None:
    """Past pytest, which keeps the standard streams."""
    print(text, file=sys.__stderr__, flush=True)


def main() -> None:
    """Called by `python -m tests.mutation` in the copy."""
    parser = argparse.ArgumentParser()
    parser.add_argument("modules", nargs="+")
    parser.add_argument("--tests", type=Path, action="append", default=[])
    parser.add_argument("--report", type=Path, required=True)
    parser.add_argument("--jobs", type=int, required=True)
    parser.add_argument("--budget", type=float, required=True)
    parser.add_argument("--limit-seconds", type=float, required=True)
    parser.add_argument("--slow", action="store_true")
    given = parser.parse_args()
    if not Path(ptum.reference.__file__).is_relative_to(Path.cwd()):
        raise SystemExit(f"{ptum.reference.__file__} is not the copy")
    ends = time.monotonic() + given.limit_seconds
    asked = Options(
        given.modules, given.tests, given.report, given.jobs, given.budget, ends, given.slow
    )
    killers = Killers(asked)
    options = ["-q", "--assert=plain", "-p", "no:cacheprovider", "--continue-on-collection-errors"]
    pytest.main([*killers.files(), *options, "-m", "not deep"], plugins=[killers])


if __name__ == "__main__":
    main()
