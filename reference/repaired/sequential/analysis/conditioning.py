"""Appendix D repaired, as functions of the true hidden Markov model.

| symbol   | code   | meaning                                                             |
| -------- | ------ | ------------------------------------------------------------------- |
| C_Σ      | `C_S`  | both moment errors are at most C_Σ √(log(6d/δ')/h)                  |
| σ        |        | σ_k(Σ_{3,1}) at a distribution of the first view, or a floor        |
| λ        |        | λ_max(Σ_{2,1}) there, or SA, half of what ‖Σ̂_{2,1}‖ can be    |

`repaired_constants` are those of one distribution of the first view. That is π̄_h and moves with h;
`uniform_constants` serve every h, at the price of a floor under σ and a ceiling over λ.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from ptum.reference.inequalities import Bound
from ptum.reference.repaired.sequential.analysis import spectral_bounds
from ptum.reference.sequential.analysis.conditioning import Conditioning, require_dimension
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.spectral_bounds import require_constant
from ptum.reference.transfer.assumptions import ModelErrors, single

__all__ = [
    "RepairedConstants",
    "RepairedBounds",
    "repaired_constants",
    "uniform_constants",
    "repaired_bounds",
]


@dataclass(frozen=True, slots=True)
class RepairedConstants:
    """ρ_1, ρ_2 as given, C_Σ, and ρ_3 … ρ_6; all +inf where the chain does not mix."""

    rho_1: float
    rho_2: float
    C_S: float
    rho_3: float
    rho_4: float
    rho_5: float
    rho_6: float


@dataclass(frozen=True, slots=True)
class RepairedBounds:
    """All repaired bounds at one h.

    `errors` are infinite where the premise of Lemma 11 fails. `names_kept` says that two estimates
    as good as this one are matched by their columns without a mistake: e_h < column gap/4.
    """

    mu_3: Bound
    moments: float
    O: Bound
    T: Bound
    errors: ModelErrors
    names_kept: bool


def repaired_constants(
    conditioning: Conditioning, *, S: int, A: int, U: int, rho_1: float, rho_2: float
) -> RepairedConstants:
    """C_Σ, ρ_3 … ρ_6 with λ_max(Σ_{2,1}) and σ_k(Σ_{3,1}) of that distribution."""
    return _constants(
        conditioning,
        conditioning.lambda_max_Sigma_21,
        conditioning.sigma_k_Sigma_31,
        S=S,
        A=A,
        U=U,
        rho_1=rho_1,
        rho_2=rho_2,
    )


def uniform_constants(
    conditioning: Conditioning, *, S: int, A: int, U: int, rho_1: float, rho_2: float
) -> RepairedConstants:
    """The same for all h and any start: σ = σ_k(O)²σ_k(T)²ω_min/2 and λ = SA.

    ‖Σ̂_{2,1}‖ ≤ 2SA always. The floor σ holds from h = 10(1+g)/ω_min on, which h ≥ ρ_3 log(6d/δ')
    implies: σ ≤ SA ω_min (no σ_k(O)² exceeds 2SA, no σ_k(T) exceeds 1), C_Σ ≥ 2√5 SA (2+g), so
    4C_Σ²/σ² ≥ 80(2+g)²/ω_min². For the same reason C_Σ²/λ² never decides ρ_3.
    """
    floor = spectral_bounds.sigma_k_floor(
        sigma_k_O=conditioning.sigma_k_O,
        sigma_k_T=conditioning.sigma_k_T,
        omega_min=conditioning.omega_min,
        g_mix=conditioning.g,
        h=1,
    ).bound
    ceiling = float(S * A)
    return _constants(conditioning, ceiling, floor, S=S, A=A, U=U, rho_1=rho_1, rho_2=rho_2)


def repaired_bounds(
    constants: RepairedConstants,
    conditioning: Conditioning,
    level: Level,
    *,
    gamma: float,
    sigma_bar: float | None,
) -> RepairedBounds:
    """Lemmas 11, 12 and 14 at h and δ', Lemma 10 and Equation 8 at δ'/3: together on one event.

    At δ' = `ptum.reference.sequential.analysis.conditioning.theorem_2_level` they are those of
    the repaired Theorem 2.
    """
    S, U = level.S, level.U
    require_dimension(conditioning, S=S, A=level.A, U=U)
    third = replace(level, delta_prime=level.delta_prime / 3)
    O = spectral_bounds.observation_error_bound(level, rho_3=constants.rho_3, rho_4=constants.rho_4)
    errors = single(math.inf)
    if O.premises_met:
        errors = spectral_bounds.model_errors_at(
            O.bound, S=S, U=U, gamma=gamma, sigma_bar=sigma_bar
        )
    return RepairedBounds(
        mu_3=spectral_bounds.mu_error_bound(third, rho_1=constants.rho_1, rho_2=constants.rho_2),
        moments=_moment_error(conditioning.g, third),
        O=O,
        T=spectral_bounds.transition_error_bound(
            level, rho_5=constants.rho_5, rho_6=constants.rho_6
        ),
        errors=errors,
        names_kept=O.premises_met and O.bound < conditioning.column_gap / 4,
    )


def _constants(
    conditioning: Conditioning,
    of_21: float,
    of_31: float,
    *,
    S: int,
    A: int,
    U: int,
    rho_1: float,
    rho_2: float,
) -> RepairedConstants:
    require_dimension(conditioning, S=S, A=A, U=U)
    require_constant(rho_1, "rho_1")
    require_constant(rho_2, "rho_2")
    if math.isinf(conditioning.g):
        return RepairedConstants(rho_1, rho_2, *[math.inf] * 5)
    k, of_O = conditioning.k, conditioning.sigma_k_O
    C_S = spectral_bounds.moment_constant(S=S, A=A, g_mix=conditioning.g)
    rho_3 = spectral_bounds.rho_3(
        rho_1=rho_1, C_S=C_S, lambda_max_Sigma_21=of_21, sigma_k_Sigma_31=of_31
    )
    rho_4 = spectral_bounds.rho_4(
        rho_2=rho_2, S=S, A=A, C_S=C_S, lambda_max_Sigma_21=of_21, sigma_k_Sigma_31=of_31
    )
    return RepairedConstants(
        rho_1=rho_1,
        rho_2=rho_2,
        C_S=C_S,
        rho_3=rho_3,
        rho_4=rho_4,
        rho_5=spectral_bounds.rho_5(rho_3=rho_3, rho_4=rho_4, k=k, sigma_k_O=of_O),
        rho_6=spectral_bounds.rho_6(rho_2=rho_2, rho_4=rho_4, sigma_k_O=of_O),
    )


def _moment_error(g: float, level: Level) -> float:
    """Equation 8, as Lemma 11 uses it; +inf without a triple or without mixing."""
    if level.h < 3 or math.isinf(g):
        return math.inf
    return spectral_bounds.moment_error_bound(
        S=level.S, A=level.A, h=level.h, delta_prime=level.delta_prime, g_mix=g
    )
