"""Which functions are called, whoever imported them by whatever name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FunctionType

from ptum.spec import ledger


@contextmanager
def recorded(names: Iterable[str]) -> Iterator[set[str]]:
    """The dotted names, among these, of what is called from now on.

    The code of a function is exchanged for one that notes the call and goes on with the old one, so
    that it does not matter where the function was imported.
    """
    called: set[str] = set()
    undo: list[Callable[[], None]] = []
    by_function: dict[FunctionType, set[str]] = {}
    for name in names:
        by_function.setdefault(_function(ledger.load(name)), set()).add(name)
    try:
        for number, (function, known) in enumerate(by_function.items()):
            undo.append(_plant(function, f"_recorded_{number}", partial(called.update, known)))
        yield called
    finally:
        for restore in undo:
            restore()


def _function(thing: object) -> FunctionType:
    """The function itself, or what a cache wraps, which is emptied."""
    if not isinstance(thing, FunctionType):
        thing.cache_clear()  # type: ignore[attr-defined]
        thing = vars(thing)["__wrapped__"]
    assert isinstance(thing, FunctionType)
    return thing


def _plant(function: FunctionType, key: str, note: Callable[[], None]) -> Callable[[], None]:
    before = (function.__code__, function.__defaults__, function.__kwdefaults__)
    old = FunctionType(function.__code__, function.__globals__, function.__name__, before[1])
    old.__kwdefaults__ = before[2]
    function.__globals__.update({f"{key}_note": note, f"{key}_old": old})
    space: dict[str, FunctionType] = {}
    exec(
        f"def noting(*args, **kwargs):\n    {key}_note()\n    return {key}_old(*args, **kwargs)",
        space,
    )
    function.__code__ = space["noting"].__code__
    function.__defaults__ = function.__kwdefaults__ = None

    def restore() -> None:
        function.__code__, function.__defaults__, function.__kwdefaults__ = before
        del function.__globals__[f"{key}_note"], function.__globals__[f"{key}_old"]

    return restore
