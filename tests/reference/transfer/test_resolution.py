"""Where rounding ends and a difference begins: no verdict and no run rests on rounding.

A value is off by `value_tolerance` v at most, a gap by `gap_tolerance`; what follows from these
sizes is derived where they are used, and here it is put to the test.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ptum.checks.exact import mdp
from ptum.checks.instances.counterexamples.appendix_b import correctness
from ptum.checks.instances.counterexamples.shared import blocks
from ptum.checks.instances.families import rational
from ptum.reference.arrays import ROUNDING
from ptum.reference.errors import InputError
from ptum.reference.repaired.transfer import ptum as repaired
from ptum.reference.repaired.transfer.analysis import lemmas as repaired_lemmas
from ptum.reference.repaired.transfer.analysis.sample_complexity import (
    kappa_eps,
    theorem_1_bound,
    theta_s,
)
from ptum.reference.repaired.transfer.stopping import transfer_threshold
from ptum.reference.sequential.lines import RunsAlgorithm1
from ptum.reference.tasks.mdp import MDP, deterministic_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import (
    discounted_sum,
    least_accuracy,
    loss_from_rounding,
    policy_value,
    require_resolved,
    value_tolerance,
)
from ptum.reference.transfer import ptum as printed
from ptum.reference.transfer.analysis import lemmas
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.information import index, query
from ptum.reference.transfer.stopping import stopping_models
from tests.support.closeness import near
from tests.support.instances import bandit, bernoulli_bandit, walk
from tests.support.oracles import Silent
from tests.support.streams import THREE_ARMS

FAR_SIGHTED = (0.0, 0.9, 0.99, 0.999)


class TestLemma9:
    """An error that is accepted as rounding moves the loss by 2(1+γ)/(1-γ) of its size."""

    @pytest.mark.parametrize("gamma", FAR_SIGHTED)
    @pytest.mark.parametrize("share", [0.01, 0.1, 0.9, 0.999, 1.001, 3.0])
    def test_an_error_of_rounding_refutes_nothing(self, gamma: float, share: float) -> None:
        """Two arms; the truth is farther apart by an error that Δ = 0 does not cover."""
        models = approximate_models([bandit([0.5, 0.4], gamma), bandit([0.4, 0.5], gamma)])
        v = value_tolerance(models.V_star, gamma)
        for error in (share * v, share * (1 - gamma) * v):
            true = [bandit([0.5 + error, 0.4 - error], gamma), models.tasks[1]]
            epsilon = float(np.max(models.V_star - models.V_pi[:, 1]))
            for lemma in (lemmas.correctness, repaired_lemmas.correctness):
                found = lemma(
                    Iteration(models, 0, (0, 1), 0.0), returned=1, true=true, epsilon=epsilon
                )
                assert found.premises[lemmas.STOPS_HERE]
                assert not found.refutes

    @pytest.mark.parametrize("gamma", FAR_SIGHTED)
    def test_blocks_use_up_what_line_14_and_the_errors_allow(self, gamma: float) -> None:
        """The truth is off by Δ in rewards and in values, against the returned policy in both."""
        exact_gamma = Fraction(str(gamma))
        models, true = blocks_and_truth(exact_gamma, Fraction(1, 1000))
        epsilon = float(
            mdp.smallest_worst_loss(models)
            + 2 * Fraction(1, 1000) * (1 + exact_gamma) / (1 - exact_gamma)
        )
        known = approximate_models([mdp.rounded(model) for model in models])
        tasks = [mdp.rounded(task) for task in true]
        for Delta in (0.001, 0.001 - (1 - gamma) * value_tolerance(known.V_star, gamma) / 2):
            found = repaired_lemmas.correctness(
                Iteration(known, 0, (0, 1), Delta), returned=1, true=tasks, epsilon=epsilon
            )
            assert found.premises[lemmas.ASSUMPTION_1]
            off = 2 * value_tolerance(known.V_star, gamma)
            assert np.max(found.left) == pytest.approx(epsilon, abs=off)
            assert not found.refutes


def blocks_and_truth(
    gamma: Fraction, Delta: Fraction
) -> tuple[tuple[mdp.ExactMDP, ...], tuple[mdp.ExactMDP, ...]]:
    """Two models with gaps of 1/20, and tasks whose gaps are larger by Δ."""
    c = Fraction(1, 20)
    return blocks.mirrored(c, c, gamma), (blocks.mirrored(c + Delta, c + Delta, gamma))


class TestLemma7:
    """A tiny index is an index."""

    @pytest.mark.parametrize("gamma", FAR_SIGHTED)
    @pytest.mark.parametrize("epsilon", [1e-3, 1e-5, 1e-7])
    def test_small_gaps_under_large_deviations(self, gamma: float, epsilon: float) -> None:
        """Each of two arms is better in one model, by 2ε(1-γ); I = gap²/(1/4 - gap²).

        That is 4·gap² but for a share of 4·gap² and a little; means near 1/2 are off by roundings.
        """
        gap = 2 * epsilon * (1 - gamma)
        off = 5 * gap**2 + 4 * ROUNDING / gap
        arms = ([0.5, 0.5 + gap], [0.5 + gap, 0.5])
        models = approximate_models([bernoulli_bandit(arm, gamma) for arm in arms])
        for lemma in (lemmas.positive_index, repaired_lemmas.positive_index):
            found = lemma(Iteration(models, 0, (0, 1), 0.0), epsilon=epsilon)
            assert found.premises_met
            assert found.holds
            assert float(found.left) == pytest.approx(4 * gap**2, rel=off)

    def test_the_pair_that_tells_is_queried(self) -> None:
        """The first arm is the same in both models, the others differ by 10⁻⁷."""
        arms = ([0.3, 0.5, 0.5 + 1e-7], [0.3, 0.5 + 1e-7, 0.5])
        models = approximate_models([bernoulli_bandit(arm, 0.0) for arm in arms])
        I_t = index((0, 1), models, 0.0)
        assert I_t.max() < 1e-12
        assert query(I_t) == (0, 1)

    @pytest.mark.parametrize("gamma", FAR_SIGHTED)
    def test_near_ties_that_rounding_decides(self, gamma: float) -> None:
        """Two absorbing states, gaps of t/10: a lead of 0.95t is a tie, one of 1.05t is not."""
        t = 48 * ROUNDING * (0.5 / (1 - gamma) + 1)
        leads = [(0.95 * t, 1.05 * t), (1.05 * t, 0.95 * t)]
        tasks = [walk([[0, 0], [1, 1]], [[0.5, 0.5 + x] for x in lead], gamma) for lead in leads]
        models = approximate_models(tasks)
        assert models.pi_star.tolist() == [[0, 1], [1, 0]]
        run = repaired.ptum(models, Silent(), epsilon=0.0, delta=0.1, n=9, Delta=0.0)
        assert (run.end, run.active) == (printed.End.INDEX_ZERO, (0, 1))
        v = value_tolerance(models.V_star, gamma)
        assert v < np.max(models.V_star - models.V_pi[:, 0]) <= 6 * v


SHARP = tuple(product(rational.DISCOUNTS, (Fraction(j, 7) for j in range(1, 8))))
"""γ, and ε as a share of what fits into the blocks."""


def sharp(gamma: Fraction, share: Fraction) -> tuple[ApproximateModels, float, float]:
    """The blocks on which the repaired threshold is attained: models, ε and Δ."""
    epsilon = share * (1 + gamma) / (2 * (1 - gamma))
    Delta = mdp.transfer_threshold(epsilon, gamma, mdp.SHARP_FACTOR)
    models = correctness.sharp(Delta, epsilon, gamma).models
    return approximate_models([mdp.rounded(m) for m in models]), float(epsilon), float(Delta)


class TestThetaS:
    """Θ_s and line 14 agree where a policy loses exactly the slack."""

    @pytest.mark.parametrize(("gamma", "share"), SHARP)
    def test_at_the_threshold_nothing_blocks(self, gamma: Fraction, share: Fraction) -> None:
        models, epsilon, Delta = sharp(gamma, share)
        assert stopping_models((0, 1), models, epsilon, Delta) == (0, 1)
        assert theta_s(models, target=0, kappa=kappa_eps(epsilon, Delta, models.gamma)) == ()
        bound = theorem_1_bound(models, target=0, epsilon=epsilon, delta=0.1, n=9, Delta=Delta)
        assert bound.bound == 0

    @pytest.mark.parametrize(("gamma", "share"), SHARP)
    def test_just_below_it_the_other_model_does(self, gamma: Fraction, share: Fraction) -> None:
        models, epsilon, Delta = sharp(gamma, share)
        less = epsilon * (1 - 1e-6)
        smaller = transfer_threshold(less, models.gamma)
        assert smaller < Delta
        assert stopping_models((0, 1), models, less, smaller) == ()
        assert theta_s(models, target=0, kappa=kappa_eps(less, smaller, models.gamma)) == (1,)
        bound = theorem_1_bound(models, target=0, epsilon=less, delta=0.1, n=9, Delta=smaller)
        assert 0 < bound.denominator < 1


def nearly_tied(S: int, gamma: float, behind: float) -> MDP:
    """Every state is absorbing and pays 1, or less by `behind` for the first action."""
    p = np.zeros((S, 2, S))
    p[np.arange(S), :, np.arange(S)] = 1
    return deterministic_rewards(p, np.tile([1 - behind, 1.0], (S, 1)), gamma)


class TestAccuracy:
    """An accuracy that rounding would spoil is refused before the run starts."""

    @pytest.mark.parametrize("algorithm", [printed.ptum, repaired.ptum])
    def test_a_discount_next_to_one(self, algorithm: RunsAlgorithm1) -> None:
        """The first action seems as good as the second, and loses 0.3 in the long run."""
        gamma, S = 0.999999, 144
        task = nearly_tied(S, gamma, 3e-7)
        models = approximate_models([task])
        assert not models.pi_star.any()
        best = policy_value(task, np.ones(S, dtype=np.int64))
        off = (S + 2) * ROUNDING * float(best.max())  # half of it for each of the two values
        assert np.max(best - models.V_star[0]) == pytest.approx(0.3, abs=off)
        for epsilon in (0.1, 0.0):
            with pytest.raises(InputError, match=r"γ = 0\.999999 with S = 144 states.*ask for ε"):
                algorithm(
                    models, Silent(), epsilon=epsilon, delta=0.1, n=9, Delta=0.0, fallback=None
                )

    def test_algorithm_2_does_not_begin(self) -> None:
        with pytest.raises(InputError, match=r"epsilon: .*γ = 0\.999999 with S = 144 states"):
            replace(THREE_ARMS, k=2, S=144, A=2, gamma=0.999999, epsilon=0.1)

    @pytest.mark.parametrize(("S", "gamma"), [(1, 0.0), (144, 0.999999)])
    def test_what_rounding_can_cost(self, S: int, gamma: float) -> None:
        """As D35 has it."""
        told = 72 * (S + 2) * (2 - gamma) / (1 - gamma) ** 2 * ROUNDING
        assert loss_from_rounding(S, gamma) == near(told)

    def test_what_the_refusal_asks_for_is_accepted(self) -> None:
        with pytest.raises(InputError, match="ask for ε ≥ ") as refused:
            require_resolved(0.1, 144, 0.999999)
        told = float(str(refused.value).partition("ask for ε ≥ ")[2].partition(",")[0])
        require_resolved(told, 144, 0.999999)
        assert loss_from_rounding(144, 0.999999) <= 0.01 * told

    @pytest.mark.parametrize(
        ("S", "gamma", "epsilon"), [(144, 0.99, 1e-5), (144, 0.9999, 0.1), (1, 0.0, 1e-11)]
    )
    def test_common_accuracies_are_accepted(self, S: int, gamma: float, epsilon: float) -> None:
        require_resolved(epsilon, S, gamma)
        require_resolved(0.0, S, gamma)

    @pytest.mark.parametrize("behind", [1e-13, 1e-12, 1e-11, 1e-10])
    def test_where_it_is_accepted_a_near_tie_costs_little(self, behind: float) -> None:
        gamma, S = 0.999, 12
        least = least_accuracy(S, gamma)
        task = nearly_tied(S, gamma, behind)
        run = repaired.ptum(
            approximate_models([task]), Silent(), epsilon=least, delta=0.1, n=9, Delta=0.0
        )
        assert run.policy is not None
        best = policy_value(task, np.ones(S, dtype=np.int64))
        assert np.max(best - policy_value(task, run.policy)) <= 0.01 * least


@pytest.mark.parametrize("S", [1, 2, 3, 5, 8, 12])
@pytest.mark.parametrize("gamma", [0.5, 0.9, 0.99, 0.999999])
def test_values_are_off_by_half_of_S_plus_2_roundings(S: int, gamma: float) -> None:
    """As `gap_tolerance` says; rows are fractions rounded once, γ is the double itself."""
    rng = np.random.default_rng(S)
    for _ in range(12):
        weights = rng.integers(0, 20, (S, S)) * rng.integers(0, 2, (S, S))
        weights[np.arange(S), rng.integers(S, size=S)] += 1
        p = [[[Fraction(int(x), int(row.sum())) for x in row]] for row in weights]
        r = [[Fraction(int(x), 17)] for x in rng.integers(1, 18, S)]
        told = mdp.policy_value(mdp.deterministic(p, r, Fraction(gamma)), (0,) * S)
        P, f = (np.array(rows, dtype=np.float64) for rows in (p, r))
        found = discounted_sum(P[:, 0], gamma, f)[:, 0].tolist()
        for V, known in zip(found, told, strict=True):
            assert abs(Fraction(V) - known) <= known * (S + 2) * Fraction(ROUNDING) / 2
