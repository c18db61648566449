"""Values of given policies."""

from __future__ import annotations

from ptum.checks.judge.capabilities.tasks import policy_value
from tests.checks.judge.support import trials

CAPABILITY = policy_value.CAPABILITY


def test_all_kinds_of_policies_are_asked_for() -> None:
    flags = [flag for case in trials.edge_cases(CAPABILITY) for flag in case.flags]
    assert min(flags.count(kind) for kind in ("best", "worst", "mixed")) >= 7
