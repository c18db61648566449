"""The literal implementation: every item of the paper as one function, in the paper's notation.

Imports nothing else of the project; `checks` may import it.
"""
