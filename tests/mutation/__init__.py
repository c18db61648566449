"""Mutation testing of `reference/`: would a small slip in the code be noticed?

`python -m tests.mutation` plants the plausible mutants of Cosmic Ray one at a time in a private
copy of the tree and puts them to the judge's edge cases and to the tests. Who survives is listed in
`survivors.json` and on the page docs/mutants.md.
"""
