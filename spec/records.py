"""The shapes of the ledger: one frozen record per item of the paper.

A *claim* is an item of the paper (a lemma, an equation, a sentence with a truth value). Truth is
kept per *part* of a claim, because one lemma may say two things of which one is right. A part that
can be read in several ways keeps one *reading* each. A part that is not right as printed keeps its
*repair* beside it; one about an experiment may say what was run, where no algorithm of the paper
prints that. Decisions and errata have records of their own and are named by id.

Formulas and reference functions are named by dotted path (`package.module:NAME`), so that listing
the ledger imports neither sympy nor numpy.
"""

from __future__ import annotations

from dataclasses import dataclass

from ptum.spec.vocabulary import (
    Evidence,
    Kind,
    Proof,
    Rank,
    Relation,
    RepairSupport,
    Severity,
    Standing,
    Status,
)


@dataclass(frozen=True, slots=True)
class Repair:
    """What a part should say instead."""

    says: str
    formulas: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    errata: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AsRun:
    """What the authors' experiments do where a part is about them; no theorem rests on it."""

    says: str
    reference: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand an ambiguous part."""

    id: str
    says: str
    status: Status
    checks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One thing a claim says, with its truth as printed.

    Either `checks` names what tests it, or `unchecked` says why nothing can. An ambiguous part
    has `readings` instead of a truth of its own. `formulas` are those of the claim that a
    definition consists of, or those that a step of a proof has for itself.
    """

    id: str
    says: str
    status: Status
    proof: Proof
    evidence: Evidence
    reason: str
    formulas: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    unchecked: str | None = None
    readings: tuple[Reading, ...] = ()
    as_run: AsRun | None = None
    repair: Repair | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A record that only displays, or is a step of, another one and shares its checks."""

    relation: Relation
    target: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One item of the paper.

    `uses` are results its argument needs, `assumes` the assumptions its statement needs (ids of
    other claims); `number` and `label` are the paper's own, `section` the place as printed.
    """

    id: str
    kind: Kind
    title: str
    section: str
    statement: str
    number: int | None = None
    label: str | None = None
    link: Link | None = None
    uses: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()
    formulas: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """A point that the paper leaves open and every implementer must settle."""

    id: str
    question: str
    place: str
    options: tuple[str, ...]
    choice: str
    why: str
    otherwise: str


@dataclass(frozen=True, slots=True)
class Choice:
    """How a panel is reproduced where a decision leaves it open: `default`, or an alternative.

    Options are short names. Declared before the first full run; what was changed after a look at
    results keeps a line in `history`.
    """

    panel: str
    decision: str
    default: str
    alternatives: tuple[str, ...] = ()
    history: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Erratum:
    """Something the paper gets wrong: where, why, and what to say instead.

    `place` is where the words are (section, line, equation), `reading` the strongest reading that
    they support in their context, `wrong` why even that fails. `group` is the group it belongs to.
    `counterexamples` are the ids of the checks whose instances show it. An erratum of ours that was
    itself wrong keeps its id, and `withdrawn` says why (empty while the erratum stands). `given`
    names what a proof of the repair takes from elsewhere.
    """

    id: str
    title: str
    group: str
    rank: Rank
    touches: tuple[str, ...]
    severity: Severity
    place: str
    reading: str
    wrong: str
    breaks_at: str
    repair: str
    cost: str
    still_stands: str
    support: RepairSupport
    evidence: Evidence
    counterexamples: tuple[str, ...] = ()
    withdrawn: str = ""
    given: str = ""

    @property
    def backing(self) -> str:
        """What stands behind the repair, imports by name."""
        return f"proved given {self.given}" if self.given else self.support.value

    @property
    def status(self) -> Standing:
        """Whether the erratum stands or was withdrawn."""
        return Standing.WITHDRAWN if self.withdrawn else Standing.STANDS


@dataclass(frozen=True, slots=True)
class ErrataGroup:
    """Errata with one cause and one explanation; it is as heavy as its heaviest member."""

    id: str
    title: str
    explanation: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """One line of the notation: the paper's symbol, ours in formulas, ours in code."""

    paper: str
    meaning: str
    name: str
    code: str
    section: str
    latex: str
