"""Every public callable with a good call: what `test_hostile` hands bad values to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from types import SimpleNamespace
from typing import Any

import numpy as np

import ptum
from ptum.checks.instances.fakes import AskEveryPair
from ptum.reference.experiments import chain, episodes, grid, layouts, objectworld, pel, rmax
from ptum.reference.experiments import prediction as as_run_prediction
from ptum.reference.experiments import sequential as as_run
from ptum.reference.experiments import spectral as as_run_spectral
from ptum.reference.experiments.two_rooms import Payment, goal_grid, two_rooms
from ptum.reference.repaired.sequential import pieces as repaired_pieces
from ptum.reference.repaired.sequential import prediction as repaired_prediction
from ptum.reference.repaired.sequential import spectral as repaired_spectral
from ptum.reference.repaired.transfer.ptum import ptum as repaired_ptum
from ptum.reference.sequential import hmm, observations, pieces, prediction, projection, spectral
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.state import Setting, State
from ptum.reference.sequential.tensor_power import decompose
from ptum.reference.tasks.toy_text import from_gymnasium
from ptum.reference.transfer import exploration
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.fallback import samples_per_pair
from ptum.reference.transfer.ptum import ptum as printed_ptum
from tests.support.hostile import (
    NOTHING,
    Kind,
    array,
    columns_stochastic,
    instance,
    integer,
    labels,
    moderate,
    number,
    one_of,
    stochastic,
    unit,
)

INF = float("inf")


@dataclass(frozen=True)
class Door:
    """A callable, arguments with which it answers, and what each of them may be."""

    name: str
    call: Callable[..., object]
    good: Mapping[str, Any]
    kinds: Mapping[str, Kind]

    def arguments(self) -> dict[str, Any]:
        """Those of the good call; what keeps a state is made anew."""
        return {
            name: value() if isinstance(value, Fresh) else value
            for name, value in self.good.items()
        }


@dataclass(frozen=True)
class Fresh:
    """Makes an argument that remembers what was asked of it."""

    make: Callable[[], object]

    def __call__(self) -> object:
        return self.make()


def seeded() -> np.random.Generator:
    return np.random.default_rng(5)


rng = Fresh(seeded)


P = np.array([[[0.9, 0.1], [0.2, 0.8]], [[0.5, 0.5], [0.3, 0.7]]])
R = np.array([[0.1, 0.8], [0.9, 0.3]])
Q = np.stack([1 - R, R], axis=-1)
U = np.array([0.0, 1.0])
TASKS = [ptum.bernoulli_rewards(P, r, 0.5) for r in (R, R[::-1], R.T)]
MODELS = ptum.approximate_models(TASKS)
T = np.array([[0.9, 0.2], [0.1, 0.8]])
O = observations.observation_matrix(TASKS[:2])  # noqa: E741 - the paper's letter
SEEN = O.T[[0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0] * 2] + 0.01 * seeded().standard_normal((24, 16))
GRID = grid.Grid(3, 4, 1)
ONLINE = episodes.online(TASKS[0])
I_T = np.array([[0.1, 0.0], [0.3, 0.2]])
CHANCE, GAMMA = number(0, 1), number(0, 1, "[)")
DELTA, EPSILON, ERROR = number(1e-200, 1, "[)"), number(0, INF, "[)"), number(0, INF)
POSITIVE, FINITE = number(0, INF, "(]"), number(0, INF, "[)")
MDPS = instance(type(MODELS))  # tried with lists of tasks too, which no hostile value is
FLAG = one_of(True, False)
TABLE_P, TABLE_Q = array(-1, -1, -1, good=stochastic), array(-1, -1, -1, good=stochastic)
RNG = instance(np.random.Generator)
RULE_GOOD = {"h": 4, "d": 16, "delta": 1e-4, "delta_prime": 0.1}
RULE_KINDS = {
    "T_hat": array(-1, -1),
    "theta_bar": labels(2),
    "h": integer(1, 5),
    "d": integer(1),
    "delta": number(0, 1, "()"),
    "delta_prime": number(0, 1, "()"),
}
SETTING: dict[str, Any] = {
    "k": 2,
    "S": 2,
    "A": 2,
    "u": [0.0, 1.0],
    "gamma": 0.5,
    "epsilon": 0.4,
    "delta": 0.1,
    "n": 30,
    "delta_prime": 0.1,
    "n_post": 3,
    "L": 2,
    "N": 3,
    "seed": 1,
}
SETTING_KINDS = {
    "k": integer(1, 9),
    "S": integer(1),
    "A": integer(1),
    "u": array(-1, good=unit),
    "gamma": GAMMA,
    "epsilon": EPSILON,
    "delta": DELTA,
    "n": integer(1),
    "delta_prime": DELTA,
    "n_post": integer(0, quick=100),
    "L": integer(1, quick=1000),
    "N": integer(1, quick=1000),
    "seed": integer(0, 2**128 - 1),
}
ENV = SimpleNamespace(
    P={0: {0: [(1.0, 1, 0.0, False)]}, 1: {0: [(0.5, 0, 1.0, False), (0.5, 1, 0.0, True)]}}
)


def _samples(**given: Any) -> object:
    target = ptum.Simulator(**given)
    return target.sample(0, 0), target.sample(1, 1), target.sample_many(0, 1, 3)


def _sample(**given: Any) -> object:
    return ptum.Simulator(TASKS[0], 1).sample(**given)


def _sample_many(**given: Any) -> object:
    return ptum.Simulator(TASKS[0], 1).sample_many(**given)


def _target(task: int = 0) -> ptum.Simulator:
    return ptum.Simulator(TASKS[task], seed=1)


target = Fresh(_target)
stream = Fresh(lambda: [_target(h % 2) for h in range(3)])


def _no_tasks(value: object) -> object:
    """A list of tasks, or anything that can be gone through and is empty."""
    if isinstance(value, str | bytes):
        return NOTHING
    try:
        members = list(value)  # type: ignore[call-overload]
    except TypeError:
        return NOTHING
    return members if all(hasattr(member, "sample") for member in members) else NOTHING


def _sequence(**given: Any) -> object:
    return list(ptum.sequential_transfer(**given))


def _setting(**given: Any) -> object:
    setting = Setting(**given)
    return setting, setting.d, setting.labels


def _after(rule: Callable[..., Any], *names: str) -> Callable[..., object]:
    """A rule is made of some arguments and called with the others."""

    def called(**given: Any) -> object:
        return rule(**{name: given.pop(name) for name in names})(**given)

    return called


def _grid(**given: Any) -> object:
    made = grid.Grid(**given)
    return made, made.S, [made.move(s, a) for s in (0, made.S - 1) for a in range(4)]


def _layout(**given: Any) -> object:
    made = layouts.Layout(**given)
    return made.side, [made.text(task) for task in range(len(made.rooms))]


def _drawn(layout: Callable[..., layouts.Layout]) -> Callable[..., object]:
    def called(**given: Any) -> object:
        made = layout(**given)
        return [(room.door, dict(room.goals)) for room in made.rooms]

    return called


def _task_list(**given: Any) -> object:
    made = objectworld.TaskList(**given)
    return [(task.p, task.q) for task in objectworld.generate_tasks(made, seeded())]


def _rmax(**given: Any) -> object:
    learner = rmax.Rmax(**given)
    for _ in range(2):
        learner.see(0, 1, 1, 1)
    return learner.policy, learner.Q


def _pel(**given: Any) -> object:
    learner = pel.Pel(**given)
    learner.see(0, 1, 1, 1)
    return learner.policy, learner.active


def _online(**given: Any) -> object:
    made = episodes.OnlineTask(**given)
    return made.p, made.r, made.value(np.zeros(made.S, dtype=np.int64))


def _gymnasium(**given: Any) -> object:
    made = from_gymnasium(**given)
    return made.task.p, made.task.q, made.low, made.high, made.end


KNOWN = pel.known_models([episodes.online(task) for task in TASKS], TASKS)


class Nothing:
    """An implementation to be judged, wrong in everything."""

    def optimal(self, **request: object) -> object:
        return {"V": len(request)}


def _checked(**given: Any) -> object:
    return repr(ptum.check(**given))


def _pair(value: object) -> object:
    """Two integers from 0 to 100 that do not fall."""
    found = labels(101, repeated=True).meant(value)
    good = isinstance(found, tuple) and len(found) == 2 and found[0] <= found[1]
    return found if good else NOTHING


def _or_none(kind: Kind) -> Kind:
    return Kind(lambda value: None if value is None else kind.meant(value), kind.takes_long)


def _replaced(**given: Any) -> object:
    return replace(MODELS, **given).r


MODEL_FIELDS = ("r", "p", "sigma_r", "V_star", "sigma_p", "V_pi")

RUN = {"epsilon": 0.3, "delta": 0.1, "n": 40, "Delta": 0.0}
RUN_KINDS = {"epsilon": EPSILON, "delta": DELTA, "n": integer(1), "Delta": ERROR}
TARGET = instance(ptum.Simulator)

DOORS = (
    Door(
        "MDP",
        ptum.MDP,
        {"p": P, "q": Q, "u": U, "gamma": 0.5},
        {"p": TABLE_P, "q": TABLE_Q, "u": array(-1, good=unit), "gamma": GAMMA},
    ),
    *(
        Door(
            make.__name__,
            make,
            {"p": P, "r": R, "gamma": 0.5},
            {"p": TABLE_P, "r": array(-1, -1, good=unit), "gamma": GAMMA},
        )
        for make in (ptum.bernoulli_rewards, ptum.deterministic_rewards)
    ),
    Door(
        "approximate_models",
        ptum.approximate_models,
        {"tasks": TASKS, "engine": "fast"},
        {"tasks": MDPS, "engine": one_of("fast", "literal")},
    ),
    Door(
        "ApproximateModels",
        _replaced,
        {name: getattr(MODELS, name) for name in MODEL_FIELDS},
        {name: array(*getattr(MODELS, name).shape) for name in MODEL_FIELDS},
    ),
    Door(
        "Simulator",
        _samples,
        {"theta": TASKS[0], "seed": 3},
        {"theta": instance(ptum.MDP), "seed": integer(0, 2**128 - 1)},
    ),
    Door("sample", _sample, {"s": 1, "a": 0}, {"s": integer(0, 1), "a": integer(0, 1)}),
    Door(
        "sample_many",
        _sample_many,
        {"s": 1, "a": 0, "m": 4},
        {"s": integer(0, 1), "a": integer(0, 1), "m": integer(1, 2**26)},
    ),
    Door(
        "ModelErrors",
        ptum.ModelErrors,
        {"r": 0.1, "p": 0.2, "sigma_r": 0.0, "sigma_p": 0.3},
        dict.fromkeys(("r", "p", "sigma_r", "sigma_p"), ERROR),
    ),
    Door("single", single, {"Delta": 0.1}, {"Delta": ERROR}),
    Door(
        "model_errors",
        ptum.model_errors,
        {"true": TASKS, "approximate": TASKS[::-1], "version": "repaired"},
        {"true": MDPS, "approximate": MDPS, "version": one_of("printed", "repaired")},
    ),
    Door(
        "transfer",
        ptum.transfer,
        {
            "models": TASKS,
            **RUN,
            "version": "repaired",
            "engine": "fast",
            "fallback": None,
            "observer": None,
            "generative_model": target,
        },
        {
            "models": MDPS,
            **RUN_KINDS,
            "Delta": ERROR,
            "version": one_of("printed", "repaired"),
            "engine": one_of("fast", "literal"),
            "fallback": instance(AskEveryPair, also=(None,)),
            "observer": Kind(instance(also=(None,)).meant, lambda value: value is len),
            "generative_model": TARGET,
        },
    ),
    *(
        Door(
            name,
            run,
            {"models": MODELS, "generative_model": target, **RUN},
            {"models": MDPS, **RUN_KINDS},
        )
        for name, run in (("printed ptum", printed_ptum), ("repaired ptum", repaired_ptum))
    ),
    Door(
        "run_online",
        exploration.run_online,
        {"models": MODELS, "target": target, "start": 0, **RUN},
        {"models": MDPS, "start": integer(0, 1), **RUN_KINDS},
    ),
    Door(
        "bonus_task",
        exploration.bonus_task,
        {"model": TASKS[0], "I_t": I_T, "beta": 0.5},
        {
            "model": instance(ptum.MDP),
            "I_t": array(2, 2, good=lambda found: bool((found >= 0).all())),
            "beta": FINITE,
        },
    ),
    Door(
        "UniformSampling",
        ptum.UniformSampling(),
        {"S": 2, "A": 2, "gamma": 0.5, "epsilon": 3.0, "delta": 0.1, "model": target},
        {
            "S": integer(2, 2),
            "A": integer(2, 2),
            "gamma": number(0, 1, "[)", slow=lambda gamma: gamma > 0.6),
            "epsilon": number(0, INF, "()", slow=lambda epsilon: epsilon < 1),
            "delta": DELTA,
            "model": TARGET,
        },
    ),
    Door(
        "samples_per_pair",
        samples_per_pair,
        {"S": 2, "A": 2, "gamma": 0.5, "epsilon": 0.5, "delta": 0.1},
        {
            "S": integer(1),
            "A": integer(1),
            "gamma": GAMMA,
            "epsilon": number(0, INF, "()"),
            "delta": DELTA,
        },
    ),
    *(
        Door(
            f"sequential_transfer {version}",
            _sequence,
            {
                **SETTING,
                "rhos": 0.1,
                "fallback": None,
                "version": version,
                "rule": None,
                "learner": spectral.learn_hmm,
                "stream_name": "",
                "resume": None,
                "stream": stream,
            },
            {
                **SETTING_KINDS,
                "S": integer(2, 2),
                "A": integer(2, 2),
                "n_post": integer(1, quick=100),
                "rhos": POSITIVE,
                "fallback": instance(AskEveryPair, also=(None,)),
                "version": one_of("printed", "repaired"),
                "rule": instance(also=(None,)),
                "learner": instance(type(seeded), also=(None,) if version == "repaired" else ()),
                "stream_name": instance(str),
                "resume": instance(State, also=(None,)),
                "stream": Kind(_no_tasks),
            },
        )
        for version in ("printed", "repaired")
    ),
    Door(
        "check",
        _checked,
        {
            "subject": Nothing(),
            "capabilities": ["optimal"],
            "cases": ["optimal/chain"],
            "seed": 0,
            "expect": None,
        },
        {
            "subject": instance(Nothing),
            "capabilities": Kind(_no_tasks),
            "cases": Kind(_no_tasks),
            "seed": integer(0, 2**128 - 1),
            "expect": instance(also=(None,)),
        },
    ),
    Door("Setting", _setting, SETTING, SETTING_KINDS),
    Door(
        "Level",
        Level,
        {"S": 2, "A": 2, "U": 2, "h": 3, "delta_prime": 0.1},
        {**dict.fromkeys("SAUh", integer(1)), "delta_prime": number(0, 1, "()")},
    ),
    Door(
        "Rhos",
        pieces.Rhos,
        {"r": 0.1, "p": 0.2, "sigma_r": 0.3, "sigma_p": 0.4, "condition": 0.0},
        {**dict.fromkeys(("r", "p", "sigma_r", "sigma_p"), POSITIVE), "condition": FINITE},
    ),
    Door(
        "Constants",
        repaired_pieces.Constants,
        {"rho_3": 0.1, "rho_4": 0.2, "rho_5": 0.3, "rho_6": 0.4, "ell": 0.1, "sigma_bar": 0.2},
        {
            **dict.fromkeys(("rho_3", "rho_4", "rho_5", "rho_6"), POSITIVE),
            "ell": _or_none(POSITIVE),
            "sigma_bar": _or_none(number(0, INF, "()")),
        },
    ),
    Door("CrossTask", repaired_pieces.CrossTask, {"overlapping": True}, {"overlapping": FLAG}),
    Door(
        "Theorem3",
        _after(prediction.Theorem3, "m", "rho_T"),
        {"m": 5, "rho_T": 0.0, "T_hat": T, "theta_bar": [0], **RULE_GOOD},
        {"m": integer(1), "rho_T": FINITE, **RULE_KINDS},
    ),
    Door(
        "Experiment",
        _after(as_run_prediction.Experiment, "m", "eta", "rho_T", "keep"),
        {"m": 5, "eta": 0.2, "rho_T": 0.0, "keep": 1, "T_hat": T, "theta_bar": [0], **RULE_GOOD},
        {
            "m": integer(1),
            "eta": FINITE,
            "rho_T": FINITE,
            "keep": integer(0),
            **RULE_KINDS,
            "h": integer(1),
        },
    ),
    Door(
        "PerStep",
        _after(repaired_prediction.PerStep, "eta"),
        {"eta": 0.2, "T_hat": T, "theta_bar": [0], "e_T": 0.01},
        {
            "eta": number(0, 1, "()"),
            "T_hat": array(-1, -1, good=columns_stochastic),
            "theta_bar": labels(2, least=1),
            "e_T": ERROR,
        },
    ),
    Door(
        "HMM",
        hmm.HMM,
        {"O": O, "T": T, "initial": [0.5, 0.5]},
        {
            "O": array(-1, 2),
            "T": array(2, 2, good=columns_stochastic),
            "initial": array(2, good=stochastic),
        },
    ),
    Door(
        "task_sequence",
        hmm.task_sequence,
        {"T": T, "initial": [0.5, 0.5], "h": 6, "rng": rng},
        {
            "T": array(2, 2, good=columns_stochastic),
            "initial": array(2, good=stochastic),
            "h": integer(1, 2**27, quick=1000),
            "rng": RNG,
        },
    ),
    *(
        Door(
            f"learn_hmm {name}",
            learn,
            {"observations": SEEN, "k": 2, "L": 3, "N": 5, "rng": rng},
            {
                "observations": array(-1, -1, good=moderate),
                "k": integer(1, 16),
                "L": integer(1, quick=1000),
                "N": integer(1, quick=1000),
                "rng": RNG,
            },
        )
        for name, learn in (
            ("printed", spectral.learn_hmm),
            ("as run", as_run_spectral.learn_hmm),
            ("repaired", repaired_spectral.learn_hmm),
        )
    ),
    Door(
        "decompose",
        decompose,
        {"tensor": np.eye(3)[:, :, None] * np.eye(3), "k": 2, "L": 3, "N": 5, "rng": rng},
        {
            "tensor": array(-1, -1, -1, good=moderate),
            "k": integer(1, 3),
            "L": integer(1, quick=1000),
            "N": integer(1, quick=1000),
            "rng": RNG,
        },
    ),
    Door("project_simplex", projection.project_simplex, {"v": [0.2, 0.9]}, {"v": array(-1)}),
    Door("project_columns", projection.project_columns, {"T": T}, {"T": array(-1, -1)}),
    Door(
        "project",
        projection.project,
        {"O": O, "T": T, "S": 2, "A": 2, "U": 2},
        {
            "O": array(16, -1),
            "T": array(-1, -1),
            "S": integer(2, 2),
            "A": integer(2, 2),
            "U": integer(2, 2),
        },
    ),
    Door(
        "observation_vector",
        observations.observation_vector,
        {"q_hat": Q, "p_hat": P},
        {"q_hat": TABLE_Q, "p_hat": TABLE_P},
    ),
    Door(
        "models_from_columns",
        observations.models_from_columns,
        {"O": O, "S": 2, "A": 2, "u": U, "gamma": 0.5},
        {
            "O": array(16, -1, good=unit),
            "S": integer(2, 2),
            "A": integer(2, 2),
            "u": array(2, good=unit),
            "gamma": GAMMA,
        },
    ),
    Door(
        "dimension",
        observations.dimension,
        {"S": 2, "A": 2, "U": 2},
        dict.fromkeys("SAU", integer(1)),
    ),
    Door(
        "Grid",
        _grid,
        {"rows": 3, "columns": 4, "door": 1, "thick": False},
        {
            "rows": integer(1),
            "columns": integer(1),
            "door": _or_none(integer(0, 2)),
            "thick": FLAG,
        },
    ),
    Door(
        "two_rooms",
        two_rooms,
        {
            "rows": 3,
            "columns": 4,
            "door": 1,
            "goal": (2, 3),
            "gamma": 0.5,
            "action_failure": 0.1,
            "payment": Payment.IN_GOAL,
        },
        {
            "rows": integer(3, 60),
            "columns": integer(4, 60),
            "door": _or_none(integer(0, 2)),
            "goal": instance(),
            "gamma": GAMMA,
            "action_failure": CHANCE,
            "payment": one_of(*Payment),
        },
    ),
    Door(
        "goal_grid",
        goal_grid,
        {"grid": GRID, "goals": {(2, 3): 0.5}, "gamma": 0.5, "spread": grid.Spread.ALL_FOUR},
        {
            "grid": instance(grid.Grid),
            "goals": instance(),
            "gamma": GAMMA,
            "spread": one_of(*grid.Spread),
        },
    ),
    Door(
        "Layout",
        _layout,
        {"side": 4, "rooms": layouts.one_goal(4).rooms, "thick": False},
        {"side": integer(4), "rooms": instance(), "thick": FLAG},
    ),
    *(
        Door(
            layout.__name__,
            lambda layout=layout, **given: len(layout(**given).rooms),
            {"side": 5},
            {"side": integer(2, 76)},
        )
        for layout in (layouts.one_goal, layouts.three_corners)
    ),
    Door(
        "figure_1_left",
        _drawn(layouts.figure_1_left),
        {"places": layouts.Places.TWELVE_GOALS, "side": 6, "rng": rng},
        {"places": one_of(*layouts.Places), "side": integer(2, 76), "rng": RNG},
    ),
    Door(
        "figure_1_right",
        _drawn(layouts.figure_1_right),
        {"rewards": layouts.Rewards(), "side": 6, "rng": rng},
        {"rewards": instance(layouts.Rewards, also=(None,)), "side": integer(4, 76), "rng": RNG},
    ),
    Door(
        "Rewards",
        layouts.Rewards,
        {"stable": (77, 79), "variable": 2},
        {"stable": Kind(_pair), "variable": integer(0, 5)},
    ),
    Door(
        "TaskList",
        _task_list,
        {
            "action_failures": (0.1, 0.1),
            "pick_up_failure": 0.1,
            "values": (0.0, 0.5, 1.0),
            "base_values": (0.0, 0.5),
            "copies": {1: 0},
            "rows": 2,
            "columns": 2,
            "gamma": 0.5,
            "epsilon": 1.5,
        },
        {
            "action_failures": array(-1, good=unit),
            "pick_up_failure": CHANCE,
            "values": array(-1, good=unit),
            "base_values": array(-1, good=unit),
            "copies": Kind(lambda value: {} if isinstance(value, dict) and not value else NOTHING),
            "rows": integer(1, 30, quick=5),
            "columns": integer(1, 30, quick=5),
            "gamma": GAMMA,
            "epsilon": EPSILON,
        },
    ),
    Door(
        "objectworld",
        objectworld.objectworld,
        {
            "grid": grid.Grid(1, 2),
            "items": np.array([[0.0, 0.5, 1.0, 0.5]] * 2),
            "gamma": 0.5,
            "values": (0.0, 0.5, 1.0),
            "action_failure": 0.1,
            "pick_up_failure": 0.2,
        },
        {
            "grid": instance(grid.Grid),
            "items": array(2, 4, good=unit),
            "gamma": GAMMA,
            "values": array(-1, good=unit),
            "action_failure": CHANCE,
            "pick_up_failure": CHANCE,
        },
    ),
    Door(
        "spread_failures",
        objectworld.spread_failures,
        {"k": 4, "least": 0.1, "largest": 0.4},
        {"k": integer(1, 2**27, quick=1000), "least": CHANCE, "largest": CHANCE},
    ),
    Door(
        "task_chain",
        chain.task_chain,
        {"k": 4, "success": 0.9, "cyclic": False},
        {"k": integer(1, 11585), "success": CHANCE, "cyclic": FLAG},
    ),
    Door(
        "chain.task_sequence",
        lambda **given: list(islice(chain.task_sequence(**given), 5)),
        {"T": T, "rng": rng, "first": 0},
        {"T": array(-1, -1, good=columns_stochastic), "rng": RNG, "first": integer(0, 1)},
    ),
    Door(
        "OnlineTask",
        _online,
        {"joint": ONLINE.joint, "u": U, "gamma": 0.5, "starts": (0,), "ends": (1,)},
        {
            "joint": array(2, 2, 2, 2),
            "u": array(2, good=unit),
            "gamma": GAMMA,
            "starts": labels(2, least=1, repeated=True),
            "ends": labels(2, repeated=True),
        },
    ),
    Door(
        "paid_once",
        lambda **given: episodes.paid_once(**given).joint,
        {"task": TASKS[0], "prize": np.array([0.0, 0.5]), "goals": [1]},
        {
            "task": instance(ptum.MDP),
            "prize": array(2, good=unit),
            "goals": labels(2, repeated=True),
        },
    ),
    Door(
        "rmax_table",
        rmax.rmax_table,
        {"S": 2, "A": 2, "gamma": 0.5, "r_max": 1.0},
        {"S": integer(1, 2**26), "A": integer(1, 2**26), "gamma": GAMMA, "r_max": CHANCE},
    ),
    Door(
        "Rmax",
        _rmax,
        {"task": ONLINE, "initial": np.full((2, 2), 2.0), "m": 2},
        {
            "task": instance(episodes.OnlineTask),
            "initial": array(2, 2, good=lambda found: bool((abs(found) <= 1e100).all())),
            "m": integer(1),
        },
    ),
    Door(
        "Pel",
        _pel,
        {"known": KNOWN, "delta": 0.1},
        {"known": instance(pel.KnownModels), "delta": DELTA},
    ),
    Door("maxqinit_table", rmax.maxqinit_table, {"tasks": TASKS}, {"tasks": instance()}),
    Door(
        "Schedule",
        as_run.Schedule,
        {
            "start_up": 3,
            "per_pair": 2,
            "n_post": 1,
            "rho": 0.1,
            "last_rho": 0.01,
            "decay": 5,
            "shape": as_run.Decay.LINEAR,
            "logarithm": True,
            "rho_T": 0.01,
            "both": False,
        },
        {
            **dict.fromkeys(("start_up", "per_pair", "n_post", "decay"), integer(1)),
            **dict.fromkeys(("rho", "last_rho", "rho_T"), number(0, INF, "()")),
            "both": FLAG,
            "shape": one_of(*as_run.Decay),
            "logarithm": FLAG,
        },
    ),
    Door("UniformPerPair", as_run.UniformPerPair, {"per_pair": 2}, {"per_pair": integer(1)}),
    Door(
        "from_gymnasium",
        _gymnasium,
        {"env": ENV, "gamma": 0.5, "rewards": (0.0, 2.0)},
        {
            "env": instance(SimpleNamespace),
            "gamma": GAMMA,
            "rewards": _or_none(array(2)),
        },
    ),
)
