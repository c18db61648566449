"""Formulas of the ledger held against the functions that mirror them.

Most are functions of the reference; a step of a proof has one in `checks/verdicts/proof_bounds`.
"""

from __future__ import annotations

from collections.abc import Mapping

from ptum.checks.claims import agreement
from ptum.checks.claims.agreement.shape import AGREEMENTS, Agreement


def agreements() -> Mapping[str, Agreement]:
    """All agreements by the dotted name of their formula; every formula has exactly one."""
    return AGREEMENTS.below(agreement)
