"""Fields of JSON documents that say what they mean, in `ptum schema` and beside their types."""

from __future__ import annotations

from enum import Enum
from typing import TypeVar

import msgspec

from ptum.spec.vocabulary import VERSION_MEANS

VERSIONS = "; ".join(f"{version}: {meaning}" for version, meaning in VERSION_MEANS.items())
"""The meaning of a field that names the version of a check."""

Shape = TypeVar("Shape", bound=msgspec.Struct)


def means(text: str) -> msgspec.Meta:
    """What a field means: `field: Annotated[int, means("…")]`."""
    return msgspec.Meta(description=text)


def shaped(shape: type[Shape], record: object, **own: object) -> Shape:
    """A record in the shape of its JSON: its fields of the same names, but for those given here."""
    names = [field.name for field in msgspec.structs.fields(shape) if field.name not in own]
    found = {name: _plain(getattr(record, name)) for name in names if hasattr(record, name)}
    return shape(**found, **own)


def _plain(value: object) -> object:
    """Words for members of an enumeration, lists for tuples."""
    if isinstance(value, Enum):
        return value.value
    return list(map(_plain, value)) if isinstance(value, tuple) else value
