"""The strategies of families: what they cover, shrink to, and that they never struggle."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from ptum.checks.instances.families import named, sets, tasks
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.instances.families.user import load_family
from ptum.reference.arrays import ROUNDING
from ptum.reference.errors import InputError
from ptum.reference.repaired.transfer.assumptions import model_errors as repaired_model_errors
from ptum.reference.tasks.mdp import MDP, reward_std
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.tasks.values import action_value, optimal_value, tie_tolerance
from ptum.reference.transfer.analysis.iteration import Iteration
from ptum.reference.transfer.analysis.lemmas import correctness
from ptum.reference.transfer.assumptions import model_errors

T = TypeVar("T")

ROOT = Path(__file__).parents[3]
FEATURES: dict[str, Callable[[MDP], bool]] = {}
SET_FEATURES: dict[str, Callable[[TaskSet], bool]] = {}

TASK_FAMILIES: dict[str, SearchStrategy[MDP]] = {
    "bandit": tasks.bandit(),
    "deterministic_moves": tasks.deterministic_moves(),
    "chain": tasks.chain(),
    "garnet": tasks.garnet(),
    "absorbing": tasks.absorbing(),
    "dense": tasks.dense(),
    "two_room_grids": tasks.two_room_grids(),
    "objectworlds": tasks.objectworlds(),
    "tasks": tasks.tasks(),
}
MODEL_FAMILIES: dict[str, SearchStrategy[sets.Models]] = {
    "independent": sets.independent(),
    "sharing_rewards": sets.sharing_rewards(),
    "sharing_transitions": sets.sharing_transitions(),
    "nearly_tied": sets.nearly_tied(),
    "with_copy": sets.with_copy(),
    "worlds": sets.worlds(),
    "model_sets": sets.model_sets(),
}
SET_FAMILIES: dict[str, SearchStrategy[TaskSet]] = {
    "exact_sets": sets.exact_sets(),
    "perturbed_sets": sets.perturbed_sets(),
    "sets_within": sets.sets_within(),
    "flat_kernel_sets": sets.flat_kernel_sets(),
    "null_space_sets": sets.null_space_sets(),
    "kernel_sets": sets.kernel_sets(),
    "task_sets": sets.task_sets(),
}


def draws(strategy: SearchStrategy[T], number: int) -> list[T]:
    """Always the same instances, with all health checks on: a struggling strategy fails here."""
    found: list[T] = []

    @settings(max_examples=number, phases=(Phase.generate,))
    @given(strategy)
    def collect(instance: T) -> None:
        found.append(instance)

    collect()
    return found


def smallest(
    strategy: SearchStrategy[T], condition: Callable[[T], bool] = lambda _: True, tries: int = 500
) -> T:
    """What Hypothesis shrinks to. `find` returns a wrong instance when the explain phase is on."""
    phases = (Phase.generate, Phase.shrink)
    return find(strategy, condition, settings=settings(max_examples=tries, phases=phases))


def feature(condition: Callable[[MDP], bool]) -> Callable[[MDP], bool]:
    FEATURES[condition.__name__] = condition
    return condition


def set_feature(condition: Callable[[TaskSet], bool]) -> Callable[[TaskSet], bool]:
    SET_FEATURES[condition.__name__] = condition
    return condition


# What they cover


@feature
def one_state(theta: MDP) -> bool:
    return theta.S == 1


@feature
def largest_size(theta: MDP) -> bool:
    return (theta.S, theta.A) == (4, 3)


@feature
def one_action(theta: MDP) -> bool:
    return theta.A == 1


@feature
def discount_zero(theta: MDP) -> bool:
    return theta.gamma == 0


@feature
def discount_near_zero(theta: MDP) -> bool:
    return 0 < theta.gamma <= 0.01


@feature
def discount_near_one(theta: MDP) -> bool:
    return theta.gamma == 0.999


@feature
def discount_in_between(theta: MDP) -> bool:
    return 0 < theta.gamma < 0.999 and theta.gamma not in tasks.DISCOUNTS


@feature
def no_reward_variance(theta: MDP) -> bool:
    return bool(np.all(reward_std(theta) == 0))


@feature
def some_reward_variance(theta: MDP) -> bool:
    return bool(np.any((reward_std(theta) > 0) & (reward_std(theta) < 0.5)))


@feature
def more_than_two_reward_values(theta: MDP) -> bool:
    return bool(np.any((theta.q > 0).sum(axis=-1) > 2))


@feature
def deterministic(theta: MDP) -> bool:
    return theta.S > 1 and bool(np.all(theta.p.max(axis=-1) == 1))


@feature
def absorbing_state(theta: MDP) -> bool:
    states = np.arange(theta.S)
    return theta.S > 1 and bool(np.any(np.all(theta.p[states, :, states] == 1, axis=-1)))


@feature
def full_support(theta: MDP) -> bool:
    return theta.S > 1 and bool(np.all(theta.p > 0))


@feature
def unreachable_state(theta: MDP) -> bool:
    return bool(np.any(np.all(theta.p == 0, axis=(0, 1))))


@feature
def tie_between_actions(theta: MDP) -> bool:
    """Two actions are best in some state although their rewards or rows differ."""
    V = optimal_value(theta)
    Q = action_value(theta, V)
    best = Q.max(axis=1, keepdims=True) - tie_tolerance(theta, V) <= Q
    different = np.any(theta.p != theta.p[:, :1], axis=(1, 2))
    return bool(np.any((best.sum(axis=1) > 1) & different))


@feature
def something_to_gain(theta: MDP) -> bool:
    return bool(np.any(optimal_value(theta) > 0))


def same(one: MDP, two: MDP) -> bool:
    """Equal tables."""
    arrays = ((one.p, two.p), (one.q, two.q), (one.u, two.u))
    return all(np.array_equal(a, b) for a, b in arrays)


def pairs(models: tuple[MDP, ...]) -> Iterator[tuple[MDP, MDP]]:
    return ((one, two) for i, one in enumerate(models) for two in models[:i])


def distance(one: MDP, two: MDP) -> float:
    return float(np.max(np.abs(one.p - two.p)))


@set_feature
def two_models(instance: TaskSet) -> bool:
    return len(instance.true) == 2


@set_feature
def four_models(instance: TaskSet) -> bool:
    return len(instance.true) == 4


@set_feature
def copy_among_the_models(instance: TaskSet) -> bool:
    return instance.true[0].S > 1 and any(same(*pair) for pair in pairs(instance.approximate.tasks))


@set_feature
def nearly_tied_models(instance: TaskSet) -> bool:
    return any(0 < distance(*pair) < 1e-5 for pair in pairs(instance.approximate.tasks))


@set_feature
def shared_rewards(instance: TaskSet) -> bool:
    first, second = instance.approximate.tasks[:2]
    shared = np.array_equal(first.q, second.q) and np.array_equal(first.u, second.u)
    return shared and distance(first, second) > 0


@set_feature
def shared_transitions(instance: TaskSet) -> bool:
    first, second = instance.approximate.tasks[:2]
    return first.S > 1 and distance(first, second) == 0 and not same(first, second)


@set_feature
def different_reward_spaces(instance: TaskSet) -> bool:
    return len({task.u.size for task in instance.true}) > 1


@set_feature
def exact_approximations(instance: TaskSet) -> bool:
    return instance.repaired_errors().Delta == 0 and instance.true[0].S > 1


@set_feature
def small_errors(instance: TaskSet) -> bool:
    return 0 < instance.repaired_errors().Delta < 0.01


@set_feature
def large_errors(instance: TaskSet) -> bool:
    return instance.repaired_errors().Delta > 0.5


@set_feature
def printed_deviation_error_differs(instance: TaskSet) -> bool:
    """Erratum E05: σ^p of V* against σ^p of Ṽ*."""
    printed, repaired = instance.printed_errors(), instance.repaired_errors()
    return abs(printed.sigma_p - repaired.sigma_p) > 1e-3


@set_feature
def invisible_to_the_printed_assumption(instance: TaskSet) -> bool:
    """Erratum E02: no printed error, and yet a policy's values differ."""
    return instance.printed_errors().Delta < 1e-9 and instance.repaired_errors().p > 1e-3


@pytest.fixture(scope="module")
def drawn_tasks() -> list[MDP]:
    return draws(tasks.tasks(), 300)


@pytest.fixture(scope="module")
def drawn_sets() -> list[TaskSet]:
    return draws(sets.task_sets(), 200)


@pytest.mark.parametrize("name", FEATURES)
def test_tasks_cover(name: str, drawn_tasks: list[MDP]) -> None:
    assert any(FEATURES[name](theta) for theta in drawn_tasks)


@pytest.mark.parametrize("name", SET_FEATURES)
def test_task_sets_cover(name: str, drawn_sets: list[TaskSet]) -> None:
    assert any(SET_FEATURES[name](instance) for instance in drawn_sets)


# What each family promises, without a health check of Hypothesis going off


@pytest.mark.parametrize("name", MODEL_FAMILIES)
def test_every_drawn_set_of_models_can_be_solved(name: str) -> None:
    for models in draws(MODEL_FAMILIES[name], 20):
        assert 2 <= len(models) <= 4
        assert approximate_models(models).k == len(models)


def test_errors_are_those_of_assumption_1() -> None:
    for instance in draws(sets.task_sets(), 20):
        assert instance.printed_errors() == model_errors(instance.true, instance.approximate)
        expected = repaired_model_errors(instance.true, instance.approximate)
        assert instance.repaired_errors() == expected


@pytest.mark.parametrize(
    ("name", "condition"),
    [
        ("bandit", one_state),
        ("deterministic_moves", lambda theta: np.all(theta.p.max(axis=-1) == 1)),
        ("chain", lambda theta: np.all(np.triu(theta.p.max(axis=1), 2) == 0)),
        ("garnet", lambda theta: np.all((theta.p > 0).sum(axis=-1) <= 2)),
        ("absorbing", lambda theta: theta.S == 1 or absorbing_state(theta)),
        ("dense", lambda theta: np.all(theta.p > 0)),
        ("two_room_grids", absorbing_state),
        ("objectworlds", lambda theta: theta.A == 4),
    ],
)
def test_families_keep_their_promise(name: str, condition: Callable[[MDP], bool]) -> None:
    drawn = draws(TASK_FAMILIES[name], 40)
    assert all(condition(theta) and theta.gamma <= 0.999 for theta in drawn)


def test_reward_tables_keep_their_promise() -> None:
    for theta in draws(tasks.dense(rewards=tasks.deterministic), 40):
        assert no_reward_variance(theta)
    for theta in draws(tasks.dense(rewards=tasks.bernoulli), 40):
        np.testing.assert_array_equal(theta.u, [0, 1])


def test_sizes_are_arguments() -> None:
    for theta in draws(tasks.garnet(S=12, A=st.integers(4, 5), gamma=0.7, branching=3), 20):
        assert (theta.S, theta.gamma) == (12, 0.7)
        assert theta.A in (4, 5)
        np.testing.assert_array_equal((theta.p > 0).sum(axis=-1), np.full((12, theta.A), 3))
    for models in draws(sets.model_sets(k=5), 20):
        assert len(models) == 5
    with pytest.raises(ValueError, match="S = 300 exceeds 256"):
        draws(tasks.deterministic_moves(S=300), 1)


def test_a_single_model_is_a_set_too() -> None:
    for instance in draws(sets.task_sets(k=1), 30):
        assert instance.approximate.k == 1


def test_sharing_sets_share() -> None:
    for first, *others in draws(sets.sharing_rewards(), 15):
        assert all(np.array_equal(first.q, other.q) for other in others)
    for first, *others in draws(sets.sharing_transitions(), 15):
        assert all(np.array_equal(first.p, other.p) for other in others)
    for first, *others in draws(sets.nearly_tied(), 15):
        assert all(distance(first, other) <= 0.01 + 2 * ROUNDING for other in others)
    for models in draws(sets.with_copy(), 15):
        assert any(same(*pair) for pair in pairs(models))


def test_exact_sets_have_no_error() -> None:
    for instance in draws(sets.exact_sets(), 15):
        assert instance.printed_errors().Delta == instance.repaired_errors().Delta == 0


def test_a_weight_of_zero_changes_nothing() -> None:
    for instance in draws(sets.perturbed_sets(reward_weight=0.0, transition_weight=0.0), 15):
        assert all(map(same, instance.true, instance.approximate.tasks))
    for instance in draws(sets.perturbed_sets(reward_weight=0.0), 15):
        assert instance.printed_errors().r == 0


@pytest.mark.parametrize("Delta", [0.0, 1e-9, 0.001, 0.1])
def test_errors_stay_within_the_chosen_distance(Delta: float) -> None:
    reached = [instance.repaired_errors().Delta for instance in draws(sets.sets_within(Delta), 15)]
    assert max(reached) <= Delta
    assert max(reached) >= Delta / 2


def of_means(models: ApproximateModels) -> float:
    """What means of a value under two rows lose: S + 1 roundings of it, for four sums of S."""
    return 4 * (models.S + 1) * ROUNDING * (1 + float(np.max(np.abs(models.V_star))))


@pytest.mark.parametrize(
    "strategy",
    [sets.flat_kernel_sets(), sets.null_space_sets(deviations=False), sets.null_space_sets(k=3)],
)
def test_kernel_perturbations_are_invisible_but_there(strategy: SearchStrategy[TaskSet]) -> None:
    """Δ_max^p is made of rounding alone; the transitions do differ, far beyond it."""
    for instance in draws(strategy, 15):
        models, errors = instance.approximate, instance.printed_errors()
        assert errors.r == errors.sigma_r == 0
        assert errors.p <= of_means(models)
        assert max(map(distance, instance.true, models.tasks)) > 1000 * of_means(models)


@pytest.mark.parametrize(
    "strategy", [sets.flat_kernel_sets(), sets.null_space_sets(k=2, deviations=True)]
)
def test_nothing_printed_sees_a_kernel_perturbation_that_keeps_deviations(
    strategy: SearchStrategy[TaskSet],
) -> None:
    """Rows have entries from 1/(256 S) on, so a deviation is at least 1/√(256 S) of half the range
    of V; a root then makes the rounding of a variance at most that many times larger."""
    for instance in draws(strategy, 15):
        assert instance.printed_errors().Delta <= 16 * math.sqrt(instance.approximate.S) * of_means(
            instance.approximate
        )


def breaks_lemma_9(instance: TaskSet) -> bool:
    """The premises of the printed Lemma 9 hold with the printed errors, its conclusion fails.

    For every policy ε is just large enough for line 14 to return it at once.
    """
    models, Delta = instance.approximate, instance.printed_errors().Delta
    active = tuple(range(models.k))
    for returned in active:
        loss = float(np.max(models.V_star - models.V_pi[:, returned]))
        epsilon = 1e-3 + loss + 4 * Delta * (1 + models.gamma) / (1 - models.gamma)
        found = correctness(
            Iteration(models, 0, active, Delta),
            returned=returned,
            true=instance.true,
            epsilon=epsilon,
        )
        if all(found.premises.values()) and not found.holds:
            return True
    return False


def test_the_printed_correctness_lemma_breaks_on_kernel_perturbations() -> None:
    for family in (sets.flat_kernel_sets(), sets.null_space_sets(k=2, deviations=True)):
        broken = [instance for instance in draws(family, 40) if breaks_lemma_9(instance)]
        assert broken
        assert all(instance.repaired_errors().p > 1e-6 for instance in broken)


# What they shrink to


def is_trivial(theta: MDP) -> bool:
    """One state, one action, no reward, no future."""
    return (theta.S, theta.A, theta.gamma) == (1, 1, 0.0) and theta.u.tolist() == [0.0]


def test_the_smallest_task() -> None:
    assert is_trivial(smallest(tasks.tasks()))


def test_the_smallest_task_with_three_states() -> None:
    theta = smallest(tasks.tasks(), lambda theta: theta.S >= 3)
    assert (theta.S, theta.A, theta.gamma, theta.u.tolist()) == (3, 1, 0.0, [0.0])
    np.testing.assert_array_equal(theta.p, np.tile([1.0, 0.0, 0.0], (3, 1, 1)))


def test_the_smallest_task_with_a_long_horizon() -> None:
    theta = smallest(tasks.tasks(), lambda theta: theta.gamma > 0.9)
    assert (theta.S, theta.A, theta.gamma) == (1, 1, 0.99)


def test_the_smallest_task_with_randomness() -> None:
    theta = smallest(tasks.tasks(), lambda theta: bool(np.any(reward_std(theta) > 0)))
    assert (theta.S, theta.A, theta.u.tolist()) == (1, 1, [0.0, 1.0])
    assert theta.q.tolist() == [[[0.5, 0.5]]]


def test_the_smallest_dense_table_is_uniform() -> None:
    theta = smallest(tasks.dense(), lambda theta: theta.S == 3)
    np.testing.assert_array_equal(theta.p, np.full((3, 1, 3), 1 / 3))


def test_the_smallest_set_is_two_trivial_models() -> None:
    instance = smallest(sets.task_sets())
    assert len(instance.true) == 2
    assert all(is_trivial(theta) for theta in instance.true)


def test_the_smallest_set_with_a_reward_error() -> None:
    instance = smallest(sets.perturbed_sets(), lambda found: found.printed_errors().r > 0, tries=50)
    theta = instance.true[0]
    assert (len(instance.true), theta.S, theta.A, theta.gamma) == (2, 1, 1, 0.0)


def test_the_smallest_kernel_perturbation_moves_one_row() -> None:
    instance = smallest(sets.null_space_sets())
    differs = np.stack([theta.p for theta in instance.true]) != instance.approximate.p
    assert instance.true[0].S == 4
    assert int(np.any(differs, axis=-1).sum()) == 1


# The shape of an instance


def test_a_task_set_needs_as_many_truths_as_approximations() -> None:
    (theta,) = named.bandit(0.5, (0.5, 0.2))
    with pytest.raises(InputError, match="needs 1 models"):
        TaskSet("two for one", (theta, theta), approximate_models([theta]))


# A family of one's own


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current directory; sys.path is put back afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


MODULE = """
import hypothesis.strategies as st
from ptum.checks.instances.families import sets, tasks
family = sets.exact_sets()
single = tasks.tasks()
sometimes = st.booleans().flatmap(lambda other: st.integers() if other else family)
never = st.nothing()
function = sets.exact_sets
number = 3
raises = family.map(lambda _: 1 / 0)
class Mine:
    family = family
"""


def test_a_family_of_the_current_directory(here: Path) -> None:
    (here / "family_of_mine.py").write_text(MODULE)
    for name in ("family", "Mine.family"):
        loaded = load_family(f"family_of_mine:{name}")
        assert all(isinstance(instance, TaskSet) for instance in draws(loaded, 10))


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("mistakes", "cannot be read: write it as module:strategy"),
        ("mistakes:", "cannot be read: write it as module:strategy"),
        ("mistakes.py:family", "There is no module 'mistakes.py' in "),
        ("no_such_module:family", "There is no module 'no_such_module' in "),
        ("mistakes:famly", "has no 'famly'; its strategies are: family, never, "),
        ("mistakes:number", "is not a Hypothesis strategy but of type int."),
        ("mistakes:function", "Call it in the module, as in family = function"),
        ("mistakes:single", "draws objects of type MDP, but a family must draw "),
        ("mistakes:never", "mistakes:never draws nothing: "),
        ("mistakes:raises", "cannot be drawn from: it raises ZeroDivisionError: division by zero."),
        ("needs_another:family", "cannot be imported: No module named 'another_one'."),
        ("broken:family", "cannot be imported: it raises NameError: name 'x' is not defined."),
    ],
)
def test_what_is_wrong_with_a_family_is_said_in_a_sentence(
    path: str, problem: str, here: Path
) -> None:
    (here / "mistakes.py").write_text(MODULE)
    (here / "needs_another.py").write_text("import another_one\n")
    (here / "broken.py").write_text("x\n")
    with pytest.raises(ValueError, match=re.escape(problem)) as raised:
        load_family(path)
    assert str(raised.value).endswith(".")


def test_every_draw_is_looked_at(here: Path) -> None:
    (here / "mixture.py").write_text(MODULE)
    loaded = load_family("mixture:sometimes")
    with pytest.raises(ValueError, match="draws objects of type int"):
        draws(loaded, 50)


# The page about all this


def test_the_examples_of_the_page_run(here: Path) -> None:
    page = (ROOT / "docs" / "families.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    names: dict[str, object] = {}
    for block in blocks[:-1]:
        exec(block, names)
    (here / "my_module.py").write_text(blocks[-1])
    assert draws(load_family("my_module:family"), 10)
    mentioned = set(re.findall(r"`(\w+)`", page))
    families = {*TASK_FAMILIES, *MODEL_FAMILIES, *SET_FAMILIES} - {"tasks", "model_sets"}
    assert families - {"task_sets"} <= mentioned
