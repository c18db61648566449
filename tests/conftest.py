"""One Hypothesis profile for everybody: the same examples in every run, no database, no clock."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from checks.drawing import seed_alone

settings.register_profile("ci", derandomize=True, deadline=None, database=None)
settings.load_profile("ci")


@pytest.fixture(autouse=True, scope="module")
def draws_do_not_depend_on_imports(request: pytest.FixtureRequest) -> Iterator[None]:
    """Which worker imported what must not change a draw; `test_drawing` looks at this itself."""
    if request.module.__name__.endswith("test_drawing"):
        yield
    else:
        with seed_alone():
            yield
