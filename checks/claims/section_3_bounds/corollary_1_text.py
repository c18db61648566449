"""What Section 3.2 says in words about Corollary 1."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from ptum.checks.claims.section_3 import exact_draws, runs
from ptum.checks.claims.section_3.promises import (
    rate_formula,
    rate_with_constant,
    repaired_bound,
    repaired_formula,
)
from ptum.checks.claims.section_3.runs import Algorithm1Setting, Drawn
from ptum.checks.claims.section_3_bounds.theorem_1 import repaired_is_finite
from ptum.checks.exact.numbers import max_of
from ptum.checks.instances.counterexamples.section_3 import theorem_1 as theorem_1_cases
from ptum.checks.instances.counterexamples.section_3_text import confidence, generality
from ptum.checks.instances.families import tasks
from ptum.checks.instances.families.named import exactly_known
from ptum.checks.instances.families.sets import FRACTIONS, moved
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.attempts.names import stored
from ptum.checks.verdicts.check import Context, check
from ptum.checks.verdicts.outcome import (
    Evaluation,
    Formed,
    Outcome,
    Statement,
    from_evaluation,
    over_evaluations,
)
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import ROUNDING, Floats, above
from ptum.reference.repaired.transfer.stopping import enters_transfer_mode
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer.analysis.sample_complexity import corollary_1_rate
from ptum.reference.transfer.assumptions import single
from ptum.spec.vocabulary import CheckKind, Version

FEW_ROUNDINGS = 20 * ROUNDING
"""A product of ten factors loses at most ten halves of a rounding on either side; doubled."""


# No growth as ε shrinks


@stored
@dataclass(frozen=True)
class Rate:
    """What the rate depends on, apart from ε."""

    S: int
    A: int
    k: int
    gamma: float
    delta: float
    Gamma: float

    def at(self, epsilon: float) -> float:
        """The rate of Corollary 1."""
        return corollary_1_rate(
            self.S,
            self.A,
            self.k,
            gamma=self.gamma,
            epsilon=epsilon,
            delta=self.delta,
            Gamma=self.Gamma,
        )


@st.composite
def rates(draw: DrawFn) -> tuple[Rate, float]:
    """A rate and an ε between 10⁻¹² and 1/(1-γ)."""
    gamma = draw(st.sampled_from((0.0, 0.5, 0.9, 0.99)))
    rate = Rate(
        S=draw(st.integers(1, 50)),
        A=draw(st.integers(1, 10)),
        k=draw(st.integers(2, 50)),
        gamma=gamma,
        delta=draw(st.sampled_from((0.1, 0.01, 1e-6))),
        Gamma=draw(st.sampled_from((1e-4, 0.01, 0.3, 1.0))),
    )
    return rate, 10 ** -draw(st.floats(0.0, 12.0)) / (1 - gamma)


def bounded(drawn: tuple[Rate, float]) -> Evaluation:
    """rate(ε) ≤ rate(0), which is finite, and equality from ε = Γ downwards."""
    rate, epsilon = drawn
    limit = rate.at(0.0)
    left = rate.at(epsilon) if epsilon > rate.Gamma else abs(rate.at(epsilon) - limit) + limit
    return Evaluation(
        premises=(Statement("Γ", rate.Gamma, ">", 0),),
        conclusion=Statement(
            f"the rate at ε = {epsilon:.3g} in units of its limit",
            left / limit,
            "≤",
            1,
            formulas.TRANSFER + "COROLLARY_1",
            (*asdict(rate).items(), ("epsilon", epsilon)),
            tolerance=FEW_ROUNDINGS,
        ),
    )


@check("text-independent-of-epsilon.bounded/rate", CheckKind.INEQUALITY)
def rate_is_bounded(context: Context) -> Outcome:
    """The rate at every ε is at most the rate at 0, and equal to it from Γ downwards."""
    return search(context, rates(), bounded, (100, 1000, 20_000))


@st.composite
def any_accuracy(draw: DrawFn) -> Drawn:
    """Exact models, and an ε that may be a billionth of what would stop iteration 1."""
    models = draw(runs.opposed_models(2))
    task_set = exactly_known("exact models", models)
    epsilon = runs.worst_loss(task_set.approximate) * 10 ** -draw(st.floats(0.1, 9.0))
    setting = Algorithm1Setting(task_set, epsilon, 0.1, runs.DRAWN_BUDGET, single(0.0))
    return Drawn(setting, draw(st.integers(0, 2**32)))


def at_zero(setting: Algorithm1Setting) -> float:
    """The rate at ε = 0 with 512 L in place of Õ: a bound in Γ, without ε."""
    return rate_with_constant(replace(setting, epsilon=0.0))


def formula_at_zero(setting: Algorithm1Setting) -> Formed:
    """The rate with ε = 0 in it."""
    return rate_formula(replace(setting, epsilon=0.0))


@check("text-independent-of-epsilon.bounded/runs", CheckKind.INEQUALITY)
def runs_are_bounded(context: Context) -> Outcome:
    """On E and at Δ = 0 the queries stay below a bound in which ε does not occur."""
    examples = context.count(20, 200, 4000)
    return runs.search_runs(context, any_accuracy(), at_zero, examples, formula_at_zero)


# Γ as a worst case, and the comparison with Brunskill and Li


@check("text-gamma-worst-case.worst-case/repaired", CheckKind.EXACT)
def worst_case_repaired(context: Context) -> Outcome:
    """min-max is at least (1-γ)²Γ² at Δ = 0."""
    return search(
        context,
        exact_draws.situations(),
        lambda situation: theorem_1_cases.in_terms_of_Gamma(situation, Version.REPAIRED),
        (60, 400, 10_000),
    )


@check("text-never-worse-than-brunskill.never-worse/in-gamma", CheckKind.INEQUALITY)
def in_gamma(context: Context, promise: runs.Promise = at_zero) -> Outcome:
    """On E and at Δ = 0 the queries of drawn runs are within 512 L times the rate in Γ."""
    drawn, examples = runs.drawn_settings(shares=(0.0,)), context.count(25, 250, 4000)
    return runs.search_runs(context, drawn, promise, examples)


# Γ > 0 without loss of generality


@check("text-gamma-positive.identical/repaired", CheckKind.EXACT)
def same_optimum(context: Context) -> Outcome:
    """Models with Γ = 0 have the same optimal values and actions.

    Models moved along directions that the target's values cannot see.
    """
    return search(
        context,
        exact_draws.at_distance_zero(),
        generality.same_optimum_evaluation,
        (50, 350, 10_000),
    )


@check("text-gamma-positive.neglect/repaired-both-kept", CheckKind.EXACT)
def both_kept(_: Context) -> Outcome:
    """With target and twin both kept the output is ε-optimal."""
    cases = (generality.left_out(), generality.merged_by_values())
    evaluations = [generality.neglect_evaluation(case, keep_both=True) for case in cases]
    return over_evaluations(evaluations, "instances met the premises")


def unseen_directions(models: ApproximateModels) -> Floats:
    """Orthogonal to 1, to all Ṽ*_θ' and their squares, and to all Ṽ_θ^{π̃*_θ'} of model 0."""
    from scipy.linalg import null_space  # here: it takes long to load

    seen = np.concatenate((models.V_star, models.V_star**2, models.V_pi[0]))
    size = np.abs(seen).max(axis=1, keepdims=True)
    scaled = np.divide(seen, size, out=np.zeros_like(seen), where=above(size, 0))
    basis: Floats = null_space(np.concatenate((np.ones((1, models.S)), scaled)))
    return basis


@st.composite
def merged(draw: DrawFn) -> TaskSet:
    """A target left out for a twin that agrees in the means of all these functions.

    Two models and eight states, so that some direction is left: seven functions at most are seen.
    """
    one = tasks.dense(8, 2, draw(st.sampled_from((0.5, 0.9))))
    models = approximate_models([draw(one), draw(one)])
    basis = unseen_directions(models)
    signs = draw(tasks.byte_arrays(8, 2, basis.shape[1])) % 3 - 1
    p = moved(models.p[0], signs @ basis.T, draw(st.sampled_from(FRACTIONS)))
    twin = models.tasks[0]
    target = MDP(p, twin.q, twin.u, twin.gamma)
    return TaskSet("merged twins", (target, models.tasks[1]), models)


@check("text-gamma-positive.neglect/repaired-merged", CheckKind.INEQUALITY)
def merged_is_safe(context: Context) -> Outcome:
    """A twin that agrees on all values, also of transferred policies, may stand in.

    Stopping at once with the twin in the target's place.
    """
    return search(
        context, merged(), lambda task_set: runs.stop_at_once(task_set, 0.0), (15, 150, 3000)
    )


# Perfect models and no tolerated loss


@check("text-epsilon-zero.enters/repaired", CheckKind.EXACT)
def enters(_: Context) -> Outcome:
    """With the repaired line 2 a run at ε = 0 and Δ = 0 stops with an optimal policy."""
    return from_evaluation(
        confidence.epsilon_zero_evaluation(confidence.instance(), Version.REPAIRED)
    )


@st.composite
def without_accuracy(draw: DrawFn) -> Drawn:
    """Exact models and ε = 0."""
    task_set = exactly_known("exact models", draw(runs.opposed_models()))
    setting = Algorithm1Setting(task_set, 0.0, 0.1, runs.DRAWN_BUDGET, single(0.0))
    return Drawn(setting, draw(st.integers(0, 2**32)))


def optimal_at_zero(drawn: Drawn) -> Evaluation:
    """On E a run at ε = 0 stops within the repaired bound, and what it returns is optimal.

    Line 14 accepts equality up to rounding (D14), and so does the conclusion.
    """
    setting = drawn.setting
    trial = runs.run(setting, drawn.seed, end_on_zero_index=True)
    gamma, bound = setting.models.gamma, repaired_bound(setting)
    line_2 = formulas.threshold(0.0, gamma, Version.REPAIRED)
    theorem_1 = repaired_formula(setting)
    entered = enters_transfer_mode(0.0, 0.0, gamma)
    used = trial.queries if trial.stopped else math.inf  # an index of zero ends nothing
    return Evaluation(
        premises=(
            Statement("transfer mode", entered, "=", True, *line_2),
            Statement("the target is active to the end", trial.survived, "=", True),
            Statement("queries against the budget", trial.queries, "<", setting.n),
        ),
        conclusion=Statement(
            "loss, or queries beyond the bound",
            max_of((trial.loss, used - bound)),
            "≤",
            0,
            *theorem_1,
            measured=(used, bound),
            tolerance=trial.tolerance,
        ),
    )


@check("text-epsilon-zero.enters/repaired-drawn", CheckKind.INEQUALITY)
def zero_on_drawn(context: Context) -> Outcome:
    """On E drawn runs at ε = 0 return an optimal policy within the repaired bound."""
    return search(context, without_accuracy(), optimal_at_zero, (20, 200, 4000))


check(
    "text-never-worse-than-brunskill.never-worse/repaired",
    CheckKind.EXACT,
    "The repaired bound is finite for every Δ up to the repaired threshold",
)(repaired_is_finite)
