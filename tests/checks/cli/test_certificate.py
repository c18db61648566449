"""`ptum certificate`: what it prints, lists and refuses."""

from __future__ import annotations

import json

import pytest

from ptum.checks.kernel.certificate import check
from ptum.checks.suite import certificates
from tests.support.command import ptum, refused, valid


def test_prints_one_that_the_kernel_accepts_and_the_schema_describes() -> None:
    done = ptum("certificate", "E02")
    assert done.returncode == 0
    assert valid(done.stdout, "certificate") == check(done.stdout)
    assert "theorem-1.correct/wrong-policy" in json.loads(done.stdout)["claims"]


def test_the_names_are_explained_and_the_conclusions_have_decimals() -> None:
    said = " ".join(ptum("certificate", "E38").stderr.split())
    assert "law is the distribution of θ*_h, column j of sets is Θ̄_h" in said
    assert "T(i,j) = P(task i after task j)" in said  # of the section
    assert "≤ δʹ, with 0.5 and 0.1 on the two sides: refuted" in said
    assert "S_h is the set" not in said  # of another block
    for checks in certificates.certificates().values():
        first, *own = certificates.comments(checks[0])
        assert first.startswith("Section")
        assert not any("#" in comment or "\n" in comment for comment in own)


def test_of_several_the_first_and_the_names_of_the_others() -> None:
    done = ptum("certificate", "E31")
    assert "the first of 2" in done.stderr
    assert json.loads(done.stdout)["claims"] == ["lemma-11.implication/four-cycle"]
    other = ptum("certificate", "lemma-11.pseudo-inverse/scalars")
    assert json.loads(other.stdout)["claims"] == ["lemma-11.pseudo-inverse/scalars"]


def test_lists_every_counterexample_with_certificate_or_reason() -> None:
    lines = ptum("certificate").stdout.splitlines()
    assert len(lines) == 2 + sum(len(e.counterexamples) for e in certificates.ranked())
    assert any("E05" in line and "none: probabilities" in line for line in lines)


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("E2",), "E02"),
        (("lemma-7.positive/bandi",), "lemma-7.positive/bandit"),
        (("E06",), "E06 is a remark; only majors and minors have certificates"),
        (("lemma-7",), "unknown erratum or counterexample"),
        (("E41",), "E41 has no certificate: text-unbiased-observations.mean/stopping needs"),
        (("E01", "--build"), "--build writes all of them"),
    ],
)
def test_refuses_in_one_line(arguments: tuple[str, ...], hint: str) -> None:
    assert hint in refused("certificate", *arguments)
