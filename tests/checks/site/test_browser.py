"""The site in a real browser: opens from disk, filters, follows links, prints, asks nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ptum.spec.ledger import CLAIMS
from ptum.spec.vocabulary import Status
from tests.checks.site.browser import MISSING, Browser, program

CHROMIUM = program() or pytest.skip(MISSING, allow_module_level=True)  # one line for all tests


PAGES = (
    "index.html",
    "implement.html",
    "verify.html",
    "read.html",
    "items.html",
    "errata.html",
    "decisions.html",
    "formulas.html",
    "graph.html",
    "paper.html",
    "figures.html",
    "item/theorem-1.html",
    "item/E02.html",
    "docs/repaired_transfer.html",
    "docs/reproduction.html",
    "source/reference/transfer/ptum.html",
)
MOST_SHEETS = 25
SHEET = re.compile(rb"/Type\s*/Page\b")
SCROLLED = ".scroll, .display, .math, pre, .numbers dd, .markdown p, .markdown li"
"""What has a bar of its own where it is too wide."""
SHOWN = "[...document.querySelectorAll('.list tbody tr')].filter(r => !r.hidden).length"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(CHROMIUM, tmp_path_factory.mktemp("chromium")) as opened:
        yield opened


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_from_disk_and_asks_nobody(browser: Browser, site: Path, page: str) -> None:
    browser.open(site / page)
    assert browser.evaluate("document.querySelector('h1').textContent.trim().length") > 3
    assert browser.complaints() == []
    asked = browser.requests()
    assert (site / page).as_uri() in asked
    assert [a for a in asked if not a.startswith(("file://", "data:"))] == []
    broken = "[...document.images].filter(i => !i.naturalWidth).map(i => i.src)"
    assert browser.evaluate(broken) == []
    style = "getComputedStyle(document.querySelector('main')).maxWidth"
    assert browser.evaluate(style) != "none"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_dark(browser: Browser, site: Path, scheme: str) -> None:
    browser.media(scheme=scheme)
    browser.open(site / "index.html")
    script = (
        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
    )
    ink, paper = (sum(map(int, re.findall(r"\d+", c)[:3])) for c in browser.evaluate(script))
    assert (ink < paper) == (scheme == "light")
    assert abs(ink - paper) > 400
    browser.media()


@pytest.mark.parametrize("page", PAGES)
def test_nothing_sticks_out_of_a_phone(browser: Browser, site: Path, page: str) -> None:
    browser.resize(390)
    browser.open(site / page)
    sticks = browser.evaluate(
        "[...document.querySelectorAll('header *, main *')]"
        ".filter(e => e.getBoundingClientRect().right > 391"
        f" && !e.closest('{SCROLLED}')).map(e => e.outerHTML.slice(0, 80))"
    )
    wide = browser.evaluate("document.documentElement.scrollWidth")
    browser.resize(1280)
    assert (wide <= 390, sticks) == (True, [])


def test_the_slash_key_filters_items(browser: Browser, site: Path) -> None:
    browser.open(site / "items.html")
    assert browser.evaluate(SHOWN) == len(CLAIMS)
    browser.press("/", "/")
    for letter in "lemma 15":
        browser.press(letter, letter)
    assert browser.evaluate("document.activeElement.value") == "lemma 15"
    assert 0 < browser.evaluate(SHOWN) < 12
    told = browser.evaluate("document.querySelector('.count').textContent")
    assert told == f"{browser.evaluate(SHOWN)} of {len(CLAIMS)} items"
    browser.press("Escape")
    assert browser.evaluate(SHOWN) == len(CLAIMS)


def test_chips_filter_and_a_link_may_carry_them(browser: Browser, site: Path) -> None:
    refuted = sum(any(p.status is Status.REFUTED for p in claim.parts) for claim in CLAIMS)
    lemmas = sum(
        claim.kind.value == "lemma" and any(p.status is Status.REFUTED for p in claim.parts)
        for claim in CLAIMS
    )
    browser.open(site / "items.html", "?status=refuted")
    assert browser.evaluate(SHOWN) == refuted
    browser.evaluate("document.querySelector('[data-value=lemma]').click()")
    assert browser.evaluate(SHOWN) == lemmas
    browser.evaluate("document.querySelector('[data-value=refuted]').click()")
    assert browser.evaluate(SHOWN) == sum(claim.kind.value == "lemma" for claim in CLAIMS)


def test_a_node_of_the_graph_leads_to_its_item(browser: Browser, site: Path) -> None:
    browser.open(site / "graph.html")
    browser.evaluate("document.querySelector('[data-id=theorem-1]').focus()")
    near = "[...document.querySelectorAll('.node.near')].map(n => n.dataset.id)"
    assert {"theorem-1", "corollary-1", "lemma-9"} <= set(browser.evaluate(near))
    browser.press("Enter", "\r")
    browser.wait_for("theorem-1.html")
    assert "Theorem 1" in browser.evaluate("document.querySelector('h1').textContent")


def test_formulas_are_set_by_the_browser(browser: Browser, site: Path) -> None:
    browser.open(site / "item/theorem-1.html")
    fraction = "document.querySelector('mfrac').getBoundingClientRect()"
    assert browser.evaluate(f"{fraction}.height") > browser.evaluate(
        "parseFloat(getComputedStyle(document.body).fontSize)"
    )


def test_the_corrected_paper_prints_on_few_sheets(browser: Browser, site: Path) -> None:
    browser.open(site / "paper.html")
    pdf = browser.printed()
    assert pdf.startswith(b"%PDF")
    assert 8 <= len(SHEET.findall(pdf)) <= MOST_SHEETS


@pytest.mark.parametrize("font", ["math", "serif"])
def test_no_formula_is_cut_off_on_paper(browser: Browser, site: Path, font: str) -> None:
    """A4 without its margins is 180 mm wide, 680 of the browser's pixels."""
    browser.resize(680)
    browser.media("print")
    browser.open(site / "paper.html")
    browser.evaluate(f"document.documentElement.style.setProperty('--math', '{font}')")
    cut = browser.evaluate(
        "[...document.querySelectorAll('.display')].filter(d => d.scrollWidth > d.clientWidth + 1)"
        ".map(d => d.closest('.item').id)"
    )
    browser.media()
    browser.resize(1280)
    assert cut == []
