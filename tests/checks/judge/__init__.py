"""Tests of the judge of other implementations."""
