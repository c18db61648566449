"""A violation is enough here; making it small takes long and is tested apart."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import Phase

from ptum.checks.verdicts import hypothesis_driver

WITH_SHRINKING = ("test_definitions", "test_not_a_number")
"""The smallest input is told; whatever is done with NaN."""


@pytest.fixture(autouse=True, scope="module")
def without_shrinking(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if not request.module.__name__.endswith(WITH_SHRINKING):
            patch.setattr(hypothesis_driver, "FIND_AND_SHRINK", (Phase.generate,))
        yield
