"""Lemma 2 for every distribution with |X| ≤ c: proved, with the numbers as exact tables.

Rescaled to X in [0,1] the lemma is about one side at a time. With x = log(4/δ)/(n-1), v the sample
variance over n and d = E[X] minus the sample mean, a miss is d > √(2vx) + 7x/6, and each side may
miss with probability 2e^{-ℓ}, ℓ = log(4/δ). Write v = xz²/2 and d = xD: a miss is D > z + 7/6.

Three kinds of event cover all misses (docs/open_questions.md has the proof):

- a *tilt* 0 < λ < 1: Π(1 + Λ(E[X]-X_i)) ≥ e^{kℓ} for a Λ made from λ, of probability at most
  e^{-kℓ}. It contains every miss with z_low ≤ z ≤ z_high if λ(z + 7/6) - ψ(λ)z²/2 ≥ k at both
  ends, ψ(λ) = -log(1-λ) - λ, and every miss with z ≤ z_low and D ≥ z_low + 7/6;
- *too much spread*, v > ux: at most e^{-ℓ(u log(u/s) - u + s)}, where Var[X] = sx and u ≥ s;
- *too little spread*, v + d² < qx: at most e^{-ℓ(s - q + q log(q/s))}, where q ≤ s.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact import binomial
from ptum.checks.exact.intervals import Between, compared, enclosed, exp, log
from ptum.checks.exact.numbers import a_number, is_above, max_by, max_of, min_of
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Formed, Outcome, Statement, over_evaluations
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import ROUNDING, Bools, Floats, Ints, above
from ptum.reference.transfer.analysis.concentration import empirical_bernstein_width
from ptum.spec.vocabulary import CheckKind

RANGE_TERM = Fraction(7, 6)
"""7c/3 in units of the range 2c."""
SMALLEST_LOG = log(4)
"""log(4/δ) for δ = 1; a larger one only makes the shares of the later events smaller."""


@dataclass(frozen=True)
class Tilt:
    """λ, the level k, and the interval of z that the tilt covers."""

    tilt: Fraction
    level: Fraction
    z_low: Fraction
    z_high: Fraction


@dataclass(frozen=True)
class EventCover:
    """Which events cover the misses of a distribution with s_low ≤ Var[X]/x ≤ s_high.

    Without `low_spread` the first tilt begins at z = 0.
    """

    s_low: Fraction
    s_high: Fraction
    tilts: tuple[Tilt, ...]
    low_spread: bool

    @property
    def most_spread(self) -> Fraction:
        """u = z_high²/2 of the last tilt."""
        return self.tilts[-1].z_high ** 2 / 2

    def least_spread(self, s: Fraction) -> Fraction:
        """q: what v + d² is below, in units of x, at a miss that the tilt does not cover.

        There z < z_low and D < z_low + 7/6, and x ≤ 1/(4s) because Var[X] ≤ 1/4.
        """
        z = self.tilts[0].z_low
        return z**2 / 2 + (z + RANGE_TERM) ** 2 / (4 * s)


def _plan(s_low: str, s_high: str, tilt: str, z_low: str, z_high: str) -> EventCover:
    only = Tilt(Fraction(tilt), Fraction(1), Fraction(z_low), Fraction(z_high))
    return EventCover(Fraction(s_low), Fraction(s_high), (only,), low_spread=True)


TWO_TILTS = EventCover(
    Fraction(0),
    Fraction(4),
    (
        Tilt(Fraction(7, 8), Fraction(51, 50), Fraction(0), Fraction(29, 20)),
        Tilt(Fraction(9, 20), Fraction(51, 50), Fraction(29, 20), Fraction(116, 25)),
    ),
    low_spread=False,
)
"""Small variances: two tilts of level 1.02 and too much spread."""

PLANS = (
    TWO_TILTS,
    _plan("4", "4.5", "0.49", "1.15", "4.2"),
    _plan("4.5", "5.75", "0.46", "1.3", "4.6"),
    _plan("5.75", "9", "0.4", "1.8", "5.45"),
    _plan("9", "16.75", "0.32", "2.75", "7"),
    _plan("16.75", "31.25", "0.25", "4.15", "9.15"),
    _plan("31.25", "59.5", "0.19", "6.2", "12.15"),
    _plan("59.5", "116.5", "0.14", "9.4", "16.5"),
    _plan("116.5", "193.25", "0.11", "12.8", "20.9"),
)
"""All variances up to 193x; beyond 175x the tilts of `tail_plan` take over."""
TAIL_FROM = Fraction(175)
LARGEST_TAIL_TILT = Fraction(1, 10)


# The tables, in exact arithmetic


def reach(tilt: Fraction, z: Fraction) -> Fraction:
    """A lower bound of λ(z + 7/6) - ψ(λ)z²/2, concave in z."""
    psi_above = -log(1 - tilt).low - tilt
    return tilt * (z + RANGE_TERM) - psi_above * z**2 / 2


def too_much(u: Fraction, s: Fraction) -> Fraction:
    """A lower bound of u log(u/s) - u + s; decreasing in s up to u."""
    return u * log(u / s).low - u + s


def too_little(q: Fraction, s: Fraction) -> Fraction:
    """A lower bound of s - q + q log(q/s); increasing in s from q on."""
    return s - q + q * log(q / s).low


def levels(plan: EventCover) -> Iterator[Fraction]:
    """k for every event of the plan: its probability is at most e^{-kℓ}."""
    yield from (tilt.level for tilt in plan.tilts)
    yield too_much(plan.most_spread, plan.s_high)
    if plan.low_spread:
        yield too_little(plan.least_spread(plan.s_low), plan.s_low)


def shares(plan: EventCover) -> Iterator[Between]:
    """The events' probabilities at ℓ = log 4, in units of e^{-ℓ}; 2 is allowed."""
    return (exp(SMALLEST_LOG * (1 - level)) for level in levels(plan))


def plan_evaluations(plan: EventCover) -> Iterator[Evaluation]:
    """What the proof asks of one plan."""
    text = f"Var[X]/x in [{plan.s_low}, {plan.s_high}]"
    for tilt in plan.tilts:
        for z in (tilt.z_low, tilt.z_high):
            yield _claim(f"{text}: tilt {tilt.tilt} at z = {z}", reach(tilt.tilt, z), tilt.level)
    for before, after in pairwise(plan.tilts):
        yield _claim(f"{text}: no hole between tilts", before.z_high, after.z_low)
    yield _claim(f"{text}: spread above the variance", plan.most_spread, plan.s_high)
    if plan.low_spread:
        yield _claim(f"{text}: spread below", plan.s_low, plan.least_spread(plan.s_low))
    else:
        yield _claim(f"{text}: covered from z = 0 on", Fraction(0), plan.tilts[0].z_low)
    # a share above 1, which is that of a level below 1, would grow with log(4/δ)
    yield _claim(f"{text}: least level", min(levels(plan)), Fraction(1))
    total = sum(shares(plan), enclosed(0))
    yield Evaluation((), Statement(f"{text}: sum of the shares", *compared(total, "≤", 2)))


def tail_evaluations() -> Iterator[Evaluation]:
    """Variances from 175x on: tilts λ ≤ 1/10 at s = λ²/(2ψ(λ)²), with closed bounds.

    With g = 1 + (2/3)λ/(1-λ) ≥ 2ψ/λ²: too much spread has a level above 2/(λg²), too little one
    above (√(1/λ)/g - 1/√2 - 7/(12√s))²; both fall with λ, so λ = 1/10 decides.
    """
    tilt = LARGEST_TAIL_TILT
    psi_below = -log(1 - tilt).high - tilt
    yield _claim("tail begins in time", TAIL_FROM, tilt**2 / (2 * psi_below**2))
    g = 1 + Fraction(2, 3) * tilt / (1 - tilt)
    enough = Fraction(3, 2)
    yield _claim("tail: too much spread", 2 / (tilt * g**2), enough)
    root = Fraction(3162, 1000)  # below √10
    lost = Fraction(7072, 10_000) + Fraction(7, 12 * 13)  # above 1/√2, and √s above 13
    yield _claim("tail: root of ten", Fraction(10), root**2)
    yield _claim("tail: too little spread", (root / g - lost) ** 2, enough)


def table_evaluations(plans: tuple[EventCover, ...] = PLANS) -> list[Evaluation]:
    """All of it, and that the plans leave no variance out."""
    evaluations = [evaluation for plan in plans for evaluation in plan_evaluations(plan)]
    for before, after in pairwise(plans):
        evaluations.append(_claim("no variance left out", before.s_high, after.s_low))
    evaluations.append(_claim("tables reach the tail", plans[-1].s_high, TAIL_FROM))
    return [*evaluations, *tail_evaluations()]


def _claim(text: str, left: Fraction, right: Fraction) -> Evaluation:
    return Evaluation((), Statement(text, left, "≥", right))


@check("lemma-2.bernstein/general-laws", CheckKind.SYMBOLIC)
def general_laws(_: Context, plans: tuple[EventCover, ...] = PLANS) -> Outcome:
    """The inequalities of a proof for all distributions with |X| ≤ c, between exact fractions.

    The inequalities of the proof; other tables are for tests of this.
    """
    return over_evaluations(table_evaluations(plans), "inequalities of the proof")


# The covering itself, sample by sample


@dataclass(frozen=True)
class Distribution:
    """A distribution on values in [0,1], a number of samples and δ."""

    values: tuple[float, ...]
    weights: tuple[float, ...]
    n: int
    delta: float

    @property
    def x(self) -> float:
        """log(4/δ)/(n-1)."""
        return math.log(4 / self.delta) / (self.n - 1)

    @property
    def mean(self) -> float:
        """E[X]."""
        return float(np.dot(self.weights, self.values))

    @property
    def variance(self) -> float:
        """Var[X]."""
        return float(np.dot(self.weights, (np.array(self.values) - self.mean) ** 2))


def plan_for(s: float) -> EventCover:
    """The plan of a variance of s times x."""
    for plan in PLANS:
        if s <= plan.s_high:
            return plan
    return tail_plan(s)


def tail_plan(s: float) -> EventCover:
    """The tilt with λ²/(2ψ(λ)²) = s and the roots between which it reaches level 1.

    λ and the roots are doubles; the level is what it reaches at these, below 1 by rounding at most.
    """
    low, high = 0.0, float(LARGEST_TAIL_TILT)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if (middle / _psi(middle)) ** 2 / 2 > s else (low, middle)
    psi, b = _psi(high), float(RANGE_TERM)
    r = math.sqrt(1 - 2 * psi * (1 - high * b) / high**2)
    tilt = Fraction(high)
    z_low, z_high = (Fraction(math.sqrt(2 * s) * (1 + sign * r)) for sign in (-1, 1))
    level = min(reach(tilt, z_low), reach(tilt, z_high), Fraction(1))
    only = Tilt(tilt, level, z_low, z_high)
    return EventCover(Fraction(s), Fraction(s), (only,), low_spread=True)


def _psi(tilt: float) -> float:
    return -math.log1p(-tilt) - tilt


@dataclass(frozen=True, eq=False)
class SampleOutcomes:
    """Every outcome of n samples: how often each value was seen, with what that gives."""

    distribution: Distribution
    counts: Ints

    @property
    def means(self) -> Floats:
        """Sample means."""
        found: Floats = self.counts @ np.array(self.distribution.values) / self.distribution.n
        return found

    @property
    def spreads(self) -> Floats:
        """Sample variances over n."""
        away = np.array(self.distribution.values) - self.means[:, np.newaxis]
        found: Floats = np.sum(self.counts * away**2, axis=1) / self.distribution.n
        return found

    @property
    def probabilities(self) -> Floats:
        """Binomial or multinomial probabilities."""
        weights = self.distribution.weights
        if len(weights) == 2:
            return binomial.binomial(self.distribution.n, weights[1])[self.counts[:, 1]]
        return binomial.multinomial(self.counts, weights)

    @property
    def of_probabilities(self) -> float:
        """By which share a sum of these probabilities is off."""
        n, weights = self.distribution.n, self.distribution.weights
        if len(weights) == 2:
            return binomial.of_binomial(n)
        return binomial.of_multinomial(n, weights)

    def miss(self, widths: Floats) -> Bools:
        """The mean is farther from E[X] than the width, beyond rounding."""
        distribution = self.distribution
        off = binomial.of_sampled_means(distribution.n, distribution.delta, distribution.weights)
        return binomial.surely_misses(self.means, distribution.mean, widths, off)

    def misses_below(self) -> Bools:
        """The mean falls short of E[X] by more than the width, beyond rounding."""
        widths = (
            np.sqrt(2 * self.spreads * self.distribution.x)
            + float(RANGE_TERM) * self.distribution.x
        )
        return np.asarray(self.miss(widths) & above(self.distribution.mean, self.means))


def all_samples(distribution: Distribution) -> SampleOutcomes:
    """All counts of two or three values."""
    if len(distribution.values) == 2:
        K = np.arange(distribution.n + 1)
        return SampleOutcomes(distribution, np.stack([K, distribution.n - K], axis=1))
    return SampleOutcomes(distribution, binomial.compositions(distribution.n))


def covered(samples: SampleOutcomes, plan: EventCover) -> Bools:
    """Which outcomes lie in one of the plan's events, or miss it by rounding."""
    distribution = samples.distribution
    x, mean, off = distribution.x, distribution.mean, of_spreads(distribution)
    most = float(plan.most_spread) * x
    found = above(samples.spreads, most - off * (1 + most))
    if plan.low_spread:
        squares = samples.spreads + (mean - samples.means) ** 2
        least = float(plan.least_spread(plan.s_low)) * x
        found |= above(least + off * (1 + least), squares)
    for tilt in plan.tilts:
        reference = x * float(tilt.z_low + RANGE_TERM)
        if not is_above(reference, mean + off):  # otherwise no sample can fall so far short
            totals, level = tilted(samples, tilt, reference)
            found |= ~above(level - of_tilted(samples, tilt, reference), totals)
    return found


def of_spreads(distribution: Distribution) -> float:
    """How far v, v + d² and E[X] are off for values in [0,1], and by which share ux and qx.

    A distance x_i - mean of at most one is off by k + 3 halves of a rounding for k ≤ 3 values, v by
    twice that and k + 3 for squares and sum; d² by the k + 1 of two means, twice, and by what the
    weights miss, twice. A bound in units of x has fewer than sixteen operations, those of Var[X]/x
    included, which chooses the plan.
    """
    return 16 * ROUNDING + 2 * binomial.not_normalised(distribution.weights)


def tilted(samples: SampleOutcomes, tilt: Tilt, reference: float) -> tuple[Floats, float]:
    """log Π(1 + Λ(E[X]-X_i)) with Λ = λ/(1 - λ·reference), and kℓ; the event is that it is ≥."""
    logs: Floats = np.log1p(_steps(samples.distribution, tilt, reference))
    totals: Floats = samples.counts @ logs
    return totals, _level(samples, tilt)


def _steps(distribution: Distribution, tilt: Tilt, reference: float) -> Floats:
    """Λ(E[X]-x) for every value x."""
    found: Floats = _factor(tilt, reference) * (distribution.mean - np.array(distribution.values))
    return found


def _factor(tilt: Tilt, reference: float) -> float:
    return float(tilt.tilt) / (1 - float(tilt.tilt) * reference)


def _level(samples: SampleOutcomes, tilt: Tilt) -> float:
    return float(tilt.level) * math.log(4 / samples.distribution.delta)


def of_tilted(samples: SampleOutcomes, tilt: Tilt, reference: float) -> Floats:
    """How far the two sides of `tilted` are off, in roundings where halves of one are lost.

    The reference has eight operations, so Λ is off by the share 8Λ·reference + 3 and a step
    y = Λ(E[X]-x) by the share 8Λ·reference + 5, and by Λ times the k + 1 of E[X] and what the
    weights miss. As 1 + y ≥ 1 - λ, its logarithm is off by 1/(1-λ) times that and by its own
    rounding, and the sum by as many shares as there are values; kℓ has five operations.
    """
    distribution, factor = samples.distribution, _factor(tilt, reference)
    y = _steps(distribution, tilt, reference)
    k, logs = len(distribution.values), np.abs(np.log1p(y))
    of_mean = (k + 1) * ROUNDING + binomial.not_normalised(distribution.weights)
    of_steps = np.abs(y) * (8 * factor * reference + 5) * ROUNDING + factor * of_mean
    of_logs = of_steps / (1 - float(tilt.tilt)) + (k + 2) * ROUNDING * logs
    found: Floats = samples.counts @ of_logs + 5 * ROUNDING * _level(samples, tilt)
    return found


def covering_evaluation(distribution: Distribution) -> Evaluation:
    """Every miss below E[X] lies in an event of the plan."""
    samples, plan = all_samples(distribution), plan_for(distribution.variance / distribution.x)
    misses = samples.misses_below()
    escaped = misses & ~covered(samples, plan)
    return Evaluation(
        premises=(Statement("outcomes that miss", int(misses.sum()), "≥", 1),),
        conclusion=Statement(
            "misses outside every event",
            int(escaped.sum()),
            "=",
            0,
            *width_of_first(samples, escaped if escaped.any() else misses),
            tolerance=_largest_tolerance(samples, plan),  # of the events: far below one miss
        ),
    )


def width_for(distribution: Distribution, *variance: tuple[str, float]) -> Formed:
    """Lemma 2's width; where the variance varies with the outcomes, it is left out."""
    values = (("n_samples", distribution.n), ("c", 0.5), ("delta", distribution.delta), *variance)
    return formulas.APPENDIX_B + "EMPIRICAL_BERNSTEIN", values


def width_of_first(samples: SampleOutcomes, which: Bools) -> Formed:
    """Lemma 2's width for the first of some outcomes."""
    distribution, found = samples.distribution, np.flatnonzero(which)
    variances = samples.spreads[found[:1]] * distribution.n / (distribution.n - 1)
    return width_for(distribution, *(("variance_hat", variance) for variance in variances.tolist()))


def _largest_tolerance(samples: SampleOutcomes, plan: EventCover) -> float:
    """The most that is allowed for in any event."""
    x = samples.distribution.x
    of_tilts = [
        float(of_tilted(samples, tilt, x * float(tilt.z_low + RANGE_TERM)).max())
        for tilt in plan.tilts
        if not is_above(x * float(tilt.z_low + RANGE_TERM), samples.distribution.mean)
    ]
    of_spread = of_spreads(samples.distribution) * (1 + float(plan.most_spread) * x)
    return max_of((*of_tilts, of_spread, 0.0))


@st.composite
def laws(draw: DrawFn, most: int = 40) -> Distribution:
    """Two values and many samples, or three values; rare values in most draws."""
    share = st.sampled_from((0.5, 0.3, 0.1, 0.03, 0.01, 1e-3)) | st.floats(1e-3, 0.6)
    delta = draw(st.sampled_from((0.99, 0.5, 0.1, 1e-3, 1e-6)))
    first = draw(share)
    if draw(st.booleans()):
        n = draw(st.sampled_from((most, 300, 1500)))
        return Distribution((0.0, 1.0), (1 - first, first), n, delta)
    second = draw(share) * (1 - first)
    shuffled = draw(st.permutations((first, second, 1 - first - second)))
    middle = draw(st.integers(0, 20)) / 20
    n = draw(st.integers(10, most))
    return Distribution((0.0, middle, 1.0), (shuffled[0], shuffled[1], shuffled[2]), n, delta)


@check("lemma-2.bernstein/covered-misses", CheckKind.INEQUALITY)
def covering(context: Context) -> Outcome:
    """Each outcome of drawn distributions that misses lies in an event of that proof."""
    return search(context, laws(), covering_evaluation, (30, 500, 10_000))


# The attack: the largest failure probability


def failure_share(distribution: Distribution, samples: SampleOutcomes | None = None) -> float:
    """P(the mean misses on either side)/δ, with the reference's width and c = 1/2."""
    known = samples or all_samples(distribution)
    variance = known.spreads * distribution.n / (distribution.n - 1)
    widths = np.array(
        [
            empirical_bernstein_width(v, distribution.n, 0.5, distribution.delta)
            for v in variance.tolist()
        ]
    )
    return a_number(
        math.fsum(known.probabilities[known.miss(widths)].tolist()) / distribution.delta
    )


def missing_the_rare(n: int = 1000, delta: float = 0.999) -> Distribution:
    """The worst distribution known: 1 is so rare that n samples without it miss by the range term.

    P/δ is about δ^{1/6}/4^{7/6} ≤ 0.1987 for large n.
    """
    p = float(RANGE_TERM) * math.log(4 / delta) / (n - 1) * (1 + 1e-9)
    return Distribution((0.0, 1.0), (1 - p, p), n, delta)


def two_valued_share(range_term: float, n: int, delta: float) -> float:
    """The largest P/δ of misses below, over two-valued distributions, with another term than 7/6.

    A count K misses iff E[X] exceeds K/n plus its width, and smaller counts miss then as well, so
    the worst distributions are the n that make some K just miss. The tails may be far below any
    double.
    """
    from scipy.stats import binom  # here, because no check needs it and it takes long to load

    K = np.arange(n + 1)
    q, x = K / n, math.log(4 / delta) / (n - 1)
    p = q + np.sqrt(2 * q * (1 - q) * x) + range_term * x
    possible = p < 1
    tails = np.asarray(binom.logcdf(K[possible], n, p[possible]))
    return float(np.exp(tails.max() - math.log(delta)))


def attack(seed: int, effort: int, n: int = 30) -> tuple[float, Distribution]:
    """Climb from drawn three-point distributions with n samples towards the largest P/δ."""
    rng = np.random.default_rng(seed)
    best = (0.0, missing_the_rare(n))
    for _ in range(max(1, effort // 100)):
        distribution = _random_distribution(rng, n)
        height = failure_share(distribution)
        for _ in range(min(effort, 100)):
            other = _nudged(distribution, rng)
            found = failure_share(other)
            if not is_above(height, found):
                height, distribution = found, other
        best = max_by((best, (height, distribution)), lambda pair: pair[0])
    return best


def _random_distribution(rng: np.random.Generator, n: int) -> Distribution:
    w = rng.dirichlet((0.3, 0.3, 0.3))
    delta = float(10 ** -rng.uniform(0, 2))
    return Distribution((0.0, float(rng.random()), 1.0), (w[0], w[1], w[2]), n, delta)


def _nudged(distribution: Distribution, rng: np.random.Generator) -> Distribution:
    scale = rng.choice((0.3, 0.1, 0.03, 0.01))
    w = np.array(distribution.weights) * np.exp(3 * scale * rng.standard_normal(3))
    w /= w.sum()
    middle = float(np.clip(distribution.values[1] + scale * rng.standard_normal(), 0, 1))
    delta = min_of((distribution.delta * math.exp(3 * scale * rng.standard_normal()), 0.9999))
    return Distribution((0.0, middle, 1.0), (w[0], w[1], w[2]), distribution.n, delta)


def share_evaluation(share: float, distribution: Distribution) -> Evaluation:
    """P/δ ≤ 1; the quotient is rounded once more than the sum."""
    off = (all_samples(distribution).of_probabilities + ROUNDING) * share
    text = f"P(the mean misses by more than the width)/δ of {distribution}"
    return Evaluation((), Statement(text, share, "≤", 1.0, *width_for(distribution), tolerance=off))


@check("lemma-2.bernstein/attacked", CheckKind.INEQUALITY)
def attacked(context: Context) -> Outcome:
    """P(the mean misses) ≤ δ on distributions climbed towards the largest P/δ."""
    steps, n = context.count(25, 300, 20_000), max(12, context.count(12, 20, 40))
    share, distribution = attack(context.seed, steps, n)
    tried = ((share, distribution), (failure_share(missing_the_rare()), missing_the_rare()))
    evaluations = [share_evaluation(share, distribution) for share, distribution in tried]
    told = max_by(tried, lambda pair: pair[0])
    found = over_evaluations(evaluations, "distributions the attack ends with")
    return replace(found, explanation=(*found.explanation, f"largest P/δ {told[0]:.6g}: {told[1]}"))
