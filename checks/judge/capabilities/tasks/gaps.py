"""Section 2: the gaps Δ^r and Δ^p between models, pair by pair of models and of (s,a)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.cases import tasks
from ptum.checks.judge.cases.tasks import MODEL_SETS, drawn_sets
from ptum.checks.judge.judging.compare import first_off, in_every_reading
from ptum.checks.judge.judging.items import Item
from ptum.checks.judge.judging.readings import Capability, Case, Judge, all_readings
from ptum.checks.judge.judging.tolerances import FLOOR, gap_error
from ptum.checks.judge.messages.fields import MODEL_FIELDS, Field, MalformedError, array, reals
from ptum.checks.judge.messages.parsing import as_models, models_of, number
from ptum.checks.judge.messages.transcript import Asked, Fields
from ptum.reference.arrays import Floats
from ptum.reference.tasks.gaps import reward_gap, transition_gap, transition_gap_three
from ptum.reference.tasks.models import ApproximateModels


def states_of(request: Fields) -> int:
    """S, read off the first model."""
    return len(array(entries(request)[0], "p"))


def entries(request: Fields) -> list[Fields]:
    """The models of a request as they are written there."""
    models = request["models"]
    if not isinstance(models, list) or not models:
        raise MalformedError("models must be a list of tasks")
    return models


def tolerance(request: Fields) -> dict[str, float]:
    """Δ^r is a difference of two sums; Δ^p inherits the error of the value (`tolerances`)."""
    of_p = gap_error(states_of(request), number(request, "gamma"))
    return {"gap_r": FLOOR, "gap_p": of_p, "gap_p3": of_p}


def gaps_of(models: ApproximateModels) -> dict[str, Floats]:
    """All gaps: [θ][θ'][s][a], and [θ][θ'][θ''][s][a] with the value of the third model."""
    every = range(models.k)
    r, p, V = models.r, models.p, models.V_star
    return {
        "gap_r": np.array([[reward_gap(r[i], r[j]) for j in every] for i in every]),
        "gap_p": np.array([[transition_gap(p[i], p[j], V[i]) for j in every] for i in every]),
        "gap_p3": np.array([[_three(p[i], p[j], V) for j in every] for i in every]),
    }


def _three(p_theta: Floats, p_theta_prime: Floats, V_star: Floats) -> Floats:
    """Δ^p(θ,θ';θ'') for every θ''."""
    return np.array([transition_gap_three(p_theta, p_theta_prime, V) for V in V_star])


GAP_R = Item("Section 2, Δ^r(θ,θ')", "text-model-gaps:Δ^r")
GAP_P = Item("Section 2, Δ^p(θ,θ')", "text-model-gaps:Δ^p")
GAP_P3 = Item("Appendix B, Δ^p(θ,θ';θ'')", "text-model-gaps:Δ^p of three")

ITEMS = {"gap_r": GAP_R, "gap_p": GAP_P, "gap_p3": GAP_P3}


def judge(request: Fields, answer: Fields, _: Sequence[Asked]) -> Judge:
    """Each table in turn; the one with three models only if it was given."""
    allowed = tolerance(request)
    expected = gaps_of(models_of(request))
    asked = [name for name in expected if name in answer or name != "gap_p3"]
    got = {name: reals(answer, name, expected[name].shape) for name in asked}
    findings = [
        first_off(ITEMS[name], name, expected[name], got[name], allowed[name]) for name in asked
    ]
    finding = next((finding for finding in findings if finding is not None), None)
    return in_every_reading(finding)


# Conforming implementations


def literal(models: Sequence[Mapping[str, Floats]], gamma: float) -> dict[str, Floats]:
    """`ptum.reference.tasks.gaps`."""
    return gaps_of(as_models(models, gamma))


def two_arguments(models: Sequence[Mapping[str, Floats]], gamma: float) -> dict[str, Floats]:
    """Only what Section 2 defines, as sums written out at once."""
    known = as_models(models, gamma)
    r, p, V = known.r, known.p, known.V_star
    moved = np.einsum("isax,ix->isa", p, V)[:, np.newaxis] - np.einsum("jsax,ix->ijsa", p, V)
    return {"gap_r": np.abs(r[:, np.newaxis] - r), "gap_p": np.abs(moved)}


CONFORMING: Mapping[str, Implementation] = {"literal": literal, "two-arguments": two_arguments}


def cases(seed: int) -> Iterator[Case]:
    """Every set of models; then drawn ones."""
    for known in (*MODEL_SETS, *drawn_sets(seed, 5)):
        yield Case(f"gaps/{known.name}", known.request(), known.flags)


CAPABILITY = Capability(
    name="gaps",
    item="text-model-gaps",
    says="Distances between models; those of transitions use the FIRST model's optimal value.",
    input=MODEL_FIELDS,
    output=(
        Field("gap_r", "real", ("k", "k", "S", "A"), "[θ][θ'][s][a]: |r_θ - r_θ'|"),
        Field("gap_p", "real", ("k", "k", "S", "A"), "[θ][θ'][s][a]: |(p_θ - p_θ')ᵀV*_θ|"),
        Field(
            "gap_p3",
            "real",
            ("k", "k", "k", "S", "A"),
            "[θ][θ'][θ''][s][a]: |(p_θ - p_θ')ᵀV*_θ''|",
            optional=True,
        ),
    ),
    readings=all_readings(),
    cases=cases,
    judge=judge,
    tolerance=tolerance,
    flags=tasks.FLAGS,
)
