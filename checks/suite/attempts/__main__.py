"""`python -m ptum.checks.suite.attempts`."""

from ptum.checks.suite.attempts.build import main

if __name__ == "__main__":
    main()
