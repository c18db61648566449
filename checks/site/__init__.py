"""The generated pages. `checks.cli` alone may import it."""
