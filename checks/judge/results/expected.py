"""Known deviations of a subject, with reasons: what `--expect FILE` and `ptum.check` hold against.

The file is TOML, `ptum-expect/1`:

    schema = "ptum-expect/1"

    [[deviation]]
    capability = "widths"
    reason = "logarithms in base 2, kept for old results"
    verdict = "deviates"            # or "errored"; "deviates" if left out
    item = "Lemma 3, C^r"           # the place that the report names; any if left out
    cases = ["widths/ordinary"]     # exactly these answers are wrong; any if left out
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from ptum.checks.judge.capabilities import NAMES
from ptum.checks.judge.judging.verdicts import BAD, Judgement
from ptum.checks.text.schema_docs import means

SCHEMA: Literal["ptum-expect/1"] = "ptum-expect/1"


class Deviation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One capability that is known not to conform, and why that is accepted."""

    capability: Annotated[str, means("name of the capability")]
    reason: Annotated[str, msgspec.Meta(min_length=1), means("why it is accepted")]
    verdict: Annotated[Literal["deviates", "errored"], means("the verdict that is expected")] = (
        "deviates"
    )
    item: Annotated[str, means("the place of the paper that the report names; empty for any")] = ""
    cases: Annotated[
        list[str], means("ids of the cases without a right answer, all of them; empty for any")
    ] = []


class Expected(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of known deviations."""

    schema: Annotated[Literal["ptum-expect/1"], means("name and version of this format")]
    deviation: Annotated[list[Deviation], means("one entry per capability")] = []

    @property
    def entries(self) -> dict[str, Deviation]:
        """By capability."""
        return {entry.capability: entry for entry in self.deviation}


@dataclass(frozen=True)
class ExpectedJudgements:
    """Judgements beside what was known of them.

    `known` are reasons by capability, of those that occur as they are written down; `unexpected`
    and `stale` say in words what occurs and is not written down, and what does not occur any more.
    """

    known: dict[str, str]
    unexpected: tuple[str, ...]
    stale: tuple[str, ...]

    @property
    def as_expected(self) -> bool:
        """Whether exactly the known deviations occur."""
        return not (self.unexpected or self.stale)


NOTHING = Expected(schema=SCHEMA)


def read(path: Path) -> Expected:
    """A file; ValueError says what is wrong with one that cannot be used."""
    try:
        found = msgspec.toml.decode(path.read_bytes(), type=Expected)
    except OSError as reason:
        raise ValueError(f"cannot read {path}: {reason.strerror}") from reason
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as reason:
        raise ValueError(f"{path} is no file of known deviations: {reason}") from reason
    for entry in found.deviation:
        if entry.capability not in NAMES:
            known = ", ".join(NAMES)
            raise ValueError(f"{path}: no capability {entry.capability!r}; known: {known}")
        if sum(other.capability == entry.capability for other in found.deviation) > 1:
            raise ValueError(f"{path} has two entries for {entry.capability}")
    return found


def compare(expected: Expected, judgements: Sequence[Judgement]) -> ExpectedJudgements:
    """Entries for capabilities that were not judged, because others were selected, do not count."""
    known: dict[str, str] = {}
    unexpected, stale = [], []
    for judgement in judgements:
        entry = expected.entries.get(judgement.capability)
        if judgement.verdict not in BAD:
            if entry is not None:
                stale.append(f"{entry.capability} {judgement.verdict}: {entry.reason}")
            continue
        other = "it is not expected" if entry is None else _unlike(entry, judgement)
        if other:
            unexpected.append(f"{judgement.capability} {judgement.verdict}: {other}")
        elif entry is not None:
            known[judgement.capability] = entry.reason
    return ExpectedJudgements(known, tuple(unexpected), tuple(stale))


def _unlike(entry: Deviation, judgement: Judgement) -> str:
    """How a deviation differs from the one that is known; empty if it does not."""
    if entry.verdict != judgement.verdict:
        return f"{entry.verdict} is expected"
    item = "" if judgement.finding is None else str(judgement.finding.item)
    if entry.item and entry.item != item:
        return f"it breaks {item or 'no place'}, expected is {entry.item}"
    if entry.cases and set(entry.cases) != set(judgement.not_right):
        more = sorted(set(judgement.not_right) - set(entry.cases))
        less = sorted(set(entry.cases) - set(judgement.not_right))
        parts = (("also in ", more), ("not in ", less))
        return "; ".join(f"{word}{', '.join(ids)}" for word, ids in parts if ids)
    return ""
