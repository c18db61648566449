"""The literal implementation: every item of the paper as one function, in the paper's notation.

Imports `spec` alone; `checks` may import it.
"""
