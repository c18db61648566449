"""The site and the generated pages. `checks.cli` alone may import it."""
