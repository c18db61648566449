"""Search deeply, keep what came closest: `python -m checks.attempts [CHECK…] [--examples N]`.

Attempts are looked for where breaking a claim would be news: parts that hold, that are unproved or
vacuous, readings that hold, and repairs. A stored attempt is walked through before anything is
drawn, as in every run, so it stays unless a closer one is found; `--fresh` forgets it first, for
code that has changed so much that it cannot be read or no longer comes as close.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace

import msgspec

from checks.attempts import File, Stored, path_of, stored
from checks.outcome import Attempt, Outcome
from checks.registry import Check, Profile, registry
from checks.runner import expected_of
from spec.vocabulary import CheckKind, Verdict

EXAMPLES = 400
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


def _built(check: Check, examples: int, seed: int, fresh: bool) -> str:
    outcome = deep_search(check, examples, seed, fresh)
    best = outcome.best
    if outcome.verdict is Verdict.VIOLATED:
        return f"{check.id}: BROKEN\n" + "\n".join(outcome.story)
    if best is None:
        return f"{check.id}: nothing to come close to"
    if best.instance is None or len(best.instance) > LARGEST:
        return f"{check.id}: {best.ratio:.6g}, not kept: {best.reason or 'too long'}"
    before = {} if fresh else {attempt.search: attempt for attempt in stored(check.id)}
    kept = before.get(best.search)
    if kept is not None and kept.ratio == best.ratio:
        return f"{check.id}: {kept.ratio:.6g} stays"
    _write(check.id, {**before, best.search: _stored(best, examples, seed)})
    return f"{check.id}: {best.ratio:.6g}"


def _stored(best: Attempt, examples: int, seed: int) -> Stored:
    return Stored(
        search=best.search,
        ratio=best.ratio,
        told=best.told,
        seed=seed,
        examples=examples,
        instance=msgspec.Raw((best.instance or "null").encode()),
    )


def _write(check: str, attempts: dict[str, Stored]) -> None:
    path = path_of(check)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(msgspec.json.encode(File(check=check, attempts=[*attempts.values()])) + b"\n")
    stored.cache_clear()


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m checks.attempts", description=__doc__)
    parser.add_argument("check", nargs="*", help="ids of checks; all by default")
    parser.add_argument("--examples", type=int, default=EXAMPLES, help="instances per search")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--fresh", action="store_true", help="forget what is stored")
    chosen = parser.parse_args(arguments)
    table = registry()
    unknown = [word for word in chosen.check if word not in table]
    if unknown:
        parser.error(f"unknown check {unknown[0]!r}")
    for word in chosen.check or table:
        for line in build([table[word]], chosen.examples, chosen.seed, chosen.fresh):
            print(line, flush=True)
