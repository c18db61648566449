"""The generated parts of docs/protocol.md: messages, fields, choices, limits, a dialogue.

A part stands between `<!-- begin: NAME -->` and `<!-- end: NAME -->`; `filled` writes all of them
again. What they say comes from the code that judges, so the page cannot say anything else.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from types import SimpleNamespace
from typing import get_args

import msgspec

from ptum.checks.judge.capabilities import NAMES, capabilities, conforming
from ptum.checks.judge.capabilities.transfer import confidence_set
from ptum.checks.judge.judging import hmms, tolerances
from ptum.checks.judge.judging.readings import PRINTED, Capability, Option
from ptum.checks.judge.judging.verdicts import NOT_TRIED_ALONE, Conformity
from ptum.checks.judge.messages.fields import Field
from ptum.checks.judge.messages.protocol import (
    DEEPEST,
    MOST_ENTRIES,
    FromJudge,
    FromProgram,
    Message,
    encode,
)
from ptum.checks.judge.programs import recorded
from ptum.checks.judge.programs.asking import PATIENCE, edge_cases
from ptum.checks.judge.programs.process import KEPT_OF_STDERR, Limits, Program
from ptum.checks.judge.programs.protocol_check import example_case
from ptum.checks.text.markdown import linked, markdown_table, quoted, record_link
from ptum.reference.transfer import transcript as events
from ptum.spec import ledger
from ptum.spec.decisions import DECISIONS

# Messages

MEANINGS: Mapping[tuple[str, str], str] = {
    ("start", "protocol"): "the version that the judge speaks",
    ("request", "id"): "name of the case; every message about it repeats this text",
    ("request", "capability"): "what is asked, one of those that `ready` lists",
    ("request", "input"): "the fields of the capability, see below",
    ("sample", "reward"): "the reward that was drawn, in [0, 1]",
    ("sample", "successor"): "number of the next state, from 0",
    ("ready", "protocol"): "the version that the program speaks; it must be that of `start`",
    ("ready", "name"): "name of the implementation, for the report",
    ("ready", "version"): "its version, for the report",
    ("ready", "language"): "its language, for the report",
    ("ready", "capabilities"): "names of what it can be asked; the others are not-implemented",
    ("query", "id"): "id of the request",
    ("query", "s"): "number of the state, from 0",
    ("query", "a"): "number of the action, from 0",
    ("query", "h"): "number of the task in a sequence, from 1; 0 or left out for a single task",
    ("answer", "id"): "id of the request",
    ("answer", "answer"): "the fields of the capability, see below",
    ("failure", "id"): "id of the request; `start` if there is nothing to judge at all",
    ("failure", "message"): "why there is no answer",
    ("failure", "kind"): "a word for it",
}
"""What every field of every message means."""

JSON_TYPES = {"str": "text", "int": "integer", "float": "number", "tuple": "list of texts"}


def messages_part() -> str:
    """Every message with its fields; the JSON Schema says the same to a machine."""
    rows: list[tuple[str, ...]] = []
    for kind in get_args(Message):
        sender = "judge" if kind in get_args(FromJudge) else "program"
        rows += _message_rows(kind, sender)
    return markdown_table(("message", "sent by", "field", "type", "meaning"), rows)


def _message_rows(kind: type[msgspec.Struct], sender: str) -> Iterator[tuple[str, ...]]:
    tag = str(kind.__struct_config__.tag)
    found = msgspec.structs.fields(kind)
    if not found:
        yield f"`{tag}`", sender, "", "", inspect.cleandoc(kind.__doc__ or "")
    for field in found:
        name = field.name if field.required or tag == "start" else f"{field.name} (optional)"
        yield f"`{tag}`", sender, name, _json_type(field.type), MEANINGS[tag, field.name]


def _json_type(kind: object) -> str:
    values = [value for value in get_args(kind) if isinstance(value, str)]
    if values:
        return f"the text `{values[0]}`"
    text = getattr(kind, "__name__", str(kind))
    return JSON_TYPES.get(text, "object" if text == "dict" else text)


# Capabilities


def capabilities_part() -> str:
    """One section per capability."""
    return "\n".join(_section(capabilities()[name]) for name in NAMES)


FURTHER_FORMULAS: Mapping[str, tuple[str, ...]] = {
    "confidence_set": ("equation-1", "equation-2", "equation-3", "equation-4", "lemma-3"),
    "next_query": ("definition-1",),
    "ptum": ("equation-1", "equation-2", "equation-3", "equation-4", "lemma-3", "definition-1"),
    "sequential": ("theorem-2", "theorem-3"),
}
"""Items beside that of a capability whose formulas it computes."""


def _formula_links(capability: Capability) -> str:
    """Where the formulas of a capability are written out; some are only in the paper's words."""
    items = (capability.item, *FURTHER_FORMULAS.get(capability.name, ()))
    written = [item for item in items if ledger.claim(item).formulas]
    shown = ", ".join(f"`ptum show {item}`" for item in written)
    return f" Formulas: {shown}." if shown else ""


def _section(capability: Capability) -> str:
    cases = edge_cases(capability)
    asks = " The program may send `query` messages on the way." if capability.samples else ""
    pieces = [
        f"### {capability.name}\n",
        f"{_sentence(capability.says)}{asks} Item of the paper: {quoted(capability.item)}."
        f"{_formula_links(capability)}\n",
        "Request:\n",
        _field_table(capability.input),
        "Answer:\n",
        _field_table(capability.output),
        *([_note_list(capability.notes)] if capability.notes else []),
        f"Tolerance: {_explained(capability.tolerance)}\n",
        _choice_text(capability),
        f"{len(cases)} cases are the same for every seed; more are drawn from it.\n",
    ]
    return "\n".join(pieces)


def _note_list(notes: tuple[str, ...]) -> str:
    return "".join(f"- {linked(_capitalised(note))}.\n" for note in notes)


def _capitalised(text: str) -> str:
    """With a capital letter, unless the first word is a symbol."""
    word = text.partition(" ")[0]
    return text[0].upper() + text[1:] if word.isascii() and word.isalpha() else text


def _sentence(text: str) -> str:
    text = text[0].upper() + text[1:]
    return text if text.endswith(".") else f"{text}."


def _field_table(listed: tuple[Field, ...]) -> str:
    rows = [(_name(field), _kind(field), " × ".join(field.shape), field.says) for field in listed]
    return markdown_table(("field", "kind", "shape", "meaning"), rows)


def _name(field: Field) -> str:
    return f"`{field.name}` (optional)" if field.optional else f"`{field.name}`"


def _kind(field: Field) -> str:
    return f"{field.kind} or null" if field.nullable else field.kind


# Choices


def choices_part() -> str:
    """Every choice that an implementation may make, with its options and where it bears."""
    rows = []
    for choice, options in _choices(capabilities().values()).items():
        bears = [name for name in NAMES if choice in _choices([capabilities()[name]])]
        rows.append((*_choice_row(choice, options), ", ".join(f"`{name}`" for name in bears)))
    return markdown_table(("choice", "question", "options", "seen in"), rows)


def _choice_text(capability: Capability) -> str:
    choices = _choices([capability])
    if not choices:
        return "There is nothing to choose.\n"
    listed = [
        f"{_choice_name(choice)}: {_option_list(options)}" for choice, options in choices.items()
    ]
    return f"Choices: {'; '.join(listed)}.\n"


def _choices(listed: Iterable[Capability]) -> dict[str, list[Option]]:
    """The options of every choice, the literal one first."""
    found: dict[str, list[Option]] = {}
    for capability in listed:
        for reading in capability.readings:
            for option in sorted(reading):
                options = found.setdefault(option.choice, [])
                if option not in options:
                    options.append(option)
    return dict(sorted(found.items()))


def _choice_row(choice: str, options: list[Option]) -> tuple[str, str, str]:
    if choice == PRINTED.choice:
        question = "The formula that is printed, or the repaired one where that is wrong?"
    else:
        question = next(decision.question for decision in DECISIONS if decision.id == choice)
    return _choice_name(choice), linked(question), _option_list(options)


def _choice_name(choice: str) -> str:
    return choice if choice == PRINTED.choice else record_link(choice)


def _option_list(options: list[Option]) -> str:
    """Each option once, with the errata that some capability names for it."""
    errata: dict[str, list[str]] = {}
    for option in options:
        known = errata.setdefault(option.option, [])
        if option.erratum and option.erratum not in known:
            known.append(option.erratum)
    return ", ".join(
        f"“{name}”" + (f" ({', '.join(map(record_link, known))})" if known else "")
        for name, known in errata.items()
    )


# Tolerances

DERIVED: Mapping[str, tuple[str, Callable[..., object]]] = {
    "τ": ("10⁻⁹ + 12(S+2)u/(1-γ)", tolerances.relative_value_error),
    "value": ("τ/(1-γ)", tolerances.value_error),
    "gap": ("3τ/(1-γ)", tolerances.gap_error),
    "deviation": ("10⁻⁹ + 4√((m+1)u)", tolerances.deviation_error),
    "deviation of values": ("(10⁻⁹ + 4√((S+1)u) + τ)/(1-γ)", tolerances.transition_deviation_error),
    "information": ("6τ", tolerances.information_error),
    "tests of line 12": (
        "(1) 10⁻⁹; (2) that of a gap; (3) that of a deviation with m samples; (4) that of a "
        "deviation of values and, once more, (3)/(1-γ)",
        confidence_set.blur,
    ),
    "Ô, T̂ and ω̂": ("as follows", hmms.amplified),
}
"""Formula and derivation of each quantity from which tolerances are made."""

SEE = "[derivation](#tolerances)"
CODE_NAMES = {"`tolerances`": SEE, "`hmms.amplified`": SEE, "`blur`": f"line 12 ({SEE})"}
"""What the page says where a derivation names our code."""


def tolerances_part() -> str:
    """How the tolerances are derived, and their size at one request of each capability."""
    derived = markdown_table(
        ("error of", "at most", "why"),
        [(name, formula, _explained(rule)) for name, (formula, rule) in DERIVED.items()],
    )
    rows = []
    for name in NAMES:
        capability = capabilities()[name]
        case = example_case(capability)
        allowed = capability.tolerance(case.input)
        rows += [(f"`{case.id}`", f"`{field}`", f"{size:.2g}") for field, size in allowed.items()]
    return f"{derived}\n{markdown_table(('request', 'field', 'tolerance'), rows)}"


def _explained(rule: Callable[..., object]) -> str:
    """What a rule says about itself, in words of the page."""
    text = _running(rule.__doc__)
    for name, words in CODE_NAMES.items():
        text = text.replace(name, words)
    return linked(text)


def _running(text: str | None) -> str:
    """A docstring as running text."""
    return " ".join(inspect.cleandoc(text or "").split())


# Recorded runs

EVENTS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("start", "models"): ("list of objects", "the models, each with `p`, `q` and `u`"),
    ("start", "gamma"): ("number", "discount factor"),
    ("start", "errors"): ("object", 'numbers `r`, `p`, `sigma_r`, `sigma_p`; `"inf"` allowed'),
    ("start", "epsilon"): ("number", "accuracy"),
    ("start", "delta"): ("number", "failure probability"),
    ("start", "n"): ("integer", "budget"),
    ("start", "schema"): (f"the text `{events.SCHEMA}`", "the version of the format"),
    ("elimination", "t"): ("integer", "iteration, from 1: the number of queries so far and one"),
    ("elimination", "theta"): ("integer", "the model that line 12 drops"),
    ("elimination", "equation"): ("integer", "a test that it fails, 1 to 4"),
    ("elimination", "s"): ("integer", "state of the pair at which it fails"),
    ("elimination", "a"): ("integer", "action of that pair"),
    ("elimination", "theta_prime"): ("integer or null", "the θ' of tests (2) and (4)"),
    ("query", "t"): ("integer", "iteration"),
    ("query", "s"): ("integer", "state of the pair"),
    ("query", "a"): ("integer", "action of the pair"),
    ("sample", "t"): ("integer", "iteration, the same as of its query"),
    ("sample", "reward"): ("number", "the reward that was drawn, in [0, 1]"),
    ("sample", "successor"): ("integer", "number of the next state"),
    ("stop", "t"): ("integer", "the number of queries and one"),
    ("stop", "end"): ("text", "as in `ptum`"),
    ("stop", "theta"): ("integer or null", "the model whose policy is returned"),
    ("stop", "policy"): ("list of integers or null", "an action for every state"),
}
"""Type and meaning of every field of every event."""


def events_part() -> str:
    """Every event of a recorded run with its fields."""
    rows = []
    for kind in get_args(recorded.Read):
        tag = str(kind.__struct_config__.tag)
        for field in msgspec.structs.fields(kind):
            name = field.name if field.required else f"{field.name} (optional)"
            rows.append((f"`{tag}`", name, *EVENTS[tag, field.name]))
    return markdown_table(("event", "field", "type", "meaning"), rows)


# Limits and faults

LIMITS: Mapping[str, tuple[str, str]] = {
    "start": ("s", "until `ready`"),
    "message": ("s", "from one message to the next, and for reading one"),
    "request": ("s", "for a request with all its samples"),
    "run": ("s", "for all requests together; what is left then is not asked"),
    "line": ("bytes", "in one line of standard output"),
    "samples": ("", "samples in one request"),
    "restarts": ("", "breakdowns, after which nothing more is asked"),
    "memory": ("MiB", "held by the program and all its descendants together, on Linux"),
    "processes": ("", "processes at a time, descendants included, on Linux"),
    "privileges": ("", "for sudo and the like, where an ordinary user has a namespace (below)"),
}
"""Unit and meaning of each limit."""


def limits_part() -> str:
    """The limits with their values, and what the judge itself uses."""
    default = Limits()
    rows = []
    for field in fields(Limits):
        unit, meaning = LIMITS[field.name]
        allowed: bool | float = getattr(default, field.name)
        value = _spaced(allowed) if allowed else "none"
        rows.append((field.name, f"{value} {unit}".strip(), meaning))
    text = (
        "\nOf what a program prints the judge holds at most one line that it has not read yet, "
        f"and the first and the last {KEPT_OF_STDERR} bytes of standard error; answers and samples "
        f"are kept to the end. Lists nest at most {DEEPEST} deep, and an answer has at most "
        f"{_spaced(MOST_ENTRIES)} entries in all its lists. After {PATIENCE} breakdowns a "
        "capability is asked no more.\n"
    )
    return markdown_table(("limit", "value", "of"), rows) + text


def _spaced(number: float) -> str:
    return f"{number:,.0f}".replace(",", " ")


FAULTS: Mapping[str, tuple[str, bool]] = {
    "not-found": ("the command cannot be started", True),
    "no-subject": ("the Python object cannot be loaded", True),
    "unknown-subject": ("there is no such Python module or object: wrong usage", True),
    "wrong-protocol": ("`ready` names another protocol", True),
    "ended": ("the program exited, was killed, or closed its standard output", True),
    "hangs": ("a time limit passed, or the program does not read", True),
    "not-a-message": ("a line that is no message: logs, broken JSON, NaN, wrong types", True),
    "out-of-order": ("a message that was not expected, or with the id of another request", True),
    "too-long": ("a line above the limit", True),
    "too-many": ("more samples or processes than the limit", True),
    "too-large": ("more memory than the limit", True),
    "impossible-query": ("a query of a state, action or task that does not exist", True),
    "raised": ("the call of a Python method raised; also the default of `failure`", False),
    "no-method": ("a Python object claims a capability without having the method", False),
    "changed-input": ("a Python method changed its arguments", False),
    "malformed": (
        "fields are missing, unknown, of a wrong type or shape, or name what does not exist",
        False,
    ),
    "unknown-capability": ("`ready` lists a capability that the judge does not know", False),
    "given-up": ("not asked any more, after too many breakdowns or too long a time", False),
}
"""What each kind of fault means, and whether the conversation breaks down with it."""


def faults_part() -> str:
    """Every kind of fault."""
    rows = [
        (f"`{kind}`", meaning, "started again" if breaks else "goes on")
        for kind, (meaning, breaks) in FAULTS.items()
    ]
    exempt = " or ".join(f"`{kind}`" for kind in sorted(NOT_TRIED_ALONE))
    alone = (
        "\nOf each capability the fault that is shown, and the wrong answer, is tried again when "
        "everything has been asked: the same request is put, alone, to a fresh program. That is "
        "left out if it was the first of its program anyway, if the limits of the run are used up, "
        f"and after {exempt}. If the request is then answered, or answered rightly, what happened "
        "may depend on the requests before it, or on chance: the report says so, and tells how to "
        "repeat the whole run.\n"
    )
    return markdown_table(("kind", "meaning", "the program"), rows) + alone


VERDICTS: Mapping[Conformity, str] = {
    Conformity.CONFORMS: "one reading of the paper explains all answers together; the report names "
    "the choices that were seen and whether the printed or the repaired formula was, with the "
    "erratum where the printed one is refuted",
    Conformity.DEVIATES: "no reading explains all answers; the report shows the equation or line, "
    "what was expected and what came, on the smallest request that tells",
    Conformity.ERRORED: "the answers that came are right, but some did not come or cannot be read",
    Conformity.NOT_IMPLEMENTED: "the program does not claim the capability",
}


def verdicts_part() -> str:
    """The four verdicts."""
    rows = [(verdict.value, meaning) for verdict, meaning in VERDICTS.items()]
    return markdown_table(("verdict", "meaning"), rows)


# A dialogue

SPOKEN = ("widths/one-sample-with-errors", "next_query/all-arms-tied", "ptum/n-24")
"""Cases of the dialogue: without rounded numbers, so that it is the same on every machine."""

literal = SimpleNamespace(
    name="literal",
    version="1",
    **{name: conforming(name)["literal"] for name in ("widths", "next_query", "ptum")},
)
"""The subject of the dialogue: the reference itself."""


class _Overheard(Program):
    """A program whose conversation is written down."""

    def __init__(self, *command: str) -> None:
        super().__init__(command, Limits())
        self.lines: list[str] = []

    def send(self, message: FromJudge) -> None:
        self.lines.append(f"→ {encode(message).decode().rstrip()}")
        super().send(message)

    def receive(self, seconds: float, late: str = "") -> FromProgram:
        message = super().receive(seconds, late)
        self.lines.append(f"← {encode(message).decode().rstrip()}")
        return message


def dialogue() -> list[str]:
    """All lines of a conversation with the literal implementation; → is the judge."""
    command = (
        sys.executable,
        "-m",
        "ptum.checks.judge.programs.host",
        "ptum.checks.judge.results.pages:literal",
    )
    with _Overheard(*command) as program:
        program.introduce()
        for identity in SPOKEN:
            capability = capabilities()[identity.partition("/")[0]]
            (case,) = (case for case in edge_cases(capability) if case.id == identity)
            program.ask(capability, case)
    return [*program.lines, '→ {"type":"stop"}']


def dialogue_part() -> str:
    """The dialogue as a block of text; of queries that repeat each other only the first two."""
    shown, left_out = list[str](), 0
    for line in dialogue():
        if shown[-4:].count(line) == 2:
            left_out += 1
            continue
        if left_out:
            shown.append(f"  ({left_out} lines that repeat the last two)")
            left_out = 0
        shown.append(line)
    return "```text\n" + "\n".join(shown) + "\n```\n"


# The page

PARTS: Mapping[str, Callable[[], str]] = {
    "messages": messages_part,
    "events": events_part,
    "dialogue": dialogue_part,
    "limits": limits_part,
    "faults": faults_part,
    "verdicts": verdicts_part,
    "choices": choices_part,
    "tolerances": tolerances_part,
    "capabilities": capabilities_part,
}
"""The generated parts of docs/protocol.md by the name of their markers."""


def filled(text: str) -> str:
    """The page with every generated part written again."""
    for name, part in PARTS.items():
        begin, end = f"<!-- begin: {name} -->\n", f"<!-- end: {name} -->"
        before, opened, rest = text.partition(begin)
        _, closed, after = rest.partition(end)
        if not opened or not closed:
            raise ValueError(f"docs/protocol.md has lost the markers of its part {name!r}")
        text = before + begin + "\n" + part() + "\n" + end + after
    return text
