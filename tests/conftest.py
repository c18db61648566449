"""One Hypothesis profile for everybody: the same examples in every run, no database, no clock."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from checks.drawing import seed_alone

settings.register_profile("ci", derandomize=True, deadline=None, database=None)
settings.load_profile("ci")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests marked `deep` take minutes and run only when they are asked for."""
    if "deep" in config.option.markexpr:
        return
    long = [item for item in items if item.get_closest_marker("deep")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


@pytest.fixture(autouse=True, scope="module")
def draws_do_not_depend_on_imports(request: pytest.FixtureRequest) -> Iterator[None]:
    """Which worker imported what must not change a draw; `test_drawing` looks at this itself."""
    if request.module.__name__.endswith("test_drawing"):
        yield
    else:
        with seed_alone():
            yield
