"""The steps, by the page that they stand on; a page's last table names each of them once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.theory.language import ProofStep
from tests.theory.steps import fallback, open_questions, sequential, sequential_limits, transfer

STEPS: Final[Mapping[str, tuple[ProofStep, ...]]] = {
    "repaired_transfer.md": transfer.STEPS,
    "repaired_sequential.md": sequential.STEPS,
    "sequential_limits.md": sequential_limits.STEPS,
    "open_questions.md": open_questions.STEPS,
    "fallback.md": fallback.STEPS,
}
