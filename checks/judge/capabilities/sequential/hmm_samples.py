"""Algorithm 3 from observations: Ô and T̂, up to one relabelling of the tasks.

Noise makes choices visible that exact moments hide: full or rank-k pseudo-inverses (D50, E28),
symmetric moments or not (D51, E43), which triples (D45). Each has answers of its own, one for every
order in which restarts may meet the components, and an answer must be one of them.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import product

import numpy as np

from ptum.checks.exact.numbers import min_of
from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.judging.compare import first_off
from ptum.checks.judge.judging.hmms import (
    ALL,
    DISTINCT,
    FIRST,
    LAST,
    HmmAnswer,
    Ways,
    algorithm_3,
    amplified,
    bernoulli_arms,
    chain,
    draw_observations,
    eigenpairs,
    estimate_fields,
    follows,
    is_null,
    made_of,
    meaningless_where_null,
    meets,
    mixture,
    nearest_order,
    off,
    reordered,
    rewards,
    shown,
    triples,
    with_floor,
)
from ptum.checks.judge.judging.items import Item, lines
from ptum.checks.judge.judging.options import FAILURE, GOES_ON
from ptum.checks.judge.judging.readings import (
    PRINTED,
    REPAIRED,
    Capability,
    Case,
    Finding,
    Judge,
    Option,
    Reading,
    all_readings,
)
from ptum.checks.judge.judging.tolerances import FLOOR
from ptum.checks.judge.messages.fields import Field, array, reals
from ptum.checks.judge.messages.parsing import whole
from ptum.checks.judge.messages.transcript import Asked, Fields
from ptum.reference.arrays import Floats
from ptum.reference.repaired.sequential.spectral import learn_hmm as repaired_learner
from ptum.reference.sequential.hmm import VIEWS, task_sequence
from ptum.reference.sequential.spectral import HmmEstimate, learn_hmm

FULL = Option(PRINTED.choice, PRINTED.option, "E28")
RANK_K = REPAIRED
EIGENPROBLEM = Item("line 5, the eigenproblem of M̂_2", *lines(3, 5))
AS_THEY_COME = Option("D51", "not at all", "E43")
SYMMETRIC = Option("D51", "symmetric part of M̂_2, mean of M̂_3(W,W,W) over the six orders")
OF_M_2 = Option("D51", "symmetric part of M̂_2 alone")
OF_M_3 = Option("D51", "mean of M̂_3(W,W,W) over the six orders alone")
DROP_LAST, DROP_FIRST, OVERLAPPING = (Option("D45", which) for which in (LAST, FIRST, ALL))

READINGS = all_readings(
    (FULL, RANK_K),
    (AS_THEY_COME, SYMMETRIC, OF_M_2, OF_M_3),
    (DROP_LAST, DROP_FIRST, OVERLAPPING),
    (FAILURE, GOES_ON),
)

FLAGS: Mapping[str, str] = {
    "k=1": "a single task",
    "certain": "tasks without randomness: all readings of the moments agree",
    "noisy": "full and rank-k pseudo-inverses, symmetric or not, give different numbers",
    "clear": "noise, but every singular value stands out from it; rank k is full rank",
    "left-over": "h is no multiple of 3: some observations belong to no disjoint triple",
    "too-few": "fewer than k triples: no estimate",
    "few": "fewer than 3k triples: an estimate or none",
    "collapse": "no more triples than independent directions: full inverses turn views into o_3",
    "complex": "M̂_2 has complex leading eigenvalues, its symmetric part a negative one",
    "ill-conditioned": "the k-th eigenvalue is less than 10⁻⁴ of the first, and far above rounding",
    "period-3": "a cycle of three tasks: disjoint triples always see the same task in a view",
    "many-tasks": "hundreds of tasks, the first half of which follow each other in another way",
    "drawn": "drawn at random from the seed",
}

LINE_1 = Item("line 1, triples of successive observations", *lines(3, 1))
LINE_2 = Item("line 2, Σ̂_{i,j} = (1/m) Σ_l o_{i,l} ⊗ o_{j,l}", *lines(3, 2))
LINE_3 = Item("line 3, õ_1 = Σ̂_{3,2} Σ̂_{1,2}^† o_1, õ_2 = Σ̂_{3,1} Σ̂_{2,1}^† o_2", *lines(3, 3))
LINE_4 = Item("line 4, M̂_2 and M̂_3 from õ_1, õ_2 and o_3", *lines(3, 4))
LINE_9 = Item("line 9, [Ô]_{:,j} = Σ̂_{2,1} Σ̂_{3,1}^† μ̂_{3,j}", *lines(3, 9))
INVERSES = Item("lines 3 and 9, pseudo-inverses of two kinds", *lines(3, 3), *lines(3, 9))
LINE_10 = Item("line 10, [T̂]_{:,j} = Ô^† μ̂_{3,j}", *lines(3, 10))
LINES_1_2_9 = Item(
    "line 9, [Ô]_{:,j} = Σ̂_{2,1} Σ̂_{3,1}^† μ̂_{3,j}, or its Σ̂ of lines 1 and 2",
    *lines(3, 1, 2),
    *lines(3, 9),
)
"""Ô is wrong, and T̂ = Ô^† μ̂_3 with the right μ̂_3."""
LINES_1_AND_10 = Item("line 10, T̂, or line 1, triples backwards", *lines(3, 1), *lines(3, 10))
"""Ô is right, and T̂ is that of the observations in the opposite order."""
DIVISORS = Item(
    "lines 2 and 4, means over the m triples; or line 10: T̂ is right up to a factor",
    *LINE_2.places,
    *LINE_4.places,
    *LINE_10.places,
)
"""Ô is right, and T̂ a multiple of what it should be, as if sums were divided by unlike numbers."""
LINES_4_TO_8 = Item("lines 4-8, μ̂_{3,j} in the span of the right D", *lines(3, 4, 8))
"""Ô and T̂ are what lines 9 and 10 make of wrong μ̂_3 = λ̂ (W^T)^† v̂, in the right span."""
LINES_3_TO_8 = Item("lines 3-8, μ̂_{3,j}", *lines(3, 3, 8))
"""The same, and the span is wrong too, or tells nothing."""
LINES_1_3_9 = Item(
    "lines 1-3 or line 9, what is made of Σ̂_{2,1} and Σ̂_{3,1}", *lines(3, 1, 3), *lines(3, 9)
)
"""No μ̂_3 gives these Ô and T̂ with the right Σ̂."""
CERTAIN_LINES = Item(
    "lines 1-10, T̂; Ô is right, but certain observations show it", *lines(3, 1, 10)
)
"""Observations without noise are the columns of Ô, whatever lines 1-9 do with them."""
NO_ESTIMATE = Item("lines 1-7 (D49, D53), no estimate exists", *lines(3, 1, 7))
EXISTS = Item("lines 1-10, an estimate exists", *lines(3, 1, 10))

NAMES = ("O", "T")


@dataclass(frozen=True, eq=False)
class Admissible:
    """What one reading admits: these estimates (none: there is none), and perhaps null."""

    estimates: tuple[HmmAnswer, ...]
    tolerances: tuple[dict[str, float], ...]
    may_be_null: bool


def admissible(o: Floats, k: int, reading: Reading) -> Admissible:
    """`_admissible`, each combination once."""
    rows = np.ascontiguousarray(o)
    return _admissible(rows.tobytes(), rows.shape, k, ways_of(reading))


def ways_of(reading: Reading) -> Ways:
    """What a reading has to say about the steps."""
    (which,) = (option.option for option in reading if option.choice == DROP_LAST.choice)
    symmetric, averaged = ({SYMMETRIC, one} & reading for one in (OF_M_2, OF_M_3))
    return Ways(FULL in reading, bool(symmetric), bool(averaged), which)


@lru_cache(maxsize=1024)
def _admissible(entries: bytes, shape: tuple[int, int], k: int, ways: Ways) -> Admissible:
    """Null is right where no estimate exists, with few triples (D49) and at noise level (D102)."""
    o = np.frombuffer(entries).reshape(shape)
    found, spectrum = algorithm_3(o, k, ways)
    if spectrum is None or not found:
        return Admissible((), (), may_be_null=True)
    tolerances = tuple(with_floor(amplified(spectrum, one), one) for one in found)
    few = len(triples(o, ways.which)[0]) < VIEWS * k
    noise = not ways.full and _at_noise_level(o, k, ways.which)
    return Admissible(found, tolerances, few or noise)


def _at_noise_level(o: Floats, k: int, which: str) -> bool:
    """Whether the repaired learner declines on these triples."""
    kept = o[len(o) % VIEWS :] if which == FIRST else o
    rng = np.random.default_rng(0)
    found = repaired_learner(kept, k, 20, 60, rng, overlapping=which == ALL)
    return not isinstance(found, HmmEstimate)


def tolerance(request: Fields) -> dict[str, float]:
    """Errors allowed in Ô and T̂: the largest over all readings and orders (`hmms.amplified`).

    The judge holds an answer to the bound of the very estimate that it is nearest to.
    """
    o, k = array(request, "observations"), whole(request, "k")
    bounds = [one for reading in READINGS for one in admissible(o, k, reading).tolerances]
    return {name: max([FLOOR, *(bound[name] for bound in bounds)]) for name in NAMES}


def judge(request: Fields, answer: Fields, _: Sequence[Asked]) -> Judge:
    """The answer is one of those that the reading admits."""
    o, k = array(request, "observations"), whole(request, "k")
    if is_null(answer, NAMES):
        return lambda reading: _wrong_null(admissible(o, k, reading))
    O, T = reals(answer, "O", (o.shape[1], k)), reals(answer, "T", (k, k))
    certain = len(np.unique(o, axis=0)) <= k

    def wrong(reading: Reading) -> Finding | None:
        admitted = admissible(o, k, reading)
        if not admitted.estimates:
            nothing = Finding(NO_ESTIMATE, "O and T", "null", shown(O))
            return None if GOES_ON in reading else nothing
        finding = wrong_estimate(O, T, admitted, certain=certain)
        if finding is None or finding.item == EXISTS:
            return finding
        if finding.what.startswith("T"):
            return of_transitions(finding)
        ways = ways_of(reading)
        half = replace(ways, symmetric=False, one_triangle=True)
        if not ways.symmetric and _done_so(O, T, o, half, admitted):
            expected = "eigenpairs of M̂_2 as it is, or of its symmetric part (D51)"
            got = "those of the symmetric matrix that the lower triangle of M̂_2 makes"
            return Finding(EIGENPROBLEM, "O", expected, got)
        return right_columns() or mixed() or replace(finding, item=blamed())

    @cache
    def mixed() -> Finding | None:
        """Pseudo-inverses of two kinds."""
        names = "full", "of rank k"
        for reading in READINGS:
            ways = replace(ways_of(reading), mixed=True)
            admitted = admissible(o, k, reading)
            if admitted.estimates and _done_so(O, T, o, ways, admitted):
                third, ninth = names if ways.full else names[::-1]
                got = f"{third} ones in line 3, {ninth} in line 9: one of the two was changed alone"
                return Finding(INVERSES, "O", "all of them full, or all of rank k (D50)", got)
        return None

    @cache
    def right_columns() -> Finding | None:
        """What is wrong with T̂ in a reading in which Ô is right."""
        every = (admissible(o, k, one) for one in READINGS)
        found = (wrong_estimate(O, T, one, certain=certain) for one in every if one.estimates)
        of_T = (one for one in found if one is not None and one.what.startswith("T"))
        return next(map(of_transitions, of_T), None)

    def of_transitions(finding: Finding) -> Finding:
        """What a right Ô does not tell, and T̂ does: triples backwards, or sums divided wrongly."""
        if finding.item != CERTAIN_LINES and multiple():
            return replace(finding, item=DIVISORS)
        return replace(finding, item=LINES_1_AND_10) if backwards() else finding

    @cache
    def multiple() -> bool:
        every = (one for reading in READINGS for one in admissible(o, k, reading).estimates)
        return any(_multiple(O, T, one) for one in every)

    @cache
    def backwards() -> bool:
        return not certain and _meets_some(O, T, o[::-1], k)

    @cache
    def blamed() -> Item:
        return lines_behind(O, T, o, k)

    return wrong


def _distance(O: Floats, right: HmmAnswer) -> float:
    """How far Ô is from an estimate, as a share of its largest entry."""
    return off(O[:, nearest_order(O, right.O)], right.O) / float(np.max(np.abs(right.O)))


def _multiple(O: Floats, T: Floats, right: HmmAnswer) -> bool:
    """Whether Ô is right, and T̂ right but for a factor that is plainly not 1."""
    named = reordered(right, np.argsort(nearest_order(O, right.O)))
    factor = float(np.sum(T * named.T) / np.sum(named.T**2))
    return abs(factor - 1) > DISTINCT**0.5 and meets(O, named.O) and meets(T, factor * named.T)


def _done_so(O: Floats, T: Floats, o: Floats, ways: Ways, expected: Admissible) -> bool:
    """Whether an answer was come to in these ways, which are none of a reading."""
    found, _ = algorithm_3(o, len(T), ways)
    named = [reordered(one, np.argsort(nearest_order(O, one.O))) for one in found]
    of_O, of_T = (max(one[name] for one in expected.tolerances) for name in ("O", "T"))
    return any(off(O, one.O) <= of_O and off(T, one.T) <= of_T for one in named)


def _wrong_null(expected: Admissible) -> Finding | None:
    if expected.may_be_null:
        return None
    return Finding(EXISTS, "O and T", shown(expected.estimates[0].O), "no estimate")


def wrong_estimate(
    O: Floats, T: Floats, expected: Admissible, *, certain: bool = False
) -> Finding | None:
    """None if one of the estimates is met; else what separates the answer from the nearest."""
    if not (np.all(np.isfinite(O)) and np.all(np.isfinite(T))):
        return Finding(EXISTS, "O or T", "finite numbers", "an infinite one")
    distances, findings = [], []
    for estimate, allowed in zip(expected.estimates, expected.tolerances, strict=True):
        named = reordered(estimate, np.argsort(nearest_order(O, estimate.O)))
        finding = first_off(LINES_1_3_9, "O", named.O, O, allowed["O"])
        of_T = CERTAIN_LINES if certain else LINE_10
        finding = finding or first_off(of_T, "T", named.T, T, allowed["T"])
        if finding is None:
            return None
        distances.append(off(O, named.O))
        findings.append(finding)
    return findings[int(np.argmin(distances))]


def lines_behind(O: Floats, T: Floats, o: Floats, k: int) -> Item:
    """Which lines may have spoilt Ô, by the first intermediate that is right in some reading.

    A subject's own reading is not known where it is wrong, so all are tried. By line 10 T̂ shows
    whether μ̂_3 is right, and then line 9 or its Σ̂ is wrong. Lines 9 and 10 are right if some μ̂_3
    gives Ô and T̂ with the right Σ̂, and so are line 3 and M̂_2 if that μ̂_3 is in the span of D. With
    inverses of rank k and M̂_2 as it is, that span depends on õ_1 alone, and where observations
    have k directions or k triples it is all there is.

    Where Ô is nearly right, as without λ̂ in a deflation, explanations are told apart by less.
    """
    if _meets_some(O, T, o[::-1], k):
        return LINE_1
    estimates = [one for reading in READINGS for one in admissible(o, k, reading).estimates]
    within = min_of([DISTINCT, *(_distance(O, one) / 10 for one in estimates)])
    if any(one.mu_3 is not None and follows(T, O, one.mu_3, within) for one in estimates):
        return LINES_1_2_9
    everything = np.linalg.svd(o.T, full_matrices=False)[0][:, : np.linalg.matrix_rank(o)]
    if _without_mean(O, o):
        return LINE_2
    found = LINES_1_3_9
    for full, symmetric, which in product((True, False), (True, False), (LAST, FIRST, ALL)):
        steps = eigenpairs(o, k, Ways(full, symmetric, symmetric, which))
        if steps is None or not made_of(O, T, steps.back, everything, within):
            continue
        found = LINES_3_TO_8
        telling = (full or symmetric) and k < min(everything.shape[1], steps.views.m)
        if telling and made_of(O, T, steps.back, steps.D, within):
            return LINES_4_TO_8
    return found


def _meets_some(O: Floats, T: Floats, o: Floats, k: int) -> bool:
    """Whether some reading admits these columns and transitions for the observations."""
    every = (admissible(o, k, reading) for reading in READINGS)
    return any(one.estimates and wrong_estimate(O, T, one) is None for one in every)


def _without_mean(O: Floats, o: Floats) -> bool:
    """Whether a sum of entries that is one in every observation is zero in every column.

    Line 9 is the same with and without means, but only means of centred views have such a sum.
    """
    ones = np.ones(len(o))
    of_one = np.linalg.lstsq(o, ones, rcond=DISTINCT**2)[0]
    return meets(o @ of_one, ones) and meets(of_one @ O + 1, np.ones(O.shape[1]))


# Conforming implementations


def literal(observations: Floats, k: int) -> dict[str, object]:
    """`ptum.reference.sequential.spectral`."""
    return estimate_fields(learn_hmm(observations, k, 10, 100, np.random.default_rng(1)), NAMES)


def repaired(observations: Floats, k: int) -> dict[str, object]:
    """`ptum.reference.repaired.sequential.spectral`, on disjoint triples."""
    return estimate_fields(
        repaired_learner(observations, k, 10, 100, np.random.default_rng(2)), NAMES
    )


def overlapping(observations: Floats, k: int) -> dict[str, object]:
    """`ptum.reference.repaired.sequential.spectral`, on all triples."""
    rng = np.random.default_rng(3)
    return estimate_fields(repaired_learner(observations, k, 10, 100, rng, overlapping=True), NAMES)


def drops_the_first(observations: Floats, k: int) -> dict[str, object]:
    """The literal algorithm on the last 3m observations."""
    return literal(observations[len(observations) % VIEWS :], k)


@dataclass(frozen=True)
class Mixed:
    """One printed and one repaired choice; the last order of discovery; no thresholds."""

    full: bool
    symmetric: bool
    averaged: bool

    def __call__(self, observations: Floats, k: int) -> dict[str, object]:
        """Any admissible estimate, or null if there is none."""
        ways = Ways(self.full, self.symmetric, self.averaged, LAST)
        found, _ = algorithm_3(observations, k, ways)
        return {"O": found[-1].O, "T": found[-1].T} if found else {"O": None, "T": None}


def goes_on(observations: Floats, k: int) -> dict[str, object]:
    """The literal algorithm, with numbers of no meaning where it has none (D53)."""
    return meaningless_where_null(literal(observations, k), observations.shape[1], k)


CONFORMING: Mapping[str, Implementation] = {
    "literal": literal,
    "repaired": repaired,
    "overlapping": overlapping,
    "drops-the-first": drops_the_first,
    "full-symmetric": Mixed(full=True, symmetric=True, averaged=True),
    "rank-k-as-they-come": Mixed(full=False, symmetric=False, averaged=False),
    "symmetric-m2-alone": Mixed(full=True, symmetric=True, averaged=False),
    "symmetric-tensor-alone": Mixed(full=True, symmetric=False, averaged=True),
    "goes-on": goes_on,
}


# Cases


def _case(name: str, observations: Floats, k: int, *flags: str) -> Case:
    request: Fields = {"observations": observations.tolist(), "k": k}
    return Case(f"hmm_samples/{name}", request, flags)


CERTAIN = bernoulli_arms([(1.0, 0.0), (0.0, 0.0)])
THREE_RULES = rewards([(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
TWO_RULES = rewards([(1.0, 0.0), (0.0, 1.0)])
BEFORE, AFTER = (0, 1, 0, 0, 1, 1, 1, 0, 0), (0, 1, 0, 1, 0, 1, 1, 0, 1)
"""Tasks that may follow themselves, and tasks that alternate in every triple."""
NOISY = rewards([(0.625, 0.25, 0.125), (0.125, 0.25, 0.625)])
FORTH = chain([(0.25, 0.75), (0.625, 0.375)])
DIGITS = "331212123233"
"""Rewards of twelve tasks for which M̂_2 has eigenvalues that are not real."""

DRAWN = 2
LARGEST_TOLERANCE = 1e-4
"""Draws whose T̂ depends on rounding by more than that are not asked."""


def _drawn(O: Floats, T: Floats, blocks: Sequence[int], *, h: int, n: int, seed: int) -> Floats:
    """h observations of n samples each; a fixed generator makes them the same for every seed."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(14,)))
    sequence = task_sequence(T, np.full(len(T), 1 / len(T)), h, rng)
    return draw_observations(rng, O, sequence.tolist(), blocks, n)


def _edge_cases() -> Iterator[Case]:
    """Seeds are such that every reading is well conditioned and reached by 60 power steps."""
    yield _case("certain", CERTAIN.T[[0, 1, 0, 0, 1, 1, 1, 0, 0]], 2, "certain")
    yield _case("certain-swap", CERTAIN.T[[0, 1, 0, 1, 0, 1]], 2, "certain", "few")
    yield _case("certain-left-over", CERTAIN.T[[0, 1, 0, 1, 0, 1, 1]], 2, "certain", "left-over")
    one = _drawn(NOISY[:, :1], np.ones((1, 1)), (3, 1), h=9, n=4, seed=1)
    yield _case("one-task", one, 1, "k=1", "noisy")
    yield _case("one-task-left-over", one[:8], 1, "k=1", "noisy", "left-over")
    yield _case("no-triple", CERTAIN.T[[0, 1]], 1, "too-few", "k=1")
    yield _case("too-few", CERTAIN.T[[0, 1, 0, 1, 1]], 2, "too-few", "left-over")
    noisy = _drawn(NOISY, FORTH, (3, 1), h=32, n=8, seed=51)
    yield _case("noisy", noisy[:30], 2, "noisy")
    yield _case("noisy-one-left-over", noisy[:31], 2, "noisy", "left-over")
    yield _case("noisy-two-left-over", noisy, 2, "noisy", "left-over")
    long = _drawn(NOISY, FORTH, (3, 1), h=60, n=6, seed=25)
    yield _case("long", long, 2, "noisy")
    clear = rewards([(0.875, 0.125), (0.125, 0.875)])
    back = chain([(0.25, 0.75), (0.875, 0.125)])
    bright = _drawn(clear, back, (2, 1), h=62, n=16, seed=15)
    yield _case("clear-one-left-over", bright[:61], 2, "clear", "left-over")
    yield _case("clear-two-left-over", bright, 2, "clear", "left-over")
    yield _case("collapse", noisy[12:18], 2, "collapse", "few")
    pairs = bernoulli_arms([(0.875, 0.25), (0.25, 0.625)])
    yield _case("coins", _drawn(pairs, FORTH, (2, 2, 1, 1), h=48, n=8, seed=28), 2, "noisy")
    letters = np.array([[float(c == x) for x in "123"] + [1.0] for c in DIGITS])
    yield _case("complex", letters, 3, "complex", "few")
    yield _case("cycle-of-three", THREE_RULES.T[np.tile(np.arange(3), 6)], 3, "period-3", "certain")
    turn = chain([(0.125, 0.75, 0.125), (0.125, 0.125, 0.75), (0.75, 0.125, 0.125)])
    three = _drawn(THREE_RULES, turn, (3, 1), h=90, n=1, seed=59)
    yield _case("three-tasks", three, 3, "clear")
    yield _case(
        "unlike-sizes", np.diag([1.0, 1 / 128])[[0, 1] * 9], 2, "ill-conditioned", "certain"
    )
    yield _case("many-tasks", TWO_RULES.T[[*BEFORE * 30, *AFTER * 30]], 2, "certain", "many-tasks")


@lru_cache(maxsize=32)
def _drawn_cases(seed: int) -> tuple[Case, ...]:
    """Two tasks with two rewards, drawn until every reading can be compared."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(15,)))
    found: list[Case] = []
    while len(found) < DRAWN:
        hmm = mixture(rng, 2, d=3)
        sequence = task_sequence(hmm.T, hmm.initial, int(rng.integers(40, 50)), rng)
        o = draw_observations(rng, hmm.O, sequence.tolist(), (2, 1), 16)
        if all(_comparable(o, 2, reading) for reading in READINGS):
            found.append(_case(f"drawn-{seed}-{len(found) + 1}", o, 2, "drawn"))
    return tuple(found)


def _comparable(o: Floats, k: int, reading: Reading) -> bool:
    """Whether estimates exist, are well conditioned and are reached by 60 power steps."""
    expected = admissible(o, k, reading)
    soon, _ = algorithm_3(o, k, ways_of(reading), steps=60)
    known = [allowed["T"] <= LARGEST_TOLERANCE for allowed in expected.tolerances]
    return bool(known) and all(known) and len(soon) == len(known)


def cases(seed: int) -> Iterator[Case]:
    """Short sequences of observations: certain ones, noisy ones, and too few."""
    yield from _edge_cases()
    yield from _drawn_cases(seed)


CAPABILITY = Capability(
    name="hmm_samples",
    item="algorithm-3",
    says="Ô and T̂ of Algorithm 3 from h observations, up to one relabelling of the tasks, not made"
    " into probabilities; enough restarts and power steps to converge; null where there is no"
    " estimate",
    input=(
        Field("observations", "real", ("h", "d"), "o_1, …, o_h in the order of the tasks"),
        Field("k", "integer", (), "number of tasks"),
    ),
    output=(
        Field("O", "real", ("d", "k"), "Ô, column j is the mean of task j, or null", nullable=True),
        Field(
            "T", "real", ("k", "k"), "T̂, column j is what follows task j, or null", nullable=True
        ),
    ),
    readings=READINGS,
    cases=cases,
    judge=judge,
    tolerance=tolerance,
    flags=FLAGS,
    notes=(
        "as repaired the pseudo-inverses of lines 3 and 9 are those of the best approximations of "
        "rank k of the Σ̂ (D50), and null is right at noise level (D102); all of them are full, or "
        "all of rank k",
        "line 5: eigenpairs of M̂_2 as it is (null if they are not real) or of its symmetric part, "
        "line 7: M̂_3(W,W,W) as it is or averaged over the six orders, in any combination (D51)",
        "null is expected with fewer than k triples or where the k-th leading eigenvalue or "
        "singular value is zero up to rounding; with fewer than 3k triples it is right too (D49); "
        "numbers in its place are held against nothing (D53)",
    ),
)
