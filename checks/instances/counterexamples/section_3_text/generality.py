"""Against what is assumed "without loss of generality" (errata E13, E23)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import ceil, floor

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.terms import Situation, gap_Gamma
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.section_3 import algorithm_1
from ptum.checks.instances.counterexamples.shared import shown
from ptum.checks.instances.counterexamples.shared.deterministic_runs import leads_to
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.ptum import PtumResult, ptum

# Rewards in [0,1] "without loss of generality" where 𝒰 = ℝ is offered (erratum E23).
#
# * `Doublings`: a reward that is at least k with probability 2^-k. Its mean is 1 and its variance
#   2, and every interval [l,h] leaves out a probability of at least 2^-(⌊h⌋+1).
# * `squashed`: the increasing map u/(1+u) does bring all rewards into [0,1), and turns the order of
#   two arms round.

LOWS = (Fraction(0), Fraction(-1), Fraction(-1000))
HIGHS = (Fraction(1), Fraction(10), Fraction(41, 2), Fraction(50))


@dataclass(frozen=True)
class Doublings:
    """min{G, cut} for a geometric G with P(G ≥ k) = ratio^k; without a cut it is unbounded."""

    cut: int | None = None
    ratio: Fraction = Fraction(1, 2)

    def at_least(self, k: int) -> Fraction:
        """P(U ≥ k)."""
        if self.cut is not None and k > self.cut:
            return Fraction(0)
        return self.ratio ** max(k, 0)

    def outside(self, low: Fraction, high: Fraction) -> Fraction:
        """P(U < low) + P(U > high)."""
        return 1 - self.at_least(ceil(low)) + self.at_least(floor(high) + 1)


def affine_evaluation(distribution: Doublings) -> Evaluation:
    """Some affine map of a list brings the reward into [0,1]: u → (u-l)/(h-l)."""
    best = min(distribution.outside(low, high) for low, high in product(LOWS, HIGHS))
    return Evaluation(
        premises=(
            Statement("P(U ≥ 1), for the mean to be finite", distribution.at_least(1), "<", 1),
        ),
        conclusion=Statement(
            f"least probability of leaving [0,1] over {len(LOWS) * len(HIGHS)} maps", best, "=", 0
        ),
    )


@dataclass(frozen=True)
class Gamble:
    """One state, two arms: a sure reward, or a prize with some probability, else nothing."""

    sure: Fraction = Fraction(1)
    prize: Fraction = Fraction(3)
    chance: Fraction = Fraction(2, 5)


def squashed(u: Fraction) -> Fraction:
    """u/(1+u): increasing from [0,∞) into [0,1)."""
    return u / (1 + u)


def squashing_evaluation(gamble: Gamble) -> Evaluation:
    """The arm that is better in the given rewards is better in the squashed ones."""
    return Evaluation(
        premises=(
            Statement("smallest reward", min(gamble.sure, gamble.prize), "≥", 0),
            Statement(
                "mean of the gamble against the sure arm",
                gamble.chance * gamble.prize,
                ">",
                gamble.sure,
            ),
        ),
        conclusion=Statement(
            "the same after squashing",
            gamble.chance * squashed(gamble.prize),
            ">",
            squashed(gamble.sure),
        ),
    )


# Known bounds


@stored
@dataclass(frozen=True)
class Scaled:
    """A task whose rewards lie between the known bounds, and an accuracy in its own units."""

    task: ExactMDP
    low: Fraction
    high: Fraction
    epsilon: Fraction

    @property
    def unit(self) -> Fraction:
        """h - l."""
        return self.high - self.low


def rescaled(case: Scaled) -> ExactMDP:
    """U becomes (U-l)/(h-l)."""
    theta = case.task
    r = tuple(tuple((x - case.low) / case.unit for x in row) for row in theta.r)
    var = tuple(tuple(x / case.unit**2 for x in row) for row in theta.var)
    return ExactMDP(p=theta.p, r=r, var=var, gamma=theta.gamma)


def policies(theta: ExactMDP) -> tuple[tuple[int, ...], ...]:
    """All A^S deterministic policies."""
    return tuple(product(range(theta.A), repeat=theta.S))


def affine_values_evaluation(case: Scaled) -> Evaluation:
    """V becomes (V - l/(1-γ))/(h-l) for every policy, and rewards lie in [0,1]."""
    small = rescaled(case)
    shift = case.low / (1 - small.gamma)
    wrong = sum(
        v != shift + case.unit * w
        for pi in policies(small)
        for v, w in zip(mdp.policy_value(case.task, pi), mdp.policy_value(small, pi), strict=True)
    )
    return Evaluation(
        premises=_bounds(case),
        conclusion=Statement(
            "rewards outside [0,1] and values that are not the affine image",
            wrong + sum(not 0 <= x <= 1 for row in small.r for x in row),
            "=",
            0,
        ),
    )


def same_good_policies_evaluation(case: Scaled) -> Evaluation:
    """π is ε-optimal in the task exactly when it is ε/(h-l)-optimal in the rescaled one."""
    small = rescaled(case)
    changed = sum(
        (mdp.loss(case.task, pi) <= case.epsilon)
        != (mdp.loss(small, pi) <= case.epsilon / case.unit)
        for pi in policies(small)
    )
    return Evaluation(
        premises=_bounds(case),
        conclusion=Statement("policies that are good in one and not in the other", changed, "=", 0),
    )


def _bounds(case: Scaled) -> tuple[Statement, ...]:
    rewards = [x for row in case.task.r for x in row]
    return (
        Statement("smallest reward against l", min(rewards), "≥", case.low),
        Statement("largest reward against h", max(rewards), "≤", case.high),
        Statement("l against h", case.low, "<", case.high),
    )


def bounded_evaluation(distribution: Doublings, high: int = 30) -> Evaluation:
    """Repaired: with a known bound h the map u/h brings the reward into [0,1]."""
    return Evaluation(
        premises=(
            Statement("P(U > h) for the known bound h", distribution.at_least(high + 1), "=", 0),
        ),
        conclusion=Statement(
            "P(U/h outside [0,1])", distribution.outside(Fraction(0), Fraction(high)), "=", 0
        ),
    )


def rescaled_evaluation(gamble: Gamble) -> Evaluation:
    """Repaired: u/h for the largest reward h keeps the order of the arms."""
    high = max(gamble.sure, gamble.prize)
    told = squashing_evaluation(gamble)
    return Evaluation(
        told.premises,
        Statement(
            "the same after division by the largest reward",
            gamble.chance * gamble.prize / high,
            ">",
            gamble.sure / high,
        ),
    )


def _doublings_numbers(distribution: Doublings) -> Numbers:
    cut = () if distribution.cut is None else (("largest reward, a known bound", distribution.cut),)
    return (
        ("P(U ≥ k), k = 0, 1, 2, … up to the largest reward", f"({distribution.ratio})^k"),
        *cut,
        ("maps u → (u-l)/(h-l) with l in", LOWS),
        ("and h in", HIGHS),
    )


SMALLER = Gamble(sure=Fraction(1, 2), prize=Fraction(2))


declare(
    check="text-rewards-in-unit-interval.generality/unbounded",
    says="A reward of mean 1 that none of twelve affine maps brings into [0,1]",
    instance=Doublings(),
    evaluate=affine_evaluation,
    numbers=_doublings_numbers,
    fix="rewards are cut at 30",
    fixed=Doublings(cut=30),
    broken={"P(U ≥ 1), for the mean to be finite": Doublings(ratio=Fraction(1))},
    repaired=bounded_evaluation,
    in_scope=Doublings(cut=30),
)
declare(
    check="text-rewards-in-unit-interval.generality/squashed",
    says="An increasing map into [0,1) that turns the order of two arms round",
    instance=Gamble(),
    evaluate=squashing_evaluation,
    numbers=lambda gamble: (
        ("mean rewards of both arms", (gamble.sure, gamble.chance * gamble.prize)),
        ("reward of the sure arm", gamble.sure),
        ("prize of the other, else 0", gamble.prize),
        ("its probability", gamble.chance),
        ("map", f"u/(1+u); repaired u/{max(gamble.sure, gamble.prize)}, the largest reward"),
    ),
    fix="the prize is won with probability 9/10 in place of 2/5",
    fixed=Gamble(chance=Fraction(9, 10)),
    broken={
        "smallest reward": Gamble(sure=Fraction(-1, 2)),
        "mean of the gamble against the sure arm": Gamble(chance=Fraction(1, 4)),
    },
    repaired=rescaled_evaluation,
    in_scope=SMALLER,
)


# Γ > 0 "without loss of generality" (erratum E13).
#
# * `equal_values`: two different models at distance Γ = 0.
# * `left_out`: the target is left out for such a twin, and the run returns a policy that loses 4ε,
#   because a third model's values tell the twin from the data.
# * `merged_by_values`: the same with a twin that no value Ṽ* of any model can tell from the target;
#   still the values of another model's policy can, and the run loses 9ε (compare E02).

HALF, GAMMA = Fraction(1, 2), Fraction(9, 10)


# Different models at distance zero


def equal_values(reward_of_last: Fraction = HALF, second_to: int = 2) -> Situation:
    """States 0, 1, 2, one action; state 0 leads to 1 in the target and to 2 in the other model."""

    def task(to: int) -> ExactMDP:
        p = [[leads_to(state, 3)] for state in (to, 1, 2)]
        return mdp.deterministic(p, [[HALF], [HALF], [reward_of_last]], GAMMA)

    return Situation((task(1), task(second_to)), epsilon=HALF)


def identical_evaluation(situation: Situation) -> Evaluation:
    """Γ = 0 implies that the models are the same."""
    first, second = situation.models
    return Evaluation(
        premises=(Statement("Γ", gap_Gamma(situation), "=", 0),),
        conclusion=Statement("entries that differ", _differences(first, second), "=", 0),
    )


def same_optimum_evaluation(situation: Situation) -> Evaluation:
    """Repair: Γ = 0 implies the same optimal value and the same optimal actions."""
    first, second = situation.models
    V, V_prime = mdp.optimal_value(first), mdp.optimal_value(second)
    wrong = sum(x != y for x, y in zip(V, V_prime, strict=True))
    wrong += sum(best(first, V, s) != best(second, V_prime, s) for s in range(first.S))
    return Evaluation(
        premises=(Statement("Γ", gap_Gamma(situation), "=", 0),),
        conclusion=Statement("states with another value or optimal action", wrong, "=", 0),
    )


def best(theta: ExactMDP, V: mdp.Vector, s: int) -> tuple[int, ...]:
    """All optimal actions of a state."""
    Q = mdp.action_values(theta, V)[s]
    return tuple(a for a in range(theta.A) if Q[a] == max(Q))


def _differences(first: ExactMDP, second: ExactMDP) -> int:
    pairs = [(s, a) for s in range(first.S) for a in range(first.A)]
    return sum(first.r[s][a] != second.r[s][a] for s, a in pairs) + sum(
        x != y for s, a in pairs for x, y in zip(first.p[s][a], second.p[s][a], strict=True)
    )


# Leaving one of them out


@dataclass(frozen=True)
class LeftOut:
    """A target, a twin at distance 0 that stands in for it, and the models that stay as well."""

    target: ExactMDP
    twin: ExactMDP
    others: tuple[ExactMDP, ...]
    epsilon: Fraction
    n: int = 20_000


def left_out(third_high: Fraction = Fraction(1), to_of_twin: int = 2) -> LeftOut:
    """States 0, 1, 2, z, of which 0 alone is left; z has a real choice.

    The third model pays `third_high` in state 1 and the rest of 1 in state 2; at 1/2 its values do
    not see the difference either.
    """

    def task(to: int, r_1: Fraction, r_z: tuple[int, int]) -> ExactMDP:
        p = [[leads_to(state, 4)] * 2 for state in (to, 1, 2, 3)]
        rewards = [[HALF] * 2, [r_1] * 2, [1 - r_1] * 2, [Fraction(x, 10) for x in r_z]]
        return mdp.deterministic(p, rewards, GAMMA)

    return LeftOut(
        target=task(1, HALF, (6, 4)),
        twin=task(to_of_twin, HALF, (6, 4)),
        others=(task(1, third_high, (4, 6)),),
        epsilon=HALF,
    )


def merged_by_values() -> LeftOut:
    """The instance of E02, its approximate target in the part of the twin."""
    case = algorithm_1.wrong_policy_instance()
    target_model, rival_model = case.approximate
    return LeftOut(case.true[0], target_model, (rival_model,), case.epsilon, n=100)


def neglect_evaluation(case: LeftOut, *, keep_both: bool = False) -> Evaluation:
    """Without the target (or with it, if both are kept) the output is still ε-optimal for it."""
    models = (case.twin, *case.others)
    result = run(case, (case.target, *models) if keep_both else models)
    policy = () if result.policy is None else tuple(result.policy.tolist())
    return Evaluation(
        premises=(
            Statement(
                "Γ of target and twin",
                gap_Gamma(Situation((case.target, case.twin), case.epsilon)),
                "=",
                0,
            ),
            Statement("a policy is returned", bool(policy), "=", True),
        ),
        conclusion=Statement(
            f"loss in the target of the policy returned after {result.queries} queries",
            mdp.loss(case.target, policy) if policy else Fraction(0),
            "≤",
            case.epsilon,
        ),
    )


def run(case: LeftOut, models: Sequence[ExactMDP]) -> PtumResult:
    """The literal algorithm; the tasks are deterministic, so there is no chance in it."""
    return ptum(
        approximate_models([mdp.rounded(model) for model in models]),
        Simulator(mdp.rounded(case.target), seed=0),
        epsilon=float(case.epsilon),
        delta=0.1,
        n=case.n,
        Delta=single(0.0),
    )


# What the instances show


def _two_numbers(situation: Situation) -> Numbers:
    named = zip(("the target", "the other model"), situation.models, strict=True)
    return (("γ", GAMMA), *shown.tasks(named))


def _left_out_numbers(case: LeftOut) -> Numbers:
    named = (("the target", case.target), ("its twin", case.twin), ("the third", case.others[0]))
    return (
        ("γ", GAMMA),
        ("ε, δ, Δ, n", (case.epsilon, Fraction(1, 10), Fraction(0), case.n)),
        ("models of the run", "the twin and the third, repaired all; samples of the target"),
        *shown.tasks(named),
    )


def _twins_left_out() -> Situation:
    case = left_out()
    return Situation((case.target, case.twin), case.epsilon)


declare(
    check="text-gamma-positive.identical/equal-values",
    says="Two models with Γ = 0 are the same",
    instance=equal_values(),
    evaluate=identical_evaluation,
    fix="state 0 leads to 1 in both",
    fixed=equal_values(second_to=1),
    broken={"Γ": equal_values(Fraction(6, 10))},
    repaired=same_optimum_evaluation,
    in_scope=_twins_left_out(),
    numbers=_two_numbers,
)
declare(
    check="text-gamma-positive.neglect/left-out",
    says="With the target left out for its twin the output is ε-optimal",
    instance=left_out(),
    evaluate=neglect_evaluation,
    numbers=_left_out_numbers,
    fix="the third model pays 1/2 in states 1 and 2, so that its values see no difference",
    fixed=left_out(third_high=HALF),
    broken={
        "Γ of target and twin": replace(left_out(), twin=left_out().others[0]),
        "a policy is returned": replace(left_out(), n=10),
    },
    repaired=partial(neglect_evaluation, keep_both=True),
    in_scope=merged_by_values(),
)
