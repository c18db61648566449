"""Checks of Section 4."""
