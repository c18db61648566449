"""Algorithm 1, lines 16-18: the pair with the largest index is queried next.

Pairs that are tied with the largest index are all right, whatever rule chooses among them (D06).
Where every index is zero, every pair is (D18).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import numpy as np

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.capabilities.transfer import information as pairs_of_models
from ptum.checks.judge.cases.tasks import (
    FlaggedModels,
    bandit,
    certain_bandit,
    discrete_bandit,
    drawn_set,
    even_spreads,
    move_or_payment,
    two_reasons,
    unlike_chances,
    unlike_shifts,
    unlike_spreads,
)
from ptum.checks.judge.judging.compare import in_every_reading
from ptum.checks.judge.judging.items import INDEX
from ptum.checks.judge.judging.readings import Capability, Case, Finding, Judge, all_readings
from ptum.checks.judge.judging.tolerances import information_error
from ptum.checks.judge.messages.fields import (
    ACTIVE_FIELD,
    ERRORS_FIELD,
    MODEL_FIELDS,
    Field,
    MalformedError,
    integers,
    labels,
)
from ptum.checks.judge.messages.parsing import (
    as_errors,
    as_models,
    mapping,
    models_of,
    number,
    only_error,
)
from ptum.checks.judge.messages.transcript import Asked, Fields
from ptum.checks.judge.plain import views
from ptum.checks.judge.plain.algorithm_1 import Algorithm1
from ptum.reference.arrays import Floats, Ints
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.information import index, information, query, tied_pairs

EXACT = single(0.0)

FLAGS: Mapping[str, str] = {
    **pairs_of_models.FLAGS,
    "all-zero": "no pair carries information: any pair may be queried",
    "some-active": "not all models are active",
    "tied": "several pairs have the largest index",
}


def tolerance(_: Fields) -> dict[str, float]:
    """Nothing real is returned; indices count as tied within twice the error of information."""
    return {}


def judge(request: Fields, answer: Fields, _: Sequence[Asked]) -> Judge:
    """The index of the chosen pair must be the largest."""
    models, Delta = models_of(request), as_errors(mapping(request, "errors")).Delta
    active = labels(request, "active", models.k)
    I_t = index(active, models, Delta)
    s, a = (int(integers(answer, name, ())) for name in ("s", "a"))
    if not (0 <= s < models.S and 0 <= a < models.A):
        raise MalformedError(f"({s}, {a}) is no pair; there are {models.S} x {models.A}")
    allowed = 2 * information_error(models.S, number(request, "gamma"))
    if I_t[s, a] >= I_t.max() - allowed:
        return in_every_reading(None)
    best = query(I_t)
    expected = f"pair {best} with index {I_t.max():.12g}, or one that is tied with it"
    got = f"pair ({s}, {a}) with index {I_t[s, a]:.12g}"
    # The index of either pair may be the wrong one
    of_best, of_got = (_most_telling(models, active, Delta, *pair) for pair in (best, (s, a)))
    return in_every_reading(Finding(INDEX, "(s, a)", f"{expected}; {of_best}", f"{got}; {of_got}"))


def _most_telling(
    models: ApproximateModels, active: Sequence[int], Delta: float, s: int, a: int
) -> str:
    """The two active models from which the index of a pair comes, and Definition 1 for them."""
    of_models = {
        (theta, other): float(
            information(models, theta=theta, theta_prime=other, Delta=Delta)[s, a]
        )
        for theta, other in product(active, active)
    }
    theta, other = max(of_models, key=lambda two: of_models[two])
    return f"I({theta},{other}) = {pairs_of_models.Inside.of(models, Delta, theta, other, s, a)}"


# Conforming implementations


def literal(
    models: Sequence[Mapping[str, Floats]], gamma: float, errors: Mapping[str, float], active: Ints
) -> dict[str, int]:
    """`ptum.reference.transfer.information`: ties to the first pair."""
    known = as_models(models, gamma)
    s, a = query(index(tuple(active.tolist()), known, as_errors(errors).Delta))
    return {"s": s, "a": a}


def ties_to_the_last(
    models: Sequence[Mapping[str, Floats]], gamma: float, errors: Mapping[str, float], active: Ints
) -> tuple[int, int]:
    """The last pair that is tied."""
    I_t = index(tuple(active.tolist()), as_models(models, gamma), as_errors(errors).Delta)
    return tied_pairs(I_t)[-1]


def rounding_decides(
    models: Sequence[Mapping[str, Floats]], gamma: float, errors: Mapping[str, float], active: Ints
) -> tuple[int, int]:
    """A plain argmax, without tolerance for ties, of numbers summed up in another order."""
    I_t = pairs_of_models.plain(models, gamma, errors)[np.ix_(active, active)].max(axis=(0, 1))
    s, a = divmod(int(np.argmax(I_t)), I_t.shape[1])
    return s, a


CONFORMING: Mapping[str, Implementation] = {
    "literal": literal,
    "ties-to-the-last": ties_to_the_last,
    "rounding-decides": rounding_decides,
    "plain": views.next_query(Algorithm1),
}


# Cases


def _request(known: FlaggedModels, errors: ModelErrors, active: Sequence[int]) -> Fields:
    return {**pairs_of_models.request_of(known, errors), "active": list(active)}


def _subsets() -> Iterator[tuple[FlaggedModels, ModelErrors, Sequence[int]]]:
    """The same models with different active sets."""
    four = drawn_set("four-models", 13, 4, 2, 2, 0.9).tasks
    three = drawn_set("three-models", 14, 3, 3, 3, 0.5).tasks
    for active in ([0, 1], [0, 3], [1, 2], [2, 3], [1, 2, 3], [3, 0, 2]):
        name = "four-active-" + "-".join(map(str, active))
        yield FlaggedModels(name, four, ("some-active",)), EXACT, active
    for active in ([0, 1], [0, 2], [1, 2], [2, 1, 0]):
        name = "three-active-" + "-".join(map(str, active))
        flags = ("some-active",) if len(active) < 3 else ()
        yield FlaggedModels(name, three, flags), EXACT, active
    yield FlaggedModels("one-active", three, ("some-active", "all-zero")), EXACT, [1]


def _bandits() -> Iterator[tuple[FlaggedModels, ModelErrors, Sequence[int]]]:
    """Bandits with numbers that can be followed by hand."""
    tied = (bandit(0.0, 1.0, 0.0, 0.0), bandit(0.0, 0.0, 1.0, 1.0))
    yield FlaggedModels("all-arms-tied", tied, ("S=1", "gamma=0", "tied")), EXACT, [0, 1]
    hidden = (bandit(0.9, 0.0, 0.59375, 0.5), bandit(0.9, 0.0, 0.5, 0.59375))
    flags = ("S=1", "gap<8Δ", "all-zero")
    yield FlaggedModels("index-vanishes", hidden, flags), single(0.0125), [0, 1]


def _bernoulli(mean: float) -> dict[float, float]:
    return {0.0: 1 - mean, 1.0: mean}


def _orders_of_size() -> Iterator[tuple[FlaggedModels, ModelErrors, Sequence[int]]]:
    """Bandits in which a slip of the index makes another arm look best."""
    crowd = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.8125), (0.875, 0.8125))
    average = tuple(certain_bandit(0.5, *rewards) for rewards in crowd)
    yield FlaggedModels("largest-not-average", average, ("S=1", "zero-variance")), EXACT, range(4)
    row = ((0.0, 0.0), (0.25, 0.375), (0.5, 0.0))
    ends = tuple(certain_bandit(0.5, *rewards) for rewards in row)
    yield FlaggedModels("ends-of-a-row", ends, ("S=1", "zero-variance")), EXACT, range(3)
    ordered = (
        discrete_bandit(0.5, _bernoulli(0.5), {0.0: 1.0}),
        discrete_bandit(0.5, {0.375: 1.0}, {0.09375: 1.0}),
    )
    yield FlaggedModels("second-order-tells-more", ordered, ("S=1", "asymmetric")), EXACT, range(2)
    spread = (
        discrete_bandit(0.5, _bernoulli(0.4375), {0.25: 1.0}),
        discrete_bandit(0.5, _bernoulli(0.5625), {0.34375: 1.0}),
    )
    yield FlaggedModels("deviation-not-variance", spread, ("S=1",)), EXACT, range(2)
    narrow = (
        discrete_bandit(0.5, {15 / 32: 0.5, 17 / 32: 0.5}, _bernoulli(0.48828125)),
        discrete_bandit(0.5, {15 / 32: 0.4375, 17 / 32: 0.5625}, _bernoulli(0.513671875)),
    )
    yield FlaggedModels("small-gap-small-deviation", narrow, ("S=1",)), EXACT, range(2)
    hidden = (
        discrete_bandit(0.5, _bernoulli(0.328125), {0.0: 1.0}),
        discrete_bandit(0.5, _bernoulli(0.671875), {0.296875: 1.0}),
    )
    yield FlaggedModels("error-times-8", hidden, ("S=1",)), single(0.03125), range(2)
    last = only_error("sigma_p", 0.03125)
    yield FlaggedModels("largest-error", hidden, ("S=1", "one-error")), last, range(2)


def _fork(first: float, pays: tuple[float, float]) -> MDP:
    """State 0 leads to state 1 or 2; these pay 1 with probabilities `pays`, the last nothing."""
    p = np.array([[0.0, first, 1 - first, 0.0], *([[0.0, 0.0, 0.0, 1.0]] * 3)])
    r = np.array([0.0, *pays, 0.0])
    return bernoulli_rewards(p[:, np.newaxis], r[:, np.newaxis], 0.5)


def _own_deviation() -> FlaggedModels:
    """The values of states 1 and 2 lie 11/32 apart in the first model, 9/32 in the second.

    State 1 tells most, by its reward; state 0 tells 14 % less. With the deviation of the other
    model's value, 9/11 as large, it would seem to tell 18 % more.
    """
    models = _fork(0.5, (0.6875, 0.34375)), _fork(0.53125, (0.65625, 0.375))
    return FlaggedModels("own-deviation", models, ("A=1", "absorbing"))


def _chances() -> Iterator[tuple[FlaggedModels, ModelErrors, Sequence[int]]]:
    """One pair tells by its transitions and one by its rewards, and a slip exchanges the two."""
    flags = ("zero-variance", "gamma=0")
    inexact = only_error("p", 1 / 256)
    yield FlaggedModels("move-or-payment", move_or_payment(), flags), inexact, range(2)
    flags = ("gamma=0", "absorbing")
    yield FlaggedModels("smaller-deviation-tells", unlike_spreads(), flags), EXACT, range(2)
    yield FlaggedModels("square-without-weight", even_spreads(), ("absorbing",)), EXACT, range(2)
    inner = tuple(certain_bandit(0.5, *r) for r in ((0.0, 0.0), (0.75, 0.0), (0.375, 0.5)))
    yield FlaggedModels("last-model-between", inner, ("S=1", "zero-variance")), EXACT, range(3)
    near = certain_bandit(0.5, 0.25, 0.25, 0.25), certain_bandit(0.5, 0.75, 0.75 + 2**-19, 0.75)
    yield FlaggedModels("almost-tied", near, ("S=1", "zero-variance")), EXACT, range(2)


def _edge_cases() -> Iterator[tuple[FlaggedModels, ModelErrors, Sequence[int]]]:
    for known, errors in pairs_of_models.edge_sets():
        pairs = known.tasks[0].S * known.tasks[0].A
        if pairs > 1 and known.name not in ("no-reward", "infinite-error-twins"):
            yield known, errors, range(len(known.tasks))
    yield from _subsets()
    yield from _bandits()
    yield from _orders_of_size()
    flags = ("gamma=0", "zero-variance")
    yield FlaggedModels("larger-not-sum", two_reasons(), flags), EXACT, range(2)
    yield FlaggedModels("transitions-less-8-errors", unlike_shifts()), single(0.002), range(2)
    yield _own_deviation(), EXACT, range(2)
    yield FlaggedModels("unlike-chances", unlike_chances()), EXACT, range(2)
    yield from _chances()


def cases(seed: int) -> Iterator[Case]:
    """The models of `information` with all or some of them active; then drawn ones."""
    for known, errors, active in _edge_cases():
        yield Case(f"next_query/{known.name}", _request(known, errors, active), known.flags)
    rng = np.random.default_rng(seed + 2)
    for known, errors in pairs_of_models.drawn_with_errors(seed, 6):
        k = len(known.tasks)
        active = sorted(rng.permutation(k)[: int(rng.integers(1, k + 1))].tolist())
        yield Case(f"next_query/{known.name}", _request(known, errors, active))


CAPABILITY = Capability(
    name="next_query",
    item="algorithm-1",
    says="The pair to query next; any pair that is tied with the largest index.",
    input=(*MODEL_FIELDS, ERRORS_FIELD, ACTIVE_FIELD),
    output=(
        Field("s", "integer", (), "state of the pair"),
        Field("a", "integer", (), "action of the pair"),
    ),
    readings=all_readings(),
    cases=cases,
    judge=judge,
    tolerance=tolerance,
    flags=FLAGS,
    notes=("`active` names at least one model; where every index is zero, every pair is right",),
)
