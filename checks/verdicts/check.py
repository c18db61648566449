"""A check: its stable id `part/slug`, what it looks at, and how much work it does.

It is declared where its function is, by the decorator `check`:

    @check("lemma-7.positive/three-arms", CheckKind.EXACT)
    def zero_index(context: Context) -> Outcome:
        \"""A bandit on which PTUM neither stops nor has a positive index.\"""

Which version of the part it tests, and in which reading, is where the ledger names it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from math import fsum
from types import FunctionType
from typing import TypeAlias, TypeVar

import numpy as np

from ptum.checks.verdicts.outcome import Outcome
from ptum.checks.verdicts.registry import Registry
from ptum.spec import ledger
from ptum.spec.vocabulary import CheckKind, Version

ALPHA = 0.01
"""Bound on the probability that any verdict of the whole registry is wrong by chance."""


class Profile(StrEnum):
    """How much work a run does. Counts are fixed per profile, never a matter of time."""

    QUICK = "quick"
    STANDARD = "standard"
    DEEP = "deep"


@dataclass(frozen=True)
class Context:
    """What a check is given: how much to do, and where its randomness comes from.

    `check` is its id, under which attempts are stored (none for an empty one); `most` limits every
    count, for a deep search at a lower price; `planning` asks what named instances would be put
    to, in place of an outcome (`ptum.checks.verdicts.probability_search.PlannedError`).
    """

    profile: Profile
    seed: int
    check: str = ""
    most: int | None = None
    planning: bool = False

    def count(self, quick: int, standard: int, deep: int) -> int:
        """The number of instances or trials of this profile."""
        counts = {Profile.QUICK: quick, Profile.STANDARD: standard, Profile.DEEP: deep}
        declared = counts[self.profile]
        return declared if self.most is None else min(declared, self.most)

    def generator(self, *key: int) -> np.random.Generator:
        """A stream of its own for every key, the same in every run with this seed."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=key))


Examples: TypeAlias = int | tuple[int, int, int]
"""How many instances are drawn: in every profile, or in quick, standard and deep."""

CheckFunction: TypeAlias = Callable[[Context], Outcome]


@dataclass(frozen=True)
class Check:
    """One way to test one part of a claim, in one version.

    `reading` names the reading of an ambiguous part. `alpha` is this check's fixed share of
    `ALPHA`: zero unless its verdict rests on random trials.
    """

    id: str
    version: Version
    kind: CheckKind
    says: str
    run: CheckFunction
    reading: str | None = None
    alpha: float = 0.0

    @property
    def part(self) -> str:
        """Id of the part that this check is about."""
        return self.id.partition("/")[0]

    def context(self, profile: Profile, seed: int) -> Context:
        """The same seed gives every check its own stream, whichever checks run beside it."""
        digest = sha256(f"{seed}:{self.id}".encode()).digest()
        return Context(profile, int.from_bytes(digest[:8], "big"), self.id)


CHECKS: Registry[Check] = Registry("check")
"""What the modules imported so far declare; `ptum.checks.claims.registry` has all of them."""

SomeRun = TypeVar("SomeRun", bound=CheckFunction)


def check(
    identity: str, kind: CheckKind, says: str | None = None, *, alpha: float = 0.0
) -> Callable[[SomeRun], SomeRun]:
    """Declare that a function runs the check with this id, which the ledger must know.

    What the check `says` is the first sentence of the function's docstring, unless it is given: a
    function may run several checks, or be made by another one. As a call: `check(…)(run)`.
    """
    named = ledger.checks()
    if identity not in named:
        unknown = ledger.UnknownIdError(identity, named)
        unknown.add_note("a check is named by the part of the claim that it tests: spec/claims")
        raise unknown

    def declare(run: SomeRun) -> SomeRun:
        place, sentence = named[identity], says or _first_sentence(run)
        declared = Check(identity, place.version, kind, sentence, run, place.reading, alpha)
        if spent((declared, *CHECKS.declared().values())) > ALPHA:
            raise ValueError(f"{identity}: the checks claim more error probability than there is")
        CHECKS.add(identity, declared)
        return run

    return declare


def spent(checks: Iterable[Check]) -> float:
    """Probability with which chance may mislead any of these checks, at most."""
    return fsum(one.alpha for one in checks)


def _first_sentence(run: CheckFunction) -> str:
    """The first paragraph of the docstring, without its full stop."""
    text = inspect.getdoc(run) if isinstance(run, FunctionType) else None
    if not text:
        raise ValueError(f"{run!r} has no docstring, so it must be said what its check says")
    return " ".join(text.partition("\n\n")[0].split()).removesuffix(".")
