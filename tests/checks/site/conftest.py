"""The site, written once for all workers."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from ptum.checks.site import build


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
