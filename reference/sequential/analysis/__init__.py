"""Appendix D: bounds on estimated models and their constants, for lines 8 and 9 of Algorithm 2."""
