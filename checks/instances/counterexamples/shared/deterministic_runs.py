"""Algorithm 1 in rational arithmetic, on a target in which nothing is random.

Samples of such a target repeat themselves: after N of them every mean is the target's own number
and every sample deviation is zero, so a pair eliminates a model once N exceeds a number that is
rational in L = log(8SAn(k+1)/δ) and L_σ = log(4SAn(k+1)/δ). Between two eliminations the run
queries one pair, and its count follows without rounding. Other models than the target may be
random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from ptum.checks.engine.problem import RunNumbers
from ptum.checks.engine.ptum import simulated_run
from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import Between, Real, exceeds, log, root, whole_part
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.attempts.names import stored_as
from ptum.checks.verdicts.outcome import Statement
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.ptum import End, PtumResult
from ptum.spec.vocabulary import Version

Pair = tuple[int, int]
EliminatedAfter = Callable[[int, Pair], int | None]
"""How many samples of the pair eliminate the model; None if no number of them does."""


def leads_to(state: int, S: int) -> list[Fraction]:
    """The row of a pair that surely leads to the state."""
    return [Fraction(int(t == state)) for t in range(S)]


def arms(gamma: Fraction, *rows: Sequence[Fraction]) -> tuple[ExactMDP, ...]:
    """Tasks with one state and deterministic rewards, one task per row."""
    stay = [[[Fraction(1)]] * len(rows[0])]
    return tuple(mdp.deterministic(stay, [list(row)], gamma) for row in rows)


@stored_as("Inputs")
@dataclass(frozen=True)
class Algorithm1Inputs:
    """What Algorithm 1 is told: ε, δ, the budget n and Δ."""

    epsilon: Fraction
    delta: Fraction
    n: int
    Delta: Fraction = Fraction(0)


@dataclass(frozen=True)
class Phase:
    """Between two eliminations one pair is queried; N are the counts after the last query."""

    active: tuple[int, ...]
    pair: Pair
    N: dict[Pair, int]


@dataclass(frozen=True)
class DeterministicRun:
    """How lines 3-21 end; `eliminated` has models in their order, with the pair."""

    end: End
    theta: int | None
    active: tuple[int, ...]
    eliminated: tuple[tuple[int, Pair], ...]
    phases: tuple[Phase, ...]

    @property
    def N(self) -> dict[Pair, int]:
        """Samples of each pair that was queried."""
        return self.phases[-1].N if self.phases else {}

    @property
    def queries(self) -> int:
        """Samples of all pairs."""
        return sum(self.N.values())


@lru_cache(maxsize=64)
def log_term(S: int, A: int, n: int, k: int, delta: Fraction) -> Between:
    """L = log(8SAn(|Θ|+1)/δ)."""
    return log(Fraction(8 * S * A * n * (k + 1)) / delta)


@lru_cache(maxsize=64)
def log_term_sigma(S: int, A: int, n: int, k: int, delta: Fraction) -> Between:
    """L_σ = log(4SAn(|Θ|+1)/δ)."""
    return log(Fraction(4 * S * A * n * (k + 1)) / delta)


def is_certain(theta: ExactMDP) -> bool:
    """Whether rewards and next states have no spread."""
    rows = [row for table in theta.p for row in table]
    return all(max(row) == 1 for row in rows) and all(x == 0 for row in theta.var for x in row)


def samples_to_drop(
    models: Sequence[ExactMDP], theta: int, pair: Pair, told: Algorithm1Inputs, target: int = 0
) -> int | None:
    """The first N at which θ fails a test at the pair on data of the target; None if it never does.

    7L/(3(N-1)) + Δ < gap for rewards, with 1/(1-γ) for the values of any model, and
    √(2L_σ/(N-1)) + Δ < deviation for the deviations of θ. The largest gap fails first.
    """
    return _dropped(models, [*map(mdp.optimal_value, models)], theta, pair, told, target)


def _dropped(
    models: Sequence[ExactMDP],
    V: Sequence[mdp.Vector],
    theta: int,
    pair: Pair,
    told: Algorithm1Inputs,
    target: int,
) -> int | None:
    s, a = pair
    first, other = models[target], models[theta]
    sizes = (first.S, first.A, told.n, len(models), told.delta)
    width, scale = 7 * log_term(*sizes) / 3, 1 / (1 - first.gamma)
    row, row_other = first.p[s][a], other.p[s][a]
    gap_r, gap_p = abs(first.r[s][a] - other.r[s][a]), Fraction(0)
    if row != row_other:
        moved = tuple(x - y for x, y in zip(row, row_other, strict=True))
        gap_p = max(abs(mdp.inner(moved, values)) for values in V)
    spread = Fraction(0) if max(row_other) == 1 else max(mdp.variance(row_other, v) for v in V)
    counts = (
        first_below(width, gap_r - told.Delta),
        first_below(width * scale, gap_p - told.Delta),
        _by_spread(sizes, other.var[s][a], Fraction(1), told.Delta),
        _by_spread(sizes, spread, scale, told.Delta),
    )
    return min((count for count in counts if count is not None), default=None)


def first_below(width: Between, gap: Real) -> int | None:
    """The first N with width/(N-1) < gap; None if there is none."""
    return whole_part(width / gap) + 2 if exceeds(gap, 0) else None


def _by_spread(
    sizes: tuple[int, int, int, int, Fraction], square: Fraction, scale: Fraction, Delta: Fraction
) -> int | None:
    """The first N with √(2L_σ/(N-1))/(1-γ) < √square - Δ."""
    if square <= Delta**2:
        return None
    rest = (root(square) - Delta) / scale
    return first_below(2 * log_term_sigma(*sizes), rest * rest)


ENTERS = "transfer mode: Δ against its threshold"
"""What `enters` states."""


def enters(
    told: Algorithm1Inputs, gamma: Fraction, version: Version = Version.PRINTED
) -> Statement:
    """Line 2: Δ < (1-γ)ε/(4(1+γ)) as printed; repaired Δ ≤ (1-γ)ε/(18(1+γ))."""
    return formulas.transfer_mode(told.Delta, told.epsilon, gamma, version)


class Prepared:
    """What lines 14 and 16-18 look up, computed once for all subsets of the models."""

    def __init__(self, models: Sequence[ExactMDP], Delta: Fraction) -> None:
        self.models, self.Delta = models, Delta
        self.V = [mdp.optimal_value(theta) for theta in models]
        self.policies = [mdp.optimal_policy(theta) for theta in models]
        first = models[0]
        self.pairs = [(s, a) for s in range(first.S) for a in range(first.A)]

    @cached_property
    def losses(self) -> list[list[Fraction]]:
        """Of the policy of each model (row) in each model (column)."""
        return [
            [
                max(x - y for x, y in zip(V, mdp.policy_value(other, policy), strict=True))
                for other, V in zip(self.models, self.V, strict=True)
            ]
            for policy in self.policies
        ]

    @cached_property
    def information(self) -> list[list[dict[Pair, Fraction]]]:
        """I_{s,a}(θ,θ') for every θ, θ', at the pairs where it is positive: mostly few."""
        return [
            [self._positive(theta, other, V) for other in self.models]
            for theta, V in zip(self.models, self.V, strict=True)
        ]

    def _positive(self, theta: ExactMDP, other: ExactMDP, V: mdp.Vector) -> dict[Pair, Fraction]:
        if theta is other:
            return {}
        known = ((pair, mdp.information(theta, other, *pair, self.Delta, V)) for pair in self.pairs)
        return {pair: x for pair, x in known if x > 0}

    def stopping(self, active: Sequence[int], epsilon: Fraction) -> tuple[int, ...]:
        """Line 14: active models whose policy loses at most the slack in every active model."""
        slack = mdp.stopping_slack(epsilon, self.Delta, self.models[0].gamma)
        return tuple(
            theta for theta in active if all(self.losses[theta][i] <= slack for i in active)
        )

    def index(self, active: Sequence[int]) -> dict[Pair, Fraction]:
        """Lines 16-17: I_t(s,a), in the order of the pairs."""
        found = dict.fromkeys(self.pairs, Fraction(0))
        for positive in (self.information[i][j] for i in active for j in active):
            for pair, x in positive.items():
                found[pair] = max(found[pair], x)
        return found


def stopping_models(
    models: Sequence[ExactMDP], active: Sequence[int], told: Algorithm1Inputs
) -> tuple[int, ...]:
    """Line 14: active models whose policy loses at most ε - 2Δ(1+γ)/(1-γ) in every active model."""
    return Prepared(models, told.Delta).stopping(active, told.epsilon)


def index(
    models: Sequence[ExactMDP], active: Sequence[int], Delta: Fraction
) -> dict[Pair, Fraction]:
    """Lines 16-17: I_t(s,a), in the order of the pairs."""
    return Prepared(models, Delta).index(active)


def query(indices: dict[Pair, Fraction]) -> Pair:
    """Line 18: the first pair of largest index."""
    return max(indices, key=lambda pair: indices[pair])


def transfer_mode(
    models: Sequence[ExactMDP], told: Algorithm1Inputs, target: int = 0
) -> DeterministicRun:
    """Lines 3-21 on the target; `told.n` iterations at most."""
    if not is_certain(models[target]):
        raise ValueError("the target is random, so that its run is not one run")
    prepared = Prepared(models, told.Delta)

    def dropped(theta: int, pair: Pair) -> int | None:
        return _dropped(models, prepared.V, theta, pair, told, target)

    return played(prepared, told, dropped)


def played(
    prepared: Prepared, told: Algorithm1Inputs, eliminated_after: EliminatedAfter
) -> DeterministicRun:
    """Lines 3-21 where the samples, and so the eliminations, are given."""
    active = tuple(range(len(prepared.models)))
    eliminated: tuple[tuple[int, Pair], ...] = ()
    phases: tuple[Phase, ...] = ()
    while active:
        good = prepared.stopping(active, told.epsilon)
        if good:
            return DeterministicRun(End.STOPPED, good[0], active, eliminated, phases)
        pair, N = query(prepared.index(active)), phases[-1].N if phases else {}
        least, out = _next_elimination(active, pair, eliminated_after)
        left = told.n - sum(N.values())
        if least is None or least - N.get(pair, 0) >= left:  # no iteration is left to see it
            phases += (Phase(active, pair, {**N, pair: N.get(pair, 0) + left}),)
            return DeterministicRun(End.BUDGET_EXHAUSTED, None, active, eliminated, phases)
        phases += (Phase(active, pair, {**N, pair: least}),)
        eliminated += tuple((theta, pair) for theta in out)
        active = tuple(theta for theta in active if theta not in out)
    return DeterministicRun(End.ACTIVE_SET_EMPTY, None, active, eliminated, phases)


def _next_elimination(
    active: Sequence[int], pair: Pair, eliminated_after: EliminatedAfter
) -> tuple[int | None, tuple[int, ...]]:
    """How many samples of the pair eliminate an active model, and which ones."""
    needed = {theta: eliminated_after(theta, pair) for theta in active}
    least = min((count for count in needed.values() if count is not None), default=None)
    return least, tuple(theta for theta in active if least is not None and needed[theta] == least)


# The literal code on the same instance


def literal_run(models: Sequence[ExactMDP], told: Algorithm1Inputs, target: int = 0) -> PtumResult:
    """The engine's run in doubles; all models must be certain."""
    rounded = approximate_models([mdp.rounded(theta) for theta in models])
    errors = single(float(told.Delta))
    numbers = RunNumbers(float(told.epsilon), float(told.delta), told.n, errors)
    return simulated_run(rounded, rounded.tasks[target], 0, numbers)


def run(models: Sequence[ExactMDP], told: Algorithm1Inputs, target: int = 0) -> DeterministicRun:
    """Lines 3-21 in rationals, with the literal run in doubles as a second witness."""
    return agreed(transfer_mode(models, told, target), literal_run(models, told, target))


def agreed(here: DeterministicRun, literal: PtumResult) -> DeterministicRun:
    """The run in rationals, if the literal one ends in the same way."""
    found = [(each.end, each.queries, each.theta) for each in (here, literal)]
    if found[0] != found[1]:
        raise AssertionError(f"in rationals {found[0]}, in doubles {found[1]}")
    return here
