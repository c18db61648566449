"""Algorithm 1: Policy Transfer from Uncertain Models (PTUM), its 22 lines in order.

| symbol        | code                                |
| ------------- | ----------------------------------- |
| {M̃_θ}_{θ∈Θ}  | `models`                            |
| Θ̄_t          | `active`                            |
| Δ, Δ_max^x    | `errors.Delta`, `errors.r` and so on |
| r̂_t, p̂_t, …  | `hat`                               |
| C^x_{t,δ}     | `C`                                 |
| I_t(s,a)      | `I_t`                               |
| (S_t, A_t)    | `S_t`, `A_t`                        |

Everything is computed again from the data in every iteration, as printed. A comment `line n` stands
where that line of the algorithm is carried out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

import numpy as np

from ptum.reference.arrays import Ints
from ptum.reference.errors import (
    LEAST_CONFIDENCE,
    require,
    require_accuracy,
    require_budget,
    require_confidence,
)
from ptum.reference.tasks.generative import GenerativeModel, ask, kind
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.tasks.values import require_resolved
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.confidence import confidence_set, widths
from ptum.reference.transfer.empirical import Data, empirical_model, empty_data
from ptum.reference.transfer.explained import Explained
from ptum.reference.transfer.fallback import FallbackResult, PacAlgorithm, require_solved
from ptum.reference.transfer.information import index, index_is_zero, query
from ptum.reference.transfer.stopping import enters_transfer_mode, stopping_models
from ptum.reference.transfer.transcript import (
    Elimination,
    Errors,
    Event,
    Model,
    Observer,
    Query,
    Sample,
    Start,
    Stop,
    error_size,
)


class End(StrEnum):
    """How a run can end."""

    STOPPED = "stopped"
    MODELS_TOO_INACCURATE = "models-too-inaccurate"
    BUDGET_EXHAUSTED = "budget-exhausted"
    ACTIVE_SET_EMPTY = "active-set-empty"
    INDEX_ZERO = "index-zero"


@dataclass(frozen=True, eq=False, repr=False)
class PtumResult(Explained):
    """What a run of Algorithm 1 did.

    `tau` is the paper's stopping time, the iteration in which line 14 stopped the run. The sample
    of an iteration is taken after its stopping test, so `queries` = `tau` - 1: the paper calls τ
    the number of queries, which is one too many (D04). `N` counts the queries of PTUM itself; those
    of the fallback are in `fallback`. `first_zero_index` is the first iteration in which every
    index was zero.
    """

    end: End
    policy: Ints | None
    theta: int | None
    queries: int
    tau: int | None
    N: Ints
    active: tuple[int, ...]
    eliminations: tuple[Elimination, ...]
    first_zero_index: int | None
    fallback: FallbackResult | None


class TransferMode(Protocol):
    """Lines 3-21: `transfer_mode`, or faster code with the same results."""

    def __call__(
        self,
        models: ApproximateModels,
        generative_model: GenerativeModel,
        /,
        *,
        epsilon: float,
        delta: float,
        n: int,
        errors: ModelErrors,
        announce: Observer,
    ) -> PtumResult:
        """Run to the end."""


def ptum(
    models: ApproximateModels,
    generative_model: GenerativeModel,
    *,
    epsilon: float,
    delta: float,
    n: int,
    Delta: float | ModelErrors,
    fallback: PacAlgorithm | None = None,
    observer: Observer | None = None,
    lines_3_21: TransferMode | None = None,
) -> PtumResult:
    """Algorithm 1 as printed.

    `Delta` is the single Δ of the input line or the four constants of Assumption 1 (D02). Without
    a `fallback` the run ends with no policy where lines 2 and 22 call the (ε,δ)-PAC algorithm. An
    `observer` is shown every event. `lines_3_21` is code with the results of `transfer_mode`.
    """
    errors = require_inputs(models, epsilon, delta, n, Delta)
    epsilon, delta, n = float(epsilon), float(delta), int(n)  # plain, whatever they were
    announce = observer or nobody
    announce(start_event(models, errors, epsilon, delta, n))
    if not enters_transfer_mode(errors.Delta, epsilon, models.gamma):  # line 2
        result = nothing_done(models)
    else:
        result = (lines_3_21 or transfer_mode)(
            models,
            generative_model,
            epsilon=epsilon,
            delta=delta,
            n=n,
            errors=errors,
            announce=announce,
        )
    return finish(
        result,
        models,
        generative_model,
        epsilon=epsilon,
        delta=delta,
        fallback=fallback,
        announce=announce,
    )


def transfer_mode(
    models: ApproximateModels,
    generative_model: GenerativeModel,
    *,
    epsilon: float,
    delta: float,
    n: int,
    errors: ModelErrors,
    announce: Observer,
) -> PtumResult:
    """Lines 3-21, the ends of an iteration in the order of the lines (D27).

    The first test comes before the first query (D05), no test follows the query of iteration n
    (D22), and an index of zero is sampled on (D18).
    """
    run = Run(models, empty_data(models.S, models.A), announce)  # line 4
    active = tuple(range(models.k))  # Θ̄_0 = Θ (D114)
    for t in range(1, n + 1):  # line 5
        hat = empirical_model(run.data, models.V_star)  # lines 7-10
        C = widths(hat, errors, models.gamma, n, models.k, delta)
        active, eliminated = confidence_set(active, hat, C, models)  # line 12
        for theta, why in eliminated.items():
            run.eliminate(Elimination(t, theta, why.equation, why.s, why.a, why.theta_prime))
        if not active:  # D12
            return run.result(End.ACTIVE_SET_EMPTY, active)
        good = stopping_models(active, models, epsilon, errors.Delta)  # line 14
        if good:
            return run.result(End.STOPPED, active, theta=good[0], tau=t)  # D07
        I_t = index(active, models, errors.Delta)  # lines 16-17
        if index_is_zero(I_t):
            run.flag_zero_index(t)
        S_t, A_t = query(I_t)  # line 18
        run.sample(t, S_t, A_t, generative_model)  # lines 19-20
    return run.result(End.BUDGET_EXHAUSTED, active)


def finish(
    result: PtumResult,
    models: ApproximateModels,
    generative_model: GenerativeModel,
    *,
    epsilon: float,
    delta: float,
    fallback: PacAlgorithm | None,
    announce: Observer,
) -> PtumResult:
    """Line 22 (and the second half of line 2): run the PAC algorithm if PTUM did not stop.

    It starts afresh (D39), with the δ that the caller leaves for it (D25).
    """
    if result.end is not End.STOPPED and fallback is not None:  # line 22
        solved = fallback(generative_model, models.S, models.A, models.gamma, epsilon, delta)
        require_solved(solved, models.S, models.A)
        result = replace(result, policy=solved.policy, fallback=solved)
    policy = None if result.policy is None else tuple(result.policy.tolist())
    announce(Stop(result.queries + 1, result.end.value, result.theta, policy))
    return result


def require_inputs(
    models: ApproximateModels, epsilon: float, delta: float, n: int, Delta: float | ModelErrors
) -> ModelErrors:
    """Check the numbers of the input line (D35); a single Δ becomes four equal constants."""
    good = isinstance(models, ApproximateModels)
    require(good, "models", "must be made by approximate_models", value=kind(models))
    require_resolved(require_accuracy(epsilon), models.S, models.gamma)
    require_confidence(delta, least=LEAST_CONFIDENCE)
    require_budget(n)
    return Delta if isinstance(Delta, ModelErrors) else single(Delta)


def start_event(
    models: ApproximateModels, errors: ModelErrors, epsilon: float, delta: float, n: int
) -> Start:
    """The inputs of a run as they appear in its transcript."""
    return Start(
        models=tuple(
            Model(task.p.tolist(), task.q.tolist(), task.u.tolist()) for task in models.tasks
        ),
        gamma=models.gamma,
        errors=Errors(*map(error_size, (errors.r, errors.p, errors.sigma_r, errors.sigma_p))),
        epsilon=float(epsilon),  # plain numbers: numpy's have no JSON form
        delta=float(delta),
        n=int(n),
    )


class Run:
    """The data of one run and the record of what happened in it."""

    def __init__(self, models: ApproximateModels, data: Data, announce: Observer) -> None:
        self.data = data
        self._models = models
        self._announce = announce
        self._eliminations: list[Elimination] = []
        self._first_zero_index: int | None = None

    def eliminate(self, elimination: Elimination) -> None:
        """Line 12 dropped a model."""
        self._eliminations.append(elimination)
        self._announce(elimination)

    def flag_zero_index(self, t: int) -> None:
        """Remember the first iteration without any information."""
        if self._first_zero_index is None:
            self._first_zero_index = t

    def sample(self, t: int, s: int, a: int, generative_model: GenerativeModel) -> None:
        """Lines 19 and 20."""
        self._announce(Query(t, s, a))
        reward, successor = ask(generative_model, s, a, self._models.S)
        self._announce(Sample(t, reward, successor))
        self.data.store(s, a, reward, successor)

    def result(
        self, end: End, active: tuple[int, ...], theta: int | None = None, tau: int | None = None
    ) -> PtumResult:
        """What the run did, if it ends now."""
        N = np.array([[len(pair) for pair in row] for row in self.data.rewards], dtype=np.int64)
        return PtumResult(
            end=end,
            policy=None if theta is None else self._models.pi_star[theta],
            theta=theta,
            queries=int(N.sum()),
            tau=tau,
            N=N,
            active=active,
            eliminations=tuple(self._eliminations),
            first_zero_index=self._first_zero_index,
            fallback=None,
        )


def nothing_done(models: ApproximateModels) -> PtumResult:
    """The end in line 2: no query, and every model still active."""
    run = Run(models, empty_data(models.S, models.A), nobody)
    return run.result(End.MODELS_TOO_INACCURATE, tuple(range(models.k)))


def nobody(event: Event) -> None:
    """The observer of a run that nobody watches."""
