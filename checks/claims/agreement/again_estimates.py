"""Algorithm 3 in its three versions, its steps, and the steps of Algorithm 2 around it, done twice.

Algorithm 3 is given triples of observations without noise whose counts are those of a hidden Markov
model exactly: given the second task, the first and the third are independent. Then O, T and the
weights come out as they went in. Views within a task are held against `checks/engine`, and
thresholds of noise against sums over all observations.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from ptum.checks.claims.agreement.again import Pairs, again
from ptum.checks.engine.within_task import WithinTasks
from ptum.checks.exact.numbers import max_by, max_of, min_of
from ptum.reference.arrays import ROUNDING, Floats, Ints
from ptum.reference.experiments import spectral as as_run
from ptum.reference.repaired.sequential import observations as fresh
from ptum.reference.repaired.sequential import spectral as repaired
from ptum.reference.repaired.sequential.lines import often_enough, updated
from ptum.reference.repaired.sequential.pieces import Constants
from ptum.reference.repaired.sequential.prediction import reidentify
from ptum.reference.sequential import lines, projection, spectral, tensor_power
from ptum.reference.sequential.hmm import HMM, frozen_chain, population_moments
from ptum.reference.sequential.pieces import RULE_NUMBERS, Pieces, Rhos
from ptum.reference.sequential.spectral import HmmEstimate, NotIdentifiable
from ptum.reference.sequential.state import Estimate, Setting
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.assumptions import ModelErrors

Learner = Callable[..., object]


def part(found: object, name: str) -> object:
    """An attribute of whatever a learner answered; its name if there is none."""
    return getattr(found, name, name)


def columns(rng: np.random.Generator, d: int, k: int) -> Floats:
    """Observations of k tasks: distributions over d outcomes, far apart."""
    return (np.eye(d)[:, :k] * 3 + rng.dirichlet(np.ones(d), size=k).T) / 4


def whole_triples(rng: np.random.Generator, k: int) -> tuple[Ints, Floats, Floats]:
    """Tasks (3 m), the law of the third given the second, and the weights of the second."""
    before = rng.integers(1, 3, size=(k, k)) + 3 * np.eye(k, dtype=np.int64)
    after = rng.integers(1, 3, size=(k, k)) + 4 * np.eye(k, dtype=np.int64)
    tasks = [
        (a, b, c)
        for b in range(k)
        for a in range(k)
        for c in range(k)
        for _ in range(before[a, b] * after[c, b])
    ]
    weights = before.sum(axis=0) * after.sum(axis=0)
    return (
        np.array(tasks, dtype=np.int64).ravel(),
        after / after.sum(axis=0),
        weights / weights.sum(),
    )


def in_order(found: object, O: Floats) -> list[Floats]:
    """Ô, T̂ and the weights, columns in the order of the true ones; nothing for no estimate."""
    if not isinstance(found, HmmEstimate) or found.T is None:
        return [np.array([math.nan])]
    order = [int(np.argmin(np.linalg.norm(found.O.T - column, axis=1))) for column in O.T]
    parts = (found.O[:, order], found.T[np.ix_(order, order)], found.weights[order])
    return [*parts, found.weights * found.eigenvalues**2]


@again("algorithm-3", "noiseless triples")
def noiseless(rng: np.random.Generator) -> Pairs:
    k = 2 + int(rng.integers(2))
    d = k + 1 + int(rng.integers(2))
    tasks, T, w = whole_triples(rng, k)
    O = columns(rng, d, k)
    o = O[:, tasks].T
    longer = np.vstack([o, O[:, :2].T])  # h mod 3 rows more, which are dropped
    due = [O, T, w, np.ones(k)]
    wide = np.zeros((2 * len(longer) + 1, d))
    wide[:d] = np.eye(d)
    learners: dict[str, Learner] = {
        "printed": spectral.learn_hmm,
        "repaired": repaired.learn_hmm,
        "as run": as_run.learn_hmm,
    }
    found: dict[str, tuple[object, object]] = {}
    for name, learner in learners.items():
        answer = learner(np.vstack([o] * 24), k, 30, 40, np.random.default_rng(1))
        for number, (one, other) in enumerate(zip(in_order(answer, O), due, strict=False)):
            found[f"{name}, {number}"] = one, other
        few = learner(o[: 3 * k - 1], k, 3, 3, np.random.default_rng(1))
        found[f"{name}, too few"] = part(few, "found"), k - 1
        if name == "as run" and k == 2:
            turned = learner(longer @ wide.T, k, 30, 40, np.random.default_rng(1))
            found["long rows"] = in_order(turned, wide @ O)[0], wide @ O
    moments = spectral.empirical_moments(longer)
    triples = longer[: len(o)].reshape(-1, 3, d)
    pi = np.bincount(tasks[::3], minlength=k) * 3 / len(tasks)
    return {
        **found,
        "Σ_12": (moments.Sigma_12, np.mean([np.outer(x[0], x[1]) for x in triples], axis=0)),
        "Σ_31": (moments.Sigma_31, np.mean([np.outer(x[2], x[0]) for x in triples], axis=0)),
        "Σ_32": (moments.Sigma_32, np.mean([np.outer(x[2], x[1]) for x in triples], axis=0)),
        "M_2": (moments.M_2, (O @ T * w) @ (O @ T).T),
        "M_3": (moments.M_3, np.einsum("j,aj,bj,cj->abc", w, O @ T, O @ T, O @ T)),
        "counts": ([moments.terms, round(float(pi.sum()))], [len(triples), 1]),
        **of_population(rng, k, O),
        **power_method(rng, k),
    }


def of_population(rng: np.random.Generator, k: int, O: Floats) -> Pairs:
    """Exact moments by sums over all triples of tasks, and what is learned from them."""
    T = (np.eye(k) + rng.dirichlet(np.ones(k), size=k).T) / 2
    pi = rng.dirichlet(4 * np.ones(k))
    law = [
        (a, b, c, pi[a] * T[b, a] * T[c, b]) for a, b, c in itertools.product(range(k), repeat=3)
    ]
    found = population_moments(HMM(O, T, pi), pi)
    w = T @ pi
    third = O @ T
    answer = repaired.learn_from_moments(found, k, 30, 40, rng)
    learned = in_order(answer, O)
    return {
        "E Σ_21": (found.Sigma_21, sum(x * np.outer(O[:, b], O[:, a]) for a, b, _, x in law)),
        "E Σ_31": (found.Sigma_31, sum(x * np.outer(O[:, c], O[:, a]) for a, _, c, x in law)),
        "E Σ_32": (found.Sigma_32, sum(x * np.outer(O[:, c], O[:, b]) for _, b, c, x in law)),
        "E M_2": (found.M_2, (third * w) @ third.T),
        "E M_3": (found.M_3, np.einsum("j,aj,bj,cj->abc", w, third, third, third)),
        "O of moments": (learned[0], O),
        "T of moments": (learned[1], T),
    }


def power_method(rng: np.random.Generator, k: int) -> Pairs:
    """The power method: the tensor of orthonormal vectors gives them back, largest first."""
    vectors = np.linalg.qr(rng.standard_normal((k, k)))[0]
    sizes = np.sort(rng.uniform(1, 3, size=k))[::-1]
    tensor = np.einsum("j,aj,bj,cj->abc", sizes, vectors, vectors, vectors)
    found = tensor_power.decompose(tensor, k, 60, 30, rng)
    V = rng.standard_normal((4, k))
    images = np.array([[v @ tensor[i] @ v for i in range(k)] for v in V])
    kernel = np.zeros((2, 2, 2))
    return {
        "eigenvalues": (np.sort(found.lambdas)[::-1], sizes),
        "vectors": (abs(found.vectors.T @ vectors).max(axis=1), np.ones(k)),
        "residual": (found.residual + 1, np.ones((k, k, k))),
        "a step": (
            tensor_power.step(tensor, V),
            images / np.sqrt((images**2).sum(axis=1))[:, np.newaxis],
        ),
        "no direction": (tensor_power.step(kernel, np.array([[0.6, 0.8]])), [[0.6, 0.8]]),
    }


# Where no estimate is made: what is compared, and with what.


def weighted(x: Floats, y: Floats) -> float:
    """√‖Σ_l ‖y_l‖² x_l x_lᵀ‖."""
    total = sum(float(b @ b) * np.outer(a, a) for a, b in zip(x, y, strict=True))
    return math.sqrt(float(np.linalg.norm(total, 2)))


def leading(rows: Floats, others: Floats, k: int) -> tuple[float, float, float]:
    """σ_k and σ_1 of the mean product, and the noise outside its leading k-1 directions."""
    left, sigma, right = np.linalg.svd(rows.T @ others / len(rows))
    x = rows @ (np.eye(rows.shape[1]) - left[:, : k - 1] @ left[:, : k - 1].T)
    y = others @ (np.eye(rows.shape[1]) - right[: k - 1].T @ right[: k - 1])
    noise = (weighted(x, y) + weighted(y, x)) / len(rows)
    return float(sigma[k - 1]), float(sigma[0]), noise


@again("algorithm-3", "thresholds of noise")
def thresholds(rng: np.random.Generator) -> Pairs:
    k, d, m = 3, 4, 12
    low = columns(rng, d, 2)  # two tasks, where three are asked for
    O = columns(rng, d, k)
    noisy = low[:, rng.integers(2, size=3 * m)].T + rng.normal(0, 0.05, size=(3 * m, d))
    told = O[:, np.repeat(rng.permutation(m) % k, 3)].T + rng.normal(0, 0.01, size=(3 * m, d))
    told[2::3] = O.mean(axis=1) + rng.normal(0, 0.05, size=(m, d))  # says nothing of the task
    # the second and third views are independent, the first is that of one of them: M_2 fails
    tasks = [(a, b, c) for b in range(k) for c in range(k) for a in (b, c)] * 20
    idle = O[:, np.array(tasks).ravel()].T + rng.normal(0, 0.01, size=(3 * len(tasks), d))
    rows = {"two tasks": noisy, "an idle third view": told, "an idle pair": idle}
    found: dict[str, object] = {
        name: repaired.learn_hmm(each, k, 5, 5, rng) for name, each in rows.items()
    }
    due = {name: failure_of_views(each, k) for name, each in rows.items()}
    batches = low[:, rng.integers(2, size=m)].T + rng.normal(0, 0.05, size=(3, m, d))
    found["within"] = repaired.learn_within_task(batches, k, 5, 5, rng)
    orders = itertools.permutations(range(3), 2)
    M_2 = sum(batches[i].T @ batches[j] for i, j in orders) / (6 * m)
    eigenvalues = np.sort(np.linalg.eigvalsh(M_2))[::-1]
    e = (batches[1] - batches[2]) / 2**0.5
    g = (2 * batches[0] - batches[1] - batches[2]) / 6**0.5
    spread = (weighted(e, g) ** 2 + weighted(g, e) ** 2) / 2
    of_M_2 = eigenvalues[k - 1], eigenvalues[0], 2 * (spread / 3) ** 0.5 / m
    due["within"] = first_failure({f"eigenvalue {k} of M_2": of_M_2}, (4 * m + d) * ROUNDING)
    judged = {name: failure for name, failure in due.items() if failure is not None}
    return {
        **{name: (told_by(found[name]), failure[1:]) for name, failure in judged.items()},
        "names": (
            [at_noise_level(each) for each in found.values()],
            [failure[0] if failure else "nothing" for failure in due.values()],
        ),
        **only_rounding(rng, m, d),
        **at_the_edge(k),
    }


def failure_of_views(rows: Floats, k: int) -> Failure | None:
    """The first of Σ_12, Σ_31 and M_2 whose k-th value noise alone can make."""
    x, y, z = rows[::3], rows[1::3], rows[2::3]
    m, d = x.shape
    left, sigma, right = np.linalg.svd(x.T @ y / m)
    inverse = sum(np.outer(right[i], left[:, i]) / sigma[i] for i in range(k))
    first, second = x @ (z.T @ y / m @ inverse).T, y @ (z.T @ x / m @ inverse.T).T
    M_2 = first.T @ second / m
    eigenvalues, vectors = np.linalg.eigh((M_2 + M_2.T) / 2)
    rest = np.eye(d) - vectors[:, 1 - k :] @ vectors[:, 1 - k :].T
    noise = (weighted(first @ rest, second @ rest) + weighted(second @ rest, first @ rest)) / m
    cases = {
        f"singular value {k} of Sigma_12": leading(x, y, k),
        f"singular value {k} of Sigma_31": leading(z, x, k),
        f"eigenvalue {k} of M_2": (float(eigenvalues[-k]), float(eigenvalues[-1]), noise),
    }
    return first_failure(cases, (4 * m + d) * ROUNDING)


def at_noise_level(found: object) -> object:
    """Which second moment a learner says is at noise level; what it says of the third is not."""
    said = getattr(found, "quantity", "nothing")
    return "nothing" if said == "least eigenvalue of M_3(W,W,W)" else said


Failure: TypeAlias = tuple[str, float, float]
"""What is not above its threshold, its value, and the threshold."""


def first_failure(
    cases: Mapping[str, tuple[float, float, float]], rounding: float
) -> Failure | None:
    """Among numbers with the largest of their kind and a noise; None if all stand out."""
    for name, (value, largest, noise) in cases.items():
        limit = noise + rounding * largest
        if value <= limit:
            return name, value, limit
    return None


def only_rounding(rng: np.random.Generator, m: int, d: int) -> Pairs:
    """One task where two are asked for, without noise: the threshold is what rounding may do."""
    o = rng.dirichlet(np.ones(d))
    rows, zero = np.tile(o, (3 * m, 1)), (4 * m + d) * ROUNDING * float(o @ o)
    outcomes = (
        repaired.learn_hmm(rows, 2, 5, 5, rng),
        as_run.learn_hmm(rows, 2, 5, 5, rng),
        repaired.learn_within_task(rows.reshape(3, m, d), 2, 5, 5, rng),
    )
    printed = told_by(spectral.learn_hmm(rows, 2, 5, 5, rng))[-1] / zero
    return {
        "only rounding": ([told_by(found)[-1] / zero for found in outcomes], [1.0] * 3),
        "as printed": (1.0 if math.isinf(printed) else printed, 1.0),  # complex: no threshold
    }


def told_by(found: object) -> list[float]:
    """The value and the threshold."""
    return [found.value, found.threshold] if isinstance(found, NotIdentifiable) else [math.nan]


def at_the_edge(k: int) -> Pairs:
    """A moment whose last singular value is a little below and a little above what counts as 0."""
    zero = 1e-6
    answers = [
        repaired.rank_below(k, zero, name=np.diag([2.0, 1.5, 2 * share * zero]))
        for share in (0.999, 1.001)
    ]
    edge = Constants(1, 1, 1, 1, ell=0.25)
    flat = np.ones((1, 1))
    estimates = [HmmEstimate(flat, flat, flat[0], flat[0], lambda_k=x) for x in (0.49, 0.5, 0.51)]
    kept = [isinstance(often_enough(one, edge), HmmEstimate) for one in estimates]
    return {
        "rank_below": ([answer is None for answer in answers], [False, True]),
        "often_enough": (kept, [False, True, True]),
        "what is rare": (told_by(often_enough(estimates[0], edge)), [0.49, 0.5]),
    }


@again("algorithm-3", "views within a task")
def within_tasks(rng: np.random.Generator) -> Pairs:
    k = 2 + int(rng.integers(2))
    d, h = k + 2, 40
    O = columns(rng, d, k)
    tasks = rng.permutation(np.arange(h) % k)
    batches = O[:, tasks].T + rng.normal(0, 0.02, size=(3, h, d))
    engine = WithinTasks(k, d)
    for l in range(h):
        engine.add(batches[:, l])
    found = repaired.learn_within_task(batches, k, 30, 40, np.random.default_rng(1))
    again_ = engine.estimate(30, 40, np.random.default_rng(1))
    clean = O[:, tasks].T[np.newaxis].repeat(3, axis=0)
    exact = repaired.learn_within_task(clean, k, 30, 40, np.random.default_rng(1))
    steps = np.zeros((k, k))
    for old, new in itertools.pairwise(tasks):
        steps[new, old] += 1 / (h - 1)
    ended = np.append(tasks[tasks > 0], 0)  # task 0 comes last and is never left
    never = repaired.learn_within_task(O[:, ended].T[np.newaxis].repeat(3, 0), k, 30, 40, rng)
    once = np.append(np.insert(tasks[tasks > 0], 3, 0), 1)  # task 0 is left once
    left = repaired.learn_within_task(O[:, once].T[np.newaxis].repeat(3, 0), k, 30, 40, rng)
    one = repaired.learn_within_task(batches, 1, 3, 3, rng)
    few = repaired.learn_within_task(batches[:, : k - 1], k, 3, 3, rng)
    lengths = np.linalg.eigvalsh((O * np.bincount(tasks) / h) @ O.T)[-k]
    return {
        "noisy O": (in_order(found, O)[0], in_order(again_, O)[0]),
        "noisy T": (in_order(found, O)[1], in_order(again_, O)[1]),
        "λ_k": (part(found, "lambda_k"), part(again_, "lambda_k")),
        "O": (in_order(exact, O)[0], O),
        "T": (in_order(exact, O)[1], steps / steps.sum(axis=0)),
        "w": (in_order(exact, O)[2], np.bincount(tasks) / h),
        "λ_k without noise": (part(exact, "lambda_k"), lengths),
        "never left": (part(never, "T") is None, True),
        "left once": (part(left, "T") is None, False),
        "one task": (part(one, "O"), batches.reshape(-1, d).mean(axis=0)[:, np.newaxis]),
        "nothing else of one task": (
            [np.asarray(part(one, name)).ravel() for name in ("T", "weights", "eigenvalues")],
            np.ones((3, 1)),
        ),
        "too few": ([part(few, "found"), part(few, "needed")], [k - 1, k]),
    }


# What Algorithm 2 makes of an estimate.


def nearest(v: Floats) -> Floats:
    """The projection on the simplex: over all supports, the nearest point."""
    points = []
    for size in range(1, len(v) + 1):
        for support in itertools.combinations(range(len(v)), size):
            x = np.zeros(len(v))
            x[list(support)] = v[list(support)] - (v[list(support)].sum() - 1) / size
            if x.min() >= 0:
                points.append(x)
    return max_by(points, lambda x: -float(np.sum((x - v) ** 2)))


@again("algorithm-2", "projections", inputs=8)
def projections(rng: np.random.Generator) -> Pairs:
    S, A, U, k = 2, 1, 3, 2
    v = rng.normal(0.3, 0.6, size=4)
    T = rng.normal(0.3, 0.6, size=(3, 3))
    raw = rng.normal(0.4, 0.4, size=(S * A * (S + U), k))
    blocks = [*np.split(np.arange(S * A * U), S * A)]
    blocks += [*np.split(np.arange(S * A * U, S * A * (S + U)), S * A)]
    near = np.zeros(raw.shape)
    for block in blocks:
        for j in range(k):
            near[block, j] = nearest(raw[block, j])
    u = (0.0, 0.5, 1.0)
    setting = Setting(k, S, A, u, 0.5, 0.5, 0.1, 9, 0.1, n_post=3, L=3, N=3, seed=1)
    found, moved = lines.projected(raw, setting)
    both = projection.project(raw, T, S, A, U)
    of_T = np.stack([nearest(column) for column in T.T], axis=1)
    models = lines.current_models(None, setting)
    bounds = Constants(1e-3, 1.0, 1e-3, 2.0)
    known = Estimate(near, of_T[:k, :k], 5)
    asked: list[object] = []
    for one in (bounds, Rhos(1.0, 1.0, 1.0, 1.0)):
        pieces = Pieces(spectral.learn_hmm, one, lambda *_, **given: keep(asked, given), None)
        lines.predicted(pieces, known, (1,), setting)
    learned = HmmEstimate(raw, rng.normal(size=(k, k)), np.ones(k), np.ones(k))
    first = updated(None, learned, 7, setting)[0]
    turned = replace(learned, O=raw[:, ::-1], T=None)
    then, _, labels = updated(first, turned, 8, setting)
    square = np.stack([nearest(x) for x in learned.T.T], axis=1)  # type: ignore[union-attr]
    without = lines.predicted(replace(pieces, rule=None), known, (1,), setting)
    accepted = []
    for share in (-3, -0.9, 0.9, 3):
        chain = np.full((4, 4), 0.25)
        chain[0, 1] += share * 16 * ROUNDING
        accepted.append(takes(frozen_chain, chain))
    return {
        "simplex": (projection.project_simplex(v), nearest(v)),
        "columns": (found, near),
        "moved": (moved, max_of(math.dist(raw[:, j], near[:, j]) for j in range(k))),
        "project": (both[0], near),
        "T": (both[1], of_T),
        "before the first estimate": (
            [models[0].p, models[-1].q[..., :S]],
            [np.full((S, A, S), 1 / S), np.full((S, A, S), 1 / U)],
        ),
        "how many": (len(models), k),
        "line 9": (
            asked,
            [5, 10, 0.1, 0.1, bounds.transition_error(5, setting), 5, 10, 0.1, 0.1, math.inf],
        ),
        "line 7": (
            np.concatenate(
                [np.asarray(part(x, n)).ravel() for x in (first, then) for n in ("O", "T", "T_h")]
            ),
            np.concatenate([np.ravel(x) for x in (near, square, 7)] * 2),
        ),
        "labels": (labels, (1, 0)),
        "no rule": (without, (0, 1)),
        "sums up to rounding": (accepted, [False, True, True, False]),
    }


def keep(asked: list[object], given: dict[str, object]) -> tuple[int, ...]:
    """A rule that writes down what it is given."""
    asked += [given[name] for name in RULE_NUMBERS]
    return ()


def takes(function: Callable[[Floats], object], argument: Floats) -> bool:
    """Whether an argument is taken and not refused."""
    try:
        function(argument)
    except ValueError:
        return False
    return True


class ListedSamples:
    """A generative model that answers from lists, and counts."""

    def __init__(self, rng: np.random.Generator, S: int, A: int, u: Sequence[float]) -> None:
        self.S, self.A, self._rng, self._u = S, A, rng, u
        self.answers: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """A reward and a next state."""
        j, s_next = int(self._rng.integers(len(self._u))), int(self._rng.integers(self.S))
        self.answers.setdefault((s, a), []).append((j, s_next))
        return self._u[j], s_next

    def observation(self, first: int, last: int) -> Floats:
        """[vec(q̂); vec(p̂)] of these samples of every pair."""
        q, p = np.zeros((self.S, self.A, len(self._u))), np.zeros((self.S, self.A, self.S))
        for (s, a), answers in self.answers.items():
            for j, s_next in answers[first:last]:
                q[s, a, j] += 1 / (last - first)
                p[s, a, s_next] += 1 / (last - first)
        return np.concatenate([q.ravel(), p.ravel()])


@again("algorithm-2", "what is observed of a task, and which task it was")
def observed(rng: np.random.Generator) -> Pairs:
    S, A, u, n_post, k = 2, 3, (0.0, 0.5, 1.0), 12, 4
    task = ListedSamples(rng, S, A, u)
    batches, q_hat, p_hat = fresh.post_sample_batches(task, S, A, u, n_post)
    whole = ListedSamples(rng, S, A, u)
    o = fresh.post_sample_observation(whole, S, A, u, n_post).o
    p, q = rng.dirichlet(np.ones(S), (k, S, A)), rng.dirichlet(np.ones(3), (k, S, A))
    tasks = [MDP(p=p[j], q=q[j], u=np.array(u), gamma=0.5) for j in range(k)]
    models = approximate_models(tasks)
    r_hat, sizes = q_hat @ np.array(u), rng.uniform(0, 0.3, size=2).tolist()
    errors = ModelErrors(r=sizes[0], p=sizes[1], sigma_r=0.0, sigma_p=0.0)
    near = tasks[0].p + 0.25 * (p_hat - tasks[0].p)
    toward = p[1] - p[0]
    w = (math.log(20 * S * A * (k + 1)) / 6000) ** 0.5
    allowed = [(sizes[1] + w * np.ptp(V)) / np.abs(toward @ V).max() for V in models.V_star]
    edge = [p[0] + min_of((share * min_of(allowed), 1.0)) * toward for share in (0.99, 1.01)]
    found, due = [], []
    for many, given, r_given in (
        (3000, edge[0], models.r[0]),
        (3000, edge[1], models.r[0]),
        (50, p_hat, r_hat),
        (400, p_hat, models.r[0]),
        (400, near, models.r[0]),
        (3000, tasks[1].p, models.r[1] + sizes[0]),
    ):
        found.append(reidentify(r_given, given, models, n_post=many, delta=0.1, errors=errors))
        w = (math.log(20 * S * A * (k + 1)) / (2 * many)) ** 0.5
        stay = []
        for theta in range(k):
            far = np.abs(r_given - models.r[theta]).max() > sizes[0] + w
            for V in models.V_star:
                gap = np.abs((given - models.p[theta]) @ V).max()
                far = far or gap > sizes[1] + w * (V.max() - V.min())
            stay += [] if far else [theta]
        due.append(tuple(stay) or tuple(range(k)))
    return {
        "batches": (batches, [task.observation(i, i + 4) for i in (0, 4, 8)]),
        "whole": (
            np.concatenate([q_hat.ravel(), p_hat.ravel()]),
            task.observation(0, n_post),
        ),
        "observation": (o, whole.observation(0, n_post)),
        "samples": (
            [len(x) for one in (task, whole) for x in one.answers.values()],
            [n_post] * (2 * S * A),
        ),
        "reidentify": ([str(one) for one in found], [str(one) for one in due]),
    }
