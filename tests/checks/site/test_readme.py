"""README and docs say what the code does: every block is run, every table is regenerated."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from ptum.checks.cli import cli
from ptum.checks.judge.capabilities import NAMES
from ptum.checks.site import docs, errata_pages
from ptum.checks.site.card import card
from ptum.checks.text.markdown import linked
from ptum.spec import ledger, notation
from ptum.spec.pseudocode import ALGORITHM_1, Line
from ptum.spec.vocabulary import Status, Verdict
from tests.support.command import ptum

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text()
PAGES = sorted((*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")))
"""Every page for readers, written by hand or not."""
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(language: str) -> list[str]:
    return [body for name, body in BLOCK.findall(README) if name == language]


def test_readme_is_short() -> None:
    assert len(README.split()) < 1826


def test_the_first_screen_has_counts_majors_four_claims_and_a_picture() -> None:
    first = README.partition("## Two commands")[0]
    assert len(first.split()) < 630
    assert docs.readme_counts() in first
    assert errata_pages.readme_errata() in first
    assert card("docs/") in first
    pictures = re.findall(r"^!\[.+?\]\((.+?)\)", first, re.MULTILINE)
    assert [(ROOT / name).suffix for name in pictures] == [".svg"]


def test_the_sentence_above_the_card_reads_its_first_row() -> None:
    first = card("docs/").splitlines()[2]
    power = r"P\(failure\) ≥ (\S+); one bad instance in (\d+) \(allowed: (\S+)\)"
    (numbers,) = re.findall(power, first)
    above = README.split("\n\n<!-- begin: card -->")[0].split("\n\n")[-1].replace("\n", " ")
    told = r"probability 0\.9\. .* with probability (\S+) \((\S+) is allowed\).* in (\d+) fails"
    ((failure, allowed, rarest),) = re.findall(told, above)
    assert (failure, rarest, allowed) == numbers


def test_words_of_verdicts_and_statuses_are_those_of_the_ledger() -> None:
    (said,) = re.findall(r"^\| verdict \|(.*)\|$", README, re.MULTILINE)
    assert set(re.findall(r"`(.+?)`", said)) == {Verdict.HOLDS, Verdict.VIOLATED, Verdict.SKIPPED}
    assert f"are {Status.VACUOUS} (" in " ".join(docs.readme_counts().split())
    assert "empty" not in README


def test_every_status_is_counted_in_its_own_words() -> None:
    """What is not told by itself is a definition or imported: a new status needs words."""
    counts = Counter(part.status for _, part in ledger.parts())
    other = counts[Status.DEFINITION] + counts[Status.IMPORTED]
    said = " ".join(docs.readme_counts().split())
    assert f"the other {other} are definitions or results of other papers" in said


def test_the_glossary_has_six_words() -> None:
    (glossary,) = re.findall(r"^Six words:\n\n((?:\|.*\n)+)", README, re.MULTILINE)
    assert len(glossary.splitlines()) == 2 + 6


def test_the_pages_count_what_can_be_asked() -> None:
    number = ("fifteen", "sixteen", "seventeen", "eighteen")[len(NAMES) - 15]
    assert f"{number.capitalize()} things can be asked" in README
    assert f"puts {number} questions" in (ROOT / "CHANGELOG.md").read_text()


def test_the_example_is_short() -> None:
    (code,) = blocks("python")
    assert sum(bool(line) for line in code.splitlines()) <= 10


@pytest.mark.slow
def test_every_block_shows_what_it_prints() -> None:
    assert len(blocks("console")) >= 1
    assert docs.readme_with_output(README) == README, "stale: run `make docs`"


def test_the_times_in_an_output_do_not_make_readme_stale() -> None:
    output = "check  time\n─────  ─────\nbandit  0.3 s\n1 check run\n"
    later = "check  time\n─────  ──────\nbandit  12.0 s\n1 check run\n"
    assert docs.timeless(output) == docs.timeless(later)
    assert docs.timeless(output) != docs.timeless(later.replace("bandit", "bandits"))


@pytest.mark.slow
def test_the_verdict_of_the_judge_is_the_one_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """|Θ| for |Θ| + 1 in the example that the judge hands out."""
    assert ptum("validate", "--example", "python", str(tmp_path)).returncode == 0
    program = tmp_path / "my_ptum.py"
    right = program.read_text()
    assert right.count("* (k + 1) /") == 1
    program.write_text(right.replace("* (k + 1) /", "* k /"))
    monkeypatch.chdir(tmp_path)
    done = ptum("validate", "adapter:subject")
    assert done.returncode == 1
    (shown,) = blocks("text")
    assert f"\n{shown}  instance " in done.stdout


@pytest.mark.parametrize(("title", "lines", "path"), docs.ALGORITHMS)
def test_every_line_of_an_algorithm_is_carried_out_once(
    title: str, lines: tuple[Line, ...], path: str
) -> None:
    assert [line.number for line in lines] == list(range(1, len(lines) + 1)), title
    for line, found in docs.carried_out(lines, path):
        assert len(found) == (0 if line.idle else 1), line
        for place in (called for one in found for called in docs.functions_at(one)):
            file, _, row = place.partition(":")
            assert (ROOT / file).read_text().splitlines()[int(row) - 1].startswith(("def ", "@"))


def test_the_formulas_of_step_1_are_found_from_the_line_that_calls_them() -> None:
    ((_, (place,)),) = docs.carried_out(ALGORITHM_1[6:7], "reference/transfer/ptum.py")
    (called,) = docs.functions_at(place)
    assert called.startswith("reference/transfer/empirical.py:")


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def called(program: str) -> set[str]:
    """Words after the name of a program, in backquotes or at the start of a line of a block."""
    call = re.compile(rf"(?:`|^(?:\$ )?){program} ([a-z]+)", re.MULTILINE)
    return {word for page in PAGES for word in call.findall(page.read_text())}


def test_make_targets_that_the_pages_name_exist() -> None:
    assert {"verify", "test", "docs"} <= called("make") <= make_targets()
    assert {"install", "fast", "types", "lint", "deep", "clean"} <= make_targets()


def test_ptum_commands_that_the_pages_name_exist() -> None:
    assert {"verify", "show", "validate"} <= called("ptum") <= set(cli.commands)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text())
    assert [target for target in targets if not (page.parent / target).exists()] == []


@cache
def anchors(page: Path) -> set[str]:
    """As code hosts make them: lower case, no punctuation, hyphens for blanks; and our own."""
    text = page.read_text()
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return made | set(re.findall(r'<a id="([^"]+)"></a>', text))


def broken_anchors(page: Path, text: str) -> list[str]:
    """Links of a page to headings that do not exist; line numbers of code are not headings."""
    found = re.findall(r"\]\(([^)#:]*)#([^)]+)\)", text)
    targets = [(page if not name else page.parent / name, anchor) for name, anchor in found]
    named = [(target, anchor) for target, anchor in targets if target.suffix == ".md"]
    return [f"{target.name}#{anchor}" for target, anchor in named if anchor not in anchors(target)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_links_lead_to_headings(page: Path) -> None:
    assert broken_anchors(page, page.read_text()) == []


def test_no_page_is_left_out() -> None:
    names = {str(page.relative_to(ROOT)) for page in PAGES}
    by_hand = {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/architecture.md"}
    by_hand |= {"docs/letter.md"}
    assert names > by_hand | set(docs.PAGES)


def test_a_broken_anchor_is_noticed() -> None:
    page = ROOT / "docs" / "errata.md"
    text = "[a](policy.md#ids) [b](policy.md#idz) [c](#e01) [d](../reference/ptum.py#L1)"
    assert broken_anchors(page, text) == ["policy.md#idz"]


def test_only_known_records_become_links() -> None:
    text = linked("see E01, D07 and E999, not DE01")
    assert text == "see [E01](errata.md#e01), D07 and E999, not DE01"


def test_every_letter_has_one_row() -> None:
    letters = [row.split(" | ")[0] for row in docs.notation_page().splitlines() if row[:2] == "| "]
    assert len(letters) == len(set(letters))
    for symbol in notation.TABLE:
        assert f"`{symbol.name}`" in docs.notation_page()


@pytest.mark.parametrize("name", sorted(docs.PAGES))
def test_generated_pages_are_fresh(name: str) -> None:
    assert (ROOT / name).read_text() == docs.PAGES[name](), "stale: run `make docs`"


def test_generated_tables_of_readme_are_fresh() -> None:
    assert docs.readme_with_table(README) == README, "stale: run `make docs`"


@pytest.mark.parametrize("part", ["card", "counts", "errata table", "folders"])
def test_lost_markers_are_noticed(part: str) -> None:
    with pytest.raises(ValueError, match=part):
        docs.readme_with_table(README.replace(f"<!-- end: {part} -->", ""))
