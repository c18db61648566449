"""Checks of Theorem 1, Corollary 1 and what Section 3 says of them."""
