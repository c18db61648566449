"""Checks of Algorithm 1 and the text about it: what each accepts, and what it must reject."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy  # its parts take long to load, and do so where they are used

from ptum.checks.claims.section_3 import algorithm_1, algorithm_1_text
from ptum.checks.claims.section_3.audit import audit
from ptum.checks.claims.section_3.runs import Algorithm1Setting, Drawn, transfer_phase
from ptum.checks.claims.section_3_bounds import algorithm_1_promise
from ptum.checks.engine.blocks import Ahead
from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP
from ptum.checks.exact.terms import MaybeInfinite, samples_asked
from ptum.checks.instances.counterexamples.appendix_b import correctness
from ptum.checks.instances.counterexamples.section_3 import algorithm_1 as algorithm_1_cases
from ptum.checks.instances.counterexamples.section_3_text import confidence, definition_1, queries
from ptum.checks.instances.counterexamples.section_3_text.definition_1 import Gaussian
from ptum.checks.instances.families import rational
from ptum.checks.instances.families.named import bandit, exactly_known
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.verdicts import formulas
from ptum.checks.verdicts.check import Context, Profile
from ptum.checks.verdicts.search import search
from ptum.reference.arrays import Floats
from ptum.reference.repaired.transfer import ptum as repaired_module
from ptum.reference.repaired.transfer.analysis.sample_complexity import fundamental_bound
from ptum.reference.repaired.transfer.ptum import ptum as repaired_ptum
from ptum.reference.tasks.generative import GenerativeModel, Simulator
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer import ptum as algorithm_1_module
from ptum.reference.transfer.assumptions import ModelErrors, single
from ptum.reference.transfer.confidence import Violation, Widths, widths
from ptum.reference.transfer.empirical import Data, EmpiricalModel, empirical_model
from ptum.reference.transfer.fallback import FallbackResult, UniformSampling
from ptum.reference.transfer.ptum import End, ptum
from ptum.reference.transfer.transcript import Elimination, Event, Query, Sample, Stop
from ptum.spec import ledger
from ptum.spec.vocabulary import Verdict, Version

QUICK = Context(Profile.QUICK, seed=1)
PRINTED, REPAIRED = Version.PRINTED, Version.REPAIRED


# The audit


def three_arms(n: int = 400) -> Drawn:
    """Arm 1 drops the second model, arm 2 the third, and then the first one's policy is good."""
    arms = ((0.5, 0.0, 0.0), (0.5, 1.0, 0.0), (0.5, 0.0, 0.9))
    task_set = exactly_known("three arms", bandit(0.5, *arms))
    return Drawn(Algorithm1Setting(task_set, 0.4, 0.1, n, single(0.0)), seed=3)


def events_of(drawn: Drawn, version: Version = PRINTED) -> list[Event]:
    return list(algorithm_1.observed(drawn, version)[1])


def test_a_run_with_two_eliminations_passes() -> None:
    events = events_of(three_arms())
    assert audit(events) == ()
    assert [event.theta for event in events if isinstance(event, Elimination)] == [1, 2]
    assert audit(events_of(three_arms(), REPAIRED), REPAIRED) == ()
    assert audit(events_of(three_arms(n=5))) == ()


def place(events: Sequence[Event], kind: type) -> int:
    return next(i for i, event in enumerate(events) if isinstance(event, kind))


def forget_an_elimination(events: list[Event]) -> list[Event]:
    at = place(events, Elimination)
    return events[:at] + events[at + 1 :]


def eliminate_twice(events: list[Event]) -> list[Event]:
    at = place(events, Elimination)
    return [*events[: at + 1], *events[at:]]


def eliminate_the_target(events: list[Event]) -> list[Event]:
    at = place(events, Elimination)
    event = events[at]
    assert isinstance(event, Elimination)
    wrong = Elimination(event.t, 0, event.equation, event.s, event.a, event.theta_prime)
    return [*events[: at + 1], wrong, *events[at + 1 :]]


def name_another_equation(events: list[Event]) -> list[Event]:
    at = place(events, Elimination)
    event = events[at]
    assert isinstance(event, Elimination)
    return [*events[:at], Elimination(event.t, event.theta, 2, 0, event.a, 0), *events[at + 1 :]]


def query_a_silent_arm(events: list[Event]) -> list[Event]:
    return [Query(e.t, 0, 0) if isinstance(e, Query) and e.t == 5 else e for e in events]


def skip_a_pass(events: list[Event]) -> list[Event]:
    return [e for e in events if not (isinstance(e, Query | Sample) and e.t == 7)]


def stop_one_later(events: list[Event]) -> list[Event]:
    stop = events[-1]
    assert isinstance(stop, Stop)
    return [*events[:-1], Stop(stop.t + 1, stop.end, stop.theta, stop.policy)]


def stop_with_another_policy(events: list[Event]) -> list[Event]:
    stop = events[-1]
    assert isinstance(stop, Stop)
    return [*events[:-1], Stop(stop.t, stop.end, stop.theta, (2,))]


def stop_with_a_fallen_model(events: list[Event]) -> list[Event]:
    stop = events[-1]
    assert isinstance(stop, Stop)
    return [*events[:-1], Stop(stop.t, stop.end, 1, (1,))]


def stop_early(events: list[Event]) -> list[Event]:
    return [*events[:11], Stop(6, "stopped", 0, (0,))]


def go_on_after_the_end(events: list[Event]) -> list[Event]:
    stop = events[-1]
    assert isinstance(stop, Stop)
    more: list[Event] = [Query(stop.t, 0, 0), Sample(stop.t, 0.0, 0)]
    return [*events[:-1], *more, Stop(stop.t + 1, stop.end, stop.theta, stop.policy)]


def give_up_before_the_budget(events: list[Event]) -> list[Event]:
    return [*events[:11], Stop(6, "budget-exhausted", None, None)]


def lose_the_answer(events: list[Event]) -> list[Event]:
    at = place(events, Sample)
    return events[:at] + events[at + 1 :]


def lose_the_stop(events: list[Event]) -> list[Event]:
    return events[:-1]


@pytest.mark.parametrize(
    ("spoil", "formula"),
    [
        (forget_an_elimination, "WIDTH_R"),
        (eliminate_twice, "PASS_NUMBER"),
        (eliminate_the_target, "WIDTH_R"),
        (name_another_equation, "WIDTH_P"),
        (query_a_silent_arm, "INDEX"),
        (skip_a_pass, "PASS_NUMBER"),
        (stop_one_later, "PASS_NUMBER"),
        (stop_with_another_policy, "STOPPING_SLACK"),
        (stop_with_a_fallen_model, "STOPPING_SLACK"),
        (stop_early, "STOPPING_SLACK"),
        (go_on_after_the_end, "STOPPING_SLACK"),
        (give_up_before_the_budget, "PASS_NUMBER"),
        (lose_the_answer, "PASS_NUMBER"),
        (lose_the_stop, "PASS_NUMBER"),
    ],
)
def test_a_spoilt_transcript_is_noticed(
    spoil: Callable[[list[Event]], list[Event]], formula: str
) -> None:
    first, *_ = audit(spoil(events_of(three_arms())))
    name, values = first.formed
    assert name.endswith(f":{formula}")
    assert len(dict(values)) == len(values)
    known = ledger.formula(name).symbols()
    assert known & dict(values).keys(), "a number for a symbol of the formula"


def two_arms(rows: tuple[tuple[float, ...], ...], epsilon: float, n: int, Delta: float) -> Drawn:
    task_set = exactly_known("two arms", bandit(0.0, *rows))
    return Drawn(Algorithm1Setting(task_set, epsilon, 0.1, n, single(Delta)), seed=3)


def test_no_test_follows_the_last_query() -> None:
    """D22: 23 queries tell the two arms apart, and a run with a budget of 23 does not look."""
    *events, _ = events_of(two_arms(((1.0, 0.0), (0.0, 1.0)), epsilon=0.5, n=23, Delta=0.0))
    assert audit([*events, Stop(24, "budget-exhausted", None, None)]) == ()
    fallen, ends = Elimination(24, 1, 1, 0, 0, None), Stop(24, "stopped", 0, (0,))
    assert [broken.told for broken in audit([*events, fallen, ends])] == [
        "iteration 24: models fall after the last iteration",
        "iteration 24: the run may not end as stopped with model 0",
    ]


def test_a_silent_index_does_not_end_what_line_14_stops() -> None:
    """Both gaps are below 8Δ, and both models have the same best arm."""
    start, _ = events_of(two_arms(((0.5, 0.4), (0.5, 0.45)), 0.36, 5, Delta=0.01), REPAIRED)
    assert audit([start, Stop(1, "stopped", 0, (0,))], REPAIRED) == ()
    (broken,) = audit([start, Stop(1, "index-zero", None, None)], REPAIRED)
    assert broken.told == "iteration 1: the run may not end as index-zero with model None"


def test_each_version_has_its_own_line_2() -> None:
    """(1-γ)ε/(18(1+γ)) < Δ < (1-γ)ε/(4(1+γ)) for γ = 1/2, ε = 0.4: between 0.0074 and 0.033."""
    between = replace(three_arms(5), setting=replace(three_arms(5).setting, errors=single(0.01)))
    printed, repaired = events_of(between), events_of(between, REPAIRED)
    assert audit(printed) == () == audit(repaired, REPAIRED)
    for events, version in ((printed, REPAIRED), (repaired, PRINTED)):
        first, *_ = audit(events, version)
        assert first.formed == formulas.threshold(0.4, 0.5, version)


def last_tied(I_t: Floats) -> tuple[int, int]:
    s, a = np.argwhere(I_t == I_t.max())[-1].tolist()
    return s, a


def least_informative(I_t: Floats) -> tuple[int, int]:
    s, a = np.argwhere(I_t == I_t.min())[0].tolist()
    return s, a


def never(*_: object) -> tuple[int, ...]:
    return ()


def the_first_one(active: tuple[int, ...], *_: object) -> tuple[int, ...]:
    return active[:1]


def narrow(
    hat: EmpiricalModel, errors: ModelErrors, gamma: float, n: int, k: int, delta: float
) -> Widths:
    C = widths(hat, errors, gamma, n, k, delta)
    return Widths(C.r / 2, C.p / 2, C.sigma_r / 2, C.sigma_p / 2)


def keep_all(active: tuple[int, ...], *_: object) -> tuple[tuple[int, ...], dict[int, Violation]]:
    return active, {}


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("query", last_tied),
        ("query", least_informative),
        ("stopping_models", never),
        ("stopping_models", the_first_one),
        ("widths", narrow),
        ("confidence_set", keep_all),
    ],
)
def test_invariants_reject_wrong_lines(
    name: str, wrong: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    arms = ((0.0, 1.0, 1.0, 0.2), (1.0, 0.0, 0.0, 0.2))
    task_set = exactly_known("tied arms", bandit(0.0, *arms))
    tied = Drawn(Algorithm1Setting(task_set, 0.5, 0.1, 100, single(0.0)), seed=3)
    assert algorithm_1.invariants_evaluation(tied, PRINTED).verdict() is Verdict.HOLDS
    monkeypatch.setattr(algorithm_1_module, name, wrong)
    assert algorithm_1.invariants_evaluation(tied, PRINTED).verdict() is Verdict.VIOLATED


def test_the_books_must_balance() -> None:
    result, events = algorithm_1.observed(three_arms(), PRINTED)
    assert algorithm_1.books_of(result, events) == ()
    assert result.tau is not None
    for wrong in (
        replace(result, tau=result.tau - 1),
        replace(result, tau=None),
        replace(result, queries=result.queries + 1),
        replace(result, N=result.N + 1),
    ):
        assert algorithm_1.books_of(wrong, events) != ()


# What the algorithm is given


def test_a_loop_of_too_much_weight_leaves_the_range() -> None:
    assert (
        algorithm_1_cases.not_an_mdp_evaluation(algorithm_1_cases.not_an_mdp_instance()).verdict()
        is Verdict.HOLDS
    )
    proper = algorithm_1_cases.not_an_mdp_evaluation(
        algorithm_1_cases.not_an_mdp_instance(Fraction(1))
    )
    assert proper.verdict() is Verdict.VIOLATED  # an MDP: the value is 1/(1-γ)


def test_ranges_reject_values_beyond_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def inflated(models: Sequence[MDP]) -> ApproximateModels:
        built = approximate_models(models)
        return replace(built, V_star=built.V_star * 1.5)

    monkeypatch.setattr(algorithm_1, "approximate_models", inflated)
    assert algorithm_1.ranges(QUICK).verdict is Verdict.VIOLATED


def test_the_loss_of_a_transferred_policy_attains_its_bound() -> None:
    outcome = algorithm_1.good_policy_known(QUICK)
    assert outcome.verdict is Verdict.HOLDS
    assert outcome.worst_ratio == 1
    assert algorithm_1.good_policy_known(QUICK, factor=1).verdict is Verdict.VIOLATED


# The promise


def test_two_phases_end_as_the_story_says() -> None:
    arms = algorithm_1_cases.TargetAndRival()
    found = algorithm_1_cases.ends(arms, arms.delta)
    assert found.rightly == 0
    assert found.wrongly == arms.target**40
    # pass 41 is the first that looks at forty samples
    assert (
        algorithm_1_cases.two_phases_evaluation(
            algorithm_1_cases.TargetAndRival(n=41), PRINTED
        ).verdict()
        is Verdict.VIOLATED
    )


class Fixed:
    """Arm 0 gives these answers and then only zeros."""

    def __init__(self, answers: Sequence[int]) -> None:
        self._answers = list(answers)

    def sample(self, s: int, a: int) -> tuple[float, int]:
        assert (s, a) == (0, 0)
        return float(self._answers.pop(0) if self._answers else 0), 0


@pytest.mark.parametrize(
    ("answers", "end"),
    [
        ([1] * 45, End.STOPPED),
        ([1] * 39 + [0] * 6, End.BUDGET_EXHAUSTED),
        ([0] * 45, End.BUDGET_EXHAUSTED),
        ([0, 1] * 23, End.BUDGET_EXHAUSTED),
    ],
)
def test_two_phases_are_runs_of_the_literal_code(answers: list[int], end: End) -> None:
    arms = algorithm_1_cases.TargetAndRival()
    models = algorithm_1_cases.models_of(arms)
    result = ptum(models, Fixed(answers), epsilon=0.04, delta=0.1, n=arms.n, Delta=0.0)
    assert result.end is end
    if end is End.STOPPED:
        assert (result.queries, result.theta) == (40, 1)


class Worst:
    """Plans well and returns the opposite."""

    def __call__(
        self, model: GenerativeModel, S: int, A: int, gamma: float, epsilon: float, delta: float
    ) -> FallbackResult:
        found = UniformSampling()(model, S, A, gamma, epsilon, delta)
        return replace(found, policy=A - 1 - found.policy)


class Boaster(UniformSampling):
    """Reports half of its queries."""

    def __call__(
        self, model: GenerativeModel, S: int, A: int, gamma: float, epsilon: float, delta: float
    ) -> FallbackResult:
        found = super().__call__(model, S, A, gamma, epsilon, delta)
        return replace(found, queries=found.queries // 2)


class Waster(UniformSampling):
    """Samples the first pair again."""

    def __call__(
        self, model: GenerativeModel, S: int, A: int, gamma: float, epsilon: float, delta: float
    ) -> FallbackResult:
        model.sample(0, 0)
        found = super().__call__(model, S, A, gamma, epsilon, delta)
        return replace(found, queries=found.queries + 1)


def test_the_promise_rejects_a_fallback_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(algorithm_1_promise, "UniformSampling", Worst)
    for run in (algorithm_1_promise.ensured, algorithm_1_promise.pac_probability):
        assert run(QUICK).verdict is Verdict.VIOLATED


def test_drawn_runs_reject_what_named_ones_do_not_see(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fallback that fails in two states only, and arms as the only named instance."""

    class WorstOfTwo:
        def __call__(
            self, model: GenerativeModel, S: int, A: int, gamma: float, epsilon: float, delta: float
        ) -> FallbackResult:
            solver = Worst() if S == 2 else UniformSampling()
            return solver(model, S, A, gamma, epsilon, delta)

    arms = {"two arms": algorithm_1_promise.pac_tasks()["two arms"]}
    monkeypatch.setattr(algorithm_1_promise, "pac_tasks", lambda: arms)
    assert algorithm_1_promise.pac_probability(QUICK).verdict is Verdict.HOLDS
    monkeypatch.setattr(algorithm_1_promise, "UniformSampling", WorstOfTwo)
    for run in (algorithm_1_promise.ensured, algorithm_1_promise.pac_probability):
        assert run(QUICK).verdict is Verdict.VIOLATED


def test_the_promise_rejects_runs_that_stop_too_early(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (algorithm_1_module, repaired_module):
        monkeypatch.setattr(module, "stopping_models", the_first_one)
    assert algorithm_1_promise.ensured(QUICK).verdict is Verdict.VIOLATED


def test_answers_drawn_ahead_are_those_of_the_simulator() -> None:
    theta = algorithm_1_promise.pac_tasks()["two states"].target
    literal, ahead = Simulator(theta, 5), Ahead(theta, 5)
    order = np.random.default_rng(0).integers(2, size=(400, 2)).tolist()
    assert [literal.sample(s, a) for s, a in order] == [ahead.sample(s, a) for s, a in order]


@pytest.mark.parametrize("wrong", [Boaster, Waster])
def test_samples_reject_wrong_counts(
    wrong: type[UniformSampling], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(algorithm_1_promise, "UniformSampling", wrong)
    assert algorithm_1_promise.polynomial_samples(QUICK).verdict is Verdict.VIOLATED


def test_named_runs_end_by_every_line() -> None:
    ends = set()
    for whole in algorithm_1_promise.whole_runs().values():
        result = repaired_ptum(
            whole.task_set.approximate,
            Simulator(whole.target, 0),
            epsilon=whole.epsilon,
            delta=algorithm_1_promise.EVEN,
            n=whole.n,
            Delta=whole.Delta,
        )
        ends.add(result.end)
    assert ends == {End.STOPPED, End.BUDGET_EXHAUSTED, End.MODELS_TOO_INACCURATE}


# Quantities without data


def finite_widths(hat: EmpiricalModel, task_set: TaskSet) -> Widths:
    """As if two samples were always there."""
    return algorithm_1_text.widths_of(replace(hat, N=np.maximum(hat.N, 2)), task_set)


def finite_from_one(hat: EmpiricalModel, task_set: TaskSet) -> Widths:
    """As if one sample were two."""
    N = np.where(hat.N == 1, 2, hat.N)
    return algorithm_1_text.widths_of(replace(hat, N=N), task_set)


@pytest.mark.parametrize(("up_to", "wrong"), [(0, finite_widths), (1, finite_from_one)])
def test_fillers_matter_when_widths_are_finite_too_early(
    up_to: int, wrong: algorithm_1_text.WidthsOf
) -> None:
    found = search(
        QUICK,
        algorithm_1_text.sampled(),
        lambda case: algorithm_1_text.filling_evaluation(case, up_to, wrong),
        40,
    )
    assert found.verdict is Verdict.VIOLATED


def test_a_width_that_is_finite_with_one_sample_is_seen() -> None:
    found = search(
        QUICK,
        algorithm_1_text.sampled(),
        lambda case: algorithm_1_text.one_sample_evaluation(case, finite_from_one),
        40,
    )
    assert found.verdict is Verdict.VIOLATED


def test_only_few_samples_are_filled_in() -> None:
    data = Data([[[], [0.5], [0.5, 1.0]]], [[[], [0], [0, 0]]])
    hat = empirical_model(data, np.array([[2.0]]))
    filled = algorithm_1_text.filled(hat, 7.0, deviations_up_to=1)
    np.testing.assert_array_equal(filled.r, [[7.0, 0.5, 0.75]])
    np.testing.assert_array_equal(filled.sigma_r[0, :2], [7.0, 7.0])
    assert filled.sigma_r[0, 2] == hat.sigma_r[0, 2] > 0


# Widths


@pytest.mark.parametrize("factor", [0.5, 3.0])
def test_three_terms_reject_another_range_term(
    factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = confidence.width

    def wrong(term: confidence.WidthTerm) -> float:
        return right(term) + (factor - 1) * 7 * term.L / (3 * (term.N - 1) * (1 - term.gamma))

    monkeypatch.setattr(confidence, "width", wrong)
    assert algorithm_1_text.three_terms(QUICK).verdict is Verdict.VIOLATED


# The fastest pair


def telling_tasks() -> tuple[MDP, ...]:
    """Rewards 0, 1/2, 0.55, 0.6, 1; the rival tosses a coin at arm 1."""
    u, deterministic = np.array([0.0, 0.5, 0.55, 0.6, 1.0]), np.eye(5)
    target, rival = deterministic[[1, 1, 2]], deterministic[[3, 1, 2]]
    rival[1] = (deterministic[0] + deterministic[4]) / 2
    return tuple(MDP(np.ones((1, 3, 1)), q[np.newaxis], u, 0.0) for q in (target, rival))


def test_the_telling_deviation_costs_what_ptum_pays() -> None:
    """The literal run queries arm 0 until the rival falls, 424 times; arm 1 needs 141."""
    telling = queries.telling_deviation()
    assert queries.samples_to_drop(telling, 0) == 424
    assert queries.samples_to_drop(telling, 1) == 141
    setting = Algorithm1Setting(
        exactly_known("telling", telling_tasks()), 0.04, 0.1, 100_000, single(0.0)
    )
    result = transfer_phase(setting, seed=0)
    assert (result.queries, result.N[0].tolist()) == (424, [424, 0, 0])


def test_the_index_bound_rejects_a_smaller_constant(monkeypatch: pytest.MonkeyPatch) -> None:
    right = fundamental_bound

    def smaller(
        active: tuple[int, ...], models: ApproximateModels, Delta: float, L: float
    ) -> float:
        return right(active, models, Delta, L) / 128

    monkeypatch.setattr(algorithm_1_text, "fundamental_bound", smaller)
    assert algorithm_1_text.index_gives_upper_bound(QUICK).verdict is Verdict.VIOLATED


# Gaussian distributions


@pytest.mark.parametrize("deviation", [Fraction(1), Fraction(2), Fraction(1, 2)])
def test_two_nodes_integrate_the_divergence(deviation: Fraction) -> None:
    first, second = Gaussian(Fraction(0), Fraction(1)), Gaussian(Fraction(1), deviation)

    def density_ratio(x: float) -> float:
        norm = scipy.stats.norm
        log_ratio = norm.logpdf(x) - norm.logpdf(x, 1.0, float(deviation))
        return float(norm.pdf(x) * log_ratio)

    integral, error = scipy.integrate.quad(density_ratio, -12, 12)
    assert abs(float(definition_1.whole_divergence(first, second)) - integral) <= error < 1e-6


def test_twice_the_divergence_rejects_another_factor(monkeypatch: pytest.MonkeyPatch) -> None:
    right = definition_1.left_term
    monkeypatch.setattr(definition_1, "left_term", lambda a, b: right(a, b) * 2)
    assert algorithm_1_text.equal_variances(QUICK).verdict is Verdict.VIOLATED


def test_the_information_rejects_a_missing_square(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_square(gap: Floats, sigma: Floats, Delta: float) -> Floats:
        del Delta
        ratio: Floats = gap / sigma
        return ratio

    monkeypatch.setattr(algorithm_1_text, "information_r", without_square)
    assert algorithm_1_text.information_is_divergence(QUICK).verdict is Verdict.VIOLATED


# Linear terms


def test_without_linear_terms_every_telling_arm_is_infinite() -> None:
    assert list(definition_1.left_information(definition_1.linear_term_instance())) == [
        None,
        None,
        Fraction(0),
    ]
    of_coins = [Fraction(1, 24), Fraction(1, 6), Fraction(0)]
    assert list(definition_1.left_information(definition_1.NOISY)) == of_coins


@pytest.mark.parametrize("name", ["information_r", "information_p"])
def test_linear_terms_reject_information_without_them(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def squared(gap: Floats, sigma: Floats, Delta: float, gamma: float = 0.0) -> Floats:
        del gamma
        ratio: Floats = (np.maximum(gap - 8 * Delta, 0) / np.maximum(sigma, 1e-9)) ** 2
        return ratio

    monkeypatch.setattr(algorithm_1_text, name, squared)
    assert algorithm_1_text.linear_decides(QUICK).verdict is Verdict.VIOLATED


# Survivors


def test_survivors_reject_a_phase_that_starts_with_everybody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    arms = ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.5, 0.9))
    task_set = exactly_known("certain arms", bandit(0.0, *arms))
    drawn = Drawn(Algorithm1Setting(task_set, 0.1, 0.5, 30, single(0.0)), seed=1)
    assert algorithm_1_text.survivors_evaluation(drawn).verdict() is Verdict.HOLDS
    monkeypatch.setattr(algorithm_1_text, "_subset", lambda task_set, _: task_set)
    assert algorithm_1_text.survivors_evaluation(drawn).verdict() is Verdict.VIOLATED
    generous = replace(drawn, setting=replace(drawn.setting, n=5000))
    assert algorithm_1_text.survivors_evaluation(generous).verdict() is Verdict.ASSUMPTION_NOT_MET


# Remarks that hold in one reading


def test_too_small_a_constant_for_the_leading_term_is_rejected() -> None:
    assert algorithm_1_text.leading_term(QUICK, constant=1.0).verdict is Verdict.VIOLATED


def test_the_rate_keeps_no_more_than_a_square() -> None:
    assert algorithm_1_text.linear_in_the_rate(QUICK, power=1).verdict is Verdict.VIOLATED


def test_another_count_than_that_of_lemma_4_is_rejected() -> None:
    """Larger gaps are taken for slower ones."""

    def upside_down(theta: ExactMDP, other: ExactMDP, s: int, a: int) -> MaybeInfinite:
        asked = samples_asked(theta, other, s, a)
        return asked if asked in (0, math.inf) else 1 / asked

    found = search(
        QUICK,
        rational.model_sets(),
        lambda models: algorithm_1_text.asked_evaluation(models, upside_down),
        40,
    )
    assert found.verdict is Verdict.VIOLATED


def test_what_lemma_4_asks_is_the_inverse_of_the_information() -> None:
    sharp = correctness.sharp(Fraction(1, 100), Fraction(1), Fraction(1, 2))
    for theta, other in (correctness.bandit().models, sharp.models):
        for s in range(theta.S):
            for a in range(theta.A):
                information = mdp.information(theta, other, s, a, Fraction(0))
                asked = samples_asked(theta, other, s, a)
                assert asked == (1 / information if information else math.inf)
