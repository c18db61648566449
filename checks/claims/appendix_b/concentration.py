"""Lemmas 1 and 2: how often does the mean of n samples leave the printed width?

For a law on two or three values everything depends on how often each value was seen, so the
failure probability is a finite sum: no sampling, no α. How far such a sum of doubles is off is
known (`checks/exact/binomial`), and a count is said to miss only where rounding cannot have made it
miss; the counterexample uses rationals.

Between two probabilities p at which some count begins to miss, the failing counts are the same and
each tail is monotone in p. So a search over those points, one for every count and side, finds the
worst two-point law of a given n and δ up to the other tail.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.exact import binomial
from ptum.checks.exact.numbers import max_of
from ptum.checks.instances.counterexamples.appendix_b import bernstein
from ptum.checks.verdicts import formulas, reparametrise
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Check, Context
from ptum.checks.verdicts.outcome import Formed, Outcome, Statement, Walk, from_walk, over_walks
from ptum.checks.verdicts.search import Climb, search
from ptum.reference.arrays import Bools, Floats, above
from ptum.reference.repaired.transfer.analysis import concentration as repaired
from ptum.reference.transfer.analysis import concentration
from ptum.spec.vocabulary import CheckKind, Version

JUST_INSIDE = 1e-9
"""How far from the point where a count begins to miss, as a share of p, a law is placed: beyond
what rounding does to it, unless p is below some 10⁻⁵ of the count's share."""
LARGEST_COUNT = 30
"""Counts whose points are tried; from there on the tails are Gaussian and the width generous."""
CONFIDENCES = (0.9, 0.5, 0.1, 1e-2, 1e-4, 1e-6, 1e-9, 1e-12)

WidthOf = Callable[[float, int, float, float], float]


@dataclass(frozen=True)
class Case:
    """Two-point laws on {0, 1}, n samples, and what the inequality takes for c and for δ."""

    n: int
    delta: float
    c: float


# Lemma 1


def first_failures(case: Case) -> Floats:
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


def bernstein_failure(p: float, case: Case, width_of: WidthOf) -> float:
    """P(|K/n - p| > width) for K binomial."""
    K = np.arange(case.n + 1)
    width = width_of(p * (1 - p), case.n, case.c, case.delta)
    return _mass(binomial.surely_misses(K / case.n, p, width), p)


def bernstein_walk(p: float, case: Case, width_of: WidthOf, told: str = "") -> Walk:
    """Lemma 1, repaired, on one law."""
    values = (("variance", p * (1 - p)), ("n_samples", case.n), ("width", case.c))
    formed = formulas.APPENDIX_B + "BERNSTEIN_REPAIRED", (*values, ("delta", case.delta))
    failed, off = bernstein_failure(p, case, width_of), binomial.of_binomial(case.n)
    return _within_delta(failed, off, case, f"p = {p:.6g}{told}", formed)


def bernstein_walks(c: float, width_of: WidthOf, sizes: tuple[int, ...]) -> Iterator[Walk]:
    """Lemma 1 on the worst two-point laws; c in units of the distance of the two values."""
    for n in sizes:
        for delta in CONFIDENCES:
            case = Case(n, delta, c)
            for p in (*first_failures(case).tolist(), 0.01, 0.1, 0.5):
                yield bernstein_walk(p, case, width_of)


def centred_walks(width_of: WidthOf, sizes: tuple[int, ...]) -> Iterator[Walk]:
    """The other form of the repair: c bounds |X - E[X]|, which is the larger of p and 1-p."""
    for n in sizes:
        for delta in CONFIDENCES:
            for p in (*first_failures(Case(n, delta, 1.0)).tolist(), 0.01, 0.1, 0.5):
                case = Case(n, delta, max_of((p, 1 - p)))
                yield bernstein_walk(p, case, width_of, ", |X - E[X]| ≤ c")


def symmetric_law(_: Context) -> Outcome:
    """The counterexample X = ±c, in rational arithmetic."""
    return from_walk(bernstein.walk(bernstein.symmetric(), Version.PRINTED))


def bernstein_repaired(
    context: Context, width_of: WidthOf = repaired.bernstein_width, c: float = 1.0
) -> Outcome:
    """Lemma 1 for X in [0,c] and for |X - E[X]| ≤ c; another c is for tests of this."""
    sizes = _sizes(context)
    walks = [*bernstein_walks(c, width_of, sizes), *centred_walks(width_of, sizes)]
    exact = bernstein.walk(bernstein.sibling(), Version.REPAIRED)
    return over_walks([exact, *walks], "laws")


# Lemma 2


def empirical_widths(case: Case, width_of: WidthOf) -> Floats:
    """The width after K high samples, for every K."""
    K = np.arange(case.n + 1)
    spread = K * (case.n - K) / (case.n * (case.n - 1))
    return np.array([width_of(v, case.n, case.c, case.delta) for v in spread.tolist()])


def empirical_walks(c: float, width_of: WidthOf, sizes: tuple[int, ...]) -> Iterator[Walk]:
    """Lemma 2 on the worst two-point laws."""
    for n in sizes:
        K = np.arange(n + 1)
        for delta in CONFIDENCES:
            widths = empirical_widths(Case(n, delta, c), width_of)
            starts = (K / n - widths)[: LARGEST_COUNT + 1]
            ends = (K / n + widths)[: LARGEST_COUNT + 1]
            tried = np.concatenate((starts * (1 - JUST_INSIDE), ends * (1 + JUST_INSIDE), [0.5]))
            for p in tried[above(tried, 0) & (tried < 1)].tolist():
                failed = _mass(binomial.surely_misses(K / n, p, widths), p)
                off = binomial.of_binomial(n)
                yield _walk(failed, off, Case(n, delta, c), f"p = {p:.6g}")


def empirical_two_point(
    context: Context, width_of: WidthOf = concentration.empirical_bernstein_width, c: float = 0.5
) -> Outcome:
    """Lemma 2 as printed: X = ±c, that is c = 1/2 of the distance of the values."""
    return over_walks(list(empirical_walks(c, width_of, _sizes(context))), "laws")


@stored
@dataclass(frozen=True)
class ThreePoint:
    """A law on three values from -1 to 1, a number of samples and a confidence."""

    values: tuple[float, float, float]
    weights: tuple[float, float, float]
    n: int
    delta: float


@st.composite
def three_point_laws(draw: DrawFn, low: float) -> ThreePoint:
    """Values `low`, one in between, and 1; a rare value or two in most draws."""
    middle = draw(st.integers(0, 20)) / 20
    rare = st.sampled_from((0.5, 0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4))
    first, second = draw(rare), draw(rare)
    weights = [first, second, 1 - first - second] if first + second < 1 else [first, 0, 1 - first]
    shuffled = draw(st.permutations(weights))
    return ThreePoint(
        values=(low, low + (1 - low) * middle, 1.0),
        weights=(shuffled[0], shuffled[1], shuffled[2]),
        n=draw(st.integers(2, 40)),
        delta=draw(st.sampled_from(CONFIDENCES)),
    )


def three_point_walk(law: ThreePoint, width_of: WidthOf) -> Walk:
    """Lemma 2 with c = 1 on one law, summed over all ways to see each value so often."""
    counts, values = binomial.compositions(law.n), np.array(law.values)
    means, mean = counts @ values / law.n, float(np.dot(law.weights, values))
    spread = np.sum(counts * (values - means[:, np.newaxis]) ** 2, axis=1) / (law.n - 1)
    widths = np.array([width_of(v, law.n, 1.0, law.delta) for v in spread.tolist()])
    off = binomial.of_sampled_means(law.n, law.delta, law.weights)
    missed = binomial.surely_misses(means, mean, widths, off)
    failed = math.fsum(binomial.multinomial(counts, law.weights)[missed].tolist())
    told = f"values {law.values}, weights {law.weights}"
    share = binomial.of_multinomial(law.n, law.weights)
    return _walk(failed, share, Case(law.n, law.delta, 1.0), told)


def law_vector(law: ThreePoint) -> Floats:
    """Coordinates of the weights and of the value in the middle."""
    low, middle, high = law.values
    return reparametrise.vector(
        reparametrise.law_coordinates(law.weights),
        [reparametrise.coordinate((middle - low) / (high - low))],
    )


def law_at(vector: Floats, start: ThreePoint) -> ThreePoint:
    """The law at these coordinates, with the n and the δ of another one."""
    low, _, high = start.values
    first, second, third = reparametrise.law(vector[:3])
    middle = low + (high - low) * reparametrise.between_0_and_1(float(vector[3]))
    return replace(start, values=(low, middle, high), weights=(first, second, third))


def empirical_three_point(
    context: Context,
    width_of: WidthOf = concentration.empirical_bernstein_width,
    low: float = -1.0,
) -> Outcome:
    """Lemma 2 on drawn three-point laws in [low, 1]."""
    return search(
        context,
        three_point_laws(low),
        lambda law: three_point_walk(law, width_of),
        context.count(60, 800, 20_000),
        climb=Climb(law_vector, law_at),
    )


def empirical_repaired(
    context: Context, width_of: WidthOf = repaired.empirical_bernstein_width
) -> Outcome:
    """Lemma 2 for X in [0,c] on two-point laws."""
    return empirical_two_point(context, width_of, c=1.0)


# Sums


def _sizes(context: Context) -> tuple[int, ...]:
    """Numbers of samples."""
    sizes = (2, 3, 10, 30, 100, 1000, 300, 5, 3000, 20)
    return sizes[: context.count(6, 9, 10)]


def _mass(failing: Bools, p: float) -> float:
    """The probability that a binomial count is among those that fail."""
    return float(binomial.binomial(len(failing) - 1, p)[failing].sum())


def _walk(failure: float, share: float, case: Case, told: str) -> Walk:
    """Lemma 2 on one law whose failure probability is known up to a share of itself."""
    values = (("n_samples", case.n), ("c", case.c), ("delta", case.delta))
    formed = formulas.APPENDIX_B + "EMPIRICAL_BERNSTEIN", values
    return _within_delta(failure, share, case, told, formed)


def _within_delta(failure: float, share: float, case: Case, told: str, formed: Formed) -> Walk:
    """P(the mean misses) ≤ δ, up to the share by which the sum may be off."""
    return Walk(
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


CHECKS = (
    Check(
        id="lemma-1.bernstein/symmetric-law",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="X = ±c, n = 1000, δ = 10⁻⁶: the failure probability is almost 2δ",
        run=symmetric_law,
    ),
    Check(
        id="lemma-1.bernstein/repaired-two-point",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="P(the mean misses) ≤ δ on the worst two-point laws in [0,c], or with |X-E[X]| ≤ c",
        run=bernstein_repaired,
    ),
    Check(
        id="lemma-2.bernstein/two-point",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="P(the mean misses) ≤ δ on the worst laws with two values ±c",
        run=empirical_two_point,
    ),
    Check(
        id="lemma-2.bernstein/three-point",
        version=Version.PRINTED,
        kind=CheckKind.INEQUALITY,
        says="P(the mean misses) ≤ δ on drawn laws with three values in [-c,c]",
        run=empirical_three_point,
    ),
    Check(
        id="lemma-2.bernstein/repaired-two-point",
        version=Version.REPAIRED,
        kind=CheckKind.INEQUALITY,
        says="P(the mean misses) ≤ δ on the worst two-point laws in [0,c]",
        run=empirical_repaired,
    ),
)
