"""Lemma 3: the widths C^r, C^p, C^{σ_r} and C^{σ_p} of the confidence set.

Either the four constants of Assumption 1 stand in the four widths, or their maximum Δ stands in all
of them (D02). Up to one sample all widths are infinite (D03).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.judging.compare import first_off
from ptum.checks.judge.judging.items import C_P, C_R, C_SIGMA_P, C_SIGMA_R
from ptum.checks.judge.judging.options import FOUR, SINGLE
from ptum.checks.judge.judging.readings import (
    Capability,
    Case,
    Finding,
    Judge,
    Reading,
    all_readings,
)
from ptum.checks.judge.judging.tolerances import FLOOR
from ptum.checks.judge.messages.fields import ERRORS_FIELD, Field, array, reals
from ptum.checks.judge.messages.parsing import (
    ERRORS,
    as_errors,
    errors_fields,
    mapping,
    number,
    only_error,
    whole,
)
from ptum.checks.judge.messages.transcript import Asked, Fields
from ptum.checks.judge.plain import views
from ptum.checks.judge.plain.algorithm_1 import Algorithm1, SingleDelta
from ptum.reference.arrays import ROUNDING, Floats, Ints
from ptum.reference.transfer import confidence
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.confidence import Widths
from ptum.reference.transfer.empirical import EmpiricalModel

FLAGS: Mapping[str, str] = {
    "N<=1": "a pair with no sample or one: its widths are infinite",
    "N=2": "the fewest samples with finite widths",
    "S=1": "a single state",
    "gamma=0": "values have the range of rewards",
    "gamma=0.9999": "values have the range 10000",
    "k=1": "a single model",
    "infinite-error": "a model error is infinite, and so is its width",
    "one-error": "only one of the four model errors is not zero",
    "unlike-errors": "the four model errors differ",
    "zero-variance": "an estimated deviation is zero: the root vanishes",
}

ITEMS = {"C_r": C_R, "C_p": C_P, "C_sigma_r": C_SIGMA_R, "C_sigma_p": C_SIGMA_P}


def widths_of(request: Fields, errors: ModelErrors) -> dict[str, Floats]:
    """All four widths by `ptum.reference.transfer.confidence`."""
    N, sigma_r, sigma_p = (array(request, name) for name in ("N", "sigma_r", "sigma_p"))
    hat = _estimate(N.astype(np.int64), sigma_r, sigma_p)
    n, k = whole(request, "n"), whole(request, "k")
    C = confidence.widths(hat, errors, number(request, "gamma"), n, k, number(request, "delta"))
    return named(C)


def named(C: Widths) -> dict[str, Floats]:
    """The fields of an answer."""
    return {"C_r": C.r, "C_p": C.p, "C_sigma_r": C.sigma_r, "C_sigma_p": C.sigma_p}


def _estimate(N: Ints, sigma_r: Floats, sigma_p: Floats) -> EmpiricalModel:
    """Counts and deviations; means do not enter the widths."""
    S, A = N.shape
    return EmpiricalModel(N, np.zeros((S, A)), np.zeros((S, A, S)), sigma_r, sigma_p)


def tolerance(request: Fields) -> dict[str, float]:
    """A 10⁻⁹ of the smallest finite width of each kind, with the four constants.

    A width is a sum of positive terms that are evaluated to a few roundings each, so every entry
    is right to a relative error of some 10⁻¹⁵. Where entries differ by more than six orders of
    magnitude, 16 roundings of the largest are allowed instead.
    """
    expected = widths_of(request, as_errors(mapping(request, "errors")))
    return {name: _resolution(C[np.isfinite(C)]) for name, C in expected.items()}


def _resolution(finite: Floats) -> float:
    if finite.size == 0:
        return FLOOR
    return max(FLOOR * float(finite.min()), 16 * ROUNDING * float(finite.max()))


def judge(request: Fields, answer: Fields, _: Sequence[Asked]) -> Judge:
    """The four widths in turn, with the errors that the reading puts into them."""
    errors, allowed = as_errors(mapping(request, "errors")), tolerance(request)
    by_option = {FOUR: widths_of(request, errors), SINGLE: widths_of(request, single(errors.Delta))}
    got = {name: reals(answer, name, C.shape) for name, C in by_option[FOUR].items()}

    def wrong(reading: Reading) -> Finding | None:
        (expected,) = (by_option[option] for option in by_option if option in reading)
        findings = (
            first_off(ITEMS[name], name, expected[name], got[name], allowed[name]) for name in ITEMS
        )
        finding = next((finding for finding in findings if finding is not None), None)
        return finding and _with_logarithm(finding, request)

    return wrong


def _with_logarithm(finding: Finding, request: Fields) -> Finding:
    """The logarithm of a finite width: of its numbers the one that is most easily wrong."""
    if finding.expected == "inf":
        return finding
    (S, A), counts = array(request, "N").shape, (whole(request, "n"), whole(request, "k"))
    of_deviation = finding.item in (C_SIGMA_R, C_SIGMA_P)
    rule = confidence.log_term_sigma if of_deviation else confidence.log_term
    L = rule(S, A, *counts, number(request, "delta"))
    text = f"log({4 if of_deviation else 8}SAn(k+1)/δ) = {L:.9g}"
    return replace(finding, expected=f"{finding.expected}, with {text}")


# Conforming implementations


def four_constants(
    N: Ints,
    sigma_r: Floats,
    sigma_p: Floats,
    errors: Mapping[str, float],
    gamma: float,
    n: int,
    delta: float,
    k: int,
) -> dict[str, Floats]:
    """`ptum.reference.transfer.confidence` with the constants of Assumption 1."""
    hat = _estimate(N, sigma_r, sigma_p)
    return named(confidence.widths(hat, as_errors(errors), gamma, n, k, delta))


CONFORMING: Mapping[str, Implementation] = {
    "literal": four_constants,
    "plain": views.widths(Algorithm1),
    "single-delta": views.widths(SingleDelta),
}


# Cases

NO_ERRORS = ModelErrors(0.0, 0.0, 0.0, 0.0)
UNLIKE = ModelErrors(r=0.125, p=0.5, sigma_r=0.0625, sigma_p=0.25)


def _request(
    N: Sequence[Sequence[int]],
    *,
    k: int = 2,
    sigma: float = 0.375,
    errors: ModelErrors = NO_ERRORS,
    gamma: float = 0.5,
    n: int = 1000,
    delta: float = 0.125,
) -> Fields:
    """Deviations rise a little from pair to pair and from model to model."""
    counts = np.array(N)
    steps = 1 + np.arange(counts.size).reshape(counts.shape) / 16
    span = 1 / (1 - gamma)
    of_p = sigma * span * steps[:, :, np.newaxis] * (1 + np.arange(k) / 8) / 2
    return {
        "N": counts.tolist(),
        "sigma_r": (sigma * steps).tolist(),
        "sigma_p": of_p.tolist(),
        "errors": errors_fields(errors),
        "gamma": gamma,
        "n": n,
        "delta": delta,
        "k": k,
    }


Named = tuple[str, Fields, tuple[str, ...]]

TABLE = [[5, 17], [40, 3]]
"""Numbers of samples without anything special."""


def _edge_cases() -> Iterator[Named]:
    yield from _counts()
    yield from _sizes()
    yield from _errors()


def _counts() -> Iterator[Named]:
    """Few samples, many samples, and samples that are all alike."""
    yield "no-sample", _request([[0, 0], [0, 0]], sigma=0.0), ("N<=1",)
    yield "one-sample", _request([[1, 1], [1, 1]], sigma=0.0), ("N<=1",)
    yield "one-sample-with-errors", _request([[1, 0]], errors=UNLIKE), ("N<=1", "S=1")
    yield "any-deviation-at-one-sample", _request([[1], [0]], sigma=0.25), ("N<=1",)
    yield "two-samples", _request([[2, 2]]), ("N=2", "S=1")
    yield "zero-one-two-three", _request([[0, 1], [2, 3]]), ("N<=1", "N=2")
    yield "two-samples-zero-variance", _request([[2]], sigma=0.0), ("N=2", "S=1", "zero-variance")
    yield "ordinary", _request(TABLE), ()
    yield "zero-variance", _request(TABLE, sigma=0.0), ("zero-variance",)
    yield "many-samples", _request([[10**6, 10**7]], n=10**8), ("S=1",)
    yield "many-and-few", _request([[2, 10**6]], n=10**7, sigma=0.25), ("N=2", "S=1")


def _sizes() -> Iterator[Named]:
    """Numbers of models, states and actions, discounts, budgets and confidence."""
    yield "one-model", _request(TABLE, k=1), ("k=1",)
    yield "five-models", _request(TABLE, k=5), ()
    yield "one-pair", _request([[30]], k=3), ("S=1",)
    yield "three-states-one-action", _request([[4], [5], [6]]), ()
    yield "one-state-four-actions", _request([[4, 5, 6, 7]]), ("S=1",)
    yield "gamma-0", _request(TABLE, gamma=0.0), ("gamma=0",)
    yield "gamma-0.75", _request(TABLE, gamma=0.75, sigma=0.25), ()
    yield "gamma-0.9999", _request(TABLE, gamma=0.9999), ("gamma=0.9999",)
    certain, flags = _request(TABLE, gamma=0.9999, sigma=0.0), ("gamma=0.9999", "zero-variance")
    yield "gamma-0.9999-zero-variance", certain, flags
    yield "budget-1", _request([[0]], n=1), ("N<=1", "S=1")
    yield "budget-2", _request([[2]], n=2), ("N=2", "S=1")
    yield "budget-large", _request(TABLE, n=10**9), ()
    yield "surely", _request(TABLE, delta=1e-12), ()
    yield "hardly", _request(TABLE, delta=0.999), ()


def _errors() -> Iterator[Named]:
    """Errors in one place or another, finite or not."""
    yield "unlike-errors", _request(TABLE, errors=UNLIKE), ("unlike-errors",)
    yield "equal-errors", _request(TABLE, errors=single(0.25)), ()
    for name in ERRORS:
        errors = only_error(name, 0.25)
        yield f"only-error-{name}", _request(TABLE, errors=errors), ("one-error",)
    yield "infinite-errors", _request(TABLE, errors=single(math.inf)), ("infinite-error",)
    lost = only_error("p", math.inf)
    yield "infinite-transition-error", _request(TABLE, errors=lost), ("infinite-error", "one-error")


def _drawn(rng: np.random.Generator) -> Fields:
    """Random counts with some small ones, and random errors."""
    S, A = (int(side) for side in rng.integers(1, 4, size=2))
    N = rng.integers(0, rng.choice([4, 50, 5000]), size=(S, A)).tolist()
    sizes = (rng.integers(0, 9, size=4) / 64).tolist()
    return _request(
        N,
        k=int(rng.integers(1, 5)),
        sigma=float(rng.integers(0, 5)) / 16,
        errors=ModelErrors(*sizes),
        gamma=float(rng.choice([0.0, 0.5, 0.9, 0.99])),
        n=int(rng.integers(1, 10)) * 10**4,
        delta=float(rng.choice([0.01, 0.1, 0.5])),
    )


def cases(seed: int) -> Iterator[Case]:
    """Few samples, no variance, extreme budgets and discount factors, odd errors; then drawn."""
    for name, request, flags in _edge_cases():
        yield Case(f"widths/{name}", request, flags)
    rng = np.random.default_rng(seed)
    for number_of_draw in range(1, 7):
        yield Case(f"widths/drawn-{seed}-{number_of_draw}", _drawn(rng))


CAPABILITY = Capability(
    name="widths",
    item="lemma-3",
    says="Confidence widths at given counts and estimated deviations.",
    input=(
        Field("N", "integer", ("S", "A"), "N_t(s,a), samples of each pair so far"),
        Field("sigma_r", "real", ("S", "A"), "estimated deviation of the reward (no square)"),
        Field("sigma_p", "real", ("S", "A", "k"), "estimated deviation of Ṽ*_θ' (no square)"),
        ERRORS_FIELD,
        Field("gamma", "real", (), "discount factor in [0, 1)"),
        Field("n", "integer", (), "budget: the n of the logarithms"),
        Field("delta", "real", (), "failure probability in (0, 1)"),
        Field("k", "integer", (), "|Θ|, the number of models given to the run"),
    ),
    output=(
        Field("C_r", "real", ("S", "A"), "width of the mean reward"),
        Field("C_p", "real", ("S", "A", "k"), "width of the mean of Ṽ*_θ'"),
        Field("C_sigma_r", "real", ("S", "A"), "width of the reward's deviation"),
        Field("C_sigma_p", "real", ("S", "A"), "width of the deviation of Ṽ*_θ'"),
    ),
    readings=all_readings((FOUR, SINGLE)),
    cases=cases,
    judge=judge,
    tolerance=tolerance,
    flags=FLAGS,
)
