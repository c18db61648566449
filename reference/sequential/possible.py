"""Whether a state that somebody hands over can be that of a run of Algorithm 2.

| part of a state | what is asked of it                                                           |
| --------------- | ----------------------------------------------------------------------------- |
| h, o_1, …, o_h  | as many as h, of one shape; with a setting: of length d, distributions (D47)  |
| Ô_h             | probabilities; with a setting: k models (D92)                                 |
| T̂_h             | k×k, from T_h ≤ h tasks; of the repaired version: columns sum to one (D54)     |
| Θ̃_{h+1}         | labels from 0 to k-1 in increasing order, one at least                        |

The printed version hands T̂_h on as it was estimated, any matrix of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from ptum.reference.arrays import Floats, frozen, require_distributions
from ptum.reference.errors import is_integer, require, require_all, require_count, require_sequence
from ptum.reference.sequential.hmm import frozen_chain
from ptum.reference.sequential.observations import models_from_columns, split_observation
from ptum.reference.sequential.state import (
    Estimate,
    Setting,
    State,
    require_same_options,
)
from ptum.reference.transfer.assumptions import ModelErrors

REPAIRED = "'repaired'"
"""The option `version` of a run whose T̂_h was projected."""


def resumed(state: State, setting: Setting, options: Mapping[str, str]) -> State:
    """The state of an earlier run; refused if that was started with other options."""
    problem = "must be a state, such as record.after, or what checkpoint.load returns"
    require(isinstance(state, State), "resume", problem, value=type(state).__name__)
    require_possible(state)
    require_same_options(state.options, options)
    _require_fitting(state, setting)
    return state


def require_possible(state: State) -> None:
    """All that can be said without the setting of the run."""
    _require_options(state.options)
    h = require_count(state.h, "h", least=0)
    seen = require_sequence(state.observations, "observations", "observations")
    require(h == len(seen), "h", "must be the number of observations", value=state.h)
    tables = [_probabilities(o, f"observations[{place}]") for place, o in enumerate(seen)]
    alike = len({table.shape for table in tables}) <= 1
    require(alike, "observations", "must have the same shape")
    good = isinstance(state.errors, ModelErrors)
    require(good, "errors", "must be ModelErrors", value=type(state.errors).__name__)
    k = None if state.estimate is None else _require_estimate(state.estimate, state)
    if state.estimate is not None and tables:
        d = tables[0].shape[-1]
        problem = f"must have a row for each of the {d} entries of an observation"
        require(len(state.estimate.O) == d, "O", problem, value=len(state.estimate.O))
    _require_labels(state.initial, k)


def _require_options(options: object) -> None:
    good = isinstance(options, Mapping) and all(
        isinstance(text, str) for item in options.items() for text in item
    )
    require(good, "options", "must be texts by their names", value=type(options).__name__)


def _require_estimate(estimate: Estimate, state: State) -> int:
    """The number of tasks that it speaks of."""
    good = isinstance(estimate, Estimate)
    require(good, "estimate", "must be an Estimate", value=type(estimate).__name__)
    columns = _probabilities(estimate.O, "O")
    good = columns.ndim == 2 and columns.shape[1] >= 1
    require(good, "O", "must have a column for every task", value=f"shape {columns.shape}")
    k = int(columns.shape[1])
    T_h = require_count(estimate.T_h, "T_h", least=0)
    require(T_h <= state.h, "T_h", f"must be at most h = {state.h}", value=T_h)
    agree = (estimate.T is None) == (T_h == 0)
    require(agree, "T_h", "must be 0 without T, and positive with it", value=T_h)
    if estimate.T is not None:
        T = _doubles(estimate.T, "T", 2)
        require(T.shape == (k, k), "T", f"must have shape ({k}, {k})", value=T.shape)
        if state.options.get("version") == REPAIRED:
            frozen_chain(T)
    return k


def _require_labels(initial: tuple[int, ...], k: int | None) -> None:
    labels = require_sequence(initial, "initial", "labels")
    require(len(labels) >= 1, "initial", "needs a label", value=initial)
    for place, label in enumerate(labels):
        good = is_integer(label) and label >= 0 and (k is None or label < k)
        below = "" if k is None else f" to {k - 1}"
        require(good, "initial", f"must be a label from 0{below}", index=(place,), value=label)
    rising = all(one < two for one, two in pairwise(labels))
    require(rising, "initial", "labels must increase", value=initial)


def _require_fitting(state: State, setting: Setting) -> None:
    """The sizes are those of the setting, and every distribution is one."""
    S, A, U, d = setting.S, setting.A, setting.U, setting.d
    for place, o in enumerate(state.observations):
        name = f"observations[{place}]"
        require(o.shape[-1] == d, name, f"must have length {d}", value=o.shape[-1])
        for view in o.reshape(-1, d):
            for table in split_observation(view, S, A, U):
                require_distributions(table, name)
    _require_labels(state.initial, setting.k)
    if state.estimate is not None:
        found = state.estimate.O.shape
        require(found == (d, setting.k), "O", f"must have shape ({d}, {setting.k})", value=found)
        models_from_columns(state.estimate.O, S, A, setting.u, setting.gamma)


def _probabilities(values: Floats, argument: str) -> Floats:
    """An array of one or two axes, all entries in [0, 1] up to rounding."""
    table = _doubles(values, argument, max(np.ndim(values), 1))
    require(
        1 <= table.ndim <= 2 and table.size >= 1, argument, "has a wrong shape", value=table.shape
    )
    good = (table >= 0) & (table <= 1 + 1e-9)
    require_all(good, table, argument, "a probability must lie in [0, 1]")
    return table


def _doubles(values: Floats, argument: str, ndim: int) -> Floats:
    """What a run can go on with as it is."""
    good = isinstance(values, np.ndarray)
    require(good, argument, "must be an array", value=type(values).__name__)
    return frozen(values, argument, ndim)
