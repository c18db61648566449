"""Families of Gymnasium: sets of models that share what they must, for `ptum verify --family`."""

from __future__ import annotations

import pytest
from hypothesis import find

from ptum.checks.instances.families import toy_text
from ptum.checks.instances.families.user import load_family
from ptum.reference.tasks.values import optimal_value


@pytest.mark.parametrize("name", ["frozen_lakes", "cliff_walks"])
def test_a_family_is_loaded_by_name(name: str) -> None:
    drawn = find(load_family(f"ptum.checks.instances.families.toy_text:{name}"), lambda _: True)
    assert drawn.approximate.k >= 2
    assert drawn.repaired_errors().Delta == 0
    assert optimal_value(drawn.true[0]).max() > 0


def test_models_of_taxis_differ_by_rain() -> None:
    dry, wet = toy_text.taxi(1.0, 0.5), toy_text.taxi(0.6, 0.5)
    assert dry.p.shape == wet.p.shape == (501, 6, 501)
    assert (dry.p != wet.p).any()
    assert (dry.u == wet.u).all()
