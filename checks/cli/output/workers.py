"""Who does the work of a command: this process, others of this machine, or those of a cluster."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager

from ptum.checks.cli.output.formatting import Refusal
from ptum.checks.verdicts.workers import LocalPool, Pool


def require_one_place(jobs: int, scheduler: str | None) -> None:
    """Processes here and workers elsewhere are not asked for at once."""
    if scheduler is not None and jobs != 1:
        raise Refusal("--jobs is for this machine, and --scheduler for others: leave one out")


@contextmanager
def pool_of(jobs: int, scheduler: str | None, family: str | None = None) -> Iterator[Pool | None]:
    """Workers of a cluster, which must have the family, or of this machine; None: this process."""
    if scheduler is None and jobs == 1:
        yield None
        return
    if scheduler is None:
        with closing(LocalPool(jobs)) as processes:
            yield processes
        return
    try:
        from ptum.checks.suite.cluster import Unusable, connected
    except ModuleNotFoundError as missing:
        raise Refusal(f'--scheduler needs `pip install "ptum[distributed]"` ({missing})') from None
    try:
        with connected(scheduler, family) as (workers, differences):
            if differences:
                said = "; ".join(differences)
                print(f"Not as here, so last digits may differ: {said}", file=sys.stderr)
            yield workers
    except Unusable as problem:
        raise Refusal(str(problem)) from problem
