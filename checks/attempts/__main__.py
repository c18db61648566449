"""`python -m checks.attempts`."""

from checks.attempts.build import main

if __name__ == "__main__":
    main()
