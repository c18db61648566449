"""Names that the ledger already uses although nothing stands behind them yet.

A test compares both lists with what is really missing, so they cannot go stale.
"""

from __future__ import annotations

REFERENCE: frozenset[str] = frozenset()
"""Reference functions still to be written."""

CHECKS: frozenset[str] = frozenset()
"""Parts with a truth value that no check looks at yet."""
