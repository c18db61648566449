"""The claims and what rests on what, as dot or mermaid."""

from __future__ import annotations

from ptum.spec.ledger import CLAIMS, rests_on
from ptum.spec.records import Claim
from ptum.spec.vocabulary import Status

WORST_FIRST = (
    Status.REFUTED,
    Status.VACUOUS,
    Status.AMBIGUOUS,
    Status.NOT_REPRODUCED,
    Status.UNPROVED,
    Status.IMPORTED,
    Status.HOLDS,
    Status.DEFINITION,
)
COLOURS = {
    Status.REFUTED: "#f4b6b6",
    Status.VACUOUS: "#f7d9b0",
    Status.AMBIGUOUS: "#f7f0b0",
    Status.NOT_REPRODUCED: "#ecd9ec",
    Status.UNPROVED: "#e6e6e6",
    Status.IMPORTED: "#d5d5f5",
    Status.HOLDS: "#c3e6c3",
    Status.DEFINITION: "#ffffff",
}


def worst_status(claim: Claim) -> Status:
    """The gravest status among the parts; a record without parts counts as a definition."""
    statuses = {part.status for part in claim.parts}
    return next((s for s in WORST_FIRST if s in statuses), Status.DEFINITION)


def as_dot() -> str:
    """Graphviz: an arrow from what is needed to what needs it."""
    lines = ["digraph claims {", "  rankdir=LR;", "  node [shape=box, style=filled];"]
    for claim in CLAIMS:
        status = worst_status(claim)
        lines.append(f'  "{claim.id}" [fillcolor="{COLOURS[status]}", tooltip="{status}"];')
    lines += [f'  "{need}" -> "{claim.id}";' for claim in CLAIMS for need in rests_on(claim)]
    return "\n".join([*lines, "}"])


def as_mermaid() -> str:
    """Mermaid, for Markdown pages."""
    lines = ["graph LR"]
    for claim in CLAIMS:
        lines.append(f"  {claim.id}:::{worst_status(claim)}")
    lines += [f"  {need} --> {claim.id}" for claim in CLAIMS for need in rests_on(claim)]
    lines += [f"  classDef {status} fill:{colour}" for status, colour in COLOURS.items()]
    return "\n".join(lines)
