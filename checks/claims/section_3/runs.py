"""Whole runs of PTUM, judged by what Theorem 1 and Corollary 1 say about them.

On the event E (the target is active in every iteration) both are deterministic. So drawn instances
are run once and judged under the premise that the target survived; how often it survives is Lemma
3, and named instances show both together by counting failures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ptum.checks.claims.appendix_b.runs import true_loss
from ptum.checks.engine.problem import RunNumbers
from ptum.checks.engine.ptum import simulated_run
from ptum.checks.exact.mdp import PRINTED_FACTOR, SHARP_FACTOR
from ptum.checks.exact.numbers import a_number, is_above, max_of
from ptum.checks.instances.families import sets
from ptum.checks.instances.families.named import bandit, exactly_known, no_randomness
from ptum.checks.instances.families.sets import NUMBER
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.instances.families.tasks import Size, byte_arrays, either
from ptum.checks.verdicts import formulas, tolerances
from ptum.checks.verdicts.attempts.names import stored, stored_as
from ptum.checks.verdicts.check import Context, Examples
from ptum.checks.verdicts.outcome import Evaluation, Formed, Outcome, Statement, formula_lines
from ptum.checks.verdicts.probability_search import Effort, TrialResult, named_and_drawn, one_by_one
from ptum.checks.verdicts.search import search
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, deterministic_rewards
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import optimal_value
from ptum.reference.transfer.analysis.lemmas import correctness_tolerance
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.information import SHIFT
from ptum.reference.transfer.ptum import End, PtumResult

DRAWN_BUDGET = 20_000
STATES, ACTIONS = st.integers(1, 3), st.integers(2, 3)


@stored_as("Setting")
@dataclass(frozen=True, eq=False)
class Algorithm1Setting:
    """True tasks, approximate models and the inputs of Algorithm 1."""

    task_set: TaskSet
    epsilon: float
    delta: float
    n: int
    errors: ModelErrors
    target: int = 0

    @property
    def models(self) -> ApproximateModels:
        """What the agent is given."""
        return self.task_set.approximate

    @property
    def Delta(self) -> float:
        """The largest of the four errors."""
        return self.errors.Delta

    @property
    def level(self) -> dict[str, Any]:
        """ε, δ and n, by the names that every bound on the queries has for them."""
        return {"epsilon": self.epsilon, "delta": self.delta, "n": self.n}


@dataclass(frozen=True)
class Trial:
    """What one run did: did the target survive, did it stop, its queries and its loss."""

    survived: bool
    stopped: bool
    queries: int
    loss: float
    tolerance: float

    def __post_init__(self) -> None:
        a_number(self.loss, "the loss of a policy")
        a_number(self.tolerance, "the rounding of a loss")


def transfer_phase(
    setting: Algorithm1Setting, seed: int, *, end_on_zero_index: bool = False, shift: float = SHIFT
) -> PtumResult:
    """Lines 3-21 on the true target."""
    numbers = RunNumbers(setting.epsilon, setting.delta, setting.n, setting.errors, shift)
    true = setting.task_set.true[setting.target]
    return simulated_run(setting.models, true, seed, numbers, end_on_zero_index=end_on_zero_index)


def run(
    setting: Algorithm1Setting, seed: int, *, end_on_zero_index: bool = False, shift: float = SHIFT
) -> Trial:
    """What such a run did; one that does not stop loses nothing yet."""
    target = setting.task_set.true[setting.target]
    result = transfer_phase(setting, seed, end_on_zero_index=end_on_zero_index, shift=shift)
    return Trial(
        survived=setting.target in result.active,
        stopped=result.end is End.STOPPED,
        queries=result.queries,
        loss=0.0 if result.policy is None else true_loss(target, result.policy),
        tolerance=correctness_tolerance(optimal_value(target), setting.models.gamma),
    )


# Named settings


def _towards_the_good_state(success: float, good: float) -> MDP:
    """Two states that pay 0.1 and `good`; action 0 stays with the given probability."""
    stay, leave = [success, 1 - success], [1 - success, success]
    p = np.array([[stay, leave], [leave, stay]])
    return bernoulli_rewards(p, np.array([[0.1, 0.1], [good, good]]), 0.5)


def _slightly_wrong_models() -> TaskSet:
    """Two opposite tasks, whose models are off by 0.002 in transitions and in one reward."""
    true = (_towards_the_good_state(0.8, 0.9), _towards_the_good_state(0.2, 0.9))
    models = (_towards_the_good_state(0.798, 0.898), _towards_the_good_state(0.202, 0.902))
    return TaskSet("two opposite tasks, approximate", true, approximate_models(models))


def three_arms() -> TaskSet:
    """Two rivals that differ from the target at one arm each: no arm speaks about both."""
    return exactly_known(
        "three arms", bandit(0.5, (0.5, 0.2, 0.2), (0.5, 0.9, 0.2), (0.5, 0.2, 0.9))
    )


def named_settings(delta: float) -> tuple[Algorithm1Setting, ...]:
    """Three sets of tasks with a budget beyond the repaired bound, as Assumption 4 asks."""
    chosen = ((three_arms(), 0.4), (_slightly_wrong_models(), 0.2), (no_randomness(), 1.0))
    return tuple(
        Algorithm1Setting(task_set, epsilon, delta, 100_000, task_set.repaired_errors())
        for task_set, epsilon in chosen
    )


# Counting failures


Judge = Callable[[Algorithm1Setting, Trial], TrialResult]
Written = Callable[[Algorithm1Setting], Formed]
"""The formula of a bound, with the numbers of a setting."""


def with_budget(setting: Algorithm1Setting, n: int) -> Algorithm1Setting:
    """The same setting with another n."""
    return replace(setting, n=n)


def count_failures(
    context: Context,
    settings: Sequence[Algorithm1Setting],
    judge: Judge,
    drawn: SearchStrategy[Algorithm1Setting],
    *,
    trials: int,
    alpha: float,
    written: Written | None = None,
) -> Outcome:
    """P(failure) ≤ δ on every given setting, and a search for a drawn one that breaks it.

    All settings are run with the δ of the first one; `written` is the bound they are held against.
    """
    delta = settings[0].delta

    def trial(setting: Algorithm1Setting, rng: np.random.Generator) -> TrialResult:
        return judge(setting, run(setting, int(rng.integers(0, 2**62))))

    def explain(setting: Algorithm1Setting) -> tuple[str, ...]:
        return () if written is None else formula_lines(*written(setting))

    return named_and_drawn(
        context,
        one_by_one(trial, delta, explain),
        {setting.task_set.name: setting for setting in settings},
        drawn.map(lambda setting: replace(setting, delta=delta)),
        Effort(context.count(12, 70, 1000), 2, context.count(40, 200, 2000)),
        trials=trials,
        alpha=alpha,
    )


# Drawn settings


def worst_loss(models: ApproximateModels) -> float:
    """min over θ of the largest loss of π̃*_θ in any model: iteration 1 stops iff it is ≤ slack."""
    loss = np.max(models.V_star[:, np.newaxis] - models.V_pi, axis=2)
    return float(np.min(np.max(loss, axis=0)))


@cache
@st.composite
def opposed_models(
    draw: DrawFn, k: Size = NUMBER, S: Size = STATES, A: Size = ACTIONS
) -> sets.Models:
    """Models that disagree about the best action of state 0, where all actions move alike.

    Model θ pays 1 for action θ mod A and at most 1/2 for the others, so that iteration 1 seldom
    stops.
    """
    number, gamma = draw(either(k)), draw(st.sampled_from((0.0, 0.5, 0.9, 0.99)))
    states, actions = draw(either(S)), draw(either(A))
    r = draw(byte_arrays(number, states, actions)) % 11 / 10
    p = draw(byte_arrays(number, states, actions, states)).astype(np.float64)
    p[..., 0] += 1  # no row is empty
    p /= p.sum(axis=-1, keepdims=True)
    r[:, 0], p[:, 0] = r[:, 0] / 2, p[:, 0, :1]
    r[np.arange(number), 0, np.arange(number) % actions] = 1.0
    rewards = draw(st.sampled_from((deterministic_rewards, bernoulli_rewards)))
    return tuple(rewards(p[theta], r[theta], gamma) for theta in range(number))


@cache
def varied_models() -> SearchStrategy[sets.Models]:
    """Opposed models, and families that may agree so far that nothing has to be queried."""
    small = opposed_models(S=st.integers(1, 2))
    return st.one_of(opposed_models(), small, sets.independent(NUMBER))


def nudged(models: sets.Models, approximate: ApproximateModels, Delta: float) -> TaskSet:
    """True tasks that are mixtures with uniform tables, so weak that all errors are at most Δ."""
    return sets.brought_within(
        Delta,
        approximate,
        lambda weight: tuple(_towards_uniform(task, weight) for task in models),
        float(Delta > 0),
    )


def _towards_uniform(task: MDP, weight: float) -> MDP:
    return MDP(
        p=(1 - weight) * task.p + weight / task.S,
        q=(1 - weight) * task.q + weight / task.u.size,
        u=task.u,
        gamma=task.gamma,
    )


@stored
@dataclass(frozen=True, eq=False)
class Drawn:
    """A setting and the seed of its run."""

    setting: Algorithm1Setting
    seed: int


@st.composite
def drawn_settings(
    draw: DrawFn,
    factor: float = SHARP_FACTOR,
    shares: tuple[float, ...] = (0.999, 0.5, 0.0),
    models: SearchStrategy[sets.Models] | None = None,
) -> Drawn:
    """Settings in which iteration 1 does not stop, with Δ a share of the threshold of line 2.

    With Δ = t(1-γ)ε/(factor(1+γ)) the slack is ε(1 - 2t/factor), so an ε that is too small to
    stop is a fraction of the smallest worst loss; where that is zero every ε stops at once.
    """
    drawn = draw(models if models is not None else varied_models())
    approximate = approximate_models(drawn)
    gamma = approximate.gamma
    t, below = draw(st.sampled_from(shares)), draw(st.sampled_from((0.999, 0.5, 0.05)))
    worst = worst_loss(approximate)
    epsilon = worst * below / (1 - 2 * t / factor) if is_above(worst, 1e-6) else 0.1 / (1 - gamma)
    Delta = t * (1 - gamma) * epsilon / (factor * (1 + gamma))
    task_set = nudged(drawn, approximate, Delta)
    setting = Algorithm1Setting(task_set, epsilon, 0.1, DRAWN_BUDGET, single(Delta))
    return Drawn(setting, draw(st.integers(0, 2**32)))


def settings_alone(factor: int = SHARP_FACTOR) -> SearchStrategy[Algorithm1Setting]:
    """Drawn settings for runs whose randomness is given otherwise.

    The target is the last model: of several policies that seem good line 14 takes the first, and
    a run that stopped too early would return that of the target if it were number 0.
    """
    return drawn_settings(factor).map(
        lambda drawn: replace(drawn.setting, target=drawn.setting.models.k - 1)
    )


Promise = Callable[[Algorithm1Setting], float]
"""A bound on the queries."""


def search_runs(
    context: Context,
    strategy: SearchStrategy[Drawn],
    promise: Promise,
    examples: Examples,
    written: Written | None = None,
) -> Outcome:
    """On E the number of queries is at most what `promise` says, in every drawn run.

    `written` is the formula of what is promised.
    """

    def evaluation(drawn: Drawn) -> Evaluation:
        trial = run(drawn.setting, drawn.seed)
        undecided = undecided_blockers(drawn.setting)
        formula, values = (None, ()) if written is None else written(drawn.setting)
        return Evaluation(
            premises=(
                Statement("the target is active to the end", trial.survived, "=", True),
                Statement("models of which doubles cannot tell if they block", undecided, "=", 0),
            ),
            conclusion=Statement(
                "queries against the bound",
                trial.queries,
                "≤",
                promise(drawn.setting),
                formula,
                values,
                tolerance=tolerances.of_count(trial.queries, drawn.setting.models),
            ),
        )

    return search(context, strategy, evaluation, examples)


def undecided_blockers(setting: Algorithm1Setting) -> int:
    """Models that rounding may put on either side of the border of Θ_ε or Θ_s."""
    return tolerances.undecided_blockers(
        setting.target, setting.models, setting.epsilon, setting.Delta
    )


# Runs that stop in iteration 1


def smallest_stopping_epsilon(
    models: ApproximateModels, Delta: float, factor: float = PRINTED_FACTOR
) -> float:
    """The least ε in transfer mode at which iteration 1 stops: slack = smallest worst loss."""
    unit = Delta * (1 + models.gamma) / (1 - models.gamma)
    return max_of((worst_loss(models) + 2 * unit, factor * unit * (1 + 1e-9)))


def stop_at_once(task_set: TaskSet, Delta: float, factor: float = PRINTED_FACTOR) -> Evaluation:
    """First half of Theorem 1 at the least ε for which iteration 1 stops, where line 14 is tight.

    Line 14 accepts equality up to rounding (D14), and so does the conclusion.
    """
    epsilon = smallest_stopping_epsilon(task_set.approximate, Delta, factor)
    trial = run(Algorithm1Setting(task_set, epsilon, 0.1, 1, single(Delta)), seed=0)
    return Evaluation(
        premises=(
            Statement("ε", epsilon, ">", 0),
            Statement("the run stops", trial.stopped, "=", True),
        ),
        conclusion=Statement(
            "loss of the returned policy in the true target",
            trial.loss,
            "≤",
            epsilon,
            *formulas.slack(epsilon, Delta, task_set.approximate.gamma),
            tolerance=trial.tolerance,
        ),
    )
