"""The functions of the front door: the code of `reference`, behind a look at its arguments.

An argument of the wrong type, shape or range is an `InputError` before anything is computed. A list
of tasks stands for the models made of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ptum.reference.errors import (
    InputError,
    require,
    require_choice,
    require_seed,
    require_sequence,
)
from ptum.reference.repaired.sequential import algorithm as repaired_sequential
from ptum.reference.repaired.transfer import assumptions as repaired_assumptions
from ptum.reference.repaired.transfer import ptum as repaired_ptum
from ptum.reference.repaired.transfer import repairs
from ptum.reference.repaired.transfer.repairs import PRINTED_SHIFT, TransferConstants
from ptum.reference.sequential import algorithm
from ptum.reference.sequential.algorithm import ErrorBounds, TaskRecord
from ptum.reference.sequential.prediction import PredictionRule
from ptum.reference.sequential.state import State
from ptum.reference.tasks import models
from ptum.reference.tasks.generative import GenerativeModel, kind, require_target
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer import assumptions, ptum
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.fallback import PacAlgorithm
from ptum.reference.transfer.ptum import PtumResult
from ptum.reference.transfer.transcript import Observer

if TYPE_CHECKING:
    from ptum.checks.judge.results.checked import CheckResult
    from ptum.ready import Readiness
    from ptum.watch import Watch

Models = ApproximateModels | Sequence[MDP]

ENGINES = ("fast", "literal")

MANY_STATES = 64
"""From here on sparse factors solve a grid three times as fast, and dense tasks no slower."""


class Version(StrEnum):
    """As the paper prints it, or repaired where that is wrong."""

    PRINTED = "printed"
    REPAIRED = "repaired"


def approximate_models(tasks: Models, *, engine: str = "fast") -> ApproximateModels:
    """The models M̃_θ, solved once: optimal policies, their values and standard deviations.

    `tasks` is a list of `ptum.MDP`, all with the same states, actions and discount factor. Whoever
    transfers to many targets builds them once; `transfer` takes a list of tasks as well. With 64
    states or more the fast code solves them: the same policies, and values within (S+2)/2 roundings
    of the largest one, as accurate as those of `engine="literal"` but not equal to the last bit.
    """
    return _models(tasks, "tasks", engine)


def model_errors(
    true: Sequence[MDP], approximate: Models, *, version: str = "repaired"
) -> ModelErrors:
    """How far approximate models are from the true ones: the constants of Assumption 1, and Δ.

    Both are lists of tasks in the same order. The result has `r`, `p`, `sigma_r`, `sigma_p` and
    their maximum `Delta`; give it to `transfer(..., Delta=errors)`. The repaired assumption also
    covers the values of transferred policies, which the promise of PTUM needs (erratum E02), and
    compares standard deviations of one and the same value function (E05); `version="printed"` does
    neither.
    """
    measured = {
        Version.PRINTED: assumptions.model_errors,
        Version.REPAIRED: repaired_assumptions.model_errors,
    }[_version(version)]
    return measured(_tasks(true, "true"), _models(approximate, "approximate"))


def can_transfer(
    models: Models,
    *,
    epsilon: float,
    true: Sequence[MDP] | None = None,
    Delta: float | ModelErrors | None = None,
    version: str = "repaired",
) -> Readiness:
    """Whether the models are accurate enough for PTUM to start, with the numbers.

    Either `true` has the tasks that the models approximate, in the same order, and the errors are
    measured; or `Delta` states them, as in `transfer`. The answer is true or false, and printed it
    says how large Δ is, where it comes from, and what line 2 of Algorithm 1 asks for.
    """
    from ptum.ready import largest_error, readiness

    known, chosen = _models(models, "models"), _version(version)
    if true is not None and Delta is None:
        errors = model_errors(true, known, version=version)
        largest = largest_error(_tasks(true, "true"), known, chosen)
        return readiness(errors, largest, epsilon, known.gamma, chosen)
    if Delta is None or true is not None:
        raise InputError("true, Delta", "give one of them: tasks to compare with, or a bound")
    errors = Delta if isinstance(Delta, ModelErrors) else single(Delta)
    return readiness(errors, None, epsilon, known.gamma, chosen)


def transfer(
    models: Models,
    generative_model: GenerativeModel,
    *,
    epsilon: float,
    delta: float,
    n: int,
    Delta: float | ModelErrors,
    version: str = "repaired",
    fallback: PacAlgorithm | None = None,
    observer: Observer | None = None,
    engine: str = "fast",
) -> PtumResult:
    """PTUM, Algorithm 1: find an ε-optimal policy of an unknown target with few queries.

    models            tasks of which one approximates the target: a list of `ptum.MDP`, or what
                      `ptum.approximate_models` made of it
    generative_model  the target: anything with `sample(s, a)` that returns a reward in [0, 1] and
                      a next state, such as `ptum.Simulator(task, seed=0)`; it may also have
                      `sample_many(s, a, m)`: all rewards and all next states of m such calls
    epsilon, delta    the policy loses more than epsilon with probability delta at most
    n                 the largest number of queries of PTUM itself; a fallback takes its own
    Delta             how far the models may be from the truth: 0.0 if they are exact, one bound,
                      or the four of `ptum.model_errors`
    version           "repaired" has a proof behind it, "printed" is the paper's own
    fallback          what to run where the models are too inaccurate or n is too small, for
                      example `ptum.UniformSampling()`; without one there is no policy then,
                      and repaired PTUM itself has all of delta in place of half of it (D25)
    observer          called with every event of the run
    engine            "fast", or "literal" for the code that is read beside the paper: the same
                      queries in the same order, the same events and the same result, if models
                      that are given as tasks have fewer than 64 states (`ptum.approximate_models`)

    The result says how the run ended (`end`: stopped, models-too-inaccurate, budget-exhausted,
    active-set-empty or index-zero), with which `policy` (one action for each state, or None), after
    how many `queries` (those of the fallback are in `fallback.queries`), and which models were
    eliminated when (`eliminations`); `explain()` says it in words.
    """
    chosen = _version(version)
    known = _models(models, "models", engine)
    require_target(generative_model, known.S, known.A)
    _require_callable(fallback, "fallback", "an algorithm such as ptum.UniformSampling()", 6)
    _require_callable(observer, "observer", "a function that is called with every event", 1)
    return _run(chosen, fast=engine == "fast")(
        known,
        generative_model,
        epsilon=epsilon,
        delta=delta,
        n=n,
        Delta=Delta,
        fallback=fallback,
        observer=observer,
    )


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
    version: str = "repaired",
    rule: PredictionRule | None = None,
    watch: Watch | None = None,
    **options: Any,
) -> Iterator[TaskRecord]:
    """Algorithm 2: solve a sequence of tasks, learn their models on the way, transfer between them.

    stream        the tasks as they arrive, each a generative model (see `transfer`)
    k, S, A, u    number of tasks, states, actions; the values that rewards can have
    gamma, epsilon, delta, n   as in `transfer`, for every task
    delta_prime   probability that the errors of estimated models are ever larger than stated
    rhos          the constants of those errors, which nobody knows: a matter of choice.
                  `ptum.reference.sequential.algorithm.Rhos` or one number as printed,
                  `ptum.reference.repaired.sequential.algorithm.Constants` repaired; both fit both
                  versions
    fallback      what solves a task before the models are good enough, `ptum.UniformSampling()`;
                  with None such a task gets no policy
    rule          which tasks may come next; without one every task starts with all models.
                  `Theorem3` as printed (`ptum.reference.sequential.prediction`), `Experiment` as
                  run by the authors (`ptum.reference.experiments.prediction`), `PerStep` repaired
                  (`ptum.reference.repaired.sequential.prediction`, with `Constants`)
    watch         `ptum.Watch()` tells on standard error how far a long run is
    options       `n_post`, samples of every pair after each task, a multiple of 3 where the learner
                  has three views of a task, as in the repaired version; `L` and `N`, restarts and
                  steps of the tensor power method; `seed`; `learner`; `stream_name` and `resume`,
                  to go on with an earlier run; `repair`, constants of the repaired version

    Yields one record per task: how PTUM ended (`result`, as of `transfer`), all `samples` of the
    task, the `errors` with which it began, why nothing was learned (`no_estimate`, None if it was),
    and what the next task begins with (`next_errors`, `next_initial`).
    """
    _require_callable(fallback, "fallback", "an algorithm such as ptum.UniformSampling()", 6)
    given: object = stream
    array = isinstance(given, np.ndarray) and given.ndim == 0
    if array or isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise InputError("stream", "must yield generative models", value=kind(stream))
    from ptum.watch import Watch

    good = watch is None or isinstance(watch, Watch)
    require(good, "watch", "must be None or ptum.Watch()", value=kind(watch))
    run = _SEQUENTIAL[_version(version)]
    known = list(inspect.signature(run).parameters)
    for name in options:
        require(name in known, name, f"is no option of this version: {', '.join(known)}")
    repair = options.get("repair", PRINTED_SHIFT)
    problem = f"must be TransferConstants, such as {repairs.__name__}.CHEAPEST"
    require(isinstance(repair, TransferConstants), "repair", problem, value=kind(repair))
    resume = options.get("resume")
    first = resume.h + 1 if isinstance(resume, State) else 1
    records = run(
        stream if watch is None else watch.tasks(stream, S, A, first),
        k=k,
        S=S,
        A=A,
        u=u,
        gamma=gamma,
        epsilon=epsilon,
        delta=delta,
        n=n,
        delta_prime=delta_prime,
        rhos=rhos,
        fallback=fallback,
        rule=rule,
        **options,
    )
    return records if watch is None else watch.records(records)


def check(
    subject: object,
    *,
    capabilities: Sequence[str] = (),
    cases: Sequence[str] = (),
    seed: int = 0,
    expect: str | None = None,
) -> CheckResult:
    """Does your implementation do what the paper says? Ask it, and name the line that it breaks.

    subject       any object with some of the methods that docs/protocol.md lists, such as
                  `widths`, `optimal` or `ptum`: plain arrays and numbers in and out
    capabilities  which of them to ask for; all that the object has if left out
    cases         single cases by id, such as "widths/ordinary"
    seed          of the drawn cases
    expect        a TOML file of known deviations with reasons (`ptum schema expect`)

        result = ptum.check(MyPtum())
        assert result.ok, result

    The result is true if everything conforms, or if exactly the known deviations occur; printed, it
    names what does not. Where the paper leaves a choice open every admissible one conforms, and
    `result.judgements` say which was seen. The object runs in this process and may hang; `ptum
    validate module:object` judges it in a process of its own, within limits of time and memory.
    """
    from ptum.checks.judge.results.checked import check as judged

    names = _names(capabilities, "capabilities"), _names(cases, "cases")
    good = expect is None or isinstance(expect, str | Path)
    require(good, "expect", "must be None or the path of a file", value=expect)
    return judged(subject, *names, require_seed(seed), expect)


_SEQUENTIAL: Mapping[Version, Callable[..., Iterator[TaskRecord]]] = {
    Version.PRINTED: algorithm.sequential_transfer,
    Version.REPAIRED: repaired_sequential.sequential_transfer,
}


def _run(version: Version, *, fast: bool) -> Callable[..., PtumResult]:
    """Algorithm 1; the fast code is imported when it is used: the literal needs no `checks`."""
    if not fast:
        return ptum.ptum if version is Version.PRINTED else repaired_ptum.ptum
    from ptum.checks.engine import asked

    if version is Version.PRINTED:
        return partial(ptum.ptum, lines_3_21=asked.transfer_mode)
    return partial(repaired_ptum.ptum, lines_3_21=asked.repaired_transfer_mode)


def _version(word: str) -> Version:
    return require_choice(word, tuple(Version), "version")


def _names(given: object, argument: str) -> tuple[str, ...]:
    for name in (names := require_sequence(given, argument, "names")):
        require(isinstance(name, str), argument, "must be a list of names", value=repr(name))
    return names


def _tasks(given: object, argument: str) -> tuple[MDP, ...]:
    """A list of tasks; a single one, or something else in the list, is refused."""
    tasks = require_sequence(given, argument, "ptum.MDP")
    for position, task in enumerate(tasks):
        if not isinstance(task, MDP):
            problem = "must be a ptum.MDP, made by ptum.MDP(p, q, u, gamma) or ptum.*_rewards"
            raise InputError(argument, problem, index=(position,), value=type(task).__name__)
    return tasks


def _models(given: Models, argument: str, engine: str = "literal") -> ApproximateModels:
    require_choice(engine, ENGINES, "engine")
    if isinstance(given, ApproximateModels):
        return given
    tasks = _tasks(given, argument)
    if engine == "literal" or not tasks or tasks[0].S < MANY_STATES:
        return models.approximate_models(tasks)
    from ptum.checks.engine import models as fast

    return fast.approximate_models(tasks)


def _require_callable(given: object, argument: str, what: str, positions: int) -> None:
    """None, or something that takes so many arguments; a class is not yet what it makes."""
    if given is not None and (isinstance(given, type) or not _takes(given, positions)):
        raise InputError(argument, f"must be None or {what}", value=kind(given))


def _takes(given: object, positions: int) -> bool:
    if not callable(given):
        return False
    try:
        inspect.signature(given).bind(*range(positions))
    except TypeError:
        return False
    except ValueError:  # it does not say what it takes
        return True
    return True
