"""docs/deep.jsonl: what of the deep profile has run; docs/verdicts.md says how much."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ptum.checks.claims import registry
from ptum.checks.suite.report import KeptHead, KeptLine
from ptum.checks.suite.runner import expected_in
from ptum.checks.verdicts.check import Profile

DOCS = Path(__file__).parents[3] / "docs"
HEAD, *LINES = (DOCS / "deep.jsonl").read_bytes().splitlines()
READ = [msgspec.json.decode(line, type=KeptLine).result for line in LINES]
RESULTS = {result.check: result for result in READ}
"""By check, of which the last line counts."""


def test_it_is_of_the_deep_profile_with_the_usual_seed() -> None:
    head = msgspec.json.decode(HEAD, type=KeptHead)
    assert (head.profile, head.seed) == (Profile.DEEP, 0)
    assert RESULTS


def test_every_verdict_is_what_the_ledger_expects_today() -> None:
    for result in RESULTS.values():
        assert result.verdict in expected_in(registry()[result.check], Profile.DEEP), result.check
        assert result.ran


def test_the_page_counts_them() -> None:
    hours = sum(result.seconds for result in RESULTS.values()) / 3600
    page = (DOCS / "verdicts.md").read_text()
    assert f"{len(RESULTS)} of {len(registry())} checks, all as expected" in page
    assert f"{hours:.1f} h for the checks" in page
