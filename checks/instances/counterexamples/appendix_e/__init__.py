"""Against what is said of the experiments."""
