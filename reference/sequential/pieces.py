"""Pieces of Algorithm 2 that may be exchanged, and which version of it each one fits.

Three pieces of a run may be exchanged: the learner of line 6, the error bounds of line 8 and the
rule of line 9. Each exists as printed, repaired, or as run (`ptum.reference.experiments`), and
those of one version fit the other, unless they need what the other does not have:

| piece                              | fits                                                      |
| ---------------------------------- | --------------------------------------------------------- |
| learner with one view of a task    | both                                                      |
| learner with three views           | repaired, where a task has post-samples of its own        |
| error bounds: a number, `Rhos`, `Constants` | both                                             |
| rule with a constant of its own    | both                                                      |
| rule that needs e^T_h (`PerStep`)  | repaired, with bounds on T̂_h (`Constants`)                |

What does not fit is refused before the first task, and so is a fallback that cannot be called. What
is promised of a version is promised of its own pieces only.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from ptum.reference.arrays import Floats
from ptum.reference.errors import is_number, require, settle
from ptum.reference.sequential.analysis.sequential_bounds import (
    require_theorem_3_level,
    theorem_2_bound,
    theorem_2_condition,
)
from ptum.reference.sequential.analysis.spectral_bounds import require_constant, require_positive
from ptum.reference.sequential.hmm import require_tensor
from ptum.reference.sequential.prediction import PredictionRule, Theorem3
from ptum.reference.sequential.spectral import (
    HmmEstimate,
    NotEnoughData,
    NotIdentifiable,
    learn_hmm,
)
from ptum.reference.sequential.state import Setting, as_text
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.fallback import PacAlgorithm


@dataclass(frozen=True)
class Pieces:
    """What a run is made of: the learner, error bounds, rule and fallback of every task."""

    learner: HmmLearner
    bounds: ErrorBounds
    rule: PredictionRule | None
    fallback: PacAlgorithm | None

    def __post_init__(self) -> None:
        if self.fallback is not None:
            require_fallback(self.fallback)

    @property
    def options(self) -> dict[str, object]:
        """By the names of the arguments of `sequential_transfer`."""
        return {
            "rhos": self.bounds,
            "rule": self.rule,
            "fallback": self.fallback,
            "learner": self.learner,
        }


class HmmLearner(Protocol):
    """Algorithm 3 or what takes its place.

    Its observations have shape (h, d), one row for every task. A learner with an attribute `views`
    that is not 1 has so many independent observations of every task: shape (views, h, d).
    """

    def __call__(
        self, observations: Floats, k: int, L: int, N: int, rng: np.random.Generator, /
    ) -> HmmEstimate | NotIdentifiable | NotEnoughData:
        """Ô and T̂, or why there is none."""


@runtime_checkable
class ErrorBounds(Protocol):
    """Constants and the bounds that they belong to, for line 8."""

    def model_errors(self, h: int, setting: Setting, /) -> ModelErrors:
        """Δ_{h+1} (D41) of models from h tasks; infinite while h is too small for the bounds."""


@runtime_checkable
class TransitionBounds(ErrorBounds, Protocol):
    """Error bounds that speak of T̂_h too, for line 9."""

    def transition_error(self, h: int, setting: Setting, /) -> float:
        """e^T_h; infinite while h is too small for the bound."""


@dataclass(frozen=True)
class Rhos:
    """The constants of Theorem 2: ρ_r, ρ_p, ρ_{σ_r}, ρ_{σ_p}, and ρ of its condition on h.

    They depend on the unknown tasks, so they are parameters; with ρ = 0 every h is admitted.
    """

    r: float
    p: float
    sigma_r: float
    sigma_p: float
    condition: float = 0.0

    def __post_init__(self) -> None:
        for name in ("r", "p", "sigma_r", "sigma_p"):
            settle(self, **{name: require_positive(getattr(self, name), name)})
        settle(self, condition=require_constant(self.condition, "condition"))

    def model_errors(self, h: int, setting: Setting, /) -> ModelErrors:
        """Line 8: Δ_{h+1} (D41), each constant times √(log(c_{h,δ'})/h), with the logarithm (D58).

        Infinite while h does not meet the condition of Theorem 2.
        """
        if not theorem_2_condition(setting.level(h), rho=self.condition):
            return single(math.inf)
        rate = theorem_2_bound(setting.level(h), rho_any=1.0)
        return ModelErrors(
            r=self.r * rate,
            p=self.p * rate,
            sigma_r=self.sigma_r * rate,
            sigma_p=self.sigma_p * rate,
        )


def as_bounds(rhos: float | ErrorBounds) -> ErrorBounds:
    """A number stands for all four constants of Theorem 2 (D58); what is no bound is refused."""
    problem = (
        "must be a number, ptum.reference.sequential.algorithm.Rhos(…) or "
        "ptum.reference.repaired.sequential.algorithm.Constants(…)"
    )
    if isinstance(rhos, ErrorBounds):
        require(not isinstance(rhos, type), "rhos", problem, value=as_text(rhos))
        return rhos
    require(is_number(rhos), "rhos", problem, value=as_text(rhos))
    return Rhos(*(require_positive(rhos, "rhos"),) * 4)


def require_learner(learner: HmmLearner, setting: Setting, *, views: tuple[int, ...]) -> int:
    """Refuse a learner that cannot take part in a run; how many views of a task it takes."""
    problem = (
        "must be called as learner(observations, k, L, N, rng), as "
        "ptum.reference.sequential.spectral.learn_hmm is"
    )
    require(_takes(learner, 5), "learner", problem, value=as_text(learner))
    wanted = views_of(learner)
    problem = (
        f"must take {' or '.join(map(str, views))} views of a task and takes {wanted}; only the "
        "repaired algorithm has three (ptum.reference.repaired.sequential.algorithm)"
    )
    require(wanted in views, "learner", problem, value=as_text(learner))
    if learner is learn_hmm:
        require_tensor(setting.d)
    return wanted


def views_of(learner: HmmLearner) -> int:
    """How many observations of every task a learner is handed."""
    views: int = getattr(learner, "views", 1)
    return views


RULE_NUMBERS = ("h", "d", "delta", "delta_prime", "e_T")
"""What line 9 gives to every rule beside T̂_h and Θ̄_h."""


def require_fallback(fallback: PacAlgorithm) -> None:
    """Refuse what cannot be called as a PAC algorithm; a class is not yet what it makes."""
    good = not isinstance(fallback, type) and _takes(fallback, 6)
    problem = "must be an algorithm such as ptum.UniformSampling()"
    require(good, "fallback", problem, value=as_text(fallback))


def require_rule(rule: PredictionRule | None, setting: Setting, *, e_T: bool) -> None:
    """Refuse a rule that cannot take part in a run; `e_T` says whether the run has a bound e^T_h.

    As printed it has none: T̂_h is handed on as it was estimated (D54), and Theorem 2 does not
    bound its errors.
    """
    if rule is None:
        return
    problem = (
        f"must be called as rule(T_hat, theta_bar, {', '.join(f'{n}=…' for n in RULE_NUMBERS)}), "
        "as ptum.reference.sequential.prediction.Theorem3(m, rho_T) is"
    )
    require(_takes(rule, 2, RULE_NUMBERS), "rule", problem, value=as_text(rule))
    problem = (
        "needs e^T_h, a bound on the errors of a projected T̂_h: only the repaired algorithm has "
        "it, with rhos=ptum.reference.repaired.sequential.algorithm.Constants. Without it take "
        "ptum.reference.sequential.prediction.Theorem3 or "
        "ptum.reference.experiments.prediction.Experiment"
    )
    require(
        e_T or "e_T" not in inspect.signature(rule).parameters, "rule", problem, value=as_text(rule)
    )
    if isinstance(rule, Theorem3):
        require_theorem_3_level(m=rule.m, delta=setting.delta, delta_prime=setting.delta_prime)


def _takes(piece: Callable[..., object], positions: int, names: Iterable[str] = ()) -> bool:
    """Whether a piece can be called with so many positional arguments and these keywords."""
    if isinstance(piece, type) or not callable(piece):
        return False
    try:
        inspect.signature(piece).bind(*range(positions), **dict.fromkeys(names))
    except (TypeError, ValueError):  # does not fit, or has no signature to look at
        return False
    return True
