"""Section 2: tasks, values, gaps, the generative model, and models with all that is computed of
them.

Imports `arrays` and `errors` alone; everything else in `reference` builds on it.
"""
