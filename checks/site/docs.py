"""Write the generated parts of README and docs: `python -m ptum.checks.site.docs` (`make docs`).

Whole pages are generated under docs/; in README.md the tables between their markers and the output
below every command. A test fails when what is on disk differs from what this module would write.

Every record is a heading that is its id, so that its anchor is known: `claims.md#lemma-7`,
`decisions.md#d07`, `errata.md#e01`, `formulas.md#lemma-7`. Ids in running text become links. The
pages about errata are made in `checks/site/errata_pages`.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from ptum.checks.judge.results import pages
from ptum.checks.reproduce import page as reproduction_page
from ptum.checks.site.card import card
from ptum.checks.site.errata_pages import errata_page, readme_errata, remarks_page
from ptum.checks.site.graph import as_mermaid
from ptum.checks.suite import certificates, looseness
from ptum.checks.suite.attempts import page as attempts_page
from ptum.checks.suite.power import missing_table, power_table
from ptum.checks.text.markdown import (
    MADE,
    anchor,
    claim_link,
    linked,
    markdown_table,
    record_link,
    with_part,
)
from ptum.spec import ledger, notation
from ptum.spec.algebra import to_latex
from ptum.spec.decisions import DECISIONS
from ptum.spec.ledger import CLAIMS
from ptum.spec.pseudocode import ALGORITHM_1, ALGORITHM_2, ALGORITHM_3, APPENDIX_E, Line
from ptum.spec.records import Claim, Part, Symbol
from ptum.spec.vocabulary import EXPECTED_AS_PRINTED, STATUS_MEANS, Status

ROOT = Path(__file__).resolve().parents[2]


def claims_page() -> str:
    """docs/claims.md: every item, part by part."""
    pieces = [
        "# The ledger\n",
        "Titles are the paper's where it gives one and ours elsewhere. A part is one thing that "
        "a claim says; its status is its truth as printed.\n",
        markdown_table(("claim", "title", "section", "as printed"), map(_index_row, CLAIMS)),
    ]
    for claim in CLAIMS:
        number = f" {claim.number}" if claim.number is not None else ""
        pieces.append(
            f"## {claim.id}\n\n**{claim.kind.value.capitalize()}{number}: {claim.title}**"
        )
        pieces.append(f"({claim.section}{f', `{claim.label}`' if claim.label else ''})\n")
        pieces.append(f"{linked(claim.statement)}\n")
        pieces += _facts(claim)
        pieces += [_part_text(part) for part in claim.parts]
    return MADE + "\n".join(pieces)


def decisions_page() -> str:
    """docs/decisions.md: what the paper leaves open and what we chose."""
    pieces = [
        "# Decisions\n",
        "Points that the paper leaves open and every implementer settles.\n",
        markdown_table(
            ("id", "place", "question"),
            [(record_link(d.id), d.place, d.question) for d in DECISIONS],
        ),
    ]
    for d in DECISIONS:
        options = "\n".join(f"- {linked(option)}" for option in d.options)
        taken = [claim_link(claim.id) for claim in CLAIMS if d.id in claim.decisions]
        pieces.append(
            f"## {d.id}\n\n**{d.question}**\n\nPlace: {linked(d.place)}\n\n{options}\n\n"
            f"**Choice:** {linked(d.choice)}\n\n**Why:** {linked(d.why)}\n\n"
            f"**Otherwise:** {linked(d.otherwise)}\n"
        )
        pieces += [f"Taken by {', '.join(taken)}.\n"] if taken else []
    return MADE + "\n".join(pieces)


def notation_page() -> str:
    """docs/notation.md: the paper's symbols, ours in formulas, ours in code."""
    letters: dict[str, list[Symbol]] = {}
    for symbol in notation.TABLE:
        letters.setdefault(symbol.paper, []).append(symbol)
    header = ("symbol", "LaTeX", "meaning", "in formulas", "in code")
    note = "Where the paper uses one letter for two things, both stand in its row.\n\n"
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


def formulas_page() -> str:
    """docs/formulas.md: every formula of the ledger, printed and repaired."""
    pieces = [
        "# Formulas\n",
        "As the paper prints them, and repaired where that differs; among them steps of proofs and "
        "what is left unsaid. A formula that several items share is written out once.\n",
    ]
    written: dict[str, str] = {}
    for claim in CLAIMS:
        repairs = [n for part in claim.parts if part.repair for n in part.repair.formulas]
        named = [(name, "") for name in ledger.own_formulas(claim)]
        named += [(name, "repaired: ") for name in dict.fromkeys(repairs)]
        if not named:
            continue
        pieces.append(
            f"## {claim.id}\n\n**{claim.title}** ([claim](claims.md#{anchor(claim.id)}))\n"
        )
        for name, prefix in named:
            if name in written:
                place = written[name]
                pieces.append(f"{prefix}`{name}`: see [{place}](#{anchor(place)})\n")
            else:
                written[name] = claim.id
                pieces.append(_formula_text(name, prefix))
    return MADE + "\n".join(pieces)


def graph_page() -> str:
    """docs/graph.md: what rests on what, drawn and listed."""
    rows = [
        (claim_link(claim.id), ", ".join(map(claim_link, ledger.rests_on(claim))))
        for claim in CLAIMS
        if ledger.rests_on(claim)
    ]
    drawn = f"# What rests on what\n\n```mermaid\n{as_mermaid()}\n```\n\n"
    return MADE + drawn + markdown_table(("claim", "rests on"), rows)


def readme_counts() -> str:
    """What there is and what came out, in numbers."""
    parts = [part.status for _, part in ledger.parts()]
    sentences = {
        Status.HOLDS: "hold",
        Status.REFUTED: "are refuted",
        Status.VACUOUS: "say nothing",
        Status.AMBIGUOUS: "can be read in several ways",
        Status.UNPROVED: "are neither proved nor refuted",
    }
    listed = ", ".join(f"{parts.count(status)} {said}" for status, said in sentences.items())
    rest = len(parts) - sum(map(parts.count, sentences))
    return (
        f"The paper makes {len(CLAIMS)} claims, which say {len(parts)} things, and "
        f"{len(ledger.checks())} checks test them. As printed,\n{listed}; the other {rest} are "
        "definitions or results of other papers.\n"
    )


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
            (str(line.number), linked(line.does), ", ".join(map(_code_link, places)))
            for line, places in carried_out(lines, path)
        ]
        identity = "-".join(title.lower().split()[:2])
        pieces.append(f"## {title}\n\n{claim_link(identity)}\n")
        pieces.append(markdown_table(("line", "does", "code"), rows))
    pieces.append(appendix_e())
    return MADE + "\n".join(pieces)


def appendix_e() -> str:
    """What Section 6 and Appendix E describe, the code of it, and the decisions that it takes."""
    rows = [
        (described.place, described.does, f"`{described.code}`", linked(", ".join(described.taken)))
        for described in APPENDIX_E
    ]
    head = "## The experiments (Section 6 and Appendix E)\n"
    return f"{head}\n{markdown_table(('place', 'what is described', 'code', 'decisions'), rows)}"


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
    table = markdown_table(("package", "lines", "holds"), map(_package_row, folders))
    page = with_part((ROOT / "docs" / "architecture.md").read_text(), "packages", table)
    return with_part(
        page, "reading", markdown_table(("folder", "lines", "who reads"), _reading_rows())
    )


def _package_row(folder: Path) -> tuple[str, str, str]:
    """The modules of a package count, those of the packages inside it do not."""
    lines = sum(len(file.read_text().splitlines()) for file in folder.glob("*.py"))
    docstring = (ast.get_docstring(ast.parse(_init(folder))) or "").splitlines()[0]
    return (f"`{folder.relative_to(ROOT).as_posix()}/`", f"{lines / 1000:.1f}k", docstring)


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
    "docs/claims.md": claims_page,
    "docs/decisions.md": decisions_page,
    "docs/errata.md": errata_page,
    "docs/remarks.md": remarks_page,
    "docs/notation.md": notation_page,
    "docs/formulas.md": formulas_page,
    "docs/graph.md": graph_page,
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


def _facts(claim: Claim) -> list[str]:
    facts = (
        ("Assumes", map(claim_link, claim.assumes)),
        ("Uses", map(claim_link, claim.uses)),
        ("Needed by", map(claim_link, ledger.supports(claim.id))),
        ("Reference", (f"`{name}`" for name in claim.reference)),
        ("Decisions", map(record_link, claim.decisions)),
    )
    listed = [(head, ", ".join(items)) for head, items in facts]
    lines = [f"- {head}: {items}" for head, items in listed if items]
    if ledger.own_formulas(claim):
        lines.append(f"- Formulas: [written out](formulas.md#{anchor(claim.id)})")
    if claim.link:
        lines.insert(0, f"- {claim.link.relation.value} {claim_link(claim.link.target)}")
    return [*lines, ""] if lines else []


def _part_text(part: Part) -> str:
    footing = f"proof {part.proof.value}, evidence {part.evidence.value}"
    lines = [f"**{part.id}** — *{part.status.value}* ({footing})\n"]
    lines += [f"{linked(part.says)}\n", f"{linked(part.reason)}\n"]
    lines += [f"- reading `{r.id}` — *{r.status.value}*: {linked(r.says)}" for r in part.readings]
    lines += [""] if part.readings else []
    if part.as_run:
        named = ", ".join(f"`{name}`" for name in part.as_run.reference)
        lines.append(f"As run ({named}): {linked(part.as_run.says)}\n")
    if part.repair:
        errata = ", ".join(map(record_link, part.repair.errata))
        named = f" ({errata})" if errata else ""
        lines.append(f"Repair{named}: {linked(part.repair.says)}\n")
    checks = [*part.checks, *(c for r in part.readings for c in r.checks)]
    checks += part.as_run.checks if part.as_run else ()
    checks += part.repair.checks if part.repair else ()
    if checks:
        lines.append(f"Checks: {', '.join(f'`{check}`' for check in checks)}\n")
    if part.unchecked:
        lines.append(f"Not checked: {part.unchecked}\n")
    found = reproduction_page.of_part(part.id)
    lines += ["Experiments run again:\n", *(f"- {line}" for line in found), ""] if found else []
    return "\n".join(lines)


def _formula_text(name: str, prefix: str) -> str:
    return f"{prefix}`{name}`\n\n$$\n{to_latex(ledger.formula(name))}\n$$\n"


def _index_row(claim: Claim) -> tuple[str, ...]:
    statuses = dict.fromkeys(_status_text(part) for part in claim.parts)
    linked = f"{claim.link.relation.value} {claim.link.target}" if claim.link else ""
    place = f"[{claim.id}](#{anchor(claim.id)})"
    return (place, claim.title, claim.section, ", ".join(statuses) or linked)


def _status_text(part: Part) -> str:
    right = part.status in (Status.HOLDS, Status.DEFINITION, Status.IMPORTED, Status.UNPROVED)
    return part.status.value if right else f"**{part.status.value}**"


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    says = "Write the generated parts of README.md and docs/ again."
    argparse.ArgumentParser(prog="python -m ptum.checks.site.docs", description=says).parse_args(
        arguments
    )
    write(ROOT)


if __name__ == "__main__":
    main()
