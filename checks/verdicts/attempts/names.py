"""The permanent names of the types that stored instances consist of.

A name is given once and kept: moving or renaming a class changes no stored file. Files and reports
of 0.1.0 have `module:Name` in its stead, of which the part behind the colon is the name. A type of
an instance or of a check gives itself its name by `@stored`, or by `@stored_as` if the class was
renamed since; those below are named here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ptum.checks.exact.hidden_markov import ExactHMM
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.terms import Situation
from ptum.reference.experiments.two_rooms import Payment
from ptum.reference.sequential.hmm import HMM
from ptum.reference.tasks.mdp import MDP
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.empirical import Data
from ptum.spec.vocabulary import Version

T = TypeVar("T")

TYPES: dict[str, type[object]] = {}
"""Every type that has been named so far."""


def stored(kind: type[T]) -> type[T]:
    """Give a type its permanent name, that of the class."""
    return stored_as(kind.__name__)(kind)


def stored_as(name: str) -> Callable[[type[T]], type[T]]:
    """Give a type its permanent name."""

    def give(kind: type[T]) -> type[T]:
        if name in TYPES:
            raise ValueError(f"two types are called {name}")
        TYPES[name] = kind
        return kind

    return give


def type_of(name: str) -> type[object] | None:
    """The type behind a permanent name or an old path, None if there is none."""
    return TYPES.get(name.rpartition(":")[2])


def name_of(kind: type[object]) -> str | None:
    """The permanent name of a type, None if it has none."""
    return next((name for name, named in TYPES.items() if named is kind), None)


for _kind in (Data, ExactHMM, ExactMDP, HMM, MDP, ModelErrors, Payment, Situation, Version):
    stored(_kind)
