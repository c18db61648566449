"""Test vectors: every named case with the answers of all conforming implementations.

One file per capability. A vector is an exchange with the literal answer, and beside it the answers
of other admissible readings where they differ. Real numbers of an answer are right within
`tolerance`, field by field. Files are built by `ptum vectors build` and never edited.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from ptum.checks.judge.capabilities import NAMES, capabilities, conforming
from ptum.checks.judge.judging.readings import Capability, Case
from ptum.checks.judge.messages.transcript import Asked, Fields
from ptum.checks.judge.programs.asking import edge_cases
from ptum.checks.judge.programs.subjects import ask
from ptum.checks.text.schema_docs import shaped

SCHEMA: Literal["ptum-vectors/1"] = "ptum-vectors/1"

FOLDER = Path(__file__).parents[2] / "vectors"


class DescribedField(msgspec.Struct, frozen=True, kw_only=True):
    """One field of a request or an answer."""

    name: str
    kind: str
    shape: list[str]
    says: str
    optional: bool


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that is right, and the implementations that give it."""

    given_by: list[str]
    answer: Fields
    queries: list[Asked]


class VectorCase(msgspec.Struct, frozen=True, kw_only=True):
    """One case; the first answer is that of the literal reading."""

    id: str
    flags: list[str]
    input: Fields
    tolerance: dict[str, float]
    answers: list[Variant]


class Vectors(msgspec.Struct, frozen=True, kw_only=True):
    """One file of vectors."""

    schema: Literal["ptum-vectors/1"]
    capability: str
    item: str
    says: str
    input: list[DescribedField]
    output: list[DescribedField]
    flags: dict[str, str]
    vectors: list[VectorCase]


def build(name: str) -> Vectors:
    """The vectors of one capability."""
    capability = capabilities()[name]
    found = [_vector(capability, case) for case in edge_cases(capability)]
    used = {flag for vector in found for flag in vector.flags}
    return Vectors(
        schema=SCHEMA,
        capability=name,
        item=capability.item,
        says=capability.says,
        input=[shaped(DescribedField, field) for field in capability.input],
        output=[shaped(DescribedField, field) for field in capability.output],
        flags={flag: says for flag, says in capability.flags.items() if flag in used},
        vectors=found,
    )


def _vector(capability: Capability, case: Case) -> VectorCase:
    tolerance = capability.tolerance(case.input)
    answers = _variants(capability, case, tolerance)
    return shaped(VectorCase, case, tolerance=tolerance, answers=answers)


def _variants(capability: Capability, case: Case, tolerance: dict[str, float]) -> list[Variant]:
    """Answers that differ by more than the tolerance, in the order of the implementations."""
    found: list[Variant] = []
    for maker, implementation in conforming(capability.name).items():
        exchange = ask(capability, case, implementation)
        if exchange.answer is None:
            raise ValueError(f"{maker} has no answer to {case.id}: {exchange.fault}")
        queries = list(exchange.queries)
        for variant in found:
            if variant.queries == queries and _alike(variant.answer, exchange.answer, tolerance):
                variant.given_by.append(maker)
                break
        else:
            found.append(Variant(given_by=[maker], answer=exchange.answer, queries=queries))
    return found


def _alike(one: Fields, other: Fields, tolerance: dict[str, float]) -> bool:
    return one.keys() == other.keys() and all(
        _near(value, other[name], tolerance.get(name, 0.0)) for name, value in one.items()
    )


def _near(one: object, other: object, tolerance: float, share: float = 0.0) -> bool:
    """Equal up to a tolerance and to a share of the size of each number, which is one at least."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            _near(value, other[name], tolerance, share) for name, value in one.items()
        )
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(
            _near(x, y, tolerance, share) for x, y in zip(one, other, strict=True)
        )
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= tolerance + share * max(abs(one), abs(other), 1.0)
    return one == other


LAST_DIGITS = 1e-12
"""Inputs that are computed may differ by this share of their size on another machine."""

DIGITS_OF_TOLERANCES = 2 * LAST_DIGITS / (1 - 0.9999)
"""What becomes of them in a tolerance, which grows like 1/(1-γ)² at most; γ = 0.9999 is the largest
discount. Those of spectra, which know no discount, move by less."""


def same(committed: Vectors, built: Vectors) -> list[str]:
    """Ids of vectors that differ by more than rounding; another length or text counts as well."""
    if msgspec.structs.replace(committed, vectors=[]) != msgspec.structs.replace(built, vectors=[]):
        return ["the head of the file"]
    if [vector.id for vector in committed.vectors] != [vector.id for vector in built.vectors]:
        return ["the list of ids"]
    pairs = zip(committed.vectors, built.vectors, strict=True)
    return [old.id for old, new in pairs if not _same_vector(old, new)]


def same_question(old: VectorCase, new: VectorCase) -> bool:
    """Flags, and tolerances and inputs up to last digits."""
    return (
        old.flags == new.flags
        and _near(old.input, new.input, 0.0, LAST_DIGITS)
        and same_tolerance(old.tolerance, new.tolerance)
    )


def _same_vector(old: VectorCase, new: VectorCase) -> bool:
    """The same question, and answers within their tolerance."""
    makers = [[variant.given_by for variant in v.answers] for v in (old, new)]
    return (
        makers[0] == makers[1]
        and same_question(old, new)
        and all(
            _alike(one.answer, other.answer, old.tolerance) and one.queries == other.queries
            for one, other in zip(old.answers, new.answers, strict=True)
        )
    )


def same_tolerance(old: Mapping[str, float], new: Mapping[str, float]) -> bool:
    """The same fields, and sizes that differ by no more than rounding of inputs explains."""
    return old.keys() == new.keys() and all(
        math.isclose(size, new[name], rel_tol=DIGITS_OF_TOLERANCES) for name, size in old.items()
    )


def encode(vectors: Vectors) -> bytes:
    """One line per vector, so that a change shows in a diff where it is."""
    head = msgspec.to_builtins(vectors) | {"vectors": []}
    text = msgspec.json.format(msgspec.json.encode(head), indent=1).decode()
    lines = ",\n".join(msgspec.json.encode(vector).decode() for vector in vectors.vectors)
    return (text.replace('"vectors": []', f'"vectors": [\n{lines}\n]') + "\n").encode()


def build_all(folder: Path, watch: Callable[[str], None]) -> list[Path]:
    """Write every file; the paths, in the order of the capabilities. Each is named beforehand.

    A file that differs in last digits alone stays as it is: they depend on the BLAS kernel, hence
    on the processor, and nobody's answers are held to them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name in NAMES:
        watch(name)
        path = folder / f"{name}.json"
        built = build(name)
        if not (path.exists() and same(read(path), built) == []):
            path.write_bytes(encode(built))
        paths.append(path)
    return paths


def read(path: Path) -> Vectors:
    """A file of vectors."""
    return msgspec.json.decode(path.read_bytes(), type=Vectors)
