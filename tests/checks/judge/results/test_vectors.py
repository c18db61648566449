"""The committed test vectors are those that the code builds, and they cover what they promise."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from msgspec.structs import replace

from ptum.checks.judge.capabilities import NAMES, capabilities, conforming
from ptum.checks.judge.judging.readings import Reading, assess
from ptum.checks.judge.messages.transcript import Asked, Exchange, Fields, Json
from ptum.checks.judge.programs.asking import edge_cases
from ptum.checks.judge.results import vectors
from ptum.checks.judge.results.vectors import Variant, VectorCase, Vectors

SAMPLED = ("ptum", "hmm_samples", "sequential")
EVERY_FLAG = (
    "N<=1",
    "zero-variance",
    "tie",
    "tied",
    "empty",
    "gamma=0",
    "gamma=0.9999",
    "k=1",
    "infinite-error",
)
"""Edge cases that a stranger's code is likely to forget."""


def committed(name: str) -> Vectors:
    """The file of one capability."""
    return vectors.read(vectors.FOLDER / f"{name}.json")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_files_are_current(name: str) -> None:
    """Components of equal weight come in an order that last digits, and so the BLAS kernel, decide.

    There another answer is built than was committed; it is current if it is just as right.
    """
    built = vectors.build(name)
    changed = set(vectors.same(committed(name), built))
    assert changed <= {vector.id for vector in built.vectors}
    before = {vector.id: vector for vector in committed(name).vectors}
    for vector in built.vectors:
        if vector.id in changed:
            assert vectors.same_question(before[vector.id], vector), vector.id
            for variant in vector.answers:
                queries = tuple(variant.queries)
                exchange = Exchange(vector.id, name, vector.input, variant.answer, None, queries)
                assert assess(capabilities()[name], exchange).agrees, (vector.id, variant.given_by)


@pytest.mark.parametrize("name", NAMES)
def test_files_are_in_the_form_in_which_they_are_written(name: str) -> None:
    """Read and written again a file stays as it is, byte by byte; an editor would change it."""
    assert vectors.encode(committed(name)) == (vectors.FOLDER / f"{name}.json").read_bytes()


def with_variant(change: Callable[[Variant], Variant]) -> Callable[[VectorCase], VectorCase]:
    """A vector whose literal answer is changed."""
    return lambda vector: replace(vector, answers=[change(vector.answers[0]), *vector.answers[1:]])


@pytest.mark.parametrize(
    "change",
    [
        with_variant(lambda one: replace(one, answer=one.answer | {"C_r": [[7.0]]})),
        with_variant(lambda one: replace(one, answer={"C_r": one.answer["C_r"]})),
        with_variant(lambda one: replace(one, answer=one.answer | {"C": [[7.0]]})),
        with_variant(lambda one: replace(one, queries=[Asked(0, 0, 0, 1.0, 0)])),
        with_variant(lambda one: replace(one, given_by=one.given_by[:1])),
        lambda vector: replace(vector, answers=[]),
        lambda vector: replace(vector, flags=[]),
        lambda vector: replace(vector, input=vector.input | {"gamma": 0.25}),
        lambda vector: replace(vector, tolerance={}),
        lambda vector: replace(
            vector, tolerance={name: 1.001 * size for name, size in vector.tolerance.items()}
        ),
    ],
    ids=[
        "answer",
        "missing field",
        "further field",
        "queries",
        "makers",
        "no answers",
        "flags",
        "input",
        "no tolerance",
        "tolerance",
    ],
)
def test_a_change_in_a_vector_is_seen(change: Callable[[VectorCase], VectorCase]) -> None:
    file = committed("widths")
    place = next(i for i, vector in enumerate(file.vectors) if vector.flags)
    first = file.vectors[place]
    assert len(first.answers[0].given_by) > 1
    edited = [*file.vectors[:place], change(first), *file.vectors[place + 1 :]]
    assert vectors.same(file, replace(file, vectors=edited)) == [first.id]


def test_a_change_around_vectors_is_seen() -> None:
    file = committed("widths")
    assert vectors.same(file, file) == []
    assert vectors.same(file, replace(file, vectors=file.vectors[1:])) == ["the list of ids"]
    assert vectors.same(file, replace(file, says="something else")) == ["the head of the file"]


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SAMPLED])
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
    assert sum(len(committed(name).vectors) for name in NAMES if name not in SAMPLED) >= 300


@pytest.mark.parametrize("name", NAMES)
def test_ids_are_unique_and_flags_explained(name: str) -> None:
    file = committed(name)
    ids = [vector.id for vector in file.vectors]
    assert len(set(ids)) == len(ids)
    assert all(identity.startswith(f"{name}/") for identity in ids)
    assert {flag for vector in file.vectors for flag in vector.flags} == set(file.flags)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_right_answers_are_accepted_and_show_every_option(name: str) -> None:
    """One reading explains all answers of a maker, and every reading offered has been seen.

    Otherwise the judge could admit a reading that nobody follows.
    """
    capability = capabilities()[name]
    left: dict[str, frozenset[Reading]] = dict.fromkeys(
        conforming(name), frozenset(capability.readings)
    )
    for vector in committed(name).vectors:
        assert sorted(maker for one in vector.answers for maker in one.given_by) == sorted(left)
        for variant in vector.answers:
            queries = tuple(variant.queries)
            exchange = Exchange(vector.id, name, vector.input, variant.answer, None, queries)
            agrees = assess(capability, exchange).agrees
            for maker in variant.given_by:
                left[maker] &= agrees
                assert left[maker], (vector.id, maker)
    shown = {option for explains in left.values() for reading in explains for option in reading}
    assert shown == frozenset().union(*capability.readings)


@pytest.mark.parametrize("name", NAMES)
def test_the_first_answer_is_the_literal_one(name: str) -> None:
    assert all(vector.answers[0].given_by[0] == "literal" for vector in committed(name).vectors)


def test_the_edge_cases_that_matter_are_there() -> None:
    flags = {flag for name in NAMES for flag in committed(name).flags}
    assert set(EVERY_FLAG) <= flags
    (unsampled,) = (v for v in committed("widths").vectors if v.id == "widths/no-sample")
    infinite = [["inf"] * 2] * 2
    assert unsampled.answers[0].answer["C_r"] == infinite
