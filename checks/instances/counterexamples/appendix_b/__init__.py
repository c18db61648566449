"""Against Lemmas 1 to 9."""
