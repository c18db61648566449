"""What every check is made of: statements, outcomes, searches, statistics, tolerances, stored
attempts.

Imports `checks.exact`; no check, no instance. `instances` and what is above it may import it.
"""
