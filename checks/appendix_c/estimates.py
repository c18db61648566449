"""Checks of this part."""

from __future__ import annotations

from checks.registry import Check

CHECKS: tuple[Check, ...] = ()
