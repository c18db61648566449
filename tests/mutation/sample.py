"""`make mutants-sample SEED=…`: slips drawn at random; does a verdict of `ptum verify` notice?

Drawn are sites of Cosmic Ray's operators in functions that the ledger names and in what these call
in `reference`. A mutant is noticed by a verdict of the quick profile that is unexpected or errored;
tests do not count. Checks that never call the changed function cannot notice it and are not run.
"""

from __future__ import annotations

import argparse
import ast
import gc
import importlib
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

from ptum.checks.claims import registry
from ptum.checks.suite.runner import Job, run_one
from ptum.checks.verdicts.check import Check, Profile
from ptum.checks.verdicts.statistics import clopper_pearson
from ptum.spec import ledger
from tests.mutation.copying import ROOT
from tests.mutation.forks import Fork, Lost, fork
from tests.mutation.mutants import Mutant, Site, extents, mutant_at, sites, within
from tests.mutation.planting import plant
from tests.mutation.selection import all_modules
from tests.mutation.worker import Calls, Tried, definitions, extent, reaches

JOB = Job(Profile.QUICK, 0)
"""As `ptum verify` runs without options."""

BOOKKEEPING = (
    "ptum.reference.arrays",
    "ptum.reference.errors",
    "ptum.reference.sequential.checkpoint",
    "ptum.reference.sequential.possible",
    "ptum.reference.sequential.state",
    "ptum.reference.transfer.explained",
    "ptum.reference.transfer.transcript",
)
"""Validation, messages and the records of runs: no item of the paper."""

NO_FORMULA = {"__post_init__", "__repr__", "__str__", "require", "check", "checked"}
"""Names of functions that validate or show, or first words of their names."""

OF_INPUTS = ("frozen", "NotIdentifiable")
"""What makes an input an array of so many sides, and what says why there is no estimate."""

ALPHA = 0.05
"""One minus the confidence of the interval."""

SECONDS = 600
"""Processor time of a fork beyond twenty times what its checks usually take."""

T = TypeVar("T")
Name = tuple[str, str]
"""A function: its module, and its name with that of its class."""


@dataclass(frozen=True)
class Sampled:
    """One mutant and what became of it; `noticed` is empty for a sleeper."""

    module: str
    function: str
    line: int
    operator: str
    before: str
    after: str
    own: int
    others: int
    noticed: str


# Where: what the ledger names, and what it calls


@cache
def source_of(module: str) -> str:
    """The text of a module."""
    return Path(str(importlib.import_module(module).__file__)).read_text()


@cache
def functions() -> Mapping[Name, ast.FunctionDef]:
    """Every function and method of `reference` in which slips are planted."""
    found: dict[Name, ast.FunctionDef] = {}
    for module in all_modules(ROOT):
        tree = ast.parse(source_of(module))
        owners = [("", tree.body)]
        owners += [(f"{n.name}.", n.body) for n in tree.body if isinstance(n, ast.ClassDef)]
        for owner, body in owners:
            for node in body:
                if isinstance(node, ast.FunctionDef) and _is_formula(module, node.name):
                    found[module, owner + node.name] = node
    return found


def _is_formula(module: str, name: str) -> bool:
    return module not in BOOKKEEPING and not {name, _first_word(name)} & NO_FORMULA


def _first_word(name: str) -> str:
    return name.lstrip("_").partition("_")[0]


def called_by(name: Name) -> set[Name]:
    """What a function may call in `reference`: by its name, or any method named as an attribute."""
    names = vars(importlib.import_module(name[0]))
    found: set[Name] = set()
    for node in ast.walk(functions()[name]):
        if isinstance(node, ast.Name) and hasattr(names.get(node.id), "__qualname__"):
            found.add((names[node.id].__module__, names[node.id].__qualname__))
        elif isinstance(node, ast.Attribute):
            found |= _methods().get(node.attr, set())
    return found & functions().keys()


@cache
def _methods() -> Mapping[str, set[Name]]:
    found: dict[str, set[Name]] = {}
    for name in functions():
        if "." in name[1]:
            found.setdefault(name[1].partition(".")[2], set()).add(name)
    return found


def reached(named: Sequence[str]) -> set[Name]:
    """The functions of these dotted names, all methods of the classes, and what they call."""
    pairs = [tuple(one.split(":")) for one in named]
    ring = {f for f in functions() for p in pairs if f[0] == p[0] and f[1].split(".")[0] == p[1]}
    found: set[Name] = set()
    while ring:
        found |= ring
        ring = {callee for name in ring for callee in called_by(name)} - found
    return found


@cache
def own_checks() -> Mapping[Name, frozenset[str]]:
    """For every function that a claim rests on, the checks of all such claims."""
    found: dict[Name, frozenset[str]] = {}
    for claim in ledger.CLAIMS:
        others = [other for part in claim.parts for other in (part.as_run, part.repair) if other]
        named = [*claim.reference, *(name for other in others for name in other.reference)]
        parts = {part.id for part in claim.parts}
        checks = frozenset(check.id for check in registry().values() if check.part in parts)
        for name in reached(named):
            found[name] = found.get(name, frozenset()) | checks
    return found


@cache
def population() -> tuple[tuple[Name, Site], ...]:
    """Every site of every such function, in one order for all times."""
    found: list[tuple[Name, Site]] = []
    for module in all_modules(ROOT):
        if not any(name[0] == module for name in own_checks()):
            continue
        source = source_of(module)
        spared = extents(source, _validation(ast.parse(source)))
        for site in sites(source):
            name = _around(module, site.position[0])
            if name and name in own_checks() and not within(site.position, spared):
                found.append((name, site))
    return tuple(found)


def _around(module: str, line: int) -> Name | None:
    nodes = ((name, node) for name, node in functions().items() if name[0] == module)
    return next((n for n, node in nodes if node.lineno <= line <= (node.end_lineno or 0)), None)


def _validation(tree: ast.AST) -> Iterator[ast.stmt | ast.expr]:
    """Conditions under which nothing but an error is raised, and what is asked of arguments."""
    for node in ast.walk(tree):
        match node:
            case ast.If(test=test, body=[ast.Raise()]):
                yield test
            case ast.Call(func=ast.Name(id=called)) if called in OF_INPUTS or called.lstrip(
                "_"
            ).startswith("require"):
                yield node
            case ast.For(body=body, iter=over) if all(map(_requires, body)):
                yield over
            case ast.FunctionDef():
                yield from _only_asked_about(node)
            case _:
                pass


def _requires(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id=called))):
            return called.startswith("require")
        case _:
            return False


def _only_asked_about(function: ast.FunctionDef) -> Iterator[ast.stmt]:
    """Assignments to names that are read in questions about arguments and in errors alone."""
    asked: set[ast.AST] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Raise) or (isinstance(node, ast.stmt) and _requires(node)):
            asked.update(ast.walk(node))
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    for node in reversed([node for node in ast.walk(function) if isinstance(node, ast.Assign)]):
        read = [
            name
            for name in names
            if isinstance(name.ctx, ast.Load) and name.id == getattr(node.targets[0], "id", "")
        ]
        if read and asked.issuperset(read):
            asked.update(ast.walk(node))
            yield node


def drawn(seed: int, count: int) -> list[tuple[Name, Mutant]]:
    """So many mutants, all sites being equally likely; what is no other program is passed over."""
    found: list[tuple[Name, Mutant]] = []
    everything = list(population())
    say(f"{len(everything)} sites in {len({name for name, _ in everything})} functions")
    random.Random(seed).shuffle(everything)
    for name, site in everything:
        if len(found) == count:
            break
        mutant = mutant_at(source_of(name[0]), site)
        if mutant is not None:
            found.append((name, mutant))
    return found


# Whether it is noticed


def in_forks(
    works: Sequence[tuple[Callable[[], T], int]], jobs: int
) -> Iterator[tuple[int, object]]:
    """Number and answer of every piece of work, so many at a time, as they come."""
    waiting, running = list(enumerate(works)), dict[int, Fork]()
    while waiting or running:
        while waiting and len(running) < jobs:
            number, (work, seconds) = waiting.pop(0)
            running[number] = fork(work, seconds)
        for number, child in list(running.items()):
            if (answer := child.result()) is not None:
                del running[number]
                yield number, answer
        time.sleep(0.01)


def on_the_original(checks: Sequence[Check], jobs: int) -> list[Tried]:
    """What every check costs and calls; each in a fork of its own, for caches hide calls."""
    tried: list[Tried] = []
    for number, answer in in_forks([(partial(_traced, one), SECONDS) for one in checks], jobs):
        if not isinstance(answer, Tried):
            raise SystemExit(f"{checks[number].id} is not as expected on the unchanged code")
        tried.append(answer)
        if len(tried) % 50 == 0:
            say(f"{len(tried)} of {len(checks)} checks on the unchanged code")
    return sorted(tried, key=lambda one: (one.cost, one.name))


def _traced(check: Check) -> Tried | str:
    calls, start = Calls(), time.process_time()
    sys.settrace(calls)
    row = run_one(check, JOB)
    sys.settrace(None)
    cost = time.process_time() - start
    return Tried(check.id, cost, frozenset(calls.seen)) if row.as_expected else check.id


def first_notice(module: str, mutant: Mutant, checks: Sequence[str]) -> str:
    """The first check with another verdict than expected, or nothing."""
    try:
        plant(importlib.import_module(module), mutant.source)
    except Exception as reason:
        return f"the import: {reason!r}"
    for identity in checks:
        row = run_one(registry()[identity], JOB)
        if not row.as_expected:
            return f"{identity}: {row.outcome.verdict}"
    return ""


def audit(
    chosen: Sequence[tuple[Name, Mutant]], tried: Sequence[Tried], jobs: int
) -> list[Sampled]:
    """Every mutant to the checks of its claims, then to the rest, the cheapest first."""
    works, order = [], []
    for (module, function), mutant in chosen:
        file = str(importlib.import_module(module).__file__)
        lines = extent(definitions(source_of(module)), mutant.line)
        able = [one for one in tried if reaches(one, file, lines)]
        own = [one.name for one in able if one.name in own_checks()[module, function]]
        checks = [*own, *(one.name for one in able if one.name not in own)]
        seconds = SECONDS + round(20 * sum(one.cost for one in able))
        works.append((partial(first_notice, module, mutant, checks), seconds))
        order.append((len(own), len(able) - len(own)))
    found: dict[int, Sampled] = {}
    for number, answer in in_forks(works, jobs):
        (module, function), mutant = chosen[number]
        noticed = "a process that was lost" if isinstance(answer, Lost) else str(answer)
        change = (mutant.line, mutant.operator, mutant.before, mutant.after)
        found[number] = Sampled(module, function, *change, *order[number], noticed)
        say(f"{len(found)} of {len(works)}: {noticed or 'SLEEPS: ' + difference(found[number])}")
    return [found[number] for number in sorted(found)]


# What comes of it


def difference(one: Sampled) -> str:
    """Where, and the lines before and after."""
    asked = f"{one.own} checks of its claims and {one.others} others call it"
    place = f"{one.module}:{one.line}, {one.function} ({asked})"
    return f"{place}\n  - {one.before}\n  + {one.after}"


def as_json(seed: int, found: Sequence[Sampled]) -> dict[str, object]:
    """The report."""
    noticed = sum(bool(one.noticed) for one in found)
    low, high = clopper_pearson(noticed, len(found), ALPHA)
    return {
        "seed": seed,
        "sites": len(found),
        "noticed": noticed,
        "interval_95": [low, high],
        "mutants": [asdict(one) for one in found],
    }


def summary(seed: int, found: Sequence[Sampled]) -> str:
    """In words: the count, its interval, and all sleepers."""
    sleepers = [one for one in found if not one.noticed]
    noticed = len(found) - len(sleepers)
    low, high = clopper_pearson(noticed, len(found), ALPHA)
    head = (
        f"seed {seed}: {noticed} of {len(found)} noticed;"
        f" {1 - ALPHA:.0%} Clopper-Pearson interval {low:.3f} to {high:.3f}"
    ).replace("%", " %")
    return "\n".join([head, *map(difference, sleepers)])


def say(text: str) -> None:
    """Progress."""
    print(text, file=sys.stderr, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Plant slips at random sites and count those that a verdict of `ptum verify` notices."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation.sample", description=main.__doc__
    )
    parser.add_argument(
        "--seed", type=int, required=True, help="fixed before anything is looked at"
    )
    parser.add_argument("--sites", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--json", type=Path, default=Path("build/mutants-sample.json"))
    given = parser.parse_args(arguments)
    if given.sites < 1 or given.jobs < 1:
        parser.error("--sites and --jobs are at least 1")
    chosen = drawn(given.seed, given.sites)
    gc.freeze()  # a collection in a fork would copy every page that it looks at
    tried = on_the_original(list(registry().values()), given.jobs)
    found = audit(chosen, tried, given.jobs)
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(
        json.dumps(as_json(given.seed, found), indent=2, ensure_ascii=False) + "\n"
    )
    print(summary(given.seed, found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
