"""The closest that a deep search came to breaking a claim, kept and evaluated in every run.

One file per check, `checks/verdicts/attempts/<check id>.json`, written by `python -m
ptum.checks.suite.attempts` alone. A check whose search has stored attempts evaluates them before it
draws anything, whatever the profile, so what once came close is looked at for ever.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

HOME = Path(__file__).parent


class Searched(msgspec.Struct, frozen=True, kw_only=True):
    """One deep search: its seed, the limit of its counts, and the number of instances."""

    seed: int
    limit: int
    examples: int


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt: the instance, how close it came, and the search that found it.

    `search` names one of several searches of a check, `seed` and `examples` are the seed and the
    limit of that search.
    """

    search: str
    ratio: float
    told: str
    seed: int
    examples: int
    instance: msgspec.Raw


class File(msgspec.Struct, frozen=True, kw_only=True):
    """All stored attempts of one check, and every search that came no closer than they do."""

    check: str
    searched: list[Searched]
    attempts: list[Stored]


def path_of(check: str) -> Path:
    """Where the attempts of a check are kept."""
    return HOME / f"{check}.json"


@cache
def file_of(check: str) -> File:
    """What is stored for a check, an empty file if nobody has looked."""
    path = path_of(check)
    if not path.is_file():
        return File(check=check, searched=[], attempts=[])
    return msgspec.json.decode(path.read_bytes(), type=File)


def stored(check: str) -> tuple[Stored, ...]:
    """The attempts of a check, none if nobody has looked."""
    return tuple(file_of(check).attempts)


def examples_searched(check: str) -> int:
    """Instances that deep searches of this check evaluated; one seed draws the same again."""
    most: dict[int, int] = {}
    for search in file_of(check).searched:
        most[search.seed] = max(search.examples, most.get(search.seed, 0))
    return sum(most.values())


def checks_with_attempts() -> tuple[str, ...]:
    """Ids of the checks that have a file."""
    found = (path.relative_to(HOME).with_suffix("") for path in HOME.glob("*/*.json"))
    return tuple(sorted(path.as_posix() for path in found))
