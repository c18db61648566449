"""`python -m ptum.checks.cli` is the same as `ptum`."""

from ptum.checks.cli import main

main()
