"""Capabilities of Section 3 and Algorithm 1."""
