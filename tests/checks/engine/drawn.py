"""Small instances on which models are eliminated soon, for tests of the fast runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np

from ptum.reference.arrays import Floats
from ptum.reference.repaired.transfer import ptum as repaired
from ptum.reference.repaired.transfer.ptum import transfer_mode as repaired_transfer_mode
from ptum.reference.tasks.generative import GenerativeModel, Simulator
from ptum.reference.tasks.mdp import MDP
from ptum.reference.tasks.models import ApproximateModels, approximate_models
from ptum.reference.transfer import ptum as printed
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.information import index
from ptum.reference.transfer.ptum import PtumResult, transfer_mode
from ptum.reference.transfer.transcript import Observer

DELTA = 0.5


@dataclass(frozen=True, eq=False)
class EngineInputs:
    """The inputs of one run."""

    models: ApproximateModels
    target: MDP
    seed: int
    epsilon: float
    n: int
    errors: ModelErrors
    end_on_zero_index: bool

    def literal(
        self, observer: Observer = lambda _: None, model: GenerativeModel | None = None
    ) -> PtumResult:
        """The run of the literal code; an index that it asked for before is not computed again."""
        run = repaired_transfer_mode if self.end_on_zero_index else transfer_mode
        known: dict[tuple[object, ...], Floats] = {}

        def remembered(active: tuple[int, ...], models: ApproximateModels, *rest: float) -> Floats:
            if (*active, rest) not in known:
                known[*active, rest] = index(active, models, *rest)
            return known[*active, rest]

        with (
            patch.object(printed, "index", remembered),
            patch.object(repaired, "index", remembered),
        ):
            return run(
                self.models,
                model or Simulator(self.target, self.seed),
                epsilon=self.epsilon,
                delta=DELTA,
                n=self.n,
                errors=self.errors,
                announce=observer,
            )


def drawn(first: int) -> Iterator[EngineInputs]:
    """Endless instances: round and unround numbers, deterministic outcomes, four unlike errors."""
    seed = first
    while True:
        rng = np.random.default_rng([22, seed])
        S, A, k, U = (
            int(rng.integers(low, high)) for low, high in ((1, 4), (1, 4), (2, 6), (2, 4))
        )
        spread, gamma = rng.choice([0.05, 0.15, 0.5]), float(rng.choice([0.0, 0.3, 0.5]))
        u = np.sort(rng.random(U)) if rng.random() < 0.5 else np.linspace(0, 1, U)
        tasks = [
            MDP(
                rng.dirichlet(np.full(S, spread), size=(S, A)),
                rng.dirichlet(np.full(U, spread), size=(S, A)),
                u,
                gamma,
            )
            for _ in range(k)
        ]
        yield EngineInputs(
            models=approximate_models(tasks),
            target=tasks[int(rng.integers(k))],
            seed=seed,
            epsilon=float(rng.choice([1e-3, 0.05, 0.2])),
            n=int(rng.integers(20, 90)),
            errors=ModelErrors(*(rng.choice([0.0, 1e-3, 0.01], size=4).tolist())),
            end_on_zero_index=bool(rng.integers(2)),
        )
        seed += 1
