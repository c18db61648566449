"""What decides whether a claim is true, and the `ptum` command.

Imports `spec` and `reference`; neither may import it. docs/architecture.md has the layers inside.
"""
