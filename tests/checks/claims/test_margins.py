"""Margins of claims that bound nothing, and what the searches behind them reject."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from ptum.checks.claims.appendix_e import learning, outcomes, runs
from ptum.checks.claims.appendix_e.outcomes import SmallGrid
from ptum.checks.claims.appendix_e.runs import Filtered, Path
from ptum.checks.claims.section_2.values import runner_up
from ptum.checks.claims.section_3 import algorithm_1_text
from ptum.checks.claims.section_3.algorithm_1_text import Sampled
from ptum.checks.claims.section_4 import models
from ptum.checks.engine.models import among
from ptum.checks.exact import mdp
from ptum.checks.instances.counterexamples.appendix_e import samples
from ptum.checks.instances.counterexamples.appendix_e.samples import Rooms
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import Evaluation
from ptum.checks.verdicts.search import search
from ptum.reference.experiments.objectworld import FIGURE_2, generate_tasks
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer import confidence
from ptum.reference.transfer.empirical import empirical_model
from ptum.spec.vocabulary import Verdict
from tests.support.closeness import near

QUICK = Context(Profile.QUICK, seed=1)
HOLDS, VIOLATED = Verdict.HOLDS, Verdict.VIOLATED


def drawn(strategy: st.SearchStrategy[Sampled]) -> list[Sampled]:
    """A few instances of a strategy."""
    seen: list[Sampled] = []

    def look(case: Sampled) -> Evaluation:
        seen.append(case)
        return algorithm_1_text.filling_evaluation(case, 0)

    search(QUICK, strategy, look, 8)
    return seen


# Existence and equations


def arms(*rewards: str) -> mdp.ExactMDP:
    """One state that pays for certain, γ = 1/2."""
    stay = [[[Fraction(1)]] * len(rewards)]
    return mdp.deterministic(stay, [[Fraction(r) for r in rewards]], Fraction(1, 2))


def test_the_runner_up_is_the_best_policy_that_loses() -> None:
    """Arms 0.5, 0.4 and 0.1: the second loses 0.2 of the 2 that there are."""
    compared = runner_up(arms("1/2", "2/5", "1/10"))
    assert (compared.left, compared.right) == (Fraction(9, 5), 2)
    assert runner_up(arms("1/2", "1/2")).ratio is None


def nearest_share(case: Sampled) -> float:
    """The largest quotient of distance and width, or width and distance, of a test of line 12."""
    known = case.task_set.approximate
    hat = empirical_model(case.data, known.V_star)
    C = algorithm_1_text.widths_of(hat, case.task_set)
    found = [0.0]
    for theta in range(known.k):
        for test in confidence.elimination_tests(theta, hat, C, known):
            share = test.distance / test.width
            found += np.where(share > 1, 1 / np.maximum(share, 1), share).ravel().tolist()
    return max(found)


def test_the_narrowest_test_of_line_12_is_the_nearest_to_going_the_other_way() -> None:
    cases = drawn(algorithm_1_text.sampled())
    shares = [nearest_share(case) for case in cases]
    compared = [algorithm_1_text.narrowest_test(case) for case in cases]
    assert [one.ratio or 0.0 for one in compared] == [near(share) for share in shares]
    assert sum(share > 0 for share in shares) >= 4, "most of eight have a test to compare"


# Theorem 2


def test_shares_of_seven_are_spent_twice() -> None:
    assert models.shares_evaluation(10).verdict() is HOLDS
    assert models.shares_evaluation(10, levels=7).verdict() is VIOLATED


def test_a_constant_that_is_hardly_admitted_comes_close() -> None:
    """At d = 2, h = 1 and δ' near 1 the factor 2.152 is used up but for 3·10⁻⁴."""
    rho_3 = 1 / (models.FACTOR * np.log(4 / 0.999)) * 0.999999
    case = (float(rho_3), 1, 1, 1, 1, 0.999)
    assert models.premise_covers(case).verdict() is HOLDS
    ratio = models.needed_tasks(case).ratio
    assert ratio is not None
    assert 0.999 < ratio < 1


def test_most_constants_at_the_border_are_admitted() -> None:
    found = search(QUICK, models.barely_admitted(), models.premise_covers, 40)
    assert found.verdict is HOLDS
    assert found.instances == found.trials


# Runs of the experiments


def test_all_models_kept_ask_where_one_does_not() -> None:
    case = Filtered((arms("9/10", "1/10"), arms("1/10", "9/10")), Fraction(1, 2))
    assert runs.singleton_evaluation(case).verdict() is HOLDS
    assert runs.singleton_evaluation(case, kept=2).verdict() is VIOLATED
    assert runs.oracle_nearly_stops(case).ratio == 0.5
    alike = replace(case, models=(case.models[0],) * 2)
    assert runs.singleton_evaluation(alike).verdict() is Verdict.ASSUMPTION_NOT_MET


def test_places_may_be_near_the_ends_of_an_interval_and_not_at_them() -> None:
    path = Path(((0.9, 0.1), (0.1, 0.9), (0.5, 0.5)), 0, edge=1e-6)
    assert runs.steps_evaluation(path).verdict() is HOLDS
    assert runs.steps_evaluation(path, inside=(0.5, 1 + 1e-6)).verdict() is VIOLATED
    assert runs.covered_share(path).ratio == near(1 - 2e-6)


def test_room_for_an_error_ends_where_runs_change() -> None:
    path = Path(((0.9, 0.1), (0.1, 0.9), (0.5, 0.5)), 0)
    compared = runs.room_for_error(path)
    share = float(compared.right)
    unchanged = runs.samples_with(path, 0.0)
    assert runs.samples_with(path, share) == unchanged
    assert share < 1
    assert runs.samples_with(path, share * np.sqrt(10)) != unchanged


def test_the_default_rooms_have_doors_at_the_top_in_the_middle_and_at_the_bottom() -> None:
    for side in (4, 5, 9):
        rooms = Rooms().models(side)
        for task, door in zip(rooms.tasks, (0, side // 2, side - 1), strict=True):
            right = side // 2 - 1
            crossing = [
                float(task.p[row * side + right, :, row * side + right + 1].max())
                for row in range(side)
            ]
            assert int(np.argmax(crossing)) == door


def test_models_that_fall_together_count_once() -> None:
    """The target's own goal tells both rivals apart at once."""
    together = Rooms(goals=((1, 1), (0, 0), (1, 0)), doors=(3, 0, 3), target=1)
    found = samples.sized_runs((4, 7), together)
    assert [(one.groups, len(set(one.eliminated))) for one in found] == [(1, 2), (1, 2)]
    assert samples.integer_evaluation(found[0]).verdict() is HOLDS
    assert runs.growth_evaluation(found).verdict() is HOLDS
    apart = [replace(one, iterations=None) for one in found]
    assert samples.integer_evaluation(apart[0]).verdict() is VIOLATED
    assert runs.growth_evaluation(apart).verdict() is VIOLATED


def test_growth_on_drawn_layouts_rejects_a_slack_of_nothing() -> None:
    sized = samples.sized_runs((4, 7), Rooms())
    assert runs.growth_evaluation(sized, slack=0).verdict() is VIOLATED


# Reported outcomes


def subset_fields(known: ApproximateModels) -> dict[str, object]:
    names = ("r", "p", "sigma_r", "pi_star", "V_star", "sigma_p", "V_pi")
    return {name: getattr(known, name).tolist() for name in names}


def test_some_models_are_the_models_of_some_tasks() -> None:
    tasks = generate_tasks(FIGURE_2, np.random.default_rng(0))[:4]
    chosen = [2, 0, 3]
    some = among(approximate_models(tasks), chosen)
    again = approximate_models([tasks[theta] for theta in chosen])
    assert subset_fields(some) == subset_fields(again)
    assert some.k == 3


def test_layouts_cost_at_most_65_samples_for_each_rival() -> None:
    layout = SmallGrid(((0, 3), (3, 3), (3, 0)), (0, 3, 1), 0)
    evaluation = outcomes.layout_evaluation(layout)
    assert evaluation.verdict() is HOLDS
    assert outcomes.layout_evaluation(layout, steps=1).verdict() is VIOLATED
    assert float(evaluation.conclusion.left) <= 11 * 65 / 100  # the episodes of eleven rivals


def test_theory_asks_least_of_the_most_lenient() -> None:
    (panel, _) = outcomes.PANELS
    ratios = [
        outcomes.threshold_evaluation(replace(panel, delta=delta)).conclusion.ratio or 0.0
        for delta in outcomes.CONFIDENCES
    ]
    assert ratios == sorted(ratios)


def test_tasks_that_are_mixed_are_harder_to_tell_apart() -> None:
    tasks = learning.Alike(3, 0)
    ratios = [
        learning.hardly_different(replace(tasks, mixed=mixed)).ratio for mixed in (0.0, 0.5, 0.75)
    ]
    assert ratios[0] is not None
    assert ratios == sorted(ratio for ratio in ratios if ratio is not None)
