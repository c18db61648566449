"""The report of a verification run, for machines.

A report without a footer is one that was cut off, so the footer is written last and says how
many results there should be.
"""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import Literal, TypeAlias

import msgspec

SCHEMA = "ptum-report/1"

Real: TypeAlias = float | Literal["inf", "-inf", "nan"]


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """What ran, where, and with which options."""

    schema: str
    ptum: str
    python: str
    platform: str
    packages: dict[str, str]
    profile: str
    seed: int
    options: dict[str, list[str]]


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One check in one version."""

    claim: str
    part: str
    reading: str | None
    check: str
    version: str
    kind: str
    verdict: str
    expected: list[str]
    as_expected: bool
    instances: int
    trials: int
    violations: int
    alpha: float
    interval: tuple[float, float] | None
    worst_ratio: Real | None
    tolerance: Real | None
    seed: int
    replay: str
    seconds: float
    story: list[str]


class Footer(msgspec.Struct, frozen=True, kw_only=True):
    """How it ended."""

    results: int
    surprises: int
    alpha: float


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Output of `ptum verify --json`."""

    header: Header
    results: list[Result]
    footer: Footer


def header(profile: str, seed: int, options: dict[str, list[str]]) -> Header:
    """The header of a run on this machine."""
    return Header(
        schema=SCHEMA,
        ptum=version("ptum"),
        python=platform.python_version(),
        platform=platform.platform(),
        packages={name: version(name) for name in ("numpy", "scipy", "hypothesis", "sympy")},
        profile=profile,
        seed=seed,
        options=options,
    )
