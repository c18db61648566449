"""Plant a mutant in modules that are imported already.

A process that has imported everything is forked, and in the fork the code of the functions of one
module is exchanged: every `from reference.x import f` elsewhere means the same function object and
sees the change. That spares the imports, which cost a hundred times as much as a killing test.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from types import FunctionType, ModuleType


def plant(module: ModuleType, source: str) -> None:
    """Give the functions and constants of the module the meaning that they have in `source`."""
    mutated = ModuleType(module.__name__)
    mutated.__file__ = module.__file__
    # Dataclasses look up their module by name while they are made.
    sys.modules[module.__name__] = mutated
    try:
        exec(compile(source, str(module.__file__), "exec"), vars(mutated))
    finally:
        sys.modules[module.__name__] = module
    functions = dict(_functions(vars(mutated), module.__name__))
    for name, function in _functions(vars(module), module.__name__):
        replacement = functions[name]
        function.__code__ = replacement.__code__
        function.__defaults__ = replacement.__defaults__
        function.__kwdefaults__ = replacement.__kwdefaults__
    for name, old in list(vars(module).items()):
        if not name.startswith("__") and _is_constant(old):
            _rebind(name, old, vars(mutated)[name])


def _functions(names: dict[str, object], module: str) -> Iterator[tuple[str, FunctionType]]:
    """Every function of a module and of its classes, by qualified name."""
    for value in list(names.values()):
        function = _bare(value)
        if isinstance(function, FunctionType) and function.__module__ == module:
            yield function.__qualname__, function
        elif isinstance(value, type) and value.__module__ == module:
            for attribute, entry in vars(value).items():
                method = _bare(entry)
                if isinstance(method, FunctionType):
                    yield f"{value.__qualname__}.{attribute}", method


def _bare(value: object) -> object:
    """The function behind a property, a static or class method, or a cache."""
    if isinstance(value, property):
        return value.fget
    if isinstance(value, functools.cached_property):
        return value.func
    return getattr(value, "__wrapped__", getattr(value, "__func__", value))


def _is_constant(value: object) -> bool:
    return not isinstance(value, type | ModuleType) and not callable(value)


def _rebind(name: str, old: object, new: object) -> None:
    """Constants are imported by name: change the name wherever it means this object."""
    for module in list(sys.modules.values()):
        if getattr(module, "__dict__", {}).get(name) is old:
            vars(module)[name] = new
