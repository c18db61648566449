"""Theorems 2 and 3 of Section 4, printed and repaired, against numbers worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptum.reference.errors import InputError
from ptum.reference.repaired.sequential.analysis import sequential_bounds as repaired_4
from ptum.reference.repaired.sequential.analysis import spectral_bounds as repaired
from ptum.reference.sequential.analysis import sequential_bounds as section_4
from ptum.reference.sequential.analysis import spectral_bounds as printed
from ptum.reference.sequential.analysis.level import Level
from tests.support.closeness import OF_A_FORMULA, near

T_BY_HAND = [[0.5, 0.25], [0.5, 0.75]]
LEVEL = Level(S=3, A=2, U=7, h=5, delta_prime=0.1)


def delta_for(argument: float, log_value: float) -> float:
    """The δ' for which log(argument/δ') is the given number."""
    return argument * math.exp(-log_value)


class TestTheorems2And3:
    """Theorem 2 and Theorem 3 as printed, S = 3, A = 2, U = 7."""

    def test_theorem_2(self) -> None:
        """For ρ = 3 and δ' = 1/10: 3 log(2h²·60/δ') = 41.7 at h = 30, 44.2 at h = 46."""
        for h, met in ((30, False), (46, True)):
            found = section_4.theorem_2_condition(replace(LEVEL, h=h), rho=3)
            assert found is met
        border = 46 / math.log(2 * 46**2 * 60 / 0.1)
        for rho, met in ((border * (1 - 1e-9), True), (border * (1 + 1e-9), False)):
            found = section_4.theorem_2_condition(replace(LEVEL, h=46), rho=rho)
            assert found is met

    def test_theorem_3(self) -> None:
        """k = 2, d = 5, m = 7, h = 11: log(9·2·5·49/δ')."""
        T_hat = np.array([[0.75, 0.5], [0.25, 0.5]])
        found = section_4.theorem_3_prediction(
            T_hat, (1,), h=11, m=7, k=2, d=5, delta=0.01, delta_prime=0.1, rho_T=3.0
        )
        added = 0.02 + 6 * math.sqrt(math.log(9 * 2 * 5 * 49 / 0.1) / 11)
        assert found == near([0.5 + added] * 2)

    def test_the_failure_that_theorem_3_allows(self) -> None:
        """δ'/(3m²) = 0.3/75 at m = 5."""

        def drops(delta: float) -> object:
            return section_4.theorem_3_eliminates(
                np.eye(2), (0,), h=3, m=5, k=2, d=4, delta=delta, delta_prime=0.3, rho_T=0.0
            )

        drops(0.3 / 75)
        with pytest.raises(InputError, match="delta: Theorem 3 for m = 5 tasks"):
            drops(math.nextafter(0.3 / 75, 1))


# Theorem 2.


def test_c_h_by_hand() -> None:
    # π²·9·12/½ = 216π²
    answer = section_4.c_h(Level(S=2, A=2, U=1, h=3, delta_prime=0.5))
    assert answer == near(216 * 9.869604401089358)


def test_repaired_theorem_2_condition_by_hand() -> None:
    # π²h²d = 432π² for h = 6: δ' = 432π²e⁻⁹ gives 6 ≥ 9ρ_3
    def speaks(rho_3: float) -> bool:
        return repaired_4.theorem_2_condition(
            Level(S=2, A=2, U=1, h=6, delta_prime=delta_for(432 * math.pi**2, 9)), rho_3=rho_3
        )

    assert speaks(0.666)
    assert not speaks(0.667)


def test_theorem_2_excludes_its_threshold_and_the_repair_includes_it() -> None:
    def log_printed(h: int) -> float:
        return math.log(2 * h**2 * 2 / 0.5)

    def log_repaired(h: int) -> float:
        return math.log(section_4.c_h(Level(S=1, A=1, U=1, h=h, delta_prime=0.5)))

    h = next(h for h in range(2, 100) if h / log_printed(h) * log_printed(h) == h)
    assert not section_4.theorem_2_condition(
        Level(S=1, A=1, U=1, h=h, delta_prime=0.5), rho=h / log_printed(h)
    )
    h = next(h for h in range(2, 100) if h / log_repaired(h) * log_repaired(h) == h)
    assert repaired_4.theorem_2_condition(
        Level(S=1, A=1, U=1, h=h, delta_prime=0.5), rho_3=h / log_repaired(h)
    )


def test_the_printed_condition_of_theorem_2_admits_too_small_h() -> None:
    def admitted(h: int) -> tuple[bool, bool]:
        paper = section_4.theorem_2_condition(Level(S=2, A=2, U=2, h=h, delta_prime=0.1), rho=10)
        ours = repaired_4.theorem_2_condition(Level(S=2, A=2, U=2, h=h, delta_prime=0.1), rho_3=10)
        return paper, ours

    only_printed = [h for h in range(1, 1000) if admitted(h) == (True, False)]
    assert only_printed == list(range(160, 178))


def test_theorem_2_bound_by_hand() -> None:
    # c = 192π²/δ' for h = 4: δ' = 192π²e⁻⁹ gives 6·√(9/4)
    answer = section_4.theorem_2_bound(
        Level(S=2, A=2, U=1, h=4, delta_prime=delta_for(192 * math.pi**2, 9)), rho_any=6
    )
    assert answer == near(9)


def test_theorem_2_is_lemma_14_at_its_share_of_the_failure_probability() -> None:
    for h in (1, 7, 1000):
        share = 6 * 0.1 / (math.pi**2 * h**2)
        lemma = printed.reward_error_bound(Level(S=3, A=2, U=4, h=h, delta_prime=share), rho_4=2)
        theorem = section_4.theorem_2_bound(
            Level(S=3, A=2, U=4, h=h, delta_prime=0.1), rho_any=2 * 4
        )
        assert theorem == near(lemma)


# Theorem 3 as printed.


def test_theorem_3_eta_by_hand() -> None:
    # 0.6/(3·2·100)
    assert section_4.theorem_3_eta(k=2, m=10, delta_prime=0.6) == near(0.001)


def test_theorem_3_fires_when_its_constants_vanish() -> None:
    # η = ½/6; the first task has prediction of order 10⁻⁸, the second 1
    eliminated = section_4.theorem_3_eliminates(
        [[0, 0], [1, 1]], [0], h=1, m=1, k=2, d=2, delta=1e-9, delta_prime=0.5, rho_T=1e-9
    )
    assert eliminated.tolist() == [True, False]
    # one task, ρ_T = 0: the prediction is δ = ½/3, which is η itself
    at_threshold = section_4.theorem_3_eliminates(
        [[0]], [0], h=1, m=1, k=1, d=2, delta=0.5 / 3, delta_prime=0.5, rho_T=0
    )
    assert at_threshold.tolist() == [True]


def test_theorem_3_prints_half_of_the_logarithm_s_argument() -> None:
    """Lemma 15 at level δ'/(3km²) asks for log(18kdm²/δ'); the theorem has 9 instead of 18."""
    tasks, horizon, S, A, U = 3, 5, 2, 2, 1
    nothing = np.zeros((tasks, tasks))
    lemma = printed.next_task_bound(
        nothing,
        [],
        Level(S=S, A=A, U=U, h=4, delta_prime=0.1 / (3 * tasks * horizon**2)),
        rho_T=1 / tasks,
        delta=0,
    )
    theorem = section_4.theorem_3_prediction(
        nothing,
        [],
        h=4,
        m=horizon,
        k=tasks,
        d=S * A * (S + U),
        delta=1e-300,
        delta_prime=0.1,
        rho_T=1 / tasks,
    )
    assert 4 * (float(lemma[0]) ** 2 - float(theorem[0]) ** 2) == near(math.log(2))


@st.composite
def sequences(draw: st.DrawFn) -> dict[str, int]:
    """Sizes of a run of Theorem 3: at least two tasks, and h no later than m."""
    horizon = draw(st.integers(1, 50) | st.integers(1, 10**7))
    h = draw(st.integers(1, horizon) | st.just(horizon))
    return {"k": draw(st.integers(2, 6)), "m": horizon, "h": h, "d": draw(st.integers(2, 10**4))}


@given(
    sizes=sequences(),
    level=st.floats(1e-12, 1 - 1e-12),
    delta_share=st.sampled_from((1e-12, 0.1, 1.0)),
    factor=st.floats(1, 1e3) | st.just(1.0),
    data=st.data(),
)
def test_the_printed_theorem_3_never_drops_a_task(
    sizes: dict[str, int], level: float, delta_share: float, factor: float, data: st.DataObject
) -> None:
    """ρ_T ≥ 8√k(1+√5) makes the left side at least 73 √(log(18·2)/m), and η ≤ 1/(6m²)."""
    tasks = sizes["k"]
    entries = st.lists(st.just(0.0) | st.floats(0, 1), min_size=tasks**2, max_size=tasks**2)
    T_hat = np.reshape(data.draw(entries), (tasks, tasks))
    theta_bar = data.draw(st.lists(st.integers(0, tasks - 1), unique=True))
    eliminated = section_4.theorem_3_eliminates(
        T_hat,
        theta_bar,
        **sizes,
        delta=level / (3 * sizes["m"] ** 2) * delta_share,
        delta_prime=level,
        rho_T=factor * 8 * math.sqrt(tasks) * (1 + math.sqrt(5)),
    )
    assert not eliminated.any()


@given(sizes=sequences(), level=st.floats(1e-12, 1 - 1e-12))
def test_at_the_largest_delta_even_exact_knowledge_of_T_drops_nothing(
    sizes: dict[str, int], level: float
) -> None:
    """δ = δ'/(3m²) makes δk = k²η; with half of η/k for δ the same rule drops everything."""
    nothing = np.zeros((sizes["k"], sizes["k"]))
    eta = section_4.theorem_3_eta(k=sizes["k"], m=sizes["m"], delta_prime=level)

    def eliminated(delta: float) -> list[bool]:
        answer = section_4.theorem_3_eliminates(
            nothing, [], **sizes, delta=delta, delta_prime=level, rho_T=0
        )
        return [bool(x) for x in answer]

    assert not any(eliminated(level / (3 * sizes["m"] ** 2)))
    assert all(eliminated(eta / (2 * sizes["k"])))


# Theorem 3 repaired.

CYCLE = np.array(
    [
        [0.015, 0.0, 0.015, 0.97],
        [0.97, 0.015, 0.0, 0.015],
        [0.015, 0.97, 0.015, 0.0],
        [0.0, 0.015, 0.97, 0.015],
    ]
)
"""Each task is followed by the next one, rarely by itself or by the one after."""


@pytest.mark.parametrize(
    ("eta", "dropped"),
    [
        (0.009, set()),  # 0 + √1/100 > η
        (0.011, {3}),
        (0.030, {3, 0}),  # .015 + √2/100 = .0291; of two equals the lower number goes first
        (0.048, {3, 0, 2}),  # .030 + √3/100 = .0473
        (0.999, {3, 0, 2}),  # one task always stays
    ],
)
def test_the_repaired_rule_drops_by_hand(eta: float, dropped: set[int]) -> None:
    eliminated = repaired_4.theorem_3_eliminates(CYCLE, [0], e_T=0.01, eta=eta)
    assert set(np.flatnonzero(eliminated).tolist()) == dropped


def test_the_repaired_rule_looks_at_the_worst_current_task() -> None:
    # From 0 or 1 the successors 1 and 2 are likely, 3 and 0 have at most .015.
    assert repaired_4.elimination_order(CYCLE, [0, 1]) == (0, 3, 1, 2)
    eliminated = repaired_4.theorem_3_eliminates(CYCLE, [0, 1], e_T=0.001, eta=0.03)
    assert eliminated.tolist() == [True, False, False, True]


def test_the_repaired_rule_drops_nothing_when_nothing_is_known() -> None:
    assert not repaired_4.theorem_3_eliminates(CYCLE, [0], e_T=math.inf, eta=0.99).any()


def as_distribution(weights: list[int]) -> list[float]:
    return [weight / sum(weights) for weight in weights]


COLUMNS = st.integers(2, 5).flatmap(
    lambda tasks: st.lists(
        st.lists(st.integers(0, 30), min_size=tasks, max_size=tasks).filter(any),
        min_size=2 * tasks,
        max_size=2 * tasks,
    )
)


@given(columns=COLUMNS, eta=st.floats(0.01, 0.99), nearness=st.floats(0, 1), data=st.data())
def test_the_repaired_rule_keeps_its_promise(
    columns: list[list[int]], eta: float, nearness: float, data: st.DataObject
) -> None:
    """True mass of the dropped tasks ≤ η in every column of Θ̄, whatever T̂ within e^T_h."""
    tasks = len(columns) // 2
    drawn = np.array([as_distribution(weights) for weights in columns])
    T = drawn[:tasks].T
    mixed = nearness * drawn[:tasks] + (1 - nearness) * drawn[tasks:]
    T_hat = (mixed / mixed.sum(axis=1, keepdims=True)).T
    e_T = float(np.linalg.norm(T - T_hat, axis=0).max())
    theta_bar = data.draw(st.lists(st.integers(0, tasks - 1), min_size=1, unique=True))
    eliminated = repaired_4.theorem_3_eliminates(T_hat, theta_bar, e_T=e_T, eta=eta)
    assert T[eliminated][:, theta_bar].sum(axis=0).max() <= eta + OF_A_FORMULA
    assert not eliminated.all()


@given(columns=COLUMNS, eta=st.floats(0.01, 0.99), e_T=st.floats(0, 0.2))
def test_the_repaired_rule_drops_as_many_as_fit(
    columns: list[list[int]], eta: float, e_T: float
) -> None:
    tasks = len(columns) // 2
    T_hat = np.array([as_distribution(weights) for weights in columns[:tasks]]).T
    dropped = int(repaired_4.theorem_3_eliminates(T_hat, [0], e_T=e_T, eta=eta).sum())
    order = repaired_4.elimination_order(T_hat, [0])
    fits = [
        repaired.next_task_bound(T_hat, [0], order[:size], e_T=e_T) <= eta
        for size in range(tasks + 1)
    ]
    assert fits[dropped]
    assert dropped == tasks - 1 or not fits[dropped + 1]


BAD_INPUT: dict[str, tuple[str, Callable[[], object]]] = {
    "T̂ with another k": (
        "T_hat",
        lambda: section_4.theorem_3_eliminates(
            [[1]], [0], h=1, m=1, k=2, d=2, delta=0.01, delta_prime=0.5, rho_T=1
        ),
    ),
    "T̂ not projected": (
        "T_hat (by columns)",
        lambda: repaired_4.theorem_3_eliminates([[1.1, 0], [-0.1, 1]], [0], e_T=0.1, eta=0.5),
    ),
    "task named twice": ("theta_bar", lambda: repaired_4.elimination_order(T_BY_HAND, [1, 1])),
    "no current task": ("theta_bar", lambda: repaired_4.elimination_order(T_BY_HAND, [])),
    "threshold one": (
        "eta",
        lambda: repaired_4.theorem_3_eliminates(T_BY_HAND, [0], e_T=0.1, eta=1.0),
    ),
}


@pytest.mark.parametrize("name", BAD_INPUT)
def test_bad_input_is_refused_by_name(name: str) -> None:
    argument, call = BAD_INPUT[name]
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.argument == argument
