"""Checks of Appendix B."""
