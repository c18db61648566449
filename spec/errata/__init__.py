"""Every erratum of the paper, in its order."""

from __future__ import annotations

from spec.errata import sequential, transfer
from spec.records import Erratum

ERRATA: tuple[Erratum, ...] = (*transfer.ERRATA, *sequential.ERRATA)
