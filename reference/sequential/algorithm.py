"""Algorithm 2: sequential transfer, its ten lines in order.

| symbol          | code                | meaning                                               |
| --------------- | ------------------- | ----------------------------------------------------- |
| h               | `record.h`          | number of the task, from 1 on                         |
| θ*_h            | `generative_model`  | the task, which can be queried and has no visible name |
| Θ̃_h             | `record.initial`    | labels that PTUM starts with                          |
| Δ_h             | `record.errors`     | error bound of the models that task h starts with (D41) |
| Θ̄_h             | `record.theta_bar`  | labels that task h may have, when it is over          |
| o_h             | `record.observation`| [vec(q̂_h); vec(p̂_h)]                                  |
| Ô_h, T̂_h        | `estimate.O`, `estimate.T` | what Algorithm 3 makes of o_1, …, o_h          |
| Δ_{h+1}, Θ̃_{h+1} | `record.next_errors`, `record.next_initial` | what the next task starts with |

As printed: all samples of a task make its observation (D46), labels are those of the latest
estimate, and PTUM's own final set is what the prediction builds on (D44). A comment `line n`
stands where that line of the algorithm is carried out. Labels run from 0 to k-1.

Three pieces of a run may be exchanged: the learner of line 6, the error bounds of line 8 and the
rule of line 9. Each exists as printed, repaired, or as run (`ptum.reference.experiments`), and
those of one version fit the other, unless they need what the other does not have:

| piece                              | fits                                                      |
| ---------------------------------- | --------------------------------------------------------- |
| learner with one view of a task    | both                                                      |
| learner with three views           | repaired, where a task has post-samples of its own        |
| error bounds: a number, `Rhos`, `Constants` | both                                             |
| rule with a constant of its own    | both                                                      |
| rule that needs e^T_h (`PerStep`)  | repaired, with bounds on T̂_h (`Constants`)                |

What does not fit is refused before the first task. What is promised of a version is promised of its
own pieces only.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from numbers import Integral, Real
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import Floats, frozen, sealed
from ptum.reference.errors import (
    InputError,
    is_integer,
    is_number,
    require,
    require_accuracy,
    require_budget,
    require_confidence,
    require_count,
    require_discount,
)
from ptum.reference.sequential.analysis.sequential_bounds import (
    require_theorem_3_level,
    theorem_2_bound,
    theorem_2_condition,
)
from ptum.reference.sequential.analysis.spectral_bounds import require_constant, require_positive
from ptum.reference.sequential.hmm import (
    counts,
    dimension,
    empirical_observation,
    largest_number_of_tasks,
    models_from_columns,
    require_tensor,
)
from ptum.reference.sequential.prediction import PredictionRule, Theorem3
from ptum.reference.sequential.projection import project_observation
from ptum.reference.sequential.spectral import (
    HmmEstimate,
    NotEnoughData,
    NotIdentifiable,
    learn_hmm,
)
from ptum.reference.tasks.generative import GenerativeModel, ask
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import require_resolved
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.empirical import Data, empty_data
from ptum.reference.transfer.fallback import PacAlgorithm
from ptum.reference.transfer.ptum import End, PtumResult, ptum
from ptum.reference.transfer.transcript import Elimination


@dataclass(frozen=True)
class Rhos:
    """The constants of Theorem 2: ρ_r, ρ_p, ρ_{σ_r}, ρ_{σ_p}, and ρ of its condition on h.

    They depend on the unknown tasks, so they are parameters; with ρ = 0 every h is admitted.
    """

    r: float
    p: float
    sigma_r: float
    sigma_p: float
    condition: float = 0.0

    def __post_init__(self) -> None:
        for name in ("r", "p", "sigma_r", "sigma_p"):
            require_positive(getattr(self, name), f"rho_{name}")
        require_constant(self.condition, "rho")

    def model_errors(self, h: int, setting: Setting, /) -> ModelErrors:
        """Δ_{h+1} by Theorem 2."""
        return theorem_2_errors(self, h, setting)


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
        object.__setattr__(self, "u", _reward_values(self.u))
        for name in ("k", "S", "A", "L", "N"):
            require_count(getattr(self, name), name)
        require_discount(self.gamma)
        require_accuracy(self.epsilon)
        require_resolved(self.epsilon, self.S, self.gamma)
        require_confidence(self.delta)
        require_budget(self.n)
        require_confidence(self.delta_prime, "delta_prime")
        for name in ("n_post", "seed"):
            good = is_integer(getattr(self, name)) and getattr(self, name) >= 0
            require(good, name, "must be an integer of at least 0", value=getattr(self, name))
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


@dataclass(frozen=True, eq=False)
class TaskRecord:
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

    @property
    def next_errors(self) -> ModelErrors:
        """Δ_{h+1}."""
        return self.after.errors

    @property
    def next_initial(self) -> tuple[int, ...]:
        """Θ̃_{h+1}."""
        return self.after.initial


class Learner(Protocol):
    """Algorithm 3 or what takes its place.

    Its observations have shape (h, d), one row for every task. A learner with an attribute `views`
    that is not 1 has so many independent observations of every task: shape (views, h, d).
    """

    def __call__(
        self, observations: Floats, k: int, L: int, N: int, rng: np.random.Generator, /
    ) -> HmmEstimate | NotIdentifiable | NotEnoughData:
        """Ô and T̂, or why there is none."""


@runtime_checkable
class ErrorBounds(Protocol):
    """Constants and the bounds that they belong to, for line 8."""

    def model_errors(self, h: int, setting: Setting, /) -> ModelErrors:
        """Δ_{h+1} (D41) of models from h tasks; infinite while h is too small for the bounds."""


@runtime_checkable
class TransitionBounds(ErrorBounds, Protocol):
    """Error bounds that speak of T̂_h too, for line 9."""

    def transition_error(self, h: int, setting: Setting, /) -> float:
        """e^T_h; infinite while h is too small for the bound."""


class Algorithm1(Protocol):
    """PTUM, printed or repaired."""

    def __call__(
        self,
        models: ApproximateModels,
        generative_model: GenerativeModel,
        *,
        epsilon: float,
        delta: float,
        n: int,
        Delta: float | ModelErrors,
        fallback: PacAlgorithm | None,
    ) -> PtumResult:
        """Solve one task."""


class Recorder:
    """A generative model that remembers every answer."""

    def __init__(self, model: GenerativeModel, S: int, A: int) -> None:
        self.data: Data = empty_data(S, A)
        self._model = model
        self._S = S

    @property
    def samples(self) -> int:
        """How many queries were answered."""
        return sum(len(pair) for row in self.data.rewards for pair in row)

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """Pass the query on and keep the answer."""
        reward, successor = ask(self._model, s, a, self._S)
        self.data.store(s, a, reward, successor)
        return reward, successor


def sequential_transfer(
    stream: Iterable[GenerativeModel],
    *,
    k: int,
    S: int,
    A: int,
    u: npt.ArrayLike,
    gamma: float,
    epsilon: float,
    delta: float,
    n: int,
    delta_prime: float,
    rhos: float | ErrorBounds,
    fallback: PacAlgorithm | None,
    rule: PredictionRule | None = None,
    n_post: int = 1,
    L: int = 100,
    N: int = 100,
    seed: int = 0,
    learner: Learner = learn_hmm,
    stream_name: str = "",
    resume: State | None = None,
) -> Iterator[TaskRecord]:
    """Algorithm 2 as printed, for a stream of tasks that somebody else provides.

    `rhos` is one constant for all four bounds of Theorem 2, each of them (`Rhos`, D58), or other
    error bounds. Without a `rule` this is the static variant: T̂ is not looked at and every task
    starts with all models. `n_post` samples of every pair are added to those of PTUM and of the
    fallback (D94). With `resume`, the state after task h of a run with the same options, the stream
    goes on with task h+1; `stream_name` is compared too, and may be a fingerprint of whatever makes
    the stream.
    """
    setting = Setting(
        k, S, A, as_values(u), gamma, epsilon, delta, n, delta_prime, n_post, L, N, seed
    )
    bounds = as_bounds(rhos)
    require_learner(learner, setting, views=(1,))
    require_rule(rule, setting, e_T=False)
    options = described(
        setting,
        version="printed",
        rhos=bounds,
        rule=rule,
        fallback=fallback,
        learner=learner,
        stream_name=stream_name,
    )
    state = starting_state(setting, options, resume)
    return _run(stream, setting, bounds, fallback, rule, learner, state)


def _run(
    stream: Iterable[GenerativeModel],
    setting: Setting,
    bounds: ErrorBounds,
    fallback: PacAlgorithm | None,
    rule: PredictionRule | None,
    learner: Learner,
    state: State,
) -> Iterator[TaskRecord]:
    k, L, N = setting.k, setting.L, setting.N
    for generative_model in stream:  # lines 2-3
        h = state.h + 1
        task = Recorder(generative_model, setting.S, setting.A)
        models = current_models(state.estimate, setting)
        result = solve(ptum, models, state.initial, task, setting, state.errors, fallback)  # line 4
        o_h = all_samples_observation(task, setting)  # line 5
        observations = (*state.observations, o_h)
        learned = learner(np.stack(observations), k, L, N, restarts(setting.seed, h))  # line 6
        estimate, moved = updated(state.estimate, learned, h, setting)  # line 7
        errors = state.errors if moved is None else bounds.model_errors(h, setting)  # line 8
        theta_bar = ptum_set(result, setting.labels)
        initial = predicted(rule, estimate, theta_bar, bounds, setting)  # line 9
        record = TaskRecord(
            h=h,
            initial=state.initial,
            errors=state.errors,
            result=result,
            samples=task.samples,
            observation=o_h,
            theta_bar=theta_bar,
            no_estimate=None if isinstance(learned, HmmEstimate) else learned,
            moved=moved,
            labels=() if moved is None else setting.labels,
            after=State(h, observations, estimate, errors, initial, state.options),
        )
        yield record
        state = record.after


def as_bounds(rhos: float | ErrorBounds) -> ErrorBounds:
    """A number stands for all four constants of Theorem 2 (D58); what is no bound is refused."""
    problem = (
        "must be a number, ptum.reference.sequential.algorithm.Rhos(…) or "
        "ptum.reference.repaired.sequential.algorithm.Constants(…)"
    )
    if isinstance(rhos, ErrorBounds):
        require(not isinstance(rhos, type), "rhos", problem, value=_text(rhos))
        return rhos
    require(is_number(rhos), "rhos", problem, value=_text(rhos))
    return Rhos(rhos, rhos, rhos, rhos)


def require_learner(learner: Learner, setting: Setting, *, views: tuple[int, ...]) -> int:
    """Refuse a learner that cannot take part in a run; how many views of a task it takes."""
    problem = (
        "must be called as learner(observations, k, L, N, rng), as "
        "ptum.reference.sequential.spectral.learn_hmm is"
    )
    require(_takes(learner, 5), "learner", problem, value=_text(learner))
    wanted = views_of(learner)
    problem = (
        f"must take {' or '.join(map(str, views))} views of a task and takes {wanted}; only the "
        "repaired algorithm has three (ptum.reference.repaired.sequential.algorithm)"
    )
    require(wanted in views, "learner", problem, value=_text(learner))
    if learner is learn_hmm:
        require_tensor(setting.d)
    return wanted


def views_of(learner: Learner) -> int:
    """How many observations of every task a learner is handed."""
    views: int = getattr(learner, "views", 1)
    return views


RULE_NUMBERS = ("h", "d", "delta", "delta_prime", "e_T")
"""What line 9 tells every rule beside T̂_h and Θ̄_h."""


def require_rule(rule: PredictionRule | None, setting: Setting, *, e_T: bool) -> None:
    """Refuse a rule that cannot take part in a run; `e_T` says whether the run has a bound e^T_h.

    As printed it has none: T̂_h is handed on as it was estimated (D54), and Theorem 2 does not
    bound its errors.
    """
    if rule is None:
        return
    problem = (
        f"must be called as rule(T_hat, theta_bar, {', '.join(f'{n}=…' for n in RULE_NUMBERS)}), "
        "as ptum.reference.sequential.prediction.Theorem3(m, rho_T) is"
    )
    require(_takes(rule, 2, RULE_NUMBERS), "rule", problem, value=_text(rule))
    problem = (
        "needs e^T_h, a bound on the errors of a projected T̂_h: only the repaired algorithm has "
        "it, with rhos=ptum.reference.repaired.sequential.algorithm.Constants. Without it take "
        "ptum.reference.sequential.prediction.Theorem3 or "
        "ptum.reference.experiments.prediction.Experiment"
    )
    require(
        e_T or "e_T" not in inspect.signature(rule).parameters, "rule", problem, value=_text(rule)
    )
    if isinstance(rule, Theorem3):
        require_theorem_3_level(m=rule.m, delta=setting.delta, delta_prime=setting.delta_prime)


def _takes(piece: Callable[..., object], positions: int, names: Iterable[str] = ()) -> bool:
    """Whether a piece can be called with so many positional arguments and these keywords."""
    if isinstance(piece, type) or not callable(piece):
        return False
    try:
        inspect.signature(piece).bind(*range(positions), **dict.fromkeys(names))
    except (TypeError, ValueError):  # does not fit, or has no signature to look at
        return False
    return True


def starting_state(setting: Setting, options: Mapping[str, str], resume: State | None) -> State:
    """Line 1, or the state of an earlier run with the same options."""
    if resume is None:
        return State(0, (), None, single(float("inf")), setting.labels, options)  # line 1
    require_same_options(resume.options, options)
    return resume


def solve(
    algorithm: Algorithm1,
    models: Sequence[MDP],
    initial: tuple[int, ...],
    task: GenerativeModel,
    setting: Setting,
    errors: ModelErrors,
    fallback: PacAlgorithm | None,
) -> PtumResult:
    """Line 4: Algorithm 1 on the models of Θ̃_h alone (D60), its labels translated to those of Θ.

    While Δ_h is infinite its line 2 hands over to the fallback (D40).
    """
    chosen = approximate_models([models[theta] for theta in initial])
    result = algorithm(
        chosen,
        task,
        epsilon=setting.epsilon,
        delta=setting.delta,
        n=setting.n,
        Delta=errors,
        fallback=fallback,
    )
    return _with_labels(result, initial)


def all_samples_observation(task: Recorder, setting: Setting) -> Floats:
    """Line 5 as printed: every sample of the task, n_post more of each pair among them (D46, D94).

    PTUM's stopping depends on its samples, so q̂_h and p̂_h are biased (E41).
    """
    for s in range(setting.S):
        for a in range(setting.A):
            for _ in range(setting.n_post):
                task.sample(s, a)
    return empirical_observation(*counts(task.data, setting.u)).o


def restarts(seed: int, h: int) -> np.random.Generator:
    """The random numbers of Algorithm 3 at task h: they depend on the seed and on h alone (D98)."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(h,)))


def updated(
    before: Estimate | None,
    learned: HmmEstimate | NotIdentifiable | NotEnoughData,
    h: int,
    setting: Setting,
) -> tuple[Estimate | None, float | None]:
    """Line 7: the new estimate and how far its columns were from models.

    Without one, the old estimate stays, and the distance is None (D53).
    """
    if not isinstance(learned, HmmEstimate):
        return before, None
    columns, moved = projected(learned.O, setting)
    return Estimate(columns, learned.T, h), moved


def projected(columns: Floats, setting: Setting) -> tuple[Floats, float]:
    """Columns turned into models (D92), and the largest distance that one had to move."""
    S, A, U = setting.S, setting.A, setting.U
    near = np.stack([project_observation(column, S, A, U) for column in columns.T], axis=1)
    return sealed(near), float(np.max(np.linalg.norm(near - columns, axis=0)))


def current_models(estimate: Estimate | None, setting: Setting) -> tuple[MDP, ...]:
    """{M̃_θ}: the columns of the latest Ô, and before the first one k uniform models (D93)."""
    S, A, U, k = setting.S, setting.A, setting.U, setting.k
    if estimate is None:
        p, q = np.full((S, A, S), 1 / S), np.full((S, A, U), 1 / U)
        return (MDP(p=p, q=q, u=np.array(setting.u), gamma=setting.gamma),) * k
    return models_from_columns(estimate.O, S, A, setting.u, setting.gamma)


def theorem_2_errors(rhos: Rhos, h: int, setting: Setting) -> ModelErrors:
    """Line 8: Δ_{h+1} (D41), each constant times √(log(c_{h,δ'})/h), with the logarithm (D58).

    Infinite while h does not meet the condition of Theorem 2.
    """
    S, A, U, delta_prime = setting.S, setting.A, setting.U, setting.delta_prime
    if not theorem_2_condition(rho=rhos.condition, S=S, A=A, U=U, h=h, delta_prime=delta_prime):
        return single(float("inf"))
    rate = theorem_2_bound(rho_any=1.0, S=S, A=A, U=U, h=h, delta_prime=delta_prime)
    return ModelErrors(
        r=rhos.r * rate,
        p=rhos.p * rate,
        sigma_r=rhos.sigma_r * rate,
        sigma_p=rhos.sigma_p * rate,
    )


def ptum_set(result: PtumResult, labels: tuple[int, ...]) -> tuple[int, ...]:
    """Θ̄_h as printed: PTUM's final set; all labels if it did not run or nothing is left (D44)."""
    ran = result.end is not End.MODELS_TOO_INACCURATE
    return result.active if ran and result.active else labels


def predicted(
    rule: PredictionRule | None,
    estimate: Estimate | None,
    theta_bar: tuple[int, ...],
    bounds: ErrorBounds,
    setting: Setting,
) -> tuple[int, ...]:
    """Line 9, before task h+1 (D43): all labels without a rule, or before the first T̂ (D96).

    h is that of the latest T̂, and e^T_h is infinite where nothing bounds its errors.
    """
    if rule is None or estimate is None or estimate.T is None:
        return setting.labels
    e_T = math.inf
    if isinstance(bounds, TransitionBounds):
        e_T = bounds.transition_error(estimate.T_h, setting)
    return rule(
        estimate.T,
        theta_bar,
        h=estimate.T_h,
        d=setting.d,
        delta=setting.delta,
        delta_prime=setting.delta_prime,
        e_T=e_T,
    )


def described(setting: Setting, **others: object) -> dict[str, str]:
    """Every option of a run as text; two runs with the same texts differ in their tasks only."""
    numbers = {field.name: getattr(setting, field.name) for field in fields(setting)}
    return {name: _text(value) for name, value in {**numbers, **others}.items()}


def require_same_options(saved: Mapping[str, str], given: Mapping[str, str]) -> None:
    """Refuse to go on with the state of a run that was started differently."""
    different = [
        f"{name} was {saved.get(name, 'not set')} and is now {given.get(name, 'not set')}"
        for name in sorted({*saved, *given})
        if saved.get(name) != given.get(name)
    ]
    require(not different, "resume", "is the state of another run: " + "; ".join(different))


def _with_labels(result: PtumResult, initial: tuple[int, ...]) -> PtumResult:
    """Positions in Θ̃_h replaced by the labels that stand there."""

    def label(position: int | None) -> int | None:
        return None if position is None else initial[position]

    return replace(
        result,
        theta=label(result.theta),
        active=tuple(initial[position] for position in result.active),
        eliminations=tuple(
            Elimination(
                t=fallen.t,
                theta=initial[fallen.theta],
                equation=fallen.equation,
                s=fallen.s,
                a=fallen.a,
                theta_prime=label(fallen.theta_prime),
            )
            for fallen in result.eliminations
        ),
    )


def _text(value: object) -> str:
    """One text for one value, however it was written: 1 and 1.0 are the same number."""
    if value is None or isinstance(value, str | bool):
        return repr(value)
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Real):
        return repr(float(value)).removesuffix(".0")
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_text, value)) + ")"
    if is_dataclass(value) and not isinstance(value, type):
        inside = (f"{field.name}={_text(getattr(value, field.name))}" for field in fields(value))
        return f"{type(value).__qualname__}({', '.join(inside)})"
    named = value if hasattr(value, "__qualname__") else type(value)
    return f"{_home(named.__module__)}.{named.__qualname__}"


ROOMS = ("tasks", "transfer", "sequential", "analysis")


def _home(module: str) -> str:
    """`ptum.reference.sequential.spectral` is `reference.spectral`, as states of 0.1.0 have it."""
    *folders, name = module.removeprefix("ptum.").split(".")
    return ".".join([folder for folder in folders if folder not in ROOMS] + [name])


def as_values(u: npt.ArrayLike) -> tuple[float, ...]:
    """The reward values 𝒰 as plain numbers, in the order given."""
    return tuple(frozen(u, "u", 1).tolist())


def _reward_values(u: tuple[float, ...]) -> tuple[float, ...]:
    require(len(u) >= 1, "u", "at least one reward value is needed")
    for j, value in enumerate(u):
        if not 0 <= value <= 1:
            raise InputError("u", "a reward must lie in [0, 1]", index=(j,), value=value)
    require(len(set(u)) == len(u), "u", "lists a reward value twice", value=u)
    return u
