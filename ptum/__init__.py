"""PTUM and sequential transfer (Tirinzoni, Poiani, Restelli, ICML 2020), as a reference.

    import ptum

    tasks = [ptum.bernoulli_rewards(p, r, gamma=0.9) for r in rewards]   # the models you have
    target = ptum.Simulator(tasks[0], seed=1)                            # the task to be solved
    run = ptum.transfer(tasks, target, epsilon=0.4, delta=0.1, n=10_000, Delta=0.0)
    run.policy, run.queries, run.end

Tasks and models    `MDP`, `bernoulli_rewards`, `deterministic_rewards`, `from_counts`,
                    `from_gymnasium`, `approximate_models`
What can be asked   `GenerativeModel` (anything with `sample(s, a)`), `Simulator`
Errors of models    `ModelErrors`, `model_errors`, `can_transfer`
Algorithm 1         `transfer`, printed or repaired; `Watch` for long runs; `UniformSampling` where
                    it does not apply
Algorithm 2         `sequential_transfer`, printed or repaired; `Watch` here too
Your own code       `check`, which names the line of the paper that it breaks
Wrong arguments     `InputError`, which names the argument, what was found and what to do

Pictures            `import ptum.plots`, with `pip install "ptum[plots]"`

Each name has a docstring: `help(ptum.transfer)`. They are imported when they are first used.
The paper's items one by one are `ptum.reference` (code), `ptum.spec` (claims) and `ptum.checks`
(whether they are true); the command is `ptum --help`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ptum.front import (
        approximate_models,
        can_transfer,
        check,
        model_errors,
        sequential_transfer,
        transfer,
    )
    from ptum.reference.errors import InputError
    from ptum.reference.tasks.counts import from_counts
    from ptum.reference.tasks.generative import GenerativeModel, Simulator
    from ptum.reference.tasks.mdp import MDP, bernoulli_rewards, deterministic_rewards
    from ptum.reference.tasks.toy_text import from_gymnasium
    from ptum.reference.transfer.assumptions import ModelErrors
    from ptum.reference.transfer.fallback import UniformSampling
    from ptum.watch import Watch

__all__ = [
    "MDP",
    "bernoulli_rewards",
    "deterministic_rewards",
    "from_counts",
    "from_gymnasium",
    "approximate_models",
    "GenerativeModel",
    "Simulator",
    "ModelErrors",
    "model_errors",
    "can_transfer",
    "transfer",
    "Watch",
    "UniformSampling",
    "sequential_transfer",
    "check",
    "InputError",
]

_PLACES = {
    "MDP": "reference.tasks.mdp",
    "bernoulli_rewards": "reference.tasks.mdp",
    "deterministic_rewards": "reference.tasks.mdp",
    "from_counts": "reference.tasks.counts",
    "from_gymnasium": "reference.tasks.toy_text",
    "approximate_models": "front",
    "GenerativeModel": "reference.tasks.generative",
    "Simulator": "reference.tasks.generative",
    "ModelErrors": "reference.transfer.assumptions",
    "model_errors": "front",
    "can_transfer": "front",
    "transfer": "front",
    "Watch": "watch",
    "UniformSampling": "reference.transfer.fallback",
    "sequential_transfer": "front",
    "check": "front",
    "InputError": "reference.errors",
}


if not TYPE_CHECKING:  # so that a type checker knows these names and no others

    def __getattr__(name: str) -> object:
        """A public name, imported now: `import ptum` alone loads no numpy."""
        if name not in _PLACES:
            raise AttributeError(f"module 'ptum' has no attribute {name!r}; it has {__all__}")
        found: object = getattr(importlib.import_module(f"ptum.{_PLACES[name]}"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
