"""Section 3: Algorithm 1, a module per step, its fallback and its record of events.

Imports `reference.tasks`; Appendix B, in `analysis`, and `reference.sequential` import it.
"""
