"""Every formula of the ledger."""

from __future__ import annotations

from collections.abc import Iterator

from ptum.spec.algebra import Formula
from ptum.spec.formulas import appendix_b, appendix_d, preliminaries, sequential, transfer

MODULES = (preliminaries, transfer, appendix_b, sequential, appendix_d)


def formulas() -> Iterator[tuple[str, Formula]]:
    """Each with the dotted path by which records name it."""
    for module in MODULES:
        for name, thing in vars(module).items():
            if isinstance(thing, Formula):
                yield f"{module.__name__}:{name}", thing
