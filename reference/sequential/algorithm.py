"""Algorithm 2: sequential transfer, its ten lines in order.

| symbol          | code                | meaning                                               |
| --------------- | ------------------- | ----------------------------------------------------- |
| h               | `record.h`          | number of the task, from 1 on                         |
| θ*_h            | `generative_model`  | the task, which can be queried and has no visible name |
| Θ̃_h             | `record.initial`    | labels that PTUM starts with                          |
| Δ_h             | `record.errors`     | error bound of the models that task h starts with (D41) |
| Θ̄_h             | `record.theta_bar`  | labels that task h may have, when it is over          |
| o_h             | `record.observation`| [vec(q̂_h); vec(p̂_h)]                                  |
| Ô_h, T̂_h        | `estimate.O`, `estimate.T` | what Algorithm 3 makes of o_1, …, o_h          |
| Δ_{h+1}, Θ̃_{h+1} | `record.next_errors`, `record.next_initial` | what the next task starts with |

A comment `line n` stands where that line of the algorithm is carried out; what a line does is a
function of `lines`. Labels run from 0 to k-1. The learner of line 6, the error bounds of line 8 and
the rule of line 9 may be exchanged: `pieces` has a table of what fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from ptum.reference.sequential.lines import (
    Recorder,
    all_samples_observation,
    current_models,
    predicted,
    ptum_set,
    restarts,
    solve,
    updated,
)
from ptum.reference.sequential.pieces import (
    ErrorBounds,
    HmmLearner,
    Pieces,
    Rhos,
    as_bounds,
    require_learner,
    require_rule,
)
from ptum.reference.sequential.possible import resumed
from ptum.reference.sequential.prediction import PredictionRule
from ptum.reference.sequential.spectral import HmmEstimate, learn_hmm
from ptum.reference.sequential.state import (
    Setting,
    State,
    TaskRecord,
    as_values,
    described,
    first_state,
)
from ptum.reference.tasks.generative import GenerativeModel
from ptum.reference.transfer.fallback import PacAlgorithm
from ptum.reference.transfer.ptum import ptum

__all__ = [
    "ErrorBounds",
    "HmmLearner",
    "Rhos",
    "Setting",
    "State",
    "TaskRecord",
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
    n_post: int = 1,
    L: int = 100,
    N: int = 100,
    seed: int = 0,
    learner: HmmLearner = learn_hmm,
    stream_name: str = "",
    resume: State | None = None,
) -> Iterator[TaskRecord]:
    """Algorithm 2 as printed, for a stream of tasks that somebody else provides.

    `rhos` is one constant for all four bounds of Theorem 2, each of them (`Rhos`, D58), or other
    error bounds. Without a `rule` this is the static variant: T̂ is not looked at and every task
    starts with all models. `n_post` samples of every pair are added to those of PTUM and of the
    fallback (D94). With `resume`, the state after task h of a run with the same options, the stream
    goes on with task h+1; `stream_name` is compared too, and may be a fingerprint of whatever makes
    the stream.
    """
    setting = Setting(
        k, S, A, as_values(u), gamma, epsilon, delta, n, delta_prime, n_post, L, N, seed
    )
    pieces = Pieces(learner, as_bounds(rhos), rule, fallback)
    require_learner(learner, setting, views=(1,))
    require_rule(rule, setting, e_T=False)
    options = described(setting, version="printed", stream_name=stream_name, **pieces.options)
    start = first_state(setting, options)  # line 1
    return _run(
        stream, setting, pieces, start if resume is None else resumed(resume, setting, options)
    )


def _run(
    stream: Iterable[GenerativeModel], setting: Setting, pieces: Pieces, state: State
) -> Iterator[TaskRecord]:
    k, L, N = setting.k, setting.L, setting.N
    for generative_model in stream:  # lines 2-3
        h = state.h + 1
        task = Recorder(generative_model, setting.S, setting.A)
        models = current_models(state.estimate, setting)
        result = solve(ptum, state, models, task, setting, pieces.fallback)  # line 4
        o_h = all_samples_observation(task, setting)  # line 5
        observations = (*state.observations, o_h)
        rng = restarts(setting.seed, h)
        learned = pieces.learner(np.stack(observations), k, L, N, rng)  # line 6
        estimate, moved = updated(state.estimate, learned, h, setting)  # line 7
        errors = state.errors if moved is None else pieces.bounds.model_errors(h, setting)  # line 8
        theta_bar = ptum_set(result, setting.labels)
        initial = predicted(pieces, estimate, theta_bar, setting)  # line 9
        record = TaskRecord(
            h=h,
            initial=state.initial,
            errors=state.errors,
            result=result,
            samples=task.samples,
            observation=o_h,
            theta_bar=theta_bar,
            no_estimate=None if isinstance(learned, HmmEstimate) else learned,
            moved=moved,
            labels=() if moved is None else setting.labels,
            after=State(h, observations, estimate, errors, initial, state.options),
        )
        yield record
        state = record.after
