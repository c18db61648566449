"""The instances of erratum E09 against the literal code, and wrong repairs that are rejected."""

from __future__ import annotations

import numpy as np

from ptum.checks.claims.appendix_b import fundamental_steps as steps
from ptum.checks.exact import mdp
from ptum.checks.exact.mdp import ExactMDP, Vector
from ptum.checks.instances.counterexamples.appendix_b import lemma_8
from ptum.checks.instances.counterexamples.appendix_b.lemma_8 import BUDGET, DELTA, S0
from ptum.checks.verdicts.check import Context, Profile
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer import confidence
from ptum.reference.transfer.assumptions import single
from ptum.reference.transfer.empirical import empirical_model, empty_data
from ptum.reference.transfer.information import index, query
from ptum.spec.vocabulary import Verdict
from tests.support.closeness import near

QUICK = Context(Profile.QUICK, seed=0)


def test_wrong_repairs_are_rejected() -> None:
    assert steps.triangle(QUICK, factor=1).verdict is Verdict.VIOLATED
    assert steps.all_values(QUICK, measured_with=0).verdict is Verdict.VIOLATED
    assert steps.all_values(QUICK, tested=(1,)).verdict is Verdict.VIOLATED


def test_transitions_need_the_value_of_the_first_model() -> None:
    def of_target(models: tuple[ExactMDP, ...], _: int) -> Vector:
        return mdp.optimal_value(models[0])

    assert steps.value_of_the_first(QUICK, of_target).verdict is Verdict.VIOLATED


def test_the_rival_falls_to_other_values_only() -> None:
    """By the literal tests after 500 samples of s0, whose pair the literal index queries."""
    case = lemma_8.silent_rival()
    models = approximate_models([mdp.rounded(theta) for theta in case.models])
    assert query(index((0, 1), models, 0.0)) == (S0, 0)
    simulator, data = Simulator(models.tasks[0], seed=0), empty_data(4, 2)
    for _ in range(500):
        data.store(S0, 0, *simulator.sample(S0, 0))
    hat = empirical_model(data, models.V_star)
    C = confidence.widths(hat, single(0.0), models.gamma, BUDGET, 2, float(DELTA))
    _, of_values, _, of_deviations = confidence.elimination_tests(1, hat, C, models)
    for test in (of_values, of_deviations):
        assert np.all(test.distance[..., 1] <= test.width[..., -1])
    assert of_values.distance[S0, 0, 0] > of_values.width[S0, 0, 0]


def test_the_display_is_half_the_literal_index() -> None:
    case = lemma_8.one_arm(5, 2, 8)
    models = approximate_models([mdp.rounded(theta) for theta in case.models])
    shown = float(lemma_8.display_evaluation(case).conclusion.right)
    assert float(index((0, 1, 2), models, 0.0)[0, 0]) == near(2 * shown)
