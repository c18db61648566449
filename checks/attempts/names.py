"""The permanent names of the types that stored instances consist of, and where each one lives now.

A name is given once and kept: moving a class changes its place here and no stored file. Files and
reports of 0.1.0 have `module:Name` in its stead, of which the part behind the colon is the name.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping

PLACES: Mapping[str, str] = {
    "Version": "ptum.spec.vocabulary",
    "ThreePoint": "ptum.checks.appendix_b.concentration",
    "Stopped": "ptum.checks.appendix_b.correctness",
    "AtOnePair": "ptum.checks.appendix_b.elimination",
    "Scene": "ptum.checks.appendix_b.elimination",
    "ExactScene": "ptum.checks.appendix_b.fundamental",
    "Run": "ptum.checks.appendix_b.phases",
    "Failing": "ptum.checks.appendix_b.setting",
    "Pair": "ptum.checks.appendix_b.simulation",
    "Walked": "ptum.checks.appendix_b.simulation",
    "Accuracy": "ptum.checks.appendix_b.stopping",
    "SizedHMM": "ptum.checks.appendix_d.chains",
    "Floored": "ptum.checks.appendix_d.deviations",
    "Split": "ptum.checks.appendix_d.lemma_11_proof",
    "Prediction": "ptum.checks.appendix_d.lemmas_10_15",
    "Long": "ptum.checks.appendix_d.long_sequences",
    "Estimated": "ptum.checks.appendix_d.model_errors",
    "SignedLaw": "ptum.checks.appendix_d.model_errors",
    "Moved": "ptum.checks.appendix_d.moved_moments",
    "StepCounts": "ptum.checks.appendix_d.within_task",
    "TaskVisits": "ptum.checks.appendix_d.within_task",
    "WithinScales": "ptum.checks.appendix_d.within_task",
    "Budgeted": "ptum.checks.appendix_e.baseline_panels",
    "Maze": "ptum.checks.appendix_e.baseline_panels",
    "Purse": "ptum.checks.appendix_e.baseline_panels",
    "Curves": "ptum.checks.appendix_e.error_panel",
    "Doors": "ptum.checks.appendix_e.grid_panels",
    "Places": "ptum.checks.appendix_e.grid_panels",
    "Alike": "ptum.checks.appendix_e.learning",
    "Layout": "ptum.checks.appendix_e.outcomes",
    "OnlineSetting": "ptum.checks.appendix_e.outcomes",
    "Episode": "ptum.checks.appendix_e.runs",
    "Filtered": "ptum.checks.appendix_e.runs",
    "Path": "ptum.checks.appendix_e.runs",
    "Listed": "ptum.checks.appendix_e.sequence_panels",
    "Online": "ptum.checks.counterexamples.blind_tests",
    "Inputs": "ptum.checks.counterexamples.certain_runs",
    "Step": "ptum.checks.counterexamples.discarding",
    "Comparison": "ptum.checks.counterexamples.gap_meaning",
    "Gaussian": "ptum.checks.counterexamples.gaussians",
    "Rooms": "ptum.checks.counterexamples.grid_sizes",
    "OneCoin": "ptum.checks.counterexamples.no_level",
    "Initial": "ptum.checks.counterexamples.optimistic_arms",
    "Instance": "ptum.checks.counterexamples.positive_index",
    "Scaled": "ptum.checks.counterexamples.unit_rewards",
    "Laws": "ptum.checks.counterexamples.vanishing_deviation",
    "Term": "ptum.checks.counterexamples.width_form",
    "ExactMDP": "ptum.checks.exact",
    "ExactHMM": "ptum.checks.exact_hmm",
    "Situation": "ptum.checks.exact_terms",
    "NamedHMM": "ptum.checks.families.hmms",
    "Sizes": "ptum.checks.families.hmms",
    "TaskSet": "ptum.checks.families.shape",
    "PolicyOf": "ptum.checks.section_2.values",
    "Approximation": "ptum.checks.section_3.algorithm_1",
    "Solved": "ptum.checks.section_3.algorithm_1_promise",
    "Excess": "ptum.checks.section_3.algorithm_1_text",
    "Sampled": "ptum.checks.section_3.algorithm_1_text",
    "FewModels": "ptum.checks.section_3.any_learner",
    "Hidden": "ptum.checks.section_3.any_learner",
    "Poor": "ptum.checks.section_3.any_learner",
    "Rate": "ptum.checks.section_3.corollary_1_text",
    "Rivals": "ptum.checks.section_3.discount",
    "NearCopy": "ptum.checks.section_3.earlier_bounds",
    "Misled": "ptum.checks.section_3.negative_transfer",
    "Wandering": "ptum.checks.section_3.online",
    "Drawn": "ptum.checks.section_3.runs",
    "Setting": "ptum.checks.section_3.runs",
    "TwoConstants": "ptum.checks.section_4.chosen_constants",
    "TwoRules": "ptum.checks.section_4.chosen_constants",
    "GaussianTasks": "ptum.checks.section_4.continuous_rewards",
    "SmallTask": "ptum.checks.section_4.observations",
    "LongRun": "ptum.checks.section_4.rare_tasks",
    "Offered": "ptum.checks.section_4.unknown_constants",
    "TwoModels": "ptum.checks.section_4.unknown_constants",
    "ModelErrors": "ptum.reference.assumptions",
    "Payment": "ptum.reference.domains.two_rooms",
    "Data": "ptum.reference.empirical",
    "HMM": "ptum.reference.hmm",
    "MDP": "ptum.reference.mdp",
}
"""Name of a type, and the module in which it stands."""


def type_of(name: str) -> type[object] | None:
    """The type behind a permanent name or an old path, None if there is none."""
    word = name.rpartition(":")[2]
    if word not in PLACES:
        return None
    found: object = getattr(importlib.import_module(PLACES[word]), word)
    return found if isinstance(found, type) else None


def name_of(kind: type[object]) -> str | None:
    """The permanent name of a type, None if it has none."""
    word = kind.__qualname__
    return word if PLACES.get(word) == kind.__module__ else None
