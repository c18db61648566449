"""Equation 8 without scale and mixing (erratum E30): two tasks that differ in every entry.

Three states, two actions: task 1 always pays the first reward and leads to the first state, task 2
the second ones. Tasks are kept with probability 3/5, and 600 of them are seen, with one sample per
pair. The columns of O are orthogonal and of squared length 2SA, so the error of Σ̂_21 is 2SA times
that of the 2×2 table of frequencies of (θ_1, θ_2) over the triples.

Along (1,-1)/√2 that table is off by the share of kept tasks minus 3/5, and kept or not is a toss of
its own in every triple: a binomial distribution, which bounds the probability of a large error from
below. From above it is bounded by the mean square (Chebyshev). A check counts trials besides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from ptum.checks.exact import hidden_markov as exact
from ptum.checks.exact.hidden_markov import Matrix
from ptum.checks.exact.intervals import (
    Between,
    compared,
    enclosed,
    exceeds,
    log,
    root,
    shortened,
)
from ptum.checks.exact.mass import binomial_probability
from ptum.checks.exact.mdp import inner
from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Evaluation, Formed, Statement, not_met
from ptum.spec.vocabulary import Version

DELTA_PRIME = Fraction(1, 10)
ONE, ZERO = Fraction(1), Fraction(0)


@dataclass(frozen=True)
class TwoTasks:
    """Sizes, the probability of keeping the task, and how many tasks are seen; two rewards.

    With one reward or one next state only the tasks agree there; `factor` multiplies the bound.
    """

    S: int = 3
    A: int = 2
    stay: Fraction = Fraction(3, 5)
    h: int = 600
    rewards: int = 2
    states: int = 2
    factor: int = 1

    @property
    def O(self) -> Matrix:  # noqa: E743 - the paper's letter
        """Rewards and next states of every pair, one column per task."""
        paid, reached = _deterministic(2, self.rewards), _deterministic(self.S, self.states)
        return (*paid * (self.S * self.A), *reached * (self.S * self.A))

    @property
    def T(self) -> Matrix:
        """Each task is kept, or becomes the other."""
        return ((self.stay, 1 - self.stay), (1 - self.stay, self.stay))

    @property
    def triples(self) -> int:
        """m = ⌊h/3⌋."""
        return self.h // 3

    @property
    def forgetting(self) -> Fraction:
        """λ = 2·stay - 1, with which two copies of the chain approach each other: κ(Tⁿ) = λⁿ."""
        return 2 * self.stay - 1


def _deterministic(size: int, different: int) -> Matrix:
    """Laws on so many outcomes: task j is deterministic of outcome j, or of the first one."""
    outcome = [min(task, different - 1) for task in range(2)]
    return tuple(tuple(ONE if i == sure else ZERO for sure in outcome) for i in range(size))


# The two bounds


def printed_bound(x: TwoTasks) -> Between:
    """√(log(1/δ')/h)."""
    return root(log(1 / DELTA_PRIME) / x.h)


def repaired_bound(x: TwoTasks) -> Between:
    """(2SA/√m)(√(1+4g) + (1+g)√log(1/δ')), g = Σ κ(T^{3s-2}) = λ/(1-λ³)."""
    g = mixing(x)
    return (
        2 * x.S * x.A / root(x.triples) * (root(1 + 4 * g) + (1 + g) * root(log(1 / DELTA_PRIME)))
    )


def mixing(x: TwoTasks) -> Fraction:
    """g."""
    return x.forgetting / (1 - x.forgetting**3)


# Bounds on the probability


def at_least(x: TwoTasks, bound: Between) -> Fraction:
    """P(2SA |share of kept tasks - stay| > bound): the spectral norm is no smaller."""
    m, p = x.triples, x.stay
    return binomial_probability(
        m, p, lambda kept: exceeds(2 * x.S * x.A * abs(Fraction(kept, m) - p), bound)
    )


def at_most(x: TwoTasks, bound: Between) -> Between:
    """E‖Σ̂_21 - Σ_21‖_F²/bound², at most 1; the spectral norm is no larger than Frobenius'.

    The frequencies of the four pairs have variances p(1-p)/m, p being stay/2 or (1-stay)/2, and
    triples at lag s add λ^{3s}/m² to the mean square, in all at most λ³/(1-λ³)/m.
    """
    pairs = 1 - (x.stay**2 + (1 - x.stay) ** 2) / 2
    cube = x.forgetting**3
    mean_square = (2 * x.S * x.A) ** 2 * (pairs + cube / (1 - cube)) / x.triples
    return enclosed(mean_square) / (bound * bound)


def probability(x: TwoTasks, bound: Between) -> Between:
    """Between both, for a chain that forgets its start."""
    return Between(at_least(x, bound), min(at_most(x, bound).high, ONE))


# The claim


def premises(x: TwoTasks) -> tuple[Statement, ...]:
    """Assumption 2, also as repaired; and what makes the distribution a binomial one."""
    first, second = exact.transpose(x.O)
    omega = exact.stationary(x.T)
    weight = min(omega) if omega is not None else Fraction(-1)
    return (
        Statement("rank O", exact.rank(x.O), "=", 2),
        Statement("rank T", exact.rank(x.T), "=", 2),
        Statement("least stationary weight", weight, ">", 0),
        Statement("inner product of the two columns of O", inner(first, second), "=", 0),
    )


def evaluation(x: TwoTasks, version: Version = Version.PRINTED) -> Evaluation:
    """P(‖Σ̂_21 - Σ_21‖ > bound) ≤ δ'; `x.factor` multiplies the bound."""
    factor = x.factor
    stated, before = premises(x), "" if factor == 1 else f"{factor} times "
    if not all(premise.holds for premise in stated):
        return not_met(stated)
    bound = (printed_bound if version is Version.PRINTED else repaired_bound)(x) * factor
    found = probability(x, bound)
    which = "at least" if found.low > DELTA_PRIME else "at most"
    return Evaluation(
        stated,
        Statement(
            f"P(the error of Σ̂_21 exceeds {before}the bound, {float(bound):.4g}), {which}",
            *compared(found, "≤", DELTA_PRIME),
            *_formula(x, version),
        ),
    )


def _formula(x: TwoTasks, version: Version) -> Formed:
    if version is Version.PRINTED:
        return formulas.APPENDIX_D + "EQUATION_8", (("h", x.h), ("delta_prime", DELTA_PRIME))
    sizes = (("S", x.S), ("A", x.A), ("n_triples", x.triples))
    values = (*sizes, ("g_mix", mixing(x)), ("delta_prime", DELTA_PRIME))
    return formulas.APPENDIX_D + "EQUATION_8_REPAIRED", values


def numbers(x: TwoTasks) -> Numbers:
    """Tasks, chain and bounds."""
    return (
        ("S, A, U", (x.S, x.A, 2)),
        ("O, one column per task", x.O),
        ("T, column θ' to row θ", x.T),
        ("law of the first task", (Fraction(1, 2), Fraction(1, 2))),
        ("h, and triples m", (x.h, x.triples)),
        ("δ'", DELTA_PRIME),
        ("2SA, the squared length of a column", 2 * x.S * x.A),
        ("bound as printed", shortened(printed_bound(x))),
        ("bound as repaired", shortened(repaired_bound(x))),
    )


DETERMINISTIC = TwoTasks()
SLOWER = TwoTasks(S=2, A=1, stay=Fraction(9, 10), h=300)

declare(
    Counterexample(
        part_of=("equation-8.bound/two-tasks",),
        instance=DETERMINISTIC,
        evaluate=evaluation,
        numbers=numbers,
        fix="the bound times 40, more than the size 2SA = 12 of an observation and √3",
        fixed=replace(DETERMINISTIC, factor=40),
        broken={
            "rank O": replace(DETERMINISTIC, rewards=1, states=1),
            "rank T": replace(DETERMINISTIC, stay=Fraction(1, 2)),
            "least stationary weight": replace(DETERMINISTIC, stay=ONE),
            "inner product of the two columns of O": replace(DETERMINISTIC, states=1),
        },
        repaired=partial(evaluation, version=Version.REPAIRED),
        in_scope=SLOWER,
    )
)
