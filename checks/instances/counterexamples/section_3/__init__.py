"""Against Assumption 1, Algorithm 1, Theorem 1 and Corollary 1."""
