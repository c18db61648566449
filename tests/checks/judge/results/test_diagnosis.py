"""A known slip is recognised by its answers; one that is not in the catalogue is not misnamed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ptum
from ptum.checks.judge.capabilities import NAMES, capabilities, conforming
from ptum.checks.judge.capabilities.transfer.information import WITH_SIGMAS
from ptum.checks.judge.judging.items import (
    C_R,
    INDEX,
    LARGER_SET,
    LINE_14,
    LINE_14_PLANNED,
    LINE_18,
    Item,
    failed_test,
)
from ptum.checks.judge.judging.readings import Finding
from ptum.checks.judge.judging.verdicts import Conformity, Judgement, judge_capability
from ptum.checks.judge.messages.transcript import Exchange
from ptum.checks.judge.plain.algorithm_1 import Algorithm1
from ptum.checks.judge.plain.views import VIEWS
from ptum.checks.judge.programs.subjects import ask
from ptum.checks.judge.results.diagnosis import (
    diagnosed,
    in_words,
    narrowed,
    same,
    told_enough,
    with_diagnosis,
)
from ptum.checks.judge.slips import Slip, slips_of
from ptum.reference.arrays import Floats

ANSWERED = tuple(name for name in NAMES if not capabilities()[name].samples)
QUICK = ("optimal", "policy_value", "gaps", "deviations", "widths")


def answered(slip: Slip) -> list[Exchange]:
    capability = capabilities()[slip.capability]
    found = (ask(capability, case, slip.implementation) for case in capability.cases(0))
    return [exchange for exchange in found if exchange.answer is not None]


def judged(name: str, exchanges: list[Exchange]) -> Judgement:
    return judge_capability(capabilities()[name], exchanges)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.deep) for name in ANSWERED],
)
def test_slips_are_named_and_never_by_another_line(name: str) -> None:
    """Each with the whole catalogue, then without its class: none is named, or one of its line."""
    for slip in slips_of(name):
        exchanges = answered(slip)
        judgement = judged(name, exchanges)
        own = diagnosed(judgement, exchanges)
        assert slip in own, slip.id
        others = [one for one in slips_of(name) if one not in own]
        for other in diagnosed(judgement, exchanges, others):
            assert other.breaks.places & slip.breaks.places, (slip.id, other.id)


def test_nothing_is_named_for_whole_runs_or_missing_answers() -> None:
    slip = slips_of("policy_value")[0]
    exchanges = answered(slip)
    assert diagnosed(judged("policy_value", exchanges), exchanges) != ()
    assert diagnosed(judged("policy_value", []), []) == ()
    case = next(iter(capabilities()["ptum"].cases(0)))
    run = ask(capabilities()["ptum"], case, conforming("ptum")["literal"])
    assert diagnosed(judged("ptum", [run]), [run]) == ()


def test_slips_of_different_places_with_the_same_answers_name_none() -> None:
    slip = slips_of("policy_value")[0]
    twin, other = replace(slip, slug="twin"), replace(slip, breaks=Item("elsewhere", "lemma-3"))
    exchanges = answered(slip)
    judgement = judged("policy_value", exchanges)
    assert diagnosed(judgement, exchanges, [slip, twin]) == (slip, twin)
    assert diagnosed(judgement, exchanges, [slip, other]) == ()


def test_ties_do_not_hide_a_slip_but_what_it_has_wrong_alone_does() -> None:
    """Only i < j, and of tied pairs the last (D06): its own slip, unless one answer is mended."""
    capability = capabilities()["next_query"]
    (slip,) = (one for one in slips_of("next_query") if one.slug == "one-order")
    assert isinstance(slip.code, type)
    last = {"chosen": lambda _, tied: tuple(tied[-1])}
    made = VIEWS["next_query"](type("TiesToTheLast", (slip.code,), last))
    cases = list(capability.cases(0))
    exchanges = [ask(capability, case, made) for case in cases]
    judgement = judge_capability(capability, exchanges)
    own = [ask(capability, case, slip.implementation).answer for case in cases]
    assert own != [exchange.answer for exchange in exchanges]
    assert with_diagnosis(judgement, exchanges).agrees_with == in_words([slip])
    for place, case in enumerate(cases):
        if case.id in judgement.wrong:
            mended = [*exchanges]
            mended[place] = ask(capability, case, conforming("next_query")["literal"])
            assert slip not in diagnosed(judge_capability(capability, mended), mended)


def test_answers_are_the_same_up_to_rounding() -> None:
    assert same({"a": [1.0, "inf"]}, {"a": [1.0 + 1e-12, "inf"], "b": 3})
    assert not same({"a": [1.0]}, {"a": [1.0 + 1e-6]})
    assert not same({"a": [1.0]}, {"a": [1.0, 2.0]})


def test_check_says_with_which_slip_the_answers_agree() -> None:
    slip = slips_of("policy_value")[0]

    class Subject:
        """Makes that slip."""

        policy_value = staticmethod(slip.implementation)

    found = ptum.check(Subject())
    assert f"; agrees with: {in_words([slip])}" in repr(found)


# Slips that are not in the catalogue


class OneRewardWidth(Algorithm1):
    """Breaks C^r alone: N for N - 1 in its linear term."""

    def width_r(self, N: int, sigma: float) -> float:
        linear = 0.0 if self.infinite(N) else self.linear_term(N, 1.0)
        return super().width_r(N, sigma) - linear + linear * (N - 1) / N


class ThreeErrors(Algorithm1):
    """Breaks line 14: 3Δ for 2Δ."""

    def slack(self) -> float:
        return self.epsilon - 3 * self.Delta * self.ratio


class SumOfErrors(Algorithm1):
    """Breaks line 14: the four errors together for the largest."""

    def error_of_line_14(self) -> float:
        return sum(self.errors.values())


class MiddleLoss(Algorithm1):
    """Breaks line 14: the median over states."""

    def loss(self, rival: int, theta: int) -> float:
        return float(np.median(self.losses(rival, theta)))


class NextBest(Algorithm1):
    """Breaks line 18: the second largest index."""

    def query(self, active: list[int]) -> tuple[int, int]:
        index = self.index(active)
        s, a = divmod(int(np.argsort(-index, axis=None)[min(1, index.size - 1)]), index.shape[1])
        return s, a


@pytest.mark.parametrize(
    ("name", "variant", "breaks"),
    [
        ("confidence_set", OneRewardWidth, C_R),
        ("stopping", ThreeErrors, LINE_14),
        ("stopping", SumOfErrors, LINE_14),
        ("stopping", MiddleLoss, LINE_14),
        ("next_query", NextBest, LINE_18),
    ],
)
def test_an_unknown_slip_is_not_named_by_another_line(
    name: str, variant: type[Algorithm1], breaks: Item
) -> None:
    capability = capabilities()[name]
    made = VIEWS[name](variant)
    exchanges = [ask(capability, case, made) for case in capability.cases(0)]
    judgement = judge_capability(capability, exchanges)
    assert judgement.verdict is Conformity.DEVIATES
    named = diagnosed(judgement, exchanges) if told_enough(judgement) else ()
    assert all(slip.breaks.places & breaks.places for slip in named)


def test_one_wrong_label_names_no_slip() -> None:
    """It agrees with a slip in the logarithms, whose answers differ in a single case too."""
    capability = capabilities()["confidence_set"]
    made = VIEWS["confidence_set"](OneRewardWidth)
    exchanges = [ask(capability, case, made) for case in capability.cases(0)]
    judgement = judge_capability(capability, exchanges)
    assert diagnosed(judgement, exchanges) != ()
    assert len(judgement.wrong) == 1
    assert with_diagnosis(judgement, exchanges).agrees_with == ""


def test_capabilities_that_would_narrow_a_deviation_are_named() -> None:
    """Those that speak for some of the places, unless the subject has them or none is in doubt."""
    found = Finding(failed_test(1), "iteration 59", "model 0 is eliminated", "model 0 stays")
    run = Judgement("ptum", "-", Conformity.DEVIATES, 1, finding=found)
    none = {name: Judgement(name, "-", Conformity.NOT_IMPLEMENTED, 0) for name in NAMES[:-1]}

    def lacking(*others: Judgement) -> tuple[str, ...]:
        return narrowed([*(none | {j.capability: j for j in others}).values()])[-1].lacking

    del none["ptum"]
    assert lacking(run) == ("confidence_set",)
    right = replace(none["widths"], verdict=Conformity.CONFORMS)
    assert lacking(right, run) == ("confidence_set",)
    tests = replace(run, capability="confidence_set")
    assert narrowed([none["widths"], tests])[-1].lacking == ("widths",)
    assert lacking(replace(right, verdict=Conformity.DEVIATES), run) == ("confidence_set",)
    assert narrowed([run])[0].lacking == ()
    assert lacking(replace(run, finding=replace(found, item=C_R))) == ()
    assert lacking(replace(run, verdict=Conformity.CONFORMS, finding=None)) == ()


def test_what_conforms_elsewhere_is_not_suspected() -> None:
    """Right widths clear Lemma 3; nothing is cleared where they are wrong, or not asked."""

    class OneSided(Algorithm1):
        """Only data above a model count."""

        def outside(self, estimated: float, stated: float, width: float) -> bool:
            return estimated - stated > width

    class Subject:
        """Tests in one direction, with the widths of Lemma 3."""

        widths = staticmethod(VIEWS["widths"](OneSided))
        confidence_set = staticmethod(VIEWS["confidence_set"](OneSided))

    told = repr(ptum.check(Subject(), capabilities=["widths", "confidence_set"]))
    assert "; rather lines 7, 9, 12, 20, equation (1): widths conforms" in told
    assert "rather" not in repr(ptum.check(Subject(), capabilities=["confidence_set"]))
    Subject.widths = staticmethod(VIEWS["widths"](OneRewardWidth))
    assert "rather" not in repr(ptum.check(Subject(), capabilities=["widths", "confidence_set"]))


def rather(capability: str, item: Item, *fine: str) -> str:
    """What is left where one capability deviates and others conform."""
    right = [Judgement(name, "-", Conformity.CONFORMS, 1) for name in fine]
    found = Finding(item, "-", "-", "-")
    wrong = Judgement(capability, "-", Conformity.DEVIATES, 1, finding=found)
    return narrowed([*right, wrong])[-1].rather


def test_what_a_run_uses_with_its_own_numbers_is_not_cleared() -> None:
    """n, |Θ|, data and active models come with the requests of others."""
    left = "lines 12, 20, Lemma 3, C^r: confidence_set conforms"
    assert rather("ptum", failed_test(1), "widths", "confidence_set") == left
    assert rather("sequential", failed_test(1), "widths") == ""
    assert rather("ptum", INDEX, "next_query", "deviations").startswith("lines 16, 17: ")
    assert rather("ptum", LARGER_SET, "next_query").startswith("lines 12, 16, 17: ")
    assert rather("ptum", LINE_14_PLANNED, "stopping") == "line 14: stopping conforms"


def test_information_clears_the_deviations_of_an_index_and_not_those_of_tests() -> None:
    assert rather("next_query", INDEX, "information") == "lines 16, 17, 18: information conforms"
    assert not rather("ptum", failed_test(4), "information")


def test_queries_do_not_clear_definition_1() -> None:
    """They are the same if θ and θ' are exchanged."""
    assert not rather("information", WITH_SIGMAS, "next_query")


@pytest.mark.parametrize("slip", slips_of("deviations"), ids=lambda slip: slip.slug)
def test_wrong_deviations_are_seen_in_definition_1(slip: Slip) -> None:
    """All but those of the values of other models, which it does not use."""

    class Wrong(Algorithm1):
        """Computes with the deviations of a slip."""

        def __init__(self, **inputs: Any) -> None:
            super().__init__(**inputs)
            self.tables: Any = slip.implementation(models=inputs["models"], gamma=self.gamma)

        def sigma_r_of(self, i: int, j: int) -> Floats:  # noqa: ARG002
            found: Floats = self.tables["sigma_r"][i]
            return found

        def sigma_p_of(self, i: int, j: int) -> Floats:  # noqa: ARG002
            found: Floats = self.tables["sigma_p"][i, :, :, i]
            return found

    capability, made = capabilities()["information"], VIEWS["information"](Wrong)
    exchanges = [ask(capability, case, made) for case in capability.cases(0)]
    found = judge_capability(capability, exchanges).verdict
    unused = slip.slug in ("own-value", "models-exchanged")
    assert (found is Conformity.CONFORMS) == unused


def test_a_missing_error_term_is_no_wrong_factor_of_it() -> None:
    """Where an infinite error still fails, only losses between tell the two apart."""
    (slip,) = (one for one in slips_of("stopping") if one.slug == "no-finite-error-term")
    exchanges = answered(slip)
    assert diagnosed(judged("stopping", exchanges), exchanges) == (slip,)
