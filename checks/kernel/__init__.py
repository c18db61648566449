"""A kernel that anyone can read: certificates of errata, recomputed in fractions alone.

It imports nothing of the project and runs as a directory: `python3 checks/kernel FILE…`. Whoever
reads it and claims.txt beside the paper need trust nothing else of the project (docs/kernel.md).
"""
