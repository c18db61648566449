"""The four bounds of Assumption 1 do not make its models MDPs (E17, withdrawn: the paper says so).

One state that pays 1, γ = 9/10, so V = 10. The "model" pays 1 too and returns with "probability"
101/100. Its value is 1/(1 - 0.909) = 10.99, beyond 1/(1-γ), while no error exceeds 0.12.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ptum.checks.instances.counterexamples.catalogue import (
    Counterexample,
    Numbers,
    declare,
)
from ptum.checks.verdicts import formulas, proof_bounds
from ptum.checks.verdicts.outcome import Evaluation, Statement


@dataclass(frozen=True)
class Loop:
    """One state, one action, deterministic rewards: what the model pays, its return weight."""

    gamma: Fraction
    weight: Fraction
    Delta: Fraction
    reward: Fraction = Fraction(1)

    @property
    def value(self) -> Fraction:
        """Ṽ = r̃ + γ w Ṽ."""
        return self.reward / (1 - self.gamma * self.weight)


def instance(weight: Fraction = Fraction(101, 100)) -> Loop:
    """The weight of an MDP would be 1."""
    return Loop(Fraction(9, 10), weight, Delta=Fraction(12, 100))


def premises(loop: Loop) -> tuple[Statement, ...]:
    """The four errors of Assumption 1; the deviation of Ṽ under the weight w is √w |1-w| Ṽ."""
    error = (1 - loop.weight) * loop.value
    return (
        Statement("γ w, for the value to exist", loop.gamma * loop.weight, "<", 1),
        Statement(
            "reward error",
            abs(1 - loop.reward),
            "≤",
            loop.Delta,
            formulas.TRANSFER + "ASSUMPTION_1_R",
            (("r", 1), ("r_tilde", loop.reward)),
        ),
        Statement(
            "error of (p - p̃)Ṽ",
            abs(error),
            "≤",
            loop.Delta,
            formulas.TRANSFER + "ASSUMPTION_1_P",
            (("p", 1), ("p_tilde", loop.weight), ("V_tilde", loop.value)),
        ),
        Statement(
            "squared errors of the deviations, that of the reward being 0",
            max(Fraction(0), loop.weight * error**2),
            "≤",
            loop.Delta**2,
        ),
    )


def in_range(loop: Loop) -> Evaluation:
    """Ṽ ≤ 1/(1-γ), from the four errors alone."""
    return Evaluation(
        premises=premises(loop),
        conclusion=Statement(
            "Ṽ against 1/(1-γ)",
            loop.value,
            "≤",
            proof_bounds.value_range(loop.gamma),
            formulas.TRANSFER + "VALUE_RANGE",
            (("gamma", loop.gamma),),
        ),
    )


def evaluation(loop: Loop) -> Evaluation:
    """Four errors within Δ, and a value that no MDP has: so it must be said that it is one."""
    conclusion = in_range(loop).conclusion
    return Evaluation(premises(loop), replace(conclusion, sign=">"))


def _numbers(loop: Loop) -> Numbers:
    return (
        ("γ", loop.gamma),
        ("Δ", loop.Delta),
        ("p, r", (1, 1)),
        ("p̃, r̃", (loop.weight, loop.reward)),
    )


declare(
    Counterexample(
        part_of=("assumption-1.models-are-mdps/not-implied",),
        instance=instance(),
        evaluate=in_range,
        fix="p̃ = 1, a probability",
        fixed=instance(Fraction(1)),
        numbers=_numbers,
        broken={
            "γ w, for the value to exist": instance(Fraction(12, 10)),
            "reward error": replace(instance(), reward=Fraction(1, 2)),
            "error of (p - p̃)Ṽ": instance(Fraction(102, 100)),
            "squared errors of the deviations, that of the reward being 0": instance(
                Fraction(102, 100)
            ),
        },
    )
)
