"""What is drawn is a function of the seed alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import strategies as st

from ptum.checks.verdicts.hypothesis_driver import draw_each


def drawn(seed: int, examples: int = 300) -> list[int]:
    seen: list[int] = []
    draw_each(seed, st.integers(0, 10**9), seen.append, examples)
    return seen


def test_the_same_seed_draws_the_same() -> None:
    assert drawn(3) == drawn(3)
    assert drawn(3) != drawn(4)


def test_importing_a_module_full_of_numbers_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = drawn(5)
    numbers = ", ".join(str(17 * i + 1) for i in range(400))
    (tmp_path / "full_of_numbers.py").write_text(f"NUMBERS = ({numbers})\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    __import__("full_of_numbers")
    assert "full_of_numbers" in sys.modules
    assert drawn(5) == before


def test_what_look_raises_comes_back_for_the_smallest_instance() -> None:
    seen: list[int] = []

    def look(number: int) -> None:
        if number >= 40:
            seen.append(number)
            raise OverflowError

    with pytest.raises(OverflowError):
        draw_each(1, st.integers(0, 10**6), look, 200)
    assert seen[-1] == 40
