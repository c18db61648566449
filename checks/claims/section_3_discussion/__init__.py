"""Checks of Section 3's comparisons and of its discussion."""
