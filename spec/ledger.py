"""The whole ledger in one place: all records, looked up by id, and the graph they form."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from ptum.spec.claims import (
    appendix_b,
    appendix_c,
    appendix_d,
    experiments,
    preliminaries,
    sequential,
    transfer,
)
from ptum.spec.decisions import DECISIONS
from ptum.spec.errata import ERRATA, GROUPS
from ptum.spec.records import Claim, Decision, ErrataGroup, Erratum, Part
from ptum.spec.vocabulary import Rank, Standing, Status, Version

if TYPE_CHECKING:
    from ptum.spec.algebra import Formula

CLAIMS: tuple[Claim, ...] = (
    *preliminaries.CLAIMS,
    *transfer.CLAIMS,
    *sequential.CLAIMS,
    *appendix_b.CLAIMS,
    *appendix_c.CLAIMS,
    *appendix_d.CLAIMS,
    *experiments.CLAIMS,
)

Record: TypeAlias = Claim | Decision | Erratum | ErrataGroup
"""Whatever has an id of its own; parts have that of their claim in theirs."""


class UnknownIdError(LookupError):
    """An id that the ledger does not hold, with the nearest ones that it does."""

    def __init__(self, word: str, known: Iterable[str]) -> None:
        self.word = word
        self.nearest = nearest(word, known)
        super().__init__("; like it: ".join((f"unknown id {word!r}", *self.nearest[:1])))


def nearest(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Up to three known words that look most like the given one."""
    return tuple(difflib.get_close_matches(word.lower(), list(known), n=3, cutoff=0.5))


@cache
def records() -> Mapping[str, Record]:
    """Every record of the ledger by its id; ids are unique over all kinds."""
    table: dict[str, Record] = {}
    everything: tuple[Record, ...] = (*CLAIMS, *DECISIONS, *ERRATA, *GROUPS)
    for record in everything:
        if record.id in table:
            raise ValueError(f"two records are called {record.id}")
        table[record.id] = record
    return MappingProxyType(table)


def find(identity: str) -> Record:
    """The record with this id; ids are matched without regard to case."""
    for known, record in records().items():
        if known.lower() == identity.lower():
            return record
    raise UnknownIdError(identity, records())


def claim(identity: str) -> Claim:
    """The claim with this id."""
    record = find(identity)
    if not isinstance(record, Claim):
        raise UnknownIdError(identity, (c.id for c in CLAIMS))
    return record


def parts() -> Iterator[tuple[Claim, Part]]:
    """Every part of every claim, in the paper's order."""
    return ((c, p) for c in CLAIMS for p in c.parts)


def part(identity: str) -> tuple[Claim, Part]:
    """The part with this id, and the claim it belongs to."""
    table = {p.id: (c, p) for c, p in parts()}
    if identity not in table:
        raise UnknownIdError(identity, table)
    return table[identity]


@dataclass(frozen=True, slots=True)
class CheckPlace:
    """Where the ledger names a check: which version of a part it tests, and in which reading."""

    version: Version
    reading: str | None = None


@cache
def checks() -> Mapping[str, CheckPlace]:
    """Every check that the ledger names, part by part: as printed, as run, repaired.

    An imported part has one that runs nothing, so that no table of verdicts leaves the part out.
    """
    table: dict[str, CheckPlace] = {}
    for identity, place in (named for _, part in parts() for named in _checks_of(part)):
        if identity in table:
            raise ValueError(f"the check {identity} is named twice")
        table[identity] = place
    return MappingProxyType(table)


def _checks_of(part: Part) -> Iterator[tuple[str, CheckPlace]]:
    if part.status is Status.IMPORTED:
        yield f"{part.id}/imported", CheckPlace(Version.PRINTED)
    yield from ((check, CheckPlace(Version.PRINTED)) for check in part.checks)
    for reading in part.readings:
        yield from ((check, CheckPlace(Version.PRINTED, reading.id)) for check in reading.checks)
    for version, other in ((Version.AS_RUN, part.as_run), (Version.REPAIRED, part.repair)):
        if other is not None:
            yield from ((check, CheckPlace(version)) for check in other.checks)


def owner_of_checks(item: Claim) -> Claim:
    """The claim whose checks speak for this one: itself, or what it displays or is a step of."""
    return claim(item.link.target) if item.link else item


def rests_on(item: Claim) -> tuple[str, ...]:
    """Ids of the claims this one needs, assumptions first."""
    linked = (item.link.target,) if item.link else ()
    return tuple(dict.fromkeys((*item.assumes, *item.uses, *linked)))


def supports(identity: str) -> tuple[str, ...]:
    """Ids of the claims that need this one."""
    return tuple(c.id for c in CLAIMS if identity in rests_on(c))


def own_formulas(item: Claim) -> tuple[str, ...]:
    """Dotted names of the formulas of a claim and of its parts, each once; not those of repairs."""
    of_parts = (name for part in item.parts for name in part.formulas)
    return tuple(dict.fromkeys((*item.formulas, *of_parts)))


def members(group: ErrataGroup) -> tuple[Erratum, ...]:
    """The errata of a group, heaviest first, those that were withdrawn at the end."""
    return tuple(erratum for erratum in errata_by_weight() if erratum.group == group.id)


def rank_of(group: ErrataGroup) -> Rank | None:
    """The rank of the heaviest erratum of a group that stands; None if none does."""
    standing = (e.rank for e in members(group) if e.status is Standing.STANDS)
    return next(standing, None)


def errata_by_weight() -> tuple[Erratum, ...]:
    """Every erratum: majors first, each rank group by group, what was withdrawn at the end."""
    place = {group.id: number for number, group in enumerate(GROUPS)}
    ranks = list(Rank)

    def weight(erratum: Erratum) -> tuple[bool, int, int]:
        if erratum.withdrawn:
            return True, 0, 0
        return False, ranks.index(erratum.rank), place[erratum.group]

    return tuple(sorted(ERRATA, key=weight))


def load(dotted: str) -> object:
    """The object behind `package.module:NAME`; imports the module only now."""
    module, _, name = dotted.partition(":")
    found: object = getattr(importlib.import_module(module), name)
    return found


def formula(dotted: str) -> Formula:
    """The formula behind a dotted name of the ledger."""
    from ptum.spec.algebra import Formula  # the only place that pays for sympy, and only when asked

    found = load(dotted)
    if not isinstance(found, Formula):
        raise TypeError(f"{dotted} is not a Formula")
    return found
