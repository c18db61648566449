"""Every erratum of the paper, by number, and the groups that they belong to."""

from __future__ import annotations

from ptum.spec.errata import sequential, transfer
from ptum.spec.records import ErrataGroup, Erratum

ERRATA: tuple[Erratum, ...] = tuple(
    sorted((*transfer.ERRATA, *sequential.ERRATA), key=lambda erratum: int(erratum.id[1:]))
)
GROUPS: tuple[ErrataGroup, ...] = (*transfer.GROUPS, *sequential.GROUPS)
