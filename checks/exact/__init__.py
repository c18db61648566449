"""Arithmetic without rounding: tasks, hidden Markov models and binomial sums in rationals,
intervals.

Imports no other package of `checks`; `engine` and what is above it may import it.
"""
