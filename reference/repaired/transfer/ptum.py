"""Algorithm 1 with what its analysis needs (errata E01, E12 and, for the probability, E15).

| place           | printed                        | here                                 |
| --------------- | ------------------------------ | ------------------------------------ |
| line 2          | Δ ≥ ε(1-γ)/(4(1+γ)) falls back | Δ > (1-γ)ε/(18(1+γ)) falls back      |
| lines 16-18     | an index of zero is sampled on | an index of zero goes to line 22     |
| lines 5-21, 22  | δ for each of the two phases   | δ/2 for each, if both may run        |
"""

from __future__ import annotations

from typing import Protocol

from ptum.reference.repaired.transfer.repairs import CHEAPEST, PRINTED_SHIFT, TransferConstants
from ptum.reference.repaired.transfer.stopping import enters_transfer_mode
from ptum.reference.tasks.generative import GenerativeModel
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.confidence import confidence_set, widths
from ptum.reference.transfer.empirical import empirical_model, empty_data
from ptum.reference.transfer.fallback import PacAlgorithm
from ptum.reference.transfer.information import SHIFT, index, index_is_zero, query
from ptum.reference.transfer.ptum import (
    End,
    PtumResult,
    Run,
    finish,
    nobody,
    nothing_done,
    require_inputs,
    start_event,
)
from ptum.reference.transfer.stopping import stopping_models
from ptum.reference.transfer.transcript import Elimination, Observer

__all__ = ["CHEAPEST", "PRINTED_SHIFT", "End", "PtumResult", "TransferConstants", "ptum"]


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
        shift: float,
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
    repair: TransferConstants = PRINTED_SHIFT,
    lines_3_21: TransferMode | None = None,
) -> PtumResult:
    """Algorithm 1, repaired; arguments and result as those of `ptum.reference.transfer.ptum.ptum`.

    The `start` event shows the δ with which the confidence sets are built, so that a transcript
    can be replayed: δ/2 where a fallback may follow the transfer phase, δ otherwise. With
    `repair=CHEAPEST` models may be 2.5 times less accurate; no event says which repair is used.
    """
    errors = require_inputs(models, epsilon, delta, n, Delta)
    epsilon, delta, n = float(epsilon), float(delta), int(n)  # plain, whatever they were
    announce = observer or nobody
    transfers = enters_transfer_mode(errors.Delta, epsilon, models.gamma, repair)
    share = delta_per_phase(delta, both=transfers and fallback is not None)
    announce(start_event(models, errors, epsilon, share, n))
    if transfers:  # line 2
        result = (lines_3_21 or transfer_mode)(
            models,
            generative_model,
            epsilon=epsilon,
            delta=share,
            n=n,
            errors=errors,
            announce=announce,
            shift=repair.shift,
        )
    else:
        result = nothing_done(models)
    return finish(
        result,
        models,
        generative_model,
        epsilon=epsilon,
        delta=share,
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
    shift: float = SHIFT,
) -> PtumResult:
    """Lines 3-21 as printed, but that an index of zero ends the run (E01).

    `shift` is the 8 of Definition 1, or the smaller one of another repair.
    """
    run = Run(models, empty_data(models.S, models.A), announce)
    active = tuple(range(models.k))
    for t in range(1, n + 1):
        hat = empirical_model(run.data, models.V_star)
        C = widths(hat, errors, models.gamma, n, models.k, delta)
        active, eliminated = confidence_set(active, hat, C, models)
        for theta, why in eliminated.items():
            run.eliminate(Elimination(t, theta, why.equation, why.s, why.a, why.theta_prime))
        if not active:
            return run.result(End.ACTIVE_SET_EMPTY, active)
        good = stopping_models(active, models, epsilon, errors.Delta)
        if good:
            return run.result(End.STOPPED, active, theta=good[0], tau=t)
        I_t = index(active, models, errors.Delta, shift)
        if index_is_zero(I_t):
            run.flag_zero_index(t)
            return run.result(End.INDEX_ZERO, active)
        S_t, A_t = query(I_t)
        run.sample(t, S_t, A_t, generative_model)
    return run.result(End.BUDGET_EXHAUSTED, active)


def delta_per_phase(delta: float, *, both: bool) -> float:
    """Two phases that may both run share δ by the union bound; one alone has all of it (D25).

    Line 2 looks at no sample, so whether there is a transfer phase is known before δ is shared.
    """
    return delta / 2 if both else delta
