"""What of the paper an answer can break, as reports name it and as the ledger knows it.

One answer often cannot tell which of several lines is wrong: a model that should be eliminated may
be tested wrongly (line 12), with a wrong width (Lemma 3) or on wrong statistics (lines
7-10). An item then names all of them, and `places` lists them one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Item(str):
    """An item in the words of a report, with the places of the paper that it may mean.

    A place is an id of the ledger, with a line or a part behind a colon: `algorithm-1:12`,
    `equation-3`, `lemma-3:C^r`. Of several places at least one is broken.
    """

    __slots__ = ("places",)

    places: frozenset[str]

    def __new__(cls, says: str, *places: str) -> Item:
        """The words, then the places."""
        item = super().__new__(cls, says)
        item.places = frozenset(places)
        return item

    def __getnewargs__(self) -> tuple[str, ...]:  # type: ignore[override]
        """Copies keep their places."""
        return (str(self), *sorted(self.places))

    def said(self, says: str) -> Item:
        """The same places in other words."""
        return Item(says, *self.places)


def named(places: Iterable[str]) -> str:
    """Places in words, in the order of the paper's parts: lines, equations, then the rest."""
    lines_of = sorted(int(p.partition(":")[2]) for p in places if p.startswith("algorithm-1:"))
    numbers = sorted(int(p.partition("-")[2]) for p in places if p.startswith("equation-"))
    rest = sorted(p for p in places if not p.startswith(("algorithm-1:", "equation-")))
    return ", ".join(
        (
            *((_several("line", map(str, lines_of)),) if lines_of else ()),
            *((_several("equation", (f"({one})" for one in numbers)),) if numbers else ()),
            *(PLACES.get(p.partition(":")[0], p) + p.partition(":")[2] for p in rest),
        )
    )


def _several(noun: str, numbers: Iterable[str]) -> str:
    listed = list(numbers)
    return f"{noun}{'s' if len(listed) > 1 else ''} {', '.join(listed)}"


PLACES = {
    "lemma-3": "Lemma 3, ",
    "definition-1": "Definition 1",
    "text-variances": "Section 2, ",
    "text-optimal-policy": "Section 2, ",
}


class Telling(StrEnum):
    """How the places that the judge names relate to those that a slip breaks."""

    NAMED = "named"
    AMONG = "among"
    MISSED = "missed"


def telling(breaks: Item, reported: Item) -> Telling:
    """Whether all that was reported is broken, or some of it, or none."""
    if reported.places and reported.places <= breaks.places:
        return Telling.NAMED
    return Telling.AMONG if reported.places & breaks.places else Telling.MISSED


def lines(algorithm: int, first: int, last: int | None = None) -> tuple[str, ...]:
    """The places of one line, or of several that follow one another."""
    return tuple(f"algorithm-{algorithm}:{line}" for line in range(first, (last or first) + 1))


# Lemma 3 and Algorithm 1

C_R, C_P = Item("Lemma 3, C^r", "lemma-3:C^r"), Item("Lemma 3, C^p", "lemma-3:C^p")
C_SIGMA_R = Item("Lemma 3, C^{σ_r}", "lemma-3:C^{σ_r}")
C_SIGMA_P = Item("Lemma 3, C^{σ_p}", "lemma-3:C^{σ_p}")
WIDTHS = (C_R, C_P, C_SIGMA_R, C_SIGMA_P)
"""In the order of equations (1)-(4)."""

VALUES = Item("Lemma 3, C^p and C^{σ_p}", *C_P.places, *C_SIGMA_P.places)
DEVIATIONS = Item("Lemma 3, C^{σ_r} and C^{σ_p}", *C_SIGMA_R.places, *C_SIGMA_P.places)
LEMMA_3 = Item("Lemma 3", *(place for width in WIDTHS for place in width.places))

SIGMA_R = Item("Section 2, σ^r", "text-variances:σ^r")
SIGMA_P = Item("Section 2, σ^p(;θ')", "text-variances:σ^p")
SIGMAS = (*SIGMA_R.places, *SIGMA_P.places)
"""Deviations of models, which the tests, the index and Definition 1 take for granted."""

V_STAR = Item("Section 2, V*", "text-optimal-policy:V*")
PI_STAR = Item("Section 2, π*", "text-optimal-policy:π*")
PLANNING = frozenset({*V_STAR.places, *PI_STAR.places})

LINE_2 = Item("line 2", *lines(1, 2))
LINE_5 = Item("line 5", *lines(1, 5))
LINE_9, LINE_10 = Item("line 9", *lines(1, 9)), Item("line 10", *lines(1, 10))
LINES_7_TO_10 = Item("lines 7-10", *lines(1, 7, 10))
LINES_8_AND_10 = Item("lines 8 and 10", *lines(1, 8), *lines(1, 10))
LINES_9_AND_10 = Item("lines 9-10", *lines(1, 9, 10))
LINE_12 = Item("line 12", *lines(1, 12))
LINE_14 = Item("line 14", *lines(1, 14))
LINE_14_PLANNED = Item("line 14, or Section 2, V* and π* in it", *LINE_14.places, *PLANNING)
"""Models with γ > 0 have to be solved, and a stop may be wrong because they are not."""
LINE_20 = Item("line 20", *lines(1, 20))
LINE_22 = Item("line 22", *lines(1, 22))
LINES_5_AND_18 = Item("line 5, all n iterations, or line 18", *lines(1, 5), *lines(1, 18))
"""An end without a policy that the run does not explain, before its budget is used."""
ELIMINATIONS = Item(
    "what `eliminations` says of line 12: queries and end are right, and contradict it",
    *LINE_12.places,
)
"""The run is right, its report is not."""
NO_QUERY = Item(
    "line 2, line 5, all n iterations, or line 18", *LINE_2.places, *LINES_5_AND_18.places
)
"""The same before the first query."""
QUERIES = Item("what `queries` says of line 20: it is not the number of queries", *LINE_20.places)
"""The run is right, its count is not."""
EMPTY_SET = Item("lines 14 and 22: no model is active (D12)", *lines(1, 14), *lines(1, 22))
"""Something else than the end that is expected when line 12 has dropped every model."""
DEFINITION_1 = Item("Definition 1", "definition-1")
LINES_16_AND_17 = Item("lines 16-17", *lines(1, 16, 17))
LINE_18 = Item("line 18", *lines(1, 18))

INDEX = Item(
    "lines 16-18, or Definition 1 and the deviations of Section 2 in them",
    *lines(1, 16, 18),
    "definition-1",
    *SIGMAS,
)
"""A query of a pair whose index is not the largest."""

LARGER_SET = Item(
    "line 12 or lines 16-18: an index over models that are not active; or Definition 1",
    *lines(1, 12),
    *lines(1, 16, 18),
    *DEFINITION_1.places,
)
"""A query that would be right if fewer models were eliminated."""


def equations(*numbers: int) -> Item:
    """The tests themselves, without what they compare; more than two follow one another."""
    listed = " and ".join(f"({number})" for number in numbers)
    if len(numbers) > 2:
        listed = f"({min(numbers)})-({max(numbers)})"
    noun = "equation" if len(numbers) == 1 else "equations"
    return Item(f"line 12, {noun} {listed}", *(f"equation-{number}" for number in numbers))


def failed_test(number: int) -> Item:
    """Equation (1)-(4) was not seen to fail: it, its use, its width, its statistics, its data.

    Equations (3) and (4) also need the deviations of models.
    """
    behind = (7, 9) if number in (1, 3) else (8, 10)
    of_models = {3: (SIGMA_R,), 4: (SIGMA_P,)}.get(number, ())
    return Item(
        f"line 12, equation ({number}), or what it tests: lines {behind[0]}, {behind[1]} and 20, "
        f"{', '.join((WIDTHS[number - 1], *of_models))}",
        *lines(1, 12),
        f"equation-{number}",
        *WIDTHS[number - 1].places,
        *(place for line in (*behind, 20) for place in lines(1, line)),
        *(place for sigma in of_models for place in sigma.places),
    )


SOME_TEST = Item(
    "line 12, equations (1)-(4), or what they test: lines 7-10 and 20, Lemma 3, "
    "deviations of Section 2",
    *lines(1, 12),
    *(f"equation-{number}" for number in range(1, 5)),
    *LEMMA_3.places,
    *lines(1, 7, 10),
    *lines(1, 20),
    *SIGMAS,
)
"""A model was eliminated that passes all tests."""


def of_reported_set(item: Item) -> Item:
    """The same where the run says which models it eliminated: it may go on with one of them."""
    return Item(
        f"{item}, or line 12: a model that was eliminated is active", *item.places, *LINE_12.places
    )


def of_return(item: Item) -> Item:
    """The same where a run acts as if a model that fell, and passes all tests by now, were in."""
    back = "line 12: a model that was eliminated comes back"
    return Item(f"{back}; or {item}", *item.places, *LINE_12.places)


def line_14(gamma: float) -> Item:
    """A wrong stop, or a stop that is missing."""
    return LINE_14_PLANNED if gamma > 0 else LINE_14


def of_unknown_set(item: Item) -> Item:
    """A line that depends on the active set, where the run does not say what that was."""
    return Item(f"{item}, or the active set of line 12", *item.places, *SOME_TEST.places)
