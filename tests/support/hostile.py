"""Values that nobody should hand over, and what an argument may be.

A `Kind` says which plain value a given one stands for, or that it stands for none. It is written
without the code that it tests: `ptum.reference.errors` has no part in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real

import numpy as np
import numpy.typing as npt

NOTHING = object()
"""What a value stands for that is not of the kind."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Kind:
    """`meant` is the plain value that something stands for, or `NOTHING`.

    Values that `takes_long` would be answered, but not in this life; they are not tried.
    """

    meant: Callable[[object], object]
    takes_long: Callable[[object], bool] = lambda _: False


def number(
    low: float, high: float, ends: str = "[]", slow: Callable[[float], bool] = lambda _: False
) -> Kind:
    """A real number between two others; `ends` says which of them belong to it."""

    def meant(value: object) -> object:
        plain = _double(value)
        if plain is None:
            return NOTHING
        above = plain >= low if ends[0] == "[" else plain > low
        below = plain <= high if ends[1] == "]" else plain < high
        return plain if above and below else NOTHING

    def takes_long(value: object) -> bool:
        plain = meant(value)
        return isinstance(plain, float) and slow(plain)

    return Kind(meant, takes_long)


def integer(least: int, most: int = 10**31, quick: int = 10**31) -> Kind:
    """An integer; from `quick` on it takes long."""

    def meant(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, Integral):
            return NOTHING
        return int(value) if least <= int(value) <= most else NOTHING

    def takes_long(value: object) -> bool:
        plain = meant(value)
        return isinstance(plain, int) and plain > quick

    return Kind(meant, takes_long)


def array(*shape: int, good: Callable[[Floats], bool] = lambda _: True) -> Kind:
    """Finite real numbers in this shape (-1: any length) of which something is true."""

    def meant(value: object) -> object:
        plain = _doubles(value)
        if plain is None or plain.ndim != len(shape) or not np.isfinite(plain).all():
            return NOTHING
        fits = all(side in (-1, found) for side, found in zip(shape, plain.shape, strict=True))
        return plain if fits and plain.size and good(plain) else NOTHING

    return Kind(meant)


def stochastic(found: Floats) -> bool:
    """Rows are distributions."""
    return bool((found >= 0).all() and (found <= 1.001).all()) and bool(
        np.allclose(found.sum(axis=-1), 1, atol=1e-12)
    )


def columns_stochastic(found: Floats) -> bool:
    """Columns are distributions."""
    return stochastic(found.T)


def unit(found: Floats) -> bool:
    """All entries in [0, 1]."""
    return bool(((found >= 0) & (found <= 1)).all())


def counts(found: Floats) -> bool:
    """Whole numbers, some in every row."""
    return bool(np.all((found >= 0) & (found % 1 == 0)) and found.any(axis=-1).all())


def moderate(found: Floats) -> bool:
    """Products of a few entries are doubles with all their digits."""
    return bool(found.any()) <= bool(1e-60 < np.abs(found).max() < 1e60)


def one_of(*words: object) -> Kind:
    """A word, or True or False."""

    def meant(value: object) -> object:
        if not isinstance(value, str | bool):
            return NOTHING
        alike = [word for word in words if isinstance(value, bool) == isinstance(word, bool)]
        return next((word for word in alike if value == word), NOTHING)

    return Kind(meant)


def instance(*types: type, also: tuple[object, ...] = ()) -> Kind:
    """An object of one of these types, or one of a few values."""

    def meant(value: object) -> object:
        known = isinstance(value, types) or any(value is one for one in also)
        return value if known else NOTHING

    return Kind(meant)


def labels(k: int, least: int = 0, *, repeated: bool = False) -> Kind:
    """Numbers below k, different ones or not."""

    def meant(value: object) -> object:
        if isinstance(value, str | bytes | dict) or not hasattr(value, "__iter__"):
            return NOTHING
        if isinstance(value, np.ndarray) and value.ndim == 0:
            return NOTHING
        if not isinstance(value, list | tuple | set | frozenset | range | np.ndarray):
            return value  # an iterator, which can be looked at only once
        plain = list(value)
        whole = all(isinstance(x, Integral) and not isinstance(x, bool) for x in plain)
        if not whole or not all(0 <= x < k for x in plain) or len(plain) < least:
            return NOTHING
        different = len(set(plain)) == len(plain)
        return tuple(map(int, plain)) if different or repeated else NOTHING

    return Kind(meant)


def _double(value: object) -> float | None:
    """The double that something stands for, if it does."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return float(value)
    except (OverflowError, RuntimeError):
        return None


def _doubles(value: object, depth: int = 0) -> Floats | None:
    """The array of doubles that something stands for, if it does."""
    if depth > 5:
        return None
    if isinstance(value, list | tuple):
        parts = [_doubles(part, depth + 1) for part in value]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts) or len({part.shape for part in known}) > 1:
            return None
        return np.array(known, dtype=np.float64)
    if isinstance(value, np.ma.MaskedArray | _Broken):
        return None
    if isinstance(value, bool):
        return np.array(float(value)) if depth else None
    if isinstance(value, Real) or (isinstance(value, np.ndarray) and value.dtype.kind == "O"):
        try:
            entries = np.asarray(value, dtype=object)
            if any(isinstance(x, bool) or not isinstance(x, Real) for x in entries.flat):
                return None
            return np.array([float(x) for x in entries.flat]).reshape(entries.shape)
        except OverflowError:
            return None
    if isinstance(value, memoryview | range):
        return np.array(value, dtype=np.float64)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        with np.errstate(all="ignore"):
            return np.array(value, dtype=np.float64)
    return None


class _MyFloat(float):
    """A float of somebody's own."""


class _MyInt(int):
    """An integer of somebody's own."""


class _Broken(float):
    """Does not become a float."""

    def __float__(self) -> float:
        raise RuntimeError("no float")


class _Loud:
    """Has no text, no truth and no array."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")

    def __bool__(self) -> bool:
        raise RuntimeError("no truth")

    def __array__(self, *given: object, **named: object) -> Floats:
        raise RuntimeError("no array")


def _endless() -> list[object]:
    inside: list[object] = []
    inside.append(inside)
    return inside


def _deep() -> object:
    inside: object = 0.5
    for _ in range(100):
        inside = [inside]
    return inside


Make = Callable[[], object]


def _always(value: object) -> Make:
    return lambda: value


SCALARS: tuple[Make, ...] = (
    *map(
        _always,
        (
            *(None, True, False, np.True_, "", "0.5", "three", b"1", [], (), {}, set(), int, len),
            *(math.nan, math.inf, -math.inf, -1, 0, 1, 2, 3, 0.5, -0.5, 1.0, 1.5, -0.0, 5e-324),
            *(1e-200, 1e-3, 0.999, 1e300, 1.7e308, -1e308, 10**18, 2**63, 2**64),
            *(10**400, -(10**400), 10**5000, 1j),
            *(Fraction(1, 2), Fraction(10**400), Fraction(1, 10**400), Decimal("0.5")),
            *(np.float32(0.5), np.float16(0.25), np.longdouble("0.5"), np.longdouble("1e4000")),
            *(np.int8(3), np.uint8(2), np.int64(1), np.uint64(2**63), np.float64(0.25)),
            *(np.array(0.5), np.array(2), np.array([0.5]), np.array([]), np.array(["a"])),
            *(np.ma.masked, np.datetime64("2020"), np.str_("0.5")),
            *(_MyFloat(0.5), _MyInt(2), _Broken(0.5), range(3)),
            *([0.5], [[0.5]], [None], [1, "a"], [-1], [True], [0, 0], [[1], [2, 3]], ("a", 1)),
        ),
    ),
    object,
    _Loud,
    _endless,
    _deep,
    lambda: iter([]),
    lambda: iter([0.5]),
    lambda: iter("abc"),
)


NUMBERS = (np.float64, np.float32, np.longdouble, Fraction, str, complex, _MyFloat)
INTEGERS = (np.uint8, np.int16, float, _MyInt)
DTYPES = (object, np.float32, np.float16, np.longdouble, complex, str, bool, np.int8)


def around(value: object) -> Iterator[Make]:
    """What is nearly a good value: an array in other clothes, a number of another type."""
    if isinstance(value, np.ndarray | list):
        yield from _around_array(np.array(value))
    elif isinstance(value, float | int) and not isinstance(value, bool):
        small = isinstance(value, int) and 0 <= value < 100
        for kind in (*NUMBERS, *(INTEGERS if small else ())):
            yield _always(kind(value))
        yield from map(_always, (-value, [value], np.array(value)))


def _around_array(plain: npt.NDArray[np.generic]) -> Iterator[Make]:
    if plain.dtype.kind not in "iuf" or not plain.ndim:
        return
    doubles = plain.astype(np.float64)
    first = np.arange(doubles.size).reshape(doubles.shape) == 0
    with np.errstate(all="ignore"):
        cast = [plain.astype(dtype) for dtype in DTYPES]
    yield from map(
        _always,
        (
            *(plain.tolist(), tuple(plain.tolist()), *cast),
            *(np.ma.array(doubles, mask=first), np.ma.array(doubles)),
            [np.ma.array(row, mask=True) for row in doubles],
            *(doubles * factor for factor in (1e300, 1e-300, -1, 0, 2, 1 + 1e-9)),
            *(np.where(first, entry, doubles) for entry in (math.nan, math.inf, -0.5, 1e308)),
            *(doubles.T, doubles.ravel(), doubles[np.newaxis], doubles[:-1], doubles[..., :-1]),
            *(doubles[..., :0], np.concatenate([doubles, doubles]), np.asfortranarray(doubles)),
            *(doubles.view(np.recarray), np.repeat(doubles, 2, axis=0)[::2]),
            np.array([Fraction(x).limit_denominator(10**6) for x in doubles.ravel()]),
            np.zeros(2, dtype=[("a", float)]),
        ),
    )
