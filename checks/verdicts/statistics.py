"""Exact binomial statements: what a count of failures says about the probability of failure."""

from __future__ import annotations

from collections.abc import Sequence

from ptum.checks.exact.numbers import a_number, is_above
from ptum.spec.vocabulary import Verdict


def clopper_pearson(failures: int, trials: int, alpha: float) -> tuple[float, float]:
    """An interval that misses the failure probability with probability at most α.

    Each end is wrong with probability at most α/2, whatever the probability is: the interval is
    the set of p that neither exact one-sided binomial test at level α/2 rejects. Its ends are
    quantiles of beta distributions.
    """
    if not 0 <= failures <= trials or trials < 1:
        raise ValueError(f"{failures} failures of {trials} trials")
    a_number(alpha, "the error probability of a test")
    from scipy.special import betaincinv  # here: it takes long to load

    low = 0.0 if failures == 0 else float(betaincinv(failures, trials - failures + 1, alpha / 2))
    if failures == trials:
        return low, 1.0
    return low, float(betaincinv(failures + 1, trials - failures, 1 - alpha / 2))


def judge_probability(failures: int, trials: int, allowed: float, alpha: float) -> Verdict:
    """Verdict on `P(failure) ≤ allowed` for one instance, wrong with probability at most α."""
    low, high = clopper_pearson(failures, trials, alpha)
    if is_above(low, allowed):
        return Verdict.VIOLATED
    return Verdict.INCONCLUSIVE if is_above(high, allowed) else Verdict.HOLDS


def all_of(verdicts: Sequence[Verdict]) -> Verdict:
    """A claim about all instances: one violation refutes it, any other doubt leaves it open.

    Where nothing was looked at, nothing holds.
    """
    if Verdict.VIOLATED in verdicts:
        return Verdict.VIOLATED
    return Verdict.HOLDS if {*verdicts} == {Verdict.HOLDS} else Verdict.INCONCLUSIVE
