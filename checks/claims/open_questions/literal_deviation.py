"""σ^p as Section 2 defines it, with line 2 repaired: the target still falls, and the run errs.

The instance of E05 needs an index of zero to keep PTUM at one pair, which the repaired line 2
forbids. This one does not. Eight states: a lottery s0 over three absorbing states x, z, y that pay
1, 1/2 and 0, and the two blocks of E01, in which the two models differ by just over 8Δ, so that no
policy stops and the blocks carry almost no information. The lottery's mean differs by 16Δ, so PTUM
asks it, but its deviation is so large that the means are not told apart for a long time.

The true tasks pay Δ less in x and Δ more in y. Their values spread less, so the *literal* deviation
of the target, of V* under p, is what the approximate model says, of Ṽ* under p̃; the deviation that
the tests see, of Ṽ* under p, exceeds both by almost Δ/(1-γ). Test (4) finds that out first and the
target falls. Its rival has the right deviation, survives, and its policy loses more than ε.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP, Vector
from ptum.checks.instances.counterexamples.shared import blocks
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Outcome, Statement, formula_lines, premise_lines, unmet
from ptum.checks.verdicts.probability_search import Design, Plan, judge_count, planned
from ptum.checks.verdicts.search import in_squares
from ptum.reference.arrays import Floats, Ints, above
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer.confidence import log_term, log_term_sigma, width_p, width_sigma_p
from ptum.spec.vocabulary import CheckKind

DELTA, N_BUDGET = 0.1, 200_000
ALPHA = 1e-4
SAMPLES = 140_000
"""How many samples of the lottery are drawn; the target falls after 105 000 to 135 000."""
TARGET, RIVAL = 0, 1
S0, X, Y, Z = 0, 1, 2, 3
FIRST_BLOCK, STATES = 4, 8


@dataclass(frozen=True)
class LotteryNumbers:
    """What the instance is made of; `spread` is τ: the lottery's deviation is τ/(2(1-γ))."""

    gamma: Fraction = Fraction(99, 100)
    Delta: Fraction = Fraction(1, 50)
    spread: Fraction = Fraction(19, 20)
    lottery_gap: Fraction = Fraction(16)
    beyond: Fraction = Fraction(1, 20_000)

    @property
    def epsilon(self) -> Fraction:
        """The ε for which Δ equals the repaired threshold."""
        return 18 * (1 + self.gamma) * self.Delta / (1 - self.gamma)

    @property
    def block_gap(self) -> Fraction:
        """8Δ and a little more, so that nothing stops."""
        return 8 * self.Delta * (1 + self.beyond)

    @property
    def shrunk(self) -> Fraction:
        """Range of the true values over that of the approximate ones."""
        return 1 - 2 * self.Delta


def _lottery(spread: Fraction, shift: Fraction) -> list[Fraction]:
    """P(x) and P(y) of spread²/2 each, moved by ±shift; the rest goes to z."""
    row = [Fraction(0)] * STATES
    row[X], row[Y] = spread**2 / 2 + shift, spread**2 / 2 - shift
    row[Z] = 1 - spread**2
    return row


def _task(
    numbers: LotteryNumbers, row: list[Fraction], pull: Fraction, own: int, block_gap: Fraction
) -> ExactMDP:
    """A task with this lottery, whose x and y pay `pull` towards 1/2, and a base block `own`."""
    one = Fraction(1)
    p = [[row, row]]
    r = [[one / 2] * 2, [1 - pull] * 2, [pull] * 2, [one / 2] * 2]
    for state in (X, Y, Z):
        p.append([[one if s == state else one * 0 for s in range(STATES)]] * 2)
    for state in range(FIRST_BLOCK, STATES):
        high = state - state % 2
        signs = (0, 0) if (state - FIRST_BLOCK) // 2 == own else (-1, 1)
        p.append([blocks.row(STATES, high, sign * block_gap) for sign in signs])
        r.append([blocks.rewards(sign * block_gap)[state % 2] for sign in signs])
    return mdp.deterministic(p, r, numbers.gamma)


def approximate(numbers: LotteryNumbers) -> tuple[ExactMDP, ExactMDP]:
    """Target and rival as the agent has them: the target's lottery spreads too little."""
    moved = numbers.lottery_gap * numbers.Delta * (1 - numbers.gamma)
    narrow = _lottery(numbers.spread * numbers.shrunk, Fraction(0))
    wide = _lottery(numbers.spread, moved)
    gap, none = numbers.block_gap, Fraction(0)
    return _task(numbers, narrow, none, 0, gap), _task(numbers, wide, none, 1, gap)


def true(numbers: LotteryNumbers) -> tuple[ExactMDP, ExactMDP]:
    """The tasks: the target's lottery is a little better and spreads more, its block is worse.

    In the block where the rival's policy loses, the target is worse for it by another Δ in reward
    and in transition, and better for its own policy by the same.
    """
    Delta = numbers.Delta
    step = Delta * (1 - numbers.gamma)
    target = _lottery(numbers.spread, step)
    rival = _lottery(numbers.spread / numbers.shrunk, numbers.lottery_gap * step)
    return (
        _task(numbers, target, Delta, 0, numbers.block_gap + Delta),
        _task(numbers, rival, Delta, 1, numbers.block_gap),
    )


# Premises, in exact arithmetic


def deviations_apart(first: Fraction, second: Fraction, most: Fraction) -> bool:
    """|√first - √second| > most, for two variances and without a root."""
    left, right = in_squares(first, second, most**2)
    return left > right


def literal_errors_hold(numbers: LotteryNumbers) -> Iterator[Statement]:
    """Assumption 1 with Δ for all four constants, σ^p being the deviation of the true V*.

    The transition line is the repaired one: it also covers the values of transferred policies.
    """
    models, tasks, Delta = approximate(numbers), true(numbers), numbers.Delta
    pairs = [(s, a) for s in range(STATES) for a in (0, 1)]
    rewards = max(
        abs(t.r[s][a] - m.r[s][a]) for t, m in zip(tasks, models, strict=True) for s, a in pairs
    )
    yield Statement("largest error of a reward against Δ", rewards, "≤", Delta)
    moved = max(
        abs(mdp.inner(t.p[s][a], V) - mdp.inner(m.p[s][a], V))
        for t, m in zip(tasks, models, strict=True)
        for V in _values(models)
        for s, a in pairs
    )
    yield Statement("largest error of a transition against Δ", moved, "≤", Delta)
    values = [
        (mdp.optimal_value(t), mdp.optimal_value(m)) for t, m in zip(tasks, models, strict=True)
    ]
    far = sum(
        deviations_apart(mdp.variance(t.p[s][a], V), mdp.variance(m.p[s][a], V_tilde), Delta)
        for t, m in zip(tasks, models, strict=True)
        for V, V_tilde in values
        for s, a in pairs
    )
    yield Statement("literal deviations more than Δ apart", far, "=", 0)


def _values(models: tuple[ExactMDP, ExactMDP]) -> list[Vector]:
    policies = [mdp.optimal_policy(theta) for theta in models]
    return [mdp.policy_value(theta, pi) for theta in models for pi in policies]


def run_premises(numbers: LotteryNumbers) -> Iterator[Statement]:
    """Transfer mode under the repaired line 2, no stop, and (s0,0) has the largest index."""
    models, Delta = approximate(numbers), numbers.Delta
    threshold = mdp.transfer_threshold(numbers.epsilon, numbers.gamma, mdp.SHARP_FACTOR)
    yield Statement("Δ against (1-γ)ε/(18(1+γ))", Delta, "≤", threshold)
    yield Statement("ε against the largest value", numbers.epsilon, "<", 1 / (1 - numbers.gamma))
    yield Statement(
        "no stop: smallest worst loss against the slack",
        mdp.smallest_worst_loss(models),
        ">",
        mdp.stopping_slack(numbers.epsilon, Delta, numbers.gamma),
    )
    lottery, elsewhere = (
        max(
            mdp.information(theta, other, s, 0, Delta)
            for theta in models
            for other in models
            for s in states
        )
        for states in ((S0,), range(FIRST_BLOCK, STATES))
    )
    yield Statement("index of the lottery against that of the blocks", lottery, ">", elsewhere)


def rival_loss(numbers: LotteryNumbers) -> Fraction:
    """What the rival's policy loses in the true target."""
    return mdp.loss(true(numbers)[TARGET], mdp.optimal_policy(approximate(numbers)[RIVAL]))


def premises(numbers: LotteryNumbers) -> tuple[Statement, ...]:
    """All of them, and that returning the rival's policy is a mistake."""
    return (
        *literal_errors_hold(numbers),
        *run_premises(numbers),
        Statement(
            "true loss of the rival's policy against ε", rival_loss(numbers), ">", numbers.epsilon
        ),
    )


# Runs


@cache
def task_set(numbers: LotteryNumbers) -> TaskSet:
    """The instance in doubles, for the literal code."""
    models = approximate_models([mdp.rounded(theta) for theta in approximate(numbers)])
    return TaskSet("lottery", tuple(mdp.rounded(theta) for theta in true(numbers)), models)


@dataclass(frozen=True)
class Falls:
    """After how many samples of the lottery each model fails a test; None if it does not."""

    target: int | None
    rival: int | None

    @property
    def target_first(self) -> bool:
        """The run ends with the rival alone, whose policy it returns."""
        return self.target is not None and (self.rival is None or self.target < self.rival)


@dataclass(frozen=True, eq=False)
class Lottery:
    """Mean and deviation of the next value after N = 2, 3, … samples of (s0,0).

    Both models agree on x, y and z, so one value function is enough; the reward of s0 is
    deterministic and the same in all tasks, so tests (1) and (3) never fail there.
    """

    N: Ints
    mean: Floats
    deviation: Floats


def draw_lottery(numbers: LotteryNumbers, rng: np.random.Generator, samples: int) -> Lottery:
    """Samples of the pair, as a run sees them: while both models are active, the pair stays."""
    tasks = task_set(numbers)
    row, V = tasks.true[TARGET].p[S0, 0], tasks.approximate.V_star[TARGET]
    u = rng.random(samples)
    to_x, to_y = u < row[X], u >= 1 - row[Y]
    N = np.arange(1, samples + 1)
    half = (V[X] - V[Y]) / 2
    mean = np.cumsum(to_x.astype(np.int8) - to_y.astype(np.int8), dtype=np.int64) / N
    square = np.cumsum(to_x | to_y, dtype=np.int64) / N
    spread = np.sqrt((square - mean**2)[1:] * (N[1:] / (N[1:] - 1)))
    return Lottery(N[1:], V[Z] + half * mean[1:], half * spread)


def first_failure(seen: Lottery, theta: int, models: ApproximateModels, Delta: float) -> int | None:
    """The first count at which a model fails (2) or (4) at (s0,0), one Δ in all tests (D02)."""
    L = log_term(models.S, models.A, N_BUDGET, models.k, DELTA)
    L_sigma = log_term_sigma(models.S, models.A, N_BUDGET, models.k, DELTA)
    mean = float(models.p[theta, S0, 0] @ models.V_star[TARGET])
    deviation = float(models.sigma_p[theta, S0, 0, TARGET])
    C_p = width_p(seen.deviation, seen.N, L, models.gamma, Delta)
    C_sigma_p = width_sigma_p(seen.N, L_sigma, models.gamma, Delta)
    failing = above(np.abs(seen.mean - mean), C_p)
    failing |= above(np.abs(seen.deviation - deviation), C_sigma_p)
    return int(seen.N[np.argmax(failing)]) if failing.any() else None


def play(numbers: LotteryNumbers, rng: np.random.Generator, samples: int = SAMPLES) -> Falls:
    """One run, up to the first fall of either model."""
    seen = draw_lottery(numbers, rng, samples)
    models, Delta = task_set(numbers).approximate, float(numbers.Delta)
    return Falls(*(first_failure(seen, theta, models, Delta) for theta in (TARGET, RIVAL)))


@check(
    "lemma-3.coverage/repaired-line-2",
    CheckKind.PROBABILITY,
    "P(E fails) ≤ δ with σ^p of V*, where line 2 is the repaired one",
    alpha=ALPHA,
)
@check(
    "theorem-1.correct/literal-deviation",
    CheckKind.PROBABILITY,
    "P(the returned policy is not ε-optimal) ≤ δ, with σ^p of V* and line 2 repaired",
    alpha=ALPHA,
)
def literal_reading(context: Context, numbers: LotteryNumbers | None = None) -> Outcome:
    """How often the target falls first; other numbers are for tests of this."""
    chosen, trials = numbers or LotteryNumbers(), context.count(28, 340, 400)
    planned(context, Plan(Design(DELTA, trials, ALPHA)))
    stated = premises(chosen)
    if failed := unmet(stated):
        return failed
    failures = sum(play(chosen, context.generator(i)).target_first for i in range(trials))
    found = (
        f"conclusion the target fell first in {failures} of {trials} runs, after which the "
        f"rival's policy is returned; allowed is a probability of {DELTA}"
    )
    explanation = (*premise_lines(stated), found)
    return judge_count(failures, trials, DELTA, ALPHA, explanation, lambda: failing_test(chosen))


def failing_test(numbers: LotteryNumbers) -> tuple[str, ...]:
    """Test (4) at the lottery, which the target fails, after the last sample that is drawn."""
    models = task_set(numbers).approximate
    known = (
        *(("S", models.S), ("A", models.A), ("k", models.k), ("n", N_BUDGET), ("delta", DELTA)),
        *(("N", SAMPLES), ("gamma", numbers.gamma), ("Delta_sigma_p", numbers.Delta)),
    )
    return formula_lines(formulas.APPENDIX_B + "WIDTH_SIGMA_P", known)
