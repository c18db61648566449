"""Algorithm 2, line 9, as run: the rule of Appendix E.2 for the set Θ̃_{h+1}.

| symbol    | code           | meaning                                              |
| --------- | -------------- | ---------------------------------------------------- |
| T̂_h(θ,θ') | `T_hat[θ, θ']` | estimated probability of θ after θ', as estimated    |
| Θ̄_h       | `theta_bar`    | labels that task h may have                          |
| η, ρ_T    | `eta`, `rho_T` | threshold and constant, both chosen by hand          |

It has the left side of Theorem 3; the threshold, the constant and the number of models that are
kept whatever happens are the experiment's, and Theorem 3 promises nothing for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import Bools, Floats, above
from ptum.reference.errors import require_confidence, require_count, settle
from ptum.reference.sequential.analysis.sequential_bounds import theorem_3_prediction
from ptum.reference.sequential.analysis.spectral_bounds import (
    frozen_transitions,
    require_constant,
    require_tasks,
)
from ptum.reference.sequential.prediction import kept


@dataclass(frozen=True)
class Experiment:
    """The rule of Appendix E.2: η and ρ_T by hand, and the `keep` likeliest models always stay.

    `miss` is the predicted probability above which Appendix E.2 wants no model dropped, and for
    which it chose η and ρ_T; the repaired rule per step takes it as its η (D113).
    """

    m: int
    eta: float = 0.087
    rho_T: float = 0.001
    keep: int = 3
    miss: float = field(default=0.005, repr=False)  # decides nothing here

    def __post_init__(self) -> None:
        constants = {name: require_constant(getattr(self, name), name) for name in ("eta", "rho_T")}
        keep = require_count(self.keep, "keep", least=0)
        settle(self, m=require_count(self.m, "m"), **constants, keep=keep)
        settle(self, miss=require_confidence(self.miss, "miss"))

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
        eliminated: Bools = ~above(prediction, self.eta)
        eliminated[list(likeliest(transitions, theta_bar, self.keep))] = False
        return kept(eliminated)


def likeliest(T_hat: npt.ArrayLike, theta_bar: Sequence[int], count: int) -> tuple[int, ...]:
    """The `count` tasks with the largest Σ_{θ'∈Θ̄_h} T̂_h(θ,θ'); ties go to the lower label (D61)."""
    transitions = frozen_transitions(T_hat)
    ended = require_tasks(theta_bar, "theta_bar", k=len(transitions))
    predicted = transitions[:, list(ended)].sum(axis=1)
    order = np.argsort(-predicted, kind="stable")
    return tuple(int(theta) for theta in order[:count])
