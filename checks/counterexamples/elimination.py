"""Lemma 4 with the two-argument gap (erratum E08), and a pair that "cannot" eliminate (E21).

`Fork`: from s0 one moves to x or y, which are absorbing. The target goes to x with probability
1/2, the rival with 0.55, and both find 1 in x and 0 in y. A third model finds 1/2 in both, so its
value has no deviation. The printed n̄ takes that deviation together with the gap of the target's
value. While the share of samples in x lies half way between target and rival, both pass every
test long after the printed count.

With one action PTUM would stop at once, and the walk looks at the tests alone. With a state z, in
which target and rival disagree about the better of two actions, PTUM itself gets there: it asks x
until the third model has fallen and then s0 until the rival falls.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from checks import formulas
from checks.appendix_b.confidence import target_falls
from checks.appendix_b.runs import phases, target_active
from checks.counterexamples.catalogue import Case, Numbers, Told
from checks.counterexamples.shown import tasks
from checks.engine.blocks import BlockSimulator
from checks.engine.pair_path import path_of
from checks.engine.ptum import transfer_mode
from checks.outcome import Formed, Statement, Walk
from reference import elimination as printed
from reference.arrays import Floats, Ints
from reference.assumptions import single
from reference.confidence import log_term
from reference.mdp import MDP, deterministic_rewards
from reference.models import ApproximateModels, approximate_models
from reference.ptum import PtumResult
from reference.repaired import elimination as repaired
from reference.stopping import enters_transfer_mode
from spec.vocabulary import Version

GAMMA, DELTA, BUDGET = 0.5, 0.1, 20_000
TARGET, RIVAL, THIRD = 0, 1, 2
IN_X, IN_Y = (1.0, 0.0), (0.5, 0.5)
"""Rewards in x and y, according to target and rival, and according to the third model."""


# The dropped third argument


@dataclass(frozen=True)
class Fork:
    """N samples of (s0,0), a given share of which went to x, spread evenly."""

    rival_to_x: float = 0.55
    third_rewards: tuple[float, float] = IN_Y
    third_to_x: float = 0.5
    N: int = 10_734
    in_x: int = 5635


def fork_models(fork: Fork) -> ApproximateModels:
    """States s0, x, y and one action; target, rival and the third model."""
    return approximate_models(
        [
            _one_action(0.5, IN_X),
            _one_action(fork.rival_to_x, IN_X),
            _one_action(fork.third_to_x, fork.third_rewards),
        ]
    )


def fork_walk(fork: Fork, version: Version) -> Walk:
    """Lemma 4 turned round: if target and rival are active, then N ≤ n̄ of the rival."""
    models = fork_models(fork)
    path = path_of(np.full(fork.N, 0.5), 2 - _spread(fork.in_x, fork.N), models.V_star)
    names = ("target", "rival", "third model")
    falls = [
        target_falls(path, 0, 0, theta, models, single(0.0), BUDGET, DELTA) for theta in range(3)
    ]
    told = zip(names, falls, strict=True)
    return Walk(
        premises=tuple(
            Statement(f"the {name} fails a test after 1, …, N samples", fell, "=", False)
            for name, fell in told
        ),
        conclusion=Statement(
            "samples of (s0,0) against n̄ of the rival",
            fork.N,
            "≤",
            float(n_bar(models, tuple(range(3)), version)[0, 0]),
            *formula(models, version),
        ),
    )


def formula(models: ApproximateModels, version: Version) -> Formed:
    """n̄ with the numbers that all pairs share."""
    name = "N_BAR" if version is Version.PRINTED else "N_BAR_REPAIRED"
    sizes = (("S", models.S), ("A", models.A), ("k", models.k), ("n", BUDGET))
    known = (("delta", DELTA), ("Delta", 0), ("gamma", models.gamma))
    return formulas.APPENDIX_B + name, (*sizes, *known)


def n_bar(models: ApproximateModels, active: tuple[int, ...], version: Version) -> Floats:
    """n̄ of the rival at Δ = 0."""
    counts = printed.n_bar if version is Version.PRINTED else repaired.n_bar
    L = log_term(models.S, models.A, BUDGET, models.k, DELTA)
    return counts(RIVAL, TARGET, active, models, 0.0, L)


@dataclass(frozen=True)
class Played:
    """The fork with a state z and two actions, for PTUM itself to play."""

    epsilon: float = 0.008
    third_rewards: tuple[float, float] = IN_Y
    share_in_x: float = 0.524


def played_models(played: Played) -> ApproximateModels:
    """States s0, x, y, z and two actions, which differ in z alone."""
    better_first, better_second = (0.5, 0.495), (0.495, 0.5)
    return approximate_models(
        [
            _two_actions(0.5, IN_X, better_first),
            _two_actions(0.55, IN_X, better_second),
            _two_actions(0.5, played.third_rewards, better_first),
        ]
    )


def play(played: Played) -> PtumResult:
    """PTUM on samples of the target that have the given share of x, evenly spread."""
    models = played_models(played)
    return transfer_mode(
        models,
        _EvenlySpread(models.tasks[TARGET], played.share_in_x),
        epsilon=played.epsilon,
        delta=DELTA,
        n=BUDGET,
        errors=single(0.0),
    )


def played_walk(played: Played, version: Version) -> Walk:
    """In no pass of the run with the rival active does a pair have more than n̄ samples."""
    models, result = played_models(played), play(played)
    ratio, told = max(
        (
            (
                float(np.max(phase.N / n_bar(models, phase.active, version))),
                f"{phase.pair}, n̄ = {n_bar(models, phase.active, version)[phase.pair]:.0f}",
            )
            for phase in phases(result, models, 0.0)
            if RIVAL in phase.active
        ),
        default=(0.0, "none"),
    )
    return Walk(
        premises=(
            Statement("transfer mode", enters_transfer_mode(0.0, played.epsilon, GAMMA), "=", True),
            Statement("the target stays active", target_active(result, TARGET), "=", True),
        ),
        conclusion=Statement(
            f"most samples of a pair ({told}) while the rival is active, in units of n̄",
            ratio,
            "≤",
            1,
            *formula(models, version),
        ),
    )


class _EvenlySpread(BlockSimulator):
    """s0 leads to x in a fixed share of the samples; all else is certain."""

    def __init__(self, theta: MDP, share_in_x: float) -> None:
        super().__init__(theta, seed=0)
        self._share = share_in_x
        self._taken: dict[tuple[int, int], int] = {}

    def peek(self, s: int, a: int, size: int) -> tuple[Ints, Ints]:
        """The coming samples; those of s0 in the fixed order."""
        rewards, successors = super().peek(s, a, size)
        if s == 0:
            taken = self._taken.get((s, a), 0)
            went_to_x = np.floor(np.arange(taken, taken + size + 1) * self._share).astype(np.int64)
            successors = 2 - np.diff(went_to_x)
        return rewards, successors

    def take(self, s: int, a: int, size: int) -> None:
        """Go on in the fixed order."""
        super().take(s, a, size)
        self._taken[s, a] = self._taken.get((s, a), 0) + size


def _one_action(to_x: float, rewards: tuple[float, float]) -> MDP:
    p = np.zeros((3, 1, 3))
    p[0, 0, 1:] = to_x, 1 - to_x
    p[1, 0, 1] = p[2, 0, 2] = 1
    return deterministic_rewards(p, np.array([[0.5], [rewards[0]], [rewards[1]]]), GAMMA)


def _two_actions(to_x: float, rewards: tuple[float, float], in_z: tuple[float, float]) -> MDP:
    p = np.zeros((4, 2, 4))
    p[0, :, 1], p[0, :, 2] = to_x, 1 - to_x
    for absorbing in (1, 2, 3):
        p[absorbing, :, absorbing] = 1
    r = np.array([[0.5, 0.5], [rewards[0]] * 2, [rewards[1]] * 2, in_z])
    return deterministic_rewards(p, r, GAMMA)


def _spread(ones: int, size: int) -> Ints:
    """`ones` ones among `size` zeros and ones, as evenly as whole numbers allow."""
    marks = np.arange(size + 1) * ones // size
    return np.diff(marks).astype(np.int64)


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


def silenced_models(silenced: Silenced) -> ApproximateModels:
    """One state, γ = 0.9, certain rewards."""
    first = silenced.gap * silenced.Delta
    arms = ([0.0, 0.59, 0.50], [first, 0.50, 0.59])
    stay = np.ones((1, 3, 1))
    return approximate_models([deterministic_rewards(stay, np.array([r]), 0.9) for r in arms])


def play_silenced(silenced: Silenced) -> PtumResult:
    """PTUM on certain rewards."""
    models = silenced_models(silenced)
    return transfer_mode(
        models,
        BlockSimulator(models.tasks[silenced.plays], seed=0),
        epsilon=silenced.epsilon,
        delta=DELTA,
        n=silenced.n,
        errors=single(silenced.Delta),
    )


def _admitted(silenced: Silenced, result: PtumResult) -> tuple[Statement, Statement]:
    entered = enters_transfer_mode(silenced.Delta, silenced.epsilon, 0.9)
    return (
        Statement("transfer mode", entered, "=", True),
        Statement("the target stays active", target_active(result), "=", True),
    )


def silenced_walk(silenced: Silenced) -> Walk:
    """The sentence after Lemma 4: where n̄ is infinite, samples of the pair eliminate nothing.

    Nothing is random here, so one run is every run.
    """
    models, result = silenced_models(silenced), play_silenced(silenced)
    L = log_term(models.S, models.A, silenced.n, models.k, DELTA)
    counts = repaired.n_bar(RIVAL, TARGET, (TARGET, RIVAL), models, silenced.Delta, L)
    by_first = [e for e in result.eliminations if e.theta == RIVAL and (e.s, e.a) == (0, 0)]
    return Walk(
        premises=(
            *_admitted(silenced, result),
            Statement("samples of arm 0 against two", float(result.N[0, 0]), "≥", 2),
            Statement("1/n̄ of the rival at arm 0", 1 / float(counts[0, 0]), "=", 0),
        ),
        conclusion=Statement("times that arm 0 eliminates the rival", len(by_first), "=", 0),
    )


SHARP_FACTOR, SHARP_SHIFT = 23.0, 2.6
"""In place of 32 and 4 in Lemma 4, which its proof allows."""


def sharpened_walk(silenced: Silenced) -> Walk:
    """Repair: a gap above 2.6Δ eliminates after at most 23L/(gap - 2.6Δ) samples, and one more."""
    models, result = silenced_models(silenced), play_silenced(silenced)
    L = log_term(models.S, models.A, silenced.n, models.k, DELTA)
    gap, least = silenced.gap * silenced.Delta, SHARP_SHIFT * silenced.Delta
    bound = SHARP_FACTOR * L / (gap - least) if gap > least else math.inf
    return Walk(
        premises=(
            *_admitted(silenced, result),
            Statement("gap at arm 0 against 2.6Δ", gap, ">", least),
        ),
        conclusion=Statement(
            "samples of arm 0 when the rival falls", float(result.N[0, 0]), "≤", bound + 1
        ),
    )


# What the cases show

NAMES = ("the target", "the rival", "the third model")
OF_ALL = (("γ", GAMMA), ("δ", DELTA), ("budget n", BUDGET), ("Δ", 0))


def numbers_of_fork() -> Numbers:
    """Three models over s0, x, y, and what was seen."""
    fork = Fork()
    return (
        *tasks(zip(NAMES, fork_models(fork).tasks, strict=True)),
        *OF_ALL,
        ("samples of (s0,0)", fork.N),
        ("of which to x, evenly spread", fork.in_x),
    )


def numbers_of_play() -> Numbers:
    """Three models over s0, x, y, z."""
    played = Played()
    return (
        *tasks(zip(NAMES, played_models(played).tasks, strict=True)),
        *OF_ALL,
        ("ε", played.epsilon),
        ("share of the samples of s0 that went to x, evenly spread", played.share_in_x),
    )


def numbers_of_silenced() -> Numbers:
    """Two models of one state."""
    silenced = Silenced()
    return (
        *tasks(zip(NAMES, silenced_models(silenced).tasks, strict=False)),
        ("γ", 0.9),
        ("ε", silenced.epsilon),
        ("Δ", silenced.Delta),
        ("δ", DELTA),
        ("budget n", silenced.n),
    )


def _of_fork(fork: Fork, version: Version = Version.PRINTED) -> Told:
    return partial(fork_walk, fork, version)


def _of_play(played: Played, version: Version = Version.PRINTED) -> Told:
    return partial(played_walk, played, version)


TEXT = "the {} fails a test after 1, …, N samples"

CASES = (
    Case(
        checks=("lemma-4.transition/third-value",),
        numbers=numbers_of_fork,
        told=_of_fork(Fork()),
        undo="one sample less",
        undone=_of_fork(Fork(N=10_733)),
        broken={
            TEXT.format("target"): _of_fork(Fork(in_x=6000)),
            TEXT.format("rival"): _of_fork(Fork(rival_to_x=0.65)),
            TEXT.format("third model"): _of_fork(Fork(third_to_x=0.9)),
        },
        repaired=_of_fork(Fork(), Version.REPAIRED),
        sibling=_of_fork(Fork(third_rewards=(0.75, 0.25)), Version.REPAIRED),
    ),
    Case(
        checks=("lemma-4.transition/third-value-played",),
        numbers=numbers_of_play,
        told=_of_play(Played()),
        undo="a third model with the rewards of the others in x and y",
        undone=_of_play(Played(third_rewards=IN_X)),
        broken={
            "transfer mode": _of_play(Played(epsilon=0.0)),
            "the target stays active": _of_play(Played(share_in_x=0.54)),
        },
        repaired=_of_play(Played(), Version.REPAIRED),
        sibling=_of_play(Played(share_in_x=0.52), Version.REPAIRED),
    ),
    Case(
        checks=("text-elimination-impossible.impossible/silenced-arm",),
        numbers=numbers_of_silenced,
        told=partial(silenced_walk, Silenced()),
        undo="a difference of 0.9Δ at arm 0 in place of 3Δ",
        undone=partial(silenced_walk, Silenced(gap=0.9)),
        broken={
            "transfer mode": partial(silenced_walk, Silenced(Delta=0.014)),
            "the target stays active": partial(silenced_walk, Silenced(plays=RIVAL)),
            "samples of arm 0 against two": partial(silenced_walk, Silenced(n=1)),
            "1/n̄ of the rival at arm 0": partial(silenced_walk, Silenced(gap=5.0)),
        },
        repaired=partial(sharpened_walk, Silenced()),
        sibling=partial(sharpened_walk, Silenced(gap=3.9)),
    ),
)
