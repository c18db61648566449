"""The tests. Linear algebra has one thread in them, as in the command, however they are started."""

from ptum.checks.cli import one_thread_per_process

one_thread_per_process()
