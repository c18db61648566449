"""Every public callable with a good call: what `test_hostile` hands bad values to."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
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
from ptum.reference.repaired.transfer.repairs import CHEAPEST, TransferConstants
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
    counts,
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


def door(name: str, call: Callable[..., object], /, **arguments: tuple[Any, Kind | None]) -> Door:
    """Each argument of the good call with its kind, if anything else is tried in its place."""
    kinds = {argument: kind for argument, (_, kind) in arguments.items() if kind is not None}
    return Door(name, call, {one: good for one, (good, _) in arguments.items()}, kinds)


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
SEEN_OFTEN = 1 + np.arange(8).reshape(2, 2, 2)
I_T = np.array([[0.1, 0.0], [0.3, 0.2]])
CHANCE, GAMMA = number(0, 1), number(0, 1, "[)")
DELTA, EPSILON, ERROR = number(1e-180, 1, "[)"), number(0, INF, "[)"), number(0, INF)
ABOVE_ZERO = number(0, INF, "()")
POSITIVE, FINITE = number(0, INF, "(]"), number(0, INF, "[)")
MDPS = instance(type(MODELS))  # tried with lists of tasks too, which no hostile value is
FLAG = one_of(True, False)
TABLE_P, TABLE_Q = array(-1, -1, -1, good=stochastic), array(-1, -1, -1, good=stochastic)
RNG = instance(np.random.Generator)
Arguments = dict[str, tuple[Any, Kind | None]]
SIDE = (2, integer(2, 2))
RULE: Arguments = {
    "T_hat": (T, array(-1, -1)),
    "theta_bar": ([0], labels(2)),
    "h": (4, integer(1, 5)),
    "d": (16, integer(1)),
    "delta": (1e-4, number(0, 1, "()")),
    "delta_prime": (0.1, number(0, 1, "()")),
}
SETTING: Arguments = {
    "k": (2, integer(1, 9)),
    "S": (2, integer(1)),
    "A": (2, integer(1)),
    "u": ([0.0, 1.0], array(-1, good=unit)),
    "gamma": (0.5, GAMMA),
    "epsilon": (0.4, EPSILON),
    "delta": (0.1, DELTA),
    "n": (30, integer(1)),
    "delta_prime": (0.1, DELTA),
    "n_post": (3, integer(0, quick=100)),
    "L": (2, integer(1, quick=1000)),
    "N": (3, integer(1, quick=1000)),
    "seed": (1, integer(0, 2**128 - 1)),
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


SCHEDULE = as_run.Schedule(start_up=3, per_pair=3, n_post=3, decay=2)


def _as_run(**given: Any) -> object:
    return list(as_run.sequential_transfer(**given))


def _switches(value: object) -> object:
    known = isinstance(value, set | frozenset) and all(isinstance(x, as_run.Switch) for x in value)
    return value if known else NOTHING


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


def _watching(**given: Any) -> object:
    watch = ptum.Watch(**given)
    return ptum.transfer(TASKS, _target(), **NUMBERS, observer=watch)


def _names(value: object) -> object:
    """As for `_no_tasks`; a dictionary is no list of names."""
    return NOTHING if isinstance(value, dict) else _no_tasks(value)


def _made(shape: tuple[int, ...]) -> Kind:
    """An array as `approximate_models` makes it: of doubles, in this shape."""

    def meant(value: object) -> object:
        own = type(value) is np.ndarray and value.dtype == np.float64
        return array(*shape).meant(value) if own else NOTHING

    return Kind(meant)


def _pair(value: object) -> object:
    """Two integers from 0 to 100 that do not fall."""
    found = labels(101, repeated=True).meant(value)
    good = isinstance(found, tuple) and len(found) == 2 and found[0] <= found[1]
    return found if good else NOTHING


def _or_none(kind: Kind) -> Kind:
    return Kind(lambda value: None if value is None else kind.meant(value), kind.takes_long)


def _replaced(**given: Any) -> object:
    return replace(MODELS, **given).r


RUN: Arguments = {
    "epsilon": (0.3, EPSILON),
    "delta": (0.1, DELTA),
    "n": (40, integer(1)),
    "Delta": (0.0, ERROR),
}
REPAIR: Arguments = {"repair": (CHEAPEST, instance(TransferConstants))}
NUMBERS = {name: good for name, (good, _) in RUN.items()}
TARGET = instance(ptum.Simulator)

DOORS = (
    door(
        "MDP",
        ptum.MDP,
        p=(P, TABLE_P),
        q=(Q, TABLE_Q),
        u=(U, array(-1, good=unit)),
        gamma=(0.5, GAMMA),
    ),
    *(
        door(
            make.__name__, make, p=(P, TABLE_P), r=(R, array(-1, -1, good=unit)), gamma=(0.5, GAMMA)
        )
        for make in (ptum.bernoulli_rewards, ptum.deterministic_rewards)
    ),
    door(
        "approximate_models",
        ptum.approximate_models,
        tasks=(TASKS, MDPS),
        engine=("fast", one_of("fast", "literal")),
    ),
    door(
        "ApproximateModels",
        _replaced,
        **{
            name: (found := getattr(MODELS, name), _made(found.shape))
            for name in ("r", "p", "sigma_r", "V_star", "sigma_p", "V_pi")
        },
    ),
    door(
        "Simulator",
        _samples,
        theta=(TASKS[0], instance(ptum.MDP)),
        seed=(3, integer(0, 2**128 - 1)),
    ),
    door("sample", _sample, s=(1, integer(0, 1)), a=(0, integer(0, 1))),
    door(
        "sample_many",
        _sample_many,
        s=(1, integer(0, 1)),
        a=(0, integer(0, 1)),
        m=(4, integer(1, 2**26)),
    ),
    door(
        "ModelErrors",
        ptum.ModelErrors,
        r=(0.1, ERROR),
        p=(0.2, ERROR),
        sigma_r=(0.0, ERROR),
        sigma_p=(0.3, ERROR),
    ),
    door("single", single, Delta=(0.1, ERROR)),
    door(
        "from_counts",
        ptum.from_counts,
        next_states=(SEEN_OFTEN, array(2, 2, 2, good=counts)),
        rewards=(SEEN_OFTEN, array(2, 2, 2, good=counts)),
        u=(U, array(2, good=unit)),
        gamma=(0.5, GAMMA),
    ),
    door(
        "can_transfer",
        ptum.can_transfer,
        models=(TASKS, MDPS),
        epsilon=(0.3, EPSILON),
        true=(None, instance(also=(None,))),
        Delta=(0.1, ERROR),
        version=("repaired", one_of("printed", "repaired")),
    ),
    door(
        "Watch",
        _watching,
        every=(7, integer(1)),
        stream=(Fresh(io.StringIO), instance(io.StringIO, also=(None,))),
    ),
    door(
        "model_errors",
        ptum.model_errors,
        true=(TASKS, MDPS),
        approximate=(TASKS[::-1], MDPS),
        version=("repaired", one_of("printed", "repaired")),
    ),
    door(
        "transfer",
        ptum.transfer,
        models=(TASKS, MDPS),
        **RUN,
        version=("repaired", one_of("printed", "repaired")),
        engine=("fast", one_of("fast", "literal")),
        fallback=(None, instance(AskEveryPair, also=(None,))),
        observer=(None, Kind(instance(also=(None,)).meant, lambda value: value is len)),
        generative_model=(target, TARGET),
    ),
    *(
        door(name, run, models=(MODELS, MDPS), **RUN, generative_model=(target, None))
        for name, run in (("printed ptum", printed_ptum), ("repaired ptum", repaired_ptum))
    ),
    door(
        "run_online",
        exploration.run_online,
        models=(MODELS, MDPS),
        start=(0, integer(0, 1)),
        **RUN,
        target=(target, None),
    ),
    door(
        "bonus_task",
        exploration.bonus_task,
        model=(TASKS[0], instance(ptum.MDP)),
        I_t=(I_T, array(2, 2, good=lambda found: bool((found >= 0).all()))),
        beta=(0.5, FINITE),
    ),
    door(
        "UniformSampling",
        ptum.UniformSampling(),
        S=(2, integer(2, 2)),
        A=(2, integer(2, 2)),
        gamma=(0.5, number(0, 1, "[)", slow=lambda gamma: gamma > 0.6)),
        epsilon=(3.0, number(0, INF, "()", slow=lambda epsilon: epsilon < 1)),
        delta=(0.1, DELTA),
        model=(target, TARGET),
    ),
    door(
        "samples_per_pair",
        samples_per_pair,
        S=(2, integer(1)),
        A=(2, integer(1)),
        gamma=(0.5, GAMMA),
        epsilon=(0.5, number(0, INF, "()")),
        delta=(0.1, DELTA),
    ),
    *(
        door(
            f"sequential_transfer {version}",
            _sequence,
            **{**SETTING, "S": SIDE, "A": SIDE, "n_post": (3, integer(1, quick=100))},
            rhos=(0.1, POSITIVE),
            fallback=(None, instance(AskEveryPair, also=(None,))),
            version=(version, one_of("printed", "repaired")),
            rule=(None, instance(also=(None,))),
            learner=(
                spectral.learn_hmm,
                instance(type(seeded), also=(None,) if version == "repaired" else ()),
            ),
            stream_name=("", instance(str)),
            resume=(None, instance(State, also=(None,))),
            watch=(None, instance(ptum.Watch, also=(None,))),
            stream=(stream, Kind(_no_tasks)),
            **more,
        )
        for version, more in (("printed", {}), ("repaired", REPAIR))
    ),
    door(
        "check",
        _checked,
        subject=(Nothing(), instance(Nothing)),
        capabilities=(["optimal"], Kind(_names)),
        cases=(["optimal/chain"], Kind(_names)),
        seed=(0, integer(0, 2**128 - 1)),
        expect=(None, instance(also=(None,))),
    ),
    door("Setting", _setting, **SETTING),
    door(
        "Level",
        Level,
        S=(2, integer(1)),
        A=(2, integer(1)),
        U=(2, integer(1)),
        h=(3, integer(1)),
        delta_prime=(0.1, number(0, 1, "()")),
    ),
    door(
        "Rhos",
        pieces.Rhos,
        r=(0.1, POSITIVE),
        p=(0.2, POSITIVE),
        sigma_r=(0.3, POSITIVE),
        sigma_p=(0.4, POSITIVE),
        condition=(0.0, FINITE),
    ),
    door(
        "Constants",
        repaired_pieces.Constants,
        rho_3=(0.1, POSITIVE),
        rho_4=(0.2, POSITIVE),
        rho_5=(0.3, POSITIVE),
        rho_6=(0.4, POSITIVE),
        ell=(0.1, _or_none(POSITIVE)),
        sigma_bar=(0.2, _or_none(ABOVE_ZERO)),
    ),
    door("CrossTask", repaired_pieces.CrossTask, overlapping=(True, FLAG)),
    door(
        "Theorem3",
        _after(prediction.Theorem3, "m", "rho_T"),
        m=(5, integer(1)),
        rho_T=(0.0, FINITE),
        **RULE,
    ),
    door(
        "Experiment",
        _after(as_run_prediction.Experiment, "m", "eta", "rho_T", "keep", "miss"),
        m=(5, integer(1)),
        eta=(0.2, FINITE),
        rho_T=(0.0, FINITE),
        keep=(1, integer(0)),
        miss=(0.01, number(0, 1, "()")),
        **{**RULE, "h": (4, integer(1))},
    ),
    door(
        "PerStep",
        _after(repaired_prediction.PerStep, "eta"),
        eta=(0.2, number(0, 1, "()")),
        T_hat=(T, array(-1, -1, good=columns_stochastic)),
        theta_bar=([0], labels(2, least=1)),
        e_T=(0.01, ERROR),
    ),
    door(
        "HMM",
        hmm.HMM,
        O=(O, array(-1, 2)),
        T=(T, array(2, 2, good=columns_stochastic)),
        initial=([0.5, 0.5], array(2, good=stochastic)),
    ),
    door(
        "task_sequence",
        hmm.task_sequence,
        T=(T, array(2, 2, good=columns_stochastic)),
        initial=([0.5, 0.5], array(2, good=stochastic)),
        h=(6, integer(1, 2**27, quick=1000)),
        rng=(rng, RNG),
    ),
    *(
        door(
            f"learn_hmm {name}",
            learn,
            observations=(SEEN, array(-1, -1, good=moderate)),
            k=(2, integer(1, 16)),
            L=(3, integer(1, quick=1000)),
            N=(5, integer(1, quick=1000)),
            rng=(rng, RNG),
        )
        for name, learn in (
            ("printed", spectral.learn_hmm),
            ("as run", as_run_spectral.learn_hmm),
            ("repaired", repaired_spectral.learn_hmm),
        )
    ),
    door(
        "decompose",
        decompose,
        tensor=(np.eye(3)[:, :, None] * np.eye(3), array(-1, -1, -1, good=moderate)),
        k=(2, integer(1, 3)),
        L=(3, integer(1, quick=1000)),
        N=(5, integer(1, quick=1000)),
        rng=(rng, RNG),
    ),
    door("project_simplex", projection.project_simplex, v=([0.2, 0.9], array(-1))),
    door("project_columns", projection.project_columns, T=(T, array(-1, -1))),
    door(
        "project",
        projection.project,
        O=(O, array(16, -1)),
        T=(T, array(-1, -1)),
        S=(2, integer(2, 2)),
        A=(2, integer(2, 2)),
        U=(2, integer(2, 2)),
    ),
    door(
        "observation_vector",
        observations.observation_vector,
        q_hat=(Q, TABLE_Q),
        p_hat=(P, TABLE_P),
    ),
    door(
        "models_from_columns",
        observations.models_from_columns,
        O=(O, array(16, -1, good=unit)),
        S=(2, integer(2, 2)),
        A=(2, integer(2, 2)),
        u=(U, array(2, good=unit)),
        gamma=(0.5, GAMMA),
    ),
    door(
        "dimension", observations.dimension, S=(2, integer(1)), A=(2, integer(1)), U=(2, integer(1))
    ),
    door(
        "Grid",
        _grid,
        rows=(3, integer(1)),
        columns=(4, integer(1)),
        door=(1, _or_none(integer(0, 2))),
        thick=(False, FLAG),
    ),
    door(
        "two_rooms",
        two_rooms,
        rows=(3, integer(3, 60)),
        columns=(4, integer(4, 60)),
        door=(1, _or_none(integer(0, 2))),
        goal=((2, 3), instance()),
        gamma=(0.5, GAMMA),
        action_failure=(0.1, CHANCE),
        payment=(Payment.IN_GOAL, one_of(*Payment)),
    ),
    door(
        "goal_grid",
        goal_grid,
        grid=(GRID, instance(grid.Grid)),
        goals=({(2, 3): 0.5}, instance()),
        gamma=(0.5, GAMMA),
        spread=(grid.Spread.ALL_FOUR, one_of(*grid.Spread)),
    ),
    door(
        "Layout",
        _layout,
        side=(4, integer(4)),
        rooms=(layouts.one_goal(4).rooms, instance()),
        thick=(False, FLAG),
    ),
    *(
        door(
            layout.__name__,
            lambda layout=layout, **given: len(layout(**given).rooms),
            side=(5, integer(2, 76)),
        )
        for layout in (layouts.one_goal, layouts.three_corners)
    ),
    door(
        "figure_1_left",
        _drawn(layouts.figure_1_left),
        places=(layouts.Places.TWELVE_GOALS, one_of(*layouts.Places)),
        side=(6, integer(2, 76)),
        rng=(rng, RNG),
    ),
    door(
        "figure_1_right",
        _drawn(layouts.figure_1_right),
        rewards=(layouts.Rewards(), instance(layouts.Rewards, also=(None,))),
        side=(6, integer(4, 76)),
        rng=(rng, RNG),
    ),
    door("Rewards", layouts.Rewards, stable=((77, 79), Kind(_pair)), variable=(2, integer(0, 5))),
    door(
        "TaskList",
        _task_list,
        action_failures=((0.1, 0.1), array(-1, good=unit)),
        pick_up_failure=(0.1, CHANCE),
        values=((0.0, 0.5, 1.0), array(-1, good=unit)),
        base_values=((0.0, 0.5), array(-1, good=unit)),
        copies=(
            {1: 0},
            Kind(lambda value: {} if isinstance(value, dict) and not value else NOTHING),
        ),
        rows=(2, integer(1, 30, quick=5)),
        columns=(2, integer(1, 30, quick=5)),
        gamma=(0.5, GAMMA),
        epsilon=(1.5, EPSILON),
        least_loss=(0.0, number(0, 1.5)),
        weight_offset=(0.05, number(1e-300, INF)),
        tied=(objectworld.Tied.CELL, one_of(*objectworld.Tied)),
        failed=(objectworld.Failed.ANOTHER, one_of(*objectworld.Failed)),
        changes=(objectworld.Changes(), instance(objectworld.Changes)),
    ),
    door(
        "Changes",
        objectworld.Changes,
        **{name: (chance, CHANCE) for name, chance in asdict(objectworld.Changes()).items()},
    ),
    door(
        "items_text",
        objectworld.items_text,
        grid=(grid.Grid(1, 2), instance(grid.Grid)),
        items=(np.array([[0.0, 0.5, 1.0, 0.5]] * 2), array(2, 4)),
    ),
    door(
        "TransferConstants",
        TransferConstants,
        **{
            name: (value, ABOVE_ZERO if name in ("shift", "line_2") else integer(1))
            for name, value in asdict(CHEAPEST).items()
        },
    ),
    door(
        "sequential_transfer as run",
        _as_run,
        setting=(Setting(**{name: good for name, (good, _) in SETTING.items()}), instance(Setting)),
        schedule=(SCHEDULE, instance(as_run.Schedule)),
        rule=(None, instance(also=(None,))),
        switches=(as_run.REPAIRED, Kind(_switches)),
        bounds=(None, instance(as_run.Schedule, also=(None,))),
        fallback=(None, instance(AskEveryPair, also=(None,))),
        repair=(CHEAPEST, instance(TransferConstants)),
        stream=(stream, None),
    ),
    door(
        "objectworld",
        objectworld.objectworld,
        grid=(grid.Grid(1, 2), instance(grid.Grid)),
        items=(np.array([[0.0, 0.5, 1.0, 0.5]] * 2), array(2, 4, good=unit)),
        gamma=(0.5, GAMMA),
        values=((0.0, 0.5, 1.0), array(-1, good=unit)),
        action_failure=(0.1, CHANCE),
        pick_up_failure=(0.2, CHANCE),
    ),
    door(
        "spread_failures",
        objectworld.spread_failures,
        k=(4, integer(1, 2**27, quick=1000)),
        least=(0.1, CHANCE),
        largest=(0.4, CHANCE),
    ),
    door(
        "task_chain",
        chain.task_chain,
        k=(4, integer(1, 11585)),
        success=(0.9, CHANCE),
        cyclic=(False, FLAG),
    ),
    door(
        "chain.task_sequence",
        lambda **given: list(islice(chain.task_sequence(**given), 5)),
        T=(T, array(-1, -1, good=columns_stochastic)),
        rng=(rng, RNG),
        first=(0, integer(0, 1)),
    ),
    door(
        "OnlineTask",
        _online,
        joint=(ONLINE.joint, array(2, 2, 2, 2)),
        u=(U, array(2, good=unit)),
        gamma=(0.5, GAMMA),
        starts=((0,), labels(2, least=1, repeated=True)),
        ends=((1,), labels(2, repeated=True)),
    ),
    door(
        "paid_once",
        lambda **given: episodes.paid_once(**given).joint,
        task=(TASKS[0], instance(ptum.MDP)),
        prize=(np.array([0.0, 0.5]), array(2, good=unit)),
        goals=([1], labels(2, repeated=True)),
    ),
    door(
        "rmax_table",
        rmax.rmax_table,
        S=(2, integer(1, 2**26)),
        A=(2, integer(1, 2**26)),
        gamma=(0.5, GAMMA),
        r_max=(1.0, CHANCE),
    ),
    door(
        "Rmax",
        _rmax,
        task=(ONLINE, instance(episodes.OnlineTask)),
        initial=(
            np.full((2, 2), 2.0),
            array(2, 2, good=lambda found: bool((abs(found) <= 1e100).all())),
        ),
        m=(2, integer(1)),
    ),
    door("Pel", _pel, known=(KNOWN, instance(pel.KnownModels)), delta=(0.1, DELTA)),
    door("maxqinit_table", rmax.maxqinit_table, tasks=(TASKS, instance())),
    door(
        "Schedule",
        as_run.Schedule,
        start_up=(3, integer(1)),
        per_pair=(2, integer(1)),
        n_post=(1, integer(1)),
        decay=(5, integer(1)),
        rho=(0.1, ABOVE_ZERO),
        last_rho=(0.01, ABOVE_ZERO),
        rho_T=(0.01, ABOVE_ZERO),
        both=(False, FLAG),
        shape=(as_run.Decay.LINEAR, one_of(*as_run.Decay)),
        logarithm=(True, FLAG),
    ),
    door("UniformPerPair", as_run.UniformPerPair, per_pair=(2, integer(1))),
    door(
        "from_gymnasium",
        _gymnasium,
        env=(ENV, instance(SimpleNamespace)),
        gamma=(0.5, GAMMA),
        rewards=((0.0, 2.0), _or_none(array(2))),
    ),
)
