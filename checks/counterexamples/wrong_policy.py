"""Theorem 1, first half (erratum E02): a run whose output is not ε-optimal, with certainty.

States x, y; γ = 0.9, ε = 0.1. Rewards are known: 0.5 in x; in y the target pays (0.5, 0.41) and the
rival (0.2, 0.5). All models believe that every action leads to x; in truth action 1 stays in y.
All values Ṽ* are 5, so none of the errors of Assumption 1 sees the difference. The run stops in
pass 1 with the rival's policy, which takes action 1 in y and stays there for ever.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from checks import exact
from checks.exact import ExactMDP
from checks.outcome import Statement, Walk
from reference.assumptions import single
from reference.generative import Simulator
from reference.models import approximate_models
from reference.ptum import PtumResult, ptum
from spec.vocabulary import Version

GAMMA, DELTA, N_BUDGET = Fraction(9, 10), 0.1, 100
X, Y = range(2)
TARGET_IN_Y, RIVAL_IN_Y = (50, 41), (20, 50)
"""Rewards of the two actions in y, in hundredths."""


@dataclass(frozen=True)
class Instance:
    """True tasks and their models; number 0 is the target."""

    true: tuple[ExactMDP, ...]
    models: tuple[ExactMDP, ...]
    epsilon: Fraction
    Delta: Fraction = Fraction(0)


def _task(in_y: tuple[int, int], action_1_leads_to: int) -> ExactMDP:
    to = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]
    p = [[to[X], to[X]], [to[X], to[action_1_leads_to]]]
    r = [[Fraction(1, 2), Fraction(1, 2)], [Fraction(x, 100) for x in in_y]]
    return exact.deterministic(p, r, GAMMA)


def instance(truth: int = Y, epsilon: Fraction = Fraction(1, 10)) -> Instance:
    """`truth` is where action 1 really leads from y."""
    rewards = (TARGET_IN_Y, RIVAL_IN_Y)
    return Instance(
        true=tuple(_task(in_y, truth) for in_y in rewards),
        models=tuple(_task(in_y, X) for in_y in rewards),
        epsilon=epsilon,
    )


def walk(case: Instance, version: Version) -> Walk:
    """Premises of Theorem 1 under the printed or the repaired Assumption 1, and its first half."""
    result = outcome(case)
    policy = () if result.policy is None else tuple(result.policy.tolist())
    repaired = version is Version.REPAIRED
    return Walk(
        premises=(
            Statement("reward error", _reward_error(case), "≤", case.Delta),
            Statement("transition error of all Ṽ*", _optimal_error(case), "≤", case.Delta),
            *((_transferred(case),) if repaired else ()),
            Statement("largest variance of a reward or value", _largest_variance(case), "=", 0),
            Statement(
                "transfer mode: Δ against its threshold",
                case.Delta,
                "<",
                exact.transfer_threshold(case.epsilon, GAMMA, 4),
            ),
            Statement("queries before the run stops", result.queries, "=", 0),
            Statement("a policy is returned", bool(policy), "=", True),
        ),
        conclusion=Statement(
            "loss of the returned policy in the target",
            exact.loss(case.true[0], policy) if policy else Fraction(0),
            "≤",
            case.epsilon,
        ),
    )


def outcome(case: Instance) -> PtumResult:
    """The literal algorithm on the true target; without queries there is no chance in it."""
    return ptum(
        approximate_models([exact.rounded(model) for model in case.models]),
        Simulator(exact.rounded(case.true[0]), seed=0),
        epsilon=float(case.epsilon),
        delta=DELTA,
        n=N_BUDGET,
        Delta=single(float(case.Delta)),
    )


def _pairs(case: Instance) -> list[tuple[ExactMDP, ExactMDP, int, int]]:
    return [
        (true, model, s, a)
        for true, model in zip(case.true, case.models, strict=True)
        for s in range(model.S)
        for a in range(model.A)
    ]


def _reward_error(case: Instance) -> Fraction:
    return max(abs(true.r[s][a] - model.r[s][a]) for true, model, s, a in _pairs(case))


def _optimal_error(case: Instance) -> Fraction:
    """max |(p_θ - p̃_θ)ᵀ Ṽ*_θ'| over all pairs of models."""
    return max(
        abs(exact.inner(true.p[s][a], V) - exact.inner(model.p[s][a], V))
        for true, model, s, a in _pairs(case)
        for V in map(exact.optimal_value, case.models)
    )


def _transferred(case: Instance) -> Statement:
    """max |(p_θ' - p̃_θ')ᵀ Ṽ_θ'^{π̃*_θ}|, what the repaired Assumption 1 adds."""
    policies = [exact.optimal_policy(model) for model in case.models]
    error = max(
        abs(exact.inner(true.p[s][a], V) - exact.inner(model.p[s][a], V))
        for true, model, s, a in _pairs(case)
        for V in (exact.policy_value(model, pi) for pi in policies)
    )
    return Statement("transition error of the transferred policies", error, "≤", case.Delta)


def _largest_variance(case: Instance) -> Fraction:
    """Zero variances in all tasks leave no error of deviations, in either reading of σ^p."""
    tasks = (*case.true, *case.models)
    values = [exact.optimal_value(task) for task in tasks]
    of_values = (
        exact.variance(task.p[s][a], V)
        for task in tasks
        for s in range(task.S)
        for a in range(task.A)
        for V in values
    )
    return max(*of_values, *(x for task in tasks for row in task.var for x in row))
