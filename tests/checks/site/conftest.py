"""The site, written once for all workers, and one browser."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ptum.checks.site import build
from tests.support.browser import MISSING, Browser, program


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site without any report."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = shared / "site"
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / build.MARK).exists():
            build.write(folder, build.pages())
    return folder


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    chromium = program()
    if chromium is None:
        pytest.skip(MISSING)
    with Browser(chromium, tmp_path_factory.mktemp("chromium")) as opened:
        yield opened
