"""The checks as a whole: run, reported, calibrated, on a family of the user's, with stored
attempts.

Imports `checks.claims` and everything below it; `site` and `cli` build on it.
"""
