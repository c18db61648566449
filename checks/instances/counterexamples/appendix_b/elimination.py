"""Lemma 4 with the two-argument gap (erratum E08), and a pair that "cannot" eliminate (E21).

`SampledFork`: one moves from s0 to x or y, which are absorbing. The target goes to x with
probability 1/2, the rival with 0.55, and both find 1 in x and 0 in y. A third model finds 1/2 in
both, so its value has no deviation. The printed n̄ takes that deviation together with the gap of
the target's value. While the share of samples in x lies half way between target and rival, both
pass every test long after the printed count.

With one action PTUM would stop at once, and the evaluation looks at the tests alone. With a state
z, in which target and rival disagree about the better of two actions, PTUM itself gets there: it
asks x until the third model is eliminated and then s0 until the rival is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import product

import numpy as np

from ptum.checks.engine.blocks import BlockSimulator
from ptum.checks.engine.ptum import transfer_mode
from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import Between, compared, enclosed, largest, written
from ptum.checks.exact.mdp import ExactMDP, Vector
from ptum.checks.exact.numbers import max_by
from ptum.checks.instances.counterexamples.catalogue import declare
from ptum.checks.instances.counterexamples.shared import deterministic_runs, two_outcomes
from ptum.checks.instances.counterexamples.shared.deterministic_runs import (
    Algorithm1Inputs,
    DeterministicRun,
    Pair,
    Prepared,
    leads_to,
)
from ptum.checks.instances.counterexamples.shared.shown import tasks
from ptum.checks.instances.counterexamples.shared.two_outcomes import EliminationConstants
from ptum.checks.verdicts import formulas, witness
from ptum.checks.verdicts.outcome import Evaluation, Formed, Statement
from ptum.reference.arrays import Ints
from ptum.reference.repaired.transfer.analysis import lemmas as repaired_lemmas
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import gap_tolerance
from ptum.reference.transfer.analysis import lemmas as printed_lemmas
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.ptum import PtumResult
from ptum.spec.vocabulary import Version

HALF = Fraction(1, 2)
GAMMA, DELTA, BUDGET = HALF, Fraction(1, 10), 20_000
TARGET, RIVAL, THIRD = 0, 1, 2
START, X, Y = 0, 1, 2
Rewards = tuple[Fraction, Fraction]
Seen = tuple[int, Fraction]
"""How many samples of s0, and which share of them went to x, evenly spread."""
IN_X, IN_Y = (Fraction(1), Fraction(0)), (HALF, HALF)
"""Rewards in x and y, according to target and rival, and according to the third model."""


# The dropped third argument


@dataclass(frozen=True)
class SampledFork:
    """N samples of (s0,0), a given share of which went to x, spread evenly."""

    rival_to_x: Fraction = Fraction(11, 20)
    third_rewards: Rewards = IN_Y
    third_to_x: Fraction = HALF
    N: int = 10_734
    in_x: int = 5635


def fork_models(fork: SampledFork) -> tuple[ExactMDP, ...]:
    """States s0, x, y and one action; target, rival and the third model."""
    return (
        _one_action(HALF, IN_X),
        _one_action(fork.rival_to_x, IN_X),
        _one_action(fork.third_to_x, fork.third_rewards),
    )


def fork_evaluation(fork: SampledFork, version: Version) -> Evaluation:
    """Lemma 4 turned round: if target and rival are active, then N ≤ n̄ of the rival."""
    models = fork_models(fork)
    V = [*map(mdp.optimal_value, models)]
    share = Fraction(fork.in_x, fork.N)
    names = ("target", "rival", "third model")
    failures = [
        first_failure(theta, V, (START, 0), (fork.N, share), tests_of(models)) for theta in models
    ]
    told = zip(names, failures, strict=True)
    count = n_bar(models, V, tuple(range(3)), (START, 0), version)
    assert count is not None  # target and rival differ at s0
    return Evaluation(
        premises=tuple(
            Statement(
                f"the {name} fails a test after 1, …, N samples", failed is not None, "=", False
            )
            for name, failed in told
        ),
        conclusion=Statement(
            "samples of (s0,0) against n̄ of the rival",
            *compared(fork.N, "≤", count),
            *formula(models, version),
        ),
    )


def evenly(N: int, share: Fraction) -> Ints:
    """How many of the first 1, …, N samples went to x: the share, as whole numbers allow."""
    return np.arange(1, N + 1) * share.numerator // share.denominator


def tests_of(models: Sequence[ExactMDP]) -> EliminationConstants:
    """Equations (2) and (4) at Δ = 0."""
    first = models[0]
    known = two_outcomes.of_rewards(first.S, first.A, BUDGET, len(models), DELTA)
    return replace(known, scale=1 / (1 - GAMMA))


def first_failure(
    theta: ExactMDP, V: Sequence[Vector], pair: Pair, seen: Seen, told: EliminationConstants
) -> int | None:
    """The first N at which a model fails a test of s0, if a share of them went to x, all else to y.

    All models are right about the reward in s0, so that equations (1) and (3) hold; and a value
    that is the same in x and y has neither an error nor a deviation.
    """
    s, a = pair
    apart = {abs(values[X] - values[Y]) for values in V} - {0}
    counts = (_first_failure(theta.p[s][a][X], seen, told, distance) for distance in apart)
    return min((N for N in counts if N is not None), default=None)


@lru_cache(maxsize=64)
def _first_failure(
    rate: Fraction, seen: Seen, told: EliminationConstants, distance: Fraction
) -> int | None:
    """By the values whose two outcomes are that far apart."""
    most, share = seen
    N = np.arange(1, most + 1)
    failing = np.flatnonzero(two_outcomes.fails(N, evenly(most, share), rate, told, distance))
    return int(N[failing[0]]) if len(failing) else None


def formula(models: Sequence[ExactMDP], version: Version) -> Formed:
    """n̄ with the numbers that all pairs share."""
    name = "N_BAR" if version is Version.PRINTED else "N_BAR_REPAIRED"
    sizes = (("S", models[0].S), ("A", models[0].A), ("k", len(models)), ("n", BUDGET))
    known = (("delta", DELTA), ("Delta", 0), ("gamma", GAMMA))
    return formulas.APPENDIX_B + name, (*sizes, *known)


def n_bar(
    models: Sequence[ExactMDP],
    V: Sequence[Vector],
    active: Sequence[int],
    pair: Pair,
    version: Version,
) -> Between | None:
    """n̄ = 32 L min{n̄^r, n̄^p} of the rival at Δ = 0; None where it is infinite."""
    L = deterministic_runs.log_term(models[0].S, models[0].A, BUDGET, len(models), DELTA)
    seconds = [models[theta] for theta in active]
    counts = [
        *_by_reward(models, seconds, pair),
        *_by_transition(models, V, seconds, pair, version),
    ]
    return 32 * L * min(counts) if counts else None


def _by_reward(
    models: Sequence[ExactMDP], seconds: Sequence[ExactMDP], pair: Pair
) -> Iterator[Fraction]:
    """max{σ̃^r_θ''²/x², 1/x} with x = Δ̃^r(θ*,θ), for all active θ''."""
    s, a = pair
    x = abs(models[TARGET].r[s][a] - models[RIVAL].r[s][a])
    for second in seconds:
        if x > 0:
            yield max(second.var[s][a] / x**2, 1 / x)


def _by_transition(
    models: Sequence[ExactMDP],
    V: Sequence[Vector],
    seconds: Sequence[ExactMDP],
    pair: Pair,
    version: Version,
) -> Iterator[Fraction]:
    """max{σ̃^p_θ''(;θ')²/x², 1/((1-γ)x)} for all θ' and all active θ''.

    As printed x = Δ̃^p(θ*,θ), which is taken with Ṽ*_θ*; as repaired Δ̃^p(θ*,θ;θ').
    """
    s, a = pair
    row, row_rival = models[TARGET].p[s][a], models[RIVAL].p[s][a]
    for values in V:
        by = V[TARGET] if version is Version.PRINTED else values
        x = abs(mdp.inner(row, by) - mdp.inner(row_rival, by))
        for second in seconds:
            if x > 0:
                yield max(mdp.variance(second.p[s][a], values) / x**2, 1 / ((1 - GAMMA) * x))


@dataclass(frozen=True)
class Played:
    """The fork with a state z and two actions, for PTUM itself to play."""

    epsilon: Fraction = Fraction(1, 125)
    third_rewards: Rewards = IN_Y
    share_in_x: Fraction = Fraction(131, 250)

    @property
    def told(self) -> Algorithm1Inputs:
        """What PTUM is given."""
        return Algorithm1Inputs(self.epsilon, DELTA, BUDGET)


def played_models(played: Played) -> tuple[ExactMDP, ...]:
    """States s0, x, y, z and two actions, which differ in z alone."""
    worse = Fraction(99, 200)
    better_first, better_second = (HALF, worse), (worse, HALF)
    return (
        _two_actions(HALF, IN_X, better_first),
        _two_actions(Fraction(11, 20), IN_X, better_second),
        _two_actions(HALF, played.third_rewards, better_first),
    )


def play(played: Played) -> DeterministicRun:
    """PTUM on samples of the target that have the given share of x, evenly spread.

    All is decided in rationals; the run in doubles is a second witness.
    """
    models = played_models(played)
    prepared, tests = Prepared(models, Fraction(0)), tests_of(models)
    seen = (BUDGET, played.share_in_x)

    def eliminated_after(theta: int, pair: Pair) -> int | None:
        if pair[0] == START:
            return first_failure(models[theta], prepared.V, pair, seen, tests)
        return deterministic_runs.samples_to_drop(models, theta, pair, played.told, TARGET)

    return deterministic_runs.agreed(
        deterministic_runs.played(prepared, played.told, eliminated_after), literal_play(played)
    )


def literal_play(played: Played) -> PtumResult:
    """The engine's run in doubles on the same samples."""
    models = in_doubles(played_models(played))
    return transfer_mode(
        models,
        _EvenlySpread(models.tasks[TARGET], played.share_in_x),
        epsilon=float(played.epsilon),
        delta=float(DELTA),
        n=BUDGET,
        errors=single(0.0),
    )


def in_doubles(models: Sequence[ExactMDP]) -> ApproximateModels:
    """The same models for the literal code."""
    return approximate_models([*map(mdp.rounded, models)])


def played_evaluation(played: Played, version: Version) -> Evaluation:
    """In no iteration of the run with the rival active does a pair have more than n̄ samples."""
    models, result = played_models(played), play(played)
    shares = list(_in_units_of_n_bar(models, result, version))
    _confirm(models, result, version, refuted=any(share.low > 1 for share, _ in shares))
    _, told = max_by(shares or [(enclosed(0), "none")], lambda share: float(share[0]))
    return Evaluation(
        premises=(deterministic_runs.enters(played.told, GAMMA), _stays_active(result)),
        conclusion=Statement(
            f"most samples of a pair ({told}) while the rival is active, in units of n̄",
            *compared(largest(0, *(share for share, _ in shares)), "≤", 1),
            *formula(models, version),
        ),
    )


def _in_units_of_n_bar(
    models: Sequence[ExactMDP], result: DeterministicRun, version: Version
) -> Iterator[tuple[Between, str]]:
    """For every phase with the rival active the samples of each pair before the last query."""
    V = [*map(mdp.optimal_value, models)]
    for phase in result.phases:
        if RIVAL not in phase.active:
            continue
        for pair, N in phase.N.items():
            count = n_bar(models, V, phase.active, pair, version)
            if count is not None:
                seen = N - 1 if pair == phase.pair else N
                yield seen / count, f"{pair}, n̄ = {float(count):.0f}"


def _confirm(
    models: Sequence[ExactMDP], result: DeterministicRun, version: Version, *, refuted: bool
) -> None:
    """The literal n̄ and Lemma 4 in every phase with the rival active.

    Gaps are off by less than `gap_tolerance`, deviations by as much, and n̄ has both squared.
    """
    literal, V = in_doubles(models), [*map(mdp.optimal_value, models)]
    smallest = least_difference(models, V)
    L = deterministic_runs.log_term(models[0].S, models[0].A, BUDGET, len(models), DELTA)
    code = printed_lemmas if version is Version.PRINTED else repaired_lemmas
    found = False
    for phase in (phase for phase in result.phases if RIVAL in phase.active):
        N = np.zeros((literal.S, literal.A), dtype=np.int64)
        for pair, count in phase.N.items():
            N[pair] = count - 1 if pair == phase.pair else count
        iteration = Iteration(literal, TARGET, phase.active, 0.0)
        lemma = code.model_elimination(iteration, theta=RIVAL, N=N, L=float(L))
        found = found or lemma.refutes
        n_bar_theta = np.asarray(lemma.right)
        for pair in phase.N:
            exact = n_bar(models, V, phase.active, pair, version)
            due = math.inf if exact is None else float(exact)
            off = 8 * gap_tolerance(literal.V_star) / smallest * due if exact else 0.0
            witness.same_numbers(f"n̄ at {pair}", float(n_bar_theta[pair]), due, off)
    if all(theta != TARGET for theta, _ in result.eliminated):
        witness.same_truth("Lemma 4 is refuted", found, refuted)


def least_difference(models: Sequence[ExactMDP], V: Sequence[Vector]) -> float:
    """The least gap of target and rival, or deviation of any model, that is not zero."""
    target, rival, found = models[TARGET], models[RIVAL], list[Fraction]()
    for s, a in product(range(target.S), range(target.A)):
        found.append((target.r[s][a] - rival.r[s][a]) ** 2)
        found += [(mdp.inner(target.p[s][a], v) - mdp.inner(rival.p[s][a], v)) ** 2 for v in V]
        for theta in models:
            found += [theta.var[s][a], *(mdp.variance(theta.p[s][a], v) for v in V)]
    return math.sqrt(min(filter(None, found)))


def _stays_active(result: DeterministicRun) -> Statement:
    stays = all(theta != TARGET for theta, _ in result.eliminated)
    return Statement("the target stays active", stays, "=", True)


class _EvenlySpread(BlockSimulator):
    """s0 leads to x in a fixed share of the samples; all else is deterministic."""

    def __init__(self, theta: MDP, share_in_x: Fraction) -> None:
        super().__init__(theta, seed=0)
        self._share = share_in_x
        self._taken: dict[tuple[int, int], int] = {}

    def peek(self, s: int, a: int, size: int) -> tuple[Ints, Ints]:
        """The coming samples; those of s0 in the fixed order."""
        rewards, successors = super().peek(s, a, size)
        if s == START:
            taken = self._taken.get((s, a), 0)
            to_x = np.diff(evenly(taken + size, self._share), prepend=0)[taken:]
            successors = np.where(to_x == 1, X, Y)
        return rewards, successors

    def take(self, s: int, a: int, size: int) -> None:
        """Go on in the fixed order."""
        super().take(s, a, size)
        self._taken[s, a] = self._taken.get((s, a), 0) + size


def _one_action(to_x: Fraction, rewards: Rewards) -> ExactMDP:
    p = [[[Fraction(0), to_x, 1 - to_x]], [leads_to(X, 3)], [leads_to(Y, 3)]]
    return mdp.deterministic(p, [[HALF], [rewards[0]], [rewards[1]]], GAMMA)


def _two_actions(to_x: Fraction, rewards: Rewards, in_z: Rewards) -> ExactMDP:
    rows = [[Fraction(0), to_x, 1 - to_x, Fraction(0)], *(leads_to(s, 4) for s in (1, 2, 3))]
    r = [[HALF] * 2, [rewards[0]] * 2, [rewards[1]] * 2, list(in_z)]
    return mdp.deterministic([[row] * 2 for row in rows], r, GAMMA)


# A pair that is said to be unable to eliminate


@dataclass(frozen=True)
class Silenced:
    """A bandit whose models differ by `gap`·Δ at the arm that PTUM samples.

    Two more arms make the policies differ; their gap 0.09 is below 8Δ = 0.096, so every index is
    zero and line 18 takes the first arm. The models are exact; Δ is what the agent is told. The
    samples come from the task `plays`, which is the target but in tests.
    """

    gap: float = 3.0
    Delta: float = 0.012
    epsilon: float = 1.0
    n: int = 5000
    plays: int = TARGET

    @property
    def distance(self) -> Fraction:
        """What the models differ by at arm 0."""
        return written(self.gap) * written(self.Delta)

    @property
    def told(self) -> Algorithm1Inputs:
        """What PTUM is given."""
        return Algorithm1Inputs(written(self.epsilon), DELTA, self.n, written(self.Delta))


def silenced_models(silenced: Silenced) -> tuple[ExactMDP, ...]:
    """One state, γ = 0.9, deterministic rewards."""
    high, low = Fraction(59, 100), Fraction(1, 2)
    rows = ((Fraction(0), high, low), (silenced.distance, low, high))
    return deterministic_runs.arms(Fraction(9, 10), *rows)


def play_silenced(silenced: Silenced) -> DeterministicRun:
    """PTUM on deterministic rewards, in rationals, with the run in doubles as a second witness."""
    return deterministic_runs.run(silenced_models(silenced), silenced.told, silenced.plays)


def _admitted(silenced: Silenced, result: DeterministicRun) -> tuple[Statement, Statement]:
    return deterministic_runs.enters(silenced.told, Fraction(9, 10)), _stays_active(result)


def silenced_evaluation(silenced: Silenced) -> Evaluation:
    """The sentence after Lemma 4: where n̄ is infinite, samples of the pair eliminate nothing.

    Nothing is random here, so one run is every run. Without deviations n̄ = 32L/(gap - 4Δ), and it
    is infinite where the gap is at most 4Δ.
    """
    result = play_silenced(silenced)
    return Evaluation(
        premises=(
            *_admitted(silenced, result),
            Statement("samples of arm 0 against two", result.N.get((0, 0), 0), "≥", 2),
            Statement(
                "n̄ is infinite: gap at arm 0 against 4Δ",
                silenced.distance,
                "≤",
                4 * written(silenced.Delta),
            ),
        ),
        conclusion=Statement(
            "times that arm 0 eliminates the rival",
            result.eliminated.count((RIVAL, (0, 0))),
            "=",
            0,
        ),
    )


SHARP_FACTOR, SHARP_SHIFT = 23, 2.6
"""In place of 32 and 4 in Lemma 4, which its proof allows."""


def sharpened_evaluation(silenced: Silenced) -> Evaluation:
    """Repair: a gap above 2.6Δ eliminates after at most 23L/(gap - 2.6Δ) samples, and one more."""
    result = play_silenced(silenced)
    L = deterministic_runs.log_term(1, 3, silenced.n, 2, DELTA)
    gap, least = silenced.distance, written(SHARP_SHIFT) * written(silenced.Delta)
    return Evaluation(
        premises=(
            *_admitted(silenced, result),
            Statement("gap at arm 0 against 2.6Δ", gap, ">", least),
        ),
        conclusion=Statement(
            "samples of arm 0 but the last that eliminate the rival, times gap - 2.6Δ, against 23L",
            *compared((result.N.get((0, 0), 0) - 1) * (gap - least), "≤", SHARP_FACTOR * L),
        ),
    )


# What the cases show

NAMES = ("the target", "the rival", "the third model")
OF_ALL = (("γ", GAMMA), ("δ", DELTA), ("budget n", BUDGET), ("Δ", 0))


MILDER = SampledFork(third_rewards=(Fraction(3, 4), Fraction(1, 4)))
"""A third model that finds x a little better than y."""
LESS_IN_X, WIDER_GAP = Played(share_in_x=Fraction(13, 25)), Silenced(gap=3.9)

TEXT = "the {} fails a test after 1, …, N samples"

declare(
    check="lemma-4.transition/third-value",
    says="Data with which all three models pass every test beyond the printed n̄",
    instance=SampledFork(),
    evaluate=partial(fork_evaluation, version=Version.PRINTED),
    # three models over s0, x, y, and what was seen
    numbers=lambda fork: (
        *tasks(zip(NAMES, fork_models(fork), strict=True)),
        *OF_ALL,
        ("samples of (s0,0)", fork.N),
        ("of which to x, evenly spread", fork.in_x),
    ),
    fix="one sample less",
    fixed=SampledFork(N=10_733),
    broken={
        TEXT.format("target"): SampledFork(in_x=6000),
        TEXT.format("rival"): SampledFork(rival_to_x=Fraction(13, 20)),
        TEXT.format("third model"): SampledFork(third_to_x=Fraction(9, 10)),
    },
    repaired=partial(fork_evaluation, version=Version.REPAIRED),
    in_scope=MILDER,
)
declare(
    check="lemma-4.transition/third-value-played",
    says="A run of PTUM on E in which the rival outlives the printed n̄",
    instance=Played(),
    evaluate=partial(played_evaluation, version=Version.PRINTED),
    # three models over s0, x, y, z
    numbers=lambda played: (
        *tasks(zip(NAMES, played_models(played), strict=True)),
        *OF_ALL,
        ("ε", played.epsilon),
        ("share of the samples of s0 that went to x, evenly spread", played.share_in_x),
    ),
    fix="a third model with the rewards of the others in x and y",
    fixed=Played(third_rewards=IN_X),
    broken={
        deterministic_runs.ENTERS: Played(epsilon=Fraction(0)),
        "the target stays active": Played(share_in_x=Fraction(27, 50)),
    },
    repaired=partial(played_evaluation, version=Version.REPAIRED),
    in_scope=LESS_IN_X,
)
declare(
    check="text-elimination-impossible.impossible/silenced-arm",
    says="An arm with a gap of 3Δ and infinite n̄ that eliminates the model",
    instance=Silenced(),
    evaluate=silenced_evaluation,
    fix="a difference of 0.9Δ at arm 0 in place of 3Δ",
    fixed=Silenced(gap=0.9),
    broken={
        deterministic_runs.ENTERS: Silenced(Delta=0.014),
        "the target stays active": Silenced(plays=RIVAL),
        "samples of arm 0 against two": Silenced(n=1),
        "n̄ is infinite: gap at arm 0 against 4Δ": Silenced(gap=5.0),
    },
    repaired=sharpened_evaluation,
    in_scope=WIDER_GAP,
    # two models of one state
    numbers=lambda silenced: (
        *tasks(zip(NAMES, silenced_models(silenced), strict=False)),
        ("γ", Fraction(9, 10)),
        ("ε", written(silenced.epsilon)),
        ("Δ", written(silenced.Delta)),
        ("δ", DELTA),
        ("budget n", silenced.n),
    ),
)
