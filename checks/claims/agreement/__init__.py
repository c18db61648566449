"""Formulas of the ledger held against the functions that mirror them.

Most are functions of the reference; a step of a proof has one in `checks/verdicts/proof_bounds`.
What has no formula is computed a second time (`again`).
"""

from __future__ import annotations

from collections.abc import Mapping

from ptum.checks.claims import agreement
from ptum.checks.claims.agreement.again import SECOND, SecondComputation
from ptum.checks.claims.agreement.shape import AGREEMENTS, Agreement


def agreements() -> Mapping[str, Agreement]:
    """All agreements by the dotted name of their formula; every formula has exactly one."""
    return AGREEMENTS.below(agreement)


def second_computations() -> Mapping[str, SecondComputation]:
    """What is computed a second time, by name."""
    return SECOND.below(agreement)
