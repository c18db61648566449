"""The two sets of constants of the repaired Algorithm 1, and what such a set may be."""

from __future__ import annotations

import math
import sys
from dataclasses import asdict, astuple, replace
from typing import Any

import numpy as np
import pytest

from ptum.reference.repaired.transfer.repairs import CHEAPEST, PRINTED_SHIFT, TransferConstants
from tests.support.borders import assert_borders


def test_the_numbers_of_docs_repaired_transfer() -> None:
    """The shift of Definition 1 and 2(shift + 1) of line 2; then the factors of the bounds."""
    assert TransferConstants(8, 2 * (8 + 1), 128, 128, 1000, 16_000) == PRINTED_SHIFT
    assert TransferConstants(2.61, 2 * (2.61 + 1), 22, 23, 6300, 193_000) == CHEAPEST


@pytest.mark.parametrize("name", list(asdict(CHEAPEST)))
def test_what_each_constant_may_be(name: str) -> None:
    def made(value: object) -> None:
        given: dict[str, Any] = {name: value}
        replace(CHEAPEST, **given)

    if name in ("shift", "line_2"):
        least, most = math.ulp(0.0), sys.float_info.max
        assert_borders(made, good=(least, 1, most), bad=(0, -least, -0.5, math.inf, math.nan, "1"))
    else:
        assert_borders(made, good=(1, 2), bad=(0, -1, 1.5, math.inf, "1"))


def test_the_two_of_the_algorithm_become_doubles() -> None:
    shift: Any = np.float32(8)
    given = TransferConstants(shift, 18, 128, 128, 1000, 16_000)
    assert [type(number) for number in astuple(given)[:2]] == [float] * 2


def test_factors_become_plain_integers() -> None:
    factors: list[Any] = [np.int16(1), np.int32(2), np.int64(3), np.uint8(4)]
    given = TransferConstants(8, 18, *factors)
    assert [type(factor) for factor in astuple(given)[2:]] == [int] * 4
