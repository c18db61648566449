"""What differs from the paper: same names as in `reference`, each naming the erratum it repairs."""
