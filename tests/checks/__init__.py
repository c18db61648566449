"""Tests of the checks: each is seen to fail on wrong code."""
