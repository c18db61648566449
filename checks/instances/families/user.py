"""A family of one's own: `--family my_module:strategy` names a strategy that draws `TaskSet`s."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

from hypothesis import Phase, find, settings
from hypothesis.errors import HypothesisException
from hypothesis.strategies import SearchStrategy

from ptum.checks.instances.families.shape import TaskSet

ONE_DRAW = settings(database=None, derandomize=True, deadline=None, phases=(Phase.generate,))


def load_family(path: str) -> SearchStrategy[TaskSet]:
    """The strategy called `name` in the module of "module:name"; `ValueError` says what is wrong.

    The current directory is searched first. One instance is drawn at once, so that a strategy of
    something else is refused here and not in the middle of a run; every later draw is looked at
    too, because a strategy may draw different things.
    """
    module_name, colon, name = path.partition(":")
    parts = [*module_name.split("."), *name.split(".")]
    if not colon or not all(part.isidentifier() for part in parts):
        raise ValueError(
            f"The family {path!r} cannot be read: write it as module:strategy, "
            "for example my_module:family."
        )
    strategy = _strategy(_module(module_name), name, path)
    family = strategy.map(lambda drawn: _task_set(drawn, path))
    _draw_once(family, path)
    return family


def _module(name: str) -> ModuleType:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    importlib.invalidate_caches()  # the file may be newer than the last look at its folder
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as reason:
        if reason.name is None or not f"{name}.".startswith(f"{reason.name}."):
            raise ValueError(f"The module {name!r} cannot be imported: {reason}.") from reason
        raise ValueError(
            f"There is no module {reason.name!r} in {here} or among the installed packages."
        ) from reason
    except Exception as reason:
        raise ValueError(
            f"The module {name!r} cannot be imported: it raises {_shown(reason)}."
        ) from reason


def _strategy(module: ModuleType, name: str, path: str) -> SearchStrategy[object]:
    found: object = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise ValueError(
                f"The module {module.__name__!r} has no {name!r}; "
                f"its strategies are: {_names_of_strategies(module)}."
            )
        found = getattr(found, part)
    if isinstance(found, SearchStrategy):
        return found
    hint = f" Call it in the module, as in family = {name}()." if callable(found) else ""
    raise ValueError(
        f"{path} is not a Hypothesis strategy but of type {type(found).__name__}.{hint}"
    )


def _task_set(drawn: object, path: str) -> TaskSet:
    if isinstance(drawn, TaskSet):
        return drawn
    raise ValueError(
        f"{path} draws objects of type {type(drawn).__name__}, "
        "but a family must draw ptum.checks.instances.families.shape.TaskSet."
    )


def _draw_once(family: SearchStrategy[TaskSet], path: str) -> None:
    """Draw the simplest instance; whatever goes wrong in the user's code becomes one sentence."""
    try:
        find(family, lambda _: True, settings=ONE_DRAW)
    except HypothesisException as reason:
        raise ValueError(f"{path} draws nothing: {_shown(reason)}.") from reason
    except Exception as reason:
        if str(reason).startswith(path):
            raise
        raise ValueError(f"{path} cannot be drawn from: it raises {_shown(reason)}.") from reason


def _names_of_strategies(module: ModuleType) -> str:
    names = [name for name, value in vars(module).items() if isinstance(value, SearchStrategy)]
    return ", ".join(sorted(names)) or "none"


def _shown(reason: Exception) -> str:
    text = " ".join(str(reason).split()).rstrip(".")
    return f"{type(reason).__name__}: {text}" if text else type(reason).__name__
