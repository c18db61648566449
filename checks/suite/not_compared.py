"""Formulas that a check names and that are not held against a number in its code, and why.

A test holds the table complete: what is neither here nor equal makes its check `errored`, and an
entry must be of a check whose verdict rests on a statement with that formula.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TABLES = (
    "the formula runs over the tables of an instance, of which a statement shows single numbers; "
    "the number in use is what `ptum.reference` computes, and `formula-agreement` holds that "
    "function equal to the formula"
)
PIECE = (
    "what is compared is a part of the formula (a denominator, a constant of the proof), or a "
    "quotient in which its other factors cancel"
)
EVENT = (
    "the formula says which event is meant; what is compared is a probability or a count, for all "
    "values of the symbols that are not given"
)
RULE = (
    "the formula is the rule that a run went by, and what is compared is what came of the run, not "
    "the threshold itself"
)
IMPLIED = "a rational number on the safe side is in the place of the formula, which has logarithms"

_THREE_ARMS = (
    "text-tighter-than-existing.tighter/three-arms",
    "text-pac.implied/infinite-bound",
    "text-gamma-worst-case.worst-case/three-arms",
    "text-never-worse-than-brunskill.never-worse/three-arms",
)
_REPAIRED_PIECES = (
    "text-tighter-than-existing.tighter/repaired-never-larger",
    "theorem-1.bound/repaired-finite",
    "corollary-1.exchange/repaired-with-errors",
    "text-oracle-proportional.oracle/repaired-finite",
    "text-gamma-worst-case.worst-case/repaired",
    "text-never-worse-than-brunskill.never-worse/repaired",
)
_STEPS_OF_COROLLARY_1 = (
    "corollary-1.rate-exact/information",
    "corollary-1.exchange/repaired-exact-models",
    "corollary-1.constant/repaired",
    "corollary-1.constant/repaired-exact-models",
    "text-independent-of-epsilon.bounded/rate",
    "corollary-1.rate-exact/drawn",
    "text-independent-of-epsilon.bounded/runs",
)
_COUNTED = (
    "lemma-2.bernstein/two-point",
    "lemma-2.bernstein/three-point",
    "lemma-2.bernstein/covered-misses",
    "lemma-2.bernstein/attacked",
    "lemma-2.bernstein/repaired-two-point",
)
_HIDDEN_GAPS = (
    "lemma-8.bound/cheapest-worst-data",
    "text-elimination-impossible.impossible/repaired-constants",
    "text-elimination-impossible.impossible/repaired-exact-constants",
)
_DROPPED = (
    "theorem-3.never/nothing-dropped",
    "theorem-3.at-any-time/horizon",
    "theorem-3.at-any-time/for-ever",
    "theorem-3.at-any-time/every-step",
    "text-sparse-T-helps.rule/cycle",
    "text-eta-keeps-models.arithmetic/transfer-phase",
)
_DROPPED_PER_STEP = (
    "theorem-3.never/per-step",
    "theorem-3.power/per-step",
    "text-sparse-T-helps.rule/per-step",
    "lemma-15.bound/given-the-history",
)

GROUPS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (PIECE, "THEOREM_1", _THREE_ARMS),
    (PIECE, "THEOREM_1_REPAIRED", _REPAIRED_PIECES),
    (PIECE, "COROLLARY_1", _STEPS_OF_COROLLARY_1),
    (PIECE, "COROLLARY_1_REPAIRED", ("text-discount-dependence.reachable/repaired-fourth-power",)),
    (PIECE, "FUNDAMENTAL", ("lemma-8.bound/worst-data",)),
    (PIECE, "FUNDAMENTAL_REPAIRED", ("lemma-8.bound/repaired-worst-data",)),
    (
        PIECE,
        "FUNDAMENTAL_SHARPER",
        ("lemma-8.bound/repaired-both-active", "lemma-8.bound/cheapest-both-active"),
    ),
    (
        PIECE,
        "N_BAR_REPAIRED",
        ("lemma-4.reward/drawn-sets", "lemma-4.transition/repaired-drawn-sets"),
    ),
    (PIECE, "THRESHOLD_OF_RATIO", ("lemma-7.positive/few-states-factor",)),
    (PIECE, "TRANSFER_THRESHOLD_REPAIRED", ("lemma-7.positive/repaired-threshold",)),
    (
        PIECE,
        "WIDTH_R",
        ("text-width-form.form/leading-term", "text-width-form.form/repaired-three-terms"),
    ),
    (
        PIECE,
        "WIDTH_P",
        ("text-width-form.form/leading-term", "text-width-form.form/repaired-three-terms"),
    ),
    (PIECE, "LEMMA_14_R", ("lemma-14.rewards/raw-estimates",)),
    (PIECE, "LEMMA_14_P", ("lemma-14.values/stretched-row",)),
    (
        PIECE,
        "LEMMA_14_SIGMA_R",
        ("lemma-14.reward-std/small-error", "lemma-14.reward-std/swollen-law"),
    ),
    (PIECE, "LEMMA_14_SIGMA_P", ("lemma-14.value-std/stretched-row",)),
    (
        TABLES,
        "THEOREM_1",
        (
            "theorem-1.bound/drawn",
            "theorem-1.phases/fixed-order",
            "theorem-1.phases/few-models",
            "theorem-1.phases/least-sampled",
            "text-scales-with-min.minimum/few-pairs",
        ),
    ),
    (
        TABLES,
        "THEOREM_1_REPAIRED",
        (
            "theorem-1.bound/repaired-drawn",
            "theorem-1.phases/repaired",
            "text-scales-with-min.minimum/repaired",
            "assumption-4.budget/repaired-bound",
            "text-epsilon-zero.enters/repaired-drawn",
        ),
    ),
    (TABLES, "FUNDAMENTAL", ("lemma-8.bound/runs",)),
    (
        TABLES,
        "FUNDAMENTAL_REPAIRED",
        (
            "lemma-8.bound/repaired-runs",
            "lemma-8.same-steps/own-values",
            "lemma-8.same-steps/all-values",
            "text-index-shortest-time.fastest/repaired-upper-bound",
        ),
    ),
    (TABLES, "N_BAR", ("lemma-4.transition/third-value", "lemma-4.transition/third-value-played")),
    (TABLES, "N_BAR_REPAIRED", ("lemma-4.transition/repaired-played",)),
    (TABLES, "N_BAR_R", ("lemma-4.reward/worst-data", *_HIDDEN_GAPS)),
    (TABLES, "N_BAR_P_REPAIRED", ("lemma-4.transition/repaired-worst-data", *_HIDDEN_GAPS)),
    (
        TABLES,
        "SIMULATION_POLICY",
        ("lemma-5.policy/drawn-pairs", "text-simulation-any-two.any-two/unrelated"),
    ),
    (
        TABLES,
        "SIMULATION_OPTIMAL",
        ("lemma-5.optimal/drawn-pairs", "text-simulation-any-two.any-two/unrelated"),
    ),
    (TABLES, "VALUE_ERROR", ("corollary-2.loss/drawn-pairs",)),
    (TABLES, "THETA_EPS", ("lemma-6.active/drawn-sets",)),
    (TABLES, "THETA_S", ("lemma-6.active/smaller-set",)),
    (TABLES, "ASSUMPTION_1_R", ("assumption-1.models-are-mdps/not-implied",)),
    (TABLES, "ASSUMPTION_1_P", ("assumption-1.models-are-mdps/not-implied",)),
    (TABLES, "MODEL_RANGES", ("assumption-1.models-are-mdps/repaired-ranges",)),
    (EVENT, "TASK", ("text-task.definition/tables", "assumption-1.models-are-mdps/refused")),
    (
        EVENT,
        "THEOREM_2",
        (
            "text-assumption-guaranteed.delivered/two-coins",
            "text-rate.rate/two-coins",
            "theorem-2.bounds/two-coins",
            "theorem-2.all-h/first-task",
        ),
    ),
    (EVENT, "THEOREM_2_CONDITION_REPAIRED", ("theorem-2.condition/lemma-11",)),
    (EVENT, "EMPIRICAL_BERNSTEIN", _COUNTED),
    (EVENT, "WIDTH_SIGMA_P", ("lemma-3.coverage/wrong-std",)),
    (EVENT, "LEMMA_10", ("lemma-10.bound/three-cycle",)),
    (
        EVENT,
        "LEMMA_14_R",
        ("lemma-14.probability/two-tasks-seen", "lemma-14.probability/exchanged-names"),
    ),
    (EVENT, "LEMMA_14_R_REPAIRED", ("lemma-14.probability/up-to-an-order",)),
    (EVENT, "LEMMA_15", ("lemma-15.bound/sticky-tasks",)),
    (IMPLIED, "LEMMA_10", ("lemma-10.bound/independent-tasks",)),
    (IMPLIED, "DROPPED_VISITS", ("theorem-3.power/rare-successor",)),
    (RULE, "THEOREM_3_RULE", _DROPPED),
    (RULE, "THEOREM_3_RULE_REPAIRED", _DROPPED_PER_STEP),
    (
        RULE,
        "PASS_NUMBER",
        ("algorithm-1.pseudocode/invariants", "algorithm-1.pseudocode/repaired-invariants"),
    ),
    (
        RULE,
        "TRANSFER_THRESHOLD",
        (
            "text-epsilon-zero.enters/falls-back",
            "text-piecewise-constant-in-epsilon.zero/falls-back",
        ),
    ),
    (
        RULE,
        "TRANSFER_THRESHOLD_REPAIRED",
        (
            "text-epsilon-zero.enters/repaired",
            "text-epsilon-zero.enters/repaired-drawn",
            "text-piecewise-constant-in-epsilon.zero/strict-line-2",
        ),
    ),
    (
        RULE,
        "STOPPING_SLACK",
        (
            "lemma-9.optimal/repaired-assumption",
            "lemma-9.optimal/repaired-weaker",
            "theorem-1.correct/cheapest",
            "theorem-1.correct/repaired-drawn",
        ),
    ),
)


def _by_check() -> Mapping[str, Mapping[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for reason, formula, checks in GROUPS:
        for check in checks:
            found.setdefault(check, {})[formula] = reason
    return MappingProxyType(found)


NOT_COMPARED: Mapping[str, Mapping[str, str]] = _by_check()
"""By check, the last part of the name of each formula, and the reason."""
