"""The inputs of a run of Algorithm 1 as tables: what each active set leads to, computed once.

| table                         | entry                                  | shape        |
| ----------------------------- | -------------------------------------- | ------------ |
| information                   | I_{s,a}(θ,θ')                          | (k, k, S, A) |
| losses                        | max_s Ṽ*_θ'(s) - Ṽ_θ'^{π̃*_θ}(s), [θ',θ] | (k, k)     |

Every entry comes from the function of `reference` that the literal code calls, and largest entries
are taken without rounding: lines 14 to 18 come out equal to the last bit. What follows from an
active set is kept, for all runs on the same models with the same numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary, proxy

import numpy as np

from ptum.reference.arrays import Floats, above
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.tasks.values import value_tolerance
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.confidence import log_term, log_term_sigma
from ptum.reference.transfer.information import SHIFT, index_is_zero, information, query
from ptum.reference.transfer.stopping import stopping_slack

EXACT = single(0.0)
"""The errors of models that are the tasks themselves."""

KEPT = 8
"""Sets of numbers (ε, δ, n, errors, shift) kept for the same models; the oldest makes room."""


@dataclass(frozen=True)
class RunNumbers:
    """The numbers of the input line, and the 8 of Definition 1."""

    epsilon: float
    delta: float
    n: int
    errors: ModelErrors = EXACT
    shift: float = SHIFT


@dataclass(frozen=True, eq=False)
class Targets:
    """What equations (1)-(4) at one pair compare with, for some models.

    Column 0 is the reward, column 1+θ' the value Ṽ*_θ' of the next state. `mean` and `std` have a
    row for each model, (active, 1+k); the others are the least and the largest of a column.
    """

    mean: Floats
    std: Floats

    @cached_property
    def low(self) -> Floats:
        """Least mean of each column, (1+k,)."""
        least: Floats = self.mean.min(axis=0)
        return least

    @cached_property
    def high(self) -> Floats:
        """Largest mean of each column, (1+k,)."""
        largest: Floats = self.mean.max(axis=0)
        return largest

    @cached_property
    def std_low(self) -> Floats:
        """Least standard deviation of each column, (1+k,)."""
        least: Floats = self.std.min(axis=0)
        return least

    @cached_property
    def std_high(self) -> Floats:
        """Largest standard deviation of each column, (1+k,)."""
        largest: Floats = self.std.max(axis=0)
        return largest


@dataclass(frozen=True, eq=False)
class ActiveStep:
    """Lines 14-18 for an active set: who stops the run, or which pair is queried."""

    active: tuple[int, ...]
    good: int | None
    zero_index: bool
    pair: tuple[int, int]
    targets: Targets


class Problem:
    """Models and numbers, and every step met so far."""

    def __init__(self, models: ApproximateModels, numbers: RunNumbers) -> None:
        self.models: ApproximateModels = proxy(models)  # what is kept must not keep the models
        self.numbers = numbers
        self.k, self.S = models.k, models.S
        sizes = models.S, models.A, numbers.n, models.k, numbers.delta
        self.L, self.L_sigma = log_term(*sizes), log_term_sigma(*sizes)
        ends = 1 / (1 - models.gamma)
        self.unit = self._columns(1.0, ends)
        errors = numbers.errors
        self.Delta = self._columns(errors.r, errors.p)
        self.Delta_sigma = self._columns(errors.sigma_r, errors.sigma_p)
        self.largest = np.concatenate(([1.0], np.abs(models.V_star).max(axis=1)))
        self.bottom = np.concatenate(([0.0], models.V_star.min(axis=1)))
        self.top = np.concatenate(([1.0], models.V_star.max(axis=1)))
        self._steps: dict[tuple[int, ...], ActiveStep] = {}

    def step(self, active: tuple[int, ...]) -> ActiveStep:
        """What lines 14-18 make of a non-empty active set."""
        if active not in self._steps:
            self._steps[active] = self._made(active)
        return self._steps[active]

    def _columns(self, reward: float, value: float) -> Floats:
        return np.array([reward] + [value] * self.models.k, dtype=np.float64)

    def _made(self, active: tuple[int, ...]) -> ActiveStep:
        chosen = np.array(active)
        lost = self._losses[np.ix_(chosen, chosen)]
        good = chosen[~above(lost, self._accepted).any(axis=0)]
        I_t = self._information[np.ix_(chosen, chosen)].max(axis=(0, 1))
        pair = query(I_t)
        return ActiveStep(
            active=active,
            good=int(good[0]) if good.size else None,
            zero_index=index_is_zero(I_t),
            pair=pair,
            targets=self._targets(chosen.tolist(), pair),
        )

    def _targets(self, active: list[int], pair: tuple[int, int]) -> Targets:
        models, (s, a) = self.models, pair
        V = models.p[active, s, a] @ models.V_star.T
        return Targets(
            mean=np.column_stack((models.r[active, s, a], V)),
            std=np.column_stack((models.sigma_r[active, s, a], models.sigma_p[active, s, a])),
        )

    @cached_property
    def _accepted(self) -> float:
        numbers, models = self.numbers, self.models
        slack = stopping_slack(numbers.epsilon, numbers.errors.Delta, models.gamma)
        return slack + value_tolerance(models.V_star, models.gamma)

    @cached_property
    def _losses(self) -> Floats:
        losses: Floats = (self.models.V_star[:, np.newaxis] - self.models.V_pi).max(axis=2)
        return losses

    @cached_property
    def _information(self) -> Floats:
        models, numbers = self.models, self.numbers
        table = np.zeros((models.k, models.k, models.S, models.A))
        for theta, other in np.ndindex(models.k, models.k):
            table[theta, other] = information(
                models,
                theta=theta,
                theta_prime=other,
                Delta=numbers.errors.Delta,
                shift=numbers.shift,
            )
        return table


_PROBLEMS: WeakKeyDictionary[ApproximateModels, dict[RunNumbers, Problem]] = WeakKeyDictionary()


def problem(models: ApproximateModels, numbers: RunNumbers) -> Problem:
    """The tables of these inputs; models that are still in use keep theirs."""
    kept = _PROBLEMS.setdefault(models, {})
    if numbers not in kept:
        if len(kept) >= KEPT:
            del kept[next(iter(kept))]
        kept[numbers] = Problem(models, numbers)
    return kept[numbers]
