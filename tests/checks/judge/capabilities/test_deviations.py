"""Standard deviations of rewards and of values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ptum.checks.judge.capabilities.tasks import deviations
from ptum.checks.judge.messages.fields import array
from ptum.checks.judge.messages.parsing import number
from ptum.reference.arrays import ROUNDING
from tests.checks.judge.support import trials

CAPABILITY = deviations.CAPABILITY


@pytest.mark.parametrize("field", ["sigma_r", "sigma_p"])
def test_a_variance_of_two_roundings_passes_for_zero(field: str) -> None:
    """E[X²] - E[X]² may leave as much, in units of the squared range; its root is 2·10⁻⁸."""
    request, answer = trials.literal_answer(CAPABILITY, "certain-bandits")
    assert not np.any(array(answer, field))
    span = 1.0 if field == "sigma_r" else 1 / (1 - number(request, "gamma"))
    poor = trials.shifted(answer, field, math.sqrt(2 * ROUNDING) * span)
    assert trials.finding_of(CAPABILITY, request, poor) is None
