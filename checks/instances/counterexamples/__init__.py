"""Explicit instances on which a printed claim fails: a module for each part of the paper."""
