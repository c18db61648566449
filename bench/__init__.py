"""What the fast code costs, against a limit, the literal code or somebody else's: `make bench`.

`measure` has the clock, `instances` what is measured on, `rows` the table, `curves` the plot.
Benchmarks are never tests: nothing imports this package.
"""
