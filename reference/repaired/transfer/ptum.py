"""Algorithm 1 with what its analysis needs (errata E01, E12 and, for the probability, E15).

| place           | printed                        | here                                 |
| --------------- | ------------------------------ | ------------------------------------ |
| line 2          | Δ ≥ ε(1-γ)/(4(1+γ)) falls back | Δ > (1-γ)ε/(18(1+γ)) falls back      |
| lines 16-18     | an index of zero is sampled on | an index of zero goes to line 22     |
| lines 5-21, 22  | δ for each of the two phases   | δ/2 for each, if both may run        |
"""

from __future__ import annotations

from ptum.reference.repaired.transfer.repairs import CHEAPEST, PRINTED_SHIFT, Repair
from ptum.reference.repaired.transfer.stopping import enters_transfer_mode
from ptum.reference.tasks.generative import GenerativeModel
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.fallback import PacAlgorithm
from ptum.reference.transfer.ptum import (
    End,
    PtumResult,
    finish,
    nobody,
    nothing_done,
    require_inputs,
    start_event,
    transfer_mode,
)
from ptum.reference.transfer.transcript import Observer

__all__ = ["CHEAPEST", "PRINTED_SHIFT", "End", "PtumResult", "Repair", "ptum"]


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
    repair: Repair = PRINTED_SHIFT,
) -> PtumResult:
    """Algorithm 1, repaired; arguments and result as those of `ptum.reference.transfer.ptum.ptum`.

    The `start` event shows the δ with which the confidence sets are built, so that a transcript
    can be replayed: δ/2 where a fallback may follow the transfer phase, δ otherwise. With
    `repair=CHEAPEST` models may be 2.5 times less accurate; no event tells which repair is used.
    """
    errors = require_inputs(models, epsilon, delta, n, Delta)
    announce = observer or nobody
    transfers = enters_transfer_mode(errors.Delta, epsilon, models.gamma, repair)
    share = delta_per_phase(delta, both=transfers and fallback is not None)
    announce(start_event(models, errors, epsilon, share, n))
    if transfers:  # line 2
        result = transfer_mode(
            models,
            generative_model,
            epsilon,
            share,
            n,
            errors,
            announce,
            end_on_zero_index=True,
            shift=repair.shift,
        )
    else:
        result = nothing_done(models)
    return finish(result, models, generative_model, epsilon, share, fallback, announce)


def delta_per_phase(delta: float, *, both: bool) -> float:
    """Two phases that may both run share δ by the union bound; one alone has all of it (D25).

    Line 2 looks at no sample, so whether there is a transfer phase is known before δ is shared.
    """
    return delta / 2 if both else delta
