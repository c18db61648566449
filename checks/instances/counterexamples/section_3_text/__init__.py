"""Against sentences of Sections 2 and 3 without a number."""
