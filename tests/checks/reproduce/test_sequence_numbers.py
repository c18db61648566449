"""What is measured of sequences of tasks: numbers, misses, and slips that change findings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from ptum.checks.engine.as_run_spectral import learn_hmm
from ptum.checks.reproduce.findings import Declared, PanelFinding, findings
from ptum.checks.reproduce.panel import Lost, Measured, Seed
from ptum.checks.reproduce.panels import PANELS, figure_2, sequences
from ptum.checks.reproduce.panels import sequence_numbers as of
from ptum.checks.reproduce.panels.sequences import (
    EPSILON,
    GAMMA,
    SEQUENTIAL,
    SequenceDesign,
    Transfer,
    World,
    drawn,
    transfer,
    world,
)
from ptum.checks.reproduce.results import panel_json
from ptum.checks.reproduce.sequence import Learner
from ptum.checks.reproduce.units import units
from ptum.reference.arrays import Floats
from ptum.reference.errors import InputError
from ptum.reference.experiments import objectworld
from ptum.reference.experiments.episodes import online
from ptum.reference.experiments.sequential import Decay, Schedule
from ptum.reference.sequential.spectral import HmmEstimate, NotEnoughData, NotIdentifiable
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.values import optimal_policy, optimal_value, policy_value
from ptum.reference.transfer.stopping import enters_transfer_mode
from tests.support.closeness import near

SMALL = SequenceDesign(
    replace(objectworld.FIGURE_2, rows=2, columns=2), Schedule(start_up=150, decay=12)
)
RUNS, LENGTH = 6, 12


def seeded(run: int) -> Seed:
    return Seed(0, "small", "default", run)


@cache
def sequences_of(learner: Learner) -> list[tuple[World, Transfer]]:
    """Six runs on 2x2 cells."""
    worlds = [world(SMALL, {}, seeded(run)) for run in range(RUNS)]
    return [
        (here, transfer(here, seeded(run), length=LENGTH, learner=learner))
        for run, here in enumerate(worlds)
    ]


def transposed(
    observations: Floats, k: int, L: int, N: int, rng: np.random.Generator
) -> HmmEstimate | NotIdentifiable | NotEnoughData:
    """The learner with T̂ the wrong way around."""
    found = learn_hmm(observations, k, L, N, rng)
    if isinstance(found, HmmEstimate) and found.T is not None:
        return replace(found, T=np.ascontiguousarray(found.T.T))
    return found


def found(
    declared: tuple[Declared, ...],
    numbers: Callable[[World, Transfer], dict[str, float]],
    learner: Learner = learn_hmm,
) -> dict[str, PanelFinding]:
    """Findings of few runs, hence at a larger level."""
    rows = [numbers(*one) for one in sequences_of(learner)]
    columns = {key: [row[key] for row in rows] for key in rows[0]}
    return {row.declared.id: row.finding for row in findings(declared, columns, 0.2)}


SAMPLES = figure_2.declared_samples("below", "one", "decay")
POLICIES = figure_2.declared_policies("near", "every")


@pytest.mark.slow
def test_a_transposed_chain_changes_findings() -> None:
    right = found(POLICIES, figure_2.numbers_of_policies)
    wrong = found(POLICIES, figure_2.numbers_of_policies, transposed)
    assert right["near/sequential"] is right["near/static"] is PanelFinding.SHOWN
    assert wrong["near/sequential"] is not PanelFinding.SHOWN
    assert wrong["every/all-sequential"] is PanelFinding.CONTRADICTED
    assert wrong["near/static"] is PanelFinding.SHOWN  # which does not look at T̂


@pytest.mark.slow
def test_an_inverted_ratio_changes_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    right = found(SAMPLES, figure_2.numbers_of_samples)
    assert right["below/mean"] is right["one/last-20"] is PanelFinding.SHOWN
    as_it_is = of.ratios
    monkeypatch.setattr(of, "ratios", lambda *given: 1 / np.maximum(as_it_is(*given), 0.25))
    wrong = found(SAMPLES, figure_2.numbers_of_samples)
    assert wrong["one/last-20"] is PanelFinding.CONTRADICTED
    assert wrong["below/mean"] is not PanelFinding.SHOWN


@pytest.mark.slow
def test_policies_that_are_lost_are_explained() -> None:
    rows = [row for one in sequences_of(transposed) for row in of.lost(*one)]
    assert len(rows) > RUNS
    assert {row.variant for row in rows} == {SEQUENTIAL}
    assert all(row.missing and row.lasted >= 1 for row in rows)
    for here, one in sequences_of(transposed):
        for row in of.lost(here, one):
            place = row.task - 1
            step = (one.targets[place] - one.previous[place]) % 8
            assert (row.step == "ordinary") == (step == 1)
            policy = one.solved[row.variant][place].policy
            theta = here.tasks[one.targets[place]]
            loss = np.max(optimal_value(theta) - policy_value(theta, policy))
            assert row.loss == near(float(loss))
            assert loss > EPSILON


def test_a_miss_lasts_as_long_as_targets_are_missing() -> None:
    gone = [False, True, True, False, True]
    assert [of.lasted(gone, place) for place in range(5)] == [0, 2, 2, 0, 1]


def test_shares_are_those_of_episodes() -> None:
    here = world(SMALL, {}, seeded(0))
    theta = here.tasks[3]
    pi = optimal_policy(here.tasks[0])
    theirs = online(theta, range(theta.S)).expected_return(pi, of.STEPS)
    assert of.earned(here, 3, pi) == near(theirs)


def test_rho_starts_where_the_transfer_mode_begins() -> None:
    here = world(SMALL, {}, seeded(0))
    first = here.schedule.start_up
    assert enters_transfer_mode(
        here.schedule.model_errors(first, here.setting).Delta, EPSILON, GAMMA
    )
    larger = replace(here.schedule, rho=here.schedule.rho / sequences.BELOW_THRESHOLD * 1.001)
    assert not enters_transfer_mode(larger.model_errors(first, here.setting).Delta, EPSILON, GAMMA)
    assert world(SMALL, {"D59": "printed"}, seeded(0)).schedule == SMALL.schedule
    assert world(SMALL, {"D59": "geometric"}, seeded(0)).schedule.shape is Decay.GEOMETRIC
    assert of.rho_stays_out(world(figure_2.DESIGN, {}, seeded(0)))


def test_choices_change_what_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, tasks = list[float](), world(SMALL, {}, seeded(0)).tasks

    def given(listed: objectworld.TaskList, *_: object) -> tuple[MDP, ...]:
        asked.append(listed.least_loss)
        return tasks

    monkeypatch.setattr(sequences, "drawn", given)
    assert world(SMALL, {"D77": "half-epsilon"}, seeded(0)).tasks is tasks
    assert world(SMALL, {"D80": "2000"}, seeded(0)).setting.n == 2000
    assert asked == [EPSILON / 2, 0.0]


def test_a_list_without_a_copy_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([None, None, "list"])

    def generate(*_: object) -> str:
        answer = next(answers)
        if answer is None:
            raise InputError("epsilon", "no copy", value=0.5)
        return answer

    monkeypatch.setattr(sequences, "generate_tasks", generate)
    assert drawn(objectworld.FIGURE_2, np.random.default_rng(0)) == "list"  # type: ignore[comparison-overlap]


def test_close_tasks_and_sets_to_discard() -> None:
    here = world(SMALL, {}, seeded(0))
    assert of.close_pairs(here.exact) >= len(objectworld.COPIES)
    loss = of.between(here.exact)
    assert not np.diag(loss).any()
    theta, other = here.tasks[2], here.tasks[3]
    mine = np.max(optimal_value(other) - policy_value(other, optimal_policy(theta)))
    assert loss[3, 2] == near(float(mine))
    assert of.slope(np.array([1.0, 3.0, 5.0])) == near(2.0)


@pytest.mark.slow
def test_repairs_are_run_beside_and_change_nothing_else() -> None:
    here, as_run = world(SMALL, {}, seeded(0)), Measured({"curve": [1.0]}, {"number": 2.0})
    before = of.ratios(transfer(here, seeded(0), length=LENGTH), SEQUENTIAL).tolist()
    found = figure_2.with_repairs(as_run, here, seeded(0), LENGTH)
    assert of.ratios(transfer(here, seeded(0), length=LENGTH), SEQUENTIAL).tolist() == before
    assert (found.curves["curve"], found.numbers["number"]) == ([1.0], 2.0)
    assert found.curves["repaired"] != before
    assert found.numbers["mean_repaired"] == pytest.approx(np.mean(found.curves["repaired"]))
    assert min(found.curves["return_repaired"]) > 0.5
    other = Seed(0, "small", "D59=printed", 0)
    assert figure_2.with_repairs(as_run, here, other, LENGTH) is as_run


def test_the_right_panel_shows_the_runs_of_the_left_one() -> None:
    right = PANELS["figure-2-right"]
    assert {unit.panel for unit in units(right, ["default"], 3)} == {"figure-2-left"}
    left = PANELS["figure-2-left"]
    assert right.variants() == left.variants()
    why = Lost(
        variant="static", task=1, loss=0.6, missing=False, step="rare", lasted=0, end="stopped"
    )
    names = {curve.name for panel in (left, right) for curve in panel.curves}
    run = Measured(
        {name: [1.0] * 100 for name in names},
        dict.fromkeys((*left.numbers, *right.numbers), 1.0),
        [why],
    )
    default = panel_json(right, 0, {"default": [run, run]}).variants[0]
    assert tuple(default.numbers) == right.numbers
    assert [curve.name for curve in default.curves] == [curve.name for curve in right.curves]
    assert default.lost == [[why], [why]]
    without = replace(
        run,
        curves={name: run.curves[name] for name in names if "repaired" not in name},
        numbers={key: run.numbers[key] for key in run.numbers if "repaired" not in key},
    )
    document = panel_json(right, 0, {"default": [run], "D55=as-they-come": [without]})
    drawn, other = ({curve.name for curve in variant.curves} for variant in document.variants)
    assert drawn - other == {"return_repaired"}
    assert set(document.variants[0].numbers) - set(document.variants[1].numbers) == {
        "return_repaired"
    }
    with pytest.raises(KeyError):
        panel_json(right, 0, {"default": [without]})
    assert panel_json(left, 0, {"default": [run, run]}).variants[0].lost == []
