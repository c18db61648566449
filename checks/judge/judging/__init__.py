"""Readings of the paper, and how an answer is held against them."""
