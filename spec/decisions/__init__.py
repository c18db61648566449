"""Every decision of the project, in the order of the paper."""

from __future__ import annotations

from ptum.spec.decisions import sequential, transfer
from ptum.spec.records import Decision

DECISIONS: tuple[Decision, ...] = (*transfer.DECISIONS, *sequential.DECISIONS)
