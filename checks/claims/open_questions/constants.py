"""128 and 8Δ: what the proofs need, and what instances force.

Lemma 8's proof goes from the two models of the largest index to the target and back, which costs a
factor 4 and half of the shift. It need not: both models are active, so both pass the tests, and
Lemma 4's argument applies to the two of them as it stands. With

    c₀ = 38/3 + 16/√3 = 21.904…,   κ₀ = 2 + 2√(2/c₀) = 2.604…

N_t(S_t,A_t) ≤ c₀ L/I_t for every shift from κ₀Δ on, 8Δ among them, whether the target is active or
not. c₀ is the least constant for all n and δ, and no constant will do for a shift of 2Δ or less.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ptum.checks.claims.appendix_b.elimination import (
    COUNTABLE,
    GAMMAS,
    ActiveModels,
    hidden_gap,
    worst_data,
)
from ptum.checks.claims.appendix_b.fundamental import (
    VISIBLE,
    Functional,
    functionals,
    scenes_with_index,
)
from ptum.checks.engine.blocks import BlockSimulator
from ptum.checks.engine.ptum import transfer_mode
from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.numbers import is_above, max_by, max_of
from ptum.checks.instances.counterexamples.shared import blocks
from ptum.checks.verdicts import formulas, tolerances
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, not_met
from ptum.checks.verdicts.proof_bounds import enough_samples
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import Ints
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.confidence import log_term
from ptum.reference.transfer.information import SHIFT, index, query
from ptum.reference.transfer.ptum import PtumResult
from ptum.spec.vocabulary import CheckKind

LEAST_FACTOR = 38 / 3 + 16 / math.sqrt(3)
"""c₀: the root of 1 = 2√(2/c) + 26/(3c)."""
LEAST_SHIFT = 2 + 2 * math.sqrt(2 / LEAST_FACTOR)
"""κ₀, in units of Δ: from here on the term 2√(2L/N)Δ of a test costs nothing."""


# What follows for the bounds


def factor_for(shift: float) -> float:
    """A constant that is enough with x = gap - shift·Δ, for any shift above 2.

    N > cL makes the deviation's term at most 2√(2/c)Δ, which the shift must cover.
    """
    if shift <= 2:
        return math.inf
    return max_of((LEAST_FACTOR, 8 / (shift - 2) ** 2))


def threshold_factor(shift: float) -> float:
    """f/(1+γ) of line 2 for an index with this shift: 2(shift + 1)."""
    return 2 * (shift + 1)


def counted(factor: float) -> float:
    """What takes the place of 128: the last query of a pair is not in N_t, and 1 ≤ L/(log 16·M)."""
    return factor + 1 / tolerances.LEAST_LOG


def explicit_constants(factor: float, kept: float, shift: float = 8.0) -> tuple[float, float]:
    """What takes the place of 1000 and 16000 when a gap of shift·Δ + x leaves kept·Δ + x.

    Γ: either Γ ≥ 2·shift·Δ and I_t ≥ (1-γ)²Γ²/2, or kept·Δ ≥ kept·Γ/(2·shift). ε: either w is at
    least (1-γ)ε/4 and I_t ≥ (1-γ)⁴ε²/4, or kept·Δ ≥ kept·(1-γ)ε/(8(shift+1)).
    """

    def worse(a: float) -> float:
        return factor * max_of((1 / (4 * a**2), 1 / a))

    of_gap = max_of((2 * factor, worse(kept / (2 * shift))))
    of_accuracy = max_of((4 * factor, worse(kept / (8 * (shift + 1)))))
    return counted(of_gap), counted(of_accuracy)


# Both models of the largest index are active


def _attaining(scene: ActiveModels, shift: float) -> tuple[Functional, float, float]:
    """The functional that attains the index at the queried pair, the index, and its gap."""
    pair = query(index(scene.active, scene.models, scene.Delta, shift))

    def information(functional: Functional) -> float:
        return functional.information(scene.active, scene.Delta, shift)

    used = max_by(functionals(scene, *pair), information)
    gap = float(np.max(np.abs(used.W - used.W[used.first])[list(scene.active)]))
    return used, information(used), gap


def both_active_evaluation(scene: ActiveModels, factor: float, shift: float = SHIFT) -> Evaluation:
    """More than factor·L/I_t samples hide no gap as large as that of the maximising pair."""
    used, information, gap = _attaining(scene, shift)
    enough = enough_samples(scene.L, information, factor)
    premises = (
        Statement("the index is visible", information, ">", VISIBLE),
        Statement("the bound is finite", enough, "<", COUNTABLE),
    )
    if not all(premise.holds for premise in premises):
        return not_met(premises)
    N = math.floor(enough) + 1
    hidden = hidden_gap(used.sigma, np.array(N), scene.L, scene.Delta, used.gamma)
    reach = 1.0 if used.gamma is None else 1 / (1 - used.gamma)
    return Evaluation(
        premises,
        Statement(
            "gap hidden after c₀L/I samples, over the gap",
            float(hidden) / gap,
            "<",
            1,
            formulas.APPENDIX_B + "FUNDAMENTAL_SHARPER",
            (
                *(("S", scene.models.S), ("A", scene.models.A), ("k", scene.models.k)),
                ("info", information),
            ),
            tolerance=tolerances.of_hidden_gap(gap, scene.models.S, reach),
        ),
    )


@check("lemma-8.bound/repaired-both-active", CheckKind.INEQUALITY)
def both_active(context: Context, factor: float = LEAST_FACTOR) -> Outcome:
    """The models of the largest index are not both active after 21.904… L/I samples.

    Lemma 8 with c₀, on drawn sets of models; another factor is for tests of this.
    """
    return search(
        context,
        scenes_with_index(),
        lambda scene: both_active_evaluation(scene, factor),
        (8, 150, 5000),
    )


@check("text-elimination-impossible.impossible/repaired-exact-constants", CheckKind.INEQUALITY)
def exact_constants(
    context: Context, factor: float = LEAST_FACTOR, shift: float = LEAST_SHIFT
) -> Outcome:
    """No data hide a gap above 2.604…Δ after 21.904… L max{σ²/x², 1/x} samples."""
    return worst_data(context, (None, *GAMMAS), factor, shift)


# A run that needs 21.5


def needed_factor(L: float) -> float:
    """The least c at this L, where it is largest: Δ = 0, rewards, σ²/x² = 1/x.

    With N = cL/x the condition 2C(σ + C_σ(N), N) = x does not depend on x but for N - 1; x = 1/16.
    """
    x = 1 / 16

    def hides(c: float) -> bool:
        N = np.array(math.ceil(c * L / x))
        return not is_above(x, float(hidden_gap(np.array(math.sqrt(x)), N, L, 0.0, None)))

    low, high = 1.0, 128.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if hides(middle) else (low, middle)
    return low


@dataclass(frozen=True)
class Rigged:
    """Two arms, γ = 0. Arm 0 pays 0, 1/2 or 1, with mean 15/32 in the target and 17/32 in the rival
    and deviation 1/4 in both; arm 1 pays 1/2. The samples pay 0 or 1 in a share of the queries.

    Slightly fewer of these pay 1, so that the rival falls first.
    """

    share: float = 0.42
    ones: float = 0.4995
    epsilon: float = 0.03
    delta: float = 1e-6
    n: int = 20_000

    @property
    def L(self) -> float:
        """log(8SAn(|Θ|+1)/δ)."""
        return log_term(1, 2, self.n, 2, self.delta)


INDEX_OF_ARM = 1 / 16
"""min{x²/σ², x} with x = 1/16 and σ = 1/4."""


def rigged_tasks() -> tuple[MDP, MDP]:
    """P(0), P(1/2), P(1) of arm 0: 81, 382, 49 of 512 in the target, the mirror in the rival."""
    p = np.ones((1, 2, 1))
    u = np.array([0.0, 0.5, 1.0])
    arms = ((81, 382, 49), (49, 382, 81))
    return (
        MDP(p, np.array([[np.array(arms[0]) / 512, [0.0, 1.0, 0.0]]]), u, 0.0),
        MDP(p, np.array([[np.array(arms[1]) / 512, [0.0, 1.0, 0.0]]]), u, 0.0),
    )


class _EvenRewards(BlockSimulator):
    """Arm 0 pays 0 or 1 in a fixed share of the samples, 1 in a fixed share of those, evenly."""

    def __init__(self, theta: MDP, share: float, ones: float) -> None:
        super().__init__(theta, seed=0)
        self._shares = share, ones
        self._taken = 0

    def peek(self, s: int, a: int, size: int) -> tuple[Ints, Ints]:
        """The coming samples in the fixed order."""
        rewards, successors = super().peek(s, a, size)
        if a == 0:
            share, ones = self._shares
            extremes = np.floor(np.arange(self._taken, self._taken + size + 1) * share)
            high = np.diff(np.floor(extremes * ones))
            low = np.diff(extremes) - high
            rewards = (1 - low + high).astype(np.int64)
        return rewards, successors

    def take(self, s: int, a: int, size: int) -> None:
        """Go on in the fixed order."""
        super().take(s, a, size)
        self._taken += size if a == 0 else 0


def play(rigged: Rigged) -> PtumResult:
    """A run of PTUM on these samples."""
    tasks = rigged_tasks()
    return transfer_mode(
        approximate_models(tasks),
        _EvenRewards(tasks[0], rigged.share, rigged.ones),
        epsilon=rigged.epsilon,
        delta=rigged.delta,
        n=rigged.n,
        errors=single(0.0),
    )


def rigged_evaluation(rigged: Rigged, factor: float) -> Evaluation:
    """N_t ≤ factor·L/I_t in the last iteration that queries."""
    result = play(rigged)
    fallen = [elimination.theta for elimination in result.eliminations]
    return Evaluation(
        premises=(
            Statement("models that fell before the run stopped", len(fallen), "=", 1),
            Statement("the rival fell", fallen[:1] == [1], "=", True),
            Statement("queries of the other arm", int(result.N[0, 1]), "=", 0),
        ),
        conclusion=Statement(
            "N_t of the last query against factor·L/I_t",
            int(result.N[0, 0]) - 1,
            "≤",
            factor * rigged.L / INDEX_OF_ARM,
        ),
    )


# A shift of 2Δ or less


@dataclass(frozen=True)
class Unresolved:
    """The blocks of E01 with gaps of `gap`·Δ, and the truth half way between the two models."""

    shift: Fraction = Fraction(19, 10)
    gap: Fraction = Fraction(2)
    Delta: Fraction = Fraction(1, 20)
    gamma: Fraction = Fraction(9, 10)

    @property
    def models(self) -> tuple[ExactMDP, ExactMDP]:
        """The two approximate models."""
        c = self.gap * self.Delta
        return blocks.mirrored(c, c, self.gamma)

    @property
    def truth(self) -> ExactMDP:
        """The average of the two."""
        return mdp.mixture(*self.models, Fraction(1, 2))

    @property
    def epsilon(self) -> Fraction:
        """Δ equals the threshold of line 2 that belongs to this shift."""
        return 2 * (self.shift + 1) * (1 + self.gamma) * self.Delta / (1 - self.gamma)


def _errors(instance: Unresolved) -> Iterator[Fraction]:
    """All errors of rewards and transitions of both models against the truth."""
    models, truth = instance.models, instance.truth
    policies = [mdp.optimal_policy(theta) for theta in models]
    values = [mdp.policy_value(theta, pi) for theta in models for pi in policies]
    for theta in models:
        for s in range(theta.S):
            for a in range(theta.A):
                yield abs(theta.r[s][a] - truth.r[s][a])
                for V in values:
                    yield abs(mdp.inner(theta.p[s][a], V) - mdp.inner(truth.p[s][a], V))


def _deviation_errors(instance: Unresolved) -> Iterator[float]:
    """Errors of the deviations of all Ṽ*, in doubles; deterministic rewards have none."""
    values = [mdp.optimal_value(theta) for theta in instance.models]
    for theta in instance.models:
        for s in range(theta.S):
            for a in range(theta.A):
                for V in values:
                    told = mdp.variance(theta.p[s][a], V)
                    yield abs(math.sqrt(told) - math.sqrt(mdp.variance(instance.truth.p[s][a], V)))


def unresolved_evaluation(instance: Unresolved) -> Evaluation:
    """With this shift and its own line 2, models with a positive index can be told apart.

    Each of two models may lie Δ from what is sampled, so a gap up to 2Δ is never resolved.
    """
    models, Delta = instance.models, instance.Delta
    # Definition 1 with another shift: exact.information takes off 8 times what it is given
    told = instance.shift * Delta / 8
    gap = instance.gap * Delta
    return Evaluation(
        premises=(
            Statement("largest error against Δ", max(_errors(instance)), "≤", Delta),
            Statement(
                "largest error of a deviation against Δ",
                max_of(_deviation_errors(instance)),
                "≤",
                Delta,
            ),
            Statement(
                "no stop: smallest worst loss against the slack",
                mdp.smallest_worst_loss(models),
                ">",
                mdp.stopping_slack(instance.epsilon, Delta, instance.gamma),
            ),
            Statement("largest index", mdp.largest_index(models, told), ">", 0),
        ),
        conclusion=Statement("gap of the two models against 2Δ", gap, ">", 2 * Delta),
    )
