"""Every check of the suite, by its stable id `part/slug`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from hashlib import sha256
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from checks.outcome import Outcome
from spec import ledger
from spec.vocabulary import CheckKind, Version

ALPHA = 0.01
"""Bound on the probability that any verdict of the whole registry is wrong by chance."""

MODULES = (
    "checks.waiting",
    "checks.definitions",
    "checks.symbolic",
    "checks.section_2.task",
    "checks.section_2.rewards",
    "checks.section_2.values",
    "checks.section_2.gaps",
    "checks.section_2.frequencies",
    "checks.section_3.algorithm_1",
    "checks.section_3.algorithm_1_promise",
    "checks.section_3.algorithm_1_text",
    "checks.section_3.only_samples",
    "checks.section_3.theorem_1",
    "checks.section_3.theorem_1_text",
    "checks.section_3.any_learner",
    "checks.section_3.earlier_bounds",
    "checks.section_3.online",
    "checks.section_3.optimism",
    "checks.section_3.negative_transfer",
    "checks.section_3.discount",
    "checks.section_3.corollary_1",
    "checks.section_3.corollary_1_text",
    "checks.appendix_b.concentration",
    "checks.appendix_b.confidence",
    "checks.appendix_b.elimination",
    "checks.appendix_b.simulation",
    "checks.appendix_b.setting",
    "checks.appendix_b.stopping",
    "checks.appendix_b.positive_index",
    "checks.appendix_b.fundamental",
    "checks.appendix_b.phases",
    "checks.appendix_b.fundamental_steps",
    "checks.appendix_b.correctness",
    "checks.open_questions.empirical_bernstein",
    "checks.open_questions.threshold",
    "checks.open_questions.literal_deviation",
    "checks.open_questions.constants",
    "checks.section_4.observations",
    "checks.section_4.models",
    "checks.section_4.continuous_rewards",
    "checks.section_4.prediction",
    "checks.section_4.unknown_constants",
    "checks.section_4.chosen_constants",
    "checks.appendix_c.moments",
    "checks.appendix_c.estimates",
    "checks.appendix_d.deviations",
    "checks.appendix_d.lemmas_10_15",
    "checks.appendix_d.lemma_11",
    "checks.appendix_d.lemma_11_proof",
    "checks.appendix_d.lemma_12",
    "checks.appendix_d.long_sequences",
    "checks.appendix_d.runs",
    "checks.appendix_d.model_errors",
    "checks.appendix_d.within_task",
    "checks.appendix_e.parameters",
    "checks.appendix_e.runs",
    "checks.appendix_e.learning",
    "checks.appendix_e.outcomes",
    "checks.appendix_e.grid_panels",
    "checks.appendix_e.sequence_panels",
    "checks.appendix_e.error_panel",
    "checks.appendix_e.baseline_panels",
)
"""Where checks are written; each module exports `CHECKS`."""


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
    to, in place of an outcome (`checks.candidates.PlannedError`).
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


@cache
def registry() -> Mapping[str, Check]:
    """All checks by id; ids are unique and the α's sum to at most `ALPHA`."""
    table: dict[str, Check] = {}
    for module in MODULES:
        for check in importlib.import_module(module).CHECKS:
            if check.id in table:
                raise ValueError(f"two checks are called {check.id}")
            table[check.id] = check
    if sum(check.alpha for check in table.values()) > ALPHA:
        raise ValueError("the checks claim more error probability than there is")
    return MappingProxyType({check.id: check for check in _in_order(table.values())})


def _in_order(checks: Iterable[Check]) -> list[Check]:
    """In the order of the ledger, and for one part the printed wording before its repair."""
    places = {part.id: place for place, (_, part) in enumerate(ledger.parts())}
    return sorted(checks, key=lambda check: (places[check.part], check.version is Version.REPAIRED))
