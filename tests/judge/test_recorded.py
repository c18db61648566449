"""Recorded runs: the events of our own runs conform, and files that are none are refused."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from msgspec import structs

from checks.cli.schemas import json_schema
from checks.judge.capabilities import capabilities
from checks.judge.recorded import as_exchange, read
from checks.judge.transcript import Header, to_lines
from checks.judge.verdicts import Conformity, judge_capability
from reference import transcript
from reference.errors import InputError
from reference.generative import Simulator
from reference.mdp import bernoulli_rewards
from reference.models import approximate_models
from reference.ptum import ptum
from reference.repaired.ptum import ptum as repaired


def events(algorithm: object = ptum) -> list[transcript.Event]:
    arms = [[0.5, 0.1], [0.5, 0.9]]
    stay = np.ones((1, 2, 1))
    models = approximate_models([bernoulli_rewards(stay, np.array([r]), 0.5) for r in arms])
    found: list[transcript.Event] = []
    run = repaired if algorithm is repaired else ptum
    run(
        models,
        Simulator(models.tasks[1], 3),
        epsilon=0.4,
        delta=0.1,
        n=300,
        Delta=0.0,
        observer=found.append,
    )
    return found


def saved(folder: Path, run: list[transcript.Event]) -> Path:
    path = folder / "run.jsonl"
    path.write_text("\n".join(transcript.to_lines(run)) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("algorithm", [ptum, repaired])
def test_our_own_runs_conform(tmp_path: Path, algorithm: object) -> None:
    header, exchanges = read(saved(tmp_path, events(algorithm)))
    assert header.capabilities == ("ptum",)
    found = judge_capability(capabilities()["ptum"], exchanges)
    assert found.verdict is Conformity.CONFORMS


def test_a_run_with_one_sample_changed_is_caught(tmp_path: Path) -> None:
    """Turning the first reward moves every later statistic, so a model falls at another pass."""
    run = events()
    place = next(i for i, event in enumerate(run) if isinstance(event, transcript.Sample))
    sample = run[place]
    assert isinstance(sample, transcript.Sample)
    run[place] = transcript.Sample(sample.t, 1.0 - sample.reward, sample.successor)
    _, exchanges = read(saved(tmp_path, run))
    found = judge_capability(capabilities()["ptum"], exchanges)
    assert found.verdict is Conformity.DEVIATES
    assert found.finding is not None
    assert found.finding.item.startswith("line 12, equation (1), ")


def test_a_run_that_names_a_model_that_has_fallen_is_caught() -> None:
    run = events()
    stop = run[-1]
    assert isinstance(stop, transcript.Stop)
    assert stop.theta == 1
    run[-1] = transcript.Stop(stop.t, stop.end, 0, stop.policy)
    found = judge_capability(capabilities()["ptum"], [as_exchange(run, "run")])
    assert found.verdict is Conformity.DEVIATES
    assert found.finding is not None
    assert found.finding.item == "line 14, or line 12: a model that fell is active"


@pytest.mark.parametrize("reward", [1.5, -0.5])
def test_a_reward_outside_the_unit_interval_is_named_by_its_event(reward: float) -> None:
    run = events()
    assert isinstance(run[2], transcript.Sample)
    run[2] = transcript.Sample(1, reward, run[2].successor)
    told = rf"transcript line 3.*pass 1 has the reward {reward}, which is outside \[0, 1\]"
    with pytest.raises(InputError, match=told):
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
    told = [json.loads(line) for line in transcript.to_lines(events())]
    fallen = next(event for event in told if event["event"] == "elimination")
    fallen.update(change)
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(map(json.dumps, told)), encoding="utf-8")
    found = judge_capability(capabilities()["ptum"], read(path)[1])
    assert found.verdict is Conformity.ERRORED
    assert found.fault is not None
    assert found.fault.kind == "malformed"
    assert problem in found.fault.message


@pytest.mark.parametrize("equation", [0, 5])
def test_an_equation_that_does_not_exist_is_an_error(equation: int) -> None:
    exchange = as_exchange(events(), "run")
    named = {"t": 2, "theta": 0, "equation": equation, "s": 0, "a": 0, "theta_prime": None}
    answer = {**(exchange.answer or {}), "eliminations": [named]}
    found = judge_capability(capabilities()["ptum"], [structs.replace(exchange, answer=answer)])
    assert found.fault is not None
    assert f"equation ({equation})" in found.fault.message


def test_a_test_without_its_pair_is_no_test() -> None:
    exchange = as_exchange(events(), "run")
    told = (exchange.answer or {})["eliminations"]
    assert isinstance(told, list)
    unnamed = [event | {"equation": None, "s": None, "a": None} for event in told]
    answer = {**(exchange.answer or {}), "eliminations": unnamed}
    found = judge_capability(capabilities()["ptum"], [structs.replace(exchange, answer=answer)])
    assert found.verdict is Conformity.CONFORMS


def test_a_run_need_not_name_the_failed_test(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    lines = list(transcript.to_lines(events()))
    told = [json.loads(line) for line in lines]
    fallen = [{n: e[n] for n in ("event", "t", "theta")} for e in told if "equation" in e]
    assert fallen
    short = iter(fallen)
    kept = [json.dumps(next(short) if "equation" in e else e) for e in told]
    for line in kept:
        jsonschema.validate(json.loads(line), json_schema("transcript"))
    path.write_text("\n".join(kept), encoding="utf-8")
    _, (exchange,) = read(path)
    assert exchange.answer is not None
    assert exchange.answer["eliminations"] == [
        {name: e[name] for name in ("t", "theta")} for e in fallen
    ]
    assert judge_capability(capabilities()["ptum"], [exchange]).verdict is Conformity.CONFORMS


@pytest.mark.parametrize("field", ["t", "theta"])
def test_schema_and_reader_agree_on_what_an_elimination_needs(tmp_path: Path, field: str) -> None:
    told = [json.loads(line) for line in transcript.to_lines(events())]
    fallen = next(event for event in told if event["event"] == "elimination")
    del fallen[field]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(fallen, json_schema("transcript"))
    path = tmp_path / "run.jsonl"
    path.write_text("\n".join(map(json.dumps, told)), encoding="utf-8")
    with pytest.raises(InputError, match=f"missing required field `{field}`"):
        read(path)


def test_a_saved_exchange_is_read_too(tmp_path: Path) -> None:
    exchange = as_exchange(events(), "run")
    path = tmp_path / "talk.jsonl"
    header = Header("mine", "1", "C", ("ptum",), 0)
    path.write_text("\n".join(to_lines((header, exchange))), encoding="utf-8")
    assert read(path) == (header, (exchange,))


def without(run: list[transcript.Event], place: int) -> list[transcript.Event]:
    return run[:place] + run[place + 1 :]


@pytest.mark.parametrize(
    ("place", "problem"),
    [(0, "begins with its `start`"), (1, "out of place"), (2, "out of place"), (-1, "ends with")],
)
def test_a_missing_event_is_named(place: int, problem: str) -> None:
    run = events()
    with pytest.raises(InputError, match=problem):
        as_exchange(without(run, place % len(run)), "run")


def test_passes_are_numbered_from_one() -> None:
    run = events()
    assert isinstance(run[1], transcript.Query)
    run[1] = transcript.Query(5, run[1].s, run[1].a)
    with pytest.raises(InputError, match="pass 5 where pass 1 is due"):
        as_exchange(run, "run")


def test_the_stop_counts_the_queries() -> None:
    run = events()
    stop = run[-1]
    assert isinstance(stop, transcript.Stop)
    run[-1] = transcript.Stop(stop.t + 1, stop.end, stop.theta, stop.policy)
    with pytest.raises(InputError, match="one more than their number"):
        as_exchange(run, "run")


def test_the_last_query_needs_its_sample() -> None:
    run = events()
    cut = [event for event in run[:4] if not isinstance(event, transcript.Elimination)]
    with pytest.raises(InputError, match="has no sample"):
        as_exchange([*cut[:2], run[-1]], "run")
