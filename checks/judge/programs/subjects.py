"""Ask a Python object: requests become calls, answers become the fields of an exchange.

A subject is any object with methods named after capabilities. The fields of a request arrive as
keyword arguments, arrays as numpy arrays; `ptum` and `sequential` also get `sample`. An answer is
a mapping of the documented fields, a tuple of them in their order, or the bare value of a single
one.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from traceback import extract_tb

import numpy as np

from ptum.checks.judge.capabilities import NAMES, Implementation
from ptum.checks.judge.judging.readings import Capability, Case, Sampler
from ptum.checks.judge.messages.fields import Field, MalformedError, as_json
from ptum.checks.judge.messages.transcript import (
    NO_METHOD,
    RAISED,
    Asked,
    Exchange,
    Fault,
    Fields,
)


def claimed(subject: object) -> tuple[str, ...]:
    """The capabilities that an object lists; without a list those of which it has a method."""
    listed = getattr(subject, "capabilities", None)
    if isinstance(listed, list | tuple | set | frozenset):
        return tuple(map(str, listed))
    return tuple(name for name in NAMES if callable(getattr(subject, name, None)))


def ask_subject(subject: object, capability: Capability, case: Case) -> Exchange:
    """A claim without a method is a fault."""
    method: object = getattr(subject, capability.name, None)
    if not callable(method):
        text = f"there is no method {capability.name!r}"
        return _failed(capability, case, NO_METHOD, text, ())
    return ask(capability, case, method)


def ask(capability: Capability, case: Case, implementation: Implementation) -> Exchange:
    """One call. Whatever it raises is a fault of the subject, and changing its input is one too."""
    queries: list[Asked] = []
    arguments = as_arguments(capability.input, case.input)
    if capability.samples and case.sampler is not None:
        arguments["sample"] = recorded(case.sampler(), queries, single=capability.name == "ptum")
    given = copy.deepcopy({name: value for name, value in arguments.items() if name != "sample"})
    try:
        returned = implementation(**arguments)
        answer = as_fields(capability.output, returned)
    except MalformedError as reason:
        return _failed(capability, case, "malformed", str(reason), queries)
    except Exception as reason:
        return _failed(capability, case, RAISED, raised(reason), queries)
    changed = [name for name, value in given.items() if not _same(value, arguments[name])]
    if changed:
        message = f"the call changed its arguments: {', '.join(changed)}"
        return _failed(capability, case, "changed-input", message, queries)
    return Exchange(case.id, capability.name, case.input, answer, None, tuple(queries))


def raised(reason: BaseException) -> str:
    """What was raised, and the innermost line of the subject's own files that was reached.

    A text that UTF-8 cannot write is escaped: it could not be reported otherwise.
    """
    said = f"{type(reason).__name__}: {reason}"
    text = said.encode("utf-8", "backslashreplace").decode()
    frames = [frame for frame in extract_tb(reason.__traceback__) if not _is_ours(frame.filename)]
    if not frames:
        return text
    home = Path(frames[0].filename).parent
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(home)]
    return f"{Path(own[-1].filename).name}, line {own[-1].lineno}: {text}"


def _is_ours(file: str) -> bool:
    """Whether a line belongs to the way to a subject: this module, its host, the import system."""
    imports = file.startswith("<frozen importlib") or Path(file).parent.name == "importlib"
    return imports or Path(file) in (Path(__file__), Path(__file__).with_name("host.py"))


def recorded(
    sampler: Sampler, queries: list[Asked], *, single: bool
) -> Callable[..., tuple[float, int]]:
    """`sample(s, a)` for one task or `sample(h, s, a)` for a sequence, noting every query.

    Python's message about a call with other arguments names it as its caller does.
    """

    def of_sequence(h: int, s: int, a: int) -> tuple[float, int]:
        task, state, action = int(h), int(s), int(a)
        if (task, state, action) != (h, s, a):
            raise MalformedError(f"a query of {h}, {s}, {a}: tasks, states, actions are integers")
        reward, successor = sampler(task, state, action)
        queries.append(Asked(task, state, action, float(reward), int(successor)))
        return reward, successor

    def of_one_task(s: int, a: int) -> tuple[float, int]:
        return of_sequence(0, s, a)

    sample = of_one_task if single else of_sequence
    sample.__qualname__ = "sample"
    return sample


def as_arguments(fields: Sequence[Field], request: Fields) -> dict[str, object]:
    """The fields of a request as a subject gets them."""
    kinds = {field.name: field for field in fields}
    return {name: _argument(kinds[name], value) for name, value in request.items()}


def as_fields(fields: Sequence[Field], returned: object) -> Fields:
    """What a subject returned, as the fields of an answer."""
    names = [field.name for field in fields]
    if isinstance(returned, Mapping):
        unknown = [str(name) for name in returned if name not in names]
        if unknown:
            raise MalformedError(f"unknown fields {unknown}; known are {names}")
        pairs = list(returned.items())
    elif isinstance(returned, tuple) and len(names) > 1:
        if len(returned) > len(names):
            raise MalformedError(f"{len(returned)} fields; known are {names}")
        pairs = list(zip(names, returned, strict=False))  # the last ones may be optional
    else:
        pairs = [(names[0], returned)]
    return {str(name): as_json(value) for name, value in pairs}


def _argument(field: Field, value: object) -> object:
    if not field.numeric:
        return _arrays(value)
    kind = np.float64 if field.kind == "real" else np.int64
    if field.shape:
        return np.array(_arrays(value), dtype=kind)
    if value is None:
        return None
    return float(str(value)) if field.kind == "real" else int(str(value))


def _arrays(value: object) -> object:
    """Rectangular nested lists of numbers become arrays; other containers keep their form."""
    if isinstance(value, dict):
        return {name: _arrays(entry) for name, entry in value.items()}
    if value in ("inf", "-inf"):
        return float(str(value))
    if isinstance(value, list):
        if value and all(type(number) in (int, float) for number in value):
            return np.array(value)  # the rule below, faster for the long rows of data
        entries = [_arrays(entry) for entry in value]
        shapes = {
            np.shape(entry) for entry in entries if isinstance(entry, int | float | np.ndarray)
        }
        numeric = all(isinstance(entry, int | float | np.ndarray) for entry in entries)
        return np.array(entries) if entries and numeric and len(shapes) == 1 else entries
    return value


def _same(one: object, other: object) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    return type(one) is type(other) and one == other


def _failed(
    capability: Capability, case: Case, kind: str, message: str, queries: Sequence[Asked]
) -> Exchange:
    fault = Fault(kind, message)
    return Exchange(case.id, capability.name, case.input, None, fault, tuple(queries))
