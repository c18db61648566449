"""Checks of Section 2."""
