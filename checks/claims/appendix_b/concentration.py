"""Lemmas 1 and 2: how often does the mean of n samples leave the printed width?

For a distribution on two or three values everything depends on how often each value was seen, so
the failure probability is a finite sum: no sampling, no α. How far such a sum of doubles is off is
known (`checks/exact/binomial`), and a count is said to miss only where rounding cannot have made it
miss; the counterexample uses rationals.

Between two probabilities p at which some count begins to miss, the failing counts are the same and
each tail is monotone in p. So a search over those points, one for every count and side, finds the
worst two-point distribution of a given n and δ up to the other tail.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact import binomial
from ptum.checks.exact.numbers import max_of
from ptum.checks.instances.counterexamples.appendix_b import concentration as concentration_cases
from ptum.checks.verdicts import formulas, reparametrise, witness
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import Evaluation, Formed, Outcome, Statement, over_evaluations
from ptum.checks.verdicts.search import Climb, search
from ptum.reference.arrays import Bools, Floats, above
from ptum.reference.inequalities import Inequality
from ptum.reference.repaired.transfer.analysis import concentration as repaired
from ptum.reference.transfer.analysis import concentration
from ptum.spec.vocabulary import CheckKind, Version

JUST_INSIDE = 1e-9
"""How far a distribution is from the point where a count begins to miss, as a share of p: beyond
what rounding does to it, unless p is below some 10⁻⁵ of the count's share."""
LARGEST_COUNT = 30
"""Counts whose points are tried; from there on the tails are Gaussian and the width generous."""
CONFIDENCES = (0.9, 0.5, 0.1, 1e-2, 1e-4, 1e-6, 1e-9, 1e-12)

WidthOf = Callable[[float, int, float, float], float]


@dataclass(frozen=True)
class TwoPointSamples:
    """Two-point distributions on {0, 1}, n samples, and what the inequality takes for c and δ."""

    n: int
    delta: float
    c: float


# Lemma 1


def first_failures(case: TwoPointSamples) -> Floats:
    """For each of the first counts K the p at which K/n - p equals the width of Lemma 1.

    (t - p)² = 2p(1-p)L/n with t = K/n - cL/(3n) is a quadratic equation; the smaller root is it.
    """
    L = np.log(2 / case.delta)
    K = np.arange(1, min(case.n, LARGEST_COUNT) + 1)
    t = K / case.n - case.c * L / (3 * case.n)
    u = L / case.n
    root = (t + u - np.sqrt(np.maximum(u**2 + 2 * u * t * (1 - t), 0.0))) / (1 + 2 * u)
    found: Floats = root[above(t, 0) & above(root, 0) & (root <= 0.5)] * (1 - JUST_INSIDE)
    return found


def bernstein_failure(p: float, case: TwoPointSamples, width_of: WidthOf) -> float:
    """P(|K/n - p| > width) for K binomial."""
    K = np.arange(case.n + 1)
    width = width_of(p * (1 - p), case.n, case.c, case.delta)
    return _mass(binomial.surely_misses(K / case.n, p, width), case.n, p)


def bernstein_evaluation(
    p: float, case: TwoPointSamples, width_of: WidthOf, told: str = ""
) -> Evaluation:
    """Lemma 1, repaired, on one distribution."""
    values = (("variance", p * (1 - p)), ("n_samples", case.n), ("width", case.c))
    formed = formulas.APPENDIX_B + "BERNSTEIN_REPAIRED", (*values, ("delta", case.delta))
    failed, off = bernstein_failure(p, case, width_of), binomial.of_binomial(case.n)
    width = width_of(p * (1 - p), case.n, case.c, case.delta)
    found = _within_delta(failed, off, case, f"p = {p:.6g}{told}", formed)
    return replace(found, conclusion=replace(found.conclusion, bound=width))


def bernstein_evaluations(
    c: float, width_of: WidthOf, sizes: tuple[int, ...]
) -> Iterator[Evaluation]:
    """Lemma 1 on the worst two-point distributions; c in units of the two values' distance."""
    for n in sizes:
        for delta in CONFIDENCES:
            case = TwoPointSamples(n, delta, c)
            for p in (*first_failures(case).tolist(), 0.01, 0.1, 0.5):
                yield bernstein_evaluation(p, case, width_of)


def centred_evaluations(width_of: WidthOf, sizes: tuple[int, ...]) -> Iterator[Evaluation]:
    """The other form of the repair: c bounds |X - E[X]|, which is the larger of p and 1-p."""
    for n in sizes:
        for delta in CONFIDENCES:
            for p in (*first_failures(TwoPointSamples(n, delta, 1.0)).tolist(), 0.01, 0.1, 0.5):
                case = TwoPointSamples(n, delta, max_of((p, 1 - p)))
                yield bernstein_evaluation(p, case, width_of, ", |X - E[X]| ≤ c")


@check("lemma-1.bernstein/repaired-two-point", CheckKind.INEQUALITY)
def bernstein_repaired(
    context: Context, width_of: WidthOf = repaired.bernstein_width, c: float = 1.0
) -> Outcome:
    """P(the mean misses) ≤ δ on the worst two-point distributions in [0,c], or with |X-E[X]| ≤ c.

    Lemma 1 for X in [0,c] and for |X - E[X]| ≤ c; another c is for tests of this.
    """
    sizes = _sizes(context)
    evaluations = [
        *bernstein_evaluations(c, width_of, sizes),
        *centred_evaluations(width_of, sizes),
    ]
    exact = concentration_cases.bernstein_evaluation(
        concentration_cases.in_scope(), Version.REPAIRED
    )
    return over_evaluations([exact, *evaluations], "distributions")


# Lemma 2


def empirical_widths(case: TwoPointSamples, width_of: WidthOf) -> Floats:
    """The width after K high samples, for every K."""
    K = np.arange(case.n + 1)
    spread = K * (case.n - K) / (case.n * (case.n - 1))
    return np.array([width_of(v, case.n, case.c, case.delta) for v in spread.tolist()])


def empirical_evaluations(
    c: float, width_of: WidthOf, sizes: tuple[int, ...]
) -> Iterator[Evaluation]:
    """Lemma 2 on the worst two-point distributions."""
    for n in sizes:
        K = np.arange(n + 1)
        for delta in CONFIDENCES:
            widths = empirical_widths(TwoPointSamples(n, delta, c), width_of)
            starts = (K / n - widths)[: LARGEST_COUNT + 1]
            ends = (K / n + widths)[: LARGEST_COUNT + 1]
            tried = np.concatenate((starts * (1 - JUST_INSIDE), ends * (1 + JUST_INSIDE), [0.5]))
            for p in tried[above(tried, 0) & (tried < 1)].tolist():
                failed = _mass(binomial.surely_misses(K / n, p, widths), n, p)
                off = binomial.of_binomial(n)
                yield _evaluation(failed, off, TwoPointSamples(n, delta, c), f"p = {p:.6g}")


Lemma2 = Callable[[Sequence[float], float, float, float], Inequality]

LITERAL: dict[WidthOf, Lemma2] = {
    concentration.empirical_bernstein_width: concentration.empirical_bernstein,
    repaired.empirical_bernstein_width: repaired.empirical_bernstein,
}
"""Lemma 2 on given samples, by its width."""


def _confirm(width_of: WidthOf, c: float) -> None:
    """The literal Lemma 2 misses at the same counts, for fair coins and few samples.

    With |X| ≤ c the values are c apart from 0 on both sides, with X in [0,c] they are 0 and c.
    """
    low = -c if c < 1 else 0.0
    for n, delta in product((2, 3, 10), CONFIDENCES):
        widths = empirical_widths(TwoPointSamples(n, delta, c), width_of)
        for K in range(n + 1):
            samples = [low + 1.0] * K + [low] * (n - K)
            found = LITERAL[width_of](samples, low + 0.5, c, delta)
            witness.same_truth(f"Lemma 2, {K} of {n}", found.holds, abs(K / n - 0.5) <= widths[K])


@check("lemma-2.bernstein/two-point", CheckKind.INEQUALITY)
def empirical_two_point(
    context: Context, width_of: WidthOf = concentration.empirical_bernstein_width, c: float = 0.5
) -> Outcome:
    """P(the mean misses) ≤ δ on the worst distributions with two values ±c.

    Lemma 2 as printed: X = ±c, that is c = 1/2 of the distance of the values.
    """
    if width_of in LITERAL:
        _confirm(width_of, c)
    return over_evaluations(
        list(empirical_evaluations(c, width_of, _sizes(context))), "distributions"
    )


@stored
@dataclass(frozen=True)
class ThreePoint:
    """A distribution on three values from -1 to 1, a number of samples and a confidence."""

    values: tuple[float, float, float]
    weights: tuple[float, float, float]
    n: int
    delta: float


@st.composite
def three_point_distributions(draw: DrawFn) -> ThreePoint:
    """Values -1, one in between, and 1; a rare value or two in most draws."""
    middle = draw(st.integers(0, 20)) / 20
    rare = st.sampled_from((0.5, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4))
    first, second = draw(rare), draw(rare)
    weights = [first, second, 1 - first - second] if first + second < 1 else [first, 0, 1 - first]
    shuffled = draw(st.permutations(weights))
    return ThreePoint(
        values=(-1.0, 2 * middle - 1, 1.0),
        weights=(shuffled[0], shuffled[1], shuffled[2]),
        n=draw(st.integers(2, 40)),
        delta=draw(st.sampled_from(CONFIDENCES)),
    )


def three_point_evaluation(distribution: ThreePoint, width_of: WidthOf) -> Evaluation:
    """Lemma 2 with c = 1 on one distribution, summed over all ways to see each value so often."""
    counts, values = binomial.compositions(distribution.n), np.array(distribution.values)
    means, mean = counts @ values / distribution.n, float(np.dot(distribution.weights, values))
    spread = np.sum(counts * (values - means[:, np.newaxis]) ** 2, axis=1) / (distribution.n - 1)
    widths = np.array(
        [width_of(v, distribution.n, 1.0, distribution.delta) for v in spread.tolist()]
    )
    off = binomial.of_sampled_means(distribution.n, distribution.delta, distribution.weights)
    missed = binomial.surely_misses(means, mean, widths, off)
    failed = math.fsum(binomial.multinomial(counts, distribution.weights)[missed].tolist())
    told = f"values {distribution.values}, weights {distribution.weights}"
    share = binomial.of_multinomial(distribution.n, distribution.weights)
    return _evaluation(
        failed, share, TwoPointSamples(distribution.n, distribution.delta, 1.0), told
    )


def distribution_vector(distribution: ThreePoint) -> Floats:
    """Coordinates of the weights and of the value in the middle."""
    low, middle, high = distribution.values
    return reparametrise.vector(
        reparametrise.distribution_coordinates(distribution.weights),
        [reparametrise.coordinate((middle - low) / (high - low))],
    )


def distribution_at(vector: Floats, start: ThreePoint) -> ThreePoint:
    """The distribution at these coordinates, with the n and the δ of another one."""
    low, _, high = start.values
    first, second, third = reparametrise.distribution(vector[:3])
    middle = low + (high - low) * reparametrise.between_0_and_1(float(vector[3]))
    return replace(start, values=(low, middle, high), weights=(first, second, third))


@check("lemma-2.bernstein/three-point", CheckKind.INEQUALITY)
def empirical_three_point(
    context: Context, width_of: WidthOf = concentration.empirical_bernstein_width
) -> Outcome:
    """P(the mean misses) ≤ δ on drawn distributions with three values in [-c,c]."""
    return search(
        context,
        three_point_distributions(),
        lambda distribution: three_point_evaluation(distribution, width_of),
        (60, 800, 20_000),
        climb=Climb(distribution_vector, distribution_at),
    )


@check("lemma-2.bernstein/repaired-two-point", CheckKind.INEQUALITY)
def empirical_repaired(
    context: Context, width_of: WidthOf = repaired.empirical_bernstein_width
) -> Outcome:
    """P(the mean misses) ≤ δ on the worst two-point distributions in [0,c]."""
    return empirical_two_point(context, width_of, c=1.0)


# Sums


def _sizes(context: Context) -> tuple[int, ...]:
    """Numbers of samples."""
    sizes = (2, 3, 10, 30, 100, 1000, 300, 5, 3000, 20)
    return sizes[: context.count(6, 9, 10)]


def _mass(failing: Bools, n: int, p: float) -> float:
    """The probability that a binomial count is among those that fail."""
    return float(binomial.binomial(n, p)[failing].sum())


def _evaluation(failure: float, share: float, case: TwoPointSamples, told: str) -> Evaluation:
    """Lemma 2 on one distribution whose failure probability is known up to a share of itself."""
    values = (("n_samples", case.n), ("c", case.c), ("delta", case.delta))
    formed = formulas.APPENDIX_B + "EMPIRICAL_BERNSTEIN", values
    return _within_delta(failure, share, case, told, formed)


def _within_delta(
    failure: float, share: float, case: TwoPointSamples, told: str, formed: Formed
) -> Evaluation:
    """P(the mean misses) ≤ δ, up to the share by which the sum may be off."""
    return Evaluation(
        premises=(),
        conclusion=Statement(
            f"P(the mean misses), n = {case.n}, {told}, against δ",
            failure,
            "≤",
            case.delta,
            *formed,
            tolerance=share * failure,
        ),
    )
