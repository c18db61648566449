"""One module per capability: what is asked, every admissible answer, and the cases to ask.

Each module exports `CAPABILITY`, and `CONFORMING`: implementations by name, the literal one first.
An implementation takes the fields of a request as keyword arguments (arrays as numpy arrays) and
returns the fields of the answer.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import TypeAlias

from ptum.checks.judge.judging.readings import Capability

Implementation: TypeAlias = Callable[..., object]

FOLDERS = {
    "optimal": "tasks",
    "policy_value": "tasks",
    "gaps": "tasks",
    "deviations": "tasks",
    "widths": "transfer",
    "confidence_set": "transfer",
    "stopping": "transfer",
    "information": "transfer",
    "next_query": "transfer",
    "ptum": "transfer",
    "tensor_power": "sequential",
    "hmm_moments": "sequential",
    "hmm_samples": "sequential",
    "prediction": "sequential",
    "sequential": "sequential",
}
"""In the order of the paper; a module each, in one of the folders beside this file."""

NAMES = tuple(FOLDERS)


@cache
def capabilities() -> Mapping[str, Capability]:
    """Every capability by name."""
    return MappingProxyType({name: _module(name)[0] for name in NAMES})


def conforming(name: str) -> Mapping[str, Implementation]:
    """Conforming implementations of one capability; the literal one is called `literal`."""
    return _module(name)[1]


def _module(name: str) -> tuple[Capability, Mapping[str, Implementation]]:
    module = importlib.import_module(f"{__name__}.{FOLDERS[name]}.{name}")
    capability, implementations = module.CAPABILITY, module.CONFORMING
    return capability, implementations
