"""Formulas of the ledger held against the functions that mirror them.

Most are functions of the reference; a step of a proof has one in `checks/verdicts/proof_bounds`.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from ptum.checks.claims.agreement.shape import Agreement

MODULES = ("preliminaries", "transfer", "appendix_b", "sequential", "appendix_d")


@cache
def agreements() -> Mapping[str, Agreement]:
    """All agreements by the dotted name of their formula; every formula has exactly one."""
    table: dict[str, Agreement] = {}
    for module in MODULES:
        for agreement in importlib.import_module(
            f"ptum.checks.claims.agreement.{module}"
        ).AGREEMENTS:
            if agreement.formula in table:
                raise ValueError(f"two agreements for {agreement.formula}")
            table[agreement.formula] = agreement
    return MappingProxyType(table)
