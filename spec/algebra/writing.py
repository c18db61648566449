"""How a tree becomes text: Unicode or LaTeX.

Every node returns its box and how tightly it holds together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import groupby

import sympy

from ptum.spec import notation
from ptum.spec.algebra.nodes import Among, Connected, Node, Over, PositivePart
from ptum.spec.algebra.terms import Formula
from ptum.spec.algebra.typeset import Box, Latex, Style, Unicode, UnicodeNumbers, beside, joined


def to_unicode(formula: Formula) -> str:
    """The formula as text, fractions built up over several lines."""
    lines = _formula_box(formula, Unicode(notation.display_names(), notation.FORMS)).lines
    return "\n".join(line.rstrip() for line in lines)


def with_numbers(formula: Formula, numbers: Mapping[str, str]) -> str:
    """The same text with numbers in place of the symbols and table entries that are given."""
    style = UnicodeNumbers(notation.display_names(), notation.FORMS, numbers)
    return "\n".join(line.rstrip() for line in _formula_box(formula, style).lines)


def to_latex(formula: Formula) -> str:
    """The formula in LaTeX's mathematics mode."""
    names, letters = notation.latex_names(), notation.display_names()
    spellings = {letters[name]: names[name] for name in names}
    (line,) = _formula_box(formula, Latex(names, notation.FORMS, spellings)).lines
    return line


class _Grip(IntEnum):
    """What must stand in brackets where: a piece needs them next to anything that grips more."""

    CONNECTED = 0
    COMPARED = 1
    SUM = 2
    REACHING = 3  # a max, min or Σ over a set reaches over all that follows it
    PRODUCT = 4
    WHOLE = 5


@dataclass(frozen=True, slots=True)
class _Piece:
    box: Box
    grip: _Grip


def _formula_box(formula: Formula, style: Style) -> Box:
    right = _written(formula.right.inner, style).box
    return beside(style.words(formula.left), style.sign(formula.sign.value), right)


def _written(node: Node, style: Style) -> _Piece:
    if isinstance(node, sympy.Symbol):
        return _Piece(style.name(node.name), _Grip.WHOLE)
    if isinstance(node, sympy.Indexed):
        return _Piece(style.table(str(node.base), list(map(str, node.indices))), _Grip.WHOLE)
    if node is sympy.pi:
        return _Piece(style.words("π"), _Grip.WHOLE)
    if isinstance(node, sympy.Rational):
        return _written_rational(node, style)
    if isinstance(node, sympy.Add):
        return _written_sum(node, style)
    if isinstance(node, sympy.Mul):
        return _written_product(node, style)
    if isinstance(node, sympy.Pow):
        return _written_power(node, style)
    if isinstance(node, Over):
        return _written_over(node, style)
    if isinstance(node, Connected):
        parts = [_held(_written(child, style), _Grip.COMPARED, style) for child in node.args]
        return _Piece(_chained(parts, node.word, style), _Grip.CONNECTED)
    if isinstance(node, sympy.core.relational.Relational):
        sides = [_written(side, style).box for side in node.args]
        return _Piece(_chained(sides, _RELATIONS[type(node)], style), _Grip.COMPARED)
    return _Piece(_written_call(node, style), _Grip.WHOLE)


_RELATIONS: Mapping[Node, str] = {
    sympy.StrictGreaterThan: ">",
    sympy.GreaterThan: "≥",
    sympy.StrictLessThan: "<",
    sympy.LessThan: "≤",
}


def _held(piece: _Piece, least: _Grip, style: Style) -> Box:
    return piece.box if piece.grip >= least else style.fenced(piece.box, "(", ")")


def _chained(boxes: Sequence[Box], sign: str, style: Style) -> Box:
    (between,) = style.sign(sign).lines
    return joined(boxes, between)


def _written_rational(node: Node, style: Style) -> _Piece:
    if node.q == 1:
        return _Piece(style.number(str(node.p)), _Grip.WHOLE if node.p >= 0 else _Grip.SUM)
    above, below = style.number(str(abs(node.p))), style.number(str(node.q))
    fraction = _Piece(style.fraction(above, below), _Grip.PRODUCT)
    return fraction if node.p > 0 else _Piece(_minus(fraction, style), _Grip.SUM)


def _minus(piece: _Piece, style: Style) -> Box:
    return beside(style.number("-"), _held(piece, _Grip.PRODUCT, style))


def _written_sum(node: Node, style: Style) -> _Piece:
    row: list[Box] = []
    for position, term in enumerate(node.args):
        subtracted, size = _without_sign(term)
        piece = _written(size, style)
        last = position == len(node.args) - 1
        least = _Grip.REACHING if last else _Grip.PRODUCT
        box = _held(piece, least, style)
        if position:
            row.append(style.sign("-" if subtracted else "+"))
        elif subtracted:
            row.append(style.number("-"))
        row.append(box)
    return _Piece(beside(*row), _Grip.SUM)


def _without_sign(node: Node) -> tuple[bool, Node]:
    if isinstance(node, sympy.Rational) and node < 0:
        return True, -node
    if isinstance(node, sympy.Mul) and node.args[0] == -1:
        rest = node.args[1:]
        return True, rest[0] if len(rest) == 1 else sympy.Mul(*rest, evaluate=False)
    return False, node


def _written_product(node: Node, style: Style) -> _Piece:
    subtracted, size = _without_sign(node)
    if subtracted:
        return _Piece(_minus(_written(size, style), style), _Grip.SUM)
    above = [factor for factor in node.args if not _divides(factor)]
    below = [_inverted(factor) for factor in node.args if _divides(factor)]
    if below:
        top, bottom = _factors(above, style), _factors(below, style)
        return _Piece(style.fraction(top, bottom), _Grip.PRODUCT)
    reaching = isinstance(above[-1], Over)
    return _Piece(_factors(above, style), _Grip.REACHING if reaching else _Grip.PRODUCT)


def _factors(nodes: Sequence[Node], style: Style) -> Box:
    if not nodes:
        return style.number("1")
    if len(nodes) == 1:
        return _written(nodes[0], style).box
    *first, last = [_written(node, style) for node in nodes]
    held = [_held(piece, _Grip.PRODUCT, style) for piece in first]
    return style.product([*held, _held(last, _Grip.REACHING, style)])


def _divides(node: Node) -> bool:
    return bool(isinstance(node, sympy.Pow) and node.exp.is_negative)


def _inverted(node: Node) -> Node:
    return node.base if node.exp == -1 else sympy.Pow(node.base, -node.exp, evaluate=False)


def _written_power(node: Node, style: Style) -> _Piece:
    if _divides(node):
        below = _written(_inverted(node), style).box
        return _Piece(style.fraction(style.number("1"), below), _Grip.PRODUCT)
    if node.exp == sympy.S.Half:
        return _Piece(style.root(_written(node.base, style).box), _Grip.WHOLE)
    base = _held(_written(node.base, style), _Grip.WHOLE, style)
    return _Piece(style.power(base, str(node.exp)), _Grip.PRODUCT)


def _written_over(node: Over, style: Style) -> _Piece:
    body = _held(_written(node.args[0], style), _Grip.REACHING, style)
    bounds = [
        ([str(index) for index, _ in group], str(domain))
        for domain, group in groupby(node.args[1], key=lambda bound: bound[1])
    ]
    return _Piece(style.over(node.word, bounds, body), _Grip.REACHING)


def _written_call(node: Node, style: Style) -> Box:
    boxes = [_written(child, style).box for child in node.args]
    if isinstance(node, Among):
        return style.among(node.word, boxes)
    if isinstance(node, sympy.log):
        return style.call("log", boxes[0])
    if isinstance(node, sympy.Abs):
        return style.fenced(boxes[0], "|", "|")
    if isinstance(node, PositivePart):
        return style.positive_part(boxes[0])
    raise TypeError(f"no rule to write {type(node).__name__}: {node}")
