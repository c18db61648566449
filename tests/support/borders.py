"""What an argument may be and what it may not: the values on both sides of every border."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

from ptum.reference.errors import InputError

T = TypeVar("T")


def assert_borders(check: Callable[[T], None], good: Iterable[T], bad: Iterable[T]) -> None:
    """All good values pass, all bad ones are refused."""
    for value in good:
        check(value)
    for value in bad:
        with pytest.raises(InputError):
            check(value)
