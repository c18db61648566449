"""Every erratum of the paper, in its order, and the stories that they belong to."""

from __future__ import annotations

from ptum.spec.errata import sequential, transfer
from ptum.spec.records import ErrataGroup, Erratum

ERRATA: tuple[Erratum, ...] = (*transfer.ERRATA, *sequential.ERRATA)
GROUPS: tuple[ErrataGroup, ...] = (*transfer.GROUPS, *sequential.GROUPS)
