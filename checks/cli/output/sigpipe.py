"""The reader of what is printed may have seen enough, as `head -1` has after a line.

Click would make exit code 1 of that, which says here that a verdict is unexpected. So a closed
pipe is caught before click sees it. Nor is it a verdict that a terminal lacks letters.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper

import click

from ptum.checks.cli.output.formatting import Refusal


class ReaderGoneError(Exception):
    """Nobody reads the output any more."""


class Commands(click.Group):
    """A group of commands that notices when its reader is gone, also while it prints its help."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: object,
    ) -> click.Context:
        """Read the arguments."""
        with read_to_the_end():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command that was asked for."""
        with read_to_the_end():
            return super().invoke(ctx)


def nobody_reads(descriptors: Sequence[int]) -> None:
    """What is still to be written goes nowhere, without a complaint when Python ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in descriptors:
        os.dup2(nowhere, descriptor)


def replace_letters() -> None:
    """From now on a letter that the encoding of the output lacks is printed as a question mark."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


@contextmanager
def read_to_the_end() -> Iterator[None]:
    """Short output is written only when it is flushed, so that is done while it can be noticed."""
    try:
        try:
            yield
        finally:
            print(end="", flush=True)
    except BrokenPipeError as gone:
        raise ReaderGoneError from gone
    except OSError as problem:
        if problem.errno != errno.ENOSPC:
            raise
        nobody_reads((1,))
        raise Refusal(f"cannot write the output: {problem.strerror}") from problem
