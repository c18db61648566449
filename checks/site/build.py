"""The site: every page in memory, then written into a folder.

Nothing is fetched and nothing is run: pages come from the ledger, from docs/ and from the reports
that are given. Addresses are relative, so that it opens from disk.
"""

from __future__ import annotations

import io
import json
import keyword
import tokenize
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from importlib.metadata import version
from itertools import accumulate
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ptum.checks.claims import registry
from ptum.checks.judge.capabilities import capabilities
from ptum.checks.judge.results.report import Validation
from ptum.checks.reproduce import page as reproduction_page
from ptum.checks.reproduce.results import PanelJson, said
from ptum.checks.site import drawings, graph, items, paper, prose
from ptum.checks.site.card import card
from ptum.checks.suite.report import Report
from ptum.spec import ledger, vocabulary
from ptum.spec.decisions import DECISIONS
from ptum.spec.errata import GROUPS
from ptum.spec.ledger import CLAIMS
from ptum.spec.vocabulary import CheckKind, Kind, Rank

HERE = Path(__file__).parent / "templates"
DOCS = items.ROOT / "docs"
MARK = "ptum-site.json"
"""A file that says that the folder is ours, and which files are in it."""
PLAIN = ("index", "implement", "verify", "read", "items", "errata", "decisions", "formulas")
"""Pages that need nothing but what all templates know."""
ELSEWHERE = ("errata", "remarks")
"""Pages of docs/ that the site has in a form of its own."""


@dataclass(frozen=True)
class Seen:
    """What runs saw, to be shown beside what the ledger expects; pictures by panel."""

    verification: Report | None = None
    validation: Validation | None = None
    panels: Mapping[str, tuple[PanelJson, bytes]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.verification or self.validation or self.panels)


def pages(seen: Seen | None = None) -> dict[str, bytes]:
    """Every file of the site by its path."""
    site = Site(seen or Seen())
    for name in PLAIN:
        site.page(f"{name}.html", f"{name}.html")
    site.page("graph.html", "graph.html", small=graph.numbered(), large=graph.everything())
    panels = [found for found, _ in site.panels().values()]
    site.page(
        "paper.html",
        "paper.html",
        sections=paper.sections(),
        right=paper.RIGHT,
        whole=_safe(lambda page: prose.markdown(paper.box(page), "")),
        panels=panels,
    )
    site.page("figures.html", "figures.html", panels=panels)
    if site.seen:
        site.page("run.html", "run.html")
    for claim in CLAIMS:
        site.page(f"item/{claim.id}.html", "item.html", claim=claim)
    for erratum in ledger.errata_by_weight():
        site.page(f"item/{erratum.id}.html", "erratum.html", erratum=erratum)
    site.documents()
    site.sources()
    site.assets()
    return site.files


class Site:
    """Pages that were made so far, and what templates know."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.files: dict[str, bytes] = {}
        self.titles = {
            path.stem: prose.title_of(path.read_text(encoding="utf-8"))
            for path in sorted(DOCS.glob("*.md"))
            if path.stem not in ELSEWHERE
        }
        self.templates = Environment(
            loader=FileSystemLoader(HERE),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.templates.globals.update(self._known())

    def _known(self) -> dict[str, object]:
        return {
            "seen": self.seen,
            "titles": self.titles,
            "version": version("ptum"),
            "claims": CLAIMS,
            "decisions": DECISIONS,
            "groups": GROUPS,
            "registry": registry(),
            "capabilities": capabilities(),
            "ledger": ledger,
            "items": items,
            "words": vocabulary,
            "Kind": Kind,
            "Rank": Rank,
            "CheckKind": CheckKind,
            "counts": items.counts(),
            "statuses": graph.WORST_FIRST,
            "known_pages": DOCUMENTS,
            "formula": _safe(prose.formula),
            "letters": _safe(prose.letters),
            "unbroken": _safe(prose.unbroken),
            "formula_title": prose.formula_title,
            "findings": reproduction_page.of_part,
            "said": said,
            "marker": Markup(drawings.MARKER),
            "highlight": highlighted,
        }

    def page(self, path: str, template: str, **facts: object) -> None:
        """A page from a template."""
        root = "../" * path.count("/")
        made = self.templates.get_template(template).render(
            **facts,
            path=path,
            root=root,
            prose=_safe(lambda text: prose.linked(text, root)),
            link=_safe(lambda identity: prose.link(identity, root)),
            address=lambda identity: root + prose.address(identity),
            code_link=lambda code: f"{root}source/{code.page}#L-{code.line}",
            picture=_safe(
                lambda needs, label: graph.picture(needs, prose.addresses(), root, label)
            ),
            table=_safe(lambda: prose.markdown(card(), root)),
        )
        self.files[path] = made.encode()

    def documents(self) -> None:
        """The pages of docs/, and their pictures."""
        for name, title in self.titles.items():
            text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
            if name == "reproduction" and self.seen.panels:
                text = reproduction_page.page([found for found, _ in self.panels().values()])
            body = Markup(prose.markdown(text, "../"))
            self.page(f"docs/{name}.html", "document.html", title=title, body=body)
        for picture in (*DOCS.glob("*.svg"), *DOCS.glob("reproduction/*.svg")):
            self.files[f"docs/{picture.relative_to(DOCS).as_posix()}"] = picture.read_bytes()
        for name, (_, drawn) in self.seen.panels.items():
            self.files[f"docs/reproduction/{name}.svg"] = drawn

    def panels(self) -> dict[str, tuple[PanelJson, bytes]]:
        kept = {document.panel: (document, b"") for document in reproduction_page.documents()}
        return {**kept, **self.seen.panels}

    def sources(self) -> None:
        """The modules of reference/, with a mark at every line."""
        for file in sorted((items.ROOT / "reference").rglob("*.py")):
            name = file.relative_to(items.ROOT).as_posix()
            code = highlighted(file.read_text(encoding="utf-8"), anchors=True)
            where = f"source/{name.removesuffix('.py')}.html"
            self.page(where, "source.html", title=name, code=code)

    def assets(self) -> None:
        """Style and script."""
        for name in ("site.css", "site.js"):
            self.files[name] = (HERE / name).read_bytes()


DOCUMENTS: Mapping[str, tuple[str, ...]] = {
    "The repaired theory": (
        "repaired_transfer",
        "repaired_sequential",
        "sequential_limits",
        "open_questions",
        "fallback",
    ),
    "Results": ("reproduction", "looseness", "attempts", "letter"),
    "Beside the paper": ("lines", "notation"),
    "Using it": ("use", "protocol", "commands", "families", "policy"),
    "Why believe it": ("verdicts", "kernel", "mutants", "architecture"),
}
"""The pages of docs/ by what one reads them for; the rest is listed at the end."""


def _safe(make: Callable[..., str]) -> Callable[..., Markup]:
    """The result is HTML that need not be escaped."""

    def made(*arguments: object) -> Markup:
        return Markup(make(*arguments))

    return made


def highlighted(text: str, *, anchors: bool = False) -> Markup:
    """Python with colours; with anchors every line can be linked to, as #L-12."""
    rows = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
    pieces, done = [], 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if kind := _colour(token):
            first, last = (rows[row - 1] + column for row, column in (token.start, token.end))
            coloured = f'<span class="{kind}">{escape(text[first:last], quote=False)}</span>'
            pieces += [escape(text[done:first], quote=False), coloured]
            done = last
    code = "".join(pieces) + escape(text[done:], quote=False)
    if anchors:
        mark = '<a id="L-{0}" href="#L-{0}" class="linenos">{0:>4}</a> {1}'
        code = "\n".join(mark.format(*line) for line in enumerate(code.split("\n"), start=1))
    return Markup(f'<div class="code"><pre>{code}</pre></div>')


def _colour(token: tokenize.TokenInfo) -> str:
    """The class of a word of Python; most have none."""
    name = tokenize.tok_name[token.type]
    if "STRING" in name:  # the pieces of one with values in it, from Python 3.12 on
        return "string"
    if name == "NAME":
        return "keyword" if keyword.iskeyword(token.string) else ""
    return name.lower() if name in ("COMMENT", "NUMBER") else ""


class NotOursError(ValueError):
    """A folder that holds something else than a site."""


def require_ours(folder: Path) -> None:
    """Refuse a folder that holds something else than a site."""
    if (folder / MARK).exists() or not folder.exists():
        return
    if not folder.is_dir():
        raise NotOursError(f"{folder} is a file: name a folder")
    if any(folder.iterdir()):
        raise NotOursError(f"{folder} is not empty and holds no site: name a new folder")


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files; a site that is there already is replaced, anything else is left alone."""
    require_ours(folder)
    mark, home = folder / MARK, folder.resolve()
    if mark.exists():
        for name in json.loads(mark.read_text(encoding="utf-8"))["files"]:
            if (home / name).resolve().is_relative_to(home):
                (home / name).unlink(missing_ok=True)
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    mark.write_text(json.dumps({"files": sorted(files)}, indent=0) + "\n", encoding="utf-8")
