"""Whether the judge could have made a request: it has the right fields, and their numbers fit.

Requests that are read from a file may have been changed. What is judged must be a question to which
the paper has an answer: a discount of 1.5 has none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ptum.checks.judge.messages.fields import (
    ANY,
    TASK_FIELDS,
    Field,
    MalformedError,
    array,
    in_json,
    integers,
    labels,
    reals,
)
from ptum.checks.judge.messages.parsing import ERRORS, mapping
from ptum.checks.judge.messages.transcript import Fields, Json
from ptum.reference.arrays import Floats


class Range(NamedTuple):
    """Where all numbers of a field are; `open_below` and `open_above` exclude the ends."""

    low: float
    high: float = math.inf
    open_below: bool = False
    open_above: bool = False

    def __str__(self) -> str:
        """As an interval."""
        left, right = "(" if self.open_below else "[", ")" if self.open_above else "]"
        return f"{left}{self.low:g}, {self.high:g}{right}"

    def holds(self, numbers: Floats) -> bool:
        """Whether all of them are inside."""
        above = numbers > self.low if self.open_below else numbers >= self.low
        below = numbers < self.high if self.open_above else numbers <= self.high
        return bool(np.all(above & below))


COUNTS = ("n", "k", "S", "A", "m", "d", "h", "n_post", "components", "L")
SIZES = ("epsilon", "N", "sigma_r", "sigma_p", "e_T")
RHO = ("rho", "rho_r", "rho_p", "rho_sigma_r", "rho_sigma_p", "rho_T", "rho_3", "rho_4", "rho_6")
RANGES: Mapping[str, Range] = {
    **dict.fromkeys(("p", "q", "u", "reward", "eta"), Range(0, 1)),
    **dict.fromkeys(("delta", "delta_prime"), Range(0, 1, open_below=True, open_above=True)),
    **dict.fromkeys((*SIZES, *RHO), Range(0)),
    **dict.fromkeys(COUNTS, Range(1)),
    "gamma": Range(0, 1, open_above=True),
}
"""By the name of a field; what is not named may be any number."""

BELOW = {"pi": "A", "s": "S", "a": "A", "successor": "S"}
"""Fields that number states or actions, with the side that counts these."""

LABELS = ("active", "theta_bar")
"""Fields that list models."""

Sides = dict[str, int]
"""How long the named sides of arrays are; all fields have to agree."""


def require_request(fields: Sequence[Field], request: Fields) -> None:
    """Raise `MalformedError` if a request has other fields than these, or they do not fit."""
    names = [field.name for field in fields]
    if sorted(names) != sorted(request):
        text = f"a request has the fields {in_json(sorted(names))}, not {in_json(sorted(request))}"
        raise MalformedError(text)
    sides: Sides = {}
    for field in fields:
        match field.kind:
            case "real" | "integer":
                _require_numbers(field, request, sides)
            case "list of objects":
                _require_models(request[field.name], sides)
            case _:
                _require_errors(request)


def _require_numbers(field: Field, request: Fields, sides: Sides) -> None:
    name, found = field.name, array(request, field.name)
    _require_sides(field, found.shape, sides)
    if field.kind == "integer":
        integers(request, name, found.shape)
    if name in RANGES and not RANGES[name].holds(found):
        raise MalformedError(f"{name} is outside {RANGES[name]}")
    if name in LABELS:
        labels(request, name, sides["k"])
    if name in BELOW and not Range(0, sides[BELOW[name]], open_above=True).holds(found):
        raise MalformedError(f"{name} must be below {BELOW[name]} = {sides[BELOW[name]]}")


def _require_sides(field: Field, shape: tuple[int, ...], sides: Sides) -> None:
    """The number of sides, and of those that have a name also their lengths."""
    fits = len(shape) == len(field.shape) and all(
        side == ANY or sides.setdefault(side, length) == length
        for side, length in zip(field.shape, shape, strict=True)
    )
    if not fits:
        expected = ", ".join(f"{side} = {sides[side]}" for side in field.shape if side in sides)
        text = f"{field.name} has shape {list(shape)}, not [{', '.join(field.shape)}]"
        raise MalformedError(f"{text}; {expected}" if expected else text)


def _require_models(models: Json, sides: Sides) -> None:
    """Tasks that have states and actions in common; each may have rewards of its own."""
    if not isinstance(models, list) or not models:
        raise MalformedError("models must be a list of tasks, at least one")
    parts = [field for field in TASK_FIELDS if field.name != "gamma"]
    for place, model in enumerate(models):
        if not isinstance(model, Mapping) or sorted(model) != sorted(part.name for part in parts):
            raise MalformedError(f"models[{place}] must be an object with p, q and u")
        try:
            for part in parts:
                _require_numbers(part, dict(model), sides)
        except MalformedError as reason:
            raise MalformedError(f"models[{place}]: {reason}") from reason
        del sides["U"]
    sides["k"] = len(models)


def _require_errors(request: Fields) -> None:
    errors = mapping(request, "errors")
    if sorted(errors) != sorted(ERRORS):
        raise MalformedError(f"errors must be an object with {', '.join(ERRORS)}")
    for name in ERRORS:
        if not Range(0).holds(reals(errors, name, ())):
            raise MalformedError(f"errors.{name} is outside {Range(0)}")
