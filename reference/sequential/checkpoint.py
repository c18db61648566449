"""The state of a run of Algorithm 2 in a file, so that it can be stopped and taken up again.

| part of a state       | in the file                                                          |
| --------------------- | -------------------------------------------------------------------- |
| o_1, …, o_h           | `observations`, each with its shape                                  |
| Ô_h, T̂_h              | `estimate`; the models {M̃_θ} are its columns                         |
| Δ_{h+1}, Θ̃_{h+1}      | `errors`, `initial`                                                  |
| the random numbers    | `h` and the option `seed`, on which alone they depend (D98)          |
| how it was started    | `options`, with a name or fingerprint of the stream among them       |

The file is one JSON object: the format's version, a digest, and the state. Numbers are written so
that reading them back gives the same double, so the records of a resumed run equal those of one
that never stopped, provided that its stream goes on with the same tasks.
"""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from ptum.reference.arrays import Floats, sealed
from ptum.reference.errors import InputError, require
from ptum.reference.sequential.algorithm import State
from ptum.reference.sequential.possible import require_possible
from ptum.reference.sequential.state import Estimate
from ptum.reference.tasks.mdp import MDP
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.transcript import UNREADABLE, Errors, error_size

SCHEMA = "ptum-sequential/1"


class _Array(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An array of doubles, last index fastest."""

    shape: tuple[int, ...]
    values: list[float]


class _Estimate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ô, and the latest T̂ with the number of tasks it was made from."""

    O: _Array  # noqa: E741 - the paper's letter
    T: _Array | None
    T_h: int


class _State(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `State` holds."""

    h: int
    options: dict[str, str]
    errors: Errors
    initial: tuple[int, ...]
    estimate: _Estimate | None
    observations: tuple[_Array, ...]


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The state with its version and the SHA-256 of its text."""

    schema: str
    digest: str
    state: msgspec.Raw


def save(path: str | Path, state: State) -> None:
    """Write a state, for example `record.after`; the file appears whole or not at all."""
    path = _path(path)
    good = isinstance(state, State)
    require(good, "state", "must be a state, such as record.after", value=type(state).__name__)
    require_possible(state)
    text = msgspec.json.encode(_to_file(state))
    whole = _File(SCHEMA, hashlib.sha256(text).hexdigest(), msgspec.Raw(text))
    unfinished = path.with_name(path.name + ".unfinished")
    try:
        unfinished.write_bytes(msgspec.json.encode(whole))
        unfinished.replace(path)
    except OSError as reason:
        raise InputError(str(path), f"cannot be written: {reason}") from reason


def load(path: str | Path) -> State:
    """Read a state back; hand it to `sequential_transfer` as `resume`.

    A file of another version, one that was cut or edited, and one that no run can have written are
    refused here; the state of a run with other options is refused when it is handed over.
    """
    path = _path(path)
    try:
        content = path.read_bytes()
    except OSError as reason:
        raise InputError(str(path), f"cannot be read: {reason}") from reason
    try:
        whole = msgspec.json.decode(content, type=_File)
    except UNREADABLE as reason:
        raise InputError(str(path), f"is not the state of a run: {reason}") from reason
    problem = f"is written in another version of the format than {SCHEMA}"
    require(whole.schema == SCHEMA, str(path), problem, value=whole.schema)
    digest = hashlib.sha256(bytes(whole.state)).hexdigest()
    require(digest == whole.digest, str(path), "was changed after it was written")
    try:
        return _from_file(msgspec.json.decode(whole.state, type=_State))
    except UNREADABLE as reason:
        raise InputError(str(path), f"is not the state of a run: {reason}") from reason


def fingerprint(*parts: MDP | str | npt.ArrayLike) -> str:
    """One short text for tasks, arrays and words: a `stream_name` that distinguishes streams."""
    digest = hashlib.sha256()
    for part in parts:
        pieces = (part.p, part.q, part.u, part.gamma) if isinstance(part, MDP) else (part,)
        for piece in pieces:
            array = np.asarray(piece)
            digest.update(f"{array.dtype.str}{array.shape}".encode())
            digest.update(array.tobytes())
    return digest.hexdigest()[:16]


def _to_file(state: State) -> _State:
    errors, estimate = state.errors, state.estimate
    return _State(
        h=state.h,
        options=dict(state.options),
        errors=Errors(*map(error_size, (errors.r, errors.p, errors.sigma_r, errors.sigma_p))),
        initial=state.initial,
        estimate=None
        if estimate is None
        else _Estimate(
            _flat(estimate.O), None if estimate.T is None else _flat(estimate.T), estimate.T_h
        ),
        observations=tuple(map(_flat, state.observations)),
    )


def _from_file(found: _State) -> State:
    errors, estimate = found.errors, found.estimate
    sizes = (errors.r, errors.p, errors.sigma_r, errors.sigma_p)
    state = State(
        h=found.h,
        observations=tuple(map(_array, found.observations)),
        estimate=None
        if estimate is None
        else Estimate(
            _array(estimate.O), None if estimate.T is None else _array(estimate.T), estimate.T_h
        ),
        errors=ModelErrors(*(math.inf if size == "inf" else size for size in sizes)),
        initial=found.initial,
        options=found.options,
    )
    require_possible(state)
    return state


def _path(given: str | Path) -> Path:
    named: object = given
    good = isinstance(named, str | Path) and "\0" not in str(named)
    require(good, "path", "must be the path of a file", value=repr(given))
    return Path(given)


def _flat(array: Floats) -> _Array:
    return _Array(tuple(map(int, array.shape)), array.ravel().tolist())


def _array(stored: _Array) -> Floats:
    fits = all(side >= 0 for side in stored.shape) and math.prod(stored.shape) == len(stored.values)
    require(fits, "shape", f"must hold {len(stored.values)} numbers", value=stored.shape)
    return sealed(np.array(stored.values, dtype=np.float64).reshape(stored.shape))
