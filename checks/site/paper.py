"""The corrected paper: every numbered statement as printed and repaired, on one page to print."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from ptum.checks.site.items import ROOT, repaired_formulas
from ptum.checks.site.prose import columns, title_of
from ptum.spec import ledger
from ptum.spec.ledger import CLAIMS
from ptum.spec.pseudocode import ALGORITHM_1, ALGORITHM_2, ALGORITHM_3, Line
from ptum.spec.records import Claim, Part
from ptum.spec.vocabulary import Kind, Status

SETTING = (
    "text-task",
    "text-mean-reward",
    "text-value-function",
    "text-optimal-policy",
    "text-epsilon-optimal",
    "text-variances",
    "text-model-gaps",
    "text-task-chain",
    "text-generative-model",
)
"""What the statements speak of, in the order of Section 2."""
SECTIONS = {
    "Section 3": "Policy transfer from uncertain models",
    "Section 4": "Sequential transfer",
    "Appendix B": "Proofs of Section 3",
    "Appendix C": "Learning the hidden Markov model",
    "Appendix D": "Proofs of Section 4",
}
LINES: Mapping[str, Sequence[Line]] = {
    "algorithm-1": ALGORITHM_1,
    "algorithm-2": ALGORITHM_2,
    "algorithm-3": ALGORITHM_3,
}
PROOFS = ("repaired_transfer", "repaired_sequential", "sequential_limits", "open_questions")
WHOLE = {"theorem-1": "repaired_transfer", "theorem-2": "repaired_sequential"}
"""The page of proofs that begins with a statement, corrected as a whole."""
WITHIN = {"corollary-1": "theorem-1", "theorem-3": "theorem-2"}
"""Statements that are corrected together with another one."""
PROVABLE = (Kind.THEOREM, Kind.LEMMA, Kind.COROLLARY, Kind.EQUATION)
RIGHT = (Status.HOLDS, Status.DEFINITION, Status.IMPORTED)
COLUMN = 44
"""Columns of a formula that half a sheet has room for."""
STEP = re.compile(r"^\| ([^|]+) \| ([^|]*) \|([^|]*)\|$", re.MULTILINE)


@dataclass(frozen=True)
class ProofSteps:
    """The steps of a page of proofs that speak of a claim."""

    page: str
    title: str
    steps: tuple[str, ...]


@dataclass(frozen=True)
class PaperStatement:
    """One numbered item: what it says, what it should say, why, and where that is proved."""

    claim: Claim
    printed: tuple[str, ...]
    repaired: tuple[str, ...]
    lines: tuple[Line, ...]
    proofs: tuple[ProofSteps, ...]

    @property
    def mended(self) -> list[Part]:
        """The parts with a repair."""
        return [part for part in self.claim.parts if part.repair]

    @property
    def wide(self) -> bool:
        """Whether a formula needs the whole width of the paper."""
        names = self.printed + self.repaired
        return any(columns(name) > COLUMN for name in names)

    @property
    def single(self) -> bool:
        """Whether its one part is the statement itself."""
        return len(self.claim.parts) == 1

    @property
    def beside(self) -> bool:
        """Whether something repaired stands beside the statement as a whole."""
        return bool(self.repaired or (self.single and self.mended))

    @property
    def whole(self) -> str | None:
        """The page that begins with the statement, corrected as a whole."""
        return WHOLE.get(self.claim.id)

    @property
    def within(self) -> str | None:
        """The statement that it is corrected with."""
        return WITHIN.get(self.claim.id)

    @property
    def proved(self) -> str:
        """What a page of proofs does with it: a definition or an assumption has no proof."""
        return "Proof" if self.claim.kind in PROVABLE else "Used in"

    @property
    def told(self) -> list[Part]:
        """The parts that are wrong or have a repair."""
        return [part for part in self.claim.parts if part in self.wrong or part.repair]

    @property
    def wrong(self) -> list[Part]:
        """The parts that are not right as printed."""
        return [part for part in self.claim.parts if part.status not in RIGHT]


def sections() -> list[tuple[str, list[PaperStatement]]]:
    """The numbered statements by section, after the setting."""
    setting = [_statement(ledger.claim(name)) for name in SETTING]
    numbered = [
        (f"{section}: {title}", [_statement(claim) for claim in CLAIMS if _in(claim, section)])
        for section, title in SECTIONS.items()
    ]
    return [("Section 2: Setting", setting), *numbered]


def _in(claim: Claim, section: str) -> bool:
    numbered = claim.number is not None and claim.kind is not Kind.FIGURE
    return numbered and claim.section.startswith(section)


def _statement(claim: Claim) -> PaperStatement:
    repaired = tuple(repaired_formulas(claim))
    return PaperStatement(
        claim,
        tuple(name for name in claim.formulas if name not in repaired),
        repaired,
        tuple(line for line in LINES.get(claim.id, ()) if not line.idle),
        tuple(_proofs(claim)),
    )


def _proofs(claim: Claim) -> list[ProofSteps]:
    found = []
    for page in PROOFS:
        title, rows = steps(page)
        named = [step for step, checks in rows if any(_of(check, claim) for check in checks)]
        if named:
            found.append(ProofSteps(page, title, tuple(dict.fromkeys(named))))
    return found


def _of(check: str, claim: Claim) -> bool:
    return check.partition(".")[0] == claim.id


@cache
def steps(page: str) -> tuple[str, list[tuple[str, list[str]]]]:
    """The title of a page of proofs, and each step of its last table with the checks beside it."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    table = text.rpartition("| --- | --- | --- |")[2]
    rows = [
        (_name(row[1]), re.findall(r"`([^`]+/[^`]+)`", row[2] + row[3]))
        for row in STEP.finditer(table)
    ]
    return title_of(text), rows


def box(page: str) -> str:
    """The box that a page of proofs begins with, as Markdown without its marks."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    lines = re.findall(r"^> (.*)$", text.partition("\n\n#")[0], re.MULTILINE)
    return "\n".join(lines).removeprefix("**In five lines.** ")


def _name(step: str) -> str:
    """`3`, `(a)` or `the cheapest repair`: what stands before the first comma or bracket."""
    found = re.match(r"\(\w\)|[^,(:$]+", step)
    return found[0].strip() if found else step
