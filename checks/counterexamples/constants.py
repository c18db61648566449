"""The constants of Theorem 2: not all given, not bounded, a logarithm short (E34, E46, E60)."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from checks import exact_hmm as exact
from checks.exact_hmm import ExactHMM
from checks.families import hmms
from checks.outcome import Statement, Walk
from reference.repaired.spectral import learn_within_task
from reference.sequential_bounds import theorem_2_bound
from reference.spectral import HmmEstimate
from reference.spectral_bounds import rho_4
from reference.stopping import enters_transfer_mode
from spec import ledger

CONSTANTS = ("RHO_3", "RHO_4", "RHO_5", "RHO_6")
OF_THE_MODEL = frozenset(
    {"S", "A", "U", "k", "lambda_max_Sigma_21", "lambda_min_Sigma_31", "sigma_k_O"}
)
"""Symbols that stand for numbers of the tasks and their chain."""


def without_expression(imported: frozenset[str] = frozenset()) -> frozenset[str]:
    """Constants that the formulas of Appendix D use and no formula of it gives."""
    used: set[str] = set()
    for name in CONSTANTS:
        used |= ledger.formula(f"spec.formulas.appendix_d:{name}").symbols()
    given = {name.lower() for name in CONSTANTS}
    return frozenset(used - OF_THE_MODEL - given - imported)


def full_expressions(imported: frozenset[str] = frozenset()) -> Walk:
    """Every constant is given, those apart that are said to be imported."""
    missing = without_expression(imported)
    told = "constants without an expression" + (
        f" ({', '.join(sorted(missing))})" if missing else ""
    )
    return Walk((), Statement(told, len(missing), "=", 0))


def coins(gap: Fraction) -> ExactHMM:
    """Two coins of rates 1/2 ± gap on a sticky chain."""
    T = exact.matrix((("3/4", "1/4"), ("1/4", "3/4")))
    half = Fraction(1, 2)
    return ExactHMM(exact.coin_columns((half + gap, half - gap)), T, (half, half))


def constant_of(hmm: ExactHMM) -> float:
    """ρ_4 with ρ_2 = 0, its least value, and λ_min read as the k-th singular value."""
    Sigma_21, Sigma_31 = (
        np.linalg.svd(exact.as_floats(exact.second_moment(hmm, i, 1)), compute_uv=False)
        for i in (2, 3)
    )
    return rho_4(
        rho_2=0.0,
        S=1,
        A=1,
        lambda_max_Sigma_21=float(Sigma_21[0]),
        lambda_min_Sigma_31=float(Sigma_31[hmm.k - 1]),
    )


def known_constant(rho: float, gap: Fraction | None = None) -> Walk:
    """A number ρ known beforehand is at least Theorem 2's constant; gap = 1/(2√ρ) by default."""
    chosen = gap or Fraction(1, 2 * math.ceil(math.sqrt(rho)))
    hmm = coins(chosen)
    return Walk(
        (
            Statement("rank O", exact.rank(hmm.O), "=", 2),
            Statement("rank T", exact.rank(hmm.T), "=", 2),
            Statement("least first weight", min(hmm.first), ">", 0),
        ),
        Statement("constant of the model against ρ", constant_of(hmm), "≤", rho),
    )


GAMMA = 0.5


def tasks_needed(epsilon: float) -> int:
    """The least h at which ρ√(log c_h/h), ρ = 1, lets PTUM into transfer mode; d = 16, δ' = 0.1."""
    low, high = 1, 1
    while not _admitted(high, epsilon):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _admitted(middle, epsilon) else (middle, high)
    return high


def _admitted(h: int, epsilon: float) -> bool:
    Delta = theorem_2_bound(rho_any=1.0, S=2, A=2, U=2, h=h, delta_prime=0.1)
    return enters_transfer_mode(Delta, epsilon, GAMMA)


def of_order_epsilon_squared(C: float) -> Walk:
    """h(ε) ≤ C/ε² for all ε: an ε for which it fails is found, whatever C is."""
    epsilon = 1.0
    while tasks_needed(epsilon) * epsilon**2 <= C and epsilon > 1e-60:
        epsilon /= 10
    return Walk(
        (Statement("ε", epsilon, ">", 0),),
        Statement("h(ε)·ε²", tasks_needed(epsilon) * epsilon**2, "≤", C),
    )


def with_logarithm(epsilon: float) -> Walk:
    """h(ε) ≤ 2a(log(π²d/δ') + 2 log(4a)) + 1 with a = (4(1+γ)/((1-γ)ε))², so Õ(1/ε²).

    For h = 2a(c + 2 log 4a), c ≥ 1, a ≥ 1: h > a(c + 2 log h), since log h ≤ log 4a + log(c/2 +
    log 4a) and 2 log(c/2 + x) ≤ c + 2x.
    """
    a = (4 * (1 + GAMMA) / ((1 - GAMMA) * epsilon)) ** 2
    bound = 2 * a * (math.log(math.pi**2 * 16 / 0.1) + 2 * math.log(4 * a)) + 1
    return Walk(
        (Statement("ε", epsilon, ">", 0),),
        Statement("tasks needed", tasks_needed(epsilon), "≤", bound),
    )


def each_task_once(c: float = 1.0, repeat: int = 1) -> Walk:
    """No method is ε-accurate with fewer than c/ε² tasks; ε = 10⁻⁶, and every task is seen once.

    Observations are exact, as with very many samples per task.
    """
    epsilon = 1e-6
    model = hmms.three_task_chain().hmm
    sequence = np.tile(np.arange(model.k), repeat)
    views = np.stack([model.O.T[sequence]] * 3)
    found = learn_within_task(views, model.k, 20, 100, np.random.default_rng(0))
    assert isinstance(found, HmmEstimate)
    gaps = np.linalg.norm(found.O[:, :, np.newaxis] - model.O[:, np.newaxis, :], axis=0)
    error = float(gaps.min(axis=0).max())
    return Walk(
        (Statement("error of the models that were learned", error, "≤", epsilon),),
        Statement("tasks seen", len(sequence), "≥", c / epsilon**2),
    )


def floor_matters(error: Fraction, constant: float) -> Walk:
    """|σ^r - σ̃^r| ≤ constant·error for a reward that is certain and estimated as 1-error, error.

    Squares keep it rational: σ̃² = error(1-error).
    """
    squared = error * (1 - error)
    return Walk(
        (
            Statement("error of the column, largest entry", error, ">", 0),
            Statement("true variance", 0, "=", 0),
        ),
        Statement(
            "squared error of σ^r against (constant·error)²",
            squared,
            "≤",
            Fraction(constant) ** 2 * error**2,
        ),
    )
