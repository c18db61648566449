"""Building blocks of several counterexamples."""
