"""What each capability asks of Algorithms 1 and 2, for any variant of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from ptum.checks.judge.plain.algorithm_1 import Algorithm1, PairEstimate
from ptum.checks.judge.plain.algorithm_2 import Algorithm2
from ptum.reference.arrays import Floats, Ints

Variant = Callable[..., Algorithm1]
View = Callable[[Any], Callable[..., object]]


def widths(variant: Variant) -> Callable[..., object]:
    """Lemma 3 at given counts and deviations."""

    def answer(N: Ints, sigma_r: Floats, sigma_p: Floats, **inputs: object) -> object:
        S, A = N.shape
        run = variant(S=S, A=A, **inputs)
        hats = [
            [_counted(int(N[s, a]), sigma_r[s, a], sigma_p[s, a]) for a in range(A)]
            for s in range(S)
        ]
        return {
            "C_r": np.array([[run.width_r(hat.N, hat.sigma_r) for hat in row] for row in hats]),
            "C_p": np.array(
                [
                    [[run.width_of_value(hat, j) for j in range(run.k)] for hat in row]
                    for row in hats
                ]
            ),
            "C_sigma_r": np.array([[run.width_sigma_r(hat.N) for hat in row] for row in hats]),
            "C_sigma_p": np.array([[run.width_sigma_p(hat.N) for hat in row] for row in hats]),
        }

    return answer


def _counted(N: int, sigma_r: float, sigma_p: Floats) -> PairEstimate:
    """An estimate of which the deviations alone are known."""
    return PairEstimate(N, 0.0, float(sigma_r), (), sigma_p.tolist())


def confidence_set(variant: Variant) -> Callable[..., object]:
    """Lines 7-12, all data at once."""

    def answer(
        active: Ints, s: Ints, a: Ints, reward: Floats, successor: Ints, **inputs: object
    ) -> object:
        run = variant(**inputs)
        columns = (s.tolist(), a.tolist(), reward.tolist(), successor.tolist())
        for sample in zip(*columns, strict=True):
            run.store(*sample)
        return {"active": run.tested(len(s) + 1, active.tolist())}

    return answer


def stopping(variant: Variant) -> Callable[..., object]:
    """Lines 2 and 14."""

    def answer(active: Ints, **inputs: object) -> object:
        run = variant(**inputs)
        return {"good": run.good(active.tolist()), "transfer": int(run.enters())}

    return answer


def information(variant: Variant) -> Callable[..., object]:
    """Definition 1 for every ordered pair of models."""

    def answer(**inputs: object) -> object:
        run = variant(**inputs)
        every = range(run.k)
        return {"I": np.array([[run.information(i, j) for j in every] for i in every])}

    return answer


def next_query(variant: Variant) -> Callable[..., object]:
    """Lines 16-18."""

    def answer(active: Ints, **inputs: object) -> object:
        run = variant(**inputs)
        return run.query(active.tolist())

    return answer


def ptum(variant: Callable[..., Algorithm1 | Algorithm2]) -> Callable[..., object]:
    """A whole run."""

    def answer(sample: Any, **inputs: object) -> object:
        return variant(**inputs).answer(sample)

    return answer


sequential = ptum
"""A whole run of Algorithm 2."""

VIEWS: Mapping[str, View] = MappingProxyType(
    {
        "widths": widths,
        "confidence_set": confidence_set,
        "stopping": stopping,
        "information": information,
        "next_query": next_query,
        "ptum": ptum,
        "sequential": sequential,
    }
)
