"""How errata are shown: by the command, on their two pages, in README and in the letter."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from ptum.checks.cli.claims import as_table
from ptum.checks.cli.show import resolve
from ptum.checks.site import errata_pages
from ptum.checks.text.markdown import page_of, record_link
from ptum.spec import ledger
from ptum.spec.errata import ERRATA, GROUPS
from ptum.spec.records import Erratum
from ptum.spec.vocabulary import RANK_MEANS, Rank, Severity, Status
from tests.support.command import ptum, refused, valid

DOCS = Path(__file__).parents[3] / "docs"
LETTER = (DOCS / "letter.md").read_text()
HEADING = re.compile(r"^#+ (E\d{2,3})$", re.MULTILINE)
MARK = re.compile(r'<a id="(e\d{2,3})"></a>')
RANKS = list(Rank)


def standing(rank: Rank) -> list[str]:
    """Ids of the errata of a rank that were not withdrawn."""
    return [e.id for e in ERRATA if e.rank is rank and not e.withdrawn]


def withdrawn() -> list[str]:
    return [e.id for e in ERRATA if e.withdrawn]


def a_withdrawn_one() -> Erratum:
    return replace(ERRATA[0], withdrawn="The paper says so itself.")


class TestCommand:
    """`ptum claims --kind erratum` and `ptum show`."""

    def listed(self, *arguments: str) -> list[list[str]]:
        """Cells of the rows."""
        lines = ptum("claims", "--kind", "erratum", *arguments).stdout.splitlines()
        assert lines[0].split() == ["erratum", "rank", "severity", "group", "title"]
        return [re.split(" {2,}", line, maxsplit=4) for line in lines[2:]]

    def test_majors_come_first_and_what_was_withdrawn_last(self) -> None:
        rows = self.listed()
        assert sorted(row[0] for row in rows) == [e.id for e in ERRATA]
        assert [row[0] for row in rows[len(rows) - len(withdrawn()) :]] == withdrawn()
        ranks = [RANKS.index(Rank(row[1])) for row in rows if row[2] != "withdrawn"]
        assert ranks == sorted(ranks)
        assert [row[2] == "withdrawn" for row in rows] == [row[1] == "-" for row in rows]

    def test_the_errata_of_a_group_stand_together_in_each_rank(self) -> None:
        order = [(row[1], row[3]) for row in self.listed() if row[2] != "withdrawn"]
        places = [group.id for group in GROUPS]
        keys = [(RANKS.index(Rank(rank)), places.index(group)) for rank, group in order]
        assert keys == sorted(keys)

    @pytest.mark.parametrize("rank", RANKS)
    def test_a_rank_selects(self, rank: Rank) -> None:
        assert sorted(row[0] for row in self.listed("--rank", rank)) == standing(rank)

    def test_a_withdrawn_erratum_has_no_rank_in_the_table(self) -> None:
        line = as_table([a_withdrawn_one()], None).splitlines()[2]
        assert re.split(" {2,}", line)[1:3] == ["-", "withdrawn"]

    def test_json_has_every_field_of_an_erratum(self) -> None:
        document = valid(ptum("claims", "--kind", "erratum", "--json").stdout, "claims")
        claims = document["claims"]
        assert isinstance(claims, list)
        told = {entry["id"]: entry["erratum"] for entry in claims}
        fields = {name for name in Erratum.__slots__ if name != "id"} | {"status"}
        for erratum in ERRATA:
            assert set(told[erratum.id]) == fields
            for name in fields:
                value = getattr(erratum, name)
                plain = list(value) if isinstance(value, tuple) else value
                assert told[erratum.id][name] == (plain if plain != "" else None), name

    def test_other_records_have_no_erratum_in_json(self) -> None:
        claims = json.loads(ptum("claims", "--kind", "lemma", "--json").stdout)["claims"]
        assert {entry["erratum"] for entry in claims} == {None}

    @pytest.mark.parametrize("erratum", ERRATA, ids=lambda erratum: erratum.id)
    def test_an_erratum_is_shown_in_the_order_of_a_reader(self, erratum: Erratum) -> None:
        lines = ptum("show", erratum.id).stdout.splitlines()
        assert lines[1].endswith(f"{erratum.status} · group {erratum.group}")
        assert lines[-1] == f"explanation: ptum show {erratum.group}"
        assert lines[1].startswith(erratum.status if erratum.withdrawn else erratum.rank)
        heads = [line[:12].strip() for line in lines[2:] if re.match(r"[a-z ]{11} ", line)]
        told = ["place", "reading", "wrong", "breaks at", "repair", "cost", "still true"]
        assert [head for head in heads if head in told] == told

    def test_a_withdrawn_erratum_says_so_first(self, monkeypatch: pytest.MonkeyPatch) -> None:
        show = import_module("ptum.checks.cli.show")  # the package has a command of that name
        monkeypatch.setattr(show, "meant", lambda _: a_withdrawn_one())
        lines = ptum("show", "E01").stdout.splitlines()
        assert lines[1].startswith("withdrawn · ")
        assert lines[3] == "withdrawn   The paper says so itself."
        assert lines[5] == "what it said:"
        assert not any(line.startswith(("major", "counterexamples")) for line in lines)

    @pytest.mark.parametrize("erratum", [e for e in ERRATA if e.withdrawn], ids=lambda e: e.id)
    def test_a_withdrawn_erratum_has_nothing_to_run(self, erratum: Erratum) -> None:
        assert "it was withdrawn" in refused("show", erratum.id, "--run")

    @pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.id)
    def test_a_group_is_explained_and_names_its_members(self, group: ledger.Record) -> None:
        told = ptum("show", group.id.upper()).stdout
        (found,) = (g for g in GROUPS if g.id == group.id)
        assert found.explanation in " ".join(told.split())
        members = re.findall(r"^(E\d+)  (\w+)", told, re.MULTILINE)
        assert {i for i, _ in members} == {e.id for e in ERRATA if e.group == group.id}
        for identity, weight in members:
            erratum = ledger.find(identity)
            assert isinstance(erratum, Erratum)
            assert weight == ("withdrawn" if erratum.withdrawn else erratum.rank)

    def test_a_group_has_nothing_to_run_but_names_what_has(self) -> None:
        told = refused("show", GROUPS[0].id, "--run")
        assert "run one of" in told
        assert ledger.members(GROUPS[0])[0].id in told


class TestWeight:
    """A group is as heavy as its heaviest erratum that stands."""

    def test_of_every_group(self) -> None:
        for group in GROUPS:
            ranks = {e.rank for e in ERRATA if e.group == group.id and not e.withdrawn}
            assert ledger.rank_of(group) is next((r for r in RANKS if r in ranks), None)

    def test_what_was_withdrawn_weighs_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        group = next(g for g in GROUPS if ledger.rank_of(g) is Rank.MAJOR)
        gone = [
            replace(e, withdrawn="Wrong.") if e.group == group.id and e.rank is Rank.MAJOR else e
            for e in ERRATA
        ]
        monkeypatch.setattr(ledger, "ERRATA", gone)
        assert ledger.rank_of(group) is not Rank.MAJOR


class TestPages:
    """docs/errata.md and docs/remarks.md."""

    def test_every_erratum_is_told_once_on_its_page(self) -> None:
        here = HEADING.findall(errata_pages.errata_page())
        aside = HEADING.findall(errata_pages.remarks_page())
        assert sorted(here) == sorted(standing(Rank.MAJOR) + standing(Rank.MINOR))
        assert sorted(aside) == sorted(standing(Rank.REMARK) + withdrawn())
        for erratum in ERRATA:
            assert (page_of(erratum) == "errata.md") == (erratum.id in here)

    def test_every_old_anchor_leads_somewhere(self) -> None:
        text = errata_pages.errata_page()
        anchors = [i.lower() for i in HEADING.findall(text)] + MARK.findall(text)
        assert sorted(anchors) == [e.id.lower() for e in ERRATA]

    def test_majors_stand_before_minors_and_withdrawn_ones_last(self) -> None:
        text = errata_pages.errata_page()
        major, minor = (
            text.index("\n## Groups with a major erratum\n"),
            text.index("\n## Groups of minor errata\n"),
        )
        for group in GROUPS:
            rank = ledger.rank_of(group)
            if rank in (Rank.MAJOR, Rank.MINOR):
                place = text.index(f'<a id="{group.id}"></a>')
                assert (major < place < minor) == (rank is Rank.MAJOR)
        end = errata_pages.remarks_page().index("\n## Withdrawn\n")
        for match in HEADING.finditer(errata_pages.remarks_page()):
            assert (match.start() > end) == (match[1] in withdrawn())

    def test_a_group_is_followed_by_its_members(self) -> None:
        text = errata_pages.errata_page().partition("\n## Groups with a major erratum\n")[2]
        for piece in re.split(r'<a id="(?=[^"]+"></a>\n\n###)', text)[1:]:
            name = piece.partition('"')[0]
            own = piece.partition("\n## ")[0]
            members = [e.id for e in ERRATA if e.group == name and page_of(e) == "errata.md"]
            assert sorted(HEADING.findall(own)) == sorted(members), name

    def test_a_story_is_told_once_on_the_page_of_its_rank(self) -> None:
        for group in GROUPS:
            here = errata_pages.errata_page().count(f'<a id="{group.id}"></a>')
            aside = errata_pages.remarks_page().count(f'<a id="{group.id}"></a>')
            rank = ledger.rank_of(group)
            assert here == (rank in (Rank.MAJOR, Rank.MINOR))
            assert aside == (rank is Rank.REMARK)

    def test_the_rule_stands_at_the_head(self) -> None:
        head = errata_pages.errata_page().partition("\n## Groups with a major erratum\n")[0]
        assert len(head.splitlines()) < 24
        for rank in Rank:
            assert f"**{rank}**: {RANK_MEANS[rank]}" in head
        for word in ("strongest reading", "**withdrawn**", "letter.md", "remarks.md"):
            assert word in head

    def test_a_link_follows_the_rank(self) -> None:
        assert page_of(replace(ERRATA[0], rank=Rank.MAJOR)) == "errata.md"
        assert page_of(replace(ERRATA[0], rank=Rank.MINOR)) == "errata.md"
        assert page_of(replace(ERRATA[0], rank=Rank.REMARK)) == "remarks.md"
        assert page_of(a_withdrawn_one()) == "remarks.md"
        remark = standing(Rank.REMARK)[0]
        assert record_link(remark, "docs/") == f"[{remark}](docs/remarks.md#{remark.lower()})"

    def test_every_list_names_what_can_be_run(self) -> None:
        text = errata_pages.errata_page().partition("## All errata by number")[2]
        for erratum in ERRATA:
            runs = bool(erratum.counterexamples) and not erratum.withdrawn
            assert (f"`ptum show {erratum.id} --run`" in text) == runs

    def test_every_severity_is_explained_in_its_order(self) -> None:
        text = " ".join((DOCS / "verdicts.md").read_text().split())
        *first, last = (severity.value for severity in Severity)
        assert f"one of {', '.join(first)} and {last}, worst first" in text


class TestReadme:
    """The table has a row for each story of majors."""

    def test_it_names_every_major_and_nothing_else(self) -> None:
        text = errata_pages.readme_errata()
        rows = re.findall(r"^\| \[(.+)\]\(docs/errata\.md#(.+)\) \| (.+) \|$", text, re.MULTILINE)
        heavy = [group for group in GROUPS if ledger.rank_of(group) is Rank.MAJOR]
        assert [(title, name) for title, name, _ in rows] == [(g.title, g.id) for g in heavy]
        named = [i for _, _, cell in rows for i in re.findall(r"\[(E\d+)\]", cell)]
        assert sorted(named) == standing(Rank.MAJOR)

    def test_the_others_are_counted(self) -> None:
        text = errata_pages.readme_errata()
        minor = len(standing(Rank.MINOR))
        assert f"[{minor} minor errata](docs/errata.md#all-errata-by-number)" in text
        assert f"[{len(standing(Rank.REMARK))} remarks](docs/remarks.md)" in text
        assert f"; {len(withdrawn())} [withdrawn](docs/remarks.md#withdrawn)" in text


POINT = re.compile(r"^\*\*(\d+)\. (.+?)\*\*(.+?)(?=\n\n)", re.MULTILINE | re.DOTALL)
CALL = re.compile(r"`ptum ([^`]+)`")


def points(text: str) -> list[tuple[int, str]]:
    """Number and text of every point."""
    return [(int(number), f"{title}\n{body}") for number, title, body in POINT.findall(text)]


def named(text: str) -> list[Erratum]:
    """The errata that a text names; one that does not exist is an error."""
    found = [ledger.find(identity) for identity in re.findall(r"\bE\d{2,3}\b", text)]
    return [record for record in found if isinstance(record, Erratum)]


def unfit(errata: Sequence[Erratum]) -> list[str]:
    """What does not belong into a letter to the authors."""
    return [e.id for e in errata if e.withdrawn or e.rank is Rank.REMARK]


def heaviest(errata: Sequence[Erratum]) -> int:
    return min(RANKS.index(erratum.rank) for erratum in errata)


class TestLetter:
    """docs/letter.md: at most twelve points, most important first, each with a command."""

    def test_it_is_one_page_of_twelve_points(self) -> None:
        assert [number for number, _ in points(LETTER)] == list(range(1, 13))
        assert len(LETTER.splitlines()) <= 80

    @pytest.mark.parametrize(("number", "text"), points(LETTER))
    def test_a_point_says_what_to_change_what_it_costs_and_what_stays(
        self, number: int, text: str
    ) -> None:
        words = re.findall(r"\*(Change|Cost|Stays):\*", text)
        assert words == ["Change", "Cost", "Stays"], number
        assert CALL.search(text.partition("*Stays:*")[2])

    def test_every_erratum_that_it_names_stands_and_matters(self) -> None:
        assert len(named(LETTER)) >= 20
        assert unfit(named(LETTER)) == []

    def test_a_remark_or_a_withdrawn_erratum_would_be_noticed(self) -> None:
        remark = next(e for e in ERRATA if e.rank is Rank.REMARK)
        assert unfit([*named(LETTER), remark, a_withdrawn_one()]) == [remark.id, ERRATA[0].id]
        with pytest.raises(ledger.UnknownIdError):
            named("see E999")

    def test_majors_come_before_minors_and_none_is_left_out(self) -> None:
        weights = [heaviest(named(text)) for _, text in points(LETTER)]
        assert weights == sorted(weights)
        assert {e.id for e in named(LETTER)} >= set(standing(Rank.MAJOR))

    @pytest.mark.parametrize("call", CALL.findall(LETTER))
    def test_every_command_names_something_to_show(self, call: str) -> None:
        command, identity, *options = call.split()
        assert command == "show"
        erratum = resolve(identity)
        assert isinstance(erratum, Erratum)
        assert options == (["--run"] if erratum.counterexamples else [])

    @pytest.mark.slow
    @pytest.mark.parametrize("call", CALL.findall(LETTER))
    def test_every_command_shows_what_it_should(self, call: str) -> None:
        done = ptum(*call.split())
        assert done.returncode == 0
        assert ("verdict    violated" in done.stdout) == ("--run" in call)

    def test_what_it_calls_right_is_right(self) -> None:
        (numbers,) = re.findall(r"Lemmas ([\d, and]+) and Corollary 2", " ".join(LETTER.split()))
        claims = [f"lemma-{n}" for n in re.findall(r"\d+", numbers)] + ["corollary-2"]
        assert len(claims) == 6
        for claim in map(ledger.claim, claims):
            assert claim.parts[0].status is Status.HOLDS, claim.id
