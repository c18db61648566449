"""Algorithm 2: what its lines do, one function each; `algorithm` puts them in order.

As printed: all samples of a task make its observation (D46), labels are those of the latest
estimate, and PTUM's own final set is what the prediction builds on (D44).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from ptum.reference.arrays import Floats, sealed
from ptum.reference.errors import InputError
from ptum.reference.sequential.observations import (
    counts,
    empirical_observation,
    models_from_columns,
)
from ptum.reference.sequential.pieces import Pieces, TransitionBounds
from ptum.reference.sequential.projection import project_observation
from ptum.reference.sequential.spectral import HmmEstimate, NotEnoughData, NotIdentifiable
from ptum.reference.sequential.state import Estimate, Setting, State
from ptum.reference.tasks.generative import GenerativeModel, ask, require_target
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.empirical import Data, empty_data
from ptum.reference.transfer.fallback import PacAlgorithm
from ptum.reference.transfer.ptum import End, PtumResult
from ptum.reference.transfer.transcript import Elimination


class RunsAlgorithm1(Protocol):
    """PTUM, printed or repaired."""

    def __call__(
        self,
        models: ApproximateModels,
        generative_model: GenerativeModel,
        *,
        epsilon: float,
        delta: float,
        n: int,
        Delta: float | ModelErrors,
        fallback: PacAlgorithm | None,
    ) -> PtumResult:
        """Solve one task."""


class Recorder:
    """A generative model that remembers every answer."""

    def __init__(self, model: GenerativeModel, S: int, A: int) -> None:
        require_target(model, S, A, "stream")
        self.data: Data = empty_data(S, A)
        self._model = model
        self._S = S

    @property
    def samples(self) -> int:
        """How many queries were answered."""
        return sum(len(pair) for row in self.data.rewards for pair in row)

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """Pass the query on and keep the answer."""
        reward, successor = ask(self._model, s, a, self._S, "a task of stream")
        self.data.store(s, a, reward, successor)
        return reward, successor


def current_models(estimate: Estimate | None, setting: Setting) -> tuple[MDP, ...]:
    """{M̃_θ}: the columns of the latest Ô, and before the first one k uniform models (D93)."""
    S, A, U, k = setting.S, setting.A, setting.U, setting.k
    if estimate is None:
        p, q = np.full((S, A, S), 1 / S), np.full((S, A, U), 1 / U)
        return (MDP(p=p, q=q, u=np.array(setting.u), gamma=setting.gamma),) * k
    return models_from_columns(estimate.O, S, A, setting.u, setting.gamma)


def solve(
    algorithm: RunsAlgorithm1,
    state: State,
    models: Sequence[MDP],
    task: GenerativeModel,
    setting: Setting,
    fallback: PacAlgorithm | None,
) -> PtumResult:
    """Line 4: Algorithm 1 on the models of Θ̃_h alone (D60), its labels translated to those of Θ.

    While Δ_h is infinite its line 2 hands over to the fallback (D40).
    """
    chosen = approximate_models([models[theta] for theta in state.initial])
    result = algorithm(
        chosen,
        task,
        epsilon=setting.epsilon,
        delta=setting.delta,
        n=setting.n,
        Delta=state.errors,
        fallback=fallback,
    )
    return _with_labels(result, state.initial)


def all_samples_observation(task: Recorder, setting: Setting) -> Floats:
    """Line 5 as printed: every sample of the task, n_post more of each pair among them (D46, D94).

    PTUM's stopping depends on its samples, so q̂_h and p̂_h are biased (E41).
    """
    for s in range(setting.S):
        for a in range(setting.A):
            for _ in range(setting.n_post):
                task.sample(s, a)
    found = counts(task.data, setting.u)
    if not (setting.n_post or found[0].any(axis=-1).all()):
        raise InputError("n_post", "leaves a pair without a sample: give 1 at least (D48)", value=0)
    return empirical_observation(*found).o


def restarts(seed: int, h: int) -> np.random.Generator:
    """The random numbers of Algorithm 3 at task h: they depend on the seed and on h alone (D98)."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(h,)))


def updated(
    before: Estimate | None,
    learned: HmmEstimate | NotIdentifiable | NotEnoughData,
    h: int,
    setting: Setting,
) -> tuple[Estimate | None, float | None]:
    """Line 7: the new estimate and how far its columns were from models.

    Without one, the old estimate stays, and the distance is None (D53).
    """
    if not isinstance(learned, HmmEstimate):
        return before, None
    columns, moved = projected(learned.O, setting)
    return Estimate(columns, learned.T, h), moved


def projected(columns: Floats, setting: Setting) -> tuple[Floats, float]:
    """Columns turned into models (D92), and the largest distance that one had to move."""
    S, A, U = setting.S, setting.A, setting.U
    near = np.stack([project_observation(column, S, A, U) for column in columns.T], axis=1)
    return sealed(near), float(np.max(np.linalg.norm(near - columns, axis=0)))


def ptum_set(result: PtumResult, labels: tuple[int, ...]) -> tuple[int, ...]:
    """Θ̄_h as printed: PTUM's final set; all labels if it did not run or nothing is left (D44)."""
    ran = result.end is not End.MODELS_TOO_INACCURATE
    return result.active if ran and result.active else labels


def predicted(
    pieces: Pieces, estimate: Estimate | None, theta_bar: tuple[int, ...], setting: Setting
) -> tuple[int, ...]:
    """Line 9, before task h+1 (D43): all labels without a rule, or before the first T̂ (D96).

    h is that of the latest T̂, and e^T_h is infinite where nothing bounds its errors.
    """
    rule, bounds = pieces.rule, pieces.bounds
    if rule is None or estimate is None or estimate.T is None:
        return setting.labels
    e_T = math.inf
    if isinstance(bounds, TransitionBounds):
        e_T = bounds.transition_error(estimate.T_h, setting)
    return rule(
        estimate.T,
        theta_bar,
        h=estimate.T_h,
        d=setting.d,
        delta=setting.delta,
        delta_prime=setting.delta_prime,
        e_T=e_T,
    )


def _with_labels(result: PtumResult, initial: tuple[int, ...]) -> PtumResult:
    """Positions in Θ̃_h replaced by the labels that stand there."""

    def label(position: int | None) -> int | None:
        return None if position is None else initial[position]

    return replace(
        result,
        theta=label(result.theta),
        active=tuple(initial[position] for position in result.active),
        eliminations=tuple(
            Elimination(
                t=gone.t,
                theta=initial[gone.theta],
                equation=gone.equation,
                s=gone.s,
                a=gone.a,
                theta_prime=label(gone.theta_prime),
            )
            for gone in result.eliminations
        ),
    )
