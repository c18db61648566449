"""A whole run of Algorithm 1: the subject asks for samples, the judge replays what it did."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

import numpy as np

from ptum.checks.engine import asked
from ptum.checks.engine.blocks import BlockSimulator
from ptum.checks.engine.ptum import transfer_mode
from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.cases.tasks import (
    apart_everywhere,
    bandit,
    certain_bandit,
    discrete_bandit,
    even_spreads,
    exits,
    move_or_payment,
    moves,
    two_orders,
    two_reasons,
    unlike_chances,
    unlike_shifts,
    unlike_spreads,
)
from ptum.checks.judge.judging.items import LINE_14, QUERIES
from ptum.checks.judge.judging.readings import Capability, Case, Finding, Judge, Reading, Sampler
from ptum.checks.judge.judging.replay import (
    READINGS,
    Ending,
    InputLine,
    ReplayedRun,
    first_divergence,
    reported,
    require_pairs,
)
from ptum.checks.judge.messages.fields import (
    ANY,
    ERRORS_FIELD,
    MODEL_FIELDS,
    Field,
    MalformedError,
    actions,
    integers,
)
from ptum.checks.judge.messages.parsing import (
    as_errors,
    as_models,
    errors_fields,
    mapping,
    models_of,
    number,
    only_error,
    task_fields,
    whole,
)
from ptum.checks.judge.messages.transcript import Asked, Exchange, Fields
from ptum.checks.judge.plain import views
from ptum.checks.judge.plain.algorithm_1 import (
    ActiveValues,
    Algorithm1,
    EighteenForFour,
    Sample,
    SingleDelta,
)
from ptum.reference.arrays import Floats
from ptum.reference.errors import InputError
from ptum.reference.repaired.transfer.ptum import ptum as repaired_ptum
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, deterministic_rewards
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.ptum import End, PtumResult, ptum
from ptum.reference.transfer.stopping import enters_transfer_mode, stopping_slack

FLAGS: Mapping[str, str] = MappingProxyType(
    {
        "stop-at-once": "line 14 stops in iteration 1, before any query",
        "k=1": "a single model",
        "no-transfer": "line 2 sends the run to the fallback, so nothing is asked",
        "equality": "a loss equals the slack of line 14 in exact arithmetic",
        "near": "a loss that is close to the slack of line 14, yet far beyond rounding",
        "between-thresholds": "Δ lies between the repaired and the printed threshold of line 2",
        "budget": "n is too small to stop",
        "last-sample": "the sample of iteration n decides, if it is used",
        "index-zero": "every index is zero while line 14 does not stop",
        "empty": "the task is none of the models, so that all of them are eliminated",
        "tie": "several pairs have the largest index",
        "zero-variance": "rewards and transitions are deterministic",
        "four-errors": "the four errors of Assumption 1 differ",
        "gamma=0": "no discounting beyond the first reward",
        "gamma-near-1": "γ = 0.9999",
        "transitions": "models differ in transitions only",
        "eliminated-values": "the value of an eliminated model tells the others apart sooner",
        "deviations": "models differ most in their deviations",
        "value-deviations": "equation (4) decides, long before equation (2) could",
        "would-return": "a model that was eliminated would pass all tests again later",
        "planning": "policy or value iteration that ends early has another policy",
        "eliminated-policy": "the policy of an eliminated model is good in all that are active",
        "many-samples": "a model is eliminated after more than 200 samples of one pair",
        "drawn": "drawn at random from the seed",
    }
)


# The judge


def judge(request: Fields, answer: Fields, queries: Sequence[Asked]) -> Judge:
    """Replay the queries of a run in every reading."""
    models = models_of(request)
    inputs = InputLine(
        models,
        as_errors(mapping(request, "errors")),
        number(request, "epsilon"),
        number(request, "delta"),
        whole(request, "n"),
    )
    require_pairs(queries, models.S, models.A)
    run = ReplayedRun(inputs, queries, _ending(answer, models.S, models.A))
    miscounted = _miscounted(answer, len(queries))

    def wrong(reading: Reading) -> Finding | None:
        return first_divergence(run, reading) or _equality_passed_over(run) or miscounted

    return wrong


def _equality_passed_over(run: ReplayedRun) -> Finding | None:
    """Line 14 in iteration 1, where all models are active and a loss may equal the slack (D14).

    Only where nothing is rounded, in whatever order it is computed: γ = 0, and every number is a
    multiple of 2⁻²⁰.
    """
    inputs, models = run.inputs, run.inputs.models
    given = [np.array([inputs.epsilon, inputs.errors.Delta])]
    given += [table.ravel() for task in models.tasks for table in (task.q, task.u)]
    if not run.queries or models.gamma > 0 or np.any(np.concatenate(given) * 2**20 % 1):
        return None
    slack = stopping_slack(inputs.epsilon, inputs.errors.Delta, models.gamma)
    worst = np.max(models.V_star[:, np.newaxis] - models.V_pi, axis=(0, 2))
    theta, first = int(np.argmin(worst)), run.queries[0]
    if worst[theta] > slack:
        return None
    why = f"it loses {worst[theta]:.9g}, the slack is {slack:.9g}"
    expected = f"a stop with the policy of model {theta}: {why}"
    return Finding(LINE_14, "iteration 1", expected, f"a query of ({first.s},{first.a})")


def _miscounted(answer: Fields, asked: int) -> Finding | None:
    """The optional number of queries."""
    if answer.get("queries") is None:
        return None
    said = int(integers(answer, "queries", ()))
    return None if said == asked else Finding(QUERIES, "queries", f"{asked}", f"{said}")


def _ending(answer: Fields, S: int, A: int) -> Ending:
    if "policy" not in answer:
        raise MalformedError("the answer has no field 'policy'; null stands for none")
    policy = None
    if answer["policy"] is not None:
        policy = tuple(actions(answer, "policy", S, A).tolist())
    end, eliminated, theta = (answer.get(name) for name in ("end", "eliminations", "theta"))
    known = [end.value for end in End]
    if end is not None and end not in known:
        raise MalformedError(f"end must be one of {known}")
    if theta is not None and (not isinstance(theta, int) or isinstance(theta, bool)):
        raise MalformedError("theta must be the label of a model, or null")
    return Ending(
        policy,
        None if end is None else str(end),
        None if eliminated is None else reported(eliminated),
        theta,
    )


# Conforming implementations


def _version(of: Callable[..., PtumResult]) -> Implementation:
    """A function of `reference` as an implementation."""

    def run(
        models: Sequence[Mapping[str, Floats]],
        gamma: float,
        errors: Mapping[str, float],
        sample: Sample,
        **numbers: float,
    ) -> dict[str, object]:
        Delta = as_errors(errors)
        return _answer(of(as_models(models, gamma), _Asking(sample), Delta=Delta, **numbers))

    return run


@dataclass(frozen=True)
class _Asking:
    """The judge's `sample` as a generative model."""

    ask: Sample

    def sample(self, s: int, a: int) -> tuple[float, int]:
        return self.ask(s, a)


def _answer(run: PtumResult) -> dict[str, object]:
    eliminated = [
        {
            "t": gone.t,
            "theta": gone.theta,
            "equation": gone.equation,
            "s": gone.s,
            "a": gone.a,
            "theta_prime": gone.theta_prime,
        }
        for gone in run.eliminations
    ]
    policy = None if run.policy is None else run.policy.tolist()
    end = run.end.value
    return {"policy": policy, "end": end, "eliminations": eliminated, "queries": run.queries}


class _LastTie(Algorithm1):
    """The last of tied pairs (D06), and the last good policy (D07)."""

    def chosen(self, tied: list[list[int]]) -> tuple[int, int]:
        s, a = tied[-1]
        return s, a

    def returned(self, good: list[int]) -> int:
        return good[-1]


class _LeastSampled(Algorithm1):
    """The least sampled of tied pairs (D06); eliminations are not reported."""

    def chosen(self, tied: list[list[int]]) -> tuple[int, int]:
        s, a = min(tied, key=lambda pair: len(self.data.get((pair[0], pair[1]), [])))
        return s, a

    def end(self, end: str, theta: int | None = None) -> dict[str, object]:
        return {"policy": super().end(end, theta)["policy"]}


class _GivesUp(Algorithm1):
    """An index of zero ends the run (D18)."""

    ends_at_zero_index = True


class _LastSample(Algorithm1):
    """One more test after the last iteration (D22)."""

    last_sample_used = True


class _HalfDelta(Algorithm1):
    """δ/2 for the transfer phase (D25)."""

    def log_term(self, factor: int) -> float:
        return super().log_term(2 * factor)


CONFORMING: Mapping[str, Implementation] = MappingProxyType(
    {
        "literal": _version(ptum),
        "repaired": _version(repaired_ptum),
        "fast": _version(partial(ptum, lines_3_21=asked.transfer_mode)),
        "fast-repaired": _version(partial(repaired_ptum, lines_3_21=asked.repaired_transfer_mode)),
        "plain": views.ptum(Algorithm1),
        "single-error": views.ptum(SingleDelta),
        "active-values": views.ptum(ActiveValues),
        "last-tie": views.ptum(_LastTie),
        "least-sampled": views.ptum(_LeastSampled),
        "gives-up-at-zero": views.ptum(_GivesUp),
        "last-sample": views.ptum(_LastSample),
        "half-delta": views.ptum(_HalfDelta),
        "18-for-4": views.ptum(EighteenForFour),
    }
)


class _Noted(BlockSimulator):
    """Samples in blocks; those that the engine uses are the queries of its run."""

    def __init__(self, theta: MDP, seed: int) -> None:
        super().__init__(theta, seed)
        self.queries: list[Asked] = []

    def take(self, s: int, a: int, size: int) -> None:
        """Note what is used up."""
        rewards, successors = self.peek(s, a, size)
        used = zip(self.theta.u[rewards].tolist(), successors.tolist(), strict=True)
        self.queries += [Asked(0, s, a, reward, successor) for reward, successor in used]
        super().take(s, a, size)


def engine_exchange(case: Case) -> Exchange:
    """The fast engine on the task behind a case; it draws samples in blocks, so it cannot ask."""
    if not isinstance(case.sampler, TaskBehind):
        raise TypeError(f"{case.id} has no task behind it")
    models, errors = models_of(case.input), as_errors(mapping(case.input, "errors"))
    epsilon, delta = number(case.input, "epsilon"), number(case.input, "delta")
    simulator = _Noted(case.sampler.theta, case.sampler.seed)
    answer: Fields = {"policy": None, "end": End.MODELS_TOO_INACCURATE.value}
    if enters_transfer_mode(errors.Delta, epsilon, models.gamma):
        n = whole(case.input, "n")
        run = transfer_mode(models, simulator, epsilon=epsilon, delta=delta, n=n, errors=errors)
        answer = _answer(run)
    return Exchange(case.id, "ptum", case.input, answer, None, tuple(simulator.queries))


# Cases


def _case(
    name: str,
    models: Sequence[MDP],
    target: MDP,
    *flags: str,
    epsilon: float = 0.4,
    delta: float = 0.1,
    n: int = 400,
    errors: ModelErrors | float = 0.0,
    seed: int = 1,
) -> Case:
    of = errors if isinstance(errors, ModelErrors) else single(errors)
    request: Fields = {
        "models": [task_fields(model) for model in models],
        "gamma": models[0].gamma,
        "errors": errors_fields(of),
        "epsilon": epsilon,
        "delta": delta,
        "n": n,
    }
    return Case(f"ptum/{name}", request, flags, TaskBehind(target, seed))


@dataclass(frozen=True, eq=False)
class TaskBehind:
    """The task behind a case, with the seed of its answers."""

    theta: MDP
    seed: int

    def __call__(self) -> Sampler:
        simulator = Simulator(self.theta, self.seed)

        def sample(h: int, s: int, a: int) -> tuple[float, int]:
            if h != 0:
                raise InputError("h", "there is a single task: h is 0 or left out", value=h)
            return simulator.sample(s, a)

        return sample


def _arms(gamma: float, *means: tuple[float, ...]) -> tuple[MDP, ...]:
    return tuple(bandit(gamma, *row) for row in means)


def _certain(gamma: float, *rewards: tuple[float, ...]) -> tuple[MDP, ...]:
    return tuple(certain_bandit(gamma, *row) for row in rewards)


def _two_states(stay: float, gamma: float = 0.5) -> MDP:
    """Action 0 stays with the given probability, action 1 leaves with it; state 1 pays."""
    p = np.array([[[stay, 1 - stay], [1 - stay, stay]], [[1 - stay, stay], [stay, 1 - stay]]])
    return deterministic_rewards(p, np.array([[0.0, 0.0], [1.0, 1.0]]), gamma)


def _spread(means: tuple[float, ...], half_width: float) -> MDP:
    """One state; every arm pays its mean plus or minus the half width, with γ = 0."""
    u = np.array(sorted({x for mean in means for x in (mean - half_width, mean + half_width)}))
    q = np.zeros((1, len(means), u.size))
    for a, mean in enumerate(means):
        for side in (mean - half_width, mean + half_width):
            q[0, a, np.searchsorted(u, side)] += 0.5
    return MDP(np.ones((1, len(means), 1)), q, u, 0.0)


def _three(p_to_1: tuple[float, float, float], gamma: float = 0.5) -> MDP:
    """Three states in a ring, deterministic rewards; action 0 moves on, action 1 may not."""
    p = np.zeros((3, 2, 3))
    for s in range(3):
        p[s, 0, (s + 1) % 3] = 1.0
        p[s, 1, (s + 1) % 3], p[s, 1, s] = p_to_1[s], 1 - p_to_1[s]
    return deterministic_rewards(p, np.array([[0.0, 0.1], [0.5, 0.4], [1.0, 0.8]]), gamma)


def _fork(up: float, pays: float) -> MDP:
    """From state 0 to the state that pays or to the one that does not, and back."""
    p = np.zeros((3, 2, 3))
    p[0, :, 1], p[0, :, 2] = (up, 1 - up), (1 - up, up)
    p[1:, :, 0] = 1.0
    return deterministic_rewards(p, np.array([[0.0, 0.0], [pays, pays], [0.0, 0.0]]), 0.5)


def _corner(first: float, second: float) -> MDP:
    """One of two deterministic rewards in state 1 is better; no choice in state 0. γ = 0."""
    p = np.zeros((2, 2, 2))
    p[:, :, 0] = 1.0
    return deterministic_rewards(p, np.array([[0.5, 0.5], [first, second]]), 0.0)


def _mixed(mean: float, certain: float) -> MDP:
    """One arm pays 0 or 1, the other a certain amount. γ = 0."""
    q = np.array([[[1 - mean, mean, 0.0], [0.0, 0.0, 1.0]]])
    return MDP(np.ones((1, 2, 1)), q, np.array([0.0, 1.0, certain]), 0.0)


def _fading(first: float, pays: tuple[float, float]) -> MDP:
    """State 0 leads to state 1 or 2; these pay 1 with some probability; then all is over. γ = 1/2.

    The second action of state 1 pays with probability 0.671875.
    """
    p = np.zeros((4, 2, 4))
    p[0, :, 1], p[0, :, 2], p[1:, :, 3] = first, 1 - first, 1.0
    r = np.array([[0.0, 0.0], [pays[0], 0.671875], [pays[1], pays[1]], [0.0, 0.0]])
    return bernoulli_rewards(p, r, 0.5)


def _unlike_values() -> tuple[MDP, MDP]:
    """The values of states 1 and 2 lie 22/64 apart in the first model, 19/64 in the second.

    Pair (1,0) tells most, by its reward; state 0 tells 14 % less. With the deviation of the other
    model's value it would seem to tell 15 % more.
    """
    return _fading(0.5, (0.6875, 0.34375)), _fading(0.53125, (0.65625, 0.375))


def _certain_or_noisy() -> tuple[MDP, MDP]:
    """A certain arm tells 15/64, less than the 1/4 of a noisy one; if 8Δ = 1/16, it tells more."""
    one, other = (
        discrete_bandit(0.0, {0.0: 1 - x, 1.0: x}, {certain: 1.0})
        for x, certain in ((0.625, 0.40625), (0.375, 0.640625))
    )
    return one, other


def _returning() -> tuple[MDP, MDP, MDP]:
    """A fair arm between models of it near 1 and near 0; the other arms tell little."""
    means = (0.5, 0.5), (0.96875, 0.5), (0.03125, 0.625)
    one, above, below = (
        discrete_bandit(0.0, {0.0: 1 - x, 1.0: x}, {0.5625: 1.0}, {0.0: 1 - y, 1.0: y})
        for x, y in means
    )
    return one, above, below


def _value_deviations() -> Iterator[Case]:
    """Next states worth 2 or 0, equally probable, or surely one between: equation (4) first.

    The second action has a value between those of the first, so that the two models differ in
    what is best.
    """
    flags = "transitions", "value-deviations"
    pair = _spread_or_sure(0.53)
    for theta, target in enumerate(pair):
        name = f"value-deviations-{theta}"
        yield _case(name, pair, target, *flags, epsilon=0.01, n=150)
    # The spread by the values of the other model is larger by a part in 20
    unlike = _spread_or_sure(0.5625, best=61 / 64)[0], _spread_or_sure(0.5625)[1]
    name = "other-value-deviations"
    yield _case(name, unlike, unlike[1], *flags, epsilon=0.01, delta=0.5, n=110)
    apart = _spread_or_sure(0.75)
    blurred = only_error("sigma_p", 0.0025)
    name, target = "value-deviations-error", apart[1]
    flagged = (*flags, "four-errors")
    yield _case(name, apart, target, *flagged, epsilon=0.137, errors=blurred, n=147)
    blurred = only_error("sigma_p", 0.01)
    name = "value-deviations-large-error"
    yield _case(name, apart, target, *flagged, epsilon=0.137, errors=blurred, n=200)


def _spread_or_sure(middle: float, best: float = 1.0) -> tuple[MDP, MDP]:
    rewards, between = (best, 0.0, middle), (0.25 + middle / 2, 0.75 - middle / 2, 0.0)
    spread = exits((0.5, 0.5, 0.0), between, rewards)
    return spread, exits((0.0, 0.0, 1.0), between, rewards)


THREE_ARMS = _arms(0.5, (0.5, 0.2, 0.2), (0.5, 0.9, 0.2), (0.5, 0.2, 0.9))
CERTAIN_ARMS = _certain(0.0, (1.0, 0.0), (0.0, 1.0))
MOVES = _two_states(0.9), _two_states(0.1)
NEAR = 2**-17
"""How far a loss that is close to the slack stays from it."""


def _edge_cases() -> Iterator[Case]:
    """Cases with a name, the same for every seed."""
    yield from _beginnings()
    yield from _ends()
    yield from _unlike_errors()
    yield from _deviations()
    yield from _long_horizons()
    yield from _values()
    yield from _certain_rewards()
    yield from _value_deviations()
    yield from _last_cases()


def _beginnings() -> Iterator[Case]:
    """Line 2 from both sides, and runs that stop before the first query."""
    three = THREE_ARMS
    for theta, target in enumerate(three):
        yield _case(f"three-arms-{theta}", three, target)
    yield _case("one-model", three[:1], three[0], "k=1", "stop-at-once")
    yield _case("twins", (three[1], three[1]), three[1], "stop-at-once")
    orders = two_orders()
    yield _case("rewards-in-two-orders", orders, orders[0], "stop-at-once", epsilon=0.125)
    yield _case("generous-epsilon", three, three[0], "stop-at-once", epsilon=1.5)
    yield _case("infinite-error", three, three[0], "no-transfer", errors=float("inf"))
    yield _case("epsilon-zero", three, three[0], "no-transfer", epsilon=0.0)
    yield _case("too-inaccurate", three, three[0], "no-transfer", errors=0.05)
    moved = only_error("p", 0.04)
    yield _case("too-inaccurate-in-p", three, three[0], "no-transfer", errors=moved)
    for name in ("sigma_r", "sigma_p"):
        unsure, slug = only_error(name, 0.04), name.replace("_", "-")
        yield _case(f"too-inaccurate-in-{slug}", three, three[0], "no-transfer", errors=unsure)
    yield _case("between", three, three[1], "between-thresholds", errors=0.02)
    yield _case("below-both", three, three[1], errors=0.004)


def _ends() -> Iterator[Case]:
    """Runs that end in other ways than by line 14, or just do not."""
    three, certain = THREE_ARMS, CERTAIN_ARMS
    yield _case("n-1", three, three[0], "budget", n=1)
    yield _case("n-9", three, three[0], "budget", n=9)
    yield _case("n-23", certain, certain[0], "budget", "last-sample", "gamma=0", epsilon=0.5, n=23)
    yield _case("n-24", certain, certain[0], "zero-variance", "gamma=0", epsilon=0.5, n=24)
    silent = _certain(0.9, (0.0, 0.59, 0.5), (0.0, 0.5, 0.59))
    yield _case("silent", silent, silent[0], "index-zero", epsilon=1.0, errors=0.012, n=40)
    yield _case("stranger", certain, _certain(0.0, (0.5, 0.5))[0], "empty", "gamma=0")
    opposed = _arms(0.0, (0.9, 0.1, 0.9, 0.1), (0.1, 0.9, 0.1, 0.9))
    yield _case("tied-arms", opposed, opposed[1], "tie", "gamma=0")


def _unlike_errors() -> Iterator[Case]:
    """Transitions to tell apart, and errors in one place or another."""
    three, certain = THREE_ARMS, CERTAIN_ARMS
    for theta, target in enumerate(MOVES):
        yield _case(f"moves-{theta}", MOVES, target, "transitions")
    on_sigma = ModelErrors(r=0.01, p=0.0, sigma_r=0.02, sigma_p=0.0)
    yield _case("four-errors-p", MOVES, MOVES[0], "transitions", "four-errors", errors=on_sigma)
    apart = only_error("sigma_p", 0.04)
    yield _case(
        "four-errors-certain", certain, certain[0], "four-errors", epsilon=0.9, errors=apart
    )
    on_p = only_error("p", 0.01)
    yield _case("four-errors-r", three, three[1], "four-errors", epsilon=0.7, errors=on_p)
    blurred = _arms(0.5, (0.52, 0.18, 0.21), (0.49, 0.88, 0.22), (0.5, 0.2, 0.9))
    yield _case("approximate", blurred, three[1], errors=0.005)


def _deviations() -> Iterator[Case]:
    """Equation (3) decides; then three states in a ring."""
    narrow, wide = _spread((0.5, 0.45), 0.02), _spread((0.45, 0.5), 0.4)
    yield _case("deviations", (narrow, wide), wide, "deviations", "gamma=0", epsilon=0.01, n=400)
    unsure = only_error("sigma_r", 0.0027)
    flags = "deviations", "gamma=0", "four-errors"
    yield _case("deviations-error", (narrow, wide), wide, *flags, epsilon=0.05, errors=unsure)
    elsewhere = only_error("p", 0.0027)
    name = "deviations-other-error"
    yield _case(name, (narrow, wide), wide, *flags, epsilon=0.05, errors=elsewhere)
    ring = _three((1.0, 0.5, 0.0)), _three((0.0, 0.5, 1.0)), _three((0.5, 0.0, 0.5))
    for theta, target in enumerate(ring[:2]):
        yield _case(f"ring-{theta}", ring, target, "transitions", epsilon=0.05)


def _long_horizons() -> Iterator[Case]:
    far = _certain(0.9999, (1.0, 0.0), (0.0, 1.0))
    yield _case("far-sighted", far, far[1], "gamma-near-1", "zero-variance", epsilon=100.0)
    slow = _two_states(0.9, 0.9999), _two_states(0.1, 0.9999)
    yield _case("slow", slow, slow[0], "gamma-near-1", "budget", epsilon=50.0, n=30)


def _values() -> Iterator[Case]:
    """Values of other models, and an error of transitions alone."""
    fork = _fork(0.9, 0.6), _fork(0.1, 0.6), _fork(0.5, 1.0)
    for theta, target in enumerate(fork[:2]):
        yield _case(f"fork-{theta}", fork, target, "eliminated-values", epsilon=0.1)
    last = _fork(0.9, 0.6), _fork(0.1, 0.6), _fork(0.9, 1.0)
    yield _case("last-value-decides", last, last[1], "transitions", epsilon=0.1)
    on_p_alone = only_error("p", 0.02)
    yield _case("error-in-p", MOVES, MOVES[1], "transitions", errors=on_p_alone)


def _certain_rewards() -> Iterator[Case]:
    """Rewards that can be followed by hand, with γ = 0."""
    safe = _certain(0.0, (0.5, 0.45), (0.0, 0.45))
    yield _case("second-is-safe", safe, safe[0], "gamma=0", "stop-at-once", epsilon=0.2)
    four = _certain(0.0, (0.0, 0.0, 0.3), (0.0, 0.0, 0.3), (0.0, 0.55, 0.3), (0.6, 0.55, 0.3))
    yield _case("four-certain", four, four[2], "gamma=0", "zero-variance", epsilon=0.04, n=60)
    corner = _corner(0.2, 0.6), _corner(0.6, 0.2)
    yield _case("corner", corner, corner[1], "gamma=0", epsilon=0.1)
    shift = _mixed(0.4, 0.5), _mixed(0.6, 0.359)
    yield _case("shifted", shift, shift[0], "budget", "gamma=0", epsilon=0.1, errors=0.01, n=6)


def _last_cases() -> Iterator[Case]:
    """Line 18 with an error in both gaps; rewards without variance; slack and order of models."""
    unlike = unlike_shifts()
    of_p = "transitions", "budget"
    yield _case("unlike-shifts", unlike, unlike[0], *of_p, epsilon=0.11, errors=0.002, n=6)
    fixed = _certain(0.5, (0.9, 0.6, 0.1), (0.1, 0.6, 0.9), (0.6, 0.9, 0.1))
    yield _case("certain", fixed, fixed[2], "zero-variance", epsilon=0.15)
    lost = _certain(0.0, (0.90625, 0.0), (0.0, 0.90625))
    name = "stop-within-slack"
    yield _case(name, lost, lost[0], "stop-at-once", "gamma=0", epsilon=1.0, errors=0.03125)
    ordered = (
        discrete_bandit(0.5, {0.0: 0.5, 1.0: 0.5}, {0.0: 1.0}, {0.4375: 1.0}),
        discrete_bandit(0.5, {0.375: 1.0}, {0.09375: 1.0}, {0.5: 1.0}),
    )
    yield _case("second-order", ordered, ordered[0], "budget", epsilon=0.0625, n=4)
    chances = unlike_chances()
    yield _case("unlike-chances", chances, chances[0], *of_p, epsilon=0.01, n=3)
    unlike = _unlike_values()
    yield _case("unlike-values", unlike, unlike[0], "budget", epsilon=0.01, n=3)
    between, flags = _returning(), ("would-return", "gamma=0")
    yield _case("would-return", between, between[0], *flags, epsilon=0.05, n=200, seed=190)
    yield from _slips_of_the_index()
    yield from _close_to_the_slack()
    lost = apart_everywhere(0.5)
    yield _case("loss-in-every-state", lost, lost[0], "stop-at-once", epsilon=1.5)
    yield from _rare()
    yield from _many_samples()


def _lottery(first: float) -> MDP:
    """From state 0 to state 1, which pays 1, or to state 2, and back. γ = 1/8.

    Its second action leads to state 1 with probability 3/8.
    """
    p = np.zeros((3, 2, 3))
    p[0, :, 1], p[0, :, 2], p[1:, :, 0] = (first, 0.375), (1 - first, 0.625), 1.0
    return deterministic_rewards(p, np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 0.0]]), 0.125)


def _corridor() -> MDP:
    """Four states in a row; staying pays a little, moving on pays at the end alone. γ = 7/8."""
    p = moves([0, 1], [1, 2], [2, 3], [3, 3])
    r = np.array([[0.0625, 0.0], [0.0625, 0.0], [0.0625, 0.0], [1.0, 1.0]])
    return deterministic_rewards(p, r, 0.875)


def _late_advantage() -> MDP:
    """1/2 now, or for ever what is worth 1/2 and 2⁻¹¹ more; γ = 0.99 makes that late to see."""
    later = (0.5 + 2.0**-11) * (1 - 0.99) / 0.99
    p = moves([1, 2], [1, 1], [2, 2])
    r = np.array([[0.5, 0.0], [0.25, 0.25], [0.25 + later, 0.25 + later]])
    return deterministic_rewards(p, r, 0.99)


def _rare() -> Iterator[Case]:
    """Runs that differ only where planning, line 14 or the index meets something rare."""
    for name, task in (("corridor", _corridor()), ("late-advantage", _late_advantage())):
        yield _case(name, (task,), task, "k=1", "stop-at-once", "planning", epsilon=0.01, n=1)
    # two models differ by 0.8 at the second arm, and from the third by 0.6 at the first
    odd, high, low = (0.0, 0.5), (0.6, 0.9), (0.6, 0.1)
    flags = "gamma=0", "zero-variance", "budget"
    orders = {"first": (odd, high, low), "middle": (high, odd, low), "last": (high, low, odd)}
    for place, rewards in orders.items():
        models = _certain(0.0, *rewards)
        yield _case(f"odd-one-{place}", models, models[0], *flags, epsilon=0.05, n=2)
    # the policy of model 2 is good in models 0 and 1, and bad in model 3
    safe = _certain(
        0.0, (0.7, 0.0, 0.6, 0.0), (0.0, 0.7, 0.6, 0.0), (0.0, 0.0, 0.9, 0.8), (0.0, 0.0, 0.2, 0.8)
    )
    flags = "gamma=0", "zero-variance", "eliminated-policy"
    yield _case("eliminated-policy", safe, safe[0], *flags, epsilon=0.3, n=100)
    inexact = THREE_ARMS, THREE_ARMS[1]
    between = "between-thresholds", "budget"
    yield _case("between-16-and-18", *inexact, *between, errors=0.0078, n=2)
    narrow = (
        discrete_bandit(0.5, {15 / 32: 0.5, 17 / 32: 0.5}, {0.0: 0.51171875, 1.0: 0.48828125}),
        discrete_bandit(
            0.5, {15 / 32: 0.4375, 17 / 32: 0.5625}, {0.0: 0.486328125, 1.0: 0.513671875}
        ),
    )
    yield _case("narrow-rewards", narrow, narrow[0], "budget", epsilon=0.01, n=2)
    # both indices are below 10⁻⁶, and the second is the larger
    gap, of_noisy = 2.0**-20, 26 * 2.0**-16
    tiny = (
        discrete_bandit(0.5, {0.0: 0.5, 1.0: 0.5}, {0.5 + gap: 1.0}),
        discrete_bandit(0.5, {0.0: 0.5 - of_noisy, 1.0: 0.5 + of_noisy}, {0.5: 1.0}),
    )
    yield _case("tiny-gap", tiny, tiny[0], "budget", epsilon=1e-6, n=2)


def _many_samples() -> Iterator[Case]:
    """How many samples decide, and all of them."""
    # 7 log(16n·3/δ)/3 is less than 26 times the difference for n = 30, and more for n = 31
    exact, flags = (
        _certain(0.0, (0.861328125, 0.0), (0.0, 0.861328125)),
        ("zero-variance", "gamma=0"),
    )
    yield _case("n-30", exact, exact[0], *flags, epsilon=0.5, n=30)
    # 18 samples are enough, and 19 with δ/2
    yield _case("n-20", CERTAIN_ARMS, CERTAIN_ARMS[0], *flags, epsilon=0.5, delta=0.95, n=20)
    alike, flags = _arms(0.0, (0.5, 0.375), (0.25, 0.375)), ("many-samples", "gamma=0")
    yield _case("many-samples", alike, alike[0], *flags, epsilon=0.0625, n=400)
    # the first samples are unlike the rest: what the last 512 of them say is something else
    name, alike = "very-many-samples", _arms(0.0, (0.5, 0.375), (0.328125, 0.375))
    yield _case(name, alike, alike[0], *flags, epsilon=0.04, n=560, seed=124)
    # the same for next states: what the last 500 of 600 say comes sooner
    alike, flags = (_lottery(0.5), _lottery(0.32)), ("many-samples", "transitions")
    yield _case("many-next-states", alike, alike[0], *flags, epsilon=0.004, n=800)


def _slips_of_the_index() -> Iterator[Case]:
    """One pair tells by its transitions and one by its rewards, and a slip exchanges the two."""
    reasons = two_reasons()
    yield _case("two-reasons", reasons, reasons[0], "budget", "gamma=0", epsilon=0.1, n=3)
    either, inexact = move_or_payment(), only_error("p", 1 / 256)
    flags = "budget", "gamma=0", "four-errors"
    yield _case("move-or-payment", either, either[0], *flags, epsilon=0.1, errors=inexact, n=3)
    spread = unlike_spreads()
    yield _case("unlike-spreads", spread, spread[0], "budget", "gamma=0", epsilon=0.01, n=3)
    even = even_spreads()
    yield _case("even-spreads", even, even[0], "budget", epsilon=0.005, n=3)
    arms = _certain_or_noisy()
    for name in ("sigma_r", "sigma_p"):
        unsure, slug = only_error(name, 1 / 128), f"certain-or-noisy-{name.replace('_', '-')}"
        yield _case(slug, arms, arms[0], *flags, epsilon=0.16, errors=unsure, n=3)


def _close_to_the_slack() -> Iterator[Case]:
    """Line 14 with a loss that is a little larger than the slack, a little smaller, or equal."""
    unsure, slack = only_error("sigma_r", 1 / 64), 0.5 - 2 / 64
    above, below, same = (
        _certain(0.0, (loss, 0.0), (0.0, loss)) for loss in (slack + NEAR, slack - NEAR, 0.25)
    )
    yield _case(
        "just-too-much",
        above,
        above[0],
        "near",
        "gamma=0",
        "budget",
        epsilon=0.5,
        errors=unsure,
        n=1,
    )
    flags = "gamma=0", "stop-at-once"
    yield _case(
        "just-not-too-much", below, below[0], "near", *flags, epsilon=0.5, errors=unsure, n=1
    )
    yield _case("equality", same, same[0], "equality", *flags, epsilon=0.25, n=1)


def _drawn_cases(seed: int) -> Iterator[Case]:
    """Small sets of Bernoulli tasks that differ enough for few samples."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(10,)))
    for number_of_case in range(1, 4):
        S, A, k = (int(rng.integers(low, high)) for low, high in ((1, 4), (2, 4), (2, 5)))
        tasks = [
            bernoulli_rewards(
                rng.dirichlet(np.full(S, 0.4), size=(S, A)), rng.beta(0.4, 0.4, size=(S, A)), 0.5
            )
            for _ in range(k)
        ]
        target = tasks[int(rng.integers(k))]
        name, start = f"drawn-{seed}-{number_of_case}", int(rng.integers(2**31))
        yield _case(name, tasks, target, "drawn", epsilon=0.5, seed=start)


def cases(seed: int) -> Iterator[Case]:
    """Edge cases, then drawn ones."""
    yield from _edge_cases()
    yield from _drawn_cases(seed)


def tolerance(_: Fields) -> dict[str, float]:
    """No real number is returned: decisions that rounding could turn are decided either way."""
    return {}


CAPABILITY = Capability(
    name="ptum",
    item="algorithm-1",
    says="run Algorithm 1 without a fallback: ask for samples, and return the policy or null",
    input=(
        *MODEL_FIELDS,
        ERRORS_FIELD,
        Field("epsilon", "real", (), "accuracy, from 0 on"),
        Field("delta", "real", (), "failure probability in (0, 1)"),
        Field("n", "integer", (), "budget"),
    ),
    output=(
        Field("policy", "integer", ("S",), "an action for every state, or null", nullable=True),
        Field("end", "text", (), f"one of {', '.join(End)}", optional=True),
        Field(
            "eliminations",
            "list of objects",
            (ANY,),
            "objects with iteration t, model theta and, together or not at all, equation, s and a, "
            "with theta_prime for equations (2) and (4)",
            optional=True,
        ),
        Field(
            "theta",
            "integer",
            (),
            "the model whose policy is returned, or null",
            optional=True,
            nullable=True,
        ),
        Field(
            "queries",
            "integer",
            (),
            "how many queries the run has made",
            optional=True,
            nullable=True,
        ),
    ),
    readings=READINGS,
    cases=cases,
    judge=judge,
    tolerance=tolerance,
    flags=FLAGS,
    notes=(
        "iteration t comes before the t-th query and knows the t-1 samples so far: line 12, then "
        "line 14, then the query; so a run may end without one",
        "`stopped` is the end by line 14, with an optimal policy of a model that passes; with "
        "every other end the policy is null, since there is no fallback",
        "`models-too-inaccurate` is the end by line 2 (as printed or repaired, see `stopping`), "
        "before any query; `budget-exhausted` comes after n queries, `active-set-empty` when line "
        "12 has dropped every model, `index-zero` when every index is zero (D18, “fall back”)",
        "`eliminations` lists every model that line 12 dropped, with its iteration; the test "
        "that is named with it is any that fails, and theta_prime is null for equations (1) and "
        "(3)",
    ),
    samples=True,
)
