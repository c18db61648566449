"""What happens in a run of Algorithm 1, as a sequence of events, and its JSON-lines form.

The format is versioned and the same for our own runs and for anybody else's: one JSON object per
line, the first a `start`, the last a `stop`, and in between, for every iteration t, the
eliminations of line 12 and then the `query` of line 18 with the `sample` of line 19. Numbers are
written so that reading them back gives the same double; an infinite model error is the string
"inf".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Literal, TypeAlias

import msgspec

from ptum.reference.errors import InputError

SCHEMA: Literal["ptum-transcript/1"] = "ptum-transcript/1"

ErrorSize: TypeAlias = float | Literal["inf"]
Index: TypeAlias = Annotated[int, msgspec.Meta(ge=0)]
"""Of a state, an action or a model: a negative one is refused where a transcript is read."""
Iteration: TypeAlias = Annotated[int, msgspec.Meta(ge=1)]

UNREADABLE = (msgspec.DecodeError, ValueError, TypeError, OverflowError, RecursionError)
"""No text, no UTF-8, no JSON, not what is meant, numbers too large, nested too deep."""


class _Event(msgspec.Struct, frozen=True, tag_field="event", forbid_unknown_fields=True):
    """Every line names its kind in the field `event`."""


class Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One approximate model M̃_θ: p[s][a][s'], q[s][a][j] and the reward values u[j]."""

    p: list[list[list[float]]]
    q: list[list[list[float]]]
    u: list[float]


class Errors(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The four constants of Assumption 1; equal ones stand for a single Δ."""

    r: ErrorSize
    p: ErrorSize
    sigma_r: ErrorSize
    sigma_p: ErrorSize


class Start(_Event, frozen=True, tag="start"):
    """The inputs of a run."""

    models: tuple[Model, ...]
    gamma: float
    errors: Errors
    epsilon: float
    delta: float
    n: int
    schema: Literal["ptum-transcript/1"] = SCHEMA


class Elimination(_Event, frozen=True, tag="elimination"):
    """Line 12: model θ fails an equation at a pair in iteration t; θ' for equations (2) and (4)."""

    t: Iteration
    theta: Index
    equation: Literal[1, 2, 3, 4]
    s: Index
    a: Index
    theta_prime: Index | None


class Query(_Event, frozen=True, tag="query"):
    """Line 18: the pair chosen in iteration t."""

    t: Iteration
    s: Index
    a: Index


class Sample(_Event, frozen=True, tag="sample"):
    """Line 19: the answer to the query of iteration t."""

    t: Iteration
    reward: float
    successor: Index


class Stop(_Event, frozen=True, tag="stop"):
    """How the run ended, and before which query: t is one more than the number of queries.

    For a run that ends inside the loop t is the iteration it ends in; after an exhausted budget it
    is n + 1. θ is the model whose policy was returned, if any; the policy may be the fallback's.
    """

    t: Iteration
    end: str
    theta: Index | None
    policy: tuple[Index, ...] | None


Event: TypeAlias = Start | Elimination | Query | Sample | Stop
Observer: TypeAlias = Callable[[Event], None]


def error_size(Delta: float) -> ErrorSize:
    """A model error as the transcript writes it."""
    return "inf" if math.isinf(Delta) else float(Delta)


def to_lines(events: Iterable[Event]) -> Iterator[str]:
    """A transcript, one line of JSON for every event."""
    return (msgspec.json.encode(event).decode() for event in events)


def from_lines(lines: Iterable[str]) -> tuple[Event, ...]:
    """Read a transcript back; a line that is not an event raises `InputError` with its number."""
    decoder = msgspec.json.Decoder[Event](Event)
    events = []
    for number, line in enumerate(lines, start=1):
        try:
            events.append(decoder.decode(line))
        except UNREADABLE as reason:
            raise InputError(f"transcript line {number}", str(reason)) from reason
    return tuple(events)
