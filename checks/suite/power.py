"""What each check with random trials is able to see, computed from what it is about to do.

Nothing is run: a check in a `planning` context says how many trials it would make, at which level,
and how much its search would do (`ptum.checks.verdicts.probability_search.Plan`). The rest is exact
binomial arithmetic. Of a search it is assumed that instances are drawn independently and that
those which do not fail nearly always never do. Hypothesis does not quite draw so: tests simulate
that the families of the goals are seen all the same, rarer ones may be seen less often.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from ptum.checks.claims import registry
from ptum.checks.text.markdown import markdown_table
from ptum.checks.verdicts.check import Check, Context, Profile
from ptum.checks.verdicts.probability_search import Design, Plan, PlannedError, Search
from ptum.checks.verdicts.statistics import judge_probability
from ptum.spec.vocabulary import Verdict

POWER = 0.9
OFTEN = 0.9
"""How often a bad instance of a family fails."""
RARITY = {Profile.QUICK: 4, Profile.STANDARD: 20, Profile.DEEP: 20}
"""One instance in so many is bad in the families that every search must see."""


def plan_of(check: Check, profile: Profile) -> Plan | None:
    """What the check would do in a profile; None where it rests on no random trials."""
    if check.alpha == 0:
        return None
    try:
        check.run(Context(profile, 0, planning=True))
    except PlannedError as found:
        return found.plan
    return None


def undecided(check: Check, profile: Profile) -> str | None:
    """Why a check cannot decide in a profile, or None if it can."""
    plan = plan_of(check, profile)
    if plan is None or plan.named is None or plan.named.decides:
        return None
    design = plan.named
    return (
        f"not run in {profile}: whatever is seen in {design.trials} of these trials, it decides "
        f"nothing about P(failure) ≤ {design.allowed} at level {design.alpha:g}"
    )


@cache
def fewest(design: Design) -> int:
    """The least number of failures that is `violated`; one more than the trials if there is none.

    Every larger number is `violated` too.
    """
    trials, allowed, alpha = design.trials, design.allowed, design.alpha

    def shown(count: int) -> bool:
        return judge_probability(count, trials, allowed, alpha) is Verdict.VIOLATED

    return bisect_left(range(trials + 1), True, key=shown)


def seen_with(design: Design, probability: float) -> float:
    """P(`violated`) on an instance that fails with this probability; at δ, the false alarm."""
    from scipy.special import bdtrc  # here: it takes long to load

    return float(bdtrc(fewest(design) - 1, design.trials, probability))


@cache
def detectable(design: Design, power: float = POWER) -> float:
    """The least P(failure), in hundredths, that is `violated` on one instance with that power."""
    hundredths = (number / 100 for number in range(101))
    return next((p for p in hundredths if seen_with(design, p) >= power), math.inf)


def goal(profile: Profile, allowed: float) -> float:
    """The P(failure) on a named instance that a profile must see: (1+δ)/2, from standard on 2δ."""
    half_way = (1 + allowed) / 2
    return half_way if profile is Profile.QUICK else min(2 * allowed, half_way)


def rarity(search: Search, power: float = POWER) -> float:
    """One instance in how many may be bad for the search to see the family with that power.

    The worst of N drawn instances is a bad one if one of them is bad and fails in its pilots; the
    test of it must then be `violated`.
    """
    confirmed = seen_with(search.test, OFTEN)
    if confirmed < power:
        return 0.0
    missed = (1 - power / confirmed) ** (1 / search.effort.instances)
    share = (1 - missed) / (1 - (1 - OFTEN) ** search.effort.pilots)
    return 1 / share if share <= 1 else 0.0


@dataclass(frozen=True)
class PowerRow:
    """What one check sees in one profile."""

    check: Check
    profile: Profile
    plan: Plan

    @property
    def least(self) -> float | None:
        """The least failure probability of a named instance that is seen."""
        return None if self.plan.named is None else detectable(self.plan.named)

    @property
    def false_alarm(self) -> float | None:
        """P(`violated`) on one named instance whose P(failure) is δ."""
        named = self.plan.named
        return None if named is None else seen_with(named, named.allowed)

    @property
    def rarest(self) -> float | None:
        """One instance in how many may be bad."""
        return None if self.plan.search is None else rarity(self.plan.search)

    @property
    def missing(self) -> tuple[str, ...]:
        """Which goals are not reached."""
        found = []
        named, search = self.plan.named, self.plan.search
        if named is not None and seen_with(named, goal(self.profile, named.allowed)) < POWER:
            found.append(f"P(failure) = {goal(self.profile, named.allowed):g}")
        if search is not None and rarity(search) < RARITY[self.profile]:
            found.append(f"one instance in {RARITY[self.profile]}")
        return tuple(found)


def rows(profile: Profile, checks: Iterable[Check] | None = None) -> Iterator[PowerRow]:
    """Those of the checks, by default of all of them, that rest on random trials."""
    for check in registry().values() if checks is None else checks:
        plan = plan_of(check, profile)
        if plan is not None:
            yield PowerRow(check, profile, plan)


def in_words(row: PowerRow) -> str:
    """What is seen on a named instance and by the search, as a cell of a table."""
    if undecided(row.check, row.profile):
        return "not run"
    named = () if row.least is None else (f"{row.least:.2f}",)
    search = () if row.rarest is None else (f"1 in {math.floor(row.rarest)}",)
    return ", ".join((*named, *search)) or "-"


def allowed_of(plan: Plan) -> str:
    """δ, where the check has one."""
    designs = [plan.named, None if plan.search is None else plan.search.test]
    return next((f"{design.allowed:g}" for design in designs if design is not None), "-")


def power_table() -> str:
    """What every profile sees, as Markdown."""
    by_profile = [list(rows(profile)) for profile in Profile]
    return markdown_table(
        ("check", "δ", *Profile),
        (
            (f"`{of[0].check.id}`", allowed_of(of[0].plan), *map(in_words, of))
            for of in zip(*by_profile, strict=True)
        ),
    )


def missing_table() -> str:
    """What cannot be had, with the reason, as Markdown."""
    short = [
        row for profile in Profile for row in rows(profile) if row.missing or row.least is None
    ]
    reasons = {row.check.id: row.plan.reason for row in short if row.plan.reason}
    by_reason = {
        reason: [check for check, own in reasons.items() if own == reason]
        for reason in dict.fromkeys(reasons.values())
    }
    return markdown_table(
        ("checks", "why they see less"),
        ((", ".join(f"`{check}`" for check in of), reason) for reason, of in by_reason.items()),
    )
