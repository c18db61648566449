"""What it takes to hold a formula of the ledger against the function that mirrors it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hypothesis.strategies import SearchStrategy

from ptum.checks.verdicts.registry import Registry
from ptum.spec.algebra import Table


@dataclass(frozen=True)
class AgreementCase:
    """One drawn input: as the formula takes it, and what the reference function answered on it.

    `share` is observed/allowed where the formula is a bound that the reference calls kept.
    """

    values: Mapping[str, Table]
    computed: float | bool
    domains: Mapping[str, Sequence[int]] = field(default_factory=dict)
    share: float | None = None


@dataclass(frozen=True)
class Agreement:
    """A formula, the function that mirrors it, and inputs to compare them on."""

    formula: str
    reference: str
    draw: SearchStrategy[AgreementCase]


AGREEMENTS: Registry[Agreement] = Registry("agreement")
"""By the dotted name of the formula; `ptum.checks.claims.agreement.agreements` has all of them."""


@dataclass(frozen=True)
class FormulasOf:
    """Declares formulas of `ptum.spec.formulas.<part>` to agree with functions.

    Functions are named "module:function"; `module` and `steps` stand before all names of a part
    whose functions are in one module of `reference` and in one of `checks`.
    """

    part: str
    module: str = ""
    steps: str = ""

    def printed(self, formula: str, function: str, draw: SearchStrategy[AgreementCase]) -> None:
        """Against the literal function."""
        self._against(formula, f"ptum.reference.{self.module}{function}", draw)

    def repaired(self, formula: str, function: str, draw: SearchStrategy[AgreementCase]) -> None:
        """Against the repaired function."""
        self._against(formula, f"ptum.reference.repaired.{self.module}{function}", draw)

    def of_check(self, formula: str, function: str, draw: SearchStrategy[AgreementCase]) -> None:
        """Against a function that only checks need."""
        self._against(formula, f"ptum.checks.{self.steps}{function}", draw)

    def _against(self, formula: str, function: str, draw: SearchStrategy[AgreementCase]) -> None:
        name = f"ptum.spec.formulas.{self.part}:{formula}"
        AGREEMENTS.add(name, Agreement(name, function, draw))
