"""Statements of Appendix E about its own parameters that the parameters contradict.

Errata E48, E49 and E52, and E57, which is withdrawn: arithmetic, with the numbers as printed. A
printed decimal is the rational number that it says; the one logarithm is enclosed between
rationals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from ptum.checks.exact import mdp
from ptum.checks.exact.intervals import PI, Between, compared, log, root, shortened, written
from ptum.checks.exact.numbers import max_of
from ptum.checks.instances.counterexamples.catalogue import Numbers, declare
from ptum.checks.verdicts import formulas, witness
from ptum.checks.verdicts.outcome import Evaluation, Statement
from ptum.reference.arrays import ROUNDING
from ptum.reference.experiments.objectworld import (
    FIGURE_2,
    FIGURE_4,
    FIGURE_5_LEFT,
    VALUES,
    TaskList,
)
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.sequential_bounds import (
    theorem_2_bound,
    theorem_3_eta,
    theorem_3_prediction,
)
from ptum.reference.sequential.observations import dimension

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
"""In thousandths, the largest that enters transfer mode at h = 300, be δ' = 0.1 or 0.01."""

RANDOM_TASKS = (0, 2, 3, 5)
PRINTED_COPIES = (1, 7, 4, 5)
REPAIRED_COPIES = (1, 7, 4, 6)


# Theorem 2's bound and line 2


def model_error(rho: float, h: int, delta_prime: float = DELTA_PRIME) -> Between:
    """ρ √(log(c_h)/h) for the objectworld, c_h = π²h²SA(S+U)/δ'."""
    c_h = PI * PI * (h**2 * dimension(S, A, U)) / written(delta_prime)
    found = written(rho) * root(log(c_h) / h)
    literal = theorem_2_bound(Level(S=S, A=A, U=U, h=h, delta_prime=delta_prime), rho_any=rho)
    if abs(Fraction(literal) - found.low) > ROUNDED * found.low:
        raise AssertionError(f"the literal bound is {literal}, not {float(found)}")
    return found


def admitted_evaluation(rho: float, h: int, delta_prime: float = DELTA_PRIME) -> Evaluation:
    """The same for a ρ that is small enough."""
    found = enters_evaluation(rho, h, delta_prime)
    small = Statement("ρ against 0.022", written(rho), "≤", written(LARGEST_RHO))
    return Evaluation((*found.premises, small), found.conclusion)


def decay_evaluation(rho: float = RHO, h: int = LAST) -> Evaluation:
    """Where the initial ρ does not enter, the decayed one does."""
    initial = enters_evaluation(rho, h).conclusion
    return Evaluation(
        (Statement("the initial bound against the threshold", initial.left, "≥", initial.right),),
        enters_evaluation(DECAYED_RHO, h).conclusion,
    )


ENTERS_AT = 13_396
"""The least h at which ρ = 0.135 enters, for δ' = 0.1."""


def in_time_evaluation(h: int) -> Evaluation:
    """ρ = 0.135 with no decay: after that many tasks the bound is below the threshold."""
    return Evaluation(
        (Statement("number of tasks", h, "≥", 3),), enters_evaluation(RHO, h).conclusion
    )


def enters_evaluation(rho: float, h: int, delta_prime: float = DELTA_PRIME) -> Evaluation:
    """After h tasks the error bound is below the threshold of line 2."""
    return Evaluation(
        premises=(Statement("number of tasks seen", h, "≤", LAST),),
        conclusion=Statement(
            f"error bound with ρ = {rho} at h = {h}, against the threshold",
            *compared(
                model_error(rho, h, delta_prime),
                "<",
                mdp.transfer_threshold(written(EPSILON), written(GAMMA), mdp.PRINTED_FACTOR),
            ),
            formulas.SEQUENTIAL + "THEOREM_2",
            (
                *(("S", S), ("A", A), ("U", U), ("h", h)),
                *(("delta_prime", delta_prime), ("rho_any", rho)),
            ),
            bound=shortened(model_error(rho, h, delta_prime)),
        ),
    )


# Theorem 3's rule


def kept_evaluation(probability: float, h: int) -> Evaluation:
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
    return Evaluation(
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


def tuned_evaluation(eta: float, m: int = LAST) -> Evaluation:
    """The δ' that η = δ'/(3km²) would mean is no probability: η is tuned."""
    implied = implied_confidence(eta, m=m)
    half = theorem_3_eta(k=K, m=m, delta_prime=0.5)
    witness.same_numbers("η of δ' = 1/2", half, Fraction(1, 6 * K * m**2), ROUNDED * half)
    return Evaluation(
        (Statement("η", written(eta), "<", 1),),
        Statement(
            "δ' that η would mean",
            implied,
            "≥",
            1,
            formulas.SEQUENTIAL + "THEOREM_3_ETA",
            (("k", K), ("m", m), ("delta_prime", implied)),
            bound=written(eta),
        ),
    )


# Tasks, items, parameters


def tasks_evaluation(copies: Sequence[int]) -> Evaluation:
    """Eight tasks are generated, and each index from 0 to 7 once."""
    made = (*RANDOM_TASKS, *copies)
    return Evaluation(
        (Statement("tasks generated", len(made), "=", K),),
        Statement("different indices among them", len(set(made)), "=", K),
    )


def items_evaluation(values: Sequence[float] = VALUES) -> Evaluation:
    """Section 6 counts eleven items or none; Appendix E lists the values, 0 for no item."""
    items = [v for v in values if v > 0]
    return Evaluation(
        (Statement("values listed", len(set(values)), "=", 12),),
        Statement("items among them", len(items), "=", 11),
    )


SetSizes: TypeAlias = tuple[int, int, int]
"""Numbers of states, actions and reward values."""


def parameters_evaluation(factor: Fraction, sizes: SetSizes = (S, A, U)) -> Evaluation:
    """From reward distributions alone to reward and transition distributions."""
    before, after = math.prod(sizes), dimension(*sizes)
    return Evaluation(
        (Statement("entries of the reward distributions", before, "=", 1200),),
        Statement("entries in all over those", Fraction(after, before), "=", factor),
    )


@dataclass(frozen=True)
class TwoExperiments:
    """Two lists of tasks, the earlier one with the figure that it belongs to."""

    earlier: TaskList = FIGURE_4
    figure: str = "Figure 4"
    later: TaskList = FIGURE_5_LEFT


def stochasticity_evaluation(both: TwoExperiments, *, of_rewards: bool = False) -> Evaluation:
    """The later experiment is the more stochastic one, in transitions or in rewards."""
    before, after = (
        one.pick_up_failure if of_rewards else max_of(one.action_failures)
        for one in (both.earlier, both.later)
    )
    return Evaluation(
        (Statement("tasks of the earlier experiment", len(both.earlier.action_failures), "=", K),),
        Statement("largest failure before against after", written(before), "<", written(after)),
    )


# What the cases show


@dataclass(frozen=True)
class Guess:
    """A guess of ρ, the number of tasks seen, and δ'."""

    rho: float = RHO
    h: int = START_UP
    delta_prime: float = LENIENT


@dataclass(frozen=True)
class Copies:
    """Indices of the tasks that are copies, as printed and as repaired."""

    printed: tuple[int, ...] = tuple(PRINTED_COPIES)
    repaired: tuple[int, ...] = tuple(REPAIRED_COPIES)


@dataclass(frozen=True)
class Entries:
    """By what factor the entries are said to grow, printed and counted, and the sizes."""

    factor: Fraction = Fraction(2)
    sizes: SetSizes = (S, A, U)
    counted: Fraction = Fraction(37, 12)


def numbers_of_parameters(entries: Entries) -> Numbers:
    """How many numbers describe a task."""
    sizes = entries.sizes
    return (
        ("S, A, U", sizes),
        ("entries of the reward distributions, SAU", math.prod(sizes)),
        ("entries of all distributions, SA(S+U)", dimension(*sizes)),
    )


def numbers_of_failures(name: str, experiment: TaskList) -> Numbers:
    """How often actions and pick-ups fail, task by task and in all tasks."""
    actions = tuple(Fraction(x).limit_denominator(1000) for x in experiment.action_failures)
    return (
        (f"probabilities of a failing action, {name}", actions),
        (f"probability of a failing pick-up, {name}", written(experiment.pick_up_failure)),
    )


SEEN = "number of tasks seen"
FEW = replace(FIGURE_5_LEFT, action_failures=(0.1,))
OTHER_SIZES: SetSizes = (10, 10, 12)

declare(
    check="text-rho-enters-transfer-mode.enters/after-start-up",
    says="Theorem 2's bound with ρ = 0.135 at h = 300 exceeds line 2's threshold",
    instance=Guess(),
    evaluate=lambda guess: enters_evaluation(guess.rho, guess.h, guess.delta_prime),
    # what the bound and the threshold are made of
    numbers=lambda guess: (
        ("S, A, U", (S, A, U)),
        ("ε", written(EPSILON)),
        ("γ", written(GAMMA)),
        ("h", guess.h),
        ("δ'", written(guess.delta_prime)),
        ("ρ", written(guess.rho)),
        ("error bound", "ρ √(log(π²h²SA(S+U)/δ')/h)"),
        ("threshold of line 2", "(1-γ)ε/(4(1+γ))"),
    ),
    fix="ρ = 0.022 in place of 0.135",
    fixed=Guess(LARGEST_RHO),
    broken={SEEN: Guess(h=500)},
    repaired=lambda guess: admitted_evaluation(guess.rho, guess.h, guess.delta_prime),
    in_scope=Guess(LARGEST_RHO, delta_prime=DELTA_PRIME),
)
declare(
    check="text-task-indices.all-eight/printed-copies",
    says="Task 5 is made twice, task 6 never",
    instance=Copies(),
    evaluate=lambda copies: tasks_evaluation(copies.printed),
    # the eight tasks
    numbers=lambda copies: (
        ("tasks drawn at random", RANDOM_TASKS),
        ("near-copies, as printed", copies.printed),
        ("near-copies, with 6", copies.repaired),
    ),
    fix="4 and 6 as the copies of 5",
    fixed=Copies(printed=tuple(REPAIRED_COPIES)),
    broken={"tasks generated": Copies(printed=tuple(PRINTED_COPIES[:3]))},
    repaired=lambda copies: tasks_evaluation(copies.repaired),
    in_scope=Copies(repaired=tuple(REPAIRED_COPIES[::-1])),
)
declare(
    check="text-parameters-doubled.factor/two",
    says="3700 entries are not twice 1200",
    instance=Entries(),
    evaluate=lambda entries: parameters_evaluation(entries.factor, entries.sizes),
    numbers=numbers_of_parameters,
    fix="the factor 37/12",
    fixed=Entries(Fraction(37, 12)),
    broken={"entries of the reward distributions": Entries(sizes=(24, A, U))},
    repaired=lambda entries: parameters_evaluation(entries.counted, entries.sizes),
    in_scope=Entries(sizes=OTHER_SIZES, counted=Fraction(22, 12)),
)
declare(
    check="text-almost-deterministic.transitions/same-failures",
    says="Actions fail less often in Figure 4 than in the stochastic experiment",
    instance=TwoExperiments(),
    evaluate=stochasticity_evaluation,
    numbers=lambda both: (
        *numbers_of_failures(f"earlier ({both.figure})", both.earlier),
        *numbers_of_failures("later (Figure 5 left)", both.later),
    ),
    fix="Figure 2 as the earlier experiment",
    fixed=TwoExperiments(FIGURE_2, "Figure 2"),
    broken={"tasks of the earlier experiment": TwoExperiments(FEW)},
    repaired=lambda both: stochasticity_evaluation(both, of_rewards=True),
    in_scope=TwoExperiments(FIGURE_2, "Figure 2"),
)
