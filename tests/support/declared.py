"""Every formula of the ledger, and the checks that a module declares."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

from ptum.checks.claims import registry
from ptum.checks.verdicts.check import Check
from ptum.spec.algebra import Formula
from ptum.spec.formulas import appendix_b, appendix_d, preliminaries, sequential, transfer

MODULES = (preliminaries, transfer, appendix_b, sequential, appendix_d)


def formulas() -> Iterator[tuple[str, Formula]]:
    """Each with the dotted path by which records name it."""
    for module in MODULES:
        for name, thing in vars(module).items():
            if isinstance(thing, Formula):
                yield f"{module.__name__}:{name}", thing


def checks_of(module: ModuleType) -> list[Check]:
    """Those whose function stands in the module."""
    found = [check for check in registry().values() if check.run.__module__ == module.__name__]
    assert found, module.__name__
    return found
