"""`python -m checks.cli` is the same as `ptum`."""

from checks.cli import main

main()
