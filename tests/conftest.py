"""One Hypothesis profile for everybody (same examples, no database, no clock); what is slow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from ptum.checks.verdicts import hypothesis_driver

settings.register_profile("ci", derandomize=True, deadline=None, database=None)
settings.load_profile("ci")

HERE = Path(__file__).parent
SLOW = (
    "checks/claims",
    "checks/cli/test_help.py",
    "checks/cli/test_interruption.py",
    "checks/cli/test_reproduce.py",
    "checks/cli/test_walkthrough.py",
    "checks/instances/test_counterexamples.py",
    "checks/instances/test_families.py",
    "checks/judge/capabilities/sequential/test_hmm_moments.py",
    "checks/judge/capabilities/sequential/test_hmm_samples.py",
    "checks/judge/capabilities/sequential/test_prediction.py",
    "checks/judge/capabilities/sequential/test_sequential.py",
    "checks/judge/capabilities/sequential/test_tensor_power.py",
    "checks/judge/capabilities/transfer/test_confidence_set.py",
    "checks/judge/capabilities/transfer/test_next_query.py",
    "checks/judge/capabilities/transfer/test_ptum.py",
    "checks/judge/capabilities/transfer/test_stopping.py",
    "checks/judge/judging/test_judging.py",
    "checks/judge/programs/test_checking.py",
    "checks/judge/programs/test_examples.py",
    "checks/judge/programs/test_host.py",
    "checks/judge/programs/test_process.py",
    "checks/judge/programs/test_process_tree.py",
    "checks/judge/programs/test_recorded.py",
    "checks/judge/programs/test_sandbox.py",
    "checks/judge/results/test_pages.py",
    "checks/suite/test_attempts.py",
    "checks/suite/test_calibration.py",
    "checks/verdicts/test_verdicts.py",
    "package/test_pytest_plugin.py",
    "reference/sequential/test_sequential.py",
    "reference/sequential/test_spectral.py",
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
        away = set(long)
        items[:] = [item for item in items if item not in away]


def _mark_slow(items: list[pytest.Item]) -> None:
    """Every test at a place of `SLOW`; a place that is not there, or a second mark, is refused."""
    places = {HERE / place for place in SLOW}
    gone = [str(place) for place in places if not place.exists()]
    if gone:
        raise pytest.UsageError(f"tests/conftest.py calls slow what is not there: {gone}")
    paths = {item.path for item in items}
    slow = {path for path in paths if not places.isdisjoint({path, *path.parents})}
    inside = [item for item in items if item.path in slow]
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
        with hypothesis_driver.seed_alone():
            yield
