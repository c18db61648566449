"""Explicit instances on which a printed claim fails, each built by a small function."""
