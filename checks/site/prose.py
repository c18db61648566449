"""Text of the ledger and Markdown pages as HTML: ids become links, formulas become MathML.

Addresses are relative to the folder of the site, `root` leads there from the page that is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from xml.etree import ElementTree

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from mdit_py_plugins.anchors import anchors_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin

from ptum.checks.claims import registry
from ptum.spec import ledger
from ptum.spec.algebra import to_latex, to_unicode
from ptum.spec.decisions import DECISIONS
from ptum.spec.errata import ERRATA, GROUPS

MATHML = "http://www.w3.org/1998/Math/MathML"
ElementTree.register_namespace("", MATHML)
LIMITS = ("max", "min", "∑", "sup", "inf")
"""Operators with what runs over a set below them; `movablelimits` puts it beside them in a line."""
WORDS = ("max", "min", "sup", "inf", "lim inf", "log", "exp", "range")
LETTER, SIGN, THIN = f"{{{MATHML}}}mi", f"{{{MATHML}}}mo", "0.167em"
SIGNS = {sign: sign for sign in ":;±⟺⟂⧵"} | {"~": "∼"}
"""What the converter takes for letters, so that they would stand without the space around them."""


@cache
def mathml(latex: str, *, display: bool) -> str:
    """A formula as browsers set it: no font and no script comes with it."""
    root = ElementTree.fromstring(convert(latex, display="block" if display else "inline"))
    for node in root.iter():
        first = node[0] if len(node) else None
        if node.tag == f"{{{MATHML}}}msub" and first is not None and first.text in LIMITS:
            node.tag = f"{{{MATHML}}}munder"
            first.set("movablelimits", "true")
        if node.tag == f"{{{MATHML}}}msup" and node[1].text in ("′", "″"):
            node.tag = f"{{{MATHML}}}mrow"  # the sign is high as it is, and need not be raised
            node[1].tag = SIGN
            node[1].attrib.update(lspace="0", rspace="0")
        if node.tag == LETTER and node.text and "Α" <= node.text <= "Ω":
            node.set("mathvariant", "normal")
        _spaced(node)
    return ElementTree.tostring(root, encoding="unicode")


def _spaced(row: ElementTree.Element) -> None:
    """Space around signs and words as books have it; bars and brackets as large as is asked."""
    if row.tag.endswith(("sub", "sup", "under", "over", "frac")):
        return  # its members do not stand beside each other
    before = None
    for place, node in enumerate(row):
        sign = next(inner for inner in node.iter() if not len(inner))
        text = (sign.text or "").removeprefix("\\")
        if sign.tag == LETTER and (text in WORDS or (text in SIGNS and before is not None)):
            sign.tag, sign.text = SIGN, SIGNS.get(text, text)
        elif sign.tag == SIGN:
            sign.tag, sign.text = LETTER if text == "∞" else SIGN, text
        if text in ("|", "‖", "/") and "form" not in sign.attrib:
            sign.attrib.update(stretchy="false", lspace="0", rspace="0")
        if text == "=" and before is not None and before.text == ":":
            before.set("rspace", "0")
            sign.set("lspace", "0")
        opened = before is None or (before.tag == SIGN and before.text not in (*WORDS, *")]}|‖"))
        if text in ("−", "±") and opened:
            sign.set("form", "prefix")
        if text in WORDS:
            after = "".join(row[place + 1].itertext()) if place + 1 < len(row) else ""
            sign.set("lspace", "0" if opened else THIN)
            sign.set("rspace", "0" if after.startswith(("(", "[", "{", "\\{")) else THIN)
        before = node


@cache
def formula(name: str) -> str:
    """A formula of the ledger, displayed; one that is long in smaller letters and two rows."""
    size = next((size for least, size in LONG.items() if columns(name) > least), "")
    latex = to_latex(ledger.formula(name))
    shown = mathml(in_rows(latex) if size == "huge" else latex, display=True)
    shown = shown.replace("<mtable", '<mtable displaystyle="true"')
    return f'<div class="display {size}">{shown}</div>'


LONG = {180: "huge", 120: "longest", 85: "longer", 60: "long"}
"""How a formula is called by the columns that it takes in a terminal, most first."""


def in_rows(latex: str) -> str:
    """The members of the outermost list in curly brackets, one below the other."""
    opening, closing = r"\left\{", r"\right\}"
    head, _, rest = latex.partition(opening)
    inside, _, tail = rest.rpartition(closing)
    rows, depth = [""], 0
    for piece in re.split(r"(\\left\\?\W|\\right\\?\W|[{},])", inside):
        depth += piece.startswith((r"\left", "{")) - piece.startswith((r"\right", "}"))
        rows[-1] += piece
        if piece == "," and depth == 0:
            rows.append("")
    table = r" \\ ".join(rows)
    return rf"{head}{opening} \begin{{matrix}} {table} \end{{matrix}} {closing}{tail}"


@cache
def columns(name: str) -> int:
    """How wide a formula of the ledger is, in columns of a terminal."""
    text = to_unicode(ledger.formula(name))
    stacked = 2 if re.search(r",\s*[⎫⎪⎬]", text) else 1  # a browser sets a list in one row
    return stacked * max(map(len, text.splitlines()))


def formula_title(name: str) -> str:
    """The name of a formula in words."""
    return name.partition(":")[2].lower().replace("_", " ")


# Addresses


@cache
def addresses() -> dict[str, str]:
    """Where each record, part and check is: the only place that says so."""
    table = {f"{decision.id}": f"decisions.html#{decision.id}" for decision in DECISIONS}
    table |= {erratum.id: f"item/{erratum.id}.html" for erratum in ERRATA}
    table |= {claim.id: f"item/{claim.id}.html" for claim in ledger.CLAIMS}
    table |= {part.id: f"item/{claim.id}.html#{part.id}" for claim, part in ledger.parts()}
    for check in registry().values():
        table[check.id] = f"{table[check.part].partition('#')[0]}#{check.id}"
    return table


GROUP_IDS = frozenset(group.id for group in GROUPS)


def address(identity: str) -> str:
    """The page of a record and the place on it."""
    return f"errata.html#{identity}" if identity in GROUP_IDS else addresses()[identity]


def link(identity: str, root: str) -> str:
    """A link to a record."""
    return f'<a href="{root}{address(identity)}">{escape(identity)}</a>'


WORD = re.compile(
    r"`([^`]+)`|\b[DE]\d{2,3}\b|\b[a-z]{2,}(?:-[a-z0-9]+)+(?:\.[a-z0-9-]+)?(?:/[\w-]+)?"
)
MARKS = "[\u0300-\u036f]*"
LETTERS = rf"(?:[^\W_⁰¹²³⁴-⁹ʳᵖᵀʰ]{MARKS})+"
SCRIPT = re.compile(rf"([_^])(\{{[^{{}}]*\}}|{LETTERS}\*?'?|[∞†+*])|(\^)(\([^()]*\)|-\d+)")
SCRIPTS = re.compile(
    rf"((?:(?<![A-Za-z_`])|(?=[^\x00-\x7f]))[^\W\d_]{MARKS}[*ʳᵖᵀʰ']*"
    rf"|(?<![A-Za-z])(?:max|min|Std|Var)(?=_(?:\{{|[^\W_]{MARKS}'?(?![A-Za-z])))"
    r"|[])}‖]|\d(?=\^))"
    rf"((?:{SCRIPT.pattern})+)"
)
"""A letter, an operator, a bracket or a number, and all that stands low or high beside it."""


def linked(text: str, root: str) -> str:
    """A sentence of the ledger: escaped, ids as links, `_` and `^` as low and high letters."""
    pieces, end = [], 0
    for found in WORD.finditer(text):
        pieces.append(_lowered(escape(text[end : found.start()], quote=False)))
        pieces.append(_word(found, root))
        end = found.end()
    return "".join((*pieces, _lowered(escape(text[end:], quote=False))))


def letters(text: str) -> str:
    """A title: as a sentence, but without links."""
    return _lowered(escape(text, quote=False))


def _word(found: re.Match[str], root: str) -> str:
    known = addresses()
    if found[1] is not None:
        inside = unbroken(found[1])
        to = known.get(found[1].removeprefix("ptum show "))
        return f'<a href="{root}{to}"><code>{inside}</code></a>' if to else f"<code>{inside}</code>"
    return link(found[0], root) if found[0] in known else escape(found[0], quote=False)


def unbroken(code: str) -> str:
    """Inside of code in a line: `--seed` is not broken behind its hyphens."""
    words = escape(code, quote=False).split(" ")
    if len(words) == 1 or "-" not in code:
        return " ".join(words)
    return " ".join(f"<span>{word}</span>" for word in words)


def _lowered(text: str) -> str:
    """N_t and V^{π*} with low and high letters."""
    tags = {"_": "sub", "^": "sup"}

    def script(found: re.Match[str]) -> str:
        tag, inside = tags[found[1] or found[3]], (found[2] or found[4]).strip("{}()")
        return f"<{tag}>{_lowered(inside)}</{tag}>"

    return SCRIPTS.sub(lambda found: found[1] + SCRIPT.sub(script, found[2]), text)


# Markdown


def markdown(text: str, root: str) -> str:
    """A page of docs/ as HTML."""
    parser = MarkdownIt("commonmark", {"html": True}, renderer_cls=RendererHTML)
    parser.enable("table")
    dollarmath_plugin(parser, allow_space=False, double_inline=True, renderer=_dollars)
    parser.add_render_rule("math_inline_double", _displayed_within)
    anchors_plugin(parser, max_level=4, slug_func=slug)
    tokens = parser.parse(text)
    for token in tokens:
        if token.type == "inline":
            token.children = list(_with_links(token.children or [], root))
    return str(parser.renderer.render(_scrolling(tokens), parser.options, {}))


def slug(heading: str) -> str:
    """The anchor of a heading, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _dollars(content: str, options: dict[str, bool]) -> str:
    """A formula; what `\\qquad` parts in a display goes to the next line where it does not fit."""
    display = options["display_mode"]
    pieces = content.replace(r"\tag", r"\qquad\tag").split(r"\qquad") if display else [content]
    if any(piece.count("{") != piece.count("}") for piece in pieces):
        pieces = [content]
    return "\n".join(mathml(piece.strip(), display=display) for piece in pieces)


def _displayed_within(
    _: RendererHTML, tokens: Sequence[Token], place: int, *_options: object
) -> str:
    """A display amid a paragraph: a `div` would end the paragraph there."""
    shown = _dollars(tokens[place].content, {"display_mode": True})
    return f'<span class="math block">{shown}</span>'


def _scrolling(tokens: Sequence[Token]) -> list[Token]:
    """Tables in a box of their own, so that a wide one does not move the page."""
    listed: list[Token] = []
    for token in tokens:
        if token.type == "table_open":
            listed.append(_html('<div class="scroll" tabindex="0">'))
        listed.append(token)
        if token.type == "table_close":
            listed.append(_html("</div>"))
    return listed


def _html(text: str) -> Token:
    return Token("html_block", "", 0, content=text)


def _with_links(tokens: Sequence[Token], root: str) -> Iterator[Token]:
    """Links lead to pages of the site or are taken away; ids outside of links become links."""
    depth, kept = 0, []
    for token in tokens:
        if token.type == "link_open":
            target = site_target(str(token.attrs["href"]), root)
            depth += 1
            kept.append(target is not None)
            if target is not None:
                token.attrs["href"] = target
                yield token
        elif token.type == "link_close":
            depth -= 1
            if kept.pop():
                yield token
        elif depth == 0 and token.type in ("text", "code_inline"):
            quoted = f"`{token.content}`" if token.type == "code_inline" else token.content
            yield Token("html_inline", "", 0, content=linked(quoted, root))
        else:
            yield token


def site_target(href: str, root: str) -> str | None:
    """Where a link of docs/ leads in the site; None if the site has no such thing."""
    path, _, mark = href.partition("#")
    if "://" in path:
        return href
    if path in ("errata.md", "remarks.md", ""):
        known = {identity.lower(): identity for identity in addresses()}
        if mark in known:
            return root + address(known[mark])
        if path:
            return f"{root}errata.html" + (f"#{mark}" if mark in GROUP_IDS else "")
        return f"#{mark}"
    if path.endswith(".md") and "/" not in path:
        return f"{path.removesuffix('.md')}.html" + (f"#{mark}" if mark else "")
    if path.startswith("../reference/") and path.endswith(".py"):
        line = mark.replace("L", "#L-")
        return f"{root}source/{path.removeprefix('../').removesuffix('.py')}.html{line}"
    return None


def title_of(text: str) -> str:
    """The first heading of a page, without its marks."""
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    return found[1].replace("`", "") if found else ""
