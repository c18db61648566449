"""The committed test vectors are those that the code builds, and they cover what they promise."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from checks.judge import vectors
from checks.judge.asking import edge_cases
from checks.judge.capabilities import NAMES, capabilities
from checks.judge.readings import assess
from checks.judge.transcript import Exchange, Fields, Json

SAMPLED = ("ptum", "hmm_samples", "sequential")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_files_are_current(name: str) -> None:
    committed = vectors.read(vectors.FOLDER / f"{name}.json")
    assert vectors.same(committed, vectors.build(name)) == []


def test_a_change_in_a_vector_is_seen() -> None:
    file = vectors.read(vectors.FOLDER / "widths.json")
    first = file.vectors[0]
    variant = first.answers[0]
    other = msgspec.structs.replace(variant, answer=variant.answer | {"C_r": [[7.0]]})
    changed = msgspec.structs.replace(first, answers=[other, *first.answers[1:]])
    edited = msgspec.structs.replace(file, vectors=[changed, *file.vectors[1:]])
    assert vectors.same(file, edited) == [first.id]
    shorter = msgspec.structs.replace(file, vectors=file.vectors[1:])
    assert vectors.same(file, shorter) == ["the list of ids"]
    reworded = msgspec.structs.replace(file, says="something else")
    assert vectors.same(file, reworded) == ["the head of the file"]


def test_a_tolerance_that_grows_is_seen() -> None:
    file = vectors.read(vectors.FOLDER / "gaps.json")
    first = file.vectors[0]
    wider = {name: 1.001 * size for name, size in first.tolerance.items()}
    edited = [msgspec.structs.replace(first, tolerance=wider), *file.vectors[1:]]
    assert vectors.same(file, msgspec.structs.replace(file, vectors=edited)) == [first.id]


@pytest.mark.parametrize("name", ["optimal", "gaps", "widths", "tensor_power", "hmm_moments"])
def test_last_digits_of_an_input_do_not_show_in_a_tolerance(name: str) -> None:
    """Not asked of moments that determine nothing: their rank hangs on the last digits."""
    capability, rng = capabilities()[name], np.random.default_rng(5)
    for case in edge_cases(capability):
        if "singular" not in case.flags:
            tolerance = capability.tolerance(case.input)
            assert vectors.same_tolerance(tolerance, capability.tolerance(shaken(case.input, rng)))


def shaken(fields: Fields, rng: np.random.Generator) -> Fields:
    """Numbers moved by their last digits; tables of probabilities stay what they are."""
    kept = {name: fields[name] for name in ("models", "p", "q") if name in fields}
    return {name: _shaken(value, rng) for name, value in fields.items()} | kept


def _shaken(value: Json, rng: np.random.Generator) -> Json:
    if isinstance(value, list):
        return [_shaken(entry, rng) for entry in value]
    if isinstance(value, float):
        return value * (1 + vectors.LAST_DIGITS * float(rng.uniform(-1, 1)))
    return value


def test_there_are_enough_deterministic_vectors() -> None:
    files = [vectors.read(vectors.FOLDER / f"{n}.json") for n in NAMES if n not in SAMPLED]
    assert sum(len(file.vectors) for file in files) >= 300


@pytest.mark.parametrize("name", NAMES)
def test_ids_are_unique_and_flags_explained(name: str) -> None:
    file = vectors.read(vectors.FOLDER / f"{name}.json")
    ids = [vector.id for vector in file.vectors]
    assert len(set(ids)) == len(ids)
    assert all(identity.startswith(f"{name}/") for identity in ids)
    assert {flag for vector in file.vectors for flag in vector.flags} == set(file.flags)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_answer_of_a_vector_is_accepted_by_the_judge(name: str) -> None:
    capability = capabilities()[name]
    for vector in vectors.read(vectors.FOLDER / f"{name}.json").vectors:
        for variant in vector.answers:
            exchange = Exchange(
                vector.id, name, vector.input, variant.answer, None, tuple(variant.queries)
            )
            assert assess(capability, exchange).agrees, (vector.id, variant.given_by)


def test_the_first_answer_is_the_literal_one() -> None:
    for name in NAMES:
        for vector in vectors.read(vectors.FOLDER / f"{name}.json").vectors:
            assert vector.answers[0].given_by[0] == "literal"


def test_the_edge_cases_that_matter_are_there() -> None:
    text = b"".join((vectors.FOLDER / f"{name}.json").read_bytes() for name in NAMES)
    for piece in (b'"inf"', b'"gamma":0.0,', b'"gamma":0.9999', b'"N":[[0', b'"N":[[1'):
        assert piece in text
