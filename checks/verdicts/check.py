"""A check: its stable id `part/slug`, what it looks at, and how much work it does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import TypeAlias

import numpy as np

from ptum.checks.verdicts.outcome import Outcome
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


Run: TypeAlias = Callable[[Context], Outcome]


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
    run: Run
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
