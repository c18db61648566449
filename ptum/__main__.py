"""`python -m ptum` is the same as `ptum`."""

from ptum.checks.cli import main

main()
