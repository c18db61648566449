"""Searches in tests that only ask whether something is found."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import Phase

from checks import search


@pytest.fixture(autouse=True)
def without_shrinking(monkeypatch: pytest.MonkeyPatch) -> None:
    """A violation is enough here; making it small takes most of the time and is tested apart."""
    phases = SimpleNamespace(generate=Phase.generate, shrink=Phase.generate)
    monkeypatch.setattr(search, "Phase", phases)
