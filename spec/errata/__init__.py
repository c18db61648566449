"""Every erratum of the paper, in its order."""

from __future__ import annotations

from ptum.spec.errata import sequential, transfer
from ptum.spec.records import Erratum

ERRATA: tuple[Erratum, ...] = (*transfer.ERRATA, *sequential.ERRATA)
