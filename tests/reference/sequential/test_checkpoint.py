"""A run that is stopped and taken up again is the run that never stopped."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ptum.checks.instances.fakes import AskEveryPair
from ptum.checks.instances.sequences import GAMMA
from ptum.checks.instances.sequences import REWARDS as U
from ptum.checks.instances.sequences import TASKS as THREE
from ptum.reference.arrays import Floats
from ptum.reference.errors import InputError
from ptum.reference.experiments.prediction import Experiment
from ptum.reference.repaired.sequential import algorithm as repaired
from ptum.reference.repaired.sequential.algorithm import Constants, CrossTask
from ptum.reference.repaired.sequential.prediction import PerStep
from ptum.reference.sequential import algorithm as printed
from ptum.reference.sequential import checkpoint
from ptum.reference.sequential.algorithm import State, TaskRecord
from ptum.reference.sequential.possible import require_possible, resumed
from ptum.reference.sequential.state import Estimate, Setting
from ptum.reference.transfer.assumptions import single
from tests.support.borders import assert_borders
from tests.support.streams import noisy, plain, simulators

TASKS = [noisy(task, 0.01) for task in THREE[:2]]
SEQUENCE = [0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1]
FEW = AskEveryPair()
NAME = checkpoint.fingerprint(*TASKS, SEQUENCE)
SETTING: dict[str, Any] = {
    "k": 2,
    "S": 2,
    "A": 2,
    "u": U,
    "gamma": GAMMA,
    "delta": 0.1,
    "n": 60,
    "delta_prime": 0.1,
    "L": 2,
    "N": 10,
}
"""What all runs have in common."""


def run(
    version: str,
    first: int = 1,
    last: int = 14,
    resume: State | None = None,
    *,
    epsilon: float = 0.5,
    seed: int = 3,
    stream_name: str = NAME,
    fallback: AskEveryPair = FEW,
) -> Iterator[TaskRecord]:
    """Tasks `first` to `last` of the sequence."""
    stream = simulators(TASKS, SEQUENCE[first - 1 : last], first=first)
    given: dict[str, Any] = {
        **SETTING,
        "epsilon": epsilon,
        "seed": seed,
        "stream_name": stream_name,
        "fallback": fallback,
        "resume": resume,
    }
    if version == "printed":
        rule = Experiment(m=14, keep=1)
        return printed.sequential_transfer(stream, rhos=1e-6, rule=rule, **given)
    return repaired.sequential_transfer(
        stream,
        rhos=Constants(1e-6, 1e-6, 1e-6, 1e-3, ell=1e-6),
        rule=PerStep(0.2),
        n_post=6,
        learner=CrossTask(overlapping=True) if version == "cross-task" else None,
        **given,
    )


@cache
def uninterrupted(version: str) -> tuple[TaskRecord, ...]:
    return tuple(run(version))


def through_a_file(state: State) -> State:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.json"
        checkpoint.save(path, state)
        assert [found.name for found in Path(folder).iterdir()] == ["run.json"]
        return checkpoint.load(path)


VERSIONS = ("printed", "repaired", "cross-task")


@pytest.mark.parametrize("version", VERSIONS)
def test_the_sequence_is_worth_interrupting(version: str) -> None:
    """It has states before and after the first estimate, fallback and transfer, and sets of both
    sizes; the learners use random restarts, which order the components."""
    records = uninterrupted(version)
    have = [record.after.estimate is not None for record in records]
    assert have == sorted(have)
    assert {False, True} == set(have)
    assert len({record.result.end for record in records}) > 1
    if version != "cross-task":
        assert {len(record.next_initial) for record in records} == {1, 2}
        assert len({record.labels for record in records}) > 1


@pytest.mark.slow
@given(st.sampled_from(VERSIONS), st.lists(st.integers(1, 13), min_size=1, max_size=2, unique=True))
@settings(max_examples=12)
def test_resumed_equals_uninterrupted(version: str, stops: list[int]) -> None:
    """Stopped once or twice, anywhere; every record agrees to the last bit."""
    expected = uninterrupted(version)
    state, first = None, 1
    for stop in (*sorted(stops), 14):
        records = list(run(version, first, stop, state))
        assert plain(records) == plain(list(expected[first - 1 : stop]))
        state, first = through_a_file(records[-1].after), stop + 1


@pytest.mark.parametrize("version", VERSIONS)
def test_a_state_comes_back_bit_by_bit(version: str) -> None:
    for record in uninterrupted(version):
        assert plain(through_a_file(record.after)) == plain(record.after)


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"epsilon": 0.25}, "epsilon was 0.5 and is now 0.25"),
        ({"seed": 4}, "seed was 3 and is now 4"),
        ({"stream_name": "another"}, f"stream_name was '{NAME}' and is now 'another'"),
        (
            {"fallback": AskEveryPair(2)},
            r"fallback was AskEveryPair\(times=1\) and is now AskEveryPair\(times=2\)",
        ),
    ],
)
def test_the_state_of_another_run_is_refused(change: dict[str, object], difference: str) -> None:
    state = through_a_file(uninterrupted("printed")[4].after)
    with pytest.raises(InputError, match=difference):
        run("printed", 6, 14, state, **change)  # type: ignore[arg-type]


def test_versions_do_not_mix_and_all_differences_are_named() -> None:
    state = through_a_file(uninterrupted("printed")[4].after)
    with pytest.raises(InputError, match="version was 'printed' and is now 'repaired'") as found:
        run("repaired", 6, 14, state)
    for name in ("rhos", "rule", "learner", "n_post"):
        assert f"{name} was" in str(found.value)
    assert "epsilon" not in str(found.value)


def test_equal_numbers_written_otherwise_are_the_same_option() -> None:
    state = uninterrupted("printed")[4].after
    written_otherwise: dict[str, Any] = {"epsilon": np.float64(0.5), "seed": np.int64(3)}
    assert next(run("printed", 6, 6, state, **written_otherwise)).h == 6
    (whole,) = run("printed", 1, 1, epsilon=1)
    (real,) = run("printed", 1, 1, epsilon=1.0)
    assert real.after.options == whole.after.options


OF_0_1 = Path(__file__).parent / "checkpoint_0_1.json"
"""Task 8 of the printed run, written by the first release; its rule has moved since."""


def test_a_file_of_the_first_release_is_taken_up() -> None:
    state = checkpoint.load(OF_0_1)
    assert state.options["rule"] == "Experiment(m=14, eta=0.087, rho_T=0.001, keep=1)"
    records = list(run("printed", 9, 14, state))
    assert [record.h for record in records] == list(range(9, 15))
    assert records[0].initial == state.initial == (0,)


@pytest.mark.parametrize(
    ("piece", "text"),
    [
        ("learner", "reference.gone.learn_hmm"),
        ("rule", "Gone(m=14)"),
        ("rhos", "Rhos(r=1e-06)"),
    ],
)
def test_a_piece_that_is_no_more_is_refused_by_name(piece: str, text: str) -> None:
    state = checkpoint.load(OF_0_1)
    old = replace(state, options={**state.options, piece: text})
    with pytest.raises(InputError, match=rf"resume: .*: {piece} was {re.escape(text)} and is now"):
        run("printed", 9, 14, old)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "run.json"
    checkpoint.save(path, uninterrupted("repaired")[9].after)
    return path


def test_an_edited_file_is_refused(saved: Path) -> None:
    text = saved.read_text()
    assert '"h":10' in text
    saved.write_text(text.replace('"h":10', '"h":11'))
    with pytest.raises(InputError, match="was changed"):
        checkpoint.load(saved)


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_a_cut_file_is_refused(length: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.json"
        checkpoint.save(path, uninterrupted("printed")[1].after)
        whole = path.read_bytes()
        path.write_bytes(whole[: length % len(whole)])
        with pytest.raises(InputError, match=r"run\.json"):
            checkpoint.load(path)


def test_other_json_is_refused(saved: Path) -> None:
    for text in ("[]", "{}", '{"schema": "ptum-sequential/1"}', "not json"):
        saved.write_text(text)
        with pytest.raises(InputError, match="is not the state of a run"):
            checkpoint.load(saved)


SMALL = State(
    h=2,
    observations=(np.array([0.5, 0.5]), np.array([0.25, 0.75])),
    estimate=Estimate(np.eye(2), None, 0),
    errors=single(0.5),
    initial=(0, 1),
    options={"k": "2"},
)
"""A state written by hand; no run is needed for it."""


def written(path: Path, state: dict[str, object], **changes: object) -> None:
    """A file with this state and the right digest, or whatever the changes say."""
    text = json.dumps(state)
    digest = hashlib.sha256(text.encode()).hexdigest()
    whole = {"schema": checkpoint.SCHEMA, "digest": digest} | changes
    head = ", ".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in whole.items())
    path.write_text(f'{{{head}, "state": {text}}}')


class TestSmallFiles:
    """A file that is right, and what makes it wrong."""

    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        path = tmp_path / "run.json"
        checkpoint.save(path, SMALL)
        return path

    @pytest.fixture
    def state(self, file: Path) -> dict[str, object]:
        found: dict[str, object] = json.loads(file.read_text())["state"]
        return found

    def test_written_by_another_program(self, file: Path, state: dict[str, object]) -> None:
        written(file, state)
        assert plain(checkpoint.load(file)) == plain(SMALL)

    @pytest.mark.parametrize("version", ["0", "2"])
    def test_versions(self, file: Path, state: dict[str, object], version: str) -> None:
        written(file, state, schema=f"ptum-sequential/{version}")
        with pytest.raises(InputError, match=f"another version.*/1.*ptum-sequential/{version}"):
            checkpoint.load(file)

    @pytest.mark.parametrize("digest", ["0" * 64, "f" * 64])
    def test_digests(self, file: Path, state: dict[str, object], digest: str) -> None:
        written(file, state, digest=digest)
        with pytest.raises(InputError, match="was changed"):
            checkpoint.load(file)

    @pytest.mark.parametrize("h", [1, 3])
    def test_numbers_of_observations(self, file: Path, state: dict[str, object], h: int) -> None:
        """Right digest, and a state that contradicts itself."""
        with pytest.raises(InputError, match="number of observations"):
            checkpoint.save(file, replace(SMALL, h=h))
        written(file, state | {"h": h})
        with pytest.raises(InputError, match="number of observations"):
            checkpoint.load(file)

    @pytest.mark.parametrize("place", [(), ("estimate",), ("estimate", "O"), ("observations", 0)])
    def test_unknown_fields(
        self, file: Path, state: dict[str, object], place: tuple[str | int, ...]
    ) -> None:
        inner: Any = state
        for step in place:
            inner = inner[step]
        inner["colour"] = 1
        written(file, state)
        with pytest.raises(InputError, match="unknown field `colour`"):
            checkpoint.load(file)

    def test_unknown_fields_outside_the_state(self, file: Path, state: dict[str, object]) -> None:
        written(file, state, colour=1)
        with pytest.raises(InputError, match="unknown field `colour`"):
            checkpoint.load(file)

    @pytest.mark.parametrize(
        ("field", "value", "said"),
        [
            ("initial", [-1], r"initial\[0\]: must be a label from 0 to 1 \(found -1\)"),
            ("initial", [0, 2], r"initial\[1\]: must be a label from 0 to 1 \(found 2\)"),
            ("initial", [1, 0], "initial: labels must increase"),
            ("initial", [0, 0], "initial: labels must increase"),
            ("initial", [], "initial: needs a label"),
            ("initial", [0.5], "Expected `int`"),
            ("h", -2, "h: must be an integer of at least 0"),
            ("h", 10**32, "h: must be at most"),
            ("errors", {"r": -0.5, "p": 0, "sigma_r": 0, "sigma_p": 0}, "Delta_max_r: "),
            ("errors", {"r": "nan", "p": 0, "sigma_r": 0, "sigma_p": 0}, "Invalid enum value"),
            ("options", {"k": 2}, "Expected `str`"),
        ],
    )
    def test_impossible_numbers(
        self, file: Path, state: dict[str, object], field: str, value: object, said: str
    ) -> None:
        written(file, state | {field: value})
        with pytest.raises(InputError, match=rf"run\.json: is not the state of a run: .*{said}"):
            checkpoint.load(file)

    @pytest.mark.parametrize(
        ("place", "shape", "values", "said"),
        [
            (("estimate", "O"), [2, 2], [1.5, 0, 0, 1], r"O\[0, 0\]: a probability"),
            (("estimate", "O"), [2, 2], [-0.5, 0, 1.5, 1], r"O\[0, 0\]: a probability"),
            (("estimate", "O"), [4], [1, 0, 0, 1], "O: must have a column for every task"),
            (("estimate", "O"), [3, 2], [1, 0, 0, 1, 0, 0], "O: must have a row for each of the 2"),
            (("estimate", "O"), [3, 2], [1, 0], "shape: must hold 2 numbers"),
            (("estimate", "O"), [-1, 2], [1, 0, 0, 1], "shape: must hold 4 numbers"),
            (("estimate", "O"), [-1, -1, 4], [1, 0, 0, 1], "shape: must hold 4 numbers"),
            (("estimate", "O"), [1, 2], [1, 0, 0, 1], "shape: must hold 4 numbers"),
            (("estimate", "O"), [2, 2], [1e999, 0, 0, 1], "JSON is malformed"),
            (("observations", 0), [2], [1.5, -0.5], r"observations\[0\]\[0\]: a probability"),
            (("observations", 1), [3], [0.5, 0.5, 0], "observations: must have the same shape"),
            (("observations", 1), [0], [], r"observations\[1\]: has a wrong shape"),
            (("observations", 1), [1, 1, 2], [0.5, 0.5], r"observations\[1\]: has a wrong shape"),
            (("estimate", "T"), [2, 2], [1, 0, 0, 1], "T_h: must be 0 without T, and positive"),
        ],
    )
    def test_impossible_arrays(
        self,
        file: Path,
        state: dict[str, object],
        place: tuple[str | int, ...],
        shape: list[int],
        values: list[float],
        said: str,
    ) -> None:
        inner: Any = state
        for step in place[:-1]:
            inner = inner[step]
        inner[place[-1]] = {"shape": shape, "values": values}
        written(file, state)
        with pytest.raises(InputError, match=rf"run\.json: is not the state of a run: .*{said}"):
            checkpoint.load(file)

    @pytest.mark.parametrize(
        ("T", "T_h", "version", "said"),
        [
            (np.array([[1.0, 0.5], [0.5, 0.5]]), 2, "repaired", r"T\[0\]: the column must sum"),
            (np.array([[1.5, 0.5], [-0.5, 0.5]]), 2, "repaired", r"T\[1, 0\]: a probability"),
            (np.ones((1, 1)), 2, "repaired", r"T: must have shape \(2, 2\)"),
            (np.eye(2), 3, "printed", "T_h: must be at most h = 2"),
            (np.eye(2), 0, "printed", "T_h: must be 0 without T"),
            (np.array([[np.nan, 0.5], [0.5, 0.5]]), 2, "printed", r"T\[0, 0\]: must be finite"),
        ],
    )
    def test_impossible_transitions(
        self, file: Path, T: Floats, T_h: int, version: str, said: str
    ) -> None:
        """As printed T̂ is any matrix of numbers; repaired it was projected (D54)."""
        wrong = replace(
            SMALL,
            estimate=Estimate(np.eye(2), T, T_h),
            options=dict(SMALL.options) | {"version": repr(version)},
        )
        with pytest.raises(InputError, match=f"^{said}"):
            checkpoint.save(file, wrong)
        if not np.isnan(T).any():  # which JSON cannot hold
            values = {"shape": list(T.shape), "values": T.ravel().tolist()}
            found = json.loads(file.read_text())["state"]
            found["estimate"] |= {"T": values, "T_h": T_h}
            found["options"]["version"] = repr(version)
            written(file, found)
            with pytest.raises(InputError, match=f"is not the state of a run: {said}"):
                checkpoint.load(file)

    def test_any_matrix_is_possible_as_printed(self, file: Path) -> None:
        raw = replace(SMALL, estimate=Estimate(np.eye(2), np.array([[2.0, 0.5], [-1.5, 0.5]]), 2))
        checkpoint.save(file, raw)
        assert plain(checkpoint.load(file)) == plain(raw)

    @pytest.mark.parametrize("byte", [b"\x80", b"\xff", b"\xc3\x28", b"\x00"])
    @pytest.mark.parametrize("field", [b'"digest":"', b'"schema":"', b'"k":"'])
    def test_bytes_that_are_no_text(self, file: Path, field: bytes, byte: bytes) -> None:
        content = file.read_bytes()
        assert field in content
        file.write_bytes(content.replace(field, field + byte))
        with pytest.raises(InputError, match=r"run\.json: (is not the state|was changed)"):
            checkpoint.load(file)

    @pytest.mark.parametrize("inside", ['"state": %s', '"state": {"h": %s}', '"digest": %s'])
    @pytest.mark.parametrize(("left", "right"), ["[]", ('{"a":', "}")])
    def test_deep_nesting(self, file: Path, inside: str, left: str, right: str) -> None:
        deep = left * 100_000 + "0" + right * 100_000
        file.write_text('{"schema": "ptum-sequential/1", "digest": "", %s}' % (inside % deep))
        with pytest.raises(InputError, match=r"run\.json: "):
            checkpoint.load(file)

    def test_files_that_are_not_there(self, tmp_path: Path) -> None:
        for path in (tmp_path / "none.json", tmp_path, str(tmp_path / "none.json")):
            with pytest.raises(InputError, match=f"{re.escape(str(path))}: cannot be read"):
                checkpoint.load(path)
        with pytest.raises(InputError, match="cannot be written"):
            checkpoint.save(tmp_path / "no folder" / "run.json", SMALL)
        for wrong in (None, 3, "a\0b"):
            with pytest.raises(InputError, match="path: must be the path of a file"):
                checkpoint.load(wrong)  # type: ignore[arg-type]  # which is what is tried
        with pytest.raises(InputError, match="state: must be a state"):
            checkpoint.save(tmp_path / "run.json", None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"initial": (0, 2)}, r"initial\[1\]: must be a label from 0 to 1"),
        ({"estimate": Estimate(np.full((16, 2), 0.25), None, 0)}, r"O\[:, 0\], rewards"),
        ({"estimate": Estimate(np.eye(2), None, 0)}, "O: must have a row for each"),
        ({"observations": (np.full(16, 0.25),) * 5}, r"observations\[0\]\[0, 0\]: .* sum to one"),
        ({"observations": (np.eye(2),) * 5, "estimate": None}, r"observations\[0\]: .* length 16"),
        ({"h": True}, "h: must be an integer"),
        ({"errors": 0.5}, "errors: must be ModelErrors"),
        ({"options": None}, "options: must be texts"),
        ({"observations": None}, "observations: must be a list"),
    ],
)
def test_an_impossible_state_is_not_taken_up(change: dict[str, Any], said: str) -> None:
    state = replace(uninterrupted("printed")[4].after, **change)
    with pytest.raises(InputError, match=said):
        run("printed", 6, 14, state)


@pytest.mark.parametrize("wrong", [{}, 3, "run.json", SMALL.options])
def test_what_is_no_state_is_not_taken_up(wrong: Any) -> None:
    with pytest.raises(InputError, match="resume: must be a state"):
        run("printed", 6, 14, wrong)


class TestPossible:
    """One state, two reward values, d = 3: what a state may be, and what it may not."""

    SETTING = Setting(**{**SETTING, "S": 1, "A": 1, "u": (0.0, 1.0)}, epsilon=0.5, n_post=6, seed=0)
    COLUMNS = np.array([[1.0, 0.5, 0.0], [0.0, 0.5, 1.0], [1.0, 1.0, 1.0]])
    FIRST = State(
        h=1,
        observations=(np.array([0.5, 0.5, 1.0]),),
        estimate=Estimate(COLUMNS[:, :2], None, 0),
        errors=single(0.5),
        initial=(0,),
        options={},
    )

    def seen(self, *entries: float) -> State:
        """With one observation and nothing learned from it."""
        return replace(self.FIRST, observations=(np.array(entries),), estimate=None)

    def learned(self, k: int, T: Floats | None = None, T_h: int = 0) -> State:
        """With k models."""
        return replace(self.FIRST, estimate=Estimate(self.COLUMNS[:, :k], T, T_h))

    def test_tables_are_arrays(self) -> None:
        """A list of numbers has no shape, by which a run would go on."""
        table = cast("Floats", [[1.0]])
        for state, argument in (
            (replace(self.FIRST, observations=(cast("Floats", [0.5, 0.5, 1.0]),)), "observations"),
            (replace(self.FIRST, estimate=Estimate(table, None, 0)), "O"),
            (self.learned(1, table, 1), "T"),
        ):
            with pytest.raises(
                InputError, match=rf"^{argument}.*: must be an array \(found list\)"
            ):
                require_possible(state)

    def test_without_a_setting(self) -> None:
        """A probability may be above one by 1e-9; labels and transitions are for k tasks."""
        most = 1 + 1e-9
        assert_borders(
            require_possible,
            good=(
                self.FIRST,
                self.seen(1.0),
                self.seen(0.0, most),
                self.learned(1),
                self.learned(1, np.ones((1, 1)), 1),
                self.learned(2, np.eye(2), 1),
            ),
            bad=(
                self.seen(-np.nextafter(0.0, 1.0)),
                self.seen(np.nextafter(most, 2.0)),
                self.learned(2, None, 1),
                self.learned(2, np.eye(2), 0),
                self.learned(2, np.eye(2), -1),
                self.learned(2, np.eye(2), 2),
                self.learned(2, np.eye(3), 1),
                self.learned(2, np.ones((2, 3)), 1),
                self.learned(2, np.ones((3, 2)), 1),
                self.learned(2, np.ones((2, 1)), 1),
            ),
        )

    def test_a_number_is_no_observation(self) -> None:
        alone = replace(self.FIRST, observations=(np.array(0.5),))
        with pytest.raises(InputError, match=r"observations\[0\]: must have 1 axes"):
            require_possible(alone)

    def test_with_a_setting(self) -> None:
        """Every view of a task is an observation, and there are as many models as tasks."""
        model, broken = [0.25, 0.75, 1.0], [0.25, 0.5, 1.0]
        views = {
            name: replace(self.FIRST, observations=(np.array(rows),))
            for name, rows in (("good", [model, model]), ("bad", [model, broken]))
        }

        def taken_up(state: State) -> None:
            assert resumed(state, self.SETTING, {}) is state

        assert_borders(
            taken_up,
            good=(self.FIRST, views["good"]),
            bad=(views["bad"], self.learned(1), self.learned(3)),
        )

    @pytest.mark.parametrize("length", [2, 4, 6])
    def test_observations_have_the_length_of_the_setting(self, length: int) -> None:
        for shape in ((length,), (5, length)):
            other = replace(self.FIRST, observations=(np.zeros(shape),), estimate=None)
            with pytest.raises(InputError, match=rf"must have length 3 \(found {length}\)"):
                resumed(other, self.SETTING, {})


def test_saving_again_replaces_the_file(saved: Path) -> None:
    later = uninterrupted("repaired")[12].after
    checkpoint.save(saved, later)
    assert plain(checkpoint.load(saved)) == plain(later)


def test_fingerprints_tell_streams_apart() -> None:
    other = list(SEQUENCE)
    other[3] = 1 - other[3]
    parts: Sequence[tuple[object, ...]] = (
        (*TASKS, SEQUENCE),
        (*TASKS[::-1], SEQUENCE),
        (*TASKS, other),
        (*TASKS,),
        (*TASKS, SEQUENCE, "noisy"),
        (*TASKS, SEQUENCE, "quiet"),
        (replace(TASKS[0], gamma=0.31), *TASKS[1:], SEQUENCE),
    )
    texts = [checkpoint.fingerprint(*part) for part in parts]  # type: ignore[arg-type]
    assert len(set(texts)) == len(texts)
    assert texts[0] == NAME
