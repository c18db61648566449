"""Checks of Appendix C."""
