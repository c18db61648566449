"""Algorithm 1, lines 7-12: which active models survive the tests (1)-(4) on given data.

The widths hold the four constants of Assumption 1 or their maximum (D02), and tests (2) and (4) are
made with the values of all models, or of the active ones (D10); each combination is a reading.

Whether a test passes at equality (D26) cannot be asked. With L the logarithm of a rational number
above 1 a finite width is a + b√L + cL with algebraic a, b, c and b or c positive. L is
transcendental (Lindemann), so the width is, and the other side of a test is algebraic: the two are
never equal. In doubles they could be through rounding, which differs from one right program to
another, so within `blur` either outcome is accepted. Infinite widths are not reached.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.cases import elimination_cases
from ptum.checks.judge.cases.elimination_cases import (
    EDGE_CASES,
    EliminationMargins,
    all_tests,
    drawn_case,
    estimate,
)
from ptum.checks.judge.judging.compare import missing_or_stray
from ptum.checks.judge.judging.items import LINE_12, SOME_TEST, Item, failed_test
from ptum.checks.judge.judging.options import ACTIVE, ALL, FOUR, SINGLE
from ptum.checks.judge.judging.readings import (
    Capability,
    Case,
    Finding,
    Judge,
    Reading,
    all_readings,
)
from ptum.checks.judge.judging.replay import TestName, why_it_falls, why_it_stays
from ptum.checks.judge.judging.tolerances import (
    FLOOR,
    deviation_error,
    gap_error,
    transition_deviation_error,
)
from ptum.checks.judge.messages.fields import (
    ACTIVE_FIELD,
    ANY,
    ERRORS_FIELD,
    MODEL_FIELDS,
    Field,
    labels,
)
from ptum.checks.judge.messages.parsing import as_errors, as_models, mapping, models_of
from ptum.checks.judge.messages.transcript import Asked, Fields
from ptum.checks.judge.plain import views
from ptum.checks.judge.plain.algorithm_1 import (
    ActiveValues,
    Algorithm1,
    SingleDelta,
    SingleDeltaActiveValues,
)
from ptum.reference.arrays import Floats, Ints
from ptum.reference.transfer import confidence
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.empirical import empirical_model, empty_data

NOT_ACTIVE = "it was not active before"


def tolerance(_: Fields) -> dict[str, float]:
    """Nothing real is returned; both sides of a test are known up to the errors of `blur`."""
    return {}


def blur(S: int, gamma: float, samples: int) -> tuple[float, float, float, float]:
    """How far rounding can move tests (1)-(4): the errors of means and of deviations."""
    of_sigma_p = transition_deviation_error(S, gamma) + deviation_error(samples) / (1 - gamma)
    return FLOOR, gap_error(S, gamma), deviation_error(samples), of_sigma_p


def judge(request: Fields, answer: Fields, _: Sequence[Asked]) -> Judge:
    """A model must stay if it passes all tests beyond doubt, and go if it surely fails one."""
    models, errors = models_of(request), as_errors(mapping(request, "errors"))
    active, got = labels(request, "active", models.k), labels(answer, "active", models.k)
    hat = estimate(request, models)
    doubt = np.array(blur(models.S, models.gamma, int(hat.N.sum())))
    tests = {
        FOUR: all_tests(request, models, hat, errors),
        SINGLE: all_tests(request, models, hat, single(errors.Delta)),
    }

    def wrong(reading: Reading) -> Finding | None:
        (made,) = (tests[option] for option in tests if option in reading)
        values = tuple(active) if ACTIVE in reading else tuple(range(models.k))
        excess = made.worst(values)
        must = {theta for theta in active if np.all(excess[theta] <= -doubt)}
        may = {theta for theta in active if np.all(excess[theta] <= doubt)}
        return missing_or_stray(
            _item(excess, set(got) - may, must - set(got)),
            "active",
            must,
            may,
            got,
            lambda theta: _why(made, theta, values) if theta in active else NOT_ACTIVE,
        )

    return wrong


def _item(excess: Floats, stray: set[int], missing: set[int]) -> Item:
    """Line 12, with the equation that a wrongly kept model misses most; alone if it grows a set."""
    if missing or not stray:
        return SOME_TEST
    if np.all(excess[min(stray)] <= 0):
        return LINE_12
    return failed_test(int(np.argmax(excess[min(stray)])) + 1)


def _why(made: EliminationMargins, theta: int, values: Sequence[int]) -> str:
    """The words of a run (`replay`): all data come at once, so every pair may decide."""
    test, missed = worst_test(made, theta, values)
    return why_it_falls(theta, test, missed) if missed > 0 else why_it_stays(theta, test, -missed)


def worst_test(
    made: EliminationMargins, theta: int, values: Sequence[int]
) -> tuple[TestName, float]:
    """The test that a model misses most, or has least to spare in, and by how much."""
    four = made.of_r, made.of_p, made.of_sigma_r, made.of_sigma_p
    found: list[tuple[TestName, float]] = []
    for equation, excess in enumerate(four, start=1):
        for (s, a, *prime), missed in np.ndenumerate(excess[theta]):
            if not prime:
                found.append(((equation, s, a, None), float(missed)))
            elif prime[0] in values:
                found.append(((equation, s, a, prime[0]), float(missed)))
    return max(found, key=lambda one: one[1])


# Conforming implementations


def literal(
    models: Sequence[Mapping[str, Floats]],
    gamma: float,
    errors: Mapping[str, float],
    n: int,
    delta: float,
    active: Ints,
    s: Ints,
    a: Ints,
    reward: Floats,
    successor: Ints,
) -> dict[str, object]:
    """`ptum.reference.transfer.empirical` and `ptum.reference.transfer.confidence`."""
    known = as_models(models, gamma)
    data = empty_data(known.S, known.A)
    columns = (s.tolist(), a.tolist(), reward.tolist(), successor.tolist())
    for sample in zip(*columns, strict=True):
        data.store(*sample)
    hat = empirical_model(data, known.V_star)
    C = confidence.widths(hat, as_errors(errors), gamma, n, known.k, delta)
    left, _ = confidence.confidence_set(tuple(active.tolist()), hat, C, known)
    return {"active": left}


CONFORMING: Mapping[str, Implementation] = {
    "literal": literal,
    "plain": views.confidence_set(Algorithm1),
    "single-delta": views.confidence_set(SingleDelta),
    "active-values": views.confidence_set(ActiveValues),
    "single-delta-active-values": views.confidence_set(SingleDeltaActiveValues),
}


def cases(seed: int) -> Iterator[Case]:
    """Data that single out one test, one choice or one slip each; then drawn ones."""
    for name, case, flags in EDGE_CASES:
        yield Case(f"confidence_set/{name}", case.request(), flags)
    rng = np.random.default_rng(seed)
    for number_of_draw in range(1, 7):
        case = drawn_case(rng)
        yield Case(f"confidence_set/drawn-{seed}-{number_of_draw}", case.request())


CAPABILITY = Capability(
    name="confidence_set",
    item="algorithm-1",
    says="The models that line 12 keeps, given the data so far and the models active before.",
    input=(
        *MODEL_FIELDS,
        ERRORS_FIELD,
        Field("n", "integer", (), "budget: the n of the logarithms"),
        Field("delta", "real", (), "failure probability in (0, 1)"),
        ACTIVE_FIELD,
        Field("s", "integer", ("m",), "states that were queried, in order of time"),
        Field("a", "integer", ("m",), "actions that were queried"),
        Field("reward", "real", ("m",), "rewards that were observed"),
        Field("successor", "integer", ("m",), "next states that were observed"),
    ),
    output=(Field("active", "integer", (ANY,), "the models that are still active"),),
    readings=all_readings((FOUR, SINGLE), (ALL, ACTIVE)),
    cases=cases,
    judge=judge,
    tolerance=tolerance,
    flags=elimination_cases.FLAGS,
    notes=(
        "`active` is Θ̄_{t-1}; line 12 is applied to it once, with all the data, and nothing is "
        "replayed",
        "there may be no data (m = 0), and `active` may be empty",
        "a pair with at most one sample has infinite widths and drops nobody",
        "deviations divide by N_t(s,a)-1, and a model that is not in `active` does not come back",
    ),
)
