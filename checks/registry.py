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

from ptum.checks.outcome import Outcome
from ptum.spec import ledger
from ptum.spec.vocabulary import CheckKind, Version

ALPHA = 0.01
"""Bound on the probability that any verdict of the whole registry is wrong by chance."""

MODULES = (
    "ptum.checks.waiting",
    "ptum.checks.definitions",
    "ptum.checks.symbolic",
    "ptum.checks.section_2.task",
    "ptum.checks.section_2.rewards",
    "ptum.checks.section_2.values",
    "ptum.checks.section_2.gaps",
    "ptum.checks.section_2.frequencies",
    "ptum.checks.section_3.algorithm_1",
    "ptum.checks.section_3.algorithm_1_promise",
    "ptum.checks.section_3.algorithm_1_text",
    "ptum.checks.section_3.only_samples",
    "ptum.checks.section_3.theorem_1",
    "ptum.checks.section_3.theorem_1_text",
    "ptum.checks.section_3.any_learner",
    "ptum.checks.section_3.earlier_bounds",
    "ptum.checks.section_3.online",
    "ptum.checks.section_3.optimism",
    "ptum.checks.section_3.negative_transfer",
    "ptum.checks.section_3.discount",
    "ptum.checks.section_3.corollary_1",
    "ptum.checks.section_3.corollary_1_text",
    "ptum.checks.appendix_b.concentration",
    "ptum.checks.appendix_b.confidence",
    "ptum.checks.appendix_b.elimination",
    "ptum.checks.appendix_b.simulation",
    "ptum.checks.appendix_b.setting",
    "ptum.checks.appendix_b.stopping",
    "ptum.checks.appendix_b.positive_index",
    "ptum.checks.appendix_b.fundamental",
    "ptum.checks.appendix_b.phases",
    "ptum.checks.appendix_b.fundamental_steps",
    "ptum.checks.appendix_b.correctness",
    "ptum.checks.open_questions.empirical_bernstein",
    "ptum.checks.open_questions.threshold",
    "ptum.checks.open_questions.literal_deviation",
    "ptum.checks.open_questions.constants",
    "ptum.checks.open_questions.cheapest",
    "ptum.checks.section_4.observations",
    "ptum.checks.section_4.models",
    "ptum.checks.section_4.rare_tasks",
    "ptum.checks.section_4.continuous_rewards",
    "ptum.checks.section_4.prediction",
    "ptum.checks.section_4.unknown_constants",
    "ptum.checks.section_4.chosen_constants",
    "ptum.checks.appendix_c.moments",
    "ptum.checks.appendix_c.estimates",
    "ptum.checks.appendix_d.deviations",
    "ptum.checks.appendix_d.lemmas_10_15",
    "ptum.checks.appendix_d.lemma_11",
    "ptum.checks.appendix_d.lemma_11_proof",
    "ptum.checks.appendix_d.lemma_12",
    "ptum.checks.appendix_d.long_sequences",
    "ptum.checks.appendix_d.runs",
    "ptum.checks.appendix_d.model_errors",
    "ptum.checks.appendix_d.within_task",
    "ptum.checks.appendix_e.parameters",
    "ptum.checks.appendix_e.runs",
    "ptum.checks.appendix_e.learning",
    "ptum.checks.appendix_e.outcomes",
    "ptum.checks.appendix_e.grid_panels",
    "ptum.checks.appendix_e.sequence_panels",
    "ptum.checks.appendix_e.error_panel",
    "ptum.checks.appendix_e.baseline_panels",
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
    to, in place of an outcome (`ptum.checks.candidates.PlannedError`).
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
    """In the order of the ledger, and for one part as printed, as run, repaired."""
    places = {part.id: place for place, (_, part) in enumerate(ledger.parts())}
    order = list(Version)
    return sorted(checks, key=lambda check: (places[check.part], order.index(check.version)))
