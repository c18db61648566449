"""The card: the four claims that readers ask for first, and what stands behind each of them.

Statuses and errata come from the ledger, exact probabilities from docs/exact_runs.json, what random
trials see from the plans of the checks. `checks.site.docs` writes it into README and docs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ptum.checks.claims import registry
from ptum.checks.claims.section_3_exact import summary
from ptum.checks.suite import power
from ptum.checks.text.markdown import linked, markdown_table
from ptum.checks.verdicts.check import Profile
from ptum.spec import ledger
from ptum.spec.errata import ERRATA
from ptum.spec.records import Part
from ptum.spec.vocabulary import Rank, Version


@dataclass(frozen=True)
class Question:
    """One claim: the part of the ledger that states it, and the check that samples its repair."""

    claim: str
    part: str
    sampled: str
    promise: str | None = None


QUESTIONS = (
    Question(
        "the target is never eliminated, with probability 1-δ",
        "lemma-3.coverage",
        "lemma-3.coverage/repaired",
        "the target is never eliminated",
    ),
    Question(
        "the returned policy is ε-optimal, with probability 1-δ",
        "theorem-1.correct",
        "theorem-1.correct/repaired-named",
        "the returned policy is ε-optimal",
    ),
    Question(
        "queries are within Theorem 1's bound, with probability 1-δ",
        "theorem-1.bound",
        "theorem-1.bound/repaired-named",
        "queries within Theorem 1's bound",
    ),
    Question(
        "errors of estimated models fall like 1/√h", "text-rate.rate", "text-rate.rate/ergodic"
    ),
)


def card(folder: str = "") -> str:
    """The table; `folder` leads from the page to docs/."""
    header = (
        "claim",
        "as printed",
        "repaired",
        "exactly, on small problems",
        "sampled: failures seen with power 0.9",
        "command",
    )
    return markdown_table(header, [_row(question, folder) for question in QUESTIONS])


def _row(question: Question, folder: str) -> tuple[str, ...]:
    _, part = ledger.part(question.part)
    return (
        question.claim,
        linked(printed(part), folder),
        repaired(part),
        exact(question),
        sampled(question),
        f"`ptum verify --part {question.part} --profile standard`",
    )


def printed(part: Part) -> str:
    """Its status, or those of its readings, with the errata that say why, the major ones if any."""
    found = [part.status.value] if not part.readings else [r.status.value for r in part.readings]
    errata = part.repair.errata if part.repair else ()
    major = [e.id for e in ERRATA if e.id in errata and e.rank is Rank.MAJOR]
    why = ", ".join(major or errata)
    words = " or ".join(dict.fromkeys(found))
    read = " (by reading)" if len(set(found)) > 1 else ""
    return f"{words}{read}: {why}" if why else words + read


def repaired(part: Part) -> str:
    """What the checks of the repair are expected to say."""
    if part.repair is None:
        return "no repair is needed"
    kinds = [registry()[name].version for name in part.repair.checks]
    if set(kinds) != {Version.REPAIRED}:
        raise ValueError(f"{part.id} has checks of another version among those of its repair")
    return f"holds ({len(kinds)} check{'s' if len(kinds) > 1 else ''})"


def exact(question: Question) -> str:
    """The largest probability of the opposite, over the problems that meet the premises."""
    if question.promise is None:
        return "none: a rate has no last h"
    (row,) = (
        row
        for row in summary.card()
        if row.promise == question.promise and row.version == Version.REPAIRED.value
    )
    return f"{row.problems} problems, P(not) {_at_most(row.largest)}"


def _at_most(probability: float) -> str:
    """≤ the next larger number of two digits; nobody needs the exponent of 1e-98."""
    if probability < 1e-50:
        return "< 1e-50"
    exponent = math.floor(math.log10(probability))
    digits = math.ceil(probability / 10.0 ** (exponent - 1))
    return f"≤ {digits / 10:.2g}e{exponent}"


def sampled(question: Question) -> str:
    """What the standard profile sees on a named instance, and how rare a bad instance may be."""
    check = registry()[question.sampled]
    (row,) = power.rows(Profile.STANDARD, [check])
    named = "" if row.least is None else f"P(failure) ≥ {row.least:.2f}"
    search = "" if row.rarest is None else f"one bad instance in {math.floor(row.rarest)}"
    seen = "; ".join(word for word in (named, search) if word)
    return f"{seen} (allowed: {power.allowed_of(row.plan)})"
