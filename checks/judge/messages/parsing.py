"""Tasks, models and errors of a request as `reference` knows them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ptum.checks.judge.messages.fields import MalformedError
from ptum.checks.judge.messages.transcript import Fields
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer.assumptions import ModelErrors

ERRORS = ("r", "p", "sigma_r", "sigma_p")
"""The constants of Assumption 1, by their names in requests and answers."""


def as_models(models: Sequence[Mapping[str, npt.ArrayLike]], gamma: float) -> ApproximateModels:
    """The list `models` of a request: tasks with p, q and u, one discount for all."""
    return approximate_models([as_task(model, gamma) for model in models])


def as_task(task: Mapping[str, npt.ArrayLike], gamma: float) -> MDP:
    """One task."""
    return MDP(np.array(task["p"]), np.array(task["q"]), np.array(task["u"]), gamma)


def as_errors(errors: Mapping[str, object]) -> ModelErrors:
    """The four constants; "inf" is a number too."""
    r, p, sigma_r, sigma_p = (number(errors, name) for name in ERRORS)
    return ModelErrors(r=r, p=p, sigma_r=sigma_r, sigma_p=sigma_p)


def number(request: Mapping[str, object], name: str) -> float:
    """A single number of a request; NaN is refused."""
    found = float(str(request[name]))
    if math.isnan(found):
        raise MalformedError(f"{name} is NaN")
    return found


def whole(request: Fields, name: str) -> int:
    """A single integer of a request."""
    return round(number(request, name))


def mapping(request: Fields, name: str) -> Mapping[str, object]:
    """A field that is an object."""
    value = request[name]
    if not isinstance(value, Mapping):
        raise MalformedError(f"{name} must be an object")
    return value


def models_of(request: Fields) -> ApproximateModels:
    """The fields `models` and `gamma` of a request."""
    models = request["models"]
    if not isinstance(models, list):
        raise MalformedError("models must be a list")
    return as_models(models, number(request, "gamma"))


def task_fields(task: MDP) -> dict[str, object]:
    """A task as a request holds it."""
    return {"p": task.p.tolist(), "q": task.q.tolist(), "u": task.u.tolist()}


def only_error(name: str, size: float) -> ModelErrors:
    """One constant is not zero."""
    return ModelErrors(**{**dict.fromkeys(ERRORS, 0.0), name: size})


def errors_fields(errors: ModelErrors) -> dict[str, object]:
    """The four constants as a request holds them."""
    sizes = {name: float(getattr(errors, name)) for name in ERRORS}
    return {name: "inf" if math.isinf(size) else size for name, size in sizes.items()}
