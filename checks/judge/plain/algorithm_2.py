"""Algorithm 2 written plainly: each step is a method, so that a variant overrides one.

Conforming variants and slips are subclasses. PTUM is `Algorithm1`; the fallback is
uniform sampling, and Algorithm 3 that of `reference`.
"""

# ruff: noqa: E741 - O is the paper's letter

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ptum.checks.judge.judging.sequence import numbers_of
from ptum.checks.judge.messages.fields import as_json
from ptum.checks.judge.messages.parsing import ERRORS
from ptum.checks.judge.messages.transcript import Fields
from ptum.checks.judge.plain.algorithm_1 import Algorithm1
from ptum.reference.arrays import Floats
from ptum.reference.sequential.observations import split_observation
from ptum.reference.sequential.projection import project_observation
from ptum.reference.sequential.spectral import HmmEstimate, learn_hmm
from ptum.reference.transfer.fallback import samples_per_pair

Samples = dict[tuple[int, int], list[tuple[float, int]]]
Sample = Callable[[int, int, int], tuple[float, int]]
Errors = dict[str, float]

NO_ERRORS: Errors = dict.fromkeys(ERRORS, math.inf)


class Algorithm2:
    """One run; `answer(sample)` returns the fields of the judge's capability `sequential`."""

    only_post_samples = False
    one_constant = False
    ptum: type[Algorithm1] = Algorithm1

    def __init__(self, **request: object) -> None:
        fields: Fields = {name: as_json(value) for name, value in request.items()}
        self.numbers = numbers_of(fields)
        self.setting = self.numbers.setting
        self.observations: list[Floats] = []
        self.O: Floats | None = None
        self.T: Floats | None = None
        self.errors = dict(NO_ERRORS)
        self.initial = list(self.setting.labels)

    def answer(self, sample: Sample) -> dict[str, object]:
        """All m tasks."""
        return {"tasks": [self.task(h, sample) for h in range(1, self.numbers.m + 1)]}

    def task(self, h: int, sample: Sample) -> dict[str, object]:
        """Lines 3-9 for task h."""
        taken: Samples = {}

        def ask(s: int, a: int) -> tuple[float, int]:
            reward, successor = sample(h, s, a)
            taken.setdefault((s, a), []).append((reward, successor))
            return reward, successor

        report = self.solve(h, ask, taken)  # line 4
        self.sample_each(self.post_samples(), ask)
        self.observations.append(self.observation(taken))  # line 5
        self.learn(h)  # lines 6-8
        self.initial = self.predict(h, report)  # line 9
        return {**report, "T": self.T}

    # Line 4

    def solve(
        self, h: int, ask: Callable[[int, int], tuple[float, int]], taken: Samples
    ) -> dict[str, object]:
        """PTUM on the models of Θ̃_h, then the fallback if it did not stop."""
        setting = self.setting
        tasks = self.models()
        chosen = [] if tasks is None else [tasks[theta] for theta in self.initial]
        run = self.transfer(
            models=chosen or [self.uniform()],
            gamma=setting.gamma,
            errors=self.errors,
            epsilon=setting.epsilon,
            delta=setting.delta,
            n=setting.n,
        )
        found = run.answer(ask)
        queries = sum(map(len, taken.values()))
        eliminations = [
            {"t": one["t"], "theta": self.initial[int(str(one["theta"]))]}
            for one in run.eliminations
        ]
        policy = found["policy"]
        if policy is None:
            self.sample_each(self.fallback_samples(), ask)
        report: dict[str, object] = {
            "initial": list(self.initial),
            "errors": dict(self.errors),
            "models": tasks,
            "end": found["end"],
            "queries": queries,
            "eliminations": eliminations,
            "policy": policy,
        }
        return {**report, "active": self.theta_bar(h, report)}

    def transfer(self, **inputs: Any) -> Algorithm1:
        """PTUM with such inputs."""
        return self.ptum(**inputs)

    def theta_bar(self, h: int, report: dict[str, object]) -> list[int]:  # noqa: ARG002
        """Θ̄_h: PTUM's last set; all labels if there is none (D44)."""
        if report["end"] == "models-too-inaccurate":
            return list(self.setting.labels)
        eliminations = report["eliminations"]
        assert isinstance(eliminations, list)
        gone = {one["theta"] for one in eliminations}
        return [theta for theta in self.initial if theta not in gone] or list(self.setting.labels)

    def models(self) -> list[dict[str, Floats]] | None:
        """Line 7: the columns of Ô, projected; None before the first estimate."""
        return None if self.O is None else [self.model(column) for column in self.O.T]

    def model(self, column: Floats) -> dict[str, Floats]:
        """One column as a task."""
        S, A, U = self.setting.S, self.setting.A, self.setting.U
        q, p = split_observation(project_observation(column, S, A, U), S, A, U)
        return {"p": p, "q": q, "u": np.array(self.setting.u)}

    def uniform(self) -> dict[str, Floats]:
        """A model of a task about which nothing is known."""
        S, A, U = self.setting.S, self.setting.A, self.setting.U
        p, q = np.full((S, A, S), 1 / S), np.full((S, A, U), 1 / U)
        return {"p": p, "q": q, "u": np.array(self.setting.u)}

    def fallback_samples(self) -> int:
        """Of every pair."""
        setting = self.setting
        return samples_per_pair(setting.S, setting.A, setting.gamma, setting.epsilon, setting.delta)

    # Lines 5-8

    def sample_each(self, count: int, ask: Callable[[int, int], tuple[float, int]]) -> None:
        """So many samples of every pair."""
        for s in range(self.setting.S):
            for a in range(self.setting.A):
                for _ in range(count):
                    ask(s, a)

    def post_samples(self) -> int:
        """Of every pair, when the task is over."""
        return self.setting.n_post

    def observation(self, taken: Samples) -> Floats:
        """Line 5: frequencies of rewards, then of next states."""
        setting, rewards, successors = self.setting, [], []
        for s in range(setting.S):
            for a in range(setting.A):
                kept = taken[s, a][-setting.n_post :] if self.only_post_samples else taken[s, a]
                n = len(kept)
                rewards += [sum(r == value for r, _ in kept) / n for value in setting.u]
                successors += [sum(x == y for _, x in kept) / n for y in range(setting.S)]
        return np.array(rewards + successors)

    def learn(self, h: int) -> None:
        """Lines 6-8: a new estimate with its errors, or the old one with the old errors."""
        rows, rng = np.stack(self.observations), np.random.default_rng(h)
        found = learn_hmm(rows, self.setting.k, 20, 60, rng)
        if isinstance(found, HmmEstimate) and found.T is not None:
            self.O, self.T = self.matched(found.O, found.T)
            self.errors = self.model_errors(h)

    def matched(self, O: Floats, T: Floats) -> tuple[Floats, Floats]:
        """Labels as they come."""
        return O, T

    def model_errors(self, h: int) -> Errors:
        """Line 8: Theorem 2 after h tasks."""
        rhos = self.numbers.rhos
        sizes = {name: getattr(rhos, name) for name in ERRORS}
        if not self.speaks(h):
            return dict(NO_ERRORS)
        if self.one_constant:
            sizes = dict.fromkeys(sizes, max(sizes.values()))
        return {name: rho * self.rate(h) for name, rho in sizes.items()}

    def speaks(self, h: int) -> bool:
        """The condition of Theorem 2."""
        log = math.log(2 * h**2 * self.setting.d / self.setting.delta_prime)
        return h > self.numbers.rhos.condition * log

    def rate(self, h: int) -> float:
        """√(log(π²h²SA(S+U)/δ')/h)."""
        c = math.pi**2 * h**2 * self.setting.d / self.setting.delta_prime
        return math.sqrt(math.log(c) / h)

    # Line 9

    def predict(self, h: int, report: dict[str, object]) -> list[int]:
        """The rule of Theorem 3; all labels without T̂, or if none would be left."""
        if self.T is None:
            return list(self.setting.labels)
        known = report["active"]
        assert isinstance(known, list)
        kept = [
            theta for theta in self.setting.labels if self.left_side(theta, known, h) > self.eta
        ]
        return kept or list(self.setting.labels)

    def left_side(self, theta: int, known: list[int], h: int) -> float:
        """What is compared with η."""
        k, log = self.setting.k, math.log(self.inside_of_line_9(h))
        confidence = self.setting.delta * k + self.numbers.rho_T * k * math.sqrt(log / h)
        return self.predicted(theta, known) + confidence

    def inside_of_line_9(self, h: int) -> float:  # noqa: ARG002 - for slips
        """9kdm²/δ'."""
        setting = self.setting
        return 9 * setting.k * setting.d * self.numbers.m**2 / setting.delta_prime

    def predicted(self, theta: int, known: list[int]) -> float:
        """Σ_{θ'∈Θ̄_h} T̂_h(θ,θ')."""
        assert self.T is not None
        return float(sum(self.T[theta, before] for before in known))

    @property
    def eta(self) -> float:
        """δ'/(3km²)."""
        return self.setting.delta_prime / (3 * self.setting.k * self.numbers.m**2)
