"""Whole runs of Algorithm 1: right ones conform, wrong ones are caught at the line they break."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from checks.judge.capabilities import ptum
from checks.judge.fields import MalformedError
from checks.judge.items import (
    INDEX,
    LINE_2,
    LINE_5,
    LINE_12,
    LINE_14,
    LINES_5_AND_18,
    SOME_TEST,
    Item,
    Telling,
    failed_test,
    of_reported_set,
    of_unknown_set,
    telling,
)
from checks.judge.readings import Case, Finding, Reading, assess, seen, shared
from checks.judge.subjects import ask
from checks.judge.transcript import Asked, Exchange
from checks.known_bad import Bad
from checks.known_bad.ptum import BAD
from tests.judge import trials

EDGES = trials.edge_cases(ptum.CAPABILITY)
DRAWN = trials.drawn_cases(ptum.CAPABILITY, 0)
CLAIMED = {
    "single-error": ("D02", "single Δ"),
    "active-values": ("D10", "active θ' only"),
    "gives-up-at-zero": ("D18", "fall back"),
    "last-sample": ("D22", "last sample used"),
    "half-delta": ("D25", "δ/2 for the transfer phase"),
    "repaired": ("version", "repaired"),
}


def left_by(exchanges: Sequence[Exchange]) -> frozenset[Reading]:
    assert all(exchange.fault is None for exchange in exchanges)
    found = [assess(ptum.CAPABILITY, exchange) for exchange in exchanges]
    return shared(found, ptum.CAPABILITY.readings)


def by_name(name: str) -> Case:
    return next(case for case in EDGES if case.id == f"ptum/{name}")


def literal_exchange(name: str) -> Exchange:
    return ask(ptum.CAPABILITY, by_name(name), ptum.GOOD["literal"])


def finding(exchange: Exchange) -> Finding:
    found = assess(ptum.CAPABILITY, exchange)
    assert not found.agrees
    assert found.finding is not None
    return found.finding


@pytest.mark.parametrize("name", ptum.GOOD)
def test_right_implementations_conform_and_are_recognised(name: str) -> None:
    cases = [*EDGES, *DRAWN]
    left = left_by([ask(ptum.CAPABILITY, case, ptum.GOOD[name]) for case in cases])
    assert left
    choices = seen(left)
    expected = {
        "D02": "four constants",
        "D10": "every θ' given",
        "D25": "δ for the transfer phase",
        "version": "printed",
    }
    expected |= dict([CLAIMED[name]] if name in CLAIMED else [])
    assert {choice: choices[choice] for choice in expected} == {
        choice: (option,) for choice, option in expected.items()
    }


def test_the_engine_conforms_to_the_literal_reading() -> None:
    literal = ptum.CAPABILITY.readings[0]
    assert left_by([ptum.engine_exchange(case) for case in EDGES]) == {literal}


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.id)
def test_every_slip_is_caught_by_an_edge_case(bad: Bad) -> None:
    left = frozenset(ptum.CAPABILITY.readings)
    for case in EDGES:
        exchange = ask(ptum.CAPABILITY, case, bad.implementation)
        assert exchange.fault is None, (case.id, exchange.fault)
        left &= assess(ptum.CAPABILITY, exchange).agrees
        if not left:
            return
    pytest.fail(f"{bad.id} passes as {seen(left)}")


@pytest.mark.parametrize(
    ("slip", "shown_by", "told"),
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
        ("all-tested-again", "would-return", of_unknown_set(LINE_14)),
        ("all-tested-again-and-told", "would-return", of_reported_set(LINE_14)),
        ("reward-deviation-over-fewer", "would-return", failed_test(1)),
        ("window-of-statistics", "many-samples", failed_test(1)),
        ("window-of-data", "many-samples", failed_test(1)),
        ("one-query-too-few", "n-1", LINE_5),
        ("one-query-too-few", "n-23", LINE_5),
        ("log-of-one-pass-more", "n-30", failed_test(1)),
        ("sum-of-informations", "two-reasons", INDEX),
        ("own-errors", "move-or-payment", INDEX),
        ("twice-the-shift-of-transitions", "move-or-payment", INDEX),
        ("rewards-first", "move-or-payment", INDEX),
        ("larger-deviation", "unlike-spreads", INDEX),
        ("weight-in-square", "even-spreads", INDEX),
        ("sum-of-losses", "loss-in-every-state", LINE_14),
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
    ],
)
def test_a_case_that_was_made_to_show_a_slip_does(slip: str, shown_by: str, told: Item) -> None:
    """No reading of any kind agrees with that one run, and the broken place is among those told."""
    (bad,) = (bad for bad in BAD if bad.slug == slip)
    exchange = ask(ptum.CAPABILITY, by_name(shown_by), bad.implementation)
    found = finding(exchange).item
    assert found == told
    assert telling(bad.breaks, found) is not Telling.MISSED


def test_line_12_is_not_blamed_for_what_comes_before_the_first_elimination() -> None:
    run = literal_exchange("three-arms-0")
    assert run.answer is not None
    assert run.answer["eliminations"]
    first = run.queries[0]
    changed = replace_query(run, 0, Asked(0, 0, 0, first.reward, first.successor))
    assert finding(changed).item == INDEX


def test_an_equal_loss_has_to_stop_the_run() -> None:
    (strict,) = (bad for bad in BAD if bad.slug == "strict-stop")
    found = finding(ask(ptum.CAPABILITY, by_name("equality"), strict.implementation))
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
    (strict,) = (bad for bad in BAD if bad.slug == "strict-stop")
    exchange = ask(ptum.CAPABILITY, replace(exact, input=rounded), strict.implementation)
    assert exchange.queries
    assert assess(ptum.CAPABILITY, exchange).agrees


def test_flags_are_explained_and_used() -> None:
    used = {flag for case in (*EDGES, *DRAWN) for flag in case.flags}
    assert used == set(ptum.CAPABILITY.flags)


def test_case_ids_are_unique() -> None:
    assert len({case.id for case in EDGES}) == len(EDGES)


# A recorded run that is changed in one place


def test_a_query_that_is_not_an_argmax_is_named() -> None:
    run = literal_exchange("three-arms-0")
    first = run.queries[0]
    changed = replace_query(run, 0, Asked(0, 0, 0, first.reward, first.successor))
    found = finding(changed)
    assert found.item == INDEX
    assert "(0,1), index 0.7" in found.expected
    assert "(0,0), index 0" in found.got


def test_a_missing_query_is_an_early_end() -> None:
    run = literal_exchange("three-arms-0")
    early = replace_queries(run, run.queries[:-1])
    assert finding(early).what.startswith(f"pass {len(run.queries)}")


def test_an_end_before_the_budget_is_used_breaks_what_the_run_blames() -> None:
    run = literal_exchange("n-9")
    early = replace_queries(run, run.queries[:-1])
    assert finding(early).item == LINE_5
    assert finding(early).expected == "one more query: 8 of n = 9 are made"
    assert finding(with_answer(early, end="index-zero")).item == INDEX
    assert finding(with_answer(early, end="active-set-empty")).item == SOME_TEST
    assert finding(with_answer(early, end=None)).item == LINES_5_AND_18


def test_queries_after_the_stop_are_late() -> None:
    run = literal_exchange("three-arms-1")
    late = replace_queries(run, (*run.queries, run.queries[-1]))
    assert finding(late).item == of_reported_set(LINE_14)


def test_a_policy_that_line_14_does_not_allow() -> None:
    run = literal_exchange("three-arms-1")
    assert run.answer == run.answer | {"policy": [1]}  # type: ignore[operator]
    other = finding(with_answer(run, policy=[0]))
    assert other.item == of_reported_set(LINE_14)
    assert other.expected == "an optimal policy of a model that passes: [1] (model 1)"
    assert other.got == "policy [0]"


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


def test_an_elimination_that_did_not_happen() -> None:
    run = literal_exchange("three-arms-0")
    assert finding(with_answer(run, eliminations=[])).item.startswith("line 12")
    early = with_answer(run, eliminations=[{"t": 3, "theta": 1}])
    assert finding(early).got == "model 1 falls"
    first_pass = with_answer(run, eliminations=[{"t": 1, "theta": 1}])
    assert "needs new data" in finding(first_pass).expected


def test_a_model_that_passes_is_not_said_to_miss_a_test() -> None:
    run = literal_exchange("value-deviations-1")
    early = finding(with_answer(run, eliminations=[{"t": 90, "theta": 0}]))
    assert early.item == SOME_TEST
    near = "model 0 passes all tests; the closest is equation (4) at (0,0) with θ' = "
    assert early.expected.startswith(near)
    assert early.expected.endswith(" to spare")
    assert "-" not in early.expected
    named = {"t": 90, "theta": 0, "equation": 2, "s": 0, "a": 0, "theta_prime": 1}
    blamed = finding(with_answer(run, eliminations=[named]))
    assert blamed.item == failed_test(2)
    assert blamed.got == "model 0 falls by equation (2) at (0,0) with θ' = 1"
    soon = finding(with_answer(run, eliminations=[{"t": 2, "theta": 0}]))
    assert soon.expected == "model 0 stays: one sample of a pair tells nothing"


def test_a_model_that_fails_keeps_its_equation() -> None:
    run = literal_exchange("value-deviations-1")
    found = finding(with_answer(run, eliminations=[]))
    assert found.item == failed_test(4)
    assert "is missed by " in found.expected


def test_an_elimination_after_the_end_is_not_explained() -> None:
    run = literal_exchange("twins")
    assert finding(with_answer(run, eliminations=[{"t": 9, "theta": 0}])).item == LINE_12


def test_an_elimination_by_a_test_that_passes() -> None:
    run = literal_exchange("three-arms-0")
    assert run.answer is not None
    told = run.answer["eliminations"]
    assert isinstance(told, list)
    wrong = [told[0] | {"equation": 3}, *told[1:]]
    assert finding(with_answer(run, eliminations=wrong)).got.startswith("model 1 falls by")


def test_the_end_has_to_be_called_by_its_name() -> None:
    run = literal_exchange("n-9")
    assert finding(with_answer(run, end="stopped")).got == "end 'stopped'"


def test_any_optimal_policy_of_a_model_will_do() -> None:
    """Both actions of state 0 are optimal in the corner tasks (D17)."""
    run = literal_exchange("corner")
    assert run.answer is not None
    policy = run.answer["policy"]
    assert isinstance(policy, list)
    other = with_answer(run, policy=[1 - policy[0], policy[1]])
    assert assess(ptum.CAPABILITY, other).agrees == assess(ptum.CAPABILITY, run).agrees


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"policy": [0.5]},
        {"policy": [7]},
        {"policy": [0, 0]},
        {"policy": None, "end": "tired"},
        {"policy": None, "theta": "0"},
        {"policy": None, "theta": True},
        {"policy": None, "eliminations": 3},
        {"policy": None, "eliminations": [{"t": 1}]},
        {"policy": None, "eliminations": [{"t": 1.5, "theta": 0}]},
    ],
)
def test_what_cannot_be_read_is_refused(answer: dict[str, object]) -> None:
    run = literal_exchange("one-model")
    with pytest.raises(MalformedError):
        assess(ptum.CAPABILITY, Exchange(run.id, "ptum", run.input, answer))


def test_an_impossible_query_is_refused() -> None:
    run = literal_exchange("three-arms-0")
    told = "query 1 is impossible: state 0, action 5, reward 0, next state 0"
    with pytest.raises(MalformedError, match=told):
        assess(ptum.CAPABILITY, replace_query(run, 0, Asked(0, 0, 5, 0.0, 0)))


@pytest.mark.parametrize("reward", [1.5, -0.25, float("nan")])
def test_a_reward_that_is_none_is_refused(reward: float) -> None:
    run = literal_exchange("three-arms-0")
    first = run.queries[0]
    changed = replace_query(run, 0, Asked(0, first.s, first.a, reward, first.successor))
    with pytest.raises(MalformedError, match=r"query 1 has a reward outside \[0, 1\]"):
        assess(ptum.CAPABILITY, changed)


def replace_queries(run: Exchange, queries: Sequence[Asked]) -> Exchange:
    return Exchange(run.id, run.capability, run.input, run.answer, None, tuple(queries))


def replace_query(run: Exchange, place: int, asked: Asked) -> Exchange:
    queries = list(run.queries)
    queries[place] = asked
    return replace_queries(run, queries)


def with_answer(run: Exchange, **fields: object) -> Exchange:
    answer = {**(run.answer or {}), **fields}
    return Exchange(run.id, run.capability, run.input, answer, None, run.queries)


def test_a_subject_without_end_and_eliminations_is_judged_by_its_queries() -> None:
    run = literal_exchange("three-arms-0")
    assert run.answer is not None
    short = Exchange(run.id, "ptum", run.input, {"policy": run.answer["policy"]}, None, run.queries)
    assert assess(ptum.CAPABILITY, short).agrees >= assess(ptum.CAPABILITY, run).agrees
