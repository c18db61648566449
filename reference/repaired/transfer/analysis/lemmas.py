"""Lemmas 4, 7, 8 and 9 with the premises or the constants for which they are true.

| item    | function            | what differs                                                 |
| ------- | ------------------- | ------------------------------------------------------------ |
| Lemma 4 | `model_elimination` | the gap is measured with Ṽ*_θ' (E08)                         |
| Lemma 7 | `positive_index`    | line 2 admits Δ ≤ (1-γ)ε/(18(1+γ)) only (E01)                |
| Lemma 8 | `fundamental_lemma` | the whole index stands in the denominator (E09)              |
| Lemma 9 | `correctness`       | Assumption 1 covers the values of transferred policies (E02) |

Lemmas 5 and 6 and Corollary 2 are true as printed, and Lemma 3 is with the repaired Assumption 1
(E05): `ptum.reference.transfer.analysis.lemmas`. Lemmas 7 and 8 take a `Repair`, whose constants
they are about; the others do not depend on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ptum.reference.arrays import Ints
from ptum.reference.repaired.transfer.analysis.elimination import n_bar
from ptum.reference.repaired.transfer.analysis.sample_complexity import fundamental_bound
from ptum.reference.repaired.transfer.assumptions import model_errors
from ptum.reference.repaired.transfer.repairs import PRINTED_SHIFT, Repair
from ptum.reference.repaired.transfer.stopping import enters_transfer_mode
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer.analysis.lemmas import (
    TRANSFER_MODE,
    Instance,
    correctness_instance,
    elimination_instance,
    fundamental_instance,
)
from ptum.reference.transfer.analysis.lemmas import positive_index as positive_index_as_printed
from ptum.reference.transfer.analysis.sample_complexity import information_of_target
from ptum.reference.transfer.information import index_is_zero

__all__ = ["Instance", "model_elimination", "positive_index", "fundamental_lemma", "correctness"]


def model_elimination(
    theta: int,
    target: int,
    active: tuple[int, ...],
    N: Ints,
    models: ApproximateModels,
    Delta: float,
    L: float,
) -> Instance:
    """Lemma 4 with the three-argument gap (E08)."""
    right = n_bar(theta, target, active, models, Delta, L)
    return elimination_instance(theta, target, active, N, right)


def positive_index(
    target: int,
    active: tuple[int, ...],
    models: ApproximateModels,
    epsilon: float,
    Delta: float,
    repair: Repair = PRINTED_SHIFT,
) -> Instance:
    """Lemma 7 under the repaired line 2 (E01): max_{s,a} max_{θ∈Θ̄_t} I_{s,a}(θ*,θ) > 0.

    Stronger than the printed conclusion: pairs of models that contain the target are enough.
    """
    printed = positive_index_as_printed(target, active, models, epsilon, Delta)
    of_target = information_of_target(target, active, models, Delta, repair.shift)
    largest = np.max(of_target, axis=0, initial=0.0)
    entered = enters_transfer_mode(Delta, epsilon, models.gamma, repair)
    return replace(
        printed,
        premises={**printed.premises, TRANSFER_MODE: entered},
        left=np.array(float(np.max(largest))),
        holds=not index_is_zero(largest),
    )


def fundamental_lemma(
    target: int,
    active: tuple[int, ...],
    N: Ints,
    models: ApproximateModels,
    Delta: float,
    L: float,
    repair: Repair = PRINTED_SHIFT,
) -> Instance:
    """Lemma 8 with the index in the denominator: N_t(S_t,A_t) < 128 L / I_t(S_t,A_t)."""
    right = fundamental_bound(active, models, Delta, L, repair)
    return fundamental_instance(target, active, N, models, Delta, right, repair.shift)


def correctness(
    returned: int,
    target: int,
    active: tuple[int, ...],
    true: Sequence[MDP],
    models: ApproximateModels,
    epsilon: float,
    Delta: float,
) -> Instance:
    """Lemma 9 under the repaired Assumption 1 (E02).

    The threshold of line 2 plays no part in the argument, so the premise stays the printed one.
    """
    errors = model_errors(true, models)
    return correctness_instance(returned, target, active, true, models, epsilon, Delta, errors)
