"""Against what is said of Definition 1: gaps, their units, its linear terms (erratum E23)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import Between, Real, compared, log, shortened
from ptum.checks.exact.mdp import ExactMDP, Vector
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.section_3.theorem_1 import bernoulli_arms
from ptum.checks.instances.counterexamples.shared import deterministic_runs
from ptum.checks.instances.counterexamples.shared.deterministic_runs import Algorithm1Inputs
from ptum.checks.instances.counterexamples.shared.shown import tasks
from ptum.checks.verdicts.attempts.names import stored, stored_as
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.transfer.analysis.sample_complexity import FACTOR

# What Δ^p measures (erratum E23): the return changes by γ Δ^p, not by Δ^p.
#
# State 0 leads to x in θ and to y in θ'; x pays 1 for ever and y nothing. With γ = 1/2 the values
# of x and y are 2 and 0, so Δ^p = 2, while the return of the one pair of state 0 changes from 1 to
# 0.

ONE, ZERO = Fraction(1), Fraction(0)


@stored_as("Comparison")
@dataclass(frozen=True)
class ExchangedTransition:
    """Two tasks and the pair at which the first transition is exchanged."""

    theta: ExactMDP
    theta_prime: ExactMDP
    s: int = 0
    a: int = 0


def fork(gamma: Fraction = Fraction(1, 2), leads_to: int = 2) -> ExchangedTransition:
    """States 0, x = 1, y = 2; θ' leads from 0 to the given state."""

    def task(to: int) -> ExactMDP:
        p = [[deterministic_runs.leads_to(state, 3)] for state in (to, 1, 2)]
        return mdp.deterministic(p, [[ZERO], [ONE], [ZERO]], gamma)

    return ExchangedTransition(task(1), task(leads_to))


def gap(case: ExchangedTransition) -> Fraction:
    """Δ^p_{s,a}(θ,θ') = |(p_θ(s,a) - p_θ'(s,a))ᵀ V*_θ|."""
    V = mdp.optimal_value(case.theta)
    s, a = case.s, case.a
    return abs(mdp.inner(case.theta.p[s][a], V) - mdp.inner(case.theta_prime.p[s][a], V))


def change_of_return(case: ExchangedTransition) -> Fraction:
    """|return with the first step of θ - return with the first step of θ'|, then π*_θ in θ."""
    rows = (task.p[case.s][case.a] for task in (case.theta, case.theta_prime))
    own, other = (_return(case, row) for row in rows)
    return abs(own - other)


def change_of_next_value(case: ExchangedTransition) -> Fraction:
    """|E V*_θ(S') under θ - E V*_θ(S') under θ'|, summed outcome by outcome."""
    V = mdp.optimal_value(case.theta)
    own, other = (task.p[case.s][case.a] for task in (case.theta, case.theta_prime))
    parts = [(p - q) * v for p, q, v in zip(own, other, V, strict=True)]
    return abs(sum(parts, ZERO))


def equal_evaluation(case: ExchangedTransition) -> Evaluation:
    """The change of return is Δ^p."""
    return Evaluation(
        premises=(Statement("discount factor", case.theta.gamma, "<", 1),),
        conclusion=Statement(
            "change of return against Δ^p", change_of_return(case), "=", gap(case)
        ),
    )


def gap_meaning_proportional_evaluation(case: ExchangedTransition) -> Evaluation:
    """The change of return is γ Δ^p."""
    gamma = case.theta.gamma
    return Evaluation(
        premises=(Statement("discount factor", gamma, "<", 1),),
        conclusion=Statement(
            "change of return against γ Δ^p", change_of_return(case), "=", gamma * gap(case)
        ),
    )


def next_value_evaluation(case: ExchangedTransition) -> Evaluation:
    """Repair: Δ^p is the change of the mean next value, and γ times it that of the return."""
    change = change_of_next_value(case)
    return Evaluation(
        premises=(
            Statement("discount factor", case.theta.gamma, "<", 1),
            Statement(
                "change of return against γ times the change of the next value",
                change_of_return(case),
                "=",
                case.theta.gamma * change,
            ),
        ),
        conclusion=Statement("change of the mean next value against Δ^p", change, "=", gap(case)),
    )


def _return(case: ExchangedTransition, first_row: Vector) -> Fraction:
    """Value of a new state with the reward of (s,a) and this first row, before θ under π*_θ."""
    theta = case.theta
    entry = ((*first_row, ZERO),) * theta.A
    p = tuple(tuple((*row, ZERO) for row in rows) for rows in theta.p)
    reward, no_variance = (theta.r[case.s][case.a],) * theta.A, (ZERO,) * theta.A
    with_entry = replace(theta, p=(*p, entry), r=(*theta.r, reward), var=(*theta.var, no_variance))
    pi = (*mdp.optimal_policy(theta), 0)
    return mdp.policy_value(with_entry, pi)[-1]


declare(
    check="text-gap-meaning.return/fork",
    says="A fork with γ = 1/2 where Δ^p = 2 and the return changes by 1",
    instance=fork(),
    evaluate=equal_evaluation,
    fix="θ' leads from 0 to x as well",
    fixed=fork(leads_to=1),
    broken={"discount factor": fork(gamma=Fraction(2))},
    repaired=next_value_evaluation,
    in_scope=fork(gamma=Fraction(9, 10)),
    # states 0, x, y and one action
    numbers=lambda case: (
        *tasks((("θ", case.theta), ("θ'", case.theta_prime))),
        ("γ", case.theta.gamma),
        ("V*_θ", mdp.optimal_value(case.theta)),
        ("pair whose first step is exchanged", (case.s, case.a)),
    ),
)


# (gap/σ)² and the divergence of two Gaussian distributions (erratum E23).
#
# The logarithm of the quotient of two Gaussian densities is a quadratic polynomial, so its mean is
# the average of its values at m ± σ: no integral is needed. With equal deviations everything is
# rational; otherwise there is one logarithm.


@stored
@dataclass(frozen=True)
class Gaussian:
    """A mean and a standard deviation."""

    mean: Fraction
    deviation: Fraction

    def exponent(self, x: Fraction) -> Fraction:
        """(x - m)²/(2σ²): minus the logarithm of the density, up to log(σ√(2π))."""
        return ((x - self.mean) / self.deviation) ** 2 / 2


def divergence(first: Gaussian, second: Gaussian) -> Fraction:
    """KL(first, second) - log(σ_2/σ_1): the mean of a quadratic polynomial under the first."""
    nodes = (first.mean - first.deviation, first.mean + first.deviation)
    return sum((second.exponent(x) - first.exponent(x) for x in nodes), Fraction(0)) / 2


def whole_divergence(first: Gaussian, second: Gaussian) -> Between:
    """KL(first, second)."""
    return log(second.deviation / first.deviation) + divergence(first, second)


def left_term(first: Gaussian, second: Gaussian) -> Fraction:
    """(gap/σ_θ)² of Definition 1 at Δ = 0; the deviation is that of the first model."""
    return ((first.mean - second.mean) / first.deviation) ** 2


def twice_evaluation(pair: tuple[Gaussian, Gaussian]) -> Evaluation:
    """With equal deviations (gap/σ)² = 2 KL."""
    first, second = pair
    return Evaluation(
        premises=(Statement("deviations", first.deviation, "=", second.deviation),),
        conclusion=Statement("(gap/σ)²", left_term(*pair), "=", 2 * divergence(*pair)),
    )


Pairs = tuple[tuple[Gaussian, Gaussian], ...]


def gaussians_instance(other_deviation: int = 2) -> Pairs:
    """Means 0 and 1; deviations 1 and 1 in one pair, 1 and the other one in the second."""
    zero, one = Fraction(0), Fraction(1)
    first = Gaussian(zero, one)
    return (first, Gaussian(one, one)), (first, Gaussian(one, Fraction(other_deviation)))


def gaussians_proportional_evaluation(pairs: Pairs) -> Evaluation:
    """One constant c with (gap/σ)² = c KL for both pairs: (gap/σ)² KL' = (gap'/σ')² KL."""
    smallest = min(distribution.deviation for pair in pairs for distribution in pair)
    gap = min(abs(first.mean - second.mean) for first, second in pairs)
    first, second = (_terms(pair) if smallest > 0 and gap > 0 else (0, 0) for pair in pairs)
    return Evaluation(
        premises=(
            Statement("smallest deviation", smallest, ">", 0),
            Statement("smallest gap", gap, ">", 0),
        ),
        conclusion=Statement(
            "(gap/σ)² of one pair times KL of the other, and the other way round",
            *compared(first[0] * second[1], "=", second[0] * first[1]),
        ),
    )


def _terms(pair: tuple[Gaussian, Gaussian]) -> tuple[Real, Real]:
    return left_term(*pair), whole_divergence(*pair)


def gaussians_numbers(pairs: Pairs) -> Numbers:
    """The distributions of each pair, and what the terms are."""
    rows = tuple(
        tuple((distribution.mean, distribution.deviation) for distribution in pair)
        for pair in pairs
    )
    return (
        ("means and standard deviations, pair by pair", rows),
        ("(gap/σ)² of each pair", tuple(left_term(*pair) for pair in pairs)),
        ("KL of each pair", tuple(shortened(whole_divergence(*pair)) for pair in pairs)),
    )


def _with_second(**changes: Fraction) -> Pairs:
    """The last distribution of the second pair, changed."""
    first, (left, right) = gaussians_instance()
    return first, (left, replace(right, **changes))


declare(
    check="text-kl-divergence.gaussian/unequal-variances",
    says="With deviations 1 and 2 the quotient is not the one of equal deviations",
    instance=gaussians_instance(),
    evaluate=gaussians_proportional_evaluation,
    numbers=gaussians_numbers,
    fix="the deviation 1 in all four distributions",
    fixed=gaussians_instance(1),
    broken={
        "smallest deviation": _with_second(deviation=Fraction(0)),
        "smallest gap": _with_second(mean=Fraction(0)),
    },
    repaired=lambda pairs: twice_evaluation(pairs[-1]),
    in_scope=gaussians_instance()[:1],
)


# The linear terms of Definition 1 are not minor (erratum E23).
#
# One state, three arms with deterministic rewards, γ = 0, exact models. The rival pays 0.01 less
# than the target at arm 0 and 0.9 more at arm 1. All deviations are 0, so without the linear terms
# both arms have infinite information: Theorem 1 would allow 0 queries, and line 18 would take arm
# 0.

DELTA, N_BUDGET = Fraction(1, 10), 100_000
SLOWER = 10
"""Nothing essential changes as long as the queries grow by no more than this factor."""
BOTH = (0, 1)


@dataclass(frozen=True)
class BudgetedArms:
    """Two models of one state, of which number 0 is the target; ε and the budget.

    `linear` keeps the linear terms in the bound.
    """

    models: tuple[ExactMDP, ...]
    epsilon: Fraction = Fraction(1, 5)
    n: int = N_BUDGET
    linear: bool = False

    @property
    def told(self) -> Algorithm1Inputs:
        """What PTUM is given."""
        return Algorithm1Inputs(self.epsilon, DELTA, self.n)


def linear_term_instance(slow_gap: Fraction = Fraction(1, 100)) -> BudgetedArms:
    """Target (0.5, 0.05, 0), rival (0.5 - gap, 0.95, 0)."""
    zero, half = Fraction(0), Fraction(1, 2)
    target = (half, Fraction(1, 20), zero)
    return BudgetedArms(
        deterministic_runs.arms(zero, target, (half - slow_gap, Fraction(19, 20), zero))
    )


def coins(*rows: tuple[int, ...]) -> BudgetedArms:
    """Coins in place of deterministic rewards; probabilities of reward 1 in hundredths."""
    means = [[Fraction(mean, 100) for mean in row] for row in rows]
    return BudgetedArms(tuple(bernoulli_arms(row, Fraction(0)) for row in means))


def left_information(arms: BudgetedArms) -> tuple[Fraction | None, ...]:
    """max over ordered pairs of (gap/σ̃^r_θ)² at each arm, Δ = 0; None where it is infinite."""
    return tuple(_left(arms, arm) for arm in range(arms.models[0].A))


def _left(arms: BudgetedArms, arm: int) -> Fraction | None:
    first, second = arms.models
    gap = abs(first.r[0][arm] - second.r[0][arm])
    square = min(theta.var[0][arm] for theta in arms.models)
    if gap == 0:
        return Fraction(0)
    return None if square == 0 else gap**2 / square


def without_linear(arms: BudgetedArms) -> int:
    """Line 18 by the left terms alone: the first arm of infinite information, or of the largest."""
    left = left_information(arms)
    if None in left:
        return left.index(None)
    return max(range(len(left)), key=lambda arm: left[arm] or Fraction(0))


def _premises(arms: BudgetedArms) -> tuple[Statement, ...]:
    """A run with random rewards is not made: it is not one run."""
    stops = deterministic_runs.stopping_models(arms.models, BOTH, arms.told)
    variance = max(max(theta.var[0]) for theta in arms.models)
    queries = deterministic_runs.run(arms.models, arms.told).queries if variance == 0 else 0
    return (
        Statement("largest variance of a reward", variance, "=", 0),
        Statement("policies that stop", len(stops), "=", 0),
        Statement("the run ends within its budget: queries", queries, "<", arms.n),
    )


def bound_evaluation(arms: BudgetedArms) -> Evaluation:
    """128 min{SA,|Θ|} L over the information without linear terms still bounds the queries."""
    premises = _premises(arms)
    L = deterministic_runs.log_term(1, arms.models[0].A, arms.n, 2, DELTA)
    information = max(deterministic_runs.index(arms.models, BOTH, Fraction(0)).values())
    infinite = not arms.linear and None in left_information(arms)
    bound: Real = Fraction(0) if infinite else FACTOR * 2 * L / information
    queries = int(premises[-1].left)
    return Evaluation(
        premises=premises,
        conclusion=Statement("queries against that bound", *compared(queries, "≤", bound)),
    )


def choice_evaluation(arms: BudgetedArms) -> Evaluation:
    """The arm that is chosen without linear terms drops the rival about as fast as the other."""
    _, with_linear = deterministic_runs.query(
        deterministic_runs.index(arms.models, BOTH, Fraction(0))
    )
    without = without_linear(arms)
    needed = [
        deterministic_runs.samples_to_drop(arms.models, 1, (0, arm), arms.told) or arms.n
        for arm in (with_linear, without)
    ]
    return Evaluation(
        premises=_premises(arms),
        conclusion=Statement(
            f"samples of arm {without} against {SLOWER} times those of arm {with_linear}",
            needed[1],
            "≤",
            SLOWER * needed[0],
        ),
    )


def decides_evaluation(arms: BudgetedArms, arm: int) -> Evaluation:
    """Repair: where a gap exceeds both variances, the information is the gap, not (gap/σ)²."""
    first, second = arms.models
    gap = abs(first.r[0][arm] - second.r[0][arm])
    variance = max(theta.var[0][arm] for theta in arms.models)
    return Evaluation(
        premises=(Statement(f"gap at arm {arm} against the variance", gap, ">", variance),),
        conclusion=Statement(
            "information against the linear term",
            deterministic_runs.index(arms.models, BOTH, Fraction(0))[0, arm],
            "=",
            gap,
        ),
    )


def linear_term_numbers(arms: BudgetedArms) -> Numbers:
    """Both models and what PTUM is given."""
    return (
        *tasks(zip(("the target", "the rival"), arms.models, strict=True)),
        ("γ", 0),
        ("ε", arms.epsilon),
        ("Δ", 0),
        ("δ", DELTA),
        ("budget n", arms.n),
    )


NOISY = coins((50, 40, 0), (40, 60, 0))
"""Gaps of 0.1 and 0.2, where left terms decide."""
QUIET = coins((50, 5, 0), (49, 95, 0))
"""Coins that rarely fail: variances of 0.0475 and below a gap of 0.9."""
DETERMINISTIC, STOPS = "largest variance of a reward", "policies that stop"
ENDS = "the run ends within its budget: queries"
LENIENT, SHORT = (
    replace(linear_term_instance(), epsilon=Fraction(1)),
    replace(linear_term_instance(), n=10),
)

declare(
    check="text-linear-term-minor.minor/bound",
    says="Deterministic rewards: without linear terms Theorem 1 allows no query, some are made",
    instance=linear_term_instance(),
    evaluate=bound_evaluation,
    numbers=linear_term_numbers,
    fix="the linear terms kept",
    fixed=replace(linear_term_instance(), linear=True),
    broken={DETERMINISTIC: NOISY, STOPS: LENIENT, ENDS: SHORT},
    repaired=partial(decides_evaluation, arm=1),
    in_scope=QUIET,
)
declare(
    check="text-linear-term-minor.minor/choice",
    says="Deterministic rewards: without linear terms the chosen arm needs 90 times as long",
    instance=linear_term_instance(),
    evaluate=choice_evaluation,
    numbers=linear_term_numbers,
    fix="a difference of 0.5 at arm 0 in place of 0.01",
    fixed=linear_term_instance(Fraction(1, 2)),
    broken={DETERMINISTIC: NOISY, STOPS: LENIENT, ENDS: SHORT},
    repaired=partial(decides_evaluation, arm=1),
    in_scope=QUIET,
)
