"""Where instances come from: named ones, and Hypothesis strategies that build random ones."""
