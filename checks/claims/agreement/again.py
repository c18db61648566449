"""What has no formula of the ledger: computed a second time, in another way, at drawn inputs.

Both ways are double precision. Roundings on the way to a number, times the condition number of
what it is made of, are fewer than 10⁷: long sums, of fewer than 10⁴ terms, have condition numbers
below a hundred; singular values of small moments, with fewer than 10³ operations, below 10⁴. So the
two may part by 10⁷ · 1.1e-16 ≈ `SAME` of the largest number; what is counted or exact, not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ptum.checks.verdicts.check import Context
from ptum.checks.verdicts.registry import Registry

SAME = 1e-9

Pairs: TypeAlias = Mapping[str, tuple[object, object]]
"""What the reference answers and what it should, by name."""
Draw: TypeAlias = Callable[[np.random.Generator], Pairs]
"""All of it at inputs from this generator."""


@dataclass(frozen=True)
class SecondComputation:
    """Something of a claim that is computed twice, on so many drawn inputs in the quick profile."""

    claim: str
    draw: Draw
    inputs: int = 3


SECOND: Registry[SecondComputation] = Registry("second computation")
"""By a name of ours; `ptum.checks.claims.agreement.second_computations` has all of them."""


def again(claim: str, what: str, inputs: int = 3) -> Callable[[Draw], Draw]:
    """Declare a second computation of what a claim rests on."""

    def declare(draw: Draw) -> Draw:
        SECOND.add(f"{claim}: {what}", SecondComputation(claim, draw, inputs))
        return draw

    return declare


def differences(name: str, second: SecondComputation, context: Context) -> Iterator[str]:
    """Where the two ways differ."""
    for number in range(second.inputs * context.count(1, 5, 25)):
        for what, (answer, due) in second.draw(context.generator(number)).items():
            if not same(answer, due):
                yield f"{name}, input {number}: {what} is {answer}, computed again {due}"


def same(answer: object, due: object) -> bool:
    """Of one shape and equal, up to rounding where they are floating-point numbers."""
    left, right = np.asarray(answer), np.asarray(due)
    if left.shape != right.shape:
        return False
    if left.dtype.kind != "f" and right.dtype.kind != "f":
        return bool(np.array_equal(left, right))
    finite = np.abs(right[np.isfinite(right)])
    return bool(np.allclose(left, right, rtol=0, atol=SAME * finite.max(initial=0.0)))
