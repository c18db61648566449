"""Counterexamples as pictures: tasks with their states and actions, arms, grids, chains of tasks.

What is drawn is what `Counterexample.numbers` shows, by the names that its tables have there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from ptum.checks.instances.counterexamples.catalogue import Numbers
from ptum.checks.instances.numbers import text_of

TASK = re.compile(r"^(?:r|probability of reward 1 rather than 0) of (.+), rows s, columns a$")
STEPS = re.compile(r"^p of (.+), \[s\] rows a, columns s'$")
CHAIN = re.compile(r"^T\b")
ARMS = re.compile(r"^(?:(?:mean |deterministic )?rewards of|Bernoulli)\b.*\barms\b")
COINS = re.compile(r"^probabilities of reward 1\b")
CELLS = re.compile(r", cell by cell$")
MOST_STATES, MOST_ARMS, MOST_TASKS = 6, 10, 8
"""Beyond these a table says more than a picture."""
MOST_LETTERS = 9
"""Longer numbers are rounded in a picture; the table beside it has them whole."""


@dataclass
class DrawnTask:
    """Mean rewards by state and action, and next states; without them every step stays."""

    name: str
    rewards: tuple[tuple[object, ...], ...]
    steps: tuple[tuple[tuple[object, ...], ...], ...] = ()


@dataclass
class Picture:
    """Marks of an SVG picture, and the box that they need."""

    width: float
    height: float
    marks: list[str] = field(default_factory=list)

    def text(self, x: float, y: float, text: str, kind: str = "label") -> None:
        """Text round a point."""
        self.marks.append(f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>')

    def circle(self, x: float, y: float, r: float) -> None:
        """A state."""
        self.marks.append(f'<circle class="state" cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}"/>')

    def arrow(self, path: str, colour: int) -> None:
        """A step; the colour is that of the action."""
        self.marks.append(f'<path class="step a{colour % 4}" d="{path}"/>')

    def svg(self, label: str) -> str:
        """The picture; `label` is what is read to those who do not see it."""
        box = f'viewBox="0 0 {self.width:.0f} {self.height:.0f}" width="{self.width:.0f}"'
        return (
            f'<svg class="mdp" role="img" aria-label="{escape(label)}" {box}>'
            f"{''.join(self.marks)}</svg>"
        )


def drawn(numbers: Numbers) -> list[tuple[str, str]]:
    """Title and picture of every task, list of arms, grid and chain that is small enough."""
    return [*_tasks(numbers), *_arms(numbers), *_grids(numbers), *_chains(numbers)]


def _tasks(numbers: Numbers) -> Iterator[tuple[str, str]]:
    for task in tasks(numbers):
        if len(task.rewards) <= MOST_STATES and task.steps:
            yield task.name, _task(task).svg(f"the task {task.name}")
        elif len(task.rewards) == 1 and len(task.rewards[0]) <= MOST_ARMS:
            yield task.name, _bars(task.rewards[0]).svg(f"rewards of {task.name}")


def tasks(numbers: Numbers) -> list[DrawnTask]:
    """The tasks of the tables; next states that several share follow the last of them."""
    found: list[DrawnTask] = []
    for name, value in numbers:
        if (match := TASK.match(name)) and isinstance(value, tuple):
            found.append(DrawnTask(match[1], value))
        elif (match := STEPS.match(name)) and isinstance(value, tuple):
            named = [task for task in found if task.name == match[1]]
            for task in named or [task for task in found if not task.steps]:
                task.steps = value
    return found


def _arms(numbers: Numbers) -> Iterator[tuple[str, str]]:
    """Rewards of arms that stand in a vector, or in one row for each model; of tasks of one arm."""
    for name, value in numbers:
        coins = COINS.match(name) is not None
        if not (coins or ARMS.match(name)) or not isinstance(value, tuple) or not value:
            continue
        rows = value if isinstance(value[0], tuple) else (value,)
        plain = all(isinstance(row, tuple) and len(row) <= MOST_ARMS for row in rows)
        if not plain or any(isinstance(x, tuple) for row in rows for x in row):
            continue
        for number, row in enumerate(rows):
            title = name if len(rows) == 1 else f"{name}: model {number}"
            yield title, _bars(row, "θ" if coins else "a").svg(title)


def _grids(numbers: Numbers) -> Iterator[tuple[str, str]]:
    for name, value in numbers:
        if CELLS.search(name) and isinstance(value, tuple):
            yield name, _grid(value).svg(name)


def _chains(numbers: Numbers) -> Iterator[tuple[str, str]]:
    for name, value in numbers:
        if not CHAIN.match(name) or not isinstance(value, tuple):
            continue
        size = len(value)
        if 1 < size <= MOST_TASKS and all(isinstance(r, tuple) and len(r) == size for r in value):
            after = tuple((tuple(row[j] for row in value),) for j in range(size))
            yield name, _task(DrawnTask(name, (), after)).svg(f"the chain of tasks {name}")


# Arms: a bar for each


def _bars(rewards: Sequence[object], name: str = "a") -> Picture:
    """As high as the reward; the axis is 1 high, or as much as the largest one."""
    picture, top = Picture(60 + 48 * len(rewards), 128), max(1.0, *map(_value, rewards))
    picture.marks.append(f'<path class="axis" d="M20 100H{picture.width - 10:.0f}"/>')
    for arm, reward in enumerate(rewards):
        x, height = 30 + 48 * arm, 80 * max(_value(reward), 0.0) / top
        picture.marks.append(
            f'<rect class="bar a{arm % 4}" x="{x}" y="{100 - height:.1f}" width="28" '
            f'height="{height:.1f}"/>'
        )
        picture.text(x + 14, 94 - height, _short(reward))
        picture.text(x + 14, 117, f"{name}{arm}")
    return picture


# Grids: cells as they lie, walls between them


def _grid(rows: Sequence[Sequence[object]]) -> Picture:
    walls = {j for j, cell in enumerate(rows[0]) if cell in ("│", " ")}
    side, wall = 32, 5
    left = [sum(wall if k in walls else side for k in range(j)) for j in range(len(rows[0]) + 1)]
    picture = Picture(20 + left[-1], 20 + side * len(rows))
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            box = f'x="{10 + left[j]}" y="{10 + side * i}" width="{left[j + 1] - left[j]}"'
            kind = "wall" if cell == "│" else "cell" if j not in walls else "door"
            picture.marks.append(f'<rect class="{kind}" {box} height="{side}"/>')
            if kind == "cell" and cell != "·":
                picture.text(26 + left[j], 30 + side * i, _short(cell))
    return picture


# States on a circle, an arrow for every step that is possible


def _task(task: DrawnTask) -> Picture:
    count = len(task.steps)
    radius = 0.0 if count == 1 else 62.0 + 22 * max(0, count - 2)
    picture = Picture(2 * radius + 220, 96 if count <= 2 else 2 * radius + 150)
    middle = picture.width / 2, picture.height / 2
    places = [_on_circle(middle, radius, s, count) for s in range(count)]
    for s, actions in enumerate(task.steps):
        for target in range(count):
            for number, (label, action) in enumerate(_labels(actions, target)):
                _step(picture, places, middle, (s, target), number, (label, action))
    for s, (x, y) in enumerate(places):
        picture.circle(x, y, 17)
        picture.text(x, y + 4, f"{s}" if task.rewards else f"θ{s}", "name")
        if task.rewards:
            _rewards(picture, task.rewards[s], (x, y))
    return picture


def _rewards(picture: Picture, rewards: Sequence[object], place: tuple[float, float]) -> None:
    x, y = place
    same = len(set(rewards)) == 1
    picture.text(x, y + 32, f"r = {_short(rewards[0])}" if same else f"r = ({_all(rewards)})")


def _all(values: Sequence[object]) -> str:
    return ", ".join(map(_short, values))


def _labels(actions: Sequence[Sequence[object]], target: int) -> list[tuple[str, int]]:
    """One label for all actions with the same chance of this next state."""
    by_chance: dict[object, list[int]] = {}
    for action, row in enumerate(actions):
        if _value(row[target]) > 0:
            by_chance.setdefault(row[target], []).append(action)
    labels = []
    for chance, which in by_chance.items():
        whole = len(which) == len(actions)
        names = "" if whole else ",".join(f"a{a}" for a in which)
        sure = "any" if whole and len(actions) > 1 else "" if names else "1"
        odds = sure if _value(chance) == 1 else _short(chance)
        labels.append((f"{names} {odds}".strip(), 3 if whole else which[0]))
    return labels


def _step(
    picture: Picture,
    places: Sequence[tuple[float, float]],
    middle: tuple[float, float],
    ends: tuple[int, int],
    number: int,
    label: tuple[str, int],
) -> None:
    """A bent arrow, or a loop that points away from the others."""
    (x0, y0), (x1, y1) = places[ends[0]], places[ends[1]]
    if ends[0] == ends[1]:
        away = math.atan2(y0 - middle[1], x0 - middle[0])
        if y0 > middle[1] + 1:  # below a state stand its rewards
            away = 0.0 if x0 > middle[0] - 1 else math.pi
        reach = 62 + 26 * number
        ends_at = [(away + turn, reach) for turn in (-0.45, 0.45)]
        (ax, ay), (bx, by) = ((x0 + r * math.cos(t), y0 + r * math.sin(t)) for t, r in ends_at)
        sx, sy = x0 + 17 * math.cos(away - 0.45), y0 + 17 * math.sin(away - 0.45)
        ex, ey = x0 + 21 * math.cos(away + 0.45), y0 + 21 * math.sin(away + 0.45)
        picture.arrow(
            f"M{sx:.1f} {sy:.1f}C{ax:.1f} {ay:.1f} {bx:.1f} {by:.1f} {ex:.1f} {ey:.1f}", label[1]
        )
        out = 0.75 * reach + 6 + 3 * len(label[0]) * abs(math.cos(away))
        picture.text(x0 + out * math.cos(away), y0 + out * math.sin(away) + 4, label[0])
        return
    length = math.hypot(x1 - x0, y1 - y0)
    ux, uy = (x1 - x0) / length, (y1 - y0) / length
    bend = 18 + 26 * number
    cx, cy = (x0 + x1) / 2 - bend * uy, (y0 + y1) / 2 + bend * ux
    start, end = _toward((x0, y0), (cx, cy), 17), _toward((x1, y1), (cx, cy), 21)
    picture.arrow(
        f"M{start[0]:.1f} {start[1]:.1f}Q{cx:.1f} {cy:.1f} {end[0]:.1f} {end[1]:.1f}", label[1]
    )
    off = bend / 2 + 9 + 3 * len(label[0]) * abs(uy)
    lx, ly = (x0 + x1) / 2 - off * uy, (y0 + y1) / 2 + off * ux
    picture.text(lx, ly + 4, label[0])


def _toward(
    place: tuple[float, float], goal: tuple[float, float], far: float
) -> tuple[float, float]:
    length = math.hypot(goal[0] - place[0], goal[1] - place[1])
    return tuple(p + far * (g - p) / length for p, g in zip(place, goal, strict=True))  # type: ignore[return-value]


def _on_circle(
    middle: tuple[float, float], radius: float, number: int, count: int
) -> tuple[float, float]:
    angle = math.pi + 2 * math.pi * number / count
    return middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)


def _short(number: object) -> str:
    """As it is written, or four digits of it."""
    text = text_of(number)
    return text if len(text) <= MOST_LETTERS else f"≈{_value(number):.4g}"


def _value(number: object) -> float:
    return float(number)  # type: ignore[arg-type]  # fractions, whole numbers and doubles


MARKER = (
    '<svg class="hidden" aria-hidden="true"><defs><marker id="tip" viewBox="0 0 8 8" refX="7" '
    'refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
    '<path d="M0 0L8 4L0 8z"/></marker></defs></svg>'
)
"""The tip of all arrows, once on a page."""
