"""What the pages say: every record is there, links lead somewhere, pictures show what they must."""

from __future__ import annotations

import json
import os
import posixpath
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from ptum.checks.claims import registry
from ptum.checks.cli.report import seen_in
from ptum.checks.cli.show import resolve
from ptum.checks.instances.counterexamples.catalogue import Numbers, cases, cases_of
from ptum.checks.reproduce.page import documents
from ptum.checks.site import build, drawings, graph, items, paper, prose
from ptum.checks.site.build import Seen, Site
from ptum.checks.suite.report import as_report
from ptum.checks.suite.runner import run
from ptum.checks.verdicts.check import Profile
from ptum.spec import ledger
from ptum.spec.ledger import CLAIMS
from ptum.spec.vocabulary import Kind, Verdict
from tests.support.command import ptum, refused

HREF = re.compile(r'(?:href|src)="([^"]*)"')
ZEROS = """
class Subject:
    name = "zeros"

    def policy_value(self, p, q, u, gamma, pi):
        return [0.0 for _ in p]


subject = Subject()
"""
IDENTITY = re.compile(r'\bid="([^"]+)"')


def html(site: Path) -> dict[str, str]:
    return {p.relative_to(site).as_posix(): p.read_text() for p in site.rglob("*.html")}


def broken(pages: Mapping[str, str], others: set[str]) -> list[str]:
    """Links to pages, and to places on them, that are not there."""
    places = {name: set(IDENTITY.findall(text)) for name, text in pages.items()}
    found = []
    for name, text in pages.items():
        for href in set(HREF.findall(text)):
            path, _, mark = unquote(href).partition("#")
            if "://" in path or path.startswith("data:"):
                continue
            plain = path.partition("?")[0]
            folder = posixpath.dirname(name)
            here = posixpath.normpath(posixpath.join(folder, plain)) if plain else name
            if (here not in places and here not in others) or (mark and mark not in places[here]):
                found.append(f"{name}: {href}")
    return found


class TestLinks:
    def test_every_link_leads_to_a_page_and_a_place_on_it(self, site: Path) -> None:
        files = {p.relative_to(site).as_posix() for p in site.rglob("*") if p.is_file()}
        assert broken(html(site), files) == []

    def test_an_id_stands_once_on_a_page(self, site: Path) -> None:
        for page in site.rglob("*.html"):
            ids = re.findall(r' id="([^"]+)"', page.read_text())
            assert len(ids) == len(set(ids)), page

    def test_the_start_page_has_a_door_for_every_reader(self, site: Path) -> None:
        doors = re.findall(r'<a class="door" href="([^"]+)">', (site / "index.html").read_text())
        assert doors == ["docs/use.html", "implement.html", "verify.html", "read.html"]

    def test_a_broken_link_is_noticed(self) -> None:
        pages = {
            "a.html": '<a href="b/c.html#x">good</a><a href="b/c.html#y">bad</a>',
            "b/c.html": '<p id="x"><a href="../a.html">good</a><a href="../gone.html">bad</a>',
        }
        assert sorted(broken(pages, set())) == ["a.html: b/c.html#y", "b/c.html: ../gone.html"]

    def test_every_record_part_and_check_has_its_place(self, site: Path) -> None:
        """One test for both: what `ptum show ID` finds, the site has at the address of the id."""
        text = html(site)
        known = list(ledger.records())
        known += [part.id for _, part in ledger.parts()]
        known += list(registry())
        for identity in known:
            path, _, mark = prose.address(identity).partition("#")
            assert not mark or f'id="{mark}"' in text[path], identity
            assert path in text, identity

    @pytest.mark.parametrize("page", sorted(p.name for p in build.DOCS.glob("*.md")))
    def test_ids_of_a_page_are_known_to_show_and_to_the_site(self, page: str) -> None:
        """The pages of docs/ name records by their ids: `ptum show` and the site have them all."""
        made = prose.markdown((build.DOCS / page).read_text(), "../")
        links = re.findall(r'<a href="\.\./([^"]+)">(?:<code>)?([^<]+)', made)
        named = [(to, text.removeprefix("ptum show ")) for to, text in links if text[0] != "["]
        for to, identity in named:
            if to.startswith(("item/", "decisions.html")) and not identity[0].isspace():
                assert prose.addresses()[identity] == to
                assert resolve(identity) is not None
        rest = re.sub(r"<(a|pre|code|math)\b.*?</\1>|<[^>]*>", "", made, flags=re.DOTALL)
        assert [i for i in re.findall(r"\b[DE]\d{2,3}\b", rest) if i in prose.addresses()] == []

    def test_what_the_site_makes_from_the_ledger_is_not_in_docs_as_well(self) -> None:
        own = {*build.PLAIN, "claims", "graph", "paper", "figures"}
        assert not own - {"errata"} & {path.stem for path in build.DOCS.glob("*.md")}

    def test_every_formula_is_written_once(self, site: Path) -> None:
        names = {n for c in CLAIMS for n in (*ledger.own_formulas(c), *items.repaired_formulas(c))}
        assert (site / "formulas.html").read_text().count('<figure class="formula">') == len(names)

    def test_nothing_is_taken_from_elsewhere(self, site: Path) -> None:
        for name, text in html(site).items():
            loaded = re.findall(r'<(?:script|img|link|iframe)[^>]+(?:src|href)="([^"]+)"', text)
            assert [a for a in loaded if "://" in a or a.startswith("//")] == [], name
        for asset in ("site.css", "site.js"):
            assert "://" not in (site / asset).read_text().replace("http://www.w3.org", "")


class TestItems:
    def test_an_item_has_all_that_is_known_of_it(self, site: Path) -> None:
        text = (site / "item" / "theorem-1.html").read_text()
        for piece in ("As printed", "Repaired", "Power:", "Bound/observed:", "Closest attempt:"):
            assert piece in text
        for piece in ('<svg class="mdp"', "theorem_1_bound", "E02", "D23", "<mfrac>"):
            assert piece in text
        assert "ptum verify --check theorem-1.bound/named --profile quick --seed 0" in text

    def test_sources_are_those_of_the_ledger(self) -> None:
        code = items.code_of("ptum.reference.transfer.analysis.lemmas:fundamental_lemma")
        assert code.text.startswith("def fundamental_lemma(")
        lines = (items.ROOT / code.file).read_text().splitlines()
        assert lines[code.line - 1] == code.text.splitlines()[0]

    def test_code_has_colours_and_lines_that_can_be_linked_to(self) -> None:
        made = build.highlighted("if a < 2:  # why\n    b = '''x\ny'''\n", anchors=True)
        assert '<span class="keyword">if</span> a &lt; <span class="number">2</span>:' in made
        assert '<span class="comment"># why</span>\n<a id="L-2" href="#L-2"' in made
        assert re.search(r"<span class=\"string\">'''x\n<a id=\"L-3\".*> y'''</span>", made)

    def test_what_a_run_saw_stands_in_place_of_what_is_expected(self) -> None:
        check = registry()["lemma-7.positive/bandit"]
        rows = run((check,), Profile.QUICK, 0)
        report = as_report(rows, Profile.QUICK, 0, {})
        (as_seen,) = items.checks_of(ledger.part(check.part)[1], report)[:1]
        assert as_seen.seen is not None
        assert as_seen.seen.verdict == Verdict.VIOLATED
        page = self.page(Seen(verification=report))
        assert "unexpected" not in page
        odd = [replace(row, outcome=replace(row.outcome, verdict=Verdict.HOLDS)) for row in rows]
        assert "unexpected" in self.page(Seen(verification=as_report(odd, Profile.QUICK, 0, {})))

    def page(self, seen: Seen) -> str:
        site = Site(seen)
        site.page("item/lemma-7.html", "item.html", claim=ledger.claim("lemma-7"))
        return site.files["item/lemma-7.html"].decode()


class TestProse:
    def test_ids_become_links_and_letters_are_lowered(self) -> None:
        text = prose.linked("By E01, N_t < 2κ_ε in lemma-7.positive; not sample_many, a < b", "../")
        assert '<a href="../item/E01.html">E01</a>' in text
        assert "N<sub>t</sub> &lt; 2κ<sub>ε</sub>" in text
        assert 'href="../item/lemma-7.html#lemma-7.positive"' in text
        assert "sample_many" in text

    def test_nested_letters_and_code(self) -> None:
        assert prose.linked("V_θ'^{π*_θ}", "") == "V<sub>θ'</sub><sup>π*<sub>θ</sub></sup>"
        assert prose.linked("`a_b`", "") == "<code>a_b</code>"

    def test_an_option_is_not_broken_behind_its_hyphens(self) -> None:
        written = prose.linked("`ptum verify --seed 0`", "")
        assert "<span>--seed</span> <span>0</span>" in written
        assert re.sub(r"</?span>", "", written) == "<code>ptum verify --seed 0</code>"

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("σ̃^r_θ", "σ̃<sup>r</sup><sub>θ</sub>"),
            ("C^p_{t,δ}(s,a)", "C<sup>p</sup><sub>t,δ</sub>(s,a)"),
            ("‖r‖_∞", "‖r‖<sub>∞</sub>"),
            ("max_{θ∈Θ̄_h} x", "max<sub>θ∈Θ̄<sub>h</sub></sub> x"),
            ("Std_{p̃_θ}[f]", "Std<sub>p̃<sub>θ</sub></sub>[f]"),
            ("κ_ε², 4kρ_4'²", "κ<sub>ε</sub>², 4kρ<sub>4'</sub>²"),
            ("[Σ̂_31]_k^†", "[Σ̂<sub>31</sub>]<sub>k</sub><sup>†</sup>"),
            ("(1-v)^(v-1) 10^-12", "(1-v)<sup>v-1</sup> 10<sup>-12</sup>"),
            ("max_steps of docs/open_questions.md", "max_steps of docs/open_questions.md"),
        ],
    )
    def test_low_and_high_letters(self, text: str, shown: str) -> None:
        assert prose.linked(text, "") == prose.letters(text) == shown

    def test_a_long_list_is_set_in_rows(self) -> None:
        rows = prose.in_rows(r"x = \max\left\{ f_{a,b}, \left( c, d \right) \right\}^2")
        inside = r"  f_{a,b}, \\  \left( c, d \right)  "
        assert rows == (r"x = \max\left\{ \begin{matrix}" + inside + r"\end{matrix} \right\}^2")

    def test_formulas_are_well_formed_and_known(self) -> None:
        names = {n for c in CLAIMS for n in (*ledger.own_formulas(c), *items.repaired_formulas(c))}
        assert len(names) > 90
        for name in names:
            root = ElementTree.fromstring(prose.formula(name))
            assert not list(root.iter(f"{{{prose.MATHML}}}merror"))

    def test_what_runs_over_a_set_stands_below(self) -> None:
        text = prose.mathml(r"\max_{s \in S} x_{\theta'}", display=True)
        assert re.search('<munder><mo [^>]*movablelimits="true">max</mo>', text)

    @pytest.mark.parametrize(
        ("latex", "shown"),
        [
            (
                r"\max\Bigl\{x\Bigr\}",
                r'<mo lspace="0" rspace="0">max</mo><mo [^>]*>{</mo>.*>}</mo>',
            ),
            (r"2\log h", r'<mo lspace="0.167em" rspace="0.167em">log</mo>'),
            (r"\|X\|_F", r'<msub><mo [^>]*stretchy="false" lspace="0" rspace="0">‖</mo>'),
            (r"\theta\iff x", r"<mo>⟺</mo>"),
            (r"x:=y", r'<mo rspace="0">:</mo><mo lspace="0">=</mo>'),
            (r"[O]_{:,j}", r"<mi>:</mi>"),
            (r"x=-1", r'<mo form="prefix">−</mo>'),
            (r"\tilde x", r">~</mo>"),
            (r"x<\infty", r"<mi>∞</mi>"),
        ],
    )
    def test_signs_and_words_stand_as_in_books(self, latex: str, shown: str) -> None:
        assert re.search(shown, prose.mathml(latex, display=False))

    def test_no_page_shows_a_command_of_a_formula(self, site: Path) -> None:
        for page in site.rglob("*.html"):
            assert not re.search(r"<m[ion][^>]*>[^<]*\\", page.read_text())

    def test_what_does_not_fit_beside_goes_below_and_leaves_the_paragraph_whole(self) -> None:
        made = prose.markdown("so that\n$$\na=b,\\qquad c=d \\tag{1}\n$$\nwith", "")
        assert made.count("<math") == 3
        assert re.search(r'<p>.*<span class="math block">.*</span>\nwith</p>', made, re.DOTALL)

    def test_links_of_a_page_are_those_of_the_site(self) -> None:
        text = "[a](errata.md#e01) [b](lines.md) [c](../reference/x.py#L7) [d](../Makefile) $x$"
        made = prose.markdown(text, "../")
        assert re.findall('href="([^"]+)"', made) == [
            "../item/E01.html",
            "lines.html",
            "../source/reference/x.html#L-7",
        ]
        assert "<math" in made


NUMBERS_ALONE = {
    "algorithm-3.probabilities/signed",  # frequencies of triples
    "algorithm-3.whitening/complex",  # a sequence of rewards
    "lemma-1.bernstein/symmetric-law",
    "lemma-11.constants/scalars",
    "lemma-11.pseudo-inverse/scalars",
    "text-almost-deterministic.transitions/same-failures",  # settings of two experiments
    "text-floor-removable.true-models/any-constant",
    "text-kl-divergence.gaussian/unequal-variances",
    "text-parameters-doubled.factor/two",
    "text-rewards-in-unit-interval.generality/unbounded",
    "text-rho-enters-transfer-mode.enters/after-start-up",
    "text-sample-as-episode.count/least-samples",  # settings of a figure
    "text-task-indices.all-eight/printed-copies",
    "text-tasks-before-transfer.number/logarithm",
    "text-width-form.form/model-error",
    "text-width-form.form/no-spread",
    "theorem-3.logarithm/nine",
}
"""Counterexamples without a task and a chain of tasks: distributions, settings, constants."""


class TestDrawings:
    def test_a_counterexample_is_drawn(self) -> None:
        (case,) = cases_of("lemma-9.optimal/staying")
        pictures = drawings.drawn(case.numbers(case.instance))
        assert [name for name, _ in pictures] == [
            "the true target",
            "the true rival",
            "the target's model",
            "the rival's model",
        ]
        true, model = pictures[0][1], pictures[2][1]
        assert true.count('class="step') == 3  # x stays; y leads to x by action 0, stays by 1
        assert model.count('class="step') == 2

    def test_steps_that_tasks_share_belong_to_all_before_them(self) -> None:
        stay = ((Fraction(1), Fraction(0)),), ((Fraction(0), Fraction(1)),)
        numbers: Numbers = (
            ("r of A, rows s, columns a", ((0,), (1,))),
            ("r of B, rows s, columns a", ((1,), (0,))),
            ("p of both, [s] rows a, columns s'", stay),
        )
        assert [task.steps for task in drawings.tasks(numbers)] == [stay, stay]

    def test_arms_and_chains_and_nothing_else(self) -> None:
        half = Fraction(1, 2)
        numbers: Numbers = (
            ("Bernoulli arms, target first", ((half, 1), (1, half))),
            ("T", ((half, 1), (half, 0))),
            ("arms asked with U", (1,)),
            ("O, one column per task", ((half, half), (half, half))),
        )
        assert len(drawings.drawn(numbers)) == 3

    def test_a_grid_has_its_wall_and_its_door(self) -> None:
        (case,) = cases_of("text-logarithmic-in-states.piecewise/same-models")
        picture = drawings.drawn(case.numbers(case.instance))[0][1]
        marks = [picture.count(f'class="{kind}"') for kind in ("cell", "wall", "door")]
        assert marks == [16, 3, 1]

    def test_every_task_and_chain_is_drawn(self) -> None:
        undrawn = {
            case.ids[0] for case in cases() if not drawings.drawn(case.numbers(case.instance))
        }
        assert undrawn == NUMBERS_ALONE

    def test_what_is_not_drawn_says_so(self) -> None:
        first, second = items.cases_behind(
            ("lemma-14.value-std/stretched-row", "lemma-14.values/stretched-row")
        )
        (alone,) = items.cases_behind(("theorem-3.logarithm/nine",))
        assert [case.not_drawn for case in (first, second, alone)] == [
            "",
            items.AGAIN,
            items.NUMBERS_ALONE,
        ]


class TestGraph:
    @pytest.mark.parametrize("needs", [graph.numbered(), graph.everything()])
    def test_what_is_needed_stands_to_the_left(self, needs: graph.Needs) -> None:
        place = {name: c for c, of in enumerate(graph.columns(needs)) for name in of}
        assert set(place) == set(needs)
        assert all(place[need] < place[name] for name in needs for need in needs[name])

    def test_a_need_through_a_sentence_is_kept(self) -> None:
        assert "text-event-e" in ledger.rests_on(ledger.claim("lemma-8"))
        assert not any(ledger.claim(n).kind is Kind.TEXT for n in graph.numbered()["lemma-8"])
        assert "algorithm-1" in graph.numbered()["lemma-8"]

    def test_the_small_picture_has_only_what_the_paper_numbers(self) -> None:
        assert all(ledger.claim(name).number is not None for name in graph.numbered())
        assert "algorithm-rmax" not in graph.numbered()


def _item(site: Path, claim: str) -> str:
    text = (site / "paper.html").read_text().partition(f'<section class="item" id="{claim}">')[2]
    return text.partition('<section class="item"')[0]


class TestPaper:
    def test_every_numbered_statement_is_there_once(self, site: Path) -> None:
        text = (site / "paper.html").read_text()
        for claim in CLAIMS:
            if claim.number is not None and claim.kind is not Kind.FIGURE:
                assert text.count(f'<section class="item" id="{claim.id}">') == 1

    def test_a_repair_stands_beside_what_is_printed(self) -> None:
        statements = {s.claim.id: s for _, of in paper.sections() for s in of}
        theorem = statements["theorem-1"]
        assert [part.id for part in theorem.wrong] == [
            "theorem-1.correct",
            "theorem-1.bound",
            "theorem-1.phases",
        ]
        assert "ptum.spec.formulas.transfer:THEOREM_1_REPAIRED" in theorem.repaired
        assert "repaired_transfer" in [proof.page for proof in theorem.proofs]
        assert statements["lemma-6"].mended == []

    def test_a_definition_has_no_proof(self, site: Path) -> None:
        item = _item(site, "definition-1")
        assert "Used in: " in item
        assert "Proof" not in item

    def test_the_theorems_stand_there_corrected(self, site: Path) -> None:
        assert "corrected, in short" in _item(site, "theorem-1")
        assert "break ties of line 18 by a fixed order" in _item(site, "theorem-1")
        assert 'href="#theorem-1">Theorem 1' in _item(site, "corollary-1")
        for page in paper.WHOLE.values():
            assert paper.box(page).endswith(".")
            assert "five lines" not in paper.box(page)

    def test_a_repair_stands_beside_the_sentence_that_it_mends(self, site: Path) -> None:
        for _, of in paper.sections():
            for one in of:
                claim, item = one.claim, _item(site, one.claim.id)
                for part in one.mended:
                    assert part.repair
                    said = claim.statement if one.single else part.says
                    before, _, after = item.partition(prose.linked(said, ""))
                    assert before != item
                    assert prose.linked(part.repair.says, "") in after

    def test_all_that_is_mended_names_a_proof_or_an_erratum(self) -> None:
        for _, of in paper.sections():
            for one in of:
                errata = [e for part in one.mended if part.repair for e in part.repair.errata]
                assert one.proofs or errata or not one.mended, one.claim.id


class TestWriting:
    def test_a_folder_with_something_else_is_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "thesis.tex").write_text("precious")
        with pytest.raises(build.NotOursError, match="holds no site"):
            build.write(tmp_path, {"index.html": b"x"})
        assert "holds no site" in refused("report", str(tmp_path))
        assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]

    def test_a_file_is_called_one(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(build.NotOursError, match="is a file: name a folder"):
            build.require_ours(tmp_path / "file")

    def test_a_site_is_replaced_and_nothing_outside_is_touched(self, tmp_path: Path) -> None:
        home, outside = tmp_path / "site", tmp_path / "outside"
        outside.write_text("kept")
        build.write(home, {"a.html": b"1", "b/c.html": b"2"})
        mark = json.loads((home / build.MARK).read_text())
        (home / build.MARK).write_text(json.dumps({"files": [*mark["files"], "../outside"]}))
        build.write(home, {"a.html": b"3"})
        assert (home / "a.html").read_bytes() == b"3"
        assert not (home / "b" / "c.html").exists()
        assert outside.read_text() == "kept"


class TestCommand:
    def test_bad_input_is_refused_in_one_line(self, tmp_path: Path) -> None:
        home = str(tmp_path / "site")
        (tmp_path / "x.json").write_text("{}")
        assert "no report of verify" in refused("report", home, "--from", str(tmp_path / "x.json"))
        assert "cannot read" in refused("report", home, "--from", str(tmp_path / "gone.json"))
        assert "--json a FILE" in refused("verify", "--html", home, "--json", "-")
        assert "leave out --list" in refused("verify", "--html", home, "--list")
        assert not Path(home).exists()

    def test_a_judged_program_and_a_panel_are_shown(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "zeros.py").write_text(ZEROS)
        command = ("validate", "zeros:subject", "--capability", "policy_value")
        assert ptum(*command, "--json", "v.json").returncode == 1
        seen = seen_in(Seen(), tmp_path / "v.json")
        seen = seen_in(seen, build.DOCS / "reproduction" / "figure-1-left.json")
        site = Site(seen)
        site.page("run.html", "run.html")
        text = site.files["run.html"].decode()
        assert '<span class="badge deviates">' in text
        assert "ptum validate zeros:subject" in text
        assert 'href="docs/reproduction.html#figure-1-left"' in text

    def test_what_is_described_has_its_estimate(self) -> None:
        site = Site(Seen())
        site.page("figures.html", "figures.html", panels=documents())
        text = site.files["figures.html"].decode()
        assert "variant are ε-optimal: not so in 55% of runs (41.7% to 67.8%): <b>described" in text

    @pytest.mark.slow
    def test_pages_are_read_as_utf_8_in_every_locale(self, tmp_path: Path) -> None:
        """In this one Python itself would take ASCII."""
        command = [sys.executable, "-m", "ptum", "report", str(tmp_path / "site")]
        locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
        done = subprocess.run(
            command, env=os.environ | locale, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr

    @pytest.mark.slow
    def test_a_run_and_its_site_in_one_go(self, tmp_path: Path) -> None:
        home = tmp_path / "site"
        told = ptum("verify", "--check", "lemma-7.positive/bandit", "--html", str(home)).stdout
        assert f"open {home / 'index.html'}" in told
        run_page = (home / "run.html").read_text()
        assert "All as expected" in run_page
        assert run_page.count("<tr data-verdict=") == 1
        assert '<span class="badge violated">' in (home / "item" / "lemma-7.html").read_text()
