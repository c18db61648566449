"""Section 3's promises on small tasks, with exact probabilities in place of trials.

`named` has the problems, `promises` the checks, `doubles` where rounding decides otherwise,
`summary` what is written down of it.
"""
