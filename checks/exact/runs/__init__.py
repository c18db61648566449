"""Runs of Algorithm 1 on small tasks as a Markov chain: probabilities between two rationals.

`problem` has the inputs and what lines 2, 14 and 16-18 decide, `comparisons` the tests of line 12,
`chain` the distribution of the end of a run, `results` the probabilities that the paper bounds.
Imports `checks.exact` alone; checks import it.
"""
