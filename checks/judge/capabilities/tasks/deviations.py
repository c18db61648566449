"""Section 2: the standard deviations σ^r_θ(s,a) and σ^p_θ(s,a;θ') of given models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.capabilities.tasks.gaps import entries, states_of
from ptum.checks.judge.cases import tasks
from ptum.checks.judge.cases.tasks import MODEL_SETS, drawn_sets
from ptum.checks.judge.judging.compare import first_off, in_every_reading
from ptum.checks.judge.judging.items import SIGMA_P, SIGMA_R
from ptum.checks.judge.judging.readings import Capability, Case, Judge, all_readings
from ptum.checks.judge.judging.tolerances import deviation_error, transition_deviation_error
from ptum.checks.judge.messages.fields import MODEL_FIELDS, Field, array, reals
from ptum.checks.judge.messages.parsing import as_models, models_of, number
from ptum.checks.judge.messages.transcript import Asked, Fields
from ptum.reference.arrays import Floats


def tolerance(request: Fields) -> dict[str, float]:
    """Wide enough for E[X²] - E[X]², which is poor where a deviation is zero (`tolerances`)."""
    outcomes = max(len(array(model, "u")) for model in entries(request))
    of_p = transition_deviation_error(states_of(request), number(request, "gamma"))
    return {"sigma_r": deviation_error(outcomes), "sigma_p": of_p}


def judge(request: Fields, answer: Fields, _: Sequence[Asked]) -> Judge:
    """σ^r first, then σ^p with every θ'."""
    models, allowed = models_of(request), tolerance(request)
    sigma_r = reals(answer, "sigma_r", models.sigma_r.shape)
    sigma_p = reals(answer, "sigma_p", models.sigma_p.shape)
    finding = first_off(
        SIGMA_R, "sigma_r", models.sigma_r, sigma_r, allowed["sigma_r"]
    ) or first_off(SIGMA_P, "sigma_p", models.sigma_p, sigma_p, allowed["sigma_p"])
    return in_every_reading(finding)


# Conforming implementations


def literal(models: Sequence[Mapping[str, Floats]], gamma: float) -> dict[str, Floats]:
    """`ptum.reference.tasks.models`."""
    known = as_models(models, gamma)
    return {"sigma_r": known.sigma_r, "sigma_p": known.sigma_p}


def mean_of_squares(models: Sequence[Mapping[str, Floats]], gamma: float) -> dict[str, Floats]:
    """E[X²] - E[X]², cut off at zero."""
    known = as_models(models, gamma)
    p, V = known.p, known.V_star
    of_r = [model["q"] @ model["u"] ** 2 - (model["q"] @ model["u"]) ** 2 for model in models]
    of_p = p @ (V**2).T - (p @ V.T) ** 2
    return {"sigma_r": _root(np.array(of_r)), "sigma_p": _root(of_p)}


def _root(variance: Floats) -> Floats:
    root: Floats = np.sqrt(np.maximum(variance, 0.0))
    return root


CONFORMING: Mapping[str, Implementation] = {"literal": literal, "mean-of-squares": mean_of_squares}


def cases(seed: int) -> Iterator[Case]:
    """Every set of models; then drawn ones."""
    for known in (*MODEL_SETS, *drawn_sets(seed, 5)):
        yield Case(f"deviations/{known.name}", known.request(), known.flags)


CAPABILITY = Capability(
    name="deviations",
    item="text-variances",
    says="Standard deviations of rewards, and of the optimal values of all models.",
    input=MODEL_FIELDS,
    output=(
        Field("sigma_r", "real", ("k", "S", "A"), "[θ][s][a]: deviation of the reward"),
        Field("sigma_p", "real", ("k", "S", "A", "k"), "[θ][s][a][θ']: deviation of V*_θ'(S')"),
    ),
    readings=all_readings(),
    cases=cases,
    judge=judge,
    tolerance=tolerance,
    flags=tasks.FLAGS,
)
