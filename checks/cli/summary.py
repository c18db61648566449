"""`ptum summary`: reports as a table, JUnit or Markdown, and what two of them say differently."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

from ptum.checks.cli.output.formatting import (
    EXIT_AS_EXPECTED,
    EXIT_CUT_SHORT,
    EXIT_MISMATCH,
    table,
    unknown,
    wrapped,
)
from ptum.checks.cli.output.report_table import (
    Entry,
    Sheet,
    read,
    require_comparable,
    require_one_command,
)
from ptum.checks.cli.output.results import not_run_line
from ptum.checks.text.markdown import markdown_table


def print_summary(files: Sequence[str], form: str) -> int:
    """Print the results of reports; with two reports also what differs between them."""
    writers: dict[str, Callable[[Sequence[Sheet]], str]] = {
        "table": as_table,
        "junit": as_junit,
        "markdown": as_markdown,
    }
    if form not in writers:
        raise unknown("format", form, writers)
    sheets = [read(name) for name in files]
    require_one_command(sheets)
    compared = len(sheets) == 2 and form != "junit"
    if compared:
        require_comparable(*sheets)
    print(writers[form](sheets))
    if compared:
        print("\n".join(("", *differences(*sheets))))
    codes = {sheet.exit_code for sheet in sheets}
    return next((c for c in (EXIT_MISMATCH, EXIT_CUT_SHORT) if c in codes), EXIT_AS_EXPECTED)


def as_table(sheets: Sequence[Sheet]) -> str:
    """How the reports came about, what ran, what the columns mean, and how many say what."""
    laid = table(_header(sheets), _rows([_what_ran(s) for s in sheets]))
    missing = sum(not entry.ran for sheet in sheets for entry in sheet.entries)
    heads = [f"{name}: " for name in _names(sheets)]
    about = (line for h, s in zip(heads, sheets, strict=True) for line in wrapped(s.about, h))
    names = [""] if len(sheets) == 1 else heads
    counts = (line for h, s in zip(names, sheets, strict=True) for line in wrapped(h + s.counted))
    legend = wrapped(_legend(sheets))
    return "\n".join((*about, "", laid, *not_run_line(missing), "", *legend, "", *counts))


def _legend(sheets: Sequence[Sheet]) -> str:
    """Whatever one of the reports has is explained, once."""
    return "; ".join(dict.fromkeys(words for sheet in sheets for words in sheet.legend))


def _what_ran(sheet: Sheet) -> Sheet:
    return replace(sheet, entries=tuple(entry for entry in sheet.entries if entry.ran))


def as_markdown(sheets: Sequence[Sheet]) -> str:
    """The same for a page or a comment, what did not run included."""
    about = (f"- {n}: {s.about}" for n, s in zip(_names(sheets), sheets, strict=True))
    laid = markdown_table(_header(sheets), _rows(sheets))
    return "\n".join((*about, "", laid, _legend(sheets)))


def as_junit(sheets: Sequence[Sheet]) -> str:
    """JUnit XML, one suite per report; an unexpected verdict is a failure.

    Where there is no answer to look at, it is an error.
    A claim that is refuted as expected is a test that passes: its properties say what was found.
    """
    root = ElementTree.Element("testsuites")
    for sheet in sheets:
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=sheet.title,
            tests=str(len(sheet.entries)),
            failures=str(sum(_junit_word(entry) == "failure" for entry in sheet.entries)),
            errors=str(sum(_junit_word(entry) == "error" for entry in sheet.entries)),
            skipped=str(sum(entry.skipped and entry.failure is None for entry in sheet.entries)),
        )
        _junit_properties(suite, sheet.facts)
        for entry in sheet.entries:
            _junit_case(suite, entry)
    ElementTree.indent(root)
    return ElementTree.tostring(root).decode()  # ASCII: right in every encoding


def differences(first: Sheet, second: Sheet) -> list[str]:
    """What the second report says otherwise than the first."""
    before, after = ({e.key: _said(e) for e in sheet.entries} for sheet in (first, second))
    lines = [f"only in the first: {name}" for name in before if name not in after]
    lines += [f"only in the second: {name}" for name in after if name not in before]
    lines += [
        f"{name}: {before[name]} → {after[name]}"
        for name in before
        if name in after and before[name] != after[name]
    ]
    return lines or [f"the two reports agree on every {first.noun}"]


def _said(entry: Entry) -> str:
    return entry.verdict if entry.ran else "did not run"


def _junit_case(suite: ElementTree.Element, entry: Entry) -> None:
    case = ElementTree.SubElement(
        suite, "testcase", classname=entry.group, name=entry.key, time=f"{entry.seconds:g}"
    )
    _junit_properties(case, (("verdict", entry.verdict), ("expected", entry.expected)))
    if entry.failure is not None:
        wrong = ElementTree.SubElement(case, _junit_word(entry), message=entry.failure)
        wrong.text = "\n".join(entry.explanation)
    elif entry.skipped:
        ElementTree.SubElement(case, "skipped", message=entry.verdict)


def _junit_word(entry: Entry) -> str:
    """What JUnit calls an unexpected result; empty where it is as expected."""
    if entry.failure is None:
        return ""
    return "error" if entry.errored else "failure"


def _junit_properties(parent: ElementTree.Element, facts: Iterable[tuple[str, str]]) -> None:
    properties = ElementTree.SubElement(parent, "properties")
    for name, value in facts:
        ElementTree.SubElement(properties, "property", name=name, value=value)


def _header(sheets: Sequence[Sheet]) -> tuple[str, ...]:
    return sheets[0].header if len(sheets) == 1 else ("file", *sheets[0].header)


def _rows(sheets: Sequence[Sheet]) -> list[tuple[str, ...]]:
    """All results; several reports are distinguished by their files."""
    if len(sheets) == 1:
        return [entry.cells for entry in sheets[0].entries]
    both = zip(_names(sheets), sheets, strict=True)
    return [(name, *entry.cells) for name, sheet in both for entry in sheet.entries]


def _names(sheets: Sequence[Sheet]) -> list[str]:
    """Names of the files, with their folders where the names alone are equal."""
    names = [Path(sheet.file).name for sheet in sheets]
    return names if len(set(names)) == len(names) else [sheet.file for sheet in sheets]
