"""The price of wrong models: runs that ask more than n beside their fallback are seen."""

from __future__ import annotations

import pytest

from ptum.checks.claims.section_3_discussion import negative_transfer
from ptum.checks.claims.section_3_discussion.negative_transfer import (
    Misled,
    cost_evaluation,
    literal,
    misled,
)
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.search import search
from ptum.reference.tasks.generative import GenerativeModel
from ptum.reference.transfer.fallback import PacAlgorithm
from ptum.reference.transfer.ptum import PtumResult
from ptum.spec.vocabulary import Verdict

QUICK = Context(Profile.QUICK, seed=3)


def test_the_price_is_kept_and_paid_in_full_by_some() -> None:
    outcome = search(QUICK, misled(), cost_evaluation, 40)
    assert outcome.verdict is Verdict.HOLDS
    assert outcome.worst_ratio == 1


def falls_back_twice(case: Misled, model: GenerativeModel, fallback: PacAlgorithm) -> PtumResult:
    result = literal(case, model, fallback)
    for _ in range(case.n):  # more than is ever left of the budget
        fallback(model, case.models.S, case.models.A, case.models.gamma, case.epsilon, 0.1)
    return result


def asks_beyond_the_budget(
    case: Misled, model: GenerativeModel, fallback: PacAlgorithm
) -> PtumResult:
    result = literal(case, model, fallback)
    for _ in range(case.n + 1):
        model.sample(0, 0)
    return result


@pytest.mark.parametrize("wrong", [falls_back_twice, asks_beyond_the_budget])
def test_runs_that_ask_more_are_rejected(wrong: negative_transfer.MisledRun) -> None:
    outcome = search(QUICK, misled(), lambda case: cost_evaluation(case, wrong), 40)
    assert outcome.verdict is Verdict.VIOLATED
