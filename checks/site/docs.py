"""Write the generated parts of README and docs: `python -m ptum.checks.site.docs` (`make docs`).

Whole pages are generated under docs/; in README.md the tables between their markers and the output
below every command. A test fails when what is on disk differs from what this module would write.

What is made from the ledger alone is in the site (`checks/site/build`), and not here. An erratum is
a heading that is its id, so that its anchor is known: `errata.md#e01`; these pages are made in
`checks/site/errata_pages`. Other ids stay as they are, for `ptum show`.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from ptum.checks.judge.results import pages
from ptum.checks.reproduce import page as reproduction_page
from ptum.checks.site.card import card
from ptum.checks.site.errata_pages import errata_page, readme_errata, remarks_page
from ptum.checks.suite import certificates, looseness
from ptum.checks.suite.attempts import page as attempts_page
from ptum.checks.suite.power import missing_table, power_table
from ptum.checks.text.markdown import (
    MADE,
    linked,
    markdown_table,
    quoted,
    with_part,
)
from ptum.spec import ledger, notation
from ptum.spec.ledger import CLAIMS
from ptum.spec.pseudocode import ALGORITHM_1, ALGORITHM_2, ALGORITHM_3, APPENDIX_E, Line
from ptum.spec.records import Symbol
from ptum.spec.vocabulary import EXPECTED_AS_PRINTED, STATUS_MEANS, Status

ROOT = Path(__file__).resolve().parents[2]


def notation_page() -> str:
    """docs/notation.md: the paper's symbols, ours in formulas, ours in code."""
    letters: dict[str, list[Symbol]] = {}
    for symbol in notation.TABLE:
        letters.setdefault(symbol.paper, []).append(symbol)
    header = ("symbol", "LaTeX", "meaning", "in formulas", "in code")
    note = (
        "The paper's Table 1 in its order, then every further symbol of the formulas here. Where "
        "one\nletter stands for two of them, both are in its row.\n\n"
    )
    return MADE + "# Notation\n\n" + note + markdown_table(header, map(_letter, letters.values()))


def _letter(meanings: Sequence[Symbol]) -> tuple[str, ...]:
    """One row of the notation: a letter of the paper with all that it stands for."""
    first = meanings[0]
    listed = [
        s.meaning if len(meanings) == 1 else f"{s.meaning} (Section {s.section})" for s in meanings
    ]
    names = dict.fromkeys(f"`{s.name}`" for s in meanings)
    codes = dict.fromkeys(f"`{s.code}`" for s in meanings if s.code)
    return (first.paper, f"${first.latex}$", "; ".join(listed), ", ".join(names), ", ".join(codes))


def readme_counts() -> str:
    """What there is and what came out, in numbers."""
    parts = [part.status for _, part in ledger.parts()]
    sentences = {
        Status.HOLDS: "hold",
        Status.REFUTED: "are refuted",
        Status.VACUOUS: "are vacuous (say nothing in the case that matters)",
        Status.AMBIGUOUS: "can be read in several ways",
        Status.UNPROVED: "are neither proved nor refuted",
        Status.NOT_REPRODUCED: "is contradicted by our own runs",
    }
    listed = ", ".join(f"{parts.count(status)} {said}" for status, said in sentences.items())
    rest = len(parts) - sum(map(parts.count, sentences))
    told = (
        f"The ledger lists {len(CLAIMS)} claims of the paper in {len(parts)} parts (statements, "
        f"steps of proofs, sentences); {len(ledger.checks())} checks test them. "
        f"As printed, {listed}; the other {rest} are definitions or results of other papers."
    )
    return textwrap.fill(told, 115) + "\n"


def readme_folders() -> str:
    """Which folder is for whom, by the lines that it has."""
    rows = [(f"`{name}/`", f"{_thousands(ROOT / name)},000", who) for name, who in READERS]
    return markdown_table(("folder", "lines, about", "read it if"), rows)


READERS = (
    (
        "reference",
        "you want the algorithms, beside the paper; `repaired/` has what differs from it",
    ),
    ("spec", "you want a claim, its formula, its repair; `ptum show` prints them better"),
    ("checks", "you doubt a verdict: start at the claim, in `checks/claims/`; else ignore it"),
    ("tests", "you change something, or doubt that a check would notice"),
)
"""Folders of README's last table."""


def _thousands(folder: Path) -> int:
    """Lines of code, to the nearest five thousand: nobody needs to know them better."""
    lines = sum(len(file.read_text().splitlines()) for file in folder.rglob("*.py"))
    return 5 * round(lines / 5000)


def readme_with_table(text: str) -> str:
    """README.md with its tables written again."""
    tables = (
        ("card", partial(card, "docs/")),
        ("counts", readme_counts),
        ("errata table", readme_errata),
        ("folders", readme_folders),
    )
    for name, table in tables:
        text = with_part(text, name, table())
    return text


ALGORITHMS = (
    ("Algorithm 1 (PTUM)", ALGORITHM_1, "reference/transfer/ptum.py"),
    ("Algorithm 2 (sequential transfer)", ALGORITHM_2, "reference/sequential/algorithm.py"),
    (
        "Algorithm 3 (learning the hidden Markov model)",
        ALGORITHM_3,
        "reference/sequential/spectral.py",
    ),
    ("Algorithm 2 as run (Appendix E.2)", ALGORITHM_2, "reference/experiments/sequential.py"),
    ("Algorithm 3 as run (Appendix E.2)", ALGORITHM_3, "reference/experiments/spectral.py"),
)
"""Title, lines and file; the first two words of a title are the id of the claim."""


def lines_page() -> str:
    """docs/lines.md: every line of an algorithm and the line of our code that carries it out."""
    pieces = ["# Algorithms, line by line\n"]
    for title, lines, path in ALGORITHMS:
        rows = [
            (
                str(line.number),
                linked(line.does),
                ", ".join(map(_code_link, places)),
                ", ".join(_code_link(called) for place in places for called in functions_at(place)),
            )
            for line, places in carried_out(lines, path)
        ]
        identity = "-".join(title.lower().split()[:2])
        pieces.append(f"## {title}\n\n{quoted(f'ptum show {identity}')}\n")
        pieces.append(markdown_table(("line", "does", "code", "calls"), rows))
    pieces.append(appendix_e())
    return MADE + "\n".join(pieces)


def appendix_e() -> str:
    """What Section 6 and Appendix E describe, its code, and the records and decisions about it."""
    rows = [
        (
            described.place,
            described.does,
            ", ".join(map(quoted, described.code)),
            ", ".join(map(quoted, described.claims)),
            linked(", ".join(described.taken)),
        )
        for described in APPENDIX_E
    ]
    head = "## The experiments (Section 6 and Appendix E)\n"
    columns = ("place", "what is described", "code", "claims", "decisions")
    return f"{head}\n{markdown_table(columns, rows)}"


def carried_out(lines: Iterable[Line], path: str) -> list[tuple[Line, list[str]]]:
    """Each line of an algorithm with the places in a file whose comment names it."""
    marked: dict[int, list[str]] = {}
    for row, text in enumerate((ROOT / path).read_text().splitlines(), start=1):
        found = re.search(r"# lines? (\d+)(?:-(\d+))?$", text)
        if found:
            first, last = int(found[1]), int(found[2] or found[1])
            for number in range(first, last + 1):
                marked.setdefault(number, []).append(f"{path}:{row}")
    return [(line, marked.get(line.number, [])) for line in lines]


def functions_at(place: str) -> list[str]:
    """Where the functions begin that a line of the reference calls from another of its files."""
    path, _, row = place.partition(":")
    module = importlib.import_module("ptum." + path.removesuffix(".py").replace("/", "."))
    names = re.findall(r"(\w+)\(", (ROOT / path).read_text().splitlines()[int(row) - 1])
    found = [getattr(module, name, None) for name in names]
    return [
        f"{function.__module__.removeprefix('ptum.').replace('.', '/')}.py:{begin}"
        for function in found
        if inspect.isfunction(function) and function.__module__ != module.__name__
        for begin in (inspect.getsourcelines(function)[1],)
    ]


def _code_link(place: str) -> str:
    path, _, row = place.partition(":")
    return f"[`{place}`](../{path}#L{row})"


def console_output(command: str) -> str:
    """What a `ptum` command prints."""
    arguments = command.removeprefix("$ ptum ").split()
    done = subprocess.run(
        [sys.executable, "-m", "ptum.checks.cli", *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def timeless(output: str) -> str:
    """An output without the times that checks took, which differ from run to run."""
    return re.sub(r"(?m) +(\d+\.\d s|time|─+)$", "", output)


def readme_with_output(text: str) -> str:
    """README.md with the output of every console block, and of the Python block, written again."""

    def rerun(block: re.Match[str]) -> str:
        now = console_output(block[1])
        same = timeless(now) == timeless(block[2])
        return block[0] if same else f"```console\n{block[1]}\n{now}```"

    text = re.sub(r"```console\n(\$ [^\n]*)\n(.*?)```", rerun, text, flags=re.DOTALL)
    code = re.search(r"```python\n(.*?)```", text, flags=re.DOTALL)
    if code is None:
        raise ValueError("README.md has lost its Python example")
    done = subprocess.run(
        [sys.executable, "-c", code[1]], capture_output=True, text=True, check=True
    )
    shown = f"```output\n{done.stdout}```"
    return re.sub(r"```output\n.*?```", lambda _: shown, text, flags=re.DOTALL)


def verdicts_page() -> str:
    """docs/verdicts.md with the tables of expectations and of what each profile sees.

    The rest is written by hand, but for the counts of `python -m ptum.checks.suite.calibration`.
    """
    rows = [
        (f"`{status}`", STATUS_MEANS[status], _expected_words(status))
        for status in Status
        if status in STATUS_MEANS
    ]
    table = markdown_table(("status", "says that the part", "expected verdict as printed"), rows)
    text = (ROOT / "docs" / "verdicts.md").read_text()
    parts = {
        "card": card(),
        "expectations": table,
        "power": power_table(),
        "less power": missing_table(),
    }
    for name, part in parts.items():
        text = with_part(text, name, part)
    return text


def _expected_words(status: Status) -> str:
    if status is Status.AMBIGUOUS:
        return "that of each reading"
    return " or ".join(sorted(f"`{verdict}`" for verdict in EXPECTED_AS_PRINTED[status]))


def protocol_page() -> str:
    """docs/protocol.md with its generated parts written again; the rest is written by hand."""
    return pages.filled((ROOT / "docs" / "protocol.md").read_text())


READ = {
    "reference/": "**read** beside the paper: all but the next two rows",
    "reference/repaired/": "**read** for what differs from the paper, and why",
    "reference/experiments/": "read for what the authors ran and did not print",
    "checks/kernel/": "**read** to trust a refutation and nothing else of ours",
    "spec/": "look up a claim; `ptum show ID` prints its record",
    "checks/claims/": "look up the check of a claim whose verdict is doubted",
    "checks/verdicts/": "look up how a check comes to its verdict",
    "checks/": "ignore: what finds, judges, runs and shows",
    "tests/": "ignore: what holds all of it to its word",
    "bench/": "ignore: what measures speed",
}
"""What a reader needs of each folder; a folder counts without those above it that are inside it."""


def _reading_rows() -> Iterator[tuple[str, str, str]]:
    counted: set[Path] = set()
    rows = {}
    for folder in sorted(READ, key=len, reverse=True):
        files = {file for file in (ROOT / folder).rglob("*.py") if file not in counted}
        counted |= files
        rows[folder] = sum(len(file.read_text().splitlines()) for file in files)
    for folder, what in READ.items():
        yield f"`{folder}`", f"{rows[folder] / 1000:.1f}k", what


def architecture_page() -> str:
    """docs/architecture.md with the tables of what to read, and of all packages by docstring."""
    folders = sorted(
        file.parent
        for top in ("spec", "reference", "checks")
        for file in (ROOT / top).rglob("__init__.py")
    )
    table = markdown_table(("package", "holds"), map(_package_row, folders))
    page = with_part((ROOT / "docs" / "architecture.md").read_text(), "packages", table)
    return with_part(
        page, "reading", markdown_table(("folder", "lines", "who reads"), _reading_rows())
    )


def _package_row(folder: Path) -> tuple[str, str]:
    docstring = ast.get_docstring(ast.parse(_init(folder))) or ""
    first = " ".join(docstring.partition("\n\n")[0].splitlines())
    return (f"`{folder.relative_to(ROOT).as_posix()}/`", first)


def _init(folder: Path) -> str:
    return (folder / "__init__.py").read_text()


def kernel_page() -> str:
    """docs/kernel.md with the table of certificates, and of what the others need."""
    rows = [
        (erratum.id, f"`{check}`", f"`{names[0]}`" if names else reason)
        for erratum, check, names, reason in certificates.listed()
    ]
    table = markdown_table(("erratum", "counterexample", "certificate, or what it needs"), rows)
    return with_part((ROOT / "docs" / "kernel.md").read_text(), "certificates", table)


PAGES: Mapping[str, Callable[[], str]] = {
    "docs/errata.md": errata_page,
    "docs/remarks.md": remarks_page,
    "docs/notation.md": notation_page,
    "docs/lines.md": lines_page,
    "docs/protocol.md": protocol_page,
    "docs/looseness.md": looseness.page,
    "docs/attempts.md": attempts_page.page,
    "docs/verdicts.md": verdicts_page,
    "docs/architecture.md": architecture_page,
    "docs/kernel.md": kernel_page,
    "docs/reproduction.md": reproduction_page.page,
}


def write(root: Path) -> None:
    """Write everything generated below a checkout."""
    for name, page in PAGES.items():
        (root / name).write_text(page())
    readme = root / "README.md"
    readme.write_text(readme_with_output(readme_with_table(readme.read_text())))


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    says = "Write the generated parts of README.md and docs/ again."
    argparse.ArgumentParser(prog="python -m ptum.checks.site.docs", description=says).parse_args(
        arguments
    )
    write(ROOT)


if __name__ == "__main__":
    main()
