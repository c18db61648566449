"""The call with which a module of this folder builds and walks the sibling of a case.

The sibling of an instance is told by its own line of code, so that it can be built again: it has
the arguments, and the module is where the names in them are found.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import ModuleType

from checks.counterexamples.catalogue import Case, module_of


def sibling_recipe(case: Case) -> str:
    """`module: call`, or the module alone where the case is not written out in it."""
    module = module_of(case)
    if module is None:
        return "a case that no module exports"
    found = next(_siblings(module, case), None)
    return module.__name__ if found is None else f"{module.__name__}: {found}"


def _siblings(module: ModuleType, case: Case) -> Iterator[str]:
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Case":
            given = {keyword.arg: keyword.value for keyword in node.keywords}
            if "sibling" in given and _is(given["checks"], case.checks, given["undo"], case.undo):
                yield _called(given["sibling"])


def _is(checks: ast.expr, ids: tuple[str, ...], undo: ast.expr, words: str) -> bool:
    """Whether the words are written there; the ids may be named constants."""
    return _literal(undo) == words and _literal(checks) in (ids, None)


def _literal(node: ast.expr) -> object:
    """What is written, or None where that is a name."""
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def _called(told: ast.expr) -> str:
    """A lambda, a partial or a function without arguments as the call that it makes."""
    match told:
        case ast.Lambda(body=body):
            return ast.unparse(body)
        case ast.Call(func=ast.Name(id="partial"), args=[function, *rest], keywords=keywords):
            return ast.unparse(ast.Call(func=function, args=rest, keywords=keywords))
        case _:
            return f"{ast.unparse(told)}()"
