"""Units of panels: seeds of their own, kept when finished, never mixed with other results."""

from __future__ import annotations

import dataclasses
import os
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from ptum.checks.reproduce import units as units_module
from ptum.checks.reproduce.findings import Declared, MeanAbove
from ptum.checks.reproduce.panel import Axis, Curve, Measured, Options, Panel, Seed
from ptum.checks.reproduce.results import encoded, panel_json, read
from ptum.checks.reproduce.units import Store, Unit, UnitError, played, units
from ptum.checks.text.kept_lines import OtherResultsError
from ptum.checks.verdicts.workers import LocalPool


def _run(options: Options, seed: Seed) -> Measured:
    value = float(seed.generator("value").random()) + (options["D69"] == "one-goal")
    return Measured({"curve": [value, 2 * value]}, {"value": value})


TOY = Panel(
    id="figure-1-left",  # whose choices it has
    title="Toy",
    says="",
    notes="",
    parameters={"gamma": 0.9},
    x_axis=Axis("x"),
    y_axis=Axis("y"),
    curves=(Curve("curve", "Curve"),),
    x=lambda _: [0.0, 1.0],
    run=_run,
    declared=(Declared("figure-1-left.identification", "x", "says", MeanAbove("value", 0)),),
)


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units_module, "PANELS", {TOY.id: TOY})


WANTED = units(TOY, ["default", "D69=one-goal"], 30)


def test_alternatives_have_twenty_runs_and_the_default_all() -> None:
    assert len([u for u in WANTED if u.variant == "default"]) == 30
    assert len([u for u in WANTED if u.variant == "D69=one-goal"]) == 20


def test_results_depend_on_neither_order_nor_number_of_processes() -> None:
    alone = dict(played(WANTED, 3))
    assert dict(played(WANTED[::-1], 3)) == alone
    with closing(LocalPool(2)) as pool:
        assert dict(played(WANTED, 3, pool)) == alone
    assert len({m.numbers["value"] for m in alone.values()}) == len(WANTED)
    assert dict(played(WANTED[:1], 4)) != dict(played(WANTED[:1], 3))


def test_what_is_finished_is_kept_and_a_cut_line_is_not(tmp_path: Path) -> None:
    store = Store(tmp_path, TOY, 3)
    for unit, measured in played(WANTED[:3], 3):
        store.keep(unit, measured)
    with store.path.open("ab") as file:
        file.write(b'{"variant": "default", "ru')  # killed while it wrote
    again = Store(tmp_path, TOY, 3)
    assert again.done == store.done
    (unit, measured), *_ = played(WANTED[3:4], 3)
    again.keep(unit, measured)
    assert set(Store(tmp_path, TOY, 3).done) == set(WANTED[:4])
    assert [m.numbers for m in again.runs("default")] == [
        m.numbers for _, m in played(WANTED[:4], 3)
    ]


@pytest.mark.parametrize(
    ("other", "seed", "field"),
    [
        (TOY, 4, "seed"),
        (dataclasses.replace(TOY, revision=2), 3, "revision"),
        (dataclasses.replace(TOY, parameters={"gamma": 0.8}), 3, "parameters"),
    ],
)
def test_results_of_something_else_are_refused_and_stay(
    tmp_path: Path, other: Panel, seed: int, field: str
) -> None:
    store = Store(tmp_path, TOY, 3)
    store.keep(WANTED[0], WANTED[0].play(3))
    before = store.path.read_bytes()
    with pytest.raises(OtherResultsError, match=field):
        Store(tmp_path, other, seed)
    assert store.path.read_bytes() == before


def test_results_of_another_version_and_nonsense_are_refused(tmp_path: Path) -> None:
    store = Store(tmp_path, TOY, 3)
    old = msgspec.structs.replace(store.head, ptum="0.0.1")
    store.path.write_bytes(msgspec.json.encode(old) + b"\n")
    with pytest.raises(OtherResultsError, match=r"ptum 0\.0\.1"):
        Store(tmp_path, TOY, 3)
    store.path.write_bytes(b"nonsense\n")
    with pytest.raises(OtherResultsError, match=r"or damaged .* give another --out"):
        Store(tmp_path, TOY, 3)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_fails_says_which(monkeypatch: pytest.MonkeyPatch, jobs: int) -> None:
    def fail(options: Options, seed: Seed) -> Measured:
        raise ArithmeticError(f"no {options['D73']} of run {seed.run}")

    broken = {TOY.id: dataclasses.replace(TOY, run=fail)}
    monkeypatch.setattr(units_module, "PANELS", broken)
    with pytest.raises(
        UnitError, match=r"figure-1-left, default, run 0 failed: ArithmeticError: no step"
    ):
        list(played(WANTED[:1], 3, LocalPool(2) if jobs == 2 else None))


def test_a_worker_that_is_ended_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def end(options: Options, seed: Seed) -> Measured:
        os._exit(len(options) + seed.run)

    monkeypatch.setattr(units_module, "PANELS", {TOY.id: dataclasses.replace(TOY, run=end)})
    with (
        closing(LocalPool(2)) as pool,
        pytest.raises(UnitError, match="run 0 has no answer, no worker is left"),
    ):
        list(played(WANTED[:1], 3, pool))


def test_a_document_is_read_as_it_was_written(tmp_path: Path) -> None:
    runs = [Unit(TOY.id, "default", i).play(0) for i in range(5)]
    document = panel_json(TOY, 0, {"default": runs, "D69=one-goal": runs[:1]})
    path = tmp_path / "a.json"
    path.write_bytes(encoded(document))
    assert read(path) == document
    default, other = document.variants
    assert default.findings[0].finding == "undecided"  # five runs are few
    assert other.findings[0].finding is None  # alternatives are descriptive
    assert other.curves[0].low is None  # one run has no interval
    path.write_bytes(b"{}")
    with pytest.raises(ValueError, match="no file of"):
        read(path)
