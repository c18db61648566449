"""Numbers and arrays in requests and answers: their JSON form, and strict reading."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec
import numpy as np

from ptum.checks.judge.messages.transcript import INFINITY_HINT, Json
from ptum.reference.arrays import Floats, Ints

Kind = Literal["real", "integer", "text", "object", "list of objects"]


class MalformedError(Exception):
    """An answer that cannot be judged: a field is missing, or has a wrong type or shape."""


@dataclass(frozen=True)
class Field:
    """One field of a request or an answer, as documents and schemas show it.

    `shape` names the sides, as in ("S", "A"); an empty shape is a single number. What an `object`
    holds `says` explains. A field that is `optional` may be left out, one that is
    `nullable` may be null.
    """

    name: str
    kind: Kind
    shape: tuple[str, ...]
    says: str
    optional: bool = False
    nullable: bool = False

    @property
    def numeric(self) -> bool:
        """Whether it is a number, or an array of numbers."""
        return self.kind in ("real", "integer")


ANY = "any"
"""The side of a list that may have any length."""


# What several capabilities ask with

TASK_FIELDS = (
    Field("p", "real", ("S", "A", "S"), "p[s][a][s'] is the probability of s' after s and a"),
    Field("q", "real", ("S", "A", "U"), "q[s][a][j] is the probability of the reward u[j]"),
    Field("u", "real", ("U",), "the rewards that occur, in [0, 1]; in any order"),
    Field("gamma", "real", (), "discount factor in [0, 1)"),
)

MODEL_FIELDS = (
    Field("models", "list of objects", ("k",), "tasks {p, q, u} of equal S and A, as in `optimal`"),
    Field("gamma", "real", (), "discount factor in [0, 1)"),
)

ERRORS_FIELD = Field(
    "errors",
    "object",
    (),
    "{r, p, sigma_r, sigma_p}: the constants of Assumption 1, each from 0 to inf",
)

ACTIVE_FIELD = Field("active", "integer", (ANY,), "numbers of the active models, in any order")


BEYOND = 2.0**63
"""The first integer that an array of integers cannot hold."""

NULL_FOR_A_NUMBER = f"null; {INFINITY_HINT}"


def in_json(value: Json) -> str:
    """A value as its sender wrote it."""
    return msgspec.json.encode(value).decode()


def as_json(value: object) -> Json:
    """Arrays, numpy numbers and containers as plain JSON; ±∞ become strings."""
    if isinstance(value, np.ndarray):
        return as_json(value.tolist())
    if isinstance(value, np.generic):
        return as_json(value.item())
    if isinstance(value, Mapping):
        return {str(key): as_json(entry) for key, entry in value.items()}
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, str | bytes):
        entries = sorted(value) if isinstance(value, set | frozenset) else value
        return [as_json(entry) for entry in entries]
    if isinstance(value, float) and math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise MalformedError(f"{type(value).__name__} has no JSON form")


def array(fields: Mapping[str, Json], name: str) -> Floats:
    """A field of real numbers of whatever shape it has; infinite entries allowed, NaN not."""
    return _numbers(_entry(fields, name), name)


def reals(answer: Mapping[str, Json], name: str, shape: tuple[int, ...]) -> Floats:
    """A field of real numbers of this very shape; infinite entries allowed, NaN not."""
    found = array(answer, name)
    if found.shape != shape:
        raise MalformedError(f"{name} has shape {_sides(found.shape)}, not {_sides(shape)}")
    return found


def _sides(shape: tuple[int, ...]) -> str:
    """A shape as JSON has it."""
    return f"{list(shape)}" if shape else "[] (a single number)"


def integers(answer: Mapping[str, Json], name: str, shape: tuple[int, ...]) -> Ints:
    """A field of integers of this very shape."""
    found = reals(answer, name, shape)
    if not np.all(np.isfinite(found)) or np.any(found != np.round(found)):
        raise MalformedError(f"{name} must hold integers")
    if np.any(np.abs(found) >= BEYOND):
        raise MalformedError(f"{name} holds an integer of more than 64 bits")
    return found.astype(np.int64)


def actions(answer: Mapping[str, Json], name: str, S: int, A: int) -> Ints:
    """A policy: an action from 0 to A-1 for every state."""
    found = integers(answer, name, (S,))
    if np.any((found < 0) | (found >= A)):
        raise MalformedError(f"{name} must hold actions from 0 to {A - 1}")
    return found


def labels(answer: Mapping[str, Json], name: str, below: int) -> tuple[int, ...]:
    """A field that lists numbers of models, in any order, none twice."""
    entry = _entry(answer, name)
    if not isinstance(entry, list):
        raise MalformedError(f"{name} must be a list of model numbers")
    found = integers(answer, name, (len(entry),)).tolist()
    if len(set(found)) != len(found):
        raise MalformedError(f"{name} lists a model twice")
    if any(not 0 <= label < below for label in found):
        raise MalformedError(f"{name} must hold numbers from 0 to {below - 1}")
    return tuple(sorted(found))


def _entry(answer: Mapping[str, Json], name: str) -> Json:
    if name not in answer:
        raise MalformedError(
            f"the answer has no field {in_json(name)}; it has {in_json(sorted(answer))}"
        )
    return answer[name]


def _numbers(entry: Json, name: str) -> Floats:
    """Nested lists as an array; rows of different lengths have none."""
    if isinstance(entry, list):
        if all(type(number) in (int, float) for number in entry):
            return _finite_or_infinite(entry, name)
        rows = [_numbers(row, name) for row in entry]
        if len({row.shape for row in rows}) > 1:
            raise MalformedError(f"{name} has rows of different lengths")
        return np.array(rows, dtype=np.float64)
    if entry in ("inf", "-inf"):
        return np.array(float(str(entry)))
    if isinstance(entry, bool) or not isinstance(entry, int | float):
        found = NULL_FOR_A_NUMBER if entry is None else in_json(entry)
        raise MalformedError(f"{name} must hold numbers, not {found}")
    return _finite_or_infinite(entry, name)


def _finite_or_infinite(entry: float | list[float], name: str) -> Floats:
    """One number, or a row of them, without NaN."""
    try:
        numbers = np.array(entry, dtype=np.float64)
    except OverflowError as reason:
        raise MalformedError(f"{name} holds an integer beyond all doubles") from reason
    if np.any(np.isnan(numbers)):
        raise MalformedError(f"{name} holds NaN")
    return numbers
