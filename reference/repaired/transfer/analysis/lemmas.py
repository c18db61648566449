"""Lemmas 4, 7, 8 and 9 with the premises or the constants for which they are true.

| item    | function            | what differs                                                 |
| ------- | ------------------- | ------------------------------------------------------------ |
| Lemma 4 | `model_elimination` | the gap is measured with Ṽ*_θ' (E08)                         |
| Lemma 7 | `positive_index`    | line 2 admits Δ ≤ (1-γ)ε/(18(1+γ)) only (E01)                |
| Lemma 8 | `fundamental_lemma` | the whole index stands in the denominator (E09)              |
| Lemma 9 | `correctness`       | Assumption 1 covers the values of transferred policies (E02) |

Lemmas 5 and 6 and Corollary 2 are true as printed, and Lemma 3 is with the repaired Assumption 1
(E05): `ptum.reference.transfer.analysis.lemmas`. Lemmas 7 and 8 take the `TransferConstants` that
they are about; the others do not depend on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ptum.reference.arrays import Ints
from ptum.reference.inequalities import Inequality
from ptum.reference.repaired.transfer.analysis.elimination import n_bar
from ptum.reference.repaired.transfer.analysis.sample_complexity import fundamental_bound
from ptum.reference.repaired.transfer.assumptions import model_errors
from ptum.reference.repaired.transfer.repairs import PRINTED_SHIFT, TransferConstants
from ptum.reference.repaired.transfer.stopping import enters_transfer_mode
from ptum.reference.tasks.mdp import MDP
from ptum.reference.transfer.analysis import lemmas as printed
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.analysis.lemmas import TRANSFER_MODE
from ptum.reference.transfer.analysis.sample_complexity import information_of_target

__all__ = ["correctness", "fundamental_lemma", "model_elimination", "positive_index"]


def model_elimination(iteration: Iteration, *, theta: int, N: Ints, L: float) -> Inequality:
    """Lemma 4 with the three-argument gap (E08)."""
    right = n_bar(iteration, theta=theta, L=L)
    return printed.elimination_within(iteration, theta=theta, N=N, n_bar_theta=right)


def positive_index(
    iteration: Iteration, *, epsilon: float, repair: TransferConstants = PRINTED_SHIFT
) -> Inequality:
    """Lemma 7 under the repaired line 2 (E01): max_{s,a} max_{θ∈Θ̄_t} I_{s,a}(θ*,θ) > 0.

    Stronger than the printed conclusion: pairs of models that contain the target are enough.
    """
    models, Delta = iteration.models, iteration.Delta
    as_printed = printed.positive_index(iteration, epsilon=epsilon)
    of_target = information_of_target(
        models,
        target=iteration.target,
        others=iteration.active,
        Delta=Delta,
        shift=repair.shift,
    )
    entered = enters_transfer_mode(Delta, epsilon, models.gamma, repair)
    return replace(
        as_printed,
        left=float(np.max(of_target, initial=0.0)),
        premises={**as_printed.premises, TRANSFER_MODE: entered},
    )


def fundamental_lemma(
    iteration: Iteration, *, N: Ints, L: float, repair: TransferConstants = PRINTED_SHIFT
) -> Inequality:
    """Lemma 8 with the index in the denominator: N_t(S_t,A_t) < 128 L / I_t(S_t,A_t)."""
    bound = fundamental_bound(iteration.active, iteration.models, iteration.Delta, L, repair)
    return printed.fundamental_within(iteration, N=N, bound=bound, shift=repair.shift)


def correctness(
    iteration: Iteration, *, returned: int, true: Sequence[MDP], epsilon: float
) -> Inequality:
    """Lemma 9 under the repaired Assumption 1 (E02).

    The threshold of line 2 plays no part in the argument, so it is no premise: ε = Δ = 0 is
    covered (E12).
    """
    errors = model_errors(true, iteration.models)
    within = printed.correctness_within(
        iteration, returned=returned, true=true, epsilon=epsilon, errors=errors
    )
    premises = {name: met for name, met in within.premises.items() if name != TRANSFER_MODE}
    return replace(within, premises=premises)
