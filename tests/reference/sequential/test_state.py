"""The numbers that every version of Algorithm 2 is started with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from ptum.reference.errors import LARGEST_TABLE, InputError
from ptum.reference.sequential.state import Setting
from tests.support.borders import assert_borders

SMALL: dict[str, Any] = {
    "k": 1,
    "S": 2,
    "A": 2,
    "u": (0.0, 1.0),
    "gamma": 0.5,
    "epsilon": 0.5,
    "delta": 0.1,
    "n": 5,
    "delta_prime": 0.1,
    "n_post": 6,
    "L": 2,
    "N": 10,
    "seed": 0,
}


class TestTables:
    """One model, k of them and L products of k×k have `LARGEST_TABLE` numbers at most."""

    LARGE: Mapping[str, Any] = {**SMALL, "S": 512, "u": tuple(np.linspace(0, 1, 512))}

    def test_the_border(self) -> None:
        """All three tables have as many numbers as they may."""
        assert LARGEST_TABLE == 512 * 256 * (512 + 512)
        assert LARGEST_TABLE == 4 * 512 * 64 * (512 + 512)
        assert LARGEST_TABLE == 2**23 * 4**2
        assert Setting(**{**self.LARGE, "A": 256}).d == LARGEST_TABLE
        assert Setting(**{**self.LARGE, "A": 64, "k": 4, "L": 2**23}).d == LARGEST_TABLE // 4

    @pytest.mark.parametrize(
        ("name", "sizes"),
        [
            ("S", {"A": 257}),
            ("k", {"A": 64, "k": 5}),
            ("L", {"A": 64, "k": 4, "L": 2**23 + 1}),
        ],
    )
    def test_one_more_is_refused(self, name: str, sizes: dict[str, int]) -> None:
        with pytest.raises(InputError, match=r"a table of .* numbers is larger than") as refused:
            Setting(**{**self.LARGE, **sizes})
        assert refused.value.argument == name


def test_there_may_be_no_post_samples() -> None:
    def made(n_post: object) -> None:
        assert Setting(**{**SMALL, "n_post": n_post}).n_post == n_post

    assert_borders(made, good=(0, 1), bad=(-1, 0.0, False, "0", None))
