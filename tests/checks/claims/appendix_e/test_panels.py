"""The checks of figure panels reject what is wrong, and compute what they say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ptum.checks.claims.appendix_e import error_panel, grid_panels, panels, sequence_panels
from ptum.checks.claims.appendix_e.error_panel import Curves
from ptum.checks.claims.appendix_e.grid_panels import CORNERS, Doors, GoalsAndDoors
from ptum.checks.claims.appendix_e.runs import growth_evaluation
from ptum.checks.claims.appendix_e.sequence_panels import ALL, END, ENTRY, KEPT, Listed
from ptum.checks.instances.counterexamples.appendix_e.samples import Rooms, Sized
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.outcome import NOTHING_ROUNDED, Evaluation, Statement
from ptum.reference.arrays import Floats, sealed
from ptum.reference.experiments.two_rooms import Payment
from ptum.reference.repaired.sequential import spectral
from ptum.reference.sequential.observations import observation_matrix
from ptum.reference.sequential.spectral import HmmEstimate, NotIdentifiable
from ptum.reference.tasks.mdp import MDP
from ptum.reference.transfer.stopping import transfer_threshold
from ptum.spec.vocabulary import Verdict
from tests.support.closeness import near

QUICK = Context(Profile.QUICK, seed=1)
HOLDS, VIOLATED, NOT_MET = Verdict.HOLDS, Verdict.VIOLATED, Verdict.ASSUMPTION_NOT_MET
INCONCLUSIVE = Verdict.INCONCLUSIVE


# Small instances and large ones


def below(limit: int, number: int) -> Evaluation:
    """Numbers above ten are outside of the family."""
    return Evaluation(
        (Statement("in the family", number, "≤", 10),),
        Statement("number", number, "<", limit, tolerance=NOTHING_ROUNDED),
    )


@pytest.mark.parametrize(
    ("large", "verdict"), [((), HOLDS), ((3,), HOLDS), ((9,), VIOLATED), ((11,), INCONCLUSIVE)]
)
def test_a_large_instance_decides_as_a_small_one_does(
    large: tuple[int, ...], verdict: Verdict
) -> None:
    seeds = panels.seeds(QUICK).map(lambda seed: seed % 3)
    found = panels.small_and_large(QUICK, seeds, lambda n: below(5, n), 4, large)
    assert found.verdict is verdict
    if large == (3,):
        assert (found.instances, found.trials, found.worst_ratio) == (5, 5, 3 / 5)


def test_a_violation_among_small_instances_decides_too() -> None:
    seeds = panels.seeds(QUICK).map(lambda seed: seed % 3)
    found = panels.small_and_large(QUICK, seeds, lambda n: below(0, n), 4, ())
    assert found.verdict is VIOLATED


# Figure 3


NEAR, FAR = Doors(4, 3, seed=5), Doors(4, 0, seed=5)


def test_steps_of_the_left_panel_need_the_right_places_and_a_budget() -> None:
    beyond = grid_panels.stairs_evaluation(FAR, inside=(0.5, 1.5))
    assert beyond.verdict() is VIOLATED, "a place beyond the end of an interval"
    assert grid_panels.stairs_evaluation(FAR, n=500).verdict() is VIOLATED, (
        "no end within the budget"
    )
    assert grid_panels.stairs(QUICK, n=100).verdict is VIOLATED


def test_the_far_door_is_told_apart_last() -> None:
    counts = [grid_panels.samples_left(doors, 0.0) for doors in (NEAR, FAR)]
    assert counts[0] < counts[1] < grid_panels.BUDGET_LEFT
    assert grid_panels.share_of_budget(FAR).ratio == counts[1] / grid_panels.BUDGET_LEFT
    huge = 2 * 100.0
    assert grid_panels.samples_left(FAR, huge) == 0


def test_intervals_begin_at_zero_and_differ_with_the_choice() -> None:
    chosen = {tuple(grid_panels.some_intervals(replace(FAR, choice=i))) for i in range(5)}
    assert len(chosen) > 1
    for intervals in chosen:
        assert intervals[0][0] == 0
        assert list(intervals) == sorted(set(intervals))


def test_the_grid_of_the_panel_has_every_target() -> None:
    listed = grid_panels.of_panel(6, 12)
    assert {(doors.target, doors.payment) for doors in listed} == {
        (target, payment) for target in range(6) for payment in (Payment.IN_GOAL, Payment.AT_GOAL)
    }


def test_an_excess_at_the_smallest_error_is_refused() -> None:
    costly = replace(FAR, seed=4)
    assert grid_panels.excess_evaluation(costly).verdict() is HOLDS
    assert grid_panels.samples_right(costly, 0.4) > grid_panels.samples_right(costly, 0.0)
    assert grid_panels.excess_evaluation(costly, shares=(0.4,)).verdict() is VIOLATED
    falling = grid_panels.excess_evaluation(costly, shares=(1e-9, 0.4, 1e-3))
    assert falling.verdict() is VIOLATED, "an excess that shrinks as Δ grows"


def test_room_below_ends_where_an_error_costs_samples() -> None:
    costly = Doors(3, 0, 0, Payment.ON_ARRIVAL)
    share = float(grid_panels.room_below(costly).right)
    exactly = grid_panels.samples_right(costly, 0.0)
    assert share < 0.1
    assert grid_panels.samples_right(costly, share) == exactly
    assert grid_panels.samples_right(costly, share * 10) > exactly


def test_growth_like_a_power_or_no_growth_is_refused() -> None:
    assert grid_panels.logarithm(QUICK, slack=0).verdict is VIOLATED
    small = Sized(4, 114, (1, 2), 23.74)
    for queries in (114, 114 * 4):
        large = Sized(8, queries, (1, 2), 23.74 + np.log(4))
        assert growth_evaluation((small, large)).verdict() is VIOLATED


def test_rooms_of_the_middle_panel_have_different_doors_and_no_goal_at_the_start() -> None:
    for rooms, sizes in grid_panels.of_sizes(6):
        assert isinstance(rooms, Rooms)
        assert set(rooms.doors) <= set(grid_panels.QUARTERS)
        assert len(set(rooms.doors)) == 3
        assert (0, 0) not in rooms.goals == CORNERS
        assert (sizes[0], sizes[-1]) == (4, 24)


# Figure 1 left


def test_identification_fails_if_a_sample_is_an_episode() -> None:
    assert grid_panels.identification(QUICK, steps=1).verdict is VIOLATED


def test_a_policy_that_is_not_optimal_is_never_found(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = GoalsAndDoors(4, ((3, 3), (0, 3)), (0, 3), 0, seed=0)
    assert grid_panels.identification_evaluation(drawn).conclusion.left == 11 * 65 / 100
    monkeypatch.setattr(grid_panels, "loss_of", lambda *_: 0.2)
    evaluation = grid_panels.identification_evaluation(drawn)
    assert (evaluation.verdict(), evaluation.conclusion.left) == (VIOLATED, np.inf)


def test_twelve_tasks_are_twelve() -> None:
    for places in grid_panels.twelve_tasks(3):
        assert len(set(places.goals)) == len(set(places.doors)) == 12
        assert (0, 0) not in places.goals


# Figure 5 right


CURVES = Curves(1, 1, (0.1,))


def refused(*_: object) -> NotIdentifiable:
    return NotIdentifiable("least eigenvalue", 0.0, 0.5)


def never_better(
    o: Floats, k: int, L: int, N: int, rng: np.random.Generator
) -> spectral.SpectralOutcome:
    """Looks at the first tasks only."""
    return error_panel.overlapping(o[:100], k, L, N, rng)


def test_errors_that_stay_are_refused() -> None:
    assert error_panel.decay(QUICK, learner=refused).verdict is VIOLATED
    assert error_panel.decay_evaluation(CURVES, many=60, learner=never_better).verdict() is VIOLATED


def test_a_learner_that_does_not_mind_the_chain_is_refused() -> None:
    """As good at every failure: then more failure is not slower."""
    assert error_panel.slower(QUICK, learner=refused).verdict is VIOLATED
    swapped = error_panel.slower_evaluation(replace(CURVES, failures=(0.2, 0.03)))
    assert swapped.verdict() is NOT_MET


def test_dependent_tasks_are_not_looked_at() -> None:
    sigma = [float(error_panel.different_tasks(Curves(1, seed, ())).left) for seed in range(8, 12)]
    assert min(sigma) < error_panel.LEAST_SINGULAR_VALUE < max(sigma)
    dependent = Curves(1, 8 + int(np.argmin(sigma)), (0.1,))
    assert error_panel.decay_evaluation(dependent, learner=refused).verdict() is NOT_MET


def test_errors_are_matched_and_clipped() -> None:
    O = observation_matrix(CURVES.tasks())  # noqa: E741 - the paper's letter
    some = sealed(np.eye(error_panel.TASKS))
    found = HmmEstimate(O=sealed(O[:, ::-1]), T=some, weights=some[0], eigenvalues=some[0])
    assert error_panel.clipped_error(found, O) == 0
    assert error_panel.clipped_error(replace(found, O=sealed(O + 0.25)), O) == near(0.25)
    assert error_panel.clipped_error(replace(found, O=sealed(O + 3)), O) == 1
    assert error_panel.clipped_error(refused(), O) == 1


def test_a_chain_stays_goes_on_or_skips() -> None:
    which = error_panel.sequence(0.4, 20_000, np.random.default_rng(0))
    steps = np.diff(which) % error_panel.TASKS
    shares = np.bincount(steps, minlength=3) / len(steps)
    # five deviations of a share of 20000 steps
    assert shares == pytest.approx([0.2, 0.6, 0.2], abs=5 * np.sqrt(0.25 / 20_000))
    assert len(shares) == 3


def test_observations_are_distributions_with_the_mean_of_their_task() -> None:
    tasks, rng = CURVES.tasks(), np.random.default_rng(0)
    O = observation_matrix(tasks)  # noqa: E741 - the paper's letter
    o = error_panel.observations(tasks, np.full(4000, 3), rng)
    pairs = tasks[0].S * tasks[0].A
    assert o.sum(axis=1) == near(np.full(4000, 2.0 * pairs))
    assert o.mean(axis=0) == pytest.approx(O[:, 3], abs=5 * np.sqrt(0.25 / (4000 * 50)))


# Figures 2, 4 and 5 left


LISTED = Listed(2, 2, seed=3)


def test_offering_all_models_gains_nothing() -> None:
    assert sequence_panels.below_static(QUICK, kept=ALL).verdict is VIOLATED
    assert sequence_panels.below_static(QUICK, figure=5, kept=ALL).verdict is VIOLATED
    assert sequence_panels.below_static(QUICK, figure=4).verdict is HOLDS
    assert sequence_panels.below_static(QUICK, figure=4, kept=ALL).verdict is VIOLATED


def test_all_estimates_are_no_better_than_exact_models() -> None:
    worse = [
        not sequence_panels.below_one_evaluation(
            replace(LISTED, seed=seed), kept=ALL
        ).conclusion.holds
        for seed in range(3)
    ]
    assert any(worse)


def test_a_smaller_error_costs_three_models_no_more() -> None:
    """With all eight it may: another index chooses other pairs."""
    dearer = Listed(2, 2, seed=50_070)
    assert sequence_panels.smaller_error_evaluation(dearer).verdict() is HOLDS
    assert sequence_panels.smaller_error_evaluation(dearer, kept=ALL).verdict() is VIOLATED


def test_a_curve_falls_where_both_variants_end_lower() -> None:
    lists = {Listed(2, 3, seed=10_000): False, Listed(2, 3, seed=10_002): True}
    for listed, stays_up in lists.items():
        assert sequence_panels.does_not_fall(listed) is stays_up


def test_policies_of_wrong_models_are_not_near_optimal(monkeypatch: pytest.MonkeyPatch) -> None:

    def backwards(task: MDP, _: int, __: np.random.Generator) -> MDP:
        """Models in which the worst items are the best."""
        return MDP(task.p, task.q[..., ::-1], task.u, task.gamma)

    monkeypatch.setattr(sequence_panels, "labelled_estimate", backwards)
    sequence_panels.estimates.cache_clear()
    sequence_panels.total.cache_clear()
    try:
        assert sequence_panels.near_optimal(QUICK).verdict is VIOLATED
    finally:
        sequence_panels.estimates.cache_clear()
        sequence_panels.total.cache_clear()


def test_a_smaller_error_saves_something() -> None:
    assert sequence_panels.accuracy(QUICK, saving=0.001).verdict is VIOLATED


def test_a_list_that_one_policy_solves_is_not_looked_at() -> None:
    """All items are alike enough for every model's policy, and nobody asks for a sample."""
    solved = Listed(4, 2, seed=1609564884)
    assert sequence_panels.total(solved, END, ALL).samples == 0
    assert sequence_panels.below_static_evaluation(solved).verdict() is NOT_MET
    assert sequence_panels.smaller_error_evaluation(solved, kept=ALL).verdict() is NOT_MET
    assert sequence_panels.accuracy_evaluation(solved).verdict() is NOT_MET


def test_the_error_bound_enters_and_falls() -> None:
    entry, end = (sequence_panels.error_bound(LISTED, h) for h in (ENTRY, END))
    assert 0 < end < entry < transfer_threshold(0.5, 0.9)
    assert entry == pytest.approx(0.0065, abs=5e-5)


def test_few_lists_leave_it_open_and_many_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict of an exact test, with lists that are only counted."""
    assert sequence_panels.below_one_mostly(QUICK).verdict is INCONCLUSIVE
    assert sequence_panels.flat_mostly(QUICK).verdict is INCONCLUSIVE
    assert sequence_panels.falls_mostly(QUICK).verdict is INCONCLUSIVE
    standard = Context(Profile.STANDARD, seed=1)
    for fails, verdict in ((False, HOLDS), (True, VIOLATED)):
        monkeypatch.setattr(sequence_panels, "above_oracle", lambda *_, f=fails: f)
        monkeypatch.setattr(sequence_panels, "changes_much", lambda *_, f=fails: f)
        monkeypatch.setattr(sequence_panels, "does_not_fall", lambda *_, f=fails: f)
        assert sequence_panels.below_one_mostly(standard).verdict is verdict
        assert sequence_panels.flat_mostly(standard).verdict is verdict
        assert sequence_panels.falls_mostly(standard).verdict is verdict


def test_what_counts_as_a_failure_of_one_list() -> None:
    totals = [
        [sequence_panels.total(LISTED, h, kept).samples for kept in (KEPT, ALL)]
        for h in (ENTRY, END)
    ]
    changed = max(abs(end / entry - 1) for entry, end in zip(*totals, strict=True))
    assert sequence_panels.changes_much(LISTED, changed / 2)
    assert not sequence_panels.changes_much(LISTED, changed * 2)
    assert not sequence_panels.above_oracle(LISTED)
