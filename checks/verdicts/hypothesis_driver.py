"""Hypothesis, driven so that what it draws is a function of the seed alone.

Besides its random numbers Hypothesis tries constants that it reads in the source of the modules
imported so far. That is useful in a test and wrong here: a verdict must not depend on which other
checks were loaded, or on whether the package is installed or checked out. So the constants are
switched off while a check draws; `tests/checks/verdicts/test_drawing.py` shows that importing
more changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from hypothesis.strategies import SearchStrategy

from ptum.checks.verdicts import interrupt

T = TypeVar("T")

FIND_AND_SHRINK = (Phase.generate, Phase.shrink)
AIM = (Phase.generate, Phase.target)


def draw_each(
    seed_: int,
    strategy: SearchStrategy[T],
    look: Callable[[T], object],
    examples: int,
    phases: tuple[Phase, ...] | None = None,
) -> None:
    """Call `look` on drawn instances; what it raises is raised again for the smallest one."""

    @seed(seed_)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=phases or FIND_AND_SHRINK,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def each(instance: T) -> None:
        interrupt.raise_if_interrupted()
        look(instance)

    with seed_alone():
        each()


@contextmanager
def seed_alone() -> Iterator[None]:
    """No constants from imported modules while this lasts."""
    name = "_get_local_constants"
    found = getattr(providers, name, None)
    if found is None:  # a version of Hypothesis that does not read our sources
        yield
        return
    setattr(providers, name, Constants)
    providers.CONSTANTS_CACHE.cache.clear()
    try:
        yield
    finally:
        setattr(providers, name, found)
        providers.CONSTANTS_CACHE.cache.clear()
