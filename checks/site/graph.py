"""The claims and what rests on what: as dot or mermaid, and as a picture whose nodes are links."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from ptum.spec.ledger import CLAIMS, rests_on
from ptum.spec.records import Claim
from ptum.spec.vocabulary import Kind, Status

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
BESIDE = (Kind.TEXT, Kind.EQUATION, Kind.FIGURE)
"""Kinds that the picture of numbered items leaves out, even those with a number."""
WIDTH, HEIGHT, ACROSS, DOWN = 104, 24, 150, 34
"""Size of a node, and from one to the next."""


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


Needs = Mapping[str, Sequence[str]]


def everything() -> Needs:
    """What each claim needs, without claims that neither need nor are needed."""
    needs = {claim.id: rests_on(claim) for claim in CLAIMS}
    used = {need for found in needs.values() for need in found}
    return {name: found for name, found in needs.items() if found or name in used}


def numbered() -> Needs:
    """Numbered items alone; what one needs through a sentence or an equation it needs itself."""
    kept = {claim.id for claim in CLAIMS if claim.number is not None and claim.kind not in BESIDE}
    every = {claim.id: rests_on(claim) for claim in CLAIMS}

    def behind(name: str, seen: frozenset[str]) -> Iterable[str]:
        for need in every[name]:
            if need in kept:
                yield need
            elif need not in seen:
                yield from behind(need, seen | {need})

    return {name: tuple(dict.fromkeys(behind(name, frozenset()))) for name in every if name in kept}


def columns(needs: Needs) -> list[list[str]]:
    """Every node to the right of all that it needs, near the middle of its neighbours."""
    depth: dict[str, int] = {}

    def deep(name: str) -> int:
        if name not in depth:  # the ledger has no circles
            depth[name] = max((1 + deep(need) for need in needs[name]), default=0)
        return depth[name]

    for name in needs:
        deep(name)
    laid = [[name for name in needs if depth[name] == d] for d in range(max(depth.values()) + 1)]
    neighbours: dict[str, list[str]] = {name: list(found) for name, found in needs.items()}
    for name, found in needs.items():
        for need in found:
            neighbours[need].append(name)
    for _ in range(12):
        place = {name: (i + 0.5) / len(of) for of in laid for i, name in enumerate(of)}

        def middle(name: str, place: Mapping[str, float] = place) -> float:
            near = [place[other] for other in neighbours[name]]
            return sum(near) / len(near) if near else place[name]

        laid = [sorted(of, key=middle) for of in laid]
    return laid


def picture(needs: Needs, addresses: Mapping[str, str], root: str, label: str) -> str:
    """An SVG picture: nodes are links, coloured by the gravest status."""
    laid = columns(needs)
    height = DOWN * max(map(len, laid))
    place = {
        name: (20 + ACROSS * c, 10 + (i + 0.5) * height / len(of))
        for c, of in enumerate(laid)
        for i, name in enumerate(of)
    }
    status = {claim.id: worst_status(claim) for claim in CLAIMS}
    title = {claim.id: claim.title for claim in CLAIMS}
    marks = [
        _edge(need, name, place) for name, found in needs.items() for need in found if need != name
    ]
    for name, (x, y) in place.items():
        marks.append(
            f'<a href="{root}{addresses[name]}" class="node {status[name]}" data-id="{name}">'
            f"<title>{escape(f'{name}: {title[name]} ({status[name]})')}</title>"
            f'<rect x="{x}" y="{y - HEIGHT / 2:.1f}" width="{WIDTH + 16}" height="{HEIGHT}" '
            f'rx="5"/><text x="{x + (WIDTH + 16) / 2}" y="{y + 4:.1f}">{_short(name)}</text></a>'
        )
    width = ACROSS * len(laid) + 20
    return (
        f'<svg class="graph" role="group" aria-label="{escape(label)}" '
        f'viewBox="0 0 {width} {height + 20}" width="{width}">{"".join(marks)}</svg>'
    )


def _edge(need: str, name: str, place: Mapping[str, tuple[float, float]]) -> str:
    (x0, y0), (x1, y1) = place[need], place[name]
    x0 += WIDTH + 16
    bend = (x1 - x0) / 2
    path = f"M{x0} {y0:.1f}C{x0 + bend:.0f} {y0:.1f} {x1 - bend:.0f} {y1:.1f} {x1} {y1:.1f}"
    return f'<path class="edge" data-from="{need}" data-to="{name}" d="{path}"/>'


def _short(name: str) -> str:
    plain = name.removeprefix("text-")
    return plain if len(plain) <= 19 else f"{plain[:18]}…"
