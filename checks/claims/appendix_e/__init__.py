"""Checks of Section 6 and Appendix E."""
