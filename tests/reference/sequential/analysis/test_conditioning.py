"""The constants of Appendix D read off hidden Markov models that can be worked out by hand."""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, replace

import numpy as np
import pytest

from ptum.reference.arrays import ROUNDING, Floats
from ptum.reference.errors import InputError
from ptum.reference.experiments.chain import task_chain
from ptum.reference.inequalities import Bound
from ptum.reference.repaired.sequential.analysis import conditioning as repaired
from ptum.reference.repaired.sequential.analysis.sequential_bounds import theorem_2_model_error
from ptum.reference.repaired.sequential.analysis.spectral_bounds import sigma_k_floor
from ptum.reference.sequential.analysis import conditioning as printed
from ptum.reference.sequential.analysis import spectral_bounds
from ptum.reference.sequential.analysis.conditioning import (
    Conditioning,
    PrintedConstants,
    column_gap,
    conditioning,
    dobrushin,
    first_view_distribution,
    mixing,
    printed_bounds,
    printed_constants,
    require_dimension,
    stationary_distribution,
    theorem_2_level,
)
from ptum.reference.sequential.analysis.level import Level, required_h
from ptum.reference.sequential.analysis.sequential_bounds import theorem_2_bound
from ptum.reference.sequential.hmm import HMM, population_moments
from ptum.reference.sequential.observations import observation_matrix
from tests.support.closeness import OF_A_FORMULA, near
from tests.support.hidden import SINGULAR, UNIFORM_3, Sizes, cycle, drawn_hmm, three_tasks

HALF = np.array([0.5, 0.5])
TWO_TASKS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
"""S = A = 1, U = 2, rewards that tell the task: O^T O = [[2, 1], [1, 2]], eigenvalues 3 and 1."""


def staying(chance: float) -> HMM:
    """Two tasks that are kept with the given chance, uniform distribution."""
    T = np.array([[chance, 1 - chance], [1 - chance, chance]])
    return HMM(O=TWO_TASKS, T=T, initial=HALF)


def drawn(seed: int, *, mixing: float = 0.3) -> HMM:
    rng = np.random.default_rng(seed)
    return drawn_hmm(rng, 2 + seed % 3, Sizes(S=2, A=2, U=2), mixing=mixing)


# Singular values.


def test_two_tasks_by_hand() -> None:
    # T/2 has eigenvalues 1/2 and 0.4, T²/2 has 1/2 and 0.32, on the eigenvectors of O^T O.
    found = conditioning(staying(0.9), HALF)
    assert found.lambda_max_Sigma_21 == near(1.5)
    assert found.sigma_k_Sigma_21 == near(0.4)
    assert found.sigma_k_Sigma_31 == near(0.32)
    assert found.lambda_min_Sigma_31 == 0
    assert found.sigma_k_O == near(1)
    assert found.sigma_k_T == near(0.8)
    assert found.column_gap == near(math.sqrt(2))
    assert found.omega_min == near(0.5)
    # κ(T^s) = 0.8^s
    assert found.g == near(0.8 / (1 - 0.512))
    assert near(4) == found.G


def test_three_cycle_seen_by_all_triples() -> None:
    hmm = HMM(O=observation_matrix(three_tasks()), T=cycle(3), initial=UNIFORM_3)
    found = conditioning(hmm, UNIFORM_3)
    assert found.sigma_k_Sigma_31 == pytest.approx(0.555, abs=5e-4)
    assert found.sigma_k_O == pytest.approx(1.2032, abs=5e-5)
    assert found.column_gap == pytest.approx(1.8385, abs=5e-5)
    assert found.sigma_k_T == near(1)
    assert found.g == found.G == math.inf
    assert found.omega_min == near(1 / 3)


def test_three_cycle_seen_by_disjoint_triples() -> None:
    first = np.array([1.0, 0.0, 0.0])
    hmm = HMM(O=observation_matrix(three_tasks()), T=cycle(3), initial=first)
    assert first_view_distribution(hmm, 300).tolist() == first.tolist()
    assert first_view_distribution(hmm, 302, overlapping=True) == near(UNIFORM_3)
    found = conditioning(hmm, first)
    assert found.lambda_max_Sigma_21 > 1
    assert found.sigma_k_Sigma_21 == found.sigma_k_Sigma_31 == 0


def test_independent_tasks_cannot_be_told_apart() -> None:
    # Reward blocks (.9,.1,.8,.2) and (.2,.8,.3,.7), next state always the same: Σ_31 = mean ⊗ mean,
    # ‖mean‖² = .55² + .45² + .55² + .45² + 2 = 3.01.
    O = np.array([[0.9, 0.1, 0.8, 0.2, 1, 1], [0.2, 0.8, 0.3, 0.7, 1, 1]]).T
    found = conditioning(HMM(O=O, T=np.full((2, 2), 0.5), initial=HALF), HALF)
    assert found.lambda_max_Sigma_21 == near(3.01)
    assert found.sigma_k_Sigma_31 == found.sigma_k_T == 0
    assert found.g == found.G == 0
    constants = repaired.repaired_constants(found, S=1, A=2, U=2, rho_1=1, rho_2=1)
    assert constants.rho_3 == constants.rho_4 == constants.rho_6 == math.inf


def test_a_singular_ergodic_chain() -> None:
    hmm = HMM(O=observation_matrix(three_tasks()), T=SINGULAR, initial=UNIFORM_3)
    found = conditioning(hmm, UNIFORM_3)
    assert found.sigma_k_T == found.sigma_k_Sigma_31 == 0
    assert found.omega == near(np.array([3, 2, 2]) / 7)
    assert 0 < found.g < math.inf


def test_more_tasks_than_numbers_in_an_observation() -> None:
    found = conditioning(HMM(O=np.ones((1, 2)), T=np.eye(2), initial=HALF), HALF)
    assert found.sigma_k_O == found.sigma_k_Sigma_31 == 0
    assert found.lambda_min_Sigma_31 == near(1)
    assert found.column_gap == 0


@pytest.mark.parametrize("seed", range(30))
def test_singular_values_are_those_of_the_moments(seed: int) -> None:
    hmm = drawn(seed)
    found = conditioning(hmm, hmm.initial)
    moments = population_moments(hmm, hmm.initial)
    of_21 = np.linalg.svd(moments.Sigma_21, compute_uv=False)
    of_31 = np.linalg.svd(moments.Sigma_31, compute_uv=False)
    off = 2 * (4 * hmm.k + hmm.d) * ROUNDING  # of the largest singular value, for both (D99)
    of_both = {"abs": off * of_21[0], "rel": 0}
    assert found.lambda_max_Sigma_21 == pytest.approx(of_21[0], **of_both)
    assert found.sigma_k_Sigma_21 == pytest.approx(of_21[hmm.k - 1], **of_both)
    assert found.sigma_k_Sigma_31 == pytest.approx(of_31[hmm.k - 1], abs=off * of_31[0], rel=0)
    assert found.column_gap >= math.sqrt(2) * found.sigma_k_O * (1 - OF_A_FORMULA)
    # The products of non-zero singular values differ by |det T|, so one is below the other.
    assert found.sigma_k_Sigma_31 <= found.lambda_max_Sigma_21


# Mixing.


def of_powers(number: int, k: int) -> float:
    """What a sum of κ(T), …, κ(T^number) loses: every power k + 2 roundings more than the last."""
    return number * (number + 1) / 2 * (k + 2) * ROUNDING


def test_the_papers_chain_by_reflection() -> None:
    """Less its drift the chain is a walk on Z_8 that moves by ±1 with probability 0.015 each.

    Two walks from opposite tasks, reflected at the two points half-way, are a maximal coupling:
    κ(T^s) = P(the walk needs more than s steps to move by 2). The mean of that time is 4 moves of
    1/0.03 steps, and G lacks the term s = 0. For g, that probability is a(λ_+, λ_-) with the
    eigenvalues 0.97 ± 0.015√2 of the walk stopped there.
    """
    found = mixing(task_chain(8))
    lost = of_powers(found.kappa.size, 8)
    assert pytest.approx(4 / 0.03 - 1, abs=found.G_tail + lost) == found.G
    root = math.sqrt(2)
    parts = [((1 + s * root) / 2, 0.97 + s * 0.015 * root) for s in (1, -1)]
    g = sum(weight * rate / (1 - rate**3) for weight, rate in parts)
    assert g == pytest.approx(44.44, abs=0.005)
    assert pytest.approx(g, abs=found.g_tail + lost) == found.g
    third = sum(weight * rate**3 for weight, rate in parts)
    assert found.kappa[2] == near(third)
    assert found.kappa[0] == near(1)
    assert int(np.argmax(found.kappa <= 0.25)) + 1 == 179


@pytest.mark.parametrize("seed", range(20))
def test_mixing_brackets_the_sums(seed: int) -> None:
    T = drawn(seed).T
    exact = mixing(T)
    assert exact.kappa.size < 400
    by_hand = [printed.dobrushin(_power(T, s)) for s in range(1, 400)]
    lost = 2 * of_powers(400, len(T))
    assert pytest.approx(sum(by_hand), abs=exact.G_tail + lost) == exact.G
    assert pytest.approx(sum(by_hand[::3]), abs=exact.g_tail + lost) == exact.g
    short = mixing(T, most_powers=3)
    assert short.kappa.size == 3
    assert short.G - short.G_tail <= exact.G <= short.G * (1 + OF_A_FORMULA)
    assert short.g - short.g_tail <= exact.g <= short.g * (1 + OF_A_FORMULA)
    assert exact.g <= exact.G
    assert np.all(np.diff(exact.kappa) <= OF_A_FORMULA)


def _power(T: Floats, s: int) -> Floats:
    power = np.linalg.matrix_power(T, s)
    normalised: Floats = power / power.sum(axis=0)
    return normalised


@pytest.mark.parametrize(
    ("T", "finite"),
    [
        (np.eye(2), False),
        (cycle(2), False),
        (cycle(4), False),
        (np.array([[1.0, 0.3], [0.0, 0.7]]), True),  # task 1 is left for good
        (np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.0, 0.0, 0.0]]), False),  # two classes
        (np.full((3, 3), 1 / 3), True),
    ],
)
def test_the_sums_are_finite_for_one_class_without_period(T: Floats, finite: bool) -> None:
    found = mixing(T)
    assert math.isfinite(found.g) == math.isfinite(found.G) == finite


@pytest.mark.parametrize("k", [2, 3, 5, 8])
def test_a_long_cycle_with_one_short_cut_mixes_in_the_end(k: int) -> None:
    # 0 → 1 → … → k-1 → 0, and k-1 → 1: the slowest primitive pattern. κ(T^s) = 1 for long.
    T = cycle(k, forward=1.0)
    T[:, k - 1] = 0
    T[0, k - 1] += 0.5
    T[1 % k, k - 1] += 0.5
    found = mixing(T)
    assert math.isfinite(found.G)
    slow = int(np.sum(found.kappa > 1 - OF_A_FORMULA))
    assert slow < k * (k - 1) / 2
    assert slow >= (k - 1) ** 2 / 2 - 1


def test_stationary_distribution_of_two_classes_and_of_a_cycle() -> None:
    assert printed.stationary_distribution(np.eye(2)) is None
    periodic = printed.stationary_distribution(cycle(4))
    assert periodic == near(np.full(4, 0.25))


def test_without_a_stationary_distribution_no_weight_is_sure() -> None:
    found = conditioning(HMM(O=TWO_TASKS, T=np.eye(2), initial=HALF), HALF)
    assert found.omega is None
    assert found.omega_min == 0
    assert found.sigma_k_Sigma_31 > 0  # in expectation over the first task all is well
    constants = repaired.uniform_constants(found, S=1, A=1, U=2, rho_1=1, rho_2=1)
    assert constants.rho_3 == constants.rho_4 == math.inf


@pytest.mark.parametrize("seed", range(20))
def test_stationary_distribution_is_stationary(seed: int) -> None:
    T = drawn(seed).T
    omega = printed.stationary_distribution(T)
    assert omega is not None
    k = len(T)
    residual = 3 * k * 2 ** (k - 1) * k * ROUNDING  # Wilkinson's, for k equations with norm k
    assert T @ omega == pytest.approx(omega, abs=residual, rel=0)
    assert float(omega.sum()) == near(1)


# The floor under σ_k(Σ_31).


@pytest.mark.parametrize("seed", range(30))
def test_sigma_k_stays_above_its_floor_from_any_start(seed: int) -> None:
    hmm = drawn(seed)
    start = np.zeros(hmm.k)
    start[seed % hmm.k] = 1
    hmm = HMM(O=hmm.O, T=hmm.T, initial=start)
    at_start = conditioning(hmm, start)
    assert at_start.omega is not None
    for h in range(3, 60):
        distribution = first_view_distribution(hmm, h)
        distance = float(np.abs(distribution - at_start.omega).sum()) / 2
        assert distance <= (1 + at_start.g) / (h // 3)
    h = math.ceil(required_h(_floor(at_start, 3)))
    floor = _floor(at_start, h)
    assert floor.premises_met
    assert first_view_distribution(hmm, h).min() >= at_start.omega_min / 2
    assert conditioning(hmm, first_view_distribution(hmm, h)).sigma_k_Sigma_31 >= floor.bound


def _floor(found: Conditioning, h: int) -> Bound:
    return sigma_k_floor(
        sigma_k_O=found.sigma_k_O,
        sigma_k_T=found.sigma_k_T,
        omega_min=found.omega_min,
        g_mix=found.g,
        h=h,
    )


# Constants and bounds.


def test_printed_constants_by_hand() -> None:
    found = conditioning(staying(0.9), HALF)
    literal = printed.printed_constants(found, S=1, A=1, U=2, rho_1=1, rho_2=2)
    assert literal.rho_3 == literal.rho_4 == literal.rho_5 == literal.rho_6 == math.inf
    kth = printed.printed_constants(found, S=1, A=1, U=2, rho_1=1, rho_2=2, lambda_min="kth")
    assert kth.rho_3 == near(4 / 0.1024)  # max{1, 1/1.5², 4/0.32²}
    assert kth.rho_4 == near(28 / 0.32)  # 4·1.5·2 + 4 + 8·1.5 over 0.32
    assert kth.rho_5 == near(4 * 2 * 87.5**2)
    assert kth.rho_6 == near(8 * math.sqrt(2) * (1 + math.sqrt(5)) * 87.5)


def test_repaired_constants_by_hand() -> None:
    found = conditioning(staying(0.9), HALF)
    g, root = 0.8 / 0.488, math.sqrt(5)
    C = 2 * root * (math.sqrt(1 + 4 * g) + 1 + g)
    at_distribution = repaired.repaired_constants(found, S=1, A=1, U=2, rho_1=1, rho_2=2)
    assert near(C) == at_distribution.C_S
    assert at_distribution.rho_3 == near(4 * C**2 / 0.1024)
    B = math.sqrt(2)
    rho_4 = (12 + B * C) / 0.32 + 8 * 1.5 * B * C / 0.1024
    assert at_distribution.rho_4 == near(rho_4)
    assert at_distribution.rho_5 == near(8 * rho_4**2)
    assert at_distribution.rho_6 == near(2 * (2 + rho_4))


def test_uniform_constants_by_hand() -> None:
    # With s = 0.16: 2B²ρ_2/s + BC/s + 4B³C/s²
    found = conditioning(staying(0.9), HALF)
    uniform = repaired.uniform_constants(found, S=1, A=1, U=2, rho_1=1, rho_2=2)
    B, C, s = math.sqrt(2), uniform.C_S, 0.16
    assert uniform.rho_3 == near(4 * C**2 / s**2)
    expected = 2 * B**2 * 2 / s + B * C / s + 4 * B**3 * C / s**2
    assert uniform.rho_4 == near(expected)


@pytest.mark.parametrize("seed", range(30))
def test_the_uniform_premise_implies_that_of_the_floor(seed: int) -> None:
    hmm = drawn(seed)
    found = conditioning(hmm, hmm.initial)
    uniform = repaired.uniform_constants(found, S=2, A=2, U=2, rho_1=0, rho_2=1)
    floor = _floor(found, 1)
    assert uniform.rho_3 == near(4 * uniform.C_S**2 / floor.bound**2)
    assert uniform.rho_3 >= required_h(floor)
    h = min(math.ceil(uniform.rho_3), 10_000)
    assert h >= required_h(floor), "the floor is promised from there on, and 10000 tasks are enough"
    at_h = conditioning(hmm, first_view_distribution(hmm, h))
    there = repaired.repaired_constants(at_h, S=2, A=2, U=2, rho_1=0, rho_2=1)
    assert there.rho_4 <= uniform.rho_4
    assert there.rho_3 <= uniform.rho_3


@pytest.mark.parametrize("seed", range(10))
def test_repaired_constants_exceed_the_printed_ones(seed: int) -> None:
    # Equation 8 lacks the size and the mixing, Lemma 11 a factor 1/σ_k.
    hmm = drawn(seed)
    found = conditioning(hmm, hmm.initial)
    kth = printed.printed_constants(found, S=2, A=2, U=2, rho_1=0, rho_2=0, lambda_min="kth")
    fixed = repaired.repaired_constants(found, S=2, A=2, U=2, rho_1=0, rho_2=0)
    assert fixed.rho_3 > kth.rho_3
    assert fixed.rho_4 > kth.rho_4


def test_printed_bounds_at_the_level_of_theorem_2_are_its_bounds() -> None:
    found = conditioning(staying(0.9), HALF)
    kth = printed.printed_constants(found, S=1, A=1, U=2, rho_1=1, rho_2=2, lambda_min="kth")
    level = printed.theorem_2_level(h=500, delta_prime=0.1)
    bounds = printed.printed_bounds(
        kth, Level(S=1, A=1, U=2, h=500, delta_prime=level), gamma=0.5, sigma_bar=0.25
    )

    def theorem(rho_any: float) -> float:
        return theorem_2_bound(Level(S=1, A=1, U=2, h=500, delta_prime=0.1), rho_any=rho_any)

    assert bounds.O.bound == near(theorem(87.5))
    assert bounds.r == near(theorem(87.5 * 2))
    assert bounds.p == near(theorem(87.5 / 0.5))
    assert bounds.sigma_r == near(theorem(87.5 * 2 * 3))  # 1/(2·¼) + 1
    assert bounds.sigma_p == near(theorem(87.5 / 0.5 * 5))  # 1/(2·¼·½) + 1
    assert bounds.T.bound == near(theorem(kth.rho_6))
    assert bounds.mu_3.bound == near(theorem(2))
    assert not bounds.T.premises_met
    literal = printed.printed_constants(found, S=1, A=1, U=2, rho_1=1, rho_2=2)
    empty = printed.printed_bounds(
        literal, Level(S=1, A=1, U=2, h=10**12, delta_prime=0.1), gamma=0.5, sigma_bar=0.25
    )
    assert not empty.O.premises_met
    assert empty.r == empty.sigma_p == math.inf


@pytest.mark.parametrize("h", [10**9, 10**12, 10**16])
def test_repaired_bounds_at_the_level_of_theorem_2_are_its_bounds(h: int) -> None:
    found = conditioning(staying(0.9), HALF)
    constants = repaired.uniform_constants(found, S=1, A=1, U=2, rho_1=1, rho_2=2)
    level = printed.theorem_2_level(h=h, delta_prime=0.1)
    bounds = repaired.repaired_bounds(
        constants, found, Level(S=1, A=1, U=2, h=h, delta_prime=level), gamma=0.5, sigma_bar=0.25
    )
    whole = Level(S=1, A=1, U=2, h=h, delta_prime=0.1)
    e_h = theorem_2_bound(whole, rho_any=constants.rho_4)
    theorem = theorem_2_model_error(
        whole, rho_3=constants.rho_3, rho_4=constants.rho_4, gamma=0.5, sigma_bar=0.25
    )
    assert bounds.O.bound == near(e_h)
    assert bounds.O.premises_met == theorem.premises_met
    assert bounds.errors.Delta == near(theorem.bound)
    assert bounds.names_kept == (e_h < math.sqrt(2) / 4)
    assert bounds.moments <= constants.C_S * bounds.mu_3.bound / 2  # ρ_2 = 2


def test_a_periodic_chain_has_no_repaired_bound_across_tasks() -> None:
    hmm = HMM(O=observation_matrix(three_tasks()), T=cycle(3), initial=UNIFORM_3)
    found = conditioning(hmm, UNIFORM_3)
    constants = repaired.repaired_constants(found, S=2, A=2, U=2, rho_1=1, rho_2=1)
    bounds = repaired.repaired_bounds(
        constants, found, Level(S=2, A=2, U=2, h=10**9, delta_prime=0.1), gamma=0.9, sigma_bar=None
    )
    assert not bounds.O.premises_met
    assert not bounds.names_kept
    assert bounds.moments == bounds.errors.Delta == math.inf


# Bad input.

FOUND = conditioning(staying(0.9), HALF)
REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "distribution of another size": (lambda: conditioning(staying(0.9), UNIFORM_3), "first_view"),
    "distribution that is none": (lambda: conditioning(staying(0.9), [0.5, 0.6]), "first_view"),
    "no powers": (lambda: mixing(np.eye(2), most_powers=0), "most_powers"),
    "T by rows": (lambda: mixing([[0.5, 0.5], [0.0, 1.0]]), "T"),
    "κ of no chain": (lambda: printed.dobrushin([[0.5, 0.5], [0.0, 1.0]]), "T"),
    "sizes of another model": (
        lambda: printed.printed_constants(FOUND, S=2, A=2, U=2, rho_1=1, rho_2=1),
        "conditioning.d",
    ),
    "sizes of another model, repaired": (
        lambda: repaired.uniform_constants(FOUND, S=2, A=2, U=2, rho_1=1, rho_2=1),
        "conditioning.d",
    ),
    "negative constant": (
        lambda: repaired.repaired_constants(FOUND, S=1, A=1, U=2, rho_1=-1, rho_2=1),
        "rho_1",
    ),
    "level of no h": (lambda: printed.theorem_2_level(h=0, delta_prime=0.1), "h"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_by_name(name: str) -> None:
    call, argument = REFUSED[name]
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.argument == argument


LAZY = np.array([[0.75, 0.25], [0.25, 0.75]])
"""κ(T^s) = 2⁻ˢ, exactly also in doubles."""


def model(initial: tuple[float, float] = (0.5, 0.5)) -> HMM:
    """Two tasks with orthogonal observations of length 3."""
    return HMM(O=np.eye(3)[:, :2], T=np.array([[0.5, 0.25], [0.5, 0.75]]), initial=initial)  # type: ignore[arg-type]


class TestZero:
    """D99: a singular value that rounding can have made."""

    def test_the_border_is_zero(self) -> None:
        """8 roundings of 4."""
        border = 8 * ROUNDING * 4
        for least, found in ((border, 0.0), (math.nextafter(border, 1), math.nextafter(border, 1))):
            assert printed._singular_value(np.array([4.0, least]), 2, 8) == found

    def test_there_is_no_third_of_two(self) -> None:
        sigma = np.array([4.0, 2.0])
        assert [printed._singular_value(sigma, n, 8) for n in (1, 2, 3)] == [4.0, 2.0, 0.0]

    def test_roundings_of_each_matrix(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """4k + d = 11 for the moments, 4 + d = 7 for O, 4 + k = 6 for T."""
        asked = []

        def recorded(_: object, number: int, roundings: int) -> float:
            asked.append((number, roundings))
            return float(len(asked))

        monkeypatch.setattr(printed, "_singular_value", recorded)
        found = conditioning(model(), [0.5, 0.5])
        assert asked == [(3, 11), (2, 11), (2, 11), (2, 7), (2, 6)]
        assert [
            found.lambda_min_Sigma_31,
            found.sigma_k_Sigma_21,
            found.sigma_k_Sigma_31,
            found.sigma_k_O,
            found.sigma_k_T,
        ] == [1.0, 2.0, 3.0, 4.0, 5.0]

    def test_a_model_by_hand(self) -> None:
        """T diag(π) with π = (1/2, 1/2), O of orthonormal columns: values of T/2 and T²/2."""
        T = model().T
        found = conditioning(model(), [0.5, 0.5])
        of_21, of_31 = (np.linalg.svd(M / 2, compute_uv=False) for M in (T, T @ T))
        assert found.lambda_max_Sigma_21 == near(of_21[0])
        assert found.sigma_k_Sigma_21 == near(of_21[1])
        assert found.sigma_k_Sigma_31 == near(of_31[1])
        assert found.lambda_min_Sigma_31 == 0.0
        assert found.sigma_k_O == near(1.0)
        assert found.omega_min == near(1 / 3)
        assert (found.k, found.d) == (2, 3)
        assert found.column_gap == near(math.sqrt(2))

    def test_gaps_of_columns(self) -> None:
        """Columns 0, 3 and 7 on a line."""
        assert column_gap(np.array([[0.0, 3.0, 7.0]])) == 3.0
        assert column_gap(np.array([[7.0, 0.0, 3.0]])) == 3.0
        assert column_gap(np.array([[7.0]])) == math.inf


class TestFirstView:
    """Averages of the distribution of the first task of a triple, begun in task 0."""

    START = model((1.0, 0.0))

    def test_overlapping_triples(self) -> None:
        """From task 0 the next distribution is (1/2, 1/2), then (3/8, 5/8)."""
        for h, expected in ((3, [1.0, 0.0]), (4, [0.75, 0.25]), (5, [0.625, 0.375])):
            found = first_view_distribution(self.START, h, overlapping=True)
            assert found == near(expected)

    def test_disjoint_triples(self) -> None:
        """Three steps from task 0: (11/32, 21/32)."""
        for h, expected in ((3, [1.0, 0.0]), (5, [1.0, 0.0]), (6, [43 / 64, 21 / 64])):
            assert first_view_distribution(self.START, h) == near(expected)

    @pytest.mark.parametrize("h", [2, 1])
    def test_two_tasks_make_no_triple(self, h: int) -> None:
        with pytest.raises(InputError, match="h: three tasks make the first triple"):
            first_view_distribution(self.START, h)


class TestStationaryDistribution:
    """Unique if some task can be reached from all."""

    def test_by_hand(self) -> None:
        assert stationary_distribution(model().T) == near([1 / 3, 2 / 3])

    def test_tasks_that_are_left_have_no_weight(self) -> None:
        """0 and 1 lead to 2, which stays."""
        found = stationary_distribution([[0.5, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.5, 1.0]])
        assert found is not None
        assert found.tolist() == [0.0, 0.0, 1.0]

    def test_a_long_way(self) -> None:
        """0 → 1 → 2 → 3 → 4, which stays: four steps, nothing less reaches it from all."""
        T = np.eye(5, k=-1)
        T[4, 4] = 1.0
        found = stationary_distribution(T)
        assert found is not None
        assert found.tolist() == [0.0, 0.0, 0.0, 0.0, 1.0]

    def test_one_task(self) -> None:
        found = stationary_distribution([[1.0]])
        assert found is not None
        assert found.tolist() == [1.0]


class TestMixing:
    """Sums of κ(T^s) = 2⁻ˢ."""

    def test_sums_and_tails(self) -> None:
        """Three terms, 1/2 + 1/4 + 1/8, and κ(T³) = 1/8: S/(1 - 1/8)."""
        found = mixing(LAZY, tolerance=0.2)
        assert found.kappa.tolist() == [0.5, 0.25, 0.125]
        assert (found.G, found.G_tail) == (1.0, 0.125)
        assert (found.g, found.g_tail) == (0.5 / 0.875, 0.5 / 0.875 - 0.5)

    def test_a_tolerance_is_reached_with_equality(self) -> None:
        assert len(mixing(LAZY, tolerance=0.125).kappa) == 3
        assert len(mixing(LAZY, tolerance=math.nextafter(0.125, 0)).kappa) == 6

    def test_powers_are_counted_in_threes(self) -> None:
        for most, computed in ((1, 3), (3, 3), (4, 6), (6, 6), (7, 9)):
            assert len(mixing(LAZY, most_powers=most).kappa) == computed

    @pytest.mark.parametrize("tolerance", [0.0, -0.5, 1.0, 1.5])
    def test_tolerances(self, tolerance: float) -> None:
        mixing(LAZY, tolerance=math.nextafter(1.0, 0.0), most_powers=1)
        mixing(LAZY, tolerance=math.ulp(0.0), most_powers=1)
        with pytest.raises(InputError, match="tolerance: must lie in"):
            mixing(LAZY, tolerance=tolerance)

    def test_defaults(self) -> None:
        """2⁻⁴² ≤ 10⁻¹² < 2⁻³⁹."""
        assert len(mixing(LAZY).kappa) == 42
        assert len(conditioning(model(), [0.5, 0.5]).mixing.kappa) == 21  # κ = 4⁻ˢ

    def test_thirty_thousand_powers(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked = []

        def recorded(_: object, tolerance: float, most_powers: int) -> list[float]:
            asked.append((tolerance, most_powers))
            return [0.5, 0.5, 0.5]

        monkeypatch.setattr(printed, "_contractions", recorded)
        mixing(LAZY)
        conditioning(model(), [0.5, 0.5])
        assert asked == [(1e-12, 30_000)] * 2

    def test_a_power_that_rounding_puts_above_one_does_not_contract(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        above = [1.0, 1.0, math.nextafter(1.0, 2.0)]
        monkeypatch.setattr(printed, "_contractions", lambda *_: above)
        assert (mixing(LAZY).g, mixing(LAZY).G) == (math.inf, math.inf)

    def test_tasks_that_meet_late(self) -> None:
        """0 → 1 → 2 → 0 or 1: copies in 0 and 1 cannot meet before the third step."""
        T = np.array([[0.0, 0.0, 0.5], [1.0, 0.0, 0.5], [0.0, 1.0, 0.0]])
        found = mixing(T)
        assert found.kappa[:3].tolist() == [1.0, 1.0, 0.5]
        assert math.inf > found.G

    def test_tasks_that_meet_after_thirteen_steps(self) -> None:
        """0 → 1 → … → 5 → 0 or 1: some two copies cannot meet earlier; 15 steps tell for k = 6."""
        T = np.roll(np.eye(6), 1, axis=0)
        T[:2, 5] = 0.5
        found = mixing(T, most_powers=15)
        assert found.kappa[11] == 1.0
        assert found.kappa[12] < 1.0
        assert math.isfinite(found.G)

    @pytest.mark.parametrize("T", [np.eye(2), np.eye(2)[::-1]], ids=["classes", "period"])
    def test_tasks_that_never_meet(self, T: object) -> None:
        found = mixing(T)  # type: ignore[arg-type]
        assert found.kappa.tolist() == [1.0, 1.0, 1.0]
        assert (found.g, found.G, found.g_tail, found.G_tail) == (math.inf,) * 4

    def test_one_task_has_forgotten_at_once(self) -> None:
        found = mixing([[1.0]])
        assert (found.kappa.tolist(), found.g, found.G) == ([0.0, 0.0, 0.0], 0.0, 0.0)

    def test_distances(self) -> None:
        """Columns (3/4, 1/4, 0), (1/4, 3/4, 0) and (0, 0, 1)."""
        assert dobrushin(LAZY) == 0.5
        assert dobrushin([[0.75, 0.25, 0.0], [0.25, 0.75, 0.0], [0.0, 0.0, 1.0]]) == 1.0


class TestPrintedBounds:
    """S = 1, A = 1, U = 2: observations of length 3."""

    FOUND = conditioning(model(), [0.5, 0.5])

    def test_readings_of_the_least_singular_value(self) -> None:
        sizes = {"S": 1, "A": 1, "U": 2}
        least = printed_constants(self.FOUND, rho_1=1, rho_2=1, lambda_min="least", **sizes)
        assert least.rho_3 == math.inf
        assert printed_constants(self.FOUND, S=1, A=1, U=2, rho_1=1, rho_2=1) == least
        kth = printed_constants(self.FOUND, rho_1=1, rho_2=1, lambda_min="kth", **sizes)
        assert kth.rho_3 < math.inf
        with pytest.raises(InputError, match="lambda_min: must be"):
            printed_constants(self.FOUND, rho_1=1, rho_2=1, lambda_min="last", **sizes)  # type: ignore[arg-type]

    @pytest.mark.parametrize("U", [1, 3])
    def test_dimensions(self, U: int) -> None:
        found: Conditioning = self.FOUND
        require_dimension(found, S=1, A=1, U=2)
        with pytest.raises(InputError, match="must be SA"):
            require_dimension(found, S=1, A=1, U=U)

    def test_a_third_of_the_level(self) -> None:
        constants = PrintedConstants(2.0, 3.0, 5.0, 7.0, 11.0, 13.0)
        found = printed_bounds(
            constants, Level(S=1, A=1, U=2, h=17, delta_prime=0.3), gamma=0.5, sigma_bar=0.25
        )
        third = 0.3 / 3
        assert found.moments == spectral_bounds.moment_error_bound(h=17, delta_prime=third)
        whole = Level(S=1, A=1, U=2, h=17, delta_prime=0.3)
        shared = replace(whole, delta_prime=third)
        for bound, expected in (
            (found.mu_3, spectral_bounds.mu_error_bound(shared, rho_1=2.0, rho_2=3.0)),
            (found.O, spectral_bounds.observation_error_bound(whole, rho_3=5.0, rho_4=7.0)),
            (found.T, spectral_bounds.transition_error_bound(whole, rho_5=11.0, rho_6=13.0)),
        ):
            assert asdict(bound) == asdict(expected)

    def test_levels(self) -> None:
        assert theorem_2_level(h=5, delta_prime=0.1) == near(0.6 / (math.pi**2 * 25))
