"""Whole runs of Algorithm 1: right ones conform, wrong ones are caught at the line they break.

Right implementations are run here on the cases that tell them apart and on drawn ones; that they
are right in every other edge case is seen where `test_vectors` looks at their answers.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest
from msgspec import structs

from ptum.checks.judge.capabilities.transfer import ptum
from ptum.checks.judge.cases.tasks import FlaggedModels, certain_bandit
from ptum.checks.judge.judging.items import (
    ELIMINATIONS,
    EMPTY_SET,
    INDEX,
    LARGER_SET,
    LINE_2,
    LINE_5,
    LINE_12,
    LINE_14,
    LINE_14_PLANNED,
    LINE_18,
    LINE_22,
    LINES_5_AND_18,
    NO_QUERY,
    SOME_TEST,
    Item,
    Telling,
    failed_test,
    of_reported_set,
    of_return,
    of_unknown_set,
    telling,
)
from ptum.checks.judge.judging.options import ACTIVE, ALL, THRESHOLD
from ptum.checks.judge.judging.readings import REPAIRED, Case, Finding, Option, assess, shared
from ptum.checks.judge.judging.replay import HALF, NO_WIDTH, WHOLE, digits_apart
from ptum.checks.judge.judging.tolerances import FLOOR
from ptum.checks.judge.messages.fields import MalformedError
from ptum.checks.judge.messages.parsing import errors_fields
from ptum.checks.judge.messages.transcript import Asked, Exchange
from ptum.checks.judge.plain.algorithm_1 import Algorithm1
from ptum.checks.judge.plain.views import VIEWS
from ptum.checks.judge.programs.subjects import ask
from ptum.checks.judge.slips import Slip, slips_of
from ptum.reference.transfer.assumptions import single
from tests.checks.judge.support import trials

EDGES = trials.edge_cases(ptum.CAPABILITY)
DRAWN = trials.drawn_for_all_seeds(ptum.CAPABILITY)
IN_DOUBT = "(says `eliminations`; queries and end are right)"


def by_name(name: str) -> Case:
    return trials.case_named(ptum.CAPABILITY, name)


def slip(slug: str) -> Slip:
    (found,) = (slip for slip in slips_of("ptum") if slip.slug == slug)
    return found


@cache
def literal_exchange(name: str) -> Exchange:
    return trials.answered(ptum.CAPABILITY, by_name(name), ptum.CONFORMING["literal"])


def finding(exchange: Exchange) -> Finding:
    found = assess(ptum.CAPABILITY, exchange)
    assert not found.agrees
    assert found.finding is not None
    return found.finding


def with_queries(run: Exchange, queries: Sequence[Asked]) -> Exchange:
    return structs.replace(run, queries=tuple(queries))


def with_first_query(run: Exchange, **changes: float) -> Exchange:
    first, *rest = run.queries
    return with_queries(run, (structs.replace(first, **changes), *rest))


def with_answer(run: Exchange, **fields: object) -> Exchange:
    return structs.replace(run, answer={**(run.answer or {}), **fields})


def eliminations(run: Exchange) -> list[dict[str, object]]:
    told = (run.answer or {})["eliminations"]
    assert isinstance(told, list)
    return told


def test_cases_use_every_flag() -> None:
    used = {flag for case in (*EDGES, *DRAWN) for flag in case.flags}
    assert used == set(ptum.CAPABILITY.flags)


def test_the_engine_conforms_to_the_literal_reading() -> None:
    runs = [ptum.engine_exchange(case) for case in (*EDGES, *DRAWN)]
    found = [assess(ptum.CAPABILITY, run) for run in runs]
    assert shared(found, ptum.CAPABILITY.readings) == {ptum.CAPABILITY.readings[0]}


@pytest.mark.parametrize(
    ("slug", "shown_by", "told"),
    [
        ("no-equation-4", "value-deviations-1", failed_test(4)),
        ("population-variance-of-values", "value-deviations-0", failed_test(4)),
        ("no-error-in-sigma-p", "value-deviations-error", SOME_TEST),
        ("no-error-in-sigma-r", "deviations-error", SOME_TEST),
        ("shift-of-transitions", "unlike-shifts", INDEX),
        ("half-the-shift-of-transitions", "unlike-shifts", INDEX),
        ("deviation-by-other-chances", "unlike-chances", INDEX),
        ("gap-of-other-value", "unlike-chances", INDEX),
        ("deviation-of-other-value", "unlike-values", INDEX),
        ("all-tested-again", "would-return", of_return(of_unknown_set(LINE_14))),
        ("all-tested-again-and-told", "would-return", of_return(of_reported_set(LINE_14))),
        ("reward-deviation-over-fewer", "would-return", failed_test(1)),
        ("window-of-statistics", "many-samples", failed_test(1)),
        ("window-of-data", "many-samples", failed_test(1)),
        ("one-query-too-many", "n-1", LINE_5),
        ("one-query-too-few", "n-1", LINE_5),
        ("one-query-too-few", "n-23", LINE_5),
        ("log-of-one-pass-more", "n-30", failed_test(1)),
        ("sum-of-informations", "two-reasons", INDEX),
        ("own-errors", "move-or-payment", INDEX),
        ("twice-the-shift-of-transitions", "move-or-payment", INDEX),
        ("rewards-first", "move-or-payment", INDEX),
        ("larger-deviation", "unlike-spreads", INDEX),
        ("weight-in-square", "even-spreads", INDEX),
        ("sum-of-losses", "loss-in-every-state", LINE_14_PLANNED),
        ("index-of-all-models", "three-arms-0", LARGER_SET),
        ("active-set-grows", "four-certain", of_return(of_unknown_set(LARGER_SET))),
        ("threshold-of-reward-error", "too-inaccurate-in-p", LINE_2),
        ("threshold-without-numerator", "too-inaccurate-in-p", LINE_2),
        ("threshold-of-two-errors", "too-inaccurate-in-sigma-r", LINE_2),
        ("threshold-of-two-errors", "too-inaccurate-in-sigma-p", LINE_2),
        ("shift-of-two-errors", "certain-or-noisy-sigma-r", INDEX),
        ("shift-of-two-errors", "certain-or-noisy-sigma-p", INDEX),
        ("own-deviations-only", "other-value-deviations", failed_test(4)),
        ("own-values-only", "other-value-deviations", failed_test(4)),
        ("strict-stop", "equality", LINE_14),
        ("more-slack", "just-too-much", LINE_14),
        ("slack-of-two-errors", "just-too-much", LINE_14),
        ("less-slack", "just-not-too-much", LINE_14),
        ("small-index", "tiny-gap", INDEX),
        ("nearly-tied", "tiny-gap", INDEX),
        ("twenty-samples-first", "n-20", failed_test(1)),
    ],
)
def test_a_case_that_was_made_to_show_a_slip_does(slug: str, shown_by: str, told: Item) -> None:
    """No reading of any kind agrees with that one run, and the broken place is among those told."""
    bad = slip(slug)
    found = finding(ask(ptum.CAPABILITY, by_name(shown_by), bad.implementation)).item
    assert found == told
    assert telling(bad.breaks, found) is not Telling.MISSED


@pytest.mark.parametrize("after", [60, 100])
def test_a_run_that_takes_pairs_in_turn_is_charged_to_line_18(after: int) -> None:
    """From some query on; single ones are right for models that have fallen."""

    class InTurn(Algorithm1):
        def query(self, active: list[int]) -> tuple[int, int]:
            here = (self.queries + 1) % (self.S * self.A)
            return super().query(active) if self.queries < after else divmod(here, self.A)

    for name in ("three-arms-0", "three-arms-2"):
        found = finding(ask(ptum.CAPABILITY, by_name(name), VIEWS["ptum"](InTurn))).item
        assert telling(LINE_18, found) is Telling.AMONG


def test_an_equal_loss_has_to_stop_the_run() -> None:
    run = ask(ptum.CAPABILITY, by_name("equality"), slip("strict-stop").implementation)
    found = finding(run)
    assert found.expected == "a stop with the policy of model 0: it loses 0.25, the slack is 0.25"
    assert found.got == "a query of (0,0)"


def test_an_equal_loss_that_is_rounded_may_go_on() -> None:
    """0.4 ≤ 0.5 - 2·0.05 in doubles, but 0 ≥ 0.4 - 0.5 + 2·0.05, which is line 14, is not."""
    assert 0.4 <= 0.5 - 2 * 0.05
    assert 0.0 < 0.4 - 0.5 + 2 * 0.05
    exact = by_name("equality")
    rounded = json.loads(json.dumps(exact.input))
    rounded["epsilon"] = 0.5
    rounded["errors"] = dict.fromkeys(rounded["errors"], 0.05)
    for task in rounded["models"]:
        task["u"] = [0.4 * (u > 0) for u in task["u"]]
    strict = slip("strict-stop").implementation
    exchange = ask(ptum.CAPABILITY, replace(exact, input=rounded), strict)
    assert exchange.queries
    assert assess(ptum.CAPABILITY, exchange).agrees


def test_an_equal_loss_of_values_that_are_solved_for_may_go_on() -> None:
    """With γ = 1/2 either policy loses 1/2, which is ε, up to the rounding of a solver."""
    run = certain_run([(0.25, 0.0), (0.0, 0.25)], [0], epsilon=0.5, gamma=0.5)
    assert is_right(structs.replace(run, input={**run.input, "n": 1}))


# What rounding can decide where rewards are certain: indices and losses are differences


def certain_run(
    rewards: Sequence[tuple[float, ...]],
    arms: Sequence[int],
    *,
    epsilon: float,
    gamma: float = 0.0,
    **answer: object,
) -> Exchange:
    """Models of one state that pay such rewards; the first is the task, n is 30 and δ = 0.1."""
    request = {
        **FlaggedModels("certain", tuple(certain_bandit(gamma, *row) for row in rewards)).request(),
        "errors": errors_fields(single(0.0)),
        "epsilon": epsilon,
        "delta": 0.1,
        "n": 30,
    }
    queries = tuple(Asked(0, 0, a, rewards[0][a], 0) for a in arms)
    return Exchange("ptum/certain", "ptum", request, {"policy": None, **answer}, None, queries)


def is_right(run: Exchange) -> bool:
    return bool(assess(ptum.CAPABILITY, run).agrees)


@pytest.mark.parametrize(("share", "right"), [(0.1, True), (10.0, False)])
def test_a_pair_may_be_behind_by_rounding(share: float, right: bool) -> None:
    """The arms tell 0.5 and a little less; the second is asked, and n = 1."""
    less = 0.75 - 0.5 * share * 2 * FLOOR
    run = certain_run([(0.75, 0.25), (0.25, less)], [1], epsilon=0.125)
    assert is_right(structs.replace(run, input={**run.input, "n": 1})) is right


@pytest.mark.parametrize(("share", "right"), [(0.5, True), (10.0, False)])
def test_a_policy_may_lose_what_a_value_may_be_off(share: float, right: bool) -> None:
    """An arm that pays less by x loses 10x with γ = 0.9, in units of 10."""
    arms = [(0.5, 0.5 - share * FLOOR)]
    assert is_right(certain_run(arms, [], epsilon=0.5, gamma=0.9, policy=[1])) is right


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("share", [-10.0, -0.1, 0.1, 10.0])
def test_a_model_that_rounding_can_drop_may_fall_or_stay(share: float, told: bool) -> None:
    """After 26 samples equation (1) is missed by that share; model 1 is eliminated then or later.

    The third arm is asked from then on, which tells model 2 from the first, and n is used up.
    """
    paid = 7 * math.log(8 * 3 * 30 * 4 / 0.1) / (3 * 25) + share * FLOOR
    arms = [(paid, 0.0, 1.0), (0.0, paid, 1.0), (paid, 0.0, 0.25)]
    for samples, right in ((26, share > -1), (27, share < 1)):
        eliminated = [{"t": samples + 1, "theta": 1}] if told else None
        queries = [0] * samples + [2] * (30 - samples)
        run = certain_run(arms, queries, epsilon=0.02, eliminations=eliminated)
        assert is_right(run) is right


def test_a_small_index_is_not_zero() -> None:
    """Arms that differ by 10⁻⁶ tell as much, which is far beyond rounding."""
    less = 0.5 - 1e-6
    run = certain_run([(0.5, less), (less, 0.5)], [], epsilon=1e-7, end="index-zero")
    assert finding(run).item == of_unknown_set(INDEX)


# A recorded run that is changed in one place


def test_a_query_that_is_not_an_argmax_is_named() -> None:
    """Line 12 is not blamed for what comes before the first elimination."""
    run = literal_exchange("three-arms-0")
    assert eliminations(run)
    found = finding(with_first_query(run, a=0))
    assert found.item == INDEX
    assert found.what == "iteration 1, active [0, 1, 2]"
    assert found.expected == "a query of (0,1), index 0.7"
    assert found.got == "a query of (0,0), index 0"


def test_a_missing_query_is_an_early_end() -> None:
    run = literal_exchange("three-arms-0")
    found = finding(with_queries(run, run.queries[:-1]))
    assert found.item == of_reported_set(LINE_14_PLANNED)
    assert found.what == f"iteration {len(run.queries)}"
    expected = "the policy of model 2 loses 0.6 at most, allowed is 0.4"  # 0.5/(1-γ) - 0.2/(1-γ)
    assert found.expected == f"one more query: no policy is good in all of [0, 2]; {expected}"


def test_an_end_before_the_budget_is_used_breaks_what_the_run_blames() -> None:
    run = literal_exchange("n-9")
    early = with_queries(run, run.queries[:-1])
    assert finding(early).item == LINE_5
    assert finding(early).expected == "one more query: 8 of n = 9 are made"
    assert finding(with_answer(early, end="index-zero")).item == INDEX
    assert finding(with_answer(early, end="active-set-empty")).item == SOME_TEST
    assert finding(with_answer(early, end=None)).item == LINES_5_AND_18


def in_reading(run: Exchange, option: Option) -> Finding:
    """What is wrong in the first reading with this option."""
    found = assess(ptum.CAPABILITY, run).findings
    wrong = next(found[reading] for reading in found if option in reading)
    assert wrong is not None
    return wrong


def test_a_run_that_says_that_it_ends_by_line_2_breaks_line_2() -> None:
    """Where both sides are equal the repaired line may end a run or not (D24)."""
    run = literal_exchange("epsilon-zero")
    assert (run.answer or {})["end"] == "models-too-inaccurate"
    assert all(wrong is None for wrong in assess(ptum.CAPABILITY, run).findings.values())
    entered = in_reading(literal_exchange("between"), REPAIRED)
    assert entered.item == LINE_2
    assert entered.expected.startswith("no transfer mode, so no query: Δ = 0.02 ≥ 0.00")
    stops_at_once = literal_exchange("one-model")
    given_up = with_answer(
        stops_at_once, policy=None, end="models-too-inaccurate", eliminations=None
    )
    assert finding(given_up).item == LINE_2
    assert finding(given_up).expected.startswith("the transfer mode: Δ = 0 < 0.")


def test_line_2_is_among_what_may_end_a_run_before_its_first_query() -> None:
    """Only if nothing is said about the end, or nothing that fits."""
    run = with_queries(literal_exchange("n-9"), ())
    silent = finding(with_answer(run, end=None))
    assert silent.item == NO_QUERY
    assert silent.item.places == LINES_5_AND_18.places | LINE_2.places
    assert finding(run).item == LINE_5
    late = with_answer(literal_exchange("n-9"), end="models-too-inaccurate")
    assert finding(with_queries(late, late.queries[:-1])).item == LINES_5_AND_18


def test_a_policy_or_a_query_after_the_last_model_fell() -> None:
    """Line 12 was right, if the eliminations are told; what the empty set means was not."""
    run = literal_exchange("stranger")
    assert (run.answer or {})["end"] == "active-set-empty"
    last = f"iteration {len(run.queries) + 1}"
    for told, item in (
        (run, of_reported_set(EMPTY_SET)),
        (with_answer(run, eliminations=None), of_unknown_set(EMPTY_SET)),
    ):
        policy = finding(with_answer(told, policy=[0], end="stopped"))
        assert (policy.item, policy.what) == (item, last)
        assert policy.expected == "no policy (active-set-empty)"
        query = finding(with_queries(told, (*run.queries, run.queries[-1])))
        assert (query.item, query.what) == (item, last)
        assert query.expected == "an end: no model is active"
    assert {"algorithm-1:14", "algorithm-1:22"} == EMPTY_SET.places


def test_more_queries_than_the_budget_are_counted() -> None:
    run = literal_exchange("n-9")
    found = finding(with_queries(run, (*run.queries, run.queries[-1])))
    assert (found.item, found.what) == (LINE_5, "iteration 10")
    assert (found.expected, found.got) == ("at most n = 9 queries", "10 queries")


def test_queries_after_the_stop_are_late() -> None:
    run = literal_exchange("three-arms-1")
    found = finding(with_queries(run, (*run.queries, run.queries[-1])))
    assert found.item == of_reported_set(LINE_14_PLANNED)
    assert found.what == f"iteration {len(run.queries) + 1}"
    assert found.expected == "a stop: the policy of model 1 loses 0 at most, allowed is 0.4"
    silent = finding(with_answer(run, policy=None))
    assert (silent.expected, silent.got) == (found.expected, "no policy")


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        (0.7, 0.0, ("0.7", "0")),
        (1.0000001, 1.0, ("1.0000001", "1")),
        (1.0, 1 + 1e-15, ("1", "1.0000000000000011")),
        (0.5, 0.5, ("0.5", "0.5")),
        (math.inf, 1.0, ("inf", "1")),
    ],
)
def test_numbers_are_told_with_as_many_digits_as_it_takes(
    one: float, other: float, shown: tuple[str, str]
) -> None:
    assert digits_apart(one, other) == shown


def test_a_query_though_the_models_are_too_inaccurate() -> None:
    """ε = Δ = 0 does not enter as printed."""
    asked = literal_exchange("three-arms-0")
    run = with_queries(literal_exchange("epsilon-zero"), asked.queries[:1])
    found = in_reading(run, THRESHOLD)
    assert found.item == LINE_2
    assert found.expected == "no transfer mode, so no query: Δ = 0 ≥ 0, the threshold"
    assert found.got.startswith("a query of (")


def test_a_policy_that_line_14_does_not_allow() -> None:
    run = literal_exchange("three-arms-1")
    assert (run.answer or {})["policy"] == [1]
    other = finding(with_answer(run, policy=[0]))
    assert other.item == of_reported_set(LINE_14_PLANNED)
    assert other.expected == "an optimal policy of a model that passes: [1] (model 1)"
    assert other.got == "policy [0]"
    none = finding(with_answer(run, policy=None, end=None))
    assert none.item == of_reported_set(LINE_14_PLANNED)
    assert none.got == "no policy"


def test_the_model_of_the_policy_is_one_that_passes() -> None:
    run = literal_exchange("three-arms-1")
    said = assess(ptum.CAPABILITY, with_answer(run, theta=1))
    assert said.agrees == assess(ptum.CAPABILITY, run).agrees
    other = finding(with_answer(run, theta=0))
    assert other.item == of_reported_set(LINE_14)
    assert other.expected == "a model that passes and has this policy: 1"
    assert other.got == "model 0 for policy [1]"
    unfinished = literal_exchange("n-9")
    assert finding(with_answer(unfinished, theta=0)).got == "model 0"
    generous = finding(with_answer(literal_exchange("generous-epsilon"), theta=1))
    assert generous.expected == "a model that passes and has this policy: 0", "all three pass"


def test_a_model_that_has_to_fall_is_missed() -> None:
    """The runs of slips that do keep it: they ask on, so that the run is wrong, not its report."""
    wide = ask(ptum.CAPABILITY, by_name("n-30"), slip("log-of-one-pass-more").implementation)
    found = finding(wide)
    assert (found.item, found.what) == (failed_test(1), "iteration 28")
    assert found.expected.startswith("model 1 is eliminated: equation (1) at (0,0) is missed by 0.")
    assert found.got == "model 1 stays"
    blind = slip("no-equation-4").implementation
    assert finding(ask(ptum.CAPABILITY, by_name("value-deviations-1"), blind)).item == failed_test(
        4
    )


@pytest.mark.parametrize("by", [-1, 1])
@pytest.mark.parametrize("name", ["n-24", "three-arms-0", "value-deviations-1", "stranger"])
def test_passes_that_are_counted_wrong_are_no_error_of_line_12(name: str, by: int) -> None:
    """The tests that are named with them are left as they are."""
    run = literal_exchange(name)
    shifted = [{**one, "t": int(str(one["t"])) + by} for one in eliminations(run)]
    found = finding(with_answer(run, eliminations=shifted))
    theta, t = shifted[0]["theta"], int(str(shifted[0]["t"])) - by
    assert (found.item, found.what) == (ELIMINATIONS, f"model {theta}")
    counted = f"{t - 1} queries so far, and one"
    assert found.expected == f"`eliminations` names model {theta} with t = {t}: {counted}"
    assert found.got == f"t = {t + by}; queries and end are right"


@pytest.mark.parametrize("name", ["n-24", "three-arms-0", "value-deviations-1", "stranger"])
def test_a_model_that_fell_but_is_not_listed_is_not_said_to_stay(name: str) -> None:
    run = literal_exchange(name)
    first, *rest = eliminations(run)
    found = finding(with_answer(run, eliminations=rest))
    assert (found.item, found.what) == (ELIMINATIONS, f"model {first['theta']}")
    text = f"`eliminations` names model {first['theta']} with t = {first['t']}: "
    assert found.expected.startswith(text)
    missing = f"`eliminations` does not name model {first['theta']}"
    assert found.got == f"{missing}; queries and end are right"


def test_a_model_that_is_listed_but_never_fell() -> None:
    run = literal_exchange("three-arms-0")
    found = finding(with_answer(run, eliminations=[*eliminations(run), {"t": 60, "theta": 0}]))
    assert (found.item, found.what) == (ELIMINATIONS, "model 0")
    assert found.expected == "`eliminations` does not name model 0, which is never eliminated"
    assert found.got == "t = 60; queries and end are right"


@pytest.mark.parametrize("pass_of_it", ["first", "last", "after the end"])
def test_an_elimination_needs_new_data_and_an_active_model(pass_of_it: str) -> None:
    """Model 1 falls before there are data, a second time, or when all is over."""
    run = literal_exchange("three-arms-0")
    last = len(run.queries) + 1
    t = {"first": 1, "last": last, "after the end": last + 1}[pass_of_it]
    twice = with_answer(run, eliminations=[*eliminations(run), {"t": t, "theta": 1}])
    found = finding(twice)
    assert (found.item, found.what) == (of_return(ELIMINATIONS), "model 1")
    assert found.expected == "`eliminations` names model 1 with t = 55: 54 queries so far, and one"
    first, second = sorted((55, t))
    assert found.got == f"t = {first} and again t = {second}; queries and end are right"


@pytest.mark.parametrize("t", [1, 80])
def test_a_wrong_run_does_not_excuse_an_elimination_that_cannot_be(t: int) -> None:
    """The run asks once more than it may; what comes first is told."""
    run = literal_exchange("three-arms-0")
    late = with_queries(run, (*run.queries, run.queries[-1]))
    found = finding(with_answer(late, eliminations=[*eliminations(run), {"t": t, "theta": 1}]))
    assert (found.item, found.what) == (LINE_12, f"iteration {t}")
    assert found.expected == "an elimination needs new data and an active model"
    assert found.got == "model 1 is eliminated" + (" again: it came back" if t > 1 else "")


def test_a_list_that_the_queries_do_not_contradict_may_be_true() -> None:
    """Two pairs are tied while model 1 is active: the first query without it fits with it."""
    run = literal_exchange("three-arms-0")
    late, *rest = eliminations(run)
    assert (late["theta"], late["t"]) == (1, 55)
    found = finding(with_answer(run, eliminations=[late | {"t": 56}, *rest]))
    assert (found.item, found.what) == (failed_test(1), "iteration 55")
    assert found.expected.startswith("model 1 is eliminated: equation (1) at (0,1) is missed by 0.")
    assert found.got == f"model 1 stays {IN_DOUBT}"


def dropped_early(run: Exchange, t: int, **named: int) -> Exchange:
    """A run that wrongly drops model 0 in iteration t and stops, and rightly says so."""
    eliminated = {"t": t, "theta": 0, **named}
    return with_answer(with_queries(run, run.queries[: t - 1]), eliminations=[eliminated])


@pytest.mark.parametrize(("name", "t"), [("too-inaccurate", 1), ("n-9", 10), ("three-arms-0", 0)])
def test_an_elimination_needs_a_pass_that_comes_to_line_12(name: str, t: int) -> None:
    """Line 2 ends a run before iteration 1, the sample of n = 9 is not used, and none is 0."""
    run = literal_exchange(name)
    found = finding(with_answer(run, eliminations=[*eliminations(run), {"t": t, "theta": 0}]))
    assert (found.item, found.what) == (ELIMINATIONS, "model 0")
    assert found.got == f"t = {t}; queries and end are right"


def test_a_model_that_passes_is_not_said_to_miss_a_test() -> None:
    run = literal_exchange("value-deviations-1")
    early = finding(dropped_early(run, 90))
    assert early.item == SOME_TEST
    near = "model 0 passes all tests; the closest is equation (4) at (0,0) with θ' = "
    assert early.expected.startswith(near)
    assert early.expected.endswith(" to spare")
    assert "-" not in early.expected
    assert early.got == "model 0 is eliminated"
    blamed = finding(dropped_early(run, 90, equation=2, s=0, a=0, theta_prime=1))
    assert blamed.item == failed_test(2)
    assert blamed.got == "model 0 is eliminated by equation (2) at (0,0) with θ' = 1"
    soon = finding(dropped_early(run, 2))
    assert soon.expected == f"model 0 stays: {NO_WIDTH}"


def test_the_closest_test_is_one_that_the_reading_makes() -> None:
    """Model 1 falls by the value of model 2, which is not active any more (D10)."""
    run = literal_exchange("fork-0")
    reading = ptum.CAPABILITY.readings[0] - {ALL} | {ACTIVE}
    found = assess(ptum.CAPABILITY, run).findings[reading]
    assert found is not None
    assert "the closest is equation (2) at (0,0) with θ' = 0, with 0." in found.expected
    assert found.got == "model 1 is eliminated by equation (2) at (0,0) with θ' = 2"


def test_the_margin_is_that_of_the_reading() -> None:
    """With δ/2 the widths are larger, and there is more to spare."""
    run = literal_exchange("value-deviations-1")
    found = assess(ptum.CAPABILITY, dropped_early(run, 90)).findings
    literal = ptum.CAPABILITY.readings[0]
    whole, half = found[literal], found[literal - {WHOLE} | {HALF}]
    assert whole is not None
    assert half is not None
    assert whole.what == half.what
    assert whole.expected != half.expected


def test_an_elimination_by_a_test_that_passes() -> None:
    run = literal_exchange("three-arms-0")
    first, *rest = eliminations(run)
    found = finding(with_answer(run, eliminations=[first | {"equation": 3}, *rest]))
    assert found.item == failed_test(3)
    assert found.expected == "a test that fails in this iteration"
    assert found.got == f"model 1 is eliminated by equation (3) at (0,1) {IN_DOUBT}"


def test_a_model_may_fall_by_several_tests_if_all_of_them_fail() -> None:
    run = literal_exchange("three-arms-0")
    first, *rest = eliminations(run)
    twice = assess(ptum.CAPABILITY, with_answer(run, eliminations=[first, first, *rest]))
    assert twice.agrees == assess(ptum.CAPABILITY, run).agrees
    passed = first | {"equation": 3}
    for told in ([first, passed], [passed, first]):
        assert finding(with_answer(run, eliminations=[*told, *rest])).item == failed_test(3)


def test_the_end_has_to_be_called_by_its_name() -> None:
    found = finding(with_answer(literal_exchange("n-9"), end="stopped"))
    assert found.item == LINE_22
    assert (found.expected, found.got) == ("end 'budget-exhausted'", "end 'stopped'")
    stopped = finding(with_answer(literal_exchange("three-arms-1"), end="budget-exhausted"))
    assert stopped.item == of_reported_set(LINE_14)
    assert (stopped.expected, stopped.got) == ("end 'stopped'", "end 'budget-exhausted'")


def test_any_optimal_policy_of_a_model_will_do() -> None:
    """Both actions of state 0 are optimal in the corner tasks (D17)."""
    run = literal_exchange("corner")
    policy = (run.answer or {})["policy"]
    assert isinstance(policy, list)
    other = with_answer(run, policy=[1 - policy[0], policy[1]])
    assert assess(ptum.CAPABILITY, other).agrees == assess(ptum.CAPABILITY, run).agrees


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ({}, "has no field 'policy'"),
        ({"policy": [0.5]}, "policy must hold integers"),
        ({"policy": [7]}, "policy must hold actions from 0 to 2"),
        ({"policy": [0, 0]}, r"policy has shape \[2\]"),
        ({"policy": None, "end": "tired"}, "end must be one of"),
        ({"policy": None, "theta": "0"}, "theta must be the label"),
        ({"policy": None, "theta": True}, "theta must be the label"),
        ({"policy": None, "eliminations": 3}, "eliminations must be a list"),
        ({"policy": None, "eliminations": [{"t": 1}]}, "at least t and theta"),
        ({"policy": None, "eliminations": [{"t": 1.5, "theta": 0}]}, "holds integers"),
    ],
)
def test_what_cannot_be_read_is_refused(answer: dict[str, object], problem: str) -> None:
    run = literal_exchange("one-model")
    with pytest.raises(MalformedError, match=problem):
        assess(ptum.CAPABILITY, structs.replace(run, answer=answer))


@pytest.mark.parametrize(
    ("change", "pair"),
    [
        ({"a": 5}, "state 0, action 5, reward [01], next state 0"),
        ({"s": -1}, "state -1, action 1, reward [01], next state 0"),
        ({"successor": 1}, "state 0, action 1, reward [01], next state 1"),
    ],
)
def test_an_impossible_query_is_refused(change: dict[str, int], pair: str) -> None:
    run = literal_exchange("three-arms-0")
    with pytest.raises(MalformedError, match=f"query 1 is impossible: {pair}"):
        assess(ptum.CAPABILITY, with_first_query(run, **change))


@pytest.mark.parametrize("reward", [1.5, -0.25, float("nan")])
def test_a_reward_that_is_none_is_refused(reward: float) -> None:
    run = literal_exchange("three-arms-0")
    with pytest.raises(MalformedError, match=r"query 1 has a reward outside \[0, 1\]"):
        assess(ptum.CAPABILITY, with_first_query(run, reward=reward))


def test_a_subject_without_end_and_eliminations_is_judged_by_its_queries() -> None:
    run = literal_exchange("three-arms-0")
    short = structs.replace(run, answer={"policy": (run.answer or {})["policy"]})
    assert assess(ptum.CAPABILITY, short).agrees >= assess(ptum.CAPABILITY, run).agrees
    moved = finding(with_first_query(short, a=0))
    assert moved.item == of_unknown_set(INDEX)
