"""Against Algorithm 3 and its moments."""
