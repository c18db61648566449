"""What people write for an id is understood, or refused with what would have been."""

from __future__ import annotations

import json

import pytest

from ptum.checks.claims import registry
from ptum.checks.cli.output.lookup import meant, words_of
from ptum.checks.cli.verify import Selection, select
from ptum.spec import ledger
from tests.support.command import ptum, refused, valid


@pytest.mark.parametrize(
    ("word", "identity"),
    [
        ("Lemma 7", "lemma-7"),
        ("lemma7", "lemma-7"),
        ("LEMMA-07", "lemma-7"),
        ("theorem-1 bound", "theorem-1.bound"),
        ("thm 1", "theorem-1"),
        ("Eq. (8)", "equation-8"),
        ("cor1 exchange", "corollary-1.exchange"),
        ("exchange", "corollary-1.exchange"),
        ("fundamental lemma", "lemma-8"),
        ("e3", "E03"),
        ("D 7", "D07"),
        ("max min", "max-min"),
        ("figure 1 left", "figure-1-left"),
    ],
)
def test_what_people_write_is_understood(word: str, identity: str) -> None:
    assert meant(word).id == identity


def test_every_id_means_itself() -> None:
    everything = {*ledger.records(), *(part.id for _, part in ledger.parts())}
    assert {meant(identity).id for identity in everything} == everything


def test_a_letter_is_no_abbreviation() -> None:
    assert words_of("e 1") == ("e", "1")
    assert words_of("eq 1") == ("equation", "1")


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("E99", "there is no erratum E99: they are E01 to E"),
        ("d999", "there is no decision D999: they are D01 to D"),
        ("7", "id '7' fits 4 records: lemma-7, equation-7, D07, E07"),
        ("lema-7", "nearest: lemma-7,"),
        ("line 14", "'line 14' has no id: see docs/lines.md, or `ptum show algorithm-1`"),
        ("Theorem 9", "nearest: theorem-"),
        ("", "unknown id ''"),
    ],
)
def test_what_nobody_has_is_refused_in_one_line(word: str, text: str) -> None:
    line = refused("show", word)
    assert text in line
    assert "D99" not in line.replace("D999", "")


def selected(**named: tuple[str, ...]) -> set[str]:
    """Ids of the checks that the options of `verify` choose."""
    asked: dict[str, tuple[str, ...]] = {"claims": (), "parts": (), "checks": ()}
    chosen = Selection(**(asked | named), version="all", family=None)
    return {check.id for check in select(chosen)}


class TestChecksOfARecord:
    """`ptum verify --claim` takes what `ptum show` takes, if it has checks."""

    def test_a_claim_as_people_write_it(self) -> None:
        wanted = {check.id for check in registry().values() if check.part == "lemma-7.positive"}
        assert selected(claims=("Lemma 7",)) == selected(parts=("lemma 7 positive",)) == wanted

    def test_an_erratum_has_its_counterexamples_and_what_it_repairs(self) -> None:
        erratum = next(record for record in ledger.errata_by_weight() if record.id == "E03")
        found = selected(claims=("E03",))
        assert found >= {*erratum.counterexamples, "theorem-1.bound/repaired-named"}
        parts = {check.split("/")[0] for check in found}
        named = {p.id for _, p in ledger.parts() if p.repair and "E03" in p.repair.errata}
        assert parts == named | {check.split("/")[0] for check in erratum.counterexamples}

    def test_a_group_has_those_of_its_members(self) -> None:
        members = [selected(claims=(identity,)) for identity in ("E03", "E04", "E06")]
        assert selected(claims=("max-min",)) == set[str]().union(*members)

    @pytest.mark.parametrize(
        ("option", "word", "text"),
        [
            ("--claim", "D03", "D03 is a decision and has no checks; taken by: "),
            ("--part", "E03", "E03 is an erratum, not a part: --claim E03"),
            ("--check", "E03", "E03 is an erratum, not a check: --claim E03"),
            ("--part", "Lemma 7", "Lemma 7 is a claim, not a part: --claim lemma-7"),
            ("--claim", "lemma-7.positive/bandit", "is a check, not a claim: --check lemma-7."),
        ],
    )
    def test_what_has_another_option_is_told(self, option: str, word: str, text: str) -> None:
        assert text in refused("verify", option, word)


class TestJson:
    """`ptum show ID --json`."""

    @pytest.mark.parametrize("identity", ["theorem-1", "Lemma 7", "E03", "D07", "max-min"])
    def test_a_record_keeps_to_its_schema(self, identity: str) -> None:
        document = valid(ptum("show", identity, "--json").stdout, "record")
        assert document["id"] == meant(identity).id

    def test_a_part_is_its_claim_with_this_part_alone(self) -> None:
        document = json.loads(ptum("show", "theorem-1 bound", "--json").stdout)
        (part,) = document["parts"]
        assert (document["id"], part["id"], part["status"]) == (
            "theorem-1",
            "theorem-1.bound",
            "vacuous",
        )
        assert part["errata"][0] == "E03"

    def test_an_ambiguous_part_has_its_readings(self) -> None:
        (_, part) = json.loads(ptum("show", "lemma-3", "--json").stdout)["parts"]
        assert {reading["status"] for reading in part["readings"]} == {"holds", "refuted"}

    def test_a_file_that_was_meant_as_the_id_is_told(self) -> None:
        assert "--json took 'E03' for its file" in refused("show", "--json", "E03")

    def test_latex_is_not_for_machines(self) -> None:
        assert "leave one out" in refused("show", "lemma-7", "--latex", "--json")


def test_an_empty_list_says_so() -> None:
    done = ptum("claims", "--kind", "figure", "--status", "vacuous")
    assert (done.returncode, done.stdout) == (0, "no figure has a part that is vacuous\n")
    document = json.loads(
        ptum("claims", "--kind", "figure", "--status", "vacuous", "--json").stdout
    )
    assert document == {"claims": []}
