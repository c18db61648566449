"""What the paper claims: a typed ledger of every item, with its formula, its footing, its truth.

Imports nothing else of the project; everything may import it.
"""
