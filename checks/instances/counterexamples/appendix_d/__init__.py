"""Against Lemmas 10 to 15."""
