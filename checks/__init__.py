"""What decides whether a claim is true, and the `ptum` command."""
