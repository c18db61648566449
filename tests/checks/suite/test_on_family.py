"""Checks on a family of the user's own."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from hypothesis import strategies as st

from ptum.checks.claims import registry
from ptum.checks.cli.output.results import ON_FAMILY
from ptum.checks.exact.mdp import rounded
from ptum.checks.instances.counterexamples.appendix_b.correctness import staying
from ptum.checks.instances.families.named import NAMED_TASK_SETS
from ptum.checks.instances.families.sets import task_sets
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.suite.on_family import (
    BELOW,
    EVALUATIONS,
    correct,
    informative,
    not_stopping,
    run_on_family,
)
from ptum.checks.suite.runner import run
from ptum.checks.verdicts.check import Context, Profile
from ptum.reference.inequalities import Inequality
from ptum.reference.tasks.models import approximate_models
from ptum.reference.transfer.stopping import stopping_models
from ptum.spec.vocabulary import Verdict
from tests.support.command import ptum

PAGE = (Path(__file__).parents[3] / "docs" / "families.md").read_text()
QUICK = Context(Profile.QUICK, seed=2)
LEMMA_7 = "lemma-7.positive/repaired-threshold"


def test_every_evaluation_belongs_to_a_check() -> None:
    assert set(EVALUATIONS) <= set(registry())


@pytest.mark.slow
@pytest.mark.parametrize("identity", sorted(EVALUATIONS))
def test_claims_hold_on_our_own_families(identity: str) -> None:
    found = run_on_family(identity, QUICK, task_sets())
    assert found.verdict is Verdict.HOLDS
    assert found.instances > 0


@pytest.mark.parametrize("tasks", NAMED_TASK_SETS, ids=lambda tasks: str(tasks.name))
def test_epsilon_is_chosen_just_too_small_to_stop(tasks: TaskSet) -> None:
    """ε = 0 where one policy is best in every model: nothing is too small there."""
    models = tasks.approximate
    epsilon, Delta = not_stopping(tasks)
    everybody = tuple(range(models.k))
    assert bool(stopping_models(everybody, models, epsilon, Delta)) == (epsilon == 0)
    assert stopping_models(everybody, models, epsilon / BELOW, Delta)


def test_a_wrong_lemma_is_violated(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object, **__: object) -> Inequality:
        return Inequality(left=1.0, right=0.0)

    def verdicts() -> tuple[Verdict, Verdict]:
        found = run_on_family(LEMMA_7, QUICK, st.sampled_from(NAMED_TASK_SETS))
        return found.verdict, informative(NAMED_TASK_SETS[0]).verdict()

    assert verdicts() == (Verdict.HOLDS, Verdict.HOLDS)
    monkeypatch.setattr("ptum.checks.suite.on_family.positive_index", never)
    assert verdicts() == (Verdict.VIOLATED, Verdict.VIOLATED)


def test_an_error_that_assumption_1_hides_is_still_covered() -> None:
    """The instance of E02, on which the printed constants are too small for Lemma 9."""
    case = staying()
    true, models = (tuple(map(rounded, tasks)) for tasks in (case.true, case.approximate))
    tasks = TaskSet("a staying action", true, approximate_models(models))
    assert tasks.printed_errors().Delta < tasks.repaired_errors().Delta
    assert correct(tasks).verdict() is Verdict.HOLDS


def test_a_run_draws_from_the_named_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "family_for_a_run.py").write_text(
        "from hypothesis import strategies as st\n"
        "from ptum.checks.instances.families.named import NAMED_TASK_SETS\n"
        "mine = st.sampled_from(NAMED_TASK_SETS[:2])\n"
    )
    monkeypatch.chdir(tmp_path)
    check = registry()[LEMMA_7]
    (row,) = run((check,), Profile.QUICK, 0, family="family_for_a_run:mine")
    assert row.outcome.verdict is Verdict.HOLDS
    assert row.outcome.trials == 2  # the family has two members, and both were looked at


@pytest.mark.slow
class TestThePage:
    """docs/families.md does what it says; every module here has a name of its own."""

    @staticmethod
    def written(folder: Path, name: str, instead: str = "") -> str:
        """The example of the page as a module; `instead` replaces what it calls `family`."""
        found = re.search(
            r"^```python\n(# my_module\.py\n.*?)^```$", PAGE, re.DOTALL | re.MULTILINE
        )
        assert found is not None
        (folder / f"{name}.py").write_text(f"{found[1]}\n{instead}")
        return f"{name}:family"

    @staticmethod
    def lines() -> list[list[str]]:
        """The commands of the page."""
        return [shlex.split(line) for line in re.findall(r"^ptum (verify .*)$", PAGE, re.MULTILINE)]

    def test_the_example_holds(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.written(tmp_path, "my_module")
        monkeypatch.chdir(tmp_path)
        told = []
        for line in self.lines():
            assert line[:3] == ["verify", "--family", "my_module:family"]
            done = ptum(*line)
            assert done.returncode == 0, done.stdout
            told.append(done.stdout)
        assert told[0].count(" 0 of 5 in 5 ") == 6
        assert "6 checks on the family my_module:family: 6 holds" in told[0]
        assert ON_FAMILY in " ".join(told[0].split())
        assert "4 checks on the family my_module:family: 4 holds" in told[1]

    @pytest.mark.parametrize("models", ["true[:1]", "true[:1] * 2"])
    def test_one_policy_for_all_models_leaves_two_checks_undecided(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, models: str
    ) -> None:
        name = f"one_policy_{len(models)}"
        few = f"def few(drawn):\n    true = drawn.true\n    true = {models}\n"
        few += "    return TaskSet(drawn.name, true, approximate_models(true))\n\n\n"
        family = self.written(tmp_path, name, few + "family = family.map(few)\n")
        monkeypatch.chdir(tmp_path)
        everything, selected = (
            [family if word == "my_module:family" else word for word in line]
            for line in self.lines()
        )
        done = ptum(*everything)
        assert done.returncode == 1
        assert "4 holds, 2 inconclusive; 2 unexpected" in done.stdout
        undecided = [line for line in done.stdout.splitlines() if "inconclusive!" in line]
        assert [line.split(".")[0] for line in undecided] == ["lemma-6", "lemma-7"]
        assert all(" 0 of 5 in 0 " in line for line in undecided)
        assert ptum(*selected).returncode == 0


def test_a_family_of_something_else_is_errored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no_family.py").write_text(
        "from hypothesis import strategies as st\nmine = st.integers()\n"
    )
    monkeypatch.chdir(tmp_path)
    check = registry()[LEMMA_7]
    (row,) = run((check,), Profile.QUICK, 0, family="no_family:mine")
    assert row.outcome.verdict is Verdict.ERRORED
    assert (
        "a family must draw ptum.checks.instances.families.shape.TaskSet"
        in row.outcome.explanation[0]
    )
