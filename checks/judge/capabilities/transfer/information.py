"""Definition 1: the information I_{s,a}(θ,θ') for telling two models apart."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.capabilities.tasks.gaps import states_of
from ptum.checks.judge.cases import tasks
from ptum.checks.judge.cases.tasks import (
    MODEL_SETS,
    FlaggedModels,
    discrete_bandit,
    drawn_set,
    drawn_sets,
)
from ptum.checks.judge.judging.compare import farthest, first_off, in_every_reading
from ptum.checks.judge.judging.items import DEFINITION_1, SIGMAS, Item
from ptum.checks.judge.judging.readings import Capability, Case, Judge, all_readings
from ptum.checks.judge.judging.tolerances import information_error
from ptum.checks.judge.messages.fields import ERRORS_FIELD, MODEL_FIELDS, Field, reals
from ptum.checks.judge.messages.parsing import (
    ERRORS,
    as_errors,
    as_models,
    errors_fields,
    mapping,
    models_of,
    number,
    only_error,
)
from ptum.checks.judge.messages.transcript import Asked, Fields
from ptum.checks.judge.plain import views
from ptum.checks.judge.plain.algorithm_1 import Algorithm1, squared_ratio
from ptum.reference.arrays import Floats
from ptum.reference.tasks.gaps import reward_gap, transition_gap
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.information import excess_gap, information

FLAGS: Mapping[str, str] = {
    **tasks.FLAGS,
    "gap<8Δ": "a gap that the model error hides altogether",
    "gap=8Δ": "a gap that equals 8Δ: its excess is zero",
    "infinite-error": "a model error is infinite: no pair tells anything",
    "one-error": "only one of the four model errors is not zero; Δ is the largest",
}


def tolerance(request: Fields) -> dict[str, float]:
    """Definition 1 is Lipschitz in gaps and variances, in units of the range (`tolerances`)."""
    return {"I": information_error(states_of(request), number(request, "gamma"))}


WITH_SIGMAS = Item("Definition 1, or the deviations of Section 2 in it", "definition-1", *SIGMAS)


def table(models: ApproximateModels, Delta: float) -> Floats:
    """I[θ][θ'][s][a] by `ptum.reference.transfer.information`."""
    every = range(models.k)
    return np.array(
        [[information(models, theta=i, theta_prime=j, Delta=Delta) for j in every] for i in every]
    )


def judge(request: Fields, answer: Fields, _: Sequence[Asked]) -> Judge:
    """Every entry of the table."""
    models, Delta = models_of(request), as_errors(mapping(request, "errors")).Delta
    expected = table(models, Delta)
    got, allowed = reals(answer, "I", expected.shape), tolerance(request)["I"]
    found = first_off(DEFINITION_1, "I", expected, got, allowed)
    if found is not None:
        place = farthest(expected, got)
        inside = Inside.of(models, Delta, *place)
        found = replace(
            found, item=inside.item(float(got[place])), expected=f"{found.expected} = {inside}"
        )
    return in_every_reading(found)


@dataclass(frozen=True)
class Inside:
    """What Definition 1 computes with at one place.

    A wrong number does not tell by itself which piece is wrong: the right maximum may come from one
    that is right. So all of them are shown, and the wrong number can be found among them.
    """

    gap_r: float
    gap_p: float
    sigma_r: float
    sigma_p: float
    Delta: float
    gamma: float

    @classmethod
    def of(
        cls, models: ApproximateModels, Delta: float, theta: int, other: int, s: int, a: int
    ) -> Inside:
        """Gaps and deviations of two models at a pair."""
        gap_p = transition_gap(models.p[theta], models.p[other], models.V_star[theta])
        return cls(
            gap_r=float(reward_gap(models.r[theta], models.r[other])[s, a]),
            gap_p=float(gap_p[s, a]),
            sigma_r=float(models.sigma_r[theta, s, a]),
            sigma_p=float(models.sigma_p[theta, s, a, theta]),
            Delta=Delta,
            gamma=models.gamma,
        )

    def item(self, got: float) -> Item:
        """Definition 1; the positive part of it where that makes everything zero.

        Whatever the deviations are, both minima lie between zero and their linear terms: a number
        in between may come of wrong ones.
        """
        x_r, x_p = excess_gap(np.array([self.gap_r, self.gap_p]), self.Delta)
        if max(x_r, x_p) == 0:
            return DEFINITION_1.said(f"{DEFINITION_1}, no gap exceeds 8Δ")
        return WITH_SIGMAS if 0 <= got <= max(x_r, (1 - self.gamma) * x_p) else DEFINITION_1

    def _minimum(self, gap: float, sigma: float, weight: float) -> str:
        """Square and linear term of I^r or I^p."""
        x = excess_gap(np.array([gap]), self.Delta)
        square, linear = squared_ratio(x, np.array([sigma]))[0], weight * x[0]
        return f"min{{{square:.6g}, {linear:.6g}}}"

    def __str__(self) -> str:
        """The two minima, then what they are made of."""
        of_r = self._minimum(self.gap_r, self.sigma_r, 1.0)
        of_p = self._minimum(self.gap_p, self.sigma_p, 1 - self.gamma)
        parts = {
            "Δ̃^r": self.gap_r,
            "σ̃^r": self.sigma_r,
            "Δ̃^p": self.gap_p,
            "σ̃^p": self.sigma_p,
            "8Δ": 8 * self.Delta,
            "1-γ": 1 - self.gamma,
        }
        made_of = ", ".join(f"{name} = {x:.6g}" for name, x in parts.items())
        return f"max{{I^r = {of_r}, I^p = {of_p}}} with {made_of}"


# Conforming implementations


def literal(
    models: Sequence[Mapping[str, Floats]], gamma: float, errors: Mapping[str, float]
) -> dict[str, Floats]:
    """`ptum.reference.transfer.information`."""
    return {"I": table(as_models(models, gamma), as_errors(errors).Delta)}


def plain(
    models: Sequence[Mapping[str, Floats]], gamma: float, errors: Mapping[str, float]
) -> Floats:
    """Sums over all pairs at once; deviations from E[X²] - E[X]² with a floor of 10⁻¹⁵⁰."""
    known, Delta = as_models(models, gamma), max(errors.values())
    r, p, V = known.r, known.p, known.V_star
    mean = np.einsum("jsax,ix->ijsa", p, V)
    own = np.einsum("isax,ix->isa", p, V)[:, np.newaxis]
    square = np.einsum("isax,ix->isa", p, V**2)[:, np.newaxis]
    reward_square = np.array([model["q"] @ model["u"] ** 2 for model in models])
    var_r = np.maximum(reward_square - r**2, 1e-150)[:, np.newaxis]
    x = np.maximum(np.abs(r[:, np.newaxis] - r) - 8 * Delta, 0)
    y = np.maximum(np.abs(own - mean) - 8 * Delta, 0)
    of_r = np.minimum(x**2 / var_r, x)
    of_p = np.minimum(y**2 / np.maximum(square - own**2, 1e-150), (1 - gamma) * y)
    both: Floats = np.maximum(of_r, of_p)
    return both


CONFORMING: Mapping[str, Implementation] = {
    "literal": literal,
    "plain": plain,
    "in-steps": views.information(Algorithm1),
}


# Cases


def _hidden(
    name: str, errors: ModelErrors, known: str, *flags: str
) -> tuple[FlaggedModels, ModelErrors]:
    """One of the sets of `tasks`, seen through a model error."""
    (found,) = (models for models in MODEL_SETS if models.name == known)
    return FlaggedModels(name, found.tasks, (*found.flags, *flags)), errors


def edge_sets() -> Iterator[tuple[FlaggedModels, ModelErrors]]:
    """Every set of models with Δ = 0, and some of them with errors of all sizes."""
    for known in MODEL_SETS:
        yield known, single(0.0)
    yield _hidden("bandits-some-hidden", single(0.015625), "bandits")
    yield _hidden("bandits-all-hidden", single(0.125), "bandits", "gap<8Δ")
    yield _hidden("bandits-hidden-exactly", single(0.078125), "bandits", "gap=8Δ")
    yield _hidden("certain-bandits-some-hidden", single(0.03125), "certain-bandits")
    yield _hidden("certain-bandits-hidden-exactly", single(0.0625), "certain-bandits", "gap=8Δ")
    yield _hidden("transitions-some-hidden", single(0.0078125), "transitions-apart", "gap<8Δ")
    yield _hidden("mirrored-some-hidden", single(0.015625), "mirrored", "gap<8Δ")
    yield _hidden("steep-some-hidden", single(0.03125), "flat-against-steep")
    yield _hidden("infinite-error", single(math.inf), "mirrored", "infinite-error")
    yield _hidden("infinite-error-twins", single(math.inf), "twins", "infinite-error")
    for name in ERRORS:
        yield _hidden(f"only-error-{name}", only_error(name, 0.015625), "three-models", "one-error")
    rng = np.random.default_rng(15)
    yield drawn_set("rewards-tell-more", rng, 2, 2, 2, 0.5), single(0.015625)
    yield drawn_set("long-horizon-drawn", rng, 3, 3, 2, 0.99), single(0.0009765625)
    yield FlaggedModels("tiny-gap", _tiny_gap(), ("S=1", "zero-variance")), single(0.0)
    yield FlaggedModels("rewards-spread-apart", _unlike_rewards(), ("S=1",)), single(0.0)


def _tiny_gap() -> tuple[MDP, MDP]:
    """A gap of 2⁻¹⁸ without noise tells more than a Bernoulli arm; a floor under σ hides it."""
    gap, of_noisy = 2.0**-18, 52 * 2.0**-16
    return (
        discrete_bandit(0.5, {0.5: 1.0}, {0.0: 0.5, 1.0: 0.5}),
        discrete_bandit(0.5, {0.5 + gap: 1.0}, {0.0: 0.5 - of_noisy, 1.0: 0.5 + of_noisy}),
    )


def _unlike_rewards() -> tuple[MDP, MDP]:
    """Each has two rewards: 0 and 1, or 1/4 and 1/2, whose deviation is smaller."""
    return discrete_bandit(0.5, {0.0: 0.5, 1.0: 0.5}), discrete_bandit(0.5, {0.25: 0.5, 0.5: 0.5})


def request_of(known: FlaggedModels, errors: ModelErrors) -> Fields:
    """The fields models, gamma and errors."""
    return {**known.request(), "errors": errors_fields(errors)}


def drawn_with_errors(seed: int, count: int) -> Iterator[tuple[FlaggedModels, ModelErrors]]:
    """Drawn models with small errors that are multiples of 1/1024."""
    rng = np.random.default_rng(seed + 1)
    for known in drawn_sets(seed, count):
        sizes = (rng.integers(0, 17, size=4) / 1024).tolist()
        yield known, ModelErrors(*sizes)


def cases(seed: int) -> Iterator[Case]:
    """Exact models, models with errors that hide some gaps or all; then drawn ones."""
    for known, errors in (*edge_sets(), *drawn_with_errors(seed, 5)):
        yield Case(f"information/{known.name}", request_of(known, errors), known.flags)


CAPABILITY = Capability(
    name="information",
    item="definition-1",
    says="Information of every pair for every ordered pair of models; Δ is the largest error.",
    input=(*MODEL_FIELDS, ERRORS_FIELD),
    output=(Field("I", "real", ("k", "k", "S", "A"), "[θ][θ'][s][a]: max{I^r, I^p}"),),
    readings=all_readings(),
    cases=cases,
    judge=judge,
    tolerance=tolerance,
    flags=FLAGS,
    notes=(
        "[x]⁺ is 0 where x is not positive; so is all of I with an infinite Δ",
        "where a deviation is 0 the quotient is infinite if [x]⁺ is positive, and 0 if it is not",
    ),
)
