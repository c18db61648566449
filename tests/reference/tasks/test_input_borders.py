"""What an input may just still be, and the first thing that it may not."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest

from ptum.reference.arrays import ROUNDING, Floats, frozen, require_distributions, sealed
from ptum.reference.errors import (
    InputError,
    is_integer,
    is_number,
    require,
    require_accuracy,
    require_all,
    require_budget,
    require_confidence,
    require_count,
    require_discount,
    require_error,
    require_probability,
)
from ptum.reference.tasks.generative import Simulator, ask
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, deterministic_rewards
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.assumptions import ModelErrors, model_errors
from tests.support.borders import assert_borders
from tests.support.closeness import near
from tests.support.instances import bandit, bernoulli_bandit, walk

TINY = math.ulp(0.0)
BELOW_ONE, ABOVE_ONE = math.nextafter(1.0, 0.0), math.nextafter(1.0, 2.0)


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
            (lambda value: require_count(value, "n"), (1, 2), (0, -1, 1.5, True)),
        ],
        ids=["gamma", "delta", "chance", "epsilon", "Delta", "n", "count"],
    )
    def test_ranges(
        self, check: Callable[[object], None], good: tuple[object], bad: tuple[object]
    ) -> None:
        assert_borders(check, good, bad)

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


def task(
    p: npt.ArrayLike = (((1.0,),),), q: npt.ArrayLike = (((1.0,),),), u: npt.ArrayLike = (0.0,)
) -> MDP:
    """One state, one action, one reward, unless it is said otherwise."""
    return MDP(np.array(p), np.array(q), np.array(u), 0.5)


class TestTask:
    """The shapes of p, q, u and r, and the range of rewards."""

    def test_the_smallest_task(self) -> None:
        assert (task().S, task().A) == (1, 1)

    @pytest.mark.parametrize("shape", [(0, 1, 0), (1, 0, 1), (0, 0, 0)])
    def test_a_state_and_an_action_are_needed(self, shape: tuple[int, ...]) -> None:
        with pytest.raises(InputError, match="p: needs a state and an action"):
            MDP(np.zeros(shape), np.zeros((*shape[:2], 1)), np.zeros(1), 0.5)

    @pytest.mark.parametrize("row", [(0.5, 0.5), (0.5, 0.25, 0.25)])
    def test_next_states_are_states(self, row: tuple[float, ...]) -> None:
        with pytest.raises(InputError, match=r"p: must have shape \(S, A, S\)"):
            task(p=[[row]])
        with pytest.raises(InputError, match=r"p: must have shape \(S, A, S\)"):
            task(p=np.ones((2, 1, 1)), q=np.ones((2, 1, 1)))

    @pytest.mark.parametrize("shape", [(1, 1, 2), (1, 2, 1), (2, 1, 1), (1, 1, 0)])
    def test_distributions_of_rewards_belong_to_pairs(self, shape: tuple[int, ...]) -> None:
        with pytest.raises(InputError, match=r"q: must have shape \(1, 1, 1\)"):
            task(q=np.ones(shape))

    def test_axes(self) -> None:
        for wrong in ({"p": [[1.0]]}, {"q": [[1.0]]}, {"u": [[0.0]]}):
            with pytest.raises(InputError, match="axes"):
                task(**wrong)

    @pytest.mark.parametrize("reward", [0.0, 1.0])
    def test_its_ends_belong_to_the_unit_interval(self, reward: float) -> None:
        assert task(u=[reward]).u.tolist() == [reward]

    @pytest.mark.parametrize("reward", [-0.5, -TINY, 1.5, ABOVE_ONE])
    def test_rewards_outside_of_the_unit_interval_are_refused(self, reward: float) -> None:
        with pytest.raises(InputError, match=r"u\[0\]: a reward must lie in"):
            task(u=[reward])
        for make in (deterministic_rewards, bernoulli_rewards):
            with pytest.raises(InputError, match=r"r\[0, 0\]: a reward must lie in"):
                make(np.ones((1, 1, 1)), np.array([[reward]]), 0.5)

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


class TestModels:
    """Models of one shape and one discount."""

    def test_none_is_too_few(self) -> None:
        with pytest.raises(InputError, match=r"models: at least one model.*\(found 0\)"):
            approximate_models([])

    def test_one_is_enough(self) -> None:
        models = approximate_models([walk([[0, 1, 1], [0, 1, 1]], [[0.0] * 3, [1.0] * 3], 0.25)])
        assert (models.k, models.S, models.A, models.gamma) == (1, 2, 3, 0.25)
        assert not models.pi_star.flags.writeable

    @pytest.mark.parametrize(
        ("first", "second", "problem"),
        [
            (bandit([0.0], 0.5), bandit([0.0, 0.0], 0.5), "another shape"),
            (bandit([0.0], 0.5), walk([[0], [1]], [[0.0], [0.0]], 0.5), "another shape"),
            (bandit([0.0], 0.5), bandit([0.0], 0.25), "another discount"),
        ],
        ids=["A", "S", "gamma"],
    )
    def test_the_second_differs(self, first: MDP, second: MDP, problem: str) -> None:
        for tasks in ((first, second), (second, first), (first, first, second)):
            with pytest.raises(InputError, match=rf"models\[{len(tasks) - 1}\]: has {problem}"):
                approximate_models(tasks)


class TestAssumption1:
    """As many true models as approximate ones, and like them."""

    MODELS = approximate_models([bandit([0.0, 0.5], 0.5), bandit([1.0, 0.5], 0.5)])

    @pytest.mark.parametrize("k", [1, 3])
    def test_as_many(self, k: int) -> None:
        with pytest.raises(InputError, match="true: needs 2 models"):
            model_errors([bandit([0.0, 0.5], 0.5)] * k, self.MODELS)

    @pytest.mark.parametrize(
        "stranger",
        [
            bandit([0.0], 0.5),
            bandit([0.0] * 3, 0.5),
            bandit([0.0, 0.5], 0.25),
            bandit([0.0, 0.5], 0.75),
        ],
    )
    def test_like_them(self, stranger: MDP) -> None:
        with pytest.raises(InputError, match=r"true\[1\]: must have the approximate models'"):
            model_errors([self.MODELS.tasks[0], stranger], self.MODELS)

    def test_coins_of_other_chances(self) -> None:
        """1/2 for 1/10: means 0.4 apart, deviations 0.5 and 0.3."""
        models = approximate_models([bernoulli_bandit([0.1], 0.5)])
        found = model_errors([bernoulli_bandit([0.5], 0.5)], models)
        assert (found.r, found.sigma_r) == (near(0.4), near(0.2))

    @pytest.mark.parametrize("name", ["r", "p", "sigma_r", "sigma_p"])
    def test_errors_are_not_negative(self, name: str) -> None:
        good = {"r": 0.0, "p": 0.0, "sigma_r": 0.0, "sigma_p": 0.0}
        assert ModelErrors(**good | {name: 0.5}).Delta == 0.5
        with pytest.raises(InputError, match=f"Delta_max_{name}: "):
            ModelErrors(**good | {name: -0.5})


class Answers:
    """A generative model that always says the same, be it no answer at all."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def sample(self, s: int, a: int) -> tuple[float, int]:  # noqa: ARG002 - as the protocol has it
        """Whatever the pair."""
        return self.answer  # type: ignore[return-value]


class TestGenerativeModel:
    """What may be asked and answered."""

    @pytest.mark.parametrize("answer", [(0.0, 0), (1.0, 1), [0.5, 1], (0, 0), (1, np.int64(1))])
    def test_possible_answers(self, answer: tuple[float, int]) -> None:
        assert ask(Answers(answer), 0, 0, S=2) == (float(answer[0]), int(answer[1]))

    @pytest.mark.parametrize(
        ("answer", "problem"),
        [
            ((0.5,), "a reward and a next state"),
            ((0.5, 0, 0), "a reward and a next state"),
            ("ab", "a reward and a next state"),
            (None, "a reward and a next state"),
            ((-TINY, 0), "the reward must lie in"),
            ((-0.5, 0), "the reward must lie in"),
            ((1.5, 0), "the reward must lie in"),
            (("0", 0), "the reward must lie in"),
            ((True, 0), "the reward must lie in"),
            ((0.5, -1), "the next state must be an integer from 0 to 1"),
            ((0.5, 2), "the next state must be an integer from 0 to 1"),
            ((0.5, 3), "the next state must be an integer from 0 to 1"),
            ((0.5, 1.0), "the next state must be an integer from 0 to 1"),
            ((0.5, True), "the next state must be an integer from 0 to 1"),
        ],
    )
    def test_impossible_answers(self, answer: object, problem: str) -> None:
        with pytest.raises(InputError, match=problem):
            ask(Answers(answer), 0, 0, S=2)

    def test_what_cannot_be_asked(self) -> None:
        with pytest.raises(InputError, match="must have a method sample"):
            ask(None, 0, 0, S=2)  # type: ignore[arg-type]

    SIMULATOR = Simulator(walk([[0, 1, 1], [0, 1, 1]], [[0.0, 0.5, 1.0]] * 2, 0.5), seed=0)

    def test_pairs_of_the_task(self) -> None:
        answers = [self.SIMULATOR.sample(s, a) for s in (0, 1) for a in (0, 1, 2)]
        assert answers == [(0.0, 0), (0.5, 1), (1.0, 1)] * 2

    @pytest.mark.parametrize("s", [-1, 2, 3, 0.0, True])
    def test_no_states(self, s: int) -> None:
        with pytest.raises(InputError, match="s: must be a state below 2"):
            self.SIMULATOR.sample(s, 0)

    @pytest.mark.parametrize("a", [-1, 3, 4, 0.0, True])
    def test_no_actions(self, a: int) -> None:
        with pytest.raises(InputError, match="a: must be an action below 3"):
            self.SIMULATOR.sample(0, a)

    @pytest.mark.parametrize("seed", [-1, 0.5, True])
    def test_seeds(self, seed: int) -> None:
        with pytest.raises(InputError, match="seed: must be an integer of at least 0"):
            Simulator(bandit([0.0], 0.5), seed)

    def test_streams_go_on(self) -> None:
        """Two coins from one seed: the second sample of a pair is not the first again."""
        simulator = Simulator(bernoulli_bandit([0.5], 0.5), seed=0)
        assert {simulator.sample(0, 0)[0] for _ in range(20)} == {0.0, 1.0}
