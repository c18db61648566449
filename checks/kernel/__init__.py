"""A kernel that anyone can read: certificates of errata, recomputed in fractions alone.

It imports nothing of the project; `python3 checks/kernel FILE…` runs it (docs/kernel.md).
"""
