"""Array types of this package, and how an input array becomes an immutable one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from ptum.reference.errors import (
    InputError,
    double,
    is_number,
    require,
    require_all,
    require_numbers,
    shown,
)

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]

ROUNDING = float(np.finfo(np.float64).eps)


def above(left: Floats | float, right: Floats | float) -> Bools:
    """left > right, entry by entry; NaN on either side is refused (`NotANumberError`)."""
    require_numbers(left=left, right=right)
    return np.asarray(left > right)


def frozen(values: npt.ArrayLike, argument: str, ndim: int) -> Floats:
    """A read-only copy of an input as finite doubles with the stated number of axes."""
    try:
        given = np.array(values)
    except Exception as reason:  # ragged lists, and whatever an object does when it is read
        raise _unreadable(values, argument, ndim, reason) from reason
    if _masked(values):  # numpy would read what is under the mask
        raise InputError(argument, "is a masked array: give every entry, without a mask")
    if not _holds_numbers(given):  # numpy would read "0.5" and drop an imaginary part
        raise InputError(argument, "is not an array of real numbers", value=f"type {given.dtype}")
    if given.ndim != ndim:
        raise InputError(argument, f"must have {ndim} axes", value=f"shape {given.shape}")
    array = _doubles(given)
    require_all(np.isfinite(array), array, argument, "must be finite")
    array.flags.writeable = False
    return array


def _unreadable(values: object, argument: str, ndim: int, reason: Exception) -> InputError:
    """Why numpy cannot read an input: its first row of another length, or what numpy says."""
    try:
        _require_even_rows(values, argument, ndim)
    except InputError as uneven:
        return uneven
    except Exception:  # nor can its rows be counted
        pass
    return InputError(argument, f"is not an array of numbers: {shown(reason)}")


def _require_even_rows(values: object, argument: str, ndim: int) -> None:
    """Refuse the first entry of nested lists that is no row as long as the first of its axis."""
    level: dict[tuple[int, ...], Any] = {(): values}
    for axes in reversed(range(ndim + 1)):
        forms = {index: _form(entry) for index, entry in level.items()}
        rows = (form for form in forms.values() if axes and form != SINGLE)
        wanted = next(rows, SINGLE)
        problem = f"must be {wanted}: all rows of a table are equally long"
        for index, found in forms.items():
            require(found == wanted, argument, problem, index=index or None, value=found)
        if wanted == SINGLE:
            return
        level = {(*index, i): inner for index, row in level.items() for i, inner in enumerate(row)}


SINGLE = "a single entry"


def _form(entry: object) -> str:
    """A row, with its length, or a single entry."""
    if (isinstance(entry, np.ndarray) and not entry.ndim) or isinstance(entry, str | bytes):
        return SINGLE
    if isinstance(entry, Sequence | np.ndarray):
        return f"a row of length {len(entry)}"
    return SINGLE


LARGEST_SCALE = 1e50
"""Products of four numbers of this size, or of its inverse, are doubles with all their digits."""


def require_scale(values: Floats, argument: str) -> None:
    """The largest entry is neither so large nor so small that products of entries are lost."""
    largest = float(np.max(np.abs(values), initial=0.0))
    good = largest == 0 or 1 / LARGEST_SCALE <= largest <= LARGEST_SCALE
    problem = f"the largest entry must be between {1 / LARGEST_SCALE:g} and {LARGEST_SCALE:g}"
    require(good, argument, problem, value=largest)


def _masked(values: object) -> bool:
    """Whether it is a masked array, or a list of such."""
    if isinstance(values, list | tuple):
        return any(map(_masked, values))
    return isinstance(values, np.ma.MaskedArray)


def _doubles(given: npt.NDArray[np.generic]) -> Floats:
    """The same numbers; infinite or NaN where one does not fit into a double."""
    if given.dtype.kind == "O":
        return np.array([double(entry) for entry in given.flat]).reshape(given.shape)
    with np.errstate(over="ignore"):  # of long doubles
        return given.astype(np.float64)


def sealed(array: Floats) -> Floats:
    """The same array, read-only from now on."""
    array.flags.writeable = False
    return array


def require_distributions(rows: Floats, argument: str) -> None:
    """Every row along the last axis is a probability vector.

    Dividing a row of `size` doubles by its own sum, and adding it up again, costs fewer than
    `size` roundings (half of them in each sum); four times that is allowed, nothing more (D20).
    """
    require_all(rows >= 0, rows, argument, "a probability must not be negative")
    with np.errstate(over="ignore"):
        sums = rows.sum(axis=-1)
    slack = 4 * rows.shape[-1] * ROUNDING
    require_all(np.abs(sums - 1) <= slack, sums, argument, "the row must sum to one")


def _holds_numbers(given: npt.NDArray[np.generic]) -> bool:
    """Booleans, integers, floats, or objects that all are real numbers (fractions, say)."""
    if given.dtype.kind == "O":
        return all(is_number(entry) for entry in given.flat)
    return given.dtype.kind in "biuf"


class ShortRepr:
    """Shown by its `__repr__` alone, in notebooks and by Hypothesis too: tables fill screens."""

    def _repr_pretty_(self, printer: _Printer, cycle: bool) -> None:  # noqa: ARG002 - their protocol
        printer.text(repr(self))


class _Printer(Protocol):
    def text(self, text: str) -> None: ...
