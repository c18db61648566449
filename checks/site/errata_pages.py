"""The pages about mistakes of the paper: docs/errata.md, docs/remarks.md, the table of README.

Majors come first, group by group, each group with its explanation. Remarks and what was withdrawn
have a page of their own; `checks/text/markdown.page_of` decides which, for every link.
"""

from __future__ import annotations

from collections.abc import Iterator

from ptum.checks.text.markdown import MADE, anchor, linked, markdown_table, page_of, quoted
from ptum.checks.text.markdown import record_link as link
from ptum.spec import ledger
from ptum.spec.errata import ERRATA, GROUPS
from ptum.spec.records import ErrataGroup, Erratum
from ptum.spec.vocabulary import RANK_MEANS, Rank, Standing

PAGE, ASIDE = "errata.md", "remarks.md"

FAIRNESS = f"""\
An erratum states where the words are, the strongest reading that they support in their context, and
why even that fails. `false` is said of nothing else: where that reading is right, the erratum says
so, and is called a slip of the pen, a gap of a proof, an ambiguity or an imprecise phrase.
Errata with one cause share one explanation.

- **major**: {RANK_MEANS[Rank.MAJOR]}.
- **minor**: {RANK_MEANS[Rank.MINOR]}.
- **remark**: {RANK_MEANS[Rank.REMARK]}; remarks have [a page of their own]({ASIDE}).
- **withdrawn**: we were wrong; the erratum keeps its id, [with the reason]({ASIDE}#withdrawn).
"""


HEADINGS = {Rank.MAJOR: "Groups with a major erratum", Rank.MINOR: "Groups of minor errata"}


def errata_page() -> str:
    """docs/errata.md: what the paper gets wrong, majors first, and where every erratum is."""
    pieces = [
        "# Errata\n",
        "What matters most stands on one page, [the letter to the authors](letter.md). "
        "`ptum claims --kind erratum --rank major` lists errata, `ptum show E01` shows one, and "
        "`ptum show E01 --run` evaluates its counterexamples.\n",
        f"## What an erratum must state\n\n{FAIRNESS}",
    ]
    for rank in (Rank.MAJOR, Rank.MINOR):
        pieces.append(f"## {HEADINGS[rank]}\n")
        pieces += [_group(group) for group in groups_of(rank)]
    pieces.append("## All errata by number\n")
    header = ("id", "what", "rank", "severity", "touches", "counterexample")
    pieces.append(markdown_table(header, map(_row, ERRATA)))
    return MADE + "\n".join(pieces)


def remarks_page() -> str:
    """docs/remarks.md: remarks group by group, then what was withdrawn."""
    pieces = [
        "# Remarks\n",
        f"Points of rank *remark*: {RANK_MEANS[Rank.REMARK]}. What matters is in "
        f"[errata]({PAGE}), with the meaning of the ranks; errata that we withdrew stand "
        "[at the end](#withdrawn).\n",
    ]
    pieces += filter(None, map(_remarks, GROUPS))
    pieces.append("## Withdrawn\n")
    pieces += [_section(e, "###") for e in ERRATA if e.withdrawn] or ["None.\n"]
    return MADE + "\n".join(pieces)


def readme_errata() -> str:
    """The groups of majors with the ids of their majors, and how many errata there are beside."""
    rows = []
    for group in groups_of(Rank.MAJOR):
        majors = [e for e in ledger.members(group) if _shown_as(e) == Rank.MAJOR]
        title = f"[{group.title}](docs/{PAGE}#{group.id})"
        rows.append((title, ", ".join(link(e.id, "docs/") for e in majors)))
    count = {word: sum(_shown_as(e) == word for e in ERRATA) for word in (*Rank, *Standing)}
    others = (
        f"beside it [{count[Rank.MINOR]} minor errata](docs/{PAGE}#all-errata-by-number) and "
        f"[{count[Rank.REMARK]} remarks](docs/{ASIDE}); {count[Standing.WITHDRAWN]} "
        f"[withdrawn](docs/{ASIDE}#withdrawn)"
    )
    return markdown_table((f"what is wrong and matters ({others})", "errata"), rows)


def groups_of(rank: Rank) -> list[ErrataGroup]:
    """The groups whose heaviest erratum has this rank."""
    return [group for group in GROUPS if ledger.rank_of(group) is rank]


def _group(group: ErrataGroup) -> str:
    """Title, explanation, the members on this page, and links to those elsewhere."""
    members = ledger.members(group)
    elsewhere = [e for e in members if page_of(e) != PAGE]
    pieces = [f'<a id="{group.id}"></a>\n\n### {group.title}\n\n{linked(group.explanation)}\n']
    if elsewhere:
        listed = "; ".join(f"{link(e.id)} {e.title} ({_shown_as(e)})" for e in elsewhere)
        pieces.append(f"On [the page of remarks]({ASIDE}): {listed}.\n")
    return "\n".join([*pieces, *(_section(e, "####") for e in members if page_of(e) == PAGE)])


def _remarks(group: ErrataGroup) -> str | None:
    """The remarks of a group, below its explanation or a link to it; None if it has none."""
    remarks = [e for e in ledger.members(group) if _shown_as(e) == Rank.REMARK]
    if not remarks:
        return None
    here = ledger.rank_of(group) is Rank.REMARK
    head = f'<a id="{group.id}"></a>\n\n## {group.title}\n\n{linked(group.explanation)}\n'
    there = f"## {group.title}\n\n[The explanation]({PAGE}#{group.id}) is on the page of errata.\n"
    return "\n".join([head if here else there, *(_section(e, "###") for e in remarks)])


def _section(e: Erratum, level: str) -> str:
    """One erratum in full, below a heading that is its id."""
    return f"{level} {e.id}\n\n" + "\n".join(f"{line}\n" for line in _lines(e))


def _lines(e: Erratum) -> Iterator[str]:
    yield f"**{e.title}** ({_weight(e)})"
    if e.withdrawn:
        yield f"**Withdrawn:** {linked(e.withdrawn)} What it said:"
    rows = (
        ("Place", e.place),
        ("Strongest reading", e.reading),
        ("What is wrong", e.wrong),
        ("Where the argument breaks", e.breaks_at),
        (f"Repair ({e.backing})", e.repair),
        ("Cost", e.cost),
        ("What still stands", e.still_stands),
    )
    yield from (f"**{head}:** {linked(text)}" for head, text in rows if text)
    touched = ", ".join(quoted(part) for part in e.touches)
    yield f"**Touches** {touched}; evidence: {e.evidence.value}."
    if _run(e):
        yield f"**Counterexample:** {_run(e)}"


def _row(e: Erratum) -> tuple[str, ...]:
    """A line of the list; ids of the other page keep an anchor here."""
    claims = dict.fromkeys(part.partition(".")[0] for part in e.touches)
    touched = ", ".join(map(quoted, claims))
    mark = f'<a id="{anchor(e.id)}"></a>' if page_of(e) != PAGE else ""
    severity = "" if e.withdrawn else e.severity.value
    return (mark + link(e.id), e.title, _shown_as(e), severity, touched, _run(e))


def _weight(e: Erratum) -> str:
    return e.status.value if e.withdrawn else f"{e.rank.value}, {e.severity.value}"


def _shown_as(e: Erratum) -> str:
    return e.status.value if e.withdrawn else e.rank.value


def _run(e: Erratum) -> str:
    return f"`ptum show {e.id} --run`" if e.counterexamples and not e.withdrawn else ""
