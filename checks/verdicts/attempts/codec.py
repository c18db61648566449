"""Instances as tagged JSON, so that an attempt can be stored and evaluated again.

| value                          | JSON                                                  |
| ------------------------------ | ----------------------------------------------------- |
| None, bool, int, str           | itself                                                |
| finite float                   | itself (shortest text that reads back the same)       |
| other float                    | {"float": "inf"}                                      |
| Fraction                       | {"fraction": "3/7"}                                   |
| tuple, list, frozenset, dict   | {"tuple": [...]}, {"list": [...]}, {"set": [...]}, …  |
| array                          | {"array": [...], "dtype": "float64", "shape": [2, 3]} |
| numpy number                   | {"number": 1.5, "dtype": "float64"}                   |
| enum                           | {"enum": "Word", "value": "holds"}                    |
| frozen dataclass               | {"record": "Name", "fields": {...}}                   |
| sets of approximate models     | {"models": [tasks]}: all else follows from the tasks  |

Reading builds nothing but the records and enums that `checks/verdicts/attempts/names` lists, by
their constructors, so a file cannot run anything else. What has no JSON, a function say, is
refused with the place where it was found.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import TypeAlias, TypeVar

import numpy as np

from ptum.checks.verdicts.attempts.names import name_of, type_of
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, approximate_models

T = TypeVar("T")
Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

NAMES = "checks/verdicts/attempts/names"
NUMBERS = ("float64", "int64", "bool", "int8", "int32", "uint8", "uint64")


class NoJsonError(TypeError):
    """A value that cannot be written down, or text that cannot be read."""


def encode(instance: object) -> str:
    """The instance as JSON on one line."""
    return json.dumps(_written(instance, "instance"), ensure_ascii=False, allow_nan=False)


def decode(text: str) -> object:
    """The instance behind the text."""
    return _read(json.loads(text))


# Writing


def _written(value: object, place: str) -> Json:
    match value:
        case Enum():  # before str: the words of a vocabulary are both
            return {"enum": _name(type(value), place), "value": _written(value.value, place)}
        case None | bool() | str():
            return value
        case np.ndarray():
            return _written_array(value, place)
        case np.generic():
            return {"number": value.item(), "dtype": _dtype(value.dtype, place)}
        case int():
            return value
        case float():
            return value if math.isfinite(value) else {"float": repr(value)}
        case Fraction():
            return {"fraction": str(value)}
        case ApproximateModels():
            return {"models": _all(value.tasks, place)}
    return _written_whole(value, place)


def _written_whole(value: object, place: str) -> Json:
    match value:
        case tuple():
            return {"tuple": _all(value, place)}
        case list():
            return {"list": _all(value, place)}
        case frozenset() | set():
            return {"set": _all(sorted(value), place)}
        case dict():
            return {"dict": [_all(item, place) for item in value.items()]}
    if not is_dataclass(value) or isinstance(value, type):
        raise NoJsonError(f"{place} is a {type(value).__name__}, which has no JSON")
    held = {
        field.name: _written(getattr(value, field.name), f"{place}.{field.name}")
        for field in fields(value)
        if field.init
    }
    return {"record": _name(type(value), place), "fields": held}


def _all(values: Iterable[object], place: str) -> list[Json]:
    return [_written(value, f"{place}[{number}]") for number, value in enumerate(values)]


def _written_array(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]], place: str) -> Json:
    entries = [_written(entry, place) for entry in array.ravel().tolist()]
    return {"array": entries, "dtype": _dtype(array.dtype, place), "shape": list(array.shape)}


def _dtype(dtype: np.dtype[np.generic], place: str) -> str:
    if dtype.name not in NUMBERS:
        raise NoJsonError(f"{place} holds numpy's {dtype.name}, which has no JSON")
    return dtype.name


def _name(kind: type[object], place: str) -> str:
    name = name_of(kind)
    if name is None:
        raise NoJsonError(f"{place} is a {kind.__qualname__}, which has no name in {NAMES}")
    return name


# Reading


def _read(value: Json) -> object:
    if not isinstance(value, dict):
        if isinstance(value, list):
            raise NoJsonError("a list stands without its tag")
        return value
    tag = next(iter(value), "")
    held = value.get(tag)
    match tag, held:
        case "float", str():
            return float(held)
        case "fraction", str():
            return Fraction(held)
        case (("tuple" | "list" | "set" | "dict" | "models"), list()):
            return _read_many(tag, held)
        case "array", list():
            entries = [_read(entry) for entry in held]
            array = np.array(entries, dtype=_known(value["dtype"])).reshape(_shape(value["shape"]))
            array.flags.writeable = False
            return array
        case "number", _:
            number: object = np.dtype(_known(value["dtype"])).type(held)
            return number
        case "enum", str():
            kind = _type(held)
            if issubclass(kind, Enum):
                return kind(_read(value["value"]))
        case "record", str():
            return _read_record(held, value["fields"])
    raise NoJsonError(f"no value of this project is written with the tag {tag!r}")


def _read_many(tag: str, held: list[Json]) -> object:
    if tag == "dict":
        return dict([_read_item(item) for item in held])
    items = [_read(item) for item in held]
    if tag == "models":
        return approximate_models(_only(MDP, items))
    if tag == "list":
        return items
    return tuple(items) if tag == "tuple" else frozenset(items)


def _read_item(item: Json) -> tuple[object, object]:
    if not isinstance(item, list) or len(item) != 2:
        raise NoJsonError("a dict has entries of a key and a value")
    key, value = item
    return _read(key), _read(value)


def _read_record(name: str, held: Json) -> object:
    kind = _type(name)
    if not is_dataclass(kind) or not isinstance(held, dict):
        raise NoJsonError(f"{name} is not a record")
    built: object = kind(**{field: _read(entry) for field, entry in held.items()})
    return built


def _type(name: str) -> type[object]:
    """A type with a permanent name; nothing else is imported."""
    found = type_of(name)
    if found is None:
        raise NoJsonError(f"{name} has no place in {NAMES}")
    return found


def _known(dtype: Json) -> str:
    if dtype not in NUMBERS or not isinstance(dtype, str):
        raise NoJsonError(f"arrays do not hold {dtype!r} here")
    return dtype


def _shape(shape: Json) -> tuple[int, ...]:
    if not isinstance(shape, list):
        raise NoJsonError("the shape of an array is a list")
    return tuple(_only(int, shape))


def _only(kind: type[T], items: Iterable[object]) -> list[T]:
    """All items, if they are of that type."""
    found = []
    for item in items:
        if not isinstance(item, kind):
            raise NoJsonError(f"{kind.__name__} expected, not {type(item).__name__}")
        found.append(item)
    return found
