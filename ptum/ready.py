"""Do your models let PTUM start? Line 2 of Algorithm 1 with numbers in the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ptum.reference.arrays import Floats
from ptum.reference.errors import require_accuracy
from ptum.reference.repaired.transfer import stopping as repaired
from ptum.reference.tasks.mdp import MDP, mean_reward, reward_std
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.tasks.values import optimal_value, transition_stds
from ptum.reference.transfer import stopping as printed
from ptum.reference.transfer.assumptions import ModelErrors

PRINTED = "printed"


class Largest(NamedTuple):
    """The largest error of a kind: `name` is the symbol, `model` the one that is so far off."""

    error: float
    name: str
    model: int
    s: int
    a: int

    def __str__(self) -> str:
        return f"{self.name} of model {self.model} at state {self.s}, action {self.a}"


@dataclass(frozen=True)
class Readiness:
    """The answer of `ptum.can_transfer`: true if line 2 lets PTUM start.

    `largest` is where Δ comes from, None where the true tasks were not given; `threshold` is the
    largest Δ with which PTUM starts (as printed it must be smaller, and `sign` is "<"),
    `least_epsilon` the accuracy ε from which on these models will do. Where that is no less than
    `span` = 1/(1-γ), no ε helps: every policy is that good.
    """

    errors: ModelErrors
    largest: Largest | None
    sign: str
    threshold: float
    least_epsilon: float
    span: float
    starts: bool

    def __bool__(self) -> bool:
        return self.starts

    def __str__(self) -> str:
        origin = "" if self.largest is None else f", from {self.largest}"
        word = "yes" if self.starts else "no"
        epsilon = f"ε = {self.least_epsilon:.3g}"
        when = f"above {epsilon}" if self.sign == "<" else f"from {epsilon} on"
        hint = f"these models will do {when}"
        if self.least_epsilon >= self.span:
            hint = f"no ε below 1/(1-γ) = {self.span:.3g} will do"
        needed = f"transfer mode needs {self.sign} {self.threshold:.3g}"
        answer = f"{word}: Δ = {self.errors.Delta:.3g}{origin}; {needed}"
        return answer if self.starts else f"{answer}; {hint}"


def readiness(
    errors: ModelErrors, largest: Largest | None, epsilon: float, gamma: float, version: str
) -> Readiness:
    """Line 2, as printed or repaired."""
    line_2, epsilon = printed if version == PRINTED else repaired, require_accuracy(epsilon)
    threshold = line_2.transfer_threshold(epsilon, gamma)
    return Readiness(
        errors=errors,
        largest=largest,
        sign="<" if version == PRINTED else "≤",
        threshold=threshold,
        least_epsilon=errors.Delta / line_2.transfer_threshold(1.0, gamma),
        span=1 / (1 - gamma),
        starts=line_2.enters_transfer_mode(errors.Delta, epsilon, gamma),
    )


def largest_error(true: Sequence[MDP], models: ApproximateModels, version: str) -> Largest:
    """Which error Δ comes from: the first of the largest, by symbol, model, state and action."""
    return max(_errors(true, models, version), key=lambda found: found.error)


def _errors(true: Sequence[MDP], models: ApproximateModels, version: str) -> Iterator[Largest]:
    """The largest error of each kind; tables have the model, state and action as first axes."""
    yield _peak("r", np.stack([mean_reward(theta) for theta in true]) - models.r)
    moved = np.stack([theta.p for theta in true]) - models.p
    yield _peak("p", moved @ models.V_star.T)
    if version != PRINTED:  # the values of transferred policies too (E02)
        yield _peak("p", np.stack([m @ V.T for m, V in zip(moved, models.V_pi, strict=True)]))
    yield _peak("σ^r", np.stack([reward_std(theta) for theta in true]) - models.sigma_r)
    own = [optimal_value(theta) for theta in true] if version == PRINTED else [*models.V_star]
    yield _peak("σ^p", transition_stds(true, own) - models.sigma_p)


def _peak(name: str, difference: Floats) -> Largest:
    sizes = np.abs(difference)
    model, s, a, *_ = map(int, np.unravel_index(int(sizes.argmax()), sizes.shape))
    return Largest(float(sizes.max()), name, model, s, a)
