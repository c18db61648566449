"""Searches in tests that only ask whether something is found."""

from __future__ import annotations

import pytest
from hypothesis import Phase

from checks import drawing


@pytest.fixture(autouse=True)
def without_shrinking(monkeypatch: pytest.MonkeyPatch) -> None:
    """A violation is enough here; making it small takes most of the time and is tested apart."""
    monkeypatch.setattr(drawing, "FIND_AND_SHRINK", (Phase.generate,))
