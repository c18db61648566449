"""Every word the ledger may use, and what a verification run must answer to each.

Nothing in this project invents a status, a verdict or a kind elsewhere: commands, JSON, docs and
checks all take their words from these enums, so a word cannot exist in one place only.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum


class Kind(StrEnum):
    """What sort of item of the paper a claim records."""

    ALGORITHM = "algorithm"
    DEFINITION = "definition"
    ASSUMPTION = "assumption"
    LEMMA = "lemma"
    THEOREM = "theorem"
    COROLLARY = "corollary"
    EQUATION = "equation"
    FIGURE = "figure"
    TEXT = "text"


class Status(StrEnum):
    """Truth of one part of a claim, exactly as the paper prints it."""

    HOLDS = "holds"
    REFUTED = "refuted"
    VACUOUS = "vacuous"
    UNPROVED = "unproved"
    NOT_REPRODUCED = "not-reproduced"
    AMBIGUOUS = "ambiguous"
    IMPORTED = "imported"
    DEFINITION = "definition"


class Proof(StrEnum):
    """State of the paper's own argument for a part."""

    COMPLETE = "complete"
    GAP = "gap"
    WRONG = "wrong"
    IMPORTED = "imported"
    NONE = "none"


class Evidence(StrEnum):
    """What our status of a part rests on, weaker first.

    `derived`: our own argument, written down; `checked`: a check of this project has been seen to
    give the verdict.
    """

    DERIVED = "derived"
    CHECKED = "checked"


class Verdict(StrEnum):
    """What a check may answer."""

    HOLDS = "holds"
    VIOLATED = "violated"
    INCONCLUSIVE = "inconclusive"
    ASSUMPTION_NOT_MET = "assumption-not-met"
    SKIPPED = "skipped"
    ERRORED = "errored"
    NOT_IMPLEMENTED = "not-implemented"


class Version(StrEnum):
    """What a check looks at: the paper's wording, what its authors ran, or the repaired wording.

    `as-run` is what Section 6 and Appendix E say of the experiments beside what the paper prints
    for algorithms and theorems. Such a check states what the experiment does; no theorem and no
    erratum rests on it.
    """

    PRINTED = "printed"
    AS_RUN = "as-run"
    REPAIRED = "repaired"


class CheckKind(StrEnum):
    """How a check reaches its verdict, and so how it can be wrong."""

    SYMBOLIC = "symbolic"
    EXACT = "exact"
    INEQUALITY = "inequality"
    PROBABILITY = "probability"
    ASYMPTOTIC = "asymptotic"
    NOTHING = "nothing"


class Relation(StrEnum):
    """How one record hangs on another when it has no truth of its own."""

    DISPLAY_OF = "display-of"
    STEP_OF = "step-of"


class Severity(StrEnum):
    """What is wrong, worst first. `false` is kept for what fails in its strongest reading."""

    FALSE = "false"
    VACUOUS = "vacuous"
    MISSING_ASSUMPTION = "missing assumption"
    PROOF_GAP = "proof gap"
    CONSTANT = "constant"
    UNSUPPORTED = "unsupported comparison"
    AMBIGUOUS = "ambiguous"
    IMPRECISE = "imprecise"
    TYPO = "slip of the pen"


class Rank(StrEnum):
    """How much an erratum matters, most first; `RANK_MEANS` says what each word means."""

    MAJOR = "major"
    MINOR = "minor"
    REMARK = "remark"


class Standing(StrEnum):
    """Whether we still hold an erratum to be right."""

    STANDS = "stands"
    WITHDRAWN = "withdrawn"


class RepairSupport(StrEnum):
    """What stands behind a repair."""

    PROVED = "proved"
    PROVED_GIVEN_IMPORT = "proved given an import"
    TESTED = "tested"
    NO_PROOF_INVOLVED = "no proof involved"


EXPECTED_AS_PRINTED: Mapping[Status, frozenset[Verdict]] = {
    Status.HOLDS: frozenset({Verdict.HOLDS}),
    Status.VACUOUS: frozenset({Verdict.HOLDS}),
    Status.DEFINITION: frozenset({Verdict.HOLDS}),
    Status.REFUTED: frozenset({Verdict.VIOLATED}),
    Status.UNPROVED: frozenset({Verdict.HOLDS, Verdict.INCONCLUSIVE}),
    Status.NOT_REPRODUCED: frozenset({Verdict.HOLDS, Verdict.INCONCLUSIVE}),
    Status.IMPORTED: frozenset({Verdict.SKIPPED}),
}
"""Verdicts that agree with the ledger. `ambiguous` is absent: such a part is judged per reading."""

STATUS_MEANS: Mapping[Status, str] = {
    Status.HOLDS: "true as printed",
    Status.VACUOUS: "true, but empty where it counts: an infinite bound, or a rule never applied",
    Status.DEFINITION: "fixes a meaning; what is checked is that formula and code agree with it",
    Status.REFUTED: "false as printed: an instance meets the premises and fails the conclusion",
    Status.UNPROVED: "neither proved nor refuted here; its check may be undecided",
    Status.NOT_REPRODUCED: (
        "unproved, and contradicted by our runs of the experiment under our choices; no erratum"
    ),
    Status.AMBIGUOUS: "has several readings, each with a status of its own",
    Status.IMPORTED: "a result of another paper, taken over without a proof",
}
"""What each status says about a part."""

RANK_MEANS: Mapping[Rank, str] = {
    Rank.MAJOR: "a theorem, a lemma, the promise of an algorithm or an assumption is false, empty "
    "or insufficient",
    Rank.MINOR: "the text needs mending, but no main result falls with it",
    Rank.REMARK: "a reader of the paper loses nothing by not knowing it",
}
"""What each rank says about an erratum."""

EXPECTED_OF_REPAIR: frozenset[Verdict] = frozenset({Verdict.HOLDS})
"""A repaired part must hold, whatever became of the printed one."""

EXPECTED_AS_RUN: frozenset[Verdict] = frozenset({Verdict.HOLDS})
"""What is said of an experiment must be what it does, whatever the paper claims of it."""

VERSION_MEANS: Mapping[Version, str] = {
    Version.PRINTED: "as the paper has it",
    Version.AS_RUN: "what the authors' experiments do beside that",
    Version.REPAIRED: "what the paper should have",
}
"""What each version of a check looks at."""


def expected_verdicts(status: Status, version: Version) -> frozenset[Verdict]:
    """The verdicts that agree with the ledger for one part, reading, repair, or what was run."""
    if version is Version.REPAIRED:
        return EXPECTED_OF_REPAIR
    if version is Version.AS_RUN:
        return EXPECTED_AS_RUN
    if status is Status.AMBIGUOUS:
        raise ValueError("an ambiguous part has no verdict of its own: ask for one of its readings")
    return EXPECTED_AS_PRINTED[status]
