"""Slips of Section 3: variants of the plain Algorithm 1, by the part that they get wrong."""
