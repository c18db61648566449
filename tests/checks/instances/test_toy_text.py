"""Families of Gymnasium: sets of models that share what they must, for `ptum verify --family`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, find, settings

from ptum.checks.instances.families import toy_text
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.instances.families.user import load_family
from ptum.checks.suite.on_family import not_stopping, run_on_family
from ptum.checks.verdicts.check import Context, Profile
from ptum.reference.arrays import Bools
from ptum.reference.tasks.mdp import MDP, mean_reward
from ptum.reference.tasks.values import optimal_value
from ptum.spec.vocabulary import Verdict

WITHOUT_SHRINKING = settings(phases=[Phase.generate], database=None)


@pytest.mark.parametrize("name", ["frozen_lakes", "cliff_walks"])
def test_a_family_is_loaded_by_name(name: str) -> None:
    drawn = find(
        load_family(f"ptum.checks.instances.families.toy_text:{name}"),
        lambda _: True,
        settings=WITHOUT_SHRINKING,
    )
    assert drawn.approximate.k >= 2
    assert drawn.repaired_errors().Delta == 0
    assert optimal_value(drawn.true[0]).max() > 0


def test_in_heavy_rain_taxis_need_another_policy() -> None:
    """Else no model would have to be told from another, and Lemmas 6 and 7 had nothing to say."""
    epsilon, _ = not_stopping(toy_text.taxis_in_rain((0.2, 1.0), 0.5))
    assert epsilon > 0.01


def test_models_of_taxis_differ_by_rain() -> None:
    dry, wet = toy_text.taxi(1.0, 0.5), toy_text.taxi(0.6, 0.5)
    assert dry.p.shape == wet.p.shape == (501, 6, 501)
    assert (dry.p != wet.p).any()
    assert (dry.u == wet.u).all()


@pytest.mark.parametrize("what", ["slip", "goal", "holes"])
def test_frozen_lakes_differ_in(what: str) -> None:
    """Moves from the start differ by slip, goals by what pays, holes by where nothing moves."""

    def differs(drawn: TaskSet) -> bool:
        first, second = drawn.true[:2]
        if what == "slip":
            return bool((first.p[0] != second.p[0]).any())
        if what == "goal":
            ways = [np.argmax(mean_reward(theta).sum(axis=1)) for theta in (first, second)]
            return bool(ways[0] != ways[1])
        return bool((_ends(first) != _ends(second)).any())

    assert differs(find(toy_text.frozen_lakes, differs, settings=WITHOUT_SHRINKING))


def _ends(theta: MDP) -> Bools:
    ends: Bools = np.all(theta.p.diagonal(axis1=0, axis2=2) == 1, axis=0)
    return ends


def test_claims_are_verified_on_frozen_lakes() -> None:
    found = run_on_family(
        "lemma-7.positive/repaired-threshold", Context(Profile.QUICK, seed=1), toy_text.frozen_lakes
    )
    assert found.verdict is Verdict.HOLDS
    assert found.instances >= 10
