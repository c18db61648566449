"""Tasks and data that the cases of several capabilities are made of."""
