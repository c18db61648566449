"""Algorithm 2: the numbers that a run is started with, its state, and the record of a task.

Two runs with the same options, as text, differ in their tasks only. A run may go on from the state
of an earlier one with the same options: `ptum.reference.sequential.checkpoint` keeps it in a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from numbers import Integral, Real

import numpy.typing as npt

from ptum.reference.arrays import Floats, ShortRepr, frozen
from ptum.reference.errors import (
    LEAST_CONFIDENCE,
    InputError,
    double,
    require,
    require_accuracy,
    require_budget,
    require_confidence,
    require_count,
    require_discount,
    require_seed,
    require_table,
    settle,
    shown,
)
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.observations import dimension, largest_number_of_tasks
from ptum.reference.sequential.spectral import NotEnoughData, NotIdentifiable
from ptum.reference.tasks.values import require_resolved
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.ptum import PtumResult


@dataclass(frozen=True)
class Setting:
    """The numbers that every version of Algorithm 2 is started with."""

    k: int
    S: int
    A: int
    u: tuple[float, ...]
    gamma: float
    epsilon: float
    delta: float
    n: int
    delta_prime: float
    n_post: int
    L: int
    N: int
    seed: int

    def __post_init__(self) -> None:
        settle(self, u=_reward_values(self.u))
        for name in ("k", "S", "A", "L", "N"):
            settle(self, **{name: require_count(getattr(self, name), name)})
        require_table("S", self.S, self.A, self.S + self.U)
        require_table("k", self.k, self.S, self.A, self.S + self.U)
        require_table("L", self.L, self.k**2)
        settle(
            self,
            gamma=require_discount(self.gamma),
            epsilon=require_accuracy(self.epsilon),
            delta=require_confidence(self.delta, least=LEAST_CONFIDENCE),
            n=require_budget(self.n),
            delta_prime=require_confidence(self.delta_prime, "delta_prime", LEAST_CONFIDENCE),
            n_post=require_count(self.n_post, "n_post", least=0),
            seed=require_seed(self.seed),
        )
        require_resolved(self.epsilon, self.S, self.gamma)
        most = largest_number_of_tasks(self.S, self.A, self.U)  # D107
        problem = f"at most SA(S+U-2)+1 = {most} tasks have independent observations"
        require(self.k <= most, "k", problem, value=self.k)

    @property
    def U(self) -> int:
        """Number of reward values."""
        return len(self.u)

    @property
    def d(self) -> int:
        """SA(S+U)."""
        return dimension(self.S, self.A, self.U)

    def level(self, h: int) -> Level:
        """What bounds after h tasks are taken at."""
        return Level(S=self.S, A=self.A, U=self.U, h=h, delta_prime=self.delta_prime)

    @property
    def labels(self) -> tuple[int, ...]:
        """Θ."""
        return tuple(range(self.k))


@dataclass(frozen=True, eq=False)
class Estimate:
    """The latest usable outcome of Algorithm 3.

    The columns of `O` are distributions (D92). `T` is the latest T̂, from `T_h` tasks; None as
    long as there was none.
    """

    O: Floats  # noqa: E741 - the paper's letter
    T: Floats | None
    T_h: int


@dataclass(frozen=True, eq=False)
class State:
    """All that the tasks after task h depend on; `options` describes the run it belongs to."""

    h: int
    observations: tuple[Floats, ...]
    estimate: Estimate | None
    errors: ModelErrors
    initial: tuple[int, ...]
    options: Mapping[str, str]


@dataclass(frozen=True, eq=False, repr=False)
class TaskRecord(ShortRepr):
    """What happened at task h.

    Labels in `result` are labels of Θ, not positions in Θ̃_h. `samples` counts every query of the
    task: PTUM's, the fallback's and the post-samples. `no_estimate` says why Algorithm 3 gave
    nothing, and is None if it gave an estimate; then `moved` is the largest Euclidean distance by
    which a column of Ô_h missed being a model. What the learner called labels[i] is called i;
    () without an estimate. `after` is the state from which the run goes on.
    """

    h: int
    initial: tuple[int, ...]
    errors: ModelErrors
    result: PtumResult
    samples: int
    observation: Floats
    theta_bar: tuple[int, ...]
    no_estimate: NotIdentifiable | NotEnoughData | None
    moved: float | None
    labels: tuple[int, ...]
    after: State

    def __repr__(self) -> str:
        """One line for a task: how it ended, what it cost, and the accuracy before and after."""
        Deltas = f"Δ = {self.errors.Delta:.3g}, then {self.next_errors.Delta:.3g}"
        return f"TaskRecord({self.h}: {self.result!r}, {self.samples} samples, {Deltas})"

    def explain(self) -> str:
        """How the task was solved, and whether anything was learned from it."""
        head = f"task {self.h}, {self.samples} samples, Δ = {self.errors.Delta:.3g}"
        return f"{head}\n{self.result.explain()}\n  {self.learned}"

    @property
    def learned(self) -> str:
        """What the next task has of it, in words."""
        if self.no_estimate is not None:
            return f"nothing learned: {self.no_estimate}"
        return f"models learned, Δ = {self.next_errors.Delta:.3g} for the next task"

    @property
    def next_errors(self) -> ModelErrors:
        """Δ_{h+1}."""
        return self.after.errors

    @property
    def next_initial(self) -> tuple[int, ...]:
        """Θ̃_{h+1}."""
        return self.after.initial


def first_state(setting: Setting, options: Mapping[str, str]) -> State:
    """Before task 1: Δ_1 is infinite, and every model is in the initial set."""
    return State(0, (), None, single(float("inf")), setting.labels, options)


def described(setting: Setting, **others: object) -> dict[str, str]:
    """Every option of a run as text; two runs with the same texts differ in their tasks only."""
    named = others.get("stream_name", "")
    require(isinstance(named, str), "stream_name", "must be a text", value=type(named).__name__)
    numbers = {field.name: getattr(setting, field.name) for field in fields(setting)}
    given = {**numbers, **others}
    return {name: as_text(value) for name, value in given.items()}


def require_same_options(saved: Mapping[str, str], given: Mapping[str, str]) -> None:
    """Refuse to go on with the state of a run that was started differently."""
    different = [
        f"{name} was {saved.get(name, 'not set')} and is now {given.get(name, 'not set')}"
        for name in sorted({*saved, *given})
        if saved.get(name) != given.get(name)
    ]
    require(not different, "resume", "is the state of another run: " + "; ".join(different))


def as_values(u: npt.ArrayLike) -> tuple[float, ...]:
    """The reward values 𝒰 as plain numbers, in the order given."""
    return tuple(frozen(u, "u", 1).tolist())


def as_text(value: object) -> str:
    """One text for one value, however it was written: 1 and 1.0 are the same number."""
    if value is None or isinstance(value, str | bool):
        return repr(value)
    if isinstance(value, Integral):
        return shown(int(value))
    if isinstance(value, Real):
        return repr(double(value)).removesuffix(".0")
    if isinstance(value, tuple):
        return "(" + ", ".join(map(as_text, value)) + ")"
    if is_dataclass(value) and not isinstance(value, type):
        shows = [
            field.name for field in fields(value) if field.repr
        ]  # what decides nothing is left out
        inside = (f"{name}={as_text(getattr(value, name))}" for name in shows)
        return f"{type(value).__qualname__}({', '.join(inside)})"
    named = value if hasattr(value, "__qualname__") else type(value)
    return f"{_home(named.__module__)}.{named.__qualname__}"


ROOMS = ("tasks", "transfer", "sequential", "analysis")


def _home(module: str) -> str:
    """`ptum.reference.sequential.spectral` is `reference.spectral`, as states of 0.1.0 have it."""
    *folders, name = module.removeprefix("ptum.").split(".")
    return ".".join([folder for folder in folders if folder not in ROOMS] + [name])


def _reward_values(given: tuple[float, ...]) -> tuple[float, ...]:
    u = as_values(given)
    require(len(u) >= 1, "u", "at least one reward value is needed")
    for j, value in enumerate(u):
        if not 0 <= value <= 1:
            raise InputError("u", "a reward must lie in [0, 1]", index=(j,), value=value)
    require(len(set(u)) == len(u), "u", "lists a reward value twice", value=u)
    return u
