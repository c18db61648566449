"""Algorithm 2, line 9: the set Θ̃_{h+1} of models that PTUM starts with at the next task.

| symbol    | code           | meaning                                              |
| --------- | -------------- | ---------------------------------------------------- |
| T̂_h(θ,θ') | `T_hat[θ, θ']` | estimated probability of θ after θ', as estimated    |
| Θ̄_h       | `theta_bar`    | labels that task h may have                          |
| Θ̃_{h+1}   | the result     | labels, in increasing order                          |
| h         | `h`            | tasks that T̂_h was estimated from                    |
| m         | `m`            | tasks of the whole sequence                          |
| d         | `d`            | SA(S+U)                                              |
| η, ρ_T    | `eta`, `rho_T` | threshold and constant of the rule                   |

Two rules: that of Theorem 3, and the one of the experiments, which has the same left side, a
threshold and a constant chosen by hand, and a number of models that are kept whatever happens.
A rule that would drop every model drops none (D91).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import Bools, Floats
from ptum.reference.errors import is_integer, require
from ptum.reference.sequential_bounds import theorem_3_eliminates, theorem_3_prediction
from ptum.reference.spectral_bounds import frozen_transitions, require_constant, require_tasks


class PredictionRule(Protocol):
    """A choice of Θ̃_{h+1} from T̂_h and Θ̄_h."""

    def __call__(
        self,
        T_hat: Floats,
        theta_bar: Sequence[int],
        *,
        h: int,
        d: int,
        delta: float,
        delta_prime: float,
    ) -> tuple[int, ...]:
        """The labels to start the next task with; never empty."""


@dataclass(frozen=True)
class Theorem3:
    """Theorem 3's rule for a sequence of m tasks."""

    m: int
    rho_T: float

    def __call__(
        self,
        T_hat: Floats,
        theta_bar: Sequence[int],
        *,
        h: int,
        d: int,
        delta: float,
        delta_prime: float,
    ) -> tuple[int, ...]:
        """Drop θ if Σ_{θ'∈Θ̄_h} T̂_h(θ,θ') + δk + ρ_T k √(log(9kdm²/δ')/h) ≤ δ'/(3km²).

        Of m tasks only, for h ≤ m: the union bound behind η has a share for each of them.
        """
        problem = f"must be at most m = {self.m}, the tasks that the rule was made for"
        require(h <= self.m, "h", problem, value=h)
        transitions = frozen_transitions(T_hat)
        eliminated = theorem_3_eliminates(
            transitions,
            theta_bar,
            h=h,
            m=self.m,
            k=len(transitions),
            d=d,
            delta=delta,
            delta_prime=delta_prime,
            rho_T=self.rho_T,
        )
        return kept(eliminated)


@dataclass(frozen=True)
class Experiment:
    """The rule of Appendix E.2: η and ρ_T by hand, and the `keep` likeliest models always stay."""

    m: int
    eta: float = 0.087
    rho_T: float = 0.001
    keep: int = 3

    def __post_init__(self) -> None:
        require_constant(self.eta, "eta")
        good = is_integer(self.keep) and self.keep >= 0
        require(good, "keep", "must be an integer of at least 0", value=self.keep)

    def __call__(
        self,
        T_hat: Floats,
        theta_bar: Sequence[int],
        *,
        h: int,
        d: int,
        delta: float,
        delta_prime: float,
    ) -> tuple[int, ...]:
        """Drop θ if the left side of Theorem 3 is at most η and θ is not among the likeliest."""
        transitions = frozen_transitions(T_hat)
        prediction = theorem_3_prediction(
            transitions,
            theta_bar,
            h=h,
            m=self.m,
            k=len(transitions),
            d=d,
            delta=delta,
            delta_prime=delta_prime,
            rho_T=self.rho_T,
        )
        eliminated: Bools = prediction <= self.eta
        eliminated[list(likeliest(transitions, theta_bar, self.keep))] = False
        return kept(eliminated)


def likeliest(T_hat: npt.ArrayLike, theta_bar: Sequence[int], count: int) -> tuple[int, ...]:
    """The `count` tasks with the largest Σ_{θ'∈Θ̄_h} T̂_h(θ,θ'); ties go to the lower label (D61)."""
    transitions = frozen_transitions(T_hat)
    require_tasks(theta_bar, "theta_bar", k=len(transitions))
    predicted = transitions[:, list(theta_bar)].sum(axis=1)
    order = np.argsort(-predicted, kind="stable")
    return tuple(int(theta) for theta in order[:count])


def kept(eliminated: Bools) -> tuple[int, ...]:
    """The labels that are not eliminated; all of them if none would be left (D91)."""
    left = np.flatnonzero(~eliminated).tolist()
    return tuple(left or range(len(eliminated)))
