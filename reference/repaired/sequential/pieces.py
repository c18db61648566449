"""Pieces of Algorithm 2, repaired: the constants of its error bounds and its two learners.

`ptum.reference.sequential.pieces` has the table of which piece fits which version; the rule of line
9 is `PerStep` of `ptum.reference.repaired.sequential.prediction`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ptum.reference.arrays import Floats
from ptum.reference.errors import require_choice, settle
from ptum.reference.repaired.sequential.analysis.sequential_bounds import (
    theorem_2_bound,
    theorem_2_condition,
    transition_condition,
)
from ptum.reference.repaired.sequential.analysis.spectral_bounds import model_errors_at
from ptum.reference.repaired.sequential.spectral import (
    SpectralOutcome,
    learn_hmm,
    learn_within_task,
)
from ptum.reference.sequential.analysis.spectral_bounds import require_floor, require_positive
from ptum.reference.sequential.hmm import VIEWS
from ptum.reference.sequential.state import Setting
from ptum.reference.transfer.assumptions import ModelErrors, single

__all__ = ["Constants", "CrossTask", "WithinTask"]


@dataclass(frozen=True)
class Constants:
    """What the repaired bounds need; all of it depends on the unknown tasks.

    Column errors of Ô_h are at most ρ_4 √(log(c_{h,δ'})/h) once h ≥ ρ_3 log(c_{h,δ'}), those of T̂_h
    at most ρ_6 √(log(c_{h,δ'})/h) once h ≥ ρ_5 log(c_{h,δ'}). Views within a task ask besides that
    λ_k(M̂_2) ≥ 2ℓ, for the ℓ to which the ρ's belong; views across tasks have no `ell`. `sigma_bar`
    is a floor under the true standard deviations, if there is one.
    """

    rho_3: float
    rho_4: float
    rho_5: float
    rho_6: float
    ell: float | None = None
    sigma_bar: float | None = None

    def __post_init__(self) -> None:
        for name in ("rho_3", "rho_4", "rho_5", "rho_6"):
            settle(self, **{name: require_positive(getattr(self, name), name)})
        if self.ell is not None:
            settle(self, ell=require_positive(self.ell, "ell"))
        if self.sigma_bar is not None:
            settle(self, sigma_bar=require_floor(self.sigma_bar))

    def model_errors(self, h: int, setting: Setting, /) -> ModelErrors:
        """Line 8: Δ_{h+1} by Lemma 14 repaired, from e_h = ρ_4 √(log(c_{h,δ'})/h).

        Infinite while h is too small for it.
        """
        if not theorem_2_condition(setting.level(h), rho_3=self.rho_3):
            return single(math.inf)
        e_h = theorem_2_bound(setting.level(h), rho_any=self.rho_4)
        S, U, gamma = setting.S, setting.U, setting.gamma
        return model_errors_at(e_h, S=S, U=U, gamma=gamma, sigma_bar=self.sigma_bar)

    def transition_error(self, h: int, setting: Setting, /) -> float:
        """e^T_h = ρ_6 √(log(c_{h,δ'})/h); infinite while h is too small for Lemma 12.

        That asks for more than Lemma 11 does.
        """
        if not transition_condition(setting.level(h), rho_5=self.rho_5):
            return math.inf
        return theorem_2_bound(setting.level(h), rho_any=self.rho_6)


@dataclass(frozen=True)
class WithinTask:
    """Three batches of samples in each task: no condition on T. The default."""

    @property
    def views(self) -> int:
        """Three batches."""
        return VIEWS

    def __call__(
        self, observations: Floats, k: int, L: int, N: int, rng: np.random.Generator
    ) -> SpectralOutcome:
        """`learn_within_task`."""
        return learn_within_task(observations, k, L, N, rng)


@dataclass(frozen=True)
class CrossTask:
    """Algorithm 3 repaired: needs an invertible T, and works with one sample of each pair.

    Disjoint triples, for which the constants of
    `ptum.reference.repaired.sequential.analysis.conditioning` are (D45). All triples use the data
    better. Their constants are others, larger ones: see "Overlapping triples" in
    docs/repaired_sequential.md. Whoever asks for them has to bring these.
    """

    overlapping: bool = False

    def __post_init__(self) -> None:
        require_choice(self.overlapping, (False, True), "overlapping")

    @property
    def views(self) -> int:
        """One observation per task; the views are successive tasks."""
        return 1

    def __call__(
        self, observations: Floats, k: int, L: int, N: int, rng: np.random.Generator
    ) -> SpectralOutcome:
        """`learn_hmm`, on disjoint or on all triples (D45)."""
        return learn_hmm(observations, k, L, N, rng, overlapping=self.overlapping)
