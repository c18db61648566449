"""Fields of JSON documents that tell what they mean, in `ptum schema` and beside their types."""

from __future__ import annotations

import msgspec


def means(text: str) -> msgspec.Meta:
    """What a field means: `field: Annotated[int, means("…")]`."""
    return msgspec.Meta(description=text)
