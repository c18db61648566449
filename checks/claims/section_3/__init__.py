"""Checks of Section 3."""
