"""The checks, by part of the paper, and the registry of all of them.

Imports everything below it in `checks`; `suite`, `site` and `cli` import it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from ptum.checks import claims
from ptum.checks.instances import counterexamples
from ptum.checks.verdicts.check import CHECKS, Check
from ptum.spec import ledger


@cache
def registry() -> Mapping[str, Check]:
    """All checks by id, in the order of the ledger; ValueError if one that it names is missing."""
    declared = CHECKS.below(claims, counterexamples)
    if missing := [identity for identity in ledger.checks() if identity not in declared]:
        raise ValueError(f"the ledger names checks that nobody declares: {', '.join(missing)}")
    return MappingProxyType({identity: declared[identity] for identity in ledger.checks()})


def declared(identity: str) -> Check:
    """A check of the ledger, without importing those that have nothing to do with it."""
    found = CHECKS.naming(identity, claims, counterexamples)
    return found[identity] if identity in found else registry()[identity]
