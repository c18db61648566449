"""How formulas look: boxes of text, put together in Unicode or in LaTeX.

`spec/algebra/writing` walks over a formula once and asks a `Style` to set each piece; the styles
differ only here. LaTeX boxes have one line, Unicode boxes as many as their fractions need.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Box:
    """Lines of equal width; `baseline` is the line on which neighbours stand."""

    lines: tuple[str, ...]
    baseline: int = 0

    @property
    def width(self) -> int:
        """Columns on a screen."""
        return columns(self.lines[0])

    @property
    def is_flat(self) -> bool:
        """Whether it has one line only."""
        return len(self.lines) == 1


def columns(text: str) -> int:
    """Columns that a text takes; hats and tildes stand above their letter and take none."""
    return sum(not unicodedata.combining(character) for character in text)


def flat(text: str) -> Box:
    """A box of one line."""
    return Box((text,))


def beside(*boxes: Box) -> Box:
    """Boxes in a row, on one baseline."""
    above = max(box.baseline for box in boxes)
    below = max(len(box.lines) - box.baseline for box in boxes)
    padded = [_padded(box, above - box.baseline, above + below) for box in boxes]
    return Box(tuple("".join(row) for row in zip(*padded, strict=True)), above)


def joined(boxes: Sequence[Box], separator: str) -> Box:
    """Boxes in a row with a text between every two."""
    between = flat(separator)
    row = [piece for box in boxes for piece in (between, box)][1:]
    return beside(*row)


def _padded(box: Box, top: int, height: int) -> list[str]:
    empty = " " * box.width
    bottom = height - top - len(box.lines)
    return [empty] * top + list(box.lines) + [empty] * bottom


def _centred(box: Box, width: int) -> list[str]:
    left = (width - box.width) // 2
    right = width - box.width - left
    return [" " * left + line + " " * right for line in box.lines]


class Style(Protocol):
    """What a way of writing must be able to set."""

    def name(self, name: str) -> Box:
        """A symbol, by the name it has in formulas."""

    def table(self, name: str, indices: Sequence[str]) -> Box:
        """An entry of a table of numbers."""

    def number(self, digits: str) -> Box:
        """A whole number."""

    def words(self, text: str) -> Box:
        """A left side, written with the paper's letters."""

    def sign(self, sign: str) -> Box:
        """A sign between two sides, such as ≤ or ∨."""

    def product(self, factors: Sequence[Box]) -> Box:
        """A product of factors that already have the brackets they need."""

    def fraction(self, above: Box, below: Box) -> Box:
        """A fraction."""

    def root(self, inner: Box) -> Box:
        """A square root."""

    def power(self, base: Box, exponent: str) -> Box:
        """A power with a whole exponent."""

    def fenced(self, inner: Box, left: str, right: str) -> Box:
        """Brackets, bars or braces round a box."""

    def call(self, word: str, inner: Box) -> Box:
        """A named function of a box, such as log(...)."""

    def among(self, word: str, boxes: Sequence[Box]) -> Box:
        """max{...} or min{...} of a few boxes."""

    def positive_part(self, inner: Box) -> Box:
        """[x]₊."""

    def over(self, word: str, bounds: Sequence[tuple[Sequence[str], str]], body: Box) -> Box:
        """max, min or Σ of a body while indices run over sets."""


_TALL: Mapping[str, tuple[str, str, str]] = {
    "(": ("⎛", "⎜", "⎝"),
    ")": ("⎞", "⎟", "⎠"),
    "[": ("⎡", "⎢", "⎣"),
    "]": ("⎤", "⎥", "⎦"),
    "|": ("│", "│", "│"),
}
_LONGEST_ROW = 72
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True)
class Unicode:
    """Formulas for a terminal."""

    names: Mapping[str, str]
    forms: Mapping[str, str]

    def name(self, name: str) -> Box:
        """The paper's symbol, or the plain name of one that notation does not list."""
        return flat(self._shown(name))

    def table(self, name: str, indices: Sequence[str]) -> Box:
        """`p̃_θ(s'|s,a)`: the model below the letter, the rest in brackets."""
        placed = _placed(self.forms, name, [self._shown(i) for i in indices])
        above = f"^{placed.above}" if placed.above else ""
        below = f"_{placed.below}" if placed.below else ""
        return flat(self._shown(name) + above + below + placed.bracket)

    def number(self, digits: str) -> Box:
        """As it is."""
        return flat(digits)

    def words(self, text: str) -> Box:
        """As it is."""
        return flat(text)

    def sign(self, sign: str) -> Box:
        """With room on both sides."""
        return flat(f" {sign} ")

    def product(self, factors: Sequence[Box]) -> Box:
        """Factors with a dot between them."""
        return joined(factors, "·")

    def fraction(self, above: Box, below: Box) -> Box:
        """Built up over several lines."""
        width = max(above.width, below.width) + 2
        lines = (*_centred(above, width), "─" * width, *_centred(below, width))
        return Box(lines, len(above.lines))

    def root(self, inner: Box) -> Box:
        """√x or √(x + y); with a drawn roof when x has several lines."""
        if inner.is_flat:
            return beside(flat("√"), inner if inner.width == 1 else self.fenced(inner, "(", ")"))
        left = ["┌", *["│"] * (len(inner.lines) - 1), "⎷"]
        body = ["─" * inner.width, *inner.lines]
        lines = tuple(mark + line for mark, line in zip(left, body, strict=True))
        return Box(lines, inner.baseline + 1)

    def power(self, base: Box, exponent: str) -> Box:
        """A raised number at the top right."""
        raised = exponent.translate(_SUPERSCRIPTS)
        first, *rest = base.lines
        spare = " " * len(raised)
        if rest and first.endswith(spare):  # above the foot of [x]₊ there is room already
            return Box((first.removesuffix(spare) + raised, *rest), base.baseline)
        return Box((first + raised, *(line + spare for line in rest)), base.baseline)

    def fenced(self, inner: Box, left: str, right: str) -> Box:
        """Brackets as tall as what they hold."""
        height = len(inner.lines)
        rows = zip(_tall(left, height), inner.lines, _tall(right, height), strict=True)
        return Box(tuple("".join(row) for row in rows), inner.baseline)

    def call(self, word: str, inner: Box) -> Box:
        """The name, then the bracket."""
        return beside(flat(word), self.fenced(inner, "(", ")"))

    def among(self, word: str, boxes: Sequence[Box]) -> Box:
        """In a row while that is short, else one below the other."""
        row = joined(boxes, ", ")
        inner = row if row.width <= _LONGEST_ROW else _stacked(boxes)
        return beside(flat(word), self.fenced(inner, "{", "}"))

    def positive_part(self, inner: Box) -> Box:
        """[x]₊, the plus at the foot of the bracket."""
        *rest, last = self.fenced(inner, "[", "]").lines
        return Box((*(line + " " for line in rest), last + "₊"), inner.baseline)

    def over(self, word: str, bounds: Sequence[tuple[Sequence[str], str]], body: Box) -> Box:
        """The word on the line, what runs below it."""
        running = ", ".join(
            f"{','.join(self._shown(i) for i in indices)}∈{self._shown(domain)}"
            for indices, domain in bounds
        )
        head = {"sum": "Σ"}.get(word, word)
        width = max(columns(head), columns(running))
        lines = (*_centred(flat(head), width), *_centred(flat(running), width))
        return joined([Box(lines), body], " ")

    def _shown(self, name: str) -> str:
        return self.names.get(name, name)


@dataclass(frozen=True, slots=True)
class UnicodeNumbers(Unicode):
    """Formulas for a terminal, with the numbers of one instance in them."""

    numbers: Mapping[str, str]

    def name(self, name: str) -> Box:
        """The number, or the symbol if none is given."""
        return flat(self.numbers.get(name) or self._shown(name))

    def table(self, name: str, indices: Sequence[str]) -> Box:
        """The number of the entry that is looked at, or the symbol.

        Where a formula has two entries of one table, each may be named with its indices.
        """
        found = self.numbers.get(f"{name}[{','.join(indices)}]") or self.numbers.get(name)
        return flat(found) if found else Unicode.table(self, name, indices)


def _stacked(boxes: Sequence[Box]) -> Box:
    """Boxes one below the other, a comma after all but the last."""
    rows = [beside(box, flat(",")) for box in boxes[:-1]] + [boxes[-1]]
    width = max(row.width for row in rows)
    gap = [] if all(row.is_flat for row in rows) else [" " * width]
    lines: list[str] = []
    for row in rows:
        lines += (gap if lines else []) + [line + " " * (width - row.width) for line in row.lines]
    return Box(tuple(lines), len(lines) // 2)


def _tall(mark: str, height: int) -> list[str]:
    if height == 1:
        return [mark]
    if mark in "{}":
        return _tall_brace(mark, height)
    top, middle, bottom = _TALL[mark]
    return [top, *[middle] * (height - 2), bottom]


def _tall_brace(mark: str, height: int) -> list[str]:
    top, waist, bottom = ("⎧", "⎨", "⎩") if mark == "{" else ("⎫", "⎬", "⎭")
    if height == 2:
        return ["⎰", "⎱"] if mark == "{" else ["⎱", "⎰"]
    marks = [top, *["⎪"] * (height - 2), bottom]
    marks[height // 2] = waist
    return marks


@dataclass(frozen=True, slots=True)
class Latex:
    """Formulas for LaTeX's mathematics mode; `spellings` gives the LaTeX of the paper's symbols."""

    names: Mapping[str, str]
    forms: Mapping[str, str]
    spellings: Mapping[str, str]

    def name(self, name: str) -> Box:
        """The paper's LaTeX, or the plain name upright."""
        return flat(self._shown(name))

    def table(self, name: str, indices: Sequence[str]) -> Box:
        r"""`\tilde{p}_{\theta}(s' \mid s, a)`."""
        placed = _placed(self.forms, name, [self._shown(i) for i in indices])
        above = f"^{{{placed.above}}}" if placed.above else ""
        below = f"_{{{placed.below}}}" if placed.below else ""
        bracket = placed.bracket.replace("|", r" \mid ").replace("→", r" \to ")
        spaced = re.sub("([,;])", r"\1 ", bracket)
        return flat(self._shown(name) + above + below + spaced)

    def number(self, digits: str) -> Box:
        """As it is."""
        return flat(digits)

    def words(self, text: str) -> Box:
        """The symbol's own LaTeX if it is one symbol, else letter by letter."""
        return flat(self.spellings.get(text) or latex_words(text))

    def sign(self, sign: str) -> Box:
        """The command for the sign."""
        return flat(f" {_LATEX_SIGNS.get(sign, sign)} ")

    def product(self, factors: Sequence[Box]) -> Box:
        """Factors side by side."""
        return joined(factors, " ")

    def fraction(self, above: Box, below: Box) -> Box:
        r"""`\frac{}{}`."""
        return flat(rf"\frac{{{above.lines[0]}}}{{{below.lines[0]}}}")

    def root(self, inner: Box) -> Box:
        r"""`\sqrt{}`."""
        return flat(rf"\sqrt{{{inner.lines[0]}}}")

    def power(self, base: Box, exponent: str) -> Box:
        """A raised number; a base that already carries one is taken as a group."""
        text = base.lines[0]
        grouped = f"{{{text}}}" if "^" in text and not text.endswith((")", "_+")) else text
        return flat(f"{grouped}^{{{exponent}}}")

    def fenced(self, inner: Box, left: str, right: str) -> Box:
        r"""`\left( \right)`."""
        marks = {"{": r"\{", "}": r"\}"}
        left, right = marks.get(left, left), marks.get(right, right)
        return flat(rf"\left{left} {inner.lines[0]} \right{right}")

    def call(self, word: str, inner: Box) -> Box:
        r"""`\log\left( \right)`."""
        return beside(flat(rf"\{word}"), self.fenced(inner, "(", ")"))

    def among(self, word: str, boxes: Sequence[Box]) -> Box:
        r"""`\max\left\{ \right\}`."""
        return beside(flat(rf"\{word}"), self.fenced(joined(boxes, ", "), "{", "}"))

    def positive_part(self, inner: Box) -> Box:
        """The bracket with a plus below."""
        return beside(self.fenced(inner, "[", "]"), flat("_+"))

    def over(self, word: str, bounds: Sequence[tuple[Sequence[str], str]], body: Box) -> Box:
        r"""`\max_{s \in \mathcal{S}}`."""
        running = r",\, ".join(
            rf"{', '.join(self._shown(i) for i in indices)} \in {self._shown(domain)}"
            for indices, domain in bounds
        )
        return beside(flat(rf"\{word}_{{{running}}} "), body)

    def _shown(self, name: str) -> str:
        return self.names.get(name, r"\mathrm{" + name.replace("_", r"\_") + "}")


@dataclass(frozen=True, slots=True)
class _Placed:
    above: str
    below: str
    bracket: str


def _placed(forms: Mapping[str, str], name: str, indices: Sequence[str]) -> _Placed:
    """The indices of a table, each where its form puts it."""
    every = ",".join(str(position) for position in range(len(indices)))
    attached, parenthesis, inside = forms.get(name, f"({every})").partition("(")
    below, _, above = attached.partition("^")
    return _Placed(*(_filled(part, indices) for part in (above, below, parenthesis + inside)))


def _filled(form: str, indices: Sequence[str]) -> str:
    return re.sub(r"\d", lambda position: indices[int(position[0])], form)


# Left sides are written once, in the paper's letters; LaTeX gets them letter by letter.

_LATEX_SIGNS: Mapping[str, str] = {
    "≤": r"\leq",
    "≥": r"\geq",
    "⇔": r"\iff",
    "∨": r"\lor",
    "∧": r"\land",
    "∈": r"\in",
}
_LATEX_LETTERS: Mapping[str, str] = {
    **_LATEX_SIGNS,
    "Γ": r"\Gamma",
    "Δ": r"\Delta",
    "Θ": r"\Theta",
    "Σ": r"\Sigma",
    "γ": r"\gamma",
    "δ": r"\delta",
    "ε": r"\epsilon",
    "η": r"\eta",
    "θ": r"\theta",
    "κ": r"\kappa",
    "λ": r"\lambda",
    "μ": r"\mu",
    "ν": r"\nu",
    "π": r"\pi",
    "ρ": r"\rho",
    "σ": r"\sigma",
    "τ": r"\tau",
    "ω": r"\omega",
    "𝓘": r"\mathcal{I}",
    "𝒪": r"\mathcal{O}",
    "𝒮": r"\mathcal{S}",
    "𝒜": r"\mathcal{A}",
    "‖": r"\|",
    "†": r"\dagger",
    "∞": r"\infty",
    "√": r"\surd",
    "·": r"\cdot",
    "𝔼": r"\mathbb{E}",
    "ℙ": r"\mathbb{P}",
    "{": r"\{",
    "}": r"\}",
}
_ACCENTS: Mapping[str, str] = {"\u0302": "hat", "\u0303": "tilde", "\u0304": "bar"}
_RAISED = str.maketrans("ᵀʰʲᵏᵐⁿᵖʳˢᵗᵘ⁰¹²³⁴⁵⁶⁷⁸⁹⁺", "Thjkmnprstu0123456789+")
_LOWERED = str.maketrans("ₐₑₕⱼₖₘₙₚᵣₛₜₓ₀₁₂₃₄₅₆₇₈₉₊", "aehjkmnprstx0123456789+")
_LEFT_PIECE = re.compile(
    r"_\{(?P<group>[^{}]+)\}"
    r"|_(?P<below>(?:[^\s()\[\],;|‖_^]|,(?=\S))+)"
    r"|\^(?P<above>(?:[^\s()\[\],;|‖_^]|,(?=\S))+)"
    r"|(?P<raised>[*ᵀʰʲᵏᵐⁿᵖʳˢᵗᵘ⁰¹²³⁴⁵⁶⁷⁸⁹⁺]+)"
    r"|(?P<lowered>[ₐₑₕⱼₖₘₙₚᵣₛₜₓ₀₁₂₃₄₅₆₇₈₉₊]+)"
    r"|(?P<word> ?[A-Za-z]{2,}(?: [A-Za-z]{2,})* ?)"
    r"|(?P<letter>.)(?P<accent>[\u0302\u0303\u0304])?"
)


def latex_words(text: str) -> str:
    """A left side such as `σ̂ʳ_t(s,a)` or `|V*_θ(s) - V*_θ'(s)|` in LaTeX."""
    pieces = _LEFT_PIECE.finditer(unicodedata.normalize("NFD", text))
    joined_pieces = "".join(_latex_piece(piece) for piece in pieces)
    return re.sub(r"(\\[A-Za-z]+) (?![A-Za-z])", r"\1", joined_pieces).strip()


def _latex_piece(piece: re.Match[str]) -> str:
    if below := piece["group"] or piece["below"]:
        return f"_{{{latex_words(below)}}}"
    if piece["above"]:
        return f"^{{{latex_words(piece['above'])}}}"
    if piece["raised"]:
        return f"^{{{piece['raised'].translate(_RAISED)}}}"
    if piece["lowered"]:
        return f"_{{{piece['lowered'].translate(_LOWERED)}}}"
    if piece["word"]:
        return rf"\text{{{piece['word']}}}"
    command = _LATEX_LETTERS.get(piece["letter"], piece["letter"])
    if piece["accent"]:
        return rf"\{_ACCENTS[piece['accent']]}{{{command}}}"
    return f"{command} " if command.startswith("\\") and command[-1].isalpha() else command
