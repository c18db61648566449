"""Hidden Markov models of the spectral capabilities: small cases, and all that Algorithm 3 may say.

The judge does not trust one run of the power method. `discoveries` finds every attracting vector of
every deflated tensor, so that all orders in which restarts may meet the components are known.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from scipy.optimize import linear_sum_assignment

from ptum.checks.judge.judging.tolerances import FLOOR
from ptum.checks.judge.messages.fields import MalformedError, array
from ptum.checks.judge.messages.transcript import Fields
from ptum.reference.arrays import ROUNDING, Floats, Ints
from ptum.reference.repaired.sequential.spectral import learn_within_task
from ptum.reference.sequential.hmm import HMM, VIEWS, Moments, moore_penrose, rank_k_inverse
from ptum.reference.sequential.spectral import HmmEstimate, NotEnoughData, NotIdentifiable

STARTS, STEPS = 24, 200
"""The judge's restarts, and its power steps: those of two rounds of N = 100 (D52)."""

CONVERGED, SAME = 1e-11, 1e-7
"""A vector that moves less than the first has converged; two nearer than the second are one."""

FAR = 1e100
"""A distance that still has a square."""

LAST, FIRST, ALL = "drop the last", "drop the first", "all h-2 overlapping triples"
"""The options of D45."""


@dataclass(frozen=True, eq=False)
class HmmAnswer:
    """Ô, T̂ and ω̂ in one order of the tasks; also the means of the third view, where known."""

    O: Floats
    T: Floats
    weights: Floats
    mu_3: Floats | None = None


@dataclass(frozen=True, eq=False)
class Spectrum:
    """What decides how far rounding is amplified on the way from moments to estimates."""

    r: float
    M_2: Floats
    M_3: float
    Sigma_21: float
    Sigma_31: Floats


def moments_of(request: Fields) -> Moments:
    """The fields of a request as moments; entries are doubles, so rounding is that of d terms."""
    M_2 = array(request, "M_2")
    return Moments(
        Sigma_12=array(request, "Sigma_12"),
        Sigma_13=array(request, "Sigma_13"),
        Sigma_21=array(request, "Sigma_21"),
        Sigma_31=array(request, "Sigma_31"),
        Sigma_32=array(request, "Sigma_32"),
        M_2=M_2,
        M_3=array(request, "M_3"),
        terms=len(M_2),
    )


def is_null(answer: Fields, names: Sequence[str]) -> bool:
    """No estimate: the first field is null, and the others are null or missing."""
    empty = [answer.get(name) is None for name in names]
    if empty[0] and not all(empty):
        raise MalformedError(f"{names[0]} is null, but not all of {', '.join(names)} are")
    return empty[0]


def estimate_fields(
    found: HmmEstimate | NotIdentifiable | NotEnoughData, names: Sequence[str]
) -> dict[str, object]:
    """What a learner found, as fields of an answer; O and T are null where that is nothing."""
    if not isinstance(found, HmmEstimate):
        return {"O": None, "T": None}
    return {name: getattr(found, name) for name in names}


def meaningless_where_null(answer: dict[str, object], d: int, k: int) -> dict[str, object]:
    """The answer of code that goes on where there is no estimate: numbers of no meaning (D53)."""
    return answer if answer["O"] is not None else {"O": np.ones((d, k)), "T": np.ones((k, k))}


def nearest_order(found: Floats, expected: Floats) -> Ints:
    """The order for which found[:, order] is nearest to `expected`, by total squared distance.

    Whatever is finite has an order: distances that have no square count as `FAR`.
    """
    distance = np.clip(expected[:, :, np.newaxis] - found[:, np.newaxis, :], -FAR, FAR)
    _, order = linear_sum_assignment(np.sum(distance**2, axis=0))
    return order.astype(np.int64)


def reordered(estimate: HmmAnswer, order: Ints) -> HmmAnswer:
    """The same estimate with task order[i] called i: one relabelling for all three fields."""
    return HmmAnswer(
        estimate.O[:, order], estimate.T[np.ix_(order, order)], estimate.weights[order]
    )


def off(found: Floats, expected: Floats) -> float:
    """The largest difference of two entries; +inf if one of them is infinite."""
    if not np.all(np.isfinite(found)):
        return float("inf")
    return float(np.max(np.abs(found - expected), initial=0.0))


def shown(values: Floats) -> str:
    """An array in one line."""
    return " ".join(np.array2string(values, precision=6, suppress_small=True).split())


# Algorithm 3 in every admissible way


def discoveries(tensor: Floats, count: int, steps: int = STEPS) -> Iterator[tuple[Floats, Floats]]:
    """All (λ̂, v̂ as columns) that `count` calls with deflation can find, in every order."""
    for found in _paths(tensor, count, steps):
        lambdas = np.array([lambda_ for lambda_, _ in found])
        yield lambdas, np.stack([v for _, v in found], axis=1)


def _paths(tensor: Floats, count: int, steps: int) -> Iterator[list[tuple[float, Floats]]]:
    if count == 0:
        yield []
        return
    for lambda_, v in attractors(tensor, steps):
        left = tensor - lambda_ * np.einsum("i,j,l->ijl", v, v, v)
        for rest in _paths(left, count - 1, steps):
            yield [(lambda_, v), *rest]


def attractors(tensor: Floats, steps: int = STEPS) -> list[tuple[float, Floats]]:
    """Where power steps end, from starts spread over the sphere; only ends with λ > 0."""
    starts = np.random.default_rng(7).standard_normal((STARTS, len(tensor)))
    V = starts / np.linalg.norm(starts, axis=1, keepdims=True)
    for _ in range(steps):
        before, V = V, _step(tensor, V)
        if np.max(np.abs(V - before)) <= CONVERGED / 100:
            break
    still = np.max(np.abs(_step(tensor, V) - V), axis=1) <= CONVERGED
    found: list[tuple[float, Floats]] = []
    for v in V[still]:
        lambda_ = float(np.einsum("abc,a,b,c->", tensor, v, v, v))
        new = all(float(np.max(np.abs(v - other))) > SAME for _, other in found)
        if lambda_ > 0 and new:
            found.append((lambda_, v))
    return found


def _step(tensor: Floats, V: Floats) -> Floats:
    squares = V[:, :, np.newaxis] * V[:, np.newaxis, :]
    images = squares.reshape(len(V), -1) @ tensor.reshape(len(tensor), -1).T
    lengths = np.linalg.norm(images, axis=1, keepdims=True)
    stepped: Floats = np.where(lengths > 0, images, V) / np.where(lengths > 0, lengths, 1)
    return stepped


def triples(o: Floats, which: str) -> tuple[Floats, Floats, Floats]:
    """Line 1: the three views, by the option of D45."""
    if which == ALL:
        return o[:-2], o[1:-1], o[2:]
    m = len(o) // VIEWS
    kept = o[: VIEWS * m] if which == LAST else o[len(o) - VIEWS * m :]
    return kept[0::VIEWS], kept[1::VIEWS], kept[2::VIEWS]


@dataclass(frozen=True, eq=False)
class Views:
    """The three observations of every triple, with the covariances of lines 2 and 3."""

    o_1: Floats
    o_2: Floats
    o_3: Floats
    Sigma_12: Floats
    Sigma_31: Floats
    Sigma_32: Floats

    @classmethod
    def of(cls, o_1: Floats, o_2: Floats, o_3: Floats) -> Views:
        """Line 2: means of products over the m triples."""
        m = len(o_1)
        return cls(o_1, o_2, o_3, o_1.T @ o_2 / m, o_3.T @ o_1 / m, o_3.T @ o_2 / m)

    @property
    def m(self) -> int:
        """Number of triples."""
        return len(self.o_1)

    @property
    def rounding(self) -> float:
        """Relative error of an entry of a covariance: sums of m terms, and of d in products."""
        return (4 * self.m + len(self.Sigma_12)) * ROUNDING

    def transformed(self, inverse: Callable[[Floats], Floats]) -> tuple[Floats, Floats]:
        """Line 3: the first two views as if they were the third, Σ_32 Σ_12^† o_1 and so on."""
        a: Floats = self.o_1 @ (self.Sigma_32 @ inverse(self.Sigma_12)).T
        b: Floats = self.o_2 @ (self.Sigma_31 @ inverse(self.Sigma_12.T)).T
        return a, b

    def spectrum(self, Lambda: Floats, kept: Floats) -> Spectrum:
        """How well these covariances are conditioned, with the singular values of Σ_31 in use."""
        return Spectrum(
            self.rounding,
            Lambda,
            float(np.max(np.linalg.norm(self.o_3, axis=1)) ** 3),
            float(np.linalg.norm(self.Sigma_12, 2)),
            kept,
        )


def _whitened(a: Floats, b: Floats, c: Floats, *, symmetric: bool) -> Floats:
    """M̂_3(W,W,W), the mean of products of whitened views; over all six orders if asked for."""
    whitened: Floats = np.einsum("li,lj,ln->ijn", a, b, c, optimize=True) / len(a)
    if symmetric:
        orders = permutations(range(VIEWS))
        whitened = np.mean([whitened.transpose(order) for order in orders], axis=0)
    return whitened


@dataclass(frozen=True, eq=False)
class FirstLines:
    """Lines 1 to 5, õ_1 and õ_2 as rows of `a` and `b`; `back` is Σ̂_{2,1} Σ̂_{3,1}^† of line 9.

    `kept` are the singular values of Σ̂_{3,1} above rounding.
    """

    views: Views
    a: Floats
    b: Floats
    Lambda: Floats
    D: Floats
    back: Floats
    kept: Floats


@dataclass(frozen=True)
class Ways:
    """How Algorithm 3 is read.

    `full` takes Moore-Penrose inverses (D50), else those of the best approximation of rank k;
    `symmetric` makes M̂_2 symmetric and `averaged` the whitened M̂_3 (D51), `one_triangle` takes the
    lower half of M̂_2 for the whole of it, as a solver for symmetric matrices does; `which` are the
    triples. `mixed` has the other inverse in line 9 than in line 3.
    """

    full: bool
    symmetric: bool
    averaged: bool
    which: str
    one_triangle: bool = False
    mixed: bool = False


def eigenpairs(o: Floats, k: int, ways: Ways) -> FirstLines | None:
    """Lines 1 to 5 in one reading of Algorithm 3; None where it has no estimate."""
    if len(o) < VIEWS or len(triples(o, ways.which)[0]) < k:
        return None
    views = Views.of(*triples(o, ways.which))
    kept = _above(views.rounding, views.Sigma_31)
    if min(len(_above(views.rounding, views.Sigma_12)), len(kept)) < k:
        return None

    def inverse(matrix: Floats, *, full: bool = ways.full) -> Floats:
        return moore_penrose(matrix, views.m) if full else rank_k_inverse(matrix, k)

    a, b = views.transformed(inverse)
    M_2 = a.T @ b / views.m
    if ways.symmetric:
        M_2 = (M_2 + M_2.T) / 2
    found = leading(M_2, k, views.m, symmetric=ways.symmetric or ways.one_triangle)
    back = views.Sigma_12.T @ inverse(views.Sigma_31, full=ways.full is not ways.mixed)
    return None if found is None else FirstLines(views, a, b, *found, back, kept)


def algorithm_3(
    o: Floats, k: int, ways: Ways, steps: int = STEPS
) -> tuple[tuple[HmmAnswer, ...], Spectrum | None]:
    """Every (Ô, T̂) that Algorithm 3 can return, and how well its moments are conditioned.

    () where whitening is impossible (D53, D100), or for fewer than k triples (D49).
    """
    one = eigenpairs(o, k, ways)
    if one is None:
        return (), None
    W = one.D / np.sqrt(one.Lambda)
    whitened = _whitened(one.a @ W, one.b @ W, one.views.o_3 @ W, symmetric=ways.averaged)
    estimates = tuple(
        _read_off(np.linalg.pinv(W.T) @ V * lambdas, one.back, lambdas)
        for lambdas, V in discoveries(whitened, k, steps)
    )
    return estimates, one.views.spectrum(one.Lambda, one.kept if ways.full else one.kept[:k])


def _above(r: float, matrix: Floats) -> Floats:
    """The singular values that are more than rounding (D99)."""
    sigma = np.asarray(np.linalg.svd(matrix, compute_uv=False), dtype=np.float64)
    above: Floats = sigma[sigma > r * sigma[0]]
    return above


def leading(M_2: Floats, k: int, terms: int, *, symmetric: bool) -> tuple[Floats, Floats] | None:
    """Line 5: k leading eigenpairs, or None unless all of them are real and above rounding."""
    if symmetric:
        values, vectors = np.linalg.eigh(M_2)
        order = np.argsort(-values)[:k]
    else:
        complex_values, complex_vectors = np.linalg.eig(M_2)
        order = np.argsort(-np.abs(complex_values), kind="stable")[:k]
        if np.any(np.imag(complex_values[order]) != 0):
            return None
        values, vectors = np.real(complex_values), np.real(complex_vectors)
    Lambda = values[order]
    if Lambda.min() <= (4 * terms + len(M_2)) * ROUNDING * np.abs(Lambda).max():
        return None
    return Lambda, vectors[:, order]


def _read_off(mu_3: Floats, back: Floats, lambdas: Floats) -> HmmAnswer:
    O = back @ mu_3
    return HmmAnswer(O, np.linalg.pinv(O) @ mu_3, lambdas**-2, mu_3)


# Views within a task, in every order of discovery


@dataclass(frozen=True, eq=False)
class Within:
    """What views within tasks may say: Ô with T̂, or without one (D103), and perhaps nothing."""

    estimates: tuple[tuple[HmmAnswer, bool], ...]
    may_be_null: bool


LEAST_COMPONENT = 0.5
"""A component with a λ̂ of at most that is none of a task (D102)."""


def within_tasks(views: Floats, k: int) -> Within:
    """Every estimate of three batches in each of h tasks, shape (3, h, d).

    No run of the power method is trusted: deflation of a noisy tensor gives every one of the k!
    orders numbers of its own, and a few runs do not meet them all. Null is right where
    the learner may decline: few tasks, noise (D102), or an order of discovery that ends so.
    """
    h = views.shape[1]
    if h < k:
        return Within((), may_be_null=True)
    if k == 1:
        one = np.ones((1, 1))
        return Within(
            ((HmmAnswer(views.mean(axis=(0, 1))[:, np.newaxis], one, one[0]), True),), False
        )
    M_2 = np.mean([views[i].T @ views[j] for i, j in permutations(range(VIEWS), 2)], axis=0) / h
    found = leading(M_2, k, h, symmetric=True)
    if found is None:
        return Within((), may_be_null=True)
    Lambda, D = found
    W = D / np.sqrt(Lambda)
    whitened = _whitened(*(view @ W for view in views), symmetric=True)
    every = list(discoveries(whitened, k))
    clear = [(lambdas, V) for lambdas, V in every if lambdas.min() > LEAST_COMPONENT]
    columns = [(lambdas, D * np.sqrt(Lambda) @ V * lambdas) for lambdas, V in clear]
    estimates = tuple(_with_transitions(views, O, lambdas**-2) for lambdas, O in columns)
    declines = not isinstance(
        learn_within_task(views, k, 20, 60, np.random.default_rng(0)), HmmEstimate
    )
    return Within(estimates, declines or len(clear) < len(every) or not clear)


def _with_transitions(views: Floats, O: Floats, weights: Floats) -> tuple[HmmAnswer, bool]:
    """T̂_j = Ĵ_j/(1^T Ĵ_j), and whether every task was left by half a step at least (D103)."""
    f, inverse = views.mean(axis=0), np.linalg.pinv(O)
    steps = max(len(f) - 1, 1)
    J = inverse @ (f[1:].T @ f[:-1] / steps) @ inverse.T
    left = J.sum(axis=0)
    if left.min() < 1 / (2 * steps):
        return HmmAnswer(O, np.eye(O.shape[1]), weights), False
    return HmmAnswer(O, J / left, weights), True


# Which line an answer leaves

DISTINCT = 1e-6
"""Relative distance at which two explanations of an answer differ; far above rounding."""


def follows(T: Floats, O: Floats, mu_3: Floats, within: float = DISTINCT) -> bool:
    """Whether T is what line 10 makes of O and these means, T = O^† μ_3, in some order of them.

    Singular values of O below DISTINCT² are rounding.
    """
    inverse = np.asarray(np.linalg.pinv(O, rcond=DISTINCT**2), dtype=np.float64)
    apart = np.max(np.abs((inverse @ mu_3)[:, :, np.newaxis] - T[:, np.newaxis, :]), axis=0)
    same = apart <= within * float(np.max(np.abs(T)))
    return bool(same[linear_sum_assignment(same, maximize=True)].all())


def made_of(O: Floats, T: Floats, back: Floats, basis: Floats, within: float) -> bool:
    """Whether lines 9 and 10 make O and T of some μ_3 in the span of the basis' columns."""
    inverse = np.asarray(np.linalg.pinv(O, rcond=DISTINCT**2), dtype=np.float64)
    of_O, of_T = back @ basis, inverse @ basis
    both = np.linalg.lstsq(np.vstack([of_O, of_T]), np.vstack([O, T]), rcond=DISTINCT**2)[0]
    return meets(of_O @ both, O, within) and meets(of_T @ both, T, within)


def meets(one: Floats, other: Floats, within: float = DISTINCT) -> bool:
    """Whether two arrays are the same but for rounding."""
    return off(one, other) <= within * float(np.max(np.abs(other)))


# Tolerances


def amplified(spectrum: Spectrum, estimate: HmmAnswer) -> tuple[float, float, float]:
    """Bounds on what rounding does to an entry of Ô, of T̂ and of ω̂.

    With r the relative rounding error of the moments, Λ_1 ≥ … ≥ Λ_k the eigenvalues of M_2,
    g = Λ_1/(least distance between them, and from Λ_k to 0), λ_j = ω_j^{-1/2} and the whitened
    tensor Σ_j λ_j v_j⊗v_j⊗v_j:

    - tensor: e = r (‖M_3‖ Λ_k^{-3/2} + 3 g λ_max), since ‖W‖ = Λ_k^{-1/2} and W turns by r g;
    - power method: 5e for λ_j and 8e/λ_j for v_j (Theorem 5.1 of the method's own paper);
    - line 8: δμ = √Λ_1 (5 + 8 + g r/e) e λ_max, with ‖(W^T)^†‖ = √Λ_1;
    - line 9: δO = ‖Σ_21‖/σ_k(Σ_31) (δμ + r (1 + (1+√5) κ) ‖μ‖), κ = σ_1/σ_k (Wedin);
    - line 10: δT = (δμ + 2(1+√5) δO ‖T‖)/σ_k(O).

    Doubled, because the answer and what it is compared with are both rounded.
    """
    Lambda = np.sort(spectrum.M_2)[::-1]
    least = float(np.min(np.abs(np.diff(np.append(Lambda, 0.0)))))
    g = float(Lambda[0]) / max(least, ROUNDING * float(Lambda[0]))
    lambda_max = float(np.max(estimate.weights**-0.5))
    e = spectrum.r * (spectrum.M_3 * float(Lambda[-1]) ** -1.5 + 3 * g * lambda_max)
    d_mu = float(Lambda[0]) ** 0.5 * (13 * e + g * spectrum.r) * lambda_max
    wedin = 1 + 5**0.5
    sigma = spectrum.Sigma_31
    of_inverse = spectrum.r * (1 + wedin * float(sigma[0] / sigma[-1]))
    mu = float(np.linalg.norm(estimate.O @ estimate.T, 2))
    d_O = spectrum.Sigma_21 / float(sigma[-1]) * (d_mu + of_inverse * mu)
    sigma_O = float(np.linalg.svd(estimate.O, compute_uv=False)[-1])
    d_T = (d_mu + 2 * wedin * d_O * float(np.linalg.norm(estimate.T, 2))) / sigma_O
    d_weights = 10 * e * float(np.max(estimate.weights)) ** 1.5
    return 2 * d_O, 2 * d_T, 2 * d_weights


def amplified_within(views: Floats, estimate: HmmAnswer) -> tuple[float, float, float]:
    """The same for views within a task, shape (3, h, d), where μ is O itself.

    T = J/(1^T J) with J = O^† F O^{†T}, so δJ = 2(1+√5) ‖F‖ δO/σ_k(O)³ and δT = 2 δJ/(least sum).
    """
    h, d = views.shape[1:]
    mean = views.mean(axis=0)
    r, k = (4 * h + d) * ROUNDING, estimate.O.shape[1]
    M_2 = np.asarray(np.linalg.eigvalsh(estimate.O * estimate.weights @ estimate.O.T))[-k:]
    largest = float(np.max(np.linalg.norm(views, axis=2)))
    spectrum = Spectrum(r, M_2.astype(np.float64), largest**3, 1.0, np.ones(1))
    d_O, _, d_weights = amplified(spectrum, estimate)
    sigma_O = float(np.linalg.svd(estimate.O, compute_uv=False)[-1])
    F = float(np.linalg.norm(mean[1:].T @ mean[:-1] / max(h - 1, 1), 2))
    d_J = 2 * (1 + 5**0.5) * F * d_O / sigma_O**3
    return d_O, 4 * d_J * max(h - 1, 1), d_weights


def with_floor(bounds: tuple[float, float, float], estimate: HmmAnswer) -> dict[str, float]:
    """The published tolerances: the bounds, but at least 1e-9 of the largest entry or of one."""
    scales = (estimate.O, estimate.T, estimate.weights)
    names = ("O", "T", "weights")
    return {
        name: max(bound, FLOOR * max(1.0, float(np.max(np.abs(values)))))
        for name, bound, values in zip(names, bounds, scales, strict=True)
    }


# Small models of tasks


def bernoulli_arms(means: Sequence[Sequence[float]]) -> Floats:
    """O of tasks with one state, rewards 0 and 1: means[j][a] = P(task j pays 1 at action a).

    Blocks are (1-mean, mean) for every action, then the next state, which is certain.
    """
    columns = []
    for task in means:
        blocks = [entry for mean in task for entry in (1 - mean, mean)]
        columns.append([*blocks, *([1.0] * len(task))])
    return np.array(columns).T


def rewards(distributions: Sequence[Sequence[float]]) -> Floats:
    """O of tasks with one pair: column j has task j's rewards, then the only state."""
    return np.array([[*column, 1.0] for column in distributions]).T


def chain(columns: Sequence[Sequence[float]]) -> Floats:
    """T from its columns: the distribution of the task after task j."""
    return np.array(columns).T


def mixture(rng: np.random.Generator, k: int, d: int) -> HMM:
    """A drawn model with one pair and d-1 rewards, well away from all degenerate ones.

    Every task prefers a reward of its own and a successor of its own; no entry is small.
    """
    own = 0.55 * np.eye(k, d - 1) + 0.45 * rng.dirichlet(np.full(d - 1, 4.0), size=k)
    T = 0.6 * np.eye(k)[rng.permutation(k)] + 0.4 * rng.dirichlet(np.full(k, 4.0), size=k).T
    first = 0.5 / k + 0.5 * rng.dirichlet(np.full(k, 4.0))
    O = rewards((own / own.sum(axis=1, keepdims=True)).tolist())
    return HMM(O=O, T=T / T.sum(axis=0), initial=first / first.sum())


def draw_observations(
    rng: np.random.Generator, O: Floats, sequence: Sequence[int], blocks: Sequence[int], n: int
) -> Floats:
    """One observation per task: frequencies of n draws from every block of its column."""
    rows = np.empty((len(sequence), len(O)))
    for l, task in enumerate(sequence):
        start = 0
        for size in blocks:
            block = O[start : start + size, task]
            rows[l, start : start + size] = rng.multinomial(n, block / block.sum()) / n
            start += size
    return rows
