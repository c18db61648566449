"""Algorithm 2, line 9: the set Θ̃_{h+1} of models that PTUM starts with at the next task.

| symbol    | code           | meaning                                              |
| --------- | -------------- | ---------------------------------------------------- |
| T̂_h(θ,θ') | `T_hat[θ, θ']` | estimated probability of θ after θ', as estimated    |
| Θ̄_h       | `theta_bar`    | labels that task h may have                          |
| Θ̃_{h+1}   | the result     | labels, in increasing order                          |
| h         | `h`            | tasks that T̂_h was estimated from                    |
| m         | `m`            | tasks of the whole sequence                          |
| d         | `d`            | SA(S+U)                                              |
| ρ_T       | `rho_T`        | constant of Theorem 3                                |
| e^T_h     | `e_T`          | bound on the column errors of T̂_h, if there is one   |

A rule that would drop every model drops none (D91).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ptum.reference.arrays import Bools, Floats
from ptum.reference.errors import require, require_count, settle
from ptum.reference.sequential.analysis.sequential_bounds import (
    require_levels,
    theorem_3_eliminates,
)
from ptum.reference.sequential.analysis.spectral_bounds import frozen_transitions, require_constant


class PredictionRule(Protocol):
    """A choice of Θ̃_{h+1} from T̂_h and Θ̄_h, whichever version it is of.

    Algorithm 2 gives every rule all of these numbers; a rule names those that it looks at and takes
    the others by `**_`. One that names e^T_h needs a T̂_h with a bound on its errors.
    """

    def __call__(
        self,
        T_hat: Floats,
        theta_bar: Sequence[int],
        *,
        h: int,
        d: int,
        delta: float,
        delta_prime: float,
        e_T: float,
    ) -> tuple[int, ...]:
        """The labels to start the next task with; never empty."""


@dataclass(frozen=True)
class Theorem3:
    """Theorem 3's rule for a sequence of m tasks."""

    m: int
    rho_T: float

    def __post_init__(self) -> None:
        settle(self, m=require_count(self.m, "m"), rho_T=require_constant(self.rho_T, "rho_T"))

    def __call__(
        self,
        T_hat: Floats,
        theta_bar: Sequence[int],
        *,
        h: int,
        d: int,
        delta: float,
        delta_prime: float,
        **_: object,
    ) -> tuple[int, ...]:
        """Drop θ if Σ_{θ'∈Θ̄_h} T̂_h(θ,θ') + δk + ρ_T k √(log(9kdm²/δ')/h) ≤ δ'/(3km²).

        Of m tasks only, for h ≤ m: the union bound behind η has a share for each of them.
        """
        problem = f"must be at most m = {self.m}, the tasks that the rule was made for"
        require(require_count(h, "h") <= self.m, "h", problem, value=h)
        delta, delta_prime = require_levels(delta, delta_prime)
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


def kept(eliminated: Bools) -> tuple[int, ...]:
    """The labels that are not eliminated; all of them if none would be left (D91)."""
    left = np.flatnonzero(~eliminated).tolist()
    return tuple(left or range(len(eliminated)))
