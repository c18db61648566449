"""What a panel is: its axes and curves, what one run of it measures, what is tested of that."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import msgspec
import numpy as np

from ptum.checks.reproduce.findings import Declared
from ptum.checks.text.machine import Machine
from ptum.checks.text.schema_docs import means
from ptum.spec.reproduction import choices

Options: TypeAlias = Mapping[str, str]
"""The option of every choice of a panel, by the id of its decision."""
Parameters: TypeAlias = Mapping[str, float | int | str]
"""What the paper gives, by name."""

DEFAULT = "default"
REPAIRED_LATER = (
    "the dashed curve was added after the first full run; what was measured before it, and every "
    "test, stayed as it was"
)
"""History of a panel with a repaired curve."""


@dataclass(frozen=True)
class Curve:
    """One line of a picture; that of a repaired algorithm is dashed, and no test is about it.

    It has no `band` of intervals where runs do not vary.
    """

    name: str
    label: str
    repaired: bool = False
    band: bool = True


@dataclass(frozen=True)
class Axis:
    """What an axis shows, with its unit; with `steps` values between two places are those of one.

    It is the left one (`post`) or the right one (`pre`). With `names` its places are 0, 1, … and
    have these names, and nothing is between them. `signed`: the numbers may be negative; of others
    no interval is drawn below 0. At `most` one stops looking: a number there may be larger.
    """

    label: str
    log: bool = False
    steps: Literal["post", "pre"] | None = None
    names: tuple[str, ...] = ()
    signed: bool = False
    most: float = math.inf


class Lost(msgspec.Struct, frozen=True, kw_only=True):
    """A policy of a sequence of tasks that is not ε-optimal, and why."""

    variant: Annotated[str, means("which variant returned it")]
    task: Annotated[int, means("number of the transfer task, from 1 on")]
    loss: Annotated[float, means("how much its value is below the optimum in the worst state")]
    missing: Annotated[bool, means("whether the target was missing from the initial set")]
    step: Annotated[
        Literal["ordinary", "rare"],
        means("how the chain came there: to the next task, or by staying or skipping one"),
    ]
    lasted: Annotated[int, means("tasks in a row whose targets were missing, with this one")]
    end: Annotated[str, means("how PTUM ended")]


@dataclass(frozen=True)
class Measured:
    """What one run of a panel measured: a value of every curve at every x, and its numbers.

    All of them are finite. `machine` is where it ran; a unit writes it down.
    """

    curves: Mapping[str, Sequence[float]]
    numbers: Mapping[str, float]
    lost: Sequence[Lost] = ()
    machine: Machine | None = None

    def __post_init__(self) -> None:
        numbers = {name: [value] for name, value in self.numbers.items()}
        for name, values in (*self.curves.items(), *numbers.items()):
            if not np.isfinite(values).all():
                raise ValueError(f"{name} is not finite")


@dataclass(frozen=True)
class Seed:
    """Where the randomness of one unit comes from: nothing but what names the unit."""

    seed: int
    panel: str
    variant: str
    run: int

    def generator(self, name: str) -> np.random.Generator:
        """A stream of its own for every name."""
        words = zlib.crc32(f"{self.panel}/{self.variant}/{name}".encode())
        return np.random.default_rng([self.seed, words, self.run])

    def number(self, name: str) -> int:
        """A seed for a simulator."""
        return int(self.generator(name).integers(2**63))


@dataclass(frozen=True)
class Panel:
    """One panel of a figure; `x` gives the places of the curves for a way to settle choices.

    Whoever changes what a run measures raises `revision`: results of another one are not mixed.
    `says` is what the paper says of the panel, in our words; `notes` what a reader must know of
    how it is reproduced. What was changed after a look at results is in `history`.

    A panel may show other curves of the same runs as another one, which is then its `source`; of
    the numbers of a run it keeps `numbers`, or all. Repaired curves, and numbers of them, are of
    runs with default choices alone: alternatives are not drawn.
    """

    id: str
    title: str
    says: str
    notes: str
    parameters: Parameters
    x_axis: Axis
    y_axis: Axis
    curves: tuple[Curve, ...]
    x: Callable[[Options], Sequence[float]]
    run: Callable[[Options, Seed], Measured]
    declared: tuple[Declared, ...]
    revision: int = 1
    history: tuple[str, ...] = ()
    source: str = ""
    numbers: tuple[str, ...] = ()
    never: float = math.inf
    """What a number is, of those that tests name as `seen`, where a run ended before it was."""
    explains: bool = False
    """Whether policies that are not ε-optimal are looked at one by one."""

    @property
    def units(self) -> str:
        """The panel whose runs it shows."""
        return self.source or self.id

    def variants(self) -> dict[str, Options]:
        """All defaults, and every alternative with the defaults of the other choices."""
        usual = {choice.decision: choice.default for choice in choices(self.units)}
        found: dict[str, Options] = {DEFAULT: usual}
        for choice in choices(self.units):
            for option in choice.alternatives:
                found[f"{choice.decision}={option}"] = {**usual, choice.decision: option}
        return found
