"""CPU time of two pieces of code, in turns in one process, best of several."""

from __future__ import annotations

import cProfile
import pstats
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from ptum.reference.tasks.generative import GenerativeModel

LINES = 6
"""Functions of a profile that are shown."""


@dataclass(frozen=True)
class CpuRatio:
    """A ratio of CPU times, how far single rounds spread, and what it must reach."""

    what: str
    ratio: float
    spread: tuple[float, float]
    must: str
    reached: bool
    parts: str
    profile: tuple[str, ...] = ()

    def document(self) -> dict[str, object]:
        """The row of `bench.json`."""
        kept = asdict(self)
        return {name: kept[name] for name in ("what", "ratio", "spread", "must", "reached")}


def seconds(code: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    start = time.process_time()
    code()
    return time.process_time() - start


def compared(
    what: str,
    must: str,
    above: tuple[str, Callable[[], object]],
    below: tuple[str, Callable[[], object]],
    *,
    rounds: int = 7,
    times: float = 1.0,
    beside: str = "",
) -> CpuRatio:
    """The first code's time over the second's; `times` multiplies it, as for a timed prefix.

    `beside` is what else is to be known of the row.
    """
    pairs = [(times * seconds(above[1]), seconds(below[1])) for _ in range(rounds)]
    best_above, best_below = (min(column) for column in zip(*pairs, strict=True))
    ratios = [x / y for x, y in pairs]
    ratio = best_above / best_below
    sign, bound = must.split()
    reached = ratio <= float(bound) if sign == "≤" else ratio >= float(bound)
    parts = f"{above[0]} {1e3 * best_above:.3g} ms, {below[0]} {1e3 * best_below:.3g} ms"
    parts += f"; {beside}" if beside else ""
    ours = above if sign == "≤" else below
    profile = () if reached else profile_of(ours[1])
    return CpuRatio(what, ratio, (min(ratios), max(ratios)), must, reached, parts, profile)


def profile_of(code: Callable[[], object]) -> tuple[str, ...]:
    """Where one call spends its time: the functions with the largest share of their own."""
    profile = cProfile.Profile()
    profile.runcall(code)
    profile.create_stats()
    found = {
        f"{Path(file).name}:{line} {name}": numbers[2]
        for (file, line, name), numbers in pstats.Stats(profile).stats.items()  # type: ignore[attr-defined]
    }
    total = sum(found.values())
    largest = sorted(found.items(), key=lambda entry: -entry[1])[:LINES]
    return tuple(f"{own / total:4.0%} {where}" for where, own in largest)


class EndOfPrefix(Exception):
    """The declared number of queries is reached."""


class Prefix:
    """A generative model that ends the run after some answers."""

    def __init__(self, inner: GenerativeModel, answers: int) -> None:
        self._inner, self._left = inner, answers

    def sample(self, s: int, a: int) -> tuple[float, int]:
        """The next answer, or the end."""
        if not self._left:
            raise EndOfPrefix
        self._left -= 1
        return self._inner.sample(s, a)
