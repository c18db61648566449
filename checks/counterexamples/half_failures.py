"""Ten tasks whose chain fails half of the time (erratum E26): T loses its rank.

Task j is followed by j+1 with probability s, else by j or j+2. T sends (1, -1, 1, -1, …) to 1 - 2s
times itself, so that at s = 1/2 nothing of it is left and no number of tasks shows O. Where T is
invertible the exact M_2 has rank ten, from which ten tasks are learned.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial

from ptum.checks import exact_hmm as exact
from ptum.checks.counterexamples.catalogue import Case, Numbers
from ptum.checks.counterexamples.visits import on_a_cycle
from ptum.checks.exact_hmm import ExactHMM, Matrix, Vector
from ptum.checks.families.hmms import moving_ahead
from ptum.checks.outcome import Statement, Walk

HALF, K = Fraction(1, 2), 10
OFTEN = Fraction(97, 100)
"""The next task follows, as in Appendix E."""


def chain_of_ten(success: Fraction) -> Matrix:
    """Task j is followed by j+1 with chance s, and by j and j+2 with half of the rest each."""
    rest = (1 - success) / 2
    return moving_ahead(K, {0: rest, 1: success, 2: rest})


def alternating() -> Vector:
    """(1, -1, 1, -1, …)."""
    return tuple(Fraction((-1) ** j) for j in range(K))


def singular_walk(T: Matrix) -> Walk:
    """T invertible: the alternating vector must not vanish."""
    image = exact.applied(T, alternating())
    off = max(abs(sum((row[j] for row in T), Fraction(-1))) for j in range(len(T)))
    return Walk(
        (Statement("columns of T are laws, off by", off, "=", 0),),
        Statement("‖T(1,-1,1,-1,…)‖²", exact.squared_norm(image), ">", 0),
    )


def on_chain(T: Matrix) -> ExactHMM:
    """Task j pays the first reward or reward j with chance one half each; the first is uniform."""
    return replace(on_a_cycle(T, 0), first=(Fraction(1, K),) * K)


def learnable_walk(T: Matrix) -> Walk:
    """Repaired, in the limit of many tasks: M_2 = Σ_32 Σ_12† Σ_13 has rank k where T has."""
    hmm = on_chain(T)
    Sigma_32, Sigma_12, Sigma_13 = (
        exact.second_moment(hmm, *views) for views in ((3, 2), (1, 2), (1, 3))
    )
    M_2 = exact.times(Sigma_32, exact.pseudo_inverse(Sigma_12), Sigma_13)
    return Walk(
        (
            Statement("rank O", exact.rank(hmm.O), "=", K),
            Statement("rank T", exact.rank(T), "=", K),
        ),
        Statement("rank of M_2, from which k tasks are learned", exact.rank(M_2), "=", K),
    )


def numbers(s: Fraction) -> Numbers:
    """The chain."""
    return (
        ("tasks", K),
        ("chance s of the next task", s),
        ("chance of staying, and of skipping one", ((1 - s) / 2, (1 - s) / 2)),
        ("T, column θ' to row θ", chain_of_ten(s)),
    )


def numbers_of_tasks(s: Fraction) -> Numbers:
    """The chain, and tasks on it."""
    return (*numbers(s), ("O, one column per task", on_chain(chain_of_ten(s)).O))


def _leaking() -> Matrix:
    return tuple(tuple(x / 2 for x in row) for row in chain_of_ten(HALF))


CASES = (
    Case(
        checks=("text-task-stochasticity-critical.all-values/one-half",),
        numbers=partial(numbers, HALF),
        told=partial(singular_walk, chain_of_ten(HALF)),
        undo="s = 0.51",
        undone=partial(singular_walk, chain_of_ten(Fraction(51, 100))),
        broken={"columns of T are laws, off by": partial(singular_walk, _leaking())},
        repaired=partial(learnable_walk, chain_of_ten(HALF)),
        sibling=partial(learnable_walk, chain_of_ten(OFTEN)),
        sibling_numbers=partial(numbers_of_tasks, OFTEN),
    ),
)
