"""Definition 1."""

from __future__ import annotations

import numpy as np

from ptum.checks.judge.capabilities.transfer import information
from tests.checks.judge.support import trials

CAPABILITY = information.CAPABILITY


def test_an_infinite_error_hides_everything() -> None:
    _, answer = trials.literal_answer(CAPABILITY, "infinite-error")
    assert not np.any(np.array(answer["I"]))
