"""Kinds of expression that sympy lacks, or would rearrange.

Everything of sympy is untyped, so its objects go by the name `Node` inside this package and are
never seen outside it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import sympy

Node: TypeAlias = Any  # sympy's and mpmath's objects; the name never leaves this package


class Over(sympy.Expr):  # type: ignore[misc]  # sympy is untyped
    """max, min or sum of an expression while some indices run over named finite sets."""

    is_commutative = True
    word = "?"


class MaxOver(Over):
    word = "max"


class MinOver(Over):
    word = "min"


class SumOver(Over):
    word = "sum"


class Among(sympy.Expr):  # type: ignore[misc]  # sympy is untyped
    """max{x, y, ...} or min{x, y, ...} in the order written; sympy's own would reorder them."""

    is_commutative = True
    word = "?"


class Largest(Among):
    word = "max"


class Smallest(Among):
    word = "min"


class PositivePart(sympy.Expr):  # type: ignore[misc]  # sympy is untyped
    """[x]_+ = max{x, 0}, kept as one sign because the paper writes it as one."""

    is_commutative = True


class Connected(sympy.Basic):  # type: ignore[misc]  # sympy is untyped
    """Conditions joined by `or` or by `and`, in the order written."""

    word = "?"


class AnyOf(Connected):
    word = "∨"


class AllOf(Connected):
    word = "∧"
