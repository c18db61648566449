"""One Hypothesis profile for everybody (same examples, no database, no clock); what is slow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from ptum.checks import drawing

settings.register_profile("ci", derandomize=True, deadline=None, database=None)
settings.load_profile("ci")

HERE = Path(__file__).parent
SLOW = (
    "checks",
    "judge/test_checking.py",
    "judge/test_confidence_set.py",
    "judge/test_descendants.py",
    "judge/test_enclosure.py",
    "judge/test_examples.py",
    "judge/test_hmm_moments.py",
    "judge/test_hmm_samples.py",
    "judge/test_host.py",
    "judge/test_information.py",
    "judge/test_judging.py",
    "judge/test_next_query.py",
    "judge/test_pages.py",
    "judge/test_prediction.py",
    "judge/test_process.py",
    "judge/test_ptum.py",
    "judge/test_recorded.py",
    "judge/test_sequential.py",
    "judge/test_stopping.py",
    "judge/test_tensor_power.py",
    "test_agreement.py",
    "test_attempts.py",
    "test_calibration.py",
    "test_families.py",
    "test_help.py",
    "test_interruption.py",
    "test_pytest_plugin.py",
    "test_sequential.py",
    "test_spectral.py",
    "test_verdicts.py",
    "test_walkthrough.py",
)
"""Where every test is slow: whole checks, whole runs, or programs that are started and judged.

Elsewhere a test that is slow says so itself, by `@pytest.mark.slow`.
"""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what is slow; what is `deep` takes minutes and runs only when it is asked for."""
    _mark_slow(items)
    if "deep" in config.option.markexpr:
        return
    long = [item for item in items if item.get_closest_marker("deep")]
    if long:
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]


def _mark_slow(items: list[pytest.Item]) -> None:
    """Every test at a place of `SLOW`; a place that is not there, or a second mark, is refused."""
    places = {HERE / place for place in SLOW}
    gone = [str(place) for place in places if not place.exists()]
    if gone:
        raise pytest.UsageError(f"tests/conftest.py calls slow what is not there: {gone}")
    inside = [item for item in items if not places.isdisjoint({item.path, *item.path.parents})]
    twice = sorted({str(item.path) for item in inside if item.get_closest_marker("slow")})
    if twice:
        raise pytest.UsageError(f"slow as a whole by tests/conftest.py, and once more in {twice}")
    for item in inside:
        item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True, scope="module")
def draws_do_not_depend_on_imports(request: pytest.FixtureRequest) -> Iterator[None]:
    """Which worker imported what must not change a draw; `test_drawing` looks at this itself."""
    if request.module.__name__.endswith("test_drawing"):
        yield
    else:
        with drawing.seed_alone():
            yield


@pytest.fixture
def without_shrinking(monkeypatch: pytest.MonkeyPatch) -> None:
    """A violation is enough where this is used; making it small takes long and is tested apart."""
    monkeypatch.setattr(drawing, "FIND_AND_SHRINK", (Phase.generate,))
