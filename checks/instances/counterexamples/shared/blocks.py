"""States in blocks of a high and a low one, whose rewards and values can be shifted separately.

In a block the high state pays 3/4 and the low one 1/4, and every step stays in the block and goes
to the high state with probability 1/2, so the values of the two states differ by 1/2. Shifting
both rewards by x and the probability by 2y moves the reward by x and the mean next value by y.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP

HALF = Fraction(1, 2)


def row(size: int, high: int, shift: Fraction) -> list[Fraction]:
    """Into the block of states `high`, `high`+1, with a mean value that is moved by `shift`."""
    to_high = HALF + 2 * shift
    probabilities = [Fraction(0)] * size
    probabilities[high], probabilities[high + 1] = to_high, 1 - to_high
    return probabilities


def rewards(shift: Fraction) -> tuple[Fraction, Fraction]:
    """Of the high and the low state."""
    return Fraction(3, 4) + shift, Fraction(1, 4) + shift


def mirrored(c_r: Fraction, c_p: Fraction, gamma: Fraction) -> tuple[ExactMDP, ExactMDP]:
    """Two blocks, two actions, two models; each model's actions agree in its own block.

    In the other block action 0 is worse and action 1 better, by c_r in reward and c_p in value.
    Each policy takes action 0 in its own block and loses 2(c_r + γc_p)/(1-γ) in the other model,
    which is what Corollary 2 allows.
    """

    def model(own: int) -> ExactMDP:
        p: list[list[list[Fraction]]] = []
        r: list[list[Fraction]] = []
        for state in range(4):
            signs: Sequence[int] = (0, 0) if state // 2 == own else (-1, 1)
            p.append([row(4, state - state % 2, sign * c_p) for sign in signs])
            r.append([rewards(sign * c_r)[state % 2] for sign in signs])
        return mdp.deterministic(p, r, gamma)

    return model(0), model(1)
