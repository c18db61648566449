"""Algorithm 1, lines 2 and 14: is the transfer mode entered, and whose policies may be returned?

Line 2 has two readings: the printed threshold, and the repaired one (errata E01 and E12), where
equality may enter or fall back (D24). Line 14
is the same in both. Where a model has several optimal policies, each may stand for π̃*_θ (D17), so
a model whose optimal policies differ in other models may be listed or not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

import numpy as np

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.capabilities.tasks.optimal import ties_to_the_last as last_optimal
from ptum.checks.judge.cases import tasks
from ptum.checks.judge.cases.tasks import (
    FlaggedModels,
    apart_everywhere,
    bandit,
    certain_bandit,
    drawn_sets,
    moves,
    two_orders,
)
from ptum.checks.judge.judging.compare import missing_or_stray
from ptum.checks.judge.judging.items import LINE_2, line_14
from ptum.checks.judge.judging.options import THRESHOLD
from ptum.checks.judge.judging.readings import (
    REPAIRED,
    Capability,
    Case,
    Finding,
    Judge,
    Reading,
    all_readings,
)
from ptum.checks.judge.judging.replay import line_2
from ptum.checks.judge.judging.tolerances import value_error
from ptum.checks.judge.messages.fields import (
    ACTIVE_FIELD,
    ANY,
    ERRORS_FIELD,
    MODEL_FIELDS,
    Field,
    MalformedError,
    integers,
    labels,
)
from ptum.checks.judge.messages.parsing import (
    ERRORS,
    as_errors,
    as_models,
    errors_fields,
    mapping,
    models_of,
    number,
    only_error,
)
from ptum.checks.judge.messages.transcript import Asked, Fields
from ptum.checks.judge.plain import views
from ptum.checks.judge.plain.algorithm_1 import Algorithm1, EighteenForFour
from ptum.reference.arrays import Floats, Ints
from ptum.reference.errors import InputError
from ptum.reference.repaired.transfer import stopping as repaired
from ptum.reference.tasks.mdp import MDP, deterministic_rewards
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.tasks.values import action_value, policy_value, tie_tolerance
from ptum.reference.transfer import stopping as printed
from ptum.reference.transfer.assumptions import ModelErrors, single

FLAGS: Mapping[str, str] = {
    **tasks.FLAGS,
    "between-thresholds": "transfer mode is entered as printed, not as repaired",
    "empty": "no model is active: nothing passes",
    "epsilon=0": "no loss is allowed",
    "equality": "a loss equals the slack, or Δ the threshold, in exact arithmetic",
    "infinite-error": "Δ is infinite: nothing passes, the transfer mode is not entered",
    "near": "a comparison that is close, yet far beyond rounding",
    "negative-slack": "the model error uses up ε: nothing passes",
    "one-error": "only one of the four model errors is not zero; Δ is the largest",
    "some-active": "not all models are active",
}


def tolerance(_: Fields) -> dict[str, float]:
    """Nothing real is returned; losses are known up to twice the error of a value."""
    return {}


def judge(request: Fields, answer: Fields, _: Sequence[Asked]) -> Judge:
    """Line 14 first, then line 2 as the reading has it."""
    models, epsilon = models_of(request), number(request, "epsilon")
    Delta = as_errors(mapping(request, "errors")).Delta
    good = labels(answer, "good", models.k)
    transfer = int(integers(answer, "transfer", ()))
    if transfer not in (0, 1):
        raise MalformedError(f"transfer must be 0 or 1, not {transfer}")
    active = labels(request, "active", models.k)
    must, may = passing(models, active, epsilon, Delta)
    slack = printed.stopping_slack(epsilon, Delta, models.gamma)

    def why(theta: int) -> str:
        if theta not in active:
            return "it is not active"
        lost, other, s = largest_loss(models, active, models.pi_star[theta])
        return f"its policy loses {lost:.9g} in model {other}, state {s}; the slack is {slack:.9g}"

    of_line_14 = missing_or_stray(line_14(models.gamma), "good", must, may, good, why)

    def wrong(reading: Reading) -> Finding | None:
        entered = line_2(Delta, epsilon, models.gamma, reading)
        if of_line_14 is not None or bool(transfer) in entered:
            return of_line_14
        rules = repaired if REPAIRED in reading else printed
        threshold = rules.transfer_threshold(epsilon, models.gamma)
        expected = f"{1 - transfer}: Δ = {Delta:.9g}, threshold {threshold:.9g}"
        return Finding(LINE_2, "transfer", expected, str(transfer))

    return wrong


def passing(
    models: ApproximateModels, active: Sequence[int], epsilon: float, Delta: float
) -> tuple[set[int], set[int]]:
    """The models that pass line 14 whatever optimal policy they use, and those that can pass.

    A loss that is within the error of two values of the slack can be on either side. With γ = 0
    nothing is solved for, and the loss is what it is.
    """
    slack = printed.stopping_slack(epsilon, Delta, models.gamma)
    blur = 2 * value_error(models.S, models.gamma)
    must, may = set(), set()
    for theta in active:
        excess = [worst_loss(models, active, pi) - slack for pi in optimal_policies(models, theta)]
        if all(x < -blur or (x <= 0 and models.gamma == 0) for x in excess):
            must.add(theta)
        if any(x <= 0 or (x <= blur and models.gamma > 0) for x in excess):
            may.add(theta)
    return must, may


def worst_loss(models: ApproximateModels, active: Sequence[int], pi: Ints) -> float:
    """max over active θ' and states of Ṽ*_θ' - Ṽ_θ'^π."""
    return largest_loss(models, active, pi)[0]


def largest_loss(
    models: ApproximateModels, active: Sequence[int], pi: Ints
) -> tuple[float, int, int]:
    """The worst loss with the first model and state that have it."""
    lost = [models.V_star[other] - policy_value(models.tasks[other], pi) for other in active]
    place, s = divmod(int(np.argmax(lost)), models.S)
    return float(lost[place][s]), active[place], s


MOST_POLICIES = 2**12
"""Optimal policies of one model that are looked at; no case of the judge has more than two."""


def optimal_policies(models: ApproximateModels, theta: int) -> Iterator[Ints]:
    """Every choice of one best action in every state; `InputError` if they are too many."""
    task, V = models.tasks[theta], models.V_star[theta]
    Q = action_value(task, V)
    best = Q.max(axis=1, keepdims=True) - tie_tolerance(task, V) <= Q
    if math.prod(best.sum(axis=1).tolist()) > MOST_POLICIES:
        raise InputError(f"models[{theta}]", f"more than {MOST_POLICIES} policies are optimal")
    for actions in product(*(np.flatnonzero(row).tolist() for row in best)):
        yield np.array(actions, dtype=np.int64)


# Conforming implementations


def _version(enters: Callable[[float, float, float], bool]) -> Implementation:
    """The literal code with line 2 of one version; line 14 is the same in both."""

    def answer(
        models: Sequence[Mapping[str, Floats]],
        gamma: float,
        epsilon: float,
        errors: Mapping[str, float],
        active: Ints,
    ) -> dict[str, object]:
        known, Delta = as_models(models, gamma), as_errors(errors).Delta
        return {
            "good": printed.stopping_models(tuple(active.tolist()), known, epsilon, Delta),
            "transfer": int(enters(Delta, epsilon, gamma)),
        }

    return answer


def ties_to_the_last(
    models: Sequence[Mapping[str, Floats]],
    gamma: float,
    epsilon: float,
    errors: Mapping[str, float],
    active: Ints,
) -> tuple[list[int], int]:
    """Policies with the highest-numbered optimal actions; doubles compared as they are."""
    known, Delta = as_models(models, gamma), max(errors.values())
    policies = [np.asarray(last_optimal(**model, gamma=gamma)["pi"]) for model in models]
    shortfall = 2 * Delta * (1 + gamma) / (1 - gamma) - epsilon

    def passes(theta: int) -> bool:
        values = ((known.V_star[j], policy_value(known.tasks[j], policies[theta])) for j in active)
        return all(bool(np.all(V_star + shortfall <= V)) for V_star, V in values)

    entered = Delta < epsilon * (1 - gamma) / (4 * (1 + gamma))
    return [theta for theta in active.tolist() if passes(theta)], int(entered)


CONFORMING: Mapping[str, Implementation] = {
    "literal": _version(printed.enters_transfer_mode),
    "repaired": _version(repaired.enters_transfer_mode),
    "ties-to-the-last": ties_to_the_last,
    "plain": views.stopping(Algorithm1),
    "18-for-4": views.stopping(EighteenForFour),
}


# Cases


def _case(
    name: str,
    models: tuple[MDP, ...],
    epsilon: float,
    errors: ModelErrors | float = 0.0,
    active: Sequence[int] | None = None,
    flags: tuple[str, ...] = (),
) -> Case:
    known = FlaggedModels(name, models)
    request: Fields = {
        **known.request(),
        "epsilon": epsilon,
        "errors": errors_fields(errors if isinstance(errors, ModelErrors) else single(errors)),
        "active": list(range(len(models)) if active is None else active),
    }
    return Case(f"stopping/{name}", request, flags)


def _opposite(gamma: float, loss: float = 0.5) -> tuple[MDP, ...]:
    """Each model's arm is worse by `loss` per step in the other."""
    return certain_bandit(gamma, 0.5, 0.5 - loss), certain_bandit(gamma, 0.5 - loss, 0.5)


def _one_way(gamma: float) -> tuple[MDP, ...]:
    """The first policy loses 1/16 per step in the second model, the second one 1 in the first."""
    return bandit(gamma, 1.0, 0.0), bandit(gamma, 0.5, 0.5625)


def _compromise(gamma: float) -> tuple[MDP, ...]:
    """Only the policy of the middle model is good everywhere: it loses 1/8 per step."""
    arms = ((1.0, 0.0, 0.875), (0.75, 0.75, 0.875), (0.0, 1.0, 0.875))
    return tuple(bandit(gamma, *means) for means in arms)


def _separate_states(gamma: float, at: int) -> tuple[MDP, ...]:
    """Three states that are never left; the models differ in one of them, by 0.5 per step."""
    stay = moves([0, 0], [1, 1], [2, 2])
    first = np.tile([1.0, 0.5], (3, 1))
    second = first.copy()
    second[at] = [0.5, 1.0]
    return tuple(deterministic_rewards(stay, r, gamma) for r in (first, second))


def _tied_first() -> tuple[MDP, ...]:
    """Two arms are tied in the first model; one of them is poor in the second."""
    return certain_bandit(0.5, 1.0, 1.0, 0.0), certain_bandit(0.5, 1.0, 0.0, 0.5)


def _leaves() -> tuple[MDP, ...]:
    """Optimal values are equal in both states and models; the policies differ in state 1."""
    p = moves([0, 0], [0, 0])
    tables = ([[0.5, 0.5], [0.5, 0.4375]], [[0.5, 0.5], [0.1875, 0.5]])
    return tuple(deterministic_rewards(p, np.array(r), 0.875) for r in tables)


def _corridors() -> tuple[MDP, ...]:
    """Four states in a row, moving on pays at the end alone; or a little at once. γ = 7/8.

    Policy iteration from the best reward now needs three improvements in the first.
    """
    p = moves([0, 1], [1, 2], [2, 3], [3, 3])
    ways = ((0.0625, 0.0), (0.0, 0.0625))
    tables = (np.array([way, way, way, (1.0, 1.0)]) for way in ways)
    return tuple(deterministic_rewards(p, r, 0.875) for r in tables)


def _line_14_cases() -> Iterator[Case]:
    yield from _active_models()
    yield from _losses()


def _active_models() -> Iterator[Case]:
    """Whose policy is looked at, and in which models."""
    opposite, one_way, compromise = _opposite(0.5), _one_way(0.5), _compromise(0.5)
    yield _case("one-model", one_way[:1], 0.25, flags=("k=1",))
    yield _case(
        "one-model-negative-slack", one_way[:1], 0.25, 0.0625, None, ("k=1", "negative-slack")
    )
    yield _case("nobody-active", opposite, 0.25, active=[], flags=("empty",))
    yield _case("twins", (one_way[0], one_way[0]), 0.25, flags=("twins",))
    yield _case("opposite-arms", opposite, 0.25)
    yield _case("one-way", one_way, 0.25)
    yield _case("one-way-reversed", one_way[::-1], 0.25)
    yield _case("all-pass", opposite, 1.25)
    yield _case("compromise", compromise, 0.5)
    yield _case("compromise-not-active", compromise, 0.5, active=[0, 2], flags=("some-active",))
    yield _case("compromise-and-first", compromise, 0.5, active=[1, 0], flags=("some-active",))
    yield _case("one-active", compromise, 0.125, active=[2], flags=("some-active",))


def _losses() -> Iterator[Case]:
    """Losses in one state or another, close to the slack or equal to it."""
    yield _case("equality", _opposite(0.0, 0.25), 0.25, flags=("equality", "gamma=0"))
    yield _case(
        "equality-with-error", _opposite(0.0, 0.25), 0.5, 0.125, None, ("equality", "gamma=0")
    )
    yield _case("just-too-much", _opposite(0.0, 0.25 + 2**-12), 0.25, flags=("near", "gamma=0"))
    yield _case("just-not-too-much", _opposite(0.0, 0.25 - 2**-12), 0.25, flags=("near", "gamma=0"))
    for at, place in enumerate(("first", "middle", "last")):
        yield _case(f"loss-in-{place}-state", _separate_states(0.5, at), 0.75, flags=("absorbing",))
    yield _case("loss-in-every-state", apart_everywhere(0.5), 1.5, flags=("absorbing",))
    # 2Δ(1+γ)/(1-γ) is 0.375, and the loss of either policy 0.25
    yield _case("error-leaves-enough", _opposite(0.5, 0.125), 0.640625, 0.0625, None, ("near",))
    yield _case("error-leaves-too-little", _opposite(0.5, 0.125), 0.609375, 0.0625, None, ("near",))
    # 2Δ(1+γ)/(1-γ) is 0.1875, 2Δ(1+γ) 0.09375 and 2Δ(1-γ)/(1+γ) 0.0208
    yield _case("error-is-taken-away", _opposite(0.5, 0.125), 0.265625, 0.03125, None, ("near",))
    yield _case("error-is-not-added", _opposite(0.5, 0.125), 0.21875, 0.03125, None, ("near",))
    yield _case(
        "error-ratio-is-not-inverted", _opposite(0.5, 0.125), 0.3125, 0.03125, None, ("near",)
    )
    # 2Δ(1+γ)/(1-γ) is 38 Δ, and the loss 1.25
    yield _case("long-enough", _opposite(0.9, 0.125), 1.65, 0.01, None, ("near",))
    yield _case("long-too-little", _opposite(0.9, 0.125), 1.61, 0.01, None, ("near",))
    yield _case(
        "gamma-0.9999-passes", _opposite(0.9999, 0.125), 1251.0, flags=("gamma=0.9999", "near")
    )
    yield _case(
        "gamma-0.9999-fails", _opposite(0.9999, 0.125), 1249.0, flags=("gamma=0.9999", "near")
    )
    yield _case("tied-policies", _tied_first(), 0.25, flags=("tie", "S=1"))
    yield _case("tied-policies-reversed", _tied_first()[::-1], 0.25, flags=("tie", "S=1"))
    yield _case("rival-passes", _leaves(), 0.125)
    yield _case("rival-fails", _leaves(), 0.0546875, flags=("near",))
    yield _case("corridors", _corridors(), 0.125, flags=("absorbing",))
    yield _case("rewards-in-two-orders", two_orders(), 0.125, flags=("u-unsorted", "S=1"))


def _line_2_cases() -> Iterator[Case]:
    pair = _one_way(0.5)
    yield _case("infinite-error", pair, 0.5, math.inf, None, ("infinite-error",))
    lost = only_error("p", math.inf)
    yield _case("infinite-transition-error", pair, 0.5, lost, None, ("infinite-error", "one-error"))
    twins = (bandit(0.0, 0.5, 0.25),) * 2
    yield _case(
        "nothing-to-lose", twins, 0.0, 0.0, None, ("epsilon=0", "equality", "gamma=0", "twins")
    )
    yield _case("nothing-to-lose-apart", _one_way(0.0), 0.0, 0.0, None, ("epsilon=0", "equality"))
    yield _case("error-equals-threshold", _one_way(0.0), 0.5, 0.125, None, ("equality", "gamma=0"))
    hidden = (bandit(0.9, 0.0, 0.59, 0.5), bandit(0.9, 0.0, 0.5, 0.59))
    yield _case("index-vanishes", hidden, 1.0, 0.012, None, ("between-thresholds",))
    # ε(1-γ)/(4(1+γ)) = 0.045 and (1-γ)ε/(18(1+γ)) = 0.01
    yield _case("below-both", pair, 0.54, 0.0099, None, ("near",))
    yield _case("above-repaired", pair, 0.54, 0.0101, None, ("near", "between-thresholds"))
    yield _case("below-printed", pair, 0.54, 0.0449, None, ("near", "between-thresholds"))
    yield _case("above-both", pair, 0.54, 0.0451, None, ("near",))
    for name in ERRORS:
        errors = only_error(name, 0.05)
        yield _case(f"only-error-{name}", _one_way(0.5), 0.4, errors, None, ("one-error",))


def cases(seed: int) -> Iterator[Case]:
    """Losses on both sides of the slack, errors on both sides of the thresholds; then drawn."""
    yield from _line_14_cases()
    yield from _line_2_cases()
    rng = np.random.default_rng(seed + 3)
    for known in drawn_sets(seed, 6):
        k = len(known.tasks)
        active = sorted(rng.permutation(k)[: int(rng.integers(1, k + 1))].tolist())
        epsilon = float(rng.uniform(0.02, 0.6)) / (1 - known.gamma)
        Delta = epsilon * (1 - known.gamma) * float(rng.choice([0.0, 0.04, 0.1, 0.4]))
        yield _case(known.name, known.tasks, epsilon, Delta, active)


CAPABILITY = Capability(
    name="stopping",
    item="algorithm-1",
    says="Whether line 2 enters the transfer mode, and which active models pass line 14.",
    input=(
        *MODEL_FIELDS,
        Field("epsilon", "real", (), "accuracy, from 0 on"),
        ERRORS_FIELD,
        ACTIVE_FIELD,
    ),
    output=(
        Field("good", "integer", (ANY,), "active models whose optimal policy passes line 14"),
        Field("transfer", "integer", (), "1 if line 2 enters the transfer mode, else 0"),
    ),
    readings=all_readings((THRESHOLD, REPAIRED)),
    cases=cases,
    judge=judge,
    tolerance=tolerance,
    flags=FLAGS,
    notes=(
        "line 2 as repaired has 18 for 4, Δ > (1-γ)ε/(18(1+γ)); where both sides are equal the "
        "transfer mode may then be entered or not (D24), as printed it is not",
        "`good` and `transfer` are two questions: each is answered whatever the other answer is",
        "`active` may be empty, and then `good` is",
        "π̃*_θ is any optimal policy of θ (D17): a model may be listed if one of them passes, "
        "and must be if all do",
    ),
)
