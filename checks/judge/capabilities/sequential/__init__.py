"""Capabilities of Section 4, Algorithms 2 and 3."""
