"""The probabilities that the paper bounds, each between two rationals, from the ends of a run."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ptum.checks.exact.intervals import Between, whole_part
from ptum.checks.exact.numbers import a_number
from ptum.checks.exact.runs import chain, premises
from ptum.checks.exact.runs.chain import UNDERFLOW, Ends, Key
from ptum.checks.exact.runs.comparisons import Close
from ptum.checks.exact.runs.problem import RULES, ExactProblem, VersionRule, loss
from ptum.reference.arrays import Floats
from ptum.reference.transfer.ptum import End
from ptum.spec.vocabulary import Version

UNIT = Fraction(1, 2**53)
"""Half a unit in the last place of one: by which share one operation is off at most."""


@dataclass(frozen=True)
class Results:
    """One problem under one version of Algorithm 1.

    `total` is the mass of all ends, 1 but for rounding. `eliminated`: the target is not in the
    last active set. `bad_policy`: line 14 returned a policy that loses more than ε in the true
    target. `too_many`: more queries than Theorem 1's bound, which is None where it is infinite.
    `failed`: no stop in line 14, a bad policy, or too many queries. `fallback` has the probability
    of every end in which the PAC algorithm is called. `queries` is the expected number, and
    `most_queries` the largest with positive probability, but for what was dropped. `close` and
    `nearest` are those of `comparisons`.
    """

    total: Between
    eliminated: Between
    bad_policy: Between
    too_many: Between
    failed: Between
    fallback: dict[End, Between]
    queries: Between
    most_queries: int
    bound: Between | None
    close: tuple[Close, ...]
    nearest: float


def results(problem: ExactProblem, version: Version, rule: VersionRule | None = None) -> Results:
    """Run the chain, under the rule of the version unless tests plant another one."""
    ends = chain.run(problem, RULES[version] if rule is None else rule)
    return of_ends(ends, premises.bound(problem, version))


def of_ends(ends: Ends, bound: Between | None) -> Results:
    """The probabilities of the ends, with Theorem 1's bound."""
    problem, masses = ends.problem, ends.mass.items()
    most = problem.n if bound is None else whole_part(bound)
    failed = [
        mass[most + 1 :] if key[0] is End.STOPPED and not _is_bad(problem, key) else mass
        for key, mass in masses
    ]
    by_end = {
        end: [mass for key, mass in masses if key[0] is end]
        for end in End
        if end is not End.STOPPED
    }
    return Results(
        total=_probability(ends, list(ends.mass.values())),
        eliminated=_probability(ends, [m for key, m in masses if problem.target not in key[1]]),
        bad_policy=_probability(ends, [m for key, m in masses if _is_bad(problem, key)]),
        too_many=_probability(ends, [mass[most + 1 :] for _, mass in masses]),
        failed=_probability(ends, failed),
        fallback={end: _probability(ends, parts) for end, parts in by_end.items()},
        queries=_expected(ends),
        most_queries=max(int(np.flatnonzero(mass)[-1]) for mass in ends.mass.values()),
        bound=bound,
        close=tuple(ends.close),
        nearest=ends.nearest,
    )


def _is_bad(problem: ExactProblem, key: Key) -> bool:
    end, _, theta = key
    return end is End.STOPPED and theta is not None and loss(problem, theta) > problem.epsilon


def _probability(ends: Ends, parts: list[Floats]) -> Between:
    """A sum of masses, with all that it can be off by; a probability lies between 0 and 1."""
    found = _enclosed(ends, parts)
    return Between(min(found.low, Fraction(1)), min(found.high, Fraction(1)))


def _expected(ends: Ends) -> Between:
    """E[queries]; a dropped run may have made n."""
    found = _enclosed(ends, [mass[1:] * np.arange(1, mass.size) for mass in ends.mass.values()])
    return Between(found.low, found.high + ends.problem.n * Fraction(ends.dropped))


def _enclosed(ends: Ends, parts: list[Floats]) -> Between:
    """What is impossible has no entry at all, and nothing of it can underflow."""
    computed = Fraction(a_number(float(sum(part.sum() for part in parts)), "a probability"))
    share = ends.roundings * UNIT / (1 - ends.roundings * UNIT)
    underflow = Fraction(UNDERFLOW) if any(part.size for part in parts) else Fraction(0)
    lost = Fraction(ends.dropped) * (1 + share) + underflow
    low = computed * (1 - share) - underflow
    return Between(max(low, Fraction(0)), computed * (1 + share) + lost)
