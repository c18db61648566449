"""The checks, by part of the paper, and the registry of all of them.

Imports everything below it in `checks`; `suite`, `site` and `cli` import it.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

from ptum.checks.verdicts.check import ALPHA, Check
from ptum.spec import ledger
from ptum.spec.vocabulary import Version

MODULES = (
    "ptum.checks.claims.untestable",
    "ptum.checks.claims.definitions",
    "ptum.checks.claims.symbolic",
    "ptum.checks.claims.section_2.task",
    "ptum.checks.claims.section_2.rewards",
    "ptum.checks.claims.section_2.values",
    "ptum.checks.claims.section_2.gaps",
    "ptum.checks.claims.section_2.frequencies",
    "ptum.checks.claims.section_3.algorithm_1",
    "ptum.checks.claims.section_3_bounds.algorithm_1_promise",
    "ptum.checks.claims.section_3.algorithm_1_text",
    "ptum.checks.claims.section_3.only_samples",
    "ptum.checks.claims.section_3_bounds.theorem_1",
    "ptum.checks.claims.section_3_bounds.theorem_1_text",
    "ptum.checks.claims.section_3_discussion.any_learner",
    "ptum.checks.claims.section_3_bounds.earlier_bounds",
    "ptum.checks.claims.section_3_discussion.online",
    "ptum.checks.claims.section_3_discussion.optimism",
    "ptum.checks.claims.section_3_discussion.negative_transfer",
    "ptum.checks.claims.section_3_bounds.discount",
    "ptum.checks.claims.section_3_bounds.corollary_1",
    "ptum.checks.claims.section_3_bounds.corollary_1_text",
    "ptum.checks.claims.appendix_b.concentration",
    "ptum.checks.claims.appendix_b.confidence",
    "ptum.checks.claims.appendix_b.elimination",
    "ptum.checks.claims.appendix_b.simulation",
    "ptum.checks.claims.appendix_b.setting",
    "ptum.checks.claims.appendix_b.stopping",
    "ptum.checks.claims.appendix_b.positive_index",
    "ptum.checks.claims.appendix_b.fundamental",
    "ptum.checks.claims.appendix_b.phases",
    "ptum.checks.claims.appendix_b.fundamental_steps",
    "ptum.checks.claims.appendix_b.correctness",
    "ptum.checks.claims.open_questions.empirical_bernstein",
    "ptum.checks.claims.open_questions.threshold",
    "ptum.checks.claims.open_questions.literal_deviation",
    "ptum.checks.claims.open_questions.constants",
    "ptum.checks.claims.open_questions.cheapest",
    "ptum.checks.claims.section_4.observations",
    "ptum.checks.claims.section_4.models",
    "ptum.checks.claims.section_4.rare_tasks",
    "ptum.checks.claims.section_4.continuous_rewards",
    "ptum.checks.claims.section_4.prediction",
    "ptum.checks.claims.section_4.unknown_constants",
    "ptum.checks.claims.section_4.chosen_constants",
    "ptum.checks.claims.appendix_c.moments",
    "ptum.checks.claims.appendix_c.estimates",
    "ptum.checks.claims.appendix_d.deviations",
    "ptum.checks.claims.appendix_d.lemmas_10_15",
    "ptum.checks.claims.appendix_d.lemma_11",
    "ptum.checks.claims.appendix_d.lemma_11_proof",
    "ptum.checks.claims.appendix_d.lemma_12",
    "ptum.checks.claims.appendix_d.long_sequences",
    "ptum.checks.claims.appendix_d.runs",
    "ptum.checks.claims.appendix_d.model_errors",
    "ptum.checks.claims.appendix_d.within_task",
    "ptum.checks.claims.appendix_e.parameters",
    "ptum.checks.claims.appendix_e.runs",
    "ptum.checks.claims.appendix_e.learning",
    "ptum.checks.claims.appendix_e.outcomes",
    "ptum.checks.claims.appendix_e.grid_panels",
    "ptum.checks.claims.appendix_e.sequence_panels",
    "ptum.checks.claims.appendix_e.error_panel",
    "ptum.checks.claims.appendix_e.baseline_panels",
)
"""Where checks are written; each module exports `CHECKS`."""


@cache
def registry() -> Mapping[str, Check]:
    """All checks by id; ids are unique and the α's sum to at most `ALPHA`."""
    table: dict[str, Check] = {}
    for module in MODULES:
        for check in importlib.import_module(module).CHECKS:
            if check.id in table:
                raise ValueError(f"two checks are called {check.id}")
            table[check.id] = check
    if sum(check.alpha for check in table.values()) > ALPHA:
        raise ValueError("the checks claim more error probability than there is")
    return MappingProxyType({check.id: check for check in _in_order(table.values())})


def _in_order(checks: Iterable[Check]) -> list[Check]:
    """In the order of the ledger, and for one part as printed, as run, repaired."""
    places = {part.id: place for place, (_, part) in enumerate(ledger.parts())}
    order = list(Version)
    return sorted(checks, key=lambda check: (places[check.part], order.index(check.version)))
