"""Appendix B: the lemmas, Theorem 1 and Corollary 1 as functions of an instance."""
