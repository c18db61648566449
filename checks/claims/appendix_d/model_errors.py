"""Lemma 14: from the columns of Ô to the four errors of the models, in rational arithmetic.

An estimate is the truth plus any rational error; e is the exact Euclidean size of that error over
the whole column, the least e that the lemma can be told. Repaired, every block is first projected
on its simplex, which is rational too.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks.claims.appendix_d.chains import columns
from ptum.checks.exact import mdp
from ptum.checks.exact.hidden_markov import (
    ExactHMM,
    difference,
    projected,
    rounded,
    squared_norm,
    transpose,
)
from ptum.checks.exact.mdp import ExactMDP, Vector, inner
from ptum.checks.exact.numbers import max_by, max_of
from ptum.checks.instances.families.hmms import block_sizes
from ptum.checks.verdicts import formulas, witness
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import CheckFunction, Context, check
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, Values, roots_of
from ptum.checks.verdicts.search import RootCase, search, search_roots
from ptum.reference.repaired.sequential.analysis import spectral_bounds as repaired
from ptum.reference.repaired.sequential.analysis.conditioning import (
    RepairedConstants,
    repaired_bounds,
)
from ptum.reference.sequential.analysis.conditioning import conditioning
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.spectral_bounds import rate
from ptum.spec.vocabulary import CheckKind

SIZES = ((1, 1, 2), (2, 1, 2), (1, 2, 3), (2, 1, 3), (2, 2, 2), (3, 1, 2))
DISCOUNTS = (Fraction(0), Fraction(1, 2), Fraction(9, 10))


@stored
@dataclass(frozen=True)
class Estimated:
    """Two tasks as columns, and the columns of Ô, which may hold any numbers."""

    S: int
    A: int
    u: Vector
    gamma: Fraction
    truth: tuple[Vector, ...]
    raw: tuple[Vector, ...]

    @property
    def U(self) -> int:
        """Number of reward values."""
        return len(self.u)

    @cached_property
    def squared_error(self) -> Fraction:
        """e²."""
        return max(
            squared_norm(difference(o, o_hat))
            for o, o_hat in zip(self.truth, self.raw, strict=True)
        )

    def blocks(self, column: Vector) -> list[Vector]:
        """SA reward distributions, then SA distributions of the next state."""
        sizes = block_sizes(self.S, self.A, self.U)
        starts = itertools.accumulate(sizes, initial=0)
        return [column[start : start + size] for start, size in zip(starts, sizes, strict=False)]

    def projected(self) -> tuple[Vector, ...]:
        """The columns of Ô as probabilities."""
        return tuple(
            tuple(x for block in self.blocks(column) for x in projected(block))
            for column in self.raw
        )


def model(case: Estimated, column: Vector) -> ExactMDP:
    """A column of probabilities as a task."""
    blocks = case.blocks(column)
    pairs = case.S * case.A
    rewards, successors = blocks[:pairs], blocks[pairs:]

    def by_state(entries: list[Fraction]) -> tuple[Vector, ...]:
        return tuple(tuple(entries[s * case.A + a] for a in range(case.A)) for s in range(case.S))

    return ExactMDP(
        p=tuple(tuple(successors[s * case.A + a] for a in range(case.A)) for s in range(case.S)),
        r=by_state([inner(distribution, case.u) for distribution in rewards]),
        var=by_state([mdp.variance(distribution, case.u) for distribution in rewards]),
        gamma=case.gamma,
    )


# Instances


@st.composite
def drawn_estimates(draw: DrawFn) -> Estimated:
    """Errors everywhere or in one block, from a hundredth to more than one."""
    S, A, U = draw(st.sampled_from(SIZES))
    values = draw(st.sets(st.integers(1, 99), min_size=U - 2, max_size=U - 2))
    u = tuple(Fraction(n, 100) for n in sorted({0, 100} | values))
    truth = (draw(columns(S, A, U)), draw(columns(S, A, U)))
    scale = draw(st.sampled_from((100, 1000, 10_000)))
    d = S * A * (S + U)
    kept = _kept(draw(st.integers(-1, 2 * S * A - 1)), S, A, U)
    errors = [draw(st.binary(min_size=d, max_size=d)) for _ in truth]
    raw = tuple(
        tuple(
            x + Fraction(byte - 128, scale) * (i in kept)
            for i, (x, byte) in enumerate(zip(task, error, strict=True))
        )
        for task, error in zip(truth, errors, strict=True)
    )
    return Estimated(S, A, u, draw(st.sampled_from(DISCOUNTS)), truth, raw)


def _kept(block: int, S: int, A: int, U: int) -> range:
    """The entries of one block, or of all for block -1."""
    sizes = block_sizes(S, A, U)
    if block < 0:
        return range(sum(sizes))
    start = sum(sizes[:block])
    return range(start, start + sizes[block])


@st.composite
def tight_rewards(draw: DrawFn) -> Estimated:
    """One pair that pays 1 with probability x, and is estimated to do so with another one."""
    x, y = draw(_chances())
    one = Fraction(1)
    return Estimated(
        S=1,
        A=1,
        u=(Fraction(0), one),
        gamma=draw(st.sampled_from(DISCOUNTS)),
        truth=((1 - x, x, one), (Fraction(0), one, one)),
        raw=((1 - y, y, one), (Fraction(0), one, one)),
    )


@st.composite
def tight_values(draw: DrawFn) -> Estimated:
    """State 1 pays 1 for ever, state 2 nothing; a second action of state 1 leads to either.

    Its probability to stay is x and is estimated differently; values have their full range.
    """
    x, y = draw(_chances())
    zero, one = Fraction(0), Fraction(1)
    rewards = (zero, one) + (one, zero) * 3

    def task(stay: Fraction) -> Vector:
        return (*rewards, one, zero, stay, 1 - stay, zero, one, zero, one)

    return Estimated(
        S=2,
        A=2,
        u=(zero, one),
        gamma=draw(st.sampled_from(DISCOUNTS)),
        truth=(task(x), task(one)),
        raw=(task(y), task(one)),
    )


@st.composite
def _chances(draw: DrawFn) -> tuple[Fraction, Fraction]:
    """A small or moderate probability, and an estimate of it: zero, close, or twice as much."""
    x = Fraction(1, draw(st.sampled_from((2, 3, 10, 100, 1000))))
    return x, x * draw(st.sampled_from((Fraction(0), Fraction(9, 10), Fraction(2))))


def estimates() -> SearchStrategy[Estimated]:
    """Drawn ones, and those on which the bounds are nearly attained."""
    return st.one_of(drawn_estimates(), tight_rewards(), tight_values())


# The four lines


@dataclass(frozen=True)
class EstimatedPair:
    """One state and action of a task and of its estimate, and the value function compared with."""

    p: Vector
    p_hat: Vector
    V: Vector
    r: Fraction
    r_hat: Fraction
    var: Fraction
    var_hat: Fraction


@lru_cache(maxsize=4)
def pairs(case: Estimated, estimated: tuple[Vector, ...]) -> tuple[EstimatedPair, ...]:
    """All s, a, θ, θ'; the four bounds ask for them one after the other."""
    return tuple(_pairs(case, estimated))


def _pairs(case: Estimated, estimated: tuple[Vector, ...]) -> Iterator[EstimatedPair]:
    true = [model(case, column) for column in case.truth]
    found = [model(case, column) for column in estimated]
    values = [mdp.optimal_value(task) for task in found]
    for (theta, hat), V in itertools.product(zip(true, found, strict=True), values):
        for s, a in itertools.product(range(case.S), range(case.A)):
            yield EstimatedPair(
                theta.p[s][a],
                hat.p[s][a],
                V,
                theta.r[s][a],
                hat.r[s][a],
                theta.var[s][a],
                hat.var[s][a],
            )


def raw_rewards_evaluation(case: Estimated, factor: Fraction = Fraction(1)) -> Evaluation:
    """|r - r̃| ≤ U e without projection, squared."""
    left = max(
        abs(inner(q, case.u) - inner(q_hat, case.u))
        for o, o_hat in zip(case.truth, case.raw, strict=True)
        for q, q_hat in itertools.islice(
            zip(case.blocks(o), case.blocks(o_hat), strict=True), case.S * case.A
        )
    )
    right = factor * case.U**2 * case.squared_error
    text = "(error of the mean reward)² against (U e)²"
    values = (("S", case.S), ("A", case.A), ("U", case.U))  # e is ρ_4 times the root
    return Evaluation(
        (),
        Statement(
            text,
            left**2,
            "≤",
            right,
            formulas.APPENDIX_D + "LEMMA_14_R",
            values,
            roots_of(left**2, right),
        ),
    )


def rewards_evaluation(case: Estimated, factor: Fraction = Fraction(1)) -> Evaluation:
    """|r - r̃| ≤ √U e/2 after projection, squared."""
    left = max(abs(pair.r - pair.r_hat) for pair in pairs(case, case.projected()))
    right = factor * case.U * case.squared_error / 4
    e_h = math.sqrt(case.squared_error)
    literal = repaired.reward_error_bound(U=case.U, e_h=e_h)
    witness.same_square("Lemma 14", literal, case.U * case.squared_error / 4)
    text = "(error of the mean reward)² against U e²/4"
    return Evaluation((), _squared(text, left**2, right, "LEMMA_14_R_REPAIRED", case))


def _squared(
    text: str, left: Fraction, right: Fraction, formula: str, case: Estimated
) -> Statement:
    """A repaired line of the lemma, both sides squared."""
    named = formulas.APPENDIX_D + formula
    return Statement(text, left, "≤", right, named, _values(case), roots_of(left, right))


def _values(case: Estimated) -> Values:
    """Symbols of the four lines but the floor."""
    error = math.sqrt(case.squared_error)
    return (("S", case.S), ("U", case.U), ("gamma", case.gamma), ("e_h", error))


def value_error(pair: EstimatedPair) -> Fraction:
    """|(p - p̃)ᵀ Ṽ*|."""
    return abs(inner(difference(pair.p, pair.p_hat), pair.V))


def values_evaluation(case: Estimated, factor: Fraction = Fraction(1)) -> Evaluation:
    """|(p - p̃)ᵀ Ṽ*_θ'| ≤ √S e/(2(1-γ)) after projection, squared."""
    left = max(map(value_error, pairs(case, case.projected())))
    right = factor * case.S * case.squared_error / (4 * (1 - case.gamma) ** 2)
    e_h, gamma = math.sqrt(case.squared_error), float(case.gamma)
    literal = repaired.value_error_bound(S=case.S, gamma=gamma, e_h=e_h)
    witness.same_square("Lemma 14", literal, right / factor)
    text = "(error of the expected value)² against S e²/(4(1-γ)²)"
    return Evaluation((), _squared(text, left**2, right, "LEMMA_14_P_REPAIRED", case))


def reward_std_cases(case: Estimated, estimated: tuple[Vector, ...]) -> Iterator[RootCase]:
    """|σ^r - σ̃^r| ≤ √U e/(2σ̄) where σ̄ = σ^r > 0, the largest floor there is."""
    for pair in pairs(case, estimated):
        if pair.var > 0:
            allowed = case.U * case.squared_error / (4 * pair.var)
            sigma_bar, e_h = math.sqrt(pair.var), math.sqrt(case.squared_error)
            literal = repaired.reward_std_error_bound(U=case.U, sigma_bar=sigma_bar, e_h=e_h)
            witness.same_square("Lemma 14", literal, allowed)
            yield RootCase(
                "deviations of the reward",
                (),
                pair.var,
                pair.var_hat,
                allowed,
                formulas.APPENDIX_D + "LEMMA_14_SIGMA_R_REPAIRED",
                (*_values(case), ("sigma_bar", math.sqrt(pair.var))),
            )


def value_std_cases(case: Estimated, estimated: tuple[Vector, ...]) -> Iterator[RootCase]:
    """|Std_p[Ṽ*] - Std_p̃[Ṽ*]| ≤ √S e/(2σ̄(1-γ)²) where σ̄ = Std_p[Ṽ*] > 0."""
    for pair in pairs(case, estimated):
        floor = mdp.variance(pair.p, pair.V)
        if floor > 0:
            allowed = case.S * case.squared_error / (4 * floor * (1 - case.gamma) ** 4)
            found = mdp.variance(pair.p_hat, pair.V)
            witness.same_square("Lemma 14", _literal_value_std(case, math.sqrt(floor)), allowed)
            yield RootCase(
                "deviations of the value",
                (),
                floor,
                found,
                allowed,
                formulas.APPENDIX_D + "LEMMA_14_SIGMA_P_REPAIRED",
                (*_values(case), ("sigma_bar", math.sqrt(floor))),
            )


def _literal_value_std(case: Estimated, sigma_bar: float) -> float:
    gamma, e_h = float(case.gamma), math.sqrt(case.squared_error)
    bound = repaired.value_std_error_bound(
        S=case.S, U=case.U, gamma=gamma, sigma_bar=sigma_bar, e_h=e_h
    )
    return bound.bound


Cases = Callable[[Estimated, tuple[Vector, ...]], Iterator[RootCase]]


def worst_case(case: Estimated, cases: Cases, factor: Fraction = Fraction(1)) -> RootCase:
    """The pair nearest to a violation; none with a floor means that the premise is not met."""
    found = list(cases(case, case.projected()))
    if not found:
        none = Statement("pairs with a positive deviation", 0, ">", 0)
        return RootCase("deviations", (none,), Fraction(0), Fraction(0), Fraction(0))
    worst = max_by(found, lambda one: max_of(one.ratio(), default=0.0))
    return replace(worst, z=factor * worst.z)


def judged_by(evaluation: Callable[[Estimated], Evaluation]) -> CheckFunction:
    """Search for estimates on which a squared bound fails."""

    def run(context: Context) -> Outcome:
        return search(context, estimates(), evaluation, (40, 400, 20_000))

    return run


def judged_by_roots(cases: Cases, factor: Fraction = Fraction(1)) -> CheckFunction:
    """Search for estimates on which a bound on deviations fails."""

    def run(context: Context) -> Outcome:
        return search_roots(
            context, estimates(), lambda case: worst_case(case, cases, factor), (40, 400, 20_000)
        )

    return run


# All lines together, up to an order of the tasks


def all_hold(case: Estimated, estimated: tuple[Vector, ...]) -> bool:
    """Whether the four repaired bounds are true of these labels."""
    e, S, U, gamma = case.squared_error, case.S, case.U, case.gamma
    for pair in pairs(case, estimated):
        if (pair.r - pair.r_hat) ** 2 > U * e / 4:
            return False
        if value_error(pair) ** 2 > S * e / (4 * (1 - gamma) ** 2):
            return False
    roots = (*reward_std_cases(case, estimated), *value_std_cases(case, estimated))
    return all(one.evaluation().conclusion.holds for one in roots)


def _confirm_together(case: Estimated) -> None:
    """All literal bounds at once, with a ρ_4 that makes e of the rate at some h."""
    level = Level(S=case.S, A=case.A, U=case.U, h=100, delta_prime=0.1)
    e_h = math.sqrt(case.squared_error)
    half = Fraction(1, 2)
    either = ExactHMM(transpose(case.truth), ((half, half), (half, half)), (half, half))
    tasks = conditioning(rounded(either), [0.5, 0.5])
    rho_4 = e_h / rate(level)
    constants = RepairedConstants(1.0, 1.0, 1.0, rho_3=1.0, rho_4=rho_4, rho_5=1.0, rho_6=1.0)
    found = repaired_bounds(constants, tasks, level, gamma=float(case.gamma), sigma_bar=None)
    witness.same_square("Lemma 14", found.errors.r, case.U * case.squared_error / 4)
    in_values = case.S * case.squared_error / (4 * (1 - case.gamma) ** 2)
    witness.same_square("Lemma 14", found.errors.p, in_values)
    witness.same_square("without a floor", found.errors.sigma_r**2, case.U * case.squared_error / 4)


def any_order_evaluation(case: Estimated, orders: int = 2) -> Evaluation:
    """Ô comes with exchanged labels; one order satisfies all four lines.

    `orders` = 1 forgets to look for it.
    """
    if case.squared_error:
        _confirm_together(case)
    exchanged = case.projected()[::-1]
    tried = list(itertools.permutations(exchanged))[:orders]
    fitting = sum(all_hold(case, estimated) for estimated in tried)
    text = "orders of the tasks that satisfy all bounds"
    line_1 = formulas.APPENDIX_D + "LEMMA_14_R_REPAIRED"
    return Evaluation((), Statement(text, fitting, "≥", 1, line_1, _values(case)))


@check("lemma-14.probability/up-to-an-order", CheckKind.EXACT)
def any_order(context: Context, orders: int = 2) -> Outcome:
    """If the columns of Ô are within e in some order, that order satisfies all four bounds."""
    return search(
        context, estimates(), lambda case: any_order_evaluation(case, orders), (25, 150, 10_000)
    )


# Estimates that are not projected


@stored
@dataclass(frozen=True)
class SignedLaw:
    """A reward distribution, an estimate that need not be one, and a floor s of both deviations."""

    q: Vector
    q_hat: Vector
    u: Vector
    s: Fraction


MOST = Fraction(1, 8)
"""Of ‖q - q̃‖₁: with t for it, 1 + 3t + t² ≤ √2 is all that the proof needs."""


@st.composite
def signed_distributions(draw: DrawFn) -> SignedLaw:
    """Errors of any sign, small ones and the largest; the floor is as high as it can be."""
    U = draw(st.integers(2, 4))
    weights = draw(st.lists(st.integers(1, 9), min_size=U, max_size=U))
    q = tuple(Fraction(w, sum(weights)) for w in weights)
    inner_values = draw(st.sets(st.integers(1, 9), min_size=U - 2, max_size=U - 2))
    u = tuple(Fraction(n, 10) for n in sorted({0, 10} | inner_values))
    steps = draw(st.lists(st.integers(-5, 5), min_size=U, max_size=U).filter(any))
    size = MOST * draw(st.sampled_from((Fraction(1), Fraction(1, 2), Fraction(1, 100))))
    unit = size / sum(map(abs, steps))
    q_hat = tuple(x + unit * step for x, step in zip(q, steps, strict=True))
    least = min(mdp.variance(q, u), mdp.variance(q_hat, u))
    return SignedLaw(q, q_hat, u, Fraction(math.isqrt(max(0, int(least * 10**8))), 10**4))


def small_reward_std_case(distribution: SignedLaw) -> RootCase:
    """|σ^r - σ̃^r| ≤ (1/(2σ̄) + 1) U e for ‖q - q̃‖₁ ≤ 1/8, q̃ of any signs and any mass.

    With Δ = q̃ - q, m = ΣΔ and ρ = ΣΔu: σ̃² - σ² = ΣΔ(u - r)² - ρ² + 2ρrm + ρ²m, which is at most
    t(1 + 3t + t²) for t = ‖Δ‖₁, and |σ - σ̃| ≤ |σ² - σ̃²|/(2σ̄). As 1 + 3t + t² ≤ √2 ≤ √U for
    t ≤ 1/8 and t ≤ √U e, that is at most U e/(2σ̄).
    """
    error = difference(distribution.q, distribution.q_hat)
    squared, U = squared_norm(error), len(distribution.u)
    floor = 1 / (2 * distribution.s) if distribution.s > 0 else Fraction(0)
    return RootCase(
        "deviations of the reward",
        (
            Statement("σ̄", distribution.s, ">", 0),
            Statement("‖q - q̃‖₁", sum(map(abs, error), Fraction(0)), "≤", MOST),
        ),
        mdp.variance(distribution.q, distribution.u),
        max(Fraction(0), mdp.variance(distribution.q_hat, distribution.u)),
        ((floor + 1) * U) ** 2 * squared,
        formulas.APPENDIX_D + "LEMMA_14_SIGMA_R",
        (("S", 1), ("A", 1), ("U", U), ("sigma_bar", distribution.s)),
    )


@check("lemma-14.reward-std/small-error", CheckKind.EXACT)
def small_reward_std(context: Context, factor: Fraction = Fraction(1)) -> Outcome:
    """Signed reward distributions within 1/8 of the truth.

    Drawn distributions; another factor than 1 is for tests.
    """

    def case(distribution: SignedLaw) -> RootCase:
        found = small_reward_std_case(distribution)
        return replace(found, z=factor * found.z)

    return search_roots(context, signed_distributions(), case, (60, 600, 20_000))


check(
    "lemma-14.rewards/raw-estimates",
    CheckKind.EXACT,
    "U e for estimates that need not be probabilities",
)(judged_by(raw_rewards_evaluation))
check("lemma-14.rewards/projected", CheckKind.EXACT, "√U e/2 after projection")(
    judged_by(rewards_evaluation)
)
check("lemma-14.values/projected", CheckKind.EXACT, "√S e/(2(1-γ)) after projection")(
    judged_by(values_evaluation)
)
check(
    "lemma-14.reward-std/projected",
    CheckKind.EXACT,
    "√U e/(2σ̄) after projection, with a floor under the true deviation",
)(judged_by_roots(reward_std_cases))
check(
    "lemma-14.value-std/projected",
    CheckKind.EXACT,
    "√S e/(2σ̄(1-γ)²) after projection, with a floor under the true distribution",
)(judged_by_roots(value_std_cases))
