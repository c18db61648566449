"""Slips in the robust tensor power method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ptum.checks.judge.capabilities.sequential.tensor_power import (
    ATTRACTS,
    DEFLATED,
    FORM,
    PAIR,
    UNIT,
)
from ptum.checks.judge.slips import slip
from ptum.reference.arrays import Floats


@dataclass(frozen=True)
class Method:
    """The power method; an option that is not the default is a slip, or leaves the residual out."""

    deflate: str = "λ"
    start: str = "random"
    step: str = "length"
    value: str = "form"
    layout: str = "columns"
    left_over: str = "last"

    def __call__(
        self, tensor: Floats, components: int, L: int, N: int, seed: int
    ) -> dict[str, object]:
        """Find the components one after the other."""
        rng = np.random.default_rng(seed)
        left, pairs = np.array(tensor), []
        for _ in range(components):
            before = left
            lambda_, v = self._pair(left, L, N, rng)
            left = left - self._factor(lambda_) * np.einsum("a,b,c->abc", v, v, v)
            pairs.append((self._reported(lambda_), v))
        V = np.stack([v for _, v in pairs], axis=1)
        answer: dict[str, object] = {
            "lambdas": np.array([lambda_ for lambda_, _ in pairs]),
            "vectors": V.T if self.layout == "rows" and len(V) == V.shape[1] else V,
        }
        if self.left_over != "none":
            answer["residual"] = before if self.left_over == "before the last" else left
        return answer

    def _pair(self, M: Floats, L: int, N: int, rng: np.random.Generator) -> tuple[float, Floats]:
        starts = [self._start(len(M), rng) for _ in range(L)]
        ends = [self._steps(M, v, N) for v in starts]
        v = self._steps(M, max(ends, key=lambda end: _form(M, end)), N)
        return _form(M, v), v

    def _start(self, k: int, rng: np.random.Generator) -> Floats:
        if self.start == "all ones":
            return np.full(k, k**-0.5)
        if self.start == "first axis":
            axis: Floats = np.eye(k)[0]
            return axis
        v = rng.standard_normal(k)
        unit: Floats = v / np.linalg.norm(v)
        return unit

    def _steps(self, M: Floats, v: Floats, N: int) -> Floats:
        for _ in range(N):
            image = np.einsum("abc,b,c->a", M, v, v)
            if self.step == "one index":
                image = np.einsum("abc,b,c->a", M, v, np.full(len(v), len(v) ** -0.5))
            v = image / self._length(image)
        return v

    def _length(self, image: Floats) -> float:
        order = {"largest entry": np.inf, "sum": 1}.get(self.step, 2)
        return float(np.linalg.norm(image, order)) or 1.0

    def _factor(self, lambda_: float) -> float:
        return {"λ": lambda_, "λ²": lambda_**2, "1": 1.0, "none": 0.0}[self.deflate]

    def _reported(self, lambda_: float) -> float:
        return abs(lambda_) ** 0.5 if self.value == "root" else lambda_


def _form(M: Floats, v: Floats) -> float:
    return float(np.einsum("abc,a,b,c->", M, v, v, v))


@slip("tensor_power/slice-eigenvectors", breaks=PAIR)
def slice_eigenvectors(tensor: Floats, components: int, **_: int) -> dict[str, object]:
    """Eigenvectors of M(I,I,1), the sum of the slices: not unique when components tie there."""
    V = np.linalg.eigh(tensor.sum(axis=2))[1]
    lambdas = np.einsum("abc,aj,bj,cj->j", tensor, V, V, V)
    signs = np.where(lambdas < 0, -1.0, 1.0)
    order = np.argsort(-np.abs(lambdas))[:components]
    return {"lambdas": (lambdas * signs)[order], "vectors": (V * signs)[:, order]}


@slip("tensor_power/sign-of-v", breaks=FORM)
def flipped(tensor: Floats, components: int, L: int, N: int, seed: int) -> dict[str, object]:
    """λ and -v: the sign of one without that of the other."""
    found = Method()(tensor, components, L, N, seed)
    return {"lambdas": found["lambdas"], "vectors": -np.array(found["vectors"])}


for _slug, _breaks, _faulty in (
    ("no-deflation", DEFLATED, Method(deflate="none", left_over="none")),
    ("deflation-by-lambda-squared", DEFLATED, Method(deflate="λ²", left_over="none")),
    ("deflation-without-lambda", DEFLATED, Method(deflate="1", left_over="none")),
    ("residual-before-last-deflation", DEFLATED, Method(left_over="before the last")),
    ("divides-by-largest-entry", UNIT, Method(step="largest entry", left_over="none")),
    ("divides-by-sum", UNIT, Method(step="sum", left_over="none")),
    ("contracts-one-index", PAIR, Method(step="one index", left_over="none")),
    ("starts-at-all-ones", ATTRACTS, Method(start="all ones")),
    ("starts-at-first-axis", ATTRACTS, Method(start="first axis")),
    ("root-of-lambda", FORM, Method(value="root", left_over="none")),
    ("rows-for-columns", PAIR, Method(layout="rows", left_over="none")),
):
    slip(f"tensor_power/{_slug}", breaks=_breaks)(_faulty)
