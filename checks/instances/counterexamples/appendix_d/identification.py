"""Against learning from data that do not tell the tasks apart (E26, E27, E34, E38)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import permutations

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import Between, compared, exceeds, largest, log, root
from ptum.checks.exact.mdp import ExactMDP, Table, Vector, inner
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.shared.triples import directions
from ptum.checks.instances.families import hmms
from ptum.checks.verdicts import formulas, witness
from ptum.checks.verdicts.outcome import Evaluation, Statement, Values
from ptum.reference.arrays import ROUNDING
from ptum.reference.sequential.analysis import spectral_bounds as printed
from ptum.reference.sequential.analysis.conditioning import PrintedConstants, printed_bounds
from ptum.reference.sequential.analysis.level import Level
from ptum.spec.vocabulary import Version

# Families of tasks that no data can tell apart (errata E26, E27, E34).
#
# An estimator sees observations only. If two families produce the same observations with the same
# probabilities, its estimates have one distribution, and two events that exclude each other cannot
# both have a probability of 1-δ' > 1/2 under that distribution. Nothing here depends on what the
# estimator does, nor on the constants of a bound that shrinks with the number of tasks.

HALF = Fraction(1, 2)
HORIZON = 3
"""Two hidden Markov models of two tasks each that agree on all sequences of 2 + 2 - 1 observations
agree on all longer ones (Carlyle and Paz)."""


@dataclass(frozen=True)
class TwoDistributions:
    """Two tasks, each with its distribution of what one observation shows, and their chain."""

    shows: Table
    T: Table
    initial: Vector


def stationary(shows: Table, stay: Fraction) -> TwoDistributions:
    """A symmetric chain, which starts in its stationary distribution."""
    return TwoDistributions(shows, hmms.sticky(stay), (HALF, HALF))


def coins(*ones: Fraction) -> Table:
    """Tasks that show 1 with the given probabilities, else 0."""
    return tuple((1 - p, p) for p in ones)


def distribution_of_data(family: TwoDistributions) -> dict[tuple[int, ...], Fraction]:
    """The probability of every sequence of so many observations that longer ones say no more."""
    return exact.sequence_distribution(family.shows, family.T, family.initial, HORIZON)


def difference_of_data(first: TwoDistributions, second: TwoDistributions) -> Fraction:
    """Σ over sequences of the difference of their probabilities."""
    return 2 * exact.total_variation(distribution_of_data(first), distribution_of_data(second))


def enough_tasks(rho_1: int, rho_2: int, dimension: int, delta: Fraction, gap: Fraction) -> int:
    """An h at which a bound ρ_2 √(log(x)/h) is below gap/4, and h > ρ_1 log(x), by log(x) < x."""
    x = 6 * dimension / delta
    return int(max(rho_1 * x, 16 * rho_2**2 * x / gap**2)) + 1


def radius_squared(rho_2: int, dimension: int, delta: Fraction, h: int) -> Fraction:
    """Above (ρ_2 √(log(6d/δ')/h))², by log(x) < x."""
    return rho_2**2 * (6 * dimension / delta) / h


@dataclass(frozen=True)
class TwoPoint:
    """Two families, and the least distance of what has to be estimated, in the norm of the claim.

    `sizes` are S, A and U; ρ_1 and ρ_2 are any constants that the claim may come with; `tasks` may
    ask for another number of tasks than enough; `bound` is the formula of the claim, σ̄ the
    floor of Lemma 14.
    """

    first: TwoDistributions
    second: TwoDistributions
    gap: Fraction
    sizes: tuple[int, int, int]
    bound: str
    rho_1: int = 1000
    rho_2: int = 1000
    delta: Fraction = Fraction(1, 10)
    tasks: int | None = None
    sigma_bar: Fraction = Fraction(1, 10)

    @property
    def dimension(self) -> int:
        """SA(S+U)."""
        S, A, U = self.sizes
        return S * A * (S + U)

    @property
    def h(self) -> int:
        """Tasks enough for the claim to exclude one of the families."""
        if self.tasks is not None:
            return self.tasks
        return enough_tasks(self.rho_1, self.rho_2, self.dimension, self.delta, self.gap)


def _confirm(case: TwoPoint) -> None:
    """The literal bound of the claim is below the rational one, and h above the literal threshold.

    ρ_2 takes the place of every constant of a bound, and ρ_1 that of every threshold.
    """
    (S, A, U), few, many = case.sizes, float(case.rho_1), float(case.rho_2)
    constants = PrintedConstants(few, many, few, many, few, many)
    level = Level(S=S, A=A, U=U, h=case.h, delta_prime=float(case.delta))
    found = printed_bounds(constants, level, gamma=0.5, sigma_bar=float(case.sigma_bar))
    of_claim = found.mu_3.bound if case.bound == "LEMMA_10" else found.r
    witness.same_truth(f"{case.bound} is within the radius", of_claim**2 < _radius(case), True)
    if case.h > case.rho_1 * 6 * case.dimension / case.delta:
        witness.same_truth("h is large enough for Lemma 10", found.mu_3.premises_met, True)


def indistinct(case: TwoPoint) -> tuple[Statement, ...]:
    """Same data, and balls around the two truths that do not meet."""
    _confirm(case)
    return (
        *assumption_2(case),
        Statement(
            "difference of the distributions of the data",
            difference_of_data(case.first, case.second),
            "=",
            0,
        ),
        Statement(
            "h against ρ_1 · 6d/δ'", case.h, ">", case.rho_1 * 6 * case.dimension / case.delta
        ),
        Statement(
            "(twice the bound)² against the square of the gap",
            4 * _radius(case),
            "<",
            case.gap**2,
            formulas.APPENDIX_D + case.bound,
            _values(case),
        ),
    )


def assumption_2(case: TwoPoint) -> tuple[Statement, ...]:
    """Both families have positive stationary weights, and O has rank 2 for two different tasks."""
    both = (case.first, case.second)
    return (
        Statement("least stationary weight", min(map(_stationary_weight, both)), ">", 0),
        Statement("least rank of O", min(len(set(family.shows)) for family in both), "=", 2),
    )


def _radius(case: TwoPoint) -> Fraction:
    return radius_squared(case.rho_2, case.dimension, case.delta, case.h)


def _values(case: TwoPoint) -> Values:
    S, A, U = case.sizes
    sizes = (("S", S), ("A", A), ("U", U), ("h", case.h), ("delta_prime", case.delta))
    return (*sizes, ("rho_2", case.rho_2), ("rho_4", case.rho_2))


def _stationary_weight(family: TwoDistributions) -> Fraction:
    """The least entry of the initial distribution, and 0 if the chain does not keep it."""
    moved = tuple(inner(row, family.initial) for row in family.T)
    return min(family.initial) if moved == family.initial else Fraction(0)


def both_cannot_hold(case: TwoPoint) -> Statement:
    """Two events without a common outcome, each claimed to have probability 1-δ'."""
    return Statement(
        "claimed probability of two events that exclude each other", 2 * (1 - case.delta), "≤", 1
    )


# Lemma 10


def independent_tasks(
    first: Fraction = Fraction(9, 10), second: Fraction = Fraction(7, 10), stay: Fraction = HALF
) -> TwoPoint:
    """{0.9, 0.1} and {0.7, 0.3}, redrawn every time: every observation is a fair coin.

    One state, one action, two rewards: a task is (p, 1-p; 1), and the columns of the two families
    differ by at least 0.2 in each of two entries, whatever their order.
    """
    return TwoPoint(
        stationary(coins(first, 1 - first), stay),
        stationary(coins(second, 1 - second), stay),
        gap=abs(first - second),
        sizes=(1, 1, 2),
        bound="LEMMA_10",
    )


def lemma_10_evaluation(case: TwoPoint) -> Evaluation:
    """Lemma 10 with the third views that the paper defines, μ_{3,j} = O e_j."""
    return Evaluation(indistinct(case), both_cannot_hold(case))


def identifiable(case: TwoPoint) -> Evaluation:
    """Repaired: where T is invertible, families that differ up to names differ in their data.

    The repaired lemma could not hold otherwise; its constants are imported.
    """
    ranks = [exact.rank(family.T) for family in (case.first, case.second)]
    return Evaluation(
        (
            *assumption_2(case),
            Statement("least rank of T", min(ranks), "=", 2),
            Statement("distance of the families up to names", up_to_names(case), ">", 0),
        ),
        Statement(
            "difference of the distributions of the data",
            difference_of_data(case.first, case.second),
            ">",
            0,
        ),
    )


def up_to_names(case: TwoPoint) -> Fraction:
    """The largest difference of what two matched tasks show, for the best matching."""
    return min(
        max(
            abs(x - y)
            for distribution, other in zip(case.first.shows, order, strict=True)
            for x, y in zip(distribution, other, strict=True)
        )
        for order in permutations(case.second.shows)
    )


# Lemma 14


def relabelled(stay: Fraction = Fraction(9, 10)) -> TwoPoint:
    """The same two tasks under exchanged names: r_θ differs by 0.8 for each name.

    Two states, one action, Bernoulli rewards; task x pays 0.9 in state 1 and 0.1 in state 2,
    task y the other way round. An observation shows both rewards, and next states, which are
    fair coins in either task and left out here.
    """
    high, low = Fraction(9, 10), Fraction(1, 10)
    x, y = both_rewards(high, low), both_rewards(low, high)
    return TwoPoint(
        stationary((x, y), stay),
        stationary((y, x), stay),
        gap=high - low,
        sizes=(2, 1, 2),
        bound="LEMMA_14_R",
    )


def both_rewards(first: Fraction, second: Fraction) -> Vector:
    """The distribution of two independent Bernoulli rewards."""
    one, other = coins(first, second)
    return tuple(p * q for p in one for q in other)


def task(high_first: bool) -> ExactMDP:
    """Task x or task y of `relabelled`, with γ = 1/2."""
    high, low = Fraction(9, 10), Fraction(1, 10)
    rewards = ((high,), (low,)) if high_first else ((low,), (high,))
    fair = ((HALF, HALF),)
    variance = ((high * low,), (low * high,))
    return ExactMDP(p=(fair, fair), r=rewards, var=variance, gamma=HALF)


def least_variances() -> tuple[Fraction, Fraction]:
    """Of rewards, and of V* of either task under the next state."""
    tasks = (task(True), task(False))
    values = [mdp.variance(t.p[0][0], mdp.optimal_value(other)) for t in tasks for other in tasks]
    return min(min(row) for t in tasks for row in t.var), min(values)


def lemma_14_evaluation(case: TwoPoint) -> Evaluation:
    """Lemma 14's first line at a large h, without the permutation of Lemma 10.

    Deviations of the truth are above 2σ̄, so those of any estimate within the bounds, which are
    below the smallest gap, stay above σ̄.
    """
    rewards, values = least_variances()
    floors = (
        Statement("least reward variance against (2σ̄)²", rewards, "≥", 4 * case.sigma_bar**2),
        Statement("least value variance against (2σ̄)²", values, "≥", 4 * case.sigma_bar**2),
    )
    return Evaluation((*floors, *indistinct(case)), both_cannot_hold(case))


def up_to_an_order(case: TwoPoint) -> Evaluation:
    """Repaired: bounds up to one permutation. Both families may then be near one estimate."""
    told = lemma_14_evaluation(case)
    return Evaluation(
        told.premises,
        Statement(
            "(distance of the families up to names)² against (twice the bound)²",
            up_to_names(case) ** 2,
            "≤",
            4 * _radius(case),
        ),
    )


# What the instances show


def _same_data_numbers(case: TwoPoint) -> Numbers:
    return (
        ("distributions of one observation in the tasks of the first family", case.first.shows),
        ("and of the second", case.second.shows),
        ("T of both", case.first.T),
        ("first distribution of both", case.first.initial),
        ("SA(S+U)", case.dimension),
        ("ρ_1, ρ_2, δ'", (case.rho_1, case.rho_2, case.delta)),
        ("h", case.h),
    )


def _broken(case: TwoPoint) -> dict[str, TwoPoint]:
    """Breaks of the premises that both lemmas have."""
    deterministic = (Fraction(1), Fraction(0))
    twice = replace(case.second, shows=(case.second.shows[0],) * 2)
    other = replace(case.second, T=((HALF, Fraction(1, 10)), (HALF, Fraction(9, 10))))
    far_more_than_log = case.rho_1 * 6 * case.dimension * 10
    return {
        "least stationary weight": replace(case, first=replace(case.first, initial=deterministic)),
        "least rank of O": replace(case, second=twice),
        "difference of the distributions of the data": replace(case, second=other),
        "h against ρ_1 · 6d/δ'": replace(case, tasks=10),
        "(twice the bound)² against the square of the gap": replace(
            case, tasks=far_more_than_log + 1
        ),
    }


declare(
    check="lemma-10.bound/independent-tasks",
    says="Two families of independent tasks whose data nobody can tell apart",
    instance=independent_tasks(),
    evaluate=lemma_10_evaluation,
    numbers=_same_data_numbers,
    fix="δ' = 1/2, so that both events fit into one distribution",
    fixed=replace(independent_tasks(), delta=HALF),
    broken=_broken(independent_tasks()),
    repaired=identifiable,
    in_scope=independent_tasks(stay=Fraction(9, 10)),
)
declare(
    check="lemma-14.probability/exchanged-names",
    says="The same data fit two families that differ in the names of the tasks",
    instance=relabelled(),
    evaluate=lemma_14_evaluation,
    numbers=lambda case: (*_same_data_numbers(case), ("γ, σ̄", (HALF, case.sigma_bar))),
    fix="δ' = 1/2, so that both events fit into one distribution",
    fixed=replace(relabelled(), delta=HALF),
    broken={
        **_broken(relabelled()),
        "least reward variance against (2σ̄)²": replace(relabelled(), sigma_bar=HALF),
        "least value variance against (2σ̄)²": replace(relabelled(), sigma_bar=HALF),
    },
    repaired=up_to_an_order,
    in_scope=relabelled(stay=Fraction(3, 4)),
)


# Lemma 14 without a condition on h (erratum E34): after two tasks there is nothing to bound.
#
# Two states, one action, Bernoulli rewards: 0.9 and 0.1 in the two states of one task, the other
# way round in the other; next states are fair coins. Tasks alternate, and their observations show
# the distributions themselves.

_HALVES = ("1/2",) * 4
SHOWN = exact.matrix(
    (("0.1", "0.9", "0.9", "0.1", *_HALVES), ("0.9", "0.1", "0.1", "0.9", *_HALVES))
)
"""What the two tasks show: rewards 0 and 1 in either state, next states from either state."""
DIMENSION, DELTA_PRIME = 8, Fraction(1, 10)
"""d = SA(S+U), and δ'."""


def two_tasks_seen_evaluation(h: int, version: Version = Version.PRINTED) -> Evaluation:
    """Of h tasks there is an estimate to speak of; repaired, where Lemma 11 speaks of h.

    Its premise is taken with ρ_3 = 1, which is less than it ever is.
    """
    least = largest(3, log(6 * DIMENSION / DELTA_PRIME))
    condition = Statement("h against max{3, ρ_3 log(6d/δ')} at ρ_3 = 1", *compared(h, "≥", least))
    return Evaluation(
        (
            Statement("number of tasks", h, "≥", 1),
            *((condition,) if version is Version.REPAIRED else ()),
        ),
        Statement(
            "rank of M̂_2, from which k = 2 tasks are learned",
            directions(SHOWN, [task % 2 for task in range(h)]),
            "=",
            2,
            formulas.APPENDIX_D + "LEMMA_14_R",
            (("S", 2), ("A", 1), ("U", 2), ("h", h), ("delta_prime", DELTA_PRIME)),  # for any ρ_4
        ),
    )


declare(
    check="lemma-14.probability/two-tasks-seen",
    says="After two tasks there is no estimate",
    instance=2,
    evaluate=two_tasks_seen_evaluation,
    fix="sixty tasks in place of two",
    fixed=60,
    broken={"number of tasks": 0},
    repaired=partial(two_tasks_seen_evaluation, version=Version.REPAIRED),
    in_scope=60,
    numbers=lambda h: (
        ("S, A, U, k", (2, 1, 2, 2)),
        ("d = SA(S+U)", DIMENSION),
        ("rewards", (0, 1)),
        ("observations of the two tasks", SHOWN),
        *(
            (f"r of the {name} task, rows s, columns a", ((column[1],), (column[3],)))
            for name, column in zip(("first", "second"), SHOWN, strict=True)
        ),
        ("p of both, [s] rows a, columns s'", ((SHOWN[0][4:6],), (SHOWN[0][6:],))),
        ("sequence", "first task, second task, and so on in turn"),
        ("h", h),
        ("δ'", DELTA_PRIME),
    ),
)


# Lemma 15 (erratum E38): the set that is said to contain the current task knows which one it is.
#
# Two tasks, each kept with probability 0.9, the first one uniform; Θ̄_h = {θ*_h}, so δ = 0; T̂ = T.
# Either task comes next with probability 1/2, but when θ*_h is the other one the right side of the
# lemma is little more than 0.1.

S = A = 1
U = 2


@dataclass(frozen=True)
class ChainAndSets:
    """The chain, the distribution of θ*_h, the sets Θ̄_h for each θ*_h, the task θ in question."""

    T: Table
    distribution: Vector
    sets: tuple[tuple[int, ...], ...]
    theta: int = 0
    rho_T: Fraction = Fraction(40)
    h: int = 10**8
    delta: Fraction = Fraction(0)
    delta_prime: Fraction = Fraction(1, 10)


def sticky(stay: Fraction = Fraction(9, 10), identified: bool = True) -> ChainAndSets:
    """Θ̄_h is {θ*_h}, or everything."""
    sets = ((0,), (1,)) if identified else ((0, 1), (0, 1))
    return ChainAndSets(hmms.sticky(stay), (HALF, HALF), sets)


def right_side(x: ChainAndSets, current: int) -> Between:
    """Σ_{θ'∈Θ̄_h} T̂(θ,θ') + δk + ρ_T k √(log(6SA(S+U)/δ')/h) when θ*_h is the given task."""
    predicted = sum((x.T[x.theta][other] for other in x.sets[current]), Fraction(0))
    k, log_term = len(x.T), log(6 * S * A * (S + U) / x.delta_prime)
    bound = x.rho_T * k * root(log_term / x.h) + predicted + x.delta * k
    level = Level(S=S, A=A, U=U, h=x.h, delta_prime=float(x.delta_prime))
    literal = printed.next_task_bound(
        exact.as_floats(x.T), x.sets[current], level, rho_T=float(x.rho_T), delta=float(x.delta)
    )
    off = 16 * ROUNDING * (1 + float(bound))  # a dozen operations
    witness.same_numbers("Lemma 15", float(literal[x.theta]), float(bound), off)
    return bound


def random_set_evaluation(x: ChainAndSets) -> Evaluation:
    """The inequality may fail with probability δ' at most."""
    next_is_theta = inner(x.T[x.theta], x.distribution)
    bounds = [right_side(x, task) for task in range(len(x.distribution))]
    failing = [exceeds(next_is_theta, bound) for bound in bounds]
    told = " or ".join(f"{float(b.low):.6g} (θ*_h = {j})" for j, b in enumerate(bounds))
    fails = sum((p for p, bad in zip(x.distribution, failing, strict=True) if bad), Fraction(0))
    return Evaluation(
        premises=(
            Statement("P(θ*_h ∈ Θ̄_h) against 1-δ", _contained(x), "≥", 1 - x.delta),
            _columns_are_distributions(x),
        ),
        conclusion=Statement(
            f"P(θ*_(h+1) = θ) is {next_is_theta}, the right side {told}; "
            "P(the right side is smaller) against δ'",
            fails,
            "≤",
            x.delta_prime,
            formulas.APPENDIX_D + "LEMMA_15",
            (
                *(("S", S), ("A", A), ("U", U), ("k", len(x.T)), ("h", x.h)),
                *(("delta", x.delta), ("delta_prime", x.delta_prime), ("rho_T", x.rho_T)),
            ),
        ),
    )


def given_the_history(x: ChainAndSets) -> Evaluation:
    """Repaired, with T̂ = T: P(θ*_(h+1) = θ | θ*_h) = T(θ,θ*_h) ≤ max over Θ̄_h of T̂(θ,·).

    The largest excess over all θ*_h must not be positive.
    """
    row = x.T[x.theta]
    excess = max(
        row[current] - max(row[other] for other in x.sets[current]) for current in range(len(x.T))
    )
    return Evaluation(
        premises=(Statement("P(θ*_h ∈ Θ̄_h)", _contained(x), "=", 1), _columns_are_distributions(x)),
        conclusion=Statement("largest excess over the right side, given θ*_h", excess, "≤", 0),
    )


def _contained(x: ChainAndSets) -> Fraction:
    return sum((p for task, p in enumerate(x.distribution) if task in x.sets[task]), Fraction(0))


def _columns_are_distributions(x: ChainAndSets) -> Statement:
    sums = (sum((row[j] for row in x.T), Fraction(0)) for j in range(len(x.T)))
    return Statement(
        "largest error of the sum of a column of T", max(abs(s - 1) for s in sums), "=", 0
    )


declare(
    check="lemma-15.bound/sticky-tasks",
    says="Two sticky tasks, the current one identified",
    instance=sticky(),
    evaluate=random_set_evaluation,
    fix="tasks are kept with probability 1/2, so that θ*_h says nothing about the next one",
    fixed=sticky(stay=HALF),
    broken={
        "P(θ*_h ∈ Θ̄_h) against 1-δ": replace(sticky(), sets=((1,), (0,))),
        "largest error of the sum of a column of T": replace(
            sticky(), T=((HALF, HALF), (HALF, 1 - HALF / 2))
        ),
    },
    repaired=given_the_history,
    in_scope=sticky(Fraction(3, 4), identified=False),
    numbers=lambda x: (
        ("T = T̂", x.T),
        ("distribution of θ*_h", x.distribution),
        ("Θ̄_h for either θ*_h", x.sets),
        ("θ", x.theta),
        ("S, A, U, h", (S, A, U, x.h)),
        ("ρ_T, δ, δ'", (x.rho_T, x.delta, x.delta_prime)),
    ),
)
