"""Section 4 and Appendix C where the paper is wrong, under the names of `reference.sequential`."""
