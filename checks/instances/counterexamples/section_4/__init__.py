"""Against Algorithm 2, Theorems 2 and 3 and the text of Section 4."""
