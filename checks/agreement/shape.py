"""What it takes to hold a formula of the ledger against the function that mirrors it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hypothesis.strategies import SearchStrategy

from spec.algebra import Table


@dataclass(frozen=True)
class Case:
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
    draw: SearchStrategy[Case]
