"""Stored attempts: how instances are written down, and what is stored is still true."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks import attempts
from checks.appendix_b.correctness import Stopped, stopped
from checks.appendix_b.simulation import Pair, pairs
from checks.attempts import build, checks_with_attempts, codec, reasons, stored
from checks.attempts.codec import NoJsonError, decode, encode
from checks.cli.show import describe
from checks.families.shape import TaskSet
from checks.outcome import Outcome, Statement, Walk
from checks.registry import Check, Context, Profile, registry
from checks.search import StaleAttemptError, listed, search
from reference.arrays import ROUNDING
from spec.vocabulary import CheckKind, Status, Verdict, Version

LOST = 1e5 * 1e3 * ROUNDING
"""A walk in doubles makes at most 10⁵ operations on numbers whose condition is at most 10³, that of
a value at γ = 0.999; another library may round each of them differently."""

ROUNDED = 1e-4
"""Where a tolerance allows for rounding, the closest attempt is often rounding alone, which no two
machines share; all such ratios are smaller than this."""

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
    | st.fractions()
    | st.sampled_from(Version),
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
def test_rational_instances_survive(pair: Pair) -> None:
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
    "text",
    [
        '{"record": "os:system", "fields": {}}',
        '{"record": "subprocess:Popen", "fields": {"args": "true"}}',
        '{"record": "checks.registry:registry", "fields": {}}',
        '{"record": "checks.search:Phase", "fields": {}}',
        '{"record": "spec.vocabulary:Version", "fields": {}}',
        '{"enum": "reference.mdp:MDP", "value": 1}',
        '{"array": [1], "dtype": "object", "shape": [1]}',
        '{"call": "exit"}',
        "[1, 2]",
        "{}",
    ],
)
def test_nothing_but_records_of_the_project_is_built(text: str) -> None:
    with pytest.raises(NoJsonError):
        decode(text)


# Storing


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty place for attempts."""
    monkeypatch.setattr(attempts, "HOME", tmp_path)
    stored.cache_clear()
    yield tmp_path
    stored.cache_clear()


def nearly(context: Context, bound: int = 1000) -> Outcome:
    """Numbers up to 999 stay below a thousand."""
    return search(
        context,
        st.integers(1, 999),
        lambda n: Walk((), Statement("n", n, "<", bound)),
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


def test_an_attempt_is_stored_once_and_walked_through_ever_after(home: Path) -> None:
    (line,) = build.build([check_of()], examples=200)
    assert line == "lemma-5.policy/drawn-pairs: 0.999"
    written = home / "lemma-5.policy" / "drawn-pairs.json"
    before = written.read_bytes()
    assert checks_with_attempts() == ("lemma-5.policy/drawn-pairs",)
    (again,) = build.build([check_of()], examples=2)
    assert again.endswith("stays")
    assert written.read_bytes() == before
    for profile in Profile:
        outcome = check_of().run(check_of().context(profile, 7))
        assert outcome.replayed == (0.999,)
        assert outcome.worst_ratio == 0.999
    assert nearly(Context(Profile.QUICK, 7)).replayed == ()  # nobody's attempts


@pytest.mark.usefixtures("home")
def test_a_stored_attempt_that_breaks_the_claim_decides_before_any_draw() -> None:
    build.build([check_of()], examples=200)
    worse = check_of(bound=999)
    outcome = worse.run(worse.context(Profile.QUICK, 7))
    assert outcome.verdict is Verdict.VIOLATED
    assert (outcome.violations, outcome.trials) == (1, 1)
    assert outcome.story[0] == "instance   999"


@pytest.mark.usefixtures("home")
def test_a_broken_claim_is_not_stored_but_told() -> None:
    (line,) = build.build([check_of(bound=999)], examples=500)
    assert line.startswith("lemma-5.policy/drawn-pairs: BROKEN")
    assert checks_with_attempts() == ()


@pytest.mark.usefixtures("home")
def test_attempts_of_a_list_and_of_what_is_near_are_walked_through_too() -> None:
    """The list comes to an end at 4, what is stored for it does not."""
    longest = [9]

    def numbers(context: Context) -> Outcome:
        return listed(
            context,
            range(longest[0]),
            lambda n: Walk((), Statement("n", n, "<", 10)),
            "numbers",
            near=lambda n: Statement("n of 100", n, "<", 100),
        )

    check = replace(check_of(), run=numbers)
    (line,) = build.build([check])
    assert line == "lemma-5.policy/drawn-pairs: 0.08"
    longest[0] = 4
    again = check.run(check.context(Profile.QUICK, 7))
    assert again.replayed == (0.08,)
    assert again.story == ("4 of 4 numbers", "stored attempts walked through first: 1")


def test_a_stale_attempt_says_how_to_make_a_new_one(home: Path) -> None:
    build.build([check_of()], examples=20)
    path = home / "lemma-5.policy" / "drawn-pairs.json"
    path.write_text(path.read_text().replace('"instance":', '"instance":[1],"was":'))
    stored.cache_clear()
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
    assert len(known) >= 60


def test_every_part_has_an_attempt_or_a_reason_and_never_both() -> None:
    parts = {part.id for _, part in reasons.to_break()}
    tried = {part for part in parts if reasons.closest(part)}
    why_not = reasons.not_searched()
    assert parts - tried == set(why_not)
    assert all(why_not.values())
    assert len(tried) >= 43


def test_what_holds_has_been_searched() -> None:
    """Only what is neither proved nor refuted may be left without a check."""
    excused = set(reasons.not_searched()) - set(reasons.COUNTED)
    assert {part.status for _, part in reasons.to_break() if part.id in excused} == {
        Status.UNPROVED
    }


def test_no_reason_excuses_a_check_that_could_be_searched() -> None:
    excused = set(reasons.not_searched()) - set(reasons.COUNTED)
    searchable = {check.part for check in registry().values() if build.worth_breaking(check)}
    assert not excused & searchable


def test_what_is_counted_leaves_a_search_nothing_to_aim_at() -> None:
    counting = [check for check in registry().values() if check.part in reasons.COUNTED]
    assert {check.part for check in counting} == set(reasons.COUNTED)
    for check in counting:
        found = build.deep_search(check, examples=4)
        assert (found.verdict, found.best) == (Verdict.HOLDS, None)


def test_show_tells_how_close_a_part_came_or_why_it_was_not_tried() -> None:
    searched = "\n".join(describe("text-optimal-policy", latex=False))
    (ratio,) = reasons.closest("text-optimal-policy.exists").values()
    assert f"closest    {ratio:.6g} (text-optimal-policy.exists/brute-force)" in searched
    assert f"no search  {reasons.NOT_REPRODUCED}" in "\n".join(
        describe("figure-1-right", latex=False)
    )
    unchecked = "\n".join(describe("text-tighter-than-existing", latex=False))
    assert "unchecked" in unchecked
    assert "no search" not in unchecked  # said once


@pytest.mark.slow
@pytest.mark.parametrize("identity", checks_with_attempts())
def test_stored_attempts_come_as_close_as_they_did(identity: str) -> None:
    kept = stored(identity)
    check = registry()[identity]
    context = replace(check.context(Profile.QUICK, 0), most=1)
    outcome = check.run(context)
    assert outcome.verdict is not Verdict.VIOLATED
    ratios = [attempt.ratio for attempt in kept if attempt.search == kept[-1].search]
    for again, ratio in zip(outcome.replayed, ratios, strict=True):
        assert again == pytest.approx(ratio, rel=LOST) or max(again, ratio) < ROUNDED


@pytest.mark.parametrize("identity", checks_with_attempts())
def test_files_of_attempts_are_what_the_builder_writes(identity: str) -> None:
    path = attempts.path_of(identity)
    file = msgspec.json.decode(path.read_bytes(), type=attempts.File)
    assert file.check == identity
    assert msgspec.json.encode(file) + b"\n" == path.read_bytes()
    for attempt in file.attempts:
        text = bytes(attempt.instance).decode()
        assert encode(decode(text)) == text
