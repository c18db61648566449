"""Gaps between models, with the value of the first one."""

from __future__ import annotations

from ptum.checks.judge.capabilities.tasks import gaps
from ptum.checks.judge.messages.fields import array
from tests.checks.judge.support import trials

CAPABILITY = gaps.CAPABILITY


def test_the_table_with_three_models_is_optional_but_judged() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "flat-against-steep")
    assert trials.finding_of(CAPABILITY, request, trials.without(answer, "gap_p3")) is None
    spoilt = trials.told(CAPABILITY, request, trials.shifted(answer, "gap_p3", 0.1))
    assert spoilt.item.startswith("Appendix B")


def test_the_finding_names_the_place_and_both_numbers() -> None:
    request, answer = trials.literal_answer(CAPABILITY, "flat-against-steep")
    exchanged = {**answer, "gap_p": array(answer, "gap_p")[::-1].tolist()}
    found = trials.told(CAPABILITY, request, exchanged)
    assert (found.what, found.expected) == ("gap_p[0][1][0][0]", "0.75")
    assert found.got == f"0 (error 0.75, tolerance {gaps.tolerance(request)['gap_p']:.2g})"
