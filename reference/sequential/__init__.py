"""Section 4 and Appendix C: Algorithms 2 and 3, the tensor power method, prediction, checkpoints.

Imports `reference.tasks` and `reference.transfer`.
"""
