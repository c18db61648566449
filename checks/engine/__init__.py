"""Fast versions of literal code, each held equal to it by a test."""
