"""Everything outside the premises is refused by name, place and value; nothing is made to fit.

Where a range has ends, the last value inside and the first one outside are tried.
"""

from __future__ import annotations

import math
import re
from collections import UserList
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt
import pytest

from ptum.reference.arrays import (
    LARGEST_SCALE,
    ROUNDING,
    Floats,
    frozen,
    require_distributions,
    require_scale,
    sealed,
)
from ptum.reference.errors import (
    InputError,
    NotANumberError,
    is_integer,
    is_number,
    quoted,
    require,
    require_accuracy,
    require_all,
    require_budget,
    require_confidence,
    require_count,
    require_discount,
    require_error,
    require_numbers,
    require_probability,
    require_seed,
    require_sequence,
    require_table,
    shown,
)
from ptum.reference.repaired.transfer import stopping as repaired_stopping
from ptum.reference.repaired.transfer.ptum import ptum as repaired_ptum
from ptum.reference.sequential.analysis.level import Level
from ptum.reference.sequential.analysis.sequential_bounds import c_h
from ptum.reference.tasks.generative import Simulator, ask, checked, require_target
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, deterministic_rewards
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.analysis.concentration import bernstein_width
from ptum.reference.transfer.assumptions import ModelErrors, model_errors, single
from ptum.reference.transfer.confidence import log_term, log_term_sigma
from ptum.reference.transfer.fallback import samples_per_pair
from ptum.reference.transfer.information import excess_gap
from ptum.reference.transfer.ptum import PtumResult, ptum
from ptum.reference.transfer.stopping import (
    enters_transfer_mode,
    stopping_slack,
    transfer_threshold,
)
from tests.support.borders import assert_borders
from tests.support.closeness import near
from tests.support.instances import bandit, bernoulli_bandit, two_states, walk
from tests.support.oracles import Silent

NAN, INF = math.nan, math.inf
TINY = math.ulp(0.0)
BELOW_ONE, ABOVE_ONE = math.nextafter(1.0, 0.0), math.nextafter(1.0, 2.0)
ANY_VALUE = object()
TWO_ARMS = approximate_models([bandit([1.0, 0.0], 0.0), bandit([0.0, 1.0], 0.0)])


def _refused(
    call: Callable[[], object],
    argument: str,
    index: tuple[int, ...] | None = None,
    value: object = ANY_VALUE,
) -> InputError:
    """The call raises InputError about this argument, place and value, and its message says so."""
    with pytest.raises(InputError) as caught:
        call()
    error = caught.value
    assert error.argument == argument
    assert error.index == index
    if value is not ANY_VALUE:
        assert repr(error.value) == repr(value)  # which a NaN has in common with another one
        assert str(value) in str(error)
    assert argument in str(error)
    return error


def _mdp(**changes: object) -> MDP:
    """A good task with two states and one action, and some fields replaced."""
    fields: dict[str, Any] = {
        "p": [[[0.5, 0.5]], [[0.0, 1.0]]],
        "q": [[[0.5, 0.5]], [[1.0, 0.0]]],
        "u": [0.0, 1.0],
        "gamma": 0.9,
    }
    return MDP(**(fields | changes))


def test_the_unchanged_task_is_good() -> None:
    assert _mdp().S == 2


class TestNumbers:
    """The ranges of γ, δ, ε, Δ and of counts."""

    @pytest.mark.parametrize(
        ("check", "good", "bad"),
        [
            (require_discount, (0, 0.0, BELOW_ONE), (-TINY, -0.5, 1.0, 1.5, True, "0.5", math.nan)),
            (require_confidence, (TINY, 0.5, BELOW_ONE), (0.0, -0.5, 1.0, 1.5, True, math.nan)),
            (
                lambda value: require_probability(value, "p"),
                (0, 0.0, 0.5, 1, 1.0),
                (-TINY, -0.5, ABOVE_ONE, 2, True, "0.5", math.nan),
            ),
            (require_accuracy, (0.0, 0.5, 1.5, 1e308), (-TINY, -0.5, math.inf, False, math.nan)),
            (require_error, (0.0, 0.5, 1.5, math.inf), (-TINY, -0.5, False, "0", math.nan)),
            (require_budget, (1, 2, np.int64(3)), (0, -1, 1.0, True)),
            (
                lambda value: require_count(value, "n"),
                (1, 2, 10**31),
                (0, -1, 1.5, True, 10**31 + 1),
            ),
            (require_seed, (0, 1, 2**128 - 1), (-1, 1.5, True, 2**128)),
            (
                lambda value: samples_per_pair(1, 1, 0.0, 1.0, value),
                (1e-180, 0.5),
                (TINY, math.nextafter(1e-180, 0.0)),
            ),
        ],
        ids=["gamma", "delta", "chance", "epsilon", "Delta", "n", "count", "seed", "log 1/delta"],
    )
    def test_ranges(
        self, check: Callable[[object], None], good: tuple[object], bad: tuple[object]
    ) -> None:
        assert_borders(check, good, bad)

    def test_scale(self) -> None:
        """One entry decides, the largest; an array of zeros has no scale, an empty one neither."""
        least = 1 / LARGEST_SCALE
        good: list[list[float]] = [
            [],
            [0.0, 0.0],
            [0.0, -least],
            [least, TINY],
            [LARGEST_SCALE, TINY],
        ]
        bad = ([0.0, math.nextafter(least, 0.0)], [1.0, -math.nextafter(LARGEST_SCALE, INF)])
        assert_borders(lambda values: require_scale(np.array(values), "tensor"), good, bad)

    def test_kinds(self) -> None:
        values = (1, 1.5, np.int64(1), np.float32(1), Fraction(1, 2), True, "1", None, 1j)
        assert [is_number(value) for value in values] == [True] * 5 + [False] * 4
        assert [is_integer(value) for value in values] == [
            *(True, False, True, False, False),
            *([False] * 4),
        ]

    def test_messages_name_the_place_and_the_value(self) -> None:
        assert str(InputError("x", "is odd")) == "x: is odd"
        assert str(InputError("x", "is odd", index=(0, 1), value=0)) == "x[0, 1]: is odd (found 0)"
        require(True, "x", "is odd")
        with pytest.raises(InputError, match=r"^x\[2\]: is odd \(found 3\)$"):
            require(False, "x", "is odd", index=(2,), value=3)

    def test_the_first_bad_entry_is_named(self) -> None:
        values = np.array([[1.0, 2.0, 0.0], [4.0, 5.0, 6.0]])
        require_all(values >= 0, values, "x", "is negative")
        with pytest.raises(InputError, match=r"^x\[0, 1\]: is above one \(found 2\.0\)$"):
            require_all(values <= 1, values, "x", "is above one")

    def test_a_text_that_reads_like_a_number_keeps_its_quotes(self) -> None:
        for given, told in (("0.5", "'0.5'"), ("-.5", "'-.5'"), ("half", "half"), (0.5, "0.5")):
            assert quoted(given) == told
            with pytest.raises(InputError, match=rf"^x: is odd \(found {re.escape(told)}\)$"):
                require(False, "x", "is odd", value=given)

    @pytest.mark.parametrize(
        ("length", "told"), [(199, "x" * 199), (200, "x" * 200), (201, "x" * 200 + " …")]
    )
    def test_long_values_are_cut(self, length: int, told: str) -> None:
        assert shown("x" * length) == told

    def test_numbers_that_are_none_are_found_behind_others(self) -> None:
        """An integer, which no double may hold, is passed over; what comes after it is not."""
        require_numbers(first=10**400, second=0.5, third=np.array([INF]))
        for bad in (NAN, np.array([0.0, NAN])):
            with pytest.raises(NotANumberError, match=r"^second is not a number"):
                require_numbers(first=10**400, second=bad, third=0.5)

    def test_tables_that_fit(self) -> None:
        """2²⁷ numbers, however they are arranged."""
        good: list[tuple[int, ...]] = [(1,), (2**27,), (2**14, 2**13), (2**26, 1, 2)]
        bad: list[tuple[int, ...]] = [(2**27 + 1,), (2**14 + 1, 2**13), (2**27, 2)]
        assert_borders(lambda sides: require_table("S", *sides), good, bad)

    def test_lists(self) -> None:
        """A text and a mapping can be gone through too, but are no lists of what is meant."""
        for good in ([1, 2], (1, 2), range(1, 3), iter([1, 2]), np.array([1, 2])):
            assert require_sequence(good, "u", "rewards") == (1, 2)
        for bad in ("12", b"12", {1: 2}, 12, None):
            call = partial(require_sequence, bad, "u", "rewards")
            _refused(call, "u", value=type(bad).__name__)
        no_axes = np.array(12)
        _refused(lambda: require_sequence(no_axes, "u", "rewards"), "u", value=no_axes)


class TestArrays:
    """`frozen` and `require_distributions`."""

    @pytest.mark.parametrize("ndim", [0, 2])
    def test_axes_are_counted(self, ndim: int) -> None:
        with pytest.raises(InputError, match=f"x: must have {ndim} axes"):
            frozen([1.0, 2.0], "x", ndim)

    def test_copies_are_read_only(self) -> None:
        given = np.array([1.0, 2.0])
        assert not frozen(given, "x", 1).flags.writeable
        assert given.flags.writeable
        assert not sealed(given).flags.writeable

    @pytest.mark.parametrize("values", [[True], [1], np.array([1], dtype=np.uint8), [Fraction(1)]])
    def test_numbers_of_every_kind(self, values: npt.ArrayLike) -> None:
        np.testing.assert_array_equal(frozen(values, "x", 1), [1.0])

    @pytest.mark.parametrize(
        "values", [["1"], [1j], [None], [Fraction(1), "1"], [b"1"], np.array([], dtype="M8[s]")]
    )
    def test_what_only_reads_like_one(self, values: npt.ArrayLike) -> None:
        with pytest.raises(InputError, match="x: is not an array of real numbers"):
            frozen(values, "x", 1)

    @pytest.mark.parametrize(
        ("values", "place", "wanted", "found"),
        [
            ([[[1.0], [1.0, 0.0]]], "[0, 1]", "a row of length 1", "a row of length 2"),
            ([[[1], [1]], [[1]]], "[1]", "a row of length 2", "a row of length 1"),
            ([[[1, 2]], [[1]]], "[1, 0]", "a row of length 2", "a row of length 1"),
            ([[[1, [2, 3]]]], "[0, 0, 1]", "a single entry", "a row of length 2"),
            ([[np.ones(2)], [np.ones(3)]], "[1, 0]", "a row of length 2", "a row of length 3"),
            ([[[1], 2]], "[0, 1]", "a row of length 1", "a single entry"),
            ([[[1], "ab"]], "[0, 1]", "a row of length 1", "a single entry"),
            ([[[1], np.array(2)]], "[0, 1]", "a row of length 1", "a single entry"),
            ([[1, [2, 3]]], "[0, 0]", "a row of length 2", "a single entry"),
            ([[], [1]], "[1]", "a row of length 0", "a row of length 1"),
        ],
    )
    def test_rows_that_are_not_equally_long(
        self, values: npt.ArrayLike, place: str, wanted: str, found: str
    ) -> None:
        """Numpy does not say where they are."""
        said = f"x{place}: must be {wanted}: all rows of a table are equally long (found {found})"
        with pytest.raises(InputError) as refused:
            frozen(values, "x", 3)
        assert str(refused.value) == said

    def test_a_list_inside_itself_is_no_table(self) -> None:
        values: list[Any] = []
        values.append(values)
        with pytest.raises(InputError, match=r"^x\[0\]: must be a single entry"):
            frozen(values, "x", 1)

    def test_what_cannot_be_read_says_why(self) -> None:
        class Faulty:
            def __array__(self, *given: object, **named: object) -> Floats:
                raise RuntimeError("the file is gone")

        class Gone(UserList[float]):
            def __getitem__(self, _: object) -> NoReturn:
                raise RuntimeError("the file is gone")

        for values in (Faulty(), Gone()):
            with pytest.raises(InputError, match=r"^x: is not an array of numbers: the file is g"):
                frozen(values, "x", 1)

    @pytest.mark.parametrize("size", [2, 3, 8])
    def test_a_row_may_miss_one_by_four_roundings_for_each_entry(self, size: int) -> None:
        """D20; the sums are exact, for they are made of multiples of the rounding unit of one."""
        slack = 4 * size * ROUNDING
        for miss in (slack, -slack):
            require_distributions(self.five_rows(size, miss), "p")
            beyond = math.copysign(slack + ROUNDING, miss)
            with pytest.raises(InputError, match=r"p\[0\]: the row must sum to one"):
                require_distributions(self.five_rows(size, beyond), "p")

    @staticmethod
    def five_rows(size: int, miss: float) -> Floats:
        rows = np.zeros((5, size))
        rows[:, 0], rows[:, 1] = 0.5, 0.5 + miss
        return rows

    def test_a_probability_may_be_zero_but_no_less(self) -> None:
        require_distributions(np.array([[1.0, 0.0]]), "p")
        with pytest.raises(InputError, match=r"p\[0, 0\]: a probability must not be negative"):
            require_distributions(np.array([[-0.5, 1.5]]), "p")


class TestTask:
    """Section 2."""

    @pytest.mark.parametrize(
        ("table", "index", "value"),
        [
            ([[[0.5, 0.5]], [[0.5, 0.25]]], (1, 0), 0.75),
            ([[[0.5, 0.5]], [[0.5, 0.5 + 1e-12]]], (1, 0), 1 + 1e-12),
            ([[[1.5, -0.5]], [[0.0, 1.0]]], (0, 0, 1), -0.5),
            ([[[0.5, 0.5]], [[NAN, 1.0]]], (1, 0, 0), NAN),
            ([[[0.5, 0.5]], [[INF, 1.0]]], (1, 0, 0), INF),
        ],
    )
    @pytest.mark.parametrize("name", ["p", "q"])
    def test_rows_that_are_no_distributions(
        self, name: str, table: npt.ArrayLike, index: tuple[int, ...], value: float
    ) -> None:
        _refused(lambda: _mdp(**{name: table}), name, index, value)

    def test_rounded_rows_are_good_and_kept_as_they_are(self) -> None:
        row = [0.3, 0.3, 0.1, 0.1, 0.1, 0.1]
        assert np.array(row).sum() != 1.0
        theta = MDP(p=np.ones((1, 1, 1)), q=np.array([[row]]), u=np.linspace(0, 1, 6), gamma=0.5)
        assert theta.q[0, 0].tolist() == row

    def test_the_smallest_task(self) -> None:
        theta = MDP(np.ones((1, 1, 1)), np.ones((1, 1, 1)), np.zeros(1), 0.5)
        assert (theta.S, theta.A) == (1, 1)

    @pytest.mark.parametrize("bad", [-0.1, -TINY, ABOVE_ONE, 7.0, NAN])
    def test_reward_values_outside_the_unit_interval(self, bad: float) -> None:
        assert _mdp(u=[0.0, 1.0]).u.tolist() == [0.0, 1.0]
        _refused(lambda: _mdp(u=[0.5, bad]), "u", (1,), bad)
        p = np.ones((1, 1, 1))
        _refused(lambda: deterministic_rewards(p, np.array([[bad]]), 0.5), "r", (0, 0), bad)
        _refused(lambda: bernoulli_rewards(p, np.array([[bad]]), 0.5), "r", (0, 0), bad)

    @pytest.mark.parametrize("bad", [-0.1, 1.0, 1.5, NAN, INF, "0.5", True])
    def test_discount(self, bad: object) -> None:
        _refused(lambda: _mdp(gamma=bad), "gamma", None, bad)

    @pytest.mark.parametrize("name", ["p", "q"])
    @pytest.mark.parametrize(
        "bad",
        [
            [[["0.5", "0.5"]], [["0", "1"]]],
            [[[0.5 + 1j, 0.5]], [[0.0, 1.0]]],
            [[[0.5, None]], [[0.0, 1.0]]],
        ],
    )
    def test_tables_that_are_no_tables_of_numbers(self, name: str, bad: object) -> None:
        error = _refused(lambda: _mdp(**{name: bad}), name)
        assert "number" in error.problem

    @pytest.mark.parametrize(
        ("change", "argument", "value"),
        [
            ({"p": [[0.5, 0.5]]}, "p", "shape (1, 2)"),
            ({"q": [[1.0]]}, "q", "shape (1, 1)"),
            ({"u": [[0.0]]}, "u", "shape (1, 1)"),
            ({"p": [[[0.5, 0.5]]]}, "p", (1, 1, 2)),
            ({"p": np.full((2, 1, 3), 1 / 3)}, "p", (2, 1, 3)),
            ({"p": np.ones((2, 1, 1))}, "p", (2, 1, 1)),
            ({"p": np.zeros((0, 1, 0))}, "p", (0, 1, 0)),
            ({"p": np.zeros((1, 0, 1))}, "p", (1, 0, 1)),
            ({"p": np.zeros((0, 0, 0))}, "p", (0, 0, 0)),
            ({"q": [[[1.0, 0.0]]]}, "q", (1, 1, 2)),
            ({"q": np.full((2, 2, 2), 0.5)}, "q", (2, 2, 2)),
            ({"q": np.full((3, 1, 2), 0.5)}, "q", (3, 1, 2)),
            ({"q": np.ones((2, 1, 1))}, "q", (2, 1, 1)),
            ({"q": np.zeros((2, 1, 0))}, "q", (2, 1, 0)),
            ({"u": [0.0, 0.5, 1.0]}, "q", (2, 1, 2)),
        ],
    )
    def test_axes_and_shapes(self, change: dict[str, object], argument: str, value: object) -> None:
        _refused(lambda: _mdp(**change), argument, None, value)

    def test_a_task_needs_a_reward_value(self) -> None:
        _refused(lambda: _mdp(u=[], q=np.zeros((2, 1, 0))), "q", (0, 0), 0.0)

    def test_rewards_by_pairs(self) -> None:
        """Two states, three actions: no two axes are alike."""
        p, r = np.zeros((2, 3, 2)), np.array([[0.0, 0.5, 1.0], [0.25, 0.5, 1.0]])
        p[:, :, 0] = 1
        deterministic, coin = deterministic_rewards(p, r, 0.5), bernoulli_rewards(p, r, 0.5)
        assert (deterministic.S, deterministic.A) == (2, 3)
        np.testing.assert_array_equal(deterministic.u, [0, 0.25, 0.5, 1])
        np.testing.assert_array_equal(deterministic.q[1, 0], [0, 1, 0, 0])
        np.testing.assert_array_equal(coin.u, [0, 1])
        np.testing.assert_array_equal(coin.q[1, 0], [0.75, 0.25])

    @pytest.mark.parametrize("shape", [(2, 2), (2, 4), (1, 3), (3, 3), (3, 2)])
    def test_one_reward_for_each_pair(self, shape: tuple[int, int]) -> None:
        p = np.zeros((2, 3, 2))
        p[:, :, 0] = 1
        for make in (deterministic_rewards, bernoulli_rewards):
            with pytest.raises(InputError, match=r"r: must have shape \(2, 3\)"):
                make(p, np.zeros(shape), 0.5)

    @pytest.mark.parametrize("build", [deterministic_rewards, bernoulli_rewards])
    def test_mean_rewards(self, build: Callable[[object, object, float], MDP]) -> None:
        p = np.full((2, 1, 2), 0.5)
        _refused(lambda: build(p, [[0.5], [1.5]], 0.9), "r", (1, 0), 1.5)
        _refused(lambda: build(p, [[0.5], [0.5]], 1.0), "gamma", None, 1.0)


class TestFamilies:
    """Several models."""

    def test_no_model(self) -> None:
        _refused(lambda: approximate_models([]), "models", None, 0)

    @pytest.mark.parametrize(
        ("other", "found"),
        [
            (TWO_ARMS.r.astype(np.float32), r"float32, shape \(2, 1, 2\)"),
            (TWO_ARMS.r.astype(np.complex128), r"complex128, shape \(2, 1, 2\)"),
            (TWO_ARMS.r[:1], r"float64, shape \(1, 1, 2\)"),
            (TWO_ARMS.r[[0, 1, 1]], r"float64, shape \(3, 1, 2\)"),
            ([[[1.0, 0.0]], [[0.0, 1.0]]], "list"),
        ],
    )
    def test_a_table_of_models_says_what_it_must_be_and_what_it_is(
        self, other: Any, found: str
    ) -> None:
        must = r"r: must be an array of float64 of shape \(2, 1, 2\)"
        with pytest.raises(InputError, match=rf"{must}.*\(found {found}\)"):
            replace(TWO_ARMS, r=other)

    @pytest.mark.parametrize("name", ["r", "p", "sigma_r", "V_star", "sigma_p", "V_pi"])
    def test_tables_of_models_are_finite(self, name: str) -> None:
        table = np.array(getattr(TWO_ARMS, name))
        table[-1] = INF
        changed: dict[str, Any] = {name: table}
        error = _refused(
            lambda: replace(TWO_ARMS, **changed), name, (1,) + (0,) * (table.ndim - 1), INF
        )
        assert error.problem == "must be finite"

    def test_actions_of_models_are_those_of_the_tasks(self) -> None:
        def check(action: int) -> None:
            replace(TWO_ARMS, pi_star=np.array([[0], [action]]))

        assert_borders(check, good=(0, 1), bad=(-1, 2))

    @pytest.mark.parametrize("bad", [0.25, 0.75])
    def test_models_have_the_discount_of_their_tasks(self, bad: float) -> None:
        models = approximate_models([bandit([0.5], 0.5)])
        _refused(lambda: replace(models, gamma=bad), "gamma")

    @pytest.mark.parametrize("bad", [None, "task", {"p": 1}])
    def test_what_is_no_task(self, bad: Any) -> None:
        good, kind = bandit([0.0], 0.5), type(bad).__name__
        _refused(lambda: approximate_models([bad]), "models", (0,), kind)
        _refused(lambda: approximate_models([good, bad]), "models", (1,), kind)

    def test_one_is_enough(self) -> None:
        models = approximate_models([walk([[0, 1, 1], [0, 1, 1]], [[0.0] * 3, [1.0] * 3], 0.25)])
        assert (models.k, models.S, models.A, models.gamma) == (1, 2, 3, 0.25)
        assert not models.pi_star.flags.writeable

    @pytest.mark.parametrize(
        ("stranger", "value"),
        [
            (bandit([0.0, 0.0], 0.5), "S=1, A=2"),
            (walk([[0], [1]], [[0.0], [0.0]], 0.5), "S=2, A=1"),
            (bandit([0.0], 0.25), 0.25),
        ],
        ids=["A", "S", "gamma"],
    )
    def test_one_that_differs(self, stranger: MDP, value: object) -> None:
        first = bandit([0.0], 0.5)
        _refused(lambda: approximate_models([first, stranger]), "models", (1,), value)
        _refused(lambda: approximate_models([first, first, stranger]), "models", (2,), value)
        _refused(lambda: approximate_models([stranger, first]), "models", (1,))

    @pytest.mark.parametrize("k", [1, 3])
    def test_as_many_true_models(self, k: int) -> None:
        _refused(lambda: model_errors([TWO_ARMS.tasks[0]] * k, TWO_ARMS), "true", None, k)

    @pytest.mark.parametrize(
        "stranger",
        [bandit([0.0], 0.0), bandit([0.0] * 3, 0.0), bandit([0.0, 0.5], 0.5)],
        ids=["fewer", "more", "gamma"],
    )
    def test_true_models_like_them(self, stranger: MDP) -> None:
        shape = (stranger.S, stranger.A, stranger.gamma)
        _refused(lambda: model_errors([TWO_ARMS.tasks[0], stranger], TWO_ARMS), "true", (1,), shape)

    def test_coins_of_other_chances(self) -> None:
        """1/2 for 1/10: means 0.4 apart, deviations 0.5 and 0.3."""
        models = approximate_models([bernoulli_bandit([0.1], 0.5)])
        found = model_errors([bernoulli_bandit([0.5], 0.5)], models)
        assert (found.r, found.sigma_r) == (near(0.4), near(0.2))

    @pytest.mark.parametrize("bad", [-0.5, NAN, "0"])
    @pytest.mark.parametrize("name", ["r", "p", "sigma_r", "sigma_p"])
    def test_errors_are_not_negative(self, name: str, bad: Any) -> None:
        good: dict[str, Any] = {"r": 0.0, "p": 0.0, "sigma_r": 0.0, "sigma_p": 0.0}
        assert ModelErrors(**good | {name: 0.5}).Delta == 0.5
        _refused(lambda: ModelErrors(**good | {name: bad}), f"Delta_max_{name}", None, bad)


class TestNumbersOfTheInputLine:
    """ε, δ, n and Δ, for the algorithm and for the functions that take them one by one."""

    @staticmethod
    def _run(**changes: object) -> PtumResult:
        numbers: dict[str, Any] = {"epsilon": 1.0, "delta": 0.1, "n": 5, "Delta": 0.0}
        return ptum(TWO_ARMS, Silent(), **(numbers | changes))

    def test_the_unchanged_numbers_are_good(self) -> None:
        assert self._run().queries == 0

    @pytest.mark.parametrize("bad", [-1e-9, NAN, INF, "1"])
    def test_accuracy(self, bad: Any) -> None:
        _refused(lambda: self._run(epsilon=bad), "epsilon", None, bad)
        _refused(lambda: transfer_threshold(bad, 0.5), "epsilon", None, bad)
        _refused(lambda: repaired_stopping.transfer_threshold(bad, 0.5), "epsilon", None, bad)
        _refused(lambda: stopping_slack(bad, 0.0, 0.5), "epsilon", None, bad)
        _refused(lambda: samples_per_pair(1, 1, 0.0, bad, 0.1), "epsilon", None, bad)

    @pytest.mark.parametrize("bad", [0.0, 1.0, -0.1, 1.1, NAN, "0.1"])
    def test_confidence(self, bad: Any) -> None:
        _refused(lambda: self._run(delta=bad), "delta", None, bad)
        _refused(lambda: log_term(1, 1, 1, 1, bad), "delta", None, bad)
        _refused(lambda: log_term_sigma(1, 1, 1, 1, bad), "delta", None, bad)
        _refused(lambda: samples_per_pair(1, 1, 0.0, 1.0, bad), "delta", None, bad)

    @pytest.mark.parametrize("bad", [0, -3, 2.5, 5.0, NAN, True, "5"])
    def test_counts(self, bad: Any) -> None:
        _refused(lambda: self._run(n=bad), "n", None, bad)
        _refused(lambda: log_term(1, 1, bad, 1, 0.1), "n", None, bad)
        _refused(lambda: log_term(bad, 1, 1, 1, 0.1), "S", None, bad)
        _refused(lambda: log_term(1, bad, 1, 1, 0.1), "A", None, bad)
        _refused(lambda: log_term_sigma(1, 1, 1, bad, 0.1), "k", None, bad)
        _refused(lambda: samples_per_pair(bad, 1, 0.0, 1.0, 0.1), "S", None, bad)
        _refused(lambda: samples_per_pair(1, bad, 0.0, 1.0, 0.1), "A", None, bad)
        _refused(lambda: c_h(Level(S=1, A=1, U=1, h=bad, delta_prime=0.1)), "h", None, bad)
        _refused(lambda: bernstein_width(1.0, bad, 1.0, 0.1), "n_samples", None, bad)

    @pytest.mark.parametrize("bad", [-1e-9, NAN, "0"])
    def test_model_errors(self, bad: Any) -> None:
        _refused(lambda: self._run(Delta=bad), "Delta", None, bad)
        _refused(lambda: single(bad), "Delta", None, bad)
        _refused(lambda: enters_transfer_mode(bad, 1.0, 0.5), "Delta", None, bad)
        _refused(lambda: repaired_stopping.enters_transfer_mode(bad, 1, 0.5), "Delta", None, bad)
        _refused(lambda: stopping_slack(1.0, bad, 0.5), "Delta", None, bad)
        _refused(lambda: excess_gap(np.ones((1, 1)), bad), "Delta", None, bad)

    @pytest.mark.parametrize("bad", [-0.1, 1.0, NAN])
    def test_discount(self, bad: float) -> None:
        _refused(lambda: transfer_threshold(1.0, bad), "gamma", None, bad)
        _refused(lambda: repaired_stopping.transfer_threshold(1.0, bad), "gamma", None, bad)
        _refused(lambda: stopping_slack(1.0, 0.0, bad), "gamma", None, bad)
        _refused(lambda: samples_per_pair(1, 1, bad, 1.0, 0.1), "gamma", None, bad)

    def test_bad_numbers_are_refused_before_anything_is_announced(self) -> None:
        events: list[object] = []
        _refused(lambda: self._run(delta=2.0, observer=events.append), "delta", None, 2.0)
        assert events == []


@dataclass(frozen=True)
class Broken:
    """A generative model with one answer, which may be anything."""

    answer: Any

    def sample(self, s: int, a: int) -> Any:  # noqa: ARG002
        """The answer."""
        return self.answer


class TestGenerativeModels:
    """Answers of somebody else's program."""

    @pytest.mark.parametrize("bad", [-0.1, -TINY, 1.1, NAN, INF, "1", None, 1j, True])
    def test_impossible_rewards(self, bad: object) -> None:
        _refused(
            lambda: ask(Broken((bad, 0)), 1, 2, S=3), "generative_model.sample(1, 2)", None, bad
        )

    @pytest.mark.parametrize("bad", [-1, 3, 4, 1.0, 0.5, NAN, INF, "1", None, True])
    def test_impossible_states(self, bad: object) -> None:
        _refused(
            lambda: ask(Broken((0.5, bad)), 1, 2, S=3), "generative_model.sample(1, 2)", None, bad
        )

    @pytest.mark.parametrize("bad", [None, 0.5, (0.5,), (0.5, 0, 0), "01"])
    def test_answers_that_are_no_pairs(self, bad: object) -> None:
        _refused(lambda: ask(Broken(bad), 0, 0, S=3), "generative_model.sample(0, 0)", None, bad)

    @pytest.mark.parametrize("bad", [object(), TWO_ARMS, None, type("Named", (), {"sample": 1})()])
    def test_things_that_cannot_be_queried(self, bad: Any) -> None:
        kind = type(bad).__name__
        _refused(lambda: ask(bad, 0, 0, S=3), "generative_model", None, kind)
        call: dict[str, Any] = {"epsilon": 0.5, "delta": 0.1, "n": 9, "Delta": 0.0}
        _refused(lambda: ptum(TWO_ARMS, bad, **call), "generative_model", None, kind)
        _refused(lambda: repaired_ptum(TWO_ARMS, bad, **call), "generative_model", None, kind)

    def test_a_fault_inside_a_generative_model_is_its_own(self) -> None:
        class Faulty:
            def sample(self, s: int, a: int) -> tuple[float, int]:
                raise AttributeError(f"no robot at {s}, {a}")

        with pytest.raises(AttributeError, match="no robot at 0, 0"):
            ask(Faulty(), 0, 0, S=3)

    @pytest.mark.parametrize(
        "answer",
        [(1, 2), (np.float64(1.0), np.int64(2)), [1.0, 2], (np.float32(1.0), 2), (0.0, 0)],
    )
    def test_good_answers_of_several_types(self, answer: tuple[float, int]) -> None:
        reward, successor = ask(Broken(answer), 0, 0, S=3)
        assert (reward, successor) == tuple(answer)
        assert (type(reward), type(successor)) == (float, int)

    def test_a_run_does_not_swallow_them(self) -> None:
        def run() -> object:
            return ptum(TWO_ARMS, Broken((2.0, 0)), epsilon=0.5, delta=0.1, n=9, Delta=0.0)

        _refused(run, "generative_model.sample(0, 0)", None, 2.0)

    SIMULATOR = Simulator(walk([[0, 1, 1], [0, 1, 1]], [[0.0, 0.5, 1.0]] * 2, 0.5), seed=0)

    def test_pairs_of_the_task(self) -> None:
        answers = [self.SIMULATOR.sample(s, a) for s in (0, 1) for a in (0, 1, 2)]
        assert answers == [(0.0, 0), (0.5, 1), (1.0, 1)] * 2

    @pytest.mark.parametrize("sizes", [(1, 3), (3, 3), (2, 2), (2, 4)])
    def test_targets_with_the_sizes_of_the_models(self, sizes: tuple[int, int]) -> None:
        require_target(self.SIMULATOR, 2, 3)
        _refused(lambda: require_target(self.SIMULATOR, *sizes), "generative_model")

    @pytest.mark.parametrize(
        ("bad", "value"),
        [(object(), "object"), (Broken, "the class Broken"), (Fraction, "the class Fraction")],
    )
    def test_targets_that_cannot_be_queried(self, bad: object, value: str) -> None:
        require_target(Broken(None), 2, 3)
        _refused(lambda: require_target(bad, 2, 3), "generative_model", None, value)

    def test_a_call_draws_no_more_than_a_table_holds(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Two numbers for every query, and room for eight."""
        monkeypatch.setattr("ptum.reference.errors.LARGEST_TABLE", 8)
        simulator = Simulator(bandit([0.5], 0.5), seed=0)
        assert simulator.sample_many(0, 0, 4)[0].tolist() == [0.5] * 4
        _refused(lambda: simulator.sample_many(0, 0, 5), "m", None, 10)

    @pytest.mark.parametrize("bad", [-1, 3, 4, 0.0, True])
    def test_queries_of_the_simulator(self, bad: Any) -> None:
        _refused(lambda: self.SIMULATOR.sample(bad, 0), "s", None, bad)
        _refused(lambda: self.SIMULATOR.sample(0, bad), "a", None, bad)
        _refused(lambda: self.SIMULATOR.sample(2, 0), "s", None, 2)

    @pytest.mark.parametrize("bad", [-1, 0.5, NAN, True])
    def test_seeds(self, bad: Any) -> None:
        _refused(lambda: Simulator(two_states(), bad), "seed", None, bad)

    def test_streams_go_on(self) -> None:
        """Two coins from one seed: the second sample of a pair is not the first again."""
        simulator = Simulator(bernoulli_bandit([0.5], 0.5), seed=0)
        assert {simulator.sample(0, 0)[0] for _ in range(20)} == {0.0, 1.0}


def test_an_accuracy_of_zero_has_no_sample_size() -> None:
    exact = _refused(lambda: samples_per_pair(1, 1, 0.0, 0.0, 0.1), "epsilon", None, 0.0)
    assert exact.problem == "no finite sample size gives an exact policy"
    _refused(lambda: samples_per_pair(1, 1, 0.0, 1e-200, 0.1), "epsilon", None, 1e-200)


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ((np.array(1.0), 0), "the reward must lie in [0, 1] (found 1.0 of type ndarray)"),
        ((Decimal("0.3"), 0), "the reward must lie in [0, 1] (found 0.3 of type Decimal)"),
        (("0.3", 0), "the reward must lie in [0, 1] (found '0.3')"),
        ((2, 0), "the reward must lie in [0, 1] (found 2)"),
        ((0.3, np.array(0)), "must be an integer from 0 to 0 (found 0 of type ndarray)"),
    ],
)
def test_what_looks_right_and_is_no_number_says_why(answer: object, found: str) -> None:
    with pytest.raises(InputError) as refusal:
        checked(answer, "target.sample(0, 0)", 1)
    assert str(refusal.value).endswith(found)
