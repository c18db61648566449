"""Lines 3-21 of Algorithm 1 on anything with `sample(s, a)`, with the results of the literal code.

The same queries in the same order, and never one more: between two looks at the data as many
samples are asked for as `slack.passes` shows to be safe, whatever the answers are, or a single one.
Models may offer `sample_many(s, a, m)`: the rewards and the next states that m calls of
`sample(s, a)` would return. It is used for such safe lengths alone, never beyond n, and not while
an observer wants to see every query before its answer.

Memory: the tables of `problem`, 16 bytes per sample, and two tables (k, S) for every queried pair.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import partial
from itertools import repeat

import numpy as np

from ptum.checks.engine.decision import OutcomeCounts, eliminated
from ptum.checks.engine.problem import ActiveStep, Problem, RunNumbers, problem
from ptum.checks.engine.runs import Pair, RunProgress
from ptum.checks.engine.slack import moments, passes
from ptum.reference.arrays import Bools, Floats, Ints
from ptum.reference.errors import InputError
from ptum.reference.tasks.generative import GenerativeModel, ask, checked
from ptum.reference.tasks.models import ApproximateModels
from ptum.reference.transfer.assumptions import ModelErrors
from ptum.reference.transfer.information import SHIFT
from ptum.reference.transfer.ptum import PtumResult, nobody
from ptum.reference.transfer.transcript import Elimination, Observer, Query, Sample

LENGTHS = np.unique(np.floor(1.3 ** np.arange(43))).astype(np.int64)
"""How many samples may be asked for at once: 1, 2, 3, … in steps of 30 %, up to 61,000."""
LOOKS = np.concatenate(([0], LENGTHS))


def transfer_mode(
    models: ApproximateModels,
    generative_model: GenerativeModel,
    *,
    epsilon: float,
    delta: float,
    n: int,
    errors: ModelErrors,
    announce: Observer = nobody,
    end_on_zero_index: bool = False,
    shift: float = SHIFT,
) -> PtumResult:
    """The literal `transfer_mode`, with its arguments and its events."""
    posed = problem(models, RunNumbers(epsilon, delta, n, errors, shift))
    run = _Run(posed, generative_model, announce)
    while True:
        result = run.result(end_on_zero_index)
        if result is not None:
            return result
        run.phase(posed.step(run.active))


repaired_transfer_mode = partial(transfer_mode, end_on_zero_index=True)
"""The same for the repaired Algorithm 1, which ends at an index of zero."""


class _Answers:
    """All answers at one pair, and their sums about the first."""

    def __init__(self, V_star: Floats) -> None:
        self.rewards, self.successors = array("d"), array("q")
        self.counts = np.zeros(V_star.shape[1], dtype=np.int64)
        self._V_star, self._of_rewards = V_star, np.zeros(2)
        self.center = np.zeros(0)

    def add(self, rewards: Sequence[float], successors: Sequence[int]) -> None:
        """Some more answers."""
        if not self.rewards:
            self.center = np.concatenate(([rewards[0]], self._V_star[:, successors[0]]))
            self._V = self._V_star - self.center[1:, np.newaxis]
        self.rewards.extend(rewards)
        self.successors.extend(successors)
        new = np.asarray(rewards, dtype=np.float64) - self.center[0]
        self._of_rewards += new.sum(), new @ new
        if len(successors) == 1:
            self.counts[successors[0]] += 1
        else:
            self.counts += np.bincount(np.asarray(successors), minlength=self.counts.size)

    def sums(self) -> tuple[Floats, Floats, Floats]:
        """Centre, S1 and S2, each a column."""
        S1, S2 = moments(self.counts, self._V)
        first = self._of_rewards[:, np.newaxis]
        return (
            self.center,
            np.concatenate((first[0], S1))[:, np.newaxis],
            np.concatenate((first[1], S2))[:, np.newaxis],
        )

    def ordered(self) -> tuple[Floats, Ints]:
        """Rewards and next states in their order."""
        return np.array(self.rewards), np.array(self.successors)


class _Run(RunProgress):
    """A run on somebody's generative model."""

    def __init__(self, posed: Problem, model: GenerativeModel, announce: Observer) -> None:
        super().__init__(posed)
        self._model, self._announce = model, announce
        many = getattr(model, "sample_many", None)
        self._many = many if callable(many) and announce is nobody else None
        self._answers: dict[Pair, _Answers] = {}

    def phase(self, step: ActiveStep) -> None:
        """Query the pair until a model fails or the budget is used up."""
        safe = self._safe(step)
        while self.left:
            proven = int(LOOKS[safe].max(initial=0))
            size = min(max(proven, 1), self.left)
            self._ask(step.pair, size)
            if not self.left:  # the answer of the last iteration is never looked at (D22)
                return
            safe = self._safe(step)
            if size > proven and not safe[0]:
                failed = self._failed(step)
                if failed:
                    self.eliminate(failed)
                    return

    def eliminate(self, failed: list[Elimination]) -> None:
        """The end of a phase, announced."""
        for elimination in failed:
            self._announce(elimination)
        super().eliminate(failed)

    def _safe(self, step: ActiveStep) -> Bools:
        """For each of `LOOKS`, whether nothing fails within so many more samples."""
        answers = self._answers.get(step.pair)
        if answers is None:
            return LOOKS <= 1
        posed, N = self.problem, np.full(LOOKS.size, self.N[step.pair])
        ends = posed.bottom, posed.top
        return passes(posed, step.targets, N, LOOKS, answers.sums(), ends, posed.S + 1)

    def _failed(self, step: ActiveStep) -> list[Elimination]:
        answers = self._answers[step.pair]
        u, counts = np.unique(np.array(answers.rewards), return_counts=True)
        seen = OutcomeCounts(u, counts[np.newaxis], answers.counts[np.newaxis])
        (failed,) = eliminated(self.problem, step, seen, [self.t], [answers.ordered])
        return failed

    def _ask(self, pair: Pair, size: int) -> None:
        """The next answers of a pair, one after another or in one call."""
        if self._many is not None and size > 1:
            rewards, successors = _many(self._many(*pair, size), *pair, size, self.problem.S)
            self.count(pair, size)
        else:
            rewards, successors = zip(*(self._one(pair) for _ in repeat(None, size)), strict=True)
        if pair not in self._answers:
            self._answers[pair] = _Answers(self.problem.models.V_star)
        self._answers[pair].add(rewards, successors)

    def _one(self, pair: Pair) -> tuple[float, int]:
        self._announce(Query(self.t, *pair))
        reward, successor = ask(self._model, *pair, self.problem.S)
        self._announce(Sample(self.t, reward, successor))
        self.count(pair, 1)
        return reward, successor


def _many(answers: object, s: int, a: int, m: int, S: int) -> tuple[Sequence[float], Sequence[int]]:
    """The answers of `sample_many` as plain numbers; an impossible one is refused."""
    where = f"generative_model.sample_many({s}, {a}, {m})"
    problem = "must return m rewards and m next states"
    if not (isinstance(answers, tuple | list) and len(answers) == 2):
        raise InputError(where, problem, value=answers)
    try:
        rewards, successors = (np.asarray(part) for part in answers)
    except ValueError as reason:
        raise InputError(where, problem, value=answers) from reason
    if not rewards.shape == successors.shape == (m,):
        shapes = f"shapes {rewards.shape} and {successors.shape}"
        raise InputError(where, problem, value=shapes)
    plain = rewards.dtype.kind == "f" and successors.dtype.kind in "iu"
    inside = plain and bool(np.all((rewards >= 0) & (rewards <= 1)))
    if inside and successors.min() >= 0 and successors.max() < S:
        return rewards.tolist(), successors.tolist()
    pairs = zip(rewards.tolist(), successors.tolist(), strict=True)
    good = [checked(pair, f"{where}, answer {i}", S) for i, pair in enumerate(pairs)]
    return [reward for reward, _ in good], [successor for _, successor in good]
