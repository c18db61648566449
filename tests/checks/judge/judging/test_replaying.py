"""What a recorded run or a saved exchange must be, and that it is judged as it was when alive."""

from __future__ import annotations

import json
import shlex
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from ptum.checks.judge.capabilities import capabilities, conforming
from ptum.checks.judge.judging.items import INDEX, LINE_14_PLANNED, of_reported_set
from ptum.checks.judge.judging.readings import Case, assess
from ptum.checks.judge.judging.replay import MOST_UNSURE, sets_left
from ptum.checks.judge.judging.verdicts import Conformity, judge_capability
from ptum.checks.judge.messages.transcript import (
    SCHEMA,
    Exchange,
    Fields,
    TranscriptHeader,
    from_lines,
    whole_lines,
)
from ptum.checks.judge.programs.subjects import ask
from ptum.reference.errors import InputError
from tests.checks.judge.support import trials
from tests.support.command import ptum, refused

PTUM, SEQUENTIAL = capabilities()["ptum"], capabilities()["sequential"]
NAMED: Fields = {"t": 9, "theta": 0, "equation": 2, "s": 0, "a": 1, "theta_prime": 1}


@cache
def run_of_three_arms() -> Exchange:
    case: Case = trials.case_named(PTUM, "three-arms-0")
    return ask(PTUM, case, conforming("ptum")["literal"])


def told_of(exchange: Exchange, **changes: object) -> tuple[Conformity, str]:
    """The verdict on an answer that is changed, and its fault."""
    answer = {**(exchange.answer or {}), **changes}
    capability = capabilities()[exchange.capability]
    found = judge_capability(capability, [replace(exchange, answer=answer)])
    return found.verdict, "" if found.fault is None else found.fault.message


@pytest.mark.parametrize(
    ("eliminated", "problem"),
    [
        ({"t": 9, "theta": 0, "equation": 9}, "named together"),
        ({"t": 9, "theta": 0, "s": 0, "a": 1}, "named together"),
        ({"t": 9, "theta": 0, "theta_prime": 1}, "named together"),
        ({**NAMED, "equation": 9}, "equation (9)"),
        ({**NAMED, "equation": 1}, "θ' = 1 with equation (1)"),
        ({**NAMED, "theta_prime": None}, "no θ' with equation (2)"),
        ({**NAMED, "equation": "2"}, "holds integers"),
        ({"t": 9, "theta": 3}, "model θ = 3; there are 3"),
        ({"t": 9, "theta": -1}, "model θ = -1; there are 3"),
        ({"t": 9, "theta": None}, "at least t and theta"),
        ([9, 0], "is an object"),
    ],
)
def test_an_elimination_that_cannot_be_is_malformed(eliminated: object, problem: str) -> None:
    verdict, fault = told_of(run_of_three_arms(), eliminations=[eliminated])
    assert verdict is Conformity.ERRORED
    assert problem in fault


def test_a_field_that_is_null_is_as_good_as_none() -> None:
    run = run_of_three_arms()
    told = (run.answer or {})["eliminations"]
    assert isinstance(told, list)
    of_rewards = [{name: x for name, x in one.items() if name != "theta_prime"} for one in told]
    assert [one["equation"] for one in told] == [1, 1]
    assert told_of(run, eliminations=of_rewards) == (Conformity.CONFORMS, "")
    unnamed = [one | dict.fromkeys(("equation", "s", "a", "theta_prime")) for one in told]
    assert told_of(run, eliminations=unnamed) == (Conformity.CONFORMS, "")


@pytest.mark.parametrize("theta", [3, -1])
def test_a_policy_of_a_model_that_does_not_exist_is_malformed(theta: int) -> None:
    verdict, fault = told_of(run_of_three_arms(), theta=theta)
    assert verdict is Conformity.ERRORED
    assert f"theta = {theta}; there are 3" in fault


def test_line_12_is_named_beside_another_only_after_a_model_fell() -> None:
    """The run stops late: with models that fell before, one of them may still be active."""
    run = run_of_three_arms()
    cut = replace(run, queries=run.queries[:-1])
    found = assess(PTUM, cut).finding
    assert found is not None
    assert found.item == of_reported_set(LINE_14_PLANNED)
    nobody = {**(run.answer or {}), "eliminations": []}
    found = assess(PTUM, replace(run, queries=run.queries[:3], answer=nobody)).finding
    assert found is not None
    assert found.item == LINE_14_PLANNED
    other = replace(run.queries[0], a=0)
    found = assess(PTUM, replace(run, queries=(other, *run.queries[1:]))).finding
    assert found is not None
    assert found.item == INDEX, "both models fall later"


def test_labels_of_a_sequence_are_held_against_its_number_of_tasks() -> None:
    case = trials.case_named(SEQUENTIAL, "swap")
    run = trials.answered(SEQUENTIAL, case, conforming("sequential")["plain"])
    tasks = (run.answer or {})["tasks"]
    assert isinstance(tasks, list)
    wrong = [*tasks[:-1], tasks[-1] | {"eliminations": [{"t": 2, "theta": 2}]}]
    verdict, fault = told_of(run, tasks=wrong)
    assert verdict is Conformity.ERRORED
    assert fault == "task 9: an elimination names the model θ = 2; there are 2"


def saved() -> list[str]:
    header = TranscriptHeader("mine", "1", "C", ("policy_value",), 0)
    talk = [Exchange(f"policy_value/{i}", "policy_value", {}, {"V": [0.0]}) for i in range(3)]
    return list(whole_lines(header, [*talk, replace(talk[1], alone=True)]))


@pytest.mark.parametrize("missing", [1, 3, 4])
def test_an_exchange_with_a_line_cut_out_is_refused(missing: int) -> None:
    lines = saved()
    assert len(from_lines(lines)[1]) == 4
    with pytest.raises(InputError, match="has 3 exchanges, its header counts 4"):
        from_lines(lines[:missing] + lines[missing + 1 :])


def test_the_version_before_is_read_on() -> None:
    """It did not count, and had no retries."""
    old = [json.loads(line) for line in saved()[:-1]]
    assert old[0].pop("exchanges") == 4
    assert old[0]["schema"] == SCHEMA
    old[0]["schema"] = "ptum-judge/1"
    for exchange in old[1:]:
        assert exchange.pop("alone") is False
    header, exchanges = from_lines(map(json.dumps, old))
    assert (header.schema, header.exchanges, len(exchanges)) == ("ptum-judge/1", None, 3)
    assert json.loads(next(whole_lines(header, exchanges)))["schema"] == SCHEMA


FORGETFUL = """
class Subject:
    seen = 0

    def policy_value(self, p, q, u, gamma, pi):
        self.seen += 1
        if self.seen == 2:
            raise ValueError("forgotten")
        return [q[0][0] @ u / (1 - gamma)]


subject = Subject()
"""


@pytest.mark.slow
def test_a_retry_is_saved_and_counts_when_the_exchange_is_judged_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(FORGETFUL)
    names = ("one-state-one-action-best", "bandit-last-arm-worst")
    chosen = [word for name in names for word in ("--case", f"policy_value/{name}")]
    live = ptum("validate", "mine:subject", *chosen, "--save", "x.jsonl", "--json", "live.json")
    assert live.stderr.splitlines() == ["[1/2] policy_value", "[3/3] once more"]
    _, exchanges = from_lines((tmp_path / "x.jsonl").read_text().splitlines())
    assert [(one.id, one.alone) for one in exchanges] == [
        *((f"policy_value/{name}", False) for name in names),
        (f"policy_value/{names[1]}", True),
    ]
    ptum("validate", "--transcript", "x.jsonl", "--json", "again.json")
    found = [json.loads(Path(name).read_text())["results"] for name in ("live.json", "again.json")]
    assert [results[0]["breakdown"]["alone"] for results in found] == [True, True]
    assert [results[0]["cases"] for results in found] == [2, 2]
    lines = (tmp_path / "x.jsonl").read_text().splitlines()
    (tmp_path / "x.jsonl").write_text("\n".join(lines[:-1]))
    assert "has 2 exchanges, its header counts 3" in refused("validate", "--transcript", "x.jsonl")


LENIENT = """
from ptum.checks.judge.capabilities.transfer.stopping import CONFORMING


class Subject:
    def stopping(self, epsilon, **fields):
        found = CONFORMING["literal"](epsilon=epsilon, **fields)
        return found if epsilon > 0 else {**found, "transfer": 1}


subject = Subject()
"""


@pytest.mark.slow
def test_a_replay_shows_what_only_two_answers_show_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """≤ for < in the printed line 2: at ε = 0 that is right as repaired."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(LENIENT)
    done = ptum("validate", "mine:subject", "--json", "r.json")
    (result,) = (r for r in json.loads(Path("r.json").read_text())["results"] if r["cases"])
    found = result["divergence"]
    assert (found["item"], found["otherwise"]) == ("line 2", {"version": ["repaired"]})
    cases = [found["case"], *found["beside"]]
    assert found["replay"].endswith("".join(f" --case {case}" for case in cases))
    others = " or ".join(found["beside"])
    assert f"  replay     {found['replay']}" in done.stdout
    text = f"by itself right in another one (version: repaired), in which {others} is wrong"
    assert text in " ".join(done.stdout.split())
    again = ptum(*shlex.split(found["replay"])[1:], "--json", "again.json")
    assert again.returncode == 1
    (result,) = (r for r in json.loads(Path("again.json").read_text())["results"] if r["cases"])
    shown = ("case", "item", "what", "expected", "got")
    assert [result["divergence"][key] for key in shown] == [found[key] for key in shown]
    alone = ptum("validate", "mine:subject", "--case", found["case"])
    assert alone.returncode == 0


def test_rounding_decides_about_a_few_models_at_most() -> None:
    """Each test that rounding may turn doubles the sets; the computed one comes first."""
    worst = np.array([1.0, -1.0, -0.1, 0.1])
    assert sets_left((0, 1, 2, 3), worst, 0.1) == [(1, 2), (1, 2, 3), (1,), (1, 3)]
    unsure = np.zeros(MOST_UNSURE + 1)
    assert len(sets_left(tuple(range(MOST_UNSURE)), unsure, 0.1)) == 2**MOST_UNSURE
    with pytest.raises(InputError, match="models: rounding decides about more than 12 of them"):
        sets_left(tuple(range(MOST_UNSURE + 1)), unsure, 0.1)
