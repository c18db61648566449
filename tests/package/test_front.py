"""The front door: what `import ptum` offers, and how it answers to wrong arguments."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

import ptum
from ptum.reference.arrays import ROUNDING
from ptum.reference.experiments.two_rooms import two_rooms
from ptum.reference.repaired.transfer.assumptions import model_errors as repaired_errors
from ptum.reference.repaired.transfer.ptum import ptum as repaired
from ptum.reference.sequential.algorithm import sequential_transfer as printed_sequence
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.assumptions import model_errors as printed_errors
from ptum.reference.transfer.ptum import PtumResult
from ptum.reference.transfer.ptum import ptum as printed

P = np.ones((1, 3, 1))
MEANS = ([0.5, 0.2, 0.2], [0.5, 0.9, 0.2], [0.5, 0.2, 0.9])
TASKS = [ptum.bernoulli_rewards(P, np.array([r]), gamma=0.5) for r in MEANS]
MODELS = ptum.approximate_models(TASKS)


def transferred(**changed: object) -> PtumResult:
    """A run of the example, some of its arguments changed."""
    arguments: dict[str, object] = {
        "models": TASKS,
        "generative_model": ptum.Simulator(TASKS[0], seed=1),
        "epsilon": 0.4,
        "delta": 0.1,
        "n": 10_000,
        "Delta": 0.0,
        **changed,
    }
    return ptum.transfer(**arguments)  # type: ignore[arg-type]  # wrong types are what is tried


# What there is


def test_every_public_name_is_there_and_teaches() -> None:
    assert len(ptum.__all__) == 17
    assert set(ptum.__all__) <= set(dir(ptum))
    for name in ptum.__all__:
        assert f"`{name}`" in (ptum.__doc__ or "")
        assert len(inspect.getdoc(getattr(ptum, name)) or "") > 20


def test_another_name_is_refused_with_those_that_exist() -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'tranfer'; it has .*'transfer'"):
        ptum.tranfer  # type: ignore[attr-defined]  # noqa: B018 - the access is what is tried


def test_importing_loads_nothing_that_help_does_not_need() -> None:
    asked = "import sys, ptum; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "ptum" in loaded
    assert loaded.isdisjoint({"numpy", "scipy", "sympy", "click", "hypothesis", "msgspec"})


# What it computes


@pytest.mark.parametrize(("version", "literal"), [("printed", printed), ("repaired", repaired)])
@pytest.mark.parametrize("Delta", [0.0, 0.02, 0.05])
@pytest.mark.parametrize("engine", [{}, {"engine": "fast"}, {"engine": "literal"}])
def test_transfer_is_the_literal_algorithm(
    version: str, literal: Callable[..., PtumResult], Delta: float, engine: dict[str, object]
) -> None:
    """At Δ = 0.02 and 0.05 the two versions part: line 2 asks for more in the repaired one."""
    ours = transferred(version=version, Delta=Delta, **engine)
    theirs = literal(
        approximate_models(TASKS),
        ptum.Simulator(TASKS[0], seed=1),
        epsilon=0.4,
        delta=0.1,
        n=10_000,
        Delta=Delta,
    )
    assert (ours.end, ours.queries, ours.eliminations) == (
        theirs.end,
        theirs.queries,
        theirs.eliminations,
    )
    assert np.array_equal(ours.N, theirs.N)


def test_the_fast_code_runs_unless_the_literal_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def found(*given: object, **named: object) -> PtumResult:
        raise NotImplementedError("the fast code")

    monkeypatch.setattr("ptum.checks.engine.asked.repaired_transfer_mode", found)
    assert transferred(engine="literal").queries == 151
    with pytest.raises(NotImplementedError):
        transferred()


def test_the_two_versions_are_told_apart() -> None:
    assert transferred(version="printed", Delta=0.02).end != transferred(Delta=0.02).end


def test_models_and_lists_of_tasks_are_the_same_to_it() -> None:
    assert transferred(models=MODELS).queries == transferred(models=tuple(TASKS)).queries
    assert ptum.approximate_models(MODELS) is MODELS


def test_errors_of_models_in_both_versions() -> None:
    """Two states, so that the values of a transferred policy are not those of an optimal one."""
    stay = np.array([[[0.9, 0.1], [0.1, 0.9]], [[0.2, 0.8], [0.8, 0.2]]])
    other = np.array([[[0.8, 0.2], [0.2, 0.8]], [[0.3, 0.7], [0.6, 0.4]]])
    r = np.array([[0.1, 0.8], [0.9, 0.3]])
    true = [ptum.bernoulli_rewards(stay, r, 0.9), ptum.bernoulli_rewards(other, 1 - r, 0.9)]
    near = [ptum.bernoulli_rewards(other, r, 0.9), ptum.bernoulli_rewards(stay, 1 - r, 0.9)]
    models = approximate_models(near)
    assert ptum.model_errors(true, near, version="printed") == printed_errors(true, models)
    assert ptum.model_errors(true, near) == repaired_errors(true, models)
    assert printed_errors(true, models) != repaired_errors(true, models)


SEQUENCE = {
    "k": 2,
    "S": 1,
    "A": 3,
    "u": [0.0, 1.0],
    "gamma": 0.5,
    "epsilon": 0.4,
    "delta": 0.1,
    "n": 1000,
    "delta_prime": 0.1,
    "rhos": 0.1,
}


def test_a_sequence_is_the_literal_one() -> None:
    def stream() -> list[ptum.GenerativeModel]:
        return [ptum.Simulator(TASKS[number % 2], seed=number) for number in range(3)]

    ours = ptum.sequential_transfer(stream(), version="printed", fallback=None, **SEQUENCE)  # type: ignore[arg-type]
    theirs = printed_sequence(stream(), fallback=None, **SEQUENCE)  # type: ignore[arg-type]
    pairs = list(zip(ours, theirs, strict=True))
    assert [(one.h, one.samples) for one, _ in pairs] == [(two.h, two.samples) for _, two in pairs]
    assert all(np.array_equal(one.observation, two.observation) for one, two in pairs)


# What it refuses


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"models": TASKS[0]}, r"models: must be a list of ptum.MDP \(found MDP\)"),
        ({"models": 3}, r"models: must be a list of ptum.MDP \(found int\)"),
        ({"models": []}, r"models: at least one model is needed"),
        ({"models": [TASKS[0], P]}, r"models\[1\]: must be a ptum.MDP.*\(found ndarray\)"),
        ({"models": "tasks"}, r"models: must be a list of ptum.MDP \(found str\)"),
        ({"generative_model": TASKS[0]}, r"the target is a task; to query it wrap it as ptum.Sim"),
        ({"generative_model": None}, r"the target must be .* sample\(s, a\) \(found NoneType\)"),
        ({"generative_model": ptum.Simulator}, r"\(found the class Simulator\)"),
        ({"epsilon": -1}, r"epsilon: .* \(found -1\)"),
        ({"epsilon": "0.4"}, r"epsilon: .* \(found '0.4'\)"),
        ({"delta": 0}, r"delta: .* must lie in \(0, 1\) \(found 0\)"),
        ({"n": 0.5}, r"n: must be an integer of at least 1 \(found 0.5\)"),
        ({"Delta": None}, r"Delta: .* \(found None\)"),
        ({"Delta": -0.1}, r"Delta: .* \(found -0.1\)"),
        ({"version": "fixed"}, r"version: must be one of printed, repaired \(found 'fixed'\)"),
        ({"version": None}, r"version: must be one of printed, repaired \(found None\)"),
        ({"engine": "slow"}, r"engine: must be one of fast, literal \(found 'slow'\)"),
        ({"fallback": ptum.UniformSampling}, r"fallback: .*UniformSampling\(\) \(found the class"),
        ({"fallback": 3}, r"fallback: must be None or .* \(found int\)"),
        ({"observer": []}, r"observer: must be None or .* \(found list\)"),
    ],
)
def test_wrong_arguments_of_transfer_are_named(changed: dict[str, object], said: str) -> None:
    with pytest.raises(ptum.InputError, match=said):
        transferred(**changed)


def test_a_task_in_a_stream_is_to_be_wrapped() -> None:
    stream = ptum.sequential_transfer(TASKS, version="printed", fallback=None, **SEQUENCE)  # type: ignore[arg-type]
    with pytest.raises(ptum.InputError, match=r"stream: .* ptum.Simulator\(task, seed=0\)"):
        next(stream)


def test_a_simulator_of_other_sizes_is_refused_before_it_is_asked() -> None:
    """Neither its s nor its next state is named, but the sizes that do not fit."""
    other = ptum.Simulator(ptum.bernoulli_rewards(np.ones((1, 2, 1)), np.ones((1, 2)), 0.5), seed=1)
    said = r"generative_model: .* S = 1 states and A = 3 actions \(found S = 1, A = 2\)"
    with pytest.raises(ptum.InputError, match=said):
        transferred(generative_model=other)
    options = {**SEQUENCE, "S": 2}
    stream = [ptum.Simulator(TASKS[0], seed=1)]
    run = ptum.sequential_transfer(stream, version="printed", fallback=None, **options)  # type: ignore[arg-type]
    with pytest.raises(ptum.InputError, match=r"stream: .* S = 2 states .* \(found S = 1, A = 3\)"):
        next(run)


def wrong(call: Callable[..., object], *words: object, **named: object) -> Callable[[], object]:
    return lambda: call(*words, **named)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (wrong(ptum.approximate_models, P), r"tasks\[0\]: must be a ptum.MDP"),
        (wrong(ptum.model_errors, TASKS[:2], TASKS), r"true: needs 3 models \(found 2\)"),
        (wrong(ptum.model_errors, TASKS, TASKS, version=1), r"version: must be one of"),
        (
            wrong(ptum.Simulator, P, seed=0),
            r"theta: must be the task to simulate, a ptum.MDP \(found ndarray\)",
        ),
        (wrong(ptum.Simulator, TASKS[0], seed=-1), r"seed: .* \(found -1\)"),
        (wrong(ptum.MDP, P, P, [1.0], 1.5), r"gamma: .* \[0, 1\) \(found 1.5\)"),
        (wrong(ptum.MDP, P, P, [2.0], 0.5), r"u\[0\]: a reward must lie in \[0, 1\]"),
        (wrong(ptum.bernoulli_rewards, P, [[0.5]], 0.5), r"r: must have shape \(1, 3\)"),
        (wrong(ptum.deterministic_rewards, P * 0.5, [MEANS[0]], 0.5), r"p.*sum to one"),
        (wrong(ptum.ModelErrors, -1, 0, 0, 0), r"Delta_max_r: .* \(found -1\)"),
        (
            wrong(ptum.sequential_transfer, 3, fallback=None, **SEQUENCE),
            r"stream: must yield generative models \(found int\)",
        ),
        (
            wrong(ptum.sequential_transfer, [], fallback=int, **SEQUENCE),
            r"fallback: .* \(found the class int\)",
        ),
    ],
)
def test_wrong_arguments_elsewhere_are_named(call: Callable[[], object], said: str) -> None:
    with pytest.raises(ptum.InputError, match=said):
        call()


def test_models_of_many_states_are_solved_by_the_fast_code() -> None:
    """From 64 states on, unless the literal code is asked for; each is (S+2)/2 roundings exact."""
    tasks = [two_rooms(8, 8, door, (7, door), 0.99) for door in (1, 4)]
    literal = approximate_models(tasks)
    fast, asked = (ptum.approximate_models(tasks, engine=name) for name in ("fast", "literal"))
    assert np.array_equal(asked.V_pi, literal.V_pi)
    assert not np.array_equal(fast.V_pi, literal.V_pi)
    tolerance = (literal.S + 2) * ROUNDING * float(np.abs(literal.V_pi).max())
    assert np.abs(fast.V_pi - literal.V_pi).max() <= tolerance
    assert np.array_equal(fast.pi_star, literal.pi_star)
    few = [two_rooms(5, 5, door, (4, door), 0.99) for door in (1, 3)]
    assert np.array_equal(ptum.approximate_models(few).V_pi, approximate_models(few).V_pi)
    with pytest.raises(ptum.InputError, match="engine: must be one of fast, literal"):
        ptum.approximate_models(few, engine="slow")
