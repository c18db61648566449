"""Checks of Appendix D."""
