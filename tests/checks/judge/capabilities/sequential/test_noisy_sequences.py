"""No conforming implementation is rejected on 220 drawn noisy sequences, S = 2, k = 2 or 3.

Two causes of false rejections were found so: orders of discovery that the judge did not know, and a
T̂ that stays where a new estimate has none.
"""

from __future__ import annotations

import numpy as np
import pytest

from ptum.checks.judge.capabilities.sequential import sequential
from ptum.checks.judge.judging.readings import Case, Sampler
from ptum.checks.judge.judging.verdicts import Conformity, judge_capability
from ptum.checks.judge.programs.subjects import ask
from ptum.reference.tasks.generative import Simulator
from ptum.reference.tasks.mdp import MDP, bernoulli_rewards

CAPABILITY, S, A = sequential.CAPABILITY, 2, 2
FOUND = (11, 17, 158)
"""Seeds on which the repaired reference was once rejected."""


def drawn(seed: int) -> Case:
    """Noisy tasks near deterministic ones, in an order of which no successor is impossible."""
    rng = np.random.default_rng([seed, 77])
    k = int(rng.integers(2, 4))
    noise = float(rng.choice([0.02, 0.1, 0.25]))
    tasks = [_task(rng, noise) for _ in range(k)]
    T = 0.3 / k + 0.7 * rng.dirichlet(np.full(k, 0.5), size=k)
    T /= T.sum(axis=1, keepdims=True)
    m = int(rng.integers(3 * k, 6 * k + 2))
    sequence = [int(rng.integers(k))]
    while len(sequence) < m:
        sequence.append(int(rng.choice(k, p=T[sequence[-1]])))
    numbers = {
        "epsilon": float(rng.choice([0.3, 0.5, 0.9])),
        "n": int(rng.choice([100, 400])),
        "n_post": int(rng.choice([3, 6, 12, 30])),
        "rho_T": float(rng.choice([0.0, 0.01, 0.15])),
        "eta": float(rng.choice([0.05, 0.125, 0.5])),
    }
    shape = {"k": k, "S": S, "A": A, "u": tasks[0].u.tolist(), "gamma": tasks[0].gamma, "m": m}

    def sampler() -> Sampler:
        stream = [Simulator(tasks[j], h) for h, j in enumerate(sequence, start=1)]
        return lambda h, s, a: stream[h - 1].sample(s, a)

    request = {**sequential.USUAL, **numbers, **shape}
    return Case(f"sequential/noisy-{seed}", request, (), sampler)


def _task(rng: np.random.Generator, noise: float) -> MDP:
    certain = np.eye(S)[rng.integers(0, S, (S, A))]
    p = (1 - noise) * certain + noise * rng.dirichlet(np.ones(S), (S, A))
    r = (1 - noise) * rng.integers(0, 2, (S, A)) + noise * rng.random((S, A))
    return bernoulli_rewards(p / p.sum(axis=-1, keepdims=True), r, 0.125)


def assert_conforms(name: str, seed: int) -> None:
    exchange = ask(CAPABILITY, drawn(seed), sequential.CONFORMING[name])
    found = judge_capability(CAPABILITY, [exchange])
    assert found.verdict is Conformity.CONFORMS, (found.finding, found.fault)


@pytest.mark.parametrize("seed", FOUND)
def test_what_was_rejected_once_is_not_rejected_again(seed: int) -> None:
    assert_conforms("repaired", seed)


@pytest.mark.deep
@pytest.mark.parametrize("name", sequential.CONFORMING)
@pytest.mark.parametrize("first", range(0, 220, 20))
def test_no_conforming_implementation_is_rejected(name: str, first: int) -> None:
    for seed in range(first, first + 20):
        assert_conforms(name, seed)
