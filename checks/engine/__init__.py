"""Fast versions of literal code, each held equal to it by a test.

Runs of Algorithm 1: `ptum` (simulated tasks) and `asked` (anything with `sample`), from `problem`
(tables), `slack` (what cannot fail), `decision` (what fails), `runs` and `blocks`. Models solved:
`models`. Models estimated: `spectral`, `within_task`, `tensor_power`. Imports `reference` and
`exact` alone; every layer above may import it.
"""
