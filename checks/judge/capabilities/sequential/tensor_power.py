"""Algorithm 3, line 7: the robust tensor power method on a tensor that is a sum of components.

M = Σ_j λ_j v_j⊗v_j⊗v_j with orthonormal v_j has one such form only, so the components are
determined: restarts decide no more than which come first. An eigenpair satisfies M(I,v,v) = λv; so
does (-λ, -v), which is the same component, and both are right: line 8 uses λv and the weights λ².
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.judging.compare import far_off, first_off, in_every_reading
from ptum.checks.judge.judging.hmms import nearest_order, shown
from ptum.checks.judge.judging.items import Item
from ptum.checks.judge.judging.readings import Capability, Case, Finding, Judge, all_readings
from ptum.checks.judge.judging.tolerances import FLOOR
from ptum.checks.judge.messages.fields import Field, array, reals
from ptum.checks.judge.messages.parsing import whole
from ptum.checks.judge.messages.transcript import Asked, Fields
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.errors import InputError
from ptum.reference.sequential.tensor_power import decompose

FLAGS: Mapping[str, str] = {
    "k=1": "one dimension: nothing to search",
    "negative-coefficient": "written with a negative factor, which is a positive one and -v",
    "equal": "components of equal size: their order is left to the restarts",
    "near-tie": "two components differ by a millionth",
    "axes": "components along the coordinate axes",
    "mixed": "every component has entries everywhere",
    "signs": "components with entries of equal size and different signs: (1,1,1,1) never moves",
    "low-rank": "fewer components than dimensions",
    "some": "fewer components asked for than there are",
    "wide": "components of very different size",
    "scale": "all components very small or very large",
    "unit": "every λ is 1, so that λ, λ² and 1 are the same",
    "below-one": "every λ is below 1",
    "one-restart": "L = 1",
    "whitened": "λ = ω^{-1/2}, as line 7 meets it",
    "drawn": "drawn at random from the seed",
}

PAIR = Item("line 7, M(I,v,v) = λv", "algorithm-rtp:vector")
FORM = Item("line 7, λ = M(v,v,v)", "algorithm-rtp:value")
UNIT = Item("line 7, the power step, which ends with ‖v‖ = 1", "algorithm-rtp:length")
DEFLATED = Item("line 7, deflation by λ v⊗v⊗v", "algorithm-rtp:deflation")
ATTRACTS = Item("line 7, the fixed points that attract", "algorithm-rtp:start")
DIES = Item(
    "line 7, a start from which power steps lead to zero, or their length",
    "algorithm-rtp:start",
    "algorithm-rtp:length",
)

STARTS = 8
"""Directions in which the judge looks at a tensor."""


def components(tensor: Floats) -> tuple[Floats, Floats]:
    """`_components`, each tensor once."""
    return _components(np.ascontiguousarray(tensor).tobytes(), len(tensor))


@lru_cache(maxsize=64)
def _components(entries: bytes, k: int) -> tuple[Floats, Floats]:
    """λ_j ≥ 0, falling, and v_j as columns: as many as dimensions, zeros among them.

    For a random w the matrix M(I,I,w) = Σ_j λ_j ⟨v_j,w⟩ v_j v_j^T has the components as
    eigenvectors. The direction that explains the tensor best is kept.
    """
    tensor = np.frombuffer(entries).reshape(k, k, k)
    rng = np.random.default_rng(0)
    found = [_seen_along(tensor, rng.standard_normal(len(tensor))) for _ in range(STARTS)]
    lambdas, V = min(found, key=lambda pair: _left(tensor, *pair))
    if _left(tensor, lambdas, V) > FLOOR * float(lambdas[0]):
        raise InputError("tensor", "is no sum of orthogonal components")
    return lambdas, V


def _seen_along(tensor: Floats, w: Floats) -> tuple[Floats, Floats]:
    _, V = np.linalg.eigh(np.einsum("abc,c->ab", tensor, w))
    for _ in range(2):  # the error of a component squares in every step
        images = np.einsum("abc,bj,cj->aj", tensor, V, V)
        lengths = np.linalg.norm(images, axis=0)
        there = lengths > FLOOR * float(lengths.max(initial=0.0))
        V = np.where(there, images, V) / np.where(there, lengths, 1.0)
    lambdas = np.einsum("abc,aj,bj,cj->j", tensor, V, V, V)
    order = np.argsort(-lambdas)
    return np.maximum(lambdas[order], 0.0), V[:, order]


def _left(tensor: Floats, lambdas: Floats, V: Floats) -> float:
    return float(np.max(np.abs(tensor - _sum_of(lambdas, V))))


def _sum_of(lambdas: Floats, V: Floats) -> Floats:
    """Σ_j λ_j v_j⊗v_j⊗v_j."""
    total: Floats = np.einsum("j,aj,bj,cj->abc", lambdas, V, V, V)
    return total


def tolerance(request: Fields) -> dict[str, float]:
    """Errors allowed in λ, v and the residual.

    An entry of the tensor takes a rounding when it is read, c deflations of four roundings each,
    and k² in a power step: together a perturbation of norm e = 4(c+1)k² roundings of ‖M‖_F. It
    moves λ_j by at most 5e and v_j by at most 8e/λ_j (Theorem 5.1 of the method's own paper), so
    λ v⊗v⊗v by 29e. Iterations may leave 10⁻⁹ of the scale, which is the largest λ, or 1 for v.
    """
    tensor, c = array(request, "tensor"), whole(request, "components")
    lambdas, _ = components(tensor)
    e = 4 * (c + 1) * len(tensor) ** 2 * ROUNDING * float(np.linalg.norm(tensor))
    largest = float(lambdas[0])
    least = min((x for x in lambdas.tolist() if x > FLOOR * largest), default=1.0)
    return {
        "lambdas": max(5 * e, FLOOR * largest),
        "vectors": max(8 * e / least, FLOOR),
        "residual": c * max(29 * e, FLOOR * largest),
    }


def judge(request: Fields, answer: Fields, _: Sequence[Asked]) -> Judge:
    """Every pair must be a component of its own."""
    tensor, c = array(request, "tensor"), whole(request, "components")
    k = len(tensor)
    lambdas, V = reals(answer, "lambdas", (c,)), reals(answer, "vectors", (k, c))
    residual = None if answer.get("residual") is None else reals(answer, "residual", (k, k, k))
    allowed = tolerance(request)
    finding = _wrong_pairs(tensor, lambdas, V, allowed)
    if finding is None and residual is not None:
        expected = tensor - _sum_of(lambdas, V)
        finding = first_off(DEFLATED, "residual", expected, residual, allowed["residual"])
    return in_every_reading(finding)


def _wrong_pairs(
    tensor: Floats, lambdas: Floats, V: Floats, allowed: Mapping[str, float]
) -> Finding | None:
    if not (np.all(np.isfinite(lambdas)) and np.all(np.isfinite(V))):
        return Finding(PAIR, "λ or v", "finite numbers", "an infinite one")
    lengths = np.linalg.norm(V, axis=0)
    unit = DIES if bool(np.any(lengths <= allowed["vectors"])) else UNIT
    finding = first_off(unit, "length of v", np.ones(len(lengths)), lengths, allowed["vectors"])
    if finding is not None:
        return finding
    right_lambdas, right_V = components(tensor)
    signs = np.where(lambdas < 0, -1.0, 1.0)
    sizes, turned = lambdas * signs, V * signs
    for j in range(len(sizes)):
        if _matches(sizes[j], turned[:, j], right_lambdas, right_V, allowed) is None:
            return _why(tensor, lambdas, V, j, allowed)
    return _twice(sizes, turned, right_lambdas, right_V, allowed)


def _matches(
    size: float, v: Floats, right_lambdas: Floats, right_V: Floats, allowed: Mapping[str, float]
) -> int | None:
    """Which component this is; λ = 0 goes with any vector."""
    zero = allowed["lambdas"]
    for j, expected in enumerate(right_lambdas.tolist()):
        same = float(np.linalg.norm(v - right_V[:, j])) <= allowed["vectors"] or expected <= zero
        if same and abs(size - expected) <= zero:
            return j
    return None


def _why(
    tensor: Floats, lambdas: Floats, V: Floats, j: int, allowed: Mapping[str, float]
) -> Finding:
    """Which property of a component pair j lacks."""
    lambda_, v = float(lambdas[j]), V[:, j]
    again = np.flatnonzero(np.abs(v @ V[:, :j]) > 0.5)
    if again.size:
        got = f"pairs {int(again[0])} and {j} point the same way"
        return Finding(DEFLATED, f"pair {j}", "a component not found before", got)
    image = np.einsum("abc,b,c->a", tensor, v, v)
    form = float(image @ v)
    slack = allowed["lambdas"] + 3 * math.sqrt(float(np.sum(tensor**2))) * allowed["vectors"]
    if float(np.linalg.norm(image - form * v)) > slack:
        expected = f"M(I,v,v) parallel to v, so {shown(form * v)}"
        return Finding(PAIR, f"pair {j}", expected, shown(image))
    if abs(form - lambda_) > slack:
        return Finding(FORM, f"pair {j}", f"{form:.12g}", far_off(form, lambda_, slack))
    right_lambdas, right_V = components(tensor)
    nearest = nearest_order(right_V, v[:, np.newaxis])[0]
    size, vector = float(right_lambdas[nearest]), shown(right_V[:, nearest])
    expected = f"a component, such as λ = {size:.12g}, v = {vector}"
    return Finding(ATTRACTS, f"pair {j}", expected, f"λ = {lambda_:.12g}, v = {shown(v)}")


def _twice(
    sizes: Floats, V: Floats, right_lambdas: Floats, right_V: Floats, allowed: Mapping[str, float]
) -> Finding | None:
    """No component may be counted twice; zeros may be, as often as there are."""
    seen: dict[int, int] = {}
    for j in range(len(sizes)):
        found = _matches(float(sizes[j]), V[:, j], right_lambdas, right_V, allowed)
        if found is None or right_lambdas[found] <= allowed["lambdas"]:
            continue
        if found in seen:
            got = f"pairs {seen[found]} and {j} are both λ = {right_lambdas[found]:.12g}"
            return Finding(DEFLATED, f"pair {j}", "a component not found before", got)
        seen[found] = j
    return None


# Conforming implementations


def literal(tensor: Floats, components: int, L: int, N: int, seed: int) -> dict[str, object]:
    """`ptum.reference.sequential.tensor_power`."""
    pairs = decompose(tensor, components, L, N, np.random.default_rng(seed))
    return {"lambdas": pairs.lambdas, "vectors": pairs.vectors, "residual": pairs.residual}


def diagonalised(tensor: Floats, components: int, **_: int) -> dict[str, object]:
    """No power method at all: eigenvectors of one contraction, with the signs that they happen on.

    Where λ comes out negative the pair is (-λ, -v).
    """
    rng = np.random.default_rng(5)
    contracted = np.einsum("abc,c->ab", tensor, rng.standard_normal(len(tensor)))
    V = np.linalg.eigh(contracted)[1]
    lambdas = np.einsum("abc,aj,bj,cj->j", tensor, V, V, V)
    order = np.argsort(-np.abs(lambdas))[:components]
    return {"lambdas": lambdas[order], "vectors": V[:, order]}


def smallest_first(tensor: Floats, components: int, L: int, N: int, seed: int) -> dict[str, object]:
    """All components, and of these the smallest that are not zero: another order of discovery."""
    rank = int(
        np.sum(
            decompose(tensor, len(tensor), L, N, np.random.default_rng(seed)).lambdas
            > FLOOR * float(np.max(np.abs(tensor)))
        )
    )
    pairs = decompose(tensor, rank, L, N, np.random.default_rng(seed + 1))
    order = np.argsort(pairs.lambdas)[:components]
    return {"lambdas": pairs.lambdas[order], "vectors": pairs.vectors[:, order]}


CONFORMING: Mapping[str, Implementation] = {
    "literal": literal,
    "diagonalised": diagonalised,
    "smallest-first": smallest_first,
}


# Cases


def _hadamard() -> Floats:
    signs = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]])
    return signs / 2


def _mirror(k: int) -> Floats:
    """The reflection along (1, 2, …, k): orthogonal, with no zero entry for k ≥ 2."""
    u = np.arange(1.0, k + 1)
    mirror: Floats = np.eye(k) - 2 * np.outer(u, u) / float(u @ u)
    return mirror


TILT = np.array([[0.6, -0.8], [0.8, 0.6]])


def _case(
    name: str,
    lambdas: Sequence[float],
    V: Floats,
    *flags: str,
    components: int | None = None,
    L: int = 10,
    N: int = 40,
) -> Case:
    tensor = _sum_of(np.array(lambdas), V[:, : len(lambdas)])
    request: Fields = {
        "tensor": tensor.tolist(),
        "components": len(lambdas) if components is None else components,
        "L": L,
        "N": N,
        "seed": 1,
    }
    return Case(f"tensor_power/{name}", request, flags)


def _edge_cases() -> Iterator[Case]:
    one, axes2, axes3 = np.ones((1, 1)), np.eye(2), np.eye(3)
    yield _case("one-dimension", [2.0], one, "k=1")
    yield _case("one-dimension-small", [0.25], one, "k=1", "below-one")
    yield _case("one-dimension-negative", [-2.0], one, "k=1", "negative-coefficient")
    yield _case("axes", [3.0, 2.0], axes2, "axes")
    yield _case("axes-of-three", [3.0, 2.0, 1.5], axes3, "axes")
    yield _case("axes-negative", [3.0, -2.0, 1.5], axes3, "axes", "negative-coefficient")
    yield _case("units", [1.0, 1.0, 1.0], axes3, "axes", "equal", "unit")
    yield _case("equal", [2.0, 2.0], TILT, "equal", "mixed")
    yield _case("equal-mixed", [1.5, 1.5, 1.5], _mirror(3), "equal", "mixed")
    yield _case("tilted", [2.0, 0.5], TILT, "mixed")
    yield _case("below-one", [0.5, 0.25], TILT, "mixed", "below-one")
    yield _case("near-tie", [1.25, 1.25 * (1 + 1e-6)], TILT, "near-tie", "mixed")
    yield _case("signs", [4.0, 3.0, 2.0, 1.0], _hadamard(), "signs", "mixed")
    yield _case("signs-equal", [2.0, 2.0, 2.0, 2.0], _hadamard(), "signs", "equal", "mixed")
    yield _case("signs-low-rank", [2.0, 2.0], _hadamard(), "signs", "low-rank", "equal")
    yield _case("low-rank", [2.0, 1.0], _mirror(4), "low-rank", "mixed")
    yield _case("low-rank-one", [0.75], _mirror(3), "low-rank", "mixed", "below-one")
    yield _case("first-of-three", [3.0, 2.0, 1.0], _mirror(3), "some", "mixed", components=1)
    yield _case("two-of-four", [2.0, 1.75, 1.5, 1.25], _mirror(4), "some", "mixed", components=2)
    yield _case("wide", [100.0, 1.0, 0.01], _mirror(3), "wide", "mixed")
    yield _case("very-small", [3e-8, 2e-8, 1e-8], _mirror(3), "scale", "mixed")
    yield _case("very-large", [3e8, 2e8, 1e8], _mirror(3), "scale", "mixed")
    yield _case("mixed-signs", [2.0, -1.5, 1.0], _mirror(3), "negative-coefficient", "mixed")
    yield _case("five", [1.9, 1.7, 1.5, 1.3, 1.1], _mirror(5), "mixed")
    yield _case("six", [6.0, 5.0, 4.0, 3.0, 2.0, 1.0], _mirror(6), "mixed")
    yield _case("one-restart", [2.0, 1.5, 1.25], _mirror(3), "one-restart", "mixed", L=1, N=100)
    weights = np.array([0.5, 0.3, 0.2])
    yield _case("whitened", (weights**-0.5).tolist(), _mirror(3), "whitened", "mixed")


def _drawn_cases(seed: int) -> Iterator[Case]:
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(11,)))
    for number in range(1, 4):
        k = int(rng.integers(2, 6))
        V, _ = np.linalg.qr(rng.standard_normal((k, k)))
        lambdas = rng.uniform(0.5, 4.0, size=int(rng.integers(1, k + 1)))
        yield _case(f"drawn-{seed}-{number}", lambdas.tolist(), V, "drawn")


def cases(seed: int) -> Iterator[Case]:
    """Sums of orthogonal components, most of them with components that no coordinate shows."""
    yield from _edge_cases()
    yield from _drawn_cases(seed)


CAPABILITY = Capability(
    name="tensor_power",
    item="algorithm-rtp",
    says="components of a tensor Σ_j λ_j v_j⊗v_j⊗v_j with orthonormal v_j, in any order; (λ, v) and"
    " (-λ, -v) are the same component and both accepted",
    input=(
        Field("tensor", "real", ("k", "k", "k"), "M, symmetric, a sum of orthogonal components"),
        Field(
            "components",
            "integer",
            (),
            "c, how many components to find, whichever they are; at most the rank",
        ),
        Field("L", "integer", (), "restarts of each call; more may be used"),
        Field("N", "integer", (), "power steps from each start, and again from the best end"),
        Field("seed", "integer", (), "for the random starts; it need not be used"),
    ),
    output=(
        Field("lambdas", "real", ("c",), "eigenvalues λ_j"),
        Field("vectors", "real", ("k", "c"), "column j is v_j, of length one"),
        Field("residual", "real", ("k", "k", "k"), "M - Σ_j λ_j v_j⊗v_j⊗v_j", optional=True),
    ),
    readings=all_readings(),
    cases=cases,
    judge=judge,
    tolerance=tolerance,
    flags=FLAGS,
)
