"""Standard deviations of rewards and of values."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from ptum.checks.judge.capabilities import capabilities
from ptum.checks.judge.capabilities.tasks import deviations
from ptum.checks.judge.judging.items import SIGMAS
from ptum.checks.judge.judging.readings import assess
from ptum.checks.judge.messages.fields import array
from ptum.checks.judge.messages.parsing import number
from ptum.checks.judge.plain.algorithm_1 import Algorithm1
from ptum.checks.judge.plain.views import VIEWS
from ptum.checks.judge.programs.asking import edge_cases
from ptum.checks.judge.programs.subjects import ask
from ptum.reference.arrays import ROUNDING
from ptum.reference.tasks.models import ApproximateModels
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


class Variances(Algorithm1):
    """Variances of models in place of their deviations, wherever Algorithm 1 uses these."""

    def planned(self, models: ApproximateModels) -> ApproximateModels:
        return replace(models, sigma_r=models.sigma_r**2, sigma_p=models.sigma_p**2)


@pytest.mark.parametrize("name", ["information", "next_query", "confidence_set", "ptum"])
def test_wrong_deviations_of_models_are_a_suspect_wherever_they_are_used(name: str) -> None:
    used = capabilities()[name]
    answers = (ask(used, case, VIEWS[name](Variances)) for case in edge_cases(used))
    told = [found for found in (assess(used, answer) for answer in answers) if not found.agrees]
    assert told
    items = [found.finding.item for found in told if found.finding is not None]
    assert [item for item in items if not item.places & {*SIGMAS}] == []
