"""Fast versions of literal code, each held equal to it by a test.

Runs of Algorithm 1: `ptum` (simulated tasks) and `asked` (anything with `sample`), from `problem`
(tables), `slack` (what cannot fail), `decision` (what fails), `runs` and `blocks`. Models solved:
`models`. Models estimated: `spectral`, `as_run_spectral`, `within_task`, from `across_tasks` and
`tensor_power`. Statistics of one pair after every sample: `pair_path`. Imports `reference` and
`exact` alone; every layer above may import it.
"""
