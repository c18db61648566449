"""`ptum graph`: the claims and what rests on what."""

from __future__ import annotations

from collections.abc import Callable

from ptum.checks.cli.output.formatting import unknown
from ptum.checks.site.graph import as_dot, as_mermaid


def print_graph(form: str) -> None:
    """Print the graph in the named format."""
    writers: dict[str, Callable[[], str]] = {"dot": as_dot, "mermaid": as_mermaid}
    if form not in writers:
        raise unknown("format", form, writers)
    print(writers[form]())
