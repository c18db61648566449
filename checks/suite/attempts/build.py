"""Search deeply, keep what came closest: `python -m ptum.checks.suite.attempts [CHECK…]
[--examples N]`.

Attempts are looked for where breaking a claim would be news: parts that hold, that are unproved or
vacuous, readings that hold, and repairs. A stored attempt is evaluated before anything is
drawn, as in every run, so it stays unless a closer one is found, with the closeness that it has
today; `--fresh` forgets it first, for code that has changed so much that it cannot be read.

Every check has a file of its own, which also counts the searches that came no closer. So the work
can be interrupted at any time: the same command goes on where it was, because a search whose seed
and limit are on record is not repeated. Another seed looks elsewhere and adds to the count. A short
pilot search of each check comes first, after which the cheapest are searched before the others.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import msgspec

from ptum.checks.claims import registry
from ptum.checks.suite.runner import expected_of
from ptum.checks.verdicts.attempts import (
    File,
    Searched,
    Stored,
    examples_searched,
    file_of,
    path_of,
    stored,
)
from ptum.checks.verdicts.check import Check, Profile
from ptum.checks.verdicts.outcome import Attempt, Outcome
from ptum.spec.vocabulary import CheckKind, Verdict

EXAMPLES = 400
PILOT = 20
SEED = 0
LARGEST = 40_000
"""Letters of an instance that are still worth keeping."""


def worth_breaking(check: Check) -> bool:
    """Whether the ledger expects this check to hold, so that breaking it would be news."""
    searched = check.kind in (CheckKind.SYMBOLIC, CheckKind.EXACT, CheckKind.INEQUALITY)
    return searched and Verdict.HOLDS in expected_of(check)


def deep_search(check: Check, examples: int, seed: int = SEED, fresh: bool = False) -> Outcome:
    """The check in the deep profile, with every count limited; `fresh` leaves stored attempts."""
    context = replace(check.context(Profile.DEEP, seed), most=examples)
    return check.run(replace(context, check="") if fresh else context)


def build(
    checks: Iterable[Check], examples: int = EXAMPLES, seed: int = SEED, fresh: bool = False
) -> list[str]:
    """Search every check and write its file; what happened, one line per check."""
    return [_built(check, examples, seed, fresh) for check in checks if worth_breaking(check)]


def searched_before(check: Check, examples: int, seed: int) -> bool:
    """Whether this search, or a longer one with the same seed, is on record."""
    searches = file_of(check.id).searched
    return any(search.seed == seed and search.limit >= examples for search in searches)


def cheapest_first(
    checks: Iterable[Check], fresh: bool = False, clock: Callable[[], float] = time.perf_counter
) -> list[Check]:
    """By the time of a pilot search; what it shows to have nothing to aim at is left out."""
    timed: list[tuple[float, Check]] = []
    for check in checks:
        started = clock()
        pilot = deep_search(check, PILOT, fresh=fresh)
        if pilot.best is not None or pilot.verdict is Verdict.VIOLATED:
            timed.append((clock() - started, check))
    return [check for _, check in sorted(timed, key=lambda pair: (pair[0], pair[1].id))]


def _built(check: Check, examples: int, seed: int, fresh: bool) -> str:
    if not fresh and searched_before(check, examples, seed):
        return f"{check.id}: searched before"
    outcome = deep_search(check, examples, seed, fresh)
    best = outcome.best
    if outcome.verdict is Verdict.VIOLATED:
        return f"{check.id}: BROKEN\n" + "\n".join(outcome.explanation)
    if best is None:
        return f"{check.id}: nothing to come close to"
    if best.instance is None or len(best.instance) > LARGEST:
        return f"{check.id}: {best.ratio:.6g}, not kept: {best.reason or 'too long'}"
    before = {} if fresh else {attempt.search: attempt for attempt in stored(check.id)}
    kept = before.get(best.search)
    stays = kept is not None and bytes(kept.instance).decode() == best.instance
    before[best.search] = (
        msgspec.structs.replace(kept, ratio=best.ratio, told=best.told)
        if kept is not None and stays
        else _stored(best, examples, seed)
    )
    search = Searched(seed=seed, limit=examples, examples=outcome.trials)
    known = [] if fresh or best.whole else file_of(check.id).searched
    _write(File(check=check.id, searched=[*known, search], attempts=[*before.values()]))
    return f"{check.id}: {best.ratio:.6g}{' stays' if stays else ''}"


def _stored(best: Attempt, examples: int, seed: int) -> Stored:
    return Stored(
        search=best.search,
        ratio=best.ratio,
        told=best.told,
        seed=seed,
        examples=examples,
        instance=msgspec.Raw((best.instance or "null").encode()),
    )


def _write(file: File) -> None:
    """Whole or not at all: whoever is interrupted leaves the file of the last search."""
    path = path_of(file.check)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_bytes(msgspec.json.encode(file) + b"\n")
    unfinished.replace(path)
    file_of.cache_clear()


def _lines(checks: Sequence[Check], examples: int, seed: int, fresh: bool) -> Iterator[str]:
    """One line per check as soon as it is searched: the place in the queue and what was found."""
    for number, check in enumerate(checks, start=1):
        started = time.perf_counter()
        for line in build([check], examples, seed, fresh):
            seconds = time.perf_counter() - started
            in_all = f"in {examples_searched(check.id)} examples so far"
            yield f"{number} of {len(checks)}  {line}, {in_all} ({seconds:.1f} s)"


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m ptum.checks.suite.attempts", description=__doc__
    )
    parser.add_argument("check", nargs="*", help="ids of checks; all by default")
    parser.add_argument("--examples", type=int, default=EXAMPLES, help="instances per search")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--fresh", action="store_true", help="forget what is stored")
    chosen = parser.parse_args(arguments)
    table = registry()
    unknown = [word for word in chosen.check if word not in table]
    if unknown:
        parser.error(f"unknown check {unknown[0]!r}")
    wanted = [table[word] for word in chosen.check or table if worth_breaking(table[word])]
    left = [
        check
        for check in wanted
        if chosen.fresh or not searched_before(check, chosen.examples, chosen.seed)
    ]
    print(f"{len(wanted) - len(left)} searched before, {len(left)} left", flush=True)
    queue = left if chosen.check else cheapest_first(left, chosen.fresh)
    for line in _lines(queue, chosen.examples, chosen.seed, chosen.fresh):
        print(line, flush=True)
