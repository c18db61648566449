"""What it takes to hold a formula of the ledger against the function that mirrors it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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

    `draw` has the cases, or makes them of the function and of what is given behind it.
    """

    part: str

    def __call__(
        self,
        formula: str,
        function: Callable[..., object],
        draw: SearchStrategy[AgreementCase] | Callable[..., SearchStrategy[AgreementCase]],
        *given: object,
    ) -> None:
        """The name of the formula, and the literal or repaired function or that of a check."""
        name = f"ptum.spec.formulas.{self.part}:{formula}"
        drawn = draw if isinstance(draw, SearchStrategy) else draw(function, *given)
        reference = f"{function.__module__}:{function.__qualname__}"
        AGREEMENTS.add(name, Agreement(name, reference, drawn))
