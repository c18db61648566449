"""From exchanges to verdicts, on a capability small enough to see through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from msgspec import structs

from ptum.checks.judge.judging.items import Item
from ptum.checks.judge.judging.readings import (
    PRINTED,
    REPAIRED,
    Capability,
    Case,
    Finding,
    Judge,
    Option,
    Reading,
    all_readings,
)
from ptum.checks.judge.judging.verdicts import (
    Conformity,
    Judgement,
    judge,
    judge_capability,
    tried_alone,
)
from ptum.checks.judge.messages.fields import (
    Field,
    MalformedError,
    as_json,
    integers,
    labels,
    reals,
)
from ptum.checks.judge.messages.transcript import (
    Asked,
    Exchange,
    Fault,
    Fields,
    TranscriptHeader,
    from_lines,
    to_lines,
)
from ptum.checks.judge.programs.subjects import as_fields, ask
from ptum.checks.judge.results.report import as_report
from ptum.reference.errors import InputError

HALF, WHOLE = Option("D98", "half"), Option("D98", "whole", "E01")
FIRST_LINE = Item("line 1", "algorithm-1:1")


def expected(x: float, reading: Reading) -> float:
    """x, or its half; the repaired wording adds one to negative numbers."""
    base = x / 2 if HALF in reading else x
    return base + 1 if REPAIRED in reading and x < 0 else base


def judge_number(request: Fields, answer: Fields, _: Sequence[Asked]) -> Judge:
    y = float(reals(answer, "y", ()))

    def wrong(reading: Reading) -> Finding | None:
        due = expected(float(str(request["x"])), reading)
        return None if y == due else Finding(FIRST_LINE, "y", f"{due:g}", f"{y:g}")

    return wrong


TOY = Capability(
    name="toy",
    item="algorithm-1",
    says="return x",
    input=(Field("x", "real", (), "a number"),),
    output=(Field("y", "real", (), "the number"),),
    readings=all_readings((PRINTED, REPAIRED), (WHOLE, HALF)),
    cases=lambda _: (Case(f"toy/{x:g}", {"x": x}) for x in (0.0, 1.0, -2.0, 30.0)),
    judge=judge_number,
    tolerance=lambda _: {},
    flags={},
)


def exchanges(answers: Sequence[object]) -> list[Exchange]:
    found = []
    for case, answer in zip(TOY.cases(0), answers, strict=True):
        fault = answer if isinstance(answer, Fault) else None
        said = None if fault else {"y": answer}
        found.append(Exchange(case.id, "toy", case.input, said, fault))
    return found


def test_one_reading_explains_all_answers() -> None:
    found = judge_capability(TOY, exchanges([0.0, 1.0, -2.0, 30.0]))
    assert found.verdict is Conformity.CONFORMS
    assert found.choices == {"D98": ("whole",), "version": ("printed",)}
    assert found.versions == ("printed",)
    assert found.errata == ("E01",)


def test_the_repaired_reading_is_recognised_and_has_no_erratum() -> None:
    found = judge_capability(TOY, exchanges([0.0, 0.5, 0.0, 15.0]))
    assert found.choices == {"D98": ("half",), "version": ("repaired",)}
    assert found.errata == ()


def test_an_undecided_choice_keeps_both_options() -> None:
    found = judge_capability(TOY, exchanges([0.0, 1.0, -2.0, 30.0])[:1])
    assert found.choices == {"D98": ("half", "whole"), "version": ("printed", "repaired")}
    assert found.errata == ()


def test_right_in_two_ways_is_not_right() -> None:
    found = judge_capability(TOY, exchanges([0.0, 0.5, -2.0, 30.0]))
    assert found.verdict is Conformity.DEVIATES
    assert found.case is not None
    assert found.case.id == "toy/1"
    assert found.finding == Finding(FIRST_LINE, "y", "1", "0.5")


@pytest.mark.parametrize(
    ("answers", "beside", "otherwise"),
    [
        ((0.0, 0.5, -2.0, 30.0), ["toy/-2"], {"D98": ("half",)}),
        ((0.0, 0.5, -1.0, 30.0), ["toy/1", "toy/-2"], {"D98": ("whole",)}),
        ((0.0, 1.0, 0.0, 30.0), ["toy/1"], {"D98": ("half",), "version": ("repaired",)}),
        ((0.0, 7.0, -2.0, 30.0), [], {}),
    ],
)
def test_an_answer_that_is_right_by_itself_needs_others_beside_it(
    answers: Sequence[float], beside: list[str], otherwise: dict[str, tuple[str, ...]]
) -> None:
    """Those put with it leave no reading, and show the same; a wrong answer needs none."""
    asked = exchanges(answers)
    found = judge_capability(TOY, asked)
    assert [exchange.id for exchange in found.beside] == beside
    assert found.otherwise == otherwise
    assert found.case is not None
    again = judge_capability(TOY, [found.case, *found.beside])
    assert (again.case, again.finding) == (found.case, found.finding)
    alone = judge_capability(TOY, [found.case])
    assert (alone.verdict is Conformity.CONFORMS) is bool(beside)


def test_two_answers_may_be_needed_beside_one() -> None:
    """The first is right in two readings, and each of the others rules out one of these."""
    a, b, c = (frozenset({Option("D98", letter)}) for letter in "abc")

    def judge_by_names(request: Fields, _: Fields, __: Sequence[Asked]) -> Judge:
        wrong = Finding(FIRST_LINE, "y", "another", "this")
        return lambda reading: (
            None if {option.option for option in reading} <= set(request) else wrong
        )

    named = replace(TOY, readings=(a, b, c), judge=judge_by_names)
    answers = [
        Exchange(f"toy/{letters}", "toy", dict.fromkeys(letters, 1), {"y": 0.0})
        for letters in ("ab", "bc", "ac", "c")
    ]
    found = judge_capability(named, answers[:3])
    assert found.verdict is Conformity.DEVIATES
    found = judge_capability(named, answers)
    assert found.case is not None
    assert (found.case.id, found.otherwise) == ("toy/ab", {"D98": ("a", "b")})
    assert [exchange.id for exchange in found.beside] == ["toy/c", "toy/bc", "toy/ac"]
    found = judge_capability(named, [answers[0], *answers[1:3] * 2])
    assert {exchange.id for exchange in found.beside} == {"toy/bc", "toy/ac"}


def test_the_smallest_inexplicable_case_is_shown() -> None:
    found = judge_capability(TOY, exchanges([0.0, 7.0, -2.0, 7.0]))
    assert found.case is not None
    assert found.case.id == "toy/1"


def test_answers_are_held_against_the_reading_that_explains_most_of_them() -> None:
    """Halves with one slip: the literal reading would accuse all but the first."""
    found = judge_capability(TOY, exchanges([0.0, 0.5, -1.0, 16.0]))
    assert found.nearest == frozenset({PRINTED, HALF})
    assert found.case is not None
    assert found.case.id == "toy/30"
    assert found.finding == Finding(FIRST_LINE, "y", "15", "16")


def test_an_answer_that_no_reading_explains_is_shown_first() -> None:
    """Though the half of 1 is a smaller case, and wrong where all others are whole."""
    found = judge_capability(TOY, exchanges([0.0, 0.5, -2.0, 7.0]))
    assert found.case is not None
    assert found.case.id == "toy/30"


@pytest.mark.parametrize(
    ("places", "shown"),
    [
        (("c", "ab", "a", "a"), "toy/-2"),
        (("ab", "ab", "abc", "b"), "toy/30"),
        (("ab", "a", "a", "c"), "toy/1"),
    ],
    ids=["what most share", "in the fewest places", "by the smallest request"],
)
def test_the_clearest_of_several_findings_is_shown(places: tuple[str, ...], shown: str) -> None:
    """Every letter is a place that an answer may break."""
    items = {case.id: Item(word, *word) for case, word in zip(TOY.cases(0), places, strict=True)}

    def judge_items(request: Fields, _: Fields, __: Sequence[Asked]) -> Judge:
        finding = Finding(items[f"toy/{request['x']:g}"], "y", "", "")
        return lambda _: finding

    found = judge_capability(replace(TOY, judge=judge_items), exchanges([7.0] * 4))
    assert found.case is not None
    assert (found.case.id, found.finding) == (shown, Finding(items[shown], "y", "", ""))


def test_a_wrong_answer_outweighs_a_missing_one() -> None:
    gone = Fault("hangs", "no message")
    assert judge_capability(TOY, exchanges([0.0, 7.0, gone, 30.0])).verdict is Conformity.DEVIATES
    found = judge_capability(TOY, exchanges([0.0, 1.0, gone, 30.0]))
    assert found.verdict is Conformity.ERRORED
    assert found.fault == gone


def test_a_fault_is_shown_rather_than_what_was_given_up_after_it() -> None:
    gone, rest = Fault("hangs", "no message"), Fault("given-up", "asked no more")
    assert judge_capability(TOY, exchanges([rest, rest, gone, rest])).fault == gone
    assert judge_capability(TOY, exchanges([rest, rest, rest, rest])).fault == rest


def test_an_answer_that_cannot_be_read_is_an_error() -> None:
    found = judge_capability(TOY, exchanges([0.0, "one", -2.0, 30.0]))
    assert found.verdict is Conformity.ERRORED
    assert found.fault is not None
    assert found.fault.kind == "malformed"


def test_what_was_not_asked_is_not_implemented() -> None:
    """Whatever else was asked."""
    asked, found = judge([TOY, replace(TOY, name="other")], exchanges([0.0, 1.0, -2.0, 30.0]))
    assert (asked.verdict, asked.cases) == (Conformity.CONFORMS, 4)
    assert (found.verdict, found.cases) == (Conformity.NOT_IMPLEMENTED, 0)
    assert found.versions == ()


def test_a_repair_is_told_with_its_detail() -> None:
    """Two repairs of one rule differ in their details alone."""
    one, other = (
        Option(REPAIRED.choice, REPAIRED.option, detail=detail)
        for detail in ("one way", "the other")
    )
    readings = all_readings((PRINTED, one, other))
    rule = {PRINTED: 0.0, one: 1.0, other: 2.0}

    def judge_repairs(_: Fields, answer: Fields, __: Sequence[Asked]) -> Judge:
        def wrong(reading: Reading) -> Finding | None:
            (option,) = reading
            right = answer["y"] in (rule[option], 3.0)
            return None if right else Finding(FIRST_LINE, "y", "", "")

        return wrong

    toy = replace(TOY, readings=readings, judge=judge_repairs)
    told = {y: judge_capability(toy, exchanges([y] * 4)).reading for y in rule.values()}
    assert told == {0.0: "printed", 1.0: "repaired (one way)", 2.0: "repaired (the other)"}
    either = judge_capability(toy, exchanges([3.0] * 4))
    assert either.reading == "printed or repaired (one way or the other)"
    assert either.versions == ("printed", "repaired")


def test_faults_are_counted_apart_from_what_was_never_asked() -> None:
    gone, rest = Fault("hangs", "no message"), Fault("given-up", "asked no more")
    found = judge_capability(TOY, exchanges([0.0, "one", gone, rest]))
    assert (found.cases, found.asked, found.faults) == (4, 3, 2)
    wrong = judge_capability(TOY, exchanges([0.0, 7.0, gone, rest]))
    assert (wrong.cases, wrong.asked, wrong.faults) == (4, 3, 1)


def after_others(answers: Sequence[object]) -> Judgement:
    return judge_capability(TOY, [structs.replace(e, before=3) for e in exchanges(answers)])


@pytest.mark.parametrize(
    ("answer", "right"), [(1.0, True), (0.5, False), (7.0, False), (Fault("ended", "gone"), False)]
)
def test_a_wrong_answer_is_put_again_alone(answer: object, right: bool) -> None:
    """It has to be right in the reading of the other answers, not just in any."""
    asked = []

    def alone(_: Capability, identity: str) -> Exchange:
        asked.append(identity)
        return exchanges([0.0, answer, -2.0, 30.0])[1]

    found = tried_alone(TOY, after_others([0.0, 7.0, -2.0, 30.0]), alone)
    assert asked == ["toy/1"]
    assert found.right_alone is right
    assert found.answered_alone is None


@pytest.mark.parametrize(("answer", "answered"), [(1.0, True), ("one", False), (7.0, True)])
def test_a_missing_answer_is_put_again_alone(answer: object, answered: bool) -> None:
    def alone(_: Capability, __: str) -> Exchange:
        return exchanges([0.0, answer, -2.0, 30.0])[1]

    found = tried_alone(TOY, after_others([0.0, Fault("raised", "no"), -2.0, 30.0]), alone)
    assert found.answered_alone is answered
    assert found.right_alone is None


def never(_: Capability, identity: str) -> Exchange:
    raise AssertionError(f"{identity} is put again")


@pytest.mark.parametrize("kind", ["hangs", "no-method", "given-up"])
def test_some_faults_are_not_tried_again(kind: str) -> None:
    found = after_others([0.0, Fault(kind, "no"), -2.0, 30.0])
    assert tried_alone(TOY, found, never) == found


@pytest.mark.parametrize("answer", [7.0, Fault("raised", "no"), 1.0])
def test_what_came_first_or_is_right_is_not_put_again(answer: object) -> None:
    """The first request of a program was alone."""
    found = judge_capability(TOY, exchanges([0.0, answer, -2.0, 30.0]))
    assert tried_alone(TOY, found, never) == found


def test_a_wrong_answer_and_a_missing_one_are_both_put_again() -> None:
    asked = []

    def alone(_: Capability, identity: str) -> Exchange:
        asked.append(identity)
        return next(e for e in exchanges([0.0, 1.0, -2.0, 30.0]) if e.id == identity)

    both = after_others([0.0, 7.0, Fault("raised", "no"), 30.0])
    found = tried_alone(TOY, both, alone)
    assert asked == ["toy/1", "toy/-2"]
    assert (found.right_alone, found.answered_alone) == (True, True)


def test_limits_that_are_used_up_leave_it_open() -> None:
    def nobody(_: Capability, __: str) -> None:
        return None

    both = after_others([0.0, 7.0, Fault("raised", "no"), 30.0])
    found = tried_alone(TOY, both, nobody)
    assert (found.right_alone, found.answered_alone) == (None, None)


def test_a_report_names_case_and_replay() -> None:
    header = TranscriptHeader("mine", "1", "Python", ("toy",), 4)
    found = judge_capability(TOY, exchanges([0.0, 7.0, -2.0, 30.0]))
    report = as_report(header, [found], "ptum validate mine", {}, "0", "ptum validate mine")
    (result,) = report.results
    assert result.divergence is not None
    assert result.divergence.replay == "ptum validate mine --case toy/1"
    assert result.divergence.input == {"x": 1.0}
    assert result.divergence.among == ["algorithm-1:1"]
    assert result.divergence.sequence == "", "nothing came before it"
    assert result.breakdown is None
    assert (report.footer.results, report.footer.deviates, report.footer.errored) == (1, 1, 0)


def test_a_report_names_a_missing_answer_beside_a_wrong_one() -> None:
    header = TranscriptHeader("mine", "1", "Python", ("toy",), 4)
    found = after_others([0.0, 7.0, Fault("raised", "no", "last"), 30.0])
    (result,) = as_report(header, [found], "replay", {}, "0", "sequence").results
    assert result.divergence is not None
    assert result.divergence.case == "toy/1"
    missing = result.breakdown
    assert missing is not None
    assert (missing.kind, missing.message, missing.last) == ("raised", "no", "last")
    assert (missing.case, missing.input) == ("toy/-2", {"x": -2.0})
    assert (missing.replay, missing.sequence) == ("replay --case toy/-2", "sequence")
    assert missing.before == result.divergence.before == 3


# Python subjects


def call(x: object) -> Exchange:
    return ask(TOY, next(iter(TOY.cases(0))), lambda **_: x)


@pytest.mark.parametrize("returned", [{"y": 0.0}, 0.0, 0])
def test_answers_may_be_mappings_or_bare_values(returned: object) -> None:
    assert judge_capability(TOY, [call(returned)]).verdict is Conformity.CONFORMS


def test_a_tuple_names_the_fields_in_order() -> None:
    two = (Field("a", "real", (), ""), Field("b", "real", (), ""))
    assert as_fields(two, (1.0, 2.0)) == {"a": 1.0, "b": 2.0}
    assert as_fields(two, (1.0,)) == {"a": 1.0}
    with pytest.raises(MalformedError, match=r"3 fields; known are \['a', 'b'\]"):
        as_fields(two, (1.0, 2.0, 3.0))


@pytest.mark.parametrize(
    "returned", [float("nan"), "zero", [0.0], None, True, {"z": 1.0}, object()]
)
def test_unreadable_answers_are_errors(returned: object) -> None:
    assert judge_capability(TOY, [call(returned)]).verdict is Conformity.ERRORED


def test_what_a_subject_raises_is_its_own_fault() -> None:
    def inside() -> object:
        raise KeyError("oops")

    exchange = ask(TOY, next(iter(TOY.cases(0))), lambda **_: inside())
    line = inside.__code__.co_firstlineno + 1
    assert exchange.fault == Fault("raised", f"test_verdicts.py, line {line}: KeyError: 'oops'")


def test_changing_an_argument_is_a_fault() -> None:
    field = Field("x", "real", ("m",), "numbers")
    vector = replace(TOY, input=(field,))

    def changes(x: list[float]) -> float:
        x[0] = 7.0
        return 0.0

    exchange = ask(vector, Case("toy/v", {"x": [1.0, 2.0]}), changes)
    assert exchange.fault is not None
    assert exchange.fault.kind == "changed-input"


# Reading fields


def test_infinite_numbers_are_strings() -> None:
    assert as_json([float("inf"), -float("inf"), 1]) == ["inf", "-inf", 1]
    assert reals({"x": ["inf", 1]}, "x", (2,)).tolist() == [float("inf"), 1.0]


@pytest.mark.parametrize(
    "value", [None, "nan", float("nan"), [1.0], [[1.0], [1.0, 2.0]], {}, True, "1"]
)
def test_wrong_numbers_and_shapes_are_refused(value: object) -> None:
    with pytest.raises(MalformedError, match=r"^x (must hold|holds|has) "):
        reals({"x": value}, "x", (2,))


def test_labels_are_sets_of_known_models() -> None:
    assert labels({"m": [2, 0]}, "m", 3) == (0, 2)
    for wrong in ([0, 0], [3], [-1], [0.5], 1):
        with pytest.raises(MalformedError, match=r"^m (lists|must) "):
            labels({"m": wrong}, "m", 3)


def test_integers_are_whole_and_finite() -> None:
    assert integers({"n": [1, 2.0]}, "n", (2,)).tolist() == [1, 2]
    for wrong in ([1.5, 2], ["inf", 1]):
        with pytest.raises(MalformedError, match="n must hold integers"):
            integers({"n": wrong}, "n", (2,))


# Transcripts


def test_a_transcript_is_read_back_as_it_was_written() -> None:
    header = TranscriptHeader("mine", "1", "Python", ("toy",), 4)
    talk = exchanges([0.0, Fault("hangs", "no message", "last"), -2.0, 30.0])
    assert from_lines(to_lines((header, *talk))) == (header, tuple(talk))


EXCHANGE_LINE = '{"record":"exchange","id":"a","capability":"b","input":{},"answer":{}}'
(HEADER_LINE,) = to_lines([TranscriptHeader("mine", "1", "Python", ("toy",), 4)])


@pytest.mark.parametrize(
    ("lines", "where"),
    [
        ((), "transcript"),
        (("{}",), "transcript line 1"),
        (("nonsense",), "transcript line 1"),
        ((EXCHANGE_LINE,), "transcript line 1"),
        ((HEADER_LINE, EXCHANGE_LINE, HEADER_LINE), "transcript line 3"),
        ((HEADER_LINE, EXCHANGE_LINE.replace("input", "inputs")), "transcript line 2"),
        ((HEADER_LINE, EXCHANGE_LINE.replace(',"answer":{}', "")), "has neither an answer"),
    ],
)
def test_what_is_no_transcript_is_refused_with_its_line(lines: tuple[str, ...], where: str) -> None:
    with pytest.raises(InputError, match=where):
        from_lines(lines)
