"""Formulas of the ledger with numbers for their symbols, where several checks evaluate the same."""

from __future__ import annotations

from ptum.checks.exact.mdp import PRINTED_FACTOR, SHARP_FACTOR
from ptum.checks.exact.numbers import Number
from ptum.checks.verdicts.outcome import Formed, Statement, Values
from ptum.spec.vocabulary import Version

TRANSFER, APPENDIX_B = "ptum.spec.formulas.transfer:", "ptum.spec.formulas.appendix_b:"
SEQUENTIAL, APPENDIX_D = "ptum.spec.formulas.sequential:", "ptum.spec.formulas.appendix_d:"
PRELIMINARIES = "ptum.spec.formulas.preliminaries:"
THRESHOLDS = {Version.PRINTED: PRINTED_FACTOR, Version.REPAIRED: SHARP_FACTOR}
"""What stands before (1+γ) in the threshold of line 2."""


def threshold(epsilon: Number, gamma: Number, version: Version) -> Formed:
    """Line 2: (1-γ)ε/(4(1+γ)), repaired with 18 in place of 4."""
    return _of(TRANSFER + "TRANSFER_THRESHOLD", version), (("epsilon", epsilon), ("gamma", gamma))


def transfer_mode(Delta: Number, epsilon: Number, gamma: Number, version: Version) -> Statement:
    """Line 2 lets the run begin: Δ strictly below its threshold as printed, at most it repaired."""
    return Statement(
        "transfer mode: Δ against its threshold",
        Delta,
        "<" if version is Version.PRINTED else "≤",
        (1 - gamma) * epsilon / (THRESHOLDS[version] * (1 + gamma)),
        *threshold(epsilon, gamma, version),
    )


def threshold_of_ratio(epsilon: Number, gamma: Number, loss_ratio: Number) -> Formed:
    """Line 2 where no set of models has a larger R: ε(1-γ)/(2(1+γ) + 8R)."""
    values = (("epsilon", epsilon), ("gamma", gamma), ("loss_ratio", loss_ratio))
    return APPENDIX_B + "THRESHOLD_OF_RATIO", values


def largest_ratio(states: int, models: int, gamma: Number, Delta: Number) -> Formed:
    """The bound on R for a number of states and of models; with one state, what R = 1 is for."""
    if states == 1:
        return APPENDIX_B + "THRESHOLD_OF_RATIO", (("gamma", gamma), ("loss_ratio", 1))
    if states > 3:
        return APPENDIX_B + "RATIO", (("gamma", gamma),)
    of_three = "THREE_MODELS" if models == 3 else "THREE_STATES"
    name = "TWO_STATES" if states == 2 else of_three
    return APPENDIX_B + f"RATIO_OF_{name}", (("gamma", gamma), ("Delta", Delta))


def pass_number(queries: int) -> Formed:
    """Lines 5 and 18-20: t = |𝒟| + 1."""
    return TRANSFER + "PASS_NUMBER", (("queries", queries),)


def slack(epsilon: Number, Delta: Number, gamma: Number) -> Formed:
    """Line 14: ε - 2Δ(1+γ)/(1-γ)."""
    values = (("epsilon", epsilon), ("Delta", Delta), ("gamma", gamma))
    return TRANSFER + "STOPPING_SLACK", values


def theorem_1(sizes: Values, information: Number, version: Version) -> Formed:
    """Theorem 1 for S, A, k and, where they matter, n and δ; `information` is its denominator."""
    return _of(TRANSFER + "THEOREM_1", version), (*sizes, ("info", information))


def _of(dotted: str, version: Version) -> str:
    return dotted if version is Version.PRINTED else f"{dotted}_REPAIRED"
