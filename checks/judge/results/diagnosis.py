"""Which known slip a deviating subject makes: the one that has all its wrong answers and no other.

Where the subject is right the slip must be right too, in the same reading, but it may break ties
otherwise (D06). Slips with which the answers agree form a class, which is named if they break one
place in common. Whole runs are left out: their answers depend on the samples that were asked. Where
answers are labels alone, two programs may have the same wrong one by chance; then one wrong answer
names nothing.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from dataclasses import replace
from types import FunctionType

from ptum.checks.judge.capabilities import capabilities
from ptum.checks.judge.judging.items import (
    DEFINITION_1,
    LEMMA_3,
    LINE_2,
    LINE_12,
    LINE_14,
    LINE_14_PLANNED,
    LINE_18,
    LINE_20,
    LINES_16_AND_17,
    PLANNING,
    SIGMAS,
    SOME_TEST,
    named,
)
from ptum.checks.judge.judging.readings import Case
from ptum.checks.judge.judging.tolerances import FLOOR
from ptum.checks.judge.judging.verdicts import Conformity, Judgement, right
from ptum.checks.judge.messages.transcript import Exchange
from ptum.checks.judge.programs.subjects import ask
from ptum.checks.judge.slips import Slip, slips_of

WRONG_LABELS = 2
SPEAKS_FOR = {
    "optimal": PLANNING,
    "deviations": frozenset(SIGMAS),
    "widths": LEMMA_3.places,
    "information": DEFINITION_1.places.union(SIGMAS),
    "confidence_set": SOME_TEST.places,
    "stopping": LINE_2.places | LINE_14_PLANNED.places,
    "next_query": LINES_16_AND_17.places | LINE_18.places | DEFINITION_1.places,
}
"""What is right in code of which these capabilities conform, if it is given the right things."""

OF_RUNS: frozenset[str] = frozenset().union(
    *(one.places for one in (LINE_12, LINE_14, LINES_16_AND_17, LINE_20, LEMMA_3))
)
"""What a run gives data, active models, n and |Θ| by itself; elsewhere they come with a request."""


def with_diagnosis(judgement: Judgement, exchanges: Sequence[Exchange]) -> Judgement:
    """The same judgement with the slip that it agrees with, if it deviates."""
    if judgement.verdict is not Conformity.DEVIATES or not told_enough(judgement):
        return judgement
    found = diagnosed(judgement, exchanges)
    return replace(judgement, agrees_with=in_words(found))


def narrowed(judgements: Sequence[Judgement]) -> tuple[Judgement, ...]:
    """Each deviation with the places that no conforming capability of the subject speaks for.

    Beside them are the capabilities that it lacks and that would speak for some of the rest.
    """
    fine = [j.capability for j in judgements if j.verdict is Conformity.CONFORMS and not j.faults]
    none = [j.capability for j in judgements if j.verdict is Conformity.NOT_IMPLEMENTED]
    return tuple(_lacking(_narrowed(judgement, fine), fine, none) for judgement in judgements)


def _narrowed(judgement: Judgement, fine: Sequence[str]) -> Judgement:
    if judgement.verdict is not Conformity.DEVIATES or judgement.finding is None:
        return judgement
    places = judgement.finding.item.places
    spoken = {name: found for name in fine if (found := _spoken_for(name, judgement) & places)}
    speaking, left = list(spoken), places.difference(*spoken.values())
    if not speaking or not left:
        return judgement
    agree = "conforms" if len(speaking) == 1 else "conform"
    return replace(judgement, rather=f"{named(left)}: {' and '.join(speaking)} {agree}")


def _lacking(judgement: Judgement, fine: Sequence[str], none: Sequence[str]) -> Judgement:
    """With the capabilities, of `none`, that would tell some of the places from the others."""
    if judgement.verdict is not Conformity.DEVIATES or judgement.finding is None:
        return judgement
    known = (_spoken_for(name, judgement) for name in fine)
    left = judgement.finding.item.places.difference(*known)
    found = [name for name in none if _splits(_spoken_for(name, judgement), left)]
    return replace(judgement, lacking=tuple(found))


def _spoken_for(name: str, judgement: Judgement) -> frozenset[str]:
    """What a capability speaks for where another one deviates.

    Definition 1 uses a model's deviations of its own value alone, and a test those of every value.
    """
    places = SPEAKS_FOR.get(name, frozenset()) - _unspoken(judgement)
    in_doubt = frozenset() if judgement.finding is None else judgement.finding.item.places
    tests = any(place.startswith("equation-") for place in in_doubt)
    return places.difference(SIGMAS) if name == "information" and tests else places


def _unspoken(judgement: Judgement) -> frozenset[str]:
    """What may be wrong here and right in every other capability.

    The index is the same if θ and θ' are exchanged in Definition 1.
    """
    if judgement.capability == "information":
        return DEFINITION_1.places
    return OF_RUNS if capabilities()[judgement.capability].samples else frozenset()


def _splits(some: frozenset[str], places: frozenset[str]) -> bool:
    """Whether some of the places, and not all of them, are spoken for."""
    return bool(places & some) and bool(places - some)


def told_enough(judgement: Judgement) -> bool:
    """Whether answers that agree with those of a slip can hardly do so by chance."""
    real = any(field.kind == "real" for field in capabilities()[judgement.capability].output)
    return real or len(judgement.wrong) >= WRONG_LABELS


def diagnosed(
    judgement: Judgement, exchanges: Sequence[Exchange], known: Sequence[Slip] | None = None
) -> tuple[Slip, ...]:
    """The slips that the answers agree with; none if they have no place in common."""
    name = judgement.capability
    asked = [one for one in exchanges if one.capability == name and not one.alone]
    if capabilities()[name].samples or not asked or any(one.answer is None for one in asked):
        return ()
    asked.sort(key=lambda one: one.id not in judgement.wrong)  # few slips have the wrong ones
    every = slips_of(name) if known is None else known
    found = [slip for slip in every if _agrees(slip, asked, judgement)]
    shared = frozenset.intersection(*(slip.breaks.places for slip in found)) if found else ()
    return tuple(found) if shared else ()


def _agrees(slip: Slip, asked: Sequence[Exchange], judgement: Judgement) -> bool:
    """Whether a slip has all the wrong answers, and is right where the subject is."""
    capability = capabilities()[slip.capability]

    def agrees(exchange: Exchange) -> bool:
        own = ask(capability, Case(exchange.id, exchange.input), slip.implementation)
        if same(own.answer, exchange.answer):
            return True
        right_itself = exchange.id not in judgement.not_right
        return right_itself and right(capability, own, judgement.nearest)

    return all(map(agrees, asked))


def same(one: object, other: object) -> bool:
    """Whether two answers are the same but for rounding; a field that one lacks does not count."""
    if isinstance(one, dict) and isinstance(other, dict):
        return all(same(one[name], other[name]) for name in one.keys() & other.keys())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=FLOOR, abs_tol=FLOOR)
    return one == other


def in_words(found: Sequence[Slip]) -> str:
    """The slip as its own docstring has it, else by its name.

    The docstring of a parent, or of a class with many slips, says nothing of one of them.
    """
    written = [slip.code for slip in found if isinstance(slip.code, type | FunctionType)]
    own = [inspect.cleandoc(code.__doc__) for code in written if code.__doc__]
    texts = own or [_by_name(slip) for slip in found]
    return "; or ".join(dict.fromkeys(text.splitlines()[0].rstrip(".") for text in texts))


def _by_name(slip: Slip) -> str:
    """What one of many slips of a class calls itself, else its id in words."""
    own: str = getattr(slip.code, "slip", "")
    return own or slip.slug.replace("lambda", "λ").replace("-", " ")
