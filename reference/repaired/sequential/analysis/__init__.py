"""Appendix D where the paper is wrong, under the names of `reference.sequential.analysis`."""
