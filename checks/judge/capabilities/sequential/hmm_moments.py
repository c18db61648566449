"""Algorithm 3, lines 5-10, on exact moments: O and T come out exactly, up to one relabelling.

Full and rank-k pseudo-inverses (D50), symmetric parts or none (D51) are all the same here, because
exact moments have rank k and are symmetric. What can still differ is what happens when they have a
smaller rank: then O and T are not determined (D53).
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations

import msgspec
import numpy as np

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.judging.compare import first_off, in_every_reading
from ptum.checks.judge.judging.hmms import (
    HmmAnswer,
    Spectrum,
    amplified,
    bernoulli_arms,
    chain,
    estimate_fields,
    follows,
    is_null,
    meaningless_where_null,
    meets,
    mixture,
    moments_of,
    nearest_order,
    off,
    reordered,
    rewards,
    shown,
    with_floor,
)
from ptum.checks.judge.judging.items import Item, lines
from ptum.checks.judge.judging.options import FAILURE, GOES_ON
from ptum.checks.judge.judging.readings import Capability, Case, Finding, Judge, all_readings
from ptum.checks.judge.judging.tolerances import FLOOR
from ptum.checks.judge.messages.fields import Field, array, reals
from ptum.checks.judge.messages.parsing import whole
from ptum.checks.judge.messages.transcript import Asked, Fields
from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.repaired.sequential.spectral import learn_from_moments as repaired_learner
from ptum.reference.sequential.hmm import HMM, Moments, population_moments, rank_k_inverse
from ptum.reference.sequential.spectral import HmmEstimate, learn_from_moments

FLAGS: Mapping[str, str] = {
    "k=1": "a single task: T is 1",
    "k=d": "as many tasks as coordinates: O is square",
    "singular": "T or O has lower rank than k, so that the moments do not determine O and T",
    "symmetric-T": "T is symmetric: rows and columns are the same",
    "permutation": "every task has one certain successor",
    "identity": "no task is ever left: T = I",
    "asymmetric-T": "T and its transpose differ much",
    "zeros": "O or T has entries that are exactly zero",
    "not-stationary": "the first view has another distribution than the second",
    "rare": "a task that is seldom the middle one, so that its λ is large",
    "equal-weights": "all ω are equal, and so are all λ",
    "close": "two tasks that differ little",
    "nearly-singular": "the least singular value of T is small",
    "ill-conditioned": "the k-th eigenvalue is less than 10⁻⁴ of the first, and far above rounding",
    "signed": "O has entries that are no probabilities",
    "drawn": "drawn at random from the seed",
}

LINE_6 = Item("line 6, W = D Λ^{-1/2}", *lines(3, 6))
LINE_7 = Item("line 7, deflation between the calls of the power method", *lines(3, 7))
LINE_8 = Item("line 8, μ_{3,j} = λ_j (W^T)^† v_j", *lines(3, 8))
LINE_9 = Item("line 9, [O]_{:,j} = Σ_{2,1} Σ_{3,1}^† μ_{3,j}", *lines(3, 9))
LINE_10 = Item("line 10, [T]_{:,j} = O^† μ_{3,j}", *lines(3, 10))
LINES_9_AND_10 = Item("lines 9-10, T; O is right, but under other labels", *lines(3, 9, 10))
"""The views of a chain that never stays differ in labels alone."""
MU = Item("lines 5-8, μ_{3,j} = λ_j (W^T)^† v_j with W = D Λ^{-1/2}", *lines(3, 5, 8))
"""O and T fit each other and the Σ, but come from other μ_{3,j}."""
COLUMNS = Item("lines 5-9, [O]_{:,j} = Σ_{2,1} Σ_{3,1}^† μ_{3,j}", *lines(3, 5, 9))
"""O is wrong, and T does not tell whether the μ_{3,j} are."""
WEIGHTS = Item("Appendix C, ω_j = 1/λ_j²", "algorithm-3:weights")
EXISTS = Item("lines 5-10, exact moments of rank k", *lines(3, 5, 10))
FAILS = Item("line 5 (D53), an eigenvalue of M_2 is zero", *lines(3, 5))

NAMES = ("O", "T", "weights")
MOMENTS = ("Sigma_12", "Sigma_13", "Sigma_21", "Sigma_31", "Sigma_32", "M_2", "M_3")


def truth(request: Fields) -> HmmAnswer | None:
    """O and T in some order; None if the moments do not determine them."""
    return _truth(msgspec.json.encode(request))


@lru_cache(maxsize=128)
def _truth(encoded: bytes) -> HmmAnswer | None:
    request: Fields = msgspec.json.decode(encoded)
    rng = np.random.default_rng(0)
    found = repaired_learner(moments_of(request), whole(request, "k"), 60, 60, rng)
    if not isinstance(found, HmmEstimate) or found.T is None:
        return None
    return HmmAnswer(found.O, found.T, found.weights)


def tolerance(request: Fields) -> dict[str, float]:
    """Errors allowed in O, T and ω: what rounding becomes on the way (`hmms.amplified`).

    The moments are doubles, computed from O and T with some 4d roundings in an entry, so that
    r = 5d·2⁻⁵²; the floor is 10⁻⁹ of the largest entry.
    """
    expected = truth(request)
    if expected is None:
        return dict.fromkeys(NAMES, FLOOR)
    k = whole(request, "k")
    M_2 = array(request, "M_2")
    spectrum = Spectrum(
        r=5 * len(M_2) * ROUNDING,
        M_2=np.asarray(np.linalg.eigvalsh((M_2 + M_2.T) / 2), dtype=np.float64)[-k:],
        M_3=float(np.linalg.norm(array(request, "M_3"))),
        Sigma_21=float(np.linalg.norm(array(request, "Sigma_21"), 2)),
        Sigma_31=np.asarray(
            np.linalg.svd(array(request, "Sigma_31"), compute_uv=False), dtype=np.float64
        )[:k],
    )
    return with_floor(amplified(spectrum, expected), expected)


def judge(request: Fields, answer: Fields, _: Sequence[Asked]) -> Judge:
    """The answer is the true model, after one relabelling of O, T and ω together."""
    k, d = whole(request, "k"), len(array(request, "M_2"))
    expected = truth(request)
    if is_null(answer, NAMES):
        too_shy = Finding(EXISTS, "O and T", shown(expected.O), "no estimate") if expected else None
        return in_every_reading(too_shy)
    O, T = reals(answer, "O", (d, k)), reals(answer, "T", (k, k))
    weights = None if answer.get("weights") is None else reals(answer, "weights", (k,))
    if expected is None:
        too_bold = Finding(FAILS, "O and T", "null: they are not determined", shown(O))
        return lambda reading: None if GOES_ON in reading else too_bold
    back = array(request, "Sigma_21") @ rank_k_inverse(array(request, "Sigma_31"), k)
    return in_every_reading(_wrong_estimate(O, T, weights, expected, back, tolerance(request)))


def _wrong_estimate(
    O: Floats,
    T: Floats,
    weights: Floats | None,
    expected: HmmAnswer,
    back: Floats,
    allowed: Mapping[str, float],
) -> Finding | None:
    if not (np.all(np.isfinite(O)) and np.all(np.isfinite(T))):
        return Finding(EXISTS, "O or T", "finite numbers", "an infinite one")
    named = reordered(expected, np.argsort(nearest_order(O, expected.O)))
    if off(O, named.O) > allowed["O"]:
        item = _line_of_columns(O, T, expected, back)
        finding = first_off(item, "O", named.O, O, allowed["O"])
        assert finding is not None
        return finding
    of_T = LINES_9_AND_10 if _only_renamed(O, T, expected) else LINE_10
    finding = first_off(of_T, "T", named.T, T, allowed["T"])
    if finding is None and weights is not None:
        finding = first_off(WEIGHTS, "weights", named.weights, weights, allowed["weights"])
    return finding


def _line_of_columns(O: Floats, T: Floats, expected: HmmAnswer, back: Floats) -> Item:
    """Which line spoilt O, by what O and T tell of the means of the third view.

    Columns that are all right, one of them twice, are components found twice: line 7. By line 10
    T = O^† μ_3: if the true μ_3, in some order, gives this T, lines 5-8 are right and line 9 is
    not. If μ = O T gives this very O by line 9, that line is right and μ is not, unless T is right
    all the same.
    """
    if all(any(meets(column, right) for right in expected.O.T) for column in O.T):
        return LINE_7
    if follows(T, O, expected.O @ expected.T):
        return LINE_9
    if _right_T(T, expected.T):
        return COLUMNS
    return MU if meets(back @ O @ T, O) else COLUMNS


def _only_renamed(O: Floats, T: Floats, expected: HmmAnswer) -> bool:
    """Whether μ_3 has the columns of O, and T is what line 10 makes of them in some order."""
    permutation = meets(np.round(expected.T), expected.T)
    return permutation and follows(T, O, expected.O @ expected.T)


MOST_TASKS = 7
"""With more tasks T is looked at in the order given alone; no case of the judge has so many."""


def _right_T(T: Floats, expected: Floats) -> bool:
    """Whether T is right in some order of the tasks."""
    k = len(expected)
    orders = permutations(range(k)) if k <= MOST_TASKS else (tuple(range(k)),)
    return any(meets(T, expected[np.ix_(order, order)]) for order in orders)


# Conforming implementations


def _as_moments(arrays: Mapping[str, Floats]) -> Moments:
    return Moments(**arrays, terms=len(arrays["M_2"]))


def literal(k: int, **moments: Floats) -> dict[str, object]:
    """`ptum.reference.sequential.spectral`."""
    return estimate_fields(
        learn_from_moments(_as_moments(moments), k, 12, 40, np.random.default_rng(1)), NAMES
    )


def repaired(k: int, **moments: Floats) -> dict[str, object]:
    """`ptum.reference.repaired.sequential.spectral`."""
    return estimate_fields(
        repaired_learner(_as_moments(moments), k, 12, 40, np.random.default_rng(2)), NAMES
    )


def relabelled(k: int, **moments: Floats) -> dict[str, object]:
    """The same in the opposite order, without weights."""
    found = literal(k, **moments)
    if found["O"] is None:
        return found
    O, T = np.array(found["O"]), np.array(found["T"])
    return {"O": O[:, ::-1], "T": T[::-1, ::-1]}


def goes_on(k: int, **moments: Floats) -> dict[str, object]:
    """No test for zeros: where nothing is determined there are numbers of no meaning (D53)."""
    return meaningless_where_null(literal(k, **moments), len(moments["M_2"]), k)


CONFORMING: Mapping[str, Implementation] = {
    "literal": literal,
    "repaired": repaired,
    "relabelled": relabelled,
    "goes-on": goes_on,
}


# Cases


def _case(
    name: str, O: Floats, T: Floats, first: Sequence[float], *flags: str, k: int | None = None
) -> Case:
    hmm = HMM(O=O, T=T, initial=np.array(first))
    return _case_of(name, hmm, *flags, k=k)


def _case_of(name: str, hmm: HMM, *flags: str, k: int | None = None) -> Case:
    moments = population_moments(hmm, hmm.initial)
    request: Fields = {field: getattr(moments, field).tolist() for field in MOMENTS}
    return Case(f"hmm_moments/{name}", {**request, "k": hmm.k if k is None else k}, flags)


TWO = rewards([(0.75, 0.25), (0.25, 0.75)])
ARMS = bernoulli_arms([(0.875, 0.25), (0.25, 0.5)])
THREE = rewards([(0.5, 0.25, 0.25), (0.125, 0.75, 0.125), (0.25, 0.125, 0.625)])
STICKY = chain([(0.75, 0.25), (0.375, 0.625)])
LEANING = chain([(0.125, 0.875), (0.5, 0.5)])
TURNING = chain([(0.125, 0.75, 0.125), (0.25, 0.125, 0.625), (0.5, 0.25, 0.25)])
HALF = (0.5, 0.5)
THIRDS = (0.25, 0.25, 0.5)


def _edge_cases() -> Iterator[Case]:
    yield from _one_or_two_tasks()
    yield from _three_tasks()
    yield from _difficult_numbers()


def _one_or_two_tasks() -> Iterator[Case]:
    """Small chains: symmetric or not, with zeros, with tasks that are rare."""
    yield _case("one-task", TWO[:, :1], chain([(1.0,)]), (1.0,), "k=1")
    yield _case("one-task-certain", rewards([(1.0, 0.0)]), chain([(1.0,)]), (1.0,), "k=1", "zeros")
    yield _case("two-tasks", TWO, STICKY, HALF)
    yield _case("two-tasks-leaning", TWO, LEANING, HALF, "asymmetric-T")
    yield _case("two-coins", ARMS, LEANING, (0.25, 0.75), "asymmetric-T", "not-stationary")
    yield _case("symmetric-chain", ARMS, chain([(0.75, 0.25), (0.25, 0.75)]), HALF, "symmetric-T")
    swap = chain([(0.0, 1.0), (1.0, 0.0)])
    yield _case("swap", ARMS, swap, HALF, "permutation", "symmetric-T", "zeros", "equal-weights")
    yield _case("never-left", ARMS, np.eye(2), (0.25, 0.75), "identity", "symmetric-T", "zeros")
    yield _case(
        "certain-rewards",
        bernoulli_arms([(1.0, 0.0), (0.0, 0.0)]),
        LEANING,
        HALF,
        "zeros",
        "asymmetric-T",
    )
    absorbing = chain([(1.0, 0.0), (0.5, 0.5)])
    yield _case("absorbing", ARMS, absorbing, (0.25, 0.75), "zeros", "not-stationary")
    yield _case("rare-task", ARMS, chain([(0.9375, 0.0625), (0.625, 0.375)]), HALF, "rare")
    yield _case("rare-first", ARMS, STICKY, (0.015625, 0.984375), "not-stationary")


def _three_tasks() -> Iterator[Case]:
    yield _case("three-tasks", THREE, TURNING, THIRDS, "asymmetric-T", "not-stationary")
    cycle = chain([(0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)])
    yield _case("three-cycle", THREE, cycle, THIRDS, "permutation", "asymmetric-T", "zeros")
    yield _case("three-never-left", THREE, np.eye(3), THIRDS, "identity", "symmetric-T", "zeros")
    balanced = chain([(0.5, 0.25, 0.25), (0.25, 0.5, 0.25), (0.25, 0.25, 0.5)])
    yield _case("three-symmetric", THREE, balanced, THIRDS, "symmetric-T")


def _difficult_numbers() -> Iterator[Case]:
    """Tasks that are close, columns of any numbers, and moments that determine nothing."""
    near = bernoulli_arms([(0.5, 0.5), (0.5, 0.8125)])
    yield _case("close-tasks", near, LEANING, HALF, "close")
    slow = chain([(0.625, 0.375), (0.375, 0.625)])
    yield _case("nearly-independent", ARMS, slow, HALF, "nearly-singular", "symmetric-T")
    square = np.array([[2.0, -0.5, 0.0], [0.25, 1.5, -1.0], [0.0, 0.5, 1.0]])
    yield _case("square", square, TURNING, THIRDS, "k=d", "signed", "asymmetric-T")
    tall = np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, 1.0], [0.5, 0.5], [3.0, -1.0]])
    yield _case("any-numbers", tall, LEANING, (0.25, 0.75), "signed", "asymmetric-T")
    yield _case("large-numbers", 64 * tall, LEANING, HALF, "signed")
    yield _case("small-numbers", tall / 64, LEANING, HALF, "signed")
    swap = chain([(0.0, 1.0), (1.0, 0.0)])
    yield _case("unlike-sizes", np.diag([1.0, 1 / 128]), swap, HALF, "ill-conditioned", "k=d")
    both = np.vstack([THREE[:3], np.eye(3)[::-1], np.ones((2, 3))])
    skip = chain([(0.125, 0.75, 0.125), (0.125, 0.125, 0.75), (0.625, 0.25, 0.125)])
    yield _case("three-of-eight", both, skip, THIRDS, "asymmetric-T", "zeros")
    flat = chain([(0.25, 0.75), (0.25, 0.75)])
    yield _case("independent-tasks", ARMS, flat, HALF, "singular")
    twins = bernoulli_arms([(0.5, 0.25), (0.5, 0.25)])
    yield _case("same-tasks", twins, LEANING, HALF, "singular")
    yield _case("one-too-many", ARMS, LEANING, HALF, "singular", k=3)


def _drawn_cases(seed: int) -> Iterator[Case]:
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(12,)))
    for number in range(1, 4):
        k = int(rng.integers(2, 5))
        hmm = mixture(rng, k, d=k + 1 + int(rng.integers(1, 3)))
        yield _case_of(f"drawn-{seed}-{number}", hmm, "drawn")


def cases(seed: int) -> Iterator[Case]:
    """Moments of chains of tasks; where they determine O and T, eigenvalues of M_2 are distinct.

    A double eigenvalue has no eigenvectors of its own, and line 5, taken literally on a matrix
    that is symmetric only up to rounding, may then return any two of them.
    """
    yield from _edge_cases()
    yield from _drawn_cases(seed)


CAPABILITY = Capability(
    name="hmm_moments",
    item="algorithm-3",
    says="O and T from exact moments (lines 5-10), up to one relabelling of the tasks; null where"
    " the moments do not determine them",
    input=(
        *(
            Field(f"Sigma_{i}{j}", "real", ("d", "d"), f"E[o_{i} ⊗ o_{j}], row for o_{i}")
            for i, j in ((1, 2), (1, 3), (2, 1), (3, 1), (3, 2))
        ),
        Field("M_2", "real", ("d", "d"), "E[õ_1 ⊗ õ_2]"),
        Field("M_3", "real", ("d", "d", "d"), "E[õ_1 ⊗ õ_2 ⊗ o_3]"),
        Field("k", "integer", (), "number of tasks"),
    ),
    output=(
        Field(
            "O", "real", ("d", "k"), "column j is μ_j; null if there is no estimate", nullable=True
        ),
        Field(
            "T",
            "real",
            ("k", "k"),
            "column j is the distribution of the task after task j, or null",
            nullable=True,
        ),
        Field(
            "weights", "real", ("k",), "ω_j = P(the middle task is j)", optional=True, nullable=True
        ),
    ),
    readings=all_readings((FAILURE, GOES_ON)),
    cases=cases,
    judge=judge,
    tolerance=tolerance,
    flags=FLAGS,
    notes=(
        "null is the answer where M_2 or a Σ has a rank below k up to rounding; numbers in its "
        "place are held against nothing (D53, “failure not always declared”), since the paper does "
        "not say when Algorithm 3 fails",
        "an eigenvalue that is small and yet far above rounding is no reason for null",
    ),
)
