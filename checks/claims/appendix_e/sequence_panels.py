"""Figures 2, 4 and 5 left: samples and policies over a sequence of tasks, with labelled estimates.

The panels themselves are run again in `ptum.checks.reproduce`. Here empirical distributions of the
samples of every task, with their labels, stand in the place of the spectral learner, and the three
likeliest successors of the last task are known (D61, D65). What is looked at is what the
description makes of lists of eight tasks that are drawn as it says (D74-D78, D81): all eight
targets of a list, once each, on the same streams.

Two moments of the transfer phase count (D57-D59). At its entry 300 tasks have been seen and Δ is
just below what line 2 admits; at its end 400 have been seen and ρ is 0.006. Before the entry both
variants fall back, which the panels leave out. The sequential variant keeps three models, the
static one all eight. Given the seed of its list, an instance leaves nothing to chance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ptum.checks.claims.appendix_e.outcomes import (
    BUDGET,
    DELTA,
    EPSILON,
    NEIGHBOURS,
    labelled_estimate,
    loss_of,
)
from ptum.checks.claims.appendix_e.panels import seeds, small_and_large
from ptum.checks.claims.appendix_e.runs import run
from ptum.checks.engine.models import among
from ptum.checks.engine.problem import RunNumbers
from ptum.checks.engine.ptum import simulated_run
from ptum.checks.exact.numbers import max_of
from ptum.checks.instances.counterexamples.appendix_e import experiment_settings as settings
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import NOTHING_ROUNDED, Evaluation, Outcome, Statement, not_met
from ptum.checks.verdicts.probability_search import (
    Design,
    Plan,
    judge_count,
    planned,
)
from ptum.reference.errors import Numeric
from ptum.reference.experiments.objectworld import (
    FIGURE_2,
    FIGURE_4,
    FIGURE_5_LEFT,
    TaskList,
    generate_tasks,
)
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.sequential_bounds import theorem_2_bound
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import optimal_value, value_tolerance
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.stopping import transfer_threshold
from ptum.spec.vocabulary import CheckKind

ALL, KEPT = 8, 3
ENTRY, END = settings.START_UP, settings.LAST


@dataclass(frozen=True)
class SequencePanel:
    """How tasks are drawn, and the samples per pair of a start-up task and of a later one."""

    tasks: TaskList
    start_up: int
    later: int


PANELS = {
    2: SequencePanel(FIGURE_2, 50, 30),
    4: SequencePanel(FIGURE_4, 150, 100),
    5: SequencePanel(FIGURE_5_LEFT, 250, 200),
}


@stored
@dataclass(frozen=True)
class Listed:
    """The list of eight tasks with this seed, of one figure, on a grid of side×side cells.

    `h` is the moment that is looked at, where a claim is about one.
    """

    figure: int
    side: int
    seed: int
    h: int = END

    @property
    def panel(self) -> SequencePanel:
        """The description of the figure."""
        return PANELS[self.figure]


@lru_cache(maxsize=4)
def tasks_of(listed: Listed) -> tuple[MDP, ...]:
    """Drawn as Appendix E.2 says for the figure."""
    setting = replace(listed.panel.tasks, rows=listed.side, columns=listed.side)
    return generate_tasks(setting, np.random.default_rng(listed.seed))


@lru_cache(maxsize=4)
def estimates(listed: Listed, h: int) -> ApproximateModels:
    """From labelled samples of h tasks, of which the first 300 are start-up tasks."""
    panel = listed.panel
    samples = (ENTRY * panel.start_up + (h - ENTRY) * panel.later) // ALL
    rng = np.random.default_rng([listed.seed, h])
    return approximate_models([labelled_estimate(task, samples, rng) for task in tasks_of(listed)])


def error_bound(listed: Listed, h: int) -> float:
    """Δ: nearly the threshold at the entry, Theorem 2's form with ρ = 0.006 afterwards."""
    task = tasks_of(listed)[0]
    if h == ENTRY:
        return 0.99 * transfer_threshold(EPSILON, task.gamma)
    rho, U = settings.DECAYED_RHO, task.u.size
    return theorem_2_bound(Level(S=task.S, A=task.A, U=U, h=h, delta_prime=DELTA), rho_any=rho)


@dataclass(frozen=True)
class Total(Numeric):
    """Eight targets together: samples, and the mean of the losses of their policies."""

    samples: int
    loss: float


@lru_cache(maxsize=8)
def total(listed: Listed, h: int, kept: int, bound_of: int | None = None) -> Total:
    """PTUM on every task of the list, offered that many models, likely successors first.

    Estimates are those of h, and so is Δ unless it is that of another moment.
    """
    models, Delta = estimates(listed, h), error_bound(listed, bound_of or h)
    samples, losses = 0, []
    for target, task in enumerate(tasks_of(listed)):
        offered = [(target + step) % ALL for step in NEIGHBOURS][:kept]
        found = simulated_run(
            among(models, offered),
            task,
            listed.seed,
            RunNumbers(epsilon=EPSILON, delta=DELTA, n=BUDGET, errors=single(Delta)),
        )
        samples += found.queries
        losses.append(loss_of(task, found))
    return Total(samples, float(np.mean(losses)))


def oracle(listed: Listed) -> int:
    """Samples for the same targets with all eight exact models."""
    exact, seed = approximate_models(tasks_of(listed)), listed.seed
    counts = (
        run(exact, seed, epsilon=EPSILON, delta=DELTA, n=BUDGET, target=target).queries
        for target in range(ALL)
    )
    return sum(counts)


# Evaluations


def below_static_evaluation(listed: Listed, kept: int = KEPT) -> Evaluation:
    """Three models take fewer samples than eight."""
    sequential, static = (total(listed, listed.h, number).samples for number in (kept, ALL))
    return Evaluation(
        (Statement("samples of the static variant", static, "≥", 1),),
        Statement(
            f"samples of the sequential variant, of the static one, at h = {listed.h}",
            sequential,
            "<",
            static,
            tolerance=NOTHING_ROUNDED,
        ),
    )


def below_one_evaluation(listed: Listed, kept: int = KEPT) -> Evaluation:
    """Three estimated models take fewer samples than eight exact ones."""
    exact = oracle(listed)
    return Evaluation(
        (Statement("samples of the oracle", exact, "≥", 1),),
        Statement(
            "samples of the sequential variant at the end, of the oracle",
            total(listed, END, kept).samples,
            "<",
            exact,
            tolerance=NOTHING_ROUNDED,
        ),
    )


def near_optimal_evaluation(listed: Listed, epsilon: float = EPSILON) -> Evaluation:
    """The policies of both variants lose at most ε on average over the list."""
    tasks = tasks_of(listed)
    rounded = max_of(2 * value_tolerance(optimal_value(task), task.gamma) for task in tasks)
    loss = max_of(total(listed, listed.h, kept).loss for kept in (KEPT, ALL))
    return Evaluation(
        (Statement("tasks of the list", len(tasks), "=", ALL),),
        Statement(
            f"mean loss of eight policies at h = {listed.h}", loss, "≤", epsilon, tolerance=rounded
        ),
    )


def smaller_error_evaluation(listed: Listed, kept: int = KEPT) -> Evaluation:
    """The same estimates with the Δ of the entry and of the end: the smaller one costs no more."""
    wide, narrow = (total(listed, ENTRY, kept, at).samples for at in (ENTRY, END))
    return Evaluation(
        (Statement("samples with the Δ of the entry", wide, "≥", 1),),
        Statement(
            "samples of the sequential variant with the Δ of the end, with that of the entry",
            narrow,
            "≤",
            wide,
            tolerance=NOTHING_ROUNDED,
        ),
    )


LARGEST_SAVING = 0.5


def accuracy_evaluation(listed: Listed, saving: float = LARGEST_SAVING) -> Evaluation:
    """The same estimates with the Δ of the entry and of the end: less than half is saved."""
    wide, narrow = (
        [total(listed, ENTRY, kept, at).samples for kept in (KEPT, ALL)] for at in (ENTRY, END)
    )
    premises = (Statement("samples at the entry", min(wide), "≥", 1),)
    if min(wide) == 0:
        return not_met(premises)
    saved = max_of(1 - later / first for first, later in zip(wide, narrow, strict=True))
    return Evaluation(
        premises,
        Statement(
            "largest share of the samples that a smaller Δ saves",
            saved,
            "<",
            saving,
            tolerance=NOTHING_ROUNDED,
        ),
    )


# In most lists

ALPHA_OF_CHECK = 1e-4
MOST = 0.5
OF_LISTS = "what is claimed of most lists is close to the border, and lists take their time"
LITTLE = 0.2
"""A curve whose last value is within a fifth of its first counts as rather flat."""


def in_most_lists(
    context: Context, figure: int, fails: Callable[[Listed], bool], told: str
) -> Outcome:
    """Whether more than half of all lists on 3×3 cells are as claimed, by an exact interval.

    Every list has a stream of its own, so that the number of those that fail is binomial.
    """
    number = context.count(1, 30, 200)
    planned(context, Plan(Design(MOST, number, ALPHA_OF_CHECK), reason=OF_LISTS))
    lists = [Listed(figure, 3, int(context.generator(i).integers(2**32))) for i in range(number)]
    failures = sum(fails(listed) for listed in lists)
    explanation = (f"{failures} of {number} lists {told}",)
    return judge_count(failures, number, MOST, ALPHA_OF_CHECK, explanation, lambda: ())


def above_oracle(listed: Listed) -> bool:
    """Whether the sequential variant takes no fewer samples than the oracle at the end."""
    return not below_one_evaluation(listed).conclusion.holds


@check("figure-4-left.same-picture/below-one", CheckKind.ASYMPTOTIC, alpha=ALPHA_OF_CHECK)
def below_one_mostly(context: Context) -> Outcome:
    """At the end the sequential variant is below the oracle on most lists.

    Figure 4 left: on some lists the estimates cost more than the filter saves.
    """
    told = "on which the sequential variant takes no fewer samples than the oracle"
    return in_most_lists(context, 4, above_oracle, told)


def does_not_fall(listed: Listed) -> bool:
    """Whether either variant takes no fewer samples at the end than at its entry."""
    variants = (KEPT, ALL)
    return any(
        total(listed, END, kept).samples >= total(listed, ENTRY, kept).samples for kept in variants
    )


@check("figure-2-left.decay/most-lists", CheckKind.ASYMPTOTIC, alpha=ALPHA_OF_CHECK)
def falls_mostly(context: Context) -> Outcome:
    """In transfer mode both variants take fewer samples at the end on most lists.

    Figure 2 left, from the entry to the end of the transfer phase.
    """
    told = "on which a variant takes no fewer samples at the end than at its entry"
    return in_most_lists(context, 2, does_not_fall, told)


def changes_much(listed: Listed, little: float = LITTLE) -> bool:
    """Whether either variant ends farther than that from where it entered."""
    ends = [[total(listed, h, kept).samples for kept in (KEPT, ALL)] for h in (ENTRY, END)]
    return any(abs(end - entry) > little * entry for entry, end in zip(*ends, strict=True))


@check("figure-5-left.flat/most-lists", CheckKind.ASYMPTOTIC, alpha=ALPHA_OF_CHECK)
def flat_mostly(context: Context) -> Outcome:
    """On most lists both curves end within a fifth of where they entered.

    Figure 5 left, from the entry to the end of the transfer phase.
    """
    told = f"on which a curve changes by more than {LITTLE:.0%}"
    return in_most_lists(context, 5, changes_much, told)


# Every list


def drawn(
    context: Context, figure: int, moments: tuple[int, ...], side: int
) -> SearchStrategy[Listed]:
    """Lists on a grid of side×side cells."""
    at = st.sampled_from(moments)
    return st.builds(Listed, st.just(figure), st.just(side), seeds(context), at)


def larger(figure: int, number: int, moments: tuple[int, ...] = (END,)) -> list[Listed]:
    """Lists on grids of 5×5, that of the paper, and of 3×3 cells."""
    return [Listed(figure, (5, 3)[i % 2], i, moments[i // 2 % len(moments)]) for i in range(number)]


def on_lists(
    context: Context,
    figure: int,
    evaluation: Callable[[Listed], Evaluation],
    moments: tuple[int, ...] = (END,),
    side: int = 2,
) -> Outcome:
    """A search over small lists, and some larger ones."""
    return small_and_large(
        context,
        drawn(context, figure, moments, side),
        evaluation,
        context.count(1, 12, 500),
        larger(figure, context.count(0, 2, 40), moments),
    )


BOTH = (ENTRY, END)


@check("figure-2-left.sequential-below-static/labelled-samples", CheckKind.INEQUALITY)
def below_static(context: Context, figure: int = 2, kept: int = KEPT) -> Outcome:
    """Drawn lists: three likely models take fewer samples than all eight."""
    return on_lists(context, figure, lambda listed: below_static_evaluation(listed, kept), BOTH)


@check("figure-2-left.below-one/labelled-samples", CheckKind.INEQUALITY)
def below_one(context: Context) -> Outcome:
    """Drawn lists: at the end three estimates take fewer samples than eight exact models."""
    return on_lists(context, 2, below_one_evaluation)


@check("figure-2-left.decay/smaller-error", CheckKind.INEQUALITY)
def smaller_error(context: Context) -> Outcome:
    """Drawn lists, same estimates: a smaller Δ costs the sequential variant no more.

    Figure 2 left: of what makes a curve fall, the part of Δ.
    """
    return on_lists(context, 2, smaller_error_evaluation)


@check("figure-2-right.near-optimal/labelled-samples", CheckKind.INEQUALITY)
def near_optimal(context: Context, figure: int = 2) -> Outcome:
    """Drawn lists: policies of both variants lose at most ε on average."""
    return on_lists(context, figure, near_optimal_evaluation, BOTH)


@check("figure-5-left.flat/accuracy-alone", CheckKind.INEQUALITY)
def accuracy(context: Context, saving: float = LARGEST_SAVING) -> Outcome:
    """Drawn lists: a smaller Δ saves less than half (as on most lists of Figures 2 and 4).

    Figure 5 left. On 2×2 cells tasks are so few that two of eight are often close.
    """
    return on_lists(context, 5, lambda listed: accuracy_evaluation(listed, saving), side=3)


check(
    "figure-4-left.same-picture/labelled-samples",
    CheckKind.INEQUALITY,
    "Drawn lists: three likely models take fewer samples than all eight",
)(partial(below_static, figure=4))
check(
    "figure-4-right.near-optimal/labelled-samples",
    CheckKind.INEQUALITY,
    "Drawn lists: policies of both variants lose at most ε on average",
)(partial(near_optimal, figure=4))
check(
    "figure-5-left.sequential-below-static/labelled-samples",
    CheckKind.INEQUALITY,
    "Drawn lists: three likely models take fewer samples than all eight",
)(partial(below_static, figure=5))
