"""What a check rests on: all that it calls, and nothing that has to do with others alone."""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path
from types import FrameType

import pytest

from ptum.checks import claims
from ptum.checks.claims import registry
from ptum.checks.instances import counterexamples
from ptum.checks.suite import mirrors, rests_on
from ptum.checks.suite.rests_on import code_of, digest_of, modules_of
from ptum.checks.suite.runner import Job, run_one
from ptum.checks.text.machine import ROOT
from ptum.checks.verdicts import attempts
from ptum.checks.verdicts.check import Check, Profile
from ptum.checks.verdicts.registry import modules_naming

CHECKS = tuple(registry())


def called_by(check: Check) -> set[str]:
    """The modules of ours of which a function is called while a check runs.

    What an earlier check has cached is called no more: the first check to call it shows it.
    """
    files: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            files.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        run_one(check, Job(Profile.QUICK, 0))
    finally:
        sys.setprofile(before)
    ours = {Path(file).relative_to(ROOT) for file in files if ROOT in Path(file).parents}
    names = {".".join(("ptum", *file.with_suffix("").parts)) for file in ours}
    return {name.removesuffix(".__init__") for name in names}


def nothing_else(check: str) -> None:
    called = called_by(registry()[check])
    assert "ptum.checks.suite.runner" in called
    assert called <= modules_of(registry()[check])


@pytest.mark.parametrize("check", CHECKS[5::40])
def test_a_check_calls_nothing_that_it_does_not_rest_on(check: str) -> None:
    nothing_else(check)


@pytest.mark.deep
@pytest.mark.parametrize("check", CHECKS)
def test_no_check_calls_anything_that_it_does_not_rest_on(check: str) -> None:
    nothing_else(check)


def test_checks_of_different_claims_rest_on_different_modules() -> None:
    own = modules_of(registry()["lemma-7.positive/bandit"])
    assert "ptum.checks.instances.counterexamples.appendix_b.correctness" in own
    assert not any(module.startswith("ptum.checks.claims.appendix_d") for module in own)
    assert not any(module.startswith("ptum.spec.claims") for module in own)
    assert not any(module.startswith(("ptum.checks.cli", "ptum.checks.judge")) for module in own)


def test_a_check_whose_id_is_put_together_rests_on_what_declares_it() -> None:
    check = registry()["algorithm-1.pseudocode/formula"]
    assert not modules_naming(check.id, claims, counterexamples)
    assert "ptum.checks.claims.agreement.transfer" in modules_of(check)


SOURCE = "def f(x: int) -> int:\n    return x + 1\n"
TOLD = """
'What it is.'

def f(
    x: int,  # a whole number
) -> int:
    'One more.'
    return x + 1
"""


def test_comments_docstrings_and_layout_do_not_count() -> None:
    assert digest_of(ast.parse(TOLD)) == digest_of(ast.parse(SOURCE))
    assert digest_of(ast.parse(TOLD.replace("+ 1", "+ 2"))) != digest_of(ast.parse(SOURCE))


def test_the_code_of_modules_counts_and_of_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    check = registry()["lemma-7.positive/bandit"]
    first, read = code_of(check), rests_on._read
    for module, counts in (("ptum.checks.exact.mdp", True), ("ptum.checks.judge", False)):
        assert (module in modules_of(check)) is counts

        def changed(name: str, module: str = module) -> tuple[str, frozenset[str]]:
            digest, imported = read(name)
            return digest + "changed" * (name == module), imported

        with monkeypatch.context() as patch:
            patch.setattr(rests_on, "_read", changed)
            assert (code_of(check) != first) is counts


def test_what_is_compared_beside_a_check_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Formulas of its claim, if it is the check that holds them; of nothing, if it is not."""
    holders = mirrors.of_checks().items()
    check = registry()[next(one for one, claim in holders if mirrors.formulas()[claim])]
    first = code_of(check)
    for name, instead in (("of_checks", {}), ("formulas", defaultdict(tuple))):
        with monkeypatch.context() as patch:
            patch.setattr(mirrors, name, lambda instead=instead: instead)
            assert code_of(check) != first


def test_what_is_stored_for_a_check_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check = registry()["lemma-8.bound/algebra"]
    first = code_of(check)
    stored = tmp_path / "attempts.json"
    stored.write_text("{}")
    monkeypatch.setattr(attempts, "path_of", lambda _: stored)
    assert code_of(check) != first
