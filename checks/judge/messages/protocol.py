"""The messages between the judge and a program: JSON objects, one per line (`ptum-stdio/1`).

The judge speaks first. `start` is answered by `ready`, or by a `failure` if there is nothing to
judge; every `request` by an `answer` or a `failure` with the same id; before that the program may
send `query` messages, each of which is answered by a `sample`. `stop` ends the conversation, and
the program exits.
"""

from __future__ import annotations

import codecs
from typing import Literal, TypeAlias

import msgspec

from ptum.checks.judge.messages.transcript import INFINITY_HINT, RAISED, Fields

PROTOCOL: Literal["ptum-stdio/1"] = "ptum-stdio/1"

DEEPEST = 32
"""Levels of lists and objects inside an answer; no documented field needs more than five."""

QUOTED = 200
"""Letters of a line that are shown."""

LONGEST_WORD = 40
"""Letters that are shown of what should be a word: the kind of a failure, another protocol."""


MOST_ENTRIES = 10_000
"""Entries of all lists and objects inside an answer, which take far more room than in the line."""


class _Message(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Every message names its kind in the field `type`."""


class StartMessage(_Message, frozen=True, tag="start"):
    """First message of the judge."""

    protocol: Literal["ptum-stdio/1"] = PROTOCOL


class Request(_Message, frozen=True, tag="request"):
    """One question; the fields of `input` are those of the capability."""

    id: str
    capability: str
    input: Fields


class SampleMessage(_Message, frozen=True, tag="sample"):
    """The answer to a query: a reward in [0, 1] and the number of the next state."""

    reward: float
    successor: int


class StopMessage(_Message, frozen=True, tag="stop"):
    """Last message of the judge."""


class Ready(_Message, frozen=True, tag="ready"):
    """The program introduces itself and lists what it can be asked."""

    protocol: Literal["ptum-stdio/1"]
    name: str
    version: str
    language: str
    capabilities: tuple[str, ...]


class QueryMessage(_Message, frozen=True, tag="query"):
    """The program asks for a sample of the pair (s, a), of task h in a sequence (from 1)."""

    id: str
    s: int
    a: int
    h: int = 0


class Answer(_Message, frozen=True, tag="answer"):
    """The answer to a request."""

    id: str
    answer: Fields


class Failure(_Message, frozen=True, tag="failure"):
    """There is no answer; `kind` is a word, `message` says why."""

    id: str
    message: str
    kind: str = RAISED


FromJudge: TypeAlias = StartMessage | Request | SampleMessage | StopMessage
FromProgram: TypeAlias = Ready | QueryMessage | Answer | Failure
Message: TypeAlias = FromJudge | FromProgram

_FROM_PROGRAM = msgspec.json.Decoder[FromProgram](FromProgram)


class NoMessageError(Exception):
    """A line that is no message of a program; `kind` is the word for it in a fault."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def printable(text: str) -> str:
    """The same without control characters, direction marks and lone surrogates: all escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def quoted(text: bytes | str, letters: int = QUOTED) -> str:
    """The beginning of what a program said, safe to print: no control characters, no bad UTF-8."""
    if isinstance(text, bytes):
        text = text[: 4 * letters + 4].decode("utf-8", errors="backslashreplace")
    text = text.rstrip("\r\n")
    shown = printable(text[:letters])
    return shown if len(text) <= letters else f"{shown} …"


def encode(message: Message) -> bytes:
    """One line."""
    return msgspec.json.encode(message) + b"\n"


def decode(line: bytes) -> FromProgram:
    """Read one line of a program: JSON of a known shape, and nothing else."""
    try:
        message: FromProgram = _FROM_PROGRAM.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as reason:
        raise _no_message(line, reason) from None
    if isinstance(message, Answer):
        if too_deep(message.answer, DEEPEST + 1):
            raise NoMessageError("not-a-message", f"lists in lists, more than {DEEPEST} deep")
        if _entries(message.answer) > MOST_ENTRIES:
            raise NoMessageError("not-a-message", f"an answer of more than {MOST_ENTRIES} entries")
    return message


def _no_message(line: bytes, reason: Exception) -> NoMessageError:
    """The decoder's words, and a hint where the mistake is a common one."""
    spoken = _spoken_protocol(line)
    if spoken not in (None, PROTOCOL):
        return NoMessageError("wrong-protocol", f"it speaks {spoken!r}, the judge {PROTOCOL!r}")
    return NoMessageError(
        "not-a-message", f"{_decoder_message(line, reason)}{_hint(line, str(reason))}"
    )


def _decoder_message(line: bytes, reason: Exception) -> str:
    """What the decoder says; it counts bytes that are no UTF-8 from the text that holds them."""
    if isinstance(reason, UnicodeDecodeError):
        try:
            line.decode()
        except UnicodeDecodeError as found:
            return f"the line is not UTF-8 (byte {found.start})"
    return str(reason) if line.strip() else "the line is empty"


TWICE = "; an object inside a text is no object: it is encoded twice"
OF_TYPES = "; a program sends ready, query, answer or failure"
COMMON = (
    ("Number out of range", f"; {INFINITY_HINT}"),
    ("`$.type`", OF_TYPES),
    ("field `type`", OF_TYPES),
    ("got `str` - at `$.answer`", TWICE),
    ("Expected `int`, got `float`", "; integers are written without a point"),
    ("Input data was truncated", "; a message ends on its line: no line breaks inside"),
    ("trailing characters", "; there is more than one message on the line"),
)
"""What the decoder says of mistakes that are made often, and what to change."""


def _hint(line: bytes, reason: str) -> str:
    """What to change, for mistakes that are made often."""
    about = (hint for said, hint in COMMON if said in reason)
    return _hint_about(line) or next(about, "")


def _hint_about(line: bytes) -> str:
    """Where the line itself shows what is wrong, whatever the decoder says."""
    if not line.strip():
        return "; it should be left out"
    if line.startswith(codecs.BOM_UTF8):
        return "; it begins with a byte order mark, which is no JSON"
    if line.lstrip().startswith(b'"{'):
        return TWICE
    if not line.lstrip().startswith(b"{"):
        return "; a line must be one JSON object (logs belong on standard error)"
    if b"NaN" in line or b"Infinity" in line:
        return '; JSON has no NaN, and infinity is the text "inf"'
    return ""


def _spoken_protocol(line: bytes) -> str | None:
    """The protocol that a message names, if it is one that names any."""
    try:
        return str(msgspec.json.decode(line, type=dict[str, object])["protocol"])[:LONGEST_WORD]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, KeyError):
        return None


def too_deep(value: object, levels: int) -> bool:
    """Whether there are more levels than these; the outermost is the value itself."""
    if not isinstance(value, list | dict):
        return False
    inside = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(too_deep(entry, levels - 1) for entry in inside)


def _entries(value: object) -> int:
    if not isinstance(value, list | dict):
        return 0
    inside = value.values() if isinstance(value, dict) else value
    return len(value) + sum(map(_entries, inside))
