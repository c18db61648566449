"""The mutants of a module: those of Cosmic Ray that could be a slip of somebody who means well.

Cosmic Ray knows how to change a program; which changes and which places count is said here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

ARITHMETIC = {
    "Add": ("Sub", "Mul"),
    "Sub": ("Add", "Div"),
    "Mul": ("Add", "Div", "Pow"),
    "Div": ("Sub", "Mul"),
    "Pow": ("Mul",),
    "FloorDiv": ("Div", "Mul"),
    "Mod": ("FloorDiv",),
    "BitAnd": ("BitOr",),
    "BitOr": ("BitAnd",),
}
"""What an arithmetic operator is mistaken for."""

COMPARISONS = {
    "Lt": ("LtE", "Gt", "GtE"),
    "LtE": ("Lt", "Gt", "GtE"),
    "Gt": ("GtE", "Lt", "LtE"),
    "GtE": ("Gt", "Lt", "LtE"),
    "Eq": ("NotEq", "LtE", "GtE"),
    "NotEq": ("Eq", "Lt", "Gt"),
    "Is": ("IsNot",),
    "IsNot": ("Is",),
}
"""The border moved, the direction turned, the truth inverted."""

OTHERS = (
    "ReplaceUnaryOperator_Delete_USub",
    "ReplaceUnaryOperator_Delete_Not",
    "ReplaceUnaryOperator_Delete_Invert",
    "AddNot",
    "ReplaceTrueWithFalse",
    "ReplaceFalseWithTrue",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak",
    "NumberReplacer",
    "ZeroIterationForLoop",
)
"""A lost sign, an inverted condition, a number that is off by one, a loop that never runs."""

OPERATORS = (
    *(f"ReplaceBinaryOperator_{old}_{new}" for old, news in ARITHMETIC.items() for new in news),
    *(
        f"ReplaceComparisonOperator_{old}_{new}"
        for old, news in COMPARISONS.items()
        for new in news
    ),
    *OTHERS,
)

LEFT_OUT = {
    "bit operations and shifts in place of arithmetic": "nobody writes `a ^ b` for `a * b`",
    "other exceptions in `except`": "a change of the language's use, not of a formula",
    "removed decorators": "nothing works without `@dataclass`; a cache is no formula",
    "replaced and inserted variables": "Cosmic Ray wants the names spelled out; the judge's "
    "own slips take this part",
    "annotations and type aliases": "no run looks at them; mypy does",
    "arguments of decorators and of class statements": "`frozen` and `eq` are promises to callers, "
    "not formulas; and classes are made before a mutant is planted",
    "`raise` statements and f-strings": "the wording of messages",
    "`strict=` of `zip`": "a guard that is silent while all is well",
}
"""What is not planted, and why."""

Position = tuple[int, int]


@dataclass(frozen=True)
class Mutant:
    """One change of one module: which operator made it, where, and the lines before and after.

    `occurrence` counts the places where the operator could change something.
    """

    operator: str
    occurrence: int
    line: int
    before: str
    after: str
    source: str


@dataclass(frozen=True)
class Site:
    """A place at which an operator can change something; the program is not made yet."""

    operator: str
    occurrence: int
    position: Position


def mutants(source: str) -> Iterator[Mutant]:
    """Every plausible mutant, each program once."""
    seen: set[str | None] = set()
    for site in sites(source):
        found = mutant_at(source, site)
        if found is not None and (meaning := _meaning(found.source)) not in seen:
            seen.add(meaning)
            yield found


def sites(source: str) -> Iterator[Site]:
    """Every place of a plausible change, which may be none or that of another operator."""
    from cosmic_ray.ast import ast_nodes, get_ast  # here: it takes long to load

    nodes = list(ast_nodes(get_ast(source)))
    spared = extents(source, _spared_nodes(ast.parse(source)))
    for name in OPERATORS:
        for occurrence, position in enumerate(_positions(nodes, name)):
            if position is not None and not within(position, spared):
                yield Site(name, occurrence, position)


def mutant_at(source: str, site: Site) -> Mutant | None:
    """The mutant of a site; None if it is no program, or the same one."""
    from cosmic_ray.mutating import mutate_code  # here: it takes long to load

    operator = _operator(site.operator)
    mutated = mutate_code(source, operator, site.occurrence)
    if _meaning(mutated) in (None, _meaning(source)):
        return None
    lines = _changed_lines(source, mutated)
    return Mutant(site.operator, site.occurrence, site.position[0], *lines, mutated)


def _operator(name: str) -> Any:
    from cosmic_ray.plugins import get_operator  # here: it takes long to load

    return get_operator(f"core/{name}")()


def _meaning(source: str) -> str | None:
    """The program without its layout; None if it is none."""
    try:
        return ast.dump(ast.parse(source))
    except SyntaxError:
        return None


def _positions(nodes: Sequence[Any], name: str) -> list[Position | None]:
    """Where Cosmic Ray would change something; None for the bare `*` of a signature."""
    operator = _operator(name)
    return [
        None if node.parent is not None and node.parent.type == "parameters" else start
        for node in nodes
        for start, _ in operator.mutation_positions(node)
    ]


def _changed_lines(old: str, new: str) -> tuple[str, str]:
    """What the mutant has in place of what; a change at the start of a line may join two."""
    before, after = old.splitlines(), new.splitlines()
    same = 0
    while before[same : same + 1] == after[same : same + 1]:
        same += 1
    del before[:same], after[:same]
    while before and after and before[-1] == after[-1]:
        before.pop()
        after.pop()
    return " ".join(map(str.strip, before)), " ".join(map(str.strip, after))


def extents(source: str, nodes: Iterable[ast.stmt | ast.expr]) -> list[tuple[Position, Position]]:
    """Where the nodes begin and end, in characters."""
    lines = source.splitlines()

    def place(line: int, column: int) -> Position:
        return line, len(lines[line - 1].encode()[:column].decode())

    return [
        (place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset))
        for node in nodes
        if node.end_lineno is not None and node.end_col_offset is not None
    ]


def within(position: Position, stretches: Iterable[tuple[Position, Position]]) -> bool:
    """Whether it is in one of the stretches."""
    return any(start <= position < end for start, end in stretches)


def _spared_nodes(tree: ast.AST) -> Iterator[ast.stmt | ast.expr]:
    for node in ast.walk(tree):
        match node:
            case ast.Raise() | ast.JoinedStr():
                yield node
            case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")):
                yield node
            case (
                ast.AnnAssign(annotation=annotation) | ast.arg(annotation=ast.expr() as annotation)
            ):
                yield annotation
            case ast.keyword(arg="strict", value=value):
                yield value
            case ast.ClassDef(decorator_list=decorators, keywords=keywords):
                yield from decorators
                yield from (keyword.value for keyword in keywords)
            case ast.FunctionDef(decorator_list=decorators, returns=returns):
                yield from decorators
                yield from () if returns is None else (returns,)
            case _:
                pass
