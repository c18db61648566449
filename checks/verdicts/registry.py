"""How checks, counterexamples, agreements and the like are found, in one way for all of them.

A module declares them at its top level, which registers them when it is imported. Whoever wants
all of them has every module below a package imported, and then looks.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib.abc import InspectLoader
from pkgutil import ModuleInfo
from types import MappingProxyType, ModuleType
from typing import Generic, TypeVar

T = TypeVar("T")


class Registry(Generic[T]):
    """What modules declare as they are imported, each under an id of its own."""

    def __init__(self, noun: str) -> None:
        self._noun = noun
        self._declared: dict[str, T] = {}

    def add(self, identity: str, item: T) -> None:
        """Declare the item; ValueError if there is one of this id."""
        if identity in self._declared:
            raise ValueError(f"two {self._noun}s are called {identity}")
        self._declared[identity] = item

    def declared(self) -> Mapping[str, T]:
        """What the modules imported so far declare."""
        return MappingProxyType(self._declared)

    def below(self, *packages: ModuleType) -> Mapping[str, T]:
        """What is declared once all modules below the packages are imported.

        Items stand in the order in which they were declared: whoever needs a fixed one sorts.
        """
        for package in packages:
            import_below(package)
        return self.declared()

    def naming(self, identity: str, *packages: ModuleType) -> Mapping[str, T]:
        """What is declared once the modules that spell the id are imported: a part of `below`.

        Whoever needs a few ids is spared the time that all modules take.
        """
        for module in modules_naming(identity, *packages):
            importlib.import_module(module)
        return self.declared()


def modules_naming(identity: str, *packages: ModuleType) -> tuple[str, ...]:
    """The names of the modules below the packages that spell an id."""
    below = (module for package in packages for module in modules_below(package))
    return tuple(module.name for module in below if f'"{identity}"' in _source(module))


@cache
def modules_below(package: ModuleType) -> tuple[ModuleInfo, ...]:
    """Every module below a package, in the order of their names."""
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return tuple(sorted(found, key=lambda module: module.name))


@cache
def _source(module: ModuleInfo) -> str:
    """The text of a module, nothing where it has none."""
    spec = module.module_finder.find_spec(module.name, None)
    loader = None if spec is None else spec.loader
    return (loader.get_source(module.name) or "") if isinstance(loader, InspectLoader) else ""


def import_below(package: ModuleType) -> tuple[ModuleType, ...]:
    """Every module below a package, imported in the order of their names."""
    return tuple(importlib.import_module(module.name) for module in modules_below(package))
