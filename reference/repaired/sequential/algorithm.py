"""Algorithm 2 with what its analysis needs (errata E34, E36 to E42, E47).

| place  | printed                          | here                                              |
| ------ | -------------------------------- | ------------------------------------------------- |
| line 4 | Algorithm 1                      | Algorithm 1 repaired                              |
| line 5 | all samples of the task          | post-samples of fixed number alone (E41)          |
| line 6 | Algorithm 3                      | views within the task, or Algorithm 3 repaired;   |
|        |                                  | restarts grow (D106), no task too rare (D105)     |
| line 7 | labels as they come, T̂ raw       | labels matched to the last ones (E40), T̂ projected |
| line 8 | four constants                   | Lemma 14 repaired, with e_h = ρ_4 √(log(c_{h,δ'})/h) |
| line 9 | PTUM's final set, a "never" rule | all k models tested (E39), a rule per step (E36)  |

What it promises at every task, whatever happened before: the true next task is missing from
Θ̃_{h+1} with probability at most η + δ + P(T̂_h is off by more than e^T_h) + P(Δ_h is too small).
A miss lasts one task, because the next prediction starts from the post-samples again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import Floats
from ptum.reference.errors import require
from ptum.reference.repaired.sequential.analysis.sequential_bounds import (
    power_method_effort,
    theorem_2_bound,
    theorem_2_condition,
    transition_condition,
)
from ptum.reference.repaired.sequential.analysis.spectral_bounds import model_errors_at
from ptum.reference.repaired.sequential.prediction import reidentify
from ptum.reference.repaired.sequential.spectral import Outcome, learn_hmm, learn_within_task
from ptum.reference.repaired.transfer.ptum import ptum
from ptum.reference.repaired.transfer.repairs import PRINTED_SHIFT, Repair
from ptum.reference.sequential.algorithm import (
    ErrorBounds,
    Estimate,
    Learner,
    Recorder,
    Setting,
    State,
    TaskRecord,
    TransitionBounds,
    as_bounds,
    as_values,
    current_models,
    described,
    predicted,
    projected,
    require_learner,
    require_rule,
    restarts,
    solve,
    starting_state,
    views_of,
)
from ptum.reference.sequential.alignment import align, permuted
from ptum.reference.sequential.analysis.spectral_bounds import require_floor, require_positive
from ptum.reference.sequential.hmm import VIEWS, post_sample_batches, post_sample_observation
from ptum.reference.sequential.prediction import PredictionRule
from ptum.reference.sequential.projection import project_columns
from ptum.reference.sequential.spectral import HmmEstimate, NotIdentifiable
from ptum.reference.tasks.generative import GenerativeModel
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.fallback import PacAlgorithm

__all__ = [
    "Constants",
    "CrossTask",
    "Learner",
    "State",
    "TaskRecord",
    "WithinTask",
    "sequential_transfer",
]


@dataclass(frozen=True)
class Constants:
    """What the repaired bounds need to be told; all of it depends on the unknown tasks.

    Column errors of Ô_h are at most ρ_4 √(log(c_{h,δ'})/h) once h ≥ ρ_3 log(c_{h,δ'}), those of T̂_h
    at most ρ_6 √(log(c_{h,δ'})/h) once h ≥ ρ_5 log(c_{h,δ'}). Views within a task ask besides that
    λ_k(M̂_2) ≥ 2ℓ, for the ℓ to which the ρ's belong; views across tasks have no `ell`. `sigma_bar`
    is a floor under the true deviations, if there is one.
    """

    rho_3: float
    rho_4: float
    rho_5: float
    rho_6: float
    ell: float | None = None
    sigma_bar: float | None = None

    def __post_init__(self) -> None:
        for name in ("rho_3", "rho_4", "rho_5", "rho_6"):
            require_positive(getattr(self, name), name)
        if self.ell is not None:
            require_positive(self.ell, "ell")
        if self.sigma_bar is not None:
            require_floor(self.sigma_bar)

    def model_errors(self, h: int, setting: Setting, /) -> ModelErrors:
        """Δ_{h+1} by Lemma 14 repaired."""
        return model_errors_after(self, h, setting)

    def transition_error(self, h: int, setting: Setting, /) -> float:
        """e^T_h = ρ_6 √(log(c_{h,δ'})/h); infinite while h is too small for Lemma 12.

        That asks for more than Lemma 11 does.
        """
        S, A, U, delta_prime = setting.S, setting.A, setting.U, setting.delta_prime
        if not transition_condition(rho_5=self.rho_5, S=S, A=A, U=U, h=h, delta_prime=delta_prime):
            return math.inf
        return theorem_2_bound(rho_any=self.rho_6, S=S, A=A, U=U, h=h, delta_prime=delta_prime)


@dataclass(frozen=True)
class WithinTask:
    """Three batches of samples in each task: no condition on T. The default."""

    @property
    def views(self) -> int:
        """Three batches."""
        return VIEWS

    def __call__(
        self, observations: Floats, k: int, L: int, N: int, rng: np.random.Generator
    ) -> Outcome:
        """`learn_within_task`."""
        return learn_within_task(observations, k, L, N, rng)


@dataclass(frozen=True)
class CrossTask:
    """Algorithm 3 repaired: needs an invertible T, and works with one sample of each pair.

    Disjoint triples, for which the constants of
    `ptum.reference.repaired.sequential.analysis.conditioning` are (D45). All triples use the data
    better. Their constants are others, larger ones: see "Overlapping triples" in
    docs/repaired_sequential.md. Whoever asks for them has to bring these.
    """

    overlapping: bool = False

    @property
    def views(self) -> int:
        """One observation per task; the views are successive tasks."""
        return 1

    def __call__(
        self, observations: Floats, k: int, L: int, N: int, rng: np.random.Generator
    ) -> Outcome:
        """`learn_hmm`, on disjoint or on all triples (D45)."""
        return learn_hmm(observations, k, L, N, rng, overlapping=self.overlapping)


def sequential_transfer(
    stream: Iterable[GenerativeModel],
    *,
    k: int,
    S: int,
    A: int,
    u: npt.ArrayLike,
    gamma: float,
    epsilon: float,
    delta: float,
    n: int,
    delta_prime: float,
    rhos: float | ErrorBounds,
    fallback: PacAlgorithm | None,
    rule: PredictionRule | None = None,
    n_post: int = VIEWS,
    L: int = 100,
    N: int = 100,
    seed: int = 0,
    learner: Learner | None = None,
    stream_name: str = "",
    resume: State | None = None,
    repair: Repair = PRINTED_SHIFT,
) -> Iterator[TaskRecord]:
    """Algorithm 2, repaired; arguments and records as those of
    `ptum.reference.sequential.algorithm`.

    Its own pieces are `Constants`, `WithinTask` or `CrossTask`, and `PerStep`; which others fit is
    said there, and what is promised above is not promised of them.

    `n_post` samples of every pair, three at least for views within the task, make the observation
    and identify the task. Without a `rule` this is the static variant, which needs no T̂. `L` and
    `N` are the restarts and steps of the power method at the first task; they grow (D106). With
    `repair=CHEAPEST` the first transfer takes about a sixth of the tasks.
    """
    setting = Setting(
        k, S, A, as_values(u), gamma, epsilon, delta, n, delta_prime, n_post, L, N, seed
    )
    estimator: Learner = WithinTask() if learner is None else learner
    bounds = as_bounds(rhos)
    views = require_learner(estimator, setting, views=(1, VIEWS))
    require_rule(rule, setting, e_T=isinstance(bounds, TransitionBounds))
    problem = f"must be a positive multiple of {views}, the views of the learner"
    require(n_post >= 1 and n_post % views == 0, "n_post", problem, value=n_post)
    if isinstance(bounds, Constants):
        problem = (
            "views within a task need ell, a floor under λ_k(M_2): how often each task came (D105)"
        )
        require(views == 1 or bounds.ell is not None, "rhos", problem, value=rhos)
    options = described(
        setting,
        version="repaired",
        rhos=bounds,
        rule=rule,
        fallback=fallback,
        learner=estimator,
        stream_name=stream_name,
        **({} if repair == PRINTED_SHIFT else {"repair": repair}),  # states of 0.1.0 have none
    )
    state = starting_state(setting, options, resume)
    return _run(stream, setting, bounds, fallback, rule, estimator, state, repair)


def _run(
    stream: Iterable[GenerativeModel],
    setting: Setting,
    bounds: ErrorBounds,
    fallback: PacAlgorithm | None,
    rule: PredictionRule | None,
    learner: Learner,
    state: State,
    repair: Repair,
) -> Iterator[TaskRecord]:
    algorithm = partial(ptum, repair=repair)
    for generative_model in stream:
        h = state.h + 1
        task = Recorder(generative_model, setting.S, setting.A)
        models = current_models(state.estimate, setting)
        result = solve(algorithm, models, state.initial, task, setting, state.errors, fallback)
        views, q_hat, p_hat = post_samples(task, setting, views_of(learner))
        theta_bar = reidentify(
            q_hat @ np.array(setting.u),
            p_hat,
            approximate_models(models),
            n_post=setting.n_post,
            delta=setting.delta,
            errors=state.errors,
        )
        observations = (*state.observations, views)
        learned = learn(learner, np.stack(observations, axis=1), bounds, h, setting)
        estimate, moved, labels = updated(state.estimate, learned, h, setting)
        errors = state.errors if moved is None else bounds.model_errors(h, setting)
        initial = predicted(rule, estimate, theta_bar, bounds, setting)
        record = TaskRecord(
            h=h,
            initial=state.initial,
            errors=state.errors,
            result=result,
            samples=task.samples,
            observation=views.mean(axis=0),
            theta_bar=theta_bar,
            no_estimate=None if isinstance(learned, HmmEstimate) else learned,
            moved=moved,
            labels=labels,
            after=State(h, observations, estimate, errors, initial, state.options),
        )
        yield record
        state = record.after


def post_samples(
    task: GenerativeModel, setting: Setting, views: int
) -> tuple[Floats, Floats, Floats]:
    """Fresh samples of every pair, as many as fixed beforehand: views (v, d), q̂_h and p̂_h (E41)."""
    S, A, u, n_post = setting.S, setting.A, setting.u, setting.n_post
    if views == VIEWS:
        batches, q_hat, p_hat = post_sample_batches(task, S, A, u, n_post)
        return batches, q_hat, p_hat
    o, q_hat, p_hat = post_sample_observation(task, S, A, u, n_post)
    return o[np.newaxis], q_hat, p_hat


def learn(
    learner: Learner, observations: Floats, bounds: ErrorBounds, h: int, setting: Setting
) -> Outcome:
    """Line 6: restarts and steps of task h (D106), then the test of the weights (D105).

    A learner with one view of a task is handed rows (h, d), one with more (views, h, d).
    """
    S, A, U, delta_prime = setting.S, setting.A, setting.U, setting.delta_prime
    L, N = power_method_effort(setting.L, setting.N, S=S, A=A, U=U, h=h, delta_prime=delta_prime)
    rows = observations if views_of(learner) > 1 else observations[0]
    found = learner(rows, setting.k, L, N, restarts(setting.seed, h))
    return often_enough(found, bounds) if isinstance(bounds, Constants) else found


def often_enough(learned: Outcome, constants: Constants) -> Outcome:
    """No estimate where λ_k(M̂_2) < 2ℓ: the ρ's are not for sequences with so rare a task (D105).

    Where it is at least 2ℓ and M̂_2 is within ℓ, every task has a share of at least ℓ/(2SA).
    """
    if not isinstance(learned, HmmEstimate) or learned.lambda_k is None or constants.ell is None:
        return learned
    if learned.lambda_k >= 2 * constants.ell:
        return learned
    return NotIdentifiable(f"eigenvalue {learned.k} of M_2", learned.lambda_k, 2 * constants.ell)


def updated(
    before: Estimate | None, learned: Outcome, h: int, setting: Setting
) -> tuple[Estimate | None, float | None, tuple[int, ...]]:
    """Line 7: project (D54, D92), then match labels to the last estimate (D55).

    Also how far columns were moved, and the permutation. Without a new estimate the last one stays
    (D53); without a new T̂ the last T̂ stays, whose labels are the same (D96).
    """
    if not isinstance(learned, HmmEstimate):
        return before, None, ()
    columns, moved = projected(learned.O, setting)
    labels = np.arange(setting.k) if before is None else align(before.O, columns)
    matched = permuted(learned, labels)
    last_T, last_h = (None, 0) if before is None else (before.T, before.T_h)
    T, T_h = (last_T, last_h) if matched.T is None else (project_columns(matched.T), h)
    named = np.ascontiguousarray(columns[:, labels])
    return Estimate(named, T, T_h), moved, tuple(labels.tolist())


def model_errors_after(constants: Constants, h: int, setting: Setting) -> ModelErrors:
    """Line 8: Δ_{h+1} from e_h = ρ_4 √(log(c_{h,δ'})/h); infinite while h is too small for it."""
    S, A, U, delta_prime = setting.S, setting.A, setting.U, setting.delta_prime
    if not theorem_2_condition(rho_3=constants.rho_3, S=S, A=A, U=U, h=h, delta_prime=delta_prime):
        return single(math.inf)
    e_h = theorem_2_bound(rho_any=constants.rho_4, S=S, A=A, U=U, h=h, delta_prime=delta_prime)
    return model_errors_at(e_h, S=S, U=U, gamma=setting.gamma, sigma_bar=constants.sigma_bar)
