"""The two pages of proofs: what they cite exists, and their own inequalities survive bad errors."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

from ptum.checks.claims import registry
from ptum.reference.arrays import Floats
from ptum.reference.repaired.sequential.analysis.spectral_bounds import rho_6
from ptum.reference.sequential.hmm import rank_k_inverse
from ptum.spec.decisions import DECISIONS
from ptum.spec.errata import ERRATA
from tests.support.hidden import Sizes, drawn_columns

DOCS = Path(__file__).parents[3] / "docs"
CHECK_ID = re.compile(r"`([^`\s]+/[^`\s]+)`")
RECORD_ID = re.compile(r"\b([ED]\d{2,3})\b")
LEAST = {
    "repaired_transfer.md": {"checks": 70, "records": 30},
    "repaired_sequential.md": {"checks": 80, "records": 35},
}


def page(name: str) -> str:
    return (DOCS / name).read_text()


def checks_cited(text: str) -> set[str]:
    """Every word in backquotes with a slash in it: the pages use that for checks alone."""
    return set(CHECK_ID.findall(text))


def records_cited(text: str) -> set[str]:
    return set(RECORD_ID.findall(text))


def unknown_checks(text: str) -> set[str]:
    return checks_cited(text) - registry().keys()


def unknown_records(text: str) -> set[str]:
    known = {erratum.id for erratum in ERRATA} | {decision.id for decision in DECISIONS}
    return records_cited(text) - known


@pytest.mark.parametrize("name", LEAST)
def test_every_check_that_a_page_cites_exists(name: str) -> None:
    assert unknown_checks(page(name)) == set()
    assert len(checks_cited(page(name))) >= LEAST[name]["checks"]


@pytest.mark.parametrize("name", LEAST)
def test_every_erratum_and_decision_that_a_page_cites_exists(name: str) -> None:
    assert unknown_records(page(name)) == set()
    assert len(records_cited(page(name))) >= LEAST[name]["records"]


def test_the_page_of_limits_cites_what_exists() -> None:
    text = page("sequential_limits.md")
    assert unknown_checks(text) == set() == unknown_records(text)
    assert len(checks_cited(text)) >= 8


@pytest.mark.parametrize("name", LEAST)
def test_a_page_begins_with_a_summary_of_five_lines(name: str) -> None:
    title, blank, *rest = page(name).splitlines()
    assert title.startswith("# ")
    assert not blank
    assert [line.startswith("> ") for line in rest[:6]] == [True] * 5 + [False]


@pytest.mark.parametrize("name", LEAST)
def test_formulas_are_closed_and_tables_have_equal_rows(name: str) -> None:
    text = page(name)
    assert text.count("$$") % 2 == 0
    for paragraph in text.replace("$$", "").split("\n\n"):
        assert paragraph.count("$") % 2 == 0, paragraph
    for table in re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE):
        assert len({row.count("|") for row in table.splitlines()}) == 1, table


def test_wrong_ids_are_noticed() -> None:
    text = "`lemma-7.positive/bandit`, `lemma-7.positive/no-such-check`, E01, E99, D06, D999"
    assert unknown_checks(text) == {"lemma-7.positive/no-such-check"}
    assert unknown_records(text) == {"E99", "D999"}


def closes(factor: int) -> bool:
    """Step 1 of Theorem R with this number for 23: the two terms together stay below the gap."""
    fewest = math.floor(factor * math.log(16)) + 1
    return 2 * math.sqrt(2 / factor) + 26 / (3 * factor) * fewest / (fewest - 1) < 1


def test_constants_of_theorem_r() -> None:
    """What the page says that 128, 1000 and 16000 may be; a count is rounded up once."""
    assert "128 may be 93, 1000 may be 753 and 16000 may be 15211" in page("repaired_transfer.md")
    rounding = 1 / math.log(16)
    assert closes(23)
    assert not closes(22)
    assert 2 + 2 * math.sqrt(2 / 23) < 2.6
    assert 4 * 23 + rounding < 93
    assert 23 / 4 * (16 / 1.4) ** 2 < 752
    assert 23 / 4 * (72 / 1.4) ** 2 < 15210
    assert 752 + rounding < 753
    assert 15210 + rounding < 15211


class HiddenTasks:
    """A drawn O and T, a first distribution, errors of given size in random or bad directions."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.k = int(self.rng.integers(2, 5))
        self.O = drawn_columns(self.rng, self.k, Sizes(S=2, A=2, U=2), spread=1.0)
        self.T: Floats = self.rng.dirichlet(np.full(self.k, 0.3), size=self.k).T
        self.first: Floats = self.rng.dirichlet(np.ones(self.k))
        self.s_O = float(np.linalg.svd(self.O, compute_uv=False)[self.k - 1])

    def columns_moved(self, matrix: Floats, size: float) -> Floats:
        """Each column moved by `size`, half of the time along the last singular direction."""
        error = self.rng.normal(size=matrix.shape)
        if self.rng.random() < 0.5:
            worst = np.linalg.svd(matrix)[0][:, self.k - 1]
            error = np.outer(worst, self.rng.choice((-1.0, 1.0), size=self.k))
        moved: Floats = matrix + size * error / np.linalg.norm(error, axis=0)
        return moved


@pytest.mark.parametrize("seed", range(60))
def test_cut_pseudo_inverse_on_the_range(seed: int) -> None:
    """‖(P - Σ^†)μ‖ ≤ 4ε‖μ‖/σ_k² for the third views μ, √2 times that anywhere, with ε ≤ σ_k/2."""
    hmm = HiddenTasks(seed)
    Sigma = hmm.O @ hmm.T @ hmm.T @ np.diag(hmm.first) @ hmm.O.T
    left, sigma, right = np.linalg.svd(Sigma)
    sigma_k = float(sigma[hmm.k - 1])
    mu = hmm.O @ hmm.T
    exact = rank_k_inverse(Sigma, hmm.k)
    y = exact @ mu[:, 0]
    directions = (
        hmm.rng.normal(size=Sigma.shape),
        np.outer(left[:, hmm.k - 1], y),
        np.outer(left[:, hmm.k - 1], right[hmm.k - 1]),
        np.outer(left[:, hmm.k - 1], hmm.rng.normal(size=len(y))),
    )
    for direction in directions:
        for share in (-0.5, 0.05, 0.5):
            epsilon = abs(share) * sigma_k
            moved = Sigma + share * sigma_k * direction / np.linalg.norm(direction, 2)
            change = rank_k_inverse(moved, hmm.k) - exact
            limit = 4 * epsilon / sigma_k**2
            assert np.all(np.linalg.norm(change @ mu, axis=0) <= limit * np.linalg.norm(mu, axis=0))
            assert np.linalg.norm(change, 2) <= math.sqrt(2) * limit


@pytest.mark.parametrize("seed", range(60))
def test_transitions_from_moved_columns(seed: int) -> None:
    """C3: ‖T̂_j - T_j‖ ≤ ρ_6 = 2(e_μ + e)/σ_k(O)."""
    hmm = HiddenTasks(seed)
    e = hmm.rng.uniform(0.01, 1) * hmm.s_O / (2 * math.sqrt(hmm.k))
    e_mu = hmm.rng.uniform(0, 1) * e
    mu_hat = hmm.columns_moved(hmm.O @ hmm.T, e_mu)
    T_hat = np.linalg.pinv(hmm.columns_moved(hmm.O, e)) @ mu_hat
    bound = rho_6(rho_2=e_mu, rho_4=e, sigma_k_O=hmm.s_O)
    assert np.linalg.norm(T_hat - hmm.T, axis=0).max() <= bound


def test_impossible_successors_in_few_visits() -> None:
    """(1-1/v)^{v-1} stays above 1/e."""
    assert r"(1-\frac1v)^{v-1}\ge\frac1e" in page("repaired_sequential.md")
    assert all((1 - 1 / v) ** (v - 1) >= 1 / math.e for v in range(1, 400))
