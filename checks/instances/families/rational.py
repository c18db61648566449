"""Sets of models with rational numbers, for checks without tolerance.

Strategies are cached, as in `ptum.checks.instances.families.tasks`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP

DISCOUNTS = (Fraction(0), Fraction(1, 2), Fraction(9, 10), Fraction(99, 100))


@cache
@st.composite
def distributions(draw: DrawFn, size: int) -> tuple[Fraction, ...]:
    """A probability vector: small integer weights over their sum, one of them positive for sure."""
    weights = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    weights[draw(st.integers(0, size - 1))] += 1
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


@cache
@st.composite
def tasks(draw: DrawFn, S: int, A: int, gamma: Fraction) -> ExactMDP:
    """A task with deterministic rewards in tenths."""
    p = [[draw(distributions(S)) for _ in range(A)] for _ in range(S)]
    r = [[Fraction(draw(st.integers(0, 10)), 10) for _ in range(A)] for _ in range(S)]
    return mdp.deterministic(p, r, gamma)


@cache
@st.composite
def model_sets(draw: DrawFn, most_models: int = 3, least_actions: int = 1) -> tuple[ExactMDP, ...]:
    """Two or more models over the same states, actions and discount."""
    S, A = draw(st.integers(1, 3)), draw(st.integers(least_actions, 3))
    gamma = draw(discounts())
    k = draw(st.integers(2, most_models))
    return tuple(draw(tasks(S, A, gamma)) for _ in range(k))


@cache
def discounts() -> SearchStrategy[Fraction]:
    """γ between 0 and 0.99."""
    return st.sampled_from(DISCOUNTS)
