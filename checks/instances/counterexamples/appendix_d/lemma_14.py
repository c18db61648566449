"""Against Lemma 14: estimates and deviations that it does not provide for (E33, E42, E47)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import compared, root, written
from ptum.checks.exact.mdp import ExactMDP, Vector, inner
from ptum.checks.exact.numbers import min_of
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.instances.counterexamples.shared.shown import cells, exact_task
from ptum.checks.verdicts import formulas, proof_bounds, witness
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.outcome import Evaluation, Statement, Values, roots_of
from ptum.checks.verdicts.search import RootCase
from ptum.reference.arrays import Floats
from ptum.reference.experiments.grid import Grid
from ptum.reference.experiments.objectworld import FIGURE_2, TaskList, random_items
from ptum.reference.sequential.analysis import spectral_bounds as printed
from ptum.reference.sequential.analysis.level import Level

# Lemma 14 for estimates that are no probabilities (errata E33, E42).
#
# Two states, one action, γ = 0.9; in either state both next states have probability 1/2; rewards
# are 1 with probability 0.9 and 0.1, else 0. All deviations of the truth are at least 0.3.
#
# `stretched`: every transition probability is estimated as 0.555. The estimated values are near
# 500 although 10 is the largest value there is.
#
# `swollen`: both probabilities of the reward in state 1 are estimated as t. The "variance"
# Σ q̃(u)(u - r̃)² grows like t³, the claimed bound like t.

GAMMA = Fraction(9, 10)
S = 2
U = 2
HALF = Fraction(1, 2)
REWARDS = (Fraction(0), Fraction(1))
DISTRIBUTIONS = ((Fraction(1, 10), Fraction(9, 10)), (Fraction(9, 10), Fraction(1, 10)))
"""q(0), q(1) in the two states."""


@dataclass(frozen=True)
class RawTables:
    """Tables q̃ and p̃ of one task, each with one row per state; any numbers."""

    q: tuple[Vector, ...]
    p: tuple[Vector, ...]
    sigma_bar: Fraction = Fraction(3, 10)


def truth() -> ExactMDP:
    """The task."""
    fair = ((HALF, HALF),)
    var = tuple((mdp.variance(distribution, REWARDS),) for distribution in DISTRIBUTIONS)
    r = tuple((inner(distribution, REWARDS),) for distribution in DISTRIBUTIONS)
    return ExactMDP(p=(fair, fair), r=r, var=var, gamma=GAMMA)


def stretched(x: Fraction = Fraction(555, 1000)) -> RawTables:
    """p̃ = x everywhere."""
    return RawTables(DISTRIBUTIONS, ((x, x), (x, x)))


def swollen(t: Fraction = Fraction(40)) -> RawTables:
    """q̃ = (t, t) in state 1."""
    return RawTables(((t, t), DISTRIBUTIONS[1]), ((HALF, HALF), (HALF, HALF)))


def squared_error(estimate: RawTables) -> Fraction:
    """e², the squared distance of the column from that of the truth."""
    pairs = [
        *zip(estimate.q, DISTRIBUTIONS, strict=True),
        *((row, (HALF, HALF)) for row in estimate.p),
    ]
    return sum(
        (
            (x - y) ** 2
            for row, distribution in pairs
            for x, y in zip(row, distribution, strict=True)
        ),
        Fraction(0),
    )


def value(estimate: RawTables) -> Vector:
    """Ṽ = r̃ + γ p̃ Ṽ; there is one action, so this is Ṽ*."""
    (a, b), (c, d) = estimate.p
    r = tuple(inner(distribution, REWARDS) for distribution in estimate.q)
    determinant = (1 - GAMMA * a) * (1 - GAMMA * d) - GAMMA**2 * b * c
    return (
        ((1 - GAMMA * d) * r[0] + GAMMA * b * r[1]) / determinant,
        (GAMMA * c * r[0] + (1 - GAMMA * a) * r[1]) / determinant,
    )


def floors(estimate: RawTables) -> tuple[Statement, ...]:
    """Assumption 5: true and estimated deviations, squared, against σ̄², and γp̃ contracts."""
    task, V, c = truth(), value(estimate), estimate.sigma_bar**2
    V_star = mdp.optimal_value(task)
    rewards = [
        mdp.variance(distribution, REWARDS) for distribution in (*DISTRIBUTIONS, *estimate.q)
    ]
    values = [mdp.variance((HALF, HALF), V_star), *(mdp.variance(p, V) for p in estimate.p)]
    mass = max(sum(map(abs, row), Fraction(0)) for row in estimate.p)
    return (
        Statement("σ̄", estimate.sigma_bar, ">", 0),
        Statement("least reward variance against σ̄²", min(rewards), "≥", c),
        Statement("least value variance against σ̄²", min(values), "≥", c),
        Statement("γ times the largest mass of p̃", GAMMA * mass, "<", 1),
    )


LEVEL = Level(S=S, A=1, U=U, h=100, delta_prime=0.1)
"""Any: the printed bounds are ρ_4 times a rate, of which only the product e matters."""


def _rho_4(estimate: RawTables) -> float:
    """The constant with which the printed bounds have e = ρ_4 times the rate."""
    return math.sqrt(squared_error(estimate)) / printed.rate(LEVEL)


def values_evaluation(estimate: RawTables) -> Evaluation:
    """|(p - p̃)ᵀṼ*| ≤ S e/(1-γ), squared."""
    allowed = S**2 * squared_error(estimate) / (1 - GAMMA) ** 2
    if allowed > 0:
        found = printed.value_error_bound(LEVEL, rho_4=_rho_4(estimate), gamma=float(GAMMA))
        witness.same_square("Lemma 14", found, allowed)
    left = _squared_difference(estimate)
    return Evaluation(
        floors(estimate),
        Statement(
            "(difference of expected values)² against (S e/(1-γ))²",
            left,
            "≤",
            allowed,
            formulas.APPENDIX_D + "LEMMA_14_P",
            _values(estimate),
            measured=roots_of(left, allowed),
        ),
    )


def value_std_evaluation(estimate: RawTables) -> Evaluation:
    """|Std_p[Ṽ*] - Std_p̃[Ṽ*]| ≤ (1/(2σ̄(1-γ)) + 1) S e/(1-γ)."""
    factor = _over_floor(estimate, 1 - GAMMA) + 1
    allowed = (factor * S / (1 - GAMMA)) ** 2 * squared_error(estimate)
    if estimate.sigma_bar > 0 and allowed > 0:
        numbers = {"gamma": float(GAMMA), "sigma_bar": float(estimate.sigma_bar)}
        found = printed.value_std_error_bound(LEVEL, rho_4=_rho_4(estimate), **numbers)
        witness.same_square("Lemma 14", found, allowed)
    return _value_std(estimate, floors(estimate), allowed, "LEMMA_14_SIGMA_P")


def reward_std_evaluation(estimate: RawTables) -> Evaluation:
    """|σ^r - σ̃^r| ≤ (1/(2σ̄) + 1) U e in state 1."""
    factor = _over_floor(estimate, Fraction(1)) + 1
    allowed = (factor * U) ** 2 * squared_error(estimate)
    if estimate.sigma_bar > 0 and allowed > 0:
        floor = float(estimate.sigma_bar)
        found = printed.reward_std_error_bound(LEVEL, rho_4=_rho_4(estimate), sigma_bar=floor)
        witness.same_square("Lemma 14", found, allowed)
    return _reward_std(estimate, floors(estimate), allowed, "LEMMA_14_SIGMA_R")


# Repaired: estimates that have been projected on the simplex


def values_of_distributions(estimate: RawTables) -> Evaluation:
    """|(p - p̃)ᵀṼ*| ≤ √S e/(2(1-γ)), squared, for probabilities."""
    allowed = S * squared_error(estimate) / (2 * (1 - GAMMA)) ** 2
    left = _squared_difference(estimate)
    return Evaluation(
        (_are_distributions(estimate),),
        Statement(
            "(difference of expected values)² against (√S e/(2(1-γ)))²",
            left,
            "≤",
            allowed,
            formulas.APPENDIX_D + "LEMMA_14_P_REPAIRED",
            _values(estimate),
            measured=roots_of(left, allowed),
        ),
    )


def value_std_of_distributions(estimate: RawTables) -> Evaluation:
    """|Std_p[Ṽ*] - Std_p̃[Ṽ*]| ≤ √S e/(2σ̄(1-γ)²), with a floor under Std_p[Ṽ*] only."""
    floor = Statement(
        "variance of Ṽ* under p against σ̄²",
        mdp.variance((HALF, HALF), value(estimate)),
        "≥",
        estimate.sigma_bar**2,
    )
    allowed = _over_floor(estimate, (1 - GAMMA) ** 2) ** 2 * S * squared_error(estimate)
    premises = (_are_distributions(estimate), floor)
    return _value_std(estimate, premises, allowed, "LEMMA_14_SIGMA_P_REPAIRED")


def reward_std_of_distributions(estimate: RawTables) -> Evaluation:
    """|σ^r - σ̃^r| ≤ √U e/(2σ̄), with a floor under σ^r only."""
    floor = Statement(
        "reward variance of the task against σ̄²",
        mdp.variance(DISTRIBUTIONS[0], REWARDS),
        "≥",
        estimate.sigma_bar**2,
    )
    allowed = _over_floor(estimate, Fraction(1)) ** 2 * U * squared_error(estimate)
    premises = (_are_distributions(estimate), floor)
    return _reward_std(estimate, premises, allowed, "LEMMA_14_SIGMA_R_REPAIRED")


def _are_distributions(estimate: RawTables) -> Statement:
    wrong = sum(sum(row) != 1 or min(row) < 0 for row in (*estimate.q, *estimate.p))
    return Statement("rows of q̃ and p̃ that are no probability vectors", wrong, "=", 0)


def _over_floor(estimate: RawTables, unit: Fraction) -> Fraction:
    """1/(2σ̄ unit); without a floor nothing is claimed, so any number will do."""
    return 1 / (2 * estimate.sigma_bar * unit) if estimate.sigma_bar > 0 else Fraction(0)


def _squared_difference(estimate: RawTables) -> Fraction:
    V = value(estimate)
    return max((inner((HALF, HALF), V) - inner(p, V)) ** 2 for p in estimate.p)


def _values(estimate: RawTables) -> Values:
    """Symbols of Lemma 14; in its printed lines e is ρ_4 times the root."""
    e_h = math.sqrt(squared_error(estimate))
    sizes = (("S", S), ("A", 1), ("U", U), ("gamma", GAMMA))
    return (*sizes, ("sigma_bar", estimate.sigma_bar), ("e_h", e_h))


def _value_std(
    estimate: RawTables, premises: tuple[Statement, ...], allowed_squared: Fraction, formula: str
) -> Evaluation:
    V = value(estimate)
    return RootCase(
        "deviations of Ṽ*",
        premises,
        mdp.variance((HALF, HALF), V),
        mdp.variance(estimate.p[0], V),
        allowed_squared,
        formulas.APPENDIX_D + formula,
        _values(estimate),
    ).evaluation()


def _reward_std(
    estimate: RawTables, premises: tuple[Statement, ...], allowed_squared: Fraction, formula: str
) -> Evaluation:
    return RootCase(
        "deviations of the reward in state 1",
        premises,
        mdp.variance(DISTRIBUTIONS[0], REWARDS),
        mdp.variance(estimate.q[0], REWARDS),
        allowed_squared,
        formulas.APPENDIX_D + formula,
        _values(estimate),
    ).evaluation()


# What the instances show


def _not_normalised_numbers(estimate: RawTables) -> Numbers:
    task = replace(truth(), var=((Fraction(0),), (Fraction(0),)))  # the deviations are in q
    p, r = tuple((row,) for row in estimate.p), tuple((inner(q, REWARDS),) for q in estimate.q)
    return (
        ("γ", GAMMA),
        ("S, A, U", (S, 1, U)),
        ("rewards", REWARDS),
        ("q, state by state", DISTRIBUTIONS),
        ("q̃", estimate.q),
        *exact_task("the task", task),
        *exact_task("the estimate", replace(task, p=p, r=r)),
        ("σ̄", estimate.sigma_bar),
    )


def _broken(estimate: RawTables) -> dict[str, RawTables]:
    high, longer = Fraction(1, 2), (Fraction(3, 5),) * 2
    return {
        "σ̄": replace(estimate, sigma_bar=Fraction(0)),
        "least reward variance against σ̄²": replace(estimate, sigma_bar=high),
        "least value variance against σ̄²": replace(estimate, sigma_bar=high),
        "γ times the largest mass of p̃": replace(estimate, p=(longer, longer)),
    }


def _near() -> RawTables:
    """Probabilities: q̃ = (0.2, 0.8) in state 1, p̃ = (0.55, 0.45) there."""
    q, p = (Fraction(1, 5), Fraction(4, 5)), (Fraction(11, 20), Fraction(9, 20))
    return RawTables((q, DISTRIBUTIONS[1]), (p, (HALF, HALF)))


for each, printed_claim, repaired_claim in (
    ("lemma-14.values/stretched-row", values_evaluation, values_of_distributions),
    ("lemma-14.value-std/stretched-row", value_std_evaluation, value_std_of_distributions),
):
    declare(
        check=each,
        says="Transition estimates that sum to 1.11",
        instance=stretched(),
        evaluate=printed_claim,
        numbers=_not_normalised_numbers,
        fix="p̃ = 0.5 in place of 0.555, so that its rows sum to 1",
        fixed=stretched(HALF),
        broken=_broken(stretched()),
        repaired=repaired_claim,
        in_scope=_near(),
    )
declare(
    check="lemma-14.reward-std/swollen-law",
    says="A reward estimate with two entries of 40",
    instance=swollen(),
    evaluate=reward_std_evaluation,
    numbers=_not_normalised_numbers,
    fix="q̃ = (2, 2) in place of (40, 40)",
    fixed=swollen(Fraction(2)),
    broken=_broken(swollen()),
    repaired=reward_std_of_distributions,
    in_scope=_near(),
)


# Deviations without a floor (errata E33, E47): p = (1, 0), q = (1-e, e), f = (0, 1).
#
# The deviation of f is 0 under p and √(e(1-e)) under q, while the distributions are only 2e apart.
# So no constant C makes |Std_p - Std_q| ≤ C‖p-q‖₁ true for all e.


@stored
@dataclass(frozen=True)
class Laws:
    """Two distributions on the same points, and a function with values in [0, b]."""

    p: Vector
    q: Vector
    f: Vector
    b: Fraction

    @property
    def distance(self) -> Fraction:
        """‖p-q‖₁."""
        return sum((abs(x - y) for x, y in zip(self.p, self.q, strict=True)), Fraction(0))

    @property
    def variance_p(self) -> Fraction:
        """Var_p[f]."""
        return mdp.variance(self.p, self.f)

    @property
    def variance_q(self) -> Fraction:
        """Var_q[f]."""
        return mdp.variance(self.q, self.f)


def laws(e: Fraction) -> Laws:
    """Certain to see 0, or almost."""
    return Laws(
        p=(Fraction(1), Fraction(0)), q=(1 - e, e), f=(Fraction(0), Fraction(1)), b=Fraction(1)
    )


def against(constant: Fraction) -> Laws:
    """Laws for which the constant is too small: e(1-e) is four times 4C²e² at 1/e = 16C² + 1."""
    return laws(1 / (16 * constant**2 + 1))


def premises_of(pair: Laws) -> tuple[Statement, ...]:
    """p and q are distributions, f maps into [0, b]."""
    return (
        Statement("p sums to", sum(pair.p), "=", 1),
        Statement("q sums to", sum(pair.q), "=", 1),
        Statement("least probability", min(*pair.p, *pair.q), "≥", 0),
        Statement("least value of f", min(pair.f), "≥", 0),
        Statement("largest value of f, against b", max(pair.f), "≤", pair.b),
        Statement("b", pair.b, ">", 0),
    )


def vanishing_deviation_evaluation(pair: Laws, constant: Fraction) -> Evaluation:
    """|Std_p - Std_q| ≤ C‖p-q‖₁ with no floor, where p makes f certain; squared."""
    bound = proof_bounds.without_floor(constant, pair.distance)
    allowed = bound**2
    return Evaluation(
        premises=(*premises_of(pair), Statement("Var_p[f]", pair.variance_p, "=", 0)),
        conclusion=Statement(
            f"squares of the difference of deviations and of {constant}·‖p-q‖₁",
            pair.variance_q,
            "≤",
            allowed,
            formulas.APPENDIX_D + "WITHOUT_FLOOR",
            (("constant", constant), ("l1_distance", pair.distance)),
            measured=roots_of(pair.variance_q, allowed) if pair.variance_q >= 0 else None,
            bound=bound,
        ),
    )


def root_case(laws: Laws, share: Fraction = Fraction(1, 2)) -> RootCase:
    """Repaired: |Std_p - Std_q| ≤ b√(‖p-q‖₁/2); another share than 1/2 is for tests."""
    return RootCase(
        "|Std_p[f] - Std_q[f]|",
        premises_of(laws),
        laws.variance_p,
        laws.variance_q,
        laws.b**2 * laws.distance * share,
    )


CONSTANT = Fraction(10**6)
"""As large as you like: `against` has distributions for each."""


def _vanishing_deviation_numbers(pair: Laws) -> Numbers:
    return (("p", pair.p), ("q", pair.q), ("f", pair.f), ("b", pair.b))


PAIR = against(CONSTANT)
ZERO = Fraction(0)
TENTH = Fraction(1, 10)

ONE = Fraction(1)

NO_CERTAINTY = replace(laws(HALF), p=(ONE - TENTH, TENTH))

declare(
    part_of=("text-floor-removable.true-models/any-constant",),
    instance=PAIR,
    evaluate=partial(vanishing_deviation_evaluation, constant=CONSTANT),
    numbers=lambda pair: (*_vanishing_deviation_numbers(pair), ("C", CONSTANT)),
    fix="e = 1/10 in place of 1/(16C² + 1)",
    fixed=laws(TENTH),
    broken={
        "p sums to": replace(PAIR, p=(HALF, ZERO)),
        "q sums to": replace(PAIR, q=(HALF, TENTH)),
        "least probability": replace(PAIR, q=(ONE + TENTH, -TENTH)),
        "least value of f": replace(PAIR, f=(-ONE, ONE)),
        "largest value of f, against b": replace(PAIR, b=HALF),
        "b": replace(PAIR, b=ZERO),
        "Var_p[f]": replace(PAIR, p=(ONE - TENTH, TENTH)),
    },
    repaired=lambda pair: root_case(pair).evaluation(),
    in_scope=NO_CERTAINTY,
)


# The objectworld tasks of the experiments have rewards without deviation (erratum E47).
#
# An item of value v is picked up with probability 1-f, else the reward is 0: its variance is
# f(1-f)v². An empty cell is the value 0, and its reward is deterministic.


def drawn_items(setting: TaskList, rng: np.random.Generator) -> list[Floats]:
    """The items of all tasks that are drawn independently of others."""
    grid = Grid(setting.rows, setting.columns)
    numbers = range(len(setting.action_failures))
    return [
        random_items(grid, setting.base_values, rng) for n in numbers if n not in setting.copies
    ]


def least_variance(items: Sequence[Floats], pick_up_failure: Fraction) -> Fraction:
    """min of f(1-f)v² over all pairs of all tasks, with decimal numbers taken as written."""
    values = {Fraction(str(v)) for table in items for v in table.ravel().tolist()}
    return min(
        (pick_up_failure * (1 - pick_up_failure) * v**2 for v in values), default=Fraction(0)
    )


def empty_cell_evaluation(setting: TaskList, items: Sequence[Floats]) -> Evaluation:
    """Assumption 5, reward part, for the items of an experiment."""
    failure, least_value = written(setting.pick_up_failure), written(min_of(setting.base_values))
    return Evaluation(
        premises=(
            Statement("least value of the experiment's items", least_value, "=", 0),
            Statement("tasks drawn independently", len(items), "≥", 1),
            Statement("probability of a failing pick-up", failure, ">", 0),
        ),
        conclusion=Statement(
            "least reward variance of all pairs", least_variance(items, failure), ">", 0
        ),
    )


def without_floor(v: Fraction, chance: Fraction, error: Fraction) -> Evaluation:
    """Repair: |Std_p - Std_q| ≤ v√(‖p-q‖₁/2), distributions of 0 and v with this `error`, no floor.

    ‖p-q‖₁/2 = error.
    """
    true, estimated = (v * root(x * (1 - x)) for x in (chance, chance + error))
    return Evaluation(
        premises=(Statement("distance ‖p-q‖₁ of the two distributions", 2 * error, "≤", 2),),
        conclusion=Statement(
            "difference of the deviations against v√(‖p-q‖₁/2)",
            *compared(abs(true - estimated), "≤", v * root(error)),
        ),
    )


def drawn() -> list[Floats]:
    """Items of Figure 2 as they are drawn with seed 0."""
    return drawn_items(FIGURE_2, np.random.default_rng(0))


@dataclass(frozen=True)
class Items:
    """A list of tasks, the items drawn for it, and two distributions of 0 and v near each other.

    The distributions give v the probability `chance`, and `error` more.
    """

    setting: TaskList
    drawn: tuple[Floats, ...]
    v: Fraction = Fraction(1)
    chance: Fraction = Fraction(0)
    error: Fraction = Fraction(1, 10**6)


def numbers(items: Items) -> Numbers:
    """One pair is enough; 0 is an empty cell."""
    first, grid = items.drawn[0], Grid(items.setting.rows, items.setting.columns)
    found = {cell: int(np.sum(first[grid.state(cell)] > 0)) for cell in np.ndindex(5, 5)}
    return (
        ("value v of an item", items.v),
        ("probability of v, true and estimated", (items.chance, items.chance + items.error)),
        ("pairs (s,a) of the first task", first.size),
        ("empty ones among them", int(np.sum(first == 0))),
        ("value at (0,0)", written(float(first[0, 0]))),
        *cells("actions of the first task that find an item", grid, found),
        ("values an item may have", tuple(map(written, items.setting.base_values))),
        ("probability f of a failing pick-up", written(items.setting.pick_up_failure)),
        ("variance of the reward of an item of value v", "f(1-f)v²"),
    )


DRAWN = Items(FIGURE_2, tuple(drawn()))
OF_ITEMS = tuple(value for value in FIGURE_2.base_values if value > 0)

declare(
    part_of=("assumption-5.experiments/empty-cells",),
    instance=DRAWN,
    evaluate=lambda items: empty_cell_evaluation(items.setting, items.drawn),
    numbers=numbers,
    fix="an item of value 0.2 in every empty cell",
    fixed=replace(DRAWN, drawn=tuple(np.where(table == 0, 0.2, table) for table in DRAWN.drawn)),
    broken={
        "least value of the experiment's items": replace(
            DRAWN, setting=replace(FIGURE_2, base_values=OF_ITEMS)
        ),
        "tasks drawn independently": replace(DRAWN, drawn=()),
        "probability of a failing pick-up": replace(
            DRAWN, setting=replace(FIGURE_2, pick_up_failure=0.0)
        ),
    },
    repaired=lambda items: without_floor(items.v, items.chance, items.error),
    in_scope=replace(DRAWN, v=Fraction(1, 2), chance=Fraction(12, 1000), error=Fraction(1, 100)),
)
