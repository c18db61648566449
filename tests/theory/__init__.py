"""Polynomial and rational steps of the proofs in docs/, decided by an SMT solver.

`steps/` holds the steps as data, `language` what they are written in, `solver` is the only module
that touches z3, a development dependency. A proof's words are not here: the tables at the end of
the pages say which steps a machine has checked.
"""
