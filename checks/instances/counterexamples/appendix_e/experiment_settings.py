"""Statements of Appendix E about its own parameters that the parameters contradict.

Errata E48, E49, E52 and E57: arithmetic, with the numbers as printed. A printed decimal
is the rational number that it says; the one logarithm is enclosed between rationals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TypeAlias

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import PI, Between, compared, log, root, written
from ptum.checks.exact.numbers import max_of
from ptum.checks.instances.counterexamples.catalogue import Case, Numbers
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.outcome import Statement, Walk
from ptum.reference.arrays import ROUNDING
from ptum.reference.experiments.objectworld import (
    FIGURE_2,
    FIGURE_4,
    FIGURE_5_LEFT,
    VALUES,
    TaskList,
)
from ptum.reference.sequential.analysis.sequential_bounds import (
    theorem_2_bound,
    theorem_3_eta,
    theorem_3_prediction,
)
from ptum.reference.sequential.hmm import dimension

S, A, U, K = 25, 4, 12, 8
EPSILON, GAMMA, DELTA = 0.5, 0.9, 0.01
START_UP, LAST = 300, 400
RHO, DECAYED_RHO, RHO_T, ETA = 0.135, 0.006, 0.001, 0.087
DELTA_PRIME = 0.1
LENIENT = 0.999999
"""A failure probability δ' that leaves the least possible logarithm."""
ROUNDED = Fraction(24 * ROUNDING)
"""A dozen operations, the logarithm of a number above e and a root among them; doubled."""
LARGEST_RHO = 0.022
"""In thousandths, the largest that enters transfer mode at h = 300 and δ' = 0.1."""

RANDOM_TASKS = (0, 2, 3, 5)
PRINTED_COPIES = (1, 7, 4, 5)
REPAIRED_COPIES = (1, 7, 4, 6)


# Theorem 2's bound and line 2


def model_error(rho: float, h: int, delta_prime: float = DELTA_PRIME) -> Between:
    """ρ √(log(c_h)/h) for the objectworld, c_h = π²h²SA(S+U)/δ'."""
    c_h = PI * PI * (h**2 * dimension(S, A, U)) / written(delta_prime)
    found = written(rho) * root(log(c_h) / h)
    literal = theorem_2_bound(rho_any=rho, S=S, A=A, U=U, h=h, delta_prime=delta_prime)
    if abs(Fraction(literal) - found.low) > ROUNDED * found.low:
        raise AssertionError(f"the literal bound is {literal}, not {float(found)}")
    return found


def admitted_walk(rho: float, h: int, delta_prime: float = DELTA_PRIME) -> Walk:
    """The same for a ρ that is small enough."""
    found = enters_walk(rho, h, delta_prime)
    small = Statement("ρ against 0.022", written(rho), "≤", written(LARGEST_RHO))
    return Walk((*found.premises, small), found.conclusion)


def decay_walk(rho: float = RHO, h: int = LAST) -> Walk:
    """Where the initial ρ does not enter, the decayed one does."""
    initial = enters_walk(rho, h).conclusion
    return Walk(
        (Statement("the initial bound against the threshold", initial.left, "≥", initial.right),),
        enters_walk(DECAYED_RHO, h).conclusion,
    )


ENTERS_AT = 13_396
"""The least h at which ρ = 0.135 enters, for δ' = 0.1."""


def in_time_walk(h: int) -> Walk:
    """ρ = 0.135 with no decay: after that many tasks the bound is below the threshold."""
    return Walk((Statement("number of tasks", h, "≥", 3),), enters_walk(RHO, h).conclusion)


def enters_walk(rho: float, h: int, delta_prime: float = DELTA_PRIME) -> Walk:
    """After h tasks the error bound is below the threshold of line 2."""
    return Walk(
        premises=(Statement("number of tasks seen", h, "≤", LAST),),
        conclusion=Statement(
            f"error bound with ρ = {rho} at h = {h}, against the threshold",
            *compared(
                model_error(rho, h, delta_prime),
                "<",
                mdp.transfer_threshold(written(EPSILON), written(GAMMA), 4),
            ),
            formulas.SEQUENTIAL + "THEOREM_2",
            (
                *(("S", S), ("A", A), ("U", U), ("h", h)),
                *(("delta_prime", delta_prime), ("rho_any", rho)),
            ),
        ),
    )


# Theorem 3's rule


def kept_walk(probability: float, h: int) -> Walk:
    """A task with that predicted probability is kept: its left side exceeds η."""
    T_hat = [[probability if i == 0 else (1 - probability) / (K - 1)] * K for i in range(K)]
    left = theorem_3_prediction(
        T_hat,
        (0,),
        h=h,
        m=LAST,
        k=K,
        d=dimension(S, A, U),
        delta=DELTA,
        delta_prime=DELTA_PRIME,
        rho_T=RHO_T,
    )
    return Walk(
        (Statement("predicted probability", probability, ">", 0),),
        Statement(
            f"left side of the rule at h = {h} against η",
            float(left[0]),
            ">",
            ETA,
            formulas.SEQUENTIAL + "THEOREM_3_RULE",
            (
                *(("T_hat", probability), ("delta", DELTA), ("delta_prime", DELTA_PRIME)),
                *(("k", K), ("d", dimension(S, A, U)), ("m", LAST), ("h", h)),
                *(("rho_T", RHO_T), ("eta", ETA)),
            ),
        ),
    )


def implied_confidence(eta: float, k: int = K, m: int = LAST) -> Fraction:
    """δ' = 3km²η; the literal η of that δ' is η again."""
    delta_prime = 3 * k * m**2 * written(eta)
    if 0 < delta_prime < 1:
        literal = Fraction(theorem_3_eta(k=k, m=m, delta_prime=float(delta_prime)))
        if abs(literal - written(eta)) > ROUNDED * written(eta):
            raise AssertionError(f"the literal η is {float(literal)}, not {eta}")
    return delta_prime


def tuned_walk(eta: float, m: int = LAST) -> Walk:
    """The δ' that η = δ'/(3km²) would mean is no probability: η is tuned."""
    implied = implied_confidence(eta, m=m)
    return Walk(
        (Statement("η", written(eta), "<", 1),),
        Statement(
            "δ' that η would mean",
            implied,
            "≥",
            1,
            formulas.SEQUENTIAL + "THEOREM_3_ETA",
            (("k", K), ("m", m), ("delta_prime", implied)),
        ),
    )


# Tasks, items, parameters


def tasks_walk(copies: Sequence[int]) -> Walk:
    """Eight tasks are generated, and each index from 0 to 7 once."""
    made = (*RANDOM_TASKS, *copies)
    return Walk(
        (Statement("tasks generated", len(made), "=", K),),
        Statement("different indices among them", len(set(made)), "=", K),
    )


def items_walk(values: Sequence[float] = VALUES) -> Walk:
    """Section 6 counts eleven items or none; Appendix E lists the values, 0 for no item."""
    items = [v for v in values if v > 0]
    return Walk(
        (Statement("values listed", len(set(values)), "=", 12),),
        Statement("items among them", len(items), "=", 11),
    )


Sizes: TypeAlias = tuple[int, int, int]
"""Numbers of states, actions and reward values."""


def parameters_walk(factor: Fraction, sizes: Sizes = (S, A, U)) -> Walk:
    """From reward laws alone to reward and transition laws."""
    before, after = math.prod(sizes), dimension(*sizes)
    return Walk(
        (Statement("entries of the reward laws", before, "=", 1200),),
        Statement("entries in all over those", Fraction(after, before), "=", factor),
    )


def stochasticity_walk(
    earlier: TaskList = FIGURE_4, later: TaskList = FIGURE_5_LEFT, of_rewards: bool = False
) -> Walk:
    """The later experiment is the more stochastic one, in transitions or in rewards."""
    before = earlier.pick_up_failure if of_rewards else max_of(earlier.action_failures)
    after = later.pick_up_failure if of_rewards else max_of(later.action_failures)
    return Walk(
        (Statement("tasks of the earlier experiment", len(earlier.action_failures), "=", K),),
        Statement("largest failure before against after", written(before), "<", written(after)),
    )


# What the cases show


def numbers_of_rho(h: int) -> Numbers:
    """What the bound and the threshold are made of."""
    return (
        ("S, A, U", (S, A, U)),
        ("ε", written(EPSILON)),
        ("γ", written(GAMMA)),
        ("h", h),
        ("δ'", written(LENIENT)),
        ("ρ", written(RHO)),
        ("error bound", "ρ √(log(π²h²SA(S+U)/δ')/h)"),
        ("threshold of line 2", "(1-γ)ε/(4(1+γ))"),
    )


def numbers_of_parameters(sizes: Sizes) -> Numbers:
    """How many numbers describe a task."""
    return (
        ("S, A, U", sizes),
        ("entries of the reward laws, SAU", math.prod(sizes)),
        ("entries of all laws, SA(S+U)", dimension(*sizes)),
    )


def numbers_of_failures(name: str, experiment: TaskList) -> Numbers:
    """How often actions and pick-ups fail, task by task and in all tasks."""
    actions = tuple(Fraction(x).limit_denominator(1000) for x in experiment.action_failures)
    return (
        (f"chances of a failing action, {name}", actions),
        (f"chance of a failing pick-up, {name}", written(experiment.pick_up_failure)),
    )


SEEN = "number of tasks seen"
ENTERS = "text-rho-enters-transfer-mode"
FEW = replace(FIGURE_5_LEFT, action_failures=(0.1,))
OTHER_SIZES: Sizes = (10, 10, 12)

CASES = (
    Case(
        checks=(f"{ENTERS}.enters/after-start-up",),
        numbers=partial(numbers_of_rho, START_UP),
        told=partial(enters_walk, RHO, START_UP, LENIENT),
        undo="ρ = 0.022 in place of 0.135",
        undone=partial(enters_walk, LARGEST_RHO, START_UP, LENIENT),
        broken={SEEN: partial(enters_walk, RHO, 500, LENIENT)},
        repaired=partial(admitted_walk, RHO, START_UP),
        sibling=partial(admitted_walk, LARGEST_RHO, START_UP),
        sibling_numbers=lambda: (("δ'", written(DELTA_PRIME)), ("ρ", written(LARGEST_RHO))),
    ),
    Case(
        checks=("text-task-indices.all-eight/printed-copies",),
        numbers=lambda: (
            ("tasks drawn at random", RANDOM_TASKS),
            ("near-copies, as printed", PRINTED_COPIES),
        ),
        told=partial(tasks_walk, PRINTED_COPIES),
        undo="4 and 6 as the copies of 5",
        undone=partial(tasks_walk, REPAIRED_COPIES),
        broken={"tasks generated": partial(tasks_walk, PRINTED_COPIES[:3])},
        repaired=partial(tasks_walk, REPAIRED_COPIES),
        sibling=partial(tasks_walk, REPAIRED_COPIES[::-1]),
        sibling_numbers=lambda: (("near-copies, with 6", REPAIRED_COPIES[::-1]),),
    ),
    Case(
        checks=("text-parameters-doubled.factor/two",),
        numbers=partial(numbers_of_parameters, (S, A, U)),
        told=partial(parameters_walk, Fraction(2)),
        undo="the factor 37/12",
        undone=partial(parameters_walk, Fraction(37, 12)),
        broken={"entries of the reward laws": partial(parameters_walk, Fraction(2), (24, A, U))},
        repaired=partial(parameters_walk, Fraction(37, 12)),
        sibling=partial(parameters_walk, Fraction(22, 12), OTHER_SIZES),
        sibling_numbers=partial(numbers_of_parameters, OTHER_SIZES),
    ),
    Case(
        checks=("text-almost-deterministic.transitions/same-failures",),
        numbers=lambda: (
            *numbers_of_failures("earlier (Figure 4)", FIGURE_4),
            *numbers_of_failures("later (Figure 5 left)", FIGURE_5_LEFT),
        ),
        told=stochasticity_walk,
        undo="Figure 2 as the earlier experiment",
        undone=partial(stochasticity_walk, FIGURE_2),
        broken={"tasks of the earlier experiment": partial(stochasticity_walk, FEW)},
        repaired=partial(stochasticity_walk, of_rewards=True),
        sibling=partial(stochasticity_walk, FIGURE_2, of_rewards=True),
        sibling_numbers=lambda: numbers_of_failures("earlier (Figure 2)", FIGURE_2),
    ),
)
