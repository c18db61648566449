"""Recorded runs: the events of our own runs conform, and files that are none are refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from msgspec import structs

from ptum.checks.cli.schemas import json_schema
from ptum.checks.judge.capabilities import capabilities
from ptum.checks.judge.judging.items import LINE_14, failed_test, of_reported_set
from ptum.checks.judge.judging.verdicts import Conformity, Judgement, judge_capability
from ptum.checks.judge.messages.parsing import ERRORS
from ptum.checks.judge.messages.transcript import Exchange, TranscriptHeader, to_lines
from ptum.checks.judge.programs.recorded import as_exchange, read
from ptum.reference.errors import InputError
from ptum.reference.repaired.transfer.ptum import ptum as repaired
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import bernoulli_rewards
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer import transcript
from ptum.reference.transfer.ptum import PtumResult, ptum


@cache
def recorded(version: Callable[..., PtumResult]) -> tuple[transcript.Event, ...]:
    arms = [[0.5, 0.1], [0.5, 0.9]]
    stay = np.ones((1, 2, 1))
    models = approximate_models([bernoulli_rewards(stay, np.array([r]), 0.5) for r in arms])
    found: list[transcript.Event] = []
    version(
        models,
        Simulator(models.tasks[1], 3),
        epsilon=0.4,
        delta=0.1,
        n=300,
        Delta=0.0,
        observer=found.append,
    )
    return tuple(found)


def events() -> list[transcript.Event]:
    """Those of a literal run that drops model 0 and stops with the policy of model 1."""
    return list(recorded(ptum))


def told() -> list[dict[str, object]]:
    """The same as JSON objects."""
    return [json.loads(line) for line in transcript.to_lines(events())]


def first_elimination(run: list[dict[str, object]]) -> dict[str, object]:
    return next(event for event in run if event["event"] == "elimination")


def saved(folder: Path, lines: Iterable[str]) -> Path:
    path = folder / "run.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def judged(exchange: Exchange) -> Judgement:
    return judge_capability(capabilities()["ptum"], [exchange])


@pytest.mark.parametrize("version", [ptum, repaired])
def test_our_own_runs_conform(tmp_path: Path, version: Callable[..., PtumResult]) -> None:
    header, (exchange,) = read(saved(tmp_path, transcript.to_lines(recorded(version))))
    assert (header.capabilities, header.seed) == (("ptum",), None)
    assert exchange.id == "ptum/run"
    assert judged(exchange).verdict is Conformity.CONFORMS


def test_infinite_errors_are_read_as_a_request_has_them(tmp_path: Path) -> None:
    start, *_ = told()
    start["errors"] = dict.fromkeys(ERRORS, "inf")
    end = {"end": "models-too-inaccurate", "theta": None, "policy": None}
    stop = {"event": "stop", "t": 1, **end}
    _, (exchange,) = read(saved(tmp_path, map(json.dumps, (start, stop))))
    assert exchange.input["errors"] == start["errors"]
    assert judged(exchange).verdict is Conformity.CONFORMS


def test_a_run_with_one_sample_changed_is_caught(tmp_path: Path) -> None:
    """Turning the first reward moves every later statistic, so a model falls at another pass."""
    run = events()
    place = next(i for i, event in enumerate(run) if isinstance(event, transcript.Sample))
    sample = run[place]
    assert isinstance(sample, transcript.Sample)
    run[place] = transcript.Sample(sample.t, 1.0 - sample.reward, sample.successor)
    _, (exchange,) = read(saved(tmp_path, transcript.to_lines(run)))
    found = judged(exchange)
    assert found.verdict is Conformity.DEVIATES
    assert found.finding is not None
    assert found.finding.item == failed_test(1)


def test_a_run_that_names_a_model_that_has_fallen_is_caught() -> None:
    run = events()
    stop = run[-1]
    assert isinstance(stop, transcript.Stop)
    assert stop.theta == 1
    run[-1] = transcript.Stop(stop.t, stop.end, 0, stop.policy)
    found = judged(as_exchange(run, "run"))
    assert found.verdict is Conformity.DEVIATES
    assert found.finding is not None
    assert found.finding.item == of_reported_set(LINE_14)


@pytest.mark.parametrize("reward", [1.5, -0.5])
def test_a_reward_outside_the_unit_interval_is_named_by_its_event(reward: float) -> None:
    run = events()
    assert isinstance(run[2], transcript.Sample)
    run[2] = transcript.Sample(1, reward, run[2].successor)
    problem = rf"transcript line 3.*iteration 1 has the reward {reward}, which is outside \[0, 1\]"
    with pytest.raises(InputError, match=problem):
        as_exchange(run, "run")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"s": 4}, "an impossible pair: state 4, action"),
        ({"a": -1}, "action -1"),
        ({"theta_prime": 9}, "θ' = 9"),
    ],
)
def test_a_test_that_does_not_exist_is_an_error(
    tmp_path: Path, change: dict[str, int], problem: str
) -> None:
    """No equation is broken by it: there is no such test."""
    run = told()
    first_elimination(run).update(change)
    _, (exchange,) = read(saved(tmp_path, map(json.dumps, run)))
    found = judged(exchange)
    assert found.verdict is Conformity.ERRORED
    assert found.fault is not None
    assert found.fault.kind == "malformed"
    assert problem in found.fault.message


@pytest.mark.parametrize("equation", [0, 5])
def test_an_equation_that_does_not_exist_is_an_error(equation: int) -> None:
    exchange = as_exchange(events(), "run")
    named = {"t": 2, "theta": 0, "equation": equation, "s": 0, "a": 0, "theta_prime": None}
    answer = {**(exchange.answer or {}), "eliminations": [named]}
    found = judged(structs.replace(exchange, answer=answer))
    assert found.verdict is Conformity.ERRORED
    assert found.fault is not None
    assert f"equation ({equation})" in found.fault.message


def test_a_run_need_not_name_the_failed_test(tmp_path: Path) -> None:
    run = told()
    eliminated = first_elimination(run)
    assert eliminated["equation"] == 1
    for name in ("equation", "s", "a", "theta_prime"):
        del eliminated[name]
    jsonschema.validate(eliminated, json_schema("transcript"))
    _, (exchange,) = read(saved(tmp_path, map(json.dumps, run)))
    assert (exchange.answer or {})["eliminations"] == [{"t": eliminated["t"], "theta": 0}]
    assert judged(exchange).verdict is Conformity.CONFORMS


def test_every_event_of_a_run_keeps_to_the_schema() -> None:
    schema = jsonschema.Draft202012Validator(json_schema("transcript"))
    run = told()
    assert {event["event"] for event in run} == {"start", "elimination", "query", "sample", "stop"}
    for event in run:
        schema.validate(event)


@pytest.mark.parametrize("field", ["t", "theta"])
def test_schema_and_reader_agree_on_what_an_elimination_needs(tmp_path: Path, field: str) -> None:
    run = told()
    eliminated = first_elimination(run)
    del eliminated[field]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(eliminated, json_schema("transcript"))
    place = run.index(eliminated) + 1
    problem = f"transcript line {place}.*missing required field `{field}`"
    with pytest.raises(InputError, match=problem):
        read(saved(tmp_path, map(json.dumps, run)))


@pytest.mark.parametrize("name", ["mine", "event"])
def test_a_saved_exchange_is_read_too(tmp_path: Path, name: str) -> None:
    """Also if its first line has the word by which those of a run are known."""
    exchange = as_exchange(events(), "run")
    header = TranscriptHeader(name, "1", "C", ("ptum",), 0)
    assert read(saved(tmp_path, to_lines((header, exchange)))) == (header, (exchange,))


def test_letters_that_end_a_line_elsewhere_do_not_here(tmp_path: Path) -> None:
    """Unicode has ends of lines that JSON leaves as they are inside a text."""
    header = TranscriptHeader("mine", "1", "C", ("ptum",), 0)
    asked = as_exchange(events(), "run").input
    exchange = Exchange("ptum/run", "ptum", asked, {"end": "one\u2028two\u2029three\x85four"})
    assert read(saved(tmp_path, to_lines((header, exchange)))) == (header, (exchange,))


def test_empty_lines_are_passed_over(tmp_path: Path) -> None:
    lines = "\n\n".join(transcript.to_lines(events())).splitlines()
    _, (exchange,) = read(saved(tmp_path, ["", *lines, " "]))
    assert exchange == as_exchange(events(), "run")


def test_empty_lines_count(tmp_path: Path) -> None:
    header = TranscriptHeader("mine", "1", "C", ("ptum",), 0)
    good = as_exchange(events(), "run")
    bad = structs.replace(good, id="ptum/other", input={**good.input, "gamma": 1.5})
    first, second, third = to_lines((header, good, bad))
    with pytest.raises(InputError) as caught:
        read(saved(tmp_path, ["", first, "", second, " ", third]))
    text = "transcript line 6: 'ptum/other' is no request of the judge: gamma is outside [0, 1)"
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("end", "problem"),
    [(10, "Input data was truncated"), (None, "a query of iteration 7, expected 2")],
)
def test_empty_lines_of_a_run_count(tmp_path: Path, end: int | None, problem: str) -> None:
    """The second query is the fourth event, behind two empty lines."""
    first, *lines = transcript.to_lines(events())
    lines[2] = lines[2].replace('"t":2', '"t":7')[:end]
    with pytest.raises(InputError, match=f"^transcript line 6: {problem}"):
        read(saved(tmp_path, [first, "", " ", *lines]))


def test_lists_that_are_no_arrays_are_named_by_their_model() -> None:
    start, *rest = events()
    assert isinstance(start, transcript.Start)
    first, second = start.models
    ragged = transcript.Model([[[1.0], [0.5, 0.5]]], second.q, second.u)
    run = [structs.replace(start, models=(first, ragged)), *rest]
    with pytest.raises(InputError, match=r"line 1: models\[1\]: p has rows of different lengths"):
        as_exchange(run, "run")


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        (0, "line 1.* begins with its `start`"),
        (1, "line 2.* is out of place"),
        (2, "line 3.* is out of place"),
        (-1, "ends with its `stop`"),
    ],
)
def test_a_missing_event_is_named(place: int, problem: str) -> None:
    run = events()
    del run[place]
    with pytest.raises(InputError, match=problem):
        as_exchange(run, "run")


def test_passes_are_numbered_from_one() -> None:
    run = events()
    assert isinstance(run[1], transcript.Query)
    run[1] = transcript.Query(5, run[1].s, run[1].a)
    with pytest.raises(InputError, match=r"line 2.* iteration 5, expected 1"):
        as_exchange(run, "run")


def test_a_sample_is_that_of_the_query_before_it() -> None:
    run = events()
    assert isinstance(run[2], transcript.Sample)
    run[2] = transcript.Sample(2, run[2].reward, run[2].successor)
    with pytest.raises(InputError, match=r"line 3.* is out of place"):
        as_exchange(run, "run")


def test_nothing_comes_between_a_query_and_its_sample() -> None:
    """Line 12 is over when line 18 asks."""
    run = events()
    place = next(i for i, event in enumerate(run) if isinstance(event, transcript.Elimination))
    late = next(i for i, event in enumerate(run) if isinstance(event, transcript.Query))
    run.insert(late + 1, run.pop(place))
    with pytest.raises(InputError, match=f"line {late + 2}.* is out of place"):
        as_exchange(run, "run")


def test_the_stop_counts_the_queries() -> None:
    run = events()
    stop = run[-1]
    assert isinstance(stop, transcript.Stop)
    run[-1] = transcript.Stop(stop.t + 1, stop.end, stop.theta, stop.policy)
    with pytest.raises(InputError, match="one more than their number"):
        as_exchange(run, "run")


def test_the_last_query_needs_its_sample() -> None:
    start, query, *_, stop = events()
    with pytest.raises(InputError, match=r"line 3.* the last query has no sample"):
        as_exchange([start, query, stop], "run")
