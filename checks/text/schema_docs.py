"""Fields of JSON documents that say what they mean, in `ptum schema` and beside their types."""

from __future__ import annotations

import msgspec

from ptum.spec.vocabulary import VERSION_MEANS

VERSIONS = "; ".join(f"{version}: {meaning}" for version, meaning in VERSION_MEANS.items())
"""The meaning of a field that names the version of a check."""


def means(text: str) -> msgspec.Meta:
    """What a field means: `field: Annotated[int, means("…")]`."""
    return msgspec.Meta(description=text)
