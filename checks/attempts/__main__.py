"""`python -m ptum.checks.attempts`."""

from ptum.checks.attempts.build import main

if __name__ == "__main__":
    main()
