"""Pieces of Algorithm 2, printed, as run and repaired: each fits or is refused before task 1."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from ptum.checks.instances.fakes import AskEveryPair, Knowing
from ptum.checks.instances.sequences import CHAIN, GAMMA, TASKS
from ptum.checks.instances.sequences import REWARDS as U
from ptum.reference.arrays import Floats
from ptum.reference.errors import InputError
from ptum.reference.experiments import spectral as as_run
from ptum.reference.experiments.prediction import Experiment
from ptum.reference.repaired.sequential import algorithm as repaired
from ptum.reference.repaired.sequential.lines import learn
from ptum.reference.repaired.sequential.pieces import Constants, CrossTask, WithinTask
from ptum.reference.repaired.sequential.prediction import PerStep
from ptum.reference.sequential import algorithm as printed
from ptum.reference.sequential import spectral
from ptum.reference.sequential.algorithm import Rhos, Setting, TaskRecord
from ptum.reference.sequential.pieces import Pieces, as_bounds
from ptum.reference.sequential.prediction import Theorem3
from ptum.reference.sequential.spectral import NotEnoughData
from ptum.reference.tasks.generative import GenerativeModel
from ptum.reference.transfer.assumptions import ModelErrors, single
from tests.support.borders import assert_borders
from tests.support.closeness import near
from tests.support.streams import simulators

SEQUENCE = (0, 1) * 5
TWO = TASKS[:2]

VERSIONS = {"printed": printed.sequential_transfer, "repaired": repaired.sequential_transfer}
LEARNERS = {
    "printed": spectral.learn_hmm,
    "as-run": as_run.learn_hmm,
    "repaired": CrossTask(overlapping=False),
    "overlapping": CrossTask(overlapping=True),
    "within": WithinTask(),
    "somebody's": Knowing(TWO, np.array([[0.1, 0.9], [0.9, 0.1]])),
    "batches": Knowing(TWO, np.array([[0.1, 0.9], [0.9, 0.1]]), views=3),
}
BOUNDS: dict[str, object] = {
    "printed": Rhos(1e-6, 1e-6, 1e-6, 1e-6),
    "repaired": Constants(rho_3=1e-6, rho_4=1e-6, rho_5=1e-6, rho_6=1e-3, ell=1e-6),
}
RULES: dict[str, object] = {
    "none": None,
    "printed": Theorem3(m=10, rho_T=1e-6),
    "as-run": Experiment(m=10, keep=1),
    "repaired": PerStep(0.2),
}


def started(
    version: str, stream: Iterator[GenerativeModel] | Sequence[GenerativeModel], **pieces: object
) -> Iterator[TaskRecord]:
    options: dict[str, Any] = {
        "k": 2,
        "S": 2,
        "A": 2,
        "u": U,
        "gamma": GAMMA,
        "epsilon": 0.5,
        "delta": 1e-4,
        "n": 5,
        "delta_prime": 0.1,
        "fallback": AskEveryPair(),
        "n_post": 6,
        "L": 2,
        "N": 10,
        **pieces,
    }
    return VERSIONS[version](stream, **options)


def untouched() -> Iterator[GenerativeModel]:
    """A stream from which nobody may take a task."""
    return map(_taken, [0])


def _taken(_: int) -> GenerativeModel:
    raise AssertionError("a task was taken")


def misfit(version: str, learner: str, bounds: str, rule: str) -> str | None:
    """The argument that does not fit, if one does not."""
    if version == "printed" and learner in ("within", "batches"):
        return "learner"
    if rule == "repaired" and (version, bounds) != ("repaired", "repaired"):
        return "rule"
    return None


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("learner", LEARNERS)
def test_every_combination_runs_or_is_refused_at_once(version: str, learner: str) -> None:
    """All error bounds and rules; a run lasts until the rule has been asked several times.

    Disjoint triples alone do not stand out from noise so soon; overlapping ones do.
    """
    for bounds, rule in itertools.product(BOUNDS, RULES):
        pieces = {"learner": LEARNERS[learner], "rhos": BOUNDS[bounds], "rule": RULES[rule]}
        wrong = misfit(version, learner, bounds, rule)
        if wrong is not None:
            with pytest.raises(InputError) as refused:
                started(version, untouched(), **pieces)
            assert refused.value.argument == wrong, (bounds, rule)
            continue
        records = list(started(version, simulators(TWO, SEQUENCE), **pieces))
        assert [record.h for record in records] == list(range(1, 11)), (bounds, rule)
        estimated = [record for record in records if record.after.estimate is not None]
        assert len(estimated) > 2 or learner == "repaired", (bounds, rule)
        assert all(math.isfinite(record.next_errors.Delta) for record in estimated)


def test_one_number_is_the_four_constants_in_both_versions() -> None:
    stream = simulators(TWO, SEQUENCE)
    for version in VERSIONS:
        one, four = (
            [record.next_errors for record in started(version, stream, rhos=rhos)]
            for rhos in (1e-3, Rhos(1e-3, 1e-3, 1e-3, 1e-3))
        )
        assert one == four


def with_one_argument(_: object) -> None:
    """Takes too little to be a learner or a rule."""


def as_in_0_1(
    _: object, theta_bar: tuple[int, ...], *, h: int, d: int, delta: float, delta_prime: float
) -> tuple[int, ...]:
    """A rule that takes what rules were told in the first release."""
    del h, d, delta, delta_prime
    return theta_bar


@pytest.mark.parametrize("learner", [None, 3, "learn_hmm", WithinTask, Rhos, with_one_argument])
def test_what_is_no_learner_is_refused(learner: object) -> None:
    """Not even a class that is made of five arguments."""
    for version in VERSIONS:
        if (version, learner) == ("repaired", None):  # the learner of its own
            continue
        with pytest.raises(InputError, match=r"learner: must be called as .* \(found"):
            started(version, untouched(), rhos=1.0, learner=learner)


def test_views_that_a_version_does_not_have_are_refused() -> None:
    with pytest.raises(InputError, match=r"learner: must take 1 views .* takes 3.*WithinTask\(\)"):
        started("printed", untouched(), rhos=1.0, learner=WithinTask())
    with pytest.raises(InputError, match=r"learner: must take 1 or 3 views .* takes 2"):
        started("repaired", untouched(), rhos=1.0, learner=Knowing(TASKS, CHAIN, views=2))


@pytest.mark.parametrize("rhos", [None, "0.1", (1.0, 1.0), Rhos, Constants, PerStep(0.1), True])
def test_what_is_no_error_bound_is_refused(rhos: object) -> None:
    for version in VERSIONS:
        with pytest.raises(InputError, match=r"rhos: must be a number, .*Rhos.* or .*Constants"):
            started(version, untouched(), rhos=rhos)


def test_a_constant_that_is_not_positive_is_refused() -> None:
    for version in VERSIONS:
        with pytest.raises(InputError, match="rhos: must be positive"):
            started(version, untouched(), rhos=0.0)


@pytest.mark.parametrize(
    "rule", [0.05, "Theorem3", Theorem3, PerStep, with_one_argument, as_in_0_1]
)
def test_what_is_no_rule_is_refused(rule: object) -> None:
    for version in VERSIONS:
        with pytest.raises(InputError, match=r"rule: must be called as rule\(T_hat, theta_bar, h="):
            started(version, untouched(), rhos=1.0, rule=rule)


@pytest.mark.parametrize("fallback", [3, "AskEveryPair", AskEveryPair, with_one_argument])
def test_what_is_no_fallback_is_refused(fallback: object) -> None:
    for version in VERSIONS:
        with pytest.raises(InputError, match="fallback: must be an algorithm such as"):
            started(version, untouched(), rhos=1.0, fallback=fallback)


def test_a_rule_that_needs_a_bound_names_it() -> None:
    needs = r"rule: needs e\^T_h.*Constants.*Theorem3.*\(found PerStep\(eta=0.2\)\)"
    for version, rhos in (("printed", BOUNDS["repaired"]), ("repaired", BOUNDS["printed"])):
        with pytest.raises(InputError, match=needs):
            started(version, untouched(), rhos=rhos, rule=PerStep(0.2))


def test_theorem_3_asks_for_its_delta_before_the_first_task() -> None:
    for version in VERSIONS:
        with pytest.raises(InputError, match=r"delta: Theorem 3 for m = 10 .*δ'/\(3m²\)"):
            started(version, untouched(), rhos=1.0, rule=RULES["printed"], delta=0.01)


@pytest.mark.parametrize("m", [0, 2.5])
def test_rules_need_a_number_of_tasks(m: int) -> None:
    makers: tuple[Callable[[], object], ...] = (
        lambda: Theorem3(m=m, rho_T=1.0),
        lambda: Experiment(m=m),
    )
    for make in makers:
        with pytest.raises(InputError, match="m: "):
            make()
    for constant in (-1.0, math.inf):
        with pytest.raises(InputError, match="rho_T: "):
            Theorem3(m=1, rho_T=constant)
        with pytest.raises(InputError, match="rho_T: "):
            Experiment(m=1, rho_T=constant)


def test_the_printed_learner_is_refused_at_the_size_of_appendix_e() -> None:
    """Before the first sample, not after k triples of tasks; as run and repaired may start."""
    of_appendix_e = {"S": 25, "A": 4, "u": np.linspace(0, 1, 12), "k": 8, "rhos": 0.135}
    for version in VERSIONS:
        with pytest.raises(InputError, match=r"d: .*405 GB.*ptum.reference.experiments"):
            started(version, untouched(), **of_appendix_e, learner=spectral.learn_hmm)
        for learner in (as_run.learn_hmm, CrossTask()):
            started(version, untouched(), **of_appendix_e, learner=learner)
    with pytest.raises(InputError, match="405 GB"):
        started("printed", untouched(), **of_appendix_e)


@dataclass(frozen=True)
class Halved:
    """Somebody's error bounds: of the models, and nothing of T̂."""

    first: float

    def model_errors(self, h: int, setting: Setting, /) -> ModelErrors:
        """The same for every model."""
        del setting
        return single(self.first / h)


def test_error_bounds_of_somebody_else() -> None:
    stream = simulators(TWO, SEQUENCE)
    for version in VERSIONS:
        *_, last = started(version, stream, rhos=Halved(1e-3), rule=RULES["as-run"])
        assert last.next_errors == single(1e-3 / 10)
        assert last.after.options["rhos"] == "Halved(first=0.001)"
        with pytest.raises(InputError, match=r"rule: needs e\^T_h"):
            started(version, untouched(), rhos=Halved(1.0), rule=PerStep(0.2))


def test_rules_are_told_what_is_known_of_the_transitions() -> None:
    """e^T_h is that of the error bounds, infinite where they do not speak of T̂_h."""
    told: list[float] = []

    def remembers(*_: object, e_T: float = math.nan, **__: object) -> tuple[int, ...]:
        told.append(e_T)
        return (0, 1)

    def blind(*_: object, **numbers: object) -> tuple[int, ...]:
        told.append(float(str(numbers["e_T"])))
        return (0, 1)

    stream, learner = simulators(TWO, SEQUENCE[:2]), LEARNERS["somebody's"]
    constants = Constants(rho_3=1e-6, rho_4=1e-6, rho_5=1e-6, rho_6=0.5)
    list(started("repaired", stream, rhos=constants, rule=remembers, learner=learner))
    assert told == [
        near(0.5 * math.sqrt(math.log(math.pi**2 * h**2 * 16 / 0.1) / h)) for h in (1, 2)
    ]
    told.clear()
    late = Constants(rho_3=1e-6, rho_4=1e-6, rho_5=1e6, rho_6=0.5)
    list(started("repaired", stream, rhos=late, rule=blind, learner=learner))
    list(started("printed", stream, rhos=1.0, rule=blind, learner=learner))
    assert told == [math.inf] * 4


class TestRhos:
    """The constants of Theorem 2, and that of its condition, which may be missing."""

    @pytest.mark.parametrize("name", ["r", "p", "sigma_r", "sigma_p"])
    def test_each_is_positive_and_a_double(self, name: str) -> None:
        ones: dict[str, Any] = dict.fromkeys(("r", "p", "sigma_r", "sigma_p"), 1.0)

        def made(value: object) -> None:
            assert isinstance(getattr(Rhos(**{**ones, name: value}), name), float)

        assert_borders(made, good=(math.ulp(0.0), 1), bad=(0, -math.ulp(0.0), math.nan, "1", True))

    @pytest.mark.parametrize("name", ["r", "p", "sigma_r", "sigma_p", "condition"])
    def test_each_is_refused_by_its_own_name(self, name: str) -> None:
        given: dict[str, Any] = {"r": 1.0, "p": 1.0, "sigma_r": 1.0, "sigma_p": 1.0, name: -1.0}
        with pytest.raises(InputError, match=f"^{name}: must be"):
            Rhos(**given)

    def test_without_a_condition_every_number_of_tasks_is_admitted(self) -> None:
        for bounds in (Rhos(2.0, 2.0, 2.0, 2.0), as_bounds(2)):
            assert bounds == Rhos(r=2.0, p=2.0, sigma_r=2.0, sigma_p=2.0, condition=0.0)


class TestConstants:
    """ρ_3 to ρ_6 and the two floors, which may be missing."""

    ONES: Mapping[str, float] = dict.fromkeys(("rho_3", "rho_4", "rho_5", "rho_6"), 1)

    @pytest.mark.parametrize("name", [*ONES, "ell", "sigma_bar"])
    def test_each_is_positive(self, name: str) -> None:
        def made(value: object) -> None:
            given: dict[str, Any] = {**self.ONES, name: value}
            Constants(**given)

        assert_borders(made, good=(math.ulp(0.0), 1), bad=(0, -math.ulp(0.0), math.nan, "1", True))

    def test_whole_numbers_become_doubles(self) -> None:
        """So that two runs with the same constants have the same options, as text."""
        given = Constants(**self.ONES, ell=1, sigma_bar=1)
        numbers = ("rho_3", "rho_4", "rho_5", "rho_6", "ell", "sigma_bar")
        assert repr(given) == f"Constants({', '.join(f'{name}=1.0' for name in numbers)})"

    def test_floors_may_be_missing(self) -> None:
        given = Constants(**self.ONES)
        assert (given.ell, given.sigma_bar) == (None, None)


@dataclass(frozen=True)
class Remembering:
    """A learner that keeps what it is handed and finds nothing."""

    views: int
    seen: list[Floats] = field(default_factory=list)

    def __call__(
        self, observations: Floats, k: int, L: int, N: int, rng: np.random.Generator
    ) -> NotEnoughData:
        """None of the tasks."""
        del L, N, rng
        self.seen.append(observations)
        return NotEnoughData("tasks", 0, k)


class TestRepairedLearners:
    """What they are asked for and what they are handed."""

    def test_triples_are_disjoint_or_overlap(self) -> None:
        def made(overlapping: Any) -> None:
            assert CrossTask(overlapping).overlapping is overlapping

        assert_borders(made, good=(False, True), bad=(None, 0, 1, "True", ""))
        assert CrossTask() == CrossTask(overlapping=False)

    def test_views_of_a_task(self) -> None:
        assert (CrossTask().views, WithinTask().views) == (1, 3)

    @pytest.mark.parametrize(("views", "handed"), [(1, (5, 16)), (2, (2, 5, 16)), (3, (3, 5, 16))])
    def test_one_view_is_a_table_and_more_are_a_table_each(
        self, views: int, handed: tuple[int, ...]
    ) -> None:
        learner = Remembering(views)
        pieces = Pieces(learner, Halved(1.0), None, None)
        setting = Setting(2, 2, 2, U, GAMMA, 0.5, 0.1, 5, 0.1, 6, 2, 10, 0)
        learn(pieces, np.zeros((views, 5, 16)), 5, setting)
        assert [seen.shape for seen in learner.seen] == [handed]
