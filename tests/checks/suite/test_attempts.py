"""Stored attempts: how instances are written down, and what is stored is still true."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ptum.checks.claims import registry
from ptum.checks.claims.appendix_b.correctness import Stopped, stopped
from ptum.checks.claims.appendix_b.simulation import ComparedTasks, pairs
from ptum.checks.cli.show import describe
from ptum.checks.instances.families.shape import TaskSet
from ptum.checks.suite.attempts import build, reasons
from ptum.checks.suite.attempts.page import page
from ptum.checks.verdicts import attempts
from ptum.checks.verdicts.attempts import (
    Stored,
    checks_with_attempts,
    codec,
    examples_searched,
    file_of,
    stored,
)
from ptum.checks.verdicts.attempts.codec import NoJsonError, decode, encode
from ptum.checks.verdicts.check import Check, Context, Profile
from ptum.checks.verdicts.outcome import Evaluation, Outcome, Statement, zero_but_for_rounding
from ptum.checks.verdicts.search import Opportunities, StaleAttemptError, listed, search
from ptum.reference.arrays import ROUNDING
from ptum.reference.experiments.two_rooms import Payment
from ptum.spec import ledger
from ptum.spec.records import Reading
from ptum.spec.vocabulary import CheckKind, Status, Verdict, Version

LOST = 1e5 * 1e3 * ROUNDING
"""An evaluation in doubles makes at most 10⁵ operations on numbers whose condition is at most
10³, that of a value at γ = 0.999; another library may round each of them differently."""

KEPT_BY_ITS_TOLERANCE = re.compile(r": (\S+) ≤ 0 … yes$")
"""A positive number that counts as at most zero: zero on paper, and rounding in doubles."""

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
    | st.fractions()
    | st.sampled_from(Payment),
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.lists(inner, max_size=3),
    max_leaves=8,
)


# Writing and reading


@given(PLAIN)
def test_values_survive(value: object) -> None:
    again = decode(encode(value))
    assert again == value
    assert type(again) is type(value)


def test_what_json_does_not_know_survives() -> None:
    assert math.isnan(float(str(decode(encode(math.nan)))))
    assert decode(encode({(1, 2): Fraction(1, 3)})) == {(1, 2): Fraction(1, 3)}
    assert decode(encode(frozenset({1, 2}))) == frozenset({1, 2})
    assert json.loads(encode(math.inf)) == {"float": "inf"}


@pytest.mark.parametrize("dtype", codec.NUMBERS)
def test_arrays_keep_shape_and_type_and_cannot_be_changed(dtype: str) -> None:
    array = np.arange(6).reshape(2, 3).astype(dtype)
    again = decode(encode(array))
    assert isinstance(again, np.ndarray)
    assert again.dtype == array.dtype
    assert np.array_equal(again, array)
    assert not again.flags.writeable
    number = decode(encode(array[1, 2]))
    assert type(number) is type(array[1, 2])


@given(pairs())
def test_rational_instances_survive(pair: ComparedTasks) -> None:
    assert decode(encode(pair)) == pair


@given(stopped(TaskSet.repaired_errors))
def test_instances_with_models_survive(case: Stopped) -> None:
    again = decode(encode(case))
    assert isinstance(again, Stopped)
    assert (again.epsilon, again.Delta, again.returned) == (case.epsilon, case.Delta, case.returned)
    mine, theirs = again.tasks.approximate, case.tasks.approximate
    for name in ("r", "p", "sigma_r", "pi_star", "V_star", "sigma_p", "V_pi"):
        assert np.array_equal(getattr(mine, name), getattr(theirs, name)), name


@dataclass(frozen=True)
class Foreign:
    """Not in a package of the project."""

    x: int


class Word(Enum):
    """Neither."""

    ONE = 1


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (math.sin, "instance is a builtin"),
        ((1, Foreign(2)), r"instance\[1\] is a Foreign"),
        (Word.ONE, "instance is a Word"),
        (np.array(["a"]), "instance holds numpy's str"),
        (object(), "instance is a object"),
        (TaskSet, "instance is a type"),
    ],
)
def test_what_has_no_json_is_refused_with_its_place(value: object, place: str) -> None:
    with pytest.raises(NoJsonError, match=place):
        encode(value)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"record": "os:system", "fields": {}}', "os:system has no place in"),
        ('{"record": "ptum.checks.verdicts.search:Phase", "fields": {}}', "has no place in"),
        ('{"record": "ptum.spec.vocabulary:Version", "fields": {}}', "Version is not a record"),
        ('{"enum": "ptum.reference.tasks.mdp:MDP", "value": 1}', "the tag 'enum'"),
        ('{"array": [1], "dtype": "object", "shape": [1]}', "arrays do not hold 'object'"),
        ('{"call": "exit"}', "the tag 'call'"),
        ("[1, 2]", "a list stands without its tag"),
        ('{"models": [1]}', "MDP expected, not int"),
        ('{"array": [1.0], "dtype": "float64", "shape": [1, "x"]}', "int expected, not str"),
        ("{}", "the tag ''"),
    ],
)
def test_nothing_but_records_of_the_project_is_built(text: str, why: str) -> None:
    with pytest.raises(NoJsonError, match=why):
        decode(text)


# Storing


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty place for attempts."""
    monkeypatch.setattr(attempts, "HOME", tmp_path)
    file_of.cache_clear()
    yield tmp_path
    file_of.cache_clear()


def nearly(context: Context, bound: int = 1000) -> Outcome:
    """Numbers up to 999 stay below a thousand."""
    return search(
        context,
        st.integers(1, 999),
        lambda n: Evaluation((), Statement("n", n, "<", bound)),
        context.count(5, 50, 500),
    )


def check_of(bound: int = 1000) -> Check:
    """Synthetic, under the id of a check that is expected to hold."""
    return Check(
        id="lemma-5.policy/drawn-pairs",
        version=Version.PRINTED,
        kind=CheckKind.EXACT,
        says="",
        run=lambda context: nearly(context, bound),
    )


def test_an_attempt_is_stored_once_and_evaluated_ever_after(home: Path) -> None:
    (line,) = build.build([check_of()], examples=200)
    assert line == "lemma-5.policy/drawn-pairs: 0.999"
    written = home / "lemma-5.policy" / "drawn-pairs.json"
    before = stored("lemma-5.policy/drawn-pairs")
    assert checks_with_attempts() == ("lemma-5.policy/drawn-pairs",)
    (again,) = build.build([check_of()], examples=2, seed=1)
    assert again.endswith("stays")
    assert stored("lemma-5.policy/drawn-pairs") == before
    assert [path.name for path in written.parent.iterdir()] == [written.name]
    for profile in Profile:
        outcome = check_of().run(check_of().context(profile, 7))
        assert outcome.replayed == (0.999,)
        assert outcome.worst_ratio == 0.999
    assert nearly(Context(Profile.QUICK, 7)).replayed == ()  # nobody's attempts


def test_interrupted_work_goes_on_where_it_was(home: Path) -> None:
    """A search on record is not repeated; a longer one is, and another seed adds to the count."""
    written = home / "lemma-5.policy" / "drawn-pairs.json"
    build.build([check_of()], examples=50)
    before = written.read_bytes()
    for fewer in (50, 20):
        (line,) = build.build([check_of()], examples=fewer)
        assert line == "lemma-5.policy/drawn-pairs: searched before"
    assert written.read_bytes() == before
    build.build([check_of()], examples=80)
    build.build([check_of()], examples=30, seed=7)
    searched = file_of("lemma-5.policy/drawn-pairs").searched
    assert [(one.seed, one.limit) for one in searched] == [(0, 50), (0, 80), (7, 30)]
    assert examples_searched("lemma-5.policy/drawn-pairs") == 110  # one seed draws the same again
    build.build([check_of()], examples=10, fresh=True)
    assert examples_searched("lemma-5.policy/drawn-pairs") == 10


@pytest.mark.usefixtures("home")
def test_more_examples_than_a_check_declares_are_not_claimed() -> None:
    build.build([check_of()], examples=10**6)
    assert examples_searched("lemma-5.policy/drawn-pairs") == 500


@pytest.mark.usefixtures("home")
def test_progress_tells_place_closeness_and_count(capsys: pytest.CaptureFixture[str]) -> None:
    check = "text-tighter-than-existing.from-scratch/many-actions"
    build.main([check, "--examples", "20"])
    left, line = capsys.readouterr().out.splitlines()
    assert left == "0 searched before, 1 left"
    found = stored(check)[0]
    assert line.startswith(f"1 of 1  {check}: {found.ratio:.6g}, in 20 examples so far (")
    build.main([check, "--examples", "20"])
    assert capsys.readouterr().out == "1 searched before, 0 left\n"


@pytest.mark.usefixtures("home")
def test_the_cheapest_come_first_and_what_has_no_distance_is_left_out() -> None:
    now = 0.0

    def lasting(seconds: float, run: Callable[[Context], Outcome] = nearly) -> Check:
        def runs(context: Context) -> Outcome:
            nonlocal now
            now += seconds
            return run(context)

        return replace(check_of(), run=runs)

    def no_distance(context: Context) -> Outcome:
        return replace(nearly(context), best=None)

    dear, plain, silent = lasting(9), lasting(2), lasting(1, no_distance)
    ordered = build.cheapest_first([dear, silent, plain], clock=lambda: now)
    assert ordered == [plain, dear]


@pytest.mark.usefixtures("home")
def test_equal_counts_are_kept_where_most_could_have_differed() -> None:
    def counts(context: Context) -> Outcome:
        return search(
            context,
            st.integers(1, 999),
            lambda n: Evaluation((), Statement("difference", n - n, "=", 0)),
            context.count(5, 50, 500),
            chances=Opportunities("chances", lambda n: n),
        )

    check = replace(check_of(), run=counts)
    (line,) = build.build([check], examples=4)
    assert line == "lemma-5.policy/drawn-pairs: 0"
    (first,) = stored(check.id)
    build.build([check], examples=300, seed=1)
    (second,) = stored(check.id)
    assert int(bytes(second.instance)) > int(bytes(first.instance))
    assert check.run(check.context(Profile.QUICK, 7)).replayed == (0.0,)


@pytest.mark.usefixtures("home")
def test_an_attempt_that_stays_has_the_closeness_of_today() -> None:
    build.build([check_of()], examples=200)
    (before,) = stored("lemma-5.policy/drawn-pairs")
    (line,) = build.build([check_of(bound=2000)], examples=5, seed=1)
    assert line == "lemma-5.policy/drawn-pairs: 0.4995 stays"
    (after,) = stored("lemma-5.policy/drawn-pairs")
    assert (after.ratio, after.told) == (0.4995, "n: 999 < 2000 … yes")
    assert (after.instance, after.seed, after.examples) == (before.instance, 0, 200)


@pytest.mark.usefixtures("home")
def test_a_stored_attempt_that_breaks_the_claim_decides_before_any_draw() -> None:
    build.build([check_of()], examples=200)
    worse = check_of(bound=999)
    outcome = worse.run(worse.context(Profile.QUICK, 7))
    assert outcome.verdict is Verdict.VIOLATED
    assert (outcome.violations, outcome.trials) == (1, 1)
    assert outcome.explanation[0] == "instance   999"


@pytest.mark.usefixtures("home")
def test_a_broken_claim_is_not_stored_but_told() -> None:
    (line,) = build.build([check_of(bound=999)], examples=500)
    assert line.startswith("lemma-5.policy/drawn-pairs: BROKEN")
    assert checks_with_attempts() == ()


@pytest.mark.usefixtures("home")
def test_attempts_of_a_list_and_of_what_is_near_are_evaluated_too() -> None:
    """The list comes to an end at 4, what is stored for it does not."""
    longest = [9]

    def numbers(context: Context) -> Outcome:
        return listed(
            context,
            range(longest[0]),
            lambda n: Evaluation((), Statement("n", n, "<", 10)),
            "numbers",
            near=lambda n: Statement("n of 100", n, "<", 100),
        )

    check = replace(check_of(), run=numbers)
    (line,) = build.build([check])
    assert line == "lemma-5.policy/drawn-pairs: 0.08"
    build.build([check], seed=1)
    assert examples_searched(check.id) == 9  # another seed has the same list
    longest[0] = 4
    again = check.run(check.context(Profile.QUICK, 7))
    assert again.replayed == (0.08,)
    assert again.explanation == ("4 of 4 numbers", "stored attempts evaluated first: 1")


def test_a_stale_attempt_says_how_to_make_a_new_one(home: Path) -> None:
    build.build([check_of()], examples=20)
    path = home / "lemma-5.policy" / "drawn-pairs.json"
    path.write_text(path.read_text().replace('"instance":', '"instance":[1],"was":'))
    file_of.cache_clear()
    with pytest.raises(StaleAttemptError, match=r"lemma-5\.policy/drawn-pairs --fresh"):
        check_of().run(check_of().context(Profile.QUICK, 7))
    (line,) = build.build([check_of()], examples=200, fresh=True)
    assert line == "lemma-5.policy/drawn-pairs: 0.999"


def test_attempts_are_made_where_breaking_would_be_news() -> None:
    table = registry()
    assert build.worth_breaking(table["lemma-5.policy/drawn-pairs"])
    assert build.worth_breaking(table["lemma-7.positive/repaired-threshold"])
    assert not build.worth_breaking(table["lemma-7.positive/bandit"])  # refuted
    assert not build.worth_breaking(table["lemma-3.coverage/repaired"])  # random trials


# What is stored


def test_many_checks_have_attempts() -> None:
    """A change that loses the files, or the code that reads them, must not go unseen."""
    known = checks_with_attempts()
    assert set(known) <= set(registry())
    assert len(known) >= 130


def test_every_file_counts_its_searches() -> None:
    for check in checks_with_attempts():
        assert examples_searched(check) > 0, check


TRIED = (Status.HOLDS, Status.UNPROVED, Status.NOT_REPRODUCED)
"""Breaking a part with such a status would be news: runs contradict a sentence about runs alone."""


def readings_to_break() -> list[Reading]:
    readings = (reading for _, part in ledger.parts() for reading in part.readings)
    return [reading for reading in readings if reading.status in TRIED]


def test_every_part_that_holds_or_is_unproved_has_an_attempt() -> None:
    """Nothing is excused because nobody could decide it."""
    parts = {part.id for _, part in ledger.parts() if part.status in TRIED}
    assert len(parts) >= 70
    without = {part for part in parts if not reasons.closest(part)}
    assert without == set(), "`python -m ptum.checks.suite.attempts CHECK` makes one"


NOTHING_TO_RUN = {
    "lemma-11.bound.kth-singular-value",  # a constant that is only said to exist
    "lemma-12.bound.kth-singular-value",
    "lemma-14.probability.as-lemma-11",  # as true as Lemma 11
    "lemma-14.values.distributions",  # the repaired line, which is checked, says more
    "lemma-14.value-std.distributions",
    "text-sample-as-episode.count.step-on-the-left",  # how the authors counted
    "text-top-three.robust.estimated-chain",  # an experiment whose parameters are not given
}
"""Readings without a check of their own; their parts say why."""


def test_every_reading_that_holds_has_an_attempt_or_is_about_one_instance() -> None:
    readings = {reading.id: reading.checks for reading in readings_to_break()}
    tried = {name for name, checks in readings.items() if any(map(stored, checks))}
    trials = {
        name
        for name, checks in readings.items()
        if checks and not any(build.worth_breaking(registry()[check]) for check in checks)
    }
    unchecked = {name for name, checks in readings.items() if not checks}
    assert unchecked == NOTHING_TO_RUN
    assert set(readings) - tried - trials - unchecked == set(reasons.ONE_INSTANCE)


def test_what_is_about_one_instance_leaves_nothing_to_draw() -> None:
    table = registry()
    for reading in readings_to_break():
        if reading.id in reasons.ONE_INSTANCE:
            found = [build.deep_search(table[check], examples=2) for check in reading.checks]
            assert [one.best for one in found] == [None] * len(found)


def test_a_search_of_few_examples_says_what_there_is_to_look_at() -> None:
    short = {check for check in checks_with_attempts() if examples_searched(check) < 30}
    assert short <= set(reasons.FEW_INSTANCES) <= set(checks_with_attempts())
    for check, family in reasons.FEW_INSTANCES.items():
        assert f"{examples_searched(check)} | {family} |" in page()


def test_a_list_that_is_all_looked_at_is_whole() -> None:
    """Whatever the seed, and no longer with a higher limit."""
    for check, family in reasons.FEW_INSTANCES.items():
        found = build.deep_search(registry()[check], 10**4, seed=5)
        assert found.best is not None
        assert found.best.whole == family.endswith("all looked at")
        assert found.trials == examples_searched(check)


def test_show_tells_how_close_a_part_came_or_why_it_was_not_tried() -> None:
    searched = "\n".join(describe("text-optimal-policy", latex=False))
    (found,) = reasons.closest("text-optimal-policy.exists").values()
    check = "text-optimal-policy.exists/brute-force"
    told = f"closest {found.ratio:.6g} of the bound in {found.examples} examples ({check})"
    assert told in " ".join(searched.split())
    unchecked = "\n".join(describe("text-gamma-worst-case", latex=False))
    why = ledger.part("text-gamma-worst-case.same-dependence")[1].unchecked
    assert why
    assert f"unchecked {why}" in " ".join(unchecked.split())


@pytest.mark.parametrize("identity", checks_with_attempts())
def test_stored_attempts_come_as_close_as_they_did(identity: str) -> None:
    kept = stored(identity)
    check = registry()[identity]
    context = replace(check.context(Profile.QUICK, 0), most=1)
    outcome = check.run(context)
    assert outcome.verdict is not Verdict.VIOLATED
    for again, attempt in zip(outcome.replayed, kept, strict=True):
        assert comes_as_close(again, attempt)


def comes_as_close(again: float | None, attempt: Stored) -> bool:
    """The ratio is the stored one up to the rounding of another library.

    Where rounding is all that is measured, in units of its bound, no two machines share a digit of
    it: any share up to one will do, and none at all, where this machine does not round.
    """
    if is_rounding(attempt):
        return again is None or again <= 1
    return again == pytest.approx(attempt.ratio, rel=LOST, abs=0)


def is_rounding(attempt: Stored) -> bool:
    """Whether the comparison of the attempt is kept by its tolerance alone."""
    found = KEPT_BY_ITS_TOLERANCE.search(attempt.told)
    return found is not None and float(found[1]) > 0


def test_rounding_alone_may_be_any_share_of_its_bound_and_nothing_else_may() -> None:
    told = str(zero_but_for_rounding("error", 3e-15, 1e-10))
    rounded = Stored(
        search="", ratio=3e-5, told=told, instance=msgspec.Raw(b"1"), examples=1, seed=0
    )
    assert comes_as_close(0.9, rounded)
    assert comes_as_close(None, rounded)
    assert not comes_as_close(1.1, rounded)
    for exact in (Statement("n", 3, "<", 100_000), Statement("as squares", 0, "≤", 0)):
        measured = Stored(
            search="", ratio=3e-5, told=str(exact), instance=msgspec.Raw(b"1"), examples=1, seed=0
        )
        assert comes_as_close(3e-5 * (1 + LOST / 2), measured)
        assert not comes_as_close(3e-5 * (1 + 2 * LOST), measured)
        assert not comes_as_close(None, measured)


def test_few_attempts_measure_rounding_alone() -> None:
    rounded = {identity for identity in checks_with_attempts() if any_rounding(identity)}
    assert "algorithm-3.lines/fractions" in rounded
    assert len(rounded) <= len(checks_with_attempts()) // 10


def any_rounding(identity: str) -> bool:
    return any(is_rounding(attempt) for attempt in stored(identity))


@pytest.mark.parametrize("identity", checks_with_attempts())
def test_files_of_attempts_are_what_the_builder_writes(identity: str) -> None:
    path = attempts.path_of(identity)
    file = msgspec.json.decode(path.read_bytes(), type=attempts.File)
    assert file.check == identity
    assert msgspec.json.encode(file) + b"\n" == path.read_bytes()
    for attempt in file.attempts:
        text = bytes(attempt.instance).decode()
        assert encode(decode(text)) == text
