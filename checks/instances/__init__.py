"""What claims are tried on: drawn families, counterexamples, fakes.

Imports `checks.verdicts`, `checks.exact` and `checks.engine`; no check. `claims`,
`judge` and what is above them may import it.
"""
