"""One way to say that an input is not what the paper asks for.

No input is renormalised, clipped or guessed: one outside an item's premises raises `InputError`,
which names the argument, the place inside it, the value found and what is wrong.

Every `require_…` of a number returns it as a plain `float` or `int` of Python: whoever keeps an
argument keeps that, since 200 * 200 is 64 in numpy's smallest integers, and a fraction has no
logarithm.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

UNNAMED = object()
"""In place of a value where none is named: None itself may be what was found."""

LARGEST_COUNT = 10**31
"""Products of a few counts are doubles; bounds are asked for more tasks than anybody will see."""

LARGEST_SEED = 2**128
"""What numpy makes of a seed has 128 bits."""

LARGEST_TABLE = 2**27
"""Numbers in one table, a gigabyte of doubles."""

LEAST_CONFIDENCE = 1e-180
"""8SAn(|Θ|+1)/δ, with counts of `LARGEST_COUNT` at most, is a double; its logarithm is taken."""


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
        found = "" if value is UNNAMED else f" (found {shown(value, quoted)})"
        super().__init__(f"{argument}{where}: {problem}{found}")


def quoted(value: object) -> str:
    """A value as text; what reads like a number and is none says why: by quotes, or its type."""
    text = str(value)
    if is_number(value) or not text.strip("+-. ")[:1].isdigit():
        return text
    return repr(text) if isinstance(value, str) else f"{text} of type {type(value).__name__}"


def shown(value: object, text_of: Callable[[object], str] = str) -> str:
    """What was found, its first 200 characters at most, even if it cannot be written down."""
    try:
        text = text_of(value)
    except Exception:  # an integer of 5000 digits, or whatever its author did
        return f"something of type {type(value).__name__}"
    return text if len(text) <= 200 else text[:200] + " …"


class NotANumberError(ArithmeticError):
    """A quantity that is about to be compared is NaN: nothing that is said of it is true."""

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} is not a number (NaN)")


def require_numbers(**compared: npt.NDArray[np.float64] | float) -> None:
    """Raise `NotANumberError` where a named quantity is, or an array of them holds, NaN."""
    for what, values in compared.items():
        if isinstance(values, int):  # numpy refuses those of more than 64 bits
            continue
        if math.isnan(values) if isinstance(values, float) else np.isnan(values).any():
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


def double(value: object) -> float:
    """A real number as a double; NaN, which is in no interval, for anything else."""
    if not is_number(value):
        return math.nan
    try:
        return float(value)  # type: ignore[arg-type]  # a Real has __float__
    except Exception:  # too large, or a number of somebody's own that fails
        return math.nan


def require_real(
    value: object, good: Callable[[float], bool], argument: str, problem: str
) -> float:
    """A real number of which something is true, as a double."""
    number = double(value)
    require(good(number), argument, problem, value=value)
    return number


def require_discount(gamma: float) -> float:
    """γ ∈ [0, 1)."""
    problem = "the discount factor must lie in [0, 1)"
    return require_real(gamma, lambda x: 0 <= x < 1, "gamma", problem)


def require_confidence(delta: float, argument: str = "delta", least: float = 0.0) -> float:
    """δ ∈ (0, 1), and at least `LEAST_CONFIDENCE` where a logarithm of its inverse is taken."""
    problem = "a failure probability must lie in (0, 1)"
    found = require_real(delta, lambda x: 0 < x < 1, argument, problem)
    require(found >= least, argument, f"must be {least} at least", value=delta)
    return found


def require_probability(probability: float, argument: str) -> float:
    """A probability in [0, 1]."""
    problem = "a probability must lie in [0, 1]"
    return require_real(probability, lambda x: 0 <= x <= 1, argument, problem)


def require_accuracy(epsilon: float) -> float:
    """ε ≥ 0 and finite."""
    problem = "the accuracy must be a number from 0 on, not +inf"
    return require_real(epsilon, lambda x: 0 <= x < math.inf, "epsilon", problem)


def require_error(Delta: float, argument: str = "Delta") -> float:
    """A model error Δ ≥ 0; +inf is allowed and means that nothing is known."""
    return require_real(
        Delta, lambda x: x >= 0, argument, "a model error must be a number from 0 on"
    )


def require_budget(n: int) -> int:
    """n ≥ 1 queries."""
    return require_count(n, "n")


def require_count(value: int, argument: str, least: int = 1) -> int:
    """A number of things, of which there is at least one, or none where `least` is 0."""
    count = require_integer(value, argument, least)
    require(count <= LARGEST_COUNT, argument, f"must be at most {LARGEST_COUNT}", value=value)
    return count


def require_integer(value: int, argument: str, least: int) -> int:
    """An integer, however large."""
    good = is_integer(value) and value >= least
    require(good, argument, f"must be an integer of at least {least}", value=value)
    return int(value)


def require_seed(seed: int) -> int:
    """A seed of 128 bits."""
    found = require_integer(seed, "seed", 0)
    require(found < LARGEST_SEED, "seed", "must be below 2**128", value=seed)
    return found


def require_generator(rng: object) -> None:
    """Random numbers come from a generator that the caller made."""
    good = isinstance(rng, np.random.Generator)
    require(good, "rng", "must be a numpy.random.Generator", value=type(rng).__name__)


def require_below(value: int, bound: int, argument: str, what: str) -> int:
    """The number of a state, an action, a model or a task; counted from 0, none from the end."""
    good = is_integer(value) and 0 <= value < bound
    require(good, argument, f"must be {what} below {bound}", value=value)
    return int(value)


def require_sizes(**sizes: int) -> tuple[int, ...]:
    """Every named size, such as S, A or h, is an integer of at least 1."""
    return tuple(require_count(size, argument) for argument, size in sizes.items())


Word = TypeVar("Word", bound=bool | str)


def require_choice(word: object, known: tuple[Word, ...], argument: str) -> Word:
    """One of a few words, as the member of an enumeration that it names, or True or False."""
    if isinstance(word, bool | str):
        for choice in known:
            if word == choice:
                return choice
    listed = ", ".join(map(str, known))
    raise InputError(argument, f"must be one of {listed}", value=shown(word, repr))


def require_sequence(given: object, argument: str, what: str) -> tuple[Any, ...]:
    """The members of a list, a tuple or anything else that can be gone through; no text."""
    good = isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping)
    require(good, argument, f"must be a list of {what}", value=type(given).__name__)
    try:
        return tuple(given)  # type: ignore[arg-type]  # it is Iterable
    except TypeError as reason:  # an array without axes
        raise InputError(argument, f"must be a list of {what}", value=given) from reason


def require_table(argument: str, *sides: int) -> None:
    """A table with these sides fits into memory; nothing is made."""
    size = math.prod(map(int, sides))
    problem = f"a table of {' × '.join(map(str, sides))} numbers is larger than {LARGEST_TABLE}"
    require(size <= LARGEST_TABLE, argument, problem, value=size)


def settle(record: object, **found: object) -> None:
    """Fields of a frozen dataclass replaced by what they were found to be."""
    for name, value in found.items():
        object.__setattr__(record, name, value)


def require_all(
    good: npt.NDArray[np.bool_], values: npt.NDArray[np.float64], argument: str, problem: str
) -> None:
    """Raise `InputError` at the first entry of an array that is not good."""
    if bool(np.all(good)):
        return
    index = tuple(int(i) for i in np.argwhere(~good)[0])
    raise InputError(argument, problem, index=index, value=float(values[index]))
