"""One way to say that an input is not what the paper asks for.

No input is renormalised, clipped or guessed: one outside an item's premises raises `InputError`,
which names the argument, the place inside it, the value found and what is wrong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from numbers import Integral, Real

import numpy as np
import numpy.typing as npt

UNNAMED = object()
"""In place of a value where none is named: None itself may be what was found."""


class InputError(ValueError):
    """An argument violates a premise."""

    def __init__(
        self,
        argument: str,
        problem: str,
        *,
        index: tuple[int, ...] | None = None,
        value: object = UNNAMED,
    ) -> None:
        self.argument = argument
        self.problem = problem
        self.index = index
        self.value = None if value is UNNAMED else value
        where = "" if index is None else "[" + ", ".join(map(str, index)) + "]"
        found = "" if value is UNNAMED else f" (found {value})"
        super().__init__(f"{argument}{where}: {problem}{found}")


class NotANumberError(ArithmeticError):
    """A quantity that is about to be compared is NaN: nothing that is said of it is true."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is not a number (NaN)")


def require_numbers(**compared: npt.NDArray[np.float64] | float) -> None:
    """Raise `NotANumberError` where a named quantity is, or an array of them holds, NaN."""
    for what, values in compared.items():
        if np.isnan(values).any():
            raise NotANumberError(what)


def largest(*numbers: float) -> float:
    """max{…} of numbers, refusing NaN: Python's `max` drops one that does not come first."""
    require_numbers(numbers=np.array(numbers, dtype=np.float64))
    return max(numbers)


def least(*numbers: float) -> float:
    """min{…} of numbers, refusing NaN."""
    require_numbers(numbers=np.array(numbers, dtype=np.float64))
    return min(numbers)


@dataclass(frozen=True, slots=True, eq=False)  # having no fields, all of them would be equal
class Numeric:
    """A result none of whose numbers, alone or in arrays, is NaN: it can be compared."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, float | np.ndarray):
                require_numbers(**{field.name: value})


def require(
    condition: bool,
    argument: str,
    problem: str,
    *,
    index: tuple[int, ...] | None = None,
    value: object = UNNAMED,
) -> None:
    """Raise `InputError` unless the premise holds."""
    if not condition:
        raise InputError(argument, problem, index=index, value=value)


def is_number(value: object) -> bool:
    """A real number of Python or numpy; no truth value, no string that reads like a number."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_integer(value: object) -> bool:
    """An integer of Python or numpy; 2.0 is none."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def require_discount(gamma: float) -> None:
    """γ ∈ [0, 1)."""
    good = is_number(gamma) and 0 <= gamma < 1
    require(good, "gamma", "the discount factor must lie in [0, 1)", value=gamma)


def require_confidence(delta: float, argument: str = "delta") -> None:
    """δ ∈ (0, 1)."""
    good = is_number(delta) and 0 < delta < 1
    require(good, argument, "a failure probability must lie in (0, 1)", value=delta)


def require_probability(probability: float, argument: str) -> None:
    """A probability in [0, 1]."""
    good = is_number(probability) and 0 <= probability <= 1
    require(good, argument, "a probability must lie in [0, 1]", value=probability)


def require_accuracy(epsilon: float) -> None:
    """ε ≥ 0 and finite."""
    good = is_number(epsilon) and 0 <= epsilon < math.inf
    require(good, "epsilon", "the accuracy must be a number from 0 on, not +inf", value=epsilon)


def require_error(Delta: float, argument: str = "Delta") -> None:
    """A model error Δ ≥ 0; +inf is allowed and means that nothing is known."""
    good = is_number(Delta) and Delta >= 0
    require(good, argument, "a model error must be a number from 0 on", value=Delta)


def require_budget(n: int) -> None:
    """n ≥ 1 queries."""
    require_count(n, "n")


def require_count(value: int, argument: str) -> None:
    """A number of things, of which there is at least one."""
    good = is_integer(value) and value >= 1
    require(good, argument, "must be an integer of at least 1", value=value)


def require_sizes(**sizes: int) -> None:
    """Every named size, such as S, A or h, is an integer of at least 1."""
    for argument, size in sizes.items():
        require_count(size, argument)


def require_all(
    good: npt.NDArray[np.bool_], values: npt.NDArray[np.float64], argument: str, problem: str
) -> None:
    """Raise `InputError` at the first entry of an array that is not good."""
    if bool(np.all(good)):
        return
    index = tuple(int(i) for i in np.argwhere(~good)[0])
    raise InputError(argument, problem, index=index, value=float(values[index]))
