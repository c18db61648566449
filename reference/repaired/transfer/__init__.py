"""Section 3 where the paper is wrong, under the names of `reference.transfer`."""
