"""`ptum reproduce`: what it refuses, writes, keeps and continues."""

from __future__ import annotations

import dataclasses
import fcntl
import os
import re
from collections.abc import Generator, Sequence
from importlib import import_module
from pathlib import Path

import jsonschema
import msgspec
import pytest

from ptum.checks.cli import main
from ptum.checks.cli.schemas import json_schema
from ptum.checks.reproduce import picture
from ptum.checks.reproduce.panel import Lost, Measured, Options, Seed
from ptum.checks.reproduce.panels import PANELS
from ptum.checks.reproduce.units import Unit, played
from ptum.checks.verdicts.workers import Pool
from ptum.spec import reproduction

PANEL = "figure-3-right"


def ptum(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", *map(str, arguments)])
    return int(str(ended.value.code))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "give one panel or more, or all"),
        (("figure-9",), "unknown panel 'figure-9'"),
        ((PANEL, "--runs", 0), "--runs 0: must be at least 1"),
        ((PANEL, "--jobs", 0), "--jobs 0: must be at least 1"),
        ((PANEL, "--seed", -1), "--seed -1: must be at least 0"),
        ((PANEL, "--choice", "D68=never"), "unknown choice 'D68=never'"),
        ((PANEL, "--choice", "D68=in-goal"), "this is the default"),
        ((PANEL, "--runs", "many"), "is not a valid integer"),
    ],
)
def test_bad_input_is_refused_in_one_line(
    arguments: tuple[object, ...], says: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert ptum(*arguments, "--out", tmp_path / "out") == 2
    said = capfd.readouterr().err
    assert says in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert ptum(PANEL, "--out", tmp_path / "file") == 2
    assert "is a file: give a folder" in capfd.readouterr().err


def test_an_empty_folder_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ptum(PANEL, "--runs", 1, "--out", "") == 2
    assert capfd.readouterr().err == "ptum: --out is empty: give a folder\n"
    assert not any(tmp_path.iterdir())


def test_a_picture_that_cannot_be_written_is_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / f"{PANEL}.svg").mkdir()
    assert ptum(PANEL, "--runs", 1, "--out", tmp_path) == 2
    said = capfd.readouterr().err
    assert f"cannot write {tmp_path / PANEL}.svg: Is a directory\n" in said
    assert "Traceback" not in said


def test_two_calls_do_not_write_to_one_folder(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        assert ptum(PANEL, "--runs", 1, "--out", tmp_path) == 2
    finally:
        os.close(descriptor)
    assert "another call is writing there" in capfd.readouterr().err
    assert not any(tmp_path.iterdir())


def test_the_list_has_choices_and_tests(capfd: pytest.CaptureFixture[str]) -> None:
    main(["reproduce", "--list"])
    said = capfd.readouterr().out
    assert "choice D69: twelve-goals (or three-goals, one-goal)" in said
    for panel in PANELS.values():
        assert panel.id in said
        assert all(row.id in said for row in panel.declared)


def test_results_follow_the_schema_and_are_continued(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert ptum(PANEL, "--runs", 2, "--out", tmp_path) == 0
    said = capfd.readouterr()
    assert f"{PANEL}: 2 runs, seed 0, default choices (D68 in-goal)\n" in said.out
    for ending in ("json", "svg", "png"):
        assert str(tmp_path / f"{PANEL}.{ending}") in said.out
    for row in PANELS[PANEL].declared:
        (line,) = (line for line in said.out.splitlines() if line.startswith(row.id))
        assert f" {row.test.unit} (" in line
        assert row.test.unit != "of runs" or re.search(
            r"so in [0-9.]+% of runs \([0-9.]+% to", line
        )
        assert re.search(r"\)  +[0-9.e-]+  ", line), "the p-value stands after the interval"
    assert "100 %" in said.err
    document = msgspec.json.decode((tmp_path / f"{PANEL}.json").read_bytes())
    jsonschema.validate(document, json_schema("panel"))
    for ending in ("svg", "png"):
        assert (tmp_path / f"{PANEL}.{ending}").stat().st_size > 1000
    first = document["variants"][0]["numbers"]
    more = ("--runs", 3, "--choice", "D68=on-arrival", "--jobs", 2)
    assert ptum(PANEL, *more, "--out", tmp_path) == 0
    said = capfd.readouterr()
    assert "; 3 runs with D68=on-arrival" in said.out
    assert f"{PANELS[PANEL].declared[0].id}  " in said.out
    assert said.out.count("D68=on-arrival") == 1 + len(PANELS[PANEL].declared)
    again = msgspec.json.decode((tmp_path / f"{PANEL}.json").read_bytes())
    assert [v["name"] for v in again["variants"]] == ["default", "D68=on-arrival"]
    assert {key: values[:2] for key, values in again["variants"][0]["numbers"].items()} == first
    fresh = tmp_path / "fresh"
    assert ptum(PANEL, *more, "--out", fresh) == 0
    for ending in ("json", "svg"):
        name = f"{PANEL}.{ending}"
        assert (fresh / name).read_bytes() == (tmp_path / name).read_bytes()


def test_other_results_are_refused_and_stay(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert ptum(PANEL, "--runs", 2, "--out", tmp_path) == 0
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert ptum(PANEL, "--runs", 2, "--seed", 1, "--out", tmp_path) == 2
    assert ptum(PANEL, "--runs", 1, "--out", tmp_path) == 2
    assert "has 2 runs; give --runs 2" in capfd.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    (tmp_path / f"{PANEL}.units.jsonl").unlink()
    assert ptum(PANEL, "--runs", 2, "--out", tmp_path) == 2
    assert "without its units" in capfd.readouterr().err


def test_an_interrupt_keeps_what_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    panel = PANELS[PANEL]

    def interrupted(options: Options, seed: Seed) -> Measured:
        if seed.run == 2:
            raise KeyboardInterrupt
        return panel.run(options, seed)

    with monkeypatch.context() as patch:
        patch.setitem(PANELS, PANEL, dataclasses.replace(panel, run=interrupted))
        assert ptum(PANEL, "--runs", 4, "--out", tmp_path) == 3
    assert "2 finished units kept" in capfd.readouterr().err
    assert not (tmp_path / f"{PANEL}.json").exists()
    asked: list[Unit] = []

    def watched(
        wanted: Sequence[Unit], seed: int, pool: Pool | None
    ) -> Generator[tuple[Unit, Measured], None, None]:
        asked.extend(wanted)
        return played(wanted, seed, pool)

    command = import_module("ptum.checks.cli.reproduce")  # the package has a command of that name
    monkeypatch.setattr(command, "played", watched)
    assert ptum(PANEL, "--runs", 4, "--out", tmp_path) == 0
    assert [unit.run for unit in asked] == [2, 3]


def test_a_run_that_fails_is_exit_code_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fails(options: Options, seed: Seed) -> Measured:
        raise ArithmeticError(f"{options} {seed}")

    monkeypatch.setitem(PANELS, PANEL, dataclasses.replace(PANELS[PANEL], run=fails))
    assert ptum(PANEL, "--out", tmp_path) == 1
    assert "run 0 failed: ArithmeticError" in capfd.readouterr().err


def test_without_matplotlib_results_come_without_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(picture, "available", lambda: False)
    assert ptum(PANEL, "--runs", 1, "--out", tmp_path) == 0
    assert "pip install 'ptum[plots]'" in capfd.readouterr().err
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".jsonl"]


def test_show_says_what_was_found_of_a_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    main(["show", "text-all-policies-optimal.all"])
    said = " ".join(capfd.readouterr().out.split())
    assert "found contradicted in figure-2-right: All policies of the sequential variant" in said
    assert "found described in figure-4-right: All policies of the static variant" in said
    assert "variant are ε-optimal: not so in 0% of runs" in said


def test_figures_of_ours_are_run_by_name_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = import_module("ptum.checks.cli.reproduce")
    monkeypatch.setattr(command, "_run_in", lambda _, panels, *__: len(panels))
    assert ptum("all", "--out", tmp_path) == len(reproduction.PANELS)
    assert ptum("repairs", "figure-2-right", "--out", tmp_path) == 2


def test_two_panels_share_their_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played_runs: list[int] = []
    left, right = (PANELS[f"figure-4-{side}"] for side in ("left", "right"))

    def short(_: Options, seed: Seed) -> Measured:
        played_runs.append(seed.run)
        names = {curve.name for panel in (left, right) for curve in panel.curves}
        why = Lost(
            variant="static", task=1, loss=0.6, missing=False, step="rare", lasted=0, end="stopped"
        )
        numbers = dict.fromkeys((*left.numbers, *right.numbers), float(seed.run))
        return Measured({name: [0.5] * 100 for name in names}, numbers, [why])

    for panel in (left, right):
        monkeypatch.setitem(PANELS, panel.id, dataclasses.replace(panel, run=short))
    assert ptum(right.id, "--runs", 2, "--out", tmp_path) == 0
    assert not (tmp_path / f"{left.id}.json").exists()
    assert ptum(left.id, right.id, "--runs", 3, "--out", tmp_path) == 0
    assert played_runs == [0, 1, 2]
    for panel, lost in ((left, False), (right, True)):
        document = msgspec.json.decode((tmp_path / f"{panel.id}.json").read_bytes())
        jsonschema.validate(document, json_schema("panel"))
        assert document["variants"][0]["numbers"].keys() == set(panel.numbers)
        assert ("lost" in document["variants"][0]) is lost
