"""The ledger is complete, consistent, and every name in it leads somewhere."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from ptum.checks.claims import registry
from ptum.checks.claims.agreement import agreements
from ptum.spec import ledger, notation
from ptum.spec.claims import experiments
from ptum.spec.decisions import DECISIONS, transfer
from ptum.spec.errata import ERRATA, GROUPS
from ptum.spec.ledger import CLAIMS
from ptum.spec.pseudocode import APPENDIX_E
from ptum.spec.vocabulary import Evidence, Kind, Proof, Status, Verdict, Version, expected_verdicts

REFERENCE = Path(__file__).parents[2] / "reference"
EXPERIMENTS = REFERENCE / "experiments"

LABELS = {
    "definition-1": "def:psi",
    "assumption-1": "ass:model-err",
    "assumption-2": "ass:full-rank",
    "assumption-3": "ass:ptum1",
    "assumption-4": "ass:ptum2",
    "assumption-5": None,
    "theorem-1": "th:pac-bound",
    "theorem-2": "th:rtp-err-models",
    "theorem-3": "th:pre-elim",
    "corollary-1": "cor:samp-comp",
    "corollary-2": "cor:v-error-decomposition",
    "lemma-1": "lemma:bernstein",
    "lemma-2": "lemma:emp-bernstein",
    "lemma-3": "lemma:conf",
    "lemma-4": "lemma:model-elim",
    "lemma-5": "lemma:simulation",
    "lemma-6": "lemma:theta-eps",
    "lemma-7": "lemma:idx-positive",
    "lemma-8": "lemma:fundamental",
    "lemma-9": "lemma:err-dec",
    "lemma-10": "lemma:bound-aziz",
    "lemma-11": "lemma:O-error",
    "lemma-12": "lemma:err-T",
    "lemma-13": "lemma:var-bound",
    "lemma-14": "lemma:model-err-m",
    "lemma-15": "lemma:prob-theta-init",
    "equation-1": "eq:single-conf-r",
    "equation-2": "eq:single-conf-p",
    "equation-3": "eq:single-conf-sr",
    "equation-4": "eq:single-conf-sp",
    "equation-5": "eq:v-error",
    "equation-6": "eq:idx-r-lb",
    "equation-7": "eq:bound-sa",
    "equation-8": "eq:prop-6-aziz",
    "equation-9": "eq:cond-m-1",
    "equation-10": "eq:cond-m-2",
    "equation-11": "eq:cond-o",
    "equation-12": "eq:var-decomp",
    "equation-13": None,
    "algorithm-1": "alg:policy-transfer",
    "algorithm-2": "alg:sequential-transfer",
    "algorithm-3": "alg:hmm-learning",
    "algorithm-rtp": None,
    "algorithm-rmax": None,
    "algorithm-pel": None,
    "algorithm-uniform": None,
    "algorithm-static": None,
    "algorithm-oracle": None,
    "figure-1-left": "fig:known-models",
    "figure-1-right": "fig:known-models",
    "figure-2-left": "fig:sequential",
    "figure-2-right": "fig:sequential",
    "figure-3-left": "fig:ptum-ablation",
    "figure-3-middle": "fig:ptum-ablation",
    "figure-3-right": "fig:ptum-ablation",
    "figure-4-left": "fig:sequential-all",
    "figure-4-right": "fig:sequential-all",
    "figure-5-left": "fig:sequential-stoch",
    "figure-5-right": "fig:sequential-stoch",
}
"""Every numbered item of the paper (and the tensor power method that Algorithm 3 calls)."""

REQUIRED_TEXTS = {
    "text-epsilon-zero",
    "text-gamma-positive",
    "text-theta-eps-meaning",
    "text-oracle-proportional",
    "text-negative-transfer",
    "text-unbiased-observations",
    "text-conditionally-independent",
    "text-milder-than-gaps",
    "text-rate",
    "text-tasks-before-transfer",
    "text-perfect-models-in-the-limit",
    "text-below-oracle",
    "text-all-policies-optimal",
    "text-svd-critical",
    "text-not-harder-than-static",
}


WITHOUT_NUMBER = {
    f"algorithm-{name}" for name in ("rtp", "rmax", "pel", "uniform", "static", "oracle")
}
"""Algorithms that the paper calls or compares with, and does not number."""


def test_inventory_is_exactly_the_papers() -> None:
    numbered = {claim.id: claim.label for claim in CLAIMS if claim.kind is not Kind.TEXT}
    assert numbered == LABELS


def test_numbers_and_kinds_follow_from_the_id() -> None:
    for claim in CLAIMS:
        kind, _, rest = claim.id.partition("-")
        assert kind == claim.kind.value
        if claim.kind is not Kind.TEXT and claim.id not in WITHOUT_NUMBER:
            assert claim.number == int(rest.split("-")[0])
        else:
            assert claim.number is None


def test_text_claims_without_a_number() -> None:
    texts = {claim.id for claim in CLAIMS if claim.kind is Kind.TEXT}
    assert texts >= REQUIRED_TEXTS
    with_truth = [
        claim.id
        for claim in CLAIMS
        if claim.kind is Kind.TEXT
        and any(part.status is not Status.DEFINITION for part in claim.parts)
    ]
    assert len(with_truth) >= 20


def test_every_reference_to_a_record_resolves() -> None:
    claims = {claim.id for claim in CLAIMS}
    decisions = {decision.id for decision in DECISIONS}
    errata = {erratum.id for erratum in ERRATA}
    parts = {part.id for _, part in ledger.parts()}
    for claim in CLAIMS:
        assert set(ledger.rests_on(claim)) <= claims, claim.id
        assert all(ledger.claim(i).kind is Kind.ASSUMPTION for i in claim.assumes), claim.id
        assert set(claim.decisions) <= decisions, claim.id
        for part in claim.parts:
            repaired = part.repair.errata if part.repair else ()
            assert set(repaired) <= errata, part.id
    for erratum in ERRATA:
        assert erratum.touches, erratum.id
        assert set(erratum.touches) <= parts, erratum.id


def test_graph_is_acyclic() -> None:
    order = list(TopologicalSorter({c.id: ledger.rests_on(c) for c in CLAIMS}).static_order())
    assert sorted(order) == sorted(claim.id for claim in CLAIMS)


def test_ids_are_well_formed_and_ordered() -> None:
    parts = [part.id for _, part in ledger.parts()]
    assert len(parts) == len(set(parts))
    for claim, part in ledger.parts():
        assert part.id.startswith(f"{claim.id}.")
        for reading in part.readings:
            assert reading.id.startswith(f"{part.id}.")
    for letter, records in (("D", DECISIONS), ("E", ERRATA)):
        numbers = [int(record.id.removeprefix(letter)) for record in records]
        assert numbers == sorted(set(numbers))
    everything = (*CLAIMS, *DECISIONS, *ERRATA, *GROUPS)
    assert len(ledger.records()) == len(everything)


def test_every_decision_is_cited_by_a_claim_and_those_of_section_3_in_code() -> None:
    assert len(DECISIONS) >= 40
    cited = {identity for claim in CLAIMS for identity in claim.decisions}
    assert {decision.id for decision in DECISIONS} == cited
    code = " ".join(path.read_text() for path in REFERENCE.rglob("*.py"))
    in_code = set(re.findall(r"\bD\d{2,3}\b", code))
    assert {decision.id for decision in transfer.DECISIONS} <= in_code
    assert in_code <= cited


def test_names_in_code_are_names_of_the_reference() -> None:
    words = {
        word for path in REFERENCE.rglob("*.py") for word in re.findall(r"\w+", path.read_text())
    }
    assert len(words) > 500
    for symbol in notation.TABLE:
        assert set(re.findall(r"\w+", symbol.code)) <= words | {"len", "range"}, symbol.paper


def reference_names() -> set[str]:
    named = {name for claim in CLAIMS for name in claim.reference}
    named |= {n for _, p in ledger.parts() if p.as_run for n in p.as_run.reference}
    return named | {n for _, p in ledger.parts() if p.repair for n in p.repair.reference}


def formula_names() -> set[str]:
    named = {name for claim in CLAIMS for name in ledger.own_formulas(claim)}
    return named | {n for _, p in ledger.parts() if p.repair for n in p.repair.formulas}


def exists(dotted: str) -> bool:
    module, _, name = dotted.partition(":")
    try:
        return hasattr(importlib.import_module(module), name)
    except ModuleNotFoundError:
        return False


def test_reference_names_resolve() -> None:
    assert {name for name in reference_names() if not exists(name)} == set()


def test_formulas_resolve_use_known_symbols_and_have_a_mirror() -> None:
    known = {symbol.name for symbol in notation.TABLE}
    for name in formula_names():
        assert ledger.formula(name).symbols() <= known, name
        assert name in agreements(), name


def test_checks_are_declared_and_named_after_a_part_and_every_part_has_one() -> None:
    known = {part.id for _, part in ledger.parts()}
    assert {check.partition("/")[0] for check in ledger.checks()} == known
    assert list(registry()) == list(ledger.checks())


def test_a_check_has_the_version_and_reading_of_where_the_ledger_names_it() -> None:
    _, part = ledger.part("theorem-1.phases")
    assert part.repair is not None
    for check in part.repair.checks:
        assert (registry()[check].version, registry()[check].reading) == (Version.REPAIRED, None)
    for reading in part.readings:
        for check in reading.checks:
            assert registry()[check].version is Version.PRINTED
            assert registry()[check].reading == reading.id
    as_run = {c for _, part in ledger.parts() if part.as_run for c in part.as_run.checks}
    assert as_run == {c.id for c in registry().values() if c.version is Version.AS_RUN} != set()


def test_nothing_rests_on_what_was_run() -> None:
    """It is told of experiments only, with code of their room, and shows no erratum."""
    shown = {check for erratum in ERRATA for check in erratum.counterexamples}
    told = [(claim, part.as_run) for claim, part in ledger.parts() if part.as_run]
    assert told
    for claim, as_run in told:
        assert claim in experiments.CLAIMS, claim.id
        assert claim.kind in (Kind.TEXT, Kind.FIGURE), claim.id
        assert as_run.checks, claim.id
        assert not shown & set(as_run.checks), claim.id
        assert all(name.startswith("ptum.reference.experiments.") for name in as_run.reference)
        assert not [other for other in CLAIMS if claim.id in ledger.rests_on(other)], claim.id


def test_a_claim_without_parts_shares_those_of_another() -> None:
    for claim in CLAIMS:
        assert claim.parts or claim.link, claim.id
        assert ledger.owner_of_checks(claim).parts, claim.id


def test_what_is_not_right_as_printed_is_explained() -> None:
    for _, part in ledger.parts():
        assert part.says
        assert part.reason
        if part.status in (Status.REFUTED, Status.VACUOUS, Status.AMBIGUOUS):
            assert part.repair is not None, part.id
        if part.status is Status.AMBIGUOUS:
            assert len(part.readings) >= 2, part.id
        else:
            assert not part.readings, part.id


def test_no_status_rests_on_hearsay() -> None:
    """The ledger knows arguments and checks; a weaker word must not come back, nor stay in docs."""
    assert {evidence.value for evidence in Evidence} == {"derived", "checked"}
    root = Path(__file__).parents[2]
    texts = [*(root / "spec").rglob("*.py"), *(root / "docs").glob("*.md"), root / "README.md"]
    weaker = re.compile(r"evidence[\s:=.]+(?:evidence\.)?lead\b|`lead`|prototype", re.IGNORECASE)
    assert [path.name for path in texts if weaker.search(path.read_text())] == []


def test_a_refuted_part_has_no_complete_proof() -> None:
    for _, part in ledger.parts():
        if part.status is Status.REFUTED:
            assert part.proof is not Proof.COMPLETE, part.id


@pytest.mark.parametrize(
    ("status", "verdicts"),
    [
        (Status.HOLDS, {Verdict.HOLDS}),
        (Status.VACUOUS, {Verdict.HOLDS}),
        (Status.DEFINITION, {Verdict.HOLDS}),
        (Status.REFUTED, {Verdict.VIOLATED}),
        (Status.UNPROVED, {Verdict.HOLDS, Verdict.INCONCLUSIVE}),
        (Status.NOT_REPRODUCED, {Verdict.HOLDS, Verdict.INCONCLUSIVE}),
        (Status.IMPORTED, {Verdict.SKIPPED}),
    ],
)
def test_expected_verdicts_as_printed(status: Status, verdicts: set[Verdict]) -> None:
    assert expected_verdicts(status, Version.PRINTED) == verdicts
    assert expected_verdicts(status, Version.REPAIRED) == {Verdict.HOLDS}
    assert expected_verdicts(status, Version.AS_RUN) == {Verdict.HOLDS}


def test_an_ambiguous_part_has_no_verdict_of_its_own() -> None:
    with pytest.raises(ValueError, match="readings"):
        expected_verdicts(Status.AMBIGUOUS, Version.PRINTED)


def test_an_unknown_id_names_the_nearest() -> None:
    with pytest.raises(ledger.UnknownIdError) as caught:
        ledger.find("lema-7")
    assert "lemma-7" in caught.value.nearest


def test_listing_the_ledger_needs_neither_sympy_nor_numpy() -> None:
    code = (
        "import sys; from ptum.spec import ledger; assert ledger.CLAIMS; "
        "sys.exit(int(bool({'sympy', 'mpmath', 'numpy', 'scipy'} & set(sys.modules))))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_what_appendix_e_describes_has_code_and_decisions() -> None:
    known = {decision.id for decision in DECISIONS}
    for described in APPENDIX_E:
        for code in described.code:
            module, _, name = code.partition(":")
            assert hasattr(importlib.import_module(module), name), described
        assert set(described.taken) <= known, described
    homes = {code.partition(":")[0].rpartition(".")[2] for row in APPENDIX_E for code in row.code}
    modules = {path.stem for path in EXPERIMENTS.glob("*.py")} - {"__init__"}
    assert modules <= homes


def test_every_record_about_an_experiment_stands_beside_its_paragraph() -> None:
    listed = [claim for described in APPENDIX_E for claim in described.claims]
    assert sorted(listed) == sorted(claim.id for claim in experiments.CLAIMS)
    panels = {f"{panel}:" for panel in ("figure_1_left", "figure_1_right", "figure_2")}
    panels |= {f"{panel}:" for panel in ("figure_3", "figure_4", "figure_5_left", "figure_5_right")}
    named = " ".join(code for described in APPENDIX_E for code in described.code)
    assert all(panel in named for panel in panels)
