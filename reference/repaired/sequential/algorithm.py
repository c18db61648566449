"""Algorithm 2 with what its analysis needs (errata E34, E36 to E42, E47).

| place  | printed                          | here                                              |
| ------ | -------------------------------- | ------------------------------------------------- |
| line 4 | Algorithm 1                      | Algorithm 1 repaired                              |
| line 5 | all samples of the task          | post-samples of fixed number alone (E41)          |
| line 6 | Algorithm 3                      | views within the task, or Algorithm 3 repaired;   |
|        |                                  | restarts grow (D106), no task too rare (D105)     |
| line 7 | labels as they come, T̂ raw       | labels matched to the last ones (E40), T̂ projected |
| line 8 | four constants                   | Lemma 14 repaired, with e_h = ρ_4 √(log(c_{h,δ'})/h) |
| line 9 | PTUM's final set, a "never" rule | all k models tested (E39), a rule per step (E36), |
|        |                                  | labels that may have changed all count (D117)     |

What it promises at every task, whatever happened before: the true next task is missing from
Θ̃_{h+1} with probability at most η + δ + P(error of T̂_h > e^T_h) + P(Δ_h, or the bound on
the estimate before, is too small).
A miss lasts one task, because the next prediction starts from the post-samples again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

import numpy as np
import numpy.typing as npt

from ptum.reference.errors import require
from ptum.reference.repaired.sequential.lines import carried, learn, post_samples, updated
from ptum.reference.repaired.sequential.pieces import Constants, CrossTask, WithinTask
from ptum.reference.repaired.sequential.prediction import reidentify
from ptum.reference.repaired.transfer.ptum import ptum
from ptum.reference.repaired.transfer.repairs import PRINTED_SHIFT, TransferConstants
from ptum.reference.sequential.hmm import VIEWS
from ptum.reference.sequential.lines import (
    Recorder,
    RunsAlgorithm1,
    current_models,
    predicted,
    solve,
)
from ptum.reference.sequential.pieces import (
    ErrorBounds,
    HmmLearner,
    Pieces,
    TransitionBounds,
    as_bounds,
    require_learner,
    require_rule,
    views_of,
)
from ptum.reference.sequential.possible import resumed
from ptum.reference.sequential.prediction import PredictionRule
from ptum.reference.sequential.spectral import HmmEstimate
from ptum.reference.sequential.state import (
    Setting,
    State,
    TaskRecord,
    as_values,
    described,
    first_state,
)
from ptum.reference.tasks.generative import GenerativeModel
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.fallback import PacAlgorithm

__all__ = [
    "Constants",
    "CrossTask",
    "HmmLearner",
    "State",
    "TaskRecord",
    "WithinTask",
    "sequential_transfer",
]


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
    learner: HmmLearner | None = None,
    stream_name: str = "",
    resume: State | None = None,
    repair: TransferConstants = PRINTED_SHIFT,
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
    pieces = Pieces(WithinTask() if learner is None else learner, as_bounds(rhos), rule, fallback)
    _require_fit(pieces, setting)
    options = described(
        setting,
        version="repaired",
        stream_name=stream_name,
        **pieces.options,
        **({} if repair == PRINTED_SHIFT else {"repair": repair}),  # states of 0.1.0 have none
    )
    start = first_state(setting, options)  # line 1
    state = start if resume is None else resumed(resume, setting, options)
    return _run(stream, setting, pieces, state, partial(ptum, repair=repair))


def _run(
    stream: Iterable[GenerativeModel],
    setting: Setting,
    pieces: Pieces,
    state: State,
    algorithm_1: RunsAlgorithm1,
) -> Iterator[TaskRecord]:
    for generative_model in stream:  # lines 2-3
        h = state.h + 1
        task = Recorder(generative_model, setting.S, setting.A)
        models = current_models(state.estimate, setting)
        result = solve(algorithm_1, state, models, task, setting, pieces.fallback)  # line 4
        views, q_hat, p_hat = post_samples(task, setting, views_of(pieces.learner))  # line 5
        theta_bar = reidentify(
            q_hat @ np.array(setting.u),
            p_hat,
            approximate_models(models),
            n_post=setting.n_post,
            delta=setting.delta,
            errors=state.errors,
        )
        observations = (*state.observations, views)
        learned = learn(pieces, np.stack(observations, axis=1), h, setting)  # line 6
        estimate, moved, labels = updated(state.estimate, learned, h, setting)  # line 7
        errors = state.errors if moved is None else pieces.bounds.model_errors(h, setting)  # line 8
        maybe = carried(theta_bar, state.estimate, pieces.bounds, setting)
        initial = predicted(pieces, estimate, maybe, setting)  # line 9
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


def _require_fit(pieces: Pieces, setting: Setting) -> None:
    """Refuse pieces that cannot take part in this version, before the first task."""
    views = require_learner(pieces.learner, setting, views=(1, VIEWS))
    require_rule(pieces.rule, setting, e_T=isinstance(pieces.bounds, TransitionBounds))
    n_post = setting.n_post
    problem = f"must be a positive multiple of {views}, the views of the learner"
    require(n_post >= 1 and n_post % views == 0, "n_post", problem, value=n_post)
    if isinstance(pieces.bounds, Constants):
        problem = (
            "views within a task need ell, a floor under λ_k(M_2): how often each task came (D105)"
        )
        require(views == 1 or pieces.bounds.ell is not None, "rhos", problem, value=pieces.bounds)
