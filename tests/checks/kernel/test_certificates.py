"""Certificates: current, complete, and refused as soon as anything in them is changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from ptum.checks.instances.counterexamples.catalogue import cases_of
from ptum.checks.kernel import certificate
from ptum.checks.kernel.certificate import check, recomputed
from ptum.checks.kernel.formulas import Refused
from ptum.checks.suite import certificates
from ptum.checks.verdicts.outcome import Evaluation
from ptum.spec.vocabulary import Verdict
from tests.checks.kernel.breakers import breaker_of

NAMES = tuple(certificates.certificates())
VERDICTS = {"excluded": Verdict.ASSUMPTION_NOT_MET, "holds": Verdict.HOLDS}
OTHER_FORM = {
    "corollary-1.rate/endless-bandit": "a whole number of queries",
    "theorem-1.phases/least-sampled": "400 arms, and a whole number of queries",
    "text-gamma-positive.identical/equal-values": "the largest difference, not how many",
    "text-at-least-one-sample.wlog/singleton": "25 cells in place of 4",
    "text-moment-identities.moments/printed-form": "M_3 as well",
    "theorem-2.all-h/first-task": "yes or no in place of a rank",
    "lemma-11.pseudo-inverse/scalars": "4 in place of 4√2 for one dimension",
    "lemma-11.implication/four-cycle": "squares of Frobenius norms",
    "lemma-14.values/stretched-row": "squares",
    "lemma-14.value-std/stretched-row": "squares",
    "lemma-14.reward-std/swollen-law": "squares",
    "text-rate.rate/no-floor": "squares",
    "assumption-5.experiments/empty-cells": "another pair of laws in the repair",
    "text-sparse-T-helps.rule/cycle": "the number of dropped tasks",
    "text-rho-enters-transfer-mode.enters/after-start-up": "shortened for display",
}
"""Where the check compares the same thing in another form, and how."""


def stored(name: str) -> str:
    return (certificates.STORED / name).read_text(encoding="utf-8")


def leaves(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths of all numbers."""
    if isinstance(part, dict | list):
        for key, each in part.items() if isinstance(part, dict) else enumerate(part):
            yield from leaves(each, (*path, key))
    elif isinstance(part, str) and re.fullmatch(r"-?\d+(/\d+)?", part):
        yield path


def changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The document with one leaf replaced; what is not on the path is shared."""
    if not path:
        return value
    copy = dict(document) if isinstance(document, dict) else list(document)
    copy[path[0]] = changed(document[path[0]], path[1:], value)
    return copy


def at(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        document = document[key]
    return document


def test_stored_certificates_are_those_that_are_built() -> None:
    assert dict(certificates.built()) == {
        path.name: path.read_text(encoding="utf-8") for path in certificates.STORED.glob("*.json")
    }


@pytest.mark.parametrize("name", NAMES)
def test_accepted(name: str) -> None:
    assert check(stored(name))["printed"]["verdict"] == "refuted"


def test_every_counterexample_has_a_certificate_or_a_reason() -> None:
    asked = {c for erratum in certificates.ranked() for c in erratum.counterexamples}
    certified = {c for checks in certificates.certificates().values() for c in checks}
    assert certified | set(certificates.REASONS) == asked
    assert not certified & set(certificates.REASONS)
    for first, builders in certificates.INSTANCES.items():
        assert len(cases_of(first)) == len(builders), first


@pytest.mark.parametrize("name", NAMES)
def test_agrees_with_the_check_on_the_same_instance(name: str) -> None:
    """Two codes that share no line: verdicts agree, and so do the numbers of the conclusions."""
    found = json.loads(stored(name))
    first, number = found["claims"][0], re.search(r"-(\d)\.json$", name)
    several = len(certificates.INSTANCES[first]) > 1 and number is not None
    case = cases_of(first)[int(number[1]) - 1 if several and number else 0]
    assert case.repaired is not None
    printed, repaired = case.evaluate(case.instance), case.repaired(case.instance)
    assert isinstance(printed, Evaluation)
    assert isinstance(repaired, Evaluation)
    assert printed.verdict() is Verdict.VIOLATED
    assert repaired.verdict() is VERDICTS[found["repaired"]["verdict"]]
    unlike = []
    for evaluation, version in ((printed, "printed"), (repaired, "repaired")):
        conclusion = found[version]["conclusion"]
        if conclusion is not None:
            told = evaluation.conclusion
            sides = tuple(str(Fraction(side)) for side in (told.left, told.right))
            if (conclusion["left"], conclusion["right"]) != sides:
                unlike.append((version, conclusion, sides))
    assert bool(unlike) == (first in OTHER_FORM), unlike


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_number_can_be_changed(name: str) -> None:
    document = json.loads(stored(name))
    paths = list(leaves(document))
    assert len(paths) >= 6
    for path in paths:
        wrong = changed(document, path, str(Fraction(at(document, path)) + 1))
        with pytest.raises(Refused):
            check(json.dumps(wrong))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_statement_can_be_left_out_or_exchanged(name: str) -> None:
    document = json.loads(stored(name))
    for version in ("printed", "repaired"):
        premises = document[version]["premises"]
        for wrong in (premises[1:], [], [*premises, premises[0]]):
            with pytest.raises(Refused):
                check(json.dumps(changed(document, (version, "premises"), wrong)))
        for verdict in {"refuted", "holds", "excluded"} - {document[version]["verdict"]}:
            with pytest.raises(Refused):
                check(json.dumps(changed(document, (version, "verdict"), verdict)))


HALF_STAYING = [["1/2", "0", "1/2"], ["1/2", "1/2", "0"], ["0", "1/2", "1/2"]]
OUTSIDE = {
    "before the start-up of the experiment": ("E48-text-rho", {"h": "1"}),
    "outside the transfer mode": ("E10-text-pair-constant", {"Δ": "1/5"}),
    "a sequence that may not come": ("E27-lemma-10", {"T": HALF_STAYING}),
}
"""Instances on which a conclusion fails, but of which the paper says nothing."""


@pytest.mark.parametrize("case", OUTSIDE.values(), ids=OUTSIDE.keys())
def test_premises_are_as_strong_as_in_the_paper(case: tuple[str, dict[str, Any]]) -> None:
    name = next(name for name in NAMES if name.startswith(case[0]))
    document = json.loads(stored(name))
    found = recomputed(document["claims"], document["instance"] | case[1])
    assert found["printed"]["verdict"] == "excluded"


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_broken_premise_proves_nothing(name: str) -> None:
    """Also where everything that follows from the broken instance is stated as it is."""
    document = json.loads(stored(name))
    for number, premise in enumerate(document["printed"]["premises"]):
        breaker = breaker_of(document["claims"][0], premise["statement"])
        instance = document["instance"] | dict(breaker(document["instance"]))
        try:
            honest = recomputed(document["claims"], instance)
        except Refused:  # an empty list is no instance of any claim
            assert premise["statement"] == "size(sequence) ≥ 1"
        else:
            assert not honest["printed"]["premises"][number]["holds"], premise["statement"]
            assert honest["printed"]["verdict"] == "excluded"
            with pytest.raises(Refused, match="as printed the claim is excluded"):
                check(json.dumps(honest))
        stale = document | {"instance": instance, "sha256": certificate.digest(instance)}
        with pytest.raises(Refused):
            check(json.dumps(stale))
