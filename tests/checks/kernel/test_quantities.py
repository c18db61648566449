"""The kernel's quantities on random instances, against the exact code that the checks use."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact import mdp, terms
from ptum.checks.exact.hidden_markov import ExactHMM
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.kernel.certificate import table
from ptum.checks.kernel.formulas import Known

SEEDS = range(20)
S, A, K = 3, 2, 3


def law(rng: np.random.Generator, size: int) -> tuple[Fraction, ...]:
    weights = rng.integers(0, 5, size) + rng.multinomial(1, np.full(size, 1 / size))
    return tuple(Fraction(int(w), int(weights.sum())) for w in weights)


def task(rng: np.random.Generator, gamma: Fraction) -> ExactMDP:
    rewards = [[Fraction(int(x), 20) for x in row] for row in rng.integers(0, 21, (S, A))]
    p = [[law(rng, S) for _ in range(A)] for _ in range(S)]
    return mdp.with_variance(
        mdp.deterministic(p, rewards, gamma), Fraction(int(rng.integers(3)), 2)
    )


def known(models: tuple[ExactMDP, ...], epsilon: Fraction, Delta: Fraction) -> Known:
    fields = {"γ": models[0].gamma, "ε": epsilon, "Δ": Delta}
    tables = {
        name: tuple(getattr(m, long) for m in models)
        for name, long in zip("prv", ("p", "r", "var"), strict=True)
    }
    return Known(fields | tables, table()[1])


@pytest.mark.parametrize("seed", SEEDS)
def test_section_3(seed: int) -> None:
    rng = np.random.default_rng(seed)
    gamma = Fraction(int(rng.integers(0, 10)), 10)
    models = tuple(task(rng, gamma) for _ in range(K))
    situation = terms.Situation(models, Fraction(1, 4), Fraction(int(rng.integers(3)), 200))
    x = known(models, situation.epsilon, situation.Delta)
    blocking, summed = terms.theta_eps(situation), terms.theta_s(situation)
    assert x["κ_ε"] == situation.kappa
    assert x["slack"] == situation.slack
    assert x["Γ"] == terms.gap_Gamma(situation)
    assert len(x["Θ_ε"]) == len(blocking) > 0
    assert len(x["Θ_s"]) == len(summed)
    assert x["max_min", (x["Θ_ε"],)] == terms.max_min(situation, blocking)
    assert x["min_max", (x["Θ_ε"],)] == terms.min_max(situation, blocking)
    if summed:
        assert x["min_max", (x["Θ_s"],)] == terms.min_max(situation, summed)
    assert x["Ψ_max"] == mdp.largest_index(models, situation.Delta)
    assert min(x["worst_loss", (m,)] for m in x["models"]) == mdp.smallest_worst_loss(models)
    last = mdp.optimal_policy(models[-1])
    assert x["loss", (0, K - 1)] == mdp.loss(models[0], last)


@pytest.mark.parametrize("seed", SEEDS)
def test_section_4(seed: int) -> None:
    rng = np.random.default_rng(seed)
    O = exact.reward_columns([law(rng, 4) for _ in range(K)])  # noqa: E741 - the paper's letter
    T = exact.transpose(tuple(law(rng, K) for _ in range(K)))
    hmm = ExactHMM(O, T, law(rng, K))
    x = Known({"O": O, "T": T, "P_1": hmm.first}, table()[1])
    moments = exact.moments(hmm)
    assert x["Σ_21"] == moments.Sigma_21
    assert x["Σ_31"] == moments.Sigma_31
    assert x["Σ_32"] == exact.second_moment(hmm, 3, 2)
    assert x["M_2"] == moments.M_2
    assert x["P_2"] == exact.distribution_of_task(hmm, 2)
