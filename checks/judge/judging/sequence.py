"""A run of Algorithm 2 as a subject reports it, task by task, with the samples that it took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from ptum.checks.judge.judging.replay import Eliminated, reported, require_model, require_pairs
from ptum.checks.judge.judging.tolerances import FLOOR
from ptum.checks.judge.messages.fields import (
    MalformedError,
    actions,
    array,
    in_json,
    integers,
    labels,
    reals,
)
from ptum.checks.judge.messages.parsing import ERRORS, as_errors, number, whole
from ptum.checks.judge.messages.transcript import Asked, Fields, Json
from ptum.reference.arrays import Floats
from ptum.reference.errors import InputError
from ptum.reference.repaired.sequential.algorithm import Constants
from ptum.reference.sequential.algorithm import Rhos, Setting
from ptum.reference.sequential.hmm import VIEWS
from ptum.reference.sequential.observations import empirical_observation, observation_vector
from ptum.reference.tasks.mdp import MDP
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.ptum import End


@dataclass(frozen=True)
class SequenceNumbers:
    """The input line: Algorithm 2's own numbers, and the constants of both versions.

    One number of the protocol is ρ_3 and ρ_5; ℓ is so small that every estimate passes.
    """

    setting: Setting
    m: int
    rhos: Rhos
    rho_T: float
    repaired: Constants
    eta: float


def numbers_of(request: Fields) -> SequenceNumbers:
    """The fields of a request."""
    given: dict[str, Any] = {name: whole(request, name) for name in ("k", "S", "A", "n", "n_post")}
    for name in ("gamma", "epsilon", "delta", "delta_prime"):
        given[name] = number(request, name)
    u = tuple(array(request, "u").tolist())
    setting = Setting(**given, u=u, L=1, N=1, seed=0)
    rhos = ("rho_r", "rho_p", "rho_sigma_r", "rho_sigma_p", "rho")
    return SequenceNumbers(
        setting=setting,
        m=whole(request, "m"),
        rhos=Rhos(*(number(request, name) for name in rhos)),
        rho_T=number(request, "rho_T"),
        repaired=Constants(
            rho_3=number(request, "rho_3"),
            rho_4=number(request, "rho_4"),
            rho_5=number(request, "rho_3"),
            rho_6=number(request, "rho_6"),
            ell=FLOOR,
        ),
        eta=number(request, "eta"),
    )


@dataclass(frozen=True, eq=False)
class TaskReport:
    """What a subject says of one task; `models` are all k of them, in the order of their labels."""

    initial: tuple[int, ...]
    errors: ModelErrors
    models: tuple[MDP, ...] | None
    end: str
    queries: int
    eliminations: tuple[Eliminated, ...]
    active: tuple[int, ...]
    policy: tuple[int, ...] | None
    T: Floats | None

    @cached_property
    def O(self) -> Floats | None:  # noqa: E743 - the paper's letter
        """The models as columns."""
        if self.models is None:
            return None
        return np.stack([observation_vector(task.q, task.p) for task in self.models], axis=1)


OF_REPORT = {field.name for field in fields(TaskReport)}
"""A report names all of them; null stands for what there is not."""


def reports_of(answer: Fields, numbers: SequenceNumbers) -> tuple[TaskReport, ...]:
    """The list `tasks`, one report for each of the m tasks."""
    tasks = answer.get("tasks")
    if not isinstance(tasks, list) or len(tasks) != numbers.m:
        raise MalformedError(f"tasks must be a list of m = {numbers.m} reports")
    return tuple(_report_of_task(h, entry, numbers.setting) for h, entry in enumerate(tasks, 1))


def _report_of_task(h: int, entry: Json, setting: Setting) -> TaskReport:
    """One report; what is wrong with its form is reported with the number of the task."""
    try:
        return _report(entry, setting)
    except MalformedError as reason:
        raise MalformedError(f"task {h}: {reason}") from reason


def _report(entry: Json, setting: Setting) -> TaskReport:
    if not isinstance(entry, Mapping):
        raise MalformedError("a report must be an object")
    report = dict(entry)
    missing, unknown = OF_REPORT - report.keys(), report.keys() - OF_REPORT
    if missing or unknown:
        text = f"missing are {in_json(sorted(missing))}, unknown {in_json(sorted(unknown))}"
        raise MalformedError(f"a report must have exactly the documented fields; {text}")
    known = [end.value for end in End]
    if report["end"] not in known:
        raise MalformedError(f"end must be one of {known}")
    k = setting.k
    T_hat = None if report["T"] is None else reals(report, "T", (k, k))
    if T_hat is not None and not np.all(np.isfinite(T_hat)):
        raise MalformedError("T must be finite")
    return TaskReport(
        initial=labels(report, "initial", k),
        errors=_errors(report["errors"]),
        models=_models(report["models"], setting),
        end=str(report["end"]),
        queries=int(integers(report, "queries", ())),
        eliminations=_eliminations(report["eliminations"], k),
        active=labels(report, "active", k),
        policy=_policy(report, setting),
        T=T_hat,
    )


def _eliminations(entry: Json, k: int) -> tuple[Eliminated, ...]:
    """Models are eliminated by their labels, of which there are k."""
    eliminated = reported(entry)
    for one in eliminated:
        require_model(one.theta, k, "an elimination names the model θ")
    return eliminated


def _errors(entry: Json) -> ModelErrors:
    if not isinstance(entry, Mapping) or set(entry) != set(ERRORS):
        raise MalformedError(f"errors must have exactly the fields {list(ERRORS)}")
    sizes = {name: reals(dict(entry), name, ()) for name in ERRORS}
    if any(size < 0 for size in sizes.values()):
        raise MalformedError("an error must not be negative")
    return as_errors({name: float(size) for name, size in sizes.items()})


def _models(entry: Json, setting: Setting) -> tuple[MDP, ...] | None:
    if entry is None:
        return None
    if not isinstance(entry, list) or len(entry) != setting.k:
        raise MalformedError(f"models must be null or a list of k = {setting.k} tasks")
    found = []
    for j, task in enumerate(entry):
        try:
            found.append(_model(task, setting))
        except (MalformedError, InputError) as reason:
            raise MalformedError(f"models[{j}]: {reason}") from reason
    return tuple(found)


def _model(entry: Json, setting: Setting) -> MDP:
    """A model must be one up to 10⁻⁹; the rest is divided away."""
    if not isinstance(entry, Mapping):
        raise MalformedError("must be an object with p and q")
    S, A, U = setting.S, setting.A, setting.U
    tables = []
    for name, outcomes in (("p", S), ("q", U)):
        table = reals(dict(entry), name, (S, A, outcomes))
        sums = table.sum(axis=-1, keepdims=True)
        if np.min(table) < -FLOOR or np.max(np.abs(sums - 1)) > FLOOR:
            raise MalformedError(f"{name} must hold distributions")
        positive = np.maximum(table, 0.0)
        tables.append(positive / positive.sum(axis=-1, keepdims=True))
    return MDP(p=tables[0], q=tables[1], u=np.array(setting.u), gamma=setting.gamma)


def _policy(report: Fields, setting: Setting) -> tuple[int, ...] | None:
    if report["policy"] is None:
        return None
    return tuple(actions(report, "policy", setting.S, setting.A).tolist())


# Samples


def by_task(queries: Sequence[Asked], numbers: SequenceNumbers) -> tuple[tuple[Asked, ...], ...]:
    """The samples of every task in their order."""
    require_pairs(queries, numbers.setting.S, numbers.setting.A)
    values = set(numbers.setting.u)
    found: list[list[Asked]] = [[] for _ in range(numbers.m)]
    for asked in queries:
        if not 1 <= asked.h <= numbers.m or asked.reward not in values:
            raise MalformedError(f"a query that no task can answer: {asked.in_words}")
        found[asked.h - 1].append(asked)
    return tuple(map(tuple, found))


def observation(samples: Sequence[Asked], setting: Setting, last: int | None) -> Floats | None:
    """o of one task, from all of its samples or from the last so many of each pair.

    None if a pair has no sample.
    """
    kept = samples if last is None else _last(samples, setting, last)
    rewards = np.zeros((setting.S, setting.A, setting.U))
    successors = np.zeros((setting.S, setting.A, setting.S))
    for asked in kept:
        rewards[asked.s, asked.a, setting.u.index(asked.reward)] += 1
        successors[asked.s, asked.a, asked.successor] += 1
    if np.min(successors.sum(axis=-1)) == 0:
        return None
    return empirical_observation(rewards, successors).o


def batches(samples: Sequence[Asked], setting: Setting) -> Floats | None:
    """The last n_post samples of every pair in three equal parts, in order of arrival (D64)."""
    share = setting.n_post // VIEWS
    kept = _last(samples, setting, VIEWS * share)
    parts = []
    for part in range(VIEWS):
        seen: dict[tuple[int, int], int] = {}
        chosen = []
        for asked in kept:
            place = seen.get((asked.s, asked.a), 0)
            seen[asked.s, asked.a] = place + 1
            if place // max(share, 1) == part:
                chosen.append(asked)
        parts.append(observation(chosen, setting, None))
    found = [part for part in parts if part is not None]
    return np.stack(found) if len(found) == VIEWS else None


def _last(samples: Sequence[Asked], setting: Setting, last: int) -> list[Asked]:
    left = {(s, a): last for s in range(setting.S) for a in range(setting.A)}
    kept = []
    for asked in reversed(samples):
        if left[asked.s, asked.a] > 0:
            left[asked.s, asked.a] -= 1
            kept.append(asked)
    return kept[::-1]
