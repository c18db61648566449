"""Capabilities of Section 2."""
