"""Algorithm 2, line 9, by the rule of Theorem 3: which tasks may follow.

θ is dropped if Σ_{θ'∈Θ̄_h} T̂_h(θ,θ') + δk + ρ_T k √(log(9kdm²/δ')/h) ≤ η with η = δ'/(3km²). T̂_h is
taken as it stands: raw estimates have negative entries, and only with them, or with ρ_T = 0, does
the rule ever drop a task (E36). What repairs it is the mass rule (`checks/judge/judging/mass`),
with an η of its own and a bound on the errors of T̂_h; the theorem's rule does without these two
inputs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ptum.checks.judge.capabilities import Implementation
from ptum.checks.judge.judging.items import Item, lines
from ptum.checks.judge.judging.mass import (
    ANY_ORDER,
    LEAST_FIRST,
    MASS,
    Mass,
    from_the_last,
    least_first,
    wrong_mass,
)
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
from ptum.checks.judge.messages.fields import ANY, Field, array, labels
from ptum.checks.judge.messages.parsing import number, whole
from ptum.checks.judge.messages.transcript import Asked, Fields
from ptum.reference.arrays import ROUNDING, Bools, Floats, Ints
from ptum.reference.sequential.prediction import Theorem3

NINE = Option(PRINTED.choice, PRINTED.option, "E36")
EIGHTEEN = replace(REPAIRED, detail="Theorem 3 with log(18kdm²/δ')")
BY_MASS = replace(REPAIRED, detail="the mass rule of D90")
KEEP_ALL = Option("D91", "keep all models")
LIKELIEST = Option("D91", "keep the likeliest one")
NO_MODEL = Option("D91", "start with no model")

RULES = all_readings((NINE, EIGHTEEN), (KEEP_ALL, LIKELIEST, NO_MODEL))
"""Readings of the theorem's rule."""

MASS_RULES = all_readings((BY_MASS,), (LEAST_FIRST, ANY_ORDER))
"""Readings of the mass rule, which never drops every task."""

FLAGS: Mapping[str, str] = {
    "k=1": "a single task",
    "empty": "Θ̄_h is empty, so that every sum is zero",
    "all-dropped": "the rule would drop every task",
    "none-dropped": "the rule drops no task",
    "equality": "a left side equals η exactly, in doubles too",
    "near": "a left side misses η by a thousandth",
    "signed": "T̂_h has negative entries, as Algorithm 3 may return",
    "rho=0": "no confidence term",
    "nine-or-eighteen": "log(9kdm²/δ') and log(18kdm²/δ') decide differently",
    "sum": "several tasks in Θ̄_h; their sum decides, not the largest",
    "asymmetric": "rows and columns of T̂_h decide differently",
    "delta-k": "the term δk decides",
    "logarithm": "what is inside the logarithm decides",
    "outside": "a task outside Θ̄_h stays, or one inside goes",
    "late": "many tasks have been seen",
    "mass": "the mass rule drops a task that Theorem 3 keeps",
    "root": "√|E| decides, in the mass rule",
    "joint": "tasks fit into E one by one, but not together",
    "order": "the order in which E is filled decides",
    "one-stays": "all tasks but one are dropped",
    "drawn": "drawn at random from the seed",
}

RULE = Item("Theorem 3, Σ_{θ'∈Θ̄_h} T̂_h(θ,θ') + δk + ρ_T k √(log(9kdm²/δ')/h) ≤ η", "theorem-3:rule")
NONE_LEFT = Item("line 9 (D91), no task would be left", *lines(2, 9))
EMPTY = Item("line 9 (D91), no task would be left by Theorem 3", *lines(2, 9), *RULE.places)
"""A wrong answer to the question of D91, or a wrong sum: no task should have passed the test."""


@dataclass(frozen=True)
class RuleNumbers:
    """What the rules know besides T̂_h and Θ̄_h; `eta` and `e_T` are for the mass rule alone.

    With errors of T̂_h as large as by default it keeps all tasks.
    """

    h: int = 30
    m: int = 40
    d: int = 12
    delta: float = 2.0**-40
    delta_prime: float = 0.125
    rho_T: float = 0.0
    eta: float = 0.125
    e_T: float = 1.0


@dataclass(frozen=True, eq=False)
class PredictionInputs:
    """The inputs of the rule."""

    T_hat: Floats
    theta_bar: tuple[int, ...]
    numbers: RuleNumbers

    @property
    def k(self) -> int:
        """Number of tasks."""
        return len(self.T_hat)

    @property
    def eta(self) -> float:
        """η = δ'/(3km²), that of the theorem."""
        return self.numbers.delta_prime / (3 * self.k * self.numbers.m**2)

    @property
    def sums(self) -> Floats:
        """Σ_{θ'∈Θ̄_h} T̂_h(θ,θ') for every θ."""
        sums: Floats = self.T_hat[:, list(self.theta_bar)].sum(axis=1)
        return sums

    @property
    def mass(self) -> Mass:
        """What the mass rule is about."""
        return Mass(self.T_hat, self.theta_bar, self.numbers.eta, self.numbers.e_T)

    def confidence(self, factor: int) -> float:
        """δk + ρ_T k √(log(factor·kdm²/δ')/h)."""
        given, k = self.numbers, self.k
        log = math.log(factor * k * given.d * given.m**2 / given.delta_prime)
        return given.delta * k + given.rho_T * k * math.sqrt(log / given.h)

    def left_sides(self, factor: int) -> Floats:
        """What is compared with η."""
        sides: Floats = self.sums + self.confidence(factor)
        return sides


def setting_of(request: Fields) -> PredictionInputs:
    """The fields of a request."""
    counts: dict[str, Any] = {name: whole(request, name) for name in ("h", "m", "d")}
    names = ("delta", "delta_prime", "rho_T", "eta", "e_T")
    numbers = RuleNumbers(**counts | {name: number(request, name) for name in names})
    known = array(request, "theta_bar").astype(int).tolist()
    return PredictionInputs(array(request, "T_hat"), tuple(known), numbers)


def undecided(setting: PredictionInputs, factor: int) -> Bools:
    """Left sides so near to η, but not equal to it, that rounding decides."""
    sides = setting.left_sides(factor)
    size = np.abs(setting.T_hat[:, list(setting.theta_bar)]).sum(axis=1)
    size = size + setting.confidence(factor) + setting.eta
    near = np.abs(sides - setting.eta) <= 16 * setting.k * ROUNDING * size
    unsure: Bools = near & (sides != setting.eta)
    return unsure


def tolerance(_: Fields) -> dict[str, float]:
    """No real number is answered: the kept labels are right or wrong."""
    return {}


def judge(request: Fields, answer: Fields, _: Sequence[Asked]) -> Judge:
    """The kept labels are those that the rule keeps."""
    setting = setting_of(request)
    kept = labels(answer, "kept", setting.k)

    findings = {way: wrong_set(setting, kept, way) for way in (*RULES, *MASS_RULES)}
    explained = any(finding is None for finding in findings.values())

    def wrong(reading: Reading) -> Finding | None:
        finding = findings[reading]
        return finding if finding is None or explained else _either(finding)

    return wrong


def _either(finding: Finding) -> Finding:
    """What no rule explains may be meant by either of the two."""
    if finding.item == MASS:
        says, other = f"{MASS}, or the rule of Theorem 3 itself", RULE
    else:
        says, other = f"{finding.item}, or the mass rule that repairs it", MASS
    return replace(finding, item=Item(says, *finding.item.places, *other.places))


def wrong_set(setting: PredictionInputs, kept: tuple[int, ...], reading: Reading) -> Finding | None:
    """What is wrong with a set of kept labels in one reading."""
    if LEAST_FIRST in reading or ANY_ORDER in reading:
        return wrong_mass(setting.mass, kept, LEAST_FIRST if LEAST_FIRST in reading else ANY_ORDER)
    factor = 9 if NINE in reading else 18
    sides, unsure = setting.left_sides(factor), undecided(setting, factor)
    dropped = sides <= setting.eta
    if np.all(dropped | unsure) and _right_when_empty(setting, kept, reading):
        return None
    for theta in range(setting.k):
        if unsure[theta] or bool(dropped[theta]) is not (theta in kept):
            continue
        expected = "dropped" if dropped[theta] else "kept"
        if np.all(dropped):
            expected = _expected_when_empty(setting, reading)
            return Finding(EMPTY, f"task {theta}", expected, f"{list(kept)}")
        compared = f"{sides[theta]:.9g} against η = {setting.eta:.9g}"
        return Finding(RULE, f"task {theta}", f"{expected}: {compared}", f"kept are {list(kept)}")
    if np.all(dropped):
        return Finding(EMPTY, "kept", _expected_when_empty(setting, reading), f"{list(kept)}")
    return None


def _right_when_empty(setting: PredictionInputs, kept: tuple[int, ...], reading: Reading) -> bool:
    """One answer to D91 where the rule drops all; any where Θ̄_h was empty before, which differs."""
    options: tuple[Option, ...] = (KEEP_ALL, NO_MODEL, LIKELIEST)
    if setting.theta_bar:
        options = tuple(option for option in options if option in reading)
    return any(_answers(option, setting, kept) for option in options)


def _answers(option: Option, setting: PredictionInputs, kept: tuple[int, ...]) -> bool:
    if option == KEEP_ALL:
        return kept == tuple(range(setting.k))
    if option == NO_MODEL:
        return kept == ()
    best = float(np.max(setting.sums)) - 16 * ROUNDING * float(np.abs(setting.T_hat).sum())
    return len(kept) == 1 and bool(setting.sums[kept[0]] >= best)


def _expected_when_empty(setting: PredictionInputs, reading: Reading) -> str:
    if not setting.theta_bar:
        return "all labels, no label or one: Θ̄_h is empty"
    if KEEP_ALL in reading:
        return "all labels"
    return "no label" if NO_MODEL in reading else "the likeliest label alone"


# Conforming implementations


def literal(T_hat: Floats, theta_bar: Ints, **numbers: Any) -> dict[str, object]:
    """`ptum.reference.sequential.prediction`; the inputs of the mass rule do not matter."""
    rule = Theorem3(m=numbers["m"], rho_T=numbers["rho_T"])
    given = {name: numbers[name] for name in ("h", "d", "delta", "delta_prime")}
    return {"kept": rule(T_hat, tuple(theta_bar.tolist()), **given)}


@dataclass(frozen=True)
class WrittenOutRule:
    """The rule written out again, with its two choices."""

    factor: int = 9
    when_empty: Option = KEEP_ALL
    when_given_empty: Option = KEEP_ALL

    def __call__(self, T_hat: Floats, theta_bar: Ints, **numbers: Any) -> dict[str, object]:
        """The kept labels."""
        setting = PredictionInputs(T_hat, tuple(theta_bar.tolist()), RuleNumbers(**numbers))
        sides = setting.left_sides(self.factor)
        kept = np.flatnonzero(sides > setting.eta).tolist()
        return {"kept": kept or self._instead(setting)}

    def _instead(self, setting: PredictionInputs) -> list[int]:
        option = self.when_empty if setting.theta_bar else self.when_given_empty
        if option == NO_MODEL:
            return []
        every = list(range(setting.k))
        return every if option == KEEP_ALL else [int(np.argmax(setting.sums))]


def mass_rule(choose: Callable[[Mass], list[int]]) -> Implementation:
    """The mass rule, filling E in an order of its own."""

    def kept(
        T_hat: Floats, theta_bar: Ints, eta: float, e_T: float, **_: float
    ) -> dict[str, object]:
        return {"kept": choose(Mass(T_hat, tuple(theta_bar.tolist()), eta, e_T))}

    return kept


CONFORMING: Mapping[str, Implementation] = {
    "literal": literal,
    "eighteen": WrittenOutRule(factor=18),
    "likeliest": WrittenOutRule(when_empty=LIKELIEST),
    "no-model": WrittenOutRule(when_empty=NO_MODEL),
    "empty-stays-empty": WrittenOutRule(when_given_empty=NO_MODEL),
    "mass": mass_rule(least_first),
    "mass-from-the-last": mass_rule(from_the_last),
}


# Cases


USUAL = RuleNumbers()


def _case(
    name: str, T_hat: Floats, theta_bar: Sequence[int], *flags: str, numbers: RuleNumbers = USUAL
) -> Case:
    request: Fields = {"T_hat": T_hat.tolist(), "theta_bar": list(theta_bar), **asdict(numbers)}
    return Case(f"prediction/{name}", request, flags)


def _columns(*columns: Sequence[float]) -> Floats:
    return np.array(columns).T


def _at(name: str, shares: Sequence[float], numbers: RuleNumbers, *flags: str) -> Case:
    """k tasks, Θ̄_h = {0}; T̂(θ,0) is η minus `share` times the printed confidence.

    A share above 1 drops θ, one below 1 keeps it; log 18 has about 1.02 to 1.05 in place of 1.
    """
    k = len(shares)
    T_hat = np.full((k, k), 1.0 / k)
    setting = PredictionInputs(T_hat, (0,), numbers)
    T_hat[:, 0] = setting.eta - np.array(shares) * setting.confidence(9)
    return _case(name, T_hat, [0], "signed", *flags, numbers=numbers)


SPARSE = _columns((0.0, 1.0, 0.0), (0.0, 0.5, 0.5), (1.0, 0.0, 0.0))
DENSE = _columns((0.5, 0.25, 0.25), (0.25, 0.5, 0.25), (0.25, 0.25, 0.5))


def _edge_cases() -> Iterator[Case]:
    proved, late = RuleNumbers(rho_T=37.0), RuleNumbers(h=400, m=400, rho_T=0.001)
    yield _case("as-proved", DENSE, [0], "none-dropped", numbers=proved)
    yield _case("as-proved-sparse", SPARSE, [0], "none-dropped", numbers=proved)
    yield _case("late", SPARSE, [0], "none-dropped", "late", numbers=late)
    yield _case("one-task", np.ones((1, 1)), [0], "k=1", "none-dropped")
    yield _case("one-task-empty", np.ones((1, 1)), [], "k=1", "empty", "all-dropped")
    yield _case("one-successor", SPARSE, [0], "rho=0", "asymmetric")
    yield _case("two-successors", SPARSE, [1], "rho=0", "asymmetric")
    yield _case("outside", SPARSE, [2], "rho=0", "outside", "asymmetric")
    yield _case("two-possible", SPARSE, [0, 1], "rho=0", "sum", "asymmetric")
    yield _case("unsorted", SPARSE, [2, 0], "rho=0", "sum", "asymmetric")
    yield _case("all-possible", SPARSE, [0, 1, 2], "rho=0", "none-dropped", "sum")
    yield _case("dense", DENSE, [1], "rho=0", "none-dropped")
    half = RuleNumbers(rho_T=0.5)
    yield _case("empty-confident", SPARSE, [], "empty", "none-dropped", numbers=half)
    yield _case("empty-certain", SPARSE, [], "empty", "all-dropped", "rho=0")
    signed = _columns((-0.5, -0.25, -0.125), (0.5, 0.5, 0.0), (1.0, 0.0, 0.0))
    yield _case("all-negative", signed, [0], "signed", "all-dropped", "rho=0")
    yield _case("cancels", signed, [0, 1], "signed", "sum", "rho=0")
    yield from _equalities()
    yield from _around_eta()
    yield from _around_confidence()
    yield from _masses()


def _equalities() -> Iterator[Case]:
    """η = 1/8, δk = 1/16 and a sum of 1/16: all of it exact in doubles."""
    numbers = RuleNumbers(m=1, h=1, delta=2.0**-5, delta_prime=0.75)
    one = _columns((0.9375, 0.0625), (0.5, 0.5))
    yield _case("equality", one, [0], "equality", "rho=0", "delta-k", numbers=numbers)
    two = _columns((0.96875, 0.03125), (0.96875, 0.03125))
    yield _case("equality-of-sum", two, [0, 1], "equality", "sum", "rho=0", numbers=numbers)


def _around_eta() -> Iterator[Case]:
    """Sums and multiples of δ on both sides of η, at a safe distance."""
    eta, tiny = PredictionInputs(SPARSE, (0,), RuleNumbers()).eta, RuleNumbers(delta=2.0**-60)
    small = _columns((eta * 0.999, eta * 1.001, 1.0), (0.0, 0.5, 0.5), (1.0, 0.0, 0.0))
    yield _case("around-eta", small, [0], "near", "rho=0", numbers=tiny)
    parts = _columns((eta * 0.6, 0.5, 0.5), (eta * 0.6, 0.5, 0.5), (0.0, 1.0, 0.0))
    yield _case("sum-of-small", parts, [0, 1], "sum", "rho=0", numbers=tiny)
    above = _columns((eta * 2, 1.0, eta * 20), (0.0, 0.5, 0.5), (1.0, 0.0, 0.0))
    yield _case("above-eta", above, [0], "rho=0", "none-dropped", numbers=tiny)
    largest, more = RuleNumbers(delta=2.9 * eta), RuleNumbers(delta=eta * 0.5)
    less = RuleNumbers(delta=eta * 0.3)
    yield _case("largest-delta", SPARSE, [0], "delta-k", "none-dropped", numbers=largest)
    yield _case("delta-not-times-k", SPARSE, [0], "delta-k", "rho=0", numbers=more)
    yield _case("delta-times-k", SPARSE, [0], "delta-k", "rho=0", numbers=less)


def _around_confidence() -> Iterator[Case]:
    """Negative sums that nearly cancel the confidence term."""
    usual, early = RuleNumbers(rho_T=0.05), RuleNumbers(rho_T=0.25, h=7)
    yield _at("nine-or-eighteen", [1.02, 0.9, 1.3], usual, "nine-or-eighteen")
    yield _at("confidence", [0.995, 1.2, 0.5], usual, "logarithm")
    yield _at("confidence-of-two", [0.995, 1.1], early, "logarithm")
    first = RuleNumbers(rho_T=0.01, h=1, m=2, d=3)
    yield _at("few-samples", [0.995, 1.1, 0.98], first, "logarithm")
    long = RuleNumbers(rho_T=0.01, h=999, m=1000)
    yield _at("long-sequence", [0.998, 1.1, 0.9], long, "late")
    wide = RuleNumbers(rho_T=0.1, d=3700)
    yield _at("wide-observations", [0.996, 1.06, 0.9], wide, "logarithm")
    five = RuleNumbers(rho_T=0.02, h=12)
    yield _at("five-tasks", [0.996, 1.06, 0.97, 1.5, -2.0], five, "logarithm")
    # log 18 has 1.022 in place of 1, log 27 (a square of k) 1.035, and h - 1 for h has 1.08
    seventh = RuleNumbers(rho_T=0.05, h=7)
    yield _at("no-more-than-eighteen", [1.029, 0.9, 1.3], seventh, "logarithm")


FOUR = _columns((0, 1, 1, 14), (1, 0, 14, 1), (8, 8, 0, 0), (4, 4, 4, 4)) / 16
"""Two tasks with likely successors, and two that could be followed by most."""


def _masses() -> Iterator[Case]:
    """T̂_h stochastic, ρ_T as proved, so that Theorem 3 keeps all; the mass rule does not."""
    tenth = RuleNumbers(rho_T=37.0, eta=0.1, e_T=0.01)
    yield _case("mass-one-possible", FOUR, [0], "mass", "joint", numbers=tenth)
    yield _case("mass-two-possible", FOUR, [0, 1], "mass", "sum", "asymmetric", numbers=tenth)
    yield _case("mass-by-columns", FOUR, [2], "mass", "asymmetric", numbers=tenth)
    yield _case("mass-nobody", FOUR, [3], "none-dropped", numbers=tenth)
    certain = _columns((0, 0, 0, 1), (0, 0, 1, 0), (0, 1, 0, 0), (1, 0, 0, 0)) * 1.0
    root, rough = replace(tenth, e_T=0.05), replace(tenth, e_T=0.07)
    yield _case("mass-root", certain, [0], "mass", "root", "one-stays", numbers=root)
    yield _case("mass-root-of-two", certain, [1], "mass", "root", "joint", numbers=rough)
    exact = replace(tenth, eta=0.125, e_T=0.0625)
    equal = _columns((13, 1, 2), (4, 8, 4), (8, 4, 4)) / 16
    yield _case("mass-equality", equal, [0], "mass", "equality", numbers=exact)
    order = _columns((0.07, 0.06, 0.87), (0.5, 0.25, 0.25), (0.25, 0.25, 0.5))
    yield _case("mass-order", order, [0], "mass", "joint", "order", numbers=tenth)
    first = _columns((0.05, 0.06, 0.0, 0.89), (0.0, 0.0, 0.07, 0.93), (0.25,) * 4, (0.25,) * 4)
    yield _case("mass-skipped", first, [0, 1], "mass", "joint", "order", numbers=tenth)
    yield _case("mass-one-task", np.ones((1, 1)), [0], "k=1", "none-dropped", numbers=tenth)
    even = replace(tenth, eta=0.75)
    both = _columns((0.75, 0.25), (0.5, 0.5))
    yield _case("mass-large-eta", both, [1], "mass", "one-stays", numbers=even)
    second = _columns((0.02, 0.08, 0.9), (0.095, 0.4, 0.505), (0.25, 0.25, 0.5))
    yield _case("mass-second-possible", second, [0, 1], "none-dropped", "sum", numbers=tenth)
    signed = _columns((-0.02, 0.05, 0.97), (0.25, 0.25, 0.5), (0.25, 0.25, 0.5))
    yield _case("mass-signed", signed, [0], "none-dropped", "signed", numbers=tenth)


def _drawn_cases(seed: int) -> Iterator[Case]:
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(13,)))
    for draw in range(1, 5):
        k = int(rng.integers(2, 6))
        T_hat = rng.dirichlet(np.ones(k), size=k).T * rng.integers(0, 2, size=(k, k))
        if draw % 2 == 0:
            T_hat = T_hat - rng.uniform(0, 0.5, size=(k, k))
        known = sorted(rng.choice(k, size=int(rng.integers(1, k + 1)), replace=False).tolist())
        numbers = RuleNumbers(
            h=int(rng.integers(1, 60)),
            m=int(rng.integers(60, 90)),
            rho_T=float(rng.choice([0.0, 0.001, 0.05])),
        )
        yield _case(f"drawn-{seed}-{draw}", T_hat, known, "drawn", numbers=numbers)
    T_hat = rng.dirichlet(np.full(4, 0.3), size=4).T
    numbers = RuleNumbers(rho_T=37.0, eta=0.2, e_T=0.02)
    yield _case(f"drawn-{seed}-5", T_hat, [0, 2], "drawn", numbers=numbers)


def cases(seed: int) -> Iterator[Case]:
    """Sparse, dense and signed T̂; all with δ ≤ δ'/(3m²), as the theorem asks."""
    yield from _edge_cases()
    yield from _drawn_cases(seed)


CAPABILITY = Capability(
    name="prediction",
    item="theorem-3",
    says="the labels that the rule of Theorem 3 keeps for the next task, or those that the mass "
    "rule keeps, which repairs it",
    input=(
        Field("T_hat", "real", ("k", "k"), "T̂_h, entry [θ][θ'] for θ after θ'; taken as it is"),
        Field("theta_bar", "integer", (ANY,), "Θ̄_h, labels that task h may have; may be empty"),
        Field("h", "integer", (), "tasks that T̂_h was estimated from"),
        Field("m", "integer", (), "tasks of the whole sequence"),
        Field("d", "integer", (), "SA(S+U), the length of an observation"),
        Field("delta", "real", (), "δ, the confidence of PTUM; at most δ'/(3m²)"),
        Field("delta_prime", "real", (), "δ'"),
        Field("rho_T", "real", (), "ρ_T, from 0 on"),
        Field("eta", "real", (), "η, mass rule only: probability of a miss per step"),
        Field("e_T", "real", (), "e^T_h, mass rule only: error of a column of T̂_h"),
    ),
    output=(Field("kept", "integer", (ANY,), "labels of Θ̃_{h+1}, in any order"),),
    readings=(*RULES, *MASS_RULES),
    cases=cases,
    judge=judge,
    tolerance=tolerance,
    flags=FLAGS,
    notes=(
        "“repaired” together with D90 is the mass rule; together with D91 it is the rule of "
        "Theorem 3 with log(18kdm²/δ') for the printed log(9kdm²/δ') (E36), as a doubled d gives",
        "the rule of Theorem 3 uses neither `eta` nor `e_T`: its own η is δ'/(3km²)",
        "the mass rule drops a set E with max_{θ'∈Θ̄_h} Σ_{θ∈E} T̂_h(θ,θ') + √|E| e^T_h ≤ η; E takes "
        "the least likely tasks, by max_{θ'∈Θ̄_h} T̂_h(θ,θ'), until one does not fit, or tasks in "
        "another order until none fits (D90), and one task always stays",
        "the mass rule drops nothing where Θ̄_h is empty, an entry of T̂_h is negative or a column "
        "does not sum to one within rounding",
        "the sum over an empty Θ̄_h is 0, so that the rule of Theorem 3 keeps every task if "
        "δk + ρ_T k √(log(9kdm²/δ')/h) is above η, and none otherwise",
        "where Θ̄_h is empty and Theorem 3 drops all, each answer to D91 is right, whatever the "
        "one is where the rule itself empties the set",
    ),
)
