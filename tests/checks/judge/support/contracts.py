"""What `test_contract` holds each capability to, where capabilities differ: one entry for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ptum.checks.judge.judging.readings import Case
from ptum.checks.judge.messages.transcript import Json

Seen = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Contract:
    """One capability.

    `literal` is the reading that the literal code shows, `others` what differs in other conforming
    implementations; a choice without options is none that they take. Runs that take long
    are told apart on `deciding` edge cases. `tolerance` names cases whose tolerances must bite,
    `entries` one of which every number must count. `malformed` lists answers to the case `example`,
    as changes of the literal answer, that are refused with a message that matches.
    """

    example: str
    literal: Seen = field(default_factory=dict)
    others: Mapping[str, Seen] = field(default_factory=dict)
    least: int = 22
    deciding: tuple[str, ...] = ()
    tolerance: tuple[str, ...] = ()
    entries: str = ""
    malformed: tuple[tuple[str, Json, str], ...] = ()

    @property
    def slow(self) -> bool:
        """Whether runs take long: then conforming code is asked the deciding cases alone."""
        return bool(self.deciding)


def _labels(name: str, *more: Json) -> tuple[tuple[str, Json, str], ...]:
    """A list of labels below 2."""
    values: tuple[Json, ...] = (0, [0, 0], [9], [-1], [0.5], ["0"], [[0]], *more)
    return tuple((name, value, name) for value in values)


def cost(case: Case) -> int:
    """How long a run may take: its queries, or its tasks times their models; cheap ones first."""
    of = case.input
    if "m" in of and "k" in of:
        return int(str(of["m"])) * int(str(of["k"]))
    return 0 if "no-transfer" in case.flags else int(str(of["n"]))


FOUR, SINGLE = ("four constants",), ("single Δ",)
GIVEN, ACTIVE = ("every θ' given",), ("active θ' only",)
PRINTED, REPAIRED = {"version": ("printed",)}, {"version": ("repaired",)}
LAST_SAMPLE = ("last sample unused", "last sample used")
FAILURE = ("failure declared", "failure not always declared")
SYMMETRIC = ("symmetric part of M̂_2, mean of M̂_3(W,W,W) over the six orders",)
UNMATCHED = ("not at all",)
MATCHED = ("assignment of least total squared column distance to the previous estimate",)
EVERY, POST = ("all samples of the task",), ("post-samples only, fixed number",)

CONTRACTS: Mapping[str, Contract] = MappingProxyType(
    {
        "optimal": Contract(
            "slippery",
            tolerance=("slippery", "very-patient", "bandit-gamma-0", "no-reward"),
            entries="slippery",
            malformed=(
                ("V", [1.0, 2.0, 10**400], "V"),
                ("pi", [0, 1, 2], "pi"),
                ("pi", [0, 1, -1], "pi"),
            ),
        ),
        "policy_value": Contract(
            "slippery-poorest",
            tolerance=("slippery-poorest", "very-patient-mixed", "no-reward-best"),
            entries="slippery-poorest",
        ),
        "gaps": Contract(
            "bandits",
            tolerance=("transitions-apart", "mirrored-long", "bandits", "one-model"),
            entries="flat-against-steep",
        ),
        "deviations": Contract(
            "bandits",
            tolerance=("transitions-apart", "mirrored-long", "constant-value"),
            entries="flat-against-steep",
        ),
        "widths": Contract(
            "ordinary",
            {"D02": FOUR},
            {"single-delta": {"D02": SINGLE}},
            tolerance=(
                "ordinary",
                "zero-one-two-three",
                "gamma-0.9999",
                "many-and-few",
                "unlike-errors",
            ),
            entries="ordinary",
        ),
        "confidence_set": Contract(
            "value-above-model-falls",
            {"D02": FOUR, "D10": GIVEN},
            {
                "single-delta": {"D02": SINGLE},
                "active-values": {"D10": ACTIVE},
                "single-delta-active-values": {"D02": SINGLE, "D10": ACTIVE},
            },
            malformed=_labels("active"),
        ),
        "stopping": Contract(
            "one-way",
            PRINTED,
            {"repaired": REPAIRED, "18-for-4": REPAIRED},
            malformed=(*_labels("good"), ("transfer", 2, "transfer")),
        ),
        "information": Contract(
            "bandits",
            tolerance=("three-models", "mirrored-long", "infinite-error", "twins"),
            entries="flat-against-steep",
        ),
        "next_query": Contract(
            "bandits",
            malformed=(
                ("s", 1, "is no pair"),
                ("a", 3, "is no pair"),
                ("s", -1, "is no pair"),
                ("a", 2**63, "a holds an integer of more than 64 bits"),
                ("s", -1e300, "s holds an integer of more than 64 bits"),
            ),
        ),
        "ptum": Contract(
            "three-arms-0",
            {
                "D02": FOUR,
                "D10": GIVEN,
                "D18": ("query on",),
                "D22": LAST_SAMPLE[:1],
                "D25": ("δ for the transfer phase",),
                **PRINTED,
            },
            {
                "single-error": {"D02": SINGLE},
                "active-values": {"D10": ACTIVE},
                # samples of n-23 are spread over tied arms: its last one decides nothing
                "least-sampled": {"D22": LAST_SAMPLE},
                "gives-up-at-zero": {"D18": ("fall back",)},
                "last-sample": {"D22": LAST_SAMPLE[1:]},
                # widths are larger: the last sample decides nothing either
                "half-delta": {"D25": ("δ/2 for the transfer phase",), "D22": LAST_SAMPLE},
                # the repaired line 2 does not let the case `silent` in
                "repaired": {"D18": ("fall back", "query on"), **REPAIRED},
                "fast-repaired": {"D18": ("fall back", "query on"), **REPAIRED},
                "18-for-4": {"D18": ("fall back", "query on"), **REPAIRED},
            },
            deciding=(
                "epsilon-zero",
                "fork-0",
                "four-errors-certain",
                "four-errors-p",
                "n-23",
                "silent",
            ),
        ),
        "tensor_power": Contract("tilted", malformed=(("vectors", [[1.0, 0.0]], "vectors"),)),
        "hmm_moments": Contract(
            "two-coins",
            {"D53": FAILURE},
            {"goes-on": {"D53": FAILURE[1:]}},
            tolerance=("two-tasks", "three-tasks", "square", "rare-task", "one-task"),
            entries="two-tasks",
            malformed=(("O", None, "O"),),
        ),
        "hmm_samples": Contract(
            "certain",
            {"D45": ("drop the last",), "D51": ("not at all",), "D53": FAILURE, **PRINTED},
            {
                "repaired": {"D51": SYMMETRIC, **REPAIRED},
                "overlapping": {
                    "D45": ("all h-2 overlapping triples",),
                    "D51": SYMMETRIC,
                    **REPAIRED,
                },
                "drops-the-first": {"D45": ("drop the first",)},
                "full-symmetric": {"D51": SYMMETRIC},
                "symmetric-m2-alone": {"D51": ("symmetric part of M̂_2 alone",)},
                "symmetric-tensor-alone": {
                    "D51": ("mean of M̂_3(W,W,W) over the six orders alone",)
                },
                "rank-k-as-they-come": REPAIRED,
                "goes-on": {"D53": FAILURE[1:]},
            },
            least=8,
            malformed=(("T", None, "T"),),
        ),
        "prediction": Contract(
            "two-successors",
            {"D91": ("keep all models",), **PRINTED},
            {
                "eighteen": REPAIRED,
                "likeliest": {"D91": ("keep the likeliest one",)},
                "no-model": {"D91": ("start with no model",)},
                "mass": {"D90": ("smallest predicted probability first",), "D91": (), **REPAIRED},
                "mass-from-the-last": {"D90": ("fixed order",), "D91": (), **REPAIRED},
            },
            malformed=_labels("kept", ["inf"]),
        ),
        "sequential": Contract(
            "swap",
            {"D02": FOUR, "D46": EVERY, "D55": UNMATCHED, **PRINTED},
            {
                "repaired": {"D46": POST, "D55": MATCHED, **REPAIRED},
                "18-for-4": REPAIRED,
                "one-constant": {"D02": SINGLE},
                "only-post-samples": {"D46": POST},
                # labels as they are found may happen to be matched
                "matched": {"D55": (*MATCHED, *UNMATCHED)},
            },
            least=5,
            deciding=("swap", "one-task", "one-noisy-task", "coin-or-certain", "line-2-turns"),
        ),
    }
)
"""In the order of the capabilities."""
