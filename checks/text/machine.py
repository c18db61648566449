"""What the last bits of a result may depend on: the sources of ptum, and the machine."""

from __future__ import annotations

import functools
import hashlib
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, cast

import msgspec
import numpy as np
import scipy.linalg

from ptum.checks.text.schema_docs import means

PACKAGES = ("numpy", "scipy", "hypothesis", "sympy", "mpmath")
"""What results may depend on."""

DATA_AND_CODE = (".py", ".json", ".txt")
"""Endings of the files that results depend on."""


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """What the last bits of a result may depend on beside the sources of ptum."""

    system: Annotated[str, means("operating system, processor, version of the C library")]
    python: Annotated[str, means("version of Python")]
    packages: Annotated[dict[str, str], means("versions of packages")]
    blas: Annotated[
        tuple[str, ...],
        means("libraries of BLAS, each with the kernel in use; empty without threadpoolctl"),
    ]
    simd: Annotated[tuple[str, ...], means("SIMD extensions that numpy uses")]

    def differences(self, other: Machine) -> list[str]:
        """Names of the fields that are not equal."""
        names = self.__struct_fields__
        return [name for name in names if getattr(self, name) != getattr(other, name)]


ROOT = Path(__file__).parents[2]

FOLDERS = ("spec", "reference", "checks")


@functools.cache
def sources() -> str:
    """Version of ptum and a digest of its code."""
    digest = hashlib.sha256()
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in DATA_AND_CODE:
                continue
            digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return f"{version('ptum')} ({digest.hexdigest()[:12]})"


@functools.cache
def this_machine() -> Machine:
    """As it is here; the kernel of BLAS is the one that was chosen for this processor."""
    np.dot(np.eye(2), scipy.linalg.inv(np.eye(2)))  # both copies of BLAS are loaded
    simd = cast(dict[str, dict[str, list[str]]], np.show_config(mode="dicts"))["SIMD Extensions"]
    return Machine(
        system=f"{platform.system()} {platform.machine()} {platform.libc_ver()[1]}",
        python=platform.python_version(),
        packages={name: version(name) for name in PACKAGES},
        blas=_blas(),
        simd=tuple(sorted((*simd["baseline"], *simd.get("found", [])))),
    )


def _blas() -> tuple[str, ...]:
    try:
        from threadpoolctl import threadpool_info
    except ModuleNotFoundError:  # it comes with ptum[distributed]
        return ()
    found = [library for library in threadpool_info() if library["user_api"] == "blas"]
    return tuple(sorted({f"{b['internal_api']} {b['version']} {b['architecture']}" for b in found}))
