"""Checks by the module that declares them."""

from __future__ import annotations

from types import ModuleType

from ptum.checks.claims import registry
from ptum.checks.verdicts.check import Check


def checks_of(module: ModuleType) -> list[Check]:
    """Those whose function stands in the module."""
    found = [check for check in registry().values() if check.run.__module__ == module.__name__]
    assert found, module.__name__
    return found
