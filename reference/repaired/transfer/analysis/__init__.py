"""Appendix B where the paper is wrong, under the names of `reference.transfer.analysis`."""
